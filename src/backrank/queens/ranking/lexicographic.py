"""Placements by their number in the order of listing: rank and unrank, by counting what comes before.

The listing is lexicographic by squares: row by row, a row has its piece in the leftmost column first, and is left empty
last. The number of a placement is a sum over its rows: for each choice in that row that comes before its own, the
number of placements that begin so. Each of these is counted by the search row by row: in plain Python up to
`PLAIN_CALLS` calls; beyond, compiled, on several threads, and with a table for the last rows for n queens on n x n.

Cost: at most that of one search for all placements, by the methods `tails` or `rows` of
:mod:`backrank.queens.counting.methods`, which is the worst case of the last placements; the mean is half of it. What
would take more than an hour is refused unless a limit is set. Memory: some 50 MB for the table.

The independent check is the listing: every number met once, in order.

*Road not taken.* The sampler's own numbers (:mod:`backrank.queens.ranking.sampling`) come from the terms of a count by
column sets, a hundred times as quick at n = 16, but in an order that has nothing to do with the listing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from backrank.errors import BoardTooLarge
from backrank.queens.backtracking.forecast import PER_CALL, estimated_size
from backrank.queens.backtracking.rows import iter_columns
from backrank.queens.backtracking.suits import MAX_COMPILED_COLS, suits_tails
from backrank.queens.listing.stream import iter_squares
from backrank.queens.rules import RowLevel, Rows
from backrank.queens.spec import QueensSpec
from backrank.runtime.budget import Budget, Meter
from backrank.runtime.cpu import available_threads
from backrank.runtime.numbering import no_such_number, number_given
from backrank.runtime.quantities import duration

if TYPE_CHECKING:
    from backrank.queens.backtracking.splitting import RowCut

MAX_NUMBERED_SQUARES = 4_000_000
PLAIN_CALLS, LOADED_CALLS = 50_000, 1_000  # before and after the kernels are loaded
QUICK_SQUARES = 100  # no search on so few takes long
MAX_SECONDS = 3_600.0
TASKS = 64
Levels = list[RowLevel]


def rank(spec: QueensSpec, squares: Sequence[int], budget: Budget) -> int:
    """Return the number of a placement, from 0, in the order of listing.

    Parameters
    ----------
    spec : QueensSpec
        With placed pieces or without.
    squares : sequence of int
        A placement of it, in ascending order.
    budget : Budget

    Raises
    ------
    BoardTooLarge
        If it would take more than an hour, and no limit is set.
    BudgetExceeded
        If a limit was reached first.

    Examples
    --------
    >>> from backrank.geometry.board import Board
    >>> rank(QueensSpec(Board(4), 4), (2, 4, 11, 13), Budget())
    1
    """
    rest, beside = spec.reduced()
    completions = _Completions.of(rest, budget)
    rules = completions.rules
    number, levels = 0, [rules.first()]
    for bit in _choices_of(rules, sorted({*squares}.difference(beside))):
        for before in _bits(levels[-1].tries & bit - 1):
            number += completions.count(rules.chosen(levels, before))
        levels = rules.chosen(levels, bit)
    return number


def unrank(spec: QueensSpec, number: int, budget: Budget) -> tuple[int, ...]:
    """Return the squares of the placement of a number: what :func:`rank` undoes, at the same cost.

    Raises
    ------
    NoSuchNumber
        If there is no such number; they go from 0 to below the count.
    BoardTooLarge, BudgetExceeded
        As for :func:`rank`.

    Examples
    --------
    >>> from backrank.geometry.board import Board
    >>> unrank(QueensSpec(Board(4), 4), 1, Budget())
    (2, 4, 11, 13)
    """
    rest, beside = spec.reduced()
    return tuple(sorted((*_unranked(rest, number_given(number, "placement"), budget), *beside)))


def iter_from(spec: QueensSpec, offset: int, budget: Budget) -> Iterator[tuple[int, ...]]:
    """Return the placements in the order of listing, as squares, from the one of a number on; see :func:`unrank`.

    Examples
    --------
    >>> from backrank.geometry.board import Board
    >>> len(list(iter_from(QueensSpec(Board(8), 8), 90, Budget())))
    2
    """
    rest, beside = spec.reduced()
    first = _unranked(rest, number_given(offset, "placement"), budget)
    begin = levels_at(rest.rules(), first)
    listed = iter_squares(rest, meter=budget.start(rest.queens), begin=begin)
    return (tuple(sorted((*squares, *beside))) for squares in listed) if beside else listed


def _unranked(spec: QueensSpec, number: int, budget: Budget) -> tuple[int, ...]:
    if spec.why_impossible() is not None:
        raise no_such_number(number, 0, "placement")
    completions = _Completions.of(spec, budget)
    rules = completions.rules
    levels, passed = [rules.first()], 0
    while completions.left(levels):
        choices = list(_bits(levels[-1].tries))
        for bit in choices:
            onward = rules.chosen(levels, bit)
            # Below the first row there is one with the number: if it is none of the others, it is the last.
            if len(levels) > 1 and bit == choices[-1]:
                levels = onward
                break
            ways = completions.count(onward)
            if number < passed + ways:
                levels = onward
                break
            passed += ways
        else:
            raise no_such_number(number, passed, "placement")
    if number > passed:  # without pieces there is one placement
        raise no_such_number(number, 1, "placement")
    return _squares_of(rules, levels)


def levels_at(rules: Rows, squares: Sequence[int]) -> Levels:
    """Return the state of the search that yields this placement next, and then those that come after it."""
    levels = [rules.first()] if rules.queens else []
    choices = list(_choices_of(rules, squares))
    for row, bit in enumerate(choices):
        level = levels[-1]
        rest = level.tries & ~(bit - 1)
        if row == len(choices) - 1:
            levels[-1] = level._replace(tries=rest)
        else:
            onward = rules.chosen(levels, bit)
            levels = [*levels[:-1], onward[-2]._replace(tries=rest ^ bit), onward[-1]]
    return levels


def require_affordable(spec: QueensSpec, budget: Budget) -> None:
    """Raise BoardTooLarge, with the estimate, for what takes more than an hour where no limit is set."""
    spec.board.require_at_most(MAX_NUMBERED_SQUARES, "numbering")
    if spec.board.size <= QUICK_SQUARES or budget.seconds is not None or budget.calls is not None:
        return
    method, threads = "python", 1
    if spec.board.cols <= MAX_COMPILED_COLS:
        method, threads = ("tails" if suits_tails(spec) else "rows"), available_threads()
    size = estimated_size(spec)
    seconds = PER_CALL[method] * (size.calls + size.found) / threads
    if seconds > MAX_SECONDS:
        raise BoardTooLarge(
            f"numbering {spec} would take up to {duration(seconds)}; set a time limit, or take a smaller board"
        )


@dataclass(slots=True)
class _Completions:
    """Counts the placements that begin with some rows; the compiled search is loaded when it is worth it."""

    spec: QueensSpec
    rules: Rows
    meter: Meter
    cuts: list[tuple[RowCut, int]] | None = None  # with the number of rows that each search may be begun on

    @classmethod
    def of(cls, spec: QueensSpec, budget: Budget) -> _Completions:
        require_affordable(spec, budget)
        return cls(spec, spec.rules(), budget.start(spec.queens))

    def left(self, levels: Levels) -> int:
        """Return how many pieces are still to come; the last level is the row to fill next."""
        return self.rules.rows - len(levels) + 1 - levels[-1].skips

    def count(self, levels: Levels) -> int:
        """Return the number of completions; the last level is the row to fill next."""
        rules, left = self.rules, self.left(levels)
        if not left:
            return 1
        if left == 1:
            return _last_ways(rules, levels)
        if not levels[-1].tries:
            return 0
        begun = self.meter.calls
        is_compiled = rules.cols <= MAX_COMPILED_COLS
        rest, found = [*levels], 0
        most = PLAIN_CALLS if self.cuts is None else LOADED_CALLS
        until = begun + most if is_compiled else 0
        for _ in iter_columns(rules, meter=self.meter, levels=rest, until=until, shallow=rules.rows):
            found += 1
        return self._compiled(levels) if rest else found

    def _compiled(self, levels: Levels) -> int:
        from backrank.queens.backtracking import slices, splitting  # noqa: PLC0415 - load numpy and numba

        if self.cuts is None:
            self.cuts = []
            if suits_tails(self.spec):
                cut = splitting.tail_cut(self.spec, wanted=0)
                self.cuts.append((cut, cut.deepest))
            self.cuts.append((splitting.row_cut(self.spec, wanted=0), self.rules.rows))
        cut, deepest = next(each for each in self.cuts if len(levels) <= each[1])
        parts = splitting.spread(self.rules, [(levels, 1)], deepest=deepest, wanted=TASKS)
        return slices.total(replace(cut, parts=parts).tasks(), meter=self.meter, threads=available_threads())


def _last_ways(rules: Rows, levels: Levels) -> int:
    """Return in how many ways the last piece can be placed, in this row or a later one."""
    ways, every = 0, (1 << rules.cols) - 1
    while True:
        level = levels[-1]
        ways += (level.tries & every).bit_count()
        if not level.skips:
            return ways
        levels = rules.chosen(levels, 1 << rules.cols)


def _bits(mask: int) -> Iterator[int]:
    while mask:
        bit = mask & -mask
        yield bit
        mask ^= bit


def _choices_of(rules: Rows, squares: Sequence[int]) -> Iterator[int]:
    """Yield what each row of a placement is, as a bit of `RowLevel.tries`, down to that of the last piece."""
    row = 0
    for square in squares:
        at, col = divmod(square, rules.cols)
        for _ in range(row, at):
            yield 1 << rules.cols
        yield 1 << col
        row = at + 1


def _squares_of(rules: Rows, levels: Levels) -> tuple[int, ...]:
    return tuple(row * rules.cols + level.queen.bit_length() - 1 for row, level in enumerate(levels) if level.queen)
