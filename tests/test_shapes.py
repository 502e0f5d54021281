"""Tours on boards with holes and odd shapes, on glued edges, and by other leapers: found, or proven impossible."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import pairwise
from random import Random
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backrank import Board, Budget, BudgetExceeded, KnightTours
from backrank.geometry import pieces
from backrank.geometry.pieces import KNIGHT, Piece, leaper, move_graph, piece_named
from backrank.geometry.verify import tour_faults
from backrank.runtime.budget import Counters
from backrank.search.strategies.tours import tour_strategy
from backrank.tours.construct import rotation as repair
from backrank.tours.construct.assembly import Construction
from backrank.tours.frontier import reference as frontier
from backrank.tours.listing import pruned
from backrank.tours.solve import cpsat
from backrank.tours.solve import stages as solve
from backrank.tours.solve.exhaustive import Backtracking, Exhaustion, Proof
from backrank.tours.solve.found import Found, Squares
from backrank.tours.solve.path_cover import PathCovers
from backrank.tours.solve.stages import by_all_means
from backrank.tours.spec import TourSpec
from backrank.tours.theorems.cuts import CutSearch, parts_without
from backrank.tours.theorems.forced import UsableMoves, useful_moves
from strategies import boards

LEAPERS = [KNIGHT, KNIGHT, leaper(0, 1), leaper(1, 1), leaper(1, 3), leaper(2, 3), leaper(0, 2)]
# No engine but CP-SAT settles this one in a reasonable time.
UNSETTLED = KnightTours(16, closed=True, piece="2,5")


def ask(
    board: Board, piece: Piece = KNIGHT, *, closed: bool = False, start: int | None = None, end: int | None = None
) -> TourSpec:
    return TourSpec(board, piece, closed, start, end)


def assert_answers(spec: TourSpec, squares: Squares | None) -> None:
    assert squares is not None, spec
    written = squares.squares() if isinstance(squares, Construction) else squares
    cells = [spec.board.cell(square) for square in written]
    assert not tour_faults(
        spec.board,
        cells,
        closed=spec.closed,
        start=spec.start,
        end=spec.end,
        piece=spec.piece,
    ), spec


def holed(side: int, share: float, seed: int, *, closed: bool) -> tuple[Board, list[int]]:
    """A board with holes around a tour: a path that is grown and rotated until it is as long as wanted."""
    random = Random(seed)  # noqa: S311 - boards must repeat; nothing secret
    wanted = side * side - round(side * side * share)
    adjacency = move_graph(Board(side)).adjacency()
    while True:
        path = [random.randrange(side * side)]
        for _ in range(20_000):
            near = adjacency[path[-1]]
            if len(path) == wanted and (not closed or path[0] in near):
                return Board(side, holes=set(range(side * side)).difference(path)), path
            free = [square for square in near if square not in path] if len(path) < wanted else []
            if free:
                path.append(random.choice(free))
            elif pivots := [square for square in near if square in path[:-2]]:
                cut = path.index(random.choice(pivots)) + 1
                path[cut:] = path[: cut - 1 : -1]


def count(spec: TourSpec) -> int:
    """How many tours there are, by a method that no solver knows."""
    near, board = move_graph(spec.board, spec.piece).adjacency(), spec.board
    if not spec.closed:
        return frontier.count_paths(near, board, start=spec.start, end=spec.end)
    if spec.end is None:
        return frontier.count_cycles(near, board)
    assert spec.start is not None
    return frontier.count_paths(near, board, start=spec.start, end=spec.end) * (
        spec.end in near[spec.start] and len(board) > 2
    )


@st.composite
def specs(draw: st.DrawFn, max_side: int = 4) -> TourSpec:
    board = draw(boards(max_side=max_side))
    closed = draw(st.booleans(), label="closed")
    start = draw(st.sampled_from([None, *board]), label="start")
    ends = [square for square in board if square != start]
    end = draw(st.sampled_from([None, *ends]), label="end") if start is not None or not closed else None
    return TourSpec(board, draw(st.sampled_from(LEAPERS), label="piece"), closed, start, end)


# --- against counts --------------------------------------------------------------------------------


@settings(max_examples=200)
@given(specs())
def test_a_tour_is_found_exactly_if_there_is_one(spec: TourSpec) -> None:
    found = by_all_means(spec, Budget())
    if count(spec):
        assert_answers(spec, found.squares)
    else:
        assert found.squares is None
    assert found.squares == by_all_means(spec, Budget()).squares


@settings(max_examples=100)
@given(specs())
def test_each_engine_for_itself(spec: TourSpec) -> None:
    """Forced moves, the compiled hunt, the compiled search and the cuts never contradict the count."""
    tours, board = count(spec), spec.board
    if len(board) < 3 or (spec.end is not None and (spec.start is None or spec.closed)):
        return  # asked in another way
    net, reason = useful_moves(spec)
    assert net is not None
    assert reason is None or not tours, reason
    meter, counters = Budget().start(), Counters()
    for moves in (UsableMoves(spec), net):
        if moves is net and reason is not None:
            continue
        hunt = PathCovers(spec, moves, meter, counters)
        squares = hunt.attempt(2000)
        if squares is not None:
            assert_answers(spec, squares)
        assert not (hunt.proven and tours)
        starts = list(board) if spec.start is None else [spec.start]
        squares, done = Proof(spec, moves, starts, meter, counters).run(10**7)
        assert done
        assert (squares is not None) == bool(tours)
        if squares is not None:
            assert_answers(spec, squares)
        assert CutSearch(spec, moves, meter, counters).run(200) is None or not tours


@settings(max_examples=80)
@given(boards(max_side=4), st.sampled_from(LEAPERS), st.booleans(), st.data())
def test_no_tour_makes_a_move_that_is_struck_out(board: Board, piece: Piece, closed: bool, data: st.DataObject) -> None:
    start = data.draw(st.sampled_from([None, *board]), label="start")
    net, reason = useful_moves(TourSpec(board, piece, closed, start, None))
    if net is None:
        return
    for number, tour in enumerate(KnightTours(board, piece=piece, closed=closed, start=start)):
        assert reason is None
        steps = [*pairwise(tour.squares), *([(tour.end, tour.start)] if closed else [])]
        assert all(target in net.near[source] for source, target in steps)
        assert closed or net.ends <= {tour.start, tour.end}
        assert closed or net.may_end(tour.start)
        if number == 300:
            break


def test_the_compiled_search_agrees_with_the_plain_one() -> None:
    random = Random(3)  # noqa: S311 - boards must repeat; nothing secret
    verdicts = set()
    for _ in range(60):
        board = Board(5, 6, holes=random.sample(range(30), random.randint(2, 7)))
        start = random.choice(list(board))
        spec = ask(board, closed=random.random() < 0.3, start=start)
        view = solve.SolveState(spec, Budget().start()).view
        paths = pruned.iter_paths(
            view,
            start,
            tour_strategy("warnsdorff-roth"),
            meter=Budget().start(),
            counters=Counters(),
            closed=spec.closed,
        )
        plain = next(paths, None)
        meter = Budget().start()
        engines: list[Exhaustion] = [
            Proof(spec, UsableMoves(spec), [start], meter, Counters()),
            Backtracking(spec, [start], meter, Counters()),
        ]
        for engine in engines:
            squares, done = None, False
            while not done:
                squares, done = engine.run(500)
            assert (squares is None) == (plain is None)
            if squares is not None:
                assert_answers(spec, squares)
        verdicts.add(plain is None)
    assert verdicts == {True, False}


# --- families with tours ---------------------------------------------------------------------------


@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize(("side", "share"), [(20, 0.1), (20, 0.3), (28, 0.1)])
def test_boards_with_holes(side: int, share: float, closed: bool) -> None:
    for seed in range(3):
        board, path = holed(side, share, seed, closed=closed)
        for spec in (
            ask(board, closed=closed),
            ask(board, closed=closed, start=path[0]),
            ask(board, closed=closed, start=path[0], end=path[-1]),
            ask(board, closed=closed, start=path[-1], end=path[0]),
        ):
            assert_answers(spec, by_all_means(spec, Budget()).squares)
        spec = ask(board, end=path[0])
        assert_answers(spec, by_all_means(spec, Budget()).squares)


def test_the_plain_rung_and_the_compiled_one_find_tours_of_the_same_boards() -> None:
    board, path = holed(20, 0.1, 1, closed=True)
    adjacency = move_graph(board).adjacency()
    goals = frozenset(adjacency[path[0]])
    plain = None
    for seed in range(8):
        random = Random(seed)  # noqa: S311 - must repeat; nothing secret
        plain = plain or repair.rotated(
            path[:1], adjacency, len(board), goals, rotations=20_000, random=random, meter=Budget().start()
        )
    spec = ask(board, closed=True, start=path[0])
    hunt = PathCovers(spec, None, Budget().start(), Counters())
    compiled = next(filter(None, (hunt.attempt(20_000) for _ in range(8))))
    assert_answers(spec, compiled)
    assert plain is not None
    assert_answers(spec, tuple(plain))


def shape(side: int, inside: Callable[[int, int], bool]) -> Board:
    """A board of the cells for which twice the distances from the middle pass a test."""
    cells = [(row, col) for row in range(side) for col in range(side)]
    return Board(side, holes=[(r, c) for r, c in cells if not inside(abs(2 * r - side + 1), abs(2 * c - side + 1))])


SHAPES = {
    "cross": lambda down, right, side: min(down, right) < side // 3,
    "diamond": lambda down, right, side: down + right <= side,
    "ring": lambda down, right, side: max(down, right) > side // 2,
    "disc": lambda down, right, side: down**2 + right**2 < side**2,
}


@pytest.mark.parametrize("side", [16, 24])
@pytest.mark.parametrize("name", SHAPES)
def test_odd_shapes(name: str, side: int) -> None:
    board = shape(side, lambda down, right: SHAPES[name](down, right, side))
    for closed in (False, True):
        spec = ask(board, closed=closed)
        assert_answers(spec, by_all_means(spec, Budget()).squares)


def test_a_torus_of_every_size_has_a_closed_tour() -> None:
    for rows in range(3, 9):
        for cols in range(rows, 10):
            for board in {Board(rows, cols, wrap="torus"), Board(cols, rows, wrap="torus")}:
                spec = ask(board, closed=True)
                assert_answers(spec, by_all_means(spec, Budget()).squares)


@pytest.mark.parametrize("wrap", ["cylinder", "torus"])
@pytest.mark.parametrize("closed", [False, True])
def test_larger_glued_boards(wrap: str, closed: bool) -> None:
    for rows, cols in ((3, 100), (5, 61), (31, 32), (101, 101)):
        if closed and wrap == "cylinder" and rows * cols % 2:
            cols += 1  # noqa: PLW2901 - the moves of an odd cylinder may still alternate
        spec = ask(Board(rows, cols, wrap=wrap), closed=closed)
        assert_answers(spec, by_all_means(spec, Budget()).squares)


@pytest.mark.parametrize(
    ("size", "piece", "closed"),
    [
        ("10x10", "2,3", True),
        ("14x14", "2,3", False),
        ("10x10", "1,4", True),
        ("20x20", "1,4", False),
        ("14x14", "1,6", True),
        ("30x30", "3,4", True),
        ("9x10", "1,2", True),
    ],
)
def test_other_leapers(size: str, piece: str, closed: bool) -> None:
    puzzle = KnightTours(size, piece=piece, closed=closed)
    result = puzzle.search()
    assert result.tour is not None
    assert not puzzle.faults(result.tour.squares)


# --- impossible boards -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("puzzle", "words"),
    [
        (KnightTours(5, 6, holes="a1 f5 c3", closed=True), None),
        (KnightTours(3, 6, holes="b2 f1", closed=True), "forced"),
        (KnightTours(8, piece="giraffe"), "falls into"),
        (KnightTours(8, piece="giraffe", closed=True), "falls into"),
        (KnightTours(11, piece="giraffe"), "falls into"),
        (KnightTours(20, piece="antelope", closed=True), "need 74 steps"),
        (KnightTours(12, piece="zebra", closed=True), "falls into"),
        (KnightTours(4, 20, wrap="cylinder", closed=True), "falls into"),
    ],
    ids=repr,
)
def test_impossible_boards_are_told_with_the_reason(puzzle: KnightTours, words: str | None) -> None:
    found = by_all_means(puzzle.spec, Budget())
    assert found.squares is None
    result = puzzle.search()
    assert result.tour is None
    assert result.reason
    if words:
        assert words in (found.reason or "")
    if puzzle.existence().answer == "unknown" and found.reason:
        assert result.reason == found.reason


def test_what_a_cut_says_is_so() -> None:
    """4x4: without the four squares in the middle there are six parts, and an open tour allows five."""
    spec = ask(Board(4))
    net = UsableMoves(spec)
    reason = CutSearch(spec, net, Budget().start(), Counters()).run(100_000)
    assert reason is not None
    assert "6 parts" in reason
    assert "5 at most" in reason
    middle = {spec.board.square(name) for name in ("b2", "c2", "b3", "c3")}
    assert parts_without(net, middle) == 6
    assert parts_without(net, set()) == 1


def test_forced_ends_are_found() -> None:
    """Two squares with one move each are the ends, and both are used."""
    board = Board(3, 4, holes="b2")
    spec = ask(board)
    net, _ = useful_moves(spec)
    assert net is not None
    found = by_all_means(spec, Budget())
    assert (found.squares is None) == (count(spec) == 0)
    assert useful_moves(ask(Board(10**3, 10**3, wrap="torus"), closed=True))[1] is None  # too large to be looked at


def test_kinds_that_every_move_swaps() -> None:
    """A camel keeps to one colour of the board; on that colour its moves still alternate."""
    board = Board(5, holes=[square for square in range(25) if square % 2])
    reason = useful_moves(ask(board, leaper(1, 3)))[1]
    assert reason is not None
    assert by_all_means(ask(board, leaper(1, 3)), Budget()).squares is None
    assert count(ask(board, leaper(1, 3))) == 0


# --- limits ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("calls", [1, 100, 2_345, 30_000, 200_001])
def test_a_limit_of_calls_is_exact(calls: int) -> None:
    with pytest.raises(BudgetExceeded, match="nothing is proven") as stopped:
        by_all_means(UNSETTLED.spec, Budget(calls=calls))
    assert stopped.value.reached.calls == calls


def test_a_time_limit_and_a_cancellation_end_every_stage() -> None:
    with pytest.raises(BudgetExceeded, match="time limit"):
        UNSETTLED.search(budget=Budget(seconds=0.3))
    asked: list[None] = []

    def cancelled() -> bool:
        asked.append(None)
        return len(asked) > 40

    with pytest.raises(BudgetExceeded, match="cancelled"):
        UNSETTLED.search(budget=Budget(cancelled=cancelled, interval=0))
    with pytest.raises(BudgetExceeded, match="time limit"):
        by_all_means(ask(Board(700, wrap="torus", holes=[0]), closed=False), Budget(seconds=0.001))


def test_progress_is_told() -> None:
    seen: list[int] = []
    with pytest.raises(BudgetExceeded):
        by_all_means(UNSETTLED.spec, Budget(calls=500_000, interval=0, progress=lambda now: seen.append(now.calls)))
    assert len(seen) > 3
    assert seen == sorted(seen)


def test_small_boards_do_not_wait_for_the_kernels() -> None:
    program = """
import sys
from backrank import Board, KnightTours
assert KnightTours(8).solve() and KnightTours(8, closed=True).solve() and KnightTours(20, 20).solve()
assert KnightTours(Board(8, holes="a1 h1")).solve()
assert KnightTours(3, 3, wrap="torus", closed=True).solve()
assert "numba" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=120)


# --- the move graph of large boards -----------------------------------------------------------------


@pytest.fixture
def graph_of(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Board, Piece, int], pieces.MoveGraph]]:
    """Build move graphs with another threshold between the two ways."""

    def build(board: Board, piece: Piece, many: int) -> pieces.MoveGraph:
        monkeypatch.setattr(pieces, "MANY_SQUARES", many)
        move_graph.cache_clear()
        return move_graph(board, piece)

    yield build
    move_graph.cache_clear()


def test_large_move_graphs_are_the_same(graph_of: Callable[[Board, Piece, int], pieces.MoveGraph]) -> None:
    random = Random(1)  # noqa: S311 - boards must repeat; nothing secret
    for _ in range(120):
        rows, cols = random.randint(1, 8), random.randint(1, 8)
        holes = random.sample(range(rows * cols), random.randint(0, rows * cols // 3))
        board = Board(rows, cols, holes=holes, wrap=random.choice(["none", "cylinder", "torus"]))
        piece = random.choice(
            [KNIGHT, leaper(1, 3), leaper(0, 1), leaper(3, 3), leaper(2, 900), leaper(999_999_999, 2)]
        )
        slow, fast = graph_of(board, piece, 10**9), graph_of(board, piece, 0)
        assert (slow.indptr, slow.indices) == (fast.indptr, fast.indices)
        assert slow.indices.typecode == fast.indices.typecode


# --- CP-SAT ----------------------------------------------------------------------------------------


class _Model:
    """What the adapter needs of CP-SAT's model: the arcs of a circuit."""

    def __init__(self) -> None:
        self.arcs: list[tuple[int, int, int]] = []
        self.variables = 0

    def new_bool_var(self, _: str) -> int:
        self.variables += 1
        return self.variables - 1

    def add_circuit(self, arcs: list[tuple[int, int, int]]) -> None:
        self.arcs = arcs


class _Solver:
    """A solver for small circuits, by plain backtracking."""

    num_branches = num_conflicts = 7

    def __init__(self) -> None:
        self.parameters = SimpleNamespace()
        self.chosen: set[int] = set()

    def solve(self, model: _Model) -> str:
        onward: dict[int, list[tuple[int, int]]] = {}
        for source, target, literal in model.arcs:
            onward.setdefault(source, []).append((target, literal))
        nodes = {source for source, _, _ in model.arcs} | {target for _, target, _ in model.arcs}
        first = min(nodes)

        def walk(here: int, seen: frozenset[int], chosen: tuple[int, ...]) -> tuple[int, ...] | None:
            for target, literal in onward.get(here, []):
                if target == first and len(seen) == len(nodes):
                    return (*chosen, literal)
                if target not in seen and (found := walk(target, seen | {target}, (*chosen, literal))):
                    return found
            return None

        self.chosen = set(walk(first, frozenset({first}), ()) or ())
        return "feasible" if self.chosen else "infeasible"

    def value(self, literal: int) -> bool:
        return literal in self.chosen

    def stop_search(self) -> None:
        pass


FAKE = SimpleNamespace(
    CpModel=_Model, CpSolver=_Solver, OPTIMAL="optimal", FEASIBLE="feasible", INFEASIBLE="infeasible"
)


@pytest.mark.parametrize(
    "puzzle",
    [
        KnightTours(1),
        KnightTours(1, 2),
        KnightTours(1, 2, closed=True, wrap="torus"),
        KnightTours(3, 4),
        KnightTours(3, 4, start="a3"),
        KnightTours(3, 4, start="a3", end="b3"),
        KnightTours(3, 4, end="a3"),
        KnightTours(3, holes="b2", closed=True),
        KnightTours(3, holes="b2", closed=True, start="c3", end="a2"),
        KnightTours(3, holes="b2", closed=True, start="c3", end="a3"),
        KnightTours(3, wrap="torus", closed=True, start="b2"),
    ],
    ids=repr,
)
def test_the_other_engine_is_asked_the_right_question(puzzle: KnightTours, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cpsat, "_cp_model", lambda: FAKE)
    spec = puzzle.spec
    found = cpsat.by_cp_sat(spec, Budget(seconds=60))
    assert isinstance(found, Found)
    if count(spec):
        assert_answers(spec, found.squares)
    else:
        assert found.squares is None


def test_the_other_engine_is_missed_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ortools", None)
    monkeypatch.setitem(sys.modules, "ortools.sat.python.cp_model", None)
    with pytest.raises(cpsat.MissingEngine, match=r"pip install 'backrank\[cp-sat\]'"):
        cpsat.by_cp_sat(ask(Board(5)), Budget())
    assert piece_named("camel") == leaper(1, 3)


def test_the_other_engine_keeps_the_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    class Endless(_Solver):
        def __init__(self) -> None:
            super().__init__()
            self.stopped = False

        def solve(self, model: _Model) -> str:
            assert model.arcs
            while not self.stopped:
                pass
            return "unknown"

        def stop_search(self) -> None:
            self.stopped = True

    endless = SimpleNamespace(**{**vars(FAKE), "CpSolver": Endless})
    monkeypatch.setattr(cpsat, "_cp_model", lambda: endless)
    with pytest.raises(BudgetExceeded, match="cancelled"):
        cpsat.by_cp_sat(ask(Board(5)), Budget(cancelled=lambda: True, interval=0))
    with pytest.raises(BudgetExceeded, match="time limit"):
        cpsat.by_cp_sat(ask(Board(5)), Budget(seconds=0.01))
