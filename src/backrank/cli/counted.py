"""What both counts share: how they tell the number, and what is asked of them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from backrank.cli.output import Output

if TYPE_CHECKING:
    from backrank.tours import KnightTours

SymmetryOption = Annotated[
    bool, typer.Option("--up-to-symmetry", help="Count what turning and mirroring the board maps to each other once.")
]


def ends_told(puzzle: KnightTours) -> str:
    """Say where tours begin and end, if that is given: to be put behind the board."""
    ends = (("from", puzzle.start), ("to", puzzle.end))
    return "".join(f" {word} {puzzle.board.name(square)}" for word, square in ends if square is not None)


def board_told(puzzle: KnightTours) -> str:
    """Say on which board tours are, by which piece if it is not the knight, and from where to where."""
    mover = "of" if puzzle.piece.name == "knight" else f"of the {puzzle.piece} on"
    return f"{mover} {puzzle.board}{ends_told(puzzle)}"


@dataclass(frozen=True, slots=True)
class Answer:
    """Where the answer of a command goes, and in which form."""

    sink: Output
    as_json: bool
    quiet: bool

    def print(self, number: int, sentence: str, facts: dict[str, Any], *, up_to_symmetry: bool = False) -> None:
        """Print a count, and which number it is."""
        with self.sink as sink:
            if self.as_json:
                # A count may outgrow the numbers of other languages: it is given as text as well.
                answer = {"count": number, "text": str(number), "up_to_symmetry": up_to_symmetry, **facts}
                sink.write(json.dumps(answer, ensure_ascii=False))
            elif self.quiet:
                sink.write(str(number))
            else:
                sink.write(f"{number} {sentence}{', up to symmetry' if up_to_symmetry else ''}")
