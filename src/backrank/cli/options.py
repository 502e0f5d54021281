"""The arguments and options that several commands share, alone and in groups, and how their texts become values.

A group is a frozen dataclass whose fields are options; :func:`backrank.cli.grouping.flat` expands them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from backrank.cli.command import hush
from backrank.cli.files import read_text
from backrank.errors import InvalidBoard, InvalidPuzzle, InvalidSquare, shown, visible

if TYPE_CHECKING:
    from backrank.cli.output import Output
    from backrank.cli.progress import ProgressLine
    from backrank.geometry.board import Board, SquareLike
    from backrank.queens import Queens
    from backrank.runtime.progress import Progress
    from backrank.tours import KnightTours

_TIME = re.compile(r"(\d{1,18}(?:\.\d{1,18})?)\s*(s|m|h|)")
_ENDINGS = {".json": "json", ".csv": "csv", ".npy": "npy"}
_MEMORY = re.compile(r"(\d{1,18}(?:\.\d{1,18})?)\s*([kmgt]?)(?:i?b)?")
_SECONDS = {"": 1, "s": 1, "m": 60, "h": 3600}

BoardArgument = Annotated[
    str,
    typer.Argument(
        metavar="BOARD",
        help="rows x columns, such as 8x8 or 3x10, or 8; or @FILE, a map with '.' for a square and '#' for a hole.",
        show_default=False,
    ),
]
FileArgument = Annotated[str, typer.Argument(metavar="FILE", help="A text file, or - for standard input.")]
TourFileArgument = Annotated[
    str, typer.Argument(metavar="FILE", help="A text file or a NumPy file (.npy), or - for standard input.")
]
StartOption = Annotated[
    str | None, typer.Option("--start", metavar="SQUARE", help="First square: c3, or row,col from 0 like 5,2.")
]
EndOption = Annotated[str | None, typer.Option("--end", metavar="SQUARE", help="Last square.")]
ClosedOption = Annotated[bool, typer.Option("--closed", help="The last square must be one move from the first.")]
HolesOption = Annotated[
    str, typer.Option("--holes", metavar="SQUARES", help="Squares to leave out: c3,d4 or '2,3 4,5'.")
]
WrapOption = Annotated[str, typer.Option("--wrap", metavar="WRAP", help="Glued edges: none, cylinder or torus.")]
PieceOption = Annotated[str, typer.Option("--piece", metavar="PIECE", help="A leaper: knight, camel, ... or r,s.")]
ClaimedPieceOption = Annotated[
    str | None, typer.Option("--piece", metavar="PIECE", help="A leaper; what the text says, or the knight.")
]
QueensOption = Annotated[
    int | None,
    typer.Option("--queens", "-k", metavar="K", help="How many queens; the shorter side if not given."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON: one object, or one a line when listing.")]
FormatOption = Annotated[
    str,
    typer.Option(
        "--format", metavar="FORMAT", help="names, coordinates, grid, grid0, json or csv; else by -o, or names."
    ),
]
OutputOption = Annotated[
    str | None, typer.Option("--output", "-o", metavar="FILE", help="Write to a file; - is standard output.")
]
ForceOption = Annotated[bool, typer.Option("--force", help="Let -o replace a file that exists.")]
TimeLimitOption = Annotated[
    str | None,
    typer.Option("--time-limit", metavar="TIME", help="Stop after so long, compiling included: 10, 10s, 5m or 1h."),
]
CallLimitOption = Annotated[
    int | None, typer.Option("--call-limit", metavar="N", help="Stop after so many placements of the piece.")
]
QuietOption = Annotated[
    bool, typer.Option("--quiet", "-q", callback=hush, help="Print the answer only, without remarks.")
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
MemoryOption = Annotated[
    str | None, typer.Option("--memory", metavar="SIZE", help="The most memory that may be used: 500M, 8G.")
]
LanguageOption = Annotated[str, typer.Option("--language", metavar="LANGUAGE", help="Of an HTML page: en or zh.")]
LedgerOption = Annotated[
    str | None,
    typer.Option(
        "--ledger",
        metavar="FILE",
        help="Where long counts are kept; BACKRANK_LEDGER, or a file of yours, if not given.",
    ),
]
NoLedgerOption = Annotated[bool, typer.Option("--no-ledger", help="Do not keep long counts.")]
AgainOption = Annotated[bool, typer.Option("--again", help="Count anew what the ledger has counted already.")]
ExecutorOption = Annotated[
    str | None, typer.Option("--executor", metavar="KIND", help="Who counts: threads, processes or serial.")
]
WorkersOption = Annotated[
    int | None, typer.Option("--workers", metavar="N", min=1, help="One for each core if not given.")
]
SchedulerOption = Annotated[
    str | None, typer.Option("--scheduler", metavar="ADDRESS", help="A Dask scheduler that counts: tcp://host:8786.")
]
ClusterOption = Annotated[
    str | None, typer.Option("--cluster", metavar="local:N", help="Start N Dask workers on this machine.")
]
JobJsonOption = Annotated[
    bool,
    typer.Option(
        "--json",
        help="Print the answer as a JSON object; long counts also tell their progress, a JSON object a line on stderr.",
    ),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class TourOptions:
    """The options that say which tours are meant."""

    board: BoardArgument
    start: StartOption = None
    end: EndOption = None
    closed: ClosedOption = False
    holes: HolesOption = ""
    wrap: WrapOption = "none"
    piece: PieceOption = "knight"

    def puzzle(self) -> KnightTours:
        """Return the puzzle.

        Raises
        ------
        InvalidBoard, InvalidPuzzle, InvalidSquare, UnknownName
        """
        from backrank.tours import KnightTours

        where = board_of(self.board, self.holes, self.wrap)
        return KnightTours(where, closed=self.closed, start=self.start, end=self.end, piece=self.piece)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedQueensOptions:
    """The options that say which placements of queens are meant."""

    board: BoardArgument
    count: QueensOption = None
    placed: PlacedOption = None
    holes: HolesOption = ""
    wrap: WrapOption = "none"

    def puzzle(self) -> Queens:
        """Return the puzzle; raises what :meth:`TourOptions.puzzle` does."""
        return _queens(self, "queen")


@dataclass(frozen=True, slots=True, kw_only=True)
class QueensOptions(PlacedQueensOptions):
    """The options that say which placements of queens, or of amazons, are meant."""

    piece: PlacedPieceOption = "queen"

    def puzzle(self) -> Queens:
        """Return the puzzle; raises what :meth:`TourOptions.puzzle` does."""
        return _queens(self, self.piece)


def _queens(options: PlacedQueensOptions, piece: str) -> Queens:
    from backrank.queens import Queens

    where = board_of(options.board, options.holes, options.wrap)
    return Queens(where, queens=options.count, piece=piece, placed=placed_squares(options.placed))


@dataclass(frozen=True, slots=True, kw_only=True)
class FormOptions:
    """The options that say in which format answers are written; subclasses tell of other formats in the help."""

    form: FormatOption = ""
    as_json: JsonOption = False

    def chosen(self, output: str | None, usual: str, kind: str) -> str:
        """Return the format: the one given, or the one of the name of the file, or the usual one.

        Parameters
        ----------
        output : str, optional
            The name of the file.
        usual : str
        kind : str
            `tour` or `queens`.

        Raises
        ------
        InvalidPuzzle
            If the options contradict the name of the file.
        UnknownName
        """
        from backrank.cli.answers import require_text_format

        form = form_of(self.form, output, as_json=self.as_json) or usual
        require_text_format(kind, form)
        return "json" if self.as_json else form


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputOptions:
    """The options that say where the answer goes."""

    output: OutputOption = None
    force: ForceOption = False

    def sink(self) -> Output:
        """Return where the answer is written.

        Raises
        ------
        OutputError
            If the file exists, without `--force`, or cannot be written.
        """
        from backrank.cli.output import Output

        return Output(self.output, force=self.force)


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeOptions:
    """The option that limits the time of a command."""

    time_limit: TimeLimitOption = None

    @property
    def calls(self) -> int | None:
        """The limit of calls."""
        return None

    def line(self, what: str, *, quiet: bool = False, words: Callable[[Progress], str] | None = None) -> ProgressLine:
        """Return the progress line of the command, which holds the budget that the limits make.

        Raises
        ------
        InvalidPuzzle
            If a limit is not valid.
        """
        from backrank.cli.progress import ProgressLine

        return ProgressLine(what, seconds=seconds_of(self.time_limit), calls=self.calls, quiet=quiet, words=words)


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitOptions(TimeOptions):
    """The options that limit the time of a command and the calls of its search."""

    call_limit: CallLimitOption = None

    @property
    def calls(self) -> int | None:
        """The limit of calls."""
        return self.call_limit


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerOptions:
    """The options that say whether a count is kept, and where."""

    ledger: LedgerOption = None
    no_ledger: NoLedgerOption = False
    again: AgainOption = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecutorOptions:
    """The options that say what counts the units of a job."""

    executor: ExecutorOption = None
    workers: WorkersOption = None
    scheduler: SchedulerOption = None
    cluster: ClusterOption = None

    @property
    def is_chosen(self) -> bool:
        """Whether any of the options was given."""
        return (self.executor, self.workers, self.scheduler, self.cluster) != (None, None, None, None)


def board_of(text: str, holes: str = "", wrap: str = "none") -> Board:
    """Return the board for a BOARD argument and the options that go with it."""
    from backrank.geometry.board import Board, square_list

    listed = square_list(holes, "--holes", InvalidBoard)
    if not text.startswith("@"):
        return Board.parse(text, holes=listed, wrap=wrap)
    if not text[1:].strip():
        raise InvalidBoard("@ needs the name of a file, as in @map.txt, that holds a map of '.' and '#'")
    board = Board.from_map(read_text(text[1:]), wrap=wrap)
    if not listed:
        return board
    more = Board(board.rows, board.cols, holes=listed).holes
    return Board(board.rows, board.cols, holes=board.holes | more, wrap=wrap)


def placed_squares(texts: list[str] | None) -> list[SquareLike]:
    """Return the squares of the option `--placed`, which may be given several times."""
    from backrank.geometry.board import square_list

    return square_list(" ".join(texts or ()), "--placed")


def square_of(board: Board, text: str | None, noun: str) -> int | None:
    """Return the square that an option names, if it was given; `noun` is what complaints begin with."""
    try:
        return None if text is None else board.square(text)
    except InvalidSquare as error:
        raise InvalidSquare(f"{noun}: {error}") from None


def form_of(form: str | None, output: str | None, *, as_json: bool) -> str | None:
    """Return the format that was told, or that the name of the file tells (.json, .csv, .npy), or None."""
    ending = Path(output or "").suffix.lower()
    other = "json" if as_json else form
    if ending == ".npy" and other not in (None, "", "npy"):
        told = "--json" if as_json else f"--format {other}"
        raise InvalidPuzzle(f"{visible(output or '')} would be a NumPy file, but {told} is another format; choose one")
    return form or (None if as_json else _ENDINGS.get(ending))


def bytes_of(text: str | None) -> int | None:
    """Return an amount of memory in bytes."""
    if text is None:
        return None
    match = _MEMORY.fullmatch(text.strip().lower())
    if match is None:
        raise InvalidPuzzle(f"memory {shown(text)} is not a size; write bytes, or 500M, or 8G")
    return int(float(match[1]) * 1024 ** " kmgt".index(match[2] or " "))


def seconds_of(text: str | None) -> float | None:
    """Return a time limit in seconds."""
    if text is None:
        return None
    match = _TIME.fullmatch(text.strip().lower())
    if match is None:
        raise InvalidPuzzle(f"time limit {shown(text)} is not a time; write seconds such as 10 or 2.5, or 5m, or 1h")
    return float(match[1]) * _SECONDS[match[2]]
