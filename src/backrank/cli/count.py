"""`backrank count`: exact numbers, and which number it is."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from backrank.cli import options as opt
from backrank.cli.output import Output
from backrank.cli.progress import ProgressLine, described
from backrank.cli.running import run

if TYPE_CHECKING:
    from backrank.budget import Progress

DirectedOption = Annotated[
    bool | None,
    typer.Option(
        "--directed/--undirected",
        help="Whether a tour and its reverse are two. If not given: two for open tours, one for closed ones.",
        show_default=False,
    ),
]
SymmetryOption = Annotated[
    bool, typer.Option("--up-to-symmetry", help="Count what turning and mirroring the board maps to each other once.")
]
MethodOption = Annotated[
    str, typer.Option("--method", metavar="NAME", help="auto, frontier (counts without listing) or listing.")
]
QueensMethodOption = Annotated[
    str, typer.Option("--method", metavar="NAME", help="auto, columnsets, tails, rows, bits or reference.")
]
FixedOption = Annotated[
    str | None,
    typer.Option(
        "--symmetry",
        metavar="ANGLE",
        help="Only placements that turning the board by 180 or 90 degrees does not change.",
    ),
]
PlacedPieceOption = Annotated[
    str, typer.Option("--piece", metavar="PIECE", help="queen, or amazon: queen and knight in one, a superqueen.")
]
ForceCountOption = Annotated[
    bool, typer.Option("--force", help="Begin even what will take more than a day; and let -o replace a file.")
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
    number = run(
        lambda: puzzle.count(directed=directed, up_to_symmetry=up_to_symmetry, method=method, budget=line.budget), line
    )
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
    _print(sink, number, sentence, facts, up_to_symmetry=up_to_symmetry, as_json=as_json, quiet=quiet)


def queens(
    board: opt.BoardArgument,
    count: opt.QueensOption = None,
    holes: opt.HolesOption = "",
    wrap: opt.WrapOption = "none",
    piece: PlacedPieceOption = "queen",
    symmetry: FixedOption = None,
    up_to_symmetry: SymmetryOption = False,
    method: QueensMethodOption = "auto",
    as_json: opt.JsonOption = False,
    output: opt.OutputOption = None,
    force: ForceCountOption = False,
    time_limit: opt.TimeLimitOption = None,
    call_limit: opt.CallLimitOption = None,
    quiet: opt.QuietOption = False,
) -> None:
    """Count placements of queens of which no two attack each other, exactly.

    What would take more than a day is not begun, unless there is a limit of time or calls, or --force.

    Examples: backrank count queens 8;  backrank count queens 8 --up-to-symmetry;  backrank count queens 6 -k 5;
    backrank count queens 12 --symmetry 90;  backrank count queens 10 --piece amazon
    """
    from backrank.queens import Queens

    puzzle = Queens(opt.board_of(board, holes, wrap), queens=count, piece=piece)
    line = ProgressLine(
        "counting",
        seconds=opt.seconds_of(time_limit),
        calls=call_limit,
        quiet=quiet,
        words=lambda progress: _percent(progress, puzzle.queens),
    )
    sink = Output(output, force=force)
    number = run(
        lambda: puzzle.count(
            symmetry=symmetry, up_to_symmetry=up_to_symmetry, method=method, force=force, budget=line.budget
        ),
        line,
    )
    unchanged = f", unchanged when the board is turned by {symmetry}°" if symmetry else ""
    sentence = f"placements of {puzzle.queens} {puzzle.piece}s on {puzzle.board}{unchanged}"
    facts = {
        "kind": "queens",
        "board": str(puzzle.board),
        "queens": puzzle.queens,
        "piece": puzzle.piece,
        "symmetry": symmetry,
    }
    _print(sink, number, sentence, facts, up_to_symmetry=up_to_symmetry, as_json=as_json, quiet=quiet)


def _percent(progress: Progress, queens: int) -> str:
    """Say how much of the work is done, if the work consists of tasks; else how far the search has come."""
    if progress.total <= queens or not progress.depth:
        return described(progress)
    done = progress.depth / progress.total
    left = progress.seconds * (1 - done) / done
    return f"{100 * done:.1f} % in {progress.seconds:.0f} s, about {left:.0f} s left"


def _print(
    sink: Output,
    number: int,
    sentence: str,
    facts: dict[str, Any],
    *,
    up_to_symmetry: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    with sink:
        if as_json:
            # A count may outgrow the numbers of other languages: it is given as text as well.
            answer = {"count": number, "text": str(number), "up_to_symmetry": up_to_symmetry, **facts}
            sink.write(json.dumps(answer, ensure_ascii=False))
        elif quiet:
            sink.write(str(number))
        else:
            sink.write(f"{number} {sentence}{', up to symmetry' if up_to_symmetry else ''}")
