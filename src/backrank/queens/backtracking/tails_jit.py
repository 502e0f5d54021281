"""Listing and counting n queens on n x n, holes allowed: backtracking above, a table for the last rows.

When only `tail` rows are left, so are as many columns. The table has, for every set of so many columns, all placements
of the last rows in exactly these, in lexicographic order, each as one word: the diagonals that come down from above on
which it has queens, n of each kind as the first row of the tail sees them. What is left of the search is to compare the
words with the mask of attacked diagonals, sixteen at a time, which LLVM makes a few vector instructions of. Most of a
search happens in its last rows: with seven of fourteen in the table there is one comparison for what took ten steps.

Bounds: n <= 32, so a word has 2n <= 64 bits; with n <= 16 words of 32 bits do, and are twice as fast. Lists are filled
up to a multiple of sixteen with words of ones: they never go with a mask, since the queen just above attacks something.
Placements are counted in 64 bits, at most a few a nanosecond: centuries to overflow. Stored words are unsigned; masks
are signed, and made unsigned where they are stored, as the same bits.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from backrank.queens.backtracking.rows_jit import CALLS, FOUND, LEFT, QUEEN, RIGHT, ROW, SKIPS, TRIES, UNUSED
from backrank.runtime._jit import jit, jit_inside
from backrank.runtime.status import DONE, STOPPED, Bytes, Int, Int32s, Int64s, UInt64s

Words: TypeAlias = npt.NDArray[Any]  # uint32 or uint64

BLOCK = 16
_WORD, _PACKED = SKIPS, QUEEN
_ONE = np.int64(1)
_UNIT = np.uint64(1)


class TailsTable(NamedTuple):
    """A board and its last rows, and room to work in: the last four, of which each thread needs its own.

    Attributes
    ----------
    allowed : (n,) int64
        Bit c of a row for its column c, unless that is a hole.
    place : (2, 2^half) int64
        The number of a set of columns is the sum for its low and its high bits.
    start : int32
        Where the placements of each set start in `words`, and the end of all; multiples of sixteen.
    words : uint32 or uint64
        The diagonals of each placement; ones where there is none.
    columns : (placements,) uint64
        The columns of each placement, a byte for each row.
    flags : (longest,) uint8
        Room for a flag for each placement of a list.
    flags_of_eight : (longest / 8,) uint64
        The same bytes, eight at a time.
    packed : (words,) uint64
        Room for the columns above the tail, as many words as `out` is wide.
    mask : (1,), as `words`
        Room for a mask: storing it there gives it the type of the words.
    """

    allowed: Int64s
    place: Int64s
    start: Int32s
    words: Words
    columns: UInt64s
    flags: Bytes
    flags_of_eight: UInt64s
    packed: UInt64s
    mask: Words


@jit
def fill_tails(table: TailsTable, tail: Int, sets: Int64s, first: Int) -> Int:
    """List the placements of the last rows for every set of columns, from some set on.

    Parameters
    ----------
    table : TailsTable
        `start`, `words` and `columns` receive them; what has been listed before is in its place.
    tail : int
        How many rows.
    sets : (s,) int64
        The sets of so many columns in the order of their numbers.
    first : int
        The number of the first set to list.

    Returns
    -------
    int
        The number of the first set that was not listed for lack of room, or how many there are.
    """
    stack = np.zeros((tail, 6), np.int64)
    most = np.int64(BLOCK)
    for row in range(2, tail + 1):
        most *= row
    for number in range(first, sets.size):
        at = np.int64(table.start[number])
        if at + most > table.words.size:
            return np.int64(number)
        table.start[number + 1] = _fill_set(table, sets[number], at, stack)
    return np.int64(sets.size)


@jit_inside
def _fill_set(table: TailsTable, columns: Int, at: Int, stack: Int64s) -> Int:
    """List the placements of the last rows in exactly these columns; return where the list ends.

    `stack` has the word and the packed columns of the rows above where the kernel below has other things.
    """
    side, tail = np.int64(table.allowed.size), np.int64(stack.shape[0])
    every = (_ONE << side) - 1
    row, word, packed = np.int64(0), np.int64(0), np.int64(0)
    tries, unused, left, right = columns & table.allowed[side - tail], np.int64(columns), np.int64(0), np.int64(0)
    while tries or row:
        if not tries:
            row -= 1
            tries, unused, left, right = stack[row, TRIES], stack[row, UNUSED], stack[row, LEFT], stack[row, RIGHT]
            word, packed = stack[row, _WORD], stack[row, _PACKED]
            continue
        bit = tries & -tries
        tries ^= bit
        crossing = word | bit >> row | (bit << row & every) << side
        listed = packed | _bits(bit - 1) << 8 * row
        if row + 1 == tail:
            table.words[at], table.columns[at] = crossing, listed
            at += 1
            continue
        down, up = (left | bit) << 1 & every, (right | bit) >> 1
        free = (unused ^ bit) & table.allowed[side - tail + row + 1] & ~(down | up)
        if free:
            stack[row, TRIES], stack[row, UNUSED], stack[row, LEFT], stack[row, RIGHT] = tries, unused, left, right
            stack[row, _WORD], stack[row, _PACKED] = word, packed
            row += 1
            tries, unused, left, right, word, packed = free, unused ^ bit, down, up, crossing, listed
    while at % BLOCK:
        table.words[at] = -1
        at += 1
    return at


@jit
def run_tails(table: TailsTable, stack: Int64s, counters: Int64s, out: UInt64s, entries: Int32s, room: Int) -> int:
    """Count placements or write them down, going on from where `stack` and `counters` are.

    Parameters
    ----------
    table : TailsTable
    stack : (rows above the tail, 6) int64
        As for :func:`backrank.queens.backtracking.rows_jit.count_rows`; SKIPS is not looked at.
    counters : (5,) int64
        As there; a call is a queen placed above the tail, or a placement found.
    out : (size, words) uint64
        Receives the columns of a placement, a byte for each row, from row FOUND on. If it is empty, placements are
        only counted.
    entries : (size,) int32
        Room for as many numbers.
    room : int
        Rows of `out` that must be free to go on: the longest list of a set.

    Returns
    -------
    int
        DONE, or STOPPED at the limit or because `out` is nearly full.
    """
    row, base, calls, found, limit = counters
    last, listing = stack.shape[0] - 1, out.shape[0] > 0
    every = (_ONE << np.int64(table.allowed.size)) - 1
    most = out.shape[0] - room if listing else np.int64(2**62)
    tries, unused, left, right = stack[row, TRIES], stack[row, UNUSED], stack[row, LEFT], stack[row, RIGHT]
    while True:
        if not tries:
            if row == base:
                break
            row -= 1
            tries, unused, left, right = stack[row, TRIES], stack[row, UNUSED], stack[row, LEFT], stack[row, RIGHT]
            continue
        if calls >= limit or found > most:
            break
        bit = tries & -tries
        tries ^= bit
        calls += 1
        onward, down, up = unused ^ bit, (left | bit) << 1 & every, (right | bit) >> 1
        free = table.allowed[row + 1] & onward & ~(down | up)
        if not free:
            continue
        if row < last:
            stack[row, TRIES], stack[row, QUEEN] = tries, bit
            row += 1
            tries, unused, left, right = free, onward, down, up
            stack[row, UNUSED], stack[row, LEFT], stack[row, RIGHT] = unused, left, right
        else:
            number = _aim(table, onward, down, up)
            first, end = np.int64(table.start[number]), np.int64(table.start[number + 1])
            hits = _count_hits(table.words[first:end], table.mask[0])
            if hits and listing:
                stack[row, QUEEN] = bit
                _flag_hits(table.words[first:end], table.mask[0], table.flags)
                _pack_above(stack, table.packed)
                eights = table.flags_of_eight[: (end - first) >> 3]
                _write_hits(eights, first, table.packed, out[found:], entries[found:])
            found += hits
            calls += hits
    if listing:
        _add_tails(table.columns, entries[counters[FOUND] : found], out[counters[FOUND] : found], last + 1)
    stack[row, TRIES] = tries
    counters[ROW], counters[CALLS], counters[FOUND] = row, calls, found
    return STOPPED if tries else DONE


@jit_inside
def _aim(table: TailsTable, unused: Int, left: Int, right: Int) -> Int:
    """Put the attacked diagonals into `mask`, and return the number of the set of columns left."""
    side = np.int64(table.allowed.size)
    shift = (side + 1) >> 1
    table.mask[0] = left | right << side
    return np.int64(table.place[0, unused & (_ONE << shift) - 1] + table.place[1, unused >> shift])


@jit_inside
def _count_hits(words: Words, mask: Any) -> Int:
    """Count the words that share no bit with the mask."""
    hits = np.uint32(0)
    for i in range(words.size):
        hits = np.uint32(hits + ((words[i] & mask) == 0))
    return np.int64(hits)


@jit_inside
def _flag_hits(words: Words, mask: Any, flags: Bytes) -> None:
    """Write 1 for each word that shares no bit with the mask, else 0."""
    for i in range(words.size):
        flags[i] = (words[i] & mask) == 0


@jit_inside
def _pack_above(stack: Int64s, packed: UInt64s) -> None:
    """Pack the columns of the rows above the tail, a byte each; the bytes after them are zero."""
    packed[:] = np.uint64(0)
    for row in range(stack.shape[0]):
        packed[row >> 3] |= np.uint64(_bits(stack[row, QUEEN] - 1) << ((row & 7) << 3))


@jit_inside
def _write_hits(eights: UInt64s, first: Int, packed: UInt64s, out: UInt64s, entries: Int32s) -> None:
    """Write down the rows above for every placement whose flag is set, and which one that is."""
    at = np.int64(0)
    for eight in range(eights.size):
        flags = eights[eight]
        while flags:
            for word in range(out.shape[1]):
                out[at, word] = packed[word]
            below = (flags - _UNIT) & ~flags  # the zeros below the lowest flag, eight for each byte
            entries[at] = first + 8 * eight + (_bits(np.int64(below)) >> 3)
            flags &= flags - _UNIT
            at += 1


@jit_inside
def _add_tails(columns: UInt64s, entries: Int32s, out: UInt64s, above: Int) -> None:
    """Write down the last rows of all placements.

    They lie anywhere in the table: read one after the other in a loop of their own, the waits for memory overlap.
    """
    first, ahead = above >> 3, np.uint64((above & 7) << 3)
    back = np.uint64(64 - ((above & 7) << 3))
    for at in range(entries.size):
        columns_of = columns[np.uint64(entries[at])]
        out[at, first] |= columns_of << ahead
        if ahead and first + 1 < out.shape[1]:
            out[at, first + 1] |= columns_of >> back


@jit_inside
def _bits(mask: Int) -> Int:
    """Count the bits of a mask: LLVM knows this loop, and makes one instruction of it."""
    count = np.int64(0)
    while mask:
        mask &= mask - 1
        count += 1
    return count
