"""Public names of earlier versions that are gone, and what takes their place: for the messages of `AttributeError`."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

# By module or class and name. An entry stays for one minor version at least.
GONE: Mapping[str, str] = MappingProxyType(
    {
        "Queens.question": "Queens.spec",
        "Queens.why_impossible": "Queens.existence()",
        "backrank.arena.Checked": "backrank.selftest.CheckedValue",
        "backrank.arena.Comparison": "backrank.arena.ResultsComparison",
        "backrank.arena.Published": "backrank.published.Published",
        "backrank.arena.Verdict": "backrank.selftest.Verdict",
        "backrank.arena.Wish": "backrank.arena.ContestSpec",
        "backrank.arena.checks": "backrank.selftest.recounts",
        "backrank.arena.read_published": "backrank.published.read_published",
        "backrank.arena.run_checks": "backrank.selftest.run_checks",
        "backrank.board": "backrank.geometry.board",
        "backrank.budget": "backrank.runtime.budget",
        "backrank.pieces": "backrank.geometry.pieces",
        "backrank.randomness": "backrank.runtime.rng",
        "backrank.symmetry": "backrank.geometry.symmetry",
        "backrank.verify": "backrank.geometry.verify",
    }
)


def missing(owner: str, name: str, default: str) -> AttributeError:
    """Return the error for an attribute that does not exist, with the new name if it has one.

    Parameters
    ----------
    owner : str
        The class or module, as in `GONE`.
    name : str
    default : str
        The message if the name is not in `GONE`.

    Examples
    --------
    >>> missing("Queens", "why_impossible", "")
    AttributeError('Queens.why_impossible is now Queens.existence()')
    >>> missing("Queens", "rows", "'Queens' object has no attribute 'rows'")
    AttributeError("'Queens' object has no attribute 'rows'")
    """
    new = GONE.get(f"{owner}.{name}")
    return AttributeError(default if new is None else f"{owner}.{name} is now {new}")
