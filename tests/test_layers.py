"""Imports point one way, modules stay small, and `__init__.py` files only re-export: read off the source."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path
from textwrap import dedent
from typing import NamedTuple

import pytest

PACKAGE = "backrank"
SOURCE = Path(__file__).parents[1] / "src" / PACKAGE
MAX_LINES = 450

# Low to high. A module imports from lower layers and from its own part, not from its neighbours in the layer.
LAYERS = (
    ("errors", "_version", "_lazy"),
    ("board",),
    ("budget", "durable", "memory", "pieces", "randomness", "symmetry", "verify"),
    ("formats", "render"),
    ("kernels",),
    ("search",),
    ("tours", "queens"),
    ("arena",),
    ("jobs",),
    ("cli", "web"),
    ("", "__main__"),  # backrank/__init__.py re-exports from everywhere
)
# A neighbour in the layer that may be imported after all.
NEIGHBOURS = {("verify", "pieces"), ("formats", "render"), ("cli", "web")}
# Parts that know less than their layer allows.
ONLY = {"verify": {"errors", "board", "pieces"}, "symmetry": {"errors", "board"}}
# What a module may define to load its names when they are first used (PEP 562).
HOOKS = {"__getattr__", "__dir__"}
# These may use the public names, which stand above them: the rest of the package imports from where things are.
ON_TOP = {"cli", "web", "__main__"}


class Import(NamedTuple):
    """One imported module, seen from the module that imports it."""

    importer: str
    target: str
    line: int
    for_types: bool

    def __str__(self) -> str:
        return f"{self.importer}:{self.line} imports {self.target}"


def part(module: str) -> str:
    """The part of the package that a module belongs to: `tours` for `backrank.tours.warnsdorff`."""
    return module.removeprefix(PACKAGE).lstrip(".").partition(".")[0]


def modules(source: Path) -> dict[str, Path]:
    """All modules under a folder that stands for the package, by their dotted names."""
    found = {}
    for path in sorted(source.rglob("*.py")):
        inner = path.relative_to(source).with_suffix("").parts
        found[".".join((PACKAGE, *(inner[:-1] if inner[-1] == "__init__" else inner)))] = path
    return found


def _is_type_checking(test: ast.expr) -> bool:
    return (isinstance(test, ast.Name) and test.id == "TYPE_CHECKING") or (
        isinstance(test, ast.Attribute) and test.attr == "TYPE_CHECKING"
    )


def _import_nodes(tree: ast.AST, *, for_types: bool = False) -> Iterator[tuple[ast.Import | ast.ImportFrom, bool]]:
    """All import statements however deep, and whether they stand under `if TYPE_CHECKING:`."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node, for_types
        elif isinstance(node, ast.If) and _is_type_checking(node.test):
            for child in node.body:
                yield from _import_nodes(ast.Module([child], []), for_types=True)
            for child in node.orelse:
                yield from _import_nodes(ast.Module([child], []), for_types=for_types)
        else:
            yield from _import_nodes(node, for_types=for_types)


def imports(module: str, path: Path, known: Mapping[str, Path]) -> list[Import]:
    """All imports of a module; `from package import name` counts as the module `package.name` if there is one."""
    found = []
    for node, for_types in _import_nodes(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            targets = [alias.name for alias in node.names]
        else:
            base = node.module or ""
            if node.level:
                package = module if path.name == "__init__.py" else module.rpartition(".")[0]
                parents = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*parents, base]) if base else ".".join(parents)
            inner = [f"{base}.{alias.name}" for alias in node.names]
            targets = [name if name in known else base for name in inner]
        found += [Import(module, target, node.lineno, for_types) for target in dict.fromkeys(targets)]
    return found


def all_imports(source: Path) -> list[Import]:
    known = modules(source)
    return [each for module, path in known.items() for each in imports(module, path, known)]


def is_ours(target: str) -> bool:
    return target == PACKAGE or target.startswith(PACKAGE + ".")


def layer_of(name: str) -> int | None:
    return next((level for level, names in enumerate(LAYERS) if name in names), None)


def is_allowed(each: Import) -> bool:
    """Whether an import of our own modules points the right way."""
    importer, target = part(each.importer), part(each.target)
    if importer == "errors" and each.for_types:
        return True
    above, below = layer_of(importer), layer_of(target)
    if above is None or below is None:
        return False
    if importer in ONLY:
        return target in ONLY[importer]
    if target == "":
        return importer in ON_TOP
    return below < above or importer == target or (importer, target) in NEIGHBOURS


def wrong_imports(source: Path) -> list[str]:
    """Everything that breaks the rules on imports."""
    wrong = [str(each) for each in all_imports(source) if is_ours(each.target) and not is_allowed(each)]
    wrong += [
        str(each)
        for each in all_imports(source)
        if each.target.partition(".")[0] in {"numba", "llvmlite"} and part(each.importer) != "kernels"
    ]
    return wrong


def cycles(source: Path) -> list[list[str]]:
    """One cycle of imports through each module that is on any; imports for types only do not run."""
    graph: dict[str, list[str]] = {module: [] for module in modules(source)}
    for each in all_imports(source):
        if is_ours(each.target) and not each.for_types and each.target in graph:
            graph[each.importer].append(each.target)
    found = []
    for start in graph:
        trails = [[start]]
        seen = set()
        while trails:
            trail = trails.pop()
            for target in graph[trail[-1]]:
                if target == start:
                    found.append([*trail, start])
                    trails.clear()
                    break
                if target not in seen:
                    seen.add(target)
                    trails.append([*trail, target])
    return found


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _assigned(node: ast.Assign | ast.AnnAssign) -> list[str]:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return [target.id if isinstance(target, ast.Name) else "" for target in targets]


def more_than_re_exports(path: Path) -> list[int]:
    """The lines of an `__init__.py` that do anything but import, and say what is exported."""
    body = ast.parse(path.read_text(encoding="utf-8")).body
    functions = {node.name for node in body if isinstance(node, ast.FunctionDef)}
    assigned = {name for node in body if isinstance(node, ast.Assign | ast.AnnAssign) for name in _assigned(node)}
    is_lazy = "__getattr__" in functions | assigned and functions <= HOOKS
    wrong = []
    for number, node in enumerate(body):
        fine = isinstance(node, ast.Import | ast.ImportFrom) or (number == 0 and _is_docstring(node))
        if isinstance(node, ast.Assign | ast.AnnAssign):
            # A lazy package needs a table of where its names are: a private constant.
            fine = all(
                name == "__all__" or (is_lazy and (name in HOOKS or (name.startswith("_") and name[1:].isupper())))
                for name in _assigned(node)
            )
        elif isinstance(node, ast.FunctionDef):
            fine = is_lazy
        elif isinstance(node, ast.If):
            fine = _is_type_checking(node.test) and all(
                isinstance(child, ast.Import | ast.ImportFrom) for child in (*node.body, *node.orelse)
            )
        if not fine:
            wrong.append(node.lineno)
    return wrong


# --- the package ------------------------------------------------------------------------------------


def test_every_part_has_a_layer() -> None:
    known = modules(SOURCE)
    assert f"{PACKAGE}.board" in known
    assert sorted({part(module) for module in known if layer_of(part(module)) is None}) == []
    names = [name for layer in LAYERS for name in layer]
    assert len(names) == len(set(names))


def test_imports_point_one_way() -> None:
    assert wrong_imports(SOURCE) == []


def test_imported_modules_exist() -> None:
    known = modules(SOURCE)
    assert [str(each) for each in all_imports(SOURCE) if is_ours(each.target) and each.target not in known] == []


def test_no_import_cycles() -> None:
    assert cycles(SOURCE) == []


def test_modules_can_be_read_in_one_sitting() -> None:
    lengths = {
        str(path.relative_to(SOURCE)): len(path.read_text(encoding="utf-8").splitlines())
        for path in modules(SOURCE).values()
    }
    assert {name: length for name, length in lengths.items() if length > MAX_LINES} == {}


def test_init_files_only_re_export() -> None:
    inits = {module: path for module, path in modules(SOURCE).items() if path.name == "__init__.py"}
    assert PACKAGE in inits
    assert {module: lines for module, path in inits.items() if (lines := more_than_re_exports(path))} == {}


# --- the rules themselves ---------------------------------------------------------------------------


def make(folder: Path, files: dict[str, str]) -> Path:
    """Write a small package of the given modules, with all the parts that they may import."""
    source = folder / PACKAGE
    parts = [name for layer in LAYERS for name in layer if name and not name.startswith("__")]
    for name in ("__init__.py", *(f"{part}/__init__.py" for part in parts if f"{part}.py" not in files)):
        path = source / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("", encoding="utf-8")
    for name, text in files.items():
        (source / name).write_text(dedent(text), encoding="utf-8")
    return source


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("board.py", "from backrank.errors import InvalidBoard"),
        ("tours/count.py", "from backrank.tours.listing.reference import count"),
        ("tours/count.py", "from .reference import count"),
        ("tours/count.py", "from . import reference"),
        ("tours/count.py", "from ..board import Board"),
        ("tours/count.py", "from backrank import board"),
        ("tours/count.py", "import backrank.kernels"),
        ("tours/count.py", "def f():\n    from backrank.kernels import fast"),
        ("kernels/fast.py", "import numba"),
        ("kernels/fast.py", "from numba.core import types"),
        ("formats/grid.py", "from backrank.render import text"),
        ("verify.py", "from backrank import board, errors, pieces"),
        ("symmetry.py", "import backrank.geometry.board, backrank.errors"),
        ("cli/main.py", "from backrank import KnightTours"),
        ("web/app.py", "from backrank import jobs"),
        (
            "errors.py",
            "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from backrank.runtime.budget import Progress",
        ),
        ("__init__.py", "from backrank.tours import KnightTours"),
        ("board.py", "import numpy"),
        ("board.py", "import backrank_extras"),
    ],
)
def test_good_imports_pass(tmp_path: Path, name: str, line: str) -> None:
    source = make(tmp_path, {name: line})
    assert wrong_imports(source) == []
    assert all_imports(source) != []


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("errors.py", "from backrank.geometry.board import Board"),
        ("board.py", "from backrank.geometry.pieces import KNIGHT"),
        ("board.py", "from backrank import pieces"),
        ("board.py", "from .pieces import KNIGHT"),
        ("board.py", "def f():\n    import backrank.geometry.pieces"),
        ("board.py", "try:\n    pass\nexcept ImportError:\n    from backrank.tours import KnightTours"),
        (
            "board.py",
            "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from backrank.runtime.budget import Budget",
        ),
        (
            "errors.py",
            "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    pass\nelse:\n    import backrank.runtime.budget",
        ),
        ("pieces.py", "from backrank.geometry.symmetry import orbits"),
        ("pieces.py", "from backrank.runtime.budget import Budget"),
        ("symmetry.py", "from backrank.geometry.pieces import KNIGHT"),
        ("symmetry.py", "from backrank._version import __version__"),
        ("verify.py", "from backrank.geometry.symmetry import orbits"),
        ("verify.py", "from backrank.tours import KnightTours"),
        ("render/svg.py", "from backrank.formats import grid"),
        ("formats/grid.py", "from backrank.tours import Tour"),
        ("kernels/fast.py", "from backrank.search import cursor"),
        ("search/cursor.py", "from backrank.tours import Tour"),
        ("tours/count.py", "from ..queens import Queens"),
        ("queens/count.py", "from backrank.tours.count import count"),
        ("queens/count.py", "from backrank import Queens"),
        ("tours/count.py", "import numba"),
        ("tours/count.py", "def f():\n    from numba import njit"),
        ("jobs/ledger.py", "from backrank.cli.main import main"),
        ("web/app.py", "from backrank.cli.main import main"),
        ("tours/count.py", "from backrank.unheard import of"),
        ("unheard.py", "from backrank.geometry.board import Board"),
    ],
)
def test_bad_imports_are_found(tmp_path: Path, name: str, line: str) -> None:
    source = make(tmp_path, {name: line})
    (module,) = (module for module, path in modules(source).items() if path == source / name)
    found = wrong_imports(source)
    if part(module) == "unheard" or "unheard" in line:
        assert found != []
    else:
        assert len(found) == 1
        assert found[0].startswith(module)


def test_cycles_are_found(tmp_path: Path) -> None:
    source = make(
        tmp_path,
        {
            "tours/one.py": "from backrank.tours.two import x",
            "tours/two.py": "def f():\n    from . import three",
            "tours/three.py": "from .one import y\nfrom backrank.tours.alone import z",
            "tours/alone.py": "import backrank.geometry.board",
        },
    )
    on_cycles = {cycle[0] for cycle in cycles(source)}
    assert on_cycles == {f"{PACKAGE}.tours.{name}" for name in ("one", "two", "three")}
    assert [f"{PACKAGE}.tours.{name}" for name in ("one", "two", "three", "one")] in cycles(source)
    own = make(
        tmp_path / "own", {"tours/__init__.py": "from .one import x", "tours/one.py": "from backrank.tours import y"}
    )
    assert len(cycles(own)) == 2
    types = make(
        tmp_path / "types",
        {
            "tours/one.py": "from .two import x",
            "tours/two.py": "import typing\nif typing.TYPE_CHECKING:\n    from .one import y",
        },
    )
    assert cycles(types) == []


@pytest.mark.parametrize(
    ("module", "text", "lines"),
    [
        (PACKAGE, '"""Doc."""\nfrom x import y\n__all__ = ["y"]', []),
        (PACKAGE, "", []),
        (PACKAGE, "_WHERE = {}\ndef __getattr__(name):\n    return 1\ndef __dir__():\n    return []", []),
        (PACKAGE, "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from x import y", []),
        (PACKAGE, "__all__: list[str] = []", []),
        (PACKAGE, "_WHERE = {}\n__getattr__ = lazy_exports(__name__, _WHERE, globals())", []),
        (PACKAGE, "_WHERE = {}", [1]),
        (PACKAGE, "__dir__ = sorted", [1]),
        (f"{PACKAGE}.tours", "__getattr__ = print", []),
        (f"{PACKAGE}.tours", "from x import y\ndef __getattr__(name):\n    return 1", []),
        (f"{PACKAGE}.tours", "_WHERE = {}", [1]),
        (PACKAGE, "def __getattr__(name):\n    return 1\ndef solve():\n    return 2", [1, 3]),
        (PACKAGE, "from x import y\nclass A:\n    pass", [2]),
        (PACKAGE, "from x import y\nz = y()", [2]),
        (PACKAGE, "from x import y\ny()", [2]),
        (PACKAGE, "from x import y\n'late'", [2]),
        (PACKAGE, "if True:\n    from x import y", [1]),
        (PACKAGE, "for x in ():\n    pass", [1]),
    ],
)
def test_what_init_files_may_hold(tmp_path: Path, module: str, text: str, lines: list[int]) -> None:
    path = tmp_path / f"{module}.__init__.py"
    path.write_text(text, encoding="utf-8")
    assert more_than_re_exports(path) == lines
