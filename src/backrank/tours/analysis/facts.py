"""The facts of a tour: what can be said of it besides that it is one.

Words are those of G. P. Jelliss ("Knight's Tour Notes", 2019) and of those before him, with one exception. A numbered
board whose rows and columns have one sum each is *semi-magic* here, and *magic* if the diagonals have it too, as
for squares of any other numbers; Jelliss says magic and diagonally magic.

A symmetry of the board that maps a closed tour to itself either keeps its direction, and moves every
square half-way (or some other part) round; or it reverses it. Of a half turn the first is called Eulerian, the second
Bergholtian: then the tour crosses itself in the centre. Of a mirror they are called Sulian and Murraian. An open
tour can only be reversed.

Which numberings of a closed tour are semi-magic is found without trying all. Starting `k` squares later
takes `k` from each number, and adds the number of squares to those that were passed. So modulo that number
each sum changes by a known amount, and the sums of rows allow only one `k` modulo the number of rows; likewise columns.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from math import acos, degrees, isqrt, lcm, sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

from backrank.geometry.board import Board, Cell
from backrank.geometry.pieces import KNIGHT, Piece
from backrank.geometry.verify import is_closing
from backrank.tours.analysis.measures import (
    Sums,
    equal_starts,
    longest_run,
    meetings,
    numbered_sums,
    read_walk,
    transitions,
)
from backrank.tours.analysis.symmetric import TourSymmetry, symmetries_of

if TYPE_CHECKING:
    from backrank.tours.analysis.measures import MeasuredTour, Squares


class Angle(NamedTuple):
    """On how many squares the tour has an angle: 180 degrees is straight on. The cosine is exact."""

    degrees: float
    cosine: str
    squares: int


@dataclass(frozen=True, slots=True)
class TourFacts:
    """Facts of a tour, as :func:`tour_facts` finds them.

    Numbers of a closed tour include its closing move, and what happens on both its ends.

    Attributes
    ----------
    board, piece, closed
        Of the tour.
    squares, moves : int
    start, end : int
        Squares.
    closable : bool
        Whether a move leads from the end to the start.
    directions : tuple of ((int, int), int)
        How many moves make each of the piece's steps `(rows down, columns right)`, in the order of the steps.
    turns, runs, longest_run : int
        Moves in another direction than the one before; straight runs of moves between turns; moves of the longest one.
    angles : tuple of Angle
        Between consecutive moves, the sharpest first.
    lengths : tuple of (int, int)
        How many moves have each length, which is given squared.
    crossings : int
        Pairs of moves that have exactly one point in common, which is an end of neither.
    overlaps, touches : int
        Pairs of moves that have a stretch in common; pairs of which one ends inside the other and that do not overlap.
        Knights do neither, as their moves pass over the middle of no square.
    glued_moves : int
        Moves across glued edges, which cross and touch nothing here.
    symmetry : str
        `asymmetric`, `rotary` (half turn), `birotary` (quarter turn), `axial` (one mirror), `biaxial` (two), `octonary`
        (all eight). With glued edges `translational` if only shifts, otherwise `symmetric`.
    variety : str or None
        Of a closed tour that is rotary `Eulerian` or `Bergholtian`, of one that is axial `Sulian` or `Murraian`.
    symmetry_order : int
        How many symmetries of the board map the tour to itself, direction aside; the identity is one.
    symmetries : tuple of TourSymmetry
        All of them but the identity. If there are many, round glued edges: a shift that the other shifts repeat, and
        one of those that differ by such shifts.
    row_sums, col_sums : tuple of int
        Of the numbers from 1, from the top and from the left.
    diagonal_sums : (int, int) or None
        Down and up, of a square board.
    magic : str
        `magic`, `semi-magic`, `rows only`, `columns only` or `none`.
    semi_magic_starts, magic_starts : tuple of int
        Steps of a closed tour, the first being 1, from which it is semi-magic (or magic) or magic if numbered from
        there. Looked for on boards without holes.
    """

    board: Board
    piece: Piece
    closed: bool
    squares: int
    moves: int
    start: int
    end: int
    closable: bool
    directions: tuple[tuple[Cell, int], ...]
    turns: int
    runs: int
    longest_run: int
    angles: tuple[Angle, ...]
    lengths: tuple[tuple[int, int], ...]
    crossings: int
    overlaps: int
    touches: int
    glued_moves: int
    symmetry: str
    variety: str | None
    symmetry_order: int
    symmetries: tuple[TourSymmetry, ...]
    row_sums: tuple[int, ...]
    col_sums: tuple[int, ...]
    diagonal_sums: tuple[int, int] | None
    magic: str
    semi_magic_starts: tuple[int, ...]
    magic_starts: tuple[int, ...]

    @property
    def length(self) -> float:
        """Length of all moves, from centre to centre, in sides of a square."""
        return sum(count * sqrt(squared) for squared, count in self.lengths)

    @property
    def exact_length(self) -> str:
        """The length with its roots, such as `63√5`."""
        parts: Counter[int] = Counter()
        for squared, count in self.lengths:
            factor = next(f for f in range(isqrt(squared), 0, -1) if squared % (f * f) == 0)
            parts[squared // factor**2] += count * factor
        texts = [f"{count}√{root}" if root > 1 else f"{count}" for root, count in sorted(parts.items())]
        return " + ".join(texts) or "0"

    @property
    def is_uncrossed(self) -> bool:
        """Whether no two moves cross, overlap or touch."""
        return not (self.crossings or self.overlaps or self.touches)

    @property
    def magic_constant(self) -> int | None:
        """The sum of every row and column of a (semi-)magic square board, otherwise None."""
        is_one = self.magic in {"magic", "semi-magic"} and self.row_sums[0] == self.col_sums[0]
        return self.row_sums[0] if is_one else None

    def as_dict(self) -> dict[str, Any]:
        """Return everything as JSON has it: squares by name, steps as `[rows down, columns right]`."""
        name = self.board.name
        return {
            "board": str(self.board),
            "piece": str(self.piece),
            "closed": self.closed,
            "squares": self.squares,
            "moves": self.moves,
            "start": name(self.start),
            "end": name(self.end),
            "closable": self.closable,
            "directions": [{"step": list(step), "moves": count} for step, count in self.directions],
            "turns": self.turns,
            "runs": self.runs,
            "longest_run": self.longest_run,
            "angles": [angle._asdict() for angle in self.angles],
            "length": self.length,
            "exact_length": self.exact_length,
            "crossings": self.crossings,
            "overlaps": self.overlaps,
            "touches": self.touches,
            "glued_moves": self.glued_moves,
            "uncrossed": self.is_uncrossed,
            "symmetry": self.symmetry,
            "variety": self.variety,
            "symmetry_order": self.symmetry_order,
            "symmetries": [symmetry._asdict() for symmetry in self.symmetries],
            "row_sums": list(self.row_sums),
            "col_sums": list(self.col_sums),
            "diagonal_sums": None if self.diagonal_sums is None else list(self.diagonal_sums),
            "magic": self.magic,
            "magic_constant": self.magic_constant,
            "semi_magic_starts": list(self.semi_magic_starts),
            "magic_starts": list(self.magic_starts),
        }

    def __str__(self) -> str:
        return "\n".join(f"{noun:12}{text}" for noun, text in _lines(self))


def tour_facts(board: Board, squares: Squares, *, closed: bool = False, piece: Piece = KNIGHT) -> TourFacts:
    """Return the facts of a tour: turns, angles, crossings, length, symmetry, sums of rows and columns.

    Parameters
    ----------
    board : Board
    squares : sequence or one-dimensional array of int
        Every square once, in the order of the visits.
    closed : bool
        Whether it is meant as a cycle; facts are then those of the cycle.
    piece : Piece
        A leaper; the knight if not given.

    Raises
    ------
    InvalidPuzzle, InvalidSquare
        If it is not a tour: only tours have facts. Or if the piece slides.

    Notes
    -----
    Time is linear in the number of squares, for one piece (crossings: times the square of its reach). Up to 10,000
    squares are done in plain Python, more in NumPy with three bytes a square besides the tour, five on glued edges.
    Where a glued board is so narrow that several steps lead to one square, the move is taken for the one that
    needs no glued edge, or else the first in the order of the piece's steps.

    Examples
    --------
    >>> facts = tour_facts(Board(3, 4), (0, 6, 8, 1, 7, 9, 2, 4, 10, 3, 5, 11))
    >>> facts.turns, facts.crossings, facts.symmetry, facts.exact_length, facts.magic
    (10, 20, 'rotary', '11√5', 'none')
    """
    walk = read_walk(board, squares, closed=closed, piece=piece)
    pairs, meets, sums = transitions(walk), meetings(walk), numbered_sums(walk)
    steps, found = _steps(walk), symmetries_of(walk)
    turns = sum(count for (before, after), count in pairs.items() if before != after)
    diagonals = None if sums.diagonals is None else (sum(sums.diagonals[0]), sum(sums.diagonals[1]))
    semi, full = _starts(walk, sums)
    lengths: Counter[int] = Counter()
    for (down, right), count in steps.items():
        lengths[down * down + right * right] += count
    first, last = int(walk.squares[0]), int(walk.squares[-1])
    return TourFacts(
        board=board,
        piece=piece,
        closed=closed,
        squares=len(walk.squares),
        moves=len(walk.codes),
        start=first,
        end=last,
        closable=len(walk.squares) > 2 and is_closing(board, piece, board.cell(first), board.cell(last)),
        directions=tuple((step, steps[step]) for step in piece.steps),
        turns=turns,
        runs=max(turns + (not closed), 1) if walk.codes else 0,
        longest_run=longest_run(walk),
        angles=_angles(piece, pairs),
        lengths=tuple(sorted((squared, moves) for squared, moves in lengths.items() if moves)),
        crossings=meets.crossings,
        overlaps=meets.overlaps,
        touches=meets.touches,
        glued_moves=sum(walk.codes.count(code) for code in range(len(piece.steps), 2 * len(piece.steps))),
        symmetry=found.kind,
        variety=found.variety,
        symmetry_order=found.order,
        symmetries=found.listed,
        row_sums=tuple(sums.rows),
        col_sums=tuple(sums.cols),
        diagonal_sums=diagonals,
        magic=_magic(sums.rows, sums.cols, diagonals),
        semi_magic_starts=semi,
        magic_starts=full,
    )


def _steps(walk: MeasuredTour) -> Counter[Cell]:
    directions = walk.directions
    return Counter({step: directions.count(index) for index, step in enumerate(walk.piece.steps)})


def _angles(piece: Piece, pairs: Counter[tuple[int, int]]) -> tuple[Angle, ...]:
    """Return the angles between moves, told apart by the sign and the square of their cosine, which is a fraction."""
    found: Counter[Fraction] = Counter()
    for (before, after), count in pairs.items():
        (a, b), (c, d) = piece.steps[before], piece.steps[after]
        dot = -(a * c + b * d)
        found[Fraction(dot * abs(dot), (a * a + b * b) * (c * c + d * d))] += count
    return tuple(_angle(signed, found[signed]) for signed in sorted(found, reverse=True))


def _angle(signed: Fraction, count: int) -> Angle:
    size = abs(signed)
    root = Fraction(isqrt(size.numerator), isqrt(size.denominator))
    sign = "-" if signed < 0 else ""
    cosine = f"{sign}{root}" if root * root == size else f"{sign}√({size})"
    radians = acos(sqrt(size) * (-1 if signed < 0 else 1))
    return Angle(degrees(radians), cosine, count)


def _magic(rows: list[int], cols: list[int], diagonals: tuple[int, int] | None) -> str:
    equal_rows, equal_cols = len(set(rows)) == 1, len(set(cols)) == 1
    if equal_rows and equal_cols:
        return "magic" if diagonals is not None and {*diagonals} == {rows[0]} else "semi-magic"
    return "rows only" if equal_rows else "columns only" if equal_cols else "none"


def _starts(walk: MeasuredTour, sums: Sums) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the steps of a closed tour from which it is at least semi-magic, and those from which it is magic."""
    board, count = walk.board, len(walk.squares)
    if not walk.closed or board.holes:
        return (), ()
    starts = equal_starts(walk, sums, _candidates(board, sums))
    full = [
        start
        for start in starts
        if sums.diagonals
        and {sum((n - 1 - start) % count + 1 for n in line) for line in sums.diagonals}
        == {board.cols * (count + 1) // 2}
    ]
    return tuple(start + 1 for start in starts), tuple(start + 1 for start in full)


def _candidates(board: Board, sums: Sums) -> range:
    """Return the numbers of squares to pass that the sums, modulo the number of squares, do not rule out."""
    count = len(board)
    allowed = []
    for side, across, found in ((board.rows, board.cols, sums.rows), (board.cols, board.rows, sums.cols)):
        # After passing k squares a line of `across` squares has found - k * across + (a multiple of count); that is
        # to be across * (count + 1) / 2. As count is side * across, only k modulo side matters.
        twice = {(2 * total - across * (count + 1)) % (2 * count) for total in found}
        if len(twice) > 1 or (most := twice.pop()) % (2 * across):
            return range(0)
        allowed.append((most // (2 * across), side))
    (first, rows), (second, cols) = allowed
    period = lcm(rows, cols)
    begin = next((k for k in range(first, period, rows) if k % cols == second), period)
    return range(begin, count if begin < period else 0, period)


def _lines(facts: TourFacts) -> list[tuple[str, str]]:
    """Return what is printed, as pairs of a noun and a text."""
    name = facts.board.name
    ends = f"{name(facts.start)} to {name(facts.end)}"
    kind = f"closed, from {name(facts.start)}" if facts.closed else f"open, {ends}"
    if facts.closable and not facts.closed:
        kind += ", one move apart"
    directions = "  ".join(f"{down:+},{right:+}: {count:,}" for (down, right), count in facts.directions)
    angles = "  ".join(f"{angle.degrees:.1f}°: {angle.squares:,}" for angle in facts.angles)
    lines = [
        ("squares", f"{facts.squares:,}, {kind}"),
        ("length", f"{facts.moves:,} moves, {facts.exact_length} = {facts.length:,.2f} sides of a square"),
        ("directions", f"{directions}  (rows down, columns right)"),
        (
            "turns",
            f"{facts.turns:,}; straight runs {facts.runs:,}, the longest of {_counted(facts.longest_run, 'move')}",
        ),
        ("angles", angles or "none"),
        ("crossings", _crossings(facts)),
        ("symmetry", _symmetry(facts)),
        ("sums", _sums(facts)),
    ]
    if facts.semi_magic_starts:
        starts = ", ".join(f"{n:,}" for n in facts.semi_magic_starts)
        magic = ", ".join(f"{n:,}" for n in facts.magic_starts) or "none"
        lines.append(("numberings", f"semi-magic from step {starts}; of these magic: {magic}"))
    return lines


def _crossings(facts: TourFacts) -> str:
    text = f"{facts.crossings:,}" if facts.crossings else "none"
    if facts.overlaps or facts.touches:
        text += f", {facts.overlaps:,} overlaps, {facts.touches:,} touches"
    if facts.glued_moves:
        text += f" (without {_counted(facts.glued_moves, 'move')} across glued edges)"
    return text


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'s'[: number != 1]}"


def _symmetry(facts: TourFacts) -> str:
    if facts.symmetry_order == 1:
        return facts.symmetry
    names = ", ".join(f"{name}{' (backwards)' if backwards else ''}" for name, backwards in facts.symmetries)
    return f"{facts.symmetry}{f' ({facts.variety})' if facts.variety else ''}, order {facts.symmetry_order}: {names}"


def _sums(facts: TourFacts) -> str:
    lines = [_range("rows", facts.row_sums), _range("columns", facts.col_sums)]
    if facts.diagonal_sums:
        lines.append(f"diagonals {facts.diagonal_sums[0]:,} and {facts.diagonal_sums[1]:,}")
    return f"{facts.magic if facts.magic != 'none' else 'not magic'}: {', '.join(lines)}"


def _range(noun: str, sums: tuple[int, ...]) -> str:
    low, high = min(sums), max(sums)
    return f"{noun} {low:,}" if low == high else f"{noun} {low:,} to {high:,}"
