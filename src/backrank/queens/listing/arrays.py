"""Placements as NumPy arrays of columns, a chunk at a time: the compiled half of listing.

The search goes on from any state that the plain one in :mod:`backrank.queens.backtracking.rows` has reached, so whoever
lists begins at once in Python, and the kernels take over when it turns out to be long. n queens on n x n are listed
with a table for the last rows (:mod:`backrank.queens.backtracking.tails_jit`), everything else row by row. Memory: a
chunk, and the table, 50 MB at most.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from backrank.errors import BudgetExceeded
from backrank.geometry.board import Board
from backrank.geometry.symmetry import canonical_set, permutations, symmetries
from backrank.queens.backtracking import tails
from backrank.queens.backtracking.rows_jit import CALLS, FOUND, LIMIT, ROW, list_rows
from backrank.queens.backtracking.slices import SLICE, Int64s, calls_left, new_counters
from backrank.queens.backtracking.splitting import rows_table, stack_of
from backrank.queens.backtracking.suits import suits_tails
from backrank.queens.backtracking.tails_jit import run_tails
from backrank.queens.listing.least_jit import keep_least
from backrank.queens.rules import RowLevel, Rows
from backrank.queens.spec import QueensSpec
from backrank.runtime.budget import Meter
from backrank.runtime.status import DONE, STOPPED

Columns: TypeAlias = npt.NDArray[np.uint8]

PIECE = 1 << 14  # placements found between two looks at the meter; they stay in the cache


def table_rows(spec: QueensSpec, meter: Meter) -> int:
    """Return how many of the last rows a table covers, 0 if none: with a limit, calls are counted one by one."""
    return tails.tail_rows(spec.board.rows) if suits_tails(spec) and meter.budget.calls is None else 0


class _Rows:
    """Lists row by row."""

    def __init__(self, rules: Rows, chunk: int) -> None:
        self._table = rows_table(rules)
        self._out = np.zeros((chunk, rules.rows), np.uint8)

    def run(self, stack: Int64s, counters: Int64s) -> int:
        return int(list_rows(self._table, stack, counters, self._out))

    def taken(self, found: int) -> Columns:
        return self._out[:found].copy()


class _Tails:
    """Lists with a table for the last rows; what it finds comes as words, a byte for each row."""

    def __init__(self, rules: Rows, tail: int, chunk: int) -> None:
        self._table, self._room = tails.make_table(rules.allowed, tail)
        # The first row is the lowest byte, so it comes first on every machine that numba runs on.
        self._out = np.zeros((chunk + self._room, tails.packed_words(rules.rows)), np.uint64)
        self._entries = np.zeros(chunk + self._room, np.int32)
        self._rows, self._above = rules.rows, rules.rows - tail

    def run(self, stack: Int64s, counters: Int64s) -> int:
        above = stack[: self._above]
        return int(run_tails(self._table, above, counters, self._out, self._entries, self._room))

    def taken(self, found: int) -> Columns:
        return self._out[:found].view(np.uint8)[:, : self._rows].copy()


def iter_pieces(spec: QueensSpec, levels: list[RowLevel], *, meter: Meter, chunk: int) -> Iterator[Columns]:
    """Yield what is left of a search, as arrays of some placements each, soon after they are found.

    Parameters
    ----------
    spec : QueensSpec
        On a board of at most 60 columns.
    levels : list of Level
        Where the search is; above the rows of :func:`table_rows`.
    meter : Meter
        Its calls are those made before.
    chunk : int
        The most that an array has, but for a few hundred.

    Yields
    ------
    (k, rows) array of uint8
        The columns; the number of columns in a row without a queen.
    """
    if not levels:
        return
    rules, tail = spec.rules(), table_rows(spec, meter)
    lister = _Tails(rules, tail, chunk) if tail else _Rows(rules, chunk)
    stack, counters, already = stack_of(rules, levels), new_counters(), meter.calls
    counters[ROW] = len(levels) - 1
    status = STOPPED
    while status != DONE:
        counters[LIMIT] = int(counters[CALLS]) + min(SLICE, calls_left(meter) or SLICE)
        status = lister.run(stack, counters)
        found = int(counters[FOUND])
        if found:
            meter.found += found
            counters[FOUND] = 0
            yield lister.taken(found)
        meter.tick(already + int(counters[CALLS]), len(levels))


def iter_found(spec: QueensSpec, levels: list[RowLevel], *, meter: Meter, least: bool) -> Iterator[Columns]:
    """Yield a search as arrays of some placements each, soon after they are found; `least`: the least of each class."""
    for piece in iter_pieces(spec, levels, meter=meter, chunk=PIECE):
        if least:
            meter.found -= len(piece)
            kept = least_of_class(spec.board, piece)
            meter.found += len(kept)
            yield kept
        else:
            yield piece


def iter_arrays(
    spec: QueensSpec, levels: list[RowLevel], *, meter: Meter, chunk: int, least: bool
) -> Iterator[Columns]:
    """Yield a search as arrays of exactly `chunk` placements, the last one with what is left.

    If a limit is reached, what has been found comes first.
    """
    room, filled = np.empty((chunk, spec.board.rows), np.uint8), 0
    try:
        for found in iter_found(spec, levels, meter=meter, least=least):
            piece = found
            while len(piece):
                taken = min(chunk - filled, len(piece))
                room[filled : filled + taken] = piece[:taken]
                piece, filled = piece[taken:], filled + taken
                if filled == chunk:
                    yield room
                    room, filled = np.empty_like(room), 0
    except BudgetExceeded:
        if filled:
            yield room[:filled].copy()
        raise
    if filled:
        yield room[:filled].copy()


def least_of_class(board: Board, columns: Columns) -> Columns:
    """Return the placements that are the least of their class; the array is used up.

    Parameters
    ----------
    board : Board
    columns : (k, rows) array of uint8
        Placements in lexicographic order, one queen in each row unless edges are glued.
    """
    group = symmetries(board)[1:]
    if board.wrap == "none" and (columns < board.cols).all():
        maps = np.array([[each.transpose, each.flip_rows, each.flip_cols] for each in group], np.uint8).reshape(-1, 3)
        return columns[: int(keep_least(columns, board.cols, maps, np.zeros(board.cols, np.uint8)))]
    everything = permutations(board)
    starts = np.arange(board.rows) * board.cols
    kept = [
        tuple(squares) == canonical_set(everything, squares)
        for squares in ((starts + row)[row < board.cols].tolist() for row in columns)
    ]
    chosen: Columns = columns[np.array(kept, bool)]
    return chosen
