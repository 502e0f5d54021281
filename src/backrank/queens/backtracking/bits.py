"""The same search with one int a row for the squares under attack: bit-parallel backtracking.

Three masks go down the board: attacked columns, and attacked diagonals of both kinds, which shift by one column a
row. The free squares of a row are one `and not` away, and the lowest set bit is the next column to try,
so rows come out in lexicographic order as from `reference`. The trick has been folklore since the 1960s; the
classic account is M. Richards, "Backtracking algorithms in MCPL using bit patterns and recursion" (1997).

It takes plain rectangles with at least as many columns as rows, one queen a row, and forbidden squares.
"""

from __future__ import annotations

from collections.abc import Iterator

from backrank.geometry.board import Board
from backrank.queens.rules import allowed_masks
from backrank.runtime.budget import Meter


def iter_columns(board: Board, *, meter: Meter) -> Iterator[list[int]]:
    """Yield every way to place a queen in each row, as the list of their columns, in lexicographic order.

    The list that is yielded is the search's own: copy it before going on.
    """
    rows, masks, every = board.rows, allowed_masks(board), (1 << board.cols) - 1
    columns: list[int] = []
    # Per row: columns still to try, and the masks of attacked columns and diagonals above it.
    stack = [(masks[0], 0, 0, 0)]
    calls = 0
    while stack:
        free, taken, left, right = stack.pop()
        del columns[len(stack) :]
        if not free:
            continue
        bit = free & -free
        stack.append((free ^ bit, taken, left, right))
        if calls >= meter.stop_at:
            meter.tick(calls, len(columns))
        calls += 1
        columns.append(bit.bit_length() - 1)
        if len(columns) == rows:
            meter.found += 1
            yield columns
            continue
        taken, left, right = taken | bit, (left | bit) << 1 & every, (right | bit) >> 1
        stack.append((masks[len(columns)] & ~(taken | left | right), taken, left, right))
    meter.calls = calls


def count(board: Board, *, meter: Meter) -> int:
    """Return the number of ways to place a queen in each row.

    Without holes, mirror images are counted once and doubled: the first queen goes into the left half only, and into
    the middle column of an odd board with everything below it.
    """
    masks, every = allowed_masks(board), (1 << board.cols) - 1
    if board.holes or board.rows == 1:
        return _count(board.rows, masks, every, masks[0], meter)
    half = (1 << board.cols // 2) - 1
    total = 2 * _count(board.rows, masks, every, half, meter)
    if board.cols % 2:
        total += _count(board.rows, masks, every, every & ~half & ~(half << board.cols // 2 + 1), meter)
    return total


def _count(rows: int, masks: list[int], every: int, first: int, meter: Meter) -> int:
    """Count placements whose first queen stands on one of the `first` columns."""
    start, calls = meter.found, meter.calls
    found, depth = 0, 1
    stack = [(first, 0, 0, 0)]
    while stack:
        free, taken, left, right = stack.pop()
        depth = len(stack) + 1
        if depth == rows:
            found += free.bit_count()
            calls += free.bit_count()
            continue
        while free:
            bit = free & -free
            free ^= bit
            calls += 1
            below = taken | bit
            down, up = (left | bit) << 1 & every, (right | bit) >> 1
            onward = masks[depth] & ~(below | down | up)
            if onward:
                stack.append((free, taken, left, right))
                stack.append((onward, below, down, up))
                break
        if calls >= meter.stop_at:
            meter.found = start + found
            meter.tick(calls, depth)
    meter.calls, meter.found = calls, start + found
    return found
