"""Which placements are the least of their symmetry class, and placements as text: millions a second.

A placement is a row of columns, one a row of the board. Its images under turning and mirroring are such rows as well:
mirrored, c -> cols - 1 - c; upside down, the row read backwards; in the diagonal, the inverse permutation. An image is
read off without being written down, and mostly its first column tells already.

Bounds: columns are bytes, so there are at most 256; numbers of lines are below 2^63, 19 digits.
"""

from __future__ import annotations

import numpy as np

from backrank.runtime._jit import jit, jit_inside
from backrank.runtime.status import Bytes, Int, Int64s

_TEN = np.int64(10)
DIGITS = 20


@jit
def keep_least(columns: Bytes, cols: Int, maps: Bytes, inverse: Bytes) -> Int:
    """Move the placements that are the least of their class to the front, in order, and return how many.

    Parameters
    ----------
    columns : (k, rows) uint8
        Changed in place.
    cols : int
        Columns of the board; as many as rows if any map transposes.
    maps : (m, 3) uint8
        Symmetries: whether each transposes, and then counts rows from the bottom, columns from the right.
    inverse : (cols,) uint8
        Room to work in.
    """
    kept = np.int64(0)
    for i in range(columns.shape[0]):
        placement = columns[i]
        if _is_least(placement, cols, maps, inverse):
            if kept < i:
                columns[kept] = placement
            kept += 1
    return kept


@jit_inside
def _is_least(placement: Bytes, cols: Int, maps: Bytes, inverse: Bytes) -> bool:
    inverted = False
    for i in range(maps.shape[0]):
        if maps[i, 0] and not inverted:
            for row in range(placement.size):
                inverse[placement[row]] = row
            inverted = True
        if _is_image_less(placement, inverse if maps[i, 0] else placement, cols, maps[i, 1], maps[i, 2]):
            return False
    return True


@jit_inside
def _is_image_less(placement: Bytes, source: Bytes, cols: Int, upside_down: Int, mirrored: Int) -> bool:
    """Whether an image of a placement comes before it."""
    rows = placement.size
    for row in range(rows):
        column = np.int64(source[rows - 1 - row if upside_down else row])
        if mirrored:
            column = cols - 1 - column
        own = np.int64(placement[row])
        if column != own:
            return bool(column < own)
    return False


@jit
def write_columns(columns: Bytes, out: Bytes) -> Int:
    """Write a line for each placement, its columns with spaces between; return the number of bytes.

    `out` has room for four bytes a column.
    """
    at: Int = np.int64(0)
    for i in range(columns.shape[0]):
        for row in range(columns.shape[1]):
            at = _write_number(np.int64(columns[i, row]), out, at)
            out[at] = 32
            at += 1
        out[at - 1] = 10
    return at


@jit
def write_table(columns: Bytes, number: Int, endings: Bytes, sizes: Int64s, out: Bytes) -> Int:
    """Write a line for each queen: the number of its placement, and what is always said of the square.

    Parameters
    ----------
    columns : (k, rows) uint8
    number : int
        That of the first placement.
    endings : (squares, longest) uint8
        The rest of the line for a queen on each square, with its end.
    sizes : (squares,) int64
        Their lengths.
    out : uint8
        Room for 20 bytes and the longest ending for each queen.
    """
    at: Int = np.int64(0)
    cols = endings.shape[0] // columns.shape[1]
    for i in range(columns.shape[0]):
        for row in range(columns.shape[1]):
            at = _write_number(np.int64(number) + i, out, at)
            square = row * cols + np.int64(columns[i, row])
            for j in range(sizes[square]):
                out[at] = endings[square, j]
                at += 1
    return at


@jit_inside
def _write_number(number: Int, out: Bytes, at: Int) -> Int:
    """Write a number that is not negative in decimals; return where it ends."""
    if number < 10:
        out[at] = np.uint8(48 + number)
        return at + 1
    size, rest = np.int64(0), np.int64(number)
    while rest:
        rest //= _TEN
        size += 1
    rest = np.int64(number)
    for i in range(size):
        out[at + size - 1 - i] = np.uint8(48 + rest % _TEN)
        rest //= _TEN
    return at + size
