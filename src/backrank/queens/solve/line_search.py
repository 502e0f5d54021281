"""The adapter of the compiled search over lines: see :mod:`backrank.queens.solve.completion` for the idea.

One answer is looked for in many attempts, each with other random choices and a little more patience than the one
before (C. P. Gomes, B. Selman and H. Kautz, 1998), while the weights of troublesome lines are kept. Patience grows by
a fifth each time, so a proof that there is none costs about six times the attempt that gives it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from backrank.geometry.board import Board
from backrank.runtime.budget import Meter

if TYPE_CHECKING:
    from backrank.queens.solve.lines_jit import Lines, Position

PATIENCE = 50  # dead ends of the first attempt
STRIDE = 100_000  # calls between two looks at the clock, divided by the side of the board: a call takes as much longer
ENDLESS = 2**62
MAX_BALANCED = 2000
FIRST_ROOM = 1024
KINDS = 4
_SEEDS = 2**64


class LineSearch:
    """The arrays of one search, and how to run on; nothing is placed yet but what was given."""

    def __init__(self, board: Board, placed: tuple[int, ...], queens: int, seed: int) -> None:
        from backrank.queens.solve.lines_jit import DEPTH, LEFT, NUMBERS, REMOVED, Position  # noqa: PLC0415 - loads numba

        self.placed = placed
        self.lines = lines = make_lines(board)
        free = np.ones(board.size, np.bool_)
        free[list(board.holes)] = False
        for square in placed:
            free &= (lines.of != lines.of[square]).all(axis=1)
        count = int(lines.first[-1])
        counts = np.bincount(lines.of[free].ravel(), minlength=count).astype(np.int32)
        opened = np.add.reduceat(counts > 0, lines.first[:-1], dtype=np.int64)
        gone = np.flatnonzero(~free)
        trail = np.zeros(board.size, np.int32)
        trail[: gone.size] = gone
        listed = np.zeros(KINDS * board.size + count, np.int32)
        levels, weights = np.zeros((5, count + 1), np.int64), np.ones(count, np.int64)
        random = np.array([seed % _SEEDS], np.uint64)
        self.position: Position = Position(
            free.astype(np.uint8), counts, opened, trail, listed, levels, weights, random
        )
        self.numbers = np.zeros(NUMBERS, np.int64)
        self.numbers[LEFT], self.numbers[REMOVED] = queens - len(placed), gone.size
        self._balance(board, queens - len(placed))
        self._depth, self._levels = DEPTH, levels
        self._stride = max(1, STRIDE // max(board.rows, board.cols))
        self._before: int | None = None

    def _balance(self, board: Board, left: int) -> None:
        """Note what the diagonals of the queens to come add up to, if they fill all open rows and columns."""
        from backrank.queens.solve.lines_jit import DOWN, SQUARES, UP  # noqa: PLC0415 - loads numba

        first, counts = self.lines.first, self.position.counts
        rows, cols = (np.flatnonzero(counts[first[kind] : first[kind + 1]]) for kind in (0, 1))
        if board.wrap == "none" and rows.size == cols.size == left and max(board.rows, board.cols) <= MAX_BALANCED:
            self.lines.balance[0] = 1
            self.numbers[DOWN], self.numbers[UP] = rows.sum() - cols.sum(), rows.sum() + cols.sum()
            self.numbers[SQUARES] = 2 * ((rows * rows).sum() + (cols * cols).sum())

    def run(self, meter: Meter, *, failures: int, counting: bool) -> int:
        """Run until there is an answer, or so many dead ends; return the status of the kernel."""
        from backrank.queens.solve.completion_jit import run_completion  # noqa: PLC0415 - loads numba

        return self._sliced(meter, failures, counting, run_completion)

    def fill(self, meter: Meter, table: npt.NDArray[np.int32]) -> int:
        """Write one answer after the other into a table; return the status of the kernel."""
        from backrank.queens.solve.completion_jit import list_completions  # noqa: PLC0415 - loads numba

        return self._sliced(meter, ENDLESS, False, list_completions, table)

    def _sliced(
        self,
        meter: Meter,
        failures: int,
        counting: bool,
        kernel: Callable[..., int],
        *more: npt.NDArray[np.int32],
    ) -> int:
        """Run a kernel, slice by slice, and tell the meter."""
        from backrank.queens.solve.lines_jit import CALLS, FOUND  # noqa: PLC0415 - loads numba
        from backrank.runtime.status import STOPPED  # noqa: PLC0415

        numbers = self.numbers
        before = self._before = meter.calls if self._before is None else self._before  # by another search
        while True:
            stop_at = min(meter.stop_at, meter.calls + self._stride) - before
            limits = np.array([stop_at, failures, counting], np.int64)
            status = kernel(self.lines, self.position, numbers, limits, *more)
            meter.calls, meter.found = before + int(numbers[CALLS]), int(numbers[FOUND])
            if status != STOPPED:
                return status
            meter.tick(meter.calls, len(self.placed) + int(numbers[self._depth]))

    def squares(self) -> list[int]:
        """Return the queens of the answer."""
        from backrank.queens.solve.completion_jit import CHOSEN  # noqa: PLC0415 - loads numba

        chosen = self._levels[CHOSEN, : self.numbers[self._depth]]
        return [*self.placed, *chosen[chosen >= 0].tolist()]


def search(board: Board, placed: tuple[int, ...], queens: int, *, seed: int, meter: Meter) -> list[int] | None:
    """Return squares of a completion, or None if there is none.

    Examples
    --------
    >>> from backrank.runtime.budget import Budget
    >>> len(search(Board(100), (0,), 100, seed=1, meter=Budget().start()))
    100
    """
    from backrank.queens.solve.completion_jit import RESTART, restart_completion  # noqa: PLC0415 - loads numba
    from backrank.runtime.status import SOLVED  # noqa: PLC0415

    if queens == len(placed):
        return list(placed)
    work = LineSearch(board, placed, queens, seed)
    patience = PATIENCE
    while (status := work.run(meter, failures=patience, counting=False)) == RESTART:
        restart_completion(work.lines, work.position, work.numbers)
        patience += patience // 5
    return work.squares() if status == SOLVED else None


def count(board: Board, placed: tuple[int, ...], queens: int, *, meter: Meter) -> int:
    """Return the number of completions.

    Examples
    --------
    >>> from backrank.runtime.budget import Budget
    >>> count(Board(10), (), 10, meter=Budget().start())
    724
    """
    if queens == len(placed):
        meter.found = 1
        return 1
    LineSearch(board, placed, queens, 0).run(meter, failures=ENDLESS, counting=True)
    return meter.found


def listed(board: Board, queens: int, *, most: int, meter: Meter) -> npt.NDArray[np.int32] | None:
    """Return all placements of at least one queen, their squares in a row each; or None if there are more than `most`.

    Examples
    --------
    >>> from backrank.runtime.budget import Budget
    >>> listed(Board(4), 4, most=9, meter=Budget().start())
    array([[ 1,  7,  8, 14],
           [ 2,  4, 11, 13]], dtype=int32)
    """
    from backrank.runtime.status import DONE  # noqa: PLC0415 - loads numba

    work = LineSearch(board, (), queens, 0)
    table = np.zeros((min(most + 1, FIRST_ROOM), queens), np.int32)
    while work.fill(meter, table) != DONE:
        if meter.found > most:
            return None
        table = np.concatenate((table, np.zeros((min(most + 1 - len(table), len(table)), queens), np.int32)))
    table = np.sort(table[: meter.found], axis=1)
    return table[np.lexsort(table.T[::-1])]


def make_lines(board: Board) -> Lines:
    """Return the lines of a board, numbered as in `geometry.pieces.queen_lines` but from 0 and without gaps."""
    from backrank.queens.solve.lines_jit import Lines  # noqa: PLC0415 - loads numba

    size = board.size
    row, col = np.divmod(np.arange(size), board.cols)
    down, up = row - col + board.cols - 1, row + col
    if board.wrap != "none":
        modulus = board.cols if board.wrap == "cylinder" else int(np.gcd(board.rows, board.cols))
        down, up = (row - col) % modulus, up % modulus
    kinds: list[npt.NDArray[np.int64]] = [row, col, down, up]
    first = np.concatenate(([0], np.cumsum([int(kind.max()) + 1 for kind in kinds])))
    of = np.stack([kind + start for kind, start in zip(kinds, first[:-1], strict=True)], axis=1).astype(np.int32)
    flat = of.T.ravel()
    start = np.zeros(int(first[-1]) + 1, np.int32)
    np.cumsum(np.bincount(flat, minlength=int(first[-1])), out=start[1:])
    squares = (np.argsort(flat, kind="stable") % size).astype(np.int32)
    return Lines(of, start, squares, first.astype(np.int64), np.array([0, board.cols - 1], np.int64))
