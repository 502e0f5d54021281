"""Strategies by name: the grammar, the refusals, and how a newcomer adds one."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backrank.errors import InvalidPuzzle, UnknownName
from backrank.geometry.board import Board
from backrank.geometry.pieces import KING, KNIGHT, leaper
from backrank.search import (
    QUEENS_STRATEGIES,
    TOUR_STRATEGIES,
    InvalidCursor,
    QueensSpace,
    QueensStrategy,
    Strategy,
    TourSpace,
    TourStrategy,
    TourView,
    advance,
    parse_strategy,
    read_cursor,
    run,
    start,
    strategy_names,
)
from backrank.search.spaces import Kind
from backrank.search.strategies.hashed import mixed


@pytest.mark.parametrize(
    ("text", "kind", "name"),
    [
        ("fixed", "tour", "fixed"),
        (" Fixed : Python ", "tour", "fixed:python"),
        ("fixed:87654321+prune", "tour", "fixed:87654321+prune"),
        ("fixed:-2,1 -1,2 1,2 2,1 2,-1 1,-2 -1,-2 -2,-1", "tour", "fixed:-2,1 -1,2 1,2 2,1 2,-1 1,-2 -1,-2 -2,-1"),
        ("WARNSDORFF-ROTH+prune", "tour", "warnsdorff-roth+prune"),
        ("degree:java-b", "tour", "degree:java-b"),
        ("random:007", "tour", "random:7"),
        ("random:7+prune", "tour", "random:7+prune"),
        ("rows", "queens", "rows"),
        ("random:9223372036854775807", "queens", "random:9223372036854775807"),
    ],
)
def test_names_are_canonical(text: str, kind: Kind, name: str) -> None:
    strategy = parse_strategy(text, kind)
    assert strategy.name == str(strategy) == name
    assert parse_strategy(name, kind) == strategy
    assert strategy.kind == kind


@pytest.mark.parametrize("kind", ["tour", "queens"])
def test_every_listed_name_is_one(kind: Kind) -> None:
    names = [name.split(" (")[0].replace("SEED", "3") for name in strategy_names(kind) if "each" not in name]
    for name in names:
        assert parse_strategy(name, kind).name == name


@pytest.mark.parametrize("kind", ["tour", "queens"])
@pytest.mark.parametrize("text", ["", "warnsdorf", "rows2", ":python", "fixed+cut"])
def test_unknown_names_list_the_known_ones(text: str, kind: Kind) -> None:
    with pytest.raises(UnknownName, match=f"unknown {kind} strategy .*; known: .*random:SEED"):
        parse_strategy(text, kind)


@pytest.mark.parametrize(
    ("text", "kind", "message"),
    [
        ("rows+prune", "queens", "queens have none"),
        ("rows:3", "queens", "takes no argument"),
        ("fixed:", "tour", "takes a name after the colon"),
        ("random", "tour", "such as random:7"),
        ("random:-1", "tour", "such as random:7"),
        ("random:١", "queens", "such as random:7"),
        ("random:9223372036854775808", "tour", "from 0 to 9223372036854775807"),
        ("fixed:sideways", "tour", "unknown move order 'sideways'; known: row-major"),
    ],
)
def test_arguments_that_do_not_fit(text: str, kind: Kind, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse_strategy(text, kind)


def test_a_strategy_must_fit_the_space() -> None:
    with pytest.raises(UnknownName):
        start(TourSpace(Board(5)), "rows")
    with pytest.raises(InvalidPuzzle, match="is for queens, this is knight tour"):
        start(TourSpace(Board(5)), parse_strategy("rows", "queens"))
    with pytest.raises(InvalidPuzzle, match="must hold each of its 8 steps"):
        start(TourSpace(Board(5), leaper(1, 3)), "fixed:-2,1 -1,2 1,2 2,1 2,-1 1,-2 -1,-2 -2,-1")
    with pytest.raises(InvalidPuzzle, match="for leapers such as the knight"):
        start(TourSpace(Board(5), KING), "warnsdorff:python")
    with pytest.raises(InvalidPuzzle, match="leave lines empty: choose rows"):
        start(QueensSpace(Board(5), 3), "fewest-first")


def test_every_strategy_tells_its_idea() -> None:
    ideas = [strategy.idea for strategy in TOUR_STRATEGIES.values()]
    ideas += [strategy.idea for strategy in QUEENS_STRATEGIES.values()]
    assert all(len(idea) > 100 for idea in ideas)
    assert "+prune" in parse_strategy("degree+prune", "tour").idea


def test_the_order_of_the_piece_is_the_default() -> None:
    turned = KNIGHT.with_steps(reversed(KNIGHT.steps))
    own, _ = advance(start(TourSpace(Board(5), turned), "fixed"), 500)
    named, _ = advance(start(TourSpace(Board(5)), "fixed:87654321"), 500)
    assert own == named


def test_warnsdorff_and_roth_walk_straight_through_8x8() -> None:
    for square in range(64):
        events, cursor = advance(start(TourSpace(Board(8), KNIGHT, square), "warnsdorff-roth"), 65)
        assert len(events) == 65
        assert (cursor.calls, cursor.solutions) == (64, 1) or cursor.backtracks > 0
    assert advance(start(TourSpace(Board(8)), "warnsdorff"), 65)[1].solutions == 1


def test_fewest_first_needs_fewer_calls_and_centre_out_gets_there_sooner() -> None:
    calls = {name: run(start(QueensSpace(Board(8)), name)).calls for name in ("rows", "fewest-first")}
    assert calls["fewest-first"] < calls["rows"] == 2056
    first = {name: run(start(QueensSpace(Board(14)), name), until="solution").calls for name in ("rows", "centre-out")}
    assert first["centre-out"] < first["rows"]


def test_random_depends_on_the_seed_alone() -> None:
    space = TourSpace(Board(6))
    once, again, other = (advance(start(space, f"random:{seed}"), 200)[0] for seed in (1, 1, 2))
    assert once == again != other


@given(st.lists(st.integers(0, 2**63 - 1), min_size=1, max_size=4))
def test_hashes_are_63_bits_and_spread(numbers: list[int]) -> None:
    value = mixed(*numbers)
    assert 0 <= value < 2**63
    assert value != mixed(*numbers[:-1], numbers[-1] ^ 1)


# --- how a newcomer adds one ---------------------------------------------------------------------------

TOWARDS_THE_EDGE = TourStrategy(
    "edge",
    "Squares furthest from the centre first.",
    key=lambda view, square: -view.centre_distance(square),
)


def _right_to_left(view: object, square: int) -> int:  # noqa: ARG001
    return -square


def test_a_strategy_of_ones_own_runs_in_plain_python() -> None:
    space = TourSpace(Board(5))
    cursor = start(space, Strategy(TOWARDS_THE_EDGE, prune=True))
    assert cursor.strategy.name == "edge+prune"
    last = run(cursor)
    assert last.solutions == 304
    with pytest.raises(InvalidPuzzle, match="edge is not compiled"):
        run(start(space, TOWARDS_THE_EDGE), gear="kernel")
    with pytest.raises(InvalidCursor, match="unknown tour strategy 'edge'"):
        read_cursor(start(space, TOWARDS_THE_EDGE).to_json())
    assert read_cursor(last.to_json(), strategy=Strategy(TOWARDS_THE_EDGE, prune=True)) == last


def test_a_queens_strategy_of_ones_own() -> None:
    mirrored = QueensStrategy("right-to-left", "Each row from the right.", _right_to_left)
    compiled = QueensStrategy("right-to-left", "Each row from the right.", _right_to_left, kernel="static")
    first = run(start(QueensSpace(Board(8)), mirrored), until="solution")
    assert [7 - square % 8 for square in first.path] == [0, 4, 7, 5, 2, 6, 1, 3]
    again = run(start(QueensSpace(Board(8)), compiled), until="solution", gear="kernel")
    assert (again.path, again.tried, again.stats) == (first.path, first.tried, first.stats)


def test_a_view_knows_depth_and_place() -> None:
    seen = set()

    def key(view: TourView, square: int) -> int:
        seen.add((view.here, view.depth))
        return square

    advance(start(TourSpace(Board(5)), TourStrategy("spy", "Looks.", key)), 5)
    assert (0, 1) in seen
    assert {depth for _, depth in seen} <= {1, 2, 3, 4, 5}


def test_the_page_on_strategies_is_true() -> None:
    page = Path(__file__).parent.parent / "docs" / "strategies.md"
    result = doctest.testfile(str(page), module_relative=False)
    assert result.attempted > 10
    assert result.failed == 0
    text = page.read_text(encoding="utf-8")
    for name in (*TOUR_STRATEGIES, *QUEENS_STRATEGIES, "random:", "+prune"):
        assert f"`{name}" in text
