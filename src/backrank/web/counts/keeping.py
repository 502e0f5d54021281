"""The server's side of the ledger: one thread that may wait for the disk, so that the server need not.

The ledger says how long counts stand, whoever works on them; the notes say which of them are the page's, and have the
short ones. Nothing of either is kept in memory here but answers, which do not change.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from backrank.errors import BackrankError
from backrank.jobs import DamagedJob, Ledger, LedgerError, ledger_path
from backrank.jobs import Job as LedgerJob
from backrank.jobs.location import is_told
from backrank.queens import Queens
from backrank.tours import KnightTours
from backrank.web.counts.notes import Notes
from backrank.web.counts.record import CANCELLED, DONE, ELSEWHERE, FAILED, PAUSED, PageCount
from backrank.web.problems import problem
from backrank.web.puzzles import told

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class Place:
    """Where counts are kept.

    Attributes
    ----------
    path : Path
        The ledger.
    named : bool
        Whether somebody said so: then it is an error if it cannot be used.
    """

    path: Path
    named: bool

    @classmethod
    def of(cls, path: str | None) -> Place:
        """Return the place that was named, or else the usual one."""
        return cls(ledger_path() if path is None else Path(path), path is not None or is_told())

    def try_out(self) -> None:
        """See whether it can be read and written to.

        Raises
        ------
        LedgerError
            If not.
        """
        with Ledger(self.path) as ledger, closing(Notes(self.path)) as notes:
            ledger.require_writable()
            notes.require_writable()


@dataclass(frozen=True, slots=True)
class Seen:
    """A job as it stands in the ledger, its answer if it has one, and what it counts as answers tell it."""

    job: LedgerJob
    answer: str | None
    problem: str
    puzzle: dict[str, Any]
    options: dict[str, Any]


@dataclass(frozen=True, slots=True)
class LedgerView:
    """What the ledger holds: its jobs, the damaged ones, and why nothing can be written to it, if that is so."""

    seen: list[Seen]
    damaged: list[DamagedJob]
    obstacle: LedgerError | None


class Keeper:
    """The ledger and the notes, in a thread of their own."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="ledger")
        self._open: tuple[Ledger, Notes] | None = None
        self._answers: dict[str, str] = {}
        self._questions: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {}

    async def do(self, work: Callable[[Ledger, Notes], Answer]) -> Answer:
        """Do something with them, in the order in which it was asked for.

        Raises
        ------
        LedgerError
            If they cannot be used.
        """
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._with, work)

    def _with(self, work: Callable[[Ledger, Notes], Answer]) -> Answer:
        if self._open is None:
            ledger = Ledger(self.place.path)
            try:
                self._open = ledger, Notes(self.place.path)
            except BaseException:
                ledger.close()
                raise
        try:
            return work(*self._open)
        finally:
            # What can only be read may be a copy, and may be writable again next time.
            if self._open[0].obstacle or self._open[1].obstacle:
                self._shut()

    def _shut(self) -> None:
        for each in self._open or ():
            each.close()
        self._open = None

    async def look(self) -> LedgerView:
        """Return all jobs of the ledger, the oldest first, and which of them are damaged."""
        return await self.do(self._view)

    def _view(self, ledger: Ledger, notes: Notes) -> LedgerView:
        seen, damaged = list[Seen](), list[DamagedJob]()
        for job in ledger.entries():
            if isinstance(job, DamagedJob):
                damaged.append(job)
                continue
            try:
                seen.append(self._seen(ledger, job))
            except BackrankError as error:  # its puzzle is not one
                damaged.append(DamagedJob(job.id, str(error)))
        return LedgerView(seen, damaged, ledger.obstacle or notes.obstacle)

    def _seen(self, ledger: Ledger, job: LedgerJob) -> Seen:
        problem = job.problem
        if job.state == "done" and job.id not in self._answers:
            try:
                self._answers[job.id] = str(ledger.total(job.id))
            except LedgerError as error:
                problem = str(error)
        if job.id not in self._questions:
            self._questions[job.id] = question_told(job)
        return Seen(job, self._answers.get(job.id) if job.state == "done" else None, problem, *self._questions[job.id])

    async def remove(self, job: str | None, note: int | None) -> None:
        """Take a count out of the ledger and the notes, as far as it is there."""

        def work(ledger: Ledger, notes: Notes) -> None:
            if job is not None:
                ledger.remove(job)
            if note is not None:
                notes.remove(note)

        await self.do(work)

    async def close(self) -> None:
        """Let the files go, when all that was asked for is done."""
        with suppress(BackrankError):
            await asyncio.get_running_loop().run_in_executor(self._thread, self._shut)
        self._thread.shutdown(wait=False)


def question_told(job: LedgerJob) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the puzzle and the options of a job as answers tell them."""
    from backrank.jobs import queens, tours  # noqa: PLC0415 - seldom wanted, and they load the counters

    asked = dict(job.spec.asked)
    options = {"directed": None, "up_to_symmetry": False, "symmetry": None, "strictly_open": False, "seconds": None}
    if job.spec.kind == "tours":
        tour, number = tours.specs_of(asked)
        puzzle = KnightTours(tour.board, closed=tour.closed, start=tour.start, end=tour.end, piece=tour.piece)
        return told(puzzle), {**options, "directed": number.directed, "method": job.spec.method}
    spec, wanted = queens.specs_of(asked)
    placed = Queens(spec.board, queens=spec.queens, piece=spec.piece, placed=spec.placed)
    more = {"up_to_symmetry": wanted.up_to_symmetry, "symmetry": wanted.symmetry, "method": job.spec.method}
    return told(placed), {**options, **more}


def job_of(seen: Seen) -> PageCount:
    """Return a job that was begun on the command line."""
    there = seen.job
    job = PageCount(
        f"j{there.id}", there.spec.what, seen.puzzle, seen.options, None, there.spec.units, created=there.created
    )
    job.job, job.state = there.id, PAUSED
    return job


_UNKNOWN = {
    "kind": "unknown",
    "board": "",
    "rows": 0,
    "cols": 0,
    "holes": [],
    "wrap": "none",
    "piece": "",
    "total": 0,
}


def damaged_job(damaged: DamagedJob) -> PageCount:
    """Return the entry for a job that is damaged in the ledger: it says so, and can be removed."""
    job = PageCount(f"j{damaged.id}", damaged.id, _UNKNOWN, {}, None, 0)
    job.job = damaged.id
    mark_damaged(job, damaged.problem)
    return job


def damaged_note(number: int) -> PageCount:
    """Return the entry for a count of the page whose note is damaged."""
    job = PageCount(f"c{number}", f"count {number}", _UNKNOWN, {}, None, 0, note=number)
    mark_damaged(job, "what was noted down of it does not fit its checksum")
    return job


def mark_damaged(job: PageCount, why: str) -> bool:
    """Let an entry say that it is damaged; return whether that is news."""
    before = (job.state, job.count, job.problem)
    told = f"{job.job or job.what} is damaged: {why}; remove it, and count anew"
    job.state, job.count, job.problem = FAILED, None, problem("ledger-error", told)
    return before != (job.state, job.count, job.problem)


def brought_up_to_date(job: PageCount, seen: Seen) -> bool:
    """Take over how a job stands in the ledger; return whether that is news."""
    before = (job.state, job.units, job.fraction, job.count, job.problem)
    there, spec = seen.job, seen.job.spec
    job.state, job.count = _state(job, seen), seen.answer
    if seen.problem:
        job.problem = problem("job-paused", seen.problem)
    elif job.state != PAUSED:
        job.problem = None
    if job.units is None or job.units["done"] != there.done:
        job.units = {"total": spec.units, "done": there.done, "failed": 0, "retried": 0, "rate": 0.0}
    if job.state == DONE:
        job.grow(1.0)
    elif spec.kind == "queens":  # the layers of tours are not alike
        job.grow(there.done / spec.units)
    return before != (job.state, job.units, job.fraction, job.count, job.problem)


def _state(job: PageCount, seen: Seen) -> str:
    there = seen.job
    if there.state == "done":
        return DONE if seen.answer is not None else PAUSED
    if there.state == "cancelled":
        return CANCELLED
    is_other = there.is_running and time.monotonic() >= job.orphan_until
    return ELSEWHERE if is_other else PAUSED
