"""The walk in docs/walk.md leads through files and functions that exist, and its commands print what it shows."""

from __future__ import annotations

import ast
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from source_tree import SOURCE, parsed

DOCS = Path(__file__).parents[1] / "docs"
WALK = (DOCS / "walk.md").read_text(encoding="utf-8")
DESIGN = (DOCS / "design.md").read_text(encoding="utf-8")
_STATION = re.compile(r"`([\w/]+\.py)` `([\w.]+)`")
_FILE = re.compile(r"`([\w/]+\.py)`")
ELSEWHERE = ("benchmarks/", "tests/")


def names_of(path: Path) -> set[str]:
    """Return the functions, classes and methods of a file; a method by its own name as well."""
    names = set()
    for node in parsed(path).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
            inner = {child.name for child in ast.walk(node) if isinstance(child, ast.FunctionDef) and child is not node}
            names |= inner | {f"{node.name}.{name}" for name in inner}
    return names


def test_there_are_stations() -> None:
    assert len(_STATION.findall(WALK)) > 25


@pytest.mark.parametrize(("file", "name"), sorted(set(_STATION.findall(WALK))))
def test_every_station_exists(file: str, name: str) -> None:
    assert name in names_of(SOURCE / file)


@pytest.mark.parametrize("text", [WALK, DESIGN], ids=["walk", "design"])
def test_every_file_named_exists(text: str) -> None:
    named = set(_FILE.findall(text))
    assert named
    root = DOCS.parent
    assert [
        file for file in named if not (root / file if file.startswith(ELSEWHERE) else SOURCE / file).is_file()
    ] == []


def test_the_command_prints_what_is_shown(inside: Callable[..., subprocess.CompletedProcess[str]]) -> None:
    shown = re.findall(r"^\$ backrank (count [^\n]*)\n([^$`]+)\n", WALK, re.MULTILINE)
    assert shown
    for words, output in shown:
        assert inside(*words.split()).stdout.strip() == output.strip()
