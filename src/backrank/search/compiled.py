"""The second gear: from cursors to the arrays of the kernels and back. The only module of `search` that knows them.

Nothing is recorded on the way, only the cursor at the end comes back. A cursor of depth 0 is moved on
in plain Python where a kernel wants a path; so is a full path that has not been judged, for the fastest one.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, cast

from backrank.geometry.pieces import move_graph, queen_lines
from backrank.search.cursor import Cursor
from backrank.search.machine import TourMachine, machine_at
from backrank.search.spaces import QueensSpace, Space, TourSpace
from backrank.search.strategies.names import Strategy
from backrank.search.strategies.queens import QueensStrategy, QueensView

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from backrank.geometry.board import Board
    from backrank.search.masks_jit import MaskTables

    Array = npt.NDArray[np.int64]

NEVER = 2**62
MAX_FEWEST_SQUARES = 65_536


def has_kernel(space: Space, strategy: Strategy) -> bool:
    """Whether a strategy is compiled for a space; if not, plain Python does it."""
    if strategy.rule.kernel is None:
        return False
    return isinstance(space, TourSpace) or strategy.rule.kernel != "fewest" or len(space.board) <= MAX_FEWEST_SQUARES


class Gear:
    """The kernels of one space and strategy, with their tables ready."""

    def __init__(self, space: Space, strategy: Strategy) -> None:
        self.space = space
        self.strategy = strategy

    def run(self, cursor: Cursor, *, events: int = NEVER, calls: int = NEVER, solutions: int = NEVER) -> Cursor:
        """Return the cursor at the first moment that reaches one of three totals, or the end.

        Parameters
        ----------
        cursor : Cursor
        events, calls, solutions : int
            Counted from the start of the search, not from the cursor. The total of calls is reached just after an
            enter, that of solutions just after a solution.
        """
        from backrank.runtime import status  # noqa: PLC0415 - loads numba

        limits = (events, calls, solutions)
        while not (cursor.done or _is_reached(cursor, limits)):
            before = cursor
            state = _Arrays(cursor)
            if self.takes(cursor):
                code = self.call(state, cursor, limits)
                cursor = state.cursor(cursor, done=code == status.DONE)
            if cursor.event == before.event:
                machine = machine_at(cursor)
                machine.step()
                cursor = machine.cursor()
        return cursor

    def takes(self, cursor: Cursor) -> bool:
        """Whether a kernel can go on from this cursor."""
        raise NotImplementedError

    def call(self, state: _Arrays, cursor: Cursor, limits: Sequence[int]) -> int:
        """Run a kernel over the arrays of a cursor, and return its status."""
        raise NotImplementedError


def _is_reached(cursor: Cursor, limits: Sequence[int]) -> bool:
    return cursor.event >= limits[0] or cursor.calls >= limits[1] or cursor.solutions >= limits[2]


class _Arrays:
    """A cursor as the kernels see it."""

    def __init__(self, cursor: Cursor) -> None:
        import numpy as np  # noqa: PLC0415

        depth, total = len(cursor.path), cursor.space.total
        self.path = np.zeros(total, np.int64)
        self.tried = np.zeros(total + 1, np.int64)
        self.path[:depth] = cursor.path
        self.tried[: depth + 1] = cursor.tried
        counters = (depth, cursor.calls, cursor.rejects, cursor.solutions, cursor.deepest)
        self.counters = np.array(counters, np.int64)

    def cursor(self, before: Cursor, *, done: bool) -> Cursor:
        """Return the cursor that the arrays hold."""
        depth, calls, rejects, solutions, deepest = self.counters.tolist()
        path, tried = tuple(self.path[:depth].tolist()), tuple(self.tried[: depth + 1].tolist())
        return Cursor(before.space, before.strategy, path, tried, calls, rejects, solutions, deepest, done)


class TourGear(Gear):
    """The two kernels for tours: the fast one where it is made for, and the general one."""

    def __init__(self, space: TourSpace, strategy: Strategy) -> None:
        import numpy as np  # noqa: PLC0415

        from backrank.search.tours_jit import TourTables  # noqa: PLC0415

        super().__init__(space, strategy)
        board = space.board
        machine = cast("TourMachine", machine_at(Cursor(space, strategy)))
        adjacency = machine.view.adjacency
        self.degrees = [len(targets) for targets in adjacency]
        self.width = max(self.degrees)
        graph = move_graph(board, strategy.piece(space.piece))
        finals = np.array([machine.is_final(square) for square in range(board.size)], np.uint8)
        self.tables = TourTables(
            np.asarray(graph.indptr, np.int32),
            np.asarray(graph.indices, np.int32),
            np.array(machine.ways.need if machine.ways else [0] * board.size, np.int64),
            np.array([machine.view.centre_distance(square) for square in range(board.size)], np.int64),
            finals,
            self._settings(machine),
        )
        fixed = strategy.rule.kernel == "fixed" and not strategy.prune
        self.masks = _masks(board, adjacency, finals) if fixed and board.size <= 64 and self.width <= 8 else None

    def _settings(self, machine: TourMachine) -> Array:
        """Return the numbers of the general kernel."""
        import numpy as np  # noqa: PLC0415

        from backrank.search import tours_jit as kernel  # noqa: PLC0415

        orders = {
            "fixed": kernel.FIXED,
            "degree": kernel.DEGREE,
            "warnsdorff": kernel.WARNSDORFF,
            "warnsdorff-roth": kernel.WARNSDORFF_ROTH,
            "random": kernel.RANDOM,
        }
        board, ways = self.space.board, machine.ways
        settings = np.zeros(9, np.int64)
        settings[kernel.ORDER] = orders[cast("str", machine.rule.kernel)]
        settings[kernel.SEED] = machine.rule.seed
        settings[kernel.FURTHEST] = board.rows**2 + board.cols**2
        settings[kernel.WIDTH] = self.width
        if ways is not None:
            settings[kernel.PRUNE] = 1
            settings[kernel.KEPT], settings[kernel.END] = ways.kept, ways.end
            settings[kernel.ALLOWED], settings[kernel.STARVED] = ways.allowed, ways.starved
        return settings

    def takes(self, cursor: Cursor) -> bool:
        """Whether the path has a first square."""
        return bool(cursor.path)

    def call(self, state: _Arrays, cursor: Cursor, limits: Sequence[int]) -> int:
        """Run the fast kernel as far as it surely does not pass a limit of events, else the general one."""
        import numpy as np  # noqa: PLC0415

        from backrank.search.masks_jit import run_tour_masks  # noqa: PLC0415
        from backrank.search.tours_jit import run_tour_search  # noqa: PLC0415

        array = np.array(limits, np.int64)
        if self.masks is not None and (len(cursor.path) < cursor.space.total or cursor.tried[-1]):
            array[1] = min(limits[1], cursor.calls + self._sure_calls(cursor, limits[0]))
            if array[1] > cursor.calls:
                return run_tour_masks(self.masks, state.path, state.tried, state.counters, array)
            array[1] = limits[1]
        return run_tour_search(self.tables, state.path, state.tried, state.counters, array)

    def _sure_calls(self, cursor: Cursor, events: int) -> int:
        """Return how many calls can be made without more events than allowed, whatever happens.

        Every call is an enter and at most one leave, and a square entered refuses at most all its neighbours, or the
        full path once. Besides, all squares of the present path may be left, after all that is left to try along it.
        """
        onward = zip(cursor.path, cursor.tried[1:], strict=True)
        left = sum(max(0, self.degrees[square] - tried) for square, tried in onward)
        return max(0, events - cursor.event - len(cursor.path) - left) // (self.width + 3)


def _masks(board: Board, adjacency: Sequence[Sequence[int]], finals: npt.NDArray[np.uint8]) -> MaskTables:
    """Return the tables of the fast kernel."""
    import numpy as np  # noqa: PLC0415

    from backrank.search.masks_jit import MaskTables  # noqa: PLC0415

    moves, degrees, ends = np.zeros(64, np.uint64), np.zeros(64, np.int64), np.zeros(64, np.uint8)
    for square, targets in enumerate(adjacency):
        padded = [*targets, *[square] * (8 - len(targets))]
        moves[square] = sum(target << 8 * lane for lane, target in enumerate(padded))
        degrees[square] = len(targets)
    ends[: board.size] = finals
    lowest = [0] + [8 * ((byte & -byte).bit_length() - 1) for byte in range(1, 256)]
    squares = sum(1 << square for square in board)
    return MaskTables(moves, degrees, ends, np.array(lowest, np.uint64), np.array([squares], np.uint64))


class QueensGear(Gear):
    """The kernel for queens."""

    def __init__(self, space: QueensSpace, strategy: Strategy) -> None:
        import numpy as np  # noqa: PLC0415

        from backrank.search.queens_jit import QueensTables  # noqa: PLC0415

        super().__init__(space, strategy)
        board, rule = space.board, cast("QueensStrategy", strategy.rule)
        view = QueensView(board, space.total)
        fewest = rule.kernel == "fewest"
        lines = view.lines() if fewest else [view.row(row) for row in range(board.rows)]
        lines = [rule.ordered(view, line) for line in lines]
        owner = np.zeros(board.size, np.int32)
        for number, line in enumerate(lines):
            owner[list(line)] = number
        through = [queen_lines(board, board.cell(square)) for square in range(board.size)]
        numbers = np.ascontiguousarray(np.array(through, np.int32).T)
        self.tables = QueensTables(
            np.cumsum([0, *map(len, lines)]).astype(np.int32),
            np.array([square for line in lines for square in line], np.int32),
            numbers - numbers.min(axis=1, keepdims=True),
            owner,
            np.array([fewest], np.uint8),
        )

    def takes(self, cursor: Cursor) -> bool:  # noqa: ARG002 - it can go on from anywhere
        """Whether the kernel can go on: always."""
        return True

    def call(self, state: _Arrays, cursor: Cursor, limits: Sequence[int]) -> int:  # noqa: ARG002
        """Run the kernel."""
        import numpy as np  # noqa: PLC0415

        from backrank.search.queens_jit import run_queens_search  # noqa: PLC0415

        array = np.array(limits, np.int64)
        return run_queens_search(self.tables, state.path, state.tried, state.counters, array)


@lru_cache(maxsize=8)
def gear_for(space: Space, strategy: Strategy) -> Gear:
    """Return the kernels for a search; the first call in a process loads numba."""
    if isinstance(space, TourSpace):
        return TourGear(space, strategy)
    return QueensGear(space, strategy)
