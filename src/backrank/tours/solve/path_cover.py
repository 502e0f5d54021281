"""The hunt for a tour, compiled: from puzzles to the arrays of the kernels and back, in slices.

An attempt lays greedy paths, completes them to one path and cycles by a matching, ties those together
(`backrank.tours.solve.path_cover_jit`) and bends the path (`backrank.tours.solve.rotation_jit`); after so many
rotations another attempt begins, with other ties. Which attempt finds the tour depends on the puzzle alone, so the
same puzzle gives the same answer.

What was measured is said in `benchmarks/bench_shapes.py`; what is left out of the moves, in `forced`.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from backrank.geometry.pieces import move_graph
from backrank.runtime.budget import Counters, Meter
from backrank.tours.spec import TourSpec
from backrank.tours.theorems.forced import UsableMoves

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from backrank.tours.solve.path_cover_jit import Graph, Strands

    Int32s = npt.NDArray[np.int32]

# The work between two looks at the clock, some hundredths of a second: squares laid or looked at, squares moved.
_SLICE, _MOVES = 200_000, 20_000_000
_SPLIT, _TURN = 8, 16


class PathCovers:
    """Attempts at one puzzle; each may take up where the last slice ended.

    Attributes
    ----------
    proven : bool
        Whether an attempt has shown that there is no tour: its matching could not be completed.
    """

    def __init__(self, spec: TourSpec, net: UsableMoves | None, meter: Meter, counters: Counters) -> None:
        import numpy as np  # noqa: PLC0415 - loaded when the plain rung has not found a tour

        self.spec, self.meter, self.counters = spec, meter, counters
        self.proven = False
        self.cyclic = spec.closed or (spec.start is not None and spec.end is not None)
        joint = self.cyclic and not spec.closed
        graph = move_graph(spec.board, spec.piece)
        if net is None:
            indptr, indices = np.asarray(graph.indptr, np.int32), np.asarray(graph.indices, np.int32)
            if joint:
                indptr, indices = _with_joint(indptr, indices, spec)
        else:
            indptr = np.cumsum([0, *map(len, net.near)], dtype=np.int32)
            indices = np.array([other for near in net.near for other in sorted(near)], np.int32)
        self.squares = np.array([*spec.board, spec.board.size][: len(spec.board) + joint], np.int32)
        self.indptr, self.indices = _gapless(indptr, indices, self.squares)
        self.degrees = np.diff(self.indptr)
        self.attempts = 0

    def attempt(self, rotations: int) -> tuple[int, ...] | None:
        """Make an attempt with at most so many rotations; return the squares of a tour, or None."""
        graph, strands = self._prepared(self.attempts)
        self.attempts += 1
        if not self._cover(graph, strands) or not self._rotate(graph, strands, rotations):
            return None
        return self._read(strands)

    def _prepared(self, attempt: int) -> tuple[Graph, Strands]:
        """Return fresh arrays."""
        import numpy as np  # noqa: PLC0415

        from backrank.tours.solve import path_cover_jit as kernel  # noqa: PLC0415 - loads numba

        size = len(self.squares)
        start = self.spec.start
        head = -1 if start is None or self.cyclic else int(np.searchsorted(self.squares, start))
        generator = np.random.default_rng(attempt)
        if attempt == 0:
            # Roth's ties: the square farther from the centre first.
            rows, cols = np.divmod(self.squares.astype(np.int64), self.spec.board.cols)
            ties = -((2 * rows - self.spec.board.rows + 1) ** 2 + (2 * cols - self.spec.board.cols + 1) ** 2)
        else:
            ties = generator.permutation(size).astype(np.int64)
        settings = np.array([self.cyclic, head, _SPLIT, _TURN], np.int64)
        # An open tour may well end on a square with two moves: every other attempt allows it.
        stiff = (self.degrees <= 2) & (self.cyclic or attempt % 2 == 0)
        graph = kernel.Graph(self.indptr, self.indices, stiff.astype(np.uint8), ties, settings)
        state = np.zeros(7, np.int64)
        state[kernel.HERE] = -1
        state[kernel.AT] = generator.integers(size) if attempt else 0
        empty = np.full((5, size), -1, np.int32)
        links = np.full((size, 2), -1, np.int32)
        seed = np.array([Random(attempt).getrandbits(63) | 1], np.uint64)  # noqa: S311 - must repeat; nothing secret
        degrees = self.degrees.astype(np.int32)
        return graph, kernel.Strands(links, empty[0], empty[1], degrees, empty[2], empty[3], state, seed)

    def _cover(self, graph: Graph, strands: Strands) -> bool:
        """Cover the board by one path and some cycles, as few as a quick look finds; False if that is impossible."""
        from backrank.runtime import status  # noqa: PLC0415
        from backrank.tours.solve import path_cover_jit as kernel  # noqa: PLC0415

        state = strands.state
        laid = 0
        while kernel.lay(graph, strands, self._slice(_SLICE)) == status.STOPPED:
            self._tick(int(state[kernel.CALLS]) - laid, int(state[kernel.LENGTH]))
            laid = int(state[kernel.CALLS])
        self._tick(int(state[kernel.CALLS]) - laid, len(self.squares))
        state[kernel.SPARE] = state[kernel.PARTS] - (not self.cyclic)
        state[kernel.AT] = 0
        while (code := kernel.match(graph, strands, _SLICE)) == status.STOPPED:
            self._tick(0, len(self.squares))
        if code == kernel.HOPELESS:
            self.proven = True
            return False
        state[kernel.PARTS] = kernel.part(strands)
        for _ in range(2):
            state[kernel.AT] = 0
            while kernel.tie(graph, strands, _SLICE) == status.STOPPED:
                self._tick(0, len(self.squares))
        self._tick(0, len(self.squares))
        return True

    def _rotate(self, graph: Graph, strands: Strands, rotations: int) -> bool:
        """Bend until the path is a tour; False if it gave up."""
        from backrank.runtime import status  # noqa: PLC0415
        from backrank.tours.solve.path_cover_jit import CALLS, LENGTH, MOVED  # noqa: PLC0415
        from backrank.tours.solve.rotation_jit import rotate, unroll  # noqa: PLC0415

        state = strands.state
        unroll(graph, strands)
        left = rotations
        while True:
            state[CALLS] = state[MOVED] = 0
            code = rotate(graph, strands, self._slice(min(left, _SLICE)), _MOVES)
            calls = int(state[CALLS])
            left -= calls
            self.counters.backtracks += calls
            self._tick(calls, int(state[LENGTH]))
            if code != status.STOPPED or left <= 0:
                return bool(code == status.SOLVED)

    def _slice(self, calls: int) -> int:
        """Return how many calls to make at most before the next tick."""
        limit = self.meter.budget.calls
        return calls if limit is None else max(1, min(calls, limit - self.counters.calls))

    def _tick(self, calls: int, depth: int) -> None:
        self.counters.calls += calls
        self.meter.tick(self.counters.calls, depth)

    def _read(self, strands: Strands) -> tuple[int, ...]:
        """Return the squares of a finished path, from the start."""
        squares: list[int] = self.squares[strands.path].tolist()
        if not self.cyclic:
            return tuple(squares)
        first = self.spec.start if self.spec.closed else self.spec.board.size
        if first is None:
            return tuple(squares)
        at = squares.index(first)
        squares = squares[at:] + squares[:at]
        if not self.spec.closed:
            squares = squares[1:] if squares[1] == self.spec.start else squares[:0:-1]
        return tuple(squares)


def _with_joint(indptr: Int32s, indices: Int32s, spec: TourSpec) -> tuple[Int32s, Int32s]:
    """Return a graph with one square more, which joins start and end."""
    import numpy as np  # noqa: PLC0415

    ends = sorted(square for _, square in spec.ends())
    joint = spec.board.size
    indices = np.insert(indices, [indptr[square + 1] for square in ends], joint)
    indptr = indptr.copy()
    for square in ends:
        indptr[square + 1 :] += 1
    return np.append(indptr, indptr[-1] + 2).astype(np.int32), np.append(indices, ends).astype(np.int32)


def _gapless(indptr: Int32s, indices: Int32s, squares: Int32s) -> tuple[Int32s, Int32s]:
    """Return the graph with its squares numbered from 0 on; holes have no moves and go without a trace."""
    import numpy as np  # noqa: PLC0415

    numbers = np.full(len(indptr) - 1, -1, np.int32)
    numbers[squares] = np.arange(len(squares), dtype=np.int32)
    return np.append(indptr[squares], indptr[-1]).astype(np.int32), numbers[indices]
