"""Where the entries of a frontier count are kept: one array of blocks, taken and given back, and no other memory.

Layers of hundreds of millions of entries come and go within seconds. Asking the system for their memory, and filling it
for the first time, took more time than the count itself (4 kB at a time, with two threads in each other's way). So
there is one array, as large as may ever be needed, of which only what has been used once is really there; and every
block that is given back is used again first.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from backrank.tours.frontier.blocks_jit import BlockScratch

UInt64s: TypeAlias = npt.NDArray[np.uint64]

BLOCK = 256  # entries; of the kernels
WORD = 8  # bytes
GATHERED = 1 << 18  # entries that are copied out at a time, about
_LEAST = 1 << 14  # entries that a store can hold


class Store:
    """Blocks of entries.

    Parameters
    ----------
    stride : int
        Words of an entry.
    most : int
        Bytes that the blocks may take at most; not taken before they are needed.
    """

    def __init__(self, stride: int, most: int) -> None:
        self.stride = stride
        self.block_bytes = BLOCK * stride * WORD
        blocks = max(most // self.block_bytes, _LEAST // BLOCK)
        while True:
            try:
                self.entries = np.empty(blocks * BLOCK * stride, np.uint64)
                break
            except MemoryError:  # the system promises less than what is free
                if blocks <= _LEAST // BLOCK:
                    raise
                blocks //= 2
        self.links = np.empty(blocks, np.uint64)
        self.blocks = blocks
        self._stack = np.empty(blocks, np.uint64)
        self._free = 0
        self._fresh = 1  # block 0 ends chains
        self._lock = threading.Lock()

    @property
    def free(self) -> int:
        """How many blocks are free."""
        return self._free + self.blocks - self._fresh

    @property
    def touched(self) -> int:
        """Bytes of the blocks that have been used at least once."""
        return self._fresh * self.block_bytes

    def take(self, count: int) -> UInt64s:
        """Return so many free blocks, or as many as there are."""
        with self._lock:
            old = min(count, self._free)
            self._free -= old
            taken = self._stack[self._free : self._free + old].copy()
            first = self._fresh
            self._fresh = min(first + count - old, self.blocks)
            fresh = np.arange(first, self._fresh, dtype=np.uint64)
        return np.concatenate([fresh[::-1], taken]) if fresh.size else taken

    def give(self, blocks: UInt64s) -> None:
        """Take blocks back."""
        with self._lock:
            self._stack[self._free : self._free + len(blocks)] = blocks
            self._free += len(blocks)

    def grow(self, most: int) -> None:
        """Make space for more blocks; what there is is copied."""
        other = Store(self.stride, most)
        if other.blocks <= self.blocks:
            return
        used = self._fresh * BLOCK * self.stride
        other.entries[:used] = self.entries[:used]
        other.links[: self._fresh] = self.links[: self._fresh]
        other._stack[: self._free] = self._stack[: self._free]
        self.entries, self.links, self._stack, self.blocks = other.entries, other.links, other._stack, other.blocks

    def space(self, heads: UInt64s, loose: int) -> BlockScratch:
        """Return space for a thread, without any blocks; its chains are kept in the three rows of `heads`."""
        from backrank.tours.frontier.blocks_jit import BlockScratch  # noqa: PLC0415 - loads numba

        spare, free = np.empty(self.blocks, np.uint64), np.zeros(1, np.uint64)
        head, cursor, full = heads
        return BlockScratch(self.entries, self.links, spare, free, head, cursor, full, np.zeros((8, loose), np.uint64))

    def supply(self, space: BlockScratch, count: int) -> None:
        """Put so many free blocks, or as many as there are, on the stack of a thread."""
        blocks, free = self.take(count), int(space.free[0])
        space.spare[free : free + len(blocks)] = blocks
        space.free[0] = free + len(blocks)

    def collect(self, space: BlockScratch) -> None:
        """Take back what is on the stack of a thread."""
        self.give(space.spare[: int(space.free[0])])
        space.free[0] = 0

    def put(self, values: UInt64s) -> Chain:
        """Copy entries into a chain; return it.

        Raises
        ------
        NoRoomError
            If there are not enough free blocks. None is taken then.
        """
        from backrank.tours.frontier.blocks_jit import scatter  # noqa: PLC0415 - loads numba

        count = values.size // self.stride
        blocks = self.take(-(-count // BLOCK))
        if len(blocks) * BLOCK < count:
            self.give(blocks)
            raise NoRoomError
        scatter(self.entries, self.links, blocks, values, self.stride)
        return Chain(int(blocks[-1]) if count else 0, count)

    @staticmethod
    def written(heads: UInt64s) -> Chain:
        """Return the chain that a thread has written, from its head, cursor, and full entries."""
        head, cursor, full = heads.tolist()
        return Chain(head, full + cursor - head * BLOCK if head else 0)

    def copied(self, chain: Chain) -> UInt64s:
        """Return the entries of a chain."""
        from backrank.tours.frontier.blocks_jit import gather  # noqa: PLC0415 - loads numba

        values = np.empty(chain.size * self.stride, np.uint64)
        gather(self.entries, self.links, np.uint64(chain.head), chain.size, self.stride, values)
        return values

    def let_go(self, chain: Chain) -> None:
        """Make the blocks of a chain free."""
        from backrank.tours.frontier.blocks_jit import walk  # noqa: PLC0415 - loads numba

        blocks = np.empty(-(-chain.size // BLOCK), np.uint64)
        walk(self.links, np.uint64(chain.head), blocks)
        self.give(blocks)


class NoRoomError(Exception):
    """There are not enough free blocks."""


@dataclass(frozen=True, slots=True)
class Chain:
    """A chain of blocks: its head, and how many entries it has."""

    head: int
    size: int

    def heads(self) -> tuple[int, int, int]:
        """Return its head, where the next entry would go, and how many entries the other blocks hold."""
        if not self.size:
            return 0, 0, 0
        inside = (self.size - 1) % BLOCK + 1
        return self.head, self.head * BLOCK + inside, self.size - inside

    def beginning(self) -> UInt64s:
        """Return its head and how many entries that has, for the kernels to go on from."""
        return np.array([self.head, (self.size - 1) % BLOCK + 1], np.uint64)


@dataclass(slots=True)
class Chains:
    """The entries of a layer in a store; iterating copies them out, some at a time.

    Attributes
    ----------
    store : Store
    waiting : list of Chain
        What has not been used up.
    """

    store: Store
    waiting: list[Chain]

    @property
    def size(self) -> int:
        """How many entries there are."""
        return sum(chain.size for chain in self.waiting)

    def __iter__(self) -> Iterator[UInt64s]:
        some: list[UInt64s] = []
        held = 0
        for chain in self.waiting:
            some.append(self.store.copied(chain))
            held += chain.size
            if held >= GATHERED:
                yield np.concatenate(some)
                some, held = [], 0
        if some:
            yield np.concatenate(some)
