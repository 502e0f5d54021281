"""Running without looking: from a cursor to a later one, in the gear that is faster, within a budget.

The work is cut into slices of some hundredths of a second, by the speed of the slices before. After each the budget is
asked, progress told, and whoever wants to keep the cursor (for a keyframe, or a file that survives a crash)
is handed it. So a run can be cancelled at once, and always be continued from where it was.

Small searches are over before numba is loaded: the first events are made in plain Python.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from importlib.util import find_spec
from typing import Literal

from backrank.errors import BudgetExceeded, InvalidPuzzle
from backrank.runtime.budget import Budget, Meter, budget_of
from backrank.runtime.progress import Progress
from backrank.search.compiled import NEVER, gear_for, has_kernel
from backrank.search.cursor import Cursor
from backrank.search.machine import machine_at

GearName = Literal["auto", "plain", "kernel"]
Until = Literal["end", "solution"]

SLICE_SECONDS = 0.04
WARM_UP_EVENTS = 50_000
_PLAIN_SLICE = 2048
_FIRST_SLICE = 100_000


class SearchPaused(BudgetExceeded):
    """A search that used up its budget or was cancelled.

    Attributes
    ----------
    cursor : Cursor
        Where it was; run on from there.
    reached : Progress
        What was done since this run began, not since the search did.
    """

    def __init__(self, message: str, reached: Progress, cursor: Cursor) -> None:
        super().__init__(message, reached)
        self.cursor = cursor

    def __reduce__(self) -> tuple[type[SearchPaused], tuple[str, Progress, Cursor]]:  # type: ignore[override]  # one more
        return type(self), (str(self), self.reached, self.cursor)


def run(
    cursor: Cursor,
    *,
    events: int | None = None,
    until: Until = "end",
    solutions: int | None = None,
    budget: Budget | None = None,
    gear: GearName = "auto",
    watch: Callable[[Cursor], None] | None = None,
) -> Cursor:
    """Return the cursor at a later moment of the same search.

    Parameters
    ----------
    cursor : Cursor
        Where to go on; it is not changed.
    events : int, optional
        Stop after so many more events, exactly.
    until : {"end", "solution"}
        Stop at the end of the search, or just after the next solution.
    solutions : int, optional
        Stop just after so many more solutions; `until="solution"` is the same as 1.
    budget : Budget, optional
        Its limits, counted from here, its progress and its cancelling.
    gear : {"auto", "plain", "kernel"}
        Plain Python, the kernels, or the kernels once plain Python has not been enough.
    watch : callable, optional
        Handed the cursor after every slice, some twenty times a second.

    Raises
    ------
    SearchPaused
        If the budget is used up before one of these; it holds the cursor reached.

    Examples
    --------
    >>> from backrank.geometry.board import Board
    >>> from backrank.search import QueensSpace, start
    >>> cursor = run(start(QueensSpace(Board(8)), "rows"), until="solution")
    >>> [square % 8 for square in cursor.path], cursor.calls
    ([0, 4, 7, 5, 2, 6, 1, 3], 113)
    >>> run(cursor).solutions
    92
    """
    if solutions is None and until == "solution":
        solutions = 1
    return _SearchRun(cursor, events, solutions, budget_of(budget), gear, watch).go()


class _SearchRun:
    """One run: its targets as totals of the search, and the meter of its budget."""

    def __init__(
        self,
        cursor: Cursor,
        events: int | None,
        solutions: int | None,
        budget: Budget,
        gear: GearName,
        watch: Callable[[Cursor], None] | None,
    ) -> None:
        self.begun = self.cursor = cursor
        self.events = NEVER if events is None else cursor.event + events
        self.solutions = NEVER if solutions is None else cursor.solutions + solutions
        self.calls = NEVER if budget.calls is None else cursor.calls + budget.calls
        self.budget, self.watch = budget, watch
        self.meter = Meter(budget, cursor.space.total)
        self.gear = gear
        compiled = has_kernel(cursor.space, cursor.strategy)
        if gear == "kernel" and not compiled:
            raise InvalidPuzzle(f"the strategy {cursor.strategy} is not compiled; run it in the plain gear")
        if gear == "auto" and not (compiled and find_spec("numba")):
            self.gear = "plain"

    def is_over(self) -> bool:
        """Whether a target is reached."""
        cursor = self.cursor
        return cursor.done or cursor.event >= self.events or cursor.solutions >= self.solutions

    def go(self) -> Cursor:
        """Run in slices until a target is reached."""
        slice_events = _FIRST_SLICE
        while not self.is_over():
            before, started = self.cursor.event, time.perf_counter()
            if self.gear == "plain" or (self.gear == "auto" and before - self.begun.event < self._warm_up()):
                self._plain_slice()
            else:
                self._fast_slice(slice_events)
                seconds = max(time.perf_counter() - started, 1e-4)
                # At most eightfold at once: the first slice may have compiled, the next may be slower than this.
                wanted = int((self.cursor.event - before) / seconds * SLICE_SECONDS)
                slice_events = max(1000, min(wanted, 8 * slice_events))
            if self.watch is not None:
                self.watch(self.cursor)
            self._ask_budget()
        return self.cursor

    def _warm_up(self) -> int:
        """Return how many events are made in plain Python: few once the kernels have been loaded."""
        return 500 if "backrank.runtime._jit" in sys.modules else WARM_UP_EVENTS

    def _plain_slice(self) -> None:
        machine = machine_at(self.cursor)
        deadline = time.perf_counter() + SLICE_SECONDS
        for _ in range(min(_PLAIN_SLICE, self.events - self.cursor.event)):
            if machine.calls >= self.calls and machine.places_next():
                break
            if machine.step() is None or machine.solutions >= self.solutions:
                break
            if time.perf_counter() > deadline:
                break  # on a large board one step may look at a million squares
        self.cursor = machine.cursor()

    def _fast_slice(self, slice_events: int) -> None:
        cursor = self.cursor
        if cursor.calls < self.calls:
            events = min(self.events, cursor.event + slice_events)
            gear = gear_for(cursor.space, cursor.strategy)
            self.cursor = gear.run(cursor, events=events, calls=self.calls, solutions=self.solutions)
        if self.cursor.calls >= self.calls:
            # What happens before the next placement costs no call any more.
            self._plain_slice()

    def _ask_budget(self) -> None:
        """Raise if the work must stop here."""
        cursor, meter = self.cursor, self.meter
        if self.is_over():
            return
        meter.found = cursor.solutions - self.begun.solutions
        calls = cursor.calls - self.begun.calls
        if calls == self.budget.calls and not machine_at(cursor).places_next():
            return
        try:
            meter.tick(calls, cursor.depth)
        except BudgetExceeded as stop:
            raise SearchPaused(str(stop), stop.reached, cursor) from None
        if self.budget.cancelled is not None and self.budget.cancelled():
            message = f"cancelled after {calls:,} calls: nothing is proven"
            raise SearchPaused(message, meter.now(cursor.depth), cursor)
