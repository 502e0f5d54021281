"""What the page remembers of its counts, beside the ledger: question, progress, answer, and which job it is.

The ledger has the long counts only, and nothing of who began them. Here is a line for every count that was begun in
the page, short or long, so that all of them are there when the server starts again. Each has a checksum: the answers of
short counts are nowhere else.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from backrank.jobs import LedgerError, LedgerUnwritable
from backrank.jobs.rows import text
from backrank.jobs.spec import digest
from backrank.jobs.storage import is_there, readable, require_access, told, transaction

APPLICATION = 0x6272_706E  # "brpn"
VERSION = 2  # 1 had no checksums
_TABLE = "CREATE TABLE count (number INTEGER PRIMARY KEY AUTOINCREMENT, content TEXT NOT NULL, checksum TEXT)"


def notes_path(ledger: Path) -> Path:
    """Return the file that belongs to a ledger.

    Examples
    --------
    >>> notes_path(Path("ledger.sqlite")).name
    'ledger.sqlite-page'
    """
    return ledger.with_name(f"{ledger.name}-page")


class Notes:
    """A file of counts, each a JSON object under a number that is never used again; it belongs to one thread.

    A file that is there and cannot be written to is opened for reading; then `obstacle` is the error that every change
    raises.

    Raises
    ------
    LedgerError
        If it cannot be used; it is left as it is.

    Examples
    --------
    >>> notes = Notes(getfixture("tmp_path") / "ledger.sqlite")
    >>> notes.put(notes.add({"state": "waiting"}), {"state": "done"})
    >>> notes.all()
    {1: {'state': 'done'}}
    >>> notes.close()
    """

    def __init__(self, ledger: Path, *, busy_seconds: float = 10.0) -> None:
        self.path = notes_path(ledger)
        self.obstacle: LedgerUnwritable | None = None
        try:
            with told(self.path):
                self._connection = sqlite3.connect(self.path, timeout=busy_seconds, isolation_level=None)
                self._connection.text_factory = text
                try:
                    self._prepare()
                    require_access(self.path)
                except BaseException:
                    self._connection.close()
                    raise
        except LedgerUnwritable as error:
            self.obstacle = error
            self._connection = self._read_only(busy_seconds)
        with told(self.path):
            self._has_checksums = self._is_sealed()

    def _read_only(self, busy_seconds: float) -> sqlite3.Connection:
        """Return a connection that only reads: of the file, or of no counts if there is none."""
        if is_there(self.path) and self.path.stat().st_size:
            self._connection = readable(self.path, busy_seconds)
            with told(self.path):
                self._require_ours()
            return self._connection
        connection = sqlite3.connect(":memory:", isolation_level=None)
        connection.execute(_TABLE)
        return connection

    def _prepare(self) -> None:
        if self._number("application_id") == 0 and not self._has_tables():
            with transaction(self._connection, self.path):
                if not self._has_tables():  # nobody else has made it meanwhile
                    self._connection.execute(_TABLE)
                    self._connection.execute(f"PRAGMA application_id = {APPLICATION}")
                    self._connection.execute(f"PRAGMA user_version = {VERSION}")
        version = self._require_ours()
        self._connection.execute("PRAGMA synchronous = FULL")
        self._connection.execute("PRAGMA journal_mode = WAL")
        if version < VERSION or not self._is_sealed():
            self._seal()

    def _require_ours(self) -> int:
        if self._number("application_id") != APPLICATION:
            raise LedgerError(
                f"{self.path} is not a ledger of backrank but another application's database; it is left as it is, "
                "name another one"
            )
        if (version := self._number("user_version")) > VERSION:
            raise LedgerError(
                f"the ledger {self.path} was written by a newer backrank (its tables are of version {version}, this is "
                f"{VERSION}); it is left as it is: use that version, or name another ledger"
            )
        return version

    def _is_sealed(self) -> bool:
        return any(name == "checksum" for _, name, *_ in self._connection.execute("PRAGMA table_info(count)"))

    def _seal(self) -> None:
        """Give a file of version 1 its checksums."""
        with transaction(self._connection, self.path):
            if not self._is_sealed():
                self._connection.execute("ALTER TABLE count ADD COLUMN checksum TEXT")
                for number, content in self._connection.execute("SELECT number, content FROM count").fetchall():
                    if isinstance(content, str):
                        self._connection.execute(
                            "UPDATE count SET checksum = ? WHERE number = ?", (_checksum(number, content), number)
                        )
            self._connection.execute(f"PRAGMA user_version = {VERSION}")

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        if self.obstacle is not None:
            raise type(self.obstacle)(str(self.obstacle))
        with transaction(self._connection, self.path):
            yield

    def require_writable(self) -> None:
        """Raise LedgerError unless the file can be changed, and the disk has room."""
        with self._transaction():
            self._connection.execute(f"PRAGMA user_version = {VERSION}")

    def _number(self, name: str) -> int:
        return int(self._connection.execute(f"PRAGMA {name}").fetchone()[0])

    def _has_tables(self) -> bool:
        return self._connection.execute("SELECT 1 FROM sqlite_schema").fetchone() is not None

    def close(self) -> None:
        """Let the file go."""
        self._connection.close()

    def add(self, content: dict[str, Any]) -> int:
        """Note a count, and return its number."""
        with self._transaction():
            done = self._connection.execute("INSERT INTO count (content) VALUES ('{}')")
            number = int(done.lastrowid or 0)
            self._put(number, content)
        return number

    def put(self, number: int, content: dict[str, Any]) -> None:
        """Note what has become of a count; one that was removed meanwhile stays so."""
        with self._transaction():
            self._put(number, content)

    def _put(self, number: int, content: dict[str, Any]) -> None:
        line = json.dumps(content)
        self._connection.execute(
            "UPDATE count SET content = ?, checksum = ? WHERE number = ?", (line, _checksum(number, line), number)
        )

    def remove(self, number: int) -> None:
        """Forget a count."""
        with self._transaction():
            self._connection.execute("DELETE FROM count WHERE number = ?", (number,))

    def all(self) -> dict[int, dict[str, Any] | None]:
        """Return all counts, the oldest first; None for each that is damaged."""
        fields = "number, content, checksum" if self._has_checksums else "number, content, NULL"
        with told(self.path):
            rows = self._connection.execute(f"SELECT {fields} FROM count ORDER BY number").fetchall()  # noqa: S608 - fixed
        return {number: self._content(number, content, checksum) for number, content, checksum in rows}

    def _content(self, number: int, content: object, checksum: object) -> dict[str, Any] | None:
        if not isinstance(content, str) or (self._has_checksums and checksum != _checksum(number, content)):
            return None
        try:
            note = json.loads(content)
        except (ValueError, RecursionError):
            return None
        return note if isinstance(note, dict) else None


def _checksum(number: int, content: str) -> str:
    return digest(f"{number} {content}")
