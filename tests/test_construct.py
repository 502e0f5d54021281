"""Tours built from blocks: every stored block, every way to cut a board, and the tours that come out."""

from __future__ import annotations

import pickle
import random
from itertools import islice, pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from backrank.errors import BoardTooLarge, InvalidPuzzle, InvalidSquare
from backrank.geometry.board import Board
from backrank.geometry.pieces import KNIGHT, is_move
from backrank.geometry.verify import tour_faults
from backrank.tours import KnightTours, Tour
from backrank.tours.construct.assembly import Construction, constructed
from backrank.tours.construct.base_tours import closed_walk, shapes
from backrank.tours.construct.blocks import (
    BOTTOM,
    LEFT,
    OPPOSITE,
    RIGHT,
    TOP,
    open_walks,
    port,
    port_in,
    ported_walk,
    rails,
)
from backrank.tours.construct.strips import BESIDE_FIVE, WIDE, Sizes, ways_to_cut
from backrank.tours.construct.writing import as_array, backwards, written
from backrank.tours.spec import TourSpec
from backrank.tours.theorems.existence import existence


def build(
    rows: int, cols: int, *, closed: bool = False, start: int | None = None, end: int | None = None
) -> Construction:
    """A built tour, checked by the rules alone."""
    board = Board(rows, cols)
    built = constructed(TourSpec(board, KNIGHT, closed, start, end))
    assert built is not None, (rows, cols, closed, start, end)
    cells = [board.cell(square) for square in built.squares()]
    assert tour_faults(board, cells, closed=closed, start=start, end=end) == [], (rows, cols, closed, start, end)
    return built


# --- stored tours -----------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", shapes())
def test_every_stored_tour_is_one(shape: tuple[int, int]) -> None:
    board = Board(*shape)
    walk = closed_walk(*shape)
    assert tour_faults(board, walk, closed=True, start=0) == []


@pytest.mark.parametrize("shape", [shape for shape in shapes() if shape not in {(5, 6), (6, 5), (5, 8), (8, 5)}])
def test_every_stored_tour_has_ports_that_pass_a_walk_on_alike(shape: tuple[int, int]) -> None:
    rows, cols = shape
    sides = [*((TOP, BOTTOM) if rows > 5 else ()), *((LEFT, RIGHT) if cols > 5 else ())]
    edges = {frozenset(edge) for edge in pairwise((*closed_walk(rows, cols), (0, 0)))}
    assert len({frozenset(port(rows, cols, side)) for side in sides} & edges) == len(sides)
    for side, which in product(sides, (0, 1)):
        walk = ported_walk(rows, cols, side, which)
        ends = port(rows, cols, side)
        assert (walk[0], walk[-1]) == (ends[which], ends[1 - which])
        assert sorted(walk) == sorted(closed_walk(rows, cols))
        assert port_in(walk, rows, cols, OPPOSITE[side]).which == which


@pytest.mark.parametrize(("side", "other"), [(BOTTOM, TOP), (RIGHT, LEFT)])
def test_ports_of_neighbours_are_a_move_apart(side: str, other: str) -> None:
    for shape, beside in product(shapes(), shapes()):
        along = 1 if side == BOTTOM else 0
        if shape[along] != beside[along]:
            continue
        shift = (shape[0], 0) if side == BOTTOM else (0, shape[1])
        wide = Board(50)
        for mine, theirs in zip(port(*shape, side), port(*beside, other), strict=True):
            assert is_move(wide, KNIGHT, mine, (theirs[0] + shift[0], theirs[1] + shift[1]))


def test_rails_join_two_walks_into_one() -> None:
    walk = next(open_walks(8, 8, (0, 0), (7, 6), thorough=True))
    found = rails(walk, (8, 0), 6, 8)
    assert len(found) > 1
    for cut, round_trip in found:
        inner = [(row + 8, col) for row, col in round_trip]
        assert tour_faults(Board(14, 8), [*walk[:cut], *inner, *walk[cut:]]) == []
        assert frozenset((round_trip[0], round_trip[-1])) != frozenset(port(6, 8, TOP))


def test_open_walks_are_tours_of_their_block_and_repeat() -> None:
    walks = list(open_walks(6, 7, (0, 0), (5, 6), thorough=False))
    assert walks == list(open_walks(6, 7, (0, 0), (5, 6), thorough=False))
    assert len(set(walks)) > 3
    board = Board(6, 7)
    assert all(tour_faults(board, walk, start=0, end=41) == [] for walk in walks)
    assert list(open_walks(5, 8, (2, 1), (0, 2), thorough=True)) == []


# --- cutting ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("sizes", "least"), [(WIDE, 5), (BESIDE_FIVE, 6)])
def test_sides_are_cut_into_strips_with_the_odd_one_in_place(sizes: Sizes, least: int) -> None:
    for length in (*range(least, 50), 60, 77, 88):
        for at in range(0, length, 1 if length < 30 else 7):
            ways = list(ways_to_cut(length, at, sizes))
            assert ways, (length, at)
            for way in ways:
                strips = [way.strip(number) for number in range(way.count)]
                assert [strip.offset for strip in strips] == [sum(s.size for s in strips[:k]) for k in range(way.count)]
                assert sum(strip.size for strip in strips) == length == way.length
                assert all(way.at(strip.offset) == strip == way.at(strip.offset + strip.size - 1) for strip in strips)
                assert sum(strip.size % 2 for strip in strips) == length % 2
                assert way.at(at).size % 2 == length % 2


def test_a_long_side_is_a_few_runs() -> None:
    assert all(len(way.runs) <= 7 for way in ways_to_cut(10**6 + 1, 333_333))


# --- whole boards -----------------------------------------------------------------------------------


@pytest.mark.parametrize("rows", range(5, 26))
def test_every_board_has_its_tours(rows: int) -> None:
    for cols in range(5, 26):
        build(rows, cols)
        if rows * cols % 2 == 0:
            build(rows, cols, closed=True)


def test_every_start_of_some_boards() -> None:
    for rows, cols in ((5, 5), (5, 6), (6, 5), (5, 13), (5, 20), (7, 9), (12, 13), (13, 13), (17, 5)):
        board = Board(rows, cols)
        for start in range(board.size):
            if existence(board, start=start).answer != "no":
                build(rows, cols, start=start)
            if existence(board, closed=True, start=start).answer != "no":
                build(rows, cols, closed=True, start=start)


@pytest.mark.parametrize(("rows", "cols"), [(5, 6), (5, 8), (8, 5), (5, 10), (6, 6), (6, 7), (7, 7)])
def test_every_pair_of_ends_of_small_boards(rows: int, cols: int) -> None:
    board = Board(rows, cols)
    for start, end in product(range(board.size), repeat=2):
        if start < end and existence(board, start=start, end=end).answer != "no":
            build(rows, cols, start=start, end=end)


def some_boards(number: int, least: int, most: int) -> list[tuple[int, int, int, int]]:
    """Boards with a start and an end, the same ones every time."""
    dice = random.Random(20)  # noqa: S311 - a test
    found: list[tuple[int, int, int, int]] = []
    while len(found) < number:
        rows, cols = dice.randint(least, most), dice.randint(least, most)
        if dice.random() < 0.25:
            rows, cols = dice.choice([(5, cols), (rows, 5)])
        start, end = dice.sample(range(rows * cols), 2)
        if existence(Board(rows, cols), start=start, end=end).answer != "no":
            found.append((rows, cols, start, end))
    return found


def test_pairs_of_ends_on_larger_boards() -> None:
    for rows, cols, start, end in some_boards(120, 6, 70):
        build(rows, cols, start=start, end=end)


def test_steps_are_told_as_they_are_written() -> None:
    for number, (rows, cols, start, end) in enumerate(some_boards(40, 6, 60)):
        built = build(rows, cols, start=start, end=end) if number % 2 else build(rows, cols, start=start)
        squares = built.squares()
        assert [built.square_at(step) for step in range(len(squares))] == list(squares)
        assert [built.step_of(square) for square in squares] == list(range(len(squares)))


def test_the_kernel_writes_what_plain_python_writes_whatever_the_threads() -> None:
    for rows, cols, start, end in some_boards(12, 6, 90):
        built = build(rows, cols, start=start, end=end)
        for workers in (1, 2, 5):
            squares = written(built, workers=workers)
            assert squares.dtype == np.int32
            assert squares.tolist() == list(built.squares())
            assert not squares.flags.writeable


def test_closed_tours_are_read_as_iterating_reads_them() -> None:
    for rows, cols, start in ((6, 6, None), (8, 8, 27), (20, 30, 599), (5, 44, 100), (31, 16, None)):
        squares = build(rows, cols, closed=True, start=start).squares()
        assert squares[0] == (start or 0)
        assert squares[1] < squares[-1]


def test_a_closed_tour_with_an_end_is_an_open_one_that_ends_a_move_away() -> None:
    tour = KnightTours(14, 17, closed=True, start=(3, 3), end=(5, 4)).constructed()
    assert tour.faults() == []
    assert (tour.board.cell(tour.start), tour.board.cell(tour.end)) == ((3, 3), (5, 4))


# --- the face ---------------------------------------------------------------------------------------


def test_a_tour_of_a_million_million_squares() -> None:
    tours = KnightTours(10**6, 10**6, start=(12_345, 678_901), end=(999_999, 0))
    tour = tours.constructed()
    board = tour.board
    assert len(tour) == 10**12
    assert (tour.start, tour.end) == (tours.start, tours.end)
    dice = random.Random(3)  # noqa: S311 - a test
    for step in (1, 10**12 - 1, *(dice.randrange(1, 10**12) for _ in range(300))):
        here, there = tour.square_at(step), tour.square_at(step + 1)
        assert is_move(board, KNIGHT, board.cell(here), board.cell(there))
        assert tour.step_of(here) == step


@given(st.integers(5, 10**7), st.integers(5, 10**7), st.data())
def test_steps_and_squares_match_on_boards_of_any_size(rows: int, cols: int, data: st.DataObject) -> None:
    closed = rows * cols % 2 == 0 and data.draw(st.booleans())
    tour = KnightTours(rows, cols, closed=closed).constructed()
    step = data.draw(st.integers(1, len(tour) - 1))
    here, there = tour.square_at(step), tour.square_at(step + 1)
    assert is_move(tour.board, KNIGHT, tour.board.cell(here), tour.board.cell(there))
    assert tour.step_of(here) == step
    if closed:
        assert tour.is_closable


@pytest.mark.parametrize(
    ("tours", "words"),
    [
        (KnightTours(9, 9, closed=True), "alternates colours"),
        (KnightTours(7, 9, start="a2"), "more frequent colour"),
        (KnightTours(5, start="c3", end="e3"), "corner"),
        (KnightTours(4, 9), "at least 5"),
        (KnightTours(8, holes=["a1"]), "plain boards"),
        (KnightTours(8, wrap="torus"), "plain boards"),
        (KnightTours(8, piece="zebra"), "knights"),
    ],
)
def test_what_cannot_be_built_is_refused_with_the_reason(tours: KnightTours, words: str) -> None:
    with pytest.raises(InvalidPuzzle, match=words):
        tours.constructed()


def test_what_does_not_fit_is_refused_before_it_is_begun() -> None:
    tour = KnightTours(10**7, 10**7).constructed()
    with pytest.raises(BoardTooLarge, match="needs 800,000,000,000,000 bytes"):
        _ = tour.array


# --- tours in all their forms -----------------------------------------------------------------------


def test_a_tour_is_the_same_in_every_form() -> None:
    built = KnightTours(40, 30, closed=True, start="c5").constructed()
    plain = Tour(built.board, built.squares, closed=True)
    array = Tour(built.board, built.array, closed=True)
    assert plain == built == array
    assert hash(plain) == hash(built) == hash(array)
    for tour in (plain, built, array):
        assert tour.squares == plain.squares
        assert tour.array.tolist() == list(plain.squares)
        assert (tour.start, tour.end, len(tour)) == (plain.start, plain.end, 1200)
        assert tour.step_of(tour.square_at(700)) == 700
        assert tour.reversed().squares == (plain.squares[0], *plain.squares[:0:-1])
        assert pickle.loads(pickle.dumps(tour)) == tour  # noqa: S301 - our own
        assert tour in KnightTours(40, 30, closed=True, start="d9")
        assert tour in KnightTours(40, 30, start="c5")
        assert tour not in KnightTours(40, 30, start="d9")
    assert plain != Tour(built.board, built.squares)
    assert plain != plain.reversed()
    assert plain != "a tour"


def test_a_tour_cannot_be_changed() -> None:
    tour = KnightTours(6).constructed()
    with pytest.raises(AttributeError, match="cannot be changed"):
        tour.closed = True
    with pytest.raises(AttributeError, match="cannot be changed"):
        del tour.board
    with pytest.raises(ValueError, match="read-only"):
        tour.array[0] = 5


def test_steps_that_are_none_are_refused() -> None:
    tour = KnightTours(6).constructed()
    for step in (0, 37, -1):
        with pytest.raises(InvalidSquare, match="not one of 1 to 36"):
            tour.square_at(step)
    with pytest.raises(InvalidSquare):
        tour.step_of("g1")
    with pytest.raises(InvalidSquare, match="a6 is not visited"):
        Tour(Board(6), (1, 2)).step_of("a6")


def test_large_tours_are_told_not_printed() -> None:
    tour = KnightTours(1000, closed=True).constructed()
    assert str(tour) == repr(tour)
    assert len(str(tour)) < 80
    assert tour.faults() == []
    assert tour in KnightTours(1000, closed=True)
    back = tour.reversed()
    assert back.start == tour.start
    assert back.square_at(2) == tour.end
    assert back != tour
    assert back.reversed() == tour


def test_nothing_that_lists_a_huge_tour_is_begun() -> None:
    tour = KnightTours(10**6, 10**6).constructed()
    for form in ("squares", "cells", "names", "grid", "array"):
        with pytest.raises(BoardTooLarge, match="bytes of memory"):
            getattr(tour, form)
    for work in (tour.text, tour.svg, tour.html, tour.png, tour.faults, tour.facts):
        with pytest.raises(BoardTooLarge):
            work()
    assert tour == KnightTours(10**6, 10**6).constructed()
    assert tour != KnightTours(10**6, 10**6, start=4).constructed()
    assert list(islice(tour, 100)) == [tour.square_at(step) for step in range(1, 101)]


def test_tours_are_iterated_in_every_form() -> None:
    built = KnightTours(12, 13, end="a1").solve()
    assert built is not None
    assert list(built) == list(built.squares)
    backwards_built = constructed(TourSpec(Board(30), KNIGHT, False, 5, None))
    assert backwards_built is not None
    turned = backwards_built.backwards()
    assert list(turned) == list(turned.squares()) == list(backwards_built)[::-1] == written(turned).tolist()
    assert [turned.step_of(square) for square in turned] == list(range(900))
    array = Tour(Board(30), backwards_built.squares())
    assert list(Tour(Board(30), array.array)) == list(array)


@pytest.mark.parametrize(
    "tours",
    [
        KnightTours(5, wrap="torus", closed=True),
        KnightTours(7, 9, wrap="cylinder", closed=True),
        KnightTours(101, 203, wrap="torus", closed=True),
        KnightTours(44, 30, wrap="torus", closed=True, start=77),
        KnightTours(60, 61, wrap="cylinder", start=5, end=1000),
        KnightTours(2001, 1003, wrap="cylinder", closed=True),
        KnightTours(31, wrap="torus", start=1, end=5),
        KnightTours(33, wrap="torus", closed=True, start=1),
    ],
    ids=repr,
)
def test_glued_boards_are_built_too(tours: KnightTours) -> None:
    tour = tours.solve()
    assert tour is not None
    assert tour in tours
    if tours.closed:
        assert tour.start == (tours.start or 0)
        assert tour.square_at(2) < tour.end


@pytest.mark.parametrize("step", ["a", 1.5, None])
def test_a_step_is_a_whole_number(step: object) -> None:
    with pytest.raises(InvalidSquare, match="whole number"):
        KnightTours(6).constructed().square_at(step)  # type: ignore[arg-type]  # on purpose


def test_arrays_are_turned_round() -> None:
    assert backwards(np.arange(5), keep_first=False).tolist() == [4, 3, 2, 1, 0]
    assert backwards(np.arange(5), keep_first=True).tolist() == [0, 4, 3, 2, 1]
    assert as_array((3, 1, 2)).dtype == np.int32
    assert as_array((2**31,)).dtype == np.int64
