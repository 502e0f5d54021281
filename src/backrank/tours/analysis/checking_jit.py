"""Checking a tour of any size: every square once, every step a move."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from backrank.runtime._jit import jit

Ints = NDArray[np.int32] | NDArray[np.int64]


@jit
def mark_visits(squares: Ints, first: int, last: int, seen: NDArray[np.uint8], bad: NDArray[np.int64]) -> int:
    """Mark the squares of some steps as seen; return how many of them are no square, or were seen already.

    Threads may share `seen` if their squares differ. Two that race for one square may both miss the repetition;
    then some other square stays unseen, and that is found.

    Parameters
    ----------
    squares : array
        The tour.
    first, last : int
        The steps to look at, from 0: `first` to before `last`.
    seen : array of uint8, one for each square of the grid
        0 at first, 2 for holes.
    bad : array
        Takes the first of the bad steps.
    """
    size = seen.shape[0]
    found = 0
    for step in range(first, last):
        square = squares[step]
        if 0 <= square < size and seen[square] == 0:
            seen[square] = 1
        else:
            if found < bad.shape[0]:
                bad[found] = step
            found += 1
    return found


@jit
def wrong_moves(
    squares: Ints, first: int, last: int, shape: NDArray[np.int64], leap: NDArray[np.int64], bad: NDArray[np.int64]
) -> int:
    """Return how many of some steps are not a leaper's move away from the step before.

    Parameters
    ----------
    squares : array
        The tour; step 0 comes after the last one. Squares off the grid are not judged.
    first, last : int
        The steps to look at, from 0: `first` to before `last`.
    shape : array of 4
        Rows, columns, and whether rows and columns wrap round (1) or not (0).
    leap : array of 2
        The two numbers of the leaper, the lesser first.
    bad : array
        Takes the first of the bad steps.
    """
    rows, cols, rows_wrap, cols_wrap = shape
    low, high = leap
    size = rows * cols
    inverse = 1.0 / cols
    before = np.int64(squares[first - 1])
    row = before // cols
    found = 0
    for step in range(first, last):
        square = np.int64(squares[step])
        # A product and a correction by one at most: several times faster than a division, and as exact below 2^53.
        next_row = np.int64(square * inverse)
        col = square - next_row * cols
        if col < 0:
            next_row -= 1
        elif col >= cols:
            next_row += 1
        down = abs(next_row - row)
        right = abs(square - before - (next_row - row) * cols)
        if not _is_leap(down, right, low, high):
            around = rows - down if rows_wrap else down
            across = cols - right if cols_wrap else right
            is_move = (
                _is_leap(around, right, low, high)
                or _is_leap(down, across, low, high)
                or _is_leap(around, across, low, high)
            )
            if not is_move and 0 <= before < size and 0 <= square < size:
                if found < bad.shape[0]:
                    bad[found] = step
                found += 1
        before, row = square, next_row
    return found


@jit
def _is_leap(down: int, right: int, low: int, high: int) -> bool:
    return (down == low and right == high) or (down == high and right == low)
