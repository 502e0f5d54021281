"""What callers ask for, read and checked: where pieces stand already, and how many there are to be."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import SupportsIndex

from backrank.errors import MOST_WHOLE, InvalidPuzzle, shown, whole
from backrank.geometry.board import Board, SquareLike, square_list
from backrank.geometry.pieces import KNIGHT, queen_lines, step

AUTO = "auto"
CHUNK = 65_536  # placements of an array
KINDS = ("row", "column", "diagonal", "diagonal")


def checked(
    board: Board, placed: Iterable[SquareLike], queens: SupportsIndex | None = None, piece: str = "queen"
) -> tuple[tuple[int, ...], int]:
    """Return the placed queens (or amazons) as squares, and how many are wanted, or say what is wrong with them.

    Examples
    --------
    >>> checked(Board(8), ["a1", (0, 1)])
    ((56, 1), 8)
    >>> checked(Board(8), "a1 c3")
    Traceback (most recent call last):
    backrank.errors.InvalidPuzzle: the queens on a1 and c3 attack each other (same diagonal); take one of them away
    """
    wanted = min(board.rows, board.cols) if queens is None else queens_wanted(queens)
    squares = tuple(map(board.square, square_list(placed, "placed")))
    an = f"a{'n'[: piece == 'amazon']} {piece}"
    where: list[dict[int, int]] = [{} for _ in KINDS]
    seen: set[int] = set()
    for square in squares:
        if square in seen:
            raise InvalidPuzzle(f"{an} is placed on {board.name(square)} twice; name every square once")
        for kind, on_line, line in zip(KINDS, where, queen_lines(board, board.cell(square)), strict=True):
            other = on_line.setdefault(line, square)
            if other != square:
                raise _conflict(board, piece, (other, square), f"same {kind}")
        if piece == "amazon":
            for leap in KNIGHT.steps:
                near = step(board, board.cell(square), leap)
                if near in seen and near is not None:
                    raise _conflict(board, piece, (near, square), "a knight's move apart")
        seen.add(square)
    if len(squares) > wanted:
        raise InvalidPuzzle(
            f"{len(squares)} {piece}s are placed, but only {wanted} wanted; take some away or want more"
        )
    return squares, wanted


def _conflict(board: Board, piece: str, pair: tuple[int, int], why: str) -> InvalidPuzzle:
    """Return the error about two placed pieces that attack each other."""
    names = " and ".join(map(board.name, pair))
    return InvalidPuzzle(f"the {piece}s on {names} attack each other ({why}); take one of them away")


def queens_wanted(queens: SupportsIndex) -> int:
    """Return a number of queens, or say what is wrong with it."""
    try:
        wanted = operator.index(queens)
    except TypeError:
        raise InvalidPuzzle(f"the number of queens must be a whole number, not {shown(queens)}") from None
    if wanted < 0 or isinstance(queens, bool):
        raise InvalidPuzzle(f"the number of queens must be at least 0, not {shown(queens)}")
    return whole(wanted, "the number of queens", 0, MOST_WHOLE)
