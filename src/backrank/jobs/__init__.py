"""Long counts that survive, and spread over many machines: jobs, their units, the ledger, executors.

>>> from backrank.jobs import Ledger, executor_of, queens_job, run_job
>>> from backrank.queens import Queens
>>> from backrank.queens.counting.spec import QueensCountSpec
>>> with Ledger(getfixture("tmp_path") / "ledger.sqlite") as ledger, executor_of("threads", 2) as threads:
...     job = ledger.add(queens_job(Queens(10).spec, QueensCountSpec(method="columnsets"), units=6))
...     run_job(ledger, job.id, threads)
724
"""

from typing import TYPE_CHECKING

from backrank.runtime.lazy import lazy_exports

if TYPE_CHECKING:
    from backrank.jobs.counts import Counted, CountObserver, run_count
    from backrank.jobs.errors import (
        Conflict,
        ExecutorLost,
        JobPaused,
        JobStopped,
        LedgerError,
        LedgerUnwritable,
        MissingDask,
        NoScheduler,
        NoSuchJob,
        WorkerDied,
        WorkerMismatch,
    )
    from backrank.jobs.executors.cluster import Cluster
    from backrank.jobs.executors.local import Processes, Serial, Threads, executor_of
    from backrank.jobs.ledger import DamagedJob, Job, Ledger
    from backrank.jobs.lenient import LenientLedger
    from backrank.jobs.location import ledger_path
    from backrank.jobs.progress import JobProgress
    from backrank.jobs.queens import queens_job
    from backrank.jobs.runner import run_job
    from backrank.jobs.spec import JobSpec
    from backrank.jobs.tours import tours_job
    from backrank.jobs.units import Outcome, UnitTask, perform

_HOMES = {
    name: module
    for module, names in {
        "counts": "CountObserver Counted run_count",
        "executors.cluster": "Cluster",
        "executors.local": "Processes Serial Threads executor_of",
        "ledger": "DamagedJob Job Ledger",
        "lenient": "LenientLedger",
        "location": "ledger_path",
        "errors": "Conflict ExecutorLost JobPaused JobStopped LedgerError LedgerUnwritable MissingDask NoScheduler "
        "NoSuchJob WorkerDied WorkerMismatch",
        "progress": "JobProgress",
        "queens": "queens_job",
        "runner": "run_job",
        "spec": "JobSpec",
        "tours": "tours_job",
        "units": "Outcome UnitTask perform",
    }.items()
    for name in names.split()
}

__getattr__ = lazy_exports(__name__, _HOMES, globals())

__all__ = [
    "Cluster",
    "Conflict",
    "CountObserver",
    "Counted",
    "DamagedJob",
    "ExecutorLost",
    "Job",
    "JobPaused",
    "JobProgress",
    "JobSpec",
    "JobStopped",
    "Ledger",
    "LedgerError",
    "LedgerUnwritable",
    "LenientLedger",
    "MissingDask",
    "NoScheduler",
    "NoSuchJob",
    "Outcome",
    "Processes",
    "Serial",
    "Threads",
    "UnitTask",
    "WorkerDied",
    "WorkerMismatch",
    "executor_of",
    "ledger_path",
    "perform",
    "queens_job",
    "run_count",
    "run_job",
    "tours_job",
]
