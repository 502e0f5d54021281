"""Who takes part in the arena: a name, a discipline, and where the function is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from backrank.errors import UnknownName, shown


@dataclass(frozen=True, slots=True)
class Entrant:
    """One way to do what a discipline asks for.

    Attributes
    ----------
    name : str
        The same in all disciplines for what is the same idea.
    discipline : str
    where : str
        `module:function`; a rival may come from any module that Python finds.
    """

    name: str
    discipline: str
    where: str

    def function(self) -> Callable[[Any], Any]:
        """Return the function, loaded."""
        module, _, name = self.where.partition(":")
        found: Callable[[Any], Any] = getattr(import_module(module), name)
        return found

    @property
    def idea(self) -> str:
        """What it does, in a line.

        Examples
        --------
        >>> entrant("bits", "count queens").idea
        'Count with one int for the attacked squares of a row, in Python.'
        """
        return (self.function().__doc__ or "").strip().partition("\n")[0]


_QUEENS, _TOURS = "backrank.arena.entrants.queens", "backrank.arena.entrants.tours"
_FUNCTIONS = {
    "count queens": (_QUEENS, "count", "tutorial reference bits lines rows tails columnsets"),
    "count classes": (_QUEENS, "classes", "listing arrays burnside"),
    "first queens": (_QUEENS, "first", "tutorial rows centre-out fewest restarts lines local formula"),
    "list queens": (_QUEENS, "list", "tutorial reference rows bits arrays"),
    "count tours": (_TOURS, "count", "tutorial reference listing frontier layers"),
    "first tour": (_TOURS, "first", "tutorial fixed degree warnsdorff warnsdorff-roth auto blocks cp-sat"),
    "list tours": (_TOURS, "list", "tutorial reference pruned"),
    "run a search": (_TOURS, "run", "tutorial events plain compiled"),
}

ENTRANTS = tuple(
    Entrant(name, discipline, f"{module}:{verb}_{name.replace('-', '_')}")
    for discipline, (module, verb, names) in _FUNCTIONS.items()
    for name in names.split()
)
"""All entrants, the plainest of each discipline first."""


def entrant(name: str, discipline: str) -> Entrant:
    """Return an entrant.

    Raises
    ------
    UnknownName
        If nobody of this name takes part in this discipline.
    """
    known = {each.name: each for each in ENTRANTS if each.discipline == discipline}
    if name not in known:
        raise UnknownName(f"entrant to {shown(discipline)}", name, tuple(known))
    return known[name]


def entrant_names() -> tuple[str, ...]:
    """Return the names of all entrants, each once."""
    return tuple(dict.fromkeys(each.name for each in ENTRANTS))


def is_foreign(error: ImportError) -> bool:
    """Whether it is another package that is missing, and not a part of this one."""
    return (error.name or "").partition(".")[0] != "backrank"
