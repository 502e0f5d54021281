"""The plan of a count of placements: which method, how long it will take, and whether it can be cut into units."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from backrank.errors import BoardTooLarge
from backrank.queens.counting import methods, symmetric
from backrank.queens.counting import spec as counted
from backrank.queens.counting.methods import CountMethod
from backrank.queens.counting.spec import QueensCountSpec
from backrank.queens.spec import QueensSpec
from backrank.runtime.context import Context
from backrank.runtime.cpu import available_threads
from backrank.runtime.quantities import duration

MAX_SECONDS = 86_400.0
DIVISIBLE = ("columnsets", "tails", "rows")


@dataclass(frozen=True, slots=True)
class QueensCountPlan:
    """How placements will be counted.

    Attributes
    ----------
    spec : QueensSpec
        The puzzle.
    wanted : QueensCountSpec
        The number.
    reduced : QueensSpec
        The puzzle without placed queens, and with more holes.
    chosen : CountMethod
        The method for the count of all placements, and the seconds that it takes one thread.
    rotation : sequence of int, optional
        The permutation of the squares that must leave a placement as it is.
    is_impossible : bool
        Whether a theorem says that there is no placement.
    """

    kind: ClassVar[str] = "queens"
    spec: QueensSpec
    wanted: QueensCountSpec
    reduced: QueensSpec
    chosen: CountMethod
    rotation: Sequence[int] | None
    is_impossible: bool

    def __str__(self) -> str:
        if self.method == "known":
            return f"{self.what}: known without a search"
        if self.seconds is None:
            return f"{self.what}, by {self.method}"
        seconds = duration(self.seconds) if self.seconds >= 0.5 else "less than a second"
        return f"{self.what}, by {self.method}: {seconds} of one thread"

    @property
    def what(self) -> str:
        """What is counted, in words."""
        return counted.sentence(self.spec, self.wanted)

    @property
    def facts(self) -> dict[str, Any]:
        """What is counted, as plain data."""
        return counted.facts(self.spec, self.wanted)

    @property
    def method(self) -> str:
        """The method."""
        return self.chosen.method

    @property
    def seconds(self) -> float | None:
        """Seconds that it will take one thread, roughly; None if nothing is foreseen."""
        return None if self.rotation is not None else self.chosen.seconds

    @property
    def memory(self) -> int | None:
        """Nothing is foreseen of the memory: a few MB for each thread."""
        return None

    @property
    def is_resumable(self) -> bool:
        """Whether it can be cut into units, each of which is recorded."""
        return self.rotation is None and self.method in DIVISIBLE

    @property
    def is_keepable(self) -> bool:
        """Whether it can be a job: any count can, if only of one unit."""
        return True

    def require_affordable(self, context: Context) -> None:
        """Raise BoardTooLarge, with the estimate, for more than a day of work without a limit and without `force`."""
        if context.force or self.seconds is None or context.is_limited or context.budget.cancelled:
            return
        threads = (context.threads or available_threads()) if self.method in DIVISIBLE else 1
        seconds = self.seconds / threads
        if seconds > MAX_SECONDS:
            on = f"on {threads} threads" if threads > 1 else "here"
            raise BoardTooLarge(
                f"counting {self.spec} would take {duration(seconds)} {on}; set a time limit, or --force it"
            )


def plan(spec: QueensSpec, wanted: QueensCountSpec, context: Context | None = None) -> QueensCountPlan:
    """Return how to count.

    Parameters
    ----------
    spec : QueensSpec
    wanted : QueensCountSpec
    context : Context, optional
        With a limit of calls, `auto` chooses a method that counts them one by one.

    Raises
    ------
    InvalidPuzzle, UnknownName, BoardTooLarge
        If there is no such number, or no method counts it.

    Examples
    --------
    >>> from backrank.geometry.board import Board
    >>> [plan(QueensSpec(Board(n), n), QueensCountSpec()).method for n in (3, 8, 16)]
    ['known', 'bits', 'columnsets']
    """
    wanted.require_valid()
    if wanted.symmetry is not None or wanted.up_to_symmetry:
        spec.require_no_placed()
    reduced = spec.reduced()[0]
    has_call_limit = context is not None and context.budget.calls is not None
    chosen = methods.choose(reduced, wanted.method, has_call_limit=has_call_limit)
    rotation = None if wanted.symmetry is None else symmetric.rotation(reduced.board, wanted.symmetry)
    return QueensCountPlan(spec, wanted, reduced, chosen, rotation, reduced.why_impossible() is not None)
