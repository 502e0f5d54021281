"""The kernels by themselves: the types they return, the hash they share with Python, and their small parts."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba import types

from backrank.geometry.board import Board
from backrank.runtime.status import DONE, SOLVED, STOPPED
from backrank.search import QueensSpace, TourSpace, run, start
from backrank.search import masks_jit as tour_masks
from backrank.search import queens_jit as queens_search
from backrank.search import tours_jit as tour_search
from backrank.search.strategies.hashed import mixed

SEED = st.integers(0, 2**63 - 1)
SMALL = st.integers(0, 2**20)


@pytest.fixture(scope="module", autouse=True)
def _compiled() -> None:
    for strategy in ("fixed:python", "warnsdorff+prune"):
        run(start(TourSpace(Board(6)), strategy), events=5000, gear="kernel")
    run(start(QueensSpace(Board(6)), "rows"), gear="kernel")


@pytest.mark.parametrize(
    ("function", "result"),
    [
        (tour_masks.run_tour_masks, types.int64),
        (tour_search.run_tour_search, types.int64),
        (queens_search.run_queens_search, types.int64),
        (tour_masks.open_moves, types.uint64),
        (tour_search.mixed, types.int64),
    ],
)
def test_return_types(function: Any, result: Any) -> None:
    tour_masks.open_moves(np.uint64(0), np.uint64(0))
    tour_search.mixed(1, 2, 3, 4)
    signatures = function.nopython_signatures
    assert signatures
    assert {str(signature.return_type) for signature in signatures} <= {str(result), "Literal[int](0)"}


def test_statuses_differ() -> None:
    assert len({STOPPED, SOLVED, DONE}) == 3


@given(seed=SEED, depth=SMALL, here=SMALL, square=SMALL)
def test_the_hash_is_that_of_python(seed: int, depth: int, here: int, square: int) -> None:
    assert int(tour_search.mixed(seed, depth, here, square)) == mixed(seed, depth, here, square)


@given(bare=st.integers(0, 2**64 - 1), targets=st.lists(st.integers(0, 63), min_size=8, max_size=8))
def test_open_moves(bare: int, targets: list[int]) -> None:
    packed = np.uint64(sum(target << 8 * lane for lane, target in enumerate(targets)))
    wanted = sum((bare >> target & 1) << lane for lane, target in enumerate(targets))
    found = tour_masks.open_moves(packed, np.uint64(bare))
    assert int(found) == wanted


_CHECKED = """
from backrank.geometry.board import Board
from backrank.search import QueensSpace, TourSpace, advance, run, start
for space, strategy in [
    (TourSpace(Board(6)), "fixed"), (TourSpace(Board(8)), "fixed"), (TourSpace(Board(1)), "fixed"),
    (TourSpace(Board(9)), "random:1+prune"), (TourSpace(Board(5, 6), closed=True), "warnsdorff-roth+prune"),
    (QueensSpace(Board(6)), "fewest-first"), (QueensSpace(Board(5, 7)), "rows"), (QueensSpace(Board(1)), "rows"),
    (QueensSpace(Board(5), 2), "centre-out"),
]:
    cursor = start(space, strategy)
    assert run(cursor, events=4000, gear="kernel") == advance(cursor, 4000)[1]
"""


def test_no_index_is_out_of_bounds(tmp_path: Any) -> None:
    environment = {"NUMBA_BOUNDSCHECK": "1", "NUMBA_CACHE_DIR": str(tmp_path), "PATH": "/usr/bin:/bin"}
    subprocess.run([sys.executable, "-c", _CHECKED], env=environment, check=True, timeout=250)


def test_the_search_is_imported_without_numpy_and_numba() -> None:
    code = "import sys, backrank.search; sys.exit(bool({'numpy', 'numba'} & sys.modules.keys()))"
    subprocess.run([sys.executable, "-c", code], check=True)
