"""Completing a placement: some queens stand already, some squares are blocked; place the others, or prove it cannot be.

Whether some queens can be completed to n on n x n is NP-complete, and counting the ways #P-complete: I. P. Gent,
C. Jefferson and P. Nightingale, "Complexity of n-Queens Completion", Journal of Artificial Intelligence Research 59
(2017). So no search is known that is always fast, and limits (a :class:`~backrank.Budget`) are what keeps one from
running for ever. Random boards are mostly easy, at any size; hard are those with about as many blocked diagonals as
leave one solution on average.

The search sees lines: rows, columns and diagonals of both kinds, each with at most one queen. If a kind has fewer open
lines (lines with a free square) than queens are still to come, the branch is dead; if it has just as many, each must
get a queen, and the one with the fewest free squares comes next. For n queens on n x n, rows and columns are like that
from the start. Anything else comes out of the same rule: fewer queens, rectangles, glued edges.

Two rungs: :func:`iter_plainly` below is the idea in Python, good for a chess board;
:mod:`backrank.queens.solve.line_search` hands the same search to a compiled kernel, which also learns which lines are
trouble, knows what the numbers of the diagonals must add up to, and starts afresh again and again.

*Road not taken.* If a line that must get a queen has two free squares, whatever both attack is spoilt. Looking for that
at every step saved a third of the placements, but no time.
"""

from __future__ import annotations

import operator
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import SupportsIndex

from backrank.geometry.board import Board, SquareLike
from backrank.geometry.pieces import queen_lines
from backrank.queens.arguments import checked
from backrank.queens.placement import Placement
from backrank.runtime.budget import Budget, Meter, budget_of

MAX_COMPLETED_SQUARES = 4_000_000
PLAIN_SQUARES = 64
_STRIDE = 256  # calls between two looks at the clock: a call looks at all squares


def complete(
    board: Board,
    placed: Iterable[SquareLike] = (),
    queens: SupportsIndex | None = None,
    *,
    seed: int = 1,
    budget: Budget | None = None,
) -> Placement | None:
    """Return one placement that contains the given queens, or None if it is proven that there is none.

    Parameters
    ----------
    board : Board
        With its holes: no queen may stand there, but queens see across them.
    placed : iterable of squares
        Where queens stand already: names, cells or numbers.
    queens : int, optional
        How many there are to be in the end, the placed ones included; the shorter side if not given.
    seed : int
        Of the random choices on boards of more than 64 squares: another seed may find another answer.
    budget : Budget, optional
        Limits, progress and cancellation; no limits if not given. A call is a queen placed.

    Raises
    ------
    InvalidSquare
        If a queen is placed off the board or on a hole.
    InvalidPuzzle
        If two placed queens attack each other or stand on one square, or if there are more of them than wanted.
    BudgetExceeded
        If a limit was reached first: nothing is proven.

    Notes
    -----
    NP-complete (see the module), so exponential in the worst case; a call costs some microseconds at n = 100.

    Examples
    --------
    >>> complete(Board(8), ["b4", "d5"]).columns  # as F. Nauck asked in 1850
    (4, 0, 7, 3, 1, 6, 2, 5)
    >>> complete(Board(6), ["a1"]) is None
    True
    """
    given, wanted = checked(board, placed, queens)
    meter = budget_of(budget).start(wanted)
    squares = search(board, given, wanted, seed=seed, meter=meter)
    return None if squares is None else Placement(board, tuple(sorted(squares)))


def count_completions(
    board: Board,
    placed: Iterable[SquareLike] = (),
    queens: SupportsIndex | None = None,
    *,
    budget: Budget | None = None,
) -> int:
    """Return the exact number of placements that contain the given queens; parameters and errors as for `complete`.

    Notes
    -----
    #P-complete; counted one by one, about two million a second on small boards.

    Examples
    --------
    >>> count_completions(Board(8)), count_completions(Board(8), ["b4", "d5"]), count_completions(Board(6), queens=5)
    (92, 2, 248)
    """
    given, wanted = checked(board, placed, queens)
    return count(board, given, wanted, meter=budget_of(budget).start(wanted))


def search(board: Board, placed: tuple[int, ...], queens: int, *, seed: int = 1, meter: Meter) -> list[int] | None:
    """Return squares of a completion, the placed ones first, or None; what :func:`checked` returns is believed."""
    board.require_at_most(MAX_COMPLETED_SQUARES, "completing")
    if queens > min(board.rows, board.cols):
        return None
    if board.size <= PLAIN_SQUARES:
        return next(iter_plainly(board, placed, queens, meter=meter), None)
    from backrank.queens.solve import line_search as linesearch  # noqa: PLC0415 - loads numpy and numba

    return linesearch.search(board, placed, queens, seed=seed, meter=meter)


def count(board: Board, placed: tuple[int, ...], queens: int, *, meter: Meter) -> int:
    """Return the number of completions; what :func:`checked` returns is believed."""
    board.require_at_most(MAX_COMPLETED_SQUARES, "counting completions")
    if queens > min(board.rows, board.cols):
        return 0
    if board.size <= PLAIN_SQUARES:
        return sum(1 for _ in iter_plainly(board, placed, queens, meter=meter))
    from backrank.queens.solve import line_search as linesearch  # noqa: PLC0415 - loads numpy and numba

    return linesearch.count(board, placed, queens, meter=meter)


def iter_plainly(board: Board, placed: tuple[int, ...], queens: int, *, meter: Meter) -> Iterator[list[int]]:
    """Yield the squares of every completion, in the order of the search: the reference.

    Examples
    --------
    >>> list(iter_plainly(Board(4), (1,), 4, meter=Budget().start()))
    [[1, 7, 8, 14]]
    """
    lines = [queen_lines(board, board.cell(square)) for square in range(board.size)]

    def without(free: list[int], queen: int) -> list[int]:
        """Return the squares that a queen does not attack."""
        return [square for square in free if not any(map(operator.eq, lines[square], lines[queen]))]

    def extended(path: list[int], free: list[int], left: int) -> Iterator[list[int]]:
        if not left:
            meter.found += 1
            yield path
            return
        line, spare = _best_line([(lines[square], square) for square in free], left)
        for square in line:
            if meter.calls >= meter.stop_at or meter.calls % _STRIDE == 0:
                meter.tick(meter.calls, len(path))
            meter.calls += 1
            yield from extended([*path, square], without(free, square), left - 1)
        if line and spare:
            yield from extended(path, [square for square in free if square not in line], left)

    free = list(board)
    for queen in placed:
        free = without(free, queen)
    yield from extended(list(placed), free, queens - len(placed))


def _best_line(free: list[tuple[tuple[int, int, int, int], int]], left: int) -> tuple[list[int], int]:
    """Return the free squares of the line to fill next, and how many lines of its kind may stay empty.

    No square is returned if there are fewer lines of some kind than queens to come.
    """
    best: tuple[int, int, list[int]] | None = None
    for kind in range(4):
        by_line = defaultdict(list)
        for lines, square in free:
            by_line[lines[kind]].append(square)
        spare = len(by_line) - left
        if spare < 0:
            return [], spare
        fewest = min(by_line.values(), key=len)
        if best is None or (spare, len(fewest)) < best[:2]:
            best = (spare, len(fewest), fewest)
    return (best[2], best[0]) if best else ([], 0)
