"""Beginnings of tours: in how many ways each can be finished, and the numbers of tours in the order of listing.

What is left of a tour after its first squares is a path through the other squares: from the last of them to anywhere,
to the given end, or to a neighbour of the first. That is a count on a smaller net, by the order of the whole board
without the squares that are gone. If several squares may be the last, the first square of the tour stands for
the end, next to these only.

*Shares.* The last square of the beginning has the first turn; then one table (:mod:`backrank.tours.ranking.table`)
tells how the completions fall to all squares that may come next. Where a table would be large, each of these is a count
of its own by compiled layers, which is slower but takes a tenth of the memory.

*Numbers.* Tours are listed in lexicographic order, so the number of a tour is the sum of all shares of lesser squares,
step by step; and from a number the squares follow one after the other. Where only a few tours are left they are
listed, which is quicker than to count them.

*Cost.* 6×6 open, a number to its tour or back: three or four tables that become small quickly and a listing, 20 to 50
ms; 10 ms on average once a hundred have been asked for, since all shares are kept for a while. The counts from every
first square are made once for each class of them under the symmetries: 0.1 s. On larger boards nearly all of the work
is in the first steps, each of which halves what is left: two or three times that of a count. 8×8 with 18 squares
given: a second.

*Roads not taken.* One table of the whole board, of which only states that agree with the beginning are walked
through: with few squares given most of it agrees, so every step would cost as much as the first. Numbers in the order
of the table of the whole board: a thousand times as quick, and that is what samples use, but no listing has that order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias

from backrank.errors import InvalidPuzzle
from backrank.geometry.board import SquareLike
from backrank.geometry.symmetry import images, stabilizer
from backrank.tours.frontier.forecast import Forecast
from backrank.tours.frontier.sweeps import net_of, simple_route
from backrank.tours.frontier.transitions import Net, Route, ends_by_class
from backrank.tours.frontier.vertex_order import find_vertex_order
from backrank.tours.listing.resumed import iter_resumed
from backrank.tours.spec import TourSpec

if TYPE_CHECKING:
    from backrank.runtime.budget import Meter
    from backrank.runtime.status import Int64s

MAX_NUMBERED_SQUARES = 10_000
MOST_STATES = 4e6  # foreseen; no table of more is made for the shares of one beginning
FEW = 5_000  # tours that are sooner listed than counted
MOST_STEPS = 2_000_000  # of such a listing: some 50 ms
MOST_TURNED = 4  # squares of beginnings that are turned
_WORTH_A_LOOK, _THRIFT, _MOST_EFFORT = 3e5, 100, 300_000  # states; states for each set looked at; sets
_MOST_KEPT = 4096
_ADVICE = "give it more memory, or a smaller or narrower board"

Squares: TypeAlias = tuple[int, ...]


class Beginnings:
    """All beginnings of the tours of a puzzle. What was counted is kept, for a while.

    A closed tour is meant as a walk here, which may go round either way; with `reading` only as iterating reads it.
    Beginnings must be right, as :func:`checked_beginning` makes sure.
    """

    def __init__(self, spec: TourSpec) -> None:
        spec.board.require_at_most(MAX_NUMBERED_SQUARES, "numbering tours")
        self.spec = spec
        self.near = net_of(spec).near
        self.order = simple_route(spec).order
        self._kept: dict[tuple[Squares, bool], int] = {}  # no answer depends on what is in it
        self._symmetries: list[Squares] | None = None
        self._padded: Int64s | None = None  # the neighbours of every square, as the kernel wants them

    def completions(self, squares: Squares, meter: Meter, *, memory: int | None = None, reading: bool = False) -> int:
        """Return the number of tours that begin with some squares."""
        squares = self._like(squares)
        kept = self._kept.get((squares, reading))
        if kept is not None:
            return kept
        if not squares or self._is_round(squares):
            return sum(ways for _, ways in self.shares(squares, meter, memory=memory, reading=reading))
        goals = self._goals(squares, reading=reading)
        if len(squares) == len(self.near):
            return int(goals is None or squares[-1] in goals)
        net = self._rest(squares, goals)
        ways = 0 if net is None else self._counted(net, meter, memory)
        self._keep(squares, ways, reading=reading)
        return ways

    def shares(
        self, squares: Squares, meter: Meter, *, memory: int | None = None, reading: bool = False
    ) -> Iterator[tuple[int, int]]:
        """Yield in ascending order which squares may come next, and how many tours there are with each."""
        following = [(square, self._like((*squares, square))) for square in self._following(squares)]
        missing = any((longer, reading) not in self._kept for _, longer in following)
        if missing and squares and not self._is_round(squares) and len(squares) + 1 < len(self.near):
            self._share_out(squares, meter, memory, reading=reading)
        for square, longer in following:
            if (
                not squares
                and len(self.near) > 2
                and not self._is_round(longer)
                and (longer, reading) not in self._kept
            ):
                ways = sum(each for _, each in self.shares(longer, meter, memory=memory, reading=reading))
                self._keep(longer, ways, reading=reading)
            yield square, self.completions(longer, meter, memory=memory, reading=reading)

    def tour(self, number: int, meter: Meter, *, memory: int | None = None) -> Squares | None:
        """Return the tour of a number, from 0, in the order of listing; None if there are fewer."""
        squares: Squares = ()
        left, few = -1, FEW  # tours with this beginning, if known
        while len(squares) < len(self.near):
            if 0 <= left <= few and not self._is_round(squares):
                found = self._find(squares, number=number)
                if found is not None:
                    return found[1]
                few //= 4
            following = self._following(squares)
            if left >= 0 and len(following) == 1:
                squares = (*squares, *following)
                continue
            for square, ways in self.shares(squares, meter, memory=memory, reading=True):
                if number < ways:
                    squares, left = (*squares, square), ways
                    break
                number -= ways
            else:
                return None
        return squares

    def number(self, tour: Squares, meter: Meter, *, memory: int | None = None) -> int:
        """Return the number of a tour that is read as in listing."""
        number, left, few = 0, -1, FEW
        for depth, wanted in enumerate(tour):
            squares = tour[:depth]
            if 0 <= left <= few and not self._is_round(squares):
                found = self._find(squares, target=tour)
                if found is not None:
                    return number + found[0]
                few //= 4
            if left >= 0 and len(self._following(squares)) == 1:
                continue
            for square, ways in self.shares(squares, meter, memory=memory, reading=True):
                if square == wanted:
                    left = ways
                    break
                number += ways
        return number

    def listed_from(self, tour: Squares, meter: Meter) -> Iterator[Squares]:
        """Yield a tour and all that come after it in the order of listing."""
        for start in self._following(()):
            if start >= tour[0]:
                yield from iter_resumed(self.spec, (start,), meter, tour if start == tour[0] else ())

    def _is_round(self, squares: Squares) -> bool:
        """Whether this is the first square of a closed tour that may go round either way."""
        return len(squares) == 1 and self.spec.closed and self.spec.end is None

    def _following(self, squares: Squares) -> list[int]:
        """Return the squares that may come next, in ascending order."""
        if squares:
            return sorted(self.near[squares[-1]].difference(squares))
        spec = self.spec
        if spec.start is not None:
            return [spec.start]
        starts = sorted(self.near)
        if spec.closed:
            return starts[:1]
        return [square for square in starts if square != spec.end or len(starts) == 1]

    def _goals(self, squares: Squares, *, reading: bool) -> frozenset[int] | None:
        """Return the squares that may be the last; None for all."""
        end = self.spec.end
        if not self.spec.closed:
            return None if end is None else frozenset({end})
        if len(self.near) < 3:
            return frozenset()
        closing = self.near[squares[0]]
        if end is not None:
            return closing & {end}
        return frozenset(goal for goal in closing if goal > squares[1]) if reading else closing

    def _rest(self, squares: Squares, goals: frozenset[int] | None) -> Net | None:
        """Return the net whose paths are the rest of the tour, or None if there is none; not of a whole tour."""
        here = squares[-1]
        left = self.near.keys() - squares[:-1]
        near = {square: self.near[square] & left for square in sorted(left)}
        if goals is None:
            return Net(near, frozenset({here}), 1)
        goals &= left - {here}
        if len(goals) == 1:
            return Net(near, goals | {here})
        if not goals:
            return None
        near[squares[0]] = goals
        near |= {goal: near[goal] | {squares[0]} for goal in goals}
        return Net(near, frozenset({here, squares[0]}))

    def _find(self, squares: Squares, *, number: int = -1, target: Squares | None = None) -> tuple[int, Squares] | None:
        """Find a tour among those with a beginning, by listing them; None if that takes too long.

        Returns
        -------
        number : int
            Among those with the beginning.
        squares : tuple of int
        """
        import numpy as np  # noqa: PLC0415 - the first beginnings do without

        from backrank.tours.ranking.prefixes_jit import find_tour  # noqa: PLC0415 - loads numba

        goals = self._goals(squares, reading=True)
        size, total = self.spec.board.size, len(self.near)
        unvisited = self.near.keys() - squares
        closing = goals if goals is not None and self.spec.closed and self.spec.end is None else frozenset()
        sole = next(iter(goals)) if goals is not None and not closing else -1
        ways = [len(self.near.get(square, frozenset()) & (unvisited | {squares[-1]})) for square in range(size)]
        table = np.array(
            [
                [goals is None or square in goals for square in range(size)],
                [square in unvisited for square in range(size)],
                [each + (square in closing) for square, each in enumerate(ways)],
                [1 if square == sole else 2 for square in range(size)],
            ],
            np.int64,
        )
        starved = int(((table[2] < table[3]) & (table[1] > 0)).sum())
        plan = np.array([len(squares), starved, goals is None, sole, MOST_STEPS], np.int64)
        path = np.array([*squares, *[-1] * (total - len(squares))], np.int64)
        if self._padded is None:
            near = [sorted(self.near.get(square, ())) for square in range(size)]
            most = max(map(len, near))
            self._padded = np.array([[*each, *[-1] * (most - len(each))] for each in near], np.int64)
        found = find_tour(self._padded, table, plan, path, np.array(target or [-1] * total, np.int64), number)
        return None if found < 0 else (found, tuple(path.tolist()))

    def _counted(self, net: Net, meter: Meter, memory: int | None) -> int:
        """Count the paths of a net."""
        from backrank.tours.counting.layers import Means, count  # noqa: PLC0415 - loads numpy
        from backrank.tours.ranking.table import TourTable  # noqa: PLC0415

        if min(ends_by_class(net) or (0, 0)) < 0:
            return 0
        order, states = self._ordered(net)
        if states <= MOST_STATES:
            return TourTable.made(net, order, meter, memory=memory, marked=0).count
        return count(net, Route(tuple(order)), meter=meter, means=Means(memory=memory, advice=_ADVICE))

    def _ordered(self, net: Net, first: int | None = None) -> tuple[list[int], float]:
        """Return an order of a net, perhaps with a square before all others, and the states that it promises.

        That of the whole board without what is gone; or one of its own where that is worth a look.
        """
        ahead = [] if first is None else [first]

        def foreseen(order: Iterable[int]) -> tuple[float, list[int]]:
            whole = [*ahead, *(square for square in order if square in net.near and square != first)]
            return Forecast.of(net, whole, mirrored=False).total, whole

        states, order = foreseen(self.order)
        if states > _WORTH_A_LOOK:
            adjacency = [net.near.get(square, frozenset()) for square in range(self.spec.board.size)]
            effort = min(_MOST_EFFORT, int(states / _THRIFT))
            states, order = min((states, order), foreseen(find_vertex_order(adjacency, effort=effort)))
        return order, states

    def _share_out(self, squares: Squares, meter: Meter, memory: int | None, *, reading: bool) -> None:
        """Count all completions at once, if a table of them is not too large, and keep them."""
        from backrank.tours.ranking.table import TourTable  # noqa: PLC0415 - loads numpy

        here = squares[-1]
        net = self._rest(squares, self._goals(squares, reading=reading))
        if net is None or min(ends_by_class(net) or (0, 0)) < 0:
            shares: dict[int, int] = {}
        else:
            order, states = self._ordered(net, here)
            if states > MOST_STATES:
                return
            shares = TourTable.made(net, order, meter, memory=memory, marked=1).first_moves()
        for square in self._following(squares):
            self._keep(self._like((*squares, square)), shares.get(square, 0), reading=reading)

    def _keep(self, squares: Squares, ways: int, *, reading: bool) -> None:
        while len(self._kept) >= _MOST_KEPT:
            self._kept.pop(next(iter(self._kept)), None)
        self._kept[squares, reading] = ways

    def _like(self, squares: Squares) -> Squares:
        """Return the least image of a short beginning under symmetries: it has as many completions."""
        spec, near = self.spec, self.near
        if spec.closed or not 0 < len(squares) <= MOST_TURNED:
            return squares
        if self._symmetries is None:
            self._symmetries = [
                symmetry
                for symmetry in stabilizer(spec.board, spec.start, spec.end)
                if all({symmetry[other] for other in near[square]} == near[symmetry[square]] for square in near)
            ]
        return min(images(self._symmetries, squares))


@lru_cache(maxsize=8)
def beginnings_of(spec: TourSpec) -> Beginnings:
    """Return the beginnings of a puzzle; the last few are kept, with what was counted of them."""
    return Beginnings(spec)


def checked_beginning(spec: TourSpec, beginning: Iterable[SquareLike]) -> Squares:
    """Return the squares of a beginning that is given in any notation.

    Raises
    ------
    InvalidSquare
        If one of them is none.
    InvalidPuzzle
        If one comes twice, a move is none of the piece, or it begins elsewhere than it must.
    """
    board = spec.board
    squares = tuple(map(board.square, beginning))
    names = [board.name(square) for square in squares]
    for place, name in enumerate(names):
        if name in names[:place]:
            first = names.index(name) + 1
            raise InvalidPuzzle(f"{name} comes twice, as steps {first} and {place + 1}; a tour visits a square once")
    near = net_of(spec).near
    for place, (one, other) in enumerate(pairwise(squares), 1):
        if other not in near[one]:
            moves = ", ".join(map(board.name, sorted(near[one])))
            raise InvalidPuzzle(
                f"step {place} to {place + 1}, {names[place - 1]} to {names[place]}, is not a move of the "
                f"{spec.piece}; from {names[place - 1]} it goes to {moves or 'no square'}"
            )
    anywhere = spec.closed and spec.end is None
    if squares and spec.start not in (None, squares[0]) and not anywhere:
        raise InvalidPuzzle(f"a tour from {board.name(spec.start or 0)} does not begin on {names[0]}")
    return squares
