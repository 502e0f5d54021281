"""What the library says, told apart: a code for each sentence and the values in it, so that a page can say the same.

The library says what is wrong, or why there is no answer, in one English line, written where it is found out. The page
speaks other languages too. Its English catalogue repeats the lines that people meet, under keys that begin with
`told.`, with a name in braces for each value: so a line is recognised by its words, and the key is its code. Nothing
depends on it: a line that is in no catalogue has the kind of its problem for a code, and is shown as it is. The tests
have the library say each of these sentences, so none gets lost when its words change.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

PREFIX = "told."
WITHIN = "why"  # the name of a value that is itself a sentence

_VALUE = re.compile(r"\{(\w+)(?::([^|}]*)\|([^}]*))?\}")
_WHOLE = re.compile(r"\d{1,3}(?:,\d{3})+|\d{1,15}")
_LONGEST = 600


class Said(NamedTuple):
    """A sentence that was recognised: its code, and its values by name, whole numbers as such."""

    code: str
    params: dict[str, Any]


def said(text: str) -> Said | None:
    """Return the code and the values of a line that the library says; None if it is not one of those that are known.

    Examples
    --------
    >>> said("no 4xn board has a closed tour (Schwenk 1991)")
    Said(code='schwenk-no', params={'board': '4xn'})
    >>> said("a closed tour needs at least 3 squares; this board has 2").params
    {'squares': 2}
    >>> said("what is this?")
    """
    if len(text) > _LONGEST:
        return None
    for code, pattern in _patterns():
        if match := pattern.fullmatch(text):
            values = {name: value for name, value in match.groupdict().items() if value is not None}
            return Said(code, {name: _value(name, value) for name, value in values.items()})
    return None


def with_code(text: str, fallback: str = "other") -> dict[str, Any]:
    """Return the code and the values of a line as answers have them.

    Examples
    --------
    >>> with_code("start: c3 is a hole of the 5x5 board; choose a square")["params"]["why"]["code"]
    'square-hole'
    >>> with_code("what is this?", "invalid-text")
    {'code': 'invalid-text', 'params': {}}
    """
    found = said(text)
    return {"code": fallback, "params": {}} if found is None else found._asdict()


def codes() -> frozenset[str]:
    """Return the codes of all sentences that are known."""
    return frozenset(code for code, _ in _patterns())


def _value(name: str, text: str) -> Any:
    if name == WITHIN:
        return {"text": text, **with_code(text)}
    return int(text.replace(",", "")) if _WHOLE.fullmatch(text) else text


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return the sentences as patterns; those with the most words of their own come first."""
    catalogue = json.loads(files("backrank.web").joinpath("static/texts/en.json").read_text(encoding="utf-8"))
    sentences = {key.removeprefix(PREFIX): text for key, text in catalogue.items() if key.startswith(PREFIX)}
    ordered = sorted(sentences, key=lambda code: -len(_VALUE.sub("", sentences[code])))
    return tuple((code, re.compile("".join(_pieces(sentences[code])), re.DOTALL)) for code in ordered)


def _pieces(sentence: str) -> Iterable[str]:
    """Yield a sentence as parts of a pattern: `{name}` is any text, `{name:one|many}` either of two words."""
    done, seen = 0, set[str]()
    for match in _VALUE.finditer(sentence):
        yield re.escape(sentence[done : match.start()])
        name, one, many = match.groups()
        if many is not None:
            yield f"(?:{re.escape(one)}|{re.escape(many)})"
        else:
            # A colon leads from one sentence to another within it.
            yield f"(?P={name})" if name in seen else f"(?P<{name}>{'.' if name == WITHIN else '(?:(?!: ).)'}+?)"
            seen.add(name)
        done = match.end()
    yield re.escape(sentence[done:])
