"""Backtracking made visible: strategies, events, the cursor, and one resumable engine for every puzzle."""

from typing import TYPE_CHECKING

from backrank.runtime.lazy import lazy_exports

if TYPE_CHECKING:
    from backrank.search.compare import ComparedRun, Comparison, Summary, compare_queens, compare_tours
    from backrank.search.cursor import Cursor, InvalidCursor, Stats
    from backrank.search.effort import Effort, is_solved
    from backrank.search.engine import advance, start
    from backrank.search.events import Event, EventKind, Reason, replay, rewind
    from backrank.search.runner import SearchPaused, run
    from backrank.search.saved import read_cursor
    from backrank.search.spaces import QueensSpace, Searchable, Space, TourSpace
    from backrank.search.strategies.move_orders import ORDERS, ordered
    from backrank.search.strategies.names import Strategy, parse_strategy, strategy_names
    from backrank.search.strategies.queens import QUEENS_STRATEGIES, QueensStrategy, QueensView
    from backrank.search.strategies.tours import TOUR_STRATEGIES, TourStrategy, TourView, tour_strategy
    from backrank.search.tracing import Level, Trace, trace

_HOMES = {
    name: module
    for module, names in {
        "compare": "ComparedRun Comparison Summary compare_queens compare_tours",
        "cursor": "Cursor InvalidCursor Stats",
        "effort": "Effort is_solved",
        "engine": "advance start",
        "events": "Event EventKind Reason replay rewind",
        "strategies.names": "Strategy parse_strategy strategy_names",
        "strategies.move_orders": "ORDERS ordered",
        "strategies.queens": "QUEENS_STRATEGIES QueensStrategy QueensView",
        "runner": "SearchPaused run",
        "saved": "read_cursor",
        "spaces": "QueensSpace Searchable Space TourSpace",
        "strategies.tours": "TOUR_STRATEGIES TourStrategy TourView tour_strategy",
        "tracing": "Level Trace trace",
    }.items()
    for name in names.split()
}

__getattr__ = lazy_exports(__name__, _HOMES, globals())

__all__ = [
    "ORDERS",
    "QUEENS_STRATEGIES",
    "TOUR_STRATEGIES",
    "ComparedRun",
    "Comparison",
    "Cursor",
    "Effort",
    "Event",
    "EventKind",
    "InvalidCursor",
    "Level",
    "QueensSpace",
    "QueensStrategy",
    "QueensView",
    "Reason",
    "SearchPaused",
    "Searchable",
    "Space",
    "Stats",
    "Strategy",
    "Summary",
    "TourSpace",
    "TourStrategy",
    "TourView",
    "Trace",
    "advance",
    "compare_queens",
    "compare_tours",
    "is_solved",
    "ordered",
    "parse_strategy",
    "read_cursor",
    "replay",
    "rewind",
    "run",
    "start",
    "strategy_names",
    "tour_strategy",
    "trace",
]
