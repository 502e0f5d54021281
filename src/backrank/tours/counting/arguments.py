"""What callers hand to a count or a number of tours: means, answers and numbers, read and checked."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TypeGuard

from backrank.errors import InvalidPuzzle, shown
from backrank.geometry.board import SquareLike


def require_means(memory: object, threads: object = None) -> None:
    """Refuse an amount of memory, or a number of threads, that is none.

    Raises
    ------
    InvalidPuzzle

    Examples
    --------
    >>> require_means(2 * 10**9, 4)
    >>> require_means("2G")
    Traceback (most recent call last):
    backrank.errors.InvalidPuzzle: the memory is a whole number of bytes, at least 1, such as 8 * 10**9, not '2G'
    """
    if memory is not None and not (_is_whole(memory) and memory >= 1):
        raise InvalidPuzzle(
            f"the memory is a whole number of bytes, at least 1, such as 8 * 10**9, not {shown(memory)}"
        )
    if threads is not None and not (_is_whole(threads) and threads >= 1):
        raise InvalidPuzzle(f"the number of threads is a whole number, at least 1, not {shown(threads)}")


def folder_given(folder: Path | str | None) -> Path | None:
    """Return a work folder as a path.

    Raises
    ------
    InvalidPuzzle
        If it is no name of a folder.
    """
    if folder is not None and not (isinstance(folder, (str, os.PathLike)) and str(folder)):
        raise InvalidPuzzle(f"the work folder is a path, such as Path('work'), not {shown(folder)}")
    return None if folder is None else Path(folder)


def whole(number: object, noun: str) -> int:
    """Return a number that must be a whole one; an error names it with `noun`.

    Examples
    --------
    >>> whole(1.0, "the number of a tour")
    Traceback (most recent call last):
    backrank.errors.InvalidPuzzle: the number of a tour is a whole number, not 1.0
    """
    if not _is_whole(number):
        raise InvalidPuzzle(f"{noun} is a whole number, not {shown(number)}")
    return number


def squares_given(squares: Iterable[SquareLike], noun: str) -> tuple[SquareLike, ...]:
    """Return squares that must be several, not one and not a text; an error names them with `noun`.

    Examples
    --------
    >>> squares_given("a1", "a beginning")
    Traceback (most recent call last):
    backrank.errors.InvalidPuzzle: a beginning is a list of squares, such as ['a1', 'b3'], not 'a1'
    """
    if isinstance(squares, (str, bytes)) or not isinstance(squares, Iterable):
        raise InvalidPuzzle(f"{noun} is a list of squares, such as ['a1', 'b3'], not {shown(squares)}")
    return tuple(squares)


def _is_whole(number: object) -> TypeGuard[int]:
    return isinstance(number, int) and not isinstance(number, bool)
