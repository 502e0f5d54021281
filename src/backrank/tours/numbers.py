"""The verbs of a puzzle of tours that answer with numbers: how many there are, and what that takes."""

from __future__ import annotations

from abc import abstractmethod
from pathlib import Path

from backrank.budget import Budget
from backrank.tours import counting
from backrank.tours.asked import AUTO
from backrank.tours.counting import Verification
from backrank.tours.existence import Existence
from backrank.tours.plan import Plan
from backrank.tours.question import Question


class Numbers:
    """What :class:`~backrank.KnightTours` can count."""

    __slots__ = ()
    closed: bool

    @property
    @abstractmethod
    def _question(self) -> Question: ...

    @abstractmethod
    def existence(self) -> Existence:
        """Say whether there is such a tour, as far as theorems and counts tell, without a search."""

    def count(
        self,
        *,
        directed: bool | None = None,
        up_to_symmetry: bool = False,
        method: str = AUTO,
        memory: int | None = None,
        threads: int | None = None,
        folder: Path | None = None,
        budget: Budget | None = None,
    ) -> int:
        """Return the exact number of tours.

        Parameters
        ----------
        directed : bool, optional
            Whether a tour and its reverse count as two. If not given: what iterating yields, which is
            directed for open tours and undirected for closed ones. A given start or end fixes the direction.
        up_to_symmetry : bool
            Whether tours that a symmetry of the board maps to each other count as one. Only symmetries that
            keep the given start and end are meant; for undirected tours, those that swap the two as well.
        method : {"auto", "listing", "frontier", "layers"}
            `listing` goes through all tours; `frontier` counts without listing them, by dynamic programming over the
            boundary between visited and unvisited squares; `layers` is the same idea compiled, in its own code.
        memory, threads, folder : optional
            For `layers`: bytes that may be taken, threads, and where to keep layers, so that a count that was killed
            goes on; see :class:`backrank.tours.counting.Request`.
        budget : Budget, optional

        Raises
        ------
        BudgetExceeded
            If a limit was reached first; an unfinished count is never returned.
        BoardTooLarge
            If the count would not fit into memory, with the estimate: see :meth:`count_plan`.

        Examples
        --------
        >>> from backrank import KnightTours
        >>> KnightTours(5, 5, start="a5").count(), KnightTours(5, 6, closed=True).count()
        (304, 8)
        >>> KnightTours(3, 4).count(directed=False), KnightTours(3, 4).count(directed=False, up_to_symmetry=True)
        (8, 3)
        """
        if self.existence().answer == "no":
            if method not in counting.METHODS:
                raise counting.unknown_method(method)
            return 0
        directed = not self.closed if directed is None else directed
        request = counting.Request(directed, up_to_symmetry, method, memory, threads, folder)
        return counting.count(self._question, request, budget or Budget())

    def count_plan(self, *, method: str = AUTO) -> Plan:
        """Return how :meth:`count` would go about it: the order of the squares, and what it is expected to take.

        Examples
        --------
        >>> from backrank import KnightTours
        >>> max(KnightTours(8, closed=True).count_plan().active)
        16
        """
        return counting.explain(self._question, counting.Request(not self.closed, False, method))

    def verify_count(self, answer: int, *, directed: bool | None = None, budget: Budget | None = None) -> Verification:
        """Count again, in another order and modulo a 61-bit prime, and compare with an answer of :meth:`count`.

        Examples
        --------
        >>> from backrank import KnightTours
        >>> KnightTours(5).verify_count(1728).agrees
        True
        """
        directed = not self.closed if directed is None else directed
        request = counting.Request(directed, False, "layers")
        return counting.verify(self._question, request, answer, budget or Budget())
