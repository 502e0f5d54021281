"""Exact counts of tours by sweeping the board once and remembering only its frontier.

Process the squares in a fixed order. When the turn comes to a square, choose which of its moves to *later* squares the
tour uses, so that the square has degree 2 in the end; all its moves to earlier squares were chosen before. What the
rest of the sweep needs to know of the past is little: for every *active* square (not processed, but a neighbour of a
processed one) its degree so far, and, where that is 1, which other active square is the far end of the same piece
of path. Partial tours that agree in this are counted together, so the work grows with the number of such states and
not with the number of tours. A piece may be joined to itself only at the very end, when nothing else is open.

A path is swept the same way. A square may be left with degree 1, twice in all: those are the ends of the path. A piece
of which one end is final has no far end among the active squares. An end that is asked for is a square whose degree
is 1 from the outset. (This is the cycle through an apex square next to all others, but the apex needs no turn of
its own: how many of its moves are left is two bits of the state.)

A state is one int, a field for each slot, a slot for each active square: two bits of degree, then the slot of
the far end (0: none). Slot 0 holds how many ends may still be chosen. Far ends are slots and not labels, so
equal frontiers are equal ints and nothing has to be renumbered. A state is dropped if an active square, or one
next to those, has too few later neighbours that are not full.

Cost: some 3 µs a state, and 120 bytes for each state of two successive steps. Of Σ 3.6^active over the steps (see
:mod:`backrank.tours.frontier.vertex_order`) the knight needs about a hundredth in states for cycles and a fifth for
paths. The 6×6 board has 7 thousand states for its 9,862 closed tours, and 0.2 million for its 3,318,960 open ones:
half a second.

The idea is old: the transfer matrices of physics; "simpath" in D. E. Knuth, The Art of Computer Programming 4A,
section 7.1.4, from whose "mate" table the far ends are taken. This is the plain rung of the ladder,
which the compiled one is tested against.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, count
from typing import TypeAlias

from backrank.errors import InvalidPuzzle, InvalidSquare
from backrank.runtime.budget import Budget, Meter
from backrank.tours.frontier.vertex_order import find_vertex_order

_FULL = 2  # the degree of a square that is done with, and the bit that shows it

# A slot at which a piece of path can go on, the slot of the piece's far end, and what to add to the state when it
# does: the far end is then left alone, with degree 1 and joined to nothing, and can be joined anew.
_LooseEnd: TypeAlias = tuple[int, int, int]


def count_cycles(
    adjacency: Sequence[Collection[int]],
    squares: Iterable[int],
    order: Sequence[int] | None = None,
    *,
    meter: Meter | None = None,
) -> int:
    """Return the number of undirected cycles that visit every square once.

    Parameters
    ----------
    adjacency : sequence of collections of int
        The neighbours of every square, as :meth:`backrank.geometry.pieces.MoveGraph.adjacency` gives them.
    squares : iterable of int
        The squares to visit; moves to others are not used. Fewer than three have no cycle.
    order : sequence of int, optional
        The order in which squares are processed; others in it are passed over.
        The count does not depend on it, the time does. By default :func:`find_vertex_order` chooses.
    meter : Meter, optional
        Stops the work when its budget is spent; its calls are the states that were expanded.

    Raises
    ------
    InvalidPuzzle
        If `order` does not hold every square once.
    BudgetExceeded
        If the budget is spent first.

    Examples
    --------
    >>> from backrank.geometry.board import Board
    >>> from backrank.geometry.pieces import move_graph
    >>> board = Board(5, 6)
    >>> count_cycles(move_graph(board).adjacency(), board)
    8
    """
    wanted = frozenset(squares)
    if len(wanted) < 3:
        return 0
    return _sweep(_plan(adjacency, wanted, order, given=()), 0, meter)


def count_paths(
    adjacency: Sequence[Collection[int]],
    squares: Iterable[int],
    *,
    start: int | None = None,
    end: int | None = None,
    order: Sequence[int] | None = None,
    meter: Meter | None = None,
) -> int:
    """Return the number of undirected paths that visit every square once.

    With `start` or `end` only those paths with an end there, with both those between the two; as such a
    path is walked from `start` in one way only, this is the number of directed tours from there as well.
    A single square is one path.

    Parameters
    ----------
    adjacency, squares, order, meter
        As for :func:`count_cycles`.
    start, end : int, optional
        Squares at which the path must end.

    Raises
    ------
    InvalidSquare
        If `start` or `end` is not among the squares.
    InvalidPuzzle, BudgetExceeded
        As for :func:`count_cycles`.

    Examples
    --------
    >>> from backrank.geometry.board import Board
    >>> from backrank.geometry.pieces import move_graph
    >>> board = Board(5)
    >>> adjacency = move_graph(board).adjacency()
    >>> count_paths(adjacency, board), count_paths(adjacency, board, start=0), count_paths(adjacency, board, start=1)
    (864, 304, 0)
    """
    wanted = frozenset(squares)
    given = [square for square in (start, end) if square is not None]
    for square in given:
        if square not in wanted:
            raise InvalidSquare(f"a path cannot end at square {square}: it is not among those to visit")
    if len(wanted) < 2:
        return len(wanted)
    if len(set(given)) < len(given):
        return 0
    return _sweep(_plan(adjacency, wanted, order, given=given), 2 - len(given), meter)


@dataclass(frozen=True, slots=True)
class _SquareStep:
    """What happens when one square is processed, in terms of slots.

    Attributes
    ----------
    position : int
        The slot of the square itself.
    later : tuple of int
        The slots of its later neighbours.
    fresh : int
        To be added to a state first: squares that become active now and are given ends.
    finished : int
        The state in which all active squares are full; -1 while some squares are not active yet.
    checks : tuple of (int, int, int)
        For squares that could starve: their slot, their degree at the outset plus the number of later
        neighbours, and the bits that show which of those are full.
    """

    position: int
    later: tuple[int, ...]
    fresh: int
    finished: int
    checks: tuple[tuple[int, int, int], ...]


@dataclass(frozen=True, slots=True)
class _FrontierSweep:
    """All steps of a sweep, and the number of bits of a field."""

    width: int
    steps: list[_SquareStep]


def _plan(
    adjacency: Sequence[Collection[int]], squares: frozenset[int], order: Sequence[int] | None, given: Collection[int]
) -> _FrontierSweep:
    """Work out everything about the steps that does not depend on the state."""
    if order is None:
        order = find_vertex_order(adjacency)
    order = [square for square in order if square in squares]
    if len(order) != len(squares) or len(set(order)) != len(squares):
        raise InvalidPuzzle(f"an order of elimination must hold each of the {len(squares)} squares once")
    neighbours = {square: squares.intersection(adjacency[square]) - {square} for square in order}
    positions = list(_positions(neighbours, order))
    spare = 1 + max(max(widths.values()) for widths, _ in positions)  # a slot that is always empty
    width = 2 + spare.bit_length()
    unprocessed = set(order)
    steps = []
    for square, (widths, opened) in zip(order, positions, strict=True):
        unprocessed.remove(square)
        left = {other: position for other, position in widths.items() if other != square}
        later = {other: neighbours[other] & unprocessed for other in _seen(left, neighbours, unprocessed)}
        full = {other: _FULL << position * width for other, position in left.items()}
        checks = []
        for other, ways in later.items():
            if len(ways - left.keys()) < 2:
                early = other in given and other not in left
                bits = sum(full[way] for way in ways if way in full)
                checks.append((left.get(other, spare), len(ways) + early, bits))
        steps.append(
            _SquareStep(
                position=widths[square],
                later=tuple(left[other] for other in sorted(neighbours[square] & unprocessed)),
                fresh=sum(1 << widths[other] * width for other in opened if other in given),
                finished=sum(full.values()) if len(left) == len(unprocessed) else -1,
                checks=tuple(checks),
            )
        )
    return _FrontierSweep(width, steps)


def _seen(widths: Collection[int], neighbours: dict[int, frozenset[int]], unprocessed: Collection[int]) -> list[int]:
    """Return the active squares, and those next to them that are not active yet, in ascending order."""
    return sorted({*widths, *(other for square in widths for other in neighbours[square] if other in unprocessed)})


def _positions(
    neighbours: dict[int, frozenset[int]], order: Sequence[int]
) -> Iterator[tuple[dict[int, int], list[int]]]:
    """Yield, for every step, the slots of all active squares and which squares have become active.

    The square that is processed counts as active, and frees its slot afterwards.
    """
    widths: dict[int, int] = {}
    processed: set[int] = set()
    for square in order:
        opened = sorted(({square} | neighbours[square]) - processed - widths.keys())
        free = (position for position in count(1) if position not in widths.values())
        for other in opened:
            widths[other] = next(free)
        yield dict(widths), opened
        del widths[square]
        processed.add(square)


def _sweep(plan: _FrontierSweep, free_ends: int, meter: Meter | None) -> int:
    """Count by carrying all states, each with the number of ways to reach it, through the steps."""
    if meter is None:
        meter = Budget().start()
    calls = meter.calls
    layer = {free_ends: 1}
    for depth, step in enumerate(plan.steps):
        reached: dict[int, int] = {}
        for state, ways in layer.items():
            if calls >= meter.stop_at:
                meter.tick(calls, depth)
            calls += 1
            for successor in _successors(state + step.fresh, step, plan.width):
                if successor in reached:
                    reached[successor] += ways
                elif not _starves(successor, step, plan.width):
                    reached[successor] = ways
        layer = reached
    meter.calls = calls
    return layer.get(0, 0)


def _successors(state: int, step: _SquareStep, width: int) -> list[int]:
    """Return the states after the square of this step has been processed, one for each choice of moves."""
    position = step.position
    own = state >> position * width & (1 << width) - 1
    rest = state - (own << position * width)
    if own & _FULL:
        return [rest]
    loose = _path_end_marks(rest, step, width)
    pairs: Iterable[tuple[_LooseEnd, _LooseEnd]] = combinations(loose, 2)
    if own:
        mate_at = own >> 2
        mine = (position, mate_at, -(position << mate_at * width + 2) if mate_at else 0)
        pairs = [(mine, end) for end in loose]
    successors = []
    for (position_a, mate_of_a, change_a), (position_b, mate_of_b, change_b) in pairs:
        new = rest + change_a + change_b
        if mate_of_a in (position_b, mate_of_b):
            # Two ends of one piece, or of the two pieces whose other ends are final: the tour closes.
            full = rest | _FULL << position_a * width | _FULL << position_b * width
            if full & step.finished == step.finished and not new & 3:
                successors.append(step.finished)
            continue
        if mate_of_a:
            new += mate_of_b << mate_of_a * width + 2
        if mate_of_b:
            new += mate_of_a << mate_of_b * width + 2
        successors.append(new)
    return successors


def _path_end_marks(rest: int, step: _SquareStep, width: int) -> list[_LooseEnd]:
    """Return what this step's square can be joined to: later neighbours that are not full, and slot 0 for an end."""
    loose = [(0, 0, -1)] if rest & 3 else []
    for position in step.later:
        there = rest >> position * width & (1 << width) - 1
        if not there:
            loose.append((position, position, 1 << position * width))
        elif not there & _FULL:
            mate_at = there >> 2
            change = (_FULL - there) << position * width
            loose.append((position, mate_at, change - (position << mate_at * width + 2) if mate_at else change))
    return loose


def _starves(state: int, step: _SquareStep, width: int) -> bool:
    """Whether more squares lack a way on than there are ends to be chosen."""
    allowed = state & 3
    for position, ways, full in step.checks:
        lack = 2 - (state >> position * width & 3) - ways + (full & state).bit_count()
        if lack > 0:
            allowed -= lack
            if allowed < 0:
                return True
    return False
