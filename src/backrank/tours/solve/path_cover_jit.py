"""Cover any graph by one path and some cycles, from which `backrank.tours.solve.rotation_jit` makes a tour.

Three stages, each in slices, so that the caller can look at the clock. All that a stage knows is in its arrays.

1. *Lay* greedy paths over the board (fewest exits first, ties by the caller's numbers), a new one when one is stuck.
2. *Match*: read the steps of the paths as a matching between squares to leave and squares to enter, and enlarge it by
   augmenting paths until nobody but the ends of an open tour is left over. Now one path and some cycles, back-and-forth
   pairs and lone squares among them, cover the board. If the matching cannot be completed, there is no tour.
3. *Tie* parts together along rails: for a step a-b of one part and c-d of another, with a-c and b-d moves as well,
   switch the two. A union-find tells the parts apart.

Squares with few moves are what makes boards with holes hard; the matching provides for them before the bending starts.

Bounds: counters grow by at most the number of squares between two looks at the limits, which are below 2^62.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from backrank.runtime._jit import jit, jit_inside
from backrank.runtime.status import DONE, STOPPED, Bytes, Int, Int32s, Int64s, UInt64s

# state: int64
AT, HERE, PARTS, LENGTH, CALLS, MOVED, SPARE = range(7)
# settings: int64; HEAD is the square at which an open tour starts, or -1; SPLIT and TURN are chances in 1024
CLOSED, HEAD, SPLIT, TURN = range(4)
# status beside DONE, SOLVED and STOPPED: the matching shows that there is no tour
HOPELESS = 3


class Graph(NamedTuple):
    """What does not change in a hunt.

    Attributes
    ----------
    indptr, indices : int32
        The moves between the squares, numbered without gaps.
    stiff : (n,) uint8
        Whether a square must not be an end of the path.
    ties : (n,) int64
        Which of two squares with as many exits comes first: the one with the lesser number.
    settings : (4,) int64
    """

    indptr: Int32s
    indices: Int32s
    stiff: Bytes
    ties: Int64s
    settings: Int64s


class Strands(NamedTuple):
    """What changes in a hunt.

    Attributes
    ----------
    links : (n, 2) int32
        The neighbours of a square in its part, -1 for none: while laying and matching, where it is entered from and
        left to; while bending, of the squares in cycles only.
    path, place : (n,) int32
        The path, and where on it a square is; -1 if it is not.
    exits : (n,) int32
        Moves to squares not laid yet; later the part of a square, in a union-find.
    marks : (n,) int32
        While matching: from where a square was reached, see `queue`.
    queue : (n,) int32
    state : (7,) int64
    random : (1,) uint64
    """

    links: Int32s
    path: Int32s
    place: Int32s
    exits: Int32s
    marks: Int32s
    queue: Int32s
    state: Int64s
    random: UInt64s


# --- laying ------------------------------------------------------------------------------------------


@jit
def lay(graph: Graph, strands: Strands, limit: int) -> int:
    """Lay greedy paths until every square is on one; `exits` starts as the degrees, `links` and `place` as -1.

    `HERE` is the square where the present path ends, -1 to begin one; `place` marks what is laid.
    """
    state, links, exits = strands.state, strands.links, strands.exits
    size, laid = np.int64(exits.size), np.int64(0)
    while state[LENGTH] < size:
        if laid >= limit:
            return STOPPED
        here, chosen = state[HERE], np.int64(-1)
        if here >= 0:
            chosen = _fewest(graph, strands, here)
        if chosen < 0:
            chosen = graph.settings[HEAD] if state[LENGTH] == 0 else np.int64(-1)
            while chosen < 0 or strands.place[chosen] >= 0:
                chosen = state[AT]
                state[AT] = (state[AT] + 1) % size
            state[PARTS] += 1
        else:
            links[here, 1], links[chosen, 0] = chosen, here
        strands.place[chosen] = state[LENGTH]
        for j in range(graph.indptr[chosen], graph.indptr[chosen + 1]):
            exits[graph.indices[j]] -= 1
        state[HERE] = chosen
        state[LENGTH] += 1
        state[CALLS] += 1
        laid += 1
    return DONE


@jit_inside
def _fewest(graph: Graph, strands: Strands, here: Int) -> np.int64:
    """Return the neighbour with the fewest exits among those not laid yet, or -1."""
    chosen = np.int64(-1)
    for j in range(graph.indptr[here], graph.indptr[here + 1]):
        square = np.int64(graph.indices[j])
        if strands.place[square] < 0 and (
            chosen < 0
            or strands.exits[square] < strands.exits[chosen]
            or (strands.exits[square] == strands.exits[chosen] and graph.ties[square] < graph.ties[chosen])
        ):
            chosen = square
    return chosen


# --- matching ----------------------------------------------------------------------------------------


@jit
def match(graph: Graph, strands: Strands, limit: int) -> int:
    """Augment until all squares are left and entered, but for the ends of an open tour.

    `AT` starts at 0, `marks` at -1.
    `SPARE` is the number of squares that are not left yet, less those that need not be.
    """
    state, links = strands.state, strands.links
    size, looked = np.int64(strands.path.size), np.int64(0)
    while state[SPARE] > 0:
        if looked >= limit:
            return STOPPED
        if state[AT] == size:
            return HOPELESS
        square = state[AT]
        state[AT] += 1
        looked += 1
        if links[square, 1] < 0:
            found, seen = _augment(graph, strands, square)
            looked += seen
            state[SPARE] -= found
    return DONE


@jit_inside
def _augment(graph: Graph, strands: Strands, root: Int) -> tuple[Int, Int]:
    """Search breadth first from a square that is not left to one that is not entered; flip the way there.

    `marks[w]` is the square from which w would be entered. Return 1 if there is a way, and how many squares were seen.
    """
    links, marks, queue = strands.links, strands.marks, strands.queue
    head, done, count, free = graph.settings[HEAD], np.int64(0), np.int64(0), np.int64(-1)
    closed = graph.settings[CLOSED]
    here = np.int64(root)
    while free < 0:
        for j in range(graph.indptr[here], graph.indptr[here + 1]):
            square = np.int64(graph.indices[j])
            if marks[square] >= 0 or (not closed and square == head):
                continue
            marks[square] = here
            queue[count] = square
            count += 1
            if links[square, 0] < 0:
                free = square
                break
        if free >= 0 or done == count:
            break
        here = np.int64(links[queue[done], 0])
        done += 1
    square = free
    while square >= 0:
        here = np.int64(marks[square])
        onward = np.int64(links[here, 1])
        links[square, 0], links[here, 1] = here, square
        square = onward if here != root else np.int64(-1)
    for k in range(count):
        marks[queue[k]] = -1
    return (1 if free >= 0 else 0), count


# --- tying -------------------------------------------------------------------------------------------


@jit
def part(strands: Strands) -> Int:
    """Make `exits` a union-find of the parts, and return how many there are."""
    parent, links = strands.exits, strands.links
    size = np.int64(parent.size)
    for square in range(size):
        parent[square] = square
    parts = size
    for square in range(size):
        if links[square, 1] >= 0:
            parts -= _join(parent, square, np.int64(links[square, 1]))
    return parts


@jit_inside
def _root(parent: Int32s, square: Int) -> np.int64:
    """Return the square that stands for a part, halving the way to it."""
    here = np.int64(square)
    while parent[here] != here:
        parent[here] = parent[parent[here]]
        here = np.int64(parent[here])
    return here


@jit_inside
def _join(parent: Int32s, one: Int, other: Int) -> int:
    """Make one part of two; return 1 if they were two."""
    a, b = _root(parent, one), _root(parent, other)
    if a == b:
        return 0
    parent[max(a, b)] = min(a, b)
    return 1


@jit
def tie(graph: Graph, strands: Strands, limit: int) -> int:
    """Go once over all squares and switch rails between different parts; `AT` starts at 0."""
    state, looked = strands.state, np.int64(0)
    size = np.int64(strands.path.size)
    while state[AT] < size and state[PARTS] > 1:
        if looked >= limit:
            return STOPPED
        for side in range(2):
            if strands.links[state[AT], side] >= 0:
                state[PARTS] -= _switch(graph, strands, state[AT], side)
        state[AT] += 1
        looked += 1
    return DONE


@jit_inside
def _switch(graph: Graph, strands: Strands, a: Int, side: int) -> int:
    """Switch the first rail at a step, if there is one; return 1 if there was."""
    links, parent = strands.links, strands.exits
    b = np.int64(links[a, side])
    for j in range(graph.indptr[a], graph.indptr[a + 1]):
        c = np.int64(graph.indices[j])
        if _root(parent, a) == _root(parent, c):
            continue
        for other in range(2):
            d = np.int64(links[c, other])
            if d >= 0 and is_move(graph, b, d):
                links[a, side], links[c, other] = c, a
                _relink(links, b, a, d)
                _relink(links, d, c, b)
                return _join(parent, a, c)
    return 0


@jit_inside
def _relink(links: Int32s, square: Int, old: Int, new: Int) -> None:
    side = 0 if links[square, 0] == old else 1
    links[square, side] = new


@jit_inside
def is_move(graph: Graph, source: Int, target: Int) -> bool:
    """Whether two squares are one move apart."""
    found = False
    for j in range(graph.indptr[source], graph.indptr[source + 1]):
        found |= graph.indices[j] == target
    return found
