"""Counts that outlive the server: kept in the ledger, shared with the command line."""

from __future__ import annotations

import json
import sqlite3
import subprocess
from collections.abc import Callable
from contextlib import AbstractContextManager, closing
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest

from backrank import KnightTours, Queens
from backrank.geometry.pieces import KNIGHT
from backrank.jobs import Ledger, LedgerError, tours_job
from backrank.jobs.tours import layers_path
from backrank.tours.spec import TourSpec
from backrank.web.counts.notes import Notes, notes_path
from web_asking import QUEENS, TOUR, settled
from web_ledgers import UNITS, begun, lasting, reached, until

pytest_plugins = ["web_server"]

# SQLite's locks are those of a process: a server that shares a ledger with a test has one of its own.
Inside = Callable[..., subprocess.CompletedProcess[str]]
Serving = Callable[..., AbstractContextManager[str]]
Killable = Callable[..., AbstractContextManager[tuple[str, subprocess.Popen[str]]]]
LONG: dict[str, Any] = {"puzzle": {**QUEENS, "board": "22x22"}}  # hours


def client_of(url: str) -> httpx.Client:
    return httpx.Client(base_url=url, timeout=60)


def count(client: httpx.Client, body: dict[str, Any], status: int = 201) -> str:
    answer = client.post("/api/counts", json=body)
    assert answer.status_code == status, answer.text
    return str(answer.json()["id"])


def altered(path: Path, statement: str, *values: object) -> None:
    with closing(sqlite3.connect(path)) as raw, raw:
        raw.execute(statement, values)


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    return tmp_path / "ledger.sqlite"


def test_a_count_survives_that_the_server_is_killed(killable: Killable, ledger: Path) -> None:
    queens = lasting()
    job = begun(ledger, queens, UNITS)
    with Ledger(ledger) as book:
        method = book.job(job).spec.method  # said, it is a count of the page's own
    with killable("--ledger", str(ledger)) as (url, process), client_of(url) as client:
        body = {"puzzle": {**QUEENS, "board": f"{queens}x{queens}"}, "method": method}
        name = count(client, body)
        before = until(client, name, lambda told: bool(told["units"] and told["units"]["done"]))
        assert (before["job"], before["state"]) == (job, "running")
        process.kill()
        process.wait()
    with killable("--ledger", str(ledger)) as (url, _), client_of(url) as client:
        (told,) = client.get("/api/counts").json()["jobs"]
        assert (told["id"], told["state"], told["origin"], told["count"]) == (name, "paused", "page", None)
        assert before["units"]["done"] <= told["units"]["done"] < UNITS
        assert told["fraction"] >= before["fraction"]
        assert client.post(f"/api/counts/{name}/resume").json()["state"] in ("waiting", "running")
        done = until(client, name, reached("done"))
    assert done["count"] == str(Queens(queens).count())
    assert done["units"]["done"] == UNITS
    with killable("--ledger", str(ledger)) as (url, _), client_of(url) as client:
        (told,) = client.get("/api/counts").json()["jobs"]
        same = (
            "id",
            "what",
            "puzzle",
            "options",
            "origin",
            "job",
            "created",
            "seconds",
            "fraction",
            "count",
            "problem",
        )
        assert {key: told[key] for key in same} == {key: done[key] for key in same}


def test_percent_only_grows(killable: Killable, ledger: Path) -> None:
    begun(ledger, 15, 60, done=20)
    with killable("--ledger", str(ledger)) as (url, _), client_of(url) as client:
        fractions: list[float] = []
        name = count(client, {"puzzle": {**QUEENS, "board": "15x15"}}, 200)
        with client.stream("GET", f"/api/counts/events?job={name}") as stream:
            for line in stream.iter_lines():
                if line.startswith("data: "):
                    told = json.loads(line.removeprefix("data: "))
                    fractions += [told["fraction"]] if told["fraction"] is not None else []
                    if told["state"] == "done":
                        break
    assert fractions[0] >= 0.333
    assert fractions == sorted(fractions)
    assert told["count"] == str(Queens(15).count())
    assert told["units"] == {"total": 60, "done": 60, "failed": 0, "retried": 0, "rate": told["units"]["rate"]}


def test_short_counts_are_there_again(server_with: Serving, ledger: Path) -> None:
    bodies: list[tuple[dict[str, Any], str, str | None]] = [
        ({"puzzle": QUEENS, "up_to_symmetry": True}, "done", "12"),
        ({"puzzle": {**TOUR, "board": "5x5"}, "symmetry": "180"}, "done", str(KnightTours(5).count(symmetry="180"))),
        ({"puzzle": {**TOUR, "board": "60x60"}}, "failed", None),
    ]
    with server_with(ledger=ledger) as url, client_of(url) as client:
        before = [settled(client, count(client, body)) for body, *_ in bodies]
        assert [(told["state"], told["count"]) for told in before] == [(state, number) for _, state, number in bodies]
    with server_with(ledger=ledger) as url, client_of(url) as client:
        again = client.get("/api/counts").json()
        assert again["ledger"] == {"path": str(ledger), "kept": True, "problem": None}
        for told, old in zip(reversed(again["jobs"]), before, strict=True):
            same = ("id", "what", "puzzle", "options", "state", "count", "created", "seconds", "problem", "job")
            assert {key: told[key] for key in same} == {key: old[key] for key in same}
        for told in again["jobs"]:
            assert client.delete(f"/api/counts/{told['id']}").status_code == 204
    with server_with(ledger=ledger) as url, client_of(url) as client:
        assert client.get("/api/counts").json()["jobs"] == []


def test_what_was_waiting_or_at_work_is_paused(server_with: Serving, ledger: Path) -> None:
    with server_with(ledger=ledger, count_workers=1) as url, client_of(url) as client:
        long, short = count(client, LONG), count(client, {"puzzle": QUEENS})
        until(client, long, lambda told: told["job"] is not None)
        assert client.get(f"/api/counts/{short}").json()["state"] == "waiting"
    with server_with(ledger=ledger) as url, client_of(url) as client:
        assert {each["id"]: each["state"] for each in client.get("/api/counts").json()["jobs"]} == {
            long: "paused",
            short: "paused",
        }
        assert count(client, {"puzzle": QUEENS}, 200) == short  # the same question goes on
        assert settled(client, short)["count"] == "92"
        assert client.post(f"/api/counts/{short}/resume").json()["state"] == "done"


def test_jobs_of_the_command_line(killable: Killable, inside: Inside, ledger: Path) -> None:
    done = inside("count", "queens", "9", "--units", "3", "--ledger", str(ledger), "--json", "-q")
    half, cut = begun(ledger, 12, 8, done=3), begun(ledger, 22, 500)
    with killable("--ledger", str(ledger)) as (url, _), client_of(url) as client:
        told = {each["job"]: each for each in client.get("/api/counts").json()["jobs"]}
        nine = told.pop(json.loads(done.stdout)["job"])
        assert (nine["state"], nine["count"], nine["origin"]) == ("done", "352", "command")
        assert (told[half]["state"], told[half]["origin"], told[half]["fraction"]) == ("paused", "command", 3 / 8)
        assert told[half]["units"]["done"] == 3
        name = told[half]["id"]
        client.post(f"/api/counts/{name}/resume")
        assert settled(client, name)["count"] == str(Queens(12).count())
        shown = json.loads(inside("jobs", "show", half, "--ledger", str(ledger), "--json").stdout)
        assert (shown["state"], shown["answer"], shown["done"]) == ("done", str(Queens(12).count()), 8)
        name = told[cut]["id"]
        assert client.post(f"/api/counts/{name}/cancel").json()["state"] == "cancelled"
        assert "cancelled" in inside("jobs", "show", cut, "--ledger", str(ledger)).stdout
        assert client.delete(f"/api/counts/{name}").status_code == 204
        assert client.get(f"/api/counts/{name}").status_code == 404
        assert inside("jobs", "show", cut, "--ledger", str(ledger)).returncode == 2


def test_the_command_line_cancels_and_removes_what_the_page_counts(killable: Killable, ledger: Path) -> None:
    with killable("--ledger", str(ledger)) as (url, _), client_of(url) as client:
        name = count(client, LONG)
        job = until(client, name, lambda told: told["job"] is not None)["job"]
        with Ledger(ledger) as book:
            assert book.job(job).spec.units > 1
            until(client, name, lambda _: book.job(job).is_running)
            book.cancel(job)
            until(client, name, reached("cancelled"))
            client.post(f"/api/counts/{name}/resume")
            until(client, name, lambda told: told["state"] == "running" and book.job(job).is_running)
            book.remove(job)
            until(client, name, lambda told: told.get("type") == "/problems/not-found")
    with sqlite3.connect(notes_path(ledger)) as connection:
        assert connection.execute("SELECT count(*) FROM count").fetchone() == (0,)


def test_cancelling_in_the_page_reaches_the_ledger_at_once(killable: Killable, ledger: Path) -> None:
    with killable("--ledger", str(ledger)) as (url, _), client_of(url) as client:
        name = count(client, LONG)
        job = until(client, name, lambda told: bool(told["units"]))["job"]
        assert client.post(f"/api/counts/{name}/cancel").json()["state"] == "cancelled"
        with Ledger(ledger) as book:
            assert (book.job(job).state, book.job(job).is_running) == ("cancelled", False)
        told = client.get(f"/api/counts/{name}").json()
        assert (told["state"], told["left"], told["problem"]) == ("cancelled", None, None)
    with killable("--ledger", str(ledger)) as (url, _), client_of(url) as client:
        assert client.get(f"/api/counts/{name}").json()["state"] == "cancelled"


def test_an_answer_that_is_there_is_not_counted_again(killable: Killable, ledger: Path) -> None:
    begun(ledger, 22, 500)
    job = begun(ledger, 12, 5, done=5)
    with killable("--ledger", str(ledger)) as (url, _), client_of(url) as client:
        names = []
        for recorded in (False, True):
            names.append(count(client, {"puzzle": {**QUEENS, "board": "12x12"}}, 201 if recorded else 200))
            told = settled(client, names[-1])
            assert (told["count"], told["job"], told["recorded"]) == (str(Queens(12).count()), job, recorded)
        listed = [each["id"] for each in client.get("/api/counts").json()["jobs"]]
        assert names[1] in listed
        until(client, names[0], lambda told: told.get("type") == "/problems/not-found")  # one entry for each job
        assert len(client.get("/api/counts").json()["jobs"]) == 2


def test_tours_are_jobs_too_and_go_with_their_layers(killable: Killable, ledger: Path) -> None:
    puzzle = KnightTours(6, closed=True)
    with Ledger(ledger) as book:
        question = TourSpec(puzzle.board, KNIGHT, True, None, None)
        job = book.add(tours_job(question, directed=False)).id
        kept = layers_path(ledger, job)
    with killable("--ledger", str(ledger)) as (url, _), client_of(url) as client:
        name = f"j{job}"
        assert client.get(f"/api/counts/{name}").json()["what"] == "undirected closed tours on 6x6"
        client.post(f"/api/counts/{name}/resume")
        assert settled(client, name)["count"] == str(puzzle.count())
        kept.mkdir(parents=True)
        (kept / "layer-7.npy").write_bytes(b"large")
        client.delete(f"/api/counts/{name}")
        assert not kept.exists()


def test_a_worker_that_dies_pauses_its_job(killable: Killable, ledger: Path) -> None:
    with killable("--ledger", str(ledger)) as (url, process), client_of(url) as client:
        name = count(client, LONG)
        until(client, name, lambda told: bool(told["units"]))
        for child in psutil.Process(process.pid).children():
            child.kill()
        told = until(client, name, reached("paused"))
        assert told["problem"]["type"] == "/problems/out-of-memory"
        assert client.get(f"/api/counts/{name}").json()["problem"] == told["problem"]
        client.post(f"/api/counts/{name}/resume")
        assert until(client, name, reached("running"))["problem"] is None
        client.delete(f"/api/counts/{name}")


def test_streams_of_the_server_before_are_caught_up(server_with: Serving, ledger: Path) -> None:
    def first_events(url: str, last: str) -> list[tuple[str, Any]]:
        seen: list[tuple[str, Any]] = []
        with (
            client_of(url) as client,
            client.stream("GET", "/api/counts/events", headers={"Last-Event-ID": last}) as it,
        ):
            name = ""
            for line in it.iter_lines():
                kind, _, value = line.partition(": ")
                if kind == "event":
                    name = value
                elif kind == "data":
                    seen.append((name, json.loads(value)))
                    if len(seen) == 3:
                        return seen
        raise AssertionError("the stream ended")

    with server_with(ledger=ledger) as url, client_of(url) as client:
        name = count(client, {"puzzle": QUEENS})
        last = str(settled(client, name)["version"])
    with server_with(ledger=ledger) as url:
        (present, ids), (kept, where), (job, told) = first_events(url, last)
        assert (present, ids) == ("present", {"ids": [name]})
        assert (kept, where["path"]) == ("ledger", str(ledger))
        assert (job, told["id"], told["count"]) == ("job", name, "92")
        assert told["version"] > int(last)


def test_without_a_ledger_nothing_is_kept(client: httpx.Client) -> None:
    told = client.get("/api/counts").json()
    assert told["ledger"] == {"path": None, "kept": False, "problem": None}


def test_if_the_usual_ledger_cannot_be_used_counts_go_on(
    killable: Killable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("BACKRANK_LEDGER", raising=False)
    (tmp_path / "backrank").write_text("in the way")
    remarks: list[str] = []
    with (
        killable(remarks=remarks, XDG_DATA_HOME=str(tmp_path)) as (url, _),
        client_of(url) as client,
    ):
        assert settled(client, count(client, {"puzzle": QUEENS}))["count"] == "92"
        told = client.get("/api/counts").json()
        assert told["ledger"]["kept"] is False
        problem = told["ledger"]["problem"]
        assert problem["type"] == "/problems/ledger-error"
        assert [each["count"] for each in told["jobs"]] == ["92"]
    assert remarks[0] == f"{problem['detail']}; counts go on, but are not kept"


def test_a_damaged_job_is_listed_and_hides_no_other(killable: Killable, inside: Inside, ledger: Path) -> None:
    job, other = begun(ledger, 10, 4), begun(ledger, 12, 8, done=2)
    with killable("--ledger", str(ledger)) as (url, _), client_of(url) as client:
        assert {each["state"] for each in client.get("/api/counts").json()["jobs"]} == {"paused"}
        altered(ledger, "UPDATE job SET checksum = 'none' WHERE id = ?", job)
        told = client.get("/api/counts").json()
        assert told["ledger"] == {"path": str(ledger), "kept": True, "problem": None}
        states = {each["job"]: each["state"] for each in told["jobs"]}
        assert states == {job: "failed", other: "paused"}
        [damaged] = [each for each in told["jobs"] if each["job"] == job]
        assert "its checksum does not fit" in damaged["problem"]["detail"]
        assert client.post(f"/api/counts/{damaged['id']}/resume").status_code < 500
    with killable("--ledger", str(ledger)) as (url, _), client_of(url) as client:
        told = client.get("/api/counts").json()
        [damaged] = [each for each in told["jobs"] if each["job"] == job]
        assert (damaged["state"], damaged["puzzle"]["kind"]) == ("failed", "unknown")
        assert client.delete(f"/api/counts/{damaged['id']}").status_code == 204
        assert [each["job"] for each in client.get("/api/counts").json()["jobs"]] == [other]
    assert job not in inside("jobs", "--ledger", str(ledger)).stdout


def test_a_damaged_note_is_listed_and_can_be_removed(server_with: Serving, ledger: Path) -> None:
    with server_with(ledger=ledger) as url, client_of(url) as client:
        for rows in (6, 7):
            settled(client, count(client, {"puzzle": {**QUEENS, "board": f"{rows}x{rows}"}}))
    altered(notes_path(ledger), "UPDATE count SET content = replace(content, '\"4\"', '\"5\"') WHERE number = 1")
    with server_with(ledger=ledger) as url, client_of(url) as client:
        damaged, whole = sorted(client.get("/api/counts").json()["jobs"], key=lambda told: told["id"])
        assert (whole["state"], whole["count"]) == ("done", "40")
        assert (damaged["state"], damaged["count"]) == ("failed", None)
        assert "does not fit its checksum" in damaged["problem"]["detail"]
        assert client.delete(f"/api/counts/{damaged['id']}").status_code == 204
    with server_with(ledger=ledger) as url, client_of(url) as client:
        assert [each["count"] for each in client.get("/api/counts").json()["jobs"]] == ["40"]


def test_what_is_recorded_on_a_full_disk_is_listed(
    server_with: Serving, ledger: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = begun(ledger, 12, 8, done=2)
    with server_with(ledger=ledger) as url, client_of(url) as client:
        settled(client, count(client, {"puzzle": QUEENS}))

    def full(*_: object) -> None:
        error = sqlite3.OperationalError("database or disk is full")
        error.sqlite_errorcode = sqlite3.SQLITE_FULL
        raise error

    monkeypatch.setattr("backrank.jobs.storage._prepare", full)
    monkeypatch.setattr("backrank.web.counts.notes.Notes._prepare", full)
    with server_with(ledger=ledger) as url, client_of(url) as client:
        told = client.get("/api/counts").json()
        assert {(each["job"], each["state"], each["count"]) for each in told["jobs"]} == {
            (job, "paused", None),
            (None, "done", "92"),
        }
        assert told["ledger"]["kept"] is False
        assert "the disk is full" in told["ledger"]["problem"]["detail"]


def test_notes_of_others_are_left_alone(tmp_path: Path) -> None:
    for words, statements in (
        ("another application's database", ["CREATE TABLE other (a)"]),
        (
            "a newer backrank",
            [f"PRAGMA application_id = {0x6272706E}", "CREATE TABLE count (a)", "PRAGMA user_version = 9"],
        ),
    ):
        path = tmp_path / f"{len(words)}.sqlite"
        with sqlite3.connect(notes_path(path)) as connection:
            for statement in statements:
                connection.execute(statement)
        before = notes_path(path).read_bytes()
        with pytest.raises(LedgerError, match=words):
            Notes(path)
        assert notes_path(path).read_bytes() == before
    path = tmp_path / "text.sqlite"
    notes_path(path).write_text("no database at all, but long enough for one" * 50)
    with pytest.raises(LedgerError, match="it is damaged; it is left as it is"):
        Notes(path)


def test_resuming_keeps_the_limits(server_with: Serving, ledger: Path) -> None:
    with server_with(ledger=ledger, count_workers=1, count_jobs=1) as url, client_of(url) as client:
        first = count(client, LONG)
        client.post(f"/api/counts/{first}/cancel")
        second = count(client, {"puzzle": {**QUEENS, "board": "21x21"}})
        answer = client.post(f"/api/counts/{first}/resume")
        assert (answer.status_code, answer.json()["type"]) == (429, "/problems/too-many")
        client.delete(f"/api/counts/{second}")
