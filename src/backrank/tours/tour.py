"""A tour: the value that solving returns, listing yields and checking accepts."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from backrank.errors import InvalidSquare, counted, shown
from backrank.geometry.board import Board, Cell, SquareLike
from backrank.geometry.pieces import KNIGHT, Piece
from backrank.geometry.verify import MAX_CHECKED_SQUARES, Fault, is_closing, tour_faults
from backrank.runtime.memory import require_bytes
from backrank.tours.implicit import ImplicitTour

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from backrank.tours.analysis.facts import TourFacts

    Array = NDArray[np.int32] | NDArray[np.int64]

# From here on a compiled check comes first; below, it would take longer to load than to do without.
LARGE = 100_000
# More numbers than this are not printed by chance; `text` gives them all.
READABLE = 10_000
# What one square takes: a whole number and a place for it; and with it a pair, a name or a text.
_TUPLE_BYTES, _CELLS_BYTES = 40, 160
_HASHED = 64


class Tour:
    """A tour of a board: its squares in the order in which they are visited. Immutable and hashable.

    The constructor believes what it is told. :meth:`faults` checks it, and :meth:`backrank.KnightTours.tour`
    makes one from what people write, checking it first.

    Parameters
    ----------
    board : Board
    squares : iterable of int, or one-dimensional NumPy array
        Every square once, from the first to the last. An array of 32- or 64-bit integers is kept as it is, not
        copied: whoever hands it over must not change it.
    closed : bool
        Whether it is meant as a cycle: the last square is then one move from the first.
    piece : Piece

    Notes
    -----
    A tour of 10^8 squares is 400 MB as :attr:`array`, and many times that as :attr:`squares`, :attr:`cells`,
    :attr:`names` or :attr:`grid`, which are made when asked for. One from :meth:`backrank.KnightTours.constructed`
    needs neither: :meth:`square_at` and :meth:`step_of` tell each step without the others.

    Examples
    --------
    >>> tour = Tour(Board(3, 4), (0, 6, 8, 1, 7, 9, 2, 11, 5, 3, 10, 4))
    >>> print(tour)
     1  4  7 10
    12  9  2  5
     3  6 11  8
    >>> tour.names[:3], tour.cells[:3], tour.is_closable
    (('a3', 'c2', 'a1'), ((0, 0), (1, 2), (2, 0)), False)
    >>> tour.square_at(2), tour.step_of("c2")
    (6, 2)
    """

    __slots__ = ("_array", "_construction", "_squares", "board", "closed", "piece")

    board: Board
    closed: bool
    piece: Piece
    _squares: tuple[int, ...] | None
    _array: Array | None
    _construction: ImplicitTour | None

    def __init__(
        self,
        board: Board,
        squares: Iterable[int] | Array | ImplicitTour,
        closed: bool = False,
        piece: Piece = KNIGHT,
    ) -> None:
        built = squares if isinstance(squares, ImplicitTour) else None
        is_array = built is None and hasattr(squares, "dtype")
        parts = {
            "board": board,
            "closed": closed,
            "piece": piece,
            "_construction": built,
            "_array": _read_only(squares) if is_array else None,
            "_squares": None if is_array or built is not None else tuple(squares),
        }
        for name, part in parts.items():
            object.__setattr__(self, name, part)

    @property
    def squares(self) -> tuple[int, ...]:
        """The squares as ints, in order."""
        if self._squares is None:
            self._require(_TUPLE_BYTES, "as a tuple of squares")
            known = self._array
            made = self._construction.squares() if known is None and self._construction else tuple(self.array.tolist())
            object.__setattr__(self, "_squares", made)
        return self._squares or ()

    @property
    def array(self) -> Array:
        """The squares as a read-only NumPy array, 32-bit below 2^31 squares and 64-bit from there on."""
        if self._array is None:
            object.__setattr__(self, "_array", self._construction.array() if self._construction else self._as_array())
        return self._array  # type: ignore[return-value]  # it is set now

    def _as_array(self) -> Array:
        from backrank.tours.construct.writing import as_array  # noqa: PLC0415 - loads NumPy

        return as_array(self.squares)

    @property
    def steps(self) -> Sequence[int]:
        """The squares in order, in the form that is at hand: a tuple or an array."""
        if self._squares is not None or (self._array is None and len(self) < LARGE):
            return self.squares
        return self.array  # type: ignore[return-value]  # an array is as good as a sequence here

    @property
    def start(self) -> int:
        """The first square."""
        return self.square_at(1)

    @property
    def end(self) -> int:
        """The last square."""
        return self.square_at(len(self))

    def square_at(self, step: int) -> int:
        """Return the square of a step; the first step is 1, as it is printed on the board.

        Constructed tours tell it without writing the tour down.

        Raises
        ------
        InvalidSquare
            If there is no such step.
        """
        try:
            step = operator.index(step)
        except TypeError:
            raise InvalidSquare(f"a step is a whole number, not {shown(step)}") from None
        if not 1 <= step <= len(self):
            raise InvalidSquare(f"step {counted(step)} is not one of 1 to {len(self)}")
        if self._squares is not None:
            return self._squares[step - 1]
        if self._array is not None:
            return int(self._array[step - 1])
        return self._construction.square_at(step - 1) if self._construction else self.squares[step - 1]

    def step_of(self, square: SquareLike) -> int:
        """Return the step at which a square is visited, the first being 1; the square in any notation.

        Constructed tours tell it without writing the tour down; others are looked through.

        Raises
        ------
        InvalidSquare
            If there is no such square, or it is never visited.
        """
        at = self.board.square(square)
        if self._construction is not None:
            return self._construction.step_of(at) + 1
        try:
            return self.squares.index(at) + 1
        except ValueError:
            raise InvalidSquare(f"{self.board.name(at)} is not visited") from None

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The tour as `(row, col)` pairs."""
        self._require(_CELLS_BYTES, "as cells")
        return tuple(map(self.board.cell, self.squares))

    @property
    def names(self) -> tuple[str, ...]:
        """The tour as names of squares."""
        self._require(_CELLS_BYTES, "as names")
        return tuple(map(self.board.name, self.squares))

    @property
    def grid(self) -> tuple[tuple[int | None, ...], ...]:
        """The board with the number of each square, the first being 1; None on holes."""
        self._require(_CELLS_BYTES, "as a grid of numbers")
        numbers: list[int | None] = [None] * self.board.size
        for number, square in enumerate(self.squares, 1):
            numbers[square] = number
        cols = self.board.cols
        return tuple(tuple(numbers[row * cols : (row + 1) * cols]) for row in range(self.board.rows))

    @property
    def is_closable(self) -> bool:
        """Whether one more move leads from the last square to the first."""
        cell = self.board.cell
        return len(self) > 2 and is_closing(self.board, self.piece, cell(self.start), cell(self.end))

    def faults(self) -> list[Fault]:
        """Return the faults; none means that it is a tour (and closed, if it says so).

        Every fault is told up to some 20 million squares, beyond that the first 20 of each kind. Large
        tours are checked by compiled code first: 10^8 squares take about a second.
        """
        return faults_of(self, closed=self.closed)

    def facts(self) -> TourFacts:
        """Return what there is to tell about it: turns, crossings, length, symmetries, sums of rows and columns.

        Examples
        --------
        >>> Tour(Board(3, 4), (0, 6, 8, 1, 7, 9, 2, 11, 5, 3, 10, 4)).facts().crossings > 0
        True
        """
        from backrank.tours.analysis.facts import tour_facts  # noqa: PLC0415 - most tours are only looked at

        return tour_facts(self.board, self.steps, closed=self.closed, piece=self.piece)

    def reversed(self) -> Tour:
        """Return the tour walked backwards; a closed one keeps its start."""
        if self._squares is None and len(self) >= LARGE:
            from backrank.tours.construct import writing  # noqa: PLC0415 - loads NumPy

            return Tour(self.board, writing.backwards(self.array, keep_first=self.closed), self.closed, self.piece)
        squares = self.squares[:1] + self.squares[:0:-1] if self.closed else self.squares[::-1]
        return Tour(self.board, squares, self.closed, self.piece)

    def text(self, form: str = "grid") -> str:
        """Return the tour in one of the text formats: grid, grid0, names, coordinates, json or csv."""
        from backrank.formats import format_tour  # noqa: PLC0415 - most tours are not written

        self._require(_CELLS_BYTES, "as text")

        return format_tour(self.board, self.squares, form, closed=self.closed, piece=self.piece)

    def svg(self, *, numbers: bool | None = None, path: bool = True, coordinates: bool = True) -> str:
        """Return a picture: the path from start to end, with numbers on boards up to about 16x16 unless told otherwise.

        Examples
        --------
        >>> Tour(Board(1), (0,)).svg().startswith("<svg")
        True
        """
        from backrank import render  # noqa: PLC0415 - most tours are not drawn

        self.board.require_at_most(render.MAX_SVG_SQUARES, "a board drawn as SVG")
        return render.tour_svg(
            self.board,
            self.squares,
            closed=self.closed,
            numbers=numbers,
            path=path,
            coordinates=coordinates,
            piece=self.piece,
        )

    def png(self, *, numbers: bool | None = None, size: int | None = None) -> bytes:
        """Return a bitmap, of the path on small boards and of where each part of the tour lies on large ones.

        `size` is the length of its longer side in pixels.
        """
        from backrank import render  # noqa: PLC0415 - most tours are not drawn

        return render.tour_png(self.board, self.steps, closed=self.closed, numbers=numbers, piece=self.piece, size=size)

    def html(self, *, language: str = "en") -> str:
        """Return a self-contained page in which the piece walks the tour; `language` is `en` or `zh`."""
        from backrank import render  # noqa: PLC0415 - most tours are not drawn

        self.board.require_at_most(render.MAX_PAGE_SQUARES, "an animated page")
        return render.tour_html(self.board, self.squares, closed=self.closed, piece=self.piece, language=language)

    def _repr_svg_(self) -> str:
        return self.svg()

    def __len__(self) -> int:
        if self._squares is not None:
            return len(self._squares)
        return len(self._array) if self._array is not None else len(self._construction or ())

    def __iter__(self) -> Iterator[int]:
        """Yield the squares; those of a construction one after the other, without writing them down."""
        if self._squares is not None:
            return iter(self._squares)
        if self._array is not None:
            return map(int, self._array)
        return iter(self._construction or ())

    def __eq__(self, other: object) -> bool:
        """Whether both are the same squares in the same order, on the same board, meant the same way."""
        if not isinstance(other, Tour):
            return NotImplemented
        mine, others = ((tour.board, tour.closed, tour.piece, len(tour)) for tour in (self, other))
        if mine != others or hash(self) != hash(other):
            return False
        if self._construction is not None and self._construction == other._construction:
            return True
        if len(self) < LARGE:
            return self.squares == other.squares
        return bool((self.array == other.array).all())

    def __hash__(self) -> int:
        """Return a hash of some of the squares, which are told alike by all forms of one tour."""
        length = len(self)
        chosen = {1 + (length - 1) * part // _HASHED for part in range(_HASHED + 1)} if length else set()
        return hash((self.board, self.closed, length, *map(self.square_at, sorted(chosen))))

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a tour cannot be changed; {name} stays what it is")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a tour cannot be changed; {name} stays")

    def __reduce__(self) -> tuple[type[Tour], tuple[Any, ...]]:
        """Pickle the tour in the form that it has."""
        content: Any = self._construction
        if content is None:
            content = self._squares if self._squares is not None else self._array
        return Tour, (self.board, content, self.closed, self.piece)

    def _require(self, each: int, what: str) -> None:
        """Refuse what would not fit into memory, before it is begun."""
        require_bytes(len(self) * each, f"a tour of {self.board} {what}")

    def __str__(self) -> str:
        """Return the numbered board; of large ones, where nobody could read it, only what `repr` tells."""
        if self.board.size > READABLE:
            return repr(self)
        from backrank.render.text import numbered_board  # noqa: PLC0415 - most tours are not drawn

        return numbered_board(self.board, self.squares)

    def __repr__(self) -> str:
        kind = "closed" if self.closed else "open"
        if not len(self):
            return f"<{kind} {self.piece}'s tour of {self.board}, empty>"
        ends = f"{self.board.name(self.start)} to {self.board.name(self.end)}"
        return f"<{kind} {self.piece}'s tour of {self.board}, {ends}>"


def faults_of(tour: Tour, *, closed: bool, start: int | None = None, end: int | None = None) -> list[Fault]:
    """Return the faults of a tour that is to be closed or not, and to begin and end somewhere.

    A cycle passes through its start wherever its reading begins, unless an end is given as well.
    """
    board, piece = tour.board, tour.piece
    if closed and end is None:
        start = None
    if len(tour) >= LARGE:
        from backrank.tours.analysis.checking import array_faults  # noqa: PLC0415 - loads NumPy and Numba

        found = array_faults(board, tour.array, closed=closed, start=start, end=end, piece=piece)
        if not found or board.size > MAX_CHECKED_SQUARES:
            return found
    return tour_faults(board, tour.cells, closed=closed, start=start, end=end, piece=piece)


def _read_only(squares: Any) -> Any:
    view = squares.view()
    view.flags.writeable = False
    return view
