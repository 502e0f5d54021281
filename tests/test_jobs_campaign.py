"""Bytes of ledgers, logs, indexes and notes are changed at random: no wrong answer, and at most one clear line."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from backrank import BackrankError, Queens
from backrank.jobs import DamagedJob, JobProgress, JobSpec, JobStopped, Ledger, LenientLedger, Serial, run_job
from backrank.jobs.queens import outline
from backrank.queens.counting.plan import plan
from backrank.queens.counting.spec import QueensCountSpec
from backrank.web.counts.notes import Notes, notes_path
from damage import damage, flip, zero

NAME = "ledger.sqlite"
ANSWERS = {8: 92, 9: 352, 10: 724}
NOTES = {number: {"state": "done", "count": str(number * 1001)} for number in range(1, 8)}
SEED = int(os.environ.get("BACKRANK_TEST_SEED", "1"))


def chance(number: int) -> Random:
    """Return what chooses the damage of a try."""
    return Random(SEED * 1000 + number)  # noqa: S311 - nothing secret


def spec_of(size: int) -> JobSpec:
    uncut = outline(plan(Queens(size).spec, QueensCountSpec(method="columnsets")))
    return replace(uncut, units=6, parts=400)


SPECS = {spec_of(size).key: (spec_of(size), answer) for size, answer in ANSWERS.items()}

# Two done jobs, a begun one, and notes: all in the files, or the last part in the logs, as a killed process leaves it.
FILL = """
import os, sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from test_jobs_campaign import ANSWERS, NAME, NOTES, spec_of
from backrank.jobs import Ledger, Serial, UnitTask, perform, run_job
from backrank.web.counts.notes import Notes, notes_path
path = Path(sys.argv[1]) / NAME
for size in ANSWERS:
    ledger = Ledger(path)
    spec = spec_of(size)
    job = ledger.add(spec).id
    if size < 10:
        run_job(ledger, job, Serial())
    else:
        ledger.failed(job, 3, "lost")
        ledger.record(job, [perform(UnitTask(spec.to_json(), unit)) for unit in (0, 4)])
    if size == 8 or sys.argv[3] == "closed":
        ledger.close()
notes = Notes(path)
for note in NOTES.values():
    notes.add(note)
if sys.argv[3] == "closed":
    notes.close()
os._exit(0)
"""


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Folders with the same ledger, closed and left by a killed process."""
    folders = []
    for kind in ("closed", "killed"):
        folder = tmp_path_factory.mktemp(kind)
        command = [sys.executable, "-c", FILL, str(folder), str(Path(__file__).parent), kind]
        subprocess.run(command, check=True, timeout=300)
        folders.append(folder)
    assert len(list(folders[0].iterdir())) == 2
    assert len(list(folders[1].iterdir())) == 6
    return folders


def told_in_one_line(error: BackrankError) -> None:
    assert str(error)
    assert str(error).isprintable(), repr(str(error))


def require_true_reading(path: Path) -> None:
    """Read all that is there: what is read is true, or it is said that it cannot be."""
    try:
        with Ledger(path) as ledger:
            for job in ledger.entries():
                if isinstance(job, DamagedJob):
                    assert job.problem.isprintable()
                    continue
                spec, answer = SPECS[job.spec.key]
                assert job.spec == spec
                try:
                    ledger.failures(job.id)
                    assert len(ledger.outcomes(job.id)) <= spec.units
                    if job.state == "done":
                        assert ledger.total(job.id) == answer
                except BackrankError as error:
                    told_in_one_line(error)
            for spec, _ in SPECS.values():
                found = ledger.find(spec)
                assert found is None or found.spec == spec
    except BackrankError as error:
        told_in_one_line(error)
    try:
        with closing(Notes(path)) as notes:
            for number, note in notes.all().items():
                assert note is None or note == NOTES[number]
    except BackrankError as error:
        told_in_one_line(error)


def require_true_counts(path: Path, sizes: list[int]) -> None:
    """Count with a ledger that was named: right, or one line. With one that was not: right."""
    for size in sizes:
        spec = spec_of(size)
        try:
            with Ledger(path) as ledger:
                assert run_job(ledger, (ledger.find(spec) or ledger.add(spec)).id, Serial()) == ANSWERS[size]
        except BackrankError as error:
            told_in_one_line(error)
        with LenientLedger(path, on_trouble=told_in_one_line) as ledger:
            assert run_job(ledger, (ledger.find(spec) or ledger.add(spec)).id, Serial()) == ANSWERS[size]


def damaged_at_rest(source: Path, folder: Path, rng: Random, sizes: list[int]) -> None:
    shutil.copytree(source, folder)
    what = ""
    for _ in range(rng.choice((1, 1, 1, 2))):
        files = sorted(file for file in folder.iterdir() if file.stat().st_size)
        what += damage(rng.choice(files), rng) + "; "
    try:
        require_true_reading(folder / NAME)
        require_true_counts(folder / NAME, sizes)
    except BaseException:
        print(what)
        raise
    shutil.rmtree(folder)


def damaged_in_use(folder: Path, rng: Random) -> str:
    """Damage one of the files that this process has open, and return what was done."""
    file = rng.choice(sorted(file for file in folder.iterdir() if file.stat().st_size))
    if not file.name.endswith("-shm"):
        return damage(file, rng)
    # Not cut: the system ends a process that reads where a mapped file no longer is.
    data, what = rng.choice((flip, zero))(bytearray(file.read_bytes()), rng)
    with file.open("r+b") as stream:
        stream.write(data)
    return f"{file.name}: {what}"


def damaged_at_work(source: Path, folder: Path, rng: Random, *, named: bool) -> None:
    """Damage a file while this process counts, which has it open and mapped."""
    shutil.copytree(source, folder)
    path, when, seen, what = folder / NAME, rng.randrange(1, 12), 0, "nothing"

    def watch(progress: JobProgress) -> None:
        nonlocal seen, what
        del progress
        seen += 1
        if seen == when:
            what = damaged_in_use(folder, rng)

    spec = spec_of(10)
    try:
        with LenientLedger(path, on_trouble=told_in_one_line) if not named else Ledger(path) as ledger:
            job = ledger.find(spec) or ledger.add(spec)
            try:
                assert run_job(ledger, job.id, Serial(), on_progress=watch) == 724
            except BackrankError as error:
                told_in_one_line(error)
                # A row that is lost cannot be told from one that was removed.
                if not named and not isinstance(error, JobStopped):
                    raise
        require_true_reading(path)
    except BaseException:
        print(what)
        raise
    shutil.rmtree(folder)


def test_no_changed_byte_leads_to_a_wrong_number(tmp_path: Path, sources: list[Path]) -> None:
    for number in range(24):
        damaged_at_rest(sources[number % 2], tmp_path / str(number), chance(number), [])
    for number in range(4):
        damaged_at_rest(sources[number % 2], tmp_path / f"c{number}", chance(500 + number), [10])


@pytest.mark.deep
def test_hundreds_of_damaged_ledgers(tmp_path: Path, sources: list[Path]) -> None:
    for number in range(400):
        damaged_at_rest(sources[number % 2], tmp_path / str(number), chance(number), [8, 10])


@pytest.mark.deep
def test_hundreds_of_ledgers_that_are_damaged_while_a_count_uses_them(tmp_path: Path, sources: list[Path]) -> None:
    for number in range(200):
        rng = chance(number)
        damaged_at_work(sources[number % 2], tmp_path / str(number), rng, named=number % 3 == 0)


def every_byte(source: Path, folder: Path, step: int, first: int) -> None:
    """Change every byte that holds something, or every so many of them, one at a time."""
    folder.mkdir()
    rng = chance(first)
    for name in (NAME, notes_path(Path(NAME)).name):
        whole = (source / name).read_bytes()
        for place in [place for place, byte in enumerate(whole) if byte][first::step]:
            for file in source.iterdir():
                shutil.copy(file, folder)
            data = bytearray(whole)
            data[place] ^= rng.choice((1, 2, 3, 4, 8, 128))  # a digit often becomes another one
            (folder / name).write_bytes(data)
            try:
                require_true_reading(folder / NAME)
            except BaseException:
                print(f"byte {place} of {name}: {whole[place]} became {data[place]}")
                raise
            for file in folder.iterdir():
                file.unlink()


def test_some_bytes_one_at_a_time(tmp_path: Path, sources: list[Path]) -> None:
    every_byte(sources[0], tmp_path / "one", 97, SEED % 97)


@pytest.mark.deep
def test_every_byte(tmp_path: Path, sources: list[Path]) -> None:
    every_byte(sources[0], tmp_path / "one", 1, 0)


@pytest.mark.deep
def test_removed_files(tmp_path: Path, sources: list[Path]) -> None:
    for file in sources[1].iterdir():
        folder = tmp_path / file.name
        shutil.copytree(sources[1], folder)
        (folder / file.name).unlink()
        require_true_reading(folder / NAME)
        require_true_counts(folder / NAME, [8, 10])
