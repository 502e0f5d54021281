"""Completing placements of queens, beside CP-SAT of OR-Tools on the same boards in the same run.

    python benchmarks/bench_queens_complete.py [--sides 20 30 50 100] [--boards 10] [--limit 10]

Three kinds of random boards, all seeded, as in Gent, Jefferson and Nightingale (2017): *blocked*, a number of squares
of a row, on average, is left free (about 7 leave one solution on average); *excluded*, some diagonals of both kinds
are blocked; *placed*, some queens stand already. A board is completed, proven impossible, or left open at the limit.

One thread each. Our time is that of the whole call, the kernel compiled; that of CP-SAT is what its solver reports,
without building the model. The ratio is theirs to ours, all boards of a kind together; one that is left open counts as
the limit, so where boards are open it says little more than who decides more of them.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from random import Random
from typing import Any, Literal, NamedTuple

from backrank.errors import BudgetExceeded
from backrank.geometry.board import Board
from backrank.geometry.pieces import queen_lines
from backrank.geometry.verify import queens_faults
from backrank.queens import Placement
from backrank.queens.solve.completion import complete
from backrank.runtime.budget import Budget
from harness import Namespace, Report, Script, Table, fail, option, time_call

SIDES = (20, 30, 50, 100)
FREE_SQUARES = (10, 8, 7, 6)
EXCLUDED = {20: (12, 16, 20, 24), 30: (20, 24, 28, 36), 50: (30, 40, 60), 100: (50, 70, 120)}
PLACED = (5, 3)  # side / 5 and side / 3 queens


class Case(NamedTuple):
    """A board, the queens on it, and what it is called."""

    name: str
    board: Board
    placed: tuple[int, ...]


class Outcome(NamedTuple):
    """Whether there is a completion, None if that is open; and the seconds that took."""

    answer: bool | None
    seconds: float


def blocked(side: int, free: int, random: Random) -> Case:
    """Return a board with so many free squares a row on average."""
    holes = random.sample(range(side * side), side * side - free * side)
    return Case(f"blocked, {free} free a row", Board(side, holes=holes), ())


def excluded(side: int, count: int, random: Random) -> Case:
    """Return a board with so many diagonals of both kinds blocked."""
    kinds = 2 * side - 1
    chosen = set(random.sample(range(2 * kinds), count))
    holes = [
        (row, col)
        for row in range(side)
        for col in range(side)
        if row - col + side - 1 in chosen or kinds + row + col in chosen
    ]
    return Case(f"excluded, {count} diagonals", Board(side, holes=holes), ())


def placed(side: int, part: int, random: Random) -> Case:
    """Return a board with a fraction of the queens placed at random, one after the other."""
    board, queens = Board(side), list[int]()
    for square in random.sample(range(side * side), side * side):
        if len(queens) == side // part:
            break
        cells = [board.cell(each) for each in (*queens, square)]
        if not queens_faults(board, cells, queens=len(cells)):
            queens.append(square)
    return Case(f"placed, {side // part} queens", board, tuple(queens))


def families(sides: list[int], boards: int) -> Iterator[list[Case]]:
    """Yield boards of one side and kind at a time."""
    for side in sides:
        kinds: list[tuple[Callable[[int, int, Random], Case], int]] = [
            *((blocked, free) for free in FREE_SQUARES),
            *((excluded, count) for count in EXCLUDED.get(side, (side // 2,))),
            *((placed, part) for part in PLACED),
        ]
        for make, value in kinds:
            yield [make(side, value, Random(seed)) for seed in range(boards)]  # noqa: S311 - a benchmark


def ours(case: Case, limit: float) -> Outcome:
    """Run our search, and check its answer."""

    def work() -> Placement | Literal[False] | None:
        try:
            return complete(case.board, case.placed, budget=Budget(seconds=limit))
        except BudgetExceeded:
            return False

    taken, answer = time_call(work)
    if answer is False:
        return Outcome(None, taken.wall)
    if answer is not None and (answer.faults() or not {*case.placed} <= {*answer.squares}):
        fail(f"{case.name}: not a completion: {answer.names}")
    return Outcome(answer is not None, taken.wall)


def theirs(case: Case, limit: float, cp_model: Any) -> Outcome:
    """Run CP-SAT: a variable for each free square, one queen a row and column, at most one a diagonal."""
    board, model = case.board, cp_model.CpModel()
    lines: dict[tuple[int, int], list[Any]] = {}
    for square in board:
        variable = model.new_bool_var("")
        if square in case.placed:
            model.add(variable == 1)
        for kind, line in enumerate(queen_lines(board, board.cell(square))):
            lines.setdefault((kind, line), []).append(variable)
    if any((kind, line) not in lines for kind in (0, 1) for line in range(board.rows)):
        return Outcome(False, 0.0)
    for (kind, _), variables in lines.items():
        (model.add_exactly_one if kind < 2 else model.add_at_most_one)(variables)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.max_time_in_seconds = limit
    status = solver.solve(model)
    answer = {cp_model.OPTIMAL: True, cp_model.FEASIBLE: True, cp_model.INFEASIBLE: False}.get(status)
    return Outcome(answer, float(solver.wall_time))


def figures(outcomes: list[Outcome]) -> tuple[int | None, int | None, int | None, float | None]:
    """Return how many boards were solved, proven impossible and left open, and how long all took."""
    if not outcomes:
        return None, None, None, None
    answers = [outcome.answer for outcome in outcomes]
    seconds = sum(outcome.seconds for outcome in outcomes)
    return answers.count(True), answers.count(False), answers.count(None), seconds


def compare(table: Table, cases: list[Case], limit: float, cp_model: Any) -> None:
    """Print a line about boards of one kind."""
    one = [ours(case, limit) for case in cases]
    two = [theirs(case, limit, cp_model) for case in cases] if cp_model else []
    if two and any(None not in (a.answer, b.answer) and a.answer != b.answer for a, b in zip(one, two, strict=True)):
        fail(f"{cases[0].name}: the two do not agree")
    ratio = sum(outcome.seconds for outcome in two) / sum(outcome.seconds for outcome in one) if two else None
    table.row(cases[0].board.rows, cases[0].name, *figures(one), *figures(two), ratio)


def run(report: Report, options: Namespace) -> None:
    """Print a line for every side and kind of board."""
    sides = options.sides or report.sized(quick=[20], normal=list(SIDES))
    boards = options.boards or report.sized(quick=1, normal=10)
    limit = options.limit or report.sized(quick=1.0, normal=10.0)
    try:
        cp_model: Any = importlib.import_module("ortools.sat.python.cp_model")
    except ImportError:
        cp_model = None
        report.note("OR-Tools is not installed (pip install ortools): only our own search is run")
    complete(Board(9))
    names = [f"{who}{name}" for who in ("", "cp ") for name in ("yes:4d", "no:4d", "open:5d", "seconds:9.3f")]
    table = report.table("n:4d", "boards:<24", *names, "ratio:8.1f")
    for cases in families(sides, boards):
        compare(table, cases, limit, cp_model)


SCRIPT = Script(
    __doc__,
    run,
    (
        option("--sides", type=int, nargs="*"),
        option("--boards", type=int, help="boards of each kind"),
        option("--limit", type=float, help="seconds a board"),
    ),
)

if __name__ == "__main__":
    SCRIPT.main()
