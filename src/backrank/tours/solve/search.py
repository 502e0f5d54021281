"""One search for a tour, as a puzzle wants it: by theorem, by all means, by one strategy, at random, or by blocks."""

from __future__ import annotations

import time
from dataclasses import replace

from backrank.errors import InvalidPuzzle
from backrank.geometry.existence import Existence
from backrank.runtime.rng import Randomness
from backrank.search.effort import Effort
from backrank.search.strategies.move_orders import ROW_MAJOR, ordered
from backrank.tours.arguments import AUTO, BLOCKS, OWN, asked_strategy, require_engine
from backrank.tours.result import SearchResult
from backrank.tours.solve.found import Found
from backrank.tours.solve.stages import by_all_means, by_strategy
from backrank.tours.spec import TourSpec
from backrank.tours.theorems.existence import existence
from backrank.tours.tour import Tour


def search(
    spec: TourSpec, effort: Effort, *, strategy: str, order: str, rng: Randomness | None, engine: str
) -> SearchResult:
    """Return what came of one search; see :meth:`backrank.KnightTours.search`."""
    piece = ordered(spec.piece, order)
    _require_together(strategy, order, rng, engine)
    known = _known(spec)
    if strategy == BLOCKS and known.answer != "no":
        began = time.monotonic()
        return SearchResult(constructed(spec), known.reason, BLOCKS, seconds=time.monotonic() - began)
    if strategy not in (AUTO, BLOCKS):
        chosen = asked_strategy(strategy, order)
        if known.answer == "no":
            return SearchResult(None, known.reason, "theorem")
        return _result(spec, by_strategy(spec, chosen, effort), chosen.name, known)
    if effort.cursor is not None or effort.watch is not None:
        raise InvalidPuzzle("the automatic solver has no cursor; choose a strategy, such as fixed or warnsdorff")
    if known.answer == "no":
        return SearchResult(None, known.reason, "theorem")
    found = _by_engine(replace(spec, piece=piece), effort, rng, engine)
    return _result(spec, found, AUTO if engine == OWN else engine, known)


def constructed(spec: TourSpec) -> Tour:
    """Return a tour that is built from blocks; see :meth:`backrank.KnightTours.constructed`."""
    from backrank.tours.construct import assembly  # noqa: PLC0415 - most searches build nothing
    from backrank.tours.construct.plain import LEAST_SIDE, applies  # noqa: PLC0415 - as above

    if not applies(spec):
        raise InvalidPuzzle(
            f"tours are built for knights on plain boards with sides of at least {LEAST_SIDE}; "
            "solve() searches for one on other boards"
        )
    known = _known(spec)
    if known.answer == "no":
        raise InvalidPuzzle(f"no such tour: {known.reason}")
    built = assembly.constructed(spec)
    if built is None:
        raise InvalidPuzzle("no way of cutting this board into blocks led to such a tour; solve() searches for one")
    return Tour(spec.board, built, spec.closed, spec.piece)


def _known(spec: TourSpec) -> Existence:
    return existence(spec.board, spec.piece, closed=spec.closed, start=spec.start, end=spec.end)


def _require_together(strategy: str, order: str, rng: Randomness | None, engine: str) -> None:
    """Raise InvalidPuzzle or UnknownName for options that exclude each other, or an unknown engine."""
    if rng is not None and (strategy != AUTO or order != ROW_MAJOR):
        raise InvalidPuzzle("a random tour is found by the automatic solver; leave out the strategy and the order")
    require_engine(engine)
    if engine != OWN and (strategy != AUTO or rng is not None):
        raise InvalidPuzzle(f"the engine {engine} has its own way to search; leave out the strategy and the seed")


def _by_engine(spec: TourSpec, effort: Effort, rng: Randomness | None, engine: str) -> Found:
    """Return what the automatic solver finds."""
    if engine != OWN:
        from backrank.tours.solve.cpsat import by_cp_sat  # noqa: PLC0415 - loads OR-Tools, which is optional

        return by_cp_sat(spec, effort.budget)
    if rng is None:
        return by_all_means(spec, effort.budget)
    from backrank.tours.randomize.random_tour import random_tour  # noqa: PLC0415 - most searches are not random

    return random_tour(spec, rng, effort.budget)


def _result(spec: TourSpec, found: Found, strategy: str, known: Existence) -> SearchResult:
    """Return a result; a cycle found by the automatic solver is read as iterating reads it."""
    if found.squares is None:
        reason = found.reason or f"an exhaustive search of {found.calls:,} calls found none"
        return SearchResult(None, reason, strategy, found.calls, found.backtracks, found.seconds)
    squares = found.squares
    is_read_anew = spec.closed and spec.end is None and strategy == AUTO
    if is_read_anew and isinstance(squares, tuple):
        first = squares.index(min(squares) if spec.start is None else spec.start)
        squares = squares[first:] + squares[:first]
    tour = Tour(spec.board, squares, spec.closed, spec.piece)
    if is_read_anew and tour.square_at(2) > tour.end:
        tour = tour.reversed()
    return SearchResult(tour, known.reason, strategy, found.calls, found.backtracks, found.seconds)
