"""One count of the page: what it is, how far it has come, and how it is told and noted down."""

from __future__ import annotations

import asyncio
import sys
import time
from dataclasses import dataclass, field
from typing import Any

from backrank.jobs.ledger import ALIVE_SECONDS
from backrank.runtime.progress import Progress

WAITING, RUNNING, DONE, CANCELLED, FAILED = "waiting", "running", "done", "cancelled", "failed"
PAUSED, ELSEWHERE = "paused", "elsewhere"
ROUNDED = 1e-4
_NOTED = ("what", "puzzle", "options", "asked", "pieces", "created", "state", "job", "count", "problem", "calls")


@dataclass
class PageCount:
    """One count.

    Attributes
    ----------
    id : str
    what : str
        The words of the command line.
    puzzle, options : dict
        As answers tell them.
    asked : dict, optional
        What was asked for; None if it was begun on the command line.
    pieces : int
        How deep a search goes; a total beyond that is one of tasks.
    note : int, optional
        Its number in the notes.
    job : str, optional
        Its id in the ledger.
    state : str
        `waiting` for its turn, `running` here, at work `elsewhere`, `paused`, `cancelled`, `done` or `failed`.
    fraction : float, optional
        How much is done; it only grows. None if it is not known.
    units : dict, optional
        Of a job of the ledger: how many there are, are done, failed, were tried again, and are done a minute.
    left, doubt : float, optional
        Seconds that are left, and how far off that may be.
    recorded : bool
        Whether the answer was in the ledger already.
    spent, calls : float, int
        Seconds of the runs before this one; calls of this one, or the last.
    orphan_until : float
        Until when a sign of life in the ledger is taken for that of a server that has ended.
    touched, noted : float
        When this server last changed it, and noted it down.
    ahead : float
        How much is done, as far as that is not noted down yet.
    """

    id: str
    what: str
    puzzle: dict[str, Any]
    options: dict[str, Any]
    asked: dict[str, Any] | None
    pieces: int
    note: int | None = None
    job: str | None = None
    version: int = 0
    state: str = WAITING
    created: float = field(default_factory=time.time)
    began: float | None = None
    spent: float = 0.0
    fraction: float | None = None
    units: dict[str, Any] | None = None
    found: str | None = None
    calls: int = 0
    rate: float = 0.0
    left: float | None = None
    doubt: float | None = None
    count: str | None = None
    recorded: bool = False
    problem: dict[str, Any] | None = None
    task: asyncio.Task[None] | None = None
    orphan_until: float = 0.0
    touched: float = 0.0
    noted: float = 0.0
    ahead: float = 0.0

    @property
    def is_open(self) -> bool:
        """Whether this server is at work on it, or will be when its turn comes."""
        return self.state in (WAITING, RUNNING)

    @property
    def seconds(self) -> float:
        """How long it has been running here, or ran."""
        return self.spent + (0.0 if self.began is None else time.monotonic() - self.began)

    def is_about(self, what: str, puzzle: dict[str, Any], asked: dict[str, Any]) -> bool:
        """Whether it is what is asked for; one of the command line is, if no method or limit is wanted."""
        if self.asked is not None:
            return self.asked == asked
        return (self.what, self.puzzle) == (what, puzzle) and (asked["method"], asked["seconds"]) == ("auto", None)

    def begin(self) -> None:
        """Note that it is its turn."""
        self.state, self.began, self.problem = RUNNING, time.monotonic(), None
        self.calls, self.rate, self.left, self.doubt = 0, 0.0, None, None
        if self.job is None:  # nothing is left of what was done before
            self.fraction, self.spent = None, 0.0

    def end(self, state: str, problem: dict[str, Any] | None = None) -> None:
        """Note that it has ended, for now or for good."""
        self.spent, self.began = self.seconds, None
        self.state, self.problem, self.left, self.doubt = state, problem, None, None
        if state == DONE:
            self.fraction, self.found = 1.0, None

    def reached(self, progress: Progress) -> None:
        """Take notice of the progress of a count that is no job."""
        self.calls, now = progress.calls, progress.seconds
        self.rate = progress.calls / now if now > 0 else 0.0
        if progress.total > self.pieces and progress.depth:
            done = min(1.0, progress.depth / progress.total)
            self.grow(done)
            self.left = now * (1 - done) / done

    def advanced(self, progress: dict[str, Any]) -> None:
        """Take notice of the progress of a job of the ledger, as `JobProgress.to_dict` tells it."""
        done, by_units = progress["percent"] / 100, progress["done"] / progress["units"]
        if abs(done - by_units) < ROUNDED:
            self.grow(by_units)
        else:
            self.ahead = done  # the layers of tours are not alike
        self.calls, now = progress["calls"], progress["seconds"]
        self.rate = self.calls / now if now > 0 else 0.0
        self.left, self.doubt = progress["left"], progress["doubt"]
        self.found = progress["found"] if progress["found"] != "0" else None
        self.units = {
            "total": progress["units"],
            "done": progress["done"],
            "failed": progress["failed"],
            "retried": progress["retried"],
            "rate": round(60 * progress["rate"], 2),
        }

    def grow(self, fraction: float) -> None:
        """Take notice of how much is done: what was once done stays done."""
        self.fraction = max(self.fraction or 0.0, fraction)

    def settle(self) -> None:
        """Let what is not in the ledger be seen now that it is noted down, so that no restart takes it back."""
        self.noted = time.monotonic()
        if self.ahead:
            self.grow(self.ahead)

    def told(self) -> dict[str, Any]:
        """Return the job as answers tell it."""
        return {
            "id": self.id,
            "version": self.version,
            "what": self.what,
            "puzzle": self.puzzle,
            "options": self.options,
            "state": self.state,
            "origin": "command" if self.asked is None else "page",
            "job": self.job,
            "created": round(self.created, 3),
            "seconds": round(self.seconds, 3),
            "calls": self.calls,
            "rate": round(self.rate, 1),
            "fraction": None if self.fraction is None else round(self.fraction, 6),
            "units": self.units,
            "found": self.found,
            "left": None if self.left is None else round(self.left, 1),
            "doubt": None if self.doubt is None else round(self.doubt, 1),
            "count": self.count,
            "recorded": self.recorded,
            "problem": self.problem,
        }

    def to_note(self) -> dict[str, Any]:
        """Return what is to be there when the server starts again."""
        content = {name: getattr(self, name) for name in _NOTED}
        return {**content, "spent": round(self.seconds, 3), "fraction": self.fraction, "recorded": self.recorded}

    @classmethod
    def from_note(cls, number: int, content: dict[str, Any]) -> PageCount:
        """Return what was noted down; what was running then is paused now.

        Raises
        ------
        TypeError
            If it is not such a note.

        Examples
        --------
        >>> job = PageCount("c1", "placements", {}, {}, {}, 8, state=RUNNING)
        >>> PageCount.from_note(1, job.to_note()).state
        'paused'
        """
        job = cls(id=f"c{number}", note=number, **content)
        if job.state not in (DONE, CANCELLED, FAILED):
            job.state = PAUSED
            if sys.platform == "win32":  # elsewhere locks tell
                job.orphan_until = time.monotonic() + ALIVE_SECONDS + 1
            job.fraction = job.fraction if job.job is not None else None
        return job
