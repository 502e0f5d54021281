"""One placement of n queens by local search on permutations, in the steps of `queens.solve.local_search`.

A queen a row and a column; a counter for every diagonal says how many queens stand on it, so what an exchange of two
queens would change is known after looking at twelve counters, whatever n.

Bounds: rows are below 2^31, so sums fit; a counter is at most n. Tries are counted in 64 bits. The random numbers are
those of :class:`backrank.runtime.rng.Dice`.
"""

from __future__ import annotations

import numpy as np

from backrank.runtime._jit import jit, jit_inside
from backrank.runtime.status import DONE, STOPPED, Bytes, Int, Int32s, Int64s, UInt64s

# numbers: int64, changed in place
SCATTERED, WAITING, TRIES = range(3)
PATIENCE = 100  # columns that are tried for a row before the rest is left to be mended
_GAMMA, _M1, _M2 = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_S27, _S30, _S31, _S32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)


@jit
def run_local(
    columns: Int32s, diagonals: Int32s, waiting: Int32s, is_waiting: Bytes, numbers: Int64s, dice: UInt64s, limit: Int
) -> int:
    """Go on until no queen attacks another, or so many tries have been made in all; arrays are changed in place.

    Parameters
    ----------
    columns : (n,) int32
        At first 0 to n - 1.
    diagonals : (2, 2 n) int32
        Queens on each diagonal, by `row - col + n` and by `row + col`; at first 0.
    waiting, is_waiting : (n,) int32 and uint8
        Rows whose queens may be under attack, and whether a row is one of them.
    numbers : (3,) int64
        Rows that have been filled, rows that wait, tries.
    dice : (1,) uint64
        The state of the random numbers.
    limit : int

    Returns
    -------
    int
        DONE, or STOPPED.
    """
    n = columns.size
    while numbers[SCATTERED] < n:
        if numbers[TRIES] >= limit:
            return STOPPED
        if not _scatter_one(columns, diagonals, numbers, dice):
            _scatter_rest(columns, diagonals, waiting, is_waiting, numbers, dice)
    while numbers[WAITING]:
        row = np.int64(waiting[numbers[WAITING] - 1])
        if not _is_attacked(columns, diagonals, row):
            numbers[WAITING] -= 1
            is_waiting[row] = 0
            continue
        if numbers[TRIES] >= limit:
            return STOPPED
        numbers[TRIES] += 1
        other = _below(dice, n)
        if other != row and _exchange(columns, diagonals, row, other) and not is_waiting[other]:
            is_waiting[other] = 1
            waiting[numbers[WAITING]] = other
            numbers[WAITING] += 1
    return DONE


@jit_inside
def _scatter_one(columns: Int32s, diagonals: Int32s, numbers: Int64s, dice: UInt64s) -> bool:
    """Fill the next row where no queen above attacks it; return False if no such column was hit upon."""
    n, row = columns.size, numbers[SCATTERED]
    for _ in range(PATIENCE):
        numbers[TRIES] += 1
        other = row + _below(dice, n - row)
        column = np.int64(columns[other])
        if diagonals[0, row - column + n] == 0 and diagonals[1, row + column] == 0:
            columns[other], columns[row] = columns[row], column
            _put(diagonals, n, row, column, 1)
            numbers[SCATTERED] += 1
            return True
    return False


@jit_inside
def _scatter_rest(
    columns: Int32s, diagonals: Int32s, waiting: Int32s, is_waiting: Bytes, numbers: Int64s, dice: UInt64s
) -> None:
    """Fill the other rows with the columns that are left, in random order; their queens wait."""
    n = columns.size
    for row in range(numbers[SCATTERED], n):
        other = row + _below(dice, n - row)
        columns[other], columns[row] = columns[row], columns[other]
        _put(diagonals, n, row, columns[row], 1)
        waiting[numbers[WAITING]] = row
        is_waiting[row] = 1
        numbers[WAITING] += 1
    numbers[SCATTERED] = n


@jit_inside
def _put(diagonals: Int32s, n: Int, row: Int, column: Int, change: Int) -> None:
    """Count a queen on its diagonals (1), or no more (-1)."""
    diagonals[0, row - column + n] += change
    diagonals[1, row + column] += change


@jit_inside
def _is_attacked(columns: Int32s, diagonals: Int32s, row: Int) -> bool:
    """Whether another queen stands on a diagonal of this one."""
    column = np.int64(columns[row])
    return bool(diagonals[0, row - column + columns.size] > 1 or diagonals[1, row + column] > 1)


@jit_inside
def _met(diagonals: Int32s, n: Int, row: Int, column: Int) -> Int:
    """Return how many queens stand on the diagonals of a square."""
    return np.int64(diagonals[0, row - column + n]) + np.int64(diagonals[1, row + column])


@jit_inside
def _exchange(columns: Int32s, diagonals: Int32s, row: Int, other: Int) -> bool:
    """Let two queens exchange their columns, unless that makes more attacking pairs; return whether they did."""
    n, one, two = columns.size, np.int64(columns[row]), np.int64(columns[other])
    _put(diagonals, n, row, one, -1)
    before = _met(diagonals, n, row, one)
    _put(diagonals, n, other, two, -1)
    before += _met(diagonals, n, other, two)
    after = _met(diagonals, n, row, two)
    _put(diagonals, n, row, two, 1)
    after += _met(diagonals, n, other, one)
    if after > before:
        _put(diagonals, n, row, two, -1)
        _put(diagonals, n, row, one, 1)
        _put(diagonals, n, other, two, 1)
        return False
    _put(diagonals, n, other, one, 1)
    columns[row], columns[other] = two, one
    return True


@jit_inside
def _below(dice: UInt64s, bound: Int) -> Int:
    """Return a random number from 0 to below a bound, which is less than 2^31."""
    dice[0] += _GAMMA
    bits = dice[0]
    bits = (bits ^ bits >> _S30) * _M1
    bits = (bits ^ bits >> _S27) * _M2
    bits ^= bits >> _S31
    return np.int64((bits >> _S32) * np.uint64(bound) >> _S32)
