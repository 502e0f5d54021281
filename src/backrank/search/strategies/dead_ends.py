"""Dead ends of tours, seen before the step that makes them: the option `+prune`.

A *bare* square is not visited yet. Its *ways* are its neighbours from which or to which the tour could still go:
the bare ones, the square where the piece stands, and for a closed tour the start. It needs two, one to come and one to
go; the last square of an open tour makes do with one. Before a step from `here` to `square` is taken, the ways are
those after it. The step is a dead end

- at `square`, if that is where the tour must end and other squares are still bare;
- at the first neighbour of `here`, in move order, that is bare and would have no way at all;
- else at the first neighbour of `here` that would just lose the second of two ways it needs, if then more bare squares
  have too few than are allowed: one for an open tour whose end is free, none for the others.

Before the first step the whole board is looked at in the same manner, square by square. Only branches without
a solution are cut, so the solutions are the same, in the same order.

Only neighbours of the square that is left lose a way, so a look costs eight look-ups, and so does a step.
"""

from __future__ import annotations

from collections.abc import Sequence

from backrank.search.strategies.tours import TourView


class Ways:
    """Ways left at every bare square, and how many bare squares have too few.

    Attributes
    ----------
    ways, need : list of int
        By square.
    starved : int
        Bare squares whose ways are fewer than they need, the start not among them.
    allowed : int
        How many of them a tour can bear.
    kept : int
        The start of a closed tour, which stays a way when it is left; else -1.
    """

    def __init__(self, view: TourView, start: int, end: int | None, *, closed: bool) -> None:
        self.visited, self.adjacency = view.visited, view.adjacency
        self.ways = [len(targets) for targets in view.adjacency]
        self.need = [2] * view.board.size
        if end is not None and not closed:
            self.need[end] = 1
        self.end = -1 if end is None else end
        self.kept = start if closed else -1
        self.allowed = 0 if closed or end is not None else 1
        self.total, self.start = len(view.board), start
        others = [square for square in view.board if square != start]
        hungry = [square for square in others if self.ways[square] < self.need[square]]
        self.starved = len(hungry)
        without = [square for square in hungry if not self.ways[square]]
        too_many = hungry[:1] if self.starved > self.allowed else []
        self.dead_at_start = (without + too_many + [-1])[0]

    def dead_end(self, path: Sequence[int], square: int) -> int:
        """Return where a step to a bare square makes a dead end; -1 if it makes none."""
        if square == self.end and len(path) + 1 < self.total:
            return square
        if not path:
            return self.dead_at_start
        here, named = path[-1], -1
        starved = self.starved - (self.ways[square] < self.need[square])
        if here != self.kept:
            for near in self.adjacency[here]:
                if self.visited[near] or near == square:
                    continue
                if self.ways[near] == 1:
                    return near
                if self.ways[near] == self.need[near]:
                    starved += 1
                    named = near if named < 0 else named
        return named if starved > self.allowed else -1

    def enter(self, here: int, square: int) -> None:
        """Note a step; `square` is not yet marked visited."""
        self.starved -= self.ways[square] < self.need[square]
        self._change(here, square, -1)

    def leave(self, here: int, square: int) -> None:
        """Take a step back; `square` is not marked visited any more."""
        self._change(here, square, 1)
        self.starved += self.ways[square] < self.need[square]

    def _change(self, here: int, square: int, by: int) -> None:
        if here == self.kept:
            return
        ways, need = self.ways, self.need
        for near in self.adjacency[here]:
            if not self.visited[near] and near != square:
                before = ways[near] < need[near]
                ways[near] += by
                self.starved += (ways[near] < need[near]) - before
