"""When a count of tours is kept in the ledger, and how."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from backrank.cli.commands.count_queens import KEPT_FROM_SECONDS, Keeping
from backrank.cli.jobrunning import ExecutorChoice, LedgerOption, kept_count
from backrank.errors import InvalidPuzzle

if TYPE_CHECKING:
    from collections.abc import Mapping

    from backrank.cli.progress import ProgressLine
    from backrank.tours import KnightTours

__all__ = ["KeepOptions", "LayersAgainOption", "LedgerOption", "NoLayersLedgerOption", "by_job"]

NoLayersLedgerOption = Annotated[bool, typer.Option("--no-ledger", help="Do not keep long counts.")]
LayersAgainOption = Annotated[bool, typer.Option("--again", help="Count anew what the ledger has counted already.")]
LITTLE_BOARD = 40  # squares; smaller ones take no time
_FITS = 0.9  # of the free memory


@dataclass(frozen=True, slots=True)
class KeepOptions:
    """What the options say about keeping.

    Attributes
    ----------
    ledger : str, optional
    never, again : bool
    threads : int, optional
    others : mapping
        Options that a kept count does not have, by their names; those that are set.
    """

    ledger: str | None
    never: bool
    again: bool
    threads: int | None
    others: Mapping[str, object]

    @property
    def is_told(self) -> bool:
        """Whether a ledger was asked for."""
        return self.ledger is not None or self.again

    def require_sane(self) -> None:
        """Refuse options that contradict each other."""
        if self.never and self.is_told:
            raise InvalidPuzzle("--no-ledger keeps nothing; leave out --ledger and --again, or --no-ledger")
        given = [name for name, value in self.others.items() if value not in (None, False)]
        if self.is_told and given:
            raise InvalidPuzzle(f"{given[0]} is for counts that are not kept; leave it out, or --ledger and --again")


def by_job(
    puzzle: KnightTours, wish: KeepOptions, line: ProgressLine, *, directed: bool, as_json: bool, quiet: bool
) -> tuple[int, dict[str, Any]] | None:
    """Count as a job and return the answer, and which job it was; None if the count is not to be kept."""
    wish.require_sane()
    if not _is_wanted(puzzle, wish, line):
        return None
    crew = ExecutorChoice("threads", wish.threads)
    ledger = Keeping(wish.ledger, never=False, again=wish.again, units=None, crew=ExecutorChoice()).opened()
    if ledger is None:
        return None
    from backrank.jobs import tours_job
    from backrank.tours.spec import TourSpec

    question = TourSpec(puzzle.board, puzzle.piece, puzzle.closed, puzzle.start, puzzle.end)
    spec = tours_job(question, directed=directed)
    with ledger:
        return kept_count(ledger, spec, lambda: spec, crew, line, again=wish.again, as_json=as_json, quiet=quiet)


def _is_wanted(puzzle: KnightTours, wish: KeepOptions, line: ProgressLine) -> bool:
    """Whether it was asked for; or takes long, fits, and has no limit."""
    if puzzle.existence().answer == "no":
        return False
    if wish.is_told:
        return True
    limited = line.budget.seconds is not None or line.budget.calls is not None
    if wish.never or limited or any(value not in (None, False) for value in wish.others.values()):
        return False
    if len(puzzle.board) < LITTLE_BOARD:
        return False
    plan = puzzle.count_plan()
    if plan.method != "layers":
        return False
    from backrank.jobs.executors import available_workers
    from backrank.runtime.memory import available_bytes

    seconds = plan.seconds / (wish.threads or available_workers())
    return seconds >= KEPT_FROM_SECONDS and plan.memory <= _FITS * available_bytes()
