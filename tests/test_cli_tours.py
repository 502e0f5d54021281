"""`solve tour` and `check tour` with what large, random and strange tours need."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

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
