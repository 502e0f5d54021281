"""Tours of plain boards of any size, built rather than searched for.

`layout` lays blocks side by side; this module chooses how the board is turned and cut, leads the way from the start
to the end through open blocks, and keeps the result as a :class:`Construction`: a few numbers from which any step
can be told, or the whole tour written down.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass, replace
from itertools import product
from typing import NamedTuple

from backrank.geometry.board import Board, Cell
from backrank.tours.construct.base_tours import shapes
from backrank.tours.construct.blocks import BOTTOM, LEAST_SIDE, LEFT, RIGHT, TOP, Walk, open_walks, opened
from backrank.tours.construct.chains import Area, Group, GroupSequence, Node, Stroke
from backrank.tours.construct.layout import Grid, between
from backrank.tours.construct.strips import BESIDE_FIVE, WIDE, Strips, ways_to_cut
from backrank.tours.spec import TourSpec
from backrank.tours.steps import SquareArray, Steps
from backrank.tours.theorems.existence import existence


class Orientation(NamedTuple):
    """How the board is turned before it is cut: transposed, then flipped."""

    board: Board
    transposed: bool
    flip_rows: bool = False
    flip_cols: bool = False

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns as they are seen."""
        rows, cols = self.board.rows, self.board.cols
        return (cols, rows) if self.transposed else (rows, cols)

    def seen(self, square: int) -> Cell:
        """Return where a square is seen."""
        row, col = divmod(square, self.board.cols)
        if self.transposed:
            row, col = col, row
        rows, cols = self.shape
        return rows - 1 - row if self.flip_rows else row, cols - 1 - col if self.flip_cols else col

    def linear(self) -> tuple[int, int, int]:
        """Return a, b, c: what is seen at (row, col) is the square a + b * row + c * col."""
        down, right = (1, self.board.cols) if self.transposed else (self.board.cols, 1)
        rows, cols = self.shape
        base = (rows - 1) * down * self.flip_rows + (cols - 1) * right * self.flip_cols
        return base, -down if self.flip_rows else down, -right if self.flip_cols else right


@dataclass(frozen=True, slots=True)
class Construction(Steps):
    """A tour as it was built, perhaps read from its end: every step can be told without writing the others down."""

    view: Orientation
    chain: GroupSequence
    corner: Cell
    from_end: bool = False

    def backwards(self) -> Construction:
        """Return the tour from its end to its start."""
        return replace(self, from_end=not self.from_end)

    def __len__(self) -> int:
        return self.view.board.size

    def __iter__(self) -> Iterator[int]:
        """Yield the squares in order, one at a time."""
        if self.from_end:
            return map(self.square_at, range(len(self)))
        return self._walked()

    def _walked(self) -> Iterator[int]:
        base, down, right = self.view.linear()
        for walk, first, last, corner, step, copies, _ in self.strokes():
            for number in range(copies):
                at = base + down * (corner[0] + number * step[0]) + right * (corner[1] + number * step[1])
                yield from (at + down * row + right * col for row, col in walk[first:last])

    def square_at(self, step: int) -> int:
        """Return the square of a step, counted from 0."""
        base, down, right = self.view.linear()
        row, col = self.chain.cell_at(len(self) - 1 - step if self.from_end else step)
        return base + down * (row + self.corner[0]) + right * (col + self.corner[1])

    def step_of(self, square: int) -> int:
        """Return the step, counted from 0, at which a square is visited."""
        row, col = self.view.seen(square)
        step = self.chain.step_of((row - self.corner[0], col - self.corner[1]))
        return len(self) - 1 - step if self.from_end else step

    def strokes(self) -> Iterator[Stroke]:
        """Yield the tour in long pieces, as it was built; cells are those of the view."""
        return self.chain.strokes(origin=self.corner)

    def squares(self) -> tuple[int, ...]:
        """Write the tour down: the plain way, below the kernel's."""
        written = tuple(self._walked())
        return written[::-1] if self.from_end else written

    def array(self) -> SquareArray:
        """Return all squares as a NumPy array, by the kernel."""
        from backrank.tours.construct.writing import written  # noqa: PLC0415 - loads NumPy and Numba

        return written(self)


def applies(spec: TourSpec) -> bool:
    """Whether tours of this board can be built: plain boards, knights, at least five rows and columns."""
    board = spec.board
    return board.is_plain and spec.piece.name == "knight" and min(board.rows, board.cols) >= LEAST_SIDE


def flat(spec: TourSpec) -> TourSpec | None:
    """Return the puzzle about a plain board whose answers answer this one; None if there is none such.

    Glued edges only add moves. On a cylinder or torus with two odd sides, where no plain tour is closed, the move from
    the first column of the second row back to the corner closes an open one: it leads over the glued edge, two
    columns on.
    """
    board = spec.board
    if board.holes or spec.piece.name != "knight" or min(board.rows, board.cols) < LEAST_SIDE:
        return None
    plain = replace(spec, board=Board(board.rows, board.cols))
    known = existence(plain.board, closed=plain.closed, start=plain.start, end=plain.end)
    if known.answer != "no":
        return plain
    if board.wrap != "none" and spec.closed and spec.start in (None, 0) and spec.end is None:
        return replace(plain, closed=False, start=0, end=2 * board.cols - 2)
    return None


def constructed(spec: TourSpec) -> Construction | None:
    """Build a tour that is known to exist; None if no way of cutting the board led to one.

    With both ends given, a closed tour is an open one whose ends are one move apart.
    """
    start = 0 if spec.start is None else spec.start
    closed = spec.closed and spec.end is None
    lying = spec.board.rows < spec.board.cols
    for thorough, transposed in product((False, True), (lying, not lying)):
        view = _turned(Orientation(spec.board, transposed), start, spec.end)
        rows, cols = view.shape
        from_cell = view.seen(start)
        to_cell = None if spec.end is None else view.seen(spec.end)
        ways = (
            ways_to_cut(side, at, BESIDE_FIVE if other == LEAST_SIDE else WIDE)
            for side, other, at in ((rows, cols, from_cell[0]), (cols, rows, from_cell[1]))
        )
        for by_rows, by_cols in product(*ways):
            plan = _Assembly(Grid(by_rows, by_cols), from_cell, to_cell, closed=closed, thorough=thorough)
            chain = plan.chain()
            if chain is not None:
                return _as_read(Construction(view, chain, plan.corner), plan)
    return None


def _as_read(built: Construction, plan: _Assembly) -> Construction:
    """Return a closed tour in the direction in which its second square is less than its last."""
    if plan.closed and built.square_at(1) > built.square_at(len(built) - 1):
        chain = plan.backwards().chain()
        return built if chain is None else replace(built, chain=chain)
    return built


def _turned(view: Orientation, start: int, end: int | None) -> Orientation:
    """Flip the board so that the end lies to the right of the start, and below it."""
    if end is None:
        return view
    (row, col), (last_row, last_col) = view.seen(start), view.seen(end)
    return view._replace(flip_rows=last_row < row, flip_cols=last_col < col)


class _Leg(NamedTuple):
    """Equal blocks of the way: the first of them, how many, what hangs on each, and the side where one goes out."""

    at: Cell
    copies: int
    sides: tuple[str, ...]
    out: str | None


class _Assembly:
    """One way to cut the board, and the tour in it."""

    def __init__(self, grid: Grid, start: Cell, end: Cell | None, *, closed: bool, thorough: bool) -> None:
        self.grid = grid
        self.closed = closed
        self.thorough = thorough
        self.turned = False
        strips = grid.rows.at(start[0]), grid.cols.at(start[1])
        self.corner = strips[0].offset, strips[1].offset
        self.first = strips[0].number, strips[1].number
        self.start = start[0] - self.corner[0], start[1] - self.corner[1]
        self.last, self.end = self.first, None
        if end is not None:
            strips = grid.rows.at(end[0]), grid.cols.at(end[1])
            self.last = strips[0].number, strips[1].number
            self.end = end[0] - strips[0].offset, end[1] - strips[1].offset

    def backwards(self) -> _Assembly:
        """Return the plan of the same closed tour in the other direction."""
        other = copy(self)
        other.turned = not self.turned
        return other

    def chain(self) -> GroupSequence | None:
        """Return the whole tour, seen from the corner of the block where it starts; None if this cut does not do."""
        groups = self._lay(list(self._legs()), self.start)
        return None if groups is None else GroupSequence(tuple(groups))

    def _legs(self) -> Iterator[_Leg]:
        """Yield the way from the start's block to the end's, along its row and then down the column."""
        (row, col), (last_row, last_col) = self.first, self.last
        if last_col > col:
            yield self._leg((row, col), (LEFT, TOP, BOTTOM), RIGHT)
            yield from self._straight(self.grid.cols, (row, col + 1), (0, last_col - 1), (TOP, BOTTOM), RIGHT)
        sides = (LEFT,) * (last_col == col) + (RIGHT, TOP)
        if last_row == row:
            yield self._leg((row, last_col), (*sides, BOTTOM), None)
            return
        yield self._leg((row, last_col), sides, BOTTOM)
        yield from self._straight(self.grid.rows, (row + 1, last_col), (last_row - 1, 0), (), BOTTOM)
        yield self._leg((last_row, last_col), (BOTTOM,), None)

    def _leg(self, at: Cell, sides: tuple[str, ...], out: str | None, count: int = 1) -> _Leg:
        """Return a leg, with those sides only on which there is another block."""
        there = {
            TOP: at[0] > 0,
            BOTTOM: at[0] < self.grid.rows.count - 1,
            LEFT: at[1] > 0,
            RIGHT: at[1] < self.grid.cols.count - 1,
        }
        return _Leg(at, count, tuple(side for side in sides if there[side]), out)

    def _straight(self, strips: Strips, at: Cell, upto: Cell, sides: tuple[str, ...], out: str) -> Iterator[_Leg]:
        """Yield the legs between two corners; the first of equal blocks by itself, as it may be entered elsewhere."""
        axis = 0 if out == BOTTOM else 1
        if at[axis] > upto[axis]:
            return
        row, col = at
        for _, count in between(strips, at[axis], upto[axis]):
            for number in (1, count - 1):
                if number:
                    yield self._leg((row, col), sides, out, number)
                    row, col = row + number * (axis == 0), col + number * (axis == 1)

    def _lay(self, legs: list[_Leg], entry: Cell) -> list[Group] | None:
        """Lay the legs one after the other, with another crossing to the next where the first one does not do."""
        leg = legs[0]
        rows, cols = self.grid.rows.strip(leg.at[0]), self.grid.cols.strip(leg.at[1])
        shape = rows.size, cols.size
        for leave, enter in self._crossings(leg, shape, entry):
            if leg.copies > 1 and enter != entry:
                continue
            node = self.grid.node(leg.at, self._walks(shape, entry, leave), leg.sides)
            if node is None:
                continue
            groups = [self._group(leg, node, (rows.offset, cols.offset))]
            if len(legs) == 1:
                return groups
            others = self._lay(legs[1:], enter)
            if others is not None:
                return groups + others
        return None

    def _walks(self, shape: tuple[int, int], entry: Cell, leave: Cell | None) -> Iterator[Walk]:
        if not self.closed:
            return open_walks(*shape, entry, leave, thorough=self.thorough)
        if shape not in shapes():
            return iter(())
        walks = list(opened(*shape, entry))
        return iter(walks[::-1] if self.turned else walks)

    def _crossings(self, leg: _Leg, shape: tuple[int, int], entry: Cell) -> Iterator[tuple[Cell | None, Cell]]:
        """Yield squares where the leg may be left, and those of the next block to which the knight moves from them."""
        if leg.out is None:
            yield self.end, entry
            return
        rows, cols = shape
        # An even number of squares ends on the other colour, an odd one on the same.
        colour = (sum(entry) + rows * cols + 1) % 2
        along, across = (rows, cols) if leg.out == RIGHT else (cols, rows)
        parity = (colour + across + 1) % 2
        for leave, enter in ((parity + 2, parity), (parity, parity + 2), (parity + 4, parity + 2)):
            if max(leave, enter) < along:
                if leg.out == RIGHT:
                    yield (leave, cols - 1), (enter, 0)
                else:
                    yield (rows - 1, leave), (0, enter)

    def _group(self, leg: _Leg, node: Node, offset: Cell) -> Group:
        """Return the leg as a group.

        Its area reaches over that of later legs, which are asked first where a cell is.
        """
        row, col = offset[0] - self.corner[0], offset[1] - self.corner[1]
        whole = Area(
            -self.corner[0],
            self.grid.rows.length - self.corner[0],
            -self.corner[1],
            self.grid.cols.length - self.corner[1],
        )
        if leg.at == self.first:
            area = whole
        elif leg.at[0] == self.first[0]:
            area = replace(whole, left=col)
        else:
            area = replace(whole, top=row, left=col, right=col + node.cols)
        step = (0, 0) if leg.copies == 1 else (0, node.cols) if leg.out == RIGHT else (node.rows, 0)
        return Group(node, (row, col), step, leg.copies, area)
