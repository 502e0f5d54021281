"""`Queens`: every verb, against the textbook search and against brute force."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import FrozenInstanceError
from itertools import combinations, islice, pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backrank import (
    Board,
    BoardTooLarge,
    Budget,
    BudgetExceeded,
    InvalidBoard,
    InvalidPuzzle,
    InvalidSquare,
    Placement,
    Progress,
    Queens,
    UnknownName,
    queens_faults,
)
from backrank.geometry.symmetry import permutations
from backrank.queens.backtracking import bits
from backrank.queens.backtracking.reference import iter_placements
from backrank.queens.rules import allowed_masks
from backrank.queens.solve import formula as construct
from backrank.queens.solve import most_constrained as fewest
from backrank.runtime import memory
from backrank.runtime.budget import Counters
from strategies import boards, brute_force_queens, shares_diagonal

SOLVABLE_TORUS = [n for n in range(1, 26) if n % 2 and n % 3]


def reference(puzzle: Queens) -> list[tuple[int, ...]]:
    """All placements by the textbook's search, which knows no theorem."""
    meter = Budget().start()
    return [tuple(p) for p in iter_placements(puzzle.board, puzzle.queens, meter=meter, counters=Counters())]


def brute_force(board: Board, queens: int) -> list[tuple[int, ...]]:
    """All sets of squares of which no two share a line, by trying every set."""

    def attack(first: int, second: int) -> bool:
        a, b = board.cell(first), board.cell(second)
        return a[0] == b[0] or a[1] == b[1] or shares_diagonal(board, a, b, 1) or shares_diagonal(board, a, b, -1)

    enemies = {pair for pair in combinations(board, 2) if attack(*pair)}
    return [squares for squares in combinations(board, queens) if not enemies.intersection(combinations(squares, 2))]


def assert_placed(puzzle: Queens, placement: Placement | None) -> None:
    assert placement is not None
    assert queens_faults(puzzle.board, placement.cells, queens=puzzle.queens) == []
    assert placement.squares == tuple(sorted(placement.squares))
    assert placement in puzzle
    assert placement.faults() == []


# --- solving ---------------------------------------------------------------------------------------


def test_the_formula_from_1_to_500() -> None:
    for n in range(1, 501):
        columns = construct.columns(n, n)
        if n in (2, 3):
            assert columns is None
            continue
        assert columns is not None
        assert sorted(columns) == list(range(n))
        assert len({row + col for row, col in enumerate(columns)}) == n
        assert len({row - col for row, col in enumerate(columns)}) == n


@pytest.mark.parametrize("rows", range(1, 13))
def test_the_formula_on_rectangles(rows: int) -> None:
    for cols in range(rows, 31):
        puzzle = Queens(rows, cols)
        columns = construct.columns(rows, cols)
        assert (columns is None) == ((rows, cols) in {(2, 2), (3, 3)})
        if columns is not None:
            cells = list(enumerate(columns))
            assert queens_faults(puzzle.board, cells, queens=rows) == []


@pytest.mark.parametrize("n", [1, 4, 5, 8, 20, 100, 1000])
def test_solve_squares_at_once(n: int) -> None:
    puzzle = Queens(n)
    result = puzzle.search()
    assert_placed(puzzle, result.placement)
    assert (result.strategy, result.calls) == ("formula", 0)
    assert len(result.placement or ()) == n


def test_a_thousand_queens_need_no_recursion_and_no_formula() -> None:
    puzzle = Queens(1000)
    columns = fewest.columns(puzzle.board, meter=Budget(calls=20_000).start())
    assert columns is not None
    assert queens_faults(puzzle.board, list(enumerate(columns)), queens=1000) == []
    # The textbook's search gets as deep as it can: it must not run out of stack on the way.
    with pytest.raises(BudgetExceeded):
        puzzle.search(strategy="rows", budget=Budget(calls=1_200))
    assert allowed_masks(puzzle.board)[999].bit_length() == 1000


def test_one_per_row_is_listed_at_any_size() -> None:
    """Deep searches by bit masks neither recurse nor lose bits beyond the 64th."""
    board = Board(70, 70, holes=[(row, col) for row in range(70) for col in range(70) if col not in _wide(row)])
    placed = next(iter(Queens(board)))
    assert_placed(Queens(board), placed)


def _wide(row: int) -> tuple[int, int]:
    columns = construct.columns(70, 70)
    assert columns is not None
    return columns[row], (columns[row] + 35) % 70


@pytest.mark.parametrize("rows", range(1, 9))
def test_solve_rectangles_of_either_shape(rows: int) -> None:
    for cols in range(1, 13):
        puzzle = Queens(rows, cols)
        result = puzzle.search()
        if (rows, cols) in {(2, 2), (3, 3)}:
            assert result.placement is None
            assert result.strategy == "theorem"
            assert not puzzle
        else:
            assert_placed(puzzle, result.placement)
            assert puzzle


@pytest.mark.parametrize(("rows", "cols"), [(30, 8), (12, 9), (100, 99), (200, 12), (40, 39)])
def test_tall_boards_are_as_quick_as_wide_ones(rows: int, cols: int) -> None:
    for puzzle in (Queens(rows, cols), Queens(cols, rows)):
        assert_placed(puzzle, puzzle.solve(budget=Budget(calls=10_000)))


@pytest.mark.parametrize("n", [20, 50, 100])
def test_one_forbidden_square_does_not_make_it_hard(n: int) -> None:
    for hole in ("a1", (0, 1), (n // 2, n // 2)):
        puzzle = Queens(n, holes=[hole])
        assert_placed(puzzle, puzzle.solve(budget=Budget(calls=20_000)))


@given(st.integers(4, 9), st.integers(0, 4), st.randoms(use_true_random=False), st.integers(0, 70))
def test_fewest_first_on_random_forbidden_squares(rows: int, wider: int, random: Random, percent: int) -> None:
    """What it finds is a placement, and it finds one wherever the textbook's search does."""
    squares = range(rows * (rows + wider))
    holes = [square for square in squares if random.randrange(100) < percent]
    if len(holes) == len(squares):
        return
    puzzle = Queens(rows, rows + wider, holes=holes)
    columns = fewest.columns(puzzle.board, meter=Budget().start())
    one = next(iter_placements(puzzle.board, rows, meter=Budget().start(), counters=Counters()), None)
    assert (columns is None) == (one is None)
    assert (puzzle.solve() is None) == (one is None)
    if columns is not None:
        assert queens_faults(puzzle.board, list(enumerate(columns)), queens=rows) == []
        assert_placed(puzzle, puzzle.solve(strategy="fewest-first"))


@given(boards(max_side=5), st.integers(0, 6))
def test_solve_decides_any_board(board: Board, queens: int) -> None:
    puzzle = Queens(board, queens=queens)
    everything = reference(puzzle)
    result = puzzle.search()
    assert (result.placement is None) == (not everything)
    assert len(result.reason) > 10
    if result.placement is None:
        assert (puzzle.existence().answer == "no") == (result.strategy == "theorem")
    else:
        assert_placed(puzzle, result.placement)
        assert puzzle.existence().answer != "no"
    assert puzzle.existence().answer != "yes" or everything


@pytest.mark.parametrize("strategy", ["rows", "fewest-first", "formula"])
def test_strategies(strategy: str) -> None:
    puzzle = Queens(8)
    result = puzzle.search(strategy=strategy)
    assert_placed(puzzle, result.placement)
    assert result.strategy == strategy
    if strategy == "rows":
        assert result.placement == next(iter(puzzle))
        assert (result.calls, result.backtracks) == (113, 105)  # what the textbooks say of eight queens
    assert puzzle.solve(strategy=strategy) == result.placement
    assert Queens(3).search(strategy=strategy).strategy == "theorem"


def test_the_first_in_rows_is_the_first_listed() -> None:
    for puzzle in (Queens(6), Queens(5, 7), Queens(7, 5), Queens(5, wrap="torus"), Queens(6, queens=3)):
        assert puzzle.solve(strategy="rows") == next(iter(puzzle))


# --- listing ---------------------------------------------------------------------------------------


@given(boards(max_side=4), st.integers(0, 5))
def test_iteration_is_brute_force_in_lexicographic_order(board: Board, queens: int) -> None:
    puzzle = Queens(board, queens=queens)
    listed = [placement.squares for placement in puzzle]
    assert listed == brute_force(board, queens)
    assert puzzle.count() == puzzle.count(method="reference") == len(listed)


@pytest.mark.parametrize(
    "board",
    [
        *(Board(n) for n in range(1, 8)),
        Board(4, 7),
        Board(5, 6, holes="a1 b2 c3 d4"),
        Board(6, holes="a1 f6 c3"),
        Board(5, wrap="cylinder"),
        Board(4, 7, wrap="cylinder"),
        Board(7, wrap="torus"),
        Board(5, 6, wrap="torus"),
    ],
)
def test_iteration_is_what_permutations_give(board: Board) -> None:
    listed = [placement.cells for placement in Queens(board)]
    assert listed == sorted(brute_force_queens(board))


@settings(max_examples=60)
@given(boards(max_side=6, wraps=("none",)))
def test_bits_list_what_the_reference_lists(board: Board) -> None:
    puzzle = Queens(board)
    listed = [placement.squares for placement in puzzle]
    assert listed == reference(puzzle)
    if puzzle.existence().answer != "no":
        assert puzzle.count(method="bits") == len(listed)
    if board.rows <= board.cols:
        columns = [tuple(found) for found in bits.iter_columns(board, meter=Budget().start())]
        assert columns == [tuple(square % board.cols for square in squares) for squares in listed]


def test_tall_boards_list_the_same_lying_down() -> None:
    tall, wide = Queens(7, 5), Queens(5, 7)
    turned = {tuple(sorted(col * 5 + row for row, col in placement.cells)) for placement in wide}
    listed = [placement.squares for placement in tall]
    assert set(listed) == turned
    assert listed == sorted(listed)
    assert len(listed) == len(turned) == tall.count() == wide.count()


def test_iteration_is_lazy_and_can_begin_again() -> None:
    puzzle = Queens(25)
    first = list(islice(puzzle, 3))
    assert list(islice(puzzle, 3)) == first
    assert all(a.squares < b.squares for a, b in pairwise(first))
    tall = Queens(30, 12)
    assert_placed(tall, next(iter(tall)))


# --- counting --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "puzzle",
    [
        *(Queens(n) for n in range(1, 9)),
        Queens(5, 7),
        Queens(7, 5),
        Queens(6, holes="a1 b2"),
        Queens(6, queens=3),
        Queens(5, wrap="torus"),
        Queens(5, wrap="cylinder"),
        Queens(4, 6, wrap="cylinder", queens=3),
    ],
    ids=repr,
)
def test_classes_are_orbits(puzzle: Queens) -> None:
    group = permutations(puzzle.board)
    left = {frozenset(placement.squares) for placement in puzzle}
    classes = 0
    while left:
        squares = next(iter(left))
        orbit = {frozenset(image[square] for square in squares) for image in group}
        assert orbit <= left
        left -= orbit
        classes += 1
    assert puzzle.count(up_to_symmetry=True) == classes


def test_counts_of_queens_that_do_not_fit_are_zero() -> None:
    for puzzle in (Queens(4, queens=5), Queens(1, 9, queens=2), Queens(2), Queens(3), Queens(6, wrap="torus")):
        assert puzzle.count() == puzzle.count(up_to_symmetry=True) == 0
        assert list(puzzle) == []
        assert reference(puzzle) == []
        assert puzzle.existence().answer == "no"


def test_no_queens_at_all() -> None:
    puzzle = Queens(5, queens=0)
    assert [placement.squares for placement in puzzle] == [()]
    assert puzzle.count() == puzzle.count(up_to_symmetry=True) == 1
    assert puzzle.solve() == Placement(Board(5), ())
    assert [] in puzzle
    assert [0] not in puzzle


# --- membership ------------------------------------------------------------------------------------


def test_in() -> None:
    eight = Queens(8)
    assert [0, 4, 7, 5, 2, 6, 1, 3] in eight
    assert (0, 4, 7, 5, 2, 6, 1, 3) in eight
    assert ["a8", "e7", "h6", "f5", "c4", "g3", "b2", "d1"] in eight
    assert [(0, 0), (1, 4), (2, 7), (3, 5), (4, 2), (5, 6), (6, 1), (7, 3)] in eight
    assert [0, 4, 7, 5, 2, 6, 3, 1] not in eight
    assert [0, 4, 7, 5, 2, 6, 1] not in eight
    assert [0, 4, 7, 5, 2, 6, 1, 8] not in eight
    assert [] not in eight
    assert ["a8", "z9"] not in eight
    assert "0 4 7 5 2 6 1 3" not in eight
    assert 5 not in eight
    assert None not in eight
    placement = eight.solve()
    assert placement in eight
    assert placement is not None
    assert placement.columns not in Queens(8, holes=[placement.squares[0]])
    assert placement not in Queens(9)
    assert placement not in Queens(8, queens=7)
    assert placement not in Queens(8, wrap="torus")


@given(boards(max_side=4), st.integers(0, 4), st.data())
def test_in_agrees_with_listing(board: Board, queens: int, data: st.DataObject) -> None:
    puzzle = Queens(board, queens=queens)
    squares = data.draw(st.lists(st.integers(0, board.size - 1), max_size=5, unique=True))
    cells = [board.cell(square) for square in squares]
    assert (cells in puzzle) == (tuple(sorted(squares)) in {placement.squares for placement in puzzle})


def test_placement_is_checked() -> None:
    puzzle = Queens(4)
    made = puzzle.placement(["c1", "b4", "d3", "a2"])
    assert made.columns == (1, 3, 0, 2)
    assert made == puzzle.placement([1, 3, 0, 2])
    with pytest.raises(InvalidPuzzle, match="same diagonal"):
        puzzle.placement([0, 1, 2, 3])
    with pytest.raises(InvalidPuzzle, match=r"wrong number of queens"):
        puzzle.placement([1, 3, 0])
    with pytest.raises(InvalidSquare, match="not on the 4x4 board"):
        puzzle.placement([1, 3, 0, 9])
    assert len(Queens(3).faults("a3 b2 c1")) == 1


# --- errors and limits -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: Queens(-1), InvalidBoard, "at least 1"),
        (lambda: Queens("8x"), InvalidBoard, "8x8"),
        (lambda: Queens(8, queens=-1), InvalidPuzzle, "at least 0"),
        (lambda: Queens(8, queens="two"), InvalidPuzzle, "whole number"),  # type: ignore[arg-type]
        (lambda: Queens(8, queens=True), InvalidPuzzle, "at least 0"),
        (lambda: Queens(8, holes="i9"), InvalidSquare, "i9"),
        (lambda: Queens(8, wrap="moebius"), UnknownName, "torus"),
        (lambda: Queens(8).solve(strategy="luck"), UnknownName, "fewest-first"),
        (lambda: Queens(8).count(method="luck"), UnknownName, "reference"),
        (lambda: Queens(8, holes="a1").solve(strategy="formula"), InvalidPuzzle, "formula"),
        (lambda: Queens(7, wrap="torus").solve(strategy="formula"), InvalidPuzzle, "formula"),
        (lambda: Queens(7, wrap="torus").count(method="bits"), InvalidPuzzle, "reference"),
        (lambda: Queens(7, queens=3).count(method="bits"), InvalidPuzzle, "reference"),
    ],
)
def test_errors(make: object, error: type[Exception], message: str) -> None:
    assert callable(make)
    with pytest.raises(error, match=message) as caught:
        make()
    assert isinstance(caught.value, ValueError)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "work",
    [
        lambda budget: Queens(20).count(budget=budget),
        lambda budget: Queens(20).count(up_to_symmetry=True, budget=budget),
        lambda budget: Queens(20).count(method="reference", budget=budget),
        lambda budget: Queens(17, wrap="torus").count(budget=budget),
        lambda budget: sum(1 for _ in Queens(20).iter_placements(budget=budget)),
        lambda budget: sum(1 for _ in Queens(20, 12).iter_placements(budget=budget)),
        lambda budget: Queens(40).solve(strategy="rows", budget=budget),
    ],
)
def test_limits(work: object) -> None:
    assert callable(work)
    with pytest.raises(BudgetExceeded) as caught:
        work(Budget(calls=3_000))
    assert 3_000 <= caught.value.reached.calls <= 3_100
    with pytest.raises(BudgetExceeded, match="time limit") as caught:
        work(Budget(seconds=0.05))
    assert caught.value.reached.seconds >= 0.05
    with pytest.raises(BudgetExceeded, match="cancelled"):
        work(Budget(cancelled=lambda: True, interval=0))


def test_the_limit_counts_what_was_found() -> None:
    puzzle = Queens(10)
    listed: list[Placement] = []

    def listing() -> Iterator[Placement]:
        yield from puzzle.iter_placements(budget=Budget(calls=5_000))

    with pytest.raises(BudgetExceeded) as caught:
        listed.extend(listing())
    assert caught.value.reached.found == len(list(_until_stopped(puzzle, 5_000))) > 0
    assert caught.value.reached.total == 10


def _until_stopped(puzzle: Queens, calls: int) -> Iterator[Placement]:
    try:
        yield from puzzle.iter_placements(budget=Budget(calls=calls))
    except BudgetExceeded:
        return


def test_fewest_first_honours_a_limit() -> None:
    # Two rows with one square each, in one column: impossible, and noticed at once.
    holes = [(row, col) for row in (3, 7) for col in range(1, 12)]
    assert Queens(12, holes=holes).search().calls < 100
    with pytest.raises(BudgetExceeded) as caught:
        Queens(200).solve(strategy="fewest-first", budget=Budget(calls=20))
    assert caught.value.reached.calls == 20


def test_fewest_first_honours_the_clock_on_large_boards() -> None:
    """A step there looks at a million squares: the clock must be read often enough all the same."""
    # Without that, the limit of seconds would be overrun a thousandfold and every test's own limit reached.
    try:
        Queens(1000).solve(strategy="fewest-first", budget=Budget(seconds=1))
    except BudgetExceeded as stopped:
        assert stopped.reached.seconds >= 1  # noqa: PT017 - finding one in time is as good


def test_progress_grows() -> None:
    reports: list[Progress] = []
    Queens(9).count(budget=Budget(progress=reports.append, interval=0))
    Queens(9).count(method="reference", budget=Budget(progress=reports.append, interval=0))
    assert len(reports) > 2
    assert all(report.total == 9 and 0 <= report.depth <= 9 for report in reports)


# --- values ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "puzzle",
    [
        Queens(8),
        Queens(4, 6),
        Queens(8, queens=5),
        Queens(8, holes=["a1", "h8"]),
        Queens(7, wrap="torus"),
        Queens(5, 9, queens=3, holes="a1", wrap="cylinder"),
    ],
    ids=repr,
)
def test_puzzles_are_values(puzzle: Queens) -> None:
    twin = eval(repr(puzzle), {"Queens": Queens, "Board": Board})  # noqa: S307 - our own repr
    assert twin == puzzle
    assert hash(twin) == hash(puzzle)
    assert {puzzle: 1}[twin] == 1
    for name in ("board", "queens", "extra"):
        with pytest.raises((FrozenInstanceError, AttributeError, TypeError)):
            setattr(puzzle, name, 1)
    assert Queens(8) == Queens("8x8") == Queens(Board(8)) == Queens(8, 8, queens=8)
    assert Queens(8) != Queens(8, queens=7)


def test_placements_are_values() -> None:
    placement = Queens(4).placement([1, 3, 0, 2])
    assert placement == Placement(Board(4), (1, 7, 8, 14))
    assert len({placement, Placement(Board(4), (1, 7, 8, 14))}) == 1
    assert len(placement) == 4
    assert list(placement) == [1, 7, 8, 14]
    assert placement.names == ("b4", "d3", "a2", "c1")
    assert "♛" in str(placement)
    assert repr(placement) == "<4 queens on 4x4: b4 d3 a2 c1>"
    with pytest.raises((FrozenInstanceError, AttributeError)):
        placement.squares = ()  # type: ignore[misc]  # that it cannot be set is the point
    with pytest.raises(InvalidPuzzle, match="one queen in every row"):
        _ = Queens(4, queens=2).placement(["a1", "c2"]).columns


# --- what has gone wrong once ------------------------------------------------------------------------


def test_restarts_prove_nothing_but_the_last_attempt_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """With no patience at all, everything is left to the last attempt: it must find, and prove."""
    monkeypatch.setattr(fewest, "ATTEMPTS", 0)
    board = Board(12, holes=[(row, col) for row in (3, 7) for col in range(1, 12)])
    assert fewest.columns(board, meter=Budget().start()) is None
    assert fewest.columns(Board(8, holes=["a1"]), meter=Budget().start()) is not None


def test_counting_by_column_sets_agrees_and_is_chosen_for_large_squares() -> None:
    for n in (4, 9, 12):
        assert Queens(n).count(method="columnsets") == Queens(n).count(method="bits")
    assert Queens(14).count() == 365_596
    for puzzle in (Queens(13, 14), Queens(13, holes="a1"), Queens(13, queens=12), Queens(13, wrap="torus"), Queens(26)):
        with pytest.raises(InvalidPuzzle, match="columnsets"):
            puzzle.count(method="columnsets")
    with pytest.raises(BudgetExceeded):
        Queens(14).count(budget=Budget(calls=1000))


def test_no_queens_at_all_are_placed_by_every_strategy() -> None:
    for strategy in ("auto", "rows", "fewest-first", "formula"):
        found = Queens(8, queens=0).solve(strategy=strategy)
        assert found is not None
        assert len(found) == 0


def test_the_cylinder_is_as_hard_as_the_torus() -> None:
    for n in (4, 6, 8, 9, 10):
        assert "divisible" in Queens(n, wrap="cylinder").existence().reason
        assert not list(iter_placements(Board(n, wrap="cylinder"), n, meter=Budget().start(), counters=Counters()))
    assert Queens(5, wrap="cylinder").count() == Queens(5, wrap="torus").count() == 10


def test_sides_beyond_memory_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "available_bytes", lambda: 10**9)
    with pytest.raises(BoardTooLarge, match="needs 8,000,000,000 bytes of memory"):
        Queens(10**9).solve()
    with pytest.raises(BoardTooLarge, match="1,000,000,000"):
        Queens(10**9 + 1).solve()
    with pytest.raises(BoardTooLarge, match="unless every row gets one"):
        Queens(10**7, queens=5 * 10**6).solve()
