"""Huge boards and samples: the formula, the check, local search, and uniform samples a second.

    python benchmarks/bench_queens_large.py [--quick]

Wall seconds, the best of three, kernels compiled. Marks: the formula for n = 10^7 in less than 0.5 s, checking 10^7
queens in less than 1 s, local search for n = 10^6 in less than 5 s, 1,000 samples a second at n = 12. The formula is
compared with its plain version in the same run, the check with that of `verify`, each on as many queens as it bears.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from itertools import islice
from typing import TypeVar

import numpy as np

from backrank.geometry.board import Board
from backrank.geometry.verify import queens_faults
from backrank.queens.checking import attacking_pairs, is_placement
from backrank.queens.ranking.sampling import PlacementSampler
from backrank.queens.solve import formula as construct
from backrank.queens.solve import local_search as local

T = TypeVar("T")


def best(work: Callable[[], T]) -> tuple[float, T]:
    """Return the seconds of the best of three runs, and what the work returned."""
    least, result = float("inf"), work()
    for _ in range(3):
        started = time.perf_counter()
        result = work()
        least = min(least, time.perf_counter() - started)
    return least, result


def line(what: str, seconds: float, note: str = "", mark: float | None = None) -> None:
    """Print one line."""
    verdict = "" if mark is None else f"   {'mark reached' if seconds < mark else 'MISSED'} ({mark:g} s)"
    print(f"{what:44} {seconds:9.4f} s   {note}{verdict}", flush=True)


def formula_and_check(side: int) -> None:
    """Make and check a placement by formula, and a random permutation."""
    seconds, array = best(lambda: construct.columns_array(side, side))
    few = 10**5
    plain, columns = best(lambda: construct.columns(few, few))
    if array is None or columns is None:
        raise SystemExit(f"no formula for {side}")
    ratio = plain / few * side / seconds
    line(f"formula, n = {side:,}", seconds, f"{ratio:.0f} x as fast as the list", 0.5)
    seconds, good = best(lambda: is_placement(array))
    few = 4000
    cells = list(enumerate(construct.columns(few, few) or []))
    plain, faults = best(lambda: queens_faults(Board(few), cells))
    if not good or faults:
        raise SystemExit("the formula is wrong")
    line(f"check, n = {side:,}", seconds, f"{plain / few * side / seconds:.0f} x as fast as naming faults", 1.0)
    shuffled = np.random.default_rng(1).permutation(side).astype(np.int32)
    seconds, pairs = best(lambda: attacking_pairs(shuffled))
    line(f"pairs in a random permutation, n = {side:,}", seconds, f"{pairs:,} attacking pairs")


def local_search(sides: list[int]) -> None:
    """Place queens at random, with a new seed each time."""
    for side in sides:
        seeds = iter(range(100))
        seconds, array = best(lambda side=side, seeds=seeds: local.random_columns_array(side, next(seeds)))  # type: ignore[misc]
        if array is None or not is_placement(array):
            raise SystemExit(f"local search for {side} is wrong")
        line(
            f"local search, n = {side:,}",
            seconds,
            f"{seconds / side * 1e9:.0f} ns a queen",
            5.0 if side == 10**6 else None,
        )


def samples(sides: list[int], number: int) -> None:
    """Make ready for sampling, and draw."""
    for side in sides:
        PlacementSampler(Board(side)).sample(1)
        ready, sampler = best(lambda side=side: PlacementSampler(Board(side)))  # type: ignore[misc]
        many = number if side < 15 else number // 10
        seconds, _ = best(lambda sampler=sampler, many=many: list(islice(sampler.samples(1), many)))  # type: ignore[misc]
        note = f"{many / seconds:,.0f} a second, after {ready:.3f} s to make ready; {sampler.count:,} placements"
        line(f"{many:,} samples, n = {side}", seconds, note, many / 1000 if side == 12 else None)


def main() -> None:
    """Print all lines."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="smaller boards and fewer samples")
    options = parser.parse_args()
    formula_and_check(10**6 if options.quick else 10**7)
    local_search([10**4, 10**5] if options.quick else [10**4, 10**5, 10**6])
    samples([8, 12, 14] if options.quick else [8, 12, 14, 16], 1000)


if __name__ == "__main__":
    main()
