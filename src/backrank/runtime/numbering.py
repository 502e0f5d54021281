"""Numbers of answers in the order of listing: read, checked, and as the keys of `puzzle[key]`."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from itertools import islice
from typing import SupportsIndex, TypeVar

from backrank.errors import InvalidPuzzle, NoSuchNumber, counted, shown

Answer = TypeVar("Answer")


def number_given(number: SupportsIndex, noun: str) -> int:
    """Return the number of an answer as an int of at least 0; `noun` is what the answers are, such as "tour".

    Raises
    ------
    InvalidPuzzle
        If it is not a whole number.
    NoSuchNumber
        If it is negative.

    Examples
    --------
    >>> number_given(-1, "tour")
    Traceback (most recent call last):
    backrank.errors.NoSuchNumber: tours are numbered from 0, so there is no number -1
    """
    try:
        given = operator.index(number)
    except TypeError:
        given = None
    if given is None or isinstance(number, bool):
        raise InvalidPuzzle(f"the number of a {noun} is a whole number, not {shown(number)}")
    if given < 0:
        raise NoSuchNumber(f"{noun}s are numbered from 0, so there is no number {counted(given)}")
    return given


def no_such_number(number: int, count: int, noun: str) -> NoSuchNumber:
    """Return the error for a number beyond the last of `count` answers.

    Examples
    --------
    >>> print(no_such_number(92, 92, "placement"))
    placements are numbered 0 to 91, so there is no number 92
    """
    if not count:
        return NoSuchNumber(f"there are no such {noun}s, so none has the number {counted(number)}")
    return NoSuchNumber(f"{noun}s are numbered 0 to {count - 1:,}, so there is no number {counted(number)}")


def key_given(key: SupportsIndex, noun: str) -> int:
    """Return the key of `puzzle[key]` as a number of at least 0.

    Raises
    ------
    InvalidPuzzle, NoSuchNumber
        If it is not a whole number, or negative: counting from the end needs the count, which may be out of reach.
    """
    try:
        return number_given(key, noun)
    except NoSuchNumber:
        message = f"{noun}s are numbered from 0, not from the end; count() is the number of them all"
        raise NoSuchNumber(message) from None


def sliced(key: slice, begin: Callable[[int], Iterator[Answer]], noun: str) -> Iterator[Answer]:
    """Return the answers of `puzzle[start:stop]`, lazily; as for lists, a start beyond the last gives none.

    Parameters
    ----------
    key : slice
    begin : callable
        Returns the answers from a number on, or raises NoSuchNumber; called when the first one is asked for.
    noun : str

    Raises
    ------
    InvalidPuzzle
        If there is a step other than 1, or a negative number.
    """
    if key.step not in (None, 1):
        raise InvalidPuzzle(f"slices of {noun}s have no step; take itertools.islice of puzzle[start:stop]")
    start = 0 if key.start is None else key_given(key.start, noun)
    stop = None if key.stop is None else key_given(key.stop, noun)
    return _from_to(begin, start, stop)


def _from_to(begin: Callable[[int], Iterator[Answer]], start: int, stop: int | None) -> Iterator[Answer]:
    if stop is not None and stop <= start:
        return
    try:
        answers = begin(start)
    except NoSuchNumber:
        return
    yield from islice(answers, None if stop is None else stop - start)
