"""The cursor: the whole state of a search, small and plain, enough to go on from anywhere.

It holds the path, how many candidates have been tried at every depth, and the counters. Which candidates those were
follows from the strategy, which is deterministic; so the cursor of an 8×8 tour is some hundred small numbers,
whether the run is three events old or three thousand million. Written as JSON it names its problem and its strategy,
its version, and carries a checksum.

What follows from the rest is not stored but computed: backtracks are calls less depth, the number of the next
event is the sum of all that has happened.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from backrank.errors import BackrankError
from backrank.search.spaces import Space
from backrank.search.strategies.names import Strategy

VERSION = 1
FORMAT = "backrank-cursor"


class InvalidCursor(BackrankError, ValueError):
    """A cursor that is damaged, of another version, or of another search than the one it is used for."""


@dataclass(frozen=True, slots=True)
class Stats:
    """The counters of a search at one moment.

    Attributes
    ----------
    events : int
        Events so far, so the number of the next one.
    calls : int
        Placements, the first included.
    backtracks : int
        Placements taken back.
    rejects : int
        Squares looked at and refused.
    solutions : int
    depth, deepest : int
        Pieces on the board now, and the most there have been.
    """

    events: int
    calls: int
    backtracks: int
    rejects: int
    solutions: int
    depth: int
    deepest: int


@dataclass(frozen=True)
class Cursor:
    """A search at one moment.

    Attributes
    ----------
    space : TourSpace or QueensSpace
    strategy : Strategy
    path : tuple of int
        The squares in place, in the order of placement.
    tried : tuple of int
        How many candidates have been tried at every depth, one entry more than the path; that of a full path is 1 once
        the path has been judged.
    calls, rejects, solutions, deepest : int
        The counters; see :class:`Stats`.
    done : bool
        Whether nothing is left to happen.
    """

    space: Space
    strategy: Strategy
    path: tuple[int, ...] = ()
    tried: tuple[int, ...] = (0,)
    calls: int = 0
    rejects: int = 0
    solutions: int = 0
    deepest: int = 0
    done: bool = False

    @property
    def depth(self) -> int:
        """How many pieces are on the board."""
        return len(self.path)

    @property
    def backtracks(self) -> int:
        """How many placements have been taken back."""
        return self.calls - len(self.path)

    @property
    def event(self) -> int:
        """The number of the next event: how many there have been."""
        return 2 * self.calls - len(self.path) + self.rejects + self.solutions

    @property
    def stats(self) -> Stats:
        """The counters."""
        return Stats(
            self.event, self.calls, self.backtracks, self.rejects, self.solutions, len(self.path), self.deepest
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the cursor as plain data, for JSON.

        Examples
        --------
        >>> from backrank.geometry.board import Board
        >>> from backrank.search import QueensSpace, start
        >>> cursor = start(QueensSpace(Board(4)), "rows")
        >>> cursor.to_dict()["path"], cursor.to_dict()["strategy"]
        ([], 'rows')
        """
        data: dict[str, Any] = {
            "format": FORMAT,
            "version": VERSION,
            "problem": self.space.to_dict(),
            "strategy": self.strategy.name,
            "path": list(self.path),
            "tried": list(self.tried),
            "calls": self.calls,
            "backtracks": self.backtracks,
            "rejects": self.rejects,
            "solutions": self.solutions,
            "deepest": self.deepest,
            "event": self.event,
            "done": self.done,
        }
        return data | {"checksum": checksum(data)}

    def to_json(self) -> str:
        """Return the cursor as one line of JSON."""
        return json.dumps(self.to_dict(), separators=(",", ":"))


def checksum(data: Mapping[str, Any]) -> str:
    """Hash everything but the checksum itself, in a form that does not depend on the order of the keys."""
    rest = {key: value for key, value in data.items() if key != "checksum"}
    return hashlib.sha256(json.dumps(rest, sort_keys=True, separators=(",", ":")).encode()).hexdigest()[:16]
