"""`backrank count tours --estimate`: about how many, where they are too many to be counted."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from backrank.cli.counted import Answer
from backrank.cli.progress import ProgressLine
from backrank.cli.running import run
from backrank.errors import BoardTooLarge

if TYPE_CHECKING:
    from backrank.runtime.progress import Progress
    from backrank.tours import KnightTours
    from backrank.tours.counting.spec import TourCountSpec
    from backrank.tours.estimation.estimate import Estimate


def print_estimate(
    puzzle: KnightTours,
    wanted: TourCountSpec,
    line: ProgressLine,
    answer: Answer,
    *,
    runs: int | None,
    states: int | None,
    seed: int | None,
) -> None:
    """Estimate how many tours there are, and print it."""
    from backrank.tours.arguments import RUNS, STATES
    from backrank.tours.counting.spec import facts, sentence

    runs, states = RUNS if runs is None else runs, STATES if states is None else states
    line.what, line.words = "estimating", _progress
    found = run(
        lambda: puzzle.estimate(
            directed=wanted.directed, runs=runs, states=states, rng=0 if seed is None else seed, budget=line.budget
        ),
        line,
    )
    with answer.sink as sink:
        if answer.as_json:
            sink.write(json.dumps({**_figures(found), **facts(puzzle.spec, wanted)}, ensure_ascii=False))
        elif answer.quiet:
            sink.write(found.short)
        else:
            sink.write(f"{sentence(puzzle.spec, wanted)}: {found}")


def way_out(puzzle: KnightTours, error: BoardTooLarge) -> BoardTooLarge:
    """Return the refusal of a count, and that the number can be estimated, if it can."""
    try:
        puzzle.count_plan(method="layers")
    except BoardTooLarge:
        return error
    told, known = str(error), "or have their number estimated"
    hint = "--estimate tells about how many there are"
    return BoardTooLarge(told.replace(known, f"or {hint}") if known in told else f"{told}; {hint}")


def _figures(found: Estimate) -> dict[str, Any]:
    """Return what a program gets to read. Numbers may outgrow those of other languages: the text is short."""
    return {
        "estimate": found.mean,
        "text": found.short,
        "low": found.low,
        "high": found.high,
        "confidence": found.confidence,
        "exact": found.exact,
        "digits": found.digits,
        "runs": found.runs,
        "dead": found.dead,
        "states": found.states,
        "spread": round(found.spread, 6),
        "seed": found.seed,
    }


def _progress(progress: Progress) -> str:
    return f"{progress.seconds:.1f} s, {progress.depth} of {progress.total} runs, {progress.calls:,} states"
