"""One placement: by formula, by a search that suits the board, or by a strategy of the engine, which can be watched.

`auto` takes the formula if the board is plain. Otherwise `restarts` has some tries: the row with the fewest free
squares first (:mod:`backrank.queens.solve.most_constrained`), or, where rows may stay empty, `rows`, row by row; most
boards are easy, and these need nothing loaded. What they leave open goes to `lines`
(:mod:`backrank.queens.solve.completion`), which is some hundred times better at hard boards, and proves that there is
none. Amazons know knight's moves, which no line does: for them the tries go on to the end.

With a seed the answer is a random one, but not uniform: `local` search for n queens on n x n without holes, else
`lines` with random choices.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from backrank.errors import BoardTooLarge, BudgetExceeded, InvalidPuzzle, UnknownName
from backrank.queens.arguments import AUTO
from backrank.queens.listing.stream import iter_squares
from backrank.queens.placement import LARGE, Placement
from backrank.queens.solve import completion as complete
from backrank.queens.solve import formula as construct
from backrank.queens.solve import local_search as local
from backrank.queens.solve import most_constrained as fewest
from backrank.queens.solve.most_constrained import OutOfPatienceError
from backrank.queens.spec import QueensSpec
from backrank.runtime import memory
from backrank.runtime.budget import Budget, Meter
from backrank.runtime.rng import seed_of
from backrank.search.effort import Effort, is_solved
from backrank.search.spaces import QueensSpace
from backrank.search.strategies.names import Strategy, parse_strategy, strategy_names

if TYPE_CHECKING:
    from backrank.runtime.rng import Randomness

FORMULA = "formula"
LOCAL, LINES, RESTARTS, ROWS = "local", "lines", "restarts", "rows"
MAX_SEARCH_SQUARES = 4_000_000
MAX_FORMULA_SIDE = 1_000_000_000
MAX_LISTED_SIDE = 4_000_000  # of boards on which not every row has a queen: their squares are listed
ATTEMPTS, PLAIN_CALLS = 3, 2_000  # before `lines` takes over


@dataclass(frozen=True, slots=True)
class QueensResult:
    """What came of one search.

    Attributes
    ----------
    placement : Placement or None
        None only if it is proven that there is none.
    reason : str
        In words: why there is a placement, or why there is none.
    strategy : str
        How it was looked for; `theorem` if it was not.
    calls, backtracks : int
        Queens placed by the search, and taken up again.
    seconds : float
        Wall time.
    """

    placement: Placement | None
    reason: str
    strategy: str
    calls: int = 0
    backtracks: int = 0
    seconds: float = 0.0


def search(spec: QueensSpec, strategy: str, effort: Effort, rng: Randomness | None = None) -> QueensResult:
    """Look for one placement, and tell what it cost."""
    chosen = None if strategy in (AUTO, FORMULA) else _strategy(strategy)
    if chosen is None and (effort.cursor is not None or effort.watch is not None):
        raise InvalidPuzzle(f"strategy {strategy} has no cursor; choose a search, such as rows")
    if rng is not None and strategy != AUTO:
        raise InvalidPuzzle("a random placement is found by the automatic solver; leave out the strategy")
    seed = None if rng is None else seed_of(rng)
    reason = spec.why_impossible()
    if reason is not None:
        return QueensResult(None, reason, "theorem")
    began = time.monotonic()
    if chosen is not None:
        found = _by_engine(spec, chosen, effort)
    elif strategy == FORMULA:
        found = _Found(FORMULA, _require_formula(spec))
    elif seed is not None:
        found = _at_random(spec, seed, effort.budget)
    else:
        formula = _formula(spec)
        found = _found_by_search(spec, effort.budget) if formula is None else _Found(FORMULA, formula)
    spent = (found.calls, found.backtracks, time.monotonic() - began)
    if found.placement is None:
        reason = f"an exhaustive search of {found.calls:,} calls found none"
        return QueensResult(None, reason, found.strategy, *spent)
    return QueensResult(found.placement, f"found by {found.strategy}", found.strategy, *spent)


@dataclass(slots=True)
class _Found:
    """What a way of searching found, and its name."""

    strategy: str
    placement: Placement | None
    calls: int = 0
    backtracks: int = 0


def search_space(spec: QueensSpec) -> QueensSpace:
    """Return what the engine of :mod:`backrank.search` needs."""
    if spec.piece != "queen":
        raise InvalidPuzzle(f"the strategies that can be watched place queens, not {spec.piece}s; use auto")
    rest, _ = spec.reduced()
    return QueensSpace(rest.board, rest.queens)


def _by_engine(spec: QueensSpec, strategy: Strategy, effort: Effort) -> _Found:
    if not spec.queens:
        return _Found(strategy.name, Placement(spec.board, (), spec.piece))
    cursor = effort.begin(search_space(spec), strategy)
    if not is_solved(cursor):
        cursor = effort.run_on(cursor)
    placement = None
    if is_solved(cursor):
        _, beside = spec.reduced()
        placement = Placement(spec.board, sorted((*cursor.path, *beside)), spec.piece)
    return _Found(strategy.name, placement, cursor.calls, cursor.backtracks)


def _fills_lines(spec: QueensSpec) -> bool:
    """Whether every row or every column has a piece, and edges are not glued."""
    board = spec.board
    return board.wrap == "none" and spec.queens == min(board.rows, board.cols)


def _require_formula(spec: QueensSpec) -> Placement:
    placement = _formula(spec)
    if placement is None:
        raise InvalidPuzzle(f"the formula is for queens on plain empty boards, not for {spec}")
    return placement


def _formula(spec: QueensSpec) -> Placement | None:
    """Return what the formula gives, or None if it does not apply."""
    board, queens = spec.board, spec.queens
    short, long = sorted((board.rows, board.cols))
    if long > MAX_FORMULA_SIDE:
        raise BoardTooLarge(f"placing queens takes sides of at most {MAX_FORMULA_SIDE:,}, not {long:,}")
    if not board.is_plain or spec.piece != "queen" or spec.placed or queens > short:
        return None
    if queens == board.rows >= LARGE:
        memory.require_bytes(8 * long, f"placing {queens:,} queens")
        array = construct.columns_array(board.rows, board.cols)
        return None if array is None else Placement.of_columns(board, array)
    if long > MAX_LISTED_SIDE:
        raise BoardTooLarge(
            f"placing queens takes sides of at most {MAX_LISTED_SIDE:,} unless every row gets one, not {long:,}"
        )
    columns = construct.columns(short, long)
    return None if columns is None else Placement(board, _standing(spec, columns[:queens]))


def _standing(spec: QueensSpec, columns: list[int]) -> list[int]:
    """Return squares, in ascending order, from columns of the lying board."""
    cols = spec.board.cols
    if spec.board.rows <= cols:
        return [row * cols + col for row, col in enumerate(columns)]
    return sorted(col * cols + row for row, col in enumerate(columns))


def _found_by_search(spec: QueensSpec, budget: Budget) -> _Found:
    """Search: plainly at first, then by what is compiled."""
    spec.board.require_at_most(MAX_SEARCH_SQUARES, "the search")
    rest, beside = spec.reduced()
    meter = budget.start(rest.queens)
    name, squares = (_by_restarts if _fills_lines(rest) else _by_rows)(rest, meter)
    placement = None if squares is None else Placement(spec.board, sorted((*squares, *beside)), spec.piece)
    return _Found(name, placement, meter.calls, _taken_back(rest, meter, placement))


def _taken_back(spec: QueensSpec, meter: Meter, placement: Placement | None) -> int:
    """Return the backtracks of a search: each queen that it placed and that does not stand in the end."""
    return max(0, meter.calls - (0 if placement is None else spec.queens))


def _by_restarts(spec: QueensSpec, meter: Meter, seed: int = 0) -> tuple[str, list[int] | None]:
    lying = spec.lying().board
    try:
        attempts = ATTEMPTS if spec.piece == "queen" else fewest.ATTEMPTS
        columns = fewest.soon(lying, meter=meter, seed=seed, piece=spec.piece, attempts=attempts)
    except OutOfPatienceError:
        if spec.piece == "queen":
            return LINES, complete.search(spec.board, (), spec.queens, meter=meter)
        columns = fewest.columns(lying, meter=meter, seed=seed, piece=spec.piece)
    return RESTARTS, None if columns is None else _standing(spec, columns)


def _by_rows(spec: QueensSpec, meter: Meter) -> tuple[str, list[int] | None]:
    if spec.piece != "queen":
        first = next(iter_squares(spec, meter=meter), None)
        return ROWS, None if first is None else list(first)
    limit = meter.budget.calls
    if limit is None or limit > PLAIN_CALLS:
        rest = meter.rest
        plain = Budget(seconds=rest.seconds, calls=PLAIN_CALLS, since=rest.since).start(spec.queens)
        try:
            first = next(iter_squares(spec, meter=plain), None)
            meter.calls = plain.calls
            return ROWS, None if first is None else list(first)
        except BudgetExceeded:
            meter.calls = plain.calls
    return LINES, complete.search(spec.board, (), spec.queens, meter=meter)


def _at_random(spec: QueensSpec, seed: int, budget: Budget) -> _Found:
    """Return a random placement: another for every seed."""
    board, piece = spec.board, spec.piece
    meter = budget.start(spec.queens)
    if spec.is_square and spec.is_plain and not board.holes and not spec.placed:
        return _Found(LOCAL, local.random_placement(board.rows, seed, meter), meter.calls)
    board.require_at_most(MAX_SEARCH_SQUARES, "the search")
    rest, beside = spec.reduced()
    if piece == "queen":
        from backrank.queens.solve import line_search as linesearch  # noqa: PLC0415 - loads numpy and numba

        name, squares = LINES, linesearch.search(rest.board, (), rest.queens, seed=seed, meter=meter)
    elif _fills_lines(rest):
        name, squares = _by_restarts(rest, meter, seed)
    else:
        raise InvalidPuzzle(
            f"random {piece}s are placed one in each row or each column of a board with plain edges, not {spec}"
        )
    placement = None if squares is None else Placement(board, sorted((*squares, *beside)), piece)
    return _Found(name, placement, meter.calls, _taken_back(rest, meter, placement))


def _strategy(name: str) -> Strategy:
    try:
        return parse_strategy(name, "queens")
    except UnknownName:
        raise UnknownName("strategy", name, (AUTO, FORMULA, *strategy_names("queens"))) from None
