"""Boards drawn with a mark on every square: queens, empty squares, holes.

Any of the usual marks will do, with blanks between them or not, with frames, and with file letters and
rank numbers at the edges. A matrix of 0 and 1 is a drawing too, if it has the shape of a board.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from backrank.errors import InvalidText, shown
from backrank.formats.reading import TextLine, blocks_of, fail, is_files, is_rule
from backrank.geometry.board import Board, Cell

_SURE_QUEENS = "Qq♕♛@"
_QUEENS = _SURE_QUEENS + "1*"
_CROSSES = "xX"
_EMPTY = ".-_0□■·⋅+oO☐⬜⬛"
_HOLES = "#"
_MARKS = frozenset(_QUEENS + _CROSSES + _EMPTY + _HOLES)
_NOISE = str.maketrans("", "", ",;\"' \t")

ROW_WORD = re.compile(f"[{re.escape(''.join(sorted(_MARKS)))}]+")


@dataclass(frozen=True, slots=True)
class Drawing:
    """A drawn board: its shape, and where queens and holes are."""

    rows: int
    cols: int
    queens: tuple[Cell, ...]
    holes: tuple[Cell, ...]


def is_drawing(lines: Sequence[TextLine], board: Board | None = None) -> bool:
    """Whether the lines draw boards; a matrix of 0 and 1 does if it is square or has the board's shape.

    Examples
    --------
    >>> is_drawing([TextLine(1, ".Q"), TextLine(2, "..")]), is_drawing([TextLine(1, "0 1"), TextLine(2, "1 0")])
    (True, True)
    >>> is_drawing([TextLine(1, "0 4 7 5 2 6 1 3")]), is_drawing([TextLine(1, "0 1")])
    (False, False)
    """
    blocks = [[row for row in block if row] for block in _blocks(lines)]
    rows = [row for block in blocks for row in block]
    if not rows or not all(_MARKS.issuperset(row) for row in rows):
        return False
    if any(mark not in "01" for row in rows for mark in row):
        return True
    shapes = {(len(block), len(row)) for block in blocks for row in block}
    if board is not None:
        return shapes == {(board.rows, board.cols)} and board.size > 1
    return all(height == width > 1 for height, width in shapes)


def looks_drawn(lines: Sequence[TextLine]) -> bool:
    """Whether some line holds a queen and consists mostly of marks, even if others spoil the drawing.

    Examples
    --------
    >>> looks_drawn([TextLine(1, "Q.Z.")]), looks_drawn([TextLine(1, "eight queens")])
    (True, False)
    """
    return any(
        2 * sum(mark in _MARKS for mark in line.text) > len(line.text)
        for line in lines
        if any(mark in line.text for mark in _SURE_QUEENS)
    )


def read_drawings(lines: Sequence[TextLine]) -> list[Drawing]:
    """Read drawn boards, an empty line between one and the next.

    Raises
    ------
    InvalidText
        If a mark is unknown, or a row is not as long as the first one.

    Examples
    --------
    >>> read_drawings([TextLine(1, "| Q |   |"), TextLine(2, "|   | # |")])
    [Drawing(rows=2, cols=2, queens=((0, 0),), holes=((1, 1),))]
    """
    blocks = [block for block in _content(lines) if block]
    if not blocks:
        raise InvalidText("no board is drawn; write one line per row, Q for a queen and . for an empty square")
    return [_drawing(block) for block in blocks]


def _drawing(block: list[tuple[TextLine, str]]) -> Drawing:
    # Where real queens stand a cross is a square struck out.
    has_queens = any(mark in row for _, row in block for mark in _SURE_QUEENS)
    crosses_are = _HOLES if has_queens else _QUEENS
    queens: list[Cell] = []
    holes: list[Cell] = []
    width = len(block[0][1])
    for row, (line, marks) in enumerate(block):
        if len(marks) != width:
            fail(
                line.number,
                f"row {row + 1} of the board has {len(marks)} squares, row 1 has {width}; make all rows equal",
            )
        for col, mark in enumerate(marks):
            kind = crosses_are if mark in _CROSSES else mark
            if mark == "*" and has_queens:
                kind = _EMPTY
            if kind[0] in _QUEENS:
                queens.append((row, col))
            elif kind in _HOLES:
                holes.append((row, col))
            elif kind[0] not in _EMPTY:
                fail(
                    line.number, f"{shown(mark)} is no mark of a square; write Q for a queen and . for an empty square"
                )
    if len(holes) == len(block) * width:
        fail(block[0][0].number, "every square of the board is a hole; an empty square is written as .")
    return Drawing(len(block), width, tuple(queens), tuple(holes))


def _blocks(lines: Sequence[TextLine]) -> list[list[str]]:
    return [[row for _, row in block] for block in _content(lines)]


def _content(lines: Sequence[TextLine]) -> list[list[tuple[TextLine, str]]]:
    """Return for each block its rows as strings of marks, all ornaments taken off."""
    has_dashes = any("-" in line.text and not is_rule(line.text) for line in lines)
    blocks = []
    for block in blocks_of(lines):
        rows = [line for line in block if not is_rule(line.text) or (has_dashes and set(line.text) == {"-"})]
        is_labelled = any(is_files(line.text.split()) for line in rows)
        rows = [line for line in rows if not (is_labelled and is_files(line.text.split()))]
        blocks.append([(line, _marks(line.text, is_labelled)) for line in rows])
    return blocks


def _marks(text: str, is_labelled: bool) -> str:
    if is_labelled and text[0].isdigit():
        text = text.lstrip("0123456789").lstrip()
    if "|" in text:
        fields = text.split("|")
        if not fields[0].strip():
            del fields[0]
        if fields and not fields[-1].strip():
            del fields[-1]
        if len(fields) > 1:
            return "".join(field.translate(_NOISE) or "." for field in fields)
        text = "".join(fields)
    return "".join(text.translate(_NOISE).split())
