"""The rules of a board as masks: one int for the squares of each row that a queen may still take.

Rows may stay empty, edges may be glued, and pieces may be amazons. Which diagonals there are: on glued edges of a torus
gcd(rows, cols) of each kind, so their masks have this *period*; else one for each column, and masks shift by one column
a row.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import gcd
from typing import NamedTuple

from backrank.geometry.board import Board


def allowed_masks(board: Board) -> list[int]:
    """Return the squares of each row that are not holes, bit c for column c."""
    masks = [(1 << board.cols) - 1] * board.rows
    for hole in board.holes:
        row, col = board.cell(hole)
        masks[row] &= ~(1 << col)
    return masks


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
