"""Keep the cursor of a long search in a file, so that it can go on after anything, `kill -9` included."""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from backrank.cli.output import OutputError, mode_for
from backrank.runtime.durable import sync_folder

if TYPE_CHECKING:
    from backrank.search import Cursor, Searchable

SECONDS_BETWEEN = 0.5


class SavedSearch:
    """A file that holds the cursor of one search: read at the beginning, replaced about twice a second.

    A file that is not a cursor, or one of another puzzle, is refused and never touched. The new content is written to
    another file, synced, and takes the place of the old one in one step: after a kill or a power cut at any moment the
    file holds a whole cursor.
    """

    def __init__(self, name: str, problem: Searchable) -> None:
        from backrank.search import read_cursor

        if not name.strip():
            raise OutputError("the name of the file to save in is empty; give one")
        self.path = Path(os.path.realpath(name))
        self.cursor: Cursor | None = None
        self._last = time.monotonic()
        if self.path.is_dir() or not self.path.parent.is_dir():
            raise OutputError(f"{name} is no file that could be written; name one in a folder that exists")
        if not self.path.exists():
            return
        try:
            text = self.path.read_bytes()
        except OSError as error:
            raise OutputError(f"cannot read {name}: {(error.strerror or str(error)).lower()}") from None
        try:
            self.cursor = read_cursor(text, space=problem)
        except ValueError as error:
            raise OutputError(f"{name}: {error}; it is left as it is, name another file to begin anew") from None

    def __enter__(self) -> Self:
        return self

    def watch(self, cursor: Cursor) -> None:
        """Take notice of a cursor; write it if the last one is old enough."""
        self.cursor = cursor
        if time.monotonic() - self._last >= SECONDS_BETWEEN:
            self._write()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._write()

    def _write(self) -> None:
        self._last = time.monotonic()
        if self.cursor is None:
            return
        try:
            with tempfile.NamedTemporaryFile(
                "w", encoding="utf-8", dir=self.path.parent, prefix=self.path.name + ".", suffix=".part", delete=False
            ) as file:
                file.write(self.cursor.to_json() + "\n")
                file.flush()
                os.fsync(file.fileno())
            part = Path(file.name)
            part.chmod(mode_for(self.path))
            part.replace(self.path)
            sync_folder(self.path.parent)
        except OSError as error:
            raise OutputError(f"cannot write {self.path}: {(error.strerror or str(error)).lower()}") from None
