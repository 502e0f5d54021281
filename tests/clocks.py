"""A clock for tests of limits of time."""

from __future__ import annotations


class Clock:
    """A clock that stands still unless it is set; it starts far from 0, as monotonic clocks do."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now
