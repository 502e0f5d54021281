"""The same backtracking, but it looks for dead ends before it walks into them.

Every square still to be visited needs a way in and a way out; `backrank.search.strategies.dead_ends` keeps count of
them. A step that would leave some square with too few is not made: no continuation of it could succeed. Only branches
without a tour are cut, so tours come out exactly as from `reference`, in the same order: what it lists, and what it
proves by finding nothing, is the same, for a small part of the calls.
"""

from __future__ import annotations

from collections.abc import Iterator

from backrank.runtime.budget import Counters, Meter
from backrank.search.strategies.dead_ends import Ways
from backrank.search.strategies.tours import TourStrategy, TourView


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
        As for :func:`backrank.tours.listing.reference.iter_paths`.
    end : int, optional
        The square on which the tour must end.
    closed : bool
        Whether the last square must be one move from the start. Each cycle comes in both directions.
    """
    length, visited, closing = len(view.board), view.visited, set(view.adjacency[start])
    ways = Ways(view, start, end, closed=closed)
    calls, backtracks = counters.calls + 1, counters.backtracks
    path = [start]
    visited[start] = 1
    untried = [iter(view.candidates(start, strategy) if ways.dead_at_start < 0 else ())]
    while path:
        if len(path) == length and (not closed or (length > 2 and path[-1] in closing)):
            counters.calls, counters.backtracks = calls, backtracks
            meter.found += 1
            yield path
        for square in untried[-1]:
            if visited[square] or ways.dead_end(path, square) >= 0:
                continue
            if calls >= meter.stop_at:
                counters.calls, counters.backtracks = calls, backtracks
                meter.tick(calls, len(path))
            calls += 1
            ways.enter(path[-1], square)
            visited[square] = 1
            path.append(square)
            untried.append(iter(view.candidates(square, strategy)))
            break
        else:
            untried.pop()
            square = path.pop()
            visited[square] = 0
            if path:
                ways.leave(path[-1], square)
            backtracks += 1
    counters.calls, counters.backtracks = calls, backtracks
