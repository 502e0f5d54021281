"""`KnightTours`: a frozen puzzle, and everything anyone wants of it as verbs on it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, SupportsIndex, overload

from backrank.errors import BackrankError, InvalidPuzzle, UnknownName, shown
from backrank.geometry.board import Board, SquareLike, square_list
from backrank.geometry.existence import Existence
from backrank.geometry.pieces import KNIGHT, Piece, piece_named
from backrank.geometry.symmetry import rotation_name
from backrank.geometry.verify import Fault
from backrank.runtime.budget import Budget, budget_of
from backrank.runtime.context import Context, Keeping, folder_given, require_means
from backrank.runtime.gone import missing
from backrank.runtime.numbering import key_given, no_such_number, number_given, sliced
from backrank.search.strategies.move_orders import ROW_MAJOR
from backrank.tours.arguments import AUTO, CONFIDENCE, OWN, RUNS, STATES, end_square
from backrank.tours.reading import any_reading, checked_tour, claimed_faults
from backrank.tours.spec import TourSpec
from backrank.tours.theorems.existence import existence
from backrank.tours.tour import Tour

if TYPE_CHECKING:
    from concurrent.futures import Executor
    from os import PathLike

    from backrank.jobs.ledger import Ledger
    from backrank.runtime.rng import Randomness
    from backrank.search.cursor import Cursor
    from backrank.search.spaces import TourSpace
    from backrank.tours.counting.plan import TourCountPlan
    from backrank.tours.counting.run import Verification
    from backrank.tours.counting.spec import TourCountSpec
    from backrank.tours.estimation.estimate import Estimate
    from backrank.tours.ranking.ranks import TourSampler
    from backrank.tours.reading import TourLike
    from backrank.tours.result import SearchResult


@dataclass(frozen=True, init=False, slots=True)
class KnightTours:
    """All tours of a board by a knight, or another leaper, that meet the given conditions.

    A lazy, frozen collection: iterate it, count it, ask whether a tour is `in` it, solve it.

    Parameters
    ----------
    rows : int, str or Board
        The number of rows; or the board, as `"8x8"` or a :class:`~backrank.Board`.
    cols : int, optional
        The number of columns; the same as `rows` if not given.
    closed : bool
        Whether the tour must return: its last square one move from the first.
    start, end : square, optional
        Where it must begin and end: a name `"c3"`, a cell `(row, col)`, or a square number.
    holes, wrap
        As for :class:`~backrank.Board`.
    piece : Piece or str
        A leaper; `"knight"` if not given, `"2,3"` for the (2, 3)-leaper.

    Raises
    ------
    InvalidBoard, InvalidSquare, InvalidPuzzle
        If the conditions cannot be meant: sides below 1, a start on a hole, an end that is the start.

    Notes
    -----
    An open tour is a sequence from its start, so a tour and its reverse are two. A closed tour is a cycle without start
    and direction; it is read from the given start or the least square, in the direction whose second square is the
    lesser (a strategy asked for by name reads it as it walks). Open tours include those whose ends happen to be one
    move apart. A closed tour with an end needs a start as well.

    Examples
    --------
    >>> tours = KnightTours(3, 4)
    >>> tours.count(), len(list(tours)), tours.solve() in tours
    (16, 16, True)
    >>> print(KnightTours(5, 5, closed=True).existence().reason)
    a closed tour alternates colours, but 13 squares are of one colour and 12 of the other
    """

    board: Board
    closed: bool
    start: int | None
    end: int | None
    piece: Piece

    def __init__(
        self,
        rows: SupportsIndex | str | Board,
        cols: SupportsIndex | None = None,
        *,
        closed: bool = False,
        start: SquareLike | None = None,
        end: SquareLike | None = None,
        holes: str | Iterable[SquareLike] = (),
        wrap: str = "none",
        piece: Piece | str = KNIGHT,
    ) -> None:
        board = Board.of(rows, cols, holes=holes, wrap=wrap)
        set_field = object.__setattr__
        set_field(self, "board", board)
        if not isinstance(closed, bool):
            raise InvalidPuzzle(f"closed must be True or False, not {shown(closed)}")
        set_field(self, "closed", closed)
        set_field(self, "start", None if start is None else end_square(board, start, "start"))
        set_field(self, "end", None if end is None else end_square(board, end, "end"))
        set_field(self, "piece", piece_named(piece) if isinstance(piece, str) else piece)
        if not isinstance(self.piece, Piece):
            raise UnknownName("piece", piece, (KNIGHT.name, "or a leaper such as leaper(2, 3)"))
        if self.piece.slides or len(self.piece.steps) < 2:
            raise InvalidPuzzle(f"a tour is made by a leaper such as the knight, not by a {self.piece}")
        if not self.piece.is_symmetric:
            raise InvalidPuzzle(f"a tour needs a piece that can take back each of its steps; the {self.piece} cannot")
        if self.start is not None and self.start == self.end and len(board) > 1:
            raise InvalidPuzzle(
                f"start and end are both {board.name(self.start)}; a tour of several squares has two ends"
            )
        if self.closed and self.end is not None and self.start is None:
            raise InvalidPuzzle("a closed tour has no end of its own; give a start as well, or leave the end out")

    @property
    def spec(self) -> TourSpec:
        """The puzzle as the algorithms take it."""
        return TourSpec(self.board, self.piece, self.closed, self.start, self.end)

    def existence(self) -> Existence:
        """Say whether there is such a tour, as far as theorems and counts tell, without a search."""
        return existence(self.board, self.piece, closed=self.closed, start=self.start, end=self.end)

    def solve(
        self,
        *,
        strategy: str = AUTO,
        order: str = ROW_MAJOR,
        rng: Randomness | None = None,
        budget: Budget | None = None,
    ) -> Tour | None:
        """Return one tour, or None if it is proven that there is none.

        See :meth:`search`, which also tells what it cost and why there is none.

        Examples
        --------
        >>> print(KnightTours(5).solve(strategy="fixed", order="java-b"))
         1 16 11  6  3
        10  5  2 17 12
        15 22 19  4  7
        20  9 24 13 18
        23 14 21  8 25
        """
        return self.search(strategy=strategy, order=order, rng=rng, budget=budget).tour

    def search(
        self,
        *,
        strategy: str = AUTO,
        order: str = ROW_MAJOR,
        rng: Randomness | None = None,
        engine: str = OWN,
        budget: Budget | None = None,
        cursor: Cursor | None = None,
        watch: Callable[[Cursor], None] | None = None,
    ) -> SearchResult:
        """Look for one tour, and tell what it cost.

        Parameters
        ----------
        strategy : str
            `"auto"`: theorems first, then whatever finds or excludes a tour: Warnsdorff's rule with repair, a sweep
            over narrow boards, blocks laid side by side on large ones, a hunt, an exhaustive search. `"blocks"`:
            as :meth:`constructed`. Or the name of a strategy, such as `fixed`, `warnsdorff-roth+prune` or
            `random:7`: plain backtracking with that strategy and nothing else, as the textbooks do it, from the
            given start or from each square in turn; exponential in the worst case.
        order : str
            The move order, which breaks ties: see :data:`~backrank.ORDERS`. The strategy `fixed:python` is `fixed`
            with the order `python`.
        rng : int, random.Random or numpy.random.Generator, optional
            For `auto`: a seed, or where to take one from. The tour is then a random one: the same for the same
            seed, another for another seed, on boards of any size; *not* uniform among all tours.
        engine : {"own", "cp-sat"}
            For `auto`: who searches if no theorem tells. `cp-sat` is OR-Tools, if it is installed: slower to find
            tours, but it proves some strange boards impossible where ours gives up.
        budget : Budget, optional
            Limits, progress and cancellation; no limits if not given.
        cursor : Cursor, optional
            Where an earlier search of this puzzle by the same strategy was; it goes on from there.
        watch : callable, optional
            Handed the cursor some twenty times a second, to keep it. Both are for puzzles with a start, and not
            for `auto`.

        Raises
        ------
        BudgetExceeded
            If a limit was reached first.
        UnknownName
            If there is no such strategy or order.

        Examples
        --------
        >>> result = KnightTours(6, start="a6").search(strategy="warnsdorff", order="python")
        >>> result.calls, result.backtracks
        (36, 0)
        """
        from backrank.search.effort import Effort
        from backrank.tours.solve.search import search

        effort = Effort(budget_of(budget), cursor, watch)
        return search(self.spec, effort, strategy=strategy, order=order, rng=rng, engine=engine)

    def constructed(self) -> Tour:
        """Build a tour from blocks, without any search of the board, however large it is.

        The tour is not written down: :meth:`Tour.square_at` and :meth:`Tour.step_of` tell single steps of it, and
        :attr:`Tour.array` writes it when it is asked for, at the speed of memory.

        Cost: building takes milliseconds on any board; a single step, microseconds.

        Raises
        ------
        InvalidPuzzle
            If there is no such tour, with the reason; or if the board is not a plain one with both sides at least 5,
            or the piece is not the knight.

        Examples
        --------
        >>> tour = KnightTours(10**6, 10**6, start="a1").constructed()
        >>> len(tour), tour.step_of(tour.square_at(10**11))
        (1000000000000, 100000000000)
        """
        from backrank.tours.solve.search import constructed

        return constructed(self.spec)

    def search_space(self) -> TourSpace:
        """Return what the engine of :mod:`backrank.search` needs, to trace a search step by step.

        Raises
        ------
        InvalidPuzzle
            If no start is given.

        Examples
        --------
        >>> KnightTours(5, start="a5").search_space().total
        25
        """
        from backrank.search.spaces import TourSpace

        if self.start is None:
            raise InvalidPuzzle("a search step by step needs a start; give one, such as a1 or 0,0")
        return TourSpace(self.board, self.piece, self.start, self.end, closed=self.closed)

    def iter_tours(self, *, budget: Budget | None = None) -> Iterator[Tour]:
        """Yield every tour, lazily, in lexicographic order of the squares.

        The search behind it is `pruned`: plain backtracking that avoids dead ends. Its cost grows
        exponentially with the board; on 6x6 there are 6,637,920 open tours.
        """
        if self.existence().answer == "no":
            return
        from backrank.tours.listing.exact import iter_exact

        meter = budget_of(budget).start(len(self.board))
        for squares in iter_exact(self.spec, meter):
            yield Tour(self.board, squares, self.closed, self.piece)

    def __iter__(self) -> Iterator[Tour]:
        return self.iter_tours()

    def __bool__(self) -> bool:
        """Whether there is a tour; searches if no theorem tells."""
        known = self.existence()
        return known.answer == "yes" or (known.answer == "unknown" and self.solve() is not None)

    @overload
    def __getitem__(self, key: SupportsIndex) -> Tour: ...

    @overload
    def __getitem__(self, key: slice) -> Iterator[Tour]: ...

    def __getitem__(self, key: SupportsIndex | slice) -> Tour | Iterator[Tour]:
        """Return the tour of a number, as :meth:`unrank`; or those of `puzzle[start:stop]`, lazily.

        Raises
        ------
        NoSuchNumber
            If there is no such number, or it is negative. It is an IndexError. A slice that begins beyond the last tour
            gives none.
        InvalidPuzzle
            If a slice has a step.
        BoardTooLarge
            As for :meth:`rank`.

        Examples
        --------
        >>> KnightTours(3, 4)[15].names[:3], len(list(KnightTours(3, 4)[10:]))
        (('d1', 'b2', 'd3'), 6)
        """
        if isinstance(key, slice):
            return sliced(key, lambda start: self.iter_from(start) if start else iter(self), "tour")
        return self.unrank(key_given(key, "tour"))

    def __contains__(self, claim: object) -> bool:
        """Whether this is one of the tours; takes what :meth:`faults` takes."""
        if not isinstance(claim, Iterable):
            return False
        try:
            return not self.faults(claim)
        except BackrankError:
            return False

    def faults(self, claim: TourLike) -> list[Fault]:
        """Return every fault of a claimed tour; none if it is one of this puzzle.

        Parameters
        ----------
        claim : Tour, str, or iterable of squares
            Squares in any notation, all on the grid, in the order of the visits; a text of them; or a NumPy array of
            squares or cells. A closed :class:`~backrank.Tour` may be read from anywhere, squares begin at the start.

        Raises
        ------
        InvalidSquare, InvalidPuzzle
            If it cannot be read.

        Examples
        --------
        >>> print(*KnightTours(1, 3).faults("a1 b1 c1"), sep="; ")
        not a move: step 1 to 2, a1 to b1, is not a knight move; not a move: step 2 to 3, b1 to c1, is not a knight move
        >>> KnightTours(5).faults(KnightTours(5).solve())
        []
        """
        return claimed_faults(self.spec, claim)

    def tour(self, claim: TourLike) -> Tour:
        """Return a checked tour of this puzzle from whatever :meth:`faults` takes.

        Raises
        ------
        InvalidPuzzle
            If it has faults; the message names the first and says how many there are.

        Examples
        --------
        >>> KnightTours(3, 4).tour("a3 c2 a1 b3 d2 b1 c3 d1 b2 d3 c1 a2").start
        0
        """
        return checked_tour(self.spec, claim)

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
        ledger: str | PathLike[str] | Ledger | None = None,
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
        symmetry : {180, 90}, optional
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
        >>> KnightTours(6, closed=True).count(symmetry=180), KnightTours(6, closed=True).count(symmetry=90)
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
        planned = plan(self.spec, wanted, context)
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
        return TourCountSpec(directed, up_to_symmetry, method, rotation_name(symmetry), strictly_open)

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
        >>> max(KnightTours(8, closed=True).count_plan().frontier.widths)
        16
        >>> print(KnightTours(5, closed=True).count_plan())
        nothing to count: a closed tour alternates colours, but 13 squares are of one colour and 12 of the other
        """
        from backrank.tours.counting.plan import plan

        wanted = self._count_spec(directed, up_to_symmetry, symmetry, strictly_open=strictly_open, method=method)
        return plan(self.spec, wanted)

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
        from backrank.tours.inputs import whole

        context = Context(budget_of(budget), threads, memory, folder_given(folder))
        wanted = self._count_spec(directed, up_to_symmetry)
        return verify(self.spec, wanted, whole(answer, "a count"), context)

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
        from backrank.tours.estimation.estimate import Sampling, estimate, known

        sampling = Sampling.of(runs, states, rng, confidence)
        directed = not self.closed if directed is None else directed
        if self.existence().answer == "no":
            return known(0, sampling, directed=directed)
        return estimate(self.spec, sampling, directed=directed, budget=budget_of(budget))

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

        return made_ready(self.spec, memory, budget)

    def sample(self, rng: Randomness | None = None, *, memory: int | None = None, budget: Budget | None = None) -> Tour:
        """Return one tour, each that iterating yields with exactly the same probability.

        The :meth:`sampler` is made at the first call, and kept for the next ones.

        Parameters
        ----------
        rng : int, random.Random or numpy.random.Generator, optional
            A seed, which gives the same tour each time, or a generator, which gives another one; fresh
            randomness if not given.
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

    def rank(self, answer: TourLike, *, memory: int | None = None, budget: Budget | None = None) -> int:
        """Return the number of a tour, from 0, in the order in which iterating yields them: lexicographic by squares.

        Nothing is listed: what comes before is counted. Cost: 20 to 40 ms on 6x6; on larger boards two or three times
        that of a count, less if tours of the same puzzle have been ranked before.

        Parameters
        ----------
        answer : Tour, or as for :meth:`faults`
            A closed one may be read from any square in either direction.
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
        spec = self.spec
        return ranks.rank(spec, any_reading(spec, answer).squares, memory=memory, budget=budget)

    def unrank(self, number: SupportsIndex, *, memory: int | None = None, budget: Budget | None = None) -> Tour:
        """Return the tour of a number: what :meth:`rank` undoes, at the same cost.

        Raises
        ------
        NoSuchNumber
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
        squares = ranks.unrank(self.spec, self._offset(number), memory=memory, budget=budget)
        return Tour(self.board, squares, self.closed, self.piece)

    def iter_from(
        self, offset: SupportsIndex, *, memory: int | None = None, budget: Budget | None = None
    ) -> Iterator[Tour]:
        """Return an iterator over the tours as iterating yields them, from the one of a number on.

        That one is found by :meth:`unrank`; those before it are not walked through.

        Raises
        ------
        NoSuchNumber
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
        found = ranks.iter_from(self.spec, self._offset(offset), memory=memory, budget=budget)
        return (Tour(self.board, squares, self.closed, self.piece) for squares in found)

    def completions(
        self, beginning: str | Iterable[SquareLike], *, memory: int | None = None, budget: Budget | None = None
    ) -> int:
        """Return in how many ways a tour that has begun can be finished; 0 means that it is a dead end.

        A closed tour without a given end may begin anywhere and go round either way: from a single square there are
        twice as many ways as cycles. The ways that go on by each of the next squares add up to those of the beginning.

        Parameters
        ----------
        beginning : str or iterable of squares
            From the first on, in any notation: `"a1 b3"`, `["a1", (0, 1)]`. If there are none: all tours, closed
            ones from where they are read.
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

        spec = self.spec
        require_means(memory)
        squares = beginnings.checked_beginning(spec, square_list(beginning, "a beginning"))
        if self.existence().answer == "no":
            return 0
        meter = budget_of(budget).start()
        return beginnings.beginnings_of(spec).completions(squares, meter, memory=memory)

    def _offset(self, number: SupportsIndex) -> int:
        """Return a number that could be that of a tour."""
        given = number_given(number, "tour")
        if self.existence().answer == "no":
            raise no_such_number(given, 0, "tour")
        return given

    if not TYPE_CHECKING:  # a checker reports unknown names itself

        def __getattr__(self, name: str) -> NoReturn:
            raise missing("KnightTours", name, f"'KnightTours' object has no attribute {name!r}")

    def __repr__(self) -> str:
        options = [
            f", {name}={self.board.name(at)!r}"
            for name, at in (("start", self.start), ("end", self.end))
            if at is not None
        ]
        if self.closed:
            options.insert(0, ", closed=True")
        if self.piece.name != "knight":
            options.append(f", piece={self.piece.name!r}")
        return f"KnightTours({self.board!r}{''.join(options)})"
