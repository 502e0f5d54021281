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

from backrank.errors import BoardTooLarge, InvalidPuzzle, UnknownName
from backrank.queens.backtracking import bits
from backrank.queens.backtracking.reference import iter_placements
from backrank.queens.backtracking.rows import iter_columns
from backrank.queens.counting import forecast as estimate
from backrank.queens.solve import completion as complete
from backrank.queens.spec import QueensSpec
from backrank.runtime.budget import Budget, Counters, Meter

METHODS = ("auto", "columnsets", "tails", "rows", "lines", "bits", "reference")
COLUMNSETS_FROM, COLUMNSETS_TO = 13, 25
TAILS_FROM, TAILS_TO = 6, 32
MAX_COMPILED_COLS = 60
MAX_SEARCH_SQUARES = 4_000_000
MAX_SECONDS = 86_400.0
RARE = 1_000  # calls row by row for each placement found, from which on `lines` is quicker
SMALL = 150_000  # calls; below that Python has the answer before the kernels are loaded


@dataclass(frozen=True, slots=True)
class QueensPlan:
    """How to count, and how long it will take on one thread: seconds, or None if it is too little to be measured."""

    method: str
    seconds: float | None


def plan(question: QueensSpec, method: str, *, has_call_limit: bool = False) -> QueensPlan:
    """Choose a method, and estimate its time.

    Raises
    ------
    UnknownName, InvalidPuzzle
        If there is no such method, or it does not apply.
    """
    if method not in METHODS:
        raise UnknownName("counting method", method, METHODS)
    _require(question, method)
    if question.queens < 2 or question.why_impossible() is not None:
        return QueensPlan("known", None)
    by_columnsets = _suits_columnsets(question)
    if method == "columnsets" or (
        method == "auto" and by_columnsets and question.board.rows >= COLUMNSETS_FROM and not has_call_limit
    ):
        return QueensPlan("columnsets", estimate.columnsets_seconds(question.board.rows))
    question.board.require_at_most(MAX_SEARCH_SQUARES, "counting")
    calls, found = estimate.estimated_size(question)
    if method == "auto":
        method = _fastest(question, estimate.Size(calls, found), has_call_limit=has_call_limit)
    if method == "lines":  # how long it takes to find what there is; how long to prove that this is all nobody knows
        return QueensPlan(method, estimate.PER_FOUND_BY_LINES * max(found, estimate.expected_found(question)))
    cost = estimate.PER_CALL["python" if method in ("bits", "plain") else method]
    if method == "rows":
        return QueensPlan(method, cost * calls / _saved(question.lying()))
    return QueensPlan(method, cost * (calls + found))


def _fastest(question: QueensSpec, size: estimate.Size, *, has_call_limit: bool) -> str:
    lying = question.lying()
    is_small = size.calls + size.found < SMALL
    if not is_small and question.board.holes and question.piece == "queen":
        found = max(size.found, estimate.expected_found(question))
        if RARE * found < size.calls:
            return "lines"
    if is_small or lying.board.cols > MAX_COMPILED_COLS:
        return "bits" if suits_bits(question) else "plain"
    # The table does not count calls one by one, as a limit of them needs.
    return "tails" if suits_tails(question) and not has_call_limit else "rows"


def _saved(question: QueensSpec) -> float:
    """Return how many times less the search row by row has to do because of mirror images and shifts."""
    board = question.board
    if board.holes:
        return 1.0
    shifts = {"none": 2, "cylinder": board.cols, "torus": board.rows * board.cols / question.queens}
    return float(shifts[board.wrap])


def suits_bits(question: QueensSpec) -> bool:
    """Whether every row or every column has a queen, and edges are not glued."""
    board = question.board
    return question.is_plain and question.queens == min(board.rows, board.cols)


def suits_tails(question: QueensSpec) -> bool:
    """Whether these are n queens on n x n, perhaps with holes."""
    return question.is_square and question.is_plain and TAILS_FROM <= question.board.rows <= TAILS_TO


def _suits_columnsets(question: QueensSpec) -> bool:
    plain = question.is_square and question.is_plain and not question.board.holes
    return plain and 4 <= question.board.rows <= COLUMNSETS_TO


def _require(question: QueensSpec, method: str) -> None:
    """Refuse a method that does not apply."""
    if method == "bits" and not suits_bits(question):
        raise InvalidPuzzle("bits needs one queen in every row or every column and no glued edges; use reference")
    if method == "columnsets" and not _suits_columnsets(question):
        raise InvalidPuzzle(
            f"columnsets counts n queens on n x n from 4 to {COLUMNSETS_TO}; use rows, bits or reference"
        )
    if method == "tails" and not suits_tails(question):
        raise InvalidPuzzle(
            f"tails counts n queens on n x n from {TAILS_FROM} to {TAILS_TO}, holes or not; use rows or reference"
        )
    if method == "lines" and question.piece != "queen":
        raise InvalidPuzzle(f"lines counts queens, not {question.piece}s; use rows or reference")
    if method == "rows" and question.lying().board.cols > MAX_COMPILED_COLS:
        raise InvalidPuzzle(f"rows takes at most {MAX_COMPILED_COLS} columns; use reference")


def require_sane(chosen: QueensPlan, what: str, budget: Budget, *, force: bool) -> None:
    """Refuse what would take more than a day, unless a limit is set or it is forced.

    Raises
    ------
    BoardTooLarge
        With the estimate.
    """
    if force or chosen.seconds is None or budget.seconds is not None or budget.calls is not None or budget.cancelled:
        return
    threads = available_threads() if chosen.method in ("columnsets", "tails", "rows") else 1
    seconds = chosen.seconds / threads
    if seconds > MAX_SECONDS:
        on = f"on {threads} threads" if threads > 1 else "here"
        raise BoardTooLarge(
            f"counting {what} would take {estimate.duration(seconds)} {on}; set a time limit, or --force it"
        )


def count(question: QueensSpec, chosen: QueensPlan, meter: Meter) -> int:
    """Return the number of placements by the method of a plan.

    Raises
    ------
    BudgetExceeded
        If a limit was reached first.
    """
    if chosen.method == "known":
        return _known(question)
    if chosen.method == "columnsets":
        from backrank.queens.counting import column_sets as columnsets  # noqa: PLC0415 - loads numpy, and numba when it counts

        return columnsets.count(question.board.rows, meter=meter)
    if chosen.method in ("rows", "tails"):
        return _compiled(question.lying(), chosen.method, meter)
    if chosen.method == "lines":
        return complete.count(question.board, (), question.queens, meter=meter)
    return _plainly(question, chosen.method, meter)


def _plainly(question: QueensSpec, method: str, meter: Meter) -> int:
    """Count in Python."""
    if method == "bits":
        return bits.count(question.lying().board, meter=meter)
    if method == "plain":
        return sum(1 for _ in iter_columns(question.lying().rules(), meter=meter))
    return by_reference(question, meter)


def by_reference(question: QueensSpec, meter: Meter) -> int:
    """Count by the textbook's search."""
    board, queens, piece = question.board, question.queens, question.piece
    return sum(1 for _ in iter_placements(board, queens, meter=meter, counters=Counters(), piece=piece))


def _known(question: QueensSpec) -> int:
    """Return the count of what needs no search."""
    if question.why_impossible() is not None:
        return 0
    return len(question.board) if question.queens else 1


def _compiled(question: QueensSpec, method: str, meter: Meter) -> int:
    if question.queens < 2:  # the kernels take two rows for granted
        return _known(question)
    from backrank.queens.backtracking import slices, splitting  # noqa: PLC0415 - load numpy and numba

    if method == "tails":
        return slices.total(splitting.tail_tasks(question), meter=meter, threads=available_threads())
    tasks, factor = splitting.row_tasks(question)
    number = factor * slices.total(tasks, meter=meter, threads=available_threads())
    assert number.denominator == 1  # noqa: S101 - shifts map placements to placements
    return int(number)


def available_threads() -> int:
    """Return how many threads this process may run at a time."""
    from backrank.queens.counting import column_sets as columnsets  # noqa: PLC0415 - loads numpy

    return columnsets.available_threads()
