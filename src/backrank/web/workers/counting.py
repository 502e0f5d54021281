"""Counting, as a worker does it: at once, or, if it takes long, as a job of the ledger that outlives this process.

What becomes a job is decided by :mod:`backrank.jobs.counts`, as on the command line. If the ledger has a job for the
count, however short it is, the count goes on with that, or takes its answer.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from backrank.jobs.counts import CountObserver, opened, resume, run_count
from backrank.runtime.context import Context, Keeping
from backrank.web.limits import Limits
from backrank.web.models import CountAsked, QueensPuzzle
from backrank.web.problems import problem_of
from backrank.web.puzzles import queens_of, tours_of

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from backrank.jobs import Job, JobProgress, Ledger, LedgerError
    from backrank.jobs.kinds import CountPlan
    from backrank.web.workers.context import WorkContext

GLANCE_SECONDS = 0.25
TELL_SECONDS = 0.25
_LIMITS = Limits()


def count(asked: Any, context: WorkContext) -> dict[str, Any]:
    """Count; whatever time it takes, unless a limit is set.

    Parameters
    ----------
    asked : dict
        `asked`: what is to be counted, or None if `job`, an id, says so; `ledger`: its path, or None; `named`: whether
        it is an error if it cannot be used.
    context : WorkContext
    """
    observer = _Reporter(context)
    wish = None if asked["asked"] is None else CountAsked.model_validate(asked["asked"])
    seconds = None if wish is None else wish.seconds
    mode: Literal["auto", "never"] = "never" if asked["ledger"] is None else "auto"
    keeping = Keeping(mode, asked["ledger"], look=True, named=bool(asked["named"]) or wish is None)
    means = Context(context.budget(seconds), force=True, keeping=keeping)
    if asked["job"] is not None and mode == "auto" and seconds is None:
        number = _resumed(asked["job"], means, observer, must_be_there=wish is None)
        if number is not None:
            return {"count": str(number)}
    if wish is None:
        raise AssertionError("a job without a ledger")
    if observer.is_unkept:
        means = replace(means, keeping=Keeping())
    return {"count": str(run_count(_plan(wish, means), means, observer).number)}


def _resumed(job: str, context: Context, observer: CountObserver, *, must_be_there: bool) -> int | None:
    """Return the answer of a job of the ledger; None if the ledger cannot be used, or has no such job."""
    with opened(context, observer) as ledger:
        if ledger is None or (not must_be_there and ledger.state(job) is None):
            return None
        return resume(ledger, ledger.job(job), context, observer).number


def _plan(wish: CountAsked, context: Context) -> CountPlan:
    if isinstance(wish.puzzle, QueensPuzzle):
        from backrank.queens.counting import plan as queens_plan  # noqa: PLC0415 - loads the counters
        from backrank.queens.counting.spec import QueensCountSpec  # noqa: PLC0415

        queens = queens_of(wish.puzzle, _LIMITS.count_squares, "counting")
        number = QueensCountSpec(wish.symmetry, wish.up_to_symmetry, wish.method)
        return queens_plan.plan(queens.spec, number, context)
    from backrank.tours.counting import plan as tours_plan  # noqa: PLC0415 - loads the counters
    from backrank.tours.counting.spec import TourCountSpec  # noqa: PLC0415

    tours = tours_of(wish.puzzle, _LIMITS.count_squares, "counting")
    directed = not tours.closed if wish.directed is None else wish.directed
    wanted = TourCountSpec(directed, wish.up_to_symmetry, wish.method, wish.symmetry, wish.strictly_open)
    return tours_plan.plan(tours.spec, wanted, context)


class _Reporter(CountObserver):
    """Reports to the server which job a count is, and how far it has come."""

    def __init__(self, context: WorkContext) -> None:
        self._tell = context.tell
        self.is_unkept = False

    def unkept(self, error: LedgerError) -> None:
        self.is_unkept = True
        self._tell("progress", {"unkept": problem_of(error)})

    def recorded(self, job: Job, ledger: Ledger) -> None:
        del ledger
        self._tell("progress", {"kept": {"job": job.id, "recorded": True}})

    def run_job(self, ledger: Ledger, job: Job, executor: Executor, context: Context, plan: CountPlan | None) -> int:
        from backrank.jobs import run_job  # noqa: PLC0415 - not every work needs it

        if ledger.is_kept:
            self._tell("progress", {"kept": {"job": job.id, "recorded": False}})
        if job.spec.kind == "tours":
            _wait_for_others(ledger, job.id)
        told = 0.0

        def watch(progress: JobProgress) -> None:
            nonlocal told
            now = time.monotonic()
            if now - told >= TELL_SECONDS or progress.done == progress.units:
                told = now
                self._tell("progress", {"job": progress.to_dict()})

        del context  # the server cancels jobs through the ledger, and ends the worker
        return run_job(ledger, job.id, executor, on_progress=watch, plan=plan)


def _wait_for_others(ledger: Ledger, job: str) -> None:
    """Tours are counted by one process at a time: wait until one that was killed no longer seems to be at work."""
    from backrank.jobs.ledger import ALIVE_SECONDS  # noqa: PLC0415

    until = time.monotonic() + ALIVE_SECONDS + 1
    while time.monotonic() < until and ledger.job(job).is_running:
        time.sleep(GLANCE_SECONDS)
