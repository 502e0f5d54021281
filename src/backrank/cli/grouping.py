"""Groups of options: dataclasses as parameters of a command, expanded into the flat parameters that typer reads.

A command takes few parameters, some of them frozen dataclasses; the fields of these carry typer's `Annotated` types,
defaults and help texts. :func:`flat` returns what typer gets: a function with one parameter for each field, in order.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields, is_dataclass
from inspect import Parameter, Signature
from typing import Any, get_type_hints


@dataclass(frozen=True, slots=True)
class _Group:
    """A parameter that is a group of options: its name, its dataclass, and the names of the fields."""

    name: str
    kind: type
    fields: tuple[str, ...]

    def taken_from(self, values: dict[str, Any]) -> Any:
        """Remove the values of the fields from `values` and return the dataclass that they make."""
        return self.kind(**{name: values.pop(name) for name in self.fields})


def flat(command: Callable[..., None]) -> Callable[..., None]:
    """Return `command` with every parameter that is a dataclass replaced by the fields of the dataclass.

    Parameters
    ----------
    command : callable
        A function all of whose parameters are annotated. The fields of a dataclass that inherits come in the order of
        `dataclasses.fields`: those of the base first, also where the subclass gives one another type or default.

    Returns
    -------
    callable
        A function of keyword arguments with the name and the docstring of `command`, which calls it with the
        dataclasses made of them; `command` itself if none of its parameters is a dataclass.

    Raises
    ------
    TypeError
        If two options have the same name.
    """
    hints = get_type_hints(command, include_extras=True)
    groups, expanded = list[_Group](), list[Parameter]()
    for parameter in inspect.signature(command).parameters.values():
        kind = hints[parameter.name]
        if isinstance(kind, type) and is_dataclass(kind):
            below = _options_of(kind)
            groups.append(_Group(parameter.name, kind, tuple(each.name for each in below)))
            expanded += below
        else:
            expanded.append(parameter.replace(kind=Parameter.KEYWORD_ONLY, annotation=kind))
    return _expanded(command, groups, expanded) if groups else command


def _options_of(kind: type) -> list[Parameter]:
    """Return the fields of a dataclass as parameters."""
    hints = get_type_hints(kind, include_extras=True)
    return [
        Parameter(
            field.name,
            Parameter.KEYWORD_ONLY,
            default=Parameter.empty if field.default is MISSING else field.default,
            annotation=hints[field.name],
        )
        for field in fields(kind)
    ]


def _expanded(command: Callable[..., None], groups: list[_Group], options: list[Parameter]) -> Callable[..., None]:
    """Return a function of the given options that calls `command` with its groups."""
    names = [option.name for option in options]
    if twice := {name for name in names if names.count(name) > 1}:
        raise TypeError(f"{command.__qualname__} has two options called {' and '.join(sorted(twice))}")

    def call(**values: Any) -> None:
        made = {group.name: group.taken_from(values) for group in groups}
        command(**made, **values)

    call.__name__, call.__qualname__ = command.__name__, command.__qualname__
    call.__module__, call.__doc__ = command.__module__, command.__doc__
    call.__annotations__ = {option.name: option.annotation for option in options} | {"return": None}
    call.__signature__ = Signature(options)  # type: ignore[attr-defined] # what inspect.signature looks for first
    return call
