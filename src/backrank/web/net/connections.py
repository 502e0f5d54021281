"""Connections: how long each may keep a server waiting, and which of them goes when there are too many.

A connection that has a request in progress is kept. All others can be closed when a new one needs their place: first
those that have not yet sent a request that was let in (with a token, only those who know it send one), then those that
are idle between two requests, then those whose request is still arriving; the oldest first. So a client that asks
something is answered however many connections wait for nothing.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, cast

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from backrank.web import problems
from backrank.web.limits import Limits
from backrank.web.net.reports import report
from backrank.web.net.security import ADMITTED

# A connection is not closed for another one before this time: its request may be on the way.
GRACE_SECONDS = 0.1
# What a client must read of an answer within `Limits.unread_seconds`.
_STEP_BYTES = 16 * 1024
_BODY_GRACE_SECONDS = 1.0

NEW, IDLE, ARRIVING, BUSY = range(4)


class _Counted:
    """A transport that counts what is written to it."""

    def __init__(self, transport: asyncio.Transport) -> None:
        self._transport = transport
        self.written = 0

    def write(self, data: bytes) -> None:
        self.written += len(data)
        self._transport.write(data)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)


class Connection(H11Protocol):
    """One connection: uvicorn's, with a time until a request has arrived, and one until its answer is read."""

    def __init__(
        self, table: Connections, config: uvicorn.Config, server_state: ServerState, app_state: dict[str, Any]
    ) -> None:
        super().__init__(config, server_state, app_state)
        self._table = table
        self._due: float | None = None
        self._has_begun = self._was_admitted = False
        self._unread: tuple[int, float] | None = None
        self.since = self.loop.time()

    # --- what asyncio calls ---------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as uvicorn has it
        """Begin to wait for a request."""
        self._counted = _Counted(transport)
        super().connection_made(cast("asyncio.Transport", self._counted))
        self._due = self.loop.time() + self._table.limits.head_seconds
        self._table.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """Leave the table."""
        self._table.discard(self)
        with suppress(h11.ProtocolError):
            super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take in a piece of a request."""
        before = self.conn.their_state
        if before is h11.IDLE and self._due is None:
            self._due = self.loop.time() + self._table.limits.head_seconds
        self._has_begun = True
        try:
            super().data_received(data)
        except h11.ProtocolError:
            self.drop()
            return
        self._arrived(before)

    # --- what uvicorn calls ---------------------------------------------------------------------------

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        self._was_admitted = bool(self.scope.get(ADMITTED))
        self.since = self.loop.time()
        before = self.conn.their_state
        try:
            super().on_response_complete()
        except h11.ProtocolError:
            self.drop()
            return
        self._arrived(before)

    def send_400_response(self, msg: str) -> None:
        """Answer what is not HTTP, unless an answer has begun: then close the connection."""
        if self.is_busy:
            self.drop()
        else:
            super().send_400_response(msg)

    def shutdown(self) -> None:
        """Close the connection, at once or after the answer that is being sent."""
        try:
            super().shutdown()
        except h11.ProtocolError:
            self.drop()

    def timeout_keep_alive_handler(self) -> None:
        """Close a connection that has been idle for too long."""
        try:
            super().timeout_keep_alive_handler()
        except h11.ProtocolError:
            self.drop()

    # --- what the table asks --------------------------------------------------------------------------

    @property
    def is_busy(self) -> bool:
        """Whether a request is in progress or its answer is not yet sent."""
        is_answered = self.cycle is None or self.cycle.response_complete
        return not is_answered or self.transport.get_write_buffer_size() > 0

    @property
    def rank(self) -> int:
        """Which connections are closed before this one when there are too many: those of lower rank."""
        is_admitted = self._was_admitted or bool(self.scope and self.scope.get(ADMITTED))
        if not is_admitted:
            return NEW
        if self._due is not None:
            return ARRIVING
        return BUSY if self.is_busy else IDLE

    def drop(self) -> None:
        """Close the connection at once, whatever is being sent."""
        self._table.discard(self)
        if self.cycle is not None and not self.cycle.response_complete:
            self.cycle.disconnected = True  # the answer is not sent any further
            self.cycle.message_event.set()
        self.transport.abort()

    def check(self, now: float) -> None:
        """Close the connection if its request or the reading of its answer takes too long."""
        if self._due is not None and now >= self._due:
            self._expire()
        elif self._is_unread(now):
            self.drop()

    def _arrived(self, before: Any) -> None:
        """Set the time by which the rest of a request has to be there."""
        their, limits = self.conn.their_state, self._table.limits
        if their is h11.SEND_BODY:
            if before is not h11.SEND_BODY:
                # The app allows the same time, and answers; this is for what still comes after the answer.
                self._due = self.loop.time() + limits.body_seconds + _BODY_GRACE_SECONDS
        elif their is not h11.IDLE:
            self._due = None
        elif before is not h11.IDLE:
            self._has_begun = bool(self.conn.trailing_data[0])
            is_timed = self.timeout_keep_alive_task is not None and not self._has_begun
            self._due = None if is_timed else self.loop.time() + limits.head_seconds

    def _expire(self) -> None:
        """Close a connection whose request has not arrived in time; say why if some of it has."""
        self._due = None
        if self.is_busy or not self._has_begun or self.conn.our_state is not h11.IDLE:
            self.drop()
            return
        detail = f"the head of the request did not arrive within {self._table.limits.head_seconds:g} s"
        content = json.dumps(problems.problem("too-slow", detail)).encode()
        headers = [
            ("content-type", problems.MEDIA_TYPE),
            ("content-length", str(len(content))),
            ("connection", "close"),
        ]
        for event in (h11.Response(status_code=408, headers=headers), h11.Data(data=content), h11.EndOfMessage()):
            self.transport.write(self.conn.send(event) or b"")
        self.transport.close()

    def _is_unread(self, now: float) -> bool:
        """Return whether the client has read too little for too long."""
        waiting = self.transport.get_write_buffer_size()
        sent = self._counted.written - waiting
        if not waiting:
            self._unread = None
        elif self._unread is None or sent - self._unread[0] >= _STEP_BYTES:
            self._unread = sent, now
        return self._unread is not None and now - self._unread[1] >= self._table.limits.unread_seconds


class Connections:
    """All connections of a server, in the order in which they were made.

    Parameters
    ----------
    limits : Limits
    most : int
        How many there may be.
    """

    def __init__(self, limits: Limits, most: int) -> None:
        self.limits, self.most = limits, most
        self._all: dict[Connection, None] = {}

    def __len__(self) -> int:
        return len(self._all)

    def __iter__(self) -> Iterator[Connection]:
        return iter(list(self._all))

    def add(self, connection: Connection) -> None:
        """Take in a new connection."""
        self._all[connection] = None

    def discard(self, connection: Connection) -> None:
        """Take out a connection that is closed."""
        self._all.pop(connection, None)

    def check(self) -> None:
        """Close the connections that take too long."""
        now = asyncio.get_running_loop().time()
        for connection in self:
            try:
                connection.check(now)
            except Exception as error:  # a mistake about one connection must not end the server
                report(error, "a connection")
                connection.drop()

    async def make_room(self) -> bool:
        """Close connections without a request in progress until there is room for one more; return whether there is."""
        loop = asyncio.get_running_loop()
        while len(self) >= self.most:
            last = self._dispensable()
            if last is None:
                return False
            wait = last.since + GRACE_SECONDS - loop.time()
            if wait > 0:
                await asyncio.sleep(wait)
            else:
                last.drop()
        return True

    def relieve(self, number: int) -> int:
        """Close some connections without a request in progress; return how many there were."""
        for closed in range(number):
            if (last := self._dispensable()) is None:
                return closed
            last.drop()
        return number

    def _dispensable(self) -> Connection | None:
        """Return the connection to close first; None if all have a request in progress."""
        least = min(self._all, key=lambda each: (each.rank, each.since), default=None)
        return None if least is None or least.rank == BUSY else least
