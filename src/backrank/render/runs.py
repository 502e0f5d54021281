"""Recorded runs in few bytes: what the animated page carries inside, and how to read it back.

An event is a number, `kind + 4 × square`, and a refused square is followed by the number of the sentence that says
why. Numbers are written seven bits to a byte, the lowest first, with the top bit set on all bytes but the last
(LEB128); the bytes are written as base64. A square taken back is the last one placed, and a solution stands
on the last one placed: neither needs to be told. So most events are one to three bytes, and 200,000 of them are
half a megabyte.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias, cast

from backrank.errors import BackrankError, InvalidSquare, shown
from backrank.geometry.board import Board

RowKind = Literal["enter", "leave", "reject", "solution"]
Row: TypeAlias = tuple[str, int, int, str]

KINDS: tuple[RowKind, ...] = ("enter", "leave", "reject", "solution")
_ENTER, _LEAVE, _REJECT, _SOLUTION = range(4)


class InvalidRun(BackrankError, ValueError):
    """Events that are not those of one run from its beginning."""


@dataclass(frozen=True)
class EncodedRun:
    """A run as the page carries it.

    Attributes
    ----------
    count : int
        How many events there are.
    code : str
        The events, in base64.
    reasons : list of str
        The sentences that say why a square was refused, in the order of their first use; the first one is empty.
    causes : list of int
        The square that each of these sentences ends with, such as that of the attacking queen; -1 if it names none.
    """

    count: int = 0
    code: str = ""
    reasons: list[str] = field(default_factory=lambda: [""])
    causes: list[int] = field(default_factory=lambda: [-1])

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain data, for JSON."""
        return {"count": self.count, "code": self.code, "reasons": self.reasons, "causes": self.causes}


def encode_run(board: Board, events: Iterable[Row]) -> EncodedRun:
    """Encode the events of a run, checking that each can follow the ones before it.

    Parameters
    ----------
    board : Board
    events : iterable of (kind, square, depth, why)
        From the first event on. The kind is "enter", "leave", "reject" or "solution", the depth the number of
        pieces on the board after the event, and `why` a sentence that may be empty.

    Raises
    ------
    InvalidRun
        If an event cannot follow those before it.
    InvalidSquare
        If a square is off the board or a hole.

    Examples
    --------
    >>> run = encode_run(Board(4), [("enter", 0, 1, ""), ("reject", 4, 1, "same column as queen on a4")])
    >>> run.count, run.reasons, run.causes
    (2, ['', 'same column as queen on a4'], [-1, 0])
    """
    data = bytearray()
    stack: list[int] = []
    numbers = {"": 0}
    count = 0
    for count, (kind, square, depth, why) in enumerate(events, 1):
        code = _kind_code(kind, count)
        if code == _ENTER:
            stack.append(board.square(square))
            _put(data, _ENTER + 4 * square)
        elif code == _REJECT:
            _put(data, _REJECT + 4 * board.square(square))
            _put(data, numbers.setdefault(why, len(numbers)))
        else:
            _require_top(board, stack, kind, square, count)
            data.append(code)
            if code == _LEAVE:
                stack.pop()
        if depth != len(stack):
            raise InvalidRun(f"event {count}, {kind}, says depth {depth}, but {len(stack)} pieces stand after it")
    reasons = list(numbers)
    return EncodedRun(count, b64encode(data).decode(), reasons, [_named_last(board, reason) for reason in reasons])


def tour_rows(squares: Iterable[int]) -> Iterator[Row]:
    """Yield the events of a tour that is simply walked.

    Examples
    --------
    >>> list(tour_rows([3, 1]))
    [('enter', 3, 1, ''), ('enter', 1, 2, '')]
    """
    for depth, square in enumerate(squares, 1):
        yield "enter", square, depth, ""


def _kind_code(kind: str, count: int) -> int:
    try:
        return KINDS.index(cast("RowKind", kind))
    except ValueError:
        raise InvalidRun(f"event {count} is {shown(kind)}, which is none of {', '.join(KINDS)}") from None


def _require_top(board: Board, stack: list[int], kind: str, square: int, count: int) -> None:
    if not stack and (kind == "leave" or square != -1):
        raise InvalidRun(f"event {count}, {kind}, needs a piece, but the board is empty")
    if stack and square != stack[-1]:
        raise InvalidRun(
            f"event {count}, {kind}, is about square {square}, but the last piece stands on {board.name(stack[-1])}"
        )


def _named_last(board: Board, reason: str) -> int:
    """Return the square that the last word of a sentence names, -1 if it names none."""
    word = reason.rpartition(" ")[2]
    try:
        return board.square(word) if word[:1].isalpha() else -1
    except InvalidSquare:
        return -1


def _put(data: bytearray, number: int) -> None:
    while number > 127:
        data.append(number & 127 | 128)
        number >>= 7
    data.append(number)
