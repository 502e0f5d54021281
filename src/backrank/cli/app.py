"""The tree of commands: a verb, then the puzzle. The modules of the commands are loaded when they are used."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import typer

from backrank._version import __version__
from backrank.cli.lazy import LazyCommand, LazyGroup, loaded

# The verbs in the order of the help: that in which people come to need them.
VERBS = ["solve", "list", "count", "sample", "check", "watch", "compare", "draw", "serve", "jobs", "bench", "selftest"]
_COMMANDS = "backrank.cli.commands"


@dataclass(frozen=True, slots=True)
class _Verb:
    """A verb that both puzzles have, with the first lines of the help of its two commands."""

    name: str
    module: str
    summary: str
    tours: str
    queens: str
    is_plural: bool = False

    def group(self) -> LazyGroup:
        """Return the group of its commands: each of `tour` and `tours` is understood, the other one is hidden."""
        name, alias = ("tours", "tour") if self.is_plural else ("tour", "tours")
        target = f"{self.module}:tours"
        commands = (
            LazyCommand(name, target, self.tours),
            LazyCommand(alias, target, self.tours, hidden=True),
            LazyCommand("queens", f"{self.module}:queens", self.queens),
        )
        return LazyGroup(name=self.name, help=self.summary, no_args_is_help=True, commands=commands)


_PUZZLE_VERBS = (
    _Verb(
        "solve",
        f"{_COMMANDS}.solve",
        "Find one answer, or say why there is none.",
        tours="Find a knight's tour: every square once, by knight's moves.",
        queens="Place queens so that no two attack each other, or complete those that stand already.",
    ),
    _Verb(
        "list",
        f"{_COMMANDS}.listing",
        "Print all answers, in a fixed order, one after the other.",
        tours="List knight's tours, in lexicographic order of their squares (row by row from the top left).",
        queens="List placements of queens, in lexicographic order: for eight queens 0 4 7 5 2 6 1 3 comes first.",
        is_plural=True,
    ),
    _Verb(
        "count",
        f"{_COMMANDS}.count",
        "Count all answers exactly.",
        tours="Count knight's tours exactly, or estimate how many there are.",
        queens="Count placements of queens of which no two attack each other, exactly.",
        is_plural=True,
    ),
    _Verb(
        "watch",
        "backrank.cli.watch.watch",
        "Watch the search at work: forwards, backwards, two strategies in lockstep.",
        tours="Watch the search for a knight's tour: every placement, every dead end, every step back.",
        queens="Watch the search for queens: place, conflict, return, and why each square was refused.",
    ),
    _Verb(
        "compare",
        f"{_COMMANDS}.compare",
        "Compare strategies: calls, backtracks, time and success from every start.",
        tours="Compare strategies for the first tour from every start: calls, backtracks, time, success.",
        queens="Compare strategies for the first placement of queens on boards from 4x4 up to the one given.",
    ),
    _Verb(
        "draw",
        f"{_COMMANDS}.draw",
        "Draw an answer: as SVG or PNG, or as a page that moves.",
        tours="Draw a tour: as SVG, as PNG, or as an HTML page in which the piece walks, which needs no network.",
        queens="Draw a placement of queens as SVG or PNG; queens that attack each other are joined by a line.",
    ),
    _Verb(
        "check",
        f"{_COMMANDS}.check",
        "Check what somebody claims to be an answer, and name every fault.",
        tours="Check a tour: a numbered board, a list of squares or coordinates, JSON or CSV.",
        queens="Check placements of queens: lists of columns (one a line), boards of Q and ., JSON, CSV or "
        "NumPy files.",
    ),
    _Verb(
        "sample",
        f"{_COMMANDS}.sample",
        "Draw answers at random, each with the same probability.",
        tours="Draw knight's tours at random, each with exactly the same probability.",
        queens="Draw placements of queens at random, each with exactly the same probability.",
        is_plural=True,
    ),
)
_OTHERS = (
    LazyCommand(
        "jobs", f"{_COMMANDS}.jobs:group", "Long counts that are kept in a ledger: list them, go on with them."
    ),
    LazyCommand(
        "serve",
        f"{_COMMANDS}.serve:serve",
        "Open the app in the browser: watch, play, solve, count. Everything stays on this machine, and works offline.",
    ),
    LazyCommand(
        "bench",
        f"{_COMMANDS}.bench:bench",
        "Measure every algorithm on the same cases, each in a process of its own, and check that their answers agree.",
    ),
    LazyCommand(
        "selftest",
        f"{_COMMANDS}.selftest:selftest",
        "Count published values anew, each by two algorithms at least, and say whether all of them agree.",
    ),
)


class _Root(LazyGroup):
    """Lists the verbs in the order of :data:`VERBS`."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of the verbs."""
        return sorted(super().list_commands(ctx), key=VERBS.index)


def _show_version(value: bool) -> None:
    if value:
        typer.echo(f"backrank {__version__}")
        raise typer.Exit


def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Knight's tours and n queens: solve, list, count, sample, check, draw, and watch the search work."""


def _root() -> Any:
    """Return the group of all verbs."""
    root = typer.Typer(
        name="backrank",
        cls=_Root,
        callback=_options,
        help="Knight's tours and n queens: solve, list, count, sample, check, draw, and watch the search work.",
        no_args_is_help=True,
        context_settings={"help_option_names": ["-h", "--help"]},
        epilog="Squares: c3 (files a, b, ... from the left, rank 1 at the bottom) or row,col from 0 at the top left. "
        "Exit codes: 0 yes, 1 no, 2 wrong input, 3 undecided, 130 interrupted.",
    )
    group = typer.main.get_group(root)
    for command in (*(verb.group() for verb in _PUZZLE_VERBS), *_OTHERS):
        group.add_command(command)
    return group


app = _root()


def known_words(verb: str) -> list[str]:
    """Return what may follow a verb, or the verbs if it is unknown.

    Examples
    --------
    >>> known_words("solve")
    ['tour', 'queens']
    """
    group = loaded(app.commands.get(verb, app))
    return [name for name, command in group.commands.items() if not command.hidden]
