"""One placement: by formula, by a search that suits the board, or by a strategy of the engine, which can be watched."""

from __future__ import annotations

import time
from dataclasses import dataclass

from backrank.budget import Budget, Counters
from backrank.errors import BoardTooLarge, InvalidPuzzle, UnknownName
from backrank.queens import construct, fewest
from backrank.queens.listing import iter_squares
from backrank.queens.placement import Placement
from backrank.queens.question import Question
from backrank.search.effort import Effort, is_solved
from backrank.search.naming import Strategy, parse_strategy, strategy_names
from backrank.search.spaces import QueensSpace

AUTO, FORMULA = "auto", "formula"
MAX_SEARCH_SQUARES = 4_000_000
MAX_FORMULA_SIDE = 2_000_000


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


def search(question: Question, strategy: str, effort: Effort) -> QueensResult:
    """Look for one placement, and tell what it cost."""
    chosen = None if strategy in (AUTO, FORMULA) else _strategy(strategy)
    if chosen is None and (effort.cursor is not None or effort.watch is not None):
        raise InvalidPuzzle(f"strategy {strategy} has no cursor; choose a search, such as rows")
    reason = question.why_impossible()
    if reason is not None:
        return QueensResult(None, reason, "theorem")
    began = time.monotonic()
    counters = Counters()
    if chosen is not None:
        strategy = chosen.name
        squares = _by_engine(question, chosen, effort, counters)
    else:
        strategy = _best_strategy(question) if strategy == AUTO else strategy
        squares = _found(question, strategy, effort.budget, counters)
    spent = (counters.calls, counters.backtracks, time.monotonic() - began)
    if squares is None:
        reason = f"an exhaustive search of {counters.calls:,} calls found none"
        return QueensResult(None, reason, strategy, *spent)
    placement = Placement(question.board, tuple(sorted(squares)), question.piece)
    return QueensResult(placement, f"found by {strategy}", strategy, *spent)


def search_space(question: Question) -> QueensSpace:
    """Return what the engine of :mod:`backrank.search` needs."""
    if question.piece != "queen":
        raise InvalidPuzzle(f"the strategies that can be watched place queens, not {question.piece}s; use auto")
    return QueensSpace(question.board, question.queens)


def _by_engine(question: Question, strategy: Strategy, effort: Effort, counters: Counters) -> list[int] | None:
    if not question.queens:
        return []
    cursor = effort.begin(search_space(question), strategy)
    if not is_solved(cursor):
        cursor = effort.run_on(cursor)
    counters.calls, counters.backtracks = cursor.calls, cursor.backtracks
    return list(cursor.path) if is_solved(cursor) else None


def _best_strategy(question: Question) -> str:
    if _formula(question) is not None:
        return FORMULA
    return "restarts" if _fills_lines(question) else "rows"


def _fills_lines(question: Question) -> bool:
    """Whether every row or every column has a piece, and edges are not glued."""
    board = question.board
    return board.wrap == "none" and question.queens == min(board.rows, board.cols)


def _formula(question: Question) -> list[int] | None:
    """Return squares from the formula, or None if it does not apply."""
    board = question.board
    short, long = sorted((board.rows, board.cols))
    if long > MAX_FORMULA_SIDE:
        raise BoardTooLarge(f"placing queens takes sides of at most {MAX_FORMULA_SIDE:,}, not {long:,}")
    if not board.is_plain or question.piece != "queen" or question.queens > short:
        return None
    columns = construct.columns(short, long)
    return None if columns is None else _standing(question, columns[: question.queens])


def _standing(question: Question, columns: list[int]) -> list[int]:
    """Return squares from columns of the lying board."""
    cols = question.board.cols
    if question.board.rows <= cols:
        return [row * cols + col for row, col in enumerate(columns)]
    return [col * cols + row for row, col in enumerate(columns)]


def _found(question: Question, strategy: str, budget: Budget, counters: Counters) -> list[int] | None:
    board = question.board
    if strategy == FORMULA:
        squares = _formula(question)
        if squares is None:
            raise InvalidPuzzle(f"the formula is for queens on plain boards, not for {question}")
        return squares
    board.require_at_most(MAX_SEARCH_SQUARES, "the search")
    meter = budget.start(question.queens)
    if not _fills_lines(question):
        first = next(iter_squares(question, meter=meter), None)
        counters.calls = meter.calls
        counters.backtracks = meter.calls - (question.queens if first else 0)
        return None if first is None else list(first)
    columns = fewest.columns(question.lying().board, meter=meter, piece=question.piece)
    counters.calls = meter.calls
    counters.backtracks = meter.calls - (question.queens if columns else 0)
    return None if columns is None else _standing(question, columns)


def _strategy(name: str) -> Strategy:
    try:
        return parse_strategy(name, "queens")
    except UnknownName:
        raise UnknownName("strategy", name, (AUTO, FORMULA, *strategy_names("queens"))) from None
