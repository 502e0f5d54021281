"""The links of a tour and their rails, in plain Python: what `shuffle` does to small boards and its kernels repeat.

The links of a square are the bits of a number, one for each step of the piece. A *rail* is a pair of parallel links:
a-b and c-d are links, a-c and b-d are moves but no links. Switching it puts the latter two in the place of the former,
and leaves every square as many links as before.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol, TypeAlias

from backrank.errors import InvalidPuzzle, shown
from backrank.geometry.board import Board
from backrank.geometry.pieces import Piece
from backrank.runtime.rng import Dice

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Squares: TypeAlias = Sequence[int] | npt.NDArray[np.integer]
    Shuffled: TypeAlias = tuple[int, ...] | npt.NDArray[np.int32]

MAX_STEPS = 62
_LOW_HALF = 2**32 - 1


class Steps:
    """The steps of a piece on a board, no two to the same square and none to its own; and the opposite of each."""

    def __init__(self, board: Board, piece: Piece) -> None:
        if piece.slides:
            raise InvalidPuzzle(f"a tour is made by a leaper such as the knight, not by a {piece}")
        if not piece.is_symmetric:
            raise InvalidPuzzle(f"a shuffle needs a piece that can take back each of its steps; the {piece} cannot")
        self.rows, self.cols = board.rows, board.cols
        self.wraps_rows, self.wraps_cols = board.wrap == "torus", board.wrap != "none"
        steps = [step for step in dict.fromkeys(self._reduced(*step) for step in piece.steps) if step != (0, 0)]
        if len(steps) > MAX_STEPS:
            raise InvalidPuzzle(f"a shuffle takes pieces with at most {MAX_STEPS} steps; the {piece} has {len(steps)}")
        self.down, self.right = [down for down, _ in steps], [right for _, right in steps]
        self.back = [steps.index(self._reduced(-down, -right)) for down, right in steps]

    def __len__(self) -> int:
        """Return the number of different steps."""
        return len(self.back)

    def _reduced(self, down: int, right: int) -> tuple[int, int]:
        """Return the shortest step to the same square."""
        return (
            _centred(down, self.rows) if self.wraps_rows else down,
            _centred(right, self.cols) if self.wraps_cols else right,
        )

    def after(self, square: int, step: int) -> int:
        """Return the square after the step of that number, or -1."""
        row, col = divmod(square, self.cols)
        row, col = row + self.down[step], col + self.right[step]
        row, col = row % self.rows if self.wraps_rows else row, col % self.cols if self.wraps_cols else col
        return row * self.cols + col if 0 <= row < self.rows and 0 <= col < self.cols else -1


class Links(Protocol):
    """The links of a tour while they are switched. Parts of the work take rows, from the first to before the last.

    Attributes
    ----------
    stride : int
        So many squares take some hundredths of a second.
    """

    stride: int

    def load(self) -> None:
        """Take the links of the given tour."""
        ...

    def mix(self, first: int, last: int) -> int:
        """Try to switch one rail at every square, in a random direction; return the number of switches."""
        ...

    def forget(self) -> None:
        """Make every square a component of its own."""
        ...

    def label(self, first: int, last: int) -> int:
        """Unite linked squares; return how many components have gone."""
        ...

    def join(self, odds: int, main: int, first: int, last: int) -> int:
        """Switch rails between components, at so many of 256 squares; return how many components have gone.

        The squares in the component of the main square are passed over: those on the other side see all their rails.
        """
        ...

    def largest(self) -> int:
        """Return the root of the largest component, the first of those."""
        ...

    def stir(self, main: int, first: int, last: int) -> int:
        """Try to switch rails at and around squares outside the main square's component; return how many switches."""
        ...

    def walk(self, pause: Callable[[], None]) -> Shuffled:
        """Return the squares along the links, from the start to its lesser neighbour and on, pausing now and then."""
        ...


def no_tour(board: Board, why: str) -> InvalidPuzzle:
    """Return the error for squares that are no tour."""
    return InvalidPuzzle(f"only a tour of the {board} board can be shuffled; {why}")


def check_length(board: Board, length: int, *, closed: bool) -> None:
    """Refuse what is too long or too short for a tour."""
    if length != len(board):
        raise no_tour(board, f"it visits {len(board):,} squares, not {length:,}")
    if closed and length < 3:
        raise no_tour(board, f"a closed one has at least 3 squares, not {length}")


def no_move(board: Board, piece: Piece, source: int, target: int) -> InvalidPuzzle:
    """Return the error for two squares in a row that are not a move apart, or are no squares of the board."""
    for square in (source, target):
        if square not in board:
            return no_tour(board, f"{shown(square)} is none of its squares")
    return no_tour(board, f"{board.name(source)} to {board.name(target)} is not a {piece} move")


class PlainLinks:
    """The reference: lists and loops, and the same dice as the kernels."""

    stride = 20_000

    def __init__(self, board: Board, piece: Piece, squares: Squares, *, closed: bool, seed: int) -> None:
        try:
            self.squares = tuple(map(operator.index, squares))
        except TypeError:
            raise no_tour(board, "its squares are whole numbers") from None
        check_length(board, len(self.squares), closed=closed)
        self.board, self.piece, self.closed = board, piece, closed
        self.dice, self.steps = Dice(seed), Steps(board, piece)
        # The square after each step from each square, or -1.
        self.near = [
            [self.steps.after(square, step) for step in range(len(self.steps))] for square in range(board.size)
        ]
        self.bits: list[int] = []
        self.parent: list[int] = []
        self.load()
        if set(self.squares) != set(board):
            raise no_tour(board, "it visits each of them once, and no hole")

    def load(self) -> None:
        """See :class:`Links`."""
        squares, back = self.squares, self.steps.back
        self.bits = [0] * self.board.size
        onward = squares[1:] + squares[:1] if self.closed else squares[1:]
        for source, target in zip(squares, onward, strict=False):
            if source not in self.board or target not in self.board or target not in self.near[source]:
                raise no_move(self.board, self.piece, source, target)
            step = self.near[source].index(target)
            self.bits[source] |= 1 << step
            self.bits[target] |= 1 << back[step]

    def _squares(self, first: int, last: int) -> range:
        return range(first * self.board.cols, last * self.board.cols)

    def _direction(self, draw: int) -> int:
        return (draw & _LOW_HALF) * len(self.steps) >> 32

    def _rails(self, a: int, c: int, side: int) -> int:
        """Return the links that two squares a side apart have in common, but for those along the side, as bits."""
        return self.bits[a] & self.bits[c] & ~(1 << side | 1 << self.steps.back[side])

    def _switch(self, a: int, link: int, side: int) -> None:
        """Replace the links a-b and c-d by a-c and b-d."""
        bits, back = self.bits, self.steps.back
        b, c = self.near[a][link], self.near[a][side]
        d = self.near[c][link]
        bits[a] ^= 1 << link | 1 << side
        bits[b] ^= 1 << back[link] | 1 << side
        bits[c] ^= 1 << link | 1 << back[side]
        bits[d] ^= 1 << back[link] | 1 << back[side]

    def _try_to_switch(self, a: int, draw: int) -> bool:
        """Switch a rail at a square, if there is one in the direction that the draw says."""
        side = self._direction(draw)
        c = self.near[a][side]
        if c < 0 or self.bits[a] >> side & 1:
            return False
        rails = self._rails(a, c, side)
        if not rails:
            return False
        if rails & (rails - 1) and draw >> 63:
            rails &= rails - 1
        link = _lowest(rails)
        if self.bits[self.near[a][link]] >> side & 1:
            return False
        self._switch(a, link, side)
        return True

    def mix(self, first: int, last: int) -> int:
        """See :class:`Links`."""
        return sum(self._try_to_switch(square, self.dice.draw()) for square in self._squares(first, last))

    def forget(self) -> None:
        """See :class:`Links`."""
        self.parent = [-1] * self.board.size

    def _root(self, square: int) -> int:
        parent = self.parent
        while parent[square] >= 0:
            if parent[parent[square]] >= 0:
                parent[square] = parent[parent[square]]
            square = parent[square]
        return square

    def _unite(self, one: int, other: int) -> int:
        """Make one component of two, given by their roots: of the larger one, or the one whose root comes first."""
        if (self.parent[one], one) > (self.parent[other], other):
            one, other = other, one
        self.parent[one] += self.parent[other]
        self.parent[other] = one
        return one

    def label(self, first: int, last: int) -> int:
        """See :class:`Links`."""
        united = 0
        for square in self._squares(first, last):
            for step, target in enumerate(self.near[square]):
                if self.bits[square] >> step & 1 and target < square:
                    one, other = self._root(square), self._root(target)
                    if one != other:
                        self._unite(one, other)
                        united += 1
        return united

    def join(self, odds: int, main: int, first: int, last: int) -> int:
        """See :class:`Links`."""
        united = 0
        for square in self._squares(first, last):
            if self.bits[square] and self._root(square) != self._root(main):
                draw = self.dice.draw()
                if draw >> 56 < odds:
                    united += self._join(square, self._direction(draw))
        return united

    def _join(self, a: int, turn: int) -> int:
        """Join the component of a square with those around it; return how many components have gone."""
        united = 0
        for number in range(len(self.steps)):
            side = (turn + number) % len(self.steps)
            c = self.near[a][side]
            rails = 0 if c < 0 else self._rails(a, c, side)
            if rails and self._root(a) != self._root(c):
                self._switch(a, _lowest(rails), side)
                self._unite(self._root(a), self._root(c))
                united += 1
        return united

    def largest(self) -> int:
        """See :class:`Links`."""
        return self.parent.index(min(self.parent))

    def stir(self, main: int, first: int, last: int) -> int:
        """See :class:`Links`."""
        switches = 0
        for square in self._squares(first, last):
            if self.bits[square] and self._root(square) != self._root(main):
                for near in (square, *self.near[square]):
                    if near >= 0:
                        switches += self._try_to_switch(near, self.dice.draw())
        return switches

    def walk(self, pause: Callable[[], None]) -> tuple[int, ...]:
        """See :class:`Links`."""
        pause()
        walk = [self.squares[0]]
        came = -1
        while len(walk) < len(self.squares):
            onward = [
                (self.near[walk[-1]][step], step)
                for step in range(len(self.steps))
                if self.bits[walk[-1]] >> step & 1 and step != came
            ]
            square, step = min(onward)
            came = self.steps.back[step]
            walk.append(square)
        return tuple(walk)


def _lowest(bits: int) -> int:
    return (bits & -bits).bit_length() - 1


def _centred(step: int, side: int) -> int:
    """Return the step of least size that is the same round a side."""
    less = (side - 1) // 2
    return (step + less) % side - less
