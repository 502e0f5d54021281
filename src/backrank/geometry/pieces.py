"""How pieces move, and the graph of their moves on a board.

A leaper jumps by a fixed step wherever it lands; the knight is the (1, 2)-leaper. A rider slides
along a direction until an edge or a hole stops it. The move graph joins each square with those that
the piece reaches from it in one move; it is kept as compressed sparse rows, so that the plain
Python searches and the compiled kernels read the same two arrays.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from math import gcd

from backrank.errors import InvalidPuzzle, UnknownName, shown
from backrank.geometry.board import Board, Cell

MAX_GRAPH_SQUARES = 4_000_000
MANY_SQUARES = 10_000  # from here on NumPy, which takes a moment to load, builds the move graph of a leaper
MAX_RIDER_MOVES = 40_000_000
_LONGEST_NAME = 100
MOST_LEAP = 10**18
_LEAPER = re.compile(r"\s*(?:(\()\s*)?(\d{1,9})\s*,\s*(\d{1,9})\s*(?(1)\)\s*(?:-leaper)?)\s*")

_NUMBERS = re.compile(r"\s*\(?\s*-?[0-9.]+(?:\s*,\s*-?[0-9.]+)*\s*\)?\s*")


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece: its name, its steps as `(rows down, columns right)`, and whether it slides along them.

    The order of the steps is the order in which searches try them and the move graph lists them.

    Examples
    --------
    >>> KNIGHT.steps
    ((-2, -1), (-2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2), (2, -1), (2, 1))
    """

    name: str
    steps: tuple[Cell, ...]
    slides: bool = False

    def with_steps(self, steps: Iterable[Cell]) -> Piece:
        """Return the same piece with its steps in another order.

        Raises
        ------
        InvalidPuzzle
            If the steps are not a permutation of this piece's own.
        """
        ordered = tuple(steps) if isinstance(steps, Iterable) else ()
        if sorted(ordered) != sorted(self.steps):
            raise InvalidPuzzle(f"a move order for the {self.name} must hold each of its {len(self.steps)} steps once")
        return Piece(self.name, ordered, self.slides)

    @property
    def is_symmetric(self) -> bool:
        """Whether every step can be taken back."""
        return all((-down, -right) in self.steps for down, right in self.steps)

    @property
    def changes_colour(self) -> bool | None:
        """True if every step changes the square's colour, False if none does, None if it depends.

        The last word has the board: on glued edges of odd length a step may do either.
        """
        if self.slides and any((down + right) % 2 for down, right in self.steps):
            return None
        parities = {(down + right) % 2 for down, right in self.steps}
        return None if len(parities) > 1 else parities == {1}

    def __str__(self) -> str:
        return self.name


def leaper(r: int, s: int) -> Piece:
    """Return the (r, s)-leaper, with its steps in ascending order.

    Raises
    ------
    InvalidPuzzle
        If a component is negative, or both are 0.

    Examples
    --------
    >>> leaper(1, 2) == KNIGHT, leaper(2, 3).name, leaper(5, 1).name
    (True, 'zebra', '(1,5)-leaper')
    """
    if not all(_is_leap(part) for part in (r, s)) or r == s == 0:
        raise InvalidPuzzle(
            f"({shown(r)},{shown(s)}) is no leaper; both numbers must be whole, at least 0 and not both 0, as in (1,2)"
        )
    low, high = sorted((r, s))
    steps = {(sign * a, other * b) for a, b in ((low, high), (high, low)) for sign in (1, -1) for other in (1, -1)}
    return Piece(_FAIRY_NAMES.get((low, high), f"({low},{high})-leaper"), tuple(sorted(steps)))


def _is_leap(part: object) -> bool:
    return isinstance(part, int) and not isinstance(part, bool) and 0 <= part <= MOST_LEAP


# The usual names of the problemists, as collected by T. R. Dawson and G. P. Jelliss.
_FAIRY_NAMES = {
    (0, 1): "wazir",
    (1, 1): "ferz",
    (0, 2): "dabbaba",
    (1, 2): "knight",
    (2, 2): "alfil",
    (0, 3): "threeleaper",
    (1, 3): "camel",
    (2, 3): "zebra",
    (3, 3): "tripper",
    (1, 4): "giraffe",
    (3, 4): "antelope",
}

_ORTHOGONAL = ((-1, 0), (0, -1), (0, 1), (1, 0))
_DIAGONAL = ((-1, -1), (-1, 1), (1, -1), (1, 1))

KNIGHT = leaper(1, 2)
KING = Piece("king", tuple(sorted(_ORTHOGONAL + _DIAGONAL)))
QUEEN = Piece("queen", tuple(sorted(_ORTHOGONAL + _DIAGONAL)), slides=True)
ROOK = Piece("rook", _ORTHOGONAL, slides=True)
BISHOP = Piece("bishop", _DIAGONAL, slides=True)

_PIECES = {piece.name: piece for piece in (KNIGHT, KING, QUEEN, ROOK, BISHOP)} | {
    name: leaper(r, s) for (r, s), name in _FAIRY_NAMES.items()
}


def piece_named(text: str) -> Piece:
    """Return the piece of that name, or the leaper written as `r,s`.

    Examples
    --------
    >>> piece_named("knight") == piece_named("1,2") == KNIGHT
    True
    """
    if len(text) > _LONGEST_NAME:
        raise UnknownName("piece", text, tuple(_PIECES))
    if match := _LEAPER.fullmatch(text.replace("，", ",")):
        return leaper(int(match[2]), int(match[3]))
    try:
        return _PIECES[text.strip().lower()]
    except KeyError:
        raise UnknownName("piece", text, _known(text)) from None


def _known(text: str) -> tuple[str, ...]:
    """Return what pieces may be called; if numbers were written, first what is wrong with them."""
    if not _NUMBERS.fullmatch(text):
        return (*_PIECES, "or a leaper as r,s such as 1,2")
    wrong = "no number below 0, since it jumps to all sides," if "-" in text else "two whole numbers,"
    first, *others = _PIECES
    return (f"a leaper as r,s with {wrong} such as 1,2; by name {first}", *others)


@dataclass(frozen=True, slots=True)
class MoveGraph:
    """The moves of a piece on a board, as compressed sparse rows (CSR).

    The squares reached from square `v` are `indices[indptr[v]:indptr[v + 1]]`, in the order of the
    piece's steps, each once, `v` itself never; holes have none and are nobody's.

    Attributes
    ----------
    board, piece
        What the graph was made of.
    indptr : array of int32, length `board.size + 1`
    indices : array of int32, length `indptr[-1]`
        NumPy reads both without a copy: `numpy.asarray(graph.indices)`.
    """

    board: Board
    piece: Piece
    indptr: array[int] = field(repr=False)
    indices: array[int] = field(repr=False)

    def neighbours(self, square: int) -> tuple[int, ...]:
        """Return the squares one move away, in the order of the piece's steps."""
        return tuple(self.indices[self.indptr[square] : self.indptr[square + 1]])

    def degree(self, square: int) -> int:
        """Return the number of squares one move away."""
        return self.indptr[square + 1] - self.indptr[square]

    def adjacency(self) -> list[tuple[int, ...]]:
        """Return the neighbours of every square, holes included, as a list by square."""
        indptr, indices = self.indptr, self.indices
        return [tuple(indices[indptr[square] : indptr[square + 1]]) for square in range(self.board.size)]

    def __contains__(self, move: object) -> bool:
        """Whether `(from, to)`, two square numbers, is a move."""
        if not (isinstance(move, tuple) and len(move) == 2):
            return False
        source, target = move
        return isinstance(source, int) and 0 <= source < self.board.size and target in self.neighbours(source)


@lru_cache(maxsize=4)
def move_graph(board: Board, piece: Piece = KNIGHT) -> MoveGraph:
    """Return the graph of a piece's moves on a board.

    Holes are never entered; a rider stops in front of them. On glued edges a step wraps round; steps
    that lead to the same square count once, and a step back to its own square not at all.

    Cost: time and memory proportional to the number of moves.

    Raises
    ------
    BoardTooLarge
        On more than four million squares, or a rider's moves by more than about forty million.

    Examples
    --------
    >>> graph = move_graph(Board(3, 3), KNIGHT)
    >>> graph.neighbours(0), graph.degree(4)
    ((5, 7), 0)
    """
    board.require_at_most(MAX_GRAPH_SQUARES, "a move graph")
    if piece.slides:
        reach = len(piece.steps) * max(board.rows, board.cols) // 2
        board.require_at_most(max(MAX_RIDER_MOVES // reach, 1), f"the move graph of a {piece}")
    if board.size >= MANY_SQUARES and not piece.slides:
        return MoveGraph(board, piece, *_leaps(board, piece))
    indptr, indices = array("i", [0]), array("i")
    for square in range(board.size):
        if square not in board.holes:
            indices.extend(dict.fromkeys(_reached(board, piece, square)))
        indptr.append(len(indices))
    return MoveGraph(board, piece, indptr, indices)


def _leaps(board: Board, piece: Piece) -> tuple[array[int], array[int]]:
    """Return the rows of the move graph of a leaper, all squares at once: the same as step by step, but sooner."""
    import numpy as np  # noqa: PLC0415 - not for small boards

    squares = np.arange(board.size, dtype=np.int32)
    exists = np.ones(board.size, np.bool_)
    exists[list(board.holes)] = False
    rows, cols = np.divmod(squares, np.int32(board.cols))
    reach = max(max(abs(down), abs(right)) for down, right in piece.steps)
    meets = board.wrap != "none" and min(board.rows, board.cols) <= 2 * reach  # two steps may lead to one square
    targets = np.full((board.size, len(piece.steps)), -1, np.int32)
    for number, (down, right) in enumerate(piece.steps):
        # Far steps leave any board, and round glued edges they are shortened; so nothing here exceeds 32 bits.
        row, col = rows + _shortened(down, board.rows), cols + _shortened(right, board.cols)
        if board.wrap != "none":
            col = (cols + right % board.cols) % board.cols
        if board.wrap == "torus":
            row = (rows + down % board.rows) % board.rows
        valid = exists & (row >= 0) & (row < board.rows) & (col >= 0) & (col < board.cols)
        target = np.where(valid, row * board.cols + col, 0)
        valid &= exists[target] & (target != squares)
        for earlier in range(number if meets else 0):
            valid &= targets[:, earlier] != target
        targets[:, number] = np.where(valid, target, -1)
    found = targets >= 0
    indptr = np.zeros(board.size + 1, np.int32)
    np.cumsum(found.sum(axis=1), out=indptr[1:])
    return array("i", indptr.tobytes()), array("i", targets[found].astype(np.intc).tobytes())


def _shortened(step: int, side: int) -> int:
    return max(-side, min(step, side))


def _reached(board: Board, piece: Piece, square: int) -> Iterator[int]:
    row, col = board.cell(square)
    for down, right in piece.steps:
        target = step(board, (row, col), (down, right))
        while target is not None and target != square and target not in board.holes:
            yield target
            if not piece.slides:
                break
            target = step(board, board.cell(target), (down, right))


def step(board: Board, cell: Cell, by: Cell) -> int | None:
    """Return the square one step away from a cell, round glued edges, or None off the board.

    Holes are not looked at.
    """
    row, col = cell[0] + by[0], cell[1] + by[1]
    if board.wrap != "none":
        col %= board.cols
        if board.wrap == "torus":
            row %= board.rows
    if 0 <= row < board.rows and 0 <= col < board.cols:
        return row * board.cols + col
    return None


def is_move(board: Board, piece: Piece, source: Cell, target: Cell) -> bool:
    """Whether a leaper jumps from one cell of the board to another in one move (no graph is built)."""
    if not (0 <= target[0] < board.rows and 0 <= target[1] < board.cols):
        return False
    square = target[0] * board.cols + target[1]
    return source != target and any(step(board, source, by) == square for by in piece.steps)


def queen_lines(board: Board, cell: Cell) -> tuple[int, int, int, int]:
    r"""Return the numbers of the row, column, diagonal (\\) and antidiagonal (/) through a cell.

    Two queens attack each other exactly if they share one of them; holes do not shield. Round glued
    edges a diagonal goes on: on a cylinder it is numbered modulo the columns, on a torus modulo
    gcd(rows, columns), the number of its different diagonals.

    Examples
    --------
    >>> queen_lines(Board(8), (2, 5))
    (2, 5, -3, 7)
    >>> queen_lines(Board(8, wrap="torus"), (2, 5))
    (2, 5, 5, 7)
    """
    row, col = cell
    down, up = row - col, row + col
    if board.wrap != "none":
        modulus = board.cols if board.wrap == "cylinder" else gcd(board.rows, board.cols)
        down, up = down % modulus, up % modulus
    return row, col, down, up
