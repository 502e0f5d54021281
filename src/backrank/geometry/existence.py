"""Whether a puzzle has answers, as far as theorems tell: the value that both puzzles return."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

UNKNOWN = "no theorem covers this board; only a search can tell"


@dataclass(frozen=True, slots=True)
class Existence:
    """Whether answers exist, and why.

    Attributes
    ----------
    answer : {"yes", "no", "unknown"}
        Not a truth value: "unknown" is neither, so asking whether an `Existence` is true raises `TypeError`.
    reason : str
        The theorem or the count that tells.

    Examples
    --------
    >>> from backrank import KnightTours, Queens
    >>> KnightTours(4, 6, closed=True).existence().answer, Queens(3).existence().answer
    ('no', 'no')
    """

    answer: Literal["yes", "no", "unknown"]
    reason: str

    def __bool__(self) -> bool:
        """Raise TypeError, since there are three answers."""
        raise TypeError("an Existence is neither true nor false: ask its answer, as in known.answer == 'yes'")
