"""Strategies by name: what people write, `fixed:python`, `warnsdorff+prune`, `random:7`, and what a run uses.

The grammar is `name`, for some `name:argument` (a move order, or the seed), and for tours `+prune` at the end.
The name that comes back is canonical: parsed again it gives the same strategy, and it stands in every cursor.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from backrank.errors import InvalidPuzzle, UnknownName, shown
from backrank.geometry.pieces import KNIGHT, Piece
from backrank.search.spaces import Kind, Space, TourSpace
from backrank.search.strategies.move_orders import ORDERS, ordered
from backrank.search.strategies.queens import QUEENS_STRATEGIES, QueensStrategy, random_queens_strategy
from backrank.search.strategies.tours import TOUR_STRATEGIES, TourStrategy, random_tour_strategy

_PRUNE = "+prune"
DEFAULTS: dict[Kind, str] = {"tour": "warnsdorff", "queens": "rows"}


@dataclass(frozen=True)
class Strategy:
    """A strategy as one run uses it: the rule, and for tours the move order and whether dead ends are seen ahead.

    Attributes
    ----------
    rule : TourStrategy or QueensStrategy
        What orders the squares.
    order : str, optional
        The move order in which equals are tried, as :func:`~backrank.search.strategies.move_orders.ordered` takes it;
        None is the order of the piece's own steps.
    prune : bool
        Whether a step is refused that leaves some bare square too few ways in and out.

    Examples
    --------
    >>> parse_strategy("Warnsdorff:python+prune", "tour").name
    'warnsdorff:python+prune'
    """

    rule: TourStrategy | QueensStrategy
    order: str | None = None
    prune: bool = False

    @cached_property
    def name(self) -> str:
        """The canonical name."""
        order = "" if self.order is None else f":{self.order}"
        return f"{self.rule.name}{order}{_PRUNE * self.prune}"

    @property
    def kind(self) -> Kind:
        """Which sort of space it searches."""
        return "tour" if isinstance(self.rule, TourStrategy) else "queens"

    @property
    def idea(self) -> str:
        """Its idea, cost and source in a paragraph."""
        return self.rule.idea + (f" {_PRUNE_IDEA}" if self.prune else "")

    def piece(self, piece: Piece) -> Piece:
        """Return a piece with its steps in this strategy's order."""
        return piece if self.order is None else ordered(piece, self.order)

    def __str__(self) -> str:
        return self.name


_PRUNE_IDEA = (
    "With +prune, a step is refused as soon as it leaves an unvisited square that could no longer be entered and left "
    "(one such square, the last, is granted to an open tour): one look at the neighbours of the square that is left."
)


def strategy_names(kind: Kind) -> tuple[str, ...]:
    """Return how the known strategies are written, for help texts and errors.

    Examples
    --------
    >>> strategy_names("queens")
    ('rows', 'centre-out', 'fewest-first', 'random:SEED')
    """
    if kind == "queens":
        return (*QUEENS_STRATEGIES, "random:SEED")
    orders = tuple(f"fixed:{order}" for order in ORDERS)
    return (*TOUR_STRATEGIES, *orders, "fixed:12345678 (any permutation)", "random:SEED", "each also with +prune")


def parse_strategy(text: str, kind: Kind) -> Strategy:
    """Return the strategy of that name.

    Parameters
    ----------
    text : str
        For example `fixed:java-a`, `warnsdorff-roth+prune`, `random:7`; any case.
    kind : {"tour", "queens"}

    Raises
    ------
    UnknownName
        If nobody has heard of the name; the known ones are listed.
    InvalidPuzzle
        If the name is known, but not with this argument or option.

    Examples
    --------
    >>> parse_strategy("random:7", "queens").name, parse_strategy("fixed", "tour").prune
    ('random:7', False)
    """
    if not isinstance(text, str):
        raise UnknownName(f"{kind} strategy", text, strategy_names(kind))
    written = " ".join(text.lower().split())
    prune = written.endswith(_PRUNE)
    name, colon, argument = (part.strip() for part in written.removesuffix(_PRUNE).partition(":"))
    if prune and kind == "queens":
        raise InvalidPuzzle(f"strategy {shown(text)}: {_PRUNE} looks for dead ends of tours; queens have none")
    if name == "random":
        seed = _seed(argument, text)
        return Strategy(random_queens_strategy(seed) if kind == "queens" else random_tour_strategy(seed), None, prune)
    table = QUEENS_STRATEGIES if kind == "queens" else TOUR_STRATEGIES
    if name not in table:
        raise UnknownName(f"{kind} strategy", text, strategy_names(kind))
    if not colon:
        return Strategy(table[name], None, prune)
    if kind == "queens" or not argument:
        raise InvalidPuzzle(
            f"strategy {shown(text)}: {name} takes {'no argument' if argument else 'a name after the colon'}"
        )
    if argument not in ORDERS and not any(letter.isdigit() for letter in argument):
        ordered(KNIGHT, argument)  # lists the known orders; whether steps fit is known when the piece is
    return Strategy(table[name], argument, prune)


def as_strategy(strategy: str | Strategy | TourStrategy | QueensStrategy | None, space: Space) -> Strategy:
    """Return a strategy that fits a space: parsed if it is a name, the usual one if it is None.

    Raises
    ------
    InvalidPuzzle
        If it is for the other kind of puzzle, or its move order does not fit the piece.
    """
    if strategy is None:
        strategy = DEFAULTS[space.kind]
    if isinstance(strategy, str):
        strategy = parse_strategy(strategy, space.kind)
    if isinstance(strategy, (TourStrategy, QueensStrategy)):
        strategy = Strategy(strategy)
    if strategy.kind != space.kind:
        raise InvalidPuzzle(f"strategy {strategy} is for {_PLURALS[strategy.kind]}, this is {space}")
    if isinstance(space, TourSpace):
        strategy.piece(space.piece)
    return strategy


_PLURALS: dict[Kind, str] = {"tour": "tours", "queens": "queens"}


def _seed(argument: str, text: str) -> int:
    if not argument.isascii() or not argument.isdigit() or len(argument) > 19:
        raise InvalidPuzzle(f"strategy {shown(text)}: write random and its seed, a whole number, such as random:7")
    return int(argument)
