"""The process of one entrant in one series: it is asked case by case on standard input, and answers with lines of JSON.

Each line it reads is a request; the first says who it is, and is answered when everything is loaded and compiled. A
case is done several times: before each, whatever the package has cached is forgotten, so that nobody is quick because
it has seen the board before. The first time of several is not counted. Memory is the most that was held during the
first run: Linux lets a process forget its peak; elsewhere it is the most so far, much the same since cases ascend.

A yardstick goes with every case: the time of a fixed piece of plain Python, before and after. Where the machine is slow
for a while, both are.

What the entrants print goes nowhere. When its reader is gone, the process ends at once.
"""

from __future__ import annotations

import gc
import json
import os
import queue
import statistics
import sys
import threading
import time
from collections.abc import Callable
from functools import _lru_cache_wrapper
from pathlib import Path
from typing import IO, Any

from backrank.arena.cases import Case
from backrank.arena.disciplines import Discipline, discipline
from backrank.arena.entrants.registry import Entrant, is_foreign

_STATUS, _REFS = Path("/proc/self/status"), Path("/proc/self/clear_refs")


class Contest:
    """One entrant, being asked."""

    def __init__(self, name: str, where: str, tell: Callable[[dict[str, Any]], None]) -> None:
        self.discipline: Discipline = discipline(name)
        self.function = Entrant("", name, where).function()
        self.tell = tell

    def ask(self, puzzle: Any) -> Any:
        """Let the entrant do it once."""
        return self.discipline.timed(self.function(puzzle))

    def warm_up(self, case: Case) -> None:
        """Do something small, so that everything is loaded and compiled."""
        self.ask(self.discipline.puzzle(case))

    def run(self, case: Case, most: int, share: float) -> None:
        """Do a case up to `most` times, for about `share` seconds; tell the time of each, then the answer."""
        puzzle = self.discipline.puzzle(case)
        before, spent = yardsticks(), 0.0
        forget_caches()
        held, _ = held_bytes(), forget_peak()
        for number in range(most):
            wall, cpu = time.perf_counter(), time.process_time()
            answer = self.ask(puzzle)
            cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
            spent += wall
            line: dict[str, Any] = {"wall": wall, "cpu": cpu}
            if number == 0:
                line |= {"peak": peak_bytes(), "held": held}
                self.tell(line)
                self.tell({"answer": self.discipline.told(puzzle, answer, lambda: self.function(puzzle))})
            else:
                self.tell(line)
            del answer
            # The second run counts, so there is one unless the first was long.
            if spent >= (share if number else 5 * share):
                break
            forget_caches()
        self.tell({"yardstick": statistics.median(before + yardsticks())})


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
    """Let everything go that functions of the package keep from one call to the next."""
    for name, module in list(sys.modules.items()):
        if name.startswith("backrank."):
            for value in list(vars(module).values()):
                if isinstance(value, _lru_cache_wrapper):
                    value.cache_clear()
    gc.collect()


def _status(word: str) -> int | None:
    """Return a number of bytes that Linux tells about this process."""
    try:
        lines = _STATUS.read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:
        return None
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith(word)), None)


def peak_bytes() -> int:
    """Return the most memory that this process has held, since the peak was forgotten where that can be."""
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
    """Begin a new peak of memory; False where the system cannot."""
    try:
        _REFS.write_text("5", encoding="ascii")
    except OSError:
        return False
    return True


def _requests() -> queue.SimpleQueue[str]:
    """Return where the lines of standard input arrive; the process ends with them."""
    lines: queue.SimpleQueue[str] = queue.SimpleQueue()

    def listen() -> None:
        for line in sys.stdin:
            lines.put(line)
        os._exit(0)

    threading.Thread(target=listen, daemon=True).start()
    return lines


def _answer(contest: Contest | None, request: dict[str, Any], tell: Callable[[dict[str, Any]], None]) -> Contest:
    """Do what a request says."""
    if contest is None:
        contest = Contest(request["discipline"], request["where"], tell)
        contest.warm_up(Case(**request["warm_up"]))
        tell({"ready": True})
    else:
        contest.run(Case(**request["case"]), request["most"], request["share"])
    return contest


def main() -> None:
    """Serve requests until standard input ends."""
    # Whatever an entrant prints must not look like an answer.
    out: IO[str] = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

    def tell(line: dict[str, Any]) -> None:
        out.write(json.dumps(line) + "\n")
        out.flush()

    requests, contest = _requests(), None
    while True:
        request = json.loads(requests.get())
        try:
            contest = _answer(contest, request, tell)
        except Exception as error:  # whatever goes wrong with an entrant is told, not hidden
            missing = isinstance(error, ImportError) and is_foreign(error)
            words = " ".join(str(error).split())[:200]
            tell({"missing": words} if missing else {"failed": f"{type(error).__name__}: {words}"})


if __name__ == "__main__":
    main()
