"""Strategies for tours: which of the next squares to try first.

A strategy is a small named value. It gives every candidate square a number, and the search tries
the lowest first; equal numbers keep the move order. To add one, write a function of the view and the
square, and put it into the table at the end. A strategy that gives numbers considers free squares only;
the fixed order, which gives none, tries all neighbours and finds out that some have been visited.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from backrank.errors import InvalidPuzzle, UnknownName
from backrank.geometry.board import Board
from backrank.search.strategies.hashed import MAX_SEED, mixed


class TourView:
    """What a strategy may look at: the board, the moves, and which squares have been visited.

    Attributes
    ----------
    board : Board
    adjacency : sequence of tuples of int
        The neighbours of every square in move order.
    visited : bytearray
        1 for every square on the path so far, 0 for the others; the search keeps it up to date.
    here : int
        The square from which the next ones are being sought, while a strategy is asked.
    """

    def __init__(self, board: Board, adjacency: Sequence[tuple[int, ...]]) -> None:
        self.board = board
        self.adjacency = adjacency
        self.visited = bytearray(board.size)
        self.here = -1

    @property
    def depth(self) -> int:
        """How many squares have been visited."""
        return self.visited.count(1)

    def exits(self, square: int) -> int:
        """Return the number of onward moves: unvisited squares one move from this one."""
        visited = self.visited
        return sum(not visited[target] for target in self.adjacency[square])

    def centre_distance(self, square: int) -> int:
        """Return four times the squared distance from the centre of the board."""
        row, col = self.board.cell(square)
        return (2 * row - self.board.rows + 1) ** 2 + (2 * col - self.board.cols + 1) ** 2

    def candidates(self, square: int, strategy: TourStrategy) -> Sequence[int]:
        """Return the squares to try from this one, in order; those of a fixed order may be visited already."""
        if strategy.key is None:
            return self.adjacency[square]
        key, visited = strategy.key, self.visited
        self.here = square
        free = [target for target in self.adjacency[square] if not visited[target]]
        return sorted(free, key=lambda target: key(self, target))


@dataclass(frozen=True, slots=True)
class TourStrategy:
    """A strategy: its name, its idea in a paragraph, and the number that it gives a candidate square.

    `key(view, square)` is asked when the search stands next to the square; None leaves the move order as it is.
    It may depend on the view alone: asked again with the same squares visited, it must answer the same.
    `kernel` says which of its orders the compiled search uses; without one the search runs in plain Python.
    """

    name: str
    idea: str
    key: Callable[[TourView, int], float] | None = None
    kernel: str | None = None
    seed: int = 0


def _degree(view: TourView, square: int) -> int:
    return len(view.adjacency[square])


def _warnsdorff(view: TourView, square: int) -> int:
    return view.exits(square)


def _warnsdorff_roth(view: TourView, square: int) -> int:
    furthest = view.board.rows**2 + view.board.cols**2
    return view.exits(square) * furthest - view.centre_distance(square)


@dataclass(frozen=True, slots=True)
class RandomTourKey:
    """A random number for each candidate, determined by the seed, the depth, where one stands and the candidate."""

    seed: int

    def __call__(self, view: TourView, square: int) -> int:
        """Return the number of a candidate."""
        return mixed(self.seed, view.depth, view.here, square)


TOUR_STRATEGIES: Mapping[str, TourStrategy] = MappingProxyType(
    {
        strategy.name: strategy
        for strategy in (
            TourStrategy(
                "fixed",
                "Try the steps in the same order everywhere. The textbook backtracking: simple, and at the "
                "mercy of the order; from one corner of 8x8 to a neighbour its cost changes a hundredfold.",
                kernel="fixed",
            ),
            TourStrategy(
                "degree",
                "Fewest moves on the empty board first: squares at the edge before those in the middle. A cheap "
                "forerunner of Warnsdorff's rule, used by one of the tutorials; the count is looked up, never updated.",
                _degree,
                kernel="degree",
            ),
            TourStrategy(
                "warnsdorff",
                "Fewest onward moves first (H. C. von Warnsdorf, 1823): take the squares that will soon be cut off. "
                "Ties keep the move order. Eight look-ups per candidate; on small boards it hardly ever turns back.",
                _warnsdorff,
                kernel="warnsdorff",
            ),
            TourStrategy(
                "warnsdorff-roth",
                "Warnsdorff's rule, ties broken by the greatest distance from the centre (A. Roth). Succeeds "
                "without turning back from most starts on boards up to a thousand squares wide.",
                _warnsdorff_roth,
                kernel="warnsdorff-roth",
            ),
        )
    }
)
"""The known strategies by name."""


def random_tour_strategy(seed: int) -> TourStrategy:
    """Return the strategy that tries the free squares in random order.

    Examples
    --------
    >>> random_tour_strategy(7).name
    'random:7'
    """
    idea = (
        "Free squares in a random order, another one at every depth and square: what no idea at all achieves, the "
        "yardstick for the others. Stateless: the order is a hash of the seed and of where one stands."
    )
    return TourStrategy(f"random:{checked_seed(seed)}", idea, RandomTourKey(seed), kernel="random", seed=seed)


def checked_seed(seed: int) -> int:
    """Return a seed if it is one, a whole number from 0 that fits 63 bits."""
    if not 0 <= seed <= MAX_SEED:
        raise InvalidPuzzle(f"a seed is a whole number from 0 to {MAX_SEED}, not {seed}")
    return seed


def tour_strategy(name: str) -> TourStrategy:
    """Return the strategy of that name.

    Examples
    --------
    >>> tour_strategy("warnsdorff").name
    'warnsdorff'
    """
    try:
        return TOUR_STRATEGIES[name.strip().lower()]
    except KeyError:
        raise UnknownName("strategy", name, tuple(TOUR_STRATEGIES)) from None
