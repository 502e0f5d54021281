"""Keyframes: cursors kept along a run, so that any moment of it is a short way from one of them.

There are never more than so many. When they are too many every second one is dropped, and from then on they are taken
half as often; so they are evenly spread over the whole run, however long it gets.
"""

from __future__ import annotations

from bisect import bisect_right

from backrank.search.cursor import Cursor

MAX_KEYFRAMES = 1024
_MEMORY = 32_000_000
_BYTES_A_SQUARE = 80  # two tuple entries, and the numbers above 256 that they point to


class Keyframes:
    """Cursors of one run in the order of their events, the first of them its start.

    Parameters
    ----------
    first : Cursor
        The start of the run; it is never dropped.
    limit : int, optional
        How many are kept at most, at least 2; as many as fit 32 MB, but no more than 1024, if not given.
    spacing : int
        The least number of events between two of them, at the beginning.

    Examples
    --------
    >>> from backrank.geometry.board import Board
    >>> from backrank.search import QueensSpace, advance, start
    >>> cursor = start(QueensSpace(Board(6)))
    >>> frames = Keyframes(cursor, limit=4, spacing=1)
    >>> for _ in range(9):
    ...     cursor = advance(cursor, 1)[1]
    ...     frames.add(cursor)
    >>> frames.events, frames.spacing, frames.before(7).event
    ([0, 4, 8], 4, 4)
    """

    def __init__(self, first: Cursor, *, limit: int | None = None, spacing: int = 4096) -> None:
        fitting = _MEMORY // (_BYTES_A_SQUARE * first.space.total)
        self.limit = max(2, min(MAX_KEYFRAMES, fitting) if limit is None else limit)
        self.spacing = spacing
        self.cursors = [first]
        self.events = [first.event]

    def add(self, cursor: Cursor) -> None:
        """Keep a cursor, if it lies far enough from those before and behind it."""
        at = bisect_right(self.events, cursor.event)
        if at and cursor.event < self.events[at - 1] + self.spacing:
            return
        if at < len(self.events) and self.events[at] < cursor.event + self.spacing:
            return
        self.cursors.insert(at, cursor)
        self.events.insert(at, cursor.event)
        while len(self.cursors) > self.limit:
            self.spacing *= 2
            self._thin()

    def _thin(self) -> None:
        """Drop those that are nearer to the one kept before them than the spacing."""
        kept = [self.cursors[0]]
        for cursor in self.cursors[1:]:
            if cursor.event >= kept[-1].event + self.spacing:
                kept.append(cursor)
        self.cursors = kept
        self.events = [cursor.event for cursor in kept]

    @property
    def last(self) -> Cursor:
        """The latest."""
        return self.cursors[-1]

    def before(self, event: int) -> Cursor:
        """Return the latest cursor at which no more than so many events have happened."""
        return self.cursors[max(0, bisect_right(self.events, event) - 1)]

    def before_solution(self, solutions: int) -> Cursor:
        """Return the latest cursor with fewer solutions than that."""
        counts = [cursor.solutions for cursor in self.cursors]
        return self.cursors[max(0, bisect_right(counts, solutions - 1) - 1)]
