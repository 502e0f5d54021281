"""The arguments and options that several commands share, and how their texts become values."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from backrank.cli.command import hush
from backrank.errors import InvalidBoard, InvalidPuzzle, InvalidSquare, InvalidText, shown, visible

if TYPE_CHECKING:
    from backrank.geometry.board import Board

MAX_BYTES = 256 * 1024**2
_ZIP = (b"PK\x03\x04", b"PK\x05\x06")

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

_TIME = re.compile(r"(\d{1,18}(?:\.\d{1,18})?)\s*(s|m|h|)")
_ENDINGS = {".json": "json", ".csv": "csv", ".npy": "npy"}
_MEMORY = re.compile(r"(\d{1,18}(?:\.\d{1,18})?)\s*([kmgt]?)(?:i?b)?")
_SECONDS = {"": 1, "s": 1, "m": 60, "h": 3600}


def board_of(text: str, holes: str = "", wrap: str = "none") -> Board:
    """Return the board for a BOARD argument and the options that go with it."""
    from backrank.geometry.board import Board, parse_square_list

    listed = parse_square_list(holes)
    if holes.strip(" ,;") and not listed:
        raise InvalidBoard(f"holes {shown(holes)} is not a list of squares; write c3,d4 or '2,3 4,5'")
    if not text.startswith("@"):
        return Board.parse(text, holes=listed, wrap=wrap)
    if not text[1:].strip():
        raise InvalidBoard("@ needs the name of a file, as in @map.txt, that holds a map of '.' and '#'")
    board = Board.from_map(read_text(text[1:]), wrap=wrap)
    if not listed:
        return board
    more = Board(board.rows, board.cols, holes=listed).holes
    return Board(board.rows, board.cols, holes=board.holes | more, wrap=wrap)


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


def read_text(name: str) -> str:
    """Return the text of a file, or of standard input if its name is `-`."""
    return decoded(read_bytes(name), name)


def read_bytes(name: str, most: int = MAX_BYTES) -> bytes:
    """Return the bytes of a file, or of standard input if its name is `-`; refuse more than `most`."""
    if not name.strip():
        raise InvalidText("the name of the file to read is empty; give one, or - for standard input")
    try:
        if name == "-" and sys.stdin.closed:
            raise InvalidText("standard input is closed; name a file")
        if name == "-":
            data = typer.get_binary_stream("stdin").read(most + 1)
        else:
            with Path(name).open("rb") as file:
                data = file.read(most + 1)
    except OSError as error:
        raise InvalidText(f"cannot read {file_shown(name)}: {(error.strerror or str(error)).lower()}") from None
    except ValueError:
        raise InvalidText(f"cannot read {shown(name)}: that is not a file name") from None
    if len(data) > most:
        raise too_large(name, most)
    return data


def decoded(data: bytes, name: str) -> str:
    """Return bytes that were read as text: UTF-8, or UTF-16 if they say so."""
    if data.startswith(_ZIP):
        raise InvalidText(
            f"{file_shown(name)} is a NumPy archive (.npz) or another zip; save the array with numpy.save"
        )
    encoding = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        told = f"byte {error.start + 1} is not {encoding[:6].rstrip('-')}"
        raise InvalidText(f"{file_shown(name)} is not text: {told}") from None


def too_large(name: str, most: int) -> InvalidText:
    """Return the error about a file that is larger than can be read."""
    return InvalidText(f"{file_shown(name)} is larger than {most // 1024**2} MiB; split it")


def file_shown(name: str) -> str:
    """Return the name of a file for a message."""
    return "standard input" if name == "-" else visible(name)
