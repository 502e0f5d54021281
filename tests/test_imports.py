"""Importing is free: what is loaded for `import backrank`, for help, and for the small jobs."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache
from pathlib import Path

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


def not_idle(modules: set[str], idle: tuple[str, ...]) -> list[str]:
    """The modules that are in one of the rooms; the `__init__.py` of a room, which only re-exports, is none of them."""
    return sorted(module for module in modules if module.startswith(tuple(f"{room}." for room in idle)))


def roots(modules: frozenset[str]) -> set[str]:
    return {module.partition(".")[0] for module in modules}


def test_importing_the_package_loads_nothing_but_the_standard_library() -> None:
    own = loaded_by("import backrank") - loaded_by("pass")
    assert not roots(own) & {*HEAVY, *IDLE, "rich", "typer", "click"}
    foreign = {root for root in roots(own) if root not in sys.stdlib_module_names}
    assert foreign == {"backrank"}
    assert not any(module.startswith("backrank.cli") or module.endswith("_jit") for module in own)
    assert len(own) < 120


def test_importing_is_the_same_as_solving_something_small() -> None:
    """8x8 tours and 92 placements run in plain Python: nothing more is loaded for them."""
    code = "import backrank; backrank.KnightTours(8).solve(); list(backrank.Queens(8)); backrank.KnightTours(5).count()"
    more = loaded_by(code) - loaded_by("import backrank")
    assert not roots(more) - set(sys.stdlib_module_names) - {"backrank"}
    assert not any(module.startswith("backrank") and module.endswith("_jit") for module in more)
    assert len(more) < 160


COMMANDS = ("backrank.cli.commands.", "backrank.cli.watch.")
ROOMS = (
    "backrank.tours.",
    "backrank.queens.",
    "backrank.search.",
    "backrank.formats.",
    "backrank.render.",
    "backrank.geometry.",
    "backrank.jobs.",
    "backrank.arena.",
    "backrank.selftest.",
    "backrank.web.",
)
OTHERS = ("jobs", "arena", "selftest", "web")


@pytest.mark.parametrize(
    ("words", "commands"),
    [
        ((), set()),
        (("--help",), set()),
        (("--version",), set()),
        (("solve", "--help"), set()),
        (("count",), set()),
        (("sovle",), set()),
        (("solve", "tuor"), set()),
        (("solve", "tour", "--help"), {"solve"}),
        (("list", "queens", "--help"), {"listing"}),
        (("check", "queens", "--help"), {"check"}),
        (("draw", "tour", "--help"), {"draw"}),
        (("sample", "tours", "--help"), {"sample"}),
        (("compare", "tour", "--help"), {"compare"}),
        (("bench", "--help"), {"bench"}),
        (("selftest", "--help"), {"selftest"}),
        (("serve", "--help"), {"serve"}),
        (("watch", "tour", "--help"), {"watch", "player", "keys"}),
    ],
)
def test_help_loads_the_command_that_it_explains(words: tuple[str, ...], commands: set[str]) -> None:
    modules = by_command(*words)
    assert {module.rpartition(".")[2] for module in modules if module.startswith(COMMANDS)} == commands
    assert not roots(modules) & {*HEAVY, *IDLE}
    assert not [module for module in modules if module.startswith(ROOMS)], "options are texts until the command runs"
    own = modules - loaded_by("pass")
    assert len(own) < 420, "rich renders the help; it and typer are all that may be loaded"
    assert len([module for module in own if module.startswith("backrank")]) < 30


def test_the_help_of_counts_and_jobs_loads_their_commands_only() -> None:
    others = ("solve", "listing", "check", "sample", "compare", "draw", "bench", "selftest", "serve")
    for words in (("count", "tours", "--help"), ("count", "queens", "--help"), ("jobs", "--help")):
        modules = by_command(*words)
        assert not {f"backrank.cli.commands.{name}" for name in others} & modules, words


# What a command loads nothing of, by rooms of the package.
IDLE_ROOMS = (
    ("solve tour 8x8", ("tours.counting", "tours.ranking", "tours.estimation", "tours.randomize", "queens", *OTHERS)),
    ("solve tour 6x6 --closed", ("tours.counting", "tours.ranking", "tours.estimation", "queens", *OTHERS)),
    (
        "solve tour 8x8 --start a1 --strategy warnsdorff",
        ("tours.counting", "tours.construct", "tours.ranking", "tours.estimation", "queens", *OTHERS),
    ),
    ("solve tour 3x3", ("tours.counting", "tours.construct", "tours.ranking", "tours.solve.stages", "queens", *OTHERS)),
    ("solve queens 8", ("tours", "queens.counting", "queens.ranking", *OTHERS)),
    ("solve queens 8 --placed b4", ("tours", "queens.counting", "queens.ranking", *OTHERS)),
    ("solve queens 3", ("tours", "queens.counting", "queens.ranking", *OTHERS)),
    (
        "count tours 6x6 --closed",
        ("tours.construct", "tours.randomize", "tours.ranking", "tours.estimation", "render", "queens.listing", "web"),
    ),
    ("count queens 8", ("tours", "queens.ranking", "queens.listing.arrays", "render", "arena", "selftest", "web")),
    (
        "list tours 5x5 --limit 2",
        ("tours.counting", "tours.construct", "tours.ranking", "tours.estimation", "queens", *OTHERS),
    ),
    ("list queens 8", ("tours", "queens.ranking", "queens.listing.arrays", "queens.listing.text", *OTHERS)),
    (
        "watch tour 6x6 --frames 1",
        ("tours.counting", "tours.construct", "tours.solve.stages", "tours.ranking", "queens", *OTHERS),
    ),
    ("watch queens 4 --frames 1", ("tours", "queens.counting", "queens.ranking", *OTHERS)),
    ("compare queens 4", ("tours", "queens.counting", "queens.ranking", *OTHERS)),
)


@pytest.mark.parametrize(("words", "idle"), IDLE_ROOMS)
def test_a_command_loads_the_rooms_that_it_needs(words: str, idle: tuple[str, ...]) -> None:
    loaded = {module.removeprefix("backrank.") for module in by_command(*words.split())}
    assert not_idle(loaded, idle) == []
    assert len(loaded) > 20


@pytest.mark.parametrize(
    ("verb", "puzzle", "idle"),
    [
        ("check", "tour", ("tours", "queens", "search", "render.svg", "render.html", *OTHERS)),
        ("check", "queens", ("tours", "queens", "search", "render.svg", "render.html", *OTHERS)),
        ("draw", "tour", ("tours", "queens", "search", *OTHERS)),
        ("draw", "queens", ("tours", "queens", "search", *OTHERS)),
    ],
)
def test_files_are_read_without_a_puzzle(tmp_path: Path, verb: str, puzzle: str, idle: tuple[str, ...]) -> None:
    file = tmp_path / "answer.txt"
    file.write_text("1 8 3 6\n4 11 10 7\n9 2 5 12\n" if puzzle == "tour" else "1 3 0 2\n", encoding="utf-8")
    loaded = {module.removeprefix("backrank.") for module in by_command(verb, puzzle, str(file))}
    assert f"cli.commands.{verb}" in loaded
    assert not_idle(loaded, idle) == []


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
    assert not [module for module in modules if module.startswith("backrank") and module.endswith("_jit")]


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
