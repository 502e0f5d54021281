"""Counting queens of all kinds: every method against the one below it, and against published counts."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import pairwise, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import types

from backrank import (
    Board,
    BoardTooLarge,
    Budget,
    BudgetExceeded,
    FaultKind,
    InvalidPuzzle,
    Placement,
    Progress,
    Queens,
    UnknownName,
    parse_placements,
    queens_faults,
)
from backrank.queens.backtracking import rows_jit as queens_rows
from backrank.queens.backtracking import slices, splitting, tails
from backrank.queens.backtracking import tails_jit as queens_tails
from backrank.queens.backtracking.reference import iter_placements
from backrank.queens.backtracking.rows import iter_columns
from backrank.queens.counting import forecast as estimate
from backrank.queens.counting import methods as counting
from backrank.queens.counting import symmetric
from backrank.queens.counting import symmetric_jit as queens_orbits
from backrank.queens.counting.methods import CountMethod
from backrank.queens.counting.plan import plan
from backrank.queens.counting.run import run
from backrank.queens.counting.spec import QueensCountSpec
from backrank.queens.spec import QueensSpec
from backrank.runtime.budget import Counters, Meter
from backrank.runtime.context import Context
from counts import Count, counts, published
from strategies import boards

PIECES = ("queen", "amazon")


def meter() -> Meter:
    return Budget().start()


def by(method: str, spec: QueensSpec) -> int:
    """One method alone, without the theorems and the choice of another."""
    return counting.count(spec, CountMethod(method, None), meter())


@st.composite
def specs(draw: st.DrawFn, max_side: int = 6, wraps: tuple[str, ...] = ("none", "cylinder", "torus")) -> QueensSpec:
    """Any number of queens or amazons, that may stand there or not, on any board; often one that has symmetries."""
    board = draw(boards(max_side=max_side, wraps=wraps))
    if draw(st.booleans(), label="turned"):
        holes = board.holes | {board.size - 1 - hole for hole in board.holes}
        if len(holes) < board.size:
            board = Board(board.rows, board.cols, holes=holes, wrap=board.wrap)
    short = min(board.rows, board.cols)
    queens = draw(st.one_of(st.just(short), st.integers(0, short)), label="queens")
    return QueensSpec(board, queens, draw(st.sampled_from(PIECES), label="piece"))


# --- published counts ------------------------------------------------------------------------------


def spec_of(count: Count) -> QueensSpec:
    size = count.size
    wrap = "torus" if count.kind == "queens.toroidal" else "none"
    queens = min(size.rows, size.cols) if size.queens is None else size.queens
    return QueensSpec(Board(size.rows, size.cols, wrap=wrap), queens, "amazon" if "amazons" in count.kind else "queen")


def rows_of(kind: str, most: float) -> list[Count]:
    return [count for count in counts(kind) if count.size.rows > 0 and count.value <= most]


@pytest.mark.parametrize(
    ("kind", "most"),
    [
        ("queens.all", 80_000),
        ("queens.rectangle", 300_000),
        ("queens.place-k", 3e6),
        ("queens.toroidal", 200_000),
        ("amazons.all", 40_000),
    ],
)
def test_rows_count_what_is_published(kind: str, most: float) -> None:
    for count in rows_of(kind, most):
        spec = spec_of(count).lying()
        if spec.queens > 1 and spec.why_impossible() is None:
            assert by("rows", spec) == count.value, count


@pytest.mark.parametrize("side", [6, 7, 8, 9, 10, 11, 12, 13, 14, 15])
def test_tails_count_what_is_published(side: int) -> None:
    assert by("tails", QueensSpec(Board(side), side)) == published("queens.all", str(side))


@pytest.mark.parametrize(("kind", "name"), [("queens.symmetric180", "180"), ("queens.symmetric90", "90")])
def test_symmetric_placements_are_as_many_as_published(kind: str, name: str) -> None:
    for count in rows_of(kind, 50_000):
        if count.size.rows <= 20:
            assert Queens(count.size.rows).count(symmetry=name) == count.value, count


@pytest.mark.parametrize("side", [4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 16])
def test_classes_are_as_many_as_published(side: int) -> None:
    assert Queens(side).count(up_to_symmetry=True) == published("queens.unique", str(side))


@pytest.mark.deep
@pytest.mark.timeout(3600)
@pytest.mark.parametrize(("kind", "most"), [("amazons.all", 2e6), ("queens.toroidal", 1e6), ("queens.unique", 1e8)])
def test_published_counts_of_large_boards(kind: str, most: float) -> None:
    for count in rows_of(kind, most):
        spec = spec_of(count)
        assert run(plan(spec, QueensCountSpec(up_to_symmetry="unique" in kind)), Context()) == count.value


# --- each method against the one below -------------------------------------------------------------


@given(specs())
@settings(max_examples=100)
def test_every_method_counts_what_the_reference_counts(spec: QueensSpec) -> None:
    expected = by("reference", spec)
    if spec.why_impossible() is not None:
        assert expected == 0
        return
    assert by("plain", spec) == expected
    if spec.queens >= 2:
        assert by("rows", spec) == expected
        assert by("rows", spec.lying()) == expected
    if spec.queens < 2:
        assert by("known", spec) == expected
    if counting.suits_tails(spec):
        assert by("tails", spec) == expected


@given(st.integers(6, 8), st.sets(st.integers(0, 63), max_size=20))
def test_tails_count_around_holes(side: int, holes: set[int]) -> None:
    spec = QueensSpec(Board(side, holes={hole % (side * side) for hole in holes}), side)
    assert by("tails", spec) == by("reference", spec)


@given(specs())
@settings(max_examples=60)
def test_plain_rows_are_the_reference(spec: QueensSpec) -> None:
    """Also in their order, and in what counts as a call."""
    board, queens, piece = spec.board, spec.queens, spec.piece
    one, two = meter(), Counters()
    listed = [
        tuple(row * board.cols + col for row, col in enumerate(columns) if col < board.cols)
        for columns in iter_columns(spec.rules(), meter=one)
    ]
    assert listed == [tuple(p) for p in iter_placements(board, queens, meter=meter(), counters=two, piece=piece)]
    assert one.found == len(listed)
    if spec.is_one_per_row:
        assert one.calls == two.calls


@given(specs(max_side=5))
@settings(max_examples=150)
def test_symmetric_placements_are_those_of_the_list(spec: QueensSpec) -> None:
    board = spec.board
    for name in ("180", "90"):
        if name == "180" or board.rows == board.cols:
            turn = symmetric.rotation(board, name)
            fixed = symmetric.count_symmetric(spec, turn, meter())
            assert fixed == symmetric.list_symmetric(spec, turn, meter())


@given(specs(max_side=5))
@settings(max_examples=100)
def test_classes_are_those_of_the_list(spec: QueensSpec) -> None:
    if spec.why_impossible() is None:
        listed = symmetric.list_classes(spec, meter())
        assert symmetric.count_classes(spec, CountMethod("reference", None), meter()) == listed


def test_mirror_images_have_their_share() -> None:
    """Where a reflection leaves placements as they are, the well-known formula is not enough."""
    for puzzle in (Queens(4, queens=1), Queens(3, 5, queens=1), Queens(5, 6, queens=3), Queens(5, wrap="torus")):
        assert puzzle.count(up_to_symmetry=True) == puzzle.count(up_to_symmetry=True, method="reference")
    # One queen on 4x4: three classes of squares. The formula would have (16 + 0 + 0) / 8.
    assert Queens(4, queens=1).count(up_to_symmetry=True) == 3


def test_the_formula_of_unique_placements() -> None:
    for n in range(4, 13):
        puzzle = Queens(n)
        half, quarter = puzzle.count(symmetry="180"), puzzle.count(symmetry="90")
        assert 8 * puzzle.count(up_to_symmetry=True) == puzzle.count() + half + 2 * quarter


# --- the choice of a method ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("puzzle", "method"),
    [
        (Queens(8), "bits"),
        (Queens(8, 10), "bits"),
        (Queens(10, 8), "bits"),
        (Queens(16), "columnsets"),
        (Queens(16, holes="a1"), "tails"),
        (Queens(28), "tails"),
        (Queens(12, 14), "rows"),
        (Queens(8, queens=5), "plain"),
        (Queens(12, queens=9), "rows"),
        (Queens(7, wrap="torus"), "plain"),
        (Queens(19, wrap="torus"), "rows"),
        (Queens(10, piece="amazon"), "plain"),
        (Queens(16, piece="amazon"), "rows"),
        (Queens(3), "known"),
        (Queens(9, queens=1), "known"),
        (Queens(70, 65), "bits"),
    ],
    ids=repr,
)
def test_auto(puzzle: Queens, method: str) -> None:
    assert counting.choose(puzzle.spec, "auto").method == method


def test_a_limit_of_calls_is_for_methods_that_count_them() -> None:
    for puzzle in (Queens(16), Queens(16, holes="a1"), Queens(26)):
        assert counting.choose(puzzle.spec, "auto", has_call_limit=True).method == "rows"


@pytest.mark.parametrize("puzzle", [Queens(9), Queens(8, queens=6), Queens(7, wrap="torus")], ids=repr)
def test_estimates_have_the_right_order(puzzle: Queens) -> None:
    size = estimate.estimated_size(puzzle.spec)
    counter = Counters()
    found = sum(1 for _ in iter_placements(puzzle.board, puzzle.queens, meter=meter(), counters=counter))
    assert found / 3 < size.found < 3 * found
    assert (counter.calls - found) / 4 < size.calls < 4 * counter.calls
    assert size == estimate.estimated_size(puzzle.spec)


def test_durations_in_words() -> None:
    words = [
        estimate.duration(seconds) for seconds in (0.5, 100, 150, 7300, 86_400 * 2.5, 3.2e7 * 3, 1e15, float("inf"))
    ]
    assert words == [
        "about 0 seconds",
        "about 100 seconds",
        "about 2 minutes",
        "about 2 hours",
        "about 2 days",
        "about 3 years",
        "about 32,000,000 years",
        "more than a million million years",
    ]


@pytest.mark.parametrize(
    "puzzle",
    [Queens(27), Queens(40), Queens(22, holes="a1"), Queens(24, piece="amazon"), Queens(16, 40), Queens(300)],
    ids=repr,
)
def test_what_takes_too_long_is_refused_with_an_estimate(puzzle: Queens) -> None:
    for up_to_symmetry in (False, True):
        with pytest.raises(BoardTooLarge, match=r"would take (about|more than) .*(days|years)"):
            puzzle.count(up_to_symmetry=up_to_symmetry)
    # A limit, or being forced, is another matter.
    with pytest.raises(BudgetExceeded):
        puzzle.count(budget=Budget(calls=100))
    with pytest.raises(BudgetExceeded):
        puzzle.count(force=True, budget=Budget(seconds=0.01))


# --- results do not depend on slices, threads, limits ----------------------------------------------


KINDS = [
    QueensSpec(Board(9), 9),
    QueensSpec(Board(7, 11), 7),
    QueensSpec(Board(8, holes="a1 c4 h8"), 8),
    QueensSpec(Board(8), 5),
    QueensSpec(Board(7, 8, wrap="cylinder"), 6),
    QueensSpec(Board(11, wrap="torus"), 11),
    QueensSpec(Board(6, 12, wrap="torus"), 4),
    QueensSpec(Board(11), 11, "amazon"),
    QueensSpec(Board(9, 12, wrap="torus"), 3, "amazon"),
]


def tasks_of(spec: QueensSpec) -> Iterator[tuple[list[slices.SearchTask], Any]]:
    yield splitting.row_tasks(spec)
    if counting.suits_tails(spec):
        yield splitting.tail_tasks(spec), 1


@pytest.mark.parametrize("spec", KINDS, ids=str)
def test_slices_and_threads_change_nothing(spec: QueensSpec) -> None:
    expected = by("reference", spec)
    for threads in (1, 3):
        for tasks, factor in tasks_of(spec):
            assert factor * slices.total(tasks, meter=meter(), threads=threads) == expected
    for tasks, factor in tasks_of(spec):
        for task in tasks:
            while not task.is_done:
                task.advance(7)
        assert factor * sum(task.found for task in tasks) == expected


@pytest.mark.parametrize("spec", KINDS, ids=str)
def test_any_cut_covers_the_search(spec: QueensSpec) -> None:
    rules, expected = spec.rules(), by("reference", spec)
    for deepest, wanted in ((1, 1), (2, 1000), (4, 10), (4, 400)):
        parts, factor = splitting.split(spec, rules, deepest=deepest, wanted=wanted)
        found = sum(weight * sum(1 for _ in _below(spec, levels)) for levels, weight in parts)
        assert factor * found == expected


def _below(spec: QueensSpec, levels: list[Any]) -> Iterator[list[int]]:
    """Go through what is below a state: the rows above have nothing left to try."""
    above = [level._replace(tries=0) for level in levels[:-1]]
    return iter_columns(spec.rules(), meter=meter(), levels=[*above, levels[-1]])


BIG: list[Callable[[Budget], object]] = [
    lambda budget: Queens(18, holes="a1").count(budget=budget),
    lambda budget: Queens(14, 18).count(budget=budget),
    lambda budget: Queens(15, queens=11).count(budget=budget),
    lambda budget: Queens(23, wrap="torus").count(budget=budget),
    lambda budget: Queens(18, piece="amazon").count(budget=budget),
    lambda budget: Queens(28).count(symmetry="180", budget=budget),
    lambda budget: Queens(20).count(up_to_symmetry=True, budget=budget),
]


@pytest.mark.parametrize("work", BIG)
def test_limits_are_kept(work: Callable[[Budget], object]) -> None:
    with pytest.raises(BudgetExceeded) as caught:
        work(Budget(calls=400_000))
    assert 400_000 <= caught.value.reached.calls <= 401_000
    with pytest.raises(BudgetExceeded, match="time limit"):
        work(Budget(seconds=0.05))
    with pytest.raises(BudgetExceeded, match="cancelled"):
        work(Budget(cancelled=lambda: True, interval=0))


@pytest.mark.parametrize("puzzle", [Queens(13, holes="a1"), Queens(10, 14), Queens(15, piece="amazon")], ids=repr)
def test_progress_only_grows(puzzle: Queens) -> None:
    seen: list[Progress] = []
    number = puzzle.count(budget=Budget(progress=seen.append, interval=0))
    assert seen
    assert all(one.depth <= two.depth and one.found <= two.found for one, two in pairwise(seen))
    assert (seen[-1].depth, seen[-1].found) == (seen[-1].total, number)


def test_a_partial_count_of_classes_is_told_in_classes() -> None:
    with pytest.raises(BudgetExceeded, match="at least") as caught:
        Queens(16).count(up_to_symmetry=True, budget=Budget(calls=3_000_000))
    assert 0 < caught.value.reached.found < published("queens.unique", "16")


# --- amazons ---------------------------------------------------------------------------------------


def test_amazons_answer_every_verb() -> None:
    puzzle = Queens(10, piece="amazon")
    listed = list(puzzle)
    assert [placement.columns for placement in listed] == [
        (2, 5, 8, 0, 3, 6, 9, 1, 4, 7),
        (3, 7, 0, 4, 8, 1, 5, 9, 2, 6),
        (6, 2, 9, 5, 1, 8, 4, 0, 7, 3),
        (7, 4, 1, 9, 6, 3, 0, 8, 5, 2),
    ]
    assert puzzle.count() == puzzle.count(symmetry="180") == 4
    assert puzzle.count(symmetry="90") == 0 or puzzle.count(up_to_symmetry=True) == 1
    assert puzzle.solve() in listed
    assert all(placement in puzzle and placement.columns in Queens(10) for placement in listed)
    assert listed[0] not in Queens(10), "amazons are not queens"
    assert Placement(Board(10), listed[0].squares) not in puzzle
    queens = [0, 4, 7, 5, 2, 6, 1, 3]
    assert queens in Queens(8)
    assert queens not in Queens(8, piece="amazon")
    assert repr(puzzle) == "Queens(Board(10, 10), piece='amazon')"
    assert repr(listed[0]).startswith("<10 amazons on 10x10")
    assert "too small" in Queens(9, piece="amazon").existence().reason
    assert not Queens(9, piece="amazon")


@pytest.mark.parametrize("n", [12, 30, 60])
def test_amazons_are_placed_on_large_boards(n: int) -> None:
    found = Queens(n, piece="amazon").solve()
    assert found is not None
    assert found.faults() == []
    assert queens_faults(found.board, found.cells, piece="amazon") == []


@given(boards(max_side=5), st.data())
def test_a_knights_fault_is_a_leap(board: Board, data: st.DataObject) -> None:
    """Against the geometry: on glued edges the difference is taken round them."""
    cells = data.draw(st.lists(st.sampled_from([board.cell(square) for square in board]), max_size=5, unique=True))
    faults = [fault for fault in queens_faults(board, cells, piece="amazon") if fault.kind is FaultKind.KNIGHT_MOVE]

    def is_apart(one: tuple[int, int], two: tuple[int, int]) -> bool:
        down = {
            one[0] - two[0] + turn * board.rows for turn in (-9, -3, -2, -1, 0, 1, 2, 3, 9) if _turns(turn, "torus")
        }
        right = {
            one[1] - two[1] + turn * board.cols for turn in (-9, -3, -2, -1, 0, 1, 2, 3, 9) if _turns(turn, "cylinder")
        }
        return any(down & {-d, d} and right & {d - 3, 3 - d} for d in (1, 2))

    def _turns(turn: int, needed: str) -> bool:
        return not turn or board.wrap in ("torus", needed)

    pairs = {tuple(sorted((one, two))) for one, two in product(cells, cells) if one < two and is_apart(one, two)}
    assert {fault.cells for fault in faults} == pairs
    assert len(faults) == len(pairs)
    assert len(queens_faults(board, cells)) == len(queens_faults(board, cells, piece="amazon")) - len(faults)


def test_amazons_as_json() -> None:
    found = Queens(10, piece="amazon").solve()
    assert found is not None
    text = found.text("json")
    assert json.loads(text)["piece"] == "amazon"
    [claim] = parse_placements(text)
    assert (claim.piece, claim.faults()) == ("amazon", [])
    [queens] = parse_placements(Placement(Board(8), (0, 12, 23, 29, 34, 46, 49, 59)).text("json"))
    assert (queens.piece, queens.faults()) == ("queen", [])
    assert {fault.kind for fault in queens.faults(piece="amazon")} == {FaultKind.KNIGHT_MOVE}
    with pytest.raises(ValueError, match='"queen" or "amazon"'):
        parse_placements('{"board": "4x4", "piece": "rook", "squares": ["a1"]}')


# --- what cannot be asked --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ask", "error", "message"),
    [
        (lambda: Queens(8, piece="rook"), UnknownName, "queen, amazon"),
        (lambda: queens_faults(Board(4), [], piece="rook"), UnknownName, "queen, amazon"),
        (lambda: Queens(8).count(symmetry="45"), UnknownName, "180, 90"),
        (lambda: Queens(8, 9).count(symmetry="90"), InvalidPuzzle, "square board"),
        (lambda: Queens(8).count(symmetry="180", up_to_symmetry=True), InvalidPuzzle, "one of the two"),
        (lambda: Queens(40).count(symmetry="180"), BoardTooLarge, "31"),
        (lambda: Queens(8, 9).count(method="tails"), InvalidPuzzle, "n x n"),
        (lambda: Queens(61).count(method="rows"), InvalidPuzzle, "60 columns"),
        (lambda: Queens(8, piece="amazon").count(method="bits"), InvalidPuzzle, "reference"),
        (lambda: Queens(14, piece="amazon").count(method="columnsets"), InvalidPuzzle, "columnsets"),
        (lambda: Queens(12, piece="amazon").search(strategy="rows"), InvalidPuzzle, "queens, not amazons"),
        (lambda: Queens(12, piece="amazon").search(strategy="formula"), InvalidPuzzle, "formula"),
        (lambda: Queens(12, piece="amazon").search_space(), InvalidPuzzle, "use auto"),
    ],
)
def test_refusals(ask: Callable[[], object], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message) as caught:
        ask()
    assert "\n" not in str(caught.value)


# --- the kernels -----------------------------------------------------------------------------------


def test_kernels_return_signed_numbers() -> None:
    by("rows", QueensSpec(Board(8), 6))
    by("tails", QueensSpec(Board(8), 8))
    Queens(8).count(symmetry="180")
    kernels: list[Any] = [
        queens_rows.count_rows,
        queens_tails.run_tails,
        queens_tails.fill_tails,
        queens_orbits.count_orbits,
        queens_rows._count_last,
        queens_tails._count_hits,
        queens_orbits._next_orbit,
    ]
    assert all(kernel.signatures for kernel in kernels[:4])
    for kernel in kernels:
        results = [kernel.overloads[signature].signature.return_type for signature in kernel.signatures]
        assert set(results) <= {types.int64}, kernel


@pytest.mark.parametrize("side", [6, 9, 12, 16, 20, 24, 32])
def test_tables_have_every_placement_once(side: int) -> None:
    """Words tell which diagonals a placement of the last rows meets; lists are filled up with ones."""
    tail = min(tails.tail_rows(side), 4)
    table, longest = tails.make_table(((1 << side) - 1,) * side, tail)
    columns = table.columns.view(np.uint8).reshape(-1, 8)
    ones = np.iinfo(table.words.dtype).max
    real = table.words != ones
    expected = by("plain", QueensSpec(Board(tail, side), tail)) if side <= 12 else None
    if expected is not None:
        assert int(real.sum()) == expected
    assert longest == int(np.diff(table.start).max())
    assert longest % queens_tails.BLOCK == 0
    for entry in np.flatnonzero(real)[:: max(1, int(real.sum()) // 50)].tolist():
        word = 0
        for row, col in enumerate(columns[entry, :tail].tolist()):
            word |= (1 << col - row if col >= row else 0) | (1 << side + col + row if col + row < side else 0)
        assert int(table.words[entry]) == word


@pytest.mark.parametrize("wrap", ["none", "cylinder", "torus"])
@pytest.mark.parametrize("piece", PIECES)
def test_the_widest_boards_keep_their_bits(wrap: str, piece: str) -> None:
    """Sixty columns, of which only some at both ends and in the middle are free."""
    holes = [(row, col) for row in range(5) for col in range(60) if 3 < col < 57 and col not in (29, 31)]
    spec = QueensSpec(Board(5, 60, holes=holes, wrap=wrap), 4, piece)
    assert by("rows", spec) == by("plain", spec) > 0
