"""The kinds of counts, one for each puzzle: where plans become jobs, and where plans are run.

A further puzzle adds an entry. Its module of jobs has `outline(plan)`, `cut(plan, units)`, `specs_of(asked)` and
`facts_of(asked)`; its module of plans has `run(plan, context)`.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, Protocol

from backrank.jobs.spec import JobSpec
from backrank.runtime.context import Context

_JOBS = {"queens": "backrank.jobs.queens", "tours": "backrank.jobs.tours"}
_RUNS = {"queens": "backrank.queens.counting.run", "tours": "backrank.tours.counting.run"}


class CountPlan(Protocol):
    """The plan of a count, of either puzzle."""

    @property
    def kind(self) -> str:
        """The puzzle: a key of the tables of this module."""
        ...

    @property
    def what(self) -> str:
        """What is counted, in words."""
        ...

    @property
    def facts(self) -> dict[str, Any]:
        """What is counted, as plain data."""
        ...

    @property
    def method(self) -> str:
        """The method."""
        ...

    @property
    def seconds(self) -> float | None:
        """Seconds that it will take one thread, roughly; None if nothing is foreseen."""
        ...

    @property
    def memory(self) -> int | None:
        """Bytes that it will take, roughly; None if nothing is foreseen."""
        ...

    @property
    def is_resumable(self) -> bool:
        """Whether what is done is recorded in steps."""
        ...

    @property
    def is_keepable(self) -> bool:
        """Whether it can be a job."""
        ...

    def require_affordable(self, context: Context) -> None:
        """Raise BoardTooLarge if it would take too long."""
        ...


def outline(plan: CountPlan) -> JobSpec:
    """Return a planned count as a job that is not cut yet; its key identifies the count in a ledger."""
    job: JobSpec = import_module(_JOBS[plan.kind]).outline(plan)
    return job


def cut(plan: CountPlan, units: int | None) -> JobSpec:
    """Return a planned count as a job, cut into units."""
    job: JobSpec = import_module(_JOBS[plan.kind]).cut(plan, units)
    return job


def facts_of(job: JobSpec) -> dict[str, Any]:
    """Return what a job counts, as plain data."""
    found: dict[str, Any] = import_module(_JOBS[job.kind]).facts_of(dict(job.asked))
    return found


def run(plan: CountPlan, context: Context) -> int:
    """Run a planned count, without a ledger."""
    number: int = import_module(_RUNS[plan.kind]).run(plan, context)
    return number
