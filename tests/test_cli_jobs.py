"""`backrank count queens` as a job, and `backrank jobs`: killed, interrupted, resumed, by two at once, and told."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from backrank import KnightTours, Queens
from backrank.geometry.pieces import KNIGHT
from backrank.jobs import Job, Ledger, Outcome, counts, queens_job, tours_job
from backrank.jobs.spec import ALGORITHMS
from backrank.queens.counting.spec import QueensCountSpec
from backrank.tours.spec import TourSpec

Run = Callable[..., subprocess.CompletedProcess[str]]
ANSWER = 14_772_512  # of 16 queens
SENTENCE = f"{ANSWER} placements of 16 queens on 16x16\n"
SECONDS = 100.0


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the ledger is, for commands inside this process."""
    path = tmp_path / "book" / "ledger.sqlite"
    monkeypatch.setenv("BACKRANK_LEDGER", str(path))
    return path


@pytest.fixture
def begin(command: str, environment: dict[str, str], book: Path) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Start the command as a process of its own."""
    started: list[subprocess.Popen[str]] = []

    def start(*words: str) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [command, *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**environment, "BACKRANK_LEDGER": str(book)},
            start_new_session=True,
        )
        started.append(process)
        return process

    yield start
    for process in started:
        if process.poll() is None:
            process.kill()
        process.communicate()


def recorded(book: Path) -> dict[int, Outcome]:
    """What the only job of a ledger has recorded, every checksum looked at."""
    if not book.exists():
        return {}
    with Ledger(book) as ledger:
        jobs = ledger.jobs()
        return {outcome.unit: outcome for outcome in ledger.outcomes(jobs[0].id)} if jobs else {}


def jobs_of(book: Path) -> list[Job]:
    with Ledger(book) as ledger:
        return ledger.jobs()


def wait_for(book: Path, process: subprocess.Popen[str], units: int) -> None:
    """Wait until so many units are recorded, or the process has ended."""
    deadline = time.monotonic() + SECONDS
    while process.poll() is None and len(recorded(book)) < units:
        assert time.monotonic() < deadline
        time.sleep(0.005)


def ended(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    out, err = process.communicate(timeout=SECONDS)
    return process.returncode, out, err


def survives(
    begin: Callable[..., subprocess.Popen[str]], book: Path, words: tuple[str, ...], units: int, steps: int
) -> int:
    """Kill a count at random moments until it is done; return how often it was killed."""
    rng, before, kills = random.Random(7), dict[int, Outcome](), 0  # noqa: S311 - moments
    while True:
        process = begin("count", "queens", "16", "--units", str(units), *words)
        wait_for(book, process, len(before) + rng.randrange(1, 2 * steps))
        process.send_signal(signal.SIGKILL)
        code, out, _ = ended(process)
        now = recorded(book)
        assert {unit: now[unit] for unit in before} == before, "what was recorded has stayed"
        if code == 0:
            assert out == SENTENCE
            assert len(now) == units
            assert sum(int(outcome.result) for outcome in now.values()) == ANSWER
            return kills
        assert code == -signal.SIGKILL
        before, kills = now, kills + 1


@pytest.mark.parametrize("words", [(), ("--executor", "processes"), ("--executor", "serial")], ids=str)
def test_no_kill_loses_a_unit_or_counts_one_twice(
    begin: Callable[..., subprocess.Popen[str]], book: Path, words: tuple[str, ...]
) -> None:
    assert survives(begin, book, words, 400, 100) >= 2


@pytest.mark.deep
@pytest.mark.parametrize("words", [(), ("--executor", "processes"), ("--cluster", "local:2")], ids=str)
def test_no_number_of_kills_does(
    begin: Callable[..., subprocess.Popen[str]], book: Path, words: tuple[str, ...]
) -> None:
    assert survives(begin, book, words, 3000, 20) >= 20


def test_ctrl_c_records_says_how_to_go_on_and_leaves_with_130(
    begin: Callable[..., subprocess.Popen[str]], book: Path
) -> None:
    for executor in ("threads", "processes", "serial"):
        process = begin("count", "queens", "16", "--units", "3000", "--again", "--executor", executor)
        before = len(recorded(book))
        wait_for(book, process, before + 20)
        process.send_signal(signal.SIGINT)
        code, out, err = ended(process)
        assert (code, out) == (130, "")
        begun, stopped = err.splitlines()
        with Ledger(book) as ledger:
            [job] = ledger.jobs()
        assert job.id in begun
        assert stopped.startswith("backrank: stopped after")
        assert stopped.endswith(f"'backrank jobs resume {job.id}' goes on")
        assert f"{job.done:,} of 3,000 units" in stopped
        assert len(recorded(book)) >= before + 20
    code, out, err = ended(begin("count", "queens", "16", "--units", "3000"))
    assert (code, out) == (0, SENTENCE)
    assert "going on with job" in err


def test_a_second_ctrl_c_leaves_at_once_and_says_how_to_go_on(
    begin: Callable[..., subprocess.Popen[str]], book: Path
) -> None:
    process = begin("count", "queens", "20", "--units", "10", "--executor", "processes")
    deadline = time.monotonic() + SECONDS
    while not (book.exists() and any(job.is_running for job in jobs_of(book))):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    time.sleep(0.5)  # two signals that are too near to each other are one, which ends it as well
    process.send_signal(signal.SIGINT)
    code, out, err = ended(process)
    [job] = jobs_of(book)
    assert (code, out) == (130, "")
    assert err.splitlines()[-1].startswith("backrank: stopped")
    assert err.endswith(f"'backrank jobs resume {job.id}' goes on\n")
    assert not job.is_running


@pytest.mark.parametrize("words", [("--executor", "processes"), ("--cluster", "local:2")], ids=str)
def test_ctrl_c_at_a_terminal_reaches_the_workers_too_and_they_say_nothing(
    begin: Callable[..., subprocess.Popen[str]], book: Path, words: tuple[str, ...]
) -> None:
    process = begin("count", "queens", "16", "--units", "3000", *words)
    wait_for(book, process, 20)
    os.killpg(process.pid, signal.SIGINT)
    code, out, err = ended(process)
    assert (code, out) == (130, "")
    assert err.splitlines()[-1].startswith("backrank: stopped after")
    assert [line.split()[0] for line in err.splitlines()[:-1]] == ["job", "dashboard:"][: 1 + ("--cluster" in words)]


def test_two_at_once_count_nothing_twice(begin: Callable[..., subprocess.Popen[str]], book: Path) -> None:
    first = begin("count", "queens", "16", "--units", "2000")
    wait_for(book, first, 1)
    with Ledger(book) as ledger:
        [job] = ledger.jobs()
    others = [begin("jobs", "resume", job.id), begin("count", "queens", "16", "--units", "7")]
    for process in (first, *others):
        assert ended(process)[:2] == (0, SENTENCE)
    assert len(recorded(book)) == 2000


def test_another_process_can_cancel_a_job(begin: Callable[..., subprocess.Popen[str]], book: Path, inside: Run) -> None:
    process = begin("count", "queens", "20", "--units", "4000")
    wait_for(book, process, 3)
    with Ledger(book) as ledger:
        [job] = ledger.jobs()
    assert job.is_running
    assert " running " in inside("jobs").stdout
    done = inside("jobs", "cancel", job.id[:4])
    assert (done.returncode, done.stdout) == (0, "")
    assert "cancelled" in done.stderr
    code, out, err = ended(process)
    assert (code, out) == (3, "")
    assert err.splitlines()[-1] == (
        f"backrank: the job {job.id} has been cancelled meanwhile; what was recorded stays; "
        f"'backrank jobs resume {job.id}' goes on"
    )
    assert " cancelled " in inside("jobs").stdout
    assert len(recorded(book)) >= 3


@pytest.mark.parametrize("words", ["--executor processes", "--executor serial", "--cluster local:1"])
def test_a_job_that_is_taken_away_is_undecided(
    begin: Callable[..., subprocess.Popen[str]], book: Path, words: str
) -> None:
    process = begin("count", "queens", "20", "--units", "4000", *words.split())
    wait_for(book, process, 3)
    with Ledger(book) as ledger:
        [job] = ledger.jobs()
        ledger.pause(job.id, "the other process says so")
    code, out, err = ended(process)
    assert (code, out) == (3, "")
    assert "Traceback" not in err
    assert err.splitlines()[-1] == (
        f"backrank: the job {job.id} has been paused meanwhile; what was recorded stays; "
        f"'backrank jobs resume {job.id}' goes on"
    )
    before = len(recorded(book))
    process = begin("jobs", "resume", job.id, *words.split())
    wait_for(book, process, before + 1)
    with Ledger(book) as ledger:
        ledger.remove(job.id)
    code, out, err = ended(process)
    assert (code, out) == (3, "")
    assert err.splitlines()[-1] == (
        f"backrank: the job {job.id} has been removed from the ledger meanwhile; the same count begins anew"
    )


# --- what is kept, and what is told -----------------------------------------------------------------


def test_help_says_where_progress_goes(inside: Run) -> None:
    shown = " ".join(inside("count", "queens", "--help").stdout.split())
    assert "on stderr" in shown
    for words in ((), ("show",), ("resume",), ("cancel",), ("remove",)):
        done = inside("jobs", *words, "--help")
        assert (done.returncode, done.stderr) == (0, "")
        assert "--ledger" in done.stdout


def test_small_counts_and_tries_are_not_kept(book: Path, inside: Run) -> None:
    for words in ("8", "14", "20 --time-limit 0.1", "20 --call-limit 1000", "16 --no-ledger", "24 --symmetry 90"):
        assert inside("count", "queens", *words.split()).returncode in (0, 3)
    assert not book.exists()


def test_long_counts_are_kept_by_themselves(book: Path, inside: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counts, "KEPT_FROM_SECONDS", 1e-6)
    done = inside("count", "queens", "15")
    assert (done.returncode, done.stdout) == (0, "2279184 placements of 15 queens on 15x15\n")
    [line] = done.stderr.splitlines()
    [job] = listed(inside)
    assert job["id"] in line
    assert str(book) in line
    assert "resume" in line
    assert (job["state"], job["percent"], job["what"]) == ("done", 100.0, "placements of 15 queens on 15x15")
    quiet = inside("count", "queens", "14", "-q")
    assert (quiet.stdout, quiet.stderr) == ("365596\n", "")
    assert len(listed(inside)) == 2


def test_a_recorded_answer_says_so(book: Path, inside: Run) -> None:
    words = ("count", "queens", "13", "--units", "5")
    first = inside(*words)
    again = inside(*words, "-q")
    assert (first.stdout.split()[0], again.stdout) == ("73712", "73712\n")
    assert "from the ledger" in again.stderr
    assert "counted on 20" in again.stderr
    assert "5 units; --again counts anew" in again.stderr
    told = json.loads(inside(*words, "--json").stdout)
    assert (told["count"], told["recorded"], told["job"]) == (73712, True, listed(inside)[0]["id"])
    anew = inside(*words, "--again", "--json", "-q")
    assert (json.loads(anew.stdout)["recorded"], anew.stderr) == (False, "")
    assert len(listed(inside)) == 2
    with Ledger(book) as ledger:
        job = ledger.find(ledger.jobs()[0].spec)
    assert job is not None
    shown = inside("jobs", "resume", job.id)
    assert shown.stdout == first.stdout
    assert "from the ledger" in shown.stderr


def test_progress_as_json_lines(inside: Run, book: Path) -> None:
    done = inside("count", "queens", "16", "--units", "900", "--json")
    events = [json.loads(line) for line in done.stderr.splitlines()]
    assert [event["event"] for event in events[:2]] == ["job", "progress"]
    assert events[0]["ledger"] == str(book)
    assert events[-1]["event"] == "done"
    assert (events[-1]["percent"], events[-1]["units"], events[-1]["done"]) == (100.0, 900, 900)
    percents = [event["percent"] for event in events[1:]]
    assert percents == sorted(percents)
    assert json.loads(done.stdout)["count"] == ANSWER


def test_a_time_limit_says_how_to_go_on(inside: Run, book: Path) -> None:
    done = inside("count", "queens", "20", "--ledger", str(book), "--time-limit", "0.3", "--units", "5000")
    assert (done.returncode, done.stdout) == (3, "")
    last = done.stderr.splitlines()[-1]
    assert "time limit" in last
    assert "nothing is proven" in last
    assert f"'backrank jobs resume {listed(inside)[0]['id']}' goes on" in last
    again = inside("jobs", "resume", listed(inside)[0]["id"], "--time-limit", "0.3", "--json")
    assert again.returncode == 3
    assert '"event": "stopped"' in again.stderr


def listed(inside: Run, *words: str) -> list[dict[str, Any]]:
    done = inside("jobs", *words, "--json")
    assert done.returncode == 0
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_jobs_are_listed_shown_and_removed(inside: Run, tmp_path: Path, book: Path) -> None:
    empty = inside("jobs")
    assert (empty.returncode, empty.stdout, empty.stderr) == (0, "", f"no jobs are kept in {book}\n")
    assert "there is no ledger" in inside("jobs", "show", "ab").stderr
    assert not book.exists(), "looking makes none"
    other = str(tmp_path / "other.sqlite")
    inside("count", "queens", "12", "--up-to-symmetry", "--method", "columnsets", "--units", "4", "--ledger", other)
    [job] = listed(inside, "--ledger", other)
    assert (job["units"], job["done"], job["running"]) == (5, 5, False)
    for words in (("jobs", "--ledger", other, "show", job["id"]), ("jobs", "show", job["id"][:5], "--ledger", other)):
        shown = inside(*words).stdout
        assert "placements of 12 queens on 12x12, up to symmetry" in shown
        assert "answer: 1787" in shown
    facts = json.loads(inside("jobs", "show", job["id"], "--ledger", other, "--json").stdout)
    assert (facts["answer"], facts["method"], sum(facts["workers"].values())) == ("1787", "columnsets", 5)
    assert inside("jobs", "resume", job["id"], "--ledger", other, "-q").stdout == "1787\n"
    assert "done already" in inside("jobs", "cancel", job["id"], "--ledger", other).stderr
    assert inside("jobs", "remove", job["id"][:6], "--ledger", other).returncode == 0
    assert listed(inside, "--ledger", other) == []


def test_a_paused_job_shows_why(inside: Run, book: Path) -> None:
    inside("count", "queens", "20", "--ledger", str(book), "--time-limit", "0.1", "--units", "5000")
    job = listed(inside)[0]["id"]
    with Ledger(book) as ledger:
        ledger.failed(job, 3, "division by zero")
        ledger.pause(job, "unit 3 has failed 3 times")
    shown = inside("jobs", "show", job).stdout
    assert "state: paused" in shown
    assert "paused: unit 3 has failed 3 times" in shown
    assert "unit 3 failed 1 times: division by zero" in shown
    assert " paused " in inside("jobs").stdout


def test_another_number_of_units_is_not_passed_over(inside: Run, book: Path) -> None:
    inside("count", "queens", "20", "--ledger", str(book), "--time-limit", "0.1", "--units", "5000")
    again = inside("count", "queens", "20", "--ledger", str(book), "--time-limit", "0.1", "--units", "400")
    assert "has been cut into 5,000 units already; 'backrank jobs remove " in again.stderr
    same = inside("count", "queens", "20", "--ledger", str(book), "--time-limit", "0.1", "--units", "5000")
    assert "already" not in same.stderr


def test_a_count_that_another_version_has_begun_begins_anew_and_says_so(
    inside: Run, book: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("count", "queens", "13", "--units", "4", "--ledger", str(book))
    with Ledger(book) as ledger:
        ledger.add(queens_job(Queens(13).spec, QueensCountSpec(), units=4))
    [old] = listed(inside)
    with monkeypatch.context() as patch:
        patch.setitem(ALGORITHMS, "columnsets", ALGORITHMS["columnsets"] + 1)
        done = inside(*words)
        assert done.stdout.split()[0] == "73712"
        assert f"job {old['id']} cannot be gone on with: it was begun with version" in done.stderr
        resumed = inside("jobs", "resume", old["id"])
        assert (resumed.returncode, resumed.stdout, resumed.stderr.count("\n")) == (2, "", 1)
        assert "their units do not add up" in resumed.stderr
    assert [job["state"] for job in listed(inside)] == ["open", "done"]


def test_layers_of_tours_are_not_told_as_a_share_and_counted_here(inside: Run, book: Path) -> None:
    board = KnightTours(6, closed=True).board
    with Ledger(book) as ledger:
        job = ledger.add(tours_job(TourSpec(board, KNIGHT, True, None, None), directed=False)).id
        ledger.record(job, [Outcome(0, "1")])
        ledger.beat(job, alive=False)
        assert [told["percent"] for told in listed(inside)] == [None]
        assert "%" not in inside("jobs").stdout
        assert "1 of 37 units\n" in inside("jobs", "show", job).stdout
        for words in (("--cluster", "local:2"), ("--executor", "processes"), ("--scheduler", "tcp://127.0.0.1:1")):
            done = inside("jobs", "resume", job, *words)
            assert (done.returncode, done.stderr.count("\n")) == (2, 1)
            assert "threads of one machine" in done.stderr
    assert inside("jobs", "resume", job, "--executor", "serial", "-q").stdout == "9862\n"
    assert [told["percent"] for told in listed(inside)] == [100.0]


def test_a_damaged_job_can_still_be_removed(inside: Run, book: Path) -> None:
    inside("count", "queens", "13", "--units", "4")
    with Ledger(book) as ledger:
        job = ledger.jobs()[0].id
        ledger._connection.execute("UPDATE unit SET result = '1' WHERE number = 2")
    for words in (("count", "queens", "13", "--units", "4"), ("jobs", "show", job), ("jobs", "resume", job)):
        done = inside(*words)
        assert (done.returncode, done.stdout) == (2, "")
        assert f"damaged: job {job}: the checksum of unit 2" in done.stderr.splitlines()[-1]
    assert inside("jobs", "remove", job).returncode == 0
    assert inside("count", "queens", "13", "--units", "4", "-q").stdout == "73712\n"


# --- complaints -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("jobs show zz", "no job 'zz'"),
        ("jobs resume zz", "'backrank jobs' lists"),
        ("jobs cancel zz", "no job"),
        ("jobs remove zz", "no job"),
        ("jobs --json show zz", "backrank jobs show … --json"),
        ("jobs list", "known: show, resume, cancel, remove"),
        ("count queens 13 --no-ledger --again", "--no-ledger keeps no job; leave it out"),
        ("count queens 13 --executor cloud", "serial, threads, processes"),
        ("count queens 13 --executor threads --cluster local:2", "choose one"),
        ("count queens 13 --cluster local:2 --workers 3", "--workers is for threads"),
        ("count queens 13 --cluster many", "local:4"),
        ("count queens 13 --cluster local:0", "1 to 1000 workers"),
        ("count queens 13 --workers 1001", "1 to 1000 workers"),
        ("count queens 13 --units 500001", "500000"),
        ("count queens 13 --units 3 --call-limit 100", "--call-limit is not available for jobs; use --time-limit"),
        ("count queens 13 --units 3 --method luck", "columnsets"),
        ("count queens 13 --scheduler pigeon://post", "tcp://host:8786"),
        ("count queens 30 --units 3", "years"),
    ],
)
@pytest.mark.usefixtures("book")
def test_complaints_are_one_line(inside: Run, words: str, told: str) -> None:
    if words.startswith("jobs"):
        Ledger().close()
    done = inside(*words.split())
    assert (done.returncode, done.stdout) == (2, "")
    [line] = done.stderr.splitlines()
    assert told in line
    assert line.startswith("backrank: ")
    assert listed(inside) == [], "no job has been begun"


def test_a_ledger_that_cannot_be_used(inside: Run, tmp_path: Path, book: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who named it gets an error; else the count goes on, and says that it is not kept."""
    foreign = tmp_path / "letter.txt"
    foreign.write_text("Dear Ada")
    named = inside("count", "queens", "13", "--ledger", str(foreign))
    assert (named.returncode, named.stdout) == (2, "")
    assert "not a ledger" in named.stderr
    monkeypatch.setattr(counts, "KEPT_FROM_SECONDS", 1e-6)
    monkeypatch.setenv("BACKRANK_LEDGER", str(foreign))
    assert inside("count", "queens", "13").returncode == 2
    monkeypatch.delenv("BACKRANK_LEDGER")
    monkeypatch.setenv("XDG_DATA_HOME", str(foreign))
    done = inside("count", "queens", "13")
    assert (done.returncode, done.stdout.split()[0]) == (0, "73712")
    [line] = done.stderr.splitlines()
    assert "the count goes on, but is not kept" in line
    assert foreign.read_text() == "Dear Ada"
    assert not book.exists()
