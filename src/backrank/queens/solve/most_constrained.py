"""One placement by search, most constrained row first.

Forbidden squares spoil the formula, and going row by row meets the trouble late: a row whose last free square is
taken in the second step is noticed in the last. So the next queen goes into the row with the fewest free squares left
(J. R. Bitner and E. M. Reingold, "Backtrack programming techniques", 1975), and a row without any ends the branch at
once. On an empty board, where ties abound, its neat choices crowd one corner and it may go astray for ages; so it
starts afresh again and again, with the squares of a row in random order and a little more patience each time
(C. P. Gomes, B. Selman and H. Kautz, 1998). The last attempt has all the patience in the world: if it finds none,
there is none. What is found is not the first in lexicographic order.

Amazons take away the squares of a knight as well, in the two rows on either side.
"""

from __future__ import annotations

from random import Random

from backrank.geometry.board import Board
from backrank.queens.rules import allowed_masks
from backrank.runtime.budget import Meter

ATTEMPTS = 40


class OutOfPatienceError(Exception):
    """The attempts have taken their number of calls, and nothing is proven."""


def columns(board: Board, *, meter: Meter, piece: str = "queen", seed: int = 0) -> list[int] | None:
    """Return a column for the queen of each row of a plain board with forbidden squares, or None if impossible.

    Cost: exponential in the worst case; each step looks at every row that has no queen yet. The same board and seed
    give the same answer.
    """
    try:
        return soon(board, meter=meter, piece=piece, seed=seed)
    except OutOfPatienceError:
        return _search(board, _random(seed, ATTEMPTS), None, meter, piece)


def soon(
    board: Board, *, meter: Meter, piece: str = "queen", seed: int = 0, attempts: int | None = None
) -> list[int] | None:
    """Return the same by so many attempts (40 if not given), without the last one, which may take for ever.

    Raises
    ------
    OutOfPatienceError
        If none of them came to an end.
    """
    for attempt in range(ATTEMPTS if attempts is None else attempts):
        try:
            return _search(board, _random(seed, attempt), (2 + attempt) * board.rows, meter, piece)
        except OutOfPatienceError:
            continue
    raise OutOfPatienceError


def _random(seed: int, attempt: int) -> Random:
    """Return what chooses in one attempt: another for every seed, and always the same, so that answers repeat."""
    return Random(seed << 8 | attempt)  # noqa: S311 - nothing secret


def _search(board: Board, random: Random, patience: int | None, meter: Meter, piece: str) -> list[int] | None:
    """Search to the end, or for so many calls."""
    masks, leaps = allowed_masks(board), {1: 2, 2: 1} if piece == "amazon" else {}
    # Per queen: its row, the columns still to try, and the free squares of all rows before it was placed.
    stack = [_next_level(masks, frozenset(range(board.rows)))]
    chosen: dict[int, int] = {}
    calls = meter.calls
    stride = max(1, 100_000 // board.rows**2)  # a step looks at all rows, each of as many columns
    limit = None if patience is None else calls + patience
    while stack:
        row, untried, free, open_rows = stack.pop()
        chosen.pop(row, None)
        if not untried:
            continue
        if limit is not None and calls >= limit:
            meter.calls = calls
            raise OutOfPatienceError
        bit = 1 << random.choice([col for col in range(untried.bit_length()) if untried >> col & 1])
        stack.append((row, untried ^ bit, free, open_rows))
        if calls >= meter.stop_at or calls % stride == 0:
            meter.tick(calls, len(chosen))
        calls += 1
        chosen[row] = bit.bit_length() - 1
        remaining = open_rows - {row}
        if not remaining:
            meter.calls = calls
            return [chosen[index] for index in range(board.rows)]
        stack.append(_next_level(_without(free, row, bit, remaining, leaps), remaining))
    meter.calls = calls
    return None


def _next_level(free: list[int], open_rows: frozenset[int]) -> tuple[int, int, list[int], frozenset[int]]:
    row = min(open_rows, key=lambda index: (free[index].bit_count(), index))
    return row, free[row], free, open_rows


def _without(free: list[int], row: int, bit: int, open_rows: frozenset[int], leaps: dict[int, int]) -> list[int]:
    """Return the free squares after a queen has been placed; `leaps` says how far a knight in a row beside reaches."""
    after = list(free)
    for other in open_rows:
        distance = abs(other - row)
        after[other] &= ~(bit | bit << distance | bit >> distance)
    for distance, across in leaps.items():
        for other in open_rows & {row - distance, row + distance}:
            after[other] &= ~(bit << across | bit >> across)
    return after
