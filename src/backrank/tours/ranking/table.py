"""All tours of a net as the ways through a table: the layers of a frontier count, kept, with what they lead to.

A frontier count (:mod:`backrank.tours.counting.layers`) merges states and forgets where they came from. Here the
successors of every state are kept, each with its *mark*: which of the moves to later squares the square of the step has
chosen. A tour is then a way from the one state at the beginning to the one at the end, and its moves are the marks on
the way. Backwards, the number of ways from a state on is the sum of those of its successors: its *completions*. Where
there are none the state is taken out. What is left numbers all tours: those that go on by the first successor have the
first numbers, those by the second the next, and so on, successors being sorted by their marks; a number leads down the
layers, and so does a tour. No number depends on how the kernels arrange things, but all depend on the order of squares.

The mark of a successor is read off the two states: a later neighbour was chosen if its degree has grown. That takes
nothing but the slots of those neighbours (:class:`backrank.tours.frontier.states_jit.Step`) and what four bits mean.

*Exactness.* Completions have as many limbs of 32 bits as the largest of their layer needs. A sum of limbs is taken in
64 bits, over fewer than 2^31 successors, and carried on: nothing can overflow, however large the numbers are.

*Cost.* Half a microsecond a state, half of it for sorting, on one thread. Bytes: about 8 for a state (where its
successors begin, and 4 for every limb), 5 for each of its successors, of which there are 1.3 to 1.9; three times as
much while the table is made. 6×6 open: 96,000 states that have completions, 2 MB, 0.05 s; 7×8 closed: 29 million, 650
MB, 1.9 GB while it is made. What would not fit is refused, before it is begun or as soon as the layers tell.

*Roads not taken.* Merging mirror images halves the states, but then every successor must tell whether it is one, and
the sample must be turned back; the orders without images are often cheaper than half. Recomputing successors instead
of keeping them: a sample of 6×6 would take a hundred times as long. Tables on disk: nobody has asked for boards that
need them, and 8×8 closed, by estimate, would take tens of GB.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from backrank.errors import BoardTooLarge, InvalidPuzzle
from backrank.runtime.budget import Meter
from backrank.runtime.memory import available_bytes
from backrank.runtime.quantities import size_of
from backrank.tours.frontier.forecast import TELLING, Forecast
from backrank.tours.frontier.successors import first_states, successors
from backrank.tours.frontier.transitions import MAX_WIDTH, NARROW, Net, ends_by_class, steps_of, width_needed

if TYPE_CHECKING:
    from backrank.tours.frontier.states_jit import Step

Array: TypeAlias = npt.NDArray[Any]

SHARE = 0.9  # of the free memory, if no limit is given
DOUBT = 2.0  # how many times too much an estimate may be
STATE_BYTES = 40.0  # of a state with its successors, while a table is made
GROWN = 1.6  # bytes while completions are counted, for each that was taken before
EDGE_BYTES = 96  # of a successor while its layer is being merged
WHOLE = 1000  # what the depth of a meter goes up to
_CHUNK = 1 << 18  # states expanded at a time
_LITTLE = 10**8  # bytes that are there
_LIMB = np.uint64(32)
_LOW = np.uint64(2**32 - 1)
_DEGREES = np.array([0, 2, *[1] * 14], np.int8)  # by the four bits of a slot


@dataclass(frozen=True, slots=True)
class Turn:
    """The square of a step, and its later neighbours: bit i of a mark is the i-th of these."""

    square: int
    later: tuple[int, ...]

    def chosen(self, mark: int) -> list[int]:
        """Return the later neighbours of a mark."""
        return [other for place, other in enumerate(self.later) if mark >> place & 1]

    def mark(self, wanted: Collection[int]) -> int:
        """Return the mark of those later neighbours that are wanted."""
        return sum(1 << place for place, other in enumerate(self.later) if other in wanted)


@dataclass(frozen=True, slots=True)
class _Layer:
    """The states before a step, those without completions left out.

    Attributes
    ----------
    heads : (n + 1,) int64
        Where the successors of each state begin.
    targets, marks : (m,)
        Of each successor its place in the next layer, and its mark.
    counts : (n, limbs) uint32
        The completions of each state, the lowest limb first.
    """

    heads: Array
    targets: Array
    marks: Array
    counts: Array

    def count(self, state: int) -> int:
        """Return the completions of a state."""
        return int.from_bytes(self.counts[state].tobytes(), "little")

    def successors(self, state: int) -> Iterator[tuple[int, int]]:
        """Yield the targets and marks of the successors of a state."""
        first, last = self.heads[state : state + 2].tolist()
        return zip(self.targets[first:last].tolist(), self.marks[first:last].tolist(), strict=True)


@dataclass(frozen=True, slots=True)
class TourTable:
    """All undirected cycles of a net, or all its paths if it has ends, by number.

    Attributes
    ----------
    turns : tuple of Turn
        One for each step.
    layers : tuple
        Their states; empty if there is no tour.
    """

    turns: tuple[Turn, ...]
    layers: tuple[_Layer, ...]

    @classmethod
    def made(
        cls, net: Net, order: Sequence[int], meter: Meter, *, memory: int | None = None, marked: int | None = None
    ) -> TourTable:
        """Make the table.

        Parameters
        ----------
        net : Net
            At least three squares for cycles, two for paths.
        order : sequence of int
            Its squares in the order of their turns.
        meter : Meter
            Its calls are the states that were expanded; its depth goes up to `WHOLE` if its total is that.
        memory : int, optional
            Bytes that the table may take; nine tenths of what is free, if not given.
        marked : int, optional
            After so many steps no marks are kept: for whoever wants the first moves only.

        Raises
        ------
        BoardTooLarge
            If it would take too much memory, or too many squares are active at once.
        BudgetExceeded
            If a limit was reached first.

        Examples
        --------
        >>> from backrank.geometry.board import Board
        >>> from backrank.runtime.budget import Budget
        >>> from backrank.geometry.pieces import move_graph
        >>> board = Board(5, 6)
        >>> table = TourTable.made(Net.of(move_graph(board).adjacency(), board), range(30), Budget().start())
        >>> table.count, table.number(dict(table.moves(5)))
        (8, 5)
        """
        turns = _turns(net, order)
        if min(ends_by_class(net) or (0, 0)) < 0:
            return cls(turns, ())
        if (needed := width_needed(net, order)) > MAX_WIDTH:
            raise BoardTooLarge(
                f"in the best order found, {needed} squares are active at once; tours are numbered, and drawn, with up "
                f"to {MAX_WIDTH}: choose a smaller or narrower board"
            )
        making = _Making(net, turns, meter, memory, len(turns) if marked is None else marked)
        return cls(turns, making.made(steps_of(net, order), 1 if needed <= NARROW else 2))

    @property
    def count(self) -> int:
        """How many tours there are."""
        return self.layers[0].count(0) if self.layers else 0

    @property
    def states(self) -> int:
        """How many states have completions, in all layers together."""
        return sum(len(layer.counts) for layer in self.layers)

    @property
    def bytes(self) -> int:
        """How many bytes it takes."""
        arrays = (array for each in self.layers for array in (each.heads, each.targets, each.marks, each.counts))
        return sum(array.nbytes for array in arrays)

    def moves(self, number: int) -> Iterator[tuple[int, list[int]]]:
        """Yield for every square in turn the later ones that it is joined to, in the tour of a number below `count`."""
        state = 0
        for depth, turn in enumerate(self.turns):
            for target, mark in self.layers[depth].successors(state):
                ways = self._count(depth + 1, target)
                if number < ways:
                    yield turn.square, turn.chosen(mark)
                    state = target
                    break
                number -= ways

    def number(self, joined: Mapping[int, Collection[int]]) -> int:
        """Return the number of a tour, given as the squares next to every square, or the later ones of them.

        Raises
        ------
        InvalidPuzzle
            If it is none of these tours.
        """
        number = state = 0
        for depth, turn in enumerate(self.turns[: len(self.layers)]):
            wanted = turn.mark(joined[turn.square])
            for target, mark in self.layers[depth].successors(state):
                if mark == wanted:
                    state = target
                    break
                number += self._count(depth + 1, target)
            else:
                break
        else:
            if self.layers:
                return number
        raise InvalidPuzzle("this is not one of the tours that are numbered")

    def first_moves(self) -> dict[int, int]:
        """Return for every later neighbour of the first square how many tours join the two."""
        found = dict.fromkeys(self.turns[0].later, 0)
        if self.layers:
            for target, mark in self.layers[0].successors(0):
                for other in self.turns[0].chosen(mark):
                    found[other] += self._count(1, target)
        return found

    def _count(self, depth: int, state: int) -> int:
        return self.layers[depth].count(state) if depth < len(self.layers) else 1


def _turns(net: Net, order: Sequence[int]) -> tuple[Turn, ...]:
    left, turns = set(order), []
    for square in order:
        left.remove(square)
        turns.append(Turn(square, tuple(sorted(net.near[square] & left))))
    return tuple(turns)


@dataclass(frozen=True, slots=True)
class _Links:
    """The successors of the states of one step: their sources and targets, marks, and how many sources there are."""

    sources: Array
    targets: Array
    marks: Array
    size: int

    @property
    def bytes(self) -> int:
        return self.sources.nbytes + self.targets.nbytes + self.marks.nbytes


class _Making:
    """A table on its way: forwards from layer to layer, then backwards."""

    def __init__(self, net: Net, turns: tuple[Turn, ...], meter: Meter, memory: int | None, marked: int) -> None:
        self.net, self.turns, self.meter, self.marked = net, turns, meter, marked
        self.memory = memory
        self.outlook = Forecast.of(net, [turn.square for turn in turns], mirrored=False)
        self.links: list[_Links] = []
        self.taken = 0  # bytes
        self.calls = meter.calls

    def made(self, steps: Sequence[Step], words: int) -> tuple[_Layer, ...]:
        """Return the layers."""
        self._require(self.outlook.total * STATE_BYTES, DOUBT, "foreseen from their order")
        states, seen = first_states(words), set[int]()
        for depth, step in enumerate(steps):
            turn = self.turns[depth]
            self._foresee(depth, len(states))
            fresh = [other in self.net.given if other not in seen else None for other in turn.later]
            seen.update(turn.later)
            states = self._forwards(step, states, depth, fresh if depth < self.marked else None)
            if not len(states):
                break
        self.meter.calls = self.calls
        self._require(GROWN * self.taken, 1.0, f"after {self.calls:,} states")
        done = states.shape[0] == 1 and not states.any() and len(self.links) == len(self.turns)
        return self._backwards() if done else ()

    def _forwards(self, step: Step, states: Array, depth: int, fresh: list[bool | None] | None) -> Array:
        """Expand the states of a layer, keep what leads to which, and return the next layer."""
        sources, found, marks = [], [], []
        many = 0
        for first in range(0, len(states), _CHUNK):
            chunk = states[first : first + _CHUNK]
            self._beat(depth, first / len(states))
            where, reached = successors(step, chunk)
            self.calls += len(chunk)
            many += len(where)
            self._require(self.taken + many * EDGE_BYTES, 1.0, f"after {self.calls:,} states")
            sources.append((where + first).astype(np.int32))
            found.append(reached)
            marks.append(np.zeros(0, np.uint8) if fresh is None else _marks(step, chunk[where], reached, fresh))
        following, targets = _merged(np.concatenate(found))
        links = _Links(np.concatenate(sources), targets, np.concatenate(marks), len(states))
        self.links.append(links)
        self.taken += links.bytes
        return following

    def _backwards(self) -> tuple[_Layer, ...]:
        """Return the layers with their completions, from the last to the first, and only the states that have any."""
        layers: list[_Layer] = []
        places = np.zeros(1, np.int32)  # of the states of the next layer among those that are left; -1 for the others
        counts = np.ones((1, 1), np.uint32)
        while self.links:
            self._beat(len(self.turns), 0)
            links = self.links.pop()
            kept = np.flatnonzero(places[links.targets] >= 0)
            if links.marks.size:
                kept = kept[np.lexsort((links.marks[kept], links.sources[kept]))]
            sources, targets = links.sources[kept], places[links.targets[kept]]
            marks = links.marks[kept] if links.marks.size else links.marks
            heads = np.flatnonzero(np.diff(sources, prepend=-1, append=links.size))
            counts = _sums(counts, targets, heads[:-1])
            places = np.full(links.size, -1, np.int32)
            places[sources[heads[:-1]]] = np.arange(len(heads) - 1)
            layers.append(_Layer(heads, targets, marks, counts))
        return tuple(reversed(layers))

    def _foresee(self, depth: int, size: int) -> None:
        """Refuse what is not going to fit, judging by how far off the estimate is."""
        if min(size, self.outlook.states[depth]) >= TELLING:
            rest = sum(self.outlook.later(depth, size))
            self._require(self.taken + rest * STATE_BYTES, DOUBT, f"seen from {size:,} states at square {depth}")

    def _require(self, needed: float, doubt: float, seen: str) -> None:
        if self.memory is None:
            if needed <= _LITTLE:
                return
            self.memory = int(available_bytes() * SHARE)
        if needed > self.memory * doubt:
            raise BoardTooLarge(
                f"a table of these tours needs about {size_of(needed)} of memory, {seen}, {max(self.outlook.widths)} "
                f"squares being active; {size_of(self.memory)} are allowed: give it more memory, or a smaller board"
            )

    def _beat(self, depth: int, share: float) -> None:
        """Tell how far the work has come; stops it if it is to be."""
        meter, limit = self.meter, self.meter.budget.calls
        calls = self.calls
        if depth == len(self.turns) and limit is not None:
            calls = min(calls, limit - 1)  # it is the next state that would be too many
        if calls >= meter.stop_at or depth == len(self.turns) or calls - meter.calls >= _CHUNK:
            done = 1.0 if depth == len(self.turns) else self.outlook.done(depth, share)
            meter.tick(calls, int(done * WHOLE) if meter.total == WHOLE else 0)


def _marks(step: Step, before: Array, after: Array, fresh: Sequence[bool | None]) -> Array:
    """Return which later neighbours every successor has chosen: those whose degree has grown.

    `fresh` tells of each whether it is a given end, if it becomes active only now, and None if it was active before.
    """
    marks: Array = np.zeros(len(after), np.uint8 if len(fresh) <= 8 else np.uint32)
    for place, (shift, given) in enumerate(zip(step.later.tolist(), fresh, strict=True)):
        degree = _degrees(before, shift) if given is None else np.int8(given)
        marks |= (_degrees(after, shift) > degree).astype(marks.dtype) << place
    return marks


def _degrees(states: Array, shift: int) -> Array:
    """Return the degree of the square at a slot, in every state."""
    word, bits = divmod(shift, 64)
    degrees: Array = _DEGREES[(states[:, word] >> np.uint64(bits) & np.uint64(15)).astype(np.int64)]
    return degrees


def _merged(found: Array) -> tuple[Array, Array]:
    """Return the different states among some, and for each of those its place."""
    if found.shape[1] == 1:
        states, places = np.unique(found[:, 0], return_inverse=True)
        return states.reshape(-1, 1), places.astype(np.int32)
    arranged = np.lexsort(found.T)
    ordered = found[arranged]
    new = np.ones(len(found), bool)
    new[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    places = np.empty(len(found), np.int32)
    places[arranged] = np.cumsum(new) - 1
    return ordered[new], places


def _sums(counts: Array, targets: Array, heads: Array) -> Array:
    """Add up the completions of the successors of every state."""
    carry: Array = np.zeros(len(heads), np.uint64)
    limbs: list[Array] = []
    for limb in range(counts.shape[1]):
        total = np.add.reduceat(counts[:, limb][targets].astype(np.uint64), heads) + carry
        limbs.append(total & _LOW)
        carry = total >> _LIMB
    if carry.any():
        limbs.append(carry)
    return np.stack(limbs, axis=1).astype(np.uint32)
