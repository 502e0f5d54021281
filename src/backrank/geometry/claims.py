"""What people hand over as an answer: the error for one that has faults."""

from __future__ import annotations

from collections.abc import Sequence

from backrank.errors import InvalidPuzzle
from backrank.geometry.verify import Fault


def require_faultless(faults: Sequence[Fault], noun: str) -> None:
    """Raise InvalidPuzzle, with the first fault and the number of the others, if there are any.

    Examples
    --------
    >>> from backrank.geometry.verify import FaultKind
    >>> require_faultless([Fault(FaultKind.WRONG_COUNT, "7 of 8 wanted queens stand on the board")], "placement")
    Traceback (most recent call last):
    backrank.errors.InvalidPuzzle: not a placement of this puzzle: wrong number of queens: 7 of 8 wanted queens stand \
on the board
    """
    if faults:
        more = f" (and {len(faults) - 1} more faults)" if len(faults) > 1 else ""
        raise InvalidPuzzle(f"not a {noun} of this puzzle: {faults[0]}{more}")
