"""Tours by number: against listing by brute force, against each other, and against published counts."""

from __future__ import annotations

import pickle
import random
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import islice, pairwise
from typing import Any

import numpy as np
import pytest

from backrank.errors import BackrankError, BoardTooLarge, BudgetExceeded, InvalidPuzzle, InvalidSquare
from backrank.geometry.board import Board
from backrank.geometry.pieces import move_graph
from backrank.runtime.budget import Budget
from backrank.runtime.progress import Progress
from backrank.tours import KnightTours, Tour
from backrank.tours.listing.resumed import iter_resumed
from backrank.tours.ranking import prefixes as beginnings
from backrank.tours.ranking import table
from backrank.tours.ranking.prefixes import Beginnings
from backrank.tours.ranking.ranks import TourSampler
from counts import published
from strategies import leaps

FREE = Budget()
RANDOM = random.Random
LEAPS = {"knight": (1, 2), "wazir": (0, 1)}

SMALL = [
    KnightTours(1, 1),
    KnightTours(1, 1, closed=True),
    KnightTours(1, 2, piece="0,1"),
    KnightTours(1, 2, piece="0,1", start=0),
    KnightTours(1, 2, piece="0,1", end=0),
    KnightTours(1, 2, piece="0,1", closed=True),
    KnightTours(1, 3, piece="0,1", wrap="torus", closed=True),
    KnightTours(2, 2),
    KnightTours(3, 3),
    KnightTours(3, 3, piece="0,1"),
    KnightTours(3, 3, holes=["b2"]),
    KnightTours(3, 3, holes=["b2"], closed=True),
    KnightTours(3, 3, holes=["b2"], closed=True, start="c3"),
    KnightTours(3, 3, holes=["b2"], closed=True, start="a3", end="c2"),
    KnightTours(3, 4),
    KnightTours(3, 4, start="a3", end="a2"),
    KnightTours(3, 4, end="a2"),
    KnightTours(4, 4, piece="0,1"),
    KnightTours(4, 4, piece="0,1", closed=True),
    KnightTours(4, 4, piece="0,1", closed=True, start="b2", end="b3"),
    KnightTours(3, 4, wrap="cylinder"),
    KnightTours(3, 4, wrap="cylinder", closed=True, start="b2"),
    KnightTours(3, 3, wrap="torus", piece="0,1", closed=True),
    KnightTours(4, 5, start="a1"),
    KnightTours(4, 5, holes=["a1", "b1"]),
    KnightTours(4, 4, holes=["a1", "d4"], end="a3"),
]


@cache
def walks(tours: KnightTours) -> list[tuple[int, ...]]:
    """All walks over all squares of a board that close if they must, from every square, by the shortest of searches."""
    board = tours.board
    r, s = LEAPS[tours.piece.name]
    near = {square: [row * board.cols + col for row, col in leaps(board, board.cell(square), r, s)] for square in board}

    def longer(path: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if len(path) == len(board) and (not tours.closed or (len(path) > 2 and path[0] in near[path[-1]])):
            yield path
        for square in near[path[-1]]:
            if square not in path:
                yield from longer((*path, square))

    ends = {None} if tours.closed and tours.end is None else {tours.start}
    found = (walk for square in board if ends & {None, square} for walk in longer((square,)))
    return sorted(walk for walk in found if tours.end in (None, walk[-1]))


def listed(tours: KnightTours) -> list[tuple[int, ...]]:
    """The walks that iterating is to yield."""
    found = walks(tours)
    if tours.closed and tours.end is None:
        first = min(tours.board) if tours.start is None else tours.start
        found = [walk for walk in found if walk[0] == first and walk[1] < walk[-1]]
    return found


def some(numbers: int, most: int, seed: int = 1) -> list[int]:
    """Some numbers below a bound, its edges among them."""
    if numbers <= most:
        return list(range(numbers))
    return sorted({0, numbers - 1, *RANDOM(seed).sample(range(numbers), most - 2)})


def chi_square(drawn: Iterable[Any], possible: int) -> float:
    """How far the numbers of draws are from equal, in standard deviations (Wilson and Hilferty's approximation)."""
    counts = Counter(drawn)
    expected = counts.total() / possible
    squares = sum((count - expected) ** 2 for count in counts.values()) + (possible - len(counts)) * expected**2
    freedom = possible - 1
    ratio = (squares / expected / freedom) ** (1 / 3)
    return float((ratio - (1 - 2 / (9 * freedom))) / (2 / (9 * freedom)) ** 0.5)


# --- small boards, against brute force --------------------------------------------------------------


@pytest.mark.parametrize("tours", SMALL, ids=str)
def test_a_sampler_numbers_every_tour_once(tours: KnightTours) -> None:
    expected = listed(tours)
    sampler = tours.sampler()
    assert sampler.count == len(expected)
    found = [sampler.tour(number) for number in range(sampler.count)]
    assert sorted(tour.squares for tour in found) == expected
    assert [sampler.number(tour) for tour in found] == list(range(sampler.count))
    assert {(tour.board, tour.closed, tour.piece) for tour in found} <= {(tours.board, tours.closed, tours.piece)}


@pytest.mark.parametrize("few", [0, 3, beginnings.FEW])
@pytest.mark.parametrize("tours", SMALL, ids=str)
def test_ranks_are_places_in_the_listing(tours: KnightTours, few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(beginnings, "FEW", few)
    expected = listed(tours)
    assert [tour.squares for tour in tours] == expected
    for number in some(len(expected), 40):
        tour = tours.unrank(number)
        assert tour.squares == expected[number]
        assert tours.rank(tour) == tours.rank(tour.names) == number
        if tours.closed and tours.end is None:
            assert tours.rank(tour.reversed()) == tours.rank(tour.squares[2:] + tour.squares[:2]) == number
        assert [each.squares for each in islice(tours.iter_from(number), 30)] == expected[number : number + 30]


@pytest.mark.parametrize("tours", SMALL, ids=str)
def test_completions_are_counted_right(tours: KnightTours) -> None:
    board = tours.board
    r, s = LEAPS[tours.piece.name]
    expected = Counter(walk[:steps] for walk in walks(tours) for steps in range(1, len(board) + 1))
    begun = [*islice(expected, 100), *RANDOM(1).sample(list(expected), min(len(expected), 100))]
    firsts = [tours.start] if tours.start is not None and not (tours.closed and tours.end is None) else list(board)
    chance = RANDOM(2)
    for _ in range(60):  # walks at random: dead ends, most of them
        walk = [chance.choice([square for square in firsts if square != tours.end or len(board) == 1])]
        while len(walk) < chance.randrange(1, len(board) + 1):
            near = [row * board.cols + col for row, col in leaps(board, board.cell(walk[-1]), r, s)]
            following = [square for square in near if square not in walk]
            if not following:
                break
            assert tours.completions(walk) == sum(tours.completions([*walk, square]) for square in following)
            walk.append(chance.choice(following))
        begun.append(tuple(walk))
    for beginning in begun:
        assert tours.completions(map(board.name, beginning)) == expected[beginning]
    both = 2 if tours.closed and tours.end is None else 1
    assert tours.completions([]) == both * len(listed(tours))


# --- larger boards ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tours", "count"),
    [
        (KnightTours(5, start="a5"), published("tours.open.directed.from", "5x5@0,0")),
        (KnightTours(5), 2 * published("tours.open.undirected", "5x5")),
        (KnightTours(5, 6, closed=True), published("tours.closed.undirected", "5x6")),
        (KnightTours(6, closed=True), published("tours.closed.undirected", "6x6")),
        (KnightTours(5, 6, closed=True, start="c4"), published("tours.closed.undirected", "5x6")),
    ],
    ids=str,
)
def test_numbers_of_whole_boards_go_one_to_one(tours: KnightTours, count: int) -> None:
    expected = list(tours)
    sampler = tours.sampler()
    assert len(expected) == sampler.count == count
    assert {sampler.tour(number) for number in range(count)} == set(expected)
    assert sorted(map(sampler.number, expected)) == list(range(count))
    for number in some(count, 60):
        assert tours.unrank(number) == expected[number]
        assert tours.rank(expected[number]) == number
    for number in some(count, 8):
        assert list(islice(tours.iter_from(number), 500)) == expected[number : number + 500]


@pytest.mark.parametrize("few", [0, beginnings.FEW])
def test_ranks_of_a_whole_corner(few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(beginnings, "FEW", few)
    tours = KnightTours(5, start="a1")
    assert [tours.rank(tour) for tour in tours] == list(range(304))
    assert [tours.unrank(number) for number in range(304)] == list(tours)


@pytest.mark.parametrize("tours", [KnightTours(6), KnightTours(6, start="c3"), KnightTours(6, end="a1")], ids=str)
def test_numbers_of_a_board_that_nobody_lists(tours: KnightTours) -> None:
    count = tours.count()
    assert tours.completions([]) == count == tours.sampler().count
    for number in some(count, 12):
        tour = tours.unrank(number)
        assert tour in tours
        assert tours.rank(tour) == number
        sampler = tours.sampler()
        assert sampler.tour(sampler.number(tour)) == tour
    following = list(islice(tours.iter_from(count - 30), 31))
    assert [tours.rank(tour) for tour in following[::7]] == [count - 30, count - 23, count - 16, count - 9, count - 2]
    assert len(following) == 30
    assert all(one.squares < other.squares for one, other in pairwise(following))


def test_ways_without_tables_of_shares_lead_to_the_same_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    tours = KnightTours(6, closed=True)
    tour = tours.unrank(4321)
    ways = tours.completions(tour.squares[:9])
    spec = tours.spec
    for name, value in (("MOST_STATES", 0), ("MOST_STEPS", 0)):
        with monkeypatch.context() as patch:
            patch.setattr(beginnings, name, value)
            fresh = Beginnings(spec)
            assert fresh.completions(tour.squares[:9], FREE.start()) == ways
            assert fresh.number(tour.squares, FREE.start()) == 4321
            assert fresh.tour(4321, FREE.start()) == tour.squares
            assert fresh.tour(9862, FREE.start()) is None
    with monkeypatch.context() as patch:
        patch.setattr(beginnings, "_MOST_KEPT", 1)
        assert Beginnings(spec).tour(4321, FREE.start()) == tour.squares


def test_listing_can_be_resumed_at_any_tour_and_kept_to_a_beginning() -> None:
    tours = KnightTours(5, start="a5")
    every = [tour.squares for tour in tours]
    spec = tours.spec
    for number in range(0, 304, 13):
        for steps in (1, 2, 7, 25):
            begun = every[number][:steps]
            expected = [squares for squares in every if squares[:steps] == begun]
            assert list(iter_resumed(spec, begun, FREE.start())) == expected
            rest = expected[expected.index(every[number]) :]
            meter = FREE.start()
            assert list(iter_resumed(spec, begun, meter, every[number])) == rest
            assert meter.found == len(rest)


def test_late_beginnings_of_the_chessboard_are_finished() -> None:
    tours = KnightTours(8, start="a1")
    squares = KnightTours(8, start="a1").solve(strategy="warnsdorff")
    assert squares is not None
    names = squares.names
    ways = [tours.completions(names[:steps]) for steps in (64, 60, 50, 40, 34)]
    assert ways == sorted(ways)
    assert ways[0] == 1
    assert ways[2] == sum(1 for _ in iter_resumed(tours.spec, squares.squares[:50], FREE.start()))
    assert ways[4] == sum(tours.completions([*names[:34], name]) for name in _following(tours, names[:34]))
    assert KnightTours(8, closed=True).completions(names) == int(squares.is_closable)


def _following(tours: KnightTours, names: Iterable[str]) -> list[str]:
    squares = list(map(tours.board.square, names))
    near = move_graph(tours.board).adjacency()[squares[-1]]
    return [tours.board.name(square) for square in near if square not in squares]


@pytest.mark.deep
@pytest.mark.parametrize(
    "tours", [KnightTours(6, 8, closed=True), KnightTours(6, 7), KnightTours(7, start="d4")], ids=str
)
def test_numbers_of_large_boards(tours: KnightTours) -> None:
    count = tours.count()
    sampler = tours.sampler()
    assert sampler.count == count
    for number in some(count, 6):
        tour = tours.unrank(number)
        assert tours.rank(tour) == number
        assert sampler.tour(sampler.number(tour)) == tour


@pytest.mark.deep
def test_closed_tours_of_6x6_have_their_places() -> None:
    tours = KnightTours(6, closed=True)
    assert [tours.rank(tour) for tour in islice(tours, 0, None, 7)] == list(range(0, 9862, 7))


# --- samples ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tours", "times"),
    [
        (KnightTours(5, start="a5"), 40),
        (KnightTours(5), 8),
        (KnightTours(5, 6, closed=True), 200),
        (KnightTours(6, closed=True), 3),
        pytest.param(KnightTours(6, closed=True), 12, marks=pytest.mark.deep),
        (KnightTours(3, 4), 200),
        (KnightTours(4, 4, piece="0,1", end="a1"), 50),
    ],
    ids=str,
)
def test_tours_are_equally_likely(tours: KnightTours, times: int) -> None:
    sampler = tours.sampler()
    drawn = [tour.squares for tour in islice(sampler.samples(1), times * sampler.count)]
    assert set(drawn) <= {tour.squares for tour in tours}
    assert -4 < chi_square(drawn, sampler.count) < 4


@pytest.mark.parametrize("source", ["a seed each", "random.Random", "numpy"])
def test_single_samples_are_equally_likely(source: str) -> None:
    tours = KnightTours(3, 4)
    rng: Any = {"random.Random": RANDOM(3), "numpy": np.random.default_rng(3)}.get(source)
    drawn = [tours.sample(seed if rng is None else rng).squares for seed in range(800)]
    assert -4 < chi_square(drawn, 16) < 4


def test_a_seed_gives_the_same_samples_wherever_the_sampler_is() -> None:
    tours = KnightTours(5)
    sampler = tours.sampler()
    assert sampler is tours.sampler()
    assert tours.sample(7) == sampler.sample(7) == next(sampler.samples(7))
    again = pickle.loads(pickle.dumps(sampler))  # noqa: S301 - our own bytes
    fresh = TourSampler(tours.spec)
    assert list(islice(again.samples(3), 5)) == list(islice(sampler.samples(3), 5)) == list(islice(fresh.samples(3), 5))
    with pytest.raises(AttributeError):
        sampler.count = 1  # type: ignore[misc]  # what is tested
    for _ in range(3):
        KnightTours(3, 4).sampler()
        KnightTours(3, 7).sampler()
    assert tours.sampler() is not sampler


# --- what is refused --------------------------------------------------------------------------------

BAD_BEGINNINGS: list[tuple[KnightTours, list[Any], str]] = [
    (KnightTours(5), ["a1", "b3", "a1"], "a1 comes twice, as steps 1 and 3"),
    (KnightTours(5), ["a1", "b2"], "step 1 to 2, a1 to b2, is not a move of the knight; from a1 it goes to b3, c2"),
    (KnightTours(5, start="a1"), ["c2"], "a tour from a1 does not begin on c2"),
    (KnightTours(5, holes=["c3"]), ["c3"], "c3 is a hole"),
    (KnightTours(5), ["a9"], "a9 is not on the 5x5 board"),
    (KnightTours(5), [True], "not on the 5x5 board"),
]


@pytest.mark.parametrize(("tours", "squares", "message"), BAD_BEGINNINGS)
def test_bad_beginnings_are_refused(tours: KnightTours, squares: list[Any], message: str) -> None:
    with pytest.raises((InvalidPuzzle, InvalidSquare), match=message) as refused:
        tours.completions(squares)
    assert "\n" not in str(refused.value)


def test_bad_tours_and_numbers_are_refused() -> None:
    tours = KnightTours(6, closed=True)
    tour = tours.unrank(7)
    bad: list[tuple[Any, str]] = [
        (KnightTours(5).unrank(0), "wrong shape: it is a tour of 5x5, and the puzzle is about 6x6"),
        (Tour(tours.board, tour.squares[:-1], closed=True), "not a tour of this puzzle: missing squares"),
        ((*tour.squares[:2], *tour.squares[3:], tour.squares[2]), "more faults"),
        (KnightTours(6).unrank(0).squares, "not a tour of this puzzle: not closed"),
    ]
    for claim, message in bad:
        with pytest.raises(InvalidPuzzle, match=message):
            tours.rank(claim)
    for number, first in ((-1, "numbered from 0"), (9862, "numbered 0 to 9,861"), (10**30, "numbered 0 to 9,861")):
        for verb in (tours.unrank, tours.iter_from, tours.sampler().tour):
            with pytest.raises(InvalidPuzzle, match=f"{first}, so there is no number {number:,}"):
                verb(number)
    for wrong in (1.5, "7", None, True):
        for verb in (tours.unrank, tours.iter_from, tours.sampler().tour):
            with pytest.raises(InvalidPuzzle, match="whole number"):
                verb(wrong)  # type: ignore[arg-type]  # what is tested
    for seed in (-1, 1.5, "x", True):
        with pytest.raises(InvalidPuzzle, match="seed"):
            tours.sample(seed)  # type: ignore[arg-type]  # what is tested


def test_no_count_is_needed_to_refuse_a_number_below_0() -> None:
    with pytest.raises(InvalidPuzzle, match="numbered from 0, so there is no number -1"):
        KnightTours(10).unrank(-1)
    with pytest.raises(InvalidPuzzle, match="numbered from 0, so there is no number -1"):
        KnightTours(10).iter_from(-1)


@pytest.mark.parametrize(
    "tours", [KnightTours(5, closed=True), KnightTours(4), KnightTours(4, 4, closed=True)], ids=str
)
def test_no_tours_no_numbers(tours: KnightTours) -> None:
    assert tours.sampler().count == tours.completions([]) == tours.completions(["a1", "b3"]) == 0
    for verb in (lambda: tours.sample(1), lambda: tours.unrank(0), lambda: tours.iter_from(0), lambda: tours.rank([])):
        with pytest.raises(InvalidPuzzle):
            verb()
    with pytest.raises(InvalidPuzzle, match="no such"):
        tours.sampler().tour(0)


def test_what_does_not_fit_is_refused_in_one_line() -> None:
    for tours, memory in ((KnightTours(8), 10**9), (KnightTours(6), 10**5), (KnightTours(6, 7), 10**7)):
        with pytest.raises(BoardTooLarge, match=r"needs about .* of memory, .* are allowed: give it more") as refused:
            TourSampler(tours.spec, memory=memory)
        assert "\n" not in str(refused.value)
    for wide in (KnightTours(30), KnightTours(200)):
        with pytest.raises(BoardTooLarge, match=r"squares are active at once|takes at most 10,000"):
            wide.sampler()
        with pytest.raises(BackrankError):
            wide.completions(["a1"])


def test_limits_and_cancellation_stop_the_work() -> None:
    verbs = (
        lambda budget: TourSampler(KnightTours(6).spec, budget=budget),
        lambda budget: KnightTours(6, 7, start="a1").unrank(10, budget=budget),
        lambda budget: KnightTours(6, 7, start="b1").completions(["b1"], budget=budget),
    )
    for verb in verbs:
        for budget in (Budget(seconds=1e-9), Budget(calls=1), Budget(cancelled=lambda: True, interval=0)):
            with pytest.raises(BudgetExceeded):
                verb(budget)
    seen: list[Progress] = []
    TourSampler(KnightTours(6).spec, budget=Budget(progress=seen.append, interval=0))
    assert all(one.depth <= two.depth for one, two in pairwise(seen))
    assert (seen[-1].depth, seen[-1].total) == (table.WHOLE, table.WHOLE)


def test_boards_may_have_any_square_as_their_start() -> None:
    counts = [KnightTours(5).completions([square]) for square in Board(5)]
    assert sum(counts) == 1728
    assert counts[0] == counts[4] == counts[20] == counts[24] == 304
