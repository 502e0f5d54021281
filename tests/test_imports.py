"""Importing is free: what is loaded for `import backrank`, for help, and for the small jobs."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache

import pytest

HEAVY = ("numpy", "numba", "llvmlite", "PIL", "psutil", "fastapi", "uvicorn", "hypothesis", "pytest")
# What asks the network, other processes or a database has no business in a small job either.
IDLE = ("asyncio", "multiprocessing", "sqlite3", "http", "concurrent", "unittest")

_REPORT = """
import json, sys
try:
    {code}
except SystemExit:
    pass
print("\\n" + json.dumps(sorted(sys.modules)), file=sys.stderr)
"""


@cache
def loaded_by(code: str) -> frozenset[str]:
    """The modules that a fresh Python has loaded after running some code."""
    done = subprocess.run(
        [sys.executable, "-c", _REPORT.format(code=code)], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    return frozenset(json.loads(done.stderr.splitlines()[-1]))


def by_command(*words: str) -> frozenset[str]:
    return loaded_by(f"from backrank.cli.main import main; main({list(words)!r})")


def roots(modules: frozenset[str]) -> set[str]:
    return {module.partition(".")[0] for module in modules}


def test_importing_the_package_loads_nothing_but_the_standard_library() -> None:
    own = loaded_by("import backrank") - loaded_by("pass")
    assert not roots(own) & {*HEAVY, *IDLE, "rich", "typer", "click"}
    foreign = {root for root in roots(own) if root not in sys.stdlib_module_names}
    assert foreign == {"backrank"}
    assert not any(module.startswith(("backrank.cli", "backrank.kernels")) for module in own)
    assert len(own) < 120


def test_importing_is_the_same_as_solving_something_small() -> None:
    """8x8 tours and 92 placements run in plain Python: nothing more is loaded for them."""
    code = "import backrank; backrank.KnightTours(8).solve(); list(backrank.Queens(8)); backrank.KnightTours(5).count()"
    more = loaded_by(code) - loaded_by("import backrank")
    assert not roots(more) - set(sys.stdlib_module_names) - {"backrank"}
    assert not any(module.startswith("backrank.kernels") for module in more)
    assert len(more) < 140


@pytest.mark.parametrize("words", [("--help",), ("solve", "tour", "--help"), ("check", "queens", "--help")])
def test_help_loads_nothing_heavy(words: tuple[str, ...]) -> None:
    modules = by_command(*words)
    assert not roots(modules) & {*HEAVY, *IDLE}
    # What the puzzles need is loaded when a puzzle is asked for. Boards and errors are what the options are about.
    puzzles = ("backrank.tours", "backrank.queens", "backrank.search", "backrank.formats", "backrank.kernels")
    assert not [module for module in modules if module.startswith(puzzles)]
    own = modules - loaded_by("pass")
    assert len(own) < 420, "rich renders the help; it and typer are all that may be loaded"
    assert len([module for module in own if module.startswith("backrank")]) < 40


@pytest.mark.parametrize(
    "words",
    [
        ("--version",),
        ("solve", "tour", "8x8"),
        ("list", "queens", "8"),
        ("count", "tours", "5x5"),
        ("solve", "tour", "5x5", "--closed", "--json"),
    ],
)
def test_small_jobs_load_no_kernels(words: tuple[str, ...]) -> None:
    modules = by_command(*words)
    assert not roots(modules) & {*HEAVY, *IDLE}
    assert not [module for module in modules if module.startswith("backrank.kernels")]


def test_the_public_names_are_all_there() -> None:
    import backrank

    assert backrank.__all__ == sorted(set(backrank.__all__), key=backrank.__all__.index)
    for name in backrank.__all__:
        assert getattr(backrank, name) is not None
    public = {name for name, value in vars(backrank).items() if name[0].isupper() and callable(value)}
    assert public <= set(backrank.__all__)


def test_python_m_is_the_command() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "backrank", "--version"], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout == f"backrank {__import__('backrank').__version__}\n"
