"""The rules of the source tree: which room may import which, where kernels stand, and how large things may become.

The table of rooms is explained in docs/design.md. Everything is read off the source; imports under `if TYPE_CHECKING`
and in functions count like all others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from textwrap import dedent

import pytest

from source_tree import (
    PACKAGE,
    SOURCE,
    Import,
    all_imports,
    cycles,
    doubled_classes,
    functions,
    is_ours,
    modules,
    more_than_re_exports,
    parameters,
    size,
    statements,
)

MAX_LINES, MAX_CODE = 450, 400
MAX_MODULES = 18  # of a package
MAX_PARAMETERS = 10
MAX_STATEMENTS = 45

_GROUND = ("_version", "errors", "runtime.progress", "runtime", "geometry")
_DRAW = (*_GROUND, "render", "formats")
_STRATEGIES = (*_GROUND, "search.spaces", "search.events", "search.strategies")
_SEARCH = (*_STRATEGIES, "search")
_TOURS = tuple(
    f"tours.{room}"
    for room in (
        *("spec", "arguments", "inputs", "implicit", "theorems", "frontier", "listing", "construct", "solve"),
        *("randomize", "counting", "estimation", "analysis", "tour", "result", "ranking", "reading", "solve.search"),
    )
)
_QUEENS = tuple(
    f"queens.{room}"
    for room in (
        *("arguments", "rules", "spec", "theorems", "checking", "placement", "backtracking", "listing", "solve"),
        *("counting", "ranking", "reading"),
    )
)
_PUBLIC = (*_SEARCH, "render", "formats", *_TOURS, *_QUEENS, "jobs", "tours", "queens")

# Low to high: a room, and the rooms that it may import besides itself. A module belongs to the longest name that fits.
ROOMS: dict[str, tuple[str, ...]] = {
    "_version": (),
    "runtime.progress": (),
    "errors": ("runtime.progress",),
    "runtime": ("_version", "errors", "runtime.progress"),
    "geometry": ("errors",),
    "published": ("errors", "runtime"),
    "render": _GROUND,
    "formats": (*_GROUND, "render"),
    "search.spaces": _GROUND,
    "search.events": _GROUND,
    "search.strategies": (*_GROUND, "search.spaces", "search.events"),
    "search": (*_STRATEGIES, "render"),
    # Knight's tours, below the puzzle.
    "tours.spec": _GROUND,
    "tours.arguments": _STRATEGIES,
    "tours.inputs": _GROUND,
    "tours.implicit": (),
    "tours.theorems": (*_GROUND, "tours.spec"),
    "tours.frontier": (*_GROUND, "tours.spec"),
    "tours.listing": (*_STRATEGIES, "tours.spec"),
    "tours.construct": (*_STRATEGIES, "tours.spec", "tours.implicit", "tours.theorems", "tours.listing"),
    "tours.solve": (
        *(*_SEARCH, "tours.spec", "tours.theorems", "tours.frontier", "tours.listing"),
        *("tours.implicit", "tours.construct"),
    ),
    "tours.randomize": (
        *(*_GROUND, "tours.spec", "tours.implicit", "tours.theorems"),
        *("tours.construct", "tours.solve"),
    ),
    "tours.counting": (*_GROUND, "tours.spec", "tours.theorems", "tours.frontier", "tours.listing"),
    "tours.estimation": (*_GROUND, "tours.spec", "tours.arguments", "tours.frontier"),
    "tours.analysis": _GROUND,
    "tours.tour": (*_DRAW, "tours.implicit", "tours.analysis", "tours.construct"),
    "tours.result": ("tours.tour",),
    "tours.ranking": (
        *(*_GROUND, "tours.spec", "tours.inputs", "tours.theorems", "tours.frontier", "tours.listing"),
        *("tours.counting", "tours.tour"),
    ),
    "tours.reading": (*_GROUND, "tours.spec", "tours.tour"),
    # The verb `search`: it chooses among the ways to find a tour.
    "tours.solve.search": (
        *(*_SEARCH, "tours.spec", "tours.arguments", "tours.theorems", "tours.construct", "tours.solve"),
        *("tours.randomize", "tours.tour", "tours.result"),
    ),
    # Queens, below the puzzle.
    "queens.arguments": _GROUND,
    "queens.rules": _GROUND,
    "queens.spec": (*_GROUND, "queens.rules"),
    "queens.theorems": (*_GROUND, "queens.spec"),
    "queens.checking": _GROUND,
    "queens.placement": (*_DRAW, "queens.checking"),
    "queens.backtracking": (*_GROUND, "queens.rules", "queens.spec"),
    "queens.listing": (*_GROUND, "queens.rules", "queens.spec", "queens.backtracking"),
    "queens.solve": (
        *(*_SEARCH, "queens.arguments", "queens.rules", "queens.spec", "queens.checking", "queens.placement"),
        *("queens.backtracking", "queens.listing"),
    ),
    "queens.counting": (*_GROUND, "queens.rules", "queens.spec", "queens.backtracking", "queens.solve"),
    "queens.ranking": (
        *(*_GROUND, "queens.arguments", "queens.rules", "queens.spec", "queens.placement", "queens.backtracking"),
        *("queens.listing", "queens.solve", "queens.counting"),
    ),
    "queens.reading": (*_GROUND, "queens.spec", "queens.placement"),
    # Jobs cut counts; the puzzles stand above, since they keep their counts as jobs.
    "jobs": (
        *(*_GROUND, "tours.spec", "tours.frontier", "tours.counting"),
        *("queens.spec", "queens.backtracking", "queens.counting"),
    ),
    "tours.puzzle": (*_SEARCH, *_TOURS, "jobs"),
    "tours": (*_GROUND, *_TOURS, "tours.puzzle"),
    "queens.puzzle": (*_SEARCH, *_QUEENS, "jobs"),
    "queens": (*_GROUND, *_QUEENS, "queens.puzzle"),
    "": _PUBLIC,  # backrank/__init__.py re-exports
    # These compare and use both puzzles.
    "arena": (*_PUBLIC, "tours.puzzle", "queens.puzzle", "published"),
    "selftest": (*_PUBLIC, "tours.puzzle", "queens.puzzle", "published", "arena"),
    "web": (*_PUBLIC, ""),
    "cli": (*_PUBLIC, "", "published", "arena", "selftest", "web"),
    "__main__": ("cli",),
}

# The doors of the puzzles: the modules of `tours` and `queens` that may be imported from outside of them.
DOORS: dict[str, frozenset[str]] = {
    "": frozenset({"tours", "queens"}),
    # Jobs cut a count into units, so they need the counters themselves.
    "jobs": frozenset(
        {
            *("tours.spec", "tours.counting.spec", "tours.counting.plan", "tours.counting.frontier_plan"),
            *("tours.counting.layers", "tours.counting.folder", "tours.frontier.segments"),
            *("queens.spec", "queens.counting.spec", "queens.counting.plan", "queens.counting.run"),
            *("queens.counting.methods", "queens.counting.symmetric", "queens.counting.column_sets"),
            "queens.backtracking.splitting",
        }
    ),
    # The arena compares algorithms on purpose, each called by itself.
    "arena": frozenset(
        {
            *("tours.puzzle", "tours.listing.reference", "tours.solve.cpsat"),
            *("queens.puzzle", "queens.backtracking.bits", "queens.backtracking.reference"),
            *("queens.backtracking.rows", "queens.listing.arrays", "queens.counting.methods"),
            *("queens.counting.symmetric", "queens.solve.line_search", "queens.solve.most_constrained"),
        }
    ),
    # Published values are counted by algorithms that share no code.
    "selftest": frozenset(
        {
            *("tours.puzzle", "tours.spec", "tours.frontier.reference", "tours.listing.exact"),
            *("queens.puzzle", "queens.counting.methods", "queens.counting.symmetric"),
        }
    ),
    "web": frozenset(
        {
            *("tours", "tours.spec", "tours.counting.spec", "tours.counting.plan", "tours.counting.frontier_plan"),
            *("tours.analysis.facts", "queens", "queens.counting.spec", "queens.counting.plan"),
            "queens.solve.completion",  # plays count what can still be placed, with any number of queens
        }
    ),
    "cli": frozenset(
        {
            *("tours", "tours.counting.spec", "tours.counting.plan", "tours.counting.run"),
            *("tours.counting.frontier_plan", "tours.estimation.estimate", "tours.analysis.facts"),
            *("tours.analysis.checking", "tours.arguments", "queens", "queens.placement", "queens.checking"),
            *("queens.counting.spec", "queens.counting.plan"),
            *("queens.listing.stream", "queens.listing.text"),  # a long list is written as blocks of bytes
        }
    ),
}
CAPABILITIES = ("tours", "queens")
# The public classes stand for all the verbs; they may be longer.
LONG_MODULES = {"tours.puzzle": 800, "queens.puzzle": 800}
# Public verbs whose options are keywords with defaults.
MANY_PARAMETERS = {"tours.puzzle.KnightTours.count"}


def inner(module: str) -> str:
    """Return the name of a module inside the package."""
    return module.removeprefix(PACKAGE).lstrip(".")


def room_of(module: str, rooms: Mapping[str, tuple[str, ...]] = ROOMS) -> str | None:
    """Return the room of a module: the longest name of the table that it is, or begins with."""
    name = inner(module)
    if not name:
        return ""
    fitting = [room for room in rooms if room and (name == room or name.startswith(room + "."))]
    return max(fitting, key=len, default=None)


def misordered(rooms: Mapping[str, tuple[str, ...]]) -> list[str]:
    """Return what keeps a table from being an order from low to high: then there may be a cycle."""
    places = {room: place for place, room in enumerate(rooms)}
    return [
        f"{room} may import {below}"
        for room, allowed in rooms.items()
        for below in allowed
        if places.get(below, len(places)) >= places[room]
    ]


def is_kernel(module: str) -> bool:
    """Return whether a module may import numba: `*_jit`."""
    return module.endswith("_jit")


def is_allowed(each: Import) -> bool:
    """Return whether an import goes to the same room or to one that the table allows."""
    above, below = room_of(each.importer), room_of(each.target)
    return above is not None and below is not None and (above == below or below in ROOMS[above])


def is_by_the_door(each: Import) -> bool:
    """Return whether an import of a puzzle's module is from its own package, or goes to one of the doors."""
    importer, target = inner(each.importer), inner(each.target)
    if target.partition(".")[0] not in CAPABILITIES or importer.partition(".")[0] == target.partition(".")[0]:
        return True
    return target in DOORS.get(importer.partition(".")[0], frozenset())


def is_near_enough(each: Import) -> bool:
    """Return whether an import of a kernel is from the same capability; those of the runtime are for all kernels."""
    importer, target = inner(each.importer).partition(".")[0], inner(each.target)
    if not is_kernel(target) or target.partition(".")[0] == importer:
        return True
    return target.startswith("runtime.") and is_kernel(each.importer)


def wrong_imports(source: Path) -> list[str]:
    """Return everything that breaks the rules on imports."""
    ours = [each for each in all_imports(source) if is_ours(each.target)]
    wrong = [each for each in ours if not (is_allowed(each) and is_by_the_door(each) and is_near_enough(each))]
    wrong += [
        each
        for each in all_imports(source)
        if each.target.partition(".")[0] in {"numba", "llvmlite"} and not is_kernel(each.importer)
    ]
    return list(map(str, wrong))


def too_large(source: Path) -> list[str]:
    """Return the packages, modules and functions that exceed a limit."""
    known = modules(source)
    packages = Counter(path.parent for path in known.values())
    found = [f"{path.name}: {count} modules" for path, count in packages.items() if count > MAX_MODULES]
    for module, path in known.items():
        lines, name = size(path), inner(module)
        if lines.all > LONG_MODULES.get(name, MAX_LINES) or lines.code > MAX_CODE:
            found.append(f"{name}: {lines.all} lines, {lines.code} of code")
        for function, node in functions(path):
            if parameters(node) > MAX_PARAMETERS and f"{name}.{function}" not in MANY_PARAMETERS:
                found.append(f"{name}.{function}: {parameters(node)} parameters")
            if statements(node) > MAX_STATEMENTS:
                found.append(f"{name}.{function}: {statements(node)} statements")
    return found


# --- the package ------------------------------------------------------------------------------------


def test_every_module_has_a_room_and_every_room_a_module() -> None:
    assert [module for module in modules(SOURCE) if room_of(module) is None] == []
    assert {room_of(module) for module in modules(SOURCE)} == set(ROOMS)


def test_the_table_of_rooms_has_no_cycle() -> None:
    assert misordered(ROOMS) == []


def test_imports_point_down_through_the_doors_and_kernels_stay_near() -> None:
    assert wrong_imports(SOURCE) == []


def test_every_door_exists_and_is_used() -> None:
    used = {
        (inner(each.importer).partition(".")[0], inner(each.target))
        for each in all_imports(SOURCE)
        if inner(each.target).partition(".")[0] in CAPABILITIES
    }
    assert {(part, door) for part, doors in DOORS.items() for door in doors} - used == set()


def test_imported_modules_exist() -> None:
    known = modules(SOURCE)
    assert [str(each) for each in all_imports(SOURCE) if is_ours(each.target) and each.target not in known] == []


def test_no_import_cycles() -> None:
    assert cycles(SOURCE) == []


def test_no_class_name_is_defined_twice() -> None:
    assert doubled_classes(SOURCE) == {}


def test_sizes() -> None:
    assert too_large(SOURCE) == []


def test_exceptions_are_still_needed() -> None:
    known = modules(SOURCE)
    assert all(size(known[f"{PACKAGE}.{name}"]).all > MAX_LINES for name in LONG_MODULES)
    many = {
        f"{inner(module)}.{name}"
        for module, path in known.items()
        for name, node in functions(path)
        if parameters(node) > MAX_PARAMETERS
    }
    assert many == MANY_PARAMETERS


def test_init_files_only_re_export() -> None:
    inits = {module: path for module, path in modules(SOURCE).items() if path.name == "__init__.py"}
    assert PACKAGE in inits
    assert {module: lines for module, path in inits.items() if (lines := more_than_re_exports(path))} == {}


# --- the rules themselves ---------------------------------------------------------------------------


def make(folder: Path, files: dict[str, str]) -> Path:
    """Write a small package: an empty package for each room, and the given modules."""
    source = folder / PACKAGE
    rooms = {room.replace(".", "/") for room in ROOMS if room and not room.startswith("_")}
    empty = {name: "" for room in rooms if f"{room}.py" not in files for name in [f"{room}/__init__.py"]}
    for name, text in {"__init__.py": "", "_version.py": "", **empty, **files}.items():
        path = source / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text), encoding="utf-8")
    return source


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("geometry/board.py", "from backrank.errors import InvalidBoard"),
        ("tours/counting/run.py", "from backrank.tours.counting.plan import plan"),
        ("tours/counting/run.py", "from .plan import plan"),
        ("tours/counting/run.py", "from . import plan"),
        ("tours/counting/run.py", "from ..frontier import sweeps"),
        ("tours/counting/run.py", "from backrank.geometry import board"),
        ("tours/puzzle/x.py", "from backrank.tours.solve import stages"),
        ("tours/puzzle/x.py", "def f():\n    from backrank.jobs import counts"),
        ("tours/solve/fast_jit.py", "import numba"),
        ("tours/solve/fast_jit.py", "from numba.core import types"),
        ("formats/grid.py", "from backrank.render import text"),
        ("search/strategies/names.py", "import backrank.search.spaces, backrank.errors"),
        ("cli/main.py", "from backrank import KnightTours"),
        ("cli/main.py", "from backrank.tours import KnightTours"),
        ("web/app.py", "from backrank import jobs"),
        ("jobs/units.py", "from backrank.queens.counting import run"),
        ("errors.py", "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import backrank.runtime.progress"),
        ("__init__.py", "from backrank.tours import KnightTours"),
        ("geometry/board.py", "import numpy"),
        ("geometry/board.py", "import backrank_extras"),
    ],
)
def test_good_imports_pass(tmp_path: Path, name: str, line: str) -> None:
    doors = {"queens/counting/run.py": "", "tours/counting/plan.py": "", "tours/frontier/sweeps.py": ""}
    source = make(tmp_path, {**doors, name: line})
    assert wrong_imports(source) == []
    assert all_imports(source) != ()


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("errors.py", "from backrank.geometry.board import Board"),
        ("geometry/board.py", "from backrank.runtime import budget"),
        ("geometry/board.py", "from ..runtime import budget"),
        ("geometry/board.py", "def f():\n    import backrank.runtime.budget"),
        ("geometry/board.py", "try:\n    pass\nexcept ImportError:\n    from backrank.tours import KnightTours"),
        (
            "geometry/board.py",
            "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import backrank.runtime.budget",
        ),
        ("errors.py", "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import backrank.runtime.budget"),
        ("render/svg.py", "from backrank.formats import grid"),
        ("formats/grid.py", "from backrank.tours import Tour"),
        ("search/strategies/names.py", "from backrank.search import cursor"),
        ("search/cursor.py", "from backrank.tours import Tour"),
        ("tours/counting/run.py", "from ...queens import Queens"),
        ("tours/counting/run.py", "from backrank.tours.solve import stages"),
        ("tours/counting/run.py", "from backrank.tours import KnightTours"),
        ("tours/counting/run.py", "from backrank.jobs import counts"),
        ("queens/counting/run.py", "from backrank.tours.counting import plan"),
        ("queens/puzzle/x.py", "from backrank.tours.theorems import existence"),
        ("queens/puzzle/x.py", "from backrank import Queens"),
        ("tours/counting/run.py", "import numba"),
        ("tours/counting/run.py", "def f():\n    from numba import njit"),
        ("tours/solve/rows.py", "import llvmlite.binding"),
        ("jobs/ledger.py", "from backrank.cli.main import main"),
        ("web/app.py", "from backrank.cli.main import main"),
        ("web/app.py", "from backrank.tours.counting import layers"),  # no door
        ("cli/main.py", "from backrank.queens.backtracking import rows"),  # no door
        ("jobs/units.py", "from backrank.tours.frontier import states_jit"),
        ("queens/solve/rows.py", "from backrank.runtime import fast_jit"),
        ("search/cursor.py", "from backrank.runtime.fast_jit import loop"),
        ("tours/counting/run.py", "from backrank.unheard import of"),
        ("unheard.py", "from backrank.geometry.board import Board"),
    ],
)
def test_bad_imports_are_found(tmp_path: Path, name: str, line: str) -> None:
    inside = ("tours/counting/layers.py", "queens/backtracking/rows.py", "tours/frontier/states_jit.py")
    source = make(tmp_path, {**dict.fromkeys((*inside, "runtime/fast_jit.py"), ""), name: line})
    (module,) = (module for module, path in modules(source).items() if path == source / name)
    (found,) = wrong_imports(source)
    assert found.startswith(module)


def test_a_cycle_in_a_table_is_found() -> None:
    assert misordered({"a": (), "b": ("a",)}) == []
    assert misordered({"a": ("b",), "b": ("a",)}) == ["a may import b"]
    assert misordered({"a": ("a",), "b": ("c",)}) == ["a may import a", "b may import c"]


@pytest.mark.parametrize(
    ("module", "room"),
    [
        ("backrank", ""),
        ("backrank.runtime.progress", "runtime.progress"),
        ("backrank.runtime.progressing", "runtime"),
        ("backrank.tours.counting.plan", "tours.counting"),
        ("backrank.tours", "tours"),
        ("backrank.unheard", None),
    ],
)
def test_the_longest_name_is_the_room(module: str, room: str | None) -> None:
    assert room_of(module) == room


def test_cycles_are_found(tmp_path: Path) -> None:
    source = make(
        tmp_path,
        {
            "tours/one.py": "from backrank.tours.two import x",
            "tours/two.py": "def f():\n    from . import three",
            "tours/three.py": "import typing\nif typing.TYPE_CHECKING:\n    from .one import y",
            "tours/alone.py": "import backrank.geometry.board\nfrom .one import y",
        },
    )
    on_cycles = {cycle[0] for cycle in cycles(source)}
    assert on_cycles == {f"{PACKAGE}.tours.{name}" for name in ("one", "two", "three")}
    assert [f"{PACKAGE}.tours.{name}" for name in ("one", "two", "three", "one")] in cycles(source)
    own = make(
        tmp_path / "own", {"tours/__init__.py": "from .one import x", "tours/one.py": "from backrank.tours import y"}
    )
    assert len(cycles(own)) == 2


def test_doubled_classes_are_found(tmp_path: Path) -> None:
    source = make(
        tmp_path,
        {"tours/one.py": "class _Net: pass\nclass Route: pass", "queens/two.py": "def f():\n    class _Net: pass"},
    )
    assert doubled_classes(source) == {"_Net": [f"{PACKAGE}.queens.two", f"{PACKAGE}.tours.one"]}


@pytest.mark.parametrize(
    ("files", "found"),
    [
        ({"jobs/one.py": "x = 1\n" * MAX_CODE}, []),
        ({"jobs/one.py": "x = 1\n" * (MAX_CODE + 1)}, ["jobs.one: 401 lines, 401 of code"]),
        ({"jobs/one.py": "\n# why\n" * 225}, []),
        ({"jobs/one.py": "\n# why\n" * 226}, ["jobs.one: 452 lines, 0 of code"]),
        ({"jobs/one.py": '"""Doc.\n' + "text\n" * 440 + '"""\n'}, []),
        ({f"jobs/m{number}.py": "" for number in range(MAX_MODULES)}, ["jobs: 19 modules"]),
        ({"jobs/one.py": "def f(a, /, b, *c, d, e, f, g, h, i, **j): pass"}, []),
        (
            {"jobs/one.py": "class A:\n    def f(self, /, b, *c, d, e, f, g, h, i, j, **k): pass"},
            ["jobs.one.A.f: 11 p"],
        ),
        ({"jobs/one.py": "def f():\n" + "    x = 1\n" * MAX_STATEMENTS}, []),
        ({"jobs/one.py": 'def f():\n    """Doc."""\n' + "    x = 1\n" * MAX_STATEMENTS}, []),
        ({"jobs/one.py": "async def f():\n  if 1:\n" + "    x = 1\n" * MAX_STATEMENTS}, ["jobs.one.f: 46 statements"]),
    ],
    ids=str,
)
def test_what_is_too_large_is_found(tmp_path: Path, files: dict[str, str], found: list[str]) -> None:
    large = too_large(make(tmp_path, files))
    assert len(large) == len(found)
    assert all(each.startswith(start) for each, start in zip(large, found, strict=True))


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ('"""Doc."""\nfrom x import y\n__all__ = ["y"]', []),
        ("", []),
        ("_WHERE = {}\ndef __getattr__(name):\n    return 1\ndef __dir__():\n    return []", []),
        ("from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from x import y", []),
        ("__all__: list[str] = []", []),
        ("_WHERE = {}\n__getattr__ = lazy_exports(__name__, _WHERE, globals())", []),
        ("_WHERE = {}", [1]),
        ("__dir__ = sorted", [1]),
        ("__getattr__ = print", []),
        ("from x import y\ndef __getattr__(name):\n    return 1", []),
        ("def __getattr__(name):\n    return 1\ndef solve():\n    return 2", [1, 3]),
        ("from x import y\nclass A:\n    pass", [2]),
        ("from x import y\nz = y()", [2]),
        ("from x import y\ny()", [2]),
        ("from x import y\n'late'", [2]),
        ("if True:\n    from x import y", [1]),
        ("for x in ():\n    pass", [1]),
    ],
)
def test_what_init_files_may_hold(tmp_path: Path, text: str, lines: list[int]) -> None:
    path = tmp_path / "__init__.py"
    path.write_text(text, encoding="utf-8")
    assert more_than_re_exports(path) == lines
