"""How a tour is measured: its moves as one byte each, then counts of bytes.

Almost all that can be said of a tour's shape depends only on the directions of its moves. So the squares
are read once, and each move becomes a byte: the number of its step in the piece's own order, and that plus the number
of steps if the move goes across a glued edge. Directions, turns and angles are counts of bytes and of
pairs of bytes; whether a symmetry maps a tour to itself is a comparison of byte strings.

Crossings: two moves meet only if they are near each other, and whether they do depends only on their two
directions and the offset between them. All offsets at which two directions meet are found once, by integer geometry;
then the moves are counted that have a move of the other direction at that offset. This is linear in the
number of moves, where comparing all pairs is quadratic. The pairs are kept as the reference, and because they are
quicker when a few moves are long.

Each measure has a plain rung here, and one over arrays in `tours/analysis/measures_arrays.py` for large tours.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, product
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from backrank.errors import InvalidPuzzle
from backrank.geometry.board import Board, Cell
from backrank.geometry.pieces import Piece
from backrank.geometry.verify import tour_faults

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Squares: TypeAlias = Sequence[int] | NDArray[np.integer[Any]]

SMALL = 10_000  # up to here plain Python answers before NumPy has been loaded
MAX_STEPS = 64  # directions are bits of a 64-bit number


@dataclass(frozen=True, slots=True)
class MeasuredTour:
    """A tour that has been read: its squares, and its moves as bytes.

    Attributes
    ----------
    squares : list of int, or integer array
        A list is measured in plain Python, an array in NumPy.
    codes : bytes
        One for each move, the closing one included: the index of its step, plus the number of steps if it goes across
        a glued edge.
    """

    board: Board
    piece: Piece
    squares: list[int] | NDArray[np.integer[Any]]
    closed: bool
    codes: bytes | bytearray

    @property
    def directions(self) -> bytes | bytearray:
        """The index of the step of each move."""
        steps = len(self.piece.steps)
        return self.codes.translate(bytes(code % steps for code in range(256)))


class Meetings(NamedTuple):
    """How many pairs of moves cross, lie on each other, and touch."""

    crossings: int
    overlaps: int
    touches: int


class Sums(NamedTuple):
    """Sums of the numbered board; the steps on the two diagonals of a square board, first step 1, else none."""

    rows: list[int]
    cols: list[int]
    diagonals: tuple[list[int], list[int]] | None


# --- reading ----------------------------------------------------------------------------------------


def read_walk(board: Board, squares: Squares, *, closed: bool, piece: Piece) -> MeasuredTour:
    """Check a tour and turn its moves into bytes.

    Raises
    ------
    InvalidPuzzle
        If it is not a tour, or the piece has too many steps.
    """
    if len(piece.steps) > MAX_STEPS or piece.slides:
        raise InvalidPuzzle(f"facts are known of tours by leapers of at most {MAX_STEPS} steps, not by a {piece}")
    codes = _codes_of_differences(board, piece)
    if len(squares) > SMALL:
        return _read_array(board, squares, codes, closed=closed, piece=piece)
    listed = [board.square(int(square)) for square in squares]
    cells = [board.cell(square) for square in listed]
    faults = tour_faults(board, cells, closed=closed, piece=piece)
    if faults:
        raise _no_tour(board, faults[0].message)
    onward = cells[1:] + cells[:1] if closed else cells[1:]
    moves = zip(cells, onward, strict=closed)
    return MeasuredTour(board, piece, listed, closed, bytes(codes[b[0] - a[0], b[1] - a[1]] for a, b in moves))


def _no_tour(board: Board, why: str) -> InvalidPuzzle:
    return InvalidPuzzle(f"only a tour has facts, and this is none of {board}: {why}; its faults say more")


def _codes_of_differences(board: Board, piece: Piece) -> dict[Cell, int]:
    """Return the byte for each difference of cells that is a move.

    A step that needs no glued edge goes first; of several that lead round to the same square, the piece's first.
    """
    codes = {step: index for index, step in enumerate(piece.steps)}
    if board.wrap == "none":
        return codes
    for index, (down, right) in enumerate(piece.steps):
        downs = {down % board.rows, down % board.rows - board.rows} if board.wrap == "torus" else {down}
        rights = {right % board.cols, right % board.cols - board.cols}
        for difference in product(sorted(downs), sorted(rights)):
            codes.setdefault(difference, len(piece.steps) + index)
    return codes


def _read_array(board: Board, squares: Squares, codes: dict[Cell, int], *, closed: bool, piece: Piece) -> MeasuredTour:
    """Check and read a large tour: one fault is enough to refuse it."""
    import numpy as np  # noqa: PLC0415 - for large tours only

    from backrank.tours.analysis import measures_arrays as kernel  # noqa: PLC0415 - for large tours only

    array = np.asarray(squares)
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise _no_tour(board, f"its squares are an array of {array.dtype} in {array.ndim} dimensions, not a row of int")
    if len(array) != len(board):
        raise _no_tour(board, f"it has {len(array):,} squares, the board {len(board):,}")
    wrong = kernel.first_wrong_visit(array, board.size, np.array(sorted(board.holes), np.int64))
    if wrong >= 0:
        raise _no_tour(board, f"step {wrong + 1:,} is off the board, on a hole, or on a square for the second time")
    made = kernel.move_codes(array, board.cols, codes, closed=closed)
    wrong = made.find(kernel.NO_STEP)
    if wrong >= 0:
        source, target = (board.name(int(array[at % len(array)])) for at in (wrong, wrong + 1))
        raise _no_tour(board, f"from {source}, step {wrong + 1:,}, no {piece} move leads to {target}")
    return MeasuredTour(board, piece, array, closed, made)


# --- directions -------------------------------------------------------------------------------------


def transitions(walk: MeasuredTour) -> Counter[tuple[int, int]]:
    """Count the pairs of directions of consecutive moves; round the end of a closed tour too."""
    moves, steps = walk.directions, len(walk.piece.steps)
    if isinstance(walk.squares, list):
        return Counter(zip(moves, moves[1:] + moves[:1] if walk.closed else moves[1:], strict=walk.closed))
    from backrank.tours.analysis import measures_arrays as kernel  # noqa: PLC0415 - for large tours only

    return Counter(kernel.transition_counts(moves, steps, closed=walk.closed))


def longest_run(walk: MeasuredTour) -> int:
    """Return the number of moves of the longest straight run, round the end of a closed tour too."""
    moves = walk.directions
    if not moves:
        return 0
    if isinstance(walk.squares, list):
        lengths = [len(list(run)) for _, run in groupby(moves)]
        first, last, longest = lengths[0], lengths[-1], max(lengths)
    else:
        from backrank.tours.analysis import measures_arrays as kernel  # noqa: PLC0415 - for large tours only

        first, last, longest = kernel.run_lengths(moves)
    if walk.closed and first < len(moves) and moves[0] == moves[-1]:
        longest = max(longest, first + last)
    return longest


# --- crossings --------------------------------------------------------------------------------------


def meeting(by: Cell, offset: Cell, other: Cell) -> str | None:
    """How the segment from the origin by one vector meets the one from an offset by another vector.

    `"crossings"`: they have exactly one point in common, and it is an end of neither. `"overlaps"`: they have a stretch
    in common. `"touches"`: an end of one lies inside the other, and they do not overlap. Otherwise None: they are
    apart, or share an end.

    Examples
    --------
    >>> meeting((2, 1), (1, 0), (-1, 2)), meeting((0, 2), (0, 1), (0, 2)), meeting((0, 2), (0, 1), (1, 0))
    ('crossings', 'overlaps', 'touches')
    """
    turn = by[0] * other[1] - by[1] * other[0]
    along = offset[0] * other[1] - offset[1] * other[0]
    across = offset[0] * by[1] - offset[1] * by[0]
    if turn == 0:
        if across:
            return None
        begin = offset[0] * by[0] + offset[1] * by[1]
        end = begin + other[0] * by[0] + other[1] * by[1]
        return "overlaps" if max(begin, end) > 0 and min(begin, end) < by[0] ** 2 + by[1] ** 2 else None
    if turn < 0:
        turn, along, across = -turn, -along, -across
    if 0 < along < turn and 0 < across < turn:
        return "crossings"
    is_end = (along in {0, turn} and 0 < across < turn) or (across in {0, turn} and 0 < along < turn)
    return "touches" if is_end else None


class _Table(NamedTuple):
    """The directions of the moves, downwards or to the right, and at which offsets two of them meet."""

    vectors: list[Cell]
    offsets: list[tuple[str, int, int, Cell]]  # how, direction, other direction, offset of the other


def meetings(walk: MeasuredTour) -> Meetings:
    """Count the pairs of moves that meet; moves across glued edges are left out."""
    used = sorted(code for code in set(walk.codes) if code < len(walk.piece.steps))
    vectors = sorted({max(step, (-step[0], -step[1])) for step in (walk.piece.steps[code] for code in used)})
    boxes = sum((a[0] + b[0] + 1) * (abs(a[1]) + abs(b[1]) + 1) for a, b in product(vectors, vectors)) // 2
    if isinstance(walk.squares, list) and len(walk.codes) ** 2 <= boxes:
        return meetings_of_pairs(walk)
    table = _Table(vectors, list(_offsets(vectors)))
    if isinstance(walk.squares, list):
        return _counted(walk, table)
    from backrank.tours.analysis import measures_arrays as kernel  # noqa: PLC0415 - for large tours only

    steps = [(code, walk.piece.steps[code]) for code in used]
    bits = kernel.direction_bits(walk.squares, walk.codes, steps, vectors, (walk.board.rows, walk.board.cols))
    found: Counter[str] = Counter()
    for (how, *_), count in zip(table.offsets, kernel.meeting_counts(bits, table.offsets), strict=True):
        found[how] += count
    return Meetings(found["crossings"], found["overlaps"], found["touches"])


def meetings_of_pairs(walk: MeasuredTour) -> Meetings:
    """Count the pairs of moves that meet by looking at all of them: the reference."""
    moves = list(_straight_moves(walk))
    found = Counter(
        meeting(by, (other[0] - cell[0], other[1] - cell[1]), far)
        for number, (cell, by) in enumerate(moves)
        for other, far in moves[:number]
    )
    return Meetings(found["crossings"], found["overlaps"], found["touches"])


def _straight_moves(walk: MeasuredTour) -> Iterator[tuple[Cell, Cell]]:
    """Yield the upper (or left) end of each move that crosses no glued edge, and its vector from there."""
    steps = walk.piece.steps
    for square, code in zip(walk.squares, walk.codes, strict=False):
        if code < len(steps):
            (row, col), (down, right) = walk.board.cell(square), steps[code]
            upwards = steps[code] < (0, 0)
            yield ((row + down, col + right), (-down, -right)) if upwards else ((row, col), (down, right))


def _offsets(vectors: list[Cell]) -> Iterator[tuple[str, int, int, Cell]]:
    """Yield each way in which two directions meet, each pair of moves in one of its two orders."""
    for (first, a), (second, b) in product(enumerate(vectors), repeat=2):
        downs = range(a[0] + 1)
        rights = range(min(0, a[1]) - max(0, b[1]), max(0, a[1]) - min(0, b[1]) + 1)
        for offset in product(downs, rights):
            if offset > (0, 0) or (offset == (0, 0) and first < second):
                how = meeting(a, offset, b)
                if how:
                    yield how, first, second, offset


def _counted(walk: MeasuredTour, table: _Table) -> Meetings:
    """Count with sets of moves: one number holds the cell and the direction, so an offset is a difference."""
    width = walk.board.cols + max((abs(offset[1]) for *_, offset in table.offsets), default=0)
    number = {vector: index for index, vector in enumerate(table.vectors)}
    moves: defaultdict[int, set[int]] = defaultdict(set)
    for (row, col), vector in _straight_moves(walk):
        moves[number[vector]].add(row * width + col)
    found: Counter[str] = Counter()
    for how, first, second, (down, right) in table.offsets:
        apart = down * width + right
        found[how] += len(moves[second].intersection([cell + apart for cell in moves[first]]))
    return Meetings(found["crossings"], found["overlaps"], found["touches"])


# --- sums -------------------------------------------------------------------------------------------


def numbered_sums(walk: MeasuredTour) -> Sums:
    """Add up the numbers of each row and column, and note which of them are on the diagonals."""
    board, squares = walk.board, walk.squares
    if not isinstance(squares, list):
        from backrank.tours.analysis import measures_arrays as kernel  # noqa: PLC0415 - for large tours only

        return Sums(*kernel.line_sums(squares, board.rows, board.cols))
    rows, cols = [0] * board.rows, [0] * board.cols
    down: list[int] = []
    up: list[int] = []
    for number, square in enumerate(squares, 1):
        row, col = divmod(square, board.cols)
        rows[row] += number
        cols[col] += number
        if row == col:
            down.append(number)
        if row + col == board.rows - 1:
            up.append(number)
    return Sums(rows, cols, (down, up) if board.rows == board.cols else None)


def equal_starts(walk: MeasuredTour, sums: Sums, starts: Sequence[int]) -> list[int]:
    """Return those numbers of squares to pass, of some in ascending order, after which all rows and all columns agree.

    Squares that are passed are numbered last: that adds the number of squares to their rows and columns, while what is
    taken from each number changes all rows alike, if they are equally long, and all columns.
    """
    if not isinstance(walk.squares, list):
        from backrank.tours.analysis import measures_arrays as kernel  # noqa: PLC0415 - for large tours only

        return kernel.equal_starts(walk.squares, (sums.rows, sums.cols), starts, walk.board.cols)
    rows, cols, passed = list(sums.rows), list(sums.cols), 0
    found = []
    for start in starts:
        for square in walk.squares[passed:start]:
            row, col = divmod(square, walk.board.cols)
            rows[row] += len(walk.squares)
            cols[col] += len(walk.squares)
        passed = start
        if len(set(rows)) == len(set(cols)) == 1:
            found.append(start)
    return found
