"""Damage to saved searches: never another search, and one clear line."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest

from backrank import KnightTours
from backrank.cli.output import OutputError
from backrank.cli.saving import SavedSearch
from backrank.search import Cursor, advance, start
from damage import damage


def saved(path: Path) -> tuple[KnightTours, Cursor]:
    """Write a save of a search in its midst."""
    puzzle = KnightTours(6, start="a6")
    _, cursor = advance(start(puzzle, "fixed"), 5_000)
    with SavedSearch(str(path), puzzle) as save:
        save.watch(cursor)
    return puzzle, cursor


@pytest.mark.parametrize("tries", [40, pytest.param(1_000, marks=pytest.mark.deep)])
def test_a_damaged_save_is_refused_and_left_as_it_is(tries: int, tmp_path: Path) -> None:
    path, rng = tmp_path / "save.json", Random(1)  # noqa: S311 - no secret
    puzzle, cursor = saved(path)
    whole, found = path.read_bytes(), Counter[str]()
    for _ in range(tries):
        path.write_bytes(whole)
        what = damage(path, rng)
        left = path.read_bytes()
        try:
            read = SavedSearch(str(path), puzzle).cursor
        except OutputError as error:
            told = str(error)
        else:
            assert read == cursor, what
            found["whole"] += 1
            continue
        assert told.count("\n") == 0, what
        assert "left as it is" in told, what
        assert path.read_bytes() == left
        found["refused"] += 1
    assert found["refused"] > 0.9 * tries, found
