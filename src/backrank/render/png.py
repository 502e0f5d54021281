"""Boards as PNG, of any size: the same picture as SVG while a square has four pixels, and an overview beyond.

Pillow and NumPy are loaded with this module, which is loaded when a PNG is made.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from backrank.errors import BoardTooLarge, whole
from backrank.geometry.board import Board
from backrank.geometry.pieces import KNIGHT, Piece
from backrank.render.lines import MoveLine, Point, attack_lines, move_line
from backrank.render.look import FRAME, INK, LETTERS, QUEEN, WARNING, trail_colours
from backrank.render.overview import apart, overview, palette
from backrank.render.paint import Paint, Spot, board_on, encoded, hexadecimal, stamp, write
from backrank.render.sheet import CELL, Sheet
from backrank.render.svg import BEAD, COLOURS, MAX_NUMBERED_SQUARES, NUMBERED_SQUARES, bead_width, number_size

Squares: TypeAlias = Sequence[int] | NDArray[np.integer[Any]]

MAX_PNG_SQUARES = 100_000_000
DEFAULT_SIZE, LEAST_SIZE, MOST_SIZE = 2_000, 100, 10_000
# A square of a drawn board has so many pixels at the least, one that is to be read, and at the most unless told.
DRAWN, READ, LARGEST = 4, 26, 88
# An overview narrower than this has no room for a key to its colours.
LEAST_KEY = 300
LEAST_LETTERS = 9


def tour_png(
    board: Board,
    squares: Squares,
    *,
    closed: bool = False,
    numbers: bool | None = None,
    path: bool = True,
    piece: Piece = KNIGHT,
    size: int | None = None,
) -> bytes:
    r"""Return a picture of a tour, or of as much of one as there is, as a PNG file.

    While a square gets at least four pixels (boards up to about 480x480, unless `size` is given) the moves are
    drawn as lines; on larger boards the colour of each square tells when it is visited, from dark to light,
    or for closed tours once around from pale through blue, dark and brown.

    Parameters
    ----------
    board : Board
    squares : sequence or array of int
        The squares in the order of the steps; not all squares need be among them.
    closed : bool
        Whether the tour goes on from the last square to the first.
    numbers : bool, optional
        Whether every square shows the number of its step; up to 256 squares if not given.
    path : bool
        Whether the moves are drawn as lines on boards on which there is room for them.
    piece : Piece
        Tells moves over a glued edge from moves across the board.
    size : int, optional
        The pixels of the longer side, from 100 to 10,000, to which an overview adds its frame; at most 2,000 if not
        given.

    Returns
    -------
    bytes
        A PNG file.

    Raises
    ------
    InvalidSquare
        If a square is off the board or a hole.
    BoardTooLarge
        On more than a hundred million squares, or if squares are too small for the numbers that are wanted.
    InvalidPuzzle
        If the size is none that can be.

    Notes
    -----
    An overview takes one byte a square, besides the picture and the squares themselves.

    Examples
    --------
    >>> tour_png(Board(3, 4), [0, 6, 8, 1, 7, 9, 2, 4, 10, 3, 5, 11])[:4]
    b'\x89PNG'
    """
    board.require_at_most(MAX_PNG_SQUARES, "a PNG")
    sheet, wide = _sheet(board, size, full_size=board.size <= NUMBERED_SQUARES if numbers is None else numbers)
    side = wide * CELL / max(sheet.size)
    if numbers and side < READ:
        raise _too_small(board, wide)
    if side < DRAWN:
        return _overview_png(board, squares, closed=closed, size=wide)
    tour = [board.square(int(square)) for square in squares]
    numbered = sheet.full_size and side >= READ
    paint = Paint(sheet, wide)
    board_on(paint, sheet)
    colours = trail_colours(min(max(len(tour) - 1, 1), COLOURS))
    is_closed = closed and len(tour) > 2
    if path:
        _trail(paint, sheet, piece, tour, colours, 0.075 if numbered else sheet.line)
    if path and is_closed:
        _closing(paint, sheet, move_line(board, piece, tour[-1], tour[0]), colours[0])
    if tour:
        _marks(paint, sheet, tour, colours, closed=is_closed, beads=numbered and path)
    if numbered:
        _numbers(paint, sheet, tour, beads=path)
    return paint.png()


def queens_png(board: Board, squares: Iterable[int], *, attacks: bool = False, size: int | None = None) -> bytes:
    r"""Return a picture of queens on a board as a PNG file.

    Parameters
    ----------
    board : Board
    squares : iterable of int
        Where the queens stand.
    attacks : bool
        Whether queens that attack each other are shown in the colour of warnings, joined by lines.
    size : int, optional
        The pixels of the longer side, from 100 to 10,000; at most 2,000 if not given.

    Raises
    ------
    InvalidSquare
        If a square is off the board or a hole.
    BoardTooLarge
        If a square would have less than four pixels.
    InvalidPuzzle
        If the size is none that can be.

    Examples
    --------
    >>> queens_png(Board(4), [1, 7, 8, 14])[:4]
    b'\x89PNG'
    """
    sheet, wide = _sheet(board, size, full_size=board.size <= NUMBERED_SQUARES)
    if wide * CELL < DRAWN * max(sheet.size):
        raise BoardTooLarge(
            f"on {wide:,} pixels the squares of the {board} board are too small to show queens; "
            f"a PNG of queens is for boards up to about {wide // DRAWN:,}x{wide // DRAWN:,}"
        )
    queens = tuple(sorted({board.square(int(square)) for square in squares}))
    pairs = attack_lines(board, queens) if attacks else ()
    attacked = {queen for first, second, _ in pairs for queen in (first, second)}
    paint = Paint(sheet, wide)
    board_on(paint, sheet)
    for _, _, line in pairs:
        for segment in line.segments:
            paint.line([_spot(sheet, point) for point in segment], 0.1 * CELL, WARNING)
    for queen in queens:
        row, col = board.cell(queen)
        side = CELL * 0.86
        corner = (sheet.x(col) - side / 2, sheet.y(row) - side / 2)
        paint.outline(QUEEN, corner, side, WARNING if queen in attacked else INK)
    return paint.png()


def _sheet(board: Board, size: int | None, *, full_size: bool) -> tuple[Sheet, int]:
    """Return the paper for a picture, and the pixels of its longer side."""
    if size is not None:
        whole(size, "the size of a PNG, in pixels,", LEAST_SIZE, MOST_SIZE)
    sheet = Sheet(board, coordinates=True, full_size=full_size)
    return sheet, size or min(DEFAULT_SIZE, round(max(sheet.size) * LARGEST / CELL))


def _too_small(board: Board, size: int) -> BoardTooLarge:
    """Return the error about numbers that nobody could read."""
    most = size // READ
    return BoardTooLarge(
        f"on {size:,} pixels the squares of the {board} board are too small for numbers; a PNG of that size "
        f"has room for {most}x{most}; leave them out, or draw an SVG (up to {MAX_NUMBERED_SQUARES:,} squares)"
    )


def _spot(sheet: Sheet, point: Point) -> Spot:
    return sheet.x(point[0]), sheet.y(point[1])


def _trail(paint: Paint, sheet: Sheet, piece: Piece, tour: Sequence[int], colours: Sequence[str], width: float) -> None:
    """Draw the moves: a piece of the tour in each colour, and its moves over edges dotted."""
    moves = len(tour) - 1
    fine = sheet.grid.size <= 4_000  # the corners of thinner lines cannot be told apart
    for number, colour in enumerate(colours if moves > 0 else ()):
        first, last = (moves * share // len(colours) for share in (number, number + 1))
        run: list[Spot] = []
        for move in range(first, last):
            line = move_line(sheet.grid, piece, tour[move], tour[move + 1])
            if not line.over_edge:
                ends = [_spot(sheet, point) for point in line.segments[0]]
                run += ends[1:] if run else ends
                continue
            for segment in line.segments:
                start, end = (_spot(sheet, point) for point in segment)
                paint.dashes(start, end, width * CELL, colour, dash=0.01, gap=width * 2 * CELL)
            paint.line(run, width * CELL, colour, rounded=fine)
            run = []
        if run:
            paint.line(run, width * CELL, colour, rounded=fine)


def _closing(paint: Paint, sheet: Sheet, line: MoveLine, colour: str) -> None:
    """Draw the move that closes a tour."""
    for segment in line.segments:
        start, end = (_spot(sheet, point) for point in segment)
        paint.dashes(start, end, 0.09 * CELL, colour, dash=0.16 * CELL, gap=0.16 * CELL)


def _marks(
    paint: Paint, sheet: Sheet, tour: Sequence[int], colours: Sequence[str], *, closed: bool, beads: bool
) -> None:
    """Draw a bead for every step if wanted, and the start and the end: a ringed disc, and a ringed square."""
    wide = bead_width(len(tour))
    for step in range(1, len(tour) - 1) if beads else ():
        x, y = _middle(sheet, tour[step])
        colour = colours[step * len(colours) // len(tour)]
        paint.box((x - wide / 2, y - BEAD / 2), (wide, BEAD), colour, rounded=BEAD / 2, ring=0.7)
    size = sheet.mark
    half = max(size, wide / 2 + 1.5) if sheet.full_size else size
    if len(tour) > 1:
        x, y = _middle(sheet, tour[-1])
        corner = size if closed else size * 0.3
        paint.box((x - half, y - size), (2 * half, 2 * size), colours[-1], rounded=corner, ring=size / 6)
    paint.disc(_middle(sheet, tour[0]), size, colours[0], ring=size / 6)


def _numbers(paint: Paint, sheet: Sheet, tour: Sequence[int], *, beads: bool) -> None:
    """Write the numbers of the steps: white on beads and marks, dark on bare squares."""
    size = number_size(len(tour), beads=beads)
    ends = {0, len(tour) - 1}
    for step, square in enumerate(tour):
        paint.text(_middle(sheet, square), str(step + 1), size, "#ffffff" if beads or step in ends else INK)


def _middle(sheet: Sheet, square: int) -> Spot:
    row, col = sheet.grid.cell(square)
    return sheet.x(col), sheet.y(row)


def _overview_png(board: Board, squares: Squares, *, closed: bool, size: int) -> bytes:
    """Return the picture of a large tour: its colours, the ends, and below what the colours mean."""
    order = np.asarray(squares) if len(squares) else np.empty(0, np.int64)
    edge, foot = size // 80 + 2, size // 32 + 8
    pixels = overview(board, order, closed=closed, size=size)
    high, wide = pixels.shape[:2]
    image = Image.new("RGB", (max(wide + 2 * edge, min(size, LEAST_KEY)), high + edge + foot), FRAME)
    left = (image.width - wide) // 2
    image.paste(Image.fromarray(pixels), (left, edge))
    colours = palette(closed=closed)[2:]
    radius = 4 + size / 180
    cells = [board.cell(int(square)) for square in (*order[:1], *order[1:][-1:])]
    spots = [((col + 0.5) * wide / board.cols, (row + 0.5) * high / board.rows) for row, col in cells]
    if len(spots) == 2:
        spots = apart(spots[0], spots[1], 2.8 * radius, (wide, high))
    for number, (x, y) in reversed(list(enumerate(spots))):
        colour = hexadecimal(colours[-number])
        stamp(image, (left + x, edge + y), radius, colour, pointed=number == 1 and not closed)
    _corners(image, board, (left, edge, left + wide, edge + high), 1.5 * radius)
    if image.width >= LEAST_KEY:
        _key(image, edge, foot, colours, len(order))
    return encoded(image)


def _corners(image: Image.Image, board: Board, picture: tuple[int, int, int, int], mark: float) -> None:
    """Name the squares in the corners, on the frame beside a mark, if it is wide enough for letters to be read."""
    left, top, right, bottom = picture
    font = round(top * 0.6)
    if font < LEAST_LETTERS or right - left < LEAST_KEY:
        return
    for row, y in ((0, top / 2), (board.rows - 1, bottom + top / 2)):
        for col, x, anchor in ((0, left + mark, "lm"), (board.cols - 1, right - mark, "rm")):
            write(image, (x, y), board.name((row, col)), font, LETTERS, anchor=anchor)


def _key(image: Image.Image, edge: int, foot: int, colours: NDArray[np.uint8], steps: int) -> None:
    """Draw what the colours mean: a bar of them between the first number and the last."""
    font, middle = round(foot * 0.45), image.height - foot / 2
    first = write(image, (edge, middle), "1", font, LETTERS, anchor="lm")
    last = write(image, (image.width - edge, middle), f"{steps:,}", font, LETTERS, anchor="rm")
    begin, end = edge + first + font // 2, image.width - edge - last - font // 2
    if end > begin:
        bar = colours[np.linspace(0, len(colours) - 1, end - begin).round().astype(int)]
        image.paste(Image.fromarray(bar[None].repeat(max(foot // 4, 1), axis=0)), (begin, round(middle - foot / 8)))
