"""Tours of huge boards: time and memory of building them from blocks, beside the plainest write of as many numbers.

    python benchmarks/bench_construct.py            # 10^4 to 10^8 squares, open, closed, both ends given
    python benchmarks/bench_construct.py --quick    # up to 10^5

Every tour is checked by the compiled check, whose time is shown as well. Ratios are to a bare `numpy.arange`, each time
the best of several; the memory is what one process takes beyond what it had before, by its peak.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from backrank.arena.running import MeasuringLimits
from backrank.geometry.board import Board
from backrank.geometry.pieces import KNIGHT
from backrank.tours import KnightTours
from backrank.tours.analysis.checking import array_faults
from backrank.tours.construct.assembly import constructed
from backrank.tours.construct.writing import written
from backrank.tours.spec import TourSpec
from harness import Namespace, Report, Script, fail, measure_apart, measure_call, time_call

WARM_UP_SIDE = 100
ONE_EACH = MeasuringLimits(limit=120.0, most=1, share=0.0)
HUGE = 10**6


def specs(side: int) -> dict[str, TourSpec]:
    """Return the same board closed, open, and with both ends given in different blocks."""
    board = Board(side)
    start, end = (board.square((side // 3, side // 4)), board.square((side - 2, side - 1)))
    if board.colour(start) == board.colour(end):
        end -= 1
    return {
        "closed": TourSpec(board, KNIGHT, True, None, None),
        "open": TourSpec(board, KNIGHT, False, 0, None),
        "ends": TourSpec(board, KNIGHT, False, start, end),
    }


def built(spec: TourSpec, workers: int) -> np.ndarray:
    """Build a tour from nothing: the whole of what a caller waits for."""
    tour = constructed(spec)
    if tour is None:
        fail(f"nothing was built for {spec}")
    return written(tour, workers=workers)


def closed_tour(side: int) -> int:
    """Build a closed tour, and return how many bytes it has."""
    return int(built(specs(side)["closed"], 2).nbytes)


def memory(report: Report, sides: tuple[int, ...]) -> None:
    """Print the peak of a process of its own that builds one tour."""
    table = report.table("board:>11", "took MB:9.1f", "answer MB:9.1f", "times:7.3f")
    for timing in measure_apart("bench_construct:closed_tour", sides, WARM_UP_SIDE, ONE_EACH):
        if not timing.is_timed:
            fail(f"{timing.size}x{timing.size}: {timing.note}")
        taken, answer = timing.peak - timing.held, int(timing.answer)
        table.row(f"{timing.size}x{timing.size}", taken / 1e6, answer / 1e6, taken / answer)


def single_steps(report: Report) -> None:
    """Print how long single steps of a tour of 10^12 squares take, building included."""

    def step() -> int:
        return KnightTours(HUGE, HUGE).constructed().square_at(10**11)

    tour = KnightTours(HUGE, HUGE).constructed()
    table = report.table("10^6 x 10^6:<40", "us:9.1f")
    table.row("one step, building included", 1e6 * measure_call(step)[0].best)
    table.row("one more step", 1e6 * measure_call(lambda: tour.square_at(10**11))[0].best)
    table.row("the step of a square", 1e6 * measure_call(lambda: tour.step_of(987_654_321_012))[0].best)


def growth(report: Report, sides: tuple[int, ...]) -> None:
    """Print times and ratios for growing boards."""
    seconds = ("1 thread:9.4f", "2 threads:9.4f", "arange:9.4f")
    table = report.table(
        "board:>11", "kind:>7", *seconds, "ratio 1:8.2f", "ratio 2:8.2f", "ns/square:9.2f", "check s:8.2f"
    )
    for side in sides:
        plain = measure_call(partial(np.arange, side * side, dtype=np.int32))[0].best
        for kind, spec in specs(side).items():
            one = measure_call(partial(built, spec, 1))[0].best
            two, squares = measure_call(partial(built, spec, 2))
            check = partial(array_faults, spec.board, squares, closed=spec.closed, end=spec.end)
            checked, faults = time_call(check)
            if faults:
                report.failure(f"{spec.board} {kind}: {faults[0]}")
            each = 1e9 * min(one, two.best) / len(squares)
            table.row(str(spec.board), kind, one, two.best, plain, one / plain, two.best / plain, each, checked.wall)
            del squares, check  # a tour may take 400 MB


def run(report: Report, _options: Namespace) -> None:
    """Run all parts."""
    sides = report.sized(quick=(100, 316), normal=(100, 316, 1000, 3162, 10_000))
    memory(report, sides[-3:])
    built(specs(WARM_UP_SIDE)["closed"], 2)
    single_steps(report)
    growth(report, sides)


SCRIPT = Script(__doc__, run)

if __name__ == "__main__":
    SCRIPT.main()
