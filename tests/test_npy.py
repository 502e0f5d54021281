"""Tours as NumPy files: what is written comes back, and whatever else a file holds is refused in one line."""

from __future__ import annotations

import io
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from backrank.errors import BoardTooLarge, InvalidSquare, InvalidText
from backrank.formats import read_tour_npy, write_tour_npy
from backrank.formats.npy import numbered_array
from backrank.geometry.board import Board
from backrank.tours import KnightTours

THREE_BY_FOUR = [[1, 4, 7, 10], [8, 11, 2, 5], [3, 6, 9, 12]]


def saved(array: Any, version: tuple[int, int] | None = None) -> bytes:
    """What NumPy itself writes for an array."""
    file = io.BytesIO()
    np.lib.format.write_array(file, np.asanyarray(array), version)
    return file.getvalue()


@given(st.integers(1, 9), st.integers(1, 9), st.data())
def test_what_is_written_comes_back(rows: int, cols: int, data: st.DataObject) -> None:
    squares = data.draw(st.permutations(range(rows * cols)))
    kept = squares[: data.draw(st.integers(1, len(squares)))]
    board = Board(rows, cols, holes=set(squares) - set(kept))
    file = io.BytesIO()
    write_tour_npy(file, board, kept)
    numbers = np.load(io.BytesIO(file.getvalue()), allow_pickle=False)
    assert (numbers.shape, numbers.dtype) == ((rows, cols), np.int32)
    assert [int(numbers[board.cell(square)]) for square in kept] == list(range(1, len(kept) + 1))
    # Of a single 0 nobody can know whether it is a hole or the first step, unless the board is given.
    claim = read_tour_npy(file.getvalue(), board=board if len(board.holes) == 1 else None)
    assert (claim.board, claim.first) == (board, 1)
    assert claim.squares().tolist() == kept
    array = io.BytesIO()
    write_tour_npy(array, board, np.array(kept))
    assert array.getvalue() == file.getvalue()


def test_a_file_by_its_name(tmp_path: Path) -> None:
    tour = KnightTours(8).solve()
    assert tour is not None
    path = tmp_path / "tour.npy"
    write_tour_npy(path, tour.board, tour.squares)
    assert np.load(path).tolist() == [list(row) for row in tour.grid]
    claim = read_tour_npy(path)
    assert tuple(claim.squares()) == tour.squares
    for array in (claim.grid, claim.squares()):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


def test_several_chunks_are_one_tour() -> None:
    rng = np.random.default_rng(4)
    board = Board(1100, 1050)
    squares = rng.permutation(board.size).astype(np.int32)
    file = io.BytesIO()
    write_tour_npy(file, board, squares)
    assert (read_tour_npy(file.getvalue()).squares() == squares).all()


@pytest.mark.parametrize("kind", ["<i1", "<u1", "<i2", ">i2", ">i4", "<i8", ">u8"])
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("version", [(1, 0), (2, 0)])
def test_any_whole_numbers_in_any_order_are_read(kind: str, order: Any, version: tuple[int, int]) -> None:
    claim = read_tour_npy(saved(np.array(THREE_BY_FOUR, kind, order=order), version))
    assert claim.board == Board(3, 4)
    assert claim.grid.tolist() == THREE_BY_FOUR
    assert claim.squares().tolist() == [0, 6, 8, 1, 7, 9, 2, 4, 10, 3, 5, 11]


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "does not begin"),
        (b"1 2 3", "does not begin"),
        (b"\x93NUMPY", "header"),
        (b"\x93NUMPY\x01\x00", "header"),
        (b"\x93NUMPY\x01\x00\xff\xff{", "header"),
        (b"\x93NUMPY\x01\x00\x10\x00{'descr': nothing", "header"),
        (b"\x93NUMPY\x01\x00\xff\x20" + b"(" * 0x20FF, "header"),
        (b"\x93NUMPY\x07\x00" + saved(THREE_BY_FOUR)[8:], "version 7.0"),
        (saved(THREE_BY_FOUR)[:-1], "12 numbers, and has 11"),
        (saved(THREE_BY_FOUR).replace(b"(3, 4)", b"(9, 9)"), "81 numbers, and has 12"),
        (saved(THREE_BY_FOUR).replace(b"(3, 4), ", b"(-3, -4)"), "-3x-4"),
        (saved(THREE_BY_FOUR).replace(b"(3, 4), }       ", b"(99999, 99999),}"), "9,999,800,001 numbers; at most"),
        (saved(np.zeros((0, 4), int)), "no number"),
        (saved(np.zeros((3, 4))), "float64, not whole numbers"),
        (saved(np.ones((3, 4), bool)), "bool, not whole numbers"),
        (saved(np.array([["a1", "b3"]])), "not whole numbers"),
        (saved(np.zeros(1, [("row", int), ("col", int)])), "not whole numbers"),
        (saved(np.arange(12)), "shape 12; a tour is stored as a board"),
        (saved(np.int64(3)), "a single number"),
        (saved(np.zeros((2, 3, 4), int)), "shape 2x3x4"),
        (saved(np.zeros((3, 4), int)), "only 0"),
    ],
)
def test_what_is_no_board_of_numbers_is_refused_in_one_line(data: bytes, says: str) -> None:
    with pytest.raises(InvalidText) as caught:
        read_tour_npy(data)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 200


class Trap:
    """Something that cannot be unpickled without being noticed."""

    def __reduce__(self) -> tuple[Any, ...]:
        return pytest.fail, ("a pickle was opened",)


def test_pickles_are_never_opened() -> None:
    file = io.BytesIO()
    np.save(file, np.array([[Trap()]], object), allow_pickle=True)
    with pytest.raises(InvalidText, match="object, not whole numbers"):
        read_tour_npy(file.getvalue())
    with pytest.raises(InvalidText, match="does not begin"):
        read_tour_npy(pickle.dumps(Trap()))


@pytest.mark.parametrize(
    ("grid", "says"),
    [
        ([[1, 2, 2]], "does not hold 3"),
        ([[1, 2, 4]], "holds 4, but its numbers must be 1 to 3"),
        ([[1, 2, -1]], "holds -1"),
        ([[1, 0, 3]], "holds 3, but its numbers must be 1 to 2"),
        ([[2**62, 1, 2]], "holds 4611686018427387904"),
    ],
)
def test_the_order_needs_every_number_once(grid: list[list[int]], says: str) -> None:
    with pytest.raises(InvalidText, match=says):
        read_tour_npy(saved(np.array(grid))).squares()


def test_the_board_may_be_given() -> None:
    data = saved(THREE_BY_FOUR)
    assert read_tour_npy(data, board=Board(3, 4, wrap="torus")).board.wrap == "torus"
    with pytest.raises(InvalidText, match="3x4 numbers, but the board was given as 4x3"):
        read_tour_npy(data, board=Board(4, 3))
    with_hole = read_tour_npy(saved([[1, 0, 2]]), board=Board(1, 3, holes=["a1"]))
    with pytest.raises(InvalidSquare, match="1 on a1, a hole"):
        with_hole.squares()
    with pytest.raises(InvalidText, match="does not hold 2"):
        read_tour_npy(saved([[1, 0, 0]]), board=Board(1, 3)).squares()


def test_only_squares_of_the_board_are_written() -> None:
    for squares in ([0, 3], [-1, 0]):
        with pytest.raises(InvalidSquare, match="not on the 1x3 board"):
            numbered_array(Board(1, 3), squares)
    with pytest.raises(InvalidSquare, match="b1 is a hole"):
        numbered_array(Board(1, 3, holes=["b1"]), [0, 1])
    with pytest.raises(BoardTooLarge, match="NumPy file takes at most"):
        numbered_array(Board(50_000), [])
    assert numbered_array(Board(1, 3), []).tolist() == [[0, 0, 0]]


def test_steps_may_be_numbered_from_0() -> None:
    numbers = np.array(THREE_BY_FOUR) - 1
    for board in (None, Board(3, 4)):
        for kind in ("i1", "<u8", ">i4"):
            claim = read_tour_npy(saved(numbers.astype(kind)), board=board)
            assert (claim.board, claim.first) == (Board(3, 4), 0)
            assert claim.squares().tolist() == [0, 6, 8, 1, 7, 9, 2, 4, 10, 3, 5, 11]
    # The largest number that a byte holds is no obstacle.
    row = np.arange(128, dtype=np.int8).reshape(8, 16)
    assert read_tour_npy(saved(row)).squares().tolist() == list(range(128))
    assert read_tour_npy(saved([[0]])).squares().tolist() == [0]


def test_one_0_is_a_hole_if_no_step_leads_from_it_or_the_board_says_so() -> None:
    for squares in ([2, 4, 10, 3, 5, 11, 6, 0, 9, 7, 1], list(range(11))):
        board = Board(3, 4, holes=set(range(12)) - set(squares))
        file = io.BytesIO()
        write_tour_npy(file, board, squares)
        claim = read_tour_npy(file.getvalue())
        assert (claim.board, claim.first, claim.squares().tolist()) == (board, 1, squares)
    # The hole lies one move from the start here.
    board = Board(3, 4, holes=["a1"])
    file = io.BytesIO()
    write_tour_npy(file, board, [1, 7, 9, 0, 6, 11, 5, 3, 10, 4, 2])
    assert read_tour_npy(file.getvalue()).first == 0
    assert read_tour_npy(file.getvalue(), board=board).squares().tolist() == [1, 7, 9, 0, 6, 11, 5, 3, 10, 4, 2]


@pytest.mark.parametrize("grid", [[[0, 1, 1]], [[0, 1, 2, 4]], [[0, 0, 1]], [[0, 1, -1]], [[0, 2, 3]]])
def test_other_numbers_are_not_from_0(grid: list[list[int]]) -> None:
    assert read_tour_npy(saved(grid)).first == 1


def test_what_is_missing_is_told_from_0() -> None:
    with pytest.raises(InvalidText, match="does not hold 2; its numbers must be 0 to 3"):
        read_tour_npy(saved([[0, 1, 1, 3]]), board=Board(1, 4)).squares()


@pytest.mark.parametrize("more", [b"x", saved(THREE_BY_FOUR)])
def test_bytes_after_the_array_are_refused(more: bytes) -> None:
    with pytest.raises(InvalidText, match=f"goes on after its array, by {len(more)} bytes"):
        read_tour_npy(saved(THREE_BY_FOUR) + more)
