"""What callers hand to a count or a number of tours: means, answers and numbers, read and checked."""

from __future__ import annotations

from collections.abc import Iterable

from backrank.errors import InvalidPuzzle, shown
from backrank.geometry.board import SquareLike
from backrank.runtime.context import folder_given, is_whole, require_means

__all__ = ["folder_given", "require_means", "squares_given", "whole"]


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
