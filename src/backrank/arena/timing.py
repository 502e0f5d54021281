"""Timings of entrants and the results of a run, as plain values that convert to JSON and back."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any

from backrank.errors import InvalidText, shown

FORMAT = 1
DONE, WRONG, OVER, SKIPPED, FAILED, MISSING = "done", "wrong", "over", "skipped", "failed", "missing"
STATES = (DONE, WRONG, OVER, SKIPPED, FAILED, MISSING)


@dataclass(frozen=True, slots=True)
class Timing:
    """Times, memory and answer of one entrant for one case.

    Attributes
    ----------
    series, case, entrant : str
    size : int
    status : str
        `done`; `wrong`: the answer is not right; `over`: it took longer than the limit; `skipped`: it would have;
        `failed`: with an error; `missing`: a package that it needs is not installed.
    answer : str
        A number, or a digest of a longer answer; see :mod:`backrank.arena.disciplines`.
    seconds, cpu : float
        Medians of wall time, and of the CPU time of all threads.
    least, most : float
        The quickest and the slowest run, wall time.
    runs : int
        Number of runs in the medians.
    peak, held : int
        Bytes: the peak of the process during the first run, and what it held before.
    yardstick : float
        Seconds of a fixed piece of plain Python in the same process, before and after.
    note : str
        The reason if the status is not `done`.
    """

    series: str
    case: str
    size: int
    entrant: str
    status: str = DONE
    answer: str = ""
    seconds: float = 0.0
    cpu: float = 0.0
    least: float = 0.0
    most: float = 0.0
    runs: int = 0
    peak: int = 0
    held: int = 0
    yardstick: float = 0.0
    note: str = ""

    @property
    def is_timed(self) -> bool:
        """Whether it has a time; a wrong answer has none."""
        return self.status == DONE and self.runs > 0

    @property
    def relative(self) -> float:
        """CPU time in yardsticks, which is compared between runs."""
        return self.cpu / self.yardstick if self.yardstick else 0.0


@dataclass(frozen=True, slots=True)
class Results:
    """A run of the arena.

    Attributes
    ----------
    version : str
        Of backrank.
    machine : dict of str
        See :func:`backrank.arena.machine.machine`; it holds no names and no paths.
    limit : float
        Seconds after which an entrant was stopped.
    complete : bool
        False if it was interrupted.
    timings : tuple of Timing
        In the order of the series, their entrants and cases.
    """

    version: str
    machine: dict[str, str]
    limit: float
    complete: bool
    timings: tuple[Timing, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain data, for JSON; times to the microsecond at least."""
        timings = [{key: _short(value) for key, value in asdict(timing).items()} for timing in self.timings]
        head = {"format": FORMAT, "backrank": self.version, "machine": self.machine}
        return {**head, "limit_seconds": self.limit, "complete": self.complete, "timings": timings}

    @classmethod
    def from_dict(cls, data: Any, name: str) -> Results:
        """Return the results that plain data stand for.

        Raises
        ------
        InvalidText
            If they are not such results; the message begins with `name`.
        """
        if not isinstance(data, dict) or "timings" not in data or "machine" not in data:
            raise InvalidText(f"{name} is not what 'backrank bench -o FILE' writes")
        if data.get("format") != FORMAT:
            raise InvalidText(f"{name} is of format {shown(data.get('format'))}; this version reads {FORMAT}")
        known = {field.name for field in fields(Timing)}
        try:
            timings = tuple(Timing(**{key: each[key] for key in known & set(each)}) for each in data["timings"])
            machine = {str(key): str(value) for key, value in data["machine"].items()}
            return cls(str(data["backrank"]), machine, float(data["limit_seconds"]), bool(data["complete"]), timings)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise InvalidText(f"{name} is not what 'backrank bench -o FILE' writes: {error}") from None

    @property
    def wrong(self) -> tuple[Timing, ...]:
        """All timings with a wrong answer."""
        return tuple(timing for timing in self.timings if timing.status == WRONG)


def _short(value: object) -> object:
    return float(f"{value:.4g}") if isinstance(value, float) else value
