"""What a server writes on its terminal: one line for each error, and a number instead of repetitions.

A client can cause as many errors as it likes, so what is written must not grow with them. An error is written when it
occurs for the first time; the same error within the next minute is only counted, and the number is written at the end
of that minute. With `BACKRANK_DEBUG` in the environment the traceback follows the line.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from types import TracebackType
from typing import TextIO

LOGGER = logging.getLogger("backrank.web")
DEBUG = "BACKRANK_DEBUG"
WINDOW_SECONDS = 60.0
MOST_LINES = 20
_LONGEST = 400
_LOGGERS = ("backrank.web", "uvicorn.error", "asyncio")
_PACKAGE = f"{os.sep}backrank{os.sep}"


class CutShort(Exception):
    """An answer that ends before it is complete: raised to have the connection closed, and never reported."""


def is_expected(error: BaseException) -> bool:
    """Return whether an error is only a client that left, or the end of the server.

    Examples
    --------
    >>> is_expected(ConnectionResetError()), is_expected(ValueError()), is_expected(CutShort())
    (True, False, True)
    >>> is_expected(ExceptionGroup("", [BrokenPipeError()]))
    True
    """
    if isinstance(error, BaseExceptionGroup):
        return all(map(is_expected, error.exceptions))
    # Those of starlette and anyio, which would have to be imported, are known by their names.
    names = {kind.__name__ for kind in type(error).__mro__}
    return isinstance(error, (CutShort, asyncio.CancelledError, ConnectionError, KeyboardInterrupt)) or bool(
        names & {"ClientDisconnect", "EndOfStream", "ClosedResourceError", "BrokenResourceError", "LocalProtocolError"}
    )


def described(error: BaseException) -> str:
    """Return the type of an error, the place where it was raised, and its message, in one line.

    Examples
    --------
    >>> described(ValueError("no"))
    'ValueError: no'
    """
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    message = str(error)
    return f"{type(error).__name__}{_place(error.__traceback__)}{f': {message}' if message else ''}"


def _place(trace: TracebackType | None) -> str:
    """Return where an error was raised: the innermost place in this package, or else the innermost one."""
    frames = traceback.extract_tb(trace)
    if not frames:
        return ""
    frame = next((each for each in reversed(frames) if _PACKAGE in each.filename), frames[-1])
    path = frame.filename.rpartition(_PACKAGE)[2] if _PACKAGE in frame.filename else os.path.basename(frame.filename)  # noqa: PTH119
    return f" at {path}:{frame.lineno} in {frame.name}"


def report(error: BaseException, what: str) -> None:
    """Write down an error that nothing has handled, and what was being done."""
    LOGGER.error("internal error in %s", what, exc_info=error)


class Repeats:
    """Lines, each written once in a minute, with the number of its repetitions at the end of the minute.

    Parameters
    ----------
    write : callable
        Handed each line, without an end of line.
    clock : callable
        Returns the time in seconds.

    Examples
    --------
    >>> now = [0.0]
    >>> repeats = Repeats(print, lambda: now[0])
    >>> for _ in range(1_235):
    ...     _ = repeats.add("cannot read", "cannot read: x")
    cannot read: x
    >>> now[0] = 61.0
    >>> repeats.flush()
    cannot read: x (repeated 1,234 times)
    >>> repeats.flush()
    """

    def __init__(self, write: Callable[[str], None], clock: Callable[[], float] = time.monotonic) -> None:
        self._write, self._clock = write, clock
        self._lines: dict[str, tuple[str, int]] = {}
        self._others, self._since = 0, clock()

    def add(self, key: str, line: str) -> bool:
        """Write a line, or count it if there was one with the same key; return whether it was written."""
        self.flush()
        if key in self._lines:
            first, number = self._lines[key]
            self._lines[key] = first, number + 1
            return False
        if len(self._lines) >= MOST_LINES:
            self._others += 1
            return False
        self._lines[key] = line, 0
        self._write(line)
        return True

    def flush(self, *, at_once: bool = False) -> None:
        """Write the numbers, if a minute is over."""
        if not at_once and self._clock() - self._since < WINDOW_SECONDS:
            return
        lines, others = self._lines, self._others
        self._lines, self._others, self._since = {}, 0, self._clock()
        for line, number in lines.values():
            if number:
                self._write(f"{line} (repeated {number:,} {'time' if number == 1 else 'times'})")
        if others:
            self._write(f"{others:,} other {'message' if others == 1 else 'messages'} left out")


class Reports(logging.Handler):
    """A log handler that writes one line for an error, and does not repeat itself.

    Parameters
    ----------
    out : text stream
    debug : bool
        Whether the traceback follows the line.
    clock : callable
        Returns the time in seconds.
    """

    def __init__(self, out: TextIO, *, debug: bool = False, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(logging.ERROR)
        self._out, self._debug = out, debug
        self._repeats = Repeats(self._line, clock)

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record, unless it is about a client that left or has been written already."""
        error = record.exc_info[1] if record.exc_info else None
        if error is not None and is_expected(error):
            return
        lines = record.getMessage().strip().splitlines() or [""]
        message = lines[-1 if lines[0].startswith("Traceback") else 0]
        key = record.msg if error is None else f"{type(error).__name__}{_place(error.__traceback__)}"
        line = message if error is None else f"{message}: {described(error)}"
        if self._repeats.add(str(key), line) and self._debug and error is not None:
            self._text("".join(traceback.format_exception(error)))

    def tick(self) -> None:
        """Write the numbers of repetitions, if a minute is over."""
        self.acquire()
        try:
            self._repeats.flush()
        finally:
            self.release()

    def close(self) -> None:
        """Write the numbers of repetitions."""
        self._repeats.flush(at_once=True)
        super().close()

    def _line(self, line: str) -> None:
        shown = "".join(each if each.isprintable() else "?" for each in line)
        self._text(f"backrank: {shown if len(shown) <= _LONGEST else shown[:_LONGEST] + ' ...'}\n")

    def _text(self, text: str) -> None:
        with suppress(OSError, ValueError):  # a terminal that is gone must not stop the server
            self._out.write(text)
            self._out.flush()


@contextmanager
def reporting(out: TextIO | None = None, environment: Mapping[str, str] = os.environ) -> Iterator[Reports]:
    """Have the errors of a server written by one :class:`Reports` for the time of a with-statement."""
    reports = Reports(sys.stderr if out is None else out, debug=bool(environment.get(DEBUG)))
    loggers = [logging.getLogger(name) for name in _LOGGERS]
    before = [logger.propagate for logger in loggers]
    for logger in loggers:
        logger.addHandler(reports)
        logger.propagate = False
    try:
        yield reports
    finally:
        for logger, propagate in zip(loggers, before, strict=True):
            logger.removeHandler(reports)
            logger.propagate = propagate
        reports.close()
