"""Shared Hypothesis strategies: boards, squares, leapers, walks, tours and placements, whole and broken.

Nothing here asks the package whether something is legal: moves, tours and placements come from a few lines of
brute force of their own, so that a test never checks the package against itself. Importing this module makes
Hypothesis deterministic for the tests that use it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice, pairwise, permutations
from typing import NamedTuple

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from backrank.geometry.board import WRAPS, Board, Cell
from backrank.geometry.pieces import BISHOP, KING, KNIGHT, QUEEN, ROOK, Piece, leaper
from backrank.geometry.verify import FaultKind

settings.register_profile(
    "deterministic",
    derandomize=True,
    database=None,
    deadline=None,
    max_examples=80,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("deterministic")


# --- what is legal, said once more and differently -------------------------------------------------


def is_leap(board: Board, source: Cell, target: Cell, r: int = 1, s: int = 2) -> bool:
    """Whether an (r, s)-leaper may jump from one cell to another: by differences, not by steps. Holes forbid it."""
    for row, col in (source, target):
        if not (0 <= row < board.rows and 0 <= col < board.cols) or row * board.cols + col in board.holes:
            return False
    down, right = target[0] - source[0], target[1] - source[1]
    ways_down = {abs(down)} if board.wrap != "torus" else _around(down, board.rows, r + s)
    ways_right = {abs(right)} if board.wrap == "none" else _around(right, board.cols, r + s)
    return source != target and (
        (r in ways_down and s in ways_right) or (s in ways_down and r in ways_right)  # the leap, or the leap turned
    )


def _around(difference: int, side: int, reach: int) -> set[int]:
    """All lengths, up to some reach, that lead over a difference round a glued edge."""
    return {
        length for length in range(reach + 1) if (length - difference) % side == 0 or (length + difference) % side == 0
    }


def leaps(board: Board, source: Cell, r: int = 1, s: int = 2) -> list[Cell]:
    """All cells an (r, s)-leaper reaches in one move, in reading order."""
    cells = ((row, col) for row in range(board.rows) for col in range(board.cols))
    return [cell for cell in cells if is_leap(board, source, cell, r, s)]


@lru_cache(maxsize=256)
def leap_table(board: Board, r: int = 1, s: int = 2) -> dict[Cell, tuple[Cell, ...]]:
    """The leaps of every cell of a board, holes included (they have none)."""
    cells = [(row, col) for row in range(board.rows) for col in range(board.cols)]
    return {cell: tuple(leaps(board, cell, r, s)) for cell in cells}


def _paths(board: Board, start: Cell, *, closed: bool = False) -> Iterator[tuple[Cell, ...]]:
    """All directed tours from a start: plain backtracking, cut where a square can no longer be passed through."""
    near = [0] * board.size
    for (row, col), onward in leap_table(board).items():
        near[row * board.cols + col] = sum(1 << (r * board.cols + c) for r, c in onward)
    first = start[0] * board.cols + start[1]

    def extended(path: list[int], free: int) -> Iterator[list[int]]:
        if not free and (not closed or near[path[-1]] >> first & 1):
            yield path
        usable = free | 1 << path[-1] | closed << first
        ends = [square for square in board if free >> square & 1 and (near[square] & usable).bit_count() < 2]
        if len(ends) > (0 if closed else 1):
            return
        for square in board:
            if (near[path[-1]] & free) >> square & 1:
                yield from extended([*path, square], free & ~(1 << square))

    for path in extended([first], sum(1 << square for square in board if square != first)):
        yield tuple(map(board.cell, path))


@lru_cache(maxsize=64)
def brute_force_tours(board: Board, start: Cell | None = None) -> tuple[tuple[Cell, ...], ...]:
    """All directed open knight's tours of a small board, those whose ends are a move apart included."""
    starts = [board.cell(square) for square in board] if start is None else [start]
    return tuple(path for first in starts for path in _paths(board, first))


@lru_cache(maxsize=64)
def closed_tours(board: Board, limit: int | None = None) -> tuple[tuple[Cell, ...], ...]:
    """All directed closed knight's tours of a small board, or the first few, read from its first square."""
    return tuple(islice(_paths(board, board.cell(next(iter(board))), closed=True), limit))


@lru_cache(maxsize=64)
def brute_force_queens(board: Board) -> tuple[tuple[Cell, ...], ...]:
    """All ways to put one queen on each row of a small board so that none attacks another, and none is on a hole."""
    found = []
    for columns in permutations(range(board.cols), board.rows):
        cells = tuple(enumerate(columns))
        if all(cell[0] * board.cols + cell[1] not in board.holes for cell in cells) and not any(
            shares_diagonal(board, first, second, slope)
            for first in cells
            for second in cells
            if first < second
            for slope in (1, -1)
        ):
            found.append(cells)
    return tuple(found)


def shares_diagonal(board: Board, first: Cell, second: Cell, slope: int) -> bool:
    """Whether two cells are on one diagonal of a slope (1 is \\, -1 is /): by walking along it, round glued edges."""
    if board.wrap == "none":
        return second[1] - first[1] == slope * (second[0] - first[0])
    if board.wrap == "cylinder":
        return (second[1] - first[1] - slope * (second[0] - first[0])) % board.cols == 0
    row, col = first
    for _ in range(board.rows * board.cols):
        row, col = (row + 1) % board.rows, (col + slope) % board.cols
        if (row, col) == second:
            return True
    return False


# --- boards and squares ----------------------------------------------------------------------------


@st.composite
def boards(
    draw: st.DrawFn,
    *,
    min_side: int = 1,
    max_side: int = 6,
    wraps: Sequence[str] = WRAPS,
    with_holes: bool = True,
) -> Board:
    """Small boards: plain, glued, and with holes (as many as leave a square), unless narrowed."""
    rows = draw(st.integers(min_side, max_side), label="rows")
    cols = draw(st.integers(min_side, max_side), label="cols")
    wrap = draw(st.sampled_from(wraps), label="wrap")
    holes: set[int] = set()
    if with_holes and rows * cols > 1:
        holes = draw(st.sets(st.integers(0, rows * cols - 1), max_size=min(6, rows * cols - 1)), label="holes")
    return Board(rows, cols, holes=holes, wrap=wrap)


def plain_boards(min_side: int = 1, max_side: int = 6) -> st.SearchStrategy[Board]:
    """Small rectangles without holes or glued edges."""
    return boards(min_side=min_side, max_side=max_side, wraps=("none",), with_holes=False)


def glued_boards(min_side: int = 1, max_side: int = 6) -> st.SearchStrategy[Board]:
    """Small cylinders and tori without holes."""
    return boards(min_side=min_side, max_side=max_side, wraps=("cylinder", "torus"), with_holes=False)


def squares(board: Board) -> st.SearchStrategy[int]:
    """Squares of a board, holes left out."""
    return st.sampled_from(list(board))


def cells(board: Board) -> st.SearchStrategy[Cell]:
    """Cells of a board, holes left out."""
    return squares(board).map(board.cell)


def cells_anywhere(board: Board, margin: int = 2) -> st.SearchStrategy[Cell]:
    """Cells on a board, on its holes, and somewhat beyond its edges."""
    return st.tuples(st.integers(-margin, board.rows + margin - 1), st.integers(-margin, board.cols + margin - 1))


# --- pieces ----------------------------------------------------------------------------------------


def leaper_numbers(max_reach: int = 4) -> st.SearchStrategy[tuple[int, int]]:
    """The two numbers of a leaper, in either order, not both 0."""
    return st.tuples(st.integers(0, max_reach), st.integers(0, max_reach)).filter(any)


def leapers(max_reach: int = 4) -> st.SearchStrategy[Piece]:
    """Leapers: the knight, and its relatives up to some reach."""
    return st.one_of(st.just(KNIGHT), leaper_numbers(max_reach).map(lambda numbers: leaper(*numbers)))


def pieces() -> st.SearchStrategy[Piece]:
    """Leapers, the king, and riders."""
    return st.one_of(leapers(), st.sampled_from([KING, QUEEN, ROOK, BISHOP]))


# --- tours -----------------------------------------------------------------------------------------


class Claim(NamedTuple):
    """A claimed tour: the board, the cells in the order of the steps, and whether it is claimed to be closed."""

    board: Board
    cells: tuple[Cell, ...]
    closed: bool = False


class BrokenTour(NamedTuple):
    """A claim that was true until one thing was done to it, and the kind of fault that this must give."""

    claim: Claim
    kind: FaultKind


@st.composite
def walks(draw: st.DrawFn, board: Board, *, max_length: int = 20, twice: bool = False) -> tuple[Cell, ...]:
    """Legal knight's walks on a board, at least one square long; no square twice unless `twice`."""
    moves = leap_table(board)
    path = [draw(cells(board), label="start")]
    for _ in range(draw(st.integers(0, max_length - 1), label="moves")):
        onward = [cell for cell in moves[path[-1]] if twice or cell not in path]
        if not onward:
            break
        path.append(draw(st.sampled_from(onward)))
    return tuple(path)


@st.composite
def carved_tours(draw: st.DrawFn) -> Claim:
    """Valid open tours of boards of any shape: a walk, and every square that it leaves out made a hole."""
    grid = draw(boards(min_side=3, with_holes=False))
    path = draw(walks(grid))
    visited = {row * grid.cols + col for row, col in path}
    return Claim(Board(grid.rows, grid.cols, holes=set(range(grid.size)) - visited, wrap=grid.wrap), path)


OPEN_BOARDS = (Board(1), Board(3, 4), Board(4, 3), Board(5), Board(3, wrap="torus"))


CLOSED_BOARDS = (
    Board(3, wrap="torus"),
    Board.from_map("...\n.#.\n..."),
    Board(5, 6),
    Board(4, wrap="torus"),
)


@st.composite
def valid_tours(draw: st.DrawFn, *, closed: bool | None = None) -> Claim:
    """Valid tours, open or closed (an open claim may happen to close): of small boards, and of carved ones."""
    if closed is None:
        closed = draw(st.booleans(), label="closed")
    if closed:
        board = draw(st.sampled_from(CLOSED_BOARDS), label="board")
        path = draw(st.sampled_from(closed_tours(board, 200)), label="tour")
        turn = draw(st.integers(0, len(path) - 1), label="start")
        return Claim(board, path[turn:] + path[:turn], closed=True)
    if draw(st.booleans(), label="carved"):
        return draw(carved_tours())
    board = draw(st.sampled_from(OPEN_BOARDS), label="board")
    return Claim(board, draw(st.sampled_from(brute_force_tours(board)), label="tour"))


@st.composite
def broken_tours(draw: st.DrawFn) -> BrokenTour:
    """Tours with one thing broken: a square left out, visited twice, off the board, a hole, a step that is none."""
    board, path, closed = draw(valid_tours().filter(lambda claim: len(claim.cells) > 3))
    at = draw(st.integers(0, len(path) - 1), label="at")
    ways = ["drop", "double", "leave", "teleport"] + (["hole"] if board.holes else [])
    how = draw(st.sampled_from(ways), label="how")
    changed = list(path)
    if how == "drop":
        del changed[at]
        kind = FaultKind.MISSING_SQUARES
    elif how == "double":
        changed.insert(at, path[draw(st.integers(0, len(path) - 1), label="again")])
        kind = FaultKind.REPEATED_SQUARE
    elif how == "leave":
        changed[at] = draw(cells_anywhere(board).filter(lambda cell: not _is_inside(board, cell)), label="outside")
        kind = FaultKind.OFF_BOARD
    elif how == "hole":
        changed[at] = board.cell(draw(st.sampled_from(sorted(board.holes)), label="hole"))
        kind = FaultKind.ON_HOLE
    else:
        # Two squares change places; should that be a tour again, a step on the spot is none.
        other = draw(st.integers(0, len(path) - 1).filter(lambda step: step != at), label="other")
        changed[at], changed[other] = changed[other], changed[at]
        if all(is_leap(board, source, target) for source, target in pairwise(changed)):
            changed.insert(at, changed[at])
        kind = FaultKind.NOT_A_MOVE
    return BrokenTour(Claim(board, tuple(changed), closed), kind)


def _is_inside(board: Board, cell: Cell) -> bool:
    return 0 <= cell[0] < board.rows and 0 <= cell[1] < board.cols


def claimed_tours() -> st.SearchStrategy[Claim]:
    """Claims that may be true or false."""
    return st.one_of(valid_tours(), broken_tours().map(lambda broken: broken.claim), wild_claims())


@st.composite
def wild_claims(draw: st.DrawFn) -> Claim:
    """Claims of people who know no rules: any cells, inside and outside, some of them joined by moves."""
    board = draw(boards(max_side=5))
    path = list(draw(walks(board, twice=True, max_length=12)))
    for _ in range(draw(st.integers(0, 3), label="changes")):
        path.insert(draw(st.integers(0, len(path))), draw(cells_anywhere(board)))
    if draw(st.integers(0, 9), label="empty") == 9:
        path = []
    return Claim(board, tuple(path), draw(st.booleans(), label="closed"))


# --- placements ------------------------------------------------------------------------------------


class Queens(NamedTuple):
    """A claimed placement of queens."""

    board: Board
    cells: tuple[Cell, ...]


QUEEN_BOARDS = (
    *(Board(n) for n in (1, 4, 5, 6, 7)),
    Board(5, wrap="cylinder"),
    Board(7, wrap="cylinder"),
    Board(5, wrap="torus"),
    Board(7, wrap="torus"),
    Board(6, holes="a1 f6 c3"),
    Board(5, 6),
    Board(4, 7, wrap="cylinder"),
)


@st.composite
def valid_placements(draw: st.DrawFn) -> Queens:
    """Full placements in which no queen attacks another, in any order of the queens."""
    board = draw(st.sampled_from(QUEEN_BOARDS), label="board")
    placed = draw(st.sampled_from(brute_force_queens(board)), label="placement")
    return Queens(board, tuple(draw(st.permutations(placed), label="order")))


@st.composite
def broken_placements(draw: st.DrawFn) -> Queens:
    """Full placements of which one queen at least went elsewhere on the board, so that something is attacked."""
    board, placed = draw(valid_placements().filter(lambda queens: len(queens.cells) > 1))
    changed = list(placed)
    at = draw(st.integers(0, len(placed) - 1), label="at")
    # A square of another queen's row: its own row is empty now, that one has two.
    row = placed[draw(st.integers(0, len(placed) - 1).filter(lambda other: other != at), label="row of")][0]
    free = [(row, col) for col in range(board.cols) if (row, col) not in placed]
    changed[at] = draw(st.sampled_from([cell for cell in free if cell[0] * board.cols + cell[1] not in board.holes]))
    return Queens(board, tuple(changed))


@st.composite
def wild_placements(draw: st.DrawFn) -> Queens:
    """Any queens on any board, some of them off it or on one square."""
    board = draw(boards())
    return Queens(board, tuple(draw(st.lists(cells_anywhere(board, margin=1), max_size=8), label="queens")))


def claimed_placements() -> st.SearchStrategy[Queens]:
    """Placements that may be true or false."""
    return st.one_of(valid_placements(), broken_placements(), wild_placements())
