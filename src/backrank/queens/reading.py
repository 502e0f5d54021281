"""Read what is handed over as a placement, and tell its faults: behind `faults`, `in`, `placement` and `rank`.

A claim is a :class:`~backrank.Placement`; a list of columns, one for each row, where every row has a piece; squares in
any notation; a text of names or cells; or a NumPy array of columns, squares or cells. Whole numbers are columns where
every row has a piece, and squares where some stay empty.
"""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, SupportsIndex, cast

from backrank.geometry.board import Board, Cell, square_list
from backrank.geometry.claims import require_faultless
from backrank.geometry.verify import Fault, FaultKind, queens_faults
from backrank.queens.placement import LARGE, Placement
from backrank.queens.spec import QueensSpec

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, TypeAlias

    from numpy.typing import NDArray

    from backrank.geometry.board import SquareLike
    from backrank.queens.placement import Columns

    PlacementLike: TypeAlias = Placement | str | Iterable[SquareLike] | NDArray[Any]


def read_placement(spec: QueensSpec, claim: PlacementLike) -> Placement | list[Cell]:
    """Return a claim, unchecked: a placement as it is, or the cells in the order in which they are given.

    Raises
    ------
    InvalidPuzzle
        If it is neither a list of squares nor of columns.
    InvalidSquare
        If a square cannot be read or is off the grid.

    Examples
    --------
    >>> read_placement(QueensSpec(Board(4), 4), [1, 3, 0, 2]) == read_placement(QueensSpec(Board(4), 4), "b4 d3 a2 c1")
    True
    >>> read_placement(QueensSpec(Board(4), 2), [1, 11])
    [(0, 1), (2, 3)]
    """
    if isinstance(claim, Placement):
        return claim
    board = spec.board
    if getattr(claim, "shape", None) == (board.rows,) and board.rows >= LARGE and spec.is_one_per_row:
        return Placement.of_columns(board, cast("Columns", claim), spec.piece)
    items = square_list(claim, "a placement")
    if spec.is_one_per_row and all(hasattr(item, "__index__") for item in items):
        items = [(row, operator.index(cast("SupportsIndex", item))) for row, item in enumerate(items)]
    full = Board(board.rows, board.cols)
    return [full.cell(full.square(item)) for item in items]


def claimed_faults(spec: QueensSpec, claim: PlacementLike) -> list[Fault]:
    """Return every fault of a claim."""
    return _faults(spec, read_placement(spec, claim))


def _faults(spec: QueensSpec, read: Placement | list[Cell]) -> list[Fault]:
    if not isinstance(read, Placement):
        found = queens_faults(spec.board, read, queens=spec.queens, piece=spec.piece)
        return found + _missing(spec, (row * spec.board.cols + col for row, col in read))
    if read.board != spec.board:
        message = f"it is a placement on {read.board}, and the puzzle is about {spec.board}"
        return [Fault(FaultKind.WRONG_SHAPE, message)]
    if read.piece != spec.piece:
        message = f"it is a placement of {read.piece}s, and the puzzle is about {spec.piece}s"
        return [Fault(FaultKind.WRONG_COUNT, message)]
    if len(read) == spec.queens:
        return read.faults() + _missing(spec, read.squares if spec.placed else ())
    return _faults(spec, [*read.cells])


def _missing(spec: QueensSpec, squares: Iterable[int]) -> list[Fault]:
    """Return the fault that placed pieces do not stand where they were placed, if so."""
    cells = tuple(map(spec.board.cell, sorted(set(spec.placed).difference(squares))))
    if not cells:
        return []
    names = ", ".join(map(spec.board.name, cells))
    return [Fault(FaultKind.MISSING_SQUARES, f"no {spec.piece} stands on {names}, where one was placed", cells)]


def checked_placement(spec: QueensSpec, claim: PlacementLike) -> Placement:
    """Return a claim as a placement of the puzzle.

    Raises
    ------
    InvalidPuzzle
        If it has faults; the message names the first and says how many there are.
    """
    read = read_placement(spec, claim)
    require_faultless(_faults(spec, read), "placement")
    if isinstance(read, Placement):
        return read
    return Placement(spec.board, sorted(map(spec.board.square, read)), spec.piece)
