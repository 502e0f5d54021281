"""Read the files that commands take: as bytes or as text, with a bound on their size."""

from __future__ import annotations

import sys
from pathlib import Path

import typer

from backrank.errors import InvalidText, shown, visible

MAX_BYTES = 256 * 1024**2
_ZIP = (b"PK\x03\x04", b"PK\x05\x06")


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
