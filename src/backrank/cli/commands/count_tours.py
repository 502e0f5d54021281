"""`backrank count tours`: exact numbers, and which number it is."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from backrank.cli import options as opt
from backrank.cli.commands.count_begun import BeginOption, print_completions, require_none
from backrank.cli.commands.count_estimate import print_estimate
from backrank.cli.commands.count_explained import print_plan
from backrank.cli.counted import Answer, SymmetryOption
from backrank.cli.jobrunning import keeping_of, reporter, told_of
from backrank.cli.output import remark
from backrank.cli.progress import ProgressLine, share_done
from backrank.cli.running import StoppedError, run
from backrank.errors import BackrankError, BoardTooLarge, BudgetExceeded, InvalidPuzzle
from backrank.runtime.context import Context

if TYPE_CHECKING:
    from backrank.jobs.counts import Counted
    from backrank.tours import KnightTours
    from backrank.tours.counting.plan import TourCountPlan
    from backrank.tours.counting.spec import TourCountSpec

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
    int | None,
    typer.Option("--runs", metavar="N", help="For --estimate: the number of independent runs; 20 if not given."),
]
StatesOption = Annotated[
    int | None,
    typer.Option(
        "--states", metavar="M", help="For --estimate: the number of states kept of each layer; 20,000 if not given."
    ),
]
SeedOption = Annotated[
    int | None,
    typer.Option("--seed", metavar="S", help="For --estimate: another seed, another estimate; 0 if not given."),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToursNumberOptions:
    """The options that say which number of tours is counted."""

    directed: DirectedOption = None
    up_to_symmetry: SymmetryOption = False
    strictly_open: StrictlyOption = False
    symmetry: KeptOption = None
    begin: BeginOption = None

    def spec(self, puzzle: KnightTours, method: str) -> TourCountSpec:
        """Return the spec of the count."""
        from backrank.tours.counting.spec import TourCountSpec

        directed = not puzzle.closed if self.directed is None else self.directed
        return TourCountSpec(directed, self.up_to_symmetry, method, self.symmetry, self.strictly_open)

    def given(self) -> dict[str, object]:
        """Return the options by name."""
        return {
            "--up-to-symmetry": self.up_to_symmetry,
            "--symmetry": self.symmetry,
            "--strictly-open": self.strictly_open,
        }

    def direction(self) -> dict[str, object]:
        """Return the options about directions by name."""
        return {"--directed": self.directed is True, "--undirected": self.directed is False}


@dataclass(frozen=True, slots=True, kw_only=True)
class MeansOptions:
    """The options that say how tours are counted, and with what."""

    method: MethodOption = "auto"
    explain: ExplainOption = False
    verify: VerifyOption = False
    memory: opt.MemoryOption = None
    threads: ThreadsOption = None
    folder: FolderOption = None

    def given(self) -> dict[str, object]:
        """Return the options by name."""
        return {
            "--verify": self.verify,
            "--explain": self.explain,
            "--method": None if self.method == "auto" else self.method,
            "--threads": self.threads,
            "--folder": self.folder,
        }

    def require_fit(self, number: ToursNumberOptions) -> None:
        """Raise InvalidPuzzle if the number cannot be verified or explained."""
        which = "--symmetry" if number.symmetry is not None else "--strictly-open" if number.strictly_open else None
        if which and (self.verify or self.explain):
            raise InvalidPuzzle(f"--verify and --explain are about the count of all tours; leave them out, or {which}")


@dataclass(frozen=True, slots=True, kw_only=True)
class EstimateOptions:
    """The options of an estimate."""

    estimate: EstimateOption = False
    runs: RunsOption = None
    states: StatesOption = None
    seed: SeedOption = None

    def require_fit(self, others: dict[str, object]) -> None:
        """Raise InvalidPuzzle for options that go with an estimate only, or never."""
        only_with = {"--runs": self.runs, "--states": self.states, "--seed": self.seed}
        for name, value in (others if self.estimate else only_with).items():
            if value is not None and value is not False:
                why = "is about exact counts; leave it out, or --estimate"
                raise InvalidPuzzle(f"{name} {why if self.estimate else 'is for --estimate; give that too'}")


def tours(
    asked: opt.TourOptions,
    number: ToursNumberOptions,
    means: MeansOptions,
    sampling: EstimateOptions,
    job: opt.LedgerOptions,
    as_json: opt.JobJsonOption = False,
    *,
    target: opt.OutputOptions,
    limits: opt.LimitOptions,
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
    from backrank.tours.counting.spec import facts

    puzzle = asked.puzzle()
    line = limits.line("counting", quiet=quiet, words=lambda progress: share_done(progress, len(puzzle.board)))
    answer = Answer(target.sink(), as_json=as_json, quiet=quiet)
    chosen, kept = number.given() | means.given(), {"--ledger": job.ledger, "--again": job.again}
    means.require_fit(number)
    sampling.require_fit({**chosen, "--memory": means.memory, **kept})
    if number.begin is not None:
        require_none({**chosen, "--estimate": sampling.estimate, **number.direction(), **kept})
        print_completions(puzzle, number.begin, line, answer, memory=means.memory)
        return
    wanted = number.spec(puzzle, means.method)
    if sampling.estimate:
        print_estimate(puzzle, wanted, line, answer, runs=sampling.runs, states=sampling.states, seed=sampling.seed)
        return
    allowed = opt.bytes_of(means.memory)
    if means.explain:
        print_plan(puzzle, answer, facts(puzzle.spec, wanted), method=means.method, memory=allowed)
        return
    layers = {"--method": None} if means.method == "layers" else {}
    keeping = keeping_of(
        job.ledger,
        again=job.again,
        never=job.no_ledger,
        others={**chosen, "--verify": None, "--threads": None, **layers},
    )
    context = Context(line.budget, means.threads, allowed, means.folder, keeping=keeping)
    _print_counted(puzzle, wanted, context, line, answer, verify=means.verify)


def _print_counted(
    puzzle: KnightTours, wanted: TourCountSpec, context: Context, line: ProgressLine, answer: Answer, *, verify: bool
) -> None:
    """Count, and print the number; verified, if that is asked for."""
    from backrank.tours.counting.run import release

    plan, counted = _counted(puzzle, wanted, context, line, answer)
    number, classes = counted.number, wanted.up_to_symmetry
    words = plan.what.replace(" tours", " tour", 1) if number == 1 else plan.what
    so_far = f"{number} {words}{', up to symmetry' * classes}"
    missed = _verified(puzzle, plan, number, so_far, context, line, quiet=answer.quiet) if verify else None
    told = plan.facts | told_of(counted) | ({"verified": missed is None} if verify else {})
    if missed is None or answer.as_json:  # a number alone would look verified
        answer.print(number, words, told, up_to_symmetry=classes)
    if missed is not None:
        raise missed
    release(context.folder)  # only now: a command that is killed before finds its answer there
    if plan.existence.answer == "no":
        remark(f"none: {plan.existence.reason}", quiet=answer.quiet)


def _counted(
    puzzle: KnightTours, wanted: TourCountSpec, context: Context, line: ProgressLine, answer: Answer
) -> tuple[TourCountPlan, Counted]:
    """Plan and count."""
    from backrank.cli.commands.count_estimate import way_out
    from backrank.jobs.counts import run_count
    from backrank.tours.counting.plan import plan

    try:
        planned = run(lambda: plan(puzzle.spec, wanted, context), line)
        return planned, run_count(planned, context, reporter(line, as_json=answer.as_json, quiet=answer.quiet))
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
        verdict = run(lambda: verify(puzzle.spec, plan.wanted, number, context), line)
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
