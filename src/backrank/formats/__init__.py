"""Reading and writing tours and placements: grids, lists, drawings, JSON, CSV, and NumPy files for large ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from backrank.runtime.lazy import lazy_exports

if TYPE_CHECKING:
    from backrank.formats.claims import PlacementClaim, TourClaim
    from backrank.formats.npy import (
        NumberedArray,
        read_columns_npy,
        read_tour_npy,
        write_columns_npy,
        write_tour_npy,
    )
    from backrank.formats.queens import PLACEMENT_FORMS, format_placement, parse_placements
    from backrank.formats.tours import TOUR_FORMS, format_tour, parse_tours

_HOMES = {
    "PLACEMENT_FORMS": "queens",
    "TOUR_FORMS": "tours",
    "NumberedArray": "npy",
    "PlacementClaim": "claims",
    "TourClaim": "claims",
    "format_placement": "queens",
    "format_tour": "tours",
    "parse_placements": "queens",
    "parse_tours": "tours",
    "read_columns_npy": "npy",
    "read_tour_npy": "npy",
    "write_columns_npy": "npy",
    "write_tour_npy": "npy",
}

__getattr__ = lazy_exports(__name__, _HOMES, globals())

__all__ = [
    "PLACEMENT_FORMS",
    "TOUR_FORMS",
    "NumberedArray",
    "PlacementClaim",
    "TourClaim",
    "format_placement",
    "format_tour",
    "parse_placements",
    "parse_tours",
    "read_columns_npy",
    "read_tour_npy",
    "write_columns_npy",
    "write_tour_npy",
]
