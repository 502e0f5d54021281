"""The tour of a number, or the number of a tour, among the few that have one beginning: by listing them.

The search is that of :mod:`backrank.tours.listing.pruned`: lexicographic, and no step is made that leaves some bare
square with too few ways. It goes on from a beginning, and where it may end is told by a flag for every square.

Bounds: everything is int64; squares are below 2^31, and numbers of steps below the limit that is handed over.
"""

from __future__ import annotations

import numpy as np

from backrank.runtime._jit import jit, jit_inside
from backrank.runtime.status import Int, Int64s

NONE, GIVEN_UP = -1, -2
BEGUN, STARVED, ALLOWED, SOLE, STEPS = range(5)  # places in `plan`
GOAL, UNVISITED, WAYS, NEED = range(4)  # rows of `squares`


@jit
def find_tour(near: Int64s, squares: Int64s, plan: Int64s, path: Int64s, target: Int64s, number: Int) -> int:
    """Find a tour among those with a beginning.

    Parameters
    ----------
    near : (squares, most) int64
        The neighbours of every square in ascending order, then -1.
    squares : (4, squares) int64
        Whether each may be the last, whether it is bare, its ways and how many it needs; changed.
    plan : (5,) int64
        How many squares the beginning has, how many bare squares have too few ways and how many may, the square that
        must be the last or -1, and how many steps may be made; changed.
    path : (total,) int64
        The beginning; receives the tour.
    target : (total,) int64
        The tour whose number is asked for, or -1 throughout.
    number : int
        The number of the tour that is asked for, from 0, or -1.

    Returns
    -------
    int
        The number of the tour in `path`; NONE if it is not there; GIVEN_UP if that took too many steps.
    """
    total, tried = path.size, np.zeros(path.size, np.int64)
    depth = plan[BEGUN]
    seen = np.int64(0)
    while depth >= plan[BEGUN]:
        square = _next_square(near, squares, plan, path, tried, depth)
        if square < 0:
            depth -= 1
            if depth >= plan[BEGUN]:
                _leave(near, squares, plan, path[depth - 1], path[depth])
            continue
        if not plan[STEPS]:
            return GIVEN_UP
        plan[STEPS] -= 1
        _enter(near, squares, plan, path[depth - 1], square)
        path[depth], tried[depth] = square, 0
        depth += 1
        if depth == total and squares[GOAL, square]:
            if seen == number or _equal(path, target):
                return int(seen)
            seen += 1
    return NONE


@jit_inside
def _next_square(near: Int64s, squares: Int64s, plan: Int64s, path: Int64s, tried: Int64s, depth: Int) -> Int:
    """Return the next square to step on, or -1."""
    here = path[depth - 1]
    while tried[depth - 1] < near.shape[1]:
        square = near[here, tried[depth - 1]]
        tried[depth - 1] += 1
        if square < 0:
            break
        if squares[UNVISITED, square] and not _is_dead_end(near, squares, plan, here, square, depth + 1 == path.size):
            return np.int64(square)
    return np.int64(-1)


@jit_inside
def _is_dead_end(near: Int64s, squares: Int64s, plan: Int64s, here: Int, square: Int, is_last: bool) -> bool:
    """Whether a step leaves more bare squares with too few ways than there may be, or one with none."""
    if square == plan[SOLE] and not is_last:
        return True
    starved = plan[STARVED] - np.int64(squares[WAYS, square] < squares[NEED, square])
    for k in range(near.shape[1]):
        other = near[here, k]
        if other < 0:
            break
        if not squares[UNVISITED, other] or other == square:
            continue
        if squares[WAYS, other] == 1:
            return True
        starved += np.int64(squares[WAYS, other] == squares[NEED, other])
    return bool(starved > plan[ALLOWED])


@jit_inside
def _enter(near: Int64s, squares: Int64s, plan: Int64s, here: Int, square: Int) -> None:
    """Make a step."""
    plan[STARVED] -= np.int64(squares[WAYS, square] < squares[NEED, square])
    squares[UNVISITED, square] = 0
    for k in range(near.shape[1]):
        other = near[here, k]
        if other < 0:
            break
        if squares[UNVISITED, other]:
            plan[STARVED] += np.int64(squares[WAYS, other] == squares[NEED, other])
            squares[WAYS, other] -= 1


@jit_inside
def _leave(near: Int64s, squares: Int64s, plan: Int64s, here: Int, square: Int) -> None:
    """Take a step back."""
    for k in range(near.shape[1]):
        other = near[here, k]
        if other < 0:
            break
        if squares[UNVISITED, other]:
            squares[WAYS, other] += 1
            plan[STARVED] -= np.int64(squares[WAYS, other] == squares[NEED, other])
    squares[UNVISITED, square] = 1
    plan[STARVED] += np.int64(squares[WAYS, square] < squares[NEED, square])


@jit_inside
def _equal(path: Int64s, target: Int64s) -> bool:
    """Whether two tours are the same."""
    k = path.size - 1
    while k >= 0 and path[k] == target[k]:
        k -= 1
    return bool(k < 0)
