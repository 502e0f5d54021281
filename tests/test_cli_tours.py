"""`solve tour` and `check tour` with what large, random and strange tours need."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from backrank.cli.output import Output
from backrank.cli.running import StoppedError, stopped_search

Run = Callable[..., subprocess.CompletedProcess[str]]


def test_a_seed_gives_a_random_tour(backrank: Run) -> None:
    one, same, other = (backrank("solve", "tour", "8x8", "--seed", seed).stdout for seed in ("1", "1", "2"))
    assert one == same != other
    assert backrank("check", "tour", "-", text=other).returncode == 0


def test_blocks_are_a_strategy(backrank: Run) -> None:
    done = backrank("solve", "tour", "30x40", "--closed", "--strategy", "blocks", "--json")
    assert done.returncode == 0
    assert json.loads(done.stdout)["strategy"] == "blocks"
    refused = backrank("solve", "tour", "4x40", "--strategy", "blocks")
    assert refused.returncode == 2
    assert "at least 5" in refused.stderr
    impossible = backrank("solve", "tour", "9x9", "--closed", "--strategy", "blocks")
    assert impossible.returncode == 1
    assert "alternates colours" in impossible.stderr


def test_a_large_tour_goes_to_a_file_and_is_checked(backrank: Run, tmp_path: Path) -> None:
    file = tmp_path / "tour.npy"
    assert backrank("solve", "tour", "700x501", "--closed", "-o", str(file)).returncode == 0
    checked = backrank("check", "tour", str(file), "--closed", "--facts")
    assert checked.returncode == 0
    assert "valid: closed tour of 700x501" in checked.stdout
    assert "350,700" in checked.stdout


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (("9x9", "--closed"), 1, "alternates colours"),
        (("4x10", "--closed"), 1, "Schwenk"),
        (("3x8", "--closed"), 1, "Schwenk"),
        (("7x7", "--start", "b7"), 1, "more frequent colour"),
        (("5x8", "--start", "2,1", "--end", "0,2"), 1, "corner"),
        (("1000000x1000000", "-o", "never.npy"), 2, "8,000,000,000,000 bytes"),
        (("8x8", "--seed", "-1"), 2, "seed"),
        (("8x8", "--seed", "1", "--strategy", "warnsdorff"), 2, "leave out the strategy"),
        (("8x8", "--engine", "magic"), 2, "unknown engine 'magic'; known: own, cp-sat"),
    ],
)
def test_no_and_wrong_input_are_one_line(inside: Run, words: tuple[str, ...], code: int, message: str) -> None:
    done = inside("solve", "tour", *words)
    assert done.returncode == code
    assert message in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


@pytest.mark.parametrize(
    "words", [("3x100", "--closed"), ("5x100", "--closed"), ("4x60", "--start", "a1", "--end", "a4")]
)
def test_long_boards_are_answered(backrank: Run, words: tuple[str, ...]) -> None:
    done = backrank("solve", "tour", *words, "--json")
    assert json.loads(done.stdout)["solvable"] is True


def test_the_ending_of_a_file_tells_its_format(inside: Run, tmp_path: Path) -> None:
    def written(name: str, *words: str) -> str:
        assert inside(*words, "-o", str(tmp_path / name), "--force").returncode == 0
        return (tmp_path / name).read_text()

    assert json.loads(written("t.json", "solve", "tour", "5x5"))["kind"] == "tour"
    assert written("t.CSV", "solve", "tour", "5x5").startswith("step,row,col,name\n")
    assert json.loads(written("q.json", "solve", "queens", "6"))["kind"] == "placement"
    assert written("q.csv", "solve", "queens", "6").startswith("row,col,name\n")
    lines = written("l.json", "list", "queens", "6").splitlines()
    assert [json.loads(line)["kind"] for line in lines] == ["placement"] * 4
    assert written("l.csv", "list", "queens", "6").startswith("placement,row,col,name\n")
    assert len(written("l.json", "list", "tours", "3x4").splitlines()) == 16
    assert written("l.csv", "list", "tours", "3x4").startswith("tour,step,row,col,name\n")
    # What is told goes before, and other endings mean nothing.
    assert written("t.json", "solve", "tour", "5x5", "--format", "names").count(" ") == 24
    assert json.loads(written("t.csv", "solve", "tour", "5x5", "--json"))["solvable"] is True
    assert written("t.txt", "solve", "tour", "5x5").count("\n") == 5


@pytest.mark.parametrize(
    "words",
    [
        "solve tour 8x8 --start a1 --strategy fixed --call-limit 1000",
        "solve tour 9x9 --wrap torus --strategy random:3 --call-limit 90",
        "solve queens 30 --strategy rows --call-limit 1000",
    ],
)
def test_json_is_written_when_a_limit_is_reached(inside: Run, words: str) -> None:
    done = inside(*words.split(), "--json")
    assert done.returncode == 3
    answer = json.loads(done.stdout)
    assert list(answer) == ["solvable", "reason", "calls", "seconds"]
    assert answer["solvable"] is None
    assert answer["calls"] == int(words.rsplit(maxsplit=1)[1])
    assert answer["seconds"] >= 0
    assert answer["reason"] in done.stderr
    assert inside(*words.split()).stdout == ""


def test_random_moves_that_are_stopped_hint_at_a_seed(inside: Run) -> None:
    hint = "; --seed 7 instead of --strategy gives a random tour sooner"
    done = inside("solve", "tour", "8x8", "--strategy", "random:7", "--call-limit", "1000")
    assert (done.returncode, done.stderr.endswith(f"{hint}\n")) == (3, True)
    other = inside("solve", "tour", "8x8", "--start", "a1", "--strategy", "fixed", "--call-limit", "1000")
    assert "--seed" not in other.stderr
    sink = Output(None, force=False)
    with (
        pytest.raises(StoppedError, match=f"^stopped{re.escape(hint)}$"),
        stopped_search(sink, "random:7+prune", as_json=True, seeded="a random tour"),
    ):
        raise StoppedError("stopped")
    with (
        pytest.raises(StoppedError, match=r"^stopped$"),
        stopped_search(sink, "fixed", as_json=True, seeded="a random tour"),
    ):
        raise StoppedError("stopped")


def test_a_closed_tour_may_come_back_to_its_first_square(inside: Run) -> None:
    names = inside("solve", "tour", "6x6", "--closed", "--format", "names", "-q").stdout.split()
    text = " ".join([*names, names[0]])
    for words in ((), ("--closed",), ("--board", "6x6")):
        done = inside("check", "tour", "-", *words, text=text)
        assert (done.returncode, done.stdout) == (0, "valid: closed tour of 6x6\n")
        assert "note: the last square repeats the first: read as a closed tour\n" in done.stderr
    assert inside("draw", "tour", "-", text=text).returncode == 0
    # Somewhere else than in the end it is a fault.
    assert inside("check", "tour", "-", text=" ".join([*names, names[1]])).returncode == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("solve tour @", "@ needs the name of a file, as in @map.txt"),
        ("check tour - --start z9", "start: z9 is not on the 3x4 board"),
        ("check tour - --end z9", "end: z9 is not on the 3x4 board"),
        ("check tour - --holes z9", "holes: z9 is not on the 3x4 board"),
        ("solve tour 3x4 --holes z9", "holes: z9 is not on the 3x4 board"),
        ("solve tour 8x8 --piece 1,-2", "'1,-2'; known: a leaper as r,s with no number below 0"),
        ("solve tour 8x8 --piece 2", "'2'; known: a leaper as r,s with two whole numbers"),
    ],
)
def test_messages_say_what_is_wrong(inside: Run, words: str, message: str) -> None:
    done = inside(*words.split(), text="1 4 7 10\n8 11 2 5\n3 6 9 12\n")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert message in done.stderr


def test_a_file_without_a_name(inside: Run) -> None:
    done = inside("check", "tour", "")
    assert done.stderr == "backrank: the name of the file to read is empty; give one, or - for standard input\n"


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("8x8 --piece alfil", "an alfil never leaves its colour"),
        ("8x8 --piece camel", "a camel never leaves its colour"),
        ("1x5", "no 1xn board but 1x1 has an open tour"),
        ("2x5", "no 2xn board has an open tour"),
    ],
)
def test_reasons_are_worded_exactly(inside: Run, words: str, reason: str) -> None:
    done = inside("solve", "tour", *words.split())
    assert (done.returncode, reason in done.stderr) == (1, True)
