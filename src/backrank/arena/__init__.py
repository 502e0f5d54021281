"""All algorithms on the same cases: which is quickest, and whether they agree with each other and what is published."""

from typing import TYPE_CHECKING

from backrank._lazy import lazy_exports

if TYPE_CHECKING:
    from backrank.arena.cases import Case, Series, read_series, series_names
    from backrank.arena.comparing import Comparison, compared, newest_shipped, read_results
    from backrank.arena.contest import Wish, compete
    from backrank.arena.entrants import ENTRANTS, Entrant, entrant_names
    from backrank.arena.published import Published, read_published
    from backrank.arena.report import markdown, picture, table
    from backrank.arena.selftest import Checked, Verdict, checks, run_checks
    from backrank.arena.timing import Results, Timing

_HOMES = {
    name: module
    for module, names in {
        "cases": "Case Series read_series series_names",
        "comparing": "Comparison compared newest_shipped read_results",
        "contest": "Wish compete",
        "entrants": "ENTRANTS Entrant entrant_names",
        "published": "Published read_published",
        "report": "markdown picture table",
        "selftest": "Checked Verdict checks run_checks",
        "timing": "Results Timing",
    }.items()
    for name in names.split()
}

__getattr__ = lazy_exports(__name__, _HOMES, globals())

__all__ = [
    "ENTRANTS",
    "Case",
    "Checked",
    "Comparison",
    "Entrant",
    "Published",
    "Results",
    "Series",
    "Timing",
    "Verdict",
    "Wish",
    "checks",
    "compared",
    "compete",
    "entrant_names",
    "markdown",
    "newest_shipped",
    "picture",
    "read_published",
    "read_results",
    "read_series",
    "run_checks",
    "series_names",
    "table",
]
