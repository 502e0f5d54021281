"""`backrank selftest`: published values counted anew by algorithms that do not know of each other."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from backrank.cli import options as opt
from backrank.cli.output import Output, remark
from backrank.cli.progress import ClearedLine
from backrank.cli.running import StoppedError

if TYPE_CHECKING:
    from backrank.published.values import Published
    from backrank.selftest.methods import Way
    from backrank.selftest.recounts import CheckedValue, Verdict

DeepOption = Annotated[bool, typer.Option("--deep", help="Go as far as minutes allow, not half a minute.")]


def selftest(
    deep: DeepOption = False,
    as_json: opt.JsonOption = False,
    output: opt.OutputOption = None,
    force: opt.ForceOption = False,
    quiet: opt.QuietOption = False,
) -> None:
    """Count published values anew, each by two algorithms at least, and say whether all of them agree.

    A line for each value tells who counted it; one that is wrong tells what each algorithm gave. The exit code is 1 if
    anything is wrong. The published values are compared with, never taken for an answer.

    Examples: backrank selftest;  backrank selftest --deep;  backrank selftest --json
    """
    from backrank.selftest.recounts import LEAST, Verdict, checks, not_recounted

    began, asked, done = time.perf_counter(), checks(deep=deep), list["CheckedValue"]()
    with Output(output, force=force) as sink:
        complete = _run(asked, done, None if as_json else sink, quiet=quiet)
        wrong = sum(not check.agrees for check in done)
        alone = sum(len(check.counts) < LEAST for check in done)
        verdict = Verdict(len(done), wrong, time.perf_counter() - began, complete, alone)
        if as_json:
            sink.write(json.dumps(_as_data(done, verdict), ensure_ascii=False))
        else:
            sink.write(str(verdict))
    remark(f"not counted anew, since nothing here counts them: {', '.join(not_recounted())}", quiet=quiet or as_json)
    if wrong:
        raise typer.Exit(1)
    if not complete:
        raise StoppedError(f"stopped after {len(done)} of {len(asked)} values")


def _run(
    asked: Sequence[tuple[Published, Sequence[Way]]], done: list[CheckedValue], sink: Output | None, *, quiet: bool
) -> bool:
    """Run the checks, print each if there is where to, and return whether Ctrl-C left them in peace."""
    from backrank.selftest.recounts import run_checks

    line = ClearedLine("checking", quiet=quiet, words=lambda progress: _words(progress.seconds, done, asked))
    try:
        with line:
            for check in run_checks(asked, line.budget):
                done.append(check)
                if sink is not None and not (quiet and check.agrees):
                    line.clear()
                    sink.write(str(check))
    except KeyboardInterrupt:
        return False
    return True


def _words(seconds: float, done: Sequence[CheckedValue], asked: Sequence[tuple[Published, Sequence[Way]]]) -> str:
    value, _ = asked[min(len(done), len(asked) - 1)]
    return f"{value.kind} {value.size}, {len(done)} of {len(asked)} done, {seconds:.0f} s for this one"


def _as_data(done: Sequence[CheckedValue], verdict: Verdict) -> dict[str, object]:
    from backrank._version import __version__

    return {
        "backrank": __version__,
        "passed": verdict.passed,
        "complete": verdict.complete,
        "checked": verdict.checked,
        "wrong": verdict.wrong,
        "alone": verdict.alone,
        "seconds": round(verdict.seconds, 3),
        "checks": [check.to_dict() for check in done],
    }
