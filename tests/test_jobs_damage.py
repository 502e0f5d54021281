"""Ledgers that are none, or newer, damaged, locked, on a full disk: told in one line, and nothing is lost."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from backrank import Queens
from backrank.jobs import DamagedJob, Ledger, LedgerError, Outcome, storage
from backrank.jobs.queens import outline
from backrank.jobs.spec import PRIME
from backrank.queens.counting.plan import plan
from backrank.queens.counting.spec import QueensCountSpec

SMALL = replace(outline(plan(Queens(9).spec, QueensCountSpec(method="columnsets"))), units=6, parts=400)


def refused(path: Path, words: str) -> None:
    """A file is refused in one line, and left as it is."""
    before = path.read_bytes()
    with pytest.raises(LedgerError, match=words) as caught:
        Ledger(path)
    assert "\n" not in str(caught.value)
    assert str(path) in str(caught.value)
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path], "nothing has been written beside it"


def test_files_of_others_are_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "file"
    for content in (b"hello", b"x" * 5000, b"SQLite format 3\0 but short"):
        path.write_bytes(content)
        refused(path, "not a ledger")
    path.unlink()
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE job (id TEXT)")
    other.close()
    refused(path, "another application's")
    with pytest.raises(LedgerError, match="is a folder; name a file in it"):
        Ledger(tmp_path)
    with pytest.raises(LedgerError):
        Ledger(path / "ledger.sqlite")


def test_a_newer_ledger_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "ledger.sqlite"
    Ledger(path).close()
    with sqlite3.connect(path) as raw:
        raw.execute(f"PRAGMA user_version = {storage.SCHEMA + 1}")
    raw.close()
    refused(path, "newer backrank")


def test_an_empty_file_becomes_a_ledger(tmp_path: Path) -> None:
    path = tmp_path / "ledger.sqlite"
    path.touch()
    with Ledger(path) as ledger:
        assert ledger.jobs() == []


def altered(path: Path, statement: str, *values: object) -> None:
    with sqlite3.connect(path) as raw:
        raw.execute(statement, values)
    raw.close()


@pytest.mark.parametrize(
    "change",
    [
        "result = '8'",
        "residue = 8",
        "result = '8', residue = 8",
        "checksum = ''",
        "number = 4",
        "result = 'x'",
        "result = x'37'",
        "residue = 'x'",
        "calls = 'x'",
        "seconds = 'x'",
        "seconds = 1e300",
        "worker = x'ff'",
    ],
)
def test_a_changed_unit_is_noticed(tmp_path: Path, change: str) -> None:
    path = tmp_path / "ledger.sqlite"
    with Ledger(path) as ledger:
        job = ledger.add(SMALL).id
        ledger.record(job, [Outcome(2, "7"), Outcome(3, str(PRIME + 7))])
    altered(path, f"UPDATE unit SET {change} WHERE number = 2")  # noqa: S608 - a test's own
    with Ledger(path) as ledger:
        with pytest.raises(LedgerError, match=rf"damaged.*unit [24] .*jobs remove {job}"):
            ledger.outcomes(job)
        with pytest.raises(LedgerError, match="damaged"):
            ledger.total(job)
        assert ledger.remove(job)


def test_a_changed_job_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "ledger.sqlite"
    with Ledger(path) as ledger:
        job = ledger.add(SMALL).id
    for spec in (SMALL.to_json().replace('"rows":9', '"rows":8'), "{}"):
        altered(path, "UPDATE job SET spec = ?", spec)
        with Ledger(path) as ledger, pytest.raises(LedgerError, match=f"damaged: job {job}"):
            ledger.job(job)
    with Ledger(path) as ledger:
        assert ledger.remove(job)


@pytest.mark.parametrize(
    "change",
    [
        "state = 'opem'",
        "created = 'x'",
        "changed = 1e300",
        "beat = -1.0",
        "package = x'ff'",
        "spec = x'ff'",
        "spec = 7",
    ],
)
def test_a_job_of_which_something_is_not_what_it_should_be(tmp_path: Path, change: str) -> None:
    path = tmp_path / "ledger.sqlite"
    with Ledger(path) as ledger:
        job = ledger.add(SMALL).id
    altered(path, f"UPDATE job SET {change}")  # noqa: S608 - a test's own
    with Ledger(path) as ledger:
        [damaged] = ledger.entries()
        assert isinstance(damaged, DamagedJob)
        assert (damaged.id, ledger.jobs()) == (job, [])
        with pytest.raises(LedgerError, match=f"damaged: job {job}: .*jobs remove {job}"):
            ledger.job(job)
        assert ledger.remove(job)
        assert ledger.entries() == []


@pytest.mark.parametrize("table", ["job", "unit"])
def test_a_ledger_with_a_damaged_list_of_tables_is_told_in_one_line_and_left_alone(tmp_path: Path, table: str) -> None:
    path = tmp_path / "ledger.sqlite"
    with Ledger(path) as ledger:
        job = ledger.add(SMALL).id
    for other in (b"k\xd2", b"kk"):  # what SQLite says about the first is no text
        content = path.read_bytes()
        path.write_bytes(
            content.replace(f"TABLE {table} (".encode(), b"TABLE " + other.ljust(len(table), b"k") + b" (")
        )
        damaged = path.read_bytes()
        assert damaged != content
        with pytest.raises(LedgerError, match=r"damaged") as caught, Ledger(path) as ledger:
            ledger.outcomes(ledger.job(job).id)
        assert "\n" not in str(caught.value)
        path.write_bytes(content)


def test_a_ledger_without_tables_is_not_filled_again(tmp_path: Path) -> None:
    path = tmp_path / "ledger.sqlite"
    Ledger(path).close()
    altered(path, "ALTER TABLE job RENAME TO jab")
    before = path.read_bytes()
    with pytest.raises(LedgerError, match="damaged; it is left as it is"):
        Ledger(path)
    assert path.read_bytes() == before


def test_no_room_for_the_index_of_the_log_is_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorcode = sqlite3.SQLITE_IOERR_SHMSIZE
    for free, words in ((0, "the disk is full"), (1 << 30, "reading or writing it failed")):
        monkeypatch.setattr("shutil.disk_usage", lambda _, free=free: SimpleNamespace(free=free))
        with pytest.raises(LedgerError, match=words), storage.told(tmp_path / "ledger.sqlite"):
            raise error


def test_a_ledger_with_a_hole_in_it_is_told_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "ledger.sqlite"
    with Ledger(path) as ledger:
        job = ledger.add(SMALL).id
        ledger.record(job, [Outcome(unit, "1" * 3000) for unit in range(6)])
    content = bytearray(path.read_bytes())
    content[4096:] = b"\xff" * (len(content) - 4096)
    path.write_bytes(content)
    with pytest.raises(LedgerError, match="damaged"), Ledger(path) as ledger:
        ledger.outcomes(job)
    assert path.read_bytes()[4096:] == content[4096:]


def test_a_locked_ledger_is_told_in_one_line(tmp_path: Path) -> None:
    with Ledger(tmp_path / "ledger.sqlite", busy_seconds=0.05) as ledger:
        job = ledger.add(SMALL).id
        other = sqlite3.connect(ledger.path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(LedgerError, match="locked by another program"):
            ledger.record(job, [Outcome(0, "1")])
        assert ledger.recorded(job) == set(), "reading goes on"
        other.execute("ROLLBACK")
        other.close()
        assert ledger.record(job, [Outcome(0, "1")]) == 1


def test_a_full_disk_and_a_read_only_file_lose_nothing(tmp_path: Path) -> None:
    with Ledger(tmp_path / "ledger.sqlite") as ledger:
        job = ledger.add(SMALL).id
        ledger.record(job, [Outcome(0, "1")])
        raw = ledger._connection
        [(pages,)] = raw.execute("PRAGMA page_count")
        raw.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(LedgerError, match="disk is full"):
            ledger.record(job, [Outcome(unit, "1" * 4000) for unit in range(1, 6)])
        assert ledger.recorded(job) == {0}
        raw.execute("PRAGMA max_page_count = 1000000")
        raw.execute("PRAGMA query_only = ON")
        with pytest.raises(LedgerError, match="cannot be written to"):
            ledger.record(job, [Outcome(1, "1")])
        raw.execute("PRAGMA query_only = OFF")
        assert ledger.record(job, [Outcome(1, "1")]) == 1
        assert ledger.recorded(job) == {0, 1}
