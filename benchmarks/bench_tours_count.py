"""How long counting knight's tours takes: compiled, layer by layer, beside plain Python.

    python benchmarks/bench_tours_count.py [--boards 6x6 6x8 7x8] [--open 6x6 7x7] [--threads 1 2] [--full] [--long]

For every board: states of all layers and of the largest, bytes held at most at once, wall seconds with the kernels
compiled and the order known, CPU seconds of all threads, million states a second, and the mark. Then how much more
each board takes than the one before, and how many times as long plain Python takes on 6x6 open and 6x8 closed. `--full`
also counts 8x8 closed, which takes a minute or two, and `--long` 6x100 closed; every count is compared with the
published one, if there is one.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass
from pathlib import Path

from backrank.geometry.board import Board
from backrank.geometry.pieces import KNIGHT, move_graph
from backrank.runtime.budget import Budget
from backrank.tours.counting import layers
from backrank.tours.counting import reference as frontier
from backrank.tours.counting.layers import Layer, Means, Sweep
from backrank.tours.frontier.forecast import size_of
from backrank.tours.frontier.sweeps import net_of, route_of
from backrank.tours.spec import TourSpec

COUNTS = Path(__file__).parents[1] / "tests" / "data" / "tours.counts"
# Wall seconds on two threads.
MARKS = {
    ("6x6", True): 0.01,
    ("6x6", False): 1.0,
    ("6x8", True): 2.0,
    ("7x7", False): 600.0,
    ("7x8", True): 180.0,
    ("8x8", True): 300.0,
}


@dataclass(frozen=True)
class Run:
    """What one count took."""

    count: int
    states: int
    largest: int
    held: int
    seconds: float
    cpu: float


def published(size: str, *, closed: bool) -> int | None:
    """Return the published number of undirected tours."""
    kind = f"tours.{'closed' if closed else 'open'}.undirected"
    lines = (line.split() for line in COUNTS.read_text(encoding="utf-8").splitlines())
    return next((int(words[2]) for words in lines if words[:2] == [kind, size]), None)


def question_of(size: str, *, closed: bool) -> TourSpec:
    """Return what is counted."""
    return TourSpec(Board.parse(size), KNIGHT, closed, None, None)


def counted(question: TourSpec, threads: int) -> Run:
    """Count once."""
    net, route = net_of(question), route_of(question)
    started, before = time.perf_counter(), time.process_time()
    sweep = Sweep(net, route, Budget().start(), Means(threads))
    layer = Layer.first(sweep.words)
    while layer.depth < len(route.order) and layer.parts:
        layer = sweep.advanced(layer)
    sweep.close()
    seconds, cpu = time.perf_counter() - started, time.process_time() - before
    return Run(layer.entries().get(0, 0), sum(sweep.sizes), max(sweep.sizes), sweep.peak_bytes, seconds, cpu)


def best(question: TourSpec, threads: int) -> Run:
    """Count up to five times, for two seconds, and return the quickest."""
    began, runs = time.perf_counter(), [counted(question, threads)]
    while len(runs) < 5 and time.perf_counter() - began < 2:
        runs.append(counted(question, threads))
    return min(runs, key=lambda run: run.seconds)


def line(size: str, run: Run, threads: int, *, closed: bool, before: Run | None) -> None:
    """Print one line of the table, and whether the mark is reached."""
    expected = published(size, closed=closed)
    if expected not in (None, run.count):
        raise SystemExit(f"{size}: {run.count} was counted, {expected} is published")
    mark = MARKS.get((size, closed))
    verdict = "" if mark is None or threads < 2 else f"{'reached' if run.seconds < mark else 'MISSED'} ({mark:g} s)"
    growth = f"{run.states / before.states:6.1f} {run.seconds / before.seconds:6.1f}" if before else f"{'':13}"
    speed = run.states / run.seconds / 1e6
    print(
        f"{size:>6} {'closed' if closed else 'open':>6} {threads:2d} {run.states:13,} {run.largest:12,} "
        f"{size_of(run.held):>9} {run.seconds:9.3f} {run.cpu:9.3f} {speed:7.2f} {growth}  {run.count} {verdict}",
        flush=True,
    )


def beside_plain(size: str, *, closed: bool) -> None:
    """Print how many times as long plain Python takes."""
    question = question_of(size, closed=closed)
    adjacency, net = move_graph(question.board).adjacency(), net_of(question)
    started = time.perf_counter()
    count = frontier.count_cycles if closed else frontier.count_paths
    number = count(adjacency, question.board)
    seconds = time.perf_counter() - started
    run = best(question, 1)
    if number != run.count or number != layers.count(net, route_of(question), meter=Budget().start()):
        raise SystemExit(f"{size}: plain Python counts {number}, the layers {run.count}")
    ratio = seconds / run.seconds
    print(f"{size:>6} {'closed' if closed else 'open':>6}: plain Python {seconds:.2f} s, {ratio:.0f} times as long")


def main() -> None:
    """Run what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--boards", nargs="*", default=["6x6", "6x8", "7x8"], help="for closed tours")
    parser.add_argument("--open", nargs="*", default=["6x6", "7x7"], help="boards for open tours")
    parser.add_argument("--threads", nargs="+", type=int, default=[1, 2])
    parser.add_argument("--full", action="store_true", help="8x8 closed as well")
    parser.add_argument("--long", action="store_true", help="6x100 closed as well")
    chosen = parser.parse_args()
    counted(question_of("5x6", closed=True), 1)  # compiles
    heads = ("board", "", "n", "states", "at once", "held", "seconds", "CPU", "M/s", "growth")
    print("{:>6} {:>6} {:>2} {:>13} {:>12} {:>9} {:>9} {:>9} {:>7} {:>6}".format(*heads))
    for closed, sizes in ((True, chosen.boards), (False, chosen.open)):
        for threads in chosen.threads:
            before: Run | None = None
            for size in sizes:
                run = best(question_of(size, closed=closed), threads)
                line(size, run, threads, closed=closed, before=before)
                before = run
    for size in ["8x8"] * chosen.full + ["6x100"] * chosen.long:
        threads = max(chosen.threads)
        line(size, counted(question_of(size, closed=True), threads), threads, closed=True, before=None)
    beside_plain("6x6", closed=False)
    beside_plain("6x8", closed=True)


if __name__ == "__main__":
    main()
