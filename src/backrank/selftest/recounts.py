"""Count published values anew, each by two algorithms at least that do not know of each other.

A value is right when all of them give the published number. What disagrees is told with who gave what, so that it can
be seen whether an algorithm is wrong or the list. What needs a part that is not installed is left to the others.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from backrank.arena.entrants.registry import is_foreign
from backrank.errors import BudgetExceeded
from backrank.published.values import Published, read_published
from backrank.runtime.budget import Budget
from backrank.selftest.methods import WAYS, Way

LEAST = 2
MISSING = "not installed"


@dataclass(frozen=True, slots=True)
class CheckedValue:
    """One published value, and what came of counting it.

    Attributes
    ----------
    published : Published
    counts : mapping of str to int
        What each algorithm gave.
    trouble : mapping of str to str
        Why an algorithm gave nothing.
    seconds : float
        Wall time of all of them together.
    """

    published: Published
    counts: Mapping[str, int]
    trouble: Mapping[str, str]
    seconds: float

    @property
    def agrees(self) -> bool:
        """Whether everybody who counted gave the published value, nobody failed, and somebody counted."""
        failed = [why for why in self.trouble.values() if not why.startswith(MISSING)]
        return bool(self.counts) and not failed and set(self.counts.values()) == {self.published.value}

    def __str__(self) -> str:
        value = self.published
        head = f"{value.kind} {value.size} = {value.value} ({value.source})"
        missing = [f"{name}: {why}" for name, why in self.trouble.items()]
        if self.agrees:
            told = "; ".join([", ".join(self.counts), *missing])
            alone = " alone" if len(self.counts) < LEAST else ""
            return f"ok     {head}: {told}{alone}, {self.seconds:.2f} s"
        gave = [f"{name} gave {number}" for name, number in self.counts.items()]
        return f"WRONG  {head}: {'; '.join([*gave, *missing]) or 'nothing counted it'}, {self.seconds:.2f} s"

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain data, for JSON; numbers as text where they may exceed 53 bits."""
        value = self.published
        counts = {name: str(number) for name, number in self.counts.items()}
        head = {"kind": value.kind, "size": value.size, "published": str(value.value), "source": value.source}
        return {
            **head,
            "agrees": self.agrees,
            "counts": counts,
            "trouble": dict(self.trouble),
            "seconds": round(self.seconds, 4),
        }


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of all checks; `alone` are values that only one algorithm counted, as others are not installed."""

    checked: int
    wrong: int
    seconds: float
    complete: bool = True
    alone: int = 0

    @property
    def passed(self) -> bool:
        """Whether there was something to check, and all of it was right."""
        return self.checked > 0 and not self.wrong and self.complete

    def __str__(self) -> str:
        if self.wrong:
            return f"NOT passed: {self.wrong} of {self.checked} values are wrong, {self.seconds:.1f} s"
        if not self.complete:
            return f"stopped after {self.checked} values, all of which agree, {self.seconds:.1f} s"
        alone = f", {self.alone} of them by one algorithm alone" if self.alone else ""
        return f"passed: {self.checked} published values counted anew{alone}, {self.seconds:.1f} s"


def checks(
    *, deep: bool = False, published: Iterable[Published] | None = None, ways: Sequence[Way] = WAYS
) -> list[tuple[Published, list[Way]]]:
    """Return the values that two ways at least reach, each with its ways.

    Examples
    --------
    >>> by = {(value.kind, value.size): [way.name for way in ways] for value, ways in checks()}
    >>> by["tours.closed.undirected", "6x6"]
    ['frontier', 'layers']
    """
    values = read_published() if published is None else published
    # No board has no squares: what is published of 0 queens is a convention.
    asked = [(value, [way for way in ways if way.reaches(value, deep=deep)]) for value in values if value.rows > 0]
    return [(value, chosen) for value, chosen in asked if len(chosen) >= LEAST]


def run_checks(
    asked: Iterable[tuple[Published, Sequence[Way]]], budget: Budget | None = None
) -> Iterator[CheckedValue]:
    """Count values anew, one after the other.

    Parameters
    ----------
    asked : iterable of (Published, sequence of Way)
        As :func:`checks` returns it.
    budget : Budget, optional
        For each way anew: progress and cancelling.

    Raises
    ------
    BudgetExceeded
        If it was cancelled.

    Examples
    --------
    >>> [check.agrees for check in run_checks(checks()[:3])]
    [True, True, True]
    """
    for value, ways in asked:
        counts: dict[str, int] = {}
        trouble: dict[str, str] = {}
        began = time.perf_counter()
        for way in ways:
            try:
                counts[way.name] = way.count(value, budget or Budget())
            except BudgetExceeded:
                raise
            except ImportError as error:
                trouble[way.name] = f"{MISSING} ({error})" if is_foreign(error) else f"ImportError: {error}"
            except Exception as error:  # an algorithm that breaks is what this is to find
                trouble[way.name] = f"{type(error).__name__}: {' '.join(str(error).split())}"
        yield CheckedValue(value, counts, trouble, time.perf_counter() - began)


def not_recounted(*, ways: Sequence[Way] = WAYS) -> list[str]:
    """Return the kinds of published values that no way counts."""
    known = {way.kind for way in ways}
    return sorted({value.kind for value in read_published()} - known)
