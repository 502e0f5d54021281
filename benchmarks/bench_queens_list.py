"""How fast placements of queens are listed: into arrays, one of each class, and as text.

    python benchmarks/bench_queens_list.py [--sides 12 13 14 15] [--text 14] [--first 28 30] [--repeat 5]

Rates are placements a second of processor time on one core, kernels compiled, the best of several runs: into arrays
with the tables for the last rows made anew, and with them kept from the run before. Ratios are to the bit-parallel
kernel that counts the same board in the same run, which goes through half of it and writes nothing down.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from functools import partial
from itertools import islice
from math import inf

from backrank import Queens
from backrank.queens.backtracking import tails
from backrank.queens.backtracking.bits_jit import count_queens
from backrank.queens.listing import text as lines
from backrank.queens.listing.arrays import Columns
from backrank.queens.listing.text import BlockWriter

MARK = (14, 5e6)


def best(work: Callable[[], int], repeat: int) -> tuple[float, int]:
    """Return the least processor time of several runs, and the result."""
    least, result = inf, 0
    for _ in range(repeat):
        started = time.thread_time()
        result = work()
        least = min(least, time.thread_time() - started)
    return least, result


def listed(side: int, *, fundamental: bool = False, anew: bool = False) -> int:
    """List a board into arrays, and count them."""
    if anew:
        tails.forget()
    return sum(len(array) for array in Queens(side).iter_arrays(fundamental=fundamental))


def arrays(side: int, repeat: int) -> None:
    """Print a line for a board."""
    bits, expected = best(lambda: int(count_queens(side)), repeat)
    anew, number = best(lambda: listed(side, anew=True), repeat)
    kept, again = best(lambda: listed(side), repeat)
    least, classes = best(lambda: listed(side, fundamental=True), repeat)
    if not expected == number == again:
        raise SystemExit(f"n = {side}: {expected}, {number} and {again} are not the same")
    verdict = ""
    if side == MARK[0]:
        verdict = "   mark reached" if number / kept >= MARK[1] else f"   MISSED: {MARK[1] / 1e6:g} million a second"
    print(
        f"{side:3d} {number:11,d} {number / anew / 1e6:8.2f} {number / kept / 1e6:8.2f} {bits / kept:7.2f}"
        f" {classes:10,d} {least:9.3f}{verdict}",
        flush=True,
    )


def written(columns: list[Columns], block: BlockWriter) -> int:
    """Return how many bytes all lines have."""
    return sum(len(block(array, 1)) for array in columns)


def text(side: int, repeat: int) -> None:
    """Print how fast the lines are made."""
    columns = list(Queens(side).iter_arrays())
    number = sum(map(len, columns))
    table = lines.table_writer(Queens(side).board)
    for name, block in (("columns", lines.columns_block), ("csv", table)):
        seconds, size = best(partial(written, columns, block), repeat)
        print(
            f"{name:8} {number / seconds / 1e6:6.2f} million placements/s, {size / seconds / 1e6:6.0f} MB/s", flush=True
        )


def first(side: int) -> None:
    """Print how long it takes to reach the first placement in lexicographic order."""
    started = time.thread_time()
    found = next(iter(Queens(side)))
    print(f"first of {side:2d}: {time.thread_time() - started:7.2f} s   {' '.join(map(str, found.columns[:10]))} ...")


def main() -> None:
    """Print all tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sides", type=int, nargs="*", default=[12, 13, 14, 15], help="boards that are listed")
    parser.add_argument("--text", type=int, default=14, help="board that is written as text")
    parser.add_argument("--first", type=int, nargs="*", default=[28, 30, 32], help="boards whose first is looked for")
    parser.add_argument("--repeat", type=int, default=5, help="runs of which the best is taken")
    options = parser.parse_args()
    count_queens(6)
    for side in (8, 17):  # compiles for words of both sizes
        list(islice(Queens(side).iter_arrays(chunk=10, fundamental=True), 1))
    print("millions of placements a second: tables made anew, tables kept; times as fast as the bit kernel counts")
    print(f"{'n':>3} {'placements':>11} {'anew':>8} {'kept':>8} {'ratio':>7} {'classes':>10} {'seconds':>9}")
    for side in options.sides:
        arrays(side, options.repeat)
    text(options.text, options.repeat)
    for side in options.first:
        first(side)


if __name__ == "__main__":
    main()
