"""`count tours`: plans, limits of memory, folders, and counting again."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from backrank.tours import KnightTours

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
    assert json.loads(anew.stdout) | {"job": ""} == json.loads(again.stdout) | {"job": "", "recorded": False}
    assert "modulo 2305843009213693951: the same" in anew.stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--no-ledger", "--again"), "--no-ledger keeps nothing"),
        (("--ledger", "x.sqlite", "--memory", "1G"), "--memory is for counts that are not kept"),
        (("--again", "--up-to-symmetry"), "--up-to-symmetry is for counts that are not kept"),
        (("--again", "--method", "listing"), "--method is for counts that are not kept"),
    ],
)
def test_what_cannot_be_kept_is_told(inside: Run, words: tuple[str, ...], message: str) -> None:
    done = inside("count", "tours", "5x6", "--closed", *words)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
