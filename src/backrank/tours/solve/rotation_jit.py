"""Bend a path, in the company of cycles that cover the rest of the board, until it is a tour.

Rotations after L. Pósa (1976). If the path ends next to a cycle, it takes the cycle up; else it is joined to one of its
own squares and opened behind it. Now and then it is opened in front of that square instead: then its end comes off as
a cycle, to be taken up from elsewhere. A square from which a cycle could be taken up, or the tour closed, is chosen
as the new end before others; *stiff* squares, which should not be an end, only if there is no other.

The plain rung of the ladder is `backrank.tours.construct.rotation`, which bends a path without cycles.

Bounds: counters grow by at most the number of squares between two looks at the limits, which are below 2^62.
"""

from __future__ import annotations

import numpy as np

from backrank.runtime._jit import jit, jit_inside
from backrank.runtime.status import DONE, SOLVED, STOPPED, Int
from backrank.runtime.xorshift_jit import drawn
from backrank.tours.solve.path_cover_jit import CALLS, CLOSED, HEAD, LENGTH, MOVED, SPLIT, TURN, Graph, Strands, is_move


@jit
def unroll(graph: Graph, strands: Strands) -> int:
    """Lay out the path, to be bent: that of an open tour, else the longest cycle, opened next to another part."""
    links, place, state = strands.links, strands.place, strands.state
    size = np.int64(place.size)
    closed = graph.settings[CLOSED]
    for square in range(size):
        place[square] = -1
    first = graph.settings[HEAD]
    if closed:
        first = _opening(graph, strands)
    elif first < 0:
        first = np.int64(0)
        while links[first, 0] >= 0 and links[first, 1] >= 0:
            first += 1
    # Walk away from the second link of `first`: along its only link if it is an end.
    count, here = np.int64(0), np.int64(first)
    side = 0 if links[first, 0] >= 0 else 1
    before, after = np.int64(-1), np.int64(links[first, side])
    while True:
        strands.path[count] = here
        place[here] = count
        count += 1
        if after < 0 or after == first:
            break
        before, here = here, after
        after = np.int64(links[here, 1 if links[here, 0] == before else 0])
    state[LENGTH] = count
    return STOPPED


@jit_inside
def _opening(graph: Graph, strands: Strands) -> np.int64:
    """Return a square of the longest cycle at which to open it: neither it nor its second neighbour should be stiff."""
    links, place = strands.links, strands.place
    best, longest = np.int64(0), np.int64(0)
    for root in range(place.size):
        if place[root] >= 0:
            continue
        count, before, here = np.int64(0), np.int64(-1), np.int64(root)
        good = np.int64(-1)
        while place[here] < 0:
            place[here] = 0
            count += 1
            last = np.int64(links[here, 1])
            if last >= 0 and not graph.stiff[here] and not graph.stiff[last]:
                good = here
            after = np.int64(links[here, 0])
            if after == before:
                after = last
            if after < 0:
                break
            before, here = here, after
        if count > longest:
            best, longest = (good if good >= 0 else np.int64(root)), count
    for square in range(place.size):
        place[square] = -1
    return best


@jit
def rotate(graph: Graph, strands: Strands, max_calls: int, max_moved: int) -> int:
    """Bend the path until it is a tour (SOLVED), cannot be bent (DONE) or a limit is reached (STOPPED)."""
    state, path = strands.state, strands.path
    size, closed = np.int64(path.size), graph.settings[CLOSED]
    fixed = not closed and graph.settings[HEAD] >= 0
    idle = 0
    while True:
        length = state[LENGTH]
        last = np.int64(path[length - 1])
        if length == size and (not closed or is_move(graph, last, np.int64(path[0]))):
            return SOLVED
        if state[CALLS] >= max_calls or state[MOVED] >= max_moved:
            return STOPPED
        state[CALLS] += 1
        if not fixed and (idle > 0 or drawn(strands.random, 1024) < graph.settings[TURN]):
            _reverse(strands, 0, length - 1)
            last = np.int64(path[length - 1])
        if _step(graph, strands, last):
            idle = 0
        else:
            idle += 1
            if fixed or idle > 2:
                return DONE


@jit_inside
def _step(graph: Graph, strands: Strands, last: Int) -> bool:
    """Take up a cycle, or rotate, or split one off; return False if the path cannot be bent at this end."""
    length, place, path = strands.state[LENGTH], strands.place, strands.path
    chosen, seen, rank = np.int64(-1), np.int64(0), np.int64(-1)
    for j in range(graph.indptr[last], graph.indptr[last + 1]):
        square = np.int64(graph.indices[j])
        worth = np.int64(_worth(graph, strands, square))
        if worth > rank:
            rank, seen = worth, np.int64(0)
        if worth == rank >= 0:
            seen += 1
            if drawn(strands.random, seen) == 0:
                chosen = square
    if chosen < 0:
        return False
    where = np.int64(place[chosen])
    if where < 0:
        _take_up(graph, strands, chosen)
    elif where > 1 and rank < 2 and not graph.stiff[path[where - 1]] and _is_lucky(graph, strands):
        _split_off(strands, where)
    else:
        _reverse(strands, where + 1, length - 1)
    return True


@jit_inside
def _worth(graph: Graph, strands: Strands, square: Int) -> int:
    """Return how good it is to join the end of the path to a square: 3 takes up a cycle, -1 changes nothing."""
    where = np.int64(strands.place[square])
    if where < 0:
        return 3
    if where == strands.state[LENGTH] - 2:
        return -1
    end = np.int64(strands.path[where + 1])
    if graph.stiff[end]:
        return 0
    return 2 if _is_promising(graph, strands, end) else 1


@jit_inside
def _is_lucky(graph: Graph, strands: Strands) -> bool:
    return bool(drawn(strands.random, 1024) < graph.settings[SPLIT])


@jit_inside
def _is_promising(graph: Graph, strands: Strands, end: Int) -> bool:
    """Whether a path that ends there could take up a cycle at once, or close the tour."""
    whole = strands.state[LENGTH] == strands.path.size
    goal = np.int64(strands.path[0])
    for j in range(graph.indptr[end], graph.indptr[end + 1]):
        near = np.int64(graph.indices[j])
        if strands.place[near] < 0 or (whole and near == goal):
            return True
    return False


@jit_inside
def _reverse(strands: Strands, i: Int, j: Int) -> None:
    """Walk a stretch of the path backwards."""
    path, place = strands.path, strands.place
    low, high = np.int64(i), np.int64(j)
    strands.state[MOVED] += high - low + 1
    while low < high:
        a, b = path[low], path[high]
        path[low], path[high] = b, a
        place[b], place[a] = low, high
        low += 1
        high -= 1


@jit_inside
def _take_up(graph: Graph, strands: Strands, entry: Int) -> None:
    """Append the cycle of a square to the path, beginning with that square, in the better direction."""
    links, state = strands.links, strands.state
    side = drawn(strands.random, 2)
    if links[entry, 0] >= 0:
        stiff_a, stiff_b = graph.stiff[links[entry, 0]], graph.stiff[links[entry, 1]]
        if stiff_a != stiff_b:
            side = np.int64(0) if stiff_b == 0 else np.int64(1)
    # It ends at links[entry, side] and so goes out by the other one.
    before, here = np.int64(entry), np.int64(entry)
    after = np.int64(links[entry, 1 - side])
    count = state[LENGTH]
    while True:
        strands.path[count] = here
        strands.place[here] = count
        count += 1
        if after < 0 or after == entry:
            break
        before, here = here, after
        after = np.int64(links[here, 1 if links[here, 0] == before else 0])
    state[MOVED] += count - state[LENGTH]
    state[LENGTH] = count


@jit_inside
def _split_off(strands: Strands, where: Int) -> None:
    """Close the end of the path, from a place on it, to a cycle."""
    path, links, state = strands.path, strands.links, strands.state
    length = state[LENGTH]
    for k in range(where, length):
        square = path[k]
        links[square, 0] = path[k - 1] if k > where else path[length - 1]
        links[square, 1] = path[k + 1] if k + 1 < length else path[where]
        strands.place[square] = -1
    state[MOVED] += length - where
    state[LENGTH] = where
