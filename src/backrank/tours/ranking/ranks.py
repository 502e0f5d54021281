"""Tours by number: exactly uniform samples, and the place of a tour in the listing.

Samples need numbers, but not those of the listing: any that go one to one. :class:`TourSampler` draws one below the
count and takes the tour that has it in the table of the whole puzzle (`tours.ranking.table`). Making the table takes
about as long as counting, a sample after that some five microseconds a square.

The number in the listing is the sum of what comes before: :mod:`backrank.tours.ranking.prefixes`.

The numbers are drawn from random bits by rejection, never by way of floats, so every tour has the same probability,
as far as the bits do.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from backrank.errors import InvalidPuzzle, shown
from backrank.runtime.budget import Budget, budget_of
from backrank.runtime.numbering import no_such_number, number_given
from backrank.runtime.rng import Dice, Randomness, seed_of
from backrank.tours.frontier.sweeps import net_of, simple_route
from backrank.tours.inputs import require_means
from backrank.tours.ranking.prefixes import MAX_NUMBERED_SQUARES, Squares, beginnings_of
from backrank.tours.spec import TourSpec
from backrank.tours.theorems.existence import existence
from backrank.tours.tour import Tour

if TYPE_CHECKING:
    from backrank.tours.ranking.table import TourTable

_MOST_KEPT = 2
_KEPT: dict[TourSpec, TourSampler] = {}  # no answer depends on what is in it


@dataclass(frozen=True, init=False, slots=True)
class TourSampler:
    """All tours of a puzzle by number, and exactly uniform samples of them.

    The tours are those that iterating yields: open ones as sequences, closed ones as cycles, each once. The numbers are
    the sampler's own, quick to find but in no order that anyone would list tours in;
    :meth:`backrank.KnightTours.rank` tells the number in the listing. Immutable; can be sent to other processes.

    Parameters
    ----------
    spec : TourSpec
        What is asked: :meth:`backrank.KnightTours.sampler` makes one of the puzzle.
    memory : int, optional
        Bytes that the table may take; nine tenths of what is free, if not given.
    budget : Budget, optional
        Limits, progress and cancellation of making it.

    Attributes
    ----------
    count : int
        How many tours there are; exact.

    Raises
    ------
    BoardTooLarge
        If the table would not fit: 7x7 and 7x8 do with some GB, 8x8 does not.
    BudgetExceeded
        If a limit was reached first.

    Examples
    --------
    >>> from backrank import KnightTours
    >>> sampler = KnightTours(6, closed=True).sampler()
    >>> sampler.count, sampler.sample(1) == sampler.sample(1), sampler.number(sampler.tour(77))
    (9862, True, 77)
    """

    spec: TourSpec
    count: int
    _table: TourTable | None
    _ways: int

    def __init__(self, spec: TourSpec, *, memory: int | None = None, budget: Budget | None = None) -> None:
        board = spec.board
        board.require_at_most(MAX_NUMBERED_SQUARES, "uniform sampling")
        known = existence(board, spec.piece, closed=spec.closed, start=spec.start, end=spec.end)
        table, ways, count = None, 1, int(known.answer != "no" and len(board) == 1)
        if known.answer != "no" and len(board) > 1 + spec.closed:
            from backrank.tours.ranking.table import WHOLE, TourTable  # noqa: PLC0415 - loads numpy and numba

            meter = budget_of(budget).start(WHOLE)
            table = TourTable.made(net_of(spec), simple_route(spec).order, meter, memory=memory)
            ways = 2 if not (spec.closed or spec.ends()) else 1
            count = ways * table.count
        for name, value in zip(self.__slots__, (spec, count, table, ways), strict=True):
            object.__setattr__(self, name, value)

    def tour(self, number: int) -> Tour:
        """Return the tour of a number, from 0 to below the count; the order is the sampler's own.

        Raises
        ------
        InvalidPuzzle
            If there is no such number.
        """
        if number_given(number, "tour") >= self.count:
            raise no_such_number(number, self.count, "tour")
        spec = self.spec
        squares: Squares = tuple(spec.board)
        if self._table is not None:
            number, backwards = divmod(number, self._ways)
            squares = self._walked(number)
            squares = squares[::-1] if backwards else squares
        return Tour(spec.board, squares, spec.closed, spec.piece)

    def number(self, tour: Tour) -> int:
        """Return the number of one of the tours; a closed one may be read from anywhere.

        Raises
        ------
        InvalidPuzzle
            If it is none of them.
        """
        if not isinstance(tour, Tour):
            raise InvalidPuzzle(
                f"a sampler numbers Tours, such as KnightTours.tour makes of squares, not {shown(tour)}"
            )
        squares, board = tour.squares, self.spec.board
        if tour.board != board:
            raise InvalidPuzzle(f"this is a tour of {tour.board}; the numbers are of tours of {board}")
        if self._table is None and self.count:
            return 0
        if self._table is None:
            raise InvalidPuzzle("this is not one of the tours that are numbered: there are none")
        joined: dict[int, set[int]] = defaultdict(set)
        closing = squares[:1] if self.spec.closed and self.spec.end is None else ()
        for one, other in pairwise(squares + closing):
            joined[one].add(other)
            joined[other].add(one)
        number = self._table.number(joined)
        return number * self._ways + int(self._ways == 2 and squares[0] > squares[-1])

    def sample(self, rng: Randomness | None = None) -> Tour:
        """Return one tour, each with the same probability.

        Parameters
        ----------
        rng : int, random.Random or numpy.random.Generator, optional
            A seed, which gives the same tour each time, or a generator, which gives another one; fresh
            randomness if not given.

        Raises
        ------
        InvalidPuzzle
            If there is no tour, or no such seed.
        """
        return next(self.samples(rng))

    def samples(self, rng: Randomness | None = None) -> Iterator[Tour]:
        """Yield independent samples without end, all determined by one seed; a tour may come again.

        Examples
        --------
        >>> from itertools import islice
        >>> from backrank import KnightTours
        >>> tours = list(islice(KnightTours(5, 6, closed=True).sampler().samples(1), 100))
        >>> len(tours), len(set(tours))
        (100, 8)
        """
        dice = Dice(seed_of(rng))
        if not self.count:
            kind = "closed" if self.spec.closed else "open"
            raise InvalidPuzzle(f"there is no such {kind} tour of {self.spec.board} to choose from")
        return (self.tour(dice.below(self.count)) for _ in iter(int, 1))

    def _walked(self, number: int) -> Squares:
        """Return the squares of an undirected tour as iterating reads it, or from its lesser end."""
        joined: dict[int, list[int]] = defaultdict(list)
        if self._table is not None:
            for square, later in self._table.moves(number):
                for other in later:
                    joined[square].append(other)
                    joined[other].append(square)
        spec = self.spec
        ends = [square for square, others in joined.items() if len(others) == 1]
        here = min(ends or joined) if spec.start is None else spec.start
        if spec.start is None and spec.end is not None:
            here = next(square for square in ends if square != spec.end)
        squares, before = [here], -1
        for _ in range(1, len(joined)):
            before, here = here, min(other for other in joined[here] if other != before)
            squares.append(here)
        return tuple(squares)


def made_ready(spec: TourSpec, memory: int | None = None, budget: Budget | None = None) -> TourSampler:
    """Return a sampler; the last few that were made are kept, since making one may take long."""
    require_means(memory)
    budget = budget_of(budget)
    kept = _KEPT.get(spec)
    if kept is None:
        kept = TourSampler(spec, memory=memory, budget=budget)
        while len(_KEPT) >= _MOST_KEPT:
            _KEPT.pop(next(iter(_KEPT)), None)
        _KEPT[spec] = kept
    return kept


def rank(spec: TourSpec, squares: Squares, *, memory: int | None = None, budget: Budget | None = None) -> int:
    """Return the number of a tour, which must be one, in the order of listing, from 0."""
    if len(squares) < 3:
        return int(squares[0] > squares[-1] and not spec.ends())
    return beginnings_of(spec).number(reading(spec, squares), budget_of(budget).start(), memory=memory)


def unrank(spec: TourSpec, number: int, *, memory: int | None = None, budget: Budget | None = None) -> Squares:
    """Return the tour of a number in the order of listing.

    Raises
    ------
    InvalidPuzzle
        If there is no such number.
    """
    number = number_given(number, "tour")
    meter = budget_of(budget).start()
    beginnings = beginnings_of(spec)
    squares = beginnings.tour(number, meter, memory=memory)
    if squares is None:
        raise no_such_number(number, beginnings.completions((), meter, memory=memory, reading=True), "tour")
    return squares


def iter_from(
    spec: TourSpec, offset: int, *, memory: int | None = None, budget: Budget | None = None
) -> Iterator[Squares]:
    """Yield the tours in the order of listing from the one of a number on; see :func:`unrank`."""
    budget = budget_of(budget)
    first = unrank(spec, offset, memory=memory, budget=budget)
    return beginnings_of(spec).listed_from(first, budget.start(len(spec.board)))


def reading(spec: TourSpec, squares: Squares) -> Squares:
    """Return a tour as iterating reads it."""
    if not spec.closed or spec.end is not None:
        return squares
    first = squares.index(min(squares) if spec.start is None else spec.start)
    squares = squares[first:] + squares[:first]
    return squares if squares[1] < squares[-1] else squares[:1] + squares[:0:-1]
