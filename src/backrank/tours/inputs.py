"""What callers hand to a count or a number of tours: means, answers and numbers, read and checked."""

from __future__ import annotations

from backrank.errors import InvalidPuzzle, shown
from backrank.runtime.context import folder_given, is_whole, require_means

__all__ = ["folder_given", "require_means", "whole"]


def whole(number: object, noun: str) -> int:
    """Return a number that must be a whole one; an error names it with `noun`.

    Examples
    --------
    >>> whole(1.0, "the number of a tour")
    Traceback (most recent call last):
    backrank.errors.InvalidPuzzle: the number of a tour is a whole number, not 1.0
    """
    if not is_whole(number):
        raise InvalidPuzzle(f"{noun} is a whole number, not {shown(number)}")
    return number
