"""`backrank count queens`: exact numbers, and which number it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from backrank.cli import options as opt
from backrank.cli.counted import SymmetryOption, print_count
from backrank.cli.output import Output
from backrank.cli.progress import ProgressLine, described
from backrank.cli.running import StoppedError, run
from backrank.cli.solve import PlacedOption, PlacedPieceOption, placed_squares, placed_words

if TYPE_CHECKING:
    from backrank.budget import Progress

LEAST_TOLD = 0.005  # of the work, before the time that is left can be told

QueensMethodOption = Annotated[
    str, typer.Option("--method", metavar="NAME", help="auto, columnsets, tails, rows, lines, bits or reference.")
]
FixedOption = Annotated[
    str | None,
    typer.Option(
        "--symmetry",
        metavar="ANGLE",
        help="Only placements that turning the board by 180 or 90 degrees does not change.",
    ),
]
ForceCountOption = Annotated[
    bool, typer.Option("--force", help="Begin even what will take more than a day; and let -o replace a file.")
]


def queens(
    board: opt.BoardArgument,
    count: opt.QueensOption = None,
    placed: PlacedOption = None,
    holes: opt.HolesOption = "",
    wrap: opt.WrapOption = "none",
    piece: PlacedPieceOption = "queen",
    symmetry: FixedOption = None,
    up_to_symmetry: SymmetryOption = False,
    method: QueensMethodOption = "auto",
    as_json: opt.JsonOption = False,
    output: opt.OutputOption = None,
    force: ForceCountOption = False,
    time_limit: opt.TimeLimitOption = None,
    call_limit: opt.CallLimitOption = None,
    quiet: opt.QuietOption = False,
) -> None:
    """Count placements of queens of which no two attack each other, exactly.

    What would take more than a day is not begun, unless there is a limit of time or calls, or --force.

    Examples: backrank count queens 8;  backrank count queens 8 --up-to-symmetry;  backrank count queens 6 -k 5;
    backrank count queens 12 --symmetry 90;  backrank count queens 10 --piece amazon;
    backrank count queens 8 --placed b4,d5
    """
    from backrank.queens import Queens

    puzzle = Queens(opt.board_of(board, holes, wrap), queens=count, piece=piece, placed=placed_squares(placed))
    line = ProgressLine(
        "counting",
        seconds=opt.seconds_of(time_limit),
        calls=call_limit,
        quiet=quiet,
        words=lambda progress: percent(progress, puzzle.queens),
    )
    sink = Output(output, force=force)
    try:
        number = run(
            lambda: puzzle.count(
                symmetry=symmetry, up_to_symmetry=up_to_symmetry, method=method, force=force, budget=line.budget
            ),
            line,
        )
    except StoppedError as error:
        is_partial = line.last is not None and line.last.found > 0
        raise StoppedError(f"{error}{'; what was found is a part, not the count' * is_partial}") from None
    unchanged = f", unchanged when the board is turned by {symmetry}°" if symmetry else ""
    sentence = f"placements of {puzzle.queens} {puzzle.piece}s on {puzzle.board}{placed_words(puzzle)}{unchanged}"
    facts = {
        "kind": "queens",
        "board": str(puzzle.board),
        "queens": puzzle.queens,
        "piece": puzzle.piece,
        "placed": [puzzle.board.name(square) for square in puzzle.placed],
        "symmetry": symmetry,
    }
    print_count(sink, number, sentence, facts, up_to_symmetry=up_to_symmetry, as_json=as_json, quiet=quiet)


def percent(progress: Progress, queens: int = 0) -> str:
    """Say how much of the work is done, if the work consists of tasks; else how far the search has come.

    Examples
    --------
    >>> from backrank.budget import Progress
    >>> percent(Progress(8.0, 5_000, depth=40, total=1_000, found=3_200_000), 20)
    '4.0 % in 8 s, 3,200,000 found (400,000/s), about 3 minutes left'
    """
    if progress.total <= max(queens, 1):
        return described(progress)
    from backrank.queens.estimate import duration

    done, seconds = progress.depth / progress.total, progress.seconds
    words = [f"{100 * done:.1f} % in {seconds:.0f} s"]
    if progress.found and seconds > 0:
        words.append(f"{progress.found:,} found ({progress.found / seconds:,.0f}/s)")
    if done >= LEAST_TOLD:
        words.append(f"{duration(seconds * (1 - done) / done)} left")
    return ", ".join(words)
