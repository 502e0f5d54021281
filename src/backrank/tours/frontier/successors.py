"""The successors of states of a frontier count, each with the state that it comes from.

The compiled count (:mod:`backrank.tours.counting.layers`) merges successors and forgets where they came from. Whoever
needs the graph of states itself, for samples or for estimates, gets its edges here. It is the same kernel: in place of
a number of ways, every entry carries the number of its state.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import numpy.typing as npt

from backrank.tours.frontier.store import BLOCK, WORD, Store

if TYPE_CHECKING:
    from backrank.tours.frontier.states_jit import Step

UInt64s: TypeAlias = npt.NDArray[np.uint64]
Int64s: TypeAlias = npt.NDArray[np.int64]

_STATES = 1 << 14  # at a time
_BLOCKS = 1 << 10  # for them and their successors


def first_states(words: int = 1) -> UInt64s:
    """Return the one state before the first step, as an array of shape (1, words)."""
    return np.zeros((1, words), np.uint64)


def successors(step: Step, states: UInt64s) -> tuple[Int64s, UInt64s]:
    """Return all successors of some states.

    Parameters
    ----------
    step : Step
        One of :func:`backrank.tours.frontier.transitions.steps_of`.
    states : (n, words) uint64
        One word for up to 16 slots, the lower one first if there are two; see
        :mod:`backrank.tours.frontier.states_jit`.

    Returns
    -------
    sources : (m,) int64
        For every successor which of the states it comes from; ascending.
    successors : (m, words) uint64
        If the step is symmetric, of a successor and its image the lesser. Successors of one state differ, but
        for such images; different states may have equal ones.

    Examples
    --------
    >>> from backrank.geometry.board import Board
    >>> from backrank.geometry.pieces import KNIGHT
    >>> from backrank.tours.spec import TourSpec
    >>> from backrank.tours.frontier.sweeps import net_of, simple_route
    >>> from backrank.tours.frontier.transitions import steps_of
    >>> spec = TourSpec(Board(5, 6), KNIGHT, True, None, None)
    >>> steps = steps_of(net_of(spec), simple_route(spec).order)
    >>> states, ways = first_states(), np.ones(1, np.int64)
    >>> for step in steps:
    ...     sources, found = successors(step, states)
    ...     states, place = np.unique(found, axis=0, return_inverse=True)
    ...     total = np.zeros(len(states), np.int64)
    ...     np.add.at(total, place.reshape(-1), ways[sources])
    ...     ways = total
    >>> ways
    array([8])
    """
    from backrank.tours.frontier.states_jit import blocks_needed, expand  # noqa: PLC0415 - loads numba
    from backrank.tours.frontier.wide_states_jit import expand_wide  # noqa: PLC0415

    count, words = states.shape
    entries = np.empty((count, words + 1), np.uint64)
    entries[:, :words] = ~states
    entries[:, words] = np.arange(count)
    least = int(blocks_needed(step))
    store = Store(words + 1, (_BLOCKS + 2 * least) * BLOCK * (words + 1) * WORD)
    heads = np.zeros((3, 1), np.uint64)
    room = store.space(heads, step.later.size + 2)
    found: list[UInt64s] = []
    for first in range(0, count, _STATES):
        chain = store.put(entries[first : first + _STATES].reshape(-1))
        at, left = chain.beginning(), chain.size
        while left:
            store.supply(room, store.free)
            left -= (expand if words == 1 else expand_wide)(step, room, at, left, words + 1)
            written = store.written(heads[:, 0])
            found.append(store.copied(written).reshape(-1, words + 1))
            store.collect(room)
            store.let_go(written)
            heads[:] = 0
    entries = np.concatenate(found) if found else np.empty((0, words + 1), np.uint64)
    order = np.argsort(entries[:, words], kind="stable")
    return entries[order, words].astype(np.int64), ~entries[order, :words]
