"""The scripts under `benchmarks/`: each runs in its quick size, and the harness measures and reports what it says."""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

FOLDER = Path(__file__).parents[1] / "benchmarks"
NAMES = sorted(path.stem for path in FOLDER.glob("bench_*.py"))
SLOW = ("bench_jobs", "bench_stopping", "bench_web")  # they start workers, servers and whole commands
PAIRED = "bench_paired"


@pytest.fixture(autouse=True)
def _findable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(FOLDER))


@pytest.fixture
def harness() -> ModuleType:
    return importlib.import_module("harness")


def of(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


# --- the scripts -------------------------------------------------------------------------------------


def scripts() -> list[object]:
    return [pytest.param(name, marks=pytest.mark.deep if name in SLOW else ()) for name in NAMES if name != PAIRED]


@pytest.mark.parametrize("name", scripts())
def test_a_script_runs_in_its_quick_size(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    importlib.import_module(name).SCRIPT.main(["--quick", "--json"])
    told = of(capsys)
    assert (told["script"], told["size"], told["failures"]) == (name, "quick", 0)
    assert told["yardstick_seconds"] > 0
    assert told["tables"]
    assert all(table["rows"] for table in told["tables"])
    assert all(set(table["columns"]) <= set(row) for table in told["tables"] for row in table["rows"])


def test_make_bench_runs_every_script_but_the_comparison() -> None:
    text = (FOLDER.parent / "Makefile").read_text(encoding="utf-8")
    assert PAIRED in NAMES
    assert f"filter-out benchmarks/{PAIRED}.py,$(sort $(wildcard benchmarks/bench_*.py))" in text


# --- the harness -------------------------------------------------------------------------------------


def test_a_table_prints_rows_as_they_come(harness: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    report = harness.Report("normal", as_json=False)
    table = report.table("board:<8", "n:3d", "seconds:9.3f")
    assert capsys.readouterr().out == "board      n   seconds\n"
    table.row("6x6", 12, 0.25, after="mark reached")
    table.row("all", None, "unknown")
    assert capsys.readouterr().out == "6x6       12     0.250   mark reached\nall        -   unknown\n"


def test_a_mark_is_reached_or_missed(harness: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    report = harness.Report("normal", as_json=False)
    assert report.mark("time", 0.4, 0.5) == "mark reached (< 0.5 s)"
    assert report.mark("time", 0.5, 0.5) == "MISSED (< 0.5 s)"
    assert report.mark("ratio", 6.0, 6.0, least=True, unit=" x") == "mark reached (>= 6 x)"
    assert report.mark("ratio", 5.9, 6.0, least=True, unit=" x") == "MISSED (>= 6 x)"
    report.end("bench_mine")
    assert capsys.readouterr().out.startswith("2 of 4 marks reached; yardstick ")


def test_as_json_everything_is_one_object(harness: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    def run(report: Any, options: Any) -> None:
        table = report.table("n:3d", "ratio:5.1f")
        table.row(options.side, float("inf"), after=report.mark("seconds", 0.25, 0.5))
        report.note("a note")

    script = harness.Script("Mine.", run, (harness.option("--side", type=int),))
    script.main(["--side", "7", "--full", "--json"])
    told = of(capsys)
    assert told["size"] == "full"
    assert told["tables"] == [
        {"columns": ["n", "ratio"], "rows": [{"n": 7, "ratio": None, "remark": "mark reached (< 0.5 s)"}]}
    ]
    assert told["marks"] == [{"name": "seconds", "value": 0.25, "limit": 0.5, "reached": True}]
    assert told["notes"] == ["a note"]
    assert "processor" in told["machine"]


def test_a_failure_is_shown_and_makes_the_exit_code_1(harness: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    script = harness.Script("Mine.", lambda report, _options: report.failure("no tour"))
    with pytest.raises(SystemExit) as left:
        script.main([])
    assert left.value.code == 1
    assert capsys.readouterr().out.startswith("FAILURE: no tour\n1 failures; yardstick ")


def test_an_error_of_the_package_is_one_line(harness: ModuleType) -> None:
    from backrank import Board

    script = harness.Script("Mine.", lambda _report, _options: Board(-1))
    with pytest.raises(SystemExit, match="rows"):
        script.main([])


def test_ctrl_c_has_the_usual_exit_code(harness: ModuleType) -> None:
    def run(_report: Any, _options: Any) -> None:
        raise KeyboardInterrupt

    with pytest.raises(SystemExit) as left:
        harness.Script("Mine.", run).main([])
    assert left.value.code == 130


def test_each_size_has_its_value(harness: ModuleType) -> None:
    of_size = {size: harness.Report(size, as_json=True).sized(1, 2, 3) for size in ("quick", "normal", "full")}
    assert of_size == {"quick": 1, "normal": 2, "full": 3}
    assert harness.Report("full", as_json=True).sized(1, 2) == 2


def test_a_function_is_measured_in_a_process_of_its_own(harness: ModuleType) -> None:
    from backrank.arena.running import MeasuringLimits

    once = MeasuringLimits(limit=60.0, most=1, share=0.0)
    small, large = harness.measure_apart("bench_construct:closed_tour", (100, 1000), 100, once)
    assert (small.answer, large.answer) == ("40000", "4000000")
    assert large.peak - large.held > 3_000_000


def test_published_values_are_those_of_the_package(harness: ModuleType) -> None:
    assert harness.published("tours.closed.undirected", "6x6") == 9862
    assert harness.published("tours.closed.undirected", "99x99") is None


# --- whole processes ---------------------------------------------------------------------------------


def test_a_process_is_measured_with_its_own_memory() -> None:
    processes = importlib.import_module("processes")
    block = b"x" * 200_000_000  # the peak of this process must not count as that of the other one
    small = processes.run_process([sys.executable, "-c", "print('out'); import sys; sys.exit('err')"])
    large = processes.run_process([sys.executable, "-c", "print(len(b'x' * 100_000_000))"])
    assert len(block) == 200_000_000
    assert (small.code, small.out, small.err) == (1, "out\n", "err\n")
    assert small.peak < 80_000_000
    assert (large.code, large.out) == (0, "100000000\n")
    assert large.peak > 100_000_000
    assert 0 < small.wall < 60
    assert 0 < small.cpu < 60


def test_a_program_that_is_not_there_is_one_line() -> None:
    processes = importlib.import_module("processes")
    with pytest.raises(SystemExit, match="cannot run /no/such/program"):
        processes.run_process(["/no/such/program"])


def tree(folder: Path, program: str) -> Path:
    """Make a tree whose commands do what a text of shell says."""
    programs = folder / ".venv" / "bin"
    programs.mkdir(parents=True)
    for name in ("python", "backrank"):
        path = programs / name
        path.write_text(f"#!/bin/sh\n{program}\n", encoding="utf-8")
        path.chmod(0o755)
    return folder


def test_two_trees_are_run_in_turns(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    order = tmp_path / "order"
    old, new = (tree(tmp_path / name, f"echo {name} >>{order}; echo answer") for name in ("old", "new"))
    script = importlib.import_module(PAIRED).SCRIPT
    script.main([str(old), str(new), "--only", "queens 8", "--rounds", "3", "--json"])
    assert order.read_text(encoding="utf-8").split() == 2 * ["old", "new", "old", "new", "new", "old", "old", "new"]
    rows = of(capsys)["tables"][0]["rows"]
    assert [row["command"] for row in rows] == ["list queens 8", "count queens 8"]
    assert all(row["old best"] <= row["old med."] and row["n"] == 3 for row in rows)
    assert all(row["new/old"] > 0 and row["old MB"] > 0 and row["new MB"] > 0 for row in rows)


def test_the_package_is_measured_beside_itself(
    tmp_path: Path, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    both = []
    for name in ("old", "new"):
        both.append(tree(tmp_path / name, "exit 9"))
        for program, real in (("python", sys.executable), ("backrank", command)):
            path = both[-1] / ".venv" / "bin" / program
            path.write_text(f'#!/bin/sh\nexec "{real}" "$@"\n', encoding="utf-8")
    importlib.import_module(PAIRED).SCRIPT.main([*map(str, both), "--quick", "--json"])
    rows = of(capsys)["tables"][0]["rows"]
    assert [row["command"] for row in rows] == ["import backrank", "--help"]
    assert all(row["old MB"] > 5 for row in rows)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("echo 92", "echo 93", "count queens 16: the answers differ: '92' and '93'"),
        ("echo 92", "echo 'no such board' >&2; exit 2", "exit code 2 in the new tree: no such board"),
    ],
)
def test_trees_that_do_not_agree_have_no_ratio(tmp_path: Path, old: str, new: str, message: str) -> None:
    trees = [str(tree(tmp_path / name, text)) for name, text in (("old", old), ("new", new))]
    with pytest.raises(SystemExit, match=message):
        importlib.import_module(PAIRED).SCRIPT.main([*trees, "--only", "queens 16"])


def test_a_tree_without_an_environment_is_refused(tmp_path: Path) -> None:
    good = str(tree(tmp_path / "good", "echo 1"))
    script = importlib.import_module(PAIRED).SCRIPT
    with pytest.raises(SystemExit, match=r"has no \.venv/bin/backrank"):
        script.main([good, str(tmp_path)])
    with pytest.raises(SystemExit, match="--only chess is in none of the commands"):
        script.main([good, good, "--only", "chess"])
