"""Read what is handed over as a tour, and tell its faults: behind `faults`, `in`, `tour` and `rank`.

A claim is a :class:`~backrank.Tour`; squares in any notation, in the order of the visits; a text of such squares; or a
NumPy array of squares or cells.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from backrank.geometry.board import Board, square_list
from backrank.geometry.claims import require_faultless
from backrank.geometry.verify import Fault, FaultKind, start_faults
from backrank.tours.spec import TourSpec
from backrank.tours.tour import LARGE, Tour, faults_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, TypeAlias

    from numpy.typing import NDArray

    from backrank.geometry.board import SquareLike

    TourLike: TypeAlias = Tour | str | Iterable[SquareLike] | NDArray[Any]


def read_tour(spec: TourSpec, claim: TourLike) -> Tour:
    """Return a claim as a tour, unchecked; its squares are on the grid, perhaps on holes.

    Raises
    ------
    InvalidPuzzle
        If it is no list of squares.
    InvalidSquare
        If a square cannot be read or is off the grid.

    Examples
    --------
    >>> from backrank.geometry.pieces import KNIGHT
    >>> read_tour(TourSpec(Board(3, 4), KNIGHT, False, None, None), "a1 b3 2,0").squares
    (8, 1, 8)
    """
    if isinstance(claim, Tour):
        return claim
    if _is_large_array(claim, spec.board):
        return Tour(spec.board, claim, spec.closed, spec.piece)  # type: ignore[arg-type]  # an array of whole numbers
    full = Board(spec.board.rows, spec.board.cols)
    return Tour(spec.board, map(full.square, square_list(claim, "a tour")), spec.closed, spec.piece)


def _is_large_array(claim: object, board: Board) -> bool:
    """Whether this is a NumPy array with so many squares that it is checked as such."""
    kind = getattr(getattr(claim, "dtype", None), "str", "")[1:]
    return kind in ("i4", "i8") and getattr(claim, "shape", None) == (len(board),) and len(board) >= LARGE


def claimed_faults(spec: TourSpec, claim: TourLike) -> list[Fault]:
    """Return every fault of a claim.

    Squares begin at the start of the puzzle; a closed `Tour` is a cycle, which may be read from anywhere.
    """
    return _faults(spec, read_tour(spec, claim), is_cycle=isinstance(claim, Tour))


def checked_tour(spec: TourSpec, claim: TourLike) -> Tour:
    """Return a claim as a tour of the puzzle.

    Raises
    ------
    InvalidPuzzle
        If it has faults; the message names the first and says how many there are.
    """
    tour = read_tour(spec, claim)
    require_faultless(_faults(spec, tour, is_cycle=isinstance(claim, Tour)), "tour")
    return tour if tour.closed == spec.closed else Tour(spec.board, tour.steps, spec.closed, spec.piece)


def any_reading(spec: TourSpec, claim: TourLike) -> Tour:
    """Return the same, but squares of a closed tour may be read from anywhere too."""
    tour = read_tour(spec, claim)
    require_faultless(_faults(spec, tour, is_cycle=True), "tour")
    return tour


def _faults(spec: TourSpec, tour: Tour, *, is_cycle: bool) -> list[Fault]:
    if tour.board != spec.board:
        return [Fault(FaultKind.WRONG_SHAPE, f"it is a tour of {tour.board}, and the puzzle is about {spec.board}")]
    if tour.piece.name != spec.piece.name:
        message = f"it is a tour of the {tour.piece}, and the puzzle is about the {spec.piece}"
        return [Fault(FaultKind.NOT_A_MOVE, message)]
    found = faults_of(tour, closed=spec.closed, start=spec.start, end=spec.end)
    if is_cycle or not spec.closed or spec.start is None or spec.end is not None or not len(tour):
        return found
    return found + start_faults(spec.board, spec.board.cell(tour.start), spec.start)
