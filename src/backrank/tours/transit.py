"""From one layer of a frontier count to the next, by several threads: see :mod:`backrank.tours.layers`."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import numpy.typing as npt

from backrank.errors import BoardTooLarge
from backrank.tours.outlook import size_of

if TYPE_CHECKING:
    from backrank.kernels.tour_frontier import Room, Step

UInt64s: TypeAlias = npt.NDArray[np.uint64]
_Chunk: TypeAlias = tuple[UInt64s, int, int]

CHUNK = 1 << 14  # states between two looks at whether to stop
SMALL = 1 << 15  # states of a layer that one thread does alone
PARTITION = 1 << 15  # states of a partition, so that its table stays in the cache
MAX_PARTITIONS = 1 << 12
LEAST_ROOM, MOST_ROOM = 1 << 12, 1 << 25  # entries of all buffers together
SUCCESSORS = 4  # about so many has a state
_BEAT = 0.05  # seconds between two looks at the clock
_OFTEN = 16  # partitions between two looks
_FIRST = 64  # places of a table
_GROWTH, _FULL, _EARLY = 1.6, 0.8, 0.2  # of a table; how full it may be; when its last size cannot be told yet
_MANY = 32  # later neighbours and more that a square may be joined to


class _Stopped(Exception):
    """Another thread has failed, or the work was called off."""


@dataclass(frozen=True, slots=True)
class Crew:
    """Who does the work.

    Attributes
    ----------
    threads : int
    pool : ThreadPoolExecutor
        With so many threads.
    beat : callable
        Told now and then, by the thread that started the work, how many states are done; raises to stop it.
    most : int, optional
        States that may be expanded; the beat raises when they are.
    """

    threads: int
    pool: ThreadPoolExecutor
    beat: Callable[[int], None]
    most: int | None = None


class _Source:
    """A layer as several threads use it up, a chunk at a time; what is used up is let go."""

    def __init__(self, parts: list[UInt64s], stride: int, most: int | None) -> None:
        self.parts = parts
        self.most = most
        self.stride = stride
        self.bytes = sum(part.nbytes for part in parts)
        self.size = sum(part.size for part in parts) // stride
        self.taken = 0
        self._chunks: deque[_Chunk] = deque()
        self._lock = threading.Lock()

    def __bool__(self) -> bool:
        return bool(self._chunks or self.parts)

    def take(self) -> _Chunk | None:
        """Return some states, or None if there are no more."""
        with self._lock:
            if not self._chunks and self.parts:
                part = self.parts.pop()
                size = part.size // self.stride
                self._chunks.extend((part, first, min(first + CHUNK, size)) for first in range(0, size, CHUNK))
                self.bytes -= part.nbytes
            if not self._chunks:
                return None
            part, first, last = self._chunks.popleft()
            if self.most is not None and last - first > self.most - self.taken:
                whole, last = last, first + self.most - self.taken
                self._chunks.appendleft((part, last, whole))
            self.taken += last - first
            return (part, first, last) if first < last else None

    def give_back(self, chunk: _Chunk) -> None:
        """Take back what there was no room for."""
        with self._lock:
            self._chunks.appendleft(chunk)
            self.taken -= chunk[2] - chunk[1]


class Transit:
    """The way from one layer to the next.

    Parameters
    ----------
    step : Step
    parts : list of uint64
        The layer; it is used up.
    shape : (int, int)
        The words of an entry, and how many of them are the state: 1, or 2 for states of more than 16 slots.
    crew : Crew
    modulus, memory : int
        See :class:`backrank.tours.layers.Means`.
    """

    def __init__(
        self, step: Step, parts: list[UInt64s], shape: tuple[int, int], crew: Crew, *, modulus: int = 0, memory: int
    ) -> None:
        self.step = step
        self.shape, self.stride = shape, shape[0]
        self.source = _Source(parts, self.stride, crew.most)
        self.crew = crew
        self.modulus = np.uint64(modulus)
        self.memory = memory
        size = self.source.size
        self.workers = 1 if size <= SMALL else crew.threads
        self.partitions = 1 if size <= SMALL else min(MAX_PARTITIONS, 2 * size // PARTITION + 4 * crew.threads)
        self.rooms = [self._room(size) for _ in range(self.workers)]
        self.room_bytes = sum(room.entries.nbytes for room in self.rooms)
        self.tables = [np.zeros(0, np.uint64)] * self.partitions
        self.used = np.zeros((self.partitions, 1), np.int64)
        self.sums = np.zeros((self.workers, self.stride - shape[1], 2), np.uint64)
        self.table_bytes = [0] * self.workers
        self.peak_bytes = 0
        self.stopped = False

    def _room(self, size: int) -> Room:
        from backrank.kernels.tour_frontier import Room  # noqa: PLC0415 - loads numba

        joins = self.step.later.size + 2
        least = self.partitions * (joins * joins + 512 // self.workers)
        entries = max(LEAST_ROOM, min(MOST_ROOM, SUCCESSORS * size) // self.workers, least)
        return Room(
            np.empty(entries * self.stride, np.uint64),
            np.zeros(self.partitions, np.int64),
            np.array([entries // self.partitions]),
            np.zeros((8, max(_MANY, joins)), np.uint64),
        )

    def run(self) -> tuple[list[UInt64s], int]:
        """Return the parts of the next layer, and the sum of its numbers of ways."""
        while self.source:
            for room in self.rooms:
                room.fill[:] = 0
            self._all(self._expand)
            self._all(self._merge)
        self.rooms = []
        self._all(self._squeeze)
        halves = [[int(half) for half in limb] for limb in self.sums.astype(object).sum(axis=0)]
        total = sum(low + (high << 32) << 64 * limb for limb, (low, high) in enumerate(halves))
        return [table for table in self.tables if table.size], total

    def _all(self, work: Callable[[int], None]) -> None:
        """Let every worker do its share; if there are several, this thread looks after the clock."""
        if self.workers == 1:
            work(0)
            return
        waiting: set[Future[None]] = {self.crew.pool.submit(work, worker) for worker in range(self.workers)}
        everyone = tuple(waiting)
        try:
            while waiting:
                done, waiting = wait(waiting, timeout=_BEAT, return_when=FIRST_EXCEPTION)
                if any(future.exception() for future in done):
                    break
                self.crew.beat(self.source.taken)
        finally:
            self.stopped = bool(waiting)
            wait(everyone)
        failures = [failure for future in everyone if (failure := future.exception())]
        for failure in sorted(failures, key=lambda each: isinstance(each, _Stopped)):
            raise failure

    def _check(self) -> None:
        """Stop if the others do; a lone worker looks after the clock itself."""
        if self.workers == 1:
            self.crew.beat(self.source.taken)
        elif self.stopped:
            raise _Stopped

    def _expand(self, worker: int) -> None:
        from backrank.kernels.tour_frontier import expand as narrow  # noqa: PLC0415 - loads numba
        from backrank.kernels.tour_frontier_wide import expand_wide  # noqa: PLC0415

        expand = narrow if self.shape[1] == 1 else expand_wide
        room = self.rooms[worker]
        while (chunk := self.source.take()) is not None:
            part, first, last = chunk
            reached = expand(self.step, part, first, last, self.stride, room)
            if reached < last:
                self.source.give_back((part, reached, last))
                return
            self._check()

    def _merge(self, worker: int) -> None:
        from backrank.kernels.tour_layers import merge  # noqa: PLC0415 - loads numba

        for partition in range(worker, self.partitions, self.workers):
            for room in self.rooms:
                first = partition * int(room.places[0])
                last = first + int(room.fill[partition])
                while first < last:
                    table, used = self.tables[partition], self.used[partition]
                    first = merge(room.entries, first, last, self.shape, table, used, self.modulus)
                    if first < last:
                        self.tables[partition] = self._larger(table, last - first, worker)
            if partition // self.workers % _OFTEN == 0:
                self._check()

    def _larger(self, table: UInt64s, more: int, worker: int) -> UInt64s:
        """Return a larger table with the same entries."""
        from backrank.kernels.tour_layers import rehash  # noqa: PLC0415 - loads numba

        old = table.size // self.stride
        places = max(_FIRST, int(old * _GROWTH) if old else more)
        share = self.source.taken / max(self.source.size, 1)
        if old and share > _EARLY:  # states only meet more often later: the rest brings fewer new ones
            places = min(places, max(int(old * 1.1) + 1, int(old / share * 1.05)))
        self._take(8 * self.stride * (places - old), worker)
        larger = np.zeros(places * self.stride, np.uint64)
        rehash(table, self.shape, larger)
        return larger

    def _take(self, more: int, worker: int) -> None:
        """Refuse to take more memory than is allowed."""
        self.table_bytes[worker] += more
        held = sum(self.table_bytes) + self.source.bytes + self.room_bytes
        self.peak_bytes = max(self.peak_bytes, held)
        if held > self.memory:
            done = self.source.taken / max(self.source.size, 1)
            raise BoardTooLarge(
                f"counting these tours takes more than the {size_of(self.memory)} of memory that are allowed: "
                f"{done:.0%} of a layer of {self.source.size:,} states have filled them"
            )

    def _squeeze(self, worker: int) -> None:
        from backrank.kernels.tour_layers import compact  # noqa: PLC0415 - loads numba

        for partition in range(worker, self.partitions, self.workers):
            table = self.tables[partition]
            kept = compact(table, self.shape, self.sums[worker])
            table.resize(kept * self.stride, refcheck=False)
            if partition // self.workers % _OFTEN == 0:
                self._check()
