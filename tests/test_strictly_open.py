"""Open tours whose ends are not a move apart."""

from __future__ import annotations

import pytest

from backrank.errors import InvalidPuzzle
from backrank.geometry.board import Board
from backrank.geometry.pieces import KING, KNIGHT, Piece, leaper
from backrank.runtime.budget import Budget
from backrank.runtime.context import Context
from backrank.tours.counting import run as counting
from backrank.tours.counting.spec import TourCountSpec
from backrank.tours.spec import TourSpec
from counting import count_tours

ANY = (Board(1), Board(1, 2), Board(3, 4), Board(4, 5), Board(5), Board(3, 4, holes=[5]), Board(4, 4, wrap="torus"))


def strictly(spec: TourSpec, method: str = "auto", *, directed: bool = True) -> int:
    return count_tours(spec, TourCountSpec(directed, False, method, strictly_open=True), Budget())


@pytest.mark.parametrize("board", ANY[:-1], ids=str)
@pytest.mark.parametrize("piece", [KNIGHT, KING, leaper(1, 3)], ids=str)
@pytest.mark.parametrize("ends", [(None, None), (0, None), (None, 1), (0, 1), (0, 6)])
def test_against_listing(board: Board, piece: Piece, ends: tuple[int | None, int | None]) -> None:
    if len(board) > 12 and piece == KING:
        return
    if any(end is not None and end not in board for end in ends):
        return
    spec = TourSpec(board, piece, False, *ends)
    for directed in (False, True):
        listed = strictly(spec, "listing", directed=directed)
        assert strictly(spec, directed=directed) == listed
        assert strictly(spec, "layers", directed=directed) == listed


def test_published() -> None:
    # Undirected paths, less as many for each closed tour as it has squares: 3,318,960 - 36 * 9,862.
    assert strictly(TourSpec(Board(6), KNIGHT, False, None, None), directed=False) == 2_963_928
    assert strictly(TourSpec(Board(5), KNIGHT, False, None, None)) == 1728


def test_not_for_closed_tours_nor_classes() -> None:
    with pytest.raises(InvalidPuzzle, match="closed tours have no ends"):
        strictly(TourSpec(Board(6), KNIGHT, True, None, None))
    with pytest.raises(InvalidPuzzle, match="counted one by one"):
        count_tours(
            TourSpec(Board(5), KNIGHT, False, None, None),
            TourCountSpec(True, True, "auto", strictly_open=True),
            Budget(),
        )


@pytest.mark.parametrize(
    ("board", "ends"), [(Board(3, 4, wrap="cylinder"), (0, 11)), (Board(4, 4), (0, 10)), (Board(1, 2), (0, 1))], ids=str
)
def test_where_the_last_step_is_no_move_no_closed_tours_are_verified(board: Board, ends: tuple[int, int]) -> None:
    spec = TourSpec(board, KING, True, *ends)
    for up_to_symmetry in (False, True):
        for directed in (False, True):
            request = TourCountSpec(directed, up_to_symmetry, "auto")
            assert counting.verify(spec, request, 0, Context()).agrees
            assert not counting.verify(spec, request, 4, Context()).agrees
