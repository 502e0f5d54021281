"""The published counts, as they come with the package: read to be compared with, never instead of counting.

A line is `kind  size  value  source`; lines that begin with `#` are comments. A size is `8` (a square board), `6,3` (a
square board and a number of queens), `3x10` (rows x columns) or `5x5@0,2` (a board and where tours start).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from backrank.errors import InvalidText, shown

FOLDER = Path(__file__).with_name("data")
_SIZE = re.compile(r"(\d+)(?:,(\d+)|x(\d+)(?:@(\d+),(\d+))?)?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Published:
    """A published value.

    Attributes
    ----------
    kind : str
        Such as `queens.all`.
    size : str
        As it is written.
    value : int
    source : str
        The number of the sequence, or who says so.
    """

    kind: str
    size: str
    value: int
    source: str

    def _parts(self) -> tuple[str | None, ...]:
        match = _SIZE.fullmatch(self.size)
        if match is None:
            raise InvalidText(
                f"{shown(self.size)} is not a size of a published count; sizes are 8, 6,3, 3x10 or 5x5@0,2"
            )
        return match.groups()

    @property
    def rows(self) -> int:
        """The number of rows."""
        return int(self._parts()[0] or 0)

    @property
    def cols(self) -> int:
        """The number of columns."""
        return int(self._parts()[2] or self.rows)

    @property
    def queens(self) -> int | None:
        """The number of queens, if it is not that of the rows."""
        told = self._parts()[1]
        return None if told is None else int(told)

    @property
    def start(self) -> tuple[int, int] | None:
        """The cell where tours start, if one is given."""
        row, col = self._parts()[3:]
        return None if row is None or col is None else (int(row), int(col))


def read_published(folder: Path = FOLDER) -> list[Published]:
    """Return all published values, in the order of the files.

    Raises
    ------
    InvalidText
        If a line is not one.

    Examples
    --------
    >>> eight = next(each for each in read_published() if (each.kind, each.size) == ("queens.all", "8"))
    >>> eight.value, eight.source, eight.cols
    (92, 'A000170', 8)
    """
    found = []
    for path in sorted(folder.glob("*.counts")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if line.strip() and not line.startswith("#"):
                found.append(_read(line, f"{path.name}, line {number}"))
    return found


def _read(line: str, where: str) -> Published:
    words = line.split(maxsplit=3)
    if len(words) < 4 or not words[2].isdecimal() or not _SIZE.fullmatch(words[1]):
        raise InvalidText(f"{where}: {shown(line)} is not a kind, a size, a value and a source")
    return Published(words[0], words[1], int(words[2]), words[3].strip())


def published_values(kind: str) -> dict[str, int]:
    """Return the values of a kind by their sizes; none for a kind that nobody has published."""
    return {each.size: each.value for each in read_published() if each.kind == kind}
