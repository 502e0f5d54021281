"""A placement of queens: the value that solving returns, listing yields and checking accepts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, NoReturn

from backrank.errors import BoardTooLarge, InvalidPuzzle
from backrank.geometry.board import Board, Cell
from backrank.geometry.verify import Fault, queens_faults

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Columns = NDArray[np.integer[Any]]

# From here on arrays are looked at as arrays; below, it would take longer to load what does that.
LARGE = 20_000
MAX_TEXT_QUEENS = 4_000_000
_HASHED = 64


class Placement:
    """Queens on a board: their squares, from top to bottom and from left to right. Immutable and hashable.

    The constructor believes what it is told. :meth:`faults` checks it, and :meth:`backrank.Queens.placement`
    makes one from what people write, checking it first. The pieces are queens, or amazons (which move as knights too).

    Parameters
    ----------
    board : Board
    squares : iterable of int
        In ascending order.
    piece : {"queen", "amazon"}

    Notes
    -----
    Millions of queens, one in each row, are kept as an array of their columns (:meth:`of_columns`, :attr:`array`):
    four bytes each, and many times that as :attr:`squares`, :attr:`columns`, :attr:`cells` or :attr:`names`, which are
    made when asked for.

    Examples
    --------
    >>> placement = Placement(Board(4), (1, 7, 8, 14))
    >>> print(placement)
    · ♛ · ·
    · · · ♛
    ♛ · · ·
    · · ♛ ·
    >>> placement.columns, placement.names
    ((1, 3, 0, 2), ('b4', 'd3', 'a2', 'c1'))
    """

    __slots__ = ("_array", "_squares", "board", "piece")

    board: Board
    piece: str
    _squares: tuple[int, ...] | None
    _array: Columns | None

    def __init__(self, board: Board, squares: Iterable[int], piece: str = "queen") -> None:
        self._set(board=board, piece=piece, _squares=tuple(squares), _array=None)

    @classmethod
    def of_columns(cls, board: Board, columns: Columns, piece: str = "queen") -> Placement:
        """Return a placement of one queen in each row, from a NumPy array of their columns, from the top row.

        The array is kept as it is, not copied: whoever hands it over must not change it.

        Raises
        ------
        InvalidPuzzle
            If there are not as many columns as rows.

        Examples
        --------
        >>> import numpy as np
        >>> Placement.of_columns(Board(4), np.array([1, 3, 0, 2])) == Placement(Board(4), (1, 7, 8, 14))
        True
        """
        if columns.shape != (board.rows,):
            raise InvalidPuzzle(f"a board of {board.rows:,} rows needs as many columns, not {len(columns):,}")
        view = columns.view()
        view.flags.writeable = False
        placement = cls.__new__(cls)
        placement._set(board=board, piece=piece, _squares=None, _array=view)
        return placement

    def _set(self, **parts: object) -> None:
        for name, part in parts.items():
            object.__setattr__(self, name, part)

    @property
    def squares(self) -> tuple[int, ...]:
        """The squares as ints, in ascending order."""
        if self._squares is None:
            starts = range(0, self.board.size, self.board.cols)
            self._set(_squares=tuple(map(int.__add__, starts, self.array.tolist())))
        return self._squares or ()

    @property
    def array(self) -> Columns:
        """The column of the queen of each row, from the top, as a read-only NumPy array.

        Raises
        ------
        InvalidPuzzle
            If some row has no queen.
        """
        if self._array is None:
            import numpy as np  # noqa: PLC0415 - small placements do without

            made = np.array(self.columns, np.int32)
            made.flags.writeable = False
            self._set(_array=made)
        return self._array  # type: ignore[return-value]  # it is set now

    @property
    def columns(self) -> tuple[int, ...]:
        """The column of the queen of each row, from the top.

        Raises
        ------
        InvalidPuzzle
            If some row has no queen.
        """
        if self._array is not None:
            return tuple(self._array.tolist())
        if [row for row, _ in self.cells] != list(range(self.board.rows)):
            raise InvalidPuzzle(
                "only a placement with one queen in every row is a list of columns; use squares or cells"
            )
        return tuple(col for _, col in self.cells)

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The queens as `(row, col)` pairs."""
        return tuple(map(self.board.cell, self.squares))

    @property
    def names(self) -> tuple[str, ...]:
        """The queens as names of squares."""
        return tuple(map(self.board.name, self.squares))

    def faults(self) -> list[Fault]:
        """Return the faults: lines with several queens on them, and whatever else is wrong; none if no two attack.

        Every fault is told up to 200,000 queens, beyond that the first 20 of each kind. Many queens
        on a plain board are checked by arrays first: ten million take less than a second.
        """
        if len(self) >= LARGE and self.board.is_plain and self.piece == "queen" and self.is_one_per_row:
            from backrank.queens.checking import array_faults  # noqa: PLC0415 - loads NumPy

            return array_faults(self.board, self.array)
        return queens_faults(self.board, self.cells, queens=len(self), piece=self.piece)

    @property
    def is_one_per_row(self) -> bool:
        """Whether every row has exactly one queen."""
        if self._array is not None:
            return True
        cols, squares = self.board.cols, self._squares or ()
        return len(squares) == self.board.rows and all(square // cols == row for row, square in enumerate(squares))

    def text(self, form: str = "unicode") -> str:
        """Return the placement in one of the text formats: columns, board, unicode, names, coordinates, json, csv.

        Raises
        ------
        BoardTooLarge
            If there are more than four million queens, but for `columns`; or too many squares to be drawn.
        """
        if form == "columns" and self._array is not None:
            return " ".join(map(str, self._array.tolist()))
        if len(self) > MAX_TEXT_QUEENS and form != "columns":
            raise BoardTooLarge(
                f"{len(self):,} queens are written as columns or as a NumPy file; {form} takes {MAX_TEXT_QUEENS:,}"
            )
        from backrank.formats import format_placement  # noqa: PLC0415 - most placements are not written

        return format_placement(self.board, self.squares, form, wanted=len(self), piece=self.piece)

    def svg(self, *, coordinates: bool = True, attacks: bool = False) -> str:
        """Return a picture; `attacks` draws a line between queens that attack each other."""
        from backrank import render  # noqa: PLC0415 - most placements are not drawn

        return render.queens_svg(self.board, self.squares, coordinates=coordinates, attacks=attacks)

    def _repr_svg_(self) -> str:
        return self.svg()

    def _square_at(self, index: int) -> int:
        if self._squares is not None:
            return self._squares[index]
        return index * self.board.cols + int(self.array[index])

    def __len__(self) -> int:
        return len(self._squares) if self._squares is not None else len(self.array)

    def __iter__(self) -> Iterator[int]:
        return iter(self.squares)

    def __eq__(self, other: object) -> bool:
        """Whether both are the same pieces on the same squares of the same board."""
        if not isinstance(other, Placement):
            return NotImplemented
        if (self.board, self.piece, len(self)) != (other.board, other.piece, len(other)):
            return False
        if self._array is not None and other._array is not None:
            return bool((self._array == other._array).all())
        return hash(self) == hash(other) and self.squares == other.squares

    def __hash__(self) -> int:
        """Return a hash of some of the squares, which are told alike by both forms."""
        length = len(self)
        chosen = {(length - 1) * part // _HASHED for part in range(_HASHED + 1)} if length else set()
        return hash((self.board, self.piece, length, *map(self._square_at, sorted(chosen))))

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a placement cannot be changed; {name} stays what it is")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a placement cannot be changed; {name} stays")

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the placement in the form that it has."""
        if self._squares is None:
            return Placement.of_columns, (self.board, self.array, self.piece)
        return Placement, (self.board, self._squares, self.piece)

    def __str__(self) -> str:
        """Return the drawn board; of large ones, where nobody could read it, only what `repr` tells."""
        if self.board.size > LARGE:
            return repr(self)
        from backrank.render.text import queens_board  # noqa: PLC0415 - most placements are not drawn

        return queens_board(self.board, self.squares)

    def __repr__(self) -> str:
        shown = [self.board.name(self._square_at(index)) for index in range(min(12, len(self)))]
        return f"<{len(self)} {self.piece}s on {self.board}: {' '.join(shown)}{' …'[: len(self) > 12]}>"
