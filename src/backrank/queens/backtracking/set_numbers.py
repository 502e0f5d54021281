"""Sets of columns, numbered: the index of tables that have a list for each set of k of n columns."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Int64s: TypeAlias = npt.NDArray[np.int64]


def number_sets(side: int, size: int) -> tuple[Int64s, Int64s]:
    """Return the sets of `size` columns in the order of their high bits, then their low bits, and their numbers.

    Returns
    -------
    place : (2, 2^half) int64
        What the low and the high bits of a set add to its number.
    sets : int64
        The sets in this order.
    """
    shift = (side + 1) // 2
    masks = np.arange(1 << shift)
    bits = np.bitwise_count(masks)
    place = np.zeros((2, 1 << shift), np.int64)
    by_size = [masks[bits == count] for count in range(size + 1)]
    for lows in by_size:
        place[0, lows] = np.arange(lows.size)
    sets, total = [], 0
    for high in range(1 << side - shift):
        place[1, high] = total
        if bits[high] <= size:
            lows = by_size[size - int(bits[high])]
            sets.append(lows | high << shift)
            total += lows.size
    return place, np.concatenate(sets)
