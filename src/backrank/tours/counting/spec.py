"""Which number of tours is to be counted, and in which units: the spec of a count."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from backrank.errors import InvalidPuzzle
from backrank.tours.counting import classes, reentrant
from backrank.tours.counting.frontier_plan import LAYERS, METHODS, PLAIN, unknown_method
from backrank.tours.spec import TourSpec


@dataclass(frozen=True, slots=True)
class TourCountSpec:
    """Which number of tours is counted.

    Attributes
    ----------
    directed : bool
        Whether a tour and its reverse are two.
    up_to_symmetry : bool
        Whether tours that a symmetry of the board maps to each other are one.
    method : str
        One of `METHODS`.
    symmetry : {"180", "90"}, optional
        Only tours that this rotation of the board maps to themselves.
    strictly_open : bool
        Only open tours whose ends are not a move apart.
    """

    directed: bool
    up_to_symmetry: bool = False
    method: str = "auto"
    symmetry: str | None = None
    strictly_open: bool = False

    @property
    def is_plain(self) -> bool:
        """Whether it is the count of all tours."""
        return not (self.up_to_symmetry or self.symmetry or self.strictly_open)

    def require_valid(self, spec: TourSpec) -> None:
        """Raise InvalidPuzzle or UnknownName if there is no such number, or the method does not count it."""
        if self.method not in METHODS:
            raise unknown_method(self.method)
        if self.up_to_symmetry and self.symmetry is not None:
            raise InvalidPuzzle("symmetric tours are counted one by one, not up to symmetry; choose one of the two")
        if self.strictly_open:
            reentrant.require_open(spec)
            if self.up_to_symmetry or self.symmetry is not None:
                raise InvalidPuzzle("strictly open tours are counted one by one; leave out the symmetry")
        if self.symmetry is not None:
            classes.rotation(spec, self.symmetry)
        elif not self.up_to_symmetry:
            return
        if self.method in (PLAIN, LAYERS):
            what = "up to symmetry" if self.up_to_symmetry else "symmetric tours"
            raise InvalidPuzzle(f"the {self.method} method cannot count {what}; use auto or listing")


def multiplicity(spec: TourSpec, *, directed: bool) -> int:
    """Return how many tours there are for each undirected cycle or path.

    Cycles and paths of the move graph have no direction. A tour has one if `directed`, and then counts twice, unless
    the given ends fix it: an open tour by a start or an end, a closed one by its last step.

    Examples
    --------
    >>> from backrank.geometry.board import Board
    >>> from backrank.geometry.pieces import KNIGHT
    >>> [multiplicity(TourSpec(Board(5), KNIGHT, False, start, None), directed=True) for start in (None, 0)]
    [2, 1]
    """
    is_fixed = spec.end is not None if spec.closed else bool(spec.ends())
    return 2 if directed and not is_fixed and len(spec.board) > 1 else 1


def sentence(spec: TourSpec, wanted: TourCountSpec) -> str:
    """Return what is counted, in words: a number and these make a sentence.

    Examples
    --------
    >>> from backrank.geometry.board import Board
    >>> from backrank.geometry.pieces import KNIGHT
    >>> sentence(TourSpec(Board(5), KNIGHT, False, 0, None), TourCountSpec(directed=True))
    'directed open tours on 5x5 from a5'
    """
    name = spec.board.name
    ring = "closed" if spec.closed else "strictly open" if wanted.strictly_open else "open"
    ends = "".join(f" {word} {name(at)}" for word, at in (("from", spec.start), ("to", spec.end)) if at is not None)
    movers = "" if spec.piece.name == "knight" else f" of the {spec.piece}"
    unchanged = f", unchanged when the board is turned by {wanted.symmetry}°" if wanted.symmetry else ""
    return f"{'directed' if wanted.directed else 'undirected'} {ring} tours{movers} on {spec.board}{ends}{unchanged}"


def facts(spec: TourSpec, wanted: TourCountSpec) -> dict[str, Any]:
    """Return what is counted as plain data for programs: as `backrank count tours --json` prints it."""
    name = spec.board.name
    return {
        "kind": "tours",
        "board": str(spec.board),
        "closed": spec.closed,
        "directed": wanted.directed,
        "strictly_open": wanted.strictly_open,
        "start": None if spec.start is None else name(spec.start),
        "end": None if spec.end is None else name(spec.end),
        "piece": spec.piece.name,
        "symmetry": wanted.symmetry,
    }
