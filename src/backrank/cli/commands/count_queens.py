"""`backrank count queens`: exact numbers, and which number it is. Long counts become jobs that can be resumed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from backrank.cli import options as opt
from backrank.cli.commands.solve import PlacedOption, PlacedPieceOption, placed_squares, placed_words
from backrank.cli.counted import SymmetryOption, print_count
from backrank.cli.jobrunning import (
    ClusterOption,
    ExecutorChoice,
    ExecutorOption,
    JobJsonOption,
    LedgerOption,
    SchedulerOption,
    WorkersOption,
    kept_count,
)
from backrank.cli.output import Output, remark
from backrank.cli.progress import LEAST_TOLD, ProgressLine, described
from backrank.cli.running import StoppedError, run
from backrank.errors import InvalidPuzzle

if TYPE_CHECKING:
    from backrank.jobs import Ledger
    from backrank.queens import Queens
    from backrank.queens.counting.requested import QueensCountSpec
    from backrank.runtime.budget import Budget
    from backrank.runtime.progress import Progress

KEPT_FROM_SECONDS = 5.0  # counts that will take longer are kept in the ledger
LITTLE_BOARD = 120  # squares: not worth asking

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


@dataclass(frozen=True, slots=True)
class Keeping:
    """What the options say about keeping a count in a ledger."""

    ledger: str | None
    never: bool
    again: bool
    units: int | None
    crew: ExecutorChoice

    def is_wanted(self, puzzle: Queens, request: QueensCountSpec, budget: Budget) -> bool:
        """Whether the count becomes a job: if that was asked for, or it takes long and has no limit.

        Raises
        ------
        InvalidPuzzle
            If the options contradict each other.
        BoardTooLarge
            If it would take this machine more than a day.
        """
        asked = self.ledger is not None or self.again or self.units is not None or self.crew.is_chosen
        self.crew.require_sane()
        if self.never and asked:
            raise InvalidPuzzle("--no-ledger counts at once, here, with all cores; leave out what is about jobs")
        limited = budget.seconds is not None or budget.calls is not None
        if not asked and (self.never or limited or request.symmetry or puzzle.board.size < LITTLE_BOARD):
            return False
        from backrank.jobs.queens import outlined

        # How large a cluster is nobody knows before it is asked.
        force = request.force or self.crew.scheduler is not None
        outline = outlined(puzzle.question, request, budget, force=force)
        if asked:
            return True
        seconds = outline.plan.seconds or 0.0
        if not outline.is_cut or seconds < KEPT_FROM_SECONDS:
            return False
        from backrank.jobs.executors import available_workers

        return seconds / available_workers() >= KEPT_FROM_SECONDS

    def opened(self) -> Ledger | None:
        """Return the ledger; None, after a remark, if it was not named and cannot be used, and no option needs one.

        Raises
        ------
        LedgerError
            If it was named and cannot be used.
        """
        from backrank.jobs import Ledger, LenientLedger
        from backrank.jobs.location import is_told

        if self.ledger is not None or is_told():
            return Ledger(self.ledger)
        ledger = LenientLedger(on_trouble=lambda error: remark(f"{error}; the count goes on, but is not kept"))
        if not ledger.is_kept and self.units is None and not self.crew.is_chosen:
            ledger.close()
            return None
        return ledger


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
    from backrank.queens import Queens
    from backrank.queens.counting.requested import QueensCountSpec

    puzzle = Queens(opt.board_of(board, holes, wrap), queens=count, piece=piece, placed=placed_squares(placed))
    line = ProgressLine(
        "counting",
        seconds=opt.seconds_of(time_limit),
        calls=call_limit,
        quiet=quiet,
        words=lambda progress: percent(progress, puzzle.queens),
    )
    sink = Output(output, force=force)
    request = QueensCountSpec(symmetry, up_to_symmetry, method, force)
    crew = ExecutorChoice(executor, workers, scheduler, cluster)
    keeping = Keeping(ledger, no_ledger, again, units, crew)
    kept, more = None, dict[str, Any]()
    if keeping.is_wanted(puzzle, request, line.budget):
        if call_limit is not None:
            raise InvalidPuzzle("calls cannot be limited where units are counted apart; limit the time instead")
        kept = keeping.opened()
    if kept is None:
        number = _counted(puzzle, request, line)
    else:
        from backrank.jobs.queens import queens_job, uncut_queens_job

        question = puzzle.question
        with kept:
            number, more = kept_count(
                kept,
                uncut_queens_job(question, request)[0],
                lambda: run(lambda: queens_job(question, request, units=units), line),  # it may compile to measure
                crew,
                line,
                again=again,
                as_json=as_json,
                quiet=quiet,
                units=units,
            )
    print_placements(puzzle, request, number, sink, more, as_json=as_json, quiet=quiet)


def _counted(puzzle: Queens, asked: QueensCountSpec, line: ProgressLine) -> int:
    """Count without a ledger."""
    try:
        return run(
            lambda: puzzle.count(
                symmetry=asked.symmetry,
                up_to_symmetry=asked.up_to_symmetry,
                method=asked.method,
                force=asked.force,
                budget=line.budget,
            ),
            line,
        )
    except StoppedError as error:
        is_partial = line.last is not None and line.last.found > 0
        raise StoppedError(f"{error}{'; what was found is a part, not the count' * is_partial}") from None


def print_placements(
    puzzle: Queens,
    asked: QueensCountSpec,
    number: int,
    sink: Output,
    more: dict[str, Any],
    *,
    as_json: bool,
    quiet: bool,
) -> None:
    """Print a count of placements, and which number it is."""
    unchanged = f", unchanged when the board is turned by {asked.symmetry}°" if asked.symmetry else ""
    sentence = f"placements of {puzzle.queens} {puzzle.piece}s on {puzzle.board}{placed_words(puzzle)}{unchanged}"
    facts = {
        "kind": "queens",
        "board": str(puzzle.board),
        "queens": puzzle.queens,
        "piece": puzzle.piece,
        "placed": [puzzle.board.name(square) for square in puzzle.placed],
        "symmetry": asked.symmetry,
        **more,
    }
    print_count(sink, number, sentence, facts, up_to_symmetry=asked.up_to_symmetry, as_json=as_json, quiet=quiet)


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
