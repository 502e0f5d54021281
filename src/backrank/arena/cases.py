"""The cases of the arena: small JSON files, one for each series, which are shipped beside this module.

A series is one task at growing sizes, all of which every entrant of it is asked for. A file says what the task is, who
takes part, and where its published values stand::

    {"title": "All placements of n queens", "discipline": "count queens", "unit": "queens",
     "published": "queens.all", "entrants": ["tutorial", "bits"], "warm_up": {"board": "6x6"},
     "cases": [{"size": 8, "board": "8x8", "name": "8", "quick": true}]}

What all cases have in common (`closed`, `wrap`, `start`, `strategy`) is said once, under `common`. In the repository
the files lie in `benchmarks/cases`; the wheel has a copy.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from backrank.errors import InvalidText, UnknownName, shown

SCALES = ("linear", "log")


@dataclass(frozen=True, slots=True)
class Case:
    """One thing to do.

    Attributes
    ----------
    size : int
        What time is told against: queens, squares, calls.
    board : str
        As :class:`~backrank.Board` reads it.
    name : str
        What it is called in tables and in the published counts; the board if not given.
    quick : bool
        Whether it belongs to the quick round.
    closed, wrap, start, strategy, calls
        What some disciplines want to know; calls after which a search by the engine is looked at.
    """

    size: int
    board: str
    name: str = ""
    quick: bool = False
    closed: bool = False
    wrap: str = "none"
    start: str = ""
    strategy: str = ""
    calls: int = 0


@dataclass(frozen=True, slots=True)
class Series:
    """A task at growing sizes.

    Attributes
    ----------
    name : str
        The name of the file.
    title : str
    discipline : str
        See :mod:`backrank.arena.disciplines`.
    unit : str
        What the sizes are numbers of.
    scale : str
        `linear` if time grows by a factor for each unit, `log` if by one for each doubling.
    published : str
        The kind of published counts that the answers are compared with, or nothing.
    entrants : tuple of str
        Who takes part.
    warm_up : Case
        What each entrant does beforehand, so that everything is loaded and compiled.
    cases : tuple of Case
        In ascending order of size.
    """

    name: str
    title: str
    discipline: str
    unit: str
    scale: str
    published: str
    entrants: tuple[str, ...]
    warm_up: Case
    cases: tuple[Case, ...]


def folder(name: str) -> Path:
    """Return where the files of this name are: beside this module if installed, in the repository if not.

    Raises
    ------
    InvalidText
        If they are in neither place.
    """
    here = Path(__file__).resolve()
    for place in (here.with_name(name), here.parents[3] / "benchmarks" / name):
        if place.is_dir():
            return place
    raise InvalidText(f"the {name} of the benchmark were not installed with backrank; install it anew")


def series_names() -> tuple[str, ...]:
    """Return the names of all series.

    Examples
    --------
    >>> "queens-count" in series_names()
    True
    """
    return tuple(sorted(path.stem for path in folder("cases").glob("*.json")))


def read_series(names: Iterable[str] = ()) -> list[Series]:
    """Return the series of these names, or all.

    Raises
    ------
    UnknownName
        If there is no such series.
    """
    known = series_names()
    chosen = tuple(dict.fromkeys(names)) or known
    for name in chosen:
        if name not in known:
            raise UnknownName("cases", name, known)
    return [parse_series(name, (folder("cases") / f"{name}.json").read_text(encoding="utf-8")) for name in chosen]


def parse_series(name: str, text: str) -> Series:
    """Return the series that the text of a file describes.

    Raises
    ------
    InvalidText
        If it is not one, with what is wrong.

    Examples
    --------
    >>> series = parse_series("mine", '''{"title": "Mine", "discipline": "count queens", "unit": "queens",
    ...     "entrants": ["bits"], "warm_up": {"board": "4x4"}, "cases": [{"size": 5, "board": "5x5"}]}''')
    >>> series.cases[0].name, series.scale
    ('5x5', 'linear')
    """
    try:
        data = json.loads(text)
        common = data.get("common", {})
        cases = [_case(common | {"size": 0}, data["warm_up"]), *(_case(common, each) for each in data["cases"])]
        words = [str(data[key]) for key in ("title", "discipline", "unit")]
        more = (str(data.get("scale", "linear")), str(data.get("published", "")))
        series = Series(name, words[0], words[1], words[2], *more, tuple(data["entrants"]), cases[0], tuple(cases[1:]))
    except KeyError as error:
        raise InvalidText(f"the cases {name} have no {shown(error.args[0])}") from None
    except (ValueError, TypeError, AttributeError) as error:
        raise InvalidText(f"the cases {name} cannot be read: {error}") from None
    sizes = [case.size for case in series.cases]
    if not sizes or sizes != sorted(set(sizes)):
        raise InvalidText(f"the cases {name} must be in ascending order of size, each size once")
    if series.scale not in SCALES:
        raise InvalidText(f"the cases {name} have the scale {shown(series.scale)}; it is linear or log")
    return series


def _case(common: dict[str, Any], own: dict[str, Any]) -> Case:
    known = {field.name for field in fields(Case)}
    described = common | own
    if strange := set(described) - known:
        raise ValueError(f"a case has no {shown(min(strange))}")
    return Case(**{"name": str(described.get("board")), **described})
