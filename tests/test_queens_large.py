"""Huge boards: the formula as an array, checking with arrays, and local search, each against its plain version."""

from __future__ import annotations

import random
import subprocess
import sys
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba import types

from backrank.errors import BoardTooLarge, BudgetExceeded, InvalidBoard, InvalidPuzzle
from backrank.geometry.board import Board
from backrank.geometry.verify import FaultKind, queens_faults
from backrank.queens.checking import is_placement
from backrank.queens.solve import formula as construct
from backrank.queens.solve import local_search as local
from backrank.queens.solve import local_search_jit as queens_local
from backrank.queens.solve.local_search import random_columns, random_columns_array
from backrank.runtime.budget import Budget, Meter
from backrank.runtime.progress import Progress
from backrank.runtime.rng import Dice

FREE = Budget()
SHARED = (FaultKind.SAME_ROW, FaultKind.SAME_COLUMN, FaultKind.SAME_DIAGONAL)
RANDOM = random.Random


# --- formula ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("first", range(1, 301, 50))
def test_the_array_is_the_list(first: int) -> None:
    for side in range(first, first + 50):
        for rows in {1, side // 2, side - 1, side} - {0}:
            columns = construct.columns(rows, side)
            array = construct.columns_array(rows, side)
            assert (columns is None) == (array is None)
            if columns is not None and array is not None:
                assert array.tolist() == columns
                assert array.dtype == np.int32
                assert not queens_faults(Board(rows, side), list(enumerate(columns)))


@pytest.mark.parametrize("side", range(10**6, 10**6 + 6))
def test_large_arrays_are_placements(side: int) -> None:
    array = construct.columns_array(side, side)
    assert array is not None
    assert array.size == side
    assert is_placement(array)
    array[[7, side // 2]] = array[[side // 2, 7]]
    assert not is_placement(array)


# --- checking ---------------------------------------------------------------------------------------


@st.composite
def columns_on_boards(draw: st.DrawFn) -> tuple[list[int], int]:
    """The columns of queens, one a row, and how many columns the board has."""
    cols = draw(st.integers(1, 8))
    rows = draw(st.integers(1, 8))
    if draw(st.booleans()):
        return list(draw(st.permutations(range(max(rows, cols)))))[:rows], max(rows, cols)
    return draw(st.lists(st.integers(0, cols - 1), min_size=rows, max_size=rows)), cols


@given(columns_on_boards())
def test_what_has_no_faults_is_a_placement(claim: tuple[list[int], int]) -> None:
    columns, cols = claim
    faults = queens_faults(Board(len(columns), cols), list(enumerate(columns)), queens=len(columns))
    for given_as in (columns, np.array(columns, np.int32), np.array(columns, np.uint8), np.array(columns)):
        assert is_placement(given_as, cols) == (not faults)


def test_queens_off_the_board() -> None:
    for columns in ([1, 3, 0, 4], [1, 3, -1, 2], [-4, -2, -5, -3]):
        assert not is_placement(columns)
    for wrong in ([1.5, 2.5], [[1, 2]], [True, False]):
        with pytest.raises(InvalidPuzzle, match="flat list of whole numbers"):
            is_placement(wrong)  # type: ignore[arg-type]  # what is tested
    assert is_placement([])
    assert not is_placement([0, 2, 4], 2)


def test_many_queens_on_one_line() -> None:
    side = 100_000
    for columns in (np.zeros(side, np.int32), np.arange(side, dtype=np.int32), np.arange(side)[::-1]):
        assert not is_placement(columns)


# --- local search -----------------------------------------------------------------------------------


@pytest.mark.parametrize("side", [1, *range(4, 51), 100, 200])
def test_the_kernel_takes_the_steps_of_plain_python(side: int) -> None:
    for seed in (1, 2**64 - 1):
        plain, fast = FREE.start(), FREE.start()
        columns = local._plainly(side, Dice(seed), plain)
        array = local.compiled(side, seed, fast)
        assert array is not None
        assert columns == array.tolist()
        assert plain.calls == fast.calls
        assert columns is not None
        assert not queens_faults(Board(side), list(enumerate(columns)))


def test_attempts_that_fail_are_made_afresh_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local, "patience_of", lambda _: 120)
    for seed in range(20):
        plain = FREE.start()
        columns = local._plainly(8, Dice(seed), plain)
        array = local.compiled(8, seed, FREE.start())
        assert array is not None
        assert columns == array.tolist()


@pytest.mark.parametrize("side", [201, 1000, 10**5])
def test_large_boards(side: int) -> None:
    array = random_columns_array(side, 1)
    assert array is not None
    assert array.size == side
    assert is_placement(array)
    assert (array == random_columns_array(side, 1)).all()
    assert (array != random_columns_array(side, 2)).any()
    meter = FREE.start()
    local.compiled(side, 1, meter)
    assert side <= meter.calls < 10 * side


def test_every_placement_of_a_small_board_comes_out() -> None:
    found = {tuple(random_columns(6, seed) or ()) for seed in range(200)}
    assert len(found) == 4
    found = {tuple(random_columns(8, seed) or ()) for seed in range(1000)}
    assert len(found) == 92


def test_arrays_and_lists_are_the_same() -> None:
    for side in (1, 8, 250):
        array = random_columns_array(side, 5)
        assert array is not None
        assert array.tolist() == random_columns(side, 5)
    for side in (2, 3):
        assert random_columns(side, 1) is None
        assert random_columns_array(side, 1) is None
        assert local.compiled(side, 1, FREE.start()) is None


def test_seeds_and_generators() -> None:
    for rng in (RANDOM(1), np.random.default_rng(1)):
        assert len({tuple(random_columns(20, rng) or ()) for _ in range(10)}) == 10
    for bad in (-1, 1.5):
        for side in (8, 300):
            with pytest.raises(InvalidPuzzle, match="seed"):
                random_columns(side, bad)  # type: ignore[arg-type]  # what is tested


def test_boards_that_cannot_be() -> None:
    with pytest.raises(InvalidBoard, match="at least 1, not 0"):
        random_columns(0, 1)
    with pytest.raises(BoardTooLarge, match="at most 10,000,000, not 10000001"):
        random_columns(10**7 + 1, 1)


@pytest.mark.parametrize("side", [150, 100_000])
def test_limits_and_cancellation(side: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Meter, "_STRIDE", 50)
    for budget, why in (
        (Budget(seconds=1e-9), "time limit"),
        (Budget(cancelled=lambda: True, interval=0), "cancelled"),
        (Budget(calls=100), "limit of 100 calls"),
    ):
        with pytest.raises(BudgetExceeded, match=why):
            random_columns(side, 1, budget=budget)


def test_progress_and_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = random_columns(5000, 1)
    monkeypatch.setattr(Meter, "_STRIDE", 50)
    seen: list[Progress] = []
    assert random_columns(5000, 1, budget=Budget(progress=seen.append, interval=0)) == whole
    assert len(seen) > 100
    assert all(one.calls < two.calls for one, two in pairwise(seen))
    assert {each.total for each in seen} == {5000}
    assert max(each.depth for each in seen) > 4900


def test_a_wrong_answer_would_not_get_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("backrank.queens.checking.is_placement", lambda _: False)
    with pytest.raises(RuntimeError, match="went wrong with seed 9"):
        random_columns(300, 9)
    monkeypatch.setattr(local, "queens_faults", lambda *_: ["a fault"])
    with pytest.raises(RuntimeError, match=r"went wrong with \["):
        random_columns(8, 9)


def test_the_kernel_returns_what_it_says() -> None:
    random_columns(300, 1)
    tool: Any = queens_local.run_local
    assert {tool.overloads[each].signature.return_type for each in tool.signatures} == {types.int64}
    assert int(queens_local._below(np.zeros(1, np.uint64), 10)) == (Dice(0).draw() >> 32) * 10 >> 32
    assert local.PATIENCE == queens_local.PATIENCE


_PLAIN_RUN = """
import numpy
from backrank.runtime.budget import Budget
from backrank.queens.ranking.sampling_jit import find_pair
from backrank.queens.solve import local_search as local
for side in (4, 8, 30):
    print(local.compiled(side, 3, Budget().start()))
columns = numpy.zeros(8, numpy.int64)
for number in range(3):
    room = numpy.zeros((2, 99), numpy.uint64)
    print(find_pair(numpy.array([8, 4, 0b01010110]), number, room, room.copy(), columns), columns)
"""


def test_compiled_and_interpreted_kernels_agree() -> None:
    """Interpreted, an index beyond an array is an error, and so is a type that only a compiler would let pass."""
    runs = [
        subprocess.run(
            [sys.executable, "-W", "ignore::RuntimeWarning", "-c", _PLAIN_RUN],
            env={"NUMBA_DISABLE_JIT": disabled, "PATH": "/usr/bin:/bin"},
            capture_output=True,
            text=True,
            check=True,
            timeout=200,
        ).stdout
        for disabled in ("0", "1")
    ]
    assert runs[0] == runs[1]
    assert runs[0].count("[") == 6


def test_small_boards_load_neither_numpy_nor_numba() -> None:
    code = (
        "import sys, backrank.queens.solve.formula, backrank.queens.checking;"
        "from backrank.queens.solve.local_search import *;"
        "random_columns(50, 1); sys.exit(bool({'numpy', 'numba'} & sys.modules.keys()))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
