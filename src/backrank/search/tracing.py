"""A run as a sequence: any event, any board, any counter of it, by number, forwards and backwards.

A search is deterministic, so nothing of it needs to be kept but a cursor here and there. A moment is reached from the
keyframe before it by a kernel that records nothing, and the events around it are made again in plain Python.
Moments that nobody has been to yet are reached by running on, so the first visit takes as long as the search.

A *moment* n is the board after n events; event n leads from moment n to moment n + 1.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from typing import NamedTuple

from backrank.errors import counted, whole
from backrank.runtime.budget import Budget
from backrank.search.cursor import Cursor, Stats
from backrank.search.engine import advance, start
from backrank.search.events import Event, EventKind, replay
from backrank.search.keyframes import Keyframes
from backrank.search.machine import machine_at, walk
from backrank.search.page import MAX_PAGE_EVENTS, framed, run_page
from backrank.search.runner import run
from backrank.search.spaces import Searchable, Space
from backrank.search.strategies.names import Strategy
from backrank.search.strategies.queens import QueensStrategy
from backrank.search.strategies.tours import TourStrategy

_BLOCK = 256
_BLOCKS_KEPT = 64


class Level(NamedTuple):
    """One level of the search, as a call stack shows it.

    Attributes
    ----------
    candidates : tuple of int
        The squares to try for the next piece, in order; of a full path, its last square, which is to be judged.
    tried : int
        How many of them have been tried.
    square : int or None
        The one of them on which the piece stands; None at the last level, which is still choosing.
    """

    candidates: tuple[int, ...]
    tried: int
    square: int | None


class Trace:
    """A search, event by event; made by :func:`trace`.

    Parameters
    ----------
    cursor : Cursor
        A moment of the search; the trace shows all of it, from its first event on.

    Attributes
    ----------
    space, strategy
        What is searched, and how.
    total : int or None
        How many events the run has; None as long as nobody has been at its end.
    """

    def __init__(self, cursor: Cursor, *, keyframes: int | None = None) -> None:
        self.space, self.strategy = cursor.space, cursor.strategy
        self.total: int | None = None
        self.keyframes = Keyframes(start(cursor.space, cursor.strategy), limit=keyframes)
        self._reached = self.keyframes.last
        self._blocks: OrderedDict[int, tuple[Cursor, list[Event]]] = OrderedDict()
        self._note(self._reached)
        if cursor.event:
            self._note(cursor)

    def __iter__(self) -> Iterator[Event]:
        """Yield all events from the first one on."""
        machine = machine_at(self.keyframes.cursors[0])
        while (event := machine.step()) is not None:
            if not machine.event % self.keyframes.spacing:
                self._note(machine.cursor())
            yield event
        self._note(machine.cursor())

    def at(self, n: int) -> Event:
        """Return event n.

        Raises
        ------
        IndexError
            If the run is over before.
        """
        events = self.window(n, n + 1)
        if not events:
            raise IndexError(f"event {counted(n, 'd')} is behind the end of the run, which has {self.total} events")
        return events[0]

    def window(self, first: int, stop: int) -> list[Event]:
        """Return the events from `first` up to, not including, `stop`; fewer where the run ends."""
        events: list[Event] = []
        if not self._has(first):
            return events
        for number in range(first // _BLOCK, (stop - 1) // _BLOCK + 1):
            block = self._block(number)[1]
            events += block[max(0, first - number * _BLOCK) : stop - number * _BLOCK]
            if len(block) < _BLOCK:
                break
        return events

    def cursor(self, n: int, *, budget: Budget | None = None) -> Cursor:
        """Return the cursor of moment n, from which :func:`advance` goes on with event n.

        Parameters
        ----------
        n : int
        budget : Budget, optional
            For the way to a moment that nobody has been to yet.

        Raises
        ------
        IndexError
            If the run has fewer events.
        SearchPaused
            If the budget is used up before; ask again to go on from there.
        """
        if not self._has(n, budget):
            raise IndexError(f"moment {counted(n, 'd')} is behind the end of the run, which has {self.total} events")
        if n == self._reached.event:
            return self._reached
        near = self.keyframes.before(n)
        base = self._blocks.get(n // _BLOCK)
        if base is not None and base[0].event >= near.event:
            near = base[0]
        return run(near, events=n - near.event, watch=self.keyframes.add)

    def path(self, n: int) -> list[int]:
        """Return the squares in place at moment n, in the order of placement."""
        if not self._has(n):
            raise IndexError(f"moment {counted(n, 'd')} is behind the end of the run, which has {self.total} events")
        first, events = self._block(n // _BLOCK)
        return replay(events[: n - first.event], first.path)

    def board(self, n: int) -> dict[int, int]:
        """Return which piece stands on each occupied square at moment n: the first has the number 1."""
        return {square: number for number, square in enumerate(self.path(n), 1)}

    def stats(self, n: int) -> Stats:
        """Return the counters at moment n."""
        return self.cursor(n).stats

    def stack(self, n: int) -> list[Level]:
        """Return the levels of the search at moment n, the outermost first."""
        cursor = self.cursor(n)
        squares = (*cursor.path, None)
        levels = zip(walk(cursor), cursor.tried, squares, strict=True)
        return [Level(tuple(machine.level()), tried, square) for machine, tried, square in levels]

    def run(self, *, budget: Budget | None = None, events: int | None = None, solutions: int | None = None) -> Cursor:
        """Run on from the furthest moment reached, noting keyframes; return the cursor there.

        Parameters are those of :func:`backrank.search.runner.run`; with none it runs to the end.
        """
        self._note(run(self._reached, events=events, solutions=solutions, budget=budget, watch=self._note))
        return self._reached

    @property
    def reached(self) -> Cursor:
        """The cursor of the furthest moment that anybody has been to."""
        return self._reached

    def next_solution(self, n: int, *, budget: Budget | None = None) -> int | None:
        """Return the number of the first solution among the events from n on; None if there is none."""
        wanted = self.cursor(n, budget=budget).solutions + 1
        if self._reached.solutions < wanted:
            self.run(budget=budget, solutions=wanted - self._reached.solutions)
        return self._solution(wanted)

    def previous_solution(self, n: int) -> int | None:
        """Return the number of the last solution among the events before n; None if there is none."""
        return self._solution(self.cursor(n).solutions)

    def html(self, *, events: int | None = None, language: str = "en") -> str:
        """Return a self-contained page that plays the run, forwards and backwards; see :mod:`backrank.search.page`.

        Parameters
        ----------
        events : int, optional
            How many events it holds, from the first on, at most 200,000; up to the first solution if not given, or
            200,000 if that is later.
        language : {"en", "zh"}

        Examples
        --------
        >>> from backrank.geometry.board import Board
        >>> from backrank.search import QueensSpace
        >>> trace(QueensSpace(Board(4))).html().startswith("<!doctype html>")
        True
        """
        if events is not None:
            whole(events, "the number of events of a page", 1, MAX_PAGE_EVENTS)
        if events is None:
            machine = machine_at(self.cursor(0))
            recorded: list[Event] = []
            while len(recorded) < MAX_PAGE_EVENTS and (event := machine.step()) is not None:
                recorded.append(event)
                if event.kind is EventKind.SOLUTION:
                    break
        else:
            recorded = self.window(0, events)
        stats = self.stats(len(recorded))
        finished = self.total is not None and len(recorded) >= self.total
        return run_page(self.space, self.strategy, recorded, stats, finished=finished, language=language)

    def _repr_html_(self) -> str:
        return framed(self.html())

    def _solution(self, number: int) -> int | None:
        """Return the number of the event that is the first, second, … solution of the part reached."""
        if not 0 < number <= self._reached.solutions:
            return None
        near = self.keyframes.before_solution(number)
        return run(near, solutions=number - near.solutions).event - 1

    def next_backtrack(self, n: int) -> int | None:
        """Return the number of the first leave among the events from n on; None if there is none."""
        before, low, leap = self.stats(n).backtracks, n, _BLOCK
        # Leaps that grow, by kernel, then halving: a million steps forward are passed over, not read.
        while self._has(low + leap) and self.stats(low + leap).backtracks == before:
            low, leap = low + leap, 2 * leap
        return self._changed(low, min(low + leap, self._reached.event), before)

    def previous_backtrack(self, n: int) -> int | None:
        """Return the number of the last leave among the events before n; None if there is none."""
        after, high, leap = self.stats(n).backtracks, n, _BLOCK
        if not after:
            return None
        while high > leap and self.stats(high - leap).backtracks == after:
            high, leap = high - leap, 2 * leap
        return self._changed(max(0, high - leap), high, after - 1)

    def _changed(self, low: int, high: int, backtracks: int) -> int | None:
        """Return the number of the leave that ends the time of so many backtracks, if it lies between two moments."""
        while high - low > _BLOCK:
            middle = (low + high) // 2
            if self.stats(middle).backtracks > backtracks:
                high = middle
            else:
                low = middle
        count = self.stats(low).backtracks
        for event in self.window(low, high):
            count += event.kind is EventKind.LEAVE
            if count > backtracks:
                return event.number
        return None

    def _has(self, n: int, budget: Budget | None = None) -> bool:
        """Whether the run has a moment n; runs on to it if nobody has been there yet."""
        if n < 0:
            raise IndexError(f"events are numbered from 0; there is no {n}")
        if n > self._reached.event:
            self.run(budget=budget, events=n - self._reached.event)
        return n <= self._reached.event

    def _block(self, number: int) -> tuple[Cursor, list[Event]]:
        """Return a block of events with the cursor before them, made again if it is not among those kept."""
        if number not in self._blocks:
            first = self.cursor(number * _BLOCK)
            events, last = advance(first, _BLOCK)
            self._note(last)
            self._blocks[number] = first, events
            if len(self._blocks) > _BLOCKS_KEPT:
                self._blocks.popitem(last=False)
        self._blocks.move_to_end(number)
        return self._blocks[number]

    def _note(self, cursor: Cursor) -> None:
        """Take notice of a moment: a keyframe, the furthest reached, or the end."""
        if cursor.event >= self._reached.event:
            self._reached = cursor
            self.keyframes.add(cursor)
        if cursor.done:
            self.total = cursor.event

    def __repr__(self) -> str:
        known = f"{self._reached.event:,} events so far" if self.total is None else f"{self.total:,} events"
        return f"<Trace of {self.space} by {self.strategy}, {known}>"


def trace(
    problem: Space | Searchable | Cursor,
    strategy: str | Strategy | TourStrategy | QueensStrategy | None = None,
    *,
    keyframes: int | None = None,
) -> Trace:
    """Return the search of a problem as a lazy sequence of events.

    Parameters
    ----------
    problem : Space, Searchable or Cursor
        What is searched; or a cursor of the search, when the strategy is its own.
    strategy : optional
        A name such as `warnsdorff+prune`, or a strategy itself; the usual one if not given.
    keyframes : int, optional
        How many cursors are kept at most; see :class:`~backrank.search.keyframes.Keyframes`.

    Examples
    --------
    >>> from backrank.geometry.board import Board
    >>> from backrank.search import QueensSpace
    >>> board = Board(4)
    >>> watched = trace(QueensSpace(board), "rows")
    >>> watched.at(8).text(board), watched.path(8), watched.path(9)
    ('leave c3', [0, 6], [0])
    >>> watched.stats(9).backtracks, watched.next_solution(0), watched.total
    (1, 30, 78)
    >>> [event.number for event in watched if event.kind == "solution"]
    [30, 47]
    """
    cursor = problem if isinstance(problem, Cursor) else start(problem, strategy)
    return Trace(cursor, keyframes=keyframes)
