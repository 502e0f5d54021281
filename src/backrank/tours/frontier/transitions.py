"""What each step of a frontier count does, in terms of slots: everything that does not depend on the state.

An active square has a slot of the state. The square of a step gives its own up first, so that one that becomes
active then may have it: the slots needed are the active squares after a step, not during it. The arrays are those
that :mod:`backrank.tours.frontier.states_jit` describes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING

from backrank.errors import BoardTooLarge
from backrank.tours.frontier.vertex_order import profile

if TYPE_CHECKING:
    from backrank.tours.frontier.states_jit import Step

NARROW, MAX_WIDTH = 16, 24  # of a state in one word, and in two
_WORD = 64
_SATURATED, _TAIL = 1, 2


@dataclass(frozen=True, slots=True)
class Net:
    """A graph whose Hamiltonian cycles or paths are to be counted.

    Attributes
    ----------
    near : dict of int to frozenset of int
        The neighbours of every square, each of which has the other.
    given : frozenset of int
        Squares at which the path must end.
    free : int
        How many more ends it has; 0 and none given for cycles.
    """

    near: dict[int, frozenset[int]]
    given: frozenset[int] = frozenset()
    free: int = 0

    def classes(self) -> dict[int, int] | None:
        """Return for every square whether it is an odd number of moves away from the first, or None if some are both.

        Only squares that hang together with the first are in it.
        """
        first = next(iter(self.near), None)
        found = {} if first is None else {first: 0}
        waiting = list(found)
        for square in waiting:
            for other in self.near[square]:
                if other not in found:
                    found[other] = 1 - found[square]
                    waiting.append(other)
                elif found[other] == found[square]:
                    return None
        return found

    @classmethod
    def of(cls, adjacency: Sequence[Collection[int]], squares: Collection[int]) -> Net:
        """Return the net of cycles over some squares of a move graph."""
        wanted = frozenset(squares)
        return cls({square: wanted.intersection(adjacency[square]) - {square} for square in sorted(wanted)})


@dataclass(frozen=True, slots=True)
class Route:
    """In which order the squares have their turns, and which image of the net may be taken for the net itself."""

    order: tuple[int, ...]
    mirror: tuple[int, ...] | None = None


@dataclass(slots=True)
class _State:
    """How far the sweep has come: which squares have a slot, and which are still to be processed."""

    net: Net
    left: set[int]
    classes: dict[int, int]  # all 0 if it does not matter in which class the ends are
    ending: int
    room: int  # slots of a state
    positions: dict[int, int] = field(default_factory=dict)

    def seen(self) -> list[int]:
        """Return the active squares and those next to them, which could starve."""
        near = self.net.near
        return sorted({*self.positions, *(other for square in self.positions for other in near[square] & self.left)})

    def outweighs(self, squares: Iterable[int]) -> int:
        """Return how many more squares are of class 0 than of class 1."""
        return sum(1 - 2 * self.classes[square] for square in squares)


def ends_by_class(net: Net) -> tuple[int, int] | None:
    """Return how many of the free ends must be in each class, or None if it does not matter.

    Every move has a foot in either class, so the degrees of both add up to the same. Negative numbers tell
    that there is no path.
    """
    classes = net.classes()
    if classes is None or len(classes) < len(net.near) or not (net.free or net.given):
        return None
    odd = sum(classes.values())
    more = len(classes) - 2 * odd
    given = sum(classes[square] for square in net.given)
    return 1 + more - (len(net.given) - given), 1 - more - given


def _ends(net: Net) -> tuple[dict[int, int], int]:
    """Return the classes of the squares, and in which the free ends must be: 0, 1, or 2 for one in each."""
    numbers = ends_by_class(net)
    if numbers is None:
        return dict.fromkeys(net.near, 0), 0
    return net.classes() or {}, 2 if min(numbers) > 0 else int(numbers[1] > 0)


def steps_of(net: Net, order: Sequence[int], mirror: Sequence[int] | None = None) -> list[Step]:
    """Return the steps of a sweep.

    Parameters
    ----------
    net : Net
    order : sequence of int
        All squares of the net, in the order of their turns.
    mirror : sequence of int, optional
        An involution of the squares that maps the net to itself. After steps at which the squares done are their
        own image, a state and its image are the same.

    Raises
    ------
    BoardTooLarge
        If more than `MAX_WIDTH` squares are active at once.
    """
    needed = width_needed(net, order)
    if needed > MAX_WIDTH:
        raise BoardTooLarge(f"{needed} squares are active at once; the compiled count takes up to {MAX_WIDTH}")
    state = _State(net, set(order), *_ends(net), NARROW if needed <= NARROW else MAX_WIDTH)
    done: set[int] = set()
    steps = []
    for square in order:
        done.add(square)
        symmetric = mirror is not None and all(mirror[other] in done for other in done)
        steps.append(_step(state, square, mirror if symmetric else None))
    return steps


def width_needed(net: Net, order: Sequence[int]) -> int:
    """Return how many squares are active at once, at most."""
    return max(profile([net.near.get(square, ()) for square in range(max(order, default=-1) + 1)], order), default=0)


def _step(state: _State, square: int, mirror: Sequence[int] | None) -> Step:
    """Let a square have its turn."""
    import numpy as np  # noqa: PLC0415 - planning does without

    from backrank.tours.frontier.states_jit import Step  # noqa: PLC0415 - loads numba

    net, left, positions = state.net, state.left, state.positions
    left.remove(square)
    was_on_frontier = square in positions
    own = positions.pop(square, 0)
    opened = sorted((net.near[square] & left) - positions.keys())
    free = (position for position in count() if position not in positions.values())
    for other in opened:
        positions[other] = next(free)
    later = net.near[square] & left
    begun = net.given - left | net.given & positions.keys()
    checks = _checks(state)
    words = [
        4 * own,
        15 if was_on_frontier else 0,
        _TAIL if square in net.given and not was_on_frontier else 0,
        sum(_TAIL << 4 * positions[other] for other in opened if other in net.given),
        sum(_SATURATED << 4 * position for position in positions.values()),
        len(positions) == len(left),
        net.free + len(begun),
        state.ending,
        state.classes[square],
        sum(1 << 4 * position for other, position in positions.items() if not state.classes[other]),
        sum(1 << 4 * position for other, position in positions.items() if state.classes[other]),
        (2 * state.outweighs(net.near.keys() - left - {square}) - state.outweighs(begun)) % 4,
        len(checks) <= _WORD,
    ]
    image = [] if mirror is None else _image(positions, mirror, state.room)
    return Step(
        np.array([word % 2**_WORD for word in words], np.uint64),
        np.array([word >> _WORD for word in words], np.uint64),
        np.array([4 * positions[other] for other in sorted(later)], np.uint64),
        np.array(checks, np.uint64).reshape(-1, 6),
        np.array([_hits(checks, positions[other]) for other in sorted(later)], np.uint64).reshape(-1, 2),
        np.array(image, np.uint64),
    )


def _hits(checks: list[tuple[int, ...]], position: int) -> tuple[int, int]:
    """Return which checks lose a way when the square of a slot becomes inner, and which is its own."""
    near = sum(
        1 << i for i, (_, _, low, _, _, high) in enumerate(checks[:_WORD]) if (low | high << _WORD) >> 4 * position & 1
    )
    own = sum(1 << i for i, check in enumerate(checks[:_WORD]) if check[0] == 4 * position and not check[3])
    return near, own


def _image(positions: dict[int, int], mirror: Sequence[int], room: int) -> list[int]:
    """Return for every slot the shift of the slot of which it is the image; empty ones have any empty one."""
    spare = iter(sorted(set(range(room)) - set(positions.values())))
    places = {position: positions[mirror[other]] for other, position in positions.items()}
    return [4 * places[position] if position in places else 4 * next(spare) for position in range(room)]


def _checks(state: _State) -> list[tuple[int, ...]]:
    """Return what to look at in the squares that could have too few ways left."""
    net, positions = state.net, state.positions
    checks: list[tuple[int, ...]] = []
    for square in state.seen():
        ways = net.near[square] & state.left
        widths = ways & positions.keys()
        if len(ways) - len(widths) < 2:
            need = 1 if square in net.given else 2
            mask = sum(1 << 4 * positions[other] for other in widths)
            need = 0 if square in positions else need
            low, high = mask % 2**_WORD, mask >> _WORD
            checks.append((4 * positions.get(square, 0), len(ways), low, need, state.classes[square], high))
    return checks
