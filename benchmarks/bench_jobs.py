"""What a job costs beyond its units: threads, processes and Dask with two workers, beside one serial run.

    python benchmarks/bench_jobs.py [--side 19] [--units N] [--without dask]

Every run does the same units of the same count, with a ledger on the disk. `efficiency` is the time of the serial run
over twice that of the other. It has in it what two busy cores of one machine take from each other (memory, clock
speed), and whatever else the machine is doing; a plain count on two threads, without a job, is shown for comparison.
`overhead` is the share of the workers' time in which they were not doing a unit: handing out, pickling, recording, and
waiting for the last one, which is half a unit on average; the mark is 2 %. Starting the workers is shown apart: it does
not grow with the count.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path

from backrank.jobs import Cluster, JobSpec, Ledger, MissingDask, executor_of, queens_job, run_job
from backrank.queens import Queens
from backrank.queens.counting import column_sets as columnsets
from backrank.queens.counting.spec import QueensCountSpec
from backrank.runtime.budget import Budget
from harness import Namespace, Report, Script, fail, option, time_call

OVERHEAD_MARK = 0.02
WORKERS = 2
KINDS: dict[str, tuple[Callable[[], Executor], int]] = {
    "serial": (lambda: executor_of("serial"), 1),
    "threads": (lambda: executor_of("threads", WORKERS), WORKERS),
    "processes": (lambda: executor_of("processes", WORKERS), WORKERS),
    "dask": (lambda: Cluster.local(WORKERS), WORKERS),
}


@dataclass(frozen=True, slots=True)
class JobCost:
    """Seconds to start the workers and to run a job, the share of time in which workers were idle, the answer."""

    start: float
    seconds: float
    overhead: float
    answer: int


def job_cost(spec: JobSpec, begin: Callable[[], Executor], workers: int, folder: Path) -> JobCost:
    """Run a job with a ledger of its own, after a small one that starts the workers."""
    started = time.perf_counter()
    with begin() as executor, Ledger(folder / f"{time.time_ns()}.sqlite") as ledger:
        small = ledger.add(queens_job(Queens(10).spec, QueensCountSpec(method="columnsets"), units=4 * workers))
        run_job(ledger, small.id, executor)
        ready = time.perf_counter() - started
        job = ledger.add(spec)
        taken, answer = time_call(lambda: run_job(ledger, job.id, executor))
        busy = sum(outcome.seconds for outcome in ledger.outcomes(job.id))
    return JobCost(ready, taken.wall, 1 - busy / (workers * taken.wall), answer)


def run(report: Report, options: Namespace) -> None:
    """Print a line for each kind of worker."""
    side = options.side or report.sized(quick=12, normal=19)
    spec = queens_job(Queens(side).spec, QueensCountSpec(), units=options.units or report.sized(8, None))
    report.note(f"{spec.what}: {spec.units} units")
    table = report.table("workers:<10", "start s:8.2f", "seconds:9.2f", "efficiency:11.3f", "overhead:9.2%")
    serial, answers = 0.0, set()
    with tempfile.TemporaryDirectory() as folder:
        for kind, (begin, workers) in KINDS.items():
            if kind in options.without:
                continue
            try:
                cost = job_cost(spec, begin, workers, Path(folder))
            except MissingDask as error:
                report.note(f"{kind}: {error}")
                continue
            serial = serial or cost.seconds
            answers.add(cost.answer)
            verdict = report.mark(f"overhead of {kind}", cost.overhead, OVERHEAD_MARK, unit="")
            efficiency = serial / (workers * cost.seconds)
            table.row(kind, cost.start, cost.seconds, efficiency, cost.overhead, after=verdict)
    plain, answer = time_call(lambda: columnsets.count(side, meter=Budget().start(), threads=WORKERS))
    table.row("plain", None, plain.wall, serial / (WORKERS * plain.wall), None, after="two threads, no job")
    if {answer} != answers:
        fail(f"the answers are not the same: {sorted({answer} | answers)}")


SCRIPT = Script(
    __doc__,
    run,
    (
        option("--side", type=int, help="queens to count"),
        option("--units", type=int, help="how many; measured if not given"),
        option("--without", nargs="*", default=[], choices=["threads", "processes", "dask"]),
    ),
)

if __name__ == "__main__":
    SCRIPT.main()
