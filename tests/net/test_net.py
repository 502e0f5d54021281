"""Every line of the net does what is recorded of it: exit code, both streams, and files, to the letter."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from net.case import Case, cases
from net.play import Forks, play, run_process
from net.recordings import difference, read

CASES = cases()


@pytest.fixture(scope="session")
def forks() -> Iterator[Forks]:
    """A process that runs lines in copies of itself."""
    with Forks() as running:
        yield running


@pytest.fixture(scope="session")
def recorded() -> dict[str, dict[str, Any]]:
    """What is recorded, by line."""
    return read()


def _marked(case: Case) -> Any:
    return pytest.param(case, id=case.text, marks=[pytest.mark.deep] if case.is_deep else [])


@pytest.mark.parametrize("case", [_marked(case) for case in CASES])
def test_line(case: Case, forks: Forks, recorded: dict[str, dict[str, Any]], tmp_path: Path) -> None:
    assert case.text in recorded, "not recorded yet: python tests/net/record.py"
    change = difference(recorded[case.text], play(case, tmp_path.resolve(), forks))
    assert not change, f"backrank {case.text}\n{change}"


@pytest.mark.parametrize("case", [pytest.param(case, id=case.text) for case in CASES if "process" in case.tags])
def test_line_in_a_process_of_its_own(case: Case, recorded: dict[str, dict[str, Any]], tmp_path: Path) -> None:
    change = difference(recorded[case.text], play(case, tmp_path.resolve(), run_process))
    assert not change, f"backrank {case.text}\n{change}"


def test_every_line_is_written_once_and_every_recording_has_its_line(recorded: dict[str, dict[str, Any]]) -> None:
    texts = [case.text for case in CASES]
    assert sorted(texts) == sorted(recorded)
