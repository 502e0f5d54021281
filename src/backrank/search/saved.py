"""Reading a cursor that somebody kept: everything that can be checked is checked, and one error says what is wrong.

A checksum finds what was damaged by accident; it is no signature. So the rest is checked as if it were hostile:
every square of the path must be the candidate that the strategy lists at that place, and a legal one; no more
candidates may have been tried than there are; and the counters must be possible for such a path. Where nothing has
been taken back yet they must be exactly those of the path.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from backrank.errors import BackrankError, shown
from backrank.search.cursor import FORMAT, VERSION, Cursor, InvalidCursor, checksum
from backrank.search.machine import walk
from backrank.search.spaces import Searchable, Space, as_space, space_from_dict, whole
from backrank.search.strategies.names import Strategy, as_strategy
from backrank.search.strategies.queens import QueensStrategy
from backrank.search.strategies.tours import TourStrategy

AnyStrategy = str | Strategy | TourStrategy | QueensStrategy

MAX_COUNT = 2**62
_COUNTERS = ("calls", "backtracks", "rejects", "solutions", "deepest", "event")
_FIELDS = {"format", "version", "problem", "strategy", "path", "tried", "done", "checksum", *_COUNTERS}


def read_cursor(
    saved: object, *, space: Space | Searchable | None = None, strategy: AnyStrategy | None = None
) -> Cursor:
    """Return the cursor that :meth:`Cursor.to_json` or :meth:`Cursor.to_dict` wrote down.

    Parameters
    ----------
    saved : str, bytes or mapping
        The JSON text, or what came out of it; anything else is refused like any other damage.
    space, strategy : optional
        What the cursor must belong to. The strategy is needed if it is not in the table of names.

    Raises
    ------
    InvalidCursor
        If anything is wrong with it: its form, version, checksum, a square, a counter, or its owner.

    Examples
    --------
    >>> read_cursor('{"format": "backrank-cur')
    Traceback (most recent call last):
    backrank.search.cursor.InvalidCursor: the cursor is not JSON; it may have been cut off
    """
    if isinstance(saved, (str, bytes, bytearray)):
        try:
            saved = json.loads(saved)
        except (ValueError, RecursionError):
            raise InvalidCursor("the cursor is not JSON; it may have been cut off") from None
    try:
        return _read(_checked_form(saved), None if space is None else as_space(space), strategy)
    except InvalidCursor:
        raise
    except (
        BackrankError,
        ArithmeticError,
        LookupError,
        TypeError,
        ValueError,
        AttributeError,
        RecursionError,
    ) as error:
        raise InvalidCursor(f"the cursor is damaged: {error}") from None


def _checked_form(data: object) -> Mapping[str, Any]:
    """Refuse what is not a whole cursor of this version, whatever its fields hold."""
    if not isinstance(data, Mapping) or data.get("format") != FORMAT:
        raise InvalidCursor(f"this is not a cursor: it lacks the mark {shown(FORMAT)}")
    if data.get("version") is True or data.get("version") != VERSION:
        raise InvalidCursor(
            f"the cursor is of version {shown(data.get('version'))}; this program reads version {VERSION}"
        )
    if data.keys() != _FIELDS:
        wrong = ", ".join(sorted(map(str, data.keys() ^ _FIELDS)))
        raise InvalidCursor(f"the cursor lacks fields, or has more than it should: {wrong}")
    if data["checksum"] != checksum(data):
        raise InvalidCursor("the cursor's checksum does not fit: it was changed or cut off")
    if not isinstance(data["path"], list) or not isinstance(data["tried"], list) or not isinstance(data["done"], bool):
        raise InvalidCursor("the cursor's path and tried must be lists, and done true or false")
    return data


def _read(data: Mapping[str, Any], space: Space | None, strategy: AnyStrategy | None) -> Cursor:
    own = space_from_dict(data["problem"])
    if space is not None and space != own:
        raise InvalidCursor(f"the cursor is of another problem: {own}, not {space}")
    rule = as_strategy(data["strategy"] if strategy is None else strategy, own)
    if rule.name != data["strategy"]:
        raise InvalidCursor(f"the cursor is of another strategy: {data['strategy']}, not {rule.name}")
    path, tried = (tuple(map(whole, data[field])) for field in ("path", "tried"))
    count = {name: whole(data[name]) for name in _COUNTERS}
    cursor = Cursor(
        own, rule, path, tried, count["calls"], count["rejects"], count["solutions"], count["deepest"], data["done"]
    )
    depth, total = len(path), own.total
    possible = (
        all(0 <= number < MAX_COUNT for number in count.values())
        and count["backtracks"] == cursor.backtracks
        and count["event"] == cursor.event
        and depth <= cursor.deepest <= min(total, cursor.calls)
        and (cursor.deepest > 0) == (cursor.calls > 0)
        and cursor.solutions <= cursor.calls
        and (cursor.solutions == 0 or cursor.deepest == total)
    )
    if not possible:
        raise InvalidCursor("the cursor's counters contradict each other")
    if len(tried) != depth + 1:
        raise InvalidCursor(f"the cursor has {len(tried)} candidate numbers for a path of {depth} squares")
    _walk(cursor)
    return cursor


def _walk(cursor: Cursor) -> None:
    """Go along the path again, and compare every candidate and every counter with what must have happened."""
    calls = rejects = solutions = 0
    for depth, machine in enumerate(walk(cursor)):
        tried, level = cursor.tried[depth], machine.level()
        onward = depth < len(cursor.path)
        if not onward <= tried <= len(level):
            raise InvalidCursor(f"the cursor has tried {tried} of {len(level)} candidates at depth {depth}")
        if onward and level[tried - 1] != cursor.path[depth]:
            raise InvalidCursor(f"the cursor's path is not where its candidates lead, at depth {depth}")
        full = depth == machine.total
        reasons = [machine.verdict() if full else machine.judge(square) for square in level[:tried]]
        if onward and reasons[-1] is not None:
            raise InvalidCursor(f"the cursor's path breaks the rules at depth {depth}")
        accepted = reasons.count(None)
        rejects += tried - accepted
        solutions += accepted if full else 0
        calls += 0 if full else accepted
        if not depth and cursor.done != (not cursor.path and tried == len(level)):
            raise InvalidCursor("the cursor is wrong about being done")
    least, claimed = (calls, rejects, solutions), (cursor.calls, cursor.rejects, cursor.solutions)
    # Squares accepted but not on the path were left again, after nobody knows how much; without any, all is known.
    known = calls == len(cursor.path)
    if least != claimed if known else any(low > count for low, count in zip(least, claimed, strict=True)):
        raise InvalidCursor("the cursor's counters do not belong to its path")
