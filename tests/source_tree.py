"""What the source of a package says, without importing it: modules, imports, cycles, classes, sizes."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

PACKAGE = "backrank"
SOURCE = Path(__file__).parents[1] / "src" / PACKAGE
# What a module may define to load its names when they are first used (PEP 562).
HOOKS = {"__getattr__", "__dir__"}
Function = ast.FunctionDef | ast.AsyncFunctionDef


class Import(NamedTuple):
    """One imported module, seen from the module that imports it, `if TYPE_CHECKING` or not."""

    importer: str
    target: str
    line: int

    def __str__(self) -> str:
        return f"{self.importer}:{self.line} imports {self.target}"


class Size(NamedTuple):
    """The lines of a module: all of them, and those that are code, not docstring, comment or empty."""

    all: int
    code: int


@cache
def parsed(path: Path) -> ast.Module:
    """Return the syntax tree of a file."""
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def modules(source: Path) -> Mapping[str, Path]:
    """Return all modules under a folder that stands for the package, by their dotted names."""
    found = {}
    for path in sorted(source.rglob("*.py")):
        inner = path.relative_to(source).with_suffix("").parts
        found[".".join((PACKAGE, *(inner[:-1] if inner[-1] == "__init__" else inner)))] = path
    return found


def is_ours(target: str) -> bool:
    """Return whether a module belongs to the package."""
    return target == PACKAGE or target.startswith(PACKAGE + ".")


def imports(module: str, path: Path, known: Mapping[str, Path]) -> list[Import]:
    """Return all imports of a module; `from package import name` imports `package.name` if that is a module."""
    found = []
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            targets = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                package = module if path.name == "__init__.py" else module.rpartition(".")[0]
                parents = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*parents, base]) if base else ".".join(parents)
            inner = [f"{base}.{alias.name}" for alias in node.names]
            targets = [name if name in known else base for name in inner]
        else:
            continue
        found += [Import(module, target, node.lineno) for target in dict.fromkeys(targets)]
    return found


@cache
def all_imports(source: Path) -> tuple[Import, ...]:
    """Return the imports of all modules."""
    known = modules(source)
    return tuple(each for module, path in known.items() for each in imports(module, path, known))


def cycles(source: Path) -> list[list[str]]:
    """Return one cycle of imports through each module that is on any, imports for types included."""
    graph: dict[str, list[str]] = {module: [] for module in modules(source)}
    for each in all_imports(source):
        if each.target in graph:
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


def doubled_classes(source: Path) -> dict[str, list[str]]:
    """Return the class names that are defined more than once, and where."""
    homes = defaultdict(list)
    for module, path in modules(source).items():
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.ClassDef):
                homes[node.name].append(module)
    return {name: where for name, where in homes.items() if len(where) > 1}


def functions(path: Path) -> Iterator[tuple[str, Function]]:
    """Yield every function and method of a file with its name, such as `KnightTours.count`."""
    stack: list[tuple[str, ast.AST]] = [("", parsed(path))]
    while stack:
        prefix, parent = stack.pop()
        for node in ast.iter_child_nodes(parent):
            name = f"{prefix}{node.name}." if isinstance(node, Function | ast.ClassDef) else prefix
            if isinstance(node, Function):
                yield name[:-1], node
            stack.append((name, node))


def parameters(function: Function) -> int:
    """Return the number of parameters, `self` included."""
    spec = function.args
    return sum(map(len, (spec.posonlyargs, spec.args, spec.kwonlyargs))) + bool(spec.vararg) + bool(spec.kwarg)


def statements(function: Function) -> int:
    """Return the number of statements, those of inner blocks and functions included, without the docstring."""
    body = function.body[1:] if _is_docstring(function.body[0]) else function.body
    return sum(isinstance(node, ast.stmt) for part in body for node in ast.walk(part))


def size(path: Path) -> Size:
    """Return the lines of a file."""
    lines = path.read_text(encoding="utf-8").splitlines()
    texts = {
        number
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Module | ast.ClassDef | Function) and node.body and _is_docstring(node.body[0])
        for number in range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1)
    }
    code = sum(
        1
        for number, line in enumerate(lines, 1)
        if line.strip() and not line.strip().startswith("#") and number not in texts
    )
    return Size(len(lines), code)


def more_than_re_exports(path: Path) -> list[int]:
    """Return the lines of an `__init__.py` that do anything but import, and name what is exported."""
    body = parsed(path).body
    defined = {node.name for node in body if isinstance(node, ast.FunctionDef)}
    assigned = {name for node in body if isinstance(node, ast.Assign | ast.AnnAssign) for name in _assigned(node)}
    is_lazy = "__getattr__" in defined | assigned and defined <= HOOKS
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


def _is_type_checking(test: ast.expr) -> bool:
    return (isinstance(test, ast.Name) and test.id == "TYPE_CHECKING") or (
        isinstance(test, ast.Attribute) and test.attr == "TYPE_CHECKING"
    )


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _assigned(node: ast.Assign | ast.AnnAssign) -> list[str]:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return [target.id if isinstance(target, ast.Name) else "" for target in targets]
