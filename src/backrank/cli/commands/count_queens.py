"""`backrank count queens`: exact numbers, and which number it is. Long counts become jobs that can be resumed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from backrank.cli import options as opt
from backrank.cli.commands.solve import PlacedOption, PlacedPieceOption, placed_squares
from backrank.cli.counted import SymmetryOption, print_count
from backrank.cli.jobrunning import (
    ClusterOption,
    ExecutorChoice,
    ExecutorOption,
    JobJsonOption,
    LedgerOption,
    SchedulerOption,
    WorkersOption,
    keeping_of,
    reporter,
    told_of,
)
from backrank.cli.output import Output
from backrank.cli.progress import LEAST_TOLD, ProgressLine, described
from backrank.cli.running import run

if TYPE_CHECKING:
    from backrank.runtime.progress import Progress

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
NoLedgerOption = Annotated[bool, typer.Option("--no-ledger", help="Keep nothing: what is stopped is lost.")]
AgainOption = Annotated[bool, typer.Option("--again", help="Count anew what the ledger has the answer of.")]
UnitsOption = Annotated[
    int | None,
    typer.Option("--units", metavar="N", min=1, max=500_000, help="Cut the count into so many; measured if not given."),
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
    as_json: JobJsonOption = False,
    output: opt.OutputOption = None,
    force: ForceCountOption = False,
    time_limit: opt.TimeLimitOption = None,
    call_limit: opt.CallLimitOption = None,
    ledger: LedgerOption = None,
    no_ledger: NoLedgerOption = False,
    again: AgainOption = False,
    units: UnitsOption = None,
    executor: ExecutorOption = None,
    workers: WorkersOption = None,
    scheduler: SchedulerOption = None,
    cluster: ClusterOption = None,
    quiet: opt.QuietOption = False,
) -> None:
    """Count placements of queens of which no two attack each other, exactly.

    What takes more than a few seconds becomes a job: each part of it that is done is recorded in a ledger, and whatever
    stops it, 'backrank jobs resume' or the same command goes on. A count with a limit of time or calls is
    kept only if a ledger is named. What would take more than a day is not begun without a limit, or --force.

    Examples: backrank count queens 8;  backrank count queens 8 --up-to-symmetry;  backrank count queens 6 -k 5;
    backrank count queens 12 --symmetry 90;  backrank count queens 10 --piece amazon;
    backrank count queens 8 --placed b4,d5;  backrank count queens 20 --cluster local:2
    """
    from backrank.jobs.counts import run_count
    from backrank.queens.counting.plan import plan
    from backrank.queens.counting.spec import QueensCountSpec
    from backrank.queens.puzzle import Queens
    from backrank.runtime.context import Context

    puzzle = Queens(opt.board_of(board, holes, wrap), queens=count, piece=piece, placed=placed_squares(placed))
    line = ProgressLine(
        "counting",
        seconds=opt.seconds_of(time_limit),
        calls=call_limit,
        quiet=quiet,
        words=lambda progress: percent(progress, puzzle.queens),
    )
    sink = Output(output, force=force)
    choice = ExecutorChoice(executor, workers, scheduler, cluster)
    choice.require_sane()
    keeping = keeping_of(ledger, again=again, never=no_ledger, units=units, is_asked=choice.is_chosen)
    context = Context(
        line.budget,
        # How large a cluster is nobody knows before it is asked.
        force=force or scheduler is not None,
        keeping=keeping,
        executor=choice.opened if choice.is_chosen else None,
    )
    wanted = QueensCountSpec(symmetry, up_to_symmetry, method)
    planned = run(lambda: plan(puzzle.question, wanted, context), line)

    def on_stop() -> str:
        return "; what was found is a part, not the count" if line.last is not None and line.last.found else ""

    counted = run_count(planned, context, reporter(line, as_json=as_json, quiet=quiet, on_stop=on_stop))
    facts = planned.facts | told_of(counted)
    print_count(sink, counted.number, planned.what, facts, up_to_symmetry=up_to_symmetry, as_json=as_json, quiet=quiet)


def percent(progress: Progress, queens: int = 0) -> str:
    """Say how much of the work is done, if the work consists of tasks; else how far the search has come.

    Examples
    --------
    >>> from backrank.runtime.progress import Progress
    >>> percent(Progress(8.0, 5_000, depth=40, total=1_000, found=3_200_000), 20)
    '4.0 % in 8 s, 3,200,000 found (400,000/s), about 3 minutes left'
    """
    if progress.total <= max(queens, 1):
        return described(progress)
    from backrank.queens.counting.forecast import duration

    done, seconds = progress.depth / progress.total, progress.seconds
    words = [f"{100 * done:.1f} % in {seconds:.0f} s"]
    if progress.found and seconds > 0:
        words.append(f"{progress.found:,} found ({progress.found / seconds:,.0f}/s)")
    if done >= LEAST_TOLD:
        words.append(f"{duration(seconds * (1 - done) / done)} left")
    return ", ".join(words)
