"""Layers of a frontier count that are thinned at random, so that boards out of reach of a count can be estimated.

The layers are those of :mod:`backrank.tours.counting.layers`: states, each with the number of ways that lead to it. But
of a layer no more than some number of states are kept. A state of weight w stays with probability p and then weighs w /
p. So the expected weight of every state is its number of ways, whatever the probabilities are, and what arrives at the
end has the number of tours for its expectation. Equal states are merged between, as in the count: that takes away
most of the chance, since what one state loses by being dropped its equals have gained.

*Probabilities.* p = min(1, v / c), where v is the weight times what the state promises
(:mod:`backrank.tours.estimation.importance`), and c such that the expected number kept is the limit: of all choices of
so many the one that adds least variance to the sum of the weights, if v is the weight (P. Fearnhead and P. Clifford, J.
Royal Stat. Soc. B 65, 2003).

*One random number a layer.* The states that are kept are those at which the running sum of the p passes a whole number
plus one random shift (systematic sampling). States that look alike lie side by side, as they are sorted: so they
stand for each other.

It is heterogeneous sampling (P. P. Chen, SIAM J. Computing 21, 1992) of the tree that D. E. Knuth's probes go down
(`benchmarks/tour_probes.py`), with equal nodes merged and many representatives of each stratum in place of
one.

*Cost.* About 0.5 µs for each state of each layer, half of it for the successors, half for sorting and thinning; 150
bytes for a state that is kept. *Rounding*: weights are floats, scaled by a power of two in every layer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from backrank.runtime.rng import Dice
from backrank.tours.frontier.successors import Int64s, UInt64s, first_states, successors

if TYPE_CHECKING:
    from backrank.tours.frontier.states_jit import Step

Floats: TypeAlias = npt.NDArray[np.float64]
Tick: TypeAlias = Callable[[int], None]

_CHUNK = 1 << 14  # states that are expanded between two ticks
_HALF, _STIR = np.uint64(32), np.uint64(0x9E3779B97F4A7C15)


class Promise(Protocol):
    """What is known of the states after each step."""

    def of(self, depth: int, states: UInt64s) -> Floats:
        """Return a positive number for every state: what it promises, up to a common factor."""
        ...


class Resampled(NamedTuple):
    """A layer after it was thinned, and how it came about.

    Attributes
    ----------
    states : (n, words) uint64
    weights : (n,) float64
        To be multiplied by 2^scale.
    scale : int
    edges : tuple of (m,) arrays
        From which state of the layer before (int64), to which (int64), and by what the weight was multiplied for
        being kept (float64).
    dropped : int
        How many states were left out.
    """

    states: UInt64s
    weights: Floats
    scale: int
    edges: tuple[Int64s, Int64s, Floats]
    dropped: int


class RunEstimate(NamedTuple):
    """What a run came to: `mantissa` · 2^`scale` tours; exactly so, but for rounding, if nothing was dropped."""

    mantissa: float
    scale: int
    dropped: int


def run(steps: Sequence[Step], words: int, limit: int, dice: Dice, promise: Promise | None, tick: Tick) -> RunEstimate:
    """Return an unbiased estimate of the number of cycles or paths; the parameters are those of :func:`sweep`."""
    dropped, last = 0, None
    for last in sweep(steps, words, limit, dice, promise, tick):
        dropped += last.dropped
    if last is None or not last.weights.size:
        return RunEstimate(0.0, 0, dropped)
    return RunEstimate(float(last.weights.sum()), last.scale, dropped)


def sweep(
    steps: Sequence[Step], words: int, limit: int, dice: Dice, promise: Promise | None, tick: Tick
) -> Iterator[Resampled]:
    """Yield the thinned layers after every step; no more once one is empty.

    Parameters
    ----------
    steps : sequence of Step
        See :func:`backrank.tours.frontier.transitions.steps_of`.
    words : int
        Of a state.
    limit : int
        How many states of a layer are kept, on average; up to one more.
    dice : Dice
        Drawn from once a layer that is thinned.
    promise : Promise, optional
        Without it the weights alone decide.
    tick : callable
        Told now and then how many states have been expanded since.
    """
    states, scale = first_states(words), 0
    weights: Floats = np.ones(1)
    for depth, step in enumerate(steps):
        sources, found = _expanded(step, states, tick)
        states, target = merged(found)
        weights = np.asarray(np.bincount(target, weights[sources], len(states)), np.float64)
        odds = np.ones(len(states))
        if len(states) > limit:
            value = weights if promise is None else weights * promise.of(depth, states)
            odds = np.minimum(1.0, value / threshold(value, limit))
        kept = chosen(odds, uniform(dice)) if len(states) > limit else np.ones(len(states), np.bool_)
        place = np.cumsum(kept) - 1
        stay = kept[target]
        edges = sources[stay], place[target[stay]], 1.0 / odds[target[stay]]
        dropped = len(states) - int(np.count_nonzero(kept))
        states, weights = states[kept], weights[kept] / odds[kept]
        weights, scale = _scaled(weights, scale)
        yield Resampled(states, weights, scale, edges, dropped)
        if not weights.size:
            return


def uniform(dice: Dice) -> float:
    """Return a random number, at least 0 and below 1."""
    return (dice.draw() >> 11) * 2.0**-53


def merged(states: UInt64s) -> tuple[UInt64s, Int64s]:
    """Return the different states, sorted, and for each of those given which it is.

    Two words are sorted by the upper one and a hash of the lower, at a third of the price of sorting by both. That
    may leave equal states apart, if others with the same hash get between them, about one time in a layer of a
    million. They are not merged then, which changes no expectation.

    Examples
    --------
    >>> states, place = merged(np.array([[5, 1], [7, 0], [5, 1]], np.uint64))
    >>> states.tolist(), place.tolist()
    ([[7, 0], [5, 1]], [1, 0, 1])
    """
    key = states[:, 0]
    if states.shape[1] == 2:
        key = states[:, 1] << _HALF | (key * _STIR) >> _HALF
    order = np.argsort(key)
    ordered = states[order]
    first = np.zeros(len(states), np.bool_)
    first[:1] = True
    for word in ordered.T:
        first[1:] |= word[1:] != word[:-1]
    place = np.empty(len(states), np.int64)
    place[order] = np.cumsum(first) - 1
    return ordered[first], place


def threshold(values: Floats, limit: int) -> float:
    """Return c such that the sum of min(1, value / c) is the limit; there must be more values than that.

    Examples
    --------
    >>> threshold(np.array([8.0, 1.0, 1.0, 1.0, 1.0]), 3)
    2.0
    """
    rest, room = values, limit
    while True:
        c = float(rest.sum()) / room
        small = rest[rest < c]
        if small.size == rest.size or room == rest.size - small.size:
            return c
        room -= rest.size - small.size
        rest = small


def chosen(odds: Floats, shift: float) -> npt.NDArray[np.bool_]:
    """Return which are kept: those at which the running sum of the odds passes a whole number plus the shift.

    Examples
    --------
    >>> chosen(np.array([0.5, 1.0, 0.25, 0.25]), 0.75).tolist()
    [True, True, False, False]
    """
    reached = np.floor(np.cumsum(odds) + shift)
    kept = np.empty(odds.size, np.bool_)
    kept[:1] = reached[:1] > 0
    kept[1:] = reached[1:] > reached[:-1]
    return kept | (odds >= 1.0)  # a certain one must not be lost to rounding


def _expanded(step: Step, states: UInt64s, tick: Tick) -> tuple[Int64s, UInt64s]:
    """Return the successors of a layer, a chunk at a time."""
    sources, found = [], []
    for first in range(0, len(states), _CHUNK):
        chunk = states[first : first + _CHUNK]
        some, others = successors(step, chunk)
        sources.append(some + first)
        found.append(others)
        tick(len(chunk))
    return np.concatenate(sources), np.concatenate(found)


def _scaled(weights: Floats, scale: int) -> tuple[Floats, int]:
    """Bring the sum of the weights to between a half and one by a power of two."""
    if not weights.size:
        return weights, scale
    exponent = int(np.frexp(weights.sum())[1])
    return np.ldexp(weights, -exponent), scale + exponent
