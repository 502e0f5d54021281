"""An optional engine: the circuit constraint of OR-Tools CP-SAT, a solver that shares nothing with ours but the moves.

Every move is a Boolean, and those chosen form one circuit through all squares; for an open tour through one square
more, which stands for everything between its end and its start. It is slower than ours in finding tours (see
`benchmarks/bench_shapes.py`), but it learns from its failures and uses linear relaxations: it proves that there is no
tour on some boards where ours gives up, such as the 16x16 board for the (2, 5)-leaper, closed. And it is a second
opinion.

One worker and a fixed seed, so that the same puzzle gives the same answer. The solver runs in a thread of its own
while this one looks at the clock.
"""

from __future__ import annotations

import time
from dataclasses import replace
from importlib import import_module
from threading import Thread
from typing import Any

from backrank.errors import BackrankError, BudgetExceeded
from backrank.runtime.budget import Budget
from backrank.tours.solve.found import Found
from backrank.tours.solve.stages import unclosed
from backrank.tours.spec import TourSpec
from backrank.tours.theorems.forced import UsableMoves

MAX_CP_SAT_SQUARES = 100_000
_GLANCE = 0.05  # seconds between two looks at the clock


class MissingEngine(BackrankError, ImportError):
    """An optional engine is asked for that is not installed."""


def _cp_model() -> Any:
    try:
        return import_module("ortools.sat.python.cp_model")
    except ImportError:
        raise MissingEngine(
            "the engine cp-sat needs OR-Tools; install it with: pip install 'backrank[cp-sat]'"
        ) from None


def by_cp_sat(spec: TourSpec, budget: Budget) -> Found:
    """Find a tour with OR-Tools CP-SAT; None only if it has proven that there is none.

    `calls` are the branches of the solver and `backtracks` its conflicts; a limit of calls is not kept, the others are.

    Raises
    ------
    MissingEngine
        If OR-Tools is not installed.
    BoardTooLarge
        On more than 100,000 squares.
    BudgetExceeded
        If the time limit was reached first, or somebody cancelled.
    """
    board = spec.board
    board.require_at_most(MAX_CP_SAT_SQUARES, "the engine cp-sat")
    if spec.closed and (reason := unclosed(spec)):
        return Found(None, 0, 0, 0.0, reason)
    if spec.closed and spec.end is not None:
        spec = replace(spec, closed=False)
    if len(board) < 3:
        squares = _two(spec)
        return Found(squares, len(board), 0 if squares else len(board), 0.0)
    cp = _cp_model()
    began = time.monotonic()
    meter = budget.start(len(board))
    model, arcs = _model(cp, spec)
    solver = cp.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = 0
    if budget.seconds is not None:
        solver.parameters.max_time_in_seconds = max(meter.rest.seconds_left or 0.0, 1e-3)
    status = _run(solver, model, lambda: meter.tick(0))
    seconds = time.monotonic() - began
    if status == cp.INFEASIBLE:
        reason = "OR-Tools CP-SAT has proven that there is no circuit"
        return Found(None, solver.num_branches, solver.num_branches, seconds, reason)
    if status not in (cp.OPTIMAL, cp.FEASIBLE):
        raise BudgetExceeded(f"the time limit of {budget.seconds:g} s was reached: nothing is proven", meter.now())
    onward = {source: target for source, target, chosen in arcs if solver.value(chosen)}
    return Found(_walk(spec, onward), solver.num_branches, solver.num_conflicts, seconds)


def _two(spec: TourSpec) -> tuple[int, ...] | None:
    """Return a tour of one or two squares."""
    squares = sorted(spec.board, key=lambda square: (square != spec.start, square == spec.end))
    near = UsableMoves(spec).near
    return tuple(squares) if len(squares) < 2 or squares[1] in near[squares[0]] else None


def _model(cp: Any, spec: TourSpec) -> tuple[Any, list[tuple[int, int, Any]]]:
    """Return the model and its arcs, in square numbers; `board.size` is the square between end and start."""
    board, start, end = spec.board, spec.start, spec.end
    near = UsableMoves(TourSpec(board, spec.piece, spec.closed, start, None)).near
    model = cp.CpModel()
    arcs = [(source, target, model.new_bool_var("")) for source in board for target in sorted(near[source])]
    if not spec.closed:
        starts = list(board) if start is None else [start]
        ends = list(board) if end is None else [end]
        arcs += [(board.size, square, model.new_bool_var("")) for square in starts]
        arcs += [(square, board.size, model.new_bool_var("")) for square in ends]
    numbers = {square: number for number, square in enumerate([*board, board.size])}
    model.add_circuit([(numbers[source], numbers[target], chosen) for source, target, chosen in arcs])
    return model, arcs


def _run(solver: Any, model: Any, look: Any) -> Any:
    """Solve in a thread, and stop the solver if looking at the clock says so."""
    answers: list[Any] = []
    thread = Thread(target=lambda: answers.append(solver.solve(model)), daemon=True)
    thread.start()
    try:
        while thread.is_alive():
            look()
            thread.join(_GLANCE)
    finally:
        solver.stop_search()
        thread.join()
    return answers[0]


def _walk(spec: TourSpec, onward: dict[int, int]) -> tuple[int, ...]:
    """Return the squares of a circuit in order, from its start."""
    board = spec.board
    first = next(iter(board)) if spec.start is None else spec.start
    here = first if spec.closed else onward[board.size]
    squares = []
    for _ in range(len(board)):
        squares.append(here)
        here = onward[here]
    return tuple(squares)
