"""Boards as PNG: what stands where, what the colours of an overview mean, and that large boards stay cheap."""

from __future__ import annotations

import io
import math
import subprocess
import sys
import tracemalloc
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from PIL import Image

from backrank.errors import BoardTooLarge, InvalidPuzzle, InvalidSquare
from backrank.geometry.board import Board
from backrank.render import look, queens_png, tour_png
from backrank.render.overview import levels, overview, palette
from backrank.render.paint import flattened
from backrank.render.sheet import Sheet
from backrank.tours import KnightTours

THREE_BY_FOUR = (0, 6, 8, 1, 7, 9, 2, 4, 10, 3, 5, 11)
Pixels = NDArray[np.uint8]


def pixels(png: bytes) -> Pixels:
    """The picture of a file, as rows x columns x 3."""
    with Image.open(io.BytesIO(png)) as image:
        assert (image.format, image.mode) == ("PNG", "RGB")
        return np.asarray(image)


def colour(text: str) -> tuple[int, ...]:
    return tuple(int(text[at : at + 2], 16) for at in (1, 3, 5))


def is_grey(pixel: tuple[int, ...]) -> bool:
    """Whether a colour is nearly grey, as squares are and lines are not."""
    return max(pixel) - min(pixel) < 30


class Drawn:
    """A drawn board, asked for what is at places of its sheet."""

    def __init__(self, board: Board, png: bytes, *, full_size: bool = True) -> None:
        self.sheet = Sheet(board, coordinates=True, full_size=full_size)
        self.pixels = pixels(png)
        self.scale = max(self.pixels.shape[:2]) / max(self.sheet.size)

    def at(self, row: float, col: float) -> tuple[int, ...]:
        """The colour at a place, in squares: whole numbers are the middles of squares."""
        y, x = self.sheet.y(row) * self.scale, self.sheet.x(col) * self.scale
        return tuple(map(int, self.pixels[int(y), int(x)]))

    def has(self, row: int, col: int, wanted: str) -> bool:
        """Whether some pixel of a square has a colour."""
        top, left = (int(self.sheet.y(row - 0.45) * self.scale), int(self.sheet.x(col - 0.45) * self.scale))
        side = int(0.9 * 44 * self.scale)
        return bool((self.pixels[top : top + side, left : left + side] == colour(wanted)).all(axis=2).any())


def test_squares_holes_and_ends_have_their_colours() -> None:
    board = Board(5, 6, holes=["c3", "f1"])
    drawn = Drawn(board, tour_png(board, [0, 13, 5], numbers=False, path=False))
    for square in range(board.size):
        row, col = board.cell(square)
        bare = look.FRAME if square in board.holes else (look.LIGHT, look.DARK)[(row + col) % 2]
        assert drawn.at(row + 0.46, col + 0.46) == colour(bare), board.name(square)
        wanted = {0: look.TRAIL[0], 5: look.TRAIL[-1]}.get(square, bare)
        assert drawn.at(row, col) == colour(wanted), board.name(square)
    assert tuple(drawn.pixels[0, 0]) == colour(look.FRAME)


def test_the_moves_are_lines_and_nothing_else_is() -> None:
    board = Board(3, 4)
    drawn = Drawn(board, tour_png(board, THREE_BY_FOUR, numbers=False))
    middles = {
        tuple((a + b) / 2 for a, b in zip(board.cell(one), board.cell(other), strict=True))
        for one, other in pairwise(THREE_BY_FOUR)
    }
    for row2 in range(5):
        for col2 in range(7):
            place = (row2 / 2, col2 / 2)
            if (row2 % 2, col2 % 2) != (0, 0):
                assert is_grey(drawn.at(*place)) == (place not in middles), place


def test_numbers_and_lines_can_be_left_out() -> None:
    board = Board(3, 4)
    drawn = {
        (numbers, path): tour_png(board, THREE_BY_FOUR, numbers=numbers, path=path)
        for numbers in (True, False)
        for path in (True, False)
    }
    assert len(set(drawn.values())) == 4
    assert drawn[True, True] == tour_png(board, THREE_BY_FOUR)
    bare = Drawn(board, drawn[True, False])
    assert all(bare.has(*board.cell(square), look.INK) for square in THREE_BY_FOUR[1:-1])
    none = Drawn(board, drawn[False, False])
    assert not any(none.has(*board.cell(square), look.INK) for square in board)


def test_a_closed_tour_is_closed_and_moves_over_edges_do_not_cross_the_board() -> None:
    tour = KnightTours(6, closed=True).solve()
    assert tour is not None
    closed, opened = (tour_png(Board(6), tour.squares, closed=closed) for closed in (True, False))
    assert closed != opened
    board = Board(5, 6, wrap="torus")
    drawn = Drawn(board, tour_png(board, [0, 19], numbers=False))
    assert is_grey(drawn.at(1.5, 0.5))
    assert not is_grey(drawn.at(4.48, 0.26))


def test_queens_stand_where_they_should_and_attackers_are_marked() -> None:
    board = Board(5, 4, holes=["a1"])
    queens = [0, 5, 11]
    plain, marked = (Drawn(board, queens_png(board, queens, attacks=attacks)) for attacks in (False, True))
    for square in range(board.size):
        place = board.cell(square)
        assert plain.has(*place, look.INK) == (square in queens)
        assert marked.has(*place, look.INK) == (square == 11)
        assert marked.has(*place, look.WARNING) == (square in {0, 5})
    torus = Board(4, wrap="torus")
    assert queens_png(torus, [0, 3], attacks=True) != queens_png(torus, [0, 3])


def test_outlines_become_polygons() -> None:
    outline = flattened(look.QUEEN)
    assert len(outline) == look.QUEEN.count("M")
    assert all(0 <= part <= 100 for line in outline for spot in line for part in spot)
    [disc] = flattened("M8.5 32a5.5 5.5 0 1 0 11 0a5.5 5.5 0 1 0-11 0Z")
    assert all(math.dist(spot, (14, 32)) == pytest.approx(5.5) for spot in disc)
    assert {(round(x, 6), round(y, 6)) for x, y in disc} >= {(8.5, 32), (14, 37.5), (19.5, 32), (14, 26.5)}
    [curve] = flattened("M0 0Q4 8 8 0")
    assert curve[4] == (4, 4)
    assert curve[-1] == (8, 0)


@pytest.mark.parametrize("board", [Board(1), Board(1, 5), Board(2, 2, holes=["a1"]), Board(40, 3)], ids=str)
def test_small_and_odd_boards_are_drawn(board: Board) -> None:
    for squares in ([], list(board)[:1], list(board)[:2], list(board)):
        assert pixels(tour_png(board, squares, closed=True)).size
        assert pixels(queens_png(board, squares, attacks=True)).size


@pytest.mark.parametrize("size", [100, 333, 1200])
def test_the_picture_has_the_wanted_size(size: int) -> None:
    for png in (tour_png(Board(4, 8), [0, 10], size=size), queens_png(Board(8, 4), [0], size=size)):
        assert max(pixels(png).shape) == size
    assert size / 2 < max(pixels(tour_png(Board(2, 1300), [0, 10], size=size)).shape) <= size * 1.1 + 20


def test_what_cannot_be_drawn_is_refused() -> None:
    for squares in ([9], [-1]):
        for draw in (tour_png, queens_png):
            with pytest.raises(InvalidSquare, match="not on the 3x3 board"):
                draw(Board(3), squares)
    for draw in (tour_png, queens_png):
        with pytest.raises(InvalidSquare, match="hole"):
            draw(Board(3, holes=["b2"]), [4])
    with pytest.raises(InvalidSquare, match="hole"):
        tour_png(Board(700, holes=["b2"]), [0, Board(700).square("b2")])
    with pytest.raises(InvalidSquare, match="not on the 700x700 board"):
        tour_png(Board(700), [0, 490_000])
    for size in (99, 10_001):
        with pytest.raises(InvalidPuzzle, match="from 100 to 10,000"):
            tour_png(Board(3), [0], size=size)
    with pytest.raises(BoardTooLarge, match="too small for numbers; a PNG of that size has room for 76x76"):
        tour_png(Board(100), [0], numbers=True)
    with pytest.raises(BoardTooLarge, match="too small for numbers"):
        tour_png(Board(600), [0], numbers=True)
    with pytest.raises(BoardTooLarge, match="up to about 500x500"):
        queens_png(Board(501), [0])
    with pytest.raises(BoardTooLarge, match="takes at most 100,000,000"):
        tour_png(Board(10_001), [])


def test_pictures_are_the_same_every_time_from_tuples_and_arrays() -> None:
    for board in (Board(6), Board(550)):
        squares = tuple(range(0, board.size, 7))
        assert tour_png(board, squares) == tour_png(board, list(squares)) == tour_png(board, np.array(squares))


# --- overviews --------------------------------------------------------------------------------------


def by_sums(board: Board, squares: NDArray[np.int64], closed: bool, joined: int) -> NDArray[np.int64]:
    """The colours of an overview by another way: each square adds its colour to the sums of its pixel."""
    colours = palette(closed=closed).astype(np.int64)
    sums = np.zeros((-(-board.rows // joined), -(-board.cols // joined), 3), np.int64)
    counts = np.zeros(sums.shape[:2], np.int64)
    level = dict.fromkeys(range(board.size), 0) | dict.fromkeys(board.holes, 1)
    level |= {int(at): 2 + step * 253 // max(len(squares) - 1, 1) for step, at in enumerate(squares)}
    for square, place in level.items():
        row, col = board.cell(square)
        sums[row // joined, col // joined] += colours[place]
        counts[row // joined, col // joined] += 1
    return sums // counts[..., None]


@pytest.mark.parametrize("closed", [False, True])
@settings(max_examples=15)
@given(st.integers(1, 3), st.integers(72, 90), st.integers(72, 90), st.integers(0, 2**32))
def test_a_pixel_is_the_mean_of_its_squares(closed: bool, joined: int, rows: int, cols: int, seed: int) -> None:
    squares = np.random.default_rng(seed).permutation(rows * cols)[9:]
    board = Board(rows, cols, holes=set(range(0, rows * cols, 5)) - set(squares.tolist()))
    picture = overview(board, squares, closed=closed, size=-(-max(rows, cols) // joined))
    assert (picture == by_sums(board, squares, closed, joined)).all()


def test_places_go_evenly_from_the_first_to_the_last() -> None:
    board = Board(100)
    squares = np.random.default_rng(1).permutation(board.size)
    along = levels(board, squares).reshape(-1)[squares]
    assert (along[0], along[-1]) == (2, 255)
    assert (np.diff(along.astype(int)) >= 0).all()
    assert set(np.bincount(along)[2:-1]) <= {39, 40}
    assert levels(board, squares[:1]).max() == 2


def oklab(text: str) -> tuple[float, float, float]:
    """Björn Ottosson's OKLab, in which equal distances look equal: lightness, green to red, blue to yellow."""
    shares = [part / 255 for part in colour(text)]
    red, green, blue = [share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares]
    long = math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
    medium = math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
    short = math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
    return (
        0.2104542553 * long + 0.7936177850 * medium - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * medium + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * medium - 0.8086757660 * short,
    )


@pytest.mark.parametrize("stops", [look.ALONG, look.AROUND], ids=["along", "around"])
def test_colours_change_in_even_steps(stops: tuple[str, ...]) -> None:
    places = [oklab(each) for each in stops]
    steps = [math.dist(one, other) for one, other in pairwise(places)]
    assert max(steps) < 1.35 * min(steps)


def test_the_order_can_be_seen_without_seeing_red_and_green() -> None:
    lightness = [oklab(each)[0] for each in look.ALONG]
    assert lightness == sorted(lightness)
    assert lightness[-1] - lightness[0] > 0.6
    half = len(look.AROUND) // 2
    assert look.AROUND[0] == look.AROUND[-1]
    down, up = look.AROUND[: half + 1], look.AROUND[half:]
    for part in (down, up[::-1]):
        lightness = [oklab(each)[0] for each in part]
        assert lightness == sorted(lightness, reverse=True)
    # The two halves differ in blue and yellow, which nearly everybody can tell apart.
    assert all(oklab(each)[2] < -0.02 for each in down[1:-1])
    assert all(oklab(each)[2] > 0.02 for each in up[1:-1])


def test_an_overview_shows_the_ends_and_a_key() -> None:
    board = Board(600)
    squares = np.arange(board.size)
    picture = pixels(tour_png(board, squares))
    edge = 2000 // 80 + 2
    inside = picture[edge : edge + 1800, edge : edge + 1800]
    assert tuple(inside[0, 0]) == colour(look.ALONG[0])
    assert tuple(inside[-1, -1]) == colour(look.ALONG[-1])
    middle = palette(closed=False)[2 + 253 // 2].astype(int)
    assert np.abs(inside[900, 900].astype(int) - middle).max() <= 3
    key = picture[edge + 1800 + (picture.shape[0] - edge - 1800) // 2]
    found = [tuple(map(int, each)) for each in key]
    assert found.index(colour(look.ALONG[0])) < found.index(colour(look.ALONG[-1]))
    assert tour_png(board, squares, closed=True) != tour_png(board, squares)


def test_very_long_boards_can_be_seen() -> None:
    for board in (Board(3, 100_000), Board(100_000, 3)):
        high, wide = pixels(tour_png(board, np.arange(board.size))).shape[:2]
        assert min(high, wide) > 24
        assert max(high, wide) <= 2100
        assert (high < wide) == (board.rows < board.cols)


def test_a_large_overview_takes_little_more_than_a_byte_a_square() -> None:
    board = Board(4_000)
    squares = np.arange(board.size, dtype=np.int32)
    tracemalloc.start()
    try:
        overview(board, squares, closed=False, size=1000)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < board.size + 32 * 2**20


def test_pillow_is_loaded_only_for_a_png() -> None:
    code = (
        "import sys, backrank, backrank.render, backrank.formats; backrank.render.tour_svg(backrank.Board(3), [0]);"
        "assert not {'PIL', 'numpy'} & set(sys.modules); backrank.render.tour_png(backrank.Board(3), [0]);"
        "assert {'PIL', 'numpy'} <= set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
