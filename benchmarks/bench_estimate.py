"""How good estimates of numbers of tours are, and what they take.

    python benchmarks/bench_estimate.py [--boards 6x6 8x8 10x10] [--states 5000 20000] [--runs 20] [--probes 20000]

For every board, closed and open, and every number of states: the estimate, half its interval as a share of it, by how
much it is off the published number (if there is one), the spread of one run, CPU seconds in all, and how wide half the
interval would be after a minute of one core, by the square root of the time. Then the same for random probes on the
first board, which is what the layers are better than. The kernels are compiled before.
"""

from __future__ import annotations

from functools import partial
from itertools import islice
from math import inf, sqrt
from random import Random
from statistics import fmean, stdev

from backrank import KnightTours
from backrank.tours.spec import TourSpec
from harness import Namespace, Report, Script, option, published, time_call
from tour_probes import probes

MINUTE = 60.0


def kind(*, closed: bool) -> str:
    """Return `closed` or `open`."""
    return "closed" if closed else "open"


def off(size: str, mean: float, *, closed: bool) -> float | None:
    """Return by how many percent a number differs from the published one."""
    true = published(f"tours.{kind(closed=closed)}.undirected", size)
    return None if true is None else 100 * (mean / true - 1)


def by_layers(report: Report, boards: list[str], states: list[int], runs: int) -> None:
    """Print a line for each estimate by thinned layers."""
    numbers = ("states:>8,d", "estimate:>10", "+- %:7.2f", "off %:8.2f", "spread:7.3f", "CPU s:7.1f")
    table = report.table("board:>6", "kind:>6", *numbers, "+- % in a minute:16.2f")
    cases = [(size, closed, each) for size in boards for closed in (True, False) for each in states]
    for size, closed, each in cases:
        tours = KnightTours(size, closed=closed)
        taken, found = time_call(partial(tours.estimate, directed=False, states=each, runs=runs))
        half = (found.high - found.low) / (2 * found.mean) if found.high is not None and found.mean else inf
        figures = (found.short, 100 * half, off(size, found.mean, closed=closed), found.spread, taken.cpu)
        table.row(size, kind(closed=closed), each, *figures, 100 * half * sqrt(taken.cpu / MINUTE))


def by_probes(report: Report, size: str, number: int) -> None:
    """Print a line for each estimate by random probes."""
    table = report.table(
        "board:>6", "kind:>6", "probes:8,d", "estimate:10.3g", "+- %:7.2f", "off %:8.2f", "tours:7,d", "CPU s:7.1f"
    )
    for closed in (True, False):
        tours = KnightTours(size, closed=closed)
        spec = TourSpec(tours.board, tours.piece, closed, None, None)
        stream = islice(probes(spec, Random(0)), number)  # noqa: S311 - nothing secret
        taken, values = time_call(partial(list[float], stream))
        values = values if closed else [value / 2 for value in values]
        mean, error = fmean(values), stdev(values) / sqrt(number)
        half = 1.96 * error / mean if mean else inf
        figures = (mean, 100 * half, off(size, mean, closed=closed), sum(value > 0 for value in values), taken.cpu)
        table.row(size, kind(closed=closed), number, *figures)


def run(report: Report, options: Namespace) -> None:
    """Print both tables."""
    boards = options.boards or report.sized(quick=["6x6"], normal=["6x6", "8x8", "10x10"])
    KnightTours("6x7", closed=True).estimate(states=100, runs=3)
    if boards != ["6x6"]:
        KnightTours("10x10", closed=True).estimate(states=100, runs=3)
    states = options.states or report.sized(quick=[300], normal=[1_000, 5_000, 20_000])
    by_layers(report, boards, states, options.runs or report.sized(quick=5, normal=20))
    by_probes(report, boards[0], options.probes or report.sized(quick=300, normal=20_000))


SCRIPT = Script(
    __doc__,
    run,
    (
        option("--boards", nargs="+", help="such as 6x6 8x8"),
        option("--states", nargs="+", type=int, help="states that are kept"),
        option("--runs", type=int, help="runs of each estimate"),
        option("--probes", type=int, help="random probes"),
    ),
)

if __name__ == "__main__":
    SCRIPT.main()
