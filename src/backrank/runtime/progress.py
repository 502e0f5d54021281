"""How far a piece of work has come: what budgets report, and what an exceeded limit tells."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a piece of work has come.

    Attributes
    ----------
    seconds : float
        Wall time since the start.
    calls : int
        Pieces placed so far, every placement counted once.
    depth, total : int
        Pieces standing on the board at this moment, and how many a full answer has; 0 if unknown.
    found : int
        Answers found so far.
    """

    seconds: float
    calls: int
    depth: int = 0
    total: int = 0
    found: int = 0
