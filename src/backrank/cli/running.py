"""Run a piece of work for a command: with its progress line, and a last word if it is interrupted."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from backrank.cli.progress import ProgressLine

Answer = TypeVar("Answer")


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
