"""Commands whose modules are loaded when they run, and groups that list them without loading any."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from backrank.cli.grouping import flat


class LazyCommand(TyperCommand):
    """What a group knows of a command before its module is loaded: name, first line of help, whether it is hidden.

    Parameters
    ----------
    name : str
    target : str
        The function, or the `typer.Typer` of a group, as `module:name`.
    summary : str
        The first line of its help.
    hidden : bool, optional
        Whether the help of the group leaves it out.
    """

    def __init__(self, name: str, target: str, summary: str, *, hidden: bool = False) -> None:
        super().__init__(name, help=summary, hidden=hidden)
        self.target = target

    def loaded(self) -> Any:
        """Load the module and return the command itself."""
        module, _, name = self.target.partition(":")
        found = getattr(import_module(module), name)
        if isinstance(found, typer.Typer):
            return typer.main.get_group(found)
        alone = typer.Typer(add_completion=False)
        alone.command(self.name, hidden=self.hidden)(flat(found))
        return typer.main.get_command(alone)


class LazyGroup(TyperGroup):
    """A group of commands, lazy ones among them: only the one that is to run, or to explain itself, is loaded."""

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """Return the command that `args` begins with, loaded, and the words behind it."""
        name, command, rest = super().resolve_command(ctx, args)
        return name, loaded(command), rest


def loaded(command: Any) -> Any:
    """Return the command itself if `command` is a lazy one, else `command`."""
    return command.loaded() if isinstance(command, LazyCommand) else command
