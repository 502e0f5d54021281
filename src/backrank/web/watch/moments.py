"""A moment of a search, told: everything that the page shows of it follows from the cursor alone.

Even what happened last does. A level that has tried nothing has just been entered. Else its last candidate tried was
refused if the rules refuse it, which depends on the path alone; if they do not, it was entered and left again.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Any

from backrank.geometry.pieces import move_graph
from backrank.search import Cursor, Event, EventKind, TourSpace, advance
from backrank.search.machine import Machine, walk
from backrank.web.puzzles import event_told


def moment_told(cursor: Cursor, levels: int, *, total: int | None = None, known: int = 0) -> dict[str, Any]:
    """Return a moment as answers tell it.

    Parameters
    ----------
    cursor : Cursor
    levels : int
        How many levels of the call stack, the innermost ones.
    total : int, optional
        How many events the run has, if that is known.
    known : int
        The furthest moment that anybody has been to.

    Examples
    --------
    >>> from backrank.geometry.board import Board
    >>> from backrank.search import QueensSpace, start
    >>> told = moment_told(advance(start(QueensSpace(Board(4)), "rows"), 3)[1], 64)
    >>> told["text"], [candidate["state"] for candidate in told["candidates"]]
    ('reject b3: same diagonal as queen on a4', ['tried', 'tried', 'next', 'ahead'])
    """
    stack, machine = _stack(cursor, levels)
    last = last_event(cursor, machine)
    following, _ = advance(cursor, 1)
    stats = cursor.stats
    return {
        "event": cursor.event,
        "path": list(cursor.path),
        "stats": {field: getattr(stats, field) for field in stats.__slots__},
        "last": None if last is None else event_told(last),
        "text": "" if last is None else last.text(cursor.space.board),
        "next": event_told(following[0]) if following else None,
        "candidates": list(_candidates(cursor, machine)),
        "stack": stack,
        "solved": last is not None and last.kind is EventKind.SOLUTION,
        "finished": cursor.done,
        "total": cursor.event if cursor.done else total,
        "known": max(known, cursor.event),
        "cursor": cursor.to_dict(),
    }


def last_event(cursor: Cursor, machine: Machine) -> Event | None:
    """Return the event that led to a moment; the machine stands at its innermost level."""
    if not cursor.event:
        return None
    number, depth, tried = cursor.event - 1, cursor.depth, cursor.tried[-1]
    if not tried:
        return Event(number, EventKind.ENTER, cursor.path[-1], depth)
    square = machine.level()[tried - 1]
    full = depth == machine.total
    why = machine.verdict() if full else machine.judge(square)
    if why is not None:
        return Event(number, EventKind.REJECT, square, depth, *why)
    return Event(number, EventKind.SOLUTION if full else EventKind.LEAVE, square, depth)


def _stack(cursor: Cursor, levels: int) -> tuple[list[dict[str, Any]], Machine]:
    """Return the innermost levels, and a machine that stands at the last of them."""
    first = max(0, len(cursor.tried) - levels)
    squares = (*cursor.path, None)
    stack: deque[dict[str, Any]] = deque(maxlen=levels)
    machine: Machine | None = None
    for depth, machine in enumerate(walk(cursor)):
        if depth >= first:
            level = {"depth": depth, "square": squares[depth], "candidates": list(machine.level())}
            stack.append({**level, "tried": cursor.tried[depth]})
    if machine is None:
        raise AssertionError("a walk has at least one level")
    return list(stack), machine


def _candidates(cursor: Cursor, machine: Machine) -> Iterator[dict[str, Any]]:
    """Yield the squares of the innermost level; a full path has none left to try."""
    if cursor.depth == machine.total:
        return
    space, tried = cursor.space, cursor.tried[-1]
    visited = set(cursor.path)
    graph = move_graph(space.board, space.piece) if isinstance(space, TourSpace) else None
    for index, square in enumerate(machine.level()):
        why = machine.judge(square)
        onward = None if graph is None else sum(near not in visited for near in graph.neighbours(square))
        state = "tried" if index < tried else "next" if index == tried else "ahead"
        reason = None if why is None else why[0].name.lower().replace("_", "-")
        at = why[1] if why is not None and why[1] >= 0 else None
        yield {"square": square, "state": state, "onward": onward, "reason": reason, "at": at}
