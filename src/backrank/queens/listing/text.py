"""Placements as text, whole chunks at a time: lists of columns, and tables of squares."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from backrank.geometry.board import Board, file_name
from backrank.queens.listing.arrays import Columns
from backrank.queens.listing.least_jit import DIGITS, write_columns, write_table

BlockWriter = Callable[[Columns, int], bytes]


def columns_block(columns: Columns, number: int) -> bytes:  # noqa: ARG001 - every writer takes the number
    """Write a line for each placement: its columns, with spaces between."""
    out = np.empty(columns.size * 4, np.uint8)
    return out[: int(write_columns(columns, out))].tobytes()


def table_writer(board: Board) -> BlockWriter:
    """Return what writes a line for each queen: number of the placement, row, column and name."""
    cells = [divmod(square, board.cols) for square in range(board.size)]  # a hole has a name for nobody, but a line
    texts = [f",{row},{col},{file_name(col)}{board.rows - row}\n".encode() for row, col in cells]
    longest = max(map(len, texts))
    endings = np.frombuffer(b"".join(text.ljust(longest) for text in texts), np.uint8).reshape(board.size, longest)
    sizes = np.array(list(map(len, texts)), np.int64)

    def block(columns: Columns, number: int) -> bytes:
        out = np.empty(columns.size * (DIGITS + longest), np.uint8)
        return out[: int(write_table(columns, number, endings, sizes, out))].tobytes()

    return block
