"""Placements by number, with arrays: by way of column sets, and listed. See :mod:`backrank.queens.ranking.sampling`."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from backrank.geometry.board import Board
from backrank.queens.counting.column_sets import Counter, Parameters
from backrank.queens.solve import line_search as linesearch
from backrank.runtime.budget import Meter
from backrank.runtime.cpu import available_threads


@dataclass(frozen=True, slots=True)
class ColumnSetNumbers:
    """The sets of columns above the cut, one of each orbit, and how many placements come before and with each.

    Attributes
    ----------
    side, above : int
        Of the board, and rows above the cut.
    sets : (orbits,) int64
        Bit c for column c.
    counts : (orbits,) int64
        Placements with just this set.
    ends : (orbits,) int64
        Placements of all orbits up to this one.
    capacity : int
        Room for the longest list of half placements.
    count : int
        Of all placements.
    """

    side: int
    above: int
    sets: npt.NDArray[np.int64]
    counts: npt.NDArray[np.int64]
    ends: npt.NDArray[np.int64]
    capacity: int
    count: int

    @classmethod
    def made(cls, side: int, meter: Meter, threads: int | None = None) -> ColumnSetNumbers:
        """Count, and keep the count of every set; meter and cost are those of counting.

        Examples
        --------
        >>> from backrank.runtime.budget import Budget
        >>> ColumnSetNumbers.made(10, Budget().start()).count
        724
        """
        counter = Counter(side, replace(Parameters.of(side), task=1))
        meter.total = counter.sets.size
        found = np.zeros(counter.sets.size, np.int64)
        calls = capacity = 0
        with closing(counter.results(threads or available_threads())) as results:
            for i, (weighted, listed) in enumerate(results):
                found[i] = weighted
                calls += listed
                capacity = max(capacity, listed)
                meter.found += weighted
                meter.tick(calls, i + 1)
        counts = found // counter.weights
        return cls(side, counter.parameters.above, counter.sets, counts, np.cumsum(found), capacity, int(found.sum()))

    def squares(self, number: int) -> list[int]:
        """Return the squares of the placement of a number, from 0 to below the count."""
        orbit = int(np.searchsorted(self.ends, number, side="right"))
        rest = number - (int(self.ends[orbit - 1]) if orbit else 0)
        image, pair = divmod(rest, int(self.counts[orbit]))
        columns = self._columns(int(self.sets[orbit]), pair)
        mirrored, upside_down = self._images(int(self.sets[orbit]))[image]
        if mirrored:
            columns = [self.side - 1 - col for col in columns]
        if upside_down:
            columns.reverse()
        return [row * self.side + col for row, col in enumerate(columns)]

    def _images(self, chosen: int) -> list[tuple[bool, bool]]:
        """Return the symmetries, mirrored and upside down, that lead to the different sets of an orbit."""
        mirror = sum(1 << self.side - 1 - col for col in range(self.side) if chosen >> col & 1)
        every = (1 << self.side) - 1
        images = {chosen: (False, False)}
        images.setdefault(mirror, (True, False))
        if 2 * self.above == self.side:
            images.setdefault(every ^ chosen, (False, True))
            images.setdefault(every ^ mirror, (True, True))
        return list(images.values())

    def _columns(self, chosen: int, pair: int) -> list[int]:
        from backrank.queens.ranking.sampling_jit import find_pair  # noqa: PLC0415 - loads numba

        words, packed = np.empty((2, self.capacity), np.uint64), np.empty((2, self.capacity), np.uint64)
        columns = np.zeros(self.side, np.int64)
        find_pair(np.array([self.side, self.above, chosen]), pair, words, packed, columns)
        return [int(col) for col in columns]


@dataclass(frozen=True, slots=True)
class Listed:
    """All placements in a table, one a row: their squares in lexicographic order."""

    table: npt.NDArray[np.int32]

    @classmethod
    def made(cls, board: Board, queens: int, most: int, meter: Meter) -> Listed | None:
        """List all placements of at least one queen; None if there are more than `most`."""
        table = linesearch.listed(board, queens, most=most, meter=meter)
        return None if table is None else cls(table)

    @property
    def count(self) -> int:
        """How many placements there are."""
        return len(self.table)

    def squares(self, number: int) -> list[int]:
        """Return the squares of the placement of a number, from 0 to below the count."""
        return [int(square) for square in self.table[number]]
