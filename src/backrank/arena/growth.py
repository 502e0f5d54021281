"""How time and memory grow: a line through the logarithms, by least squares.

On a linear scale the slope is a factor for each unit (each queen more takes so many times as long), on a logarithmic
one a power of the size. Times of less than a millisecond are left out where enough others are left: what they tell is
the cost of beginning.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from backrank.arena.timing import Timing

NOTICEABLE = 1e-3
NOTICEABLE_BYTES = 2_000_000
LEAST_POINTS = 3

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Growth:
    """A law that was fitted.

    Attributes
    ----------
    factor : float
        For each unit on a linear scale; the exponent on a logarithmic one.
    scale : str
    points : int
        How many it was fitted to.
    """

    factor: float
    scale: str
    points: int

    def __str__(self) -> str:
        return f"size^{self.factor:.1f}" if self.scale == "log" else f"x {self.factor:.2f}"


def fitted(points: Sequence[Point], scale: str) -> Growth | None:
    """Return the law that goes through points best, or None if they are too few.

    Examples
    --------
    >>> print(fitted([(8, 0.01), (9, 0.05), (10, 0.25)], "linear"))
    x 5.00
    >>> print(fitted([(10, 0.01), (20, 0.04), (40, 0.16)], "log"))
    size^2.0
    """
    if len(points) < LEAST_POINTS:
        return None
    across = [math.log(size) if scale == "log" else size for size, _ in points]
    up = [math.log(value) for _, value in points]
    middle, level = sum(across) / len(points), sum(up) / len(points)
    slope = sum((x - middle) * (y - level) for x, y in zip(across, up, strict=True))
    slope /= sum((x - middle) ** 2 for x in across)
    return Growth(slope if scale == "log" else math.exp(slope), scale, len(points))


def time_growth(timings: Sequence[Timing], scale: str) -> Growth | None:
    """Return how the CPU time of an entrant grows; timings of one entrant in one series."""
    points = [(float(timing.size), timing.cpu) for timing in timings if timing.is_timed and timing.cpu > 0]
    long = [point for point in points if point[1] >= NOTICEABLE]
    return fitted(long if len(long) >= LEAST_POINTS else points, scale)


def memory_growth(timings: Sequence[Timing], scale: str) -> Growth | None:
    """Return how the memory that an entrant takes for a case grows, beyond what it held before."""
    taken = [(float(timing.size), float(timing.peak - timing.held)) for timing in timings if timing.is_timed]
    return fitted([point for point in taken if point[1] >= NOTICEABLE_BYTES], scale)
