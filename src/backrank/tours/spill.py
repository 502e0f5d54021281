"""Entries of a frontier count on disk, when they do not fit into memory.

A *run* is what the store held when it was full: all partitions, one after the other, without repetitions. When a layer
is used up, every partition is read back from all runs and merged, and the next layer is written to a file in its turn.
Whatever is read is read once, from front to back or a partition at a time; then the file goes.
"""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, TypeAlias

import numpy as np
import numpy.typing as npt

from backrank.errors import BackrankError

UInt64s: TypeAlias = npt.NDArray[np.uint64]

FOLDER = "spill"  # inside the work folder
_WORD = 8
_READ = 1 << 18  # entries at a time


class DiskError(BackrankError):
    """The disk cannot be written to or read from."""


class SpillFolder:
    """The folder for what does not fit, inside the work folder of a count.

    Parameters
    ----------
    work : Path
        The work folder.
    """

    def __init__(self, work: Path) -> None:
        self.path = work / FOLDER
        self._number = 0
        with disk_told(self.path):
            self.path.mkdir(parents=True, exist_ok=True)
        self.clear()

    def free(self) -> int:
        """Return how many bytes there are on the disk."""
        return shutil.disk_usage(self.path).free

    def run(self, parts: Iterable[UInt64s], stride: int) -> Run:
        """Write the entries of all partitions to a file."""
        run = self.begun(stride)
        for part in parts:
            run.append(part)
        run.finish()
        return run

    def begun(self, stride: int) -> Run:
        """Return a run that is still empty."""
        self._number += 1
        return Run(self.path / f"run-{self._number}.npy", stride)

    def clear(self) -> None:
        """Remove the files of a count that was killed."""
        with disk_told(self.path):
            for path in self.path.glob("run-*.npy"):
                path.unlink(missing_ok=True)

    def close(self) -> None:
        """Remove the folder; nothing is needed any more."""
        self.clear()
        with suppress(OSError):
            self.path.rmdir()


class Run:
    """Entries in a file, as a NumPy array: partition by partition as they were appended.

    Parameters
    ----------
    path : Path
    stride : int
        Words of an entry.
    """

    def __init__(self, path: Path, stride: int) -> None:
        self.path = path
        self.stride = stride
        self.offsets = [0]  # in words
        self._lock = threading.Lock()
        with disk_told(path):
            self._stream = path.open("wb")
            self._header(self._stream)

    @property
    def size(self) -> int:
        """How many entries there are."""
        return self.offsets[-1] // self.stride

    def _header(self, stream: BinaryIO) -> None:
        shape = (self.offsets[-1],)
        np.lib.format.write_array_header_1_0(stream, {"descr": "<u8", "fortran_order": False, "shape": shape})

    def append(self, part: UInt64s) -> None:
        """Append a partition; one thread at a time."""
        with self._lock, disk_told(self.path):
            self._stream.write(part.data)
            self.offsets.append(self.offsets[-1] + part.size)

    def finish(self) -> None:
        """Write down how long it is: then it can be read."""
        with disk_told(self.path):
            self._stream.seek(0)
            self._header(self._stream)
            self._stream.close()

    def read(self, partition: int) -> UInt64s:
        """Return the entries of a partition."""
        return self._read(self.offsets[partition], self.offsets[partition + 1])

    def _read(self, first: int, last: int) -> UInt64s:
        if first == last:
            return np.empty(0, np.uint64)
        with disk_told(self.path):
            return np.array(np.load(self.path, mmap_mode="r")[first:last])

    def __iter__(self) -> Iterator[UInt64s]:
        words = _READ * self.stride
        for first in range(0, self.offsets[-1], words):
            yield self._read(first, min(first + words, self.offsets[-1]))

    def remove(self) -> None:
        """Let it go."""
        with suppress(OSError):
            self._stream.close()
        self.path.unlink(missing_ok=True)


@contextmanager
def disk_told(path: Path) -> Iterator[None]:
    """Say in one line what the disk does not allow."""
    try:
        yield
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise DiskError(
            f"layers cannot be kept in {path.parent if path.suffix else path}: {why}; make room there, or choose "
            "another work folder. The same command goes on from the last layer that was kept"
        ) from None
