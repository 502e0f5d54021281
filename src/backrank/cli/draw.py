"""`backrank draw`: a picture, or a page that moves, of a tour or placement in any of the text formats."""

from __future__ import annotations

from typing import Annotated

import typer

from backrank.cli import options as opt
from backrank.cli.output import Output
from backrank.errors import InvalidPuzzle

BoardOption = Annotated[
    str | None,
    typer.Option("--board", metavar="BOARD", help="The board it is on, such as 8x8; read off the text if not given."),
]
PictureOption = Annotated[
    str | None,
    typer.Option("--format", metavar="FORMAT", help="svg, html or text; taken from the name of -o FILE if not given."),
]
LanguageOption = Annotated[str, typer.Option("--language", metavar="LANGUAGE", help="Of an HTML page: en or zh.")]
_SUFFIXES = {".svg": "svg", ".html": "html", ".htm": "html", ".txt": "text"}


def tours(
    file: opt.FileArgument,
    board: BoardOption = None,
    closed: opt.ClosedOption = False,
    form: PictureOption = None,
    numbers: Annotated[
        bool | None, typer.Option("--numbers/--no-numbers", help="Number the squares of a picture; small boards only.")
    ] = None,
    language: LanguageOption = "en",
    output: opt.OutputOption = None,
    force: opt.ForceOption = False,
) -> None:
    """Draw a tour: as SVG, or as an HTML page in which the piece walks, which needs no network.

    Examples: backrank solve tour 8x8 -q | backrank draw tour - -o tour.svg;  backrank draw tour my.txt -o tour.html
    """
    from backrank.formats import parse_tours
    from backrank.pieces import KNIGHT
    from backrank.tours import Tour

    form = picture_form(form, output, ("svg", "html", "text"))
    check_language(language)
    sink = Output(output, force=force)
    where = opt.board_of(board) if board else None
    claim = parse_tours(opt.read_text(file), board=where)[0]
    faults = claim.faults(closed=closed)
    if faults:
        raise InvalidPuzzle(f"not a tour ({faults[0]}); 'backrank check tour' names every fault")
    tour = Tour(claim.board, claim.squares(), closed or bool(claim.closed), claim.piece or KNIGHT)
    if form == "text":
        text = tour.text()
    else:
        text = tour.svg(numbers=numbers) if form == "svg" else tour.html(language=language)
    with sink:
        sink.write(text.rstrip("\n"))


def queens(
    file: opt.FileArgument,
    board: BoardOption = None,
    form: PictureOption = None,
    output: opt.OutputOption = None,
    force: opt.ForceOption = False,
) -> None:
    """Draw a placement of queens as SVG; queens that attack each other are joined by a line.

    Examples: backrank solve queens 8 -q | backrank draw queens - -o queens.svg
    """
    from backrank.formats import parse_placements
    from backrank.queens import Placement

    form = picture_form(form, output, ("svg", "text"))
    sink = Output(output, force=force)
    where = opt.board_of(board) if board else None
    claim = parse_placements(opt.read_text(file), board=where)[0]
    placement = Placement(claim.board, tuple(sorted(claim.squares())))
    with sink:
        sink.write((placement.svg(attacks=True) if form == "svg" else str(placement)).rstrip("\n"))


def picture_form(form: str | None, output: str | None, known: tuple[str, ...]) -> str:
    """Return what is to be drawn: as told, or as the file is called, or SVG."""
    from pathlib import Path

    from backrank.errors import UnknownName

    if form is None:
        suffix = Path(output or "").suffix.lower()
        if suffix and suffix not in _SUFFIXES:
            raise InvalidPuzzle(f"{output} has the ending of no picture: use .svg, .html or .txt, or give --format")
        form = _SUFFIXES.get(suffix, "svg")
    if form not in known:
        raise UnknownName("format", form, known)
    return form


def check_language(language: str) -> None:
    """Refuse a language that no page speaks."""
    from backrank.errors import UnknownName

    if language not in ("en", "zh"):
        raise UnknownName("language", language, ("en", "zh"))
