"""Exactly uniform samples: number all placements, draw a number, and make the placement that has it.

Two ways to number without listing, and a third one.

*Column sets*, for n queens on n x n. The count of :mod:`backrank.queens.counting.column_sets` is a sum over the columns
S of the queens above the cut. The terms are kept, so a number leads to a set S, an image of S under the symmetries that
the count has used, and a number among the pairs of half placements of S; those are listed only then. Making the terms
costs as much as counting: no time at n = 12, a third of a second at n = 16, ten seconds at n = 18. A sample costs some
ten microseconds at n = 12, a millisecond at n = 16. Memory: 16 bytes for each of the C(n, n / 2) / 4 sets.

*Prefixes*, for any board and number of queens. Go down the rows; what matters of the queens above are the columns and
diagonals that they attack below. Prefixes that agree in that are one state, the number of its completions is the sum
over what the next row may be, and a number leads down the rows. Memory: some 200 bytes a state, so there is a limit on
their number: it is for small boards, and for few queens on larger ones.

*Listing*, where there are more states than fit but at most a million placements:
:mod:`backrank.queens.solve.line_search` lists them into a table.

All are exact: the numbers 0 to count - 1 and the placements go one to one, which tests check for whole boards, and the
numbers are drawn from random bits by rejection, never by way of floats. A board that is beyond all three is refused:
:mod:`backrank.queens.solve.local_search` gives random placements of any size, but not uniform ones.

*Road not taken.* A random pair of half placements again and again until it is one: fewer steps at n = 16, but no
numbers, and so no way to check that all placements are met once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import accumulate
from typing import Protocol, SupportsIndex, TypeAlias

from backrank.errors import BoardTooLarge, InvalidPuzzle
from backrank.geometry.board import Board, SquareLike
from backrank.geometry.pieces import queen_lines
from backrank.queens.arguments import checked
from backrank.queens.placement import Placement
from backrank.queens.spec import QueensSpec
from backrank.runtime.budget import Budget, Meter, budget_of
from backrank.runtime.numbering import no_such_number, number_given
from backrank.runtime.rng import Dice, Randomness, seed_of

COLUMNSETS_FROM, COLUMNSETS_TO = 10, 18
MAX_STATES = 500_000
MAX_LISTED = 1_000_000
MAX_SAMPLED_SQUARES = 10_000
_MOST_KEPT = 2
_KEPT: dict[QueensSpec, PlacementSampler] = {}  # no answer depends on what is in it

State: TypeAlias = tuple[int, int, int, int]


class _Numbering(Protocol):
    """Placements by number; `count` is how many there are."""

    @property
    def count(self) -> int: ...

    def squares(self, number: int) -> list[int]: ...


@dataclass(frozen=True, init=False, slots=True)
class PlacementSampler:
    """All placements of queens on a board by number, and exactly uniform samples of them.

    Making it may take as long as counting; then samples are quick. Immutable; can be sent to other processes.

    Parameters
    ----------
    board : Board
        With its holes and glued edges.
    queens : int, optional
        How many; the shorter side if not given.
    placed : iterable of squares
        Where queens stand already; only placements that contain them are numbered.
    budget : Budget, optional
        Limits, progress and cancellation of making it.

    Attributes
    ----------
    count : int
        How many placements there are; exact.

    Raises
    ------
    BoardTooLarge
        If no way to number reaches that far: n queens on n x n without holes go up to n = 18, other boards up to
        half a million states or a million placements.
    BudgetExceeded
        If a limit was reached first.

    Examples
    --------
    >>> sampler = PlacementSampler(Board(8))
    >>> sampler.count, sampler.sample(1) == sampler.sample(1)
    (92, True)
    >>> len({sampler.placement(number) for number in range(92)})
    92
    """

    board: Board
    queens: int
    count: int
    _numbering: _Numbering
    _beside: tuple[int, ...]

    def __init__(
        self,
        board: Board,
        queens: SupportsIndex | None = None,
        *,
        placed: Iterable[SquareLike] = (),
        budget: Budget | None = None,
    ) -> None:
        standing, wanted = checked(board, placed, queens)
        spec, beside = QueensSpec(board, wanted, placed=standing).reduced()
        numbering = _numbered(spec.board, spec.queens, budget_of(budget).start())
        for name, value in zip(self.__slots__, (board, wanted, numbering.count, numbering, beside), strict=True):
            object.__setattr__(self, name, value)

    def placement(self, number: int) -> Placement:
        """Return the placement of a number, from 0 to below the count; the order is the sampler's own.

        Raises
        ------
        InvalidPuzzle
            If there is no such number.
        """
        if number_given(number, "placement") >= self.count:
            raise no_such_number(number, self.count, "placement")
        return Placement(self.board, sorted((*self._numbering.squares(number), *self._beside)))

    def sample(self, rng: Randomness | None = None) -> Placement:
        """Return one placement, each with the same probability.

        Parameters
        ----------
        rng : int, random.Random or numpy.random.Generator, optional
            A seed, which gives the same placement each time, or a generator, which gives another one; fresh
            randomness if not given.

        Raises
        ------
        InvalidPuzzle
            If there is no placement, or no such seed.
        """
        return next(self.samples(rng))

    def samples(self, rng: Randomness | None = None) -> Iterator[Placement]:
        """Yield independent samples without end, all determined by one seed; a placement may come again.

        Examples
        --------
        >>> from itertools import islice
        >>> [placement.columns for placement in islice(PlacementSampler(Board(4)).samples(5), 3)]
        [(1, 3, 0, 2), (2, 0, 3, 1), (1, 3, 0, 2)]
        """
        dice = Dice(seed_of(rng))
        if not self.count:
            raise InvalidPuzzle(f"there is no placement of {self.queens} queens on {self.board} to choose from")
        return (self.placement(dice.below(self.count)) for _ in iter(int, 1))


def made_ready(spec: QueensSpec, budget: Budget | None = None) -> PlacementSampler:
    """Return a sampler; the last few that were made are kept, since making one may take long.

    Raises
    ------
    InvalidPuzzle
        For amazons.
    """
    if spec.piece != "queen":
        raise InvalidPuzzle(f"uniform samples are of queens, not of {spec.piece}s; list them and choose one")
    kept = _KEPT.get(spec)
    if kept is None:
        kept = PlacementSampler(spec.board, spec.queens, placed=spec.placed, budget=budget)
        while len(_KEPT) >= _MOST_KEPT:
            _KEPT.pop(next(iter(_KEPT)), None)
        _KEPT[spec] = kept
    return kept


def _numbered(board: Board, queens: int, meter: Meter) -> _Numbering:
    side = board.rows
    if board.is_plain and queens == side == board.cols and side >= COLUMNSETS_FROM:
        if side > COLUMNSETS_TO:
            raise BoardTooLarge(
                f"uniform samples of n queens on n x n are made for n up to {COLUMNSETS_TO}, not {side}"
            )
        from backrank.queens.ranking.numberings import ColumnSetNumbers  # noqa: PLC0415 - loads numpy and numba

        return ColumnSetNumbers.made(side, meter)
    board.require_at_most(MAX_SAMPLED_SQUARES, "uniform sampling")
    numbering: _Numbering | None = Prefixes.made(board, queens, meter)
    if numbering is None:
        from backrank.queens.ranking.numberings import Listed  # noqa: PLC0415 - loads numpy and numba

        numbering = Listed.made(board, queens, MAX_LISTED, meter)
    if numbering is None:
        raise BoardTooLarge(
            f"uniform samples of {queens} queens on {board} would need more than {MAX_STATES:,} states or "
            f"{MAX_LISTED:,} placements in memory; take a smaller board or fewer queens"
        )
    return numbering


@dataclass(frozen=True, slots=True)
class Prefixes:
    """Placements by number, row by row.

    Attributes
    ----------
    board : Board
        Turned so that it has at least as many rows as columns, if that is the same puzzle: states are then few.
    turned : bool
    lines : tuple
        Per row and free square: its column, and the bits of its column and diagonals.
    reach : tuple
        Per row, and one more: the bits of the columns and diagonals that squares from there on have.
    layers : tuple of dict
        Per row, and one more: the states in front of it, and the number of completions of each. A state is the
        number of queens to come and the bits that are attacked.
    count : int
    """

    board: Board
    turned: bool
    lines: tuple[list[tuple[int, tuple[int, int, int]]], ...]
    reach: tuple[tuple[int, int, int], ...]
    layers: tuple[dict[State, int], ...]
    count: int

    @classmethod
    def made(cls, board: Board, queens: int, meter: Meter) -> Prefixes | None:
        """Count the completions of all states; None if there are too many states."""
        turned = board.rows < board.cols and board.wrap != "cylinder"
        if turned:
            holes = [(col, row) for row, col in map(board.cell, board.holes)]
            board = Board(board.cols, board.rows, holes=holes, wrap=board.wrap)
        lines, reach = _line_bits(board)
        empty = cls(board, turned, lines, reach, (), 0)
        layers = empty._forwards(queens, meter)
        if layers is None:
            return None
        for row in range(board.rows - 1, -1, -1):
            below = layers[row + 1]
            for state in layers[row]:
                layers[row][state] = sum(below[onward] for _, onward in empty._steps(row, state))
        return cls(board, turned, lines, reach, tuple(layers), sum(layers[0].values()))

    def _forwards(self, queens: int, meter: Meter) -> list[dict[State, int]] | None:
        """Return all states, with a count of 1 each, which is right for those below the last row; None if too many."""
        layers: list[dict[State, int]] = [{(queens, 0, 0, 0): 1} if queens <= self.board.rows else {}]
        total = 0
        for row in range(self.board.rows):
            below: dict[State, int] = {}
            for state in layers[row]:
                total += 1
                if total >= meter.stop_at:
                    meter.tick(total, row)
                for _, onward in self._steps(row, state):
                    below[onward] = 1
                if total + len(below) > MAX_STATES:
                    return None
            layers.append(below)
        return layers

    def _steps(self, row: int, state: State) -> Iterator[tuple[int, State]]:
        """Yield what a row may be, as the column of its queen or -1, and the state in front of the next row."""
        left, columns, down, up = state
        reach = self.reach[row + 1]
        if left:
            for col, bits in self.lines[row]:
                if not (columns & bits[0] or down & bits[1] or up & bits[2]):
                    onward = (columns | bits[0], down | bits[1], up | bits[2])
                    yield col, (left - 1, onward[0] & reach[0], onward[1] & reach[1], onward[2] & reach[2])
        if left < self.board.rows - row:
            yield -1, (left, columns & reach[0], down & reach[1], up & reach[2])

    def squares(self, number: int) -> list[int]:
        """Return the squares of the placement of a number: in lexicographic order, if the board is not turned."""
        squares = []
        (state,) = self.layers[0]
        for row in range(self.board.rows):
            for col, onward in self._steps(row, state):
                count = self.layers[row + 1][onward]
                if number < count:
                    state = onward
                    if col >= 0:
                        squares.append(col * self.board.rows + row if self.turned else row * self.board.cols + col)
                    break
                number -= count
        return squares


def _line_bits(
    board: Board,
) -> tuple[tuple[list[tuple[int, tuple[int, int, int]]], ...], tuple[tuple[int, int, int], ...]]:
    """Return the lines and the reach of :class:`Prefixes`."""
    lines: list[list[tuple[int, tuple[int, int, int]]]] = [[] for _ in range(board.rows)]
    for square in board:
        row, col, down, up = queen_lines(board, board.cell(square))
        lines[row].append((col, (1 << col, 1 << down + board.cols, 1 << up)))
    reached = [(0, 0, 0)]
    for row_lines in reversed(lines):
        bits = [reached[-1], *(bits for _, bits in row_lines)]
        reached.append((_union(bits, 0), _union(bits, 1), _union(bits, 2)))
    return tuple(lines), tuple(reversed(reached))


def _union(bits: list[tuple[int, int, int]], kind: int) -> int:
    *_, union = accumulate((each[kind] for each in bits), int.__or__)
    return union
