"""Narrow boards, answered exactly: what `existence` says beside what the sweep finds, and how long that takes.

    python benchmarks/bench_thin.py [--columns 60] [--pairs 200] [--seed 1] [--all]

For every board of three and four rows up to so many columns: any open tour, any closed one, an open and a closed tour
from every square, and tours between pairs of squares of the right colours, open, and closed where they are a move
apart. Of the pairs a random sample is taken, or all (one of each four that mirror each other) with --all. Every second
board is turned round. A failure is an answer "unknown", one that the sweep contradicts, or a tour with faults; there
must be none. Times are seconds of the sweep alone; checking the tours is not counted.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import partial
from itertools import combinations

from backrank.geometry.board import Board
from backrank.geometry.pieces import KNIGHT, move_graph
from backrank.geometry.symmetry import symmetries
from backrank.geometry.verify import tour_faults
from backrank.runtime.budget import Budget
from backrank.tours.solve.narrow import by_sweep
from backrank.tours.spec import TourSpec
from backrank.tours.theorems.existence import existence
from harness import Namespace, Report, Script, option, time_call

QUICK_COLUMNS, QUICK_PAIRS = 5, 2


class Tally:
    """What came of the questions about boards of so many rows."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self.asked = self.possible = self.failures = 0
        self.seconds = self.slowest = 0.0
        self.slowest_question = ""

    def ask(self, board: Board, *, closed: bool, start: int | None = None, end: int | None = None) -> None:
        """Compare the two answers to one question."""
        spec = TourSpec(board, KNIGHT, closed, start, end)
        taken, squares = time_call(partial(by_sweep, spec, Budget().start()))
        known = existence(board, closed=closed, start=start, end=end)
        faults = []
        if squares is not None:
            faults = tour_faults(board, list(map(board.cell, squares)), closed=closed, start=start, end=end)
        names = [f"{noun} {board.name(square)}" for noun, square in spec.ends()]
        asked = " ".join([str(board), "closed" if closed else "open", *names])
        if faults or known.answer != ("no" if squares is None else "yes"):
            self.failures += 1
            found = f"a tour with faults: {faults[0]}" if faults else "no tour" if squares is None else "a tour"
            self.report.failure(f"{asked}: existence says {known.answer} ({known.reason}); the sweep finds {found}")
        self.asked += 1
        self.possible += squares is not None
        self.seconds += taken.wall
        if taken.wall > self.slowest:
            self.slowest, self.slowest_question = taken.wall, asked


def pairs(board: Board, wanted: int | None, rng: random.Random) -> Iterator[tuple[int, int]]:
    """Yield pairs of squares of the right colours: so many at random, or one of each class."""
    images = [symmetry.permutation(board) for symmetry in symmetries(board)]
    right = [
        pair
        for pair in combinations(board, 2)
        if sorted(map(board.colour, pair)) == ([0, 0] if len(board) % 2 else [0, 1])
    ]
    if wanted is not None and wanted < len(right):
        yield from rng.sample(right, wanted)
        return
    for one, other in right:
        if (one, other) == min(tuple(sorted((image[one], image[other]))) for image in images):
            yield one, other


def ask_all(board: Board, tally: Tally, wanted: int | None, rng: random.Random) -> None:
    """Ask everything about one board."""
    for closed in (False, True):
        tally.ask(board, closed=closed)
        for start in board:
            tally.ask(board, closed=closed, start=start)
    adjacency = move_graph(board).adjacency()
    for one, other in pairs(board, wanted, rng):
        start, end = rng.choice([(one, other), (other, one)])
        tally.ask(board, closed=False, start=start, end=end)
        if other in adjacency[one]:
            tally.ask(board, closed=True, start=start, end=end)


def run(report: Report, options: Namespace) -> None:
    """Print a line for every ten columns."""
    columns, wanted = options.columns, None if options.all else options.pairs
    if report.size == "quick":
        columns, wanted = QUICK_COLUMNS, QUICK_PAIRS
    rng = random.Random(options.seed)  # noqa: S311 - a sample that must repeat; nothing secret
    table = report.table(
        "boards:>14", "asked:7d", "tours:7d", "failures:8d", "seconds:8.2f", "ms each:8.2f", "slowest s:9.2f"
    )
    for rows in (3, 4):
        for first in range(rows, columns + 1, 10):
            tally, last = Tally(report), min(first + 9, columns)
            for cols in range(first, last + 1):
                board = Board(rows, cols) if cols % 2 else Board(cols, rows)
                ask_all(board, tally, wanted, rng)
            counts = (tally.asked, tally.possible, tally.failures)
            times = (tally.seconds, 1000 * tally.seconds / tally.asked, tally.slowest)
            table.row(f"{rows}x{first} to {rows}x{last}", *counts, *times, after=tally.slowest_question)
    report.note(f"{report.failures} failures")


SCRIPT = Script(
    __doc__,
    run,
    (
        option("--columns", type=int, default=60, help="the longest boards"),
        option("--pairs", type=int, default=200, help="pairs of ends for each board"),
        option("--all", action="store_true", help="all pairs of ends, up to symmetry"),
        option("--seed", type=int, default=1, help="of the sample"),
    ),
)

if __name__ == "__main__":
    SCRIPT.main()
