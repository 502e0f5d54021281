"""How much memory there is, and what is refused."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from backrank.errors import BoardTooLarge
from backrank.runtime import memory


def test_some_memory_is_free() -> None:
    assert 2**20 < memory.available_bytes() < 2**60


def test_what_does_not_fit_is_refused_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "available_bytes", lambda: 10**9)
    memory.require_bytes(8 * 10**8, "a tour")
    with pytest.raises(BoardTooLarge, match="a tour needs 950,000,000 bytes of memory; 1,000,000,000 are free"):
        memory.require_bytes(95 * 10**7, "a tour")


def test_little_is_not_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "available_bytes", lambda: pytest.fail("asked"))
    memory.require_bytes(2**20, "a small tour")


@pytest.mark.parametrize(("limit", "used", "free"), [("3000", "1000", 2000), ("1000", "3000", 0)])
def test_the_limits_of_a_container_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str, used: str, free: int
) -> None:
    (tmp_path / "memory.max").write_text(limit + "\n", encoding="ascii")
    (tmp_path / "memory.current").write_text(used + "\n", encoding="ascii")
    monkeypatch.setattr(memory, "_CGROUP", tmp_path)
    assert memory.available_bytes() == free


@pytest.mark.parametrize("text", ["max", "nonsense"])
def test_no_limit_is_no_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    (tmp_path / "memory.max").write_text(text, encoding="ascii")
    monkeypatch.setattr(memory, "_CGROUP", tmp_path)
    assert memory.available_bytes() > 2**20


def test_the_limits_of_the_process_are_kept() -> None:
    code = (
        "import resource; from backrank.runtime.memory import available_bytes; before = available_bytes(); "
        "resource.setrlimit(resource.RLIMIT_DATA, (10**9, 10**9)); print(available_bytes() < min(before, 10**9))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "True\n"
