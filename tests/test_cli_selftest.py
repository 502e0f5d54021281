"""`backrank selftest`: a line for each value, a verdict, and an exit code."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from backrank.published.values import Published, read_published
from backrank.runtime.budget import Budget
from backrank.selftest.methods import WAYS, Way, side

Run = Callable[..., subprocess.CompletedProcess[str]]
EIGHT = next(each for each in read_published() if (each.kind, each.size) == ("queens.all", "8"))
TWO = [way for way in WAYS if way.kind == "queens.all" and way.name in ("tutorial", "bits")]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Published, list[Way]]]:
    """Let the command check what the list says, instead of everything."""
    wanted: list[tuple[Published, list[Way]]] = [(EIGHT, [*TWO])]
    monkeypatch.setattr("backrank.selftest.recounts.checks", lambda **_: wanted)
    return wanted


def test_all_published_values_agree(backrank: Run) -> None:
    done = backrank("selftest")
    assert done.returncode == 0, done.stdout
    lines = done.stdout.splitlines()
    assert all(line.startswith("ok     ") for line in lines[:-1])
    assert lines[-1].startswith(f"passed: {len(lines) - 1} published values counted anew")
    assert len(lines) > 200
    assert any(
        line.startswith("ok     tours.closed.undirected 6x6 = 9862 (A175881): frontier, layers") for line in lines
    )
    assert "queens.domination" in done.stderr


def test_a_line_and_a_verdict(inside: Run, asked: list[object]) -> None:
    done = inside("selftest", "-q")
    assert asked
    assert done.returncode == 0
    assert len(done.stdout.splitlines()) == 1
    assert done.stderr == ""
    done = inside("selftest")
    assert done.stdout.startswith("ok     queens.all 8 = 92 (A000170): tutorial, bits, ")


def test_json_has_everything(inside: Run, asked: list[object], tmp_path: Path) -> None:
    path = tmp_path / "checks.json"
    assert inside("selftest", "--json", "-o", str(path)).returncode == 0
    data = json.loads(path.read_text(encoding="utf-8"))
    assert len(asked) == data["checked"] == 1
    assert (data["passed"], data["wrong"], data["alone"]) == (True, 0, 0)
    assert data["checks"][0]["counts"] == {"tutorial": "92", "bits": "92"}


def test_what_disagrees_is_named_and_is_exit_code_1(inside: Run, asked: list[tuple[Published, list[Way]]]) -> None:
    asked[0][1].append(Way("liar", "queens.all", lambda *_: 93, side, 8, 8))
    done = inside("selftest", "-q")
    assert done.returncode == 1
    assert "WRONG  queens.all 8 = 92 (A000170): tutorial gave 92; bits gave 92; liar gave 93" in done.stdout
    assert "NOT passed: 1 of 1 values are wrong" in done.stdout
    assert json.loads(inside("selftest", "--json").stdout)["passed"] is False


def test_what_is_not_installed_is_left_to_the_others(inside: Run, asked: list[tuple[Published, list[Way]]]) -> None:
    def missing(_published: Published, _budget: Budget) -> int:
        raise ImportError("no module named 'engine'", name="engine")

    asked[0][1][1] = Way("engine", "queens.all", missing, side, 8, 8)
    done = inside("selftest")
    assert done.returncode == 0
    assert "1 of them by one algorithm alone" in done.stdout


def test_ctrl_c_is_exit_code_130(inside: Run, asked: list[tuple[Published, list[Way]]]) -> None:
    def interrupted(_published: Published, _budget: Budget) -> int:
        raise KeyboardInterrupt

    asked.append((EIGHT, [Way("slow", "queens.all", interrupted, side, 8, 8)]))
    done = inside("selftest")
    assert done.returncode == 130
    assert "stopped after 1 values, all of which agree" in done.stdout
    assert done.stderr.endswith("backrank: stopped after 1 of 2 values\n")
