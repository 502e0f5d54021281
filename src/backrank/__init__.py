"""backrank: knight's tours and n queens. Solve, list, count, check, draw, and watch the search work.

>>> from backrank import KnightTours, Queens
>>> KnightTours(5, 5, start="a5").count()
304
>>> Queens(8).count()
92
"""

from typing import TYPE_CHECKING

from backrank._version import __version__
from backrank.runtime.lazy import lazy_exports

if TYPE_CHECKING:
    from backrank.errors import (
        BackrankError,
        BoardTooLarge,
        BudgetExceeded,
        InvalidBoard,
        InvalidPuzzle,
        InvalidSquare,
        InvalidText,
        NoSuchNumber,
        UnknownName,
    )
    from backrank.formats import parse_placements, parse_tours
    from backrank.geometry.board import Board
    from backrank.geometry.existence import Existence
    from backrank.geometry.pieces import (
        BISHOP,
        KING,
        KNIGHT,
        QUEEN,
        ROOK,
        MoveGraph,
        Piece,
        leaper,
        move_graph,
        piece_named,
    )
    from backrank.geometry.symmetry import Symmetry, canonical_path, canonical_set, orbits, symmetries
    from backrank.geometry.verify import Fault, FaultKind, grid_faults, queens_faults, tour_faults
    from backrank.queens import Placement, Queens, QueensResult, is_attacked
    from backrank.runtime.budget import Budget
    from backrank.runtime.progress import Progress
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
    from backrank.tours import KnightTours, SearchResult, Tour

_HOMES = {
    name: module
    for module, names in {
        "geometry.board": "Board",
        "geometry.existence": "Existence",
        "runtime.budget": "Budget",
        "runtime.progress": "Progress",
        "errors": "BackrankError BoardTooLarge BudgetExceeded InvalidBoard InvalidPuzzle InvalidSquare InvalidText "
        "NoSuchNumber UnknownName",
        "formats": "parse_placements parse_tours",
        "geometry.pieces": "BISHOP KING KNIGHT QUEEN ROOK MoveGraph Piece leaper move_graph piece_named",
        "queens": "Placement Queens QueensResult is_attacked",
        "search": "ORDERS QUEENS_STRATEGIES TOUR_STRATEGIES Cursor InvalidCursor SearchPaused Trace advance "
        "read_cursor trace",
        "geometry.symmetry": "Symmetry canonical_path canonical_set orbits symmetries",
        "tours": "KnightTours SearchResult Tour",
        "geometry.verify": "Fault FaultKind grid_faults queens_faults tour_faults",
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
    "NoSuchNumber",
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
