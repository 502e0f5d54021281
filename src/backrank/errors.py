"""The errors that backrank raises: one line each, saying what was wrong and what would be right.

All derive from :class:`BackrankError`. Those about input are `ValueError` as well, so that
code which knows nothing of backrank still catches them.
"""

from __future__ import annotations

import operator
import re
from itertools import accumulate, takewhile
from reprlib import Repr
from typing import TYPE_CHECKING, SupportsIndex

if TYPE_CHECKING:
    from backrank.runtime.progress import Progress


MOST_ECHOED = 60
MOST_ECHOED_NAME = 120
MOST_IN_MESSAGE = 1_000
_MOST_IN_WORD = 200
_LONG_WORD = re.compile(rf"\S{{{_MOST_IN_WORD + 1},}}")
_FAR_TOO_LARGE = 10**40
MOST_WHOLE = _FAR_TOO_LARGE - 1


def shown(value: object, most: int = MOST_ECHOED) -> str:
    r"""Return a value quoted for a message: shortened in the middle, control characters escaped.

    Parameters
    ----------
    value : object
        A text, a number, or any other value.
    most : int
        Number of characters that are kept, quotes not included.

    Examples
    --------
    >>> shown("c3"), shown("a" * 50 + "z", most=10), shown("\x1b[31m"), shown(2.5), shown(10**5000)
    ("'c3'", "'aaaaaa…aaz'", "'\\x1b[31m'", '2.5', 'a number far too large')
    """
    if isinstance(value, str):
        return repr(_cut(value, most))
    if isinstance(value, (bytes, bytearray)):
        return repr(bytes(value[:most])) + "…" * (len(value) > most)
    if isinstance(value, int) and abs(value) >= _FAR_TOO_LARGE:
        return "a number far too large"  # Python refuses to print more than 4,300 digits
    try:
        text = _ABRIDGED.repr(value)
    except Exception:
        text = f"an object of type {type(value).__name__}"
    return visible(text, most)


def visible(text: str, most: int = MOST_ECHOED_NAME) -> str:
    r"""Return a text on one line without quotes: shortened in the middle, control characters escaped.

    Examples
    --------
    >>> visible("tour.txt"), visible("a\x1b]0;b\x07c"), visible("x" * 99, most=5)
    ('tour.txt', 'a\\x1b]0;b\\x07c', 'xxx…x')
    """
    if len(text) <= most and text.isprintable():
        return text
    return "".join(mark if mark.isprintable() else repr(mark)[1:-1] for mark in _cut(text, most))


def counted(number: int, form: str = ",") -> str:
    """Return a number as it is written in a message, with commas; one that is far too large, in words.

    Examples
    --------
    >>> counted(12345), counted(12345, "d"), counted(-(10**5000))
    ('12,345', '12345', '-10^40 or less')
    """
    if abs(number) < _FAR_TOO_LARGE:
        return format(number, form)
    return "10^40 or more" if number > 0 else "-10^40 or less"


def whole(number: object, noun: str, least: int, most: int) -> int:
    """Return a whole number within bounds.

    Raises
    ------
    InvalidPuzzle
        If it is none, or out of bounds; the message begins with `noun`.

    Examples
    --------
    >>> whole(2000, "the size of a PNG, in pixels,", 1, 8000)
    2000
    >>> whole(0.5, "the size of a PNG, in pixels,", 1, 8000)
    Traceback (most recent call last):
    backrank.errors.InvalidPuzzle: the size of a PNG, in pixels, must be a whole number from 1 to 8,000, not 0.5
    """
    value = None if isinstance(number, bool) or not isinstance(number, SupportsIndex) else operator.index(number)
    if value is None or not least <= value <= most:
        bounds = f"from {least:,} to {most:,}" if most < MOST_WHOLE else f"from {least:,} on and below 10^40"
        raise InvalidPuzzle(f"{noun} must be a whole number {bounds}, not {shown(number)}")
    return value


def _cut(text: str, most: int) -> str:
    """Return the text, or its beginning and end with an ellipsis between, so that its repr has at most `most` marks."""
    if len(text) <= most and (text.isprintable() or sum(map(_width, text)) <= most):
        return text
    end = (most - 1) // 3
    head, tail = _fitting(text[:most], most - 1 - end), _fitting(text[: -most - 1 : -1], end)
    return f"{head}…{tail[::-1]}"


def _fitting(marks: str, room: int) -> str:
    """Return as many of the first marks as fit."""
    widths = accumulate(map(_width, marks))
    return marks[: sum(1 for _ in takewhile(room.__ge__, widths))]


def _width(mark: str) -> int:
    return 1 if mark.isprintable() else len(repr(mark)) - 2


_ABRIDGED = Repr()
_ABRIDGED.maxother = _ABRIDGED.maxstring = 2 * MOST_ECHOED


def one_line(message: str, most: int = MOST_IN_MESSAGE) -> str:
    r"""Return a message on one line, without control characters; words of more than 200 characters are shortened.

    Examples
    --------
    >>> one_line("there is no folder\n/tmp/" + "a" * 300, most=40)
    'there is no folder /tmp/aa…aaaaaaaaaaaaa'
    """
    if len(message) > _MOST_IN_WORD:
        message = _LONG_WORD.sub(lambda word: visible(word[0]), message)
    return visible(message if message.isprintable() else " ".join(message.split()), most)


class BackrankError(Exception):
    """Base of every error that this package raises on purpose.

    The message is one line of at most 1,000 characters, whatever input it quotes; control characters are escaped.
    """

    def __init__(self, message: object = "", *more: object) -> None:
        super().__init__(one_line(str(message)), *more)


class InvalidBoard(BackrankError, ValueError):
    """A board that cannot be: sides that are not positive whole numbers, a malformed map."""


class BoardTooLarge(InvalidBoard):
    """A board on which the asked-for method would need an unreasonable amount of memory or time."""


class InvalidSquare(BackrankError, ValueError):
    """A square that is not on the board, is a hole, or cannot be read."""


class InvalidPuzzle(BackrankError, ValueError):
    """A puzzle whose parts contradict each other, such as a tour that must end where it starts."""


class NoSuchNumber(InvalidPuzzle, IndexError):
    """A number that no answer of a puzzle has: negative, or not below the count."""


class InvalidText(BackrankError, ValueError):
    """Text that is in none of the formats that can be read."""


class UnknownName(BackrankError, ValueError):
    """A strategy, move order, piece or format of an unknown name; the known ones are listed."""

    def __init__(self, noun: str, name: object, known: tuple[str, ...]) -> None:
        name = name if isinstance(name, str) else shown(name)
        super().__init__(f"unknown {noun} {shown(name)}; known: {', '.join(known)}")
        self.noun, self.name, self.known = noun, name, known

    def __reduce__(self) -> tuple[type[UnknownName], tuple[str, str, tuple[str, ...]]]:
        # An exception is rebuilt from its message alone unless told otherwise; workers in other processes raise it too.
        return type(self), (self.noun, self.name, self.known)


class Undecided(BackrankError):
    """Base of the errors that end work before its answer: nothing is proven either way."""


class BudgetExceeded(Undecided):
    """A limit was reached before the answer: nothing is proven either way.

    Attributes
    ----------
    reached : Progress
        How far the work had come: seconds, calls, depth, items found so far (a lower bound, never an answer).
    """

    def __init__(self, message: str, reached: Progress) -> None:
        super().__init__(message)
        self.reached = reached

    def __reduce__(self) -> tuple[type[BudgetExceeded], tuple[str, Progress]]:
        return type(self), (str(self), self.reached)
