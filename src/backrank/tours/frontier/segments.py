"""Files of entries in segments, each with a checksum that is compared whenever the segment is read.

What a count writes to disk and reads back decides its answer, and a disk may give back other bytes than it was given.
So every segment is hashed as it is written (XXH3, 128 bits: the 63 GB/s seen are far above the speed of any disk, where
BLAKE2b had 0.9 and CRC-32 4.2), and what is read is hashed again before it is used. The bytes are copied
first, never mapped: a mapped file could change between the comparison and the use.

The number of entries and the sum of their numbers of ways are compared as well (:class:`Recounted`): that finds a
segment that was left out or read twice, which has a good checksum.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import xxhash

from backrank.errors import BackrankError

UInt64s: TypeAlias = npt.NDArray[np.uint64]

WORD = 8  # bytes
READ = 1 << 18  # entries at a time, about


class DiskError(BackrankError):
    """The disk cannot be written to or read from."""


class DamagedFile(DiskError):
    """A file does not hold what was written to it."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(
            f"{path} is damaged: {why}. The count was stopped, since its answer would be wrong; check the disk, and "
            "run the same command again; with a work folder, it goes on from the last layer that was kept"
        )
        self.path, self.why = path, why

    def __reduce__(self) -> tuple[type[DamagedFile], tuple[Path, str]]:
        return type(self), (self.path, self.why)


@dataclass(frozen=True, slots=True)
class Segment:
    """A run of words in a file: how many there are, and their checksum."""

    words: int
    checksum: str

    @classmethod
    def of(cls, part: UInt64s) -> Segment:
        """Return the segment that an array becomes.

        Examples
        --------
        >>> Segment.of(np.arange(3, dtype=np.uint64))
        Segment(words=3, checksum='f27cc2aa51e865317fb6f0c094f81c5d')
        """
        return cls(part.size, xxhash.xxh3_128_hexdigest(part.data))


class SegmentFile:
    """A file of entries, in segments.

    Parameters
    ----------
    path : Path
    stride : int
        Words of an entry.
    segments : sequence of Segment
        In their order in the file.
    start : int
        Bytes before the first segment.
    """

    def __init__(self, path: Path, stride: int, segments: Sequence[Segment] = (), *, start: int = 0) -> None:
        self.path = path
        self.stride = stride
        self.segments = list(segments)
        self.offsets = list(accumulate((segment.words for segment in self.segments), initial=0))  # in words
        self.start = start

    @property
    def size(self) -> int:
        """How many entries there are."""
        return self.offsets[-1] // self.stride

    def read(self, number: int) -> UInt64s:
        """Return a segment by its number.

        Raises
        ------
        DamagedFile
            If it is not what was written, or cannot be read.
        """
        return self._read(number, number + 1)

    def __iter__(self) -> Iterator[UInt64s]:
        """Yield all entries, some segments at a time."""
        first, words = 0, READ * self.stride
        for number, offset in enumerate(self.offsets[1:], 1):
            if offset - self.offsets[first] >= words or number == len(self.segments):
                yield self._read(first, number)
                first = number

    def _read(self, first: int, last: int) -> UInt64s:
        """Return some segments that follow each other."""
        begin = self.offsets[first]
        words = np.empty(self.offsets[last] - begin, np.uint64)
        if not words.size:
            return words
        unread = words.view(np.uint8).data
        try:
            with self.path.open("rb", buffering=0) as stream:
                stream.seek(self.start + begin * WORD)
                while unread and (got := stream.readinto(unread)):
                    unread = unread[got:]
        except OSError as error:
            raise DamagedFile(self.path, f"it cannot be read ({(error.strerror or str(error)).lower()})") from None
        if unread:
            raise DamagedFile(self.path, f"it ends {len(unread):,} bytes too early")
        for number in range(first, last):
            part = words[self.offsets[number] - begin : self.offsets[number + 1] - begin]
            if Segment.of(part) != self.segments[number]:
                raise DamagedFile(self.path, f"the checksum of segment {number} differs")
        return words


class Recounted:
    """Entries as they are read, and what they add up to; the thread that iterates may change, but not overlap.

    Parameters
    ----------
    parts : SegmentFile
    words : int
        Of a state.
    """

    def __init__(self, parts: SegmentFile, words: int) -> None:
        self.size = self.total = 0
        self._file, self._words = parts, words

    def __iter__(self) -> Iterator[UInt64s]:
        for part in self._file:
            self.size += part.size // self._file.stride
            self.total += total_of(part, self._file.stride, self._words)
            yield part

    def require(self, size: int, total: int) -> None:
        """Raise DamagedFile unless all entries have been read, and their numbers of ways add up to the total."""
        if (self.size, self.total) != (size, total):
            raise DamagedFile(
                self._file.path,
                f"{size:,} entries with {total:,} ways were written, and {self.size:,} with {self.total:,} were read",
            )


def total_of(part: UInt64s, stride: int, words: int) -> int:
    """Return the sum of the numbers of ways of some entries."""
    from backrank.tours.frontier.blocks_jit import add_up  # noqa: PLC0415 - loads numba

    sums = np.zeros((stride - words, 2), np.uint64)
    add_up(part, stride, words, sums)
    return joined(sums)


def joined(sums: UInt64s) -> int:
    """Return the number that the sums of the lower and the upper halves of all limbs stand for.

    Parameters
    ----------
    sums : (limbs, 2) uint64, or (workers, limbs, 2)

    Examples
    --------
    >>> joined(np.array([[3, 1], [2, 0]], np.uint64)) == 3 + (1 << 32) + (2 << 64)
    True
    """
    halves = sums.astype(object)
    if sums.ndim == 3:
        halves = halves.sum(axis=0)
    return sum(int(low) + (int(high) << 32) << 64 * limb for limb, (low, high) in enumerate(halves))


@contextmanager
def disk_named(path: Path) -> Iterator[None]:
    """Raise DiskError, one line with the folder and the reason, for what the disk does not allow."""
    try:
        yield
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise DiskError(
            f"layers cannot be kept in {path.parent if path.suffix else path}: {why}; make room there, or choose "
            "another work folder. The same command goes on from the last layer that was kept"
        ) from None
