"""The public names of the package as text: `python tests/net/signatures.py` records them anew.

Names stand by where users import them from, never by the module that defines them. Of functions the signature is
told, of classes their bases, what makes them, their public methods, properties, fields and members.
"""

from __future__ import annotations

import dataclasses
import enum
import importlib
import inspect
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

PACKAGES = (
    "backrank",
    "backrank.arena",
    "backrank.formats",
    "backrank.jobs",
    "backrank.published",
    "backrank.queens",
    "backrank.render",
    "backrank.search",
    "backrank.selftest",
    "backrank.tours",
)
RECORDED = Path(__file__).with_name("recorded") / "signatures.txt"
_ADDRESS = re.compile(r" at 0x[0-9a-f]+")
_PATH = re.compile(r"\w*Path\('[^']*'\)")
_MODULE = re.compile(r"\bbackrank(?:\.\w+)+\.(?=[A-Za-z_]\w*)")


def described() -> list[str]:
    """Return a line for each public name, and for each public part of a public class."""
    lines = list[str]()
    for package in PACKAGES:
        module = importlib.import_module(package)
        for name in sorted(module.__all__):
            lines += _named(f"{package}.{name}", getattr(module, name))
    return lines


def _named(name: str, value: object) -> Iterator[str]:
    if inspect.isclass(value):
        yield from _class(name, value)
    elif inspect.isroutine(value):
        yield f"{name}{_signature(value)}"
    elif inspect.ismodule(value):
        yield f"{name}: module"
    elif name.rpartition(".")[2] == "__version__":
        yield f"{name}: {type(value).__name__}"
    else:
        yield f"{name}: {type(value).__name__} = {_short(repr(value))}"


def _class(name: str, value: type) -> Iterator[str]:
    bases = ", ".join(base.__name__ for base in value.__bases__ if base is not object)
    yield f"class {name}({bases})"
    if issubclass(value, enum.Enum):
        yield from (f"{name}.{member.name} = {_short(repr(member.value))}" for member in value)
    elif not getattr(value, "_is_protocol", False):
        yield f"{name}{_signature(value)}"
    if dataclasses.is_dataclass(value):
        for field in dataclasses.fields(value):
            yield f"{name}.{field.name}: {_text(field.type)} (field)"
    parts = {part for each in value.__mro__ if each.__module__.partition(".")[0] == "backrank" for part in vars(each)}
    for part in sorted(parts):
        if not part.startswith("_") or part in ("__len__", "__iter__", "__contains__", "__getitem__", "__call__"):
            yield from _part(f"{name}.{part}", inspect.getattr_static(value, part))


def _part(name: str, value: object) -> Iterator[str]:
    if isinstance(value, property):
        returned = inspect.signature(value.fget).return_annotation if value.fget else ""
        yield f"{name} -> {_text(returned)} (property)"
    elif isinstance(value, (classmethod, staticmethod)):
        yield f"{name}{_signature(value.__func__)} ({type(value).__name__})"
    elif inspect.isfunction(value):
        yield f"{name}{_signature(value)}"
    elif hasattr(value, "func"):  # a cached property
        yield f"{name} -> {_text(inspect.signature(value.func).return_annotation)} (property)"


class _Text(str):
    """An annotation that is written as it is."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def _signature(value: Callable[..., Any]) -> str:
    try:
        found = inspect.signature(value)
    except (TypeError, ValueError):
        return "(...)"
    parameters = [each.replace(annotation=_written(each.annotation)) for each in found.parameters.values()]
    written = found.replace(parameters=parameters, return_annotation=_written(found.return_annotation))
    return _PATH.sub("<path>", _ADDRESS.sub("", str(written)))


def _written(annotation: object) -> object:
    return annotation if annotation is inspect.Signature.empty else _Text(_text(annotation))


def _text(annotation: object) -> str:
    """Return an annotation without quotes around it, addresses, and the modules where things are."""
    text = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
    return _MODULE.sub("", _ADDRESS.sub("", text))


def _short(text: str) -> str:
    text = _MODULE.sub("", _ADDRESS.sub("", text))
    return text if len(text) <= 120 else f"{text[:117]}..."


if __name__ == "__main__":
    RECORDED.write_text("".join(f"{line}\n" for line in described()), encoding="utf-8")
