"""The two gears do the same: every cursor that a kernel stops at is one that plain Python passes."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backrank.errors import BudgetExceeded
from backrank.geometry.board import Board
from backrank.geometry.pieces import KNIGHT
from backrank.runtime.budget import Budget
from backrank.runtime.progress import Progress
from backrank.search import (
    Cursor,
    QueensSpace,
    SearchPaused,
    TourSpace,
    advance,
    read_cursor,
    run,
    start,
)
from backrank.search.compiled import gear_for
from backrank.search.machine import machine_at
from backrank.search.runner import GearName
from strategies import boards
from test_engine import ALL_TOUR_STRATEGIES, QUEENS_STRATEGIES, searches

GOLDEN = Path(__file__).parent / "data" / "golden"


def moments(cursor: Cursor, count: int) -> list[Cursor]:
    machine = machine_at(cursor)
    found = [machine.cursor()]
    while len(found) <= count and machine.step() is not None:
        found.append(machine.cursor())
    return found


@given(cursor=searches(max_side=6), data=st.data())
def test_kernels_pass_through_the_same_moments(cursor: Cursor, data: st.DataObject) -> None:
    passed = moments(cursor, 400)
    gear = gear_for(cursor.space, cursor.strategy)
    places = st.integers(0, len(passed) - 1)
    first, stop = sorted((data.draw(places), data.draw(places)))
    assert gear.run(passed[first], events=stop) == passed[stop]
    calls = data.draw(st.integers(0, passed[-1].calls))
    wanted = next(moment for moment in passed[first:] if moment.calls >= max(calls, passed[first].calls))
    assert gear.run(passed[first], calls=calls) == (wanted if passed[first].calls < calls else passed[first])
    if passed[-1].solutions > passed[first].solutions:
        number = data.draw(st.integers(passed[first].solutions + 1, passed[-1].solutions))
        assert gear.run(passed[first], solutions=number) == next(m for m in passed if m.solutions == number)
    if passed[-1].done:
        assert gear.run(passed[first]) == passed[-1]


@pytest.mark.parametrize("strategy", ALL_TOUR_STRATEGIES)
@pytest.mark.parametrize(
    "space",
    [
        TourSpace(Board(8), KNIGHT, 1),
        TourSpace(Board(7), KNIGHT, 0, 48),
        TourSpace(Board(6), closed=True),
        TourSpace(Board(9, 8)),
        TourSpace(Board(8, 8, holes=["d4", "e5"]), KNIGHT, 9),
        TourSpace(Board(5, 8, wrap="cylinder"), closed=True),
    ],
    ids=str,
)
def test_gears_agree_far_into_a_run(space: TourSpace, strategy: str) -> None:
    cursor = start(space, strategy)
    plain = advance(cursor, 6000)[1]
    assert run(cursor, events=6000, gear="kernel") == plain
    far = run(cursor, events=200_000, gear="kernel")
    assert read_cursor(far.to_json()) == far
    assert run(far, events=3000, gear="kernel") == advance(far, 3000)[1]


@pytest.mark.parametrize("strategy", QUEENS_STRATEGIES)
@pytest.mark.parametrize(
    "space",
    [
        QueensSpace(Board(8)),
        QueensSpace(Board(6, 9)),
        QueensSpace(Board(9, 6)),
        QueensSpace(Board(7, wrap="torus")),
        QueensSpace(Board(6, 8, wrap="cylinder", holes=["a1", "c3"])),
    ],
    ids=str,
)
def test_gears_agree_on_whole_runs_of_queens(space: QueensSpace, strategy: str) -> None:
    cursor = start(space, strategy)
    assert run(cursor, gear="kernel") == run(cursor, gear="plain")


@given(board=boards(max_side=5), sizes=st.lists(st.integers(1, 5000), min_size=1, max_size=6), data=st.data())
def test_slices_do_not_matter(board: Board, sizes: list[int], data: st.DataObject) -> None:
    cursor = start(TourSpace(board, KNIGHT, next(iter(board))), data.draw(st.sampled_from(ALL_TOUR_STRATEGIES)))
    whole = run(cursor, events=sum(sizes), gear="kernel")
    for size in sizes:
        cursor = run(cursor, events=size, gear=data.draw(st.sampled_from(["plain", "kernel", "auto"])))
    assert cursor == whole


def test_boards_of_64x64_work_in_both_gears() -> None:
    for strategy in ("fixed:python", "warnsdorff-roth", "random:1+prune"):
        cursor = start(TourSpace(Board(64)), strategy)
        far = run(cursor, events=300_000, gear="kernel")
        assert far.deepest > 3000
        assert run(far, events=500, gear="kernel") == advance(far, 500)[1]
        assert read_cursor(far.to_json()) == far


def test_a_straight_walk_over_30x30() -> None:
    cursor = run(start(TourSpace(Board(30)), "warnsdorff-roth"), until="solution", budget=Budget(calls=2000))
    assert (cursor.calls, cursor.solutions) == (900, 1)


# --- the numbers of the articles ------------------------------------------------------------------------


def _golden(name: str, calls: int, strategy: str, first: int) -> Cursor:
    cursor = run(start(TourSpace(Board(8), KNIGHT, first), strategy), until="solution", gear="kernel")
    lines = (GOLDEN / name).read_text(encoding="utf-8").splitlines()
    numbers = [int(word) for line in lines if not line.startswith("#") for word in line.split()]
    assert [numbers.index(step) for step in range(1, 65)] == list(cursor.path)
    assert (cursor.calls, cursor.backtracks, cursor.solutions) == (calls, calls - 64, 1)
    return cursor


def test_golden_tours_that_are_found_at_once() -> None:
    cursor = _golden("tour-fixed-order-python.txt", 3_242_065, "fixed:python", 0)
    assert cursor.rejects == 13_122_079
    _golden("tour-fixed-order-java-a.txt", 5_787_981, "fixed:java-a", 0)


@pytest.mark.deep
def test_golden_tours_that_took_minutes_once() -> None:
    _golden("tour-fixed-order-java-b.txt", 251_825_408, "fixed:java-b", 0)
    _golden("tour-fixed-order-python-from-1-2.txt", 621_436_593, "fixed:python", 1)


# --- budgets ----------------------------------------------------------------------------------------------


@given(cursor=searches(), calls=st.integers(1, 60), data=st.data())
def test_a_limit_of_calls_is_exact_and_the_run_can_go_on(cursor: Cursor, calls: int, data: st.DataObject) -> None:
    gear: GearName = data.draw(st.sampled_from(["plain", "kernel"]))
    _, cursor = advance(cursor, data.draw(st.integers(0, 50)))
    seen: list[Cursor] = []
    wanted = advance(cursor, 2000)[1]
    pause: SearchPaused | None = None
    try:
        assert run(cursor, events=2000, budget=Budget(calls=calls), gear=gear, watch=seen.append) == wanted
    except SearchPaused as raised:
        pause = raised
    if pause is not None:
        assert pause.cursor.calls == cursor.calls + calls == cursor.calls + pause.reached.calls
        assert pause.cursor.event < cursor.event + 2000
        assert machine_at(pause.cursor).places_next()
        assert seen[-1] == pause.cursor
        assert run(pause.cursor, events=cursor.event + 2000 - pause.cursor.event) == wanted


def test_a_budget_of_just_enough_calls_is_enough() -> None:
    gears: tuple[GearName, ...] = ("plain", "kernel")
    for gear in gears:
        cursor = start(QueensSpace(Board(8)), "rows")
        assert run(cursor, until="solution", budget=Budget(calls=113), gear=gear).solutions == 1
        with pytest.raises(SearchPaused, match="the limit of 112 calls was reached"):
            run(cursor, until="solution", budget=Budget(calls=112), gear=gear)
        assert run(cursor, budget=Budget(calls=2056), gear=gear).done


def test_time_progress_and_cancelling() -> None:
    cursor = run(start(TourSpace(Board(8), KNIGHT, 1), "fixed:python"), events=10**6, gear="kernel")
    heard: list[Progress] = []
    with pytest.raises(SearchPaused, match=r"the time limit of 0\.3 s was reached") as caught:
        run(cursor, budget=Budget(seconds=0.3, progress=heard.append, interval=0.05))
    assert isinstance(caught.value, BudgetExceeded)
    assert heard
    assert [one.calls for one in heard] == sorted(one.calls for one in heard)
    assert caught.value.cursor.calls > cursor.calls + 10**6
    asked = 0

    def cancelled() -> bool:
        nonlocal asked
        asked += 1
        return asked > 3

    with pytest.raises(SearchPaused, match="cancelled") as caught:
        run(cursor, budget=Budget(cancelled=cancelled))
    assert caught.value.reached.seconds < 2
    assert read_cursor(caught.value.cursor.to_json()) == caught.value.cursor


def test_the_end_is_the_end() -> None:
    last = run(start(QueensSpace(Board(3)), "rows"))
    assert last.done
    assert last.solutions == 0
    assert run(last) == run(last, until="solution") == last
    assert advance(last, 10) == ([], last)
