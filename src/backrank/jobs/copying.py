"""Copy a SQLite database and its write-ahead log into memory, where neither can be opened in place.

SQLite needs a shared index beside a database with a log, or a place to make one; on a read-only or full disk there may
be neither. Opening the database alone would give its state before the log, without an error. So the frames of the log
are applied here, up to the last one that ends a transaction, and the result is opened in memory: nothing is written.

The log is a header of 32 bytes and frames, each a header of 24 bytes and a page:

| bytes | header of the log | header of a frame |
|---|---|---|
| 0-3 | magic; its last bit is the byte order of checksums | number of the page |
| 4-7 | version of the format | pages of the database after a transaction, else 0 |
| 8-15 | size of a page, number of the checkpoint | salts, those of the log |
| 16-23 | salts | checksum of all frames so far |
| 24-31 | checksum of the first 24 bytes | |

References
----------
SQLite documentation, "Database File Format", section 4, "The Write-Ahead Log".
"""

from __future__ import annotations

import sqlite3
import struct
import time
from contextlib import closing
from pathlib import Path

LOOKS, LOOK_SECONDS = 20, 0.05
_MAGIC = 0x377F_0682  # with the last bit set if checksums are of big-endian words
_HEADER, _FRAME = 32, 24
_WORD = 0xFFFF_FFFF


def copied(path: Path) -> sqlite3.Connection:
    """Return a connection to a copy in memory, as of the last transaction; it cannot be changed.

    Raises
    ------
    sqlite3.Error, OSError
        If the file or its log cannot be read.
    """
    log_path = path.with_name(f"{path.name}-wal")
    for look in range(LOOKS):
        before = _stamp(path), _stamp(log_path)
        log = log_path.read_bytes() if before[1] is not None else b""
        database = _database(path)
        if (_stamp(path), _stamp(log_path)) == before or look == LOOKS - 1:
            break
        time.sleep(LOOK_SECONDS)  # another process writes, with rights that this one lacks
    content = bytearray(applied(database, log))
    content[18:20] = b"\x01\x01"  # no log: a database in memory has none
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.deserialize(bytes(content))
    connection.execute("PRAGMA query_only = ON")
    return connection


def _database(path: Path) -> bytes:
    # Not by Python's own functions: a file that they close loses the locks that this process has on it.
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True)) as connection:
        return connection.serialize()


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except FileNotFoundError:
        return None
    return status.st_size, status.st_mtime_ns


def applied(database: bytes, log: bytes) -> bytes:
    """Return the database with all whole transactions of its log."""
    if len(log) < _HEADER:
        return database
    magic, _, size, _, *salts, one, two = struct.unpack(">8I", log[:_HEADER])
    order = ">" if magic & 1 else "<"
    sums = _summed(log[: _HEADER - 8], order, (0, 0))
    if magic & ~1 != _MAGIC or sums != (one, two) or size < 512:
        return database
    pages: dict[int, bytes] = {}
    fresh: dict[int, bytes] = {}
    length = len(database)
    for at in range(_HEADER, len(log) - _FRAME - size + 1, _FRAME + size):
        number, total, *marks, one, two = struct.unpack(">6I", log[at : at + _FRAME])
        page = log[at + _FRAME : at + _FRAME + size]
        sums = _summed(page, order, _summed(log[at : at + 8], order, sums))
        if marks != salts or sums != (one, two):
            break
        fresh[number] = page
        if total:
            pages |= fresh
            fresh, length = {}, total * size
    content = bytearray(database[:length].ljust(length, b"\0"))
    for number, page in pages.items():
        if number * size <= length:
            content[(number - 1) * size : number * size] = page
    return bytes(content)


def _summed(data: bytes, order: str, sums: tuple[int, int]) -> tuple[int, int]:
    """Return the running checksum of the log after some more words."""
    one, two = sums
    for even, odd in struct.iter_unpack(f"{order}2I", data):
        one = (one + even + two) & _WORD
        two = (two + odd + one) & _WORD
    return one, two
