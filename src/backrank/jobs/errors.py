"""What can go wrong with long counts, each told in one line."""

from __future__ import annotations

from backrank.errors import BackrankError, Undecided


class LedgerError(BackrankError):
    """A ledger that cannot be used: foreign, newer, damaged, locked, or on a full or read-only disk.

    Whatever was recorded before is left as it is.
    """


class LedgerUnwritable(LedgerError):
    """A ledger that cannot be written to, but may still be readable: a read-only or full disk, or its permissions."""


class Conflict(LedgerError):
    """A unit came out with two different results."""


class NoSuchJob(BackrankError, LookupError):
    """A job that the ledger does not know."""


class JobStopped(Undecided):
    """Another process has cancelled, paused or removed the job while it was running."""


class JobPaused(Undecided):
    """A unit failed too often, or gave two different results; the job can be resumed when the cause is gone."""


class MissingDask(BackrankError, ImportError):
    """A cluster is asked for, and Dask is not installed."""


class NoScheduler(BackrankError):
    """No scheduler with workers answers at the address that was given."""


class ExecutorLost(Undecided):
    """The executor is gone as a whole in the middle of a job, such as a scheduler that no longer answers."""


class WorkerDied(BackrankError):
    """A worker ended in the middle of a unit: it was killed, or ran out of memory."""


class WorkerMismatch(BackrankError):
    """A worker has another version of this package, or none."""
