"""Knight's tours: the puzzle, its tours, and the algorithms behind its verbs."""

from typing import TYPE_CHECKING

from backrank.runtime.lazy import lazy_exports

if TYPE_CHECKING:
    from backrank.geometry.existence import Existence
    from backrank.tours.puzzle import KnightTours
    from backrank.tours.result import SearchResult
    from backrank.tours.theorems.existence import existence
    from backrank.tours.tour import Tour

_HOMES = {
    "Existence": "theorems.existence",
    "KnightTours": "puzzle",
    "SearchResult": "result",
    "Tour": "tour",
    "existence": "theorems.existence",
}

__getattr__ = lazy_exports(__name__, _HOMES, globals())

__all__ = ["Existence", "KnightTours", "SearchResult", "Tour", "existence"]
