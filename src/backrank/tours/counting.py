"""Count tours, by listing or by frontier, and turn the one number into the one that was asked for.

What a search yields is called the natural count: open tours as directed sequences, closed tours as undirected
cycles. The others follow. Undirected open tours are half as many, unless an end is given: then every
tour has its own direction already. Directed closed tours are twice as many, unless the step that closes is given.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from backrank.budget import Budget
from backrank.errors import InvalidPuzzle, UnknownName
from backrank.pieces import move_graph
from backrank.symmetry import canonical_path, permutations
from backrank.tours import frontier
from backrank.tours.solve import Question, iter_exact

METHODS = ("auto", "listing", "frontier")


@dataclass(frozen=True, slots=True)
class Request:
    """Which number is wanted, and how."""

    directed: bool
    up_to_symmetry: bool
    method: str


def unknown_method(name: str) -> UnknownName:
    """Return the error for a method that there is none of."""
    return UnknownName("counting method", name, METHODS)


def count(question: Question, request: Request, budget: Budget) -> int:
    """Return the requested number of tours; the question must be about a board with at least one possible tour."""
    if request.method not in METHODS:
        raise unknown_method(request.method)
    if request.up_to_symmetry:
        if request.method == "frontier":
            raise InvalidPuzzle("the frontier method cannot count up to symmetry; use listing")
        return _classes(question, budget, directed=request.directed)
    natural = _by_listing(question, budget) if request.method == "listing" else _by_frontier(question, budget)
    return _converted(question, natural, directed=request.directed)


def _converted(question: Question, natural: int, *, directed: bool) -> int:
    if len(question.board) == 1:
        return natural
    if question.closed:
        return natural * 2 if directed and question.end is None else natural
    return natural // 2 if not directed and question.start is None and question.end is None else natural


def _by_listing(question: Question, budget: Budget) -> int:
    return sum(1 for _ in iter_exact(question, budget.start(len(question.board))))


def _by_frontier(question: Question, budget: Budget) -> int:
    board, start, end = question.board, question.start, question.end
    adjacency = move_graph(board, question.piece).adjacency()
    squares = list(board)
    meter = budget.start(len(squares))
    if not question.closed:
        paths = frontier.count_paths(adjacency, squares, start=start, end=end, meter=meter)
        free = start is None and end is None and len(squares) > 1
        return 2 * paths if free else paths
    if end is None:
        return frontier.count_cycles(adjacency, squares, meter=meter)
    # Cycles through the step from the end to the start are paths between the two, closed by that step.
    return frontier.count_paths(adjacency, squares, start=start, end=end, meter=meter)


def _classes(question: Question, budget: Budget, *, directed: bool) -> int:
    """Count the tours that are the least of their class."""
    group = _group(question, directed=directed)
    meter = budget.start(len(question.board))
    total = 0
    for squares in _readings(question, iter_exact(question, meter), directed=directed):
        least = canonical_path(group, squares, closed=question.closed, directed=directed)
        total += least == canonical_path(group[:1], squares, closed=question.closed, directed=directed)
    return total


def _group(question: Question, *, directed: bool) -> tuple[tuple[int, ...], ...]:
    """Return the symmetries of the question, the identity first."""
    start, end = question.start, question.end
    group = permutations(question.board)
    kept = [p for p in group if all(fixed is None or p[fixed] == fixed for fixed in (start, end))]
    if not directed and start is not None and end is not None:
        kept += [p for p in group if p[start] == end and p[end] == start]
    return tuple(kept)


def _readings(question: Question, tours: Iterator[tuple[int, ...]], *, directed: bool) -> Iterator[tuple[int, ...]]:
    """Yield each tour to be counted once: of an open undirected one the lesser reading, of a directed cycle both."""
    free = question.start is None and question.end is None
    for squares in tours:
        if question.closed or directed or not free or squares <= squares[::-1]:
            yield squares
        if question.closed and directed and question.end is None:
            yield squares[:1] + squares[:0:-1]
