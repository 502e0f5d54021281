"""Strategies side by side: the first solution of many searches by each, with what it cost.

Calls and backtracks are exact and the same on every machine; seconds are of this one.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from backrank import render
from backrank.errors import InvalidPuzzle
from backrank.runtime.budget import Budget, Meter, budget_of
from backrank.runtime.progress import Progress
from backrank.search.cursor import Cursor
from backrank.search.engine import start
from backrank.search.runner import SearchPaused, run
from backrank.search.spaces import QueensSpace, Space, TourSpace
from backrank.search.strategies.names import parse_strategy


@dataclass(frozen=True, slots=True)
class ComparedRun:
    """One search: by which strategy, of which case, whether it found a solution, and what it cost until then.

    `exhausted` says that it came to its end and there is no solution; else a failure means that the limit was reached.
    """

    strategy: str
    case: str
    solved: bool
    exhausted: bool
    calls: int
    backtracks: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Summary:
    """One strategy: how many cases it solved, the calls of all of them, and the time.

    A case that is not solved counts as one with more calls than any other. So the median is None if it is one of these:
    a strategy does not look better for giving up on what is hard. The same holds for the most calls.
    """

    strategy: str
    cases: int
    solved: int
    least_calls: int | None
    median_calls: int | None
    most_calls: int | None
    median_backtracks: int | None
    seconds: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """What came of a comparison.

    Attributes
    ----------
    title : str
    limit_calls : int
        After how many calls a search was given up.
    strategies, cases : tuple of str
    runs : tuple of ComparedRun
        Strategy by strategy, each in the order of the cases.
    """

    title: str
    limit_calls: int
    strategies: tuple[str, ...]
    cases: tuple[str, ...]
    runs: tuple[ComparedRun, ...]

    def summaries(self) -> list[Summary]:
        """Return one line per strategy."""
        return [self._summary(name) for name in self.strategies]

    def _summary(self, strategy: str) -> Summary:
        runs = [row for row in self.runs if row.strategy == strategy]
        calls = sorted(row.calls for row in runs if row.solved)
        backtracks = sorted(row.backtracks for row in runs if row.solved)
        middle = (len(runs) - 1) // 2
        return Summary(
            strategy,
            len(runs),
            len(calls),
            calls[0] if calls else None,
            calls[middle] if middle < len(calls) else None,
            calls[-1] if len(calls) == len(runs) else None,
            backtracks[middle] if middle < len(calls) else None,
            sum(row.seconds for row in runs),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain data, for JSON."""
        return {
            "title": self.title,
            "limit_calls": self.limit_calls,
            "summaries": [asdict(summary) for summary in self.summaries()],
            "runs": [asdict(row) for row in self.runs],
        }

    def svg(self) -> str:
        """Return a picture: a dot for every case, by its calls on a logarithmic scale, a line for each strategy."""
        rows = [
            (
                name,
                [row.calls for row in self.runs if row.strategy == name and row.solved],
                sum(row.strategy == name and not row.solved for row in self.runs),
            )
            for name in self.strategies
        ]
        return render.strip_plot_svg(rows, limit=self.limit_calls, title=self.title)


def compare_tours(
    spaces: Sequence[TourSpace], strategies: Sequence[str], *, limit_calls: int, budget: Budget | None = None
) -> Comparison:
    """Compare strategies for the first tour of each space; the cases are called by their starts.

    Parameters
    ----------
    spaces : sequence of TourSpace
        At least one.
    strategies : sequence of str
        Names, as :func:`~backrank.search.strategies.names.parse_strategy` takes them.
    limit_calls : int
        After how many calls a search is given up.
    budget : Budget, optional
        Limits, progress and cancelling of the whole comparison.

    Examples
    --------
    >>> from backrank.geometry.board import Board
    >>> spaces = [TourSpace(Board(5), start=start) for start in (0, 12)]
    >>> result = compare_tours(spaces, ["fixed:python", "warnsdorff"], limit_calls=100_000)
    >>> [(row.case, row.solved, row.calls) for row in result.runs if row.strategy == "warnsdorff"]
    [('a5', True, 25), ('c3', True, 25)]
    """
    cases = [space.board.name(space.start) for space in spaces]
    kind = " and ".join(dict.fromkeys(f"{'closed ' * s.closed}{s.piece} tours of {s.board}" for s in spaces))
    return _compared(spaces, cases, strategies, f"Calls to the first of the {kind}", limit_calls, budget)


def compare_queens(
    spaces: Sequence[QueensSpace], strategies: Sequence[str], *, limit_calls: int, budget: Budget | None = None
) -> Comparison:
    """Compare strategies for the first placement of each space; the cases are called by their boards.

    Parameters are those of :func:`compare_tours`.
    """
    cases = [str(space.board) for space in spaces]
    title = f"Calls to the first placement of queens, {' to '.join(dict.fromkeys([*cases[:1], *cases[-1:]]))}"
    return _compared(spaces, cases, strategies, title, limit_calls, budget)


def _compared(
    spaces: Sequence[Space],
    cases: Iterable[str],
    strategies: Sequence[str],
    title: str,
    limit_calls: int,
    budget: Budget | None,
) -> Comparison:
    parsed = [parse_strategy(name, spaces[0].kind) for name in strategies]
    names = tuple(dict.fromkeys(strategy.name for strategy in parsed))
    cases = tuple(cases)
    if not cases:
        raise InvalidPuzzle("there is nothing to compare: give at least one search")
    meter = budget_of(budget).start(len(names) * len(cases))
    runs: list[ComparedRun] = []
    for name in names:
        for space, case in zip(spaces, cases, strict=True):
            runs.append(_one(start(space, name), case, limit_calls, meter, len(runs)))
            meter.tick(meter.calls + runs[-1].calls, len(runs))
    return Comparison(title, limit_calls, names, cases, tuple(runs))


def _one(cursor: Cursor, case: str, limit_calls: int, whole: Meter, done: int) -> ComparedRun:
    """Search once; the budget of the whole comparison is kept within the search as well."""
    spent, budget = whole.now(), whole.budget
    left_calls = limit_calls if budget.calls is None else min(limit_calls, budget.calls - spent.calls)

    def report(progress: Progress) -> None:
        if budget.progress is not None:
            calls, seconds = spent.calls + progress.calls, spent.seconds + progress.seconds
            budget.progress(Progress(seconds, calls, done, whole.total))

    own = replace(whole.rest, calls=left_calls, progress=report)
    began = time.perf_counter()
    try:
        cursor = run(cursor, until="solution", budget=own)
    except SearchPaused as pause:
        cursor = pause.cursor
        if pause.reached.calls < limit_calls:
            raise
    seconds = time.perf_counter() - began
    solved = cursor.solutions > 0
    return ComparedRun(
        cursor.strategy.name,
        case,
        solved,
        cursor.done and not solved,
        cursor.calls,
        cursor.backtracks,
        round(seconds, 6),
    )
