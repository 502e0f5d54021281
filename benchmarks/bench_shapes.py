"""Boards with holes and odd shapes, beside OR-Tools CP-SAT and the plain rung in the same run.

    python benchmarks/bench_shapes.py [--seeds 20] [--limit 10]

Boards with a tenth of holes have a known tour: a random path is rotated (in plain Python) until it has as many squares
as wanted, and the rest are holes. Prints for each family how many questions each solver answered within the limit, its
median and longest time, and how many times as long as ours CP-SAT took (by medians; a lower bound where it gave
up). `plain` is greedy growth and rotations in Python, four attempts. Then boards that have no tour: who proves it.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from functools import partial
from random import Random

from backrank import Board, Budget, BudgetExceeded, KnightTours
from backrank.geometry.pieces import move_graph
from backrank.geometry.verify import tour_faults
from backrank.tours.construct.rotation import rotated
from backrank.tours.solve.cpsat import MissingEngine, by_cp_sat
from harness import Namespace, Report, Script, Table, fail, option, time_call


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


def ours(puzzle: KnightTours, limit: float) -> bool:
    """Run the automatic solver; return whether it decided within the limit."""
    try:
        puzzle.search(budget=Budget(seconds=limit))
    except BudgetExceeded:
        return False
    return True


def rival(puzzle: KnightTours, limit: float) -> bool:
    """Run OR-Tools CP-SAT."""
    try:
        found = by_cp_sat(puzzle.spec, Budget(seconds=limit))
    except BudgetExceeded:
        return False
    if isinstance(found.squares, tuple):
        cells = [puzzle.board.cell(square) for square in found.squares]
        if faults := tour_faults(puzzle.board, cells, closed=puzzle.closed, piece=puzzle.piece):
            fail(f"CP-SAT on {puzzle}: {faults[0]}")
    return True


def plain(puzzle: KnightTours, limit: float) -> bool:
    """Grow and rotate in plain Python."""
    adjacency = move_graph(puzzle.board, puzzle.piece).adjacency()
    length, start = len(puzzle.board), min(puzzle.board, key=lambda square: len(adjacency[square]))
    goals = frozenset(adjacency[start]) if puzzle.closed else frozenset()
    meter = Budget(seconds=limit).start(length)
    try:
        return any(
            rotated([start], adjacency, length, goals, rotations=20 * length, random=Random(seed), meter=meter)  # noqa: S311 - must repeat; nothing secret
            for seed in range(4)
        )
    except BudgetExceeded:
        return False


SOLVERS: dict[str, Callable[[KnightTours, float], bool]] = {"ours": ours, "cp-sat": rival, "plain": plain}


def compare(table: Table, name: str, puzzles: Sequence[KnightTours], limit: float, solvers: Sequence[str]) -> None:
    """Print a line of one family for each solver."""
    base = 0.0
    for solver in solvers:
        outcomes = [time_call(partial(SOLVERS[solver], puzzle, limit)) for puzzle in puzzles]
        times = [taken.wall for taken, _ in outcomes]
        median = statistics.median(times)
        base = base or median
        answered = sum(decided for _, decided in outcomes)
        ratio = None if solver == "ours" else median / base
        table.row(name, solver, f"{answered}/{len(puzzles)}", median, max(times), ratio)


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


def run(report: Report, options: Namespace) -> None:
    """Run the families, then the boards without a tour."""
    seeds = options.seeds or report.sized(quick=1, normal=20)
    limit = options.limit or report.sized(quick=0.5, normal=10.0)
    sides = report.sized(quick=(10,), normal=(20, 40))
    solvers = list(SOLVERS)
    warm = KnightTours(holed(sides[0], 0.1, 0, closed=True), closed=True)
    ours(warm, 60.0)  # so that no kernel is loaded while the time is measured
    ours(IMPOSSIBLE[0], 60.0)
    try:
        rival(warm, 1.0)
    except MissingEngine as missing:
        report.note(f"{missing}; going on without")
        solvers.remove("cp-sat")
    table = report.table("family:<34", "solver:<8", "answered:8d", "median s:9.4f", "longest s:9.3f", "ours = 1:9.1f")
    for side in sides:
        for closed in (False, True):
            puzzles = [KnightTours(holed(side, 0.1, seed, closed=closed), closed=closed) for seed in range(seeds)]
            kind = "closed" if closed else "open"
            compare(table, f"{side}x{side}, a tenth of holes, {kind}", puzzles, limit, solvers)
    for side in sides:
        compare(table, f"cross, ring, torus ... of side {side}", shapes(side), limit, solvers)
    report.note("no tour, proven:")
    for puzzle in report.sized(IMPOSSIBLE[:2], IMPOSSIBLE):
        name = f"{puzzle.board} {puzzle.piece}{' closed' * puzzle.closed}"
        compare(table, name, [puzzle], limit, [solver for solver in solvers if solver != "plain"])


SCRIPT = Script(
    __doc__,
    run,
    (
        option("--seeds", type=int, help="boards of each family"),
        option("--limit", type=float, help="seconds for a question"),
    ),
)

if __name__ == "__main__":
    SCRIPT.main()
