"""How fast the search engine is, beside the tutorial's own program in the same run.

    python benchmarks/bench_engine.py [--calls 20000000] [--full]

Prints calls per second of CPU time for every strategy and gear, and the ratio to a plain recursive Python search as
the article has it; then how long it takes to seek in a run of 10^9 events, and to cancel one. With `--full` also the
start that the article gave up on, 621,436,593 calls.
"""

from __future__ import annotations

import time
from functools import partial
from statistics import fmean

from backrank.arena.entrants.tutorials import TutorialWalk
from backrank.geometry.board import Board
from backrank.geometry.pieces import KNIGHT
from backrank.runtime.budget import Budget
from backrank.search import Cursor, QueensSpace, SearchPaused, TourSpace, run, start, trace
from backrank.search.runner import GearName
from harness import Namespace, Report, Script, fail, measure_call, option, time_call

TOURS = ("fixed:python", "degree", "warnsdorff", "warnsdorff-roth", "random:1")
QUEENS = ("rows", "centre-out", "fewest-first", "random:1")
LONG_CALLS = 621_436_593


def limited(cursor: Cursor, calls: int, gear: GearName) -> int:
    """Run for so many calls, or to the end; return how many there were."""
    try:
        return run(cursor, budget=Budget(calls=calls), gear=gear).calls - cursor.calls
    except SearchPaused as pause:
        return pause.cursor.calls - cursor.calls


def article(calls: int) -> int:
    """Run the tutorial's program; return its calls."""
    walk = TutorialWalk(8, 8, calls)
    walk.first(0, 1)
    return walk.calls


def cursors() -> list[Cursor]:
    """Return the searches that are measured, at their beginnings."""
    searches = [(TourSpace(Board(8), KNIGHT, 1), name + prune) for name in TOURS for prune in ("", "+prune")]
    searches += [(TourSpace(Board(64)), name) for name in ("fixed:python", "warnsdorff-roth")]
    return [start(space, name) for space, name in searches] + [start(QueensSpace(Board(12)), name) for name in QUEENS]


def gears(report: Report, searches: list[Cursor], calls: int, plain_calls: int) -> None:
    """Print calls per second of every strategy and gear."""
    table = report.table("search:<44", "Mcalls/s:10.3f", "times:9.1f")
    taken, made = measure_call(partial(article, 7 * plain_calls), most=3)
    yardstick = made / taken.best_cpu
    table.row("recursive Python, as in the article", yardstick / 1e6, 1.0)
    both: tuple[tuple[GearName, int], ...] = (("plain", plain_calls), ("kernel", calls))
    for cursor in searches:
        for gear, share in both:
            fast = gear == "kernel" and cursor.strategy.name == "fixed:python" and len(cursor.space.board) == 64
            limited(cursor, 1000, gear)  # compiled, and tables made
            amount = share if fast or gear == "plain" else share // 10
            taken, made = measure_call(partial(limited, cursor, amount, gear), most=3)
            label = f"{cursor.space} {cursor.strategy} {gear}".replace("knight tour of ", "")
            table.row(label, made / taken.best_cpu / 1e6, made / taken.best_cpu / yardstick)


def seek(report: Report, events: int) -> None:
    """Print how long it takes to go to moments of a long run."""
    watched = trace(TourSpace(Board(8), KNIGHT, 1), "fixed:python")
    taken, _ = time_call(lambda: watched.run(events=events))
    moments = [number * 999_999_937 % events for number in range(1, 41)]
    times = [1e3 * time_call(partial(watched.at, moment))[0].wall for moment in moments]
    keyframes = len(watched.keyframes.cursors)
    report.note(f"{events:,} events run in {taken.wall:.2f} s, {keyframes} keyframes")
    report.note(f"seek: {fmean(times):.1f} ms on average, {max(times):.1f} ms at worst")


def cancel(report: Report, rounds: int) -> None:
    """Print how long a run goes on after it was cancelled."""
    delays = []
    for number in range(rounds):
        moment = time.perf_counter() + 0.2 + 0.017 * number
        cursor = start(TourSpace(Board(8), KNIGHT, 1), "fixed:python")
        try:
            run(cursor, budget=Budget(cancelled=lambda m=moment: time.perf_counter() > m), gear="kernel")  # type: ignore[misc]  # the moment of this round
        except SearchPaused:
            delays.append(1e3 * (time.perf_counter() - moment))
    report.note(f"cancel: {fmean(delays):.0f} ms on average, {max(delays):.0f} ms at worst")


def long_run(report: Report) -> None:
    """Print how long the start takes that the article gave up on."""
    taken, cursor = time_call(lambda: run(start(TourSpace(Board(8), KNIGHT, 1), "fixed:python"), until="solution"))
    if cursor.calls != LONG_CALLS:
        fail(f"from (1,2), 1-based: {cursor.calls:,} calls, not {LONG_CALLS:,}")
    counts = f"{cursor.calls:,} calls, {cursor.event:,} events"
    report.note(f"from (1,2), 1-based: {counts} in {taken.wall:.2f} s ({taken.cpu:.2f} s of CPU)")


def measured(report: Report, options: Namespace) -> None:
    """Run all parts."""
    searches = cursors()
    calls = options.calls or report.sized(quick=20_000, normal=20_000_000)
    gears(report, searches[:: report.sized(quick=5, normal=1)], calls, report.sized(quick=500, normal=30_000))
    seek(report, report.sized(quick=10**6, normal=10**9))
    cancel(report, report.sized(quick=1, normal=10))
    if report.size == "full":
        long_run(report)


SCRIPT = Script(__doc__, measured, (option("--calls", type=int, help="calls a measurement of the fastest kernel"),))

if __name__ == "__main__":
    SCRIPT.main()
