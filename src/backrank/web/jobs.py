"""Counts in the background: started by one request, followed by others, and going on when nobody looks.

Everything here happens on the event loop, between two awaits, so there are no locks. Every change of a job gives it
the next version number of the whole registry; a stream that broke off asks for what is newer than what it has.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from backrank.budget import Progress
from backrank.web.limits import Limits
from backrank.web.problems import Trouble, problem_of, trouble
from backrank.web.streams import KEEP_ALIVE_SECONDS, Message
from backrank.web.workers import Pool

_TOMBSTONES = 200
WAITING, RUNNING, DONE, CANCELLED, FAILED = "waiting", "running", "done", "cancelled", "failed"
_UNFINISHED = (WAITING, RUNNING)


@dataclass
class Job:
    """One count: what it is, and how far it has come."""

    id: str
    what: str
    puzzle: dict[str, Any]
    options: dict[str, Any]
    asked: dict[str, Any]
    pieces: int
    version: int = 0
    state: str = WAITING
    created: float = field(default_factory=time.time)
    began: float | None = None
    ended: float | None = None
    progress: Progress | None = None
    count: str | None = None
    problem: dict[str, Any] | None = None
    task: asyncio.Task[None] | None = None

    @property
    def is_open(self) -> bool:
        """Whether it is not finished."""
        return self.state in _UNFINISHED

    @property
    def seconds(self) -> float:
        """How long it has been running, or ran."""
        if self.began is None:
            return 0.0
        return (time.monotonic() if self.ended is None else self.ended) - self.began

    def fraction(self) -> float | None:
        """Return how much of the work is done; None if it does not consist of known parts."""
        if self.state == DONE:
            return 1.0
        progress = self.progress
        if progress is None or progress.total <= self.pieces or not progress.depth:
            return None
        return min(1.0, progress.depth / progress.total)

    def told(self) -> dict[str, Any]:
        """Return the job as answers tell it."""
        seconds, done = self.seconds, self.fraction()
        calls = self.progress.calls if self.progress else 0
        left = seconds * (1 - done) / done if done and self.state == RUNNING else None
        return {
            "id": self.id,
            "version": self.version,
            "what": self.what,
            "puzzle": self.puzzle,
            "options": self.options,
            "state": self.state,
            "created": round(self.created, 3),
            "seconds": round(seconds, 3),
            "calls": calls,
            "rate": round(calls / seconds, 1) if seconds > 0 else 0.0,
            "fraction": done,
            "left": None if left is None else round(left, 1),
            "count": self.count,
            "problem": self.problem,
        }


class Jobs:
    """All counts, a few of them running, the others waiting or finished."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self.pool = Pool(limits.count_workers, None, limits.worker_bytes)
        self._jobs: OrderedDict[str, Job] = OrderedDict()
        self._gone: deque[tuple[int, str]] = deque(maxlen=_TOMBSTONES)
        self._version = self._number = 0
        self._changed = asyncio.Event()
        self._closed = False

    def add(
        self, what: str, puzzle: dict[str, Any], options: dict[str, Any], asked: dict[str, Any], pieces: int
    ) -> Job:
        """Begin a count, or let it wait its turn.

        Raises
        ------
        Trouble
            If there are too many already.
        """
        waiting = sum(job.is_open for job in self._jobs.values())
        if waiting >= self._limits.count_jobs:
            raise trouble("too-many", f"{waiting} counts are running or waiting; cancel one, or wait for one to finish")
        self._number += 1
        job = Job(f"c{self._number}", what, puzzle, options, asked, pieces)
        self._jobs[job.id] = job
        self._note(job)
        self._forget_old()
        job.task = asyncio.create_task(self._work(job))
        return job

    def list(self) -> list[Job]:
        """Return all jobs, the newest first."""
        return list(reversed(self._jobs.values()))

    def get(self, name: str) -> Job:
        """Return a job.

        Raises
        ------
        Trouble
            If there is none of that name.
        """
        try:
            return self._jobs[name]
        except KeyError:
            raise trouble("not-found", f"there is no count {name!r}; it was never there, or it is forgotten") from None

    def cancel(self, job: Job) -> None:
        """End a job, if it has not ended."""
        if job.is_open:
            self._finish(job, CANCELLED)
            if job.task is not None:
                job.task.cancel()

    def forget(self, job: Job) -> None:
        """End a job, and forget it."""
        self.cancel(job)
        del self._jobs[job.id]
        self._version += 1
        self._gone.append((self._version, job.id))
        self._wake()

    def close(self) -> None:
        """End the streams of those who follow."""
        self._closed = True
        self._wake()

    async def stop(self) -> None:
        """End everything."""
        for job in self._jobs.values():
            self.cancel(job)
        await asyncio.gather(*(job.task for job in self._jobs.values() if job.task), return_exceptions=True)
        await self.pool.close()

    async def follow(self, seen: int, only: str | None = None) -> AsyncIterator[Message]:
        """Yield what has changed since a version, then every change as it happens."""
        seen = seen if seen <= self._version else 0  # a version of a server that ran before this one
        while not self._closed:
            changed, now = self._changed, self._version
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
            for _, message in sorted(fresh, key=lambda pair: pair[0]):
                yield message
            seen = now
            try:
                async with asyncio.timeout(KEEP_ALIVE_SECONDS):
                    await changed.wait()
            except TimeoutError:
                yield Message()

    async def _work(self, job: Job) -> None:
        def report(told: dict[str, Any]) -> None:
            job.progress = Progress(**told)
            self._note(job)

        with suppress(asyncio.CancelledError):
            async with self.pool.lend() as worker:
                job.state, job.began = RUNNING, time.monotonic()
                self._note(job)
                try:
                    job.count = (await worker.run("count", job.asked, report=report))["count"]
                except Trouble as error:
                    job.problem = error.problem
                except Exception as error:  # a job that fails must say so
                    job.problem = problem_of(error)
                self._finish(job, DONE if job.count is not None else FAILED)

    def _finish(self, job: Job, state: str) -> None:
        job.state, job.ended = state, time.monotonic()
        self._note(job)

    def _note(self, job: Job) -> None:
        self._version += 1
        job.version = self._version
        self._wake()

    def _wake(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()

    def _forget_old(self) -> None:
        """Forget the oldest finished jobs, if there are too many."""
        finished = [job for job in self._jobs.values() if not job.is_open]
        for job in finished[: max(0, len(finished) - self._limits.kept_jobs)]:
            self.forget(job)
