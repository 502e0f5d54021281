"""Completing placements: the compiled search, the plain one, and brute force agree; errors, limits, hard cases."""

from __future__ import annotations

import subprocess
import sys
from itertools import combinations, pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import types

from backrank.errors import BoardTooLarge, BudgetExceeded, InvalidPuzzle, InvalidSquare
from backrank.geometry.board import Board
from backrank.geometry.pieces import queen_lines
from backrank.geometry.verify import queens_faults
from backrank.queens.backtracking.reference import iter_placements
from backrank.queens.solve import completion as module
from backrank.queens.solve import completion_jit as queens_complete
from backrank.queens.solve import line_search as linesearch
from backrank.queens.solve import lines_jit as queens_lines
from backrank.queens.solve.completion import complete, count_completions, iter_plainly
from backrank.runtime.budget import Budget, Counters
from backrank.runtime.progress import Progress
from backrank.runtime.rng import Dice
from counts import published
from strategies import boards

FREE = Budget()


def listed(board: Board, queens: int) -> list[frozenset[int]]:
    """All placements, by the textbook's search."""
    return [frozenset(p) for p in iter_placements(board, queens, meter=FREE.start(), counters=Counters())]


@st.composite
def problems(draw: st.DrawFn) -> tuple[Board, tuple[int, ...], int]:
    """A small board, some queens that may stand together, and how many there are to be."""
    board = draw(boards(max_side=5))
    placed: list[int] = []
    for square in draw(st.lists(st.sampled_from(list(board)), max_size=3, unique=True)):
        cells = [board.cell(each) for each in (*placed, square)]
        if not queens_faults(board, cells, queens=len(cells)):
            placed.append(square)
    return board, tuple(placed), draw(st.integers(len(placed), max(board.rows, board.cols)))


@given(problems())
@settings(max_examples=200)
def test_all_ways_agree_with_brute_force(problem: tuple[Board, tuple[int, ...], int]) -> None:
    board, placed, queens = problem
    expected = {placement for placement in listed(board, queens) if placement.issuperset(placed)}
    plain = [frozenset(squares) for squares in iter_plainly(board, placed, queens, meter=FREE.start())]
    assert len(plain) == len(set(plain))
    assert set(plain) == expected
    assert linesearch.count(board, placed, queens, meter=FREE.start()) == len(expected)
    found = linesearch.search(board, placed, queens, seed=3, meter=FREE.start())
    assert (found is None) == (not expected)
    assert found is None or frozenset(found) in expected
    assert count_completions(board, placed, queens) == len(expected)
    answer = complete(board, placed, queens)
    assert (answer is None) == (not expected)
    assert answer is None or frozenset(answer.squares) in expected


@pytest.mark.parametrize("side", range(1, 12))
def test_counts_of_empty_boards_are_the_published_ones(side: int) -> None:
    assert linesearch.count(Board(side), (), side, meter=FREE.start()) == published("queens.all", str(side))


@pytest.mark.parametrize("queens", range(9))
def test_counts_of_fewer_queens_are_the_published_ones(queens: int) -> None:
    count = linesearch.count(Board(8), (), queens, meter=FREE.start())
    assert count == published("queens.place-k", f"8,{queens}")


@pytest.mark.parametrize("side", [5, 7, 11])
def test_counts_of_the_torus_are_the_published_ones(side: int) -> None:
    count = linesearch.count(Board(side, wrap="torus"), (), side, meter=FREE.start())
    assert count == published("queens.toroidal", str(side))


@pytest.mark.parametrize("size", ["4x9", "6x10", "8x10"])
def test_counts_of_rectangles_are_the_published_ones(size: str) -> None:
    board = Board.parse(size)
    assert linesearch.count(board, (), board.rows, meter=FREE.start()) == published("queens.rectangle", size)


def test_the_puzzle_of_1850_has_two_answers() -> None:
    assert count_completions(Board(8), ["b4", "d5"]) == 2
    answer = complete(Board(8), ["b4", "d5"])
    assert answer is not None
    assert not answer.faults()
    assert {"b4", "d5"} <= set(answer.names)


@pytest.mark.parametrize("side", [8, 10])
def test_every_placement_has_one_queen_in_each_row_and_column(side: int) -> None:
    board = Board(side)
    for squares in ([(3, col) for col in range(side)], [(row, 1) for row in range(side)]):
        assert sum(count_completions(board, [square]) for square in squares) == published("queens.all", str(side))


def excluded_diagonals(side: int, spoilt: int, seed: int) -> Board:
    """A board on which some diagonals of both kinds are blocked."""
    dice = np.random.default_rng(seed)
    row, col = np.divmod(np.arange(side * side), side)
    blocked = np.zeros(2 * (2 * side - 1), bool)
    blocked[dice.choice(blocked.size, spoilt, replace=False)] = True
    holes = blocked[row - col + side - 1] | blocked[2 * side - 1 + row + col]
    return Board(side, holes=np.flatnonzero(holes).tolist())


@pytest.mark.parametrize(("side", "spoilt"), [(20, 8), (30, 16), (50, 30), (100, 60)])
def test_large_boards_with_spoilt_diagonals_are_completed(side: int, spoilt: int) -> None:
    for seed in range(3):
        board = excluded_diagonals(side, spoilt, seed)
        answer = complete(board)
        assert answer is not None
        assert not queens_faults(board, answer.cells)


@pytest.mark.parametrize("spoilt", [8, 10, 12, 14, 16])
def test_proofs_that_there_is_none_are_confirmed_by_counting(spoilt: int) -> None:
    answers = []
    for seed in range(6):
        board = excluded_diagonals(13, spoilt, seed)
        answer = complete(board)
        answers.append(answer)
        count = count_completions(board)
        assert (answer is None) == (count == 0)
        assert answer is None or not queens_faults(board, answer.cells)


def test_queens_that_stand_already_stay_on_a_large_board() -> None:
    placed = ["a1", "c2", "e3", "g4", "aa50"]
    for seed in (1, 2):
        answer = complete(Board(150), placed, seed=seed)
        assert answer is not None
        assert not answer.faults()
        assert set(placed) <= set(answer.names)
    assert complete(Board(150), placed, seed=1) != complete(Board(150), placed, seed=2)
    assert complete(Board(150), placed, seed=1) == complete(Board(150), placed, seed=1)


def test_nothing_to_do_and_nothing_to_be_done() -> None:
    for board in (Board(4), Board(12)):
        assert complete(board, ["b1"], 1) is not None
        assert count_completions(board, ["b1"], 1) == count_completions(board, (), 0) == 1
        assert complete(board, (), board.rows + 1) is None
        assert count_completions(board, (), board.rows + 1) == 0
    assert complete(Board(12, holes=range(12))) is None
    assert complete(Board(12, holes=range(0, 144, 12))) is None


@pytest.mark.parametrize(
    ("placed", "queens", "error", "message"),
    [
        (["a1", "c3"], None, InvalidPuzzle, "a1 and c3 attack each other (same diagonal); take one"),
        (["a3", "c1"], None, InvalidPuzzle, "a3 and c1 attack each other (same diagonal); take one"),
        (["a1", "b3", "a8"], None, InvalidPuzzle, "a1 and a8 attack each other (same column)"),
        ("b3 h3", None, InvalidPuzzle, "b3 and h3 attack each other (same row)"),
        (["b3", (5, 1)], None, InvalidPuzzle, "a queen is placed on b3 twice"),
        (["i9"], None, InvalidSquare, "i9 is not on the 8x8 board"),
        ([64], None, InvalidSquare, "square 64 is not on the 8x8 board"),
        (["h8"], None, InvalidSquare, "h8 is a hole"),
        (["a1", "b3"], 1, InvalidPuzzle, "2 queens are placed, but only 1 wanted"),
        ([], -1, InvalidPuzzle, "at least 0, not -1"),
        ([], True, InvalidPuzzle, "at least 0, not True"),
        ([], 2.5, InvalidPuzzle, "must be a whole number, not 2.5"),
    ],
)
def test_bad_input_is_one_line(placed: Any, queens: Any, error: type[Exception], message: str) -> None:
    for work in (complete, count_completions):
        with pytest.raises(error) as caught:
            work(Board(8, holes=["h8"]), placed, queens)
        assert message in str(caught.value)
        assert "\n" not in str(caught.value)


def test_queens_on_a_torus_attack_round_the_edge() -> None:
    with pytest.raises(InvalidPuzzle, match=r"a1 and b5 attack each other \(same diagonal\)"):
        complete(Board(5, wrap="torus"), ["a1", "b5"])
    assert complete(Board(5), ["a1", "b5"], 2) is not None


def test_boards_beyond_reason_are_refused() -> None:
    with pytest.raises(BoardTooLarge, match="completing takes at most"):
        complete(Board(3000))


HARD = excluded_diagonals(60, 52, 1)


@pytest.mark.parametrize("board", [Board(8), HARD])
def test_the_limit_of_calls_is_exact(board: Board) -> None:
    for calls in (1, 2, 50):
        with pytest.raises(BudgetExceeded, match="limit of") as caught:
            count_completions(board, budget=Budget(calls=calls))
        assert caught.value.reached.calls == calls


def test_time_limits_and_cancellation_stop_a_search_that_would_never_end() -> None:
    for work in (complete, count_completions):
        with pytest.raises(BudgetExceeded, match="time limit"):
            work(HARD, budget=Budget(seconds=0.05))
    asked = iter([False, False, True])
    with pytest.raises(BudgetExceeded, match="cancelled"):
        complete(HARD, budget=Budget(cancelled=lambda: next(asked), interval=0))


def test_progress_only_grows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(linesearch, "STRIDE", 10_000)
    seen: list[Progress] = []
    assert count_completions(Board(10), budget=Budget(progress=seen.append, interval=0)) == 724
    assert len(seen) > 5
    assert all(one.calls < two.calls and one.found <= two.found for one, two in pairwise(seen))
    assert {each.total for each in seen} == {10}


def test_slices_and_patience_do_not_change_what_is_true(monkeypatch: pytest.MonkeyPatch) -> None:
    boards = [excluded_diagonals(12, 11, seed) for seed in range(8)]
    solvable = [complete(board) is not None for board in boards]
    assert len(set(solvable)) == 2
    whole = [complete(board) for board in boards]
    monkeypatch.setattr(linesearch, "STRIDE", 1)
    assert [complete(board) for board in boards] == whole
    assert count_completions(Board(9)) == 352
    monkeypatch.setattr(linesearch, "PATIENCE", 5)
    assert [complete(board) is not None for board in boards] == solvable


def test_too_few_diagonals_are_seen_at_once() -> None:
    for seed in range(3):
        meter = FREE.start()
        assert linesearch.search(excluded_diagonals(100, 135, seed), (), 100, seed=1, meter=meter) is None
        assert meter.calls == 0


def test_what_diagonals_add_up_to_does_not_change_the_count(monkeypatch: pytest.MonkeyPatch) -> None:
    boards = [excluded_diagonals(11, spoilt, seed) for spoilt in (4, 8, 11) for seed in range(5)]
    counts = [count_completions(board) for board in boards]
    assert sum(map(bool, counts)) > 5
    monkeypatch.setattr(linesearch, "MAX_BALANCED", 0)
    assert [count_completions(board) for board in boards] == counts


@given(st.lists(st.booleans(), min_size=1, max_size=9), st.data())
def test_the_least_spread_is_that_of_brute_force(is_open: list[bool], data: st.DataObject) -> None:
    lines = [line for line, good in enumerate(is_open) if good]
    left = data.draw(st.integers(1, max(1, len(lines))))
    total = data.draw(st.integers(0, 9 * left))
    if lines:
        least = min(sum((left * line - total) ** 2 for line in chosen) for chosen in combinations(lines, left))
        spread, far = queens_lines.least_spread(np.array(is_open, np.int32), left, total)
        assert int(spread) == least
        assert int(far) == sorted((left * line - total) ** 2 for line in lines)[left - 1]


@pytest.mark.parametrize("most", [0, 91, 92, 10_000])
def test_listing_all_placements(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(linesearch, "FIRST_ROOM", 7)
    table = linesearch.listed(Board(8), 8, most=most, meter=FREE.start())
    if most < 92:
        assert table is None
    else:
        expected = iter_placements(Board(8), 8, meter=FREE.start(), counters=Counters())
        assert table is not None
        assert table.tolist() == [list(squares) for squares in expected]


@given(boards())
def test_lines_are_those_along_which_queens_attack(board: Board) -> None:
    lines = linesearch.make_lines(board)
    cells = [board.cell(square) for square in range(board.size)]
    for one, two in combinations(range(board.size), 2):
        shared = [a == b for a, b in zip(queen_lines(board, cells[one]), queen_lines(board, cells[two]), strict=True)]
        assert (lines.of[one] == lines.of[two]).tolist() == shared
    for line in range(lines.start.size - 1):
        on_line = lines.squares[lines.start[line] : lines.start[line + 1]].tolist()
        kind = int(np.searchsorted(lines.first, line, side="right")) - 1
        assert on_line == [square for square in range(board.size) if lines.of[square, kind] == line]
    assert sorted(lines.squares.tolist()) == sorted(4 * list(range(board.size)))


def test_kernels_return_what_they_say() -> None:
    count_completions(Board(9))
    complete(Board(9), ["a1"])
    linesearch.listed(Board(4), 4, most=2, meter=FREE.start())
    assert int(queens_complete._below(np.zeros(1, np.uint64), 10)) == (Dice(0).draw() >> 32) * 10 >> 32
    for kernel, wanted in (
        (queens_complete.run_completion, {types.int64}),
        (queens_complete.list_completions, {types.int64}),
        (queens_complete._below, {types.int64}),
    ):
        tool: Any = kernel
        assert tool.signatures, kernel
        assert {tool.overloads[each].signature.return_type for each in tool.signatures} <= wanted, kernel


_PLAIN_RUN = """
from backrank.geometry.board import Board
from backrank.runtime.budget import Budget
from backrank.queens.solve import line_search as linesearch
for board, queens in ((Board(6), 6), (Board(5, wrap="torus"), 5), (Board(4, 6, holes=[3]), 3), (Board(6, 4), 4)):
    print(linesearch.count(board, (), queens, meter=Budget().start()))
    print(linesearch.search(board, (), queens, seed=5, meter=Budget().start()))
"""


def test_compiled_and_interpreted_kernels_agree() -> None:
    """Interpreted, an index beyond an array is an error, and so is a type that only a compiler would let pass."""
    runs = [
        subprocess.run(
            [sys.executable, "-W", "ignore::RuntimeWarning", "-c", _PLAIN_RUN],
            env={"NUMBA_DISABLE_JIT": disabled, "PATH": "/usr/bin:/bin"},
            capture_output=True,
            text=True,
            check=True,
            timeout=200,
        ).stdout
        for disabled in ("0", "1")
    ]
    assert runs[0] == runs[1]
    assert runs[0].split("\n")[0] == "4"


def test_small_boards_load_neither_numpy_nor_numba() -> None:
    code = (
        "import sys; from backrank.geometry.board import Board;"
        "from backrank.queens.solve.completion import complete, count_completions;"
        "complete(Board(8), ['b4']); count_completions(Board(6));"
        "sys.exit(bool({'numpy', 'numba'} & sys.modules.keys()))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
    assert module.PLAIN_SQUARES == 64
