"""The engine in plain Python: one step, one event. What it does is the definition; the kernels are tested against it.

At depth d, with d pieces on the board, the strategy lists the candidates, squares for the next piece. The next of them
is either refused (*reject*) or gets the piece (*enter*). When none is left, the last piece is taken off (*leave*),
and the search goes on where it was one level up. A full path is judged once: it is a *solution*, or it is rejected,
because it does not end where it should. Then it is left like any other, so the search runs on to the next
solution, and ends when the first level has no candidate left.

The candidates at a depth depend on the path up to there alone. So a machine that is built from a cursor needs only
the path and the number of candidates tried at each depth; the lists are made again when the search returns to them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import cast

from backrank.geometry.pieces import move_graph
from backrank.search.cursor import Cursor
from backrank.search.events import Event, EventKind, Reason
from backrank.search.spaces import QueensSpace, TourSpace
from backrank.search.strategies.dead_ends import Ways
from backrank.search.strategies.queens import QueensStrategy, QueensView
from backrank.search.strategies.tours import TourStrategy, TourView

Verdict = tuple[Reason, int]


class Machine(ABC):
    """A search at work: a cursor that changes in place.

    Attributes
    ----------
    path, tried, calls, rejects, solutions, deepest
        As in :class:`~backrank.search.cursor.Cursor`, but lists.
    """

    def __init__(self, cursor: Cursor) -> None:
        self.space = cursor.space
        self.strategy = cursor.strategy
        self.total = cursor.space.total
        self.path: list[int] = []
        self.tried: list[int] = list(cursor.tried)
        self.calls, self.rejects = cursor.calls, cursor.rejects
        self.solutions, self.deepest = cursor.solutions, cursor.deepest
        self.levels: list[Sequence[int] | None] = [None] * len(cursor.tried)
        self._made_of = cursor.path

    def _set_up(self) -> None:
        """Put the pieces of the cursor on the board; called by subclasses once they have one."""
        for square in self._made_of:
            self.put(square)
            self.path.append(square)

    @abstractmethod
    def candidates(self) -> Sequence[int]:
        """Return the squares to try for the next piece, in order."""

    @abstractmethod
    def judge(self, square: int) -> Verdict | None:
        """Return why the next piece may not stand on a candidate; None if it may."""

    @abstractmethod
    def verdict(self) -> Verdict | None:
        """Return why the full path is no solution; None if it is one."""

    @abstractmethod
    def put(self, square: int) -> None:
        """Place the next piece; the path does not yet hold it."""

    @abstractmethod
    def take(self, square: int) -> None:
        """Remove the last piece; the path holds it no more."""

    def level(self) -> Sequence[int]:
        """Return the candidates at the present depth; those of a full path are its last square, to be judged."""
        depth = len(self.path)
        found = self.levels[depth]
        if found is None:
            found = self.candidates() if depth < self.total else self.path[-1:]
            self.levels[depth] = found
        return found

    @property
    def event(self) -> int:
        """The number of the next event."""
        return 2 * self.calls - len(self.path) + self.rejects + self.solutions

    @property
    def is_done(self) -> bool:
        """Whether nothing is left to happen."""
        return not self.path and self.tried[0] >= len(self.level())

    def places_next(self) -> bool:
        """Whether the next event will be an enter."""
        depth, level = len(self.path), self.level()
        index = self.tried[depth]
        return depth < self.total and index < len(level) and self.judge(level[index]) is None

    def step(self) -> Event | None:
        """Let the next thing happen and return it; None if there is none."""
        number, level = self.event, self.level()
        depth = len(self.path)
        index = self.tried[depth]
        if index == len(level):
            if not depth:
                return None
            self.tried.pop()
            self.levels.pop()
            square = self.path.pop()
            self.take(square)
            return Event(number, EventKind.LEAVE, square, depth - 1)
        self.tried[depth] = index + 1
        square = level[index]
        full = depth == self.total
        why = self.verdict() if full else self.judge(square)
        if why is not None:
            self.rejects += 1
            return Event(number, EventKind.REJECT, square, depth, *why)
        if full:
            self.solutions += 1
            return Event(number, EventKind.SOLUTION, square, depth)
        self.place(square)
        self.calls += 1
        self.deepest = max(self.deepest, depth + 1)
        return Event(number, EventKind.ENTER, square, depth + 1)

    def place(self, square: int) -> None:
        """Put the next piece on a square, and come to the next depth."""
        self.put(square)
        self.path.append(square)
        self.tried.append(0)
        self.levels.append(None)

    def cursor(self) -> Cursor:
        """Return the present state, frozen."""
        return Cursor(
            self.space,
            self.strategy,
            tuple(self.path),
            tuple(self.tried),
            self.calls,
            self.rejects,
            self.solutions,
            self.deepest,
            self.is_done,
        )


class TourMachine(Machine):
    """The search for tours. The first level has one candidate, the start."""

    def __init__(self, cursor: Cursor) -> None:
        super().__init__(cursor)
        space = cast("TourSpace", cursor.space)
        self.start, self.end, self.closed = space.start, space.end, space.closed
        self.rule = cast("TourStrategy", cursor.strategy.rule)
        graph = move_graph(space.board, cursor.strategy.piece(space.piece))
        self.view = TourView(space.board, graph.adjacency())
        self.closing = frozenset(self.view.adjacency[space.start])
        self.ways = Ways(self.view, space.start, space.end, closed=space.closed) if cursor.strategy.prune else None
        self._set_up()

    def candidates(self) -> Sequence[int]:
        """Return the neighbours of the last square in the order of the strategy, or the start."""
        return self.view.candidates(self.path[-1], self.rule) if self.path else (self.start,)

    def judge(self, square: int) -> Verdict | None:
        """Refuse squares that have been visited, and with pruning steps into dead ends."""
        if self.view.visited[square]:
            return Reason.VISITED, -1
        if self.ways is not None:
            dead = self.ways.dead_end(self.path, square)
            if dead >= 0:
                return Reason.DEAD_END, dead
        return None

    def verdict(self) -> Verdict | None:
        """Refuse a path that visits all squares but ends on a wrong one."""
        if self.is_final(self.path[-1]):
            return None
        if self.end is not None and self.path[-1] != self.end:
            return Reason.WRONG_END, self.end
        return Reason.NO_WAY_BACK, self.start

    def is_final(self, square: int) -> bool:
        """Whether a full path that ends on this square is a solution."""
        if self.end is not None and square != self.end:
            return False
        # A cycle needs three squares: there and back over the same two is none.
        return not self.closed or (self.total > 2 and square in self.closing)

    def put(self, square: int) -> None:
        """Visit a square."""
        if self.ways is not None and self.path:
            self.ways.enter(self.path[-1], square)
        self.view.visited[square] = 1

    def take(self, square: int) -> None:
        """Unvisit a square."""
        self.view.visited[square] = 0
        if self.ways is not None and self.path:
            self.ways.leave(self.path[-1], square)


class QueensMachine(Machine):
    """The search for placements of queens: each level fills one line."""

    def __init__(self, cursor: Cursor) -> None:
        super().__init__(cursor)
        space = cast("QueensSpace", cursor.space)
        self.view = QueensView(space.board, space.total)
        self.rule = cast("QueensStrategy", cursor.strategy.rule)
        self.lines = None if self.rule.picks_line is None else self.view.lines()
        self._set_up()

    def candidates(self) -> Sequence[int]:
        """Return the squares for the next queen."""
        view, rule = self.view, self.rule
        if rule.picks_line is not None and self.lines is not None:
            filled = set(self.path)
            open_lines = {number: line for number, line in enumerate(self.lines) if filled.isdisjoint(line)}
            line = open_lines[rule.picks_line(view, open_lines)]
            return rule.ordered(view, [square for square in line if view.is_free(square)])
        # So many rows are left empty at most that the queens still to come have one each.
        rows, cols = view.board.rows, view.board.cols
        first = self.path[-1] // cols + 1 if self.path else 0
        last = rows - (self.total - len(self.path))
        return [square for row in range(first, last + 1) for square in rule.ordered(view, view.row(row))]

    def judge(self, square: int) -> Verdict | None:
        """Refuse squares that a queen attacks."""
        return self.view.attacker(square)

    def verdict(self) -> Verdict | None:
        """Accept: queens that were placed do not attack each other."""
        return None

    def put(self, square: int) -> None:
        """Place a queen."""
        self.view.put(square)

    def take(self, square: int) -> None:  # noqa: ARG002 - the view knows which queen was the last
        """Remove the last queen."""
        self.view.take()


def machine_at(cursor: Cursor) -> Machine:
    """Return a machine that goes on from a cursor."""
    return TourMachine(cursor) if isinstance(cursor.space, TourSpace) else QueensMachine(cursor)


def walk(cursor: Cursor) -> Iterator[Machine]:
    """Yield a machine at every depth along the path of a cursor, the empty board first, the cursor's own last.

    It is one machine, and its counters are not those of the cursor; what can be asked of it are the level and
    whether a square may be entered.
    """
    machine = machine_at(Cursor(cursor.space, cursor.strategy))
    yield machine
    for square in cursor.path:
        machine.place(square)
        yield machine
