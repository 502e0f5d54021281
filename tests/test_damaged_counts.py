"""Damage to whatever a count of tours writes and reads back, at rest and while it runs: never a wrong number."""

from __future__ import annotations

import contextlib
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import numpy as np
import pytest

from backrank import KnightTours
from backrank.errors import BudgetExceeded, InvalidText
from backrank.runtime.budget import Budget
from backrank.tours.counting import spill, transit
from backrank.tours.counting.folder import LayerFolder
from backrank.tours.counting.spill import SpillFile
from backrank.tours.frontier import segments
from backrank.tours.frontier.segments import DamagedFile, Recounted, Segment, SegmentFile
from damage import damage

PUZZLE, OPEN = KnightTours(6), 6_637_920
MEMORY = 270_000  # bytes; so little that the largest layers go to disk
CLOSED_7X8 = 34_524_432_316


@pytest.fixture(autouse=True)
def _small_layers_are_spilled_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transit, "SMALL", 1000)


def seeded(seed: int) -> Random:
    return Random(seed)  # noqa: S311 - no secret


def count(work: Path, budget: Budget | None = None) -> int:
    return PUZZLE.count(method="layers", memory=MEMORY, threads=1, folder=work, budget=budget)


def tried(work: Path, what: str) -> str:
    """Count; return what came of it. A wrong number, and any error but one clear line, fails the test."""
    try:
        number = count(work)
    except (DamagedFile, InvalidText) as error:
        told = str(error)
    else:
        assert number == OPEN, what
        return "right"
    assert "\n" not in told, what
    return "refused"


# --- spilled layers, while the count runs ----------------------------------------------------------


def damage_runs(tries: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Damage one of the runs of a count as soon as it is written, again and again."""
    rng, finish = seeded(13), SpillFile.finish
    told: list[str] = []
    state = {"left": -1}

    def spoilt(run: SpillFile) -> None:
        finish(run)
        if not state["left"] and run.size:
            told.append(damage(run.path, rng))
        state["left"] -= 1

    monkeypatch.setattr(SpillFile, "finish", spoilt)
    found: Counter[str] = Counter()
    for number in range(tries):
        state["left"] = rng.randrange(6)
        found[tried(tmp_path / f"work-{number}", told[-1] if told else "")] += 1
        # Whatever happened, the same command goes on, and finds the right number.
        state["left"] = -1
        assert count(tmp_path / f"work-{number}") == OPEN
    assert len(told) > 0.9 * tries
    return found


def test_a_spilled_layer_that_was_damaged_is_never_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = damage_runs(12, tmp_path, monkeypatch)
    assert found["refused"] >= 8, found


@pytest.mark.deep
def test_spilled_layers_damaged_many_times(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = damage_runs(600, tmp_path, monkeypatch)
    assert found["refused"] > 450, found


def test_runs_that_are_left_out_or_read_twice_are_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read = SpillFile.read
    monkeypatch.setattr(
        SpillFile, "read", lambda run, number: read(run, max(0, number - 1))
    )  # each has a good checksum
    with pytest.raises(DamagedFile, match=r"runs with [\d,]+ ways were merged to a layer with [\d,]+"):
        count(tmp_path / "work")
    monkeypatch.undo()
    monkeypatch.setattr(transit, "SMALL", 1000)
    monkeypatch.setattr(segments, "READ", 8_000)  # so that there are several parts
    iterated = SegmentFile.__iter__

    def instead_of_the_last(file: SegmentFile) -> Iterator[segments.UInt64s]:
        parts = list(iterated(file))
        yield from [*parts[:-1], parts[0]]

    monkeypatch.setattr(SegmentFile, "__iter__", instead_of_the_last)
    with pytest.raises(DamagedFile, match=r"entries with [\d,]+ ways were written, and [\d,]+ with [\d,]+ were read"):
        KnightTours(6, 7).count(method="layers", memory=600_000, threads=1, folder=tmp_path / "other")


# --- kept layers and manifests ---------------------------------------------------------------------


def stopped(work: Path, calls: int) -> Path:
    """Stop a count after some states; every layer is kept."""
    with pytest.raises(BudgetExceeded):
        count(work, Budget(calls=calls))
    return work


def damage_at_rest(tries: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Damage the manifest or the layer that a stopped count has left."""
    monkeypatch.setattr(LayerFolder, "keeper", lambda folder, **_: folder.save)
    rng, found = seeded(7), Counter[str]()
    for number in range(tries):
        work = stopped(tmp_path / f"work-{number}", rng.choice((50, 2_000, 20_000)))
        files = sorted(path for path in work.iterdir() if path.is_file())
        what = damage(rng.choice(files), rng)
        left = {path.name: path.read_bytes() for path in files}
        found[came := tried(work, what)] += 1
        if came == "refused":  # and nothing was changed
            assert {path.name: path.read_bytes() for path in work.iterdir() if path.is_file()} == left, what
    return found


def test_a_kept_layer_that_was_damaged_is_never_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert damage_at_rest(12, tmp_path, monkeypatch)["refused"] > 6


@pytest.mark.deep
def test_kept_layers_damaged_many_times(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert damage_at_rest(400, tmp_path, monkeypatch)["refused"] > 300


def damage_after_looking(tries: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Damage a kept layer when it has been looked at and not yet been used."""
    monkeypatch.setattr(LayerFolder, "keeper", lambda folder, **_: folder.save)
    rng, load, found = seeded(3), LayerFolder.load, Counter[str]()
    told: list[str] = []

    def spoilt(folder: LayerFolder) -> object:
        layer = load(folder)
        if isinstance(layer.parts, SegmentFile):
            told.append(damage(layer.parts.path, rng))
        return layer

    for number in range(tries):
        work = stopped(tmp_path / f"work-{number}", rng.choice((2_000, 20_000)))
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(LayerFolder, "load", spoilt)
            found[tried(work, told[-1] if told else "")] += 1
    assert len(told) == tries
    return found


def test_a_layer_is_compared_when_it_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert damage_after_looking(6, tmp_path, monkeypatch)["refused"] > 3


@pytest.mark.deep
def test_layers_are_compared_when_they_are_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert damage_after_looking(100, tmp_path, monkeypatch)["refused"] > 75


# --- segments --------------------------------------------------------------------------------------


def test_a_file_with_segments_read_by_several_threads(tmp_path: Path) -> None:
    run = SpillFile(tmp_path / "run", 2)
    parts = [np.arange(2 * size, dtype=np.uint64) for size in (0, 3, 1, 0, 7)]
    for part in parts:
        run.append(part)
    run.finish()
    assert [run.read(number).tolist() for number in range(5)] == [part.tolist() for part in parts]
    assert np.concatenate(list(run)).tolist() == np.concatenate(parts).tolist()
    recounted = Recounted(run, 1)
    assert sum(part.size for part in recounted) == 2 * run.size
    recounted.require(11, sum(int(part[1::2].sum()) for part in parts))
    with pytest.raises(DamagedFile, match="11 entries with 5 ways were written, and 11 with 59 were read"):
        recounted.require(11, 5)


def test_a_checksum_is_that_of_all_bytes() -> None:
    one, other = np.arange(5, dtype=np.uint64), np.arange(5, dtype=np.uint64)
    assert Segment.of(one) == Segment.of(other)
    other[3] ^= np.uint64(1 << 63)
    assert Segment.of(one) != Segment.of(other)
    assert Segment.of(one[:4]) != Segment.of(one)


def test_totals_are_exact_beyond_64_bits(tmp_path: Path) -> None:
    del tmp_path
    most = 2**64 - 1
    entries = np.array([[5, most, most, 1], [6, most, most, 2], [7, 1, 0, 3]], np.uint64).reshape(-1)
    assert segments.total_of(entries, 4, 1) == 2 * (2**128 - 1) + 1 + 6 * 2**128


# --- the command, while it runs --------------------------------------------------------------------


@pytest.mark.deep
def test_a_command_whose_files_are_damaged_while_it_runs(
    command: str, environment: dict[str, str], tmp_path: Path
) -> None:
    rng, codes = seeded(5), Counter[int]()
    for number in range(25):
        work, told = tmp_path / f"work-{number}", list[str]()
        words = [command, "count", "tours", "7x8", "--closed", "--memory", "20M", "--folder", str(work), "-q"]
        with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment) as run:
            watcher = threading.Thread(target=_damage_one, args=(run.poll, work / spill.FOLDER, rng, told))
            watcher.start()
            out, err = run.communicate(timeout=300)
            watcher.join()
        codes[run.returncode] += 1
        assert "Traceback" not in err, told
        if run.returncode:
            assert (run.returncode, out, err.count("\n")) == (2, "", 1), (told, err)
            assert err.startswith("backrank: "), err
        else:
            assert out == f"{CLOSED_7X8}\n", told
    assert codes[2] > 10, codes


def _damage_one(is_over: Callable[[], object], folder: Path, rng: Random, told: list[str]) -> None:
    """Damage one of the files that appear in a folder, soon after it has."""
    wanted = rng.randrange(12)
    until = time.monotonic() + 240
    while is_over() is None and time.monotonic() < until:
        with contextlib.suppress(OSError, ValueError):  # it has gone, or is empty
            numbers = {int(path.stem.partition("-")[2]): path for path in folder.iterdir()}
            if max(numbers, default=0) > wanted:
                told.append(damage(numbers[max(numbers)], rng))
                return
        time.sleep(0.002)
