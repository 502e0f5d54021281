"""The file below a ledger: which files are ledgers, how one is made, and what SQLite's troubles are called.

A file is looked at before SQLite gets to see it: the mark of a ledger and the version of its tables are at fixed places
in the first hundred bytes. So another application's file is never opened, let alone written to.

A ledger that is there and cannot be written to is opened for reading: by SQLite if it can, else as a copy in memory
(:mod:`backrank.jobs.copying`), so that no recorded unit is missed and nothing needs to be written.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from backrank.jobs import copying
from backrank.jobs.errors import LedgerError, LedgerUnwritable
from backrank.jobs.location import NAME
from backrank.jobs.rows import text

APPLICATION = 0x6272_6B6C  # "brkl"
SCHEMA = 2  # since 2, checksums cover whole rows; the tables are those of 1
FULL_BYTES = 1 << 16
_MAGIC = b"SQLite format 3\0"
_VERSION_AT, _APPLICATION_AT, _HEADER = 60, 68, 100
_LOOKS, _LOOK_SECONDS = 5, 0.01
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
_UNWRITABLE = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR}


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
    except (UnicodeError, OverflowError):  # an error of SQLite's that quotes a damaged file; a number out of range
        raise LedgerError(f"the ledger {path}: {_WHY[sqlite3.SQLITE_CORRUPT]}") from None
    except sqlite3.Error as error:
        kind = _kind(error, path)
        unknown = f"its tables are not those of a ledger, or damaged ({' '.join(str(error).split())})"
        raise (LedgerUnwritable if kind in _UNWRITABLE else LedgerError)(
            f"the ledger {path}: {_WHY.get(kind, unknown)}"
        ) from None


def _kind(error: sqlite3.Error, path: Path) -> int:
    code = getattr(error, "sqlite_errorcode", None)
    if not isinstance(code, int):  # not from SQLite itself: text that cannot be decoded, or a wrong type
        return sqlite3.SQLITE_CORRUPT if "decode" in str(error) else -1
    kind = code & 0xFF
    if kind == sqlite3.SQLITE_IOERR and _is_full(path):  # no room even for the index of the log
        return sqlite3.SQLITE_FULL
    return kind


def _is_full(path: Path) -> bool:
    try:
        return shutil.disk_usage(path.parent).free < FULL_BYTES
    except OSError:
        return False


def is_there(path: Path) -> bool:
    """Return whether there is a file.

    Raises
    ------
    LedgerError
        If that cannot be told.
    """
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except (OSError, ValueError) as error:
        raise LedgerError(f"the ledger {path} cannot be read: {_reason(error)}") from None
    return True


def _reason(error: OSError | ValueError) -> str:
    return (getattr(error, "strerror", None) or str(error)).lower()


def opened(path: Path, *, busy_seconds: float) -> tuple[sqlite3.Connection, LedgerUnwritable | None]:
    """Return a connection to a ledger, which is made if there is no file, or an empty one.

    Returns
    -------
    sqlite3.Connection
    LedgerUnwritable, optional
        Why the ledger can only be read, if that is so.

    Raises
    ------
    LedgerError
        If the file is not a ledger, one of a later version, or cannot be used. It has not been changed then.
    """
    _require_ours(path)
    try:
        return _writable(path, busy_seconds), None
    except LedgerUnwritable as error:
        if not is_there(path) or path.stat().st_size == 0:
            raise
        # There is a file, so it is not that it cannot be opened at all.
        why = str(error).replace(_WHY[sqlite3.SQLITE_CANTOPEN], _WHY[sqlite3.SQLITE_READONLY])
        return readable(path, busy_seconds), LedgerUnwritable(why)


def blank(path: Path) -> sqlite3.Connection:
    """Return a connection to an empty ledger in memory; `path` is the one that messages name."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.text_factory = text
    with told(path):
        _prepare(connection, path)
    return connection


def _writable(path: Path, busy_seconds: float) -> sqlite3.Connection:
    with told(path):
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            why = _reason(error)
            raise LedgerError(f"the ledger {path}: there is no folder for it ({why}); name another ledger") from None
        connection = sqlite3.connect(path, timeout=busy_seconds, isolation_level=None)
        connection.text_factory = text
        try:
            _prepare(connection, path)
            require_access(path)
        except BaseException:
            connection.close()
            raise
    return connection


def require_access(path: Path) -> None:
    """Raise LedgerUnwritable if the file is read-only: SQLite opens it all the same, and refuses the first change."""
    if not os.access(path, os.W_OK):
        raise LedgerUnwritable(f"the ledger {path}: {_WHY[sqlite3.SQLITE_READONLY]}")


def readable(path: Path, busy_seconds: float) -> sqlite3.Connection:
    """Return a connection to a database that cannot be written to, its log included.

    A read-only connection of SQLite's needs the index of the log, or a place for one; without, the file and its log
    are read into memory. A connection that ignores the log (`immutable`) would miss what was recorded last.

    Raises
    ------
    LedgerError
        If it cannot be read.
    """
    with told(path):
        with suppress(sqlite3.Error):
            connection = sqlite3.connect(_uri(path, "mode=ro"), uri=True, timeout=busy_seconds, isolation_level=None)
            connection.text_factory = text
            try:
                connection.execute("SELECT 1 FROM sqlite_schema").fetchone()
            except BaseException:
                connection.close()
                raise
            return connection
        try:
            connection = copying.copied(path)
        except OSError as error:
            raise LedgerError(f"the ledger {path} cannot be read: {_reason(error)}") from None
        connection.text_factory = text
        return connection


def _uri(path: Path, options: str) -> str:
    return f"{path.absolute().as_uri()}?{options}"


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
    if is_there(path) and path.is_dir():
        raise LedgerError(f"the ledger {path} is a folder; name a file in it, such as {path / NAME}")
    if not is_there(path) or path.stat().st_size == 0:
        return
    application, version = _marks(path)
    if application != APPLICATION:
        kind = "another kind of file" if application is None else "another application's database"
        raise LedgerError(f"{path} is not a ledger of backrank but {kind}; it is left as it is, name another one")
    if version < 1:
        raise LedgerError(f"the ledger {path}: {_WHY[sqlite3.SQLITE_CORRUPT]}")
    if version > SCHEMA:
        raise LedgerError(
            f"the ledger {path} was written by a newer backrank (its tables are of version {version}, this is "
            f"{SCHEMA}); it is left as it is: use that version, or name another ledger"
        )


def _marks(path: Path) -> tuple[int | None, int]:
    """Return whose database a file is, None if it is none, and the version of its tables.

    SQLite itself looks, without locks and without the log: a file that Python closes loses the locks that other
    connections of this process have on it. While another process is writing, what it sees may not fit together: then
    it looks again, and at last the first bytes decide.
    """
    for _ in range(_LOOKS):
        with (
            suppress(sqlite3.Error),
            closing(sqlite3.connect(_uri(path, "mode=ro&immutable=1"), uri=True)) as looking,
        ):
            (application,) = looking.execute("PRAGMA application_id").fetchone()
            (version,) = looking.execute("PRAGMA user_version").fetchone()
            if application == APPLICATION:
                return APPLICATION, int(version)
        time.sleep(_LOOK_SECONDS)
    try:
        with path.open("rb") as file:
            header = file.read(_HEADER)
    except OSError as error:
        raise LedgerError(f"the ledger {path} cannot be read: {_reason(error)}") from None
    if not header.startswith(_MAGIC) or len(header) < _HEADER:
        return None, 0
    return int.from_bytes(header[_APPLICATION_AT:][:4], "big"), int.from_bytes(header[_VERSION_AT:][:4], "big")


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
                if connection.execute("PRAGMA application_id").fetchone() != (0,):
                    raise LedgerError(f"the ledger {path}: {_WHY[sqlite3.SQLITE_CORRUPT]}")
                for statement in _TABLES.split(";\n"):
                    connection.execute(statement)
                connection.execute(f"PRAGMA application_id = {APPLICATION}")
                connection.execute(f"PRAGMA user_version = {SCHEMA}")
    connection.execute("PRAGMA journal_mode = WAL")
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version < SCHEMA:
        # Rows of the older version stay as they are; the number keeps older programs from taking new ones for damaged.
        with transaction(connection, path):
            connection.execute(f"PRAGMA user_version = {SCHEMA}")
        connection.execute("PRAGMA wal_checkpoint")


def _has_tables(connection: sqlite3.Connection) -> bool:
    return connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'job'").fetchone() is not None
