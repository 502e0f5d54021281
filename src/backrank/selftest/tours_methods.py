"""Ways to count published values of tours; each takes the value that is to be counted, without looking at it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from backrank.arena.entrants import tutorials
from backrank.runtime.budget import Budget
from backrank.selftest.published import Published

if TYPE_CHECKING:
    from backrank.tours.puzzle import KnightTours


def puzzle_of(published: Published) -> KnightTours:
    """Return the tours that a value is about."""
    from backrank.tours.puzzle import KnightTours  # noqa: PLC0415 - a test loads what it needs

    wrap = "torus" if published.kind.endswith("torus") else "none"
    closed = "closed" in published.kind
    return KnightTours(published.rows, published.cols, closed=closed, start=published.start, wrap=wrap)


def _is_directed(published: Published) -> bool:
    return "directed" in published.kind.split(".")


def is_impossible(published: Published) -> bool:
    """Whether a theorem says that there are no such tours."""
    return puzzle_of(published).existence().answer == "no"


def tutorial_tours(published: Published, _budget: Budget) -> int:
    """Count as a tutorial does."""
    if published.start is not None:
        return tutorials.TutorialWalk(published.rows, published.cols).count(*published.start, 1, None)
    return tutorials.count_tours(published.rows, published.cols, closed="closed" in published.kind)


def tours_by_theorems(published: Published, _budget: Budget) -> int:
    """Count what cannot be: none."""
    if not is_impossible(published):
        raise AssertionError(f"no theorem is about {published.size}")
    return 0


def tours_listed(published: Published, budget: Budget) -> int:
    """Count by a search that looks out for dead ends, without theorems."""
    from backrank.tours.listing.exact import iter_exact  # noqa: PLC0415 - as above
    from backrank.tours.spec import TourSpec  # noqa: PLC0415 - a test loads what it needs

    puzzle = puzzle_of(published)
    spec = TourSpec(puzzle.board, puzzle.piece, puzzle.closed, puzzle.start, None)
    found = sum(1 for _ in iter_exact(spec, budget.start(len(puzzle.board))))
    return found if puzzle.closed or _is_directed(published) else found // 2


def tours_by_frontier(published: Published, budget: Budget) -> int:
    """Count square by square, all partial tours that look alike at once, in Python and without theorems."""
    from backrank.geometry.pieces import move_graph  # noqa: PLC0415 - a test loads what it needs
    from backrank.tours.counting import reference as frontier  # noqa: PLC0415 - as above

    puzzle = puzzle_of(published)
    adjacency, meter = move_graph(puzzle.board, puzzle.piece).adjacency(), budget.start(len(puzzle.board))
    if puzzle.closed:
        return frontier.count_cycles(adjacency, puzzle.board, meter=meter)
    return frontier.count_paths(adjacency, puzzle.board, start=puzzle.start, meter=meter)


def tours_by_layers(published: Published, budget: Budget) -> int:
    """Count the same way, compiled, in another order and with mirror images merged."""
    return puzzle_of(published).count(method="layers", directed=_is_directed(published), budget=budget)


def cycle_classes_by_burnside(published: Published, budget: Budget) -> int:
    """Count closed tours up to symmetry: from all of them, and those that each symmetry keeps."""
    return puzzle_of(published).count(up_to_symmetry=True, directed=False, budget=budget)


def cycle_classes_listed(published: Published, budget: Budget) -> int:
    """Count closed tours up to symmetry: those that are the least of their images, each read as a walk."""
    return puzzle_of(published).count(method="listing", up_to_symmetry=True, directed=False, budget=budget)


def cycle_classes_by_edges(published: Published, budget: Budget) -> int:
    """Count closed tours up to symmetry: all sets of moves, each turned and mirrored, one kept of those that meet."""
    rows, cols = published.rows, published.cols
    cells = [divmod(square, cols) for square in range(rows * cols)]
    turns = [
        [(down if up else rows - 1 - down) * cols + (right if left else cols - 1 - right) for down, right in cells]
        for up in (True, False)
        for left in (True, False)
    ]
    if rows == cols:
        turns += [[turn[right * cols + down] for down, right in cells] for turn in turns]
    kept: set[tuple[tuple[int, int], ...]] = set()
    for tour in puzzle_of(published).iter_tours(budget=budget):
        squares = list(tour)
        moves = list(zip(squares, squares[1:] + squares[:1], strict=True))
        kept.add(min(tuple(sorted(_edge(turn[a], turn[b]) for a, b in moves)) for turn in turns))
    return len(kept)


def _edge(one: int, other: int) -> tuple[int, int]:
    return (one, other) if one < other else (other, one)
