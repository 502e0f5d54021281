"""How a count of tours would be made, and what it would take: said before anything is begun.

Small counts are made in plain Python, which answers before the kernels are loaded; larger ones by compiled layers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from backrank.errors import BoardTooLarge, InvalidPuzzle, UnknownName
from backrank.runtime.quantities import size_of
from backrank.tours.frontier.forecast import Forecast
from backrank.tours.frontier.sweeps import net_of, route_of, simple_route
from backrank.tours.frontier.transitions import MAX_WIDTH, Net, Route
from backrank.tours.frontier.vertex_order import GROWTH
from backrank.tours.spec import TourSpec

PLAIN, LAYERS = "frontier", "layers"
LISTING = "listing"
METHODS = ("auto", LISTING, PLAIN, LAYERS)
PLAIN_ENOUGH = 2e5  # states that plain Python counts while the kernels are loaded
MAX_PLAIN = 3e8  # states that it can hold and go through
_PLAIN_DIVISORS = {0: 100, 1: 5, 2: 5}  # of 3.6^active, as measured on boards from 5x8 to 6x8
_MOST = 400


@dataclass(frozen=True, slots=True)
class FrontierPlan:
    """How tours would be counted.

    Attributes
    ----------
    spec : TourSpec
    net : Net
        What is counted: cycles of a graph, or its paths with these ends.
    method : str
        `frontier` in plain Python, or `layers` compiled.
    route : Route
        The order of the squares; and the image under which states are merged, if any.
    outlook : Outlook
        The states that the profile of the order promises.

    Examples
    --------
    >>> from backrank.geometry.board import Board
    >>> from backrank.geometry.pieces import KNIGHT
    >>> print(explain(TourSpec(Board(6, 8), KNIGHT, True, None, None)))
    closed tours of 6x8, by layers: compiled, a square at a time
    order: 48 squares, at most 12 active at once; every square is followed by its mirror image
    active: 2 4 6 8 9 10*3 11 12*19 11 10*5 9 8*3 7 6 5 4*3 3 2 1 0
    foreseen: 2.1e+06 states, up to 3.2e+05 at once; 24.8 MB of memory; less than a second of one thread
    """

    spec: TourSpec
    net: Net
    method: str
    route: Route
    outlook: Forecast

    @property
    def widths(self) -> tuple[int, ...]:
        """How many squares are active after each step."""
        return self.outlook.widths

    @property
    def states(self) -> float:
        """How many states there will be, all layers together, by a rough estimate."""
        return plain_states(self.net, self.widths) if self.method == PLAIN else self.outlook.total

    @property
    def memory(self) -> int:
        """Bytes that it will take, roughly."""
        return int(240 * self.states / 4) if self.method == PLAIN else self.outlook.memory()[0]

    @property
    def seconds(self) -> float:
        """Seconds that it will take one thread, roughly."""
        return 3e-6 * self.states if self.method == PLAIN else self.outlook.seconds

    def __str__(self) -> str:
        asked = self.spec
        ways = {PLAIN: "by frontier: in plain Python", LAYERS: "by layers: compiled, a square at a time"}
        ends = "".join(f" {noun} {asked.board.name(square)}" for noun, square in asked.ends())
        pairs = "; every square is followed by its mirror image" if self.route.mirror else ""
        at_once = "" if self.method == PLAIN else f", up to {self.outlook.memory()[1]:.1e} at once"
        mover = "of" if asked.piece.name == "knight" else f"of the {asked.piece} on"
        return (
            f"{'closed' if asked.closed else 'open'} tours {mover} {asked.board}{ends}, {ways[self.method]}\n"
            f"order: {len(self.route.order)} squares, at most {max(self.widths, default=0)} active at once{pairs}\n"
            f"active: {_runs(self.widths)}\n"
            f"foreseen: {self.states:.1e} states{at_once}; {size_of(self.memory)} of memory; "
            f"{_duration(self.seconds)} of one thread"
        )


def explain(spec: TourSpec, *, method: str = "auto", seed: int = 0) -> FrontierPlan:
    """Return how the tours of a spec would be counted without listing them.

    Parameters
    ----------
    spec : TourSpec
    method : {"auto", "frontier", "layers"}
    seed : int
        Another than 0 gives another order, for an independent count.

    Raises
    ------
    BoardTooLarge
        If too many squares are active at once for any of the methods asked for.
    InvalidPuzzle, UnknownName
        If the method has no plan, or is unknown.
    """
    if method not in METHODS:
        raise unknown_method(method)
    if method == LISTING:
        raise InvalidPuzzle("listing goes through all tours, so nothing is foreseen of it; leave out the method")
    net, route = net_of(spec), simple_route(spec, seed=seed)
    outlook = Forecast.of(net, route.order, mirrored=False)
    states, widest = plain_states(net, outlook.widths), max(outlook.widths, default=0)
    plain = FrontierPlan(spec, net, PLAIN, route, outlook)
    if method == PLAIN:
        if states > MAX_PLAIN:
            raise _too_wide(plain, f"plain Python takes up to {MAX_PLAIN:.0e} states")
        return plain
    if method != LAYERS and states <= PLAIN_ENOUGH:
        return plain
    if widest <= 2 * MAX_WIDTH:  # no symmetry brings it down from there
        route = route_of(spec, seed=seed)
        outlook = Forecast.of(net, route.order, mirrored=route.mirror is not None)
        widest = max(outlook.widths, default=0)
    if widest <= MAX_WIDTH:
        return FrontierPlan(spec, net, LAYERS, route, outlook)
    if method != LAYERS and states <= MAX_PLAIN:
        return plain
    raise _too_wide(plain, f"a compiled count takes up to {MAX_WIDTH}")


def unknown_method(name: str) -> UnknownName:
    """Return the error for a method that there is none of."""
    return UnknownName("counting method", name, METHODS)


def plain_states(net: Net, widths: Sequence[int]) -> float:
    """Return how many states plain Python will have."""
    return sum(GROWTH ** min(width, _MOST) for width in widths) / _PLAIN_DIVISORS[net.free]


def _too_wide(plan: FrontierPlan, limit: str) -> BoardTooLarge:
    widest = max(plan.widths)
    estimate = ", or have their number estimated" if widest <= MAX_WIDTH else ""
    return BoardTooLarge(
        f"counting these tours of {plan.spec.board} needs about {plan.states:.0e} states: in the best order found, "
        f"{widest} squares are active at once; {limit}: choose a smaller or narrower board{estimate}"
    )


def _runs(numbers: Sequence[int]) -> str:
    """Write numbers with runs of equal ones drawn together where that is shorter."""
    runs = [(number, len(list(run))) for number, run in groupby(numbers)]
    return " ".join(f"{number}*{times}" if times > 2 else " ".join([str(number)] * times) for number, times in runs)


def _duration(seconds: float) -> str:
    for unit, name in ((3600, "hours"), (60, "minutes"), (1.5, "seconds")):
        if seconds >= unit:
            return f"{seconds / max(1, int(unit)):,.0f} {name}"
    return "a second" if seconds >= 0.5 else "less than a second"
