"""Completing placements of queens, beside CP-SAT of OR-Tools on the same boards in the same run.

    python benchmarks/bench_queens_complete.py [--sides 20 30 50 100] [--boards 10] [--limit 10] [--quick]

Three kinds of random boards, all seeded, as in Gent, Jefferson and Nightingale (2017): *blocked*, a number of squares
of a row, on average, is left free (about 7 leave one solution on average); *excluded*, some diagonals of both kinds
are blocked; *placed*, some queens stand already. A board is completed, proven impossible, or left open at the limit.

One thread each. Our time is that of the whole call, the kernel compiled; that of CP-SAT is what its solver reports,
without building the model. The ratio is theirs to ours, all boards of a kind together; one that is left open counts as
the limit, so where boards are open it says little more than who decides more of them.
"""

from __future__ import annotations

import argparse
import importlib
import time
from collections.abc import Callable, Iterator
from random import Random
from typing import Any, NamedTuple

from backrank.errors import BudgetExceeded
from backrank.geometry.board import Board
from backrank.geometry.pieces import queen_lines
from backrank.geometry.verify import queens_faults
from backrank.queens.solve.completion import complete
from backrank.runtime.budget import Budget

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
    started = time.perf_counter()
    try:
        answer = complete(case.board, case.placed, budget=Budget(seconds=limit))
    except BudgetExceeded:
        return Outcome(None, time.perf_counter() - started)
    seconds = time.perf_counter() - started
    if answer is not None and (answer.faults() or not {*case.placed} <= {*answer.squares}):
        raise SystemExit(f"{case.name}: not a completion: {answer.names}")
    return Outcome(answer is not None, seconds)


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


def told(outcomes: list[Outcome]) -> str:
    """Say how many boards were solved, proven impossible and left open, and how long all took."""
    answers = [outcome.answer for outcome in outcomes]
    numbers = f"{answers.count(True):3d} {answers.count(False):3d} {answers.count(None):3d}"
    return f"{numbers} {sum(outcome.seconds for outcome in outcomes):9.3f}"


def compare(cases: list[Case], limit: float, cp_model: Any) -> None:
    """Print a line about boards of one kind."""
    one = [ours(case, limit) for case in cases]
    two = [theirs(case, limit, cp_model) for case in cases] if cp_model else []
    text = f"{cases[0].board.rows:4d}  {cases[0].name:24} {told(one)}"
    if two:
        if any(None not in (a.answer, b.answer) and a.answer != b.answer for a, b in zip(one, two, strict=True)):
            raise SystemExit(f"{cases[0].name}: the two do not agree")
        ratio = sum(outcome.seconds for outcome in two) / sum(outcome.seconds for outcome in one)
        text += f"   {told(two)}   {ratio:8.1f}"
    print(text, flush=True)


def main() -> None:
    """Print a line for every side and kind of board."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sides", type=int, nargs="*", default=list(SIDES))
    parser.add_argument("--boards", type=int, default=10, help="boards of each kind")
    parser.add_argument("--limit", type=float, default=10.0, help="seconds a board")
    parser.add_argument(
        "--quick", action="store_true", help="three boards of each kind, sides 20 and 50, one second each"
    )
    options = parser.parse_args()
    if options.quick:
        options.sides, options.boards, options.limit = [20, 50], 3, 1.0
    try:
        cp_model: Any = importlib.import_module("ortools.sat.python.cp_model")
    except ImportError:
        cp_model = None
        print("OR-Tools is not installed (pip install ortools): only our own search is run")
    complete(Board(9))
    columns = "yes  no open seconds"
    print(
        f"{'n':>4}  {'boards':24} {columns:>21}   {columns if cp_model else '':>21}   {'ratio' if cp_model else '':>8}"
    )
    for cases in families(options.sides, options.boards):
        compare(cases, options.limit, cp_model)


if __name__ == "__main__":
    main()
