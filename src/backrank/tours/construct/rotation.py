"""Bend a path until it is the tour that was asked for: rotations, after L. Pósa (1976).

Greedy rules get stuck a few squares before the end now and then, and hardly ever end where one wants them to. A
rotation mends that: if the path ends on `z` and `z` is one move from some `u` in its middle, join them and open the
path behind `u` instead; everything after `u` is now walked backwards, and the path ends where `u`'s successor was. The
same squares, another end. Whenever the end has an unvisited neighbour, the path grows. Which `u` is taken is drawn
at random, except that one which leads straight to the goal is always taken.

It never proves anything: it finds a tour, or gives up after so many rotations. A rotation costs the length of the part
turned round. Tried and dropped: turning the shorter side only (it moves the start as well, which is often given).
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from backrank.runtime.budget import Meter

# A rotation of a long path takes as long as thousands of calls elsewhere: the clock must be read all the same.
_MOVES_BETWEEN_TICKS = 200_000


def rotated(
    path: Sequence[int],
    adjacency: Sequence[tuple[int, ...]],
    length: int,
    goals: frozenset[int],
    *,
    rotations: int,
    random: Random,
    meter: Meter,
) -> list[int] | None:
    """Return a path from the same start over all squares that ends on one of the goals, or None.

    Parameters
    ----------
    path : sequence of int
        Any path, not empty; its first square stays.
    adjacency : sequence of tuples of int
        Neighbours by square.
    length : int
        Number of squares to visit.
    goals : frozenset of int
        Squares on which the path may end; empty if any will do.
    rotations : int
        How many rotations to make at most.
    random : random.Random
    meter : Meter
        Every rotation and every square added counts as one call.
    """
    walk = list(path)
    position = {square: step for step, square in enumerate(walk)}
    calls, moved = meter.calls, 0
    for _ in range(rotations + length):
        if calls >= meter.stop_at or moved > _MOVES_BETWEEN_TICKS:
            moved = 0
            meter.tick(calls, len(walk))
        calls += 1
        last = walk[-1]
        if len(walk) == length and (not goals or last in goals):
            meter.calls = calls
            return walk
        free = [square for square in adjacency[last] if square not in position]
        if free:
            chosen = min(free, key=lambda square: sum(target not in position for target in adjacency[square]))
            position[chosen] = len(walk)
            walk.append(chosen)
            continue
        pivots = [square for square in adjacency[last] if position[square] < len(walk) - 2]
        if not pivots:
            break
        pivot = _pivot(walk, position, pivots, goals, length, random)
        moved += len(walk) - position[pivot]
        _rotate(walk, position, pivot)
    meter.calls = calls
    return None


def _pivot(
    walk: list[int], position: dict[int, int], pivots: list[int], goals: frozenset[int], length: int, random: Random
) -> int:
    if len(walk) == length:
        for square in pivots:
            if walk[position[square] + 1] in goals:
                return square
    return random.choice(pivots)


def _rotate(walk: list[int], position: dict[int, int], pivot: int) -> None:
    """Walk everything behind the pivot backwards."""
    cut = position[pivot] + 1
    walk[cut:] = walk[: cut - 1 : -1]
    for step in range(cut, len(walk)):
        position[walk[step]] = step
