"""Backtracking for tours on any board, in any of the orders below, with or without an eye on dead ends.

The same steps as `backrank.search.machine`, so that it can stop between any two events. The candidates of a
square are listed when it is entered and kept until it is left; the fixed order needs no list of its own. Onward moves
(for Warnsdorff's rule) and ways (for dead ends) are kept up to date: a step changes those of eight squares.

Bounds: every turn of the loop is one event and adds one to one counter; the caller's limits are below 2^62. Keys are at
most 8 × (rows² + cols²) + (rows + cols)² < 2^45 on boards of a million squares, or 63 bits of a hash.
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

# settings: int64
ORDER, PRUNE, KEPT, END, ALLOWED, STARVED, FURTHEST, SEED, WIDTH = range(9)
# ORDER
FIXED, DEGREE, WARNSDORFF, WARNSDORFF_ROTH, RANDOM = range(5)


class TourTables(NamedTuple):
    """What does not change in a run.

    Attributes
    ----------
    indptr, indices : int32
        The move graph, see :class:`backrank.geometry.pieces.MoveGraph`.
    need, distance : (size,) int64
        How many ways a square needs, and how far it is from the centre.
    finals : (size,) uint8
        Whether a full path that ends there is a solution.
    settings : (9,) int64
        The order, and the numbers that it and the pruning need. `STARVED` is for the empty board, `WIDTH` is the
        greatest number of moves of a square.
    """

    indptr: Int32s
    indices: Int32s
    need: Int64s
    distance: Int64s
    finals: Bytes
    settings: Int64s


class _Walk(NamedTuple):
    """What changes with every step: marks and numbers by square, and the candidates listed at every depth."""

    visited: Bytes
    exits: Int64s
    ways: Int64s
    listed: Int32s
    first: Int64s
    last: Int64s
    keys: Int64s
    starved: Int64s


@jit
def run_tour_search(tables: TourTables, path: Int64s, tried: Int64s, counters: Int64s, limits: Int64s) -> int:
    """Run on from a cursor until a limit is reached; the cursor's arrays are changed in place.

    Parameters
    ----------
    tables : TourTables
    path, tried : (total,) and (total + 1,) int64
        See :class:`backrank.search.cursor.Cursor`; the path is not empty.
    counters, limits : (5,) and (3,) int64
        See :mod:`backrank.runtime.status`.
    """
    total, size, width = path.size, tables.finals.size, tables.settings[WIDTH]
    fixed = tables.settings[ORDER] == FIXED
    degrees = (tables.indptr[1:] - tables.indptr[:-1]).astype(np.int64)
    listed = tables.indices if fixed else np.zeros(total * width, np.int32)
    first, last = np.zeros(total + 1, np.int64), np.zeros(total + 1, np.int64)
    last[total] = 1  # a full path has one candidate: to be judged
    keys, starved = np.zeros(width + 1, np.int64), np.zeros(1, np.int64)
    starved[0] = tables.settings[STARVED]
    walk = _Walk(np.zeros(size, np.uint8), degrees.copy(), degrees, listed, first, last, keys, starved)
    _unfold(tables, walk, path, counters[DEPTH])
    return _search(tables, walk, path, tried, counters, limits)


@jit_inside
def _search(tables: TourTables, walk: _Walk, path: Int64s, tried: Int64s, counters: Int64s, limits: Int64s) -> int:
    """Run the loop, an event a turn."""
    listed, first, last = walk.listed, walk.first, walk.last
    total, depth, status = path.size, counters[DEPTH], DONE
    events = 2 * counters[CALLS] - depth + counters[REJECTS] + counters[SOLUTIONS]
    while depth:
        if events >= limits[MAX_EVENTS] or counters[CALLS] >= limits[MAX_CALLS]:
            status = STOPPED
            break
        events += 1
        index = tried[depth]
        if first[depth] + index == last[depth]:
            depth -= 1
            _take(tables, walk, path, depth)
            continue
        tried[depth] = index + 1
        if depth == total:
            final = tables.finals[path[depth - 1]]
            counters[SOLUTIONS if final else REJECTS] += 1
            if final and counters[SOLUTIONS] == limits[MAX_SOLUTIONS]:
                status = SOLVED
                break
            continue
        square = np.int64(listed[first[depth] + index])
        if _is_refused(tables, walk, path, depth, square):
            counters[REJECTS] += 1
            continue
        _put(tables, walk, path, depth, square)
        depth += 1
        tried[depth] = 0
        counters[CALLS] += 1
        counters[DEEPEST] = max(counters[DEEPEST], depth)
    counters[DEPTH] = depth
    return status


@jit_inside
def _unfold(tables: TourTables, walk: _Walk, path: Int64s, depth: Int) -> None:
    """Enter the squares of a path."""
    for k in range(depth):
        _put(tables, walk, path, k, path[k])


@jit_inside
def _list(tables: TourTables, walk: _Walk, here: Int, depth: Int) -> None:
    """List the candidates at a depth: all neighbours in the fixed order, else the bare ones by their keys."""
    indptr, order = tables.indptr, tables.settings[ORDER]
    if order == FIXED:
        walk.first[depth], walk.last[depth] = indptr[here], indptr[here + 1]
        return
    base, count = depth * tables.settings[WIDTH], np.int64(0)
    for j in range(indptr[here], indptr[here + 1]):
        square = np.int64(tables.indices[j])
        if walk.visited[square]:
            continue
        if order == DEGREE:
            key = np.int64(indptr[square + 1]) - np.int64(indptr[square])
        elif order == WARNSDORFF:
            key = walk.exits[square]
        elif order == WARNSDORFF_ROTH:
            key = walk.exits[square] * tables.settings[FURTHEST] - tables.distance[square]
        else:
            key = mixed(tables.settings[SEED], depth, here, square)
        _insert(walk, base, count, square, key)
        count += 1
    walk.first[depth], walk.last[depth] = base, base + count


@jit_inside
def _insert(walk: _Walk, base: Int, count: Int, square: Int, key: Int) -> None:
    """Insert a candidate behind those of lower and equal keys: a handful of entries, and ties keep the move order."""
    k = count
    while k > 0 and walk.keys[k - 1] > key:
        walk.keys[k] = walk.keys[k - 1]
        walk.listed[base + k] = walk.listed[base + k - 1]
        k -= 1
    walk.keys[k] = key
    walk.listed[base + k] = square


@jit_inside
def mixed(seed: Int, depth: Int, here: Int, square: Int) -> np.int64:
    """Return the hash of `backrank.search.strategies.hashed.mixed`: SplitMix64, once per number."""
    bits = np.uint64(0)
    for number in (seed, depth, here, square):
        bits = (bits ^ np.uint64(number)) + np.uint64(0x9E3779B97F4A7C15)
        bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        bits ^= bits >> np.uint64(31)
    return np.int64(bits >> np.uint64(1))


@jit_inside
def _put(tables: TourTables, walk: _Walk, path: Int64s, depth: Int, square: Int) -> None:
    """Enter a square: mark it, bring onward moves and ways up to date as far as needed, and list what is next."""
    settings = tables.settings
    if settings[PRUNE] and depth:
        walk.starved[0] -= walk.ways[square] < tables.need[square]
        _change_ways(tables, walk, path[depth - 1], square, -1)
    walk.visited[square] = 1
    path[depth] = square
    if settings[ORDER] == WARNSDORFF or settings[ORDER] == WARNSDORFF_ROTH:
        _change_exits(tables, walk, square, -1)
    if depth + 1 < path.size:
        _list(tables, walk, square, depth + 1)


@jit_inside
def _take(tables: TourTables, walk: _Walk, path: Int64s, depth: Int) -> None:
    """Leave the last square, which is `path[depth]`: undo :func:`_put`."""
    settings, square = tables.settings, path[depth]
    walk.visited[square] = 0
    if settings[ORDER] == WARNSDORFF or settings[ORDER] == WARNSDORFF_ROTH:
        _change_exits(tables, walk, square, 1)
    if settings[PRUNE] and depth:
        _change_ways(tables, walk, path[depth - 1], square, 1)
        walk.starved[0] += walk.ways[square] < tables.need[square]


@jit_inside
def _change_exits(tables: TourTables, walk: _Walk, square: Int, by: int) -> None:
    """Take from the neighbours of a square the onward move to it, or give it back."""
    for j in range(tables.indptr[square], tables.indptr[square + 1]):
        walk.exits[tables.indices[j]] += by


@jit_inside
def _change_ways(tables: TourTables, walk: _Walk, here: Int, square: Int, by: int) -> None:
    """Take from the bare neighbours of `here` the way over it, or give it back; `square` is not one of them."""
    if here == tables.settings[KEPT]:
        return
    ways, need = walk.ways, tables.need
    for j in range(tables.indptr[here], tables.indptr[here + 1]):
        near = np.int64(tables.indices[j])
        if not walk.visited[near] and near != square:
            walk.starved[0] -= ways[near] < need[near]
            ways[near] += by
            walk.starved[0] += ways[near] < need[near]


@jit_inside
def _is_refused(tables: TourTables, walk: _Walk, path: Int64s, depth: Int, square: Int) -> bool:
    """Whether a square has been visited, or a step there makes a dead end; see `search.strategies.dead_ends`."""
    if walk.visited[square]:
        return True
    if not tables.settings[PRUNE]:
        return False
    if square == tables.settings[END] and depth + 1 < path.size:
        return True
    here, ways, need = path[depth - 1], walk.ways, tables.need
    starved = walk.starved[0] - (ways[square] < need[square])
    if here != tables.settings[KEPT]:
        for j in range(tables.indptr[here], tables.indptr[here + 1]):
            near = np.int64(tables.indices[j])
            if not walk.visited[near] and near != square:
                if ways[near] == 1:
                    return True
                starved += ways[near] == need[near]
    return bool(starved > tables.settings[ALLOWED])
