"""The steps of a frontier count over packed states: successors, written into the chains of their partitions.

:mod:`backrank.tours.counting.layers` tells the idea and drives these kernels. A state is one word, four bits for each
slot of the frontier: 0 a bare square, 1 an inner one (degree 2), 2 a loose end whose far end is final, and from 3 up
the two ends of a piece of path, which bear the same label. Labels are numbered by first appearance, so that equal
frontiers are equal words; 16 slots have at most 8 labels, so 15 is free for a label that is being moved.

Whole words are searched at once: a mask has one bit, the lowest, for each slot that it selects (`_ONES`).

Entries are `stride` words: the complement of the state (two words of it if it is that of
:mod:`backrank.tours.frontier.wide_states_jit`), and the limbs of the number of ways, the lowest first. Where they are
kept is told by :mod:`backrank.tours.frontier.blocks_jit`.

Bounds: numbers of ways are copied, never added. Words are unsigned throughout; positions are signed or unsigned, but
never both in one expression.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from backrank.runtime._jit import jit, jit_inlined, jit_inside
from backrank.runtime.status import Int, UInt64s
from backrank.tours.frontier.blocks_jit import BLOCK, BlockScratch, let_go, place_of

POSITIONS = 16
TAIL = 2  # a loose end whose far end is final
BOTH = 2  # in `Step.words[ENDING]`: one end of each class
# places in `Step.words`
OWN_SHIFT, OWN_MASK, OWN_FRESH, FRESH, FINISHED, CAN_FINISH, ENDS, ENDING, OWN_CLASS, WHITE, BLACK, BALANCE, FAST = (
    range(13)
)
# columns of `Step.hits`, and of `Step.checks`
CHECKED, WAYS, NEAR, NEED, CLASS, NEAR_HIGH = range(6)
HIT, RAISED = range(2)

_ZERO, _ONE, _TWO, _THREE = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(3)
_FOUR, _NIBBLE, _BLOCK = np.uint64(4), np.uint64(15), np.uint64(BLOCK)
_ONES = np.uint64(0x1111111111111111)
_MOVING = np.uint64(15)
_TAIL, _LABEL = np.uint64(TAIL), np.uint64(3)
_SELF, _MATE, _MATE_AT, _PLACE, _HIT, _RAISED = range(6)  # rows of `Room.loose`


class Step(NamedTuple):
    """One step of a sweep, in shifts: four times a slot.

    Attributes
    ----------
    words : (13,) uint64
        The shift of the square's own slot, 15 if it was active before (else 0), what it holds if it was not, what
        squares that become active hold, the state when everything is done, whether that can be now; the number of
        ends of the path that are free or have been active, the class of squares that the free ones must be in (0,
        1, or `BOTH`: one in each), the class of the square itself; masks of the slots of either class, and what it
        takes (modulo 4) for the degrees of the first class to outweigh the second by 1 if the first end is there;
        whether there are at most 64 checks.
    high : (13,) uint64
        The high words of those among them that are states or masks; see :mod:`backrank.tours.frontier.wide_states_jit`.
    later : uint64
        The shifts of the later neighbours.
    checks : (n, 6) uint64
        For squares that could starve: shift, number of later neighbours, a mask of those that are active, how many
        it needs if it is not active itself (else 0), its class, and the high word of the mask.
    hits : (later, 2) uint64
        For every later neighbour a mask of the checks that lose a way when it becomes inner, and that of its own.
    mirror : (16,), (24,) or (0,) uint64
        For every slot the shift of the slot whose mirror image it is; nothing if the step is not symmetric.
    """

    words: UInt64s
    high: UInt64s
    later: UInt64s
    checks: UInt64s
    hits: UInt64s
    mirror: UInt64s


@jit
def expand(step: Step, room: BlockScratch, at: UInt64s, most: int, stride: int) -> int:
    """Write the successors of the states of a chain into the chains of their partitions; its blocks become free.

    Parameters
    ----------
    at : (2,) uint64
        A block of the chain, and how many of its states are still to be expanded; moved on in place. 0 at its end.
    most : int
        How many states may be expanded.
    stride : int
        Words of an entry.

    Returns
    -------
    int
        How many were. If the chain is not at its end then, there are no more than `blocks_needed(step)` free blocks,
        or it is because of `most`.
    """
    needed = blocks_needed(step)
    words = np.uint64(stride)
    done = np.int64(0)
    while at[0]:
        block, left = at[0], at[1]
        while left:
            if done >= most or room.free[0] < needed:
                at[1] = left
                return int(done)
            left -= _ONE
            here = (block * _BLOCK + left) * words
            _expand_one(step, ~room.entries[here], here, words, room)
            done += 1
        at[0], at[1] = room.links[block], _BLOCK
        let_go(room, block)
    return int(done)


@jit
def blocks_needed(step: Step) -> np.uint64:
    """Return how many blocks the successors of one state can take, at most."""
    most = np.uint64(step.later.size + 1)
    return most * (most + _ONE) // _TWO + _ONE


@jit_inlined
def _expand_one(step: Step, state: np.uint64, at: np.uint64, stride: np.uint64, room: BlockScratch) -> None:
    """Write the successors of one state."""
    words = step.words
    shift = words[OWN_SHIFT]
    own = (state >> shift) & words[OWN_MASK] | words[OWN_FRESH]
    rest = state & ~(words[OWN_MASK] << shift) | words[FRESH]
    if own == _ONE:
        _offer(step, rest, at, stride, room)
        return
    white, black = _ends_left(words, rest, own)
    loose = room.loose
    two, one, zero, more = _margins(step, rest)
    count: Int = np.int64(0)
    loose[:, 0], loose[:, 1] = _ZERO, _ZERO
    if own:
        mate_at = _ZERO if own == _TAIL else equal(rest, own)
        loose[_MATE, 0], loose[_MATE_AT, 0] = mate_at * own, mate_at
        count = 1
    end_at: Int = np.int64(-1)
    if black if words[OWN_CLASS] else white:
        end_at = count
        count += 1
    count = _collect(step, rest, loose, count)
    for a in range(1 if own else count):
        for b in range(a + 1, count):
            successor = rest ^ loose[_SELF, a] ^ loose[_SELF, b]
            path_ends = not loose[_MATE_AT, a] | loose[_MATE_AT, b]
            if path_ends or loose[_MATE_AT, a] == loose[_PLACE, b]:
                # Two pieces whose other ends are final: the path is whole; or the ends of one: the cycle closes.
                if words[CAN_FINISH] and path_ends == (words[ENDS] > _ZERO) and successor == words[FINISHED]:
                    _offer(step, successor, at, stride, room)
                continue
            label = _MOVING if loose[_MATE_AT, a] and loose[_MATE_AT, b] else _TAIL
            successor ^= loose[_MATE, a] ^ loose[_MATE, b]
            successor |= (loose[_MATE_AT, a] | loose[_MATE_AT, b]) * label
            hit, both = loose[_HIT, a] | loose[_HIT, b], loose[_HIT, a] & loose[_HIT, b]
            raised = loose[_RAISED, a] | loose[_RAISED, b]
            starving = ~raised & (one | zero & hit | more & both) | raised & (two | one & hit | zero & both)
            if starving:
                taken = np.uint64(a == end_at) | np.uint64(b == end_at)
                of_black = taken & words[OWN_CLASS]
                if _starves(step.checks, successor, white - (taken ^ of_black), black - of_black):
                    continue
            _offer(step, successor, at, stride, room)


@jit_inside
def _collect(step: Step, rest: np.uint64, loose: UInt64s, count: Int) -> Int:
    """Append the later neighbours that can be joined to.

    Per neighbour: what to XOR at its own slot, and at its far end (whose label goes); the bit of the slot where the
    piece goes on (0: it has a final end), and its own bit; the checks that lose a way, and the one that is its own.
    """
    for k in range(step.later.size):
        shift = step.later[k]
        place = _ONE << shift
        there = (rest >> shift) & _NIBBLE
        if there == _ONE:
            continue
        loose[_HIT, count], loose[_RAISED, count] = step.hits[k, HIT], step.hits[k, RAISED]
        if not there:
            loose[_SELF, count], loose[_MATE, count], loose[_MATE_AT, count] = _ZERO, _ZERO, place
            loose[_HIT, count] = _ZERO
        elif there == _TAIL:
            loose[_SELF, count], loose[_MATE, count], loose[_MATE_AT, count] = _THREE << shift, _ZERO, _ZERO
        else:
            mate_at = equal(rest, there) & ~place
            loose[_SELF, count], loose[_MATE, count], loose[_MATE_AT, count] = (
                (there ^ _ONE) << shift,
                mate_at * there,
                mate_at,
            )
        loose[_PLACE, count] = place
        count += 1
    return count


@jit_inside
def _ends_left(words: UInt64s, rest: np.uint64, own: np.uint64) -> tuple[np.uint64, np.uint64]:
    """Return how many ends of the path may still be chosen among the squares of either class.

    If there is to be one in each class and one has been chosen, the degrees tell in which: every move has a foot in
    either class.
    """
    if not words[ENDS]:
        return _ZERO, _ZERO
    left = words[ENDS] - popcount(tails(rest)) - np.uint64(own == _TAIL)
    if words[ENDING] != _TWO:
        return (_ZERO, left) if words[ENDING] else (left, _ZERO)
    if left != _ONE:
        return left >> _ONE, left >> _ONE
    twice = saturated(rest)
    once = path_end_marks(rest) | tails(rest)
    degree = np.uint64(own > _ZERO)
    weight = words[BALANCE] + (_THREE * degree if words[OWN_CLASS] else degree)
    weight += popcount(once & words[WHITE]) + _TWO * popcount(twice & words[WHITE])
    weight += _THREE * popcount(once & words[BLACK]) + _TWO * popcount(twice & words[BLACK])
    return (_ZERO, _ONE) if weight & _THREE == _ONE else (_ONE, _ZERO)


@jit_inside
def _margins(step: Step, state: np.uint64) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64]:
    """Return masks of the checks with too few ways by two or more, by one or more, with just enough, and one to spare.

    A successor raises the degrees of two squares, which gives either a need less; and squares that become inner take
    a way from those next to them. So these masks tell by a few operations whether any square can starve in it.
    """
    two, one, zero, more = _ZERO, _ZERO, _ZERO, _ZERO
    if not step.words[FAST]:
        return ~_ZERO, ~_ZERO, _ZERO, _ZERO
    full, bit = saturated(state), _ONE
    for i in range(step.checks.shape[0]):
        need = step.checks[i, NEED]
        if not need:
            there = (state >> step.checks[i, CHECKED]) & _NIBBLE
            need = _TWO if not there else np.uint64(there != _ONE)
        need += popcount(full & step.checks[i, NEAR])
        ways = step.checks[i, WAYS]
        two |= bit * np.uint64(need > ways + _ONE)
        one |= bit * np.uint64(need > ways)
        zero |= bit * np.uint64(need == ways)
        more |= bit * np.uint64(need + _ONE == ways)
        bit <<= _ONE
    return two, one, zero, more


@jit_inside
def _starves(checks: UInt64s, state: np.uint64, white: np.uint64, black: np.uint64) -> bool:
    """Whether more squares lack a way on than there are ends to be chosen."""
    full = saturated(state)
    for i in range(checks.shape[0]):
        need = checks[i, NEED]
        if not need:
            there = (state >> checks[i, CHECKED]) & _NIBBLE
            need = _TWO if not there else np.uint64(there != _ONE)
        need += popcount(full & checks[i, NEAR])
        if need > checks[i, WAYS]:
            lack = need - checks[i, WAYS]
            if lack > (black if checks[i, CLASS] else white):
                return True
            if checks[i, CLASS]:
                black -= lack
            else:
                white -= lack
    return False


@jit_inlined
def _offer(step: Step, state: np.uint64, at: np.uint64, stride: np.uint64, room: BlockScratch) -> None:
    """Write an entry, of its state or the mirror image.

    Which of the two is decided by what they look like without labels, and only then by those.
    """
    if step.mirror.size:
        image = _mirrored(state, step.mirror)
        one, other = _unlabelled(state), _unlabelled(image)
        if other < one:
            state = image
        elif other == one:
            place_of(~min(_numbered(state), _numbered(image)), _ZERO, _ONE, at, stride, room)
            return
    place_of(~_numbered(state), _ZERO, _ONE, at, stride, room)


@jit_inside
def popcount(word: np.uint64) -> np.uint64:
    """Return how many bits are set."""
    count = _ZERO
    while word:  # LLVM makes one instruction of it
        word &= word - _ONE
        count += _ONE
    return count


@jit_inside
def equal(state: np.uint64, label: np.uint64) -> np.uint64:
    """Select the slots with a label."""
    other = state ^ label * _ONES
    return ~(other | other >> _ONE | other >> _TWO | other >> _THREE) & _ONES


@jit_inside
def tails(state: np.uint64) -> np.uint64:
    """Select the loose ends whose far ends are final."""
    return state >> _ONE & ~(state | state >> _TWO | state >> _THREE) & _ONES


@jit_inside
def saturated(state: np.uint64) -> np.uint64:
    """Select the inner squares."""
    return state & ~(state >> _ONE | state >> _TWO | state >> _THREE) & _ONES


@jit_inside
def path_end_marks(state: np.uint64) -> np.uint64:
    """Select the loose ends that have a label."""
    return (state >> _TWO | state >> _THREE | state & state >> _ONE) & _ONES


@jit_inside
def _numbered(state: np.uint64) -> np.uint64:
    """Give the labels numbers by first appearance, from 3."""
    left = path_end_marks(state)
    numbered = state & ~(left * _NIBBLE)
    label = _LABEL
    while left:
        shift = popcount((left & (~left + _ONE)) - _ONE)
        both = equal(state, (state >> shift) & _NIBBLE)
        numbered |= both * label
        left &= ~both
        label += _ONE
    return numbered


@jit_inside
def _unlabelled(state: np.uint64) -> np.uint64:
    """Give all labels the same number."""
    loose = path_end_marks(state)
    return state & ~(loose * _NIBBLE) | loose * _LABEL


@jit_inside
def _mirrored(state: np.uint64, mirror: UInt64s) -> np.uint64:
    """Take what every slot holds to its mirror image."""
    image, shift = _ZERO, _ZERO
    for position in range(POSITIONS):
        image |= ((state >> mirror[position]) & _NIBBLE) << shift
        shift += _FOUR
    return image
