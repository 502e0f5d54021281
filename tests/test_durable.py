"""Files that survive kills at every system call, and power cuts at every moment."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from backrank.errors import InvalidText
from backrank.runtime import durable
from backrank.tours.counting.folder import LayerFolder, release
from backrank.tours.counting.layers import Layer
from powercut import State, laid, recording

SCRIPT = Path(__file__).with_name("syscalls.py")
ANSWER = 2**70


def test_a_file_appears_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "file"
    with durable.replacing(path) as stream:
        stream.write(b"old")
        assert not path.exists()
    with pytest.raises(ZeroDivisionError), durable.replacing(path) as stream:
        stream.write(bytes(1 // 0))
    assert path.read_bytes() == b"old"
    assert [each.name for each in tmp_path.iterdir()] == ["file"]


def test_a_folder_is_made_with_those_above_it(tmp_path: Path) -> None:
    durable.make_folder(tmp_path / "one" / "two")
    durable.make_folder(tmp_path / "one" / "two")
    assert (tmp_path / "one" / "two").is_dir()


def test_what_is_not_there_need_not_be_removed(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    durable.remove([tmp_path / "other", tmp_path / "file"])
    assert list(tmp_path.iterdir()) == []


def test_a_power_cut_leaves_the_old_content_or_the_new(tmp_path: Path) -> None:
    path = tmp_path / "disk" / "file"
    path.parent.mkdir()
    path.write_bytes(b"old")
    with recording(path.parent) as disk, durable.replacing(path) as stream:
        stream.write(b"new")
    contents = [state["file"] for states in disk.states for state in states]
    assert set(contents) == {b"old", b"new"}
    assert {state["file"] for state in disk.states[-1]} == {b"new"}


def test_the_model_of_a_power_cut_sees_what_is_not_synced(tmp_path: Path) -> None:
    path = tmp_path / "disk" / "file"
    path.parent.mkdir()
    path.write_bytes(b"old")
    with recording(path.parent) as disk:
        path.with_suffix(".new").write_bytes(b"new")
        path.with_suffix(".new").replace(path)
    assert {state.get("file") for state in disk.states[-1]} == {b"old", b"", b"new"}


# --- work folders of counts ------------------------------------------------------------------------


def layer(depth: int) -> Layer:
    return Layer(depth, [np.arange(1, 2 * depth + 1, dtype=np.uint64)], 1, sum(range(2, 2 * depth + 1, 2)))


def found_after(state: State, path: Path) -> int:
    """Return the layer that is gone on from after a power cut, 99 for the answer; -1 for a folder that is refused."""
    laid(state, path)
    folder = LayerFolder(path, "key", "tours")
    try:
        with folder.held():
            if (answer := folder.answer()) is not None:
                assert answer == ANSWER
                return 99
            kept = folder.load()
            assert kept.entries() == (layer(kept.depth).entries() if kept.depth else Layer.first().entries())
            return kept.depth
    except InvalidText:
        return -1
    finally:
        shutil.rmtree(path, ignore_errors=True)


def test_a_power_cut_at_any_moment_leaves_a_work_folder_to_go_on_from(tmp_path: Path) -> None:
    path = tmp_path / "work"
    path.mkdir()
    folder = LayerFolder(path, "key", "tours")
    steps = {"begun": 0, "3": 3, "4": 4, "9": 9, "finished": 99}
    done: list[tuple[int, int]] = []  # after how many moments each step was done
    with recording(path) as disk:
        folder.load()
        done.append((len(disk.states), steps["begun"]))
        for depth in (3, 4, 9):
            folder.save(layer(depth))
            done.append((len(disk.states), depth))
        folder.finish(ANSWER)
        done.append((len(disk.states), steps["finished"]))
        released = len(disk.states)
        release(path)
    tried = 0
    for moment, states in enumerate(disk.states):
        least = max((step for at, step in done if at <= moment), default=0)
        for state in states:
            found = found_after(state, tmp_path / "after")
            tried += 1
            if moment > released and not state:
                continue  # the answer has been delivered
            assert found >= least, (moment, least, found, {name: len(content) for name, content in state.items()})
    assert tried > 60


@pytest.mark.parametrize(
    ("kind", "step", "least"),
    [
        ("folder", 6, 30),
        pytest.param("folder", 1, 150, marks=pytest.mark.deep),
        pytest.param("count", 1, 300, marks=pytest.mark.deep),
    ],
)
def test_a_kill_at_any_system_call_leaves_a_work_folder_to_go_on_from(
    kind: str, step: int, least: int, tmp_path: Path
) -> None:
    done = subprocess.run(
        [sys.executable, str(SCRIPT), kind, str(tmp_path / "work"), str(step)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONWARNINGS": "error"},
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert int(done.stdout) >= least
