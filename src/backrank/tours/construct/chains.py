"""A long walk written down short: chains of blocks that look alike.

A walk over a board of blocks goes into a block, leaves it somewhere for the next one, and comes back much later for the
rest. Going down a column of a thousand blocks it does the same in each. So a walk is kept as a tree of *chains*: a
chain is a row or a column of blocks, in *groups* of equal ones; a *node* is one block with the walk through it,
the place (`cut`) where one goes on to the next node of the chain, and what hangs on it elsewhere (`joins`). The chain
is walked outwards, each node up to its cut, and then back, each node from its cut on.

The sizes of all parts are known from their numbers alone. Hence the cell of a step (`cell_at`) and the step of a
cell (`step_of`) are found by going down the tree, and the whole walk is some thousand *strokes*: so many copies of
a piece of a walk, side by side.

All places are relative: a node to the corner of its block, a chain to the corner of its first one.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import accumulate
from typing import NamedTuple

from backrank.geometry.board import Cell
from backrank.tours.construct.blocks import Walk


@dataclass(frozen=True, slots=True)
class Area:
    """A rectangle of cells: rows `top` to before `bottom`, columns `left` to before `right`."""

    top: int
    bottom: int
    left: int
    right: int

    def holds(self, cell: Cell) -> bool:
        """Whether a cell lies in it."""
        return self.top <= cell[0] < self.bottom and self.left <= cell[1] < self.right


class Stroke(NamedTuple):
    """Some copies of a piece of a walk, one after the other.

    The squares `walk[first:last]` with `corner` added to each, then with `corner + step` added, and so on; the first
    of them is step `at` of the whole walk, counted from 0.
    """

    walk: Walk
    first: int
    last: int
    corner: Cell
    step: Cell
    copies: int
    at: int


@dataclass(frozen=True, slots=True)
class Join:
    """A chain that is walked between two squares of a node: after `cut` of them."""

    cut: int
    chain: GroupSequence
    corner: Cell


@dataclass(frozen=True, slots=True)
class Node:
    """A block with the walk through it."""

    rows: int
    cols: int
    walk: Walk
    cut: int
    joins: tuple[Join, ...] = ()
    lengths: tuple[int, int] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Sum up how many squares are walked before the cut, and after it."""
        out = self.cut + sum(join.chain.size for join in self.joins if join.cut < self.cut)
        back = len(self.walk) - self.cut + sum(join.chain.size for join in self.joins if join.cut > self.cut)
        object.__setattr__(self, "lengths", (out, back))

    def pieces(self, *, outward: bool) -> Iterator[tuple[int, int, Join | None]]:
        """Yield the pieces of the walk before or after the cut, each with what is walked next."""
        at, end = (0, self.cut) if outward else (self.cut, len(self.walk))
        for join in self.joins:
            if at < join.cut < end:
                yield at, join.cut, join
                at = join.cut
        if at < end:
            yield at, end, None


@dataclass(frozen=True, slots=True)
class Group:
    """Equal nodes side by side: `count` of them, from `corner` on, each `step` away from the one before.

    `area` is all that is covered by them and by what hangs on them, except the areas of later groups of the chain.
    """

    node: Node
    corner: Cell
    step: Cell
    count: int
    area: Area

    def corner_of(self, number: int) -> Cell:
        """Return the corner of one of the nodes."""
        return self.corner[0] + number * self.step[0], self.corner[1] + number * self.step[1]

    def number_of(self, cell: Cell) -> int:
        """Return which of the nodes a cell belongs to, or to what hangs on it."""
        for axis, size in enumerate((self.node.rows, self.node.cols)):
            step = self.step[axis]
            if step > 0:
                return (cell[axis] - self.corner[axis]) // step
            if step < 0:
                return (self.corner[axis] + size - 1 - cell[axis]) // -step
        return 0


@dataclass(frozen=True, slots=True)
class GroupSequence:
    """Groups in the order in which they are walked outwards."""

    groups: tuple[Group, ...]
    starts: tuple[int, ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Note at which step each group begins on the way out, and then on the way back."""
        out = [group.count * group.node.lengths[0] for group in self.groups]
        back = [group.count * group.node.lengths[1] for group in reversed(self.groups)]
        object.__setattr__(self, "starts", tuple(accumulate([*out, *back], initial=0)))

    @property
    def size(self) -> int:
        """How many squares are walked."""
        return self.starts[-1]

    def holds(self, cell: Cell) -> bool:
        """Whether a cell is visited by it."""
        return any(group.area.holds(cell) for group in self.groups)

    def cell_at(self, step: int) -> Cell:
        """Return the cell of a step, counted from 0."""
        chain, row, col = self, 0, 0
        while True:
            place = bisect_right(chain.starts, step) - 1
            outward = place < len(chain.groups)
            group = chain.groups[place if outward else -1 - (place - len(chain.groups))]
            number, step = divmod(step - chain.starts[place], group.node.lengths[0 if outward else 1])
            corner = group.corner_of(number if outward else group.count - 1 - number)
            row, col = row + corner[0], col + corner[1]
            for first, last, join in group.node.pieces(outward=outward):
                if step < last - first:
                    cell = group.node.walk[first + step]
                    return row + cell[0], col + cell[1]
                step -= last - first
                if join is not None and step < join.chain.size:
                    chain, row, col = join.chain, row + join.corner[0], col + join.corner[1]
                    break
                step -= join.chain.size if join is not None else 0

    def step_of(self, cell: Cell) -> int:
        """Return the step at which a cell is visited, counted from 0."""
        place = next(at for at in range(len(self.groups) - 1, -1, -1) if self.groups[at].area.holds(cell))
        group = self.groups[place]
        number = group.number_of(cell)
        corner = group.corner_of(number)
        step = _step_in(group.node, (cell[0] - corner[0], cell[1] - corner[1]))
        out, back = group.node.lengths
        if step < out:
            return self.starts[place] + number * out + step
        return self.starts[-2 - place] + (group.count - 1 - number) * back + step - out

    def strokes(self, at: int = 0, origin: Cell = (0, 0)) -> Iterator[Stroke]:
        """Yield the whole walk, in order."""
        for place, group in enumerate((*self.groups, *reversed(self.groups))):
            outward = place < len(self.groups)
            length = group.node.lengths[0 if outward else 1]
            if not length:
                continue
            numbers = range(group.count) if outward else range(group.count - 1, -1, -1)
            step = group.step if outward else (-group.step[0], -group.step[1])
            row, col = group.corner_of(numbers[0])
            corner = origin[0] + row, origin[1] + col
            start = at + self.starts[place]
            if group.node.joins:
                for number in range(group.count):
                    moved = corner[0] + number * step[0], corner[1] + number * step[1]
                    yield from _node_strokes(group.node, start + number * length, moved, outward=outward)
            else:
                first, last = (0, group.node.cut) if outward else (group.node.cut, len(group.node.walk))
                yield Stroke(group.node.walk, first, last, corner, step, group.count, start)


def _step_in(node: Node, cell: Cell) -> int:
    """Return the step of a cell within the walk of a node and all that hangs on it, out and back without a break."""
    row, col = cell
    if 0 <= row < node.rows and 0 <= col < node.cols:
        step = node.walk.index(cell)
        return step + sum(join.chain.size for join in node.joins if join.cut <= step)
    for join in node.joins:
        inner = row - join.corner[0], col - join.corner[1]
        if join.chain.holds(inner):
            before = sum(other.chain.size for other in node.joins if other.cut < join.cut)
            return join.cut + before + join.chain.step_of(inner)
    raise AssertionError("the areas of a chain do not cover its board")


def _node_strokes(node: Node, at: int, corner: Cell, *, outward: bool) -> Iterator[Stroke]:
    for first, last, join in node.pieces(outward=outward):
        yield Stroke(node.walk, first, last, corner, (0, 0), 1, at)
        at += last - first
        if join is not None:
            yield from join.chain.strokes(at, (corner[0] + join.corner[0], corner[1] + join.corner[1]))
            at += join.chain.size
