"""Shuffled tours: still tours, with the ends that they had, the same in both gears, and little like what they were."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from functools import lru_cache
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba import types

from backrank import KnightTours
from backrank.errors import BoardTooLarge, BudgetExceeded, InvalidPuzzle
from backrank.geometry.board import Board
from backrank.geometry.pieces import KING, KNIGHT, QUEEN, Piece, leaper
from backrank.geometry.verify import tour_faults
from backrank.runtime.budget import Budget
from backrank.runtime.rng import Dice, Randomness, seed_of
from backrank.tours.randomize import shuffle
from backrank.tours.randomize import shuffle_jit as tour_shuffle
from backrank.tours.randomize.shuffle import GearName
from strategies import brute_force_tours

HOLES = [37, 50, 65, 118, 131, 164, 170, 249, 285, 312]
WIDE = Piece("wide", (*KING.steps, *KNIGHT.steps))  # sixteen steps: more than a byte holds

TOUR34 = (0, 6, 8, 1, 7, 9, 2, 11, 5, 3, 10, 4)
CASES: list[tuple[Board, Piece, bool]] = [
    (Board(8), KNIGHT, False),
    (Board(8), KNIGHT, True),
    (Board(9), KNIGHT, False),
    (Board(5, 12), KNIGHT, True),
    (Board(12, 5), KNIGHT, False),
    (Board(3, 40), KNIGHT, False),
    (Board(4, 30), KNIGHT, False),
    (Board(24, 30), KNIGHT, True),
    (Board(20, holes=HOLES), KNIGHT, False),
    (Board(8, wrap="cylinder"), KNIGHT, True),
    (Board(7, wrap="cylinder"), KNIGHT, False),
    (Board(5, wrap="torus"), KNIGHT, True),
    (Board(3, 9, wrap="torus"), KNIGHT, False),
    (Board(4, wrap="torus"), KNIGHT, True),
    (Board(16, 10, wrap="torus"), KNIGHT, True),
    (Board(20), leaper(2, 3), True),
    (Board(20), leaper(1, 4), False),
    (Board(9), KING, False),
    (Board(8), leaper(0, 1), True),
    (Board(9), WIDE, True),
]
IDS = [f"{board} {piece} {'closed' if closed else 'open'}" for board, piece, closed in CASES]


@lru_cache(maxsize=64)
def a_tour(board: Board, piece: Piece = KNIGHT, closed: bool = False) -> tuple[int, ...]:
    """Some tour: the shuffle is given what the solver finds."""
    tour = KnightTours(board, piece=piece, closed=closed).solve()
    assert tour is not None
    return tour.squares


def shuffled(
    board: Board,
    squares: Sequence[int],
    seed: Randomness,
    *,
    piece: Piece = KNIGHT,
    closed: bool = False,
    gear: GearName = "python",
    sweeps: int = shuffle.SWEEPS,
) -> tuple[int, ...]:
    made = shuffle.shuffled(
        board, piece, squares, closed=closed, rng=seed, meter=Budget().start(), sweeps=sweeps, gear=gear
    )
    assert isinstance(made, tuple) == (gear == "python")
    return tuple(map(int, made))


def links(squares: Sequence[int], *, closed: bool) -> set[frozenset[int]]:
    onward = [*squares[1:], *(squares[:1] if closed else ())]
    return {frozenset(link) for link in zip(squares, onward, strict=False)}


def shared(one: Sequence[int], other: Sequence[int], *, closed: bool) -> float:
    """The part of the links of a tour that another one has too."""
    first, second = links(one, closed=closed), links(other, closed=closed)
    return len(first & second) / len(first)


@pytest.mark.parametrize(("board", "piece", "closed"), CASES, ids=IDS)
def test_shuffled_tours_are_tours_and_the_gears_agree(board: Board, piece: Piece, closed: bool) -> None:
    squares = a_tour(board, piece, closed)
    made = set()
    for seed in range(4):
        tour = shuffled(board, squares, seed, piece=piece, closed=closed)
        end = None if closed else squares[-1]
        cells = [board.cell(square) for square in tour]
        assert tour_faults(board, cells, closed=closed, start=squares[0], end=end, piece=piece) == []
        assert not closed or tour[1] < tour[-1]
        assert shuffled(board, squares, seed, piece=piece, closed=closed, gear="kernel") == tour
        made.add(tour)
    if board.size >= 25:  # so many tours that four seeds do not meet
        assert len(made | {squares}) == 5
    else:
        assert len(made) > 1


@pytest.mark.parametrize(("rows", "cols"), [(5, 5), (3, 10), (5, 6), (6, 6), (4, 5)])
def test_gears_agree_where_joining_is_hard(rows: int, cols: int) -> None:
    board = Board(rows, cols)
    for closed in [False, True][: 2 if board.size % 2 == 0 and rows != 4 else 1]:
        squares = a_tour(board, closed=closed)
        for seed in range(6):
            tour = shuffled(board, squares, seed, closed=closed)
            assert shuffled(board, squares, seed, closed=closed, gear="kernel") == tour


def test_every_tour_of_a_small_board_stays_one() -> None:
    known = set(brute_force_tours(Board(5), (0, 0)))
    for number, cells in enumerate(sorted(known)):
        tour = shuffled(Board(5), [row * 5 + col for row, col in cells], number)
        assert tuple(divmod(square, 5) for square in tour) in known
        assert tour[-1] == cells[-1][0] * 5 + cells[-1][1]


def test_all_closed_tours_of_5x6_come_up() -> None:
    squares = a_tour(Board(5, 6), closed=True)
    assert len({shuffled(Board(5, 6), squares, seed, closed=True) for seed in range(150)}) == 8


def test_different_seeds_give_different_tours() -> None:
    for closed in (False, True):
        squares = a_tour(Board(8), closed=closed)
        made = {shuffled(Board(8), squares, seed, closed=closed, gear="kernel") for seed in range(200)}
        assert len(made) == 200


@pytest.mark.parametrize(("side", "most"), [(8, 0.68), (20, 0.43), (60, 0.33)])
def test_little_is_left_of_the_tour(side: int, most: float) -> None:
    """A link of one tour is in an independent one about as often as in two of eight (more at the edges)."""
    board, squares = Board(side), a_tour(Board(side), closed=True)
    made = [shuffled(board, squares, seed, closed=True, gear="kernel") for seed in range(10)]
    assert sum(shared(tour, squares, closed=True) for tour in made) / 10 < most
    assert sum(shared(made[i], made[i - 1], closed=True) for i in range(10)) / 10 < most
    assert shared(squares, squares, closed=True) == 1


def test_more_sweeps_leave_less() -> None:
    board, squares = Board(30), a_tour(Board(30), closed=True)
    left = [
        shared(shuffled(board, squares, 3, closed=True, gear="kernel", sweeps=sweeps), squares, closed=True)
        for sweeps in (0, 1, 4, 16)
    ]
    assert left[0] == 1
    assert left == sorted(left, reverse=True)
    assert left[1] > left[2] > left[3]


@pytest.mark.parametrize("gear", ["python", "kernel"])
def test_the_given_tour_is_the_last_resort(gear: GearName, monkeypatch: pytest.MonkeyPatch) -> None:
    squares = a_tour(Board(8))
    monkeypatch.setattr(shuffle, "_RESCUES", 0)
    assert shuffled(Board(8), squares, 1, gear=gear) == squares


def test_the_end_of_a_closed_tour_is_kept_by_calling_it_open() -> None:
    squares = a_tour(Board(8), closed=True)
    for seed in range(5):
        tour = shuffled(Board(8), squares, seed)
        assert (tour[0], tour[-1]) == (squares[0], squares[-1])
        assert tour_faults(Board(8), [divmod(square, 8) for square in tour], closed=True) == []


def test_large_boards_get_arrays() -> None:
    board, squares = Board(101, 100), a_tour(Board(101, 100), closed=True)
    assert board.size > shuffle.MAX_PLAIN_SQUARES
    array = np.array(squares, np.int64)
    array.flags.writeable = False
    made = shuffle.shuffled(board, KNIGHT, array, closed=True, rng=1, meter=Budget().start())
    assert isinstance(made, np.ndarray)
    assert made.dtype == np.int32
    tour = made.tolist()
    assert tour_faults(board, [board.cell(square) for square in tour], closed=True, start=squares[0]) == []
    assert array.tolist() == list(squares)
    assert tuple(tour) == shuffled(board, squares, 1, closed=True)


@pytest.mark.parametrize("gear", ["python", "kernel"])
@pytest.mark.parametrize(
    ("board", "squares"),
    [
        (Board(1), (0,)),
        (Board(1, wrap="torus"), (0,)),
        (Board(2, 2, holes=[0, 1, 3]), (2,)),
        (Board(2, 3, holes=[1, 2, 3, 4]), (0, 5)),
        (Board(3, 3, holes=[1, 2, 3, 4, 6, 8]), (5, 0, 7)),
        (Board(3, 4), TOUR34),
    ],
)
def test_boards_with_nothing_to_switch(board: Board, squares: tuple[int, ...], gear: GearName) -> None:
    assert shuffled(board, squares, 1, gear=gear) == squares


@pytest.mark.parametrize("gear", ["python", "kernel"])
@pytest.mark.parametrize("budget", [Budget(seconds=1e-9), Budget(cancelled=lambda: True, interval=0)])
def test_the_clock_and_the_user_can_stop_it(budget: Budget, gear: GearName) -> None:
    squares, meter = a_tour(Board(8)), budget.start()
    with pytest.raises(BudgetExceeded):
        shuffle.shuffled(Board(8), KNIGHT, squares, closed=False, rng=1, meter=meter, gear=gear)


@pytest.mark.parametrize("gear", ["python", "kernel"])
@pytest.mark.parametrize(
    ("squares", "closed", "message"),
    [
        ([0, 6, 8, 1, 7, 9, 2, 11, 5, 3, 10], False, "it visits 12 squares, not 11"),
        ([], False, "it visits 12 squares, not 0"),
        ([0, 6, 8, 1, 7, 9, 2, 11, 5, 3, 10, 0], False, "c1 to a3 is not a knight move"),
        ([0, 6, 8, 1, 7, 9, 2, 11, 5, 3, 10, 4], True, "a2 to a3 is not a knight move"),
        ([0, 6, 0, 6, 0, 6, 0, 6, 0, 6, 0, 6], False, "it visits each of them once"),
        ([0, 6, 8, 1, 7, 9, 2, 11, 5, 3, 10, 12], False, "12 is none of its squares"),
        ([0, 6, 8, 1, 7, 9, 2, 11, 5, 3, 10, -2], False, "-2 is none of its squares"),
        ([0.0, *TOUR34[1:]], False, "its squares are whole numbers"),
    ],
)
def test_what_is_no_tour_is_refused(squares: list[int], closed: bool, message: str, gear: GearName) -> None:
    with pytest.raises(InvalidPuzzle, match=message):
        shuffled(Board(3, 4), squares, 1, closed=closed, gear=gear)


@pytest.mark.parametrize("gear", ["python", "kernel"])
def test_holes_and_short_cycles_are_refused(gear: GearName) -> None:
    with pytest.raises(InvalidPuzzle, match="of the 3x2 with 4 holes board"):
        shuffled(Board(3, 2, holes=[1, 2, 3, 4]), [0, 3], 1, gear=gear)
    with pytest.raises(InvalidPuzzle, match="closed one has at least 3 squares, not 2"):
        shuffled(Board(3, 2, holes=[1, 2, 3, 4]), [0, 5], 1, closed=True, gear=gear)
    with pytest.raises(InvalidPuzzle, match="no hole"):
        shuffled(Board(1, 2, holes=[0]), [0], 1, gear=gear)


@pytest.mark.parametrize("gear", ["python", "kernel"])
def test_other_pieces_are_refused(gear: GearName) -> None:
    with pytest.raises(InvalidPuzzle, match="not by a queen"):
        shuffled(Board(1), [0], 1, piece=QUEEN, gear=gear)
    with pytest.raises(InvalidPuzzle, match="take back each of its steps; the pawn cannot"):
        shuffled(Board(1), [0], 1, piece=Piece("pawn", ((-1, 0),)), gear=gear)
    far = Piece("far", tuple((row, col) for row in range(-4, 5) for col in range(-4, 5) if row or col))
    with pytest.raises(InvalidPuzzle, match="at most 62 steps; the far has 80"):
        shuffled(Board(1), [0], 1, piece=far, gear=gear)


@pytest.mark.parametrize("sweeps", [-1, True, 1.5, "2", None])
def test_bad_sweeps_are_refused(sweeps: Any) -> None:
    with pytest.raises(InvalidPuzzle, match="the number of sweeps must be a whole number, at least 0, not"):
        shuffled(Board(1), [0], 1, sweeps=sweeps)


def test_boards_beyond_all_memory_are_refused() -> None:
    with pytest.raises(BoardTooLarge, match="shuffling takes at most 2,147,483,647"):
        shuffled(Board(10**5), [0], 1)


# --- randomness -------------------------------------------------------------------------------------


def test_seeds_and_generators() -> None:
    squares = a_tour(Board(8))
    by_seed = {
        shuffled(Board(8), squares, rng)
        for rng in (7, 2**64 + 7, 10**100, np.int64(9), Random(1), np.random.default_rng(1))  # noqa: S311 - no secret
    }
    assert len(by_seed) == 6
    for make in (Random, np.random.default_rng):
        assert shuffled(Board(8), squares, make(5)) == shuffled(Board(8), squares, make(5))
    rng = np.random.default_rng(5)
    assert shuffled(Board(8), squares, rng) != shuffled(Board(8), squares, rng)


@pytest.mark.parametrize(
    "rng", [-1, -(10**50), True, 1.0, "1", "long" * 30, Random, np.random.default_rng, np.int64(-1), object()]
)
def test_bad_seeds_are_refused(rng: Any) -> None:
    with pytest.raises(
        InvalidPuzzle, match=r"the seed must be a whole number, at least 0, or a random .* not .+"
    ) as no:
        seed_of(rng)
    assert "\n" not in str(no.value)
    assert len(str(no.value)) < 150


@given(seed=st.integers(0, 2**70), bits=st.integers(0, 130))
def test_seeds_fit_into_64_bits_and_small_ones_stay(seed: int, bits: int) -> None:
    assert 0 <= seed_of(seed) < 2**64
    assert seed >= 2**64 or seed_of(seed) == seed
    assert seed_of(seed) != seed_of(seed ^ 1 << bits)


def test_the_dice_are_splitmix64() -> None:
    """Against the numbers that the authors' program prints for the seed 1234567."""
    dice = Dice(1234567)
    assert [dice.draw() for _ in range(5)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


@given(seed=st.integers(0, 2**64 - 1))
def test_the_dice_of_the_kernels_are_those_of_python(seed: int) -> None:
    state, dice = np.array([seed], np.uint64), Dice(seed)
    assert [int(tour_shuffle.rolled(state)) for _ in range(3)] == [dice.draw() for _ in range(3)]
    assert int(state[0]) == dice.state


def test_seeds_need_neither_numpy_nor_numba() -> None:
    code = (
        "import sys, random\n"
        "from backrank import Board\n"
        "from backrank.runtime.budget import Budget\n"
        "from backrank.geometry.pieces import KNIGHT\n"
        "from backrank.tours.randomize.shuffle import shuffled\n"
        "shuffled(Board(1), KNIGHT, [0], closed=False, rng=random.Random(1), meter=Budget().start())\n"
        "sys.exit(bool({'numpy', 'numba'} & sys.modules.keys()))"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


# --- the kernels ------------------------------------------------------------------------------------


def test_return_types() -> None:
    shuffled(Board(8), a_tour(Board(8)), 1, gear="kernel")
    kernels: list[Any] = [tour_shuffle.load_links, tour_shuffle.mix_rows, tour_shuffle.label_rows]
    kernels += [tour_shuffle.join_rows, tour_shuffle.stir_rows]
    for function in kernels:
        assert {str(signature.return_type) for signature in function.nopython_signatures} <= {str(types.int64)}
    assert {str(signature.return_type) for signature in kernels[1].nopython_signatures} == {str(types.int64)}


_CHECKED = """
from backrank import Board
from backrank.runtime.budget import Budget
from backrank.geometry.pieces import KNIGHT
from backrank.tours.randomize.shuffle import shuffled
for board, tour in [
    (Board(3, 4), %r),
    (Board(3, 4, wrap="torus"), %r),
    (Board(5), %r),
    (Board(8), %r),
]:
    for seed in range(5):
        ways = [
            tuple(shuffled(board, KNIGHT, tour, closed=False, rng=seed, meter=Budget().start(), gear=gear))
            for gear in ("python", "kernel")
        ]
        assert ways[0] == ways[1]
"""


def test_no_index_is_out_of_bounds(tmp_path: Any) -> None:
    environment = {"NUMBA_BOUNDSCHECK": "1", "NUMBA_CACHE_DIR": str(tmp_path), "PATH": "/usr/bin:/bin"}
    code = _CHECKED % (TOUR34, TOUR34, a_tour(Board(5)), a_tour(Board(8)))
    subprocess.run([sys.executable, "-c", code], env=environment, check=True, timeout=250)
