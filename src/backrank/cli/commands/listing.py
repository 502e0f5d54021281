"""`backrank list`: all tours or placements, lazily, in a fixed order."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Annotated, Protocol

import typer

from backrank.cli import options as opt
from backrank.cli.answers import items_written, placed_words, write_item
from backrank.cli.counted import board_told
from backrank.cli.output import Output, remark
from backrank.cli.progress import ProgressLine
from backrank.cli.running import run
from backrank.errors import BoardTooLarge, InvalidPuzzle

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
QueensOffsetOption = Annotated[
    int,
    typer.Option(
        "--offset", metavar="N", help="Begin with the placement of this number, from 0; those before it are not listed."
    ),
]
PlacementFormatOption = Annotated[
    str, typer.Option("--format", metavar="FORMAT", help="columns, board, unicode, names, coordinates, json or csv.")
]
FundamentalOption = Annotated[
    bool, typer.Option("--fundamental", help="One of those that turning and mirroring the board maps to each other.")
]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacementFormOptions(opt.FormOptions):
    """The options that say in which format placements are written."""

    form: PlacementFormatOption = ""


class _Item(Protocol):
    def text(self, form: str) -> str: ...


def tours(
    tour: opt.TourOptions,
    *,
    offset: OffsetOption = 0,
    limit: LimitOption = None,
    forms: opt.FormOptions,
    outputs: opt.OutputOptions,
    limits: opt.LimitOptions,
    quiet: opt.QuietOption = False,
) -> None:
    """List knight's tours, in lexicographic order of their squares (row by row from the top left).

    Open tours come as sequences, so each also comes backwards; closed ones come once. The number of a tour is its place
    in this order, from 0: check tour FILE --rank tells it, and --offset goes there at once.

    Examples: backrank list tours 5x4 --start 0,0;  backrank list tours 6x6 --closed --limit 10 --format grid;
    backrank list tours 6x6 --offset 5000000 --limit 3
    """
    puzzle = tour.puzzle()
    form = forms.chosen(outputs.output, "names", "tour")
    known = puzzle.existence()
    line = limits.line("listing", quiet=quiet)
    kind = "closed tours (undirected)" if puzzle.closed else "open tours (directed)"
    begun = offset != 0 and known.answer != "no"
    found = _from_offset(lambda: puzzle.iter_from(offset, budget=line.budget), line) if begun else None
    _Listing(
        line,
        outputs.sink(),
        form=form,
        limit=_limit(limit, outputs.output),
        what=f"{kind} {board_told(puzzle)}",
        why_none=known.reason if known.answer == "no" else "an exhaustive search found none",
        quiet=quiet,
        offset=offset if begun else 0,
    ).write(found or puzzle.iter_tours(budget=line.budget))


def _from_offset(begin: Callable[[], Iterable[_Item]], line: ProgressLine) -> Iterable[_Item]:
    """Return the answers from a number on; what comes before is counted first."""
    try:
        return run(begin, line)
    except BoardTooLarge as error:
        raise BoardTooLarge(f"{error}; without --offset they are listed from the first one on") from None


def queens(
    queens: opt.QueensOptions,
    *,
    fundamental: FundamentalOption = False,
    offset: QueensOffsetOption = 0,
    limit: LimitOption = None,
    forms: PlacementFormOptions,
    outputs: opt.OutputOptions,
    limits: opt.LimitOptions,
    quiet: opt.QuietOption = False,
) -> None:
    """List placements of queens, in lexicographic order: for eight queens 0 4 7 5 2 6 1 3 comes first.

    The format is columns (from the left, 0-based, one queen a row) where every row has a queen, else names.

    The number of a placement is its place in this order, from 0: check queens --rank tells it, --offset goes there.

    Examples: backrank list queens 8;  backrank list queens 8 --fundamental --format board;
    backrank list queens 14 -o all.txt;  backrank list queens 4x6 --json;  backrank list queens 8 --placed b4;
    backrank list queens 12 --offset 14000 --limit 3
    """
    puzzle = queens.puzzle()
    known = puzzle.existence()
    form = forms.chosen(outputs.output, "columns" if puzzle.queens == puzzle.board.rows else "names", "queens")
    line = limits.line("listing", quiet=quiet)
    most = _limit(limit, outputs.output)
    begun = offset != 0 and known.answer != "no"
    if begun and fundamental:
        raise InvalidPuzzle("--offset counts all placements; leave it out, or --fundamental")
    listing = _Listing(
        line,
        outputs.sink(),
        form=form,
        limit=most,
        what=f"placements of {puzzle.queens} {puzzle.piece}s on {puzzle.board}{', up to symmetry' * fundamental}"
        + placed_words(puzzle),
        why_none=known.reason if known.answer == "no" else "an exhaustive search found none",
        quiet=quiet,
        offset=offset if begun else 0,
    )
    if begun:
        listing.write(_from_offset(lambda: puzzle.iter_from(offset, budget=line.budget), line))
        return
    if form in ("columns", "csv") and (most is None or most >= MANY) and puzzle.queens == puzzle.board.rows:
        from backrank.queens.listing.stream import is_long

        if is_long(puzzle.spec):
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
        with items_written(self.sink, self.line, lambda: shown):
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
        with items_written(self.sink, self.line, lambda: shown):
            for array in iter_found(puzzle.spec, budget=self.line.budget, fundamental=fundamental):
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
