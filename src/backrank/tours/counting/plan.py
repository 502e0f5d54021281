"""The plan of a count of tours: decided once, by theorem, by listing, by symmetry or by frontier.

| method | what is counted |
|---|---|
| `theorem` | nothing: a theorem says that there is no such tour |
| `listing` | every tour, one by one |
| `frontier` | cycles or paths, by the frontier dynamic program in plain Python |
| `layers` | the same, compiled, layer by layer |
| `quotient` | the tours that a rotation keeps, on the orbits of squares |

Up to symmetry, Burnside's lemma adds the tours that each symmetry keeps (:mod:`backrank.tours.counting.classes`).
Strictly open tours are the open ones without those that a closed tour gives when a step is left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from backrank.geometry.existence import Existence
from backrank.runtime.context import Context
from backrank.tours.counting import frontier_plan, reentrant
from backrank.tours.counting import spec as counted
from backrank.tours.counting.frontier_plan import LAYERS, LISTING, FrontierPlan
from backrank.tours.counting.spec import TourCountSpec
from backrank.tours.spec import TourSpec
from backrank.tours.theorems.existence import existence

MAX_COUNT_SQUARES = 10_000
AUTO, THEOREM, QUOTIENT = "auto", "theorem", "quotient"


@dataclass(frozen=True, slots=True)
class TourCountPlan:
    """How tours will be counted.

    Attributes
    ----------
    spec : TourSpec
        The puzzle.
    wanted : TourCountSpec
        The number.
    existence : Existence
    method : {"theorem", "listing", "frontier", "layers", "quotient"}
    frontier : FrontierPlan, optional
        Vertex order and forecast of the count of cycles or paths.
    closing : FrontierPlan, optional
        The same of the closed tours that are counted for strictly open ones.
    """

    kind: ClassVar[str] = "tours"
    spec: TourSpec
    wanted: TourCountSpec
    existence: Existence
    method: str
    frontier: FrontierPlan | None = None
    closing: FrontierPlan | None = None

    def __str__(self) -> str:
        if self.method == THEOREM:
            return f"nothing to count: {self.existence.reason}"
        if self.frontier is None:
            how = "one by one" if self.method == LISTING else "on the orbits of its squares"
            return f"{self.what}, by {self.method}: {how}"
        return str(self.frontier)

    @property
    def what(self) -> str:
        """What is counted, in words."""
        return counted.sentence(self.spec, self.wanted)

    @property
    def facts(self) -> dict[str, Any]:
        """What is counted, as plain data."""
        return counted.facts(self.spec, self.wanted)

    @property
    def seconds(self) -> float | None:
        """Seconds that it will take one thread, roughly; None if nothing is foreseen."""
        return None if self.frontier is None else self.frontier.seconds

    @property
    def memory(self) -> int | None:
        """Bytes that it will take, roughly; None if nothing is foreseen."""
        return None if self.frontier is None else self.frontier.memory

    @property
    def is_resumable(self) -> bool:
        """Whether it can be stopped after each layer and resumed: then it may be kept as a job."""
        return self.method == LAYERS and self.wanted.is_plain

    @property
    def is_keepable(self) -> bool:
        """Whether it can be a job: as :attr:`is_resumable`."""
        return self.is_resumable

    def require_affordable(self, context: Context) -> None:
        """Accept any time: a count by layers can be resumed."""
        del context


def plan(spec: TourSpec, wanted: TourCountSpec, context: Context | None = None) -> TourCountPlan:
    """Return how to count.

    What is to be kept as a job is counted by layers, which can be resumed.

    Raises
    ------
    BoardTooLarge
        If the frontier is too wide for the method.
    InvalidPuzzle, UnknownName
        If there is no such number, or the method does not count it.

    Examples
    --------
    >>> from backrank.geometry.board import Board
    >>> from backrank.geometry.pieces import KNIGHT
    >>> [plan(TourSpec(Board(n), KNIGHT, True, None, None), TourCountSpec(False)).method for n in (5, 6, 8)]
    ['theorem', 'frontier', 'layers']
    """
    wanted.require_valid(spec)
    known = existence(spec.board, spec.piece, closed=spec.closed, start=spec.start, end=spec.end)
    if known.answer == "no":
        return TourCountPlan(spec, wanted, known, THEOREM)
    return plan_search(spec, wanted, known, context)


def plan_search(
    spec: TourSpec, wanted: TourCountSpec, known: Existence, context: Context | None = None
) -> TourCountPlan:
    """Return how to count what no theorem excludes; also of use to see whether a count agrees with a theorem."""
    if wanted.method == LISTING:
        return TourCountPlan(spec, wanted, known, LISTING)
    if wanted.symmetry is not None:
        return TourCountPlan(spec, wanted, known, QUOTIENT)
    is_job = context is not None and context.keeping.mode == "always" and wanted.is_plain
    method = LAYERS if is_job and wanted.method == AUTO else wanted.method
    how = plan_frontier(spec, method=method)
    closing = _closing(spec, wanted) if wanted.strictly_open else None
    return TourCountPlan(spec, wanted, known, how.method, how, closing)


def plan_frontier(spec: TourSpec, *, method: str = "auto", seed: int = 0) -> FrontierPlan:
    """Return how the cycles or paths of a puzzle are counted; see :func:`.frontier_plan.explain`."""
    spec.board.require_at_most(MAX_COUNT_SQUARES, "counting")
    return frontier_plan.explain(spec, method=method, seed=seed)


def _closing(spec: TourSpec, wanted: TourCountSpec) -> FrontierPlan | None:
    """Return how to count the closed tours that must be known; None if there are none, or none are needed."""
    closed = reentrant.closed_ones(spec)
    if closed is None or existence(closed.board, closed.piece, closed=True).answer == "no":
        return None
    return plan_frontier(closed, method=wanted.method)
