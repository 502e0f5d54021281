"""`Queens`: a frozen puzzle, and everything anyone wants of it as verbs on it."""

from __future__ import annotations

import operator
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from math import gcd
from typing import SupportsIndex

from backrank.board import Board, SquareLike
from backrank.budget import Budget, Counters
from backrank.errors import BackrankError, BoardTooLarge, InvalidPuzzle, UnknownName
from backrank.queens import bits, construct, fewest
from backrank.queens.placement import Placement
from backrank.queens.reference import iter_placements
from backrank.search.cursor import Cursor
from backrank.search.effort import Effort, is_solved
from backrank.search.naming import Strategy, parse_strategy, strategy_names
from backrank.search.spaces import QueensSpace
from backrank.symmetry import canonical_set, permutations
from backrank.verify import Fault, queens_faults

AUTO, FORMULA = "auto", "formula"
METHODS = ("auto", "columnsets", "bits", "reference")
COLUMNSETS_FROM, COLUMNSETS_TO = 13, 25
MAX_SEARCH_SQUARES = 4_000_000
MAX_FORMULA_SIDE = 2_000_000


@dataclass(frozen=True, slots=True)
class QueensResult:
    """What came of one search.

    Attributes
    ----------
    placement : Placement or None
        None only if it is proven that there is none.
    reason : str
        In words: why there is a placement, or why there is none.
    strategy : str
        How it was looked for; `theorem` if it was not.
    calls, backtracks : int
        Queens placed by the search, and taken up again.
    seconds : float
        Wall time.
    """

    placement: Placement | None
    reason: str
    strategy: str
    calls: int = 0
    backtracks: int = 0
    seconds: float = 0.0


@dataclass(frozen=True, init=False, slots=True)
class Queens:
    """All placements of queens on a board of which no two attack each other.

    A lazy, frozen collection: iterate it, count it, ask whether a placement is `in` it, solve it.

    Parameters
    ----------
    rows : int, str or Board
        The number of rows; or the board, as `"8x8"` or a :class:`~backrank.Board`.
    cols : int, optional
        The number of columns; the same as `rows` if not given.
    queens : int, optional
        How many; the length of the shorter side if not given.
    holes : iterable of squares
        Squares on which no queen may stand. Queens see across them.
    wrap : {"none", "cylinder", "torus"}
        On glued edges, queens see round them.

    Raises
    ------
    InvalidBoard, InvalidSquare, InvalidPuzzle
        If the board or the number of queens cannot be meant.

    Examples
    --------
    >>> [p.columns for p in Queens(4)]
    [(1, 3, 0, 2), (2, 0, 3, 1)]
    >>> Queens(8).count(), Queens(8).count(up_to_symmetry=True)
    (92, 12)
    """

    board: Board
    queens: int

    def __init__(
        self,
        rows: SupportsIndex | str | Board,
        cols: SupportsIndex | None = None,
        *,
        queens: SupportsIndex | None = None,
        holes: Iterable[SquareLike] = (),
        wrap: str = "none",
    ) -> None:
        board = Board.of(rows, cols, holes=holes, wrap=wrap)
        object.__setattr__(self, "board", board)
        wanted = min(board.rows, board.cols)
        if queens is not None:
            try:
                wanted = operator.index(queens)
            except TypeError:
                raise InvalidPuzzle(f"the number of queens must be a whole number, not {queens!r}") from None
            if wanted < 0 or isinstance(queens, bool):
                raise InvalidPuzzle(f"the number of queens must be at least 0, not {queens!r}")
        object.__setattr__(self, "queens", wanted)

    @property
    def _is_one_per_row(self) -> bool:
        """Whether the fast searches apply: one queen in every row, edges not glued."""
        return self.board.wrap == "none" and self.queens == self.board.rows <= self.board.cols

    def why_impossible(self) -> str | None:
        """Return a reason why there is no placement, if a theorem or a simple count gives one."""
        return self._too_many() or self._no_square_free()

    def _too_many(self) -> str | None:
        board, queens = self.board, self.queens
        short, long = sorted((board.rows, board.cols))
        if queens > short:
            return f"{queens} queens do not fit: with more than {short} two would share a row or a column"
        if queens > len(board):
            return f"{queens} queens do not fit on {len(board)} squares"
        if board.wrap == "torus" and queens > gcd(short, long):
            return f"{queens} queens do not fit: {board} has only {gcd(short, long)} diagonals of each kind"
        if board.wrap != "none" and queens == short == long and gcd(queens, 6) > 1:
            return f"{queens} queens fit on {board} only if the side is divisible by neither 2 nor 3 (Pólya 1918)"
        if short == long == queens and queens in (2, 3):
            return f"{queens} queens cannot stand on {board} without attacking each other; the board is too small"
        return None

    def _no_square_free(self) -> str | None:
        board = self.board
        if self.queens == board.rows and board.holes:
            for row, mask in enumerate(bits.allowed_masks(board)):
                if not mask:
                    return f"row {row} (rank {board.rows - row}) has no free square, and every row needs a queen"
        return None

    def solve(self, *, strategy: str = "auto", budget: Budget | None = None) -> Placement | None:
        """Return one placement, or None if it is proven that there is none; see :meth:`search`.

        Examples
        --------
        >>> Queens(1000).solve() in Queens(1000), Queens(3).solve()
        (True, None)
        """
        return self.search(strategy=strategy, budget=budget).placement

    def search(
        self,
        *,
        strategy: str = AUTO,
        budget: Budget | None = None,
        cursor: Cursor | None = None,
        watch: Callable[[Cursor], None] | None = None,
    ) -> QueensResult:
        """Look for one placement, and tell what it cost.

        Parameters
        ----------
        strategy : str
            `formula` needs no search, but a board without holes and glued edges. Any other name is plain
            backtracking with that strategy: `rows` is the textbook's and finds the first placement in
            lexicographic order; see :data:`~backrank.QUEENS_STRATEGIES`. `auto` takes the formula if it
            applies, then fills the row with the fewest free squares first, in many attempts (`restarts`).
        budget : Budget, optional
            Limits, progress and cancellation; no limits if not given.
        cursor, watch : optional
            Where an earlier search by the same strategy goes on, and who is handed the cursor to keep it; as for
            :meth:`backrank.KnightTours.search`.

        Raises
        ------
        BudgetExceeded
            If a limit was reached first.
        UnknownName, InvalidPuzzle
            If there is no such strategy, or it does not apply to this board.
        """
        chosen = None if strategy in (AUTO, FORMULA) else _strategy(strategy)
        if chosen is None and (cursor is not None or watch is not None):
            raise InvalidPuzzle(f"strategy {strategy} has no cursor; choose a search, such as rows")
        reason = self.why_impossible()
        if reason is not None:
            return QueensResult(None, reason, "theorem")
        began = time.monotonic()
        counters = Counters()
        if chosen is not None:
            strategy = chosen.name
            squares = self._by_engine(chosen, Effort(budget or Budget(), cursor, watch), counters)
        else:
            strategy = self._best_strategy() if strategy == AUTO else strategy
            squares = self._found(strategy, budget or Budget(), counters)
        spent = (counters.calls, counters.backtracks, time.monotonic() - began)
        if squares is None:
            reason = f"an exhaustive search of {counters.calls:,} calls found none"
            return QueensResult(None, reason, strategy, *spent)
        return QueensResult(Placement(self.board, tuple(sorted(squares))), f"found by {strategy}", strategy, *spent)

    def _by_engine(self, strategy: Strategy, effort: Effort, counters: Counters) -> list[int] | None:
        if not self.queens:
            return []
        cursor = effort.begin(self.search_space(), strategy)
        if not is_solved(cursor):
            cursor = effort.run_on(cursor)
        counters.calls, counters.backtracks = cursor.calls, cursor.backtracks
        return list(cursor.path) if is_solved(cursor) else None

    def search_space(self) -> QueensSpace:
        """Return what the engine of :mod:`backrank.search` needs, to trace a search step by step.

        Examples
        --------
        >>> Queens(8).search_space().total
        8
        """
        return QueensSpace(self.board, self.queens)

    def _best_strategy(self) -> str:
        if self._formula() is not None:
            return FORMULA
        return "restarts" if self._lying() is not None else "rows"

    def _formula(self) -> list[int] | None:
        """Return squares from the formula, or None if it does not apply."""
        board = self.board
        short, long = sorted((board.rows, board.cols))
        if long > MAX_FORMULA_SIDE:
            raise BoardTooLarge(f"placing queens takes sides of at most {MAX_FORMULA_SIDE:,}, not {long:,}")
        columns = construct.columns(short, long) if board.is_plain and self.queens <= short else None
        return None if columns is None else self._standing(columns[: self.queens])

    def _standing(self, columns: list[int]) -> list[int]:
        """Return squares from columns of the lying board."""
        cols = self.board.cols
        if self.board.rows <= cols:
            return [row * cols + col for row, col in enumerate(columns)]
        return [col * cols + row for row, col in enumerate(columns)]

    def _found(self, strategy: str, budget: Budget, counters: Counters) -> list[int] | None:
        board = self.board
        if strategy == FORMULA:
            squares = self._formula()
            if squares is None:
                raise InvalidPuzzle(f"the formula is for plain boards, not for {self.queens} queens on {board}")
            return squares
        board.require_at_most(MAX_SEARCH_SQUARES, "the search")
        meter = budget.start(self.queens)
        lying = self._lying()
        if lying is None:
            return next((list(p) for p in iter_placements(board, self.queens, meter=meter, counters=counters)), None)
        columns = fewest.columns(lying, meter=meter)
        counters.calls = meter.calls
        counters.backtracks = meter.calls - (self.queens if columns else 0)
        return None if columns is None else self._standing(columns)

    def iter_placements(self, *, budget: Budget | None = None) -> Iterator[Placement]:
        """Yield every placement, lazily, in lexicographic order of the squares.

        With one queen a row that is the order of their columns, as in the textbooks: `0 4 7 5 2 6 1 3` first.
        """
        if self.why_impossible() is not None:
            return
        meter = (budget or Budget()).start(self.queens)
        self.board.require_at_most(MAX_SEARCH_SQUARES, "listing")
        if self._is_one_per_row:
            offsets = range(0, self.board.size, self.board.cols)
            for columns in bits.iter_columns(self.board, meter=meter):
                yield Placement(self.board, tuple(map(operator.add, offsets, columns)))
        else:
            for squares in iter_placements(self.board, self.queens, meter=meter, counters=Counters()):
                yield Placement(self.board, tuple(squares))

    def __iter__(self) -> Iterator[Placement]:
        return self.iter_placements()

    def __bool__(self) -> bool:
        """Whether there is a placement; searches if no theorem tells."""
        return self.solve() is not None

    def __contains__(self, placement: object) -> bool:
        """Whether this is one of the placements; takes a `Placement`, or a list of columns, one a row."""
        if isinstance(placement, Placement):
            return placement.board == self.board and not self.faults(placement.squares)
        if not isinstance(placement, Iterable):
            return False
        try:
            return not self.faults(self._squares(placement))
        except BackrankError:
            return False

    def _squares(self, placement: Iterable[SquareLike]) -> list[SquareLike]:
        """Return squares from squares, or from a list of columns: plain ints are columns, one a row."""
        items = list(placement)
        if all(hasattr(item, "__index__") for item in items):
            return [(row, operator.index(item)) for row, item in enumerate(items)]  # type: ignore[arg-type]  # checked
        return items

    def faults(self, placement: Iterable[SquareLike]) -> list[Fault]:
        """Return every fault of a claimed placement: an iterable of squares in any notation, all on the grid."""
        full = Board(self.board.rows, self.board.cols)
        return queens_faults(self.board, [full.cell(full.square(at)) for at in placement], queens=self.queens)

    def placement(self, columns: Iterable[SquareLike]) -> Placement:
        """Return a checked placement from a list of columns, one a row, or from names or cells.

        Raises
        ------
        InvalidPuzzle
            If it has faults; the message names the first and says how many there are.

        Examples
        --------
        >>> Queens(4).placement([1, 3, 0, 2]).names
        ('b4', 'd3', 'a2', 'c1')
        """
        squares = self._squares(columns)
        faults = self.faults(squares)
        if faults:
            more = f" (and {len(faults) - 1} more faults)" if len(faults) > 1 else ""
            raise InvalidPuzzle(f"not a placement of this puzzle: {faults[0]}{more}")
        return Placement(self.board, tuple(sorted(map(self.board.square, squares))))

    def count(self, *, up_to_symmetry: bool = False, method: str = "auto", budget: Budget | None = None) -> int:
        """Return the exact number of placements.

        Parameters
        ----------
        up_to_symmetry : bool
            Whether placements that a symmetry of the board maps to each other count as one (F instead of Q).
        method : {"auto", "columnsets", "bits", "reference"}
            How to count if not up to symmetry, which lists all placements. `bits` needs one queen in every row (or
            every column) of a board with plain edges; `columnsets`, which meets in the middle and is compiled, n
            queens on n x n without holes, n up to 25. `auto` takes the latter from 13 on, unless calls are limited.
        budget : Budget, optional

        Raises
        ------
        BudgetExceeded
            If a limit was reached first; an unfinished count is never returned.

        Notes
        -----
        Queens are alike: a placement is a set of squares. Cost: exponential; about a second per million
        placements of the search. Sequences A000170 (all) and A002562 (up to symmetry).

        Examples
        --------
        >>> Queens(6).count(), Queens(4, 5).count(), Queens(6, queens=5).count(), Queens(5, wrap="torus").count()
        (4, 12, 248, 10)
        """
        if method not in METHODS:
            raise UnknownName("counting method", method, METHODS)
        lying = self._lying()
        if method == "bits" and lying is None:
            raise InvalidPuzzle("bits needs one queen in every row or every column and no glued edges; use reference")
        if self.why_impossible() is not None:
            return 0
        budget = budget or Budget()
        if up_to_symmetry:
            return self._classes(budget)
        self.board.require_at_most(MAX_SEARCH_SQUARES, "counting")
        meter = budget.start(self.queens)
        if self._by_columnsets(method, budget):
            from backrank.queens import columnsets  # noqa: PLC0415 - loads numpy, and numba when it counts

            return columnsets.count(self.board.rows, meter=meter)
        if method == "reference" or lying is None:
            return sum(1 for _ in iter_placements(self.board, self.queens, meter=meter, counters=Counters()))
        return bits.count(lying, meter=meter)

    def _by_columnsets(self, method: str, budget: Budget) -> bool:
        """Whether to count by column sets: for large squares it is worth loading what is compiled."""
        side = self.board.rows
        fits = self.board.is_plain and self.queens == side == self.board.cols and 4 <= side <= COLUMNSETS_TO
        if method == "columnsets" and not fits:
            raise InvalidPuzzle(f"columnsets counts n queens on n x n from 4 to {COLUMNSETS_TO}; use bits or reference")
        return method == "columnsets" or (method == AUTO and fits and side >= COLUMNSETS_FROM and budget.calls is None)

    def _lying(self) -> Board | None:
        """Return the board turned so that every row has a queen, if it can be and its edges are not glued."""
        board = self.board
        if board.wrap != "none" or self.queens != min(board.rows, board.cols):
            return None
        if board.rows <= board.cols:
            return board
        return Board(board.cols, board.rows, holes=[(col, row) for row, col in map(board.cell, board.holes)])

    def _classes(self, budget: Budget) -> int:
        """Count the placements that are the least of their class."""
        group = permutations(self.board)
        return sum(
            placement.squares == canonical_set(group, placement.squares)
            for placement in self.iter_placements(budget=budget)
        )

    def __repr__(self) -> str:
        queens = "" if self.queens == min(self.board.rows, self.board.cols) else f", queens={self.queens}"
        return f"Queens({self.board!r}{queens})"


def _strategy(name: str) -> Strategy:
    try:
        return parse_strategy(name, "queens")
    except UnknownName:
        raise UnknownName("strategy", name, (AUTO, FORMULA, *strategy_names("queens"))) from None
