"""Writing down a tour that is known in strokes: copies of short walks, one after the other."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from backrank.runtime._jit import jit

Ints = NDArray[np.int32] | NDArray[np.int64]


@jit
def write_strokes(squares: Ints, walks: Ints, strokes: NDArray[np.int64]) -> None:
    """Write strokes into the tour.

    Parameters
    ----------
    squares : array
        The tour; every stroke writes a part of its own, so that threads may share it. 32-bit squares are below 2^31.
    walks : array of the same type
        The squares of all walks, those of the block in the corner of the board.
    strokes : array of shape (k, 6)
        Where its piece begins in `walks` and how long it is; what is added to its squares, and how much more
        to those of each following copy; how many copies; and where the first of them begins in `squares`.
    """
    for number in range(strokes.shape[0]):
        first, length, base, step, count, at = strokes[number]
        for _ in range(count):
            for inner in range(length):
                squares[at + inner] = walks[first + inner] + base
            at += length
            base += step
