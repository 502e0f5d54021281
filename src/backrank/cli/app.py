"""The tree of commands: a verb, then the puzzle."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from backrank._version import __version__
from backrank.cli.commands import bench, check, compare, count, draw, jobs, listing, sample, selftest, serve, solve
from backrank.cli.watch import watch

VERBS = ["solve", "list", "count", "sample", "check", "watch", "compare", "draw", "serve", "jobs", "bench", "selftest"]


class _InOrder(TyperGroup):
    """Lists the verbs in the order in which people come to need them."""

    def list_commands(self, ctx: Any) -> list[str]:
        return sorted(super().list_commands(ctx), key=VERBS.index)


app = typer.Typer(
    name="backrank",
    cls=_InOrder,
    help="Knight's tours and n queens: solve, list, count, sample, check, draw, and watch the search work.",
    no_args_is_help=True,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
    epilog="Squares: c3 (files a, b, ... from the left, rank 1 at the bottom) or row,col from 0 at the top left. "
    "Exit codes: 0 yes, 1 no, 2 wrong input, 3 undecided, 130 interrupted.",
)


def _show_version(value: bool) -> None:
    if value:
        typer.echo(f"backrank {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Knight's tours and n queens: solve, list, count, sample, check, draw, and watch the search work."""


def _verb(name: str, summary: str) -> typer.Typer:
    verb = typer.Typer(name=name, help=summary, no_args_is_help=True)
    app.add_typer(verb)
    return verb


for _name, _module, _summary in (
    ("solve", solve, "Find one answer, or say why there is none."),
    ("list", listing, "Print all answers, in a fixed order, one after the other."),
    ("count", count, "Count all answers exactly."),
    ("watch", watch, "Watch the search at work: forwards, backwards, two strategies in lockstep."),
    ("compare", compare, "Compare strategies: calls, backtracks, time and success from every start."),
    ("draw", draw, "Draw an answer: as SVG or PNG, or as a page that moves."),
    ("check", check, "Check what somebody claims to be an answer, and name every fault."),
):
    _typer = _verb(_name, _summary)
    _many = _name in ("list", "count")
    _typer.command("tours" if _many else "tour")(_module.tours)
    _typer.command("tour" if _many else "tours", hidden=True)(_module.tours)
    _typer.command("queens")(_module.queens)

_sample = _verb("sample", "Draw answers at random, each with the same probability.")
_sample.command("tours")(sample.tours)
_sample.command("tour", hidden=True)(sample.tours)
_sample.command("queens")(sample.queens)
app.command("serve")(serve.serve)
app.command("bench")(bench.bench)
app.command("selftest")(selftest.selftest)
app.add_typer(jobs.group)


def known_words(verb: str) -> list[str]:
    """Return what may follow a verb, or the verbs if it is none.

    Examples
    --------
    >>> known_words("solve")
    ['tour', 'queens']
    """
    tools = [group.typer_instance for group in app.registered_groups if group.typer_instance]
    groups = {str(tool.info.name): tool for tool in tools}
    below = groups.get(verb)
    if below is None:
        return [*groups, *(str(command.name) for command in app.registered_commands)]
    return [str(command.name) for command in below.registered_commands if not command.hidden]
