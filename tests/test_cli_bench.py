"""`backrank bench`: tables, files, comparisons, interruptions, and wrong answers."""

from __future__ import annotations

import json
import signal
import subprocess
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from backrank.arena import contest
from backrank.arena.cases import Series
from backrank.arena.timing import Timing

Run = Callable[..., subprocess.CompletedProcess[str]]
ROOT = Path(__file__).parents[1]
SMALL = ("bench", "--quick", "--cases", "queens-count", "--only", "bits,tutorial")


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory, command: str, environment: dict[str, str]) -> Path:
    """A folder with everything that one small run writes."""
    folder = tmp_path_factory.mktemp("bench")
    files = ("-o", "old.json", "--svg", "plot.svg", "--markdown", "page.md")
    done = subprocess.run(
        [command, *SMALL, "--against", "none", *files],
        capture_output=True,
        text=True,
        cwd=folder,
        env=environment,
        timeout=120,
        check=True,
    )
    (folder / "stdout").write_text(done.stdout, encoding="utf-8")
    (folder / "stderr").write_text(done.stderr, encoding="utf-8")
    return folder


def test_a_table_on_standard_output_and_remarks_beside_it(measured: Path) -> None:
    lines = (measured / "stdout").read_text(encoding="utf-8").splitlines()
    assert lines[0] == "Counting all placements of n queens (queens-count)"
    assert lines[1].split()[:5] == ["queens", "6", "7", "8", "9"]
    assert [line.split()[0] for line in lines[2:4]] == ["tutorial", "bits"]
    told = (measured / "stderr").read_text(encoding="utf-8").splitlines()
    assert told[0] == "queens-count ..."
    assert [line.split()[0] for line in told[1:]] == ["wrote"] * 3


def test_the_files_are_what_they_are_called(measured: Path) -> None:
    data = json.loads((measured / "old.json").read_text(encoding="utf-8"))
    assert data["complete"] is True
    assert {(each["entrant"], each["case"], each["answer"]) for each in data["timings"]} >= {
        ("bits", "8", "92"),
        ("tutorial", "9", "352"),
    }
    assert set(data["machine"]) == {"processor", "cores", "memory", "system", "python", "numpy", "numba"}
    assert (measured / "plot.svg").read_text(encoding="utf-8").startswith("<svg ")
    page = (measured / "page.md").read_text(encoding="utf-8")
    assert page.startswith("# ")
    assert "](plot.svg)" in page
    assert not [name for name in measured.iterdir() if name.suffix == ".part"]


def test_a_run_beside_an_earlier_one(inside: Run, measured: Path) -> None:
    done = inside(*SMALL, "--against", str(measured / "old.json"), "--json")
    assert done.returncode == 0, done.stderr
    beside = json.loads(done.stdout)["comparison"]
    assert beside["against"] == "old.json"
    assert beside["machine_differs"] == []
    assert {(each["entrant"], each["case"]) for each in beside["changes"]} >= {("bits", "8"), ("tutorial", "8")}
    assert all(each["verdict"] in ("same", "faster", "slower") for each in beside["changes"])


def test_the_last_release_is_what_is_compared_with(inside: Run) -> None:
    done = inside("bench", "--quick", "--cases", "queens-count", "--only", "bits", "-q")
    assert done.returncode == 0, done.stderr
    assert "since 0." in done.stdout
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--cases", "queens"), "unknown cases 'queens'; known: engine, "),
        (("--only", "nobody"), "unknown entrant 'nobody'; known: tutorial, "),
        (("--only", ","), "the list of names is empty"),
        (("--cases", "queens-count", "--only", "layers"), "takes part in none of the cases"),
        (("--time-limit", "soon"), "is not a time"),
        (("--time-limit", "0"), "no case can be measured in no time"),
        (("--against", "no-such.json"), "cannot read no-such.json"),
        (("-o", "-"), "want the names of files"),
        (("--svg", "a.svg", "--markdown", "a.svg"), "name the same file"),
        (("-o", "no/such/folder.json"), "there is no folder"),
    ],
)
def test_wrong_input_is_one_line(inside: Run, words: tuple[str, ...], message: str) -> None:
    done = inside("bench", *words)
    assert done.returncode == 2
    assert message in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert done.stdout == ""


def test_files_that_exist_are_not_replaced(inside: Run, measured: Path) -> None:
    before = (measured / "old.json").read_bytes()
    done = inside(*SMALL, "-o", str(measured / "old.json"))
    assert done.returncode == 2
    assert "--force replaces it" in done.stderr
    assert (measured / "old.json").read_bytes() == before


def test_a_wrong_answer_is_shown_and_is_exit_code_1(inside: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def measure(series: Series, *_: object) -> Iterator[Timing]:
        yield Timing(series.name, "8", 8, "bits", answer="93", seconds=1e-3, cpu=1e-3, runs=3, yardstick=1e-3)

    monkeypatch.setattr(contest, "measure", measure)
    done = inside("bench", "--cases", "queens-count", "--only", "bits", "--against", "none")
    assert done.returncode == 1
    assert "WRONG: queens-count 8, bits: 93, but 92 is published" in done.stdout
    assert "1.0 ms" not in done.stdout


def test_ctrl_c_keeps_what_was_measured(command: str, environment: dict[str, str], tmp_path: Path) -> None:
    """The tutorial's program would be at work for days; it is interrupted as soon as it has begun."""
    words = ["bench", "--cases", "queens-count,queens-list", "--only", "tutorial", "--time-limit", "1000h"]
    with subprocess.Popen(
        [command, *words, "--against", "none", "-o", "part.json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
        env=environment,
    ) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == "queens-count ...\n"
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "interrupted: this is a part" in out
    assert "Traceback" not in err
    assert json.loads((tmp_path / "part.json").read_text(encoding="utf-8"))["complete"] is False


def test_the_wheel_has_the_cases_and_the_results() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    included = project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    for name in ("cases", "results"):
        assert included[f"benchmarks/{name}"] == f"backrank/arena/{name}"
        assert list((ROOT / "benchmarks" / name).glob("*.json"))
