"""Plain backtracking for tours on at most 64 squares, one call per turn of the loop.

The layout that was fastest of those tried (the others, in calls: a byte per square and a candidate at a time, a quarter
of it; the same masks with one leave per turn, nine tenths; leaves merged without any branch, nine tenths):

- The bare squares are one 64-bit word. The moves of a square are one 64-bit word too, a target in each byte, in move
  order, padded with the square itself. Eight shifts make a byte of them: bit i says that move i leads to a bare
  square. That byte stays right for as long as the piece stands there, so no square is ever looked at twice.
- The stack holds only squares that have moves left, with the bare squares and the depth of their moment. When a
  square has none, one pop goes back over all levels that are used up; nothing is undone square by square.
- Rejects are not counted. A square whose candidates have all been tried has tried as many as it has moves, so it is
  enough to add up the moves of the squares entered: `tried = entered + rejected`, less what the stack still holds.

Bounds: `calls` grows by one a turn; `moves` by at most eight; a run stops at `MAX_CALLS` < 2^59, so all
counters stay below 2^63.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from backrank.runtime._jit import jit, jit_inside
from backrank.runtime.status import (
    CALLS,
    DEEPEST,
    DEPTH,
    DONE,
    MAX_CALLS,
    MAX_SOLUTIONS,
    REJECTS,
    SOLUTIONS,
    SOLVED,
    STOPPED,
    Bytes,
    Int,
    Int64s,
    UInt64s,
)


class MaskTables(NamedTuple):
    """What does not change in a run.

    Attributes
    ----------
    moves : (64,) uint64
        The targets of each square, a byte each, padded with the square itself.
    degrees : (64,) int64
        How many of them there are.
    finals : (64,) uint8
        Whether a full path that ends there is a solution.
    lowest : (256,) uint64
        Eight times the number of the lowest bit of a byte.
    board : (1,) uint64
        A bit for every square that is no hole.
    """

    moves: UInt64s
    degrees: Int64s
    finals: Bytes
    lowest: UInt64s
    board: UInt64s


@jit_inside
def open_moves(moves: np.uint64, bare: np.uint64) -> np.uint64:
    """Return a byte: bit i is set if the target in byte i of `moves` is a bare square."""
    one, last = np.uint64(1), np.uint64(63)
    found = np.uint64(0)
    for lane in range(8):
        place = np.uint64(lane)
        found |= (bare >> (moves >> (place << np.uint64(3)) & last) & one) << place
    return found


@jit
def run_tour_masks(tables: MaskTables, path: Int64s, tried: Int64s, counters: Int64s, limits: Int64s) -> int:
    """Run on from a cursor until a limit is reached; the cursor's arrays are changed in place.

    It stops just after an enter, or after a solution, or at the end. `MAX_EVENTS` is not looked at.

    Parameters
    ----------
    tables : MaskTables
    path, tried : (total,) and (total + 1,) int64
        See :class:`backrank.search.cursor.Cursor`. The path is not empty; a full one has been judged.
    counters, limits : (5,) and (3,) int64
        See :mod:`backrank.runtime.status`.
    """
    stack = np.zeros((66, 4), np.uint64)
    top = _unfold(tables, path, tried, counters[DEPTH], stack)
    calls = counters[CALLS]
    counters[REJECTS] += _untried(tables, path, tried, counters[DEPTH])
    status = _race(tables, path, stack, top, counters, limits)
    _settle(tables, path, tried, counters[DEPTH], status)
    counters[REJECTS] -= _untried(tables, path, tried, counters[DEPTH]) + counters[CALLS] - calls
    return status


@jit_inside
def _race(tables: MaskTables, path: Int64s, stack: UInt64s, top: np.uint64, counters: Int64s, limits: Int64s) -> int:
    """Run the loop; `REJECTS` grows by what the squares entered will have tried when they are left."""
    moves, degrees, finals, lowest = tables.moves, tables.degrees, tables.finals, tables.lowest
    zero, one = np.uint64(0), np.uint64(1)
    total, deepest = np.uint64(path.size), np.uint64(counters[DEEPEST])
    calls, candidates, status = counters[CALLS], counters[REJECTS], DONE
    steps, ways, bare, depth = stack[top, 0], stack[top, 1], stack[top, 2], stack[top, 3]
    while ways != zero:
        rest = ways & (ways - one)
        stack[top, 0], stack[top, 1], stack[top, 2], stack[top, 3] = steps, rest, bare, depth
        top += np.uint64(rest != zero)
        square = steps >> lowest[ways] & np.uint64(63)
        bare &= ~(one << square)
        path[depth] = np.int64(square)
        depth += one
        deepest = max(deepest, depth)
        calls += 1
        if depth < total:
            candidates += degrees[square]
        if calls == limits[MAX_CALLS]:
            status = STOPPED
            break
        steps = moves[square]
        ways = open_moves(steps, bare)
        if depth == total:
            ways = zero
            if not finals[square]:
                candidates += 1
            else:
                counters[SOLUTIONS] += 1
                if counters[SOLUTIONS] == limits[MAX_SOLUTIONS]:
                    status = SOLVED
                    break
        if ways == zero:
            top -= one
            steps, ways, bare, depth = stack[top, 0], stack[top, 1], stack[top, 2], stack[top, 3]
    counters[CALLS], counters[REJECTS] = calls, candidates
    counters[DEEPEST], counters[DEPTH] = np.int64(deepest), 0 if status == DONE else np.int64(depth)
    return status


@jit_inside
def _unfold(tables: MaskTables, path: Int64s, tried: Int64s, depth: Int, stack: UInt64s) -> np.uint64:
    """Put the squares of a path that have ways left on the stack; return the place of the topmost.

    Place 0 holds a square without ways: to come to it is to be done.
    """
    moves, bare = tables.moves, tables.board[0]
    one, top = np.uint64(1), np.uint64(0)
    for k in range(depth):
        square = np.uint64(path[k])
        bare &= ~(one << square)
        done = np.uint64(tried[k + 1])
        ways = open_moves(moves[square], bare) >> done << done
        if k + 1 < path.size and ways != np.uint64(0):
            top += one
            stack[top, 0], stack[top, 1], stack[top, 2], stack[top, 3] = moves[square], ways, bare, np.uint64(k + 1)
    return top


@jit_inside
def _untried(tables: MaskTables, path: Int64s, tried: Int64s, depth: Int) -> Int:
    """Return how many candidates are left to try along a path."""
    left = np.int64(0)
    for k in range(min(depth, path.size - 1)):
        left += tables.degrees[path[k]] - tried[k + 1]
    return left


@jit_inside
def _settle(tables: MaskTables, path: Int64s, tried: Int64s, depth: Int, status: int) -> None:
    """Write down how many moves have been tried at each depth, just after the last square was entered."""
    tried[0] = 1
    for k in range(1, depth):
        lane = np.uint64(0)
        while np.int64(tables.moves[path[k - 1]] >> lane & np.uint64(63)) != path[k]:
            lane += np.uint64(8)
        tried[k] = np.int64(lane >> np.uint64(3)) + 1
    if depth:
        tried[depth] = 1 if status == SOLVED else 0
