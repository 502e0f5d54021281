"""Tours too large for lines: the colour of a square tells when it is visited.

Every square gets one byte: its place in the tour, in 255 steps from first to last. That is a quarter of what the tour
itself takes, and the only thing that is as large as the board; the picture is then averaged from a few rows at a
time. Squares that share a pixel are mixed as colours, not as places: where the tour comes by early and late, the
pixel is of a colour between, and what looks even is visited at one time.

Tried and dropped: summing up red, green and blue per pixel in the order of the tour (`numpy.bincount`), which gives the
same picture without the board of bytes, but takes half as long again and 32 bytes a pixel for every chunk. Taking one
square of each pixel as it is would turn every regular pattern of a knight into a false one.
"""

from __future__ import annotations

import math
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from backrank.errors import InvalidSquare
from backrank.geometry.board import Board
from backrank.render.look import ALONG, AROUND, FRAME, LIGHT, trail_colours
from backrank.render.paint import Spot

Pixels: TypeAlias = NDArray[np.uint8]
Numbers: TypeAlias = NDArray[np.integer[Any]]

LEVELS = 253
THINNEST = 24
_CHUNK = 1 << 20
_NOT_VISITED, _HOLE, _FIRST = 0, 1, 2


def levels(board: Board, squares: Numbers) -> Pixels:
    """Return for every square its place in the tour, as a byte: 2 for the first of 254 steps, and 255 for the last.

    0 stands for squares that are not visited, 1 for holes.

    Raises
    ------
    InvalidSquare
        If a square is off the board or a hole.

    Examples
    --------
    >>> levels(Board(1, 4), np.array([3, 1, 2])).tolist()
    [[0, 128, 255, 2]]
    """
    found = np.zeros(board.size, np.uint8)
    last = max(len(squares) - 1, 1)
    for begin in range(0, len(squares), _CHUNK):
        part = squares[begin : begin + _CHUNK]
        wrong = (part < 0) | (part >= board.size)
        if wrong.any():
            board.square(int(part[wrong][0]))
        steps = np.arange(begin, begin + len(part), dtype=np.int64)
        found[part] = steps * LEVELS // last + _FIRST
    holes = np.fromiter(board.holes, np.int64, len(board.holes))
    if found[holes].any():
        raise InvalidSquare(f"{board.name(int(holes[found[holes] > 0][0]))} is a hole of the {board} board")
    found[holes] = _HOLE
    return found.reshape(board.rows, board.cols)


def palette(*, closed: bool) -> Pixels:
    """Return the colour of each level: red, green and blue."""
    stops = trail_colours(256 - _FIRST, AROUND if closed else ALONG)
    colours = [LIGHT, FRAME, *stops]
    return np.array([[int(colour[at : at + 2], 16) for at in (1, 3, 5)] for colour in colours], np.uint8)


def scale(side: int, size: int) -> tuple[int, int]:
    """Return how many pixels a square takes on one side, and how many squares a pixel; one of the two is 1.

    Examples
    --------
    >>> scale(600, 2000), scale(10_000, 2000), scale(2001, 2000)
    ((3, 1), (1, 5), (1, 2))
    """
    return max(1, size // side), max(1, -(-side // size))


def overview(board: Board, squares: Numbers, *, closed: bool, size: int) -> Pixels:
    """Return the picture of a tour as an array of rows x columns x 3, its longer side at most `size` pixels.

    The shorter side of a very long board is drawn larger than it is, so that it can be seen.

    Examples
    --------
    >>> overview(Board(2, 3), np.array([0, 5]), closed=False, size=6).shape
    (24, 24, 3)
    """
    found = levels(board, squares)
    colours = palette(closed=closed)
    larger, joined = scale(max(board.rows, board.cols), size)
    down, right = (max(1, min(joined, side // THINNEST)) for side in (board.rows, board.cols))
    bands = [_mixed(found[top : top + down], colours, right) for top in range(0, board.rows, down)]
    picture = np.stack(bands)
    high, wide = (max(larger, -(-THINNEST // side)) for side in picture.shape[:2])
    return picture.repeat(high, axis=0).repeat(wide, axis=1)


def apart(one: Spot, other: Spot, distance: float, size: tuple[int, int]) -> list[Spot]:
    """Return two spots of a picture, moved away from each other and into the picture if they are nearer than that.

    Examples
    --------
    >>> apart((1, 1), (1, 1), 10, (100, 50)), apart((5, 5), (90, 5), 10, (100, 50))
    ([(0.0, 1.0), (10.0, 1.0)], [(5, 5), (90, 5)])
    """
    away = math.dist(one, other)
    if away >= distance:
        return [one, other]
    by = [(b - a) / away if away else float(not axis) for axis, (a, b) in enumerate(zip(one, other, strict=True))]
    axes = []
    for start, end, step, side in zip(one, other, by, size, strict=True):
        ends = [(start + end) / 2 + sign * step * distance / 2 for sign in (-1, 1)]
        inward = max(0.0, -min(ends)) - max(0.0, max(ends) - side)
        axes.append([place + inward for place in ends])
    return [(axes[0][number], axes[1][number]) for number in (0, 1)]


def _mixed(band: Pixels, colours: Pixels, right: int) -> Pixels:
    """Return one row of pixels: the mean of the colours of the squares that each stands for."""
    sums = colours[band].sum(axis=0, dtype=np.uint32)
    begins = np.arange(0, band.shape[1], right)
    counts = np.minimum(right, band.shape[1] - begins) * len(band)
    mixed: Pixels = (np.add.reduceat(sums, begins, axis=0) // counts[:, None]).astype(np.uint8)
    return mixed
