"""What all formats share: from raw text to clean lines, and the way to complain about one of them.

People paste what they have: files with a byte order mark, Windows line ends, full-width brackets, boxes
drawn around the numbers, Python and Java lists. All of that is brought to plain lines here, so
that the readers proper meet only spaces, commas, `|` and words. Every step is linear in the length of the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple, NoReturn

from backrank.errors import InvalidText, shown
from backrank.geometry.board import file_name

MAX_DIGITS = 18
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]")
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_BRACKET = re.compile(r"([\[\]{}])")
_RULE_MARKS = frozenset("+-=|: ")

_BOX = dict.fromkeys(range(9472, 9600), "+")
_BOX |= dict.fromkeys(map(ord, "─━┄┅┈┉╌╍╴╶╸╺╼╾"), "-") | {ord("═"): "="}
_BOX |= dict.fromkeys(map(ord, "│┃┆┇┊┋╎╏║╵╷╹╻╽╿"), "|")
_PLAIN = _BOX | str.maketrans("（）［］｛｝，、；｜：．－−–—　", "()[]{},,;|:.---- ") | str.maketrans("→⇒➔➜", "    ")


class TextLine(NamedTuple):
    """A line without blanks at its ends, and its number in the text, from 1; an empty one separates blocks."""

    number: int
    text: str


def lines_of(text: str, row_word: re.Pattern[str]) -> list[TextLine]:
    r"""Return the lines of a text, comments emptied, exotic punctuation made plain.

    A line that starts with `#` is a comment. But `#` is a hole too: if all words of the line look
    like squares (`row_word`), and there are as many as in the first other line, it is a row of a board.

    Raises
    ------
    InvalidText
        If nothing is left, or if it is not text at all.

    Examples
    --------
    >>> lines_of("# a tour\r\n（0，0）", re.compile("[#0-9]+"))
    [TextLine(number=1, text=''), TextLine(number=2, text='(0,0)')]
    """
    text = require_text(text)
    if not text.isascii():
        text = text.translate(_PLAIN)
    text = text.replace("->", "  ").replace("=>", "  ")
    lines = [TextLine(number, line.strip()) for number, line in enumerate(text.split("\n"), 1)]
    plain = next((line.text for line in lines if line.text and line.text[0] != "#"), None)
    if plain is None:
        rows = (line.text for line in lines if line.text and set(line.text) > {"#"})
        plain = next((row for row in rows if _is_row(row, row, row_word)), "")
    lines = [
        line if line.text[:1] != "#" or _is_row(line.text, plain, row_word) else TextLine(line.number, "")
        for line in lines
    ]
    if not any(line.text for line in lines):
        raise InvalidText("the text holds only comments" if "#" in text else "the text is empty")
    return lines


def require_text(text: str) -> str:
    r"""Return the text with `\n` for every line end and no byte order mark, or say why it is none.

    Examples
    --------
    >>> require_text("\ufeffa1\r\nb3")
    'a1\nb3'
    """
    if not isinstance(text, str):
        raise InvalidText(f"the text to read must be a str, not {shown(text)}")
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    if match := _CONTROL.search(text):
        fail(line_at(text, match.start()), f"this is not text: it holds the control character U+{ord(match[0]):04X}")
    if match := _SURROGATE.search(text):
        code = f"U+{ord(match[0]):04X}"
        fail(line_at(text, match.start()), f"this is not text: {code} is half a character; read the file as UTF-8")
    return text


def line_at(text: str, position: int) -> int:
    r"""Return the number of the line, from 1, in which a position of a text lies.

    Examples
    --------
    >>> line_at("a\nb", 2)
    2
    """
    return text.count("\n", 0, position) + 1


def fail(line: int, message: str) -> NoReturn:
    """Raise :class:`InvalidText` about a line; 0 stands for none.

    Examples
    --------
    >>> fail(3, "'x7y' is not a square")
    Traceback (most recent call last):
    ...
    backrank.errors.InvalidText: line 3: 'x7y' is not a square
    """
    raise InvalidText(f"line {line}: {message}" if line else message)


def whole_number(word: str, line: int) -> int:
    """Return the number that a word of digits, perhaps with a sign, stands for.

    Examples
    --------
    >>> whole_number("-064", line=1)
    -64
    """
    if len(word) > MAX_DIGITS:
        fail(line, f"{shown(word)} is a number of {len(word)} digits; that is far too large")
    return int(word)


def blocks_of(lines: Iterable[TextLine]) -> list[list[TextLine]]:
    """Return the lines in groups, an empty line or a comment between one and the next.

    Examples
    --------
    >>> [len(block) for block in blocks_of([TextLine(1, "a1"), TextLine(2, ""), TextLine(3, "b1"), TextLine(4, "c1")])]
    [1, 2]
    """
    blocks: list[list[TextLine]] = [[]]
    for line in lines:
        if line.text:
            blocks[-1].append(line)
        elif blocks[-1]:
            blocks.append([])
    return [block for block in blocks if block]


def is_rule(text: str) -> bool:
    """Whether a line only draws: `+---+---+`, `|---|---|`, `-----`, `=====`.

    A row of holes, `- - -` or `-- --`, is none.

    Examples
    --------
    >>> [is_rule(text) for text in ("+--+--+", "|---|---|", "-----", "-- -- --", "| - | - |")]
    [True, True, True, False, False]
    """
    marks = set(text)
    if not marks or not marks <= _RULE_MARKS:
        return False
    if marks <= {"|"} or (len(text) > 2 and len(marks) == 1 and marks <= {"-", "="}):
        return True
    if text[0] == text[-1] == "+":
        return "-" in marks or "=" in marks
    return text[0] in "+|" and text[-1] in "+|" and ("--" in text or "==" in text)


def is_files(words: list[str]) -> bool:
    """Whether these words are the letters under a board, a, b, c and so on.

    Examples
    --------
    >>> is_files(["a", "b", "c"]), is_files(["a", "c"]), is_files([])
    (True, False, False)
    """
    return bool(words) and all(word.lower() == file_name(col) for col, word in enumerate(words))


def unbracketed(lines: list[TextLine]) -> list[TextLine]:
    """Return lines in which every innermost list, `[…]` or `{…}`, is a line of its own.

    Line ends inside brackets mean nothing; where a list of lists ends an empty line follows.

    Examples
    --------
    >>> [line.text for line in unbracketed([TextLine(1, "[[1, 2],"), TextLine(2, "[3,"), TextLine(3, "4]]")])]
    ['1, 2', '3, 4', '']
    """
    if not any(mark in line.text for line in lines for mark in "[]{}"):
        return lines
    return list(_lists(lines))


def _lists(lines: list[TextLine]) -> Iterator[TextLine]:
    depth, start, content = 0, 1, ""
    parts: list[str] = []
    just_closed = False
    for line in lines:
        if not line.text and depth == 0:
            yield line
        for part in _BRACKET.split(line.text):
            if part not in ("[", "]", "{", "}"):
                start = start if parts else line.number
                parts += [part] if part.strip(" \t,;") or parts else []
                continue
            content, parts = " ".join(parts).strip(), []
            if content:
                yield TextLine(start, content)
            elif just_closed and part in "]}":
                yield TextLine(line.number, "")
            depth = depth + 1 if part in "[{" else max(depth - 1, 0)
            just_closed = part in "]}"
        if depth == 0 and parts:
            yield TextLine(start, " ".join(parts).strip())
            parts = []
    if parts:
        yield TextLine(start, " ".join(parts).strip())


def _is_row(text: str, plain: str, row_word: re.Pattern[str]) -> bool:
    words, others = text.split(), plain.split()
    if len(words) != len(others) or not all(map(row_word.fullmatch, words)):
        return False
    return len(words) > 1 or len(words[0]) == len(others[0])
