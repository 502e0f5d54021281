"""What the server says in other languages: every sentence that has a code is the library's own, and is translated."""

from __future__ import annotations

import importlib
import inspect
import json
import pkgutil
import random
import re
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import httpx
import pytest

import backrank
from backrank import Board, KnightTours, Queens, parse_placements, parse_tours
from backrank.errors import BackrankError
from backrank.geometry.pieces import KNIGHT
from backrank.search import parse_strategy
from backrank.tours.solve import stages as solve
from backrank.tours.spec import TourSpec
from backrank.tours.theorems import forced
from backrank.web.problems import INVALID, STATUS, problem
from backrank.web.sayings import codes, said, with_code
from backrank.web.workers import outlooks as web_outlooks
from web_asking import QUEENS, TOUR, ask

pytest_plugins = ["web_server"]

TEXTS = Path(backrank.__file__).parent / "web" / "static" / "texts"
LANGUAGES = ("en", "zh-Hans", "zh-Hant")
# No small board is known on which it comes to these; they are looked for in the source.
WRITTEN = {
    "no-choice": solve,
    "three-ends": forced,
    "all-need": forced,
    "all-need-end": forced,
    "counted-on": web_outlooks,
}


def catalogue(language: str) -> dict[str, str]:
    texts: dict[str, str] = json.loads((TEXTS / f"{language}.json").read_text(encoding="utf-8"))
    return texts


def error_of(work: Callable[[], Any]) -> str:
    """What an error says."""
    with pytest.raises(BackrankError) as caught:
        work()
    return str(caught.value)


def existences() -> Iterator[str]:
    """Why there are tours, or none, on plain boards of every shape, with ends and without."""
    dice = random.Random(3)  # noqa: S311 - boards, not secrets
    for rows in range(1, 8):
        for cols in range(1, 12):
            for closed in (False, True):
                yield KnightTours(rows, cols, closed=closed).existence().reason
                for _ in range(10):
                    start, end = dice.randrange(rows * cols), dice.randrange(rows * cols)
                    if start != end:
                        yield KnightTours(rows, cols, closed=closed, start=start, end=end).existence().reason
                    yield KnightTours(rows, cols, closed=closed, start=start).existence().reason
    yield KnightTours(3, 9, start="c3", end="c1").existence().reason
    yield KnightTours(3, 4, holes=["b1"]).existence().reason


def holed() -> Iterator[str]:
    """The same of boards with holes, glued edges and other pieces, as far as can be told without a search."""
    dice = random.Random(5)  # noqa: S311 - boards, not secrets
    for _ in range(1500):
        rows, cols = dice.randint(3, 7), dice.randint(3, 8)
        holes = dice.sample(range(rows * cols), dice.randint(0, min(9, rows * cols - 3)))
        board = Board(rows, cols, holes=holes, wrap=dice.choice(["none", "none", "cylinder", "torus"]))
        piece = dice.choice(["knight", "knight", "camel", "zebra", "king", "wazir", "alfil"])
        start, end = dice.choice([None, *board]), dice.choice([None, *board])
        if start == end or dice.random() < 0.5:
            end = None
        closed = end is None and dice.random() < 0.5
        tours = KnightTours(board, piece=piece, closed=closed, start=start, end=end)
        yield tours.existence().reason
        if len(board) >= 3:
            yield forced.useful_moves(TourSpec(board, tours.piece, closed, start, end))[1] or ""


def searches() -> Iterator[str]:
    """What comes of searches."""
    yield KnightTours(4, 8, wrap="cylinder", start=7, end=9).search().reason
    yield KnightTours(12, piece="zebra", closed=True).search().reason
    yield Queens(4, holes=[1, 2]).search(strategy="rows").reason
    yield Queens(8).search().reason


def queens() -> Iterator[str]:
    """Why queens do not fit."""
    for rows in range(1, 8):
        for wrap in ("none", "cylinder", "torus"):
            for wanted in (3, 9):
                yield Queens(Board(rows, 6, wrap=wrap), queens=wanted).existence().reason
            yield Queens(Board(rows, wrap=wrap)).existence().reason
    for puzzle in (
        Queens(8),
        Queens(7, wrap="torus"),
        Queens(4, queens=0),
        Queens(4, queens=1),
        Queens(1, placed=["a1"]),
    ):
        yield puzzle.existence().reason
    yield Queens(4, holes=["a1", "b1", "c1", "d1"]).existence().reason
    yield Queens(Board(3, 3, holes=range(7)), queens=3).existence().reason


ERRORS: tuple[Callable[[], Any], ...] = (
    lambda: KnightTours(8, start="a1", end="a1"),
    lambda: KnightTours(8, closed=True, end="a1"),
    lambda: KnightTours(8, piece="queen"),
    lambda: KnightTours(8, piece="0,0"),
    lambda: KnightTours(8, piece="unicorn"),
    lambda: KnightTours("8y8"),
    lambda: KnightTours("0x3"),
    lambda: KnightTours(2, holes=range(4)),
    lambda: KnightTours(8, holes=["z9"]),
    lambda: KnightTours(8, start="c3", holes=["c3"]),
    lambda: KnightTours(8, closed=True, start="a1", end="77"),
    lambda: KnightTours(8, start=64),
    lambda: Board(8).require_at_most(9, "solving"),
    lambda: KnightTours(2000, piece="zebra").solve(),
    lambda: KnightTours(30).count(),
    lambda: KnightTours(11, 12).count(),
    lambda: KnightTours(8).tour([0, 1]),
    lambda: Queens(8, piece="amazon").search_space(),
    lambda: Queens(8, queens=5).search(strategy="fewest-first"),
    lambda: Queens(8).count(symmetry="90", up_to_symmetry=True),
    lambda: parse_strategy("fixed:1234", "tour").piece(KNIGHT),
    lambda: parse_strategy("fixed:-2,1 -1,2", "tour").piece(KNIGHT),
    lambda: parse_strategy("fixed:-2,1 up", "tour").piece(KNIGHT),
    lambda: parse_strategy("random:x", "tour"),
    lambda: parse_strategy("random:9999999999999999999", "tour"),
    lambda: parse_strategy("fixed:python", "tour").piece(KnightTours(8, piece="king").piece),
    lambda: parse_tours(""),
    lambda: parse_tours("# nothing"),
    lambda: parse_tours("hello"),
    lambda: parse_tours("1 2\n3"),
    lambda: parse_tours(". .\n. ."),
    lambda: parse_tours("a1 b"),
    lambda: parse_tours('{"squares": ['),
    lambda: parse_tours("{}"),
    lambda: parse_placements("hello"),
    lambda: parse_placements("Q..\n.Q"),
    lambda: parse_placements("{}"),
)


def notes() -> Iterator[str]:
    """What is assumed when a text is read."""
    tour = KnightTours(5).solve()
    assert tour is not None
    yield from parse_tours(tour.text("json"), board=Board(5, 6))[0].notes
    for text in ("0 3 6 9\n7 10 1 4\n2 5 8 11", "a1 b3 c1"):
        yield from parse_tours(text)[0].notes
    for text in ("Q..\n..Q\n...", "0 2 4 1 3", "(1,1) (2,3) (3,5) (4,2) (5,4)"):
        yield from parse_placements(text)[0].notes


def outlooks(client: httpx.Client) -> Iterator[str]:
    """What is said of positions by hand."""
    small, round_trip = {**TOUR, "board": "3x4"}, {**TOUR, "board": "5x6", "closed": True}
    tour = KnightTours(3, 4).solve()
    assert tour is not None
    walk = list(tour.squares)
    cases: list[tuple[str, dict[str, Any]]] = [
        ("tour", {"puzzle": small, "path": walk}),
        ("tour", {"puzzle": {**small, "end": walk[3], "start": walk[0]}, "path": walk}),
        ("tour", {"puzzle": small, "path": walk[:-1]}),
        ("tour", {"puzzle": round_trip, "path": ["a1", "b3", "d4", "c2"], "moves": False}),
        ("tour", {"puzzle": {**small, "start": "a1"}, "path": ["b1"]}),
        ("tour", {"puzzle": {**TOUR, "board": "3x3"}, "path": ["a1", "b3", "c1", "a2", "c3", "b1", "a3", "c2"]}),
        ("queens", {"puzzle": QUEENS, "queens": []}),
        ("queens", {"puzzle": QUEENS, "queens": [], "ways": False}),
        ("queens", {"puzzle": {**QUEENS, "board": "6x6"}, "queens": ["a1"]}),
        ("queens", {"puzzle": {**QUEENS, "queens": 1}, "queens": ["a1", "b3"]}),
    ]
    for kind, body in cases:
        yield ask(client, f"play/{kind}/outlook", body)["reason"]
    for path in (["a1", "b1"], ["a1", "b3", "a1"]):
        yield ask(client, "play/tour/outlook", {"puzzle": TOUR, "path": path}, INVALID)["detail"]
    drawn = {"puzzle": {**TOUR, "board": "300x300"}, "squares": [], "form": "svg"}
    yield ask(client, "export", drawn, INVALID)["detail"]


def within(text: str) -> set[str]:
    """The codes of a sentence and of those in it."""
    found = said(text)
    inner = found.params.get("why") if found else None
    return ({found.code} if found else set()) | (within(inner["text"]) if inner else set())


def test_every_sentence_is_said_by_the_library(client: httpx.Client) -> None:
    errors = map(error_of, ERRORS)
    told = chain(existences(), holed(), searches(), queens(), errors, notes(), outlooks(client))
    heard = set().union(*map(within, told))
    assert codes() - heard - set(WRITTEN) == set()
    for code, module in WRITTEN.items():
        source = inspect.getsource(module)
        for part in re.split(r"\{\w+\}", catalogue("en")[f"told.{code}"]):
            assert part.strip(" ,") in source


@pytest.mark.parametrize("reasons", [existences, holed, queens, notes])
def test_every_reason_is_known(reasons: Callable[[], Iterator[str]]) -> None:
    """Whatever a board is impossible for, or a text is taken for, can be said in other languages."""
    assert {text for text in reasons() if text and said(text) is None} == set()


@pytest.mark.parametrize("work", ERRORS)
def test_what_people_get_wrong_is_known(work: Callable[[], Any]) -> None:
    assert said(error_of(work)) is not None


def test_every_kind_of_problem_has_words() -> None:
    """Of every error of the library, and of every answer that is none, in all languages."""
    for module in pkgutil.walk_packages(backrank.__path__, "backrank."):
        if not module.name.startswith("backrank.cli") and not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    waiting, kinds = [BackrankError], set(STATUS)
    while waiting:
        waiting += (kind := waiting.pop()).__subclasses__()
        if kind.__module__.startswith("backrank.") and not kind.__module__.startswith("backrank.cli"):
            kinds.add(re.sub(r"(?<=[a-z])(?=[A-Z])", "-", kind.__name__).lower())
    for language in LANGUAGES:
        texts = catalogue(language)
        assert {kind for kind in kinds if not {f"problem.{kind}", f"wrong.{kind}"} & set(texts)} == set()


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_every_code_is_translated(language: str) -> None:
    texts = catalogue(language)
    assert {code for code in codes() if f"told.{code}" not in texts} == set()
    for key, english in catalogue("en").items():
        if key.startswith("told."):
            values = set(re.findall(r"\{(\w+)\}", texts[key]))
            assert values <= set(re.findall(r"\{(\w+)\}", english)), key


def test_values_come_along() -> None:
    told = with_code(KnightTours(8, start="a8", end="h1").existence().reason)
    assert told == {"code": "ends-colour", "params": {"squares": 64, "one": "a8", "other": "h1"}}
    inner = problem("invalid-square", error_of(lambda: KnightTours(8, start="z9")))
    assert (inner["code"], inner["params"]["why"]["code"]) == ("of-start", "square-off")
    assert inner["params"]["why"]["params"]["board"] == "8x8"
    assert problem("invalid-text", "nobody says this")["code"] == "invalid-text"
    assert said("x" * 100_000) is None


def test_answers_have_codes(client: httpx.Client) -> None:
    solved = ask(client, "solve", {"puzzle": {**TOUR, "board": "4x4"}})
    assert (solved["code"], solved["params"]) == ("no-open", {"board": "4x4"})
    wrong = ask(client, "solve", {"puzzle": {**TOUR, "board": "8y8"}}, INVALID)
    assert (wrong["code"], wrong["params"]) == ("board-size", {"board": "8y8"})
    (claim,) = ask(client, "check", {"kind": "tour", "text": "a1 b3 c1"})["claims"]
    assert [note["code"] for note in claim["notes"]] == ["note-squares"]
