"""Sizes of symmetry classes, by looking at every image."""

from __future__ import annotations

from collections.abc import Sequence

from backrank.geometry.symmetry import images


def orbit_size(group: Sequence[tuple[int, ...]], squares: Sequence[int]) -> int:
    """Return the number of different sets that a set of squares is mapped to."""
    return len({frozenset(image) for image in images(group, squares)})
