"""`backrank list`: all tours or placements, lazily, in a fixed order."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Annotated, Protocol

import typer

from backrank.cli import options as opt
from backrank.cli.commands.solve import PlacedOption, PlacedPieceOption, placed_squares, placed_words, text_format
from backrank.cli.counted import board_told
from backrank.cli.output import Output, remark
from backrank.cli.progress import ProgressLine
from backrank.cli.running import interrupted, run
from backrank.errors import BoardTooLarge, BudgetExceeded, InvalidPuzzle

if TYPE_CHECKING:
    from backrank.queens import Queens

TERMINAL_LIMIT = 100
MANY = 10_000  # so many lists of columns are written whole chunks at a time

LimitOption = Annotated[
    int | None,
    typer.Option(
        "--limit",
        metavar="N",
        help=f"Print at most so many; 0 for all. On a terminal {TERMINAL_LIMIT} if not given, else all.",
    ),
]
OffsetOption = Annotated[
    int,
    typer.Option(
        "--offset", metavar="N", help="Begin with the tour of this number, from 0; those before it are not listed."
    ),
]
TourFormatOption = Annotated[
    str,
    typer.Option(
        "--format", metavar="FORMAT", help="names, coordinates, grid, grid0, json or csv; else by -o, or names."
    ),
]
PlacementFormatOption = Annotated[
    str, typer.Option("--format", metavar="FORMAT", help="columns, board, unicode, names, coordinates, json or csv.")
]
FundamentalOption = Annotated[
    bool, typer.Option("--fundamental", help="One of those that turning and mirroring the board maps to each other.")
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
    offset: OffsetOption = 0,
    limit: LimitOption = None,
    form: TourFormatOption = "",
    as_json: opt.JsonOption = False,
    output: opt.OutputOption = None,
    force: opt.ForceOption = False,
    time_limit: opt.TimeLimitOption = None,
    call_limit: opt.CallLimitOption = None,
    quiet: opt.QuietOption = False,
) -> None:
    """List knight's tours, in lexicographic order of their squares (row by row from the top left).

    Open tours come as sequences, so each also comes backwards; closed ones come once. The number of a tour is its place
    in this order, from 0: check tour FILE --rank tells it, and --offset goes there at once.

    Examples: backrank list tours 5x4 --start 0,0;  backrank list tours 6x6 --closed --limit 10 --format grid;
    backrank list tours 6x6 --offset 5000000 --limit 3
    """
    from backrank.tours import KnightTours

    puzzle = KnightTours(opt.board_of(board, holes, wrap), closed=closed, start=start, end=end, piece=piece)
    form = opt.form_of(form, output, as_json=as_json) or "names"
    text_format("tour", form)
    known = puzzle.existence()
    line = ProgressLine("listing", seconds=opt.seconds_of(time_limit), calls=call_limit, quiet=quiet)
    kind = "closed tours (undirected)" if closed else "open tours (directed)"
    begun = offset != 0 and known.answer != "no"
    try:
        found = run(lambda: puzzle.iter_from(offset, budget=line.budget), line) if begun else None
    except BoardTooLarge as error:
        raise BoardTooLarge(f"{error}; without --offset they are listed from the first one on") from None
    _Listing(
        line,
        Output(output, force=force),
        form="json" if as_json else form,
        limit=_limit(limit, output),
        what=f"{kind} {board_told(puzzle)}",
        why_none=known.reason if known.answer == "no" else "an exhaustive search found none",
        quiet=quiet,
        offset=offset if begun else 0,
    ).write(found or puzzle.iter_tours(budget=line.budget))


def queens(
    board: opt.BoardArgument,
    count: opt.QueensOption = None,
    placed: PlacedOption = None,
    holes: opt.HolesOption = "",
    wrap: opt.WrapOption = "none",
    piece: PlacedPieceOption = "queen",
    fundamental: FundamentalOption = False,
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

    Examples: backrank list queens 8;  backrank list queens 8 --fundamental --format board;
    backrank list queens 14 -o all.txt;  backrank list queens 4x6 --json;  backrank list queens 8 --placed b4
    """
    from backrank.queens import Queens

    puzzle = Queens(opt.board_of(board, holes, wrap), queens=count, piece=piece, placed=placed_squares(placed))
    form = opt.form_of(form, output, as_json=as_json) or ("columns" if puzzle.queens == puzzle.board.rows else "names")
    text_format("queens", form)
    form = "json" if as_json else form
    line = ProgressLine("listing", seconds=opt.seconds_of(time_limit), calls=call_limit, quiet=quiet)
    most = _limit(limit, output)
    listing = _Listing(
        line,
        Output(output, force=force),
        form=form,
        limit=most,
        what=f"placements of {puzzle.queens} {puzzle.piece}s on {puzzle.board}{', up to symmetry' * fundamental}"
        + placed_words(puzzle),
        why_none=puzzle.why_impossible() or "an exhaustive search found none",
        quiet=quiet,
    )
    if form in ("columns", "csv") and (most is None or most >= MANY) and puzzle.queens == puzzle.board.rows:
        from backrank.queens.listing.stream import is_long

        if is_long(puzzle.question):
            listing.write_blocks(puzzle, fundamental=fundamental)
            return
    listing.write(puzzle.iter_placements(fundamental=fundamental, budget=line.budget))


def _limit(limit: int | None, output: str | None) -> int | None:
    """Return how many items to print, None for all: a terminal is not flooded unless it is asked for."""
    if limit is None:
        return TERMINAL_LIMIT if output is None and sys.stdout.isatty() else None
    if limit < 0:
        raise InvalidPuzzle(f"the limit must be at least 0, not {limit}; 0 prints all")
    return min(limit, sys.maxsize - 1) or None


@dataclass(frozen=True)
class _Listing:
    """Where the answers go, how many of them, and what is said at the end."""

    line: ProgressLine
    sink: Output
    form: str
    limit: int | None
    what: str
    why_none: str
    quiet: bool
    offset: int = 0

    def write(self, items: Iterable[_Item]) -> None:
        """Write one item after the other."""
        iterator = iter(items)
        noun = "placement" if self.what.startswith("placement") else "tour"
        shown, more = 0, False
        with self._open(lambda: shown):
            for item in islice(iterator, self.limit):
                write_item(self.sink, item.text(self.form), self.form, noun, shown)
                shown += 1
            more = self.limit is not None and shown == self.limit and next(iterator, None) is not None
        self._conclude(shown, more=more)

    def write_blocks(self, puzzle: Queens, *, fundamental: bool) -> None:
        """Write lists of columns, or CSV, thousands of placements at a time."""
        from backrank.queens.listing.stream import iter_found
        from backrank.queens.listing.text import columns_block, table_writer

        block = columns_block if self.form == "columns" else table_writer(puzzle.board)
        shown, more = 0, False
        with self._open(lambda: shown):
            for array in iter_found(puzzle.question, budget=self.line.budget, fundamental=fundamental):
                if self.form == "csv" and not shown:
                    self.sink.write("placement,row,col,name")
                left = len(array) if self.limit is None else self.limit - shown
                more = left < len(array)
                if left:
                    self.sink.write_bytes(block(array[:left], shown + 1))
                shown += min(left, len(array))
                if more:
                    break
        self._conclude(shown, more=more)

    @contextmanager
    def _open(self, shown: Callable[[], int]) -> Iterator[None]:
        """Open the output; say how many answers are in it if the work is stopped."""
        try:
            with self.sink, self.line:
                yield
        except BudgetExceeded as error:
            kept = f"; {shown():,} are in {self.sink.kept}" if self.sink.kept else ""
            raise BudgetExceeded(f"{error}{kept}", error.reached) from None
        except KeyboardInterrupt:
            kept = f"; {shown():,} are in {self.sink.kept}" if self.sink.kept else f"; {shown():,} were printed"
            raise interrupted(self.line, kept) from None

    def _conclude(self, shown: int, *, more: bool) -> None:
        """Say how many there were; exit code 1 if none."""
        one = self.what.replace("tours", "tour", 1).replace("placements", "placement", 1)
        if self.offset:
            rest = "more follow" if more else "the last ones" if shown > 1 else "the last one"
            what = one if shown == 1 else self.what
            remark(f"{shown:,} {what}, from number {self.offset:,} on; {rest}", quiet=self.quiet)
        elif more:
            number = f"{shown:,}" if shown > 1 else "of the"
            remark(f"the first {number} {self.what}; --limit 0 prints all", quiet=self.quiet)
        elif shown:
            remark(f"all {shown:,} {self.what}" if shown > 1 else f"the only {one}", quiet=self.quiet)
        else:
            remark(f"no answer: {self.why_none}", quiet=self.quiet)
            raise typer.Exit(1)


def write_item(sink: Output, text: str, form: str, noun: str, number: int) -> None:
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
