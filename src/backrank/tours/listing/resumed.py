"""The listing of tours, begun anywhere: only those with a given beginning, or from a given tour on.

The same search as in :mod:`backrank.tours.listing.pruned`, in the same order. Before it begins, the squares of the
beginning or of the tour are stepped on as if it had come there by itself: of every square only the neighbours that come
later remain to be tried, and none of those of the beginning.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from backrank.geometry.pieces import move_graph
from backrank.runtime.budget import Meter
from backrank.search.strategies.dead_ends import Ways
from backrank.search.strategies.tours import TourView
from backrank.tours.spec import TourSpec


def iter_resumed(
    spec: TourSpec, beginning: Sequence[int], meter: Meter, first: Sequence[int] = ()
) -> Iterator[tuple[int, ...]]:
    """Yield all tours with a beginning in lexicographic order, as iterating reads them.

    Parameters
    ----------
    spec : TourSpec
    beginning : sequence of int
        At least one square; of its moves none may be wrong.
    meter : Meter
        Its calls are the squares stepped on, those of the beginning not counted.
    first : sequence of int, optional
        A tour with this beginning; those before it are passed over.

    Raises
    ------
    BudgetExceeded
        If a limit was reached first.

    Examples
    --------
    >>> from backrank.geometry.board import Board
    >>> from backrank.runtime.budget import Budget
    >>> from backrank.geometry.pieces import KNIGHT
    >>> spec = TourSpec(Board(3, 4), KNIGHT, False, None, None)
    >>> tours = list(iter_resumed(spec, (0, 6), Budget().start()))
    >>> len(tours), len(list(iter_resumed(spec, (0, 6), Budget().start(), first=tours[1])))
    (2, 1)
    """
    # Round glued edges, the order of the steps is not that of the squares.
    adjacency = [tuple(sorted(near)) for near in move_graph(spec.board, spec.piece).adjacency()]
    view = TourView(spec.board, adjacency)
    ways = Ways(view, beginning[0], spec.end, closed=spec.closed)
    path, untried = _walked(view, ways, first or beginning)
    calls, total = meter.calls, len(spec.board)
    if first or _is_whole(spec, adjacency, path):
        meter.found += 1
        yield tuple(path)
    while len(path) >= len(beginning):
        for square in untried[-1]:
            if view.visited[square] or ways.dead_end(path, square) >= 0:
                continue
            if calls >= meter.stop_at:
                meter.tick(calls, len(path))
            calls += 1
            ways.enter(path[-1], square)
            view.visited[square] = 1
            path.append(square)
            untried.append(iter(adjacency[square]))
            if len(path) == total and _is_whole(spec, adjacency, path):
                meter.calls = calls
                meter.found += 1
                yield tuple(path)
            break
        else:
            untried.pop()
            square = path.pop()
            view.visited[square] = 0
            if path:
                ways.leave(path[-1], square)
    meter.calls = calls


def _walked(view: TourView, ways: Ways, squares: Sequence[int]) -> tuple[list[int], list[Iterator[int]]]:
    """Step on some squares; return the path, and what remains to be tried from each of its squares."""
    path: list[int] = []
    untried: list[Iterator[int]] = []
    for square in squares:
        if path:
            untried.append(iter([other for other in view.adjacency[path[-1]] if other > square]))
            ways.enter(path[-1], square)
        view.visited[square] = 1
        path.append(square)
    untried.append(iter(view.adjacency[path[-1]]))
    return path, untried


def _is_whole(spec: TourSpec, adjacency: Sequence[Sequence[int]], path: Sequence[int]) -> bool:
    """Whether a path is a tour, and read as iterating reads it."""
    if len(path) < len(spec.board):
        return False
    if not spec.closed:
        return spec.end in (None, path[-1])
    if len(path) < 3 or path[-1] not in adjacency[path[0]]:
        return False
    return path[1] < path[-1] if spec.end is None else path[-1] == spec.end
