"""`count tours`: plans, limits of memory, folders, and counting again."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from backrank.errors import BoardTooLarge
from backrank.runtime.context import Context
from backrank.tours import KnightTours
from backrank.tours.counting import run as running

Run = Callable[..., subprocess.CompletedProcess[str]]


def test_a_plan_is_told_before_anything_is_counted(inside: Run) -> None:
    done = inside("count", "tours", "8x8", "--closed", "--explain")
    assert done.returncode == 0
    assert "at most 16 active" in done.stdout
    assert "states" in done.stdout
    assert "memory" in done.stdout


def test_classes_are_verified(inside: Run) -> None:
    done = inside("count", "tours", "6x6", "--closed", "--up-to-symmetry", "--verify")
    assert done.stdout == "1245 undirected closed tours on 6x6, up to symmetry\n"
    assert "modulo 2305843009213693951: the same" in done.stderr


def test_a_count_is_verified(inside: Run) -> None:
    done = inside("count", "tours", "6x6", "--closed", "--verify")
    assert (done.returncode, done.stdout) == (0, "9862 undirected closed tours on 6x6\n")
    assert "modulo 2305843009213693951: the same" in done.stderr


def test_a_folder_keeps_nothing_when_the_count_is_done(inside: Run, tmp_path: Path) -> None:
    folder = tmp_path / "layers"
    done = inside("count", "tours", "6x7", "--closed", "--method", "layers", "--folder", str(folder))
    assert done.stdout == "1067638 undirected closed tours on 6x7\n"
    assert not folder.exists() or not list(folder.iterdir())


def test_a_foreign_folder_is_named_and_left_alone(inside: Run, tmp_path: Path) -> None:
    (tmp_path / "diary.txt").write_text("dear diary", encoding="utf-8")
    done = inside("count", "tours", "6x7", "--closed", "--method", "layers", "--folder", str(tmp_path))
    assert done.returncode == 2
    assert str(tmp_path) in done.stderr
    assert [file.name for file in tmp_path.iterdir()] == ["diary.txt"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("6x6", "--memory", "lots"), "write bytes, or 500M, or 8G"),
        (("8x8", "--closed", "--memory", "10M"), "needs about"),
        (("10x10", "--closed"), "active"),
        (("6x6", "--method", "magic"), "layers"),
    ],
)
def test_wrong_input_is_one_line(inside: Run, words: tuple[str, ...], message: str) -> None:
    done = inside("count", "tours", *words)
    assert done.returncode == 2
    assert message in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_a_wrong_answer_is_found() -> None:
    tours = KnightTours(6, closed=True)
    assert tours.verify_count(9862).agrees
    assert not tours.verify_count(9863).agrees
    assert tours.verify_count(2 * 9862, directed=True).agrees


# --- kept in a ledger ------------------------------------------------------------------------------


def test_a_count_is_kept_and_not_counted_twice(inside: Run, tmp_path: Path) -> None:
    book = str(tmp_path / "ledger.sqlite")
    first = inside("count", "tours", "6x6", "--closed", "--ledger", book)
    assert first.stdout == "9862 undirected closed tours on 6x6\n"
    assert "37 units, kept in" in first.stderr
    again = inside("count", "tours", "6x6", "--closed", "--ledger", book, "--json")
    assert json.loads(again.stdout)["recorded"] is True
    assert "from the ledger" in again.stderr
    anew = inside("count", "tours", "6x6", "--closed", "--ledger", book, "--json", "--again", "--verify")
    assert json.loads(anew.stdout) | {"job": ""} == json.loads(again.stdout) | {
        "job": "",
        "recorded": False,
        "verified": True,
    }
    assert "modulo 2305843009213693951: the same" in anew.stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--no-ledger", "--again"), "--no-ledger keeps no job"),
        (("--ledger", "x.sqlite", "--folder", "work"), "--folder is for counts that are not kept"),
        (("--again", "--up-to-symmetry"), "--up-to-symmetry is for counts that are not kept"),
        (("--again", "--method", "listing"), "--method is for counts that are not kept"),
    ],
)
def test_what_cannot_be_kept_is_told(inside: Run, words: tuple[str, ...], message: str) -> None:
    done = inside("count", "tours", "5x6", "--closed", *words)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


# --- what is said ----------------------------------------------------------------------------------


def test_a_plan_is_told_to_programs_too(inside: Run) -> None:
    done = inside("count", "tours", "6x8", "--closed", "--explain", "--json")
    told = json.loads(done.stdout)
    plan = KnightTours(6, 8, closed=True).count_plan().frontier
    assert plan is not None
    assert told["plan"]["active"] == list(plan.widths)
    assert (told["plan"]["memory"], told["board"], told["closed"]) == (plan.memory, "6x8", True)
    done = inside("count", "tours", "8x8", "--closed", "--explain", "--memory", "1G")
    assert done.stderr == "only 1.1 GB are allowed: with --folder DIR what does not fit goes to disk\n"


def test_where_there_is_nothing_to_count_the_reason_is_told(inside: Run) -> None:
    why = "a closed tour alternates colours, but 41 squares are of one colour and 40 of the other"
    done = inside("count", "tours", "9x9", "--closed", "--verify")
    assert (done.returncode, done.stdout, done.stderr) == (0, "0 undirected closed tours on 9x9\n", f"none: {why}\n")
    assert inside("count", "tours", "9x9", "--closed", "-q").stderr == ""
    assert inside("count", "tours", "9x9", "--closed", "--explain").stdout == f"nothing to count: {why}\n"
    told = json.loads(inside("count", "tours", "9x9", "--closed", "--explain", "--json").stdout)
    assert (told["plan"], told["reason"]) == (None, why)


def test_one_tour_is_one_tour(inside: Run) -> None:
    assert inside("count", "tours", "1x1").stdout == "1 directed open tour on 1x1\n"
    assert inside("list", "tours", "1x1").stderr == "the only open tour (directed) of 1x1\n"
    done = inside("list", "tours", "5x5", "--start", "a1", "--offset", "303")
    assert done.stderr == "1 open tour (directed) of 5x5 from a1, from number 303 on; the last one\n"


def test_lists_and_samples_tell_which_tours_they_are_of(inside: Run) -> None:
    done = inside("list", "tours", "5x5", "--start", "a1", "--end", "e5")
    assert done.stderr == "all 56 open tours (directed) of 5x5 from a1 to e5\n"
    done = inside("list", "tours", "4x4", "--piece", "king", "--limit", "2")
    assert done.stderr == "the first 2 open tours (directed) of the king on 4x4; --limit 0 prints all\n"
    done = inside("sample", "tours", "4x4", "--piece", "king", "--end", "a1", "--seed", "1")
    assert done.stderr.startswith("1 open tour of the king on 4x4 to a1, all ")
    tour = inside("list", "tours", "5x5", "--start", "a1", "--limit", "1", "-q").stdout
    done = inside("check", "tour", "-", "--board", "5x5", "--start", "a1", "--rank", text=tour)
    assert done.stdout.endswith("number 0 of those that list tours prints with the given ends, from 0\n")


def test_an_answer_that_cannot_be_verified_is_told_with_that(inside: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Context] = []

    def too_large(_spec: object, _wanted: object, answer: int, context: Context) -> None:
        seen.append(context)
        raise BoardTooLarge(f"no room to count {answer} again")

    monkeypatch.setattr(running, "verify", too_large)
    words = ("count", "tours", "5x6", "--closed", "--verify", "--memory", "1G", "--threads", "1")
    done = inside(*words)
    assert (done.returncode, done.stdout) == (2, "")
    told = "counted 8 undirected closed tours on 5x6, but not verified: no room to count 8 again"
    assert done.stderr == f"backrank: {told}\n"
    assert (seen[0].memory, seen[0].threads) == (1024**3, 1)
    assert json.loads(inside(*words, "--json").stdout)["verified"] is False


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("count", "5x5", "--begin", "a1", "--undirected"), "--undirected is about the count of whole tours"),
        (("count", "5x5", "--begin", "a1", "--again"), "--again is about the count of whole tours"),
        (("count", "5x5", "--estimate", "--ledger", "x"), "--ledger is about exact counts; leave it out"),
        (("count", "5x5", "--explain", "--method", "listing"), "--explain foresees counts without listing"),
        (("count", "5x5", "--memory", "0"), "the memory is a whole number of bytes, at least 1"),
        (("count", "10x10"), "narrower board; or --estimate tells about how many there are"),
        (("list", "10x10", "--offset", "5"), "narrower board; without --offset they are listed from the first one on"),
        (("list", "10x10", "--offset", "-5"), "tours are numbered from 0, so there is no number -5"),
        (("sample", "12x12"), "in the best order found, 25 squares are active at once; tours are numbered, and drawn"),
    ],
)
def test_refusals_say_what_would_be_right(inside: Run, words: tuple[str, ...], message: str) -> None:
    done = inside(words[0], "tours", *words[1:])
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_limit_is_told_as_it_was_given(inside: Run) -> None:
    done = inside("sample", "tours", "5x5", "-n", "10000000", "--time-limit", "0.4", "-o", "/dev/null")
    assert done.returncode == 3
    assert "the time limit of 0.4 s was reached" in done.stderr


def test_a_stopped_count_tells_how_to_go_on(inside: Run, tmp_path: Path) -> None:
    words = ("count", "tours", "6x7", "--method", "layers", "--folder", str(tmp_path / "work"), "--call-limit")
    done = inside(*words, "2000")
    assert done.returncode == 3
    assert done.stderr.endswith(f"; the same command goes on from the last layer that is kept in {tmp_path / 'work'}\n")
    done = inside(*words, "1000000000")
    assert (done.returncode, done.stdout) == (0, "779938932 directed open tours on 6x7\n")
    assert "goes on" not in inside(*words[:5], "--call-limit", "2000").stderr
