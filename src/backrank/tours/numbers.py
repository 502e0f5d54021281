"""The verbs of a puzzle of tours that have to do with numbers: how many there are, and which is which."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from backrank.errors import InvalidPuzzle, shown
from backrank.geometry.board import Board, SquareLike
from backrank.geometry.pieces import Piece
from backrank.runtime.budget import Budget, budget_of
from backrank.runtime.context import Context, Keeping, folder_given
from backrank.runtime.rng import Randomness
from backrank.tours.arguments import AUTO
from backrank.tours.counting.arguments import require_means, squares_given, whole
from backrank.tours.estimation.estimate import CONFIDENCE, RUNS, STATES, Estimate, Sampling, estimate, known
from backrank.tours.spec import TourSpec
from backrank.tours.theorems.existence import Existence
from backrank.tours.tour import Tour, faults_of

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from backrank.tours.counting.plan import TourCountPlan
    from backrank.tours.counting.run import Verification
    from backrank.tours.counting.spec import TourCountSpec
    from backrank.tours.ranking.ranks import TourSampler


class Numbers:
    """What :class:`~backrank.KnightTours` can count and number."""

    __slots__ = ()
    board: Board
    closed: bool
    piece: Piece

    @property
    @abstractmethod
    def _question(self) -> TourSpec: ...

    @abstractmethod
    def existence(self) -> Existence:
        """Say whether there is such a tour, as far as theorems and counts tell, without a search."""

    def count(
        self,
        *,
        directed: bool | None = None,
        up_to_symmetry: bool = False,
        symmetry: str | int | None = None,
        strictly_open: bool = False,
        method: str = AUTO,
        memory: int | None = None,
        threads: int | None = None,
        folder: Path | str | None = None,
        keep_folder: bool = False,
        ledger: object = None,
        executor: Executor | None = None,
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
            By Burnside's lemma; it takes little longer than the count of all tours.
        symmetry : {"180", "90"}, optional
            Count only the tours that turning the board by 180 or 90 degrees does not change. Counted on half or a
            quarter of the squares, so that larger boards are in reach. Not with a start or end, nor up to symmetry.
        strictly_open : bool
            Count only the open tours whose ends are not a move apart.
        method : {"auto", "listing", "frontier", "layers"}
            `listing` goes through all tours; `frontier` counts without listing them, by dynamic programming over the
            boundary between visited and unvisited squares; `layers` is the same idea compiled, in its own code.
        memory, threads, folder : optional
            For `layers`: bytes that may be taken, threads, and where to keep layers, so that a count that was killed
            goes on; see :class:`backrank.runtime.context.Context`.
        keep_folder : bool
            Leave the answer in the folder, where the same call finds it: for those who write it elsewhere first, and
            then call :func:`backrank.tours.counting.run.release`. Otherwise the folder is removed.
        ledger : path or Ledger, optional
            Keep the count there as a job: whatever stops it, the same call goes on, and once it is done returns the
            recorded answer. For counts of all tours by `layers`.
        executor : concurrent.futures.Executor, optional
            With a ledger: a pool of threads of this process, whose number of workers is taken.
        budget : Budget, optional

        Raises
        ------
        BudgetExceeded
            If a limit was reached first; an unfinished count is never returned.
        BoardTooLarge
            If the count would not fit into memory, with the estimate: see :meth:`count_plan`.
        InvalidPuzzle, UnknownName
            If the method or the symmetry does not apply, or is unknown; if the memory or the threads are no number.
        InvalidText
            If the folder holds anything but what this count has kept there; it is left alone then.

        Examples
        --------
        >>> from backrank import KnightTours
        >>> KnightTours(5, 5, start="a5").count(), KnightTours(5, 6, closed=True).count()
        (304, 8)
        >>> KnightTours(3, 4).count(directed=False), KnightTours(3, 4).count(directed=False, up_to_symmetry=True)
        (8, 3)
        >>> KnightTours(6, closed=True).count(symmetry="180"), KnightTours(6, closed=True).count(symmetry="90")
        (78, 10)
        >>> KnightTours(6).count(directed=False), KnightTours(6).count(directed=False, strictly_open=True)
        (3318960, 2963928)
        """
        from backrank.tours.counting.plan import plan
        from backrank.tours.counting.run import release, run

        wanted = self._count_spec(directed, up_to_symmetry, symmetry, strictly_open=strictly_open, method=method)
        work = folder_given(folder)
        context = Context(
            budget_of(budget),
            threads,
            memory,
            work,
            keeping=Keeping() if ledger is None else Keeping("always", ledger),
            executor=None if executor is None else lambda: nullcontext(executor),
        )
        planned = plan(self._question, wanted, context)
        if ledger is not None:
            from backrank.jobs.counts import run_count

            return run_count(planned, context).number
        number = run(planned, context)
        if not keep_folder:
            release(work)
        return number

    def _count_spec(
        self,
        directed: bool | None,
        up_to_symmetry: bool = False,
        symmetry: str | int | None = None,
        *,
        strictly_open: bool = False,
        method: str = AUTO,
    ) -> TourCountSpec:
        from backrank.tours.counting.spec import TourCountSpec

        directed = not self.closed if directed is None else directed
        turn = symmetry if symmetry is None or isinstance(symmetry, str) else shown(symmetry)
        return TourCountSpec(directed, up_to_symmetry, method, turn, strictly_open)

    def count_plan(
        self,
        *,
        directed: bool | None = None,
        up_to_symmetry: bool = False,
        symmetry: str | int | None = None,
        strictly_open: bool = False,
        method: str = AUTO,
    ) -> TourCountPlan:
        """Return how :meth:`count` would go about it: the method, the vertex order, and what it is expected to take.

        Parameters
        ----------
        directed, up_to_symmetry, symmetry, strictly_open, method : optional
            As for :meth:`count`.

        Raises
        ------
        BoardTooLarge
            If the frontier is too wide, with its width.
        InvalidPuzzle, UnknownName
            As for :meth:`count`.

        Examples
        --------
        >>> from backrank import KnightTours
        >>> max(KnightTours(8, closed=True).count_plan().frontier.active)
        16
        >>> print(KnightTours(5, closed=True).count_plan())
        nothing to count: a closed tour alternates colours, but 13 squares are of one colour and 12 of the other
        """
        from backrank.tours.counting.plan import plan

        wanted = self._count_spec(directed, up_to_symmetry, symmetry, strictly_open=strictly_open, method=method)
        return plan(self._question, wanted)

    def verify_count(
        self,
        answer: int,
        *,
        directed: bool | None = None,
        up_to_symmetry: bool = False,
        memory: int | None = None,
        threads: int | None = None,
        folder: Path | str | None = None,
        budget: Budget | None = None,
    ) -> Verification:
        """Count again, in another order and modulo a 61-bit prime, and compare with an answer of :meth:`count`.

        What does not fit into the memory goes to the folder, but no layer is kept: once killed, it begins anew.

        Examples
        --------
        >>> from backrank import KnightTours
        >>> KnightTours(5).verify_count(1728).agrees, KnightTours(5).verify_count(243, up_to_symmetry=True).agrees
        (True, False)
        """
        from backrank.tours.counting.run import verify

        context = Context(budget_of(budget), threads, memory, folder_given(folder))
        wanted = self._count_spec(directed, up_to_symmetry)
        return verify(self._question, wanted, whole(answer, "a count"), context)

    def estimate(
        self,
        *,
        directed: bool | None = None,
        runs: int = RUNS,
        states: int = STATES,
        rng: Randomness = 0,
        confidence: float = CONFIDENCE,
        budget: Budget | None = None,
    ) -> Estimate:
        """Return about how many tours there are, with an interval, where they are too many to be counted.

        Cost: with the default, 6 seconds of one core on 8x8 closed, and 20 on 10x10 open. Half the interval takes four
        times as many runs, or states; both do as well, but many runs of few states give a worse interval.

        Parameters
        ----------
        directed : bool, optional
            As for :meth:`count`.
        runs : int
            How many independent estimates are made, from 3.
        states : int
            How many states of each layer of the count are kept, from 100.
        rng : int, random.Random or numpy.random.Generator
            A seed, which gives the same estimate each time, or a generator, which gives another one.
        confidence : float
            How often the interval should hold the number, from 0.5 to 0.999.
        budget : Budget, optional
            A limit that is reached after three runs or more ends the work with the estimate from those.

        Raises
        ------
        BoardTooLarge
            If more than 24 squares are active at once in the best order found: beyond about 12x12.
        BudgetExceeded
            If a limit was reached before three runs were finished.

        Examples
        --------
        >>> from backrank import KnightTours
        >>> print(KnightTours(5).estimate())
        1728, the number itself: nothing was dropped
        """
        sampling = Sampling.of(runs, states, rng, confidence)
        directed = not self.closed if directed is None else directed
        if self.existence().answer == "no":
            return known(0, sampling, directed=directed)
        return estimate(self._question, sampling, directed=directed, budget=budget_of(budget))

    def sampler(self, *, memory: int | None = None, budget: Budget | None = None) -> TourSampler:
        """Return what draws exactly uniform samples, made ready: that takes about as long as counting.

        Parameters
        ----------
        memory : int, optional
            Bytes that its table may take; nine tenths of what is free, if not given.
        budget : Budget, optional
            Limits, progress and cancellation of making it.

        Raises
        ------
        BoardTooLarge
            If the table would not fit, with the estimate.
        BudgetExceeded
            If a limit was reached first.

        Examples
        --------
        >>> from backrank import KnightTours
        >>> KnightTours(5, 6, closed=True).sampler().count
        8
        """
        from backrank.tours.ranking.ranks import made_ready

        return made_ready(self._question, memory, budget)

    def sample(self, rng: Randomness, *, memory: int | None = None, budget: Budget | None = None) -> Tour:
        """Return one tour, each that iterating yields with exactly the same probability.

        The :meth:`sampler` is made at the first call, and kept for the next ones.

        Parameters
        ----------
        rng : int, random.Random or numpy.random.Generator
            A seed, which gives the same tour each time, or a generator, which gives another one.
        memory, budget : optional
            As for :meth:`sampler`.

        Raises
        ------
        InvalidPuzzle
            If there is no tour to choose from, or if there is no such seed.
        BoardTooLarge, BudgetExceeded
            As for :meth:`sampler`.

        Examples
        --------
        >>> from backrank import KnightTours
        >>> KnightTours(6).sample(1) in KnightTours(6)
        True
        """
        return self.sampler(memory=memory, budget=budget).sample(rng)

    def rank(
        self, tour: Tour | Iterable[SquareLike], *, memory: int | None = None, budget: Budget | None = None
    ) -> int:
        """Return the number of a tour, from 0, in the order in which iterating yields them: lexicographic by squares.

        Nothing is listed: what comes before is counted. Cost: 20 to 40 ms on 6x6; on larger boards two or three times
        that of a count, less if tours of the same puzzle have been ranked before.

        Parameters
        ----------
        tour : Tour or iterable of squares
            In any notation. A closed one may be read from any square in either direction.
        memory : int, optional
            Bytes that may be taken; nine tenths of what is free, if not given.
        budget : Budget, optional

        Raises
        ------
        InvalidPuzzle
            If it is not a tour of this puzzle.
        BoardTooLarge, BudgetExceeded
            As for :meth:`count`.

        Examples
        --------
        >>> from backrank import KnightTours
        >>> tours = KnightTours(3, 4)
        >>> [tours.rank(tour) for tour in tours] == list(range(16))
        True
        """
        from backrank.tours.ranking import ranks

        require_means(memory)
        return ranks.rank(self._question, self._checked(tour), memory=memory, budget=budget)

    def unrank(self, number: int, *, memory: int | None = None, budget: Budget | None = None) -> Tour:
        """Return the tour of a number: what :meth:`rank` undoes, at the same cost.

        Raises
        ------
        InvalidPuzzle
            If there is no such number; they go from 0 to below the count.
        BoardTooLarge, BudgetExceeded
            As for :meth:`count`.

        Examples
        --------
        >>> from backrank import KnightTours
        >>> tours = KnightTours(6)
        >>> tours.rank(tours.unrank(5_000_000))
        5000000
        """
        from backrank.tours.ranking import ranks

        require_means(memory)
        squares = ranks.unrank(self._question, self._offset(number), memory=memory, budget=budget)
        return Tour(self.board, squares, self.closed, self.piece)

    def iter_from(self, offset: int, *, memory: int | None = None, budget: Budget | None = None) -> Iterator[Tour]:
        """Yield the tours as iterating does, but from the one of a number on; those before it are not walked through.

        Raises
        ------
        InvalidPuzzle
            If there is no such number.
        BoardTooLarge, BudgetExceeded
            As for :meth:`count`.

        Examples
        --------
        >>> from itertools import islice
        >>> from backrank import KnightTours
        >>> tours = KnightTours(5)
        >>> list(islice(tours.iter_from(1000), 10)) == list(tours)[1000:1010]
        True
        """
        from backrank.tours.ranking import ranks

        require_means(memory)
        found = ranks.iter_from(self._question, self._offset(offset), memory=memory, budget=budget)
        return (Tour(self.board, squares, self.closed, self.piece) for squares in found)

    def completions(
        self, beginning: Iterable[SquareLike], *, memory: int | None = None, budget: Budget | None = None
    ) -> int:
        """Return in how many ways a tour that has begun can be finished; 0 means that it is a dead end.

        A closed tour without a given end may begin anywhere and go round either way: from a single square there are
        twice as many ways as cycles. The ways that go on by each of the next squares add up to those of the beginning.

        Parameters
        ----------
        beginning : iterable of squares
            From the first on, in any notation. If there are none: all tours, closed ones from where they are read.
        memory : int, optional
            Bytes that may be taken; nine tenths of what is free, if not given.
        budget : Budget, optional

        Raises
        ------
        InvalidSquare, InvalidPuzzle
            If a square is none, comes twice, is not one move from that before it, or cannot be the first.
        BoardTooLarge, BudgetExceeded
            As for :meth:`count`; the more squares are given, the smaller is the count.

        Examples
        --------
        >>> from backrank import KnightTours
        >>> tours = KnightTours(5)
        >>> [tours.completions(["a5", "b3", "c1", "a2", "b4"][:steps]) for steps in (1, 2, 5)]
        [304, 152, 4]
        """
        from backrank.tours.ranking import prefixes as beginnings

        question = self._question
        require_means(memory)
        squares = beginnings.checked_beginning(question, squares_given(beginning, "a beginning"))
        if self.existence().answer == "no":
            return 0
        meter = budget_of(budget).start()
        return beginnings.beginnings_of(question).completions(squares, meter, memory=memory)

    def _checked(self, tour: Tour | Iterable[SquareLike]) -> tuple[int, ...]:
        """Return the squares of a tour, if it is one of this puzzle."""
        if isinstance(tour, Tour) and (tour.board, tour.piece.name) != (self.board, self.piece.name):
            raise InvalidPuzzle(
                f"this is a {tour.piece}'s tour of {tour.board}; the numbers are of the {self.piece}'s on {self.board}"
            )
        claimed = Tour(self.board, map(self.board.square, squares_given(tour, "a tour")), self.closed, self.piece)
        question = self._question
        faults = faults_of(claimed, closed=self.closed, start=question.start, end=question.end)
        if faults:
            more = f" (and {len(faults) - 1} more faults)" if len(faults) > 1 else ""
            raise InvalidPuzzle(f"not a tour of this puzzle: {faults[0]}{more}")
        return claimed.squares

    def _offset(self, number: int) -> int:
        """Return a number that could be that of a tour."""
        number = whole(number, "the number of a tour")
        if number >= 0 and self.existence().answer == "no":
            raise InvalidPuzzle(f"there are no such tours, so none has the number {number:,}")
        return number
