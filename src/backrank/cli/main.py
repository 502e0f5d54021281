"""The entry point: runs the command, and turns every error into one line and an exit code.

0 yes, 1 no (impossible, or faults found), 2 wrong usage or input, 3 undecided (a limit was reached, or a job was
stopped from elsewhere), 130 interrupted.
"""

from __future__ import annotations

import itertools
import os
import re
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import typer

from backrank.cli.app import app, known_words
from backrank.cli.command import command
from backrank.cli.output import ReaderGoneError
from backrank.cli.running import StoppedError
from backrank.errors import MOST_ECHOED, BackrankError, InvalidBoard, Undecided, one_line, visible

NO, WRONG_INPUT, UNDECIDED, INTERRUPTED = 1, 2, 3, 130
_NO_INTEGER = re.compile("Input should be a valid integer.*")
_DASHED_NUMBER = re.compile(r"-\d\S*")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit.

    Parameters
    ----------
    arguments : sequence of str, optional
        What follows the name of the command; `sys.argv[1:]` if not given.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    _open_what_is_closed()
    for stream in (sys.stdout, sys.stderr):
        # A C locale must not break chess symbols; what a terminal cannot show becomes a question mark.
        getattr(stream, "reconfigure", lambda **_: None)(errors="replace", **_utf8_if_ascii(stream.encoding))
    try:
        # What has been imported until now has taken about as long as it has kept the processor busy.
        before = time.process_time() if arguments is None else 0.0
        with command(began=time.monotonic() - before):
            code = _run(words)
        sys.stdout.flush()
    except (BrokenPipeError, ReaderGoneError):
        # The reader has seen enough (as `head` has). Python must not try to flush again on its way out.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    except OSError as error:
        code = _complain(f"cannot write the answer: {(error.strerror or str(error)).lower()}", WRONG_INPUT)
    sys.exit(code)


def _open_what_is_closed() -> None:
    """Give the streams that whoever started us has closed (`>&-`) somewhere to go."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115 - as long as we live


def _utf8_if_ascii(encoding: str | None) -> dict[str, str]:
    return {"encoding": "utf-8"} if (encoding or "ascii").lower() in ("ascii", "ansi_x3.4-1968", "us-ascii") else {}


def _run(words: list[str]) -> int:
    """Run the command; whatever goes wrong becomes one line, or none, and a code."""
    try:
        code = app(words, prog_name="backrank", standalone_mode=False)
        # Ctrl-C where no command was listening for it comes back as a code.
        message, code = ("stopped" if code == INTERRUPTED else ""), code if isinstance(code, int) else 0
    except BackrankError as error:
        message, code = str(error), UNDECIDED if isinstance(error, Undecided) else WRONG_INPUT
    except typer.TyperException as error:
        message, code = _usage_message(error, words), WRONG_INPUT
    except (StoppedError, KeyboardInterrupt, typer.Abort) as error:
        message, code = str(error) or "stopped", INTERRUPTED
    except MemoryError:
        message, code = "out of memory; choose a smaller board", WRONG_INPUT
    return _complain(message, code) if message else code


def _complain(message: str, code: int) -> int:
    with suppress(OSError):  # a terminal that has been closed
        sys.stderr.write(f"backrank: {one_line(' '.join(message.split()))}\n")
    return code


def _shortened(message: str, words: Sequence[str]) -> str:
    """Return a message of the parser with the long words of the command line in it shortened."""
    parts = {part for word in words if len(word) > MOST_ECHOED for part in (word, *word.split("=", 1))}
    for part in sorted(parts, key=len, reverse=True):
        if len(part) > MOST_ECHOED:
            for written in (part, repr(part)[1:-1]):
                message = message.replace(written, visible(part, MOST_ECHOED))
    return message


def _usage_message(error: typer.TyperException, words: list[str]) -> str:
    """Return a usage error as one line; empty if the help has been shown instead."""
    message = _shortened(str(getattr(error, "format_message", lambda: str(error))()).strip().rstrip("."), words)
    message = _NO_INTEGER.sub("a whole number is needed", message)
    dashed = next((word for word in words if _DASHED_NUMBER.fullmatch(word)), None)
    if dashed and "option" in message.lower():
        # The parser takes a board such as -3x4 for an option; what its owner needs to hear is about boards.
        from backrank.geometry.board import Board

        try:
            Board.parse(dashed)
        except InvalidBoard as board_error:
            return str(board_error)
    if not message:
        return ""
    path = list(itertools.takewhile(re.compile("[a-z]+").fullmatch, words[:2]))
    if message.startswith("No such command"):
        return f"{message}; known: {', '.join(known_words(words[0]))}"
    if "BOARD" in message and message.startswith("Missing"):
        message += " (such as 8x8)"
    return f"{message}; '{' '.join(['backrank', *path])} --help' explains"
