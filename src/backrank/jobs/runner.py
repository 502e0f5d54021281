"""Run a job: hand out its units, record what comes back, and stop in good order.

Units are handed out in a random order. So what has been done is a fair sample of what is left, and two processes that
work on one job seldom do the same unit; each looks every second at what the other has recorded. A unit that both do is
recorded once.

A unit that fails is tried again, at last a third time; then the job is paused. Whenever a run ends early, no
more units are begun, those that are nearly done are waited for, and those that are done are recorded.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import replace
from random import Random

from backrank.errors import BackrankError, BudgetExceeded, InvalidPuzzle
from backrank.jobs import sidecar
from backrank.jobs.errors import Conflict, ExecutorLost, JobPaused, JobStopped, LedgerError
from backrank.jobs.executors.local import Serial, width_of
from backrank.jobs.kinds import CountPlan
from backrank.jobs.ledger import CANCELLED, DONE, PAUSED, Ledger
from backrank.jobs.progress import JobProgress, Pace
from backrank.jobs.units import Outcome, UnitTask, perform
from backrank.runtime.budget import Budget
from backrank.runtime.context import Context
from backrank.runtime.progress import Progress
from backrank.runtime.rng import Randomness, seed_of

MOST_FAILURES = 3
GRACE_SECONDS = 2.0  # for units that are nearly done when a run is stopped
STOP_SECONDS = 0.3  # for threads to see that they are to stop
GLANCE_SECONDS = 0.2
LOOK_SECONDS = 1.0  # between two looks at what others have done to the job
BEAT_SECONDS = 5.0
READING_PAUSE = 20  # times as long as reading all results took, before they are read again

Watcher = Callable[[JobProgress], None]


def run_job(
    ledger: Ledger,
    job: str,
    executor: Executor,
    budget: Budget | None = None,
    on_progress: Watcher | None = None,
    *,
    rng: Randomness | None = None,
    plan: CountPlan | None = None,
    memory: int | None = None,
) -> int:
    """Do what is left of a job, and return its answer.

    Parameters
    ----------
    ledger : Ledger
    job : str
        Its id. A job that was paused or cancelled is opened again; one that is done only gives its answer.
    executor : concurrent.futures.Executor
        What does the units; it stays open. See :mod:`backrank.jobs.executors`. Tours take threads only: as many as it
        has.
    budget : Budget, optional
        A limit of time for this run, cancellation, and progress as any other work tells it.
    on_progress : callable, optional
        Handed a :class:`JobProgress` about every fifth of a second, and at the end.
    rng : int, random.Random or numpy.random.Generator, optional
        For the order of the units; the answer does not depend on it.
    plan : CountPlan, optional
        The plan that the job was made of: a count of tours need not be planned again then.
    memory : int, optional
        Bytes that a count of tours may take; what does not fit goes to files beside the ledger.

    Raises
    ------
    BudgetExceeded
        If a limit was reached or somebody cancelled. What was done is recorded.
    JobPaused
        If a unit has failed three times, or was counted twice with different results.
    JobStopped
        If another process has cancelled, paused or removed the job.
    LedgerError, ExecutorLost
        If the ledger or the workers fail. What was recorded stays.
    InvalidText
        If the job was begun by another version of the algorithm.

    Examples
    --------
    >>> from backrank.jobs import Ledger, Serial, queens_job
    >>> from backrank.queens import Queens
    >>> from backrank.queens.counting.spec import QueensCountSpec
    >>> with Ledger(getfixture("tmp_path") / "ledger.sqlite") as ledger:
    ...     job = ledger.add(queens_job(Queens(9).spec, QueensCountSpec(method="columnsets"), units=5))
    ...     run_job(ledger, job.id, Serial())
    352
    """
    found = ledger.job(job)
    if found.state == DONE:
        sidecar.forget(ledger.path, found.id)  # of a process that was killed at the very end
        return ledger.total(found.id)
    found.spec.require_current()
    if found.spec.kind == "tours":
        from backrank.jobs.tours import run_tours_job  # noqa: PLC0415 - most jobs are not about tours

        if not isinstance(executor, (Serial, ThreadPoolExecutor)):
            raise InvalidPuzzle("the layers of tours are counted by the threads of one machine, not by other executors")
        width = width_of(executor)
        how = getattr(plan, "frontier", None)
        context = Context(budget or Budget(), width, memory)
        return run_tours_job(ledger, found, context=context, on_progress=on_progress, how=how)
    with sidecar.at_work(ledger.path, found.id):
        return _JobRun(ledger, found.id, executor, budget or Budget(), on_progress, rng).answer()


class _JobRun:
    """One process at work on one job."""

    def __init__(
        self,
        ledger: Ledger,
        job: str,
        executor: Executor,
        budget: Budget,
        on_progress: Watcher | None,
        rng: Randomness | None,
    ) -> None:
        self.ledger, self.job, self.executor = ledger, job, executor
        self.on_progress = on_progress
        self.spec = ledger.job(job).spec
        self._text = self.spec.to_json()
        outcomes = ledger.outcomes(job)
        self.done = {outcome.unit for outcome in outcomes}
        self.found = sum(int(outcome.result) for outcome in outcomes)
        self._before = len(outcomes)
        self.waiting = [unit for unit in range(self.spec.units) if unit not in self.done]
        Random(None if rng is None else seed_of(rng)).shuffle(self.waiting)  # noqa: S311 - an order, nothing secret
        self.running: dict[Future[Outcome], UnitTask] = {}
        self.tries: dict[int, int] = {}
        self.here = self.failed = self.calls = 0
        self.pace = Pace()
        self._stop = threading.Event()
        self._looked = self._beaten = self._reading_from = 0.0
        self.meter = replace(budget, calls=None).start(self.spec.units)
        self._shared = isinstance(executor, (Serial, ThreadPoolExecutor))
        self._budget = Budget(cancelled=self._is_stopped) if self._shared else Budget()
        if isinstance(executor, Serial):
            self._budget = Budget(progress=self._meanwhile, interval=GLANCE_SECONDS)

    def answer(self) -> int:
        """Do what is left, and return the answer."""
        self.ledger.begin(self.job)
        try:
            self._look()
            while self.waiting or self.running:
                self._hand_out()
                self._collect(GLANCE_SECONDS)
                self._look()
            answer = self.ledger.finish(self.job)
        except LedgerError as error:
            self._wind_down(0.0, record=False)
            if isinstance(error, Conflict):
                self.ledger.pause(self.job, str(error))
                raise JobPaused(self._paused(str(error))) from None
            raise
        except BaseException as error:
            keep = not isinstance(error, JobStopped)
            try:
                self._wind_down(GRACE_SECONDS if keep and not isinstance(error, ExecutorLost) else 0.0, record=keep)
            finally:  # even if somebody does not wait for it
                with suppress(LedgerError):  # what has ended the run is to be told
                    self.ledger.beat(self.job, alive=False)
            if keep:
                self._tell()
            raise
        self._tell()
        return answer

    # --- handing out and collecting ------------------------------------------------------------------

    def _hand_out(self) -> None:
        """Keep every worker supplied, and one unit for each in reserve."""
        most = 1 if isinstance(self.executor, Serial) else 2 * width_of(self.executor)
        while self.waiting and len(self.running) < most:
            unit = self.waiting.pop()
            if unit in self.done:
                continue
            again = f"-try-{self.tries[unit] + 1}" if self.tries.get(unit) else ""
            name = f"{self.spec.kind}-unit-{unit}-of-{self.spec.units}-job-{self.job}{again}"
            task = UnitTask(self._text, unit, name, budget=self._budget)
            self.running[self.executor.submit(perform, task)] = task

    def _collect(self, seconds: float) -> None:
        """Wait for units, and record what has come of them."""
        finished, _ = wait(self.running, seconds, FIRST_COMPLETED)
        good = [future for future in finished if not future.cancelled() and future.exception() is None]
        self._record(future.result() for future in good)
        for future in good:
            del self.running[future]
        for future in finished.difference(good):
            self._missed(self.running.pop(future), future)

    def _record(self, outcomes: Iterable[Outcome]) -> None:
        fresh = list(outcomes)
        if not fresh:
            return
        self.ledger.record(self.job, fresh)
        self._beaten = time.monotonic()
        for outcome in fresh:
            self.here += 1
            self.calls += outcome.calls
            self.pace.add(outcome.seconds)
            if outcome.unit not in self.done:
                self.done.add(outcome.unit)
                self.found += int(outcome.result)

    def _missed(self, task: UnitTask, future: Future[Outcome]) -> None:
        """Deal with a unit that has not come to its end."""
        if future.cancelled():
            raise ExecutorLost("whoever ran the units has given them up; what is recorded stays")
        error = future.exception()
        if isinstance(error, ExecutorLost) or not isinstance(error, Exception):
            raise error if isinstance(error, BaseException) else AssertionError("the unit has no error")
        if self._serial_stop(error):
            raise error
        self.failed += 1
        told = str(error) or type(error).__name__
        self.tries[task.unit] = self.ledger.failed(self.job, task.unit, told)
        if self.tries[task.unit] < MOST_FAILURES:
            self.waiting.append(task.unit)
            return
        problem = f"unit {task.unit} has failed {self.tries[task.unit]} times, at last with: {told}"
        self.ledger.pause(self.job, problem)
        raise JobPaused(self._paused(problem))

    def _serial_stop(self, error: BaseException) -> bool:
        """Whether it is not the unit that failed: what is looked at meanwhile has stopped it."""
        return isinstance(self.executor, Serial) and isinstance(error, (BudgetExceeded, JobStopped, LedgerError))

    def _paused(self, problem: str) -> str:
        return f"job {self.job} is paused: {problem}; 'backrank jobs resume {self.job}' goes on"

    # --- looking round -------------------------------------------------------------------------------

    def _look(self) -> None:
        """See what others have done, give a sign of life, tell how far it is, and keep the limits."""
        now = time.monotonic()
        if now - self._looked >= LOOK_SECONDS:
            self._looked = now
            self._see_others()
        self._tell()
        self.meter.found = self.found // self.spec.divisor
        self.meter.tick(self.calls, len(self.done))

    def _see_others(self) -> None:
        now = time.monotonic()
        if now - self._beaten >= BEAT_SECONDS:
            self._beaten = now
            self.ledger.beat(self.job)
        state = self.ledger.state(self.job)
        if state in (CANCELLED, PAUSED, None):
            how = {CANCELLED: "cancelled", PAUSED: "paused", None: "removed from the ledger"}[state]
            raise JobStopped(
                f"the job {self.job} has been {how} meanwhile{'; what was recorded stays' * (state is not None)}"
            )
        if now >= self._reading_from and self.ledger.count_recorded(self.job) > len(self.done):
            outcomes = self.ledger.outcomes(self.job)
            self.done = {outcome.unit for outcome in outcomes}
            self.found = sum(int(outcome.result) for outcome in outcomes)
            ended = time.monotonic()
            self._reading_from = ended + READING_PAUSE * (ended - now)

    def _meanwhile(self, progress: Progress) -> None:
        """Look round while this thread does a unit itself."""
        del progress
        self._look()

    def _is_stopped(self) -> bool:
        return self._stop.is_set()

    def _tell(self) -> None:
        if self.on_progress is not None:
            self.on_progress(self.progress())

    def progress(self) -> JobProgress:
        """Return how far it has come."""
        workers, units = width_of(self.executor), self.spec.units
        # Others that work on the job as well are seen by what they have recorded since this run began.
        hands = workers * max(1.0, (len(self.done) - self._before) / self.here if self.here else 1.0)
        left, doubt = self.pace.left(units - len(self.done), hands)
        return JobProgress(
            self.job,
            units,
            len(self.done),
            self.here,
            len(self.running),
            workers,
            self.failed,
            sum(tries < MOST_FAILURES for tries in self.tries.values()),
            time.monotonic() - self.meter.started,
            self.found // self.spec.divisor,
            self.calls,
            hands / self.pace.mean if self.pace.mean else 0.0,
            left,
            doubt,
        )

    # --- stopping ------------------------------------------------------------------------------------

    def _wind_down(self, seconds: float, *, record: bool) -> None:
        """Begin no more; wait so long for units that are nearly done, stop the others, and record what is done."""
        for future in self.running:
            future.cancel()
        self._settle(seconds, record=record)
        self._stop.set()
        abandon = getattr(self.executor, "abandon", None)
        if self.running and abandon is not None:
            abandon()
        # Threads end when they look at the flag: some at once, and those in the middle of a kernel behind our back.
        self._settle(STOP_SECONDS if self._shared else 0.0, record=record)

    def _settle(self, seconds: float, *, record: bool) -> None:
        deadline = time.monotonic() + seconds
        while self.running:
            finished, _ = wait(self.running, max(0.0, deadline - time.monotonic()), FIRST_COMPLETED)
            for future in finished:
                del self.running[future]
            good = [future for future in finished if not future.cancelled() and future.exception() is None]
            if record:
                try:
                    self._record(future.result() for future in good)
                except BackrankError:
                    return
            if not finished:
                return
