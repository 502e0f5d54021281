"""How fast the search engine is, beside the article's own program in the same run.

    python benchmarks/bench_engine.py [--calls 20000000] [--full]

Prints calls per second of CPU time for every strategy and gear, and the ratio to a plain recursive Python search as
the article has it; then how long it takes to seek in a run of 10^9 events, and to cancel one. With `--full` also the
start that the article gave up on, 621,436,593 calls.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable

from backrank.geometry.board import Board
from backrank.geometry.pieces import KNIGHT
from backrank.runtime.budget import Budget
from backrank.search import Cursor, QueensSpace, SearchPaused, TourSpace, run, start, trace
from backrank.search.runner import GearName

STEPS = ((-2, 1), (-1, 2), (1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1))
TOURS = ["fixed:python", "degree", "warnsdorff", "warnsdorff-roth", "random:1"]
QUEENS = ["rows", "centre-out", "fewest-first", "random:1"]


class Article:
    """The tutorial's program: a board of numbers, a recursive function, eight steps."""

    def __init__(self, size: int, limit: int) -> None:
        self.size, self.limit, self.calls = size, limit, 0
        self.board = [[0] * size for _ in range(size)]

    def place(self, row: int, col: int, number: int) -> bool:
        """Put the knight down and try all steps; True when the board is full (or the limit of calls is reached)."""
        self.calls += 1
        self.board[row][col] = number
        if number == self.size * self.size or self.calls == self.limit:
            return True
        for down, right in STEPS:
            r, c = row + down, col + right
            if 0 <= r < self.size and 0 <= c < self.size and not self.board[r][c] and self.place(r, c, number + 1):
                return True
        self.board[row][col] = 0
        return False


def per_second(work: Callable[[], int]) -> float:
    """Return calls per second of CPU time, the best of three."""
    best = 0.0
    for _ in range(3):
        started = time.process_time()
        calls = work()
        best = max(best, calls / max(time.process_time() - started, 1e-9))
    return best


def limited(cursor: Cursor, calls: int, gear: GearName) -> int:
    """Run for so many calls, or to the end; return how many there were."""
    try:
        return run(cursor, budget=Budget(calls=calls), gear=gear).calls - cursor.calls
    except SearchPaused as pause:
        return pause.cursor.calls - cursor.calls


def article(calls: int) -> int:
    """Run the article's program; return its calls."""
    program = Article(8, calls)
    program.place(0, 1, 1)
    return program.calls


def bench_gears(calls: int) -> None:
    """Print calls per second of every strategy and gear."""
    yardstick = per_second(lambda: article(200_000))
    print(f"{'recursive Python, as in the article':44} {yardstick / 1e6:10.3f} million calls/s       1.0 times")
    searches = [(TourSpace(Board(8), KNIGHT, 1), name + prune) for name in TOURS for prune in ("", "+prune")]
    searches += [(TourSpace(Board(64)), name) for name in ("fixed:python", "warnsdorff-roth")]
    cursors = [start(space, name) for space, name in searches]
    cursors += [start(QueensSpace(Board(12)), name) for name in QUEENS]
    gears: tuple[tuple[GearName, int], ...] = (("plain", 30_000), ("kernel", calls))
    for cursor in cursors:
        for gear, share in gears:
            fast = gear == "kernel" and cursor.strategy.name == "fixed:python" and len(cursor.space.board) == 64
            limited(cursor, 1000, gear)  # compiled, and tables made
            amount = share if fast or gear == "plain" else share // 10
            speed = per_second(lambda c=cursor, n=amount, g=gear: limited(c, n, g))  # type: ignore[misc]
            label = f"{cursor.space} {cursor.strategy} {gear}".replace("knight tour of ", "")
            print(f"{label:44} {speed / 1e6:10.3f} million calls/s {speed / yardstick:9.1f} times")


def bench_seek() -> None:
    """Print how long it takes to go to moments of a run of 10^9 events."""
    watched = trace(TourSpace(Board(8), KNIGHT, 1), "fixed:python")
    started = time.perf_counter()
    watched.run(events=10**9)
    print(f"\n10^9 events run in {time.perf_counter() - started:.2f} s, {len(watched.keyframes.cursors)} keyframes")
    times = []
    for number in range(1, 41):
        moment = number * 999_999_937 % 10**9
        started = time.perf_counter()
        watched.at(moment)
        times.append(time.perf_counter() - started)
    print(f"seek: {1000 * sum(times) / len(times):.1f} ms on average, {1000 * max(times):.1f} ms at worst")


def bench_cancel() -> None:
    """Print how long a run goes on after it was cancelled."""
    delays = []
    for number in range(10):
        moment = time.perf_counter() + 0.2 + 0.017 * number
        cursor = start(TourSpace(Board(8), KNIGHT, 1), "fixed:python")
        try:
            run(cursor, budget=Budget(cancelled=lambda m=moment: time.perf_counter() > m), gear="kernel")  # type: ignore[misc]
        except SearchPaused:
            delays.append(time.perf_counter() - moment)
    print(f"cancel: {1000 * sum(delays) / len(delays):.0f} ms on average, {1000 * max(delays):.0f} ms at worst")


def bench_long_run() -> None:
    """Print how long the start takes that the article gave up on."""
    wall, cpu = time.perf_counter(), time.process_time()
    cursor = run(start(TourSpace(Board(8), KNIGHT, 1), "fixed:python"), until="solution")
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    print(f"from (1,2), 1-based: {cursor.calls:,} calls, {cursor.event:,} events in {wall:.2f} s ({cpu:.2f} s of CPU)")


def main() -> int:
    """Run the benchmarks."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--calls", type=int, default=20_000_000, help="calls per measurement of the fastest kernel")
    parser.add_argument("--full", action="store_true", help="also run the 621,436,593 calls")
    options = parser.parse_args()
    bench_gears(options.calls)
    bench_seek()
    bench_cancel()
    if options.full:
        bench_long_run()
    return 0


if __name__ == "__main__":
    sys.exit(main())
