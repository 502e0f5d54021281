"""What long work shows while it runs: one line on a terminal's standard error, from the second second on."""

from __future__ import annotations

import logging
import sys
import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Self

from backrank.cli.command import KERNELS, began
from backrank.errors import BudgetExceeded
from backrank.runtime.budget import Budget
from backrank.runtime.progress import Progress

if TYPE_CHECKING:
    from rich.live import Live

_QUIET_SECONDS = 1.0
_COMPILING = "compiling, once on this machine"
LEAST_TOLD = 0.005  # of the work, before the time that is left can be told


class Compilations:
    """How long a command has waited for kernels to be compiled: the kernels log when that begins and ends.

    Only one is compiled at a time; :attr:`depth` is 1 meanwhile, and more while one that it calls is compiled.
    """

    def __init__(self) -> None:
        self._done = 0.0
        self._began = 0.0
        self.depth = 0

    def note(self, stage: str) -> None:
        """Note that a compilation begins, or that one has ended (`end`)."""
        if stage != "end":
            if not self.depth:
                self._began = time.monotonic()
            self.depth += 1
        elif self.depth:
            self.depth -= 1
            if not self.depth:
                self._done += time.monotonic() - self._began

    @property
    def seconds(self) -> float:
        """How long it has taken until now."""
        return self._done + (time.monotonic() - self._began if self.depth else 0.0)


class ProgressLine:
    """Makes the budget of a command, and shows how the work goes on.

    The time limit is counted from the beginning of the command, for all that is done with the budget together. It is
    looked at whenever a kernel begins to be compiled and when it has been, since a compilation cannot be stopped.

    Nothing is shown during the first second, nor if standard error is no terminal. :attr:`last` is the latest
    report, for the message after an interruption.
    """

    def __init__(
        self,
        what: str,
        *,
        seconds: float | None = None,
        calls: int | None = None,
        quiet: bool = False,
        words: Callable[[Progress], str] | None = None,
    ) -> None:
        self.what = what
        self.words = words or described
        self.last: Progress | None = None
        since = None if seconds is None else began()
        self.budget = Budget(seconds=seconds, calls=calls, progress=self._report, since=since)
        self._compilations = Compilations()
        self._visible = sys.stderr.isatty() and not quiet
        self._live: Live | None = None
        self._handler: logging.Handler | None = None
        self._thread = 0
        self._level = logging.NOTSET

    def __enter__(self) -> Self:
        logger = logging.getLogger(KERNELS)
        self._thread, self._level = threading.get_ident(), logger.level
        self._handler = logging.Handler(logging.INFO)
        self._handler.emit = self._heard  # type: ignore[method-assign] # all that it is for
        logger.addHandler(self._handler)
        logger.setLevel(logging.INFO)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._handler is not None:
            logger = logging.getLogger(KERNELS)
            logger.removeHandler(self._handler)
            logger.setLevel(self._level)
        if self._live is not None:
            self._live.stop()
        if isinstance(error, BudgetExceeded) and self._compiled_too_long(error):
            raise BudgetExceeded(
                f"the time limit of {self.budget.seconds:g} s was reached while kernels were compiled, which took "
                f"{self._compilations.seconds:.1f} s (once on this machine): nothing is proven; try again",
                error.reached,
            ) from None

    def _compiled_too_long(self, error: BudgetExceeded) -> bool:
        """Whether the time limit was reached because of compilations: without them, or by half of it."""
        left, calls = self.budget.seconds_left, self.budget.calls
        if left is None or left > 0 or (calls is not None and error.reached.calls >= calls):
            return False
        seconds = self._compilations.seconds
        return left + seconds > 0 or seconds > (self.budget.seconds or 0.0) / 2

    def _heard(self, record: logging.LogRecord) -> None:
        """Say why nothing happens yet: compiling takes some seconds, once on every machine. Keep the time limit."""
        if record.levelno > logging.INFO:
            return
        stage = getattr(record, "stage", "begin")
        self._compilations.note(stage)
        if self._visible and stage != "end":
            self._show(_COMPILING)
        left = self.budget.seconds_left
        # What a kernel calls is compiled with it, to the end: stopped in between, the time would be lost at each try.
        is_outermost = self._compilations.depth == (stage != "end")
        # In other threads, the one that waits for them keeps the limit.
        if left is not None and left <= 0 and is_outermost and threading.get_ident() == self._thread:
            reached = self.last or Progress(time.monotonic() - (self.budget.since or 0.0), 0)
            raise BudgetExceeded(
                f"the time limit of {self.budget.seconds:g} s was reached before a kernel was compiled (once on this "
                "machine): nothing is proven; give a few seconds more",
                reached,
            )

    def _report(self, progress: Progress) -> None:
        self.last = progress
        if not self._visible or progress.seconds < _QUIET_SECONDS:
            return
        self._show(f"{self.words(progress)}  (Ctrl-C stops)")

    def _show(self, words: str) -> None:
        from rich.text import Text  # loaded only when there is something to show

        if self._live is None:
            self._live = self._begin()
        words = f"{self.what}: {words}"
        self._live.update(Text(words, no_wrap=True, overflow="ellipsis"), refresh=True)

    @staticmethod
    def _begin() -> Live:
        from rich.console import Console
        from rich.live import Live

        # Standard output must never be taken over: the answers on it may go to a file.
        live = Live(
            console=Console(stderr=True),
            auto_refresh=False,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        )
        live.start()
        return live


class ClearedLine(ProgressLine):
    """A progress line that can be taken away for a line of the answer, and comes back with the next report."""

    def clear(self) -> None:
        """Take it away."""
        if self._live is not None:
            self._live.stop()
            self._live = None


def described(progress: Progress) -> str:
    """Say in a few words how far some work has come.

    Examples
    --------
    >>> described(Progress(2.0, 3_000_000, depth=41, total=64, found=7))
    '2.0 s, 3,000,000 calls (1,500,000/s), depth 41 of 64, 7 found'
    """
    rate = progress.calls / progress.seconds if progress.seconds > 0 else 0.0
    parts = [f"{progress.seconds:.1f} s", f"{progress.calls:,} calls ({rate:,.0f}/s)"]
    if progress.total:
        parts.append(f"depth {progress.depth} of {progress.total}")
    if progress.found:
        parts.append(f"{progress.found:,} found")
    return ", ".join(parts)


def share_done(progress: Progress, squares: int) -> str:
    """Say how much of a count by layers is done; of other work, which counts squares, how far it has come.

    Examples
    --------
    >>> share_done(Progress(20.0, 90_000_000, depth=250, total=1_000), 64)
    '25.0 % in 20 s, 90,000,000 states (4,500,000/s), about 60 seconds left'
    """
    if progress.total <= squares or progress.seconds <= 0:
        return described(progress)
    from backrank.runtime.quantities import duration

    done, seconds = progress.depth / progress.total, progress.seconds
    words = [f"{100 * done:.1f} % in {seconds:.0f} s", f"{progress.calls:,} states ({progress.calls / seconds:,.0f}/s)"]
    if done >= LEAST_TOLD:
        words.append(f"{duration(seconds * (1 - done) / done)} left")
    return ", ".join(words)


def percent(progress: Progress, queens: int = 0) -> str:
    """Say how much of the work is done, if the work consists of tasks; else how far the search has come.

    Examples
    --------
    >>> percent(Progress(8.0, 5_000, depth=40, total=1_000, found=3_200_000), 20)
    '4.0 % in 8 s, 3,200,000 found (400,000/s), about 3 minutes left'
    """
    if progress.total <= max(queens, 1):
        return described(progress)
    from backrank.runtime.quantities import duration

    done, seconds = progress.depth / progress.total, progress.seconds
    words = [f"{100 * done:.1f} % in {seconds:.0f} s"]
    if progress.found and seconds > 0:
        words.append(f"{progress.found:,} found ({progress.found / seconds:,.0f}/s)")
    if done >= LEAST_TOLD:
        words.append(f"{duration(seconds * (1 - done) / done)} left")
    return ", ".join(words)
