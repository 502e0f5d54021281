"""The compiled check of large tours, beside the one that words every fault."""

from __future__ import annotations

import random

import numpy as np
import pytest

from backrank.errors import InvalidPuzzle
from backrank.geometry.board import Board
from backrank.geometry.pieces import KNIGHT, QUEEN, Piece, leaper
from backrank.geometry.verify import FaultKind, tour_faults
from backrank.tours import KnightTours, Tour
from backrank.tours.analysis.checking import array_faults
from backrank.tours.tour import faults_of

PUZZLES = [
    KnightTours(8, closed=True),
    KnightTours(5, 9),
    KnightTours(6, 7, holes=["c3", "d3"]),
    KnightTours(6, wrap="torus", closed=True),
    KnightTours(5, 8, wrap="cylinder"),
    KnightTours(3, 4, wrap="torus"),
    KnightTours(1, piece="1,2"),
    KnightTours(10, piece="zebra"),
]


def kinds_by_rules(board: Board, squares: list[int], piece: Piece, *, closed: bool) -> set[FaultKind]:
    cells = [divmod(square, board.cols) for square in squares]
    return {fault.kind for fault in tour_faults(board, cells, closed=closed, piece=piece)}


@pytest.mark.parametrize("puzzle", PUZZLES, ids=repr)
@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.uint16])
def test_tours_have_no_faults(puzzle: KnightTours, dtype: type) -> None:
    tour = puzzle.solve()
    assert tour is not None
    squares: np.ndarray = np.array(tour.squares, dtype)
    for workers in (1, 3):
        assert array_faults(puzzle.board, squares, closed=puzzle.closed, piece=puzzle.piece, workers=workers) == []


@pytest.mark.parametrize("puzzle", PUZZLES[:6], ids=repr)
def test_spoilt_tours_have_the_faults_that_the_rules_find(puzzle: KnightTours) -> None:
    tour = puzzle.solve()
    assert tour is not None
    dice = random.Random(9)  # noqa: S311 - a test
    board = puzzle.board
    for _ in range(60):
        squares = list(tour.squares)
        for _ in range(dice.randint(1, 3)):
            spoil = dice.choice(["swap", "repeat", "drop", "hole", "turn"])
            one, other = dice.randrange(len(squares)), dice.randrange(len(squares))
            if spoil == "swap":
                squares[one], squares[other] = squares[other], squares[one]
            elif spoil == "repeat":
                squares[one] = squares[other]
            elif spoil == "drop":
                del squares[one]
            elif spoil == "hole":
                squares[one] = dice.choice(sorted(board.holes) or [squares[other]])
            else:
                squares = squares[one:] + squares[:one]
        found = array_faults(board, np.array(squares), closed=puzzle.closed, piece=puzzle.piece)
        assert {fault.kind for fault in found} == kinds_by_rules(board, squares, puzzle.piece, closed=puzzle.closed)


def test_ends_are_checked() -> None:
    board = Board(6)
    tour = KnightTours(6, start="a1", end="a6").solve()
    assert tour is not None
    squares = tour.array
    assert array_faults(board, squares, start=tour.start, end=tour.end) == []
    kinds = [fault.kind for fault in array_faults(board, squares, start=5, end=7, closed=True)]
    assert kinds == [FaultKind.WRONG_START, FaultKind.WRONG_END, FaultKind.NOT_CLOSED]


def test_squares_off_the_board_are_named() -> None:
    squares = np.array([0, 99, -1, 8])
    messages = [str(fault) for fault in array_faults(Board(3), squares)]
    assert messages[0] == "off the board: 99 at step 2 is off the 3x3 board"
    assert messages[1] == "off the board: -1 at step 3 is off the 3x3 board"
    assert "7 of 9 squares are never visited" in messages[2]


def test_many_faults_are_counted() -> None:
    found = array_faults(Board(50), np.zeros(2500, np.int32))
    repeated = [fault for fault in found if fault.kind == FaultKind.REPEATED_SQUARE]
    assert len(repeated) == 21
    assert repeated[-1].message == "2,479 more squares that are visited again, or are none"
    assert any("and 2,479 more" in fault.message for fault in found)


def test_an_empty_tour_misses_everything() -> None:
    assert [fault.kind for fault in array_faults(Board(3), np.array([], np.int64))] == [FaultKind.MISSING_SQUARES]


@pytest.mark.parametrize(
    ("squares", "piece", "words"),
    [
        (np.zeros((2, 2), np.int32), KNIGHT, "one-dimensional"),
        (np.zeros(4), KNIGHT, "whole numbers"),
        (np.zeros(4, np.int32), QUEEN, "leaper"),
    ],
)
def test_what_is_no_tour_at_all_is_refused(squares: np.ndarray, piece: Piece, words: str) -> None:
    with pytest.raises(InvalidPuzzle, match=words):
        array_faults(Board(2), squares, piece=piece)


def test_a_large_tour_with_a_fault_is_told_in_full() -> None:
    tour = KnightTours(400, closed=True).constructed()
    squares = tour.array.copy()
    squares[[5, 100_000]] = squares[[100_000, 5]]
    spoilt = Tour(tour.board, squares, closed=True)
    told = faults_of(spoilt, closed=True)
    assert told == tour_faults(tour.board, spoilt.cells, closed=True)
    assert {fault.kind for fault in told} == {FaultKind.NOT_A_MOVE}


def test_other_leapers_and_their_mirror_steps() -> None:
    board = Board(1, 6)
    wazir = leaper(0, 1)
    assert array_faults(board, np.arange(6), piece=wazir) == []
    assert [fault.kind for fault in array_faults(board, np.array([0, 2, 1, 3, 4, 5]), piece=wazir)] == [
        FaultKind.NOT_A_MOVE
    ] * 2
