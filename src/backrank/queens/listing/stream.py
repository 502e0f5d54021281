"""All placements, lazily, in lexicographic order of their squares; all of them, or one of each symmetry class.

Two gears share the work. The plain search (:mod:`backrank.queens.backtracking.rows`) begins at once and needs nothing
loaded. If it is still at work after some hundred thousand calls, the compiled one
(:mod:`backrank.queens.listing.arrays`) goes on from where it is: so the 92 solutions for eight queens come in an
instant, and 2,279,184 for fifteen in seconds.

*One of each class* is the least of its class, so what is yielded does not depend on how it was found. On a board that
is its own mirror image the first queen need not go beyond the middle of its row.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from backrank.errors import InvalidPuzzle, shown
from backrank.geometry.symmetry import canonical_set, permutations
from backrank.queens.backtracking import bits
from backrank.queens.backtracking.forecast import estimated_size
from backrank.queens.backtracking.rows import iter_columns
from backrank.queens.backtracking.suits import MAX_COMPILED_COLS, suits_tails
from backrank.queens.rules import RowLevel
from backrank.queens.spec import QueensSpec
from backrank.runtime.budget import Budget, Meter

if TYPE_CHECKING:
    from backrank.queens.listing.arrays import Columns

MAX_SEARCH_SQUARES = 4_000_000
PLAIN_CALLS = 300_000
CHUNK = 65_536
MAX_CHUNK = 1 << 24


def iter_squares(
    spec: QueensSpec,
    *,
    meter: Meter,
    fundamental: bool = False,
    plain_calls: int = PLAIN_CALLS,
    begin: list[RowLevel] | None = None,
) -> Iterator[tuple[int, ...]]:
    """Yield every placement as its squares, in lexicographic order.

    Parameters
    ----------
    spec : QueensSpec
    meter : Meter
    fundamental : bool
        Only the least of each class.
    plain_calls : int
        After so many calls the compiled search takes over, if it takes the board; it yields the same.
    begin : list of RowLevel, optional
        Where the search is, if not at its beginning; for a spec without placed queens.
    """
    if spec.why_impossible() is not None:
        return
    if spec.placed:
        yield from _iter_completions(spec, meter=meter, fundamental=fundamental, plain_calls=plain_calls)
        return
    board = spec.board
    board.require_at_most(MAX_SEARCH_SQUARES, "listing")
    group = permutations(board) if fundamental else ()
    rules, levels = spec.rules(), first_levels(spec, fundamental=fundamental) if begin is None else begin
    cols, starts = board.cols, range(0, board.size, board.cols)
    compiles = cols <= MAX_COMPILED_COLS and spec.queens > 0
    shallow = _table_starts(spec, meter) if compiles else 0
    until = max(1, plain_calls) if compiles else 0
    if spec.is_plain and spec.is_one_per_row and not compiles and not fundamental and begin is None:
        levels.clear()
        plain = bits.iter_columns(board, meter=meter)  # the same, and faster where nothing takes over
    else:
        plain = iter_columns(rules, meter=meter, levels=levels, until=until, shallow=shallow)
    for columns in plain:
        squares = tuple(start + col for start, col in zip(starts, columns, strict=True) if col < cols)
        if fundamental and squares != canonical_set(group, squares):
            meter.found -= 1
        else:
            yield squares
    if not levels:
        return
    from backrank.queens.listing.arrays import iter_pieces, least_of_class  # noqa: PLC0415 - loads numpy and numba

    for piece in iter_pieces(spec, levels, meter=meter, chunk=1024):
        kept = least_of_class(board, piece) if fundamental else piece
        meter.found -= len(piece) - len(kept)
        for row in kept.tolist():
            yield tuple(start + col for start, col in zip(starts, row, strict=True) if col < cols)


def _iter_completions(
    spec: QueensSpec, *, meter: Meter, fundamental: bool, plain_calls: int
) -> Iterator[tuple[int, ...]]:
    if fundamental:
        spec.require_no_placed()
    rest, beside = spec.reduced()
    for squares in iter_squares(rest, meter=meter, plain_calls=plain_calls):
        yield tuple(sorted((*squares, *beside))) if beside else squares


def is_long(spec: QueensSpec) -> bool:
    """Whether listing everything takes so long that it is worth loading what is compiled, and that takes the board."""
    spec, _ = spec.reduced()
    if spec.why_impossible() is not None or spec.board.cols > MAX_COMPILED_COLS:
        return False
    size = estimated_size(spec)
    return size.calls + size.found > PLAIN_CALLS


def _table_starts(spec: QueensSpec, meter: Meter) -> int:
    """Return how many rows may be filled at most where the compiled search takes over."""
    rows = spec.board.rows
    # The table of the compiled search covers at most half of the rows.
    return rows - rows // 2 if suits_tails(spec) and meter.budget.calls is None else rows


def first_levels(spec: QueensSpec, *, fundamental: bool) -> list[RowLevel]:
    """Return the beginning of a search: of all placements, or of as many as contain the least of each class."""
    first = spec.rules().first()
    if fundamental and spec.is_one_per_row and spec.is_mirrored:
        half = (1 << (spec.board.cols + 1) // 2) - 1
        first = first._replace(tries=first.tries & half)
    return [first]


def iter_arrays(spec: QueensSpec, *, chunk: int, budget: Budget, fundamental: bool) -> Iterator[Columns]:
    """Yield all placements as arrays of columns; see :meth:`backrank.Queens.iter_arrays`."""
    _require_columns(spec)
    if fundamental:
        spec.require_no_placed()
    if isinstance(chunk, bool) or not isinstance(chunk, int) or not 1 <= chunk <= MAX_CHUNK:
        raise InvalidPuzzle(f"a chunk has from 1 to {MAX_CHUNK:,} placements, not {shown(chunk)}")
    if spec.why_impossible() is not None:
        return iter(())
    spec, _ = spec.reduced()
    from backrank.queens.listing import arrays  # noqa: PLC0415 - loads numpy and numba

    levels = first_levels(spec, fundamental=fundamental)
    return arrays.iter_arrays(spec, levels, meter=budget.start(spec.queens), chunk=chunk, least=fundamental)


def iter_found(spec: QueensSpec, *, budget: Budget, fundamental: bool) -> Iterator[Columns]:
    """Yield the same as arrays of any size, soon after they are found; for a puzzle that has placements perhaps."""
    _require_columns(spec)
    if fundamental:
        spec.require_no_placed()
    spec, _ = spec.reduced()
    from backrank.queens.listing import arrays  # noqa: PLC0415 - loads numpy and numba

    levels = first_levels(spec, fundamental=fundamental)
    return arrays.iter_found(spec, levels, meter=budget.start(spec.queens), least=fundamental)


def _require_columns(spec: QueensSpec) -> None:
    if not spec.is_one_per_row:
        raise InvalidPuzzle(f"an array of columns needs one {spec.piece} in every row; use iter_placements")
    if spec.board.cols > MAX_COMPILED_COLS:
        raise InvalidPuzzle(f"arrays are for boards of up to {MAX_COMPILED_COLS} columns; use iter_placements")
