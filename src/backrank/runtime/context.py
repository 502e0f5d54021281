"""The context of a run: what it may use, who watches it, and whether its answer is kept.

A plan says what is to be done (:mod:`backrank.tours.counting.plan`, :mod:`backrank.queens.counting.plan`); the context
says with what. Nothing in a context changes an answer.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeGuard

from backrank.errors import InvalidPuzzle, shown
from backrank.runtime.budget import Budget

if TYPE_CHECKING:
    from concurrent.futures import Executor


@dataclass(frozen=True, slots=True)
class Keeping:
    """Whether and where the answer of a run is kept as a job of a ledger.

    Attributes
    ----------
    mode : {"auto", "always", "never"}
        `auto` keeps what is expected to take more than a few seconds.
    ledger : path or Ledger, optional
        The file; the usual one if not given.
    again : bool
        Whether to count again what the ledger has the answer of.
    units : int, optional
        The number of units of a new job; measured if not given.
    look : bool
        With `auto`: whether to look for a job of the ledger even if the count is short.
    named : bool, optional
        Whether it is an error if the ledger cannot be used; if not given: whether it is named, here or by the
        environment. A count goes on without a ledger that is not named.
    """

    mode: Literal["auto", "always", "never"] = "never"
    ledger: object = None  # a path, or an open ledger: this module stands below those that know ledgers
    again: bool = False
    units: int | None = None
    look: bool = False
    named: bool | None = None


@dataclass(frozen=True, slots=True)
class Context:
    """What a run may use.

    Attributes
    ----------
    budget : Budget
        Limits, progress and cancellation.
    threads : int, optional
        The number of threads; one for each core if not given.
    memory : int, optional
        Bytes; nine tenths of what is free if not given.
    folder : Path, optional
        Where layers of a count of tours are kept, and where those go that do not fit into the memory.
    force : bool
        Whether to begin what is estimated to take more than a day.
    keeping : Keeping
    executor : callable, optional
        Returns a context manager that yields the executor for the units of a job; threads of this process if not given.

    Raises
    ------
    InvalidPuzzle
        If the memory, the number of threads or the folder is invalid.

    Examples
    --------
    >>> Context(threads=0)
    Traceback (most recent call last):
    backrank.errors.InvalidPuzzle: the number of threads is a whole number, at least 1, not 0
    """

    budget: Budget = field(default_factory=Budget)
    threads: int | None = None
    memory: int | None = None
    folder: Path | None = None
    force: bool = False
    keeping: Keeping = field(default_factory=Keeping)
    executor: Callable[[], AbstractContextManager[Executor]] | None = None

    def __post_init__(self) -> None:
        """Validate the resources."""
        require_means(self.memory, self.threads)

    @property
    def is_limited(self) -> bool:
        """Whether time or calls are limited."""
        return self.budget.seconds is not None or self.budget.calls is not None


def require_means(memory: object, threads: object = None) -> None:
    """Raise InvalidPuzzle unless `memory` and `threads` are positive ints or None.

    Examples
    --------
    >>> require_means(2 * 10**9, 4)
    >>> require_means("2G")
    Traceback (most recent call last):
    backrank.errors.InvalidPuzzle: the memory is a whole number of bytes, at least 1, such as 8 * 10**9, not '2G'
    """
    if memory is not None and not (is_whole(memory) and memory >= 1):
        raise InvalidPuzzle(
            f"the memory is a whole number of bytes, at least 1, such as 8 * 10**9, not {shown(memory)}"
        )
    if threads is not None and not (is_whole(threads) and threads >= 1):
        raise InvalidPuzzle(f"the number of threads is a whole number, at least 1, not {shown(threads)}")


def folder_given(folder: Path | str | None) -> Path | None:
    """Return a work folder as a path.

    Raises
    ------
    InvalidPuzzle
        If it is not the name of a folder.
    """
    if folder is not None and not (isinstance(folder, (str, os.PathLike)) and str(folder)):
        raise InvalidPuzzle(f"the work folder is a path, such as Path('work'), not {shown(folder)}")
    return None if folder is None else Path(folder)


def is_whole(number: object) -> TypeGuard[int]:
    """Return whether a value is an int, and not a bool."""
    return isinstance(number, int) and not isinstance(number, bool)
