"""Serve as the process of one entrant: read a request per line of standard input, answer with lines of JSON.

The first request names the entrant; it is answered when everything is loaded and compiled. Each further one is a case,
which is run several times by :func:`~backrank.arena.measuring.measure_call`, with the caches of the package cleared
before each, so that no entrant is quick because it has seen the board before. A yardstick is measured before and
after.

A request without a discipline names a function of the size of a case, as the scripts under `benchmarks/` measure them.

What an entrant prints is dropped. The process ends as soon as its standard input does.
"""

from __future__ import annotations

import json
import os
import queue
import statistics
import sys
import threading
from collections.abc import Callable
from typing import IO, Any

from backrank.arena.cases import Case
from backrank.arena.disciplines import Discipline, discipline
from backrank.arena.entrants.registry import Entrant, is_foreign
from backrank.arena.measuring import RunTimes, measure_call, yardsticks

OF_THE_SIZE = Discipline(lambda case: case.size, lambda answer: answer, lambda _size, answer, _again: str(answer))


class Contest:
    """The entrant of this process, and the function that writes its lines."""

    def __init__(self, name: str, where: str, tell: Callable[[dict[str, Any]], None]) -> None:
        self.discipline = discipline(name) if name else OF_THE_SIZE
        self.function = Entrant("", name, where).function()
        self.tell = tell

    def ask(self, puzzle: Any) -> Any:
        """Run the entrant once."""
        return self.discipline.timed(self.function(puzzle))

    def warm_up(self, case: Case) -> None:
        """Run a small case, so that everything is loaded and compiled."""
        self.ask(self.discipline.puzzle(case))

    def run(self, case: Case, most: int, share: float) -> None:
        """Run a case; tell the times of each run, the answer after the first, memory and the yardstick at the end."""
        puzzle = self.discipline.puzzle(case)
        answered = False

        def told(run: RunTimes, answer: Any) -> None:
            nonlocal answered
            self.tell({"wall": run.wall, "cpu": run.cpu})
            if not answered:
                answered = True
                self.tell({"answer": self.discipline.told(puzzle, answer, lambda: self.function(puzzle))})

        before = yardsticks()
        measured, _ = measure_call(lambda: self.ask(puzzle), most=most, share=share, fresh=True, told=told)
        self.tell({"yardstick": statistics.median(before + yardsticks()), "peak": measured.peak, "held": measured.held})


def _requests() -> queue.SimpleQueue[str]:
    """Return a queue of the lines of standard input; the process ends when they do."""
    lines: queue.SimpleQueue[str] = queue.SimpleQueue()

    def listen() -> None:
        for line in sys.stdin:
            lines.put(line)
        os._exit(0)

    threading.Thread(target=listen, daemon=True).start()
    return lines


def _answer(contest: Contest | None, request: dict[str, Any], tell: Callable[[dict[str, Any]], None]) -> Contest:
    """Carry out a request; return the contest, which the first one sets up."""
    if contest is None:
        contest = Contest(request["discipline"], request["where"], tell)
        contest.warm_up(Case(**request["warm_up"]))
        tell({"ready": True})
    else:
        contest.run(Case(**request["case"]), request["most"], request["share"])
    return contest


def main() -> None:
    """Serve requests until standard input ends."""
    # What an entrant prints must not look like an answer.
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
        except Exception as error:  # any error of an entrant is reported
            missing = isinstance(error, ImportError) and is_foreign(error)
            words = " ".join(str(error).split())[:200]
            tell({"missing": words} if missing else {"failed": f"{type(error).__name__}: {words}"})


if __name__ == "__main__":
    main()
