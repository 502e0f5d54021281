"""Ledgers that can be read and not written to, or hold damaged jobs: all that was recorded is read, no count stops."""

from __future__ import annotations

import ctypes
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from backrank import Queens
from backrank.jobs import (
    Conflict,
    DamagedJob,
    Job,
    JobSpec,
    Ledger,
    LedgerError,
    LedgerUnwritable,
    LenientLedger,
    NoSuchJob,
    Outcome,
    Serial,
    copying,
    rows,
    run_job,
    storage,
)
from backrank.jobs.queens import outline
from backrank.jobs.spec import canonical
from backrank.queens.counting.plan import plan
from backrank.queens.counting.spec import QueensCountSpec
from backrank.web.counts.notes import Notes, notes_path

DATA = Path(__file__).parent / "data"
SMALL = replace(outline(plan(Queens(9).spec, QueensCountSpec(method="columnsets"))), units=6, parts=400)
OTHER = replace(outline(plan(Queens(8).spec, QueensCountSpec(method="columnsets"))), units=3, parts=400)

# Leaves a ledger as a killed process does: all that was recorded is in the log, and the index may be there or not.
KILLED = """
import os, sys
from dataclasses import replace
from backrank import Queens
from backrank.jobs import Ledger, Outcome
from backrank.jobs.queens import outline
from backrank.queens.counting.plan import plan
from backrank.queens.counting.spec import QueensCountSpec
spec = replace(outline(plan(Queens(9).spec, QueensCountSpec(method="columnsets"))), units=6, parts=400)
ledger = Ledger(sys.argv[1])
job = ledger.add(spec).id
for unit in range(6):
    ledger.record(job, [Outcome(unit, "60" if unit < 4 else "56")])
print(ledger.finish(job))
os._exit(0)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A folder that a test makes read-only."""
    path = tmp_path / "folder"
    path.mkdir()
    yield path
    path.chmod(0o755)


def _bound_by_permissions() -> None:
    """Let permissions bind this process even if it is the superuser's: drop two capabilities for what it executes."""
    if os.geteuid() == 0:
        libc = ctypes.CDLL(None, use_errno=True)
        for capability in (1, 2):  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH
            if libc.prctl(24, capability, 0, 0, 0):  # PR_CAPBSET_DROP
                raise OSError(ctypes.get_errno(), "capabilities cannot be dropped")


def bound(script: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    """Run Python as somebody whom permissions bind."""
    command = [sys.executable, "-c", script, *map(str, arguments)]
    return subprocess.run(
        command,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        preexec_fn=_bound_by_permissions,
    )


def killed(path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", KILLED, path], capture_output=True, text=True, timeout=300, check=True)
    assert done.stdout == "352\n"
    assert path.with_name(f"{path.name}-wal").stat().st_size > 0


# --- reading what cannot be written -----------------------------------------------------------------------


READER = """
import sys
from backrank.jobs import Ledger, LedgerUnwritable
for path in sys.argv[1:]:
    with Ledger(path) as ledger:
        [job] = ledger.jobs()
        print(job.state, ledger.total(job.id), ledger.add(job.spec).id == job.id, ledger.obstacle is not None)
        try:
            ledger.cancel(job.id)
        except LedgerUnwritable as error:
            print(error)
"""


@pytest.mark.parametrize("left", ["-wal -shm", "-wal", ""], ids=["log and index", "log", "neither"])
def test_a_ledger_in_a_read_only_folder_is_read_with_its_log(folder: Path, left: str) -> None:
    path = folder / "ledger.sqlite"
    killed(path)
    if not left:
        Ledger(path).close()
    for file in folder.iterdir():
        if file != path and file.name.removeprefix(path.name) not in left.split():
            file.unlink()
        else:
            file.chmod(0o444)
    before = {file.name: file.read_bytes() for file in folder.iterdir()}
    folder.chmod(0o555)
    done = bound(READER, path)
    assert done.stderr == ""
    state, refusal = done.stdout.splitlines()
    assert state == "done 352 True True"
    assert refusal == (f"the ledger {path}: it cannot be written to; change its permissions, or name another ledger")
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == before


def test_a_copy_has_what_is_in_the_log_and_stops_where_the_log_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "ledger.sqlite"
    killed(path)
    with closing(copying.copied(path)) as copy:
        assert copy.execute("SELECT count(*) FROM unit").fetchone() == (6,)
        with pytest.raises(sqlite3.Error, match="readonly"):
            copy.execute("DELETE FROM unit")
    log = path.with_name("ledger.sqlite-wal")
    whole, seen = log.read_bytes(), set()
    for length in range(0, len(whole), 997):
        log.write_bytes(whole[:length])
        with closing(copying.copied(path)) as copy:
            [(units,)] = copy.execute("SELECT count(*) FROM unit")
            assert copy.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        own = tmp_path / f"own-{length}"
        own.mkdir()
        for file in (path, log):
            shutil.copy(file, own)
        with closing(sqlite3.connect(own / path.name)) as sqlite:
            assert sqlite.execute("SELECT count(*) FROM unit").fetchone() == (units,), "as SQLite reads it"
        seen.add(units)
    assert seen == set(range(7)) - ({6} if 6 not in seen else set())
    damaged = bytearray(whole)
    damaged[-5000] ^= 1
    assert copying.applied(path.read_bytes(), bytes(damaged)) != copying.applied(path.read_bytes(), whole)


def test_a_full_disk_does_not_hide_what_is_recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "ledger.sqlite"
    killed(path)

    def full(connection: sqlite3.Connection, path: Path) -> None:
        del connection, path
        error = sqlite3.OperationalError("database or disk is full")
        error.sqlite_errorcode = sqlite3.SQLITE_FULL
        raise error

    monkeypatch.setattr(storage, "_prepare", full)
    with Ledger(path) as ledger:
        [job] = ledger.jobs()
        assert ledger.total(job.id) == 352
        for change in (lambda: ledger.cancel(job.id), lambda: ledger.add(OTHER), ledger.require_writable):
            with pytest.raises(LedgerUnwritable, match="the disk is full"):
                change()
    with pytest.raises(LedgerError, match="the disk is full"):
        Ledger(tmp_path / "other.sqlite")


# --- ledgers that were not named --------------------------------------------------------------------------


def unusable(path: Path, kind: str) -> None:
    """Put something there that is no ledger to write to."""
    if kind == "folder":
        path.mkdir()
    elif kind == "foreign":
        path.write_bytes(b"hello")
    elif kind == "below a file":
        path.parent.rmdir()
        path.parent.write_bytes(b"")
    else:
        Ledger(path).close()
        with closing(sqlite3.connect(path)) as raw:
            if kind == "newer":
                raw.execute(f"PRAGMA user_version = {storage.SCHEMA + 1}")
            else:
                raw.execute("ALTER TABLE job RENAME TO jab")


@pytest.mark.parametrize("kind", ["folder", "foreign", "below a file", "newer", "without tables"])
def test_an_unnamed_ledger_that_cannot_be_used_does_not_stop_a_count(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "data" / "ledger.sqlite"
    path.parent.mkdir()
    unusable(path, kind)
    told: list[LedgerError] = []
    with LenientLedger(path, on_trouble=told.append) as ledger:
        assert (len(told), ledger.is_kept, ledger.find(SMALL)) == (1, False, None)
        assert run_job(ledger, ledger.add(SMALL).id, Serial()) == 352
    assert len(told) == 1


@pytest.mark.parametrize("method", ["begin", "beat", "record", "state", "outcomes", "finish", "total", "job"])
def test_an_unnamed_ledger_that_fails_in_the_middle_does_not_stop_a_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    path, told = tmp_path / "ledger.sqlite", list[LedgerError]()
    with Ledger(path) as ledger:
        job = ledger.add(SMALL).id
    with LenientLedger(path, on_trouble=told.append) as ledger:
        found = ledger.find(SMALL)
        assert found is not None
        file, calls = ledger._file, 0
        assert file is not None
        works = getattr(file, method if method != "job" else "matching")

        def failing(*values: object, **options: object) -> object:
            nonlocal calls
            calls += 1
            if calls > (2 if method == "record" else 0):
                raise LedgerError(f"the ledger {path}: the disk is full; make room, and resume the job")
            return works(*values, **options)

        monkeypatch.setattr(file, method if method != "job" else "matching", failing)
        assert run_job(ledger, job, Serial()) == 352
        assert [str(error).count("disk is full") for error in told] == [1]
        assert not ledger.is_kept


def test_an_unnamed_ledger_that_is_locked_does_not_stop_a_count(tmp_path: Path) -> None:
    path, told = tmp_path / "ledger.sqlite", list[LedgerError]()
    Ledger(path).close()
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with LenientLedger(path, on_trouble=told.append, busy_seconds=0.05) as ledger:
            assert run_job(ledger, ledger.add(SMALL).id, Serial()) == 352
    assert ["locked by another program" in str(error) for error in told] == [True]


def test_without_a_home_folder_a_count_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    for name in ("BACKRANK_LEDGER", "XDG_DATA_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", homeless)
    with pytest.raises(LedgerError, match="there is no home folder for a ledger; name a file with --ledger"):
        Ledger()
    told: list[LedgerError] = []
    with LenientLedger(on_trouble=told.append) as ledger:
        assert run_job(ledger, ledger.add(SMALL).id, Serial()) == 352
    assert len(told) == 1


def test_two_results_of_one_unit_stop_a_count_all_the_same(tmp_path: Path) -> None:
    with LenientLedger(tmp_path / "ledger.sqlite", on_trouble=lambda _: pytest.fail("the ledger is whole")) as ledger:
        job = ledger.add(SMALL).id
        ledger.record(job, [Outcome(0, "1")])
        with pytest.raises(Conflict, match="counted twice"):
            ledger.record(job, [Outcome(0, "2")])


def test_a_damaged_answer_of_an_unnamed_ledger_is_counted_anew(tmp_path: Path) -> None:
    path, told = tmp_path / "ledger.sqlite", list[LedgerError]()
    with Ledger(path) as ledger:
        run_job(ledger, ledger.add(SMALL).id, Serial())
    altered(path, "UPDATE unit SET result = '99' WHERE number = 3")
    with LenientLedger(path, on_trouble=told.append) as ledger:
        assert ledger.find(SMALL) is None
        assert "unit 3 does not fit" in str(told[0])
        assert run_job(ledger, ledger.add(SMALL).id, Serial()) == 352


# --- damaged jobs beside sound ones -----------------------------------------------------------------------


def altered(path: Path, statement: str, *values: object) -> None:
    with closing(sqlite3.connect(path)) as raw, raw:
        raw.execute(statement, values)


DAMAGE = {
    "id": ["x'ff'", "7", "x'3132333435363738'", "'../../..'", "CAST(x'ff31' AS TEXT)", "char(27) || '[2J'"],
    "key": ["x'ff'", "''", "'0000000000000000'", "CAST(x'ff' AS TEXT)", "7"],
    "spec": ["x'ff'", "7", "'{}'", "'[]'", "'[' || hex(zeroblob(50000))", "CAST(x'7bff7d' AS TEXT)", "spec || ' '"],
    "checksum": ["''", "x'00'", "7", "CAST(x'ff' AS TEXT)"],
    "package": ["x'ff'", "7.5", "CAST(x'ff' AS TEXT)"],
    "state": ["'opem'", "''", "x'6f70656e'", "7", "CAST(x'ff' AS TEXT)"],
    "problem": ["x'ff'", "CAST(x'ff' AS TEXT)"],
    "created": ["'x'", "9e999", "-9e999", "-1.0", "1e300", "x'00'", "CAST(x'ff' AS TEXT)"],
    "changed": ["'x'", "9e999", "-1.0", "1e18"],
    "beat": ["'x'", "9e999", "-1.0", "1e18"],
}


@pytest.fixture(scope="module")
def two_jobs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str, str]:
    path = tmp_path_factory.mktemp("ledgers") / "ledger.sqlite"
    with Ledger(path) as ledger:
        good, bad = ledger.add(OTHER).id, ledger.add(SMALL).id
        assert run_job(ledger, good, Serial()) == 92
        ledger.record(bad, [Outcome(0, "7")])
    return path, good, bad


@pytest.mark.parametrize("column", DAMAGE)
def test_a_damaged_job_does_not_hide_the_others(tmp_path: Path, two_jobs: tuple[Path, str, str], column: str) -> None:
    source, good, bad = two_jobs
    for number, value in enumerate(DAMAGE[column]):
        path = tmp_path / f"{number}.sqlite"
        shutil.copy(source, path)
        # Columns are typed only by affinity, so a text can be put where it could not be inserted as it is.
        altered(path, f"UPDATE job SET {column} = {value} WHERE id = ?", bad)  # noqa: S608 - a test's own
        with Ledger(path) as ledger:
            assert [job.id for job in ledger.jobs()] == [good], value
            [damaged] = [job for job in ledger.entries() if isinstance(job, DamagedJob)]
            assert damaged.problem.isprintable()
            assert damaged.id.isalnum() or damaged.id.startswith("damaged-")
            assert ledger.total(ledger.job(good[:5]).id) == 92
            assert ledger.find(OTHER) == ledger.add(OTHER) == ledger.job(good)
            with pytest.raises(LedgerError, match=f"damaged: job {damaged.id}: .*jobs remove {damaged.id}"):
                ledger.job(damaged.id)
            assert ledger.find(SMALL) is None
            assert run_job(ledger, ledger.add(SMALL).id, Serial()) == 352, "a new job stands beside the damaged one"
            assert ledger.remove(damaged.id)
            assert len(ledger.entries()) == 2
            with pytest.raises(NoSuchJob):
                ledger.job(damaged.id)


def respecified(path: Path, job: str, **changes: object) -> None:
    """Change the specification of a job, with a checksum that fits."""
    with Ledger(path) as ledger:
        found = ledger.job(job)
        spec = replace(found.spec, **changes)  # type: ignore[arg-type]  # values that cannot be
        text = spec.to_json()
        checksum = rows.job_checksum(job, spec.key, text, found.package, found.created)
    altered(path, "UPDATE job SET key = ?, spec = ?, checksum = ? WHERE id = ?", spec.key, text, checksum, job)


WRONG_PARTS: tuple[dict[str, object], ...] = (
    {"rows": "9"},
    {"rows": -1},
    {"holes": None},
    {"holes": [None]},
    {"holes": [[1]]},
    {"wrap": {}},
    {"queens": 9.5},
    {"placed": "a1"},
    {"symmetry": 90},
    {"up_to_symmetry": None},
    {"more": 1},
)


@pytest.mark.parametrize(
    "changes",
    [
        *({"kind": "bishops"}, {"what": 7}, {"units": 0}, {"units": 10**12}, {"divisor": 0}, {"asked": {}}),
        *({"asked": dict(SMALL.asked) | change} for change in WRONG_PARTS),
    ],
    ids=canonical,
)
def test_specifications_of_the_wrong_shape_are_damage(
    tmp_path: Path, two_jobs: tuple[Path, str, str], changes: dict[str, object]
) -> None:
    source, good, bad = two_jobs
    path = tmp_path / "ledger.sqlite"
    shutil.copy(source, path)
    respecified(path, bad, **changes)
    with Ledger(path) as ledger:
        one, two = ledger.entries()
        assert isinstance(one, Job)
        assert isinstance(two, DamagedJob)
        assert (one.id, two.id) == (good, bad)


@pytest.mark.parametrize(
    "change",
    [
        *("number = -1", "number = 3", "number = 'x'", "number = 1.5", "number = x'00'", f"number = {1 << 62}"),
        *("calls = -1", "calls = calls + 1", "calls = 9e999", "calls = CAST(x'ff' AS TEXT)"),
        *("seconds = 9e999", "seconds = -1.0", "seconds = seconds + 1", "recorded = recorded + 1", "recorded = 'x'"),
        *("worker = worker || 'x'", "worker = CAST(x'ff' AS TEXT)", "worker = 7", "result = CAST(x'ff' AS TEXT)"),
        *("result = result || x'00'", "result = '٣'", "result = ' ' || result", "residue = residue + 0.5"),
    ],
)
def test_every_column_of_a_unit_is_checked(tmp_path: Path, two_jobs: tuple[Path, str, str], change: str) -> None:
    source, good, bad = two_jobs
    path = tmp_path / "ledger.sqlite"
    shutil.copy(source, path)
    altered(path, f"UPDATE unit SET {change} WHERE job = ? AND number = 2", good)  # noqa: S608 - a test's own
    with Ledger(path) as ledger:
        with pytest.raises(LedgerError, match=f"damaged: job {good}: .*jobs remove {good}") as caught:
            ledger.total(good)
        assert "\n" not in str(caught.value)
        assert [job.id for job in ledger.jobs()] == [good, bad]


def test_a_unit_of_another_cut_does_not_fit(tmp_path: Path) -> None:
    path = tmp_path / "ledger.sqlite"
    with Ledger(path) as ledger:
        job = ledger.add(SMALL).id
        ledger.record(job, [Outcome(0, "7")])
        [unit] = ledger._connection.execute("SELECT * FROM unit").fetchall()
        ledger.remove(job)
        assert ledger.add(replace(SMALL, units=5)).id == job, "the same count has the same name"
    altered(path, "INSERT INTO unit VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", *unit)
    with Ledger(path) as ledger, pytest.raises(LedgerError, match="unit 0 does not fit"):
        ledger.outcomes(job)


def test_units_that_are_there_twice_do_not_make_up_for_missing_ones(tmp_path: Path) -> None:
    with Ledger(tmp_path / "ledger.sqlite") as ledger:
        job = ledger.add(OTHER).id
        seal = ledger._seal(job) or ""
        units = [rows.unit_values(job, seal, Outcome(unit, "1"), 1.0)[1:] for unit in (0, 1, 1)]
        with pytest.raises(LedgerError, match="unit 1 is out of order, or there twice"):
            rows.outcomes_of(ledger.path, job, seal, units)


def test_a_done_job_that_lacks_a_unit_counts_that_unit_again(tmp_path: Path, two_jobs: tuple[Path, str, str]) -> None:
    source, good, _ = two_jobs
    path = tmp_path / "ledger.sqlite"
    shutil.copy(source, path)
    altered(path, "DELETE FROM unit WHERE job = ? AND number = 1", good)
    with Ledger(path) as ledger:
        job = ledger.job(good)
        assert (job.state, job.done) == ("open", 2)
        assert run_job(ledger, good, Serial()) == 92
        assert ledger.job(good).state == "done"


@pytest.mark.parametrize(
    "change", ["number = -1.5", "times = 'x'", "times = x'ff'", "error = x'ff'", "error = CAST(x'ff' AS TEXT)"]
)
def test_a_damaged_failure_is_told_and_can_be_counted_over(tmp_path: Path, change: str) -> None:
    path = tmp_path / "ledger.sqlite"
    with Ledger(path) as ledger:
        job = ledger.add(SMALL).id
        ledger.failed(job, 0, "lost")
    altered(path, f"UPDATE failure SET {change}")  # noqa: S608 - a test's own
    with Ledger(path) as ledger:
        with pytest.raises(LedgerError, match="of a unit that failed is damaged"):
            ledger.failures(job)
        assert ledger.failed(job, 0, "lost") in (1, 2)
        assert run_job(ledger, job, Serial()) == 352


# --- older files ------------------------------------------------------------------------------------------


def test_a_ledger_of_table_version_1_is_read_and_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "ledger-1.sqlite"
    shutil.copy(DATA / path.name, path)
    with closing(sqlite3.connect(path)) as raw:
        assert raw.execute("PRAGMA user_version").fetchone() == (1,)
    with Ledger(path) as ledger:
        done, begun = ledger.jobs()
        assert (done.state, ledger.total(done.id)) == ("done", 92)
        assert (begun.state, begun.done, begun.spec.units) == ("open", 2, 4)
        assert run_job(ledger, begun.id, Serial()) == 352
    assert storage._marks(path) == (storage.APPLICATION, storage.SCHEMA)
    with Ledger(path) as ledger:
        assert [ledger.total(job.id) for job in ledger.jobs()] == [92, 352]
    altered(path, "UPDATE unit SET result = '8' WHERE job = ? AND number = 0", done.id)
    with Ledger(path) as ledger, pytest.raises(LedgerError, match="unit 0 does not fit"):
        ledger.total(done.id)


def test_notes_of_version_1_are_read_and_get_checksums(tmp_path: Path) -> None:
    path = tmp_path / "ledger-1.sqlite"
    shutil.copy(notes_path(DATA / path.name), tmp_path)
    for _ in range(2):
        with closing(Notes(path)) as notes:
            [note] = notes.all().values()
            assert note is not None
            assert (note["state"], note["count"]) == ("done", "4")
    altered(notes_path(path), 'UPDATE count SET content = replace(content, \'"count": "4"\', \'"count": "5"\')')
    with closing(Notes(path)) as notes:
        assert notes.all() == {1: None}


def test_a_damaged_note_does_not_hide_the_others(tmp_path: Path) -> None:
    path = tmp_path / "ledger.sqlite"
    with closing(Notes(path)) as notes:
        for number in range(5):
            notes.add({"count": str(number)})
    for number, value in enumerate(("x'ff'", "'[]'", "CAST(x'ff' AS TEXT)", "replace(content, '3', '8')"), 1):
        altered(notes_path(path), f"UPDATE count SET content = {value} WHERE number = ?", number)  # noqa: S608 - a test's own
    with closing(Notes(path)) as notes:
        assert notes.all() == {1: None, 2: None, 3: None, 4: None, 5: {"count": "4"}}
        notes.remove(2)
        assert list(notes.all()) == [1, 3, 4, 5]


def test_notes_that_cannot_be_written_to_are_read(folder: Path) -> None:
    path = folder / "ledger.sqlite"
    with closing(Notes(path)) as notes:
        notes.add({"count": "7"})
    notes_path(path).chmod(0o444)
    folder.chmod(0o555)
    script = """
import sys
from pathlib import Path
from backrank.jobs import LedgerError
from backrank.web.counts.notes import Notes
for name in ("ledger.sqlite", "other.sqlite"):
    notes = Notes(Path(sys.argv[1]) / name)
    print(notes.all())
    try:
        notes.add({})
    except LedgerError as error:
        print(error)
"""
    done = bound(script, folder)
    assert done.stderr == ""
    one, why, other, too = done.stdout.splitlines()
    assert (one, other) == ("{1: {'count': '7'}}", "{}")
    assert "cannot be" in why
    assert "cannot be" in too


def test_specifications_of_other_kinds_are_read_back(two_jobs: tuple[Path, str, str]) -> None:
    path, good, _ = two_jobs
    with Ledger(path) as ledger:
        assert JobSpec.from_json(ledger.job(good).spec.to_json()) == OTHER
