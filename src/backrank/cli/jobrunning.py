"""What the commands that run jobs share: where the ledger is, who does the units, progress, and how Ctrl-C ends it."""

from __future__ import annotations

import json
import re
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from backrank.cli.interrupts import interruptible
from backrank.cli.options import ExecutorOptions
from backrank.cli.output import remark
from backrank.cli.progress import ProgressLine
from backrank.cli.running import StoppedError, run
from backrank.errors import BackrankError, BudgetExceeded, InvalidPuzzle, shown

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from backrank.jobs import CountObserver, Job, JobProgress, JobSpec, Ledger, LedgerError
    from backrank.jobs.counts import Counted
    from backrank.jobs.kinds import CountPlan
    from backrank.runtime.context import Context, Keeping
    from backrank.runtime.progress import Progress

EVENT_SECONDS = 1.0

_LOCAL = re.compile(r"local(?::(\d{1,9}))?")


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecutorChoice(ExecutorOptions):
    """The options that say what counts the units of a job, and the executor that they make."""

    def require_sane(self) -> None:
        """Refuse options that contradict each other or cannot be, before a job is begun.

        Raises
        ------
        InvalidPuzzle, InvalidText, UnknownName
        """
        if not self.is_chosen:
            return
        from backrank.jobs.executors.cluster import require_address
        from backrank.jobs.executors.local import require_kind, require_workers

        if sum(option is not None for option in (self.executor, self.scheduler, self.cluster)) > 1:
            raise InvalidPuzzle("units are counted by --executor, --scheduler or --cluster; choose one")
        if self.workers is not None and (self.scheduler or self.cluster):
            raise InvalidPuzzle(
                "--workers is for threads and processes; a cluster has its own, as in --cluster local:4"
            )
        require_workers(self.workers)
        if self.executor is not None:
            require_kind(self.executor)
        if self.scheduler is not None:
            require_address(self.scheduler)
        if self.cluster is not None:
            require_workers(self._local_workers(self.cluster))

    @contextmanager
    def opened(self) -> Iterator[Executor]:
        """Yield the executor; after an error it is left without waiting for units that are still being done."""
        self.require_sane()
        from backrank.jobs.executors.local import opened

        with opened(self._start()) as executor:
            yield executor

    def _start(self) -> Executor:
        if self.scheduler is None and self.cluster is None:
            from backrank.jobs import executor_of

            return executor_of(self.executor or "threads", self.workers)
        from backrank.jobs.executors.cluster import Cluster, hush_dask

        hush_dask()
        if self.scheduler is not None:
            return Cluster.connect(self.scheduler)
        return Cluster.local(self._local_workers(str(self.cluster)))

    @staticmethod
    def _local_workers(cluster: str) -> int | None:
        match = _LOCAL.fullmatch(cluster)
        if match is None:
            raise InvalidPuzzle(f"cluster {shown(cluster)} is not known; write local:4 for four workers here")
        return int(match[1]) if match[1] else None


class JobRun:
    """Runs one job for a command."""

    def __init__(self, ledger: Ledger, job: Job, *, line: ProgressLine, as_json: bool, quiet: bool) -> None:
        self.ledger, self.job, self.line = ledger, job, line
        self._events = as_json and not quiet
        self._quiet = quiet
        self._last: JobProgress | None = None
        self._told = 0.0
        self._refused: set[str] = set()
        line.words = self._words

    def run(self, executor: Executor, context: Context, plan: CountPlan | None) -> int:
        """Return the answer.

        Raises
        ------
        StoppedError
            After Ctrl-C: it says how to go on.
        BudgetExceeded
            If a limit was reached; it says so too.
        ExecutorLost, JobStopped
            If a scheduler has gone, or another process has stopped the job; so do these.
        """
        self._begin()
        with interruptible(self._resumed_by if self.ledger.is_kept else "") as is_stopped:
            try:
                answer = self._answer(executor, context, plan, is_stopped)
            except KeyboardInterrupt:  # a second time: there was no wait for units that were nearly done
                raise StoppedError(f"stopped at once{self._so_far()}{self._way_on}") from None
            except BackrankError as error:
                resume = self._command if self.ledger.is_kept else None
                self._event("stopped", reason=str(error), resume=resume, **self._facts())
                raise self._with_remedy(error, interrupted=is_stopped()) from None
        self._event("done", **self._facts())
        return answer

    def _with_remedy(self, error: BackrankError, *, interrupted: bool) -> Exception:
        """Return the error with how to go on, where its message does not say it."""
        from backrank.jobs import ExecutorLost, JobStopped

        if isinstance(error, BudgetExceeded):
            if interrupted:
                return StoppedError(f"stopped{self._so_far()}{self._way_on}")
            return BudgetExceeded(f"{error}{self._way_on}", error.reached)
        if isinstance(error, JobStopped) and self.ledger.state(self.job.id) is None:
            return JobStopped(f"{error}; the same count begins anew")
        if isinstance(error, (ExecutorLost, JobStopped)):
            return type(error)(f"{error}{self._way_on}")
        return error

    def _answer(
        self, executor: Executor, context: Context, plan: CountPlan | None, is_stopped: Callable[[], bool]
    ) -> int:
        from backrank.jobs import run_job

        with self.line:
            self._tell_dashboard(getattr(executor, "dashboard", ""))
            return run_job(
                self.ledger,
                self.job.id,
                executor,
                replace(context.budget, cancelled=is_stopped),
                lambda progress: self._watch(progress, executor),
                plan=plan,
                memory=context.memory,
            )

    def _facts(self) -> dict[str, Any]:
        return self._last.to_dict() if self._last else {}

    def _begin(self) -> None:
        job, units = self.job, self.job.spec.units
        path = str(self.ledger.path) if self.ledger.is_kept else None
        self._event("job", id=job.id, ledger=path, resumed=job.done > 0, units=units, done=job.done)
        if self._events:
            return
        if not self.ledger.is_kept:
            remark(f"{units:,} unit{'s'[: units != 1]}, in memory only", quiet=self._quiet)
        elif job.done or job.state != "open":
            remark(f"going on with job {job.id}: {job.done:,} of {units:,} units are done", quiet=self._quiet)
        else:
            some = f"{units:,} unit{'s'[: units != 1]}"
            remark(
                f"job {job.id}: {some}, kept in {self.ledger.path}; if it is stopped, {self._resumed_by} goes on",
                quiet=self._quiet,
            )

    def _tell_dashboard(self, address: str) -> None:
        if address:
            self._event("dashboard", address=address)
            remark(f"dashboard: {address}", quiet=self._quiet or self._events)

    @property
    def _command(self) -> str:
        return f"backrank jobs resume {self.job.id}"

    @property
    def _resumed_by(self) -> str:
        return f"'{self._command}'"

    @property
    def _way_on(self) -> str:
        return f"; {self._resumed_by} goes on" if self.ledger.is_kept else "; it was not kept"

    def _so_far(self) -> str:
        return f" after {described(self._last)}" if self._last else ""

    def _watch(self, progress: JobProgress, executor: Executor) -> None:
        self._last = progress
        refused: dict[str, str] = getattr(executor, "refused", {})
        for worker in refused.keys() - self._refused:  # they may come at any time
            self._refused.add(worker)
            if self._events:
                self._event("refused", worker=worker, reason=refused[worker])
            else:
                remark(refused[worker])
        now = time.monotonic()
        if now - self._told >= EVENT_SECONDS:
            self._told = now
            self._event("progress", **progress.to_dict())

    def _words(self, progress: Progress) -> str:
        del progress
        return described(self._last) if self._last else "beginning"

    def _event(self, name: str, **facts: Any) -> None:
        if self._events:
            with suppress(OSError):
                sys.stderr.write(json.dumps({"event": name, **facts}, ensure_ascii=False) + "\n")
                sys.stderr.flush()


def keeping_of(
    ledger: str | None,
    *,
    again: bool,
    never: bool,
    others: Mapping[str, object] | None = None,
    units: int | None = None,
    is_asked: bool = False,
) -> Keeping:
    """Return whether and where a count is kept, from the options of a command.

    Parameters
    ----------
    ledger, again, never, units : optional
        The options `--ledger`, `--again`, `--no-ledger` and `--units`.
    others : mapping, optional
        Options that a kept count does not have, by their names.
    is_asked : bool
        Whether other options need a job.
    """
    from backrank.runtime.context import Keeping

    is_asked = is_asked or ledger is not None or again or units is not None
    if never and is_asked:
        raise InvalidPuzzle(
            "--no-ledger keeps no job; leave it out, or the options of jobs such as --ledger and --again"
        )
    given = [name for name, value in (others or {}).items() if value not in (None, False)]
    if is_asked and given:
        raise InvalidPuzzle(f"{given[0]} is for counts that are not kept; leave it out, or --ledger and --again")
    return Keeping("never" if never else "always" if is_asked else "auto", ledger, again, units)


def told_of(counted: Counted) -> dict[str, Any]:
    """Return which job a count is, for JSON."""
    return {} if counted.job is None else {"job": counted.job, "recorded": counted.recorded}


def reporter(line: ProgressLine, *, as_json: bool, quiet: bool, on_stop: Callable[[], str] = str) -> CountObserver:
    """Return what reports a count on standard error: remarks, progress, and with `as_json` events.

    What `on_stop` returns is added to the last word of a count without a ledger that Ctrl-C has stopped.
    """
    from backrank.jobs.counts import CountObserver

    class Reporter(CountObserver):
        """Reports what happens in a count on standard error."""

        def without_ledger(self, work: Callable[[], int]) -> int:
            try:
                return run(work, line)
            except StoppedError as error:
                raise StoppedError(f"{error}{on_stop()}") from None

        def unkept(self, error: LedgerError) -> None:
            remark(f"{error}; the count goes on, but is not kept")

        def measured(self, work: Callable[[], JobSpec]) -> JobSpec:
            return run(work, line)  # it may compile to measure

        def recorded(self, job: Job, ledger: Ledger) -> None:
            remark(recorded(job, ledger))

        def added(self, job: Job, ledger: Ledger) -> None:
            _tell_outdated(ledger, job, quiet=quiet)

        def resumed(self, job: Job, units: int | None) -> None:
            if units not in (None, job.spec.units):
                remark(
                    f"job {job.id} has been cut into {job.spec.units:,} units already; 'backrank jobs remove {job.id}' "
                    "makes room for another cut",
                    quiet=quiet,
                )

        def run_job(
            self, ledger: Ledger, job: Job, executor: Executor, context: Context, plan: CountPlan | None
        ) -> int:
            return JobRun(ledger, job, line=line, as_json=as_json, quiet=quiet).run(executor, context, plan)

    return Reporter()


def _tell_outdated(ledger: Ledger, new: Job, *, quiet: bool) -> None:
    """Say why a count begins anew that was under way: with another version of the method."""
    from backrank.jobs import LedgerError

    with suppress(LedgerError):  # a job that is damaged is of no interest here
        for job in ledger.jobs():
            old, spec = job.spec, new.spec
            is_same = (old.kind, old.asked, old.method) == (spec.kind, spec.asked, spec.method)
            if is_same and old.algorithm != spec.algorithm and job.state != "done":
                remark(
                    f"job {job.id} cannot be gone on with: it was begun with version {old.algorithm} of the method "
                    f"{old.method}, and this is version {spec.algorithm}; 'backrank jobs remove {job.id}' forgets it",
                    quiet=quiet,
                )


def recorded(job: Job, ledger: Ledger) -> str:
    """Say where an answer comes from that is not counted now."""
    from datetime import UTC, datetime

    day = datetime.fromtimestamp(job.changed, UTC).date().isoformat()
    return (
        f"from the ledger {ledger.path}: counted on {day} by backrank {job.package}, job {job.id}, "
        f"{job.spec.units:,} unit{'s'[: job.spec.units != 1]}; --again counts anew"
    )


def described(progress: JobProgress) -> str:
    """Say in a few words how far a job has come.

    Examples
    --------
    >>> from backrank.jobs import JobProgress
    >>> described(JobProgress("ab", 75, 30, 30, 4, 2, 1, 1, 8.0, 3_200_000, 0, 0.25, 180.0, 10.0))
    '40.0 %, 30 of 75 units in 8 s (15.0/min, 1 failed, 1 again), 3,200,000 found, about 3 minutes left (± 10 seconds)'
    """
    from backrank.runtime.quantities import duration

    pace = [f"{60 * progress.rate:.1f}/min"] if progress.rate else []
    pace += [f"{progress.failed} failed, {progress.retried} again"] if progress.failed else []
    words = f"{progress.percent:.1f} %, {progress.done:,} of {progress.units:,} units in {progress.seconds:.0f} s"
    parts = [f"{words} ({', '.join(pace)})" if pace else words]
    if progress.found:
        parts.append(f"{progress.found:,} found")
    if progress.left is not None and progress.doubt is not None and progress.done < progress.units:
        parts.append(f"{duration(progress.left)} left (± {_short(progress.doubt)})")
    return ", ".join(parts)


def _short(seconds: float) -> str:
    from backrank.runtime.quantities import duration

    return duration(seconds).removeprefix("about ")
