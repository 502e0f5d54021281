"""Find one tour, or prove that there is none: a row of stages, each of which answers or hands on.

1. `by_sweep`: plain boards up to four wide are swept over (`sweep`), which answers every puzzle about them.
2. `by_force`: what squares with few moves force. It may show that there is none, or strike out moves, or find the ends.
3. `by_rule`, up to 400 squares, plain Python: Warnsdorff's rule with Roth's tie-break, looking out for dead ends;
   if it wanders, or if the tour is to be closed or has its end given, a greedy path is bent into shape (`repair`).
   It answers nearly all puzzles about small plain boards, before numba is loaded. A dozen squares are searched to
   the end.
4. `by_blocks`: plain boards at least five wide are laid out with blocks (`construct`).
5. `by_rounds`, compiled: attempts by path cover and rotation (`path_cover`) take turns with a search for squares that
   hold too much together (`cuts`) and an exhaustive search (`exhaustive`), all longer in every round, until
   one finds a tour or proves that there is none. Where the frontier has few states, a count says whether there is any.

Measured on boards with random holes and a hidden tour, 20 open and 20 closed ones of each sort: with a tenth of holes
bending in plain Python finds all tours on 20x20 and five of six on 40x40; with three tenths 31 of 40 on 20x20. The hunt
finds all of them, nearly always in its first attempt, in some milliseconds.
Dropped: many short searches with random ties (C. P. Gomes, B. Selman and H. Kautz, 1998), which narrow boards needed
before the hunt began with a matching; branching on moves with what they force (38,000 nodes settle nothing on
12x12, where the cuts need a second).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import count
from random import Random

from backrank.errors import BoardTooLarge, InvalidPuzzle
from backrank.geometry.pieces import is_move, move_graph
from backrank.geometry.symmetry import orbits
from backrank.runtime.budget import Budget, Counters, Meter
from backrank.search.effort import Effort, is_solved
from backrank.search.spaces import TourSpace
from backrank.search.strategies.names import Strategy
from backrank.search.strategies.tours import TourView, tour_strategy
from backrank.tours.frontier.vertex_order import GROWTH, find_vertex_order, profile
from backrank.tours.listing import pruned
from backrank.tours.solve import narrow as sweep
from backrank.tours.solve.exhaustive import Exhaustion, exhaustion
from backrank.tours.solve.found import Found, Squares, backwards
from backrank.tours.solve.path_cover import PathCovers
from backrank.tours.spec import TourSpec
from backrank.tours.theorems.cuts import MAX_CUT_SQUARES, CutSearch
from backrank.tours.theorems.forced import UsableMoves, useful_moves

MAX_SOLVE_SQUARES = 1_000_000
MAX_PLAIN_SQUARES = 400
MAX_ROTATED_SQUARES = 144  # beyond, blocks close plain boards sooner
MAX_TRIVIAL_SQUARES = 12
MAX_FRONTIER_SQUARES = 400
_ROTATIONS = 2
_FIRST_ROUND = 20_000  # calls of the exhaustive search
_MAX_COST = 1e8  # of a frontier count: at most a fifth of it in states, of 3 microseconds each


@dataclass(frozen=True, slots=True)
class StageAnswer:
    """The answer of a stage: the squares of a tour, or None and why there is none (if more is known than that)."""

    squares: Squares | None
    reason: str | None = None


def by_strategy(spec: TourSpec, strategy: Strategy, effort: Effort) -> Found:
    """Search as the textbook does, with the given strategy and nothing else, on the resumable engine.

    A given end or a closed tour is looked for by dismissing the tours that are not so. Without a start, the
    squares of the board are tried as starts in turn.
    """
    began = time.monotonic()
    calls = backtracks = 0
    if spec.start is None and (effort.cursor is not None or effort.watch is not None):
        raise InvalidPuzzle("a search that is to be kept needs a start; give one, such as a1 or 0,0")
    for start in spec.board if spec.start is None else [spec.start]:
        if start == spec.end and len(spec.board) > 1:
            continue
        space = TourSpace(spec.board, spec.piece, start, spec.end, closed=spec.closed)
        cursor = effort.begin(space, strategy)
        if not is_solved(cursor):
            cursor = effort.run_on(cursor, calls, time.monotonic() - began)
        calls, backtracks = calls + cursor.calls, backtracks + cursor.backtracks
        if is_solved(cursor):
            return Found(cursor.path, calls, backtracks, time.monotonic() - began)
    return Found(None, calls, backtracks, time.monotonic() - began)


@dataclass
class SolveState:
    """One puzzle, and what its stages share.

    Attributes
    ----------
    spec : TourSpec
        As it was asked; `by_force` narrows it if it finds out where a tour must end.
    net : Net or None
        The moves that are still of use, if the board is small enough to know.
    """

    spec: TourSpec
    meter: Meter
    counters: Counters = field(default_factory=Counters)
    net: UsableMoves | None = None

    @cached_property
    def flat(self) -> TourSpec | None:
        """The puzzle about a plain board that blocks can answer instead."""
        from backrank.tours.construct.plain import flat  # noqa: PLC0415 - counting needs none of it

        return flat(self.spec)

    @cached_property
    def view(self) -> TourView:
        """The board for the plain searches."""
        spec = self.spec
        return TourView(spec.board, move_graph(spec.board, spec.piece).adjacency())

    @cached_property
    def starts(self) -> list[int]:
        """Return the squares that may begin a tour, one of each class, those with few neighbours first."""
        spec, graph = self.spec, move_graph(self.spec.board, self.spec.piece)
        if spec.start is not None:
            return [spec.start]
        if spec.closed:
            return [min(spec.board, key=graph.degree)]
        board = spec.board
        if board.wrap == "torus" and not board.holes:
            return [0]  # shifts map every square to every other one
        few = len(board) <= 10_000 and board.wrap == "none"
        squares = [orbit[0] for orbit in orbits(board)] if few else list(board)
        if self.net is not None:
            squares = [square for square in squares if self.net.may_end(square)]
        return sorted(squares, key=graph.degree)


Stage = Callable[[SolveState], StageAnswer | None]


def by_all_means(spec: TourSpec, budget: Budget) -> Found:
    """Find a tour by one stage after the other; None only if there is none."""
    if spec.start is None and spec.end is not None and not spec.closed:
        turned = by_all_means(replace(spec, start=spec.end, end=None), budget)
        return turned if turned.squares is None else replace(turned, squares=backwards(turned.squares))
    if spec.closed and (reason := unclosed(spec)):
        return Found(None, 0, 0, 0.0, reason)
    if spec.closed and spec.end is not None:
        spec = replace(spec, closed=False)  # the closing move is known: what is left is a path
    began = time.monotonic()
    board = spec.board
    task = SolveState(spec, budget.start(len(spec.board)))
    if board.size > MAX_SOLVE_SQUARES and task.flat is None:
        raise BoardTooLarge(
            f"a {board.rows}x{board.cols} board has {board.size:,} squares; with holes, other pieces, or less "
            f"than five rows or columns, solving takes at most {MAX_SOLVE_SQUARES:,}"
        )
    answer: StageAnswer | None = None
    for stage in STAGES:
        answer = stage(task)
        if answer is not None:
            break
    counters = task.counters
    squares, reason = (answer.squares, answer.reason) if answer is not None else (None, None)
    return Found(squares, counters.calls, counters.backtracks, time.monotonic() - began, reason)


def unclosed(spec: TourSpec) -> str | None:
    """Return why no closed tour can have the given start and end, if they are too near or not one move apart."""
    board, start, end = spec.board, spec.start, spec.end
    if len(board) < 3:
        return f"a closed tour needs at least 3 squares; this board has {len(board)}"
    if start is None or end is None or is_move(board, spec.piece, board.cell(end), board.cell(start)):
        return None
    return f"a closed tour ends one move from its start; {board.name(end)} is not one from {board.name(start)}"


def by_sweep(task: SolveState) -> StageAnswer | None:
    """Sweep over the columns of a plain board up to four wide, which answers every puzzle."""
    if not sweep.applies(task.spec):
        return None
    meter = task.meter
    squares = sweep.by_sweep(task.spec, meter)
    task.counters.calls = meter.calls
    states = f"a sweep over the columns, {meter.calls:,} states, finds none"
    return StageAnswer(squares, None if squares else states)


def by_blocks(task: SolveState) -> StageAnswer | None:
    """Lay blocks side by side on a board without holes at least five wide; glued edges are there to be used or not."""
    if task.flat is None:
        return None
    from backrank.tours.construct.assembly import constructed  # noqa: PLC0415 - small boards are solved before

    built = constructed(task.flat)
    return None if built is None else StageAnswer(built)


def by_force(task: SolveState) -> StageAnswer | None:
    """Look at what is forced; if the ends are, ask again with these."""
    spec = task.spec
    if task.flat is not None:
        return None  # theorems know more
    while True:
        task.meter.tick(task.counters.calls)
        task.net, reason = useful_moves(spec)
        if reason is not None:
            return StageAnswer(None, reason)
        ends = set() if task.net is None else task.net.ends - {spec.start}
        if not ends:
            task.spec = spec
            return None
        known = [spec.start] if spec.start is not None else []
        start, end, *_ = (*known, *sorted(ends), None)
        spec = replace(spec, start=start, end=end)


def by_rule(task: SolveState) -> StageAnswer | None:
    """Try Warnsdorff's rule for a while, then bend what it finds; try everything if that is little."""
    spec, length = task.spec, len(task.spec.board)
    given = spec.closed or spec.end is not None
    if length > MAX_PLAIN_SQUARES or (length > MAX_ROTATED_SQUARES and task.flat is not None and given):
        return None
    if not given:
        squares, _ = _plain_search(task, task.starts[0], 4 * length + 1000)
        if squares:
            return StageAnswer(squares)
    for attempt in range(_ROTATIONS):
        squares = _rotate(task, attempt)
        if squares:
            return StageAnswer(squares)
    if length > MAX_TRIVIAL_SQUARES:
        return None
    return StageAnswer(next((squares for start in task.starts if (squares := _plain_search(task, start)[0])), None))


def _rotate(task: SolveState, attempt: int) -> tuple[int, ...] | None:
    spec, adjacency, meter, counters = task.spec, task.view.adjacency, task.meter, task.counters
    start = task.starts[0]
    goals = frozenset(adjacency[start]) if spec.closed else frozenset()
    if spec.end is not None:
        goals = frozenset({spec.end})
    meter.calls = counters.calls
    from backrank.tours.construct.rotation import rotated  # noqa: PLC0415 - few boards come to this

    path = rotated(
        [start],
        adjacency,
        len(spec.board),
        goals,
        rotations=200 + 20 * len(spec.board),
        random=Random(attempt),  # noqa: S311 - a fixed seed, so that answers repeat; nothing secret
        meter=meter,
    )
    counters.backtracks += meter.calls - counters.calls - (len(spec.board) if path else 0)
    counters.calls = meter.calls
    return tuple(path) if path else None


def _plain_search(task: SolveState, start: int, limit: int | None = None) -> tuple[tuple[int, ...] | None, bool]:
    """Search from one start, for so many calls; return a tour, and whether the search came to its end."""
    spec, view = task.spec, task.view
    meter = task.meter if limit is None else _Fence(task.meter, task.counters.calls + limit)
    rule = tour_strategy("warnsdorff-roth")
    paths = pruned.iter_paths(view, start, rule, meter=meter, counters=task.counters, end=spec.end, closed=spec.closed)
    try:
        return next((tuple(path) for path in paths), None), True
    except _FenceReachedError:
        return None, False
    finally:
        view.visited[:] = bytes(len(view.visited))


class _FenceReachedError(Exception):
    """A short search is over; never leaves this module."""


class _Fence(Meter):
    """A meter that ends a search at its own limit of calls, and passes everything else on."""

    def __init__(self, outer: Meter, limit: int) -> None:
        super().__init__(Budget(), outer.total)
        self.outer = outer
        self.limit = limit
        self.stop_at = min(outer.stop_at, limit)

    def tick(self, calls: int, depth: int = 0) -> None:
        """Pass the tick on, then end the search if its limit is reached."""
        if calls >= self.outer.stop_at:
            self.outer.tick(calls, depth)
        if calls >= self.limit:
            raise _FenceReachedError
        self.stop_at = min(self.outer.stop_at, self.limit)


def by_rounds(task: SolveState) -> StageAnswer | None:
    """Hunt and search exhaustively by turns, four times as long in every round."""
    spec, net, counters = task.spec, task.net, task.counters
    path_covers = PathCovers(spec, net, task.meter, counters)
    rotations, limit = 2000 + 20 * len(spec.board), _FIRST_ROUND
    search: Exhaustion | None = None
    cuts: CutSearch | None = None
    for number in count():
        for _ in range(1 << number):
            squares = path_covers.attempt(rotations)
            if squares is not None:
                return StageAnswer(squares)
            if path_covers.proven:
                return StageAnswer(
                    None, "no choice of moves leaves and enters every square that a tour must leave and enter"
                )
        if net is None:
            continue
        if len(net.squares) <= MAX_CUT_SQUARES:
            cuts = cuts or CutSearch(spec, net, task.meter, counters)
            if reason := cuts.run(limit // 4):
                return StageAnswer(None, reason)
        search = search or exhaustion(spec, net, task.starts, task.meter, counters)
        squares, done = search.run(limit)
        if squares is not None or done:
            return StageAnswer(squares)
        if number == 1 and (reason := _counted(task, net)):
            return StageAnswer(None, reason)
        limit *= 4
    return None  # not reached: the rounds have no end of their own


def _counted(task: SolveState, net: UsableMoves) -> str | None:
    """Count all tours if the states are few; say so if there are none."""
    from backrank.tours.frontier import reference as frontier  # noqa: PLC0415 - few boards come to this

    if len(net.squares) > MAX_FRONTIER_SQUARES:
        return None
    near = [sorted(targets) for targets in net.near]
    order = [square for square in find_vertex_order(near, effort=100_000) if near[square]]
    if sum(GROWTH ** min(width, 100) for width in profile(near, order)) > _MAX_COST:
        return None
    meter, before = task.meter, task.counters.calls
    meter.calls = before
    if net.cyclic:
        ways = frontier.count_cycles(near, net.squares, order, meter=meter)
    else:
        ways = frontier.count_paths(near, net.squares, start=net.start, order=order, meter=meter)
    states = meter.calls - before
    task.counters.calls = meter.calls
    task.counters.backtracks += states
    return None if ways else f"a count of all tours over the frontier, in {states:,} states, gives none"


STAGES: tuple[Stage, ...] = (by_sweep, by_force, by_rule, by_blocks, by_rounds)
