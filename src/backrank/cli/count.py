"""`backrank count`: exact numbers, and which number it is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from backrank.cli import options as opt
from backrank.cli.output import Output, remark
from backrank.cli.progress import ProgressLine, described
from backrank.cli.running import StoppedError, run
from backrank.cli.solve import PlacedOption, PlacedPieceOption, placed_squares, placed_words
from backrank.errors import BackrankError, InvalidPuzzle

if TYPE_CHECKING:
    from backrank.budget import Progress
    from backrank.tours import KnightTours

LEAST_TOLD = 0.005  # of the work, before the time that is left can be told

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
    _print(sink, number, sentence, facts, up_to_symmetry=up_to_symmetry, as_json=as_json, quiet=quiet)


def _verified(puzzle: KnightTours, number: int, *, directed: bool, line: ProgressLine, quiet: bool) -> None:
    """Count again; an answer that does not agree is not given."""
    verdict = run(lambda: puzzle.verify_count(number, directed=directed, budget=line.budget), line)
    if not verdict.agrees:
        raise WrongCountError(f"{verdict}; nothing is known, please report this")
    remark(str(verdict), quiet=quiet)


class WrongCountError(BackrankError):
    """Two counts of the same tours differ."""


def queens(
    board: opt.BoardArgument,
    count: opt.QueensOption = None,
    placed: PlacedOption = None,
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
    backrank count queens 12 --symmetry 90;  backrank count queens 10 --piece amazon;
    backrank count queens 8 --placed b4,d5
    """
    from backrank.queens import Queens

    puzzle = Queens(opt.board_of(board, holes, wrap), queens=count, piece=piece, placed=placed_squares(placed))
    line = ProgressLine(
        "counting",
        seconds=opt.seconds_of(time_limit),
        calls=call_limit,
        quiet=quiet,
        words=lambda progress: percent(progress, puzzle.queens),
    )
    sink = Output(output, force=force)
    try:
        number = run(
            lambda: puzzle.count(
                symmetry=symmetry, up_to_symmetry=up_to_symmetry, method=method, force=force, budget=line.budget
            ),
            line,
        )
    except StoppedError as error:
        is_partial = line.last is not None and line.last.found > 0
        raise StoppedError(f"{error}{'; what was found is a part, not the count' * is_partial}") from None
    unchanged = f", unchanged when the board is turned by {symmetry}°" if symmetry else ""
    sentence = f"placements of {puzzle.queens} {puzzle.piece}s on {puzzle.board}{placed_words(puzzle)}{unchanged}"
    facts = {
        "kind": "queens",
        "board": str(puzzle.board),
        "queens": puzzle.queens,
        "piece": puzzle.piece,
        "placed": [puzzle.board.name(square) for square in puzzle.placed],
        "symmetry": symmetry,
    }
    _print(sink, number, sentence, facts, up_to_symmetry=up_to_symmetry, as_json=as_json, quiet=quiet)


def percent(progress: Progress, queens: int = 0) -> str:
    """Say how much of the work is done, if the work consists of tasks; else how far the search has come.

    Examples
    --------
    >>> from backrank.budget import Progress
    >>> percent(Progress(8.0, 5_000, depth=40, total=1_000, found=3_200_000), 20)
    '4.0 % in 8 s, 3,200,000 found (400,000/s), about 3 minutes left'
    """
    if progress.total <= max(queens, 1):
        return described(progress)
    from backrank.queens.estimate import duration

    done, seconds = progress.depth / progress.total, progress.seconds
    words = [f"{100 * done:.1f} % in {seconds:.0f} s"]
    if progress.found and seconds > 0:
        words.append(f"{progress.found:,} found ({progress.found / seconds:,.0f}/s)")
    if done >= LEAST_TOLD:
        words.append(f"{duration(seconds * (1 - done) / done)} left")
    return ", ".join(words)


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
