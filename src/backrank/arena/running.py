"""Measure an entrant in a process of its own, with a limit of time for each case.

The process runs all cases of its series, in ascending order, and is ended when a case takes too long. A case that will
take too long, by the growth from the last case to this one, is not begun.
"""

from __future__ import annotations

import json
import math
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from types import TracebackType
from typing import Any, Self

from backrank.arena.cases import Case, Series
from backrank.arena.entrants.registry import Entrant
from backrank.arena.measuring import Measured, RunTimes
from backrank.arena.timing import DONE, FAILED, MISSING, OVER, SKIPPED, Timing

LOADING_SECONDS = 300.0  # kernels may have to be compiled first
ANSWER_SECONDS = 60.0
SLACK = 0.2
HOPELESS = 2.0  # times the limit
NOTICEABLE = 1e-3  # seconds; the growth of less says nothing


@dataclass(frozen=True, slots=True)
class MeasuringLimits:
    """Limits of a measurement.

    Attributes
    ----------
    limit : float
        Seconds after which a case is stopped.
    most : int
        Number of runs of a case at most.
    share : float
        Seconds after which no further run of a case is begun; it is run once at least.
    """

    limit: float
    most: int
    share: float


class GoneError(Exception):
    """The process of an entrant ended by itself."""


class EntrantProcess:
    """The process of one entrant; it is killed when the `with` block is left.

    Parameters
    ----------
    entrant : Entrant
    warm_up : Case
    env : mapping of str, optional
        The environment of the process; this one's if not given.
    """

    def __init__(self, entrant: Entrant, warm_up: Case, env: Mapping[str, str] | None = None) -> None:
        # -P: modules in the current folder must not be imported.
        command = [sys.executable, "-P", "-m", "backrank.arena.child"]
        pipe, null = subprocess.PIPE, subprocess.DEVNULL
        self._process = subprocess.Popen(  # noqa: S603 - our own module
            command, stdin=pipe, stdout=pipe, stderr=null, text=True, encoding="utf-8", env=env, **_apart()
        )
        self._lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        threading.Thread(target=self._listen, daemon=True).start()
        who = {"discipline": entrant.discipline, "where": entrant.where}
        self._ask({**who, "warm_up": asdict(warm_up)})

    def _listen(self) -> None:
        assert self._process.stdout is not None  # noqa: S101 - it is a pipe
        for line in self._process.stdout:
            self._lines.put(line)
        self._lines.put("")

    def _ask(self, request: dict[str, Any]) -> None:
        assert self._process.stdin is not None  # noqa: S101 - it is a pipe
        try:
            self._process.stdin.write(json.dumps(request) + "\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            pass  # the next call of heard() raises GoneError

    def heard(self, seconds: float) -> dict[str, Any]:
        """Return the next line.

        Raises
        ------
        queue.Empty
            If none came in time.
        GoneError
            If the process ended.
        """
        line = self._lines.get(timeout=seconds)
        if not line:
            raise GoneError(f"the process ended with code {self._process.wait()}")
        told: dict[str, Any] = json.loads(line)
        return told

    def start(self, case: Case, effort: MeasuringLimits) -> None:
        """Send a request for a case."""
        self._ask({"case": asdict(case), "most": effort.most, "share": effort.share})

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                stream.close()


def _apart() -> dict[str, Any]:
    """Return the options of Popen that keep Ctrl-C from the process; this one ends it instead."""
    return {"creationflags": 0x200} if sys.platform == "win32" else {"process_group": 0}


def measure(
    series: Series,
    cases: tuple[Case, ...],
    entrant: Entrant,
    effort: MeasuringLimits,
    watch: Callable[[str], None],
    *,
    env: Mapping[str, str] | None = None,
) -> Iterator[Timing]:
    """Yield the timing of an entrant for each case of a series.

    Parameters
    ----------
    series : Series
    cases : tuple of Case
        The chosen cases of the series, ascending.
    entrant : Entrant
    effort : Effort
    watch : callable
        Called with a few words about what is measured now.
    env : mapping of str, optional
        The environment of the process of the entrant; this one's if not given.
    """
    done: list[Timing] = []
    with EntrantProcess(entrant, series.warm_up, env) as asked:
        watch(f"{series.name}, {entrant.name}: loading")
        reason = _refusal(asked)
        for case in cases:
            blank = Timing(series.name, case.name, case.size, entrant.name)
            if reason is None and (expected := _expected(done, case.size, series.scale)) > HOPELESS * effort.limit:
                reason = SKIPPED, f"would take about {expected:.2g} s"
            if reason is not None:
                yield _marked(blank, *reason)
                continue
            watch(f"{series.name}, {entrant.name}: {case.name}")
            timing = _measured(asked, case, blank, effort)
            yield timing
            if timing.status == DONE:
                done.append(timing)
            else:
                reason = SKIPPED, f"after {case.name}"


def _refusal(asked: EntrantProcess) -> tuple[str, str] | None:
    """Return the status and the reason if the entrant cannot take part, else None."""
    try:
        told = asked.heard(LOADING_SECONDS)
    except queue.Empty:
        return FAILED, f"not ready after {LOADING_SECONDS:g} s"
    except GoneError as error:
        return FAILED, str(error)
    if "missing" in told:
        return MISSING, str(told["missing"])
    return None if told.get("ready") else (FAILED, str(told.get("failed")))


def _measured(asked: EntrantProcess, case: Case, blank: Timing, effort: MeasuringLimits) -> Timing:
    runs: list[dict[str, Any]] = []
    answer = ""
    asked.start(case, effort)
    try:
        while True:
            told = asked.heard(effort.limit + SLACK if not runs else effort.limit + ANSWER_SECONDS)
            if "failed" in told or "missing" in told:
                return _marked(blank, *next((key, str(told[key])) for key in (FAILED, MISSING) if key in told))
            if "yardstick" in told:
                break
            answer = str(told.get("answer", answer))
            if "wall" in told:
                runs.append(told)
    except queue.Empty:
        return _marked(blank, OVER, f"more than {effort.limit:g} s")
    except GoneError as error:
        return _marked(blank, FAILED, str(error))
    if runs[0]["wall"] > effort.limit:
        return _marked(blank, OVER, f"more than {effort.limit:g} s")
    return _summed(blank, answer, runs, told)


def _summed(blank: Timing, answer: str, runs: list[dict[str, Any]], told: dict[str, Any]) -> Timing:
    """Return the medians, with the memory and the yardstick that the last line of the process tells."""
    lines = tuple(RunTimes(float(run["wall"]), float(run["cpu"])) for run in runs)
    measured = Measured(lines, int(told["peak"]), int(told["held"]))
    walls = [run.wall for run in measured.counted]
    return replace(
        blank,
        answer=answer,
        seconds=measured.seconds,
        cpu=measured.cpu,
        least=min(walls),
        most=max(walls),
        runs=len(walls),
        peak=measured.peak,
        held=measured.held,
        yardstick=float(told["yardstick"]),
    )


def _marked(blank: Timing, status: str, note: str) -> Timing:
    return replace(blank, status=status, note=note)


def _expected(done: list[Timing], size: int, scale: str) -> float:
    """Extrapolate the CPU time of the next case from the last two; return 0 if they are too few or too short.

    On a linear scale time grows by a factor for each unit, on a logarithmic one with a power of the size.
    """
    if len(done) < 2 or done[-2].cpu < NOTICEABLE:
        return 0.0
    before, last = done[-2], done[-1]
    steps = (size - last.size) / (last.size - before.size)
    if scale == "log":
        steps = math.log(size / last.size) / math.log(last.size / before.size)
    return float(last.cpu * max(1.0, last.cpu / before.cpu) ** steps)
