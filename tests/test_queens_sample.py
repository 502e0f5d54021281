"""Uniform samples: numbers and placements go one to one, samples are equally likely, and the command draws them."""

from __future__ import annotations

import json
import pickle
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import islice, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import types

from backrank.errors import BoardTooLarge, BudgetExceeded, InvalidPuzzle
from backrank.geometry.board import Board
from backrank.geometry.verify import queens_faults
from backrank.queens.backtracking.reference import iter_placements
from backrank.queens.ranking import sampling
from backrank.queens.ranking import sampling_jit as queens_sample
from backrank.queens.ranking.numberings import ColumnSetNumbers, Listed
from backrank.queens.ranking.sampling import PlacementSampler, Prefixes
from backrank.runtime.budget import Budget, Counters
from backrank.runtime.progress import Progress
from backrank.runtime.rng import Dice
from backrank.runtime.status import STOPPED
from counts import published
from strategies import boards

FREE = Budget()
RANDOM = random.Random
Run = Callable[..., subprocess.CompletedProcess[str]]


def listed(board: Board, queens: int) -> list[list[int]]:
    """All placements, by the textbook's search, in lexicographic order."""
    return [list(p) for p in iter_placements(board, queens, meter=FREE.start(), counters=Counters())]


def by_prefixes(board: Board, queens: int) -> Prefixes:
    numbering = Prefixes.made(board, queens, FREE.start())
    assert numbering is not None
    return numbering


# --- numbers ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("side", range(4, 10))
@pytest.mark.parametrize("threads", [1, 2])
def test_column_sets_number_every_placement_once(side: int, threads: int) -> None:
    numbering = ColumnSetNumbers.made(side, FREE.start(), threads)
    found = [numbering.squares(number) for number in range(numbering.count)]
    assert sorted(found) == listed(Board(side), side)


@pytest.mark.parametrize("side", [10, 11])
def test_column_sets_number_every_placement_of_larger_boards_once(side: int) -> None:
    numbering = ColumnSetNumbers.made(side, FREE.start())
    found = {tuple(numbering.squares(number)) for number in range(numbering.count)}
    assert len(found) == numbering.count == published("queens.all", str(side))
    for squares in islice(found, 200):
        assert not queens_faults(Board(side), [divmod(square, side) for square in squares])


@pytest.mark.parametrize("side", [13, 14, 15, 16])
def test_the_largest_boards_have_as_many_numbers_as_placements(side: int) -> None:
    numbering = ColumnSetNumbers.made(side, FREE.start())
    assert numbering.count == published("queens.all", str(side))
    found = set()
    ends = numbering.ends.tolist()
    edges = {0, numbering.count - 1} | {end - back for end in ends[:: len(ends) // 20] for back in (1, 0)}
    edges = {number for number in edges if 0 <= number < numbering.count}
    for number in edges:
        squares = numbering.squares(number)
        assert not queens_faults(Board(side), [divmod(square, side) for square in squares])
        found.add(tuple(squares))
    assert len(found) == len(edges) > 20


@given(boards(max_side=5), st.integers(0, 5))
@settings(max_examples=150)
def test_prefixes_number_every_placement_once(board: Board, queens: int) -> None:
    numbering = by_prefixes(board, queens)
    found = [sorted(numbering.squares(number)) for number in range(numbering.count)]
    expected = listed(board, queens)
    assert sorted(found) == expected
    assert numbering.turned or found == expected


@given(boards(max_side=5), st.integers(1, 4))
def test_listing_numbers_every_placement_once(board: Board, queens: int) -> None:
    expected = listed(board, queens)
    table = Listed.made(board, queens, len(expected), FREE.start())
    assert table is not None
    assert [table.squares(number) for number in range(table.count)] == expected
    assert not expected or Listed.made(board, queens, len(expected) - 1, FREE.start()) is None


def test_long_boards_have_many_placements_but_few_states() -> None:
    sampler = PlacementSampler(Board(100, 3), 3)
    assert sampler.count == sum(
        100 - len({one, two, one - 2, one + 2, two - 1, two + 1} & set(range(100)))
        for one in range(100)
        for two in range(100)
        if abs(one - two) > 1
    )
    for placement in islice(sampler.samples(1), 50):
        assert not placement.faults()
        assert placement.board == Board(100, 3)


# --- samples ----------------------------------------------------------------------------------------


def chi_square(drawn: Iterable[Any], possible: int) -> float:
    """How far the numbers of draws are from equal, in standard deviations (Wilson and Hilferty's approximation)."""
    counts = Counter(drawn)
    expected = counts.total() / possible
    squares = sum((count - expected) ** 2 for count in counts.values()) + (possible - len(counts)) * expected**2
    freedom = possible - 1
    ratio = (squares / expected / freedom) ** (1 / 3)
    return float((ratio - (1 - 2 / (9 * freedom))) / (2 / (9 * freedom)) ** 0.5)


class Numbered(PlacementSampler):
    """A sampler by column sets, also for boards on which the other way is quicker."""

    def __init__(self, side: int) -> None:
        numbering = ColumnSetNumbers.made(side, FREE.start())
        for name, value in zip(
            PlacementSampler.__slots__, (Board(side), side, numbering.count, numbering, ()), strict=True
        ):
            object.__setattr__(self, name, value)


@pytest.mark.parametrize("side", [6, 7, 8])
@pytest.mark.parametrize("make", [Numbered, lambda side: PlacementSampler(Board(side))])
def test_placements_are_equally_likely(side: int, make: Callable[[int], PlacementSampler]) -> None:
    sampler = make(side)
    for seed in (1, 2):
        drawn = [placement.squares for placement in islice(sampler.samples(seed), 60 * sampler.count)]
        assert {len(queens_faults(Board(side), [divmod(square, side) for square in each])) for each in set(drawn)} == {
            0
        }
        assert len(set(drawn)) == sampler.count
        assert -4 < chi_square(drawn, sampler.count) < 4


@pytest.mark.parametrize("source", ["a seed each", "random.Random", "numpy"])
def test_single_samples_are_equally_likely(source: str) -> None:
    sampler = PlacementSampler(Board(6))
    rng: Any = {"random.Random": RANDOM(3), "numpy": np.random.default_rng(3)}.get(source)
    drawn = [sampler.sample(seed if rng is None else rng).squares for seed in range(100)]
    assert -4 < chi_square(drawn, 4) < 4


def test_the_yardstick_finds_what_is_not_equally_likely() -> None:
    dice = Dice(1)
    fair = [dice.below(92) for _ in range(6000)]
    assert -4 < chi_square(fair, 92) < 4
    assert chi_square([number or 1 for number in fair], 92) > 4
    assert chi_square([min(number, 91 - number) if number % 7 == 0 else number for number in fair], 92) > 4
    assert chi_square([number % 92 for number in range(6000)], 92) < -4  # too even to be random


def test_boards_with_holes_are_sampled_equally_likely() -> None:
    for board, queens in ((Board(6, holes=["a1", "c4"]), 4), (Board(5, 7), 5), (Board(5, wrap="torus"), 5)):
        sampler = PlacementSampler(board, queens)
        assert sampler.count == len(listed(board, queens)) > 0
        drawn = [placement.squares for placement in islice(sampler.samples(1), 20 * sampler.count)]
        assert -4 < chi_square(drawn, sampler.count) < 4
        assert not any(queens_faults(board, list(map(board.cell, each)), queens=queens) for each in set(drawn))


class _Bits(Dice):
    """Gives the words that it is told."""

    def __init__(self, words: Iterable[int]) -> None:
        super().__init__(0)
        self.words = iter(words)

    def draw(self) -> int:
        return next(self.words)


def test_numbers_are_drawn_by_rejection() -> None:
    top = 2**64 - 1
    assert _Bits([]).below(1) == 0
    assert [_Bits([word << 61]).below(8) for word in range(8)] == list(range(8))
    assert _Bits([7 << 61, 6 << 61, 5 << 61]).below(6) == 5
    assert _Bits([top, top, 0, 5]).below(2**127 + 1) == 5
    assert _Bits([0, top]).below(2**128) == top


def test_a_seed_gives_the_same_samples_and_a_generator_new_ones() -> None:
    sampler = PlacementSampler(Board(8))
    assert sampler.sample(7) == sampler.sample(7) == next(sampler.samples(7))
    for rng in (RANDOM(1), np.random.default_rng(1)):
        assert len({sampler.sample(rng) for _ in range(30)}) > 15
    assert list(islice(sampler.samples(5), 20)) == list(islice(PlacementSampler(Board(8)).samples(5), 20))
    one = [placement.squares for placement in islice(PlacementSampler(Board(12)).samples(1), 5)]
    assert one == [placement.squares for placement in islice(PlacementSampler(Board(12)).samples(1), 5)]
    for bad in (-1, 1.5, "x", True):
        with pytest.raises(InvalidPuzzle, match="seed"):
            sampler.sample(bad)  # type: ignore[arg-type]  # what is tested


@pytest.mark.parametrize("board", [Board(8), Board(10)])
def test_a_sampler_can_be_sent_elsewhere(board: Board) -> None:
    sampler = PlacementSampler(board)
    again = pickle.loads(pickle.dumps(sampler))  # noqa: S301 - our own bytes
    assert list(islice(again.samples(3), 5)) == list(islice(sampler.samples(3), 5))
    assert again.count == sampler.count
    with pytest.raises(AttributeError):
        sampler.count = 1  # type: ignore[misc]  # what is tested


def test_what_cannot_be_sampled_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BoardTooLarge, match="for n up to 18, not 19"):
        PlacementSampler(Board(19))
    with pytest.raises(BoardTooLarge, match="uniform sampling takes at most 10,000"):
        PlacementSampler(Board(101), 5)
    monkeypatch.setattr(sampling, "MAX_STATES", 100)
    monkeypatch.setattr(sampling, "MAX_LISTED", 91)
    with pytest.raises(BoardTooLarge, match="8 queens on 8x8 would need more than 100 states or 91 placements"):
        PlacementSampler(Board(8))
    monkeypatch.setattr(sampling, "MAX_LISTED", 92)
    sampler = PlacementSampler(Board(8))
    assert [list(sampler.placement(number).squares) for number in range(92)] == listed(Board(8), 8)


def test_no_placement_no_sample() -> None:
    for board, queens in ((Board(3), 3), (Board(4), 5), (Board(6, wrap="torus"), 6), (Board(5, holes=range(5)), 5)):
        sampler = PlacementSampler(board, queens)
        assert sampler.count == 0
        with pytest.raises(InvalidPuzzle, match=f"no placement of {queens} queens"):
            sampler.sample(1)
    for number, first in ((-1, "from 0"), (92, "0 to 91")):
        with pytest.raises(InvalidPuzzle, match=f"numbered {first}, so there is no number {number}"):
            PlacementSampler(Board(8)).placement(number)
    assert PlacementSampler(Board(3), 0).sample(1).squares == ()
    with pytest.raises(InvalidPuzzle, match="at least 0, not -1"):
        PlacementSampler(Board(8), -1)


@pytest.mark.parametrize("board", [Board(14), Board(11, holes=["a1"])])
def test_limits_and_cancellation_stop_making_ready(board: Board) -> None:
    with pytest.raises(BudgetExceeded, match="time limit"):
        PlacementSampler(board, budget=Budget(seconds=1e-9))
    with pytest.raises(BudgetExceeded, match="cancelled"):
        PlacementSampler(board, budget=Budget(cancelled=lambda: True, interval=0))


def test_progress_tells_how_much_is_done() -> None:
    seen: list[Progress] = []
    assert PlacementSampler(Board(12), budget=Budget(progress=seen.append, interval=0)).count == 14200
    assert all(one.depth < two.depth for one, two in pairwise(seen))
    assert (seen[-1].depth, seen[-1].found) == (seen[-1].total, 14200)


def test_the_kernel_says_if_there_is_no_room_or_no_such_number() -> None:
    columns = np.zeros(8, np.int64)
    cut = np.array([8, 4, 0b01010110])
    small, large = np.empty((2, 1), np.uint64), np.empty((2, 99), np.uint64)
    assert queens_sample.find_pair(cut, 0, small, small.copy(), columns) == STOPPED
    assert queens_sample.find_pair(cut, 99, large, large.copy(), columns) == STOPPED
    assert not columns.any()
    tool: Any = queens_sample.find_pair
    assert {tool.overloads[each].signature.return_type for each in tool.signatures} <= {types.int64}


def test_small_boards_load_neither_numpy_nor_numba() -> None:
    code = (
        "import sys; from backrank.geometry.board import Board\n"
        "from backrank.queens.ranking.sampling import PlacementSampler\n"
        "PlacementSampler(Board(8)).sample(1); sys.exit(bool({'numpy', 'numba'} & sys.modules.keys()))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


# --- the command ------------------------------------------------------------------------------------


def test_the_command_draws_samples(inside: Run) -> None:
    done = inside("sample", "queens", "8", "-n", "3", "--seed", "1", "--format", "columns")
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert len(lines) == 3
    expected = [placement.columns for placement in islice(PlacementSampler(Board(8)).samples(1), 3)]
    assert [tuple(map(int, line.split())) for line in lines] == expected
    assert "3 placements of 8 queens on 8x8, all equally likely; --seed 1 draws them again" in done.stderr
    assert inside("sample", "queens", "8", "-n", "3", "--seed", "1", "--format", "columns").stdout == done.stdout
    drawn = inside("sample", "queens", "8")
    assert drawn.stdout.count("♛") == 8
    seed = drawn.stderr.partition("--seed ")[2].split()[0]
    assert inside("sample", "queens", "8", "--seed", seed).stdout == drawn.stdout
    assert inside("sample", "queens", "8", "-q").stderr == ""


def test_the_command_has_all_formats(inside: Run) -> None:
    words = ("sample", "queens", "6", "-n", "2", "--seed", "3")
    objects = [json.loads(line) for line in inside(*words, "--json").stdout.splitlines()]
    assert [len(each["squares"]) for each in objects] == [6, 6]
    table = inside(*words, "--format", "csv").stdout.splitlines()
    assert table[0] == "placement,row,col,name"
    assert [line.split(",")[0] for line in table[1:]] == ["1"] * 6 + ["2"] * 6
    drawn = inside(*words, "--format", "board").stdout
    assert len(drawn.splitlines()) == 13
    assert drawn.splitlines()[6] == ""
    assert len(inside(*words, "--format", "names").stdout.splitlines()) == 2


def test_the_command_writes_files(inside: Run, tmp_path: Path) -> None:
    path = tmp_path / "samples.txt"
    words = ("sample", "queens", "5", "-n", "4", "--format", "columns", "--seed", "1", "-o", str(path))
    assert inside(*words).returncode == 0
    assert len(path.read_text().splitlines()) == 4
    refused = inside(*words)
    assert refused.returncode == 2
    assert "exists; --force replaces it" in refused.stderr


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (("3",), 1, "no answer: 3 queens cannot stand on 3x3"),
        (("3", "--not-uniform"), 1, "no answer: 3 queens cannot stand on 3x3"),
        (("4", "--holes", "b1,b4"), 1, "no answer: counting found none"),
        (("19",), 2, "for n up to 18, not 19; --not-uniform takes random ones that are not"),
        (("8", "-n", "0"), 2, "the number of samples must be at least 1, not 0"),
        (("8", "--seed", "-1"), 2, "the seed must be a whole number, at least 0"),
        (("8", "--format", "xml"), 2, "unknown format 'xml'"),
        (("8", "--placed", "a1,b2"), 2, "the queens on a1 and b2 attack each other (same diagonal)"),
        (("6", "--placed", "a1", "--not-uniform"), 1, "no answer: an exhaustive search"),
        (("101", "-k", "4"), 2, "uniform sampling takes at most 10,000"),
        (("14", "--time-limit", "0.000001"), 3, "time limit"),
    ],
)
def test_the_command_says_why_not(inside: Run, words: tuple[str, ...], code: int, message: str) -> None:
    done = inside("sample", "queens", *words)
    assert done.returncode == code
    assert message in done.stderr
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1


def test_the_command_takes_large_boards_if_they_need_not_be_uniform(inside: Run) -> None:
    words = ("sample", "queens", "300", "--not-uniform", "-n", "2", "--seed", "1")
    done = inside(*words)
    assert done.returncode == 0
    one, two = ([int(word) for word in line.split()] for line in done.stdout.splitlines())
    assert one != two
    for columns in (one, two):
        assert not queens_faults(Board(300), list(enumerate(columns)))
    assert "not equally likely" in done.stderr
    assert inside(*words).stdout == done.stdout


def test_a_time_limit_stops_drawing_as_well(inside: Run) -> None:
    done = inside("sample", "queens", "4", "-n", "1000000000", "--format", "columns", "--time-limit", "0.5")
    assert done.returncode == 3
    assert "the time limit of" in done.stderr
    assert done.stdout.startswith(("1 3 0 2", "2 0 3 1"))
