"""Numbers of placements: every one met once, in the order of listing, by the plain search and by the compiled one."""

from __future__ import annotations

import pickle
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backrank import Board, BoardTooLarge, Budget, BudgetExceeded, NoSuchNumber, Queens
from backrank.queens.ranking import lexicographic
from backrank.queens.ranking.lexicographic import iter_from, rank, unrank
from backrank.queens.spec import QueensSpec

KINDS = {
    "plain": Queens(6),
    "tall": Queens(6, 4),
    "wide": Queens(3, 6),
    "few": Queens(5, queens=3),
    "one": Queens(3, 4, queens=1),
    "none": Queens(3, queens=0),
    "holes": Queens(6, holes=["a1", "c4", "d4"]),
    "few with holes": Queens(4, 5, queens=2, holes=["a1", "c2"]),
    "cylinder": Queens(5, wrap="cylinder"),
    "torus": Queens(5, wrap="torus"),
    "few on a torus": Queens(4, 6, queens=2, wrap="torus"),
    "amazons": Queens(7, queens=5, piece="amazon"),
    "amazons on a torus": Queens(6, queens=2, piece="amazon", wrap="torus"),
    "placed": Queens(8, placed=["b4"]),
    "few placed": Queens(6, queens=4, placed=["b4", "d3"]),
    "all placed": Queens(4, placed=["b4", "d3", "a2", "c1"]),
}


@pytest.fixture(params=["plain", "compiled"])
def gear(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Count in plain Python, or leave it to the kernels from the first call on."""
    if request.param == "compiled":
        monkeypatch.setattr(lexicographic, "PLAIN_CALLS", 1)
        monkeypatch.setattr(lexicographic, "LOADED_CALLS", 1)


@pytest.mark.usefixtures("gear")
@pytest.mark.parametrize("kind", KINDS)
def test_every_number_is_met_once_in_order(kind: str) -> None:
    spec = KINDS[kind].spec
    listed = [placement.squares for placement in KINDS[kind]]
    assert listed
    chosen = range(0, len(listed), 1 + len(listed) // 100)
    assert [rank(spec, listed[number], Budget()) for number in chosen] == list(chosen)
    assert [unrank(spec, number, Budget()) for number in chosen] == [listed[number] for number in chosen]
    for number in {0, len(listed) // 2, len(listed) - 1}:
        assert list(iter_from(spec, number, Budget())) == listed[number:]
    with pytest.raises(
        NoSuchNumber, match=rf"^placements are numbered 0 to {len(listed) - 1:,}, so there is no number"
    ):
        unrank(spec, len(listed), Budget())


@st.composite
def specs(draw: st.DrawFn) -> QueensSpec:
    rows, cols = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    holes = draw(st.sets(st.integers(0, rows * cols - 1), max_size=min(4, rows * cols - 1)))
    board = Board(rows, cols, holes=holes, wrap=draw(st.sampled_from(["none", "cylinder", "torus"])))
    queens = draw(st.integers(0, min(rows, cols)))
    return Queens(board, queens=queens, piece=draw(st.sampled_from(["queen", "amazon"]))).spec


@given(specs(), st.integers(0, 10**6))
@settings(max_examples=100)
def test_numbers_of_any_puzzle(spec: QueensSpec, number: int) -> None:
    listed = [placement.squares for placement in Queens(spec.board, queens=spec.queens, piece=spec.piece)]
    if not listed:
        with pytest.raises(NoSuchNumber, match=r"^there are no such placements, so none has the number"):
            unrank(spec, number, Budget())
        return
    number %= len(listed)
    assert rank(spec, listed[number], Budget()) == number
    assert unrank(spec, number, Budget()) == listed[number]
    assert list(iter_from(spec, number, Budget())) == listed[number:]


def test_numbers_of_a_board_that_is_counted_by_a_table() -> None:
    spec, number = Queens(13).spec, 50_000
    squares = unrank(spec, number, Budget())
    assert rank(spec, squares, Budget()) == number
    assert next(islice(Queens(13), number, None)).squares == squares
    assert len(list(iter_from(spec, 73_700, Budget()))) == 12


def test_wide_boards_are_numbered_plainly() -> None:
    spec = Queens(2, 70).spec
    squares = unrank(spec, 2_000, Budget())
    assert rank(spec, squares, Budget()) == 2_000
    assert next(iter_from(spec, 2_000, Budget())) == squares


def test_what_takes_too_long_is_refused_unless_a_limit_is_set() -> None:
    with pytest.raises(
        BoardTooLarge, match=r"^numbering 24 queens on 24x24 would take up to about .* set a time limit"
    ):
        unrank(Queens(24).spec, 5, Budget())
    with pytest.raises(BudgetExceeded):
        unrank(Queens(24).spec, 10**15, Budget(calls=1_000_000))


def test_wrong_numbers() -> None:
    with pytest.raises(NoSuchNumber, match=r"^placements are numbered from 0, so there is no number -1$") as caught:
        unrank(Queens(4).spec, -1, Budget())
    assert isinstance(caught.value, IndexError)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)  # noqa: S301 - our own
    with pytest.raises(ValueError, match=r"^the number of a placement is a whole number, not 1\.5$"):
        unrank(Queens(4).spec, 1.5, Budget())  # type: ignore[arg-type]  # wrong on purpose
