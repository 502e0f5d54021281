"""Eight queens as the textbook has it: row by row, left to right, one step back when no square is left.

Put a queen into the first row, then one into the second where the first does not attack it, and so on. If a
row has no such square, take the last queen up again and try the next square for it. Left to right makes the
solutions come out in lexicographic order: of 92 for eight queens, `0 4 7 5 2 6 1 3` is the first.

The search keeps its own stack (one iterator per queen), so a thousand queens need no recursion. It takes any
rectangle, number of queens, forbidden squares and glued edges; with fewer queens than rows, rows are left out in turn.
Amazons, which move as knights too, look at the eight squares of a knight as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from backrank.geometry.board import Board
from backrank.geometry.pieces import KNIGHT, queen_lines, step
from backrank.runtime.budget import Counters, Meter


def is_attacked(columns: Sequence[int], column: int) -> bool:
    """Return whether a queen put into the next row would be attacked by those in the rows above.

    Parameters
    ----------
    columns : sequence of int
        The columns of the queens in rows 0, 1, …, one each.
    column : int
        Where the next queen, in row `len(columns)`, would stand.

    Examples
    --------
    >>> is_attacked([1, 3, 0], 2), is_attacked([1, 3], 2)
    (False, True)
    """
    row = len(columns)
    return any(other == column or abs(other - column) == row - above for above, other in enumerate(columns))


class _Lines:
    """Which columns and diagonals are attacked, and where pieces stand; the rows look after themselves."""

    def __init__(self, board: Board, piece: str) -> None:
        self.board = board
        self.taken: tuple[set[int], set[int], set[int]] = (set(), set(), set())
        self.leaps = KNIGHT.steps if piece == "amazon" else ()
        self.squares: set[int] = set()

    def is_free(self, square: int) -> bool:
        _, *lines = queen_lines(self.board, self.board.cell(square))
        if any(line in taken for line, taken in zip(lines, self.taken, strict=True)):
            return False
        cell = self.board.cell(square)
        return all(step(self.board, cell, leap) not in self.squares for leap in self.leaps)

    def put(self, square: int) -> None:
        _, *lines = queen_lines(self.board, self.board.cell(square))
        for line, taken in zip(lines, self.taken, strict=True):
            taken.add(line)
        self.squares.add(square)

    def take(self, square: int) -> None:
        _, *lines = queen_lines(self.board, self.board.cell(square))
        for line, taken in zip(lines, self.taken, strict=True):
            taken.remove(line)
        self.squares.remove(square)


def iter_placements(
    board: Board, queens: int, *, meter: Meter, counters: Counters, piece: str = "queen"
) -> Iterator[list[int]]:
    """Yield every way to place so many queens, as squares from top to bottom, in lexicographic order.

    The list that is yielded is the search's own: copy it before going on.
    """

    def untried(after: int, left: int) -> Iterator[int]:
        """Squares for the next of `left` queens: below row `after`, with rows enough for the others."""
        return iter(range((after + 1) * board.cols, (board.rows - left + 1) * board.cols))

    lines, holes, placed = _Lines(board, piece), board.holes, list[int]()
    calls, backtracks = counters.calls, counters.backtracks
    stack = [untried(-1, queens)]
    while stack:
        if len(placed) == queens:
            counters.calls, counters.backtracks = calls, backtracks
            meter.found += 1
            yield placed
        for square in stack[-1] if len(placed) < queens else ():
            if square not in holes and lines.is_free(square):
                if calls >= meter.stop_at:
                    meter.tick(calls, len(placed))
                calls += 1
                placed.append(square)
                lines.put(square)
                stack.append(untried(square // board.cols, queens - len(placed)))
                break
        else:
            stack.pop()
            if placed:
                lines.take(placed.pop())
                backtracks += 1
    counters.calls, counters.backtracks = calls, backtracks
