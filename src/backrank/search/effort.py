"""What one answer by the engine may cost, where it goes on from, and who watches it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from backrank.budget import Budget, Progress
from backrank.errors import BudgetExceeded
from backrank.search.cursor import Cursor, InvalidCursor
from backrank.search.engine import start
from backrank.search.machine import machine_at
from backrank.search.naming import Strategy
from backrank.search.spaces import Space


@dataclass(frozen=True)
class Effort:
    """A budget for a search that may consist of several runs.

    Attributes
    ----------
    budget : Budget
    cursor : Cursor, optional
        Where to go on; the search begins at its beginning if not given.
    watch : callable, optional
        Handed the cursor some twenty times a second, to keep it.
    """

    budget: Budget
    cursor: Cursor | None = None
    watch: Callable[[Cursor], None] | None = None

    def begin(self, space: Space, strategy: Strategy) -> Cursor:
        """Return where the search begins: at the cursor given, or at its beginning.

        Raises
        ------
        InvalidCursor
            If the cursor given is of another search.
        """
        if self.cursor is None:
            return start(space, strategy)
        if self.cursor.space != space:
            raise InvalidCursor(f"the cursor is of another puzzle: {self.cursor.space}, not {space}")
        if self.cursor.strategy.name != strategy.name:
            raise InvalidCursor(f"the cursor is of another strategy: {self.cursor.strategy}, not {strategy}")
        return self.cursor

    def rest(self, calls: int, seconds: float) -> Budget:
        """Return what is left of the budget after so many calls and seconds.

        Raises
        ------
        BudgetExceeded
            If nothing is left.
        """
        budget = self.budget
        if not calls:
            return budget
        left_calls = None if budget.calls is None else budget.calls - calls
        left_seconds = None if budget.seconds is None else budget.seconds - seconds
        if (left_calls is not None and left_calls < 1) or (left_seconds is not None and left_seconds <= 0):
            message = f"the limit was reached after {calls:,} calls and {seconds:.1f} s: nothing is proven"
            raise BudgetExceeded(message, Progress(seconds, calls))
        return replace(budget, calls=left_calls, seconds=left_seconds)


def is_solved(cursor: Cursor) -> bool:
    """Whether the last event of the search was a solution, which still stands.

    Examples
    --------
    >>> from backrank.board import Board
    >>> from backrank.search import QueensSpace, run, start
    >>> cursor = start(QueensSpace(Board(6)), "rows")
    >>> is_solved(cursor), is_solved(run(cursor, until="solution"))
    (False, True)
    """
    # A full path has been judged once its only candidate, itself, has been tried.
    judged = cursor.depth == cursor.space.total and cursor.tried[-1] == 1
    return judged and machine_at(cursor).verdict() is None
