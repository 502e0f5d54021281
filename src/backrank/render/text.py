"""Boards as plain text, for terminals, files and e-mails.

Every mark is one column wide and every square gets the same number of columns, so the board stays
straight in any monospaced font. What is drawn here is what `backrank.formats` reads back: a hole of a
numbered board is `.` and a square not yet visited `_`; on a board of queens, where the dot
is an empty square, a hole is `#`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from backrank.geometry.board import Board, file_name

MAX_DRAWN_SQUARES = 4_000_000
HOLE_AMONG_NUMBERS = "."
NOT_VISITED = "_"
HOLE_AMONG_QUEENS = "#"


def numbered_board(
    board: Board, squares: Iterable[int], *, first: int = 1, coordinates: bool = False, borders: bool = False
) -> str:
    """Return the board with the number of its step on every square.

    Parameters
    ----------
    board : Board
    squares : iterable of int
        The squares in the order of the steps; not all squares need be among them.
    first : int
        The number of the first step.
    coordinates : bool
        Whether ranks stand at the left and files below.
    borders : bool
        Whether lines separate the squares.

    Raises
    ------
    InvalidSquare
        If a square is off the board or a hole.
    BoardTooLarge
        On more than four million squares.

    Examples
    --------
    >>> print(numbered_board(Board(3, 4), [0, 6, 8, 1, 7, 9, 2, 4, 10, 3, 5, 11]))
     1  4  7 10
     8 11  2  5
     3  6  9 12
    >>> print(numbered_board(Board(2, 3, holes=["b1"]), [0, 5], coordinates=True, borders=True))
      ┌───┬───┬───┐
    2 │ 1 │ _ │ _ │
      ├───┼───┼───┤
    1 │ _ │ . │ 2 │
      └───┴───┴───┘
        a   b   c
    """
    marks = _blank(board, NOT_VISITED, HOLE_AMONG_NUMBERS)
    for number, square in enumerate(squares, first):
        marks[board.square(square)] = str(number)
    return _drawn(board, marks, coordinates=coordinates, borders=borders)


def queens_board(board: Board, squares: Iterable[int], *, unicode: bool = True, coordinates: bool = False) -> str:
    """Return the board with a queen on each of the squares.

    Parameters
    ----------
    board : Board
    squares : iterable of int
        Where the queens stand.
    unicode : bool
        Whether queens are ♛ and empty squares ·, rather than Q and a full stop.
    coordinates : bool
        Whether ranks stand at the left and files below.

    Raises
    ------
    InvalidSquare
        If a square is off the board or a hole.
    BoardTooLarge
        On more than four million squares.

    Examples
    --------
    >>> print(queens_board(Board(4), [1, 7, 8, 14], coordinates=True))
    4 · ♛ · ·
    3 · · · ♛
    2 ♛ · · ·
    1 · · ♛ ·
      a b c d
    >>> print(queens_board(Board(2, 3, holes=["c2"]), [0], unicode=False))
    Q . #
    . . .
    """
    queen, empty = ("♛", "·") if unicode else ("Q", ".")
    marks = _blank(board, empty, HOLE_AMONG_QUEENS)
    for square in squares:
        marks[board.square(square)] = queen
    return _drawn(board, marks, coordinates=coordinates, borders=False)


def _blank(board: Board, empty: str, hole: str) -> list[str]:
    board.require_at_most(MAX_DRAWN_SQUARES, "a board drawn as text")
    marks = [empty] * board.size
    for square in board.holes:
        marks[square] = hole
    return marks


def _drawn(board: Board, marks: Sequence[str], *, coordinates: bool, borders: bool) -> str:
    files = [file_name(col) for col in range(board.cols)] if coordinates else []
    width = max(map(len, (*files, *marks)))
    side = len(str(board.rows)) + 1 if coordinates else 0
    before, between, after = ("│ ", " │ ", " │") if borders else ("", " ", "")
    lines: list[str] = []
    for row in range(board.rows):
        if borders:
            lines.append(" " * side + _rule(board.cols, width, "├┼┤" if row else "┌┬┐"))
        rank = f"{board.rows - row:>{side - 1}} " if coordinates else ""
        cells = (mark.rjust(width) for mark in marks[row * board.cols : (row + 1) * board.cols])
        lines.append(f"{rank}{before}{between.join(cells)}{after}")
    if borders:
        lines.append(" " * side + _rule(board.cols, width, "└┴┘"))
    if coordinates:
        gap = " " * len(between)
        lines.append(" " * (side + len(before)) + gap.join(letters.rjust(width) for letters in files))
    return "\n".join(lines)


def _rule(cols: int, width: int, corners: str) -> str:
    return corners[0] + corners[1].join(["─" * (width + 2)] * cols) + corners[2]
