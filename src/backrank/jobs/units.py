"""One unit of a job, as it travels to a worker; and what comes back.

What travels is the specification and a number. The worker makes the tables that it needs once, and keeps them for the
next units of the same job. It refuses units of another version of this package.
"""

from __future__ import annotations

import os
import platform
import time
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Protocol

from backrank._version import __version__
from backrank.errors import InvalidText
from backrank.jobs.errors import WorkerMismatch
from backrank.jobs.spec import JobSpec
from backrank.runtime.budget import Budget, Meter


class Work(Protocol):
    """What a kind of job has to be able to do."""

    def run(self, unit: int, meter: Meter) -> int:
        """Return the result of a unit; the meter is ticked, and may stop it."""
        ...


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a unit.

    Attributes
    ----------
    unit : int
    result : str
        A decimal number.
    calls : int
        Placements made, as the method counts them.
    seconds : float
        Wall time.
    worker : str
        Host and process.
    """

    unit: int
    result: str
    calls: int = 0
    seconds: float = 0.0
    worker: str = ""


@dataclass(frozen=True, slots=True)
class UnitTask:
    """A unit to be done, anywhere.

    Attributes
    ----------
    spec : str
        The specification, as JSON.
    unit : int
    name : str
        What monitors of clusters show; unique for each try of each unit.
    version : str
        Of the package that sends it.
    budget : Budget
        For workers that share memory with whoever may cancel.
    """

    spec: str
    unit: int
    name: str = ""
    version: str = __version__
    budget: Budget = field(default_factory=Budget)


def perform(task: UnitTask) -> Outcome:
    """Do a unit.

    Raises
    ------
    WorkerMismatch
        If this is another version of the package than that of whoever sent it.
    BudgetExceeded
        If it was cancelled.
    """
    here = f"{platform.node()}:{os.getpid()}"
    if task.version != __version__:
        raise WorkerMismatch(
            f"the worker {here} has backrank {__version__}, and this count needs backrank {task.version}"
        )
    began = time.perf_counter()
    work = work_of(task.spec)
    meter = task.budget.start()
    result = work.run(task.unit, meter)
    return Outcome(task.unit, str(result), meter.calls, time.perf_counter() - began, here)


def installed() -> str:
    """Return the version of the package that a worker has."""
    return __version__


@lru_cache(maxsize=2)
def work_of(spec: str) -> Work:
    """Return what does the units of a job; the last ones are kept, since their tables are large."""
    parsed = JobSpec.from_json(spec)
    parsed.require_current()
    if parsed.kind == "queens":
        from backrank.jobs.queens import QueensWork  # noqa: PLC0415 - loads numpy, and numba when it counts

        return QueensWork(parsed)
    raise InvalidText(f"jobs of the kind {parsed.kind} are not done unit by unit")
