"""Facts of tours: against brute force, published tours, and the tours' own images."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from itertools import combinations
from math import acos, degrees, isclose, sqrt
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.typing import NDArray

from backrank import Board, KnightTours, parse_tours
from backrank.errors import InvalidPuzzle, InvalidSquare
from backrank.geometry.board import Cell
from backrank.geometry.pieces import KING, KNIGHT, QUEEN, Piece, leaper, piece_named, step
from backrank.geometry.symmetry import permutations, symmetries
from backrank.tours.analysis import measures, symmetric
from backrank.tours.analysis import measures_arrays as kernel
from backrank.tours.analysis.facts import TourFacts, tour_facts
from strategies import brute_force_tours, closed_tours, valid_tours

Run = Callable[..., CompletedProcess[str]]

# Beverley, Philosophical Magazine, 1848: the first semi-magic tour.
BEVERLEY = """
 1 30 47 52  5 28 43 54
48 51  2 29 44 53  6 27
31 46 49  4 25  8 55 42
50  3 32 45 56 41 26  7
33 62 15 20  9 24 39 58
16 19 34 61 40 57 10 23
63 14 17 36 21 12 59 38
18 35 64 13 60 37 22 11
"""
# Attributed to Euler (1759) by Gardner; OEIS A226697.
EULER = """
37 62 43 56 35 60 41 50
44 55 36 61 42 49 34 59
63 38 53 46 57 40 51 48
54 45 64 39 52 47 58 33
 1 26 15 20  7 32 13 22
16 19  8 25 14 21  6 31
27  2 17 10 29  4 23 12
18  9 28  3 24 11 30  5
"""
# Dudeney, Amusements in Mathematics, 1917: closed.
DUDENEY = """
46 55 44 19 58  9 22  7
43 18 47 56 21  6 59 10
54 45 20 41 12 57  8 23
17 42 53 48  5 24 11 60
52  3 32 13 40 61 34 25
31 16 49  4 33 28 37 62
 2 51 14 29 64 39 26 35
15 30  1 50 27 36 63 38
"""


def squares_of(text: str) -> tuple[int, ...]:
    """The squares of a printed tour."""
    [claim] = parse_tours(text)
    return claim.squares()


def numbers_of(text: str) -> list[list[int]]:
    return [[int(word) for word in line.split()] for line in text.strip().splitlines()]


@contextmanager
def in_blocks(size: int = 7) -> Iterator[None]:
    """Let even small tours be measured as large ones are, in blocks of a few squares."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(measures, "SMALL", 0)
        patch.setattr(kernel, "BLOCK", size)
        patch.setattr(symmetric, "BLOCK", size)
        yield


# --- tours to look at -------------------------------------------------------------------------------


def carved(rows: int, cols: int, path: Sequence[int], wrap: str = "none") -> Board:
    """The board on which a path is a tour: all other squares are holes."""
    return Board(rows, cols, holes=set(range(rows * cols)) - set(path), wrap=wrap)


PIECES = [
    *(
        leaper(r, s)
        for r, s in [(1, 2), (0, 1), (1, 1), (0, 2), (2, 2), (1, 3), (2, 3), (2, 4), (3, 3), (0, 3), (1, 4)]
    ),
    KING,
    Piece("long king", tuple(dict.fromkeys(KING.steps + leaper(0, 2).steps + leaper(2, 2).steps))),
    Piece("one-way rook", ((0, 1), (1, 0), (0, 2), (-1, 0))),
]


class Case:
    """A tour with all that it is a tour of."""

    def __init__(self, board: Board, squares: Sequence[int], piece: Piece = KNIGHT, *, closed: bool = False) -> None:
        self.board, self.squares, self.piece, self.closed = board, tuple(squares), piece, closed

    def facts(self) -> TourFacts:
        return tour_facts(self.board, self.squares, closed=self.closed, piece=self.piece)

    def walk(self) -> measures.MeasuredTour:
        return measures.read_walk(self.board, self.squares, closed=self.closed, piece=self.piece)

    def __repr__(self) -> str:
        return f"Case({self.board!r}, {self.squares}, {self.piece.name!r}, closed={self.closed})"


@st.composite
def carved_cases(draw: st.DrawFn, wraps: Sequence[str] = ("none", "cylinder", "torus")) -> Case:
    """Walks of any leaper on any board, whose other squares are made holes; closed where they happen to close."""
    rows, cols = draw(st.integers(1, 9)), draw(st.integers(1, 9))
    grid = Board(rows, cols, wrap=draw(st.sampled_from(wraps)))
    piece = draw(st.sampled_from(PIECES))
    path = [draw(st.integers(0, grid.size - 1))]
    for _ in range(draw(st.integers(0, 40))):
        reached = (step(grid, grid.cell(path[-1]), by) for by in piece.steps)
        onward = [square for square in reached if square is not None and square not in path]
        if not onward:
            break
        path.append(draw(st.sampled_from(onward)))
    board = carved(rows, cols, path, grid.wrap)
    closes = path[0] in [step(board, board.cell(path[-1]), by) for by in piece.steps]
    return Case(board, path, piece, closed=closes and len(path) > 2 and draw(st.booleans()))


@st.composite
def small_cases(draw: st.DrawFn) -> Case:
    """Knight's tours of small boards, some of them on tori."""
    claim = draw(valid_tours())
    return Case(claim.board, [row * claim.board.cols + col for row, col in claim.cells], closed=claim.closed)


@cache
def solved(rows: int, cols: int, seed: int, *, closed: bool = False, piece: str = "knight") -> Case:
    """A tour by chance: some tour, its ends bent a few hundred times, and then until it closes if it must."""
    board, mover, rng = Board(rows, cols), piece_named(piece), np.random.default_rng(seed)
    tour = KnightTours(board, piece=mover).solve()
    assert tour is not None
    path = list(tour.squares)
    for number in range(100_000):
        reached = [step(board, board.cell(path[-1]), by) for by in mover.steps]
        if number > 300 and (not closed or path[0] in reached):
            break
        at = path.index(int(rng.choice([square for square in reached if square is not None])))
        path[at + 1 :] = path[:at:-1]
        if rng.random() < 0.1:
            path.reverse()
    return Case(board, path, mover, closed=closed)


SOLVED = [
    *((8, 8, seed, closed, "knight") for seed in range(4) for closed in (False, True)),
    *((rows, cols, 1, False, "knight") for rows, cols in [(5, 5), (3, 7), (3, 10), (5, 6), (6, 9), (9, 7), (4, 5)]),
    *((rows, cols, 2, True, "knight") for rows, cols in [(6, 6), (5, 8), (7, 6)]),
    (10, 10, 1, False, "giraffe"),
    (6, 7, 1, False, "wazir"),
]


@pytest.fixture(params=SOLVED, ids=lambda param: "-".join(map(str, param)))
def case(request: pytest.FixtureRequest) -> Case:
    rows, cols, seed, closed, piece = request.param
    return solved(rows, cols, seed, closed=closed, piece=piece)


# --- the references ---------------------------------------------------------------------------------


def drawn_moves(case: Case) -> list[tuple[Cell, Cell]]:
    """The moves as segments of the plane: those that are a step of the piece without going round an edge."""
    cells = [divmod(square, case.board.cols) for square in case.squares]
    pairs = zip(cells, cells[1:] + cells[:1] if case.closed else cells[1:], strict=False)
    return [(a, b) for a, b in pairs if (b[0] - a[0], b[1] - a[1]) in case.piece.steps]


def side(a: Cell, b: Cell, c: Cell) -> int:
    """On which side of the line from a to b a point is: -1, 0 or 1."""
    product = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    return (product > 0) - (product < 0)


def is_inside(a: Cell, b: Cell, c: Cell) -> bool:
    """Whether a point is on a segment, and none of its ends."""
    return side(a, b, c) == 0 and c not in {a, b} and min(a, b) < c < max(a, b)


def how_they_meet(first: tuple[Cell, Cell], second: tuple[Cell, Cell]) -> str | None:
    (a, b), (c, d) = first, second
    if side(a, b, c) == side(a, b, d) == 0:
        low, high = max(min(a, b), min(c, d)), min(max(a, b), max(c, d))
        return "overlaps" if low < high else None
    if side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0:
        return "crossings"
    inside = any((is_inside(a, b, c), is_inside(a, b, d), is_inside(c, d, a), is_inside(c, d, b)))
    return "touches" if inside else None


def brute_force_meetings(case: Case) -> measures.Meetings:
    found = Counter(how_they_meet(*pair) for pair in combinations(drawn_moves(case), 2))
    return measures.Meetings(found["crossings"], found["overlaps"], found["touches"])


def brute_force_symmetries(case: Case) -> dict[str, bool]:
    """The names of all symmetries of the board that map the tour to itself, and whether they reverse it."""
    squares, found = list(case.squares), {}
    for symmetry, image_of in zip(symmetries(case.board), permutations(case.board), strict=True):
        image = [image_of[square] for square in squares]
        if case.closed and image[0] in squares:
            at = squares.index(image[0])
            ahead = squares[at:] + squares[:at]
            back = ahead[:1] + ahead[:0:-1]
        else:
            ahead, back = squares, squares[::-1]
        if image in (ahead, back):
            found[symmetry.name] = image != ahead
    return found


def brute_force_starts(case: Case) -> list[tuple[int, bool]]:
    """All steps from which the numbering is semi-magic, and whether it is magic, by trying."""
    found = []
    rows, cols = case.board.rows, case.board.cols
    for start in range(len(case.squares)):
        turned = case.squares[start:] + case.squares[:start]
        grid: NDArray[np.int64] = np.zeros(case.board.size, np.int64)
        grid[list(turned)] = range(1, len(turned) + 1)
        grid = grid.reshape((rows, cols))
        if len({*grid.sum(0).tolist()}) == len({*grid.sum(1).tolist()}) == 1:
            sums = {int(np.trace(grid)), int(np.trace(grid[:, ::-1]))}
            found.append((start + 1, rows == cols and sums == {int(grid[0].sum())}))
    return found


# --- crossings --------------------------------------------------------------------------------------


@given(carved_cases())
def test_meetings_are_those_of_all_pairs(case: Case) -> None:
    walk, wanted = case.walk(), brute_force_meetings(case)
    assert measures.meetings_of_pairs(walk) == wanted
    assert measures.meetings(walk) == wanted
    with in_blocks():
        assert measures.meetings(case.walk()) == wanted


def test_meetings_of_whole_boards(case: Case) -> None:
    walk, wanted = case.walk(), brute_force_meetings(case)
    assert measures.meetings(walk) == measures.meetings_of_pairs(walk) == wanted
    with in_blocks(50):
        assert measures.meetings(case.walk()) == wanted


VECTORS = st.tuples(st.integers(-4, 4), st.integers(-4, 4)).filter(any)


@given(by=VECTORS, offset=st.tuples(st.integers(-5, 5), st.integers(-5, 5)), other=VECTORS)
def test_how_two_segments_meet(by: Cell, offset: Cell, other: Cell) -> None:
    end = (offset[0] + other[0], offset[1] + other[1])
    assert measures.meeting(by, offset, other) == how_they_meet(((0, 0), by), (offset, end))


def test_known_crossings() -> None:
    """The closed tour of the rim of 3x3 is the star {8/3}: each of its sides crosses four others."""
    ring = Board(3, holes=[4])
    facts = tour_facts(ring, (0, 5, 6, 1, 8, 3, 2, 7), closed=True)
    assert (facts.crossings, facts.overlaps, facts.touches, facts.is_uncrossed) == (16, 0, 0, False)
    snake = tour_facts(Board(3), (0, 1, 2, 5, 4, 3, 6, 7, 8), piece=leaper(0, 1))
    assert (snake.crossings, snake.touches, snake.is_uncrossed) == (0, 0, True)
    # 0 and 2, then over 1, which is the end of two moves: they overlap where they lie on each other.
    jumper = Piece("jumper", ((0, 1), (0, -1), (0, 2), (0, -2)))
    facts = tour_facts(Board(1, 4), (0, 2, 1, 3), piece=jumper)
    assert (facts.crossings, facts.overlaps, facts.touches, facts.is_uncrossed) == (0, 3, 0, False)
    # Two long moves meet inside both, on a square that is a hole; then one passes over a square where another ends.
    plus = Piece("plus", ((0, 2), (2, 0), (-1, -1), (1, 0)))
    facts = tour_facts(carved(3, 3, (3, 5, 1, 7)), (3, 5, 1, 7), piece=plus)
    assert (facts.crossings, facts.touches) == (1, 0)
    facts = tour_facts(carved(3, 3, (3, 5, 1, 4)), (3, 5, 1, 4), piece=plus)
    assert (facts.crossings, facts.touches, facts.is_uncrossed) == (0, 1, False)


def test_moves_across_glued_edges_cross_nothing() -> None:
    ring = (0, 1, 2, 3)
    facts = tour_facts(Board(1, 4, wrap="cylinder"), ring, closed=True, piece=leaper(0, 1))
    assert (facts.glued_moves, facts.turns, facts.runs, facts.longest_run) == (1, 0, 1, 4)
    assert "(without 1 move across glued edges)" in str(facts)


# --- directions, turns, angles ----------------------------------------------------------------------


@given(st.one_of(carved_cases(wraps=["none"]), small_cases().filter(lambda case: case.board.wrap == "none")))
def test_turns_angles_and_length(case: Case) -> None:
    moves = [(b[0] - a[0], b[1] - a[1]) for a, b in drawn_moves(case)]
    pairs = list(zip(moves, moves[1:] + moves[:1] if case.closed else moves[1:], strict=False))
    facts = case.facts()
    assert (facts.squares, facts.moves) == (len(case.squares), len(moves))
    assert dict(facts.directions) == {by: moves.count(by) for by in case.piece.steps}
    assert facts.turns == sum(before != after for before, after in pairs)
    runs = [1] if moves else []
    for before, after in pairs if not case.closed else pairs[:-1]:
        runs = [*runs[:-1], runs[-1] + 1] if before == after else [*runs, 1]
    if case.closed and len(runs) > 1 and moves[0] == moves[-1]:
        runs = [runs[0] + runs[-1], *runs[1:-1]]
    assert (facts.runs, facts.longest_run) == (len(runs), max(runs, default=0))
    assert isclose(facts.length, sum(sqrt(r * r + s * s) for r, s in moves), abs_tol=1e-9)
    found: Counter[float] = Counter()
    for (a, b), (c, d) in pairs:
        cosine = -(a * c + b * d) / sqrt((a * a + b * b) * (c * c + d * d))
        found[round(degrees(acos(max(-1.0, min(1.0, cosine)))), 6)] += 1
    assert {round(angle.degrees, 6): angle.squares for angle in facts.angles} == found
    assert [angle.degrees for angle in facts.angles] == sorted(angle.degrees for angle in facts.angles)
    assert sum(angle.squares for angle in facts.angles) == len(case.squares) - 2 * (not case.closed) or len(moves) < 2


def test_exact_cosines_and_lengths() -> None:
    facts = tour_facts(Board(8), squares_of(DUDENEY), closed=True)
    assert [angle.cosine for angle in facts.angles] == ["4/5", "3/5", "0", "-3/5", "-4/5", "-1"]
    assert (facts.exact_length, facts.lengths) == ("64√5", ((5, 64),))
    king = tour_facts(Board(2), (0, 1, 2, 3), piece=KING)
    assert (king.exact_length, [angle.cosine for angle in king.angles]) == ("2 + 1√2", ["√(1/2)"])
    assert tour_facts(Board(1), (0,)).exact_length == "0"
    alfil = tour_facts(carved(3, 3, (0, 8)), (0, 8), piece=leaper(2, 2))
    assert alfil.exact_length == "2√2"
    straight = tour_facts(Board(1, 3), (0, 1, 2), piece=leaper(0, 1))
    assert [(angle.degrees, angle.cosine) for angle in straight.angles] == [(180.0, "-1")]


# --- symmetry ---------------------------------------------------------------------------------------


def torus_tour(side: int, *word: Cell) -> Case:
    """A closed tour of a torus that makes a few moves over and over: it looks the same from many squares."""
    row = col = 0
    squares = []
    for number in range(side * side):
        squares.append(row * side + col)
        down, right = word[number % len(word)]
        row, col = (row + down) % side, (col + right) % side
    return Case(Board(side, wrap="torus"), squares, closed=True)


TRANSLATIONAL = torus_tour(5, (-1, 2), (2, -1), (1, 2), (1, 2), (2, 1))
GLUED = [
    TRANSLATIONAL,
    torus_tour(5, *[(1, 2)] * 4, (2, 1)),
    torus_tour(5, *[(1, 2)] * 4, (1, -2)),
    torus_tour(7, *[(1, 2)] * 6, (2, -1)),
    Case(Board(1, 6, wrap="cylinder"), range(6), leaper(0, 1), closed=True),
    Case(Board(2, 5, wrap="cylinder"), [0, 5, 6, 1, 2, 7, 8, 3, 4, 9], leaper(0, 1)),
    Case(Board(2, 4, wrap="cylinder"), [0, 1, 2, 3, 7, 6, 5, 4], leaper(0, 1), closed=True),
    Case(Board(2, 4, wrap="cylinder"), [0, 4, 5, 1, 2, 6, 7, 3], leaper(0, 1), closed=True),
    Case(Board(3, 4, wrap="cylinder", holes=[0, 1, 2, 3, 8, 9, 10, 11]), [4, 5, 6, 7], leaper(0, 1), closed=True),
    Case(Board(3, 4, wrap="cylinder", holes=range(4, 12)), [0, 1, 2, 3], leaper(0, 1), closed=True),
    Case(Board(2, 2, wrap="torus"), [0, 1, 3, 2], leaper(0, 1), closed=True),
    Case(Board(3, 3, wrap="torus"), [0, 1, 2, 5, 3, 4, 7, 8, 6], leaper(0, 1), closed=True),
    Case(Board(1, wrap="torus"), [0]),
]


@given(st.one_of(small_cases(), carved_cases(), st.sampled_from(GLUED)))
def test_symmetries_are_those_of_brute_force(case: Case) -> None:
    wanted, facts = brute_force_symmetries(case), case.facts()
    assert facts.symmetry_order == len(wanted)
    listed = dict(facts.symmetries)
    assert len(listed) == len(facts.symmetries)
    if case.board.wrap == "none":
        assert {"identity": False, **listed} == wanted


@pytest.mark.parametrize("case", GLUED, ids=repr)
def test_symmetries_round_glued_edges(case: Case) -> None:
    facts = case.facts()
    assert facts.symmetry_order == len(brute_force_symmetries(case))
    assert (facts.symmetry == "asymmetric") == (facts.symmetry_order == 1)
    assert facts.variety is None


def test_a_torus_tour_repeats_itself() -> None:
    facts = GLUED[0].facts()
    assert facts.symmetry_order % 5 == 0
    assert facts.symmetries[0].name.startswith("shift by ")


def kinds(cases: Iterator[Case]) -> Counter[tuple[str, str | None]]:
    found = (symmetric.symmetries_of(case.walk()) for case in cases)
    return Counter((each.kind, each.variety) for each in found)


def test_symmetric_tours_of_5x5() -> None:
    """864 tours, 112 up to symmetry: so (864 + 32) / 8 = 112."""
    board = Board(5)
    paths = [[r * 5 + c for r, c in path] for path in brute_force_tours(board)]
    found = kinds(Case(board, path) for path in paths if path[0] < path[-1])
    assert found == {("asymmetric", None): 832, ("rotary", None): 32}


@pytest.mark.deep
def test_symmetric_closed_tours_of_6x6() -> None:
    """Of de Hijo (1882): 5 have quarter turns, 17 only half turns; 9,862 in all, so (9862 + 78 + 20) / 8 = 1245."""
    found = kinds(Case(Board(6), tour.squares, closed=True) for tour in KnightTours(6, closed=True))
    assert found == {("asymmetric", None): 9862 - 78, ("rotary", "Eulerian"): 4 * 17, ("birotary", None): 2 * 5}


def quarters(path: list[Cell]) -> Iterator[list[Cell]]:
    """Paths over a quarter of 6x6, from a first cell, that four quarter turns make a closed tour of."""
    row, col = path[-1]
    near = [(row + r, col + c) for r, c in KNIGHT.steps if 0 <= row + r < 6 and 0 <= col + c < 6]
    if len(path) == 9:
        if (path[0][1], 5 - path[0][0]) in near:
            yield path
        return
    taken = {image for cell in path for image in turned(cell)}
    for cell in near:
        if cell not in taken:
            yield from quarters([*path, cell])


def turned(cell: Cell) -> list[Cell]:
    row, col = cell
    return [(row, col), (col, 5 - row), (5 - row, 5 - col), (5 - col, row)]


def test_closed_tours_of_6x6_with_quarter_turns() -> None:
    found = []
    for path in quarters([(0, 0)]):
        tour = [turned(cell)[turn] for turn in range(4) for cell in path]
        found.append(tour_facts(Board(6), [row * 6 + col for row, col in tour], closed=True))
    assert len(found) == 2 * 5
    assert {(facts.symmetry, facts.symmetry_order, facts.variety) for facts in found} == {("birotary", 4, None)}
    names = {name for name, reverses in found[0].symmetries if not reverses}
    assert names == {"rotate 90° clockwise", "rotate 90° anticlockwise", "rotate 180°"}


def test_symmetric_closed_tours_of_3x10() -> None:
    """16 tours (OEIS A070030), 6 of them different: 8 / 4 + 4 / 2 + 4 / 2."""
    paths = [[row * 10 + col for row, col in path] for path in closed_tours(Board(3, 10))]
    found = kinds(Case(Board(3, 10), path, closed=True) for path in paths if path[1] < path[-1])
    assert found == {("asymmetric", None): 8, ("rotary", "Bergholtian"): 4, ("axial", "Sulian"): 4}


def test_kinds_that_need_holes_or_glued_edges() -> None:
    ring = tour_facts(Board(3, holes=[4]), (0, 5, 6, 1, 8, 3, 2, 7), closed=True)
    assert (ring.symmetry, ring.variety, ring.symmetry_order, len(ring.symmetries)) == ("octonary", None, 8, 7)
    # Two squares stay where they are in the mirror, so it must reverse the tour.
    path = [Board(4, 5).square(cell) for cell in [(0, 2), (1, 0), (3, 1), (1, 2), (3, 3), (1, 4)]]
    facts = tour_facts(carved(4, 5, path), path, closed=True)
    assert (facts.symmetry, facts.variety, facts.symmetries) == ("axial", "Murraian", (("mirror left to right", True),))
    rim = (0, 1, 2, 3, 7, 11, 10, 9, 8, 4)
    facts = tour_facts(carved(3, 4, rim), rim, closed=True, piece=leaper(0, 1))
    assert (facts.symmetry, facts.symmetry_order, facts.is_uncrossed) == ("biaxial", 4, True)
    facts = TRANSLATIONAL.facts()
    assert (facts.symmetry, facts.symmetry_order) == ("translational", 5)
    assert [name.startswith("shift by ") for name, _ in facts.symmetries] == [True]


def test_eulers_tour() -> None:
    numbers = numbers_of(EULER)
    assert all(abs(numbers[r][c] - numbers[7 - r][7 - c]) == 32 for r in range(8) for c in range(8))
    facts = tour_facts(Board(8), squares_of(EULER), closed=True)
    assert (facts.symmetry, facts.variety) == ("rotary", "Eulerian")
    assert facts.symmetries == (("rotate 180°", False),)
    # As an open tour it is not symmetric: its ends go to other squares.
    assert tour_facts(Board(8), squares_of(EULER)).symmetry == "asymmetric"
    assert tour_facts(Board(8), squares_of(EULER)).closable


# --- sums -------------------------------------------------------------------------------------------


def test_beverleys_tour() -> None:
    numbers = numbers_of(BEVERLEY)
    assert {*map(sum, numbers), *map(sum, zip(*numbers, strict=True))} == {260}
    facts = tour_facts(Board(8), squares_of(BEVERLEY))
    assert (facts.magic, facts.magic_constant, facts.diagonal_sums) == ("semi-magic", 260, (282, 210))
    assert (set(facts.row_sums), set(facts.col_sums), facts.closable) == ({260}, {260}, False)
    assert (facts.semi_magic_starts, facts.symmetry) == ((), "asymmetric")
    with pytest.raises(InvalidPuzzle, match="no knight move leads to"):
        tour_facts(Board(8), squares_of(BEVERLEY), closed=True)


def test_dudeneys_tour_is_semi_magic_from_five_squares() -> None:
    facts = tour_facts(Board(8), squares_of(DUDENEY), closed=True)
    assert (facts.magic, facts.diagonal_sums) == ("semi-magic", (264, 256))
    assert facts.semi_magic_starts == (1, 9, 17, 33, 49)
    assert facts.magic_starts == ()


@given(st.one_of(small_cases(), carved_cases(), st.sampled_from(GLUED)))
def test_sums(case: Case) -> None:
    facts = case.facts()
    grid: NDArray[np.int64] = np.zeros(case.board.size, np.int64)
    grid[list(case.squares)] = range(1, len(case.squares) + 1)
    grid = grid.reshape(case.board.rows, case.board.cols)
    assert (facts.row_sums, facts.col_sums) == (tuple(grid.sum(1)), tuple(grid.sum(0)))
    rows, cols = len(set(facts.row_sums)) == 1, len(set(facts.col_sums)) == 1
    if case.board.rows == case.board.cols:
        assert facts.diagonal_sums == (np.trace(grid), np.trace(grid[:, ::-1]))
        is_magic = rows and cols and {*facts.diagonal_sums} == {facts.row_sums[0]}
    else:
        assert facts.diagonal_sums is None
        is_magic = False
    names = {(True, True): "semi-magic", (True, False): "rows only", (False, True): "columns only"}
    assert facts.magic == ("magic" if is_magic else names.get((rows, cols), "none"))
    starts = brute_force_starts(case) if case.closed and not case.board.holes else []
    assert facts.semi_magic_starts == tuple(start for start, _ in starts)
    assert facts.magic_starts == tuple(start for start, magic in starts if magic)


def wandering(side: int) -> Piece:
    """A piece that goes anywhere, so that any square of numbers is a tour of it."""
    reach = range(1 - side, side)
    return Piece("wanderer", tuple((r, c) for r in reach for c in reach if (r, c) != (0, 0)))


@pytest.mark.parametrize(
    ("text", "magic"),
    [
        ("2 7 6\n9 5 1\n4 3 8", (1,)),
        ("16 3 2 13\n5 10 11 8\n9 6 7 12\n4 15 14 1", (1,)),
        ("1 14 7 12\n15 4 9 6\n10 5 16 3\n8 11 2 13", (1,)),
    ],
)
def test_magic_squares(text: str, magic: tuple[int, ...]) -> None:
    numbers = numbers_of(text)
    side = len(numbers)
    at = {number: row * side + col for row, line in enumerate(numbers) for col, number in enumerate(line)}
    case = Case(Board(side), [at[number] for number in sorted(at)], wandering(side), closed=True)
    facts = case.facts()
    assert (facts.magic, facts.magic_constant) == ("magic", sum(numbers[0]))
    assert facts.magic_starts[: len(magic)] == magic
    assert [(n, n in facts.magic_starts) for n in facts.semi_magic_starts] == brute_force_starts(case)
    shifted = Case(case.board, case.squares[3:] + case.squares[:3], case.piece, closed=True).facts()
    assert len(case.squares) - 3 + 1 in shifted.magic_starts
    with in_blocks(5):
        assert case.facts() == facts


# --- images, and the two rungs ----------------------------------------------------------------------


def unchanging(facts: TourFacts) -> dict[str, Any]:
    """What reversing, turning and mirroring must leave as it is."""
    names = ["turns", "runs", "longest_run", "angles", "lengths", "crossings", "overlaps", "touches", "glued_moves"]
    names += ["symmetry", "variety", "symmetry_order", "closable", "squares", "moves"]
    kept = {name: getattr(facts, name) for name in names}
    half: Counter[frozenset[int]] = Counter()
    for (down, right), count in facts.directions:
        half[frozenset({abs(down), abs(right)})] += count
    return {**kept, "moves by length": half, "is one sum": facts.magic_constant is not None}


@given(st.data())
def test_images_have_the_same_facts(data: st.DataObject) -> None:
    case = data.draw(st.one_of(carved_cases(wraps=["none"]), small_cases().filter(lambda c: c.board.wrap == "none")))
    assume(case.piece.is_symmetric)
    facts = case.facts()
    number = data.draw(st.integers(0, 7), label="symmetry")
    rows, cols = case.board.rows, case.board.cols

    def image(square: int) -> int:
        row, col = divmod(square, cols)
        row, col = (rows - 1 - row if number & 1 else row), (cols - 1 - col if number & 2 else col)
        return col * rows + row if number & 4 else row * cols + col

    board = Board(*((cols, rows) if number & 4 else (rows, cols)), holes={image(hole) for hole in case.board.holes})
    squares = [image(square) for square in case.squares]
    other = Case(board, squares, case.piece, closed=case.closed).facts()
    assert unchanging(other) == unchanging(facts)
    sums = (other.col_sums, other.row_sums) if number & 4 else (other.row_sums, other.col_sums)
    assert (Counter(sums[0]), Counter(sums[1])) == (Counter(facts.row_sums), Counter(facts.col_sums))
    back = Case(board, squares[::-1], case.piece, closed=case.closed).facts()
    assert unchanging(back) == unchanging(facts)
    if case.closed:
        turn = data.draw(st.integers(0, len(squares) - 1), label="start")
        turned = Case(board, squares[turn:] + squares[:turn], case.piece, closed=True).facts()
        skipped = {"is one sum"}
        assert {k: v for k, v in unchanging(turned).items() if k not in skipped} == {
            k: v for k, v in unchanging(facts).items() if k not in skipped
        }
        assert len(turned.semi_magic_starts) == len(facts.semi_magic_starts)


@given(case=st.one_of(small_cases(), carved_cases(), st.sampled_from(GLUED)), size=st.integers(1, 30))
def test_both_rungs_agree(case: Case, size: int) -> None:
    wanted = case.facts()
    with in_blocks(size):
        assert isinstance(case.walk().squares, np.ndarray)
        assert case.facts() == wanted


@pytest.mark.parametrize("dtype", [np.int16, np.uint16, np.int32, np.int64, np.uint64])
def test_both_rungs_agree_on_whole_boards(case: Case, dtype: type[np.integer[Any]]) -> None:
    wanted = case.facts()
    array = np.array(case.squares, dtype)
    assert tour_facts(case.board, array, closed=case.closed, piece=case.piece) == wanted
    with in_blocks(50):
        assert tour_facts(case.board, array, closed=case.closed, piece=case.piece) == wanted


def test_a_large_tour() -> None:
    """6x6 tours in a row: figures in the middle repeat, so the facts of two lengths give those of a third."""
    part = KnightTours(6, start=0, end=Board(6).square((2, 5))).solve()
    assert part is not None

    def row_of(count: int) -> TourFacts:
        rows, cols = np.divmod(np.array(part.squares), 6)
        squares = np.tile(rows, count) * 6 * count + np.tile(cols, count) + 6 * np.repeat(np.arange(count), 36)
        return tour_facts(Board(6, 6 * count), squares)

    few, more, many = (row_of(count) for count in (10, 11, 600))
    assert few.squares < measures.SMALL < many.squares
    for name in ("turns", "runs", "crossings", "moves"):
        one = getattr(more, name) - getattr(few, name)
        assert getattr(many, name) == getattr(few, name) + 590 * one
    assert many.symmetry == "asymmetric"
    assert sum(many.row_sums) == sum(many.col_sums) == 36 * 600 * (36 * 600 + 1) // 2


# --- what is refused --------------------------------------------------------------------------------


TOUR_3X4 = (0, 6, 8, 1, 7, 9, 2, 4, 10, 3, 5, 11)


@pytest.mark.parametrize(
    ("board", "squares", "closed", "message"),
    [
        (Board(3, 4), TOUR_3X4[:-1], False, "squares"),
        (Board(3, 4), (*TOUR_3X4[:-1], 0), False, "time"),
        (Board(3, 4), (*TOUR_3X4[:1], 0, *TOUR_3X4[2:]), False, "time"),
        (Board(3, 4), TOUR_3X4[1::-1] + TOUR_3X4[2:], False, "move"),
        (Board(3, 4), TOUR_3X4, True, "move"),
        (Board(1), (0,), True, "closed|move"),
        (Board(3), (0,), False, "squares"),
    ],
)
def test_only_tours_have_facts(board: Board, squares: tuple[int, ...], closed: bool, message: str) -> None:
    with pytest.raises(InvalidPuzzle, match=f"only a tour has facts.*({message})"):
        tour_facts(board, squares, closed=closed)
    with in_blocks(4), pytest.raises(InvalidPuzzle, match=f"only a tour has facts.*({message})"):
        tour_facts(board, squares, closed=closed)


def test_squares_off_the_board_are_refused() -> None:
    for wrong in (12, -1):
        with pytest.raises(InvalidSquare, match="not on the 3x4 board"):
            tour_facts(Board(3, 4), (*TOUR_3X4[:-1], wrong))
        with in_blocks(5), pytest.raises(InvalidPuzzle, match="step 12 is off the board"):
            tour_facts(Board(3, 4), (*TOUR_3X4[:-1], wrong))
    board = Board(3, 4, holes=[11])
    with pytest.raises(InvalidSquare, match="hole"):
        tour_facts(board, (*TOUR_3X4[:-2], 11))
    with in_blocks(5), pytest.raises(InvalidPuzzle, match="step 11 is off the board, on a hole"):
        tour_facts(board, (*TOUR_3X4[:-2], 11))


def test_arrays_of_something_else_are_refused() -> None:
    array = np.array(TOUR_3X4, np.int64)
    with in_blocks(), pytest.raises(InvalidPuzzle, match="float64 in 1 dimension"):
        tour_facts(Board(3, 4), array.astype(float))
    with in_blocks(2), pytest.raises(InvalidPuzzle, match="in 2 dimensions"):
        tour_facts(Board(3, 4), np.tile(array, (3, 1)))
    with pytest.raises(InvalidPuzzle, match="not by a queen"):
        tour_facts(Board(1), (0,), piece=QUEEN)
    with pytest.raises(InvalidPuzzle, match="at most 64 steps"):
        tour_facts(Board(1), (0,), piece=wandering(6))


@given(st.lists(st.integers(-2, 8), max_size=12), st.integers(1, 5))
def test_the_first_wrong_visit(squares: list[int], size: int) -> None:
    right: set[int] = {2}
    wanted = -1
    for at, square in enumerate(squares):
        if not 0 <= square < 7 or square in right:
            wanted = at
            break
        right.add(square)
    with in_blocks(size):
        assert kernel.first_wrong_visit(np.array(squares, np.int64), 7, np.array([2])) == wanted


# --- print and the command line ---------------------------------------------------------------------

PRINTED = """\
squares     64, open, a8 to c1
length      63 moves, 63√5 = 140.87 sides of a square
directions  -2,-1: 4  -2,+1: 8  -1,-2: 8  -1,+2: 8  +1,-2: 11  +1,+2: 12  +2,-1: 8  +2,+1: 4  (rows down, columns right)
turns       62; straight runs 63, the longest of 1 move
angles      36.9°: 12  53.1°: 6  90.0°: 24  126.9°: 8  143.1°: 12
crossings   98
symmetry    asymmetric
sums        semi-magic: rows 260, columns 260, diagonals 282 and 210"""


def test_print() -> None:
    assert str(tour_facts(Board(8), squares_of(BEVERLEY))) == PRINTED
    lines = str(tour_facts(Board(8), squares_of(DUDENEY), closed=True)).splitlines()
    assert lines[0] == "squares     64, closed, from c1"
    assert lines[-1] == "numberings  semi-magic from step 1, 9, 17, 33, 49; of these magic: none"
    text = str(tour_facts(Board(8), squares_of(EULER), closed=True))
    assert "symmetry    rotary (Eulerian), order 2: rotate 180°\n" in text
    assert "not magic: rows 124 to 396, columns 256 to 264" in text
    assert "a4 to c5, one move apart" in str(tour_facts(Board(8), squares_of(EULER)))
    assert "(backwards)" in str(tour_facts(Board(3, 4), TOUR_3X4))
    assert str(tour_facts(Board(1), (0,))).splitlines()[0] == "squares     1, open, a1 to a1"


@given(st.one_of(small_cases(), carved_cases(), st.sampled_from(GLUED)))
def test_json_and_print_of_any_tour(case: Case) -> None:
    facts = case.facts()
    told = facts.as_dict()
    assert json.loads(json.dumps(told)) == told
    assert (told["turns"], told["crossings"], told["magic"]) == (facts.turns, facts.crossings, facts.magic)
    nouns = [line[:12].strip() for line in str(facts).splitlines()]
    assert nouns[:8] == ["squares", "length", "directions", "turns", "angles", "crossings", "symmetry", "sums"]


def test_check_prints_facts(inside: Run) -> None:
    done = inside("check", "tour", "-", "--facts", text=BEVERLEY)
    assert (done.returncode, done.stdout) == (0, f"valid: open tour of 8x8\n{PRINTED}\n")
    assert inside("check", "tour", "-", text=BEVERLEY).stdout == "valid: open tour of 8x8\n"
    done = inside("check", "tour", "-", "--facts", "--closed", text=EULER)
    assert "rotary (Eulerian)" in done.stdout


def test_check_prints_facts_of_valid_tours_only(inside: Run) -> None:
    broken = BEVERLEY.replace("47", "46", 1)
    done = inside("check", "tour", "-", "--facts", text=broken)
    assert done.returncode == 1
    assert done.stdout == inside("check", "tour", "-", text=broken).stdout
    done = inside("check", "tour", "-", "--facts", "--json", text=broken)
    assert "facts" not in json.loads(done.stdout)


def test_check_prints_facts_of_each_tour(inside: Run) -> None:
    text = f"{BEVERLEY}\n{BEVERLEY.replace('47', '46', 1)}\n{EULER}"
    done = inside("check", "tour", "-", "--facts", text=text)
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    assert lines[:9] == ["tour 1: valid: open tour of 8x8", *PRINTED.splitlines()]
    assert [line for line in lines if "valid: open" in line] == [f"tour {n}: valid: open tour of 8x8" for n in (1, 3)]
    assert lines[-1] == "3 tours, 2 valid, 1 with faults"
    first, second, third = map(
        json.loads, inside("check", "tour", "-", "--facts", "--json", text=text).stdout.splitlines()
    )
    assert first["facts"] == tour_facts(Board(8), squares_of(BEVERLEY)).as_dict()
    assert "facts" not in second
    assert third["facts"]["closable"] is True


def test_check_facts_of_other_boards_and_pieces(inside: Run) -> None:
    solved_text = inside("solve", "tour", "10x10", "--piece", "giraffe", "--json").stdout
    names = " ".join(Board(10).name(tuple(cell)) for cell in json.loads(solved_text)["answer"]["cells"])
    done = inside("check", "tour", "-", "--board", "10x10", "--piece", "giraffe", "--facts", "--json", text=names)
    [told] = map(json.loads, done.stdout.splitlines())
    assert (told["facts"]["piece"], told["facts"]["exact_length"]) == ("giraffe", "99√17")
    names = " ".join(map(TRANSLATIONAL.board.name, TRANSLATIONAL.squares))
    options = ("--board", "5x5", "--wrap", "torus", "--closed", "--facts")
    done = inside("check", "tour", "-", *options, text=names)
    assert done.returncode == 0
    assert "translational, order 5: shift by 0,1\n" in done.stdout


def test_facts_of_a_small_tour_load_no_numpy(tmp_path: Path) -> None:
    (tmp_path / "tour.txt").write_text(DUDENEY)
    code = (
        "import sys\nfrom backrank.cli.main import main\n"
        f"try:\n    main(['check', 'tour', {str(tmp_path / 'tour.txt')!r}, '--closed', '--facts'])\n"
        "except SystemExit as left:\n    sys.exit(left.code or bool({'numpy', 'numba'} & sys.modules.keys()))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "numberings" in done.stdout
