"""What is asked of a board: the parts of a `KnightTours` that theorems, solver and counters need."""

from __future__ import annotations

from dataclasses import dataclass

from backrank.geometry.board import Board
from backrank.geometry.pieces import Piece


@dataclass(frozen=True, slots=True)
class TourSpec:
    """Which tours are meant; `start` and `end` are squares, or None if any will do."""

    board: Board
    piece: Piece
    closed: bool
    start: int | None
    end: int | None

    def ends(self) -> list[tuple[str, int]]:
        """Return the given ends with what they are called."""
        return [(noun, square) for noun, square in (("start", self.start), ("end", self.end)) if square is not None]
