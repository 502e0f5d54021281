"""Knight's tours: the puzzle, its tours, and the algorithms behind its verbs."""

from backrank.tours.existence.theorems import Existence, existence
from backrank.tours.puzzle import KnightTours
from backrank.tours.result import SearchResult
from backrank.tours.tour import Tour

__all__ = ["Existence", "KnightTours", "SearchResult", "Tour", "existence"]
