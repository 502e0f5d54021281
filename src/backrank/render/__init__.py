"""Drawing boards: pure functions from a board and squares to text."""

from __future__ import annotations

from backrank.render.text import numbered_board, queens_board

__all__ = ["numbered_board", "queens_board"]
