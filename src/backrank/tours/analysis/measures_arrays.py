"""Measures of large tours, in NumPy and in blocks: the upper rung of `tours/analysis/measures.py`.

Besides the tour, which may be of any integer type, they hold a byte for each move, a byte for each cell (two to
eight if the piece has more than 16 steps), and a few blocks. Nothing here is compiled: NumPy goes through
memory as fast as compiled code would, and there is no first call to wait for.

Crossings: testing each move against its neighbours would take dozens of reads from all over memory. Instead
there is a plane of bits for each direction, and two planes, one of them shifted, are read in order for each offset.

No number is above the square of the number of squares, so 64 bits do up to 3·10^9 of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Squares: TypeAlias = npt.NDArray[np.integer[Any]]

BLOCK = 1 << 20
NO_STEP = 255


def first_wrong_visit(squares: Squares, size: int, holes: npt.NDArray[np.int64]) -> int:
    """Return the first step, from 0, off a board of so many cells, on a hole, or on a cell seen before; or -1."""
    seen = np.zeros(size, np.bool_)
    seen[holes] = True
    for low in range(0, len(squares), BLOCK):
        block = squares[low : low + BLOCK].astype(np.int64)
        if int(block.min()) < 0 or int(block.max()) >= size:
            break
        seen[block] = True
    else:
        if int(np.count_nonzero(seen)) == len(squares) + len(holes):
            return -1
    return _first_wrong(squares, size, holes)


def _first_wrong(squares: Squares, size: int, holes: npt.NDArray[np.int64]) -> int:
    """Return where it is, when something is known to be wrong: this sorts every block, so it is slow."""
    seen = np.zeros(size, np.bool_)
    seen[holes] = True
    for low in range(0, len(squares), BLOCK):
        block = squares[low : low + BLOCK].astype(np.int64)
        wrong = np.ones(len(block), np.bool_)
        wrong[np.unique(block, return_index=True)[1]] = False
        off = (block < 0) | (block >= size)
        wrong |= off | seen[np.where(off, 0, block)]
        if wrong.any():
            return low + int(wrong.argmax())
        seen[block] = True
    return -1


def move_codes(squares: Squares, cols: int, codes: Mapping[tuple[int, int], int], *, closed: bool) -> bytearray:
    """Return a byte for each move, by its difference of rows and columns; `NO_STEP` if that has none."""
    # Differences of columns are below the columns, so twice as many keep (rows, columns) apart in one number.
    keys = [(down * 2 * cols + right, code) for (down, right), code in codes.items() if abs(right) < cols]
    made = bytearray([NO_STEP]) * (len(squares) - (not closed))
    view = np.frombuffer(made, np.uint8)
    for low in range(0, len(made), BLOCK):
        block = squares[low : low + BLOCK + 1].astype(np.int64)
        if closed and low + BLOCK >= len(squares):
            block = np.append(block, np.int64(squares[0]))
        rows, columns = np.divmod(block, cols)
        found = np.diff(rows) * (2 * cols) + np.diff(columns)
        out = view[low : low + len(found)]
        for key, code in keys:
            out[found == key] = code
    return made


def transition_counts(moves: bytes | bytearray, steps: int, *, closed: bool) -> dict[tuple[int, int], int]:
    """Count the pairs of directions of consecutive moves."""
    view = np.frombuffer(moves, np.uint8)
    counts = np.zeros(steps * steps, np.int64)
    for low in range(0, len(view), BLOCK):
        block = view[low : low + BLOCK + 1].astype(np.int64)
        counts += np.bincount(block[:-1] * steps + block[1:], minlength=steps * steps)
    if closed:
        counts[moves[-1] * steps + moves[0]] += 1
    return {(pair // steps, pair % steps): count for pair, count in enumerate(counts.tolist()) if count}


def run_lengths(moves: bytes | bytearray) -> tuple[int, int, int]:
    """Return the lengths of the first, the last and the longest run of equal bytes."""
    view = np.frombuffer(moves, np.uint8)
    first = longest = begun = 0
    for low in range(0, len(view), BLOCK):
        block = view[low : low + BLOCK + 1]
        ends = np.flatnonzero(block[1:] != block[:-1]) + (low + 1)
        if len(ends):
            longest = max(longest, int(ends[0]) - begun, int(np.diff(ends).max(initial=0)))
            first = first or int(ends[0])
            begun = int(ends[-1])
    last = len(view) - begun
    return first or last, last, max(longest, last)


def direction_bits(
    squares: Squares,
    codes: bytes | bytearray,
    steps: Sequence[tuple[int, tuple[int, int]]],
    vectors: Sequence[tuple[int, int]],
    shape: tuple[int, int],
) -> npt.NDArray[np.unsignedinteger[Any]]:
    """Return for each cell the set of directions, as bits, of the moves whose upper (or left) end it is.

    `steps` are those to look at, with their codes; `vectors`, which all point down or right, say which bit is which.
    """
    dtype = np.dtype(f"u{next(size for size in (1, 2, 4, 8) if 8 * size >= len(vectors))}")
    bits = np.zeros(shape[0] * shape[1], dtype)
    view = np.frombuffer(codes, np.uint8)
    for low in range(0, len(view), BLOCK):
        block = view[low : low + BLOCK]
        begins = squares[low : low + len(block)].astype(np.int64)
        for code, step in steps:
            ends = begins[block == code]
            if step < (0, 0):
                ends += step[0] * shape[1] + step[1]
            # No move is made twice, so no cell occurs twice among these.
            bits[ends] |= dtype.type(1 << vectors.index(max(step, (-step[0], -step[1]))))
    return bits.reshape(shape)


def meeting_counts(
    bits: npt.NDArray[np.unsignedinteger[Any]], offsets: Sequence[tuple[str, int, int, tuple[int, int]]]
) -> list[int]:
    """Count for each `(…, direction, other, offset)` the cells that have a direction, and the other one at the offset.

    An offset `(rows down, columns right)` does not point upwards.
    """
    rows, cols = bits.shape
    counts = [0] * len(offsets)
    reach = max((offset[0] for *_, offset in offsets), default=0)
    directions = sorted({index for _, first, second, _ in offsets for index in (first, second)})
    height = max(BLOCK // cols, reach, 1)
    for top in range(0, rows, height):
        part = bits[top : top + height + reach]
        planes = {index: (part & bits.dtype.type(1 << index)) != 0 for index in directions}
        for number, (_, first, second, (down, right)) in enumerate(offsets):
            high, width = min(height, len(part) - down), cols - abs(right)
            if high > 0 and width > 0:
                left = max(0, -right)
                here = planes[first][:high, left : left + width]
                there = planes[second][down : down + high, left + right : left + right + width]
                counts[number] += int(np.count_nonzero(here & there))
    return counts


def line_sums(
    squares: Squares, rows: int, cols: int
) -> tuple[list[int], list[int], tuple[list[int], list[int]] | None]:
    """Return the sums of the numbers of each row and column, and the numbers on both diagonals of a square board."""
    by_row, by_col = np.zeros(rows, np.int64), np.zeros(cols, np.int64)
    falling: list[int] = []
    rising: list[int] = []
    # Blocks no shorter than a side, so that the long side of a thin board is not gone through too often.
    size = max(BLOCK, rows, cols)
    for low in range(0, len(squares), size):
        row, col = np.divmod(squares[low : low + size].astype(np.int64), cols)
        by_row += _sums_of_block(row, rows, low + 1)
        by_col += _sums_of_block(col, cols, low + 1)
        if rows == cols:
            falling += (np.flatnonzero(row == col) + (low + 1)).tolist()
            rising += (np.flatnonzero(row + col == rows - 1) + (low + 1)).tolist()
    return by_row.tolist(), by_col.tolist(), (falling, rising) if rows == cols else None


def _sums_of_block(lines: npt.NDArray[np.int64], count: int, first: int) -> npt.NDArray[np.int64]:
    # Weights are floats: numbers that begin anew in each block keep their sums below 2^53.
    within = np.bincount(lines, weights=np.arange(len(lines)), minlength=count).astype(np.int64)
    return within + np.bincount(lines, minlength=count) * first


def equal_starts(squares: Squares, sums: tuple[list[int], list[int]], starts: Sequence[int], cols: int) -> list[int]:
    """Return those numbers of squares to pass, of some in ascending order, after which all rows and all columns agree.

    To pass a square adds the number of squares to its row and its column.
    """
    by_row, by_col = (np.array(line, np.int64) for line in sums)
    found, passed = [], 0
    for start in starts:
        row, col = np.divmod(squares[passed:start].astype(np.int64), cols)
        by_row += np.bincount(row, minlength=len(by_row)) * len(squares)
        by_col += np.bincount(col, minlength=len(by_col)) * len(squares)
        passed = start
        if (by_row == by_row[0]).all() and (by_col == by_col[0]).all():
            found.append(start)
    return found
