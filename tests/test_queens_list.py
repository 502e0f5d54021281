"""Listing queens: the compiled search goes on from the plain one and yields the same; arrays, classes, text."""

from __future__ import annotations

import csv
import subprocess
import sys
from collections.abc import Callable, Iterator
from io import StringIO
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backrank import Board, Budget, BudgetExceeded, InvalidPuzzle, Queens, queens_faults
from backrank.geometry.symmetry import canonical_set, permutations
from backrank.queens.backtracking.reference import iter_placements
from backrank.queens.listing import stream as listing
from backrank.queens.listing import text as lines
from backrank.queens.listing.stream import iter_squares
from backrank.queens.spec import QueensSpec
from backrank.runtime.budget import Counters
from counts import published
from orbits import orbit_size
from strategies import boards

Run = Callable[..., subprocess.CompletedProcess[str]]


def by_reference(spec: QueensSpec) -> list[tuple[int, ...]]:
    meter, counters = Budget().start(), Counters()
    found = iter_placements(spec.board, spec.queens, meter=meter, counters=counters, piece=spec.piece)
    return [tuple(squares) for squares in found]


@st.composite
def specs(draw: st.DrawFn) -> QueensSpec:
    """Boards of any kind, with rows enough to need a table now and then."""
    if draw(st.booleans(), label="square"):
        side = draw(st.integers(6, 8), label="side")
        holes = draw(st.sets(st.integers(0, side * side - 1), max_size=5), label="holes")
        if draw(st.booleans(), label="turned"):
            holes |= {side * side - 1 - hole for hole in holes}
        return QueensSpec(Board(side, holes=holes), side)
    board = draw(boards(max_side=6))
    short = min(board.rows, board.cols)
    queens = draw(st.one_of(st.just(short), st.integers(0, short)), label="queens")
    return QueensSpec(board, queens, draw(st.sampled_from(("queen", "amazon")), label="piece"))


@given(specs(), st.one_of(st.just(1), st.integers(1, 300)))
@settings(max_examples=150)
def test_the_gears_mesh_anywhere(spec: QueensSpec, plain_calls: int) -> None:
    """Wherever the compiled search takes over, the list is the reference's; so is that of the classes."""
    expected = by_reference(spec)
    meter = Budget().start()
    assert list(iter_squares(spec, meter=meter, plain_calls=plain_calls)) == expected
    assert meter.found == len(expected)
    group = permutations(spec.board)
    least = [squares for squares in expected if squares == canonical_set(group, squares)]
    meter = Budget().start()
    assert list(iter_squares(spec, meter=meter, fundamental=True, plain_calls=plain_calls)) == least
    assert meter.found == len(least)


@given(specs(), st.integers(1, 40), st.booleans())
@settings(max_examples=60)
def test_arrays_are_the_list(spec: QueensSpec, chunk: int, fundamental: bool) -> None:
    if not spec.is_one_per_row:
        return
    expected = list(iter_squares(spec, meter=Budget().start(), fundamental=fundamental))
    arrays = list(listing.iter_arrays(spec, chunk=chunk, budget=Budget(), fundamental=fundamental))
    assert all(array.dtype == np.uint8 and array.shape == (chunk, spec.board.rows) for array in arrays[:-1])
    assert all(0 < len(array) <= chunk for array in arrays)
    starts = np.arange(spec.board.rows) * spec.board.cols
    assert [tuple(squares) for array in arrays for squares in (starts + array).tolist()] == expected


@pytest.mark.parametrize("n", [12, 13, 14])
def test_all_placements_of_large_boards_in_order(n: int) -> None:
    arrays = list(Queens(n).iter_arrays(chunk=10_000))
    columns = np.concatenate(arrays).astype(np.int64)
    assert len(columns) == published("queens.all", str(n))
    keys = columns @ (n ** np.arange(n - 1, -1, -1))
    assert (np.diff(keys) > 0).all()
    rows = np.arange(n)
    for lines_of in (columns, columns + rows, columns - rows):
        assert (np.diff(np.sort(lines_of, axis=1), axis=1) > 0).all()


@pytest.mark.parametrize("n", [9, 12, 14])
def test_one_of_each_class(n: int) -> None:
    board = Board(n)
    columns = np.concatenate(list(Queens(n).iter_arrays(fundamental=True)))
    assert len(columns) == published("queens.unique", str(n))
    if n < 12:
        group = permutations(board)
        squares = [[row * n + col for row, col in enumerate(each)] for each in columns.tolist()]
        assert sum(orbit_size(group, each) for each in squares) == published("queens.all", str(n))


def test_arrays_are_the_callers_own() -> None:
    first, second = islice(Queens(10).iter_arrays(chunk=100), 2)
    kept = second.copy()
    first[:] = 0
    assert (second == kept).all()


@pytest.mark.parametrize("puzzle", [Queens(18), Queens(28), Queens(14, 22), Queens(16, piece="amazon")], ids=repr)
def test_the_first_of_a_large_board(puzzle: Queens) -> None:
    """They lie deep; the compiled search is there to reach them."""
    first = next(iter(puzzle))
    assert queens_faults(puzzle.board, first.cells, piece=puzzle.piece) == []
    [array] = islice(puzzle.iter_arrays(chunk=1), 1)
    assert tuple(array[0].tolist()) == first.columns


@pytest.mark.parametrize("puzzle", [Queens(16), Queens(12, 16), Queens(16, piece="amazon"), Queens(9, 30)], ids=repr)
def test_limits_of_listing(puzzle: Queens) -> None:
    """Also when the compiled search is at work."""
    meter, shown = Budget(calls=60_000).start(), []

    def numbered() -> Iterator[None]:
        for _ in iter_squares(puzzle.spec, meter=meter, plain_calls=1_000):
            shown.append(1)
            yield

    with pytest.raises(BudgetExceeded) as caught:
        sum(1 for _ in numbered())
    assert caught.value.reached.calls == 60_000
    assert caught.value.reached.found == len(shown)
    for budget, words in ((Budget(seconds=0.05), "time limit"), (Budget(cancelled=lambda: True, interval=0), "cancel")):
        with pytest.raises(BudgetExceeded, match=words):
            sum(1 for _ in puzzle.iter_arrays(budget=budget))


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda: Queens(8, queens=7).iter_arrays(), "every row"),
        (lambda: Queens(8, 7).iter_arrays(), "every row"),
        (lambda: Queens(61).iter_arrays(), "60 columns"),
        (lambda: Queens(8).iter_arrays(chunk=0), "from 1 to"),
        (lambda: Queens(8).iter_arrays(chunk=True), "from 1 to"),
        (lambda: Queens(8).iter_arrays(chunk=10**12), "from 1 to"),
    ],
)
def test_what_has_no_arrays(ask: Any, message: str) -> None:
    with pytest.raises(InvalidPuzzle, match=message):
        ask()
    assert list(Queens(3).iter_arrays()) == []


def test_small_lists_load_nothing() -> None:
    code = (
        "import sys; from backrank import Queens; list(Queens(8)); list(Queens(8).iter_placements(fundamental=True));"
        "Queens(9).count(); Queens(8).count(up_to_symmetry=True); Queens(8, queens=3).count();"
        "sys.exit(bool({'numpy', 'numba'} & sys.modules.keys()))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


# --- as text ---------------------------------------------------------------------------------------


def test_lines_of_columns() -> None:
    [array] = Queens(6).iter_arrays()
    assert lines.columns_block(array, 1) == b"1 3 5 0 2 4\n2 5 1 4 0 3\n3 0 4 1 5 2\n4 2 0 5 3 1\n"
    wide = np.array([[0, 9, 10, 99, 100, 255]], np.uint8)
    assert lines.columns_block(wide, 1) == b"0 9 10 99 100 255\n"
    assert lines.columns_block(wide[:0], 1) == b""


@pytest.mark.parametrize("board", [Board(6), Board(4, 30)])
def test_tables_of_squares(board: Board) -> None:
    [array] = islice(Queens(board).iter_arrays(chunk=4), 1)
    text = lines.table_writer(board)(array, 98).decode()
    rows = list(csv.reader(StringIO(text)))
    assert rows == [
        [str(98 + at), str(row), str(col), board.name((row, col))]
        for at, columns in enumerate(array.tolist())
        for row, col in enumerate(columns)
    ]


# --- the command -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("form", "header"), [("columns", 0), ("csv", 1)])
def test_the_command_lists_alike_in_blocks_and_one_by_one(
    inside: Run, tmp_path: Path, form: str, header: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listing, "PLAIN_CALLS", 1_000)
    for number, options in enumerate((["9"], ["9", "--limit", "10000"], ["9", "--fundamental"])):
        path, other = tmp_path / f"{number}.txt", tmp_path / f"{number}-one-by-one.txt"
        done = inside("list", "queens", *options, "--format", form, "-o", str(path))
        assert done.returncode == 0
        monkeypatch.setattr(listing, "PLAIN_CALLS", 10**9)
        assert inside("list", "queens", *options, "--format", form, "-o", str(other)).stderr == done.stderr
        monkeypatch.setattr(listing, "PLAIN_CALLS", 1_000)
        assert path.read_text() == other.read_text()
        assert path.read_text().count("\n") == header + (46 if "--fundamental" in options else 352) * (
            9 if header else 1
        )


def test_the_command_stops_at_the_limit_within_a_block(inside: Run, tmp_path: Path) -> None:
    path = tmp_path / "some.txt"
    done = inside("list", "queens", "12", "--limit", "12345", "-o", str(path))
    assert done.stderr == "the first 12,345 placements of 12 queens on 12x12; --limit 0 prints all\n"
    assert path.read_text().count("\n") == 12_345
    done = inside("list", "queens", "12", "--limit", "14200", "-o", str(path), "--force")
    assert done.stderr == "all 14,200 placements of 12 queens on 12x12\n"


def test_the_command_knows_pieces_and_classes(inside: Run) -> None:
    done = inside("list", "queens", "10", "--piece", "amazon", "--fundamental")
    assert (done.stdout, done.stderr) == (
        "2 5 8 0 3 6 9 1 4 7\n",
        "the only placement of 10 amazons on 10x10, up to symmetry\n",
    )
    assert len(inside("list", "queens", "8", "--fundamental", "-q").stdout.splitlines()) == 12
    assert inside("count", "queens", "10", "--piece", "amazon", "-q").stdout == "4\n"
    assert inside("count", "queens", "12", "--symmetry", "90", "-q").stdout == "8\n"
    done = inside("count", "queens", "12", "--symmetry", "180")
    assert done.stdout == "80 placements of 12 queens on 12x12, unchanged when the board is turned by 180°\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("count queens 30", "years"),
        ("count queens 30", "--force"),
        ("count queens 30 --up-to-symmetry", "years"),
        ("count queens 8 --piece rook", "queen, amazon"),
        ("list queens 8 --piece rook", "queen, amazon"),
        ("count queens 8 --symmetry 45", "180, 90"),
        ("count queens 8x9 --symmetry 90", "square board"),
        ("count queens 8 --symmetry 90 --up-to-symmetry", "one of the two"),
    ],
)
def test_the_command_refuses_in_one_line(inside: Run, words: str, message: str) -> None:
    done = inside(*words.split())
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
