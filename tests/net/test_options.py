"""Every command and every option that the help lists occurs in a recorded line, so that the net has no hole."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import pytest

from net.case import cases
from net.recordings import read

_OPTION = re.compile(r"(?<![\w-])--?[a-z][a-z-]*")
_COMMAND = re.compile(r"^│ ([a-z]+) {2,}", re.MULTILINE)
# The names of an option, at the beginning of a row of the panel.
_NAMES = re.compile(r"^│ (?:\* )? *((?:--?[a-z][a-z-]*[ ,/]*)+)", re.MULTILINE)
HELP = {"--help", "-h"}


def helps() -> dict[tuple[str, ...], str]:
    """Return the recorded help of every command, by the words before `--help`."""
    found = {}
    for text, record in read().items():
        words = tuple(text.split())
        if words[-1] == "--help" and len(record["commands"]) == 1 and not any(w.startswith("-") for w in words[:-1]):
            found[words[:-1]] = "\n".join(record["commands"][0]["stdout"])
    return found


def panel(help_text: str, title: str) -> str:
    """Return the rows of a panel of a help; empty if there is none."""
    _, found, rest = help_text.partition(f"╭─ {title} ")
    return rest.partition("╰─")[0] if found else ""


def commands_of(help_text: str) -> list[str]:
    """Return the commands that a help lists."""
    return _COMMAND.findall(panel(help_text, "Commands"))


def options_of(help_text: str) -> set[str]:
    """Return all names of the options that a help lists."""
    return {name for row in _NAMES.findall(panel(help_text, "Options")) for name in _OPTION.findall(row)}


def used() -> Iterator[tuple[str, ...]]:
    """Yield the words of every command of every line."""
    for case in cases():
        yield from (step.words for step in case.steps if not step.words[0].startswith(":"))


def path_of(words: tuple[str, ...], known: Mapping[tuple[str, ...], str]) -> tuple[str, ...]:
    """Return which command some words are for; the hidden singular or plural is the one that is listed."""
    same = {"tour": "tours", "tours": "tour"}
    for length in (2, 1):
        path = tuple(words[:length])
        also = (*path[:-1], same.get(path[-1], "")) if path else path
        for each in (path, also):
            if len(each) == length and each in known:
                return each
    return ()


def test_the_help_of_every_command_is_recorded() -> None:
    known = helps()
    listed = {(): None} | {(*path, name): None for path, text in known.items() for name in commands_of(text)}
    assert len(listed) > 30
    assert set(listed) == set(known)


@pytest.mark.parametrize("path", [pytest.param(path, id=" ".join(path) or "backrank") for path in sorted(helps())])
def test_every_option_occurs_in_a_line(path: tuple[str, ...]) -> None:
    known = helps()
    options = options_of(known[path])
    assert "--help" in options
    given = {word.partition("=")[0] for words in used() if path_of(words, known) == path for word in words}
    missing = sorted(options - HELP - given)
    assert not missing, f"no line has {' '.join(missing)}"


def test_options_are_read_off_a_help() -> None:
    known = helps()
    assert {"--directed", "--undirected", "--strictly-open", "--output", "-o"} <= options_of(known["count", "tours"])
    assert {"--number", "-n", "--not-uniform", "--placed"} <= options_of(known["sample", "queens"])
    assert commands_of(known["jobs",]) == ["show", "resume", "cancel", "remove"]
