"""Open tours whose ends happen to be one move apart.

Such a tour is a closed tour with one of its steps left out, and a closed tour of n squares has n steps to leave out. So
their number follows from that of the closed tours, and the *strictly open* tours are what remains: on 6×6, undirected,
3,318,960 - 36 · 9,862 = 2,963,928.
"""

from __future__ import annotations

from collections.abc import Sequence

from backrank.errors import InvalidPuzzle
from backrank.geometry.pieces import move_graph
from backrank.tours.spec import TourSpec


def require_open(spec: TourSpec) -> None:
    """Refuse closed tours."""
    if spec.closed:
        raise InvalidPuzzle("closed tours have no ends; leave out that they be strictly open, or closed")


def closed_ones(spec: TourSpec) -> TourSpec | None:
    """Return the closed tours by which the open ones with ends a move apart are counted; None if it needs none."""
    if len(spec.board) < 3 or (spec.start is not None and spec.end is not None):
        return None
    return TourSpec(spec.board, spec.piece, True, None, None)


def number(spec: TourSpec, natural: int, cycles: int) -> int:
    """Return how many open tours, as sequences, have ends a move apart.

    Parameters
    ----------
    spec : TourSpec
    natural : int
        How many open tours there are, as sequences.
    cycles : int
        How many undirected closed tours the board has; not needed if :func:`closed_ones` says so.

    Examples
    --------
    >>> from backrank.geometry.board import Board
    >>> from backrank.geometry.pieces import KNIGHT
    >>> number(TourSpec(Board(6), KNIGHT, False, None, None), 6637920, 9862)
    710064
    """
    if closed_ones(spec) is None:
        return natural if len(spec.board) > 1 and _adjacent(spec, spec.start, spec.end) else 0
    either = 2 * cycles  # a closed tour is walked in two directions
    return either if (spec.start, spec.end) != (None, None) else either * len(spec.board)


def is_reentrant(spec: TourSpec, squares: Sequence[int]) -> bool:
    """Whether the ends of an open tour are a move apart."""
    return len(squares) > 1 and _adjacent(spec, squares[0], squares[-1])


def can_close(spec: TourSpec) -> bool:
    """Whether the ends of a closed tour, if they are given, are a move apart, and it is long enough to be closed."""
    if not spec.closed or spec.end is None:
        return True
    return len(spec.board) > 2 and _adjacent(spec, spec.start, spec.end)


def _adjacent(spec: TourSpec, one: int | None, other: int | None) -> bool:
    """Whether two squares are a move apart; any two are if they are the only ones of a tour."""
    if one is None or other is None:
        return True
    return other in move_graph(spec.board, spec.piece).adjacency()[one]
