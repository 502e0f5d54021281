"""Both puzzles as the tutorials write them: one recursive function each, lists of numbers, nothing clever.

They are the measure of everything else in the arena, and its second opinion: they share not a line with the rest of the
package, neither boards nor moves. Time grows with every placement that is tried; nothing is looked out for. A tour
of more than about 900 squares is beyond Python's recursion, as it is for whoever copies a tutorial.
"""

from __future__ import annotations

from collections.abc import Iterator

STEPS = ((-2, 1), (-1, 2), (1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1))


def place_queens(size: int, columns: list[int]) -> Iterator[tuple[int, ...]]:
    """Yield every way to go on from the queens in the first rows, as the columns of all rows.

    Examples
    --------
    >>> list(place_queens(4, []))
    [(1, 3, 0, 2), (2, 0, 3, 1)]
    """
    row = len(columns)
    if row == size:
        yield tuple(columns)
        return
    for column in range(size):
        for above in range(row):
            if columns[above] == column or abs(columns[above] - column) == row - above:
                break
        else:
            columns.append(column)
            yield from place_queens(size, columns)
            columns.pop()


def count_queens(size: int, columns: list[int]) -> int:
    """Return how many ways there are to go on from the queens in the first rows."""
    row = len(columns)
    if row == size:
        return 1
    found = 0
    for column in range(size):
        for above in range(row):
            if columns[above] == column or abs(columns[above] - column) == row - above:
                break
        else:
            columns.append(column)
            found += count_queens(size, columns)
            columns.pop()
    return found


class TutorialWalk:
    """A knight on a board of numbers: 0 where it has not been, else the step at which it was there.

    Parameters
    ----------
    rows, cols : int
    limit : int, optional
        The walk stops where it is before it would make one call more.
    """

    def __init__(self, rows: int, cols: int, limit: int | None = None) -> None:
        self.rows, self.cols, self.limit, self.calls = rows, cols, limit, 0
        self.board = [[0] * cols for _ in range(rows)]

    def first(self, row: int, col: int, number: int = 1) -> bool:
        """Put the knight down and try all steps: whether the board is full, or the limit of calls is reached.

        Examples
        --------
        >>> walk = TutorialWalk(5, 5)
        >>> walk.first(0, 0), walk.squares()[:4]
        (True, [0, 7, 4, 13])
        """
        if self.calls == self.limit:
            return True
        self.calls += 1
        self.board[row][col] = number
        if number == self.rows * self.cols:
            return True
        for down, right in STEPS:
            r, c = row + down, col + right
            if 0 <= r < self.rows and 0 <= c < self.cols and not self.board[r][c] and self.first(r, c, number + 1):
                return True
        self.board[row][col] = 0
        return False

    def squares(self) -> list[int]:
        """Return the squares in the order in which they were visited, row by row from 0."""
        steps = [(self.board[row][col], row * self.cols + col) for row in range(self.rows) for col in range(self.cols)]
        return [square for step, square in sorted(steps) if step]

    def every(self, row: int, col: int, number: int = 1) -> Iterator[list[int]]:
        """Yield the squares of every tour that goes on from here."""
        self.board[row][col] = number
        if number == self.rows * self.cols:
            yield self.squares()
        for down, right in STEPS:
            r, c = row + down, col + right
            if 0 <= r < self.rows and 0 <= c < self.cols and not self.board[r][c]:
                yield from self.every(r, c, number + 1)
        self.board[row][col] = 0

    def count(self, row: int, col: int, number: int, home: tuple[int, int] | None) -> int:
        """Return how many tours go on from here; with a home, only those that end a step away from it."""
        if number == self.rows * self.cols:
            return int(home is None or (abs(row - home[0]), abs(col - home[1])) in ((1, 2), (2, 1)))
        self.board[row][col] = number
        found = 0
        for down, right in STEPS:
            r, c = row + down, col + right
            if 0 <= r < self.rows and 0 <= c < self.cols and not self.board[r][c]:
                found += self.count(r, c, number + 1, home)
        self.board[row][col] = 0
        return found


def count_tours(rows: int, cols: int, *, closed: bool) -> int:
    """Return the number of undirected tours: of cycles, or of paths. Each is found twice, once in either direction.

    Examples
    --------
    >>> count_tours(3, 4, closed=False), count_tours(4, 5, closed=True)
    (8, 0)
    """
    if closed:
        return TutorialWalk(rows, cols).count(0, 0, 1, (0, 0)) // 2
    return sum(TutorialWalk(rows, cols).count(row, col, 1, None) for row in range(rows) for col in range(cols)) // 2
