"""The board: rows × cols squares, some of them holes, its edges perhaps glued together.

A *square* is an int, numbered row by row from 0 at the top left. A *cell* is `(row, col)`, 0-based,
row 0 on top. A *name* is `"c3"`: files a…z, aa, ab, … from the left, rank 1 at the bottom.
Any of the three is accepted wherever a square is asked for.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, SupportsIndex, TypeAlias, cast, get_args

from backrank.errors import (
    BackrankError,
    BoardTooLarge,
    InvalidBoard,
    InvalidPuzzle,
    InvalidSquare,
    UnknownName,
    shown,
    visible,
)

Cell: TypeAlias = tuple[int, int]
SquareLike: TypeAlias = int | str | Cell
Wrap = Literal["none", "cylinder", "torus"]

WRAPS: tuple[str, ...] = get_args(Wrap)
MAX_SIDE = 2**31 - 1
_LONGEST, _MUCH = 40, 1000
# Chinese and Japanese keyboards write letters, digits, commas and brackets in full width.
_NARROW = {wide: wide - 0xFEE0 for wide in range(0xFF01, 0xFF5F)}
SQUARE_MARKS = ".oO□·"
HOLE_MARKS = "#xX■"

_SIZE = re.compile(r"\s*(\d+)\s*(?:[x×X*]\s*(\d+)\s*)?")
_WHOLE = re.compile(r"-?\d+")
_NAME = re.compile(r"([a-z]+)([0-9]+)")
_CELL = re.compile(r"(\()?\s*(-?\d+)\s*,\s*(-?\d+)\s*(?(1)\))")


@dataclass(frozen=True, init=False, slots=True)
class Board:
    """A board of `rows` × `cols` squares; immutable and hashable.

    Parameters
    ----------
    rows : int
        Number of rows, at least 1.
    cols : int, optional
        Number of columns; the same as `rows` if not given.
    holes : iterable of squares
        Squares that do not exist: nothing stands there, no tour visits them. Names, cells or ints.
    wrap : {"none", "cylinder", "torus"}
        Which edges are glued: on a cylinder the left edge to the right one (columns wrap round),
        on a torus the top edge to the bottom one too.

    Raises
    ------
    InvalidBoard
        If a side is not a positive whole number, or every square is a hole.
    InvalidSquare
        If a hole is off the board.

    Examples
    --------
    >>> board = Board(3, 4, holes=["a1"])
    >>> board.square("c3"), board.cell(2), board.name(2)
    (2, (0, 2), 'c3')
    >>> len(board), 8 in board
    (11, False)
    """

    rows: int
    cols: int
    holes: frozenset[int]
    wrap: Wrap

    def __init__(
        self,
        rows: SupportsIndex,
        cols: SupportsIndex | None = None,
        *,
        holes: Iterable[SquareLike] = (),
        wrap: str = "none",
    ) -> None:
        set_field = object.__setattr__
        set_field(self, "rows", _side(rows, "rows"))
        set_field(self, "cols", self.rows if cols is None else _side(cols, "columns"))
        if wrap not in WRAPS:
            raise UnknownName("wrap", wrap, WRAPS)
        set_field(self, "wrap", cast("Wrap", wrap))
        set_field(self, "holes", frozenset())
        try:
            set_field(
                self, "holes", frozenset(self._on_grid(hole) for hole in square_list(holes, "holes", InvalidBoard))
            )
        except InvalidSquare as error:
            raise InvalidSquare(f"holes: {error}") from None
        if len(self.holes) == self.size:
            raise InvalidBoard(f"every square of the {self.rows}x{self.cols} board is a hole; leave at least one")

    @classmethod
    def of(
        cls,
        rows: SupportsIndex | str | Board,
        cols: SupportsIndex | None = None,
        *,
        holes: Iterable[SquareLike] = (),
        wrap: str = "none",
    ) -> Board:
        """Return a board from what puzzles take as their first argument: a number of rows, `"8x8"`, or a board.

        Examples
        --------
        >>> Board.of(3, 4) == Board.of("3x4") == Board.of(Board(3, 4))
        True
        """
        if isinstance(rows, (str, Board)) and cols is not None:
            raise InvalidBoard(f"give the columns inside {shown(str(rows))}, not beside it")
        if isinstance(rows, str):
            return cls.parse(rows, holes=holes, wrap=wrap)
        if isinstance(rows, Board):
            if square_list(holes, "holes", InvalidBoard) or wrap != "none":
                raise InvalidBoard("give holes and wrap when making the Board, not beside it")
            return rows
        return cls(rows, cols, holes=holes, wrap=wrap)

    @classmethod
    def parse(cls, text: str, *, holes: Iterable[SquareLike] = (), wrap: str = "none") -> Board:
        """Read a board's size as people write it: `8x8`, `3x10` (rows × columns), or `8` for 8x8.

        Examples
        --------
        >>> Board.parse("3x10")
        Board(3, 10)
        """
        match = _SIZE.fullmatch(text)
        if match is None:
            raise InvalidBoard(f"board {shown(text)} is not a size; write rows x columns, such as 8x8 or 3x10, or 8")
        rows, cols = (None if side is None else _digits(side, InvalidBoard) for side in match.groups())
        if rows == 0 or cols == 0:
            raise InvalidBoard(f"board {shown(text)} has no squares; both sides must be at least 1, such as 8x8")
        return cls(cast("int", rows), cols, holes=holes, wrap=wrap)

    @classmethod
    def from_map(cls, text: str, *, wrap: str = "none") -> Board:
        r"""Read a board drawn as text: `.` is a square, `#` a hole, one line per row.

        Blanks inside a line are ignored, and so are empty lines at both ends.

        Examples
        --------
        >>> Board.from_map("..#\n...").holes
        frozenset({2})
        """
        lines = ["".join(line.split()) for line in text.strip("\r\n \t").splitlines()]
        if not lines or not lines[0]:
            raise InvalidBoard("the board map is empty; draw one line per row, '.' for a square and '#' for a hole")
        holes: list[Cell] = []
        for row, line in enumerate(lines):
            if len(line) != len(lines[0]):
                raise InvalidBoard(
                    f"line {row + 1} of the board map has {len(line)} squares, the first has {len(lines[0])}; "
                    "all rows must be equally long"
                )
            for col, mark in enumerate(line):
                if mark in HOLE_MARKS:
                    holes.append((row, col))
                elif mark not in SQUARE_MARKS:
                    raise InvalidBoard(
                        f"line {row + 1} of the board map has {shown(mark)}; use '.' for a square and '#' for a hole"
                    )
        return cls(len(lines), len(lines[0]), holes=holes, wrap=wrap)

    def to_map(self) -> str:
        """Return the board as text, as :meth:`from_map` reads it.

        Examples
        --------
        >>> print(Board(2, 3, holes=["c2"]).to_map())
        ..#
        ...
        """
        rows = (range(row * self.cols, (row + 1) * self.cols) for row in range(self.rows))
        return "\n".join("".join("#" if square in self.holes else "." for square in row) for row in rows)

    @property
    def size(self) -> int:
        """Number of squares of the full rectangle, holes included: square numbers are below this."""
        return self.rows * self.cols

    @property
    def is_plain(self) -> bool:
        """Whether there are neither holes nor glued edges."""
        return not self.holes and self.wrap == "none"

    def __len__(self) -> int:
        """Return the number of squares that are not holes."""
        return self.size - len(self.holes)

    def __iter__(self) -> Iterator[int]:
        """Yield the squares that are not holes, row by row."""
        if not self.holes:
            return iter(range(self.size))
        return (square for square in range(self.size) if square not in self.holes)

    def __contains__(self, square: object) -> bool:
        """Whether this is a square of the board and no hole; takes squares, cells and names."""
        try:
            return self._on_grid(cast("SquareLike", square)) not in self.holes
        except InvalidSquare:
            return False

    def square(self, where: SquareLike) -> int:
        """Return the square for a square number, a cell or a name.

        Raises
        ------
        InvalidSquare
            If it cannot be read, lies off the board, or is a hole.
        """
        square = self._on_grid(where)
        if square in self.holes:
            raise InvalidSquare(f"{self.name(square)} is a hole of the {self.rows}x{self.cols} board; choose a square")
        return square

    def cell(self, square: SquareLike) -> Cell:
        """Return `(row, col)` of a square, both from 0, row 0 on top; holes have a cell as well."""
        if type(square) is not int or not 0 <= square < self.rows * self.cols:
            square = self._on_grid(square)
        return divmod(square, self.cols)

    def name(self, square: SquareLike) -> str:
        """Return the name of a square: files from the left, rank 1 at the bottom."""
        row, col = self.cell(square)
        return f"{file_name(col)}{self.rows - row}"

    def colour(self, square: int) -> int:
        """Return 0 for squares of the colour of the top left corner, 1 for the other colour.

        Glued edges of odd length join squares of one colour: there the colour is only a label.
        """
        row, col = divmod(square, self.cols)
        return (row + col) & 1

    def require_at_most(self, squares: int, what: str) -> None:
        """Raise :class:`BoardTooLarge` if there are more than so many squares."""
        if self.size > squares:
            raise BoardTooLarge(
                f"a {self.rows}x{self.cols} board has {self.size:,} squares; {what} takes at most {squares:,}"
            )

    def _on_grid(self, where: SquareLike) -> int:
        written = where
        if isinstance(where, str):
            where = parse_square(where, self.rows)
        if isinstance(where, (tuple, list)):
            row, col = self._checked_cell(where, written)
            return row * self.cols + col
        try:
            square = operator.index(where)
        except TypeError:
            raise InvalidSquare(
                f"{shown(where)} is not a square; give a number, (row, col), or a name like 'c3'"
            ) from None
        if isinstance(where, bool) or not 0 <= square < self.size:
            raise InvalidSquare(
                f"square {shown(square)} is not on the {self.rows}x{self.cols} board; squares are 0 to {self.size - 1}"
            )
        return square

    def _checked_cell(self, where: Iterable[object], written: object) -> Cell:
        try:
            row, col = (operator.index(cast("SupportsIndex", part)) for part in where)
        except (TypeError, ValueError):
            raise InvalidSquare(f"{shown(where)} is not a cell; give (row, col), two whole numbers from 0") from None
        if not (0 <= row < self.rows and 0 <= col < self.cols):
            corner = f"{file_name(self.cols - 1)}{self.rows}"
            name = visible(written, _LONGEST) if isinstance(written, str) else f"({shown(row)}, {shown(col)})"
            raise InvalidSquare(
                f"{name} is not on the {self.rows}x{self.cols} board; "
                f"squares are a1 to {corner}, or 0,0 to {self.rows - 1},{self.cols - 1} as row,col"
            )
        return row, col

    def __repr__(self) -> str:
        parts = [f"{self.rows}, {self.cols}"]
        if self.holes:
            parts.append(f"holes={[self.name(hole) for hole in sorted(self.holes)]}")
        if self.wrap != "none":
            parts.append(f"wrap={self.wrap!r}")
        return f"Board({', '.join(parts)})"

    def __str__(self) -> str:
        wrap = "" if self.wrap == "none" else f" {self.wrap}"
        holes = len(self.holes)
        return f"{self.rows}x{self.cols}{wrap}" + (f" with {holes} hole{'s'[: holes > 1]}" if holes else "")


def file_name(col: int) -> str:
    """Return the letters of a column: a, b, …, z, aa, ab and so on.

    Examples
    --------
    >>> file_name(0), file_name(25), file_name(26), file_name(701), file_name(702)
    ('a', 'z', 'aa', 'zz', 'aaa')
    """
    letters = ""
    col += 1
    while col:
        col, digit = divmod(col - 1, 26)
        letters = chr(ord("a") + digit) + letters
    return letters


def parse_square(text: str, rows: int) -> Cell:
    """Read `c3` or `row,col` into a cell, which may lie off the board.

    Parameters
    ----------
    text : str
        A name (`c3`, `aa12`) or a cell (`2,3`, `(2, 3)`, 0-based).
    rows : int
        Number of rows of the board: rank 1 is its last row.

    Examples
    --------
    >>> parse_square("c3", rows=8), parse_square("(2, 3)", rows=8)
    ((5, 2), (2, 3))
    """
    written = text
    text = text.strip().translate(_NARROW).lower() if len(text) < _MUCH else ""
    if match := _NAME.fullmatch(text):
        col = 0
        for letter in match[1]:
            col = col * 26 + ord(letter) - ord("a") + 1
        return rows - _digits(match[2], InvalidSquare), col - 1
    if match := _CELL.fullmatch(text):
        return _digits(match[2], InvalidSquare), _digits(match[3], InvalidSquare)
    raise InvalidSquare(f"{shown(written)} is not a square; write a name like c3, or row,col from 0 like 5,2")


def parse_square_list(text: str) -> list[str]:
    """Split a list of squares, names or cells in any mixture, into its items.

    Examples
    --------
    >>> parse_square_list("c3,d4 (0,1) 2,3")
    ['c3', 'd4', '(0,1)', '2,3']
    """
    items: list[str] = []
    text = re.sub(r"(?<!\s)\s*,\s*", ",", text.translate(_NARROW))
    for word in re.findall(r"\([^()]*\)|[^\s;()]+", text):
        parts = [part for part in word.strip("(),").split(",") if part]
        if _CELL.fullmatch(word):
            items.append(word)
        elif len(parts) % 2 == 0 and all(_WHOLE.fullmatch(part) for part in parts):
            items += [f"{row},{col}" for row, col in zip(parts[::2], parts[1::2], strict=True)]
        else:
            items += parts
    return items


def square_list(given: object, noun: str, error: type[BackrankError] = InvalidPuzzle) -> list[SquareLike]:
    """Return a list of squares from a text, any iterable of squares, or a NumPy array of squares or cells.

    The squares themselves are not looked at: :meth:`Board.square` reads each of them.

    Parameters
    ----------
    given : str or iterable of squares
        In any notation: `"a1 b3"`, `"0,0 1,2"`, `["a1", (0, 1), 5]`.
    noun : str
        What errors call it, such as the name of the option.
    error : type
        What is raised if it is anything else.

    Examples
    --------
    >>> square_list("a1,b3", "placed"), square_list([(0, 1), 5], "placed")
    (['a1', 'b3'], [(0, 1), 5])
    >>> square_list(5, "placed")
    Traceback (most recent call last):
    backrank.errors.InvalidPuzzle: placed must be a list of squares, such as ['a1', (0, 1)] or 'a1 b3', not 5
    """
    if isinstance(given, str):
        items = parse_square_list(given)
        if items or not given.strip(" ,;"):
            return [*items]
    elif isinstance(given, Iterable) and not isinstance(given, (bytes, bytearray)):
        as_list = getattr(given, "tolist", None)  # of a NumPy array, whose rows would be arrays too
        return list(given) if as_list is None else list(as_list())
    raise error(f"{noun} must be a list of squares, such as ['a1', (0, 1)] or 'a1 b3', not {shown(given)}")


def _digits(text: str, error: type[BackrankError]) -> int:
    digits = text.lstrip("0")
    if len(digits) > 18:
        raise error(f"{shown(digits)} is a number of {len(digits)} digits; no board is that large")
    return int(digits or "0")


def _side(value: SupportsIndex, noun: str) -> int:
    try:
        side = operator.index(value)
    except TypeError:
        side = None
    if side is None or isinstance(value, bool):
        raise InvalidBoard(f"the number of {noun} must be a whole number, not {shown(value)}")
    if side < 1:
        raise InvalidBoard(f"the number of {noun} must be at least 1, not {shown(side)}")
    if side > MAX_SIDE:
        raise BoardTooLarge(f"the number of {noun} must be at most {MAX_SIDE:,}, not {shown(side)}")
    return side
