"""Compiled kernels on disk: checked before they are loaded, dropped when damaged, written atomically.

numba's own cache loads whatever its files hold: a cut file raises some error of `pickle` at every start, and a
byte changed in the machine code gives a wrong number without a word. So they are kept here in another form, one file
for each kernel and signature:

======  =================  ==========================================================
bytes   content
======  =================  ==========================================================
0-15    magic              `MAGIC`
16-47   digest             BLAKE2b of the identity and of the payload
48-     payload            what numba pickles of a compilation
======  =================  ==========================================================

The *identity* names the source of the kernel and of the kernels that it imports, the signature, the processor, and the
versions of everything concerned. It is no part of the file, so a file that is moved in place of another one
does not pass either, and a cache of other sources is never unpickled: its name differs.

Everything here that depends on numba beyond its public interface is the class :class:`CheckedCache`.
"""

from __future__ import annotations

import hashlib
import logging
import os
import pickle
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

import llvmlite  # type: ignore[import-untyped] # it has no types
import numba
from numba.core import caching, serialize

from backrank._version import __version__

LOGGER = logging.getLogger("backrank.kernels")
_dumps: Any = serialize.dumps  # not typed
MAGIC = b"backrank kernel\x01"
SUFFIX = ".kernel"
_PART = ".part"
_PART_SECONDS = 3600.0  # nothing is written for so long
_DIGEST = 32
_NAME = 16  # hexadecimal digits of a digest that go into the name of a file
_IMPORT = re.compile(r"^from ([\w.]+) import ", re.MULTILINE)
_VERSIONS = (__version__, numba.__version__, llvmlite.__version__, sys.version)


class _OwnFolder(caching.UserWideCacheLocator):
    """The cache folder of the user, unless there is no home: then numba would make a folder `~` where it stands."""

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> Any:
        """Return the locator, or None if nothing can be kept there."""
        is_there = Path(os.path.expanduser("~")).is_absolute()  # noqa: PTH111 - what numba does; Path.home() may raise
        found: Any = super().from_function(py_func, py_file) if is_there else None  # type: ignore[no-untyped-call] # numba
        return found


class _Placed(caching.CompileResultCacheImpl):
    """Where kernels are kept: NUMBA_CACHE_DIR, the `__pycache__` beside the source, or the folder of the user."""

    _locator_classes = [caching.UserProvidedCacheLocator, caching.InTreeCacheLocator, _OwnFolder]  # noqa: RUF012 - numba's


class CheckedCache(caching.FunctionCache):
    """The cache of one kernel. Whatever is wrong with it, the kernel is compiled.

    Parameters
    ----------
    py_func : function
    compiled : callable
        Called when a compilation is over and has been saved, if it can be.
    uncached : callable
        Called with the reason if it cannot be.

    Raises
    ------
    RuntimeError
        If there is no folder to write to.
    """

    _impl_class = _Placed

    def __init__(self, py_func: Any, compiled: Callable[[], None], uncached: Callable[[str], None]) -> None:
        super().__init__(py_func)  # type: ignore[no-untyped-call] # numba is not typed
        self._compiled, self._uncached = compiled, uncached
        source = Path(py_func.__code__.co_filename)
        name = f"{source.stem}.{py_func.__qualname__}.{sys.implementation.cache_tag}"
        self._base = re.sub(r"[^\w.-]", "", name) + "-"
        self._stamp = _digest(repr((stamp(source), py_func.__code__.co_firstlineno, _VERSIONS)).encode())
        self._folder = Path(self._impl.locator.get_cache_path())

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the compiled kernel for a signature; None if it is not there, or damaged."""
        target_context.refresh()
        if not self._enabled:
            return None
        path = self._folder
        try:
            path, identity = self._entry(sig, target_context.codegen())
            payload = read_checked(path, identity)
            return None if payload is None else self._impl.rebuild(target_context, pickle.loads(payload))  # noqa: S301 - checked
        except MemoryError:
            raise
        except Exception as error:  # numba, pickle and LLVM raise all kinds
            LOGGER.warning("the compiled kernel %s cannot be used (%s); it is compiled again", path, _words(error))
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Save a compilation; go on without a cache if that fails."""
        try:
            if self._enabled and self._impl.check_cachable(data):
                path, identity = self._entry(sig, data.codegen)
                self._impl.locator.ensure_cache_path()
                write_checked(path, identity, _dumps(self._impl.reduce(data)))
                self._drop_outdated()
        except Exception as error:  # a full disk, a folder in its place: the kernel itself is there
            self._uncached(f"{self._folder} cannot be written to ({_words(error)})")
        self._compiled()

    def flush(self) -> None:
        """Forget what is kept of this kernel."""
        for path in self._kept():
            path.unlink(missing_ok=True)

    def _entry(self, sig: Any, codegen: Any) -> tuple[Path, bytes]:
        """Return the file for a signature, and what its content must belong to."""
        index_key: Any = self._index_key  # not typed
        identity = repr((self._base, self._stamp, index_key(sig, codegen))).encode()
        return self._folder / f"{self._base}{self._stamp[:_NAME]}-{_digest(identity)[:_NAME]}{SUFFIX}", identity

    def _kept(self) -> Iterator[Path]:
        return (path for path in self._folder.iterdir() if path.name.startswith(self._base))

    def _drop_outdated(self) -> None:
        """Remove what was compiled from other sources or by other versions, and what a killed process has left."""
        for path in self._kept():
            is_other = path.suffix == SUFFIX and not path.name.startswith(self._base + self._stamp[:_NAME])
            with suppress(OSError):  # it may be gone already, or a folder
                if is_other or (path.suffix == _PART and time.time() - path.stat().st_mtime > _PART_SECONDS):
                    path.unlink()


class DamagedError(Exception):
    """A file of the cache is not what was written."""


def read_checked(path: Path, identity: bytes) -> bytes | None:
    """Return the payload of a file; None if there is no file.

    Raises
    ------
    DamagedError
        If the file is not what :func:`write_checked` wrote for this identity.
    OSError
        If it cannot be read.
    """
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return None
    head = len(MAGIC) + _DIGEST
    payload = memoryview(data)[head:]
    if data[:head] != MAGIC + _checksum(identity, payload):
        raise DamagedError("its checksum does not match")
    return bytes(payload)


def write_checked(path: Path, identity: bytes, payload: bytes) -> None:
    """Write a file whole or not at all; what stood there before is replaced.

    Raises
    ------
    OSError
        If it cannot be written; nothing is left behind.
    """
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name + ".", suffix=_PART)
    part = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(MAGIC + _checksum(identity, payload))
            file.write(payload)
            file.flush()
            os.fsync(file.fileno())  # or a power cut may leave the new name with no content
        part.chmod(0o644)  # an installation may be shared
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def stamp(source: Path) -> str:
    """Return a digest of a source file and of all files of its package that it imports from, directly or not.

    A compiled kernel contains the kernels and constants that it uses from other modules; numba looks at its own only.
    """
    top = source.parent
    while (top / "__init__.py").is_file():
        top = top.parent
    texts: dict[str, str] = {}
    waiting = [source]
    while waiting:
        path = waiting.pop()
        name = path.relative_to(top).as_posix()  # not where the package is installed
        if name in texts:
            continue
        state = path.stat()
        texts[name], imported = _read(path, state.st_mtime_ns, state.st_size)
        waiting += [
            found for module in imported if (found := top.joinpath(*module.split(".")).with_suffix(".py")).is_file()
        ]
    return _digest(repr(sorted(texts.items())).encode())


@lru_cache(maxsize=128)
def _read(path: Path, changed: int, size: int) -> tuple[str, tuple[str, ...]]:
    """Return a digest of a source file, and the names of the modules it imports from."""
    del changed, size  # they are part of what the result is kept for
    data = path.read_bytes()
    return _digest(data), tuple(_IMPORT.findall(data.decode("utf-8", errors="replace")))


def _words(error: BaseException) -> str:
    if isinstance(error, OSError) and error.strerror:
        return error.strerror.lower()
    return str(error) or type(error).__name__


def _checksum(identity: bytes, payload: bytes | memoryview) -> bytes:
    state = hashlib.blake2b(identity, digest_size=_DIGEST)
    state.update(payload)
    return state.digest()


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
