"""Entries of a frontier count on disk, when they do not fit into memory.

A *run* is what the store held when it was full: all partitions, one after the other, without repetitions. When a layer
is used up, every partition is read back from all runs and merged, and the next layer is written to a file in its turn.
Whatever is read is read once, from front to back or a partition at a time; then the file goes.

The files belong to one process and end with it. So they need not survive anything, but every byte is compared with
its checksum when it is read (:mod:`backrank.tours.frontier.segments`), and so are the totals of runs and layers.
"""

from __future__ import annotations

import re
import shutil
import threading
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from backrank.tours.frontier.segments import Segment, SegmentFile, UInt64s, disk_named

FOLDER = "spill"  # inside the work folder
_RUN = re.compile(r"run-\d+\.(entries|npy)")  # .npy: of earlier versions


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
        with disk_named(self.path):
            self.path.mkdir(parents=True, exist_ok=True)
        self.clear()

    def free(self) -> int:
        """Return how many bytes are free on the disk."""
        return shutil.disk_usage(self.path).free

    def run(self, parts: Iterable[UInt64s], stride: int, total: int = 0) -> SpillFile:
        """Write the entries of all partitions, whose numbers of ways add up to `total`, to a file."""
        run = self.begun(stride)
        try:
            for part in parts:
                run.append(part)
            run.finish()
        except BaseException:
            run.remove()
            raise
        run.total = total
        return run

    def begun(self, stride: int) -> SpillFile:
        """Return a run that is still empty."""
        self._number += 1
        return SpillFile(self.path / f"run-{self._number}.entries", stride)

    def clear(self) -> None:
        """Remove the files of a count that was killed."""
        with disk_named(self.path):
            for path in self.path.iterdir():
                if is_run(path):
                    path.unlink(missing_ok=True)

    def close(self) -> None:
        """Remove the folder and the runs in it."""
        self.clear()
        with suppress(OSError):
            self.path.rmdir()


class SpillFile(SegmentFile):
    """Entries in a file, one segment for every partition, in the order in which they were appended.

    Parameters
    ----------
    path : Path
    stride : int
        Words of an entry.

    Attributes
    ----------
    total : int
        The sum of all numbers of ways.
    """

    def __init__(self, path: Path, stride: int) -> None:
        super().__init__(path, stride)
        self.total = 0
        self._lock = threading.Lock()
        with disk_named(path):
            self._stream = path.open("wb")

    def append(self, part: UInt64s) -> None:
        """Append a partition; threads may do so at the same time."""
        segment = Segment.of(part)
        with self._lock, disk_named(self.path):
            self._stream.write(part.data)
            self.segments.append(segment)
            self.offsets.append(self.offsets[-1] + part.size)

    def finish(self) -> None:
        """Write what is still buffered: then it can be read."""
        with disk_named(self.path):
            self._stream.close()

    def remove(self) -> None:
        """Remove the file."""
        with suppress(OSError):
            self._stream.close()
        self.path.unlink(missing_ok=True)


def is_run(path: Path) -> bool:
    """Whether a file has the name of a run."""
    return _RUN.fullmatch(path.name) is not None
