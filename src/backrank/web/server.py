"""Running the server: the socket, the address to open, and an orderly end."""

from __future__ import annotations

import asyncio
import os
import secrets
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType

import uvicorn
from uvicorn.config import STARTUP_FAILURE
from uvicorn.server import HANDLED_SIGNALS

from backrank.errors import BackrankError
from backrank.web.app import App, create_app
from backrank.web.counts.keeping import Place
from backrank.web.limits import Limits
from backrank.web.net.connections import Connection, Connections
from backrank.web.net.descriptors import most_connections, open_now, raise_soft_limit, soft_limit
from backrank.web.net.listening import Listener
from backrank.web.net.reports import LOGGER, reporting
from backrank.web.net.security import LOOPBACK, Access

# How long a server that ends waits for answers, for those it has cancelled, and for the ledger.
_ANSWER_SECONDS = 3.0
_CANCEL_SECONDS = 1.0
_KEEP_SECONDS = 10.0
_GLANCE_SECONDS = 0.02


class CannotListen(BackrankError):
    """The address cannot be listened on: it is taken, not ours, or not an address."""


@dataclass(frozen=True)
class Opened:
    """A socket that is bound, and how it is reached.

    Attributes
    ----------
    socket : socket.socket
    url : str
        What to open in a browser, with the token if there is one.
    access : Access
    """

    socket: socket.socket
    url: str
    access: Access

    @property
    def is_public(self) -> bool:
        """Whether others than this machine can reach it."""
        return self.access.token is not None


def opened(host: str, port: int) -> Opened:
    """Bind a socket; beyond loopback, make up a token.

    Parameters
    ----------
    host : str
        A name or an address; `0.0.0.0` and `::` are all addresses of this machine.
    port : int
        0 for any that is free.

    Raises
    ------
    CannotListen
        If that cannot be.

    Examples
    --------
    >>> where = opened("127.0.0.1", 0)
    >>> where.url.startswith("http://127.0.0.1:"), where.is_public
    (True, False)
    >>> where.socket.close()
    """
    if not 0 <= port <= 65_535:
        raise CannotListen(f"a port is a number from 0 to 65535, not {port}; 0 takes one that is free")
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        bound = socket.socket(family, kind, protocol)
        try:
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            bound.bind(address)
        except OSError:
            bound.close()
            raise
    except (OSError, UnicodeError) as error:
        told = (getattr(error, "strerror", None) or str(error)).lower()
        raise CannotListen(f"cannot listen on {host} port {port}: {told}; --port 0 takes a port that is free") from None
    is_local = host in LOOPBACK or bound.getsockname()[0] in ("127.0.0.1", "::1")
    token = None if is_local else secrets.token_urlsafe(24)
    names = LOOPBACK if is_local else (*LOOPBACK, host.lower(), socket.gethostname().lower())
    shown = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 - compared with, not bound to
    shown = f"[{shown}]" if ":" in shown else shown
    url = f"http://{shown}:{bound.getsockname()[1]}/{f'?token={token}' if token else ''}"
    return Opened(bound, url, Access(names, token))


def serve(
    where: Opened,
    *,
    limits: Limits | None = None,
    place: Place | None = None,
    warm: bool = True,
    started: Callable[[], None] = lambda: None,
    is_stopped: Callable[[], bool] | None = None,
) -> None:
    """Serve until the process gets SIGINT or SIGTERM.

    Parameters
    ----------
    where : Opened
    limits : Limits, optional
    place : Place, optional
        Where counts are kept.
    warm : bool
        As for :func:`~backrank.web.app.create_app`.
    started : callable
        Called when requests are answered.
    is_stopped : callable, optional
        Ends the server by returning True; if given, the signals of the process are left to the caller.

    Raises
    ------
    TooFewDescriptors
        If the process may not open enough files.

    Notes
    -----
    The limit of open files is raised as far as the system allows, and errors are written to standard error, each once a
    minute at most. After a stop by a signal both signals stay ignored, since the process is about to end.
    """
    raise_soft_limit()
    with reporting() as reports:
        app = create_app(where.access, limits, warm=warm, place=place)
        server = Server(app, started, is_stopped, limits=limits, tick=reports.tick)
        server.run(sockets=[where.socket])


class Server(uvicorn.Server):
    """A server that limits its connections, and whose end keeps the counts.

    Parameters
    ----------
    app : App
    started : callable
        Called when requests are answered.
    is_stopped : callable, optional
        As for :func:`serve`.
    limits : Limits, optional
        Those of the connections.
    tick : callable
        Called ten times a second.

    Attributes
    ----------
    connections : Connections
        Those that are open.

    Raises
    ------
    TooFewDescriptors
        If the process may not open enough files.
    """

    def __init__(
        self,
        app: App,
        started: Callable[[], None] = lambda: None,
        is_stopped: Callable[[], bool] | None = None,
        *,
        limits: Limits | None = None,
        tick: Callable[[], None] = lambda: None,
    ) -> None:
        limits = limits or Limits()
        config = uvicorn.Config(
            app,
            http="h11",
            lifespan="on",
            log_config=None,
            log_level="error",
            access_log=False,
            server_header=False,
            date_header=False,
            proxy_headers=False,
            ws="none",
            timeout_keep_alive=limits.idle_seconds,
            h11_max_incomplete_event_size=128 * 1024,
        )
        super().__init__(config)
        self._app, self._when_started, self._is_stopped, self._tick = app, started, is_stopped, tick
        most = most_connections(limits.connections, soft_limit(), open_now())
        self.connections = Connections(limits, most)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start the app, accept connections, and call `started`."""
        await self.lifespan.startup()
        if self.lifespan.should_exit:
            sys.exit(STARTUP_FAILURE)

        def protocol() -> Connection:
            return Connection(self.connections, self.config, self.server_state, self.lifespan.state)

        self._listeners = [Listener(each, self.connections, protocol) for each in sockets or []]
        self.started = True
        self._when_started()

    async def on_tick(self, counter: int) -> bool:
        """Close the connections that take too long; return whether the server is to end."""
        self.connections.check()
        self._tick()
        return await super().on_tick(counter) or (self._is_stopped is not None and self._is_stopped())

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:  # noqa: ARG002 - the listeners have them
        """End the event streams, wait a little for other answers, and keep the counts."""
        for listener in self._listeners:
            listener.close()
        self._app.state.backrank.close_streams()
        for connection in self.connections:
            connection.shutdown()
        await self._settled(_ANSWER_SECONDS)
        for task in list(self.server_state.tasks):
            task.cancel()
        await self._settled(_CANCEL_SECONDS)
        for connection in self.connections:
            connection.drop()
        for listener in self._listeners:
            await listener.wait_closed()
        try:
            async with asyncio.timeout(_KEEP_SECONDS):
                await self.lifespan.shutdown()
        except TimeoutError:
            LOGGER.error("stopped before everything was written to the ledger")

    async def _settled(self, seconds: float) -> None:
        """Wait until all requests are answered, a time is over, or a second signal has come."""
        until = asyncio.get_running_loop().time() + seconds
        while self.server_state.tasks or any(each.is_busy for each in self.connections):
            if asyncio.get_running_loop().time() >= until or self.force_exit:
                return
            await asyncio.sleep(_GLANCE_SECONDS)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stop by SIGINT and SIGTERM, and do not send them to this process once more, as uvicorn does.

        Signals are left to the caller if it says when to stop.
        """
        if self._is_stopped is not None or threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {number: signal.signal(number, self.handle_exit) for number in HANDLED_SIGNALS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, signal.SIG_IGN if self._captured_signals else handler)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002 - the signature of a handler
        """Stop in order; at the second signal without waiting for answers, at the third at once."""
        self._captured_signals.append(sig)
        self.should_exit = True
        self.force_exit = len(self._captured_signals) > 1
        if len(self._captured_signals) > 2:
            os._exit(128 + sig)
