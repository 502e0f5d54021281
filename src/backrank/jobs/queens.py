"""Counts of queens as jobs: how they are cut into units that anyone can do, in any order.

| method | a unit |
|---|---|
| `columnsets` | every k-th column set of those that are counted, one of each orbit |
| `tails`, `rows` | every k-th way to fill the first rows |
| any other, and symmetric placements | all of it |

Taking every k-th makes the units alike, so what is left to do can be told. With `up_to_symmetry` one more unit counts
the placements that symmetries leave as they are, for Burnside's lemma.

*Sizes.* A unit should take 1 to 60 seconds on any machine: less is overhead, more is lost when a machine dies. How
fast this machine is, is measured in about half a second of processor time; the units are then made to take 1 to 15
seconds here, 500 of them if that is possible. So a machine may be four times slower. When all else is done, a worker
waits half a unit on average for the other: of 30 units that is 1.7 % of the time of two.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Protocol

from backrank.errors import InvalidPuzzle, shown
from backrank.geometry.board import Board
from backrank.geometry.symmetry import permutations
from backrank.jobs.spec import ALGORITHMS, JobSpec
from backrank.queens.counting import count as counting
from backrank.queens.counting import symmetric
from backrank.queens.counting.requested import QueensCountSpec, requested
from backrank.queens.listing.stream import require_no_placed
from backrank.queens.spec import QueensSpec
from backrank.runtime.budget import Budget, Meter

CUT_METHODS = ("columnsets", "tails", "rows")
LEAST_SECONDS, MOST_SECONDS, LIKED_UNITS, MOST_UNITS = 1.0, 15.0, 500, 500_000
PARTS_EACH = 4  # ways to fill the first rows that a unit should have at least
PROBE_SECONDS, ENOUGH_PROBES, MOST_PROBE_SECONDS = 0.25, 4, 4.0
SCATTER = 0.618  # of a range: steps of this length come everywhere soon
SMALL_BOARDS = {"tails": 13, "rows": 11}  # a tenth of a second or so


@dataclass(frozen=True, slots=True)
class Outlined:
    """What a count will be like, before it is cut.

    Attributes
    ----------
    plan : counting.QueensPlan
        The method, and how many seconds it will take one thread, roughly; None if that is too little to be measured.
    is_cut : bool
        Whether it can be cut into units.
    """

    plan: counting.QueensPlan
    is_cut: bool


def outlined(
    question: QueensSpec, request: QueensCountSpec, budget: Budget | None = None, *, force: bool = True
) -> Outlined:
    """Choose the method for a count, as :meth:`backrank.Queens.count` does.

    Raises
    ------
    InvalidPuzzle, UnknownName, BoardTooLarge
        If there is no such number or method, or, without `force`, it would take more than a day.
    """
    if request.symmetry is not None and request.up_to_symmetry:
        raise InvalidPuzzle("symmetric placements are counted one by one, not up to symmetry; choose one of the two")
    require_no_placed(question, fundamental=request.symmetry is not None or request.up_to_symmetry)
    reduced = question.reduced()[0]
    plan = counting.plan(reduced, request.method)
    if request.symmetry is not None:
        symmetric.rotation(reduced.board, request.symmetry)
        return Outlined(counting.QueensPlan("known", None), is_cut=False)
    counting.require_sane(plan, str(question), budget or Budget(), force=force)
    return Outlined(plan, plan.method in CUT_METHODS)


def queens_job(question: QueensSpec, request: QueensCountSpec, *, units: int | None = None) -> JobSpec:
    """Return a count of queens as a job.

    Parameters
    ----------
    question : Question
    request : Request
        Which number; its `force` means nothing here.
    units : int, optional
        How many units there should be, at least; measured if not given.

    Raises
    ------
    InvalidPuzzle, UnknownName
        If there is no such number or method, or so many units cannot be.

    Notes
    -----
    Cost: the tables of the method, and a quarter of a second to measure how fast this machine is.

    Examples
    --------
    >>> from backrank.queens import Queens
    >>> spec = queens_job(Queens(10).question, QueensCountSpec(method="columnsets"), units=7)
    >>> spec.units, spec.what
    (7, 'placements of 10 queens on 10x10')
    """
    if units is not None and not (type(units) is int and 1 <= units <= MOST_UNITS):
        raise InvalidPuzzle(f"a count is cut into 1 to {MOST_UNITS:,} units, not {shown(units)}")
    spec, outline = uncut_queens_job(question, request)
    if not outline.is_cut:
        return spec
    reduced = question.reduced()[0]
    pieces = _pieces_of(reduced, spec.method, counting_parts(units or 1))
    wanted = units if units is not None else fitting_units(pieces.seconds(outline.plan))
    if counting_parts(wanted) > counting_parts(units or 1):
        pieces = _pieces_of(reduced, spec.method, counting_parts(wanted))
    group = len(permutations(reduced.board)) if request.up_to_symmetry else 1
    return replace(
        spec,
        units=min(wanted, pieces.size) + (group > 1),
        parts=counting_parts(wanted),
        divisor=pieces.factor.denominator * group,
    )


def uncut_queens_job(question: QueensSpec, request: QueensCountSpec) -> tuple[JobSpec, Outlined]:
    """Return a count of queens as a job of one unit, and how it would be counted: quickly, to see whether it is there.

    The key of the specification is that of :func:`queens_job`.
    """
    outline = outlined(question, request)
    # What was chosen for its size, which is not the caller's affair, is chosen again by whoever counts all of it.
    method = outline.plan.method if outline.is_cut else request.method
    asked, words = _asked(question, request), _in_words(question, request)
    return JobSpec("queens", words, asked, method, ALGORITHMS.get(method, 1), 1), outline


def fitting_units(seconds: float) -> int:
    """Return into how many units to cut what takes one thread so many seconds.

    Examples
    --------
    >>> [fitting_units(seconds) for seconds in (1, 100, 3_000, 86_400)]
    [1, 100, 500, 5760]
    """
    length = min(max(seconds / LIKED_UNITS, LEAST_SECONDS), MOST_SECONDS)
    return min(max(1, round(seconds / length)), MOST_UNITS)


def counting_parts(units: int) -> int:
    """Return into how many parts to cut a search row by row for so many units."""
    return max(400, PARTS_EACH * units)


def question_of(asked: dict[str, Any]) -> tuple[QueensSpec, QueensCountSpec]:
    """Return what was asked, from what :class:`JobSpec` has of it."""
    board = Board(asked["rows"], asked["cols"], holes=asked["holes"], wrap=asked["wrap"])
    question = QueensSpec(board, asked["queens"], asked["piece"], tuple(asked["placed"]))
    return question, QueensCountSpec(asked["symmetry"], asked["up_to_symmetry"])


def _asked(question: QueensSpec, request: QueensCountSpec) -> dict[str, Any]:
    board = question.board
    return {
        "rows": board.rows,
        "cols": board.cols,
        "holes": sorted(board.holes),
        "wrap": board.wrap,
        "queens": question.queens,
        "piece": question.piece,
        "placed": list(question.placed),
        "symmetry": request.symmetry,
        "up_to_symmetry": request.up_to_symmetry,
    }


def _in_words(question: QueensSpec, request: QueensCountSpec) -> str:
    turned = f", unchanged when the board is turned by {request.symmetry}°" if request.symmetry else ""
    classes = ", up to symmetry" if request.up_to_symmetry else ""
    return f"placements of {question}{turned}{classes}"


class QueensWork:
    """The units of one count; any number of threads may run them at the same time."""

    def __init__(self, spec: JobSpec) -> None:
        self.spec = spec
        asked, self.request = question_of(dict(spec.asked))
        self.question = asked.reduced()[0]
        self._asked = asked
        self._pieces = _pieces_of(self.question, spec.method, spec.parts) if spec.parts else None
        self._strides = spec.units - (self._group() > 1) if self._pieces else 1

    def _group(self) -> int:
        return len(permutations(self.question.board)) if self.request.up_to_symmetry else 1

    def run(self, unit: int, meter: Meter) -> int:
        """Return the result of a unit: they add up to the answer times the divisor of the specification."""
        if not 0 <= unit < self.spec.units:
            raise InvalidPuzzle(f"there are units 0 to {self.spec.units - 1}, not {unit}")
        pieces = self._pieces
        if pieces is None:
            return requested(self._asked, replace(self.request, method=self.spec.method, force=True), meter.budget)
        if unit == self._strides:
            return _unchanged(self.question, meter) * pieces.factor.denominator
        return pieces.run(slice(unit, None, self._strides), meter) * pieces.factor.numerator


def _unchanged(question: QueensSpec, meter: Meter) -> int:
    """Return how many placements the symmetries of the board other than the identity leave as they are, all together.

    Symmetries that leave the same orbits of squares have the same number.
    """
    known: dict[tuple[tuple[int, ...], ...], int] = {}
    total = 0
    for permutation in permutations(question.board)[1:]:
        orbits = tuple(symmetric.orbits_of(question, permutation))
        if orbits not in known:
            known[orbits] = symmetric.count_symmetric(question, permutation, meter)
        total += known[orbits]
    return total


class _Pieces(Protocol):
    """What can be cut: numbered pieces, some of which make a unit."""

    @property
    def size(self) -> int: ...

    @property
    def factor(self) -> Fraction: ...

    def run(self, chosen: slice, meter: Meter) -> int: ...

    def seconds(self, plan: counting.QueensPlan) -> float: ...


def _pieces_of(question: QueensSpec, method: str, parts: int) -> _Pieces:
    if method == "columnsets":
        return _ColumnSets(question.board.rows)
    return _FirstRows(question.lying(), method, parts)


class _ColumnSets:
    """The column sets of the upper half of a plain board."""

    factor = Fraction(1)

    def __init__(self, side: int) -> None:
        from backrank.queens.counting.column_sets import Counter  # noqa: PLC0415 - loads numpy

        self._counter = Counter(side)
        self.size = int(self._counter.sets.size)

    def run(self, chosen: slice, meter: Meter) -> int:
        found = calls = 0
        for some in _cut(chosen, self.size, self._counter.parameters.task):
            more, listed = self._counter.run(some)
            found, calls = found + more, calls + listed
            meter.tick(calls)
        return found

    def seconds(self, plan: counting.QueensPlan) -> float:
        """Return how long everything will take, measured on column sets from all over the range."""
        del plan
        spent, step = 0.0, max(1, round(self.size * SCATTER))
        for done in range(1, self.size + 1):
            at = done * step % self.size
            some = slice(at, at + 1)
            self._counter.run(some)  # compiled, and with lists that are long enough: that is not to be measured
            began = time.thread_time()
            self._counter.run(some)
            spent += time.thread_time() - began
            if spent >= PROBE_SECONDS and (done >= ENOUGH_PROBES or spent >= MOST_PROBE_SECONDS):
                break
        return spent / done * self.size


class _FirstRows:
    """The ways to fill the first rows."""

    def __init__(self, question: QueensSpec, method: str, parts: int) -> None:
        from backrank.queens.backtracking import splitting  # noqa: PLC0415 - loads numpy and numba

        self._method = method
        self._cut = (splitting.tail_cut if method == "tails" else splitting.row_cut)(question, parts)
        self.size, self.factor = len(self._cut.parts), self._cut.factor

    def run(self, chosen: slice, meter: Meter) -> int:
        found = calls = 0
        for task in self._cut.tasks(chosen):
            while not task.is_done:
                task.advance()
                meter.tick(calls + task.calls)
            found, calls = found + task.found, calls + task.calls
        return found

    def seconds(self, plan: counting.QueensPlan) -> float:
        """Return how long everything will take: as estimated, corrected by how long a small board takes here."""
        side = SMALL_BOARDS[self._method]
        small = QueensSpec(Board(side), side)
        foreseen = counting.plan(small, self._method).seconds or 1.0
        cut = _FirstRows(small, self._method, 1)
        cut.run(slice(0, 1), Budget().start())  # compiled
        began = time.thread_time()
        cut.run(slice(None), Budget().start())
        return (plan.seconds or 0.0) * (time.thread_time() - began) / foreseen


def _cut(chosen: slice, size: int, most: int) -> Iterator[slice]:
    """Yield a slice in shorter slices of so many items at most.

    Examples
    --------
    >>> list(_cut(slice(1, None, 3), 14, 2))
    [slice(1, 7, 3), slice(7, 13, 3), slice(13, 14, 3)]
    """
    first, last, step = chosen.indices(size)
    for start in range(first, last, step * most):
        yield slice(start, min(start + step * most, last), step)
