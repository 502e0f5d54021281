"""How far a job has come, and when it will be done."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class JobProgress:
    """How far a job has come.

    Attributes
    ----------
    job : str
        Its id.
    units, done : int
        How many there are, and how many are recorded, whoever did them; that number only grows.
    here : int
        How many of them were done by this run.
    running, workers : int
        Units that have been handed out, and how many are done at a time.
    failed, retried : int
        Failures in this run, and units that were handed out again after one.
    seconds : float
        Since this run began.
    found : int
        What the recorded units have found so far: a lower bound of the answer.
    calls : int
        Placements that this run has made, as the method counts them.
    rate : float
        Units a second, those of other runs at the same time included; 0 as long as it is not known.
    left, doubt : float, optional
        Seconds that are left, and how much that may be wrong (two standard deviations); None while not known.
    fraction : float, optional
        How much of the work is done, where units are not alike.
    """

    job: str
    units: int
    done: int
    here: int = 0
    running: int = 0
    workers: int = 1
    failed: int = 0
    retried: int = 0
    seconds: float = 0.0
    found: int = 0
    calls: int = 0
    rate: float = 0.0
    left: float | None = None
    doubt: float | None = None
    fraction: float | None = None

    @property
    def percent(self) -> float:
        """How much is done, in hundredths."""
        return 100 * (self.done / self.units if self.fraction is None else self.fraction)

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain data, for JSON."""
        return {
            "job": self.job,
            "percent": round(self.percent, 3),
            "units": self.units,
            "done": self.done,
            "here": self.here,
            "running": self.running,
            "workers": self.workers,
            "failed": self.failed,
            "retried": self.retried,
            "seconds": round(self.seconds, 3),
            "found": str(self.found),
            "calls": self.calls,
            "rate": round(self.rate, 4),
            "left": None if self.left is None else round(self.left, 1),
            "doubt": None if self.doubt is None else round(self.doubt, 1),
        }


class Pace:
    """How long units take: their mean and their spread, kept up to date (B. P. Welford, 1962)."""

    def __init__(self) -> None:
        self.count = 0
        self.mean = 0.0
        self._squares = 0.0

    def add(self, seconds: float) -> None:
        """Take notice of a unit."""
        self.count += 1
        before = seconds - self.mean
        self.mean += before / self.count
        self._squares += before * (seconds - self.mean)

    def left(self, units: int, workers: float) -> tuple[float, float] | tuple[None, None]:
        """Return the seconds that so many more units will take, and two standard deviations; None if unknown.

        The spread of the units that are left counts, that of the mean so far, and the last unit of each worker, which
        may end early or late.

        Examples
        --------
        >>> pace = Pace()
        >>> for seconds in (2.0, 2.0, 2.0):
        ...     pace.add(seconds)
        >>> pace.left(10, 2)
        (10.0, 2.0)
        """
        if not self.count:
            return None, None
        variance = self._squares / (self.count - 1) if self.count > 1 else self.mean**2
        spread = math.sqrt(variance * (units + units**2 / self.count)) / workers
        last = self.mean / 2 if workers > 1 and units else 0.0
        return units * self.mean / workers, 2 * math.hypot(spread, last)
