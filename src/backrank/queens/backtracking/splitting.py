"""Cut the search row by row into tasks: one for each way to fill the first rows, mirror images once.

If no two of its symmetries are to be told apart, the first queen may be kept to one half of its row, and what is found
counts twice, but for the middle column of an odd board; on a cylinder without holes it stands in the first column, and
counts once for each column. On a torus without holes one queen stands in the corner: of all rows * cols places that
shifts can bring a placement to, it has a queen in the corner in as many as there are queens. Then it is the second
queen that is kept to one half.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from backrank.queens.backtracking import tails
from backrank.queens.backtracking.rows_jit import RowsTable, count_rows
from backrank.queens.backtracking.slices import Int64s, Kernel, SearchTask, new_counters
from backrank.queens.backtracking.tails_jit import run_tails
from backrank.queens.rules import RowLevel, Rows
from backrank.queens.spec import QueensSpec

TASKS = 400


def rows_table(rules: Rows) -> RowsTable:
    """Return the board as the kernel wants it; at most 60 columns."""
    shape = [rules.rows, rules.cols, rules.period, rules.glued, rules.torus, rules.knights]
    return RowsTable(np.array(shape, np.int64), np.array(rules.allowed, np.int64))


def stack_of(rules: Rows, levels: list[RowLevel]) -> Int64s:
    """Return the state of a search as the kernels want it."""
    stack = np.zeros((rules.rows + 1, len(RowLevel._fields)), np.int64)
    stack[: len(levels)] = levels
    return stack


Part = tuple[list[RowLevel], int]


@dataclass(frozen=True, slots=True)
class RowCut:
    """A search row by row that has been cut: each of its parts can be made a task, anywhere, at any time.

    Attributes
    ----------
    rules : Rows
    parts : list of (levels, weight)
        The same for the same puzzle, wherever it is cut.
    factor : Fraction
        What the total of all tasks must be multiplied by.
    kernel : callable
        Makes a kernel for one task; tasks run at the same time must not share one.
    deepest : int
        The most rows that a part may have.
    """

    rules: Rows
    parts: list[Part]
    factor: Fraction
    kernel: Callable[[], Kernel]
    deepest: int

    def tasks(self, chosen: slice = slice(None)) -> list[SearchTask]:
        """Return tasks for some parts, all of them if not told which."""
        return [
            SearchTask(self.kernel(), stack_of(self.rules, levels), new_counters(len(levels) - 1), weight)
            for levels, weight in self.parts[chosen]
        ]


def row_cut(spec: QueensSpec, wanted: int = TASKS) -> RowCut:
    """Cut the search that counts everything row by row into so many parts, or some more."""
    rules = spec.rules()
    table = rows_table(rules)

    def kernel(stack: Int64s, counters: Int64s) -> int:
        return count_rows(table, stack, counters)

    parts, factor = split(spec, rules, deepest=rules.rows, wanted=wanted)
    return RowCut(rules, parts, factor, lambda: kernel, rules.rows)


def tail_cut(spec: QueensSpec, wanted: int = TASKS) -> RowCut:
    """Cut the search for n queens on n x n, holes allowed, that has a table for the last rows."""
    rules = spec.rules()
    rows = tails.tail_rows(rules.rows)
    table, room = tails.make_table(rules.allowed, rows)
    nothing, no_entries = np.zeros((0, 1), np.uint64), np.zeros(0, np.int32)

    def kernel() -> Kernel:
        own = tails.with_own_room(table)
        return lambda stack, counters: run_tails(own, stack[: rules.rows - rows], counters, nothing, no_entries, room)

    parts, factor = split(spec, rules, deepest=rules.rows - rows, wanted=wanted)
    return RowCut(rules, parts, factor, kernel, rules.rows - rows)


def row_tasks(spec: QueensSpec) -> tuple[list[SearchTask], Fraction]:
    """Return tasks that count everything row by row, and the number their total must be multiplied by."""
    cut = row_cut(spec)
    return cut.tasks(), cut.factor


def tail_tasks(spec: QueensSpec) -> list[SearchTask]:
    """Return tasks that count n queens on n x n, holes allowed, with a table for the last rows."""
    return tail_cut(spec).tasks()


def split(spec: QueensSpec, rules: Rows, *, deepest: int, wanted: int = TASKS) -> tuple[list[Part], Fraction]:
    """Return states of the search that together cover it, each with its weight, and a factor for all.

    At least two queens are still to be placed in each; none has more than `deepest` rows on its stack.
    """
    parts, factor = _roots(spec, rules)
    return spread(rules, parts, deepest=deepest, wanted=wanted), factor


def spread(rules: Rows, parts: list[Part], *, deepest: int, wanted: int = TASKS) -> list[Part]:
    """Return states that together cover the same as some others, more than those if `wanted` are more."""
    while len(parts) < wanted:
        onward = [child for part in parts for child in _children(rules, part, deepest)]
        if onward == parts:
            break
        parts = onward
    return parts


def _roots(spec: QueensSpec, rules: Rows) -> tuple[list[Part], Fraction]:
    """Return what the first queens may do, and how often it counts."""
    board = spec.board
    if board.wrap != "none" and not board.holes:
        if board.wrap == "torus":
            factor, placed = Fraction(board.rows * board.cols, spec.queens), [[rules.first()._replace(tries=1)]]
        else:
            factor = Fraction(board.cols)
            placed = [[*above, level._replace(tries=1)] for above, level in _starts(rules, [rules.first()])]
        if spec.queens < 3:
            return [(levels, 1) for levels in placed], factor
        # A mirror image leaves the first column where it is: now the second queen may be kept to one half.
        middle = 0 if board.cols % 2 else 1 << board.cols // 2
        half = (1 << (board.cols + 1) // 2) - 2
        second = [child for levels in placed for child, _ in _children(rules, (levels, 1), rules.rows)]
        return [part for levels in second for part in _halves(rules, levels, half, middle)], factor
    if not spec.is_mirrored:
        return [([rules.first()], 1)], Fraction(1)
    half = (1 << board.cols // 2) - 1
    middle = half + 1 if board.cols % 2 else 0
    return _halves(rules, [rules.first()], half, middle), Fraction(1)


def _halves(rules: Rows, levels: list[RowLevel], half: int, middle: int) -> list[Part]:
    """Return the states in which the next queen stands in one half, counted twice, or in the middle."""
    parts = [
        ([*above, level._replace(tries=level.tries & columns)], weight)
        for columns, weight in ((half, 2), (middle, 1))
        for above, level in _starts(rules, levels)
    ]
    return [part for part in parts if part[0][-1].tries]


def _starts(rules: Rows, levels: list[RowLevel]) -> Iterator[tuple[list[RowLevel], RowLevel]]:
    """Yield the rows above the next queen, and its own, for each row it may stand in."""
    levels = list(levels)
    while True:
        level = levels[-1]
        yield levels[:-1], level._replace(tries=level.tries & (1 << rules.cols) - 1)
        if not level.skips:
            return
        levels[-1] = level._replace(tries=0)
        levels.append(rules.next_level(levels))


def _children(rules: Rows, part: Part, deepest: int) -> list[Part]:
    """Return the states one row further down, or the same one if it is far enough."""
    levels, weight = part
    level = levels[-1]
    if len(levels) >= deepest or rules.rows - len(levels) + 1 - level.skips < 3:
        return [part]
    children, tries = [], level.tries
    while tries:
        bit = tries & -tries
        tries ^= bit
        queen = bit if bit >> rules.cols == 0 else 0
        above = [*levels[:-1], level._replace(tries=0, queen=queen)]
        below = rules.next_level(above)
        if below.tries:
            children.append(([*above, below], weight))
    return children
