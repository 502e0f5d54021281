"""Squares that hold too much of the board together: a proof in one line that there is no tour.

The adapter of `backrank.tours.theorems.cuts_jit`, for boards too large for an exhaustive search. What it finds is
checked once more here, by other code, before it is said.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from backrank.geometry.symmetry import orbits
from backrank.runtime.budget import Counters, Meter
from backrank.tours.spec import TourSpec
from backrank.tours.theorems.forced import UsableMoves

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

MAX_CUT_SQUARES = 1_000
_WORK = 5_000_000  # squares looked at between two looks at the clock


class CutSearch:
    """A search for such squares that goes on where it stopped."""

    def __init__(self, spec: TourSpec, net: UsableMoves, meter: Meter, counters: Counters) -> None:
        import numpy as np  # noqa: PLC0415 - loaded when the plain rung has not found a tour

        from backrank.tours.theorems import cuts_jit as kernel  # noqa: PLC0415 - loads numba

        self.spec, self.net, self.meter, self.counters = spec, net, meter, counters
        numbers = {square: number for number, square in enumerate(net.squares)}
        near = [sorted(numbers[other] for other in net.near[square]) for square in net.squares]
        classes = [tuple(numbers[square] for square in orbit) for orbit in orbits(spec.board)]
        sets = classes + [(number,) for number in range(len(near))]
        size = len(near)
        self.cut = kernel.CutState(
            *_rows(near),
            *_rows(sets),
            np.zeros(size, np.uint8),
            np.full(size, -1, np.int64),
            np.zeros(size, np.int32),
            np.array([len(classes)], np.int64),
            np.zeros(5, np.int64),
            np.array([1], np.uint64),
        )

    def run(self, calls: int) -> str | None:
        """Go on for so many steps; return why there is no tour, if that is found."""
        from backrank.runtime import status  # noqa: PLC0415
        from backrank.tours.theorems.cuts_jit import STEPS, loosen  # noqa: PLC0415

        spare, state = int(not self.net.cyclic), self.cut.state
        slice_ = max(1, _WORK // len(self.net.squares))
        until = int(state[STEPS]) + calls
        while int(state[STEPS]) < until:
            before, limit = int(state[STEPS]), self.meter.budget.calls
            steps = slice_ if limit is None else max(1, min(slice_, limit - self.counters.calls))
            code = loosen(self.cut, spare, min(steps, until - before))
            made = int(state[STEPS]) - before
            self.counters.calls += made
            self.counters.backtracks += made
            self.meter.tick(self.counters.calls)
            if code == status.SOLVED:
                return self._reason({self.net.squares[k] for k in self.cut.taken.nonzero()[0].tolist()})
        return None

    def _reason(self, taken: set[int]) -> str | None:
        parts, allowed = parts_without(self.net, taken), len(taken) + (not self.net.cyclic)
        if parts <= allowed:
            return None
        many = f"these {len(taken)} squares" if len(taken) > 1 else "this square"
        kind = "a closed tour" if self.spec.closed else "a tour"
        struck = UsableMoves(self.spec).near != self.net.near
        moves = ", by moves that a tour can use," if struck else ""
        return (
            f"without {self.net.names(taken)} the board falls into {parts} parts{moves} and {kind} without "
            f"{many} into {allowed} at most"
        )


def parts_without(net: UsableMoves, taken: set[int]) -> int:
    """Return into how many parts the board falls when some squares are taken away.

    Examples
    --------
    >>> from backrank.geometry.board import Board
    >>> from backrank.geometry.pieces import KNIGHT
    >>> board = Board(4)
    >>> moves = UsableMoves(TourSpec(board, KNIGHT, False, None, None))
    >>> parts_without(moves, set(map(board.square, ["b2", "c2", "b3", "c3"])))
    6
    """
    seen, parts = set(taken), 0
    for root in net.squares:
        if root not in seen:
            parts += 1
            reached = [root]
            seen.add(root)
            while reached:
                fresh = net.near[reached.pop()] - seen
                seen |= fresh
                reached += fresh
    return parts


def _rows(lists: list[list[int]] | list[tuple[int, ...]]) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    import numpy as np  # noqa: PLC0415

    first = np.cumsum([0, *map(len, lists)], dtype=np.int32)
    return first, np.array([member for members in lists for member in members], np.int32)
