"""CSV with a header: one square per line, as `step,row,col,name` or some of these.

Commas, semicolons and tabs all separate. Lines are put in the order of their steps. Another tour begins where a
column `tour` (or `placement`) changes, where a step is that of the first line again, or with the header once more.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from backrank.errors import InvalidText, shown
from backrank.formats.grids import numbers_of
from backrank.formats.reading import TextLine, fail
from backrank.formats.squares import Mark, mark_of

_SYNONYMS = {"column": "col", "number": "step", "move": "step", "square": "name", "placement": "tour"}
_HINT = "write steps, rows and columns as whole numbers"


class Entry(NamedTuple):
    """One line of a table: its step, and the square by name, by coordinates, or by both."""

    line: int
    step: int | None
    name: Mark | None
    pair: Mark | None


def has_header(lines: Sequence[TextLine]) -> bool:
    """Whether the first line names the columns of a table of squares.

    Examples
    --------
    >>> has_header([TextLine(1, "step,row,col,name")]), has_header([TextLine(1, "a1,b3")])
    (True, False)
    """
    first = next((line.text for line in lines if line.text), "")
    return _header(first) is not None


def read_tables(lines: Sequence[TextLine]) -> list[list[Entry]]:
    """Read the tables of a text; the first line must be a header.

    Examples
    --------
    >>> table = read_tables([TextLine(1, "step,name"), TextLine(2, "2,b3"), TextLine(3, "1,a1")])[0]
    >>> [entry.name.row for entry in table if entry.name]
    [1, 3]
    """
    tables: list[list[Entry]] = []
    header: dict[str, int] = {}
    group = ""
    for line in lines:
        if not line.text:
            continue
        another = None if header and line.text[0].isdigit() else _header(line.text)
        if another:
            header = another
            tables.append([])
            continue
        fields = _split(line.text)
        entry = _entry(line, header, fields)
        group, before = fields[header["tour"]] if "tour" in header else "", group
        if tables[-1] and (group != before or (entry.step is not None and entry.step == tables[-1][0].step)):
            tables.append([])
        tables[-1].append(entry)
    for table in tables:
        if not table:
            raise InvalidText("the table has a header but no squares below it")
        table.sort(key=lambda entry: entry.step or 0)
    return tables


def _entry(line: TextLine, header: dict[str, int], fields: list[str]) -> Entry:
    if len(header) != len(fields):
        fail(line.number, f"{shown(line.text)} does not have the {len(header)} fields that the header names")
    numeric = [header[key] for key in ("step", "row", "col") if key in header]
    numbers = dict(zip(numeric, numbers_of([fields[at] for at in numeric], line.number, _HINT), strict=True))
    name = mark_of(fields[header["name"]], f"line {line.number}") if "name" in header else None
    pair = None
    if "row" in header and "col" in header:
        pair = Mark(numbers[header["row"]], numbers[header["col"]], is_name=False)
    return Entry(line.number, numbers[header["step"]] if "step" in header else None, name, pair)


def _split(text: str) -> list[str]:
    text = text.replace(";", ",").replace("\t", ",").replace('"', "").replace("'", "")
    return [word.strip() for word in text.split(",")]


def _header(text: str) -> dict[str, int] | None:
    """Return where each column stands, or None if the line is no header."""
    words = [_SYNONYMS.get(word.lower(), word.lower()) for word in _split(text)]
    if "name" not in words and not ("row" in words and "col" in words):
        return None
    if len(set(words)) != len(words):
        return None
    return {word: at for at, word in enumerate(words)}
