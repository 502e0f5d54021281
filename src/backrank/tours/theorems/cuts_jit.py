"""Look for squares without which the board falls into more parts than a tour allows: simulated annealing.

A closed tour that loses k squares falls into at most k pieces, an open one into at most k + 1; the board cannot
fall into more parts than that if it has a tour. Which squares to take away is found by chance: squares are taken away
or given back, worth the parts less the squares taken. In every other era whole classes of squares are, which the
symmetries of the board map to each other. In an era the temperature falls; then all begins anew.
Dropped: classes and single squares in one era, which finds neither what the one nor what the other finds.

It finds what makes most boards impossible that are too large to be searched, and never says that there is a tour. A
step costs the number of moves, since the parts are counted afresh.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from backrank.runtime._jit import jit, jit_inside
from backrank.runtime.status import SOLVED, STOPPED, Bytes, Int, Int32s, Int64s, UInt64s
from backrank.runtime.xorshift_jit import drawn

# state: int64
STEPS, WORTH, TAKEN, LEFT, ERA = range(5)
_STEPS, _HOT, _COLD, _COOLING = 40, 2.0, 0.15, 0.985


class CutState(NamedTuple):
    """The moves, the sets of squares that are taken away together, and what is taken away.

    Attributes
    ----------
    indptr, indices : int32
        The moves between the squares, numbered without gaps.
    first, members : int32
        Set k is `members[first[k]:first[k + 1]]`.
    taken : (n,) uint8
    seen, queue : (n,) int32
        The step at which a square was seen last, and the squares of a part.
    classes : (1,) int64
        How many of the sets are classes; they come first, the single squares behind them.
    state : (5,) int64
    random : (1,) uint64
    """

    indptr: Int32s
    indices: Int32s
    first: Int32s
    members: Int32s
    taken: Bytes
    seen: Int64s
    queue: Int32s
    classes: Int64s
    state: Int64s
    random: UInt64s


@jit
def loosen(cut: CutState, spare: int, limit: int) -> int:
    """Go on for so many steps, or until the parts outnumber the squares taken by more than `spare` (SOLVED)."""
    state, classes = cut.state, cut.classes[0]
    singles = np.int64(cut.first.size - 1) - classes
    for _ in range(limit):
        if state[LEFT] == 0:
            cut.taken[:] = 0
            state[ERA] += 1
            state[WORTH], state[TAKEN] = spare, 0
            state[LEFT] = _STEPS * (classes if state[ERA] & 1 else singles)
        state[STEPS] += 1
        whole = classes if state[ERA] & 1 else singles
        heat = max(_COLD, _HOT * _COOLING ** (_STEPS * whole - state[LEFT]))
        state[LEFT] -= 1
        chosen = drawn(cut.random, whole) + (0 if state[ERA] & 1 else classes)
        _toggle(cut, chosen)
        worth = _parts(cut) - state[TAKEN] if state[TAKEN] else np.int64(spare)
        if worth > spare:
            return SOLVED
        loss = state[WORTH] - worth
        if loss <= 0 or drawn(cut.random, 1 << 20) < np.exp(-loss / heat) * (1 << 20):
            state[WORTH] = worth
        else:
            _toggle(cut, chosen)
    return STOPPED


@jit_inside
def _toggle(cut: CutState, chosen: Int) -> None:
    for k in range(cut.first[chosen], cut.first[chosen + 1]):
        square = cut.members[k]
        cut.taken[square] ^= 1
        cut.state[TAKEN] += 2 * np.int64(cut.taken[square]) - 1


@jit_inside
def _parts(cut: CutState) -> np.int64:
    """Return into how many parts the squares that are left fall."""
    parts, now, seen = np.int64(0), cut.state[STEPS], cut.seen
    for root in range(seen.size):
        if cut.taken[root] or seen[root] == now:
            continue
        parts += 1
        seen[root] = now
        cut.queue[0] = root
        done, count = np.int64(0), np.int64(1)
        while done < count:
            here = np.int64(cut.queue[done])
            done += 1
            for j in range(cut.indptr[here], cut.indptr[here + 1]):
                near = cut.indices[j]
                if not cut.taken[near] and seen[near] != now:
                    seen[near] = now
                    cut.queue[count] = near
                    count += 1
    return parts
