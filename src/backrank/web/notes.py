"""What the page remembers of its counts, beside the ledger: question, progress, answer, and which job it is.

The ledger has the long counts only, and nothing of who began them. Here is a line for every count that was begun in
the page, short or long, so that all of them are there when the server starts again.
"""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

from backrank.jobs import LedgerError
from backrank.jobs.storage import told, transaction

APPLICATION = 0x6272_706E  # "brpn"
VERSION = 1
_TABLE = "CREATE TABLE count (number INTEGER PRIMARY KEY AUTOINCREMENT, content TEXT NOT NULL)"


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
        with told(self.path):
            self._connection = sqlite3.connect(self.path, timeout=busy_seconds, isolation_level=None)
            try:
                self._prepare()
            except BaseException:
                self._connection.close()
                raise

    def _prepare(self) -> None:
        if self._number("application_id") == 0 and not self._has_tables():
            with transaction(self._connection, self.path):
                if not self._has_tables():  # nobody else has made it meanwhile
                    self._connection.execute(_TABLE)
                    self._connection.execute(f"PRAGMA application_id = {APPLICATION}")
                    self._connection.execute(f"PRAGMA user_version = {VERSION}")
        if self._number("application_id") != APPLICATION:
            raise LedgerError(
                f"{self.path} is not a ledger of backrank but another application's database; it is left as it is, "
                "name another one"
            )
        if (version := self._number("user_version")) != VERSION:
            raise LedgerError(
                f"the ledger {self.path} was written by a newer backrank (its tables are of version {version}, this is "
                f"{VERSION}); it is left as it is: use that version, or name another ledger"
            )
        self._connection.execute("PRAGMA synchronous = FULL")
        self._connection.execute("PRAGMA journal_mode = WAL")

    def _number(self, name: str) -> int:
        return int(self._connection.execute(f"PRAGMA {name}").fetchone()[0])

    def _has_tables(self) -> bool:
        return self._connection.execute("SELECT 1 FROM sqlite_schema").fetchone() is not None

    def close(self) -> None:
        """Let the file go."""
        self._connection.close()

    def add(self, content: dict[str, Any]) -> int:
        """Note a count, and return its number."""
        with transaction(self._connection, self.path):
            done = self._connection.execute("INSERT INTO count (content) VALUES (?)", (json.dumps(content),))
        return int(done.lastrowid or 0)

    def put(self, number: int, content: dict[str, Any]) -> None:
        """Note what has become of a count; one that was removed meanwhile stays so."""
        with transaction(self._connection, self.path):
            self._connection.execute("UPDATE count SET content = ? WHERE number = ?", (json.dumps(content), number))

    def remove(self, number: int) -> None:
        """Forget a count."""
        with transaction(self._connection, self.path):
            self._connection.execute("DELETE FROM count WHERE number = ?", (number,))

    def all(self) -> dict[int, dict[str, Any]]:
        """Return all counts, the oldest first.

        Raises
        ------
        LedgerError
            If something else has written to the file.
        """
        with told(self.path):
            rows = self._connection.execute("SELECT number, content FROM count ORDER BY number").fetchall()
        try:
            return {number: dict(json.loads(content)) for number, content in rows}
        except (TypeError, ValueError):
            raise LedgerError(
                f"the ledger {self.path}: it is damaged; it is left as it is, name another ledger to begin anew"
            ) from None
