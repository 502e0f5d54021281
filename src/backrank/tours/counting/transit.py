"""From one layer of a frontier count to the next, by several threads: see :mod:`backrank.tours.counting.layers`."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import numpy.typing as npt

from backrank.errors import BoardTooLarge
from backrank.runtime.quantities import size_of
from backrank.tours.counting.spill import SpillFile, SpillFolder
from backrank.tours.frontier.segments import DamagedFile, joined
from backrank.tours.frontier.store import Chain, Chains, NoRoomError, Store

if TYPE_CHECKING:
    from backrank.tours.frontier.blocks_jit import BlockScratch, MergeScratch
    from backrank.tours.frontier.states_jit import Step

UInt64s: TypeAlias = npt.NDArray[np.uint64]

SMALL = 1 << 14  # states of a layer that one thread does alone
PARTITION = 1 << 12  # states of a layer for a partition, so that what is merged stays in the cache
MAX_PARTITIONS = 1 << 12  # chains that a thread writes to at a time
CHUNK = 1 << 14  # states between two looks at whether to stop
STORED = 1 << 13  # entries of a chain that is made of an array
BATCH = 1 << 11  # blocks that a thread takes at a time, at most
TIGHT = 16  # a store is full if not one of so many blocks is free when all repetitions are merged
_BEAT = 0.05  # seconds between two looks at the clock
_MANY = 32  # later neighbours and more that a square may be joined to
_MERGED = 8  # partitions at a time
_SPARE = 8  # blocks of a partition and thread, at least


class _Stopped(Exception):
    """Another thread has failed, or the work was called off."""


@dataclass(frozen=True, slots=True)
class Resources:
    """Who does the work, and what they may use.

    Attributes
    ----------
    threads : int
    pool : ThreadPoolExecutor
        With so many threads.
    beat : callable
        Told now and then, by the thread that started the work, how many states are done; raises to stop it.
    most : int, optional
        States that may be expanded; the beat raises when they are.
    modulus, memory : int
        See :class:`backrank.tours.counting.layers.Means`.
    spill : SpillFolder, optional
        Where what does not fit into memory goes.
    """

    threads: int
    pool: ThreadPoolExecutor
    beat: Callable[[int], None]
    most: int | None = None
    modulus: int = 0
    memory: int = 0
    spill: SpillFolder | None = None


@dataclass(frozen=True, slots=True)
class Arrays:
    """A layer that is not in the store yet.

    Attributes
    ----------
    size : int
        How many entries it has.
    parts : iterable of uint64
        Arrays of entries, each read when it is needed.
    """

    size: int
    parts: Iterable[UInt64s]


class _Source:
    """A layer as several threads use it up, a chain at a time."""

    def __init__(self, layer: Chains | Arrays, store: Store, most: int | None) -> None:
        self.size = layer.size
        self.taken = self._reserved = 0
        self.most = self.size if most is None else most
        self._chains = layer.waiting if isinstance(layer, Chains) else []
        self._unread = iter(layer.parts) if isinstance(layer, Arrays) else iter(())
        self._read: list[UInt64s] = []
        self._store = store
        self._lock = threading.Lock()

    @property
    def is_used_up(self) -> bool:
        """Whether there is nothing left."""
        return self.taken == self.size

    def take(self) -> Chain | None:
        """Return a chain, or None if there are no more, or no room for them."""
        with self._lock:
            if self._chains:
                return self._chains.pop()
            if not self._read:
                part = next(self._unread, np.empty(0, np.uint64))
                places = range(STORED * self._store.stride, part.size, STORED * self._store.stride)
                self._read = np.split(part, places)[::-1]
            try:
                chain = self._store.put(self._read[-1])
            except NoRoomError:
                return None
            self._read.pop()
            return chain if chain.size else None

    def give_back(self, chain: Chain) -> None:
        """Take back what there was no room for."""
        with self._lock:
            self._chains.append(chain)

    def reserve(self) -> int:
        """Return how many states may be expanded before the next look."""
        with self._lock:
            allowed = min(CHUNK, self.most - self._reserved)
            self._reserved += allowed
            return allowed

    def done(self, states: int, reserved: int) -> None:
        """Note that so many of those that were reserved have been expanded."""
        with self._lock:
            self.taken += states
            self._reserved -= reserved - states

    @property
    def is_at_its_limit(self) -> bool:
        """Whether no more states may be expanded."""
        return self.taken >= self.most


class Transit:
    """The way from one layer to the next.

    Parameters
    ----------
    step : Step
    layer : Chains or Arrays
        The layer; it is used up.
    store : Store
        Where the next one is made.
    words : int
        Of a state: 1, or 2 for states of more than 16 slots.
    resources : Crew
    """

    def __init__(self, step: Step, layer: Chains | Arrays, store: Store, words: int, resources: Resources) -> None:
        from backrank.tours.frontier.states_jit import blocks_needed  # noqa: PLC0415 - loads numba

        self.step = step
        self.store = store
        self.shape = (store.stride, words)
        self.source = _Source(layer, store, resources.most)
        self.resources = resources
        self.modulus = np.uint64(resources.modulus)
        self.needed = int(blocks_needed(step))
        self.workers = 1 if layer.size <= SMALL else resources.threads
        most = max(1, store.blocks // (_SPARE * self.workers))
        self.partitions = min(MAX_PARTITIONS, 1 + layer.size // PARTITION, most)
        self.heads = np.zeros((3, self.workers, self.partitions), np.uint64)
        self.workspaces = self._workspaces()
        self.runs: list[SpillFile] = []
        self.sums = np.zeros((self.workers, store.stride - words, 2), np.uint64)
        self.sizes = np.zeros(self.partitions, np.uint64)
        self.largest = 0
        self.scratch_bytes = 0
        self.stopped = False

    def _workspaces(self) -> list[BlockScratch]:
        loose = max(_MANY, self.step.later.size + 2)
        return [self.store.space(self.heads[:, worker], loose) for worker in range(self.workers)]

    def run(self) -> tuple[Chains | SpillFile, int]:
        """Return the next layer, and the sum of its numbers of ways."""
        while True:
            before = self.source.taken
            self._all(self._expand)
            self._merge_all()
            if self.source.is_used_up:
                break
            if self.store.free < self._tight() or self.source.taken == before:
                self._more_space()
        layer = self._joined() if self.runs else Chains(self.store, self._merged())
        return layer, joined(self.sums)

    def _tight(self) -> int:
        return max(self.store.blocks // TIGHT, 2 * self.workers * self.needed)

    def _merged(self) -> list[Chain]:
        """Return the chains of all partitions that hold anything."""
        heads = self.heads[0].max(axis=0)  # every partition belongs to one thread
        return [Chain(head, size) for head, size in zip(heads.tolist(), self.sizes.tolist(), strict=True) if head]

    # --- several threads ---------------------------------------------------------------------------

    def _all(self, work: Callable[[int], None]) -> None:
        """Let every worker do its share; if there are several, this thread looks after the clock."""
        try:
            if self.workers == 1:
                work(0)
            else:
                self._together(work)
        finally:
            for workspace in self.workspaces:
                self.store.collect(workspace)

    def _together(self, work: Callable[[int], None]) -> None:
        waiting: set[Future[None]] = {self.resources.pool.submit(work, worker) for worker in range(self.workers)}
        everyone = tuple(waiting)
        try:
            while waiting:
                done, waiting = wait(waiting, timeout=_BEAT, return_when=FIRST_EXCEPTION)
                if any(future.exception() for future in done):
                    break
                self.resources.beat(self.source.taken)
        finally:
            self.stopped = bool(waiting)
            wait(everyone)
        failures = [failure for future in everyone if (failure := future.exception())]
        for failure in sorted(failures, key=lambda each: isinstance(each, _Stopped)):
            raise failure

    def _check(self) -> None:
        """Stop if the others do; a lone worker looks after the clock itself."""
        if self.workers == 1:
            self.resources.beat(self.source.taken)
        elif self.stopped:
            raise _Stopped

    # --- their work --------------------------------------------------------------------------------

    def _expand(self, worker: int) -> None:
        from backrank.tours.frontier.states_jit import expand as narrow  # noqa: PLC0415 - loads numba
        from backrank.tours.frontier.wide_states_jit import expand_wide  # noqa: PLC0415

        expand = narrow if self.shape[1] == 1 else expand_wide
        workspace, source = self.workspaces[worker], self.source
        while (chain := source.take()) is not None:
            at, left = chain.beginning(), chain.size
            while left:
                allowed = source.reserve()
                done = expand(self.step, workspace, at, allowed, self.shape[0])
                source.done(done, allowed)
                left -= done
                if left and (source.is_at_its_limit or not self._supplied(workspace)):
                    source.give_back(Chain(int(at[0]), left))
                    self._check()
                    return
                self._check()

    def _supplied(self, workspace: BlockScratch) -> bool:
        """Get some more blocks, if need be; return whether there are enough."""
        if int(workspace.free[0]) < self.needed:
            self.store.supply(workspace, max(self.needed, min(BATCH, self.store.free // (4 * self.workers))))
        return int(workspace.free[0]) >= self.needed

    def _merge_all(self) -> None:
        from backrank.tours.frontier.blocks_jit import Heads, sizes  # noqa: PLC0415 - loads numba

        self.largest = sizes(Heads(*self.heads), self.sizes)
        self.sums[:] = 0
        self._turns = count(0, _MERGED)
        self._all(self._merge)
        sizes(Heads(*self.heads), self.sizes)

    def _merge(self, worker: int) -> None:
        from backrank.tours.frontier.blocks_jit import Heads, merge  # noqa: PLC0415 - loads numba

        scratch, heads = self._scratch(worker, self.largest), Heads(*self.heads)
        while (first := next(self._turns)) < self.partitions:
            span = (worker, first, min(first + _MERGED, self.partitions))
            merge(self.workspaces[worker], heads, span, self.shape, scratch, self.modulus)
            self._check()

    def _scratch(self, worker: int, entries: int) -> MergeScratch:
        """Return what so many entries can be merged on."""
        from backrank.tours.frontier.blocks_jit import MergeScratch  # noqa: PLC0415 - loads numba

        places = 1 << max(6, (2 * entries).bit_length())
        states = np.empty(entries * self.shape[0], np.uint64)
        self.scratch_bytes = max(self.scratch_bytes, self.workers * (4 * places + states.nbytes))
        return MergeScratch(np.empty(places, np.uint32), states, self.sums[worker], np.array([0.5]))

    # --- when the store is full --------------------------------------------------------------------

    def _more_space(self) -> None:
        """Make the store larger, if that is allowed; else let what it holds go to disk."""
        before, bytes_now = self.store.blocks, self.store.blocks * self.store.block_bytes
        if bytes_now * 5 // 4 <= self.resources.memory:
            self.store.grow(min(self.resources.memory, 2 * bytes_now))
        if self.store.blocks > before:
            self.workspaces = self._workspaces()
        elif self.resources.spill is not None and self._merged():
            self._spill(self.resources.spill)
        else:
            done = self.source.taken / max(self.source.size, 1)
            raise BoardTooLarge(
                f"counting these tours takes more than the {size_of(self.resources.memory)} of memory that are "
                "allowed: "
                f"{done:.0%} of a layer of {self.source.size:,} states have filled them"
            )

    def _spill(self, folder: SpillFolder) -> None:
        """Write what all partitions hold to disk."""
        chains = [Chain(*each) for each in zip(self.heads[0].max(axis=0).tolist(), self.sizes.tolist(), strict=True)]
        parts = (self.store.copied(chain) for chain in chains)
        self.runs.append(folder.run(parts, self.store.stride, joined(self.sums)))
        for chain in chains:
            self.store.let_go(chain)
        self.heads[:] = 0
        self.sizes[:] = 0

    def _joined(self) -> SpillFile:
        """Return the layer that all runs together are, on disk."""
        if self.resources.spill is None:
            raise AssertionError("runs are made in a folder")
        self._spill(self.resources.spill)
        self.sums[:] = 0
        layer = self.resources.spill.begun(self.store.stride)
        self._turns = count()
        try:
            self._all(lambda worker: self._join(worker, layer))
        except BaseException:
            layer.remove()
            raise
        layer.finish()
        layer.total = joined(self.sums)
        # Merging adds up numbers of ways, so the sum of them all stays; modulo a prime, its residue.
        written, found = sum(run.total for run in self.runs), layer.total
        if written - found and (not self.modulus or (written - found) % int(self.modulus)):
            raise DamagedFile(layer.path, f"runs with {written:,} ways were merged to a layer with {found:,}")
        for run in self.runs:
            run.remove()
        return layer

    def _join(self, worker: int, layer: SpillFile) -> None:
        from backrank.tours.frontier.blocks_jit import Heads, merge  # noqa: PLC0415 - loads numba

        workspace = self.workspaces[worker]
        while (partition := next(self._turns)) < self.partitions:
            # One run after the other, so that there need not be room for all of them.
            heads, sums = np.zeros((3, 2, 1), np.uint64), np.zeros_like(self.sums[worker])
            for run in self.runs:
                chain = self._put(run.read(partition))
                heads[:, 1, 0] = chain.heads()
                entries = chain.size + self.store.written(heads[:, 0, 0]).size
                scratch = self._scratch(worker, entries)._replace(sums=sums)
                sums[:] = 0
                merge(workspace, Heads(*heads), (0, 0, 1), self.shape, scratch, self.modulus)
                self.store.collect(workspace)
            self.sums[worker] += sums
            merged = self.store.written(heads[:, 0, 0])
            layer.append(self.store.copied(merged))
            self.store.let_go(merged)
            self._check()

    def _put(self, part: UInt64s) -> Chain:
        try:
            return self.store.put(part)
        except NoRoomError:
            raise BoardTooLarge(
                f"one of {self.partitions} parts of a layer does not fit into the {size_of(self.resources.memory)} of "
                "memory that are allowed: give it more"
            ) from None
