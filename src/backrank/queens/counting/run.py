"""Run a planned count of placements: the only way from the puzzle to the counting kernels."""

from __future__ import annotations

from backrank.queens.counting import methods, symmetric
from backrank.queens.counting.plan import QueensCountPlan
from backrank.runtime.context import Context


def run(plan: QueensCountPlan, context: Context) -> int:
    """Return the number of placements that a plan counts.

    Raises
    ------
    BudgetExceeded, BoardTooLarge
        If a limit is reached first; or it would take more than a day, and there is no limit.

    Examples
    --------
    >>> from backrank.geometry.board import Board
    >>> from backrank.queens.counting.plan import plan
    >>> from backrank.queens.counting.spec import QueensCountSpec
    >>> from backrank.queens.spec import QueensSpec
    >>> run(plan(QueensSpec(Board(8), 8), QueensCountSpec(up_to_symmetry=True)), Context())
    12
    """
    spec, wanted, budget = plan.reduced, plan.wanted, context.budget
    if plan.rotation is not None:
        if plan.is_impossible:
            return 0
        count_them = symmetric.list_symmetric if wanted.method == "reference" else symmetric.count_symmetric
        return count_them(spec, plan.rotation, budget.start(spec.queens))
    plan.require_affordable(context)
    meter, chosen = budget.start(spec.queens), plan.chosen
    if not wanted.up_to_symmetry or plan.is_impossible:
        return methods.count(spec, chosen, meter, context.threads)
    if wanted.method == "reference" or (chosen.method in ("bits", "plain") and symmetric.is_listed_soon(spec)):
        return symmetric.list_classes(spec, meter)
    return symmetric.count_classes(spec, chosen, meter, context.threads)
