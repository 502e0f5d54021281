"""Tours that are not written down: what a tour needs of them, without what builds them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray


class ImplicitTour(ABC):
    """A tour whose steps are computed when they are asked for, each without the others.

    Two of the same steps need not be equal: they are compared by how they were made.
    """

    __slots__ = ()

    @abstractmethod
    def backwards(self) -> ImplicitTour:
        """Return the tour from its end to its start."""

    @abstractmethod
    def __len__(self) -> int: ...

    @abstractmethod
    def __iter__(self) -> Iterator[int]:
        """Yield the squares in order, one at a time."""

    @abstractmethod
    def square_at(self, step: int) -> int:
        """Return the square of a step, counted from 0."""

    @abstractmethod
    def step_of(self, square: int) -> int:
        """Return the step, counted from 0, at which a square is visited."""

    @abstractmethod
    def squares(self) -> tuple[int, ...]:
        """Return all squares in order."""

    @abstractmethod
    def array(self) -> NDArray[Any]:
        """Return all squares in order as an array, at the speed of memory."""
