"""A placement of queens: the value that solving returns, listing yields and checking accepts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from backrank import render
from backrank.board import Board, Cell
from backrank.errors import InvalidPuzzle
from backrank.formats import format_placement
from backrank.verify import Fault, queens_faults


@dataclass(frozen=True, slots=True, repr=False)
class Placement:
    """Queens on a board: their squares, from top to bottom and from left to right. Immutable and hashable.

    The constructor believes what it is told. :meth:`faults` checks it, and :meth:`backrank.Queens.placement`
    makes one from what people write, checking it first. The pieces are queens, or amazons (which move as knights too).

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

    board: Board
    squares: tuple[int, ...]
    piece: str = "queen"

    @property
    def columns(self) -> tuple[int, ...]:
        """The column of the queen of each row, from the top.

        Raises
        ------
        InvalidPuzzle
            If some row has no queen.
        """
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
        """Return every pair of queens that attack each other, line by line, and every other fault."""
        return queens_faults(self.board, self.cells, queens=len(self.squares), piece=self.piece)

    def text(self, form: str = "unicode") -> str:
        """Return the placement in one of the text formats: columns, board, unicode, names, coordinates, json, csv."""
        return format_placement(self.board, self.squares, form, wanted=len(self.squares), piece=self.piece)

    def svg(self, *, coordinates: bool = True, attacks: bool = False) -> str:
        """Return a picture; `attacks` draws a line between queens that attack each other."""
        return render.queens_svg(self.board, self.squares, coordinates=coordinates, attacks=attacks)

    def _repr_svg_(self) -> str:
        return self.svg()

    def __len__(self) -> int:
        return len(self.squares)

    def __iter__(self) -> Iterator[int]:
        return iter(self.squares)

    def __str__(self) -> str:
        return render.queens_board(self.board, self.squares)

    def __repr__(self) -> str:
        return (
            f"<{len(self.squares)} {self.piece}s on {self.board}: {' '.join(self.names[:12])}{' …'[: len(self) > 12]}>"
        )
