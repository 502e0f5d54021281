"""The tables for the last rows of n queens on n x n, which :mod:`backrank.queens.backtracking.tails_jit` searches with.

How many rows they cover is a matter of memory: with w of n rows there are C(n, w) sets of columns, with a few (w = 4)
to a few hundred (w = 7) placements each. Half of the rows is the best where it fits, up to n = 14; beyond that it is
less, so that a table takes some milliseconds and 10 MB (0.2 s and 50 MB at n = 16, the most).
"""

from __future__ import annotations

from functools import lru_cache
from math import comb

import numpy as np

from backrank.queens.backtracking.set_numbers import number_sets
from backrank.queens.backtracking.tails_jit import TailsTable, fill_tails

MAX_SETS = {3: 5_000, 4: 36_000, 5: 16_000, 6: 8_100, 7: 11_500}
_NARROW_SIDE = 16
_FIRST_ROOM = 1 << 17


def tail_rows(side: int) -> int:
    """Return how many rows the table should cover.

    Examples
    --------
    >>> [tail_rows(side) for side in (6, 8, 12, 14, 16, 18, 20, 30)]
    [3, 4, 6, 7, 7, 5, 5, 4]
    """
    return max(rows for rows, most in MAX_SETS.items() if 2 * rows <= side and comb(side, rows) <= most)


def make_table(allowed: tuple[int, ...], tail: int) -> tuple[TailsTable, int]:
    """Return the table for a board, and the length of its longest list.

    Parameters
    ----------
    allowed : tuple of int
        Per row: bit c for column c, unless it is a hole. As many rows as columns, 6 to 32.
    tail : int
        Rows in the table, at most half of them.
    """
    table, longest = _listed(allowed, tail)
    return with_own_room(table), longest


@lru_cache(maxsize=1)
def _listed(allowed: tuple[int, ...], tail: int) -> tuple[TailsTable, int]:
    """Return the table without room to work in, and the length of its longest list; the last one is kept."""
    side = len(allowed)
    place, sets = number_sets(side, tail)
    word: type[np.uint32 | np.uint64] = np.uint32 if side <= _NARROW_SIDE else np.uint64
    start, none = np.zeros(sets.size + 1, np.int32), np.zeros(0, np.uint64)
    words, columns = np.zeros(_FIRST_ROOM, word), np.zeros(_FIRST_ROOM, np.uint64)
    table = TailsTable(
        np.array(allowed, np.int64), place, start, words, columns, none.view(np.uint8), none, none, np.zeros(1, word)
    )
    listed = 0
    while (listed := int(fill_tails(table, tail, sets, listed))) < sets.size:
        words, columns = np.resize(table.words, 2 * words.size), np.resize(table.columns, 2 * words.size)
        table = table._replace(words=words, columns=columns)
    longest = int(np.diff(start).max())
    table = table._replace(
        words=table.words[: start[-1]].copy(),
        columns=table.columns[: start[-1]].copy(),
        flags_of_eight=np.zeros(longest // 8, np.uint64),
        packed=np.zeros(packed_words(side), np.uint64),
    )
    return table, longest


def with_own_room(table: TailsTable) -> TailsTable:
    """Return the same table with room to work in of its own: what runs at the same time must not share it."""
    flags = np.zeros_like(table.flags_of_eight)
    return table._replace(
        flags=flags.view(np.uint8), flags_of_eight=flags, packed=table.packed.copy(), mask=table.mask.copy()
    )


def packed_words(side: int) -> int:
    """Return how many words of 64 bits hold a byte for each row."""
    return -(-side // 8)


def forget() -> None:
    """Let the table that is kept go."""
    _listed.cache_clear()
