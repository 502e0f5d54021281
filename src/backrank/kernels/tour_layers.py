"""Entries of a frontier count, from buffers into hash tables, and from tables into layers.

Entries are those of :mod:`backrank.kernels.tour_frontier`: one or two words of state, whose complement makes 0 an empty
place, and the limbs of a number of ways, the lowest first. Tables are open, with linear probing; a place is found by
the lower half of the hash, of which the upper half chose the partition.

Bounds: the caller shows that no number of ways needs more than its limbs; modulo a number below 2^63 one limb holds
every sum of two. Sums of 32-bit halves stay below 2^64 for up to 2^32 entries.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from backrank.kernels._jit import jit, jit_inside
from backrank.kernels.status import Int, Int64s, UInt64s

Shape: TypeAlias = tuple[int, int]  # words of an entry (the stride), and how many of them are the state

_ZERO, _ONE, _TWO, _HALF = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)
_STIR, _WHIRL = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD6E8FEB86659FD93)


@jit
def merge(
    entries: UInt64s, first: int, last: int, shape: Shape, table: UInt64s, state: Int64s, modulus: np.uint64
) -> int:
    """Add entries to a hash table with linear probing.

    Parameters
    ----------
    table : uint64
    state : (1,) int64
        How many places of the table are taken; changed in place.
    modulus : uint64
        Counts are added modulo this number, below 2^63; 0 if as they are.

    Returns
    -------
    int
        The first entry that was not added, the table being four fifths full; or `last`.
    """
    stride = shape[0]
    capacity = table.size // stride
    limit = capacity * 4 // 5
    used = state[0]
    for i in range(first, last):
        if used >= limit:
            state[0] = used
            return i
        used += _add(entries, np.uint64(i * stride), shape, table, np.uint64(capacity), modulus)
    state[0] = used
    return last


@jit_inside
def _add(entries: UInt64s, at: np.uint64, shape: Shape, table: UInt64s, capacity: np.uint64, modulus: np.uint64) -> Int:
    """Add one entry; return 1 if its state is new."""
    stride, words = np.uint64(shape[0]), np.uint64(shape[1])
    key = entries[at]
    more = entries[at + _ONE] if words == _TWO else _ZERO
    mixed = stirred(key) if words == _ONE else stirred(key ^ stirred(more))
    place = ((mixed & _LOW) * capacity) >> _HALF
    while True:
        to = place * stride
        there = table[to]
        if there == key and (words == _ONE or table[to + _ONE] == more):
            break
        if not there:
            word = _ZERO
            while word < stride:
                table[to + word] = entries[at + word]
                word += _ONE
            return 1
        place += _ONE
        if place == capacity:
            place = _ZERO
    carry, limb = _ZERO, words
    while limb < stride:
        one = entries[at + limb]
        total = table[to + limb] + one
        over = np.uint64(total < one)
        total += carry
        carry = over | np.uint64(total < carry)
        if modulus and total >= modulus:
            total -= modulus
        table[to + limb] = total
        limb += _ONE
    return 0


@jit
def rehash(old: UInt64s, shape: Shape, table: UInt64s) -> int:
    """Move all entries of a table to a larger one that is empty; return how many."""
    stride, moved = shape[0], np.int64(0)
    capacity = np.uint64(table.size // stride)
    for i in range(old.size // stride):
        if old[np.uint64(i * stride)]:
            moved += np.int64(_add(old, np.uint64(i * stride), shape, table, capacity, _ZERO))
    return int(moved)


@jit
def compact(table: UInt64s, shape: Shape, sums: UInt64s) -> int:
    """Move all entries to the front; return how many, and add the sums of their limbs' halves to `sums` (limbs, 2)."""
    stride, words = shape
    kept = np.int64(0)
    for i in range(table.size // stride):
        at = np.uint64(i * stride)
        if not table[at]:
            continue
        to = np.uint64(kept * stride)
        for word in range(stride):
            value = table[at + np.uint64(word)]
            table[to + np.uint64(word)] = value
            if word >= words:
                sums[word - words, 0] += value & _LOW
                sums[word - words, 1] += value >> _HALF
        kept += 1
    return int(kept)


@jit
def stirred(key: np.uint64) -> np.uint64:
    """Return the hash of a word: both halves of it are good."""
    key = np.uint64(key) * _STIR
    key = (key ^ key >> _HALF) * _WHIRL
    return key ^ key >> _HALF
