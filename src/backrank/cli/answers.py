"""Write answers: known formats, one item after the other, what is said of a puzzle, what is left if the work stops."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from backrank.cli.running import interrupted
from backrank.errors import BudgetExceeded

if TYPE_CHECKING:
    from backrank.cli.output import Output
    from backrank.cli.progress import ProgressLine
    from backrank.queens import Queens

MOST_DRAWN_ROWS = 64
MOST_NAMED = 4
LANGUAGES = ("en", "zh")


def require_text_format(kind: str, form: str, more: tuple[str, ...] = ()) -> None:
    """Raise UnknownName unless `form` is a text format of tours (`kind` is `tour`) or of placements.

    The formats in `more` are named in the message as well.
    """
    from backrank import formats
    from backrank.errors import UnknownName

    known = formats.TOUR_FORMS if kind == "tour" else formats.PLACEMENT_FORMS
    if form not in known:
        raise UnknownName("format", form, (*known, *more))


def require_language(language: str) -> None:
    """Raise UnknownName unless HTML pages can be written in a language."""
    from backrank.errors import UnknownName

    if language not in LANGUAGES:
        raise UnknownName("language", language, LANGUAGES)


def placement_form(puzzle: Queens) -> str:
    """Return the format of placements that are drawn: a board of symbols, or columns if it has too many rows."""
    return "columns" if puzzle.queens == puzzle.board.rows > MOST_DRAWN_ROWS else "unicode"


def placed_words(puzzle: Queens) -> str:
    """Return what is said after the board of a puzzle about its placed queens."""
    names = [puzzle.board.name(square) for square in puzzle.placed]
    if len(names) > MOST_NAMED:
        return f", {len(names)} of them placed"
    return f", {' and '.join(names)} placed" if names else ""


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


@contextmanager
def items_written(sink: Output, line: ProgressLine, written: Callable[[], int]) -> Iterator[None]:
    """Open the output for items; if the work stops, say how many of them have been written, and where they are."""
    try:
        with sink, line:
            yield
    except BudgetExceeded as error:
        kept = f"; {written():,} are in {sink.kept}" if sink.kept else ""
        raise BudgetExceeded(f"{error}{kept}", error.reached) from None
    except KeyboardInterrupt:
        kept = f"; {written():,} are in {sink.kept}" if sink.kept else f"; {written():,} were printed"
        raise interrupted(line, kept) from None
