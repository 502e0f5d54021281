"""Cursors that somebody tampered with: one clear error, never a crash, never a wrong answer."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from backrank.errors import BackrankError
from backrank.geometry.board import Board
from backrank.geometry.pieces import KNIGHT
from backrank.search import Cursor, InvalidCursor, QueensSpace, TourSpace, advance, read_cursor, run, start
from backrank.search.cursor import checksum
from test_engine import searches

CURSOR = advance(start(TourSpace(Board(5), KNIGHT, 0, 24), "fixed:python"), 777)[1]


def signed(data: dict[str, Any]) -> dict[str, Any]:
    """Data with a checksum that fits, as a clever forger would make it."""
    return data | {"checksum": checksum(data)}


def changed(**fields: Any) -> dict[str, Any]:
    return signed(CURSOR.to_dict() | fields)


def test_it_is_an_error_of_input() -> None:
    assert issubclass(InvalidCursor, BackrankError)
    assert issubclass(InvalidCursor, ValueError)
    assert read_cursor(signed(CURSOR.to_dict())) == CURSOR


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (None, "not a cursor"),
        (7, "not a cursor"),
        ([], "not a cursor"),
        ({}, "not a cursor"),
        ("", "not JSON"),
        (b"\xff\xfe", "not JSON"),
        ("[" * 100_000, "not JSON"),
        (CURSOR.to_json()[:-9], "not JSON"),
        (changed(version=2), "version 2; this program reads version 1"),
        (changed(version=True), "version True"),
        (changed(version="1"), "version '1'"),
        (changed(extra=1), "extra"),
        ({key: value for key, value in CURSOR.to_dict().items() if key != "tried"}, "tried"),
        (CURSOR.to_dict() | {"calls": 5}, "checksum"),
        (CURSOR.to_dict() | {"checksum": None}, "checksum"),
        (changed(path=None), "must be lists"),
        (changed(path=[1.0]), "whole number"),
        (changed(path=["a"]), "whole number"),
        (changed(path=[True]), "whole number"),
        (changed(tried=[[]]), "whole number"),
        (changed(done=1), "done true or false"),
        (changed(done=True), "wrong about being done"),
        (changed(calls=-1), "contradict"),
        (changed(calls=2**70), "contradict"),
        (changed(calls="7"), "whole number"),
        (changed(backtracks=0), "contradict"),
        (changed(event=0), "contradict"),
        (changed(deepest=0), "contradict"),
        (changed(deepest=99), "contradict"),
        (changed(tried=[1]), "candidate numbers"),
        (changed(problem=None), "damaged"),
        (changed(problem={}), "damaged"),
        (changed(problem=CURSOR.space.to_dict() | {"kind": "chess"}), "unknown kind"),
        (changed(problem=CURSOR.space.to_dict() | {"start": 25}), "not on the 5x5 board"),
        (changed(problem=CURSOR.space.to_dict() | {"start": 1}), "damaged|path|counters"),
        (changed(problem=CURSOR.space.to_dict() | {"closed": 1}), "closed or not"),
        (changed(problem=CURSOR.space.to_dict() | {"piece": {"name": "knight", "steps": [[1, 0]]}}), "take back"),
        (changed(problem=CURSOR.space.to_dict() | {"board": {"rows": 10**9, "cols": 9, "holes": [], "wrap": "none"}}),
         "at most"),
        (changed(strategy="fixed:nowhere"), "unknown move order"),
        (changed(strategy="fixed:java-a"), "path|candidates"),
        (changed(strategy=None), "another strategy"),
        (changed(strategy=["fixed"]), "damaged"),
    ],
)  # fmt: skip
def test_damage_is_named(data: object, message: str) -> None:
    with pytest.raises(InvalidCursor, match=message) as caught:
        read_cursor(data)
    assert "\n" not in str(caught.value)


def test_owners_are_compared() -> None:
    text = CURSOR.to_json()
    with pytest.raises(InvalidCursor, match="of another problem: knight tour of 5x5 from a5 to e1, not 5 queens"):
        read_cursor(text, space=QueensSpace(Board(5)))
    with pytest.raises(InvalidCursor, match="of another strategy: fixed:python, not warnsdorff"):
        read_cursor(text, strategy="warnsdorff")
    with pytest.raises(InvalidCursor, match="of another problem"):
        read_cursor(text, space=TourSpace(Board(5), KNIGHT, 0, 24, closed=True))


def test_a_path_must_be_legal() -> None:
    data = CURSOR.to_dict()
    for place in range(len(CURSOR.path)):
        for square in (0, 1, 24, 25, -1):
            path = list(CURSOR.path)
            if path[place] == square:
                continue
            path[place] = square
            with pytest.raises(InvalidCursor):
                read_cursor(signed(data | {"path": path}))


def test_counters_of_a_run_without_backtracks_are_exact() -> None:
    cursor = advance(start(TourSpace(Board(5)), "fixed"), 12)[1]
    assert cursor.backtracks == 0
    data = cursor.to_dict()
    forged = data | {"rejects": data["rejects"] + 1, "event": data["event"] + 1}
    with pytest.raises(InvalidCursor, match="do not belong to its path"):
        read_cursor(signed(forged))


def _places(data: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths to all values in nested data."""
    found = [at] if at else []
    keys = data if isinstance(data, dict) else range(len(data)) if isinstance(data, list) else ()
    for key in keys:
        found += _places(data[key], (*at, key))
    return found


VALUES = (
    st.none()
    | st.booleans()
    | st.integers(-3, 30)
    | st.integers()
    | st.floats()
    | st.text(max_size=4)
    | st.lists(st.integers(-2, 9), max_size=4)
    | st.dictionaries(st.text(max_size=3), st.integers(), max_size=2)
)


@given(cursor=searches(max_side=4), count=st.integers(0, 120), data=st.data())
def test_forged_fields_are_refused_or_harmless(cursor: Cursor, count: int, data: st.DataObject) -> None:
    original = advance(cursor, count)[1].to_dict()
    forged = copy.deepcopy(original)
    place = data.draw(st.sampled_from(_places(forged)))
    target: Any = forged
    for key in place[:-1]:
        target = target[key]
    target[place[-1]] = data.draw(VALUES)
    try:
        text = json.dumps(forged)
        again = json.loads(text)
    except ValueError:
        assume(False)
    assume(forged != original)
    with pytest.raises(InvalidCursor):
        read_cursor(again)
    try:
        accepted = read_cursor(signed({key: value for key, value in again.items() if key != "checksum"}))
    except InvalidCursor:
        return
    # A forger who also makes the checksum may tell lies that a search of that kind could have brought about; then it
    # is a legal cursor of some search, and both gears go on from it in the same way.
    rest = [run(accepted, events=200, gear=gear) for gear in ("plain", "kernel")]
    assert rest[0] == rest[1]


@given(text=st.text(max_size=30) | st.binary(max_size=30))
def test_noise_is_refused(text: str | bytes) -> None:
    with pytest.raises(InvalidCursor):
        read_cursor(text)


@given(cut=st.integers(0, len(CURSOR.to_json()) - 1))
def test_truncated_cursors_are_refused(cut: int) -> None:
    with pytest.raises(InvalidCursor):
        read_cursor(CURSOR.to_json()[:cut])
