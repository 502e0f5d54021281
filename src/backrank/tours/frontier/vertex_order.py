"""In which order to process the squares, so that few of them are active at once.

A square is *active* after some steps if it is not processed yet but one of its neighbours is. The states of a
frontier count (:mod:`backrank.tours.frontier.reference`) grow about 3.6-fold with every active square, so an order
costs Σ 3.6^active over its steps, and a good one is worth more than any tuning of the count. Row by row a 6×6 board
has up to 13 active squares; the order found here has 9 and costs a two-hundredth. On 8×8 it is 17, and 16 at a
fifth of the cost.

What is active depends on the *set* of processed squares alone, not on their order. So the search is for a cheapest
way from the empty set to the full one, a square at a time, where equal sets meet and the cheaper way survives. A beam
keeps the `width` cheapest sets of each size; width 1 is the greedy heuristic. It starts from the cheapest plain sweep
of the board, row by row or column by column (for long thin boards hard to beat). Widths grow fourfold until the
effort is spent or would cost more than the count itself. Every order found is then improved by taking single
squares out and putting them in elsewhere while that helps; it rescues the narrow beams and finds nothing to do
after the wide ones.

Cost: a beam looks at up to width · n² / 2 sets, 0.5 µs each. 6×6 has its 9 active squares after 20 ms, 8×8 its 16
after 0.1 s. The problem as such is NP-hard: the least peak is the vertex separation number of the graph, which is its
pathwidth (N. G. Kinnersley, Information Processing Letters 42, 1992).

If states are merged with their mirror images (:mod:`backrank.tours.counting.layers`), every square is to be followed by
its image: then what is put in order are pairs, and a set of processed pairs is its own image. On 8×8 that costs 1.43
times as much as the best order without, for half the states of every layer.

A road not taken: simulated annealing over orders took seconds to reach a cost of 1.783e10 on 8×8; the beam of width 16
reaches 1.775e10 in 10 ms.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from heapq import nsmallest
from itertools import accumulate
from operator import or_
from random import Random
from typing import TypeAlias

GROWTH = 3.6  # how many times as many states there are with one more active square
EFFORT = 1_000_000

_THRIFT = 8  # an order at cost c takes far fewer than c / 8 states: no use in looking at more sets than that
_MANY = 2000  # on more squares than this the cheapest sweep must do
_BEYOND = 500  # more active squares than anybody can count with; their price still fits a float
_LESS = 1 - 1e-9  # so that rounding does not pass for an improvement

_Link: TypeAlias = "tuple[int, _Link] | None"
_Way: TypeAlias = tuple[float, int, _Link]  # what a set of squares costs, its neighbourhood, and its squares backwards


def find_vertex_order(
    adjacency: Sequence[Collection[int]],
    *,
    seed: int = 0,
    effort: int = EFFORT,
    mirror: Sequence[int] | None = None,
) -> list[int]:
    """Return an order of all squares with few of them active at once; holes, having no neighbours, come first.

    Parameters
    ----------
    adjacency : sequence of collections of int
        The neighbours of every square; if one is a neighbour of another, so is the other of it.
    seed : int
        Breaks ties. On most boards another seed gives another order, about as good: what a second,
        independent count wants.
    effort : int
        How many sets of processed squares to look at, at most: about two million a second.
    mirror : sequence of int, optional
        An involution of the squares that keeps all moves. Every square is then followed by its image, so that the
        squares done are their own image as often as can be.

    Examples
    --------
    >>> from backrank.geometry.board import Board
    >>> from backrank.geometry.pieces import move_graph
    >>> adjacency = move_graph(Board(6)).adjacency()
    >>> max(profile(adjacency, range(36))), max(profile(adjacency, find_vertex_order(adjacency)))
    (13, 9)
    """
    size = len(adjacency)
    order = min(_sweeps(size), key=lambda sweep: _cost(adjacency, sweep), default=[])
    isolated = [square for square in order if not adjacency[square]]
    squares = [square for square in order if adjacency[square]]
    if size > _MANY:
        return isolated + _paired(squares, mirror)
    near = [sum(1 << other for other in set(targets) - {square}) for square, targets in enumerate(adjacency)]
    search = _Search(near, squares, effort, mirror)
    if seed:
        Random(seed).shuffle(search.squares)  # noqa: S311 - only breaks ties, and must repeat
    search.offer(search.order)
    width = 1
    while search.affords(width * (1 + len(search.squares) ** 2 // 2)):
        search.offer(search.beam(width))
        width *= 4
    return isolated + _paired(search.order, mirror)


def _paired(order: Sequence[int], mirror: Sequence[int] | None) -> list[int]:
    """Let every square be followed by its image."""
    if mirror is None:
        return list(order)
    return list(dict.fromkeys(each for square in order for each in (square, mirror[square])))


def profile(adjacency: Sequence[Collection[int]], order: Sequence[int]) -> list[int]:
    """Return how many squares are active after each step of an order; squares that it lacks do not count.

    Examples
    --------
    >>> profile([[1], [0, 2], [1, 3], [2]], [0, 1, 3, 2])
    [1, 1, 1, 0]
    """
    waiting, frontier, counts = set(order), set[int](), []
    for square in order:
        waiting.remove(square)
        frontier.discard(square)
        frontier.update(waiting.intersection(adjacency[square]))
        counts.append(len(frontier))
    return counts


def _sweeps(size: int) -> list[list[int]]:
    """Return the orders column by column for every width that a board of so many squares can have; 1 is row by row."""
    widths = [cols for cols in range(1, size + 1) if size % cols == 0]
    return [sorted(range(size), key=lambda square: (square % cols, square)) for cols in widths]


def _price(frontier: int) -> float:
    return GROWTH ** min(frontier, _BEYOND)


def _cost(adjacency: Sequence[Collection[int]], order: Sequence[int]) -> float:
    return sum(map(_price, profile(adjacency, order)))


class _Search:
    """The cheapest order so far, and the ways to find a cheaper one. Sets of squares are bit masks."""

    def __init__(self, near: list[int], order: list[int], effort: int, mirror: Sequence[int] | None = None) -> None:
        self.near = near
        self.bits = [1 << square for square in range(len(near))]
        if mirror is not None:  # the first of a pair stands for both
            order = [square for place, square in enumerate(order) if mirror[square] not in order[:place]]
            self.near = [targets | near[image] for targets, image in zip(near, mirror, strict=True)]
            self.bits = [1 << square | 1 << image for square, image in enumerate(mirror)]
        self.price = [_price(frontier) for frontier in range(len(near) + 1)]
        self.effort = effort
        self.spent = 0
        self.squares = sorted(order)
        self.order = order
        self.cost = self.costs(order)[-1]

    def affords(self, looks: int) -> bool:
        """Whether to look at so many more sets: that there is effort left, and that the count takes longer."""
        return self.spent + looks <= min(self.effort, self.cost / _THRIFT)

    def costs(self, order: list[int]) -> list[float]:
        """Return what the first 0, 1, … squares of an order cost."""
        processed = reached = 0
        costs = [0.0]
        for square in order:
            processed |= self.bits[square]
            reached |= self.near[square]
            costs.append(costs[-1] + self.price[(reached & ~processed).bit_count()])
        return costs

    def offer(self, order: list[int]) -> None:
        """Improve an order while that helps, and keep it if it is the cheapest so far."""
        cost, better = self.costs(order)[-1], True
        while better and self.affords(looks := 3 * len(order) ** 2):
            self.spent += looks
            before = cost
            order, cost = self._reinserted(order, cost)
            better = cost < before
        if cost < self.cost * _LESS:
            self.order, self.cost = order, cost

    def _reinserted(self, order: list[int], cost: float) -> tuple[list[int], float]:
        """Move every square in turn to where it is cheapest; return the new order and its cost."""
        near, bits, price = self.near, self.bits, self.price
        for square in self.squares:
            others = [other for other in order if other != square]
            before = self.costs(others)
            processed = list(accumulate((bits[other] for other in others), or_, initial=0))
            reached = list(accumulate((near[other] for other in others), or_, initial=0))
            after, place = 0.0, -1
            for index in range(len(others), -1, -1):
                left = (reached[index] | near[square]) & ~processed[index] & ~bits[square]
                after += price[left.bit_count()]
                if before[index] + after < cost * _LESS:
                    cost, place = before[index] + after, index
            if place >= 0:
                order = [*others[:place], square, *others[place:]]
        return order, cost

    def beam(self, width: int) -> list[int]:
        """Return the cheapest order of a beam search, or the one at hand if none comes out cheaper."""
        price = self.price
        moves = [(square, self.bits[square], self.near[square]) for square in self.squares]
        layer: dict[int, _Way] = {0: (0.0, 0, None)}
        self.spent += width
        for step in range(len(moves)):
            self.spent += len(layer) * (len(moves) - step)
            ways: dict[int, _Way] = {}
            for processed, (cost, reached, link) in layer.items():
                for square, bit, near in moves:
                    if processed & bit:
                        continue
                    after, reaches = processed | bit, reached | near
                    total = cost + price[(reaches & ~after).bit_count()]
                    if total < self.cost and (after not in ways or total < ways[after][0]):
                        ways[after] = (total, reaches, (square, link))
            layer = dict(nsmallest(width, ways.items(), key=lambda item: item[1][0]))
        return _unwound(next(iter(layer.values()))[2]) if layer else self.order


def _unwound(link: _Link) -> list[int]:
    """Return the squares of a linked list, the last one first."""
    order = []
    while link is not None:
        square, link = link
        order.append(square)
    return order[::-1]
