"""The board: sizes, holes, glued edges, and squares under their three names."""

from __future__ import annotations

import copy
import pickle
from string import ascii_lowercase

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from backrank.errors import BackrankError, BoardTooLarge, InvalidBoard, InvalidSquare, UnknownName
from backrank.geometry.board import MAX_SIDE, WRAPS, Board, Wrap, file_name, parse_square, parse_square_list
from strategies import boards, cells_anywhere, squares

# --- sizes ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "rows", "cols"),
    [
        ("8", 8, 8),
        ("1", 1, 1),
        ("8x8", 8, 8),
        ("3x10", 3, 10),
        ("10X3", 10, 3),
        ("5×6", 5, 6),
        ("5*6", 5, 6),
        ("  5 x 6  ", 5, 6),
        ("007x08", 7, 8),
        (f"{MAX_SIDE}x1", MAX_SIDE, 1),
        ("８x３", 8, 3),
    ],
)
def test_sizes_are_read(text: str, rows: int, cols: int) -> None:
    board = Board.parse(text)
    assert (board.rows, board.cols) == (rows, cols)
    assert board == Board(rows, cols)


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "x", "8x", "x8", "8x8x8", "8 8", "8,8", "eight", "8.0", "8x8.5", "1e3", "0x10", "²", "8x²", "Ⅷ"),
        *("0", "0x5", "5x0", "00x3", "-3x4", "3x-4", "-8", "+8", "8x+8", "３×", "8x8\x00", "nan", "8xx8"),
        *("9" * 10, f"{MAX_SIDE + 1}x1", "9" * 18 + "x1", "9" * 19, "9" * 5000, "1x" + "1" * 100_000),
    ],
)
def test_wrong_sizes_are_refused(text: str) -> None:
    with pytest.raises(InvalidBoard) as caught:
        Board.parse(text)
    assert len(str(caught.value)) < 500 + len(text[:100])
    assert "\n" not in str(caught.value)


def test_a_size_that_is_too_large_says_so() -> None:
    with pytest.raises(BoardTooLarge, match="at most"):
        Board.parse(f"{MAX_SIDE + 1}")


@given(st.text(max_size=12))
def test_any_text_is_a_board_or_invalid(text: str) -> None:
    try:
        board = Board.parse(text)
    except InvalidBoard:
        return
    assert board.is_plain
    assert board.rows >= 1
    assert board.cols >= 1


@given(st.text(alphabet="0123456789xX×* -٣８²", max_size=9))
def test_any_text_like_a_size_is_a_board_or_invalid(text: str) -> None:
    try:
        board = Board.parse(text)
    except InvalidBoard:
        return
    assert Board.parse(f"{board.rows}x{board.cols}") == board


@pytest.mark.parametrize(
    "side", [0, -1, -(2**70), 2**31, 2**70, 3.0, 2.5, "8", "8x8", None, True, False, (8, 8), 1j, b"8"]
)
def test_sides_that_are_no_sides(side: object) -> None:
    with pytest.raises(InvalidBoard):
        Board(side)  # type: ignore[arg-type]
    if side is not None:
        with pytest.raises(InvalidBoard):
            Board(8, side)  # type: ignore[arg-type]


@pytest.mark.parametrize("side", [10**5000, -(10**5000)], ids=["huge", "negative and huge"])
def test_sides_too_long_to_print_are_refused_like_others(side: int) -> None:
    with pytest.raises(InvalidBoard):
        Board(side)


class _Index:
    """A whole number of another make, like those of NumPy."""

    def __init__(self, value: int) -> None:
        self.value = value

    def __index__(self) -> int:
        return self.value


def test_whole_numbers_of_another_make_are_taken_as_ints() -> None:
    board = Board(_Index(3), _Index(4), holes=[_Index(5)])  # type: ignore[list-item]
    assert board == Board(3, 4, holes=[5])
    assert {type(board.rows), type(board.cols), *map(type, board.holes)} == {int}
    assert type(board.square(_Index(2))) is int  # type: ignore[arg-type]
    assert board.square((_Index(0), _Index(2))) == 2  # type: ignore[arg-type]


def test_one_side_means_a_square_board() -> None:
    assert Board(5) == Board(5, 5) != Board(5, 6)


def test_the_largest_board_is_only_a_few_numbers() -> None:
    board = Board(MAX_SIDE)
    assert len(board) == board.size == MAX_SIDE**2
    assert board
    last = board.size - 1
    assert board.square(board.name(last)) == board.square(board.cell(last)) == last
    assert last in board
    assert board.size not in board
    assert next(iter(board)) == 0


# --- equality, hashing, copies ----------------------------------------------------------------------


@given(boards(), boards())
def test_boards_are_equal_when_all_their_parts_are(one: Board, other: Board) -> None:
    same = (one.rows, one.cols, one.holes, one.wrap) == (other.rows, other.cols, other.holes, other.wrap)
    assert (one == other) is same
    assert len({one, other}) == 2 - same


@given(boards())
def test_equal_boards_hash_alike_whatever_they_were_made_of(board: Board) -> None:
    by_name = Board(board.rows, board.cols, holes=[board.name(hole) for hole in board.holes], wrap=board.wrap)
    by_cell = Board(board.rows, board.cols, holes=(board.cell(hole) for hole in board.holes), wrap=board.wrap)
    twice = Board(board.rows, board.cols, holes=[*board.holes, *board.holes], wrap=board.wrap)
    in_text = Board(board.rows, board.cols, holes=" ".join(map(board.name, board.holes)), wrap=board.wrap)
    assert {by_name, by_cell, twice, in_text} == {board}
    assert hash(by_name) == hash(board)


@given(boards())
def test_copies_and_pickles_are_equal(board: Board) -> None:
    assert pickle.loads(pickle.dumps(board)) == board  # noqa: S301 (our own pickle)
    assert copy.deepcopy(board) == copy.copy(board) == board


@pytest.mark.parametrize("field", ["rows", "cols", "holes", "wrap", "other"])
def test_a_board_cannot_be_changed(field: str) -> None:
    board = Board(3)
    with pytest.raises((AttributeError, TypeError)):
        setattr(board, field, 4)
    assert board == Board(3)


def test_a_board_is_not_its_size() -> None:
    other: object = "8x8"
    assert Board(8) != other
    assert Board(3, wrap="torus") != Board(3, wrap="cylinder") != Board(3)


@given(boards())
def test_str_and_repr_tell_boards_apart(board: Board) -> None:
    assert str(board).startswith(f"{board.rows}x{board.cols}")
    assert (board.wrap in str(board)) is (board.wrap != "none")
    assert ("hole" in str(board)) is bool(board.holes)
    assert repr(board).startswith("Board(")
    for hole in board.holes:
        assert repr(board.name(hole)) in repr(board)


# --- wraps and holes --------------------------------------------------------------------------------


def test_the_wraps_are_those_of_the_type() -> None:
    assert WRAPS == Wrap.__args__ == ("none", "cylinder", "torus")  # type: ignore[attr-defined]


@pytest.mark.parametrize("wrap", ["", "Torus", "mobius", None, 0, [], True])
def test_other_wraps_are_unknown_and_the_known_ones_are_listed(wrap: object) -> None:
    with pytest.raises(UnknownName, match="cylinder, torus") as caught:
        Board(3, wrap=wrap)  # type: ignore[arg-type]
    assert isinstance(caught.value, ValueError)


def test_unknown_names_survive_pickling() -> None:
    """Errors travel between processes."""
    error = UnknownName("wrap", "mobius", WRAPS)
    again = pickle.loads(pickle.dumps(error))  # noqa: S301 (our own pickle)
    assert type(again) is UnknownName
    assert str(again) == str(error)


@pytest.mark.parametrize("hole", [9, -1, "d1", "a4", "a0", (3, 0), (0, 3), (-1, 0), "3,0", 1.0, None, True, "zz"])
def test_holes_off_the_board_are_refused(hole: object) -> None:
    with pytest.raises(InvalidSquare):
        Board(3, holes=[hole])  # type: ignore[list-item]


def test_a_board_keeps_at_least_one_square() -> None:
    assert list(Board(2, holes=[0, 1, 2])) == [3]
    with pytest.raises(InvalidBoard, match="hole"):
        Board(2, holes=range(4))
    with pytest.raises(InvalidBoard, match="hole"):
        Board(1, holes=["a1"])


@given(boards())
def test_a_board_is_the_container_of_its_squares(board: Board) -> None:
    inside = list(board)
    assert inside == sorted(set(range(board.size)) - board.holes)
    assert len(board) == len(inside) > 0
    for square in range(-2, board.size + 2):
        assert (square in board) is (square in inside)
    assert board.is_plain is (len(inside) == board.rows * board.cols and board.wrap == "none")


@given(boards())
def test_holes_are_named_in_the_refusal(board: Board) -> None:
    for hole in board.holes:
        for where in (hole, board.cell(hole), board.name(hole)):
            assert where not in board
            with pytest.raises(InvalidSquare, match=rf"\b{board.name(hole)}\b.*hole"):
                board.square(where)


# --- squares, cells, names --------------------------------------------------------------------------


@given(st.data(), boards())
def test_squares_cells_and_names_round_trip(data: st.DataObject, board: Board) -> None:
    square = data.draw(squares(board))
    row, col = board.cell(square)
    assert square == row * board.cols + col
    name = board.name(square)
    spellings = [
        name,
        name.upper(),
        f" {name} ",
        f"{row},{col}",
        f"({row}, {col})",
        f"（{row}，{col}）",
        f"{row} , {col}",
    ]
    for where in (square, (row, col), [row, col], *spellings):
        assert board.square(where) == square  # type: ignore[arg-type]
        assert where in board
    assert parse_square(name, board.rows) == (row, col)


@given(st.data(), st.integers(1, 10**6), st.integers(1, 10**6))
def test_names_round_trip_on_boards_of_any_size(data: st.DataObject, rows: int, cols: int) -> None:
    board = Board(rows, cols)
    square = data.draw(st.integers(0, board.size - 1))
    name = board.name(square)
    assert name.isascii()
    assert name.isalnum()
    assert board.square(name) == square
    assert parse_square(name, rows) == board.cell(square)


def test_names_are_those_of_chess() -> None:
    board = Board(8)
    assert [board.name(square) for square in (0, 7, 56, 63, 42)] == ["a8", "h8", "a1", "h1", "c3"]
    assert board.square("e4") == 36
    assert Board(3, 4).name(3) == "d3"


@pytest.mark.parametrize(
    ("col", "name"),
    [(0, "a"), (25, "z"), (26, "aa"), (27, "ab"), (51, "az"), (52, "ba"), (701, "zz"), (702, "aaa"), (703, "aab")],
)
def test_files_go_on_behind_z(col: int, name: str) -> None:
    assert file_name(col) == name
    board = Board(2, 1000)
    assert board.name(col) == f"{name}2"
    assert board.square(f"{name}1") == 1000 + col


def test_files_are_in_order_and_all_different() -> None:
    names = [file_name(col) for col in range(20_000)]
    assert names == sorted(names, key=lambda name: (len(name), name))
    assert len(set(names)) == len(names)
    assert set("".join(names)) == set(ascii_lowercase)


@pytest.mark.parametrize(
    "text",
    [
        *("a9", "i1", "a0", "a00", "(9,9)", "8,0", "0,8", "-1,0", "0,-1", "(-1,-1)", "aa1", "h9", "a64"),
        *(
            "",
            " ",
            "a",
            "1",
            "3",
            "11",
            "1a",
            "a-1",
            "a1b",
            "a 1",
            "a1 b2",
            "a1,b2",
            "1,2,3",
            "1;2",
            "1.0,2",
            "()",
            ",",
            "0,",
        ),
        *("a²", "a①", "ä1", "ß1", "а1", "1、2", "²,1", "½,1", "a1\x00", "\x00", "e4!", "Ne4", "٣3", "İ1"),
    ],
)
def test_texts_that_are_no_square_of_a_chessboard(text: str) -> None:
    assert text not in Board(8)
    with pytest.raises(InvalidSquare) as caught:
        Board(8).square(text)
    assert "\n" not in str(caught.value)


HUGE = {
    "rank": "a" + "9" * 30,
    "a very long rank": "a" + "9" * 100_000,
    "row": "9" * 30 + ",0",
    "column": "0," + "9" * 30,
    "negative row": "-" + "9" * 30 + ",0",
    "a very long row": "1" * 100_000 + ",0",
    "file": "z" * 30 + "1",
    "a very long file": "a" * 100_000 + "1",
}


@pytest.mark.parametrize("text", HUGE.values(), ids=HUGE.keys())
def test_huge_numbers_in_texts_are_off_the_board(text: str) -> None:
    for board in (Board(8), Board(MAX_SIDE)):
        with pytest.raises(InvalidSquare):
            board.square(text)
        assert text not in board


def test_refusals_of_huge_texts_stay_short() -> None:
    for text in HUGE.values():
        with pytest.raises(BackrankError) as caught:
            Board(8).square(text)
        assert len(str(caught.value)) < 500


@pytest.mark.parametrize(
    "where",
    [
        64,
        -1,
        -64,
        2**70,
        1.0,
        0.5,
        None,
        True,
        False,
        Ellipsis,
        b"a1",
        {0},
        {},
        1j,
        (),
        (0,),
        (0, 1, 2),
        ("0", "1"),
        (0.0, 1.0),
    ],
    ids=repr,
)
def test_values_that_are_no_square_of_a_chessboard(where: object) -> None:
    assert where not in Board(8)
    with pytest.raises(InvalidSquare):
        Board(8).square(where)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "where", [10**5000, -(10**5000), (10**5000, 0), (0, -(10**5000))], ids=["+", "-", "row", "col"]
)
def test_numbers_too_long_to_print_are_off_the_board_like_others(where: int | tuple[int, int]) -> None:
    with pytest.raises(InvalidSquare):
        Board(8).square(where)
    assert where not in Board(8)


@given(st.data(), boards(with_holes=False))
def test_cells_are_on_the_board_exactly_within_its_sides(data: st.DataObject, board: Board) -> None:
    """Glued edges do not make squares beyond them: every square has one name."""
    row, col = data.draw(cells_anywhere(board))
    inside = 0 <= row < board.rows and 0 <= col < board.cols
    assert ((row, col) in board) is inside
    assert (f"{row},{col}" in board) is inside
    if not inside:
        with pytest.raises(InvalidSquare):
            board.square((row, col))


@given(boards(), st.text(max_size=8))
def test_any_text_is_a_square_or_invalid(board: Board, text: str) -> None:
    try:
        square = board.square(text)
    except InvalidSquare:
        assert text not in board
    else:
        assert square in list(board)
        assert text in board


@given(boards(), st.text(alphabet="abcABC0123-,，()（） ²３", max_size=8))
def test_any_text_like_a_square_is_a_square_or_invalid(board: Board, text: str) -> None:
    try:
        square = board.square(text)
    except InvalidSquare:
        assert text not in board
    else:
        assert square in list(board)


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("", []),
        (" ,; ", []),
        ("c3", ["c3"]),
        ("c3,d4", ["c3", "d4"]),
        ("c3, d4", ["c3", "d4"]),
        ("c3 d4;e5\nf6\tg7", ["c3", "d4", "e5", "f6", "g7"]),
        ("0,1 2,3", ["0,1", "2,3"]),
        ("(0,1),(2,3)", ["(0,1)", "(2,3)"]),
        ("(0, 1)(2, 3)", ["(0,1)", "(2,3)"]),
        ("（0，1）c3", ["(0,1)", "c3"]),
        ("c3，d4", ["c3", "d4"]),
    ],
)
def test_lists_of_squares_are_split(text: str, items: list[str]) -> None:
    assert parse_square_list(text) == items


@given(st.data(), boards(with_holes=False))
def test_lists_of_squares_round_trip_in_any_mixture(data: st.DataObject, board: Board) -> None:
    chosen = data.draw(st.lists(squares(board), max_size=6))
    written = [data.draw(st.sampled_from(["{1}", "{0[0]},{0[1]}", "({0[0]}, {0[1]})"])) for _ in chosen]
    text = data.draw(st.sampled_from([" ", "; ", "\n"])).join(
        form.format(board.cell(square), board.name(square)) for form, square in zip(written, chosen, strict=True)
    )
    assert [board.square(item) for item in parse_square_list(text)] == chosen


# --- colours ----------------------------------------------------------------------------------------


@given(boards(with_holes=False))
def test_colours_alternate_from_the_top_left_corner(board: Board) -> None:
    for square in board:
        row, col = board.cell(square)
        assert board.colour(square) == (row % 2 != col % 2)
    counts = [sum(board.colour(square) == colour for square in board) for colour in (0, 1)]
    assert counts[0] - counts[1] == board.size % 2


# --- maps -------------------------------------------------------------------------------------------


@given(boards())
def test_maps_round_trip(board: Board) -> None:
    text = board.to_map()
    assert Board.from_map(text, wrap=board.wrap) == board
    lines = text.split("\n")
    assert [len(line) for line in lines] == [board.cols] * board.rows
    assert text.count("#") == len(board.holes)
    spaced = "\r\n\r\n" + "\r\n".join("  " + " ".join(line) + " " for line in lines) + "\r\n \r\n"
    assert Board.from_map(spaced, wrap=board.wrap) == board
    other_marks = text.replace(".", "o").replace("#", "x")
    assert Board.from_map(other_marks, wrap=board.wrap) == board


def test_a_map_is_read_from_the_top() -> None:
    assert Board.from_map("..#\n...") == Board(2, 3, holes=["c2"])
    assert Board.from_map("""
        □ □ ■
        · o X
    """) == Board(2, 3, holes=["c2", "c1"])


@pytest.mark.parametrize(
    "text",
    ["", "\n", " \n\t ", "..\n.", ".\n..", "..\n\n..", ".?", "1 2\n3 4", "##", "#", "..\n.\u200b", "+--+\n|..|", "8x8"],
)
def test_wrong_maps_are_refused(text: str) -> None:
    with pytest.raises(InvalidBoard):
        Board.from_map(text)


@given(st.text(alphabet=".#xo \n\t\r\x0b\x0c\u2028\u3000?", max_size=20))
def test_any_text_is_a_map_or_invalid(text: str) -> None:
    try:
        board = Board.from_map(text)
    except InvalidBoard:
        return
    marks = "".join(text.split())
    assert board.size == len(marks)
    assert [square in board.holes for square in range(board.size)] == [mark in "#x" for mark in marks]


def test_a_wrong_line_is_numbered() -> None:
    with pytest.raises(InvalidBoard, match="line 3"):
        Board.from_map("...\n...\n..")
    with pytest.raises(InvalidBoard, match=r"line 2.*'\?'"):
        Board.from_map("...\n.?.")


# --- limits -----------------------------------------------------------------------------------------


@given(boards(), st.integers(0, 40))
def test_require_at_most(board: Board, limit: int) -> None:
    for squares_allowed in (limit, board.size, board.size - 1):
        if board.size <= squares_allowed:
            board.require_at_most(squares_allowed, "a test")
        else:
            with pytest.raises(BoardTooLarge, match="a test"):
                board.require_at_most(squares_allowed, "a test")


@given(boards())
def test_errors_about_input_are_value_errors(board: Board) -> None:
    assume(board.holes)
    for error in (InvalidBoard, InvalidSquare, BoardTooLarge, UnknownName):
        assert issubclass(error, ValueError)
        assert issubclass(error, BackrankError)
    with pytest.raises(ValueError, match="hole"):
        board.square(min(board.holes))


@pytest.mark.parametrize("holes", [5, 2.5, True, None])
def test_holes_that_are_no_list_are_one_line(holes: object) -> None:
    with pytest.raises(InvalidBoard, match=r"^holes must be a list of squares, .*, not "):
        Board(3, holes=holes)  # type: ignore[arg-type]
    with pytest.raises(InvalidBoard, match=r"^holes must be a list of squares"):
        Board.of(Board(3), holes=holes)  # type: ignore[arg-type]


def test_what_is_wrong_with_holes_and_sides_is_named() -> None:
    with pytest.raises(InvalidSquare, match=r"^holes: z9 is not on the 3x3 board"):
        Board(3, holes="z9")
    for side in (True, False):
        with pytest.raises(InvalidBoard, match=f"^the number of rows must be a whole number, not {side}$"):
            Board(side)
        with pytest.raises(InvalidBoard, match=f"^the number of columns must be a whole number, not {side}$"):
            Board(8, side)
