"""A tour whose squares are computed when they are asked for: what `Tour` needs of a construction."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SquareArray: TypeAlias = "NDArray[np.int32] | NDArray[np.int64]"


class Steps(ABC):
    """The squares of a tour in order, without a list of them; steps are counted from 0.

    `Tour` and the solver know this class only, so that a tour that was searched for loads no construction.
    """

    __slots__ = ()

    @abstractmethod
    def __len__(self) -> int: ...

    @abstractmethod
    def __iter__(self) -> Iterator[int]: ...

    @abstractmethod
    def square_at(self, step: int) -> int:
        """Return the square of a step."""

    @abstractmethod
    def step_of(self, square: int) -> int:
        """Return the step at which a square is visited."""

    @abstractmethod
    def squares(self) -> tuple[int, ...]:
        """Return all squares in order."""

    @abstractmethod
    def array(self) -> SquareArray:
        """Return all squares in order, as a read-only array."""

    @abstractmethod
    def backwards(self) -> Steps:
        """Return the tour from its end to its start."""
