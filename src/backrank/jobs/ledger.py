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
from collections.abc import Iterable
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

from backrank._version import __version__
from backrank.errors import InvalidText, shown
from backrank.jobs import beside, storage
from backrank.jobs.place import ledger_path
from backrank.jobs.problems import Conflict, JobStopped, LedgerError, NoSuchJob
from backrank.jobs.spec import PRIME, JobSpec, digest
from backrank.jobs.units import Outcome

STATES = OPEN, PAUSED, CANCELLED, DONE = "open", "paused", "cancelled", "done"
BUSY_SECONDS = 10.0
ALIVE_SECONDS = 15.0  # without a sign of life, after which nobody is taken to work on a job if locks cannot tell
MOST_SECONDS = 1e11  # since 1970: some thousand years
MOST_DIGITS = 4000  # of a result
_FIELDS = (
    "id, spec, checksum, package, state, problem, created, changed, beat, (SELECT count(*) FROM unit WHERE job = id)"
)


@dataclass(frozen=True, slots=True)
class Job:
    """A job as it stands in the ledger.

    Attributes
    ----------
    id : str
    spec : JobSpec
    package : str
        The version of this package that began it.
    state : {"open", "paused", "cancelled", "done"}
    problem : str
        Why it is paused.
    created, changed : float
        Seconds since 1970: when it was begun, and last recorded or changed.
    is_running : bool
        Whether some process is at work on it (:mod:`backrank.jobs.beside`).
    done : int
        Units that are recorded.
    """

    id: str
    spec: JobSpec
    package: str
    state: str
    problem: str
    created: float
    changed: float
    is_running: bool
    done: int

    @property
    def percent(self) -> float:
        """How much is done, in hundredths."""
        return 100 * self.done / self.spec.units


class Ledger:
    """A file of jobs; close it, or use it in a `with` statement. It belongs to the thread that made it.

    Parameters
    ----------
    path : path-like, optional
        The file; :func:`ledger_path` if not given. It is made if it is not there.
    busy_seconds : float
        How long to wait for another program that has locked it.

    Raises
    ------
    LedgerError
        If the file is not a ledger, one of a later version, damaged, locked, or cannot be written to. It is never
        overwritten.

    Examples
    --------
    >>> from backrank.jobs import queens_job
    >>> from backrank.queens import Queens
    >>> from backrank.queens.requested import Request
    >>> folder = getfixture("tmp_path")
    >>> with Ledger(folder / "ledger.sqlite") as ledger:
    ...     job = ledger.add(queens_job(Queens(8).question, Request(method="columnsets"), units=3))
    ...     job.state, job.done, job.spec.units
    ('open', 0, 3)
    """

    def __init__(self, path: str | PathLike[str] | None = None, *, busy_seconds: float = BUSY_SECONDS) -> None:
        self.path = ledger_path() if path is None else Path(path)
        self._connection = storage.opened(self.path, busy_seconds=busy_seconds)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let the file go."""
        self._connection.close()

    def add(self, spec: JobSpec, *, again: bool = False) -> Job:
        """Return the job for a count: the latest one that is there, or a new one.

        Parameters
        ----------
        spec : JobSpec
        again : bool
            Begin a new one if the latest is done.
        """
        with storage.transaction(self._connection, self.path):
            jobs = self._read("key = ? ORDER BY created DESC, id", spec.key)
            if jobs and not (again and jobs[0].state == DONE):
                return jobs[0]
            name, text, now = digest(f"{spec.key} {len(jobs)}", 4), spec.to_json(), time.time()
            while self._read("id = ?", name):
                name = digest(name, 4)
            self._connection.execute(
                "INSERT INTO job (id, key, spec, checksum, package, state, created, changed) VALUES (?,?,?,?,?,?,?,?)",
                (name, spec.key, text, _spec_checksum(name, text), __version__, OPEN, now, now),
            )
        return self.job(name)

    def find(self, spec: JobSpec) -> Job | None:
        """Return the latest job for a count, however it is cut; None if there is none."""
        with storage.told(self.path):
            jobs = self._read("key = ? ORDER BY created DESC, id", spec.key)
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
        with storage.told(self.path):
            found = self._read("id = ?", name) or self._read("substr(id, 1, length(?1)) = ?1", name)
        if not name or not found:
            raise NoSuchJob(
                f"there is no job {shown(name)} in the ledger {self.path}; 'backrank jobs' lists those there are"
            )
        if len(found) > 1:
            raise NoSuchJob(f"{len(found)} jobs begin with {shown(name)}: {', '.join(job.id for job in found)}")
        return found[0]

    def jobs(self) -> list[Job]:
        """Return all jobs, the oldest first."""
        with storage.told(self.path):
            return self._read("1 ORDER BY created, id")

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
            If a checksum or a residue does not fit: somebody or something has changed the file.
        """
        with storage.told(self.path):
            rows = self._connection.execute(
                "SELECT number, result, residue, checksum, calls, seconds, worker FROM unit "
                "WHERE job = ? ORDER BY number",
                (job,),
            ).fetchall()
        for number, result, residue, checksum, *rest in rows:
            if checksum != _checksum(job, number, result, residue) or not _is_sound(result, residue, *rest):
                raise self._damaged(job, f"the checksum of unit {number} does not fit")
        return [Outcome(row[0], row[1], *row[4:]) for row in rows]

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
        with storage.transaction(self._connection, self.path):
            if not self._exists(job):
                raise JobStopped(f"the job {job} has been removed from the ledger meanwhile")
            for outcome in outcomes:
                new += self._record(job, outcome, now)
            self._connection.execute("UPDATE job SET changed = ?, beat = ? WHERE id = ?", (now, now, job))
        return new

    def _record(self, job: str, outcome: Outcome, now: float) -> int:
        number, result = outcome.unit, outcome.result
        residue = int(result) % PRIME
        row = (job, number, result, residue, _checksum(job, number, result, residue))
        done = self._connection.execute(
            "INSERT OR IGNORE INTO unit VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (*row, outcome.calls, outcome.seconds, outcome.worker, now),
        )
        if done.rowcount:
            return 1
        [(before,)] = self._connection.execute("SELECT result FROM unit WHERE job = ? AND number = ?", (job, number))
        if before != result:
            raise Conflict(
                f"unit {number} of job {job} was counted twice, with different results: {before} is recorded, and "
                f"{result} came from {outcome.worker or 'somewhere'}; one of the two machines is not to be trusted"
            )
        return 0

    def failed(self, job: str, unit: int, error: str) -> int:
        """Note that a unit has failed, and return how often it has."""
        with storage.transaction(self._connection, self.path):
            if not self._exists(job):
                raise JobStopped(f"the job {job} has been removed from the ledger meanwhile")
            [(times,)] = self._connection.execute(
                "INSERT INTO failure VALUES (?, ?, 1, ?) ON CONFLICT (job, number) "
                "DO UPDATE SET times = times + 1, error = excluded.error RETURNING times",
                (job, unit, error),
            ).fetchall()
        return int(times)

    def failures(self, job: str) -> dict[int, tuple[int, str]]:
        """Return how often each unit has failed that has not been done since, and its last error."""
        with storage.told(self.path):
            rows = self._connection.execute(
                "SELECT number, times, error FROM failure f WHERE job = ? AND NOT EXISTS "
                "(SELECT 1 FROM unit u WHERE u.job = f.job AND u.number = f.number) ORDER BY number",
                (job,),
            ).fetchall()
        return {number: (times, error) for number, times, error in rows}

    def begin(self, job: str) -> None:
        """Open a job again that was paused or cancelled; its failures are forgotten."""
        with storage.transaction(self._connection, self.path):
            self._connection.execute("DELETE FROM failure WHERE job = ?", (job,))
            self._set(job, OPEN, "")

    def beat(self, job: str, *, alive: bool = True) -> None:
        """Give a sign of life, or of leaving."""
        with storage.transaction(self._connection, self.path):
            self._connection.execute("UPDATE job SET beat = ? WHERE id = ?", (time.time() if alive else 0.0, job))

    def state(self, job: str) -> str | None:
        """Return the state that a job is in; None if it has been removed."""
        with storage.told(self.path):
            row = self._connection.execute("SELECT state FROM job WHERE id = ?", (job,)).fetchone()
        return None if row is None else str(row[0])

    def pause(self, job: str, problem: str) -> None:
        """Note that a job cannot go on, and why."""
        with storage.transaction(self._connection, self.path):
            self._set(job, PAUSED, problem)

    def cancel(self, job: str) -> None:
        """Stop a job, whoever is working on it; what is recorded stays, and it can be resumed."""
        with storage.transaction(self._connection, self.path):
            self._set(job, CANCELLED, "")

    def remove(self, job: str) -> bool:
        """Take a job out, with everything that is kept of it, damaged or not; return whether there was one."""
        with storage.transaction(self._connection, self.path):
            was_there = self._connection.execute("DELETE FROM job WHERE id = ?", (job,)).rowcount > 0
        if was_there:
            beside.forget(self.path, job)
        return was_there

    def total(self, job: str) -> int:
        """Return the answer of a job all of whose units are recorded, which is what they give and nothing else.

        Raises
        ------
        LedgerError
            If units are missing, or something is damaged.
        """
        spec, results = self.job(job).spec, [int(outcome.result) for outcome in self.outcomes(job)]
        if len(results) != spec.units:
            raise LedgerError(f"job {job} is not done: {len(results)} of {spec.units} units are recorded")
        answer = spec.answer(results)
        if answer is None:
            raise LedgerError(
                f"the units of job {job} do not add up to a multiple of {spec.divisor}, as they must: one of them is "
                f"wrong; 'backrank jobs remove {job}' takes the job out, to be counted anew"
            )
        return answer

    def finish(self, job: str) -> int:
        """Note that a job is done, and return its answer."""
        answer = self.total(job)
        with storage.transaction(self._connection, self.path):
            self._set(job, DONE, "")
        return answer

    def _set(self, job: str, state: str, problem: str) -> None:
        self._connection.execute(
            "UPDATE job SET state = ?, problem = ?, changed = ? WHERE id = ? AND (state != 'done' OR ?1 = 'done')",
            (state, problem, time.time(), job),
        )

    def _exists(self, job: str) -> bool:
        return self._connection.execute("SELECT 1 FROM job WHERE id = ?", (job,)).fetchone() is not None

    def _read(self, where: str, *values: str) -> list[Job]:
        rows = self._connection.execute(
            f"SELECT {_FIELDS} FROM job WHERE {where}",  # noqa: S608 - the condition is one of those above
            values,
        )
        return [self._job(_Row(*row)) for row in rows.fetchall()]

    def _job(self, row: _Row) -> Job:
        try:
            spec = JobSpec.from_json(row.spec)
        except InvalidText as error:
            raise self._damaged(row.id, str(error)) from None
        if row.checksum != _spec_checksum(row.id, row.spec):
            raise self._damaged(row.id, "its checksum does not fit")
        if not _is_whole(row):
            raise self._damaged(row.id, "its times or its state cannot be")
        at_work = beside.is_at_work(self.path, row.id)
        is_alive = time.time() - row.beat < ALIVE_SECONDS if at_work is None else at_work
        is_running = row.state == OPEN and is_alive
        return Job(row.id, spec, row.package, row.state, row.problem, row.created, row.changed, is_running, row.done)

    def _damaged(self, job: str, why: str) -> LedgerError:
        return LedgerError(
            f"the ledger {self.path} is damaged: job {job}: {why}; nothing was changed. 'backrank jobs remove {job}' "
            "takes the job out, to be counted anew"
        )


class _Row(NamedTuple):
    """A job as SQLite has it."""

    id: str
    spec: str
    checksum: str
    package: str
    state: str
    problem: str
    created: float
    changed: float
    beat: float
    done: int


def _spec_checksum(job: str, spec: str) -> str:
    return digest(f"{job} {spec}")


def _checksum(job: str, number: int, result: str, residue: int) -> str:
    return digest(f"{job} {number} {result} {residue}")


def _is_sound(result: object, residue: object, calls: object, seconds: object, worker: object) -> bool:
    """Whether a row is of the kinds that it should be, and the residue fits; a damaged file may give anything."""
    if not isinstance(result, str) or not isinstance(calls, int) or not isinstance(worker, str):
        return False
    if not isinstance(seconds, float) or not 0 <= seconds < MOST_SECONDS:
        return False
    return result.isdecimal() and len(result) <= MOST_DIGITS and int(result) % PRIME == residue


def _is_whole(row: _Row) -> bool:
    """Whether what has no checksum is of the kinds that it should be."""
    times = (row.created, row.changed, row.beat)
    is_timely = all(isinstance(at, float) and 0 <= at < MOST_SECONDS for at in times)
    return is_timely and row.state in STATES and isinstance(row.package, str) and isinstance(row.problem, str)
