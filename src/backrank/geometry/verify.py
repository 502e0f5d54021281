"""Every fault of a claimed tour or placement. Imports geometry only: it knows no solver, and trusts none.

A claim is what somebody wrote down, so it is taken as cells `(row, col)` that may lie anywhere, or as a
grid of printed numbers that may lack some and repeat others. No fault hides another one: the list
that comes back is complete, in reading order. A fault that touches many squares (all that a tour never visits,
all queens of one diagonal) is one entry that names them, so the list stays readable.
"""

from __future__ import annotations

import operator
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from typing import NamedTuple

from backrank.errors import MOST_WHOLE, InvalidPuzzle, UnknownName, counted, shown, whole
from backrank.geometry.board import Board, Cell, file_name
from backrank.geometry.pieces import KNIGHT, Piece, is_move, queen_lines, step

Grid = Sequence[Sequence[int | None]]

MAX_CHECKED_SQUARES = 20_000_000
PLACED_PIECES = ("queen", "amazon")
# How many missing squares are named at most: a constant, and some for each square of the path. All are counted.
NAMED_MISSING, NAMED_MISSING_EACH = 400, 4
_SHOWN = 12


class FaultKind(StrEnum):
    """What can be wrong."""

    OFF_BOARD = "off the board"
    ON_HOLE = "on a hole"
    REPEATED_SQUARE = "repeated square"
    MISSING_SQUARES = "missing squares"
    NOT_A_MOVE = "not a move"
    WRONG_START = "wrong start"
    WRONG_END = "wrong end"
    NOT_CLOSED = "not closed"
    WRONG_SHAPE = "wrong shape"
    NUMBER_REPEATED = "number repeated"
    NUMBERS_SKIPPED = "numbers skipped"
    NUMBER_OUT_OF_RANGE = "number out of range"
    SAME_ROW = "same row"
    SAME_COLUMN = "same column"
    SAME_DIAGONAL = "same diagonal"
    KNIGHT_MOVE = "knight's move"
    WRONG_COUNT = "wrong number of queens"


class _Rules(NamedTuple):
    """What a tour must be, besides legal: bundled, because the checks below all hand it on."""

    closed: bool
    start: int | None
    end: int | None
    piece: Piece


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault: its kind, a sentence, and where it is.

    Attributes
    ----------
    kind : FaultKind
    message : str
        One line for people.
    cells : tuple of (row, col)
        The cells it concerns, in order; they may lie off the board. Of missing squares the first 400 are named, and
        four more for each square visited; the message says how many there are.
    steps : tuple of int
        The steps of the tour it concerns, the first step being 1.
    """

    kind: FaultKind
    message: str
    cells: tuple[Cell, ...] = ()
    steps: tuple[int, ...] = ()

    def __str__(self) -> str:
        return f"{self.kind}: {self.message}"


def tour_faults(
    board: Board,
    cells: Sequence[Cell],
    *,
    closed: bool = False,
    start: int | None = None,
    end: int | None = None,
    piece: Piece = KNIGHT,
) -> list[Fault]:
    """Return all faults of a claimed tour; none means that it is one.

    Parameters
    ----------
    board : Board
    cells : sequence of (row, col)
        The claimed tour in the order of its steps, 0-based.
    closed : bool
        Whether the last square must be one move from the first.
    start, end : int, optional
        Squares on which it must begin and end.
    piece : Piece
        A leaper; the knight if not given.

    Examples
    --------
    >>> [str(fault) for fault in tour_faults(Board(1, 3), [(0, 0), (0, 1), (0, 1)])]  # doctest: +NORMALIZE_WHITESPACE
    ['repeated square: b1 is visited 2 times, at steps 2, 3',
     'not a move: step 1 to 2, a1 to b1, is not a knight move',
     'not a move: step 2 to 3, b1 to b1, is not a knight move',
     'missing squares: 1 of 3 squares is never visited: c1']
    """
    rules = _checked_rules(board, _Rules(closed, start, end, piece))
    cells = _checked_cells(cells)
    visits: dict[Cell, list[int]] = defaultdict(list)
    for number, cell in enumerate(cells, 1):
        visits[cell].append(number)
    faults: list[Fault] = []
    before: Cell | None = None
    for number, cell in enumerate(cells, 1):
        fault = _standing_fault(board, cell, visits[cell], number)
        if fault:
            faults.append(fault)
        if before is not None and not _is_legal(board, piece, before, cell):
            faults.append(_not_a_move(board, piece, (before, cell), number))
        before = cell
    faults += _missing(board, visits)
    return faults + _ends(board, cells, rules, len(cells))


def grid_faults(
    board: Board,
    grid: Grid,
    *,
    closed: bool = False,
    start: int | None = None,
    end: int | None = None,
    piece: Piece = KNIGHT,
    first: int = 1,
) -> list[Fault]:
    r"""Return all faults of a tour printed as a board of numbers.

    Parameters
    ----------
    board : Board
    grid : rows of numbers
        What stands on each square; None where nothing does. Every row must have `board.cols` entries.
    first : int
        The number of the first step: 1 or 0.
    closed, start, end, piece
        As for :func:`tour_faults`.

    Examples
    --------
    >>> print(*grid_faults(Board(1, 3), [[1, 3, 3]]), sep="\n")
    number repeated: 3 is printed 2 times, on b1, c1
    numbers skipped: 1 of 1 to 3 is not printed: 2
    """
    rules = _checked_rules(board, _Rules(closed, start, end, piece))
    whole(first, "the number of the first step", -MOST_WHOLE, MOST_WHOLE)
    faults = _shape_faults(board, grid)
    if faults:
        return faults
    _require_numbers(grid)
    where: dict[int, list[Cell]] = defaultdict(list)
    last = first + len(board) - 1
    for row, line in enumerate(grid):
        for col, number in enumerate(line):
            cell = (row, col)
            if number is None:
                continue
            if row * board.cols + col in board.holes:
                message = f"{counted(number, 'd')} stands on the hole {label(board, cell)}"
                faults.append(Fault(FaultKind.ON_HOLE, message, (cell,)))
            if first <= number <= last:
                where[number].append(cell)
            else:
                written = counted(number, "d")
                message = f"{written} on {label(board, cell)} is not one of {first} to {last}"
                faults.append(Fault(FaultKind.NUMBER_OUT_OF_RANGE, message, (cell,)))
    for number, cells in sorted(where.items()):
        if len(cells) > 1:
            message = f"{number} is printed {len(cells)} times, on {_listed(label(board, cell) for cell in cells)}"
            faults.append(Fault(FaultKind.NUMBER_REPEATED, message, tuple(cells), (number - first + 1,)))
    skipped = [number for number in range(first, last + 1) if number not in where]
    if skipped:
        are = "is" if len(skipped) == 1 else "are"
        message = f"{len(skipped)} of {first} to {last} {are} not printed: {_listed(map(str, skipped))}"
        faults.append(Fault(FaultKind.NUMBERS_SKIPPED, message, steps=tuple(number - first + 1 for number in skipped)))
    return faults + _grid_path_faults(board, where, first, rules)


def _grid_path_faults(board: Board, where: dict[int, list[Cell]], first: int, rules: _Rules) -> list[Fault]:
    """Check the moves between those consecutive numbers that stand on exactly one square each."""
    at = {number: cells[0] for number, cells in where.items() if len(cells) == 1}
    last = first + len(board) - 1
    faults = [
        _not_a_move(board, rules.piece, (at[number - 1], cell), number - first + 1)
        for number, cell in sorted(at.items())
        if number - 1 in at and not _is_legal(board, rules.piece, at[number - 1], cell)
    ]
    # Of an end that is printed several times, the one where it should be speaks for it.
    wanted = (None if square is None else board.cell(square) for square in (rules.start, rules.end))
    first_cell, last_cell = (
        next((cell for cell in where[number] if cell == at_best), where[number][0]) if number in where else None
        for number, at_best in zip((first, last), wanted, strict=True)
    )
    if first_cell is None:
        rules = rules._replace(closed=False, start=None)
    if last_cell is None:
        rules = rules._replace(closed=False, end=None)
    if not (first in at and last in at):
        rules = rules._replace(closed=False)
    ends = [cell for cell in (first_cell, last_cell) if cell is not None]
    return faults + _ends(board, ends, rules, len(board))


def queens_faults(
    board: Board, cells: Sequence[Cell], *, queens: int | None = None, piece: str = "queen"
) -> list[Fault]:
    r"""Return all faults of a claimed placement of queens; none means that no two attack each other.

    Queens see through holes; on glued edges they see round them.

    Parameters
    ----------
    board : Board
    cells : sequence of (row, col)
        Where the queens stand, 0-based.
    queens : int, optional
        How many there must be; the shorter side of the board if not given.
    piece : {"queen", "amazon"}
        An amazon is queen and knight in one.

    Examples
    --------
    >>> print(*queens_faults(Board(4), [(0, 0), (1, 2), (2, 1), (3, 3)]), sep="\n")
    same diagonal: a4, d1 stand on one diagonal
    same diagonal: c3, b2 stand on one diagonal
    """
    wanted = min(board.rows, board.cols) if queens is None else queens
    whole(wanted, "the number of queens", 0, MOST_WHOLE)
    if piece not in PLACED_PIECES:
        raise UnknownName("piece", piece, PLACED_PIECES)
    cells = _checked_cells(cells)
    faults: list[Fault] = []
    visits: dict[Cell, list[int]] = defaultdict(list)
    for number, cell in enumerate(cells, 1):
        visits[cell].append(number)
    for cell, numbers in visits.items():
        fault = _standing_fault(board, cell, numbers, numbers[0], noun="queen")
        if fault:
            faults.append(fault)
    if len(cells) != wanted:
        message = f"{len(cells)} of {wanted} wanted queens stand on the board"
        faults.append(Fault(FaultKind.WRONG_COUNT, message))
    standing = sorted(cell for cell in visits if _on_board(board, cell))
    return faults + _shared_lines(board, standing) + (_knight_faults(board, standing) if piece == "amazon" else [])


def _shared_lines(board: Board, cells: Iterable[Cell]) -> list[Fault]:
    kinds = (FaultKind.SAME_ROW, FaultKind.SAME_COLUMN, FaultKind.SAME_DIAGONAL, FaultKind.SAME_DIAGONAL)
    nouns = ("row", "column", "diagonal", "diagonal")
    lines: list[dict[int, list[Cell]]] = [defaultdict(list) for _ in kinds]
    for cell in cells:
        for line, number in zip(lines, queen_lines(board, cell), strict=True):
            line[number].append(cell)
    faults = []
    for kind, noun, line in zip(kinds, nouns, lines, strict=True):
        for _, sharing in sorted(line.items()):
            if len(sharing) > 1:
                message = f"{_listed(label(board, cell) for cell in sharing)} stand on one {noun}"
                faults.append(Fault(kind, message, tuple(sharing)))
    return faults


def _knight_faults(board: Board, cells: Sequence[Cell]) -> list[Fault]:
    """Return the pairs that are a knight's move apart, in reading order."""
    standing, faults = set(cells), []
    for cell in cells:
        targets = {board.cell(to) for by in KNIGHT.steps if (to := step(board, cell, by)) is not None}
        for other in sorted(targets & standing):
            if cell < other:
                message = f"{label(board, cell)}, {label(board, other)} stand a knight's move apart"
                faults.append(Fault(FaultKind.KNIGHT_MOVE, message, (cell, other)))
    return faults


def _checked_rules(board: Board, rules: _Rules) -> _Rules:
    """Refuse what no tour can be asked for; return the rules with start and end as squares."""
    board.require_at_most(MAX_CHECKED_SQUARES, "checking")
    if rules.piece.slides:
        raise InvalidPuzzle(f"a tour is made by a leaper such as the knight, not by a {rules.piece}")
    start, end = (None if square is None else board.square(square) for square in (rules.start, rules.end))
    return rules._replace(start=start, end=end)


def _checked_cells(cells: Iterable[Sequence[int]]) -> list[Cell]:
    """Return the cells as pairs of ints, as whatever they come."""
    try:
        return [(operator.index(row), operator.index(col)) for row, col in cells]
    except (TypeError, ValueError):
        raise InvalidPuzzle("a claim is a sequence of cells (row, col), each two whole numbers") from None


def label(board: Board, cell: Cell) -> str:
    """Name a cell that may lie off the board."""
    if _on_board(board, cell):
        return f"{file_name(cell[1])}{board.rows - cell[0]}"
    return f"({counted(cell[0], 'd')},{counted(cell[1], 'd')})"


def _on_board(board: Board, cell: Cell) -> bool:
    return 0 <= cell[0] < board.rows and 0 <= cell[1] < board.cols


def _is_legal(board: Board, piece: Piece, source: Cell, target: Cell) -> bool:
    """Whether the step is a move; steps from or to nowhere are not judged again (being off the board is)."""
    if not (_on_board(board, source) and _on_board(board, target)):
        return True
    return is_move(board, piece, source, target)


def _standing_fault(board: Board, cell: Cell, numbers: list[int], number: int, noun: str = "step") -> Fault | None:
    """Return what is wrong with standing on this cell, told at its first visit only."""
    if number != numbers[0]:
        return None
    steps = tuple(numbers)
    at = f"{noun}{'s'[: len(steps) > 1]} {_listed(map(str, steps))}"
    if not _on_board(board, cell):
        return Fault(FaultKind.OFF_BOARD, f"{label(board, cell)} at {at} is off the {board} board", (cell,), steps)
    if cell[0] * board.cols + cell[1] in board.holes:
        return Fault(FaultKind.ON_HOLE, f"{label(board, cell)} at {at} is a hole", (cell,), steps)
    if len(steps) > 1:
        verb = "visited" if noun == "step" else "occupied"
        message = f"{label(board, cell)} is {verb} {len(steps)} times, at {at}"
        return Fault(FaultKind.REPEATED_SQUARE, message, (cell,), steps)
    return None


def _not_a_move(board: Board, piece: Piece, move: tuple[Cell, Cell], number: int) -> Fault:
    source, target = (label(board, cell) for cell in move)
    message = f"step {number - 1} to {number}, {source} to {target}, is not a {piece} move"
    return Fault(FaultKind.NOT_A_MOVE, message, move, (number - 1, number))


def _missing(board: Board, visits: dict[Cell, list[int]]) -> list[Fault]:
    """Return the fault of a path that leaves squares out; no more of a huge board is walked than can be named."""
    visited = sum(_on_board(board, cell) and cell[0] * board.cols + cell[1] not in board.holes for cell in visits)
    number = len(board) - visited
    if not number:
        return []
    left_out = (cell for cell in map(board.cell, board) if cell not in visits)
    missing = tuple(islice(left_out, NAMED_MISSING + NAMED_MISSING_EACH * len(visits)))
    are = "is" if number == 1 else "are"
    names = _listed([label(board, cell) for cell in missing[: _SHOWN + 3]], number)
    message = f"{number} of {len(board)} squares {are} never visited: {names}"
    return [Fault(FaultKind.MISSING_SQUARES, message, missing)]


def _ends(board: Board, cells: Sequence[Cell], rules: _Rules, length: int) -> list[Fault]:
    """Check the first and the last of some cells, which stand for a tour of that many steps."""
    if not cells:
        return []
    first, last = cells[0], cells[-1]
    faults: list[Fault] = []
    if rules.start is not None:
        faults += start_faults(board, first, rules.start)
    if rules.end is not None and last != board.cell(rules.end):
        message = f"it ends on {label(board, last)}, not on {board.name(rules.end)}"
        faults.append(Fault(FaultKind.WRONG_END, message, (last,), (length,)))
    if rules.closed and length < 3:
        message = f"a closed tour has at least 3 squares, not {length}"
        faults.append(Fault(FaultKind.NOT_CLOSED, message, (last, first), (length, 1)))
    elif rules.closed and not (is_closing(board, rules.piece, first, last)):
        message = f"from {label(board, last)}, the last square, no {rules.piece} move leads to {label(board, first)}"
        faults.append(Fault(FaultKind.NOT_CLOSED, message, (last, first), (length, 1)))
    return faults


def start_faults(board: Board, first: Cell, start: int) -> list[Fault]:
    """Return the fault of a tour whose first cell is not where it must start, if so."""
    if first == board.cell(start):
        return []
    message = f"it starts on {label(board, first)}, not on {board.name(start)}"
    return [Fault(FaultKind.WRONG_START, message, (first,), (1,))]


def is_closing(board: Board, piece: Piece, first: Cell, last: Cell) -> bool:
    """Whether a tour with these ends can be closed by one more move."""
    return _on_board(board, first) and _on_board(board, last) and is_move(board, piece, last, first)


def _require_numbers(grid: Grid) -> None:
    """Raise InvalidPuzzle unless each entry is a whole number or None."""
    for row, line in enumerate(grid, 1):
        for number in line:
            if number is not None and not hasattr(number, "__index__"):
                raise InvalidPuzzle(f"row {row} of the grid must hold whole numbers or None, not {shown(number)}")


def _shape_faults(board: Board, grid: Grid) -> list[Fault]:
    faults = []
    if len(grid) != board.rows:
        faults.append(Fault(FaultKind.WRONG_SHAPE, f"the grid has {len(grid)} rows, the board {board.rows}"))
    for row, line in enumerate(grid):
        if len(line) != board.cols:
            message = f"row {row + 1} of the grid has {len(line)} numbers, the board has {board.cols} columns"
            faults.append(Fault(FaultKind.WRONG_SHAPE, message))
    return faults


def _listed(words: Iterable[str], number: int | None = None) -> str:
    """Join words with commas; a long list is cut after 12. `number` counts them all, if only the first are given."""
    listed = list(words)
    number = len(listed) if number is None else number
    if number > _SHOWN + 3:
        return f"{', '.join(listed[:_SHOWN])} and {number - _SHOWN} more"
    return ", ".join(listed)
