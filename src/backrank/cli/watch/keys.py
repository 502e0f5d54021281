"""Single keys from a terminal, without waiting for a line; the terminal is put back whatever happens."""

from __future__ import annotations

import os
import select
import sys
from types import TracebackType
from typing import Any, Self

_NAMES = {
    b" ": "space",
    b"\r": "enter",
    b"\n": "enter",
    b"\x1b": "escape",
    b"\x1b[C": "right",
    b"\x1b[D": "left",
    b"\x1b[A": "up",
    b"\x1b[B": "down",
    b"\x1b[H": "home",
    b"\x1b[F": "end",
    b"\x1b[1~": "home",
    b"\x1b[4~": "end",
    b"\x1bOC": "right",
    b"\x1bOD": "left",
    b"\x1bOA": "up",
    b"\x1bOB": "down",
    b"\x1bOH": "home",
    b"\x1bOF": "end",
    b"\x7f": "backspace",
    b"\x03": "interrupt",
    b"\x04": "q",
}


class Keys:
    """The keyboard of a POSIX terminal while the context is open.

    Keys come as names: `space`, `left`, `home`, …; any other character comes as itself. Ctrl-C stays a signal.
    """

    def __init__(self) -> None:
        self._file = sys.stdin.fileno()
        self._before: list[Any] | None = None

    def __enter__(self) -> Self:
        import termios
        import tty

        self._before = termios.tcgetattr(self._file)
        tty.setcbreak(self._file)
        # Ctrl-Z would leave the shell with a terminal that is not its own.
        settings = termios.tcgetattr(self._file)
        settings[6][termios.VSUSP] = b"\0"
        termios.tcsetattr(self._file, termios.TCSADRAIN, settings)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.give_back()

    def give_back(self) -> None:
        """Put the terminal back as it was."""
        import termios

        if self._before is not None:
            termios.tcsetattr(self._file, termios.TCSADRAIN, self._before)

    def wait(self, seconds: float) -> list[str]:
        """Return the keys pressed until now; wait for one at most so many seconds."""
        ready, _, _ = select.select([self._file], [], [], max(0.0, seconds))
        return split(os.read(self._file, 4096)) if ready else []


def split(data: bytes) -> list[str]:
    r"""Return the names of the keys in what a terminal sent.

    Examples
    --------
    >>> split(b" \x1b[Cq\x1b[H")
    ['space', 'right', 'q', 'home']
    """
    keys = []
    while data:
        length = next((n for n in (4, 3) if data[:n] in _NAMES), 1)
        if data[:1] == b"\x1b" and length == 1 and len(data) > 1 and data[1:2] in b"[O":
            # A sequence that means nothing here, such as F5: skip it whole.
            length = next((at + 1 for at, byte in enumerate(data) if at > 1 and chr(byte) in _FINAL), len(data))
        else:
            piece = data[:length]
            keys.append(_NAMES.get(piece) or piece.decode("ascii", "ignore"))
        data = data[length:]
    return [key for key in keys if key]


_FINAL = "~ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
