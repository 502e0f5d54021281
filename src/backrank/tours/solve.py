"""Find one tour, or prove that there is none.

Four stages. First Warnsdorff's rule with Roth's tie-break and backtracking, looking out for dead ends: it
answers most questions about open tours without turning back once. If it wanders, or if the tour is to be closed or has
its end given, a greedy path is bent into shape by rotations (`repair`). Narrow boards resist both; there many short
searches, each with its ties broken in another way, find what one long search does not (C. P. Gomes, B. Selman and
H. Kautz, "Boosting combinatorial search through randomization", 1998). If that fails too, the board is small, strange
or impossible: an exhaustive search goes through all starts, longer in each round so that no hopeless start holds
up the others, until it finds a tour or has proven that none exists.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from random import Random

from backrank.budget import Budget, Counters, Meter
from backrank.errors import InvalidPuzzle
from backrank.pieces import move_graph
from backrank.search.effort import Effort, is_solved
from backrank.search.naming import Strategy
from backrank.search.spaces import TourSpace
from backrank.search.strategies import TourStrategy, TourView, tour_strategy
from backrank.symmetry import orbits
from backrank.tours import pruned
from backrank.tours.question import Question
from backrank.tours.repair import bent

MAX_SOLVE_SQUARES = 1_000_000
_FIRST_ROUND = 5_000
_BENDINGS = 4
_RESTARTS = 60


@dataclass(frozen=True, slots=True)
class Found:
    """What came of a search: the squares of a tour, or None if there is none; and what it cost."""

    squares: tuple[int, ...] | None
    calls: int
    backtracks: int
    seconds: float


def by_strategy(question: Question, strategy: Strategy, effort: Effort) -> Found:
    """Search as the textbook does, with the given strategy and nothing else, on the resumable engine.

    A given end or a closed tour is looked for by dismissing the tours that are not so. Without a start, the
    squares of the board are tried as starts in turn.
    """
    began = time.monotonic()
    calls = backtracks = 0
    if question.start is None and (effort.cursor is not None or effort.watch is not None):
        raise InvalidPuzzle("a search that is to be kept needs a start; give one, such as a1 or 0,0")
    for start in question.board if question.start is None else [question.start]:
        if start == question.end and len(question.board) > 1:
            continue
        space = TourSpace(question.board, question.piece, start, question.end, closed=question.closed)
        cursor = effort.begin(space, strategy)
        if not is_solved(cursor):
            cursor = effort.run_on(cursor, calls, time.monotonic() - began)
        calls, backtracks = calls + cursor.calls, backtracks + cursor.backtracks
        if is_solved(cursor):
            return Found(cursor.path, calls, backtracks, time.monotonic() - began)
    return Found(None, calls, backtracks, time.monotonic() - began)


def by_all_means(question: Question, budget: Budget) -> Found:
    """Find a tour by rule, repair and exhaustive search, in this order; None only if there is none."""
    if question.start is None and question.end is not None and not question.closed:
        turned = Question(question.board, question.piece, question.closed, question.end, None)
        found = by_all_means(turned, budget)
        squares = None if found.squares is None else found.squares[::-1]
        return Found(squares, found.calls, found.backtracks, found.seconds)
    began = time.monotonic()
    hunt = _Hunt(question, budget.start(len(question.board)))
    squares = hunt.greedy() or hunt.restarting()
    if squares is None and not hunt.proven:
        squares = hunt.exhaustive()
    counters = hunt.counters
    return Found(squares, counters.calls, counters.backtracks, time.monotonic() - began)


def _view(question: Question) -> TourView:
    question.board.require_at_most(MAX_SOLVE_SQUARES, "solving")
    return TourView(question.board, move_graph(question.board, question.piece).adjacency())


@dataclass(frozen=True, slots=True)
class _RandomTies:
    """Warnsdorff's rule with ties broken by a number for each square."""

    ties: list[float]

    def __call__(self, view: TourView, square: int) -> float:
        return view.exits(square) + self.ties[square]


class _Hunt:
    """One search by all means: the parts that its stages share."""

    def __init__(self, question: Question, meter: Meter) -> None:
        self.question = question
        self.meter = meter
        self.view = _view(question)
        self.counters = Counters()
        self.rule = tour_strategy("warnsdorff-roth")
        self.length = len(question.board)
        self.proven = False  # that there is none

    def greedy(self) -> tuple[int, ...] | None:
        """Try Warnsdorff's rule for a while, then bend what it finds."""
        start = self.starts[0] if self.question.start is None else self.question.start
        if self.question.end is None and not self.question.closed:
            squares, _ = self._search(start, 4 * self.length + 1000)
            if squares:
                return squares
        return self._bend(start)

    def _bend(self, start: int) -> tuple[int, ...] | None:
        adjacency = self.view.adjacency
        goals = frozenset(adjacency[start]) if self.question.closed else frozenset()
        if self.question.end is not None:
            goals = frozenset({self.question.end})
        for attempt in range(_BENDINGS):
            self.meter.calls = self.counters.calls
            path = bent(
                [start],
                adjacency,
                self.length,
                goals,
                rotations=200 + 20 * self.length,
                random=Random(attempt),  # noqa: S311 - a fixed seed, so that answers repeat; nothing secret
                meter=self.meter,
            )
            self.counters.backtracks += self.meter.calls - self.counters.calls - (self.length if path else 0)
            self.counters.calls = self.meter.calls
            if path:
                return tuple(path)
        return None

    def restarting(self) -> tuple[int, ...] | None:
        """Search again and again for a short while, each time with other ties."""
        starts = self.starts
        for attempt in range(_RESTARTS):
            random = Random(attempt)  # noqa: S311 - a fixed seed, so that answers repeat; nothing secret
            ties = [random.random() for _ in range(self.question.board.size)]
            rule = TourStrategy("restart", "", _RandomTies(ties))
            squares, done = self._search(starts[attempt % len(starts)], 10 * self.length, rule)
            self.proven = done and squares is None and len(starts) == 1
            if squares or self.proven:
                return squares
        return None

    def exhaustive(self) -> tuple[int, ...] | None:
        """Search every start to the end, in rounds of growing length."""
        hopeful = list(self.starts)
        limit = _FIRST_ROUND
        while hopeful:
            for start in tuple(hopeful):
                squares, done = self._search(start, limit)
                if squares:
                    return squares
                if done:
                    hopeful.remove(start)
            limit *= 4
        return None

    @cached_property
    def starts(self) -> list[int]:
        """Return the squares that may begin a tour, one of each class, those with few neighbours first."""
        question = self.question
        if question.start is not None:
            return [question.start]
        degree = self.view.adjacency
        if question.closed:
            return [min(question.board, key=lambda square: len(degree[square]))]
        board = question.board
        if board.wrap == "torus" and not board.holes:
            return [0]  # shifts map every square to every other one
        few = self.length <= 10_000 and board.wrap == "none"
        squares = (orbit[0] for orbit in orbits(board)) if few else board
        return sorted(squares, key=lambda square: len(degree[square]))

    def _search(self, start: int, limit: int, rule: TourStrategy | None = None) -> tuple[tuple[int, ...] | None, bool]:
        """Search from one start for so many calls; return a tour, and whether the search came to its end."""
        fence = _Fence(self.meter, self.counters.calls + limit)
        paths = pruned.iter_paths(
            self.view,
            start,
            rule or self.rule,
            meter=fence,
            counters=self.counters,
            end=self.question.end,
            closed=self.question.closed,
        )
        try:
            return next((tuple(path) for path in paths), None), True
        except _FenceReachedError:
            return None, False
        finally:
            self.view.visited[:] = bytes(len(self.view.visited))


class _FenceReachedError(Exception):
    """A round of the exhaustive search is over; never leaves this module."""


class _Fence(Meter):
    """A meter that ends a round at its own limit of calls, and passes everything else on."""

    def __init__(self, outer: Meter, limit: int) -> None:
        super().__init__(Budget(), outer.total)
        self.outer = outer
        self.limit = limit
        self.stop_at = min(outer.stop_at, limit)

    def tick(self, calls: int, depth: int = 0) -> None:
        """Pass the tick on, then end the round if its limit is reached."""
        if calls >= self.outer.stop_at:
            self.outer.tick(calls, depth)
        if calls >= self.limit:
            raise _FenceReachedError
        self.stop_at = min(self.outer.stop_at, self.limit)


def iter_exact(question: Question, meter: Meter) -> Iterator[tuple[int, ...]]:
    """Yield every tour in lexicographic order of its squares.

    Open tours come from every start (or the given one). A closed tour comes once, read from the given start or the
    least square, in the direction whose second square is the lesser; with an end given, in the one that ends there.
    """
    board = question.board
    # Round glued edges, the order of the steps is not that of the squares.
    view = TourView(board, [tuple(sorted(targets)) for targets in _view(question).adjacency])
    counters = Counters()
    rule = tour_strategy("fixed")
    once = question.closed and question.end is None
    starts = list(board) if question.start is None else [question.start]
    if question.closed:
        starts = starts[:1]
    for start in starts:
        if start == question.end and len(board) > 1:
            continue
        paths = pruned.iter_paths(
            view, start, rule, meter=meter, counters=counters, end=question.end, closed=question.closed
        )
        for path in paths:
            if once and path[1] > path[-1]:
                meter.found -= 1
                continue
            yield tuple(path)
