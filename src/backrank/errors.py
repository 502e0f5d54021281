"""The errors that backrank raises: one line each, saying what was wrong and what would be right.

All derive from :class:`BackrankError`. Those about input are `ValueError` as well, so that
code which knows nothing of backrank still catches them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from backrank.budget import Progress


class BackrankError(Exception):
    """Base of every error that this package raises on purpose."""


class InvalidBoard(BackrankError, ValueError):
    """A board that cannot be: sides that are not positive whole numbers, a malformed map."""


class BoardTooLarge(InvalidBoard):
    """A board on which the asked-for method would need an unreasonable amount of memory or time."""


class InvalidSquare(BackrankError, ValueError):
    """A square that is not on the board, is a hole, or cannot be read."""


class InvalidPuzzle(BackrankError, ValueError):
    """A puzzle whose parts contradict each other, such as a tour that must end where it starts."""


class InvalidText(BackrankError, ValueError):
    """Text that is in none of the formats that can be read."""


class UnknownName(BackrankError, ValueError):
    """A strategy, move order, piece or format of a name that nobody has heard of; the known ones are listed."""

    def __init__(self, noun: str, name: str, known: tuple[str, ...]) -> None:
        super().__init__(f"unknown {noun} {name!r}; known: {', '.join(known)}")
        self.noun, self.name, self.known = noun, name, known

    def __reduce__(self) -> tuple[type[UnknownName], tuple[str, str, tuple[str, ...]]]:
        # An exception is rebuilt from its message alone unless told otherwise; workers in other processes raise it too.
        return type(self), (self.noun, self.name, self.known)


class Undecided(BackrankError):
    """Base of the errors that end work before its answer: nothing is proven either way."""


class BudgetExceeded(Undecided):
    """A limit was reached before the answer: nothing is proven either way.

    Attributes
    ----------
    reached : Progress
        How far the work had come: seconds, calls, depth, items found so far (a lower bound, never an answer).
    """

    def __init__(self, message: str, reached: Progress) -> None:
        super().__init__(message)
        self.reached = reached

    def __reduce__(self) -> tuple[type[BudgetExceeded], tuple[str, Progress]]:
        return type(self), (str(self), self.reached)
