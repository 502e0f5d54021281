"""Which boards tours can be built on, and which boards stand for others: what is asked before anything is built."""

from __future__ import annotations

from dataclasses import replace

from backrank.geometry.board import Board
from backrank.tours.spec import TourSpec
from backrank.tours.theorems.existence import existence

LEAST_SIDE = 5


def applies(spec: TourSpec) -> bool:
    """Whether tours of this board can be built: plain boards, knights, at least five rows and columns."""
    board = spec.board
    return board.is_plain and spec.piece.name == "knight" and min(board.rows, board.cols) >= LEAST_SIDE


def flat(spec: TourSpec) -> TourSpec | None:
    """Return the question about a plain board whose answers answer this one; None if there is none such.

    Glued edges only add moves. On a cylinder or torus with two odd sides, where no plain tour is closed, the move from
    the first column of the second row back to the corner closes an open one: it leads over the glued edge, two
    columns on.
    """
    board = spec.board
    if board.holes or spec.piece.name != "knight" or min(board.rows, board.cols) < LEAST_SIDE:
        return None
    plain = replace(spec, board=Board(board.rows, board.cols))
    known = existence(plain.board, closed=plain.closed, start=plain.start, end=plain.end)
    if known.answer != "no":
        return plain
    if board.wrap != "none" and spec.closed and spec.start in (None, 0) and spec.end is None:
        return replace(plain, closed=False, start=0, end=2 * board.cols - 2)
    return None
