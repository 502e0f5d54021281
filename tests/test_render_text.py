"""Boards drawn as text: straight columns whatever the size, and marks that are one column wide."""

from __future__ import annotations

import unicodedata

import pytest

from backrank.errors import BoardTooLarge, InvalidSquare
from backrank.geometry.board import Board
from backrank.render.text import numbered_board, queens_board


def test_numbers_are_aligned_on_a_board_of_a_thousand_squares() -> None:
    board = Board(25, 41)
    lines = numbered_board(board, range(board.size)).splitlines()
    assert len(lines) == 25
    assert {len(line) for line in lines} == {41 * 5 - 1}
    assert lines[-1].endswith("1025")


def test_first_number_is_free() -> None:
    assert numbered_board(Board(1, 3), [2, 0, 1], first=0) == "1 2 0"


def test_coordinates_stand_at_the_left_and_below() -> None:
    lines = numbered_board(Board(10, 27), range(270), coordinates=True).splitlines()
    assert lines[0].startswith("10   1   2")
    assert lines[9].startswith(" 1 244")
    assert lines[-1].split()[-2:] == ["z", "aa"]
    assert len(lines[-1]) == len(lines[0])


def test_borders_are_straight() -> None:
    lines = numbered_board(Board(3, 4), range(12), borders=True).splitlines()
    assert len(lines) == 7
    assert len({len(line) for line in lines}) == 1


def test_squares_not_visited_are_no_holes() -> None:
    assert numbered_board(Board(1, 4, holes=["b1"]), [0]) == "1 . _ _"


@pytest.mark.parametrize("unicode", [True, False])
def test_queens_are_one_column_wide(unicode: bool) -> None:
    text = queens_board(Board(5, holes=["a1"]), [0, 7], unicode=unicode)
    assert {len(line) for line in text.splitlines()} == {9}
    assert not any(unicodedata.east_asian_width(mark) in "WF" or unicodedata.combining(mark) for mark in text)
    assert text.count("#") == 1
    assert text.count("♛" if unicode else "Q") == 2


def test_queens_with_two_letter_files_stay_aligned() -> None:
    lines = queens_board(Board(3, 30), [], coordinates=True).splitlines()
    assert len({len(line) for line in lines}) == 1


@pytest.mark.parametrize("square", [-1, 4, 1])
def test_squares_that_are_not_there_are_refused(square: int) -> None:
    board = Board(2, holes=[1])
    with pytest.raises(InvalidSquare):
        numbered_board(board, [square])
    with pytest.raises(InvalidSquare):
        queens_board(board, [square])


def test_an_enormous_board_is_refused_at_once() -> None:
    with pytest.raises(BoardTooLarge, match="drawn as text"):
        queens_board(Board(10**6), [])
