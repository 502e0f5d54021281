"""How good estimates of numbers of tours are, and what they take.

    python benchmarks/bench_estimate.py [--boards 6x6 8x8 10x10] [--states 5000 20000] [--runs 20] [--probes 20000]

For every board, closed and open, and every number of states: the estimate, half its interval as a share of it, by how
much it is off the published number (if there is one), the spread of one run, CPU seconds in all, and how wide half the
interval would be after a minute of one core, by the square root of the time. Then the same for random probes on the
first board, which is what the layers are better than. The kernels are compiled before.
"""

from __future__ import annotations

import argparse
import time
from itertools import islice
from math import inf, sqrt
from pathlib import Path
from random import Random
from statistics import fmean, stdev

from backrank import KnightTours
from backrank.tours.estimation.probes import probes
from backrank.tours.spec import TourSpec

COUNTS = Path(__file__).parents[1] / "tests" / "data" / "tours.counts"
MINUTE = 60.0


def published(size: str, *, closed: bool) -> int | None:
    """Return the published number of undirected tours."""
    kind = f"tours.{'closed' if closed else 'open'}.undirected"
    lines = (line.split() for line in COUNTS.read_text(encoding="utf-8").splitlines())
    return next((int(words[2]) for words in lines if words[:2] == [kind, size]), None)


def puzzle(size: str, *, closed: bool) -> KnightTours:
    """Return what is estimated."""
    rows, cols = map(int, size.split("x"))
    return KnightTours(rows, cols, closed=closed)


def off(mean: float, true: int | None) -> str:
    """Say by how much a number differs from the published one."""
    return "unknown" if true is None else f"{100 * (mean / true - 1):+.2f} %"


def layers(size: str, *, closed: bool, states: int, runs: int) -> None:
    """Print a line about an estimate by thinned layers."""
    tours = puzzle(size, closed=closed)
    began = time.process_time()
    found = tours.estimate(directed=False, states=states, runs=runs)
    took = time.process_time() - began
    half = (found.high - found.low) / (2 * found.mean) if found.high is not None and found.mean else inf
    print(
        f"{size:>6} {'closed' if closed else 'open':<6} {states:>8,} states  {found.short:>10}  ± {100 * half:6.2f} %  "
        f"off {off(found.mean, published(size, closed=closed)):>9}  spread {found.spread:.3f}  {took:6.1f} s  "
        f"in a minute ± {100 * half * sqrt(took / MINUTE):.2f} %",
        flush=True,
    )


def by_probes(size: str, *, closed: bool, number: int) -> None:
    """Print a line about an estimate by random probes."""
    tours = puzzle(size, closed=closed)
    question = TourSpec(tours.board, tours.piece, closed, None, None)
    began = time.process_time()
    values = list(islice(probes(question, Random(0)), number))  # noqa: S311 - nothing secret
    took = time.process_time() - began
    values = values if closed else [value / 2 for value in values]
    mean, error = fmean(values), stdev(values) / sqrt(number)
    tours_found = sum(value > 0 for value in values)
    half = 1.96 * error / mean if mean else inf
    print(
        f"{size:>6} {'closed' if closed else 'open':<6} {number:>8,} probes  {mean:10.3g}  ± {100 * half:6.2f} %  "
        f"off {off(mean, published(size, closed=closed)):>9}  {tours_found:,} tours  {took:6.1f} s"
    )


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--boards", nargs="+", default=["6x6", "8x8", "10x10"])
    parser.add_argument("--states", nargs="+", type=int, default=[1_000, 5_000, 20_000])
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--probes", type=int, default=20_000)
    asked = parser.parse_args()
    puzzle("6x7", closed=True).estimate(states=100, runs=3)
    puzzle("10x10", closed=True).estimate(states=100, runs=3)
    for size in asked.boards:
        for closed in (True, False):
            for states in asked.states:
                layers(size, closed=closed, states=states, runs=asked.runs)
    for closed in (True, False):
        by_probes(asked.boards[0], closed=closed, number=asked.probes)


if __name__ == "__main__":
    main()
