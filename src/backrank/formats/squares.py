"""Lists of squares: names (`a1 b3`) and coordinates (`(0,0) (1,2)`), and the board they must lie on.

A name counts ranks from the bottom, so it is no cell before the board's rows are known. Reading therefore
has two steps: words become *marks*, exactly what was written; then, with all marks of a text in hand,
the board is settled and the marks become cells, which may still lie off it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from backrank.errors import BoardTooLarge, InvalidText, shown
from backrank.formats.reading import TextLine, fail, whole_number
from backrank.geometry.board import Board, Cell

_MAX_LETTERS = 6
FREE_SIDE, SQUARES_EACH, SIDE_EACH = 100, 16, 8
_GAP = r"(?P<gap>[\s,;|>=\"'-]+)"
_MOVE_NUMBER = r"(?P<count>\d+[.):](?!\d))"
_REST = r"(?P<rest>\S+)"
_NAME = re.compile(r"([A-Za-z]+)(\d+)")
# The letter of the piece, as in Nb3, is passed over where file letters in lower case follow.
_NAMES = re.compile(rf"{_GAP}|(?:[NQ](?=[a-z]+\d))?(?P<file>[A-Za-z]+)(?P<rank>\d+)(?![^\W_])|{_MOVE_NUMBER}|{_REST}")
_PAIR = r"([+-]?\d+)(?:\s*[,;]\s*|\s+)([+-]?\d+)"
# A minus belongs to the number that follows, so here it is no gap.
_PAIRS = re.compile(
    rf"(?P<gap>[\s,;|>=\"']+)|\(\s*{_PAIR}(?:\s*,)?\s*\)|{_MOVE_NUMBER}|{_PAIR}(?![^\s,;|)])|(?P<dash>-(?=\s|\())|{_REST}"
)
_LIST_WORD = re.compile(r"(?<![^\W_])[A-Za-z]{1,6}\d+(?![^\W_])")
_GLUED = re.compile(r"[+-]?\d+[,;][+-]?\d+[,;]?")
_CELL = re.compile(rf"\(?\s*{_PAIR}\s*\)?")


class Mark(NamedTuple):
    """A square as written: the rank of a name, or the row of a pair of coordinates, and the column from 0."""

    row: int
    col: int
    is_name: bool


class Span(NamedTuple):
    """The smallest and the largest rows and columns of coordinates, and what names need."""

    lowest: int
    rows: int
    cols: int
    has_names: bool


def has_pairs(lines: Iterable[TextLine]) -> bool:
    """Whether the lines hold coordinates that no grid of numbers could be.

    Examples
    --------
    >>> has_pairs([TextLine(1, "(0,0)")]), has_pairs([TextLine(1, "0,0 1,2")]), has_pairs([TextLine(1, "1,2")])
    (True, True, False)
    """
    texts = [line.text for line in lines if line.text]
    if any("(" in text for text in texts):
        return True
    return all(_GLUED.fullmatch(word) for text in texts for word in text.split()) and any(
        len(text.split()) > 1 for text in texts
    )


def has_names(lines: Iterable[TextLine]) -> bool:
    """Whether a name of a square stands anywhere in the lines.

    Examples
    --------
    >>> has_names([TextLine(1, "1. a1")]), has_names([TextLine(1, "8x8")])
    (True, False)
    """
    return any(_LIST_WORD.search(line.text) for line in lines)


def read_names(line: TextLine) -> list[Mark]:
    """Read a line of names.

    Examples
    --------
    >>> read_names(TextLine(1, "1. a1-b3 2. C5"))
    [Mark(row=1, col=0, is_name=True), Mark(row=3, col=1, is_name=True), Mark(row=5, col=2, is_name=True)]
    """
    marks: list[Mark] = []
    for match in _NAMES.finditer(line.text):
        if match["file"] is not None:
            marks.append(_named(match["file"], match["rank"], line.number))
        elif match["rest"] is not None:
            fail(line.number, f"{shown(match['rest'])} is not the name of a square; write names such as a1 or c3")
    return marks


def read_pairs(line: TextLine) -> list[Mark]:
    """Read a line of coordinates, with or without brackets.

    Examples
    --------
    >>> read_pairs(TextLine(1, "(0,0) (1, 2)")) == read_pairs(TextLine(1, "0,0; 1 2"))
    True
    """
    marks: list[Mark] = []
    for match in _PAIRS.finditer(line.text):
        row, col = match[2] or match[5], match[3] or match[6]
        if row is not None:
            marks.append(Mark(whole_number(row, line.number), whole_number(col, line.number), is_name=False))
        elif match["rest"] is not None:
            fail(line.number, f"{shown(match['rest'])} is not a pair of coordinates; write (row,col), such as (0,2)")
    return marks


def mark_of(word: str, where: str) -> Mark:
    """Read one square, a name or coordinates.

    Examples
    --------
    >>> mark_of("c3", "squares[0]"), mark_of("(2, 3)", "squares[0]")
    (Mark(row=3, col=2, is_name=True), Mark(row=2, col=3, is_name=False))
    """
    try:
        word = word.strip()
        if match := _NAME.fullmatch(word):
            return _named(match[1], match[2], 1)
        if match := _CELL.fullmatch(word):
            return Mark(whole_number(match[1], 1), whole_number(match[2], 1), is_name=False)
    except InvalidText:
        raise InvalidText(f"{where}: {shown(word)} is too far out to be a square") from None
    raise InvalidText(f"{where}: {shown(word)} is not a square; write a name such as c3")


def span_of(marks: Iterable[Mark]) -> Span:
    """Return how far squares reach.

    Examples
    --------
    >>> span_of([Mark(1, 0, True), Mark(3, 1, True)])
    Span(lowest=0, rows=3, cols=2, has_names=True)
    """
    distinct = set(marks)
    pairs = [mark for mark in distinct if not mark.is_name]
    return Span(
        lowest=min((min(mark.row, mark.col) for mark in pairs), default=0),
        rows=max((mark.row + (not mark.is_name) for mark in distinct), default=0),
        cols=max((mark.col + 1 for mark in distinct), default=0),
        has_names=len(pairs) < len(distinct),
    )


def cells_of(marks: Iterable[Mark], rows: int, base: int) -> tuple[Cell, ...]:
    """Return marks as cells of a board of so many rows, the first row and column being written as `base`.

    Examples
    --------
    >>> cells_of([Mark(8, 0, True), Mark(1, 2, False)], rows=8, base=1)
    ((0, 0), (0, 1))
    """
    return tuple((rows - row, col) if is_name else (row - base, col - base) for row, col, is_name in marks)


def require_within_reach(board: Board, marks: int, *, wide: bool = False) -> None:
    """Raise :class:`BoardTooLarge` about a board read off a text that is out of proportion to what the text lists.

    Two squares far apart are a mistake more often than a board of a million squares, most of them missing; and what
    comes of a text must not be thousands of times its size.

    Parameters
    ----------
    board : Board
        What the text says, or what the squares reach to.
    marks : int
        How many squares are listed.
    wide : bool
        Whether the sides count rather than the area: n queens fill a board of n x n.

    Examples
    --------
    >>> require_within_reach(Board(100), 2)
    >>> require_within_reach(Board(2000), 2)
    Traceback (most recent call last):
    ...
    backrank.errors.BoardTooLarge: the text needs a 2000x2000 board, too large for the 2 squares it lists; \
if that is meant, give the board, such as --board 2000x2000
    """
    most = max(FREE_SIDE, SIDE_EACH * marks) ** 2 if wide else max(FREE_SIDE**2, SQUARES_EACH * marks)
    if board.size > most:
        size = f"{board.rows}x{board.cols}"
        number = "square" if marks == 1 else "squares"
        raise BoardTooLarge(
            f"the text needs a {size} board, too large for the {marks:,} {number} it lists; "
            f"if that is meant, give the board, such as --board {size}"
        )


def grouped(lines: Sequence[list[Mark]], blocks: Sequence[list[Mark]], needs: Sequence[int]) -> list[list[Mark]]:
    """Decide what is one tour: each line, or else each block, if it alone has as many squares as needed; or all.

    Examples
    --------
    >>> a, b = Mark(0, 0, False), Mark(0, 1, False)
    >>> len(grouped([[a, b], [b, a]], [[a, b, b, a]], [2])), len(grouped([[a], [b]], [[a, b]], [2]))
    (2, 1)
    """
    for groups in (lines, blocks):
        for need in needs:
            # A closed tour may come back to its first square in the end.
            if len(groups) > 1 and all(
                len(group) == need or (len(group) == need + 1 > 3 and group[0] == group[-1]) for group in groups
            ):
                return list(groups)
    return [[mark for line in lines for mark in line]]


def _named(letters: str, rank: str, line: int) -> Mark:
    if len(letters) > _MAX_LETTERS:
        fail(line, f"{shown(letters + rank)} is not the name of a square; write names such as a1 or c3")
    col = 0
    for letter in letters.lower():
        col = col * 26 + ord(letter) - ord("a") + 1
    return Mark(whole_number(rank, line), col - 1, is_name=True)
