"""Queens row by row, of every kind: the plain search whose states the compiled one can take over.

Each row is one int for its free squares, as in :mod:`backrank.queens.backtracking.bits`; here rows may stay empty,
edges may be glued, and pieces may be amazons (queen and knight in one, also called superqueens). :class:`Rows` says
what the board is; :func:`iter_columns` walks through all placements in lexicographic order. It is the rung between the
textbook's search (:mod:`backrank.queens.backtracking.reference`) and :mod:`backrank.queens.backtracking.rows_jit`,
which does the same with words, and goes on from any state of this one.

Which diagonals there are: on glued edges of a torus gcd(rows, cols) of each kind, so their masks have this *period*.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import gcd
from typing import NamedTuple

from backrank.geometry.board import Board
from backrank.queens.backtracking.bits import allowed_masks
from backrank.runtime.budget import Meter


class RowLevel(NamedTuple):
    """A row of the search: what is still to be tried, and what the rows above leave for it.

    Attributes
    ----------
    tries : int
        Bit c for column c; the bit beyond the last column stands for leaving the row empty.
    unused : int
        Columns without a queen.
    left, right : int
        Attacked diagonals that go down to the right (their mask shifts left) and to the left.
    skips : int
        How many rows from here on stay empty.
    queen : int
        The bit of the queen of this row; 0 if none.
    """

    tries: int
    unused: int
    left: int
    right: int
    skips: int
    queen: int = 0


@dataclass(frozen=True, slots=True)
class Rows:
    """A board with its rules, as masks.

    Attributes
    ----------
    rows, cols, queens : int
    allowed : tuple of int
        Per row: bit c for column c, unless it is a hole.
    period : int
        How many diagonals of each kind there are, if edges are glued; else the number of columns.
    glued, torus, knights : bool
        Whether columns wrap round; rows too; whether the pieces also move as knights.
    """

    rows: int
    cols: int
    queens: int
    allowed: tuple[int, ...]
    period: int
    glued: bool
    torus: bool
    knights: bool

    @classmethod
    def of(cls, board: Board, queens: int, piece: str = "queen") -> Rows:
        """Return the rules of a puzzle with at most one queen a row: `queens` is at most the number of rows."""
        period = gcd(board.rows, board.cols) if board.wrap == "torus" else board.cols
        return cls(
            board.rows,
            board.cols,
            queens,
            tuple(allowed_masks(board)),
            period,
            board.wrap != "none",
            board.wrap == "torus",
            piece == "amazon",
        )

    def first(self) -> RowLevel:
        """Return the first row, with everything still to be tried."""
        skips = self.rows - self.queens
        return RowLevel(self.allowed[0] | self._skip(skips), (1 << self.cols) - 1, 0, 0, skips)

    def _skip(self, skips: int) -> int:
        return (skips > 0) << self.cols

    def next_level(self, levels: list[RowLevel]) -> RowLevel:
        """Return the row below those that are filled; the last of them holds the queen that was just placed."""
        row, above = len(levels), levels[-1]
        queen = above.queen
        folded = queen and 1 << (queen.bit_length() - 1) % self.period
        left, right = self.shifted(above.left | folded, above.right | folded)
        unused, skips = above.unused ^ queen, above.skips - (not queen)
        attacked = self._repeated(left | right)
        if self.knights:
            attacked |= self._knight_moves([level.queen for level in levels])
        return RowLevel(self.allowed[row] & unused & ~attacked | self._skip(skips), unused, left, right, skips)

    def chosen(self, levels: list[RowLevel], bit: int) -> list[RowLevel]:
        """Return the levels with one of the choices of the last row made for good, and the row below it.

        The bit beyond the last column leaves the row empty. Below the last row, and where no queen is to come, the
        new level has nothing to try.
        """
        queen = bit if bit >> self.cols == 0 else 0
        above = [*levels[:-1], levels[-1]._replace(tries=0, queen=queen)]
        if len(above) == self.rows:
            return [*above, RowLevel(0, 0, 0, 0, levels[-1].skips - (not queen))]
        return [*above, self.next_level(above)]

    def shifted(self, left: int, right: int) -> tuple[int, int]:
        """Return the diagonals one row further down."""
        last, every = self.period - 1, (1 << self.period) - 1
        if self.glued:
            return (left << 1 | left >> last) & every, right >> 1 | (right & 1) << last
        return left << 1 & every, right >> 1

    def _repeated(self, diagonals: int) -> int:
        if self.period == self.cols:
            return diagonals
        return sum(diagonals << start for start in range(0, self.cols, self.period))

    def _knight_moves(self, queens: list[int]) -> int:
        """Return the squares of the next row a knight's move away from the pieces in the rows before."""
        row, attacked = len(queens), 0
        for above, queen in enumerate(queens):
            if queen:
                col = queen.bit_length() - 1
                apart = {row - above, above + self.rows - row if self.torus else 0}
                for across in {3 - down for down in apart if 1 <= down <= 2}:
                    for target in (col - across, col + across):
                        if self.glued or 0 <= target < self.cols:
                            attacked |= 1 << target % self.cols
        return attacked


def iter_columns(
    rules: Rows, *, meter: Meter, levels: list[RowLevel] | None = None, until: int = 0, shallow: int = 0
) -> Iterator[list[int]]:
    """Yield every placement as the list of columns, row by row, in lexicographic order of squares.

    A row without a queen has the number of columns for a column. The list that is yielded is the search's own.

    Parameters
    ----------
    rules : Rows
    meter : Meter
    levels : list of Level, optional
        Where the search is, changed in place, so that another can go on; the beginning if not given.
    until, shallow : int
        If not 0, stop after so many calls as soon as at most so many rows are in `levels`.
    """
    levels = [rules.first()] if levels is None else levels
    if not rules.queens:
        levels.clear()
        meter.found += 1
        yield [rules.cols] * rules.rows
    every, calls = (1 << rules.cols) - 1, meter.calls
    while levels and not (until and calls >= until and len(levels) <= shallow):
        level = levels.pop()
        if not level.tries:
            continue
        bit = level.tries & -level.tries
        queen = bit & every
        levels.append(level._replace(tries=level.tries ^ bit, queen=queen))
        if queen:
            if calls >= meter.stop_at:
                meter.tick(calls, sum(above.queen != 0 for above in levels[:-1]))
            calls += 1
        if rules.rows - len(levels) + 1 - level.skips == (queen != 0):
            meter.found += 1
            meter.calls = calls
            columns = [above.queen.bit_length() - 1 if above.queen else rules.cols for above in levels]
            yield columns + [rules.cols] * (rules.rows - len(levels))
        else:
            levels.append(rules.next_level(levels))
    meter.calls = calls
