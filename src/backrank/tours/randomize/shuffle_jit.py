"""Switch the rails of a tour, label what falls apart, join it again, walk along it: the kernels of `shuffle`.

The links of a square are bits, one for each step: a byte a square for pieces of up to eight steps. Whether two squares
have parallel links is then a single `and`, and the rows that a knight reaches stay in the cache. A hole has no bits, so
nothing ever leads there. Away from the edges no step is checked, which halves the time of a sweep.

Tried and dropped: joining from every square; only those outside the largest component need to look out for another
one, and nearly all are inside (a tenth of the time).

Bounds: bits stay below 2^62, square numbers below 2^31, so signed numbers hold both; the dice are unsigned.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from backrank.runtime._jit import jit, jit_inside
from backrank.runtime.rng import FIRST, GAMMA, SECOND
from backrank.runtime.status import Int, Int32s, Int64s, UInt64s

Bits: TypeAlias = npt.NDArray[np.uint8] | npt.NDArray[np.int64]

# where a walk stands
ROW, COL, ONWARD = range(3)

# The number of the only bit of a power of two below 2^62: they are all different modulo 67.
_BIT = np.zeros(67, np.int64)
for _number in range(62):
    _BIT[(1 << _number) % 67] = _number


class Jumps(NamedTuple):
    """The board's shape and the steps of the piece on it.

    Attributes
    ----------
    rows, cols : int
    wraps_rows, wraps_cols : int
        1 if the first row (column) follows the last one.
    margin : int
        Two steps from a square that far from all edges stay on the board.
    down, right, offset, back : (steps,) int64
        The steps, less than a side where it wraps, no two to the same square; what each adds to a square away from the
        edges; and the number of the opposite step.
    """

    rows: int
    cols: int
    wraps_rows: int
    wraps_cols: int
    margin: int
    down: Int64s
    right: Int64s
    offset: Int64s
    back: Int64s


@jit_inside
def rolled(dice: UInt64s) -> np.uint64:
    """Return the next 64 bits of `backrank.runtime.rng.Dice`."""
    dice[0] += np.uint64(GAMMA)
    bits = dice[0]
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(FIRST)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(SECOND)
    return np.uint64(bits ^ (bits >> np.uint64(31)))


@jit_inside
def _lowest(bits: Int) -> Any:
    """Return the number of the lowest bit that is set."""
    return _BIT[(bits & -bits) % 67]


@jit_inside
def _row(jumps: Jumps, row: Int, step: Int) -> Any:
    """Return the row after a step, or -1."""
    row += jumps.down[step]
    if 0 <= row < jumps.rows:
        return row
    if not jumps.wraps_rows:
        return -1
    return row + jumps.rows if row < 0 else row - jumps.rows


@jit_inside
def _col(jumps: Jumps, col: Int, step: Int) -> Any:
    """Return the column after a step, or -1."""
    col += jumps.right[step]
    if 0 <= col < jumps.cols:
        return col
    if not jumps.wraps_cols:
        return -1
    return col + jumps.cols if col < 0 else col - jumps.cols


@jit_inside
def _after(jumps: Jumps, row: Int, col: Int, step: Int) -> Any:
    """Return the square after a step, or -1."""
    row, col = _row(jumps, row, step), _col(jumps, col, step)
    return -1 if row < 0 or col < 0 else row * jumps.cols + col


@jit_inside
def _moved(jumps: Jumps, row: Int, col: Int, step: Int, inside: bool) -> Any:
    """Return the square after a step, or -1; inside, where no two steps reach an edge, without looking."""
    if inside:
        return row * jumps.cols + col + jumps.offset[step]
    return _after(jumps, row, col, step)


@jit_inside
def _switch(jumps: Jumps, bits: Bits, row: Int, col: Int, link: Int, side: Int, inside: bool) -> None:
    """Replace the links a-b and c-d by a-c and b-d: b and d are a link away from a and c, c is a side away from a."""
    a = row * jumps.cols + col
    b, c = _moved(jumps, row, col, link, inside), _moved(jumps, row, col, side, inside)
    d = c + jumps.offset[link] if inside else _after(jumps, _row(jumps, row, side), _col(jumps, col, side), link)
    forth, over = 1 << link, 1 << side
    link_back, side_back = 1 << jumps.back[link], 1 << jumps.back[side]
    bits[a] ^= forth | over
    bits[b] ^= link_back | over
    bits[c] ^= forth | side_back
    bits[d] ^= link_back | side_back


@jit_inside
def _try_to_switch(jumps: Jumps, bits: Bits, row: Int, col: Int, draw: np.uint64, inside: bool) -> Any:
    """Switch a rail at a square, if there is one in the direction that the draw says; return 1 if so."""
    steps = np.uint64(jumps.down.size)
    side = np.int64(((draw & np.uint64(0xFFFFFFFF)) * steps) >> np.uint64(32))
    links = np.int64(bits[row * jumps.cols + col])
    near = _moved(jumps, row, col, side, inside)
    if near < 0 or links >> side & 1:
        return 0
    rails = links & np.int64(bits[near]) & ~(1 << side | 1 << jumps.back[side])
    if rails == 0:
        return 0
    more = rails & (rails - 1)
    if more and draw >> np.uint64(63):
        rails = more
    link = _lowest(rails)
    if np.int64(bits[_moved(jumps, row, col, link, inside)]) >> side & 1:
        return 0
    _switch(jumps, bits, row, col, link, side, inside)
    return 1


@jit_inside
def _root(parent: Int32s, square: Int) -> Any:
    """Return the square that stands for a component, halving the way there."""
    while parent[square] >= 0:
        above = parent[square]
        if parent[above] < 0:
            return np.int64(above)
        parent[square] = parent[above]
        square = np.int64(parent[above])
    return np.int64(square)


@jit_inside
def _unite(parent: Int32s, one: Int, other: Int) -> Any:
    """Make one component of two, given by their roots; return its root."""
    if parent[one] > parent[other] or (parent[one] == parent[other] and one > other):
        one, other = other, one
    parent[one] += parent[other]
    parent[other] = one
    return one


@jit
def load_links(jumps: Jumps, bits: Bits, squares: Int32s, first: Int, last: Int) -> int:
    """Set the links between the squares of a tour number `first` to `last`; return how many of them are moves.

    It stops at the first one that is none. `bits` are those of no link at first. The squares are on the board.
    """
    moves = 0
    for number in range(first, last):
        source, target = np.int64(squares[number]), np.int64(squares[number + 1])
        row, col = source // jumps.cols, source % jumps.cols
        for step in range(jumps.down.size):
            if _after(jumps, row, col, step) == target:
                bits[source] |= 1 << step
                bits[target] |= 1 << jumps.back[step]
                moves += 1
                break
        if moves == number - first:
            break
    return moves


@jit
def mix_rows(jumps: Jumps, bits: Bits, dice: UInt64s, first: Int, last: Int) -> int:
    """Try to switch one rail at every square of some rows; return the number of switches."""
    switches = 0
    margin, cols = jumps.margin, jumps.cols
    for row in range(first, last):
        left = margin if margin <= row < jumps.rows - margin else cols
        for col in range(cols):
            if left <= col < cols - margin:
                switches += _try_to_switch(jumps, bits, row, col, rolled(dice), True)
            else:
                switches += _try_to_switch(jumps, bits, row, col, rolled(dice), False)
    return switches


@jit
def label_rows(jumps: Jumps, bits: Bits, parent: Int32s, first: Int, last: Int) -> int:
    """Unite linked squares of some rows with those before them; return how many components have gone.

    Parameters
    ----------
    parent : (size,) int32
        -1 everywhere before the first row. After the last, -n on the root of each component of n squares, and
        a square nearer to the root elsewhere.
    """
    united = 0
    for row in range(first, last):
        for col in range(jumps.cols):
            square = row * jumps.cols + col
            links = np.int64(bits[square])
            while links:
                target = _after(jumps, row, col, _lowest(links))
                links &= links - 1
                if target < square:
                    one, other = _root(parent, square), _root(parent, target)
                    if one != other:
                        _unite(parent, one, other)
                        united += 1
    return united


@jit
def join_rows(
    jumps: Jumps, bits: Bits, parent: Int32s, dice: UInt64s, odds: Int, main: Int, first: Int, last: Int
) -> int:
    """Switch rails between different components at some squares of some rows; return how many components have gone.

    Parameters
    ----------
    odds : int
        So many of 256 squares, drawn at random, are looked at.
    main : int
        A square; those of its component are passed over.
    """
    united = 0
    for row in range(first, last):
        for col in range(jumps.cols):
            square = row * jumps.cols + col
            if bits[square] and _root(parent, square) != _root(parent, main):
                draw = rolled(dice)
                if np.int64(draw >> np.uint64(56)) < odds:
                    united += _join(jumps, bits, parent, row, col, draw)
    return united


@jit_inside
def _join(jumps: Jumps, bits: Bits, parent: Int32s, row: Int, col: Int, draw: np.uint64) -> Any:
    """Join the component of a square with those of its neighbours, where rails allow it."""
    square, steps, united = row * jumps.cols + col, jumps.down.size, 0
    here = _root(parent, square)
    turn = np.int64(((draw & np.uint64(0xFFFFFFFF)) * np.uint64(steps)) >> np.uint64(32))
    for number in range(steps):
        side = number + turn if number + turn < steps else number + turn - steps
        near = _after(jumps, row, col, side)
        if near < 0:
            continue
        rails = np.int64(bits[square]) & np.int64(bits[near]) & ~(1 << side | 1 << jumps.back[side])
        if rails == 0:
            continue
        there = _root(parent, near)
        if here != there:
            _switch(jumps, bits, row, col, _lowest(rails), side, False)
            here = _unite(parent, here, there)
            united += 1
    return united


@jit
def stir_rows(jumps: Jumps, bits: Bits, parent: Int32s, dice: UInt64s, main: Int, first: Int, last: Int) -> int:
    """Try to switch rails at and around the squares of some rows outside the main component."""
    switches, steps = 0, jumps.down.size
    for row in range(first, last):
        for col in range(jumps.cols):
            square = row * jumps.cols + col
            if bits[square] == 0 or _root(parent, square) == _root(parent, main):
                continue
            for number in range(steps + 1):
                far_row, far_col = row, col
                if number:
                    far_row, far_col = _row(jumps, row, number - 1), _col(jumps, col, number - 1)
                if far_row >= 0 and far_col >= 0:
                    switches += _try_to_switch(jumps, bits, far_row, far_col, rolled(dice), False)
    return switches


@jit_inside
def _to_the_lesser(jumps: Jumps, row: Int, col: Int, links: Int) -> Any:
    """Return the one of two links that leads to the lesser square, or the only one."""
    one, more = _lowest(links), links & (links - 1)
    if more == 0:
        return one
    other = _lowest(more)
    return one if _after(jumps, row, col, one) < _after(jumps, row, col, other) else other


@jit
def walk_links(jumps: Jumps, bits: Bits, state: Int64s, squares: Int32s, first: Int, last: Int) -> None:
    """Write the squares number `first` to `last` of a walk along the links.

    Parameters
    ----------
    state : (3,) int64
        The row and the column of the next square, and the step to be taken from there, -1 for the one to the
        lesser neighbour. Changed in place.
    """
    row, col, onward = state[ROW], state[COL], state[ONWARD]
    if onward < 0:
        onward = _to_the_lesser(jumps, row, col, np.int64(bits[row * jumps.cols + col]))
    for number in range(first, last):
        squares[number] = row * jumps.cols + col
        row, col = _row(jumps, row, onward), _col(jumps, col, onward)
        links = np.int64(bits[row * jumps.cols + col]) & ~(1 << jumps.back[onward])
        # At the end of an open tour, the walk would go back.
        onward = _lowest(links) if links else jumps.back[onward]
    state[ROW], state[COL], state[ONWARD] = row, col, onward
