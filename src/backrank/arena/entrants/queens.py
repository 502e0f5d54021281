"""Those who place queens in the arena; each function is one entrant.

Counting methods are called below `Queens.count`, which first measures how large the search will be: here the methods
themselves are compared.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from backrank.arena.entrants import tutorials
from backrank.queens.backtracking import bits, reference, rows
from backrank.queens.counting import methods as counting
from backrank.queens.counting import symmetric
from backrank.queens.puzzle import Queens
from backrank.queens.solve import most_constrained as fewest
from backrank.runtime.budget import Budget, Counters
from backrank.search.engine import start
from backrank.search.runner import run

if TYPE_CHECKING:
    from backrank.queens.listing.arrays import Columns


def counted(puzzle: Queens, method: str) -> int:
    """Count by a method of :mod:`backrank.queens.counting.methods`."""
    spec = puzzle.spec
    return counting.count(spec, counting.CountMethod(method, None), Budget().start(spec.queens))


def count_tutorial(puzzle: Queens) -> int:
    """Count as a tutorial does: on plain square boards."""
    return tutorials.count_queens(puzzle.board.rows, [])


def count_reference(puzzle: Queens) -> int:
    """Count by the textbook's search with sets."""
    return counted(puzzle, "reference")


def count_bits(puzzle: Queens) -> int:
    """Count with one int for the attacked squares of a row, in Python."""
    return counted(puzzle, "bits")


def count_rows(puzzle: Queens) -> int:
    """Count row by row, compiled."""
    return counted(puzzle, "rows")


def count_lines(puzzle: Queens) -> int:
    """Count with the most troublesome line next, compiled."""
    from backrank.queens.solve import line_search as linesearch  # noqa: PLC0415 - loads numba, which most entrants do without

    return linesearch.count(puzzle.board, (), puzzle.queens, meter=Budget().start(puzzle.queens))


def count_tails(puzzle: Queens) -> int:
    """Count with a table for the last rows, compiled."""
    return counted(puzzle, "tails")


def count_columnsets(puzzle: Queens) -> int:
    """Count by meeting in the middle over sets of columns."""
    return counted(puzzle, "columnsets")


def classes_listing(puzzle: Queens) -> int:
    """Count classes by looking at every placement and its images, in Python."""
    return symmetric.list_classes(puzzle.spec, Budget().start(puzzle.queens))


def classes_arrays(puzzle: Queens) -> int:
    """Count classes by listing one of each, compiled."""
    return sum(map(len, puzzle.iter_arrays(fundamental=True)))


def classes_burnside(puzzle: Queens) -> int:
    """Count classes from all placements and the symmetric ones, by Burnside's lemma."""
    spec = puzzle.spec
    method = "columnsets" if spec.is_square and spec.board.rows >= 4 else "rows"
    return symmetric.count_classes(spec, counting.CountMethod(method, None), Budget().start(puzzle.queens))


def _squares(puzzle: Queens, columns: Sequence[int] | None) -> list[int] | None:
    cols = puzzle.board.cols
    return None if columns is None else [row * cols + column for row, column in enumerate(columns)]


def first_tutorial(puzzle: Queens) -> list[int] | None:
    """Find the first placement as a tutorial does."""
    return _squares(puzzle, next(tutorials.place_queens(puzzle.board.rows, []), None))


def first_rows(puzzle: Queens) -> Sequence[int] | None:
    """Find the first placement by the engine, row by row, compiled."""
    return _searched(puzzle, "rows")


def first_centre_out(puzzle: Queens) -> Sequence[int] | None:
    """Find a placement by the engine, columns in the middle first, compiled."""
    return _searched(puzzle, "centre-out")


def first_fewest(puzzle: Queens) -> Sequence[int] | None:
    """Find a placement by the engine, the row with the fewest free squares next, compiled."""
    return _searched(puzzle, "fewest-first")


def _searched(puzzle: Queens, strategy: str) -> Sequence[int] | None:
    cursor = run(start(puzzle, strategy), until="solution", gear="kernel")
    return cursor.path if cursor.solutions else None


def first_formula(puzzle: Queens) -> Sequence[int] | None:
    """Write down a placement by formula."""
    found = puzzle.search(strategy="formula").placement
    return None if found is None else found.squares


def first_restarts(puzzle: Queens) -> list[int] | None:
    """Find a placement with the most constrained row next, starting afresh now and then."""
    return _squares(puzzle, fewest.columns(puzzle.board, meter=Budget().start(puzzle.queens)))


def first_lines(puzzle: Queens) -> Sequence[int] | None:
    """Find a placement with the most troublesome line next, compiled."""
    from backrank.queens.solve import line_search as linesearch  # noqa: PLC0415 - loads numba, which most entrants do without

    return linesearch.search(puzzle.board, (), puzzle.queens, seed=1, meter=Budget().start(puzzle.queens))


def first_local(puzzle: Queens) -> Sequence[int] | None:
    """Find a random placement by swapping columns until nothing is attacked."""
    found = puzzle.solve(rng=1)
    return None if found is None else found.squares


def list_tutorial(puzzle: Queens) -> Iterator[tuple[int, ...]]:
    """List all placements as a tutorial does."""
    return tutorials.place_queens(puzzle.board.rows, [])


def list_reference(puzzle: Queens) -> Iterator[tuple[int, ...]]:
    """List all placements by the textbook's search."""
    cols = puzzle.board.cols
    for squares in reference.iter_placements(
        puzzle.board, puzzle.queens, meter=Budget().start(puzzle.queens), counters=Counters()
    ):
        yield tuple(square % cols for square in squares)


def list_bits(puzzle: Queens) -> Iterator[tuple[int, ...]]:
    """List all placements with one int for the attacked squares, in Python."""
    return map(tuple, bits.iter_columns(puzzle.board, meter=Budget().start(puzzle.queens)))


def list_rows(puzzle: Queens) -> Iterator[tuple[int, ...]]:
    """List all placements row by row, in Python."""
    return map(tuple, rows.iter_columns(puzzle.spec.rules(), meter=Budget().start(puzzle.queens)))


def list_arrays(puzzle: Queens) -> Iterable[Columns]:
    """List all placements as arrays, compiled."""
    return puzzle.iter_arrays()
