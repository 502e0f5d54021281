"""What is asked about queens, for the algorithms: the board, how many pieces, and which; and what is known at once."""

from __future__ import annotations

from dataclasses import dataclass
from math import gcd

from backrank.board import Board
from backrank.queens.bits import allowed_masks
from backrank.queens.rows import Rows


@dataclass(frozen=True, slots=True)
class Question:
    """A board, a number of pieces, and the piece: "queen" or "amazon"."""

    board: Board
    queens: int
    piece: str = "queen"

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

    def lying(self) -> Question:
        """Return the same question about the board turned so that it has no more rows than columns, if it may be."""
        board = self.board
        if board.rows <= board.cols or board.wrap == "cylinder":
            return self
        holes = [(col, row) for row, col in map(board.cell, board.holes)]
        return Question(Board(board.cols, board.rows, holes=holes, wrap=board.wrap), self.queens, self.piece)

    def why_impossible(self) -> str | None:
        """Return a reason why there is no placement, if a theorem or a simple count gives one."""
        return self._too_many() or self._no_square_free()

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
        return f"{self.queens} {self.piece}{'s'[: self.queens != 1]} on {self.board}"
