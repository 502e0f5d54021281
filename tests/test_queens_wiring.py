"""The verbs on queens as people use them: completions, random and huge placements, samples, files, and Ctrl-C."""

from __future__ import annotations

import pickle
import subprocess
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any, NoReturn

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backrank import Board, Budget, Placement, Progress, Queens, UnknownName
from backrank.cli.progress import percent
from backrank.cli.reading import LONG_LIST
from backrank.errors import BoardTooLarge, BudgetExceeded, InvalidPuzzle
from backrank.geometry.verify import FaultKind, queens_faults
from backrank.queens import checking
from backrank.queens.backtracking.reference import iter_placements
from backrank.queens.counting import methods as counting
from backrank.queens.counting import run as running
from backrank.queens.ranking import sampling
from backrank.queens.solve import stages as solving
from backrank.runtime.budget import Counters
from backrank.runtime.context import Context
from strategies import boards

Run = Callable[..., "subprocess.CompletedProcess[str]"]
ROWS = 30_000  # more than what is looked at as an array


# --- completing ------------------------------------------------------------------------------------


@st.composite
def completions(draw: st.DrawFn) -> Queens:
    """A puzzle on a small board on which some queens or amazons stand already."""
    board = draw(boards(max_side=6))
    piece = draw(st.sampled_from(["queen", "queen", "amazon"]))
    placed: list[int] = []
    for square in draw(st.lists(st.sampled_from(list(board)), max_size=3, unique=True)):
        cells = [board.cell(each) for each in (*placed, square)]
        if not queens_faults(board, cells, queens=len(cells), piece=piece):
            placed.append(square)
    queens = draw(st.integers(len(placed), max(board.rows, board.cols)))
    return Queens(board, queens=queens, piece=piece, placed=placed)


def all_of(puzzle: Queens) -> list[tuple[int, ...]]:
    """The completions, by looking through all placements."""
    found = iter_placements(
        puzzle.board, puzzle.queens, meter=Budget().start(), counters=Counters(), piece=puzzle.piece
    )
    return sorted(tuple(squares) for squares in found if set(puzzle.placed) <= set(squares))


@given(completions(), st.integers(0, 2**70))
@settings(max_examples=120)
def test_every_verb_means_the_completions(puzzle: Queens, seed: int) -> None:
    expected = all_of(puzzle)
    assert [placement.squares for placement in puzzle] == expected
    assert all(placement in puzzle and placement.board == puzzle.board for placement in puzzle)
    assert puzzle.count() == len(expected)
    answer = puzzle.solve()
    assert (answer is None) == (not expected)
    assert answer is None or (answer.squares in expected and answer.piece == puzzle.piece)
    assert bool(puzzle) == bool(expected)
    assert puzzle.existence().answer in (("yes", "unknown") if expected else ("no", "unknown"))
    if puzzle.piece == "queen":
        by_chance = puzzle.solve(rng=seed)
        assert (by_chance is None) == (not expected)
        assert by_chance is None or by_chance.squares in expected
        sampler = puzzle.sampler()
        assert sampler.count == len(expected)
        assert {sampler.placement(number).squares for number in range(sampler.count)} == set(expected)


@given(completions())
@settings(max_examples=60)
def test_every_method_counts_the_completions(puzzle: Queens) -> None:
    expected = len(all_of(puzzle))
    for method in counting.METHODS:
        try:
            number = puzzle.count(method=method)
        except InvalidPuzzle:
            number = expected if method in ("bits", "tails", "columnsets", "lines") else -1  # what does not apply
        assert number == expected, method


@given(completions())
@settings(max_examples=60)
def test_strategies_complete_as_well(puzzle: Queens) -> None:
    expected = all_of(puzzle)
    try:
        answer = puzzle.solve(strategy="rows")
    except InvalidPuzzle:
        assert puzzle.piece == "amazon"
        return
    assert (None if answer is None else answer.squares) == (expected[0] if expected else None)


def test_arrays_of_completions() -> None:
    puzzle = Queens(12, placed=["c12", "g1"])
    listed = [placement.columns for placement in puzzle]
    assert len(listed) > 20
    assert [tuple(row) for array in puzzle.iter_arrays(chunk=7) for row in array.tolist()] == listed


def test_all_placements_are_completions_of_their_queens() -> None:
    for square in range(8):
        assert Queens(8, placed=[square]).count() == sum(square in placement.squares for placement in Queens(8))


def test_a_completion_must_keep_what_was_placed() -> None:
    puzzle = Queens(8, placed=["b4", "d5"])
    others = [placement for placement in Queens(8) if placement not in puzzle]
    assert len(others) == 90
    [fault] = puzzle.faults(others[0])
    assert fault.kind is FaultKind.MISSING_SQUARES
    assert "where one was placed" in fault.message
    with pytest.raises(InvalidPuzzle, match="where one was placed"):
        puzzle.placement(others[0].columns)
    assert puzzle.placement([4, 0, 7, 3, 1, 6, 2, 5]) in puzzle


def test_a_puzzle_with_placed_queens_is_a_value() -> None:
    puzzle = Queens(8, placed=["d5", "b4"])
    assert puzzle == Queens(8, placed="b4, d5")
    assert hash(puzzle) == hash(Queens(8, placed=[(4, 1), (3, 3)]))
    assert puzzle != Queens(8)
    assert repr(puzzle) == "Queens(Board(8, 8), placed=['d5', 'b4'])"
    assert pickle.loads(pickle.dumps(puzzle)) == puzzle  # noqa: S301 - our own


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"placed": ["a1", "c3"]}, r"the queens on a1 and c3 attack each other \(same diagonal\)"),
        ({"placed": ["a1", "h1"]}, r"same row"),
        ({"placed": ["a1", "b3"], "piece": "amazon"}, r"the amazons on a1 and b3 .*a knight's move apart"),
        ({"placed": ["a1", "a1"], "piece": "amazon"}, "an amazon is placed on a1 twice"),
        ({"placed": ["a1", "b3"], "queens": 1}, "2 queens are placed, but only 1 wanted"),
        ({"placed": ["a1"], "holes": ["a1"]}, "a1 is a hole"),
        ({"placed": ["a9"]}, "a9 is not on the 8x8 board"),
        ({"placed": [64]}, "64"),
    ],
)
def test_what_cannot_be_placed(words: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Queens(8, **words)


@pytest.mark.parametrize("what", [{"up_to_symmetry": True}, {"symmetry": "180"}])
def test_there_are_no_classes_of_completions(what: dict[str, Any]) -> None:
    puzzle = Queens(8, placed=["a1"])
    with pytest.raises(InvalidPuzzle, match="break the symmetry"):
        puzzle.count(**what)
    with pytest.raises(InvalidPuzzle, match="break the symmetry"):
        list(puzzle.iter_placements(fundamental=True))
    with pytest.raises(InvalidPuzzle, match="break the symmetry"):
        puzzle.iter_arrays(fundamental=True)


def test_reasons_count_what_is_left() -> None:
    assert "no free square" in Queens(4, placed=["b1", "d2"], holes=["a3"]).existence().reason
    assert "leave no square free for the other 1" in Queens(3, queens=2, placed=["b2"]).existence().reason
    assert Queens(8, placed=["a1"], queens=9).existence().reason == (
        "9 queens do not fit: with more than 8 two would share a row or a column"
    )


def blocked(side: int, free: int, seed: int) -> Board:
    """A board with so many free squares a row on average."""
    holes = Random(seed).sample(range(side * side), side * side - free * side)  # noqa: S311 - a sample that repeats
    return Board(side, holes=holes)


def test_hard_boards_go_to_the_search_over_lines() -> None:
    board = blocked(50, 8, 0)
    result = Queens(board).search()
    assert result.strategy == solving.LINES
    assert result.placement in Queens(board)
    assert result.calls > 50
    none = Queens(blocked(50, 6, 1)).search()
    assert (none.placement, none.strategy) == (None, solving.LINES)
    wide = Queens(Board(50, holes=Random(0).sample(range(2500), 1250)), queens=46).search()  # noqa: S311 - repeats
    assert wide.placement is not None
    assert not wide.placement.faults()
    with pytest.raises(BudgetExceeded):
        Queens(board).solve(budget=Budget(calls=200))


def test_sparse_boards_are_counted_over_lines() -> None:
    puzzle = Queens(blocked(20, 7, 1))
    assert counting.choose(puzzle.spec, "auto").method == "lines"
    assert puzzle.count() == puzzle.count(method="rows") == puzzle.count(method="tails") == 1


# --- random placements -----------------------------------------------------------------------------

RANDOM = [
    Queens(8),
    Queens(300),
    Queens(8, holes=["a1", "b2"]),
    Queens(8, 11),
    Queens(11, wrap="torus"),
    Queens(9, queens=6),
    Queens(12, placed=["a1", "c4"]),
    Queens(12, piece="amazon"),
    Queens(14, piece="amazon", placed=["b14"]),
]


@pytest.mark.parametrize("puzzle", RANDOM, ids=repr)
def test_a_seed_gives_a_placement_and_another_seed_another_one(puzzle: Queens) -> None:
    answers = [puzzle.solve(rng=seed) for seed in range(8)]
    assert all(answer in puzzle for answer in answers)
    assert len(set(answers)) >= 4
    assert answers == [puzzle.solve(rng=seed) for seed in range(8)]
    assert puzzle.solve(rng=np.random.default_rng(1)) == puzzle.solve(rng=np.random.default_rng(1))


def test_random_placements_have_their_limits() -> None:
    assert Queens(3).search(rng=1).reason == Queens(3).existence().reason
    with pytest.raises(InvalidPuzzle, match="leave out the strategy"):
        Queens(8).solve(rng=1, strategy="rows")
    with pytest.raises(InvalidPuzzle, match="seed must be"):
        Queens(8).solve(rng=-1)
    with pytest.raises(InvalidPuzzle, match="random amazons are placed one in each row"):
        Queens(12, piece="amazon", queens=5).solve(rng=1)
    with pytest.raises(BoardTooLarge, match="10,000,000"):
        Queens(10_000_001).solve(rng=1)
    with pytest.raises(BudgetExceeded):
        Queens(1000).solve(rng=1, budget=Budget(calls=10))


# --- samples ---------------------------------------------------------------------------------------


def test_samples_are_made_ready_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []

    class Counted(sampling.PlacementSampler):
        def __init__(self, *args: Any, **words: Any) -> None:
            made.append(args)
            super().__init__(*args, **words)

    monkeypatch.setattr(sampling, "PlacementSampler", Counted)
    monkeypatch.setattr(sampling, "_KEPT", {})
    rng = Random(5)  # noqa: S311 - repeats
    drawn = [Queens(7).sample(rng) for _ in range(30)]
    assert len(made) == 1
    assert all(placement in Queens(7) for placement in drawn)
    assert len(set(drawn)) > 15
    assert Queens(7).sample(3) == Queens(7).sampler().sample(3)
    for side in (4, 5, 6, 7):
        Queens(side).sample(1)
    assert len(made) == 5  # the first one has been let go meanwhile


def test_samples_contain_what_was_placed() -> None:
    for puzzle in (Queens(8, placed=["b4"]), Queens(7, queens=4, placed=["c3"]), Queens(10, placed=["a2"])):
        for placement in islice(puzzle.sampler().samples(1), 20):
            assert placement in puzzle


def test_what_cannot_be_sampled() -> None:
    with pytest.raises(InvalidPuzzle, match="of queens, not of amazons"):
        Queens(10, piece="amazon").sample(1)
    with pytest.raises(InvalidPuzzle, match="no placement"):
        Queens(6, placed=["a1"]).sample(1)
    with pytest.raises(BoardTooLarge, match="up to 18, not 30"):
        Queens(30).sample(1)


# --- many queens -----------------------------------------------------------------------------------


def test_both_forms_of_a_placement_are_one_value() -> None:
    listed = Placement(Board(6), (1, 9, 17, 18, 26, 34))
    arrayed = Placement.of_columns(Board(6), np.array(listed.columns, np.int32))
    assert listed == arrayed
    assert hash(listed) == hash(arrayed)
    assert len({listed, arrayed}) == 1
    assert (arrayed.squares, arrayed.columns, arrayed.names) == (listed.squares, listed.columns, listed.names)
    assert arrayed.array.tolist() == listed.array.tolist() == list(listed.columns)
    assert (repr(arrayed), str(arrayed), len(arrayed), list(arrayed)) == (repr(listed), str(listed), 6, list(listed))
    for form in ("columns", "board", "unicode", "names", "coordinates", "json", "csv"):
        assert arrayed.text(form) == listed.text(form)
    for placement in (listed, arrayed, Placement.of_columns(Board(6), arrayed.array)):
        assert pickle.loads(pickle.dumps(placement)) == placement  # noqa: S301 - our own
    assert listed != Placement(Board(6), listed.squares, "amazon")
    assert listed != Placement(Board(6), listed.squares[:-1])
    assert arrayed != Placement.of_columns(Board(6), arrayed.array[::-1])
    assert listed != listed.squares


def test_placements_cannot_be_changed() -> None:
    placement = Placement.of_columns(Board(4), np.array([1, 3, 0, 2]))
    with pytest.raises(AttributeError, match="cannot be changed"):
        placement.piece = "rook"
    with pytest.raises(AttributeError, match="cannot be changed"):
        del placement.board
    with pytest.raises(ValueError, match="read-only"):
        placement.array[0] = 0
    with pytest.raises(InvalidPuzzle, match="as many columns"):
        Placement.of_columns(Board(4), np.array([1, 3, 0]))
    with pytest.raises(InvalidPuzzle, match="one queen in every row"):
        _ = Placement(Board(4), (1, 7)).array


@pytest.mark.parametrize("rows", [20_000, 20_001, 20_002, 20_003, 20_004, 20_005, ROWS])
def test_many_queens_by_formula(rows: int) -> None:
    placement = Queens(rows).solve()
    assert placement is not None
    assert placement.faults() == []
    assert placement in Queens(rows)
    assert placement.array in Queens(rows)
    assert Queens(rows).placement(placement.array) == placement
    assert placement == Queens(rows).solve(strategy="formula")
    assert str(placement) == repr(placement)


def test_many_queens_in_fewer_rows_than_columns() -> None:
    for puzzle in (Queens(ROWS, ROWS + 7), Queens(5, ROWS), Queens(ROWS, 5), Queens(ROWS, queens=3)):
        placement = puzzle.solve()
        assert placement is not None
        assert placement in puzzle
        assert placement.faults() == []


def spoilt(columns: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The columns with three that share one, and one far off the board."""
    array = columns.copy()
    array[[10, 20]] = array[30]
    array[40] = 10 * array.size
    return array


def test_faults_among_many_queens_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    placement = Queens(ROWS).solve()
    assert placement is not None
    array = spoilt(placement.array)
    expected = queens_faults(placement.board, list(enumerate(array.tolist())), queens=ROWS)
    kinds = {FaultKind.OFF_BOARD, FaultKind.SAME_COLUMN}
    assert kinds <= {fault.kind for fault in expected}
    claim = Placement.of_columns(placement.board, array)
    assert claim.faults() == expected
    assert claim not in Queens(ROWS)
    assert array not in Queens(ROWS)
    with pytest.raises(InvalidPuzzle, match="more faults"):
        Queens(ROWS).placement(array)
    monkeypatch.setattr(checking, "MAX_NAMED", 0)
    assert claim.faults() == expected
    monkeypatch.setattr(checking, "SHOWN", 1)
    few = checking.array_faults(Board(8), [0, 0, 1, 1, 5, 5, 9, -1])
    assert [str(fault.kind) for fault in few] == ["off the board", "same column", "same diagonal"]
    assert few[0].message == "(6,9) at queen 7 is off the 8x8 board"


@given(st.lists(st.integers(-2, 9), min_size=8, max_size=8))
def test_faults_by_arrays_are_the_faults(columns: list[int]) -> None:
    expected = queens_faults(Board(8), list(enumerate(columns)), queens=8)
    assert checking.array_faults(Board(8), columns) == expected
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(checking, "MAX_NAMED", 0)
        by_arrays = checking.array_faults(Board(8), columns)
    assert sorted(map(str, by_arrays)) == sorted(map(str, expected))


def test_much_text_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("backrank.queens.placement.MAX_TEXT_QUEENS", 3)
    placement = Placement(Board(4), (1, 7, 8, 14))
    assert placement.text("columns") == "1 3 0 2"
    with pytest.raises(BoardTooLarge, match="json takes 3"):
        placement.text("json")


# --- the command -----------------------------------------------------------------------------------


def test_the_command_completes(inside: Run) -> None:
    assert inside("count", "queens", "8", "--placed", "b4,d5").stdout == (
        "2 placements of 8 queens on 8x8, d5 and b4 placed\n"
    )
    assert inside("list", "queens", "8", "--placed", "4,1 3,3").stdout == "4 0 7 3 1 6 2 5\n4 6 0 3 1 7 5 2\n"
    assert inside("count", "queens", "8", "--placed", "b4", "--placed", "3,3", "-q").stdout == "2\n"
    assert inside("solve", "queens", "8", "--placed", "b4,d5", "--format", "columns").stdout in (
        "4 0 7 3 1 6 2 5\n",
        "4 6 0 3 1 7 5 2\n",
    )
    drawn = inside("sample", "queens", "8", "--placed", "b4,d5", "-n", "3", "--seed", "2", "--format", "columns")
    assert set(drawn.stdout.splitlines()) <= {"4 0 7 3 1 6 2 5", "4 6 0 3 1 7 5 2"}
    many = inside("count", "queens", "8", "--placed", "a6,b8,c2,d5,e3", "--json")
    assert '"placed": ["b8", "a6", "d5", "e3", "c2"]' in many.stdout
    assert "5 of them placed" in inside("list", "queens", "8", "--placed", "a8,e7,h6,f5,c4").stderr
    none = inside("solve", "queens", "6", "--placed", "a1")
    assert (none.returncode, none.stdout) == (1, "")
    assert "no answer: an exhaustive search" in none.stderr


def test_the_command_goes_on_with_a_kept_completion(inside: Run, tmp_path: Path) -> None:
    words = ("solve", "queens", "12", "--placed", "d1", "--strategy", "rows", "--save", str(tmp_path / "kept.json"))
    stopped = inside(*words, "--call-limit", "50")
    assert stopped.returncode == 3
    done = inside(*words, "--format", "columns")
    assert done.returncode == 0
    assert [int(column) for column in done.stdout.split()] in Queens(12, placed=["d1"])


def test_the_command_places_amazons(inside: Run) -> None:
    done = inside("solve", "queens", "10", "--piece", "amazon", "--format", "columns")
    assert done.returncode == 0
    assert "10 amazons on 10x10" in done.stderr
    assert inside("check", "queens", "-", "--piece", "amazon", text=done.stdout).stdout == (
        "valid: placement of 10 amazons on 10x10\n"
    )
    queens = "0 4 7 5 2 6 1 3\n"
    assert inside("check", "queens", "-", text=queens).returncode == 0
    wrong = inside("check", "queens", "-", "--piece", "amazon", text=queens)
    assert wrong.returncode == 1
    assert "knight's move" in wrong.stdout
    assert "'rook'" in inside("check", "queens", "-", "--piece", "rook", text=queens).stderr
    written = inside("solve", "queens", "10", "--piece", "amazon", "--format", "json").stdout
    assert "10 amazons" in inside("check", "queens", "-", text=written).stdout


def test_the_command_takes_a_seed(inside: Run) -> None:
    words = ("solve", "queens", "30", "--format", "columns", "--seed")
    one, again, other = (inside(*words, seed).stdout for seed in ("1", "1", "2"))
    assert one == again != other
    assert [int(column) for column in one.split()] in Queens(30)


@pytest.mark.parametrize("size", ["8", str(ROWS), f"5x{ROWS}"])
def test_numpy_files_go_round(inside: Run, tmp_path: Path, size: str) -> None:
    path = tmp_path / "queens.npy"
    assert inside("solve", "queens", size, "-o", str(path)).returncode == 0
    array = np.load(path)
    assert array.dtype == np.int32
    board = Board.parse(size)
    assert array.shape == (board.rows,)
    checked = inside("check", "queens", str(path), *(("--board", size) if "x" in size else ()))
    assert checked.returncode == 0
    assert checked.stdout == f"valid: placement of {board.rows:,} queens on {board}\n"
    if board.rows == ROWS:
        np.save(path, spoilt(array))
        wrong = inside("check", "queens", str(path))
        assert wrong.returncode == 1
        assert "same column" in wrong.stdout
        assert "off the" in wrong.stdout
        fewer = inside("check", "queens", str(path), "-k", "7")
        assert "wrong number" in fewer.stdout


def test_a_numpy_file_of_several_placements(inside: Run, tmp_path: Path) -> None:
    path = tmp_path / "all.npy"
    np.save(path, np.concatenate(list(Queens(8).iter_arrays())))
    assert inside("check", "queens", str(path)).stdout == "92 placements, 92 valid, 0 with faults\n"
    np.save(path, np.zeros((2, 2, 2), np.int64))
    assert "the column of the queen of each row" in inside("check", "queens", str(path)).stderr
    np.save(path, np.zeros(4))
    assert "not whole numbers; a placement is" in inside("check", "queens", str(path)).stderr
    np.save(path, np.arange(9))
    assert "the columns of 9 rows" in inside("check", "queens", str(path), "--board", "8").stderr
    assert "is a NumPy file" in inside("check", "queens", str(path), "--format", "columns").stderr
    assert "no NumPy file" in inside("check", "queens", "-", "--format", "npy", text="1 3 0 2").stderr
    assert "choose one" in inside("solve", "queens", "8", "--format", "npy", "--json").stderr


def test_long_lists_of_columns_are_read_as_arrays(inside: Run, tmp_path: Path) -> None:
    path = tmp_path / "queens.txt"
    assert inside("solve", "queens", str(ROWS), "-o", str(path)).returncode == 0
    assert path.stat().st_size > LONG_LIST
    assert inside("check", "queens", str(path)).stdout == f"valid: placement of {ROWS:,} queens on {ROWS}x{ROWS}\n"
    columns = [int(word) for word in path.read_text().split()]
    path.write_text(" ".join(str(column + 1) for column in columns))
    done = inside("check", "queens", str(path))
    assert done.returncode == 0
    assert "counted from 1" in done.stderr
    path.write_text(" ".join(map(str, [*columns[:-1], 10**30])))
    assert "off the" in inside("check", "queens", str(path)).stdout
    path.write_text(" ".join(map(str, columns)) + "\n1 3 0 2\n")
    assert "2 placements, 2 valid" in inside("check", "queens", str(path)).stdout


# --- how far it has come ---------------------------------------------------------------------------


def test_the_words_of_progress() -> None:
    assert percent(Progress(3.0, 10, depth=5, total=8, found=1), 8).endswith("depth 5 of 8, 1 found")
    assert percent(Progress(2.0, 10, depth=0, total=50), 8) == "0.0 % in 2 s"
    assert percent(Progress(10.0, 10, depth=25, total=50, found=500), 8) == (
        "50.0 % in 10 s, 500 found (50/s), about 10 seconds left"
    )


@pytest.mark.parametrize(("puzzle", "method"), [(Queens(13), "columnsets"), (Queens(11, holes=["a1"]), "rows")])
def test_progress_only_grows(puzzle: Queens, method: str) -> None:
    seen: list[Progress] = []
    number = puzzle.count(method=method, budget=Budget(progress=seen.append, interval=0))
    done = [each.depth / each.total for each in seen]
    found = [each.found for each in seen]
    assert done == sorted(done)
    assert found == sorted(found)
    assert done[-1] <= 1
    assert 0 < found[-1] <= number


def test_ctrl_c_tells_a_part_and_no_answer(inside: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(_plan: object, context: Context) -> NoReturn:
        assert context.budget.progress is not None
        context.budget.progress(Progress(4.0, 900, depth=10, total=40, found=123))
        raise KeyboardInterrupt

    monkeypatch.setattr(running, "run", stopped)
    done = inside("count", "queens", "8")
    assert (done.returncode, done.stdout) == (130, "")
    assert done.stderr == (
        "backrank: stopped after 25.0 % in 4 s, 123 found (31/s), about 12 seconds left; "
        "nothing is proven; what was found is a part, not the count\n"
    )


def test_what_takes_too_long_is_not_begun(inside: Run) -> None:
    for words in (["30"], ["26"], ["1000"], ["64", "--holes", "a1"], ["30", "--placed", "a1"]):
        done = inside("count", "queens", *words)
        assert (done.returncode, done.stdout) == (2, "")
        assert "would take" in done.stderr
        assert "--force" in done.stderr
    with pytest.raises(UnknownName, match="lines"):
        Queens(8).count(method="luck")


def test_items_are_written_one_way(inside: Run) -> None:
    def lines(*words: str) -> Iterator[str]:
        return iter(inside(*words, "--format", "csv").stdout.splitlines())

    listed, drawn = lines("list", "queens", "4"), lines("sample", "queens", "4", "-n", "2", "--seed", "1")
    assert next(listed) == next(drawn) == "placement,row,col,name"
    assert [line[0] for line in listed] == [line[0] for line in drawn] == list("11112222")
