"""Counting for tests: by the algorithms alone, even where a theorem knows that there is nothing to count."""

from __future__ import annotations

from backrank.geometry.existence import Existence
from backrank.runtime.budget import Budget
from backrank.runtime.context import Context
from backrank.tours.counting.plan import plan_search
from backrank.tours.counting.run import run
from backrank.tours.counting.spec import TourCountSpec
from backrank.tours.spec import TourSpec


def count_tours(spec: TourSpec, wanted: TourCountSpec, budget: Budget | None = None, **means: object) -> int:
    """Count, without asking the theorems."""
    wanted.require_valid(spec)
    context = Context(budget or Budget(), **means)  # type: ignore[arg-type] # as the tests give them
    return run(plan_search(spec, wanted, Existence("unknown", "not asked"), context), context)
