"""What callers ask for, read and checked: strategies and engines by name, the ends of a tour; and usual values."""

from __future__ import annotations

from dataclasses import replace

from backrank.errors import InvalidPuzzle, InvalidSquare, UnknownName, shown
from backrank.geometry.board import Board, SquareLike
from backrank.search.strategies.move_orders import ROW_MAJOR
from backrank.search.strategies.names import Strategy, parse_strategy, strategy_names

AUTO, BLOCKS = "auto", "blocks"
OWN = "own"
ENGINES = (OWN, "cp-sat")
# Of an estimate, if not given: independent runs, states of a layer that are kept, and how often the interval holds.
RUNS, STATES, CONFIDENCE = 20, 20_000, 0.95


def asked_strategy(name: str, order: str) -> Strategy:
    """Return a strategy by name, with the move order if it has none of its own and one is asked for."""
    try:
        strategy = parse_strategy(name, "tour")
    except UnknownName:
        raise UnknownName("strategy", name, (AUTO, BLOCKS, *strategy_names("tour"))) from None
    if strategy.order is not None and order not in (ROW_MAJOR, strategy.order):
        raise InvalidPuzzle(
            f"strategy {strategy} has the move order {strategy.order}; leave out the order {shown(order)}"
        )
    if strategy.order is None and order != ROW_MAJOR and not strategy.name.startswith("random"):
        return replace(strategy, order=order)
    return strategy


def end_square(board: Board, where: SquareLike, noun: str) -> int:
    """Return the square of a start or an end, which an error names."""
    try:
        return board.square(where)
    except InvalidSquare as error:
        raise InvalidSquare(f"{noun}: {error}") from None


def require_engine(engine: str) -> None:
    """Raise UnknownName unless this is the name of an engine of the automatic solver."""
    if engine not in ENGINES:
        raise UnknownName("engine", engine, ENGINES)
