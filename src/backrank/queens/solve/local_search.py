"""A random placement of n queens, for n up to ten millions, by local search: not uniform, but quick.

A queen a row and a column, so a placement is a permutation, and only diagonals matter; a counter for each says how many
queens stand on it. First the rows are filled from the top: a random column of those that are left, again if the queen
would be attacked, up to a hundred times. Near the bottom that fails; the rest is filled at random, and those queens
wait to be mended. One that is attacked exchanges its column with a random queen, unless that makes more attacking
pairs, and both wait; until none does. Some dozens of rows are left to be mended whatever n, and looking at an exchange
takes twelve counters, so the whole takes time proportional to n: about three tries a row.

A small board may have no way on from where the search has got to; it then starts afresh.

Every placement can come out, but not with the same probability: :mod:`backrank.queens.ranking.sampling` is exact, for
small n.

Source: R. Sosic and J. Gu, "Efficient local search with conflict minimization: a case study of the n-queens
problem", IEEE Transactions on Knowledge and Data Engineering 6 (1994); the two stages are theirs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from backrank.errors import BoardTooLarge, InvalidBoard, shown
from backrank.geometry.board import Board
from backrank.geometry.verify import queens_faults
from backrank.queens.placement import Placement
from backrank.runtime.budget import Budget, Meter, budget_of
from backrank.runtime.rng import Dice, Randomness, seed_of

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

MAX_LOCAL_SIDE = 10_000_000
PLAIN_SIDE = 200
PATIENCE = 100  # columns that are tried for a row before the rest is left to be mended; the same as the kernel's


def random_columns(side: int, rng: Randomness, *, budget: Budget | None = None) -> list[int] | None:
    """Return the column of the queen of each row of a random placement, or None if there is none (2x2 and 3x3).

    Parameters
    ----------
    side : int
        Of the board, which has neither holes nor glued edges; as many queens. At most ten million.
    rng : int, random.Random or numpy.random.Generator
        A seed, which gives the same placement everywhere, or a generator.
    budget : Budget, optional
        Limits, progress and cancellation; a call is a column or an exchange that is tried.

    Raises
    ------
    BoardTooLarge, InvalidBoard, InvalidPuzzle
        If the side or the seed cannot be meant.
    BudgetExceeded
        If a limit was reached first.

    Notes
    -----
    Not uniform. Checked before it is returned. Expected cost proportional to the side; for a million, half a second
    and 40 MB once compiled.

    Examples
    --------
    >>> random_columns(8, 1), random_columns(3, 1)
    ([4, 6, 0, 2, 7, 5, 3, 1], None)
    """
    if 0 < side <= PLAIN_SIDE:
        return _plainly(side, Dice(seed_of(rng)), budget_of(budget).start(side))
    array = random_columns_array(side, rng, budget=budget)
    return None if array is None else [int(column) for column in array]


def random_columns_array(side: int, rng: Randomness, *, budget: Budget | None = None) -> npt.NDArray[np.int32] | None:
    """Return the same as :func:`random_columns` as an array."""
    import numpy as np  # noqa: PLC0415 - kept from who does not need it

    if side < 1:
        raise InvalidBoard(f"the side of a board must be at least 1, not {side}")
    if side > MAX_LOCAL_SIDE:
        raise BoardTooLarge(f"local search takes sides of at most {MAX_LOCAL_SIDE:,}, not {shown(side)}")
    if side <= PLAIN_SIDE:
        columns = random_columns(side, rng, budget=budget)
        return None if columns is None else np.array(columns, np.int32)
    return compiled(side, seed_of(rng), budget_of(budget).start(side))


def random_placement(side: int, seed: int, meter: Meter) -> Placement | None:
    """Return a random placement of n queens on n x n, or None if there is none.

    Examples
    --------
    >>> random_placement(8, 1, Budget().start()).columns
    (4, 6, 0, 2, 7, 5, 3, 1)
    """
    if side > MAX_LOCAL_SIDE:
        raise BoardTooLarge(f"local search takes sides of at most {MAX_LOCAL_SIDE:,}, not {shown(side)}")
    board = Board(side)
    if side <= PLAIN_SIDE:
        columns = _plainly(side, Dice(seed), meter)
        return None if columns is None else Placement(board, (row * side + col for row, col in enumerate(columns)))
    array = compiled(side, seed, meter)
    return None if array is None else Placement.of_columns(board, array)


def patience_of(side: int) -> int:
    """Return how many tries an attempt may take: what was best on boards of up to 20, and plenty on larger ones."""
    return 20 * side


def compiled(side: int, seed: int, meter: Meter) -> npt.NDArray[np.int32] | None:
    """Return columns by the kernel, for any side that has a placement: the same as in plain Python."""
    import numpy as np  # noqa: PLC0415 - kept from who does not need it

    from backrank.queens.checking import is_placement  # noqa: PLC0415
    from backrank.queens.solve.local_search_jit import SCATTERED, TRIES, WAITING, run_local  # noqa: PLC0415 - loads numba
    from backrank.runtime.status import DONE  # noqa: PLC0415

    if side in (2, 3):
        return None
    dice, calls = np.array([seed], np.uint64), 0
    while True:
        columns, diagonals = np.arange(side, dtype=np.int32), np.zeros((2, 2 * side), np.int32)
        waiting, is_waiting, numbers = np.zeros(side, np.int32), np.zeros(side, np.uint8), np.zeros(3, np.int64)
        while int(numbers[TRIES]) < patience_of(side):
            limit = min(meter.stop_at - calls, patience_of(side))
            status = run_local(columns, diagonals, waiting, is_waiting, numbers, dice, limit)
            meter.calls = calls + int(numbers[TRIES])
            if status == DONE:
                if not is_placement(columns):
                    raise RuntimeError(f"local search for {side} queens went wrong with seed {seed}: please report it")
                return columns
            if meter.calls >= meter.stop_at:
                meter.tick(meter.calls, int(numbers[SCATTERED] - numbers[WAITING]))
        calls += int(numbers[TRIES])


def _plainly(side: int, dice: Dice, meter: Meter) -> list[int] | None:
    """Return columns in plain Python: the reference."""
    if side in (2, 3):
        return None
    while True:
        attempt = _Attempt(side, dice, meter)
        if attempt.is_filled() and attempt.is_mended():
            if queens_faults(Board(side), list(enumerate(attempt.columns))):
                raise RuntimeError(
                    f"local search for {side} queens went wrong with {attempt.columns}: please report it"
                )
            return attempt.columns


class _Attempt:
    """Queens on a board, one a row and a column, and how many stand on each diagonal."""

    def __init__(self, side: int, dice: Dice, meter: Meter) -> None:
        self.side, self.dice, self.meter = side, dice, meter
        self.columns = list(range(side))
        self.down, self.up = [0] * (2 * side), [0] * (2 * side)
        self.waiting: list[int] = []
        self.tries, self.patience = 0, patience_of(side)

    def _below(self, bound: int) -> int:
        return (self.dice.draw() >> 32) * bound >> 32

    def _try(self) -> None:
        self.tries += 1
        self.meter.calls += 1
        if self.meter.calls >= self.meter.stop_at:
            self.meter.tick(self.meter.calls, self.side - len(self.waiting))

    def _swap(self, row: int, other: int) -> None:
        self.columns[row], self.columns[other] = self.columns[other], self.columns[row]

    def _put(self, row: int, column: int, change: int) -> None:
        self.down[row - column + self.side] += change
        self.up[row + column] += change

    def _met(self, row: int, column: int) -> int:
        return self.down[row - column + self.side] + self.up[row + column]

    def _scatter(self, row: int) -> bool:
        """Fill a row where no queen above attacks it; return False if no such column was hit upon."""
        for _ in range(PATIENCE):
            self._try()
            other = row + self._below(self.side - row)
            if not self._met(row, self.columns[other]):
                self._swap(row, other)
                self._put(row, self.columns[row], 1)
                return True
        return False

    def is_filled(self) -> bool:
        """Fill all rows, the last ones at random; return False if patience ends before."""
        for row in range(self.side):
            if not self.waiting and self.tries >= self.patience:
                return False
            if self.waiting or not self._scatter(row):
                self._swap(row, row + self._below(self.side - row))
                self._put(row, self.columns[row], 1)
                self.waiting.append(row)
        return True

    def is_mended(self) -> bool:
        """Exchange columns until no queen is attacked; return False if patience ends before."""
        while self.waiting:
            row = self.waiting[-1]
            column = self.columns[row]
            if self.down[row - column + self.side] == 1 == self.up[row + column]:
                self.waiting.pop()
                continue
            if self.tries >= self.patience:
                return False
            self._try()
            other = self._below(self.side)
            if other != row and self._exchange(row, other) and other not in self.waiting:
                self.waiting.append(other)
        return True

    def _exchange(self, row: int, other: int) -> bool:
        """Let two queens exchange their columns, unless that makes more attacking pairs; return whether they did."""
        one, two = self.columns[row], self.columns[other]
        self._put(row, one, -1)
        before = self._met(row, one)
        self._put(other, two, -1)
        before += self._met(other, two)
        after = self._met(row, two)
        self._put(row, two, 1)
        after += self._met(other, one)
        if after > before:
            self._put(row, two, -1)
            self._put(row, one, 1)
            self._put(other, two, 1)
            return False
        self._put(other, one, 1)
        self._swap(row, other)
        return True
