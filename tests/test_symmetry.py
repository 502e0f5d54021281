"""The group of a board, its orbits, and canonical forms of tours and placements."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import chain, pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backrank.errors import BoardTooLarge
from backrank.geometry.board import Board
from backrank.geometry.pieces import KNIGHT, Piece, move_graph, queen_lines
from backrank.geometry.symmetry import (
    Symmetry,
    canonical_path,
    canonical_set,
    images,
    orbits,
    permutations,
    stabilizer,
    symmetries,
)
from counts import published
from orbits import orbit_size
from strategies import (
    Claim,
    Queens,
    boards,
    brute_force_queens,
    brute_force_tours,
    closed_tours,
    leapers,
    squares,
    valid_placements,
    valid_tours,
)

Permutation = tuple[int, ...]

GOLDEN_QUEENS = Path(__file__).parent / "data" / "golden" / "queens-8.txt"


def after(second: Permutation, first: Permutation) -> Permutation:
    """First one, then the other."""
    return tuple(second[square] for square in first)


# --- the group --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("board", "size"),
    [
        *((Board(n), 8) for n in (2, 3, 4, 5, 8, 20)),
        *((Board(m, n), 4) for m, n in ((2, 3), (3, 4), (4, 3), (3, 10), (7, 8))),
        *((board, 2) for board in (Board(1, 2), Board(2, 1), Board(1, 9), Board(9, 1))),
        (Board(1), 1),
        *((Board(n, wrap="torus"), 8 * n * n) for n in (3, 4, 5, 6)),
        (Board(2, wrap="torus"), 8),  # all that keep neighbours: shifts are flips
        (Board(1, wrap="torus"), 1),
        (Board(3, 4, wrap="torus"), 6 * 8),
        (Board(2, 5, wrap="torus"), 2 * 10),
        (Board(1, 5, wrap="torus"), 10),
        (Board(1, 2, wrap="torus"), 2),
        *((Board(n, wrap="cylinder"), 2 * 2 * n) for n in (3, 4, 5)),
        (Board(4, 6, wrap="cylinder"), 2 * 12),
        (Board(1, 6, wrap="cylinder"), 12),
        (Board(6, 1, wrap="cylinder"), 2),
        (Board(6, 2, wrap="cylinder"), 2 * 2),
        (Board(1, wrap="cylinder"), 1),
    ],
    ids=str,
)
def test_sizes_of_groups(board: Board, size: int) -> None:
    assert len(permutations(board)) == len(symmetries(board)) == size


def _ring(side: int, *, glued: bool) -> int:
    """How many ways there are to lay a row of squares, or a ring of them, onto itself."""
    return side if side <= 2 else 2 * side if glued else 2


@given(boards(with_holes=False))
def test_sizes_of_groups_by_formula(board: Board) -> None:
    size = _ring(board.rows, glued=board.wrap == "torus") * _ring(board.cols, glued=board.wrap != "none")
    if board.rows == board.cols > 1 and board.wrap != "cylinder":
        size *= 2
    assert len(permutations(board)) == size


@given(st.data(), boards(max_side=5))
def test_a_group_is_a_group(data: st.DataObject, board: Board) -> None:
    group = permutations(board)
    members = set(group)
    assert len(members) == len(group)
    assert group[0] == tuple(range(board.size))
    one, other = data.draw(st.sampled_from(group)), data.draw(st.sampled_from(group))
    assert sorted(one) == list(range(board.size))
    assert after(one, other) in members
    inverse = tuple(one.index(square) for square in range(board.size))
    assert inverse in members
    assert after(one, inverse) == group[0]


@given(boards(with_holes=False, max_side=4))
def test_all_products_are_in_the_group(board: Board) -> None:
    group = set(permutations(board))
    for one in list(group)[:12]:
        assert {after(one, other) for other in group} == group


@given(boards(max_side=5), leapers())
def test_symmetries_keep_moves_and_holes(board: Board, piece: Piece) -> None:
    graph = move_graph(board, piece)
    moves = {(square, target) for square in board for target in graph.neighbours(square)}
    for permutation in permutations(board):
        assert {permutation[hole] for hole in board.holes} == board.holes
        assert {(permutation[square], permutation[target]) for square, target in moves} == moves


@given(boards(max_side=4))
def test_symmetries_keep_the_lines_of_the_queen(board: Board) -> None:
    def attacks(one: int, other: int) -> bool:
        lines = zip(queen_lines(board, board.cell(one)), queen_lines(board, board.cell(other)), strict=True)
        return any(a == b for a, b in lines)

    attacked = {(one, other) for one in board for other in board if attacks(one, other)}
    for permutation in permutations(board):
        assert {(permutation[one], permutation[other]) for one, other in attacked} == attacked


@given(boards())
def test_holes_leave_exactly_the_symmetries_that_keep_them(board: Board) -> None:
    whole = permutations(Board(board.rows, board.cols, wrap=board.wrap))
    keeping = [p for p in whole if {p[hole] for hole in board.holes} == board.holes]
    assert set(permutations(board)) == set(keeping)
    assert len(whole) % len(keeping) == 0


@given(boards(max_side=5))
def test_symmetries_and_permutations_are_the_same_maps(board: Board) -> None:
    for symmetry, permutation in zip(symmetries(board), permutations(board), strict=True):
        assert symmetry.permutation(board) == permutation
        for square in board:
            assert symmetry.cell(board, board.cell(square)) == board.cell(permutation[square])


@given(boards(max_side=5))
def test_names_of_symmetries_are_different(board: Board) -> None:
    names = [symmetry.name for symmetry in symmetries(board)]
    assert len(set(names)) == len(names)
    assert names[0] == "identity"


def _turned(text: str) -> list[str]:
    """A map, turned by 90° clockwise."""
    return ["".join(column) for column in zip(*reversed(text.split()), strict=True)]


@pytest.mark.parametrize(
    ("name", "picture"),
    [
        ("identity", "abc def ghi"),
        ("rotate 90° clockwise", " ".join(_turned("abc def ghi"))),
        ("rotate 90° anticlockwise", "cfi beh adg"),
        ("rotate 180°", "ihg fed cba"),
        ("mirror top to bottom", "ghi def abc"),
        ("mirror left to right", "cba fed ihg"),
        ("mirror in the main diagonal", "adg beh cfi"),
        ("mirror in the other diagonal", "ifc heb gda"),
    ],
)
def test_the_eight_do_what_their_names_say(name: str, picture: str) -> None:
    board = Board(3)
    symmetry = {symmetry.name: symmetry for symmetry in symmetries(board)}[name]
    drawn = [""] * 9
    for letter, square in zip("abcdefghi", board, strict=True):
        drawn[symmetry.permutation(board)[square]] = letter
    assert "".join(drawn) == picture.replace(" ", "")


def test_shifts_go_down_and_right() -> None:
    shift = Symmetry(shift_rows=1, shift_cols=2)
    assert shift.cell(Board(3, 5, wrap="torus"), (2, 4)) == (0, 1)
    assert shift.name == "shift by 1,2"
    assert Symmetry(flip_rows=True, shift_cols=1).name == "mirror top to bottom, then shift by 0,1"


def test_no_group_of_a_huge_board() -> None:
    for board in (Board(2000), Board(2**31 - 1), Board(2000, 2000, wrap="torus")):
        for ask in (symmetries, permutations, orbits):
            with pytest.raises(BoardTooLarge):
                ask(board)


# --- orbits and stabilizers -------------------------------------------------------------------------


@given(boards(max_side=5))
def test_orbits_partition_the_squares(board: Board) -> None:
    classes = orbits(board)
    assert sorted(chain.from_iterable(classes)) == list(board)
    assert [orbit[0] for orbit in classes] == sorted(min(orbit) for orbit in classes)
    group = permutations(board)
    for orbit in classes:
        for square in orbit:
            assert tuple(sorted({permutation[square] for permutation in group})) == orbit


@given(st.data(), boards(max_side=5))
def test_orbit_times_stabilizer_is_the_group(data: st.DataObject, board: Board) -> None:
    square = data.draw(squares(board))
    orbit = next(orbit for orbit in orbits(board) if square in orbit)
    fixing = stabilizer(board, square)
    assert len(orbit) * len(fixing) == len(permutations(board))
    assert all(permutation[square] == square for permutation in fixing)


@given(st.data(), boards(max_side=5))
def test_a_stabilizer_keeps_all_that_it_is_asked_to(data: st.DataObject, board: Board) -> None:
    fixed = data.draw(st.lists(st.one_of(st.none(), squares(board)), max_size=3))
    group = permutations(board)
    asked = [square for square in fixed if square is not None]
    assert list(stabilizer(board, *fixed)) == [p for p in group if [p[square] for square in asked] == asked]


def test_orbits_of_well_known_boards() -> None:
    assert len(orbits(Board(8))) == 10
    assert len(orbits(Board(3, 4))) == 4
    assert orbits(Board(4, 5, wrap="torus")) == [tuple(range(20))]
    assert [len(orbit) for orbit in orbits(Board(3, 4, wrap="cylinder"))] == [8, 4]


# --- canonical tours --------------------------------------------------------------------------------


def variants(board: Board, path: Sequence[int], *, closed: bool, directed: bool) -> set[tuple[int, ...]]:
    """All that is the same tour up to symmetry, written out one by one."""
    found = set()
    for permutation in permutations(board):
        image = [permutation[square] for square in path]
        for reading in (image,) if directed else (image, image[::-1]):
            for turn in range(len(reading) if closed else 1):
                found.add((*reading[turn:], *reading[:turn]))
    return found


@given(st.data(), valid_tours(), st.booleans())
def test_canonical_tours_are_the_same_for_the_same_tour(data: st.DataObject, claim: Claim, directed: bool) -> None:
    board, cells, closed = claim
    path = [board.square(cell) for cell in cells]
    group = permutations(board)
    least = canonical_path(group, path, closed=closed, directed=directed)
    same = variants(board, path, closed=closed, directed=directed)
    assert least == min(same)
    other = data.draw(st.sampled_from(sorted(same)))
    assert canonical_path(group, other, closed=closed, directed=directed) == least
    assert canonical_path(group, least, closed=closed, directed=directed) == least


SEVERAL = (
    (Board(3, 4), False),
    (Board(5, 6), True),
    (Board(3, wrap="torus"), True),
    (Board.from_map("...\n.#.\n..."), False),
    (Board(4, wrap="torus"), True),
)


@given(st.data(), st.sampled_from(SEVERAL), st.booleans())
def test_canonical_tours_are_equal_only_for_the_same_tour(
    data: st.DataObject, several: tuple[Board, bool], directed: bool
) -> None:
    board, closed = several
    tours = closed_tours(board, 200) if closed else brute_force_tours(board)
    one, other = ([board.square(cell) for cell in data.draw(st.sampled_from(tours))] for _ in range(2))
    group = permutations(board)
    forms = [canonical_path(group, path, closed=closed, directed=directed) for path in (one, other)]
    same = tuple(other) in variants(board, one, closed=closed, directed=directed)
    assert (forms[0] == forms[1]) is same


@given(st.data(), boards(min_side=2, max_side=4), st.booleans(), st.booleans())
def test_canonical_forms_of_any_sequence(data: st.DataObject, board: Board, closed: bool, directed: bool) -> None:
    path = data.draw(st.lists(squares(board), min_size=1, max_size=6, unique=True))
    for group in (permutations(board), iter(permutations(board))):
        least = canonical_path(group, path, closed=closed, directed=directed)
        assert least == min(variants(board, path, closed=closed, directed=directed))


@pytest.mark.parametrize(("rows", "cols"), [(3, 4), (4, 5), (5, 5)])
def test_classes_of_open_tours_add_up(rows: int, cols: int) -> None:
    board = Board(rows, cols)
    group = permutations(board)
    tours = [tuple(board.square(cell) for cell in path) for path in brute_force_tours(board)]
    assert len(tours) == 2 * published("tours.open.undirected", f"{rows}x{cols}")
    # No symmetry but the identity keeps a directed tour, so every class is of full size.
    directed = Counter(canonical_path(group, path, directed=True) for path in tours)
    assert set(directed.values()) == {len(group)}
    undirected = Counter(canonical_path(group, path) for path in tours)
    for least, times in undirected.items():
        assert times == len(variants(board, least, closed=False, directed=False))
    assert len(directed) / 2 <= len(undirected) <= len(directed)


def test_classes_of_tours_with_a_start_use_its_stabilizer() -> None:
    board = Board(5)
    tours = [tuple(map(board.square, path)) for path in brute_force_tours(board, (0, 0))]
    assert len(tours) == published("tours.open.directed.from", "5x5@0,0") == 304
    corner = stabilizer(board, 0)
    assert len({canonical_path(corner, path, directed=True) for path in tours}) == 304 // 2


def test_closed_classes_of_5x6() -> None:
    board = Board(5, 6)
    group = permutations(board)
    tours = [tuple(map(board.square, path)) for path in closed_tours(board)]
    sizes = Counter(canonical_path(group, path, closed=True) for path in tours)
    assert sum(sizes.values()) == 16
    for least, times in sizes.items():
        cycles = variants(board, least, closed=True, directed=False)
        assert times == len({path for path in cycles if path[0] == 0})


def test_a_canonical_tour_is_a_tour_of_the_board() -> None:
    graph = move_graph(Board(5), KNIGHT)
    path = tuple(map(graph.board.square, brute_force_tours(graph.board, (2, 2))[0]))
    least = canonical_path(permutations(graph.board), path, directed=True)
    assert all((one, other) in graph for one, other in pairwise(least))
    assert sorted(least) == list(range(25))


# --- canonical placements ---------------------------------------------------------------------------


@given(st.data(), valid_placements())
def test_canonical_placements_are_the_same_for_the_same_placement(data: st.DataObject, queens: Queens) -> None:
    board, cells = queens
    placed = [board.square(cell) for cell in cells]
    group = permutations(board)
    least = canonical_set(group, placed)
    orbit = {frozenset(image) for image in images(group, placed)}
    assert least == min(tuple(sorted(image)) for image in orbit)
    assert orbit_size(group, placed) == len(orbit)
    assert len(group) % len(orbit) == 0
    other = data.draw(st.permutations(data.draw(st.sampled_from(sorted(map(sorted, orbit))))))
    assert canonical_set(iter(group), iter(other)) == least
    assert canonical_set(group, least) == least
    assert orbit_size(group, other) == len(orbit)


@given(st.data(), boards(min_side=2, max_side=4))
def test_canonical_sets_are_equal_only_in_one_orbit(data: st.DataObject, board: Board) -> None:
    sets = st.sets(squares(board), min_size=1, max_size=3)
    one, other = data.draw(sets), data.draw(sets)
    group = permutations(board)
    orbit = [{permutation[square] for square in one} for permutation in group]
    assert (canonical_set(group, one) == canonical_set(group, other)) is (other in orbit)


@given(boards(max_side=4))
def test_the_empty_set_is_canonical(board: Board) -> None:
    group = permutations(board)
    assert canonical_set(group, ()) == ()
    assert orbit_size(group, ()) == 1


def test_the_92_placements_are_12_classes() -> None:
    board = Board(8)
    group = permutations(board)
    lines = GOLDEN_QUEENS.read_text(encoding="utf-8").split("\n")
    placements = [[board.square((row, int(col))) for row, col in enumerate(line.split())] for line in lines if line]
    classes = Counter(canonical_set(group, placed) for placed in placements)
    assert len(placements) == published("queens.all", "8") == 92
    assert len(classes) == published("queens.unique", "8") == 12
    assert sorted(classes.values()) == [4, *[8] * 11], "one of them keeps under a half turn"
    assert all(times == orbit_size(group, placed) for placed, times in classes.items())


@pytest.mark.parametrize("n", [1, 4, 5, 6, 7])
def test_unique_placements(n: int) -> None:
    board = Board(n)
    group = permutations(board)
    found = {canonical_set(group, map(board.square, cells)) for cells in brute_force_queens(board)}
    assert len(found) == published("queens.unique", str(n))
    total = sum(orbit_size(group, placed) for placed in found)
    assert total == published("queens.all", str(n))
