"""`backrank solve`: one tour or one placement, with what it cost."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from backrank.cli import options as opt
from backrank.cli.answers import placed_words, placement_form, require_text_format
from backrank.cli.output import Output, remark
from backrank.cli.running import run, stopped_search
from backrank.cli.saving import SavedSearch
from backrank.errors import BoardTooLarge, BudgetExceeded, InvalidPuzzle

if TYPE_CHECKING:
    from backrank.queens import Placement, Queens, QueensResult
    from backrank.tours import KnightTours, SearchResult, Tour

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
    str,
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
QueensStrategyOption = Annotated[
    str,
    typer.Option(
        "--strategy",
        metavar="NAME",
        help="auto, formula, rows (the textbook's), fewest-first, centre-out, random:7.",
    ),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchOptions:
    """The options that say how a tour is searched."""

    strategy: StrategyOption = "auto"
    order: OrderOption = "row-major"
    seed: SeedOption = None
    engine: EngineOption = "own"


@dataclass(frozen=True, slots=True, kw_only=True)
class QueensSearchOptions:
    """The options that say how a placement is searched."""

    strategy: QueensStrategyOption = "auto"
    seed: QueensSeedOption = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SolvedForms(opt.FormOptions):
    """The options that say in which format a tour is written."""

    form: FormatOption = ""
    everything: AllOption = False

    def chosen(self, output: str | None, usual: str, kind: str) -> str:
        """Return the format, which may be `npy`; raises what the method of the base does."""
        form = opt.form_of(self.form, output, as_json=self.as_json) or usual
        if form != "npy":
            require_text_format(kind, form, more=("npy",))
        elif self.as_json:
            raise InvalidPuzzle("--json and --format npy are two formats; choose one")
        return "json" if self.as_json else form


@dataclass(frozen=True, slots=True, kw_only=True)
class SolvedPlacementForms(SolvedForms):
    """The options that say in which format a placement is written."""

    form: QueensFormatOption = ""


def tours(
    tour: opt.TourOptions,
    searched: SearchOptions,
    forms: SolvedForms,
    outputs: opt.OutputOptions,
    limits: opt.LimitOptions,
    save: SaveOption = None,
    quiet: opt.QuietOption = False,
) -> None:
    """Find a knight's tour: every square once, by knight's moves.

    Exit code 0: found; 1: there is none, and the reason is given; 3: a limit was reached first.

    Examples: backrank solve tour 8x8;  backrank solve tour 6x6 --closed;
    backrank solve tour 8x8 --start 0,0 --strategy fixed --order python;  backrank solve tour 1000x1000 -o tour.npy;
    backrank solve tour 8x8 --seed 7
    """
    puzzle = tour.puzzle()
    form = forms.chosen(outputs.output, "grid", "tour")
    sink = outputs.sink()
    _require_writable(puzzle, form, sink, everything=forms.everything)
    line = limits.line("solving", quiet=quiet)
    stopped = stopped_search(sink, searched.strategy, as_json=forms.as_json, seeded="a random tour")
    with stopped, _saved(save, puzzle, searched.strategy, quiet=quiet) as kept:
        result = run(
            lambda: puzzle.search(
                strategy=searched.strategy,
                order=searched.order,
                rng=searched.seed,
                engine=searched.engine,
                budget=line.budget,
                cursor=kept.cursor if kept else None,
                watch=kept.watch if kept else None,
            ),
            line,
        )
    found = result.tour
    if found is None:
        finish(sink, None, result, as_json=forms.as_json, quiet=quiet)
    else:
        _write_tour(sink, found, form, result, forms)
        closable = "; one more move closes it" if found.is_closable and not puzzle.closed else ""
        remark(
            f"{'closed' if puzzle.closed else 'open'} tour of {found.board}, {found.board.name(found.start)} to "
            f"{found.board.name(found.end)}{closable}; {_told(result)}",
            quiet=quiet,
        )


def queens(
    queens: opt.QueensOptions,
    searched: QueensSearchOptions,
    forms: SolvedPlacementForms,
    outputs: opt.OutputOptions,
    limits: opt.LimitOptions,
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
    puzzle = queens.puzzle()
    form = forms.chosen(outputs.output, placement_form(puzzle), "queens")
    _require_columns(puzzle, form)
    sink = outputs.sink()
    if form == "npy":
        sink.require_no_terminal("a NumPy file", "queens.npy")
    line = limits.line("solving", quiet=quiet)
    stopped = stopped_search(sink, searched.strategy, as_json=forms.as_json, seeded="a random placement")
    with stopped, _saved(save, puzzle, searched.strategy, quiet=quiet) as kept:
        result = run(
            lambda: puzzle.search(
                strategy=searched.strategy,
                rng=searched.seed,
                budget=line.budget,
                cursor=kept.cursor if kept else None,
                watch=kept.watch if kept else None,
            ),
            line,
        )
    if result.placement is None:
        finish(sink, None, result, as_json=forms.as_json, quiet=quiet)
    else:
        _write_placement(sink, result.placement, form, result, forms)
        number = len(result.placement)
        remark(
            f"{number:,} {puzzle.piece}{'s'[: number != 1]} on {puzzle.board}{placed_words(puzzle)}; {_told(result)}",
            quiet=quiet,
        )


def _require_columns(puzzle: Queens, form: str) -> None:
    """Raise InvalidPuzzle if a NumPy file is wanted, but some rows have no queen."""
    if form == "npy" and puzzle.queens != puzzle.board.rows:
        raise InvalidPuzzle(
            "a NumPy file holds the column of the queen of each row, but some rows have none; write text"
        )


def _write_placement(sink: Output, placement: Placement, form: str, result: QueensResult, forms: SolvedForms) -> None:
    """Write the placement; on a terminal, one line in place of a placement that is too long for it."""
    if form == "npy":
        from backrank.formats import write_columns_npy

        with sink:
            write_columns_npy(sink.as_file(), placement.array)
    elif sink.on_terminal and not forms.everything and len(placement) > TERMINAL_SQUARES:
        told = f"found a placement of {len(placement):,} {placement.piece}s, too long to show here"
        sink.write(f"{told}; -o queens.txt writes it, --all prints it")
    else:
        text = placement.text(form)
        finish(sink, text, result, as_json=forms.as_json)


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


def _write_tour(sink: Output, tour: Tour, form: str, result: SearchResult, forms: SolvedForms) -> None:
    """Write the tour; on a terminal, one line in place of a tour that is too long for it."""
    squares = len(tour)
    if form == "npy":
        from backrank.formats import write_tour_npy

        with sink:
            write_tour_npy(sink.as_file(), tour.board, tour.array)
    elif sink.on_terminal and not forms.everything and squares > TERMINAL_SQUARES:
        text = "tour.npy writes it" if squares > MOST_TEXT_SQUARES else "tour.txt writes it, --all prints it"
        sink.write(f"found a tour of {squares:,} squares, too long to show here; -o {text}")
    else:
        text = tour.text(form)
        finish(sink, text, result, as_json=forms.as_json)


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


def finish(
    sink: Output, text: str | None, result: SearchResult | QueensResult, *, as_json: bool, quiet: bool = False
) -> None:
    """Write the answer, or say that there is none and leave with exit code 1."""
    with sink:
        if as_json:
            found = {"solvable": text is not None, "reason": result.reason}
            answer = {**found, **_cost(result), "answer": text and json.loads(text)}
            sink.write(json.dumps(answer, ensure_ascii=False))
        elif text is not None:
            sink.write(text.rstrip("\n"))
    if text is None:
        remark(f"no answer: {result.reason}", quiet=quiet and as_json)
        raise typer.Exit(1)
