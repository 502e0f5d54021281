"""Whether ten million queens attack each other: every line is looked at once, with arrays.

Queens given by their columns, one a row, attack each other if two have the same column, the same `row - col` or the
same `row + col`. To see *whether* some do, a mark is set for each line that is met: as many must be set as there are
queens. To count the attacking pairs, the queens of each line are counted: k on one line are k (k - 1) / 2 pairs.

This is for many queens on a plain board. :func:`backrank.geometry.verify.queens_faults` names every fault, on any
board.

Cost: proportional to the number of queens; a third of a second for ten million, the pairs about one. Memory: up to five
times that of the columns. Faults are told in words by :func:`array_faults`: it looks for the lines that several queens
share, and leaves the words to :mod:`backrank.geometry.verify`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias

from backrank.errors import InvalidPuzzle
from backrank.geometry.board import Board
from backrank.geometry.verify import Fault, FaultKind, queens_faults

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Columns: TypeAlias = Sequence[int] | npt.NDArray[np.integer]


_MANY = 2**29
MAX_NAMED = 200_000  # queens of which every fault is named
SHOWN = 20  # faults of each kind that are named otherwise
_KINDS = (FaultKind.SAME_COLUMN, FaultKind.SAME_DIAGONAL, FaultKind.SAME_DIAGONAL)


def is_placement(columns: Columns, cols: int | None = None) -> bool:
    """Return whether queens, one a row, stand on a plain board and none attacks another.

    Parameters
    ----------
    columns : sequence or array of int
        The column of the queen of each row, from 0.
    cols : int, optional
        Columns of the board; as many as rows if not given.

    Examples
    --------
    >>> is_placement([1, 3, 0, 2]), is_placement([0, 2, 1, 3]), is_placement([1, 3, 0, 4]), is_placement([0, 2], 3)
    (True, False, False, True)
    """
    import numpy as np  # noqa: PLC0415 - kept from who does not need it

    array = _array(columns)
    width = array.size if cols is None else cols
    if array.size > width or (array.size and not 0 <= array.min() <= array.max() < width):
        return False
    for lines, count in _lines(array, width):
        met = np.zeros(count, np.bool_)
        met[lines] = True
        if np.count_nonzero(met) < array.size:
            return False
    return True


def array_faults(board: Board, columns: Columns) -> list[Fault]:
    """Return the faults of queens, one a row of a plain board; none means that no two attack each other.

    Parameters
    ----------
    board : Board
    columns : sequence or array of int
        The column of the queen of each row, from the top: as many as the board has rows.

    Returns
    -------
    list of Fault
        All of them up to 200,000 queens; of more, the first 20 of each kind.

    Examples
    --------
    >>> print(*array_faults(Board(4), [1, 3, 0, 0]))
    same column: a2, a1 stand on one column
    """
    import numpy as np  # noqa: PLC0415 - kept from who does not need it

    if is_placement(columns, board.cols):
        return []
    array = _array(columns)
    if array.size <= MAX_NAMED:
        return queens_faults(board, list(enumerate(array.tolist())), queens=array.size)
    inside = (array >= 0) & (array < board.cols)
    faults = []
    for row in np.flatnonzero(~inside)[:SHOWN].tolist():
        [fault] = queens_faults(board, [(row, int(array[row]))], queens=1)
        faults.append(Fault(fault.kind, fault.message.replace("queen 1", f"queen {row + 1}"), fault.cells, (row + 1,)))
    rows = np.flatnonzero(inside)
    kept = array[rows]
    for kind, lines in zip(_KINDS, (kept, rows - kept, rows + kept), strict=True):
        shifted = lines - lines.min() if lines.size else lines
        shared = np.flatnonzero(np.bincount(shifted) > 1)[:SHOWN]
        on = np.flatnonzero(np.isin(shifted, shared))
        for line in shared.tolist():
            cells = [(int(rows[at]), int(kept[at])) for at in on[shifted[on] == line].tolist()]
            faults += [fault for fault in queens_faults(board, cells, queens=len(cells)) if fault.kind is kind][:1]
    return faults


def _array(columns: Columns) -> npt.NDArray[np.integer]:
    import numpy as np  # noqa: PLC0415 - kept from who does not need it

    array = np.asarray(columns)
    if array.size == 0:
        return np.zeros(0, np.int64)
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise InvalidPuzzle("queens are given as a flat list of whole numbers, the column of each row")
    # Sums and differences must fit: 32 bits, signed, do for half a billion queens.
    is_small = array.dtype == np.int32 and array.size < _MANY
    return array if is_small else array.astype(np.int64)


def _lines(columns: npt.NDArray[np.integer], cols: int) -> Iterator[tuple[npt.NDArray[np.integer], int]]:
    """Yield the numbers of the lines of all queens, kind by kind, and how many such lines there are."""
    import numpy as np  # noqa: PLC0415 - kept from who does not need it

    rows = columns.size
    yield columns, cols
    steps = np.arange(rows, dtype=columns.dtype)
    yield columns + steps, rows + cols
    steps = steps[::-1]
    yield columns + steps, rows + cols
