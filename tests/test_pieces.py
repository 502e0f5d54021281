"""Leapers, riders, the graph of their moves, and the lines of the queen."""

from __future__ import annotations

import pickle
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backrank.errors import BackrankError, BoardTooLarge, InvalidPuzzle, UnknownName
from backrank.geometry.board import Board, Cell
from backrank.geometry.pieces import (
    BISHOP,
    KING,
    KNIGHT,
    QUEEN,
    ROOK,
    MoveGraph,
    Piece,
    is_move,
    leaper,
    move_graph,
    piece_named,
    queen_lines,
    step,
)
from strategies import (
    boards,
    cells,
    glued_boards,
    is_leap,
    leap_table,
    leaper_numbers,
    leapers,
    pieces,
    plain_boards,
    shares_diagonal,
    walks,
)

# --- pieces -----------------------------------------------------------------------------------------


@given(leaper_numbers(9))
def test_a_leaper_leaps_its_numbers_either_way(numbers: tuple[int, int]) -> None:
    piece = leaper(*numbers)
    assert {tuple(sorted(map(abs, by))) for by in piece.steps} == {tuple(sorted(numbers))}
    assert len(set(piece.steps)) == len(piece.steps)
    low, high = sorted(numbers)
    assert len(piece.steps) == (4 if low in (0, high) else 8)
    assert list(piece.steps) == sorted(piece.steps)
    assert {(-down, -right) for down, right in piece.steps} == set(piece.steps)
    assert piece == leaper(*numbers[::-1])
    assert not piece.slides


def test_the_usual_names() -> None:
    assert [leaper(*numbers).name for numbers in ((0, 1), (1, 1), (2, 1), (3, 1), (2, 3))] == [
        *("wazir", "ferz", "knight", "camel", "zebra")
    ]
    assert str(KNIGHT) == KNIGHT.name == "knight"
    assert leaper(7, 5).name == "(5,7)-leaper"


@pytest.mark.parametrize("numbers", [(0, 0), (-1, 2), (1, -2), (-1, -1)])
def test_numbers_that_make_no_leaper(numbers: tuple[int, int]) -> None:
    with pytest.raises(InvalidPuzzle):
        leaper(*numbers)


@pytest.mark.parametrize("numbers", [(1.5, 2), (1.0, 2.0), (True, 2), ("1", 2), ("1", "2"), (None, 1)])
def test_values_that_are_no_numbers_make_no_leaper(numbers: tuple[object, object]) -> None:
    with pytest.raises(InvalidPuzzle):
        leaper(*numbers)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "piece"),
    [
        ("knight", KNIGHT),
        (" Knight ", KNIGHT),
        ("1,2", KNIGHT),
        ("2,1", KNIGHT),
        ("(1, 2)", KNIGHT),
        ("king", KING),
        ("QUEEN", QUEEN),
        ("rook", ROOK),
        ("bishop", BISHOP),
        ("zebra", leaper(2, 3)),
        ("0,4", leaper(0, 4)),
        ("10,1", leaper(1, 10)),
    ],
)
def test_pieces_are_found_by_name(text: str, piece: Piece) -> None:
    assert piece_named(text) == piece


@pytest.mark.parametrize("text", ["", "knigt", "night", "1", "1,2,3", "1;2", "-1,2", "a,b", "1.5,2", "²,1", "N", "0x1"])
def test_other_names_are_unknown_and_the_known_ones_listed(text: str) -> None:
    with pytest.raises(UnknownName, match="knight, king, queen"):
        piece_named(text)


@pytest.mark.parametrize("text", ["0,0", "(0, 0)"])
def test_a_leaper_that_stands_still_is_none(text: str) -> None:
    with pytest.raises(InvalidPuzzle):
        piece_named(text)


def test_numbers_of_any_length_are_read_or_refused() -> None:
    with pytest.raises(BackrankError):
        piece_named("9" * 5000 + ",1")


@given(leaper_numbers(12))
def test_a_leaper_is_found_by_the_name_it_has(numbers: tuple[int, int]) -> None:
    piece = leaper(*numbers)
    assert piece_named("{},{}".format(*numbers)) == piece
    assert piece_named(piece.name.removesuffix("-leaper")) == piece


@given(st.data(), pieces())
def test_steps_in_another_order(data: st.DataObject, piece: Piece) -> None:
    order = data.draw(st.permutations(piece.steps))
    other = piece.with_steps(iter(order))
    assert other.steps == tuple(order)
    assert (other.name, other.slides) == (piece.name, piece.slides)
    assert (other == piece) is (tuple(order) == piece.steps)
    with pytest.raises(InvalidPuzzle):
        piece.with_steps(order[1:])
    with pytest.raises(InvalidPuzzle):
        piece.with_steps([*order, order[0]])
    with pytest.raises(InvalidPuzzle):
        piece.with_steps([order[0], *order[:-1]] if order[0] != order[-1] else [])
    with pytest.raises(InvalidPuzzle):
        piece.with_steps([(99, 98), *order[1:]])


@given(plain_boards(min_side=2), pieces())
def test_pieces_know_whether_they_change_colour(board: Board, piece: Piece) -> None:
    graph = move_graph(board, piece)
    changes = {board.colour(square) != board.colour(target) for square in board for target in graph.neighbours(square)}
    if piece.changes_colour is None:
        assert piece in {KING, QUEEN, ROOK}
    else:
        assert changes <= {piece.changes_colour}


def test_colour_changes() -> None:
    assert KNIGHT.changes_colour is True
    assert leaper(1, 3).changes_colour is False
    assert BISHOP.changes_colour is False
    assert [piece.changes_colour for piece in (KING, QUEEN, ROOK)] == [None] * 3
    # A rider of odd steps changes colour or not, by the number of them.
    assert Piece("nightrider", KNIGHT.steps, slides=True).changes_colour is None


@given(pieces())
def test_pieces_pickle(piece: Piece) -> None:
    assert pickle.loads(pickle.dumps(piece)) == piece  # noqa: S301 (our own pickle)


# --- the move graph ---------------------------------------------------------------------------------


def check_csr(graph: MoveGraph) -> None:
    """The arrays are well-formed: the same rows in every view, no square twice, none its own, no holes."""
    board = graph.board
    assert graph.indptr.typecode == graph.indices.typecode == "i"
    assert graph.indptr.itemsize == 4
    assert len(graph.indptr) == board.size + 1
    assert list(graph.indptr) == sorted(graph.indptr)
    assert (graph.indptr[0], graph.indptr[-1]) == (0, len(graph.indices))
    rows = graph.adjacency()
    assert len(rows) == board.size
    for square, row in enumerate(rows):
        assert row == graph.neighbours(square)
        assert len(row) == graph.degree(square) == len(set(row))
        assert square not in row
        assert all(target in board for target in row)
        assert row == () or square in board
        assert all((square, target) in graph for target in row)
        assert [target for target in range(-1, board.size + 1) if (square, target) in graph] == sorted(row)


@given(boards(), leaper_numbers(5))
def test_graphs_of_leapers_by_differences(board: Board, numbers: tuple[int, int]) -> None:
    graph = move_graph(board, leaper(*numbers))
    check_csr(graph)
    table = leap_table(board, *numbers)
    for square in range(board.size):
        expected = [row * board.cols + col for row, col in table[board.cell(square)]]
        assert sorted(graph.neighbours(square)) == expected


def _slides(board: Board, source: Cell, by: Cell) -> set[Cell]:
    """Where a rider gets in one direction: walked on an unrolled board."""
    reached: set[Cell] = set()
    row, col = source
    for _ in range(board.size):
        row, col = row + by[0], col + by[1]
        row = row % board.rows if board.wrap == "torus" else row
        col = col % board.cols if board.wrap != "none" else col
        inside = 0 <= row < board.rows and 0 <= col < board.cols
        if not inside or (row, col) == source or row * board.cols + col in board.holes:
            break
        reached.add((row, col))
    return reached


@given(boards(), st.sampled_from([QUEEN, ROOK, BISHOP, Piece("nightrider", KNIGHT.steps, slides=True)]))
def test_graphs_of_riders_by_walking(board: Board, piece: Piece) -> None:
    graph = move_graph(board, piece)
    check_csr(graph)
    for square in board:
        reached = set().union(*(_slides(board, board.cell(square), by) for by in piece.steps))
        assert {board.cell(target) for target in graph.neighbours(square)} == reached


@given(boards(), pieces())
def test_moves_can_be_taken_back(board: Board, piece: Piece) -> None:
    graph = move_graph(board, piece)
    moves = {(square, target) for square, row in enumerate(graph.adjacency()) for target in row}
    assert {(target, square) for square, target in moves} == moves


@given(st.data(), boards(min_side=2), pieces())
def test_neighbours_come_in_the_order_of_the_steps(data: st.DataObject, board: Board, piece: Piece) -> None:
    shuffled = piece.with_steps(data.draw(st.permutations(piece.steps)))
    graph, usual = move_graph(board, shuffled), move_graph(board, piece)
    for square in board:
        assert set(graph.neighbours(square)) == set(usual.neighbours(square))
    if not piece.slides:
        square = data.draw(st.sampled_from(list(board)))
        targets = (step(board, board.cell(square), by) for by in shuffled.steps)
        legal = [target for target in targets if target is not None and target != square and target in board]
        assert list(graph.neighbours(square)) == list(dict.fromkeys(legal))


def test_a_rider_lists_a_whole_direction_before_the_next() -> None:
    graph = move_graph(Board(3), ROOK)
    assert graph.neighbours(0) == (1, 2, 3, 6)
    assert graph.neighbours(4) == (1, 3, 5, 7)


def test_a_rider_stops_in_front_of_a_hole_and_a_leaper_does_not_mind() -> None:
    board = Board(1, 5, holes=[2])
    assert move_graph(board, ROOK).adjacency() == [(1,), (0,), (), (4,), (3,)]
    assert move_graph(board, leaper(0, 3)).adjacency() == [(3,), (4,), (), (0,), (1,)]
    ring = Board(1, 5, holes=[2], wrap="cylinder")
    assert {*move_graph(ring, ROOK).neighbours(0)} == {1, 3, 4}


def test_the_knight_on_well_known_boards() -> None:
    degrees = [move_graph(Board(8)).degree(square) for square in Board(8)]
    assert sum(degrees) == 336
    assert [degrees.count(degree) for degree in (2, 3, 4, 6, 8)] == [4, 8, 20, 16, 16]
    assert move_graph(Board(3)).adjacency() == [(5, 7), (6, 8), (3, 7), (2, 8), (), (0, 6), (1, 5), (0, 2), (1, 3)]


@pytest.mark.parametrize(
    ("rows", "cols", "wrap", "degree"),
    [
        (1, 1, "torus", 0),
        (2, 2, "torus", 2),  # to the sides only: two steps along a ring of two lead back
        (3, 3, "torus", 4),  # two steps forward are one back, so the eight steps fall together in pairs
        (4, 4, "torus", 4),  # two steps forward are two back
        (5, 5, "torus", 8),
        (8, 8, "torus", 8),
        (3, 1, "torus", 2),
        (1, 3, "cylinder", 0),  # a knight changes rows, and there is but one
        (1, 5, "torus", 4),  # a ring of one row: 1 and 2 to either side
        (2, 1, "torus", 1),
    ],
)
def test_the_knight_on_glued_boards(rows: int, cols: int, wrap: str, degree: int) -> None:
    graph = move_graph(Board(rows, cols, wrap=wrap))
    assert {graph.degree(square) for square in range(rows * cols)} == {degree}


@given(st.integers(1, 7), st.integers(1, 7), pieces())
def test_all_squares_of_a_torus_are_alike(rows: int, cols: int, piece: Piece) -> None:
    graph = move_graph(Board(rows, cols, wrap="torus"), piece)
    assert len({graph.degree(square) for square in range(rows * cols)}) == 1


def test_a_leaper_that_is_larger_than_the_board() -> None:
    assert list(move_graph(Board(4), leaper(10**12, 1)).indices) == []
    assert list(move_graph(Board(4, wrap="torus"), leaper(10**12, 0)).indices) == []  # 10**12 is a multiple of 4
    far = move_graph(Board(5, wrap="torus"), leaper(0, 10**12 + 1))  # once more round, and one further
    assert far.adjacency() == move_graph(Board(5, wrap="torus"), leaper(0, 1)).adjacency()


def test_no_graph_of_a_huge_board() -> None:
    with pytest.raises(BoardTooLarge):
        move_graph(Board(10**6))
    with pytest.raises(BoardTooLarge):
        move_graph(Board(2**31 - 1, 1), QUEEN)


@pytest.mark.parametrize(
    "move", [0, "a1", (0,), (0, 1, 2), (-1, 5), (9, 5), (0, -4), (0, 0), (0.5, 5), ("a", 5), (None, 5), [0, 5]]
)
def test_what_is_no_move_is_not_in_the_graph(move: object) -> None:
    assert move not in move_graph(Board(3))


def test_graphs_know_what_they_were_made_of() -> None:
    board = Board(4, 5, holes=[3], wrap="cylinder")
    graph = move_graph(board, leaper(1, 3))
    assert (graph.board, graph.piece) == (board, leaper(1, 3))
    assert graph == move_graph(Board(4, 5, holes=["d4"], wrap="cylinder"), leaper(3, 1))
    assert graph != move_graph(board, KNIGHT)


# --- single moves -----------------------------------------------------------------------------------


@given(st.data(), boards(with_holes=False), leaper_numbers(5))
def test_single_moves_agree_with_the_definition(data: st.DataObject, board: Board, numbers: tuple[int, int]) -> None:
    source, target = data.draw(cells(board)), data.draw(cells(board))
    assert is_move(board, leaper(*numbers), source, target) is is_leap(board, source, target, *numbers)


@given(st.data(), boards(with_holes=False), leapers())
def test_single_moves_agree_with_the_graph(data: st.DataObject, board: Board, piece: Piece) -> None:
    source = data.draw(cells(board))
    square = board.square(source)
    legal = [target for target in board if is_move(board, piece, source, board.cell(target))]
    assert legal == sorted(move_graph(board, piece).neighbours(square))


@given(st.data(), boards(min_side=3))
def test_walks_are_moves_of_the_graph(data: st.DataObject, board: Board) -> None:
    path = [board.square(cell) for cell in data.draw(walks(board, twice=True))]
    graph = move_graph(board)
    assert all(move in graph for move in pairwise(path))


def test_a_step_off_the_board_leads_nowhere_and_round_an_edge_somewhere() -> None:
    assert step(Board(3, 4), (0, 0), (-1, 2)) is None
    assert step(Board(3, 4), (0, 3), (1, 2)) is None
    assert step(Board(3, 4, wrap="cylinder"), (0, 3), (1, 2)) == 5
    assert step(Board(3, 4, wrap="cylinder"), (0, 3), (-1, 2)) is None
    assert step(Board(3, 4, wrap="torus"), (0, 3), (-1, 2)) == 9
    assert step(Board(3, 4, wrap="torus"), (0, 0), (-301, -402)) == 2 * 4 + 2


# --- the lines of the queen -------------------------------------------------------------------------


@given(boards())
def test_queens_attack_along_shared_lines(board: Board) -> None:
    lines = {cell: queen_lines(board, cell) for cell in map(board.cell, range(board.size))}
    for first, second in combinations(lines, 2):
        shared = tuple(a == b for a, b in zip(lines[first], lines[second], strict=True))
        expected = (
            first[0] == second[0],
            first[1] == second[1],
            shares_diagonal(board, first, second, 1),
            shares_diagonal(board, first, second, -1),
        )
        assert shared == expected, (first, second)


@given(boards(with_holes=False))
def test_queens_attack_where_a_queen_can_go(board: Board) -> None:
    graph = move_graph(board, QUEEN)
    for first, second in combinations(board, 2):
        lines = zip(queen_lines(board, board.cell(first)), queen_lines(board, board.cell(second)), strict=True)
        assert any(a == b for a, b in lines) is ((first, second) in graph)


@given(glued_boards())
def test_glued_boards_have_as_many_diagonals_as_they_say(board: Board) -> None:
    numbers = [queen_lines(board, board.cell(square)) for square in board]
    for which in (2, 3):
        used = {lines[which] for lines in numbers}
        assert used == set(range(len(used))), "numbered from 0 without gaps"
