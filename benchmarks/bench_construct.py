"""Tours of huge boards: time and memory of building them from blocks, beside the plainest write of as many numbers.

    python benchmarks/bench_construct.py            # 10^4 to 10^8 squares, open, closed, both ends given
    python benchmarks/bench_construct.py --quick    # up to 10^6

Every tour is checked by the compiled check, whose time is shown as well. Ratios are of times taken in one run, each
the best of several; the memory is what one process takes beyond what it had before, by its peak.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial

import numpy as np

from backrank.geometry.board import Board
from backrank.geometry.pieces import KNIGHT
from backrank.tours import KnightTours
from backrank.tours.analysis.checking import array_faults
from backrank.tours.construct.assembly import constructed
from backrank.tours.construct.writing import written
from backrank.tours.spec import TourSpec

SIDES = (100, 316, 1000, 3162, 10_000)


def best(work: Callable[[], object], rounds: int = 5) -> float:
    """Return the least of some wall times."""
    times = []
    for _ in range(rounds):
        began = time.perf_counter()
        work()
        times.append(time.perf_counter() - began)
    return min(times)


def questions(side: int) -> dict[str, TourSpec]:
    """Return the same board open, closed, and with both ends given in different blocks."""
    board = Board(side)
    start, end = (board.square((side // 3, side // 4)), board.square((side - 2, side - 1)))
    if board.colour(start) == board.colour(end):
        end -= 1
    return {
        "closed": TourSpec(board, KNIGHT, True, None, None),
        "open": TourSpec(board, KNIGHT, False, 0, None),
        "ends": TourSpec(board, KNIGHT, False, start, end),
    }


def built(question: TourSpec, workers: int) -> np.ndarray:
    """Build a tour from nothing: the whole of what a caller waits for."""
    tour = constructed(question)
    if tour is None:
        raise SystemExit(f"nothing was built for {question}")
    return written(tour, workers=workers)


HEAD = ("board", "kind", "1 thread", "2 threads", "arange", "ratio 1", "ratio 2", "ns/square", "check")


def growth(sides: tuple[int, ...]) -> None:
    """Print times and ratios for growing boards."""
    print(" ".join(f"{word:>11}" for word in HEAD))
    for side in sides:
        plain = best(partial(np.arange, side * side, dtype=np.int32))
        for kind, question in questions(side).items():
            one, two = (best(partial(built, question, workers)) for workers in (1, 2))
            squares = built(question, 2)
            began = time.perf_counter()
            faults = array_faults(question.board, squares, closed=question.closed, end=question.end)
            checked = time.perf_counter() - began
            times = f"{one:>10.4f}s {two:>10.4f}s {plain:>10.4f}s {one / plain:>11.2f} {two / plain:>11.2f}"
            each = f"{1e9 * min(one, two) / len(squares):>11.2f} {checked:>10.2f}s"
            verdict = "" if not faults else f"  FAULT: {faults[0]}"
            print(f"{question.board!s:>11} {kind:>11} {times} {each}{verdict}", flush=True)
            del squares


def memory(side: int) -> None:
    """Print the peak of a process of its own that builds one tour."""
    question = questions(side)["closed"]
    built(TourSpec(Board(100), KNIGHT, True, None, None), 2)  # loads everything
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    squares = built(question, 2)
    taken = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024
    answer = squares.nbytes
    print(f"{side}x{side}: {taken / 1e6:,.1f} MB for an answer of {answer / 1e6:,.1f} MB: {taken / answer:.3f} times")


def single_steps() -> None:
    """Print how long it takes to tell single steps of a tour of 10^12 squares, building included."""

    def asked(step: int) -> int:
        return KnightTours(10**6, 10**6).constructed().square_at(step)

    asked(10**11)
    tour = KnightTours(10**6, 10**6).constructed()
    print(f"10^6 x 10^6: one step, building included: {1e3 * best(lambda: asked(10**11)):.3f} ms;", end=" ")
    print(f"one more step: {1e6 * best(lambda: tour.square_at(10**11)):.1f} us;", end=" ")
    print(f"the step of a square: {1e6 * best(lambda: tour.step_of(987_654_321_012)):.1f} us")


def main() -> None:
    """Run all parts."""
    parser = argparse.ArgumentParser(description="times and memory of building tours from blocks")
    parser.add_argument("--quick", action="store_true", help="up to 10^6 squares")
    parser.add_argument("--memory", type=int, help="only print the memory for a board of this side")
    options = parser.parse_args()
    if options.memory:
        memory(options.memory)
        return
    sides = SIDES[:3] if options.quick else SIDES
    # First: the system hands the peak of a process on to those that it starts.
    for side in sides[2:]:
        subprocess.run([sys.executable, __file__, "--memory", str(side)], check=True)
    built(TourSpec(Board(100), KNIGHT, True, None, None), 2)
    single_steps()
    growth(sides)


if __name__ == "__main__":
    main()
