"""n queens: the puzzle, its placements, and the algorithms behind its verbs."""

from backrank.queens.placement import Placement
from backrank.queens.problem import Queens
from backrank.queens.reference import is_attacked
from backrank.queens.solving import QueensResult

__all__ = ["Placement", "Queens", "QueensResult", "is_attacked"]
