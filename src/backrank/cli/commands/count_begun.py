"""`backrank count tours --begin`: in how many ways a tour that has begun can be finished."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated

import typer

from backrank.cli import options as opt
from backrank.cli.counted import Answer
from backrank.cli.progress import ProgressLine
from backrank.cli.running import run
from backrank.errors import InvalidPuzzle, shown

if TYPE_CHECKING:
    from backrank.tours import KnightTours

BeginOption = Annotated[
    str | None,
    typer.Option(
        "--begin",
        metavar="SQUARES",
        help="Count the ways to finish a tour that begins so: a1,b3,c5 or '0,0 2,1'. None: a dead end.",
    ),
]


def require_none(options: Mapping[str, object]) -> None:
    """Raise InvalidPuzzle if an option is given that does not go with `--begin`."""
    for name, value in options.items():
        if value is not None and value is not False:
            raise InvalidPuzzle(f"{name} is about the count of whole tours; leave it out, or --begin")


def print_completions(
    puzzle: KnightTours, begin: str, line: ProgressLine, answer: Answer, *, memory: str | None
) -> None:
    """Count the ways to finish a tour, and print how many there are."""
    from backrank.geometry.board import parse_square_list

    squares = parse_square_list(begin)
    if not squares:
        raise InvalidPuzzle(f"--begin {shown(begin)} is no list of squares; write a1,b3,c5 or '0,0 2,1'")
    names = [puzzle.board.name(puzzle.board.square(square)) for square in squares]
    number = run(lambda: puzzle.completions(names, memory=opt.bytes_of(memory), budget=line.budget), line)
    kind = f"{'a closed' if puzzle.closed else 'an open'} tour on {puzzle.board}"
    last = "" if puzzle.end is None else f" and ends on {puzzle.board.name(puzzle.end)}"
    ways = "way" if number == 1 else "ways"
    facts = {
        "kind": "completions",
        "board": str(puzzle.board),
        "closed": puzzle.closed,
        "begin": names,
        "end": None if puzzle.end is None else puzzle.board.name(puzzle.end),
        "piece": puzzle.piece.name,
    }
    sentence = f"{ways} to finish {kind} that begins {' '.join(names)}{last}"
    answer.print(number, sentence, facts)
