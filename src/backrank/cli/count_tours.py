"""`backrank count tours`: exact numbers, and which number it is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from backrank.cli import options as opt
from backrank.cli.counted import SymmetryOption, print_count
from backrank.cli.output import Output, remark
from backrank.cli.progress import ProgressLine
from backrank.cli.running import run
from backrank.errors import BackrankError, InvalidPuzzle

if TYPE_CHECKING:
    from backrank.tours import KnightTours

DirectedOption = Annotated[
    bool | None,
    typer.Option(
        "--directed/--undirected",
        help="Whether a tour and its reverse are two. If not given: two for open tours, one for closed ones.",
        show_default=False,
    ),
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
FolderOption = Annotated[
    Path | None,
    typer.Option("--folder", metavar="DIR", help="Keep layers there now and then; the same command goes on from them."),
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
    method: MethodOption = "auto",
    explain: ExplainOption = False,
    verify: VerifyOption = False,
    memory: MemoryOption = None,
    threads: ThreadsOption = None,
    folder: FolderOption = None,
    as_json: opt.JsonOption = False,
    output: opt.OutputOption = None,
    force: opt.ForceOption = False,
    time_limit: opt.TimeLimitOption = None,
    call_limit: opt.CallLimitOption = None,
    quiet: opt.QuietOption = False,
) -> None:
    """Count knight's tours exactly.

    Open tours include those whose ends happen to be one move apart.

    Examples: backrank count tours 5x5 --start 0,0;  backrank count tours 6x6 --closed;
    backrank count tours 6x6 --undirected
    """
    from backrank.tours import KnightTours

    puzzle = KnightTours(opt.board_of(board, holes, wrap), closed=closed, start=start, end=end, piece=piece)
    directed = not closed if directed is None else directed
    line = ProgressLine("counting", seconds=opt.seconds_of(time_limit), calls=call_limit, quiet=quiet)
    sink = Output(output, force=force)
    if verify and up_to_symmetry:
        raise InvalidPuzzle("counts up to symmetry cannot be verified; leave out --verify, or --up-to-symmetry")
    if explain:
        with sink:
            sink.write(f"{puzzle.count_plan(method=method)}")
        return
    number = run(
        lambda: puzzle.count(
            directed=directed,
            up_to_symmetry=up_to_symmetry,
            method=method,
            memory=opt.bytes_of(memory),
            threads=threads,
            folder=folder,
            budget=line.budget,
        ),
        line,
    )
    if verify:
        _verified(puzzle, number, directed=directed, line=line, quiet=quiet)
    name = puzzle.board.name
    ends = "".join(f" {word} {name(at)}" for word, at in (("from", puzzle.start), ("to", puzzle.end)) if at is not None)
    kind = f"{'directed' if directed else 'undirected'} {'closed' if closed else 'open'}"
    movers = "" if puzzle.piece.name == "knight" else f" of the {puzzle.piece}"
    sentence = f"{kind} tours{movers} on {puzzle.board}{ends}"
    facts = {
        "kind": "tours",
        "board": str(puzzle.board),
        "closed": closed,
        "directed": directed,
        "start": None if puzzle.start is None else name(puzzle.start),
        "end": None if puzzle.end is None else name(puzzle.end),
        "piece": puzzle.piece.name,
    }
    print_count(sink, number, sentence, facts, up_to_symmetry=up_to_symmetry, as_json=as_json, quiet=quiet)


def _verified(puzzle: KnightTours, number: int, *, directed: bool, line: ProgressLine, quiet: bool) -> None:
    """Count again; an answer that does not agree is not given."""
    verdict = run(lambda: puzzle.verify_count(number, directed=directed, budget=line.budget), line)
    if not verdict.agrees:
        raise WrongCountError(f"{verdict}; nothing is known, please report this")
    remark(str(verdict), quiet=quiet)


class WrongCountError(BackrankError):
    """Two counts of the same tours differ."""
