"""Strategies for queens: which row comes next, and which of its squares is tried first.

A strategy gives the squares of a row numbers, and the search tries the lowest first; equal numbers keep the
order from left to right. Some also pick the row; then they have counted its free squares, and only those are
tried. To add one, write a function of the view and put it into the table at the end.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from backrank.errors import InvalidPuzzle
from backrank.geometry.board import Board
from backrank.geometry.pieces import queen_lines
from backrank.search.events import Reason
from backrank.search.strategies.hashed import mixed
from backrank.search.strategies.tours import checked_seed

# The lines through a square in the order of `queen_lines`, and what a queen there says to a newcomer.
LINE_REASONS = (Reason.SAME_ROW, Reason.SAME_COLUMN, Reason.SAME_DIAGONAL, Reason.SAME_DIAGONAL)


class QueensView:
    """What a strategy may look at: the board, and the queens that stand on it.

    Attributes
    ----------
    board : Board
    queens : int
        How many there are to be.
    squares : list of int
        Where queens stand, in the order in which they were placed; the search keeps it up to date.
    """

    def __init__(self, board: Board, queens: int) -> None:
        self.board = board
        self.queens = queens
        self.squares: list[int] = []
        self._holders: tuple[dict[int, int], ...] = ({}, {}, {}, {})

    def put(self, square: int) -> None:
        """Place a queen."""
        self.squares.append(square)
        for holders, line in zip(self._holders, queen_lines(self.board, self.board.cell(square)), strict=True):
            holders[line] = square

    def take(self) -> None:
        """Remove the queen that was placed last."""
        square = self.squares.pop()
        for holders, line in zip(self._holders, queen_lines(self.board, self.board.cell(square)), strict=True):
            del holders[line]

    def attacker(self, square: int) -> tuple[Reason, int] | None:
        """Return why no queen may stand on a square, and whose fault it is; None if it is free."""
        lines = queen_lines(self.board, self.board.cell(square))
        for holders, line, reason in zip(self._holders, lines, LINE_REASONS, strict=True):
            if line in holders:
                return reason, holders[line]
        return None

    def is_free(self, square: int) -> bool:
        """Whether a queen may stand on a square."""
        return self.attacker(square) is None

    def row(self, row: int) -> Sequence[int]:
        """Return the squares of a row from left to right, holes left out."""
        board = self.board
        return [square for square in range(row * board.cols, (row + 1) * board.cols) if square not in board.holes]

    def lines(self) -> list[Sequence[int]]:
        """Return the lines that need one queen each: the rows if there are as many queens, else the columns.

        Raises
        ------
        InvalidPuzzle
            If there are fewer queens than either.
        """
        board = self.board
        if self.queens == board.rows:
            return [self.row(row) for row in range(board.rows)]
        if self.queens == board.cols:
            columns = (range(col, board.size, board.cols) for col in range(board.cols))
            return [[square for square in column if square not in board.holes] for column in columns]
        raise InvalidPuzzle(
            f"this strategy needs a queen on every row or on every column; {self.queens} queens on {board} leave "
            "lines empty: choose rows, centre-out or random"
        )


@dataclass(frozen=True, slots=True)
class QueensStrategy:
    """A strategy: its name, its idea in a paragraph, the numbers it gives squares, and whether it picks the line.

    `key(view, square)` orders the squares of a row; None is from left to right. `picks_line(view, lines)` returns the
    number of the line to fill next, of those without a queen; None is the rows from top to bottom. `kernel` says
    which search is compiled for it: with "static" the key must not look at the queens. None: plain Python.
    """

    name: str
    idea: str
    key: Callable[[QueensView, int], int] | None = None
    picks_line: Callable[[QueensView, Mapping[int, Sequence[int]]], int] | None = None
    kernel: str | None = None

    def ordered(self, view: QueensView, squares: Sequence[int]) -> Sequence[int]:
        """Return squares of one line in the order in which they are tried."""
        key = self.key
        return squares if key is None else sorted(squares, key=lambda square: key(view, square))


def _centre_out(view: QueensView, square: int) -> int:
    return abs(2 * (square % view.board.cols) - view.board.cols + 1)


def _fewest_free(view: QueensView, lines: Mapping[int, Sequence[int]]) -> int:
    return min(lines, key=lambda line: (sum(map(view.is_free, lines[line])), line))


@dataclass(frozen=True, slots=True)
class RandomQueensKey:
    """A random number for each square, determined by the seed."""

    seed: int

    def __call__(self, view: QueensView, square: int) -> int:  # noqa: ARG002 - every key takes the view
        """Return the number of a square."""
        return mixed(self.seed, square)


QUEENS_STRATEGIES: Mapping[str, QueensStrategy] = MappingProxyType(
    {
        strategy.name: strategy
        for strategy in (
            QueensStrategy(
                "rows",
                "Row by row from the top, squares from left to right, as in the classic articles since Gauss's letters "
                "of 1850: the 92 solutions of the 8x8 board come out in lexicographic order. Four look-ups a square.",
                kernel="static",
            ),
            QueensStrategy(
                "centre-out",
                "Row by row, the squares nearest to the middle first. A queen in the middle attacks the most squares, "
                "so mistakes show early; a first solution of a large board takes a small part of the calls of `rows`.",
                _centre_out,
                kernel="static",
            ),
            QueensStrategy(
                "fewest-first",
                "The row with the fewest free squares next (J. R. Bitner and E. M. Reingold, 1975): "
                "a row without any is met at once, not many rows later. Far fewer calls; each looks at all free rows.",
                picks_line=_fewest_free,
                kernel="fewest",
            ),
        )
    }
)
"""The known strategies by name."""


def random_queens_strategy(seed: int) -> QueensStrategy:
    """Return the strategy that tries the squares of each row in random order.

    Examples
    --------
    >>> random_queens_strategy(7).name
    'random:7'
    """
    idea = (
        "Row by row, the squares of each in a random order of their own. A lucky start is likelier than with `rows`, "
        "whose first queens crowd one corner. Stateless: the order is a hash of the seed and the square."
    )
    return QueensStrategy(f"random:{checked_seed(seed)}", idea, RandomQueensKey(seed), kernel="static")
