"""Units on many machines, by Dask: a scheduler, workers that join and leave as they like, and this executor.

Dask does a unit again elsewhere if its worker dies, and gives units to workers that join late. What it does not know
is which workers may be trusted: those that have another version of this package are refused here, and units go to
the others only. The keys of the futures are the names of the units, which is what Dask's dashboard shows.
"""

from __future__ import annotations

import logging
import re
import ssl
import threading
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future
from concurrent.futures import wait as wait_for
from contextlib import suppress
from importlib import import_module
from typing import Any, ParamSpec, Self, TypeVar

from backrank._version import __version__
from backrank.errors import InvalidText, shown
from backrank.jobs.errors import ExecutorLost, MissingDask, NoScheduler, WorkerDied, WorkerMismatch
from backrank.jobs.executors.handshake import require_scheduler
from backrank.jobs.executors.local import require_workers, without_interrupts
from backrank.jobs.units import installed
from backrank.runtime.cpu import available_threads

ANSWER_SECONDS = 8.0  # so that the command has told the outcome after ten
LOST_SECONDS = 30.0  # without an answer, before a scheduler counts as lost in the middle of a job
OWNED_SECONDS = 10.0  # for workers of our own to end
REPLY_SECONDS = 2.0  # for one question; the caller must stay able to react to Ctrl-C
_ADDRESS = re.compile(r"(?:(?:tcp|tls|ws|wss)://)?(?:\[[0-9A-Fa-f:.%\w]+\]|[^\s:/\[\]]+):(\d{1,5})")
_MOST_PORT = 65_535
LOOK_SECONDS = 1.0
P = ParamSpec("P")
T = TypeVar("T")


class Cluster(Executor):
    """The workers of a Dask scheduler.

    Parameters
    ----------
    client : distributed.Client
        Connected to the scheduler. It is closed together with this executor.
    owned : optional
        A cluster that is closed as well.
    answer_seconds : float
        How long to wait for the first worker.

    Raises
    ------
    NoScheduler
        If there is no worker in that time.
    WorkerMismatch
        If all workers have other versions of this package; both are named.
    """

    def __init__(self, client: Any, owned: Any = None, *, answer_seconds: float = ANSWER_SECONDS) -> None:
        self.client = client
        self._owned = owned
        self._threads: dict[str, int] = {}
        self.refused: dict[str, str] = {}
        self._looked = 0.0
        self._answered: float | None = None
        self._silent: frozenset[str] = frozenset()  # workers whose version is not known yet
        self._remote: dict[Any, tuple[Future[Any], frozenset[str] | None]] = {}
        self._lock = threading.Lock()
        self._closing = False
        self._await_worker(answer_seconds)

    @classmethod
    def connect(cls, address: str, *, answer_seconds: float = ANSWER_SECONDS) -> Self:
        """Return the workers of the scheduler at an address such as `tcp://host:8786`.

        Raises
        ------
        MissingDask
            If Dask is not installed.
        NoScheduler
            If no scheduler answers in time, or it has no workers.
        InvalidText
            If that cannot be an address.
        """
        require_address(address)
        distributed = _distributed()
        scheme = address.rpartition("://")[0]
        context = _certificates(distributed, address) if scheme in ("tls", "wss") else None
        if scheme in ("", "tcp", "tls"):  # the others are carried by a web server
            require_scheduler(address, answer_seconds, context)
        try:
            client = distributed.Client(address, timeout=answer_seconds, set_as_default=False, name="backrank")
        except (OSError, TimeoutError):
            raise NoScheduler(
                f"no scheduler answers at {address} within {answer_seconds:g} s; start one with 'dask scheduler', and "
                "give the address that it prints"
            ) from None
        except (ValueError, TypeError, RuntimeError) as error:
            why = " ".join(str(error).split())
            raise NoScheduler(f"the scheduler {address} cannot be connected to ({why})") from None
        return cls._closing_if_bad(client, None, answer_seconds)

    @classmethod
    def local(cls, workers: int | None = None) -> Self:
        """Return so many workers on this machine, each a process, with a scheduler of their own."""
        distributed = _distributed()
        require_workers(workers)
        with without_interrupts():
            owned = distributed.LocalCluster(
                n_workers=workers or available_threads(),
                threads_per_worker=1,
                dashboard_address="127.0.0.1:0",
                silence_logs=logging.CRITICAL,
            )
        client = distributed.Client(owned, set_as_default=False, name="backrank")
        return cls._closing_if_bad(client, owned, ANSWER_SECONDS)

    @classmethod
    def _closing_if_bad(cls, client: Any, owned: Any, answer_seconds: float) -> Self:
        try:
            return cls(client, owned, answer_seconds=answer_seconds)
        except BaseException:
            _close(client, owned)
            raise

    @property
    def width(self) -> int:
        """How many units are done at a time: the threads of all workers that are not refused."""
        self._look()
        return max(1, sum(self._threads.values()))

    @property
    def dashboard(self) -> str:
        """The address of the page on which Dask shows what is going on."""
        return str(self.client.dashboard_link)

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Have it done by any worker; if the first argument has a `name`, the dashboard shows it."""
        self._look()
        key = getattr(args[0], "name", None) if args else None
        allowed = frozenset(self._threads) if self.refused else None
        future: Future[T] = Future()
        future.set_running_or_notify_cancel()
        remote = self.client.submit(
            fn, *args, key=key or None, pure=False, workers=None if allowed is None else sorted(allowed), **kwargs
        )
        with self._lock:
            self._remote[remote] = (future, allowed)
        remote.add_done_callback(self._deliver)
        return future

    def abandon(self) -> None:
        """Cancel everything; a unit that a worker has begun runs to its end there, and nobody gets it."""
        with self._lock:
            self._closing = True
            remotes = list(self._remote)
        with suppress(Exception):  # whether or not the scheduler hears it
            self._asked(self.client._cancel, remotes)
        with self._lock:  # a scheduler that is suspended confirms nothing
            left = [future for future, _ in self._remote.values()]
            self._remote.clear()
        for future in left:
            future.set_exception(WorkerDied("the unit has been cancelled"))
        self._closing = False

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Leave the scheduler; end the workers if they are our own."""
        if wait and not cancel_futures:
            with suppress(ExecutorLost):
                self._await_units()
        self._closing = True
        _close(self.client, self._owned)

    def _await_units(self) -> None:
        """Wait for all units that have been handed out; raise ExecutorLost if the scheduler is gone."""
        while waiting := [future for future, _ in list(self._remote.values())]:
            wait_for(waiting, LOOK_SECONDS)
            self._look()

    def _deliver(self, remote: Any) -> None:
        """Hand over what has come of a remote future; called in a thread of Dask's."""
        with self._lock:
            future, _ = self._remote.pop(remote, (None, None))
        if future is None or future.done():
            return
        try:
            result = remote.result()
        except Exception as error:  # that is how executors tell
            future.set_exception(self._explained(remote, error))
        else:
            future.set_result(result)

    def _explained(self, remote: Any, error: Exception) -> Exception:
        if remote.status in ("cancelled", "lost"):
            if self._closing:
                return WorkerDied("the unit has been cancelled")
            return ExecutorLost("the scheduler has gone, or has lost the units; what is recorded stays")
        if type(error).__name__ == "KilledWorker":
            return WorkerDied(f"several workers died of it: {' '.join(str(error).split())[:200]}")
        return error

    # --- which workers there are ----------------------------------------------------------------------

    def _await_worker(self, seconds: float) -> None:
        deadline = time.monotonic() + seconds
        while True:
            self._looked = 0.0
            self._look()
            if self._threads:
                return
            if self.refused:
                raise WorkerMismatch("; ".join(self.refused.values()))
            if time.monotonic() > deadline:
                raise NoScheduler(self._idle())
            time.sleep(0.1)

    def _idle(self) -> str:
        """Say why there is no worker at the beginning."""
        address = self.client.scheduler.address
        if self._answered is None:
            return f"the scheduler {address} does not answer questions; it may be overloaded or suspended"
        if self._silent:
            return f"the workers of the scheduler {address} do not answer: {', '.join(sorted(self._silent)[:3])}"
        return (
            f"the scheduler {address} has no workers; start some with 'dask worker {address}' where backrank "
            f"{__version__} is installed"
        )

    def _look(self) -> None:
        """See which workers there are, a second after the last time at the earliest; refuse strangers."""
        if time.monotonic() - self._looked < LOOK_SECONDS:
            return
        try:
            present: dict[str, int] = dict(self._asked(self.client.scheduler.ncores, workers=None))
            self._answered = time.monotonic()
            versions = self._versions([address for address in present if address not in self._threads])
        except TimeoutError:
            self._looked = time.monotonic()
            if self._answered is not None and self._looked - self._answered > LOST_SECONDS:
                why = f"the scheduler has not answered for {LOST_SECONDS:g} s"
                raise ExecutorLost(f"{why}; what is recorded stays") from None
            return
        except Exception as error:
            told = " ".join(str(error).split()) or type(error).__name__
            raise ExecutorLost(f"the scheduler does not answer ({told}); what is recorded stays") from None
        self._looked = time.monotonic()
        for address, found in versions.items():
            if found != __version__:
                has = f"backrank {found}" if isinstance(found, str) else f"no backrank that could be used ({found})"
                self.refused[address] = (
                    f"the worker {address} has {has}, and this count needs backrank {__version__}: it is refused"
                )
        unusable = self.refused.keys() | self._silent
        self._threads = {address: count for address, count in present.items() if address not in unusable}
        self._free(frozenset(self._threads))

    def _versions(self, workers: list[str]) -> dict[str, Any]:
        """Return the versions that workers have; those that do not answer in time are asked again next time."""
        new = [address for address in workers if address not in self.refused]
        self._silent = frozenset(new)
        if not new:
            return {}
        try:
            versions: dict[str, Any] = self._asked(self.client._run, installed, workers=new, on_error="return")
        except TimeoutError:
            return {}
        self._silent = frozenset(new) - versions.keys()
        return versions

    def _asked(self, spec: Callable[..., Any], *args: Any, **options: Any) -> Any:
        """Return what the scheduler answers; TimeoutError if it does not in time."""
        return self.client.sync(spec, *args, callback_timeout=REPLY_SECONDS, **options)

    def _free(self, present: frozenset[str]) -> None:
        """Give back units that only workers that have left may do: Dask would keep them for ever."""
        with self._lock:
            stuck = [remote for remote, (_, allowed) in self._remote.items() if allowed and not allowed & present]
            futures = [self._remote.pop(remote)[0] for remote in stuck]
        for future in futures:
            future.set_exception(WorkerDied("all workers that were allowed to do this unit have left"))
        if stuck:
            with suppress(TimeoutError):  # what is asked for has been sent all the same
                self._asked(self.client._cancel, stuck)


def require_address(address: str) -> None:
    """Refuse what cannot be the address of a scheduler, before anybody waits for an answer.

    Raises
    ------
    InvalidText

    Examples
    --------
    >>> require_address("tcp://host:8786")
    >>> require_address("127.0.0.1:8786")
    >>> require_address("http://host")
    Traceback (most recent call last):
    backrank.errors.InvalidText: 'http://host' is not the address of a scheduler; write tcp://host:8786
    """
    match = _ADDRESS.fullmatch(address)
    if match is None or not 0 < int(match[1]) <= _MOST_PORT:
        raise InvalidText(f"{shown(address)} is not the address of a scheduler; write tcp://host:8786")


def hush_dask() -> None:
    """Keep Dask's own words, whole tracebacks, from a terminal where what goes wrong is told in one line.

    Every part of Dask that has been loaded has a level of its own. What it leaves unfinished at the end is logged by
    asyncio and tornado.
    """
    _distributed()
    for name in list(logging.root.manager.loggerDict):
        if name.partition(".")[0] in ("distributed", "asyncio", "tornado"):
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)


def _certificates(distributed: Any, address: str) -> ssl.SSLContext:
    """Return the certificates that Dask is configured with; without any, its client would try for half a minute."""
    context: ssl.SSLContext | None = distributed.Security().get_connection_args("client").get("ssl_context")
    if context is None:
        raise NoScheduler(
            f"{address} wants certificates; tell Dask where they are (distributed.comm.tls), or use a tcp:// address"
        )
    return context


def _close(client: Any, owned: Any) -> None:
    """Leave a scheduler, whether or not it is still there, and end the workers if they are our own."""
    with suppress(Exception):  # a scheduler that is gone need not be told
        client.close(timeout=REPLY_SECONDS)
    if owned is not None:
        with suppress(Exception):
            owned.close(timeout=OWNED_SECONDS)


def _distributed() -> Any:
    try:
        return import_module("distributed")
    except ImportError:
        raise MissingDask("a cluster needs Dask; install it with: pip install 'backrank[cluster]'") from None
