"""Laying out blocks: the way from the start to the end, and everything that hangs on it.

The picture, after turning the board so that the end lies to the right of the start and below it:

    ╷ ╷ ╷ ╷ ╷ ╷        From the start's block S the way leads along its row of blocks to the column of the
    S─┼─┼─┼─┐ │        end, and down that column to the end's block E: open tours of one block each, from the
    ╵ ╵ ╵ ╵ │ ╵        square where one comes in to the square where one goes out. Columns of closed blocks
            E          (teeth) hang on the row, up and down, and below E. Left and right of the way, the row is
            ╵          carried on by closed blocks (arms), with teeth of their own.

Where blocks are equal for a long stretch they are one group of a chain, so a board of any size is laid out in the same
few steps. Following P. Cull and J. De Curtins (1978) and I. Parberry, "An efficient algorithm for the knight's tour
problem", Discrete Applied Mathematics 73 (1997), in cutting the board into blocks; the way through open blocks,
and ports that make all blocks of a row alike, are what is added here.

Tried and dropped: an end anywhere by rotating one great closed tour (Pósa): it takes the whole board in memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from backrank.geometry.board import Cell
from backrank.tours.construct.blocks import (
    BOTTOM,
    LEFT,
    OPPOSITE,
    RIGHT,
    TOP,
    Attachment,
    Walk,
    attach,
    port_in,
    ported_walk,
)
from backrank.tours.construct.chains import Area, Group, GroupSequence, Join, Node
from backrank.tours.construct.strips import Strips

_UP, _DOWN = -1, 1


@dataclass(frozen=True, slots=True)
class Grid:
    """A board cut into blocks."""

    rows: Strips
    cols: Strips

    def tooth(self, first: int, direction: int, walk: Walk) -> GroupSequence:
        """Return a column of closed blocks that is entered by the given walk through its first one."""
        width = max(col for _, col in walk) + 1
        onward = BOTTOM if direction == _DOWN else TOP
        groups = []
        for height, count, edge, walk_in, cut in self._line(self.rows, first, direction, onward, width, walk):
            low, high = sorted((edge, edge + direction * height * count))
            corner = edge if direction == _DOWN else edge - height
            node = Node(height, width, walk_in, cut)
            groups.append(Group(node, (corner, 0), (direction * height, 0), count, Area(low, high, 0, width)))
        return GroupSequence(tuple(groups))

    def arm(self, row: int, first: int, direction: int, walk: Walk) -> GroupSequence:
        """Return a row of closed blocks with their teeth, entered by the given walk through its first one."""
        strip = self.rows.strip(row)
        onward = RIGHT if direction == _DOWN else LEFT
        groups = []
        for width, count, edge, walk_in, cut in self._line(self.cols, first, direction, onward, strip.size, walk):
            low, high = sorted((edge, edge + direction * width * count))
            corner = edge if direction == _DOWN else edge - width
            node = Node(strip.size, width, walk_in, cut, self._teeth(row, width, walk_in))
            area = Area(-strip.offset, self.rows.length - strip.offset, low, high)
            groups.append(Group(node, (0, corner), (0, direction * width), count, area))
        return GroupSequence(tuple(groups))

    def _line(
        self, strips: Strips, first: int, direction: int, onward: str, breadth: int, walk: Walk
    ) -> Iterator[tuple[int, int, int, Walk, int]]:
        """Yield the groups of a tooth or an arm: size, count, where it begins, walk and cut."""
        pieces = to_the_edge(strips, first, direction)
        edge = 0 if direction == _DOWN else pieces[0][0]
        which = 0
        for number, (size, count) in enumerate(pieces):
            shape = (size, breadth) if onward in {TOP, BOTTOM} else (breadth, size)
            walk_in = ported_walk(*shape, OPPOSITE[onward], which) if number else walk
            cut = len(walk_in)
            if number < len(pieces) - 1:
                cut, which = port_in(walk_in, *shape, onward)
            yield size, count, edge, walk_in, cut
            edge += direction * size * count

    def _teeth(self, row: int, width: int, walk: Walk) -> tuple[Join, ...]:
        """Hang teeth on a closed block of an arm, up and down, as far as the board reaches."""
        height = self.rows.strip(row).size
        joins = []
        for side, direction in ((TOP, _UP), (BOTTOM, _DOWN)):
            beside = row + direction
            if 0 <= beside < self.rows.count:
                at, which = port_in(walk, height, width, side)
                entered = ported_walk(self.rows.strip(beside).size, width, OPPOSITE[side], which)
                joins.append(Join(at, self.tooth(beside, direction, entered), self._beyond(row, beside)))
        return _sorted(joins)

    def _beyond(self, row: int, beside: int) -> Cell:
        """Return the corner of a block above or below, seen from that of a block."""
        return self.rows.strip(beside).offset - self.rows.strip(row).offset, 0

    def node(self, at: Cell, walks: Iterator[Walk], sides: tuple[str, ...]) -> Node | None:
        """Return a block of the way, with what hangs on the given sides of it; None if no walk has the rails for it."""
        row, col = self.rows.strip(at[0]), self.cols.strip(at[1])
        neighbours = []
        for side in sides:
            down, right = _STEPS[side]
            beside = self.rows.strip(at[0] + down), self.cols.strip(at[1] + right)
            shift = beside[0].offset - row.offset, beside[1].offset - col.offset
            neighbours.append((shift, beside[0].size, beside[1].size))
        for walk in walks:
            hung = attach(walk, neighbours)
            if hung is not None:
                joins = [
                    self._hang(at, side, shift, attachment)
                    for side, (shift, _, _), attachment in zip(sides, neighbours, hung, strict=True)
                ]
                return Node(row.size, col.size, walk, len(walk), _sorted(joins))
        return None

    def _hang(self, at: Cell, side: str, shift: Cell, attachment: Attachment) -> Join:
        down, right = _STEPS[side]
        if down:
            chain = self.tooth(at[0] + down, down, attachment.walk)
        else:
            chain = self.arm(at[0], at[1] + right, right, attachment.walk)
        return Join(attachment.cut, chain, shift)


def _sorted(joins: list[Join]) -> tuple[Join, ...]:
    return tuple(sorted(joins, key=lambda join: join.cut))


_STEPS = {TOP: (-1, 0), BOTTOM: (1, 0), LEFT: (0, -1), RIGHT: (0, 1)}


def between(strips: Strips, first: int, last: int) -> Iterator[tuple[int, int]]:
    """Yield (size, count) of the strips from a first to a last one, in this order, which may be the descending one."""
    low, high = sorted((first, last))
    for run in strips.runs if first <= last else strips.runs[::-1]:
        count = min(run.number + run.copies - 1, high) - max(run.number, low) + 1
        if count > 0:
            yield run.size, count


def to_the_edge(strips: Strips, first: int, direction: int) -> list[tuple[int, int]]:
    """Return (size, count) of the strips from a first one to the edge; the first and the last stand by themselves."""
    last = strips.count - 1 if direction == _DOWN else 0
    if first == last:
        return [(strips.strip(first).size, 1)]
    inner = between(strips, first + direction, last - direction) if abs(last - first) > 1 else ()
    return [(strips.strip(first).size, 1), *inner, (strips.strip(last).size, 1)]
