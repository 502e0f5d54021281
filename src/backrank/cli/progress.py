"""What long work shows while it runs: one line on a terminal's standard error, from the second second on."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Self

from backrank.budget import Budget, Progress

if TYPE_CHECKING:
    from logging import Handler, LogRecord

    from rich.live import Live

_QUIET_SECONDS = 1.0
KERNELS = "backrank.kernels"  # the logger
LEAST_TOLD = 0.005  # of the work, before the time that is left can be told


class ProgressLine:
    """Makes the budget of a command, and shows how the work goes on.

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
        self.budget = Budget(seconds=seconds, calls=calls, progress=self._report)
        self._visible = sys.stderr.isatty() and not quiet
        self._live: Live | None = None
        self._handler: Handler | None = None

    def __enter__(self) -> Self:
        if self._visible:
            import logging

            logger = logging.getLogger(KERNELS)
            self._handler = logging.Handler(logging.INFO)
            self._handler.emit = self._compiling  # type: ignore[method-assign] # all that it is for
            logger.addHandler(self._handler)
            logger.setLevel(logging.INFO)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._handler is not None:
            import logging

            logging.getLogger(KERNELS).removeHandler(self._handler)
        if self._live is not None:
            self._live.stop()

    def _compiling(self, record: LogRecord) -> None:
        """Say why nothing happens yet: compiling takes some seconds, once on every machine."""
        del record
        self._show("compiling, once on this machine")

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
    from backrank.queens.estimate import duration

    done, seconds = progress.depth / progress.total, progress.seconds
    words = [f"{100 * done:.1f} % in {seconds:.0f} s", f"{progress.calls:,} states ({progress.calls / seconds:,.0f}/s)"]
    if done >= LEAST_TOLD:
        words.append(f"{duration(seconds * (1 - done) / done)} left")
    return ", ".join(words)
