"""Exhaustive search, compiled: a tour, or in the end the proof that there is none.

Up to 64 squares `Proof` remembers where it has failed (`backrank.tours.solve.exhaustive_jit`). A tour with both ends
given becomes a closed one through one square more (see `forced`), so that there are two kinds only: cycles through a
square, and paths with a free end from one square or from any. On larger boards `Backtracking` runs the engine of
`backrank.search`, Warnsdorff's rule with an eye on dead ends, over all starts by turns; it settles little that the
hunt does not, but one day it would settle everything. Both go on where they stopped.
"""

from __future__ import annotations

from collections import deque
from typing import Protocol, TypeAlias

from backrank.runtime.budget import Counters, Meter
from backrank.search.compiled import gear_for
from backrank.search.cursor import Cursor
from backrank.search.effort import is_solved
from backrank.search.spaces import TourSpace
from backrank.search.strategies.names import parse_strategy
from backrank.tours.spec import TourSpec
from backrank.tours.theorems.forced import UsableMoves

MAX_PROOF_SQUARES = 64
_CALLS = 100_000  # between two looks at the clock: some hundredths of a second
_TABLE = 21  # bits at most: two million pairs, 18 MB


Outcome: TypeAlias = tuple[tuple[int, ...] | None, bool]


class Exhaustion(Protocol):
    """An exhaustive search that goes on where it stopped."""

    def run(self, calls: int) -> Outcome:
        """Go on for about so many calls; return a tour if there is one, and whether the search has come to its end."""


def exhaustion(spec: TourSpec, net: UsableMoves, starts: list[int], meter: Meter, counters: Counters) -> Exhaustion:
    """Return the exhaustive search for a board of this size."""
    if len(net.squares) <= MAX_PROOF_SQUARES:
        return Proof(spec, net, starts, meter, counters)
    return Backtracking(spec, starts, meter, counters)


class Proof:
    """An exhaustive search that goes on where it stopped.

    Parameters
    ----------
    spec : TourSpec
    net : Net
        The moves to be used; at most 64 squares.
    starts : list of int
        Squares one of which begins a tour, if there is one; looked at for open tours without a start.
    meter, counters
    """

    def __init__(self, spec: TourSpec, net: UsableMoves, starts: list[int], meter: Meter, counters: Counters) -> None:
        import numpy as np  # noqa: PLC0415 - loaded when the plain rung has not found a tour

        from backrank.tours.solve import exhaustive_jit as kernel  # noqa: PLC0415 - loads numba

        self.meter, self.counters, self.spec = meter, counters, spec
        self.squares = net.squares
        numbers = {square: number for number, square in enumerate(net.squares)}
        near = [sum(1 << numbers[other] for other in net.near[square]) for square in net.squares]
        everything = (1 << len(near)) - 1
        first = numbers[net.squares[-1]]
        if spec.closed and spec.start is not None:
            first = numbers[spec.start]
        elif spec.closed:
            first = min(range(len(near)), key=lambda number: near[number].bit_count())
        begin, goals, kept = 1 << first, near[first], 1 << first
        if not net.cyclic:
            begin, kept = sum(1 << numbers[start] for start in starts), 0
            goals = sum(1 << numbers[square] for square in net.squares if net.may_end(square))
        padded = near + [0] * (64 - len(near))
        self.walls = kernel.Walls(
            np.array(padded, np.uint64),
            np.array([goals], np.uint64),
            np.array([kept], np.uint64),
            np.array([not net.cyclic], np.int64),
        )
        bare, untried = np.zeros(66, np.uint64), np.zeros(66, np.uint64)
        bare[0], untried[0] = everything, begin
        bits = min(_TABLE, len(near) + 4)
        table = np.zeros(1 << bits, np.uint64), np.zeros(1 << bits, np.uint8)
        self.walk = kernel.PathState(bare, untried, np.zeros(64, np.uint8), *table, np.zeros(2, np.int64))

    def run(self, calls: int) -> Outcome:
        """Go on for so many calls; return a tour if there is one, and whether the search has come to its end."""
        from backrank.runtime import status  # noqa: PLC0415
        from backrank.tours.solve.exhaustive_jit import CALLS, DEPTH, prove  # noqa: PLC0415

        state = self.walk.state
        target = int(state[CALLS]) + calls
        while True:
            before = int(state[CALLS])
            limit = self.meter.budget.calls
            slice_ = _CALLS if limit is None else max(1, min(_CALLS, limit - self.counters.calls))
            code = prove(self.walls, self.walk, min(target, before + slice_))
            made = int(state[CALLS]) - before
            self.counters.calls += made
            self.counters.backtracks += made
            if code == status.SOLVED:
                return self._read(), True
            if code == status.DONE:
                return None, True
            self.meter.tick(self.counters.calls, int(state[DEPTH]))
            if int(state[CALLS]) >= target:
                return None, False

    def _read(self) -> tuple[int, ...]:
        squares = [self.squares[number] for number in self.walk.path[: len(self.squares)].tolist()]
        self.counters.backtracks -= len(squares)
        spec = self.spec
        if not spec.closed and spec.end is not None:
            squares = squares[1:] if squares[1] == spec.start else squares[:0:-1]
        return tuple(squares)


class Backtracking:
    """The search engine over all starts by turns."""

    def __init__(self, spec: TourSpec, starts: list[int], meter: Meter, counters: Counters) -> None:
        self.meter, self.counters = meter, counters
        strategy = parse_strategy("warnsdorff-roth+prune", "tour")
        spaces = [TourSpace(spec.board, spec.piece, start, spec.end, closed=spec.closed) for start in starts]
        self.waiting = deque(Cursor(space, strategy) for space in spaces)

    def run(self, calls: int) -> Outcome:
        """Search on from one start after the other, at most four or so for so many calls."""
        share, left = max(1, calls // 4), calls
        while self.waiting and left > 0:
            before = self.waiting.popleft()
            cursor = self._on(before, share)
            left -= max(1, cursor.calls - before.calls)
            self.counters.backtracks += cursor.backtracks - before.backtracks
            if is_solved(cursor):
                return cursor.path, True
            if not cursor.done:
                self.waiting.append(cursor)
        return None, not self.waiting

    def _on(self, cursor: Cursor, share: int) -> Cursor:
        gear, until, limit = gear_for(cursor.space, cursor.strategy), cursor.calls + share, self.meter.budget.calls
        while cursor.calls < until and not cursor.done:
            slice_ = _CALLS if limit is None else max(1, min(_CALLS, limit - self.counters.calls))
            made = cursor.calls
            cursor = gear.run(cursor, calls=min(until, made + slice_), solutions=1)
            self.counters.calls += cursor.calls - made
            if is_solved(cursor):
                break
            self.meter.tick(self.counters.calls, cursor.depth)
        return cursor
