"""The symmetries of a board: its group, orbits and canonical forms. The only place that knows them.

A symmetry of a plain rectangle turns or mirrors it: 8 of them on a square board, 4 on another
rectangle. Glued edges add the shifts along them; holes leave only those symmetries that map holes to
holes. What is meant throughout is the geometry of the board, not every automorphism of a move
graph (the knight's graph of a 4×4 torus has more).

Two tours or placements are *the same up to symmetry* if a symmetry maps one to the other. The canonical
form of one is the least image of it, so equal canonical forms mean the same class.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from backrank.errors import UnknownName
from backrank.geometry.board import Board, Cell

MAX_GROUP_SQUARES = 1_000_000


@dataclass(frozen=True, slots=True)
class Symmetry:
    """A map of the board onto itself: transpose, then mirror, then shift, as far as each is set.

    The cell `(r, c)` goes to `(c, r)` if `transpose`; its row is then counted from the bottom if
    `flip_rows`, its column from the right if `flip_cols`; last the shifts are added, round glued edges.
    """

    transpose: bool = False
    flip_rows: bool = False
    flip_cols: bool = False
    shift_rows: int = 0
    shift_cols: int = 0

    @property
    def name(self) -> str:
        """What a person would call it, such as `rotate 90° clockwise`."""
        name = _NAMES[self.transpose, self.flip_rows, self.flip_cols]
        if self.shift_rows or self.shift_cols:
            shift = f"shift by {self.shift_rows},{self.shift_cols}"
            return shift if name == "identity" else f"{name}, then {shift}"
        return name

    def cell(self, board: Board, cell: Cell) -> Cell:
        """Return the image of a cell."""
        row, col = cell
        if self.transpose:
            row, col = col, row
        if self.flip_rows:
            row = board.rows - 1 - row
        if self.flip_cols:
            col = board.cols - 1 - col
        return (row + self.shift_rows) % board.rows, (col + self.shift_cols) % board.cols

    def permutation(self, board: Board) -> tuple[int, ...]:
        """Return the image of every square, by square, holes included."""
        cols = board.cols
        images = (self.cell(board, divmod(square, cols)) for square in range(board.size))
        return tuple(row * cols + col for row, col in images)


_NAMES = {
    (False, False, False): "identity",
    (False, True, True): "rotate 180°",
    (True, False, True): "rotate 90° clockwise",
    (True, True, False): "rotate 90° anticlockwise",
    (False, True, False): "mirror top to bottom",
    (False, False, True): "mirror left to right",
    (True, False, False): "mirror in the main diagonal",
    (True, True, True): "mirror in the other diagonal",
}


def symmetries(board: Board) -> tuple[Symmetry, ...]:
    """Return the group of the board, the identity first, each map once.

    Examples
    --------
    >>> len(symmetries(Board(8))), len(symmetries(Board(3, 4))), len(symmetries(Board(5, wrap="torus")))
    (8, 4, 200)
    >>> [s.name for s in symmetries(Board(3, holes=["a1", "b1"]))]
    ['identity']
    """
    return tuple(symmetry for symmetry, _ in _group(board))


ROTATIONS = {
    "180": Symmetry(flip_rows=True, flip_cols=True),
    "90": Symmetry(transpose=True, flip_cols=True),
}


def rotation_name(symmetry: str | int | None) -> str | None:
    """Return the name of a rotation that a count keeps: `"180"` or `"90"`, from a text or a number; None for none.

    Raises
    ------
    UnknownName
        If it is anything else.

    Examples
    --------
    >>> rotation_name(90), rotation_name("180"), rotation_name(None)
    ('90', '180', None)
    >>> rotation_name(45)
    Traceback (most recent call last):
    backrank.errors.UnknownName: unknown symmetry '45'; known: 180, 90
    """
    if symmetry is None:
        return None
    if isinstance(symmetry, (str, int)):
        for name in ROTATIONS:
            if symmetry in (name, int(name)):
                return name
    raise UnknownName("symmetry", symmetry, tuple(ROTATIONS))


@lru_cache(maxsize=16)
def permutations(board: Board) -> tuple[tuple[int, ...], ...]:
    """Return the group of the board as permutations of its squares, the identity first."""
    return tuple(permutation for _, permutation in _group(board))


@lru_cache(maxsize=16)
def _group(board: Board) -> tuple[tuple[Symmetry, tuple[int, ...]], ...]:
    shifts = (board.cols if board.wrap != "none" else 1) * (board.rows if board.wrap == "torus" else 1)
    board.require_at_most(MAX_GROUP_SQUARES // shifts, f"the group of symmetries ({8 * shifts:,} of them)")
    found: dict[tuple[int, ...], Symmetry] = {}
    for symmetry in _candidates(board):
        if board.holes and any(
            row * board.cols + col not in board.holes
            for row, col in (symmetry.cell(board, board.cell(hole)) for hole in board.holes)
        ):
            continue
        # Narrow and small glued boards have several names for one map: a shift by one is a flip on two columns.
        found.setdefault(symmetry.permutation(board), symmetry)
    return tuple((symmetry, permutation) for permutation, symmetry in found.items())


def _candidates(board: Board) -> Iterator[Symmetry]:
    """Yield the symmetries of the board without its holes, simple ones first."""
    may_transpose = board.rows == board.cols and board.wrap != "cylinder"
    down = range(board.rows if board.wrap == "torus" else 1)
    right = range(board.cols if board.wrap != "none" else 1)
    flips = ((False, False), (True, True), (True, False), (False, True))
    for shift in product(down, right):
        for transpose in (False, True)[: 1 + may_transpose]:
            for flip in flips:
                yield Symmetry(transpose, *flip, *shift)


def orbits(board: Board) -> list[tuple[int, ...]]:
    """Return the classes of squares that symmetries map to each other, in order of their least square.

    Examples
    --------
    >>> orbits(Board(3))
    [(0, 2, 6, 8), (1, 3, 5, 7), (4,)]
    """
    group = permutations(board)
    seen: set[int] = set()
    classes = []
    for square in board:
        if square not in seen:
            orbit = tuple(sorted({permutation[square] for permutation in group}))
            seen.update(orbit)
            classes.append(orbit)
    return classes


def stabilizer(board: Board, *fixed: int | None) -> tuple[tuple[int, ...], ...]:
    """Return those symmetries, as permutations, that keep each of the given squares where it is.

    `None` among the squares is passed over, so that an absent start or end constrains nothing.

    Examples
    --------
    >>> len(stabilizer(Board(5), 0)), len(stabilizer(Board(5), 12, None))
    (2, 8)
    """
    return tuple(p for p in permutations(board) if all(square is None or p[square] == square for square in fixed))


def images(group: Iterable[tuple[int, ...]], squares: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield the image of a sequence of squares under each permutation."""
    for permutation in group:
        yield tuple(permutation[square] for square in squares)


def canonical_path(
    group: Iterable[tuple[int, ...]], squares: Sequence[int], *, closed: bool = False, directed: bool = False
) -> tuple[int, ...]:
    """Return the least of all images of a tour.

    Parameters
    ----------
    group : iterable of permutations
        From :func:`permutations` or :func:`stabilizer`.
    squares : sequence of int
        The tour in the order of its steps.
    closed : bool
        A cycle: it is the same from whichever square it is read.
    directed : bool
        Whether a tour differs from its reverse; not by default.

    Examples
    --------
    >>> canonical_path(permutations(Board(3)), [8, 3, 2, 7])
    (0, 5, 6, 1)
    """
    return min(_reading(image, closed=closed, directed=directed) for image in images(group, squares))


def _reading(squares: tuple[int, ...], *, closed: bool, directed: bool) -> tuple[int, ...]:
    """Return the least way to read one path or cycle."""
    if closed:
        first = squares.index(min(squares))
        squares = squares[first:] + squares[:first]
        backwards = squares[:1] + squares[:0:-1]
    else:
        backwards = squares[::-1]
    return squares if directed else min(squares, backwards)


def canonical_set(group: Iterable[tuple[int, ...]], squares: Iterable[int]) -> tuple[int, ...]:
    """Return the least image of a set of squares, sorted: the canonical form of a placement.

    Examples
    --------
    >>> canonical_set(permutations(Board(4)), [2, 4, 11, 13])
    (1, 7, 8, 14)
    """
    return min(tuple(sorted(image)) for image in images(group, tuple(squares)))
