"""Backtracking for tours as the textbook has it, written with a stack of its own instead of recursion.

Stand on a square. Try the next squares in the strategy's order: step on the first that is free, and go on
from there. If none is free, step back and try the next one from where you were. When every square has been
visited, that is a tour. The stack holds one iterator a step, so a tour of 3,600 squares needs no recursion, and
its cost is counted as the tutorials count it: every placement of the piece is one *call*, the first included.
"""

from __future__ import annotations

from collections.abc import Iterator

from backrank.runtime.budget import Counters, Meter
from backrank.search.strategies.tours import TourStrategy, TourView


def iter_paths(
    view: TourView, start: int, strategy: TourStrategy, *, meter: Meter, counters: Counters
) -> Iterator[list[int]]:
    """Yield every way to visit all squares from `start`, in the order of the strategy.

    The list that is yielded is the search's own: copy it before going on.

    Parameters
    ----------
    view : TourView
        The board and its moves; nothing visited.
    start : int
        The first square.
    strategy : TourStrategy
    meter : Meter
        Stops the search when its budget is spent.
    counters : Counters
        Added to; right whenever a path is yielded and at the end.
    """
    length, visited = len(view.board), view.visited
    calls, backtracks = counters.calls + 1, counters.backtracks
    path = [start]
    visited[start] = 1
    untried = [iter(view.candidates(start, strategy))]
    while path:
        if len(path) == length:
            counters.calls, counters.backtracks = calls, backtracks
            meter.found += 1
            yield path
        for square in untried[-1]:
            if not visited[square]:
                if calls >= meter.stop_at:
                    counters.calls, counters.backtracks = calls, backtracks
                    meter.tick(calls, len(path))
                calls += 1
                path.append(square)
                visited[square] = 1
                untried.append(iter(view.candidates(square, strategy)))
                break
        else:
            untried.pop()
            visited[path.pop()] = 0
            backtracks += 1
    counters.calls, counters.backtracks = calls, backtracks
