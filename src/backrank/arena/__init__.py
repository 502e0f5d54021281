"""All algorithms on the same cases: which is quickest, and whether they agree with each other and what is published."""

from typing import TYPE_CHECKING

from backrank.runtime.lazy import lazy_exports

if TYPE_CHECKING:
    from backrank.arena.cases import Case, Series, read_series, series_names
    from backrank.arena.comparing import ResultsComparison, compared, newest_shipped, read_results
    from backrank.arena.contest import ContestSpec, compete
    from backrank.arena.entrants.registry import ENTRANTS, Entrant, entrant_names
    from backrank.arena.report import markdown, picture, table
    from backrank.arena.timing import Results, Timing

_HOMES = {
    name: module
    for module, names in {
        "cases": "Case Series read_series series_names",
        "comparing": "ResultsComparison compared newest_shipped read_results",
        "contest": "ContestSpec compete",
        "entrants.registry": "ENTRANTS Entrant entrant_names",
        "report": "markdown picture table",
        "timing": "Results Timing",
    }.items()
    for name in names.split()
}

__getattr__ = lazy_exports(__name__, _HOMES, globals())

__all__ = [
    "ENTRANTS",
    "Case",
    "ContestSpec",
    "Entrant",
    "Results",
    "ResultsComparison",
    "Series",
    "Timing",
    "compared",
    "compete",
    "entrant_names",
    "markdown",
    "newest_shipped",
    "picture",
    "read_results",
    "read_series",
    "series_names",
    "table",
]
