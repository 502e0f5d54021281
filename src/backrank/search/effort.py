"""What one answer by the engine may cost, where it goes on from, and who watches it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from backrank.errors import BudgetExceeded
from backrank.runtime.budget import Budget
from backrank.runtime.progress import Progress
from backrank.search.cursor import Cursor, InvalidCursor
from backrank.search.engine import start
from backrank.search.machine import machine_at
from backrank.search.runner import SearchPaused, run
from backrank.search.spaces import Space
from backrank.search.strategies.names import Strategy


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

    def run_on(self, cursor: Cursor, calls: int = 0, seconds: float = 0.0) -> Cursor:
        """Run to the next solution or the end, when so much has been spent on other starts already.

        Raises
        ------
        BudgetExceeded
            If the budget of the whole is used up; what it tells is of the whole.
        """
        try:
            return run(cursor, until="solution", budget=self._rest(calls, seconds), watch=self.watch)
        except SearchPaused as pause:
            if not calls:
                raise
            reached = replace(pause.reached, calls=pause.reached.calls + calls, seconds=pause.reached.seconds + seconds)
            raise self._spent(reached) from None

    def _rest(self, calls: int, seconds: float) -> Budget:
        """Return what is left of the budget."""
        budget = self.budget
        if not calls:
            return budget
        budget = budget.begun(seconds)
        left_calls = None if budget.calls is None else budget.calls - calls
        left_seconds = budget.seconds_left
        if (left_calls is not None and left_calls < 1) or (left_seconds is not None and left_seconds <= 0):
            raise self._spent(Progress(seconds, calls))
        return replace(budget, calls=left_calls)

    def _spent(self, reached: Progress) -> BudgetExceeded:
        budget = self.budget.begun(reached.seconds)
        left = budget.seconds_left
        if budget.calls is not None and reached.calls >= budget.calls:
            why = f"the limit of {budget.calls:,} calls was reached"
        elif left is not None and left <= 0:
            why = f"the time limit of {budget.seconds:g} s was reached"
        else:
            why = "cancelled"
        spent = f"after {reached.calls:,} calls and {reached.seconds:.1f} s"
        return BudgetExceeded(f"{why} {spent}: nothing is proven", reached)


def is_solved(cursor: Cursor) -> bool:
    """Whether the last event of the search was a solution, which still stands.

    Examples
    --------
    >>> from backrank.geometry.board import Board
    >>> from backrank.search import QueensSpace, run, start
    >>> cursor = start(QueensSpace(Board(6)), "rows")
    >>> is_solved(cursor), is_solved(run(cursor, until="solution"))
    (False, True)
    """
    # A full path has been judged once its only candidate, itself, has been tried.
    judged = cursor.depth == cursor.space.total and cursor.tried[-1] == 1
    return judged and machine_at(cursor).verdict() is None
