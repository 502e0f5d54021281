"""Make a very different tour out of a tour: switch rails at random, then join what fell apart.

A rail (see `rails`) is a pair of parallel links that can be replaced by the other pair of sides of their parallelogram.
Every square keeps its number of links, so whatever is switched, what is left are closed loops and, of an open tour,
one path with the same two ends. Some sweeps over the board, each with a switch tried at every square in a random
direction, turn all of it over. Then rails between two different components are switched: that makes one of two,
whichever way round they run. With the components in a forest (union by size, paths halved), two more sweeps join
nearly everything in linear time, from the side of the smaller ones only. Loops that are left over, one in a corner
perhaps, are stirred together with what is around them, and all is labelled and joined again. If that does not help for
long, it begins anew from the given tour; and if nothing helps, the given tour is the answer.

The result is *not* uniform over all tours: nobody knows how to draw large ones uniformly. Only parallelograms are
switched: a knight on a board without glued edges has no other four moves in a ring. On boards such as 6x6 that reaches
a part of the tours only; a new search with a random order reaches others.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Literal

from backrank.errors import InvalidPuzzle, shown
from backrank.geometry.board import Board
from backrank.geometry.pieces import Piece
from backrank.runtime.budget import Meter
from backrank.runtime.rng import Randomness, seed_of
from backrank.tours.randomize.switches import Links, PlainLinks, Steps, check_length, no_move, no_tour

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from backrank.tours.randomize.switches import Shuffled, Squares

GearName = Literal["auto", "python", "kernel"]

SWEEPS = 12
MAX_SHUFFLE_SQUARES = 2**31 - 1
# Up to here plain Python answers before the kernels are loaded.
MAX_PLAIN_SQUARES = 10_000
_SMALLEST = 4  # a rail has four squares
# Of 256 squares: the first sweep joins at some, so that not all joins are where loops begin; the next one at all.
_ODDS = (64, 256)
_RESCUES = 30
# Small boards fall apart beyond repair more often, and new attempts cost nothing there.
_MIN_ATTEMPTS, _ATTEMPTED_SQUARES = 4, 20_000


def shuffled(
    board: Board,
    piece: Piece,
    squares: Squares,
    *,
    closed: bool,
    rng: Randomness,
    meter: Meter,
    sweeps: int = SWEEPS,
    gear: GearName = "auto",
) -> Shuffled:
    """Return another tour with the same start, and with the same end if it is open.

    The same seed gives the same tour, on any machine and in either gear; other seeds give other tours, except on the
    smallest boards. A closed tour, and only that, may be turned round: it is read from its start to the lesser of the
    two squares beside it. To keep the last square of a closed tour too, hand it in as an open one: the closing move
    stays a move.

    Cost: time linear in the squares, 12 ns a square and sweep and some 100 ns a square for the rest in the kernels;
    memory of five bytes a square beside the two tours.

    Parameters
    ----------
    board : Board
    piece : Piece
        A leaper whose steps can be taken back.
    squares : sequence of int, or array
        A tour.
    closed : bool
        Whether it is a cycle.
    rng : int, random.Random or numpy.random.Generator
        A seed, at least 0, or a generator, of which 64 bits are taken.
    meter : Meter
        Read between parts of the work. No calls are counted: nothing is searched.
    sweeps : int
        How often to try a switch at every square; 0 leaves the tour as it is.
    gear : {"auto", "python", "kernel"}
        Plain Python, which returns a tuple, or kernels, which return an int32 array; by the board's size if "auto".

    Raises
    ------
    BoardTooLarge
        On more than 2,147,483,647 squares.
    BudgetExceeded
        If the meter stops the work.
    InvalidPuzzle
        If the squares are no tour, the piece is no leaper, or the seed is no seed.

    Examples
    --------
    >>> from backrank import KnightTours
    >>> from backrank.runtime.budget import Budget
    >>> tour = KnightTours(8).solve()
    >>> other = shuffled(tour.board, tour.piece, tour.squares, closed=False, rng=1, meter=Budget().start())
    >>> other in KnightTours(8, start=tour.start, end=tour.end), other == tour.squares
    (True, False)
    """
    board.require_at_most(MAX_SHUFFLE_SQUARES, "shuffling")
    if isinstance(sweeps, bool) or not isinstance(sweeps, int) or sweeps < 0:
        raise InvalidPuzzle(f"the number of sweeps must be a whole number, at least 0, not {shown(sweeps)}")
    plain = board.size <= MAX_PLAIN_SQUARES if gear == "auto" else gear == "python"
    make = PlainLinks if plain else _CompiledLinks
    links: Links = make(board, piece, squares, closed=closed, seed=seed_of(rng))
    return _Shuffle(board, links, meter).run(sweeps)


class _Shuffle:
    """One piece of work: the links, and the meter that is read between its parts."""

    def __init__(self, board: Board, links: Links, meter: Meter) -> None:
        self.board = board
        self.links = links
        self.meter = meter

    def run(self, sweeps: int) -> Shuffled:
        """Switch and join until there is one tour again; return the given one if that never comes about."""
        links = self.links
        for _ in range(max(_MIN_ATTEMPTS, _ATTEMPTED_SQUARES // len(self.board))):
            for _ in range(sweeps if len(self.board) >= _SMALLEST else 0):
                self._everywhere(links.mix)
            if self._is_joined():
                break
            links.load()
        return links.walk(self._pause)

    def _pause(self) -> None:
        self.meter.tick(self.meter.calls, len(self.board))

    def _everywhere(self, part: Callable[[int, int], int]) -> int:
        """Do a part of the work on all rows, some at a time; return the sum."""
        rows, total = self.board.rows, 0
        stride = max(1, self.links.stride // self.board.cols)
        for first in range(0, rows, stride):
            self._pause()
            total += part(first, min(first + stride, rows))
        return total

    def _is_joined(self) -> bool:
        """Join all components, with some stirring in between; return whether that has come about."""
        links = self.links
        for _ in range(_RESCUES):
            links.forget()
            components = len(self.board) - self._everywhere(links.label)
            main = links.largest()
            for odds in _ODDS:
                if components == 1:
                    return True
                components -= self._everywhere(partial(links.join, odds, main))
            if components == 1:
                return True
            self._everywhere(partial(links.stir, main))
        return False


class _CompiledLinks:
    """The kernels and their arrays: what `PlainLinks` does, a hundred times as fast."""

    stride = 1_000_000

    def __init__(self, board: Board, piece: Piece, squares: Squares, *, closed: bool, seed: int) -> None:
        import numpy as np  # noqa: PLC0415 - loaded for large boards only

        from backrank.tours.randomize import shuffle_jit as kernel  # noqa: PLC0415 - loads numba

        steps = Steps(board, piece)
        self.kernel, self.board, self.piece, self.closed = kernel, board, piece, closed
        down, right, back = (np.array(column, np.int64) for column in (steps.down, steps.right, steps.back))
        self.jumps = kernel.Jumps(
            board.rows,
            board.cols,
            int(steps.wraps_rows),
            int(steps.wraps_cols),
            2 * max(map(abs, steps.down + steps.right), default=0),
            down,
            right,
            down * board.cols + right,
            back,
        )
        self.squares = _array(board, squares, closed=closed)
        self.dice = np.array([seed], np.uint64)
        self.bits: npt.NDArray[np.uint8] | npt.NDArray[np.int64]
        self.bits = np.zeros(board.size, np.uint8) if len(steps) <= 8 else np.zeros(board.size, np.int64)
        self.parent = np.empty(0, np.int32)
        self.load()
        linked = np.count_nonzero(self.bits) + (len(board) == 1)
        if linked < len(board) or self.bits[list(board.holes)].any() or int(self.squares[0]) in board.holes:
            raise no_tour(board, "it visits each of them once, and no hole")

    def load(self) -> None:
        """See :class:`~backrank.tours.randomize.switches.Links`."""
        self.bits[:] = 0
        self._load(self.squares)
        if self.closed:
            self._load(self.squares[[-1, 0]])

    def _load(self, squares: npt.NDArray[np.int32]) -> None:
        moves = int(self.kernel.load_links(self.jumps, self.bits, squares, 0, len(squares) - 1))
        if moves < len(squares) - 1:
            raise no_move(self.board, self.piece, *squares[moves : moves + 2].tolist())

    def mix(self, first: int, last: int) -> int:
        """See :class:`~backrank.tours.randomize.switches.Links`."""
        return int(self.kernel.mix_rows(self.jumps, self.bits, self.dice, first, last))

    def forget(self) -> None:
        """See :class:`~backrank.tours.randomize.switches.Links`."""
        import numpy as np  # noqa: PLC0415

        if not self.parent.size:
            self.parent = np.empty(self.board.size, np.int32)
        self.parent[:] = -1

    def label(self, first: int, last: int) -> int:
        """See :class:`~backrank.tours.randomize.switches.Links`."""
        return int(self.kernel.label_rows(self.jumps, self.bits, self.parent, first, last))

    def join(self, odds: int, main: int, first: int, last: int) -> int:
        """See :class:`~backrank.tours.randomize.switches.Links`."""
        return int(self.kernel.join_rows(self.jumps, self.bits, self.parent, self.dice, odds, main, first, last))

    def largest(self) -> int:
        """See :class:`~backrank.tours.randomize.switches.Links`."""
        return int(self.parent.argmin())

    def stir(self, main: int, first: int, last: int) -> int:
        """See :class:`~backrank.tours.randomize.switches.Links`."""
        return int(self.kernel.stir_rows(self.jumps, self.bits, self.parent, self.dice, main, first, last))

    def walk(self, pause: Callable[[], None]) -> npt.NDArray[np.int32]:
        """See :class:`~backrank.tours.randomize.switches.Links`."""
        import numpy as np  # noqa: PLC0415

        if len(self.squares) == 1:
            return self.squares.copy()
        self.parent = np.empty(0, np.int32)
        walk = np.empty(len(self.squares), np.int32)
        state = np.array([*divmod(int(self.squares[0]), self.board.cols), -1], np.int64)
        for first in range(0, len(walk), self.stride):
            pause()
            last = min(first + self.stride, len(walk))
            self.kernel.walk_links(self.jumps, self.bits, state, walk, first, last)
        return walk


def _array(board: Board, squares: Squares, *, closed: bool) -> npt.NDArray[np.int32]:
    """Return squares of the board as an array, without a copy if they are one."""
    import numpy as np  # noqa: PLC0415

    array = np.asarray(squares)
    check_length(board, array.size, closed=closed)
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise no_tour(board, "its squares are whole numbers")
    for square in (int(array.min()), int(array.max())):
        if not 0 <= square < board.size:
            raise no_tour(board, f"{shown(square)} is none of its squares")
    return np.ascontiguousarray(array, np.int32)
