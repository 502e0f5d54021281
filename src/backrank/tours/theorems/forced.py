"""What the moves of single squares force, without a search: reasons why there is no tour, and moves that none can use.

A tour that is closed, or that has both ends given (join them by one square more, and it is closed), enters and leaves
every square. So a square with two moves uses both; a square both of whose moves are spoken for has no use for its
others; and a chain of forced moves must not bite its own tail before it has visited everything. Struck-out moves leave
other squares with two, and so on until nothing changes or some square has too few.

An open tour spares two squares, its ends. Where the moves alternate between two kinds of squares, kinds tell who
may be spared: with one square more of one kind both ends are of that kind, else they are of different kinds. All
other squares are *inner*, and forced like those of a cycle. A square with one move left is an end.

Then, for every tour: each square but the last is left for another one, and no square is entered twice. That is a
matching; if there is none, some squares lead to fewer squares than they are (P. Hall 1935), and these are named.

Last, for a cycle whose moves alternate between two kinds: every square needs two steps, and each move can be one of
them only. A flow tells whether that can be; if not, some squares need more steps than their moves give room for.

Cost: linear in the moves for what is forced; the matchings take up to the square of that, and are left to the
kernels (`backrank.tours.solve.path_cover_jit`) on more than 2,000 squares.
Dropped: taking away pairs of squares and counting the parts. It is quadratic in the board, for boards that an
exhaustive search settles sooner.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Sequence

from backrank.geometry.board import Board
from backrank.geometry.pieces import move_graph
from backrank.tours.spec import TourSpec

MAX_FORCED_SQUARES = 20_000
MAX_CROWD_SQUARES = 2_000
_MANY = 8


class UsableMoves:
    """The moves that a tour can still use; a closed tour with an end is asked for as an open one with two.

    Attributes
    ----------
    near : list of sets of int
        By square. If both ends of an open tour are given, one square more joins them, with the number `board.size`.
    squares : list of int
        Those of the board, and that one.
    cyclic : bool
        Whether a cycle through all of them is wanted; else a path.
    start : int or None
        Where the path starts.
    ends : set of int
        Squares that are known to be an end of the path, the start among them.
    kinds : list of int or None
        0 or 1 for each square, if every move changes it.
    ones : int
        How many squares are of kind 1.
    """

    def __init__(self, spec: TourSpec) -> None:
        self.board = spec.board
        self.near = [set(targets) for targets in move_graph(spec.board, spec.piece).adjacency()]
        self.squares = list(spec.board)
        self.cyclic = spec.closed
        self.start = spec.start
        if spec.start is not None and spec.end is not None and not spec.closed:
            self.cyclic = True
            self.squares.append(self.board.size)
            self.near.append(set())
            for square in (spec.start, spec.end):
                self.near[square].add(self.board.size)
                self.near[-1].add(square)
        self.ends = set() if self.cyclic or self.start is None else {self.start}
        self.kinds = None if self.cyclic else _kinds(self.near, self.squares)
        self.ones = 0 if self.kinds is None else sum(self.kinds[square] for square in self.squares)

    def may_end(self, square: int) -> bool:
        """Whether a path may have one of its ends there, as far as is known."""
        if self.cyclic:
            return False
        if square in self.ends or len(self.ends) == 2:
            return square in self.ends
        if self.kinds is None:
            return True
        if 2 * self.ones == len(self.squares):
            return not any(self.kinds[square] == self.kinds[end] for end in self.ends)
        return self.kinds[square] == (2 * self.ones > len(self.squares))

    def unbalanced(self) -> str | None:
        """Say so if there are too many squares of one kind."""
        if self.kinds is None:
            return None
        low, high = sorted((self.ones, len(self.squares) - self.ones))
        if high - low < 2:
            return None
        return f"every move leads from one of {high} squares to one of {low} others or back, and a tour alternates"

    def names(self, squares: Collection[int]) -> str:
        """Return the names of some squares, at most a handful."""
        return _names(self.board, squares)


def _kinds(near: Sequence[Collection[int]], squares: Sequence[int]) -> list[int] | None:
    """Return 0 or 1 for each square, so that every move changes it; None if that cannot be, or in more than one way."""
    kinds = [-1] * len(near)
    kinds[squares[0]] = 0
    reached = [squares[0]]
    for here in reached:
        for target in near[here]:
            if kinds[target] < 0:
                kinds[target] = 1 - kinds[here]
                reached.append(target)
            elif kinds[target] == kinds[here]:
                return None
    return kinds if len(reached) == len(squares) else None


def _names(board: Board, squares: Collection[int]) -> str:
    named = [board.name(square) for square in sorted(squares) if square < board.size]
    if len(squares) > len(named):
        named.append("the pair of ends")
    if len(named) > _MANY:
        return f"{', '.join(named[:_MANY])} and {len(named) - _MANY} more"
    return " and ".join([", ".join(named[:-1]), named[-1]] if len(named) > 1 else named)


def useful_moves(spec: TourSpec) -> tuple[UsableMoves | None, str | None]:
    """Return the moves that a tour can still use, if the board is small enough, and the reason if there is no tour."""
    if not 3 <= len(spec.board) <= MAX_FORCED_SQUARES:
        return None, None
    net = UsableMoves(spec)
    reason = net.unbalanced()
    if reason is None:
        reason = _Forcing(net).run()
    if reason is None and len(net.squares) <= MAX_CROWD_SQUARES:
        reason = _crowd(net) or (_overload(net) if net.cyclic else None)
    return net, reason


class _Forcing:
    """Moves that every tour uses, and those that none does.

    `far` is, for the end of a chain of forced moves, its other end; a square without any is a chain of itself.
    """

    def __init__(self, net: UsableMoves) -> None:
        self.net, self.near = net, net.near
        self.taken: list[set[int]] = [set() for _ in net.near]
        self.far = list(range(len(net.near)))
        self.steps = 0
        self.reason: str | None = None
        self.waiting = deque(net.squares)
        self.inner: set[int] = set()
        self._sort_out()

    def _sort_out(self) -> None:
        """Note which squares cannot be ends, and look at them again."""
        self.inner = {square for square in self.net.squares if not self.net.may_end(square)}
        self.waiting.extend(self.net.squares)

    def run(self) -> str | None:
        """Go on until nothing changes, or there cannot be a tour; return why."""
        while self.waiting and self.reason is None:
            square = self.waiting.popleft()
            near, inner = self.near[square], square in self.inner
            if len(near) < 1 + inner:
                name = self.net.names([square])
                few = "fewer than two moves" if inner else "no move"
                self.reason = f"{name} is left with {few} once the moves that are forced have been taken"
            elif len(near) == 1 + inner:
                if not inner and square not in self.net.ends:
                    self._must_end(square)
                for other in sorted(near):
                    self.take(square, other)
        return self.reason

    def _must_end(self, square: int) -> None:
        self.net.ends.add(square)
        if len(self.net.ends) > 2:
            self.reason = f"{self.net.names(self.net.ends)} have one move left each, and a tour has only two ends"
        else:
            self._sort_out()

    def take(self, one: int, other: int) -> None:
        """Note that every tour uses a move."""
        if other in self.taken[one] or self.reason is not None:
            return
        for square, wanting in ((one, other), (other, one)):
            if self._is_full(square):
                names = self.net.names([*self.taken[square], wanting])
                why = "where the tour ends" if square in self.net.ends else "where a tour passes only once"
                self.reason = f"{names} all need a move to {self.net.names([square])}, {why}"
                return
        if self.far[one] == other and not (self.net.cyclic and self.steps + 1 == len(self.net.squares)):
            self.reason = f"the moves that are forced close a circle through {self.net.names([one, other])} too early"
            return
        self.steps += 1
        self.taken[one].add(other)
        self.taken[other].add(one)
        head, tail = self.far[one], self.far[other]
        self.far[head], self.far[tail] = tail, head
        for square in (one, other):
            if self._is_full(square):
                for useless in self.near[square] - self.taken[square]:
                    self._strike(square, useless)
        whole = self.steps + 1 == len(self.net.squares)
        if tail in self.near[head] - self.taken[head] and not (self.net.cyclic and whole):
            self._strike(head, tail)
        if head in self.net.ends and tail in self.net.ends and not whole:
            self.reason = f"the moves that are forced join both ends, {self.net.names([head, tail])}, too early"

    def _is_full(self, square: int) -> bool:
        return len(self.taken[square]) == (1 if square in self.net.ends else 2)

    def _strike(self, one: int, other: int) -> None:
        self.near[one].discard(other)
        self.near[other].discard(one)
        self.waiting += (one, other)


def _crowd(net: UsableMoves) -> str | None:
    """Look for squares that lead to fewer squares than they are; a path may have one square that it does not leave."""
    start = None if net.cyclic else net.start
    entered_from: dict[int, int] = {}
    left: set[int] = set()
    for square in sorted(net.squares, key=lambda square: len(net.near[square])):
        for target in net.near[square]:
            if target not in entered_from and target != start:
                entered_from[target] = square
                left.add(square)
                break
    spare = 0 if net.cyclic else 1
    stuck: set[int] = set()
    for square in net.squares:
        if square in left:
            continue
        crowd = _augment(net, square, entered_from, start)
        if crowd is None:
            continue
        stuck |= crowd
        if spare:
            spare -= 1
            continue
        return _crowded(net, stuck, start)
    return None


def _augment(net: UsableMoves, root: int, entered_from: dict[int, int], start: int | None) -> set[int] | None:
    """Find a square to leave `root` for, moving others out of the way; or return the squares that share too few."""
    reached_from: dict[int, int] = {}
    waiting, crowd = deque([root]), {root}
    while waiting:
        here = waiting.popleft()
        for target in net.near[here]:
            if target in reached_from or target == start:
                continue
            reached_from[target] = here
            if target in entered_from:
                crowd.add(entered_from[target])
                waiting.append(entered_from[target])
                continue
            while True:
                source = reached_from[target]
                before = next((t for t in net.near[source] if entered_from.get(t) == source), None)
                entered_from[target] = source
                if source == root or before is None:
                    return None
                target = before  # noqa: PLW2901 - walks back along the way that was found
    return crowd


def _crowded(net: UsableMoves, crowd: Collection[int], start: int | None) -> str:
    targets: set[int] = set().union(*(net.near[square] for square in crowd)) - {start}
    some = "each of them" if net.cyclic else "all of them but one"
    return f"{net.names(crowd)} lead to {net.names(targets)} only, so a tour cannot leave {some} for another square"


def _overload(net: UsableMoves) -> str | None:
    """Look for squares of one kind that need more steps than their moves give room for."""
    kinds = _kinds(net.near, net.squares)
    if kinds is None:
        return None
    steps: dict[int, set[int]] = {square: set() for square in net.squares}
    left = [square for square in net.squares if kinds[square] == 0]
    for square in left:
        for target in sorted(net.near[square], key=lambda target: len(net.near[target])):
            if len(steps[square]) < 2 and len(steps[target]) < 2:
                steps[square].add(target)
                steps[target].add(square)
    for square in left:
        while len(steps[square]) < 2:
            reached = _one_step_more(net, kinds, steps, square)
            if reached is None:
                continue
            needy = {other for other in reached if kinds[other] == 0}
            shared = reached - needy
            others = sum(len(net.near[other] - shared) for other in needy)
            return (
                f"{net.names(needy)} need {2 * len(needy)} steps, but of the squares one move away {len(shared)} have "
                f"room for two steps each, and only {others} moves lead to others"
            )
    return None


def _one_step_more(net: UsableMoves, kinds: list[int], steps: dict[int, set[int]], root: int) -> set[int] | None:
    """Give `root` one step more, moving others out of the way; or return what was reached from it in vain."""
    reached_from: dict[int, int] = {root: -1}
    waiting = deque([root])
    while waiting:
        here = waiting.popleft()
        for target in sorted(net.near[here] - steps[here] if kinds[here] == 0 else steps[here]):
            if target in reached_from:
                continue
            reached_from[target] = here
            waiting.append(target)
            if kinds[target] == 0 or len(steps[target]) == 2:
                continue
            while target != root:
                source = reached_from[target]
                for one, other in ((source, target), (target, source)):
                    if kinds[source] == 0:
                        steps[one].add(other)
                    else:
                        steps[one].remove(other)
                target = source  # noqa: PLW2901 - walks back along the way that was found
            return None
    return set(reached_from)
