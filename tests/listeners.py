"""Things that listen on loopback and are no Dask scheduler."""

from __future__ import annotations

import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

SILENT = b""
SSH = b"SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n"
HUGE = struct.pack("<Q", 1 << 40)  # Dask reads it as the length of a message
SMALL = struct.pack("<Q", 24) + bytes(range(24))  # a length that can be, and nothing that can be read
RANDOM = bytes.fromhex("9c1f3ad2778e01b4c5aa90e1f2")
BAD_REQUEST = b"HTTP/1.0 400 Bad request\r\nServer: x\r\n\r\n"


@contextmanager
def listening(greeting: bytes, *, closes: bool = False, answer: bytes = b"") -> Iterator[str]:
    """Listen, greet each connection, and answer what it sends first; the address.

    Parameters
    ----------
    greeting : bytes
    closes : bool
        Close each connection after the greeting.
    answer : bytes
        Sent when something has been received; then the connection is closed.
    """
    server = socket.create_server(("127.0.0.1", 0))
    open_: list[socket.socket] = []

    def serve(connection: socket.socket) -> None:
        with suppress(OSError):
            connection.sendall(greeting)
            if answer and connection.recv(1000):
                connection.sendall(answer)
        if closes or answer:
            connection.close()

    def accept() -> None:
        with suppress(OSError):
            while True:
                connection, _ = server.accept()
                open_.append(connection)
                threading.Thread(target=serve, args=(connection,), daemon=True).start()

    thread = threading.Thread(target=accept, daemon=True)
    thread.start()
    try:
        yield f"tcp://127.0.0.1:{server.getsockname()[1]}"
    finally:
        server.shutdown(socket.SHUT_RDWR)
        server.close()
        thread.join()
        for connection in open_:
            connection.close()


@contextmanager
def full() -> Iterator[str]:
    """Listen, accept nothing, and have the queue of connections full; the address."""
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen(0)
        waiting = [socket.socket() for _ in range(4)]
        for each in waiting:
            each.setblocking(False)
            with suppress(BlockingIOError):
                each.connect(server.getsockname())
        try:
            yield f"tcp://127.0.0.1:{server.getsockname()[1]}"
        finally:
            for each in waiting:
                each.close()


def unused() -> str:
    """Return an address at which nothing listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return f"tcp://127.0.0.1:{taken.getsockname()[1]}"
