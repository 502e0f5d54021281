"""`backrank sample`: answers at random, each with the same probability, or a clear refusal."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Annotated, Protocol

import typer

from backrank.cli import options as opt
from backrank.cli.answers import items_written, placed_words, placement_form, write_item
from backrank.cli.counted import board_told
from backrank.cli.output import Output, remark
from backrank.cli.progress import ProgressLine, percent
from backrank.cli.running import run
from backrank.errors import BoardTooLarge, InvalidPuzzle, shown

if TYPE_CHECKING:
    from backrank.queens import Placement, Queens

NumberOption = Annotated[int, typer.Option("--number", "-n", metavar="N", help="How many samples.")]
SeedOption = Annotated[
    int | None,
    typer.Option("--seed", metavar="S", help="The same seed gives the same samples; a new one if not given."),
]
NotUniformOption = Annotated[
    bool,
    typer.Option("--not-uniform", help="Take random placements of any size, as solve --seed does: not equally likely."),
]
FormatOption = Annotated[
    str,
    typer.Option("--format", metavar="FORMAT", help="unicode, board, columns, names, coordinates, json or csv."),
]
TourFormatOption = Annotated[
    str,
    typer.Option(
        "--format", metavar="FORMAT", help="grid, grid0, names, coordinates, json or csv; else by -o, or grid."
    ),
]
_SEED_BYTES = 4
MOST_SAMPLES = 10**15


@dataclass(frozen=True, slots=True, kw_only=True)
class SampledTourForms(opt.FormOptions):
    """The options that say in which format tours are written."""

    form: TourFormatOption = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SampledPlacementForms(opt.FormOptions):
    """The options that say in which format placements are written."""

    form: FormatOption = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawOptions:
    """The options that say how many samples are drawn, and which."""

    number: NumberOption = 1
    seed: SeedOption = None

    def require_valid(self) -> None:
        """Raise InvalidPuzzle unless the number of samples is one that can be drawn."""
        if self.number < 1:
            raise InvalidPuzzle(f"the number of samples must be at least 1, not {shown(self.number)} (--number)")
        if self.number > MOST_SAMPLES:
            raise InvalidPuzzle(
                f"the number of samples must be at most {MOST_SAMPLES:,}, not {shown(self.number)} (--number)"
            )

    def seed_or_new(self) -> int:
        """Return the seed that was given, or a new one from the system."""
        return int.from_bytes(os.urandom(_SEED_BYTES)) if self.seed is None else self.seed

    def again(self, seed: int) -> str:
        """Return how to draw the same samples again."""
        return f"--seed {seed} draws {'them' if self.number > 1 else 'it'} again"


class _DrawnSample(Protocol):
    def text(self, form: str) -> str: ...


def tours(
    tour: opt.TourOptions,
    drawn: DrawOptions,
    forms: SampledTourForms,
    outputs: opt.OutputOptions,
    *,
    memory: opt.MemoryOption = None,
    limits: opt.TimeOptions,
    quiet: opt.QuietOption = False,
) -> None:
    """Draw knight's tours at random, each with exactly the same probability.

    All those that list tours prints: open ones in either direction, closed ones as cycles. Boards that are too large
    are refused; solve --seed gives random tours of any size, but not equally likely ones. A tour may be drawn again.

    Exit code 0: done; 1: there is no such tour; 3: a limit was reached first.

    Examples: backrank sample tours 6x6 --closed -n 5 --seed 1;  backrank sample tours 5x5 --start a1 --format names
    """
    puzzle = tour.puzzle()
    drawn.require_valid()
    form = forms.chosen(outputs.output, "grid", "tour")
    sink = outputs.sink()
    line = limits.line("making ready", quiet=quiet, words=percent)
    seed = drawn.seed_or_new()
    most = opt.bytes_of(memory)
    known = puzzle.existence()
    try:
        sampler = run(lambda: puzzle.sampler(memory=most, budget=line.budget), line)
    except BoardTooLarge as error:
        raise BoardTooLarge(f"{error}; solve --seed gives random tours that are not equally likely") from None
    if not sampler.count:
        remark(f"no answer: {known.reason if known.answer == 'no' else 'counting found none'}", quiet=quiet)
        raise typer.Exit(1)
    _write(islice(sampler.samples(seed), drawn.number), line, sink, form=form, noun="tour")
    kind = f"{'closed' if puzzle.closed else 'open'} tour{'s'[: drawn.number != 1]} {board_told(puzzle)}"
    remark(f"{drawn.number:,} {kind}, all {sampler.count:,} equally likely; {drawn.again(seed)}", quiet=quiet)


def queens(
    queens: opt.PlacedQueensOptions,
    drawn: DrawOptions,
    *,
    not_uniform: NotUniformOption = False,
    forms: SampledPlacementForms,
    outputs: opt.OutputOptions,
    limits: opt.TimeOptions,
    quiet: opt.QuietOption = False,
) -> None:
    """Draw placements of queens at random, each with exactly the same probability.

    n queens on n x n go up to n = 18; other boards as long as they are small. A placement may be drawn again.

    Exit code 0: done; 1: there is no placement; 3: a limit was reached first.

    Examples: backrank sample queens 8;  backrank sample queens 12 -n 1000 --seed 1 --format columns;
    backrank sample queens 1000 --not-uniform
    """
    puzzle = queens.puzzle()
    drawn.require_valid()
    form = forms.chosen(None, placement_form(puzzle), "queens")  # the name of the file does not matter
    sink = outputs.sink()
    line = limits.line("making ready", quiet=quiet, words=percent)
    seed = drawn.seed_or_new()
    known = puzzle.existence()
    reason = known.reason if known.answer == "no" else None
    if reason is None:
        source = _not_uniform if not_uniform else _uniform
        samples, reason = source(puzzle, seed, line)
    if reason is not None:
        remark(f"no answer: {reason}", quiet=quiet)
        raise typer.Exit(1)
    _write(islice(samples, drawn.number), line, sink, form=form, noun="placement")
    some = f"{drawn.number:,} placement{'s'[: drawn.number != 1]} of {puzzle.queens} queens on {puzzle.board}"
    likely = "not equally likely" if not_uniform else "all equally likely"
    remark(f"{some}{placed_words(puzzle)}, {likely}; {drawn.again(seed)}", quiet=quiet)


def _uniform(puzzle: Queens, seed: int, line: ProgressLine) -> tuple[Iterator[Placement], str | None]:
    """Return endless samples, and why there are none."""
    try:
        sampler = run(lambda: puzzle.sampler(budget=line.budget), line)
    except BoardTooLarge as error:
        raise BoardTooLarge(f"{error}; --not-uniform takes random ones that are not") from None
    return (sampler.samples(seed), None) if sampler.count else (iter(()), "counting found none")


def _not_uniform(puzzle: Queens, seed: int, line: ProgressLine) -> tuple[Iterator[Placement], str | None]:
    from backrank.runtime.rng import Dice, seed_of

    dice = Dice(seed_of(seed))
    first = run(lambda: puzzle.search(rng=dice.draw(), budget=line.budget), line)

    def placements() -> Iterator[Placement]:
        placement = first.placement
        while placement is not None:
            yield placement
            placement = puzzle.solve(rng=dice.draw(), budget=line.budget)

    return placements(), None if first.placement is not None else first.reason


def _write(samples: Iterator[_DrawnSample], line: ProgressLine, sink: Output, *, form: str, noun: str) -> None:
    """Write one sample after the other, as far as the time since the work began allows."""
    meter = line.budget.start()
    drawn = 0
    with items_written(sink, line, lambda: drawn):
        for sample in samples:
            write_item(sink, sample.text(form), form, noun, drawn)
            drawn += 1
            meter.tick(drawn)
