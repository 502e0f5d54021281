"""Boards of numbers: rows of steps, however people print them.

Blanks, commas, semicolons and `|` separate; frames, file letters and rank numbers at the edges
are taken off; a mark such as `.` or an empty field is a hole. The rows come back as they were
written, ragged or not: whether they fit a board is judged elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from backrank.errors import InvalidText, shown
from backrank.formats.reading import MAX_DIGITS, TextLine, blocks_of, fail, is_files, is_rule, whole_number
from backrank.geometry.board import Board, Cell

Row = tuple[int | None, ...]

ROW_WORD = re.compile(r"#+|[.xX*_·■-]+|\d+")
_HOLE = re.compile(r"\.+|#+|[xX]+|-+|\*+|·+|■+|None|null")
_NOT_VISITED = re.compile(r"_+")
_NUMBER = re.compile(r"([+-]?\d+)(?:\.0*)?")
_MAX_SQUARES = 4_000_000
_HINT = "a tour is a grid of numbers with . for holes, names (a1 b3 …), coordinates ((0,0) (1,2) …), JSON or CSV"


@dataclass(frozen=True, slots=True)
class NumberGrid:
    """Rows of numbers as written.

    Attributes
    ----------
    rows : tuple of rows
        None where no number stands.
    lines : tuple of int
        The line of the text in which each row begins.
    unvisited : frozenset of (row, col)
        Where no number stands although it is no hole (`_`).
    """

    rows: tuple[Row, ...]
    lines: tuple[int, ...]
    unvisited: frozenset[Cell]

    def require_even(self) -> None:
        """Raise :class:`InvalidText` about the first row that is not as long as the first one."""
        wanted = len(self.rows[0])
        for number, (row, line) in enumerate(zip(self.rows, self.lines, strict=True), 1):
            if len(row) != wanted:
                fail(
                    line,
                    f"row {number} of the grid has {len(row)} entries, row 1 has {wanted}; "
                    "all rows must be equally long (a hole is written as .)",
                )

    def board(self) -> Board:
        """Return the board of this shape; squares without a number are holes."""
        self.require_even()
        rows, cols = len(self.rows), len(self.rows[0])
        Board(rows, cols).require_at_most(_MAX_SQUARES, "a grid")
        holes = [
            (row, col)
            for row, numbers in enumerate(self.rows)
            if None in numbers
            for col, number in enumerate(numbers)
            if number is None and (row, col) not in self.unvisited
        ]
        if len(holes) == rows * cols:
            fail(self.lines[0], "the grid holds no number; number the squares in the order of the visits, from 1")
        return Board(rows, cols, holes=holes)

    @property
    def first(self) -> int:
        """The number of the first step: 0 if there is one 0. Several stand for squares not visited."""
        return 0 if sum(row.count(0) for row in self.rows) == 1 else 1


def read_grids(lines: Sequence[TextLine]) -> list[NumberGrid]:
    """Read boards of numbers, an empty line between one and the next.

    Raises
    ------
    InvalidText
        If a word is neither a number nor a hole.

    Examples
    --------
    >>> read_grids([TextLine(1, "+---+---+"), TextLine(2, "| 1 |   |"), TextLine(3, "| 3 | 2 |")])[0].rows
    ((1, None), (3, 2))
    """
    grids = [grid for block in blocks_of(lines) if (grid := _read_block(block)) is not None]
    if not grids:
        raise InvalidText("the grid holds no number; number the squares in the order of the visits, from 1")
    if len(grids) > 1 and all(len(grid.rows) == 1 for grid in grids):
        return [_joined(grids)]
    return grids


def grid_of_rows(rows: Sequence[Sequence[int | None]]) -> NumberGrid:
    """Make a grid of rows that come from no text.

    Examples
    --------
    >>> grid_of_rows([[1, 2], [None, 0]]).first
    0
    """
    return NumberGrid(tuple(map(tuple, rows)), (0,) * len(rows), frozenset())


def split_fields(text: str) -> list[str]:
    """Split a row into its words; an empty field between separators is an empty word.

    Examples
    --------
    >>> split_fields("1, 2,, 4"), split_fields("| 1 |  | 3 |"), split_fields("| 1 2 |")
    (['1', '2', '', '4'], ['1', '', '3'], ['1', '2'])
    """
    if "|" in text:
        fields = text.split("|")
        if not fields[0].strip():
            del fields[0]
        if fields and not fields[-1].strip():
            del fields[-1]
        if len(fields) != 1:
            return [word for field in fields for word in field.replace(",", " ").split() or [""]]
        text = fields[0]
    if "," in text or ";" in text:
        return [word for field in text.replace(";", ",").split(",") for word in field.split() or [""]]
    return text.split()


def numbers_of(words: Sequence[str], line: int, expected: str) -> list[int]:
    """Read words that must all be whole numbers.

    Examples
    --------
    >>> numbers_of(["0", "-1", "07"], 1, "write columns")
    [0, -1, 7]
    """
    row = _fast_numbers(words)
    return [_number(word, line, expected) for word in words] if row is None else row


def _joined(grids: list[NumberGrid]) -> NumberGrid:
    """Join grids of one row each: no tour has that shape, so these are rows with empty lines between."""
    return NumberGrid(
        tuple(grid.rows[0] for grid in grids),
        tuple(grid.lines[0] for grid in grids),
        frozenset((row, col) for row, grid in enumerate(grids) for _, col in grid.unvisited),
    )


def _read_block(block: list[TextLine]) -> NumberGrid | None:
    split = [(line, split_fields(line.text)) for line in block if not is_rule(line.text)]
    split = [(line, words) for line, words in split if words]
    files = max((len(words) for _, words in split if is_files(words)), default=0)
    split = [(line, words) for line, words in split if not is_files(words)]
    if not split:
        return None
    _drop_last_fields(split)
    unvisited: set[Cell] = set()
    rows: list[Row] = []
    for line, fields in split:
        words = fields
        if files and len(words) > files:
            # Ranks stand at one side of the board, or at both.
            words = words[1 : files + 1]
        numbers = _fast_numbers(words)
        if numbers is not None:
            rows.append(tuple(numbers))
            continue
        unvisited.update((len(rows), col) for col, word in enumerate(words) if _NOT_VISITED.fullmatch(word))
        rows.append(tuple(_entry(word, line.number) for word in words))
    return NumberGrid(tuple(rows), tuple(line.number for line, _ in split), frozenset(unvisited))


def _drop_last_fields(split: list[tuple[TextLine, list[str]]]) -> None:
    """Take off what follows a comma at the end of a line, unless it must be a hole.

    It is a hole if the rows are equally long with it and some row does not end in a comma.
    """
    ends = [line.text[-1] in ",;" for line, _ in split]
    is_even = len({len(words) for _, words in split}) == 1
    if all(ends) or (all(ends[:-1]) and not is_even):
        for (_, words), ends_in_comma in zip(split, ends, strict=True):
            if ends_in_comma and not words[-1]:
                words.pop()


def _fast_numbers(words: Sequence[str]) -> list[int] | None:
    """Read all words at once, or none: the way for the common row, a million numbers long or not."""
    try:
        row = list(map(int, words))
    except ValueError:
        return None
    if not row or max(row) >= 10**MAX_DIGITS or min(row) <= -(10**MAX_DIGITS) or any("_" in word for word in words):
        return None
    return row


def _entry(word: str, line: int) -> int | None:
    if not word or _HOLE.fullmatch(word) or _NOT_VISITED.fullmatch(word):
        return None
    return _number(word, line, _HINT)


def _number(word: str, line: int, expected: str) -> int:
    match = _NUMBER.fullmatch(word)
    if match is None:
        fail(line, f"{shown(word)} is not a number; {expected}")
    return whole_number(match[1], line)
