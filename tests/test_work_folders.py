"""Work folders of counts that are killed, verified, begun twice, or of several counts; and what is told about them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from errno import EROFS
from pathlib import Path

import pytest

from backrank import KnightTours
from backrank.errors import BudgetExceeded, InvalidText
from backrank.runtime.budget import Budget
from backrank.tours.counting import run as counting
from backrank.tours.counting import transit
from backrank.tours.counting.folder import LayerFolder, key_of
from backrank.tours.counting.frontier_plan import FrontierPlan
from backrank.tours.counting.layers import Layer
from backrank.tours.counting.spill import SpillFolder
from backrank.tours.frontier.segments import DiskError

PUZZLE = KnightTours(6)
OPEN, REENTRANT = 6_637_920, 36 * 2 * 9862


def plan_of(puzzle: KnightTours) -> FrontierPlan:
    how = puzzle.count_plan(method="layers").frontier
    assert how is not None
    return how


def folder_of(path: Path, puzzle: KnightTours = PUZZLE) -> LayerFolder:
    how = plan_of(puzzle)
    return LayerFolder(path, key_of(how.net, how.route), "open tours of 6x6")


@pytest.fixture
def keeping_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep every layer, and let little memory be enough to need the disk."""
    monkeypatch.setattr(LayerFolder, "keeper", lambda folder, **_: folder.save)
    monkeypatch.setattr(transit, "SMALL", 1000)


# --- a damaged manifest ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["depth", "total", "limbs", "about", "answer"])
def test_all_that_a_manifest_tells_is_checked(name: str, tmp_path: Path) -> None:
    folder = folder_of(tmp_path)
    folder.save(Layer.first())
    told = json.loads((tmp_path / "manifest.json").read_text())
    assert folder.load().depth == 0
    told |= {"depth": {"depth": 1}, "limbs": {"words": 0, "limbs": 2}}.get(name, {name: "5"})
    (tmp_path / "manifest.json").write_text(json.dumps(told))
    with pytest.raises(InvalidText, match="its manifest is damaged"):
        folder.load()


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("manifest.json", b"{", "it is not JSON"),
        ("manifest.json", b"\xff\xfe\x00", "it is not JSON"),
        ("manifest.json", b"[" * 100_000, "it is not JSON"),
    ],
)
def test_what_cannot_be_read_is_told_in_plain_words(name: str, content: bytes | None, why: str, tmp_path: Path) -> None:
    folder = folder_of(tmp_path)
    folder.save(Layer.first())
    (tmp_path / name).unlink()
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(InvalidText, match=rf"left alone: .* cannot be read \({why}\); choose another folder"):
        folder.load()


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("years of work")
    with pytest.raises(DiskError, match=r"layers cannot be kept in .*file/deeper: Not a directory"):
        PUZZLE.count(method="layers", folder=tmp_path / "file" / "deeper")
    with pytest.raises(InvalidText, match="it is a file, not a folder"):
        PUZZLE.count(method="layers", folder=tmp_path / "file")
    assert (tmp_path / "file").read_text() == "years of work"


# --- killed at any moment --------------------------------------------------------------------------


def test_what_is_left_before_anything_is_kept_does_no_harm(tmp_path: Path) -> None:
    (tmp_path / "spill").mkdir()
    (tmp_path / "spill" / "run-7.npy").write_bytes(b"half")
    (tmp_path / "layer-0.npy.new").write_bytes(b"half")
    (tmp_path / "manifest.json.new").write_bytes(b"{")
    assert PUZZLE.count(method="layers", folder=tmp_path) == OPEN
    assert not tmp_path.exists()


@pytest.mark.parametrize("name", ["spill/thesis.txt", "layer-0.npy", "spill"])
def test_what_only_looks_like_it_is_left_alone(name: str, tmp_path: Path) -> None:
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text("years of work")
    with pytest.raises(InvalidText, match="not empty"):
        PUZZLE.count(method="layers", folder=tmp_path)
    assert (tmp_path / name).read_text() == "years of work"


def test_nothing_stays_of_layers_that_were_half_kept(tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "work")
    folder.save(Layer.first())
    for name in ("layer-3.npy", "layer-4.npy.new", "manifest.json.new"):
        (tmp_path / "work" / name).write_bytes(b"half")
    assert PUZZLE.count(method="layers", folder=tmp_path / "work") == OPEN
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("keeping_all")
def test_strictly_open_tours_go_on_wherever_they_were_stopped(tmp_path: Path) -> None:
    work = tmp_path / "work"
    answers: list[int | None] = []
    for calls in (10, 300, 1_000, 3_000, 20_000, 10**9):  # of each of the two counts
        budget = Budget(calls=calls)
        try:
            answers.append(
                PUZZLE.count(method="layers", strictly_open=True, folder=work, memory=9 * 10**6, budget=budget)
            )
        except BudgetExceeded:
            answers.append(None)
    assert answers.count(None) > 3
    assert answers[-1] == OPEN - REENTRANT
    assert list(tmp_path.iterdir()) == []


def test_the_closed_tours_come_first_where_there_is_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[bool] = []
    counted = counting._counted

    def noted(how: FrontierPlan, *args: object, **options: object) -> int:
        begun.append(how.spec.closed)
        return counted(how, *args, **options)  # type: ignore[arg-type] # handed on as they come

    monkeypatch.setattr(counting, "_counted", noted)
    for folder in (None, tmp_path / "work"):
        assert PUZZLE.count(method="layers", strictly_open=True, folder=folder) == OPEN - REENTRANT
    assert begun == [False, True, True, False]


def test_a_verification_spills_and_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transit, "SMALL", 1000)
    spilled: list[Path] = []
    spill = transit.Transit._spill

    def noted(made: transit.Transit, folder: SpillFolder) -> None:
        spilled.append(folder.path)
        spill(made, folder)

    monkeypatch.setattr(transit.Transit, "_spill", noted)
    tours = KnightTours(6, 7)
    assert tours.verify_count(2 * 389_969_466, memory=1_000_000, threads=1, folder=tmp_path / "work").agrees
    assert set(spilled) == {tmp_path / "work" / "spill"}
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "thesis.txt").write_text("years of work")
    with pytest.raises(InvalidText, match="not empty"):
        tours.verify_count(2 * 389_969_466, folder=tmp_path)


def test_an_answer_that_could_not_be_printed_is_in_the_folder(
    backrank: Callable[..., subprocess.CompletedProcess[str]], tmp_path: Path
) -> None:
    words = ["count", "tours", "6x6", "--method", "layers", "--folder", str(tmp_path / "work"), "-q"]
    failed = backrank(*words, "-o", "/dev/full")
    assert (failed.returncode, failed.stdout) == (2, "")
    assert "no space left on device" in failed.stderr
    # The one call that is allowed would not be enough to count again.
    done = backrank(*words, "--call-limit", "1")
    assert (done.returncode, done.stdout) == (0, f"{OPEN}\n")
    assert list(tmp_path.iterdir()) == []


def test_an_answer_on_a_disk_that_is_read_only_can_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder_of(tmp_path / "work").finish(123)

    def refuse(path: Path) -> None:
        raise OSError(EROFS, os.strerror(EROFS), str(path))

    monkeypatch.setattr(Path, "unlink", refuse)
    monkeypatch.setattr(Path, "rmdir", refuse)
    assert PUZZLE.count(directed=False, method="layers", folder=tmp_path / "work") == 123
    assert (tmp_path / "work" / "manifest.json").exists()


# --- two at a time ---------------------------------------------------------------------------------

HOLDER = """
import sys
from pathlib import Path
from backrank.tours.counting.folder import LayerFolder
with LayerFolder(Path(sys.argv[1]), "key").held():
    print("held", flush=True)
    sys.stdin.read()
"""


def test_only_one_process_counts_in_a_folder(tmp_path: Path) -> None:
    work = tmp_path / "work"
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(work)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        with pytest.raises(InvalidText, match="another process is counting there"):
            PUZZLE.count(method="layers", folder=work)
        assert list(work.iterdir()) == []
        os.kill(other.pid, signal.SIGKILL)  # the lock ends with the process
        other.wait()
        assert PUZZLE.count(method="layers", folder=work) == OPEN


def test_a_folder_is_held_no_longer_than_the_count(tmp_path: Path) -> None:
    for _ in range(2):
        with pytest.raises(BudgetExceeded):
            PUZZLE.count(method="layers", folder=tmp_path / "work", budget=Budget(calls=100))
    assert PUZZLE.count(method="layers", folder=tmp_path / "work") == OPEN
