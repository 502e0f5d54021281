"""The file below a ledger: which files are ledgers, how one is made, and what SQLite's troubles are called.

A file is looked at before SQLite gets to see it: the mark of a ledger and the version of its tables are at fixed places
in the first hundred bytes. So another application's file is never opened, let alone written to.
"""

from __future__ import annotations

import shutil
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from backrank.jobs.place import NAME
from backrank.jobs.problems import LedgerError

APPLICATION = 0x6272_6B6C  # "brkl"
SCHEMA = 1
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
    except UnicodeError:  # an error of SQLite's that quotes a damaged file
        raise LedgerError(f"the ledger {path}: {_WHY[sqlite3.SQLITE_CORRUPT]}") from None
    except sqlite3.Error as error:
        raise LedgerError(f"the ledger {path}: {_why(error, path)}") from None


def _why(error: sqlite3.Error, path: Path) -> str:
    code = getattr(error, "sqlite_errorcode", None)
    kind = code & 0xFF if isinstance(code, int) else None
    if kind == sqlite3.SQLITE_IOERR and _is_full(path):  # no room even for the index of the log
        kind = sqlite3.SQLITE_FULL
    if kind is None and "decode" in str(error):  # text that is none
        kind = sqlite3.SQLITE_CORRUPT
    return _WHY.get(-1 if kind is None else kind, f"its tables are not those of a ledger, or damaged ({error})")


def _is_full(path: Path) -> bool:
    try:
        return shutil.disk_usage(path.parent).free < FULL_BYTES
    except OSError:
        return False


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
    if path.is_dir():
        raise LedgerError(f"the ledger {path} is a folder; name a file in it, such as {path / NAME}")
    try:
        if path.stat().st_size == 0:
            return
    except FileNotFoundError:
        return
    except OSError as error:
        raise LedgerError(f"the ledger {path} cannot be read: {(error.strerror or str(error)).lower()}") from None
    application, version = _marks(path)
    if application != APPLICATION:
        kind = "another kind of file" if application is None else "another application's database"
        raise LedgerError(f"{path} is not a ledger of backrank but {kind}; it is left as it is, name another one")
    if version != SCHEMA:
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
    uri = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
    for _ in range(_LOOKS):
        with suppress(sqlite3.Error), closing(sqlite3.connect(uri, uri=True)) as looking:
            (application,) = looking.execute("PRAGMA application_id").fetchone()
            (version,) = looking.execute("PRAGMA user_version").fetchone()
            if application == APPLICATION:
                return APPLICATION, int(version)
        time.sleep(_LOOK_SECONDS)
    try:
        with path.open("rb") as file:
            header = file.read(_HEADER)
    except OSError as error:
        raise LedgerError(f"the ledger {path} cannot be read: {(error.strerror or str(error)).lower()}") from None
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


def _has_tables(connection: sqlite3.Connection) -> bool:
    return connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'job'").fetchone() is not None
