"""Counting tours layer by layer, compiled: the frontier count of boards that plain Python cannot reach.

The states are those of :mod:`backrank.tours.frontier.reference`: the degrees of the active squares, and which loose
ends belong to one piece of path. Here a state is one 64-bit word, four bits a slot
(:mod:`backrank.tours.frontier.states_jit`), and a layer is a heap of entries, state and number of ways. From one layer
to the next:

1. every thread takes some of the layer and writes all successors of their states down, in a chain of blocks for each
   partition of the hash values; blocks of the layer that are used up are written to again;
2. every partition is one thread's work: its chains are merged to one without repetitions, by a table so small that it
   stays in the cache;
3. if the memory is full before the layer is used up, what was written is merged all the same, and then again from 1. If
   it is full of different states, they go to disk (:mod:`backrank.tours.counting.spill`), or the count is refused.

So no thread ever waits for another within a step, and what comes out does not depend on how many there are.

*Symmetry.* If a mirror image of the net is given and the squares done are their own image, a state and its image have
equally many completions: the lesser of the two is kept, with the ways of both. With an order that takes every square
together with its image that halves all layers.

*Pruning.* A state is dropped if an active square, or one next to those, has too few ways left, or if the path has more
ends than it may. On boards that alternate colours, how many ends are of each is known before: a first end of the
wrong colour, or a second one of the same, is not even tried (a third of the states of 6×6, far more on odd boards).

*Exactness.* Numbers of ways have as many 64-bit limbs as the next layer can need. Different choices at one square
give its neighbours different degrees, hence different states; so a number of the next layer is a sum over different
states of this one, at most the sum of all of them, or twice that where images meet. That sum is taken of every layer,
as a Python int. Modulo a prime below 2^63 one limb is enough.

*Cost.* 0.1 to 0.2 µs a state and thread; 16 bytes for an entry of one limb, and about three entries for every state of
the largest layer. 7×8 closed has 15 million states in all, 2.7 million at once; 8×8 closed 848 million, 67 million at
once, in 3 GB.

*Roads not taken.* One large open-addressing table (a cache miss for every successor, and twice the memory while it
grows); a table for every partition that lives as long as the layer (8×8 spent most of its time on asking the system
for memory, filling it for the first time, and copying tables to larger ones: 1.4 µs a state); far ends as slots rather
than labels (six bits a slot: two words); sorting successors. Residues modulo several primes instead of limbs: several
counts instead of one, and a bound to be proved.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from backrank.errors import BoardTooLarge
from backrank.runtime.budget import Meter
from backrank.runtime.cpu import available_threads
from backrank.runtime.memory import available_bytes
from backrank.runtime.quantities import size_of
from backrank.tours.counting.spill import SpillFile, SpillFolder
from backrank.tours.counting.transit import Arrays, Resources, Transit
from backrank.tours.frontier.forecast import Forecast
from backrank.tours.frontier.segments import Recounted, SegmentFile
from backrank.tours.frontier.store import Chains, Store
from backrank.tours.frontier.transitions import NARROW, Net, Route, ends_by_class, steps_of, width_needed

UInt64s: TypeAlias = npt.NDArray[np.uint64]

SHARE = 0.9  # of the free memory, if no limit is given
DOUBT = 2.0  # how many times too much an estimate may be
AMPLE = 2.0  # how many times what is foreseen a store can hold at first
LEAST = 1 << 24  # bytes more
ADVICE = (
    "give it more memory, a work folder on a large disk, or a smaller or narrower board; or have their number estimated"
)
WHOLE = 1000  # what the depth of a meter goes up to


Parts: TypeAlias = list[UInt64s] | Chains | SegmentFile


@dataclass(slots=True)
class Layer:
    """All states after some steps.

    Attributes
    ----------
    depth : int
        How many squares are done.
    parts : list of (n * (words + limbs),) uint64, Chains, or SegmentFile
        Iterating yields arrays of entries: the complement of the state, then the limbs of its number of ways, the
        lowest first.
    limbs, words : int
        Of a number of ways, and of a state: 1, or 2 if it has more than 16 slots.
    total : int
        The sum of all numbers of ways.
    """

    depth: int
    parts: Parts
    limbs: int = 1
    total: int = 1
    words: int = 1

    @classmethod
    def first(cls, words: int = 1) -> Layer:
        """Return the layer before the first step: nothing is active, in one way."""
        return cls(0, [np.array([2**64 - 1] * words + [1], np.uint64)], words=words)

    @property
    def stride(self) -> int:
        """Words of an entry."""
        return self.words + self.limbs

    def __len__(self) -> int:
        if isinstance(self.parts, list):
            return sum(part.size for part in self.parts) // self.stride
        return self.parts.size

    def entries(self) -> dict[int, int]:
        """Return the number of ways of every state."""
        rows = [row for part in self.parts for row in part.reshape(-1, self.stride).tolist()]
        halves, most = range(self.words), 2**64 - 1
        return {
            sum((row[half] ^ most) << 64 * half for half in halves): sum(
                limb << 64 * place for place, limb in enumerate(row[self.words :])
            )
            for row in rows
        }


@dataclass(frozen=True, slots=True)
class Means:
    """What a count may use.

    Attributes
    ----------
    threads : int, optional
        As many as the process may use, if not given; the count does not depend on it.
    memory : int, optional
        Bytes that it may take; nine tenths of what is free, if not given.
    modulus : int
        Count modulo this, below 2^63; 0 for the number itself.
    spill : Path, optional
        A work folder for layers that do not fit into the memory; without one, such a count is refused.
    advice : str
        What would be right then.
    """

    threads: int | None = None
    memory: int | None = None
    modulus: int = 0
    spill: Path | None = None
    advice: str = ADVICE


def count(
    net: Net,
    route: Route,
    *,
    meter: Meter,
    means: Means | None = None,
    layer: Layer | None = None,
    watch: Callable[[Layer], None] | None = None,
) -> int:
    """Return the number of undirected Hamiltonian cycles of a net, or of its paths if it has ends.

    Parameters
    ----------
    net : Net
    route : Route
        The order takes up to 24 active squares; with more than 16, states are two words. The mirror image must be an
        involution that maps the net to itself.
    meter : Meter
        Its calls are the states that were expanded; its depth and total how much of the work is done, in thousandths,
        as the profile of the order foresees it.
    means : Means, optional
    layer : Layer, optional
        Where an earlier count of the same net by the same route was; it is used up.
    watch : callable, optional
        Handed every layer before the next step, to keep it; its arrays must not be changed.

    Raises
    ------
    BoardTooLarge
        If more squares are active than a state can hold, or it would take more memory than it may: as soon as that
        is foreseen, and at the latest before the memory is taken.
    BudgetExceeded
        If a limit was reached first.

    Examples
    --------
    >>> from backrank.geometry.board import Board
    >>> from backrank.runtime.budget import Budget
    >>> from backrank.geometry.pieces import move_graph
    >>> from backrank.tours.frontier.vertex_order import find_vertex_order
    >>> board = Board(6)
    >>> adjacency = move_graph(board).adjacency()
    >>> route = Route(tuple(find_vertex_order(adjacency)))
    >>> count(Net.of(adjacency, board), route, meter=Budget().start())
    9862
    """
    if len(net.near) < (2 if net.free or net.given else 3):
        return len(net.near) if net.free or net.given else 0
    if min(ends_by_class(net) or (0, 0)) < 0:
        return 0
    sweep = Sweep(net, route, meter, means or Means())
    with closing(sweep):
        layer = layer or Layer.first(sweep.words)
        while layer.depth < len(route.order) and len(layer):
            if watch is not None:
                watch(layer)
            layer = sweep.advanced(layer)
    return layer.entries().get(0, 0)


class Sweep:
    """A count on its way from layer to layer."""

    def __init__(self, net: Net, route: Route, meter: Meter, means: Means) -> None:
        self.steps = steps_of(net, route.order, route.mirror)
        self.words = 1 if width_needed(net, route.order) <= NARROW else 2
        self.meter = meter
        self.means = means
        self.threads = means.threads or available_threads()
        self.memory = int(available_bytes() * SHARE) if means.memory is None else means.memory
        self.outlook = Forecast.of(net, route.order, mirrored=route.mirror is not None)
        self.sizes: list[int] = []  # of the layers that were left
        self.peak_bytes = 0
        self._calls = meter.calls
        self._pool = ThreadPoolExecutor(self.threads)
        self._spill = None if means.spill is None else SpillFolder(means.spill)
        self._store: Store | None = None
        meter.total = WHOLE

    def close(self) -> None:
        """Let the threads go, and what is on disk."""
        self._pool.shutdown()
        if self._spill is not None:
            self._spill.close()

    def advanced(self, layer: Layer) -> Layer:
        """Return the next layer; this one is used up."""
        step, size, depth = self.steps[layer.depth], len(layer), layer.depth
        self._foresee(layer, size)
        limbs = layer.limbs
        if not self.means.modulus:
            most = layer.total * (2 if step.mirror.size else 1)
            limbs = max(limbs, (most.bit_length() + 63) // 64)
        recounted = Recounted(layer.parts, layer.words) if isinstance(layer.parts, SegmentFile) else None
        parts, store = self._stored(layer, limbs, recounted)
        self._beat(depth, 0, size)
        limit = self.meter.budget.calls
        resources = Resources(
            self.threads,
            self._pool,
            lambda taken: self._beat(depth, taken, size),
            None if limit is None else limit - self._calls,
            self.means.modulus,
            self.memory,
            self._spill,
        )
        transit = Transit(step, parts, store, layer.words, resources)
        following, total = transit.run()
        if recounted is not None:
            recounted.require(size, layer.total)
        if isinstance(layer.parts, SpillFile):
            layer.parts.remove()
        layer.parts = []
        self._calls += size
        self.meter.calls = self._calls
        self.sizes.append(size)
        self.peak_bytes = max(self.peak_bytes, store.touched + transit.scratch_bytes)
        return Layer(depth + 1, following, limbs, total, layer.words)

    def _stored(self, layer: Layer, limbs: int, recounted: Recounted | None) -> tuple[Chains | Arrays, Store]:
        """Return the entries of a layer with `limbs` limbs, and a store for the next one; make it if there is none."""
        parts, stride = recounted or layer.parts, layer.words + limbs
        if self._store is None or self._store.stride != stride:
            needed, _ = self.outlook.memory(layer.depth, len(layer), stride)
            self._store = Store(stride, min(self.memory, int(AMPLE * needed) + LEAST))
        if isinstance(parts, Chains) and limbs == layer.limbs:
            return parts, self._store
        entries = parts if limbs == layer.limbs else _widened(parts, layer.stride, stride)
        return Arrays(len(layer), entries), self._store

    def _foresee(self, layer: Layer, size: int) -> None:
        """Refuse what is not going to fit."""
        needed, states = self.outlook.memory(layer.depth, size, layer.stride)
        if needed <= self.memory * DOUBT:
            return
        seen = f"seen from {size:,} states at square {layer.depth}" if layer.depth else "foreseen from their order"
        why = f"for up to {states:.1e} states at once, {seen}, {max(self.outlook.widths)} squares being active"
        if self._spill is None:
            raise BoardTooLarge(
                f"counting these tours needs about {size_of(needed)} of memory {why}; {size_of(self.memory)} are "
                f"allowed: {self.means.advice}"
            )
        free = self._spill.free()
        if needed > free:
            raise BoardTooLarge(
                f"counting these tours needs about {size_of(needed)} of disk {why}; {size_of(free)} are free there: "
                "give it a work folder on a larger disk, or a smaller or narrower board"
            )

    def _beat(self, depth: int, taken: int, size: int) -> None:
        """Tell how far the work has come; stops it if it is to be."""
        done = self.outlook.done(depth, taken / max(size, 1))
        calls, limit = self._calls + taken, self.meter.budget.calls
        if limit is not None and taken == size > 0:
            calls = min(calls, limit - 1)  # it is the next state that would be too many
        self.meter.tick(calls, int(done * WHOLE))


def _widened(parts: Iterable[UInt64s], old: int, new: int) -> Iterator[UInt64s]:
    """Yield entries with more limbs."""
    for part in parts:
        wide = np.zeros((part.size // old, new), np.uint64)
        wide[:, :old] = part.reshape(-1, old)
        yield wide.reshape(-1)
