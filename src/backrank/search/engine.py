"""The two verbs of the engine: start a search, and let it go on for so many events."""

from __future__ import annotations

from backrank.search.cursor import Cursor
from backrank.search.events import Event
from backrank.search.machine import machine_at
from backrank.search.spaces import Searchable, Space, as_space
from backrank.search.strategies.names import Strategy, as_strategy
from backrank.search.strategies.queens import QueensStrategy
from backrank.search.strategies.tours import TourStrategy


def start(
    problem: Space | Searchable, strategy: str | Strategy | TourStrategy | QueensStrategy | None = None
) -> Cursor:
    """Return the cursor of a search that has not begun.

    Parameters
    ----------
    problem : Space or Searchable
    strategy : optional
        A name, or a strategy itself; `warnsdorff` for tours and `rows` for queens if not given.

    Raises
    ------
    UnknownName, InvalidPuzzle
        If there is no such strategy, or it is not for this problem.

    Examples
    --------
    >>> from backrank.geometry.board import Board
    >>> from backrank.search import QueensSpace
    >>> start(QueensSpace(Board(4))).stats
    Stats(events=0, calls=0, backtracks=0, rejects=0, solutions=0, depth=0, deepest=0)
    """
    space = as_space(problem)
    return machine_at(Cursor(space, as_strategy(strategy, space))).cursor()


def advance(cursor: Cursor, max_events: int) -> tuple[list[Event], Cursor]:
    r"""Return the next events, and the cursor after them; fewer than asked for only when the search ends.

    The run does not depend on how it is cut: the events of one call with 100 are those of 100 calls with 1.

    Parameters
    ----------
    cursor : Cursor
        It is not changed.
    max_events : int
        At least 0.

    Examples
    --------
    >>> from backrank.geometry.board import Board
    >>> from backrank.search import QueensSpace
    >>> board = Board(4)
    >>> events, cursor = advance(start(QueensSpace(board), "rows"), 4)
    >>> print(*(event.text(board) for event in events), sep="\n")
    enter a4
    reject a3: same column as queen on a4
    reject b3: same diagonal as queen on a4
    enter c3
    >>> cursor.path, cursor.stats.rejects
    ((0, 6), 2)
    """
    machine = machine_at(cursor)
    events: list[Event] = []
    while len(events) < max_events and (event := machine.step()) is not None:
        events.append(event)
    return events, machine.cursor()
