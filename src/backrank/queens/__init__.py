"""n queens: the puzzle, its placements, and the algorithms behind its verbs."""

from typing import TYPE_CHECKING

from backrank.runtime.lazy import lazy_exports

if TYPE_CHECKING:
    from backrank.queens.backtracking.reference import is_attacked
    from backrank.queens.placement import Placement
    from backrank.queens.puzzle import Queens
    from backrank.queens.solve.stages import QueensResult

_HOMES = {
    "Placement": "placement",
    "Queens": "puzzle",
    "QueensResult": "solve.stages",
    "is_attacked": "backtracking.reference",
}

__getattr__ = lazy_exports(__name__, _HOMES, globals())

__all__ = ["Placement", "Queens", "QueensResult", "is_attacked"]
