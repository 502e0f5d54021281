"""Ways to count published values of queens; each takes the value that is to be counted, without looking at it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from backrank.arena.entrants import tutorials
from backrank.published.values import Published
from backrank.runtime.budget import Budget

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from backrank.queens.puzzle import Queens

Count = Callable[[Published, Budget], int]


def puzzle_of(published: Published) -> Queens:
    """Return the queens, or amazons, that a value is about."""
    from backrank.queens.puzzle import Queens  # noqa: PLC0415 - a test loads what it needs

    kind = published.kind
    wrap, piece = "torus" if kind == "queens.toroidal" else "none", "amazon" if kind == "amazons.all" else "queen"
    return Queens(published.rows, published.cols, queens=published.queens, wrap=wrap, piece=piece)


def tutorial_queens(published: Published, _budget: Budget) -> int:
    """Count as a tutorial does."""
    return tutorials.count_queens(published.rows, [])


def placements_by(method: str) -> Count:
    """Return a function that counts by a method of `queens.counting.count`, without the theorems that come first."""

    def count(published: Published, budget: Budget) -> int:
        from backrank.queens.counting import methods as counting  # noqa: PLC0415 - a test loads what it needs

        spec = puzzle_of(published).spec
        return counting.count(spec, counting.CountMethod(method, None), budget.start(spec.queens))

    return count


def classes_listed(published: Published, budget: Budget) -> int:
    """Count classes by listing everything and looking at all images, in Python."""
    from backrank.queens.counting import symmetric  # noqa: PLC0415 - a test loads what it needs

    spec = puzzle_of(published).spec
    return symmetric.list_classes(spec, budget.start(spec.queens))


def classes_one_by_one(published: Published, budget: Budget) -> int:
    """Count classes by listing the least of each, compiled."""
    return sum(map(len, puzzle_of(published).iter_arrays(fundamental=True, budget=budget)))


def classes_by_burnside(published: Published, budget: Budget) -> int:
    """Count classes from all placements, met in the middle, and those that each symmetry leaves as they are."""
    from backrank.queens.counting import methods as counting  # noqa: PLC0415 - a test loads what it needs
    from backrank.queens.counting import symmetric  # noqa: PLC0415 - as above

    spec = puzzle_of(published).spec
    return symmetric.count_classes(spec, counting.CountMethod("columnsets", None), budget.start(spec.queens))


def _angle(published: Published) -> str:
    return published.kind.removeprefix("queens.symmetric")


def symmetric_listed(published: Published, budget: Budget) -> int:
    """Count symmetric placements by listing all and turning each, in Python."""
    from backrank.queens.counting import symmetric  # noqa: PLC0415 - a test loads what it needs

    spec = puzzle_of(published).spec
    turn = symmetric.rotation(spec.board, _angle(published))
    return symmetric.list_symmetric(spec, turn, budget.start(spec.queens))


def symmetric_by_orbits(published: Published, budget: Budget) -> int:
    """Count symmetric placements by placing whole orbits."""
    from backrank.queens.counting import symmetric  # noqa: PLC0415 - a test loads what it needs

    spec = puzzle_of(published).spec
    turn = symmetric.rotation(spec.board, _angle(published))
    return symmetric.count_symmetric(spec, turn, budget.start(spec.queens))


def _plain_blocks(published: Published, budget: Budget) -> Iterator[npt.NDArray[np.int16]]:
    """Yield all ordinary placements of n queens, as the columns of the rows, many at a time."""
    import numpy as np  # noqa: PLC0415 - a test loads what it needs

    from backrank.queens.puzzle import Queens  # noqa: PLC0415 - as above

    for block in Queens(published.rows).iter_arrays(budget=budget):
        yield block.astype(np.int16)


def symmetric_filtered(published: Published, budget: Budget) -> int:
    """Count symmetric placements among all, listed and turned as arrays.

    A queen in row r and column c comes to row c and column n - 1 - r by a quarter turn.
    """
    import numpy as np  # noqa: PLC0415 - a test loads what it needs

    side, found = published.rows, 0
    for block in _plain_blocks(published, budget):
        if _angle(published) == "180":
            kept = side - 1 - block[:, ::-1] == block
        else:
            kept = np.take_along_axis(block, block, axis=1) == side - 1 - np.arange(side)
        found += int(kept.all(axis=1).sum())
    return found


def torus_filtered(published: Published, budget: Budget) -> int:
    """Count placements on a torus among the plain ones: no two queens on a diagonal that goes on at the other edge."""
    import numpy as np  # noqa: PLC0415 - a test loads what it needs

    side, found = published.rows, 0
    for block in _plain_blocks(published, budget):
        good = np.ones(len(block), bool)
        for sign in (1, -1):
            diagonals = np.sort((block + sign * np.arange(side)) % side, axis=1)
            good &= (diagonals == np.arange(side)).all(axis=1)
        found += int(good.sum())
    return found


def amazons_filtered(published: Published, budget: Budget) -> int:
    """Count placements of amazons among those of queens: no two a knight's move apart."""
    import numpy as np  # noqa: PLC0415 - a test loads what it needs

    found = 0
    for block in _plain_blocks(published, budget):
        near = np.zeros(len(block), bool)
        for down, across in ((1, 2), (2, 1)):
            near |= (np.abs(block[:, down:] - block[:, :-down]) == across).any(axis=1)
        found += int((~near).sum())
    return found
