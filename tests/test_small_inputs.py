"""What comes of an input is bounded by its size: boards, faults, answers and memory, whatever was written."""

from __future__ import annotations

import io
import json
import subprocess
import time
import tracemalloc
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import httpx
import numpy as np
import pytest
from pydantic import ValidationError

import damage
from backrank import Board, KnightTours, Queens
from backrank.errors import BackrankError, BoardTooLarge, InvalidText
from backrank.formats import (
    PLACEMENT_FORMS,
    TOUR_FORMS,
    parse_placements,
    parse_tours,
    read_columns_npy,
    read_tour_npy,
    write_columns_npy,
    write_tour_npy,
)
from backrank.geometry.verify import NAMED_MISSING, FaultKind, tour_faults
from backrank.web.limits import Limits
from backrank.web.workers.context import WorkContext
from backrank.web.workers.tasks import check

pytest_plugins = ["web_server"]

Inside = Callable[..., subprocess.CompletedProcess[str]]

GOLDEN = Path(__file__).parent / "data" / "golden"
MOST_IN_LINE = 1_010
# An answer has at most so many characters, and so many more for each character of the input.
ANSWER, ANSWER_EACH = 100_000, 300
# The same for the memory that reading and checking take at their peak, in bytes.
MEMORY, MEMORY_EACH = 8_000_000, 20_000

SMALL = {
    "coordinates far apart": "(0,0) (99999,99999)",
    "coordinates": "(0,0) (1999,1999)",
    "a name far out": "a1 zz1999",
    "a name beyond": "a1 zzzzzzz999999999",
    "csv": "row,col\n0,0\n1999,1999",
    "csv of both": "name,row,col\na1,99999999,0",
    "json board": '{"board": "2000x2000", "squares": ["a1"]}',
    "json object": '{"board": {"rows": 2000, "cols": 2000}, "squares": ["a1"]}',
    "json pair": '{"board": [2000, 2000], "cells": [[0, 0]]}',
    "json cells": "[[0, 0], [1999, 1999]]",
    "json names": '["a1", "zz1999"]',
}


def sizes(text: str) -> tuple[int, int]:
    """Return how large an answer to an input may be, and the memory that it may take."""
    return ANSWER + ANSWER_EACH * len(text), MEMORY + MEMORY_EACH * len(text)


# --- small inputs, one by one -----------------------------------------------------------------------


@pytest.mark.parametrize("read", [parse_tours, parse_placements])
@pytest.mark.parametrize("text", SMALL.values(), ids=SMALL)
def test_a_board_read_off_a_text_is_in_proportion_to_it(read: Callable[..., Any], text: str) -> None:
    with pytest.raises((BoardTooLarge, InvalidText)):
        read(text)


def test_a_board_that_is_given_may_be_larger() -> None:
    [claim] = parse_tours("(0,0) (1999,1999)", board=Board(2000))
    [fault] = claim.faults()[1:]
    assert fault.message.startswith("3999998 of 4000000 squares are never visited: b2000")
    with pytest.raises(BoardTooLarge, match="--board 2000x2000"):
        parse_tours("(0,0) (1999,1999)")
    assert parse_placements("(0,0) (1999,1998)", board=Board(2000))[0].faults(queens=2) == []


def test_the_usual_boards_are_still_read_off_texts() -> None:
    assert parse_tours("(0,0) (99,99)")[0].board == Board(100)
    assert parse_placements("a1 cv100")[0].board == Board(100)
    assert parse_placements(" ".join(map(str, range(3000))))[0].board == Board(3000)
    tour = KnightTours(120).solve()
    assert tour is not None
    for form in ("names", "coordinates", "csv", "json", "grid"):
        [claim] = parse_tours(tour.text(form))
        assert (claim.board, claim.faults()) == (Board(120), [])


def test_missing_squares_are_counted_and_not_all_named() -> None:
    [*_, missing] = tour_faults(Board(4000), [(0, 0), (1, 2)])
    assert missing.kind == FaultKind.MISSING_SQUARES
    assert missing.message.startswith("15999998 of 16000000 squares are never visited: b4000, c4000, ")
    assert missing.message.endswith(" and 15999986 more")
    assert NAMED_MISSING < len(missing.cells) < NAMED_MISSING + 10
    # All of them, as long as the board is in proportion to the path.
    [fault] = [fault for fault in tour_faults(Board(20), []) if fault.kind == FaultKind.MISSING_SQUARES]
    assert len(fault.cells) == 400


def test_missing_squares_need_no_memory_of_the_size_of_the_board() -> None:
    tracemalloc.start()
    try:
        assert tour_faults(Board(4000), [(0, 0)])
        assert tracemalloc.get_traced_memory()[1] < 2_000_000
    finally:
        tracemalloc.stop()


def test_a_key_that_comes_twice_is_refused() -> None:
    with pytest.raises(InvalidText, match="the key 'squares' twice"):
        parse_tours('{"squares": ["a1", "b3"], "squares": ["b3"]}')


@pytest.mark.parametrize("shape", ["(1000000000000,)", "(1000000, 1000000)", f"({10**4000}, {10**4000})", "(0, 5)"])
def test_a_header_that_promises_much_is_refused(shape: str) -> None:
    header = f"{{'descr': '<i4', 'fortran_order': False, 'shape': {shape}, }}"
    data = b"\x93NUMPY\x02\x00" + (len(header) + 1).to_bytes(4, "little") + header.encode() + b"\n" + bytes(10)
    for read in (read_tour_npy, read_columns_npy):
        with pytest.raises(InvalidText) as caught:
            read(data)
        assert len(str(caught.value)) < MOST_IN_LINE


def test_check_lists_some_faults_and_counts_them_all(inside: Inside) -> None:
    grid = "\n".join(" ".join(["7"] * 60 + ["99999"] * 20) for _ in range(80))
    told = json.loads(inside("check", "tour", "-", "--json", text=grid).stdout)
    assert told["faults_total"] > len(told["faults"]) == 1_000
    told = json.loads(inside("check", "tour", "-", "--json", "--all", text=grid).stdout)
    assert told["faults_total"] == len(told["faults"])


def test_an_answer_of_the_page_tells_so_many_numbers_at_most() -> None:
    holes = list(range(90_000))
    text = json.dumps([{"squares": ["a1"]}] * 50)
    told = check({"kind": "tour", "text": text, "board": "400x400", "holes": holes}, WorkContext(io.StringIO()))
    assert told["total"] == 50
    assert 1 <= len(told["claims"]) <= 3
    told = check({"kind": "tour", "text": text, "board": "8x8"}, WorkContext(io.StringIO()))
    assert len(told["claims"]) == 50


# --- inputs of all forms, damaged ------------------------------------------------------------------


def inputs() -> list[tuple[str, str]]:
    """Return texts in all forms, each with the kind of what it holds."""
    tour, placement = KnightTours(5).solve(), Queens(6).solve()
    assert tour is not None
    assert placement is not None
    texts = [("tour", tour.text(form)) for form in TOUR_FORMS]
    texts += [("queens", placement.text(form)) for form in PLACEMENT_FORMS]
    texts += [("tour", json.dumps({"tours": [json.loads(tour.text("json"))] * 2})), ("tour", "[[1, 2], [3, 4]]")]
    texts += [("tour", "[['1', '4'], ['3', '2']]"), ("queens", "(1, 3, 0, 2)"), ("queens", "[['.Q..', '...Q']]")]
    for file in sorted(GOLDEN.iterdir()):
        texts.append(("queens" if "queens" in file.name else "tour", file.read_text(encoding="utf-8")[:600]))
    return texts


PIECES = (
    *(
        "0",
        "-1",
        "99999",
        "9" * 12,
        "9" * 18,
        "9" * 25,
        "9" * 5000,
        "1e999",
        "NaN",
        "Infinity",
        "-0",
        "+3",
        "1_0",
        "1.0",
    ),
    *(
        "(99999,0)",
        "(0,0) (1999,1999)",
        "zzzzzz999999",
        "zz99",
        "a0",
        "[",
        "]",
        "{",
        "}",
        "[[[[",
        '"',
        ",",
        ";",
        "|",
        "#",
        "\n",
    ),
    *(
        "\n\n",
        "\x00",
        "\x1b[2J",
        "\u202e",
        "\ud800",
        "\ufeff",
        "²",
        "٣",
        "３",
        "字",
        "♛",
        "step,row,col,name\n",
        '"board": "2000x2000",',
    ),
    *('"squares": [],', '"rows": 99999,', "null", "true", "[" * 2000, "a1 " * 50),
)
DIGITS = (str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩"), str.maketrans("0123456789", "０１２３４５６７８９"))


def mutated(text: str, others: Sequence[tuple[str, str]], rng: Random) -> str:
    """Return a text with one to three changes."""
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(text) + 1)
        to = min(len(text), at + rng.choice((1, 1, 3, 10, 100)))
        what = rng.randrange(8)
        if what == 0:
            text = text[:at] + chr(rng.choice((rng.randrange(32, 127), rng.randrange(0x2600)))) + text[at + 1 :]
        elif what == 1:
            text = text[:at]
        elif what in (2, 3):
            text = text[:at] + rng.choice(PIECES) + text[to if what == 3 else at :]
        elif what == 4:
            text = text[:to] + text[at:to] * rng.randint(1, 20) + text[to:]
        elif what == 5:
            other = rng.choice(others)[1]
            text = text[:at] + other[rng.randrange(len(other)) :]
        elif what == 6:
            text = text[:at] + text[at:to].translate(rng.choice(DIGITS)) + text[to:]
        else:
            text = text[:at] + text[to:]
    return text


def read_bounded(kind: str, text: str) -> None:
    """Read and check a text by the library, in bounded memory."""
    problem, most = "", sizes(text)[1]
    tracemalloc.start()
    try:
        for claim in (parse_tours if kind == "tour" else parse_placements)(text):
            claim.faults()
    except BackrankError as error:
        problem = str(error)
    finally:
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert peak <= most
    assert problem.isprintable()
    assert len(problem) < MOST_IN_LINE


def answered_bounded(kind: str, text: str, rng: Random) -> None:
    """Check a text as the page has it checked."""
    more: dict[str, Any] = rng.choice(({}, {"board": "9x9"}, {"board": "500x500"}, {"facts": True}, {"closed": True}))
    if kind == "queens":
        more = {key: value for key, value in more.items() if key == "board"}
    told, problem = None, ""
    try:
        told = check({"kind": kind, "text": text, **more}, WorkContext(io.StringIO()))
    except BackrankError as error:
        problem = str(error)
    except ValidationError:
        return  # a text with half a character: the server refuses it by the same check
    assert len(problem) < MOST_IN_LINE
    assert len(json.dumps(told)) <= sizes(text)[0]


def checked_bounded(inside: Inside, kind: str, text: str, *options: str) -> None:
    """Check a text by the command."""
    done = inside("check", kind, "-", *options, text=text.encode("utf-8", "surrogatepass"))
    assert done.returncode in (0, 1, 2)
    assert len(done.stdout) <= sizes(text)[0]
    assert "\x1b" not in done.stdout + done.stderr
    if done.returncode == 2:
        assert done.stderr.startswith("backrank: ")
        assert done.stderr.count("\n") == 1
        assert len(done.stderr) < MOST_IN_LINE


def attack(inside: Inside, number: int, seed: int) -> None:
    """Read, check and answer so many damaged texts."""
    rng, texts = Random(seed), inputs()  # noqa: S311 - nothing secret
    for _ in range(number):
        kind, text = rng.choice(texts)
        if rng.random() < 0.05:
            kind = "queens" if kind == "tour" else "tour"
        text = mutated(text, texts, rng)
        began = time.monotonic()
        try:
            read_bounded(kind, text)
            answered_bounded(kind, text, rng)
            if rng.random() < 0.15:
                checked_bounded(inside, kind, text, *rng.choice(((), ("--json",), ("--board", "9x9"), ("--all",))))
        except BaseException as error:
            error.add_note(f"{kind}: {text[:2000]!r}")
            raise
        assert time.monotonic() - began < 20, text


def test_damaged_texts_are_answered_within_bounds(inside: Inside) -> None:
    attack(inside, 250, 1)


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(2, 12))
def test_ten_thousand_damaged_texts_are_answered_within_bounds(inside: Inside, seed: int) -> None:
    attack(inside, 1_000, seed)


def arrays() -> list[bytes]:
    """Return NumPy files."""
    files = [io.BytesIO() for _ in range(3)]
    tour = KnightTours(5).solve()
    assert tour is not None
    write_tour_npy(files[0], Board(5), tour.squares)
    write_columns_npy(files[1], np.array([1, 3, 0, 2]))
    np.save(files[2], np.arange(1, 13, dtype=np.int64).reshape(3, 4))
    return [file.getvalue() for file in files]


def attack_arrays(number: int, seed: int, folder: Path) -> None:
    """Read so many damaged NumPy files."""
    rng, files, path = Random(seed), arrays(), folder / "damaged.npy"  # noqa: S311 - nothing secret
    for _ in range(number):
        path.write_bytes(rng.choice(files))
        done = damage.damage(path, rng)
        data = path.read_bytes()
        for read in (read_tour_npy, read_columns_npy):
            problem = ""
            try:
                read(data)
            except BackrankError as error:
                problem = str(error)
            assert len(problem) < MOST_IN_LINE, done


def test_damaged_arrays_are_refused_in_one_line(tmp_path: Path) -> None:
    attack_arrays(300, 1, tmp_path)


@pytest.mark.deep
def test_many_damaged_arrays_are_refused_in_one_line(tmp_path: Path) -> None:
    attack_arrays(10_000, 2, tmp_path)


# --- the server ------------------------------------------------------------------------------------

ODD: tuple[Any, ...] = (
    0,
    -1,
    1,
    2**31,
    2**63,
    2**64,
    10**40,
    1.5,
    True,
    None,
    "7",
    "x" * 500,
    "\x1b[2J",
    [],
    {},
    [1] * 50,
    ["a1"],
    "1" * 4000,
)
BODIES: dict[str, dict[str, Any]] = {
    "solve": {"puzzle": {"kind": "tour", "board": "5x5"}, "strategy": "auto", "seed": 1, "seconds": 0.5, "calls": 1000},
    "check": {"kind": "tour", "text": "a1 b3", "board": "5x5", "holes": [], "wrap": "none", "start": "a1", "queens": 4},
    "play/tour": {"puzzle": {"kind": "tour", "board": "5x5", "holes": ["a1"]}, "path": ["b3"]},
    "play/queens": {"puzzle": {"kind": "queens", "board": "5x5", "queens": 5}, "queens": ["b3"]},
    "play/queens/outlook": {"puzzle": {"kind": "queens", "board": "5x5"}, "queens": ["b3"], "seconds": 0.5},
    "export": {"puzzle": {"kind": "queens", "board": "4x4"}, "squares": ["a1"], "form": "png", "size": 100},
    "watch/moment": {"run": {"puzzle": {"kind": "queens", "board": "4x4"}}, "event": 3, "levels": 9},
    "watch/window": {"run": {"puzzle": {"kind": "queens", "board": "4x4"}}, "first": 0, "count": 9},
    "board": {"puzzle": {"kind": "tour", "board": "5x5", "wrap": "none", "piece": "knight", "start": 0}},
}


def fields(body: dict[str, Any], path: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    """Return the places of all fields of a body."""
    found = []
    for key, value in body.items():
        found.append((*path, key))
        if isinstance(value, dict):
            found += fields(value, (*path, key))
    return found


def with_field(body: dict[str, Any], path: tuple[str, ...], value: Any) -> dict[str, Any]:
    """Return a body with another value at some place."""
    key, *rest = path
    return {**body, key: with_field(body[key], tuple(rest), value) if rest else value}


@pytest.mark.parametrize("route", BODIES)
def test_odd_values_of_fields_are_problems_of_one_short_line(client: httpx.Client, route: str) -> None:
    body, rng = BODIES[route], Random(route)  # noqa: S311 - nothing secret
    places = fields(body)
    cases = [with_field(body, place, value) for place in places for value in rng.sample(ODD, 4)]
    cases += [{**body, "x" * 50_000: 1}, {**body, "\x1b[2J": 1}]
    for asked in cases:
        answer = client.post(f"/api/{route}", json=asked)
        assert answer.status_code in (200, 422, 504), (route, asked, answer.text[:500])
        assert len(answer.content) < 200_000
        if answer.status_code == 422:
            told = answer.json()
            assert told["detail"].isprintable()
            assert len(told["detail"]) < MOST_IN_LINE
            assert len(answer.content) < 8_000


@pytest.mark.parametrize("text", SMALL.values(), ids=SMALL)
def test_the_page_gives_a_small_answer_to_a_small_text(client: httpx.Client, text: str) -> None:
    for kind in ("tour", "queens"):
        for board in ({}, {"board": "500x500"}):
            answer = client.post("/api/check", json={"kind": kind, "text": text, **board})
            assert answer.status_code in (200, 422)
            assert len(answer.content) < 20_000


def test_an_address_is_repeated_in_part(client: httpx.Client) -> None:
    answer = client.get("/api/" + "x" * 5_000)
    assert answer.status_code == 404
    assert len(answer.content) < 1_500
    assert Limits().told_entries >= Limits().faults
