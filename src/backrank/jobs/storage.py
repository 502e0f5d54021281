"""The file below a ledger: which files are ledgers, how one is made, and what SQLite's troubles are called.

A file is looked at before SQLite gets to see it: the mark of a ledger and the version of its tables are at fixed places
in the first hundred bytes. So another application's file is never opened, let alone written to.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from backrank.jobs.problems import LedgerError

APPLICATION = 0x6272_6B6C  # "brkl"
SCHEMA = 1
_MAGIC = b"SQLite format 3\0"
_VERSION_AT, _APPLICATION_AT, _HEADER = 60, 68, 100
_TABLES = """
CREATE TABLE job (
    id TEXT PRIMARY KEY,
    key TEXT NOT NULL,
    spec TEXT NOT NULL,
    checksum TEXT NOT NULL,
    package TEXT NOT NULL,
    state TEXT NOT NULL,
    problem TEXT NOT NULL DEFAULT '',
    created REAL NOT NULL,
    changed REAL NOT NULL,
    beat REAL NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE TABLE unit (
    job TEXT NOT NULL REFERENCES job (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    result TEXT NOT NULL,
    residue INTEGER NOT NULL,
    checksum TEXT NOT NULL,
    calls INTEGER NOT NULL,
    seconds REAL NOT NULL,
    worker TEXT NOT NULL,
    recorded REAL NOT NULL,
    PRIMARY KEY (job, number)
) WITHOUT ROWID;
CREATE TABLE failure (
    job TEXT NOT NULL REFERENCES job (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    times INTEGER NOT NULL,
    error TEXT NOT NULL,
    PRIMARY KEY (job, number)
) WITHOUT ROWID;
"""
_WHY = {
    sqlite3.SQLITE_BUSY: "it is locked by another program; try again in a moment",
    sqlite3.SQLITE_LOCKED: "it is locked by another program; try again in a moment",
    sqlite3.SQLITE_FULL: "the disk is full; make room, and resume the job",
    sqlite3.SQLITE_READONLY: "it cannot be written to; change its permissions, or name another ledger",
    sqlite3.SQLITE_CANTOPEN: "it cannot be opened; name a ledger in a folder that can be written to",
    sqlite3.SQLITE_IOERR: "reading or writing it failed; look at the disk, and resume the job",
    sqlite3.SQLITE_CORRUPT: "it is damaged; it is left as it is, name another ledger to begin anew",
    sqlite3.SQLITE_NOTADB: "it is damaged; it is left as it is, name another ledger to begin anew",
}


@contextmanager
def told(path: Path) -> Iterator[None]:
    """Turn what SQLite complains about into one line.

    Raises
    ------
    LedgerError
        Saying which file, why, and what to do.
    """
    try:
        yield
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", None)
        why = _WHY.get(code & 0xFF if isinstance(code, int) else -1, str(error))
        raise LedgerError(f"the ledger {path}: {why}") from None


def opened(path: Path, *, busy_seconds: float) -> sqlite3.Connection:
    """Return a connection to a ledger, which is made if there is no file, or an empty one.

    Raises
    ------
    LedgerError
        If the file is not a ledger, one of a later version, or cannot be used. It has not been changed then.
    """
    _require_ours(path)
    with told(path):
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            why = (error.strerror or str(error)).lower()
            raise LedgerError(f"the ledger {path}: there is no folder for it ({why}); name another ledger") from None
        connection = sqlite3.connect(path, timeout=busy_seconds, isolation_level=None)
        try:
            _prepare(connection, path)
        except BaseException:
            connection.close()
            raise
    return connection


@contextmanager
def transaction(connection: sqlite3.Connection, path: Path) -> Iterator[None]:
    """All or nothing, on the disk when it is done."""
    with told(path):
        connection.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            if connection.in_transaction:  # a full disk may have ended it already
                connection.execute("ROLLBACK")
            raise
        try:
            connection.execute("COMMIT")
        except sqlite3.Error:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise


def _require_ours(path: Path) -> None:
    """Refuse a file that is not a ledger of ours, judging by its first bytes."""
    try:
        with path.open("rb") as file:
            header = file.read(_HEADER)
    except FileNotFoundError:
        return
    except OSError as error:
        raise LedgerError(f"the ledger {path} cannot be read: {(error.strerror or str(error)).lower()}") from None
    if not header:
        return
    application = int.from_bytes(header[_APPLICATION_AT:][:4], "big")
    version = int.from_bytes(header[_VERSION_AT:][:4], "big")
    if not header.startswith(_MAGIC) or len(header) < _HEADER or application != APPLICATION:
        kind = "another application's database" if header.startswith(_MAGIC) else "another kind of file"
        raise LedgerError(f"{path} is not a ledger of backrank but {kind}; it is left as it is, name another one")
    if version != SCHEMA:
        raise LedgerError(
            f"the ledger {path} was written by a newer backrank (its tables are of version {version}, this is "
            f"{SCHEMA}); it is left as it is: use that version, or name another ledger"
        )


def _prepare(connection: sqlite3.Connection, path: Path) -> None:
    """Make the tables if there are none, and set what holds for this connection only.

    The marks must be in the file itself, where they are looked for: so the tables are made before the file is switched
    to a write-ahead log.
    """
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA synchronous = FULL")
    if not _has_tables(connection):
        with transaction(connection, path):
            if not _has_tables(connection):  # nobody else has made them meanwhile
                for statement in _TABLES.split(";\n"):
                    connection.execute(statement)
                connection.execute(f"PRAGMA application_id = {APPLICATION}")
                connection.execute(f"PRAGMA user_version = {SCHEMA}")
    connection.execute("PRAGMA journal_mode = WAL")


def _has_tables(connection: sqlite3.Connection) -> bool:
    return connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'job'").fetchone() is not None
