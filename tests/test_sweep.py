"""The sweep over narrow boards against counting, and what may be said of all narrow boards against the sweep."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backrank.errors import BudgetExceeded, InvalidPuzzle
from backrank.geometry.board import Board
from backrank.geometry.pieces import KNIGHT, leaper, move_graph
from backrank.geometry.symmetry import symmetries
from backrank.geometry.verify import tour_faults
from backrank.runtime.budget import Budget
from backrank.tours.frontier.reference import count_cycles, count_paths
from backrank.tours.solve import narrow as sweep
from backrank.tours.solve.narrow import applies, by_sweep
from backrank.tours.spec import TourSpec
from backrank.tours.theorems.existence import existence


def swept(board: Board, *, closed: bool = False, start: int | None = None, end: int | None = None) -> bool:
    """Whether the sweep finds a tour, after checking the one that it finds."""
    squares = by_sweep(TourSpec(board, KNIGHT, closed, start, end), Budget().start())
    if squares is None:
        return False
    cells = [board.cell(square) for square in squares]
    assert tour_faults(board, cells, closed=closed, start=start, end=end) == []
    return True


def answer(board: Board, *, closed: bool = False, start: int | None = None, end: int | None = None) -> bool:
    """What `existence` says, which must not be "unknown"."""
    return {"yes": True, "no": False}[existence(board, closed=closed, start=start, end=end).answer]


def pairs(board: Board) -> Iterator[tuple[int, int]]:
    """All pairs of squares, one of each class that mirror each other."""
    images = [symmetry.permutation(board) for symmetry in symmetries(board)]
    for one, other in combinations(board, 2):
        if (one, other) == min(tuple(sorted((image[one], image[other]))) for image in images):
            yield one, other


# --- against counting ------------------------------------------------------------------------------

SMALL = [
    (1, 1),
    (1, 2),
    (1, 3),
    (1, 7),
    (2, 2),
    (2, 3),
    (2, 8),
    (3, 3),
    *((3, n) for n in range(4, 11)),
    (4, 4),
    (4, 5),
]
SIZES = [*SMALL, *((cols, rows) for rows, cols in SMALL if rows != cols)]


@pytest.mark.parametrize(("rows", "cols"), SIZES)
def test_whether_there_are_tours_is_what_counting_says(rows: int, cols: int) -> None:
    board = Board(rows, cols)
    adjacency = move_graph(board).adjacency()
    assert swept(board) == answer(board) == (count_paths(adjacency, board) > 0)
    cycles = count_cycles(adjacency, board) > 0
    for start in (None, *board):
        assert swept(board, closed=True, start=start) == answer(board, closed=True, start=start) == cycles
    assert swept(board, closed=True, end=len(board) // 2) == cycles


def check_all_pairs(board: Board) -> None:
    adjacency = move_graph(board).adjacency()
    across, along = sorted((board.rows, board.cols))
    step, stride = (board.cols, 1) if board.rows == across else (1, board.cols)
    order = [col * stride + row * step for col in range(along) for row in range(across)]
    ends = set()
    images = [symmetry.permutation(board) for symmetry in symmetries(board)]
    for one, other in pairs(board):
        possible = count_paths(adjacency, board, start=one, end=other, order=order) > 0
        closes = possible and other in adjacency[one] and len(board) > 2
        for start, end in ((one, other), (other, one)):
            assert swept(board, start=start, end=end) == answer(board, start=start, end=end) == possible
            assert swept(board, closed=True, start=start, end=end) == closes
            assert answer(board, closed=True, start=start, end=end) == closes
        if possible:
            ends |= {image[square] for image in images for square in (one, other)}
    for square in board if len(board) > 1 else ():
        assert swept(board, start=square) == answer(board, start=square) == (square in ends)
        assert swept(board, end=square) == answer(board, end=square) == (square in ends)


@pytest.mark.parametrize(("rows", "cols"), [size for size in SIZES if size != (10, 3)])
def test_pairs_of_ends_are_what_counting_says(rows: int, cols: int) -> None:
    check_all_pairs(Board(rows, cols))


@pytest.mark.deep
@pytest.mark.parametrize(("rows", "cols"), [(3, 11), (3, 12), (3, 13), (4, 6), (4, 7), (7, 4)])
def test_pairs_of_ends_are_what_counting_says_on_larger_boards(rows: int, cols: int) -> None:
    check_all_pairs(Board(rows, cols))


@pytest.mark.parametrize("cols", range(1, 31))
@pytest.mark.parametrize("rows", [1, 2, 3, 4])
def test_closed_tours_are_where_schwenk_says(rows: int, cols: int) -> None:
    short, long = sorted((rows, cols))
    possible = short == 3 and long % 2 == 0 and long >= 10
    assert swept(Board(rows, cols), closed=True) == swept(Board(cols, rows), closed=True) == possible


# --- all lengths -----------------------------------------------------------------------------------


def fresh(rows: int, ends: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(sweep._FINAL if row in ends else 0 for row in range(rows))


def check_all_lengths(rows: int) -> int:
    """Compare the rules about pairs of ends with the sweep on boards of any length; return the number of comparisons.

    What the sweep makes of a board is settled by its layer and by the columns to come, and there are finitely many
    layers. Of boards with 14 columns or more the rules look at whether their number is odd, at the colours, and at what
    is within four columns of either edge. So boards that agree in all of this have the same future: it is enough to go
    on with one of them. (All pairs on shorter boards are compared elsewhere.)
    """
    meter = Budget().start()
    done = (sweep._DONE,) * rows
    complete = sweep._packed((*done, *done, 0))
    letters = [ends for number in range(3) for ends in combinations(range(rows), number)]
    waiting = []
    for first, second in product(letters, letters):
        if len(first) + len(second) <= 2:
            entries = [entry or place for place, entry in enumerate(fresh(rows, first) + fresh(rows, second))]
            layer = frozenset({sweep._packed((*entries, 0))})
            waiting.append((2, (*((row, 0) for row in first), *((row, 1) for row in second)), layer))
    seen, compared = set(), 0
    for before, known, layer in waiting:  # grows meanwhile
        for letter in letters:
            cols, ends = before + 1, (*known, *((row, before) for row in letter))
            if len(ends) > 2:
                continue
            if len(ends) == 2:
                last = sweep._turn(rows, fresh(rows, letter), last=True).after(layer, meter, 0)
                for _ in range(2):
                    last = sweep._turn(rows, done, last=True).after(last, meter, 0)
                board = Board(rows, cols)
                start, end = (board.square(cell) for cell in ends)
                if cols >= rows:
                    assert answer(board, start=start, end=end) == (complete in last), (board, ends)
                    compared += 1
            then = sweep._turn(rows, fresh(rows, letter), last=False).after(layer, meter, 0)
            key = (
                cols if cols < 14 else 14 + cols % 2,
                tuple((row, col if col < 4 else 4 + col % 2, min(cols - 1 - col, 4)) for row, col in ends),
                then,
            )
            if key not in seen:
                seen.add(key)
                waiting.append((cols, ends, then))
    return compared


def test_the_rules_about_ends_hold_for_three_rows_of_any_length() -> None:
    assert check_all_lengths(3) > 4000


@pytest.mark.deep
def test_the_rules_about_ends_hold_for_four_rows_of_any_length() -> None:
    assert check_all_lengths(4) > 10_000


# --- long boards -----------------------------------------------------------------------------------


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_the_sweep_and_existence_agree_on_long_boards(data: st.DataObject) -> None:
    rows, cols = data.draw(st.sampled_from([3, 3, 4]), label="rows"), data.draw(st.integers(4, 60), label="cols")
    board = data.draw(st.sampled_from([Board(rows, cols), Board(cols, rows)]), label="board")
    start = data.draw(st.sampled_from([None, *board]), label="start")
    end = data.draw(st.sampled_from([None, *(square for square in board if square != start)]), label="end")
    assert swept(board, start=start, end=end) == answer(board, start=start, end=end)
    assert swept(board, closed=True, start=start) == answer(board, closed=True, start=start)
    if start is not None and end is not None:
        assert swept(board, closed=True, start=start, end=end) == answer(board, closed=True, start=start, end=end)


@pytest.mark.parametrize("cols", range(7, 19))
def test_all_pairs_on_three_rows_are_as_existence_says(cols: int) -> None:
    board = Board(3, cols)
    colours = (0, 0) if cols % 2 else (0, 1)
    good = bad = 0
    for one, other in pairs(board):
        if tuple(sorted((board.colour(one), board.colour(other)))) == colours:
            possible = swept(board, start=one, end=other)
            assert answer(board, start=one, end=other) == possible, (one, other)
            good, bad = good + possible, bad + (not possible)
    assert good > 0
    if cols > 13:
        assert bad == (2 if cols % 2 else cols - 1)


@pytest.mark.parametrize("cols", range(5, 17))
def test_on_four_rows_pairs_on_the_edges_are_a_matter_of_colour(cols: int) -> None:
    """With three exceptions on 4x5 and two on 4x6, up to symmetry."""
    board = Board(4, cols)
    bad = 0
    for one, other in pairs(board):
        if {one // cols, other // cols} <= {0, 3} and board.colour(one) != board.colour(other):
            possible = swept(board, start=one, end=other)
            bad += not possible
            assert answer(board, start=one, end=other) == possible, (one, other)
    assert bad == {5: 3, 6: 2}.get(cols, 0)


@pytest.mark.parametrize("cols", range(5, 17))
def test_on_four_rows_no_tour_ends_on_an_inner_square(cols: int) -> None:
    board = Board(4, cols)
    for square in range(cols, cols + (cols + 1) // 2):
        assert not swept(board, start=square)
        assert not answer(board, end=square)


@pytest.mark.parametrize("board", [Board(3, 200), Board(200, 4), Board(4, 201)])
def test_long_boards_have_tours(board: Board) -> None:
    assert swept(board)
    assert swept(board, start=0)
    assert swept(board, end=len(board) - 1)
    assert not swept(board, start=0, end=0)


# --- as a part of the solver -----------------------------------------------------------------------


def test_where_it_applies() -> None:
    assert applies(TourSpec(Board(4, 60), KNIGHT, True, None, None))
    assert applies(TourSpec(Board(60, 3), KNIGHT.with_steps(KNIGHT.steps[::-1]), False, 0, 1))
    for board, piece in (
        (Board(5, 60), KNIGHT),
        (Board(4, 6, wrap="cylinder"), KNIGHT),
        (Board(4, 6, holes=[3]), KNIGHT),
        (Board(4, 6), leaper(1, 3)),
        (Board(4, 1_000_000), KNIGHT),
    ):
        spec = TourSpec(board, piece, False, None, None)
        assert not applies(spec)
        with pytest.raises(InvalidPuzzle, match="at most 4 squares wide"):
            by_sweep(spec, Budget().start())


@pytest.mark.parametrize("known", [False, True])
def test_a_limit_of_calls_is_kept_to_the_call(*, known: bool) -> None:
    spec = TourSpec(Board(4, 20), KNIGHT, False, 0, 19)
    meter = Budget().start()
    squares = by_sweep(spec, meter)
    for calls in (1, 100, 5000, meter.calls - 1):
        if not known:
            sweep._turn.cache_clear()
        with pytest.raises(BudgetExceeded, match="limit of") as stopped:
            by_sweep(spec, Budget(calls=calls).start())
        assert stopped.value.reached.calls == calls
    assert by_sweep(spec, Budget(calls=meter.calls).start()) == squares


def test_what_is_known_already_changes_neither_the_answer_nor_its_cost() -> None:
    specs = [
        TourSpec(Board(4, 30), KNIGHT, False, None, None),
        TourSpec(Board(3, 24), KNIGHT, True, 5, None),
        TourSpec(Board(25, 3), KNIGHT, False, None, 16),
    ]
    answers = []
    for order in (specs, specs, specs[::-1]):
        if order is specs:
            sweep._turn.cache_clear()
        meters = {spec: Budget().start() for spec in order}
        answers.append({spec: (by_sweep(spec, meters[spec]), meters[spec].calls) for spec in order})
    assert answers[0] == answers[1] == answers[2]


def test_it_can_be_cancelled() -> None:
    sweep._turn.cache_clear()
    with pytest.raises(BudgetExceeded, match="cancelled"):
        by_sweep(TourSpec(Board(4, 60), KNIGHT, False, 0, None), Budget(cancelled=lambda: True, interval=0).start())
