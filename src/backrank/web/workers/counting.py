"""Counting, as a worker does it: at once, or, if it takes long, as a job of the ledger that outlives this process.

What becomes a job is what does so on the command line. If the ledger has a job for what is asked, it goes on with that,
or takes its answer, however small it is.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from backrank.queens import Queens
from backrank.queens.counting.requested import QueensCountSpec
from backrank.tours import KnightTours
from backrank.tours.spec import TourSpec
from backrank.web.limits import Limits
from backrank.web.models import CountAsked, QueensPuzzle
from backrank.web.problems import problem_of
from backrank.web.puzzles import queens_of, tours_of

if TYPE_CHECKING:
    from backrank.jobs import Job, JobProgress, Ledger
    from backrank.web.workers.process import WorkContext

KEPT_FROM_SECONDS = 5.0  # counts that will take longer, with all cores, become jobs; as on the command line
GLANCE_SECONDS = 0.25
TELL_SECONDS = 0.25
_LIMITS = Limits()


def count(asked: Any, desk: WorkContext) -> dict[str, Any]:
    """Count; whatever time it takes, unless a limit is set.

    Parameters
    ----------
    asked : dict
        `asked`: what is to be counted, or None if `job`, an id, says so; `ledger`: its path, or None; `named`: whether
        it is an error if it cannot be used.
    desk : Desk
    """
    wish = None if asked["asked"] is None else CountAsked.model_validate(asked["asked"])
    # A count with a limit of time is a try, and is not kept.
    if asked["ledger"] is not None and (wish is None or wish.seconds is None):
        number = _in_ledger(asked, wish, desk)
        if number is not None:
            return {"count": str(number)}
    if wish is None:
        raise AssertionError("a job without a ledger")
    return {"count": str(_at_once(wish, desk))}


def _in_ledger(asked: dict[str, Any], wish: CountAsked | None, desk: WorkContext) -> int | None:
    """Count with the ledger; None if it has no part in this."""
    from backrank.jobs import Ledger, LedgerError, LenientLedger  # noqa: PLC0415 - not every work needs it

    def trouble(error: LedgerError) -> None:
        desk.tell("progress", {"unkept": problem_of(error)})

    is_lenient = not asked["named"] and wish is not None
    try:
        ledger = LenientLedger(asked["ledger"], on_trouble=trouble) if is_lenient else Ledger(asked["ledger"])
        try:
            job = _job_for(ledger, asked["job"], wish) if ledger.is_kept else None
        except BaseException:
            ledger.close()
            raise
    except LedgerError as error:
        if not is_lenient:
            raise
        trouble(error)
        return None
    with ledger:
        return None if job is None else _go_on(ledger, job, desk)


def _job_for(ledger: Ledger, name: str | None, wish: CountAsked | None) -> Job | None:
    """Return the job of that name, or for that wish: one that is there, or a new one; None if it need not be one."""
    if name is not None and (wish is None or ledger.state(name) is not None):
        return ledger.job(name)
    if wish is None:
        return None
    if isinstance(wish.puzzle, QueensPuzzle):
        return _queens_job_for(ledger, wish, queens_of(wish.puzzle, _LIMITS.count_squares, "counting"))
    return _tours_job_for(ledger, wish, tours_of(wish.puzzle, _LIMITS.count_squares, "counting"))


def _queens_job_for(ledger: Ledger, wish: CountAsked, puzzle: Queens) -> Job | None:
    from backrank.jobs.queens import queens_job, uncut_queens_job  # noqa: PLC0415

    request = QueensCountSpec(wish.symmetry, wish.up_to_symmetry, wish.method)
    spec, outline = uncut_queens_job(puzzle.question, request)
    found = ledger.find(spec)
    if found is not None:
        return found
    if not outline.is_cut or not _takes_long(outline.plan.seconds):
        return None
    return ledger.add(queens_job(puzzle.question, request))


def _tours_job_for(ledger: Ledger, wish: CountAsked, puzzle: KnightTours) -> Job | None:
    from backrank.jobs import tours_job  # noqa: PLC0415
    from backrank.tours.counting import plan  # noqa: PLC0415

    is_plain = not (wish.up_to_symmetry or wish.symmetry or wish.strictly_open)
    if not is_plain or wish.method not in ("auto", plan.LAYERS) or puzzle.existence().answer == "no":
        return None
    question = TourSpec(puzzle.board, puzzle.piece, puzzle.closed, puzzle.start, puzzle.end)
    how = plan.explain(question, method=wish.method)
    if how.method != plan.LAYERS:
        return None
    spec = tours_job(question, directed=not puzzle.closed if wish.directed is None else wish.directed)
    return ledger.find(spec) or (ledger.add(spec) if _takes_long(how.seconds) else None)


def _takes_long(seconds: float | None) -> bool:
    from backrank.jobs.executors import available_workers  # noqa: PLC0415

    return (seconds or 0.0) / available_workers() >= KEPT_FROM_SECONDS


def _go_on(ledger: Ledger, job: Job, desk: WorkContext) -> int:
    """Do what is left of a job, and return its answer."""
    from backrank.jobs import executor_of, run_job  # noqa: PLC0415

    is_done = job.state == "done"
    if ledger.is_kept:
        desk.tell("progress", {"kept": {"job": job.id, "recorded": is_done}})
    if is_done:
        return ledger.total(job.id)
    if job.spec.kind == "tours":
        _wait_for_others(ledger, job.id)
    told = 0.0

    def watch(progress: JobProgress) -> None:
        nonlocal told
        now = time.monotonic()
        if now - told >= TELL_SECONDS or progress.done == progress.units:
            told = now
            desk.tell("progress", {"job": progress.to_dict()})

    with executor_of("threads") as threads:
        return run_job(ledger, job.id, threads, on_progress=watch)


def _wait_for_others(ledger: Ledger, job: str) -> None:
    """Tours are counted by one at a time: wait until whoever was killed a moment ago no longer seems to be there."""
    from backrank.jobs.ledger import ALIVE_SECONDS  # noqa: PLC0415

    until = time.monotonic() + ALIVE_SECONDS + 1
    while time.monotonic() < until and ledger.job(job).is_running:
        time.sleep(GLANCE_SECONDS)


def _at_once(wish: CountAsked, desk: WorkContext) -> int:
    budget = desk.budget(wish.seconds)
    if isinstance(wish.puzzle, QueensPuzzle):
        return queens_of(wish.puzzle, _LIMITS.count_squares, "counting").count(
            symmetry=wish.symmetry, up_to_symmetry=wish.up_to_symmetry, method=wish.method, force=True, budget=budget
        )
    return tours_of(wish.puzzle, _LIMITS.count_squares, "counting").count(
        directed=wish.directed,
        up_to_symmetry=wish.up_to_symmetry,
        symmetry=wish.symmetry,
        strictly_open=wish.strictly_open,
        method=wish.method,
        budget=budget,
    )
