"""Rows of a ledger: their checksums, and the jobs and outcomes that are read back from them.

The checksum of a job covers everything that stays as it is while the job exists; that of a unit covers the whole row
and, through the checksum of the job, how the job was cut. State, problem and times of a job change too often to be
covered: they are only required to be of the right kind, and no answer depends on them, since an answer is added up from
the units each time.

Ledgers of table version 1 have weaker checksums (specification and results only), which are accepted as well.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from backrank.errors import InvalidText
from backrank.jobs import sidecar
from backrank.jobs.errors import LedgerError
from backrank.jobs.spec import PRIME, JobSpec, canonical, digest
from backrank.jobs.units import Outcome

STATES = OPEN, PAUSED, CANCELLED, DONE = "open", "paused", "cancelled", "done"
ALIVE_SECONDS = 15.0  # without a sign of life, after which a job counts as not running if locks cannot tell
MOST_SECONDS = 1e11  # since 1970: some thousand years
MOST_DIGITS = 4000  # of a result
MOST_CALLS = 1 << 63
JOB_FIELDS = (
    "id, key, spec, checksum, package, state, problem, created, changed, beat, "
    "(SELECT count(*) FROM unit WHERE job = id)"
)
UNIT_FIELDS = "number, result, residue, checksum, calls, seconds, worker, recorded"
_ID = re.compile("[0-9a-f]{8}")


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
        Whether some process is at work on it (:mod:`backrank.jobs.sidecar`).
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


@dataclass(frozen=True, slots=True)
class DamagedJob:
    """A job whose row in the ledger cannot be used.

    Attributes
    ----------
    id : str
        Its id; if that is damaged itself, a name made from what is there. `Ledger.remove` takes either.
    problem : str
        What is wrong, in one line.
    raw : object
        What the ledger has as its id.
    """

    id: str
    problem: str
    raw: object = field(default=None, repr=False, compare=False)


class JobRow(NamedTuple):
    """A job as SQLite returns it: in a damaged file, every field may have any type."""

    id: str
    key: str
    spec: str
    checksum: str
    package: str
    state: str
    problem: str
    created: float
    changed: float
    beat: float
    done: int


def text(data: bytes) -> str | bytes:
    """Return a text of the database; what is not UTF-8 stays bytes, so that it is refused like any other wrong type."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data


# --- checksums ----------------------------------------------------------------------------------------


def job_checksum(job: str, key: str, spec: str, package: str, created: float) -> str:
    """Return the checksum of what never changes in a job."""
    return digest(canonical([job, key, spec, package, created]))


def unit_values(job: str, seal: str, outcome: Outcome, now: float) -> tuple[str | int | float, ...]:
    """Return the row for a unit; `seal` is the checksum of its job."""
    residue, seconds = int(outcome.result) % PRIME, float(outcome.seconds)
    rest = (outcome.calls, seconds, outcome.worker, now)
    checksum = _unit_checksum(job, seal, outcome.unit, outcome.result, residue, *rest)
    return (job, outcome.unit, outcome.result, residue, checksum, *rest)


def _unit_checksum(job: str, seal: str, *row: object) -> str:
    return digest(canonical([job, seal, *row]))


def _old_job_checksum(job: str, spec: str) -> str:
    return digest(f"{job} {spec}")


def _old_unit_checksum(job: str, number: int, result: str, residue: int) -> str:
    return digest(f"{job} {number} {result} {residue}")


# --- reading back -------------------------------------------------------------------------------------


def damaged(path: Path, job: str, why: str) -> LedgerError:
    """Return the error for a job that cannot be used."""
    return LedgerError(
        f"the ledger {path} is damaged: job {job}: {why}; nothing was changed. 'backrank jobs remove {job}' "
        "takes the job out, to be counted anew"
    )


def job_of(row: JobRow, path: Path) -> Job | DamagedJob:
    """Return the job of a row, if everything in it is as it must be."""
    if not isinstance(row.id, str) or _ID.fullmatch(row.id) is None:
        return DamagedJob(f"damaged-{digest(repr(row.id), 4)}", "its id is not one of a job", row.id)
    spec = _spec_of(row)
    if isinstance(spec, str):
        return DamagedJob(row.id, spec, row.id)
    at_work = sidecar.is_at_work(path, row.id)
    is_alive = abs(time.time() - row.beat) < ALIVE_SECONDS if at_work is None else at_work
    # A job that is done and lacks units was damaged: it is open, so that only those are counted again.
    state = OPEN if row.state == DONE and row.done < spec.units else row.state
    is_running = state == OPEN and is_alive
    return Job(row.id, spec, row.package, state, row.problem, row.created, row.changed, is_running, row.done)


def _spec_of(row: JobRow) -> JobSpec | str:
    """Return the specification of a job, or else what is wrong with its row."""
    if wrong := _wrong_fields(row):
        return wrong
    try:
        spec = JobSpec.from_json(row.spec)
    except InvalidText as error:
        return str(error)
    if spec.key != row.key:
        return "its key does not fit its specification"
    if row.done > spec.units:
        return f"{row.done:,} units are recorded, and it has {spec.units:,}"
    return spec


def _wrong_fields(row: JobRow) -> str:
    """Return what is wrong with the fields of a job, whatever its specification says; empty if nothing is."""
    if not all(isinstance(each, str) for each in (row.key, row.spec, row.checksum, row.package, row.problem)):
        return "some of its fields are not text"
    if not all(isinstance(at, float) and 0 <= at < MOST_SECONDS for at in (row.created, row.changed, row.beat)):
        return "one of its times is not possible"
    if row.state not in STATES:
        return f"its state is unknown; states are {', '.join(STATES)}"
    own = job_checksum(row.id, row.key, row.spec, row.package, row.created)
    return "" if row.checksum in (own, _old_job_checksum(row.id, row.spec)) else "its checksum does not fit"


def outcomes_of(path: Path, job: str, seal: str, rows: Iterable[Sequence[object]]) -> list[Outcome]:
    """Return the outcomes of the units of a job, in their order.

    Raises
    ------
    LedgerError
        If a row is damaged, or there are two of one unit.
    """
    outcomes = []
    for number, result, residue, checksum, *rest in rows:
        outcome = _outcome(number, result, residue, rest)
        if outcome is None or checksum not in _unit_checksums(job, seal, outcome, residue, rest):
            raise damaged(path, job, f"the checksum of unit {_shown(number)} does not fit")
        outcomes.append(outcome)
    for one, two in pairwise(outcomes):
        if one.unit >= two.unit:
            raise damaged(path, job, f"unit {two.unit} is out of order, or there twice")
    return outcomes


def _unit_checksums(job: str, seal: str, outcome: Outcome, residue: object, rest: Sequence[object]) -> tuple[str, str]:
    own = _unit_checksum(job, seal, outcome.unit, outcome.result, residue, *rest)
    return own, _old_unit_checksum(job, outcome.unit, outcome.result, int(outcome.result) % PRIME)


def _outcome(number: object, result: object, residue: object, rest: Sequence[object]) -> Outcome | None:
    """Return the outcome if every field is of its type and in its range, and the residue fits."""
    calls, seconds, worker, recorded = rest
    if type(number) is not int or type(calls) is not int or type(residue) is not int:
        return None
    if not isinstance(result, str) or not isinstance(worker, str):
        return None
    if not isinstance(seconds, float) or not isinstance(recorded, float):
        return None
    is_number = result.isascii() and result.isdecimal() and len(result) <= MOST_DIGITS
    is_possible = (
        number >= 0 and 0 <= calls < MOST_CALLS and 0 <= seconds < MOST_SECONDS and 0 <= recorded < MOST_SECONDS
    )
    if not is_possible or not is_number or int(result) % PRIME != residue:
        return None
    return Outcome(number, result, calls, seconds, worker)


def _shown(number: object) -> str:
    return str(number) if type(number) is int else "?"
