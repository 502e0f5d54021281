"""Reading and writing: everything printed reads back, everything people paste is understood, nothing crashes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from backrank.errors import BackrankError, BoardTooLarge, InvalidPuzzle, InvalidSquare, InvalidText, UnknownName
from backrank.formats import (
    PLACEMENT_FORMS,
    TOUR_FORMS,
    TourClaim,
    format_placement,
    format_tour,
    parse_placements,
    parse_tours,
)
from backrank.geometry.board import Board
from backrank.geometry.pieces import KNIGHT, leaper, piece_named
from backrank.geometry.verify import FaultKind
from backrank.render.text import numbered_board, queens_board
from backrank.tours import KnightTours

GOLDEN = Path(__file__).parent / "data" / "golden"
TOUR_3X4 = (0, 6, 8, 1, 7, 9, 2, 4, 10, 3, 5, 11)
GRID_3X4 = ((1, 4, 7, 10), (8, 11, 2, 5), (3, 6, 9, 12))
CELLS_3X4 = tuple(divmod(square, 4) for square in TOUR_3X4)
QUEENS_4 = (1, 7, 8, 14)


@st.composite
def boards(draw: st.DrawFn, *, plain: bool = False) -> Board:
    rows, cols = draw(st.integers(1, 12)), draw(st.integers(1, 12))
    if plain:
        return Board(rows, cols)
    holes = draw(st.sets(st.integers(0, rows * cols - 1), max_size=rows * cols - 1))
    return Board(rows, cols, holes=holes, wrap=draw(st.sampled_from(["none", "cylinder", "torus"])))


@st.composite
def numberings(draw: st.DrawFn) -> tuple[Board, tuple[int, ...]]:
    """All squares of a board in any order: what a tour is to a format."""
    board = draw(boards())
    return board, tuple(draw(st.permutations(list(board))))


# Tours: there and back.


@given(numberings(), st.sampled_from(TOUR_FORMS), st.booleans())
def test_every_printed_tour_reads_back(numbering: tuple[Board, tuple[int, ...]], form: str, closed: bool) -> None:
    board, squares = numbering
    text = format_tour(board, squares, form, closed=closed)
    [claim] = parse_tours(text, board=board)
    assert claim.squares() == squares
    assert parse_tours(text, board=board, form=form)[0].squares() == squares
    assert claim.board == board
    if form == "json":
        assert (claim.closed, claim.piece, claim.start, claim.end) == (closed, KNIGHT, squares[0], squares[-1])


@given(numberings(), st.sampled_from(["grid", "json"]))
def test_a_grid_and_json_tell_the_board(numbering: tuple[Board, tuple[int, ...]], form: str) -> None:
    board, squares = numbering
    [claim] = parse_tours(format_tour(board, squares, form), form=form)
    assert claim.squares() == squares
    assert (claim.board.rows, claim.board.cols, claim.board.holes) == (board.rows, board.cols, board.holes)
    if form == "json":
        assert claim.board == board


@given(numberings(), st.booleans(), st.booleans())
def test_every_drawn_tour_reads_back(
    numbering: tuple[Board, tuple[int, ...]], coordinates: bool, borders: bool
) -> None:
    board, squares = numbering
    text = numbered_board(board, squares, coordinates=coordinates, borders=borders)
    [claim] = parse_tours(text, form="grid")
    assert claim.squares() == squares
    assert claim.board.holes == board.holes


@pytest.mark.parametrize("form", [form for form in TOUR_FORMS if form not in ("grid", "grid0")])
def test_lists_of_a_full_board_need_no_board(form: str) -> None:
    [claim] = parse_tours(format_tour(Board(3, 4), TOUR_3X4, form))
    assert claim.board == Board(3, 4)
    assert claim.squares() == TOUR_3X4
    assert claim.faults() == []


@pytest.mark.parametrize("form", TOUR_FORMS)
def test_several_tours_in_one_text(form: str) -> None:
    reverse = TOUR_3X4[::-1]
    text = "\n\n".join(format_tour(Board(3, 4), tour, form) for tour in (TOUR_3X4, reverse))
    assert [claim.squares() for claim in parse_tours(text)] == [TOUR_3X4, reverse]


def test_json_schema_is_stable() -> None:
    assert json.loads(format_tour(Board(1, 2), [1, 0], "json", closed=True, piece=leaper(0, 1))) == {
        "kind": "tour",
        "board": {"rows": 1, "cols": 2, "holes": [], "wrap": "none"},
        "piece": "wazir",
        "closed": True,
        "start": "b1",
        "end": "a1",
        "squares": ["b1", "a1"],
        "cells": [[0, 1], [0, 0]],
    }


def test_a_leaper_without_a_name_reads_back() -> None:
    [claim] = parse_tours(format_tour(Board(1), [0], "json", piece=leaper(1, 5)))
    assert claim.piece == leaper(1, 5)


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("tour-*.txt")), ids=lambda path: path.stem)
def test_golden_tours(path: Path) -> None:
    [claim] = parse_tours(path.read_text())
    assert claim.board == Board(8)
    assert claim.faults() == []


# Tours: what people paste.

GRIDS = {
    "ragged spaces": "1  4 7    10\n  8 11 2 5\n3 6\t9 12\n",
    "tabs": "1\t4\t7\t10\t\n8\t11\t2\t5\t\n3\t6\t9\t12\t\n",
    "zero padded": "01 04 07 10\n08 11 02 05\n03 06 09 12",
    "bars": "| 1 | 4 | 7 | 10 |\n| 8 | 11 | 2 | 5 |\n| 3 | 6 | 9 | 12 |",
    "bars at the edges": "| 1  4  7 10 |\n| 8 11  2  5 |\n| 3  6  9 12 |",
    "frame": "+--+--+--+--+\n| 1| 4| 7|10|\n+--+--+--+--+\n| 8|11| 2| 5|\n+--+--+--+--+\n| 3| 6| 9|12|\n+--+--+--+--+",
    "markdown": "|1|4|7|10|\n|---|---|---|---|\n|8|11|2|5|\n|3|6|9|12|",
    "csv": "1,4,7,10\n8,11,2,5\n3,6,9,12",
    "semicolons": "1;4;7;10\r\n8;11;2;5\r\n3;6;9;12\r\n",
    "python": "[[1, 4, 7, 10], [8, 11, 2, 5], [3, 6, 9, 12]]",
    "python rows": "[1, 4, 7, 10]\n[8, 11, 2, 5]\n[3, 6, 9, 12]\n",
    "numpy": "[[ 1.  4.  7. 10.]\n [ 8. 11.  2.  5.]\n [ 3.  6.\n  9. 12.]]",
    "java": "{{1, 4, 7, 10},\n {8, 11, 2, 5},\n {3, 6, 9, 12}};",
    "trailing commas": "1, 4, 7, 10,\n8, 11, 2, 5,\n3, 6, 9, 12",
    "comments": "# a tour\n#\n 1 4 7 10\n8 11 2 5\n3 6 9 12\n# the end",
    "byte order mark": "\ufeff1 4 7 10\n8 11 2 5\n3 6 9 12",
    "empty lines between": "1 4 7 10\n\n8 11 2 5\n\n3 6 9 12",
    "full-width": "１　４　７　１０\n８　１１　２　５\n３　６　９　１２",
    "labels on both sides": "  a b c d\n3 1 4 7 10 3\n2 8 11 2 5 2\n1 3 6 9 12 1\n  a b c d",
    "mac": "1 4 7 10\r8 11 2 5\r3 6 9 12",
}


@pytest.mark.parametrize("text", GRIDS.values(), ids=GRIDS)
def test_grids_as_people_print_them(text: str) -> None:
    [claim] = parse_tours(text)
    assert claim.grid == GRID_3X4
    assert claim.first == 1
    assert claim.board == Board(3, 4)
    assert claim.notes == ("board taken as 3x4 from the grid",)


@pytest.mark.parametrize("hole", [".", "..", "#", "##", "x", "X", "-", "--", "*", "·", "■", "None"])
def test_marks_of_holes(hole: str) -> None:
    for text, where in ((f"{hole} 1 2\n3 4 5", 0), (f"1 2 3\n4 {hole} 5", 4), (f"1 2 3\n{hole} 4 5", 3)):
        [claim] = parse_tours(text)
        assert claim.board == Board(2, 3, holes=[where])
        assert len(claim.squares()) == 5


@pytest.mark.parametrize(
    ("text", "hole"),
    [("1,2,,4\n5,6,7,8", 2), (",2\n1,3", 0), ("1,2,\n3,4,5", 2), ("| |1|\n|2|3|", 0), ("│ 1 │   │\n│ 3 │ 2 │", 1)],
)
def test_empty_fields_are_holes(text: str, hole: int) -> None:
    assert parse_tours(text)[0].board.holes == {hole}


def test_a_grid_from_0_is_noticed() -> None:
    [claim] = parse_tours("0 3 6 9\n7 10 1 4\n2 5 8 11")
    assert claim.first == 0
    assert claim.squares() == TOUR_3X4
    assert "steps taken as numbered from 0" in claim.notes


def test_several_zeros_are_squares_not_visited() -> None:
    [claim] = parse_tours("1 0 0\n0 0 2", board=Board(2, 3))
    assert claim.first == 1


LISTS = {
    "names": "a3 c2 a1 b3 d2 b1 c3 a2 c1 d3 b2 d1",
    "capitals and dashes": "A3-C2-A1-B3-D2-B1-C3-A2-C1-D3-B2-D1",
    "arrows": "a3 -> c2 → a1 -> b3 -> d2 => b1 c3 a2 c1 d3 b2 d1",
    "move numbers": "1. a3 c2 2. a1 b3 3.d2 b1 4) c3 a2 5: c1 d3\n6. b2 d1",
    "piece letters": "Na3 Nc2 Na1 Nb3 Nd2 Nb1 Nc3 Na2 Nc1 Nd3 Nb2 Nd1",
    "one per line": "a3\nc2\na1\nb3\nd2\nb1\nc3\na2\nc1\nd3\nb2\nd1\n",
    "quoted list": "['a3', 'c2', 'a1', 'b3', 'd2', 'b1', 'c3', 'a2', 'c1', 'd3', 'b2', 'd1']",
    "brackets": " ".join(f"({row},{col})" for row, col in CELLS_3X4),
    "full-width brackets": " ".join(f"（{row}，{col}）" for row, col in CELLS_3X4),
    "dashes between brackets": "-".join(f"({row}, {col})" for row, col in CELLS_3X4),
    "glued": " ".join(f"{row},{col}" for row, col in CELLS_3X4),
    "pairs on lines": "\n".join(f"{row} {col}" for row, col in CELLS_3X4),
    "pairs on lines with a comma": "\n".join(f"{row},{col}" for row, col in CELLS_3X4),
    "from 1": " ".join(f"({row + 1},{col + 1})" for row, col in CELLS_3X4),
    "pairs on lines from 1": "\n".join(f"{row + 1}\t{col + 1}" for row, col in CELLS_3X4),
    "python": str(list(CELLS_3X4)),
    "json pairs": json.dumps(CELLS_3X4),
    "json cells": json.dumps({"cells": CELLS_3X4}),
    "json numbers": json.dumps({"board": "3x4", "squares": TOUR_3X4}),
    "csv": "\n".join(["row;column", *(f"{row};{col}" for row, col in CELLS_3X4)]),
    "csv shuffled": "step,row,col\n" + "\n".join(f"{i},{r},{c}" for i, (r, c) in reversed([*enumerate(CELLS_3X4)])),
}


@pytest.mark.parametrize("text", LISTS.values(), ids=LISTS)
def test_lists_as_people_write_them(text: str) -> None:
    [claim] = parse_tours(text)
    assert claim.cells == CELLS_3X4
    assert claim.board == Board(3, 4)
    assert any("counted from 1" in note for note in claim.notes) == ("{r},{c}" in text or text[:2] in ("(1", "1\t"))


def test_each_line_is_a_tour_if_it_fills_the_board() -> None:
    line = LISTS["names"]
    assert len(parse_tours(f"{line}\n{line}\n{line}")) == 3
    assert len(parse_tours(f"{line}\n{line} a1")) == 1
    half = line.replace(" b1 ", " b1\n")
    assert parse_tours(half)[0].squares() == TOUR_3X4


def test_two_columns_of_numbers_are_a_grid_if_each_number_is_there_once() -> None:
    assert parse_tours("1 4\n2 5\n3 6")[0].grid is not None
    assert parse_tours("0 0\n2 1\n1 3")[0].grid is None
    assert parse_tours("1 4\n2 4\n3 6", board=Board(3, 2))[0].grid is not None
    assert parse_tours("1 4\n2 5\n3 6", form="coordinates")[0].grid is None
    assert parse_tours("[[1, 2], [3, 4]]")[0].grid is not None
    assert parse_tours("[[0, 0], [1, 2]]")[0].grid is None


def test_json_may_say_what_the_tour_must_be() -> None:
    claim = parse_tours('{"board": "3x4", "closed": true, "start": "a1", "piece": "camel", "squares": ["a3", "c2"]}')[0]
    assert (claim.closed, claim.start, claim.piece) == (True, 8, piece_named("camel"))
    kinds = {fault.kind for fault in claim.faults()}
    assert {FaultKind.WRONG_START, FaultKind.NOT_CLOSED, FaultKind.NOT_A_MOVE} <= kinds
    assert FaultKind.NOT_A_MOVE not in {fault.kind for fault in claim.faults(piece=KNIGHT)}


def test_a_given_board_goes_before_the_one_in_the_text() -> None:
    [claim] = parse_tours('{"board": [5, 5], "squares": ["a1"]}', board=Board(8))
    assert claim.board == Board(8)
    assert claim.notes == ("the text says 5x5, but the board was given as 8x8",)


def test_lists_of_tours_in_json() -> None:
    assert len(parse_tours('[["a1", "b3"], ["b3", "a1"]]')) == 2
    assert len(parse_tours("[[[1,2,3]],[[3,2,1]]]")) == 2
    assert len(parse_tours('{"tours": [{"squares": ["a1"]}, {"cells": [[0, 0]]}, {"grid": [[1]]}]}')) == 3
    pretty = json.dumps({"squares": ["a1"]}, indent=2)
    assert len(parse_tours(f"# two\n{pretty}\n{pretty}")) == 2


# Tours: faults and errors.


def test_a_grid_of_another_shape_than_the_given_board_is_a_fault() -> None:
    for text in ("1 4 7 10\n8 11 2 5", "1 4 7 10\n8 11 2\n3 6 9 12", "1 2 3"):
        [claim] = parse_tours(text, board=Board(3, 4))
        assert {fault.kind for fault in claim.faults()} == {FaultKind.WRONG_SHAPE}
        with pytest.raises(InvalidText, match="shape"):
            claim.squares()


def test_squares_off_the_board_are_faults() -> None:
    for text in ("a1 z26 a0", "(0,0) (9,9) (-1,0)"):
        [claim] = parse_tours(text, board=Board(2))
        assert sum(fault.kind is FaultKind.OFF_BOARD for fault in claim.faults()) == 2
        with pytest.raises(InvalidSquare):
            claim.squares()
    assert parse_tours("(-1,-1)", board=Board(2))[0].faults()


@pytest.mark.parametrize("grid", [((1, 1),), ((1, 3),), ((2, 3),)])
def test_an_order_that_cannot_be_read_is_refused(grid: tuple[tuple[int, ...], ...]) -> None:
    with pytest.raises(InvalidText):
        TourClaim(Board(1, 2), grid=grid).squares()


BAD_TOURS = {
    "": "the text is empty",
    " \r\n\t": "the text is empty",
    "# nothing\n# here": "only comments",
    "\n  The knight goes\n": "line 2: 'The' is not a number",
    "1 2 3\n4 five 6": "line 2: 'five' is not a number; a tour is a grid of numbers",
    "1 2 3\n\n4 5 6 7": "line 3: row 2 of the grid has 4 entries, row 1 has 3",
    "1 2 3\n4 5": "line 2: row 2 of the grid has 2 entries, row 1 has 3",
    "a1 b3 foo": "line 1: 'foo' is not the name of a square",
    "a1 b3 \ud800": "U[+]D800",
    "PK\x03\x04": "this is not text: it holds the control character U[+]0003",
    "\x00": r"line 1: this is not text: .* U\+0000",
    "(0,0) (1,two)": r"line 1: '\(1,two\)' is not a pair of coordinates",
    '{"squares": ["a1",': "malformed JSON at line 1, column 1[89]",
    '{"squares": ["a1", 1.5]}': r"squares\[1\]: expected .* not 1.5",
    '{"squares": ["a1", {"x": []}]}': r"squares\[1\]: expected .* not an object",
    '{"squares": ["a1", null]}': r"squares\[1\]: expected .* not null",
    '{"squares": ["a1", true]}': r"squares\[1\]: expected .* not true",
    '{"squares": ["a1", 5]}': r"squares\[1\]: a square number means nothing without a board",
    '{"squares": "a1"}': "squares: expected a list of names, not 'a1'",
    '{"squares": []}': "squares: the list is empty",
    '{"squares": ["\\ud800"]}': r"squares\[0\]: '\\ud800' is not a square",
    '{"squares": ["a1"], "cells": [[0, 1]]}': "different squares",
    '{"squares": ["a1"], "closed": 1}': "closed: expected true or false, not a number",
    '{"squares": ["a1"], "start": "c9"}': "start: .*not on the 1x1 board",
    '{"squares": ["a1"], "piece": "queen"}': "not by a queen",
    '{"squares": ["a1"], "piece": 5}': "piece: expected",
    '{"squares": ["a1"], "kind": "placement"}': "kind: expected \"tour\", not 'placement'",
    '{"squares": ["a1"], "board": {"cols": 3}}': "board: expected",
    '{"squares": ["a1"], "board": {"rows": "8"}}': "board.rows: expected a whole number, not '8'",
    '{"squares": ["a1"], "board": {"rows": 8, "holes": 5}}': "board.holes: expected",
    '{"squares": ["a1"], "board": {"rows": 8, "wrap": 5}}': "board.wrap: expected",
    '{"grid": [[1, 2], 3]}': r"grid\[1\]: expected a list of numbers, not a number",
    '{"grid": [[1, 2], ["a"]]}': r"grid\[1\]: expected a whole number, not 'a'",
    "{}": "no squares; give",
    "[]": "list is empty",
    "[[]]": "list is empty",
    "[[[[[[1]]]]]]": "expected",
    "[" * 100_000: "nested too deeply",
    "[1" + "0" * 5000 + "]": "far too large",
    "1 " + "9" * 5000: "line 1: '9+…9+' is a number of 5000 digits",
    "1 " + "9" * 4000: "line 1: '9+…9+' is a number of 4000 digits",
    "a" + "9" * 5000: "a number of 5000 digits",
    "step,name\n1,a1\n2": "line 3: '2' does not have the 2 fields",
    "step,name\none,a1": "line 2: 'one' is not a number",
    "row,col\n1,x": "line 2: 'x' is not a number",
    "name\nb": "line 2: 'b' is not a square",
    "name,row,col\na1,0,0\na2,0,0": "different squares",
    "row,col": "no squares below",
    ". . .": "holds no number",
    "+---+": "holds no number",
    "1_000 2": "line 1: '1_000' is not a number",
}


@pytest.mark.parametrize(("text", "message"), BAD_TOURS.items(), ids=[text[:30] or "nothing" for text in BAD_TOURS])
def test_errors_say_where_and_what(text: str, message: str) -> None:
    with pytest.raises(InvalidText, match=message) as caught:
        parse_tours(text)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 250


@pytest.mark.parametrize("text", ["a1 zzzzz9", "(99999999,99999999)", "[[0, 3000000000]]", '{"board": "9999x9999"}'])
def test_enormous_boards_are_refused_at_once(text: str) -> None:
    with pytest.raises(BoardTooLarge):
        parse_tours(text)


def test_unknown_forms() -> None:
    with pytest.raises(UnknownName, match="unknown format 'pgn'; known: grid, grid0, names"):
        parse_tours("1", form="pgn")
    with pytest.raises(UnknownName, match="format"):
        format_tour(Board(1), [0], "pgn")
    with pytest.raises(UnknownName, match="format"):
        parse_placements("1", form="pgn")
    with pytest.raises(UnknownName, match="format"):
        format_placement(Board(1), [0], "pgn")


# Placements.


@given(boards(), st.sampled_from(PLACEMENT_FORMS), st.data())
def test_every_printed_placement_reads_back(board: Board, form: str, data: st.DataObject) -> None:
    if form == "columns":
        board = Board(board.rows, board.cols)
        squares = [row * board.cols + data.draw(st.integers(0, board.cols - 1)) for row in range(board.rows)]
    else:
        squares = data.draw(st.lists(st.sampled_from(list(board)), unique=True, min_size=1))
    text = format_placement(board, squares, form, wanted=3)
    [claim] = parse_placements(text, board=board, form=form)
    assert sorted(claim.squares()) == sorted(squares)
    assert claim.queens == (3 if form == "json" else None)
    if form == "json" or (form in ("board", "unicode") and board.wrap == "none"):
        assert parse_placements(text)[0].board == board


@given(boards(plain=True), st.booleans(), st.data())
def test_every_drawn_placement_reads_back(board: Board, unicode: bool, data: st.DataObject) -> None:
    squares = data.draw(st.sets(st.sampled_from(list(board))))
    text = queens_board(board, squares, unicode=unicode, coordinates=True)
    [claim] = parse_placements(text)
    assert set(claim.squares()) == squares
    assert claim.board == board


@pytest.mark.parametrize("form", PLACEMENT_FORMS)
def test_several_placements_in_one_text(form: str) -> None:
    other = (2, 4, 11, 13)
    text = "\n\n".join(format_placement(Board(4), queens, form) for queens in (QUEENS_4, other))
    assert [claim.squares() for claim in parse_placements(text)] == [QUEENS_4, other]
    assert [claim.faults() for claim in parse_placements(text)] == [[], []]


def test_golden_placements() -> None:
    claims = parse_placements((GOLDEN / "queens-8.txt").read_text())
    assert len({claim.cells for claim in claims}) == len(claims) == 92
    assert not any(claim.faults() for claim in claims)


PLACEMENTS = {
    "columns": "1 3 0 2",
    "commas": "1,3,0,2",
    "python": "[1, 3, 0, 2]",
    "python over lines": "[1, 3,\n 0, 2]",
    "from 1": "2 4 1 3",
    "one per line": "1\n3\n0\n2",
    "dots": ".Q..\n...Q\nQ...\n..Q.",
    "spaced": ". Q . .\n. . . Q\nQ . . .\n. . Q .",
    "dashes": "-Q--\n---Q\nQ---\n--Q-",
    "plus": "+ Q + +\n+ + + Q\nQ + + +\n+ + Q +",
    "crosses": "_ X _ _\n_ _ _ X\nX _ _ _\n_ _ X _",
    "stars": "·*··\n···*\n*···\n··*·",
    "chess symbols": "□ ♕ □ ■\n□ ■ □ ♕\n♕ □ ■ □\n■ □ ♕ □",
    "matrix": "0 1 0 0\n0 0 0 1\n1 0 0 0\n0 0 1 0",
    "matrix glued": "0100\n0001\n1000\n0010",
    "matrix json": "[[0, 1, 0, 0], [0, 0, 0, 1], [1, 0, 0, 0], [0, 0, 1, 0]]",
    "strings": '[".Q..", "...Q", "Q...", "..Q."]',
    "lists of strings": "[['.', 'Q', '.', '.'],\n['.', '.', '.', 'Q'],\n['Q', '.', '.', '.'],\n['.', '.', 'Q', '.']]",
    "bars": "|.|Q|.|.|\n|.|.|.|Q|\n|Q|.|.|.|\n|.|.|Q|.|",
    "empty fields": "+-+-+-+-+\n".join(
        ["", *(f"|{row}|\n" for row in (" |Q| | ", " | | |Q", "Q| | | ", " | |Q| ")), ""]
    ),
    "names": "b4 d3 a2 c1",
    "queen names": "Qb4, Qd3, Qa2, Qc1",
    "brackets": "(0,1) (1,3) (2,0) (3,2)",
    "brackets from 1": "(1,2) (2,4) (3,1) (4,3)",
    "pairs on lines": "0,1\n1,3\n2,0\n3,2",
    "json pairs": "[[0, 1], [1, 3], [2, 0], [3, 2]]",
    "json object": '{"columns": [1, 3, 0, 2]}',
    "json names": '["b4", "d3", "a2", "c1"]',
    "csv": "row,col,name\n0,1,b4\n1,3,d3\n2,0,a2\n3,2,c1",
}


@pytest.mark.parametrize("text", PLACEMENTS.values(), ids=PLACEMENTS)
def test_placements_as_people_write_them(text: str) -> None:
    [claim] = parse_placements(text)
    assert claim.squares() == QUEENS_4
    assert claim.board == Board(4)
    assert claim.faults() == []
    assert parse_placements(text, board=Board(4))[0].squares() == QUEENS_4


def test_a_column_out_of_range_is_a_fault() -> None:
    [claim] = parse_placements("1 3 0 9")
    assert FaultKind.OFF_BOARD in {fault.kind for fault in claim.faults()}
    [claim] = parse_placements("1 3 0 2 4", board=Board(4))
    assert FaultKind.OFF_BOARD in {fault.kind for fault in claim.faults()}
    assert parse_placements("-1 3 0 2")[0].faults()


def test_holes_of_a_drawn_board() -> None:
    assert parse_placements("#Q.\n.#Q")[0].board == Board(2, 3, holes=[0, 4])
    assert parse_placements("xQ.\n.XQ")[0].board == Board(2, 3, holes=[0, 4])
    assert parse_placements("# Q .\n# . .\n# . Q")[0].board.holes == {0, 3, 6}


def test_a_matrix_need_not_be_square_if_the_board_is_given() -> None:
    [claim] = parse_placements("0 1 0\n0 0 1", board=Board(2, 3))
    assert claim.squares() == (1, 5)
    assert len(parse_placements("0 1 0\n0 0 1")) == 2


def test_columns_need_one_queen_in_every_row() -> None:
    for squares in ([0, 1], [0], [0, 3, 1]):
        with pytest.raises(InvalidPuzzle, match=r"one queen in every row .* 'names'"):
            format_placement(Board(2), squares, "columns")


BAD_PLACEMENTS = {
    "": "the text is empty",
    "eight queens": "line 1: 'eight' is not a number; write the columns",
    "1 3 0 two": "line 1: 'two' is not a number",
    "Q..\n.Z.\n..Q": "line 2: 'Z' is no mark of a square",
    "Q..\n.Q\n..Q": "line 2: row 2 of the board has 2 squares, row 1 has 3",
    "##\n##": "only comments",
    "[1, 3, null]": r"JSON\[2\]: expected a whole number, not null",
    "[1, 3.5]": r"expected .* not 3.5",
    '{"squares": {"a": 1}}': "squares: expected a list of squares, not an object",
    '{"kind": "tour", "squares": ["a1"]}': 'kind: expected "placement"',
    '{"queens": 8}': "no queens; give",
    "[" * 100_000: "nested too deeply",
    "1 " + "9" * 5000: "a number of 5000 digits",
    "\x00": "not text",
}


@pytest.mark.parametrize(("text", "message"), BAD_PLACEMENTS.items(), ids=[text[:30] or "-" for text in BAD_PLACEMENTS])
def test_errors_of_placements_say_where_and_what(text: str, message: str) -> None:
    with pytest.raises(InvalidText, match=message) as caught:
        parse_placements(text)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 250


def test_a_drawing_must_fit_the_given_board() -> None:
    with pytest.raises(InvalidText, match="2 rows of 2 squares, but the board is 3x3"):
        parse_placements("Q.\n..", board=Board(3))


def test_csv_of_placements_needs_a_header() -> None:
    with pytest.raises(InvalidText, match="no header"):
        parse_placements("1,2", form="csv")


def test_json_says_how_many_queens_are_wanted() -> None:
    [claim] = parse_placements('{"board": "4x4", "queens": 2, "squares": ["a1", "b3"]}')
    assert claim.faults() == []
    assert claim.faults(queens=4)
    assert parse_placements('{"board": "4x4", "queens": 0, "squares": []}')[0].faults() == []


# Whatever the text, only our own errors come out.

WHOLE = [*GRIDS.values(), *LISTS.values(), *PLACEMENTS.values(), *(text for text in BAD_TOURS if len(text) < 100)]
PIECES = [
    *"[]{}(),;:|+-.#xQ\"'_0123456789 \n\t",
    "a1",
    "null",
    "true",
    "1e9",
    "NaN",
    "-1",
    "９",
    "²",
    "│",
    "♛",
    "\ufeff",
]


@st.composite
def mutated(draw: st.DrawFn) -> str:
    text = draw(st.sampled_from(WHOLE))
    for _ in range(draw(st.integers(1, 6))):
        at = draw(st.integers(0, len(text)))
        length = draw(st.sampled_from([0, 0, 1, 1, 5]))
        text = text[:at] + draw(st.sampled_from(PIECES)) * draw(st.sampled_from([0, 1, 1, 3])) + text[at + length :]
    return text


@settings(max_examples=400)
@given(
    st.one_of(st.text(), st.lists(st.sampled_from(PIECES)).map("".join), mutated(), st.characters().map("1 {}".format)),
    st.sampled_from([None, Board(1), Board(3, 4), Board(4, holes=["a1"], wrap="torus")]),
    st.sampled_from([None, None, None, *dict.fromkeys(TOUR_FORMS + PLACEMENT_FORMS)]),
)
@example("²", None, None)
@example("1\x852", None, None)
@example("[NaN, Infinity]", None, None)
@example('{"board": "' + "9" * 5000 + 'x1", "squares": [1]}', None, None)
@example('{"piece": "1,' + "9" * 5000 + '", "squares": ["a1"]}', None, None)
@example('{"squares": [' + "[" * 500 + "]" * 500 + "]}", None, None)
def test_nothing_but_our_own_errors(text: str, board: Board | None, form: str | None) -> None:
    for parse, forms in ((parse_tours, TOUR_FORMS), (parse_placements, PLACEMENT_FORMS)):
        if form is not None and form not in forms:
            continue
        # Any other exception ends the test.
        with suppress_ours():
            claims = parse(text, board=board, form=form)
            assert claims
            for claim in claims:
                if claim.board.size < 100_000:
                    assert isinstance(claim.faults(), list)
                with suppress_ours():
                    claim.squares()


@contextmanager
def suppress_ours() -> Iterator[None]:
    """Let errors of this package pass if they are one line that can be printed."""
    message = ""
    try:
        yield
    except BackrankError as error:
        message = str(error)
    assert "\n" not in message
    assert message.encode() is not None


LONG = {
    "digits": "1" * 10**5,
    "letters": "a" * 10**5,
    "names": "a1" * 50_000,
    "opening": "(" * 10**5,
    "half pairs": "(1 " * 300_000,
    "blanks": "(1" + " " * 10**5 + "x",
    "blanks after": "(1 2" + " " * 10**5 + "x",
    "blanks in a pair": "1" + " " * 10**5 + "x",
    "dashes": "+" + "-" * 10**5 + "x",
    "hashes": "#" * 10**5 + "\n1",
    "bars": "|" * 10**5,
    "brackets": "[]" * 50_000,
    "lines": "\n" * 10**5,
    "commas": "," * 10**5,
    "json strings": '["' + " " * 10**5 + 'x"]',
    "comments": "# 1\n" * 20_000 + "2 3",
}


@pytest.mark.parametrize("text", LONG.values(), ids=LONG)
def test_no_text_takes_for_ever(text: str) -> None:
    """Quadratic or worse, each of these would outlast the time limit that every test has."""
    for parse in (parse_tours, parse_placements):
        try:
            parse(text)
        except BackrankError:
            continue


@pytest.mark.parametrize("form", TOUR_FORMS)
def test_a_large_tour_is_read_and_written(form: str) -> None:
    board = Board(150)
    squares = list(chain(range(0, board.size, 2), range(1, board.size, 2)))
    [claim] = parse_tours(format_tour(board, squares, form))
    assert claim.board == board
    assert claim.squares() == tuple(squares)


# --- Closed tours that come back to their first square ------------------------------------------------

RETURNING = "the last square repeats the first: read as a closed tour"
CLOSED = KnightTours(5, 6, closed=True).solve()


@pytest.mark.parametrize("form", ["names", "coordinates", "json", "csv"])
@pytest.mark.parametrize("board", [None, Board(5, 6)])
def test_a_list_may_come_back_to_its_first_square(form: str, board: Board | None) -> None:
    assert CLOSED is not None
    again = [*CLOSED.squares, CLOSED.squares[0]]
    text = format_tour(CLOSED.board, again, form, closed=True)
    [claim] = parse_tours(text, board=board)
    assert (claim.board, claim.closed, claim.squares()) == (CLOSED.board, True, CLOSED.squares)
    assert claim.faults() == []
    assert claim.notes[-1] == RETURNING


def test_coordinates_from_1_may_come_back_too() -> None:
    assert CLOSED is not None
    cells = [CLOSED.board.cell(square) for square in (*CLOSED.squares, CLOSED.squares[0])]
    [claim] = parse_tours("\n".join(f"{row + 1} {col + 1}" for row, col in cells))
    assert (claim.board, claim.squares(), claim.closed) == (CLOSED.board, CLOSED.squares, True)


def test_each_of_several_lines_may_come_back() -> None:
    assert CLOSED is not None
    names = [CLOSED.board.name(square) for square in CLOSED.squares]
    lines = [" ".join([*names, names[0]]), " ".join([*names[9:], *names[:9], names[9]]), " ".join(names)]
    claims = parse_tours("\n".join(lines))
    assert [claim.closed for claim in claims] == [True, True, None]
    assert [claim.faults(closed=True) for claim in claims] == [[], [], []]


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        # Not the first square, one square too few, and a text that says that the tour is open.
        ("a3 c2 a1 b3 d2 b1 c3 a2 c1 d3 b2 d1 c3", {FaultKind.REPEATED_SQUARE}),
        ("a3 c2 a1 b3 d2 b1 c3 a2 c1 d3 a3", {FaultKind.REPEATED_SQUARE, FaultKind.MISSING_SQUARES}),
        ('{"squares": ["a3","c2","a1","b3","d2","b1","c3","a2","c1","d3","b2","d1","a3"], "closed": false}', None),
    ],
)
def test_other_repetitions_are_faults(text: str, kinds: set[FaultKind] | None) -> None:
    [claim] = parse_tours(text, board=Board(3, 4))
    assert not claim.closed
    assert RETURNING not in claim.notes
    found = {fault.kind for fault in claim.faults()}
    assert found
    assert kinds is None or kinds <= found


def test_a_returning_list_that_cannot_be_closed_has_that_fault_only() -> None:
    [claim] = parse_tours("a3 c2 a1 b3 d2 b1 c3 a2 c1 d3 b2 d1 a3", board=Board(3, 4))
    assert [fault.kind for fault in claim.faults()] == [FaultKind.NOT_CLOSED]
