"""Run a planned count, and keep it as a job of a ledger where that is worth it: one policy for every caller.

The command line, the page and the methods of the puzzles make a plan, and call :func:`run_count` with it. A count
becomes a job if that is asked for; or if it is expected to take more than a few seconds on all threads, can be resumed,
fits into the memory, and has no limit of time, calls or memory and no work folder: with a limit it is an attempt.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING

from backrank.errors import InvalidPuzzle, shown
from backrank.jobs import kinds
from backrank.jobs.kinds import CountPlan
from backrank.runtime.context import Context
from backrank.runtime.cpu import available_threads
from backrank.runtime.memory import available_bytes

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from backrank.jobs.errors import LedgerError
    from backrank.jobs.ledger import Job, Ledger
    from backrank.jobs.spec import JobSpec

KEPT_FROM_SECONDS = 5.0  # counts that will take longer, with all cores, become jobs
FITS = 0.9  # of the free memory


@dataclass(frozen=True, slots=True)
class Counted:
    """The result of a count.

    Attributes
    ----------
    number : int
    job : str, optional
        The job that it is kept as.
    recorded : bool
        Whether the ledger had the answer already.
    """

    number: int
    job: str | None = None
    recorded: bool = False


class CountObserver:
    """What happens in a count, for callers that report it; every method may be overridden."""

    def without_ledger(self, work: Callable[[], int]) -> int:
        """Count without a ledger."""
        return work()

    def unkept(self, error: LedgerError) -> None:
        """Report that the default ledger cannot be used; the count goes on in memory."""

    def measured(self, work: Callable[[], JobSpec]) -> JobSpec:
        """Cut a count into units, which may take a second."""
        return work()

    def recorded(self, job: Job, ledger: Ledger) -> None:
        """Report that the ledger has the answer."""

    def added(self, job: Job, ledger: Ledger) -> None:
        """Report a new job."""

    def resumed(self, job: Job, units: int | None) -> None:
        """Report a job that the ledger has begun; `units` is the number of units that was asked for."""

    def run_job(self, ledger: Ledger, job: Job, executor: Executor, context: Context, plan: CountPlan | None) -> int:
        """Do the units of a job."""
        from backrank.jobs.runner import run_job  # noqa: PLC0415 - as above

        return run_job(ledger, job.id, executor, context.budget, plan=plan, memory=context.memory)


def is_kept(plan: CountPlan, context: Context) -> bool:
    """Return whether a count becomes a job.

    Raises
    ------
    InvalidPuzzle
        If a job is asked for, and the count cannot be one.
    BoardTooLarge
        If it would take more than a day.
    """
    mode = context.keeping.mode
    if mode == "never" or plan.method == "theorem":
        return False
    if mode == "always":
        if not plan.is_keepable:
            raise InvalidPuzzle("of tours, only the count of all by layers is kept as a job; leave out the ledger")
        if context.folder is not None:
            raise InvalidPuzzle("a count is kept in a ledger or in a work folder; leave out one of them")
        if context.budget.calls is not None:
            raise InvalidPuzzle("--call-limit is not available for jobs; use --time-limit")
        plan.require_affordable(context)
        return True
    if context.is_limited or (context.folder or context.memory) is not None or not plan.is_resumable:
        return False
    seconds = plan.seconds or 0.0
    if seconds < KEPT_FROM_SECONDS or seconds / (context.threads or available_threads()) < KEPT_FROM_SECONDS:
        return False
    plan.require_affordable(context)
    return plan.memory is None or plan.memory <= FITS * available_bytes()


def run_count(plan: CountPlan, context: Context, observer: CountObserver | None = None) -> Counted:
    """Run a planned count, and return the number; as a job of a ledger if :func:`is_kept`.

    Raises
    ------
    BudgetExceeded
        If a limit is reached first.
    LedgerError
        If a ledger that was named cannot be used.

    Examples
    --------
    >>> from backrank import Queens
    >>> from backrank.runtime.context import Keeping
    >>> where = Keeping("always", getfixture("tmp_path") / "ledger.sqlite")
    >>> plan = Queens(10).count_plan()
    >>> [run_count(plan, Context(keeping=where)).recorded for _ in range(2)]
    [False, True]
    """
    observer = CountObserver() if observer is None else observer
    kept = is_kept(plan, context)
    look = context.keeping.mode == "auto" and context.keeping.look and plan.is_keepable and not context.is_limited
    if kept or look:
        with opened(context, observer) as ledger:
            if ledger is not None:
                job = ledger.find(kinds.outline(plan))
                if kept or job is not None:
                    return _by_job(ledger, job, plan, context, observer)
    return Counted(observer.without_ledger(lambda: kinds.run(plan, context)))


def resume(ledger: Ledger, job: Job, context: Context, observer: CountObserver | None = None) -> Counted:
    """Do what is left of a job of a ledger, and return its answer."""
    observer = CountObserver() if observer is None else observer
    if job.state == "done":
        observer.recorded(job, ledger)
        return Counted(ledger.total(job.id), job.id, recorded=True)
    job.spec.require_current()
    with _executor(context) as executor:
        return Counted(observer.run_job(ledger, job, executor, context, None), job.id)


def _by_job(ledger: Ledger, job: Job | None, plan: CountPlan, context: Context, observer: CountObserver) -> Counted:
    keeping = context.keeping
    if job is not None and job.state == "done" and not keeping.again:
        return resume(ledger, job, context, observer)
    with _executor(context) as executor:  # a scheduler that is not there leaves no job behind
        if job is None or job.state == "done":
            job = ledger.add(observer.measured(lambda: kinds.cut(plan, keeping.units)), again=keeping.again)
            observer.added(job, ledger)
        else:
            observer.resumed(job, keeping.units)
        number = observer.run_job(ledger, job, executor, context, plan)
    return Counted(number, job.id if ledger.is_kept else None)


@contextmanager
def opened(context: Context, observer: CountObserver) -> Iterator[Ledger | None]:
    """Yield the ledger; None if it was not named and cannot be used, and nothing needs one."""
    from backrank.jobs.ledger import Ledger  # noqa: PLC0415 - loads sqlite3, and short counts need no ledger

    keeping = context.keeping
    if isinstance(keeping.ledger, Ledger):
        yield keeping.ledger
        return
    from backrank.jobs.lenient import LenientLedger  # noqa: PLC0415 - as above
    from backrank.jobs.location import is_told  # noqa: PLC0415

    path = _path_of(keeping.ledger)
    is_named = path is not None or is_told() if keeping.named is None else keeping.named
    if is_named:
        with Ledger(path) as ledger:
            yield ledger
        return
    lenient = LenientLedger(path, on_trouble=observer.unkept)
    with lenient:
        needs_jobs = keeping.units is not None or context.executor is not None
        yield lenient if lenient.is_kept or needs_jobs else None


def _path_of(ledger: object) -> str | PathLike[str] | None:
    if ledger is None or isinstance(ledger, (str, PathLike)):
        return ledger
    raise InvalidPuzzle(f"a ledger is a path, such as 'ledger.sqlite', or a Ledger, not {shown(ledger)}")


@contextmanager
def _executor(context: Context) -> Iterator[Executor]:
    if context.executor is not None:
        with context.executor() as executor:
            yield executor
        return
    from backrank.jobs.executors import local  # noqa: PLC0415 - loads multiprocessing

    with local.opened(local.executor_of("threads", context.threads)) as executor:
        yield executor
