"""Which squares can be the ends of an open knight's tour of a plain rectangle: a complete answer, for all sizes.

A tour alternates colours. On a board of even size that gives its ends different colours; on one of odd size both have
the more frequent colour. From six rows on that is all there is to say. On narrower boards:

- 4xn: the squares of the two long edges have moves to inner squares only, and there are 2n of either kind. If e of the
  ends are on the edges, 4n - e moves join an edge to an inner square, and the inner squares have 4n - (2 - e) in all;
  so e - 1 moves join two inner squares. If e were 1, edge and inner squares would alternate, as the two colours do,
  and all edge squares would be of one colour. So e is 2.
- 3xn and 5xn, n even: the two corners of a short edge have two moves each, one of them to the same square, in the
  middle row. If that square is an end, it has one move for the two of them, so one of them is the other end.
- 3xn, n odd: near each short edge are three squares of which no two can be the ends. Take (0, 2) and (2, 2): the
  square (1, 0) has moves to these two only, and the tour is over after three squares. Or (0, 2) and (1, 3): the squares
  (1, 0), (0, 0) and (2, 0) have two moves each, which then make a path of nine squares between the two.
- 5x5: one end is a corner (exhaustive search).

Small boards have some more exceptions, which are listed. That there are no others was found by exhaustive search on
all boards up to 8x8 and 5x12, and by :mod:`backrank.tours.solve.narrow` on those of three and four rows: up to n = 60
pair by pair, and for all n by going through all the sets of states that the sweep can meet (tests/test_sweep.py).
Beyond, tours are built of blocks. Rows and columns are counted from 0 here, and the board is turned so that it has
fewer rows than columns.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TypeAlias

from backrank.geometry.board import Board, Cell

_Pair: TypeAlias = tuple[Cell, Cell]

# Pairs of the right colours between which there is no tour after all, by exhaustive search; one of each four that
# mirror each other. A pair is written row column - row column, in hexadecimal. On 4xn: those on the two edges.
_EXCEPTIONS = {
    (3, 4): "00-01 00-03 00-12 00-21 01-02 01-11 01-13 01-22 10-11 11-12",
    (3, 7): "00-02 00-04 00-06 00-13 00-20 00-22 00-24 00-26 02-04 02-13 02-22 02-24 11-13",
    (3, 8): (
        "00-12 00-21 01-02 01-13 01-15 01-22 02-03 02-05 02-10 02-12 02-14 02-16 02-23 02-25 03-04 03-11 03-15 03-24 "
        "10-15 11-12 11-16 12-13 12-15"
    ),
    (3, 9): "00-06 00-26 02-04 02-06 02-11 02-13 02-15 02-17 02-22 02-24 02-26 11-15 13-15",
    (3, 10): (
        "00-07 00-27 01-06 01-17 01-26 02-03 02-05 02-07 02-12 02-16 02-23 02-25 02-27 03-06 03-13 03-17 03-26 04-05 "
        "04-12 10-17 11-12 12-13 12-15 12-17 13-14 13-16"
    ),
    (3, 13): "02-0a 02-2a",
    (4, 5): "01-02 01-31 02-32",
    (4, 6): "02-03 02-32",
    (5, 6): "11-23 11-34 12-13 12-20 12-22 12-33 20-23 20-25 22-23",
}


def why_not_from(board: Board, square: int) -> str | None:
    """Return why no open knight's tour has an end on a square, or None if one has.

    Parameters
    ----------
    board : Board
        A plain one, of more than one square, that has an open tour.
    square : int
        Of the colour that an end must have.

    Examples
    --------
    >>> why_not_from(Board(4, 7), 0)
    >>> print(why_not_from(Board(3, 8), 10))
    no tour of 3x8 starts or ends on c2 (exhaustive search)
    """
    reason = _off_the_edges(board, square)
    if reason or (min(board.rows, board.cols), max(board.rows, board.cols)) not in _EXCEPTIONS:
        return reason
    others = [other for other in board if other != square and _is_coloured(board, square, other)]
    if any(why_not_between(board, square, other) is None for other in others):
        return None
    return f"no tour of {board} starts or ends on {board.name(square)} (exhaustive search)"


def why_not_between(board: Board, one: int, other: int) -> str | None:
    """Return why no open knight's tour has its ends on two squares, or None if one has.

    Parameters
    ----------
    board : Board
        A plain one, of more than one square, that has an open tour.
    one, other : int
        Two squares, of the colours that the ends must have; their order does not matter.

    Notes
    -----
    Costs nothing to speak of on boards of any size. The reasons are told in the module.

    Examples
    --------
    >>> why_not_between(Board(5, 8), 0, 17)
    >>> print(why_not_between(Board(5, 8), 2, 17))
    a5 and a1 have two moves each, one of them to b3; if that is an end, one of the two corners is the other
    """
    short, long = sorted((board.rows, board.cols))
    ends = _turned(board, one), _turned(board, other)
    reason = _off_the_edges(board, one) or _off_the_edges(board, other)
    if reason is None and short in (3, 5):
        reason = _robbed_corners(board, ends) if long % 2 == 0 else _short_circuit(board, ends)
    if reason is None and short == long == 5 and not any(row in (0, 4) and col in (0, 4) for row, col in ends):
        reason = "a tour of 5x5 has a corner at one end at least (exhaustive search)"
    if reason is None and (short, long) in _EXCEPTIONS and _class(short, long, ends) in _exceptions(short, long):
        reason = f"no tour of {board} has its ends on {board.name(one)} and {board.name(other)} (exhaustive search)"
    return reason


def _is_coloured(board: Board, one: int, other: int) -> bool:
    if board.size % 2:
        return board.colour(one) == board.colour(other) == 0
    return board.colour(one) != board.colour(other)


def _turned(board: Board, square: int) -> Cell:
    """Return a cell of the board turned so that it has no more rows than columns."""
    row, col = board.cell(square)
    return (row, col) if board.rows <= board.cols else (col, row)


def _name(board: Board, cell: Cell) -> str:
    return board.name(cell if board.rows <= board.cols else cell[::-1])


def _off_the_edges(board: Board, square: int) -> str | None:
    if min(board.rows, board.cols) != 4 or _turned(board, square)[0] in (0, 3):
        return None
    return (
        "on a 4xn board every open tour has both ends on the two long edges (outer squares are reached "
        f"from inner ones only); {board.name(square)} cannot be one of them"
    )


def _robbed_corners(board: Board, ends: _Pair) -> str | None:
    """Three or five rows: one of the ends is the square that the two corners of a short edge share."""
    short, long = sorted((board.rows, board.cols))
    near = 2 if short == 3 else 1
    for edge, col in ((0, near), (long - 1, long - 1 - near)):
        shared, corners = (short // 2, col), ((0, edge), (short - 1, edge))
        if shared in ends and not any(corner in ends for corner in corners):
            names = " and ".join(_name(board, corner) for corner in corners)
            return (
                f"{names} have two moves each, one of them to {_name(board, shared)}; if that is an end, one of "
                "the two corners is the other"
            )
    return None


def _short_circuit(board: Board, ends: _Pair) -> str | None:
    """Three rows: squares near a short edge would make a path between the ends, with the rest of the board left out."""
    short, long = sorted((board.rows, board.cols))
    if short != 3:
        return None
    for edge, step in ((0, 1), (long - 1, -1)):
        outer = [(row, edge + 2 * step) for row in (0, 2)]
        middle = (1, edge)
        if set(outer) == set(ends):
            return (
                f"{_name(board, middle)} has moves to {_name(board, outer[0])} and {_name(board, outer[1])} only; with "
                "these for ends the tour would be over after 3 squares"
            )
        if (1, edge + 3 * step) in ends and any(end in outer for end in ends):
            names = ", ".join(_name(board, cell) for cell in ((0, edge), middle, (2, edge)))
            return (
                f"{names} have two moves each, which must be used; with these ends they make a path of 9 squares "
                "from one to the other, and the tour would be over"
            )
    return None


def _class(rows: int, cols: int, ends: _Pair) -> _Pair:
    """Return the least of the pairs that mirror a pair."""
    images = []
    for down in (False, True):
        for right in (False, True):
            image = [(rows - 1 - row if down else row, cols - 1 - col if right else col) for row, col in ends]
            images.append((min(image), max(image)))
    return min(images)


@lru_cache(maxsize=len(_EXCEPTIONS))
def _exceptions(rows: int, cols: int) -> frozenset[_Pair]:
    pairs = (pair.split("-") for pair in _EXCEPTIONS[rows, cols].split())
    return frozenset(((int(one[0]), int(one[1], 16)), (int(other[0]), int(other[1], 16))) for one, other in pairs)
