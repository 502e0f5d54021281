"""n queens: the puzzle, its placements, and the algorithms behind its verbs."""

from backrank.queens.backtracking.reference import is_attacked
from backrank.queens.placement import Placement
from backrank.queens.puzzle import Queens
from backrank.queens.solve.stages import QueensResult

__all__ = ["Placement", "Queens", "QueensResult", "is_attacked"]
