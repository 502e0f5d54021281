"""JSON: what is in the text, what board it names, which squares it lists.

Everything is looked at before it is used, and a complaint names the place (`squares[3]`), because JSON from
elsewhere may hold anything anywhere. Text that merely begins with a bracket may be a Python or Java
list; then nothing is returned, and the readers of plain text have their turn.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from typing import NoReturn

from backrank.errors import InvalidText, shown
from backrank.formats.reading import MAX_DIGITS, line_at, require_text
from backrank.formats.squares import Mark, mark_of
from backrank.geometry.board import Board, Cell

_SURELY_JSON = re.compile(r"\s*(?:\{\s*[\"}]|\[\s*\{)")
_BLANKS = re.compile(r"\s*")


def json_values(text: str, *, required: bool = False) -> list[object] | None:
    r"""Return the JSON values of a text, one after another, or None if it is something else.

    Raises
    ------
    InvalidText
        If it is meant to be JSON (because of how it begins, or `required`) but is malformed.

    Examples
    --------
    >>> json_values('{"squares": ["a1"]}\n{"squares": ["b1"]}')
    [{'squares': ['a1']}, {'squares': ['b1']}]
    >>> json_values("[1, 2]\n[3, 4]") is json_values("a1 b3") is None
    True
    """
    text = require_text(text)
    # A string in JSON holds no line end, so a line that begins with # is nothing but a comment.
    text = "\n".join("" if line.lstrip().startswith("#") else line for line in text.split("\n"))
    if not required and text.lstrip()[:1] not in ("[", "{"):
        return None
    decoder = json.JSONDecoder(object_pairs_hook=_object)
    values: list[object] = []
    position = _skip(text, 0)
    try:
        while position < len(text):
            value, end = decoder.raw_decode(text, position)
            values.append(value)
            position = _skip(text, end)
    except json.JSONDecodeError as error:
        if not required and not _SURELY_JSON.match(text):
            return None
        column = error.pos - (text.rfind("\n", 0, error.pos) + 1) + 1
        reason = error.msg[0].lower() + error.msg[1:]
        raise InvalidText(f"malformed JSON at line {line_at(text, error.pos)}, column {column}: {reason}") from None
    except RecursionError:
        raise InvalidText("the JSON is nested too deeply; a list of squares or of rows is enough") from None
    except InvalidText:
        raise
    except ValueError:
        raise InvalidText("the JSON holds a number of thousands of digits; that is far too large") from None
    if not values:
        raise InvalidText("the text is empty; it should be JSON")
    if not required and len(values) > 1 and all(map(is_flat_numbers, values)):
        return None
    return values


def is_flat_numbers(value: object) -> bool:
    """Whether this is a list of numbers or nulls: a row, or a list of columns.

    Examples
    --------
    >>> is_flat_numbers([1, None]), is_flat_numbers([[1]]), is_flat_numbers([])
    (True, False, False)
    """
    return isinstance(value, list) and bool(value) and all(item is None or _is_int(item) for item in value)


def complain(where: str, value: object, expected: str) -> NoReturn:
    """Raise :class:`InvalidText` about a value at some place of a JSON text.

    Examples
    --------
    >>> complain("squares[3]", 1.5, "a name such as c3")
    Traceback (most recent call last):
    ...
    backrank.errors.InvalidText: squares[3]: expected a name such as c3, not 1.5
    """
    raise InvalidText(f"{where}: expected {expected}, not {_described(value)}")


def list_at(value: object, where: str, expected: str) -> list[object]:
    """Return the value if it is a list with something in it.

    Examples
    --------
    >>> list_at([1], "cells", "a list")
    [1]
    """
    if not isinstance(value, list):
        complain(where, value, expected)
    if not value:
        raise InvalidText(f"{where}: the list is empty; expected {expected}")
    return value


def number_at(value: object, where: str) -> int:
    """Return the value if it is a whole number of a sensible size.

    Examples
    --------
    >>> number_at(5, "queens")
    5
    """
    if not _is_int(value):
        complain(where, value, "a whole number")
    assert isinstance(value, int)  # noqa: S101  # for the type checker; _is_int has looked
    if abs(value) >= 10**MAX_DIGITS:
        raise InvalidText(f"{where}: the number is far too large")
    return value


def flag_at(value: object, where: str) -> bool | None:
    """Return true, false, or None for null.

    Examples
    --------
    >>> flag_at(True, "closed"), flag_at(None, "closed")
    (True, None)
    """
    if value is not None and not isinstance(value, bool):
        complain(where, value, "true or false")
    return value


def board_at(value: object) -> Board | None:
    """Return the board that a JSON object names: `"8x8"`, `[8, 8]` or an object as :func:`board_object` makes.

    Examples
    --------
    >>> board_at({"rows": 3, "cols": 4, "holes": ["a1"]})
    Board(3, 4, holes=['a1'])
    """
    if value is None:
        return None
    if isinstance(value, str):
        return Board.parse(value)
    if isinstance(value, list) and len(value) == 2:
        return Board(number_at(value[0], "board[0]"), number_at(value[1], "board[1]"))
    if not isinstance(value, dict) or "rows" not in value:
        complain("board", value, 'an object such as {"rows": 8, "cols": 8}, or "8x8"')
    rows = number_at(value["rows"], "board.rows")
    cols = number_at(value.get("cols", rows), "board.cols")
    wrap = value.get("wrap")
    if wrap is not None and not isinstance(wrap, str):
        complain("board.wrap", wrap, '"none", "cylinder" or "torus"')
    plain = Board(rows, cols, wrap=wrap or "none")
    listed = value.get("holes")
    if not listed and (listed is None or isinstance(listed, list)):
        return plain
    holes = cells_at(list_at(listed, "board.holes", "a list of names"), plain, "board.holes")
    return Board(rows, cols, holes=holes, wrap=plain.wrap)


def board_object(board: Board) -> dict[str, object]:
    """Return a board as it stands in our JSON.

    Examples
    --------
    >>> board_object(Board(3, 4, holes=["a1"]))
    {'rows': 3, 'cols': 4, 'holes': ['a1'], 'wrap': 'none'}
    """
    holes = [board.name(hole) for hole in sorted(board.holes)]
    return {"rows": board.rows, "cols": board.cols, "holes": holes, "wrap": board.wrap}


def marks_at(items: Sequence[object], board: Board | None, where: str) -> list[Mark]:
    """Return the squares of a list: names, pairs, or, if the board is known, square numbers.

    Examples
    --------
    >>> marks_at(["c3", [0, 1]], None, "squares")
    [Mark(row=3, col=2, is_name=True), Mark(row=0, col=1, is_name=False)]
    """
    return [_mark_at(item, board, f"{where}[{number}]") for number, item in enumerate(items)]


def cells_at(items: Sequence[object], board: Board, where: str) -> tuple[Cell, ...]:
    """Return the squares of a list as cells of a board, off which they may lie.

    Examples
    --------
    >>> cells_at(["a1", 0, [1, 5]], Board(3, 4), "squares")
    ((2, 0), (0, 0), (1, 5))
    """
    marks = marks_at(items, board, where)
    return tuple((board.rows - mark.row, mark.col) if mark.is_name else (mark.row, mark.col) for mark in marks)


def require_same(cells: Sequence[Cell], others: Sequence[Cell], names: tuple[str, str]) -> None:
    """Raise :class:`InvalidText` if two lists that should tell the same do not.

    Examples
    --------
    >>> require_same([(0, 0)], [(0, 0)], ("squares", "cells"))
    """
    if len(cells) != len(others):
        raise InvalidText(
            f"{names[0]} has {len(cells)} entries and {names[1]} {len(others)}; give one of them, or agree"
        )
    for number, (cell, other) in enumerate(zip(cells, others, strict=True)):
        if cell != other:
            raise InvalidText(f"{names[0]}[{number}] and {names[1]}[{number}] are different squares; give one of them")


def _mark_at(item: object, board: Board | None, where: str) -> Mark:
    if isinstance(item, str):
        return mark_of(item, where)
    if isinstance(item, list):
        if len(item) != 2:
            complain(where, item, "a pair [row, col]")
        return Mark(number_at(item[0], where), number_at(item[1], where), is_name=False)
    if not _is_int(item):
        complain(where, item, "a name such as c3 or a pair [row, col]")
    if board is None:
        raise InvalidText(f"{where}: a square number means nothing without a board; give the board, or write names")
    return Mark(*divmod(number_at(item, where), board.cols), is_name=False)


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Return the object with these keys and values; refuse a key that comes twice, since either value may be meant."""
    value = dict(pairs)
    if len(value) < len(pairs):
        twice = Counter(key for key, _ in pairs).most_common(1)[0][0]
        raise InvalidText(f"the JSON object has the key {shown(twice)} twice; give it once")
    return value


def _skip(text: str, position: int) -> int:
    match = _BLANKS.match(text, position)
    return match.end() if match else position


def _is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _described(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return shown(value)
    if isinstance(value, list):
        return f"a list of {len(value)}"
    if isinstance(value, dict):
        return "an object"
    return repr(value) if isinstance(value, float) else "a number"
