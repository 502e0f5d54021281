"""Counts in the background: started by one request, followed by others, and going on when nobody looks.

Everything here happens on the event loop, between two awaits, so there are no locks. Every change of a job gives it
the next version number of the whole registry; a stream that broke off asks for what is newer than what it has. Numbers
begin with the time of the start, so that those of a server that ran before are smaller than any of this one.

With a place to keep them, counts outlive the server: each is noted down before it is begun, and long ones are jobs of
the ledger, where the command line finds them too. What is in the ledger is looked at as long as somebody follows.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Coroutine
from contextlib import suppress
from typing import Any

from backrank.errors import shown
from backrank.jobs import LedgerError
from backrank.runtime.progress import Progress
from backrank.web.counts.keeping import (
    Keeper,
    LedgerView,
    Place,
    brought_up_to_date,
    damaged_job,
    damaged_note,
    job_of,
    mark_damaged,
)
from backrank.web.counts.record import CANCELLED, DONE, ELSEWHERE, FAILED, PAUSED, WAITING, PageCount
from backrank.web.limits import Limits
from backrank.web.net.streams import KEEP_ALIVE_SECONDS, Message
from backrank.web.problems import Trouble, problem_of, trouble
from backrank.web.workers.pool import Pool

LOOK_SECONDS = 1.0
NOTE_SECONDS = 1.0
_TOMBSTONES = 200
_ENDED = (DONE, FAILED)
_RESUMABLE = (PAUSED, CANCELLED, ELSEWHERE, FAILED)


class PageCounts:
    """All counts, a few of them running, the others waiting, stopped or finished."""

    def __init__(self, limits: Limits, place: Place | None = None) -> None:
        self._limits = limits
        self.pool = Pool(limits.count_workers, None, limits.worker_bytes)
        self._keeper = None if place is None else Keeper(place)
        self._trouble: dict[str, Any] | None = None
        self._loaded = False
        self._jobs: OrderedDict[str, PageCount] = OrderedDict()
        self._gone: deque[tuple[int, str]] = deque(maxlen=_TOMBSTONES)
        self._first = self._version = self._ledger_version = int(time.time() * 1000)
        self._number = 0
        self._followers = 0
        self._changed, self._followed = asyncio.Event(), asyncio.Event()
        self._chores: set[asyncio.Task[None]] = set()
        self._watching: asyncio.Task[None] | None = None
        self._closed = False

    # --- what is there --------------------------------------------------------------------------------

    async def start(self) -> None:
        """Find what is kept, and keep looking as long as somebody follows."""
        if self._keeper is not None:
            await self.refresh()
            self._watching = asyncio.create_task(self._watch())

    def newest(self) -> list[PageCount]:
        """Return all jobs, the newest first."""
        return sorted(self._jobs.values(), key=lambda job: job.created, reverse=True)

    def get(self, name: str) -> PageCount:
        """Return a job.

        Raises
        ------
        Trouble
            If there is none of that name.
        """
        try:
            return self._jobs[name]
        except KeyError:
            raise trouble(
                "not-found", f"there is no count {shown(name)}; it was never there, or it is forgotten"
            ) from None

    def ledger_told(self) -> dict[str, Any]:
        """Return where counts are kept, and why they are not."""
        path = None if self._keeper is None else str(self._keeper.place.path)
        return {"path": path, "kept": self._keeper is not None and self._trouble is None, "problem": self._trouble}

    async def refresh(self) -> None:
        """See how the ledger stands now."""
        if self._keeper is None or self._closed:
            return
        try:
            if not self._loaded:
                self._load(await self._keeper.do(lambda _, notes: notes.all()))
            began = time.monotonic()
            view = await self._keeper.look()
        except LedgerError as error:
            self._troubled(error)
            return
        self._troubled(view.obstacle)
        self._apply(view, began)

    def _load(self, notes: dict[int, dict[str, Any] | None]) -> None:
        if self._loaded:  # two may have asked at the same time
            return
        self._loaded = True
        for number, content in notes.items():
            with suppress(TypeError):  # a note of another version is left alone
                job = damaged_note(number) if content is None else PageCount.from_note(number, content)
                self._jobs[job.id] = job
                self._note(job)

    def _troubled(self, error: LedgerError | dict[str, Any] | None) -> None:
        """Say that counts are not kept, and why; or that they are again. Once."""
        told = problem_of(error) if isinstance(error, LedgerError) else error
        if told != self._trouble:
            self._trouble = told
            self._version += 1
            self._ledger_version = self._version
            self._wake()

    def _apply(self, view: LedgerView, began: float) -> None:
        by_job = {job.job: job for job in self._jobs.values() if job.job is not None}
        for damaged in view.damaged:
            if (job := by_job.pop(damaged.id, None)) is None:
                job = damaged_job(damaged)
                self._jobs[job.id] = job
                self._note(job)
            elif not job.is_open and job.touched <= began and mark_damaged(job, damaged.problem):
                self._note(job)
        for each in view.seen:
            if (job := by_job.pop(each.job.id, None)) is None:
                job = job_of(each)
                self._jobs[job.id] = job
            if not job.is_open and job.touched <= began and brought_up_to_date(job, each):
                self._note(job)
                self._save(job)
        for job in by_job.values():  # these have been removed from the ledger
            if not job.is_open and job.touched <= began:
                self._drop(job)
                self._do(self._forget_note(job.note))

    async def _watch(self) -> None:
        while not self._closed:
            await self._followed.wait()
            await self.refresh()
            await asyncio.sleep(LOOK_SECONDS)

    # --- what is done ---------------------------------------------------------------------------------

    async def add(
        self, what: str, puzzle: dict[str, Any], options: dict[str, Any], asked: dict[str, Any], pieces: int
    ) -> tuple[PageCount, bool]:
        """Begin a count, or let it wait its turn; the same one that is not done goes on. Return whether it is new.

        Raises
        ------
        Trouble
            If there are too many already.
        LedgerError
            If it cannot be kept where somebody said that it should be.
        """
        same = [job for job in self._jobs.values() if job.is_about(what, puzzle, asked) and job.state not in _ENDED]
        if same:
            self.resume(same[-1])
            return same[-1], False
        self._require_room()
        job = PageCount("", what, puzzle, options, asked, pieces)
        await self._enlist(job)
        self._jobs[job.id] = job
        self._forget_old()
        self._begin(job)
        return job, True

    async def _enlist(self, job: PageCount) -> None:
        """Give a job its name, and note it down before it is begun."""
        if self._keeper is not None:
            try:
                job.note = await self._keeper.do(lambda _, notes: notes.add(job.to_note()))
            except LedgerError as error:
                if self._keeper.place.named:
                    raise
                self._troubled(error)
        self._number += 1
        kind = "c" if self._keeper is None or job.note is not None else "m"
        job.id = f"{kind}{self._number if job.note is None else job.note}"

    def resume(self, job: PageCount) -> None:
        """Go on with a job that has stopped, or is at work elsewhere.

        Raises
        ------
        Trouble
            If there are too many already.
        """
        if job.state in _RESUMABLE and (job.asked, job.job) != (None, None):
            self._require_room()
            self._begin(job)

    def _require_room(self) -> None:
        waiting = sum(job.is_open for job in self._jobs.values())
        if waiting >= self._limits.count_jobs:
            raise trouble("too-many", f"{waiting} counts are running or waiting; cancel one, or wait for one to finish")

    def _begin(self, job: PageCount) -> None:
        job.state, job.problem = WAITING, None
        self._note(job)
        job.task = asyncio.create_task(self._work(job))

    async def cancel(self, job: PageCount) -> None:
        """Stop a job, whoever is working on it; it can be resumed. One that has ended stays as it is."""
        if job.state in (*_ENDED, CANCELLED):
            return
        await self._halt(job, CANCELLED)
        if job.job is not None and self._keeper is not None:
            name = job.job
            await self._keeper.do(lambda ledger, _: ledger.cancel(name))
        if job.state != CANCELLED:
            job.end(CANCELLED)
        self._note(job)
        self._save(job)

    async def forget(self, job: PageCount) -> None:
        """Stop a job, and forget it, here and in the ledger."""
        await self._halt(job, PAUSED)
        if self._keeper is not None and (job.job, job.note) != (None, None):
            await self._keeper.remove(job.job, job.note)
        self._drop(job)

    async def _halt(self, job: PageCount, state: str) -> None:
        """End the work of this server on a job at once."""
        if job.is_open:
            job.end(state)
            self._note(job)
            await self._let_go(job)

    async def _let_go(self, job: PageCount) -> None:
        if job.task is not None:
            job.task.cancel()
            await asyncio.wait({job.task})
            await self.pool.settle()
        await self._sign_off(job)

    async def _sign_off(self, job: PageCount) -> None:
        """Say in the ledger that nobody here is at work on a job: a worker that was killed could not."""
        if job.job is not None and self._keeper is not None:
            name = job.job
            with suppress(LedgerError):
                await self._keeper.do(lambda ledger, _: ledger.beat(name, alive=False))

    def close(self) -> None:
        """End the streams of those who follow."""
        self._closed = True
        self._wake()

    async def stop(self) -> None:
        """End everything; what is kept goes on when a server runs again."""
        self.close()
        for job in [job for job in self._jobs.values() if job.is_open]:
            job.end(PAUSED)
            self._save(job)
            await self._let_go(job)
        if self._watching is not None:
            self._watching.cancel()
            await asyncio.wait({self._watching})
        await asyncio.gather(*self._chores, return_exceptions=True)
        await self.pool.close()
        if self._keeper is not None:
            await self._keeper.close()

    async def follow(self, seen: int, only: str | None = None) -> AsyncIterator[Message]:
        """Yield what has changed since a version, then every change as it happens."""
        seen = seen if self._first <= seen <= self._version else 0  # a version of a server that ran before this one
        if not seen and only is None:
            yield Message("present", {"ids": list(self._jobs)})
        self._followers += 1
        self._followed.set()
        try:
            while not self._closed:
                changed, now = self._changed, self._version
                for message in self._fresh(seen, only):
                    yield message
                seen = now
                try:
                    async with asyncio.timeout(KEEP_ALIVE_SECONDS):
                        await changed.wait()
                except TimeoutError:
                    yield Message()
        finally:
            self._followers -= 1
            if not self._followers:
                self._followed.clear()

    def _fresh(self, seen: int, only: str | None) -> list[Message]:
        fresh = [
            (job.version, Message("job", job.told(), id=str(job.version)))
            for job in self._jobs.values()
            if job.version > seen and only in (None, job.id)
        ]
        fresh += [
            (version, Message("gone", {"id": name}, id=str(version)))
            for version, name in self._gone
            if version > seen > 0 and only in (None, name)  # who comes for the first time misses nothing
        ]
        if self._ledger_version > seen and only is None:
            number = self._ledger_version
            fresh.append((number, Message("ledger", self.ledger_told(), id=str(number))))
        return [message for _, message in sorted(fresh, key=lambda pair: pair[0])]

    # --- one job --------------------------------------------------------------------------------------

    async def _work(self, job: PageCount) -> None:
        place = self._keeper.place if self._keeper is not None else None
        where = {"ledger": place and str(place.path), "named": place is not None and place.named}

        def report(told: dict[str, Any]) -> None:
            self._reported(job, told)

        with suppress(asyncio.CancelledError):
            async with self.pool.lend() as worker:
                job.begin()
                self._note(job)
                self._save(job)
                try:
                    asked = {**where, "asked": job.asked, "job": job.job}
                    job.count = (await worker.run("count", asked, report=report))["count"]
                except Exception as error:  # a job that fails must say so
                    await self._sign_off(job)
                    told = error.problem if isinstance(error, Trouble) else problem_of(error)
                    job.end(FAILED if job.job is None else PAUSED, told)
                else:
                    job.end(DONE)
            self._note(job)
            self._save(job)

    def _reported(self, job: PageCount, told: dict[str, Any]) -> None:
        if "kept" in told:
            job.job, job.recorded = told["kept"]["job"], told["kept"]["recorded"]
            for other in [each for each in self._jobs.values() if each.job == job.job and each is not job]:
                self._do(self._give_way(other))
            self._save(job)
        elif "unkept" in told:
            self._troubled(told["unkept"])
            job.job = None  # it goes on without
            self._save(job)
        elif "job" in told:
            job.advanced(told["job"])
        else:
            job.reached(Progress(**told))
        self._note(job)
        if job.touched - job.noted >= NOTE_SECONDS:
            self._save(job)

    async def _give_way(self, other: PageCount) -> None:
        """Drop an entry: a job of the ledger has one, the newest."""
        self._drop(other)
        if other.task is not None:
            other.task.cancel()
        await self._forget_note(other.note)

    # --- changes --------------------------------------------------------------------------------------

    def _note(self, job: PageCount) -> None:
        self._version += 1
        job.version, job.touched = self._version, time.monotonic()
        self._wake()

    def _wake(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()

    def _save(self, job: PageCount) -> None:
        """Write a job down, soon."""
        job.settle()
        if self._keeper is None or job.note is None:
            return
        number, content, keeper = job.note, job.to_note(), self._keeper

        async def save() -> None:
            try:
                await keeper.do(lambda _, notes: notes.put(number, content))
            except LedgerError as error:
                self._troubled(error)

        self._do(save())

    async def _forget_note(self, note: int | None) -> None:
        if self._keeper is not None and note is not None:
            try:
                await self._keeper.remove(None, note)
            except LedgerError as error:
                self._troubled(error)

    def _drop(self, job: PageCount) -> None:
        if self._jobs.pop(job.id, None) is not None:
            self._version += 1
            self._gone.append((self._version, job.id))
            self._wake()

    def _forget_old(self) -> None:
        """Forget the oldest finished counts that are no jobs of the ledger, if there are too many."""
        finished = [job for job in self._jobs.values() if not job.is_open and job.state != PAUSED and job.job is None]
        for job in finished[: max(0, len(finished) - self._limits.kept_jobs)]:
            self._drop(job)
            self._do(self._forget_note(job.note))

    def _do(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._chores.add(task)
        task.add_done_callback(self._chores.discard)
