"""Queens row by row, of every kind: the plain search whose states the compiled one can take over.

Each row is one int for its free squares, as in :mod:`backrank.queens.backtracking.bits`; here rows may stay empty,
edges may be glued, and pieces may be amazons (queen and knight in one, also called superqueens).
:class:`~backrank.queens.rules.Rows` says what the board is; :func:`iter_columns` walks through all placements in
lexicographic order. It is the rung between the textbook's search (:mod:`backrank.queens.backtracking.reference`) and
:mod:`backrank.queens.backtracking.rows_jit`, which does the same with words, and goes on from any state of this one.
"""

from __future__ import annotations

from collections.abc import Iterator

from backrank.queens.rules import RowLevel, Rows
from backrank.runtime.budget import Meter


def iter_columns(
    rules: Rows, *, meter: Meter, levels: list[RowLevel] | None = None, until: int = 0, shallow: int = 0
) -> Iterator[list[int]]:
    """Yield every placement as the list of columns, row by row, in lexicographic order of squares.

    A row without a queen has the number of columns for a column. The list that is yielded is the search's own.

    Parameters
    ----------
    rules : Rows
    meter : Meter
    levels : list of Level, optional
        Where the search is, changed in place, so that another can go on; the beginning if not given.
    until, shallow : int
        If not 0, stop after this many calls, once at most this many rows are in `levels`.
    """
    levels = [rules.first()] if levels is None else levels
    if not rules.queens:
        levels.clear()
        meter.found += 1
        yield [rules.cols] * rules.rows
    every, calls = (1 << rules.cols) - 1, meter.calls
    while levels and not (until and calls >= until and len(levels) <= shallow):
        level = levels.pop()
        if not level.tries:
            continue
        bit = level.tries & -level.tries
        queen = bit & every
        levels.append(level._replace(tries=level.tries ^ bit, queen=queen))
        if queen:
            if calls >= meter.stop_at:
                meter.tick(calls, sum(above.queen != 0 for above in levels[:-1]))
            calls += 1
        if rules.rows - len(levels) + 1 - level.skips == (queen != 0):
            meter.found += 1
            meter.calls = calls
            columns = [above.queen.bit_length() - 1 if above.queen else rules.cols for above in levels]
            yield columns + [rules.cols] * (rules.rows - len(levels))
        else:
            levels.append(rules.next_level(levels))
    meter.calls = calls
