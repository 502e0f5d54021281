"""Those who tour boards in the arena, and those who run a search of the engine; each function is one entrant."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from backrank.arena.disciplines import SearchCase
from backrank.arena.entrants import tutorials
from backrank.geometry.pieces import move_graph
from backrank.runtime.budget import Budget, Counters
from backrank.search.engine import advance, start
from backrank.search.runner import SearchPaused, run
from backrank.search.strategies.tours import TourView, tour_strategy
from backrank.tours.listing import reference
from backrank.tours.puzzle import KnightTours
from backrank.tours.solve.cpsat import MissingEngine


def count_tutorial(puzzle: KnightTours) -> int:
    """Count as a tutorial does: on plain boards."""
    return tutorials.count_tours(puzzle.board.rows, puzzle.board.cols, closed=puzzle.closed)


def count_reference(puzzle: KnightTours) -> int:
    """Count by the textbook's search: all paths, of which a second look closes the cycles."""
    board, closed = puzzle.board, puzzle.closed
    view = TourView(board, move_graph(board, puzzle.piece).adjacency())
    found = 0
    for begin in list(board)[: 1 if closed else None]:
        closing = view.adjacency[begin]
        paths = reference.iter_paths(view, begin, tour_strategy("fixed"), meter=Budget().start(), counters=Counters())
        found += sum(not closed or path[-1] in closing for path in paths)
    return found // 2


def count_listing(puzzle: KnightTours) -> int:
    """Count by a search that looks out for dead ends."""
    return puzzle.count(method="listing", directed=False)


def count_frontier(puzzle: KnightTours) -> int:
    """Count square by square, all partial tours that look alike at once, in Python."""
    return puzzle.count(method="frontier", directed=False)


def count_layers(puzzle: KnightTours) -> int:
    """Count the same way, compiled."""
    return puzzle.count(method="layers", directed=False)


def first_tutorial(puzzle: KnightTours) -> list[int] | None:
    """Find the first tour as a tutorial does, by recursion."""
    walk = tutorials.TutorialWalk(puzzle.board.rows, puzzle.board.cols)
    row, col = puzzle.board.cell(puzzle.start or 0)
    return walk.squares() if walk.first(row, col) else None


def first_fixed(puzzle: KnightTours) -> Sequence[int] | None:
    """Find the first tour by the engine, steps in the tutorial's order, compiled."""
    return _searched(puzzle, "fixed:python")


def first_degree(puzzle: KnightTours) -> Sequence[int] | None:
    """Find a tour by the engine, squares with few moves on the empty board first, compiled."""
    return _searched(puzzle, "degree")


def first_warnsdorff(puzzle: KnightTours) -> Sequence[int] | None:
    """Find a tour by the engine and Warnsdorff's rule, compiled."""
    return _searched(puzzle, "warnsdorff")


def first_warnsdorff_roth(puzzle: KnightTours) -> Sequence[int] | None:
    """Find a tour by the engine and Warnsdorff's rule, ties broken as A. Roth does, compiled."""
    return _searched(puzzle, "warnsdorff-roth")


def first_auto(puzzle: KnightTours) -> Sequence[int] | None:
    """Find a tour by whatever the automatic solver chooses."""
    tour = puzzle.solve()
    return None if tour is None else tuple(tour)


def first_blocks(puzzle: KnightTours) -> Sequence[int] | None:
    """Build a tour from blocks, and write it down."""
    tour = puzzle.constructed()
    return tour.array  # type: ignore[return-value]  # an array of squares is as good as a list


def first_cp_sat(puzzle: KnightTours) -> Sequence[int] | None:
    """Find a tour by OR-Tools, if it is installed."""
    try:
        tour = puzzle.search(engine="cp-sat").tour
    except MissingEngine as error:
        raise ImportError(str(error)) from None
    return None if tour is None else tuple(tour)


def _searched(puzzle: KnightTours, strategy: str) -> Sequence[int] | None:
    cursor = run(start(puzzle, strategy), until="solution", gear="kernel")
    return cursor.path if cursor.solutions else None


def list_tutorial(puzzle: KnightTours) -> Iterator[list[int]]:
    """List all tours as a tutorial does."""
    rows, cols = puzzle.board.rows, puzzle.board.cols
    for square in range(rows * cols):
        yield from tutorials.TutorialWalk(rows, cols).every(*divmod(square, cols))


def list_reference(puzzle: KnightTours) -> Iterator[tuple[int, ...]]:
    """List all tours by the textbook's search."""
    view = TourView(puzzle.board, move_graph(puzzle.board, puzzle.piece).adjacency())
    for begin in puzzle.board:
        paths = reference.iter_paths(view, begin, tour_strategy("fixed"), meter=Budget().start(), counters=Counters())
        yield from map(tuple, paths)


def list_pruned(puzzle: KnightTours) -> Iterator[tuple[int, ...]]:
    """List all tours by a search that looks out for dead ends."""
    return (tuple(tour) for tour in puzzle)


def run_tutorial(search: SearchCase) -> tuple[int, Sequence[int]]:
    """Recurse as a tutorial does, for so many calls."""
    board = search.tours.board
    walk = tutorials.TutorialWalk(board.rows, board.cols, search.calls)
    walk.first(*board.cell(search.tours.start or 0))
    return walk.calls, walk.squares()


def run_events(search: SearchCase) -> tuple[int, Sequence[int]]:
    """Make every event, to be shown: plain Python."""
    cursor = start(search.tours, search.strategy)
    while left := search.calls - cursor.calls:
        # No event makes more than one call, so this never goes too far.
        _, cursor = advance(cursor, min(left, 10_000))
    while True:
        _, further = advance(cursor, 1)
        if further.calls > search.calls or further.done:
            return cursor.calls, cursor.path
        cursor = further


def run_plain(search: SearchCase) -> tuple[int, Sequence[int]]:
    """Run silently from moment to moment, in plain Python."""
    return _run(search, "plain")


def run_compiled(search: SearchCase) -> tuple[int, Sequence[int]]:
    """Run silently from moment to moment, compiled."""
    return _run(search, "kernel")


def _run(search: SearchCase, gear: Literal["plain", "kernel"]) -> tuple[int, Sequence[int]]:
    try:
        cursor = run(start(search.tours, search.strategy), budget=Budget(calls=search.calls), gear=gear)
    except SearchPaused as pause:
        cursor = pause.cursor
    return cursor.calls, cursor.path
