"""Reading and writing tours and placements: grids, lists, drawings, JSON, CSV."""

from __future__ import annotations

from backrank.formats.claims import PlacementClaim, TourClaim
from backrank.formats.queens import PLACEMENT_FORMS, format_placement, parse_placements
from backrank.formats.tours import TOUR_FORMS, format_tour, parse_tours

__all__ = [
    "PLACEMENT_FORMS",
    "TOUR_FORMS",
    "PlacementClaim",
    "TourClaim",
    "format_placement",
    "format_tour",
    "parse_placements",
    "parse_tours",
]
