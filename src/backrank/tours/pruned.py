"""The same backtracking, but it looks for dead ends before it walks into them.

Every square still to be visited needs a way in and a way out. Let `ways[u]` be the number of squares from which
or to which the tour could still go at `u`: its unvisited neighbours, the square where the piece stands, and, for a
closed tour, the start. Then `u` needs two ways; only the last square of an open tour makes do with one. As
soon as some square has too few, no continuation can succeed and the search turns back. A step changes only the
ways of the neighbours of the square that it leaves, so the check costs at most eight look-ups.

Only branches without a tour are cut, so tours come out exactly as from `reference`, in the same order: what
it lists, and what it proves by finding nothing, is the same, for a small part of the calls.
"""

from __future__ import annotations

from collections.abc import Iterator

from backrank.budget import Counters, Meter
from backrank.search.strategies import TourStrategy, TourView


class _Ways:
    """Ways left at every unvisited square, and how many squares have too few."""

    def __init__(self, view: TourView, start: int, end: int | None, *, closed: bool) -> None:
        self.visited = view.visited
        self.adjacency = view.adjacency
        self.ways = [len(targets) for targets in view.adjacency]
        self.kept = start if closed else -1
        self.end = -1 if end is None else end
        # An open tour with a free end has one square, unknown which, that needs a single way.
        self.allowed = 0 if closed or end is not None else 1
        self.closed = closed
        self.starved = sum(self._is_starved(square) for square in view.board if square != start)

    def _is_starved(self, square: int) -> bool:
        need = 1 if square == self.end and not self.closed else 2
        # A square without any way is hopeless even where one starved square may be the last.
        return self.ways[square] < need

    def leave(self, left: int, entered: int) -> bool:
        """Move the piece on; say whether every square still has ways enough. `entered` is marked visited already."""
        self.starved -= self._is_starved(entered)
        if left == self.kept:
            return self.starved <= self.allowed
        hopeless = False
        for square in self.adjacency[left]:
            if not self.visited[square]:
                before = self._is_starved(square)
                self.ways[square] -= 1
                self.starved += self._is_starved(square) - before
                hopeless |= self.ways[square] == 0
        return not hopeless and self.starved <= self.allowed

    def go_back(self, left: int, entered: int) -> None:
        """Undo :meth:`leave`; `entered` is still marked visited."""
        if left != self.kept:
            for square in self.adjacency[left]:
                if not self.visited[square]:
                    before = self._is_starved(square)
                    self.ways[square] += 1
                    self.starved += self._is_starved(square) - before
        self.starved += self._is_starved(entered)


def iter_paths(
    view: TourView,
    start: int,
    strategy: TourStrategy,
    *,
    meter: Meter,
    counters: Counters,
    end: int | None = None,
    closed: bool = False,
) -> Iterator[list[int]]:
    """Yield every tour from `start`, in the order of the strategy.

    Parameters
    ----------
    view, start, strategy, meter, counters
        As for :func:`backrank.tours.reference.iter_paths`.
    end : int, optional
        The square on which the tour must end.
    closed : bool
        Whether the last square must be one move from the start. Each cycle comes in both directions.
    """
    length, visited, closing = len(view.board), view.visited, set(view.adjacency[start])
    ways = _Ways(view, start, end, closed=closed)
    calls, backtracks = counters.calls + 1, counters.backtracks
    path = [start]
    visited[start] = 1
    untried = [iter(view.candidates(start, strategy) if ways.starved <= ways.allowed else ())]
    while path:
        if len(path) == length and (not closed or (length > 2 and path[-1] in closing)):
            counters.calls, counters.backtracks = calls, backtracks
            meter.found += 1
            yield path
        for square in untried[-1]:
            if visited[square] or (square == end and len(path) + 1 < length):
                continue
            if calls >= meter.stop_at:
                counters.calls, counters.backtracks = calls, backtracks
                meter.tick(calls, len(path))
            calls += 1
            visited[square] = 1
            alive = ways.leave(path[-1], square)
            path.append(square)
            untried.append(iter(view.candidates(square, strategy) if alive else ()))
            break
        else:
            untried.pop()
            square = path.pop()
            if path:
                ways.go_back(path[-1], square)
            visited[square] = 0
            backtracks += 1
    counters.calls, counters.backtracks = calls, backtracks
