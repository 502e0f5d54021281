"""`backrank count tours --explain`: how tours would be counted, and what that is expected to take."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from backrank.cli.counted import Answer
from backrank.cli.output import remark
from backrank.errors import InvalidPuzzle

if TYPE_CHECKING:
    from backrank.tours import KnightTours
    from backrank.tours.counting.frontier_plan import FrontierPlan


def print_plan(puzzle: KnightTours, answer: Answer, facts: dict[str, Any], *, method: str, memory: int | None) -> None:
    """Print how the tours would be counted; or why there is nothing to count."""
    if method == "listing":
        raise InvalidPuzzle("--explain foresees counts without listing; leave out --method listing, or --explain")
    plan = puzzle.count_plan(method=method)
    with answer.sink as sink:
        if plan.frontier is None:
            told = {"plan": None, "reason": plan.existence.reason, **facts}
        else:
            told = {"plan": _figures(plan.frontier), **facts}
        sink.write(json.dumps(told, ensure_ascii=False) if answer.as_json else f"{plan}")
    if memory is not None and (plan.memory or 0) > memory:
        from backrank.runtime.quantities import size_of

        remark(
            f"only {size_of(memory)} are allowed: with --folder DIR what does not fit goes to disk", quiet=answer.quiet
        )


def _figures(plan: FrontierPlan) -> dict[str, Any]:
    """Return what a program gets to read."""
    return {
        "method": plan.method,
        "squares": len(plan.route.order),
        "mirrored": plan.route.mirror is not None,
        "active": list(plan.widths),
        "states": round(plan.states),
        "memory": plan.memory,
        "seconds": round(plan.seconds, 3),
    }
