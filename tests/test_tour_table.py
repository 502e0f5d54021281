"""The table of all tours of a net: numbers of any length, any order of squares, and nets without tours."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
from numba import types

from backrank.errors import InvalidPuzzle
from backrank.runtime.budget import Budget
from backrank.tours import KnightTours
from backrank.tours.frontier.sweeps import net_of
from backrank.tours.frontier.transitions import MAX_WIDTH, Net, width_needed
from backrank.tours.ranking import prefixes_jit as tour_numbers
from backrank.tours.ranking.table import TourTable

FREE = Budget()
RANDOM = random.Random


def test_numbers_of_any_length_are_exact() -> None:
    tours = KnightTours(3, 60, closed=True)
    sampler = tours.sampler()
    assert sampler.count == tours.count() > 2**64
    chance = RANDOM(1)
    for number in (0, 1, sampler.count - 1, *(chance.randrange(sampler.count) for _ in range(30))):
        tour = sampler.tour(number)
        assert tour in tours
        assert sampler.number(tour) == number
    open_tours = KnightTours(3, 24)
    assert open_tours.rank(open_tours.unrank(open_tours.count() - 1)) == open_tours.count() - 1


@pytest.mark.parametrize("which", range(3))
def test_any_order_numbers_the_tours(which: int) -> None:
    # In a poor order there are more than 16 active squares, and a state is two words.
    tours = KnightTours(3, 10, closed=True)
    net = net_of(tours.spec)
    orders = (RANDOM(seed).sample(list(tours.board), 30) for seed in range(99))
    order = [each for each in orders if 16 < width_needed(net, each) <= MAX_WIDTH][which]
    made = TourTable.made(net, order, FREE.start())
    assert made.count == 16
    found = {frozenset(_moves(made, number)) for number in range(16)}
    expected = {frozenset(map(frozenset, pairwise((*tour.squares, tour.start)))) for tour in tours}
    assert found == expected
    assert made.states == sum(len(layer.counts) for layer in made.layers) > 30
    assert made.bytes > 0


def _moves(made: TourTable, number: int) -> Iterator[frozenset[int]]:
    for square, later in made.moves(number):
        for other in later:
            yield frozenset((square, other))


def test_a_table_without_tours_is_empty() -> None:
    for near in ({0: [1, 2], 1: [0], 2: [0], 3: []}, {0: [1, 2], 1: [0], 2: [0]}):
        net = Net({square: frozenset(others) for square, others in near.items()})
        made = TourTable.made(net, list(near), FREE.start())
        assert (made.count, made.states, sum(made.first_moves().values())) == (0, 0, 0)
        with pytest.raises(InvalidPuzzle, match="not one of the tours"):
            made.number(near)


def test_the_kernel_returns_whole_numbers() -> None:
    KnightTours(5).unrank(100)
    kernel: Any = tour_numbers.find_tour
    assert {kernel.overloads[each].signature.return_type for each in kernel.signatures} <= {types.int64}
