"""Random tours: another one for every seed, the same one for the same seed, always a tour."""

from __future__ import annotations

import random

import numpy as np
import pytest

from backrank.errors import BudgetExceeded, InvalidPuzzle, UnknownName
from backrank.runtime.budget import Budget
from backrank.tours import KnightTours

PUZZLES = [
    KnightTours(8),
    KnightTours(8, closed=True),
    KnightTours(8, start="a1", end="a8"),
    KnightTours(8, closed=True, start="d4", end="f5"),
    KnightTours(7, 9, end="a1"),
    KnightTours(14, 15, start="b2"),
    KnightTours(9, 10, holes=["e5", "e6"]),
    KnightTours(8, wrap="torus", closed=True),
    KnightTours(10, piece="zebra"),
    KnightTours(120, 90, closed=True),
]


@pytest.mark.parametrize("puzzle", PUZZLES, ids=repr)
def test_every_seed_gives_a_tour_of_its_own(puzzle: KnightTours) -> None:
    tours = [puzzle.solve(rng=seed) for seed in range(4)]
    assert all(tour is not None and tour in puzzle for tour in tours)
    assert len(set(tours)) == 4
    assert puzzle.solve(rng=2) == tours[2]


def test_open_tours_begin_and_end_anywhere() -> None:
    tours = [KnightTours(8).solve(rng=seed) for seed in range(30)]
    assert len({tour.start for tour in tours if tour}) > 15
    assert len({tour.end for tour in tours if tour}) > 15


def test_closed_tours_are_read_as_iterating_reads_them() -> None:
    for side in (6, 110):
        for seed in range(3):
            tour = KnightTours(side, closed=True).solve(rng=seed)
            assert tour is not None
            assert tour.start == 0
            assert tour.square_at(2) < tour.end


def test_large_boards_are_turned_over() -> None:
    tours = KnightTours(1000, closed=True)
    one, other = tours.solve(rng=1), tours.solve(rng=2)
    assert one is not None
    assert other is not None
    assert one in tours
    assert other in tours
    after = np.empty(10**6, np.int64)
    after[one.array] = np.roll(one.array, -1)
    before = np.empty(10**6, np.int64)
    before[one.array] = np.roll(one.array, 1)
    following = np.roll(other.array, -1)
    shared = (after[other.array] == following) | (before[other.array] == following)
    assert shared.mean() < 0.4


def test_seeds_come_from_generators_too() -> None:
    puzzle = KnightTours(8, closed=True)
    assert puzzle.solve(rng=np.random.default_rng(5)) == puzzle.solve(rng=np.random.default_rng(5))
    assert puzzle.solve(rng=random.Random(5)) == puzzle.solve(rng=random.Random(5))  # noqa: S311 - a test
    dice = np.random.default_rng(5)
    assert puzzle.solve(rng=dice) != puzzle.solve(rng=dice)


@pytest.mark.parametrize("puzzle", [KnightTours(4), KnightTours(7, closed=True), KnightTours(3, holes=["a1"])])
def test_there_is_no_random_tour_where_there_is_none(puzzle: KnightTours) -> None:
    assert puzzle.solve(rng=1) is None


@pytest.mark.parametrize("puzzle", [KnightTours(1), KnightTours(3, 4), KnightTours(5, start="a1"), KnightTours(3, 8)])
def test_small_boards_have_random_tours_too(puzzle: KnightTours) -> None:
    for seed in range(5):
        assert puzzle.solve(rng=seed) in puzzle


def test_small_boards_have_many() -> None:
    corner = {KnightTours(5, start="a1").solve(rng=seed) for seed in range(60)}
    assert len(corner) > 20
    assert len({KnightTours(6, closed=True).solve(rng=seed) for seed in range(40)}) > 30


def test_the_time_limit_is_kept() -> None:
    with pytest.raises(BudgetExceeded, match="time limit"):
        KnightTours(3000, closed=True).solve(rng=1, budget=Budget(seconds=0.01))


def test_what_does_not_go_with_a_seed_is_refused() -> None:
    with pytest.raises(InvalidPuzzle, match="leave out the strategy"):
        KnightTours(8).solve(rng=1, strategy="warnsdorff")
    with pytest.raises(InvalidPuzzle, match="its own way"):
        KnightTours(8).search(rng=1, engine="cp-sat")
    with pytest.raises(InvalidPuzzle, match="seed"):
        KnightTours(8).solve(rng=-1)
    with pytest.raises(UnknownName, match="cp-sat"):
        KnightTours(8).search(engine="stockfish")
