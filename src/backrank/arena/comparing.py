"""Compare a run of the arena with an earlier one: what has become faster or slower, by more than noise.

CPU time is compared in yardsticks, a fixed piece of plain Python that each process times before and after its
cases: if the machine is slower today, or busy, both are. A change counts from a quarter on, and only if the answer took
half a millisecond at least. On another machine, or with another Python, ratios show differences of machines rather than
of programs, so the comparison lists in what the machines differ.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from backrank.arena.cases import folder
from backrank.arena.machine import differences, slug
from backrank.arena.timing import Results, Timing
from backrank.errors import InvalidText

NOTABLE = 1.25
LEAST_SECONDS = 5e-4


@dataclass(frozen=True, slots=True)
class Change:
    """One case in the new run and in the earlier one.

    Attributes
    ----------
    now, then : Timing
    ratio : float
        New time over earlier time, in yardsticks; above 1 is slower.
    """

    now: Timing
    then: Timing
    ratio: float

    @property
    def verdict(self) -> str:
        """`slower`, `faster` or `same`."""
        if max(self.now.cpu, self.then.cpu) < LEAST_SECONDS:
            return "same"
        return "slower" if self.ratio > NOTABLE else "faster" if self.ratio < 1 / NOTABLE else "same"


@dataclass(frozen=True, slots=True)
class ResultsComparison:
    """All changes between a run and an earlier one.

    Attributes
    ----------
    name : str
        The name of the earlier results.
    changes : tuple of Change
        One for every case that has a time in both, in the order of the new run.
    differs : tuple of str
        In what the machines differ, in words.
    """

    name: str
    version: str
    changes: tuple[Change, ...]
    differs: tuple[str, ...]

    def of(self, timing: Timing) -> Change | None:
        """Return the change of one timing of the new run."""
        return next((change for change in self.changes if change.now == timing), None)

    @property
    def mean(self) -> float | None:
        """The geometric mean of the ratios of all changes from half a millisecond on; None if there are none."""
        told = [change for change in self.changes if max(change.now.cpu, change.then.cpu) >= LEAST_SECONDS]
        logs = [math.log(change.ratio) for change in told]
        return math.exp(sum(logs) / len(logs)) if logs else None

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain data, for JSON."""
        changes = [
            {
                "series": change.now.series,
                "case": change.now.case,
                "entrant": change.now.entrant,
                "ratio": round(change.ratio, 4),
                "verdict": change.verdict,
            }
            for change in self.changes
        ]
        mean = None if self.mean is None else round(self.mean, 4)
        return {
            "against": self.name,
            "version": self.version,
            "machine_differs": list(self.differs),
            "mean_ratio": mean,
            "changes": changes,
        }


def compared(now: Results, then: Results, name: str) -> ResultsComparison:
    """Compare a run with an earlier one, case by case.

    Examples
    --------
    >>> old = Timing("s", "8", 8, "bits", cpu=0.1, seconds=0.1, runs=3, yardstick=0.001)
    >>> new = Timing("s", "8", 8, "bits", cpu=0.4, seconds=0.4, runs=3, yardstick=0.002)
    >>> runs = [Results("1", {}, 1.0, True, (timing,)) for timing in (new, old)]
    >>> [(change.ratio, change.verdict) for change in compared(*runs, "old").changes]
    [(2.0, 'slower')]
    """
    before = {(timing.series, timing.case, timing.entrant): timing for timing in then.timings if timing.is_timed}
    pairs = [
        (timing, before[key])
        for timing in now.timings
        if timing.is_timed and (key := (timing.series, timing.case, timing.entrant)) in before
    ]
    changes = tuple(
        Change(new, old, new.relative / old.relative) for new, old in pairs if new.relative > 0 and old.relative > 0
    )
    return ResultsComparison(name, then.version, changes, tuple(differences(then.machine, now.machine)))


def read_results(path: Path) -> Results:
    """Read the results of a file that `backrank bench -o FILE` wrote.

    Raises
    ------
    InvalidText
        If the file cannot be read or has other contents.
    """
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InvalidText(f"cannot read {path}: {(error.strerror or str(error)).lower()}") from None
    except ValueError:
        raise InvalidText(f"{path} is not JSON; 'backrank bench -o FILE' writes such a file") from None
    return Results.from_dict(data, str(path))


def newest_shipped(machine: dict[str, str]) -> Path | None:
    """Return the path of the newest release's results, preferably of this machine; None if the package has none.

    The files are called `VERSION-MACHINE.json`.
    """
    return _newest(sorted(folder("results").glob("*-*.json")), slug(machine))


def _newest(paths: Sequence[Path], mine: str) -> Path | None:
    if not paths:
        return None

    def rank(path: Path) -> tuple[list[int], bool]:
        version, _, machine = path.stem.partition("-")
        return [int(number) for number in re.findall(r"\d+", version)], machine == mine

    return max(paths, key=rank)
