"""Where answers go: standard output, or a file that appears whole or not at all."""

from __future__ import annotations

import os
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from backrank.errors import BackrankError, one_line
from backrank.runtime.durable import sync_folder

_MOST_REMARKED = 10_000


class ReaderGoneError(Exception):
    """Whoever read standard output has seen enough, as `head` has; not an error, and nothing to complain about.

    Of its own kind because the library that runs the commands takes a broken pipe for a failure.
    """


class OutputError(BackrankError):
    """The answer cannot be written where it was to go."""


class Output:
    """Lines, or bytes, to standard output, or to a file by way of a `.part` file beside it.

    An existing file is replaced only with `force`, and keeps its mode; of a link, the file it leads to. A device or a
    pipe is written to as it is. If the work is interrupted after something has been written, the `.part` file
    stays and :attr:`kept` names it; the file itself is not touched.
    """

    def __init__(self, name: str | None, *, force: bool) -> None:
        if name is not None and not name.strip():
            raise OutputError("the name of the file to write is empty; give one, or - for standard output")
        self.path = None if name in (None, "-") else Path(os.path.realpath(str(name)))
        self.direct = self.path is not None and _is_special(self.path)
        self.force = force
        self.kept: Path | None = None
        self._file: IO[bytes] | None = None
        if self.path is not None:
            self._refuse(self.path)

    def _refuse(self, path: Path) -> None:
        """Refuse, before any work is done, what cannot end well."""
        if path.is_dir():
            raise OutputError(f"{path} is a folder; name a file in it")
        if self.direct:
            return
        if os.path.lexists(path) and not self.force:
            raise OutputError(f"{path} exists; --force replaces it")
        if not path.parent.is_dir():
            raise OutputError(f"there is no folder {path.parent}; make it first, or name another file")
        if not os.access(path.parent, os.W_OK):
            raise OutputError(f"the folder {path.parent} cannot be written to; name a file elsewhere")

    def __enter__(self) -> Self:
        return self

    @property
    def on_terminal(self) -> bool:
        """Whether somebody at a terminal gets to see what is written."""
        return self.path is None and sys.stdout.isatty()

    def require_no_terminal(self, what: str, example: str) -> None:
        """Refuse to write bytes that mean nothing to a person to a terminal."""
        if self.on_terminal:
            raise OutputError(f"{what} is not for a terminal; write it to a file with -o {example}")

    def write(self, text: str) -> None:
        """Write a piece of text and an end of line."""
        if self.path is not None:
            self.write_bytes((text + "\n").encode())
            return
        try:
            sys.stdout.write(text + "\n")
        except BrokenPipeError:
            raise ReaderGoneError from None

    def write_bytes(self, data: bytes | memoryview) -> None:
        """Write bytes as they are, all of them."""
        if self.path is None:
            try:
                sys.stdout.flush()
                sys.stdout.buffer.write(data)
            except BrokenPipeError:
                raise ReaderGoneError from None
            return
        try:
            if self._file is None:
                self._file = self._opened(self.path)
            self._file.write(data)
        except OSError as error:
            raise OutputError(f"cannot write {self.path}: {(error.strerror or str(error)).lower()}") from None

    def as_file(self) -> _Bytes:
        """Return what other code can write bytes to, as to a file."""
        return _Bytes(self)

    def _opened(self, path: Path) -> IO[bytes]:
        """Open what is written to: the file itself if it is special, else the `.part` file beside it."""
        if self.direct:
            return path.open("wb")
        return tempfile.NamedTemporaryFile(  # closed in __exit__, which may rename it
            "wb", dir=path.parent, prefix=path.name + ".", suffix=".part", delete=False
        )

    def _flush(self) -> None:
        try:
            sys.stdout.flush()
        except BrokenPipeError:
            raise ReaderGoneError from None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is None or self.path is None:
            if kind is None:
                self._flush()
            return
        part = Path(self._file.name)
        try:
            if kind is None and not self.direct:
                self._file.flush()
                os.fsync(self._file.fileno())  # or a power cut may leave the new name with no content
            self._file.close()
            if self.direct:
                return
            if kind is not None:
                self.kept = part
                return
            if self.path.exists() and not self.force:
                self.kept = part
                raise OutputError(f"{self.path} has appeared meanwhile; the answer is in {part}")
            part.chmod(mode_for(self.path))
            part.replace(self.path)
            sync_folder(self.path.parent)
        except OSError as failure:
            self.kept = part
            with suppress(OSError):
                self._file.close()
            raise OutputError(f"cannot write {self.path}: {(failure.strerror or str(failure)).lower()}") from None


class _Bytes:
    """The face of a binary file for an :class:`Output`."""

    def __init__(self, sink: Output) -> None:
        self._sink = sink

    def write(self, data: bytes | memoryview) -> int:
        """Write bytes, all of them."""
        self._sink.write_bytes(data)
        return len(data)


def _is_special(path: Path) -> bool:
    """Whether something stands there that is neither a file nor a folder."""
    return path.exists() and not path.is_file() and not path.is_dir()


def mode_for(path: Path) -> int:
    """Return the mode that a file has, or that a new one would get."""
    return path.stat().st_mode & 0o7777 if path.exists() else 0o666 & ~_umask()


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def remark(text: str, *, quiet: bool = False) -> None:
    """Print one line to standard error: for people, never for programs."""
    if not quiet:
        with suppress(OSError):  # a remark that nobody can read must not spoil the answer
            sys.stderr.write(one_line(text, _MOST_REMARKED) + "\n")
