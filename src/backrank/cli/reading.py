"""What commands read answers from: texts in any format, and NumPy files; either way it is claims that come back."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeAlias, TypeVar

from backrank.cli.files import MAX_BYTES, decoded, file_shown, read_bytes, read_text, too_large
from backrank.cli.options import board_of
from backrank.errors import InvalidSquare, InvalidText

if TYPE_CHECKING:
    from backrank.formats import PlacementClaim, TourClaim
    from backrank.formats.npy import NumberedArray, Numbers
    from backrank.geometry.board import Board
    from backrank.geometry.pieces import Piece
    from backrank.geometry.verify import Fault, Grid

    Claim: TypeAlias = "TourClaim | ArrayClaim"

NPY_MAGIC = b"\x93NUMPY"
LONG_LIST = 100_000  # characters
_ONE_LIST = re.compile(r"\s*[0-9]+(?:[ \t]+[0-9]+)*\s*", re.ASCII)
MAX_PIPED_BYTES = 1024**3
# Up to here Python objects are quick enough, and every fault of a board of numbers can be told, not only its first.
SMALL_SQUARES = 100_000


class _OnBoard(Protocol):
    @property
    def board(self) -> Board: ...


Some = TypeVar("Some", bound=_OnBoard)


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
        self.board, self.grid, self.first = numbered
        self.notes = tuple(notes)
        self._numbered = numbered
        self._squares: Numbers | None = None

    def on(self, board: Board) -> ArrayClaim:
        """Return the same claim on another board of its shape."""
        return ArrayClaim(self._numbered._replace(board=board), self.notes)

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
    from backrank.geometry.pieces import KNIGHT
    from backrank.geometry.verify import grid_faults

    empty = claim.first - 1  # the 0 of a hole, or nothing if steps are numbered from 0
    grid: Grid = [[None if number == empty else number for number in row] for row in claim.grid.tolist()]
    mover = piece or KNIGHT
    return grid_faults(claim.board, grid, closed=closed, start=start, end=end, piece=mover, first=claim.first)


def _large_faults(
    claim: ArrayClaim, *, closed: bool, start: int | None, end: int | None, piece: Piece | None
) -> list[Fault]:
    """Check a large array, compiled: of each kind of fault the first ones are named."""
    from backrank.geometry.pieces import KNIGHT
    from backrank.geometry.verify import Fault, FaultKind
    from backrank.tours.analysis.checking import array_faults

    try:
        squares = claim.squares()
    except InvalidSquare as error:
        return [Fault(FaultKind.ON_HOLE, str(error))]
    except InvalidText as error:
        # Whatever is wrong with the numbers, one of those that must be there then is not.
        return [Fault(FaultKind.NUMBERS_SKIPPED, str(error))]
    return array_faults(claim.board, squares, closed=closed, start=start, end=end, piece=piece or KNIGHT)


class _File:
    """A file of answers, or standard input if its name is `-`: a text in any of the formats, or a NumPy file.

    Which of the two it is, its first bytes tell. What can be read only once is read when this is made.

    Raises
    ------
    InvalidText
        If the file cannot be read.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._data = None if name != "-" and _is_file(name) else read_bytes(name, MAX_PIPED_BYTES)
        begin = _begin(name) if self._data is None else self._data
        self.is_array = begin.startswith(NPY_MAGIC)
        if not self.is_array and self._data is not None and len(self._data) > MAX_BYTES:
            raise too_large(name, MAX_BYTES)

    def _require_form(self, form: str | None) -> None:
        """Refuse the format of a text for a NumPy file, and the other way round."""
        if self.is_array and form not in (None, "npy"):
            raise InvalidText(f"{file_shown(self.name)} is a NumPy file, not a text; leave out --format")
        if not self.is_array and form == "npy":
            raise InvalidText(f"{file_shown(self.name)} is no NumPy file: it does not begin as one")

    def _text(self) -> str:
        return read_text(self.name) if self._data is None else decoded(self._data, self.name)


class TourFile(_File):
    """A file of tours."""

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
        self._require_form(form)
        if self.is_array:
            return [_array_claim(self.name, self._data, board)]
        from backrank.formats import parse_tours

        return list(parse_tours(self._text(), board=board, form=form))


class PlacementFile(_File):
    """A file of placements of queens."""

    def claims(self, *, board: Board | None = None, form: str | None = None) -> list[PlacementClaim | ColumnsClaim]:
        """Return the placements that the file claims, at least one; parameters and errors as for tours."""
        self._require_form(form)
        if self.is_array:
            return _columns_claims(self.name, self._data, board)
        from backrank.formats import parse_placements

        text = self._text()
        if form in (None, "columns") and len(text) >= LONG_LIST and _ONE_LIST.fullmatch(text):
            return [_listed_columns(text, board)]
        return list(parse_placements(text, board=board, form=form))


class ColumnsClaim:
    """A placement of very many queens, one in each row: the columns as an array."""

    piece: str | None = None

    def __init__(self, board: Board, columns: Numbers, notes: Sequence[str]) -> None:
        self.board, self.columns, self.notes = board, columns, tuple(notes)

    @property
    def standing(self) -> int:
        """How many queens there are."""
        return len(self.columns)

    def faults(self, *, queens: int | None = None, piece: str | None = None) -> list[Fault]:
        """Return the faults; none means that no two queens attack each other and that none is missing."""
        from backrank.geometry.verify import queens_faults
        from backrank.queens.checking import array_faults

        is_whole = queens in (None, self.standing) and self.standing == self.board.rows <= self.board.cols
        if is_whole and self.board.is_plain and piece in (None, "queen"):
            return array_faults(self.board, self.columns)
        cells = list(enumerate(self.columns.tolist()))
        return queens_faults(self.board, cells, queens=queens, piece=piece or "queen")


def on_board(
    read: Callable[..., list[Some]], *, board: str | None, holes: str, wrap: str, form: str | None = None
) -> list[Some]:
    """Return what a file claims on the board of the options, or on the one that it tells with their holes and edges."""
    if board is not None:
        return read(board=board_of(board, holes, wrap), form=form)
    claims = read(form=form)
    if not holes and wrap == "none":
        return claims
    own = claims[0].board
    full = board_of(f"{own.rows}x{own.cols}", holes, wrap)
    return read(board=type(own)(own.rows, own.cols, holes=own.holes | full.holes, wrap=full.wrap), form=form)


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
        raise InvalidText(f"cannot read {file_shown(name)}: {(error.strerror or str(error)).lower()}") from None
    notes = [f"board taken as {numbered.board} from the array"] if board is None else []
    holes = len(numbered.board.holes)
    if board is None and holes:
        many = f"{holes:,} squares with 0 are taken as holes"
        notes.append("1 square with 0 is taken as a hole" if holes == 1 else many)
    if numbered.first == 0:
        zero = numbered.board.name(int(numbered.grid.argmin()))
        hint = f"; if the 0 on {zero} is a hole, --holes {zero}" if board is None else ""
        notes.append(f"steps taken as numbered from 0{hint}")
    return ArrayClaim(numbered, notes)


def _columns_claims(name: str, data: bytes | None, board: Board | None) -> list[PlacementClaim | ColumnsClaim]:
    from backrank.formats import PlacementClaim, read_columns_npy
    from backrank.queens.placement import LARGE

    try:
        table = read_columns_npy(name if data is None else data)
    except OSError as error:
        raise InvalidText(f"cannot read {file_shown(name)}: {(error.strerror or str(error)).lower()}") from None
    rows = table.shape[1]
    notes = _notes_on(rows, board, "the array")
    board = board or _square(rows)
    if rows > board.rows:
        raise InvalidText(f"the NumPy file holds the columns of {rows:,} rows, but the board was given as {board}")
    if rows >= LARGE:
        return [ColumnsClaim(board, columns, notes) for columns in table]
    return [PlacementClaim(board, tuple(enumerate(columns.tolist())), notes=notes) for columns in table]


def _listed_columns(text: str, board: Board | None) -> ColumnsClaim:
    """Return a long list of columns as an array, which takes a tenth of the time and of the memory."""
    import numpy as np

    columns = np.fromstring(text, np.int64, sep=" ")  # a number beyond 64 bits is cut to the largest: off any board
    notes = _notes_on(columns.size, board, "the number of columns listed")
    board = board or _square(columns.size)
    if columns.min() == 1 and columns.max() == board.cols:
        columns -= 1
        notes = (*notes, "columns taken as counted from 1: none is 0 and one is the last")
    return ColumnsClaim(board, columns, notes)


def _notes_on(rows: int, board: Board | None, source: str) -> tuple[str, ...]:
    return () if board else (f"board taken as {rows}x{rows} from {source}",)


def _square(side: int) -> Board:
    from backrank.geometry.board import Board

    return Board(side)
