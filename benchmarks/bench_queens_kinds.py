"""How long counting queens of the other kinds takes, each beside the plain search of the same kind.

    python benchmarks/bench_queens_kinds.py [--threads 1]

Seconds of wall time with the kernels compiled. The plain search is that in Python, extrapolated from its first
200,000 calls by the calls that the compiled one makes. Every count is compared with the published one.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from backrank.errors import BudgetExceeded
from backrank.geometry.board import Board
from backrank.queens.backtracking import slices, splitting
from backrank.queens.counting import symmetric
from backrank.queens.counting.methods import CountMethod, count
from backrank.queens.spec import QueensSpec
from backrank.runtime.budget import Budget

PLAIN_CALLS = 200_000


class Case(NamedTuple):
    """A count: what, how, and the published value."""

    name: str
    question: QueensSpec
    method: str
    value: int | None


def square(side: int, *, wrap: str = "none", piece: str = "queen", holes: str = "") -> QueensSpec:
    """Return the question about n on n x n."""
    return QueensSpec(Board(side, wrap=wrap, holes=holes), side, piece)


CASES = (
    Case("8 on 8x12", QueensSpec(Board(8, 12), 8), "rows", 195_270),
    Case("11 on 11x14", QueensSpec(Board(11, 14), 11), "rows", None),
    Case("7 on 10x10", QueensSpec(Board(10), 7), "rows", 2_119_176),
    Case("8 on 12x12", QueensSpec(Board(12), 8), "rows", None),
    Case("14, corners blocked", square(14, holes="a1 n14 a14 n1"), "tails", None),
    Case("16, corners blocked", square(16, holes="a1 p16 a16 p1"), "tails", None),
    Case("16 by tables", square(16), "tails", 14_772_512),
    Case("17 on the torus", square(17, wrap="torus"), "rows", 140_692),
    Case("19 on the torus", square(19, wrap="torus"), "rows", 820_496),
    Case("15 amazons", square(15, piece="amazon"), "rows", 32_516),
    Case("16 amazons", square(16, piece="amazon"), "rows", 202_900),
    Case("16 half turns", square(16), "180", 3_000),
    Case("20 half turns", square(20), "180", 144_620),
    Case("22 half turns", square(22), "180", 1_250_692),
    Case("20 quarter turns", square(20), "90", 480),
    Case("16 classes", square(16), "classes", 1_846_955),
)


def run(case: Case, threads: int) -> tuple[int, int | None]:
    """Return the count, and how many calls were made if that is comparable."""
    meter = Budget().start()
    question = case.question.lying()
    if case.method == "classes":
        return symmetric.count_classes(question, CountMethod("columnsets", None), meter), None
    if case.method in symmetric.ROTATIONS:
        return symmetric.count_symmetric(question, symmetric.rotation(question.board, case.method), meter), None
    if case.method == "tails":
        return slices.total(splitting.tail_tasks(question), meter=meter, threads=threads), None
    tasks, factor = splitting.row_tasks(question)
    return int(factor * slices.total(tasks, meter=meter, threads=threads)), int(factor * meter.calls)


def plain_rate(question: QueensSpec) -> float:
    """Return how many calls a second the plain search makes."""
    started = time.perf_counter()
    try:
        meter = Budget(calls=PLAIN_CALLS).start()
        count(question, CountMethod("plain", None), meter)
        calls = meter.calls
    except BudgetExceeded as error:
        calls = error.reached.calls
    return calls / (time.perf_counter() - started)


def timed(work: Callable[[], tuple[int, int | None]]) -> tuple[float, tuple[int, int | None]]:
    """Return the better of two runs."""
    best, result = float("inf"), work()
    for _ in range(2):
        started = time.perf_counter()
        result = work()
        best = min(best, time.perf_counter() - started)
        if best > 2:
            break
    return best, result


def main() -> None:
    """Print a line for each case."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    print(f"{'':22} {'count':>15} {'seconds':>9} {'Mcalls/s':>9} {'x plain':>8}")
    for case in CASES:
        seconds, (number, calls) = timed(partial(run, case, options.threads))
        if case.value not in (None, number):
            raise SystemExit(f"{case.name}: {number} is not {case.value}")
        told = ""
        if calls:
            told = f"{calls / seconds / 1e6:9.1f} {calls / seconds / plain_rate(case.question.lying()):8.0f}"
        print(f"{case.name:22} {number:15,d} {seconds:9.3f} {told}", flush=True)


if __name__ == "__main__":
    main()
