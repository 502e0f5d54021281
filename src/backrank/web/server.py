"""Running the server: the socket, the address to open, and an orderly end."""

from __future__ import annotations

import secrets
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass

import uvicorn

from backrank.errors import BackrankError
from backrank.web.app import App, create_app
from backrank.web.keeping import Place
from backrank.web.limits import Limits
from backrank.web.security import LOOPBACK, Access

_KEEP_ALIVE_SECONDS = 30
_SHUTDOWN_SECONDS = 3


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
    """Serve until the process is told to stop.

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
    """
    app = create_app(where.access, limits, warm=warm, place=place)
    Server(app, started, is_stopped).run(sockets=[where.socket])


class Server(uvicorn.Server):
    """A server that says when it has started, and ends its event streams before it waits for the last answers."""

    def __init__(
        self,
        app: App,
        started: Callable[[], None] = lambda: None,
        is_stopped: Callable[[], bool] | None = None,
    ) -> None:
        config = uvicorn.Config(
            app,
            lifespan="on",
            log_level="warning",
            access_log=False,
            server_header=False,
            date_header=False,
            proxy_headers=False,
            ws="none",
            timeout_keep_alive=_KEEP_ALIVE_SECONDS,
            timeout_graceful_shutdown=_SHUTDOWN_SECONDS,
            h11_max_incomplete_event_size=128 * 1024,
        )
        super().__init__(config)
        self._app, self._when_started, self._is_stopped = app, started, is_stopped

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Handle the signals that end the process, unless the caller does."""
        with nullcontext() if self._is_stopped else super().capture_signals():
            yield

    async def on_tick(self, counter: int) -> bool:
        """Return whether to end."""
        return await super().on_tick(counter) or (self._is_stopped is not None and self._is_stopped())

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, and say so."""
        await super().startup(sockets)
        if self.started:
            self._when_started()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the streams, then everything else."""
        self._app.state.backrank.close_streams()
        await super().shutdown(sockets)
