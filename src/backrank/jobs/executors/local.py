"""Executors for units: this thread, several threads, or several processes, all as `concurrent.futures.Executor`.

The kernels release Python's lock, so threads keep all cores busy; processes can be ended at once. A cluster is in
:mod:`backrank.jobs.executors.cluster`. Any other executor will do too.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from multiprocessing import resource_tracker
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from backrank.errors import InvalidPuzzle, UnknownName
from backrank.jobs.errors import WorkerDied
from backrank.runtime.cpu import available_threads

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

KINDS = ("serial", "threads", "processes")
MAX_WORKERS = 1000
P = ParamSpec("P")
T = TypeVar("T")


class Serial(Executor):
    """Does everything at once, in the thread that asks."""

    width = 1

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Do it, and return what has come of it."""
        future: Future[T] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:  # that is how executors tell
            future.set_exception(error)
        return future


class Threads(ThreadPoolExecutor):
    """Several threads of this process."""

    def __init__(self, workers: int) -> None:
        super().__init__(workers, thread_name_prefix="unit")
        self.width = workers


class Processes(Executor):
    """Several processes, each started when it is first needed, and again if it has died.

    A process that dies takes only its own task along, whose future then has a :class:`WorkerDied`. (The pool of the
    standard library breaks as a whole.) Processes do not listen to Ctrl-C, and end when this one does, however it ends.
    """

    def __init__(self, workers: int) -> None:
        self.width = workers
        self._threads = ThreadPoolExecutor(workers, thread_name_prefix="process")
        self._own = threading.local()
        self._all: set[_Process] = set()
        self._lock = threading.Lock()
        self._era = 0  # tasks of an era before are given up

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Have it done by the next process that is free; function and arguments are pickled."""
        return self._threads.submit(self._do, self._era, fn, args, kwargs)

    def _do(self, era: int, fn: Callable[..., T], args: tuple[Any, ...], kwargs: dict[str, Any]) -> T:
        return self._process_for(era).do(fn, args, kwargs)

    def _process_for(self, era: int) -> _Process:
        """Return the process of this thread, a new one if there is none or it has died."""
        with self._lock:
            if era != self._era:
                raise WorkerDied("the unit was given up before it was begun")
            process: _Process | None = getattr(self._own, "process", None)
            if process is None or not process.is_alive():
                if process is not None:
                    process.end()
                    self._all.discard(process)
                self._own.process = process = _Process()
                self._all.add(process)
        return process

    def pids(self) -> list[int]:
        """Return the process numbers of those that are there."""
        with self._lock:
            return [process.pid for process in self._all if process.is_alive()]

    def abandon(self) -> None:
        """End the processes at once, whatever they are doing; who asks for more gets new ones."""
        with self._lock:
            self._era += 1
            for process in self._all:
                process.kill()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the processes when what they have been given is done."""
        self._threads.shutdown(wait=wait, cancel_futures=cancel_futures)
        if wait:
            with self._lock:
                for process in self._all:
                    process.end()
                self._all.clear()


class _Process:
    """A process and the pipe to it."""

    def __init__(self) -> None:
        self._killed = False
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs,), daemon=True, name="backrank unit")
        with without_interrupts():
            self._process.start()
        theirs.close()

    @property
    def pid(self) -> int:
        return self._process.pid or 0

    def is_alive(self) -> bool:
        return not self._killed and self._process.is_alive()

    def do(self, fn: Callable[..., T], args: tuple[Any, ...], kwargs: dict[str, Any]) -> T:
        try:
            self._pipe.send((fn, args, kwargs))
            succeeded, result = self._pipe.recv()
        except (EOFError, OSError):
            self._process.join()
            how = self._process.exitcode or 0
            why = f"it was killed by signal {-how}" if how < 0 else f"it left with code {how}"
            raise WorkerDied(f"the process {self.pid} died in the middle of a unit: {why}") from None
        if not succeeded:
            raise result
        answer: T = result
        return answer

    def kill(self) -> None:
        self._killed = True  # it may be seen alive for a moment
        self._process.kill()

    def end(self) -> None:
        with suppress(OSError):
            self._pipe.close()
        self._process.join()


def _serve(pipe: Connection) -> None:
    """Do what comes through the pipe, until it is closed."""
    with suppress(ValueError):
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_leave_with, args=(parent.join,), daemon=True).start()
    with suppress(EOFError, OSError):
        while True:
            fn, args, kwargs = pipe.recv()
            try:
                answer = (True, fn(*args, **kwargs))
            except Exception as error:  # every error is an answer
                answer = (False, error)
            pipe.send(answer)


def _leave_with(join: Callable[[], None]) -> None:
    """Wait for the end of the process that began this one, and then do not finish what nobody waits for."""
    join()
    os._exit(1)


@contextmanager
def without_interrupts() -> Iterator[None]:
    """Begin processes that Ctrl-C at a terminal does not reach, from their first moment on, where that can be had."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    # The first process starts a helper as well, and lets the signals through again when it is there.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def opened(executor: Executor) -> Iterator[Executor]:
    """Yield an executor, and shut it down; after an error, without waiting for units that are still being done."""
    try:
        yield executor
    except BaseException:
        getattr(executor, "abandon", lambda: None)()
        executor.shutdown(wait=False, cancel_futures=True)
        raise
    executor.shutdown()


def executor_of(kind: str, workers: int | None = None) -> Executor:
    """Return an executor of this machine.

    Parameters
    ----------
    kind : {"serial", "threads", "processes"}
    workers : int, optional
        As many as this process may use cores, if not given.

    Raises
    ------
    UnknownName, InvalidPuzzle
        If there is no such kind, or so many workers cannot be.

    Examples
    --------
    >>> with executor_of("threads", 2) as executor:
    ...     list(executor.map(abs, [-1, 2]))
    [1, 2]
    """
    require_kind(kind)
    require_workers(workers)
    width = workers or available_threads()
    if kind == "serial":
        return Serial()
    return Threads(width) if kind == "threads" else Processes(width)


def require_kind(kind: str) -> None:
    """Refuse a kind of executor that there is not."""
    if kind not in KINDS:
        raise UnknownName("executor", kind, KINDS)


def require_workers(workers: int | None) -> None:
    """Refuse a number of workers that cannot be; None is as many as there are cores."""
    if workers is not None and not 1 <= workers <= MAX_WORKERS:
        raise InvalidPuzzle(f"there can be 1 to {MAX_WORKERS} workers, not {workers}")


def width_of(executor: Executor) -> int:
    """Return how many units an executor does at a time, as far as it tells."""
    width = getattr(executor, "width", None)
    return width if isinstance(width, int) else available_threads()
