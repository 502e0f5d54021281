"""Counting queens by column sets: against published counts, the bit-parallel kernel, and itself cut up differently."""

from __future__ import annotations

import math
import subprocess
import sys
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba import types

import queens_bits_jit as queens_bits
from backrank.errors import BoardTooLarge, BudgetExceeded
from backrank.geometry.board import Board
from backrank.queens.backtracking import bits
from backrank.queens.backtracking.set_numbers import number_sets
from backrank.queens.counting import column_sets as columnsets
from backrank.queens.counting import column_sets_jit as queens_join
from backrank.queens.counting.column_sets import Counter, Parameters
from backrank.runtime.budget import Budget
from backrank.runtime.progress import Progress
from counts import published

SIDES = range(4, 15)


def by_column_sets(side: int, *, threads: int = 1, parameters: Parameters | None = None) -> int:
    return columnsets.count(side, meter=Budget().start(), threads=threads, parameters=parameters)


@pytest.mark.parametrize("side", [*SIDES, 15, 16])
def test_counts_are_the_published_ones(side: int) -> None:
    assert by_column_sets(side) == published("queens.all", str(side))


@pytest.mark.deep
@pytest.mark.parametrize("side", [17, 18])
def test_counts_of_large_boards_are_the_published_ones(side: int) -> None:
    assert by_column_sets(side, threads=2) == published("queens.all", str(side))


@pytest.mark.parametrize("side", SIDES)
def test_the_bit_kernel_agrees(side: int) -> None:
    assert int(queens_bits.count_queens(side)) == by_column_sets(side)


@pytest.mark.deep
@pytest.mark.parametrize("side", [15, 16, 17, 18])
def test_the_bit_kernel_agrees_on_large_boards(side: int) -> None:
    assert int(queens_bits.count_queens(side)) == by_column_sets(side)


@pytest.mark.parametrize("side", range(2, 10))
def test_the_bit_kernel_counts_as_plain_python(side: int) -> None:
    assert int(queens_bits.count_queens(side)) == bits.count(Board(side), meter=Budget().start())


@st.composite
def parameters(draw: st.DrawFn) -> tuple[int, Parameters]:
    """A side, and any way to cut the work up."""
    side = draw(st.integers(4, 11))
    above = draw(st.integers(2, side - 2))
    central = draw(st.integers(columnsets.least_central(side), min(5, side - 1)))
    tail = draw(st.integers(1, min(columnsets.TAIL_ROWS, above - 1, side - above - 1)))
    return side, Parameters(above, central, tail, draw(st.integers(1, 100)))


@given(parameters())
def test_any_cut_key_and_table_give_the_same_count(choice: tuple[int, Parameters]) -> None:
    side, chosen = choice
    assert by_column_sets(side, parameters=chosen) == published("queens.all", str(side))


@pytest.mark.parametrize(
    "chosen", [Parameters(7, 3, 5, 10), Parameters(6, 2, 4, 64), Parameters(8, 4, 3, 7), Parameters(7, 6, 2, 1)]
)
def test_one_large_board_is_recounted(chosen: Parameters) -> None:
    assert by_column_sets(14, threads=2, parameters=chosen) == 365596


@pytest.mark.parametrize(("side", "size"), [(4, 2), (5, 2), (7, 3), (8, 4), (9, 4), (12, 5), (10, 5)])
def test_orbits_cover_all_sets(side: int, size: int) -> None:
    sets, weights = columnsets.orbits(side, size)
    assert weights.sum() == math.comb(side, size)
    assert set(np.bitwise_count(sets).tolist()) == {size}
    assert len(set(sets.tolist())) == sets.size


@pytest.mark.parametrize("side", [4, 9, 16, 17, 20, 22, columnsets.MAX_SIDE])
def test_every_bit_of_a_word_has_one_meaning(side: int) -> None:
    chosen = Parameters.of(side)
    left, right = columnsets.bit_values(side, chosen.tail, chosen.central, upside_down=False)
    every = [int(value) for value in (*left, *right)]
    assert len(set(every)) == len(every) == 2 * (side + chosen.tail - 1)
    rests = [value for value in every if value < 1 << 32]
    assert len(rests) == 2 * (side - 1 - chosen.central)
    assert max(rests) < 1 << columnsets.REST_BITS
    keys = [value for value in every if 1 << 32 <= value < 1 << 32 + 2 * chosen.central]
    assert len(keys) == 2 * chosen.central


def test_tables_have_all_placements_and_fit_the_kernel() -> None:
    assert columnsets.KEY_SHIFT == queens_join.KEY_SHIFT
    assert math.factorial(columnsets.TAIL_ROWS) <= queens_join.MAX_TAIL
    place, sets = number_sets(9, 3)
    assert (place[0][sets & 31] + place[1][sets >> 5] == np.arange(math.comb(9, 3))).all()
    tails = columnsets.make_tails(9, 3)
    # Three queens in the first three rows of nine columns.
    expected = sum(1 for _ in bits.iter_columns(Board(3, 9), meter=Budget().start()))
    assert tails.columns.shape == (3, expected)
    assert tails.start[-1] == expected


def test_the_bound_of_64_bits() -> None:
    largest = columnsets.MAX_SIDE
    assert max(math.factorial(n // 2) * math.factorial(n - n // 2) for n in range(largest + 1)) < 2**62
    assert 8 * (queens_join.MAX_LIST + queens_join.LANES) < 2**31


def test_lists_that_outgrow_their_room_get_more() -> None:
    counter = Counter(12)
    counter._capacity = 160
    total = sum(counter.run(task)[0] for task in counter.tasks())
    assert total == 14200
    assert counter._capacity > 160


@pytest.mark.parametrize("side", [3, columnsets.MAX_SIDE + 1])
def test_other_sides_are_refused(side: int) -> None:
    with pytest.raises(BoardTooLarge, match=f"from 4 to {columnsets.MAX_SIDE}, not {side}"):
        by_column_sets(side)


@pytest.mark.parametrize("threads", [1, 2, None])
def test_progress_only_grows_and_ends_with_all_tasks(threads: int | None) -> None:
    seen: list[Progress] = []
    meter = Budget(progress=seen.append, interval=0).start()
    assert columnsets.count(13, meter=meter, threads=threads) == 73712
    assert [each.depth for each in seen] == list(range(1, seen[-1].total + 1))
    assert all(one.found <= two.found and one.calls < two.calls for one, two in pairwise(seen))
    assert (seen[-1].depth, seen[-1].found) == (seen[-1].total, 73712)


@pytest.mark.parametrize("threads", [1, 2])
def test_limits_and_cancellation_stop_between_tasks(threads: int) -> None:
    with pytest.raises(BudgetExceeded, match="time limit"):
        columnsets.count(16, meter=Budget(seconds=1e-9).start(), threads=threads)
    asked = iter([False, False, True])
    budget = Budget(cancelled=lambda: next(asked), interval=0)
    with pytest.raises(BudgetExceeded, match="cancelled") as caught:
        columnsets.count(16, meter=budget.start(), threads=threads)
    assert 0 < caught.value.reached.found < published("queens.all", "16")


def test_kernels_return_signed_numbers() -> None:
    by_column_sets(8)
    queens_bits.count_queens(6)
    kernels: list[Any] = [queens_bits.count_queens, queens_join.join_column_sets]
    kernels += [queens_bits._count_below, queens_join._list_half, queens_join._join, queens_join._disjoint_eight]
    for kernel in kernels:
        results = [kernel.overloads[signature].signature.return_type for signature in kernel.signatures]
        assert set(results) <= {types.int64}, kernel


def test_numba_loads_only_when_it_counts() -> None:
    code = "import sys, backrank.queens.counting.column_sets; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
