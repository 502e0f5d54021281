"""Re-exports that load a module only when one of its names is used, so that importing the package is free."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from backrank.runtime.gone import missing


def lazy_exports(package: str, homes: Mapping[str, str], namespace: dict[str, Any]) -> Callable[[str], object]:
    """Return a module-level `__getattr__` (PEP 562) for a package.

    Parameters
    ----------
    package : str
        The package's name.
    homes : mapping
        For every public name the module of the package that defines it.
    namespace : dict
        The package's `globals()`: what has been loaded is kept there, so each name is looked up once.
    """

    def load(name: str) -> object:
        if name not in homes:
            raise missing(package, name, f"module {package!r} has no attribute {name!r}")
        value: object = getattr(import_module(f"{package}.{homes[name]}"), name)
        namespace[name] = value
        return value

    return load
