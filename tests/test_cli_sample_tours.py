"""The commands that have to do with numbers of tours: sample, list from a number on, check with the number."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import pytest

from backrank.tours import KnightTours

Run = Callable[..., subprocess.CompletedProcess[str]]


def test_the_command_draws_tours(inside: Run) -> None:
    words = ("sample", "tours", "6x6", "--closed", "-n", "3", "--seed", "1", "--format", "names")
    done = inside(*words)
    assert done.returncode == 0
    tours = KnightTours(6, closed=True)
    expected = [" ".join(tour.names) for tour in islice(tours.sampler().samples(1), 3)]
    assert done.stdout.splitlines() == expected
    assert done.stderr == "3 closed tours of 6x6, all 9,862 equally likely; --seed 1 draws them again\n"
    assert inside(*words).stdout == done.stdout
    again = inside("sample", "tour", "6x6", "--closed", "-n", "3", "--seed", "1", "--format", "names", "-q")
    assert (again.stdout, again.stderr) == (done.stdout, "")


def test_the_command_tells_its_seed(inside: Run) -> None:
    drawn = inside("sample", "tours", "5x5", "--start", "a1")
    assert "open tour of 5x5 from a1, all 304 equally likely" in drawn.stderr
    seed = drawn.stderr.partition("--seed ")[2].split()[0]
    assert inside("sample", "tours", "5x5", "--start", "a1", "--seed", seed).stdout == drawn.stdout
    checked = inside("check", "tour", "-", "--start", "a1", text=drawn.stdout)
    assert checked.returncode == 0


def test_the_command_has_all_formats(inside: Run, tmp_path: Path) -> None:
    words = ("sample", "tours", "4x4", "--piece", "0,1", "--holes", "a1,b1", "-n", "2", "--seed", "3")
    objects = [json.loads(line) for line in inside(*words, "--json").stdout.splitlines()]
    assert [len(each["squares"]) for each in objects] == [14, 14]
    rows = inside(*words, "--format", "csv").stdout.splitlines()
    assert rows[0].startswith("tour,")
    assert [row.split(",")[0] for row in rows[1:]] == ["1"] * 14 + ["2"] * 14
    grids = inside(*words).stdout.splitlines()
    assert len(grids) == 9
    assert grids[4] == ""
    path = tmp_path / "tours.csv"
    assert inside(*words, "-o", str(path)).returncode == 0
    assert path.read_text().splitlines() == rows
    assert "exists; --force replaces it" in inside(*words, "-o", str(path)).stderr


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (("5x5", "--closed"), 1, "no answer: a closed tour alternates colours"),
        (("4x5", "--holes", "a1", "--start", "b1", "--end", "e1"), 1, "no answer: "),
        (("5x5", "-n", "0"), 2, "the number of samples must be at least 1, not 0"),
        (("5x5", "--seed", "-1"), 2, "the seed must be a whole number"),
        (("5x5", "--format", "svg"), 2, "unknown format 'svg'"),
        (("5x5", "--start", "a9"), 2, "start: a9 is not on the 5x5 board"),
        (
            ("8x8", "--memory", "1G"),
            2,
            "of memory, foreseen from their order, 16 squares being active; 1.1 GB are allow",
        ),
        (("8x8", "--memory", "1G"), 2, "solve --seed gives random tours that are not equally likely"),
        (("40x40",), 2, "squares are active at once"),
        (("7x7", "--time-limit", "0.000001"), 3, "the time limit of 1e-06 s was reached"),
    ],
)
def test_what_cannot_be_drawn_is_told_in_one_line(inside: Run, words: tuple[str, ...], code: int, message: str) -> None:
    done = inside("sample", "tours", *words)
    assert (done.returncode, done.stdout) == (code, "")
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("words", [("6x6", "--closed"), ("5x5",), ("5x5", "--start", "a5"), ("3x4", "--end", "a2")])
def test_lists_begin_at_any_number(inside: Run, words: tuple[str, ...]) -> None:
    every = inside("list", "tours", *words, "--limit", "0").stdout.splitlines()
    for offset in (0, 1, 3, len(every) // 2, len(every) - 1):
        if offset < len(every):
            done = inside("list", "tours", *words, "--offset", str(offset), "--limit", "5")
            assert done.stdout.splitlines() == every[offset : offset + 5]
            assert done.returncode == 0


def test_lists_tell_where_they_began(inside: Run) -> None:
    done = inside("list", "tours", "6x6", "--offset", "5000000", "--limit", "2")
    assert done.stderr == "2 open tours (directed) of 6x6, from number 5,000,000 on; more follow\n"
    done = inside("list", "tours", "6x6", "--offset", "6637918", "--limit", "5")
    assert done.stderr == "2 open tours (directed) of 6x6, from number 6,637,918 on; the last ones\n"
    for number, first in (("6637920", "tours are numbered 0 to 6,637,919"), ("-1", "tours are numbered from 0")):
        done = inside("list", "tours", "6x6", "--offset", number)
        told = f"{first}, so there is no number {int(number):,}"
        assert (done.returncode, done.stderr) == (2, f"backrank: {told}\n")
    done = inside("list", "tours", "5x5", "--closed", "--offset", "3")
    assert (done.returncode, done.stdout) == (1, "")
    assert "no answer: a closed tour alternates colours" in done.stderr


def test_check_tells_the_number(inside: Run) -> None:
    tours = inside("list", "tours", "6x6", "--closed", "--offset", "77", "--limit", "2").stdout
    one, two = tours.splitlines()
    done = inside("check", "tour", "-", "--closed", "--board", "6x6", "--rank", text=two)
    assert done.stdout == "valid: closed tour of 6x6\nnumber 78 of those that list tours prints, from 0\n"
    done = inside("check", "tour", "-", "--closed", "--board", "6x6", "--rank", text=tours)
    assert [line.partition(" of those")[0] for line in done.stdout.splitlines()[:2]] == [
        "tour 1: number 77",
        "tour 2: number 78",
    ]
    done = inside("check", "tour", "-", "--board", "6x6", "--rank", "--json", text=one)
    assert json.loads(done.stdout)["rank"] == KnightTours(6).rank(one.split())
    wrong = " ".join(one.split()[::2] + one.split()[1::2])
    done = inside("check", "tour", "-", "--board", "6x6", "--rank", text=wrong)
    assert done.returncode == 1
    assert "number" not in done.stdout


def test_beginnings_are_counted(inside: Run) -> None:
    done = inside("count", "tours", "5x5", "--begin", "a5,b3,c1,a2,b4")
    assert done.stdout == "4 ways to finish an open tour on 5x5 that begins a5 b3 c1 a2 b4\n"
    listed = inside("list", "tours", "5x5", "--start", "a5").stdout.splitlines()
    assert sum(line.startswith("a5 b3 c1 a2 b4 ") for line in listed) == 4
    done = inside("count", "tours", "6x6", "--closed", "--begin", "0,0 2,1", "--json")
    told = json.loads(done.stdout)
    assert (told["kind"], told["count"], told["begin"]) == ("completions", 9862, ["a6", "b4"])
    done = inside("count", "tours", "5x5", "--begin", "a1", "--end", "a2", "-q")
    assert (done.returncode, done.stdout) == (0, "0\n")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--begin", "a1,a2"), "step 1 to 2, a1 to a2, is not a move of the knight; from a1 it goes to b3, c2"),
        (("--begin", "a1,b3,a1"), "a1 comes twice, as steps 1 and 3; a tour visits a square once"),
        (("--begin", "c3", "--start", "a1"), "a tour from a1 does not begin on c3"),
        (("--begin", "z9"), "z9 is not on the 5x5 board"),
        (("--begin", " "), "--begin ' ' is no list of squares"),
        (("--begin", "a1", "--verify"), "--verify is about the count of whole tours; leave it out, or --begin"),
        (("--begin", "a1", "--estimate"), "--estimate is about the count of whole tours"),
    ],
)
def test_bad_beginnings_are_told_in_one_line(inside: Run, words: tuple[str, ...], message: str) -> None:
    done = inside("count", "tours", "5x5", *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
