"""The tours that a symmetry of the board maps to themselves, counted on what is left when its orbits become vertices.

Let g be a symmetry of order m > 1. Its *quotient* has a vertex for every orbit of squares and, from orbit i to
orbit j, an arc of voltage a for every move from v to g^a w, where v and w stand for their orbits. A walk on the
quotient becomes a walk on the board, its *lift*, as soon as it is said on which square that begins; and the
voltages add up to the power of g by which the end is off. The quotient has half as many vertices as the board, or
fewer, so its sweep (:mod:`backrank.tours.counting.voltages`) needs about the square root of the states.

*Closed tours.* On at least three squares, a symmetry of a cycle is a rotation or a reflection of it, and g is not
the identity.

Rotation. Then g moves the n squares on by some number of steps, so all orbits have m squares, and the tour meets
each of the k = n / m orbits once in any k successive steps. It is the lift of a closed walk through all vertices of
the quotient, each once. Let w be the voltage of that walk: g^w takes the tour k steps on, and that generates
all that g does, so w has no divisor in common with m. Conversely, if it has none, the lift of such a walk comes
back after m rounds and not before: it is one cycle through all n squares, and the same one from whichever of the m
squares of an orbit it begins. So tours and such walks correspond to each other, undirected ones as well as
directed ones. What matters is the voltage modulo r, the product of the primes that divide m. For quarter and
half turns r is 2, where a voltage is its own opposite. Often the colours of the board show that w is even, as those of
8×8 do for quarter turns: then there is nothing to be counted.

Reflection. Then m = 2, and exactly two places of the cycle stay where they are: squares that g keeps, or edges
between a square s and g(s). They cut the tour into two halves, P and g(P). So P is the lift of a path through all
vertices of the quotient from one place to the other; where the end is an edge, it is an orbit with an arc to
itself. Conversely such a path gives a tour, P and g(P) joined, if g keeps no other square, so that every orbit inside
has two. Either half begins the same tour: from an orbit of two squares, the path is lifted from one of them, and
every arc to another such orbit counts; from a square that g keeps, the first step goes to one square of an orbit or
to the other, which is one way and not two; and into such a square there is only one. The places are two
squares, a square and an edge, or two edges: how many squares g keeps tells which. Only with two edges the ends are of
one kind, and every path is found from both.

*Open tours.* Only a symmetry that turns the tour round keeps it, as all squares stay otherwise. So m = 2 again, and the
middle is the one square that g keeps, or an edge from s to g(s). Half of the tour is a path on the quotient from
there to any orbit, or to that of the given ends; its lifts are counted as above. A directed open tour, or one
with one end given, is kept by the identity only.

A path from one of the orbits A to one of the orbits B is a cycle through three more vertices in a row, the first of
them next to all of A and the last next to all of B.

Checked against listing all tours and looking which are their own image (:mod:`backrank.tours.counting.classes`), for
symmetries of orders up to 12 on glued edges; and against G. P. Jelliss, whose count of the symmetric tours of 6×6 gives
10 that a quarter turn keeps and 78 that a half turn keeps.

Cost: 8×8 has 2,432,932 closed tours that a half turn keeps, counted in a second with 0.1 million states; 8×9 takes
five seconds, 9×10 six minutes and 3 GB.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from math import gcd

from backrank.runtime.budget import Meter
from backrank.tours.counting.voltages import VoltageNet, count_by_voltage
from backrank.tours.frontier.vertex_order import GROWTH, find_vertex_order, profile

_MOST = 400  # active vertices, so that the price fits a float
_DIVISOR = 10  # of 3.6^active, for the states that there are; measured
_BYTES = 200  # for a state of two successive steps


@dataclass(frozen=True, slots=True)
class Part:
    """Some of the tours that a symmetry keeps: those that belong to the cycles of one net.

    Attributes
    ----------
    net : VoltageNet
    order : tuple of int
        In which its vertices are processed.
    times : int
        How often every tour is found, as a cycle whose voltage has no divisor in common with the period.
    """

    net: VoltageNet
    order: tuple[int, ...]
    times: int

    @property
    def states(self) -> float:
        """How many states the sweep will have, roughly."""
        widths = profile(self.net.adjacency(), self.order)
        return sum(GROWTH ** min(width, _MOST) for width in widths) / _DIVISOR

    @property
    def memory(self) -> int:
        """Bytes that the sweep will take, roughly."""
        return int(_BYTES * self.states / 4)

    def count(self, meter: Meter) -> int:
        """Return the number of tours."""
        counts = count_by_voltage(self.net, self.order, meter=meter)
        found = sum(number for voltage, number in enumerate(counts) if gcd(voltage, self.net.period) == 1)
        tours, rest = divmod(found, self.times)
        assert not rest  # noqa: S101 - each is found as often
        return tours


@dataclass(frozen=True, slots=True)
class Quotient:
    """The orbits of squares under a symmetry, and the moves between them.

    Attributes
    ----------
    period : int
        The order of the symmetry.
    orbits : list of tuples
        The squares of every orbit, each followed by its image.
    arcs : list of dicts
        For every orbit, by orbit, how often the symmetry is to be applied to the first square there to come to a
        square that the first square here has a move to.
    second : tuple of int
        The orbits in another order, to sweep them in: by columns, if they are numbered by rows.
    seed : int
        For the orders of elimination.
    """

    period: int
    orbits: list[tuple[int, ...]]
    arcs: list[dict[int, tuple[int, ...]]]
    second: tuple[int, ...]
    seed: int = 0

    @classmethod
    def of(
        cls,
        adjacency: Sequence[Collection[int]],
        squares: Iterable[int],
        image: Sequence[int],
        *,
        cols: int = 1,
        seed: int = 0,
    ) -> Quotient:
        """Return the quotient of a move graph by a symmetry, which is to map moves to moves.

        Parameters
        ----------
        adjacency : sequence of collections of int
        squares : iterable of int
            The squares to visit.
        image : sequence of int
            The image of every square.
        cols : int
            The width of the board, to know what a column is; it makes good orders easier to find.
        seed : int
            Another gives other orders of elimination.
        """
        orbits = _orbits(squares, image)
        place = {square: (number, power) for number, orbit in enumerate(orbits) for power, square in enumerate(orbit)}
        arcs: list[dict[int, tuple[int, ...]]] = []
        for orbit in orbits:
            found: dict[int, list[int]] = {}
            for other in adjacency[orbit[0]]:
                if other in place and other != orbit[0]:
                    number, power = place[other]
                    found.setdefault(number, []).append(power)
            arcs.append({number: tuple(powers) for number, powers in found.items()})
        period = 1
        for orbit in orbits:
            period = period * len(orbit) // gcd(period, len(orbit))
        by_column = sorted((min((square % cols, square) for square in orbit), i) for i, orbit in enumerate(orbits))
        return cls(period, orbits, arcs, tuple(number for _, number in by_column), seed)

    @property
    def kept(self) -> list[int]:
        """The squares that stay where they are, as orbits."""
        return [number for number, orbit in enumerate(self.orbits) if len(orbit) == 1]

    @property
    def looped(self) -> list[int]:
        """The orbits with a move from a square to its image."""
        return [number for number, arcs in enumerate(self.arcs) if 1 in arcs.get(number, ())]

    def number(self, square: int) -> int:
        """Return the orbit of a square."""
        return next(number for number, orbit in enumerate(self.orbits) if square in orbit)

    def rotated(self) -> list[Part]:
        """Return where to find the undirected cycles that the symmetry moves along themselves.

        Examples
        --------
        >>> from backrank.geometry.board import Board
        >>> from backrank.runtime.budget import Budget
        >>> from backrank.geometry.pieces import move_graph
        >>> board = Board(6)
        >>> half_turn = Quotient.of(move_graph(board).adjacency(), board, range(35, -1, -1))
        >>> [part.count(Budget().start()) for part in half_turn.rotated()], half_turn.reflected()
        ([78], [])
        """
        if any(len(orbit) != self.period for orbit in self.orbits) or len(self.orbits) * self.period < 3:
            return []
        primes = _primes_of(self.period)
        net = VoltageNet([{to: tuple(a % primes for a in arcs[to]) for to in arcs} for arcs in self.arcs], primes)
        if primes % 2 == 0 and _is_even(net):
            return []
        return self._part(net, 2 if net.is_directed else 1)

    def reflected(self) -> list[Part]:
        """Return where to find the undirected cycles that the symmetry reflects."""
        kept, looped = self.kept, self.looped
        if self.period != 2 or len(kept) > 2 or len(kept) + 2 * (len(self.orbits) - len(kept)) < 3:
            return []
        first, last = [(looped, looped), (kept, looped), (kept[:1], kept[1:])][len(kept)]
        return self._path(first, last, 1 if kept else 2)

    def reversed(self, end: int | None = None) -> list[Part]:
        """Return where to find the undirected paths that the symmetry turns round; `end` is the orbit of their ends."""
        kept = self.kept
        if self.period != 2 or len(kept) > 1:
            return []
        return self._path(kept or self.looped, range(len(self.orbits)) if end is None else [end], 1)

    def _path(self, first: Collection[int], last: Collection[int], times: int) -> list[Part]:
        """Return where to find the halves of tours, from one of the first orbits to one of the last ones."""
        if not first or not last:
            return []
        arcs: list[dict[int, tuple[int, ...]]] = []
        for orbit, near in zip(self.orbits, self.arcs, strict=True):
            single = len(orbit) == 1
            arcs.append({to: (0,) if single or len(self.orbits[to]) == 1 else (0,) * len(near[to]) for to in near})
        middle, alpha, beta = range(len(arcs), len(arcs) + 3)
        arcs += [{alpha: (0,), beta: (0,)}, {middle: (0,)}, {middle: (0,)}]
        for apex, numbers in ((alpha, first), (beta, last)):
            for number in numbers:
                arcs[apex][number] = arcs[number][apex] = (0,)
        return self._part(VoltageNet(arcs), times)

    def _part(self, net: VoltageNet, times: int) -> list[Part]:
        """Return a part with a good order of elimination, if there may be anything to be found."""
        near = net.adjacency()
        if len(near) > 2 and any(len(others) < 2 for others in near):
            return []
        extra = range(len(self.orbits), len(near))
        orders = []
        for ranks in (tuple(range(len(near))), (*self.second, *extra)):
            rank = {vertex: number for number, vertex in enumerate(ranks)}
            order = find_vertex_order([[rank[other] for other in near[vertex]] for vertex in ranks], seed=self.seed)
            orders.append(tuple(ranks[number] for number in order))
        best = min(orders, key=lambda order: sum(GROWTH ** min(width, _MOST) for width in profile(near, order)))
        return [Part(net, best, times)]


def _orbits(squares: Iterable[int], image: Sequence[int]) -> list[tuple[int, ...]]:
    """Return the orbits in the order of their least squares, which come first in them."""
    seen: set[int] = set()
    orbits = []
    for square in sorted(squares):
        if square not in seen:
            orbit, at = [square], image[square]
            while at != square:
                orbit.append(at)
                at = image[at]
            seen.update(orbit)
            orbits.append(tuple(orbit))
    return orbits


def _is_even(net: VoltageNet) -> bool:
    """Whether a colouring shows that closed walks with as many arcs as there are vertices have an even voltage.

    Let an arc change the colour if its voltage is even, and keep it if that is odd. If vertices can be coloured so, an
    even number of the arcs of a closed walk have an even voltage. If it has an even number of arcs, so is the number of
    the others, whose voltages are odd.
    """
    if len(net.arcs) % 2:
        return False
    colours = {0: 0}
    waiting = [0]
    for vertex in waiting:
        for other, voltages in net.arcs[vertex].items():
            for voltage in voltages if other != vertex else ():
                colour = (colours[vertex] + voltage + 1) % 2
                if other not in colours:
                    waiting.append(other)
                if colours.setdefault(other, colour) != colour:
                    return False
    return True


def _primes_of(number: int) -> int:
    """Return the product of the primes that divide a number."""
    found, divisor = 1, 2
    while number > 1:
        if number % divisor == 0:
            found *= divisor
            while number % divisor == 0:
                number //= divisor
        divisor += 1
    return found
