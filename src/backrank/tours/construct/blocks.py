"""Walks through one block, and how they are joined to the block next door.

Two kinds. A *closed* block is a cycle that is entered and left again through the same side: `ported_walk`
reads the stored tour of its shape from that side's port. An *open* block lies on the way from the start to the end of
the whole tour: `open_walks` finds paths between two given squares of a small board, by repair and at last
by an exhaustive search. A closed block hangs on an open one by whatever *rail* there is (`attach`): an edge a-b of
the path and an edge c-d of the cycle such that a-c and b-d are moves as well.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from itertools import islice, pairwise
from random import Random
from typing import NamedTuple

from backrank.errors import BudgetExceeded
from backrank.geometry.board import Board, Cell
from backrank.geometry.pieces import KNIGHT, move_graph
from backrank.runtime.budget import Budget, Counters
from backrank.search.strategies.tours import TourStrategy, TourView, tour_strategy
from backrank.tours.construct.base_tours import closed_walk
from backrank.tours.construct.plain import LEAST_SIDE
from backrank.tours.construct.rotation import rotated
from backrank.tours.listing import pruned
from backrank.tours.theorems.existence import existence

Walk = tuple[Cell, ...]

TOP, BOTTOM, LEFT, RIGHT = SIDES = ("top", "bottom", "left", "right")
OPPOSITE = {TOP: BOTTOM, BOTTOM: TOP, LEFT: RIGHT, RIGHT: LEFT}
_TRIED, _HOPEFUL, _AT_FIRST = 60, 40, 16
_SHORT, _LONG = 4, 200_000


class Port(NamedTuple):
    """Where a walk is left for the block next door: after `cut` squares, from the first or second square of a port."""

    cut: int
    which: int


class Attachment(NamedTuple):
    """A closed block hung on a walk: after `cut` squares of it comes `walk`, a whole round of the block."""

    cut: int
    walk: Walk


def port(rows: int, cols: int, side: str) -> tuple[Cell, Cell]:
    """Return the edge at which closed blocks of a shape are joined to those on that side; see `basetours`."""
    return {
        TOP: ((0, 0), (1, 2)),
        BOTTOM: ((rows - 2, 1), (rows - 1, 3)),
        LEFT: ((0, 0), (2, 1)),
        RIGHT: ((1, cols - 2), (3, cols - 1)),
    }[side]


@lru_cache(maxsize=1024)
def ported_walk(rows: int, cols: int, side: str, which: int) -> Walk:
    """Return the round of a closed block entered from a side, at the first (0) or second (1) square of the port.

    Examples
    --------
    >>> walk = ported_walk(8, 8, "top", 0)
    >>> walk[0], walk[-1], port_in(walk, 8, 8, "bottom").which
    ((0, 0), (1, 2), 0)
    """
    ends = port(rows, cols, side)
    return _round(closed_walk(rows, cols), ends[which], ends[1 - which])


def _round(cycle: Walk, first: Cell, last: Cell) -> Walk:
    """Read a cycle from one of its squares the long way round to a neighbour of it."""
    at = cycle.index(first)
    walk = cycle[at:] + cycle[:at]
    return walk if walk[-1] == last else walk[:1] + walk[:0:-1]


def port_in(walk: Walk, rows: int, cols: int, side: str) -> Port:
    """Return where a closed block's walk passes the port of a side."""
    ends = port(rows, cols, side)
    places = [walk.index(cell) for cell in ends]
    return Port(min(places) + 1, 0 if places[0] < places[1] else 1)


def opened(rows: int, cols: int, start: Cell) -> Iterator[Walk]:
    """Yield the stored closed tour of a shape from a start, both ways round."""
    cycle = closed_walk(rows, cols)
    at = cycle.index(start)
    walk = cycle[at:] + cycle[:at]
    yield walk
    yield walk[:1] + walk[:0:-1]


def open_walks(rows: int, cols: int, start: Cell, end: Cell | None, *, thorough: bool) -> Iterator[Walk]:
    """Yield some open tours of a block: by repair and by short searches in turn, by a long search if they find none.

    Always the same ones in the same order. None at all are yielded if there is none, or if a search of some
    hundred thousand calls does not tell; or, unless thorough, if there is none at first sight.
    """
    if LEAST_SIDE in (rows, cols) and _is_impossible(rows, cols, start, end):
        return
    found = False
    for attempt in range(_TRIED if thorough else _AT_FIRST):
        walk = _open_walk(rows, cols, start, end, attempt)
        if walk is not None:
            found = True
            yield walk
        elif attempt >= _HOPEFUL and not found:
            break
    if thorough and not found:
        yield from _searched(rows, cols, start, end)


def _is_impossible(rows: int, cols: int, start: Cell, end: Cell | None) -> bool:
    """Whether a theorem forbids these ends: on five rows, some pairs have no tour."""
    board = Board(rows, cols)
    last = None if end is None else board.square(end)
    return existence(board, start=board.square(start), end=last).answer == "no"


@lru_cache(maxsize=4096)
def _open_walk(rows: int, cols: int, start: Cell, end: Cell | None, attempt: int) -> Walk | None:
    """Return what one attempt finds: the odd ones search, which is what boards of five rows yield to."""
    random = Random(attempt)  # noqa: S311 - a fixed seed, so that answers repeat; nothing secret
    board = Board(rows, cols)
    if attempt % 2:
        ties = [random.random() for _ in range(board.size)]
        rule = TourStrategy("ties", "", lambda view, square: view.exits(square) + ties[square])
        paths = _search(board, start, end, rule, _SHORT * board.size, 1)
        return paths[0] if paths else None
    goals = frozenset() if end is None else frozenset({board.square(end)})
    path = rotated(
        [board.square(start)],
        move_graph(board, KNIGHT).adjacency(),
        board.size,
        goals,
        rotations=200 + 20 * board.size,
        random=random,
        meter=Budget().start(board.size),
    )
    return None if path is None else tuple(map(board.cell, path))


@lru_cache(maxsize=256)
def _searched(rows: int, cols: int, start: Cell, end: Cell | None) -> tuple[Walk, ...]:
    return _search(Board(rows, cols), start, end, tour_strategy("warnsdorff-roth"), _LONG, _TRIED)


def _search(
    board: Board, start: Cell, end: Cell | None, rule: TourStrategy, calls: int, wanted: int
) -> tuple[Walk, ...]:
    """Return the first tours that a pruned search finds within some calls."""
    paths = pruned.iter_paths(
        TourView(board, move_graph(board, KNIGHT).adjacency()),
        board.square(start),
        rule,
        meter=Budget(calls=calls).start(board.size),
        counters=Counters(),
        end=None if end is None else board.square(end),
        closed=False,
    )
    found: list[Walk] = []
    with suppress(BudgetExceeded):
        found.extend(tuple(map(board.cell, path)) for path in islice(paths, wanted))
    return tuple(found)


@lru_cache(maxsize=1024)
def rails(walk: Walk, shift: Cell, rows: int, cols: int) -> tuple[Attachment, ...]:
    """Return all ways to hang the closed block of a shape, whose top left corner is at `shift`, on a walk.

    The ports of the block stay free for what hangs on it in turn.
    """
    cycle = closed_walk(rows, cols)
    place = {(row + shift[0], col + shift[1]): at for at, (row, col) in enumerate(cycle)}
    ported = [set(port(rows, cols, side)) for side in SIDES]
    found = []
    for cut, (a, b) in enumerate(pairwise(walk), 1):
        for down, right in KNIGHT.steps:
            at = place.get((a[0] + down, a[1] + right))
            if at is None:
                continue
            for other in ((at - 1) % len(cycle), (at + 1) % len(cycle)):
                first, last = cycle[at], cycle[other]
                step = (last[0] + shift[0] - b[0], last[1] + shift[1] - b[1])
                if step in KNIGHT.steps and {first, last} not in ported:
                    found.append(Attachment(cut, _round(cycle, first, last)))
    return tuple(found)


def attach(walk: Walk, neighbours: list[tuple[Cell, int, int]]) -> list[Attachment] | None:
    """Hang closed blocks on a walk, each by an edge of its own; None if there are not enough rails.

    Parameters
    ----------
    walk : tuple of cells
    neighbours : list of (shift, rows, cols)
        Where the top left corner of each block is, and its shape.
    """
    if not neighbours:
        return []
    shift, rows, cols = neighbours[0]
    for attachment in rails(walk, shift, rows, cols):
        others = attach(walk, neighbours[1:])
        if others is None:
            return None
        if attachment.cut not in {other.cut for other in others}:
            return [attachment, *others]
    return None
