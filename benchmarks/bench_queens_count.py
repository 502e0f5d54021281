"""How long counting n queens takes: by column sets on one and two threads, beside the bit-parallel kernel.

    python benchmarks/bench_queens_count.py [--sides 14 16 18] [--sample 20] [--tasks 120] [--no-bits]

Times are wall seconds with the kernels compiled, the best of three where one takes less than two seconds. Ratios are
to the bit-parallel kernel in the same run, on one thread. The largest board is extrapolated from a fixed sample of
tasks, evenly spread; its bit kernel is not run. Memory is the most that the process has had so far.
"""

from __future__ import annotations

import argparse
import resource
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from backrank.queens.backtracking.bits_jit import count_queens
from backrank.queens.counting import column_sets as columnsets
from backrank.runtime.budget import Budget

# Seconds on one thread, ratio to the bit kernel.
MARKS = {16: (0.35, 6.0), 18: (8.0, 12.0), 20: (300.0, 0.0)}
THREADS_MARK = 1.85


def best(work: Callable[[], int]) -> tuple[float, int]:
    """Return the seconds and the result of the best of up to three runs."""
    least, result, began = float("inf"), 0, time.perf_counter()
    for _ in range(3):
        started = time.perf_counter()
        result = work()
        least = min(least, time.perf_counter() - started)
        if time.perf_counter() - began > 2:
            break
    return least, result


def by_column_sets(side: int, threads: int) -> int:
    """Count, without limits."""
    return columnsets.count(side, meter=Budget().start(), threads=threads)


def megabytes() -> float:
    """Return the largest memory of this process."""
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6


def line(side: int, bits: float, one: float, two: float, note: str) -> None:
    """Print one line of the table, and whether the marks are reached."""
    seconds, ratio = MARKS.get(side, (float("inf"), 0.0))
    missed = [
        name
        for name, bad in (
            ("seconds", one >= seconds),
            ("ratio", bits > 0 and bits / one < ratio),
            ("threads", side in MARKS and one / two < THREADS_MARK),
        )
        if bad
    ]
    verdict = "" if side not in MARKS else f"   MISSED: {', '.join(missed)}" if missed else "   marks reached"
    enumeration = f"{bits:9.3f} {bits / one:7.1f}" if bits else f"{'-':>9} {'-':>7}"
    print(
        f"{side:3d} {enumeration} {one:9.3f} {two:9.3f} {one / two:6.2f} {megabytes():7.0f}   {note}{verdict}",
        flush=True,
    )


def whole(side: int, *, bits: bool) -> None:
    """Count a board in every way, and compare."""
    enumeration, expected = best(lambda: int(count_queens(side))) if bits else (0.0, None)
    one, result = best(lambda: by_column_sets(side, 1))
    two, again = best(lambda: by_column_sets(side, 2))
    if result != again or expected not in (None, result):
        raise SystemExit(f"n = {side}: {expected}, {result} and {again} are not the same")
    line(side, enumeration, one, two, f"Q = {result}")


def sampled(side: int, wanted: int) -> None:
    """Extrapolate from tasks that are spread evenly."""
    counter = columnsets.Counter(side)
    tasks = counter.tasks()
    sample = tasks[:: max(1, len(tasks) // wanted)]
    scale = len(tasks) / len(sample)
    counter.run(sample[0])
    started = time.perf_counter()
    found = sum(counter.run(task)[0] for task in sample)
    one = (time.perf_counter() - started) * scale
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(counter.run, sample[:4]))
        started = time.perf_counter()
        again = sum(result for result, _ in pool.map(counter.run, sample))
        two = (time.perf_counter() - started) * scale
    if found != again:
        raise SystemExit(f"n = {side}: {found} and {again} are not the same")
    line(side, 0.0, one, two, f"from {len(sample)} of {len(tasks)} tasks; Q about {found * scale:.3g}")


def main() -> None:
    """Print a line for every side."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sides", type=int, nargs="*", default=[12, 14, 15, 16, 17, 18], help="boards counted wholly")
    parser.add_argument("--sample", type=int, default=20, help="board extrapolated from a sample; 0 for none")
    parser.add_argument("--tasks", type=int, default=120, help="tasks of the sample")
    parser.add_argument("--no-bits", action="store_true", help="leave the bit-parallel kernel out")
    options = parser.parse_args()
    count_queens(6)
    by_column_sets(8, 1)
    print(f"{'n':>3} {'bits s':>9} {'ratio':>7} {'1 thread':>9} {'2 threads':>9} {'times':>6} {'MB':>7}")
    for side in options.sides:
        whole(side, bits=not options.no_bits)
    if options.sample:
        sampled(options.sample, options.tasks)


if __name__ == "__main__":
    main()
