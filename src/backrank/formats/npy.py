"""Large tours and placements as NumPy files: numbered boards as two-dimensional arrays of whole numbers, and columns.

A file holds a board of rows x columns numbers, 1 on the first square of the tour, 2 on the second, and 0 on holes:
four bytes a square. So the file tells its board by its shape, `numpy.load` gives
something that can be indexed by row and column, and nothing has to be parsed. It does not tell glued edges, the piece,
or whether the tour is meant to be closed. Files of others are numbered from 0 as often; how those are told from a board
with one hole, :func:`_first` says.

A placement of one queen in each row is the list of their columns, from the top row. A file of several has one in each
row of the array, as :meth:`backrank.Queens.iter_arrays` yields them.

Reading maps the file into memory instead of loading it. Of NumPy's own reader only that of headers is used, and only
plain numbers are taken: nothing that is pickled is ever opened. Tried and dropped: the list of squares in the order of
the visits, which needs the board beside it, and of which a reader cannot tell 8x8 from 4x16.
"""

from __future__ import annotations

import io
import mmap
import tokenize
import warnings
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from backrank.errors import InvalidSquare, InvalidText, shown, visible
from backrank.geometry.board import Board

Numbers: TypeAlias = NDArray[np.integer[Any]]
Squares: TypeAlias = Sequence[int] | Numbers

NPY_MAGIC = b"\x93NUMPY"
MAX_NPY_SQUARES = 2_000_000_000
MAX_NPY_HOLES = 4_000_000
MAX_HEADER = 65_536
_CHUNK = 1 << 20
_SHOWN_SIDES = 4
_FIRST_STEPS = 5  # over a glued edge one or the other of them looks like no step
# What NumPy lets through of the parser of Python that it uses.
_BROKEN_HEADER = (ValueError, SyntaxError, TypeError, EOFError, RecursionError, MemoryError, tokenize.TokenError)
_WANTED = "a tour is stored as a board of whole numbers, rows x columns"
_COLUMNS = "a placement is stored as a list of whole numbers, the column of the queen of each row"


class ByteSink(Protocol):
    """What bytes can be written to."""

    def write(self, data: bytes | memoryview, /) -> object:
        """Take all of the bytes."""


class NumberedArray(NamedTuple):
    """What a NumPy file claims to be a tour; nothing is believed yet.

    Attributes
    ----------
    board : Board
        The board of the array's shape; squares with a 0 are its holes.
    grid : array of shape (rows, cols)
        The number that stands on each square, as stored; read-only.
    first : int
        The number of the first step, 1 or 0.
    """

    board: Board
    grid: Numbers
    first: int = 1

    def squares(self) -> Numbers:
        """Return the squares in the order of the visits, read-only.

        Whether each step is a move is not looked at. Takes one pass over the array, and its size in memory.

        Raises
        ------
        InvalidText
            If the numbers are not 1, 2, 3, … (or 0, 1, 2, …), each there once.
        """
        return _ordered(self.board, self.grid, self.first)


def numbered_array(board: Board, squares: Squares) -> Numbers:
    """Return the board with the number of its step on every square, the first being 1, and 0 on the other squares.

    Parameters
    ----------
    board : Board
    squares : sequence or array of int
        The squares in the order of the visits.

    Returns
    -------
    int32 array of shape (rows, cols)

    Raises
    ------
    BoardTooLarge
        On more than two thousand million squares.
    InvalidSquare
        If a square is off the board or a hole.

    Examples
    --------
    >>> numbered_array(Board(3, 4), [0, 6, 8, 1, 7, 9, 2, 4, 10, 3, 5, 11]).tolist()
    [[1, 4, 7, 10], [8, 11, 2, 5], [3, 6, 9, 12]]
    """
    board.require_at_most(MAX_NPY_SQUARES, "a NumPy file")
    grid: Numbers = np.zeros(board.size, np.int32)
    for begin in range(0, len(squares), _CHUNK):
        part = np.asarray(squares[begin : begin + _CHUNK])
        wrong = (part < 0) | (part >= board.size)
        if wrong.any():
            board.square(int(part[wrong][0]))
        grid[part] = np.arange(begin + 1, begin + 1 + len(part), dtype=np.int32)
    for hole in board.holes:
        if grid[hole]:
            board.square(hole)
    return grid.reshape(board.rows, board.cols)


def write_tour_npy(target: str | Path | ByteSink, board: Board, squares: Squares) -> None:
    """Write a tour as a NumPy file.

    Parameters
    ----------
    target : path, or a binary file
        A file that exists is replaced.
    board : Board
    squares : sequence or array of int
        The squares in the order of the visits.

    Raises
    ------
    BoardTooLarge, InvalidSquare
        As for :func:`numbered_array`.

    Examples
    --------
    >>> file = io.BytesIO()
    >>> write_tour_npy(file, Board(1, 3), [2, 0, 1])
    >>> read_tour_npy(file.getvalue()).grid.tolist()
    [[2, 3, 1]]
    """
    _write_array(target, numbered_array(board, squares))


def write_columns_npy(target: str | Path | ByteSink, columns: Numbers) -> None:
    """Write placements as a NumPy file: the columns of the queens of one of them, or several with one in each row.

    Parameters
    ----------
    target : path, or a binary file
        A file that exists is replaced.
    columns : array of int

    Examples
    --------
    >>> file = io.BytesIO()
    >>> write_columns_npy(file, np.array([1, 3, 0, 2]))
    >>> read_columns_npy(file.getvalue()).tolist()
    [[1, 3, 0, 2]]
    """
    _write_array(target, np.ascontiguousarray(columns))


def _write_array(target: str | Path | ByteSink, grid: Numbers) -> None:
    little = grid.astype(grid.dtype.newbyteorder("<"), copy=False)
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(header, np.lib.format.header_data_from_array_1_0(little))
    if isinstance(target, str | Path):
        with Path(target).open("wb") as file:
            _write_to(file, header.getvalue(), little)
    else:
        _write_to(target, header.getvalue(), little)


def _write_to(file: ByteSink, header: bytes, grid: Numbers) -> None:
    file.write(header)
    file.write(grid.reshape(-1).view(np.uint8).data)


def read_tour_npy(source: str | Path | bytes, *, board: Board | None = None) -> NumberedArray:
    """Read the tour that a NumPy file claims.

    Parameters
    ----------
    source : path or bytes
        The file, which is mapped into memory rather than loaded, or what it holds.
    board : Board, optional
        The board; taken from the array if not given, with a hole wherever a 0 stands, unless that is the first step.

    Raises
    ------
    InvalidText
        If it is no NumPy file, holds something else than rows of whole numbers, or less than it says; or if the
        board given has another shape. The message says what is there.
    OSError
        If the file cannot be opened.

    Examples
    --------
    >>> file = io.BytesIO()
    >>> write_tour_npy(file, Board(1, 3), [2, 0, 1])
    >>> claim = read_tour_npy(file.getvalue())
    >>> claim.board, claim.squares().tolist()
    (Board(1, 3), [2, 0, 1])
    """
    grid = read_array(source)
    if grid.ndim != 2:
        raise InvalidText(f"the NumPy file holds an array of shape {_shape(grid.shape)}; {_WANTED}")
    rows, cols = grid.shape
    first = _first(grid, board)
    if board is None:
        board = _board_of(grid) if first else Board(rows, cols)
    elif (board.rows, board.cols) != (rows, cols):
        raise InvalidText(f"the NumPy file holds {rows}x{cols} numbers, but the board was given as {board}")
    return NumberedArray(board, grid, first)


def read_columns_npy(source: str | Path | bytes) -> Numbers:
    """Return the columns that a NumPy file holds, as an array with a placement in each row, read-only.

    Raises
    ------
    InvalidText, OSError
        As for :func:`read_tour_npy`.
    """
    columns = read_array(source, _COLUMNS)
    if columns.ndim > 2:
        raise InvalidText(f"the NumPy file holds an array of shape {_shape(columns.shape)}; {_COLUMNS}")
    return columns.reshape(1, -1) if columns.ndim < 2 else columns


def read_array(source: str | Path | bytes, wanted: str = _WANTED) -> Numbers:
    """Return the array of whole numbers that a NumPy file holds, of whatever shape, read-only.

    `wanted` is what messages say should be there.

    Raises
    ------
    InvalidText, OSError
        As for :func:`read_tour_npy`.

    Examples
    --------
    >>> read_array(b"1 2 3")
    Traceback (most recent call last):
        ...
    backrank.errors.InvalidText: this is no NumPy file: it does not begin as one
    """
    data = source if isinstance(source, bytes) else _mapped(Path(source))
    shape, fortran, kind, begin = _header(data, wanted)
    if kind.kind not in "iu":
        raise InvalidText(f"the NumPy file holds {visible(str(kind))}, not whole numbers; {wanted}")
    count = 1
    for side in shape:
        count *= side
    if count > MAX_NPY_SQUARES:
        raise InvalidText(
            f"the NumPy file says it holds {_many(count)} numbers; at most {MAX_NPY_SQUARES:,} can be read"
        )
    if count < 1:
        raise InvalidText(f"the NumPy file holds no number: its shape is {_shape(shape)}; {wanted}")
    there = (len(data) - begin) // kind.itemsize
    if there < count:
        raise InvalidText(f"the NumPy file is cut short: it says it holds {count:,} numbers, and has {there:,}")
    if more := len(data) - begin - count * kind.itemsize:
        raise InvalidText(f"the NumPy file goes on after its array, by {more:,} bytes; save one array only")
    array: Numbers = np.frombuffer(data, kind, count, begin).reshape(shape, order="F" if fortran else "C")
    array.flags.writeable = False
    return array


def _mapped(path: Path) -> bytes | mmap.mmap:
    """Return what a file holds, mapped into memory where that can be done (it cannot of a pipe, or if it is empty)."""
    with path.open("rb") as file:
        try:
            return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except (OSError, ValueError):
            return file.read(MAX_NPY_SQUARES * 8 + MAX_HEADER)


def _header(data: bytes | mmap.mmap, wanted: str) -> tuple[tuple[int, ...], bool, np.dtype[np.generic], int]:
    """Return the shape, whether columns come first, the kind of number, and where the numbers begin."""
    if data[: len(NPY_MAGIC)] != NPY_MAGIC:
        raise InvalidText("this is no NumPy file: it does not begin as one")
    file = io.BytesIO(data[:MAX_HEADER])
    try:
        with warnings.catch_warnings(action="ignore"):  # about files that Python 2 wrote, which are read all the same
            shape, fortran, kind = _parsed_header(file)
    except InvalidText:
        raise
    except _BROKEN_HEADER:
        raise InvalidText(f"the header of the NumPy file cannot be read; {wanted}") from None
    if any(side < 0 for side in shape):
        raise InvalidText(f"the NumPy file says that its shape is {_shape(shape)}; {wanted}")
    return shape, fortran, kind, file.tell()


def _parsed_header(file: io.BytesIO) -> tuple[tuple[int, ...], bool, np.dtype[np.generic]]:
    form = np.lib.format
    version = form.read_magic(file)
    if version == (1, 0):
        return form.read_array_header_1_0(file)
    if version == (2, 0):
        return form.read_array_header_2_0(file)
    raise InvalidText(f"the NumPy file is of version {version[0]}.{version[1]}; 1.0 and 2.0 can be read")


def _board_of(grid: Numbers) -> Board:
    """Return the board of an array: a square with a 0 is a hole."""
    rows, cols = grid.shape
    number = grid.size - np.count_nonzero(grid)
    if number == grid.size:
        raise InvalidText("the array holds only 0, which stands for a hole; number the squares of the tour from 1")
    if number > MAX_NPY_HOLES:
        raise InvalidText(
            f"the array has a 0, which is a hole, on {number:,} squares; at most {MAX_NPY_HOLES:,} can be"
        )
    holes = np.flatnonzero(grid == 0).tolist() if number else ()
    return Board(rows, cols, holes=holes)


def _first(grid: Numbers, board: Board | None) -> int:
    """Return the number of the first step: 0 if there is one 0, other numbers up to the last, and no hole, else 1.

    If no board is given, that one 0 may be a hole as well. It is a step if the piece, whatever it may be, goes from it
    to the 1. So a hole that happens to lie one move from the start is taken for a step, unless the board is given.
    """
    if (board and board.holes) or grid.size - np.count_nonzero(grid) != 1 or grid.min() < 0:
        return 1
    if grid.max() != grid.size - 1:
        return 1
    return 0 if board or grid.size == 1 or _goes_on(grid) else 1


def _goes_on(grid: Numbers) -> bool:
    """Whether 0 leads to 1 as one of the next numbers leads to the one after it, by a step of the same leaper."""
    spots = [np.argwhere(grid == number)[:1] for number in range(min(grid.size, _FIRST_STEPS))]
    if not all(map(len, spots)):
        return False
    by = [sorted(np.abs(after - before)[0].tolist()) for before, after in pairwise(spots)]
    return by[0] in by[1:]


def _ordered(board: Board, grid: Numbers, first: int) -> Numbers:
    """Turn the numbers of the squares into the squares of the numbers; 0 on holes is passed over."""
    wanted = len(board)
    last = wanted - 1 + first
    order: Numbers = np.full(wanted, -1, np.int32)
    rows = max(1, _CHUNK // board.cols)
    for top in range(0, board.rows, rows):
        part = grid[top : top + rows].reshape(-1)
        on = np.flatnonzero(part) if first else np.arange(len(part))
        numbers = part[on]
        wrong = (numbers < first) | (numbers > last)
        if wrong.any():
            raise InvalidText(f"the array holds {numbers[wrong][0]}, but its numbers must be {first} to {last}")
        order[numbers.astype(np.int64) - first] = on + top * board.cols
    unset = order == -1
    if unset.any():
        missing = int(np.argmax(unset)) + first
        raise InvalidText(f"the array does not hold {missing}; its numbers must be {first} to {last}, each once")
    _require_no_holes(board, grid)
    order.flags.writeable = False
    return order


def _require_no_holes(board: Board, grid: Numbers) -> None:
    """Refuse a number on a hole of a board that was given."""
    for hole in board.holes:
        if grid[board.cell(hole)]:
            raise InvalidSquare(f"the array holds {grid[board.cell(hole)]} on {board.name(hole)}, a hole of the board")


def _shape(shape: Sequence[int]) -> str:
    return "x".join(map(shown, shape[:_SHOWN_SIDES])) + "x…" * (len(shape) > _SHOWN_SIDES) or "a single number"


def _many(number: int) -> str:
    """Return a number with commas, or words if it has too many digits to be printed."""
    return f"{number:,}" if number < 10**18 else shown(number, most=40)
