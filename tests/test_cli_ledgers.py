"""`backrank jobs` and `backrank count` with ledgers that are damaged, or cannot be used."""

from __future__ import annotations

import json
import sqlite3
import subprocess
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from backrank import Queens
from backrank.jobs import Ledger, LedgerError, Serial, run_job
from backrank.jobs.queens import outline
from backrank.queens.counting.plan import plan
from backrank.queens.counting.spec import QueensCountSpec

Run = Callable[..., subprocess.CompletedProcess[str]]
KEPT_NOT = "; the count goes on, but is not kept\n"


@pytest.fixture
def unnamed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the ledger is that was not named."""
    monkeypatch.delenv("BACKRANK_LEDGER", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return tmp_path / "backrank" / "ledger.sqlite"


def two_jobs(path: Path) -> tuple[str, str]:
    """Put a done job and a begun one into a ledger, and return their ids."""
    with Ledger(path) as ledger:
        specs = [outline(plan(Queens(size).spec, QueensCountSpec(method="columnsets"))) for size in (8, 9)]
        done, begun = (ledger.add(replace(spec, units=3, parts=400)).id for spec in specs)
        run_job(ledger, done, Serial())
    return done, begun


def test_damaged_jobs_are_listed_beside_the_others(inside: Run, unnamed: Path) -> None:
    done, begun = two_jobs(unnamed)
    with closing(sqlite3.connect(unnamed)) as raw, raw:
        raw.execute("UPDATE job SET state = 'opem' WHERE id = ?", (begun,))
    listed = inside("jobs")
    assert listed.returncode == 0
    good, bad = listed.stdout.splitlines()
    assert good.startswith(f"{done}  done ")
    assert bad.startswith(f"{begun}  damaged    its state is unknown")
    assert bad.endswith(f"'backrank jobs remove {begun}' takes it out, to be counted anew")
    [remark] = listed.stderr.splitlines()
    assert remark.startswith(f"job {begun} is damaged: its state is unknown")
    one, two = map(json.loads, inside("jobs", "--json").stdout.splitlines())
    assert (one["id"], one["state"], two["id"], two["state"]) == (done, "done", begun, "damaged")
    assert one.keys() == two.keys()
    for words in (("show", begun), ("resume", begun[:6]), ("cancel", begun)):
        refused = inside("jobs", *words)
        assert (refused.returncode, refused.stdout, refused.stderr.count("\n")) == (2, "", 1)
        assert f"damaged: job {begun}: its state is unknown" in refused.stderr
    assert inside("jobs", "resume", done[:6], "-q").stdout == "92\n"
    assert inside("jobs", "remove", begun[:6]).returncode == 0
    assert [json.loads(line)["id"] for line in inside("jobs", "--json").stdout.splitlines()] == [done]


WAYS = (
    "queens 9 --method columnsets --units 3",
    "queens 9 --executor serial",
    "queens 9 --executor threads --workers 2 --units 4",
    "queens 9 --again",
    "tours 5x6 --closed --again",
)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", ["folder", "foreign", "no folder"])
def test_an_unnamed_ledger_that_cannot_be_used_is_one_remark(inside: Run, unnamed: Path, kind: str, way: str) -> None:
    if kind == "folder":
        unnamed.mkdir(parents=True)
    elif kind == "foreign":
        unnamed.parent.mkdir()
        unnamed.write_text("a letter")
    else:
        unnamed.parent.write_text("in the way")
    done = inside("count", *way.split(), "-q")
    assert (done.returncode, done.stdout) == (0, "352\n" if "queens" in way else "8\n")
    assert done.stderr.count(KEPT_NOT) == done.stderr.count("\n") == 1
    told = inside("count", *way.split(), "--json")
    assert "job" not in json.loads(told.stdout)
    named = inside("count", *way.split(), "-q", "--ledger", str(unnamed))
    assert (named.returncode, named.stdout, named.stderr.count("\n")) == (2, "", 1)


def test_an_unnamed_ledger_that_fails_while_it_is_written_is_one_remark(
    inside: Run, unnamed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorded, calls = Ledger.record, 0

    def failing(ledger: Ledger, *values: object) -> int:
        nonlocal calls
        if type(ledger) is Ledger and (calls := calls + 1) > 2:
            raise LedgerError(f"the ledger {ledger.path}: the disk is full; make room, and resume the job")
        return recorded(ledger, *values)  # type: ignore[arg-type]  # as it was called

    monkeypatch.setattr(Ledger, "record", failing)
    words = ("count", "queens", "9", "--method", "columnsets", "--units", "5", "--executor", "serial")
    done = inside(*words)
    assert (done.returncode, done.stdout) == (0, "352 placements of 9 queens on 9x9\n")
    assert done.stderr.count("the disk is full") == done.stderr.count(KEPT_NOT) == 1
    calls = 0
    named = inside(*words, "--ledger", str(unnamed.with_name("named.sqlite")))
    assert (named.returncode, named.stdout) == (2, "")
    assert named.stderr.splitlines()[-1].endswith("the disk is full; make room, and resume the job")
