"""Counting n queens by meeting in the middle: the halves of all placements for one column set, and their join.

The idea, its cost and the choice of parameters are told in :mod:`backrank.queens.counting.column_sets`, which makes the
tables. For every column set S of a task this kernel

1. lists the placements of the upper half in exactly the columns of S, and those of the lower half in the others:
   backtracking for all rows but the few next to the cut, which come from a table by the set of the columns left.
   An entry is one word of diagonals: the rest (bits 0 to 30: diagonals across the cut that are not central), the key
   (from bit 32: the central ones), and above it those that do not cross the cut, needed only to put the list together;
2. sorts both lists into buckets by the key;
3. for each bucket of the upper half gathers all lower entries whose key is disjoint, and counts the pairs with
   disjoint rests: a loop without branches over 32-bit lanes, which LLVM turns into vector instructions.

Bounds: a list has at most `MAX_LIST` < 2^27 entries, or the kernel stops; eight upper entries at a time against one
such buffer add at most 2^30 to a 32-bit counter. The pairs of one column set are at most h! (n - h)!, which is
below 2^62 for n <= 25. Words and lanes are unsigned throughout; positions are signed.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from backrank.runtime._jit import jit, jit_inside
from backrank.runtime.status import DONE, STOPPED, Int, Int32s, Int64s, UInt64s

UInt32s: TypeAlias = npt.NDArray[np.uint32]

KEY_SHIFT = 32  # where the key starts in a word
MAX_TAIL = 120  # placements that the table may have for one set of columns: 5!
EIGHT = 8  # entries that are copied or compared at a time
MAX_LIST = 1 << 26
LANES = 64  # the buffer is filled up to a multiple of it
_KEY_SHIFT = np.uint64(KEY_SHIFT)
_LANE = np.uint64(0xFFFFFFFF)
_ONE, _TWO, _THREE, _FOUR = np.uint64(1), np.uint64(2), np.uint64(3), np.uint64(4)
_FIVE, _SIX, _SEVEN, _EIGHT = np.uint64(5), np.uint64(6), np.uint64(7), np.uint64(8)
_GUARD = np.uint32(1 << 31)  # set in the upper entries and in the filling of the buffer, so that they never pair


class HalfTables(NamedTuple):
    """One half of the board, from its outer edge to the cut; nothing changes in a run.

    Attributes
    ----------
    rows : (2,) int64
        Rows that are filled by backtracking, and columns of the board.
    spread : (4, 2^half) uint64
        The word of the attacked diagonals below those rows: left mask (low and high bits), right mask (the same).
    place : (2, 2^half) int64
        The number of a set of columns that is left for the table is the sum for its low and its high bits.
    start : int32
        Where the placements of each set start in `tail`, and the end of all.
    tail : uint64
        The words of the placements in the rows next to the cut.
    """

    rows: Int64s
    spread: UInt64s
    place: Int64s
    start: Int32s
    tail: UInt64s


class JoinScratch(NamedTuple):
    """Room to work in, of one thread.

    Attributes
    ----------
    words : (capacity,) uint64
        A list as it is made.
    upper, lower, buffer : (capacity,), (capacity,) and (capacity + LANES,) uint32
        The rests of both lists by bucket, and those gathered for one bucket.
    starts : (2, keys + 2) int32
        Where the buckets of both lists start.
    stack : (4, rows) int64
        Per row: columns still to try, columns not taken, attacked diagonals.
    """

    words: UInt64s
    upper: UInt32s
    lower: UInt32s
    middle: UInt32s
    buffer: UInt32s
    starts: Int32s
    inner: Int32s
    stack: Int64s


@jit
def join_column_sets(upper: HalfTables, lower: HalfTables, sets: Int64s, workspace: JoinScratch, counts: Int64s) -> int:
    """Count the placements whose upper half stands in exactly the columns of a set, for several sets.

    Parameters
    ----------
    upper, lower : HalfTables
    sets : (n,) int64
        Bit c for column c.
    workspace : Room
    counts : (2, n) int64
        Receives for each set the number of placements, and that of the placements of both halves listed.

    Returns
    -------
    int
        DONE, or STOPPED if there is too little room for a list.
    """
    every = (np.int64(1) << upper.rows[1]) - 1
    for i in range(sets.size):
        above = _list_half(upper, sets[i], workspace)
        if above < 0:
            return STOPPED
        _sort(workspace.words, above, workspace.starts[0], workspace.upper, _GUARD)
        below = _list_half(lower, every ^ sets[i], workspace)
        if below < 0:
            return STOPPED
        _sort(workspace.words, below, workspace.starts[1], workspace.lower, np.uint32(0))
        counts[0, i] = _join(workspace)
        counts[1, i] = above + below
    return DONE


@jit_inside
def _list_half(half: HalfTables, columns: Int, workspace: JoinScratch) -> Int:
    """List the placements of a half in exactly these columns; return how many, or -1 if there is no room."""
    stack, last, every = workspace.stack, half.rows[0] - 1, (np.int64(1) << half.rows[1]) - 1
    limit = workspace.words.size - MAX_TAIL - EIGHT
    row = np.int64(0)
    size: Int = np.int64(0)
    free, unused, left, right = np.int64(columns), np.int64(columns), np.int64(0), np.int64(0)
    while True:
        if not free:
            if not row:
                return size
            row -= 1
            free, unused, left, right = stack[0, row], stack[1, row], stack[2, row], stack[3, row]
            continue
        bit = free & -free
        free ^= bit
        onward = unused ^ bit
        down, up = (left | bit) << 1 & every, (right | bit) >> 1
        if row == last:
            if size > limit:
                return -1
            size = _append(half, onward, down, up, workspace.words, size)
            continue
        below = onward & ~(down | up)
        if below:
            stack[0, row], stack[1, row], stack[2, row], stack[3, row] = free, unused, left, right
            row += 1
            free, unused, left, right = below, onward, down, up


@jit_inside
def _append(half: HalfTables, unused: Int, left: Int, right: Int, words: UInt64s, size: Int) -> Int:
    """Append what the table has for the columns left and these diagonals; return the new size of the list."""
    spread, place = half.spread, half.place
    shift = (half.rows[1] + 1) >> 1
    low = (np.int64(1) << shift) - 1
    above = spread[0, left & low] | spread[1, left >> shift] | spread[2, right & low] | spread[3, right >> shift]
    number = place[0, unused & low] + place[1, unused >> shift]
    i, last, at = np.uint64(half.start[number]), np.uint64(half.start[number + 1]), np.uint64(size)
    while i < last:
        word = half.tail[i]
        words[at] = word | above
        at += np.uint64((word & above) == 0)
        i += _ONE
    return np.int64(at)


@jit_inside
def _sort(words: UInt64s, size: Int, starts: Int32s, rests: UInt32s, guard: np.uint32) -> None:
    """Sort a list by key; bucket k is from starts[k] to starts[k + 1]."""
    keep, end = np.uint64(starts.size - 3), np.uint64(size)
    starts[:] = 0
    i = np.uint64(0)
    while i < end:
        starts[((words[i] >> _KEY_SHIFT) & keep) + _TWO] += 1
        i += _ONE
    for k in range(2, starts.size):
        starts[k] += starts[k - 1]
    i = np.uint64(0)
    while i < end:
        word = words[i]
        bucket = ((word >> _KEY_SHIFT) & keep) + _ONE
        at = starts[bucket]
        rests[np.uint64(at)] = np.uint32(word & _LANE) | guard
        starts[bucket] = at + 1
        i += _ONE


@jit_inside
def _join(workspace: JoinScratch) -> Int:
    """Count the disjoint pairs of both lists: by the upper half of the key, then by the lower half."""
    starts, inner = workspace.starts, workspace.inner
    one_kind = np.int64(inner.size - 2)
    shift = np.int64(0)
    while one_kind >> shift:
        shift += 1
    found: Int = np.int64(0)
    for high in range(one_kind + 1):
        block = high << shift
        if starts[0, block] == starts[0, block + one_kind + 1]:
            continue
        size: Int = np.int64(0)
        for low in range(one_kind + 1):
            inner[low] = size
            size = _gather(starts[1], workspace.lower, one_kind & ~high, low, shift, workspace.middle, size)
        inner[one_kind + 1] = size
        for low in range(one_kind + 1):
            first, last = np.int64(starts[0, block + low]), np.int64(starts[0, block + low + 1])
            if first < last:
                size = _gather(inner, workspace.middle, one_kind & ~low, 0, 0, workspace.buffer, 0)
                found += _count_disjoint(workspace.upper[first:last], workspace.buffer, size)
    return found


@jit_inside
def _gather(starts: Int32s, rests: UInt32s, free: Int, low: Int, shift: Int, target: UInt32s, size: Int) -> Int:
    """Append all buckets whose numbers are a subset of the free bits, shifted, and then `low`; return the size."""
    chosen = np.int64(free)
    while True:
        bucket = chosen << shift | low
        first = np.int64(starts[bucket])
        count = np.int64(starts[bucket + 1]) - first
        _copy(rests, first, count, target, size)
        size += count
        if not chosen:
            return size
        chosen = (chosen - 1) & free


@jit_inside
def _copy(source: UInt32s, first: Int, count: Int, target: UInt32s, at: Int) -> None:
    """Copy entries, eight at a time, all read before one is written: that makes two instructions of them."""
    i, to = np.uint64(first), np.uint64(at)
    end = i + np.uint64(count)
    while i < end:
        a, b, c, d = source[i], source[i + _ONE], source[i + _TWO], source[i + _THREE]
        e, f, g, h = source[i + _FOUR], source[i + _FIVE], source[i + _SIX], source[i + _SEVEN]
        target[to], target[to + _ONE], target[to + _TWO], target[to + _THREE] = a, b, c, d
        target[to + _FOUR], target[to + _FIVE], target[to + _SIX], target[to + _SEVEN] = e, f, g, h
        i += _EIGHT
        to += _EIGHT


@jit_inside
def _count_disjoint(upper: UInt32s, buffer: UInt32s, size: Int) -> Int:
    """Count the disjoint pairs of one bucket and what was gathered for it."""
    while size % LANES:
        buffer[size] = _GUARD
        size += 1
    found, first = np.int64(0), np.int64(0)
    while first + 8 <= upper.size:
        found += _disjoint_eight(upper[first : first + 8], buffer[:size])
        first += 8
    while first < upper.size:
        found += _disjoint_one(upper[first], buffer[:size])
        first += 1
    return found


@jit_inside
def _disjoint_one(one: np.uint32, buffer: UInt32s) -> Int:
    """Count the entries that share no bit with one."""
    found = np.uint32(0)
    for i in range(buffer.size):
        found = np.uint32(found + ((buffer[i] & one) == 0))
    return np.int64(found)


@jit_inside
def _disjoint_eight(eight: UInt32s, buffer: UInt32s) -> Int:
    """Count the pairs that share no bit, eight upper entries at a time."""
    a, b, c, d = eight[0], eight[1], eight[2], eight[3]
    e, f, g, h = eight[4], eight[5], eight[6], eight[7]
    found = np.uint32(0)
    for i in range(buffer.size):
        x = buffer[i]
        half = ((x & a) == 0) + ((x & b) == 0) + ((x & c) == 0) + ((x & d) == 0)
        rest = ((x & e) == 0) + ((x & f) == 0) + ((x & g) == 0) + ((x & h) == 0)
        found = np.uint32(found + half + rest)
    return np.int64(found)
