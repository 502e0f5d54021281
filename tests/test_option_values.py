"""Every option of every command: huge, negative, fractional and nonsensical values end in an answer or in one line."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from backrank.cli.app import app
from backrank.cli.lazy import loaded

Run = Callable[..., subprocess.CompletedProcess[str]]

VALUES = (
    "0",
    "-1",
    str(2**63),
    str(2**64),
    "1" + "0" * 40,
    "9" * 5000,
    "nan",
    "inf",
    "1.5",
    "1e999",
    "x" * 5000,
    "\x1b[31m",
)
MOST_IN_LINE = 1_200
NUMBERS = ("N", "M", "K", "S", "PIXELS", "EVENT", "TIME", "SIZE", "local:N")
FILES = ("FILE", "DIR", "FILE.svg")
TOUR = "1 4 7 10\n8 11 2 5\n3 6 9 12\n"
# A command line to which each option of the command can be added, small enough to end at once.
BASES = {
    "solve tour": ("5x5",),
    "solve queens": ("8",),
    "list tours": ("3x4",),
    "list queens": ("4",),
    "count tours": ("3x4",),
    "count queens": ("4",),
    "watch tour": ("3x4",),
    "watch queens": ("4",),
    "compare tour": ("3x4",),
    "compare queens": ("4",),
    "sample tours": ("3x4",),
    "sample queens": ("4",),
    "check tour": ("-",),
    "check queens": ("-",),
    "draw tour": ("-",),
    "draw queens": ("-",),
    "jobs show": ("ab",),
    "jobs resume": ("ab",),
    "jobs cancel": ("ab",),
    "jobs remove": ("ab",),
}
# Options that mean something beside others only.
BESIDE = {
    ("count", "--runs"): ("--estimate",),
    ("count", "--states"): ("--estimate",),
    ("count", "--units"): ("--no-ledger",),
    ("count", "--workers"): ("--no-ledger",),
    ("watch", "--every"): ("--frames", "2"),
    ("watch", "--from"): ("--frames", "2"),
    ("watch", "--events"): ("-o", "page.html", "--force"),
    ("draw", "--size"): ("--format", "png", "-o", "picture.png", "--force"),
    ("sample", "--number"): ("--time-limit", "1"),
}
ELSEWHERE = {"serve", "bench", "selftest"}  # these start servers, or run for minutes; see the tests below


def commands(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:
    """Yield the commands of the tree that are not hidden, with their names."""
    command = loaded(command)
    if hasattr(command, "commands"):
        for name, below in command.commands.items():
            yield from commands(below, (*path, name))
    elif not command.hidden:
        yield " ".join(path), command


def options() -> Iterator[tuple[str, str, str]]:
    """Yield every option that takes a value and names no file: its command, its name, and what the help calls it."""
    for name, command in commands(app):
        for option in command.params:
            if option.param_type_name == "option" and not option.is_flag and option.metavar not in FILES:
                yield name, option.opts[0], option.metavar or ""


def test_every_command_is_looked_at() -> None:
    names = {name for name, _ in commands(app)}
    assert names - ELSEWHERE <= set(BASES) | {"jobs list"}
    assert len(list(options())) > 100


def words_for(command: str, option: str, metavar: str, value: str) -> list[str]:
    """Return a command line with an option of a value."""
    quiet = () if command.startswith("jobs") else ("-q",)
    words = [*command.split(), *BASES[command], *BESIDE.get((command.split(maxsplit=1)[0], option), ()), *quiet]
    return [*words, f"{option}={f'local:{value}' if metavar == 'local:N' else value}"]


def require_one_line_or_an_answer(inside: Run, words: list[str]) -> None:
    """Run a command; whatever it makes of its words, it does so in order."""
    done = inside(*words, text=TOUR if words[1].startswith("tour") else "1 3 0 2\n")
    short = " ".join(words)[:100]
    assert done.returncode in (0, 1, 2, 3), short
    assert "\x1b" not in done.stderr, short
    if done.returncode == 2:
        assert done.stderr.startswith("backrank: "), short
        assert done.stderr.count("\n") == 1, short
        assert len(done.stderr) < MOST_IN_LINE, short


@pytest.mark.parametrize("command", BASES)
def test_numbers_out_of_any_range_end_in_one_line(
    inside: Run, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    numeric = [(option, metavar) for name, option, metavar in options() if name == command and metavar in NUMBERS]
    for number, (option, metavar) in enumerate(numeric):
        for value in (str(2**63), ("-1", "9" * 5000, "nan")[number % 3]):
            require_one_line_or_an_answer(inside, words_for(command, option, metavar, value))


@pytest.mark.deep
@pytest.mark.parametrize("command", BASES)
def test_any_value_of_any_option_ends_in_an_answer_or_one_line(
    inside: Run, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, option, metavar in options():
        for value in VALUES * (name == command):
            require_one_line_or_an_answer(inside, words_for(command, option, metavar, value))
