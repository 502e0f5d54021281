"""Successors of frontier states of up to 24 slots: as :mod:`backrank.tours.frontier.states_jit`, in two words.

A state is a low word with slots 0 to 15 and a high word with the others; shifts from 64 on lead into the high word. An
entry begins with the complements of both. Masks and everything else are as there, in pairs. 24 slots have at most
12 labels, from 3 to 14, which leaves 15 free. It takes about one and a half times as long for a state.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from backrank.runtime._jit import jit, jit_inlined, jit_inside
from backrank.runtime.status import Int, UInt64s
from backrank.tours.frontier.blocks_jit import BLOCK, BlockScratch, let_go, place_of
from backrank.tours.frontier.states_jit import (
    BALANCE,
    BLACK,
    CAN_FINISH,
    CHECKED,
    CLASS,
    ENDING,
    ENDS,
    FINISHED,
    FRESH,
    NEAR,
    NEAR_HIGH,
    NEED,
    OWN_CLASS,
    OWN_FRESH,
    OWN_MASK,
    OWN_SHIFT,
    WAYS,
    WHITE,
    Step,
    blocks_needed,
    equal,
    path_end_marks,
    popcount,
    saturated,
    tails,
)

POSITIONS = 24
Wide: TypeAlias = tuple[np.uint64, np.uint64]

_ZERO, _ONE, _TWO, _THREE = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(3)
_FOUR, _NIBBLE, _WORD, _BLOCK = np.uint64(4), np.uint64(15), np.uint64(64), np.uint64(BLOCK)
_TAIL, _LABEL, _MOVING = np.uint64(2), np.uint64(3), np.uint64(15)
_SELF, _MATE, _MATE_AT, _PLACE = 0, 2, 4, 6  # rows of `Room.loose`, low; the high ones follow


@jit
def expand_wide(step: Step, room: BlockScratch, at: UInt64s, most: int, stride: int) -> int:
    """As :func:`backrank.tours.frontier.states_jit.expand`, of states of two words."""
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
            _expand_one(step, (~room.entries[here], ~room.entries[here + _ONE]), here, words, room)
            done += 1
        at[0], at[1] = room.links[block], _BLOCK
        let_go(room, block)
    return int(done)


@jit_inlined
def _expand_one(step: Step, state: Wide, at: np.uint64, stride: np.uint64, room: BlockScratch) -> None:
    """Write the successors of one state."""
    words, high = step.words, step.high
    shift = words[OWN_SHIFT]
    own = _field(state, shift) & words[OWN_MASK] | words[OWN_FRESH]
    gone_low, gone_high = _placed(words[OWN_MASK], shift)
    rest = (state[0] & ~gone_low | words[FRESH], state[1] & ~gone_high | high[FRESH])
    if own == _ONE:
        _offer(step, _numbered(rest), at, stride, room)
        return
    white, black = _ends_left(step, rest, own)
    loose = room.loose
    count: Int = np.int64(0)
    if own:
        _begin(rest, own, loose)
        count = 1
    end_at: Int = np.int64(-1)
    if black if words[OWN_CLASS] else white:
        end_at = count
        loose[:, count] = _ZERO
        count += 1
    count = _collect(step, rest, loose, count)
    for a in range(1 if own else count):
        for b in range(a + 1, count):
            low = rest[0] ^ loose[_SELF, a] ^ loose[_SELF, b]
            top = rest[1] ^ loose[_SELF + 1, a] ^ loose[_SELF + 1, b]
            mate_of_a, mate_of_b = (
                loose[_MATE_AT, a] | loose[_MATE_AT + 1, a],
                loose[_MATE_AT, b] | loose[_MATE_AT + 1, b],
            )
            path_ends = not mate_of_a | mate_of_b
            if path_ends or (loose[_MATE_AT, a] == loose[_PLACE, b] and loose[_MATE_AT + 1, a] == loose[_PLACE + 1, b]):
                # Two pieces whose other ends are final: the path is whole; or the ends of one: the cycle closes.
                whole = low == words[FINISHED] and top == high[FINISHED]
                if words[CAN_FINISH] and path_ends == (words[ENDS] > _ZERO) and whole:
                    _offer(step, (low, top), at, stride, room)
                continue
            label = _MOVING if mate_of_a and mate_of_b else _TAIL
            low ^= loose[_MATE, a] ^ loose[_MATE, b]
            top ^= loose[_MATE + 1, a] ^ loose[_MATE + 1, b]
            low |= (loose[_MATE_AT, a] | loose[_MATE_AT, b]) * label
            top |= (loose[_MATE_AT + 1, a] | loose[_MATE_AT + 1, b]) * label
            taken = np.uint64(a == end_at) | np.uint64(b == end_at)
            of_black = taken & words[OWN_CLASS]
            if not _starves(step.checks, (low, top), white - (taken ^ of_black), black - of_black):
                _offer(step, _numbered((low, top)), at, stride, room)


@jit_inside
def _begin(rest: Wide, own: np.uint64, loose: UInt64s) -> None:
    """Write down the square's own loose end, the first of what can be joined."""
    loose[:, 0] = _ZERO
    if own != _TAIL:
        for half in range(2):
            mate_at = equal(rest[half], own)
            loose[_MATE + half, 0], loose[_MATE_AT + half, 0] = mate_at * own, mate_at


@jit_inside
def _collect(step: Step, rest: Wide, loose: UInt64s, count: Int) -> Int:
    """Append the later neighbours that can be joined to."""
    for k in range(step.later.size):
        shift = step.later[k]
        there = _field(rest, shift)
        if there == _ONE:
            continue
        place = _placed(_ONE, shift)
        unvisited, tail = np.uint64(there == _ZERO), np.uint64(there == _TAIL)
        changed = _ZERO if unvisited else there ^ _ONE
        for half in range(2):
            mate_at = _ZERO if unvisited or tail else equal(rest[half], there) & ~place[half]
            loose[_SELF + half, count] = place[half] * changed
            loose[_MATE + half, count] = mate_at * there
            loose[_MATE_AT + half, count] = mate_at | place[half] * unvisited
            loose[_PLACE + half, count] = place[half]
        count += 1
    return count


@jit_inside
def _ends_left(step: Step, rest: Wide, own: np.uint64) -> Wide:
    """Return how many ends of the path may still be chosen among the squares of either class."""
    words, high = step.words, step.high
    if not words[ENDS]:
        return _ZERO, _ZERO
    left = words[ENDS] - popcount(tails(rest[0])) - popcount(tails(rest[1])) - np.uint64(own == _TAIL)
    if words[ENDING] != _TWO:
        return (_ZERO, left) if words[ENDING] else (left, _ZERO)
    if left != _ONE:
        return left >> _ONE, left >> _ONE
    degree = np.uint64(own > _ZERO)
    weight = words[BALANCE] + (_THREE * degree if words[OWN_CLASS] else degree)
    for half in range(2):
        once = path_end_marks(rest[half]) | tails(rest[half])
        twice = saturated(rest[half])
        white, black = (high[WHITE], high[BLACK]) if half else (words[WHITE], words[BLACK])
        weight += popcount(once & white) + _TWO * popcount(twice & white)
        weight += _THREE * popcount(once & black) + _TWO * popcount(twice & black)
    return (_ZERO, _ONE) if weight & _THREE == _ONE else (_ONE, _ZERO)


@jit_inside
def _starves(checks: UInt64s, state: Wide, white: np.uint64, black: np.uint64) -> bool:
    """Whether more squares lack a way on than there are ends to be chosen."""
    low, high = saturated(state[0]), saturated(state[1])
    for i in range(checks.shape[0]):
        need = checks[i, NEED]
        if not need:
            there = _field(state, checks[i, CHECKED])
            need = _TWO if not there else np.uint64(there != _ONE)
        need += popcount(low & checks[i, NEAR]) + popcount(high & checks[i, NEAR_HIGH])
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
def _offer(step: Step, state: Wide, at: np.uint64, stride: np.uint64, room: BlockScratch) -> None:
    """Write an entry, of its state or the mirror image."""
    low, high = state
    if step.mirror.size:
        low_image, high_image = _numbered(_mirrored(state, step.mirror))
        if low_image < low or (low_image == low and high_image < high):
            low, high = low_image, high_image
    place_of(~low, ~high, _TWO, at, stride, room)


@jit_inside
def _field(state: Wide, shift: np.uint64) -> np.uint64:
    """Return what a slot holds."""
    return (state[0] >> shift if shift < _WORD else state[1] >> (shift - _WORD)) & _NIBBLE


@jit_inside
def _placed(field: np.uint64, shift: np.uint64) -> Wide:
    """Return the state that is empty but for one slot."""
    return (field << shift, _ZERO) if shift < _WORD else (_ZERO, field << (shift - _WORD))


@jit_inside
def _numbered(state: Wide) -> Wide:
    """Give the labels numbers by first appearance, from 3."""
    low, high = state
    left, left_high = path_end_marks(low), path_end_marks(high)
    numbered, numbered_high = low & ~(left * _NIBBLE), high & ~(left_high * _NIBBLE)
    label = _LABEL
    while left or left_high:
        if left:
            there = (low >> popcount((left & (~left + _ONE)) - _ONE)) & _NIBBLE
        else:
            there = (high >> popcount((left_high & (~left_high + _ONE)) - _ONE)) & _NIBBLE
        both, both_high = equal(low, there), equal(high, there)
        numbered |= both * label
        numbered_high |= both_high * label
        left &= ~both
        left_high &= ~both_high
        label += _ONE
    return numbered, numbered_high


@jit_inside
def _mirrored(state: Wide, mirror: UInt64s) -> Wide:
    """Take what every slot holds to its mirror image."""
    low, high, shift = _ZERO, _ZERO, _ZERO
    for position in range(mirror.size):
        field_low, field_high = _placed(_field(state, mirror[position]), shift)
        low |= field_low
        high |= field_high
        shift += _FOUR
    return low, high
