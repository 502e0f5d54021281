"""Which number of placements is to be counted: the spec of a count."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from backrank.errors import InvalidPuzzle
from backrank.queens.spec import QueensSpec

MOST_NAMED = 8  # placed queens


@dataclass(frozen=True, slots=True)
class QueensCountSpec:
    """Which number of placements is counted.

    Attributes
    ----------
    symmetry : {"180", "90"}, optional
        Only placements that this rotation of the board leaves as they are.
    up_to_symmetry : bool
        Whether placements that a symmetry of the board maps to each other are one.
    method : str
        One of `METHODS` of :mod:`backrank.queens.counting.methods`.
    """

    symmetry: str | None = None
    up_to_symmetry: bool = False
    method: str = "auto"

    def require_valid(self) -> None:
        """Raise InvalidPuzzle if there is no such number."""
        if self.symmetry is not None and self.up_to_symmetry:
            raise InvalidPuzzle(
                "symmetric placements are counted one by one, not up to symmetry; choose one of the two"
            )


def sentence(spec: QueensSpec, wanted: QueensCountSpec) -> str:
    """Return what is counted, in words: a number and these make a sentence.

    Examples
    --------
    >>> from backrank.geometry.board import Board
    >>> sentence(QueensSpec(Board(8), 8), QueensCountSpec(symmetry="90"))
    'placements of 8 queens on 8x8, unchanged when the board is turned by 90°'
    """
    names = [spec.board.name(square) for square in spec.placed]
    placed = f", {' and '.join(names)} placed" if names else ""
    if len(names) > MOST_NAMED:
        placed = f", {len(names)} of them placed"
    turned = f", unchanged when the board is turned by {wanted.symmetry}°" if wanted.symmetry else ""
    return f"placements of {spec.queens} {spec.piece}{'s'[: spec.queens != 1]} on {spec.board}{placed}{turned}"


def facts(spec: QueensSpec, wanted: QueensCountSpec) -> dict[str, Any]:
    """Return what is counted as plain data for programs: as `backrank count queens --json` prints it."""
    return {
        "kind": "queens",
        "board": str(spec.board),
        "queens": spec.queens,
        "piece": spec.piece,
        "placed": [spec.board.name(square) for square in spec.placed],
        "symmetry": wanted.symmetry,
    }
