"""The run that an animated page carries, read back."""

from __future__ import annotations

import json
import re
from base64 import b64decode
from collections.abc import Iterator

from backrank.render.runs import _ENTER, _LEAVE, _REJECT, KINDS, EncodedRun, Row


def decode_run(run: EncodedRun) -> Iterator[Row]:
    """Yield the events of an encoded run."""
    numbers = _numbers(b64decode(run.code))
    stack: list[int] = []
    for number in numbers:
        square, code = divmod(number, 4)
        why = ""
        if code == _ENTER:
            stack.append(square)
        elif code == _LEAVE:
            square = stack.pop()
        elif code == _REJECT:
            why = run.reasons[next(numbers)]
        else:
            square = stack[-1] if stack else -1
        yield KINDS[code], square, len(stack), why


def read_run(page: str) -> EncodedRun:
    """Return the run that a page carries."""
    match = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    if match is None:
        raise ValueError("this is no page that backrank made: it carries no run")
    return EncodedRun(**json.loads(match[1])["run"])


def _numbers(data: bytes) -> Iterator[int]:
    number = shift = 0
    for byte in data:
        number |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            yield number
            number = shift = 0
