"""The lines of a board and what is left of them, for the search of :mod:`backrank.queens.solve.completion_jit`.

*Balance.* If the queens to come fill all open rows and columns, the sums of their row - col, of their row + col, and of
the squares of both are known. Those of one kind are different open diagonals, so the sum of their squares is at least
that of the open ones next to their mean. If both kinds together come to more than there is, the branch is dead; and if
they would with a queen on some diagonal farther out, that one gets none. No look at single lines sees this: with a
third of the diagonals blocked, most large boards are proven impossible at once. (Looking again when diagonals were
spoilt that way saved nothing.)

Bounds: what is compared for balance is below 16 n^5, so below 2^59 for n <= 2000; larger boards do without. A square is
removed once on any path, so the trail holds at most all squares.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from backrank.runtime._jit import jit_inside
from backrank.runtime.status import Bytes, Int, Int32s, Int64s, UInt64s

# numbers: int64, changed in place; told at `run_completion`
DEPTH, LEFT, REMOVED, CALLS, FOUND, FAILURES, DOWN, UP, SQUARES, CHECKS, HITS = range(11)
NUMBERS = 11
FIRST_CHECKS, RARELY = 1000, 60  # the sums are looked at no more if fewer than one look in sixty ends a branch


class Lines(NamedTuple):
    """The board; nothing changes in a run.

    Attributes
    ----------
    of : (size, 4) int32
        The row, column, diagonal and antidiagonal of every square; all lines are numbered together.
    start, squares : int32
        The squares of every line, as compressed sparse rows.
    first : (5,) int64
        Where the lines of each kind start.
    balance : (2,) int64
        Whether the sums over the diagonals of the queens to come are known; and what is added to row - col for the
        number of a diagonal.
    """

    of: Int32s
    start: Int32s
    squares: Int32s
    first: Int64s
    balance: Int64s


class Position(NamedTuple):
    """What changes with every step.

    Attributes
    ----------
    free : (size,) uint8
        Whether a queen may still stand there.
    counts : (lines,) int32
        Free squares on every line.
    open : (4,) int64
        Lines of each kind that have a free square.
    trail : (size,) int32
        The squares that were removed, in order.
    listed : (4 * size + lines,) int32
        The candidates of every level.
    levels : (5, depth) int64
        Of every level: where its candidates start, which is next, where they end; the length of the trail before it;
        and the candidate that was taken.
    weights : (lines,) int64
        How often a line was the one that broke, and one.
    random : (1,) uint64
        The state of the random numbers; 0 for none: ties and candidates stay in order.
    """

    free: Bytes
    counts: Int32s
    open: Int64s
    trail: Int32s
    listed: Int32s
    levels: Int64s
    weights: Int64s
    random: UInt64s


@jit_inside
def remove(lines: Lines, position: Position, numbers: Int64s, square: Int) -> bool:
    """Note that no queen can stand on a square; return False if that leaves too few lines of a kind."""
    position.free[square] = 0
    position.trail[numbers[REMOVED]] = square
    numbers[REMOVED] += 1
    fine = True
    for kind in range(4):
        line = lines.of[square, kind]
        position.counts[line] -= 1
        if position.counts[line] == 0:
            position.open[kind] -= 1
            if position.open[kind] < numbers[LEFT]:
                position.weights[line] += 1
                fine = False
    return fine


@jit_inside
def clear(lines: Lines, position: Position, numbers: Int64s, line: Int) -> bool:
    """Remove all squares of a line; return False if that is a dead end."""
    if position.counts[line]:
        for i in range(lines.start[line], lines.start[line + 1]):
            square = lines.squares[i]
            if position.free[square] and not remove(lines, position, numbers, square):
                return False
    return True


@jit_inside
def restore(lines: Lines, position: Position, numbers: Int64s, mark: Int) -> None:
    """Take back all removals since the trail had that length."""
    for i in range(numbers[REMOVED] - 1, mark - 1, -1):
        square = position.trail[i]
        position.free[square] = 1
        for kind in range(4):
            line = lines.of[square, kind]
            if position.counts[line] == 0:
                position.open[kind] += 1
            position.counts[line] += 1
    numbers[REMOVED] = mark


@jit_inside
def account(lines: Lines, numbers: Int64s, square: Int, change: Int) -> None:
    """Note that a queen is no more to come (-1), or again (1)."""
    down = np.int64(lines.of[square, 2]) - lines.first[2] - lines.balance[1]
    up = np.int64(lines.of[square, 3]) - lines.first[3]
    numbers[LEFT] += change
    numbers[DOWN] += change * down
    numbers[UP] += change * up
    numbers[SQUARES] += change * (down * down + up * up)


@jit_inside
def is_balanced(lines: Lines, position: Position, numbers: Int64s) -> bool:
    """Whether the open diagonals can have the sums that those of the queens to come must; spoil those too far out."""
    if not lines.balance[0] or numbers[CHECKS] > FIRST_CHECKS + RARELY * numbers[HITS]:
        return True
    numbers[CHECKS] += 1
    left, down, up = numbers[LEFT], numbers[DOWN], numbers[UP]
    room = left * left * numbers[SQUARES] - left * (down * down + up * up)
    down += left * lines.balance[1]
    first, removed = lines.first, numbers[REMOVED]
    spread, far = least_spread(position.counts[first[2] : first[3]], left, down)
    spread_up, far_up = least_spread(position.counts[first[3] : first[4]], left, up)
    room -= spread + spread_up
    # A line farther out than the farthest of those would take its place; if that is too much, it gets no queen.
    fine = (
        room >= 0
        and _trim(lines, position, numbers, 2, down, far + room)
        and _trim(lines, position, numbers, 3, up, far_up + room)
    )
    numbers[HITS] += (not fine) or numbers[REMOVED] > removed
    return bool(fine)


@jit_inside
def least_spread(counts: Int32s, left: Int, total: Int) -> tuple[Int, Int]:
    """Return the least sum of `(left * x - total)^2` over so many different open lines x, and the largest addend."""
    high = total // left
    low, spread, addend = min(high, np.int64(counts.size)) - 1, np.int64(0), np.int64(0)
    for _ in range(left):
        while low >= 0 and counts[low] == 0:
            low -= 1
        while high < counts.size and counts[high] == 0:
            high += 1
        below, above = total - left * low, left * high - total
        if low >= 0 and (high >= counts.size or below < above):
            addend = np.int64(below * below)
            low -= 1
        else:
            addend = np.int64(above * above)
            high += 1
        spread += addend
    return spread, addend


@jit_inside
def _trim(lines: Lines, position: Position, numbers: Int64s, kind: Int, total: Int, most: Int) -> bool:
    """Remove the squares of all lines x of a kind with `(left * x - total)^2 > most`; False if that is a dead end."""
    left, low, high = numbers[LEFT], np.int64(lines.first[kind]), np.int64(lines.first[kind + 1] - 1)
    mean = total + left * low
    while low <= high and (left * low - mean) ** 2 > most:
        if not clear(lines, position, numbers, low):
            return False
        low = np.int64(low + 1)
    while low <= high and (left * high - mean) ** 2 > most:
        if not clear(lines, position, numbers, high):
            return False
        high = np.int64(high - 1)
    return True
