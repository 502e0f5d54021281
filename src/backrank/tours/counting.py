"""Count tours, by listing or by frontier, and turn the one number into the one that was asked for.

What a search yields is called the natural count: open tours as directed sequences, closed tours as undirected
cycles. The others follow. Undirected open tours are half as many, unless an end is given: then every
tour has its own direction already. Directed closed tours are twice as many, unless the step that closes is given.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from backrank.budget import Budget
from backrank.errors import BoardTooLarge, InvalidPuzzle, UnknownName
from backrank.pieces import move_graph
from backrank.symmetry import canonical_path, permutations, stabilizer
from backrank.tours import frontier
from backrank.tours.elimination import elimination_order, profile
from backrank.tours.question import Question
from backrank.tours.solve import iter_exact

METHODS = ("auto", "listing", "frontier")
MAX_COUNT_SQUARES = 10_000
MAX_STATES = 3e8


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
        return _orbits(question, budget, directed=request.directed)
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
    board.require_at_most(MAX_COUNT_SQUARES, "counting")
    adjacency = move_graph(board, question.piece).adjacency()
    squares = list(board)
    meter = budget.start(len(squares))
    order = elimination_order(adjacency)
    _refuse_hopeless(question, profile(adjacency, order))
    if not question.closed:
        paths = frontier.count_paths(adjacency, squares, start=start, end=end, order=order, meter=meter)
        free = start is None and end is None and len(squares) > 1
        return 2 * paths if free else paths
    if end is None:
        return frontier.count_cycles(adjacency, squares, order, meter=meter)
    # Cycles through the step from the end to the start are paths between the two, closed by that step.
    return frontier.count_paths(adjacency, squares, start=start, end=end, order=order, meter=meter)


def _refuse_hopeless(question: Question, active: list[int]) -> None:
    """Refuse, before the machine suffers, a count whose states fit neither memory nor patience.

    Each square of the frontier multiplies the states by about 3.6; the divisors were measured on boards from
    5x8 to 6x8. A state takes about 120 bytes and 3 microseconds.
    """
    free_ends = not question.closed and (question.start is None or question.end is None)
    states = sum(3.6 ** min(width, 400) for width in active) / (5 if free_ends else 100)
    if states > MAX_STATES:
        raise BoardTooLarge(
            f"counting these tours of {question.board} needs about {states:.0e} states, with {max(active)} squares on "
            f"the frontier; up to {MAX_STATES:.0e} are feasible here: choose a smaller or narrower board"
        )


def _orbits(question: Question, budget: Budget, *, directed: bool) -> int:
    """Count tours up to symmetry.

    A symmetry that maps an open tour to itself step by step keeps every square, so only the identity does: all
    classes of directed open tours are as large as the group. Else the tours are listed.
    """
    if directed and not question.closed:
        return _by_frontier(question, budget) // len(_group(question, directed=True))
    return _classes(question, budget, directed=directed)


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
    kept = stabilizer(question.board, start, end)
    if directed or start is None or end is None:
        return kept
    swapping = (p for p in permutations(question.board) if p[start] == end and p[end] == start)
    return (*kept, *swapping)


def _readings(question: Question, tours: Iterator[tuple[int, ...]], *, directed: bool) -> Iterator[tuple[int, ...]]:
    """Yield each tour to be counted once: of an open undirected one the lesser reading, of a directed cycle both."""
    free = question.start is None and question.end is None
    for squares in tours:
        if question.closed or directed or not free or squares <= squares[::-1]:
            yield squares
        if question.closed and directed and question.end is None:
            yield squares[:1] + squares[:0:-1]
