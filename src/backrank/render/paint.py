"""The canvas of pictures made of pixels: what Pillow is asked for, in the units of the sheet.

Everything is drawn several times as large as wanted and then averaged, which smooths every edge and every line alike.
Pillow's own lines have no smooth edges, and its ellipses none either.
"""

from __future__ import annotations

import io
import math
import re
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import pairwise

from PIL import Image, ImageDraw, ImageFont

from backrank.render.look import DARK, FRAME, INK, LETTERS, LIGHT
from backrank.render.sheet import CELL, Sheet

Spot = tuple[float, float]

_SMOOTH = 3
_MAX_CANVAS = 6_000
_CURVE = 8
_PART = re.compile(r"([MLQa])([^MLQaZ]*)")
_NUMBER = re.compile(r"-?\d*\.?\d+")


class Paint:
    """A canvas for a sheet; all places and sizes are those of the sheet.

    Parameters
    ----------
    sheet : Sheet
    size : int
        The pixels of the longer side.
    """

    def __init__(self, sheet: Sheet, size: int) -> None:
        width, height = sheet.size
        self.pixels = size / max(width, height)
        self.smooth = max(1, min(_SMOOTH, _MAX_CANVAS // size))
        self.scale = self.pixels * self.smooth
        self._size = tuple(max(1, round(side * self.pixels)) * self.smooth for side in (width, height))
        self.image = Image.new("RGB", (self._size[0], self._size[1]), FRAME)
        self._draw = ImageDraw.Draw(self.image)

    def _at(self, spots: Iterable[Spot]) -> list[Spot]:
        return [(x * self.scale, y * self.scale) for x, y in spots]

    def box(self, corner: Spot, size: Spot, colour: str, *, rounded: float = 0, ring: float = 0) -> None:
        """Draw a rectangle, perhaps with round corners, perhaps with a white ring around it."""
        (left, top), (right, bottom) = self._at((corner, (corner[0] + size[0], corner[1] + size[1])))
        if ring:
            by = ring * self.scale
            around = (left - by, top - by, right + by, bottom + by)
            self._draw.rounded_rectangle(around, (rounded + ring) * self.scale, "#ffffff")
        # The last pixel of a box belongs to it.
        inside = (left, top, max(left, right - 1), max(top, bottom - 1))
        if rounded:
            self._draw.rounded_rectangle(inside, rounded * self.scale, colour)
        else:
            self._draw.rectangle(inside, colour)

    def disc(self, middle: Spot, radius: float, colour: str, *, ring: float = 0) -> None:
        """Draw a disc, perhaps with a white ring around it."""
        [at] = self._at([middle])
        if ring:
            self._draw.circle(at, (radius + ring) * self.scale, "#ffffff")
        self._draw.circle(at, radius * self.scale, colour)

    def line(self, spots: Sequence[Spot], width: float, colour: str, *, rounded: bool = False) -> None:
        """Draw straight lines from spot to spot; round corners take long, and are for lines that can be told apart."""
        wide = max(1, round(width * self.scale))
        at = self._at(spots)
        self._draw.line(at, colour, wide)
        if rounded and wide > 2:
            for spot in at:
                self._draw.circle(spot, wide / 2, colour)

    def dashes(self, start: Spot, end: Spot, width: float, colour: str, *, dash: float, gap: float) -> None:
        """Draw a broken line."""
        length = math.dist(start, end)
        at = 0.0
        while at < length:
            shares = (at / length, min(at + dash, length) / length)
            ends = [tuple(a + (b - a) * share for a, b in zip(start, end, strict=True)) for share in shares]
            self.line([(x, y) for x, y in ends], width, colour, rounded=True)
            at += dash + gap

    def text(self, middle: Spot, text: str, size: float, colour: str, *, anchor: str = "mm") -> None:
        """Write a text of digits or small letters around a spot."""
        [(x, y)] = self._at([middle])
        self._draw.text((x, y), text, colour, _font(max(1, round(size * self.scale))), anchor=anchor)

    def outline(self, path: str, corner: Spot, side: float, colour: str) -> None:
        """Draw an outline that fills a box of 100 x 100, with its upper left corner there and so large."""
        for line in flattened(path):
            spots = self._at((corner[0] + x * side / 100, corner[1] + y * side / 100) for x, y in line)
            self._draw.polygon(spots, colour)

    def png(self) -> bytes:
        """Return the picture as a file."""
        small = self.image.reduce(self.smooth) if self.smooth > 1 else self.image
        return encoded(small)


def encoded(image: Image.Image) -> bytes:
    """Return an image as a PNG file."""
    file = io.BytesIO()
    image.save(file, "PNG", compress_level=6)
    return file.getvalue()


def stamp(image: Image.Image, middle: Spot, radius: float, colour: str, *, pointed: bool) -> None:
    """Draw a mark on an image of pixels: a disc, or a square if pointed, with a ring that shows on all colours."""
    side = math.ceil(radius * 1.4) * 2 + 2
    shape = Image.new("L", (side * _SMOOTH, side * _SMOOTH))
    draw = ImageDraw.Draw(shape)
    for reach, filling in ((radius * 1.35, INK), (radius * 1.2, "#ffffff"), (radius, colour)):
        shape.paste(0, (0, 0, *shape.size))
        box = [(side / 2 - reach) * _SMOOTH, (side / 2 - reach) * _SMOOTH]
        box += [(side / 2 + reach) * _SMOOTH] * 2
        draw.rounded_rectangle(box, (reach * 0.3 if pointed else reach) * _SMOOTH, 255)
        corner = (round(middle[0] - side / 2), round(middle[1] - side / 2))
        image.paste(filling, (*corner, corner[0] + side, corner[1] + side), shape.reduce(_SMOOTH))


def write(image: Image.Image, at: Spot, text: str, size: int, colour: str, *, anchor: str) -> int:
    """Write on an image of pixels, and return how wide the text is."""
    draw = ImageDraw.Draw(image)
    draw.text(at, text, colour, _font(size), anchor=anchor)
    return math.ceil(draw.textlength(text, _font(size)))


def hexadecimal(colour: Sequence[int]) -> str:
    """Return red, green and blue as they are written.

    Examples
    --------
    >>> hexadecimal((255, 0, 128))
    '#ff0080'
    """
    return "#" + "".join(f"{int(part):02x}" for part in colour)


@cache
def _font(size: int) -> ImageFont.ImageFont | ImageFont.FreeTypeFont:
    return ImageFont.load_default(size)


def flattened(path: str) -> list[list[Spot]]:
    """Return the outlines of path data as polygons: M, L and Q, and the half circles `a` of which discs are made.

    Examples
    --------
    >>> flattened("M0 0L8 0L8 8Z")
    [[(0.0, 0.0), (8.0, 0.0), (8.0, 8.0)]]
    """
    lines: list[list[Spot]] = []
    for verb, rest in _PART.findall(path):
        numbers = [float(number) for number in _NUMBER.findall(rest)]
        spots = list(zip(numbers[::2], numbers[1::2], strict=False))
        if verb == "M":
            lines.append(spots)
        elif verb == "L":
            lines[-1] += spots
        elif verb == "Q":
            lines[-1] += _curve([lines[-1][-1], *spots])
        elif verb == "a":
            lines[-1] += _half_circle(lines[-1][-1], (numbers[5], numbers[6]))
    return lines


def _curve(spots: Sequence[Spot]) -> list[Spot]:
    """Return points of a Bézier curve: de Casteljau's way, of any degree."""
    found = []
    for number in range(1, _CURVE + 1):
        share = number / _CURVE
        between = list(spots)
        while len(between) > 1:
            between = [(a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share) for a, b in pairwise(between)]
        found += between
    return found


def _half_circle(start: Spot, by: Spot) -> list[Spot]:
    """Return points of the half circle from a spot to the one that lies so far from it."""
    middle = (start[0] + by[0] / 2, start[1] + by[1] / 2)
    radius = math.hypot(*by) / 2
    begin = math.atan2(-by[1], -by[0])
    angles = [begin - math.pi * number / _CURVE for number in range(1, _CURVE + 1)]
    return [(middle[0] + radius * math.cos(angle), middle[1] + radius * math.sin(angle)) for angle in angles]


def board_on(paint: Paint, sheet: Sheet) -> None:
    """Draw the frame, the squares, the holes, and the letters."""
    board = sheet.grid
    left, top = sheet.left, sheet.edge
    paint.box((0, 0), sheet.size, FRAME)
    paint.box((left, top), (board.cols * CELL, board.rows * CELL), LIGHT)
    for row in range(board.rows):
        for col in range(1 - row % 2, board.cols, 2):
            paint.box((left + col * CELL, top + row * CELL), (CELL, CELL), DARK)
    for row, col in map(board.cell, board.holes):
        paint.box((left + col * CELL, top + row * CELL), (CELL, CELL), FRAME)
    if sheet.coordinates:
        for x, y, text in sheet.letters():
            paint.text((x, y), text, sheet.font, LETTERS)
