"""`backrank sample`: answers at random, each with the same probability, or a clear refusal."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Annotated, Protocol

import typer

from backrank.cli import options as opt
from backrank.cli.commands.count_queens import percent
from backrank.cli.commands.listing import write_item
from backrank.cli.commands.solve import MOST_DRAWN_ROWS, PlacedOption, placed_squares, placed_words, text_format
from backrank.cli.counted import board_told
from backrank.cli.output import Output, remark
from backrank.cli.progress import ProgressLine
from backrank.cli.running import interrupted, run
from backrank.errors import BoardTooLarge, BudgetExceeded, InvalidPuzzle, shown

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
MemoryOption = Annotated[
    str | None, typer.Option("--memory", metavar="SIZE", help="Take no more than so much memory: 500M, 8G.")
]
_SEED_BYTES = 4
MOST_SAMPLES = 10**15


class _DrawnSample(Protocol):
    def text(self, form: str) -> str: ...


def tours(
    board: opt.BoardArgument,
    start: opt.StartOption = None,
    end: opt.EndOption = None,
    closed: opt.ClosedOption = False,
    holes: opt.HolesOption = "",
    wrap: opt.WrapOption = "none",
    piece: opt.PieceOption = "knight",
    number: NumberOption = 1,
    seed: SeedOption = None,
    form: TourFormatOption = "",
    as_json: opt.JsonOption = False,
    output: opt.OutputOption = None,
    force: opt.ForceOption = False,
    memory: MemoryOption = None,
    time_limit: opt.TimeLimitOption = None,
    quiet: opt.QuietOption = False,
) -> None:
    """Draw knight's tours at random, each with exactly the same probability.

    All those that list tours prints: open ones in either direction, closed ones as cycles. Boards that are too large
    are refused; solve --seed gives random tours of any size, but not equally likely ones. A tour may be drawn again.

    Exit code 0: done; 1: there is no such tour; 3: a limit was reached first.

    Examples: backrank sample tours 6x6 --closed -n 5 --seed 1;  backrank sample tours 5x5 --start a1 --format names
    """
    from backrank.tours import KnightTours

    puzzle = KnightTours(opt.board_of(board, holes, wrap), closed=closed, start=start, end=end, piece=piece)
    _require_some(number)
    form = opt.form_of(form, output, as_json=as_json) or "grid"
    text_format("tour", form)
    sink = Output(output, force=force)
    line = ProgressLine("making ready", seconds=opt.seconds_of(time_limit), quiet=quiet, words=percent)
    chosen = _seed_or_new(seed)
    most = opt.bytes_of(memory)
    known = puzzle.existence()
    try:
        sampler = run(lambda: puzzle.sampler(memory=most, budget=line.budget), line)
    except BoardTooLarge as error:
        raise BoardTooLarge(f"{error}; solve --seed gives random tours that are not equally likely") from None
    if not sampler.count:
        remark(f"no answer: {known.reason if known.answer == 'no' else 'counting found none'}", quiet=quiet)
        raise typer.Exit(1)
    _write(islice(sampler.samples(chosen), number), line, sink, form="json" if as_json else form, noun="tour")
    kind = f"{'closed' if closed else 'open'} tour{'s'[: number != 1]} {board_told(puzzle)}"
    again = f"--seed {chosen} draws {'them' if number > 1 else 'it'} again"
    remark(f"{number:,} {kind}, all {sampler.count:,} equally likely; {again}", quiet=quiet)


def queens(
    board: opt.BoardArgument,
    count: opt.QueensOption = None,
    placed: PlacedOption = None,
    holes: opt.HolesOption = "",
    wrap: opt.WrapOption = "none",
    number: NumberOption = 1,
    seed: SeedOption = None,
    not_uniform: NotUniformOption = False,
    form: FormatOption = "",
    as_json: opt.JsonOption = False,
    output: opt.OutputOption = None,
    force: opt.ForceOption = False,
    time_limit: opt.TimeLimitOption = None,
    quiet: opt.QuietOption = False,
) -> None:
    """Draw placements of queens at random, each with exactly the same probability.

    n queens on n x n go up to n = 18; other boards as long as they are small. A placement may be drawn again.

    Exit code 0: done; 1: there is no placement; 3: a limit was reached first.

    Examples: backrank sample queens 8;  backrank sample queens 12 -n 1000 --seed 1 --format columns;
    backrank sample queens 1000 --not-uniform
    """
    from backrank.queens import Queens

    puzzle = Queens(opt.board_of(board, holes, wrap), queens=count, placed=placed_squares(placed))
    _require_some(number)
    form = form or ("columns" if puzzle.queens == puzzle.board.rows > MOST_DRAWN_ROWS else "unicode")
    text_format("queens", form)
    sink = Output(output, force=force)
    line = ProgressLine("making ready", seconds=opt.seconds_of(time_limit), quiet=quiet, words=percent)
    chosen = _seed_or_new(seed)
    reason = puzzle.why_impossible()
    if reason is None:
        source = _not_uniform if not_uniform else _uniform
        samples, reason = source(puzzle, chosen, line)
    if reason is not None:
        remark(f"no answer: {reason}", quiet=quiet)
        raise typer.Exit(1)
    _write(islice(samples, number), line, sink, form="json" if as_json else form, noun="placement")
    drawn = (
        f"{number:,} placement{'s'[: number != 1]} of {puzzle.queens} queens on {puzzle.board}{placed_words(puzzle)}"
    )
    likely = "not equally likely" if not_uniform else "all equally likely"
    remark(f"{drawn}, {likely}; --seed {chosen} draws {'them' if number > 1 else 'it'} again", quiet=quiet)


def _require_some(number: int) -> None:
    """Raise InvalidPuzzle unless `number` samples can be drawn."""
    if number < 1:
        raise InvalidPuzzle(f"the number of samples must be at least 1, not {shown(number)} (--number)")
    if number > MOST_SAMPLES:
        raise InvalidPuzzle(f"the number of samples must be at most {MOST_SAMPLES:,}, not {shown(number)} (--number)")


def _seed_or_new(seed: int | None) -> int:
    """Return the seed that was given, or one that nobody can foresee."""
    return int.from_bytes(os.urandom(_SEED_BYTES)) if seed is None else seed


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
    try:
        with sink, line:
            for sample in samples:
                write_item(sink, sample.text(form), form, noun, drawn)
                drawn += 1
                meter.tick(drawn)
    except BudgetExceeded as error:
        kept = f"; {drawn:,} are in {sink.kept}" if sink.kept else ""
        raise BudgetExceeded(f"{error}{kept}", error.reached) from None
    except KeyboardInterrupt:
        kept = f"; {drawn:,} are in {sink.kept}" if sink.kept else f"; {drawn:,} were printed"
        raise interrupted(line, kept) from None
