"""Checking large tours: compiled, on all cores, with one byte a square beside the tour itself.

`verify` finds and words every fault, and takes a few hundred bytes a square for it. Here a tour of 10^8 squares is
looked through in about a second; if it is one, there is nothing to word. Otherwise the faults are counted, and the
first of each kind are named in the words of `verify`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backrank.errors import InvalidPuzzle
from backrank.geometry.board import Board
from backrank.geometry.pieces import KNIGHT, Piece, is_move
from backrank.geometry.verify import Fault, FaultKind
from backrank.runtime.memory import require_bytes
from backrank.tours.analysis.checking_jit import mark_visits, wrong_moves

_NAMED = 20
_PART = 1 << 22


def array_faults(
    board: Board,
    squares: NDArray[Any],
    *,
    closed: bool = False,
    start: int | None = None,
    end: int | None = None,
    piece: Piece = KNIGHT,
    workers: int | None = None,
) -> list[Fault]:
    """Return the faults of a tour given as an array of squares; none means that it is one.

    Of each kind of fault at most 20 are named, and the last message tells how many more there are; what is
    complete is whether there are any.

    Parameters
    ----------
    board : Board
    squares : array of int, one-dimensional
        The tour in the order of its steps.
    closed, start, end, piece
        As for :func:`backrank.geometry.verify.tour_faults`.
    workers : int, optional
        Threads; one for each core if not given.

    Notes
    -----
    Cost: linear in the number of squares; memory of one byte a square of the grid.
    """
    leap = _leap(piece)
    if squares.ndim != 1 or squares.dtype.kind not in "iu":
        raise InvalidPuzzle("a tour is a one-dimensional array of whole numbers, the squares in order")
    squares = squares if squares.dtype in (np.int32, np.int64) else squares.astype(np.int64)
    require_bytes(board.size, f"checking a tour of {board}")
    seen = np.zeros(board.size, np.uint8)
    if board.holes:
        seen[np.fromiter(board.holes, np.int64, len(board.holes))] = 2
    workers = workers or os.cpu_count() or 1
    bad, wrong = _in_parts(workers, 0, len(squares), lambda a, b, into: mark_visits(squares, a, b, seen, into))
    faults = [_bad_visit(board, squares, step) for step in bad]
    faults += _more(FaultKind.REPEATED_SQUARE, "squares that are visited again, or are none", wrong - len(bad))
    missing = int(np.count_nonzero(seen == 0))
    if missing:
        faults.append(_missing(board, seen, missing))
    shape = np.array([board.rows, board.cols, board.wrap == "torus", board.wrap != "none"], np.int64)
    bad, wrong = _in_parts(workers, 1, len(squares), lambda a, b, into: wrong_moves(squares, a, b, shape, leap, into))
    faults += [_bad_move(board, squares, step, piece) for step in bad]
    faults += _more(FaultKind.NOT_A_MOVE, "steps that are no move", wrong - len(bad))
    faults += _ends(board, squares, closed=closed, start=start, end=end, piece=piece)
    return faults


def _leap(piece: Piece) -> NDArray[np.int64]:
    low, high = sorted(map(abs, piece.steps[0]))
    if piece.slides or {(abs(a), abs(b)) for a, b in piece.steps} - {(low, high), (high, low)}:
        raise InvalidPuzzle(f"a tour is made by a leaper such as the knight, not by a {piece}")
    return np.array([low, high], np.int64)


def _in_parts(
    workers: int, first: int, last: int, look: Callable[[int, int, NDArray[np.int64]], int]
) -> tuple[list[int], int]:
    """Look through the steps on several threads; return the first bad ones and how many there are in all."""

    def part(begin: int) -> tuple[list[int], int]:
        into = np.full(_NAMED, -1, np.int64)
        found = int(look(begin, min(begin + _PART, last), into))
        return [int(step) for step in into[: min(found, _NAMED)]], found

    with ThreadPoolExecutor(workers) as pool:
        parts = list(pool.map(part, range(first, last, _PART)))
    return [step for bad, _ in parts for step in bad][:_NAMED], sum(found for _, found in parts)


def _bad_visit(board: Board, squares: NDArray[Any], step: int) -> Fault:
    square = int(squares[step])
    if not 0 <= square < board.size:
        return Fault(FaultKind.OFF_BOARD, f"{square} at step {step + 1} is off the {board} board", steps=(step + 1,))
    cell = divmod(square, board.cols)
    if square in board.holes:
        return Fault(FaultKind.ON_HOLE, f"{square} at step {step + 1} is a hole", (cell,), (step + 1,))
    message = f"{board.name(square)} is visited again at step {step + 1}"
    return Fault(FaultKind.REPEATED_SQUARE, message, (cell,), (step + 1,))


def _more(kind: FaultKind, what: str, count: int) -> Iterator[Fault]:
    if count:
        yield Fault(kind, f"{count:,} more {what}")


def _missing(board: Board, seen: NDArray[np.uint8], missing: int) -> Fault:
    first = [board.cell(int(square)) for square in np.flatnonzero(seen == 0)[:_NAMED]]
    names = ", ".join(board.name(cell) for cell in first)
    more = f" and {missing - len(first):,} more" if missing > len(first) else ""
    are = "is" if missing == 1 else "are"
    message = f"{missing:,} of {len(board):,} squares {are} never visited: {names}{more}"
    return Fault(FaultKind.MISSING_SQUARES, message, tuple(first))


def _bad_move(board: Board, squares: NDArray[Any], step: int, piece: Piece) -> Fault:
    cells = tuple(divmod(int(square), board.cols) for square in squares[step - 1 : step + 1])
    names = (
        board.name(int(square)) if int(square) in board else str(int(square)) for square in squares[step - 1 : step + 1]
    )
    message = f"step {step} to {step + 1}, {' to '.join(names)}, is not a {piece} move"
    return Fault(FaultKind.NOT_A_MOVE, message, cells, (step, step + 1))


def _ends(
    board: Board, squares: NDArray[Any], *, closed: bool, start: int | None, end: int | None, piece: Piece
) -> Iterator[Fault]:
    if not len(squares):
        return
    ends = int(squares[0]), int(squares[-1])
    cells = tuple(divmod(square, board.cols) for square in ends)
    wanted = ((start, FaultKind.WRONG_START, "starts", 1), (end, FaultKind.WRONG_END, "ends", len(squares)))
    for square, cell, (asked, kind, verb, step) in zip(ends, cells, wanted, strict=True):
        if asked is not None and square != asked:
            shown = board.name(square) if square in board else str(square)
            yield Fault(kind, f"it {verb} on {shown}, not on {board.name(asked)}", (cell,), (step,))
    if closed and not (
        len(squares) > 2 and all(square in board for square in ends) and is_move(board, piece, cells[1], cells[0])
    ):
        message = f"from the last square, {ends[1]}, no {piece} move leads to the first, {ends[0]}"
        yield Fault(FaultKind.NOT_CLOSED, message, cells[::-1], (len(squares), 1))
