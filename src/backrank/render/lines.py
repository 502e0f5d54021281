"""Lines between squares, on boards whose edges may be glued.

A move over a glued edge leaves the board on one side and comes back on the other. Drawn straight it would cross the
whole board and look like a move that nobody made; so such a move is two stubs, out to the edge and in from the
edge. Points are `(x, y)` with the middle of the top left square at (0, 0) and squares of side 1.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

from backrank.geometry.board import Board, Cell
from backrank.geometry.pieces import Piece, queen_lines, step

Point = tuple[float, float]
Segment = tuple[Point, Point]


class MoveLine(NamedTuple):
    """A line from one square to another: one straight segment, or the stubs of one that goes over an edge."""

    segments: tuple[Segment, ...]
    over_edge: bool


def move_line(board: Board, piece: Piece, source: int, target: int) -> MoveLine:
    """Return the line of a move.

    A move that can be made across the board is drawn across it, even if it could also be made over an edge.

    Examples
    --------
    >>> from backrank.geometry.pieces import KNIGHT
    >>> move_line(Board(4, 4, wrap="cylinder"), KNIGHT, 0, 6)
    MoveLine(segments=(((0, 0), (2, 1)),), over_edge=False)
    >>> move_line(Board(4, 4, wrap="cylinder"), KNIGHT, 0, 11)
    MoveLine(segments=(((0, 0), (-0.5, 1.0)), ((3.5, 1.0), (3, 2))), over_edge=True)
    """
    row, col = board.cell(source)
    end_row, end_col = board.cell(target)
    by = (end_row - row, end_col - col)
    if board.wrap != "none":
        by = _way(board, piece, by)
    start, end = (col, row), (end_col, end_row)
    if (row + by[0], col + by[1]) == (end_row, end_col):
        return MoveLine(((start, end),), over_edge=False)
    out = _to_edge(board, start, (by[1], by[0]))
    back = _to_edge(board, end, (-by[1], -by[0]))
    return MoveLine(((start, out), (back, end)), over_edge=True)


def _way(board: Board, piece: Piece, direct: Cell) -> Cell:
    """Return by how much the piece really moved, given the difference of the two cells on the board."""
    if _is_step(piece, direct):
        return direct
    rows = (0, -board.rows, board.rows) if board.wrap == "torus" else (0,)
    ways = [(direct[0] + down, direct[1] + right) for down in rows for right in (0, -board.cols, board.cols)]
    steps = [way for way in ways if _is_step(piece, way)]
    return min(steps, key=lambda way: abs(way[0]) + abs(way[1]), default=direct)


def _is_step(piece: Piece, by: Cell) -> bool:
    if by in piece.steps:
        return True
    far = max(abs(by[0]), abs(by[1]))
    return piece.slides and any((down * far, right * far) == by for down, right in piece.steps)


def _to_edge(board: Board, start: Point, by: Point) -> Point:
    """Return where the way from a point by a vector first meets the edge of the board."""
    shares = []
    for at, move, last in zip(start, by, (board.cols - 1, board.rows - 1), strict=True):
        if move:
            shares.append(((last + 0.5 if move > 0 else -0.5) - at) / move)
    share = min(shares)
    return start[0] + by[0] * share, start[1] + by[1] * share


def attack_lines(board: Board, squares: tuple[int, ...]) -> tuple[tuple[int, int, MoveLine], ...]:
    """Return each pair of queens that are next to each other on a common line, with that line.

    Examples
    --------
    >>> [(a, b) for a, b, _ in attack_lines(Board(4), (0, 3, 10))]
    [(0, 3), (0, 10)]
    """
    shared: dict[tuple[int, int], list[int]] = defaultdict(list)
    for square in sorted(set(squares)):
        for direction, number in enumerate(queen_lines(board, board.cell(square))):
            shared[direction, number].append(square)
    return tuple(
        (first, second, _attack(board, direction, first, second))
        for (direction, _), queens in sorted(shared.items())
        for first, second in pairwise(queens)
    )


_DIRECTIONS: tuple[Cell, ...] = ((0, 1), (1, 0), (1, 1), (1, -1))


def _attack(board: Board, direction: int, first: int, second: int) -> MoveLine:
    """Walk from one queen to the other, both ways round, and draw the shorter walk."""
    down, right = _DIRECTIONS[direction]
    (row, col), (end_row, end_col) = board.cell(first), board.cell(second)
    far = max(abs(end_row - row), abs(end_col - col))
    if (end_row - row, end_col - col) in {(down * far, right * far), (-down * far, -right * far)}:
        return MoveLine((((col, row), (end_col, end_row)),), over_edge=False)
    walks = [_walk(board, first, second, by) for by in ((down, right), (-down, -right))]
    walk = min((walk for walk in walks if walk), key=len)
    return MoveLine(tuple(_pieces(board, walk)), over_edge=True)


def _walk(board: Board, first: int, second: int, by: Cell) -> list[tuple[Cell, Cell]]:
    """Return the steps from one square to another, each as its cell and its direction; empty if it is not reached."""
    steps: list[tuple[Cell, Cell]] = []
    cell = board.cell(first)
    while (square := step(board, cell, by)) is not None and square != first:
        steps.append((cell, by))
        if square == second:
            return steps
        cell = board.cell(square)
    return []


def _pieces(board: Board, walk: Iterable[tuple[Cell, Cell]]) -> Iterator[Segment]:
    """Join the steps of a walk into straight segments, cut where it goes over an edge."""
    begin: Point | None = None
    end: Point = (0, 0)
    for (row, col), (down, right) in walk:
        begin = (col, row) if begin is None else begin
        end = (col + right, row + down)
        if not (0 <= end[0] < board.cols and 0 <= end[1] < board.rows):
            yield begin, (col + right / 2, row + down / 2)
            end = (end[0] % board.cols, end[1] % board.rows)
            begin = (end[0] - right / 2, end[1] - down / 2)
    if begin is not None:
        yield begin, end
