"""A run as a sequence: every moment by number is the moment that plain replay comes to."""

from __future__ import annotations

from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backrank.geometry.board import Board
from backrank.geometry.pieces import KNIGHT
from backrank.runtime.budget import Budget
from backrank.search import Cursor, EventKind, QueensSpace, SearchPaused, TourSpace, advance, replay, start, trace
from backrank.search.keyframes import Keyframes
from test_engine import searches


@given(cursor=searches(), data=st.data())
def test_any_moment_is_that_of_the_plain_run(cursor: Cursor, data: st.DataObject) -> None:
    events, last = advance(cursor, 700)
    watched = trace(cursor.space, cursor.strategy, keyframes=4)
    for n in data.draw(st.lists(st.integers(0, len(events)), min_size=1, max_size=8)):
        wanted = advance(cursor, n)[1]
        assert watched.cursor(n) == wanted
        assert watched.stats(n) == wanted.stats
        assert tuple(watched.path(n)) == wanted.path == tuple(watched.board(n))
        assert list(watched.board(n).values()) == list(range(1, wanted.depth + 1))
        if n < len(events):
            assert watched.at(n) == events[n]
        assert watched.window(n, min(n + 60, 700)) == events[n : n + 60]
        assert [level.square for level in watched.stack(n)] == [*wanted.path, None]
        assert [level.tried for level in watched.stack(n)] == list(wanted.tried)
    assert list(islice(watched, 700)) == events
    if last.done and len(events) < 700:
        assert watched.run().done
        assert watched.total == len(events)


def test_the_end_is_known_once_it_was_reached() -> None:
    watched = trace(QueensSpace(Board(5)), "rows")
    assert watched.total is None
    assert "events so far" in repr(watched)
    events = list(watched)
    assert watched.total == len(events) == watched.reached.event
    assert list(watched) == events
    assert watched.window(len(events) - 2, len(events) + 50) == events[-2:]
    assert watched.window(len(events) + 1000, len(events) + 1010) == []
    assert watched.path(len(events)) == []
    for behind in (len(events), len(events) + 1, 10**9):
        with pytest.raises(IndexError, match="behind the end of the run"):
            watched.at(behind)
        if behind > len(events):
            with pytest.raises(IndexError, match="behind the end of the run"):
                watched.path(behind)
            with pytest.raises(IndexError, match="behind the end of the run"):
                watched.cursor(behind)
    with pytest.raises(IndexError, match="numbered from 0"):
        watched.at(-1)


@pytest.mark.parametrize(
    ("space", "strategy"),
    [(QueensSpace(Board(6)), "rows"), (TourSpace(Board(5)), "warnsdorff+prune"), (QueensSpace(Board(3)), "rows")],
)
def test_solutions_and_backtracks_from_any_moment(space: QueensSpace | TourSpace, strategy: str) -> None:
    watched = trace(space, strategy)
    events = list(watched)
    watched = trace(space, strategy, keyframes=3)
    solutions = [event.number for event in events if event.kind is EventKind.SOLUTION]
    leaves = [event.number for event in events if event.kind is EventKind.LEAVE]
    for n in range(0, len(events) + 1, 1 + len(events) // 150):
        assert watched.next_solution(n) == next((number for number in solutions if number >= n), None)
        assert watched.previous_solution(n) == next((number for number in reversed(solutions) if number < n), None)
        assert watched.next_backtrack(n) == next((number for number in leaves if number >= n), None)
        assert watched.previous_backtrack(n) == next((number for number in reversed(leaves) if number < n), None)


def test_stepping_back_and_forth_rebuilds_the_board() -> None:
    watched = trace(TourSpace(Board(6)), "fixed:python")
    path = watched.path(5000)
    for n in range(4999, 4000, -1):
        event = watched.at(n)
        if event.kind is EventKind.ENTER:
            path.pop()
        elif event.kind is EventKind.LEAVE:
            path.append(event.square)
        if n % 97 == 0:
            assert path == watched.path(n)
    assert replay(watched.window(4001, 5000), path) == watched.path(5000)


def test_seeking_in_a_run_of_a_thousand_million_events() -> None:
    watched = trace(TourSpace(Board(8), KNIGHT, 1), "fixed:python")
    watched.run(events=10**9)
    assert len(watched.keyframes.cursors) <= 1024
    # What lies between two keyframes is run through in the blink of an eye.
    assert watched.keyframes.spacing < 5_000_000
    for n in (10**9 - 1, 3, 123_456_789, 500_000_001, 999_000_000, 77):
        cursor, event, path = watched.cursor(n), watched.at(n), watched.path(n)
        assert cursor.event == n == event.number
        assert cursor.path == tuple(path)
        assert advance(cursor, 1)[0] == [event]


def test_a_long_way_may_be_cut_short_and_gone_on() -> None:
    watched = trace(TourSpace(Board(8), KNIGHT, 1), "fixed:python")
    with pytest.raises(SearchPaused):
        watched.cursor(10**12, budget=Budget(calls=1_000_000))
    assert watched.reached.calls == 1_000_000
    with pytest.raises(SearchPaused):
        watched.next_solution(0, budget=Budget(calls=1_000_000))
    assert watched.reached.calls == 2_000_000
    assert watched.stats(1_000_000).events == 1_000_000


def test_a_trace_of_a_cursor_shows_the_whole_run() -> None:
    cursor = advance(start(QueensSpace(Board(6)), "rows"), 500)[1]
    watched = trace(cursor)
    assert watched.reached == cursor
    assert watched.at(0).kind is EventKind.ENTER
    assert watched.cursor(500) == cursor


@given(limit=st.integers(2, 9), steps=st.lists(st.integers(1, 50), max_size=60))
def test_keyframes_are_few_and_evenly_spread(limit: int, steps: list[int]) -> None:
    cursor = start(QueensSpace(Board(6)), "rows")
    frames = Keyframes(cursor, limit=limit, spacing=1)
    for step in steps:
        _, cursor = advance(cursor, step)
        frames.add(cursor)
    assert 1 <= len(frames.cursors) <= limit
    assert frames.events[0] == 0
    gaps = [b - a for a, b in zip(frames.events, frames.events[1:], strict=False)]
    assert all(gap >= frames.spacing for gap in gaps)
    for n in (0, 17, cursor.event):
        assert frames.before(n).event <= n
        assert frames.before(n).event == max(event for event in frames.events if event <= n)


def test_steps_back_are_found_over_a_long_way_forward() -> None:
    """Forty thousand steps forward without one back: they are passed over, and nothing is missed."""
    watched = trace(TourSpace(Board(60), KNIGHT, 0), "warnsdorff-roth")
    found = watched.next_backtrack(0)
    assert found is not None
    assert watched.at(found).kind is EventKind.LEAVE
    assert watched.stats(found).backtracks == 0
    assert watched.previous_backtrack(found) is None
    assert watched.previous_backtrack(found + 1) == found
    assert watched.next_backtrack(found + 1) == found + 1


def test_keyframes_are_taken_on_the_way_to_the_middle_of_an_unvisited_run() -> None:
    far = trace(TourSpace(Board(8), KNIGHT, 1), "fixed:python").cursor(300_000_000)
    watched = trace(far)
    assert len(watched.keyframes.cursors) == 2
    watched.stats(150_000_000)
    assert len(watched.keyframes.cursors) > 4
    assert watched.keyframes.events == sorted(watched.keyframes.events)
    assert watched.cursor(300_000_000) == far
