"""Budgets: exact limits of calls, limits of time, cancelling, and the pace of progress, by a clock of our own."""

from __future__ import annotations

import math
import pickle
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backrank.errors import BackrankError, BudgetExceeded, InvalidPuzzle
from backrank.runtime import budget as module
from backrank.runtime.budget import Budget, Meter
from backrank.runtime.progress import Progress
from clocks import Clock


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    own = Clock()
    monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=own.monotonic))
    return own


def work(meter: Meter, calls: int) -> int:
    """Make so many placements as an algorithm does, asking the meter when it is due; return how many were made."""
    made = 0
    while made < calls:
        if made == meter.stop_at:
            meter.tick(made, depth=made % 7)
        made += 1
    return made


# --- what a budget may be ---------------------------------------------------------------------------


def test_the_default_has_no_limits() -> None:
    budget = Budget()
    assert (budget.seconds, budget.calls, budget.progress, budget.cancelled) == (None, None, None, None)
    assert work(budget.start(), 50_000) == 50_000


@pytest.mark.parametrize("seconds", [0, 0.0, -1, -0.001, math.nan, -math.inf])
def test_times_that_nothing_can_keep(seconds: float) -> None:
    with pytest.raises(InvalidPuzzle):
        Budget(seconds=seconds)


@pytest.mark.parametrize("calls", [0, -1, -(10**30)])
def test_calls_that_nothing_can_keep(calls: int) -> None:
    with pytest.raises(InvalidPuzzle):
        Budget(calls=calls)


@pytest.mark.parametrize("calls", [1.5, 10.5, math.nan, math.inf, "7"])
def test_calls_are_counted_in_whole_numbers(calls: object) -> None:
    """Algorithms ask whether their calls have become equal to the limit: half a call they would never reach."""
    with pytest.raises(InvalidPuzzle):
        Budget(calls=calls)  # type: ignore[arg-type]


@pytest.mark.parametrize("interval", [-1.0, -0.001, math.nan, -math.inf])
def test_intervals_that_nothing_can_keep(interval: float) -> None:
    with pytest.raises(InvalidPuzzle):
        Budget(interval=interval)


def test_large_limits_are_fine() -> None:
    assert Budget(seconds=math.inf, calls=10**30, interval=1e9).calls == 10**30
    assert Budget(seconds=1e-9, calls=1).calls == 1


def test_a_budget_can_be_started_again_and_again(clock: Clock) -> None:
    budget = Budget(seconds=10, calls=5)
    for _ in range(3):
        meter = budget.start()
        with pytest.raises(BudgetExceeded):
            work(meter, 6)
        clock.now += 100


# --- calls ------------------------------------------------------------------------------------------


@given(st.integers(1, 30_000), st.integers(0, 30_000))
def test_the_limit_of_calls_is_exact(limit: int, needed: int) -> None:
    meter = Budget(calls=limit).start()
    if needed <= limit:
        assert work(meter, needed) == needed
        return
    with pytest.raises(BudgetExceeded) as caught:
        work(meter, needed)
    assert caught.value.reached.calls == limit


@pytest.mark.parametrize("limit", [1, 2, 4095, 4096, 4097, 8191, 8192, 8193])
def test_the_limit_of_calls_is_exact_around_the_ticks(limit: int) -> None:
    assert work(Budget(calls=limit).start(), limit) == limit
    with pytest.raises(BudgetExceeded) as caught:
        work(Budget(calls=limit).start(), limit + 1)
    assert caught.value.reached.calls == limit
    assert f"{limit:,} calls" in str(caught.value)


@given(st.integers(1, 50_000), st.lists(st.integers(1, 9000), max_size=20))
def test_ticks_never_aim_beyond_the_limit(limit: int, strides: list[int]) -> None:
    """Also for those who tick at other moments than they are asked to."""
    meter = Budget(calls=limit).start()
    calls = 0
    for stride in strides:
        assert calls < meter.stop_at <= limit
        calls += stride
        if calls >= limit:
            with pytest.raises(BudgetExceeded) as caught:
                meter.tick(calls)
            assert caught.value.reached.calls == calls
            return
        meter.tick(calls)


def test_the_clock_is_read_only_now_and_then(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    reads = 0

    def counting() -> float:
        nonlocal reads
        reads += 1
        return clock.now

    monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=counting))
    work(Budget(seconds=5).start(), 100_000)
    assert 2 < reads < 200


# --- time -------------------------------------------------------------------------------------------


def test_time_runs_from_the_start(clock: Clock) -> None:
    budget = Budget(seconds=2.5)
    clock.now += 100
    meter = budget.start()
    clock.now += 2.25
    meter.tick(1)
    clock.now += 0.25
    with pytest.raises(BudgetExceeded, match=r"2\.5 s") as caught:
        meter.tick(2)
    assert caught.value.reached == Progress(2.5, 2)


def test_time_stops_work_at_the_next_tick(clock: Clock) -> None:
    meter = Budget(seconds=1).start()
    clock.now += 1
    with pytest.raises(BudgetExceeded) as caught:
        work(meter, 10**6)
    assert caught.value.reached.calls == meter.stop_at < 10_000


def test_without_a_limit_time_does_not_matter(clock: Clock) -> None:
    meter = Budget(calls=10).start()
    clock.now += 1e12
    meter.tick(9)
    assert meter.now() == Progress(1e12, 9)


def test_one_limit_holds_for_several_pieces_of_work(clock: Clock) -> None:
    """Counted from a moment, time runs on between them, and the message tells all of it."""
    budget = Budget(seconds=10, since=clock.now)
    clock.now += 4
    meter = budget.start()
    clock.now += 5
    meter.tick(1)
    assert meter.now().seconds == 5, "the work itself has taken so long"
    later = budget.start()
    clock.now += 1
    with pytest.raises(BudgetExceeded, match=r"the time limit of 10 s was reached after 7 calls and 10\.0 s") as caught:
        later.tick(7)
    assert caught.value.reached == Progress(1.0, 7)
    with pytest.raises(BudgetExceeded):
        budget.start().tick(0)


def test_what_is_left_has_the_same_limit(clock: Clock) -> None:
    """A part of the work that gets what is left says which limit it was, and is not given the time twice."""
    meter = Budget(seconds=10, calls=50).start()
    clock.now += 4
    meter.tick(20)
    rest = meter.rest
    assert (rest.seconds, rest.calls, rest.seconds_left) == (10, 30, 6)
    assert rest.begun(3) == rest, "it has begun already"
    part = rest.start()
    clock.now += 5.5
    part.tick(1)
    assert part.rest.seconds_left == 0.5
    clock.now += 0.5
    with pytest.raises(BudgetExceeded, match=r"the time limit of 10 s was reached after 2 calls and 10\.0 s"):
        part.tick(2)


@pytest.mark.usefixtures("clock")
def test_without_a_limit_nothing_is_counted_from_anywhere() -> None:
    assert Budget(calls=5).begun(3) == Budget(calls=5)
    assert Budget().seconds_left is None
    assert Budget(seconds=4).seconds_left == 4
    assert Budget(seconds=4).begun(5).seconds_left == -1


@pytest.mark.parametrize("since", [math.nan, math.inf, "now", True])
def test_moments_that_are_none(since: object) -> None:
    with pytest.raises(InvalidPuzzle, match="since must be a moment"):
        Budget(seconds=1, since=since)  # type: ignore[arg-type]


# --- cancelling -------------------------------------------------------------------------------------


def test_cancelled_work_stops(clock: Clock) -> None:
    asked: list[float] = []
    stop = False

    def cancelled() -> bool:
        asked.append(clock.now)
        return stop

    meter = Budget(cancelled=cancelled, interval=1).start()
    meter.tick(1)
    assert asked == [], "nobody is asked before the interval is over"
    clock.now += 1
    meter.tick(2)
    assert len(asked) == 1
    stop = True
    meter.tick(3)
    clock.now += 1
    with pytest.raises(BudgetExceeded, match="cancelled") as caught:
        meter.tick(4, depth=3)
    assert caught.value.reached == Progress(2.0, 4, 3)
    assert len(asked) == 2


def test_cancelled_work_reports_no_more(clock: Clock) -> None:
    reports: list[Progress] = []
    meter = Budget(progress=reports.append, cancelled=lambda: True, interval=1).start()
    clock.now += 1
    with pytest.raises(BudgetExceeded):
        meter.tick(1)
    assert reports == []


# --- progress ---------------------------------------------------------------------------------------


def test_progress_comes_at_a_steady_pace(clock: Clock) -> None:
    reports: list[Progress] = []
    meter = Budget(progress=reports.append, interval=0.25).start(total=64)
    for call in range(1, 65):
        clock.now += 1 / 32
        meter.found = call // 10
        meter.tick(call * 1000, depth=call)
    assert [report.seconds for report in reports] == [0.25 * (1 + k) for k in range(8)]
    assert [report.calls for report in reports] == [8000 * (1 + k) for k in range(8)]
    assert reports[-1] == Progress(2.0, 64_000, depth=64, total=64, found=6)


@given(st.lists(st.floats(0, 3, allow_subnormal=False), max_size=40), st.floats(0.125, 2))
def test_progress_neither_bursts_nor_sleeps(pauses: list[float], interval: float) -> None:
    clock, reports = Clock(), list[Progress]()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "time", SimpleNamespace(monotonic=clock.monotonic))
        meter = Budget(progress=reports.append, interval=interval).start()
        last_report = clock.now
        for call, pause in enumerate(pauses, 1):
            clock.now += pause
            before = len(reports)
            meter.tick(call)
            if clock.now >= last_report + interval:
                assert len(reports) == before + 1, "one report for a long pause, not one for each interval in it"
                last_report = clock.now
            else:
                assert len(reports) == before
    assert [report.calls for report in reports] == sorted({report.calls for report in reports})


def test_an_interval_of_nothing_reports_at_every_tick(clock: Clock) -> None:
    reports: list[Progress] = []
    meter = Budget(progress=reports.append, interval=0).start()
    for call in range(1, 4):
        meter.tick(call)
    clock.now += 1
    meter.tick(4)
    assert [report.calls for report in reports] == [1, 2, 3, 4]


def test_a_new_meter_has_come_nowhere(clock: Clock) -> None:
    meter = Budget().start(total=25)
    clock.now += 0.5
    assert meter.now(depth=2) == Progress(0.5, 0, 2, 25, 0)


def test_errors_in_a_callback_are_not_hidden(clock: Clock) -> None:
    def progress(_: Progress) -> None:
        raise ZeroDivisionError

    meter = Budget(progress=progress, interval=1).start()
    clock.now += 1
    with pytest.raises(ZeroDivisionError):
        meter.tick(1)


# --- the error --------------------------------------------------------------------------------------


def test_the_error_says_what_was_reached_and_claims_nothing(clock: Clock) -> None:
    meter = Budget(calls=5000).start(total=64)
    meter.found = 1234
    clock.now += 1.5
    with pytest.raises(BudgetExceeded) as caught:
        meter.tick(5000, depth=60)
    assert caught.value.reached == Progress(1.5, 5000, 60, 64, 1234)
    for words in ("5,000 calls", "1.5 s", "1,234 found", "nothing is proven"):
        assert words in str(caught.value)
    assert isinstance(caught.value, BackrankError)
    assert not isinstance(caught.value, ValueError), "the input was not wrong"


def test_the_error_survives_pickling() -> None:
    """Errors travel between processes."""
    error = BudgetExceeded("the limit of 7 calls was reached", Progress(0.5, 7, 3, 64, 1))
    again = pickle.loads(pickle.dumps(error))  # noqa: S301 (our own pickle)
    assert type(again) is BudgetExceeded
    assert str(again) == str(error)
    assert again.reached == error.reached
