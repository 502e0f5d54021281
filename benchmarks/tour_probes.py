"""About how many tours there are, by random probes: the plain reference for estimates.

A probe walks down the tree of the search once (D. E. Knuth, Mathematics of Computation 29, 1975): at every square it
takes one of the moves on at random, and multiplies by one over the probability that it had. A probe that becomes a
tour is worth that product, one that gets stuck nothing; the expectation is the number of tours.

With equal probabilities hardly any probe gets through. So moves to squares with few ways on are taken more often, as
H. C. Warnsdorff's rule has it; a square with no way on is only taken if it is the last. The rarer moves then
weigh more, which keeps the expectation what it is, but not the spread: of 20,000 probes on 6×6 six in a hundred find
an open tour, three in a thousand a closed one, and their mean is off by a tenth, or four tenths. On larger boards a
probe in millions makes most of the sum. That is why :mod:`backrank.tours.estimation.estimate` takes another way, which
this one checks on small boards. Twice as likely for each way fewer is about best: with three times more probes come
through, but the rest weighs so much that the mean is as far off.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from backrank.geometry.pieces import move_graph
from backrank.tours.spec import TourSpec

EAGER = 2.0  # how many times as likely a move with one way on fewer is taken


def probes(spec: TourSpec, random: Random) -> Iterator[float]:
    """Yield what random probes are worth, without end.

    The expectation is the natural number of tours: directed open ones, undirected closed ones.

    Parameters
    ----------
    spec : TourSpec
        On a board of at least one square, for closed tours of at least three.
    random : random.Random

    Examples
    --------
    >>> from itertools import islice
    >>> from backrank.geometry.board import Board
    >>> from backrank.geometry.pieces import KNIGHT
    >>> some = list(islice(probes(TourSpec(Board(3, 4), KNIGHT, False, None, None), Random(1)), 2000))
    >>> 14 < sum(some) / len(some) < 18, min(some)
    (True, 0.0)
    """
    squares = list(spec.board)
    adjacency = move_graph(spec.board, spec.piece).adjacency()
    near = {square: sorted(set(adjacency[square]) - {square}) for square in squares}
    begin, weight = spec.start, 1.0
    if spec.closed and spec.end is None:
        begin, weight = min(squares, key=lambda square: len(near[square])), 0.5  # every cycle is met in both directions
    elif begin is None and spec.end is not None:
        raise ValueError("a path with a given end is looked for from there")
    while True:
        first = random.choice(squares) if begin is None else begin
        chance = len(squares) if begin is None else 1
        yield chance * weight * _probe(spec, near, first, random)


def _probe(spec: TourSpec, near: dict[int, list[int]], first: int, random: Random) -> float:
    """Return what one probe from a square is worth."""
    here, worth, left = first, 1.0, set(near) - {first}
    while left:
        moves = [square for square in near[here] if square in left and (square != spec.end or len(left) == 1)]
        ways = [sum(other in left for other in near[square]) for square in moves]
        moves, ways = _open(moves, ways, last=len(left) == 1)
        if not moves:
            return 0.0
        weights = [EAGER**-way for way in ways]
        chosen = random.choices(range(len(moves)), weights)[0]
        worth *= sum(weights) / weights[chosen]
        here = moves[chosen]
        left.remove(here)
    comes_home = not spec.closed or spec.end is not None or first in near[here]
    return worth if comes_home else 0.0


def _open(moves: list[int], ways: list[int], *, last: bool) -> tuple[list[int], list[int]]:
    """Leave out the squares from which there is no way on."""
    alive = [place for place, way in enumerate(ways) if way or last]
    return [moves[place] for place in alive], [ways[place] for place in alive]
