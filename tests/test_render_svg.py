"""Boards drawn as SVG: well-formed, complete, self-contained, and small even for 40,000 squares."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backrank.errors import BoardTooLarge, InvalidSquare
from backrank.geometry.board import Board
from backrank.geometry.pieces import KNIGHT, QUEEN, move_graph
from backrank.geometry.verify import queens_faults
from backrank.render import look, queens_svg, tour_svg
from backrank.render.lines import attack_lines, move_line
from backrank.tours import KnightTours

SVG = "{http://www.w3.org/2000/svg}"
THREE_BY_FOUR = (0, 6, 8, 1, 7, 9, 2, 4, 10, 3, 5, 11)


def parsed(picture: str) -> ET.Element:
    return ET.fromstring(picture)  # noqa: S314


def points(data: str) -> Iterator[list[tuple[float, float]]]:
    """The lines of path data made of M and relative l, as lists of points."""
    for part in data.split("M")[1:]:
        start, _, moves = part.partition("l")
        numbers = [float(number) for number in re.findall(r"-?[\d.]+", start)]
        line = [(numbers[0], numbers[1])]
        steps = [float(number) for number in re.findall(r"-?[\d.]+", moves)]
        for dx, dy in zip(steps[::2], steps[1::2], strict=True):
            line.append((line[-1][0] + dx, line[-1][1] + dy))
        yield line


def trail(picture: str) -> list[tuple[float, float]]:
    """The points of the tour's line in order, its pieces joined."""
    found: list[tuple[float, float]] = []
    for group in parsed(picture).iter(f"{SVG}g"):
        if group.get("stroke-linejoin") == "round":
            for path in group:
                for line in points(path.get("d", "")):
                    found += line[1:] if found and found[-1] == line[0] else line
    return found


def texts(picture: str) -> list[str]:
    return [element.text or "" for element in parsed(picture).iter(f"{SVG}text")]


def some_walk(board: Board) -> list[int]:
    """Squares joined by knight's moves, as many as come without thinking."""
    graph, squares = move_graph(board), [next(iter(board))]
    while ahead := [square for square in graph.neighbours(squares[-1]) if square not in squares]:
        squares.append(min(ahead, key=graph.degree))
    return squares


def test_a_tour_shows_every_step_in_order() -> None:
    board = Board(3, 4)
    picture = tour_svg(board, THREE_BY_FOUR)
    assert trail(picture) == [(square % 4, square // 4) for square in THREE_BY_FOUR]
    assert texts(picture) == ["a", "b", "c", "d", "1", "2", "3", *map(str, range(1, 13))]
    root = parsed(picture)
    assert root.get("role") == "img"
    assert root.findtext(f"{SVG}title") == "Open knight's tour of 3x4, a3 to d1"
    assert (root.findtext(f"{SVG}desc") or "").startswith("12 squares in the order of the tour: a3, c2, a1")


def test_the_numbers_stand_on_their_squares() -> None:
    board = Board(3, 4)
    root = parsed(tour_svg(board, THREE_BY_FOUR, coordinates=False))
    places = [(float(text.get("x", "")), float(text.get("y", ""))) for text in root.iter(f"{SVG}text")]
    lefts = sorted({x for x, _ in places})
    tops = sorted({y for _, y in places})
    assert [(tops.index(y), lefts.index(x)) for x, y in places] == [board.cell(square) for square in THREE_BY_FOUR]


def test_the_colour_runs_from_the_first_stop_to_the_last() -> None:
    root = parsed(tour_svg(Board(3, 4), THREE_BY_FOUR))
    strokes = [path.get("stroke") for group in root.iter(f"{SVG}g") if group.get("stroke-linejoin") for path in group]
    assert len(strokes) == len(set(strokes)) == 11
    assert (strokes[0], strokes[-1]) == (look.TRAIL[0], look.TRAIL[-1])


def contrast(one: str, other: str) -> float:
    """The contrast of two colours as the Web Content Accessibility Guidelines define it."""

    def luminance(colour: str) -> float:
        shares = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def test_everything_can_be_told_from_what_it_stands_on() -> None:
    for colour in look.trail_colours(96):
        assert contrast(colour, "#ffffff") >= 4.5, colour  # white numbers on beads
        assert min(contrast(colour, look.LIGHT), contrast(colour, look.DARK)) >= 3, colour
    assert contrast(look.LETTERS, look.FRAME) >= 4.5
    assert min(contrast(look.INK, square) for square in (look.LIGHT, look.DARK)) >= 7
    assert min(contrast(look.WARNING, square) for square in (look.LIGHT, look.DARK)) >= 3


@pytest.mark.parametrize(("numbers", "path"), [(True, True), (False, True), (True, False), (False, False)])
def test_numbers_and_line_can_be_left_out(numbers: bool, path: bool) -> None:
    picture = tour_svg(Board(3, 4), THREE_BY_FOUR, coordinates=False, numbers=numbers, path=path)
    assert len(texts(picture)) == 12 * numbers
    assert len(trail(picture)) == 12 * path


def test_numbers_stop_at_16_by_16_unless_wanted() -> None:
    assert len(texts(tour_svg(Board(16), range(256), coordinates=False))) == 256
    assert texts(tour_svg(Board(17), range(289), coordinates=False)) == []
    assert len(texts(tour_svg(Board(17), range(289), coordinates=False, numbers=True))) == 289


def test_a_closed_tour_is_closed_with_a_dashed_line() -> None:
    found = KnightTours(6, closed=True).solve()
    assert found is not None
    tour = found.squares
    picture = tour_svg(Board(6), tour, closed=True)
    (dashed,) = [path for path in parsed(picture).iter(f"{SVG}path") if path.get("stroke-dasharray") == ".16 .16"]
    assert list(points(dashed.get("d", ""))) == [[(tour[-1] % 6, tour[-1] // 6), (tour[0] % 6, tour[0] // 6)]]
    assert "Closed knight" in picture
    assert ".16 .16" not in tour_svg(Board(6), tour)
    assert ".16 .16" not in tour_svg(Board(6), tour[:2], closed=True)


def test_holes_are_cut_out_in_the_colour_of_the_frame() -> None:
    picture = tour_svg(Board(5, holes=["c3", "a1"]), some_walk(Board(5, holes=["c3", "a1"])))
    (holes,) = [path for path in parsed(picture).iter(f"{SVG}path") if path.get("fill") == look.FRAME]
    assert (holes.get("d") or "").count("M") == 2
    assert not any(path.get("fill") == look.FRAME for path in parsed(tour_svg(Board(5), [0])).iter(f"{SVG}path"))


@pytest.mark.parametrize("board", [Board(1), Board(1, 5), Board(2, 2, holes=["a1"]), Board(40, 3)], ids=str)
def test_small_and_odd_boards_are_drawn(board: Board) -> None:
    for squares in ([], list(board)[:1], list(board)[:2]):
        parsed(tour_svg(board, squares, closed=True))
        parsed(queens_svg(board, squares, attacks=True))


def test_squares_that_are_not_there_are_refused() -> None:
    for draw in (tour_svg, queens_svg):
        with pytest.raises(InvalidSquare, match="hole"):
            draw(Board(3, holes=["b2"]), [0, 4])
        with pytest.raises(InvalidSquare):
            draw(Board(3), [9])
        with pytest.raises(BoardTooLarge):
            draw(Board(1001), [])


def test_titles_are_text() -> None:
    title = "</title><script>alert('&')</script>"
    for picture in (tour_svg(Board(3), [0], title=title), queens_svg(Board(3), [0], title=title)):
        assert "<script" not in picture
        assert parsed(picture).findtext(f"{SVG}title") == title


def test_pictures_need_nothing_else_and_do_not_meet_on_a_page() -> None:
    pictures = [
        tour_svg(Board(3, 4), THREE_BY_FOUR, closed=True),
        tour_svg(Board(5, 6, wrap="torus"), some_walk(Board(5, 6, wrap="torus"))),
        queens_svg(Board(8), [0, 9, 63], attacks=True),
    ]
    for picture in pictures:
        assert re.findall(r"\w+://[^\"]+", picture) == ["http://www.w3.org/2000/svg"]
        assert not re.search(r"\b(id|class|href|on\w+)=|url\(|<style|<script|<use", picture)


def test_pictures_are_the_same_every_time() -> None:
    board = Board(8, wrap="torus", holes=["d4", "e5"])
    assert tour_svg(board, some_walk(board)) == tour_svg(board, some_walk(board))
    assert queens_svg(board, [0, 1, 20], attacks=True) == queens_svg(board, (20, 1, 0, 0), attacks=True)


def test_the_picture_has_the_wanted_width() -> None:
    root = parsed(tour_svg(Board(4, 8), [], width=300, coordinates=False))
    assert root.get("width") == "300"
    _, _, wide, high = map(float, root.get("viewBox", "").split())
    assert float(root.get("height", "")) == pytest.approx(300 * high / wide, abs=0.01)


def test_forty_thousand_squares_are_a_small_picture() -> None:
    board = Board(200)
    # Rows there and back: as many moves as a knight's tour has, and no square twice.
    squares = [row * 200 + (col if row % 2 == 0 else 199 - col) for row in range(200) for col in range(200)]
    picture = tour_svg(board, squares)
    assert len(picture) < 400_000
    assert len(list(parsed(picture).iter())) < 500
    assert trail(picture) == [(square % 200, square // 200) for square in squares]


@given(st.integers(3, 8), st.integers(3, 8), st.sampled_from(["none", "cylinder", "torus"]), st.data())
def test_lines_of_moves_stay_on_the_board(rows: int, cols: int, wrap: str, data: st.DataObject) -> None:
    board = Board(rows, cols, wrap=wrap)
    source = data.draw(st.sampled_from(list(board)))
    for target in move_graph(board, KNIGHT).neighbours(source):
        line = move_line(board, KNIGHT, source, target)
        ends = [point for segment in line.segments for point in segment]
        assert ends[0] == (source % cols, source // cols)
        assert ends[-1] == (target % cols, target // cols)
        assert all(-0.5 <= x <= cols - 0.5 and -0.5 <= y <= rows - 0.5 for x, y in ends)
        lengths = [abs(x2 - x1) + abs(y2 - y1) for (x1, y1), (x2, y2) in line.segments]
        assert sum(lengths) <= 3
        assert line.over_edge == (len(line.segments) == 2)


def test_moves_over_an_edge_are_dotted_stubs() -> None:
    board = Board(5, 6, wrap="torus")
    picture = tour_svg(board, [0, 19])  # up two rows and one to the right: out at the top, in at the bottom
    (path,) = next(group for group in parsed(picture).iter(f"{SVG}g") if group.get("stroke-linejoin"))
    assert path.get("stroke-dasharray")
    assert list(points(path.get("d", ""))) == [[(0, 0), (0.25, -0.5)], [(0.25, 4.5), (1, 3)]]


def test_riders_are_drawn_across_the_board() -> None:
    assert move_line(Board(8, wrap="torus"), QUEEN, 0, 6).segments == (((0, 0), (6, 0)),)


def queen_paths(picture: str) -> list[str | None]:
    return [path.get("fill") for path in parsed(picture).iter(f"{SVG}path") if path.get("d") == look.QUEEN]


def test_queens_are_outlines_and_show_attacks_only_if_asked() -> None:
    squares = [0, 9, 30, 5]
    plain = queens_svg(Board(8), squares)
    assert queen_paths(plain) == [look.INK] * 4
    assert "♛" not in plain
    assert look.WARNING not in plain
    warned = queens_svg(Board(8), squares, attacks=True)
    assert sorted(map(str, queen_paths(warned))) == sorted([look.INK] + [look.WARNING] * 3)
    assert "3 of them attack each other" in warned
    assert look.WARNING not in queens_svg(Board(4), [1, 7, 8, 14], attacks=True)


@given(st.integers(1, 7), st.integers(1, 7), st.sampled_from(["none", "cylinder", "torus"]), st.data())
def test_attack_lines_join_exactly_the_queens_at_fault(rows: int, cols: int, wrap: str, data: st.DataObject) -> None:
    board = Board(rows, cols, wrap=wrap)
    squares = tuple(sorted(data.draw(st.sets(st.sampled_from(list(board)), max_size=8))))
    lines = attack_lines(board, squares)
    faults = queens_faults(board, [board.cell(square) for square in squares], queens=len(squares))
    at_fault = {cell for fault in faults for cell in fault.cells}
    assert {board.cell(queen) for first, second, _ in lines for queen in (first, second)} == at_fault
    for first, second, line in lines:
        assert line.segments[0][0] == (first % cols, first // cols)
        assert line.segments[-1][1] == (second % cols, second // cols)
        for (x1, y1), (x2, y2) in line.segments:
            assert x1 == x2 or y1 == y2 or abs(x1 - x2) == abs(y1 - y2)
            assert all(-0.5 <= x <= cols - 0.5 for x in (x1, x2))
            assert all(-0.5 <= y <= rows - 0.5 for y in (y1, y2))


def test_letters_thin_out_on_large_boards() -> None:
    labels = texts(tour_svg(Board(200), [], numbers=False))
    ranks = [int(label) for label in labels if label.isdigit()]
    assert 20 <= len(ranks) <= 60
    assert ranks[0] == 1
    assert len({later - sooner for sooner, later in pairwise(ranks[1:])}) == 1
