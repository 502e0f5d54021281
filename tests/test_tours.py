"""`KnightTours`: every verb, against the textbook search, brute force and the checker that knows no solver."""

from __future__ import annotations

import pickle
import sys
from collections.abc import Iterator
from dataclasses import FrozenInstanceError
from itertools import islice, pairwise, product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backrank import (
    KNIGHT,
    ORDERS,
    TOUR_STRATEGIES,
    Board,
    BoardTooLarge,
    Budget,
    BudgetExceeded,
    InvalidBoard,
    InvalidPuzzle,
    InvalidSquare,
    KnightTours,
    Piece,
    Progress,
    Tour,
    UnknownName,
    leaper,
    move_graph,
    tour_faults,
)
from backrank.geometry.symmetry import canonical_path, permutations, stabilizer
from backrank.runtime.budget import Counters
from backrank.search import TourView, tour_strategy
from backrank.tours.listing import pruned, reference
from strategies import boards, brute_force_tours, closed_tours

FEW = Budget(calls=30_000)


def assert_tour(puzzle: KnightTours, tour: Tour | None) -> None:
    """It is a tour by the word of the checker, which knows no solver, and it meets the conditions."""
    assert tour is not None, puzzle
    assert tour.board == puzzle.board
    assert tour.closed == puzzle.closed
    faults = tour_faults(
        puzzle.board, tour.cells, closed=puzzle.closed, start=puzzle.start, end=puzzle.end, piece=puzzle.piece
    )
    assert faults == [], puzzle
    assert tour in puzzle
    assert tour.faults() == []


def by_reference(puzzle: KnightTours) -> list[tuple[int, ...]]:
    """All tours by the textbook's search alone, dismissing those that do not meet the conditions."""
    view = TourView(puzzle.board, move_graph(puzzle.board, puzzle.piece).adjacency())
    found = []
    for start in puzzle.board if puzzle.start is None else [puzzle.start]:
        paths = reference.iter_paths(view, start, tour_strategy("fixed"), meter=Budget().start(), counters=Counters())
        found += [tuple(path) for path in paths if puzzle.end in (None, path[-1])]
    if puzzle.closed:
        least = puzzle.start if puzzle.start is not None else next(iter(puzzle.board))
        found = [path for path in found if path[0] == least and len(path) > 2 and path[-1] in view.adjacency[least]]
        if puzzle.end is None:
            found = [path for path in found if path[1] < path[-1]]
    return found


# --- solving ---------------------------------------------------------------------------------------

SIDES = range(5, 13)


@pytest.mark.parametrize("rows", SIDES)
@pytest.mark.parametrize("closed", [False, True])
def test_solve_rectangles(rows: int, *, closed: bool) -> None:
    for cols in SIDES:
        puzzle = KnightTours(rows, cols, closed=closed)
        known = puzzle.existence()
        result = puzzle.search(budget=FEW)
        assert known.answer == ("no" if closed and rows * cols % 2 else "yes")
        if known.answer == "no":
            assert (result.tour, result.strategy, result.calls) == (None, "theorem", 0)
            assert result.reason == known.reason
        else:
            assert_tour(puzzle, result.tour)
            assert result.calls - result.backtracks >= 0


@pytest.mark.parametrize("size", ["5x5", "6x6", "7x7", "5x6", "5x7", "5x8", "8x5", "8x8", "5x10", "5x11", "5x12"])
def test_solve_from_every_square(size: str) -> None:
    """Every start of the right colour begins a tour here, and none may take long."""
    board = Board.parse(size)
    slow = []
    for start in board:
        puzzle = KnightTours(board, start=start)
        right = len(board) % 2 == 0 or board.colour(start) == 0
        assert puzzle.existence().answer == ("yes" if right else "no")
        try:
            tour = puzzle.solve(budget=FEW)
        except BudgetExceeded:
            slow.append(board.name(start))
            continue
        if right:
            assert_tour(puzzle, tour)
        else:
            assert tour is None
    assert slow == []


def colour_pairs(board: Board) -> list[tuple[int, int]]:
    """All pairs of ends that the colours allow."""
    odd = len(board) % 2
    return [
        (start, end)
        for start, end in product(board, board)
        if start != end
        and (board.colour(start) == board.colour(end) == 0 if odd else board.colour(start) != board.colour(end))
    ]


@pytest.mark.parametrize("rows", range(6, 11))
def test_solve_between_sampled_pairs(rows: int) -> None:
    for cols in range(6, 11):
        board = Board(rows, cols)
        for start, end in Random(rows * cols).sample(colour_pairs(board), 12):  # noqa: S311 - a sample that repeats
            puzzle = KnightTours(board, start=start, end=end)
            assert_tour(puzzle, puzzle.solve(budget=FEW))


def test_solve_to_a_given_end() -> None:
    for end in ("a1", "d4", "h1"):
        puzzle = KnightTours(8, end=end)
        assert_tour(puzzle, puzzle.solve(budget=FEW))


@pytest.mark.parametrize("end", [10, 17])
def test_solve_closed_with_a_given_last_step(end: int) -> None:
    puzzle = KnightTours(8, closed=True, start=0, end=end)
    assert_tour(puzzle, puzzle.solve(budget=FEW))
    assert KnightTours(8, closed=True, start=0, end=63).solve() is None


@pytest.mark.parametrize(
    "puzzle",
    [KnightTours(60), KnightTours(50, start=(25, 25)), KnightTours(60, closed=True), KnightTours(50, 51, start="a1")],
    ids=repr,
)
def test_large_boards_need_no_recursion(puzzle: KnightTours) -> None:
    before = sys.getrecursionlimit()
    assert_tour(puzzle, puzzle.solve(budget=Budget(calls=400_000)))
    assert sys.getrecursionlimit() == before < 2500


def test_the_textbook_strategies_need_no_recursion_either() -> None:
    puzzle = KnightTours(60, start=0)
    for strategy in ("warnsdorff-roth", "warnsdorff"):
        try:
            tour = puzzle.solve(strategy=strategy, budget=Budget(calls=50_000))
        except BudgetExceeded as stopped:
            assert stopped.reached.depth > 2500  # noqa: PT017 - deep in the tree, which is what is asked
        else:
            assert_tour(puzzle, tour)


@pytest.mark.parametrize("cols", range(1, 19))
def test_solve_boards_of_three_rows(cols: int) -> None:
    for closed in (False, True):
        for puzzle in (KnightTours(3, cols, closed=closed), KnightTours(cols, 3, closed=closed)):
            known = puzzle.existence()
            tour = puzzle.solve(budget=Budget(calls=60_000))
            if known.answer == "yes":
                assert_tour(puzzle, tour)
            else:
                assert known.answer == "no"
                assert tour is None


@pytest.mark.parametrize("cols", range(5, 13))
def test_solve_boards_of_four_rows(cols: int) -> None:
    for puzzle in (KnightTours(4, cols), KnightTours(cols, 4), KnightTours(4, cols, start="a1")):
        assert_tour(puzzle, puzzle.solve(budget=FEW))


@pytest.mark.parametrize("wrap", ["cylinder", "torus"])
@pytest.mark.parametrize("closed", [False, True])
def test_solve_glued_boards(wrap: str, *, closed: bool) -> None:
    for rows, cols in product(range(3, 8), range(3, 8)):
        puzzle = KnightTours(rows, cols, wrap=wrap, closed=closed)
        try:
            tour = puzzle.solve(budget=FEW)
        except BudgetExceeded:
            assert wrap == "cylinder"  # every torus has one
            continue
        if tour is None:
            assert wrap == "cylinder"
        else:
            assert_tour(puzzle, tour)


@pytest.mark.parametrize(
    ("size", "piece"),
    [("10x10", "1,4"), ("10x10", "2,3"), ("8x8", "0,1"), ("9x9", "1,2"), ("6x6", "king"), ("5x5", "king")],
)
def test_solve_other_leapers(size: str, piece: str) -> None:
    puzzle = KnightTours(size, piece=piece)
    assert_tour(puzzle, puzzle.solve(budget=Budget(calls=300_000)))


@settings(max_examples=60)
@given(boards(min_side=5, max_side=8, wraps=("none",)))
def test_solve_large_boards_with_holes_or_say_why_not(board: Board) -> None:
    puzzle = KnightTours(board)
    known = puzzle.existence()
    try:
        tour = puzzle.solve(budget=Budget(calls=20_000))
    except BudgetExceeded:
        assert known.answer == "unknown"
        return
    if tour is None:
        assert known.answer != "yes"
    else:
        assert known.answer != "no"
        assert_tour(puzzle, tour)


@given(boards(max_side=4), st.sampled_from([KNIGHT, leaper(0, 1), leaper(1, 3)]), st.booleans(), st.data())
def test_solve_decides_every_small_board(board: Board, piece: Piece, closed: bool, data: st.DataObject) -> None:
    if len(board) > 12:
        board = Board(3, 4, wrap=board.wrap)
    puzzle = with_ends(board, piece, closed=closed, data=data)
    first = next(iter(by_reference_lazily(puzzle)), None)
    tour = puzzle.solve()
    assert (tour is None) == (first is None)
    assert bool(puzzle) == (first is not None)
    if tour is not None:
        assert_tour(puzzle, tour)
    assert puzzle.search().reason


def with_ends(board: Board, piece: Piece, *, closed: bool, data: st.DataObject) -> KnightTours:
    """A puzzle with a start or an end or both or none."""
    squares = list(board)
    start = data.draw(st.sampled_from([None, *squares]), label="start")
    ends = [square for square in squares if square != start]
    end = None if closed and start is None else data.draw(st.sampled_from([None, *ends]), label="end")
    return KnightTours(board, piece=piece, closed=closed, start=start, end=end)


def by_reference_lazily(puzzle: KnightTours) -> Iterator[tuple[int, ...]]:
    view = TourView(puzzle.board, move_graph(puzzle.board, puzzle.piece).adjacency())
    for start in puzzle.board if puzzle.start is None else [puzzle.start]:
        closing = set(view.adjacency[start])
        paths = pruned.iter_paths(view, start, tour_strategy("fixed"), meter=Budget().start(), counters=Counters())
        for path in paths:
            closes = len(path) > 2 and path[-1] in closing
            if puzzle.end in (None, path[-1]) and (closes or not puzzle.closed):
                yield tuple(path)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("strategy", TOUR_STRATEGIES)
def test_every_strategy_with_every_order(strategy: str, order: str) -> None:
    puzzle = KnightTours(5, start="a5")
    result = puzzle.search(strategy=strategy, order=order)
    assert_tour(puzzle, result.tour)
    assert result.strategy in (strategy, f"{strategy}:{order}")
    assert result.calls - result.backtracks == 25
    assert puzzle.search(strategy=strategy, order=order).tour == result.tour
    assert KnightTours(4).search(strategy=strategy, order=order).strategy == "theorem"


def test_strategies_meet_the_conditions_too() -> None:
    ring = KnightTours(3, holes="b2", closed=True)
    for puzzle in (ring, KnightTours(5, start="a5", end="e1"), KnightTours(3, 4, end="a3")):
        assert_tour(puzzle, puzzle.solve(strategy="warnsdorff", budget=Budget(calls=2_000_000)))
    # Exhausted, and so proven: there are two poor squares too many for any tour from there.
    result = KnightTours(3, 5, holes="e1 e2 e3", start="b3").search(strategy="fixed")
    assert result.tour is None
    assert "found none" in result.reason


def test_one_square() -> None:
    puzzle = KnightTours(1)
    assert_tour(puzzle, puzzle.solve())
    assert [tour.squares for tour in puzzle] == [(0,)]
    assert puzzle.count() == puzzle.count(directed=False) == puzzle.count(up_to_symmetry=True) == 1
    assert_tour(KnightTours(1, start="a1", end="a1"), KnightTours(1, start="a1", end="a1").solve())
    assert KnightTours(1, closed=True).solve() is None
    assert KnightTours(1, closed=True).count() == 0
    assert list(KnightTours(1, closed=True)) == []
    island = KnightTours(3, holes=[square for square in range(9) if square != 4])
    assert_tour(island, island.solve())
    assert island.count() == 1


@pytest.mark.parametrize(
    "puzzle",
    [
        KnightTours(4),
        KnightTours(5, closed=True),
        KnightTours(4, 9, closed=True),
        KnightTours(3, 8, closed=True),
        KnightTours(5, start=1),
        KnightTours(9, end=1),
        KnightTours(8, start=0, end=63),
        KnightTours(101, closed=True),
        KnightTours(2, 50),
        KnightTours(8, piece="1,1"),
    ],
    ids=repr,
)
def test_impossible_boards_are_answered_at_once_with_the_reason(puzzle: KnightTours) -> None:
    result = puzzle.search(budget=Budget(calls=1))
    assert (result.tour, result.strategy, result.calls) == (None, "theorem", 0)
    assert result.reason == puzzle.existence().reason
    assert not puzzle
    assert puzzle.count() == puzzle.count(method="listing") == puzzle.count(up_to_symmetry=True) == 0
    assert list(puzzle) == []


# --- listing ---------------------------------------------------------------------------------------

LISTED = [
    KnightTours(3, 4),
    KnightTours(3, 4, start="a3"),
    KnightTours(4, 5),
    KnightTours(4, 5, start="a4", end="e1"),
    KnightTours(4, 5, end="a4"),
    KnightTours(5, start="a5"),
    KnightTours(3, closed=True, wrap="torus"),
    KnightTours(3, holes="b2"),
    KnightTours(3, holes="b2", closed=True),
    KnightTours(3, holes="b2", closed=True, start="c3"),
    KnightTours(3, 3, wrap="cylinder"),
    KnightTours(4, 4, piece="0,1"),
    KnightTours(4, 4, piece="0,1", closed=True),
    KnightTours(4, 4, piece="0,1", closed=True, start=5),
    KnightTours(4, 4, piece="0,1", closed=True, start=5, end=6),
    KnightTours(4, 4, holes="a1 d4"),
]


@pytest.mark.parametrize("puzzle", LISTED, ids=repr)
def test_iteration_is_what_the_textbook_finds_in_lexicographic_order(puzzle: KnightTours) -> None:
    listed = [tour.squares for tour in puzzle]
    assert listed == sorted(by_reference(puzzle))
    assert listed == sorted(set(listed))
    assert len(listed) == puzzle.count() == puzzle.count(method="listing") == puzzle.count(method="frontier")
    for tour in puzzle:
        assert_tour(puzzle, tour)


@pytest.mark.parametrize(
    "board", [Board(3, 4), Board(4, 5), Board(5), Board(3, 7), Board(3, wrap="torus"), Board(4, holes="a1 d4")]
)
def test_iteration_is_brute_force(board: Board) -> None:
    assert {tour.cells for tour in KnightTours(board)} == set(brute_force_tours(board))


@pytest.mark.parametrize("board", [Board(5, 6), Board(3, wrap="torus"), Board(3, holes="b2"), Board(4, wrap="torus")])
def test_closed_iteration_is_brute_force(board: Board) -> None:
    wanted = {path for path in closed_tours(board) if path[1] < path[-1]}
    listed = [tour.cells for tour in KnightTours(board, closed=True)]
    assert set(listed) == wanted
    assert len(listed) == len(wanted)


def test_a_closed_tour_is_read_from_its_start() -> None:
    plain = {frozenset(map(frozenset, steps(tour))) for tour in KnightTours(5, 6, closed=True)}
    for start in ("a1", "c3", "f5"):
        puzzle = KnightTours(5, 6, closed=True, start=start)
        listed = list(puzzle)
        assert {tour.start for tour in listed} == {puzzle.start}
        assert all(tour.squares[1] < tour.end for tour in listed)
        assert len(listed) == puzzle.count() == 8
        assert {frozenset(map(frozenset, steps(tour))) for tour in listed} == plain


def steps(tour: Tour) -> list[tuple[int, int]]:
    return [*pairwise(tour.squares), (tour.end, tour.start)]


def test_iteration_is_lazy_and_can_begin_again() -> None:
    puzzle = KnightTours(8, start="b8")
    first = list(islice(puzzle, 5))
    assert list(islice(puzzle, 5)) == first
    assert all(a.squares < b.squares for a, b in pairwise(first))
    one, other = iter(puzzle), iter(puzzle)
    assert [next(one), next(other), next(one), next(other)] == [first[0], first[0], first[1], first[1]]


LEAPERS = st.sampled_from([KNIGHT, KNIGHT, leaper(0, 1), leaper(1, 1), leaper(1, 3), leaper(0, 2)])


@settings(max_examples=150)
@given(boards(min_side=1, max_side=4), LEAPERS, st.booleans(), st.data())
def test_pruned_lists_exactly_what_the_reference_lists(
    board: Board, piece: Piece, closed: bool, data: st.DataObject
) -> None:
    """Same tours, same order, from any start, in any move order, with an end or closed: only sooner."""
    if len(board) > 10:
        keep = data.draw(st.integers(6, 10), label="squares kept")
        board = Board(board.rows, board.cols, holes=list(board)[keep:] + list(board.holes), wrap=board.wrap)
    start = data.draw(st.sampled_from(list(board)), label="start")
    end = data.draw(st.sampled_from([None, *(square for square in board if square != start)]), label="end")
    strategy = tour_strategy(data.draw(st.sampled_from(list(TOUR_STRATEGIES)), label="strategy"))
    view = TourView(board, move_graph(board, piece).adjacency())
    meter, few, many = Budget().start(), Counters(), Counters()
    sooner = [
        tuple(path)
        for path in pruned.iter_paths(view, start, strategy, meter=meter, counters=few, end=end, closed=closed)
    ]
    closing = view.adjacency[start]
    everything = [
        tuple(path)
        for path in reference.iter_paths(view, start, strategy, meter=meter, counters=many)
        if end in (None, path[-1]) and (not closed or (len(path) > 2 and path[-1] in closing))
    ]
    assert sooner == everything
    assert few.calls <= many.calls
    assert few.calls == few.backtracks
    assert many.calls == many.backtracks
    assert not any(view.visited)


# --- counting --------------------------------------------------------------------------------------


@settings(max_examples=100)
@given(boards(min_side=2, max_side=4), LEAPERS, st.booleans(), st.data())
def test_all_ways_of_counting_agree_with_the_list(
    board: Board, piece: Piece, closed: bool, data: st.DataObject
) -> None:
    if len(board) > 9:
        board = Board(board.rows, board.cols, holes=list(board)[9:] + list(board.holes), wrap=board.wrap)
    puzzle = with_ends(board, piece, closed=closed, data=data)
    listed = [tour.squares for tour in puzzle]
    assert_counts(puzzle, listed)


@pytest.mark.parametrize("puzzle", LISTED, ids=repr)
def test_all_ways_of_counting_agree(puzzle: KnightTours) -> None:
    assert_counts(puzzle, [tour.squares for tour in puzzle])


def assert_counts(puzzle: KnightTours, listed: list[tuple[int, ...]]) -> None:
    """Directed and undirected numbers, by every method, against sets of readings."""
    free = puzzle.start is None and puzzle.end is None
    if puzzle.closed:
        directed = len(listed) * (2 if puzzle.end is None else 1)
        undirected = len(listed)
    else:
        directed = len(listed)
        undirected = len({min(squares, squares[::-1]) for squares in listed} if free else listed)
    for method in ("auto", "listing", "frontier"):
        assert puzzle.count(method=method) == len(listed)
        assert puzzle.count(method=method, directed=True) == directed
        assert puzzle.count(method=method, directed=False) == undirected


SYMMETRIC = [
    KnightTours(3, 4),
    KnightTours(4, 3),
    KnightTours(5),
    KnightTours(5, start="c3"),
    KnightTours(5, start="a5"),
    KnightTours(5, start="a5", end="e1"),
    KnightTours(5, start="a5", end="e5"),
    KnightTours(4, 5, end="a4"),
    KnightTours(5, 6, closed=True),
    KnightTours(5, 6, closed=True, start="a1"),
    KnightTours(3, closed=True, wrap="torus"),
    KnightTours(3, holes="b2"),
    KnightTours(3, holes="b2", closed=True),
    KnightTours(3, 3, wrap="cylinder"),
    KnightTours(4, 4, piece="0,1", closed=True),
    KnightTours(4, 4, piece="0,1", closed=True, start=5, end=6),
]


@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("puzzle", SYMMETRIC, ids=repr)
def test_classes_are_orbits(puzzle: KnightTours, *, directed: bool) -> None:
    """Tours up to symmetry, by merging every tour with all its images: a brute force of classes."""
    readings = {reading(puzzle, tour.squares, directed=directed) for tour in puzzle}
    if puzzle.closed and directed and puzzle.end is None:
        readings |= {reading(puzzle, tour.squares[:1] + tour.squares[:0:-1], directed=directed) for tour in puzzle}
    group = [image for image in permutations(puzzle.board) if keeps_ends(puzzle, image, directed=directed)]
    classes, left = 0, set(readings)
    while left:
        squares = next(iter(left))
        orbit = {reading(puzzle, tuple(image[square] for square in squares), directed=directed) for image in group}
        assert orbit <= readings
        left -= orbit
        classes += 1
    assert puzzle.count(up_to_symmetry=True, directed=directed) == classes


def keeps_ends(puzzle: KnightTours, image: tuple[int, ...], *, directed: bool) -> bool:
    start, end = puzzle.start, puzzle.end
    moved = [None if square is None else image[square] for square in (start, end)]
    if moved == [start, end]:
        return True
    return not directed and start is not None and end is not None and moved == [end, start]


def reading(puzzle: KnightTours, squares: tuple[int, ...], *, directed: bool) -> tuple[int, ...]:
    """One way to write down what counts as the same tour, symmetry aside."""
    if puzzle.closed and puzzle.end is None:
        first = squares.index(min(squares))
        squares = squares[first:] + squares[:first]
        back = squares[:1] + squares[:0:-1]
        return squares if directed else min(squares, back)
    if directed:
        return squares
    return min(squares, squares[::-1])


def test_known_classes() -> None:
    assert KnightTours(3, 4).count(directed=False, up_to_symmetry=True) == 3
    assert KnightTours(5, 6, closed=True).count(up_to_symmetry=True) == 3
    assert KnightTours(5).count(directed=False, up_to_symmetry=True) == 112
    assert KnightTours(5).count(directed=True, up_to_symmetry=True) == 1728 // 8


# --- membership ------------------------------------------------------------------------------------


def test_in() -> None:
    puzzle = KnightTours(3, 4)
    tour = puzzle.solve()
    assert tour is not None
    assert tour in puzzle
    assert tour.squares in puzzle
    assert tour.names in puzzle
    assert tour.cells in puzzle
    assert list(tour) in puzzle
    assert tour.reversed() in puzzle
    assert tour.squares[:-1] not in puzzle
    assert (*tour.squares, 3) not in puzzle
    assert (*tour.squares[:-1], 99) not in puzzle
    assert tour.squares[:-1] + tour.squares[:1] not in puzzle
    assert [] not in puzzle
    assert ["a1", "zz9"] not in puzzle
    assert ["nonsense"] not in puzzle
    assert 7 not in puzzle
    assert None not in puzzle
    assert tour not in KnightTours(4, 3)
    assert tour not in KnightTours(3, 4, closed=True)
    assert tour not in KnightTours(3, 4, piece="0,1")
    assert tour in KnightTours(3, 4, start=tour.start, end=tour.end)
    assert tour not in KnightTours(3, 4, start=tour.end)
    assert tour not in KnightTours(3, 4, end=tour.start)


def test_a_closed_tour_is_in_whatever_square_it_is_read_from() -> None:
    tour = KnightTours(6, closed=True).solve()
    assert tour is not None
    for start in range(36):
        assert tour in KnightTours(6, closed=True, start=start)
    assert tour.reversed() in KnightTours(6, closed=True)
    # A closed tour is a path over all squares as well.
    assert tour.squares in KnightTours(6)
    assert tour.squares not in KnightTours(6, start=tour.squares[1])


@given(boards(min_side=3, max_side=4), st.booleans(), st.data())
def test_in_agrees_with_listing(board: Board, closed: bool, data: st.DataObject) -> None:
    if len(board) > 9:
        board = Board(board.rows, board.cols, holes=list(board)[9:] + list(board.holes), wrap=board.wrap)
    listed = [tour.squares for tour in KnightTours(board, closed=closed)]
    puzzle = with_ends(board, KNIGHT, closed=closed, data=data)
    for squares in listed[:20]:
        fits = puzzle.start in (None, squares[0]) and puzzle.end in (None, squares[-1])
        assert (squares in puzzle) == fits


def test_tour_is_checked() -> None:
    puzzle = KnightTours(3, 4)
    made = puzzle.tour(["a3", "c2", "a1", "b3", "d2", "b1", "c3", "a2", "c1", "d3", "b2", "d1"])
    assert isinstance(made, Tour)
    assert made == puzzle.tour(made.squares) == puzzle.tour(made.cells)
    with pytest.raises(InvalidPuzzle, match=r"not a tour of this puzzle: missing squares.*"):
        puzzle.tour(made.squares[:-1])
    with pytest.raises(InvalidPuzzle, match=r"and \d+ more faults"):
        puzzle.tour(sorted(made.squares))
    with pytest.raises(InvalidSquare):
        puzzle.tour(["a9"])


# --- limits ----------------------------------------------------------------------------------------

HARD = KnightTours(8, start="b8")


@pytest.mark.parametrize(
    "work",
    [
        lambda budget: HARD.solve(strategy="fixed", order="python", budget=budget),
        lambda budget: sum(1 for _ in HARD.iter_tours(budget=budget)),
        lambda budget: KnightTours(7, 8, start="b7").count(budget=budget),
        lambda budget: HARD.count(method="listing", budget=budget),
        lambda budget: KnightTours(7, 8, start="b7").count(up_to_symmetry=True, budget=budget),
        lambda budget: KnightTours(7, 8, closed=True).count(budget=budget),
        lambda budget: KnightTours(16, closed=True, piece="2,5").solve(budget=budget),
    ],
)
def test_limits(work: object) -> None:
    assert callable(work)
    with pytest.raises(BudgetExceeded, match="the limit of 3,000 calls") as caught:
        work(Budget(calls=3_000))
    assert caught.value.reached.calls == 3_000
    with pytest.raises(BudgetExceeded, match="time limit") as caught:
        work(Budget(seconds=0.05))
    assert 0.05 <= caught.value.reached.seconds < 20
    with pytest.raises(BudgetExceeded, match="cancelled"):
        work(Budget(cancelled=lambda: True, interval=0))


def test_a_limit_tells_what_was_found() -> None:
    puzzle = KnightTours(5, start="a5")
    with pytest.raises(BudgetExceeded, match="found so far") as caught:
        puzzle.count(method="listing", budget=Budget(calls=5_000))
    reached = caught.value.reached
    assert 0 < reached.found < 304
    assert (reached.calls, reached.total) == (5_000, 25)
    assert 0 < reached.depth <= 25


def test_a_limit_that_is_just_enough_is_enough() -> None:
    puzzle = KnightTours(5, start="a5")
    result = puzzle.search(strategy="fixed", order="java-b")
    again = puzzle.search(strategy="fixed", order="java-b", budget=Budget(calls=result.calls))
    assert again.tour == result.tour
    with pytest.raises(BudgetExceeded):
        puzzle.search(strategy="fixed", order="java-b", budget=Budget(calls=result.calls - 1))


def test_cancelling_stops_in_the_middle() -> None:
    asked = 0

    def cancelled() -> bool:
        nonlocal asked
        asked += 1
        return asked == 3

    with pytest.raises(BudgetExceeded, match="cancelled"):
        HARD.solve(strategy="fixed", order="python", budget=Budget(cancelled=cancelled, interval=0))
    assert asked == 3


def test_progress_grows() -> None:
    reports: list[Progress] = []
    KnightTours(4, 6).count(method="listing", budget=Budget(progress=reports.append, interval=0))
    assert len(reports) > 1
    assert [report.calls for report in reports] == sorted(report.calls for report in reports)
    assert [report.found for report in reports] == sorted(report.found for report in reports)
    assert all(report.depth <= report.total == 24 for report in reports)


# --- values and errors -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "puzzle",
    [
        KnightTours(8),
        KnightTours(3, 10, start="a1"),
        KnightTours(6, closed=True, start="a1"),
        KnightTours(6, start="a1", end="b1"),
        KnightTours(8, holes=["a1", "h8"], wrap="cylinder"),
        KnightTours(10, piece="camel"),
        KnightTours(10, piece="2,3", closed=True, wrap="torus"),
        KnightTours(10, piece="3,7"),
        KnightTours(3, 30, start="ab2", end=(0, 0)),
    ],
    ids=repr,
)
def test_puzzles_are_values(puzzle: KnightTours) -> None:
    twin = eval(repr(puzzle), {"KnightTours": KnightTours, "Board": Board})  # noqa: S307 - our own repr
    assert twin == puzzle
    assert hash(twin) == hash(puzzle)
    assert {puzzle: 1}[twin] == 1
    for name in ("board", "closed", "start", "end", "piece", "extra"):
        with pytest.raises((FrozenInstanceError, AttributeError, TypeError)):
            setattr(puzzle, name, 1)


def test_equal_puzzles() -> None:
    assert KnightTours(8) == KnightTours("8x8") == KnightTours(Board(8)) == KnightTours(8, 8)
    assert KnightTours(8, start="a8") == KnightTours(8, start=(0, 0)) == KnightTours(8, start=0)
    assert KnightTours(8) != KnightTours(8, closed=True)
    assert len({KnightTours(8), KnightTours(8, 8), KnightTours(8, piece="1,2"), KnightTours(8, piece=KNIGHT)}) == 1


def test_tours_are_values() -> None:
    tour = KnightTours(5).solve()
    assert tour is not None
    twin = Tour(Board(5), tour.squares)
    assert twin == tour
    assert hash(twin) == hash(tour)
    assert len(tour) == 25
    assert tuple(tour) == tour.squares
    assert tour.reversed().reversed() == tour
    assert tour.reversed().squares == tour.squares[::-1]
    assert [tour.grid[row][col] for row, col in tour.cells] == list(range(1, 26))
    assert repr(tour) == f"<open knight's tour of 5x5, {tour.names[0]} to {tour.names[-1]}>"
    with pytest.raises((FrozenInstanceError, AttributeError)):
        tour.squares = ()  # type: ignore[misc]  # that it cannot be set is the point
    closed = KnightTours(6, closed=True).solve()
    assert closed is not None
    assert closed.is_closable
    assert closed.reversed().start == closed.start
    assert closed.reversed().faults() == []


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: KnightTours(0), InvalidBoard, "at least 1"),
        (lambda: KnightTours("8x"), InvalidBoard, "8x8"),
        (lambda: KnightTours(8, start="a9"), InvalidSquare, "start: .*a1 to h8"),
        (lambda: KnightTours(8, end=64), InvalidSquare, "end: .*0 to 63"),
        (lambda: KnightTours(8, start="a1", holes="a1"), InvalidSquare, "hole"),
        (lambda: KnightTours(8, start="a1", end="a1"), InvalidPuzzle, "two ends"),
        (lambda: KnightTours(8, closed=True, end="a1"), InvalidPuzzle, "give a start"),
        (lambda: KnightTours(8, piece="queen"), InvalidPuzzle, "leaper"),
        (lambda: KnightTours(8, piece="gnu"), UnknownName, "knight"),
        (lambda: KnightTours(8, wrap="moebius"), UnknownName, "torus"),
        (lambda: KnightTours(8).solve(strategy="luck"), UnknownName, "warnsdorff"),
        (lambda: KnightTours(4).solve(strategy="luck"), UnknownName, "warnsdorff"),
        (lambda: KnightTours(8).solve(order="luck"), UnknownName, "java-a"),
        (lambda: KnightTours(8).count(method="luck"), UnknownName, "frontier"),
        (lambda: KnightTours(4).count(method="luck"), UnknownName, "frontier"),
        (lambda: KnightTours(5).count(method="frontier", up_to_symmetry=True), InvalidPuzzle, "listing"),
        (lambda: KnightTours(30_000, holes=["a1"]).solve(), InvalidBoard, "900,000,000 squares"),
    ],
)
def test_errors(make: object, error: type[Exception], message: str) -> None:
    assert callable(make)
    with pytest.raises(error, match=message) as caught:
        make()
    assert isinstance(caught.value, ValueError)
    assert "\n" not in str(caught.value)


# --- what has gone wrong once ------------------------------------------------------------------------


def test_a_piece_that_cannot_step_back_is_refused() -> None:
    half = Piece("half", ((1, 0), (0, 1), (2, 1)))
    with pytest.raises(InvalidPuzzle, match="take back"):
        KnightTours(5, 5, wrap="torus", piece=half, closed=True)


@pytest.mark.parametrize("puzzle", [KnightTours(32, wrap="torus"), KnightTours(40, 60, wrap="cylinder")], ids=repr)
def test_large_glued_boards_are_solved_without_their_group(puzzle: KnightTours) -> None:
    assert_tour(puzzle, puzzle.solve())


def test_a_budget_over_several_starts_is_one_budget() -> None:
    puzzle = KnightTours(3, 8, holes="h1 h2 h3", end=(1, 3))
    for calls in (20_000, 20_001, 50_000):
        with pytest.raises(BudgetExceeded) as stopped:
            puzzle.search(strategy="fixed", budget=Budget(calls=calls))
        assert stopped.value.reached.calls == calls
        assert f"{calls:,} calls" in str(stopped.value)


def test_an_interrupted_search_survives_pickling() -> None:
    with pytest.raises(BudgetExceeded) as stopped:
        KnightTours(8, start="b8").search(strategy="fixed", budget=Budget(calls=1000))
    again = pickle.loads(pickle.dumps(stopped.value))  # noqa: S301 - our own
    assert (str(again), again.reached, again.cursor) == (
        str(stopped.value),
        stopped.value.reached,
        stopped.value.cursor,  # type: ignore[attr-defined]  # a SearchPaused
    )


def test_closed_tours_are_read_as_listing_reads_them() -> None:
    puzzle = KnightTours(5, 6, closed=True)
    assert puzzle.solve() in set(puzzle)
    puzzle = KnightTours(5, 6, closed=True, start="c3")
    assert puzzle.solve() in set(puzzle)


def test_directed_classes_are_all_as_large_as_the_group() -> None:
    for puzzle in (KnightTours(3, 4), KnightTours(4, 5), KnightTours(5, start="c3"), KnightTours(1)):
        every = {canonical_path(stabilizer(puzzle.board, puzzle.start), t.squares, directed=True) for t in puzzle}
        assert puzzle.count(up_to_symmetry=True) == len(every)


def test_a_hopeless_count_is_refused_before_it_starts() -> None:
    with pytest.raises(BoardTooLarge, match="states"):
        KnightTours(10).count()


def test_a_strategy_has_one_move_order() -> None:
    with pytest.raises(InvalidPuzzle, match="java-a"):
        KnightTours(6, start="a1").search(strategy="fixed:python", order="java-a")


def test_cancelling_between_starts_says_so() -> None:
    puzzle = KnightTours(3, 8, holes="h1 h2 h3", end=(1, 3))
    asked = iter([False] * 3)
    with pytest.raises(BudgetExceeded, match="cancelled") as stopped:
        puzzle.search(strategy="fixed", budget=Budget(cancelled=lambda: next(asked, True), interval=0))
    assert "limit" not in str(stopped.value)
