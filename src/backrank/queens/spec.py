"""What is asked about queens, for the algorithms: the board, how many pieces, and which; and what is known at once.

Some queens may stand already. No algorithm needs to know: the squares that they attack become holes, and then every way
to fill the board is a completion. If every row or every column needs a queen, that is all, for a placed queen stands on
the only free square of its row and column. Otherwise it could be left out, so it is taken off the board together with
its square, and put back into every answer. Both are :meth:`QueensSpec.reduced`. The order of answers stays the same: of
two sets of squares, the one with the least square that the other lacks comes first; what both have changes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import gcd

from backrank.errors import InvalidPuzzle
from backrank.geometry.board import Board
from backrank.geometry.pieces import KNIGHT, queen_lines, step
from backrank.queens.rules import Rows, allowed_masks

MAX_REDUCED_SQUARES = 4_000_000


@dataclass(frozen=True, slots=True)
class QueensSpec:
    """A board, a number of pieces, the piece: "queen" or "amazon", and the squares on which some stand already.

    The placed ones are counted among the pieces, and do not attack each other.
    """

    board: Board
    queens: int
    piece: str = "queen"
    placed: tuple[int, ...] = ()

    @property
    def is_one_per_row(self) -> bool:
        """Whether every row has a piece: then a placement is a list of columns."""
        return self.queens == self.board.rows

    @property
    def is_plain(self) -> bool:
        """Whether these are queens on a board with plain edges, if perhaps with holes."""
        return self.piece == "queen" and self.board.wrap == "none"

    @property
    def is_square(self) -> bool:
        """Whether this is n on n x n."""
        return self.queens == self.board.rows == self.board.cols

    @property
    def is_mirrored(self) -> bool:
        """Whether the board is its own mirror image, left to right."""
        holes, cols = self.board.holes, self.board.cols
        return all(row * cols + cols - 1 - col in holes for row, col in map(self.board.cell, holes))

    def rules(self) -> Rows:
        """Return the rules as masks."""
        return Rows.of(self.board, self.queens, self.piece)

    def reduced(self) -> tuple[QueensSpec, tuple[int, ...]]:
        """Return the same puzzle without placed pieces but more holes, and the squares to be put into every answer.

        Cost: a look at every square of the board, of which there may be four million.

        Examples
        --------
        >>> sorted(QueensSpec(Board(4), 4, placed=(1,)).reduced()[0].board)
        [1, 7, 8, 10, 12, 14, 15]
        >>> QueensSpec(Board(4), 2, placed=(0,)).reduced()[1]
        (0,)
        """
        if not self.placed:
            return self, ()
        board, left = self.board, self.queens - len(self.placed)
        board.require_at_most(MAX_REDUCED_SQUARES, "completing")
        free = self._free() if left else set()
        if not free or self.queens in (board.rows, board.cols):
            return QueensSpec(_only(board, free.union(self.placed)), self.queens, self.piece), ()
        return QueensSpec(_only(board, free), left, self.piece), self.placed

    def _free(self) -> set[int]:
        """Return the squares on which no piece stands, and that none attacks."""
        board = self.board
        cells = [board.cell(square) for square in self.placed]
        taken = [set(kind) for kind in zip(*(queen_lines(board, cell) for cell in cells), strict=True)]
        free = {
            square
            for square in board
            if not any(line in lines for line, lines in zip(queen_lines(board, board.cell(square)), taken, strict=True))
        }
        if self.piece == "amazon":
            free -= {step(board, cell, by) for cell in cells for by in KNIGHT.steps}
        return free

    def lying(self) -> QueensSpec:
        """Return the same puzzle about the board turned so that it has no more rows than columns, if it may be."""
        board = self.board
        if board.rows <= board.cols or board.wrap == "cylinder":
            return self
        holes = [(col, row) for row, col in map(board.cell, board.holes)]
        return QueensSpec(Board(board.cols, board.rows, holes=holes, wrap=board.wrap), self.queens, self.piece)

    def require_no_placed(self) -> None:
        """Raise InvalidPuzzle if queens are placed: symmetries map them to other squares, so there are no classes."""
        if self.placed:
            raise InvalidPuzzle(f"{self.piece}s that are placed break the symmetry of the board; leave one of both out")

    def why_impossible(self) -> str | None:
        """Return a reason why there is no placement, if a theorem or a simple count gives one."""
        reason = self._too_many()
        if reason is not None or not self.placed:
            return reason or self._no_square_free()
        rest, beside = self.reduced()
        if beside and rest.queens > len(rest.board):
            return f"the {self.piece}s placed leave {len(rest.board)} squares free, and {rest.queens} are to come"
        reason = rest._no_square_free()
        if reason is None and not beside and self.queens > len(rest.board):
            reason = f"the {self.piece}s placed leave no square free for the other {self.queens - len(self.placed)}"
        return reason

    def _too_many(self) -> str | None:
        board, queens, pieces = self.board, self.queens, f"{self.queens} {self.piece}s"
        short, long = sorted((board.rows, board.cols))
        if queens > short:
            return f"{pieces} do not fit: with more than {short} two would share a row or a column"
        if queens > len(board):
            return f"{pieces} do not fit on {len(board)} squares"
        if board.wrap == "torus" and queens > gcd(short, long):
            return f"{pieces} do not fit: {board} has only {gcd(short, long)} diagonals of each kind"
        if board.wrap != "none" and queens == short == long and gcd(queens, 6) > 1:
            return f"{pieces} fit on {board} only if the side is divisible by neither 2 nor 3 (Pólya 1918)"
        smallest = 4 if self.piece == "queen" else 10
        if short == long == queens and 2 <= queens < smallest:
            return f"{pieces} cannot stand on {board} without attacking each other; the board is too small"
        return None

    def _no_square_free(self) -> str | None:
        board = self.board
        if self.queens == board.rows and board.holes:
            for row, mask in enumerate(allowed_masks(board)):
                if not mask:
                    return f"row {row} (rank {board.rows - row}) has no free square, and every row needs {self._one}"
        return None

    @property
    def _one(self) -> str:
        return "a queen" if self.piece == "queen" else "an amazon"

    def __str__(self) -> str:
        placed = f" with {len(self.placed)} placed" if self.placed else ""
        return f"{self.queens} {self.piece}{'s'[: self.queens != 1]} on {self.board}{placed}"


def _only(board: Board, squares: set[int]) -> Board:
    """Return a board of which only these squares are left."""
    return Board(board.rows, board.cols, holes=set(range(board.size)) - squares, wrap=board.wrap)
