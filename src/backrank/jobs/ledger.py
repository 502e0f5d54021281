"""The ledger: which jobs there are, and what has come of each of their units.

A unit is recorded once, whoever finishes it first: its number is a primary key, and a second result changes nothing if
it is the same, and is an error if it is not. The answer of a job is only ever the sum of its recorded units. Every
result has a checksum over everything that it belongs to, and its residue modulo a prime; both are looked at before it
is used.

The file is a SQLite database with a write-ahead log, flushed to the disk after every transaction: whatever is killed,
and whenever, what was recorded stays. Any number of processes may use it at the same time. It needs a disk of this
machine, not one of a network.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import Self

from backrank._version import __version__
from backrank.errors import shown
from backrank.jobs import rows, sidecar, storage
from backrank.jobs.errors import Conflict, JobStopped, LedgerError, NoSuchJob
from backrank.jobs.location import ledger_path
from backrank.jobs.rows import ALIVE_SECONDS, CANCELLED, DONE, OPEN, PAUSED, STATES, DamagedJob, Job
from backrank.jobs.spec import JobSpec, digest
from backrank.jobs.units import Outcome

__all__ = ["ALIVE_SECONDS", "CANCELLED", "DONE", "OPEN", "PAUSED", "STATES", "DamagedJob", "Job", "Ledger"]

BUSY_SECONDS = 10.0


class Ledger:
    """A file of jobs; close it, or use it in a `with` statement. It belongs to the thread that made it.

    A file that is there and cannot be written to (a read-only or full disk, its permissions) is opened for reading,
    with everything that was recorded; then `obstacle` is the error that every change raises.

    Parameters
    ----------
    path : path-like, optional
        The file; :func:`ledger_path` if not given. It is made if it is not there.
    busy_seconds : float
        How long to wait for another program that has locked it.

    Raises
    ------
    LedgerError
        If the file is not a ledger, one of a later version, damaged or locked, or cannot be made or read. It is
        never overwritten.

    Examples
    --------
    >>> from backrank.jobs import queens_job
    >>> from backrank.queens import Queens
    >>> from backrank.queens.counting.spec import QueensCountSpec
    >>> folder = getfixture("tmp_path")
    >>> with Ledger(folder / "ledger.sqlite") as ledger:
    ...     job = ledger.add(queens_job(Queens(8).spec, QueensCountSpec(method="columnsets"), units=3))
    ...     job.state, job.done, job.spec.units
    ('open', 0, 3)
    """

    def __init__(self, path: str | PathLike[str] | None = None, *, busy_seconds: float = BUSY_SECONDS) -> None:
        self.path = ledger_path() if path is None else Path(path)
        self._connection, self.obstacle = storage.opened(self.path, busy_seconds=busy_seconds)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let the file go."""
        self._connection.close()

    @property
    def is_kept(self) -> bool:
        """Whether what is recorded outlives this process."""
        return True

    def gave_up(self, error: LedgerError) -> bool:
        """Return whether a count is to go on without this ledger after an error: only if that was not named."""
        del error
        return False

    def require_writable(self) -> None:
        """Raise LedgerError unless the file can be changed, and the disk has room."""
        with self._transaction():
            self._connection.execute(f"PRAGMA user_version = {storage.SCHEMA}")

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        if self.obstacle is not None:
            raise type(self.obstacle)(str(self.obstacle))
        with storage.transaction(self._connection, self.path):
            yield

    def add(self, spec: JobSpec, *, again: bool = False) -> Job:
        """Return the job for a count: the latest one that is there, or a new one.

        Parameters
        ----------
        spec : JobSpec
        again : bool
            Begin a new one if the latest is done.
        """
        if self.obstacle is not None and not again and (found := self.find(spec)) is not None:
            return found
        with self._transaction():
            jobs = self._sound("key = ? ORDER BY created DESC, id", spec.key)
            if jobs and not (again and jobs[0].state == DONE):
                return jobs[0]
            name = digest(f"{spec.key} {len(jobs)}", 4)
            while self._seal(name) is not None:
                name = digest(name, 4)
            self._insert(name, spec, __version__, OPEN, time.time())
        return self.job(name)

    def _insert(self, name: str, spec: JobSpec, package: str, state: str, now: float) -> None:
        text = spec.to_json()
        checksum = rows.job_checksum(name, spec.key, text, package, now)
        for table in ("unit", "failure"):  # those of a job that was of this name, and is damaged
            self._connection.execute(f"DELETE FROM {table} WHERE job = ?", (name,))  # noqa: S608 - one of the two
        self._connection.execute(
            "INSERT INTO job (id, key, spec, checksum, package, state, created, changed) VALUES (?,?,?,?,?,?,?,?)",
            (name, spec.key, text, checksum, package, state, now, now),
        )

    def find(self, spec: JobSpec) -> Job | None:
        """Return the latest job for a count, however it is cut, None if there is none; damaged ones are passed over."""
        with storage.told(self.path):
            jobs = self._sound("key = ? ORDER BY created DESC, id", spec.key)
        return jobs[0] if jobs else None

    def job(self, name: str) -> Job:
        """Return a job by its id, or by the beginning of it.

        Raises
        ------
        NoSuchJob
            If there is none, or more than one.
        LedgerError
            If it is damaged.
        """
        found = self.matching(name)
        if not found:
            raise NoSuchJob(
                f"there is no job {shown(name)} in the ledger {self.path}; 'backrank jobs' lists those there are"
            )
        if len(found) > 1:
            raise NoSuchJob(f"{len(found)} jobs begin with {shown(name)}: {', '.join(job.id for job in found)}")
        [job] = found
        if isinstance(job, DamagedJob):
            raise rows.damaged(self.path, job.id, job.problem)
        return job

    def matching(self, name: str) -> list[Job | DamagedJob]:
        """Return the job of that id; if there is none, all whose ids begin so."""
        if not name:
            return []
        with storage.told(self.path):
            if found := self._read("id = ?", name) or self._read("substr(id, 1, length(?1)) = ?1", name):
                return found
            return [job for job in self.entries() if job.id.startswith(name)]  # made up for ids that are damaged

    def entries(self) -> list[Job | DamagedJob]:
        """Return all jobs, the oldest first, the damaged ones among them."""
        with storage.told(self.path):
            return self._read("1 ORDER BY created, id")

    def jobs(self) -> list[Job]:
        """Return all jobs that are not damaged, the oldest first."""
        return [job for job in self.entries() if isinstance(job, Job)]

    def recorded(self, job: str) -> set[int]:
        """Return the numbers of the units that are recorded."""
        with storage.told(self.path):
            return {number for (number,) in self._connection.execute("SELECT number FROM unit WHERE job = ?", (job,))}

    def count_recorded(self, job: str) -> int:
        """Return how many units are recorded."""
        with storage.told(self.path):
            [(number,)] = self._connection.execute("SELECT count(*) FROM unit WHERE job = ?", (job,))
        return int(number)

    def outcomes(self, job: str) -> list[Outcome]:
        """Return what is recorded of a job, in the order of the units, every result checked.

        Raises
        ------
        LedgerError
            If a checksum or a residue does not fit, or a unit is there twice: something has changed the file.
        """
        with storage.told(self.path):
            seal = self._seal(job) or ""
            units = self._connection.execute(
                f"SELECT {rows.UNIT_FIELDS} FROM unit WHERE job = ? ORDER BY number",  # noqa: S608 - fixed names
                (job,),
            ).fetchall()
        return rows.outcomes_of(self.path, job, seal, units)

    def record(self, job: str, outcomes: Iterable[Outcome]) -> int:
        """Record what has come of some units, all or none; return how many of them were new.

        Raises
        ------
        LedgerError
            If a unit has been recorded with another result, or the file cannot be written to.
        JobStopped
            If the job has been removed.
        """
        new, now = 0, time.time()
        with self._transaction():
            if (seal := self._seal(job)) is None:
                raise JobStopped(f"the job {job} has been removed from the ledger meanwhile")
            for outcome in outcomes:
                new += self._record(job, seal, outcome, now)
            self._connection.execute("UPDATE job SET changed = ?, beat = ? WHERE id = ?", (now, now, job))
        return new

    def _record(self, job: str, seal: str, outcome: Outcome, now: float) -> int:
        done = self._connection.execute(
            "INSERT OR IGNORE INTO unit VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", rows.unit_values(job, seal, outcome, now)
        )
        if done.rowcount:
            return 1
        number, result = outcome.unit, outcome.result
        there = self._connection.execute(
            f"SELECT {rows.UNIT_FIELDS} FROM unit WHERE job = ? AND number = ?",  # noqa: S608 - fixed names
            (job, number),
        ).fetchall()
        before = [each.result for each in rows.outcomes_of(self.path, job, seal, there)]
        if before != [result]:
            raise Conflict(
                f"unit {number} of job {job} was counted twice, with different results: {', '.join(before)} is "
                f"recorded, and {result} came from {outcome.worker or 'somewhere'}; one of the two machines is not to "
                "be trusted"
            )
        return 0

    def failed(self, job: str, unit: int, error: str) -> int:
        """Note that a unit has failed, and return how often it has."""
        with self._transaction():
            if self._seal(job) is None:
                raise JobStopped(f"the job {job} has been removed from the ledger meanwhile")
            [(times,)] = self._connection.execute(
                "INSERT INTO failure VALUES (?, ?, 1, ?) ON CONFLICT (job, number) "
                "DO UPDATE SET times = min(max(CAST(times AS INTEGER), 0), 1000000) + 1, error = excluded.error "
                "RETURNING times",
                (job, unit, error),
            ).fetchall()
        return int(times)

    def failures(self, job: str) -> dict[int, tuple[int, str]]:
        """Return how often each unit has failed that has not been done since, and its last error."""
        with storage.told(self.path):
            failures = self._connection.execute(
                "SELECT number, times, error FROM failure f WHERE job = ? AND NOT EXISTS "
                "(SELECT 1 FROM unit u WHERE u.job = f.job AND u.number = f.number) ORDER BY number",
                (job,),
            ).fetchall()
        for number, times, error in failures:
            if type(number) is not int or type(times) is not int or not isinstance(error, str):
                raise rows.damaged(self.path, job, "what is recorded of a unit that failed is damaged")
        return {number: (times, error) for number, times, error in failures}

    def begin(self, job: str) -> None:
        """Open a job again that was paused or cancelled; its failures are forgotten."""
        with self._transaction():
            self._connection.execute("DELETE FROM failure WHERE job = ?", (job,))
            self._set(job, OPEN, "")

    def beat(self, job: str, *, alive: bool = True) -> None:
        """Give a sign of life, or of leaving."""
        with self._transaction():
            self._connection.execute("UPDATE job SET beat = ? WHERE id = ?", (time.time() if alive else 0.0, job))

    def state(self, job: str) -> str | None:
        """Return the state that a job is in; None if it has been removed."""
        with storage.told(self.path):
            row = self._connection.execute("SELECT state FROM job WHERE id = ?", (job,)).fetchone()
        return None if row is None else str(row[0])

    def pause(self, job: str, problem: str) -> None:
        """Note that a job cannot go on, and why."""
        with self._transaction():
            self._set(job, PAUSED, problem)

    def cancel(self, job: str) -> None:
        """Stop a job, whoever is working on it; what is recorded stays, and it can be resumed."""
        with self._transaction():
            self._set(job, CANCELLED, "")

    def remove(self, job: str) -> bool:
        """Take a job out, with everything that is kept of it, damaged or not; return whether there was one."""
        with self._transaction():
            was_there = self._connection.execute("DELETE FROM job WHERE id = ?", (job,)).rowcount > 0
            for each in (
                () if was_there else self._read("typeof(id) != 'text' OR length(id) != 8 OR id GLOB '*[^0-9a-f]*'")
            ):
                if isinstance(each, DamagedJob) and each.id == job:
                    self._connection.execute("DELETE FROM job WHERE CAST(id AS BLOB) = CAST(? AS BLOB)", (each.raw,))
                    was_there = True
        if was_there:
            sidecar.forget(self.path, job)
        return was_there

    def total(self, job: str) -> int:
        """Return the answer of a job all of whose units are recorded, which is what they give and nothing else.

        Raises
        ------
        LedgerError
            If units are missing, or something is damaged.
        """
        spec, outcomes = self.job(job).spec, self.outcomes(job)
        if len(outcomes) < spec.units:
            raise LedgerError(f"job {job} is not done: {len(outcomes)} of {spec.units} units are recorded")
        if [outcome.unit for outcome in outcomes] != list(range(spec.units)):
            raise rows.damaged(self.path, job, f"its units are not those from 0 to {spec.units - 1}")
        answer = spec.answer([int(outcome.result) for outcome in outcomes])
        if answer is None:
            raise LedgerError(
                f"the units of job {job} do not add up to a multiple of {spec.divisor}, as they must: one of them is "
                f"wrong; 'backrank jobs remove {job}' takes the job out, to be counted anew"
            )
        return answer

    def finish(self, job: str) -> int:
        """Note that a job is done, and return its answer."""
        answer = self.total(job)
        with self._transaction():
            self._set(job, DONE, "")
        return answer

    def _set(self, job: str, state: str, problem: str) -> None:
        self._connection.execute(
            "UPDATE job SET state = ?, problem = ?, changed = ? WHERE id = ? AND (state != 'done' OR ?1 = 'done')",
            (state, problem, time.time(), job),
        )

    def _seal(self, job: str) -> str | None:
        """Return the checksum of a job, damaged or not; None if there is no such job."""
        row = self._connection.execute("SELECT checksum FROM job WHERE id = ?", (job,)).fetchone()
        return None if row is None else row[0] if isinstance(row[0], str) else ""

    def _read(self, where: str, *values: str) -> list[Job | DamagedJob]:
        found = self._connection.execute(
            f"SELECT {rows.JOB_FIELDS} FROM job WHERE {where}",  # noqa: S608 - the condition is one of those above
            values,
        )
        return [rows.job_of(rows.JobRow(*row), self.path) for row in found.fetchall()]

    def _sound(self, where: str, *values: str) -> list[Job]:
        return [job for job in self._read(where, *values) if isinstance(job, Job)]
