"""What a piece of work may cost, and how it tells how far it has come: one object, passed down.

A :class:`Budget` is a frozen wish; :meth:`Budget.start` makes the running :class:`Meter` that an
algorithm ticks every few thousand steps. The meter stops the work when a limit is reached or somebody
cancels it, and reports progress at a steady pace whatever the pace of the ticks.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from backrank.errors import BudgetExceeded, InvalidPuzzle, shown
from backrank.runtime.progress import Progress


@dataclass(slots=True)
class Counters:
    """What a search has done so far: pieces placed (calls) and taken back (backtracks)."""

    calls: int = 0
    backtracks: int = 0


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits and callbacks of a piece of work; the default has none.

    Parameters
    ----------
    seconds : float, optional
        Wall time after which the work stops with :class:`~backrank.errors.BudgetExceeded`.
    calls : int, optional
        Number of placements that may be made; the work stops before the next one.
    progress : callable, optional
        Called with a :class:`Progress` about every `interval` seconds.
    cancelled : callable, optional
        Asked about every `interval` seconds; the work stops when it says true.
    interval : float
        Seconds between two reports.
    since : float, optional
        The moment of :func:`time.monotonic` from which `seconds` are counted; the moment of :meth:`start` if not
        given. So one limit can hold for several pieces of work, one after the other.

    Examples
    --------
    >>> Budget(calls=0)
    Traceback (most recent call last):
    backrank.errors.InvalidPuzzle: the limit of calls must be a whole number, at least 1, not 0
    """

    seconds: float | None = None
    calls: int | None = None
    progress: Callable[[Progress], None] | None = None
    cancelled: Callable[[], bool] | None = None
    interval: float = 0.2
    since: float | None = None

    def __post_init__(self) -> None:
        """Refuse limits that nothing can keep."""
        if self.seconds is not None and not (_is_number(self.seconds) and self.seconds > 0):
            raise InvalidPuzzle(f"the time limit must be more than 0 seconds, not {shown(self.seconds)}")
        if self.calls is not None and (
            isinstance(self.calls, bool) or not isinstance(self.calls, int) or self.calls < 1
        ):
            raise InvalidPuzzle(f"the limit of calls must be a whole number, at least 1, not {shown(self.calls)}")
        if not (_is_number(self.interval) and 0 <= self.interval < math.inf):
            raise InvalidPuzzle(f"the interval of reports must be a number of seconds, not {shown(self.interval)}")
        if self.since is not None and not (_is_number(self.since) and math.isfinite(self.since)):
            raise InvalidPuzzle(f"since must be a moment of time.monotonic(), not {shown(self.since)}")

    def start(self, total: int = 0) -> Meter:
        """Start the clock; `total` is the number of pieces of a full answer."""
        return Meter(self, total)

    def begun(self, seconds: float) -> Budget:
        """Return the budget of work that began `seconds` ago: its time limit is counted from then.

        A budget that has :attr:`since` already is returned as it is.
        """
        if self.seconds is None or self.since is not None:
            return self
        return replace(self, since=time.monotonic() - seconds)

    @property
    def seconds_left(self) -> float | None:
        """How much time is left, negative if none is; all of it before a start; None without a limit."""
        if self.seconds is None or self.since is None:
            return self.seconds
        return self.since + self.seconds - time.monotonic()


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


class Meter:
    """A budget at work. Algorithms compare their calls with :attr:`stop_at` and then :meth:`tick`.

    `stop_at` is the number of calls at which the next tick is due, never beyond the limit, so that
    the limit of calls is exact while the clock is read only now and then.
    """

    _STRIDE = 4096

    def __init__(self, budget: Budget, total: int = 0) -> None:
        self.budget = budget
        self.total = total
        self.found = 0
        self.calls = 0
        self.started = time.monotonic()
        self._since = self.started if budget.since is None else budget.since
        self._next_report = self.started + budget.interval
        self.stop_at = 0
        self._aim()

    def _aim(self) -> None:
        limit = self.budget.calls
        self.stop_at = self.calls + self._STRIDE if limit is None else min(self.calls + self._STRIDE, limit)

    @property
    def rest(self) -> Budget:
        """What is left of the budget: the calls that are left, and the same time limit, counted from where it was."""
        budget = self.budget.begun(time.monotonic() - self.started)
        return budget if budget.calls is None else replace(budget, calls=budget.calls - self.calls)

    def now(self, depth: int = 0) -> Progress:
        """Return how far the work has come."""
        return Progress(time.monotonic() - self.started, self.calls, depth, self.total, self.found)

    def tick(self, calls: int, depth: int = 0) -> None:
        """Note that `calls` placements have been made in all; report, or stop the work.

        Raises
        ------
        BudgetExceeded
            If a limit is reached or the work was cancelled.
        """
        self.calls = calls
        budget = self.budget
        if budget.calls is not None and calls >= budget.calls:
            self._stop(f"the limit of {budget.calls:,} calls was reached", depth)
        now = time.monotonic()
        if budget.seconds is not None and now - self._since >= budget.seconds:
            self._stop(f"the time limit of {budget.seconds:g} s was reached", depth)
        if now >= self._next_report:
            self._next_report = now + budget.interval
            if budget.cancelled is not None and budget.cancelled():
                self._stop("cancelled", depth)
            if budget.progress is not None:
                budget.progress(self.now(depth))
        self._aim()

    def _stop(self, why: str, depth: int) -> None:
        reached = self.now(depth)
        found = f", {reached.found:,} found so far" if reached.found else ""
        seconds = time.monotonic() - self._since
        raise BudgetExceeded(
            f"{why} after {reached.calls:,} calls and {seconds:.1f} s{found}: nothing is proven", reached
        )


def budget_of(given: Budget | None) -> Budget:
    """Return the budget that was given, or one without limits.

    Examples
    --------
    >>> budget_of(5)
    Traceback (most recent call last):
    backrank.errors.InvalidPuzzle: a budget is a Budget, such as Budget(seconds=5), not 5
    """
    if given is None:
        return Budget()
    if not isinstance(given, Budget):
        raise InvalidPuzzle(f"a budget is a Budget, such as Budget(seconds=5), not {shown(given)}")
    return given
