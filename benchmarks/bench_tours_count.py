"""How long counting knight's tours takes: compiled, layer by layer, beside plain Python.

    python benchmarks/bench_tours_count.py [--boards 6x6 6x8 7x8] [--open 6x6 7x7] [--threads 1 2] [--full] [--long]

For every board: states of all layers and of the largest, bytes held at most at once, wall seconds with the kernels
compiled and the order known, CPU seconds of all threads, million states a second, and the mark. Then how much more
each board takes than the one before, and how many times as long plain Python takes on 6x8 closed
(smaller boards: `backrank bench --cases tours-open,tours-closed`). `--full`
also counts 8x8 closed, which takes a minute or two, and `--long` 6x100 closed; every count is compared with the
published one, if there is one.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from backrank.geometry.board import Board
from backrank.geometry.pieces import KNIGHT, move_graph
from backrank.runtime.budget import Budget
from backrank.runtime.quantities import size_of
from backrank.tours.counting import layers
from backrank.tours.counting.layers import Layer, Means, Sweep
from backrank.tours.frontier import reference as frontier
from backrank.tours.frontier.sweeps import net_of, route_of
from backrank.tours.spec import TourSpec
from harness import Measured, Namespace, Report, Script, Table, fail, measure_call, option, published, time_call

# Wall seconds on two threads.
MARKS = {
    ("6x6", True): 0.01,
    ("6x6", False): 1.0,
    ("6x8", True): 2.0,
    ("7x7", False): 600.0,
    ("7x8", True): 180.0,
    ("8x8", True): 300.0,
}


@dataclass(frozen=True, slots=True)
class Counted:
    """A count, and what it had to hold: states of all layers and of the largest, bytes at most at once."""

    count: int
    states: int
    largest: int
    held: int


def spec_of(size: str, *, closed: bool) -> TourSpec:
    """Return what is counted."""
    return TourSpec(Board.parse(size), KNIGHT, closed, None, None)


def counted(spec: TourSpec, threads: int) -> Counted:
    """Count once; the order of the squares is kept from one count to the next."""
    net, route = net_of(spec), route_of(spec)
    sweep = Sweep(net, route, Budget().start(), Means(threads))
    layer = Layer.first(sweep.words)
    while layer.depth < len(route.order) and layer.parts:
        layer = sweep.advanced(layer)
    sweep.close()
    return Counted(layer.entries().get(0, 0), sum(sweep.sizes), max(sweep.sizes), sweep.peak_bytes)


class Counts:
    """The table of counts.

    Parameters
    ----------
    report : Report
    """

    def __init__(self, report: Report) -> None:
        self.report = report
        numbers = ("states:13,d", "at once:12,d", "held:>9", "seconds:9.3f", "CPU s:9.3f", "M/s:7.2f")
        self.table: Table = report.table(
            "board:>6", "kind:>6", "n:2d", *numbers, "x states:8.1f", "x time:6.1f", "count:<16"
        )

    def series(self, sizes: list[str], threads: int, *, closed: bool, runs: int = 5) -> None:
        """Count boards, each beside the one before."""
        before: tuple[Measured, Counted] | None = None
        for size in sizes:
            spec = spec_of(size, closed=closed)
            route_of(spec)
            found = measure_call(partial(counted, spec, threads), most=runs)
            self._row(size, threads, found, before, closed=closed)
            before = found

    def _row(
        self,
        size: str,
        threads: int,
        found: tuple[Measured, Counted],
        before: tuple[Measured, Counted] | None,
        *,
        closed: bool,
    ) -> None:
        (taken, got), kind = found, "closed" if closed else "open"
        expected = published(f"tours.{kind}.undirected", size)
        if expected not in (None, got.count):
            fail(f"{size}: {got.count} was counted, {expected} is published")
        limit = MARKS.get((size, closed))
        name = f"{size} {kind}, {threads} threads"
        after = "" if limit is None or threads < 2 else self.report.mark(name, taken.best, limit)
        growth = (got.states / before[1].states, taken.best / before[0].best) if before else (None, None)
        speed = got.states / taken.best / 1e6
        counts = (got.states, got.largest, str(size_of(got.held)))
        times = (taken.best, taken.best_cpu, speed)
        self.table.row(size, kind, threads, *counts, *times, *growth, str(got.count), after=after)


def beside_plain(report: Report, size: str) -> None:
    """Print how many times as long plain Python takes for the closed tours of a board."""
    spec = spec_of(size, closed=True)
    adjacency, net = move_graph(spec.board).adjacency(), net_of(spec)
    plain, number = time_call(lambda: frontier.count_cycles(adjacency, spec.board))
    taken, got = measure_call(partial(counted, spec, 1))
    if number != got.count or number != layers.count(net, route_of(spec), meter=Budget().start()):
        fail(f"{size}: plain Python counts {number}, the layers {got.count}")
    report.note(f"{size} closed: plain Python {plain.wall:.2f} s, {plain.wall / taken.best:.0f} times as long")


def run(report: Report, options: Namespace) -> None:
    """Print a line for each board, kind and number of threads."""
    counted(spec_of("5x6", closed=True), 1)  # compiles
    counts = Counts(report)
    sizes = {
        True: options.boards or report.sized(quick=["6x6"], normal=["6x6", "6x8", "7x8"]),
        False: options.open or report.sized(quick=["5x5"], normal=["6x6", "7x7"]),
    }
    for closed, boards in sizes.items():
        for threads in options.threads:
            counts.series(boards, threads, closed=closed)
    for size in ["8x8"] * (report.size == "full") + ["6x100"] * options.long:
        counts.series([size], max(options.threads), closed=True, runs=1)
    beside_plain(report, report.sized(quick="5x6", normal="6x8"))


SCRIPT = Script(
    __doc__,
    run,
    (
        option("--boards", nargs="*", help="for closed tours"),
        option("--open", nargs="*", help="boards for open tours"),
        option("--threads", nargs="+", type=int, default=[1, 2]),
        option("--long", action="store_true", help="6x100 closed as well"),
    ),
)

if __name__ == "__main__":
    SCRIPT.main()
