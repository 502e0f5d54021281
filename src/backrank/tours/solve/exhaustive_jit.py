"""Exhaustive search for one tour on at most 64 squares, made to prove that there is none: it remembers its failures.

The bare squares are one 64-bit word. What can still come of a path depends on them and on its last square only, not on
how it came there; so every such pair from which nothing came goes into a table, and is not tried twice. The table
has one place for each hash and keeps the latest pair, whole: a pair that is found there did fail.

Before a pair is tried it is looked at as a whole:

- every bare square needs two ways, over bare squares, the last one and (for a closed tour) the first; in an open
  tour one square that may be the end may do with one;
- a square next to the last one, all of whose ways are needed, must come next; two of them cannot both;
- the bare squares must hang together.

What remains is tried fewest ways first. The plain rung of the ladder is `backrank.tours.listing.pruned`.

Bounds: calls grow by one a turn up to a limit below 2^62.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from backrank.runtime._jit import jit, jit_inside
from backrank.runtime.status import DONE, SOLVED, STOPPED, Bytes, Int64s, UInt64s

# state: int64
DEPTH, CALLS = range(2)


class Walls(NamedTuple):
    """What does not change in a search.

    Attributes
    ----------
    near : (64,) uint64
        The squares one move away from each, a bit each.
    goals : (1,) uint64
        The squares on which a tour may end.
    kept : (1,) uint64
        The first square of a closed tour, which stays a way; or nothing.
    allowed : (1,) int64
        How many bare squares may have one way only: 1 if the end is free, else 0.
    """

    near: UInt64s
    goals: UInt64s
    kept: UInt64s
    allowed: Int64s


class PathState(NamedTuple):
    """What changes: at depth d, `d` squares are on the path, `path[d - 1]` the last of them.

    Attributes
    ----------
    bare, untried : (66,) uint64
        The bare squares at each depth, and those that are still to be tried next; at depth 0, the starts.
    path : (64,) uint8
    failed, last : (2^k,) uint64 and uint8
        The table: bare squares, and the last one plus 1.
    state : (2,) int64
    """

    bare: UInt64s
    untried: UInt64s
    path: Bytes
    failed: UInt64s
    last: Bytes
    state: Int64s


@jit_inside
def ones(bits: np.uint64) -> np.int64:
    """Return how many bits are set."""
    bits = bits - (bits >> np.uint64(1) & np.uint64(0x5555555555555555))
    bits = (bits & np.uint64(0x3333333333333333)) + (bits >> np.uint64(2) & np.uint64(0x3333333333333333))
    bits = (bits + (bits >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((bits * np.uint64(0x0101010101010101)) >> np.uint64(56))


@jit
def prove(walls: Walls, walk: PathState, limit: int) -> int:
    """Search on until a tour is found (SOLVED), there is none (DONE), or the calls reach a limit (STOPPED)."""
    state, zero, one = walk.state, np.uint64(0), np.uint64(1)
    depth, calls, status = state[DEPTH], state[CALLS], DONE
    while True:
        untried, bare = walk.untried[depth], walk.bare[depth]
        if untried == zero:
            if depth == 0:
                break
            _remember(walk, bare, walk.path[depth - 1])
            depth -= 1
            continue
        if calls >= limit:
            status = STOPPED
            break
        square = _fewest(walls, untried, bare)
        bit = one << np.uint64(square)
        walk.untried[depth] = untried ^ bit
        bare ^= bit
        calls += 1
        walk.path[depth] = square
        if bare == zero:
            if bit & walls.goals[0]:
                depth += 1
                status = SOLVED
                break
            continue
        if _is_remembered(walk, bare, square):
            continue
        choice = _hopeful(walls, bare, square)
        if choice != zero:
            depth += 1
            walk.bare[depth], walk.untried[depth] = bare, choice
        else:
            _remember(walk, bare, square)
    state[DEPTH], state[CALLS] = depth, calls
    return status


@jit_inside
def _fewest(walls: Walls, untried: np.uint64, bare: np.uint64) -> np.int64:
    """Return the square with the fewest bare neighbours."""
    best, chosen, zero, one = np.int64(99), np.int64(0), np.uint64(0), np.uint64(1)
    while untried != zero:
        lowest = untried & (~untried + one)
        untried ^= lowest
        square = ones(lowest - one)
        exits = ones(walls.near[square] & bare)
        if exits < best:
            best, chosen = exits, square
    return chosen


@jit_inside
def _hopeful(walls: Walls, bare: np.uint64, here: np.int64) -> np.uint64:
    """Return the squares that may come next; none if the bare ones cannot all be visited."""
    zero, one = np.uint64(0), np.uint64(1)
    around = walls.near[here] & bare
    usable = bare | walls.kept[0] | one << np.uint64(here)
    spare, urgent = walls.allowed[0], zero
    # The first square of a closed tour is left now and entered in the end: it has room for two.
    pressing = around if usable ^ bare != walls.kept[0] else zero
    if bare & (bare - one) == zero:
        return np.uint64(around & walls.goals[0])
    rest = bare
    while rest != zero:
        lowest = rest & (~rest + one)
        rest ^= lowest
        ways = walls.near[ones(lowest - one)] & usable
        if ways == zero:
            return zero
        if ways & (ways - one) == zero:
            spare -= 1
            if spare < 0 or lowest & walls.goals[0] == zero:
                return zero
        elif lowest & pressing and ones(ways) == 2:
            urgent |= lowest
    # Those that cannot be the end, and all but `spare` of the others, must come next: one square at most.
    strict = urgent & ~walls.goals[0]
    if ones(strict) > 1 or ones(urgent) > spare + 1 or not _hangs_together(walls, bare):
        return zero
    if strict != zero:
        return np.uint64(strict)
    return np.uint64(urgent if ones(urgent) == spare + 1 else around)


@jit_inside
def _hangs_together(walls: Walls, bare: np.uint64) -> bool:
    zero, one = np.uint64(0), np.uint64(1)
    fresh = bare & (~bare + one)
    left = bare ^ fresh
    while fresh != zero and left:
        lowest = fresh & (~fresh + one)
        reached = walls.near[ones(lowest - one)] & left
        left ^= reached
        fresh = (fresh ^ lowest) | reached
    return bool(left == zero)


@jit_inside
def _place(walk: PathState, bare: np.uint64, here: np.int64) -> np.uint64:
    bits = (bare ^ np.uint64(here) << np.uint64(57)) * np.uint64(0x9E3779B97F4A7C15)
    bits ^= bits >> np.uint64(29)
    bits *= np.uint64(0xBF58476D1CE4E5B9)
    return np.uint64((bits >> np.uint64(32)) & np.uint64(walk.failed.size - 1))


@jit_inside
def _remember(walk: PathState, bare: np.uint64, here: np.int64) -> None:
    at = _place(walk, bare, here)
    walk.failed[at], walk.last[at] = bare, here + 1


@jit_inside
def _is_remembered(walk: PathState, bare: np.uint64, here: np.int64) -> bool:
    at = _place(walk, bare, here)
    return bool(walk.failed[at] == bare and walk.last[at] == here + 1)
