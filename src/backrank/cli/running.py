"""Run a piece of work for a command: with its progress line, and a last word if it is interrupted."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from backrank.cli.output import Output
from backrank.cli.progress import ProgressLine
from backrank.errors import BudgetExceeded

Answer = TypeVar("Answer")
_RANDOM = re.compile(r"random(?::(\d+))?")


def run(work: Callable[[], Answer], line: ProgressLine) -> Answer:
    """Return what the work returns; on Ctrl-C say how far it came, and leave with exit code 130."""
    try:
        with line:
            return work()
    except KeyboardInterrupt:
        raise interrupted(line) from None


class StoppedError(Exception):
    """Somebody pressed Ctrl-C; the message is the last line that is printed."""


def interrupted(line: ProgressLine, more: str = "") -> StoppedError:
    """Return what to raise: it says how far the work came."""
    reached = f" after {line.words(line.last)}" if line.last else ""
    return StoppedError(f"stopped{reached}; nothing is proven{more}")


@contextmanager
def stopped_search(sink: Output, strategy: str, *, as_json: bool, seeded: str) -> Iterator[None]:
    """Write JSON even if a limit is reached, and tell whoever asked for random moves what gives an answer sooner."""
    drawn = _RANDOM.match(strategy)
    hint = f"; --seed {drawn[1] or 1} instead of --strategy gives {seeded} sooner" if drawn else ""
    try:
        yield
    except BudgetExceeded as error:
        if as_json:
            cost = {"calls": error.reached.calls, "seconds": round(error.reached.seconds, 6)}
            with sink:
                sink.write(json.dumps({"solvable": None, "reason": str(error), **cost}, ensure_ascii=False))
        raise BudgetExceeded(f"{error}{hint}", error.reached) from None
    except StoppedError as error:
        raise StoppedError(f"{error}{hint}") from None
