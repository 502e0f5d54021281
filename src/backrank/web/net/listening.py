"""The listening socket: takes connections in one after the other, as many as there is room for."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Callable
from contextlib import suppress

from backrank.web import problems
from backrank.web.net.connections import Connections
from backrank.web.net.reports import LOGGER, report

BACKLOG = 512
_SEND_BYTES = 128 * 1024
_PAUSE_SECONDS, _CLOSING_SECONDS = 0.1, 0.01
_RELIEVED = 8
_REFUSALS = 16
_REFUSAL_SECONDS = 1.0


class Listener:
    """One listening socket and the task that accepts from it.

    asyncio's own server accepts all that is waiting before it looks at any of it, and when descriptors run out it
    writes a traceback for every try. This one makes room before it hands a connection on.

    Parameters
    ----------
    bound : socket.socket
    connections : Connections
    protocol : callable
        Returns the protocol of a new connection.
    """

    def __init__(
        self, bound: socket.socket, connections: Connections, protocol: Callable[[], asyncio.Protocol]
    ) -> None:
        self._socket, self._connections, self._protocol = bound, connections, protocol
        self._refusals: set[asyncio.Task[None]] = set()
        bound.setblocking(False)
        # Without a limit the kernel keeps megabytes for a client that reads nothing, and tells late that it reads.
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _SEND_BYTES)
        bound.listen(BACKLOG)
        self._task = asyncio.create_task(self._accept())

    def close(self) -> None:
        """Accept nothing more."""
        self._task.cancel()
        for refusal in self._refusals:
            refusal.cancel()

    async def wait_closed(self) -> None:
        """Wait until nothing is being accepted, and close the socket."""
        await asyncio.wait({self._task, *self._refusals})
        self._socket.close()

    async def _accept(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                accepted, _ = await loop.sock_accept(self._socket)
            except OSError as error:
                await self._recover(error)
                continue
            try:
                if await self._connections.make_room():
                    await loop.connect_accepted_socket(self._protocol, accepted)
                else:
                    self._refuse(accepted)
            except Exception as error:  # a mistake about one connection must not end the listening
                accepted.close()
                report(error, "accepting a connection")
            except BaseException:
                accepted.close()
                raise

    async def _recover(self, error: OSError) -> None:
        """Pause after an error of `accept`, so that one that stays does not keep the loop busy; make room if needed."""
        is_relieved = True  # other errors come from clients that left before they were accepted
        if error.errno in problems.EXHAUSTED:
            LOGGER.error("out of file descriptors or memory; idle connections are closed")
            is_relieved = bool(self._connections.relieve(_RELIEVED))
        await asyncio.sleep(_CLOSING_SECONDS if is_relieved else _PAUSE_SECONDS)

    def _refuse(self, accepted: socket.socket) -> None:
        """Answer that the server is busy; close without an answer if many are being answered so already."""
        if len(self._refusals) >= _REFUSALS:
            accepted.close()
            return
        refusal = asyncio.create_task(_refused(accepted))
        self._refusals.add(refusal)
        refusal.add_done_callback(self._refusals.discard)


async def _refused(accepted: socket.socket) -> None:
    """Send a short answer, and read until the client has closed: else the answer might be lost."""
    loop = asyncio.get_running_loop()
    content = json.dumps(problems.problem("busy", "too many connections at once; try again in a moment"))
    head = (
        "HTTP/1.1 503 Service Unavailable\r\n"
        f"Content-Type: {problems.MEDIA_TYPE}\r\nContent-Length: {len(content)}\r\n"
        "Retry-After: 2\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n"
    )
    with accepted, suppress(OSError, TimeoutError):
        async with asyncio.timeout(_REFUSAL_SECONDS):
            await loop.sock_sendall(accepted, (head + content).encode())
            accepted.shutdown(socket.SHUT_WR)
            while await loop.sock_recv(accepted, 65_536):
                pass
