"""About how many tours there are, where they are too many to be counted.

Some independent runs of thinned layers (:mod:`backrank.tours.estimation.resampling`) are made, guided by what pilot
runs have learnt (:mod:`backrank.tours.estimation.importance`). Each gives a number whose expectation is the number of
tours, so their mean is the estimate, and how far they lie apart tells how good it is.

*The interval* is Student's, taken on the logarithm: mean · exp(±t s / (mean √runs)). The numbers of runs lean to the
right, now and then one is far too large, so the truth is more often above the mean than below: an interval that reaches
further up than down is hit more evenly, and it never goes below zero. Of 200 intervals that were to hold the number 19
times in 20, on 6×6, 5×8 and others with so few states that a run was off by a tenth, 189 to 195 did. Where a run is off
by 0.3 of the number it is 94 in 100, by 0.6 it is 93: that is why runs that lie so far apart are pointed out. Then more
states are the remedy rather than more runs, as a rare run that would have been far larger may be missing.

*Tried and dropped*, by the share of intervals that hold the number from 20 runs that are off by 0.65: Student's as it
is (0.92); that of the mean of the logarithms, which is too low by half their variance (0.75); a bootstrap (0.90, and
0.79 from 5 runs). Cox's, which corrects the logarithms for that, holds best (0.96), but has no place for a run of zero.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import ceil, cos, exp, log10, pi, sin, sqrt
from typing import TYPE_CHECKING

from backrank.errors import BoardTooLarge, BudgetExceeded, InvalidPuzzle, shown
from backrank.runtime.budget import Budget, Meter
from backrank.runtime.rng import Dice, Randomness, seed_of
from backrank.tours.arguments import CONFIDENCE, RUNS, STATES
from backrank.tours.frontier.sweeps import net_of, route_of, simple_route
from backrank.tours.frontier.transitions import MAX_SLOTS, NARROW, slots_needed, steps_of
from backrank.tours.spec import TourSpec

if TYPE_CHECKING:
    from backrank.tours.estimation.resampling import RunEstimate
    from backrank.tours.frontier.states_jit import Step

MIN_RUNS, MAX_RUNS = 3, 10_000
MIN_STATES, MAX_STATES = 100, 5_000_000
MAX_SQUARES = 10_000
_DIGITS = 15  # of a float
_WIDE = 0.3  # a spread that calls for more states


@dataclass(frozen=True, slots=True)
class Sampling:
    """How an estimate is to be made.

    Attributes
    ----------
    runs : int
        Independent estimates; at least 3, as the interval comes from how far they lie apart.
    states : int
        How many states of each layer are kept.
    seed : int
    confidence : float
        How often the interval should hold the number, as a share.
    """

    runs: int = RUNS
    states: int = STATES
    seed: int = 0
    confidence: float = CONFIDENCE

    @classmethod
    def of(cls, runs: int, states: int, rng: Randomness, confidence: float) -> Sampling:
        """Return how it is to be made, or refuse what makes no sense."""
        for what, number, least, most in (
            ("number of runs", runs, MIN_RUNS, MAX_RUNS),
            ("number of states", states, MIN_STATES, MAX_STATES),
        ):
            if isinstance(number, bool) or not isinstance(number, int) or not least <= number <= most:
                raise InvalidPuzzle(
                    f"the {what} must be a whole number from {least:,} to {most:,}, not {shown(number)}"
                )
        if isinstance(confidence, bool) or not isinstance(confidence, (int, float)) or not 0.5 <= confidence <= 0.999:
            raise InvalidPuzzle(f"the confidence must be a number from 0.5 to 0.999, not {shown(confidence)}")
        return cls(runs, states, seed_of(rng), float(confidence))


@dataclass(frozen=True, slots=True)
class Estimate:
    """About how many tours there are.

    Attributes
    ----------
    mean : int
        The estimate, rounded; only its first `digits` digits mean anything.
    low, high : int or None
        An interval that should hold the number with this confidence; `high` is None if nothing was found.
    confidence : float
    directed : bool
        Whether a tour and its reverse count as two.
    exact : bool
        Whether no state was dropped, or a theorem says that there are none: then this is the number itself, but for
        rounding after 15 digits.
    runs, dead : int
        How many runs it comes from, and how many of those found nothing.
    states : int
        How many states of each layer were kept.
    spread : float
        Standard deviation of one run, as a share of the mean; from 0.3 on the interval is too short.
    seed : int
        The same gives the same estimate again on the same machine; elsewhere sums of floats may be rounded otherwise.

    Examples
    --------
    >>> print(Estimate(106_000, 104_000, 108_000, 0.95, True, False, 20, 0, 5000, 0.03, 0))
    about 1.06e5, between 1.04e5 and 1.08e5 with 95 % confidence, from 20 runs of 5,000 states
    """

    mean: int
    low: int
    high: int | None
    confidence: float
    directed: bool
    exact: bool
    runs: int
    dead: int
    states: int
    spread: float
    seed: int

    @property
    def digits(self) -> int:
        """How many digits of the mean mean anything, the last of them not much."""
        if self.exact:
            return min(_DIGITS, len(str(self.mean)))
        if not self.mean or self.high is None:
            return 0
        width = float(Fraction(self.high - self.low, 2 * self.mean))
        return _DIGITS if width <= 0 else min(_DIGITS, max(1, 1 + ceil(-log10(width))))

    @property
    def short(self) -> str:
        """The mean with the digits that mean anything, two at least."""
        if self.exact and self.digits < _DIGITS:
            return str(self.mean)
        return _short(self.mean, max(2, self.digits))

    def __str__(self) -> str:
        runs = f"{self.runs:,} runs of {self.states:,} states"
        if self.exact:
            return (
                f"{self.short}, the number itself{', rounded' if self.digits == _DIGITS else ''}: nothing was dropped"
            )
        if self.high is None:
            return f"nothing found: all {runs} came to nothing; there may be no tour, or too few to be met"
        digits = max(2, self.digits)
        low, high = _short(self.low, digits), _short(self.high, digits)
        dead = f", {self.dead:,} of which found nothing" if self.dead else ""
        doubt = "; they lie far apart: more states would make it sure" if self.spread >= _WIDE else ""
        return (
            f"about {self.short}, between {low} and {high} with {100 * self.confidence:g} % confidence, "
            f"from {runs}{dead}{doubt}"
        )


def estimate(spec: TourSpec, sampling: Sampling, *, directed: bool, budget: Budget) -> Estimate:
    """Return about how many tours there are.

    Parameters
    ----------
    spec : TourSpec
    sampling : Sampling
    directed : bool
        Whether a tour and its reverse count as two; a given direction makes no difference.
    budget : Budget
        A limit that is reached after three runs or more ends the work with the estimate from those.

    Raises
    ------
    BoardTooLarge
        If more than 24 squares are active at once in the best order that is found.
    BudgetExceeded
        If a limit was reached before three runs were finished, or the work was cancelled.

    Examples
    --------
    >>> from backrank.geometry.board import Board
    >>> from backrank.geometry.pieces import KNIGHT
    >>> cycles = TourSpec(Board(5, 6), KNIGHT, True, None, None)
    >>> print(estimate(cycles, Sampling(), directed=False, budget=Budget()))
    8, the number itself: nothing was dropped
    """
    if len(spec.board) == 1 and not spec.closed:
        return known(1, sampling, directed=directed)
    steps, words = _sweep(spec)
    factor = _factor(spec, directed=directed)
    meter = budget.start(sampling.runs)
    found: list[RunEstimate] = []
    try:
        for outcome in _outcomes(steps, words, sampling, meter, found):
            found.append(outcome)
            if not outcome.dropped:
                return known(factor * round(_value(outcome)), sampling, directed=directed)
    except BudgetExceeded as error:
        if budget.cancelled is not None and budget.cancelled():
            raise
        if len(found) < MIN_RUNS:
            few = f"{len(found)} of at least {MIN_RUNS} runs were finished: give it more time, or fewer states"
            raise BudgetExceeded(f"{error}; {few}", error.reached) from None
    return _summed(found, sampling, factor, directed=directed)


def known(number: int, sampling: Sampling, *, directed: bool) -> Estimate:
    """Return the estimate that is no estimate: a number that is known."""
    return Estimate(
        number, number, number, sampling.confidence, directed, True, 0, 0, sampling.states, 0.0, sampling.seed
    )


def _factor(spec: TourSpec, *, directed: bool) -> int:
    """Return how many tours there are for every undirected cycle or path."""
    free = spec.end is None and (spec.closed or spec.start is None)
    return 2 if directed and free else 1


def _sweep(spec: TourSpec) -> tuple[list[Step], int]:
    """Return the steps of the cheapest route, and the words of a state."""
    spec.board.require_at_most(MAX_SQUARES, "estimating")
    net, route = net_of(spec), simple_route(spec)
    if slots_needed(net, route.order) <= 2 * MAX_SLOTS:  # no symmetry brings it down from there
        route = route_of(spec)
    needed = slots_needed(net, route.order)
    if needed > MAX_SLOTS:
        raise BoardTooLarge(
            f"in the best order found, {needed} squares of {spec.board} are active at once; an estimate takes up "
            f"to {MAX_SLOTS}, as on 12x12: choose a smaller or narrower board"
        )
    return steps_of(net, route.order, route.mirror), 1 if needed <= NARROW else 2


def _outcomes(
    steps: list[Step], words: int, sampling: Sampling, meter: Meter, found: list[RunEstimate]
) -> Iterator[RunEstimate]:
    """Yield what the runs come to. Each has a seed of its own, so it is the same however many there are."""
    from backrank.tours.estimation import importance as worth  # noqa: PLC0415 - loads numpy
    from backrank.tours.estimation import resampling as thinned  # noqa: PLC0415 - loads numpy

    def tick(states: int) -> None:
        meter.tick(meter.calls + states, len(found))

    dice = Dice(sampling.seed)
    pilots = min(sampling.states, worth.PILOT_STATES)
    promise = worth.learned(steps, words, pilots, Dice(dice.draw()), tick)
    if isinstance(promise, thinned.RunEstimate):
        yield promise
        return
    for _ in range(sampling.runs):
        yield thinned.run(steps, words, sampling.states, Dice(dice.draw()), promise, tick)


def _value(outcome: RunEstimate) -> Fraction:
    return Fraction(outcome.mantissa) * Fraction(2) ** outcome.scale


def _summed(found: list[RunEstimate], sampling: Sampling, factor: int, *, directed: bool) -> Estimate:
    """Return the estimate from what the runs came to. That may be beyond floats; as shares of the mean it is not."""
    values = [_value(outcome) for outcome in found]
    runs, dead = len(values), sum(not value for value in values)
    mean = sum(values, Fraction(0)) / runs
    confidence, states, seed = sampling.confidence, sampling.states, sampling.seed
    if not mean:
        return Estimate(0, 0, None, confidence, directed, False, runs, dead, states, 0.0, seed)
    spread = sqrt(sum(float(value / mean - 1) ** 2 for value in values) / (runs - 1))
    reach = Fraction(exp(min(700.0, student(confidence, runs - 1) * spread / sqrt(runs))))
    number = factor * mean
    # What was found are tours, so there is at least one.
    low, middle, high = (max(factor, round(each)) for each in (number / reach, number, number * reach))
    return Estimate(middle, low, high, confidence, directed, False, runs, dead, states, spread, seed)


def student(confidence: float, degrees: int) -> float:
    """Return how many standard errors to either side of the mean make an interval of this confidence.

    By halving, with the finite sums for Student's distribution of whole degrees of freedom (M. Abramowitz and
    I. A. Stegun, Handbook of Mathematical Functions, 26.7.3 and 26.7.4).

    Examples
    --------
    >>> round(student(0.95, 2), 3), round(student(0.95, 19), 3), round(student(0.99, 5), 3)
    (4.303, 2.093, 4.032)
    """
    low, high = 0.0, pi / 2
    for _ in range(60):
        middle = (low + high) / 2
        if _within(middle, degrees) < confidence:
            low = middle
        else:
            high = middle
    return sqrt(degrees) * sin(low) / cos(low)


def _within(angle: float, degrees: int) -> float:
    """Return the probability that |t| is at most √degrees · tan(angle)."""
    odd = degrees % 2
    if degrees == 1:
        return 2 * angle / pi
    term = cos(angle) if odd else 1.0
    total = term
    for k in range(2 + odd, degrees - 1, 2):
        term *= (k - 1) / k * cos(angle) ** 2
        total += term
    return 2 / pi * (angle + sin(angle) * total) if odd else sin(angle) * total


def _short(number: int, digits: int) -> str:
    """Write a number with so many digits, of any size.

    Examples
    --------
    >>> _short(13_267_364_410_532, 3), _short(42, 3), _short(10**400, 2)
    ('1.33e13', '42', '1.0e400')
    """
    if number < 10_000 and len(str(number)) <= max(4, digits):
        return str(number)
    return f"{Decimal(number):.{digits - 1}e}".replace("e+", "e")
