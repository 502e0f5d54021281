"""All tours, in lexicographic order of their squares: the order of listing, ranking and iterating."""

from __future__ import annotations

from collections.abc import Iterator

from backrank.geometry.pieces import move_graph
from backrank.runtime.budget import Counters, Meter
from backrank.search.strategies.tours import TourView, tour_strategy
from backrank.tours.listing import pruned
from backrank.tours.spec import TourSpec

MAX_LISTED_SQUARES = 1_000_000


def iter_exact(spec: TourSpec, meter: Meter) -> Iterator[tuple[int, ...]]:
    """Yield every tour in lexicographic order of its squares.

    Open tours come from every start (or the given one). A closed tour comes once, read from the given start or the
    least square, in the direction whose second square is the lesser; with an end given, in the one that ends there.
    """
    board = spec.board
    board.require_at_most(MAX_LISTED_SQUARES, "listing")
    adjacency = move_graph(board, spec.piece).adjacency()
    # Round glued edges, the order of the steps is not that of the squares.
    view = TourView(board, [tuple(sorted(targets)) for targets in adjacency])
    counters = Counters()
    rule = tour_strategy("fixed")
    once = spec.closed and spec.end is None
    starts = list(board) if spec.start is None else [spec.start]
    if spec.closed:
        starts = starts[:1]
    for start in starts:
        if start == spec.end and len(board) > 1:
            continue
        paths = pruned.iter_paths(view, start, rule, meter=meter, counters=counters, end=spec.end, closed=spec.closed)
        for path in paths:
            if once and path[1] > path[-1]:
                meter.found -= 1
                continue
            yield tuple(path)
