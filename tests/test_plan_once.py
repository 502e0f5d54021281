"""One count, one plan: the command line, the page, jobs and the methods of the puzzles decide once how to count."""

from __future__ import annotations

import importlib
import io
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from backrank import KnightTours, Queens
from backrank.web.models import CountAsked
from backrank.web.workers import counting
from backrank.web.workers.context import WorkContext

Run = Callable[..., subprocess.CompletedProcess[str]]
TOURS, FRONTIER = "backrank.tours.counting.plan.plan", "backrank.tours.counting.frontier_plan.explain"
QUEENS, METHOD = "backrank.queens.counting.plan.plan", "backrank.queens.counting.methods.choose"
# What imports the planning functions by name; loaded before they are replaced, so that all get the same ones.
USERS = (
    "backrank.cli.commands.count_queens",
    "backrank.cli.commands.count_tours",
    "backrank.jobs.queens",
    "backrank.jobs.tours",
    "backrank.queens.counting.run",
    "backrank.queens.puzzle",
    "backrank.tours.counting.run",
    "backrank.tours.puzzle",
)


def holders(function: object) -> list[tuple[Any, str]]:
    """Return the modules of the package that have a function under some name."""
    ours = [module for name, module in sys.modules.items() if name.partition(".")[0] == "backrank"]
    return [(module, name) for module in ours for name, value in vars(module).items() if value is function]


@pytest.fixture
def plans() -> Iterator[Counter[str]]:
    """Count the calls of the four planning functions, by whatever module."""
    calls: Counter[str] = Counter()
    for module in USERS:
        importlib.import_module(module)
    replaced = []
    for path in (TOURS, FRONTIER, QUEENS, METHOD):
        module, _, name = path.rpartition(".")
        original = getattr(sys.modules[module], name)
        replaced.append((original, _counted(original, path, calls)))
    for original, counted in replaced:
        for module, name in holders(original):
            setattr(module, name, counted)
    yield calls
    for original, counted in replaced:
        for module, name in holders(counted):
            setattr(module, name, original)


def _counted(function: Callable[..., Any], path: str, calls: Counter[str]) -> Callable[..., Any]:
    def counted(*args: Any, **options: Any) -> Any:
        calls[path] += 1
        return function(*args, **options)

    return counted


@pytest.mark.parametrize(
    ("words", "answer", "expected"),
    [
        (("tours", "6x6", "--closed"), "9862 ", {TOURS: 1, FRONTIER: 1}),
        (("tours", "5x6", "--undirected"), "18784 ", {TOURS: 1, FRONTIER: 1}),
        (("tours", "5x5", "--closed"), "0 ", {TOURS: 1}),
        (("tours", "5x5", "--method", "listing"), "1728 ", {TOURS: 1}),
        (("tours", "6x6", "--closed", "--symmetry", "180"), "", {TOURS: 1}),
        (("tours", "6x6", "--closed", "--explain"), "", {TOURS: 1, FRONTIER: 1}),
        # A second plan is made on purpose: of the closed tours that are left out; in another order.
        (("tours", "5x6", "--strictly-open"), "", {TOURS: 1, FRONTIER: 2}),
        (("tours", "6x6", "--closed", "--verify"), "9862 ", {TOURS: 1, FRONTIER: 2}),
        (("queens", "8"), "92 ", {QUEENS: 1, METHOD: 1}),
        (("queens", "14"), "365596 ", {QUEENS: 1, METHOD: 1}),
        (("queens", "8", "--up-to-symmetry"), "12 ", {QUEENS: 1, METHOD: 1}),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_a_command_plans_once(
    inside: Run, plans: Counter[str], words: tuple[str, ...], answer: str, expected: dict[str, int]
) -> None:
    done = inside("count", *words, "--no-ledger")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(answer)
    assert plans == expected


@pytest.mark.parametrize(
    ("words", "answer", "expected"),
    [
        (("tours", "7x8", "--closed"), "34524432316 ", {TOURS: 1, FRONTIER: 1}),
        (("queens", "13", "--units", "3"), "73712 ", {QUEENS: 1, METHOD: 1}),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_a_count_that_is_kept_is_planned_once_and_so_is_its_answer(
    inside: Run, plans: Counter[str], tmp_path: Path, words: tuple[str, ...], answer: str, expected: dict[str, int]
) -> None:
    for again in range(1, 3):
        done = inside("count", *words, "--ledger", str(tmp_path / "ledger.sqlite"))
        assert done.returncode == 0, done.stderr
        assert done.stdout.startswith(answer)
        assert ("counted" in done.stderr) or again == 1
        assert plans == {path: again * times for path, times in expected.items()}


def test_the_methods_of_the_puzzles_plan_once(plans: Counter[str], tmp_path: Path) -> None:
    assert KnightTours(6, closed=True).count() == 9862
    assert plans == {TOURS: 1, FRONTIER: 1}
    plans.clear()
    assert KnightTours(5, 6, closed=True).count(ledger=tmp_path / "tours.sqlite") == 8
    assert plans == {TOURS: 1, FRONTIER: 1}
    plans.clear()
    assert Queens(9).count() == 352
    assert plans == {QUEENS: 1, METHOD: 1}
    plans.clear()
    assert Queens(12).count(method="rows", ledger=tmp_path / "queens.sqlite") == 14200
    assert plans[QUEENS] == 1


@pytest.mark.parametrize("kept", [False, True], ids=["not kept", "with a ledger"])
@pytest.mark.parametrize(
    ("puzzle", "number", "expected"),
    [
        ({"kind": "tour", "board": "6x6", "closed": True}, "9862", {TOURS: 1, FRONTIER: 1}),
        ({"kind": "queens", "board": "10x10"}, "724", {QUEENS: 1, METHOD: 1}),
    ],
    ids=["tours", "queens"],
)
def test_the_page_plans_once(
    plans: Counter[str], tmp_path: Path, puzzle: dict[str, Any], number: str, expected: dict[str, int], kept: bool
) -> None:
    asked = CountAsked.model_validate({"puzzle": puzzle}).model_dump(mode="json")
    ledger = str(tmp_path / "ledger.sqlite") if kept else None
    work = {"asked": asked, "ledger": ledger, "named": kept, "job": None}
    assert counting.count(work, WorkContext(io.StringIO())) == {"count": number}
    assert plans == expected


def test_a_job_of_one_unit_is_planned_by_its_worker(inside: Run, plans: Counter[str], tmp_path: Path) -> None:
    """A worker may be elsewhere, and has only the spec of the job; what is cut into units needs no plan there."""
    done = inside("count", "queens", "8", "--ledger", str(tmp_path / "ledger.sqlite"))
    assert done.stdout.startswith("92 ")
    assert plans == {QUEENS: 2, METHOD: 2}


def test_the_counters_see_every_caller(plans: Counter[str]) -> None:
    from backrank.jobs.queens import queens_job
    from backrank.jobs.tours import tours_job

    spec, wanted = Queens(8).spec, Queens(8).count_plan().wanted
    queens_job(spec, wanted)
    tours_job(KnightTours(6, closed=True).spec, directed=False)
    assert plans == {QUEENS: 2, METHOD: 2, FRONTIER: 1}
