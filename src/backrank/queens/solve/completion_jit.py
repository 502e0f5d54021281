"""Completing a placement of queens: exact search over lines, all four kinds alike.

Rows, columns and both kinds of diagonals are lines, and a line has at most one queen. A kind of lines is *tight* if it
has no more open lines (with a free square) than queens are still to come: then each of its open lines must get one,
and if there are fewer, the branch is dead. Rows and columns of an ordinary problem are tight from the start, diagonals
become so when many are spoilt. The search takes the tight line with the fewest free squares, weighed by how often the
line was the one that broke (F. Boussemart, F. Hemery, C. Lecoutre and L. Sais, 2004), and tries its squares in
random order. If no kind is tight, it takes a line of the kind with the least to spare, and leaving it empty is one
more thing to try.

The lines, and what the numbers of the diagonals must add up to, are told of in :mod:`backrank.queens.solve.lines_jit`.
Everything that changes is in arrays of the caller, so a run can stop after any placement and go on later.

Bounds: a line is branched on once on any path, so the candidates of all levels are at most four times the squares.
Counts grow by at most the number of squares a step: below 2^63 for any time that a computer will run.
"""

from __future__ import annotations

import numpy as np

from backrank.queens.solve.lines_jit import (
    CALLS,
    DEPTH,
    FAILURES,
    FOUND,
    LEFT,
    REMOVED,
    Lines,
    Position,
    account,
    clear,
    is_balanced,
    remove,
    restore,
)
from backrank.runtime._jit import jit, jit_inside
from backrank.runtime.status import DONE, SOLVED, STOPPED, Int, Int32s, Int64s, UInt64s

RESTART = 3  # one more status: the limit of failures was reached
# limits: int64
MAX_CALLS, MAX_FAILURES, COUNTING = range(3)
EMPTY = -1  # a candidate: the line gets no queen
FIRST, NEXT, LAST, MARK, CHOSEN = range(5)
_GAMMA, _M1, _M2 = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_S27, _S30, _S31, _S32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)


@jit
def run_completion(lines: Lines, position: Position, numbers: Int64s, limits: Int64s) -> int:
    """Go on until there is an answer, the whole tree is done, or a limit is reached.

    Parameters
    ----------
    lines : Lines
    position : Position
    numbers : (NUMBERS,) int64
        Depth, queens to come, length of the trail, placements made, completions counted, dead ends; for the queens to
        come, if known, the sums of row - col, of row + col, and of the squares of both; and how often these were looked
        at, and ended a branch.
    limits : (3,) int64
        Placements and dead ends at which to stop, and whether to count completions rather than to find one.

    Returns
    -------
    int
        SOLVED: the queens are in the levels; DONE: there are no (more) completions; STOPPED: run again;
        RESTART: so many dead ends were met.
    """
    if numbers[DEPTH] == 0 and not _begin(lines, position, numbers):
        return DONE
    while True:
        depth = _back_up(lines, position, numbers)
        if depth < 0:
            return DONE
        if numbers[CALLS] >= limits[MAX_CALLS]:
            return STOPPED
        if numbers[FAILURES] >= limits[MAX_FAILURES]:
            return RESTART
        if not _step(lines, position, numbers, depth, limits[COUNTING]):
            numbers[FAILURES] += 1
        elif not numbers[LEFT] and not limits[COUNTING]:
            return SOLVED


@jit
def list_completions(lines: Lines, position: Position, numbers: Int64s, limits: Int64s, table: Int32s) -> int:
    """Write the queens of one completion after the other into a table, a row each, from row `numbers[FOUND]` on.

    Returns
    -------
    int
        DONE: that were all; SOLVED: the table is full; STOPPED or RESTART: as for :func:`run_completion`.
    """
    status = SOLVED
    while status == SOLVED and numbers[FOUND] < table.shape[0]:
        status = run_completion(lines, position, numbers, limits)
        if status == SOLVED:
            queen = 0
            for depth in range(numbers[DEPTH]):
                if position.levels[CHOSEN, depth] >= 0:
                    table[numbers[FOUND] - 1, queen] = position.levels[CHOSEN, depth]
                    queen += 1
    return status


@jit
def restart_completion(lines: Lines, position: Position, numbers: Int64s) -> None:
    """Take all queens up again; weights and random numbers stay."""
    restore(lines, position, numbers, np.int64(position.levels[MARK, 0]) if numbers[DEPTH] else numbers[REMOVED])
    for depth in range(numbers[DEPTH]):
        if position.levels[CHOSEN, depth] >= 0:
            account(lines, numbers, position.levels[CHOSEN, depth], 1)
    numbers[DEPTH] = 0
    numbers[FAILURES] = 0


@jit_inside
def _begin(lines: Lines, position: Position, numbers: Int64s) -> bool:
    """Choose the first line, unless there are too few lines of some kind; return False if there is no completion."""
    least = min(position.open[0], position.open[1], position.open[2], position.open[3])
    if least < numbers[LEFT] or not is_balanced(lines, position, numbers):
        return False
    _open_level(lines, position, numbers)
    return True


@jit_inside
def _back_up(lines: Lines, position: Position, numbers: Int64s) -> Int:
    """Go back to the deepest level that has a candidate left, all as it was there; return it, or -1 for none."""
    levels = position.levels
    for depth in range(numbers[DEPTH] - 1, -1, -1):
        if levels[CHOSEN, depth] >= 0:
            account(lines, numbers, levels[CHOSEN, depth], 1)
            levels[CHOSEN, depth] = EMPTY
        restore(lines, position, numbers, levels[MARK, depth])
        if levels[NEXT, depth] < levels[LAST, depth]:
            return depth
        numbers[DEPTH] = depth
    return -1


@jit_inside
def _step(lines: Lines, position: Position, numbers: Int64s, depth: Int, counting: Int) -> bool:
    """Take the next candidate of a level, and see what comes of it; return False if that is a dead end."""
    levels = position.levels
    square = np.int64(position.listed[levels[NEXT, depth]])
    levels[NEXT, depth] += 1
    if not _take(lines, position, numbers, depth, square):
        return False
    if not numbers[LEFT]:
        numbers[FOUND] += 1
        return True
    if counting and numbers[LEFT] == 1:
        numbers[FOUND] += position.free.size - numbers[REMOVED]
        return True
    if not is_balanced(lines, position, numbers):
        return False
    _open_level(lines, position, numbers)
    return True


@jit_inside
def _take(lines: Lines, position: Position, numbers: Int64s, depth: Int, square: Int) -> bool:
    """Place a queen of the level's line, or leave the line empty; return False if that is a dead end."""
    levels = position.levels
    if square < 0:
        # All squares of the line are its candidates, but for the last one, which stands for none of them.
        for i in range(levels[FIRST, depth], levels[LAST, depth] - 1):
            if position.free[position.listed[i]] and not remove(lines, position, numbers, position.listed[i]):
                return False
        return True
    levels[CHOSEN, depth] = square
    numbers[CALLS] += 1
    account(lines, numbers, square, -1)
    fine = True
    for kind in range(4):
        fine = fine and clear(lines, position, numbers, lines.of[square, kind])
    return fine


@jit_inside
def _open_level(lines: Lines, position: Position, numbers: Int64s) -> None:
    """Choose a line, and list its free squares, and leaving it empty if its kind can spare it."""
    line = _choose(lines, position, numbers)
    levels, depth = position.levels, numbers[DEPTH]
    begin = levels[LAST, depth - 1] if depth else np.int64(0)
    end = begin
    for i in range(lines.start[line], lines.start[line + 1]):
        square = lines.squares[i]
        if position.free[square]:
            position.listed[end] = square
            end += 1
    if position.random[0]:
        for i in range(end - 1, begin, -1):
            other = begin + _below(position.random, i - begin + 1)
            position.listed[i], position.listed[other] = position.listed[other], position.listed[i]
    kind = np.int64(0)
    while line >= lines.first[kind + 1]:
        kind += 1
    if position.open[kind] > numbers[LEFT]:
        position.listed[end] = EMPTY
        end += 1
    levels[FIRST, depth], levels[NEXT, depth], levels[LAST, depth] = begin, begin, end
    levels[MARK, depth], levels[CHOSEN, depth] = numbers[REMOVED], EMPTY
    numbers[DEPTH] += 1


@jit_inside
def _choose(lines: Lines, position: Position, numbers: Int64s) -> Int:
    """Return the line to branch on."""
    least = min(position.open[0], position.open[1], position.open[2], position.open[3])
    best, best_count, best_weight, ties = np.int64(-1), np.int64(1), np.int64(0), np.int64(0)
    for kind in range(4):
        if position.open[kind] > least:
            continue
        for line in range(lines.first[kind], lines.first[kind + 1]):
            count, weight = np.int64(position.counts[line]), position.weights[line]
            if count == 0:
                continue
            if count == 1 and least == numbers[LEFT]:
                return np.int64(line)
            one, other = count * best_weight, best_count * weight
            if one == other and position.random[0]:
                ties += 1
                if _below(position.random, ties) == 0:
                    best, best_count, best_weight = np.int64(line), count, weight
            elif one < other:
                best, best_count, best_weight, ties = np.int64(line), count, weight, np.int64(1)
    return best


@jit_inside
def _below(random: UInt64s, bound: Int) -> Int:
    """Return a random number from 0 to below a bound, which is less than 2^31."""
    random[0] += _GAMMA
    bits = random[0]
    bits = (bits ^ bits >> _S30) * _M1
    bits = (bits ^ bits >> _S27) * _M2
    bits ^= bits >> _S31
    return np.int64((bits >> _S32) * np.uint64(bound) >> _S32)
