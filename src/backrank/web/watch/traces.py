"""Runs that somebody has watched lately, kept to save time; any of them may be forgotten at any moment.

A search is deterministic, so a moment can always be reached again: from the nearest keyframe of a run that is kept,
from the cursor that the request brought along, or from the beginning. A cursor from outside is used for the request
that brought it, and never kept: however it was forged, nobody else sees anything of it.
"""

from __future__ import annotations

import threading
from collections import OrderedDict

from backrank.errors import BudgetExceeded
from backrank.runtime.budget import Budget
from backrank.search import Cursor, Trace, run, start, trace
from backrank.web.problems import Trouble, problem_of
from backrank.web.puzzles import Searched

# What a kept run costs at most: keyframes of two numbers a square, and blocks of events that were looked at.
_BYTES_A_SQUARE, _BYTES_A_RUN, _BYTES_A_TRACE = 80, 100_000, 8_000_000
_LEAST_FRAMES, _MOST_FRAMES = 32, 1024
_BLOCK, _ENTRANCES, _MOST_RUNS = 256, 16, 256


class KeptTrace:
    """One run with its lock: a trace is not made for several threads."""

    def __init__(self, what: Searched) -> None:
        self.what = what
        frames = _BYTES_A_TRACE // (_BYTES_A_SQUARE * what.space.total)
        self.trace: Trace = trace(
            start(what.space, what.strategy), keyframes=max(_LEAST_FRAMES, min(_MOST_FRAMES, frames))
        )
        self._entrances: OrderedDict[int, Cursor] = OrderedDict()
        self.lock = threading.Lock()

    @property
    def weight(self) -> int:
        """Bytes that it takes, roughly."""
        cursors = len(self.trace.keyframes.cursors) + len(self._entrances)
        return _BYTES_A_RUN + cursors * _BYTES_A_SQUARE * self.what.space.total

    @property
    def known(self) -> int:
        """The furthest moment that anybody has been to."""
        return self.trace.reached.event

    def at(self, number: int, given: Cursor | None, budget: Budget) -> Cursor:
        """Return the cursor of a moment, or that of the end if the run is shorter.

        Raises
        ------
        BudgetExceeded
            If it is too far; what has been reached is kept.
        """
        if given is not None and given.event > number:
            given = None
        block, reached = number - number % _BLOCK, self.trace.reached
        near = reached if reached.event <= number else self.trace.keyframes.before(number)
        if (entrance := self._entrances.get(block)) is not None and entrance.event > near.event:
            near = entrance
        if given is not None and given.event > near.event:
            return run(given, events=number - given.event, budget=budget)
        if near is reached:
            return near if near.done else self.trace.run(events=number - near.event, budget=budget)
        if near.event < block:
            near = run(near, events=block - near.event, budget=budget, watch=self.trace.keyframes.add)
            self._remember(near)
        return run(near, events=number - near.event, budget=budget)

    def _remember(self, cursor: Cursor) -> None:
        """Keep the beginning of a block: whoever is there will want its other moments, and the one before."""
        self._entrances[cursor.event] = cursor
        if len(self._entrances) > _ENTRANCES:
            self._entrances.popitem(last=False)

    def visit(self, number: int, budget: Budget) -> None:
        """Make sure that a moment has been visited, without help from outside."""
        missing = number - self.known
        if missing > 0 and self.trace.total is None:
            self.trace.run(events=missing, budget=budget)

    def too_far(self, error: BudgetExceeded) -> Trouble:
        """Return the problem of a moment that could not be reached in time."""
        return Trouble({**problem_of(error), "known": self.known})


class Traces:
    """The runs that are kept, least recently used first."""

    def __init__(self, most_bytes: int) -> None:
        self._most = most_bytes
        self._kept: OrderedDict[tuple[object, str], KeptTrace] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, what: Searched) -> KeptTrace:
        """Return a run, kept or new."""
        key = (what.space, what.strategy.name)
        with self._lock:
            found = self._kept.get(key)
            if found is None:
                found = self._kept[key] = KeptTrace(what)
            self._kept.move_to_end(key)
            weight = sum(each.weight for each in self._kept.values())
            while len(self._kept) > (1 if weight > self._most else _MOST_RUNS):
                weight -= self._kept.popitem(last=False)[1].weight
        return found

    def __len__(self) -> int:
        return len(self._kept)
