"""Run a piece of work for a command: with its progress line, and a last word if it is interrupted."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import typer

from backrank.cli.output import remark
from backrank.cli.progress import ProgressLine, described

Answer = TypeVar("Answer")


def run(work: Callable[[], Answer], line: ProgressLine) -> Answer:
    """Return what the work returns; on Ctrl-C say how far it came, and leave with exit code 130."""
    try:
        with line:
            return work()
    except KeyboardInterrupt:
        raise interrupted(line) from None


def interrupted(line: ProgressLine, more: str = "") -> typer.Exit:
    """Say how far the work came; return the exit to raise."""
    reached = f" after {described(line.last)}" if line.last else ""
    remark(f"backrank: stopped{reached}; nothing is proven{more}")
    return typer.Exit(130)
