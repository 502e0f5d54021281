"""`Queens`: a frozen puzzle, and everything anyone wants of it as verbs on it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn, SupportsIndex, overload

from backrank.errors import BackrankError, UnknownName
from backrank.geometry.board import Board, SquareLike
from backrank.geometry.existence import Existence
from backrank.geometry.symmetry import rotation_name
from backrank.geometry.verify import PLACED_PIECES, Fault
from backrank.queens.arguments import AUTO, CHUNK, checked
from backrank.queens.placement import Placement
from backrank.queens.reading import checked_placement, claimed_faults
from backrank.queens.spec import QueensSpec
from backrank.queens.theorems import existence
from backrank.runtime.budget import Budget, budget_of
from backrank.runtime.context import Context, Keeping
from backrank.runtime.gone import missing
from backrank.runtime.numbering import key_given, number_given, sliced

if TYPE_CHECKING:
    from concurrent.futures import Executor
    from os import PathLike

    from backrank.jobs.ledger import Ledger
    from backrank.queens.counting.plan import QueensCountPlan
    from backrank.queens.counting.spec import QueensCountSpec
    from backrank.queens.listing.arrays import Columns
    from backrank.queens.ranking.sampling import PlacementSampler
    from backrank.queens.reading import PlacementLike
    from backrank.queens.solve.stages import QueensResult
    from backrank.runtime.rng import Randomness
    from backrank.search.cursor import Cursor
    from backrank.search.spaces import QueensSpace


@dataclass(frozen=True, init=False, slots=True)
class Queens:
    """All placements of queens on a board of which no two attack each other.

    A lazy, frozen collection: iterate it, count it, ask whether a placement is `in` it, solve it.

    Parameters
    ----------
    rows : int, str or Board
        The number of rows; or the board, as `"8x8"` or a :class:`~backrank.Board`.
    cols : int, optional
        The number of columns; the same as `rows` if not given.
    queens : int, optional
        How many; the length of the shorter side if not given.
    holes : str or iterable of squares
        In any notation: `"a1 c3"`, `["a1", (0, 1)]`. Squares on which no queen may stand. Queens see across them.
    wrap : {"none", "cylinder", "torus"}
        On glued edges, queens see round them.
    piece : {"queen", "amazon"}
        An amazon (or superqueen) is queen and knight in one. Whatever is said of queens is said of them.
    placed : str or iterable of squares
        Where queens stand already; they count among the `queens`. The placements are then those that contain them.

    Raises
    ------
    InvalidBoard, InvalidSquare, InvalidPuzzle
        If the board or the number of queens cannot be meant, or placed queens attack each other: the pair is named.

    Examples
    --------
    >>> [p.columns for p in Queens(4)]
    [(1, 3, 0, 2), (2, 0, 3, 1)]
    >>> Queens(8).count(), Queens(8).count(up_to_symmetry=True)
    (92, 12)
    >>> Queens(10, piece="amazon").count()
    4
    >>> Queens(8, placed=["b4", "d5"]).count()  # as F. Nauck asked in 1850
    2
    """

    board: Board
    queens: int
    piece: str
    placed: tuple[int, ...]

    def __init__(
        self,
        rows: SupportsIndex | str | Board,
        cols: SupportsIndex | None = None,
        *,
        queens: SupportsIndex | None = None,
        holes: str | Iterable[SquareLike] = (),
        wrap: str = "none",
        piece: str = "queen",
        placed: str | Iterable[SquareLike] = (),
    ) -> None:
        board = Board.of(rows, cols, holes=holes, wrap=wrap)
        object.__setattr__(self, "board", board)
        if piece not in PLACED_PIECES:
            raise UnknownName("piece", piece, PLACED_PIECES)
        standing, wanted = checked(board, placed, queens, piece)
        object.__setattr__(self, "queens", wanted)
        object.__setattr__(self, "piece", piece)
        object.__setattr__(self, "placed", tuple(sorted(standing)))

    @property
    def spec(self) -> QueensSpec:
        """The puzzle as the algorithms take it."""
        return QueensSpec(self.board, self.queens, self.piece, self.placed)

    def existence(self) -> Existence:
        """Return whether there is a placement, as far as theorems and counts tell, without a search.

        Examples
        --------
        >>> print(Queens(6, wrap="torus").existence().reason)
        6 queens fit on 6x6 torus only if the side is divisible by neither 2 nor 3 (Pólya 1918)
        >>> Queens(8).existence().answer, Queens(8, placed=["a1"]).existence().answer
        ('yes', 'unknown')
        """
        return existence(self.spec)

    def solve(
        self, *, strategy: str = AUTO, rng: Randomness | None = None, budget: Budget | None = None
    ) -> Placement | None:
        """Return one placement, or None if it is proven that there is none; see :meth:`search`.

        Examples
        --------
        >>> Queens(1000).solve() in Queens(1000), Queens(3).solve()
        (True, None)
        """
        return self.search(strategy=strategy, rng=rng, budget=budget).placement

    def search(
        self,
        *,
        strategy: str = AUTO,
        rng: Randomness | None = None,
        budget: Budget | None = None,
        cursor: Cursor | None = None,
        watch: Callable[[Cursor], None] | None = None,
    ) -> QueensResult:
        """Look for one placement, and tell what it cost.

        Parameters
        ----------
        strategy : str
            `formula` needs no search, but a board without holes and glued edges. Any other name is plain
            backtracking with that strategy: `rows` is the textbook's and finds the first placement in
            lexicographic order; see :data:`~backrank.QUEENS_STRATEGIES`. `auto` takes the formula if it
            applies; else it searches plainly for a while (`restarts`, `rows`), then for as long as it takes (`lines`).
        rng : int, random.Random or numpy.random.Generator, optional
            For `auto`: a seed, or where to take one from. The placement is then a random one, the same for the same
            seed, on plain boards up to n = 10^7; *not* uniform among all placements, as :meth:`sample` is.
        budget : Budget, optional
            Limits, progress and cancellation; no limits if not given.
        cursor, watch : optional
            Where an earlier search by the same strategy goes on, and who is handed the cursor to keep it; as for
            :meth:`backrank.KnightTours.search`.

        Raises
        ------
        BudgetExceeded
            If a limit was reached first.
        UnknownName, InvalidPuzzle
            If there is no such strategy, or it does not apply to this board.
        """
        from backrank.queens.solve.stages import search
        from backrank.search.effort import Effort

        return search(self.spec, strategy, Effort(budget_of(budget), cursor, watch), rng)

    def sampler(self, *, budget: Budget | None = None) -> PlacementSampler:
        """Return what draws exactly uniform samples, made ready: that takes about as long as counting.

        Raises
        ------
        InvalidPuzzle
            For amazons.
        BoardTooLarge
            If there are too many placements to be numbered: n queens on n x n are sampled up to n = 18.
        BudgetExceeded
            If a limit was reached first.

        Examples
        --------
        >>> Queens(8).sampler().count
        92
        """
        from backrank.queens.ranking.sampling import made_ready

        return made_ready(self.spec, budget)

    def sample(self, rng: Randomness | None = None, *, budget: Budget | None = None) -> Placement:
        """Return one placement, each with exactly the same probability.

        The :meth:`sampler` is made at the first call, and kept for the next ones.

        Parameters
        ----------
        rng : int, random.Random or numpy.random.Generator, optional
            A seed, which gives the same placement each time, or a generator, which gives another one; fresh
            randomness if not given.
        budget : Budget, optional
            Limits, progress and cancellation of making ready.

        Raises
        ------
        InvalidPuzzle
            If there is no placement to choose from, for amazons, or if there is no such seed.
        BoardTooLarge, BudgetExceeded
            As for :meth:`sampler`.

        Examples
        --------
        >>> Queens(10).sample(1) in Queens(10)
        True
        """
        return self.sampler(budget=budget).sample(rng)

    def search_space(self) -> QueensSpace:
        """Return what the engine of :mod:`backrank.search` needs, to trace a search step by step.

        Raises
        ------
        InvalidPuzzle
            For amazons: its strategies know queens only.

        Examples
        --------
        >>> Queens(8).search_space().total
        8
        """
        from backrank.queens.solve.stages import search_space

        return search_space(self.spec)

    def iter_placements(self, *, fundamental: bool = False, budget: Budget | None = None) -> Iterator[Placement]:
        """Yield every placement, lazily, in lexicographic order of the squares.

        With one queen a row that is the order of their columns, as in the textbooks: `0 4 7 5 2 6 1 3` first.

        Parameters
        ----------
        fundamental : bool
            Only one placement of each class under the symmetries of the board: the first of its class.
        budget : Budget, optional
            Limits, progress and cancellation; no limits if not given.

        Examples
        --------
        >>> [placement.columns for placement in Queens(5).iter_placements(fundamental=True)]
        [(0, 2, 4, 1, 3), (1, 4, 2, 0, 3)]
        """
        from backrank.queens.listing.stream import iter_squares

        meter = budget_of(budget).start(self.queens)
        for squares in iter_squares(self.spec, meter=meter, fundamental=fundamental):
            yield Placement(self.board, squares, self.piece)

    def iter_arrays(
        self, *, chunk: int = CHUNK, fundamental: bool = False, budget: Budget | None = None
    ) -> Iterator[Columns]:
        """Yield all placements as NumPy arrays of columns, in the order of :meth:`iter_placements`, fast.

        Parameters
        ----------
        chunk : int
            How many placements an array has; the last one has the rest. What is in memory is a chunk and a table.
        fundamental : bool
            Only the first placement of each class under the symmetries of the board.
        budget : Budget, optional
            Limits, progress and cancellation; no limits if not given.

        Returns
        -------
        iterator of (chunk, rows) arrays of uint8
            The column of the queen in each row, from 0. Each array is the caller's own.

        Raises
        ------
        InvalidPuzzle
            If not every row has a queen, the board has more than 60 columns, or the chunk is too large.
        BudgetExceeded
            If a limit is reached while iterating.

        Examples
        --------
        >>> [columns.shape for columns in Queens(8).iter_arrays(chunk=50)]
        [(50, 8), (42, 8)]
        """
        from backrank.queens.listing.stream import iter_arrays

        return iter_arrays(self.spec, chunk=chunk, budget=budget_of(budget), fundamental=fundamental)

    def __iter__(self) -> Iterator[Placement]:
        return self.iter_placements()

    def __bool__(self) -> bool:
        """Whether there is a placement; searches if no theorem tells."""
        known = self.existence()
        return known.answer == "yes" or (known.answer == "unknown" and self.solve() is not None)

    @overload
    def __getitem__(self, key: SupportsIndex) -> Placement: ...

    @overload
    def __getitem__(self, key: slice) -> Iterator[Placement]: ...

    def __getitem__(self, key: SupportsIndex | slice) -> Placement | Iterator[Placement]:
        """Return the placement of a number, as :meth:`unrank`; or those of `puzzle[start:stop]`, lazily.

        Raises
        ------
        NoSuchNumber
            If there is no such number, or it is negative. It is an IndexError. A slice that begins beyond the last
            placement gives none.
        InvalidPuzzle
            If a slice has a step.
        BoardTooLarge
            As for :meth:`rank`.

        Examples
        --------
        >>> Queens(8)[91].columns
        (7, 3, 0, 2, 5, 1, 6, 4)
        >>> [placement.columns for placement in Queens(6)[1:3]]
        [(2, 5, 1, 4, 0, 3), (3, 0, 4, 1, 5, 2)]
        """
        if isinstance(key, slice):
            return sliced(key, lambda start: self.iter_from(start) if start else iter(self), "placement")
        return self.unrank(key_given(key, "placement"))

    def rank(self, answer: PlacementLike, *, budget: Budget | None = None) -> int:
        """Return the number of a placement, from 0, in the order in which iterating yields them.

        Nothing is listed: what comes before is counted, by a search. Cost: at most that of a count of all placements by
        the methods `tails` or `rows`: 3 ms for n = 8, a second for n = 12, five seconds for n = 16.

        Parameters
        ----------
        answer : Placement, or as for :meth:`faults`
        budget : Budget, optional
            Limits, progress and cancellation; no limits if not given.

        Raises
        ------
        InvalidPuzzle
            If it is not a placement of this puzzle.
        BoardTooLarge
            If it would take more than an hour, with the estimate, and no limit is set.
        BudgetExceeded
            If a limit was reached first.

        Examples
        --------
        >>> Queens(8).rank([7, 3, 0, 2, 5, 1, 6, 4])
        91
        """
        from backrank.queens.ranking import lexicographic

        spec = self.spec
        return lexicographic.rank(spec, checked_placement(spec, answer).squares, budget_of(budget))

    def unrank(self, number: SupportsIndex, *, budget: Budget | None = None) -> Placement:
        """Return the placement of a number: what :meth:`rank` undoes, at the same cost.

        Raises
        ------
        NoSuchNumber
            If there is no such number; they go from 0 to below the count.
        BoardTooLarge, BudgetExceeded
            As for :meth:`rank`.

        Examples
        --------
        >>> Queens(8).unrank(0).columns
        (0, 4, 7, 5, 2, 6, 1, 3)
        """
        from backrank.queens.ranking import lexicographic

        given = number_given(number, "placement")
        return Placement(self.board, lexicographic.unrank(self.spec, given, budget_of(budget)), self.piece)

    def iter_from(self, offset: SupportsIndex, *, budget: Budget | None = None) -> Iterator[Placement]:
        """Return an iterator over the placements as iterating yields them, from the one of a number on.

        That one is found by :meth:`unrank`; those before it are not walked through.

        Raises
        ------
        NoSuchNumber
            If there is no such number.
        BoardTooLarge, BudgetExceeded
            As for :meth:`rank`.

        Examples
        --------
        >>> [placement.columns for placement in Queens(8).iter_from(90)]
        [(7, 2, 0, 5, 1, 4, 6, 3), (7, 3, 0, 2, 5, 1, 6, 4)]
        """
        from backrank.queens.ranking import lexicographic

        found = lexicographic.iter_from(self.spec, number_given(offset, "placement"), budget_of(budget))
        return (Placement(self.board, squares, self.piece) for squares in found)

    def __contains__(self, claim: object) -> bool:
        """Whether this is one of the placements; takes what :meth:`faults` takes."""
        if not isinstance(claim, Iterable):
            return False
        try:
            return not self.faults(claim)
        except BackrankError:
            return False

    def faults(self, claim: PlacementLike) -> list[Fault]:
        """Return every fault of a claimed placement; none if it is one of this puzzle.

        Parameters
        ----------
        claim : Placement, str, or iterable of squares
            A list of columns, one for each row, where every row has a queen; squares in any notation, all on the
            grid; a text of them; or a NumPy array. Whole numbers are squares where some rows stay empty.

        Raises
        ------
        InvalidSquare, InvalidPuzzle
            If it cannot be read.

        Examples
        --------
        >>> print(*Queens(4).faults("a4 c3 b2 d1"), sep="; ")
        same diagonal: a4, d1 stand on one diagonal; same diagonal: c3, b2 stand on one diagonal
        >>> Queens(4).faults([1, 3, 0, 2])
        []
        """
        return claimed_faults(self.spec, claim)

    def placement(self, claim: PlacementLike) -> Placement:
        """Return a checked placement from whatever :meth:`faults` takes.

        Raises
        ------
        InvalidPuzzle
            If it has faults; the message names the first and says how many there are.

        Examples
        --------
        >>> Queens(4).placement([1, 3, 0, 2]).names
        ('b4', 'd3', 'a2', 'c1')
        """
        return checked_placement(self.spec, claim)

    def count(
        self,
        *,
        up_to_symmetry: bool = False,
        symmetry: str | int | None = None,
        method: str = AUTO,
        force: bool = False,
        threads: int | None = None,
        ledger: str | PathLike[str] | Ledger | None = None,
        executor: Executor | None = None,
        budget: Budget | None = None,
    ) -> int:
        """Return the exact number of placements.

        Parameters
        ----------
        symmetry : {180, 90}, optional
            Count only placements that this rotation of the board, an int or a str, leaves as they are; those of 90 are
            among those of 180. They are counted as placements, each mirror image for itself: the classes are half as
            many for 90, and (P180 - R90) / 4 for those with a half turn only.
        up_to_symmetry : bool
            Whether placements that a symmetry of the board maps to each other count as one (F instead of Q).
        method : {"auto", "columnsets", "tails", "rows", "lines", "bits", "reference"}
            How to count; :mod:`backrank.queens.counting.methods` says what each is for. `reference` is the textbook's
            search, which also lists everything for the counts with symmetries. `auto` measures the search and chooses.
        force : bool
            Begin even what is estimated to take more than a day.
        threads : int, optional
            The number of threads; one for each core if not given.
        ledger : path or Ledger, optional
            Keep the count there as a job: whatever stops it, the same call goes on, and once it is done returns the
            recorded answer.
        executor : concurrent.futures.Executor, optional
            With a ledger: what does the units of the job; threads of this process if not given.
        budget : Budget, optional

        Raises
        ------
        BoardTooLarge
            If it would take more than a day, and neither a limit is set nor `force`.
        BudgetExceeded
            If a limit was reached first; an unfinished count is never returned.
        InvalidPuzzle, UnknownName
            If the method or the symmetry does not apply. There are no symmetries where queens are placed.

        Notes
        -----
        Queens are alike: a placement is a set of squares. Cost: exponential. Sequences A000170 (all), A002562 (up
        to symmetry), A032522 and A033148 (symmetric), A007705 (torus), A051223 (amazons), A348129 (fewer queens).

        Examples
        --------
        >>> Queens(6).count(), Queens(4, 5).count(), Queens(6, queens=5).count(), Queens(5, wrap="torus").count()
        (4, 12, 248, 10)
        >>> Queens(12).count(symmetry=180), Queens(12).count(symmetry=90)
        (80, 8)
        """
        from backrank.queens.counting.plan import plan
        from backrank.queens.counting.run import run

        context = Context(
            budget_of(budget),
            threads,
            force=force,
            keeping=Keeping() if ledger is None else Keeping("always", ledger),
            executor=None if executor is None else lambda: nullcontext(executor),
        )
        planned = plan(self.spec, self._count_spec(symmetry, up_to_symmetry, method), context)
        if ledger is None:
            return run(planned, context)
        from backrank.jobs.counts import run_count

        return run_count(planned, context).number

    def _count_spec(self, symmetry: str | int | None, up_to_symmetry: bool, method: str) -> QueensCountSpec:
        from backrank.queens.counting.spec import QueensCountSpec

        return QueensCountSpec(rotation_name(symmetry), up_to_symmetry, method)

    def count_plan(
        self, *, up_to_symmetry: bool = False, symmetry: str | int | None = None, method: str = AUTO
    ) -> QueensCountPlan:
        """Return how :meth:`count` would go about it: the method, and how long it is expected to take.

        Parameters
        ----------
        symmetry, up_to_symmetry, method : optional
            As for :meth:`count`.

        Raises
        ------
        InvalidPuzzle, UnknownName
            As for :meth:`count`.

        Examples
        --------
        >>> Queens(16).count_plan().method, Queens(8).count_plan().method
        ('columnsets', 'bits')
        """
        from backrank.queens.counting.plan import plan

        return plan(self.spec, self._count_spec(symmetry, up_to_symmetry, method))

    if not TYPE_CHECKING:  # a checker reports unknown names itself

        def __getattr__(self, name: str) -> NoReturn:
            raise missing("Queens", name, f"'Queens' object has no attribute {name!r}")

    def __repr__(self) -> str:
        queens = "" if self.queens == min(self.board.rows, self.board.cols) else f", queens={self.queens}"
        piece = "" if self.piece == "queen" else f", piece={self.piece!r}"
        placed = f", placed={[*map(self.board.name, self.placed)]}" if self.placed else ""
        return f"Queens({self.board!r}{queens}{piece}{placed})"
