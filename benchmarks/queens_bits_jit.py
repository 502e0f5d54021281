"""Counting n queens by bit-parallel backtracking: the yardstick of every faster way.

Three words go down the board: taken columns, and attacked diagonals of both kinds, which shift by a column a row; see
:mod:`backrank.queens.backtracking.bits` for the same in Python, and for its history. About 77 rows are entered for
every placement at n = 16, a few nanoseconds each; no memory to speak of.

Bounds: the masks have at most 31 bits, and the left one is cut after every shift, so signed 64-bit words hold
them. The count is at most n!, below 2^63 for n <= 20, and the published Q(27) is below 2^58.
"""

from __future__ import annotations

import numpy as np

from backrank.runtime._jit import jit, jit_inside
from backrank.runtime.status import Int, Int64s


@jit
def count_queens(side: Int) -> Int:
    """Count the placements of `side` queens on a plain square board, 2 <= side <= 31.

    The first queen goes into the left half only, and into the middle column of an odd board: mirror images are doubled.
    """
    stack = np.zeros((4, side), np.int64)
    middle = np.int64(1) << np.int64(side) // 2
    found = 2 * _count_below(side, middle - 1, stack)
    if side % 2:
        found += _count_below(side, middle, stack)
    return found


@jit_inside
def _count_below(side: Int, first: Int, stack: Int64s) -> Int:
    """Count the placements whose first queen stands in one of the columns `first`.

    `stack` is room to work in: per row the columns still to try, the columns not taken, and the attacked diagonals.
    """
    every = (np.int64(1) << np.int64(side)) - 1
    last = np.int64(side) - 2
    row, found = np.int64(0), np.int64(0)
    tries, columns, left, right = np.int64(first), every, np.int64(0), np.int64(0)
    while True:
        if not tries:
            if not row:
                return found
            row -= 1
            tries, columns, left, right = stack[0, row], stack[1, row], stack[2, row], stack[3, row]
            continue
        bit = tries & -tries
        tries ^= bit
        onward = columns ^ bit
        down, up = (left | bit) << 1 & every, (right | bit) >> 1
        free = onward & ~(down | up)
        if row == last:
            found += free != 0  # one column is left for the last row
        elif free:
            if tries:
                stack[0, row], stack[1, row], stack[2, row], stack[3, row] = tries, columns, left, right
            else:
                stack[0, row] = 0
            row += 1
            tries, columns, left, right = free, onward, down, up
