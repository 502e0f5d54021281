"""The five tutorials that this project grows from: each result exactly, through the library and through the command.

The files of `tests/data/golden` hold what the articles print. Searches of millions of calls run once, in the command.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import combinations, islice, permutations, product
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from backrank import (
    ORDERS,
    Board,
    Budget,
    BudgetExceeded,
    KnightTours,
    Progress,
    Queens,
    Tour,
    is_attacked,
    parse_placements,
    parse_tours,
    tour_faults,
)
from counts import counts, published

Run = Callable[..., CompletedProcess[str]]

GOLDEN = Path(__file__).parent / "data" / "golden"
PYTHON_CALLS = 3_242_065
JAVA_A_CALLS = 5_787_981
JAVA_B_CALLS = 251_825_408
PYTHON_FROM_1_2_CALLS = 621_436_593

# Each article's order, copied from the golden files by hand.
STEPS = {
    "python": [(-2, +1), (-1, +2), (+1, +2), (+2, +1), (+2, -1), (+1, -2), (-1, -2), (-2, -1)],
    "java-a": [(-1, -2), (-1, +2), (-2, -1), (-2, +1), (+1, -2), (+1, +2), (+2, -1), (+2, +1)],
    "java-b": [(-1, -2), (-2, -1), (-2, +1), (-1, +2), (+1, +2), (+2, +1), (+2, -1), (+1, -2)],
}


def golden_grid(name: str) -> list[list[int]]:
    lines = (GOLDEN / f"tour-fixed-order-{name}.txt").read_text(encoding="utf-8").splitlines()
    return [list(map(int, line.split())) for line in lines if line and not line.startswith("#")]


def golden_queens() -> list[tuple[int, ...]]:
    lines = (GOLDEN / "queens-8.txt").read_text(encoding="utf-8").splitlines()
    return [tuple(map(int, line.split())) for line in lines if line and not line.startswith("#")]


def grid_of(text: str) -> list[list[int]]:
    return [list(map(int, line.split())) for line in text.splitlines()]


def cost_of(done: CompletedProcess[str]) -> int:
    """The number of calls that the command tells on standard error."""
    match = re.search(r"([\d,]+) calls", done.stderr)
    assert match is not None, done.stderr
    return int(match[1].replace(",", ""))


def solved(run: Run, order: str, start: str = "0,0", strategy: str = "fixed") -> CompletedProcess[str]:
    done = run("solve", "tour", "8x8", "--start", start, "--strategy", strategy, "--order", order)
    assert done.returncode == 0, done.stderr
    return done


# --- fixed move orders -----------------------------------------------------------------------------


@pytest.mark.parametrize("order", STEPS)
def test_the_named_orders_are_those_of_the_articles(order: str) -> None:
    assert list(ORDERS[order]) == STEPS[order]
    text = (GOLDEN / f"tour-fixed-order-{order}.txt").read_text(encoding="utf-8")
    printed = re.findall(r"\(([+-]\d),([+-]\d)\)", text)
    assert [(int(down), int(right)) for down, right in printed] == STEPS[order]


@pytest.mark.parametrize("name", ["python", "java-a", "java-b", "python-from-1-2"])
def test_the_printed_boards_are_tours(name: str) -> None:
    text = (GOLDEN / f"tour-fixed-order-{name}.txt").read_text(encoding="utf-8")
    [claim] = parse_tours(text)
    assert claim.board == Board(8)
    assert claim.faults() == []


@pytest.mark.parametrize(("order", "calls"), [("python", PYTHON_CALLS), ("java-a", JAVA_A_CALLS)])
def test_fixed_order_by_the_command(backrank: Run, order: str, calls: int) -> None:
    done = solved(backrank, order)
    assert grid_of(done.stdout) == golden_grid(order)
    assert cost_of(done) == calls
    assert f"{calls:,} calls" in done.stderr


@pytest.mark.deep
@pytest.mark.timeout(3600)
@pytest.mark.parametrize(
    ("order", "start", "name", "calls"),
    [("java-b", "0,0", "java-b", JAVA_B_CALLS), ("python", "0,1", "python-from-1-2", PYTHON_FROM_1_2_CALLS)],
)
def test_the_long_ones(order: str, start: str, name: str, calls: int) -> None:
    result = KnightTours(8, start=start).search(strategy="fixed", order=order)
    assert result.tour is not None
    assert [list(row) for row in result.tour.grid] == golden_grid(name)
    assert (result.calls, result.backtracks) == (calls, calls - 64)


@pytest.mark.parametrize("order", STEPS)
def test_fixed_order_by_the_library_on_a_board_that_is_quick(order: str) -> None:
    """The same algorithm against the recursive one of the articles, board and calls."""
    board = Board(5)
    visited: dict[tuple[int, int], int] = {}
    calls = 0

    def visit(row: int, col: int) -> bool:
        nonlocal calls
        calls += 1
        visited[row, col] = calls
        if len(visited) == 25:
            return True
        for down, right in STEPS[order]:
            cell = (row + down, col + right)
            if 0 <= cell[0] < 5 and 0 <= cell[1] < 5 and cell not in visited and visit(*cell):
                return True
        del visited[row, col]
        return False

    assert visit(0, 0)
    result = KnightTours(5, start=(0, 0)).search(strategy="fixed", order=order)
    assert result.tour is not None
    assert result.tour.cells == tuple(sorted(visited, key=lambda cell: visited[cell]))
    assert (result.calls, result.backtracks) == (calls, calls - 25)
    assert result.tour in KnightTours(board, start="a5")


@pytest.mark.parametrize(
    ("limit", "reached"),
    [(["--call-limit", "100000"], "the limit of 100,000 calls"), (["--time-limit", "0.5s"], "the time limit of 0.5 s")],
)
def test_the_start_that_the_article_gave_up_honours_limits(backrank: Run, limit: list[str], reached: str) -> None:
    done = backrank("solve", "tour", "8x8", "--start", "0,1", "--strategy", "fixed", "--order", "python", *limit)
    assert (done.returncode, done.stdout) == (3, "")
    [line] = done.stderr.splitlines()
    assert line.startswith("backrank: ")
    assert "limit" in line
    assert reached in line


def test_the_start_that_the_article_gave_up_reports_progress() -> None:
    reports: list[Progress] = []
    budget = Budget(calls=1_000_000, progress=reports.append, interval=0)
    with pytest.raises(BudgetExceeded) as caught:
        KnightTours(8, start="0,1").solve(strategy="fixed", order="python", budget=budget)
    assert caught.value.reached.calls == 1_000_000
    calls = [report.calls for report in reports]
    assert len(calls) >= 2
    assert calls == sorted(calls)
    assert all(0 < report.depth <= report.total == 64 for report in reports)
    assert {report.found for report in reports} == {0}


@pytest.mark.parametrize(("strategy", "calls"), [("degree", 1_952), ("warnsdorff", 64)])
def test_the_cure_answers_at_once_with_its_own_count(backrank: Run, strategy: str, calls: int) -> None:
    result = KnightTours(8, start=(0, 0)).search(strategy=strategy, order="java-b")
    assert result.tour is not None
    assert result.tour.faults() == []
    assert (result.calls, result.backtracks) == (calls, calls - 64)
    assert result.calls < JAVA_B_CALLS // 100_000
    done = solved(backrank, "java-b", strategy=strategy)
    assert grid_of(done.stdout) == [list(row) for row in result.tour.grid]
    assert cost_of(done) == calls


# --- all tours of a board with a given start -------------------------------------------------------


@pytest.mark.parametrize(
    "size_text",
    [row.size_text for row in counts("tours.open.directed.from") if row.size.rows * row.size.cols <= 25],
)
def test_all_tours_from_a_given_start_listed_and_counted(size_text: str) -> None:
    size = next(row.size for row in counts("tours.open.directed.from") if row.size_text == size_text)
    puzzle = KnightTours(size.rows, size.cols, start=size.start)
    tours = list(puzzle)
    assert len(tours) == len(set(tours)) == puzzle.count() == published("tours.open.directed.from", size_text)
    for tour in tours:
        assert tour_faults(puzzle.board, tour.cells, start=puzzle.start) == []


@pytest.mark.parametrize(("board", "start", "number"), [("5x4", "0,0", 32), ("3x4", "1,0", 4), ("5x5", "0,2", 56)])
def test_all_tours_by_the_command(backrank: Run, board: str, start: str, number: int) -> None:
    done = backrank("list", "tours", board, "--start", start, "--format", "grid")
    assert done.returncode == 0
    claims = parse_tours(done.stdout)
    assert len(claims) == number
    assert len(set(map(str, (claim.grid for claim in claims)))) == number
    assert not any(claim.faults() for claim in claims)
    assert f"all {number} " in done.stderr
    assert backrank("count", "tours", board, "--start", start, "--quiet").stdout == f"{number}\n"


def test_numbers_keep_their_columns_on_ten_or_more(backrank: Run) -> None:
    """The article's numbering glues digits together from ten columns on: 1 12 became 112."""
    done = backrank("list", "tours", "3x10", "--start", "a3", "--format", "grid")
    puzzle = KnightTours(3, 10, start="a3")
    assert done.returncode == 0
    blocks = done.stdout.rstrip("\n").split("\n\n")
    assert len(blocks) == puzzle.count() > 100
    cell = re.compile(r"[ \d]\d")
    for block, tour in zip(blocks, puzzle, strict=True):
        lines = block.split("\n")
        assert [len(line) for line in lines] == [29, 29, 29]
        assert all(cell.fullmatch(line[at : at + 2]) for line in lines for at in range(0, 29, 3))
        assert all(line[at] == " " for line in lines for at in range(2, 29, 3))
        assert grid_of(block) == [list(row) for row in tour.grid]
    assert f"all {len(blocks)} " in done.stderr.replace(",", "")


def test_numbers_keep_their_columns_on_thirty() -> None:
    tour = KnightTours(5, 30).solve()
    assert isinstance(tour, Tour)
    assert {len(line) for line in str(tour).splitlines()} == {30 * 4 - 1}
    assert sorted(number for row in grid_of(str(tour)) for number in row) == list(range(1, 151))


# --- eight queens ----------------------------------------------------------------------------------


def test_ninety_two_placements_in_the_order_of_the_article(backrank: Run) -> None:
    wanted = golden_queens()
    assert len(wanted) == 92
    assert [placement.columns for placement in Queens(8)] == wanted
    done = backrank("list", "queens", "8")
    assert done.returncode == 0
    assert done.stdout == (GOLDEN / "queens-8.txt").read_text(encoding="utf-8")
    claims = parse_placements(done.stdout)
    assert [tuple(col for _, col in claim.cells) for claim in claims] == wanted
    assert not any(claim.faults() for claim in claims)
    assert "all 92 placements" in done.stderr


def test_placements_come_lazily() -> None:
    first = next(iter(Queens(20)))
    assert first.columns[:6] == (0, 2, 4, 1, 3, 12)  # 39,029,188,884 of them: only the first is looked for
    assert first in Queens(20)
    assert len(list(islice(Queens(27), 2))) == 2


def test_four_queens(backrank: Run) -> None:
    assert [placement.columns for placement in Queens(4)] == [(1, 3, 0, 2), (2, 0, 3, 1)]
    assert backrank("list", "queens", "4").stdout == "1 3 0 2\n2 0 3 1\n"


@pytest.mark.parametrize("n", range(1, 6))
def test_is_attacked_against_brute_force(n: int) -> None:
    for rows in range(n):
        for columns in product(range(n), repeat=rows):
            for column in range(n):
                queens = [*enumerate(columns), (rows, column)]
                last = queens[-1]
                attacked = any(last[1] == col or last[0] - row == abs(last[1] - col) for row, col in queens[:-1])
                assert is_attacked(columns, column) == attacked


def test_is_attacked_finds_the_ninety_two() -> None:
    found = [
        columns
        for columns in permutations(range(8))
        if not any(abs(columns[i] - columns[j]) == j - i for i, j in combinations(range(8), 2))
    ]
    assert found == golden_queens()
    grown: list[tuple[int, ...]] = [()]
    for _ in range(8):
        grown = [(*columns, column) for columns in grown for column in range(8) if not is_attacked(columns, column)]
    assert grown == found
