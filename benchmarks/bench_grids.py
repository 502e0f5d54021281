"""Does every board have its tour? Grids of boards, starts and ends, solved one after the other; failures are printed.

    python benchmarks/bench_grids.py             # all grids
    python benchmarks/bench_grids.py --every 7   # every seventh question
    python benchmarks/bench_grids.py --only ends
    python benchmarks/bench_grids.py --quick     # a few questions of each grid

`starts`: every square of every board from 5x5 to 40x40 that can begin an open tour, one of each class of squares, lying
boards for standing ones. `closed`: every board of these sizes that has a closed tour. `ends`: every pair of
squares, one of each class, on all boards with 6 <= m <= n <= 12, and of the 5xn boards with n <= 12 those
that the theorems allow. `far`: pairs drawn at random (seeded) on boards up to 200x200.
Each tour is what `KnightTours(...).solve()` answers, checked by the rules; nothing is skipped, and every question that
is not answered by a tour is a failure.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from itertools import combinations, islice

from backrank.geometry.board import Board
from backrank.geometry.symmetry import orbits, permutations
from backrank.tours import KnightTours
from backrank.tours.theorems.existence import existence
from harness import Namespace, Report, Script, Table, option, time_call

Question = tuple[int, int, bool, int | None, int | None]


def starts() -> Iterator[Question]:
    """Yield every board and start, up to symmetry."""
    for rows in range(5, 41):
        for cols in range(rows, 41):
            board = Board(rows, cols)
            for orbit in orbits(board):
                if existence(board, start=orbit[0]).answer != "no":
                    yield rows, cols, False, orbit[0], None


def closed() -> Iterator[Question]:
    """Yield every board that has a closed tour."""
    for rows in range(5, 41):
        for cols in range(5, 41):
            if rows * cols % 2 == 0:
                yield rows, cols, True, None, None


def ends() -> Iterator[Question]:
    """Yield every pair of ends, up to symmetry and direction."""
    for rows, cols in [(r, c) for r in range(5, 13) for c in range(r, 13)]:
        board = Board(rows, cols)
        group = permutations(board)
        for start, end in combinations(range(board.size), 2):
            images = (tuple(sorted((image[start], image[end]))) for image in group)
            if min(images) == (start, end) and existence(board, start=start, end=end).answer != "no":
                yield rows, cols, False, start, end


def far() -> Iterator[Question]:
    """Yield pairs of ends on larger boards, always the same."""
    dice = random.Random(200)  # noqa: S311 - a fixed sample
    asked = 0
    while asked < 1000:
        rows, cols = dice.randint(6, 200), dice.randint(6, 200)
        start, end = dice.sample(range(rows * cols), 2)
        if existence(Board(rows, cols), start=start, end=end).answer != "no":
            asked += 1
            yield rows, cols, False, start, end


GRIDS = {"starts": starts, "closed": closed, "ends": ends, "far": far}


def solved(report: Report, table: Table, name: str, specs: Iterator[Question]) -> None:
    """Solve the questions of one grid, and print what that took."""
    asked, before = 0, report.failures
    slowest, slow_case = 0.0, ""
    began = time.perf_counter()
    for rows, cols, is_closed, start, end in specs:
        tours = KnightTours(rows, cols, closed=is_closed, start=start, end=end)
        taken, tour = time_call(tours.solve)
        if taken.wall > slowest:
            slowest, slow_case = taken.wall, repr(tours)
        if tour is None or tour not in tours:
            report.failure(f"{tours!r}: {tour!r}")
        asked += 1
    seconds = time.perf_counter() - began
    each = 1e3 * seconds / max(asked, 1)
    table.row(name, asked, report.failures - before, seconds, each, slowest, after=slow_case)


def run(report: Report, options: Namespace) -> None:
    """Run the grids that are asked for; the times have the checks of the tours in them."""
    table = report.table("grid:<8", "questions:9,d", "failures:8d", "seconds:9.1f", "ms each:8.2f", "slowest:8.3f")
    for name in [options.only] if options.only else list(GRIDS):
        stop = report.sized(quick=10 * options.every, normal=None)
        solved(report, table, name, islice(GRIDS[name](), 0, stop, options.every))


SCRIPT = Script(
    __doc__,
    run,
    (
        option("--only", choices=list(GRIDS), help="one grid"),
        option("--every", type=int, default=1, help="leave questions out: 7 for every seventh"),
    ),
)

if __name__ == "__main__":
    SCRIPT.main()
