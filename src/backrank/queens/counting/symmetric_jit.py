"""Counting the placements that a symmetry leaves as they are: whole orbits of queens are placed, never single ones.

An orbit is given by the lines on which it has queens, as bits of three words: rows and columns, diagonals of the one
kind, of the other. Row by row, from the top: a row that has no queen yet gets an orbit whose topmost square lies in it,
or stays empty, if rows may. For amazons a table tells which orbits are a knight's move from each other.

Bounds: at most 62 lines a word, so signed 64-bit words hold them. What is found is counted in 64 bits: at most one in a
nanosecond, centuries to overflow.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from backrank.queens.backtracking.rows_jit import CALLS, FOUND
from backrank.queens.backtracking.rows_jit import ROW as DEPTH
from backrank.runtime._jit import jit, jit_inside
from backrank.runtime.status import DONE, STOPPED, Bytes, Int, Int64s

# columns of `stack`: the row to fill, the orbit to try next, the one chosen, used lines, queens and empty rows left
ROW, NEXT, CHOSEN, LINES, DOWN, UP, LEFT, SKIPS = range(8)


class OrbitsTable(NamedTuple):
    """The orbits of a board; nothing changes in a run.

    Attributes
    ----------
    start : (rows + 1,) int64
        Where the orbits with their topmost square in each row start.
    lines : (orbits, 3) int64
        Their lines: row r is bit r of the first word, columns come after the rows; diagonals of both kinds.
    sizes : (orbits,) int64
        How many squares they have.
    near : (orbits, orbits) uint8
        Whether two are a knight's move apart; empty if that does not matter.
    """

    start: Int64s
    lines: Int64s
    sizes: Int64s
    near: Bytes


@jit
def count_orbits(table: OrbitsTable, stack: Int64s, counters: Int64s) -> int:
    """Count placements, going on from where `stack` and `counters` are.

    Parameters
    ----------
    table : OrbitsTable
    stack : (rows + 1, 8) int64
        Its first row says how many queens are to be placed, at least 1, and how many rows stay empty.
    counters : (5,) int64
        As for :func:`backrank.queens.backtracking.rows_jit.count_rows`: depth, least depth, calls, found, limit of
        calls.

    Returns
    -------
    int
        DONE, or STOPPED at the limit.
    """
    rows = table.start.size - 1
    depth, base, calls, found, limit = counters
    while True:
        here = stack[depth]
        orbit = _next_orbit(table, stack, depth)
        end = table.start[here[ROW] + 1]
        here[NEXT] = orbit + 1
        if orbit > end or (orbit == end and not here[SKIPS]):
            if depth == base:
                counters[DEPTH], counters[CALLS], counters[FOUND] = depth, calls, found
                return DONE
            depth -= 1
            continue
        if calls >= limit:
            here[NEXT] = orbit
            counters[DEPTH], counters[CALLS], counters[FOUND] = depth, calls, found
            return STOPPED
        below = stack[depth + 1]
        below[:] = here
        if orbit == end:
            here[CHOSEN] = -1
            below[SKIPS] -= 1
        else:
            calls += 1
            here[CHOSEN] = orbit
            below[LEFT] -= table.sizes[orbit]
            below[LINES] |= table.lines[orbit, 0]
            below[DOWN] |= table.lines[orbit, 1]
            below[UP] |= table.lines[orbit, 2]
        if not below[LEFT]:
            found += 1
            continue
        row = here[ROW] + 1
        while row < rows and below[LINES] >> row & 1:
            row += 1
        if row < rows:
            below[ROW], below[NEXT] = row, table.start[row]
            depth += 1


@jit_inside
def _next_orbit(table: OrbitsTable, stack: Int64s, depth: Int) -> Int:
    """Return the next orbit that may be placed, or where those of the row end."""
    here = stack[depth]
    orbit, end = here[NEXT], table.start[here[ROW] + 1]
    lines, down, up, left = here[LINES], here[DOWN], here[UP], here[LEFT]
    while orbit < end:
        shared = (table.lines[orbit, 0] & lines) | (table.lines[orbit, 1] & down) | (table.lines[orbit, 2] & up)
        if not shared and table.sizes[orbit] <= left and not (table.near.size and _is_near(table, stack, depth, orbit)):
            break
        orbit += 1
    return np.int64(orbit)


@jit_inside
def _is_near(table: OrbitsTable, stack: Int64s, depth: Int, orbit: Int) -> bool:
    """Whether an orbit is a knight's move from one that has been placed."""
    near = False
    for above in range(depth):
        chosen = stack[above, CHOSEN]
        if chosen >= 0 and table.near[chosen, orbit]:
            near = True
    return near
