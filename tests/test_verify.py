"""Faults of claimed tours and placements: all of them, and none where there are none."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import assume, event, given
from hypothesis import strategies as st

from backrank.errors import InvalidPuzzle
from backrank.geometry.board import Board, Cell
from backrank.geometry.pieces import BISHOP, KNIGHT, QUEEN, ROOK, Piece, leaper
from backrank.geometry.verify import Fault, FaultKind, Grid, grid_faults, is_closing, label, queens_faults, tour_faults
from strategies import (
    BrokenTour,
    Claim,
    Queens,
    boards,
    broken_placements,
    broken_tours,
    carved_tours,
    cells,
    cells_anywhere,
    claimed_placements,
    claimed_tours,
    is_leap,
    leaper_numbers,
    shares_diagonal,
    squares,
    valid_placements,
    valid_tours,
    wild_claims,
)

GOLDEN = Path(__file__).parent / "data" / "golden"
TOURS = sorted(GOLDEN.glob("tour-*.txt"))

Key = tuple[FaultKind, tuple[Cell, ...], tuple[int, ...]]


def keys(faults: Iterable[Fault]) -> Counter[Key]:
    """Faults without their words."""
    return Counter((fault.kind, fault.cells, fault.steps) for fault in faults)


def kinds(faults: Iterable[Fault]) -> list[FaultKind]:
    return [fault.kind for fault in faults]


def read_grid(path: Path) -> list[list[int]]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return [[int(word) for word in line.split()] for line in lines if not line.startswith("#")]


def path_of(grid: Grid) -> tuple[Cell, ...]:
    """The cells of a fault-free grid in the order of its numbers."""
    where = {number: (row, col) for row, line in enumerate(grid) for col, number in enumerate(line)}
    return tuple(where[number] for number in range(1, len(where) + 1))


def grid_of(claim: Claim, first: int = 1) -> list[list[int | None]]:
    grid: list[list[int | None]] = [[None] * claim.board.cols for _ in range(claim.board.rows)]
    for number, (row, col) in enumerate(claim.cells, first):
        grid[row][col] = number
    return grid


# --- published boards -------------------------------------------------------------------------------


def test_the_golden_tours_are_there() -> None:
    assert len(TOURS) == 4


@pytest.mark.parametrize("path", TOURS, ids=lambda path: path.stem)
def test_golden_tours_have_no_faults(path: Path) -> None:
    board, grid = Board(8), read_grid(path)
    assert grid_faults(board, grid) == []
    cells = path_of(grid)
    start, end = board.square(cells[0]), board.square(cells[-1])
    assert tour_faults(board, cells, start=start, end=end) == []
    assert tour_faults(board, cells[::-1], start=end, end=start) == []
    expected = [] if is_leap(board, cells[-1], cells[0]) else [FaultKind.NOT_CLOSED]
    assert kinds(tour_faults(board, cells, closed=True)) == kinds(grid_faults(board, grid, closed=True)) == expected


@pytest.mark.parametrize("path", TOURS, ids=lambda path: path.stem)
def test_golden_tours_are_no_tours_of_other_boards_or_pieces(path: Path) -> None:
    cells = path_of(read_grid(path))
    assert kinds(tour_faults(Board(8, 9), cells)) == [FaultKind.MISSING_SQUARES]
    assert FaultKind.OFF_BOARD in kinds(tour_faults(Board(8, 7), cells))
    assert Counter(kinds(tour_faults(Board(8), cells, piece=leaper(1, 3)))) == {FaultKind.NOT_A_MOVE: 63}


def golden_queens() -> list[tuple[Cell, ...]]:
    lines = (GOLDEN / "queens-8.txt").read_text(encoding="utf-8").splitlines()
    return [tuple((row, int(col)) for row, col in enumerate(line.split())) for line in lines]


def test_golden_placements_have_no_faults() -> None:
    placements = golden_queens()
    assert len(set(placements)) == 92
    assert [queens_faults(Board(8), cells) for cells in placements] == [[]] * 92


@given(st.sampled_from(golden_queens()), st.integers(0, 7), st.integers(0, 7))
def test_golden_placements_with_one_queen_moved_have_exactly_the_expected_lines(
    placed: tuple[Cell, ...], row: int, col: int
) -> None:
    changed = (*placed[:row], (row, col), *placed[row + 1 :])
    faults = queens_faults(Board(8), changed)
    assert keys(faults) == expected_queens_faults(Board(8), changed, 8)
    assert (faults == []) is (changed == placed), "each column but one is taken, so one queen cannot just move"


# --- tours: valid -----------------------------------------------------------------------------------


@given(valid_tours())
def test_valid_tours_have_no_faults(claim: Claim) -> None:
    board, cells, closed = claim
    start, end = board.square(cells[0]), board.square(cells[-1])
    assert tour_faults(board, cells, closed=closed) == []
    assert tour_faults(board, list(cells), closed=closed, start=start, end=end) == []
    assert tour_faults(board, cells[::-1], closed=closed, start=end, end=start) == []


@given(valid_tours(), st.integers(0, 1))
def test_valid_grids_have_no_faults(claim: Claim, first: int) -> None:
    board, cells, closed = claim
    start, end = board.square(cells[0]), board.square(cells[-1])
    assert grid_faults(board, grid_of(claim, first), closed=closed, first=first, start=start, end=end) == []


@given(carved_tours(), st.booleans())
def test_a_tour_closes_if_its_ends_are_a_move_apart(claim: Claim, whole: bool) -> None:
    board, cells, _ = claim if whole else Claim(claim.board, claim.cells[:2])
    faults = [fault for fault in tour_faults(board, cells, closed=True) if fault.kind is not FaultKind.MISSING_SQUARES]
    closes = len(cells) > 2 and is_leap(board, cells[-1], cells[0])
    assert keys(faults) == ({} if closes else {(FaultKind.NOT_CLOSED, (cells[-1], cells[0]), (len(cells), 1)): 1})
    assert is_closing(board, KNIGHT, cells[0], cells[-1]) is is_leap(board, cells[-1], cells[0])


def test_small_conventions() -> None:
    """One square is an open tour and no cycle; nor is there and back a cycle."""
    assert tour_faults(Board(1), [(0, 0)], start=0, end=0) == []
    assert kinds(tour_faults(Board(1), [(0, 0)], closed=True)) == [FaultKind.NOT_CLOSED]
    two = Board(2, 3, holes="b1 b2 a1 c2")
    assert tour_faults(two, [(0, 0), (1, 2)]) == []
    assert kinds(tour_faults(two, [(0, 0), (1, 2)], closed=True)) == [FaultKind.NOT_CLOSED]
    assert kinds(tour_faults(Board(3), [])) == [FaultKind.MISSING_SQUARES]
    assert kinds(tour_faults(Board(1), [], start=0, closed=True)) == [FaultKind.MISSING_SQUARES]


@pytest.mark.parametrize("piece", [QUEEN, ROOK, BISHOP], ids=str)
def test_riders_make_no_tours(piece: Piece) -> None:
    with pytest.raises(InvalidPuzzle, match=piece.name):
        tour_faults(Board(3), [], piece=piece)
    with pytest.raises(InvalidPuzzle, match=piece.name):
        grid_faults(Board(1), [[1]], piece=piece)


# --- tours: every fault, against a plain list of what may be wrong ----------------------------------


def inside_of(board: Board) -> set[Cell]:
    """All cells of the rectangle, holes included."""
    return set(itertools.product(range(board.rows), range(board.cols)))


def expected_standing_faults(board: Board, claimed: Sequence[Cell]) -> Counter[Key]:
    """What is wrong with standing on these cells, whatever stands there."""
    holes = {board.cell(hole) for hole in board.holes}
    found: Counter[Key] = Counter()
    for cell in set(claimed):
        numbers = tuple(number for number, other in enumerate(claimed, 1) if other == cell)
        if cell not in inside_of(board):
            found[FaultKind.OFF_BOARD, (cell,), numbers] += 1
        elif cell in holes:
            found[FaultKind.ON_HOLE, (cell,), numbers] += 1
        elif len(numbers) > 1:
            found[FaultKind.REPEATED_SQUARE, (cell,), numbers] += 1
    return found


def expected_tour_faults(
    claim: Claim, *, start: int | None = None, end: int | None = None, numbers: tuple[int, int] = (1, 2)
) -> Counter[Key]:
    """All faults of a claim, collected rule by rule rather than step by step."""
    board, path, closed = claim
    inside = inside_of(board)
    grid_only = Board(board.rows, board.cols, wrap=board.wrap)
    found = expected_standing_faults(board, path)
    for step, (source, target) in enumerate(pairwise(path), 1):
        if {source, target} <= inside and not is_leap(grid_only, source, target, *numbers):
            found[FaultKind.NOT_A_MOVE, (source, target), (step, step + 1)] += 1
    if missing := tuple(sorted(inside - {board.cell(hole) for hole in board.holes} - set(path))):
        found[FaultKind.MISSING_SQUARES, missing, ()] += 1
    if not path:
        return found
    if start is not None and path[0] != board.cell(start):
        found[FaultKind.WRONG_START, path[:1], (1,)] += 1
    if end is not None and path[-1] != board.cell(end):
        found[FaultKind.WRONG_END, path[-1:], (len(path),)] += 1
    # Two squares are there and back, not round; a cell off the board is no move from anywhere.
    if closed and not (len(path) > 2 and is_leap(grid_only, path[-1], path[0], *numbers)):
        found[FaultKind.NOT_CLOSED, (path[-1], path[0]), (len(path), 1)] += 1
    return found


@given(st.data(), claimed_tours())
def test_all_faults_of_a_tour_are_found(data: st.DataObject, claim: Claim) -> None:
    start = data.draw(st.one_of(st.none(), squares(claim.board)), label="start")
    end = data.draw(st.one_of(st.none(), squares(claim.board)), label="end")
    faults = tour_faults(claim.board, claim.cells, closed=claim.closed, start=start, end=end)
    event(f"{min(len(faults), 4)} faults")
    assert keys(faults) == expected_tour_faults(claim, start=start, end=end)


@given(wild_claims(), leaper_numbers(4))
def test_all_faults_of_a_leapers_tour_are_found(claim: Claim, numbers: tuple[int, int]) -> None:
    faults = tour_faults(claim.board, claim.cells, closed=claim.closed, piece=leaper(*numbers))
    assert keys(faults) == expected_tour_faults(claim, numbers=numbers)


@given(broken_tours())
def test_a_broken_tour_has_the_fault_that_was_made(broken: BrokenTour) -> None:
    claim, kind = broken
    event(kind)
    assert kind in kinds(tour_faults(claim.board, claim.cells, closed=claim.closed))


@given(st.data(), valid_tours())
def test_one_square_left_out_of_a_tour(data: st.DataObject, claim: Claim) -> None:
    board, path, _ = claim
    assume(len(path) > 2)
    at = data.draw(st.integers(1, len(path) - 2))
    without = path[:at] + path[at + 1 :]
    faults = tour_faults(board, without)
    missing = next(fault for fault in faults if fault.kind is FaultKind.MISSING_SQUARES)
    assert missing.cells == (path[at],)
    assert label(board, path[at]) in missing.message
    jumps = [fault for fault in faults if fault.kind is FaultKind.NOT_A_MOVE]
    grid_only = Board(board.rows, board.cols, wrap=board.wrap)
    assert len(faults) == 1 + len(jumps)
    assert bool(jumps) is not is_leap(grid_only, path[at - 1], path[at + 1])


@given(st.data(), valid_tours())
def test_wrong_ends(data: st.DataObject, claim: Claim) -> None:
    board, path, closed = claim
    assume(len(path) > 1)
    start = data.draw(squares(board).filter(lambda square: board.cell(square) != path[0]))
    end = data.draw(squares(board).filter(lambda square: board.cell(square) != path[-1]))
    faults = tour_faults(board, path, closed=closed, start=start, end=end)
    assert [(fault.kind, fault.cells, fault.steps) for fault in faults] == [
        (FaultKind.WRONG_START, path[:1], (1,)),
        (FaultKind.WRONG_END, path[-1:], (len(path),)),
    ]
    assert board.name(start) in faults[0].message
    assert board.name(end) in faults[1].message


def test_all_kinds_at_once() -> None:
    board = Board(3, 4, holes="a1")
    claim = [(0, 0), (1, 2), (1, 2), (2, 0), (5, 5), (0, 1)]
    faults = tour_faults(board, claim, closed=True, start=1, end=2)
    assert kinds(faults) == [
        FaultKind.REPEATED_SQUARE,
        FaultKind.NOT_A_MOVE,  # on the spot
        FaultKind.ON_HOLE,
        FaultKind.OFF_BOARD,
        FaultKind.MISSING_SQUARES,
        FaultKind.WRONG_START,
        FaultKind.WRONG_END,
        FaultKind.NOT_CLOSED,
    ]
    assert faults[0].steps == (2, 3)
    assert faults[4].cells == ((0, 2), (0, 3), (1, 0), (1, 1), (1, 3), (2, 1), (2, 2), (2, 3))


@given(claimed_tours())
def test_faults_of_a_tour_are_told_in_one_line_each(claim: Claim) -> None:
    faults = tour_faults(claim.board, claim.cells, closed=claim.closed)
    for fault in faults:
        assert "\n" not in str(fault)
        assert str(fault) == f"{fault.kind}: {fault.message}"
        assert fault.message.strip() == fault.message != ""
    told = [str(fault) for fault in faults]
    assert len(set(told)) == len(told)


@given(claimed_tours())
def test_faults_of_steps_come_in_the_order_of_the_steps(claim: Claim) -> None:
    faults = tour_faults(claim.board, claim.cells, closed=claim.closed)
    at_steps = [
        max(fault.steps) if fault.kind is FaultKind.NOT_A_MOVE else min(fault.steps)
        for fault in faults
        if fault.kind in {FaultKind.OFF_BOARD, FaultKind.ON_HOLE, FaultKind.REPEATED_SQUARE, FaultKind.NOT_A_MOVE}
    ]
    assert at_steps == sorted(at_steps)


def test_long_lists_are_cut_in_words_but_not_in_fields() -> None:
    (fault,) = tour_faults(Board(20), [])
    assert len(fault.cells) == 400
    assert len(str(fault)) < 200
    assert "400 of 400" in fault.message
    assert "388 more" in fault.message


# --- tours round glued edges ------------------------------------------------------------------------


def test_moves_round_the_edges_count_only_on_glued_boards() -> None:
    for wrap, expected in (("none", 2), ("cylinder", 1), ("torus", 0)):
        board = Board(5, wrap=wrap)
        claim = [(0, 4), (1, 1), (4, 2)]  # two to the right round the side, then two up over the top
        assert kinds(tour_faults(board, claim)).count(FaultKind.NOT_A_MOVE) == expected


@given(st.data(), boards(min_side=2, max_side=5, with_holes=False), leaper_numbers(4))
def test_single_steps_on_any_board(data: st.DataObject, board: Board, numbers: tuple[int, int]) -> None:
    source, target = data.draw(cells(board)), data.draw(cells(board))
    faults = kinds(tour_faults(board, [source, target], piece=leaper(*numbers)))
    assert (FaultKind.NOT_A_MOVE in faults) is not is_leap(board, source, target, *numbers)


@given(boards(max_side=4), st.data())
def test_cells_beyond_a_glued_edge_are_off_the_board(board: Board, data: st.DataObject) -> None:
    outside = data.draw(
        cells_anywhere(board).filter(lambda cell: not (0 <= cell[0] < board.rows and 0 <= cell[1] < board.cols))
    )
    faults = tour_faults(board, [outside, outside])
    assert kinds(faults) == [FaultKind.OFF_BOARD, FaultKind.MISSING_SQUARES]
    assert faults[0].steps == (1, 2)
    assert str(outside[0]) in faults[0].message
    assert str(outside[1]) in faults[0].message


# --- grids ------------------------------------------------------------------------------------------


@given(st.data(), valid_tours(), st.integers(0, 1))
def test_two_numbers_swapped(data: st.DataObject, claim: Claim, first: int) -> None:
    """A grid of all numbers, each once, has just the faults of the path that it prints."""
    path = list(claim.cells)
    one, other = (data.draw(st.integers(0, len(path) - 1)) for _ in range(2))
    path[one], path[other] = path[other], path[one]
    changed = Claim(claim.board, tuple(path), claim.closed)
    start = data.draw(st.one_of(st.none(), squares(claim.board)), label="start")
    end = data.draw(st.one_of(st.none(), squares(claim.board)), label="end")
    faults = grid_faults(claim.board, grid_of(changed, first), closed=claim.closed, start=start, end=end, first=first)
    assert keys(faults) == expected_tour_faults(changed, start=start, end=end)


@given(st.data(), valid_tours(), st.integers(0, 1))
def test_one_number_rubbed_out(data: st.DataObject, claim: Claim, first: int) -> None:
    board, path, closed = claim
    step = data.draw(st.integers(1, len(path)))
    grid = grid_of(claim, first)
    grid[path[step - 1][0]][path[step - 1][1]] = None
    start, end = board.square(path[0]), board.square(path[-1])
    faults = grid_faults(board, grid, closed=closed, first=first, start=start, end=end)
    assert keys(faults) == {(FaultKind.NUMBERS_SKIPPED, (), (step,)): 1}, "what is not printed cannot be wrong as well"


@given(st.data(), valid_tours(), st.integers(0, 1))
def test_one_number_replaced_by_one_out_of_range(data: st.DataObject, claim: Claim, first: int) -> None:
    board, path, closed = claim
    step = data.draw(st.integers(1, len(path)))
    grid = grid_of(claim, first)
    row, col = path[step - 1]
    grid[row][col] = wrong = data.draw(st.sampled_from([first - 1, -5, len(path) + first, 10**9, 10**30]))
    faults = grid_faults(board, grid, closed=closed, first=first)
    assert keys(faults) == {
        (FaultKind.NUMBER_OUT_OF_RANGE, ((row, col),), ()): 1,
        (FaultKind.NUMBERS_SKIPPED, (), (step,)): 1,
    }
    assert str(wrong) in faults[0].message


@given(st.data(), valid_tours(), st.integers(0, 1))
def test_one_number_replaced_by_another_of_the_grid(data: st.DataObject, claim: Claim, first: int) -> None:
    board, path, closed = claim
    assume(len(path) > 1)
    lost, twice = data.draw(st.lists(st.integers(1, len(path)), min_size=2, max_size=2, unique=True))
    grid = grid_of(claim, first)
    grid[path[lost - 1][0]][path[lost - 1][1]] = twice - 1 + first
    where = tuple(sorted([path[lost - 1], path[twice - 1]]))
    assert keys(grid_faults(board, grid, closed=closed, first=first)) == {
        (FaultKind.NUMBER_REPEATED, where, (twice,)): 1,
        (FaultKind.NUMBERS_SKIPPED, (), (lost,)): 1,
    }


@given(st.data(), carved_tours())
def test_a_number_on_a_hole(data: st.DataObject, claim: Claim) -> None:
    board, path, _ = claim
    assume(board.holes)
    step = data.draw(st.integers(1, len(path)))
    hole = board.cell(data.draw(st.sampled_from(sorted(board.holes))))
    moved = Claim(board, (*path[: step - 1], hole, *path[step:]))
    faults = grid_faults(board, grid_of(moved))
    on_hole = [fault for fault in faults if fault.kind is FaultKind.ON_HOLE]
    assert [fault.cells for fault in on_hole] == [(hole,)]
    assert label(board, hole) in on_hole[0].message
    expected = {key: times for key, times in expected_tour_faults(moved).items() if key[0] is FaultKind.NOT_A_MOVE}
    assert {key: times for key, times in keys(faults).items() if key[0] is FaultKind.NOT_A_MOVE} == expected


@given(valid_tours(), st.sampled_from(["row less", "row more", "short row", "long row", "nothing"]))
def test_grids_of_another_shape(claim: Claim, how: str) -> None:
    grid: list[list[int | None]] = grid_of(claim)
    if how == "row less":
        del grid[-1]
    elif how == "row more":
        grid.append([None] * claim.board.cols)
    elif how == "short row":
        del grid[0][-1]
    elif how == "long row":
        grid[-1].append(7)
    else:
        grid = []
    faults = grid_faults(claim.board, grid)
    assert kinds(faults) == [FaultKind.WRONG_SHAPE]


def test_all_wrong_rows_of_a_grid_are_told() -> None:
    faults = grid_faults(Board(3), [[1, 2], [3, 4, 5], [], [6, 7, 8, 9]])
    assert kinds(faults) == [FaultKind.WRONG_SHAPE] * 4


@given(st.data(), boards(max_side=4))
def test_any_numbers_in_a_grid(data: st.DataObject, board: Board) -> None:
    """Numbers written at random: what is printed, what is not, and where, is told completely."""
    number = st.one_of(st.none(), st.integers(-1, len(board) + 2))
    grid = [[data.draw(number) for _ in range(board.cols)] for _ in range(board.rows)]
    faults = grid_faults(board, grid)
    printed = {(row, col): n for row, line in enumerate(grid) for col, n in enumerate(line) if n is not None}
    in_range = Counter(n for n in printed.values() if 1 <= n <= len(board))
    found = defaultdict(list)
    for fault in faults:
        found[fault.kind].append(fault)
    on_holes = [cell for cell in printed if cell[0] * board.cols + cell[1] in board.holes]
    assert [fault.cells for fault in found[FaultKind.ON_HOLE]] == [(cell,) for cell in on_holes]
    off = [cell for cell, n in printed.items() if not 1 <= n <= len(board)]
    assert [fault.cells for fault in found[FaultKind.NUMBER_OUT_OF_RANGE]] == [(cell,) for cell in off]
    repeated = {n: tuple(cell for cell in printed if printed[cell] == n) for n, k in in_range.items() if k > 1}
    assert {fault.steps[0]: fault.cells for fault in found[FaultKind.NUMBER_REPEATED]} == repeated
    skipped = tuple(n for n in range(1, len(board) + 1) if n not in in_range)
    assert [fault.steps for fault in found[FaultKind.NUMBERS_SKIPPED]] == ([skipped] if skipped else [])
    alone = {n: cell for cell, n in printed.items() if in_range[n] == 1}
    grid_only = Board(board.rows, board.cols, wrap=board.wrap)
    jumps = [n for n in sorted(alone) if n + 1 in alone and not is_leap(grid_only, alone[n], alone[n + 1])]
    assert [fault.steps for fault in found[FaultKind.NOT_A_MOVE]] == [(n, n + 1) for n in jumps]


# --- queens -----------------------------------------------------------------------------------------


def expected_queens_faults(board: Board, placed: Sequence[Cell], wanted: int) -> Counter[Key]:
    """All faults of a placement: the lines by comparing the queens two by two."""
    found = expected_standing_faults(board, placed)
    if len(placed) != wanted:
        found[FaultKind.WRONG_COUNT, (), ()] += 1
    queens = sorted(set(placed) & inside_of(board))
    directions = (
        (FaultKind.SAME_ROW, lambda one, other: one[0] == other[0]),
        (FaultKind.SAME_COLUMN, lambda one, other: one[1] == other[1]),
        (FaultKind.SAME_DIAGONAL, lambda one, other: shares_diagonal(board, one, other, 1)),
        (FaultKind.SAME_DIAGONAL, lambda one, other: shares_diagonal(board, one, other, -1)),
    )
    for kind, attacks in directions:
        lines = {tuple(other for other in queens if other == one or attacks(one, other)) for one in queens}
        for line in lines:
            if len(line) > 1:
                found[kind, line, ()] += 1
    return found


@given(valid_placements())
def test_valid_placements_have_no_faults(queens: Queens) -> None:
    board, placed = queens
    assert queens_faults(board, placed) == []
    assert queens_faults(board, list(placed), queens=len(placed)) == []


@given(claimed_placements(), st.one_of(st.none(), st.integers(0, 8)))
def test_all_faults_of_a_placement_are_found(claim: Queens, wanted: int | None) -> None:
    board, placed = claim
    faults = queens_faults(board, placed, queens=wanted)
    event(f"{min(len(faults), 4)} faults")
    assert keys(faults) == expected_queens_faults(
        board, placed, min(board.rows, board.cols) if wanted is None else wanted
    )


@given(broken_placements())
def test_broken_placements_have_faults(queens: Queens) -> None:
    board, placed = queens
    faults = queens_faults(board, placed)
    assert FaultKind.SAME_ROW in kinds(faults)
    assert keys(faults) == expected_queens_faults(board, placed, len(placed))


@given(st.data(), valid_placements())
def test_a_queen_too_few_or_too_many(data: st.DataObject, queens: Queens) -> None:
    board, placed = queens
    at = data.draw(st.integers(0, len(placed) - 1))
    assert kinds(queens_faults(board, placed[:at] + placed[at + 1 :])) == [FaultKind.WRONG_COUNT]
    faults = queens_faults(board, (*placed, placed[at]))
    assert keys(faults) == {
        (FaultKind.REPEATED_SQUARE, (placed[at],), (at + 1, len(placed) + 1)): 1,
        (FaultKind.WRONG_COUNT, (), ()): 1,
    }
    assert queens_faults(board, placed[:at], queens=at) == []


def test_three_queens_of_a_line_are_one_fault() -> None:
    faults = queens_faults(Board(5), [(0, 0), (2, 2), (4, 4)], queens=3)
    assert keys(faults) == {(FaultKind.SAME_DIAGONAL, ((0, 0), (2, 2), (4, 4)), ()): 1}
    assert "a5, c3, e1" in faults[0].message


def test_the_four_kinds_of_lines() -> None:
    board = Board(8)
    for other, kind in (
        ((3, 6), FaultKind.SAME_ROW),
        ((6, 3), FaultKind.SAME_COLUMN),
        ((5, 5), FaultKind.SAME_DIAGONAL),
        ((1, 5), FaultKind.SAME_DIAGONAL),
    ):
        assert keys(queens_faults(board, [(3, 3), other], queens=2)) == {(kind, tuple(sorted([(3, 3), other])), ()): 1}
    assert queens_faults(board, [(3, 3), (4, 5)], queens=2) == []


def test_holes_do_not_shield() -> None:
    faults = queens_faults(Board(1, 3, holes="b1"), [(0, 0), (0, 2)], queens=2)
    assert kinds(faults) == [FaultKind.SAME_ROW]


def test_queens_see_round_glued_edges() -> None:
    pair = [(0, 0), (1, 3)]
    assert queens_faults(Board(4), pair, queens=2) == []
    assert kinds(queens_faults(Board(4, wrap="cylinder"), pair, queens=2)) == [FaultKind.SAME_DIAGONAL]
    pair = [(0, 1), (3, 2)]
    assert queens_faults(Board(4, wrap="none"), pair, queens=2) == []
    assert kinds(queens_faults(Board(4, wrap="torus"), pair, queens=2)) == [FaultKind.SAME_DIAGONAL]


@pytest.mark.parametrize("wrap", ["cylinder", "torus"])
def test_no_golden_placement_is_one_of_a_torus(wrap: str) -> None:
    """Eight queens cannot stand on a torus, nor on a cylinder: 8 is not prime to 6."""
    assert all(queens_faults(Board(8, wrap=wrap), placed) for placed in golden_queens())


@given(claimed_placements())
def test_faults_of_a_placement_are_told_in_one_line_each(claim: Queens) -> None:
    for fault in queens_faults(*claim):
        assert "\n" not in str(fault)
        assert str(fault) == f"{fault.kind}: {fault.message}"


# --- words ------------------------------------------------------------------------------------------


@given(boards(max_side=4), st.data())
def test_labels_name_cells_on_the_board_and_number_others(board: Board, data: st.DataObject) -> None:
    row, col = data.draw(cells_anywhere(board))
    inside = 0 <= row < board.rows and 0 <= col < board.cols
    assert label(board, (row, col)) == (board.name(row * board.cols + col) if inside else f"({row},{col})")


def test_faults_are_values() -> None:
    one, other = (tour_faults(Board(3), [(0, 0)]) for _ in range(2))
    assert one == other
    assert len({*one, *other}) == 1
