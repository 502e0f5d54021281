"""How long counting n queens takes: by column sets on one and two threads, beside the bit-parallel kernel.

    python benchmarks/bench_queens_count.py [--sides 14 16 18] [--sample 20] [--tasks 120] [--no-bits]

Times are wall seconds with the kernels compiled, the best of three where one takes less than two seconds. Ratios are
to the bit-parallel kernel in the same run, on one thread. The largest board is extrapolated from a fixed sample of
tasks, evenly spread; its bit kernel is not run. Memory is the peak of the process in the first run on two threads.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import partial

from backrank.queens.counting import column_sets as columnsets
from backrank.runtime.budget import Budget
from harness import Namespace, Report, Script, Table, fail, measure_call, option
from queens_bits_jit import count_queens

# Seconds on one thread, ratio to the bit kernel.
MARKS = {16: (0.35, 6.0), 18: (8.0, 12.0), 20: (300.0, None)}
THREADS_MARK = 1.85


def by_column_sets(side: int, threads: int) -> int:
    """Count, without limits."""
    return columnsets.count(side, meter=Budget().start(), threads=threads)


def verdict(report: Report, side: int, bits: float | None, one: float, two: float) -> str:
    """Hold the figures of a board against its marks."""
    if side not in MARKS:
        return ""
    seconds, ratio = MARKS[side]
    told = [report.mark(f"{side} queens, seconds", one, seconds)]
    if bits is not None and ratio is not None:
        told.append(report.mark(f"{side} queens, ratio", bits / one, ratio, least=True, unit=" x"))
    told.append(report.mark(f"{side} queens, threads", one / two, THREADS_MARK, least=True, unit=" threads"))
    return ", ".join(told)


def whole(report: Report, table: Table, side: int, *, with_bits: bool) -> None:
    """Count a board in every way, and compare."""
    bits, expected = None, None
    if with_bits:
        taken, expected = measure_call(lambda: int(count_queens(side)), most=3)
        bits = taken.best
    one, result = measure_call(partial(by_column_sets, side, 1), most=3)
    two, again = measure_call(partial(by_column_sets, side, 2), most=3)
    if result != again or expected not in (None, result):
        fail(f"n = {side}: {expected}, {result} and {again} are not the same")
    ratio = None if bits is None else bits / one.best
    after = verdict(report, side, bits, one.best, two.best)
    figures = (bits, ratio, one.best, two.best, one.best / two.best, two.peak / 1e6)
    table.row(side, *figures, f"Q = {result}", after=after)


def sampled(report: Report, table: Table, side: int, wanted: int) -> None:
    """Extrapolate from tasks that are spread evenly."""
    counter = columnsets.Counter(side)
    tasks = counter.tasks()
    sample = tasks[:: max(1, len(tasks) // wanted)]
    scale = len(tasks) / len(sample)
    counter.run(sample[0])
    one, found = measure_call(lambda: sum(counter.run(task)[0] for task in sample), most=1)
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(counter.run, sample[:4]))
        two, again = measure_call(lambda: sum(result for result, _ in pool.map(counter.run, sample)), most=1)
    if found != again:
        fail(f"n = {side}: {found} and {again} are not the same")
    note = f"from {len(sample)} of {len(tasks)} tasks; Q about {found * scale:.3g}"
    after = verdict(report, side, None, one.best * scale, two.best * scale)
    figures = (one.best * scale, two.best * scale, one.best / two.best, two.peak / 1e6)
    table.row(side, None, None, *figures, note, after=after)


def run(report: Report, options: Namespace) -> None:
    """Print a line for every side."""
    count_queens(6)
    by_column_sets(8, 1)
    seconds = ("1 thread:9.3f", "2 threads:9.3f", "times:6.2f", "MB:7.0f")
    table = report.table("n:3d", "bits s:9.3f", "ratio:7.1f", *seconds, "Q:<20")
    for side in options.sides or report.sized(quick=[8, 12], normal=[12, 14, 15, 16, 17, 18]):
        whole(report, table, side, with_bits=not options.no_bits)
    sample = report.sized(quick=14, normal=20) if options.sample is None else options.sample
    if sample:
        sampled(report, table, sample, options.tasks)


SCRIPT = Script(
    __doc__,
    run,
    (
        option("--sides", type=int, nargs="*", help="boards counted wholly"),
        option("--sample", type=int, help="board extrapolated from a sample; 0 for none"),
        option("--tasks", type=int, default=120, help="tasks of the sample"),
        option("--no-bits", action="store_true", help="leave the bit-parallel kernel out"),
    ),
)

if __name__ == "__main__":
    SCRIPT.main()
