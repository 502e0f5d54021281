"""Backtracking for queens on any board, row by row in a given order or the line with the fewest free squares first.

The same steps as `backrank.search.machine`, so that it can stop between any two events. A byte for every row, column
and diagonal says whether a queen stands on it, so a look at a square is four look-ups.

Bounds: every turn of the loop is one event and adds one to one counter; the caller's limits are below 2^62.
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
    MAX_EVENTS,
    MAX_SOLUTIONS,
    REJECTS,
    SOLUTIONS,
    SOLVED,
    STOPPED,
    Bytes,
    Int,
    Int32s,
    Int64s,
)


class QueensTables(NamedTuple):
    """What does not change in a run.

    Attributes
    ----------
    start, squares : int32
        The lines to fill, each with its squares in the order in which they are tried, as compressed sparse rows.
    lines : (4, size) int32
        The row, column and diagonals through each square, from 0.
    owner : (size,) int32
        The number of the line to fill that holds each square.
    fewest : (1,) uint8
        Whether the line with the fewest free squares comes next, only its free squares being tried.
    """

    start: Int32s
    squares: Int32s
    lines: Int32s
    owner: Int32s
    fewest: Bytes


class _Position(NamedTuple):
    """What changes with every step: the lines that are taken and filled, and the candidates at every depth."""

    taken: Bytes
    filled: Bytes
    listed: Int32s
    first: Int64s
    last: Int64s


@jit
def run_queens_search(tables: QueensTables, path: Int64s, tried: Int64s, counters: Int64s, limits: Int64s) -> int:
    """Run on from a cursor until a limit is reached; the cursor's arrays are changed in place.

    Parameters
    ----------
    tables : QueensTables
    path, tried : (total,) and (total + 1,) int64
        See :class:`backrank.search.cursor.Cursor`.
    counters, limits : (5,) and (3,) int64
        See :mod:`backrank.runtime.status`.
    """
    total, start = path.size, tables.start
    width = np.int64((start[1:] - start[:-1]).max())
    taken = np.zeros((4, np.int64(tables.lines.max()) + 1), np.uint8)
    filled = np.zeros(start.size - 1, np.uint8)
    listed = np.zeros(total * width, np.int32) if tables.fewest[0] else tables.squares
    first, last = np.zeros(total + 1, np.int64), np.zeros(total + 1, np.int64)
    last[total] = 1  # a full board has one candidate: to be judged
    position = _Position(taken, filled, listed, first, last)
    _list(tables, position, path, 0)
    for k in range(counters[DEPTH]):
        _put(tables, position, path, k, path[k])
    return _search(tables, position, path, tried, counters, limits)


@jit_inside
def _search(
    tables: QueensTables, position: _Position, path: Int64s, tried: Int64s, counters: Int64s, limits: Int64s
) -> int:
    """Run the loop, an event a turn."""
    listed, first, last = position.listed, position.first, position.last
    total, depth, status = path.size, counters[DEPTH], DONE
    events = 2 * counters[CALLS] - depth + counters[REJECTS] + counters[SOLUTIONS]
    while depth or first[0] + tried[0] < last[0]:
        if events >= limits[MAX_EVENTS] or counters[CALLS] >= limits[MAX_CALLS]:
            status = STOPPED
            break
        events += 1
        index = tried[depth]
        if first[depth] + index == last[depth]:
            depth -= 1
            _mark(tables, position, path[depth], 0)
            continue
        tried[depth] = index + 1
        if depth == total:
            counters[SOLUTIONS] += 1
            if counters[SOLUTIONS] == limits[MAX_SOLUTIONS]:
                status = SOLVED
                break
            continue
        square = np.int64(listed[first[depth] + index])
        if _is_attacked(tables, position, square):
            counters[REJECTS] += 1
            continue
        _put(tables, position, path, depth, square)
        depth += 1
        tried[depth] = 0
        counters[CALLS] += 1
        counters[DEEPEST] = max(counters[DEEPEST], depth)
    counters[DEPTH] = depth
    return status


@jit_inside
def _list(tables: QueensTables, position: _Position, path: Int64s, depth: Int) -> None:
    """List the candidates at a depth: all squares of the rows that may come next, or the free ones of one line."""
    start, first, last = tables.start, position.first, position.last
    count = np.int64(start.size - 1)
    if not tables.fewest[0]:
        # So many rows are left empty at most that the queens still to come have one each.
        after = np.int64(tables.owner[path[depth - 1]]) + 1 if depth else np.int64(0)
        first[depth] = start[after]
        last[depth] = start[max(after, count - (path.size - depth) + 1)]
        return
    best, least = np.int64(-1), np.int64(0)
    for line in range(count):
        if position.filled[line]:
            continue
        free = np.int64(0)
        for j in range(start[line], start[line + 1]):
            free += not _is_attacked(tables, position, np.int64(tables.squares[j]))
        if best < 0 or free < least:
            best, least = np.int64(line), free
    first[depth] = last[depth] = depth * (position.listed.size // path.size)
    for j in range(start[best], start[best + 1]):
        if not _is_attacked(tables, position, np.int64(tables.squares[j])):
            position.listed[last[depth]] = tables.squares[j]
            last[depth] += 1


@jit_inside
def _is_attacked(tables: QueensTables, position: _Position, square: Int) -> bool:
    """Whether a queen stands on a line through the square."""
    taken, lines = position.taken, tables.lines
    on_rank_or_file = taken[0, lines[0, square]] | taken[1, lines[1, square]]
    on_diagonal = taken[2, lines[2, square]] | taken[3, lines[3, square]]
    return bool((on_rank_or_file | on_diagonal) != 0)


@jit_inside
def _put(tables: QueensTables, position: _Position, path: Int64s, depth: Int, square: Int) -> None:
    """Place a queen, and list what is next."""
    _mark(tables, position, square, 1)
    path[depth] = square
    if depth + 1 < path.size:
        _list(tables, position, path, depth + 1)


@jit_inside
def _mark(tables: QueensTables, position: _Position, square: Int, value: int) -> None:
    """Note that a queen stands on a square (1), or no more (0)."""
    for kind in range(4):
        position.taken[kind, tables.lines[kind, square]] = value
    position.filled[tables.owner[square]] = value
