"""The random numbers of kernels that need no agreement with plain Python: xorshift64*.

Reference: S. Vigna, "An experimental exploration of Marsaglia's xorshift generators, scrambled", 2016. Where plain
Python and a kernel must draw the same numbers, both use SplitMix64 (:mod:`backrank.runtime.rng`).
"""

from __future__ import annotations

import numpy as np

from backrank.runtime._jit import jit_inside
from backrank.runtime.status import Int, UInt64s


@jit_inside
def drawn(random: UInt64s, below: Int) -> np.int64:
    """Return a random number below a bound of at most 2^31: xorshift64*, upper bits."""
    bits = random[0]
    bits ^= bits >> np.uint64(12)
    bits ^= bits << np.uint64(25)
    bits ^= bits >> np.uint64(27)
    random[0] = bits
    upper = np.int64((bits * np.uint64(0x2545F4914F6CDD1D)) >> np.uint64(33))
    return upper * np.int64(below) >> np.int64(31)
