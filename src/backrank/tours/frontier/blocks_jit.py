"""Entries of a frontier count in chains of blocks: written by their hash, merged, copied in and out.

Entries are those of :mod:`backrank.tours.frontier.states_jit`: one or two words of state, as its complement, and the
limbs of a number of ways, the lowest first. All of them live in one array, cut into blocks of `BLOCK` entries. A chain
is a list of blocks: every block has a link to the one before; all but the last one, the head, are full. Block 0 is
nobody's: a link to it ends a chain. What is free is on a stack, of every thread its own.

A partition is merged by an open table with linear probing that holds places, not entries: 1 more than the place in a
list of the states seen so far, 0 for none. Table and list together stay in the cache of a core; and the list is what is
written back, so nothing is to be swept together afterwards. The upper half of the hash chose the partition, the lower
half finds the place.

Bounds: the caller shows that no number of ways needs more than its limbs; modulo a number below 2^63 one limb holds
every sum of two. Sums of 32-bit halves stay below 2^64 for up to 2^32 entries, which is also what a table can hold.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from backrank.runtime._jit import jit, jit_inlined, jit_inside
from backrank.runtime.status import Int, UInt64s

Shape: TypeAlias = tuple[int, int]  # words of an entry (the stride), and how many of them are the state

BLOCK = 256  # entries

_ZERO, _ONE, _TWO, _HALF = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(32)
_THREE, _FOUR = np.uint64(3), np.uint64(4)
_LOW = np.uint64(0xFFFFFFFF)
_BLOCK, _INSIDE = np.uint64(BLOCK), np.uint64(BLOCK - 1)
_LEAST = np.uint64(64)  # places of a table
_STIR, _WHIRL = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD6E8FEB86659FD93)


class BlockScratch(NamedTuple):
    """What one thread works with: the blocks of all, its own stack of free ones, its own chains.

    Attributes
    ----------
    entries : (blocks * BLOCK * stride,) uint64
    links : (blocks,) uint64
    spare : (blocks,) uint64
        The stack of free blocks.
    free : (1,) uint64
        How many are on it.
    heads, cursors, full : (partitions,) uint64
        Of the chain of every partition the head (0: none), where in `entries` the next entry goes, and how many
        entries the blocks before the head hold.
    loose : (8, 32) uint64
        What a square can be joined to.
    """

    entries: UInt64s
    links: UInt64s
    spare: UInt64s
    free: UInt64s
    heads: UInt64s
    cursors: UInt64s
    full: UInt64s
    loose: UInt64s


class Heads(NamedTuple):
    """The chains of all threads.

    Attributes
    ----------
    heads, cursors, full : (threads, partitions) uint64
        As of :class:`BlockScratch`.
    """

    heads: UInt64s
    cursors: UInt64s
    full: UInt64s


class MergeScratch(NamedTuple):
    """What partitions are merged on.

    Attributes
    ----------
    table : (n,) uint32
        A power of two, at least twice the largest number of entries.
    states : (n * stride,) uint64
        The entries without repetitions.
    sums : (limbs, 2) uint64
        The lower and the upper halves of all limbs of the merged entries are added to it.
    ratio : (1,) float64
        How many of the entries remained, the last time: to begin with a table of the right size.
    """

    table: npt.NDArray[np.uint32]
    states: UInt64s
    sums: UInt64s
    ratio: npt.NDArray[np.float64]


@jit_inlined
def place_of(
    key: np.uint64, more: np.uint64, words: np.uint64, at: np.uint64, stride: np.uint64, space: BlockScratch
) -> None:
    """Write an entry of one or two words of state, and the ways of the entry at some place, into its chain."""
    mixed = stirred(key) if words == _ONE else stirred(key ^ stirred(more))
    partition = ((mixed >> _HALF) * np.uint64(space.cursors.size)) >> _HALF
    where = space.cursors[partition]
    if not where & _INSIDE:
        where = _opened(space, partition)
    space.cursors[partition] = where + _ONE
    to = where * stride
    space.entries[to] = key
    if words == _TWO:
        space.entries[to + _ONE] = more
    limb = words
    while limb < stride:
        space.entries[to + limb] = space.entries[at + limb]
        limb += _ONE


@jit_inside
def _opened(space: BlockScratch, partition: np.uint64) -> np.uint64:
    """Give a chain another block; return its first place."""
    before = space.heads[partition]
    if before:
        space.full[partition] += _BLOCK
    left = space.free[0] - _ONE
    block: np.uint64 = space.spare[left]
    space.free[0] = left
    space.links[block] = before
    space.heads[partition] = block
    return block * _BLOCK


@jit_inside
def let_go(space: BlockScratch, block: np.uint64) -> None:
    """Put a block on the stack of free ones."""
    space.spare[space.free[0]] = block
    space.free[0] += _ONE


@jit
def merge(
    space: BlockScratch,
    chains: Heads,
    span: tuple[int, int, int],
    shape: Shape,
    scratch: MergeScratch,
    modulus: np.uint64,
) -> int:
    """Merge the chains that all threads have of some partitions: into one each, without repetitions.

    Parameters
    ----------
    space : Room
        Of the thread that does it.
    chains : Chains
        Changed in place: afterwards this thread has what there is of these partitions.
    span : (int, int, int)
        The number of the thread, the first partition, and the one after the last.
    modulus : uint64
        Counts are added modulo this number, below 2^63; 0 if as they are.

    Returns
    -------
    int
        How many entries there are now.
    """
    total = _ZERO
    for partition in range(span[1], span[2]):
        total += _merge_one(space, chains, span[0], partition, shape, scratch, modulus)
    return int(np.int64(total))


@jit_inlined
def _merge_one(
    space: BlockScratch,
    chains: Heads,
    mine: int,
    partition: int,
    shape: Shape,
    scratch: MergeScratch,
    modulus: np.uint64,
) -> np.uint64:
    entries = size_of(chains, partition)
    if not entries:
        return _ZERO
    capacity = _LEAST
    while capacity < np.uint64(1.6 * scratch.ratio[0] * np.float64(entries)):
        capacity += capacity
    scratch.table[: np.int64(capacity)] = 0
    used = _ZERO
    stride = np.uint64(shape[0])
    for thread in range(chains.heads.shape[0]):
        block = chains.heads[thread, partition]
        last = chains.cursors[thread, partition]
        while block:
            at = block * _BLOCK
            while at < last:
                used += _add(space.entries, at * stride, shape, scratch, capacity - _ONE, used, modulus)
                if used * _FOUR > capacity * _THREE:
                    capacity += capacity
                    _again(scratch, shape, capacity, used)
                at += _ONE
            before = space.links[block]
            let_go(space, block)
            block = before
            last = (block + _ONE) * _BLOCK
        chains.heads[thread, partition] = chains.cursors[thread, partition] = chains.full[thread, partition] = _ZERO
    scratch.ratio[0] = np.float64(used) / np.float64(entries)
    _write_back(space, chains, mine, partition, shape, scratch, used)
    return used


@jit_inside
def size_of(chains: Heads, partition: int) -> np.uint64:
    """Return how many entries a partition has."""
    entries = _ZERO
    for thread in range(chains.heads.shape[0]):
        head = chains.heads[thread, partition]
        if head:
            entries += chains.full[thread, partition] + chains.cursors[thread, partition] - head * _BLOCK
    return entries


@jit_inlined
def _add(
    entries: UInt64s,
    at: np.uint64,
    shape: Shape,
    scratch: MergeScratch,
    mask: np.uint64,
    used: np.uint64,
    modulus: np.uint64,
) -> np.uint64:
    """Add one entry to the list; return 1 if its state is new."""
    stride, words = np.uint64(shape[0]), np.uint64(shape[1])
    states = scratch.states
    key = entries[at]
    more = entries[at + _ONE] if words == _TWO else _ZERO
    place = (stirred(key) if words == _ONE else stirred(key ^ stirred(more))) & mask
    while True:
        there = np.uint64(scratch.table[place])
        if not there:
            scratch.table[place] = np.uint32(used + _ONE)
            to, word = used * stride, _ZERO
            while word < stride:
                states[to + word] = entries[at + word]
                word += _ONE
            return _ONE
        to = (there - _ONE) * stride
        if states[to] == key and (words == _ONE or states[to + _ONE] == more):
            break
        place = (place + _ONE) & mask
    carry, limb = _ZERO, words
    while limb < stride:
        one = entries[at + limb]
        total = states[to + limb] + one
        over = np.uint64(total < one)
        total += carry
        carry = over | np.uint64(total < carry)
        if modulus and total >= modulus:
            total -= modulus
        states[to + limb] = total
        limb += _ONE
    return _ZERO


@jit_inside
def _again(scratch: MergeScratch, shape: Shape, capacity: np.uint64, used: np.uint64) -> None:
    """Fill a larger table."""
    scratch.table[: np.int64(capacity)] = 0
    stride, mask, number = np.uint64(shape[0]), capacity - _ONE, _ZERO
    while number < used:
        at = number * stride
        key = scratch.states[at]
        place = (stirred(key) if shape[1] == 1 else stirred(key ^ stirred(scratch.states[at + _ONE]))) & mask
        while scratch.table[place]:
            place = (place + _ONE) & mask
        number += _ONE
        scratch.table[place] = np.uint32(number)


@jit_inside
def _write_back(
    space: BlockScratch, chains: Heads, mine: int, partition: int, shape: Shape, scratch: MergeScratch, used: np.uint64
) -> None:
    """Put a merged list into a chain; add up its numbers of ways."""
    stride, words = np.uint64(shape[0]), np.uint64(shape[1])
    head, done, where = _ZERO, _ZERO, _ZERO
    while done < used:
        left = space.free[0] - _ONE
        block = space.spare[left]
        space.free[0] = left
        space.links[block] = head
        head, where = block, block * _BLOCK
        last = min(used, done + _BLOCK)
        while done < last:
            to, at, word = where * stride, done * stride, _ZERO
            while word < stride:
                value = scratch.states[at + word]
                space.entries[to + word] = value
                if word >= words:
                    scratch.sums[word - words, 0] += value & _LOW
                    scratch.sums[word - words, 1] += value >> _HALF
                word += _ONE
            done += _ONE
            where += _ONE
    chains.heads[mine, partition] = head
    chains.cursors[mine, partition] = where
    chains.full[mine, partition] = used - (where - head * _BLOCK)


@jit
def add_up(entries: UInt64s, stride: int, words: int, sums: UInt64s) -> None:
    """Add the lower and the upper halves of all limbs of some entries to `sums`: fewer than 2^32 entries."""
    step, first, place = np.uint64(stride), np.uint64(words), _ZERO
    while place < np.uint64(entries.size):
        word = first
        while word < step:
            value = entries[place + word]
            sums[word - first, 0] += value & _LOW
            sums[word - first, 1] += value >> _HALF
            word += _ONE
        place += step


@jit
def sizes(chains: Heads, found: UInt64s) -> int:
    """Write down how many entries every partition has; return the largest number."""
    largest = _ZERO
    for partition in range(found.size):
        found[partition] = size_of(chains, partition)
        largest = max(largest, found[partition])
    return int(np.int64(largest))


@jit
def gather(entries: UInt64s, links: UInt64s, block: np.uint64, count: int, stride: int, out: UInt64s) -> int:
    """Copy the entries of a chain into an array, from its head on; return how many."""
    done = np.int64(0)
    inside = (count - 1) % BLOCK + 1
    while done < count:
        first = np.int64(block) * BLOCK * stride
        out[done * stride : (done + inside) * stride] = entries[first : first + inside * stride]
        done += inside
        inside = BLOCK
        block = links[block]
    return int(done)


@jit
def walk(links: UInt64s, block: np.uint64, out: UInt64s) -> int:
    """Write down the blocks of a chain, from its head on; return how many."""
    done = 0
    while block:
        out[done] = block
        done += 1
        block = links[block]
    return done


@jit
def scatter(entries: UInt64s, links: UInt64s, blocks: UInt64s, values: UInt64s, stride: int) -> int:
    """Copy entries from an array into blocks, which become a chain whose head is the last; return how many."""
    count: Int = values.size // stride
    done: Int = np.int64(0)
    for i in range(blocks.size):
        links[blocks[i]] = blocks[i - 1] if i else _ZERO
        inside = min(count - done, BLOCK)
        first = np.int64(blocks[i]) * BLOCK * stride
        entries[first : first + inside * stride] = values[done * stride : (done + inside) * stride]
        done += inside
    return int(done)


@jit
def stirred(key: np.uint64) -> np.uint64:
    """Return the hash of a word: both halves of it are good."""
    key = np.uint64(key) * _STIR
    key = (key ^ key >> _HALF) * _WHIRL
    return key ^ key >> _HALF
