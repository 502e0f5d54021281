"""What the search kernels share: the places of their counters and limits, their status, and the types they take."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Int: TypeAlias = int | np.int64 | np.int32
Int64s: TypeAlias = npt.NDArray[np.int64]
Int32s: TypeAlias = npt.NDArray[np.int32]
UInt64s: TypeAlias = npt.NDArray[np.uint64]
Bytes: TypeAlias = npt.NDArray[np.uint8]

# counters: int64, changed in place
DEPTH, CALLS, REJECTS, SOLUTIONS, DEEPEST = range(5)
# limits: int64; a kernel stops as soon as one is reached
MAX_EVENTS, MAX_CALLS, MAX_SOLUTIONS = range(3)
# status
STOPPED, SOLVED, DONE = range(3)
