"""Which puzzles the searches by masks take; nothing compiled is loaded to decide it."""

from __future__ import annotations

from backrank.queens.spec import QueensSpec

TAILS_FROM, TAILS_TO = 6, 32
MAX_COMPILED_COLS = 60


def suits_bits(spec: QueensSpec) -> bool:
    """Whether every row or every column has a queen, and edges are not glued."""
    board = spec.board
    return spec.is_plain and spec.queens == min(board.rows, board.cols)


def suits_tails(spec: QueensSpec) -> bool:
    """Whether these are n queens on n x n, perhaps with holes."""
    return spec.is_square and spec.is_plain and TAILS_FROM <= spec.board.rows <= TAILS_TO
