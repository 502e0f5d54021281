"""`backrank count tours`: exact numbers, and which number it is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from backrank.cli import options as opt
from backrank.cli.commands.count_begun import BeginOption, print_completions
from backrank.cli.commands.count_explained import print_plan
from backrank.cli.counted import SymmetryOption, print_count
from backrank.cli.jobrunning import JobJsonOption, LedgerOption, keeping_of, reporter, told_of
from backrank.cli.output import Output, remark
from backrank.cli.progress import ProgressLine, share_done
from backrank.cli.running import StoppedError, run
from backrank.errors import BackrankError, BoardTooLarge, BudgetExceeded, InvalidPuzzle

if TYPE_CHECKING:
    from backrank.jobs.counts import Counted
    from backrank.runtime.context import Context
    from backrank.tours import KnightTours
    from backrank.tours.counting.plan import TourCountPlan
    from backrank.tours.counting.spec import TourCountSpec

NoLayersLedgerOption = Annotated[bool, typer.Option("--no-ledger", help="Do not keep long counts.")]
LayersAgainOption = Annotated[bool, typer.Option("--again", help="Count anew what the ledger has counted already.")]

DirectedOption = Annotated[
    bool | None,
    typer.Option(
        "--directed/--undirected",
        help="Whether a tour and its reverse are two. If not given: two for open tours, one for closed ones.",
        show_default=False,
    ),
]
StrictlyOption = Annotated[
    bool, typer.Option("--strictly-open", help="Only open tours whose ends are not a move apart.")
]
MethodOption = Annotated[
    str, typer.Option("--method", metavar="NAME", help="auto, layers (compiled), frontier (plain), or listing.")
]
ExplainOption = Annotated[
    bool, typer.Option("--explain", help="Only tell how it would be counted, and what that is expected to take.")
]
VerifyOption = Annotated[
    bool, typer.Option("--verify", help="Count again in another order, modulo a prime of 61 bits, and compare.")
]
MemoryOption = Annotated[
    str | None, typer.Option("--memory", metavar="SIZE", help="Take no more than so much memory: 500M, 8G.")
]
ThreadsOption = Annotated[
    int | None, typer.Option("--threads", metavar="N", min=1, help="One for each core if not given.")
]
KeptOption = Annotated[
    str | None,
    typer.Option(
        "--symmetry", metavar="ANGLE", help="Only tours that turning the board by 180 or 90 degrees does not change."
    ),
]
FolderOption = Annotated[
    Path | None,
    typer.Option(
        "--folder",
        metavar="DIR",
        help="Keep layers there about every minute; the same command goes on from them. What does not fit into memory "
        "goes there too.",
    ),
]
EstimateOption = Annotated[
    bool, typer.Option("--estimate", help="Tell about how many, with an interval; for boards up to about 12x12.")
]
RunsOption = Annotated[
    int | None, typer.Option("--runs", metavar="N", help="For --estimate: so many independent runs; 20 if not given.")
]
StatesOption = Annotated[
    int | None,
    typer.Option("--states", metavar="M", help="For --estimate: keep so many states a layer; 20,000 if not given."),
]
SeedOption = Annotated[
    int | None,
    typer.Option("--seed", metavar="S", help="For --estimate: another seed, another estimate; 0 if not given."),
]


def tours(
    board: opt.BoardArgument,
    start: opt.StartOption = None,
    end: opt.EndOption = None,
    closed: opt.ClosedOption = False,
    holes: opt.HolesOption = "",
    wrap: opt.WrapOption = "none",
    piece: opt.PieceOption = "knight",
    directed: DirectedOption = None,
    up_to_symmetry: SymmetryOption = False,
    strictly_open: StrictlyOption = False,
    symmetry: KeptOption = None,
    begin: BeginOption = None,
    method: MethodOption = "auto",
    explain: ExplainOption = False,
    verify: VerifyOption = False,
    memory: MemoryOption = None,
    threads: ThreadsOption = None,
    folder: FolderOption = None,
    estimate: EstimateOption = False,
    runs: RunsOption = None,
    states: StatesOption = None,
    seed: SeedOption = None,
    ledger: LedgerOption = None,
    no_ledger: NoLayersLedgerOption = False,
    again: LayersAgainOption = False,
    as_json: JobJsonOption = False,
    output: opt.OutputOption = None,
    force: opt.ForceOption = False,
    time_limit: opt.TimeLimitOption = None,
    call_limit: opt.CallLimitOption = None,
    quiet: opt.QuietOption = False,
) -> None:
    """Count knight's tours exactly, or estimate how many there are.

    Open tours include those whose ends happen to be one move apart, unless --strictly-open is given.

    What takes more than a few seconds becomes a job, and is recorded layer by layer in a ledger: whatever stops it,
    'backrank jobs resume' or the same command goes on. Counts with a limit or a work folder are not kept.

    Examples: backrank count tours 5x5 --start 0,0;  backrank count tours 6x6 --closed;
    backrank count tours 6x6 --undirected --strictly-open;  backrank count tours 8x8 --closed --symmetry 180;
    backrank count tours 10x10 --estimate;  backrank count tours 6x6 --begin a1,b3,c5
    """
    from backrank.cli.commands import count_estimate as about
    from backrank.runtime.context import Context
    from backrank.tours.counting.run import release
    from backrank.tours.counting.spec import TourCountSpec, facts, sentence
    from backrank.tours.puzzle import KnightTours

    puzzle = KnightTours(opt.board_of(board, holes, wrap), closed=closed, start=start, end=end, piece=piece)
    told_direction = {"--directed": directed is True, "--undirected": directed is False}
    directed = not closed if directed is None else directed
    line = ProgressLine(
        "counting",
        seconds=opt.seconds_of(time_limit),
        calls=call_limit,
        quiet=quiet,
        words=lambda progress: share_done(progress, len(puzzle.board)),
    )
    sink = Output(output, force=force)
    chosen: dict[str, object] = {
        "--up-to-symmetry": up_to_symmetry,
        "--symmetry": symmetry,
        "--strictly-open": strictly_open,
        "--verify": verify,
        "--explain": explain,
        "--method": None if method == "auto" else method,
        "--threads": threads,
        "--folder": folder,
    }
    if (symmetry is not None or strictly_open) and (verify or explain):
        which = "--symmetry" if symmetry is not None else "--strictly-open"
        raise InvalidPuzzle(f"--verify and --explain are about the count of all tours; leave them out, or {which}")
    kept_options = {"--ledger": ledger, "--again": again}
    about.require_fit(
        estimate=estimate,
        only_with={"--runs": runs, "--states": states, "--seed": seed},
        not_with={**chosen, "--memory": memory, **kept_options},
    )
    if begin is not None:
        refused = {**chosen, "--estimate": estimate, **told_direction, **kept_options}
        print_completions(puzzle, begin, line, sink, not_with=refused, memory=memory, as_json=as_json, quiet=quiet)
        return
    wanted = TourCountSpec(directed, up_to_symmetry, method, symmetry, strictly_open)
    words, told = sentence(puzzle._question, wanted), facts(puzzle._question, wanted)
    if estimate:
        about.print_estimate(
            puzzle, line, sink, words, told, runs=runs, states=states, seed=seed, as_json=as_json, quiet=quiet
        )
        return
    allowed = opt.bytes_of(memory)
    if explain:
        print_plan(puzzle, sink, told, method=method, memory=allowed, as_json=as_json, quiet=quiet)
        return
    layers = method in ("auto", "layers")
    unkept = {**chosen, "--verify": None, "--threads": None, "--method": None if layers else method}
    keeping = keeping_of(ledger, again=again, never=no_ledger, others=unkept)
    context = Context(line.budget, threads, allowed, folder, keeping=keeping)
    plan, counted = _counted(puzzle, wanted, context, line, as_json=as_json, quiet=quiet)
    number = counted.number
    words = words.replace(" tours", " tour", 1) if number == 1 else words
    so_far = f"{number} {words}{', up to symmetry' * up_to_symmetry}"
    missed = _verified(puzzle, plan, number, so_far, context, line, quiet=quiet) if verify else None
    told |= told_of(counted) | ({"verified": missed is None} if verify else {})
    if missed is None or as_json:  # a number alone would look verified
        print_count(sink, number, words, told, up_to_symmetry=up_to_symmetry, as_json=as_json, quiet=quiet)
    if missed is None:
        release(folder)  # only now: a command that is killed before finds its answer there
    if missed is not None:
        raise missed
    if plan.existence.answer == "no":
        remark(f"none: {plan.existence.reason}", quiet=quiet)


def _counted(
    puzzle: KnightTours, wanted: TourCountSpec, context: Context, line: ProgressLine, *, as_json: bool, quiet: bool
) -> tuple[TourCountPlan, Counted]:
    """Plan and count."""
    from backrank.cli.commands.count_estimate import way_out
    from backrank.jobs.counts import run_count
    from backrank.tours.counting.plan import plan

    try:
        planned = run(lambda: plan(puzzle._question, wanted, context), line)
        return planned, run_count(planned, context, reporter(line, as_json=as_json, quiet=quiet))
    except BoardTooLarge as error:
        raise (error if wanted.up_to_symmetry or wanted.symmetry else way_out(puzzle, error)) from None
    except StoppedError as error:
        raise StoppedError(f"{error}{_goes_on(context)}") from None
    except BudgetExceeded as error:
        raise BudgetExceeded(f"{error}{_goes_on(context)}", error.reached) from None


def _goes_on(context: Context) -> str:
    """Say what may be done about a count that was stopped."""
    kept = context.folder is not None and context.folder.is_dir()
    return f"; the same command goes on from the last layer that is kept in {context.folder}" if kept else ""


def _verified(
    puzzle: KnightTours,
    plan: TourCountPlan,
    number: int,
    counted: str,
    context: Context,
    line: ProgressLine,
    *,
    quiet: bool,
) -> BoardTooLarge | BudgetExceeded | None:
    """Count again; raise if the counts differ. Return what was `counted` and why it is not verified, if it is not."""
    from backrank.tours.counting.run import release, verify

    if plan.existence.answer == "no":
        return None  # no count but a proof
    try:
        verdict = run(lambda: verify(puzzle._question, plan.wanted, number, context), line)
    except BoardTooLarge as error:
        return BoardTooLarge(f"counted {counted}, but not verified: {error}")
    except BudgetExceeded as error:
        return BudgetExceeded(f"counted {counted}, but not verified: {error}", error.reached)
    if not verdict.agrees:
        release(context.folder)  # the same command is to count anew
        raise WrongCountError(f"{verdict}; nothing is known, please report this")
    remark(str(verdict), quiet=quiet)
    return None


class WrongCountError(BackrankError):
    """Two counts of the same tours differ."""
