"""`backrank compare`: strategies from every start, as a table, as data, and as a picture."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from backrank.cli import options as opt
from backrank.cli.output import Output, remark
from backrank.cli.progress import ProgressLine
from backrank.cli.running import run
from backrank.errors import InvalidPuzzle, UnknownName, shown

if TYPE_CHECKING:
    from backrank.runtime.budget import Budget
    from backrank.runtime.progress import Progress
    from backrank.search import ComparedRun, Comparison

DEFAULT_CALLS = 1_000_000
MOST_CASES = 100

StrategiesOption = Annotated[
    str | None, typer.Option("--strategies", metavar="A,B,...", help="Which to compare; a few usual ones if not given.")
]
StartsOption = Annotated[
    str, typer.Option("--starts", metavar="SQUARES", help="all, or the squares to start from: a1,c3 or '0,0 2,3'.")
]
CallsOption = Annotated[
    int, typer.Option("--limit-calls", metavar="N", help="Give up a start after so many placements.")
]
FormOption = Annotated[str, typer.Option("--format", metavar="FORMAT", help="table, json or csv.")]
PlotOption = Annotated[
    str | None, typer.Option("--plot", metavar="FILE.svg", help="Draw the calls of every start and strategy as well.")
]


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedOptions:
    """The options that say what is compared."""

    board: opt.BoardArgument
    strategies: StrategiesOption = None

    def names(self, usual: str) -> list[str]:
        """Return the strategies, without repetitions; the usual ones if none are given."""
        # A comma separates strategies, but for those between the numbers of a move order.
        some = re.split(r";|,(?=\s*[A-Za-z]|\s*$)", self.strategies or usual)
        names = [name.strip() for name in some if name.strip(" ,")]
        if not names:
            raise InvalidPuzzle("give at least one strategy to compare, such as --strategies fixed:python,warnsdorff")
        return list(dict.fromkeys(names))


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedTourOptions:
    """The options that say for which tours strategies are compared."""

    closed: opt.ClosedOption = False
    holes: opt.HolesOption = ""
    wrap: opt.WrapOption = "none"
    piece: opt.PieceOption = "knight"


@dataclass(frozen=True, slots=True, kw_only=True)
class TableOptions:
    """The options that say how the comparison is written, and where."""

    form: FormOption = "table"
    as_json: opt.JsonOption = False
    plot: PlotOption = None
    output: opt.OutputOption = None
    force: opt.ForceOption = False

    def require_valid(self, limit_calls: int) -> None:
        """Refuse an unknown format, and a limit that is not positive."""
        if self.form not in ("table", "json", "csv"):
            raise UnknownName("format", self.form, ("table", "json", "csv"))
        if limit_calls < 1:
            raise InvalidPuzzle(f"--limit-calls must be at least 1, not {limit_calls}")

    def sinks(self) -> tuple[Output, Output | None]:
        """Return where the table and the picture are written."""
        sink = Output(self.output, force=self.force)
        picture = None if self.plot is None else Output(self.plot, force=self.force)
        if picture is not None and (picture.path is None or picture.path.suffix.lower() != ".svg"):
            raise InvalidPuzzle(f"--plot draws SVG; call the file something.svg, not {shown(self.plot)}")
        if picture is not None and picture.path == sink.path:
            raise InvalidPuzzle(f"--plot and -o both name {self.plot}; they are two files")
        return sink, picture

    def write(self, result: Comparison, sink: Output, picture: Output | None) -> None:
        """Write the comparison, and the picture if there is one."""
        with sink:
            if self.as_json or self.form == "json":
                sink.write(json.dumps(result.to_dict(), ensure_ascii=False))
            elif self.form == "csv":
                sink.write(_as_csv(result))
            else:
                each = len(result.cases) <= MOST_CASES
                sink.write(table(result, each=each))
                if not each:
                    remark(f"the {len(result.cases):,} cases one by one: --format csv, or --json")
        if picture is not None:
            with picture:
                picture.write(result.svg().rstrip("\n"))
            remark(f"wrote {picture.path}")


def tours(
    compared: ComparedOptions,
    *,
    starts: StartsOption = "all",
    limit_calls: CallsOption = DEFAULT_CALLS,
    tour: ComparedTourOptions,
    tables: TableOptions,
    quiet: opt.QuietOption = False,
) -> None:
    """Compare strategies for the first tour from every start: calls, backtracks, time, success.

    A start counts as a failure if the limit of calls is reached first. Starts from which no tour exists by the colours
    of the board are left out.

    Examples: backrank compare tour 8x8;
    backrank compare tour 6x6 --strategies fixed:python,fixed:java-b,warnsdorff --limit-calls 100000 --plot calls.svg
    """
    from backrank.geometry.board import parse_square_list
    from backrank.search import compare_tours
    from backrank.tours import KnightTours

    where = opt.board_of(compared.board, tour.holes, tour.wrap)
    puzzle = KnightTours(where, closed=tour.closed, piece=tour.piece)
    given = where if starts == "all" else map(where.square, parse_square_list(starts))
    chosen = list(dict.fromkeys(given))
    puzzles = [KnightTours(where, start=square, closed=tour.closed, piece=puzzle.piece) for square in chosen]
    possible = [one.search_space() for one in puzzles if one.existence().answer != "no"]
    if not possible:
        raise InvalidPuzzle(f"no start is left: {puzzles[0].existence().reason if puzzles else 'none was given'}")
    names = compared.names("fixed:python,fixed:python+prune,degree,warnsdorff,warnsdorff-roth,random:1")
    _compare(
        lambda budget: compare_tours(possible, names, limit_calls=limit_calls, budget=budget),
        limit_calls,
        tables,
        quiet=quiet,
    )
    if len(possible) < len(puzzles):
        remark(f"left out, since no tour begins there: {len(puzzles) - len(possible)} of the starts", quiet=quiet)


def queens(
    compared: ComparedOptions,
    *,
    limit_calls: CallsOption = DEFAULT_CALLS,
    holes: opt.HolesOption = "",
    tables: TableOptions,
    quiet: opt.QuietOption = False,
) -> None:
    """Compare strategies for the first placement of queens on boards from 4x4 up to the one given.

    Examples: backrank compare queens 20;  backrank compare queens 12 --strategies rows,random:1,random:2
    """
    from backrank.geometry.board import Board
    from backrank.queens import Queens
    from backrank.search import compare_queens

    last = opt.board_of(compared.board, holes)
    sizes = [Board(n) for n in range(4, last.rows)] if last.rows == last.cols and not last.holes else []
    spaces = [Queens(size).search_space() for size in [*sizes, last]]
    names = compared.names("rows,centre-out,fewest-first,random:1")
    _compare(
        lambda budget: compare_queens(spaces, names, limit_calls=limit_calls, budget=budget),
        limit_calls,
        tables,
        quiet=quiet,
    )


def _compare(work: Callable[[Budget], Comparison], limit_calls: int, tables: TableOptions, *, quiet: bool) -> None:
    """Do the work, after the options have been looked at, and write the comparison."""
    tables.require_valid(limit_calls)
    sink, picture = tables.sinks()
    line = ProgressLine("comparing", quiet=quiet, words=_progress)
    tables.write(run(lambda: work(line.budget), line), sink, picture)


def _progress(progress: Progress) -> str:
    return f"{progress.seconds:.1f} s, {progress.depth} of {progress.total} searches, {progress.calls:,} calls"


def _as_csv(result: Comparison) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["strategy", "case", "solved", "exhausted", "calls", "backtracks", "seconds"])
    for row in result.runs:
        outcome = (int(row.solved), int(row.exhausted))
        writer.writerow([row.strategy, row.case, *outcome, row.calls, row.backtracks, f"{row.seconds:.6f}"])
    return text.getvalue().rstrip("\n")


def table(result: Comparison, *, each: bool) -> str:
    """Return the calls of every case if asked for, then one line per strategy."""
    parts = [_aligned(_cases(result))] if each else []
    return "\n\n".join([*parts, _aligned(_summaries(result))])


def _cases(result: Comparison) -> list[tuple[str, ...]]:
    """Return a line per case: the calls to its first solution by each strategy."""
    found = {(row.strategy, row.case): row for row in result.runs}
    lines = [("calls", *result.strategies)]
    for case in result.cases:
        rows = [found[strategy, case] for strategy in result.strategies]
        lines.append((case, *(_calls(row, result.limit_calls) for row in rows)))
    return lines


def _calls(row: ComparedRun, limit: int) -> str:
    if row.solved:
        return f"{row.calls:,}"
    return "none" if row.exhausted else f">{limit:,}"


def _summaries(result: Comparison) -> list[tuple[str, ...]]:
    head = ("strategy", "solved", "least calls", "median calls", "most calls", "median backtracks", "seconds")
    lines: list[tuple[str, ...]] = [head]
    for summary in result.summaries():
        numbers = (summary.least_calls, summary.median_calls, summary.most_calls, summary.median_backtracks)
        beyond = f">{result.limit_calls:,}"
        figures = (beyond if number is None else f"{number:,}" for number in numbers)
        lines.append((summary.strategy, f"{summary.solved} of {summary.cases}", *figures, f"{summary.seconds:.2f}"))
    return lines


def _aligned(lines: list[tuple[str, ...]]) -> str:
    """Return lines of words in columns, the first to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    rows = ([line[0].ljust(widths[0]), *map(str.rjust, line[1:], widths[1:])] for line in lines)
    return "\n".join("  ".join(row) for row in rows)
