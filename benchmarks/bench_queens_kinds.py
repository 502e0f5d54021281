"""How long counting queens of the other kinds takes, each beside the plain search of the same kind.

    python benchmarks/bench_queens_kinds.py [--threads 1]

Seconds of wall time with the kernels compiled. The plain search is that in Python, extrapolated from its first
200,000 calls by the calls that the compiled one makes. Every count is compared with the published one.
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from backrank.errors import BudgetExceeded
from backrank.geometry.board import Board
from backrank.geometry.symmetry import ROTATIONS
from backrank.queens.backtracking import slices, splitting
from backrank.queens.counting import symmetric
from backrank.queens.counting.methods import CountMethod, count
from backrank.queens.spec import QueensSpec
from backrank.runtime.budget import Budget
from harness import Namespace, Report, Script, fail, measure_call, option, time_call

PLAIN_CALLS = 200_000


class Case(NamedTuple):
    """A count: what, how, and the published value."""

    name: str
    spec: QueensSpec
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


def counted(case: Case, threads: int) -> tuple[int, int | None]:
    """Return the count, and how many calls were made if that is comparable."""
    meter = Budget().start()
    spec = case.spec.lying()
    if case.method == "classes":
        return symmetric.count_classes(spec, CountMethod("columnsets", None), meter), None
    if case.method in ROTATIONS:
        return symmetric.count_symmetric(spec, symmetric.rotation(spec.board, case.method), meter), None
    if case.method == "tails":
        return slices.total(splitting.tail_tasks(spec), meter=meter, threads=threads), None
    tasks, factor = splitting.row_tasks(spec)
    return int(factor * slices.total(tasks, meter=meter, threads=threads)), int(factor * meter.calls)


def plain_rate(spec: QueensSpec, limit: int) -> float:
    """Return how many calls a second the plain search makes."""

    def calls() -> int:
        meter = Budget(calls=limit).start()
        try:
            count(spec, CountMethod("plain", None), meter)
        except BudgetExceeded as error:
            return error.reached.calls
        return meter.calls

    taken, made = time_call(calls)
    return made / taken.wall


def run(report: Report, options: Namespace) -> None:
    """Print a line for each case."""
    table = report.table("queens:<22", "count:15,d", "seconds:9.3f", "Mcalls/s:9.1f", "x plain:8.0f")
    plain_calls = report.sized(quick=10_000, normal=PLAIN_CALLS)
    for case in report.sized(quick=CASES[:1], normal=CASES):
        work = partial(counted, case, options.threads)
        work()  # compiles
        taken, (number, calls) = measure_call(work, most=2)
        if case.value not in (None, number):
            fail(f"{case.name}: {number} is not {case.value}")
        rate = calls / taken.best if calls else None
        rates = (rate / 1e6, rate / plain_rate(case.spec.lying(), plain_calls)) if rate else (None, None)
        table.row(case.name, number, taken.best, *rates)


SCRIPT = Script(__doc__, run, (option("--threads", type=int, default=1),))

if __name__ == "__main__":
    SCRIPT.main()
