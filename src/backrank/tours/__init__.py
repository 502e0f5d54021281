"""Knight's tours: the puzzle, its tours, and the algorithms behind its verbs."""

from backrank.tours.existence import Existence, existence
from backrank.tours.problem import KnightTours
from backrank.tours.result import SearchResult
from backrank.tours.tour import Tour

__all__ = ["Existence", "KnightTours", "SearchResult", "Tour", "existence"]
