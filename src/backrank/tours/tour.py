"""A tour: the value that solving returns, listing yields and checking accepts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from backrank import render
from backrank.board import Board, Cell
from backrank.formats import format_tour
from backrank.pieces import KNIGHT, Piece
from backrank.verify import Fault, is_closing, tour_faults


@dataclass(frozen=True, slots=True, repr=False)
class Tour:
    """A tour of a board: its squares in the order in which they are visited. Immutable and hashable.

    The constructor believes what it is told. :meth:`faults` checks it, and
    :meth:`backrank.KnightTours.tour` makes one from what people write, checking it first.

    Attributes
    ----------
    board : Board
    squares : tuple of int
        Every square once, from the first to the last.
    closed : bool
        Whether it is meant as a cycle: the last square is then one move from the first.
    piece : Piece

    Examples
    --------
    >>> tour = Tour(Board(3, 4), (0, 6, 8, 1, 7, 9, 3, 5, 11, 2, 4, 10))
    >>> print(tour)
     1  4 10  7
    11  8  2  5
     3  6 12  9
    >>> tour.names[:3], tour.cells[:3], tour.is_closable
    (('a3', 'c2', 'a1'), ((0, 0), (1, 2), (2, 0)), False)
    """

    board: Board
    squares: tuple[int, ...]
    closed: bool = False
    piece: Piece = KNIGHT

    @property
    def start(self) -> int:
        """The first square."""
        return self.squares[0]

    @property
    def end(self) -> int:
        """The last square."""
        return self.squares[-1]

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The tour as `(row, col)` pairs."""
        return tuple(map(self.board.cell, self.squares))

    @property
    def names(self) -> tuple[str, ...]:
        """The tour as names of squares."""
        return tuple(map(self.board.name, self.squares))

    @property
    def grid(self) -> tuple[tuple[int | None, ...], ...]:
        """The board with the number of each square, the first being 1; None on holes."""
        numbers: list[int | None] = [None] * self.board.size
        for number, square in enumerate(self.squares, 1):
            numbers[square] = number
        cols = self.board.cols
        return tuple(tuple(numbers[row * cols : (row + 1) * cols]) for row in range(self.board.rows))

    @property
    def is_closable(self) -> bool:
        """Whether one more move leads from the last square to the first."""
        cell = self.board.cell
        return len(self.squares) > 2 and is_closing(self.board, self.piece, cell(self.start), cell(self.end))

    def faults(self) -> list[Fault]:
        """Return every fault; none means that it is a tour (and closed, if it says so)."""
        return tour_faults(self.board, self.cells, closed=self.closed, piece=self.piece)

    def reversed(self) -> Tour:
        """Return the tour walked backwards; a closed one keeps its start."""
        squares = self.squares[:1] + self.squares[:0:-1] if self.closed else self.squares[::-1]
        return Tour(self.board, squares, self.closed, self.piece)

    def text(self, form: str = "grid") -> str:
        """Return the tour in one of the text formats: grid, grid0, names, coordinates, json or csv."""
        return format_tour(self.board, self.squares, form, closed=self.closed, piece=self.piece)

    def svg(self, *, numbers: bool | None = None, path: bool = True, coordinates: bool = True) -> str:
        """Return a picture: the path from start to end, with numbers on boards up to about 16x16 unless told otherwise.

        Examples
        --------
        >>> Tour(Board(1), (0,)).svg().startswith("<svg")
        True
        """
        return render.tour_svg(
            self.board,
            self.squares,
            closed=self.closed,
            numbers=numbers,
            path=path,
            coordinates=coordinates,
            piece=self.piece,
        )

    def html(self, *, language: str = "en") -> str:
        """Return a self-contained page in which the piece walks the tour; `language` is `en` or `zh`."""
        return render.tour_html(self.board, self.squares, closed=self.closed, piece=self.piece, language=language)

    def _repr_svg_(self) -> str:
        return self.svg()

    def __len__(self) -> int:
        return len(self.squares)

    def __iter__(self) -> Iterator[int]:
        return iter(self.squares)

    def __str__(self) -> str:
        return render.numbered_board(self.board, self.squares)

    def __repr__(self) -> str:
        kind = "closed" if self.closed else "open"
        ends = f"{self.board.name(self.start)} to {self.board.name(self.end)}"
        return f"<{kind} {self.piece}'s tour of {self.board}, {ends}>"
