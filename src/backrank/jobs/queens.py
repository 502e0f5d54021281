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
from dataclasses import replace
from fractions import Fraction
from typing import Any, Protocol

from backrank.errors import InvalidPuzzle, shown
from backrank.geometry.board import Board
from backrank.geometry.symmetry import permutations
from backrank.jobs.spec import ALGORITHMS, JobSpec
from backrank.queens.counting import methods, symmetric
from backrank.queens.counting.methods import CountMethod
from backrank.queens.counting.plan import QueensCountPlan, plan
from backrank.queens.counting.run import run
from backrank.queens.counting.spec import QueensCountSpec, facts
from backrank.queens.spec import QueensSpec
from backrank.runtime.budget import Budget, Meter
from backrank.runtime.context import Context

LEAST_SECONDS, MOST_SECONDS, LIKED_UNITS, MOST_UNITS = 1.0, 15.0, 500, 500_000
PARTS_EACH = 4  # ways to fill the first rows that a unit should have at least
PROBE_SECONDS, ENOUGH_PROBES, MOST_PROBE_SECONDS = 0.25, 4, 4.0
SCATTER = 0.618  # of a range: steps of this length come everywhere soon
SMALL_BOARDS = {"tails": 13, "rows": 11}  # a tenth of a second or so


def queens_job(spec: QueensSpec, wanted: QueensCountSpec, *, units: int | None = None) -> JobSpec:
    """Return a count of queens as a job.

    Parameters
    ----------
    spec : QueensSpec
        The puzzle.
    wanted : QueensCountSpec
        The number.
    units : int, optional
        How many units there should be, at least; measured if not given.

    Raises
    ------
    InvalidPuzzle, UnknownName
        If there is no such number or method, or the number of units is invalid.

    Notes
    -----
    Cost: the tables of the method, and a quarter of a second to measure how fast this machine is.

    Examples
    --------
    >>> from backrank.queens import Queens
    >>> job = queens_job(Queens(10).spec, QueensCountSpec(method="columnsets"), units=7)
    >>> job.units, job.what
    (7, 'placements of 10 queens on 10x10')
    """
    return cut(plan(spec, wanted), units)


def cut(plan: QueensCountPlan, units: int | None = None) -> JobSpec:
    """Return a planned count as a job, cut into units; see :func:`queens_job`."""
    if units is not None and not (type(units) is int and 1 <= units <= MOST_UNITS):
        raise InvalidPuzzle(f"a count is cut into 1 to {MOST_UNITS:,} units, not {shown(units)}")
    job = outline(plan)
    if not plan.is_resumable:
        return job
    reduced = plan.reduced
    pieces = _pieces_of(reduced, job.method, counting_parts(units or 1))
    wanted = units if units is not None else fitting_units(pieces.seconds(plan.chosen))
    if counting_parts(wanted) > counting_parts(units or 1):
        pieces = _pieces_of(reduced, job.method, counting_parts(wanted))
    group = len(permutations(reduced.board)) if plan.wanted.up_to_symmetry else 1
    return replace(
        job,
        units=min(wanted, pieces.size) + (group > 1),
        parts=counting_parts(wanted),
        divisor=pieces.factor.denominator * group,
    )


def outline(plan: QueensCountPlan) -> JobSpec:
    """Return a planned count as a job of one unit: quickly, to see whether a ledger has it.

    The key of the specification is that of :func:`cut`.
    """
    # A method that was chosen for the size of the whole count is chosen again by whatever counts all of it.
    method = plan.method if plan.is_resumable else plan.wanted.method
    asked = _asked(plan.spec, plan.wanted)
    words = f"{plan.what}{', up to symmetry' * plan.wanted.up_to_symmetry}"
    return JobSpec("queens", words, asked, method, ALGORITHMS.get(method, 1), 1)


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


def specs_of(asked: dict[str, Any]) -> tuple[QueensSpec, QueensCountSpec]:
    """Return the puzzle and the number that is counted, from what :class:`JobSpec` has of it."""
    board = Board(asked["rows"], asked["cols"], holes=asked["holes"], wrap=asked["wrap"])
    spec = QueensSpec(board, asked["queens"], asked["piece"], tuple(asked["placed"]))
    return spec, QueensCountSpec(asked["symmetry"], asked["up_to_symmetry"])


def facts_of(asked: dict[str, Any]) -> dict[str, Any]:
    """Return which placements are counted, for programs: as `backrank count queens --json` prints it."""
    return facts(*specs_of(asked))


def _asked(spec: QueensSpec, wanted: QueensCountSpec) -> dict[str, Any]:
    board = spec.board
    return {
        "rows": board.rows,
        "cols": board.cols,
        "holes": sorted(board.holes),
        "wrap": board.wrap,
        "queens": spec.queens,
        "piece": spec.piece,
        "placed": list(spec.placed),
        "symmetry": wanted.symmetry,
        "up_to_symmetry": wanted.up_to_symmetry,
    }


class QueensWork:
    """The units of one count; any number of threads may run them at the same time."""

    def __init__(self, job: JobSpec) -> None:
        self.job = job
        self.spec, wanted = specs_of(dict(job.asked))
        self.wanted = replace(wanted, method=job.method)
        self.reduced = self.spec.reduced()[0]
        self._pieces = _pieces_of(self.reduced, job.method, job.parts) if job.parts else None
        self._strides = job.units - (self._group() > 1) if self._pieces else 1

    def _group(self) -> int:
        return len(permutations(self.reduced.board)) if self.wanted.up_to_symmetry else 1

    def run(self, unit: int, meter: Meter) -> int:
        """Return the result of a unit: they add up to the answer times the divisor of the job."""
        if not 0 <= unit < self.job.units:
            raise InvalidPuzzle(f"there are units 0 to {self.job.units - 1}, not {unit}")
        pieces = self._pieces
        if pieces is None:
            context = Context(meter.budget, force=True)
            return run(plan(self.spec, self.wanted, context), context)
        if unit == self._strides:
            return _unchanged(self.reduced, meter) * pieces.factor.denominator
        return pieces.run(slice(unit, None, self._strides), meter) * pieces.factor.numerator


def _unchanged(spec: QueensSpec, meter: Meter) -> int:
    """Return how many placements the symmetries of the board other than the identity leave as they are, all together.

    Symmetries that leave the same orbits of squares have the same number.
    """
    known: dict[tuple[tuple[int, ...], ...], int] = {}
    total = 0
    for permutation in permutations(spec.board)[1:]:
        orbits = tuple(symmetric.orbits_of(spec, permutation))
        if orbits not in known:
            known[orbits] = symmetric.count_symmetric(spec, permutation, meter)
        total += known[orbits]
    return total


class _Pieces(Protocol):
    """What can be cut: numbered pieces, some of which make a unit."""

    @property
    def size(self) -> int: ...

    @property
    def factor(self) -> Fraction: ...

    def run(self, chosen: slice, meter: Meter) -> int: ...

    def seconds(self, chosen: CountMethod) -> float: ...


def _pieces_of(spec: QueensSpec, method: str, parts: int) -> _Pieces:
    if method == "columnsets":
        return _ColumnSets(spec.board.rows)
    return _FirstRows(spec.lying(), method, parts)


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

    def seconds(self, chosen: CountMethod) -> float:
        """Return how long everything will take, measured on column sets from all over the range."""
        del chosen
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

    def __init__(self, spec: QueensSpec, method: str, parts: int) -> None:
        from backrank.queens.backtracking import splitting  # noqa: PLC0415 - loads numpy and numba

        self._method = method
        self._cut = (splitting.tail_cut if method == "tails" else splitting.row_cut)(spec, parts)
        self.size, self.factor = len(self._cut.parts), self._cut.factor

    def run(self, chosen: slice, meter: Meter) -> int:
        found = calls = 0
        for task in self._cut.tasks(chosen):
            while not task.is_done:
                task.advance()
                meter.tick(calls + task.calls)
            found, calls = found + task.found, calls + task.calls
        return found

    def seconds(self, chosen: CountMethod) -> float:
        """Return how long everything will take: as estimated, corrected by how long a small board takes here."""
        side = SMALL_BOARDS[self._method]
        small = QueensSpec(Board(side), side)
        foreseen = methods.choose(small, self._method).seconds or 1.0
        cut = _FirstRows(small, self._method, 1)
        cut.run(slice(0, 1), Budget().start())  # compiled
        began = time.thread_time()
        cut.run(slice(None), Budget().start())
        return (chosen.seconds or 0.0) * (time.thread_time() - began) / foreseen


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
