"""Estimates of numbers of tours: exact where nothing is dropped, unbiased where something is, intervals that hold."""

from __future__ import annotations

import json
import random
import subprocess
from collections.abc import Callable
from itertools import islice
from math import sqrt
from random import Random
from statistics import fmean, stdev

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backrank import KnightTours
from backrank.errors import BoardTooLarge, BudgetExceeded, InvalidPuzzle
from backrank.geometry.board import Board
from backrank.geometry.pieces import KNIGHT, leaper
from backrank.runtime.budget import Budget
from backrank.runtime.progress import Progress
from backrank.runtime.rng import Dice
from backrank.tours.estimation import estimate as module
from backrank.tours.estimation import importance as worth
from backrank.tours.estimation import resampling as thinned
from backrank.tours.estimation.estimate import Estimate, Sampling
from backrank.tours.estimation.resampling import RunEstimate
from backrank.tours.frontier.sweeps import net_of, simple_route
from backrank.tours.frontier.transitions import NARROW, steps_of, width_needed
from backrank.tours.spec import TourSpec
from counts import counts
from tour_probes import probes

Run = Callable[..., subprocess.CompletedProcess[str]]


def published(board: str, *, closed: bool) -> int:
    known = counts(f"tours.{'closed' if closed else 'open'}.undirected")
    return next(count.value for count in known if count.size_text in (board, board[: board.index("x")]))


def quiet(states: int) -> None:
    """Tick nothing."""


def seeded(seed: int) -> Random:
    return Random(seed)  # noqa: S311 - nothing secret


def mean_and_error(values: list[float]) -> tuple[float, float]:
    return fmean(values), stdev(values) / sqrt(len(values))


# --- nothing dropped: the number itself ------------------------------------------------------------


@pytest.mark.parametrize(
    "puzzle",
    [
        KnightTours(5, 6, closed=True),
        KnightTours(5, 6, closed=True, start="a1"),
        KnightTours(5, 6, closed=True, start="a5", end="b3"),
        KnightTours(3, 10, closed=True),
        KnightTours(5),
        KnightTours(5, start="a5"),
        KnightTours(5, start="a5", end="e5"),
        KnightTours(5, start="b5"),
        KnightTours(3, 3),
        KnightTours(1, 1),
        KnightTours(Board(4, wrap="torus"), closed=True),
        KnightTours(Board(5, holes=[12])),
        KnightTours(4, 5, piece=leaper(1, 1)),
    ],
)
@pytest.mark.parametrize("directed", [True, False, None])
def test_small_boards_are_counted(puzzle: KnightTours, directed: bool | None) -> None:
    found = puzzle.estimate(directed=directed)
    assert found.exact
    assert found.mean == found.low == found.high == puzzle.count(directed=directed)


def test_two_words_give_the_same_number() -> None:
    """Half the boards that are estimated have more than 16 active squares; so has a small one in a bad order."""
    net = net_of(TourSpec(Board(5, 6), KNIGHT, False, None, None))
    orders = (seeded(seed).sample(sorted(net.near), 30) for seed in range(100))
    order = next(order for order in orders if width_needed(net, order) > NARROW)
    whole = thinned.run(steps_of(net, order), 2, 10**6, Dice(0), None, quiet)
    assert whole == (whole.mantissa, whole.scale, 0)
    assert whole.mantissa * 2**whole.scale == KnightTours(5, 6).count(directed=False)


def test_numbers_beyond_floats() -> None:
    tours = KnightTours(3, 700, closed=True)
    number, found = tours.count(), tours.estimate()
    assert number > 10**310
    assert found.exact
    assert abs(found.mean - number) < number // 10**11
    assert "e3" in str(found)


# --- something dropped: right on average -----------------------------------------------------------


@pytest.mark.parametrize(("board", "closed", "limit"), [("6x6", True, 100), ("5x8", True, 300), ("5x5", False, 60)])
@pytest.mark.parametrize("guided", [False, True])
def test_runs_are_right_on_average(board: str, closed: bool, limit: int, guided: bool) -> None:
    rows, cols = map(int, board.split("x"))
    spec = TourSpec(Board(rows, cols), KNIGHT, closed, None, None)
    net, route = net_of(spec), simple_route(spec)
    steps = steps_of(net, route.order)
    promise = worth.learned(steps, 1, limit, Dice(99), quiet) if guided else None
    assert not isinstance(promise, RunEstimate)
    runs = [thinned.run(steps, 1, limit, Dice(seed), promise, quiet) for seed in range(200)]
    assert all(run.dropped for run in runs)
    mean, error = mean_and_error([run.mantissa * 2.0**run.scale for run in runs])
    assert error < 0.2 * mean
    assert abs(mean - published(board, closed=closed)) < 4 * error


@pytest.mark.parametrize(
    ("puzzle", "number"),
    [
        (KnightTours(5), 4_000),
        (KnightTours(5, start="a5"), 2_000),
        (KnightTours(5, start="a5", end="e5"), 4_000),
        (KnightTours(3, 10, closed=True), 12_000),
        (KnightTours(6, start="a6"), 4_000),
        (KnightTours(Board(4, wrap="torus"), closed=True), 2_000),
        (KnightTours(Board(4, wrap="torus"), closed=True, start="a4", end="b2"), 4_000),
    ],
)
def test_probes_are_right_on_average(puzzle: KnightTours, number: int) -> None:
    spec = TourSpec(puzzle.board, KNIGHT, puzzle.closed, puzzle.start, puzzle.end)
    mean, error = mean_and_error(list(islice(probes(spec, seeded(1)), number)))
    assert 0 < error < 0.25 * mean
    assert abs(mean - puzzle.count()) < 4 * error


def test_probes_and_layers_agree() -> None:
    tours = KnightTours(5, 6)
    spec = TourSpec(tours.board, KNIGHT, False, None, None)
    mean, error = mean_and_error(list(islice(probes(spec, seeded(1)), 10_000)))
    layers = tours.estimate(states=100, runs=10)
    assert not layers.exact
    assert abs(mean - layers.mean) < 4 * sqrt(error**2 + (layers.spread * layers.mean) ** 2 / 10)


def test_what_pilots_teach_lowers_the_spread() -> None:
    spec = TourSpec(Board(8), KNIGHT, True, None, None)
    steps = steps_of(net_of(spec), simple_route(spec).order)
    promise = worth.learned(steps, 1, 1000, Dice(1), quiet)
    assert isinstance(promise, worth.Importance)
    spreads = []
    for guide in (None, promise):
        runs = [thinned.run(steps, 1, 1000, Dice(seed), guide, quiet) for seed in range(12)]
        mean, error = mean_and_error([run.mantissa * 2.0 ** (run.scale - 40) for run in runs])
        spreads.append(error / mean)
    assert spreads[1] < 0.6 * spreads[0]


# --- the interval ----------------------------------------------------------------------------------


def covered(board: str, *, closed: bool, states: int, runs: int, times: int) -> int:
    """Return how many of some intervals hold the published number."""
    rows, cols = map(int, board.split("x"))
    tours, number = KnightTours(rows, cols, closed=closed), published(board, closed=closed)
    hits = 0
    for seed in range(times):
        found = tours.estimate(directed=False, states=states, runs=runs, rng=seed)
        assert not found.exact
        assert found.high is not None
        hits += found.low <= number <= found.high
    return hits


def test_intervals_hold_the_number() -> None:
    assert covered("6x6", closed=True, states=100, runs=6, times=20) >= 16


@pytest.mark.deep
@pytest.mark.parametrize(
    ("board", "closed", "states", "runs"),
    [
        ("6x6", True, 100, 20),
        ("6x6", True, 200, 5),
        ("6x6", False, 200, 20),
        ("6x6", False, 1000, 3),
        ("5x8", True, 100, 20),
        ("5x8", False, 200, 20),
        ("6x7", True, 100, 20),
    ],
)
def test_intervals_hold_the_number_nineteen_times_in_twenty(board: str, closed: bool, states: int, runs: int) -> None:
    assert covered(board, closed=closed, states=states, runs=runs, times=200) >= 178


def test_the_number_on_the_chessboard() -> None:
    found = KnightTours(8, closed=True).estimate(states=2000, runs=8, confidence=0.999)
    assert found.high is not None
    assert found.low <= 13_267_364_410_532 <= found.high < 1.5 * found.low


@pytest.mark.deep
@pytest.mark.parametrize("closed", [True, False])
def test_the_number_on_the_chessboard_to_a_few_percent(closed: bool) -> None:
    found = KnightTours(8, closed=closed).estimate(directed=False, confidence=0.999)
    assert found.high is not None
    assert found.low <= published("8x8", closed=closed) <= found.high < 1.15 * found.low


def test_students_distribution() -> None:
    table = {(0.95, 1): 12.706, (0.95, 4): 2.776, (0.9, 10): 1.812, (0.99, 30): 2.750, (0.999, 3): 12.924}
    assert {key: round(module.student(*key), 3) for key in table} == table


# --- the same seed, the same answer ----------------------------------------------------------------


def test_the_seed_alone_decides() -> None:
    tours = KnightTours(6, closed=True)
    first = tours.estimate(states=100, runs=3, rng=7)
    random.seed(1)
    np.random.default_rng(1).random(10)
    assert tours.estimate(states=100, runs=3, rng=7) == first
    assert tours.estimate(states=100, runs=3, rng=8).mean != first.mean
    assert tours.estimate(states=100, runs=3, rng=seeded(3)).seed == tours.estimate(states=100, rng=seeded(3)).seed


# --- limits ----------------------------------------------------------------------------------------


def test_a_limit_ends_with_what_is_there() -> None:
    tours = KnightTours(6, closed=True)
    seen: list[Progress] = []
    tours.estimate(states=100, runs=10, budget=Budget(progress=seen.append, interval=0))
    assert {(step.depth, step.total) for step in seen} == {(done, 10) for done in range(10)}
    whole = max(step.calls for step in seen)
    found = tours.estimate(states=100, runs=10, budget=Budget(calls=whole * 9 // 10))
    assert 3 <= found.runs < 10
    assert found.spread > 0


def test_a_limit_before_three_runs_is_an_error() -> None:
    with pytest.raises(BudgetExceeded, match="0 of at least 3 runs were finished: give it more time"):
        KnightTours(6, closed=True).estimate(states=100, budget=Budget(calls=50))


def test_whoever_cancels_gets_nothing() -> None:
    runs = [0]

    def many() -> bool:
        runs[0] += 1
        return runs[0] > 800

    with pytest.raises(BudgetExceeded, match="cancelled"):
        KnightTours(6, closed=True).estimate(states=100, runs=1000, budget=Budget(cancelled=many, interval=0))


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"runs": 2}, "number of runs must be a whole number from 3"),
        ({"runs": True}, "number of runs"),
        ({"states": 99}, "number of states must be a whole number from 100"),
        ({"confidence": 1}, "confidence must be a number from 0.5 to 0.999"),
        ({"rng": -1}, "seed"),
    ],
)
def test_what_makes_no_sense_is_refused(wrong: dict[str, int], message: str) -> None:
    with pytest.raises(InvalidPuzzle, match=message):
        KnightTours(6).estimate(**wrong)  # type: ignore[arg-type]  # that is the point


@pytest.mark.parametrize("side", [16, 101])
def test_wide_boards_are_refused(side: int) -> None:
    with pytest.raises(BoardTooLarge, match=r"smaller|at most|active"):
        KnightTours(side).estimate()


# --- what is told ----------------------------------------------------------------------------------


def summed(*mantissas: float, scale: int = 0) -> Estimate:
    found = [RunEstimate(mantissa, scale, 5) for mantissa in mantissas]
    return module._summed(found, Sampling(len(found), 1000), 2, directed=True)


def test_nothing_found_is_no_proof() -> None:
    found = summed(0, 0, 0)
    assert (found.mean, found.low, found.high, found.dead, found.exact) == (0, 0, None, 3, False)
    assert "there may be no tour, or too few to be met" in str(found)


def test_runs_that_lie_apart_are_named() -> None:
    found = summed(0, 900, 100)
    assert (found.mean, found.dead) == (667, 1)
    assert 2 <= found.low < found.mean < (found.high or 0)
    assert "1 of which found nothing" in str(found)
    assert "lie far apart" in str(found)


@pytest.mark.parametrize("scale", [0, 5000])
def test_only_digits_that_mean_something_are_printed(scale: int) -> None:
    found = summed(99_000.0, 100_000.0, 101_000.0, scale=scale)
    assert found.mean == 200_000 * 2**scale
    assert found.digits == 3
    assert found.high is not None
    assert abs(found.low * found.high - found.mean**2) < found.mean**2 // 1000
    if not scale:
        assert str(found).startswith("about 2.00e5, between 1.95e5 and 2.05e5 with 95 % confidence, from 3 runs of")


# --- the parts -------------------------------------------------------------------------------------


@given(st.lists(st.floats(1e-9, 1e9), min_size=2, max_size=60), st.data())
def test_thresholds(values: list[float], data: st.DataObject) -> None:
    limit = data.draw(st.integers(1, len(values) - 1))
    given_values = np.array(values)
    odds = np.minimum(1.0, given_values / thinned.threshold(given_values, limit))
    assert odds.sum() == pytest.approx(limit)


@given(st.lists(st.floats(0.01, 1.0), min_size=1, max_size=20))
@settings(max_examples=30)
def test_each_is_kept_as_often_as_its_odds_say(values: list[float]) -> None:
    odds, times = np.array(values), 2000
    kept = sum(thinned.chosen(odds, shift / times).astype(np.int64) for shift in range(times))
    assert np.abs(kept / times - odds).max() <= 2 / times


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2)), max_size=40), st.booleans())
def test_equal_states_are_merged(pairs: list[tuple[int, int]], wide: bool) -> None:
    states = np.array(pairs, np.uint64).reshape(-1, 2)[:, : 2 if wide else 1]
    different, place = thinned.merged(states)
    assert len(different) == len({tuple(state) for state in states.tolist()})
    assert (different[place] == states).all()


# --- the command -----------------------------------------------------------------------------------


def test_the_command_tells_about_how_many(inside: Run) -> None:
    done = inside("count", "tours", "6x6", "--closed", "--estimate", "--states", "200", "--runs", "5", "--seed", "3")
    assert done.returncode == 0
    assert done.stdout.startswith("undirected closed tours on 6x6: about ")
    assert "95 % confidence, from 5 runs of 200 states" in done.stdout


def test_the_command_tells_programs(inside: Run) -> None:
    words = ("count", "tours", "6x6", "--closed", "--estimate", "--states", "200", "--runs", "5")
    told = json.loads(inside(*words, "--json").stdout)
    same = KnightTours(6, closed=True).estimate(states=200, runs=5)
    assert (told["estimate"], told["low"], told["high"]) == (same.mean, same.low, same.high)
    assert (told["text"], told["runs"], told["exact"], told["directed"]) == (same.short, 5, False, False)
    assert inside(*words, "--quiet").stdout == f"{same.short}\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("5x5", "--runs", "5"), "--runs is for --estimate"),
        (("5x5", "--estimate", "--verify"), "--verify is about exact counts"),
        (("5x5", "--estimate", "--runs", "2"), "from 3 to"),
        (("16x16", "--estimate"), "an estimate takes up to 24"),
        (("10x10", "--closed", "--memory", "1G"), "--estimate tells about how many there are"),
        (("10x10", "--closed", "--method", "frontier"), "--estimate tells about how many there are"),
    ],
)
def test_the_command_refuses_in_one_line(inside: Run, words: tuple[str, ...], message: str) -> None:
    done = inside("count", "tours", *words)
    assert done.returncode == 2
    assert message in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_the_command_does_not_send_anyone_where_there_is_no_way(inside: Run) -> None:
    assert "--estimate" not in inside("count", "tours", "16x16").stderr
