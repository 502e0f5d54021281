"""A tour of a narrow board, or the proof that there is none: by sweeping it column by column.

The columns of a board with at most four rows (or the rows of one with at most four columns) are handled in turn. When
the turn comes to a square, the tour's moves from it to *later* columns are chosen; those to earlier ones were chosen
before. A knight's move spans two columns at most, so all that matters of the past is the *state* of the next two: for
every square there whether it is done with, untouched, or the end of a piece of path, and of which piece. Many partial
tours share a state, one of them is as good as another, and there are few: 139 for closed tours of three rows, 452 of
four; 660 and 7,590 for open ones whose ends are not given. All states that can be reached are carried from the left
edge to the right one. If the last of them says that everything is done with, a tour is read off backwards, a column at
a time; if not, there is none.

What one column makes of a state does not depend on where the column is. So it is worked out once, when it is first
met, and so is what a column makes of a whole set of states: after some columns the same sets come round again, and
the sweep costs no more than looking them up. The first puzzle about a width takes up to half a second, the
others a millisecond for a hundred columns.

A given end is a square that has one move less to make; it counts as joined to a piece whose other end is final.
Ends that are not given may be chosen as long as there are some left, which is a part of the state.

The counts of :mod:`backrank.tours.frontier.reference` rest on the same idea, for any graph and any order of squares.
The two share no code, so each is a check on the other. A road not taken is to carry the states of that module, square
by square and without a table: on a 4x60 board that takes seconds, again for each pair of ends.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache, reduce
from itertools import combinations
from typing import TypeAlias

from backrank.errors import InvalidPuzzle
from backrank.geometry.board import Board
from backrank.geometry.pieces import KNIGHT, move_graph
from backrank.geometry.verify import is_closing
from backrank.runtime.budget import Meter
from backrank.tours.spec import TourSpec

MAX_ROWS = 4
MAX_SWEEP_SQUARES = 1_000_000
_MANY_LAYERS = 10_000
_BITS, _DIGIT = 4, 15  # of an entry in a number

_DONE = -1  # a square that has all its moves, or that is not there
_FINAL = -2  # a square with one move to make, the other end of whose piece is an end of the tour

# For each square of two or three columns, column by column: itself if it is untouched, the far end of its piece if that
# can go on at both ends, or one of the above. Last: how many ends of the tour may still be chosen.
_Entries: TypeAlias = tuple[int, ...]
_State: TypeAlias = int  # the entries of two columns, as digits: a number is quicker to hash and to compare
_Layer: TypeAlias = frozenset[_State]
_Moves: TypeAlias = tuple[tuple[int, int], ...]


def applies(spec: TourSpec) -> bool:
    """Say whether :func:`by_sweep` can answer: a knight, a plain board, and one side of at most four squares.

    Examples
    --------
    >>> applies(TourSpec(Board(60, 4), KNIGHT, False, None, None)), applies(TourSpec(Board(5), KNIGHT, False, 0, 24))
    (True, False)
    """
    board = spec.board
    narrow = min(board.rows, board.cols) <= MAX_ROWS and board.size <= MAX_SWEEP_SQUARES
    return narrow and board.is_plain and sorted(spec.piece.steps) == sorted(KNIGHT.steps)


def by_sweep(spec: TourSpec, meter: Meter) -> tuple[int, ...] | None:
    """Return the squares of a tour in order, or None if there is none: that is then proven.

    Parameters
    ----------
    spec : TourSpec
        One that :func:`applies`.
    meter : Meter
        Its calls are the states that were handled, whether or not what becomes of them was known already.

    Returns
    -------
    tuple of int or None
        From the start to the end, where these are given. The answer is the same every time.

    Raises
    ------
    InvalidPuzzle
        If the sweep does not apply.
    BudgetExceeded
        If the budget is spent first.

    Notes
    -----
    Time and memory are linear in the length of the board; see the module for the cost of its states.

    Examples
    --------
    >>> from backrank.runtime.budget import Budget
    >>> by_sweep(TourSpec(Board(3, 4), KNIGHT, False, 0, None), Budget().start())
    (0, 6, 8, 1, 7, 9, 2, 4, 10, 3, 5, 11)
    >>> by_sweep(TourSpec(Board(3, 8), KNIGHT, True, None, None), Budget().start()) is None
    True
    """
    board, start, end = spec.board, spec.start, spec.end
    if not applies(spec):
        raise InvalidPuzzle(f"the sweep takes knights on plain boards at most {MAX_ROWS} squares wide, not {board}")
    if len(board) == 1:
        return None if spec.closed else (0,)
    if start is not None and start == end:
        return None
    if not spec.closed:
        return _open_tour(board, start, end, meter)
    if start is not None and end is not None:
        closing = is_closing(board, KNIGHT, board.cell(start), board.cell(end))
        return _open_tour(board, start, end, meter) if closing else None
    return _cycle(board, 0 if start is None else start, end, meter)


def _open_tour(board: Board, start: int | None, end: int | None, meter: Meter) -> tuple[int, ...] | None:
    """Return an open tour in the right direction."""
    given = tuple(square for square in (start, end) if square is not None)
    squares = None
    if len(given) < 2 and (corner := _far_corner(board, *given)) is not None:
        squares = _path(board, (*(given or (0,)), corner), meter)
    if squares is None:
        squares = _path(board, given, meter)
    if squares is None or (start in (None, squares[0]) and end in (None, squares[-1])):
        return squares
    return squares[::-1]


def _far_corner(board: Board, square: int = 0) -> int | None:
    """Return the corner that is the likeliest other end of a tour from a square, if there is one of the right colour.

    Nearly every tour that there is can be had with that end, and the sweep is several times as quick with both ends
    known; far apart is quicker than side by side.
    """
    row, col = board.cell(square)
    corners = (0, board.cols - 1, board.size - board.cols, board.size - 1)
    parity = (board.size + 1 + board.colour(square)) % 2
    likely = [corner for corner in corners if corner != square and board.colour(corner) == parity]
    return max(
        likely, key=lambda corner: abs(corner // board.cols - row) + abs(corner % board.cols - col), default=None
    )


def _cycle(board: Board, start: int, end: int | None, meter: Meter) -> tuple[int, ...] | None:
    """Return a closed tour, read from a square on, or so that it ends with one."""
    moves = _swept(board, (), 0, meter)
    if moves is None:
        return None
    squares = _walk(moves, 0)
    first = squares.index(start) if end is None else squares.index(end) + 1
    return squares[first:] + squares[:first]


def _path(board: Board, given: tuple[int, ...], meter: Meter) -> tuple[int, ...] | None:
    """Return an open tour that has its ends where they are given, in either direction."""
    moves = _swept(board, given, 2 - len(given), meter)
    if moves is None:
        return None
    return _walk(moves, given[0] if given else next(square for square, near in enumerate(moves) if len(near) == 1))


def _walk(moves: list[list[int]], start: int) -> tuple[int, ...]:
    """Return the squares in the order in which one comes past them."""
    squares = [start]
    before, square = start, moves[start][0]
    while len(squares) < len(moves):
        squares.append(square)
        near = moves[square]
        before, square = square, near[-1] if near[0] == before else near[0]
    return tuple(squares)


def _swept(board: Board, given: tuple[int, ...], free: int, meter: Meter) -> list[list[int]] | None:
    """Return for every square those to which the tour moves from it, or None if there is no tour."""
    rows, cols = min(board.rows, board.cols), max(board.rows, board.cols)
    down, right = (board.cols, 1) if board.rows == rows else (1, board.cols)
    ends = {square // right % cols * rows + square // down % rows for square in given}
    fresh = [_fresh(rows, cols, col, ends) for col in range(cols + 2)]
    turns = [_turn(rows, fresh[col + 2], last=col + 3 >= cols) for col in range(cols)]
    begin = [entry or place for place, entry in enumerate(fresh[0] + fresh[1])]
    layers: list[_Layer] = [frozenset({_packed((*begin, free))})]
    for col, turn in enumerate(turns):
        layers.append(turn.after(layers[-1], meter, col * rows))
    state = _packed((_DONE,) * (2 * rows) + (0,))
    if state not in layers.pop():
        return None
    moves: list[list[int]] = [[] for _ in board]
    for col in range(cols - 1, -1, -1):
        state, chosen = turns[col].before(state, layers.pop())
        for places in chosen:
            one, other = ((col + place // rows) * right + place % rows * down for place in places)
            moves[one].append(other)
            moves[other].append(one)
    return moves


def _fresh(rows: int, cols: int, col: int, ends: set[int]) -> _Entries:
    """Return what a column is like at the outset, which may be off the board: 0 for squares that are untouched."""
    if col >= cols:
        return (_DONE,) * rows
    return tuple(_FINAL if col * rows + row in ends else 0 for row in range(rows))


def _packed(entries: _Entries) -> _State:
    return reduce(lambda state, entry: state << _BITS | entry + 2, reversed(entries), 0)


def _unpacked(state: _State, rows: int) -> _Entries:
    return tuple((state >> shift & _DIGIT) - 2 for shift in range(0, (2 * rows + 1) * _BITS, _BITS))


@lru_cache(maxsize=256)
def _turn(rows: int, fresh: _Entries, *, last: bool) -> _Turn:
    graph = move_graph(Board(4, rows))
    near = [graph.neighbours(place) for place in range(2 * rows)]
    later = tuple(tuple(other for other in near[place] if other > place) for place in range(rows))
    within = [tuple(other for other in others if other < 2 * rows) for others in near]
    ways = tuple((inner, len(others) - len(inner)) for inner, others in zip(within, near, strict=True))
    return _Turn(rows, fresh, last, later, ways)


@dataclass(slots=True)
class _Turn:
    """What the turn of a column makes of states, as far as it was asked for.

    Attributes
    ----------
    rows : int
        How many squares a column has.
    fresh : tuple of int
        What the column two further on is like, which comes into view: 0 for squares that are untouched.
    last : bool
        Whether nothing comes after that one, so that the tour may be completed.
    later : tuple of tuples of int
        For every square of the column, the places of those in the next two that a move leads to.
    ways : tuple of (tuple of int, int)
        For every square of two columns, its neighbours there and how many more there are in the next two.
    successors, sources : dict
        The states that can become of a state, and those it can come from, among those met so far.
    layers : dict
        What becomes of a layer.
    moves : dict
        The moves that make one state of another, where a tour was read off.
    """

    rows: int
    fresh: _Entries
    last: bool
    later: tuple[tuple[int, ...], ...]
    ways: tuple[tuple[tuple[int, ...], int], ...]
    successors: dict[_State, tuple[_State, ...]] = field(default_factory=dict)
    sources: dict[_State, list[_State]] = field(default_factory=dict)
    layers: dict[_Layer, _Layer] = field(default_factory=dict)
    moves: dict[tuple[_State, _State], _Moves] = field(default_factory=dict)

    def after(self, layer: _Layer, meter: Meter, depth: int) -> _Layer:
        """Return the states that become of those in a layer."""
        known = self.layers.get(layer)
        if known is not None:
            calls = meter.calls + len(layer)
            while meter.stop_at < calls:
                meter.tick(meter.stop_at, depth)
            meter.calls = calls
            return known
        reached: set[_State] = set()
        for state in layer:
            if meter.calls >= meter.stop_at:
                meter.tick(meter.calls, depth)
            meter.calls += 1
            if state not in self.successors:
                self._learn(state)
            reached.update(self.successors[state])
        if len(self.layers) >= _MANY_LAYERS:
            self.layers.clear()
        return self.layers.setdefault(layer, _interned(frozenset(reached)))

    def _learn(self, state: _State) -> None:
        successors = tuple(self._passages(state))
        for successor in successors:
            self.sources.setdefault(successor, []).append(state)
        self.successors[state] = successors

    def before(self, state: _State, layer: _Layer) -> tuple[_State, _Moves]:
        """Return a state of a layer from which this one comes, and the moves by which it does."""
        source = min(source for source in self.sources[state] if source in layer)
        if (source, state) not in self.moves:
            self.moves[source, state] = self._passages(source)[state]
        return source, self.moves[source, state]

    def _passages(self, state: _State) -> dict[_State, _Moves]:
        """Return what becomes of a state, with moves that do it; places are counted from this column on."""
        rows = self.rows
        *entries, free = _unpacked(state, rows)
        entries += (entry or place for place, entry in enumerate(self.fresh, 2 * rows))
        partial: dict[_Entries, _Moves] = {(*entries, free): ()}
        for place in range(rows):
            reached: dict[_Entries, _Moves] = {}
            for before, moves in partial.items():
                for after, chosen in self._choices(before, place):
                    reached.setdefault(after, moves + chosen)
            partial = reached
        passages = {}
        for after, moves in partial.items():
            moved = (*(entry - rows if entry >= 0 else entry for entry in after[rows:-1]), after[-1])
            if not self._starves(moved):
                passages[_packed(moved)] = moves
        return passages

    def _choices(self, entries: _Entries, place: int) -> Iterator[tuple[_Entries, _Moves]]:
        """Yield the ways to give a square of the first column the moves that it lacks."""
        if entries[place] == _DONE:
            yield entries, ()
            return
        end = len(entries) - 1
        others = [other for other in self.later[place] if entries[other] != _DONE]
        if entries[end]:
            others.append(end)
        for chosen in combinations(others, 2 if entries[place] == place else 1):
            after = list(entries)
            if all(_join(after, place, other, last=self.last) for other in chosen):
                yield tuple(after), tuple((place, other) for other in chosen if other != end)

    def _starves(self, entries: _Entries) -> bool:
        """Whether more squares lack a way on than there are ends to be chosen."""
        allowed = entries[-1]
        for place, (within, beyond) in enumerate(self.ways):
            if entries[place] != _DONE:
                lacking = (2 if entries[place] == place else 1) - beyond
                if lacking > 0:
                    for other in within:
                        if entries[other] != _DONE:
                            lacking -= 1
                    if lacking > 0:
                        allowed -= lacking
                        if allowed < 0:
                            return True
        return False


@lru_cache(maxsize=_MANY_LAYERS)
def _interned(layer: _Layer) -> _Layer:
    """Return the same object for equal layers, so that looking one up needs no comparison."""
    return layer


def _join(entries: list[int], one: int, other: int, *, last: bool) -> bool:
    """Join two squares, or make the first an end if the other is where ends are counted; say whether that will do."""
    far, end = entries[one], len(entries) - 1
    if other == end:
        beyond = _FINAL
        entries[end] -= 1
    else:
        beyond = entries[other]
        entries[other] = _DONE
    entries[one] = _DONE
    if far == other or far == beyond == _FINAL:  # the tour is complete, or it never will be
        return last and not entries[end] and entries.count(_DONE) == end
    if far >= 0:
        entries[far] = beyond
    if beyond >= 0:
        entries[beyond] = far
    return True
