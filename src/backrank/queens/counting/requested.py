"""The number that is asked for: of all placements, of those with a symmetry, or of classes."""

from __future__ import annotations

from dataclasses import dataclass

from backrank.errors import InvalidPuzzle
from backrank.queens.counting import count as counting
from backrank.queens.counting import symmetric
from backrank.queens.listing.stream import require_no_placed
from backrank.queens.spec import QueensSpec
from backrank.runtime.budget import Budget


@dataclass(frozen=True, slots=True)
class QueensCountSpec:
    """Which number is wanted, and how; as for :meth:`backrank.Queens.count`."""

    symmetry: str | None = None
    up_to_symmetry: bool = False
    method: str = "auto"
    force: bool = False


def requested(question: QueensSpec, request: QueensCountSpec, budget: Budget) -> int:
    """Return the requested number.

    Raises
    ------
    BudgetExceeded, BoardTooLarge, InvalidPuzzle, UnknownName
        If a limit was reached, it would take too long, or there is no such number.
    """
    if request.symmetry is not None and request.up_to_symmetry:
        raise InvalidPuzzle("symmetric placements are counted one by one, not up to symmetry; choose one of the two")
    require_no_placed(question, fundamental=request.symmetry is not None or request.up_to_symmetry)
    what, question = str(question), question.reduced()[0]
    chosen = counting.plan(question, request.method, has_call_limit=budget.calls is not None)
    if request.symmetry is not None:
        permutation = symmetric.rotation(question.board, request.symmetry)
        if question.why_impossible() is not None:
            return 0
        count_them = symmetric.list_symmetric if request.method == "reference" else symmetric.count_symmetric
        return count_them(question, permutation, budget.start(question.queens))
    counting.require_sane(chosen, what, budget, force=request.force)
    meter = budget.start(question.queens)
    if not request.up_to_symmetry or question.why_impossible() is not None:
        return counting.count(question, chosen, meter)
    if request.method == "reference" or (chosen.method in ("bits", "plain") and symmetric.is_listed_soon(question)):
        return symmetric.list_classes(question, meter)
    return symmetric.count_classes(question, chosen, meter)
