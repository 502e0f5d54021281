"""How long it takes to make a very different tour, how that grows, and how different it is.

    python benchmarks/bench_shuffle.py [--sides 100 320 1000 3160] [--sweeps 12]

Closed tours of square boards, made by laying one 10x10 tour beside itself and joining the copies. Times are CPU
seconds, all of one thread, with the kernels compiled; the best of three where one takes less than two seconds. `shared`
is the part of the links that the shuffled tour has in common with the given one, `pair` that of two shuffled tours: the
first comes near the second when nothing of the given tour is left. `growth` is nanoseconds a square, over those of the
first board. Then: how much is shared after so many sweeps; and how many different tours a number of seeds gives on
small boards.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
import numpy.typing as npt

from backrank import KnightTours, Tour
from backrank.geometry.board import Board
from backrank.geometry.pieces import KNIGHT
from backrank.runtime.budget import Budget
from backrank.tours.randomize import shuffle_jit as kernel
from backrank.tours.randomize.shuffle import SWEEPS, shuffled
from backrank.tours.randomize.switches import Steps
from harness import Namespace, Report, Script, fail, option, time_call

Array = npt.NDArray[np.int32]

MARK = 600  # nanoseconds a square: 10^8 squares in a minute
ENOUGH = 4.0  # seconds of CPU after which two tours of a board are enough
TILE = 10
SMALL = (("5x5", False), ("5x6", True), ("6x6", True), ("6x6", False), ("7x7", False), ("8x8", True), ("8x8", False))


def solved(size: str, *, closed: bool) -> Tour:
    """Return some tour of a board that has one."""
    tour = KnightTours(size, closed=closed).solve()
    if tour is None:
        fail(f"no tour of {size}")
    return tour


def tiled(side: int) -> Array:
    """Return a closed tour of a square board whose side is a multiple of ten."""
    tour = solved(f"{TILE}x{TILE}", closed=True)
    steps = Steps(Board(TILE), KNIGHT)
    down, right, back = (np.array(column, np.int64) for column in (steps.down, steps.right, steps.back))
    tile = kernel.Jumps(TILE, TILE, 0, 0, 4, down, right, down * TILE + right, back)
    bits = np.zeros(TILE**2, np.uint8)
    kernel.load_links(tile, bits, np.array([*tour.squares, tour.start], np.int32), 0, TILE**2)
    bits = np.tile(bits.reshape(TILE, TILE), (side // TILE, side // TILE)).ravel()
    whole = tile._replace(rows=side, cols=side, offset=down * side + right)
    parent, dice = np.full(side**2, -1, np.int32), np.zeros(1, np.uint64)
    components = side**2 - kernel.label_rows(whole, bits, parent, 0, side)
    while components > 1:
        components -= kernel.join_rows(whole, bits, parent, dice, 256, 0, 0, side)
    squares = np.empty(side**2, np.int32)
    kernel.walk_links(whole, bits, np.array([0, 0, -1], np.int64), squares, 0, side**2)
    return squares


def shared(one: Array, other: Array) -> float:
    """Return the part of the links of a closed tour that another one has too."""
    after, before = np.empty_like(other), np.empty_like(other)
    after[other], before[other] = np.roll(other, -1), np.roll(other, 1)
    onward = np.roll(one, -1)
    return float(np.mean((after[one] == onward) | (before[one] == onward)))


def made(
    board: Board, squares: Sequence[int] | Array, seed: int, *, closed: bool = True, sweeps: int = SWEEPS
) -> Array:
    """Shuffle with the kernels, without limits."""
    tour = shuffled(
        board, KNIGHT, squares, closed=closed, rng=seed, meter=Budget().start(), sweeps=sweeps, gear="kernel"
    )
    return np.asarray(tour, np.int32)


def growth(report: Report, sides: list[int], sweeps: int) -> None:
    """Print a line for every board."""
    numbers = ("seconds:9.4f", "squares/s:12,.0f", "ns:6.0f", "growth:7.2f", "shared:7.3f", "pair:6.3f")
    table = report.table("squares:12,d", *numbers)
    first = 0.0
    for side in sides:
        board, squares = Board(side), tiled(side)
        times: list[float] = []
        tours: list[Array] = []
        for seed in range(3):
            taken, tour = time_call(partial(made, board, squares, seed, sweeps=sweeps))
            times.append(taken.cpu)
            tours = [*tours[-1:], tour]
            if len(tours) == 2 and sum(times) > ENOUGH:
                break
        each = 1e9 * min(times) / side**2
        first = first or each
        figures = (min(times), 1e9 / each, each, each / first, shared(tours[-1], squares), shared(*tours))
        after = report.mark(f"{side}x{side}, ns a square", each, MARK, unit=" ns a square")
        table.row(side**2, *figures, after=after)


def by_sweeps(report: Report, side: int) -> None:
    """Print how much is left of a tour after more and more sweeps."""
    board, squares = Board(side), tiled(side)
    table = report.table(f"sweeps, {board}:16d", "shared:7.3f")
    for sweeps in (0, 1, 2, 4, 8, 12, 16, 32):
        table.row(sweeps, shared(made(board, squares, 1, sweeps=sweeps), squares))


def small(report: Report, seeds: int) -> None:
    """Print how many different tours come up on small boards."""
    report.note(f"different tours from {seeds:,} seeds, given start and end kept where open")
    table = report.table("board:>6", "kind:<7", "tours:8,d")
    for size, closed in SMALL:
        tour = solved(size, closed=closed)
        different = {made(tour.board, tour.squares, seed, closed=closed).tobytes() for seed in range(seeds)}
        table.row(size, "closed" if closed else "open", len(different))


def run(report: Report, options: Namespace) -> None:
    """Print the three tables."""
    made(Board(20), tiled(20), 0)
    growth(report, options.sides or report.sized(quick=[100], normal=[100, 320, 1000, 3160]), options.sweeps)
    by_sweeps(report, report.sized(quick=40, normal=300))
    small(report, report.sized(quick=5, normal=1000))


SCRIPT = Script(
    __doc__,
    run,
    (
        option("--sides", type=int, nargs="*", help="multiples of ten"),
        option("--sweeps", type=int, default=SWEEPS, help="sweeps over the board"),
    ),
)

if __name__ == "__main__":
    SCRIPT.main()
