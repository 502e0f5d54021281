"""`backrank jobs`: the long counts that the ledger keeps; list, show, resume, cancel and remove them."""

from __future__ import annotations

import json
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from backrank.cli import options as opt
from backrank.cli.counted import Answer
from backrank.cli.grouping import flat
from backrank.cli.jobrunning import ExecutorChoice, reporter, told_of
from backrank.cli.output import Output, remark
from backrank.errors import InvalidPuzzle

if TYPE_CHECKING:
    from backrank.jobs import DamagedJob, Job, Ledger

MOST_WORKERS_TOLD = 8
DAMAGED = "damaged"

JobArgument = Annotated[str, typer.Argument(metavar="ID", help="The job, or how its name begins.", show_default=False)]
ListJsonOption = Annotated[bool, typer.Option("--json", help="Print JSON: one object a line.")]

group = typer.Typer(
    name="jobs",
    help="Long counts that are kept in a ledger: list them, go on with them.",
    invoke_without_command=True,
)


@group.callback()
def listing(context: typer.Context, ledger: opt.LedgerOption = None, as_json: ListJsonOption = False) -> None:
    """Long counts that are kept in a ledger: list them, go on with them.

    A job that is damaged in the ledger is listed with the state 'damaged', and a line on standard error says what is
    wrong with it; the exit code is 0 all the same.

    Examples: backrank jobs;  backrank jobs show 3f2a;  backrank jobs resume 3f2a;  backrank jobs remove 3f2a
    """
    if context.invoked_subcommand is not None:
        if as_json:
            raise InvalidPuzzle(
                f"--json stands behind the command: backrank jobs {context.invoked_subcommand} … --json"
            )
        context.obj = ledger
        return
    from backrank.jobs import DamagedJob
    from backrank.jobs.storage import is_there

    path = _path(ledger, None)
    jobs: list[Job | DamagedJob] = []
    if is_there(path):
        with _opened(ledger, None) as book:
            jobs = book.entries()
    damaged = [job for job in jobs if isinstance(job, DamagedJob)]
    with Output(None, force=False) as sink:
        for job in jobs:
            sink.write(json.dumps(told(job), ensure_ascii=False) if as_json else _line(job))
    if not jobs:
        remark(f"no jobs are kept in {path}")
    for job in damaged:
        remark(f"job {job.id} is damaged: {job.problem}; {_removed_by(job.id)}")


def show(
    context: typer.Context, job: JobArgument, ledger: opt.LedgerOption = None, as_json: ListJsonOption = False
) -> None:
    """Tell all that is known of a job: how far it is, what failed, who has worked on it, and the answer."""
    with _opened(ledger, context.obj) as book:
        facts = details(book, book.job(job))
    with Output(None, force=False) as sink:
        if as_json:
            sink.write(json.dumps(facts, ensure_ascii=False))
        else:
            for line in _described(facts):
                sink.write(line)


def resume(
    context: typer.Context,
    job: JobArgument,
    ledger: opt.LedgerOption = None,
    *,
    choice: ExecutorChoice,
    as_json: opt.JobJsonOption = False,
    target: opt.OutputOptions,
    limits: opt.TimeOptions,
    quiet: opt.QuietOption = False,
) -> None:
    """Go on with a job that was stopped, killed, paused or cancelled, and print its answer.

    Any number of these may work on one job at the same time, as long as they use the same ledger.

    Examples: backrank jobs resume 3f2a;  backrank jobs resume 3f2a --scheduler tcp://host:8786
    """
    from backrank.jobs import kinds
    from backrank.jobs.counts import resume as resume_job
    from backrank.runtime.context import Context

    answer = Answer(target.sink(), as_json=as_json, quiet=quiet)
    choice.require_sane()
    with _opened(ledger, context.obj) as book:
        found = book.job(job)
        if found.spec.kind == "tours" and (choice.scheduler or choice.cluster or choice.executor == "processes"):
            raise InvalidPuzzle("tours are counted by the threads of one machine; leave the option out")
        line = limits.line("counting", quiet=quiet)
        means = Context(line.budget, executor=choice.opened if choice.is_chosen else None)
        counted = resume_job(book, found, means, reporter(line, as_json=as_json, quiet=quiet))
    facts = kinds.facts_of(found.spec) | told_of(counted)
    classes = bool(found.spec.asked.get("up_to_symmetry"))
    answer.print(counted.number, found.spec.what.removesuffix(", up to symmetry"), facts, up_to_symmetry=classes)


def cancel(
    context: typer.Context, job: JobArgument, ledger: opt.LedgerOption = None, quiet: opt.QuietOption = False
) -> None:
    """Stop a job, whoever is working on it; what is recorded stays, and it can be resumed."""
    with _opened(ledger, context.obj) as book:
        found = book.job(job)
        book.cancel(found.id)
    if found.state == "done":
        remark(f"job {found.id} was done already", quiet=quiet)
    else:
        remark(f"job {found.id} is cancelled; {found.done:,} of {found.spec.units:,} units stay recorded", quiet=quiet)


def remove(
    context: typer.Context, job: JobArgument, ledger: opt.LedgerOption = None, quiet: opt.QuietOption = False
) -> None:
    """Take a job out of the ledger, with everything that is recorded of it."""
    with _opened(ledger, context.obj) as book:
        if not book.remove(job):  # by its whole name
            found = book.matching(job)
            job = found[0].id if len(found) == 1 else book.job(job).id  # which says that there are none, or several
            book.remove(job)
    remark(f"job {job} is removed", quiet=quiet)


for _command in (show, resume, cancel, remove):
    group.command(_command.__name__)(flat(_command))


def _path(here: str | None, before: str | None) -> Path:
    from backrank.jobs import ledger_path

    named = here if here is not None else before
    return ledger_path() if named is None else Path(named)


def _opened(here: str | None, before: str | None) -> Ledger:
    """Return the ledger, which must be there: looking for a job makes none."""
    from backrank.jobs import Ledger, NoSuchJob
    from backrank.jobs.storage import is_there

    path = _path(here, before)
    if not is_there(path):
        raise NoSuchJob(f"there is no ledger {path}, and so no job in it; long counts make one, or name another")
    return Ledger(path)


def _removed_by(job: str) -> str:
    return f"'backrank jobs remove {job}' takes it out, to be counted anew"


def told(job: Job | DamagedJob) -> dict[str, Any]:
    """Return a job as plain data, for JSON; of one that is damaged, its state and what is wrong."""
    from backrank.jobs import DamagedJob

    if isinstance(job, DamagedJob):
        unknown = dict.fromkeys(("what", "units", "done", "percent", "created", "changed"))
        return {"id": job.id, **unknown, "state": DAMAGED, "running": False, "problem": job.problem}
    return {
        "id": job.id,
        "what": job.spec.what,
        "state": job.state,
        "running": job.is_running,
        "units": job.spec.units,
        "done": job.done,
        # Layers of tours are so unlike that how many are done does not say how much.
        "percent": None if job.spec.kind == "tours" and job.state != "done" else round(job.percent, 3),
        "created": _time(job.created),
        "changed": _time(job.changed),
        "problem": job.problem or None,
    }


def details(ledger: Ledger, job: Job) -> dict[str, Any]:
    """Return all that is known of a job."""
    outcomes = ledger.outcomes(job.id)
    is_sum = job.spec.kind == "queens"
    found = sum(int(outcome.result) for outcome in outcomes) // job.spec.divisor if is_sum else 0
    failures = ledger.failures(job.id)
    return {
        **told(job),
        "method": job.spec.method,
        "algorithm": job.spec.algorithm,
        "package": job.package,
        "puzzle": dict(job.spec.asked),
        "seconds": round(sum(outcome.seconds for outcome in outcomes), 3),
        "workers": dict(Counter(outcome.worker for outcome in outcomes).most_common()),
        "failures": [{"unit": unit, "times": times, "error": error} for unit, (times, error) in failures.items()],
        "found": str(found),
        "answer": str(ledger.total(job.id)) if job.state == "done" else None,
    }


def _described(facts: dict[str, Any]) -> list[str]:
    workers = [f"{name} ({units:,})" for name, units in facts["workers"].items()]
    more = len(workers) - MOST_WORKERS_TOLD
    lines = [
        f"job {facts['id']}: {facts['what']}",
        f"state: {_state(facts)}, {_share(facts)}",
        f"begun {facts['created']} by backrank {facts['package']}, method {facts['method']} {facts['algorithm']}",
    ]
    if workers:
        names = f"{', '.join(workers[:MOST_WORKERS_TOLD])}{f' and {more} more' if more > 0 else ''}"
        lines.append(f"work: {facts['seconds']:,.1f} s, last recorded {facts['changed']}; units by {names}")
    lines += [f"paused: {facts['problem']}"] if facts["problem"] else []
    lines += [f"unit {each['unit']} failed {each['times']} times: {each['error']}" for each in facts["failures"]]
    if facts["answer"] is not None:
        lines.append(f"answer: {facts['answer']}")
    elif facts["found"] != "0":
        lines.append(f"found so far: {facts['found']}, a part and not the answer")
    return lines


def _line(job: Job | DamagedJob) -> str:
    from backrank.jobs import DamagedJob

    if isinstance(job, DamagedJob):
        return f"{job.id}  {DAMAGED:<9}  {job.problem}; {_removed_by(job.id)}"
    facts = told(job)
    percent = "      –" if facts["percent"] is None else f"{facts['percent']:5.1f} %"
    units = f"{job.done:,} of {job.spec.units:,} units"
    return f"{job.id}  {_state(facts):<9}  {percent}  {units:<22}  {facts['created']}  {job.spec.what}"


def _share(facts: dict[str, Any]) -> str:
    share = f"{facts['done']:,} of {facts['units']:,} units"
    return share if facts["percent"] is None else f"{share}, {facts['percent']:.1f} %"


def _state(facts: dict[str, Any]) -> str:
    return "running" if facts["running"] else str(facts["state"])


def _time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%MZ")
