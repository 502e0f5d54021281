"""What happens in a search, one event at a time.

A piece comes onto a square (*enter*) or is taken off it again (*leave*); a square is looked at and refused (*reject*,
with the rule that forbids it); all pieces stand as they should (*solution*). Events are numbered from 0 in one
run, and the run is nothing but its events: replayed in order they put up every board, and backwards they take it down.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple

from backrank.geometry.board import Board


class EventKind(StrEnum):
    """What can happen."""

    ENTER = "enter"
    LEAVE = "leave"
    REJECT = "reject"
    SOLUTION = "solution"


class Reason(StrEnum):
    """Why a square was refused; all but the first name another square, on which the rule rests."""

    VISITED = "visited"
    DEAD_END = "dead end at"
    NO_WAY_BACK = "no move back to"
    WRONG_END = "must end on"
    SAME_ROW = "same row as queen on"
    SAME_COLUMN = "same column as queen on"
    SAME_DIAGONAL = "same diagonal as queen on"


class Event(NamedTuple):
    """One event of a search.

    Attributes
    ----------
    number : int
        Its place in the run, from 0.
    kind : EventKind
    square : int
        The square entered, left or refused; of a solution the last square of the path.
    depth : int
        How many pieces stand (squares are visited) after it.
    reason : Reason, optional
        The rule that refused the square, of a reject only.
    at : int
        The square that the reason names, -1 if none.

    Examples
    --------
    >>> event = Event(2, EventKind.REJECT, 4, 1, Reason.SAME_COLUMN, 0)
    >>> event.text(Board(4))
    'reject a3: same column as queen on a4'
    """

    number: int
    kind: EventKind
    square: int
    depth: int
    reason: Reason | None = None
    at: int = -1

    def why(self, board: Board) -> str:
        """Return the reason of a reject in words, with the name of the square; empty for other events."""
        if self.reason is None:
            return ""
        return f"{self.reason} {board.name(self.at)}" if self.at >= 0 else str(self.reason)

    def text(self, board: Board) -> str:
        """Return the event as a line for people."""
        why = self.why(board)
        return f"{self.kind} {board.name(self.square)}" + (f": {why}" if why else "")


def replay(events: Iterable[Event], path: Iterable[int] = ()) -> list[int]:
    """Return the path after some events, given the one before them.

    Parameters
    ----------
    events : iterable of Event
        Consecutive events of one run.
    path : iterable of int
        The squares in place before the first of them.

    Examples
    --------
    >>> replay([Event(0, EventKind.ENTER, 7, 1), Event(1, EventKind.ENTER, 12, 2), Event(2, EventKind.LEAVE, 12, 1)])
    [7]
    """
    squares = list(path)
    for event in events:
        if event.kind is EventKind.ENTER:
            squares.append(event.square)
        elif event.kind is EventKind.LEAVE:
            squares.pop()
    return squares


def rewind(events: Iterable[Event], path: Iterable[int]) -> list[int]:
    """Return the path before some events, given the one after them: the inverse of :func:`replay`.

    Parameters
    ----------
    events : iterable of Event
        Consecutive events of one run, the earliest first.
    path : iterable of int
        The squares in place after the last of them.

    Examples
    --------
    >>> rewind([Event(1, EventKind.ENTER, 12, 2), Event(2, EventKind.LEAVE, 12, 1)], [7])
    [7]
    """
    squares = list(path)
    for event in reversed(list(events)):
        if event.kind is EventKind.ENTER:
            squares.pop()
        elif event.kind is EventKind.LEAVE:
            squares.append(event.square)
    return squares
