"""n queens: the puzzle, its placements, and the algorithms behind its verbs."""

from backrank.queens.placement import Placement
from backrank.queens.problem import Queens, QueensResult
from backrank.queens.reference import is_attacked

__all__ = ["Placement", "Queens", "QueensResult", "is_attacked"]
