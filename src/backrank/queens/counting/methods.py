"""How many placements there are: of all kinds, by the method that suits.

| method | for | how |
|---|---|---|
| `columnsets` | n queens on n x n | meets in the middle, never enumerates: `queens.counting.column_sets` |
| `tails` | n queens on n x n, holes | a table for the last rows: `queens.backtracking.tails_jit` |
| `rows` | every kind | row by row in words: `queens.backtracking.rows_jit` |
| `lines` | queens of every kind | the search for completions: `queens.solve.completion` |
| `bits` | one queen in each row or each column, plain edges | the same in Python: `queens.backtracking.bits` |
| `reference` | every kind | the textbook: `queens.backtracking.reference` |

`auto` measures the search first by a few hundred random descents. A small one is done in Python at once, since
loading what is compiled takes longer. Where many squares are forbidden and few placements are left, looking for the
most troublesome line next (`lines`) pays; where there are many, going down the rows is a thousand times as quick for
each. What would take more than a day is refused unless a limit is set or it is forced.

Up to symmetry: Burnside's lemma, in :mod:`backrank.queens.counting.symmetric`.
"""

from __future__ import annotations

from dataclasses import dataclass

from backrank.errors import InvalidPuzzle, UnknownName
from backrank.queens.backtracking import bits
from backrank.queens.backtracking import forecast as estimate
from backrank.queens.backtracking.reference import iter_placements
from backrank.queens.backtracking.rows import iter_columns
from backrank.queens.backtracking.suits import MAX_COMPILED_COLS, TAILS_FROM, TAILS_TO, suits_bits, suits_tails
from backrank.queens.spec import QueensSpec
from backrank.runtime.budget import Counters, Meter
from backrank.runtime.cpu import available_threads

METHODS = ("auto", "columnsets", "tails", "rows", "lines", "bits", "reference")
COLUMNSETS_FROM, COLUMNSETS_TO = 13, 25
# Seconds by column sets at n = 20, and by how much a row more multiplies them.
COLUMNSETS_AT_20, COLUMNSETS_GROWTH = 150.0, 5.7
MAX_SEARCH_SQUARES = 4_000_000
RARE = 1_000  # calls row by row for each placement found, from which on `lines` is quicker
SMALL = 150_000  # calls; below that Python has the answer before the kernels are loaded


@dataclass(frozen=True, slots=True)
class CountMethod:
    """A method, and the seconds that it takes one thread; None if that is too little to be estimated."""

    method: str
    seconds: float | None


def choose(spec: QueensSpec, method: str, *, has_call_limit: bool = False) -> CountMethod:
    """Return the method for a count, with an estimate of its time.

    Raises
    ------
    UnknownName, InvalidPuzzle
        If there is no such method, or it does not apply.
    """
    if method not in METHODS:
        raise UnknownName("counting method", method, METHODS)
    _require(spec, method)
    if spec.queens < 2 or spec.why_impossible() is not None:
        return CountMethod("known", None)
    by_columnsets = _suits_columnsets(spec)
    if method == "columnsets" or (
        method == "auto" and by_columnsets and spec.board.rows >= COLUMNSETS_FROM and not has_call_limit
    ):
        return CountMethod("columnsets", COLUMNSETS_AT_20 * COLUMNSETS_GROWTH ** (spec.board.rows - 20))
    spec.board.require_at_most(MAX_SEARCH_SQUARES, "counting")
    calls, found = estimate.estimated_size(spec)
    if method == "auto":
        method = _fastest(spec, estimate.Size(calls, found), has_call_limit=has_call_limit)
    if method == "lines":  # how long it takes to find what there is; how long to prove that this is all nobody knows
        return CountMethod(method, estimate.PER_FOUND_BY_LINES * max(found, estimate.expected_found(spec)))
    cost = estimate.PER_CALL["python" if method in ("bits", "plain") else method]
    if method == "rows":
        return CountMethod(method, cost * calls / _saved(spec.lying()))
    return CountMethod(method, cost * (calls + found))


def _fastest(spec: QueensSpec, size: estimate.Size, *, has_call_limit: bool) -> str:
    lying = spec.lying()
    is_small = size.calls + size.found < SMALL
    if not is_small and spec.board.holes and spec.piece == "queen":
        found = max(size.found, estimate.expected_found(spec))
        if RARE * found < size.calls:
            return "lines"
    if is_small or lying.board.cols > MAX_COMPILED_COLS:
        return "bits" if suits_bits(spec) else "plain"
    # The table does not count calls one by one, as a limit of them needs.
    return "tails" if suits_tails(spec) and not has_call_limit else "rows"


def _saved(spec: QueensSpec) -> float:
    """Return how many times less the search row by row has to do because of mirror images and shifts."""
    board = spec.board
    if board.holes:
        return 1.0
    shifts = {"none": 2, "cylinder": board.cols, "torus": board.rows * board.cols / spec.queens}
    return float(shifts[board.wrap])


def _suits_columnsets(spec: QueensSpec) -> bool:
    plain = spec.is_square and spec.is_plain and not spec.board.holes
    return plain and 4 <= spec.board.rows <= COLUMNSETS_TO


def _require(spec: QueensSpec, method: str) -> None:
    """Refuse a method that does not apply."""
    if method == "bits" and not suits_bits(spec):
        raise InvalidPuzzle("bits needs one queen in every row or every column and no glued edges; use reference")
    if method == "columnsets" and not _suits_columnsets(spec):
        raise InvalidPuzzle(
            f"columnsets counts n queens on n x n from 4 to {COLUMNSETS_TO}; use rows, bits or reference"
        )
    if method == "tails" and not suits_tails(spec):
        raise InvalidPuzzle(
            f"tails counts n queens on n x n from {TAILS_FROM} to {TAILS_TO}, holes or not; use rows or reference"
        )
    if method == "lines" and spec.piece != "queen":
        raise InvalidPuzzle(f"lines counts queens, not {spec.piece}s; use rows or reference")
    if method == "rows" and spec.lying().board.cols > MAX_COMPILED_COLS:
        raise InvalidPuzzle(f"rows takes at most {MAX_COMPILED_COLS} columns; use reference")


def count(spec: QueensSpec, chosen: CountMethod, meter: Meter, threads: int | None = None) -> int:
    """Return the number of placements by the method of a plan.

    Raises
    ------
    BudgetExceeded
        If a limit was reached first.
    """
    if chosen.method == "known":
        return _known(spec)
    if chosen.method == "columnsets":
        from backrank.queens.counting import column_sets as columnsets  # noqa: PLC0415 - loads numpy, and numba when it counts

        return columnsets.count(spec.board.rows, meter=meter, threads=threads)
    if chosen.method in ("rows", "tails"):
        return _compiled(spec.lying(), chosen.method, meter, threads or available_threads())
    if chosen.method == "lines":
        from backrank.queens.solve import completion as complete  # noqa: PLC0415 - few counts need it

        return complete.count(spec.board, (), spec.queens, meter=meter)
    return _plainly(spec, chosen.method, meter)


def _plainly(spec: QueensSpec, method: str, meter: Meter) -> int:
    """Count in Python."""
    if method == "bits":
        return bits.count(spec.lying().board, meter=meter)
    if method == "plain":
        return sum(1 for _ in iter_columns(spec.lying().rules(), meter=meter))
    return by_reference(spec, meter)


def by_reference(spec: QueensSpec, meter: Meter) -> int:
    """Count by the textbook's search."""
    board, queens, piece = spec.board, spec.queens, spec.piece
    return sum(1 for _ in iter_placements(board, queens, meter=meter, counters=Counters(), piece=piece))


def _known(spec: QueensSpec) -> int:
    """Return the count of what needs no search."""
    if spec.why_impossible() is not None:
        return 0
    return len(spec.board) if spec.queens else 1


def _compiled(spec: QueensSpec, method: str, meter: Meter, threads: int) -> int:
    if spec.queens < 2:  # the kernels take two rows for granted
        return _known(spec)
    from backrank.queens.backtracking import slices, splitting  # noqa: PLC0415 - load numpy and numba

    if method == "tails":
        return slices.total(splitting.tail_tasks(spec), meter=meter, threads=threads)
    tasks, factor = splitting.row_tasks(spec)
    number = factor * slices.total(tasks, meter=meter, threads=threads)
    assert number.denominator == 1  # noqa: S101 - shifts map placements to placements
    return int(number)
