"""Reader of the published counts in `tests/data/*.counts`.

A line is `kind  size  value  source`; the source is free text, and lines that start with `#` are comments. A size is
`8` (a square board), `6,3` (a square board and a number of queens), `3x10` (rows × columns), or `5x5@0,2` (a
board and the cell from which tours start).
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

DATA = Path(__file__).parent / "data"

_SIZE = re.compile(r"(?P<rows>\d+)(?:x(?P<cols>\d+)(?:@(?P<row>\d+),(?P<col>\d+))?|,(?P<queens>\d+))?", re.ASCII)
_KIND = re.compile(r"[a-z]+(\.[a-z0-9-]+)+")
_VALUE = re.compile(r"0|[1-9][0-9]*")


class Size(NamedTuple):
    """What a count is about: a board, and perhaps a number of queens or a cell to start from."""

    rows: int
    cols: int
    queens: int | None = None
    start: tuple[int, int] | None = None


class Count(NamedTuple):
    """One published value."""

    kind: str
    size_text: str
    value: int
    source: str

    @property
    def size(self) -> Size:
        """The size, read."""
        return parse_size(self.size_text)


def parse_size(text: str) -> Size:
    """Read `8`, `6,3`, `3x10` or `5x5@0,2`."""
    match = _SIZE.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is not a size; sizes are 8, 6,3, 3x10 or 5x5@0,2")
    rows, cols, row, col, queens = (None if part is None else int(part) for part in match.group(*_PARTS))
    assert rows is not None
    start = None if row is None or col is None else (row, col)
    return Size(rows, rows if cols is None else cols, queens, start)


_PARTS = ("rows", "cols", "row", "col", "queens")


def parse_count(line: str) -> Count:
    """Read one line that is no comment."""
    try:
        kind, size, value, source = line.split(maxsplit=3)
    except ValueError:
        raise ValueError(f"{line!r} has not the four parts kind, size, value, source") from None
    if not _KIND.fullmatch(kind):
        raise ValueError(f"{kind!r} is not the kind of a count")
    if not _VALUE.fullmatch(value):
        raise ValueError(f"{value!r} is not a whole number")
    parse_size(size)
    return Count(kind, size, int(value), source.strip())


@cache
def read_counts(name: str) -> tuple[Count, ...]:
    """Read all counts of a file of the data folder, in its order."""
    lines = (DATA / name).read_text(encoding="utf-8").splitlines()
    return tuple(parse_count(line) for line in lines if line.strip() and not line.startswith("#"))


@cache
def all_counts() -> tuple[Count, ...]:
    """All counts of all files."""
    return tuple(count for path in sorted(DATA.glob("*.counts")) for count in read_counts(path.name))


def counts(kind: str) -> tuple[Count, ...]:
    """All counts of one kind, such as `queens.all`; there is at least one."""
    found = tuple(count for count in all_counts() if count.kind == kind)
    if not found:
        raise KeyError(kind)
    return found


def values(kind: str) -> dict[str, int]:
    """The values of one kind by the text of their size."""
    return {count.size_text: count.value for count in counts(kind)}


def published(kind: str, size_text: str) -> int:
    """The one published value."""
    return values(kind)[size_text]
