"""One placement of n queens out of those with a given column set above the cut, by its number.

:mod:`backrank.queens.counting.column_sets` counts pairs of half placements with disjoint diagonals, set by set. Here
the pairs of one set are numbered: upper halves in lexicographic order, for each the lower halves that go with it in
theirs. To find a number, both lists are made, and the partners of one upper half after the other are counted until it
is reached.

Bounds: n <= 20. A list entry is a word of the 2 (n - 1) diagonals that cross the cut, at most 38 bits, and a word of
columns, 5 bits each for at most 10 rows. Words are unsigned throughout; counts of pairs of one set are below
10! * 10! < 2^44.
"""

from __future__ import annotations

import numpy as np

from backrank.runtime._jit import jit, jit_inside
from backrank.runtime.status import DONE, STOPPED, Int, Int64s, UInt64s

MAX_SIDE = 20
COLUMN_BITS = 5
_COLUMN_BITS, _ONE, _NOTHING = np.uint64(COLUMN_BITS), np.uint64(1), np.uint64(0)


@jit
def find_pair(cut: Int64s, number: Int, words: UInt64s, packed: UInt64s, columns: Int64s) -> int:
    """Find the placement of a number, from 0, among those with a column set.

    Parameters
    ----------
    cut : (3,) int64
        Side of the board, rows above the cut, and the set of their columns, bit c for column c.
    number : int
    words, packed : (2, capacity) uint64
        Room for the lists of both halves: diagonals, and columns.
    columns : (side,) int64
        Receives the column of each row.

    Returns
    -------
    int
        DONE; or STOPPED if there is too little room, or no such number.
    """
    side, above, chosen = cut[0], cut[1], cut[2]
    stack = np.zeros((4, side), np.int64)
    every = (np.int64(1) << side) - 1
    upper = _list_half(cut, np.int64(0), above, chosen, words[0], packed[0], stack)
    lower = _list_half(cut, above, side, every ^ chosen, words[1], packed[1], stack)
    if upper < 0 or lower < 0:
        return STOPPED
    left = np.int64(number)
    for i in range(upper):
        partners = _count_disjoint(words[0, i], words[1, :lower])
        if left >= partners:
            left -= partners
            continue
        k = np.int64(0)
        while left or (words[0, i] & words[1, k]) != _NOTHING:
            left -= (words[0, i] & words[1, k]) == _NOTHING
            k += 1
        _unpack(packed[0, i], columns[:above])
        _unpack(packed[1, k], columns[above:])
        return DONE
    return STOPPED


@jit_inside
def _list_half(cut: Int64s, first: Int, end: Int, chosen: Int, words: UInt64s, packed: UInt64s, stack: Int64s) -> Int:
    """List the placements of the rows from `first` to below `end` in exactly these columns; -1 if there is no room."""
    every = (np.int64(1) << cut[0]) - 1
    row, size = np.int64(0), np.int64(0)
    free, unused, left, right = np.int64(chosen), np.int64(chosen), np.int64(0), np.int64(0)
    while True:
        if not free:
            if not row:
                return size
            row -= 1
            free, unused, left, right = stack[0, row], stack[1, row], stack[2, row], stack[3, row]
            continue
        bit = free & -free
        stack[0, row], stack[1, row], stack[2, row], stack[3, row] = free ^ bit, unused, left, right
        unused ^= bit
        left, right = (left | bit) << 1 & every, (right | bit) >> 1
        free = unused & ~(left | right)
        row += 1
        if row == end - first:
            if size == words.size:
                return -1
            packed[size] = _packed(stack, row, unused)
            words[size] = _crossed(cut, np.int64(first), row, packed[size])
            size += 1
            free = np.int64(0)


@jit_inside
def _packed(stack: Int64s, rows: Int, unused: Int) -> np.uint64:
    """Return the columns of the queens on the stack, the first row in the highest bits."""
    word = _NOTHING
    for row in range(rows):
        below = stack[1, row + 1] if row + 1 < rows else np.int64(unused)
        word = word << _COLUMN_BITS | np.uint64(_column(stack[1, row] ^ below))
    return word


@jit_inside
def _column(bit: Int) -> Int:
    """Return the number of a bit."""
    column = np.int64(0)
    while bit >> column > 1:
        column += 1
    return column


@jit_inside
def _crossed(cut: Int64s, first: Int, rows: Int, packed: np.uint64) -> np.uint64:
    """Return the diagonals across the cut on which the queens stand, one bit each, side - 1 of both kinds."""
    side, above = cut[0], cut[1]
    word, rest = _NOTHING, packed
    for row in range(first + rows - 1, first - 1, -1):
        col = np.int64(rest & np.uint64(31))
        rest >>= _COLUMN_BITS
        down, up = row - col - (above - side + 1), row + col - above
        if 0 <= down < side - 1:
            word |= _ONE << np.uint64(down)
        if 0 <= up < side - 1:
            word |= _ONE << np.uint64(up + side - 1)
    return word


@jit_inside
def _count_disjoint(word: np.uint64, words: UInt64s) -> Int:
    """Count the words that share no bit with one."""
    found = np.int64(0)
    for i in range(words.size):
        found += (words[i] & word) == _NOTHING
    return found


@jit_inside
def _unpack(packed: np.uint64, columns: Int64s) -> None:
    """Write the columns of a half."""
    rest = packed
    for row in range(columns.size - 1, -1, -1):
        columns[row] = np.int64(rest & np.uint64(31))
        rest >>= _COLUMN_BITS
