"""Measure one piece of work: wall time, CPU time and memory of a callable, run several times in this process.

The process of an entrant (:mod:`backrank.arena.child`) and the scripts under `benchmarks/` measure with the same
function, :func:`measure_call`. Memory is the most that was held during the first run: Linux lets a process reset its
peak; elsewhere it is the peak of the process so far.

The yardstick is the time of a fixed piece of plain Python. A time divided by it compares between runs at different
moments, as both are longer while the machine is slow.
"""

from __future__ import annotations

import gc
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import _lru_cache_wrapper
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")

_STATUS, _REFS = Path("/proc/self/status"), Path("/proc/self/clear_refs")
FIRST_SHARES = 5  # a first run of at most this many shares is followed by a second one


@dataclass(frozen=True, slots=True)
class RunTimes:
    """Seconds of one run.

    Attributes
    ----------
    wall, cpu : float
        Wall time, and CPU time of all threads.
    """

    wall: float
    cpu: float


@dataclass(frozen=True, slots=True)
class Measured:
    """Several runs of the same work.

    Attributes
    ----------
    runs : tuple of RunTimes
        In order; at least one.
    peak, held : int
        Bytes: the most memory of the process during the first run, and what it held before.

    Examples
    --------
    >>> measured = Measured((RunTimes(4.0, 4.5), RunTimes(1.0, 1.5), RunTimes(2.0, 2.5)), 3_000_000, 1_000_000)
    >>> measured.seconds, measured.cpu, measured.best, measured.best_cpu, measured.taken
    (1.5, 2.0, 1.0, 1.5, 2000000)
    """

    runs: tuple[RunTimes, ...]
    peak: int
    held: int

    @property
    def counted(self) -> tuple[RunTimes, ...]:
        """All runs but the first of several, which has the caches of the processor to fill."""
        return self.runs[1:] or self.runs

    @property
    def seconds(self) -> float:
        """The median wall time of the runs that count."""
        return statistics.median(run.wall for run in self.counted)

    @property
    def cpu(self) -> float:
        """The median CPU time of the runs that count."""
        return statistics.median(run.cpu for run in self.counted)

    @property
    def best(self) -> float:
        """The least wall time of all runs."""
        return min(run.wall for run in self.runs)

    @property
    def best_cpu(self) -> float:
        """The least CPU time of all runs."""
        return min(run.cpu for run in self.runs)

    @property
    def taken(self) -> int:
        """Bytes that the first run took beyond what the process held before."""
        return max(0, self.peak - self.held)


def time_call(work: Callable[[], T]) -> tuple[RunTimes, T]:
    """Run a callable once; return its times and its result."""
    wall, cpu = time.perf_counter(), time.process_time()
    result = work()
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    return RunTimes(wall, cpu), result


def _ignore(_run: RunTimes, _result: object) -> None:
    pass


def measure_call(
    work: Callable[[], T],
    *,
    most: int = 5,
    share: float = 2.0,
    fresh: bool = False,
    told: Callable[[RunTimes, T], None] = _ignore,
) -> tuple[Measured, T]:
    """Run a callable up to `most` times, for about `share` seconds; return what it took and the last result.

    Parameters
    ----------
    work : callable
    most : int
        How often it is run at most.
    share : float
        Seconds of wall time after which no further run is begun. The second run counts, so there is one unless the
        first took five shares.
    fresh : bool
        Clear what functions of the package keep from one call to the next, before each run.
    told : callable
        Called after each run with its times and its result; what it does is not measured.

    Examples
    --------
    >>> measured, result = measure_call(lambda: 6 * 7, most=3)
    >>> len(measured.runs), result
    (3, 42)
    """
    if fresh:
        forget_caches()
    held, peak, spent = held_bytes(), 0, 0.0
    forget_peak()
    runs: list[RunTimes] = []
    while True:
        times, result = time_call(work)
        runs.append(times)
        peak, spent = peak or peak_bytes(), spent + times.wall
        told(times, result)
        if len(runs) >= most or spent >= (share if len(runs) > 1 else FIRST_SHARES * share):
            return Measured(tuple(runs), peak, held), result
        del result  # so that two results are never held at a time
        if fresh:
            forget_caches()


def yardsticks() -> list[float]:
    """Return how many seconds a fixed piece of plain Python takes, a few times."""
    times = []
    for _ in range(5):
        started = time.perf_counter()
        value = 1
        for step in range(20_000):
            value = (value * 1103515245 + step) & 0x7FFFFFFF
        times.append(time.perf_counter() - started)
    return times


def forget_caches() -> None:
    """Clear everything that functions of the package keep from one call to the next."""
    for name, module in list(sys.modules.items()):
        if name.startswith("backrank."):
            for value in list(vars(module).values()):
                if isinstance(value, _lru_cache_wrapper):
                    value.cache_clear()
    gc.collect()


def _status(word: str) -> int | None:
    """Return a number of bytes that Linux reports about this process."""
    try:
        lines = _STATUS.read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:
        return None
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith(word)), None)


def peak_bytes() -> int:
    """Return the most memory that this process has held, since the peak was reset where that is possible."""
    told = _status("VmHWM:")
    if told is not None:
        return told
    import psutil  # noqa: PLC0415 - not needed on Linux

    memory = psutil.Process().memory_info()
    return int(getattr(memory, "peak_wset", 0)) or _most_so_far() or int(memory.rss)


def _most_so_far() -> int:
    try:
        import resource  # noqa: PLC0415 - there is none on Windows
    except ImportError:
        return 0
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def held_bytes() -> int:
    """Return how much memory this process holds now."""
    return _status("VmRSS:") or peak_bytes()


def forget_peak() -> bool:
    """Begin a new peak of memory; return False where the system cannot."""
    try:
        _REFS.write_text("5", encoding="ascii")
    except OSError:
        return False
    return True
