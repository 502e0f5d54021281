"""Hamiltonian cycles of a small graph whose arcs carry voltages, counted by what the voltages add up to.

The graph is what is left of a board when squares are taken together that a symmetry maps to each other (see
:mod:`backrank.tours.counting.quotient`). There may be several arcs from one vertex to another, each with its voltage, a
number modulo the period; walked backwards it counts negative. Wanted is how many cycles through all vertices have the
total voltage 0, 1, 2 and so on.

The sweep is that of :mod:`backrank.tours.frontier.reference`, with two additions.

*Weights.* A state has a number of ways for each voltage: together a polynomial in x, where x to the period is 1. The
arcs from u to v are a polynomial too, and using one of them multiplies. A polynomial is held in one int, its value
at x = 2^bits: as x to the period is 1 modulo 2^(bits · period) - 1, Python's own multiplication does everything.
The coefficients can be read off at the end if each is less than 2^bits; and there are no more cycles than the
product of the numbers of arcs, as a cycle leaves every vertex by one of its arcs. On the way a coefficient may be
larger: modulo that number everything is right all the same.

*Direction.* Modulo 1 and 2 a voltage is its own opposite. Else it must be known which way each piece of path is walked:
a piece has a tail and a head, a vertex is entered from a head and left to a tail, and every cycle is found in both
directions, once with its voltage and once with the opposite.

A state is one int, a field for each slot: two bits of degree, one that marks a head, and the slot of the far end. No
vertex is an end from the outset, and none stays one: what is to be a path is closed by more vertices.

Cost: 3 to 9 µs a state, the more the larger the numbers are. Of Σ 3.6^active over the steps (see
:mod:`backrank.tours.frontier.vertex_order`) between a fifteenth and a seventieth are states, if undirected.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from itertools import count as numbers
from typing import NamedTuple, TypeAlias

from backrank.errors import InvalidPuzzle
from backrank.runtime.budget import Budget, Meter

_FULL = 2  # the degree of a vertex that is done with, and the bit that shows it
_HEAD = 4
_MATE_AT = 3  # the bits below the slot of the far end
_CLOSED = -1  # instead of a state: all vertices are on one cycle

# Where a piece of path can go on: the slot of that end, the slot of the piece's far end, what to add to the state
# so that the far end is joined to nothing and can be joined anew, and the weight of the arcs.
_PathEnds: TypeAlias = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class VoltageNet:
    """A graph of vertices 0, 1, … with voltages.

    Attributes
    ----------
    arcs : sequence of dicts
        For every vertex, by neighbour, the voltages of the arcs to it; those from there are their opposites, as many.
        An arc from a vertex to itself counts on a graph of one vertex only.
    period : int
        What voltages are reduced by; 1 if they do not matter.
    """

    arcs: Sequence[dict[int, tuple[int, ...]]]
    period: int = 1

    @property
    def is_directed(self) -> bool:
        """Whether cycles are counted in both directions, since a voltage differs from its opposite."""
        return self.period > 2

    def adjacency(self) -> list[tuple[int, ...]]:
        """Return the neighbours of every vertex, without itself."""
        return [tuple(other for other in arcs if other != vertex) for vertex, arcs in enumerate(self.arcs)]


def count_by_voltage(net: VoltageNet, order: Sequence[int], *, meter: Meter | None = None) -> list[int]:
    """Return how many cycles through all vertices have the voltage 0, 1, … modulo the period.

    Two that use different arcs between the same vertices are two. Up to period 2 cycles are undirected; from 3 on each
    is counted in both directions. On two vertices a cycle is two different arcs between them, on one an arc to itself.

    Parameters
    ----------
    net : VoltageNet
    order : sequence of int
        The order in which vertices are processed. The count does not depend on it, the time does.
    meter : Meter, optional
        Stops the work when its budget is spent; its calls are the states that were expanded.

    Raises
    ------
    InvalidPuzzle
        If `order` does not hold every vertex once.
    BudgetExceeded
        If the budget is spent first.

    Examples
    --------
    >>> triangle = VoltageNet([{1: (0, 1), 2: (0,)}, {0: (0, 1), 2: (0,)}, {0: (0,), 1: (0,)}], 2)
    >>> count_by_voltage(triangle, [0, 1, 2])
    [1, 1]
    """
    if sorted(order) != list(range(len(net.arcs))):
        raise InvalidPuzzle(f"an order of elimination must hold each of the {len(net.arcs)} vertices once")
    if len(net.arcs) < 3:
        return _short(net)
    if any(len(near) < 2 for near in net.adjacency()):
        return [0] * net.period
    bits = 1 + sum(sum(map(len, arcs.values())).bit_length() for arcs in net.arcs)
    total = _sweep(_plan(net, order, bits), meter or Budget().start())
    return [total >> bits * voltage & (1 << bits) - 1 for voltage in range(net.period)]


def _short(net: VoltageNet) -> list[int]:
    """Count the cycles of one or two vertices, arc by arc."""
    counts = [0] * net.period
    if len(net.arcs) == 1:
        for voltage in net.arcs[0].get(0, ()):
            counts[voltage % net.period] += 1
    elif net.arcs:
        there = list(enumerate(net.arcs[0].get(1, ())))
        for (out, voltage), (back, opposite) in product(there, there):
            if out != back:
                counts[(voltage - opposite) % net.period] += 1
    return counts if net.is_directed else [number // 2 for number in counts]


class _VertexStep(NamedTuple):
    """What happens when one vertex is processed, in terms of slots.

    Attributes
    ----------
    position : int
        The slot of the vertex itself.
    later : tuple of (int, int, int)
        The later neighbours: slot, weight of the arcs from there to the vertex, and weight of the arcs to there.
    finished : int
        The bits that show that all other active vertices are full; -1 while some vertices are not active yet.
    checks : tuple of (int, int, int)
        For vertices that could starve: their slot, how many later neighbours they have, and the bits that show which of
        those are full.
    """

    position: int
    later: tuple[tuple[int, int, int], ...]
    finished: int
    checks: tuple[tuple[int, int, int], ...]


class _VoltageSweep(NamedTuple):
    """All steps of a sweep, the bits of a field, the mark of a head (0 if undirected), and what ways are reduced by."""

    steps: list[_VertexStep]
    width: int
    head: int
    modulus: int


def _plan(net: VoltageNet, order: Sequence[int], bits: int) -> _VoltageSweep:
    """Work out everything about the steps that does not depend on the state."""
    near = net.adjacency()
    positions = list(_positions(near, order))
    spare = 1 + max(max(widths.values()) for widths in positions)  # a slot that is always empty
    width = _MATE_AT + spare.bit_length()
    left = set(order)
    steps = []
    for vertex, widths in zip(order, positions, strict=True):
        left.remove(vertex)
        position = widths.pop(vertex)
        full = {other: _FULL << at * width for other, at in widths.items()}
        checks = []
        for other in sorted({*widths, *(beyond for at in widths for beyond in near[at] if beyond in left)}):
            ways = left.intersection(near[other])
            if len(ways - widths.keys()) < 2:
                checks.append((widths.get(other, spare), len(ways), sum(full.get(way, 0) for way in ways)))
        later = [
            (widths[other], _weight(net, other, vertex, bits), _weight(net, vertex, other, bits))
            for other in sorted(left.intersection(near[vertex]))
        ]
        finished = sum(full.values()) if len(widths) == len(left) else -1
        steps.append(_VertexStep(position, tuple(later), finished, tuple(checks)))
    modulus = (1 << bits * net.period) - 1
    return _VoltageSweep(steps, width, _HEAD if net.is_directed else 0, modulus)


def _weight(net: VoltageNet, source: int, target: int, bits: int) -> int:
    return sum(1 << bits * (voltage % net.period) for voltage in net.arcs[source][target])


def _positions(near: Sequence[Iterable[int]], order: Sequence[int]) -> Iterator[dict[int, int]]:
    """Yield, for every step, the slots of all active vertices; the one that is processed frees its own afterwards."""
    widths: dict[int, int] = {}
    done: set[int] = set()
    for vertex in order:
        free = (position for position in numbers() if position not in widths.values())
        for other in sorted(({vertex, *near[vertex]}) - done - widths.keys()):
            widths[other] = next(free)
        yield dict(widths)
        del widths[vertex]
        done.add(vertex)


def _sweep(plan: _VoltageSweep, meter: Meter) -> int:
    """Return the sum of the weights of all cycles, by carrying all states through the steps."""
    calls, modulus, width = meter.calls, plan.modulus, plan.width
    layer, total = {0: 1}, 0
    for depth, step in enumerate(plan.steps):
        reached: dict[int, int] = {}
        for state, ways in layer.items():
            if calls >= meter.stop_at:
                meter.tick(calls, depth)
            calls += 1
            reduced = ways % modulus
            for successor, weight in _successors(state, step, plan):
                if successor == _CLOSED:
                    total += reduced * weight
                elif successor in reached:
                    reached[successor] += reduced * weight
                elif not _starves(successor, step, width):
                    reached[successor] = reduced * weight
        layer = reached
    meter.calls = calls
    return total % modulus


def _successors(state: int, step: _VertexStep, plan: _VoltageSweep) -> list[tuple[int, int]]:
    """Return the states after the vertex of this step has been processed, each with the weight of the arcs used."""
    width, head = plan.width, plan.head
    own = state >> step.position * width & (1 << width) - 1
    rest = state - (own << step.position * width)
    if own & _FULL:
        return [(rest, 1)]
    into, out = _path_end_marks(rest, step, plan)
    pairs: Iterable[tuple[_PathEnds, _PathEnds]] = product(into, out) if head else combinations(into, 2)
    if own:
        mate_at = own >> _MATE_AT
        there = rest >> mate_at * width & (1 << width) - 1
        mine = (step.position, mate_at, (1 - there) << mate_at * width, 1)
        pairs = product([mine], out) if own & _HEAD else product(into, [mine])
    successors = []
    for (position_a, end_a, change_a, weight_a), (position_b, end_b, change_b, weight_b) in pairs:
        if end_a == position_b:
            # Two ends of one piece, or a vertex that would be entered and left by the same edge.
            full = rest | _FULL << position_a * width | _FULL << position_b * width
            if position_a != position_b and full & step.finished == step.finished:
                successors.append((_CLOSED, weight_a * weight_b))
            continue
        new = rest + change_a + change_b + (end_b << end_a * width + _MATE_AT) + (end_a << end_b * width + _MATE_AT)
        successors.append((new + (head << end_b * width), weight_a * weight_b))
    return successors


def _path_end_marks(rest: int, step: _VertexStep, plan: _VoltageSweep) -> tuple[list[_PathEnds], list[_PathEnds]]:
    """Return from where this step's vertex can be entered, and to where left; if undirected, the former are all."""
    width, head, mask = plan.width, plan.head, (1 << plan.width) - 1
    into: list[_PathEnds] = []
    out: list[_PathEnds] = []
    for position, weight_in, weight_out in step.later:
        there = rest >> position * width & mask
        if there & _FULL:
            continue
        end, change = position, 1 << position * width
        if there:
            end = there >> _MATE_AT
            change = (_FULL - there << position * width) + (1 - (rest >> end * width & mask) << end * width)
        if not there or there & _HEAD == head:
            into.append((position, end, change, weight_in))
        if head and not there & _HEAD:
            out.append((position, end, change, weight_out))
    return into, out


def _starves(state: int, step: _VertexStep, width: int) -> bool:
    """Whether a vertex lacks a way on."""
    for position, ways, full in step.checks:
        if 2 - (state >> position * width & 3) > ways - (full & state).bit_count():
            return True
    return False
