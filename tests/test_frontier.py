"""Counting by the frontier: published counts, brute force on small graphs, and the orders of elimination."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise, permutations
from pathlib import Path

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from backrank.errors import BudgetExceeded, InvalidPuzzle, InvalidSquare
from backrank.geometry.board import Board
from backrank.geometry.pieces import KING, KNIGHT, Piece, move_graph
from backrank.runtime.budget import Budget, Counters
from backrank.runtime.progress import Progress
from backrank.search import TourView, tour_strategy
from backrank.tours.frontier.reference import count_cycles, count_paths
from backrank.tours.frontier.vertex_order import find_vertex_order, profile
from backrank.tours.listing import pruned
from strategies import boards, leapers

COUNTS = Path(__file__).parent / "data" / "tours.counts"
Graph = list[list[int]]

# The longest board of each width that is counted at all; the slow ones are left to the deep tests.
CLOSED = {3: 30, 4: 12, 5: 12, 6: 8, 7: 6, 8: 6}
OPEN = {3: 18, 4: 10, 5: 8, 6: 7, 7: 6}
TORUS = {3: 5, 4: 5}
DEEP = {("closed", "6x8"), ("closed", "8x6"), ("open", "6x7"), ("open", "7x6")}


def published(kind: str, longest: dict[int, int]) -> list[object]:
    """The published counts of a kind as parameters: size and value."""
    found: list[object] = []
    for line in COUNTS.read_text(encoding="utf-8").splitlines():
        words = line.split()
        if words and words[0] == kind:
            rows, cols = map(int, words[1].partition("@")[0].split("x"))
            if cols <= longest.get(rows, 0):
                marks = [pytest.mark.deep] if (kind.split(".")[1], words[1]) in DEEP else []
                found.append(pytest.param(words[1], int(words[2]), marks=marks))
    assert found
    return found


def adjacency_of(size: str, wrap: str = "none") -> tuple[Board, list[tuple[int, ...]]]:
    board = Board.parse(size, wrap=wrap)
    return board, move_graph(board, KNIGHT).adjacency()


@pytest.mark.parametrize(("size", "value"), published("tours.closed.undirected", CLOSED))
def test_closed_tours_as_published(size: str, value: int) -> None:
    board, adjacency = adjacency_of(size)
    assert count_cycles(adjacency, board) == value


@pytest.mark.parametrize(("size", "value"), published("tours.open.undirected", OPEN))
def test_open_tours_as_published(size: str, value: int) -> None:
    board, adjacency = adjacency_of(size)
    assert count_paths(adjacency, board) == value


@pytest.mark.parametrize(("size", "value"), published("tours.open.directed.from", dict.fromkeys(range(3, 7), 8)))
def test_tours_from_a_square_as_published(size: str, value: int) -> None:
    size, _, cell = size.partition("@")
    board, adjacency = adjacency_of(size)
    square = board.square(cell)
    assert count_paths(adjacency, board, start=square) == value
    assert count_paths(adjacency, board, end=square) == value


@pytest.mark.parametrize(("size", "value"), published("tours.closed.undirected.torus", TORUS))
def test_closed_tours_of_the_torus_as_published(size: str, value: int) -> None:
    board, adjacency = adjacency_of(size, wrap="torus")
    assert count_cycles(adjacency, board) == value


# --- other ways to the same number -----------------------------------------------------------------


@pytest.mark.parametrize("size", ["3x10", "5x5", "5x6", "6x6"])
def test_the_order_changes_nothing(size: str) -> None:
    board, adjacency = adjacency_of(size)
    column_by_column = sorted(board, key=lambda square: (square % board.cols, square))
    good = find_vertex_order(adjacency, seed=1)
    assert count_cycles(adjacency, board, column_by_column) == count_cycles(adjacency, board)
    assert count_cycles(adjacency, board, good[::-1]) == count_cycles(adjacency, board)
    assert count_paths(adjacency, board, order=good) == count_paths(adjacency, board)


@given(st.permutations(range(12)))
def test_no_order_changes_anything(order: list[int]) -> None:
    board, adjacency = adjacency_of("3x4")
    assert count_paths(adjacency, board, order=order) == 8


def test_both_ends_given_add_up() -> None:
    board, adjacency = adjacency_of("3x7")
    for start in board:
        between = [count_paths(adjacency, board, start=start, end=end) for end in board]
        assert sum(between) == count_paths(adjacency, board, start=start)
    assert sum(count_paths(adjacency, board, start=start) for start in board) == 2 * count_paths(adjacency, board)


def test_closed_tours_are_open_ones_whose_ends_meet() -> None:
    # On 6x6, cycles through a corner take both its moves: paths between the ends of one of them.
    board, adjacency = adjacency_of("6x6")
    assert count_paths(adjacency, board, start=0, end=adjacency[0][0]) == 9862


def listed(board: Board, piece: Piece, start: int, *, end: int | None = None, closed: bool = False) -> int:
    """The number of tours from a square that backtracking finds."""
    view = TourView(board, move_graph(board, piece).adjacency())
    meter = Budget().start()
    tours = pruned.iter_paths(
        view, start, tour_strategy("fixed"), meter=meter, counters=Counters(), end=end, closed=closed
    )
    return sum(1 for _ in tours)


@given(boards(max_side=5), st.one_of(st.just(KNIGHT), leapers(3), st.just(KING)), st.data())
def test_boards_of_all_kinds_against_backtracking(board: Board, piece: Piece, data: st.DataObject) -> None:
    assume(len(board) <= (9 if board.wrap == "torus" or piece == KING else 14))
    adjacency = move_graph(board, piece).adjacency()
    order = data.draw(st.permutations(list(board)), label="order")
    start, end = (data.draw(st.sampled_from(list(board)), label=noun) for noun in ("start", "end"))
    assert count_paths(adjacency, board, order=order, start=start) == listed(board, piece, start)
    assert count_paths(adjacency, board, start=start, end=end) == listed(board, piece, start, end=end)
    if len(board) > 2:
        assert 2 * count_cycles(adjacency, board, order) == listed(board, piece, start, closed=True)
    if len(board) > 1:
        directed = sum(listed(board, piece, square) for square in board)
        assert 2 * count_paths(adjacency, board, order=order) == directed


def by_permutations(graph: Graph, *, closed: bool = False) -> int:
    """Hamiltonian paths or cycles, undirected, by looking at all permutations of the vertices."""
    walks = [
        walk
        for walk in permutations(range(len(graph)))
        if all(second in graph[first] for first, second in pairwise(walk))
    ]
    if closed:
        return sum(walk[0] in graph[walk[-1]] for walk in walks) // (2 * len(graph)) if len(graph) > 2 else 0
    return (len(walks) + 1) // 2 if graph else 0


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    """Graphs of up to six vertices, connected or not."""
    size = draw(st.integers(0, 6), label="size")
    pairs = [(one, other) for one in range(size) for other in range(one)]
    edges = draw(st.sets(st.sampled_from(pairs)) if pairs else st.just(set()), label="edges")
    return [[other for other in range(size) if (max(one, other), min(one, other)) in edges] for one in range(size)]


COMPLETE = [[other for other in range(6) if other != one] for one in range(6)]
TRIANGLES = [[1, 2], [0, 2], [0, 1], [4, 5], [3, 5], [3, 4]]


@given(graphs())
@example(COMPLETE)
@example(TRIANGLES)
@example([[1], [0]])
@example([[], []])
def test_any_graph_against_all_permutations(graph: Graph) -> None:
    vertices = range(len(graph))
    assert count_cycles(graph, vertices) == by_permutations(graph, closed=True)
    assert count_paths(graph, vertices) == by_permutations(graph)


# --- edges of the definition -----------------------------------------------------------------------


def test_next_to_nothing() -> None:
    assert count_cycles([], []) == count_paths([], []) == 0
    assert count_cycles([()], [0]) == 0
    assert count_paths([()], [0]) == count_paths([()], [0], start=0) == count_paths([()], [0], start=0, end=0) == 1
    assert count_cycles([(1,), (0,)], [0, 1]) == 0
    assert count_paths([(1,), (0,)], [0, 1], start=1) == count_paths([(1,), (0,)], [0, 1], start=1, end=0) == 1
    assert count_paths([(1,), (0,)], [0, 1], start=1, end=1) == 0


def test_only_the_given_squares_count() -> None:
    square_with_centre = [(1, 3, 4), (0, 2, 4), (1, 3, 4), (0, 2, 4), (0, 1, 2, 3)]
    assert count_cycles(square_with_centre, range(4)) == 1
    assert count_paths(square_with_centre, range(4)) == 4
    assert count_cycles(square_with_centre, range(5), order=[9, 4, 0, 1, 7, 2, 3]) == 4


def test_moves_that_are_listed_twice_or_lead_nowhere_count_once() -> None:
    assert count_cycles([(1, 1, 2, 0), (0, 2), (0, 1, 1)], range(3)) == 1


@pytest.mark.parametrize("order", [[], [0, 1], [0, 1, 2, 2], [0, 1, 1]])
def test_an_order_must_hold_every_square_once(order: list[int]) -> None:
    with pytest.raises(InvalidPuzzle, match="each of the 3 squares once"):
        count_cycles([(1, 2), (0, 2), (0, 1)], range(3), order)


@pytest.mark.parametrize(("start", "end"), [(3, None), (None, -1), (0, 3)])
def test_an_end_must_be_a_square(start: int | None, end: int | None) -> None:
    with pytest.raises(InvalidSquare, match="not among those to visit"):
        count_paths([(1, 2), (0, 2), (0, 1)], range(3), start=start, end=end)


# --- budgets ---------------------------------------------------------------------------------------


def test_calls_are_states_and_the_limit_is_exact() -> None:
    board, adjacency = adjacency_of("5x6")
    meter = Budget().start()
    count_cycles(adjacency, board, meter=meter)
    needed = meter.calls
    assert 36 < needed < 1000
    assert count_cycles(adjacency, board, meter=Budget(calls=needed).start()) == 8
    with pytest.raises(BudgetExceeded) as stopped:
        count_cycles(adjacency, board, meter=Budget(calls=needed - 1).start())
    assert stopped.value.reached.calls == needed - 1
    assert stopped.value.reached.depth == len(board) - 1


def test_calls_go_on_from_those_of_the_meter() -> None:
    board, adjacency = adjacency_of("3x4")
    meter = Budget().start()
    count_paths(adjacency, board, meter=meter)
    once = meter.calls
    count_paths(adjacency, board, meter=meter)
    assert meter.calls == 2 * once


def test_progress_and_cancelling() -> None:
    board, adjacency = adjacency_of("6x6")
    seen: list[Progress] = []
    budget = Budget(progress=seen.append, cancelled=lambda: len(seen) == 3, interval=0)
    with pytest.raises(BudgetExceeded, match="cancelled"):
        count_paths(adjacency, board, meter=budget.start(total=36))
    assert len(seen) == 3
    assert [each.depth for each in seen] == sorted(each.depth for each in seen)
    assert seen[-1].total == 36


# --- orders of elimination -------------------------------------------------------------------------


def active(adjacency: Sequence[Collection[int]], order: Sequence[int]) -> list[int]:
    """What `profile` returns, as its definition has it."""
    return [
        sum(not set(adjacency[square]).isdisjoint(order[:done]) for square in order[done:])
        for done in range(1, len(order) + 1)
    ]


@given(graphs(), st.integers(0, 3))
def test_an_order_of_any_graph(graph: Graph, seed: int) -> None:
    order = find_vertex_order(graph, seed=seed)
    assert sorted(order) == list(range(len(graph)))
    assert profile(graph, order) == active(graph, order)
    assert order == find_vertex_order(graph, seed=seed)


@pytest.mark.parametrize(
    ("size", "peak"), [("3x10", 6), ("3x40", 6), ("40x3", 6), ("5x8", 10), ("6x6", 9), ("6x7", 11), ("8x8", 16)]
)
@pytest.mark.parametrize("seed", [0, 1])
def test_peaks_of_known_boards(size: str, peak: int, seed: int) -> None:
    _, adjacency = adjacency_of(size)
    assert max(profile(adjacency, find_vertex_order(adjacency, seed=seed))) <= peak


@pytest.mark.parametrize("size", ["2x9", "3x8", "4x5", "4x12", "5x7", "7x5", "6x6"])
@pytest.mark.parametrize("wrap", ["none", "cylinder", "torus"])
@pytest.mark.parametrize("effort", [0, 2000, 1_000_000])
def test_never_worse_than_a_sweep(size: str, wrap: str, effort: int) -> None:
    board, adjacency = adjacency_of(size, wrap)

    def cost(order: Sequence[int]) -> float:
        return sum(3.6**count for count in profile(adjacency, order))

    order = find_vertex_order(adjacency, effort=effort)
    column_by_column = sorted(board, key=lambda square: (square % board.cols, square))
    assert cost(order) <= min(cost(range(board.size)), cost(column_by_column)) * (1 + 1e-9)


def test_another_seed_gives_another_order() -> None:
    _, adjacency = adjacency_of("6x6")
    assert len({tuple(find_vertex_order(adjacency, seed=seed)) for seed in range(4)}) == 4


def test_holes_come_first() -> None:
    board = Board(4, 4, holes=[5, 6])
    assert sorted(find_vertex_order(move_graph(board).adjacency())[:2]) == [5, 6]


@pytest.mark.parametrize("size", ["3x1000", "60x60"])
def test_large_boards_are_swept(size: str) -> None:
    board, adjacency = adjacency_of(size)
    order = find_vertex_order(adjacency)
    assert sorted(order) == list(board)
    assert max(profile(adjacency, order)) <= 2 * min(board.rows, board.cols) + 2


def test_long_thin_boards_obey_their_recurrence() -> None:
    # The denominator of the generating function of A070030 (D. E. Knuth; N. D. Elkies, 1994), for 3 x 2n.
    coefficients = [1, -6, -64, 200, 1000, -3016, -3488, 24256, -23776, -104168, 203408, 184704, -443392, -14336]
    coefficients += [151296, -145920, 263424, -317440, -36864, 966656, -573440, -131072]
    counts = []
    for half in range(60, 60 - len(coefficients), -1):
        board, adjacency = adjacency_of(f"3x{2 * half}")
        counts.append(count_cycles(adjacency, board))
    assert min(counts) > 10**30
    assert sum(coefficient * count for coefficient, count in zip(coefficients, counts, strict=True)) == 0
