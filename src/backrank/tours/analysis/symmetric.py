"""Which symmetries of the board map a tour to itself.

A symmetry turns the direction of each move in the same way. So it maps a closed tour to itself if the turned
directions are the directions again, read from another square, or backwards. On a plain board the image of the
first square says from which, and one comparison of byte strings decides. With glued edges every square may be the
image of the first, as there are shifts; then the place is searched for (in linear time, as strings are), once for each
turn or mirror. The other places follow from the shift that the directions repeat after.

Testing every symmetry square by square is the reference, in the tests: a torus has eight times as many as
squares, so it costs the square of their number.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import NamedTuple

from backrank.geometry.board import Board, Cell
from backrank.geometry.symmetry import Symmetry, symmetries
from backrank.tours.analysis.measures import MeasuredTour

BLOCK = 1 << 20
_NONE = 255


class TourSymmetry(NamedTuple):
    """A symmetry that maps a tour to itself: its name, and whether the tour is then run through backwards."""

    name: str
    reverses: bool


class TourSymmetries(NamedTuple):
    """The kind of symmetry of a tour, its variety, how many maps there are, and those but the identity."""

    kind: str
    variety: str | None
    order: int
    listed: tuple[TourSymmetry, ...]


def symmetries_of(walk: MeasuredTour) -> TourSymmetries:
    """Return the symmetries of the board that map a tour, as a path or a cycle without direction, to itself."""
    if walk.board.wrap != "none":
        return _glued(walk)
    found = list(_plain(walk))
    listed = tuple(TourSymmetry(symmetry.name, reverses) for symmetry, reverses in found)
    order = len(found) + 1
    has_mirror = any(_is_mirror(symmetry) for symmetry, _ in found)
    has_quarter = any(symmetry.transpose and not _is_mirror(symmetry) for symmetry, _ in found)
    if order == 2:
        kind = "axial" if has_mirror else "rotary"
    else:
        kind = {1: "asymmetric", 4: "birotary" if has_quarter else "biaxial", 8: "octonary"}[order]
    variety = None
    if walk.closed and order == 2:
        variety = _VARIETIES[kind, found[0][1]]
    return TourSymmetries(kind, variety, order, listed)


_VARIETIES = {
    ("rotary", False): "Eulerian",
    ("rotary", True): "Bergholtian",
    ("axial", False): "Sulian",
    ("axial", True): "Murraian",
}


def _is_mirror(symmetry: Symmetry) -> bool:
    return (symmetry.transpose + symmetry.flip_rows + symmetry.flip_cols) % 2 == 1


def _turns(board: Board) -> tuple[Symmetry, ...]:
    """Return the symmetries of the rectangle without its holes and shifts, the identity first.

    They depend only on which sides are equal and which are 1, so a board of few squares has the same.
    """
    rows, cols = min(board.rows, 3), min(board.cols, 3)
    if rows == cols > 1 and (board.rows != board.cols or board.wrap == "cylinder"):
        rows, cols = 2, 3
    return symmetries(Board(rows, cols))


class _Alphabet:
    """Directions as bytes, two the same if they lead to the same square, and how symmetries change them."""

    def __init__(self, walk: MeasuredTour) -> None:
        board, steps = walk.board, walk.piece.steps
        self._sides = (board.rows if board.wrap == "torus" else 0, board.cols if board.wrap != "none" else 0)
        self._letters: dict[Cell, int] = {}
        for step in steps:
            self._letters.setdefault(self._reduced(step), len(self._letters))
        self._read = bytes(self._letters[self._reduced(steps[code % len(steps)])] for code in range(256))
        self.moves = walk.codes.translate(self._read)

    def _reduced(self, step: Cell) -> Cell:
        down, right = (part % side if side else part for part, side in zip(step, self._sides, strict=True))
        return down, right

    def table(self, symmetry: Symmetry, *, backwards: bool) -> bytes:
        """Return the table that translates moves to their images, or to those of the reversed moves."""
        made = bytearray([_NONE]) * 256
        for (down, right), letter in self._letters.items():
            row, col = (right, down) if symmetry.transpose else (down, right)
            row = -row if symmetry.flip_rows ^ backwards else row
            col = -col if symmetry.flip_cols ^ backwards else col
            made[letter] = self._letters.get(self._reduced((row, col)), _NONE)
        return bytes(made)


# --- plain boards -----------------------------------------------------------------------------------


def _plain(walk: MeasuredTour) -> Iterator[tuple[Symmetry, bool]]:
    """Yield each symmetry but the identity, and whether it reverses the tour."""
    board, alphabet, count = walk.board, _Alphabet(walk), len(walk.squares)
    first = board.cell(int(walk.squares[0]))
    for symmetry in _turns(board)[1:]:
        row, col = symmetry.cell(board, first)
        if any(_image(board, symmetry, hole) not in board.holes for hole in board.holes):
            continue
        at = _step_of(walk, row * board.cols + col)
        for backwards in (False, True):
            if not walk.closed and at != (count - 1 if backwards else 0):
                continue
            if _repeats(alphabet.moves, alphabet.table(symmetry, backwards=backwards), at, backwards=backwards):
                yield symmetry, backwards
                break


def _image(board: Board, symmetry: Symmetry, square: int) -> int:
    row, col = symmetry.cell(board, board.cell(square))
    return row * board.cols + col


def _step_of(walk: MeasuredTour, square: int) -> int:
    """Return the place of a square in the tour, from 0."""
    if isinstance(walk.squares, list):
        return walk.squares.index(square)
    for low in range(0, len(walk.squares), BLOCK):
        hits = (walk.squares[low : low + BLOCK] == square).nonzero()[0]
        if len(hits):
            return low + int(hits[0])
    raise AssertionError("a tour visits every square")


def _repeats(moves: bytes | bytearray, table: bytes, at: int, *, backwards: bool) -> bool:
    """Whether the translated moves are the moves from a place on, or those before it backwards; round the end."""
    for low in range(0, len(moves), BLOCK):
        image = moves[low : low + BLOCK].translate(table)
        begin = (at - low - len(image) if backwards else at + low) % len(moves)
        part = moves[begin : begin + len(image)]
        part += moves[: len(image) - len(part)]
        if image != (part[::-1] if backwards else part):
            return False
    return True


# --- glued edges ------------------------------------------------------------------------------------


def _glued(walk: MeasuredTour) -> TourSymmetries:
    """Return the symmetries round glued edges: for each turn or mirror, then for the shifts that the tour repeats."""
    board, alphabet, count = walk.board, _Alphabet(walk), len(walk.squares)
    moves = alphabet.moves
    read = moves + moves if walk.closed else moves
    period = read.find(moves, 1) if walk.closed and moves else count
    # A map is known by where three squares go; the shifts that the tour repeats after make no new kind of map.
    found: dict[tuple[Cell, ...], tuple[Symmetry, bool]] = {}
    for symmetry, backwards in product(_turns(board), (False, True)[: 1 + (count > 1)]):
        at = _found_at(walk, alphabet, read, symmetry, backwards=backwards)
        if at is None or not _keeps_plain_rows(board, symmetry, walk, at % period):
            continue
        whole = _with_shift(board, symmetry, walk, at % period)
        if all(_image(board, whole, hole) in board.holes for hole in board.holes):
            corners = ((0, 0), (0, 1 % board.cols), (1 % board.rows, 0))
            found.setdefault(tuple(whole.cell(board, corner) for corner in corners), (whole, backwards))
    listed = [(symmetry, backwards) for symmetry, backwards in found.values() if symmetry != Symmetry()]
    turned = any(symmetry.transpose or symmetry.flip_rows or symmetry.flip_cols for symmetry, _ in listed)
    if period < count:
        listed.insert(0, (_with_shift(board, Symmetry(), walk, period), False))
    order = len(found) * (count // period)
    kind = "asymmetric" if order == 1 else "symmetric" if turned else "translational"
    named = tuple(TourSymmetry(symmetry.name, backwards) for symmetry, backwards in listed)
    return TourSymmetries(kind, None, order, named)


def _found_at(
    walk: MeasuredTour, alphabet: _Alphabet, read: bytes | bytearray, symmetry: Symmetry, *, backwards: bool
) -> int | None:
    """Return the step that the first square is mapped to, as far as directions tell, or None."""
    count = len(walk.squares)
    image = alphabet.moves.translate(alphabet.table(symmetry, backwards=backwards))
    at = (read[::-1] if backwards else read).find(image)
    if at < 0:
        return None
    if not backwards:
        return at % count
    return (count - at) % count if walk.closed else count - 1


def _with_shift(board: Board, symmetry: Symmetry, walk: MeasuredTour, at: int) -> Symmetry:
    """Return the symmetry, then the shift that brings the first square to a step of the tour."""
    row, col = symmetry.cell(board, board.cell(int(walk.squares[0])))
    to_row, to_col = board.cell(int(walk.squares[at]))
    return replace(symmetry, shift_rows=(to_row - row) % board.rows, shift_cols=(to_col - col) % board.cols)


def _keeps_plain_rows(board: Board, symmetry: Symmetry, walk: MeasuredTour, at: int) -> bool:
    """Whether no shift is needed between the rows of a cylinder."""
    return board.wrap == "torus" or _with_shift(board, symmetry, walk, at).shift_rows == 0
