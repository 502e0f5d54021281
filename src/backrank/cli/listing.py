"""`backrank list`: all tours or placements, lazily, in a fixed order."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from itertools import islice
from typing import Annotated, Protocol

import typer

from backrank.cli import options as opt
from backrank.cli.output import Output, remark
from backrank.cli.progress import ProgressLine
from backrank.cli.running import interrupted
from backrank.cli.solve import text_format
from backrank.errors import BudgetExceeded, InvalidPuzzle

TERMINAL_LIMIT = 100

LimitOption = Annotated[
    int | None,
    typer.Option(
        "--limit",
        metavar="N",
        help=f"Print at most so many; 0 for all. On a terminal {TERMINAL_LIMIT} if not given, else all.",
    ),
]
TourFormatOption = Annotated[
    str, typer.Option("--format", metavar="FORMAT", help="names, coordinates, grid, grid0, json or csv.")
]
PlacementFormatOption = Annotated[
    str, typer.Option("--format", metavar="FORMAT", help="columns, board, unicode, names, coordinates, json or csv.")
]


class _Item(Protocol):
    def text(self, form: str) -> str: ...


def tours(
    board: opt.BoardArgument,
    start: opt.StartOption = None,
    end: opt.EndOption = None,
    closed: opt.ClosedOption = False,
    holes: opt.HolesOption = "",
    wrap: opt.WrapOption = "none",
    piece: opt.PieceOption = "knight",
    limit: LimitOption = None,
    form: TourFormatOption = "names",
    as_json: opt.JsonOption = False,
    output: opt.OutputOption = None,
    force: opt.ForceOption = False,
    time_limit: opt.TimeLimitOption = None,
    call_limit: opt.CallLimitOption = None,
    quiet: opt.QuietOption = False,
) -> None:
    """List knight's tours, in lexicographic order of their squares (row by row from the top left).

    Open tours come as sequences, so each also comes backwards; closed ones come once.

    Examples: backrank list tours 5x4 --start 0,0;  backrank list tours 6x6 --closed --limit 10 --format grid
    """
    from backrank.tours import KnightTours

    puzzle = KnightTours(opt.board_of(board, holes, wrap), closed=closed, start=start, end=end, piece=piece)
    text_format("tour", form)
    known = puzzle.existence()
    line = ProgressLine("listing", seconds=opt.seconds_of(time_limit), calls=call_limit, quiet=quiet)
    kind = "closed tours (undirected)" if closed else "open tours (directed)"
    _write(
        puzzle.iter_tours(budget=line.budget),
        line,
        Output(output, force=force),
        form="json" if as_json else form,
        limit=_limit(limit, output),
        what=f"{kind} of {puzzle.board}",
        why_none=known.reason if known.answer == "no" else "an exhaustive search found none",
        quiet=quiet,
    )


def queens(
    board: opt.BoardArgument,
    count: opt.QueensOption = None,
    holes: opt.HolesOption = "",
    wrap: opt.WrapOption = "none",
    limit: LimitOption = None,
    form: PlacementFormatOption = "",
    as_json: opt.JsonOption = False,
    output: opt.OutputOption = None,
    force: opt.ForceOption = False,
    time_limit: opt.TimeLimitOption = None,
    call_limit: opt.CallLimitOption = None,
    quiet: opt.QuietOption = False,
) -> None:
    """List placements of queens, in lexicographic order: for eight queens 0 4 7 5 2 6 1 3 comes first.

    The format is columns (from the left, 0-based, one queen a row) where every row has a queen, else names.

    Examples: backrank list queens 8;  backrank list queens 6 --format board;  backrank list queens 4x6 --json
    """
    from backrank.queens import Queens

    puzzle = Queens(opt.board_of(board, holes, wrap), queens=count)
    form = form or ("columns" if puzzle.queens == puzzle.board.rows else "names")
    text_format("queens", form)
    line = ProgressLine("listing", seconds=opt.seconds_of(time_limit), calls=call_limit, quiet=quiet)
    _write(
        puzzle.iter_placements(budget=line.budget),
        line,
        Output(output, force=force),
        form="json" if as_json else form,
        limit=_limit(limit, output),
        what=f"placements of {puzzle.queens} queens on {puzzle.board}",
        why_none=puzzle.why_impossible() or "an exhaustive search found none",
        quiet=quiet,
    )


def _limit(limit: int | None, output: str | None) -> int | None:
    """Return how many items to print, None for all: a terminal is not flooded unless it is asked for."""
    if limit is None:
        return TERMINAL_LIMIT if output is None and sys.stdout.isatty() else None
    if limit < 0:
        raise InvalidPuzzle(f"the limit must be at least 0, not {limit}; 0 prints all")
    return min(limit, sys.maxsize - 1) or None


def _write(
    items: Iterable[_Item],
    line: ProgressLine,
    sink: Output,
    *,
    form: str,
    limit: int | None,
    what: str,
    why_none: str,
    quiet: bool,
) -> None:
    iterator = iter(items)
    noun = "placement" if what.startswith("placement") else "tour"
    shown = 0
    try:
        with sink, line:
            for item in islice(iterator, limit):
                _write_item(sink, item.text(form), form, noun, shown)
                shown += 1
            more = limit is not None and shown == limit and next(iterator, None) is not None
    except BudgetExceeded as error:
        kept = f"; {shown:,} are in {sink.kept}" if sink.kept else ""
        raise BudgetExceeded(f"{error}{kept}", error.reached) from None
    except KeyboardInterrupt:
        kept = f"; {shown:,} are in {sink.kept}" if sink.kept else f"; {shown:,} were printed"
        raise interrupted(line, kept) from None
    if more:
        remark(f"the first {f'{shown:,}' if shown > 1 else 'of the'} {what}; --limit 0 prints all", quiet=quiet)
    elif shown:
        remark(f"all {shown:,} {what}", quiet=quiet)
    else:
        remark(f"no answer: {why_none}", quiet=quiet)
        raise typer.Exit(1)


def _write_item(sink: Output, text: str, form: str, noun: str, number: int) -> None:
    """Write one item: a line, or a board with an empty line before the next; CSV has one header for all."""
    text = text.rstrip("\n")
    if form == "json":
        text = json.dumps(json.loads(text), ensure_ascii=False)
    elif form == "csv":
        header, *rows = text.splitlines()
        text = "\n".join([f"{noun},{header}"] * (number == 0) + [f"{number + 1},{row}" for row in rows])
    elif number and "\n" in text:
        text = "\n" + text
    sink.write(text)
