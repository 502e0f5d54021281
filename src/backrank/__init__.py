"""backrank: knight's tours and n queens. Solve, list, count, check, draw, and watch the search work.

>>> from backrank import KnightTours, Queens
>>> KnightTours(5, 5, start="a5").count()
304
>>> Queens(8).count()
92
"""

from typing import TYPE_CHECKING

from backrank._lazy import lazy_exports
from backrank._version import __version__

if TYPE_CHECKING:
    from backrank.board import Board
    from backrank.budget import Budget, Progress
    from backrank.errors import (
        BackrankError,
        BoardTooLarge,
        BudgetExceeded,
        InvalidBoard,
        InvalidPuzzle,
        InvalidSquare,
        InvalidText,
        UnknownName,
    )
    from backrank.formats import parse_placements, parse_tours
    from backrank.pieces import BISHOP, KING, KNIGHT, QUEEN, ROOK, MoveGraph, Piece, leaper, move_graph, piece_named
    from backrank.queens import Placement, Queens, QueensResult, is_attacked
    from backrank.search import (
        ORDERS,
        QUEENS_STRATEGIES,
        TOUR_STRATEGIES,
        Cursor,
        InvalidCursor,
        SearchPaused,
        Trace,
        advance,
        read_cursor,
        trace,
    )
    from backrank.symmetry import Symmetry, canonical_path, canonical_set, orbits, symmetries
    from backrank.tours import Existence, KnightTours, SearchResult, Tour
    from backrank.verify import Fault, FaultKind, grid_faults, queens_faults, tour_faults

_HOMES = {
    name: module
    for module, names in {
        "board": "Board",
        "budget": "Budget Progress",
        "errors": "BackrankError BoardTooLarge BudgetExceeded InvalidBoard InvalidPuzzle InvalidSquare InvalidText "
        "UnknownName",
        "formats": "parse_placements parse_tours",
        "pieces": "BISHOP KING KNIGHT QUEEN ROOK MoveGraph Piece leaper move_graph piece_named",
        "queens": "Placement Queens QueensResult is_attacked",
        "search": "ORDERS QUEENS_STRATEGIES TOUR_STRATEGIES Cursor InvalidCursor SearchPaused Trace advance "
        "read_cursor trace",
        "symmetry": "Symmetry canonical_path canonical_set orbits symmetries",
        "tours": "Existence KnightTours SearchResult Tour",
        "verify": "Fault FaultKind grid_faults queens_faults tour_faults",
    }.items()
    for name in names.split()
}

__getattr__ = lazy_exports(__name__, _HOMES, globals())

__all__ = [
    "BISHOP",
    "KING",
    "KNIGHT",
    "ORDERS",
    "QUEEN",
    "QUEENS_STRATEGIES",
    "ROOK",
    "TOUR_STRATEGIES",
    "BackrankError",
    "Board",
    "BoardTooLarge",
    "Budget",
    "BudgetExceeded",
    "Cursor",
    "Existence",
    "Fault",
    "FaultKind",
    "InvalidBoard",
    "InvalidCursor",
    "InvalidPuzzle",
    "InvalidSquare",
    "InvalidText",
    "KnightTours",
    "MoveGraph",
    "Piece",
    "Placement",
    "Progress",
    "Queens",
    "QueensResult",
    "SearchPaused",
    "SearchResult",
    "Symmetry",
    "Tour",
    "Trace",
    "UnknownName",
    "__version__",
    "advance",
    "canonical_path",
    "canonical_set",
    "grid_faults",
    "is_attacked",
    "leaper",
    "move_graph",
    "orbits",
    "parse_placements",
    "parse_tours",
    "piece_named",
    "queens_faults",
    "read_cursor",
    "symmetries",
    "tour_faults",
    "trace",
]
