"""Ask an entrant in a process of its own, with a limit of time for each case.

The process does all cases of its series, in ascending order, and is ended when a case takes too long. What is bound to
take too long, by the growth from the last case to this one, is not begun.
"""

from __future__ import annotations

import json
import math
import queue
import statistics
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from types import TracebackType
from typing import Any, Self

from backrank.arena.cases import Case, Series
from backrank.arena.entrants.registry import Entrant
from backrank.arena.timing import DONE, FAILED, MISSING, OVER, SKIPPED, Timing

LOADING_SECONDS = 300.0  # kernels may have to be compiled first
ANSWER_SECONDS = 60.0
SLACK = 0.2
HOPELESS = 2.0  # times the limit
NOTICEABLE = 1e-3  # seconds; the growth of less says nothing


@dataclass(frozen=True, slots=True)
class MeasuringLimits:
    """How much a measurement may take.

    Attributes
    ----------
    limit : float
        Seconds after which a case is given up.
    most : int
        How often a case is done at most.
    share : float
        About how many seconds of a case are enough; it is done once at least.
    """

    limit: float
    most: int
    share: float


class GoneError(Exception):
    """The process has come to an end by itself."""


class EntrantProcess:
    """The process of one entrant. Ended when the `with` is left, whatever it is doing.

    Parameters
    ----------
    entrant : Entrant
    warm_up : Case
    """

    def __init__(self, entrant: Entrant, warm_up: Case) -> None:
        # -P: what lies in the folder where somebody happens to be is no part of this.
        command = [sys.executable, "-P", "-m", "backrank.arena.child"]
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(  # noqa: S603 - our own module
            command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True, encoding="utf-8", **_apart()
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
            pass  # the next line that is waited for tells

    def heard(self, seconds: float) -> dict[str, Any]:
        """Return the next line.

        Raises
        ------
        queue.Empty
            If none came in time.
        GoneError
            If the process ended instead.
        """
        line = self._lines.get(timeout=seconds)
        if not line:
            raise GoneError(f"the process ended with code {self._process.wait()}")
        told: dict[str, Any] = json.loads(line)
        return told

    def start(self, case: Case, effort: MeasuringLimits) -> None:
        """Ask for a case."""
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
    """Return what keeps Ctrl-C from the process: it is for us, who then end it."""
    return {"creationflags": 0x200} if sys.platform == "win32" else {"process_group": 0}


def measure(
    series: Series, cases: tuple[Case, ...], entrant: Entrant, effort: MeasuringLimits, watch: Callable[[str], None]
) -> Iterator[Timing]:
    """Yield what an entrant does with each case of a series.

    Parameters
    ----------
    series : Series
    cases : tuple of Case
        Those of the series that are wanted, ascending.
    entrant : Entrant
    effort : Effort
    watch : callable
        Told in a few words what is being done.
    """
    done: list[Timing] = []
    with EntrantProcess(entrant, series.warm_up) as asked:
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
    """Return why the entrant cannot take part, if so."""
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
    return _summed(blank, answer, runs, float(told["yardstick"]))


def _summed(blank: Timing, answer: str, runs: list[dict[str, Any]], yardstick: float) -> Timing:
    """Return the medians; the first of several runs is left out, as it has the caches of the processor to fill."""
    counted = runs[1:] or runs
    walls = [float(run["wall"]) for run in counted]
    return Timing(
        blank.series,
        blank.case,
        blank.size,
        blank.entrant,
        DONE,
        answer,
        statistics.median(walls),
        statistics.median(float(run["cpu"]) for run in counted),
        min(walls),
        max(walls),
        len(walls),
        int(runs[0]["peak"]),
        int(runs[0]["held"]),
        yardstick,
    )


def _marked(blank: Timing, status: str, note: str) -> Timing:
    return Timing(blank.series, blank.case, blank.size, blank.entrant, status, note=note)


def _expected(done: list[Timing], size: int, scale: str) -> float:
    """Return how much CPU time the next case will take, if that goes on growing as it did; 0 if nothing can be told.

    On a linear scale time grows by a factor for each unit, on a logarithmic one with a power of the size.
    """
    if len(done) < 2 or done[-2].cpu < NOTICEABLE:
        return 0.0
    before, last = done[-2], done[-1]
    steps = (size - last.size) / (last.size - before.size)
    if scale == "log":
        steps = math.log(size / last.size) / math.log(last.size / before.size)
    return float(last.cpu * max(1.0, last.cpu / before.cpu) ** steps)
