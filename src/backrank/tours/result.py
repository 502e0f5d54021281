"""What came of looking for a tour."""

from __future__ import annotations

from dataclasses import dataclass

from backrank.tours.tour import Tour


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What came of one search.

    Attributes
    ----------
    tour : Tour or None
        None only if it is proven that there is none.
    reason : str
        In words: why there is a tour, or why there is none.
    strategy : str
        How it was looked for; `theorem` if it was not.
    calls : int
        Placements of the piece, the first included.
    backtracks : int
        Placements taken back.
    seconds : float
        Wall time.
    """

    tour: Tour | None
    reason: str
    strategy: str
    calls: int = 0
    backtracks: int = 0
    seconds: float = 0.0
