"""From what a request says to puzzles of the library, and back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from backrank.geometry.board import Board
from backrank.geometry.verify import Fault
from backrank.queens import Queens
from backrank.search import Space, Strategy, parse_strategy
from backrank.search.events import Event
from backrank.tours import KnightTours
from backrank.web.models import QueensPuzzle, RunRequest, TourPuzzle


def board_of(asked: TourPuzzle | QueensPuzzle, most: int, what: str) -> Board:
    """Return the board of a puzzle; refuse one of more than so many squares."""
    size = Board.parse(asked.board)
    size.require_at_most(most, what)
    return Board(size.rows, size.cols, holes=asked.holes, wrap=asked.wrap)


def tours_of(asked: TourPuzzle, most: int, what: str, *, start: int | None = None) -> KnightTours:
    """Return a puzzle of tours; `start` is where it begins if it does not say."""
    board = board_of(asked, most, what)
    begin = start if asked.start is None else asked.start
    return KnightTours(board, closed=asked.closed, start=begin, end=asked.end, piece=asked.piece)


def queens_of(asked: QueensPuzzle, most: int, what: str) -> Queens:
    """Return a puzzle of queens."""
    return Queens(board_of(asked, most, what), queens=asked.queens, piece=asked.piece)


def puzzle_of(asked: TourPuzzle | QueensPuzzle, most: int, what: str) -> KnightTours | Queens:
    """Return a puzzle."""
    return tours_of(asked, most, what) if isinstance(asked, TourPuzzle) else queens_of(asked, most, what)


class Searched(NamedTuple):
    """What is searched, and how."""

    space: Space
    strategy: Strategy


def searched(run: RunRequest, most: int) -> Searched:
    """Return the space and the strategy of a run.

    A tour that does not say where it begins does so on the first square that is no hole.
    """
    if isinstance(run.puzzle, QueensPuzzle):
        space: Space = queens_of(run.puzzle, most, "watching").search_space()
        return Searched(space, parse_strategy(run.strategy or "rows", "queens"))
    first = next(iter(board_of(run.puzzle, most, "watching")))
    space = tours_of(run.puzzle, most, "watching", start=first).search_space()
    strategy = parse_strategy(run.strategy or "warnsdorff", "tour")
    strategy.piece(space.piece)  # complains of an order that does not fit
    return Searched(space, strategy)


def told(puzzle: KnightTours | Queens) -> dict[str, Any]:
    """Return a puzzle as answers tell it.

    Examples
    --------
    >>> told(Queens("4x5", holes=["a4"]))["holes"]
    [0]
    """
    board = puzzle.board
    common = {
        "board": f"{board.rows}x{board.cols}",
        "rows": board.rows,
        "cols": board.cols,
        "holes": sorted(board.holes),
        "wrap": board.wrap,
    }
    if isinstance(puzzle, Queens):
        return {
            "kind": "queens",
            **common,
            "piece": puzzle.piece,
            "total": puzzle.queens,
            "queens": puzzle.queens,
        }
    return {
        "kind": "tour",
        **common,
        "piece": puzzle.piece.name,
        "total": len(board),
        "closed": puzzle.closed,
        "start": puzzle.start,
        "end": puzzle.end,
    }


def event_told(event: Event) -> dict[str, Any]:
    """Return an event as answers tell it.

    Examples
    --------
    >>> from backrank.search import EventKind, Reason
    >>> event_told(Event(2, EventKind.REJECT, 4, 1, Reason.SAME_COLUMN, 0))["reason"]
    'same-column'
    """
    reason = None if event.reason is None else event.reason.name.lower().replace("_", "-")
    return {
        "number": event.number,
        "kind": str(event.kind),
        "square": event.square,
        "depth": event.depth,
        "reason": reason,
        "at": event.at if event.at >= 0 else None,
    }


def faults_told(faults: Sequence[Fault]) -> list[dict[str, Any]]:
    """Return faults as answers tell them; their words are those of the command line."""
    return [
        {
            "kind": str(fault.kind),
            "message": str(fault),
            "cells": [list(cell) for cell in fault.cells],
            "steps": list(fault.steps),
        }
        for fault in faults
    ]
