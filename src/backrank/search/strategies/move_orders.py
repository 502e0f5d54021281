"""Move orders: in which order a leaper's steps are tried. With plain backtracking, the order is everything.

From (0,0) on 8×8 the first tour takes 3,242,065 placements in one of the orders below and 251,825,408 in
another; a different start of the same order makes a difference of the same size. The named ones are those of
three well-known tutorials, and plain row-major order, in which tours come out sorted.

An order is written for the knight, with 1 and 2 for the short and the long part of the step; for another
leaper its own two numbers take their places.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType

from backrank.errors import InvalidPuzzle, UnknownName, shown
from backrank.geometry.board import Cell
from backrank.geometry.pieces import KNIGHT, Piece

ROW_MAJOR = "row-major"
ORDERS: Mapping[str, tuple[Cell, ...]] = MappingProxyType(
    {
        ROW_MAJOR: KNIGHT.steps,
        "python": ((-2, 1), (-1, 2), (1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1)),
        "java-a": ((-1, -2), (-1, 2), (-2, -1), (-2, 1), (1, -2), (1, 2), (2, -1), (2, 1)),
        "java-b": ((-1, -2), (-2, -1), (-2, 1), (-1, 2), (1, 2), (2, 1), (2, -1), (1, -2)),
    }
)
"""Named move orders, as steps (rows down, columns right)."""

_STEP = re.compile(r"\(?\s*([+-]?\d+)\s*,\s*([+-]?\d+)\s*\)?")


def ordered(piece: Piece, order: str | Iterable[Cell]) -> Piece:
    """Return a leaper with its steps in the given order.

    Parameters
    ----------
    piece : Piece
    order : str or iterable of (rows down, columns right)
        A name of :data:`ORDERS`; or a permutation of row-major order as digits, `"87654321"` (only for pieces
        with eight steps); or the steps themselves, as text or as pairs.

    Raises
    ------
    UnknownName
        If there is no such order.
    InvalidPuzzle
        If the steps are not exactly those of the piece, each once.

    Examples
    --------
    >>> ordered(KNIGHT, "python").steps[0], ordered(KNIGHT, "87654321").steps[0]
    ((-2, 1), (2, 1))
    """
    if not isinstance(order, str):
        return piece.with_steps(order)
    name = order.strip().lower()
    if name == ROW_MAJOR:
        return piece.with_steps(sorted(piece.steps))
    if name in ORDERS:
        return _transferred(piece, ORDERS[name])
    if name.isascii() and name.isdigit():
        numbers = sorted(name)
        if len(piece.steps) != 8 or numbers != list("12345678"):
            raise InvalidPuzzle(f"move order {shown(order)} must hold each digit from 1 to 8 once, such as 12345678")
        steps = sorted(piece.steps)
        return piece.with_steps(steps[int(digit) - 1] for digit in name)
    if _STEP.search(name):
        if _STEP.sub("", name).strip(" ;,"):
            raise InvalidPuzzle(f"move order {shown(order)} cannot be read; write steps such as -2,1 -1,2 1,2 ...")
        return piece.with_steps((int(down), int(right)) for down, right in _STEP.findall(name))
    raise UnknownName("move order", order, (*ORDERS, "a permutation of 12345678", "or steps such as -2,1 -1,2 ..."))


def _transferred(piece: Piece, steps: tuple[Cell, ...]) -> Piece:
    if piece.slides or len({tuple(sorted(map(abs, step))) for step in piece.steps}) != 1:
        raise InvalidPuzzle(f"named move orders are for leapers such as the knight, not for the {piece}")
    low, high = sorted(map(abs, piece.steps[0]))
    size = {1: low, 2: high}
    own = ((size[abs(a)] * (1 if a > 0 else -1), size[abs(b)] * (1 if b > 0 else -1)) for a, b in steps)
    return piece.with_steps(dict.fromkeys(own))
