"""Randomness is passed in: what may stand for it, and a generator so plain that kernels repeat it bit by bit.

Callers pass a seed or a generator of their own; an algorithm takes one 64-bit seed from it and draws everything else
from :class:`Dice`, so that an answer depends on the seed alone: not on the machine, on NumPy's version, or on whether
plain Python or a kernel did the work.
"""

from __future__ import annotations

import operator
import os
from typing import Protocol, SupportsIndex, TypeAlias, runtime_checkable

from backrank.errors import InvalidPuzzle, shown

MASK = 2**64 - 1
GAMMA = 0x9E3779B97F4A7C15
FIRST = 0xBF58476D1CE4E5B9
SECOND = 0x94D049BB133111EB


@runtime_checkable
class SupportsBits(Protocol):
    """What `random.Random` is good for."""

    def getrandbits(self, k: int, /) -> int:
        """Return so many random bits."""
        ...


@runtime_checkable
class SupportsIntegers(Protocol):
    """What `numpy.random.Generator` is good for; this module does not load NumPy."""

    def bytes(self, length: int) -> bytes:
        """Return so many random bytes."""
        ...

    def integers(self, low: int, high: int) -> object:
        """Return a random number, at least `low` and below `high`."""
        ...


_WORD = 64  # bits

Randomness: TypeAlias = SupportsIndex | SupportsBits | SupportsIntegers


def seed_of(rng: Randomness | None) -> int:
    """Return a seed below 2^64 from a whole number or from a random number generator; a fresh one from None.

    A number below 2^64 is its own seed; all the digits of a larger one count. A generator is asked for 64 bits, so
    it gives another seed each time. A fresh seed comes from the operating system.

    Parameters
    ----------
    rng : int, random.Random or numpy.random.Generator, optional

    Raises
    ------
    InvalidPuzzle
        If it is none of these, or a negative number.

    Examples
    --------
    >>> from random import Random
    >>> seed_of(7), seed_of(2**64 + 7) == seed_of(7), seed_of(Random(1)) == seed_of(Random(1))
    (7, False, True)
    """
    if rng is None:
        return int.from_bytes(os.urandom(8), "little")
    try:
        seed = _taken(rng)
    except TypeError:
        seed = -1
    if isinstance(rng, bool) or seed < 0:
        raise InvalidPuzzle(
            f"the seed must be a whole number, at least 0, or a random number generator, not {shown(rng)}"
        )
    return _folded(seed)


def _taken(rng: Randomness) -> int:
    if isinstance(rng, SupportsBits):
        return rng.getrandbits(64)
    if isinstance(rng, SupportsIntegers):
        return int.from_bytes(rng.bytes(8), "little")
    return operator.index(rng)


def _folded(seed: int) -> int:
    """Return a seed below 2^64 that every digit of a longer one has a part in."""
    folded = 0
    while seed > MASK:
        folded = Dice(folded ^ seed & MASK).draw()
        seed >>= 64
    return folded ^ seed


class Dice:
    """SplitMix64 (G. L. Steele, D. Lea and C. H. Flood, 2014): a counter, and a hash that makes each count look random.

    Examples
    --------
    >>> dice = Dice(0)
    >>> hex(dice.draw()), hex(dice.draw())
    ('0xe220a8397b1dcdaf', '0x6e789e6aa1b965f4')
    """

    __slots__ = ("state",)

    def __init__(self, seed: int) -> None:
        self.state = seed & MASK

    def draw(self) -> int:
        """Return the next 64 bits."""
        self.state = bits = (self.state + GAMMA) & MASK
        bits = ((bits ^ bits >> 30) * FIRST) & MASK
        bits = ((bits ^ bits >> 27) * SECOND) & MASK
        return bits ^ bits >> 31

    def below(self, bound: int) -> int:
        """Return a number from 0 to below a bound, each with the same probability.

        Examples
        --------
        >>> dice = Dice(1)
        >>> [dice.below(6) for _ in range(5)], 10**29 < dice.below(10**30) < 10**30
        ([4, 5, 3, 3, 4], True)
        """
        bits = (bound - 1).bit_length()
        words = -(-bits // _WORD)
        while True:  # at least every second number will do
            number = 0
            for _ in range(words):
                number = number << _WORD | self.draw()
            number >>= words * _WORD - bits
            if number < bound:
                return number
