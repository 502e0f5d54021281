"""`backrank draw`: a picture, or a page that moves, of a tour or placement in any of the formats."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from backrank.cli import options as opt
from backrank.cli.answers import require_language
from backrank.cli.files import read_text
from backrank.cli.output import Output, remark
from backrank.errors import BoardTooLarge, InvalidPuzzle, visible

if TYPE_CHECKING:
    from backrank.cli.reading import Claim
    from backrank.geometry.board import Board
    from backrank.geometry.pieces import Piece
    from backrank.geometry.verify import Fault

Some = TypeVar("Some")

BoardOption = Annotated[
    str | None,
    typer.Option("--board", metavar="BOARD", help="The board it is on, such as 8x8; read off the file if not given."),
]
PictureOption = Annotated[
    str | None,
    typer.Option(
        "--format", metavar="FORMAT", help="svg, png, html or text; taken from the name of -o FILE if not given."
    ),
]
NumberOption = Annotated[
    int | None, typer.Option("--number", metavar="K", help="Which one to draw if the file holds several; the first.")
]
SizeOption = Annotated[
    int | None, typer.Option("--size", metavar="PIXELS", help="The longer side of a PNG; at most 2000 if not given.")
]
NumbersOption = Annotated[
    bool | None,
    typer.Option("--numbers/--no-numbers", help="Number the squares of a picture; up to 256 if not given."),
]
PathOption = Annotated[bool, typer.Option("--path/--no-path", help="Draw the moves as lines.")]
_SUFFIXES = {".svg": "svg", ".png": "png", ".html": "html", ".htm": "html", ".txt": "text"}
# A larger board is a cloud of hairs as SVG; whoever asks for SVG by name gets it all the same.
MAX_UNASKED_SVG = 40_000


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnTourOptions:
    """The options that say which tours a file holds."""

    board: BoardOption = None
    closed: opt.ClosedOption = False
    holes: opt.HolesOption = ""
    wrap: opt.WrapOption = "none"
    piece: opt.ClaimedPieceOption = None

    def claims(self, file: str) -> Sequence[Claim]:
        """Return what a file claims."""
        from backrank.cli.reading import TourFile, on_board

        return on_board(TourFile(file).claims, board=self.board, holes=self.holes, wrap=self.wrap)


@dataclass(frozen=True, slots=True, kw_only=True)
class LookOptions:
    """The options that say what the picture of a tour looks like."""

    form: PictureOption = None
    numbers: NumbersOption = None
    path: PathOption = True
    number: NumberOption = None
    size: SizeOption = None
    language: opt.LanguageOption = "en"

    def chosen(self, output: str | None) -> str:
        """Return what is drawn: `svg`, `png`, `html` or `text`.

        Raises
        ------
        InvalidPuzzle
            If the options contradict each other.
        UnknownName
        """
        if not self.path and self.numbers is False:
            raise InvalidPuzzle("--no-path and --no-numbers together leave nothing of the tour; leave one of them out")
        form = picture_form(self.form, output, ("svg", "png", "html", "text"))
        require_language(self.language)
        return form


def tours(
    file: opt.TourFileArgument,
    tour: DrawnTourOptions,
    look: LookOptions,
    outputs: opt.OutputOptions,
    quiet: opt.QuietOption = False,
) -> None:
    """Draw a tour: as SVG, as PNG, or as an HTML page in which the piece walks, which needs no network.

    On large boards a PNG shows the order of the visits as colours.

    Examples: backrank solve tour 8x8 -q | backrank draw tour - -o tour.svg;  backrank draw tour my.txt -o tour.html;
    backrank draw tour large.npy -o overview.png
    """
    from backrank.geometry.pieces import KNIGHT, piece_named

    told = look.form is not None or bool(Path(outputs.output or "").suffix)
    form = look.chosen(outputs.output)
    sink = _sink(outputs, form, look.size)
    mover = piece_named(tour.piece) if tour.piece else None
    claim = chosen("tours", tour.claims(file), look.number, quiet=quiet)
    for note in claim.notes:
        remark(f"note: {note}", quiet=quiet or note.startswith("board taken as"))  # the picture shows the board
    _require_drawable(claim.board, form, told=told)
    faults = claim.faults(closed=tour.closed, piece=mover)
    if faults:
        hint = _hint(claim, faults, closed=tour.closed, told=mover) or "'backrank check tour' names every fault"
        raise InvalidPuzzle(f"not a tour ({faults[0]}); {hint}")
    _put(sink, _drawn(claim, mover or claim.piece or KNIGHT, form, look, closed=tour.closed or bool(claim.closed)))


def _hint(claim: Claim, faults: Sequence[Fault], *, closed: bool, told: Piece | None) -> str:
    """Return which options would make a tour of what is none: a glued edge, or the leaper that made its first move."""
    from backrank.cli.reading import SMALL_SQUARES
    from backrank.geometry.board import Board
    from backrank.geometry.pieces import leaper
    from backrank.geometry.verify import FaultKind

    moves = {FaultKind.NOT_A_MOVE, FaultKind.NOT_CLOSED}
    if claim.board.size > SMALL_SQUARES or not {fault.kind for fault in faults} <= moves or len(claim.board) < 3:
        return ""
    for wrap in ("cylinder", "torus"):
        board = Board(claim.board.rows, claim.board.cols, holes=claim.board.holes, wrap=wrap)
        if claim.board.wrap == "none" and not claim.on(board).faults(closed=closed, piece=told):
            return f"with --wrap {wrap} it is one"
    first, second = (claim.board.cell(int(square)) for square in claim.squares()[:2])
    other = leaper(abs(first[0] - second[0]), abs(first[1] - second[1]))
    if told is None and not claim.faults(closed=closed, piece=other):
        return f"with --piece {other.name.strip('()').removesuffix(')-leaper')} it is one"
    return ""


def _require_drawable(board: Board, form: str, *, told: bool) -> None:
    """Refuse, before the tour is checked, boards that are too large for a form, and say what draws them."""
    from backrank.render.html import MAX_PAGE_SQUARES
    from backrank.render.svg import MAX_SVG_SQUARES
    from backrank.render.text import MAX_DRAWN_SQUARES

    if form == "png":
        from backrank.render.png import MAX_PNG_SQUARES

        return board.require_at_most(MAX_PNG_SQUARES, "a PNG")
    noun, most = {
        "svg": ("an SVG", MAX_SVG_SQUARES if told else MAX_UNASKED_SVG),
        "html": ("a page", MAX_PAGE_SQUARES),
        "text": ("text", MAX_DRAWN_SQUARES),
    }[form]
    if board.size > most:
        also = " (--format svg an SVG all the same)" if form == "svg" and not told else ""
        raise BoardTooLarge(
            f"the {board} board has {board.size:,} squares, {noun} is for up to {most:,}; "
            f"-o overview.png draws an overview{also}"
        )
    return None


def _drawn(claim: Claim, piece: Piece, form: str, look: LookOptions, *, closed: bool) -> str | bytes:
    from backrank import render

    board, squares = claim.board, claim.squares()
    numbers, path = look.numbers, look.path
    if form == "png":
        return render.tour_png(board, squares, closed=closed, numbers=numbers, path=path, piece=piece, size=look.size)
    visits = [int(square) for square in squares]
    if form == "text":
        return render.numbered_board(board, visits)
    if form == "html":
        return render.tour_html(board, visits, closed=closed, piece=piece, language=look.language)
    return render.tour_svg(board, visits, closed=closed, numbers=numbers, path=path, piece=piece)


def queens(
    file: opt.FileArgument,
    board: BoardOption = None,
    form: PictureOption = None,
    number: NumberOption = None,
    size: SizeOption = None,
    *,
    outputs: opt.OutputOptions,
    quiet: opt.QuietOption = False,
) -> None:
    """Draw a placement of queens as SVG or PNG; queens that attack each other are joined by a line.

    Examples: backrank solve queens 8 -q | backrank draw queens - -o queens.svg
    """
    from backrank import render
    from backrank.formats import parse_placements

    form = picture_form(form, outputs.output, ("svg", "png", "text"))
    sink = _sink(outputs, form, size)
    where = opt.board_of(board) if board else None
    claim = chosen("placements", parse_placements(read_text(file), board=where), number, quiet=quiet)
    squares = claim.squares()
    if form == "png":
        _put(sink, render.queens_png(claim.board, squares, attacks=True, size=size))
    elif form == "svg":
        _put(sink, render.queens_svg(claim.board, squares, attacks=True))
    else:
        _put(sink, render.queens_board(claim.board, squares))


def chosen(noun: str, claims: Sequence[Some], number: int | None, *, quiet: bool) -> Some:
    """Return the one to draw: the one told, or the first, with a remark if there are others."""
    if number is not None and not 1 <= number <= len(claims):
        there = f"{len(claims):,} {noun}, from 1" if len(claims) > 1 else f"one {noun.removesuffix('s')} only"
        raise InvalidPuzzle(f"--number {number} is not there: the file holds {there}")
    if number is None and len(claims) > 1:
        remark(f"drew the first of {len(claims):,} {noun}; --number K chooses another", quiet=quiet)
    return claims[(number or 1) - 1]


def _sink(outputs: opt.OutputOptions, form: str, size: int | None) -> Output:
    """Return where the picture goes, having refused what cannot end well before anything is read."""
    if size is not None and form != "png":
        raise InvalidPuzzle(f"--size is for PNG; a picture as {form} has no number of pixels")
    sink = outputs.sink()
    if form == "png":
        sink.require_no_terminal("a PNG", "picture.png")
    return sink


def _put(sink: Output, picture: str | bytes) -> None:
    with sink:
        if isinstance(picture, bytes):
            sink.write_bytes(picture)
        else:
            sink.write(picture.rstrip("\n"))


def picture_form(form: str | None, output: str | None, known: tuple[str, ...]) -> str:
    """Return what is to be drawn: as told, or as the file is called, or SVG."""
    from backrank.errors import UnknownName

    if form is None:
        suffix = Path(output or "").suffix.lower()
        if suffix and suffix not in _SUFFIXES:
            raise InvalidPuzzle(
                f"{visible(output or '')} has the ending of no picture: use {_endings(known)}, or give --format"
            )
        form = _SUFFIXES.get(suffix, "svg")
    if form not in known:
        raise UnknownName("format", form, known)
    return form


def _endings(known: Sequence[str]) -> str:
    *some, last = (next(suffix for suffix, form in _SUFFIXES.items() if form == each) for each in known)
    return f"{', '.join(some)} or {last}"
