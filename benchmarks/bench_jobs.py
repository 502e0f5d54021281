"""What a job costs beyond its units: threads, processes and Dask with two workers, beside one serial run.

    python benchmarks/bench_jobs.py [--side 19] [--units N] [--without dask]

Every run does the same units of the same count, with a ledger on the disk. `efficiency` is the time of the serial run
over twice that of the other. It has in it what two busy cores of one machine take from each other (memory, clock
speed), and whatever else the machine is doing; a plain count on two threads, without a job, is shown for comparison.
`overhead` is the share of the workers' time in which they were not doing a unit: handing out, pickling, recording, and
waiting for the last one, which is half a unit on average. Starting the workers is shown apart: it does not grow with
the count.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import Executor
from pathlib import Path

from backrank.jobs import Cluster, JobSpec, Ledger, MissingDask, executor_of, queens_job, run_job
from backrank.queens import Queens
from backrank.queens.counting import column_sets as columnsets
from backrank.queens.counting.spec import QueensCountSpec
from backrank.runtime.budget import Budget

OVERHEAD_MARK = 0.02
WORKERS = 2


def measured(
    spec: JobSpec, begin: Callable[[], Executor], workers: int, folder: Path
) -> tuple[float, float, float, int]:
    """Return the seconds to start the workers and to run the job, the share of idle time, and the answer."""
    started = time.perf_counter()
    with begin() as executor, Ledger(folder / f"{time.time_ns()}.sqlite") as ledger:
        small = ledger.add(queens_job(Queens(10).question, QueensCountSpec(method="columnsets"), units=4 * workers))
        run_job(ledger, small.id, executor)
        ready = time.perf_counter()
        job = ledger.add(spec)
        answer = run_job(ledger, job.id, executor)
        seconds = time.perf_counter() - ready
        busy = sum(outcome.seconds for outcome in ledger.outcomes(job.id))
    return ready - started, seconds, 1 - busy / (workers * seconds), answer


def main() -> None:
    """Print a line for each kind of worker."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--side", type=int, default=19, help="queens to count")
    parser.add_argument("--units", type=int, help="how many; measured if not given")
    parser.add_argument("--without", nargs="*", default=[], choices=["threads", "processes", "dask"])
    options = parser.parse_args()
    spec = queens_job(Queens(options.side).question, QueensCountSpec(), units=options.units)
    kinds: dict[str, tuple[Callable[[], Executor], int]] = {
        "serial": (lambda: executor_of("serial"), 1),
        "threads": (lambda: executor_of("threads", WORKERS), WORKERS),
        "processes": (lambda: executor_of("processes", WORKERS), WORKERS),
        "dask": (lambda: Cluster.local(WORKERS), WORKERS),
    }
    print(f"{spec.what}: {spec.units} units")
    print(f"{'':10} {'start s':>8} {'seconds':>9} {'efficiency':>11} {'overhead':>9}")
    serial, answers = 0.0, set()
    with tempfile.TemporaryDirectory() as folder:
        for kind, (begin, workers) in kinds.items():
            if kind in options.without:
                continue
            try:
                start, seconds, overhead, answer = measured(spec, begin, workers, Path(folder))
            except MissingDask as error:
                print(f"{kind:10} {error}")
                continue
            serial = serial or seconds
            answers.add(answer)
            verdict = "mark reached" if overhead < OVERHEAD_MARK else f"MISSED: {OVERHEAD_MARK:.0%}"
            told = f"{kind:10} {start:8.2f} {seconds:9.2f} {serial / (workers * seconds):11.3f} {overhead:9.2%}"
            print(f"{told}   {verdict}", flush=True)
    began = time.perf_counter()
    answers.add(columnsets.count(options.side, meter=Budget().start(), threads=WORKERS))
    plain = time.perf_counter() - began
    print(f"{'plain':10} {'':8} {plain:9.2f} {serial / (WORKERS * plain):11.3f}             two threads, no job")
    if len(answers) != 1:
        raise SystemExit(f"the answers are not the same: {sorted(answers)}")


if __name__ == "__main__":
    main()
