"""Boards with holes and odd shapes, beside OR-Tools CP-SAT and the plain rung in the same run.

    python benchmarks/bench_shapes.py [--quick] [--seeds 20] [--limit 10]

Boards with a tenth of holes have a known tour: a random path is bent (in plain Python) until it has as many squares as
wanted, and the rest are holes. Prints for each family how many questions each solver answered within the limit, its
median and longest time, and how many times as long as ours CP-SAT took (by medians; a lower bound where it gave
up). `plain` is greedy growth and rotations in Python, four attempts. Then boards that have no tour: who proves it.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Sequence
from random import Random

from backrank import Board, Budget, BudgetExceeded, KnightTours
from backrank.geometry.pieces import move_graph
from backrank.geometry.verify import tour_faults
from backrank.tours.solve.cpsat import MissingEngine, by_cp_sat
from backrank.tours.solve.rotation import bent

Outcome = tuple[bool, float]


def holed(side: int, share: float, seed: int, *, closed: bool) -> Board:
    """Return a square board with holes, about so many of its squares, that has a tour (closed if that is asked for)."""
    random = Random(seed)  # noqa: S311 - boards must repeat; nothing secret
    size = side * side
    wanted = size - round(size * share)
    adjacency = move_graph(Board(side)).adjacency()
    while True:
        path = [random.randrange(size)]
        for _ in range(60 * size):
            bare = set(range(size)).difference(path) if len(path) < wanted else set()
            free = [square for square in adjacency[path[-1]] if square in bare]
            if free:
                path.append(random.choice(free))
                continue
            if len(path) == wanted and (not closed or path[0] in adjacency[path[-1]]):
                return Board(side, holes=set(range(size)).difference(path))
            pivots = [path.index(square) for square in adjacency[path[-1]] if square in path[:-2]]
            if not pivots:
                break
            cut = random.choice(pivots) + 1
            path[cut:] = path[: cut - 1 : -1]


def shaped(side: int, inside: Callable[[float, float], bool]) -> Board:
    """Return a board of the squares whose distances from the middle, in rows and columns, pass a test."""
    middle = (side - 1) / 2
    cells = [(row, col) for row in range(side) for col in range(side)]
    return Board(side, holes=[cell for cell in cells if not inside(abs(cell[0] - middle), abs(cell[1] - middle))])


def shapes(side: int) -> list[KnightTours]:
    """Return a cross, a diamond, a ring, a disc, a cylinder and a torus, open and closed where colours allow it."""
    boards = [
        shaped(side, lambda down, right: min(down, right) < side / 6),
        shaped(side, lambda down, right: down + right <= side / 2),
        shaped(side, lambda down, right: max(down, right) > side / 5),
        shaped(side, lambda down, right: down**2 + right**2 < side**2 / 4),
        Board(side, wrap="cylinder"),
        Board(side, wrap="torus"),
    ]
    puzzles = [KnightTours(board, closed=closed) for board in boards for closed in (False, True)]
    return [puzzle for puzzle in puzzles if puzzle.existence().answer != "no"]


def ours(puzzle: KnightTours, limit: float) -> Outcome:
    """Ask the automatic solver."""
    began = time.perf_counter()
    try:
        puzzle.search(budget=Budget(seconds=limit))
    except BudgetExceeded:
        return False, time.perf_counter() - began
    return True, time.perf_counter() - began


def rival(puzzle: KnightTours, limit: float) -> Outcome:
    """Ask OR-Tools CP-SAT."""
    began = time.perf_counter()
    try:
        found = by_cp_sat(puzzle._question, Budget(seconds=limit))
    except BudgetExceeded:
        return False, time.perf_counter() - began
    if isinstance(found.squares, tuple):
        cells = [puzzle.board.cell(square) for square in found.squares]
        assert not tour_faults(puzzle.board, cells, closed=puzzle.closed, piece=puzzle.piece)  # noqa: S101
    return True, time.perf_counter() - began


def plain(puzzle: KnightTours, limit: float) -> Outcome:
    """Grow and rotate in plain Python."""
    began = time.perf_counter()
    adjacency = move_graph(puzzle.board, puzzle.piece).adjacency()
    length, start = len(puzzle.board), min(puzzle.board, key=lambda square: len(adjacency[square]))
    goals = frozenset(adjacency[start]) if puzzle.closed else frozenset()
    meter = Budget(seconds=limit).start(length)
    try:
        for seed in range(4):
            random = Random(seed)  # noqa: S311 - must repeat; nothing secret
            if bent([start], adjacency, length, goals, rotations=20 * length, random=random, meter=meter):
                return True, time.perf_counter() - began
    except BudgetExceeded:
        pass
    return False, time.perf_counter() - began


SOLVERS: dict[str, Callable[[KnightTours, float], Outcome]] = {"ours": ours, "cp-sat": rival, "plain": plain}


def compare(name: str, puzzles: Sequence[KnightTours], limit: float, solvers: Sequence[str]) -> None:
    """Print one family."""
    medians = {}
    for solver in solvers:
        outcomes = [SOLVERS[solver](puzzle, limit) for puzzle in puzzles]
        times = [seconds for _, seconds in outcomes]
        done = sum(answered for answered, _ in outcomes)
        medians[solver] = statistics.median(times)
        ratio = f"{medians[solver] / medians['ours']:9.1f} x" if solver != "ours" else ""
        print(f"{name:34} {solver:8} {done:3}/{len(puzzles):<3} {medians[solver]:9.4f} s {max(times):9.3f} s {ratio}")


IMPOSSIBLE = [
    KnightTours(4, 8, closed=True, wrap="cylinder"),
    KnightTours(8, piece="giraffe"),
    KnightTours(11, piece="giraffe"),
    KnightTours(12, closed=True, piece="zebra"),
    KnightTours(12, piece="zebra"),
    KnightTours(12, closed=True, piece="1,6"),
    KnightTours(16, closed=True, piece="2,5"),
    KnightTours(20, closed=True, piece="antelope"),
]


def main() -> None:
    """Run the families."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="few boards, two seconds each")
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--limit", type=float, default=10.0, help="seconds for a question")
    options = parser.parse_args()
    seeds, limit = (5, 2.0) if options.quick else (options.seeds, options.limit)
    sides = (20,) if options.quick else (20, 40)
    solvers = list(SOLVERS)
    warm = KnightTours(holed(20, 0.1, 0, closed=True), closed=True)
    ours(warm, 60.0)  # so that no kernel is loaded while the clock runs
    ours(IMPOSSIBLE[0], 60.0)
    try:
        rival(warm, 1.0)
    except MissingEngine as missing:
        print(f"{missing}; going on without")
        solvers.remove("cp-sat")
    print(f"{'family':34} {'solver':8} answered    median   longest     median, ours = 1")
    for side in sides:
        for closed in (False, True):
            puzzles = [KnightTours(holed(side, 0.1, seed, closed=closed), closed=closed) for seed in range(seeds)]
            kind = "closed" if closed else "open"
            compare(f"{side}x{side}, a tenth of holes, {kind}", puzzles, limit, solvers)
    for side in sides:
        compare(f"cross, ring, torus ... of side {side}", shapes(side), limit, solvers)
    print("no tour, proven:")
    for puzzle in IMPOSSIBLE:
        name = f"{puzzle.board} {puzzle.piece}{' closed' * puzzle.closed}"
        compare(name, [puzzle], limit, [solver for solver in solvers if solver != "plain"])


if __name__ == "__main__":
    main()
