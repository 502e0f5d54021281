"""`backrank solve`: one tour or one placement, with what it cost."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from backrank.cli import options as opt
from backrank.cli.output import Output, remark
from backrank.cli.progress import ProgressLine
from backrank.cli.running import run, stopped_search
from backrank.cli.saving import SavedSearch
from backrank.errors import BoardTooLarge, BudgetExceeded, InvalidPuzzle, shown

if TYPE_CHECKING:
    from backrank.queens import Placement, Queens, QueensResult
    from backrank.tours import KnightTours, SearchResult, Tour

MOST_DRAWN_ROWS = 64
MOST_NAMED = 4
# What would run over a terminal for minutes is not printed there, but told in one line.
TERMINAL_SQUARES = 4_000
MOST_TEXT_SQUARES = 4_000_000

SaveOption = Annotated[
    str | None,
    typer.Option("--save", metavar="FILE", help="Keep the search in a file, and go on from it if it exists."),
]
StrategyOption = Annotated[
    str,
    typer.Option(
        "--strategy",
        metavar="NAME",
        help="auto; blocks; or backtracking: fixed, degree, warnsdorff, warnsdorff-roth, random:7; each also +prune.",
    ),
]
OrderOption = Annotated[
    str,
    typer.Option(
        "--order",
        metavar="ORDER",
        help="Move order: row-major, python, java-a, java-b; a permutation of 12345678; or steps '-2,1 -1,2 ...'.",
    ),
]
SeedOption = Annotated[
    int | None,
    typer.Option("--seed", metavar="N", help="A random tour: another for every N. Not uniform among all tours."),
]
EngineOption = Annotated[
    str,
    typer.Option("--engine", metavar="ENGINE", help="Who searches: own; or cp-sat, OR-Tools, if it is installed."),
]
FormatOption = Annotated[
    str | None,
    typer.Option(
        "--format",
        metavar="FORMAT",
        help="grid, grid0, names, coordinates, json, csv, or npy: a NumPy file; else by the ending of -o, or grid.",
    ),
]
AllOption = Annotated[
    bool, typer.Option("--all", help=f"Print answers of more than {TERMINAL_SQUARES:,} squares on a terminal as well.")
]
QueensFormatOption = Annotated[
    str,
    typer.Option(
        "--format",
        metavar="FORMAT",
        help="unicode, board, columns, names, coordinates, json, csv, or npy: a NumPy file; else by the ending of -o.",
    ),
]
QueensSeedOption = Annotated[
    int | None,
    typer.Option("--seed", metavar="N", help="A random placement: another for every N. Not uniform: sample is."),
]
PlacedOption = Annotated[
    list[str] | None,
    typer.Option(
        "--placed", metavar="SQUARES", help="Where queens stand already, to be completed: b4,d5 or '4,1 3,3'."
    ),
]
PlacedPieceOption = Annotated[
    str, typer.Option("--piece", metavar="PIECE", help="queen, or amazon: queen and knight in one, a superqueen.")
]
QueensStrategyOption = Annotated[
    str,
    typer.Option(
        "--strategy",
        metavar="NAME",
        help="auto, formula, rows (the textbook's), fewest-first, centre-out, random:7.",
    ),
]


def tours(
    board: opt.BoardArgument,
    start: opt.StartOption = None,
    end: opt.EndOption = None,
    closed: opt.ClosedOption = False,
    holes: opt.HolesOption = "",
    wrap: opt.WrapOption = "none",
    piece: opt.PieceOption = "knight",
    strategy: StrategyOption = "auto",
    order: OrderOption = "row-major",
    seed: SeedOption = None,
    engine: EngineOption = "own",
    form: FormatOption = None,
    as_json: opt.JsonOption = False,
    everything: AllOption = False,
    output: opt.OutputOption = None,
    force: opt.ForceOption = False,
    time_limit: opt.TimeLimitOption = None,
    call_limit: opt.CallLimitOption = None,
    save: SaveOption = None,
    quiet: opt.QuietOption = False,
) -> None:
    """Find a knight's tour: every square once, by knight's moves.

    Exit code 0: found; 1: there is none, and the reason is given; 3: a limit was reached first.

    Examples: backrank solve tour 8x8;  backrank solve tour 6x6 --closed;
    backrank solve tour 8x8 --start 0,0 --strategy fixed --order python;  backrank solve tour 1000x1000 -o tour.npy;
    backrank solve tour 8x8 --seed 7
    """
    from backrank.tours import KnightTours

    puzzle = KnightTours(opt.board_of(board, holes, wrap), closed=closed, start=start, end=end, piece=piece)
    form = _tour_form(form, output, as_json=as_json)
    sink = Output(output, force=force)
    _require_writable(puzzle, form, sink, everything=everything)
    line = ProgressLine("solving", seconds=opt.seconds_of(time_limit), calls=call_limit, quiet=quiet)
    stopped = stopped_search(sink, strategy, as_json=as_json, seeded="a random tour")
    with stopped, _saved(save, puzzle, strategy, quiet=quiet) as kept:
        result = run(
            lambda: puzzle.search(
                strategy=strategy,
                order=order,
                rng=seed,
                engine=engine,
                budget=line.budget,
                cursor=kept.cursor if kept else None,
                watch=kept.watch if kept else None,
            ),
            line,
        )
    tour = result.tour
    if tour is None:
        finish(sink, None, as_json=as_json, reason=result.reason, cost=_cost(result), quiet=quiet)
    else:
        _write_tour(sink, tour, form, result, as_json=as_json, everything=everything)
        closable = "; one more move closes it" if tour.is_closable and not closed else ""
        remark(
            f"{'closed' if closed else 'open'} tour of {tour.board}, {tour.board.name(tour.start)} to "
            f"{tour.board.name(tour.end)}{closable}; {_told(result)}",
            quiet=quiet,
        )


def queens(
    board: opt.BoardArgument,
    count: opt.QueensOption = None,
    placed: PlacedOption = None,
    holes: opt.HolesOption = "",
    wrap: opt.WrapOption = "none",
    piece: PlacedPieceOption = "queen",
    strategy: QueensStrategyOption = "auto",
    seed: QueensSeedOption = None,
    form: QueensFormatOption = "",
    as_json: opt.JsonOption = False,
    everything: AllOption = False,
    output: opt.OutputOption = None,
    force: opt.ForceOption = False,
    time_limit: opt.TimeLimitOption = None,
    call_limit: opt.CallLimitOption = None,
    save: SaveOption = None,
    quiet: opt.QuietOption = False,
) -> None:
    """Place queens so that no two attack each other, or complete those that stand already.

    They are drawn on boards of up to 64 rows, and listed by their columns on larger ones, unless --format tells.

    Exit code 0: found; 1: there is none, and the reason is given; 3: a limit was reached first.

    Examples: backrank solve queens 8;  backrank solve queens 8x10 --holes a8,b6;  backrank solve queens 8 -k 5;
    backrank solve queens 8 --placed b4,d5;  backrank solve queens 100 --seed 7;
    backrank solve queens 10000000 -o queens.npy
    """
    from backrank.queens import Queens

    puzzle = Queens(opt.board_of(board, holes, wrap), queens=count, piece=piece, placed=placed_squares(placed))
    form = _queens_form(form, output, puzzle, as_json=as_json)
    sink = Output(output, force=force)
    if form == "npy":
        sink.require_no_terminal("a NumPy file", "queens.npy")
    line = ProgressLine("solving", seconds=opt.seconds_of(time_limit), calls=call_limit, quiet=quiet)
    stopped = stopped_search(sink, strategy, as_json=as_json, seeded="a random placement")
    with stopped, _saved(save, puzzle, strategy, quiet=quiet) as kept:
        result = run(
            lambda: puzzle.search(
                strategy=strategy,
                rng=seed,
                budget=line.budget,
                cursor=kept.cursor if kept else None,
                watch=kept.watch if kept else None,
            ),
            line,
        )
    if result.placement is None:
        finish(sink, None, as_json=as_json, reason=result.reason, cost=_cost(result), quiet=quiet)
    else:
        _write_placement(sink, result.placement, form, result, as_json=as_json, everything=everything)
        number = len(result.placement)
        remark(
            f"{number:,} {puzzle.piece}{'s'[: number != 1]} on {puzzle.board}{placed_words(puzzle)}; {_told(result)}",
            quiet=quiet,
        )


def placed_squares(texts: list[str] | None) -> list[str]:
    """Return the squares of the option `--placed`, which may be given several times."""
    from backrank.geometry.board import parse_square_list

    text = " ".join(texts or ())
    listed = parse_square_list(text)
    if text.strip(" ,;") and not listed:
        raise InvalidPuzzle(f"placed {shown(text)} is not a list of squares; write b4,d5 or '4,1 3,3'")
    return listed


def placed_words(puzzle: Queens) -> str:
    """Return what is to be said after the board of a puzzle about its placed queens."""
    names = [puzzle.board.name(square) for square in puzzle.placed]
    if len(names) > MOST_NAMED:
        return f", {len(names)} of them placed"
    return f", {' and '.join(names)} placed" if names else ""


def _queens_form(form: str, output: str | None, puzzle: Queens, *, as_json: bool) -> str:
    """Return the form in which a placement is written: as told, or as the file is called, or what suits."""
    form = opt.form_of(form, output, as_json=as_json) or ""
    if form != "npy":
        form = form or ("columns" if puzzle.queens == puzzle.board.rows > MOST_DRAWN_ROWS else "unicode")
        text_format("queens", form, more=("npy",))
    elif as_json:
        raise InvalidPuzzle("--json and --format npy are two formats; choose one")
    elif puzzle.queens != puzzle.board.rows:
        raise InvalidPuzzle(
            "a NumPy file holds the column of the queen of each row, but some rows have none; write text"
        )
    return form


def _write_placement(
    sink: Output, placement: Placement, form: str, result: QueensResult, *, as_json: bool, everything: bool
) -> None:
    """Write the placement; on a terminal one that would run over it for long is told in a line."""
    if form == "npy":
        from backrank.formats import write_columns_npy

        with sink:
            write_columns_npy(sink.as_file(), placement.array)
    elif sink.on_terminal and not everything and len(placement) > TERMINAL_SQUARES:
        told = f"found a placement of {len(placement):,} {placement.piece}s, too long to show here"
        sink.write(f"{told}; -o queens.txt writes it, --all prints it")
    else:
        text = placement.text("json" if as_json else form)
        finish(sink, text, as_json=as_json, reason=result.reason, cost=_cost(result), quiet=False)


def _tour_form(form: str | None, output: str | None, *, as_json: bool) -> str:
    """Return the form in which a tour is written: as told, or as the file is called, or a grid."""
    form = opt.form_of(form, output, as_json=as_json) or "grid"
    if form != "npy":
        text_format("tour", form, more=("npy",))
    elif as_json:
        raise InvalidPuzzle("--json and --format npy are two formats; choose one")
    return form


def _require_writable(puzzle: KnightTours, form: str, sink: Output, *, everything: bool) -> None:
    """Refuse, before anything is searched, an answer that could not be written."""
    squares = len(puzzle.board)
    if form == "npy":
        sink.require_no_terminal("a NumPy file", "tour.npy")
    elif (
        squares > MOST_TEXT_SQUARES
        and (everything or not sink.on_terminal)
        and puzzle.existence().answer != "no"  # then it is the reason that is written
    ):
        raise BoardTooLarge(
            f"a tour of {squares:,} squares is too long for text, which takes at most {MOST_TEXT_SQUARES:,}; "
            "-o tour.npy writes a NumPy file"
        )


def _write_tour(sink: Output, tour: Tour, form: str, result: SearchResult, *, as_json: bool, everything: bool) -> None:
    """Write the tour; on a terminal one that would run over it for long is told in a line."""
    squares = len(tour)
    if form == "npy":
        from backrank.formats import write_tour_npy

        with sink:
            write_tour_npy(sink.as_file(), tour.board, tour.array)
    elif sink.on_terminal and not everything and squares > TERMINAL_SQUARES:
        text = "tour.npy writes it" if squares > MOST_TEXT_SQUARES else "tour.txt writes it, --all prints it"
        sink.write(f"found a tour of {squares:,} squares, too long to show here; -o {text}")
    else:
        text = tour.text("json" if as_json else form)
        finish(sink, text, as_json=as_json, reason=result.reason, cost=_cost(result), quiet=False)


@contextmanager
def _saved(
    name: str | None, puzzle: KnightTours | Queens, strategy: str, *, quiet: bool
) -> Iterator[SavedSearch | None]:
    """Open the file that keeps the search, if there is to be one; tell that it goes on from there if it stops."""
    if name is None:
        yield None
        return
    if strategy in ("auto", "blocks", "formula"):
        raise InvalidPuzzle(f"--save keeps a search; choose one with --strategy, such as fixed or rows, not {strategy}")
    puzzle.search_space()  # refuses what cannot be kept, such as a tour without a start
    saved = SavedSearch(name, puzzle)
    if saved.cursor is not None:
        remark(f"going on from {name}: {saved.cursor.calls:,} calls so far", quiet=quiet)
    try:
        with saved:
            yield saved
    except BudgetExceeded as error:
        raise BudgetExceeded(f"{error}; the same command goes on from {name}", error.reached) from None


def _cost(result: SearchResult | QueensResult) -> dict[str, Any]:
    return {
        "strategy": result.strategy,
        "calls": result.calls,
        "backtracks": result.backtracks,
        "seconds": round(result.seconds, 6),
    }


def _told(result: SearchResult | QueensResult) -> str:
    calls = f"{result.calls:,} call{'s'[: result.calls != 1]}"
    backtracks = f"{result.backtracks:,} backtrack{'s'[: result.backtracks != 1]}"
    return f"strategy {result.strategy}, {calls}, {backtracks}, {result.seconds:.2f} s"


def text_format(kind: str, form: str, more: tuple[str, ...] = ()) -> None:
    """Refuse an unknown format before any work is done; `more` names formats that are known besides."""
    from backrank.errors import UnknownName
    from backrank.formats import PLACEMENT_FORMS, TOUR_FORMS

    known = TOUR_FORMS if kind == "tour" else PLACEMENT_FORMS
    if form not in known:
        raise UnknownName("format", form, (*known, *more))


def finish(sink: Output, text: str | None, *, as_json: bool, reason: str, cost: dict[str, Any], quiet: bool) -> None:
    """Write the answer, or say that there is none and leave with exit code 1."""
    with sink:
        if as_json:
            answer = {"solvable": text is not None, "reason": reason, **cost, "answer": text and json.loads(text)}
            sink.write(json.dumps(answer, ensure_ascii=False))
        elif text is not None:
            sink.write(text.rstrip("\n"))
    if text is None:
        remark(f"no answer: {reason}", quiet=quiet and as_json)
        raise typer.Exit(1)
