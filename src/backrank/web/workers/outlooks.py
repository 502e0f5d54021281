"""What can still become of a position by hand: whether it is solvable, in how many ways, and how it would go on.

What has been visited becomes holes, and the rest is a puzzle like any other: a tour from the last square, on what is
left, to an end that is asked for; of a closed tour, to each square from which a move leads back to the first. So
the solver of the library answers, and its exact count of completions; nothing here searches. First everything is
looked for, which takes milliseconds as a rule; what time is left goes into counting.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from backrank.errors import BoardTooLarge, BudgetExceeded, InvalidPuzzle
from backrank.geometry.board import Board, SquareLike
from backrank.geometry.pieces import KNIGHT, move_graph, queen_lines
from backrank.geometry.verify import queens_faults
from backrank.queens import Queens
from backrank.queens.solve.completion import complete, count_completions
from backrank.runtime.budget import Budget
from backrank.tours import KnightTours
from backrank.tours.counting import frontier_plan as plan
from backrank.tours.spec import TourSpec
from backrank.web.sayings import with_code

if TYPE_CHECKING:
    from backrank.web.workers.context import WorkContext

_LEAST_SECONDS = 0.05
_FEW_SQUARES = 30
_PLANNING_SECONDS = 0.3
_PESSIMISM = 6.0  # estimates are rough, and other work goes on
_LOOKING = 0.5  # the part of the time that looking for answers may take
_MOST_BYTES = 1 << 30


class Clock:
    """The time of one outlook, dealt out to its parts."""

    def __init__(self, seconds: float, context: WorkContext) -> None:
        self.context = context
        self._began = time.monotonic()
        self._seconds = seconds

    @property
    def spent(self) -> float:
        """Seconds so far."""
        return time.monotonic() - self._began

    def budget(self, part: float, among: int = 1) -> Budget:
        """Return a budget that ends when so much of the whole time is over; one of several that follow each other."""
        left = self._seconds * part - self.spent
        return self.context.budget(max(_LEAST_SECONDS, left / max(1, among)))


@dataclass
class Prospect:
    """A position, and what is known of it."""

    tours: KnightTours
    path: list[int]
    rest: list[KnightTours]
    solvable: str = "no"
    ways: int | None = 0
    reason: str = "no way leads on from here"
    method: str = "rules"
    completion: list[int] | None = field(default=None)

    def look(self, clock: Clock, among: int) -> None:
        """Find out whether there is a way on."""
        for number, puzzle in enumerate(self.rest):
            known = puzzle.existence()
            self.reason = known.reason
            if known.answer == "no":
                self.method = "theorem"
                continue
            self.method = "search"
            try:
                found = puzzle.search(budget=clock.budget(_LOOKING, among * (len(self.rest) - number)))
            except BudgetExceeded as error:
                self.solvable, self.ways, self.reason = "unknown", None, str(error)
                continue
            self.reason = found.reason
            if found.tour is not None:
                squares = list(found.tour.squares)
                self.solvable, self.ways = "yes", None
                self.completion = [*self.path[:-1], *_turned(squares, self.path[-1:])]
                return

    def count(self, clock: Clock, among: int) -> None:
        """Find out how many ways there are on, if time allows."""
        if self.ways is not None:
            return
        total = ways_on(self.tours, self.path, self.rest, clock.budget(1.0, among))
        if total is None:
            return
        self.ways, self.method = total, "count"
        self.solvable = "yes" if total else "no"
        if not total:
            self.reason = "all ways on have been counted: there is none"


def ways_on(tours: KnightTours, path: list[int], rest: list[KnightTours], budget: Budget) -> int | None:
    """Return in how many ways a path can become a tour, by the exact counter; None if that takes too long.

    With few squares left each rest is counted by itself, in plain Python and at once; what is more is left to the
    verb of the puzzle, which loads what is compiled.
    """
    left = [puzzle for puzzle in rest if puzzle.existence().answer != "no"]
    if not left:
        return 0
    is_small = len(left[0].board) <= _FEW_SQUARES
    try:
        if not is_small and not _is_countable(left[0], budget):
            return None
        if path and not is_small:
            return tours.completions(path, memory=_MOST_BYTES, budget=budget)
        # A cycle is walked in two directions, and both are ways on from its only square so far.
        directed = [True if path and puzzle.closed else None for puzzle in left]
        return sum(puzzle.count(directed=each, budget=budget) for puzzle, each in zip(left, directed, strict=True))
    except (BudgetExceeded, BoardTooLarge):
        return None


def _is_countable(puzzle: KnightTours, budget: Budget) -> bool:
    """Whether the tours can probably be counted in time: who plays need not wait for what will not come."""
    if budget.seconds is None or budget.seconds < _PLANNING_SECONDS:
        return budget.seconds is None
    question = TourSpec(puzzle.board, puzzle.piece, puzzle.closed, puzzle.start, puzzle.end)
    return _PESSIMISM * plan.explain(question).seconds <= budget.seconds


def _turned(squares: list[int], first: Sequence[int]) -> list[int]:
    """Return a cycle so that it begins with a square."""
    at = squares.index(first[0]) if first else 0
    return squares[at:] + squares[:at]


def path_squares(tours: KnightTours, path: Iterable[SquareLike]) -> list[int]:
    """Return a path by hand as squares, or say why it is none: a square twice, or a step that is no move."""
    board = tours.board
    squares = [board.square(square) for square in path]
    graph = move_graph(board, tours.piece)
    seen: set[int] = set()
    for square in squares:
        if square in seen:
            raise InvalidPuzzle(f"{board.name(square)} is visited twice; a tour visits every square once")
        seen.add(square)
    for source, target in pairwise(squares):
        if target not in graph.neighbours(source):
            raise InvalidPuzzle(f"{board.name(source)} to {board.name(target)} is not a {tours.piece} move")
    return squares


def next_squares(tours: KnightTours, path: Sequence[int]) -> list[int]:
    """Return the squares that may come next: the start if nothing is there yet."""
    if not path:
        return list(tours.board) if tours.start is None else [tours.start]
    visited = set(path)
    return [square for square in move_graph(tours.board, tours.piece).neighbours(path[-1]) if square not in visited]


def rest_of(tours: KnightTours, path: Sequence[int]) -> list[KnightTours]:
    """Return the puzzles whose tours are the ways on: each way is a tour of exactly one of them."""
    if not path:
        return [tours]
    board, visited = tours.board, set(path)
    if tours.start is not None and path[0] != tours.start:
        return []
    if len(path) == 1 and tours.end is None:
        return [KnightTours(board, closed=tours.closed, start=path[0], piece=tours.piece)]
    ends: list[int | None] = [tours.end]
    if tours.closed:
        back = move_graph(board, tours.piece).neighbours(path[0])
        ends = [square for square in back if tours.end in (None, square)]
    if len(path) == len(board):
        full = Board(1)
        is_met = (path[-1] in ends or ends == [None]) and (not tours.closed or len(path) > 2)
        return [KnightTours(full)] if is_met else []
    left = Board(board.rows, board.cols, holes=board.holes | (visited - {path[-1]}), wrap=board.wrap)
    free = [end for end in ends if end is None or end not in visited]
    return [KnightTours(left, start=path[-1], end=end, piece=tours.piece) for end in free]


def tour_outlook(
    tours: KnightTours, path: Iterable[SquareLike], seconds: float, *, ways: bool, moves: bool, context: WorkContext
) -> dict[str, Any]:
    """Tell whether a path can still become a tour, in how many ways, and the same for each move."""
    clock = Clock(seconds, context)
    squares = path_squares(tours, path)
    whole = Prospect(tours, squares, rest_of(tours, squares))
    if len(squares) == len(tours.board):
        done = bool(whole.rest)
        whole.solvable, whole.ways = ("yes", 1) if done else ("no", 0)
        whole.completion = squares if done else None
        whole.reason = "this is a tour" if done else "every square is visited, but the tour does not end as it should"
        return _told(whole, [], clock)
    if squares and tours.start not in (None, squares[0]):
        whole.reason = f"the tour must start on {tours.board.name(tours.start)}"
    wanted = next_squares(tours, squares) if moves and whole.rest and squares else []
    each = [Prospect(tours, [*squares, square], rest_of(tours, [*squares, square])) for square in wanted]
    _look_at(whole, each, clock, complete_length=len(tours.board))
    if ways and whole.method != "theorem":
        context.tell("partial", _told(whole, each, clock))
        for number, prospect in enumerate(each):
            prospect.count(clock, len(each) - number)
            if prospect.ways is None:
                break  # the others will not be easier, and the sum is not to be had
        if each and all(prospect.ways is not None for prospect in each):
            whole.ways, whole.method = sum(prospect.ways or 0 for prospect in each), "count"
            whole.solvable = "yes" if whole.ways else "no"
        elif not each:
            whole.count(clock, 1)
    return _told(whole, each, clock)


def _look_at(whole: Prospect, each: list[Prospect], clock: Clock, *, complete_length: int) -> None:
    """Look for a way on by each move; what is found for a move holds for the whole."""
    known = [puzzle.existence() for puzzle in whole.rest]
    if known and all(each.answer == "no" for each in known):
        whole.reason, whole.method = known[0].reason, "theorem"
        return
    for number, prospect in enumerate(each):
        if len(prospect.path) == complete_length:
            if prospect.rest:
                prospect.solvable, prospect.ways, prospect.completion = "yes", 1, prospect.path
                prospect.reason = "the last move"
        else:
            prospect.look(clock, len(each) - number)
    if not each:
        whole.look(clock, 1)
        return
    best = next((prospect for prospect in each if prospect.solvable == "yes"), None)
    best = best or next((prospect for prospect in each if prospect.solvable == "unknown"), each[0])
    whole.solvable, whole.method = best.solvable, best.method if best.solvable != "no" else "search"
    whole.reason = "no way leads on from here" if best.solvable == "no" else best.reason
    whole.completion = best.completion
    whole.ways = 0 if best.solvable == "no" else None


def _told(whole: Prospect, each: list[Prospect], clock: Clock) -> dict[str, Any]:
    moves = [
        {"square": prospect.path[-1], "solvable": prospect.solvable, "ways": _text(prospect.ways)} for prospect in each
    ]
    return {
        "solvable": whole.solvable,
        "ways": _text(whole.ways),
        "reason": whole.reason,
        **with_code(whole.reason),
        "method": whole.method,
        "completion": whole.completion,
        "moves": moves,
        "seconds": round(clock.spent, 6),
    }


def _text(ways: int | None) -> str | None:
    return None if ways is None else str(ways)


def queens_outlook(
    queens: Queens, placed: Iterable[SquareLike], seconds: float, *, ways: bool, context: WorkContext
) -> dict[str, Any]:
    """Tell whether queens by hand can be completed, in how many ways, and how."""
    clock = Clock(seconds, context)
    board = queens.board
    squares = sorted({board.square(square) for square in placed})
    told: dict[str, Any] = {"solvable": "no", "ways": "0", "method": "rules", "completion": None}
    faults = queens_faults(board, list(map(board.cell, squares)), queens=len(squares), piece=queens.piece)
    reason = str(faults[0]) if faults else None
    if reason is None and len(squares) > queens.queens:
        reason = f"{len(squares)} {queens.piece}s are placed, but only {queens.queens} wanted"
    if reason is None and not squares and (known := queens.existence()).answer == "no":
        reason, told["method"] = known.reason, "theorem"
    if reason is None:
        told |= _completed(queens, squares, clock, ways=ways)
    else:
        told["reason"] = reason
    return _queens_told(told, clock)


def _queens_told(told: dict[str, Any], clock: Clock) -> dict[str, Any]:
    return {**told, **with_code(told["reason"]), "moves": [], "seconds": round(clock.spent, 6)}


def _completed(queens: Queens, squares: list[int], clock: Clock, *, ways: bool) -> dict[str, Any]:
    """Look for a completion, then count them."""
    board = queens.board
    try:
        if queens.piece == "queen":
            found = complete(board, squares, queens.queens, budget=clock.budget(_LOOKING))
            answer = None if found is None else sorted(found.squares)
        else:
            more = _left(queens, squares).solve(budget=clock.budget(_LOOKING))
            answer = None if more is None else sorted([*squares, *more.squares])
    except BudgetExceeded as error:
        return {"solvable": "unknown", "ways": None, "reason": str(error), "method": "search"}
    if answer is None:
        return {"reason": "an exhaustive search found no way to complete it", "method": "search"}
    told = {"solvable": "yes", "ways": None, "reason": "found a way", "method": "search", "completion": answer}
    if not ways:
        return told
    clock.context.tell("partial", _queens_told(told, clock))
    budget = clock.budget(1.0)
    try:
        if not squares:
            number = queens.count(budget=budget)
        elif queens.piece == "queen":
            number = count_completions(board, squares, queens.queens, budget=budget)
        else:
            number = _left(queens, squares).count(budget=budget)
    except (BudgetExceeded, BoardTooLarge):
        return told
    return {**told, "ways": str(number), "method": "count", "reason": "counted"}


def attacked_squares(queens: Queens, squares: Sequence[int]) -> list[int]:
    """Return the squares, without holes and those that are occupied, that a queen in place attacks."""
    board = queens.board
    busy: list[set[int]] = [set(), set(), set(), set()]
    jumps: set[int] = set()
    for square in squares:
        for taken, line in zip(busy, queen_lines(board, board.cell(square)), strict=True):
            taken.add(line)
        if queens.piece == "amazon":
            jumps.update(move_graph(board, KNIGHT).neighbours(square))
    occupied = set(squares)
    return [
        square
        for square in board
        if square not in occupied
        and (
            square in jumps
            or any(line in taken for line, taken in zip(queen_lines(board, board.cell(square)), busy, strict=True))
        )
    ]


def _left(queens: Queens, squares: list[int]) -> Queens:
    """Return the puzzle that is left: what is occupied or attacked becomes holes, across which queens see."""
    board = queens.board
    holes = board.holes | set(squares) | set(attacked_squares(queens, squares))
    left = Board(board.rows, board.cols, holes=holes, wrap=board.wrap) if len(holes) < board.size else None
    wanted = queens.queens - len(squares)
    if left is None:
        # No square is free: as impossible as two queens on one square.
        return Queens(Board(1), queens=0 if not wanted else 2, piece=queens.piece)
    return Queens(left, queens=wanted, piece=queens.piece)
