"""What holds for a command as a whole: when it began, whether remarks are wanted, warnings of the kernel cache."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from backrank.cli.output import remark

KERNELS = "backrank.kernels"  # the logger


@dataclass(slots=True)
class Command:
    """The command that runs.

    Attributes
    ----------
    began : float
        The moment of :func:`time.monotonic` from which its time limit is counted.
    quiet : bool
        Whether remarks are left out.
    warned : bool
        Whether something about the kernel cache has been remarked: one line is enough.
    """

    began: float
    quiet: bool = False
    warned: bool = False

    def warn(self, record: logging.LogRecord) -> None:
        """Remark what the kernels warn of, once."""
        if not self.warned:
            self.warned = True
            remark(record.getMessage(), quiet=self.quiet)


_CURRENT: ContextVar[Command | None] = ContextVar("command", default=None)


@contextmanager
def command(*, began: float) -> Iterator[Command]:
    """Run a command: its time limit is counted from `began`, and warnings of the kernels become one remark."""
    current = Command(began)
    handler = logging.Handler(logging.WARNING)
    handler.emit = current.warn  # type: ignore[method-assign] # all that it is for
    logger, token = logging.getLogger(KERNELS), _CURRENT.set(current)
    logger.addHandler(handler)
    try:
        yield current
    finally:
        logger.removeHandler(handler)
        _CURRENT.reset(token)


def began() -> float:
    """Return when the command that runs began; now, if none does."""
    current = _CURRENT.get()
    return time.monotonic() if current is None else current.began


def hush(quiet: bool) -> bool:
    """Leave remarks about the kernels out if `quiet`, which is returned."""
    current = _CURRENT.get()
    if current is not None:
        current.quiet = quiet
    return quiet
