"""Queens row by row, in words of bits: one search that counts and lists placements of every kind, and can be resumed.

The columns taken and the attacked diagonals of both kinds go down the board, as in
:mod:`backrank.queens.backtracking.bits`. What is added costs a few operations without a branch:

- *empty rows*: a bit beyond the last column stands for leaving the row empty. It is tried last, which gives the
  lexicographic order of squares; `skips` says how often it may still be taken.
- *glued edges*: the masks of diagonals are rotated, not shifted. On a torus of unequal sides there are only gcd(rows,
  cols) diagonals of each kind: the masks have so many bits, and are repeated along the row.
- *amazons*: the knight's moves of the queens in the last two rows (round the edge of a torus: in the first two).
- *the last queen* is not placed when counting: its free squares are counted.

Bounds: at most 60 columns, so a mask with the bit for an empty row is below 2^61, and a shift by two below 2^63, in
signed 64-bit words. The placements found by one run are counted in 64 bits: at most one a nanosecond, they would take
centuries to overflow it; sums over runs are Python ints.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from backrank.runtime._jit import jit, jit_inside
from backrank.runtime.status import DONE, STOPPED, Bytes, Int, Int64s

# columns of `shape`
ROWS, COLS, PERIOD, GLUE, TORUS, KNIGHTS = range(6)
# columns of `stack`
TRIES, UNUSED, LEFT, RIGHT, SKIPS, QUEEN = range(6)
# `counters`; the search does not go back above row BASE, and stops when it has made LIMIT calls
ROW, BASE, CALLS, FOUND, LIMIT = range(5)
_ONE = np.int64(1)


class RowsTable(NamedTuple):
    """A board and its rules; nothing changes in a run.

    Attributes
    ----------
    shape : (6,) int64
        Rows, columns, period of the diagonals; 1 or 0 for columns glued, rows glued, pieces that are knights too.
    allowed : (rows,) int64
        Bit c of a row for its column c, unless that is a hole.
    """

    shape: Int64s
    allowed: Int64s


@jit
def count_rows(table: RowsTable, stack: Int64s, counters: Int64s) -> int:
    """Count placements, going on from where `stack` and `counters` are; at least two queens are still to be placed.

    Parameters
    ----------
    table : RowsTable
    stack : (rows, 6) int64
        Per row: columns still to try, columns not taken, attacked diagonals, rows that may stay empty, the queen's bit.
    counters : (5,) int64
        Changed in place; all five are described above.

    Returns
    -------
    int
        DONE, or STOPPED at the limit.
    """
    rows, cols, period, glue, _, knights = table.shape
    every = (_ONE << cols) - 1
    row, base, calls, found, limit = counters
    tries, unused, left, right, skips = _load(stack, row)
    while True:
        if not tries:
            if row == base:
                _note(stack, counters, row, tries, calls, found)
                return DONE
            row -= 1
            tries, unused, left, right, skips = _load(stack, row)
            continue
        if calls >= limit:
            _note(stack, counters, row, tries, calls, found)
            return STOPPED
        bit = tries & -tries
        tries ^= bit
        queen = bit & every
        spare = skips - (queen == 0)
        onward = unused ^ queen
        fold = queen if period == cols else _folded(queen, period)
        down, up = _down(left | fold, period, glue), _up(right | fold, period, glue)
        attacked = down | up if period == cols else _repeated(down | up, period, cols)
        if knights:
            stack[row, QUEEN] = queen
            attacked |= _knights(table.shape, stack, row + 1)
        free = table.allowed[row + 1] & onward & ~attacked
        calls += queen != 0
        if rows - row - 1 - spare == 1:
            last = _bits(free)
            if spare:
                stack[row, QUEEN] = queen
                last += _count_last(table, stack, row + 1, onward, down, up)
            found += last
            calls += last
            continue
        free |= np.int64(spare > 0) << cols
        if free:
            stack[row, TRIES], stack[row, QUEEN] = tries, queen
            row += 1
            tries, unused, left, right, skips = free, onward, down, up, spare
            _save(stack, row, unused, left, right, skips)


@jit
def list_rows(table: RowsTable, stack: Int64s, counters: Int64s, out: Bytes) -> Int:
    """Write placements into `out`, going on from where `stack` and `counters` are, until it is full.

    Parameters
    ----------
    table, stack, counters
        As for :func:`count_rows`; FOUND is how many rows of `out` are written, and starts anywhere.
    out : (size, rows) uint8
        Receives for each placement the column of the queen in each row, the number of columns where there is none.

    Returns
    -------
    int
        DONE, or STOPPED at the limit or because `out` is full.
    """
    rows, cols, period, glue, _, knights = table.shape
    every = (_ONE << cols) - 1
    row, base, calls, found, limit = counters
    tries, unused, left, right, skips = _load(stack, row)
    while True:
        if not tries:
            if row == base:
                _note(stack, counters, row, tries, calls, found)
                return DONE
            row -= 1
            tries, unused, left, right, skips = _load(stack, row)
            continue
        if calls >= limit or found == out.shape[0]:
            _note(stack, counters, row, tries, calls, found)
            return STOPPED
        bit = tries & -tries
        tries ^= bit
        queen = bit & every
        calls += queen != 0
        if rows - row - skips == (queen != 0):
            stack[row, QUEEN] = queen
            _write(stack, row, out, found, cols)
            found += 1
            continue
        spare = skips - (queen == 0)
        onward = unused ^ queen
        fold = queen if period == cols else _folded(queen, period)
        down, up = _down(left | fold, period, glue), _up(right | fold, period, glue)
        attacked = down | up if period == cols else _repeated(down | up, period, cols)
        if knights:
            stack[row, QUEEN] = queen
            attacked |= _knights(table.shape, stack, row + 1)
        free = table.allowed[row + 1] & onward & ~attacked | np.int64(spare > 0) << cols
        if free:
            stack[row, TRIES], stack[row, QUEEN] = tries, queen
            row += 1
            tries, unused, left, right, skips = free, onward, down, up, spare
            _save(stack, row, unused, left, right, skips)


@jit_inside
def _load(stack: Int64s, row: Int) -> tuple[Int, Int, Int, Int, Int]:
    return stack[row, TRIES], stack[row, UNUSED], stack[row, LEFT], stack[row, RIGHT], stack[row, SKIPS]


@jit_inside
def _save(stack: Int64s, row: Int, unused: Int, left: Int, right: Int, skips: Int) -> None:
    stack[row, UNUSED], stack[row, LEFT], stack[row, RIGHT], stack[row, SKIPS] = unused, left, right, skips


@jit_inside
def _note(stack: Int64s, counters: Int64s, row: Int, tries: Int, calls: Int, found: Int) -> None:
    stack[row, TRIES] = tries
    counters[ROW], counters[CALLS], counters[FOUND] = row, calls, found


@jit_inside
def _down(mask: Int, period: Int, glue: Int) -> Int:
    """Return the diagonals that go to the right, one row further down."""
    return ((mask << 1) | ((mask >> (period - 1)) & glue)) & ((_ONE << period) - 1)


@jit_inside
def _up(mask: Int, period: Int, glue: Int) -> Int:
    """Return the diagonals that go to the left, one row further down."""
    return (mask >> 1) | ((mask & glue) << (period - 1))


@jit_inside
def _folded(queen: Int, period: Int) -> Int:
    """Return the bit of a queen's column modulo the period: 2^c modulo 2^p - 1 is 2^(c mod p), for p > 1."""
    return queen % ((_ONE << period) - 1)


@jit_inside
def _repeated(mask: Int, period: Int, cols: Int) -> Int:
    """Return the diagonals along a whole row."""
    while period < cols:
        mask |= mask << period
        period += period
    return mask & ((_ONE << cols) - 1)


@jit_inside
def _knights(shape: Int64s, stack: Int64s, row: Int) -> Int:
    """Return the squares of a row a knight's move away from the pieces in the rows above, or round the edge below."""
    rows = shape[ROWS]
    attacked = np.int64(0)
    for down in range(1, 3):
        if down <= row:
            attacked |= _beside(shape, stack[row - down, QUEEN], 3 - down)
        around = row + down - rows
        if shape[TORUS] and 0 <= around < row:
            attacked |= _beside(shape, stack[around, QUEEN], 3 - down)
    return attacked


@jit_inside
def _beside(shape: Int64s, queen: Int, distance: Int) -> Int:
    """Return the bits to the left and to the right of one at some distance."""
    cols = shape[COLS]
    every = (_ONE << cols) - 1
    if not shape[GLUE]:
        return np.int64(((queen << distance) | (queen >> distance)) & every)
    ahead = distance % cols
    back = cols - ahead
    around = queen >> back | (queen & ((_ONE << ahead) - 1)) << back
    return np.int64((queen << ahead | queen >> ahead | around) & every)


@jit_inside
def _count_last(table: RowsTable, stack: Int64s, row: Int, unused: Int, left: Int, right: Int) -> Int:
    """Count the squares for the last queen in the rows below this one, which stays empty like those."""
    rows, cols, period, glue, _, knights = table.shape
    total = np.int64(0)
    while row + 1 < rows:
        stack[row, QUEEN] = 0
        row += 1
        left, right = _down(left, period, glue), _up(right, period, glue)
        attacked = _repeated(left | right, period, cols)
        if knights:
            attacked |= _knights(table.shape, stack, row)
        total += _bits(table.allowed[row] & unused & ~attacked)
    return total


@jit_inside
def _bits(mask: Int) -> Int:
    """Count the bits of a mask: LLVM knows this loop, and makes one instruction of it."""
    count = np.int64(0)
    while mask:
        mask &= mask - 1
        count += 1
    return count


@jit_inside
def _write(stack: Int64s, row: Int, out: Bytes, at: Int, cols: Int) -> None:
    """Write down the queens of all rows, the last of them in `row`."""
    for above in range(row + 1):
        queen = stack[above, QUEEN]
        out[at, above] = np.uint8(_bits(queen - 1) if queen else cols)
    for below in range(row + 1, out.shape[1]):
        out[at, below] = np.uint8(cols)
