"""Units on many machines, by Dask: a scheduler, workers that join and leave as they like, and this executor.

Dask does a unit again elsewhere if its worker dies, and gives units to workers that join late. What it does not know
is which workers may be trusted: those that have another version of this package are refused here, and units go to
the others only. The keys of the futures are the names of the units, which is what Dask's dashboard shows.
"""

from __future__ import annotations

import logging
import re
import threading
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future
from contextlib import suppress
from importlib import import_module
from typing import Any, ParamSpec, Self, TypeVar

from backrank._version import __version__
from backrank.errors import InvalidText, shown
from backrank.jobs.executors import available_workers, require_workers, without_interrupts
from backrank.jobs.problems import ExecutorLost, MissingDask, WorkerDied, WorkerMismatch
from backrank.jobs.units import installed

ANSWER_SECONDS = 10.0
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
    ExecutorLost
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
        ExecutorLost
            If the scheduler does not answer in time, or has no workers.
        InvalidText
            If that cannot be an address.
        """
        require_address(address)
        distributed = _distributed()
        if address.startswith(("tls:", "wss:")):
            _require_certificates(distributed, address)
        try:
            client = distributed.Client(address, timeout=answer_seconds, set_as_default=False, name="backrank")
        except (OSError, TimeoutError):
            raise ExecutorLost(
                f"no scheduler answers at {address} within {answer_seconds:g} s; start one with 'dask scheduler', and "
                "give the address that it prints"
            ) from None
        except (ValueError, TypeError) as error:
            why = " ".join(str(error).split())
            raise ExecutorLost(f"the scheduler {address} cannot be connected to ({why})") from None
        return cls._closing_if_bad(client, None, answer_seconds)

    @classmethod
    def local(cls, workers: int | None = None) -> Self:
        """Return so many workers on this machine, each a process, with a scheduler of their own."""
        distributed = _distributed()
        require_workers(workers)
        with without_interrupts():
            owned = distributed.LocalCluster(
                n_workers=workers or available_workers(),
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
            client.close()
            if owned is not None:
                owned.close()
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
            self.client.cancel(remotes)
        self._closing = False

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Leave the scheduler; end the workers if they are our own."""
        if wait and not cancel_futures:
            for future, _ in list(self._remote.values()):
                future.exception()
        self._closing = True
        with suppress(Exception):  # a scheduler that is gone need not be told
            self.client.close()
        if self._owned is not None:
            self._owned.close()

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
                address = self.client.scheduler.address
                raise ExecutorLost(
                    f"the scheduler {address} has no workers; start some with 'dask worker {address}' where backrank "
                    f"{__version__} is installed"
                )
            time.sleep(0.1)

    def _look(self) -> None:
        """See which workers there are, a second after the last time at the earliest; refuse strangers."""
        now = time.monotonic()
        if now - self._looked < LOOK_SECONDS:
            return
        self._looked = now
        try:
            present: dict[str, int] = dict(self.client.nthreads())
            new = [address for address in present if address not in self._threads and address not in self.refused]
            versions = self.client.run(installed, workers=new, on_error="return") if new else {}
        except Exception as error:
            raise ExecutorLost(f"the scheduler does not answer: {' '.join(str(error).split())}") from None
        for address in new:
            found = versions.get(address)
            if found != __version__:
                has = f"backrank {found}" if isinstance(found, str) else f"no backrank that could be used ({found})"
                self.refused[address] = (
                    f"the worker {address} has {has}, and this count needs backrank {__version__}: it is refused"
                )
        self._threads = {address: count for address, count in present.items() if address not in self.refused}
        self._free(frozenset(self._threads))

    def _free(self, present: frozenset[str]) -> None:
        """Give back units that only workers that have left may do: Dask would keep them for ever."""
        with self._lock:
            stuck = [remote for remote, (_, allowed) in self._remote.items() if allowed and not allowed & present]
            futures = [self._remote.pop(remote)[0] for remote in stuck]
        for future in futures:
            future.set_exception(WorkerDied("all workers that were allowed to do this unit have left"))
        if stuck:
            self.client.cancel(stuck)


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

    Every part of Dask that has been loaded has a level of its own.
    """
    _distributed()
    for name in list(logging.root.manager.loggerDict):
        if name.partition(".")[0] == "distributed":
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)


def _require_certificates(distributed: Any, address: str) -> None:
    """Refuse what needs certificates that Dask does not have: its client would take half a minute to give up."""
    if distributed.Security().get_connection_args("client").get("ssl_context") is None:
        raise ExecutorLost(
            f"{address} wants certificates; tell Dask where they are (distributed.comm.tls), or use a tcp:// address"
        )


def _distributed() -> Any:
    try:
        return import_module("distributed")
    except ImportError:
        raise MissingDask("a cluster needs Dask; install it with: pip install 'backrank[cluster]'") from None
