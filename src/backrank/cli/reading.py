"""What commands read tours from: texts in any format, and NumPy files; either way it is claims that come back."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from backrank.cli import options as opt
from backrank.errors import InvalidSquare, InvalidText

if TYPE_CHECKING:
    from backrank.board import Board
    from backrank.formats import TourClaim
    from backrank.formats.npy import NumberedArray, Numbers
    from backrank.pieces import Piece
    from backrank.verify import Fault, Grid

    Claim: TypeAlias = "TourClaim | ArrayClaim"

NPY_MAGIC = b"\x93NUMPY"
MAX_PIPED_BYTES = 1024**3
# Up to here Python objects are quick enough, and every fault of a board of numbers can be told, not only its first.
SMALL_SQUARES = 100_000


class ArrayClaim:
    """A tour as a NumPy file holds it.

    Attributes
    ----------
    board : Board
        The board given, or that of the array.
    notes : tuple of str
        What had to be assumed to read the file.
    """

    closed: bool | None = None
    piece: Piece | None = None

    def __init__(self, numbered: NumberedArray, notes: Sequence[str]) -> None:
        self.board, self.grid = numbered
        self.notes = tuple(notes)
        self._numbered = numbered
        self._squares: Numbers | None = None

    def squares(self) -> Numbers:
        """Return the squares in the order of the visits, as a read-only array."""
        if self._squares is None:
            self._squares = self._numbered.squares()
        return self._squares

    def faults(
        self, *, closed: bool = False, start: int | None = None, end: int | None = None, piece: Piece | None = None
    ) -> list[Fault]:
        """Return all faults; none means that it is a tour."""
        if self.board.size <= SMALL_SQUARES:
            return _small_faults(self, closed=closed, start=start, end=end, piece=piece)
        return _large_faults(self, closed=closed, start=start, end=end, piece=piece)


def _small_faults(
    claim: ArrayClaim, *, closed: bool, start: int | None, end: int | None, piece: Piece | None
) -> list[Fault]:
    from backrank.pieces import KNIGHT
    from backrank.verify import grid_faults

    grid: Grid = [[number or None for number in row] for row in claim.grid.tolist()]
    return grid_faults(claim.board, grid, closed=closed, start=start, end=end, piece=piece or KNIGHT)


def _large_faults(
    claim: ArrayClaim, *, closed: bool, start: int | None, end: int | None, piece: Piece | None
) -> list[Fault]:
    """Check a large array, compiled: of each kind of fault the first ones are named."""
    from backrank.pieces import KNIGHT
    from backrank.tours.checking import array_faults
    from backrank.verify import Fault, FaultKind

    try:
        squares = claim.squares()
    except InvalidSquare as error:
        return [Fault(FaultKind.ON_HOLE, str(error))]
    except InvalidText as error:
        # Whatever is wrong with the numbers, one of those that must be there then is not.
        return [Fault(FaultKind.NUMBERS_SKIPPED, str(error))]
    return array_faults(claim.board, squares, closed=closed, start=start, end=end, piece=piece or KNIGHT)


class TourFile:
    """A file of tours, or standard input if its name is `-`: a text in any of the formats, or a NumPy file.

    Which of the two it is, its first bytes tell. What can be read only once is read when this is made.

    Raises
    ------
    InvalidText
        If the file cannot be read.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._data = None if name != "-" and _is_file(name) else opt.read_bytes(name, MAX_PIPED_BYTES)
        begin = _begin(name) if self._data is None else self._data
        self.is_array = begin.startswith(NPY_MAGIC)
        if not self.is_array and self._data is not None and len(self._data) > opt.MAX_BYTES:
            raise opt.too_large(name, opt.MAX_BYTES)

    def claims(self, *, board: Board | None = None, form: str | None = None) -> list[Claim]:
        """Return the tours that the file claims, at least one.

        Parameters
        ----------
        board : Board, optional
            The board; read off the file if not given.
        form : str, optional
            The format of a text; recognised if not given.

        Raises
        ------
        InvalidText
            If the file makes no sense.
        """
        if self.is_array:
            if form not in (None, "npy"):
                raise InvalidText(f"{opt.shown(self.name)} is a NumPy file, not a text; leave out --format")
            return [_array_claim(self.name, self._data, board)]
        if form == "npy":
            raise InvalidText(f"{opt.shown(self.name)} is no NumPy file: it does not begin as one")
        from backrank.formats import parse_tours

        text = opt.read_text(self.name) if self._data is None else opt.decoded(self._data, self.name)
        return list(parse_tours(text, board=board, form=form))


def _is_file(name: str) -> bool:
    try:
        return Path(name).is_file()
    except ValueError:
        return False  # a name with a zero byte; whoever reads it will complain


def _begin(name: str) -> bytes:
    try:
        with Path(name).open("rb") as file:
            return file.read(len(NPY_MAGIC))
    except OSError:
        return b""  # whoever reads all of it will complain


def _array_claim(name: str, data: bytes | None, board: Board | None) -> ArrayClaim:
    from backrank.formats import read_tour_npy

    try:
        numbered = read_tour_npy(name if data is None else data, board=board)
    except OSError as error:
        raise InvalidText(f"cannot read {opt.shown(name)}: {(error.strerror or str(error)).lower()}") from None
    notes = [f"board taken as {numbered.board} from the array"] if board is None else []
    return ArrayClaim(numbered, notes)
