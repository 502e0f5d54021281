"""Random numbers without a generator: a number for every question, the same whenever it is asked again.

A search that goes on from its cursor must meet the same random order as one that never stopped, so a
random strategy keeps no state: it hashes the seed with where it stands. The hash is the output function of
SplitMix64 (G. L. Steele, D. Lea, C. H. Flood, 2014), once per number mixed in; the kernels compute the same.
"""

from __future__ import annotations

MASK = 2**64 - 1
GAMMA = 0x9E3779B97F4A7C15
FIRST = 0xBF58476D1CE4E5B9
SECOND = 0x94D049BB133111EB
MAX_SEED = 2**63 - 1


def mixed(*numbers: int) -> int:
    """Return 63 bits that look random, determined by some whole numbers below 2^64.

    Examples
    --------
    >>> mixed(7, 1) == mixed(7, 1), mixed(7, 1) == mixed(1, 7), 0 <= mixed(7) < 2**63
    (True, False, True)
    """
    bits = 0
    for number in numbers:
        bits = ((bits ^ number) + GAMMA) & MASK
        bits = ((bits ^ bits >> 30) * FIRST) & MASK
        bits = ((bits ^ bits >> 27) * SECOND) & MASK
        bits ^= bits >> 31
    return bits >> 1
