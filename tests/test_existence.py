"""`existence` against brute force: it says no only where there is no tour, yes only where there is one, and why."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations, pairwise, product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backrank.geometry.board import Board
from backrank.geometry.pieces import KNIGHT, Piece, leaper, move_graph
from backrank.geometry.symmetry import symmetries
from backrank.tours import Existence, KnightTours
from backrank.tours.frontier.reference import count_cycles, count_paths
from backrank.tours.theorems.existence import existence
from strategies import boards, brute_force_tours, leap_table

Pairs = frozenset[tuple[int, int]]


def tour_pairs(board: Board, r: int = 1, s: int = 2) -> Pairs:
    """The ends of all open tours, by dynamic programming over all sets of squares (Held and Karp 1962)."""
    squares = list(board)
    index = {square: i for i, square in enumerate(squares)}
    table = leap_table(board, r, s)
    near = [[index[row * board.cols + col] for row, col in table[board.cell(square)]] for square in squares]
    # starts[visited][last]: bits of the squares from which a path over just these squares leads to the last of them.
    starts = [[0] * len(squares) for _ in range(1 << len(squares))]
    for i in range(len(squares)):
        starts[1 << i][i] = 1 << i
    for visited, row in enumerate(starts):
        for last, bits in enumerate(row):
            if bits:
                for target in near[last]:
                    if not visited >> target & 1:
                        starts[visited | 1 << target][target] |= bits
    return frozenset(
        (squares[first], squares[last])
        for last, bits in enumerate(starts[-1])
        for first in range(len(squares))
        if bits >> first & 1
    )


@lru_cache(maxsize=64)
def knight_pairs(board: Board) -> Pairs:
    """The ends of all open knight's tours, by listing them."""

    def square(cell: tuple[int, int]) -> int:
        return cell[0] * board.cols + cell[1]

    return frozenset((square(path[0]), square(path[-1])) for path in brute_force_tours(board))


def specs(board: Board) -> Iterator[tuple[bool, int | None, int | None]]:
    """Everything that can be asked about a board: closed, start, end."""
    for start in (None, *board):
        yield True, start, None
        for end in (None, *board):
            if start is None or start != end:
                yield False, start, end
                if start is not None and end is not None:
                    yield True, start, end


def is_possible(pairs: Pairs, closing: Pairs, spec: tuple[bool, int | None, int | None]) -> bool:
    closed, start, end = spec
    return any(start in (None, first) and end in (None, last) for first, last in (closing if closed else pairs))


def closing_pairs(board: Board, pairs: Pairs, r: int = 1, s: int = 2) -> Pairs:
    if len(board) < 3:
        return frozenset()
    table = leap_table(board, r, s)
    return frozenset((a, b) for a, b in pairs if board.cell(a) in table[board.cell(b)])


def assert_agrees(board: Board, piece: Piece, pairs: Pairs, closing: Pairs) -> None:
    for spec in specs(board):
        closed, start, end = spec
        verdict = existence(board, piece, closed=closed, start=start, end=end)
        assert verdict.answer in ("yes", "no", "unknown")
        assert_reasoned(verdict)
        if verdict.answer != "unknown":
            expected = is_possible(pairs, closing, spec)
            assert (verdict.answer == "yes") == expected, (board, piece, spec, verdict.reason)


def assert_reasoned(verdict: Existence) -> None:
    assert len(verdict.reason) > 10
    assert "\n" not in verdict.reason
    assert verdict.reason[-1] not in ".,;: "


def sides(most: int) -> list[tuple[int, int]]:
    return [(rows, cols) for rows in range(1, most + 1) for cols in range(1, most // rows + 1)]


# --- against brute force ---------------------------------------------------------------------------


@pytest.mark.parametrize(("rows", "cols"), sides(20))
def test_all_rectangles_of_twenty_squares(rows: int, cols: int) -> None:
    board = Board(rows, cols)
    pairs = knight_pairs(board)
    assert_agrees(board, KNIGHT, pairs, closing_pairs(board, pairs))


@settings(max_examples=250)
@given(boards(min_side=2, max_side=5, wraps=("none",)).filter(lambda board: len(board) <= 20))
def test_random_holes(board: Board) -> None:
    pairs = knight_pairs(board)
    assert_agrees(board, KNIGHT, pairs, closing_pairs(board, pairs))


@pytest.mark.parametrize("wrap", ["cylinder", "torus"])
@pytest.mark.parametrize(("rows", "cols"), sides(10))
def test_all_small_glued_rectangles(rows: int, cols: int, wrap: str) -> None:
    board = Board(rows, cols, wrap=wrap)
    pairs = tour_pairs(board)
    assert_agrees(board, KNIGHT, pairs, closing_pairs(board, pairs))


NUMBERS = [(0, 1), (1, 1), (0, 2), (1, 2), (1, 3), (2, 3), (1, 4), (2, 2)]


@settings(max_examples=120)
@given(boards(min_side=2, max_side=6).filter(lambda board: 3 < len(board) <= 12), st.sampled_from(NUMBERS))
def test_random_boards_of_other_leapers(board: Board, numbers: tuple[int, int]) -> None:
    pairs = tour_pairs(board, *numbers)
    assert_agrees(board, leaper(*numbers), pairs, closing_pairs(board, pairs, *numbers))


@settings(max_examples=30)
@given(
    boards(min_side=3, max_side=6).filter(lambda board: 10 < len(board) <= 17),
    st.sampled_from([(1, 2), (0, 1), (1, 3)]),
)
def test_larger_random_boards_by_the_frontier(board: Board, numbers: tuple[int, int]) -> None:
    """Holes, glued edges and other leapers up to twenty squares; the frontier counts know no theorem."""
    piece = leaper(*numbers)
    adjacency = move_graph(board, piece).adjacency()
    squares = list(board)
    some: Sequence[int | None] = [None, squares[0], squares[len(squares) // 2], squares[-1]]
    cycles = count_cycles(adjacency, board)
    for start, end in product(some, some):
        if start is not None and start == end:
            continue
        paths = count_paths(adjacency, board, start=start, end=end)
        check(existence(board, piece, start=start, end=end), possible=paths > 0)
        if end is None:
            check(existence(board, piece, closed=True, start=start), possible=cycles > 0)
        elif start is not None:
            closes = paths > 0 and end in adjacency[start]
            check(existence(board, piece, closed=True, start=start, end=end), possible=closes)


def check(verdict: Existence, *, possible: bool) -> None:
    assert_reasoned(verdict)
    assert verdict.answer in ("unknown", "yes" if possible else "no"), verdict.reason


# --- theorems --------------------------------------------------------------------------------------


def schwenk(rows: int, cols: int) -> bool:
    """Whether a rectangle has a closed tour (A. J. Schwenk, 1991), as he says it."""
    short, long = sorted((rows, cols))
    return not ((short % 2 and long % 2) or short in (1, 2, 4) or (short == 3 and long in (4, 6, 8)))


@pytest.mark.parametrize("rows", range(1, 21))
def test_closed_tours_of_rectangles_are_decided_as_schwenk_says(rows: int) -> None:
    for cols in range(1, 21):
        verdict = existence(Board(rows, cols), closed=True)
        assert verdict.answer == ("yes" if schwenk(rows, cols) else "no"), (rows, cols)
        assert_reasoned(verdict)
        for start in {0, rows * cols // 2, rows * cols - 1}:
            assert existence(Board(rows, cols), closed=True, start=start).answer == verdict.answer


@pytest.mark.parametrize("rows", range(1, 21))
def test_open_tours_of_rectangles_are_decided(rows: int) -> None:
    for cols in range(1, 21):
        short, long = sorted((rows, cols))
        possible = (
            short >= 5
            or (short == 4 and long >= 5)
            or (short == 3 and (long == 4 or long >= 7))
            or (short, long) == (1, 1)
        )
        verdict = existence(Board(rows, cols))
        assert verdict.answer == ("yes" if possible else "no"), (rows, cols)
        assert_reasoned(verdict)


@pytest.mark.parametrize(("rows", "cols"), [(5, 6), (5, 7), (6, 6), (6, 7), (5, 9)])
def test_starts_of_large_enough_boards_are_a_matter_of_colour(rows: int, cols: int) -> None:
    board = Board(rows, cols)
    for square in board:
        right = rows * cols % 2 == 0 or board.colour(square) == 0
        assert existence(board, start=square).answer == ("yes" if right else "no")
        assert existence(board, end=square).answer == ("yes" if right else "no")


@pytest.mark.parametrize("side", [6, 7, 8])
def test_pairs_of_large_enough_boards_are_a_matter_of_colour(side: int) -> None:
    board = Board(side)
    for start, end in product(board, board):
        if start != end:
            colours = board.colour(start), board.colour(end)
            right = colours == (0, 0) if side % 2 else colours[0] != colours[1]
            assert existence(board, start=start, end=end).answer == ("yes" if right else "no")


@pytest.mark.parametrize(
    ("puzzle", "reason"),
    [
        (KnightTours(5, closed=True), "13 squares are of one colour and 12 of the other"),
        (KnightTours(5, start=1), "must start on a square of the more frequent colour (13 to 12), such as a5; b5"),
        (KnightTours(5, end=1), "must end on a square of the more frequent colour"),
        (KnightTours(8, start=0, end=63), "a8 and h1 are of one"),
        (KnightTours(4, 7, closed=True), "4xn"),
        (KnightTours(3, 8, closed=True), "3x10"),
        (KnightTours(4, 6, start=(1, 0)), "two long edges"),
        (KnightTours(6, 4, start=(0, 1)), "two long edges"),
        (KnightTours(5, start=(1, 1), end=(2, 2)), "corner"),
        (KnightTours(2, 9), "2xn"),
        (KnightTours(1, closed=True), "at least 3 squares"),
        (KnightTours(1, 2, closed=True), "at least 3 squares"),
        (KnightTours(8, closed=True, start="a1", end="h8"), "h8 is not one from a1"),
        (KnightTours(8, piece="1,1"), "never leaves its colour"),
        (KnightTours(8, piece="camel"), "never leaves its colour"),
        (KnightTours(6, holes="a1 c1"), "18 squares are of one colour and only 16 of the other"),
        (KnightTours(3, holes="a1"), "no knight move leads to b2"),
        (KnightTours(8, closed=True, holes="b3 e5"), "a1 has only one knight move, and a closed tour needs two"),
    ],
)
def test_reasons(puzzle: KnightTours, reason: str) -> None:
    verdict = puzzle.existence()
    assert verdict.answer == "no"
    assert reason in verdict.reason


@pytest.mark.parametrize("wrap", ["cylinder", "torus"])
@pytest.mark.parametrize("closed", [False, True])
def test_glued_edges_of_odd_length_have_no_colours(wrap: str, *, closed: bool) -> None:
    """A closed tour of a 5x5 torus exists: what holds of the plain board must not be said of it."""
    board = Board(5, wrap=wrap)
    for start in board:
        assert existence(board, closed=closed, start=start).answer != "no"
    tour = KnightTours(board, closed=closed).solve()
    assert tour is not None
    assert tour.faults() == []


def test_a_cylinder_of_odd_height_keeps_its_colours() -> None:
    """Only the columns are glued, and there are four: every move still changes the colour."""
    board = Board(5, 4, wrap="cylinder")
    verdict = existence(board, start=0, end=2)
    assert verdict.answer == "no"
    assert "colour" in verdict.reason


def test_separate_parts_are_told() -> None:
    board = Board.from_map("...####...\n.#.####.#.\n...####...")
    verdict = existence(board)
    assert verdict.answer == "no"
    assert verdict.reason == "the board falls into 2 parts that no knight move connects"


# --- ends of tours of rectangles -------------------------------------------------------------------

DATA = Path(__file__).parent / "data" / "start-end-pairs.txt"
LINES = re.compile(
    r"(\d+x\d+) colour-ok pairs=(\d+) yes=(\d+) no=(\d+) unknown=0 classes_bad=(\d+):(.*)\n"
    r" +possible start squares: (\d+) of (\d+); colour allows (\d+); missing:(.*)\n"
)
TABLE = LINES.findall(DATA.read_text(encoding="utf-8"))


def cells(text: str) -> list[tuple[int, int]]:
    return [(int(row), int(col)) for row, col in re.findall(r"\((\d+),(\d+)\)", text)]


def ends_of(board: Board) -> dict[frozenset[int], str]:
    """What `existence` says of all pairs of squares of the right colours."""
    odd = len(board) % 2
    return {
        frozenset({start, end}): existence(board, start=start, end=end).answer
        for start, end in combinations(board, 2)
        if (board.colour(start) == board.colour(end) == 0 if odd else board.colour(start) != board.colour(end))
    }


def test_the_table_of_pairs_is_read_wholly() -> None:
    assert len(TABLE) == 24
    assert len({line[0] for line in TABLE}) == 24


@pytest.mark.parametrize("line", TABLE, ids=lambda line: line[0])
def test_existence_knows_every_line_of_the_table_of_pairs(line: tuple[str, ...]) -> None:
    allowed, yes, no, classes = map(int, line[1:5])
    for board in (Board.parse(line[0]), Board(*map(int, line[0].split("x")[::-1]))):
        known = ends_of(board)
        assert len(known) == allowed
        assert Counter(known.values()) == Counter({"yes": yes, "no": no})
        starts = [square for square in board if existence(board, start=square).answer == "yes"]
        assert starts == [square for square in board if existence(board, end=square).answer == "yes"]
        assert len(starts) == int(line[6])
        assert {existence(board, start=square).answer for square in board} <= {"yes", "no"}
    board = Board.parse(line[0])
    known = ends_of(board)
    impossible = {frozenset(map(board.square, pair)) for pair in zip(*[iter(cells(line[5]))] * 2, strict=True)}
    assert len(impossible) == min(classes, 40)  # long lists are cut
    assert {known[pair] for pair in impossible} <= {"no"}
    if len(impossible) == classes:
        images = [symmetry.permutation(board) for symmetry in symmetries(board)]
        every = {frozenset(image[square] for square in pair) for pair in impossible for image in images}
        assert every == {pair for pair, answer in known.items() if answer == "no"}
    missing = {board.square(cell) for cell in cells(line[9])}
    for square in missing:
        assert existence(board, start=square).answer == "no"
    assert len(missing) == int(line[8]) - int(line[6])


@pytest.mark.parametrize(("rows", "cols"), [(3, 14), (14, 3), (3, 15), (15, 3), (4, 9), (5, 14), (14, 5), (5, 13)])
def test_every_question_about_a_rectangle_is_answered(rows: int, cols: int) -> None:
    """And one end is possible exactly where some other end goes with it."""
    board = Board(rows, cols)
    pairs = {pair for pair, answer in ends_of(board).items() if answer == "yes"}
    for square in board:
        possible = any(square in pair for pair in pairs)
        assert existence(board, start=square).answer == ("yes" if possible else "no")
    adjacency = move_graph(board).adjacency()
    closed = existence(board, closed=True).answer == "yes"
    for start in board:
        for end in adjacency[start]:
            verdict = existence(board, closed=True, start=start, end=end)
            assert verdict.answer == ("yes" if closed and frozenset({start, end}) in pairs else "no")
            assert_reasoned(verdict)


@pytest.mark.parametrize(
    ("puzzle", "reason"),
    [
        (KnightTours(5, 8, start=(2, 1), end=(0, 2)), "a5 and a1 have two moves each, one of them to b3"),
        (KnightTours(8, 5, start=(2, 1), end=(6, 2)), "a1 and e1 have two moves each, one of them to c2"),
        (KnightTours(5, 20, start=(2, 18), end=(0, 1)), "t5 and t1 have two moves each"),
        (KnightTours(3, 20, start=(1, 2), end=(0, 4)), "a3 and a1 have two moves each, one of them to c2"),
        (KnightTours(3, 21, start=(0, 2), end=(2, 2)), "a2 has moves to c3 and c1 only"),
        (KnightTours(21, 3, start=(18, 0), end=(17, 1)), "make a path of 9 squares"),
        (KnightTours(3, 13, start=(0, 2), end=(2, 10)), "exhaustive search"),
        (KnightTours(3, 8, start="c2"), "no tour of 3x8 starts or ends on c2"),
        (KnightTours(5, 6, start=(1, 2), end=(1, 3)), "no tour of 5x6 has its ends on c4 and d4"),
        (KnightTours(4, 60, start=(0, 0), end=(1, 0)), "two long edges"),
        (KnightTours(5, 8, closed=True, start=(2, 1), end=(1, 3)), "a5 and a1 have two moves each"),
    ],
)
def test_reasons_why_squares_cannot_be_the_ends(puzzle: KnightTours, reason: str) -> None:
    verdict = puzzle.existence()
    assert verdict.answer == "no"
    assert reason in verdict.reason
    assert_reasoned(verdict)


@pytest.mark.parametrize("end", [1, 40_001, 20_002, 39_999])
def test_ends_of_closed_tours_on_huge_boards(end: int) -> None:
    """Whether a square is one move from another is told without the graph of the moves."""
    board = Board(20_000)
    verdict = existence(board, closed=True, start=0, end=end)
    assert verdict.answer == ("yes" if end in (40_001, 20_002) else "no")


# --- properties ------------------------------------------------------------------------------------


@given(boards(min_side=2, max_side=7), st.data())
def test_the_answer_does_not_depend_on_how_one_looks_at_the_board(board: Board, data: st.DataObject) -> None:
    squares = list(board)
    start = data.draw(st.sampled_from([None, *squares]), label="start")
    end = data.draw(st.sampled_from([None, *(square for square in squares if square != start)]), label="end")
    closed = data.draw(st.booleans(), label="closed") and (start is not None or end is None)
    answer = existence(board, closed=closed, start=start, end=end).answer
    if not closed or (start is not None and end is not None):
        assert existence(board, closed=closed, start=end, end=start).answer == answer
    for symmetry in symmetries(board):
        image = symmetry.permutation(board)
        ends = [None if square is None else image[square] for square in (start, end)]
        assert existence(board, closed=closed, start=ends[0], end=ends[1]).answer == answer


@given(boards(min_side=3, max_side=7), st.data())
def test_more_conditions_make_no_tours(board: Board, data: st.DataObject) -> None:
    """Where there is no tour at all, there is none from a start; where none from it, none between it and an end."""
    start, end = data.draw(st.sampled_from(list(board))), data.draw(st.sampled_from(list(board)))
    if start == end:
        return
    chain: Iterable[Existence] = (
        existence(board),
        existence(board, start=start),
        existence(board, start=start, end=end),
        existence(board, closed=True, start=start, end=end),
    )
    answers = [verdict.answer for verdict in chain]
    for weaker, stronger in pairwise(answers):
        assert (weaker, stronger) != ("no", "yes")


@pytest.mark.parametrize("tours", [KnightTours(8), KnightTours(4), KnightTours(6, wrap="torus", closed=True)])
def test_an_answer_of_three_is_no_truth_value(tours: KnightTours) -> None:
    """Else `if tours.existence()` would be true of a "no"."""
    with pytest.raises(TypeError, match="neither true nor false: ask its answer"):
        bool(tours.existence())


def test_one_row_has_a_tour_only_if_it_is_one_square() -> None:
    assert KnightTours(1).existence().answer == "yes"
    assert KnightTours(1, 7).existence().reason.startswith("no 1xn board but 1x1 has an open tour")
    assert KnightTours(7, 2).existence().reason.startswith("no 2xn board has an open tour")


def test_pieces_have_their_article() -> None:
    assert KnightTours(8, piece="alfil").existence().reason.startswith("an alfil never")
    assert KnightTours(8, piece="1,5").existence().reason.startswith("a (1,5)-leaper never")
