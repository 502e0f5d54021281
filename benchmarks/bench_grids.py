"""Does every board have its tour? Grids of boards, starts and ends, solved one after the other; failures are printed.

    python benchmarks/bench_grids.py             # all grids
    python benchmarks/bench_grids.py --quick     # every seventh question
    python benchmarks/bench_grids.py --only ends

`starts`: every square of every board from 5x5 to 40x40 that can begin an open tour, one of each class of squares, lying
boards for standing ones. `closed`: every board of these sizes that has a closed tour. `ends`: every pair of
squares, one of each class, on all boards with 6 <= m <= n <= 12, and of the 5xn boards with n <= 12 those
that the theorems allow. `far`: pairs drawn at random (seeded) on boards up to 200x200.
Each tour is what `KnightTours(...).solve()` answers, checked by the rules; nothing is skipped, and every question that
is not answered by a tour is a failure.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Iterator
from itertools import combinations

from backrank.geometry.board import Board
from backrank.geometry.symmetry import orbits, permutations
from backrank.tours import KnightTours
from backrank.tours.theorems.existence import existence

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


def run(name: str, every: int) -> int:
    """Solve one grid, print what it took, and return the number of failures."""
    solved = failures = squares = 0
    slowest, slow_case = 0.0, ""
    began = time.perf_counter()
    for number, (rows, cols, is_closed, start, end) in enumerate(GRIDS[name]()):
        if number % every:
            continue
        tours = KnightTours(rows, cols, closed=is_closed, start=start, end=end)
        asked = time.perf_counter()
        tour = tours.solve()
        took = time.perf_counter() - asked
        if took > slowest:
            slowest, slow_case = took, repr(tours)
        if tour is None or tour not in tours:
            failures += 1
            print(f"FAILURE: {tours!r}: {tour!r}", flush=True)
        solved += 1
        squares += rows * cols
        if number % 2000 < every and sys.stderr.isatty():
            sys.stderr.write(f"\r{name}: {solved:,} questions, {time.perf_counter() - began:,.0f} s ")
    seconds = time.perf_counter() - began
    print(
        f"{name}: {solved:,} questions, {failures} failures, {seconds:,.1f} s "
        f"({1e3 * seconds / max(solved, 1):.2f} ms each, checks included); slowest {slowest:.2f} s: {slow_case}",
        flush=True,
    )
    return failures


def main() -> None:
    """Run the grids that are asked for."""
    parser = argparse.ArgumentParser(description="every start, every closed board, every pair of ends")
    parser.add_argument("--quick", action="store_true", help="every seventh question")
    parser.add_argument("--only", choices=GRIDS, help="one grid")
    options = parser.parse_args()
    names = [options.only] if options.only else list(GRIDS)
    sys.exit(1 if sum(run(name, 7 if options.quick else 1) for name in names) else 0)


if __name__ == "__main__":
    main()
