"""A ledger that never stops a count: when the file fails, the count goes on in memory.

It is for ledgers that were not named. Everything that a count reads or records is also kept in memory; when the file
cannot be used, at the beginning or in the middle, that is reported once, and the memory takes its place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from os import PathLike
from pathlib import Path
from typing import TypeVar

from backrank.jobs import storage
from backrank.jobs.errors import Conflict, LedgerError
from backrank.jobs.ledger import BUSY_SECONDS, DONE, DamagedJob, Job, Ledger
from backrank.jobs.location import NAME, ledger_path
from backrank.jobs.spec import JobSpec
from backrank.jobs.units import Outcome

Answer = TypeVar("Answer")


class LenientLedger(Ledger):
    """A ledger for one count that is kept if possible, and counted in any case; otherwise as :class:`Ledger`.

    Parameters
    ----------
    path : path-like, optional
        As for :class:`Ledger`.
    on_trouble : callable
        Called once, with the error, when the file cannot be used.
    busy_seconds : float
    """

    def __init__(
        self,
        path: str | PathLike[str] | None = None,
        *,
        on_trouble: Callable[[LedgerError], None],
        busy_seconds: float = BUSY_SECONDS,
    ) -> None:
        self.path = Path(NAME if path is None else path)
        self.obstacle = None
        self._connection = storage.blank(self.path)
        self._on_trouble = on_trouble
        self._file: Ledger | None = None
        try:
            self.path = ledger_path() if path is None else self.path
            self._file = Ledger(self.path, busy_seconds=busy_seconds)
        except LedgerError as error:
            on_trouble(error)

    def close(self) -> None:
        """Let the file go."""
        super().close()
        if self._file is not None:
            self._file.close()

    @property
    def is_kept(self) -> bool:
        """Whether what is recorded outlives this process."""
        return self._file is not None

    def gave_up(self, error: LedgerError) -> bool:
        """Go on without the file; return True: the count is not to end with this error."""
        if self._file is not None:
            self._file.close()
            self._file = None
            self._on_trouble(error)
        return True

    def _first(self, work: Callable[[Ledger], Answer], spare: Callable[[], Answer]) -> Answer:
        """Return what the file gives, or else what the memory gives."""
        if self._file is not None:
            try:
                return work(self._file)
            except Conflict:
                raise
            except LedgerError as error:
                self.gave_up(error)
        return spare()

    def _taken_over(self, job: Job) -> Job:
        """Put a job of the file into memory."""
        with self._transaction():
            if self._seal(job.id) is None:
                self._insert(job.id, job.spec, job.package, job.state, job.created)
        return job

    # --- reading --------------------------------------------------------------------------------------

    def add(self, spec: JobSpec, *, again: bool = False) -> Job:
        """As :meth:`Ledger.add`."""
        return self._first(
            lambda file: self._taken_over(file.add(spec, again=again)), lambda: super(LenientLedger, self).add(spec)
        )

    def find(self, spec: JobSpec) -> Job | None:
        """As :meth:`Ledger.find`."""

        def work(file: Ledger) -> Job | None:
            job = file.find(spec)
            if job is None:
                return None
            if job.state == DONE:
                file.total(job.id)  # an answer that is damaged is not to be found
            self._taken_over(job)
            super(LenientLedger, self).record(job.id, file.outcomes(job.id))
            return job

        return self._first(work, lambda: super(LenientLedger, self).find(spec))

    def matching(self, name: str) -> list[Job | DamagedJob]:
        """As :meth:`Ledger.matching`."""
        return self._first(lambda file: file.matching(name), lambda: super(LenientLedger, self).matching(name))

    def entries(self) -> list[Job | DamagedJob]:
        """As :meth:`Ledger.entries`."""
        return self._first(lambda file: file.entries(), super().entries)

    def recorded(self, job: str) -> set[int]:
        """As :meth:`Ledger.recorded`."""
        return self._first(lambda file: file.recorded(job), lambda: super(LenientLedger, self).recorded(job))

    def count_recorded(self, job: str) -> int:
        """As :meth:`Ledger.count_recorded`."""
        return self._first(
            lambda file: file.count_recorded(job), lambda: super(LenientLedger, self).count_recorded(job)
        )

    def outcomes(self, job: str) -> list[Outcome]:
        """As :meth:`Ledger.outcomes`."""

        def work(file: Ledger) -> list[Outcome]:
            outcomes = file.outcomes(job)
            super(LenientLedger, self).record(job, outcomes)
            return outcomes

        return self._first(work, lambda: super(LenientLedger, self).outcomes(job))

    def failures(self, job: str) -> dict[int, tuple[int, str]]:
        """As :meth:`Ledger.failures`."""
        return self._first(lambda file: file.failures(job), lambda: super(LenientLedger, self).failures(job))

    def state(self, job: str) -> str | None:
        """As :meth:`Ledger.state`."""
        return self._first(lambda file: file.state(job), lambda: super(LenientLedger, self).state(job))

    def total(self, job: str) -> int:
        """As :meth:`Ledger.total`."""
        return self._first(lambda file: file.total(job), lambda: super(LenientLedger, self).total(job))

    # --- changing: in memory first, so that it has all that the file has ------------------------------

    def require_writable(self) -> None:
        """As :meth:`Ledger.require_writable`."""
        self._first(lambda file: file.require_writable(), lambda: None)

    def record(self, job: str, outcomes: Iterable[Outcome]) -> int:
        """As :meth:`Ledger.record`."""
        fresh = list(outcomes)
        new = super().record(job, fresh)
        return self._first(lambda file: file.record(job, fresh), lambda: new)

    def failed(self, job: str, unit: int, error: str) -> int:
        """As :meth:`Ledger.failed`."""
        times = super().failed(job, unit, error)
        return self._first(lambda file: file.failed(job, unit, error), lambda: times)

    def begin(self, job: str) -> None:
        """As :meth:`Ledger.begin`."""
        super().begin(job)
        self._first(lambda file: file.begin(job), lambda: None)

    def beat(self, job: str, *, alive: bool = True) -> None:
        """As :meth:`Ledger.beat`."""
        super().beat(job, alive=alive)
        self._first(lambda file: file.beat(job, alive=alive), lambda: None)

    def pause(self, job: str, problem: str) -> None:
        """As :meth:`Ledger.pause`."""
        super().pause(job, problem)
        self._first(lambda file: file.pause(job, problem), lambda: None)

    def cancel(self, job: str) -> None:
        """As :meth:`Ledger.cancel`."""
        super().cancel(job)
        self._first(lambda file: file.cancel(job), lambda: None)

    def remove(self, job: str) -> bool:
        """As :meth:`Ledger.remove`."""
        was_there = super().remove(job)
        return self._first(lambda file: file.remove(job), lambda: was_there)

    def finish(self, job: str) -> int:
        """As :meth:`Ledger.finish`."""
        return self._first(lambda file: file.finish(job), lambda: super(LenientLedger, self).finish(job))
