"""Run the arena: measure every entrant of the chosen series, one after the other, and compare all answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from backrank._version import __version__
from backrank.arena.cases import Case, Series, read_series
from backrank.arena.entrants.registry import Entrant, entrant, entrant_names
from backrank.arena.judging import judged
from backrank.arena.machine import machine
from backrank.arena.running import MeasuringLimits, measure
from backrank.arena.timing import Results, Timing
from backrank.errors import InvalidPuzzle, UnknownName

NORMAL = MeasuringLimits(1.0, 15, 0.12)
QUICK = MeasuringLimits(0.3, 9, 0.05)


@dataclass(frozen=True, slots=True)
class ContestSpec:
    """Choice of what is measured.

    Attributes
    ----------
    series : tuple of str
        Names of series; empty for all.
    only : tuple of str
        Names of entrants; empty for all.
    quick : bool
        Whether only the small cases are measured.
    limit : float, optional
        Seconds after which a case is stopped; 1 by default, 0.3 if quick.
    """

    series: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    quick: bool = False
    limit: float | None = None

    @property
    def effort(self) -> MeasuringLimits:
        """The limits of each case."""
        usual = QUICK if self.quick else NORMAL
        return usual if self.limit is None else MeasuringLimits(self.limit, usual.most, usual.share)


Job = tuple[Series, tuple[Case, ...], Entrant]


def jobs(spec: ContestSpec) -> list[Job]:
    """Return each series with its cases and one entrant.

    Raises
    ------
    UnknownName, InvalidPuzzle
        If a name is unknown, or no chosen entrant takes part in the chosen series.
    """
    for name in spec.only:
        if name not in entrant_names():
            raise UnknownName("entrant", name, entrant_names())
    found = [
        (series, tuple(case for case in series.cases if case.quick or not spec.quick), entrant(name, series.discipline))
        for series in read_series(spec.series)
        for name in series.entrants
        if not spec.only or name in spec.only
    ]
    if not found:
        raise InvalidPuzzle(f"{', '.join(spec.only)} takes part in none of the cases {', '.join(spec.series)}")
    return found


def compete(spec: ContestSpec, watch: Callable[[str, int, int], None]) -> Results:
    """Measure all chosen entrants, and judge their answers.

    Parameters
    ----------
    spec : Wish
    watch : callable
        Called with what is measured now, the number of entrants done, and the number of all.

    Returns
    -------
    Results
        After Ctrl-C those so far, marked as not complete.
    """
    asked, effort = jobs(spec), spec.effort
    timings: list[Timing] = []
    complete = True
    try:
        for timing in _measured(asked, effort, watch):
            timings.append(timing)  # noqa: PERF402 - what was measured before Ctrl-C is kept
    except KeyboardInterrupt:
        complete = False
    series = list({one.name: one for one, _, _ in asked}.values())
    return Results(__version__, machine(), effort.limit, complete, judged(timings, series))


def _measured(
    asked: Sequence[Job], effort: MeasuringLimits, watch: Callable[[str, int, int], None]
) -> Iterator[Timing]:
    for done, (series, cases, who) in enumerate(asked):
        yield from measure(series, cases, who, effort, lambda words, done=done: watch(words, done, len(asked)))  # type: ignore[misc]  # the number of this turn
