"""What the stages of solving hand on: a tour in whatever form it was found, and what it cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from backrank.tours.steps import Steps

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Built tours are not written down before somebody wants them; random ones of large boards are arrays.
Squares: TypeAlias = "tuple[int, ...] | NDArray[Any] | Steps"


@dataclass(frozen=True, slots=True)
class Found:
    """What came of a search: the squares of a tour, or None if there is none; what it cost; and why there is none.

    Without a reason in words, an exhaustive search has come to its end.
    """

    squares: Squares | None
    calls: int
    backtracks: int
    seconds: float
    reason: str | None = None


def backwards(squares: Squares) -> Squares:
    """Return an open tour from its end to its start."""
    return squares.backwards() if isinstance(squares, Steps) else squares[::-1]
