"""What a frontier count is going to take: states, memory and time, foreseen from its order and its first layers.

A layer has about as many states as a number between 3.8 and 4.7, by the number of ends that are free, to the power of
the active squares, divided by another: measured on boards from 5×8 to 8×8 in the middle of the sweep, where most of
them are. On small boards there are fewer. At its beginning there are far fewer: a square brings no more than about as
many as it has ways to be left. Layers that are there already tell by how much all this is off.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from backrank.tours.frontier.transitions import NARROW, Net, ends_by_class
from backrank.tours.frontier.vertex_order import profile

# By the number of ends that are free: how many times as many states there are with one more active square, and that to
# the power of all of them, divided by the states.
BASES = {0: 3.8, 1: 4.2, 2: 4.7}
DIVISORS = {0: 15.6, 1: 14.5, 2: 35.0}
ONE_COLOUR = 0.15  # of the states that are left if both ends are of one colour
MIRROR = 0.55  # of the states that are left where every square is followed by its image
# How many times as many states a square brings, at most: this, so much for a later neighbour, and for a free end.
RISE = (0.4, 0.45, 0.2)
EXCESS = 4.0  # how many times too low the middle of the sweep may be foreseen
SECONDS = 0.15e-6  # for a state, of one thread
ENTRY = 8  # bytes of a word
PEAK = 3.2  # entries for a state of the largest layer: its successors, before the repetitions are merged
FEW = 1 << 23  # bytes that any count may take
TELLING = 5_000  # states of a layer that tells how far off the estimate is
_MOST = 300


@dataclass(frozen=True, slots=True)
class Forecast:
    """The states foreseen.

    Attributes
    ----------
    widths : tuple of int
        How many squares are active after each step.
    states : tuple of float
        How many states there are before the first step and after each.
    bounds : tuple of float
        How many there would be in the middle of a sweep.
    """

    widths: tuple[int, ...]
    states: tuple[float, ...]
    bounds: tuple[float, ...]

    @classmethod
    def of(cls, net: Net, order: Sequence[int], *, mirrored: bool) -> Forecast:
        """Return what the order of a net promises."""
        table = [net.near.get(square, ()) for square in range(max(order, default=-1) + 1)]
        widths = tuple(profile(table, order))
        share = (MIRROR if mirrored else 1.0) / DIVISORS[net.free]
        if net.free == 2 and 0 in (ends_by_class(net) or ()):
            share *= ONE_COLOUR
        bounds, states = [1.0], [1.0]
        done: set[int] = set()
        for square, width in zip(order, widths, strict=True):
            done.add(square)
            rise = max(1.0, RISE[0] + RISE[1] * len(net.near[square] - done) + RISE[2] * net.free)
            bounds.append(max(1.0, BASES[net.free] ** min(width, _MOST) * share))
            states.append(min(rise * states[-1], bounds[-1]))
        return cls(widths, tuple(states), tuple(bounds))

    @property
    def words(self) -> int:
        """Of a state."""
        return 1 if max(self.widths, default=0) <= NARROW else 2

    @property
    def total(self) -> float:
        """How many states there are in all."""
        return sum(self.states)

    @property
    def seconds(self) -> float:
        """The time they take one thread."""
        return self.total * SECONDS

    def done(self, depth: int, share: float) -> float:
        """Return which part of the work is done, after some steps and part of the next."""
        before = sum(self.states[:depth])
        return min(1.0, (before + share * (self.states[depth] if depth < len(self.states) else 0)) / self.total)

    def later(self, depth: int, size: int) -> list[float]:
        """Return how many states there will be from a step on, if there are so many after it.

        A layer at the beginning, where states are not yet as many as active squares allow, may be dozens of times as
        large as was foreseen: it tells when the middle is reached, but not how large that will be.
        """
        told = self.states[depth]
        off = size / told if min(size, told) >= TELLING else 1.0
        excess = EXCESS if told >= self.bounds[depth] else 1.0
        bounds = zip(self.states[depth:], self.bounds[depth:], strict=True)
        return [min(each * off, bound * excess) for each, bound in bounds]

    def memory(self, depth: int = 0, size: int = 1, stride: int = 0) -> tuple[int, float]:
        """Return how many bytes the rest takes at most at once, and how many states a layer has at most.

        Parameters
        ----------
        depth, size, stride : int
            A layer that is there already: after how many steps, its states, and the words of an entry.
        """
        states = self.later(depth, size)
        entry = ENTRY * (stride or 1 + self.words)
        return int(PEAK * max(states) * entry) + FEW, max(states)
