"""Messages: input is quoted in part, without control characters; a message is one line of bounded length."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from subprocess import CompletedProcess
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backrank import Board, KnightTours, Queens
from backrank.errors import BackrankError, InvalidText, UnknownName, counted, one_line, shown, visible, whole
from backrank.formats import format_tour, parse_placements, parse_tours
from backrank.geometry.board import parse_square_list
from backrank.geometry.pieces import leaper, piece_named
from backrank.geometry.verify import grid_faults, queens_faults, tour_faults
from backrank.runtime.budget import Budget
from backrank.search import trace

MOST = 1_000
ESCAPE = "\x1b]0;title\x07\x9b2J\u202e\u2028"
LONG = ("x" * 100_000, ESCAPE * 5_000, "字" * 50_000, "a b " * 30_000, "9" * 5_000, "'\"\\" * 9_000)
WRONG: dict[str, Any] = {
    "huge": 10**40,
    "unprintable": 10**5000,
    "far below": -(10**5000),
    "beyond 64 bits": 2**64,
    "beyond signed": 2**63,
    "negative": -1,
    "zero": 0,
    "bool": True,
    "float": 1.5,
    "nan": float("nan"),
    "inf": float("inf"),
    "numeric": "7",
    "list": [],
    "object": object(),
    "long": "x" * 100_000,
}


@given(st.text(), st.integers(4, 80))
def test_what_is_shown_is_short_and_printable(text: str, most: int) -> None:
    for written in (shown(text * 50, most), visible(text * 50, most), one_line(text * 50, most)):
        assert written.isprintable()
        assert len(written) <= 2 * most + 2  # quotes and backslashes are written with another one before them
    assert len(visible(text * 50, most)) <= most


def test_short_texts_are_shown_whole() -> None:
    assert shown("c3") == "'c3'"
    assert visible("tour.txt") == "tour.txt"
    assert visible("/".join(["folder"] * 10)) == "/".join(["folder"] * 10)
    assert shown(["a1", (0, 1)]) == "['a1', (0, 1)]"
    assert shown("a" * 70 + "z" * 30).startswith("'aaaa")
    assert shown("a" * 70 + "z" * 30).endswith("zzzz'")
    assert counted(-(10**50)) == "-10^40 or less"


def test_a_repr_that_fails_is_no_second_error() -> None:
    class Broken:
        def __repr__(self) -> str:
            raise RuntimeError

    assert "Broken" in shown(Broken())
    assert shown([10**5000])


def test_errors_are_one_bounded_line_and_survive_pickling() -> None:
    for text in LONG:
        for error in (InvalidText(f"{text} is wrong"), UnknownName("piece", text, ("knight", "camel"))):
            again = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own
            assert str(again) == str(error)
            assert str(error).isprintable()
            assert len(str(error)) <= MOST
    assert str(InvalidText("two\nlines")) == "two lines"


@pytest.mark.parametrize("least", [0, 1])
def test_whole_numbers(least: int) -> None:
    assert whole(least, "it", least, 9) == least
    for wrong in (least - 1, 10, 10**5000, 1.0, True, "1", None):
        with pytest.raises(BackrankError, match="it must be a whole number from"):
            whole(wrong, "it", least, 9)


READERS: dict[str, Callable[[str], object]] = {
    "tours": parse_tours,
    "placements": parse_placements,
    "names": lambda text: parse_tours(text, form="names"),
    "coordinates": lambda text: parse_tours(text, form="coordinates"),
    "grid": lambda text: parse_tours(f"1 2 {text}", form="grid"),
    "columns": lambda text: parse_placements(text, form="columns"),
    "csv": lambda text: parse_tours(f"step,name\n1,{text}"),
    "json": lambda text: parse_tours(f'{{"{text}": 1, "squares": ["{text}"]}}'),
    "json key": lambda text: parse_tours(f'{{"{text}": 1, "{text}": 2}}'),
    "json piece": lambda text: parse_tours(f'{{"squares": ["a1"], "piece": "{text}"}}'),
    "json wrap": lambda text: parse_tours(f'{{"squares": ["a1"], "board": {{"rows": 3, "wrap": "{text}"}}}}'),
    "json kind": lambda text: parse_placements(f'{{"kind": "{text}"}}'),
    "form": lambda text: parse_tours("a1", form=text),
    "format": lambda text: format_tour(Board(3), [0], text),
    "board": Board.parse,
    "map": Board.from_map,
    "square": Board(8).square,
    "holes": lambda text: Board(8, holes=[text]),
    "wrap": lambda text: Board(8, wrap=text),
    "piece": piece_named,
    "strategy": lambda text: KnightTours(5, start=0).search(strategy=text),
    "order": lambda text: KnightTours(5, start=0).search(order=text),
    "method": lambda text: KnightTours(5).count(method=text),
    "symmetry": lambda text: Queens(4).count(symmetry=text),
}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("number", range(len(LONG)))
def test_no_error_repeats_long_input(reader: str, number: int) -> None:
    text = LONG[number]
    try:
        READERS[reader](text)
    except BackrankError as error:
        line = str(error)
        assert line.isprintable()
        assert len(line) <= MOST
        for part in ("x" * 201, "9" * 201, "字" * 201):
            assert part not in line


CALLS: dict[str, Callable[[Any], object]] = {
    "rows": Board,
    "cols": lambda value: Board(3, value),
    "holes": lambda value: Board(3, holes=value),
    "hole": lambda value: Board(3, holes=[value]),
    "square": lambda value: Board(3).square(value),
    "row": lambda value: Board(3).square((value, 0)),
    "in a board": lambda value: value in Board(3),
    "leaper": lambda value: leaper(value, 1),
    "tours": KnightTours,
    "start": lambda value: KnightTours(5, start=value),
    "closed": lambda value: KnightTours(5, closed=value),
    "piece": lambda value: KnightTours(5, piece=value),
    "solve rng": lambda value: KnightTours(3, 4).solve(rng=value),
    "strategy": lambda value: KnightTours(3, 4).search(strategy=value),
    "order": lambda value: KnightTours(3, 4).search(order=value),
    "sample": lambda value: KnightTours(3, 4).sample(value),
    "unrank": lambda value: KnightTours(3, 4).unrank(value),
    "iter_from": lambda value: next(iter(KnightTours(3, 4).iter_from(value))),
    "rank": lambda value: KnightTours(3, 4).rank(value),
    "completions": lambda value: KnightTours(3, 4).completions(value),
    "memory": lambda value: KnightTours(3, 4).count(memory=value),
    "threads": lambda value: KnightTours(3, 4).count(threads=value),
    "tour symmetry": lambda value: KnightTours(4).count(symmetry=value),
    "runs": lambda value: KnightTours(4).estimate(runs=value, budget=Budget(seconds=5)),
    "states": lambda value: KnightTours(4).estimate(states=value, budget=Budget(seconds=5)),
    "tour": KnightTours(3, 4).tour,
    "tour squares": lambda value: KnightTours(3, 4).tour([value]),
    "in tours": lambda value: value in KnightTours(3, 4),
    "queens": lambda value: Queens(4, queens=value).count(budget=Budget(seconds=5)),
    "queens rows": Queens,
    "queens piece": lambda value: Queens(4, piece=value),
    "placed": lambda value: Queens(4, placed=value),
    "queens rng": lambda value: Queens(4).solve(rng=value),
    "queens sample": lambda value: Queens(4).sample(value),
    "queens symmetry": lambda value: Queens(4).count(symmetry=value),
    "placement": Queens(4).placement,
    "chunk": lambda value: next(iter(Queens(6).iter_arrays(chunk=value))),
    "seconds": lambda value: Budget(seconds=value),
    "calls": lambda value: Budget(calls=value),
    "tour cells": lambda value: tour_faults(Board(3), [(value, 0)]),
    "grid": lambda value: grid_faults(Board(1, 3), [[value, 1, 2]]),
    "grid first": lambda value: grid_faults(Board(1, 3), [[3, 1, 2]], first=value),
    "queens cells": lambda value: queens_faults(Board(3), [(value, 0)]),
    "queens wanted": lambda value: queens_faults(Board(3), [], queens=value),
    "text": parse_tours,
    "placements": parse_placements,
    "page": lambda value: trace(KnightTours(3, 4, start=0), "warnsdorff").html(events=value),
}


@pytest.mark.parametrize("call", CALLS)
def test_any_value_of_a_parameter_is_taken_or_refused_in_one_line(call: str) -> None:
    for name, value in WRONG.items():
        problem = ""
        try:
            CALLS[call](value)
        except BackrankError as error:
            problem = str(error)
        assert problem.isprintable(), name
        assert len(problem) <= 400, name


def test_lists_of_squares_take_linear_time() -> None:
    assert parse_square_list("c3" + " " * 100_000 + "d4") == ["c3", "d4"]
    with pytest.raises(UnknownName):
        piece_named(" " * 100_000 + "x")


@pytest.mark.parametrize(
    "words",
    [
        ["--" + "x" * 9_000],
        ["solve", "tour", "--" + ESCAPE * 100],
        ["x" * 9_000],
        ["solve", "x" * 9_000],
        ["solve", "tour", "x" * 9_000],
        ["solve", "tour", "@" + "x" * 9_000],
        ["solve", "tour", "8x8", "--seed", "x" * 9_000],
        ["solve", "tour", "8x8", "--seed=" + "a b " * 3_000],
        ["solve", "tour", "8x8", "--closed=" + "x" * 9_000],
        ["solve", "tour", "8x8", "--strategy", ESCAPE * 100],
        ["solve", "tour", "8x8", "-o", "x" * 9_000],
        ["solve", "tour", "8x8", "-o", ESCAPE.replace("\x07", "/") * 10],
        ["solve", "tour", "8x8", "--save", "y/" * 2_000],
        ["check", "tour", "x" * 9_000],
        ["check", "tour", ESCAPE],
        ["check", "tour", "-", "--format", "x" * 9_000],
        ["check", "tour", "-", "--piece", "x" * 9_000],
        ["check", "queens", "-", "--piece", ESCAPE * 50],
        ["draw", "tour", "-", "-o", "x" * 200 + ".xyz" * 40],
        ["draw", "tour", "-", "--language", "x" * 9_000],
        ["jobs", "show", "x" * 9_000],
        ["serve", "--port", "x" * 9_000],
        ["serve", "--port", str(2**64)],
        ["bench", "--time-limit", "x" * 9_000],
        ["bench", "--time-limit", "nan"],
        ["bench", "--only", "x" * 9_000],
        ["bench", "--cases", "x" * 9_000],
    ],
    ids=lambda words: " ".join(words)[:40],
)
def test_the_command_line_repeats_no_long_word_and_no_escape(
    inside: Callable[..., CompletedProcess[str]], words: list[str]
) -> None:
    done = inside(*words, text="a1 b3")
    assert done.returncode in (1, 2)
    line = done.stderr.removesuffix("\n")
    assert line.isprintable()
    assert line.startswith("backrank: ")
    assert len(line) <= MOST + len("backrank: ")
    assert "x" * 201 not in line
