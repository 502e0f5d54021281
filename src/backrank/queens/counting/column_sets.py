"""Counting n queens by meeting in the middle over column sets: no placement is ever enumerated.

Cut the board below row h. The queens above the cut stand in exactly the columns of some set S of h columns, those
below it in the others. All that one half needs to know of the other are the diagonals across the cut on which it has
queens, n - 1 of each kind. With T(S) for the placements above and T'(~S) for those below, words of 2 (n - 1) bits,

    Q(n) = sum over S of  #{(t, b) : t in T(S), b in T'(~S), t & b = 0}.

*Symmetry.* A mirror image reverses S. If both halves have the same rows, turning upside down complements S. One S of
each orbit is enough, weighted by the size of the orbit: a quarter of them (n even) or half (n odd).

*Lists.* The rows from the edge down are filled by backtracking inside S; for the last w rows before the cut a table
has the placements in any w columns, so that what is left is to compare words.

*Join.* Both lists are sorted into buckets by a key, the j central diagonals of each kind, which reject most. For a
bucket of the one list the entries of the other with a disjoint key are gathered, first by the j diagonals of one kind,
then by those of the other. The other 2 (n - 1 - j) bits fit into a 32-bit lane, and comparing is a loop that LLVM
vectorises.

*Cost.* Lists average 1,200, 6,600 and 37,000 entries at n = 16, 18 and 20, for 3,299, 12,190 and 46,508 orbits. Time
grows five to six times a row, that of enumeration seven or eight; making the lists is half of it at n = 16, a third
at n = 20. Memory: a few MB a thread, and the tables (11 MB at n = 20).

*Exactness.* Pairs of one S are counted in 64 bits: there are at most h! (n - h)! of them, below 2^62 for n <= 25. They
are weighted and added up as Python ints, which have no bound. :mod:`backrank.queens.counting.column_sets_jit` tells of
the smaller counters.

*Roads not taken.* Tables for four rows (lists take up to twice as long), three (up to three times), six (they leave the
cache); one gathering by the whole key (3^2j short copies a set instead of 2 * 6^j); signed positions in the copying
loops (numba looks whether each is negative, so nothing is vectorised: sixteen times slower).

Source: meeting in the middle as of E. Horowitz and S. Sahni (1974), here by column set, the project's own. The values
are those of sequence A000170.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Generator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from backrank.errors import BoardTooLarge
from backrank.queens.backtracking.set_numbers import number_sets
from backrank.runtime.budget import Meter
from backrank.runtime.cpu import available_threads

if TYPE_CHECKING:
    from backrank.queens.counting.column_sets_jit import HalfTables, JoinScratch

Int32s: TypeAlias = npt.NDArray[np.int32]
Int64s: TypeAlias = npt.NDArray[np.int64]
UInt64s: TypeAlias = npt.NDArray[np.uint64]

MIN_SIDE, MAX_SIDE = 4, 25
TAIL_ROWS = 5
REST_BITS = 31  # of a lane; the last one is the kernel's guard
KEY_SHIFT = 32  # the same as the kernel's


@dataclass(frozen=True, slots=True)
class Parameters:
    """How the work is cut up; any choice gives the same count.

    Attributes
    ----------
    above : int
        Rows above the cut, h; at least 2, and so many below it.
    central : int
        Diagonals of each kind in the key of a bucket, j; see :func:`least_central`.
    tail : int
        Rows of each half that come from a table, w; fewer than the half has, and at most `TAIL_ROWS`.
    task : int
        Column sets a task.
    """

    above: int
    central: int
    tail: int
    task: int

    @classmethod
    def of(cls, side: int) -> Parameters:
        """Return the choice that was measured to be good for a board."""
        central = 1 if side < 14 else 2 if side < 17 else min(side - 14, 5)
        task = 64 if side < 17 else 32 if side < 19 else 8 if side < 21 else 1
        return cls(side // 2, max(central, least_central(side)), min(TAIL_ROWS, side // 2 - 1), task)


def least_central(side: int) -> int:
    """Return how many central diagonals of each kind the key must take so that the others fit into a lane."""
    return max(1, side - 1 - REST_BITS // 2)


class Tails(NamedTuple):
    """The placements of the rows next to the cut, for every set of as many columns; the same for both halves.

    Attributes
    ----------
    place : (2, 2^half) int64
        What the low and the high bits of a set add to its number.
    start : int32
        Where the placements of each set start, and the end of all.
    columns : (rows, placements) int8
        The column of the queen in each row, from the edge towards the cut.
    """

    place: Int64s
    start: Int32s
    columns: npt.NDArray[np.int8]


def bit_values(side: int, tail: int, central: int, *, upside_down: bool) -> tuple[UInt64s, UInt64s]:
    """Return the bit of a word for every bit of the left and the right mask as the first row of the table sees them.

    The left mask is taken `tail - 1` bits further to the left, so that neither loses a bit before the cut.
    """
    first = (side - 1 - central) // 2
    outer = iter(range(KEY_SHIFT + 2 * central, 64))

    def position(kind: int, index: int) -> int:
        if not 0 <= index < side - 1:
            return next(outer)
        if first <= index < first + central:
            return KEY_SHIFT + kind * central + index - first
        return kind * (side - 1 - central) + (index if index < first else index - central)

    left = [position(int(upside_down), bit) for bit in range(side + tail - 1)]
    right = [position(1 - upside_down, bit - tail) for bit in range(side + tail - 1)]
    one = np.uint64(1)
    return one << np.array(left, np.uint64), one << np.array(right, np.uint64)


def make_half(side: int, rows: int, central: int, tails: Tails, *, upside_down: bool) -> HalfTables:
    """Return the tables of a half with so many rows.

    Seen from below, the diagonals of one kind are those of the other seen from above: only their places are swapped.
    """
    from backrank.queens.counting.column_sets_jit import HalfTables  # noqa: PLC0415 - loads numba

    tail = tails.columns.shape[0]
    left, right = bit_values(side, tail, central, upside_down=upside_down)
    shift = (side + 1) // 2
    spread = np.zeros((4, 1 << shift), np.uint64)
    masks = np.arange(1 << shift)
    for part, values in zip(spread, (*halves(left[tail - 1 :], shift), *halves(right[:side], shift)), strict=True):
        for bit, value in enumerate(values):
            part[(masks >> bit & 1).astype(bool)] |= value
    words = np.zeros(tails.columns.shape[1], np.uint64)
    for row, columns in enumerate(tails.columns):
        queens = left[tail - 1 - row :][:side] | right[row:][:side]
        words |= queens.take(columns)
    return HalfTables(np.array([rows - tail, side]), spread, tails.place, tails.start, words)


def halves(values: UInt64s, shift: int) -> tuple[UInt64s, UInt64s]:
    """Cut in two."""
    return values[:shift], values[shift:]


def make_tails(side: int, rows: int) -> Tails:
    """Return the placements of the rows next to the cut, by trying all orders of the columns of all sets at once."""
    place, sets = number_sets(side, rows)
    members = np.empty((rows, sets.size), np.int8)  # a column is small: the table is large
    left_over = sets.copy()
    for i in range(rows):
        lowest = left_over & -left_over
        left_over ^= lowest
        members[i] = np.bitwise_count(lowest - 1)
    apart = {
        (i, k, distance): np.abs(members[i] - members[k]) != distance
        for i, k in permutations(range(rows), 2)
        for distance in range(1, rows)
    }
    columns, owners = [], []
    for order in permutations(range(rows)):
        good = np.ones(sets.size, bool)
        for i, k in combinations(range(rows), 2):
            good &= apart[order[i], order[k], k - i]
        owner = np.flatnonzero(good)
        owners.append(owner.astype(np.uint16))  # up to C(25, 5), and sorted by radix
        columns.append(members.take(owner, axis=1).take(order, axis=0))
    owner = np.concatenate(owners)
    start = np.zeros(sets.size + 1, np.int32)
    np.cumsum(np.bincount(owner, minlength=sets.size), out=start[1:])
    return Tails(place, start, np.concatenate(columns, axis=1).take(np.argsort(owner, kind="stable"), axis=1))


def orbits(side: int, size: int) -> tuple[Int64s, Int64s]:
    """Return one set of `size` columns of each orbit, and the sizes of the orbits.

    A mirror image reverses the set; if both halves have the same rows, turning upside down complements it.
    """
    sets = number_sets(side, size)[1]
    mirrored = np.zeros_like(sets)
    for bit in range(side):
        mirrored |= (sets >> bit & 1) << side - 1 - bit
    images = [sets, mirrored]
    if 2 * size == side:
        images += [sets ^ (1 << side) - 1, mirrored ^ (1 << side) - 1]
    fixed = sum((image == sets).astype(np.int64) for image in images)
    least = np.minimum.reduce(images) == sets
    return sets[least], len(images) // fixed[least]


class Counter:
    """The tables of one board, and the tasks that count on it."""

    def __init__(self, side: int, parameters: Parameters | None = None) -> None:
        if not MIN_SIDE <= side <= MAX_SIDE:
            raise BoardTooLarge(f"counting by column sets takes sides from {MIN_SIDE} to {MAX_SIDE}, not {side}")
        self.side = side
        self.parameters = chosen = parameters or Parameters.of(side)
        tails = make_tails(side, chosen.tail)
        self.upper = make_half(side, chosen.above, chosen.central, tails, upside_down=False)
        self.lower = make_half(side, side - chosen.above, chosen.central, tails, upside_down=True)
        self.sets, self.weights = orbits(side, chosen.above)
        self._workspaces: deque[JoinScratch] = deque()
        self._capacity = 1 << 12

    def tasks(self) -> list[slice]:
        """Return the tasks, each a slice of the sets."""
        step = self.parameters.task
        return [slice(first, first + step) for first in range(0, self.sets.size, step)]

    def run(self, task: slice) -> tuple[int, int]:
        """Return the number of placements of one task, and that of the half placements listed for it.

        Any number of threads may run tasks at the same time.
        """
        from backrank.queens.counting.column_sets_jit import MAX_LIST, join_column_sets  # noqa: PLC0415 - loads numba
        from backrank.runtime.status import DONE  # noqa: PLC0415

        sets = self.sets[task]
        counts = np.zeros((2, sets.size), np.int64)
        workspace = self._workspaces.pop() if self._workspaces else self._workspace()
        while join_column_sets(self.upper, self.lower, sets, workspace, counts) != DONE:
            if workspace.words.size >= MAX_LIST:
                raise BoardTooLarge(f"a half of {self.side}x{self.side} has more than {MAX_LIST:,} placements")
            self._capacity = max(self._capacity, 2 * workspace.words.size)
            workspace = self._workspace()
        self._workspaces.append(workspace)
        weighted = zip(counts[0].tolist(), self.weights[task].tolist(), strict=True)
        return sum(count * weight for count, weight in weighted), int(counts[1].sum())

    def _workspace(self) -> JoinScratch:
        from backrank.queens.counting.column_sets_jit import LANES, JoinScratch  # noqa: PLC0415 - loads numba

        size, kind = self._capacity, 1 << self.parameters.central
        upper, lower, middle, buffer = (np.zeros(size + more, np.uint32) for more in (0, 0, 0, LANES))
        starts, inner = np.zeros((2, kind * kind + 2), np.int32), np.zeros(kind + 1, np.int32)
        stack = np.zeros((4, self.side), np.int64)
        return JoinScratch(np.zeros(size, np.uint64), upper, lower, middle, buffer, starts, inner, stack)

    def results(self, threads: int) -> Generator[tuple[int, int]]:
        """Yield what :meth:`run` returns for every task, in order; few tasks wait at a time.

        Close it if it is not run to its end: then it waits only for the tasks that are running.
        """
        tasks = self.tasks()
        if threads == 1:
            yield from map(self.run, tasks)
            return
        with ThreadPoolExecutor(threads) as pool:
            waiting: deque[Future[tuple[int, int]]] = deque()
            try:
                for task in tasks:
                    waiting.append(pool.submit(self.run, task))
                    if len(waiting) > 2 * threads:
                        yield waiting.popleft().result()
                while waiting:
                    yield waiting.popleft().result()
            finally:
                for future in waiting:
                    future.cancel()


def count(side: int, *, meter: Meter, threads: int | None = None, parameters: Parameters | None = None) -> int:
    """Return the number of ways to place `side` queens on a plain square board.

    Parameters
    ----------
    side : int
        4 to 25.
    meter : Meter
        Ticked after every task: its calls are the placements of halves that were listed, its depth and total the tasks
        done and all tasks, and what it found is a lower bound. Time limit and cancellation are kept between tasks.
    threads : int, optional
        As many as the process may use, if not given.
    parameters : Parameters, optional

    Raises
    ------
    BudgetExceeded
        If a limit was reached first.
    BoardTooLarge
        If it is not for this side.

    Examples
    --------
    >>> from backrank.runtime.budget import Budget
    >>> count(12, meter=Budget().start())
    14200
    """
    counter = Counter(side, parameters)
    meter.total = len(counter.tasks())
    calls = 0
    with closing(counter.results(threads or available_threads())) as results:
        for done, (found, listed) in enumerate(results, 1):
            calls += listed
            meter.found += found
            meter.tick(calls, done)
    return meter.found
