"""`backrank count queens`: exact numbers, and which number it is. Long counts become jobs that can be resumed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from backrank.cli import options as opt
from backrank.cli.counted import Answer, SymmetryOption
from backrank.cli.jobrunning import ExecutorChoice, keeping_of, reporter, told_of
from backrank.cli.progress import percent
from backrank.cli.running import run

if TYPE_CHECKING:
    from backrank.queens.counting.spec import QueensCountSpec

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
    typer.Option(
        "--units",
        metavar="N",
        min=1,
        max=500_000,
        help="The number of units that the count is cut into; measured if not given.",
    ),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class QueensNumberOptions:
    """The options that say which number of placements is counted."""

    symmetry: FixedOption = None
    up_to_symmetry: SymmetryOption = False
    method: QueensMethodOption = "auto"

    def spec(self) -> QueensCountSpec:
        """Return the spec of the count."""
        from backrank.queens.counting.spec import QueensCountSpec

        return QueensCountSpec(self.symmetry, self.up_to_symmetry, self.method)


@dataclass(frozen=True, slots=True, kw_only=True)
class CountOutputOptions(opt.OutputOptions):
    """The options that say where the count goes, and whether it is begun at all."""

    force: ForceCountOption = False


@dataclass(frozen=True, slots=True, kw_only=True)
class JobOptions(opt.LedgerOptions):
    """The options that say whether the count is kept, and into how many units it is cut."""

    no_ledger: NoLedgerOption = False
    again: AgainOption = False
    units: UnitsOption = None


def queens(
    asked: opt.QueensOptions,
    number: QueensNumberOptions,
    as_json: opt.JobJsonOption = False,
    *,
    target: CountOutputOptions,
    limits: opt.LimitOptions,
    job: JobOptions,
    choice: ExecutorChoice,
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
    from backrank.runtime.context import Context

    puzzle, wanted = asked.puzzle(), number.spec()
    line = limits.line("counting", quiet=quiet, words=lambda progress: percent(progress, puzzle.queens))
    answer = Answer(target.sink(), as_json=as_json, quiet=quiet)
    choice.require_sane()
    keeping = keeping_of(job.ledger, again=job.again, never=job.no_ledger, units=job.units, is_asked=choice.is_chosen)
    context = Context(
        line.budget,
        # How large a cluster is cannot be known before it answers.
        force=target.force or choice.scheduler is not None,
        keeping=keeping,
        executor=choice.opened if choice.is_chosen else None,
    )
    planned = run(lambda: plan(puzzle.spec, wanted, context), line)

    def on_stop() -> str:
        return "; what was found is a part, not the count" if line.last is not None and line.last.found else ""

    counted = run_count(planned, context, reporter(line, as_json=as_json, quiet=quiet, on_stop=on_stop))
    facts = planned.facts | told_of(counted)
    answer.print(counted.number, planned.what, facts, up_to_symmetry=number.up_to_symmetry)
