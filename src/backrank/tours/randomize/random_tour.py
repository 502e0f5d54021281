"""A random tour: ends drawn at random, any tour between them, and then all of it turned over.

Where the tour begins and ends, if that is left open, is drawn among the squares that no theorem forbids. A tour between
them is built or searched for as always, and `shuffle` switches its rails until little of it is left. On small
boards, which have few rails, the search is made at random as well: greedy paths with other ties, bent into
shape. The tours differ from seed to seed, but they are *not* uniformly distributed: regular patterns are
rarer than in a fair draw, and some small tours cannot be reached. Exactly uniform tours need a count.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

from backrank.errors import BudgetExceeded
from backrank.geometry.pieces import move_graph
from backrank.runtime.budget import Budget, Meter
from backrank.runtime.rng import Dice, Randomness, seed_of
from backrank.tours.randomize.shuffle import MAX_PLAIN_SQUARES, shuffled
from backrank.tours.solve.found import Found
from backrank.tours.solve.rotation import bent
from backrank.tours.solve.stages import by_all_means
from backrank.tours.spec import TourSpec
from backrank.tours.steps import Steps
from backrank.tours.theorems.existence import existence

_DRAWS = 200
_BENT_SQUARES, _BENDINGS = 100, 60
_TRIAL = 2_000  # calls a square for a start of which no theorem knows whether it is possible


def random_tour(spec: TourSpec, rng: Randomness, budget: Budget) -> Found:
    """Return a random tour; None only if there is none.

    The answer depends on the seed alone.
    """
    dice = Dice(seed_of(rng))
    meter = budget.start(len(spec.board))
    chosen = _with_ends(spec, dice)
    found: Found | None = None
    try:
        found = _found(chosen, dice, meter, drawn=chosen != spec)
    except BudgetExceeded:
        if chosen == spec:
            raise
    if found is None or (found.squares is None and chosen != spec):
        # No theorem knew whether the drawn start is possible, and it is not, or hard to tell: any will do.
        chosen, found = spec, by_all_means(spec, _left(meter))
    if found.squares is None or len(spec.board) == 1:
        return found
    # With an end given, a cycle keeps its closing move if it is shuffled as a path.
    closed = chosen.closed and chosen.end is None
    squares = found.squares
    if isinstance(squares, Steps):
        squares = _written(squares)
    mixed = shuffled(chosen.board, chosen.piece, squares, closed=closed, rng=dice.draw(), meter=meter)
    return replace(found, squares=mixed, seconds=meter.now().seconds)


def _written(tour: Steps) -> Any:
    return tour.squares() if len(tour) <= MAX_PLAIN_SQUARES else tour.array()


def _with_ends(spec: TourSpec, dice: Dice) -> TourSpec:
    """Draw the start and the end of an open tour, if they are not given; a closed one is read from anywhere."""
    if spec.closed:
        return spec
    squares = list(spec.board) if spec.board.holes else range(spec.board.size)
    for noun in ("start", "end"):
        if getattr(spec, noun) is not None:
            continue
        for _ in range(_DRAWS):
            square = squares[dice.draw() % len(squares)]
            drawn = replace(spec, start=square) if noun == "start" else replace(spec, end=square)
            known = existence(drawn.board, drawn.piece, closed=drawn.closed, start=drawn.start, end=drawn.end)
            # An end that is not known to be possible might cost a long search.
            if known.answer == "yes" or (noun == "start" and known.answer == "unknown"):
                spec = drawn
                break
    return spec


def _found(spec: TourSpec, dice: Dice, meter: Meter, *, drawn: bool) -> Found:
    """Look for a tour: at random on small boards, by all means on others."""
    board = spec.board
    start = next(iter(board)) if spec.closed and spec.start is None else spec.start
    if len(board) <= _BENT_SQUARES and start is not None:
        adjacency = move_graph(board, spec.piece).adjacency()
        goals = frozenset(adjacency[start]) if spec.closed else frozenset()
        if spec.end is not None:
            goals = frozenset({spec.end})
        for _ in range(_BENDINGS):
            random = Random(dice.draw())  # noqa: S311 - a seed makes it repeat; nothing secret
            rotations = 200 + 20 * len(board)
            path = bent([start], adjacency, len(board), goals, rotations=rotations, random=random, meter=meter)
            if path is not None:
                return Found(tuple(path), meter.calls, max(meter.calls - len(board), 0), 0.0)
    left = _left(meter)
    if not drawn or _is_known(spec):
        return by_all_means(spec, left)
    trial = _TRIAL * len(board)
    return by_all_means(spec, replace(left, calls=trial if left.calls is None else min(left.calls, trial)))


def _is_known(spec: TourSpec) -> bool:
    known = existence(spec.board, spec.piece, closed=spec.closed, start=spec.start, end=spec.end)
    return known.answer != "unknown"


def _left(meter: Meter) -> Budget:
    """Return what is left of the budget."""
    meter.tick(meter.calls)
    return meter.rest
