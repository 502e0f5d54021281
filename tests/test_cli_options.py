"""Groups of options: what typer gets of a dataclass, and what the command gets back."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import pytest
import typer
from typer.core import TyperGroup

import backrank
from backrank.cli import options as opt
from backrank.cli.app import VERBS, app
from backrank.cli.grouping import flat
from backrank.cli.lazy import LazyCommand
from backrank.errors import InvalidPuzzle

SizeOption = Annotated[int, typer.Option("--size", "-s", metavar="N", help="How large.")]
NameOption = Annotated[str | None, typer.Option("--name", help="What it is called.")]
FromOption = Annotated[int, typer.Option("--from", help="Where it begins.")]
LoudOption = Annotated[bool, typer.Option("--loud", help="Shout.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    size: SizeOption
    name: NameOption = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedShape(Shape):
    size: SizeOption = 3
    first: FromOption = 0


def parameters(command: object) -> list[tuple[str, object]]:
    assert callable(command)
    return [(each.name, each.default) for each in inspect.signature(command).parameters.values()]


def test_fields_stand_where_their_group_stands() -> None:
    def command(loud: LoudOption, shape: Shape, *, word: NameOption = "x") -> None: ...

    empty = inspect.Parameter.empty
    assert parameters(flat(command)) == [("loud", empty), ("size", empty), ("name", None), ("word", "x")]


def test_a_subclass_changes_a_default_in_place_and_adds_fields_behind() -> None:
    def command(shape: PlacedShape, loud: LoudOption = False) -> None: ...

    assert parameters(flat(command)) == [("size", 3), ("name", None), ("first", 0), ("loud", False)]


def test_the_command_gets_its_groups_back() -> None:
    seen: list[object] = []

    def command(shape: PlacedShape, loud: LoudOption = False) -> None:
        """Do it."""
        seen.extend((shape, loud))

    flattened = flat(command)
    flattened(size=5, name="a", first=2, loud=True)
    assert seen == [PlacedShape(size=5, name="a", first=2), True]
    assert (flattened.__name__, flattened.__doc__) == ("command", "Do it.")


def test_a_command_without_groups_is_left_alone() -> None:
    def command(loud: LoudOption = False) -> None: ...

    assert flat(command) is command


def test_two_options_of_one_name_are_refused() -> None:
    def command(shape: Shape, name: NameOption = None) -> None: ...

    with pytest.raises(TypeError, match="has two options called name"):
        flat(command)


def test_limits_become_a_budget() -> None:
    budget = opt.LimitOptions(time_limit="2m", call_limit=7).line("working").budget
    assert (budget.seconds, budget.calls) == (120.0, 7)
    budget = opt.TimeOptions(time_limit="5").line("working").budget
    assert (budget.seconds, budget.calls) == (5.0, None)
    with pytest.raises(InvalidPuzzle, match="time limit 'soon' is not a time"):
        opt.LimitOptions(time_limit="soon").line("working")


def test_options_of_puzzles_become_puzzles() -> None:
    tours = opt.TourOptions(board="3x4", start="a1", holes="b2", wrap="torus", piece="camel").puzzle()
    assert (tours.board, tours.start, tours.piece.name) == (
        backrank.Board(3, 4, holes=["b2"], wrap="torus"),
        tours.board.square("a1"),
        "camel",
    )
    queens = opt.QueensOptions(board="8", count=5, placed=["b4", "e6"], piece="amazon").puzzle()
    assert (queens.queens, queens.piece, len(queens.placed)) == (5, "amazon", 2)
    assert opt.PlacedQueensOptions(board="8x9").puzzle() == backrank.Queens(8, 9)


def lazy_commands(group: TyperGroup = app, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], LazyCommand]]:
    """Yield the commands that are loaded when they are used, with the words that name them."""
    for name, command in group.commands.items():
        if isinstance(command, TyperGroup):
            yield from lazy_commands(command, (*path, name))
        elif isinstance(command, LazyCommand):
            yield (*path, name), command


def test_the_help_of_groups_has_the_first_lines_of_the_help_of_commands() -> None:
    found = list(lazy_commands())
    assert len(found) == 8 * 3 + 4
    for path, command in found:
        real = command.loaded()
        assert real.help.splitlines()[0] == command.help, path
        assert (real.name, real.hidden) == (path[-1], command.hidden)


def test_every_verb_has_a_place_in_the_help() -> None:
    assert sorted(app.commands) == sorted(VERBS)


MOST_PARAMETERS = 10
# A verb of the library, all by keyword.
MANY_PARAMETERS = {"tours/puzzle.py:count"}


def test_functions_take_few_parameters() -> None:
    """Options that belong together are a dataclass; what has more parameters than this is listed by name."""
    many = set()
    root = Path(backrank.__file__).parent
    for path in sorted(root.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                given = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
                count = len([each for each in given if each.arg not in ("self", "cls")])
                if count > MOST_PARAMETERS:
                    many.add(f"{path.relative_to(root).as_posix()}:{node.name}")
    assert many == MANY_PARAMETERS
