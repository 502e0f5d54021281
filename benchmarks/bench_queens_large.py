"""Huge boards and samples: the formula, the check, local search, and uniform samples a second.

    python benchmarks/bench_queens_large.py

Wall seconds, the best of three, kernels compiled. Marks: the formula for n = 10^7 in less than 0.5 s, checking 10^7
queens in less than 1 s, local search for n = 10^6 in less than 5 s, 1,000 samples a second at n = 12. The formula is
compared with its plain version in the same run, the check with that of `verify`, each on as many queens as it can
do in a second.
"""

from __future__ import annotations

from functools import partial
from itertools import islice

from backrank.geometry.board import Board
from backrank.geometry.verify import queens_faults
from backrank.queens.checking import is_placement
from backrank.queens.ranking.sampling import PlacementSampler
from backrank.queens.solve import formula as construct
from backrank.queens.solve import local_search as local
from harness import Namespace, Report, Script, Table, fail, measure_call

MILLION = 10**6
FORMULA_MARK, CHECK_MARK, LOCAL_MARK, SAMPLES_MARK = 0.5, 1.0, 5.0, 1000
FEW, FEWER = 10**5, 4000  # queens that the plain versions can do


def formula_and_check(report: Report, table: Table, side: int) -> None:
    """Make and check a placement by formula, and a random permutation."""
    taken, array = measure_call(lambda: construct.columns_array(side, side))
    plain, columns = measure_call(lambda: construct.columns(FEW, FEW))
    if array is None or columns is None:
        fail(f"no formula for {side}")
    ratio = plain.best / FEW * side / taken.best
    name = f"formula, n = {side:,}"
    table.row(name, taken.best, f"{ratio:.0f} x as fast as the list", after=report.mark(name, taken.best, FORMULA_MARK))
    taken, good = measure_call(lambda: is_placement(array))
    cells = list(enumerate(construct.columns(FEWER, FEWER) or []))
    plain, faults = measure_call(lambda: queens_faults(Board(FEWER), cells))
    if not good or faults:
        fail("the formula is wrong")
    ratio = plain.best / FEWER * side / taken.best
    name = f"check, n = {side:,}"
    told = f"{ratio:.0f} x as fast as naming faults"
    table.row(name, taken.best, told, after=report.mark(name, taken.best, CHECK_MARK))


def local_search(report: Report, table: Table, sides: tuple[int, ...]) -> None:
    """Place queens at random, with a new seed each time."""
    for side in sides:
        seeds = iter(range(100))
        taken, array = measure_call(lambda n=side, s=seeds: local.random_columns_array(n, next(s)), most=4)  # type: ignore[misc]  # those of this turn
        if array is None or not is_placement(array):
            fail(f"local search for {side} is wrong")
        name = f"local search, n = {side:,}"
        after = report.mark(name, taken.best, LOCAL_MARK) if side == MILLION else ""
        table.row(name, taken.best, f"{taken.best / side * 1e9:.0f} ns a queen", after=after)


def samples(report: Report, table: Table, sides: tuple[int, ...], number: int) -> None:
    """Make ready for sampling, and draw."""
    for side in sides:
        PlacementSampler(Board(side)).sample(1)
        ready, sampler = measure_call(partial(PlacementSampler, Board(side)), most=4)
        many = number if side < 15 else number // 10
        taken, _ = measure_call(lambda s=sampler, n=many: list(islice(s.samples(1), n)), most=4)  # type: ignore[misc]  # those of this turn
        name, rate = f"{many:,} samples, n = {side}", many / taken.best
        note = f"{rate:,.0f} a second, after {ready.best:.3f} s to make ready; {sampler.count:,} placements"
        after = report.mark(f"{name}, a second", rate, SAMPLES_MARK, least=True, unit=" a second") if side == 12 else ""
        table.row(name, taken.best, note, after=after)


def run(report: Report, _options: Namespace) -> None:
    """Print all lines."""
    table = report.table("what:<46", "seconds:9.4f", "note:<30")
    formula_and_check(report, table, report.sized(quick=10**5, normal=10**7))
    local_search(report, table, report.sized((10**4,), (10**4, 10**5, MILLION)))
    samples(report, table, report.sized((8, 12), (8, 12, 14, 16)), report.sized(100, 1000))


SCRIPT = Script(__doc__, run)

if __name__ == "__main__":
    SCRIPT.main()
