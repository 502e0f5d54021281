"""Ctrl-C and other signals that end a command: the first in good order, the second at once.

Python runs the handler of a signal between two steps of the main thread, which may be inside a compiler, wait for other
threads, or be on its way out. So a second signal is not left to it: for each signal, Python's C code writes a byte to
a pipe, and a thread reads them.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

ENDING = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
LAST_SECONDS = 0.5  # for what is still to be written when a command leaves at once
REPEAT_SECONDS = 0.05  # for a finalizer to end
EXIT_SECONDS = 3.0  # for what is registered with atexit when threads are left behind
INTERRUPTED = 130


class Interrupts:
    """The handler of the signals that end the command.

    The first signal raises KeyboardInterrupt, or is only noted while :meth:`noted` is in force. If the handler is
    :meth:`installed`, a second one ends the process; if not, it raises KeyboardInterrupt as well.

    Attributes
    ----------
    first : int, optional
        The number of the first signal that came.
    resume : str
        What goes on with the work, for the last line of a command that leaves at once.
    undo : list of callable
        What gives the terminal back.
    """

    def __init__(self) -> None:
        self.first: int | None = None
        self.resume = ""
        self.undo: list[Callable[[], None]] = []
        self._is_noted = self._ends = self._is_watched = self._is_repeated = False
        self._repeated = 0
        self._leaving = threading.Lock()

    @classmethod
    def installed(cls) -> Interrupts:
        """Return the handler, after putting it where signals are neither ignored nor handled already; it is held."""
        made = cls()
        made.hold()
        for number in ENDING:
            if signal.getsignal(number) in (signal.SIG_DFL, signal.default_int_handler):
                signal.signal(number, made)
        made._watch()
        return made

    @staticmethod
    def current() -> Interrupts | None:
        """Return the handler that is installed, if there is one."""
        handlers = map(signal.getsignal, ENDING)  # some of the signals may be ignored
        return next((handler for handler in handlers if isinstance(handler, Interrupts)), None)

    def __call__(self, number: int, frame: FrameType | None) -> None:
        """Handle a signal in the main thread."""
        del frame
        if self.first is None:
            self.first = number
            if self._is_noted:
                return
        elif self._is_repeated:
            self._is_repeated = False
        elif self._is_watched:
            return  # the thread that watches ends the process
        elif self._ends:
            self.leave_at_once()
        raise KeyboardInterrupt

    def hold(self) -> None:
        """Note the first signal, and raise nothing until :meth:`release`."""
        self._is_noted = True

    def release(self) -> None:
        """Raise KeyboardInterrupt at the first signal; now, if it has come already."""
        self._is_noted = False
        if self.first is not None:
            raise KeyboardInterrupt

    @property
    def code(self) -> int:
        """The exit code: 130 after Ctrl-C, 143 after SIGTERM."""
        return INTERRUPTED if self.first is None else 128 + self.first

    @contextmanager
    def noted(self, resume: str = "") -> Iterator[Callable[[], bool]]:
        """Note the first signal instead of raising; yields what tells whether there was one."""
        self._is_noted, self.resume = True, resume
        try:
            yield lambda: self.first is not None
        finally:
            self._is_noted = False

    # --- leaving -----------------------------------------------------------------------------------------

    def leave_at_once(self) -> NoReturn:
        """End the process, whatever it is doing, after at most half a second for last things."""
        if self._leaving.acquire(blocking=False):
            with suppress(RuntimeError):  # no thread can be started at the very end
                last = threading.Thread(target=self._last_things, daemon=True)
                last.start()
                last.join(LAST_SECONDS)
            os._exit(self.code)
        threading.Event().wait()  # another thread is leaving
        raise AssertionError("the process has ended")

    def _last_things(self) -> None:
        """Do what must not be left undone; each of these may hang, since other threads may hold locks."""
        for undo in reversed(self.undo):
            with suppress(Exception):
                undo()
        _end_children()
        goes_on = f"; {self.resume} goes on" if self.resume else ""
        with suppress(OSError):
            if os.isatty(2):  # take a progress line away, and show the cursor
                os.write(2, b"\r\x1b[2K\x1b[?25h")
            os.write(2, f"backrank: stopped at once{goes_on}\n".encode())
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # the main thread may be about to say the same
        with suppress(Exception):
            sys.stdout.flush()
        run_exit_functions()

    # --- watching ------------------------------------------------------------------------------------------

    def _watch(self) -> None:
        """Have a thread end the process on a second signal, since the main thread may not get to it."""
        sys.unraisablehook = self._unraisable
        threading.excepthook = self._in_a_thread
        self._ends = True
        if os.name != "posix":  # a pipe cannot be woken by signals there
            return
        reader, writer = os.pipe()
        os.set_blocking(writer, False)
        signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
        threading.Thread(target=self._count, args=(reader,), name="signals", daemon=True).start()
        self._is_watched = True

    def _count(self, reader: int) -> None:
        seen = 0
        while seen < 2 + self._repeated:
            seen += os.read(reader, 1)[0] in ENDING
        self.leave_at_once()

    def _unraisable(self, problem: UnraisableHookArgs) -> None:
        """Raise an interruption again that came where nothing can be raised; leave out what follows from one."""
        if self.first is None:
            sys.__unraisablehook__(problem)
        elif problem.exc_type is KeyboardInterrupt and os.name == "posix":
            with suppress(RuntimeError):  # at the very end, where nothing is left to interrupt
                threading.Thread(target=self._repeat, daemon=True).start()

    def _repeat(self) -> None:
        """Send the first signal again, to this process."""
        time.sleep(REPEAT_SECONDS)
        self._repeated += 1
        self._is_repeated = True
        signal.pthread_kill(threading.main_thread().ident or 0, self.first or signal.SIGINT)

    def _in_a_thread(self, problem: threading.ExceptHookArgs) -> None:
        if self.first is None:
            threading.__excepthook__(problem)


@contextmanager
def interruptible(resume: str = "") -> Iterator[Callable[[], bool]]:
    """Let Ctrl-C be asked for instead of breaking in anywhere; a second one breaks in.

    Parameters
    ----------
    resume : str
        What goes on with the work, for the last line of a command that leaves at once.

    Yields
    ------
    callable
        Whether Ctrl-C was pressed.
    """
    handler, before = Interrupts.current(), None
    if handler is None:  # the command is run inside another program
        if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
            yield lambda: False
            return
        handler = Interrupts()
        try:
            before = signal.signal(signal.SIGINT, handler)
        except ValueError:  # not the main thread
            yield lambda: False
            return
    try:
        with handler.noted(resume) as is_stopped:
            yield is_stopped
    finally:
        if before is not None:
            signal.signal(signal.SIGINT, before)


@contextmanager
def undone(undo: Callable[[], None]) -> Iterator[None]:
    """Have something undone if the command leaves at once within the block."""
    handler = Interrupts.current() or Interrupts()
    handler.undo.append(undo)
    try:
        yield
    finally:
        handler.undo.remove(undo)


def leave(code: int, *, at_work: bool) -> NoReturn:
    """Exit without waiting for threads that are at work on what was given up.

    Parameters
    ----------
    code : int
    at_work : bool
        Whether the command was interrupted, so that anything may still be under way.
    """
    main = threading.main_thread()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    if not at_work and all(thread.daemon for thread in threading.enumerate() if thread is not main):
        run_exit_functions()
    else:
        last = threading.Thread(target=run_exit_functions, daemon=True)
        last.start()
        last.join(EXIT_SECONDS)
    os._exit(code)  # the interpreter would first give signals back to the system, and then take its time


def run_exit_functions() -> None:
    """Do what is registered for the end of the process, such as the removal of temporary folders."""
    import atexit

    atexit._run_exitfuncs()


def _end_children() -> None:
    """End the processes that were started to do units; others end when their input does."""
    multiprocessing = sys.modules.get("multiprocessing")
    if multiprocessing is not None:
        for child in multiprocessing.active_children():
            with suppress(Exception):
                child.kill()
