"""Check that a Dask scheduler listens at an address, before Dask's client connects to it.

Dask's client trusts what listens: it reads eight bytes as the length of a message and allocates that much memory, and
it waits and tries again where the answer does not come. So one connection of our own comes first. Every wait on it has
a deadline, and no message longer than a limit is read.

A message of Dask's protocol is, all integers being 64-bit and little-endian::

    | length of the rest | number of frames n | n lengths | frame 0 | ... | frame n-1 |

Both sides begin with a message about themselves; then the client sends requests. The request `identity` tells a
scheduler from a worker.
"""

from __future__ import annotations

import pickle
import re
import socket
import ssl
import struct
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from importlib import import_module
from typing import Any

from backrank.jobs.errors import NoScheduler

GREETING_BYTES = 1 << 20
REPLY_BYTES = 1 << 28  # the identity of a scheduler lists its workers
MOST_FRAMES = 4096
RETRY_SECONDS = 0.1
_SHOWN_BYTES = 40
_PARTS = re.compile(r"(?:(?P<scheme>\w+)://)?(?:\[(?P<six>[^\]]+)\]|(?P<host>[^:]+)):(?P<port>\d+)")
_TLS_RECORD = re.compile(rb"[\x14-\x17]\x03[\x00-\x04]")
_REMEDY = "start one with 'dask scheduler', and give the address that it prints"


class _NotDask(Exception):
    """The bytes received are no message of Dask's protocol."""

    def __init__(self, received: bytes, *, closed: bool = False) -> None:
        super().__init__()
        self.received, self.closed = received, closed


def require_scheduler(address: str, seconds: float, context: ssl.SSLContext | None = None) -> None:
    """Raise NoScheduler unless a Dask scheduler answers at an address.

    Parameters
    ----------
    address : str
        Such as `tcp://host:8786`.
    seconds : float
        The most time that this takes. A connection that is refused is tried again during the first half, since the
        scheduler may be starting.
    context : ssl.SSLContext, optional
        For an address that begins with `tls://`.

    Raises
    ------
    NoScheduler
        Naming the address, and what was found there.
    """
    _Probe(address, seconds, context).check()


class _Probe:
    """One look at an address, with a deadline."""

    def __init__(self, address: str, seconds: float, context: ssl.SSLContext | None) -> None:
        parts = _PARTS.fullmatch(address)
        if parts is None:
            raise NoScheduler(f"{address!r} is not the address of a scheduler; write tcp://host:8786")
        self.address, self.context = address, context
        self.host, self.port = parts["six"] or parts["host"], int(parts["port"])
        self.patience = seconds / 2
        self.deadline = time.monotonic() + seconds

    def check(self) -> None:
        """Raise NoScheduler unless a scheduler answers."""
        places = self._resolved()
        with closing(self._connected(places)) as plain, self._secured(plain) as connection:
            try:
                self._message(connection, GREETING_BYTES, self._from_now(self.patience))
            except _NotDask as found:
                raise self._foreign(found, places) from None
            self._require_type(self._identity(connection))

    # --- connecting ------------------------------------------------------------------------------------

    def _resolved(self) -> list[Any]:
        """Return the socket addresses of the host; the resolver of the system has no deadline, so a thread waits."""
        found: list[Any] = []

        def resolve() -> None:
            with suppress(OSError, UnicodeError):
                found.extend(socket.getaddrinfo(self.host, self.port, type=socket.SOCK_STREAM))

        thread = threading.Thread(target=resolve, name="resolve", daemon=True)
        thread.start()
        thread.join(self.patience)
        if not found:
            raise NoScheduler(f"the host {self.host!r} of {self.address} is unknown; {_REMEDY}")
        return found

    def _connected(self, places: list[Any]) -> socket.socket:
        """Return a connection to the first place that accepts one; refusals are tried again for a while."""
        until = self._from_now(self.patience)
        while True:
            for family, kind, protocol, _, place in places:
                connection = socket.socket(family, kind, protocol)
                try:
                    connection.settimeout(max(0.01, until - time.monotonic()))
                    connection.connect(place)
                except OSError as error:
                    connection.close()
                    why = (error.strerror or str(error)).lower()
                else:
                    return connection
            if time.monotonic() + RETRY_SECONDS >= until:
                raise NoScheduler(f"no scheduler answers at {self.address} ({why}); {_REMEDY}")
            time.sleep(RETRY_SECONDS)

    @contextmanager
    def _secured(self, plain: socket.socket) -> Iterator[socket.socket]:
        if self.context is None:
            yield plain
            return
        plain.settimeout(self.patience)
        try:
            secured = self.context.wrap_socket(plain, server_hostname=self.host)
        except OSError as error:
            why = getattr(error, "reason", None) or error.strerror or str(error)
            raise NoScheduler(
                f"no TLS connection to {self.address} can be made ({why}); if the scheduler has no certificates, write "
                f"tcp://{self._place}"
            ) from None
        with secured:
            yield secured

    @property
    def _place(self) -> str:
        return self.address.partition("://")[2] or self.address

    def _from_now(self, seconds: float) -> float:
        return min(self.deadline, time.monotonic() + seconds)

    # --- messages --------------------------------------------------------------------------------------

    def _message(self, connection: socket.socket, most: int, until: float) -> dict[Any, Any]:
        """Return a message; raise `_NotDask` if the bytes are not one, are too many, or do not come in time."""
        received = bytearray()
        (length,) = struct.unpack("<Q", _received(connection, 8, until, received))
        if not 16 <= length <= most:
            # Some more of it tells a person what it is.
            with suppress(_NotDask):
                _received(connection, _SHOWN_BYTES, self._from_now(0.2), received)
            raise _NotDask(bytes(received))
        frames, lengths = _frames(_received(connection, length, until, received), received)
        if sum(lengths) > most:
            raise _NotDask(bytes(received))
        frames += [_received(connection, size, until, bytearray()) for size in lengths]
        try:
            message = import_module("distributed.protocol").loads(frames, deserialize=False)
        except Exception:  # whatever garbled bytes lead to
            raise _NotDask(bytes(received)) from None
        if not isinstance(message, dict):
            raise _NotDask(bytes(received))
        return message

    def _identity(self, connection: socket.socket) -> dict[str, Any]:
        """Return what the other side says that it is."""
        here = {"compression": None, "python": sys.version_info[:3], "pickle-protocol": pickle.HIGHEST_PROTOCOL}
        try:
            for message in (here, {"op": "identity", "reply": True}):
                connection.settimeout(max(0.01, self.deadline - time.monotonic()))
                connection.sendall(_packed(import_module("distributed.protocol").dumps(message)))
            return self._message(connection, REPLY_BYTES, self.deadline)
        except (OSError, _NotDask):
            raise NoScheduler(
                f"what listens at {self.address} greets as Dask does, but does not answer; {_REMEDY}"
            ) from None

    # --- what was found ----------------------------------------------------------------------------------

    def _require_type(self, identity: dict[str, Any]) -> None:
        kind = str(identity.get("type", "program"))
        if kind.endswith("Scheduler"):
            return
        scheduler = identity.get("scheduler")
        remedy = f"give that of its scheduler, {scheduler}" if isinstance(scheduler, str) else _REMEDY
        raise NoScheduler(f"{self.address} is the address of a Dask {kind.lower()}, not of a scheduler; {remedy}")

    def _foreign(self, found: _NotDask, places: list[Any]) -> NoScheduler:
        """Return the error for something other than Dask; if it is silent, see whether it is a web server."""
        received = found.received
        answer = received or (b"" if found.closed else self._answer_to_http(places))
        shown = _shown(answer)
        if answer.startswith(b"HTTP/"):
            return NoScheduler(
                f"a web server answers at {self.address} ({shown}), not a scheduler; give the address that 'dask "
                "scheduler' prints, which is not that of the dashboard"
            )
        if self.context is None and _TLS_RECORD.match(answer):
            return NoScheduler(f"what listens at {self.address} speaks TLS; write tls://{self._place}")
        silence = "closes connections at once" if found.closed else "accepts connections and sends nothing"
        if received:
            return NoScheduler(
                f"what listens at {self.address} does not speak Dask's protocol (it sent {shown}); {_REMEDY}"
            )
        return NoScheduler(f"no scheduler answers at {self.address} (it {silence}); {_REMEDY}")

    def _answer_to_http(self, places: list[Any]) -> bytes:
        """Return what a request for a web page is answered with, in the time that is left."""
        received = bytearray()
        with suppress(OSError, NoScheduler, _NotDask), closing(self._connected(places)) as connection:
            connection.settimeout(max(0.01, self.deadline - time.monotonic()))
            connection.sendall(b"HEAD / HTTP/1.0\r\n\r\n")
            _received(connection, _SHOWN_BYTES, self._from_now(self.patience / 2), received)
        return bytes(received)


def _received(connection: socket.socket, size: int, until: float, everything: bytearray) -> bytes:
    """Return the next `size` bytes, added to `everything` as well; raise `_NotDask` if they do not come in time."""
    part = bytearray()
    while len(part) < size:
        try:
            connection.settimeout(max(0.001, until - time.monotonic()))
            more = connection.recv(min(size - len(part), 1 << 16))
        except TimeoutError:
            raise _NotDask(bytes(everything)) from None
        except OSError:
            more = b""
        if not more or time.monotonic() > until:
            everything += more
            raise _NotDask(bytes(everything), closed=not more)
        part += more
        everything += more[:_SHOWN_BYTES]
    return bytes(part)


def _frames(body: bytes, received: bytearray) -> tuple[list[bytes], list[int]]:
    """Return the frames of a message, and the lengths of those that follow it."""
    (count,) = struct.unpack_from("<Q", body)
    start = 8 * (count + 1)
    if not 0 < count <= MOST_FRAMES or start > len(body):
        raise _NotDask(bytes(received))
    frames = list[bytes]()
    lengths = list(struct.unpack_from(f"<{count}Q", body, 8))
    while lengths and start + lengths[0] <= len(body):
        frames.append(body[start : start + lengths[0]])
        start += lengths.pop(0)
    if start != len(body):
        raise _NotDask(bytes(received))
    return frames, lengths


def _packed(frames: list[bytes]) -> bytes:
    body = b"".join(frames)
    head = struct.pack(f"<{len(frames) + 1}Q", len(frames), *map(len, frames))
    return struct.pack("<Q", len(head) + len(body)) + head + body


def _shown(received: bytes) -> str:
    r"""Return the beginning of what was received, in one line.

    Examples
    --------
    >>> _shown(b"SSH-2.0-OpenSSH_9.2\r\n"), _shown(b"\xff\xfe\x01")
    ("'SSH-2.0-OpenSSH_9.2'", 'bytes ff fe 01')
    """
    line = received.splitlines()[0][:_SHOWN_BYTES] if received.splitlines() else b""
    if line and line.isascii() and line.decode().isprintable():
        return repr(line.decode())
    return f"bytes {received[:8].hex(' ')}"
