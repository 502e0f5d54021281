"""Placements that a symmetry leaves as they are, and from them the number of placements up to symmetry.

A placement that a rotation or reflection maps to itself consists of whole orbits of squares. So orbits are placed, not
queens: those whose own squares attack each other are thrown away first, which leaves few of a reflection and about
half of a rotation's. :mod:`backrank.queens.counting.symmetric_jit` then searches row by row.

*Classes.* By Burnside's lemma the number of classes of placements under a group is the mean, over all of its
symmetries, of the number of placements that each leaves as they are. For n >= 2 queens on a plain n x n board no
reflection leaves any, and what remains is the well-known (Q + P180 + 2 R90) / 8. With fewer queens than rows, on
rectangles with holes or on glued edges, reflections and shifts have their share, and nothing else changes.

The independent check is listing everything, and looking which placements are their own image, or the least of their
class.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from backrank.errors import BoardTooLarge, BudgetExceeded, InvalidPuzzle, UnknownName
from backrank.geometry.board import Board
from backrank.geometry.pieces import KNIGHT, queen_lines, step
from backrank.geometry.symmetry import ROTATIONS, canonical_set, permutations
from backrank.queens.backtracking.forecast import estimated_size
from backrank.queens.backtracking.reference import iter_placements
from backrank.queens.counting.methods import CountMethod, count
from backrank.queens.spec import QueensSpec
from backrank.runtime.budget import Counters, Meter

if TYPE_CHECKING:
    from backrank.queens.counting.symmetric_jit import OrbitsTable

MOST_LINES = 62
MOST_IMAGES = 200_000
Orbit = tuple[int, ...]


def rotation(board: Board, name: str) -> tuple[int, ...]:
    """Return a rotation of the rectangle as a permutation of its squares, whatever its holes and edges.

    Raises
    ------
    UnknownName, InvalidPuzzle
        If there is no such rotation, or the board is not square and it is a quarter turn.
    """
    if not isinstance(name, str) or name not in ROTATIONS:
        raise UnknownName("symmetry", name, tuple(ROTATIONS))
    if name == "90" and board.rows != board.cols:
        raise InvalidPuzzle(f"a quarter turn needs a square board, not {board}; symmetry 180 is for every board")
    return ROTATIONS[name].permutation(board)


def orbits_of(spec: QueensSpec, permutation: Sequence[int]) -> list[Orbit]:
    """Return the orbits of squares under a permutation that can be occupied as a whole, by their least square."""
    board, seen, orbits = spec.board, set[int](), list[Orbit]()
    for square in board:
        if square in seen:
            continue
        orbit, at = [square], permutation[square]
        while at != square:
            orbit.append(at)
            at = permutation[at]
        seen.update(orbit)
        if board.holes.isdisjoint(orbit) and _is_peaceful(spec, orbit):
            orbits.append(tuple(sorted(orbit)))
    return orbits


def _is_peaceful(spec: QueensSpec, orbit: Sequence[int]) -> bool:
    """Whether no two pieces on these squares attack each other."""
    board = spec.board
    for lines in zip(*(queen_lines(board, board.cell(square)) for square in orbit), strict=True):
        if len(set(lines)) < len(orbit):
            return False
    return spec.piece == "queen" or _knight_squares(board, orbit).isdisjoint(orbit)


def _knight_squares(board: Board, orbit: Sequence[int]) -> set[int | None]:
    """Return the squares a knight's move away from any of some squares, but for moves that lead back to the same."""
    return {to for square in orbit for by in KNIGHT.steps if (to := step(board, board.cell(square), by)) != square}


def count_symmetric(spec: QueensSpec, permutation: Sequence[int], meter: Meter) -> int:
    """Return the number of placements that a permutation of the squares leaves as they are.

    Cost: exponential, in the number of orbits: the time for n queens grows about threefold a row for half turns.

    Raises
    ------
    BudgetExceeded
        If a limit was reached first.
    BoardTooLarge
        If rows and columns together are more than 62.
    """
    if spec.queens == 0:
        return 1
    return _count_orbits(spec, orbits_of(spec, permutation), meter)


def _count_orbits(spec: QueensSpec, orbits: list[Orbit], meter: Meter) -> int:
    board = spec.board
    if board.rows + board.cols > MOST_LINES:
        raise BoardTooLarge(
            f"symmetric placements are counted on up to {MOST_LINES // 2} rows and columns, not {board}"
        )
    if sum(map(len, orbits)) < spec.queens:
        return 0
    import numpy as np  # noqa: PLC0415 - with numba, only when something is to be searched

    from backrank.queens.backtracking.slices import SearchTask, new_counters, total  # noqa: PLC0415
    from backrank.queens.counting.symmetric_jit import LEFT, NEXT, ROW, SKIPS, count_orbits  # noqa: PLC0415

    table = _table(spec, orbits)
    stack = np.zeros((board.rows + 2, 8), np.int64)
    stack[0, [ROW, NEXT, LEFT, SKIPS]] = 0, 0, spec.queens, board.rows - spec.queens
    task = SearchTask(lambda stack, counters: count_orbits(table, stack, counters), stack, new_counters())
    return total([task], meter=meter, threads=1)


def _table(spec: QueensSpec, orbits: list[Orbit]) -> OrbitsTable:
    import numpy as np  # noqa: PLC0415 - as above

    from backrank.queens.counting.symmetric_jit import OrbitsTable  # noqa: PLC0415

    board = spec.board
    top = [orbit[0] // board.cols for orbit in orbits]
    start = np.searchsorted(top, np.arange(board.rows + 1)).astype(np.int64)
    numbers: list[dict[int, int]] = [{}, {}]
    lines = np.zeros((len(orbits), 3), np.int64)
    for orbit, words in zip(orbits, lines, strict=True):
        for square in orbit:
            row, col, *diagonals = queen_lines(board, board.cell(square))
            words[0] |= 1 << row | 1 << board.rows + col
            for kind, diagonal in enumerate(diagonals):
                words[1 + kind] |= 1 << numbers[kind].setdefault(diagonal, len(numbers[kind]))
    near = np.zeros((len(orbits), len(orbits)) if spec.piece == "amazon" else (0, 0), np.uint8)
    for i in range(near.shape[0]):
        reached = _knight_squares(board, orbits[i])
        near[i] = [not reached.isdisjoint(orbit) for orbit in orbits]
    return OrbitsTable(start, lines, np.array([len(orbit) for orbit in orbits], np.int64), near)


def count_classes(spec: QueensSpec, chosen: CountMethod, meter: Meter, threads: int | None = None) -> int:
    """Return the number of placements up to the symmetries of the board, by Burnside's lemma.

    Raises
    ------
    BudgetExceeded
        If a limit was reached first; what was found is told in classes, at least.
    """
    group = permutations(spec.board)
    known: dict[tuple[Orbit, ...], int] = {}
    fixed = 0
    for permutation in group[1:]:
        orbits = orbits_of(spec, permutation)
        key = tuple(orbits)
        if key not in known:
            known[key] = _count_orbits(spec, orbits, meter) if spec.queens else 1
        fixed += known[key]
    meter.found = 0
    try:
        everything = count(spec, chosen, meter, threads)
    except BudgetExceeded as error:
        placements = error.reached.found
        classes = -(-placements // len(group))
        words = str(error).replace(f"{placements:,} found so far", f"at least {classes:,} found so far")
        raise BudgetExceeded(words, replace(error.reached, found=classes)) from None
    classes, rest = divmod(everything + fixed, len(group))
    assert not rest  # noqa: S101 - Burnside's lemma
    return classes


def is_listed_soon(spec: QueensSpec) -> bool:
    """Whether listing all placements is quicker than loading what is compiled."""
    group = len(permutations(spec.board))
    return spec.queens < 2 or estimated_size(spec).found * group * spec.queens < MOST_IMAGES


def list_symmetric(spec: QueensSpec, permutation: Sequence[int], meter: Meter) -> int:
    """Count what :func:`count_symmetric` counts, by listing all placements."""
    return sum(
        tuple(sorted(permutation[square] for square in squares)) == tuple(squares)
        for squares in iter_placements(spec.board, spec.queens, meter=meter, counters=Counters(), piece=spec.piece)
    )


def list_classes(spec: QueensSpec, meter: Meter) -> int:
    """Count what :func:`count_classes` counts, by listing all placements: the least of each class."""
    group = permutations(spec.board)
    return sum(
        tuple(squares) == canonical_set(group, squares)
        for squares in iter_placements(spec.board, spec.queens, meter=meter, counters=Counters(), piece=spec.piece)
    )
