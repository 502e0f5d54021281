"""Both puzzles have the same verbs, with the same names, options and meaning; what only one has is listed here."""

from __future__ import annotations

import inspect
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from itertools import islice
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import backrank
from backrank import (
    Board,
    Existence,
    FaultKind,
    InvalidPuzzle,
    InvalidSquare,
    KnightTours,
    NoSuchNumber,
    Placement,
    Queens,
    Tour,
    UnknownName,
)
from backrank.runtime.gone import GONE

Puzzle = KnightTours | Queens

# Names that say what the answers are.
PAIRS = {"tour": "placement", "iter_tours": "iter_placements"}
# What only one puzzle has, and why.
ONLY_TOURS = {
    "closed": "a condition on tours",
    "start": "a condition on tours",
    "end": "a condition on tours",
    "constructed": "tours are built from blocks; for queens the strategy `formula` does it",
    "completions": "a tour has a beginning; for queens, Queens(placed=...) is a puzzle of its own",
    "estimate": "the frontier count, thinned; queens have no frontier count",
    "verify_count": "a second count in another order modulo a prime; queens have methods that check each other",
}
ONLY_QUEENS = {
    "queens": "how many",
    "placed": "queens that stand already; tours have a start",
    "iter_arrays": "millions of placements a second as columns; tours are listed one by one",
}
# Options that only one puzzle's method has, and why; and defaults that differ.
ONLY_OPTIONS = {
    ("tours", "__init__", "closed"): "a condition on tours",
    ("tours", "__init__", "start"): "a condition on tours",
    ("tours", "__init__", "end"): "a condition on tours",
    ("queens", "__init__", "queens"): "how many",
    ("queens", "__init__", "placed"): "queens that stand already",
    ("tours", "solve", "order"): "a move order is of leapers",
    ("tours", "search", "order"): "a move order is of leapers",
    ("tours", "search", "engine"): "CP-SAT searches for tours only",
    ("queens", "iter_placements", "fundamental"): "tours up to symmetry are counted, not listed",
    ("tours", "count", "directed"): "a placement has no direction",
    ("tours", "count", "strictly_open"): "a condition on tours",
    ("tours", "count", "memory"): "layers of states may not fit; queens take a few MB",
    ("tours", "count", "folder"): "layers are kept there",
    ("tours", "count", "keep_folder"): "layers are kept there",
    ("queens", "count", "force"): "for what takes more than a day; tours are refused by memory",
    ("tours", "count_plan", "directed"): "a placement has no direction",
    ("tours", "count_plan", "strictly_open"): "a condition on tours",
    ("tours", "sampler", "memory"): "a table of states; that of queens is bounded",
    ("tours", "sample", "memory"): "a table of states; that of queens is bounded",
    ("tours", "rank", "memory"): "a table of states; queens are searched",
    ("tours", "unrank", "memory"): "a table of states; queens are searched",
    ("tours", "iter_from", "memory"): "a table of states; queens are searched",
}
OTHER_DEFAULTS = {("__init__", "piece"): "the piece of the puzzle"}
SPECIAL = {"__init__", "__bool__", "__contains__", "__getitem__", "__iter__", "__repr__", "__eq__", "__hash__"}


def names_of(puzzle: type) -> set[str]:
    """The public names of a puzzle, and the special methods that it has itself."""
    return {name for name in dir(puzzle) if not name.startswith("_")} | (SPECIAL & vars(puzzle).keys())


def options_of(puzzle: type, name: str) -> dict[str, inspect.Parameter] | None:
    """The parameters of a method but for `self`; None for fields and properties."""
    found = inspect.getattr_static(puzzle, name)
    return dict(list(inspect.signature(found).parameters.items())[1:]) if inspect.isfunction(found) else None


def shared() -> list[tuple[str, str]]:
    """What a verb is called on either puzzle."""
    both = names_of(KnightTours) & names_of(Queens)
    return sorted([*((name, name) for name in both), *PAIRS.items()])


def test_every_name_is_on_both_or_listed() -> None:
    tours, queens = names_of(KnightTours), names_of(Queens)
    assert tours - queens == {*ONLY_TOURS, *PAIRS}
    assert queens - tours == {*ONLY_QUEENS, *PAIRS.values()}
    assert tours >= SPECIAL
    assert queens >= SPECIAL
    assert {
        "existence", "solve", "search", "search_space", "count", "count_plan", "sampler", "sample",
        "rank", "unrank", "iter_from", "faults", "spec", "board", "piece",
    } <= tours & queens  # fmt: skip


@pytest.mark.parametrize(("of_tours", "of_queens"), shared())
def test_options_have_the_same_names_defaults_and_kinds(of_tours: str, of_queens: str) -> None:
    tours, queens = options_of(KnightTours, of_tours), options_of(Queens, of_queens)
    assert (tours is None) == (queens is None)
    if tours is None or queens is None:
        return
    only = {("tours", of_tours, name) for name in tours.keys() - queens.keys()}
    only |= {("queens", of_queens, name) for name in queens.keys() - tours.keys()}
    assert only == {key for key in ONLY_OPTIONS if key[:2] in {("tours", of_tours), ("queens", of_queens)}}
    for name in tours.keys() & queens.keys():
        assert tours[name].kind == queens[name].kind, name
        is_same = tours[name].default == queens[name].default
        assert is_same != ((of_tours, name) in OTHER_DEFAULTS), name
    order = [name for name in tours if name in queens]
    assert order == [name for name in queens if name in tours]


@pytest.mark.parametrize("puzzle", [KnightTours, Queens])
def test_every_verb_is_documented(puzzle: type) -> None:
    for name in names_of(puzzle) - {"board", "closed", "start", "end", "piece", "queens", "placed"} - SPECIAL:
        text = inspect.getdoc(getattr(puzzle, name)) or ""
        assert text.partition("\n")[0].endswith("."), name


# --- what the verbs mean ----------------------------------------------------------------------------

SOME: dict[str, Puzzle] = {
    "tours": KnightTours(3, 4),
    "tours with a hole": KnightTours(3, 5, holes=["c2"], piece="knight"),
    "tours from a start": KnightTours(5, start="c3"),
    "closed tours": KnightTours(5, 6, closed=True),
    "closed tours with ends": KnightTours(5, 6, closed=True, start="a1", end="b3"),
    "tours round a cylinder": KnightTours(3, 3, wrap="torus", start="a1"),
    "kings": KnightTours(2, 3, piece="king"),
    "one square": KnightTours(1),
    "no tour": KnightTours(4),
    "queens": Queens(6),
    "queens with holes": Queens(5, holes="a1 c3"),
    "queens on a torus": Queens(5, wrap="torus"),
    "few queens": Queens(4, 5, queens=3),
    "amazons": Queens(6, queens=4, piece="amazon"),
    "placed queens": Queens(8, placed="b4"),
    "no queens": Queens(4, queens=0),
    "no placement": Queens(3),
}


@pytest.fixture(params=SOME)
def puzzle(request: pytest.FixtureRequest) -> Puzzle:
    return SOME[request.param]


def answers(puzzle: Puzzle) -> list[Any]:
    return list(puzzle)


def test_counting_listing_and_truth_agree(puzzle: Puzzle) -> None:
    listed = answers(puzzle)
    assert puzzle.count() == len(listed)
    assert bool(puzzle) == bool(listed)
    assert len(set(listed)) == len(listed)
    known = puzzle.existence()
    assert isinstance(known, Existence)
    assert known.answer in (("yes", "unknown") if listed else ("no", "unknown"))
    assert known.reason
    with pytest.raises(TypeError, match="neither true nor false"):
        bool(known)
    found: Any = puzzle.solve()
    assert (found is None) == (not listed)
    assert found is None or found in puzzle


def test_ranks_are_places_in_the_listing(puzzle: Puzzle) -> None:
    listed = answers(puzzle)
    for number in range(0, len(listed), 1 + len(listed) // 40):
        answer = listed[number]
        assert puzzle.rank(answer) == puzzle.rank(answer.cells) == puzzle.rank(iter(answer.names)) == number
        assert puzzle.unrank(number) == puzzle[number] == puzzle[np.int64(number)] == answer
    for number in (len(listed), 10**30):
        for verb in (puzzle.unrank, puzzle.iter_from, puzzle.__getitem__):
            with pytest.raises(NoSuchNumber, match=r"numbered 0 to |there are no such"):
                verb(number)


def test_listing_goes_on_from_any_number(puzzle: Puzzle) -> None:
    listed = answers(puzzle)
    for number in {0, len(listed) // 3, len(listed) - 1} if listed else ():
        assert list(puzzle.iter_from(number)) == listed[number:]
        assert list(puzzle[number:]) == listed[number:]
        assert list(puzzle[number : number + 3]) == listed[number : number + 3]
    assert list(puzzle[:]) == listed
    assert list(puzzle[:2]) == listed[:2]
    assert list(puzzle[5:3]) == list(puzzle[10**6 :]) == []


def test_keys_that_need_the_count_are_refused(puzzle: Puzzle) -> None:
    with pytest.raises(IndexError, match=r"numbered from 0, not from the end; count\(\)"):
        puzzle[-1]
    for key in (slice(-3, None), slice(None, -1)):
        with pytest.raises(NoSuchNumber, match="not from the end"):
            puzzle[key]
    with pytest.raises(InvalidPuzzle, match=r"have no step; take itertools\.islice"):
        puzzle[::2]
    for wrong in (1.0, "1", None, True):
        with pytest.raises(InvalidPuzzle, match="whole number"):
            puzzle[wrong]  # type: ignore[index]  # what is tested


def test_slices_are_lazy() -> None:
    assert next(KnightTours(6)[5:]) == KnightTours(6)[5]
    assert next(KnightTours(8)[:]) in KnightTours(8)
    assert next(Queens(20)[0:]).columns[:3] == (0, 2, 4)


def test_samples_need_no_seed(puzzle: Puzzle) -> None:
    if puzzle.piece == "amazon":
        with pytest.raises(InvalidPuzzle, match="uniform samples are of queens"):
            puzzle.sample()
    elif not puzzle:
        with pytest.raises(InvalidPuzzle, match="to choose from"):
            puzzle.sample()
    else:
        assert puzzle.sample() in puzzle
        assert puzzle.sample(3) == puzzle.sample(3) == puzzle.sampler().sample(3)
        assert puzzle.sample(Random(1)) in puzzle  # noqa: S311 - nothing secret


@pytest.mark.parametrize("puzzle", [KnightTours(5, 6, closed=True), Queens(8)], ids=str)
def test_samples_without_a_seed_differ(puzzle: Puzzle) -> None:
    assert len({puzzle.sample() for _ in range(60)}) > 3
    assert len(set(islice(puzzle.sampler().samples(), 60))) > 3


def claims(answer: Any) -> Iterator[Any]:
    """An answer in every form that is read."""
    yield from (answer, answer.cells, list(answer.cells), answer.names, " ".join(answer.names), ",".join(answer.names))
    yield from (np.array(answer.cells).reshape(-1, 2), iter(answer.names), [answer.board.name(at) for at in answer])
    if isinstance(answer, Tour) or len(answer) < answer.board.rows:
        yield from (answer.squares, list(answer.squares), np.array(answer.squares, np.int64), iter(answer.squares))
    else:
        yield from (answer.columns, list(answer.columns), np.array(answer.columns), iter(answer.columns))


def test_one_reader_for_faults_membership_and_answers(puzzle: Any) -> None:
    made: Callable[[Any], Any] = puzzle.tour if isinstance(puzzle, KnightTours) else puzzle.placement
    for answer in islice(puzzle, 3):
        forms = len(list(claims(answer)))
        for form in range(forms):
            three = [list(claims(answer))[form] for _ in range(4)]  # an iterator is read once
            assert puzzle.faults(three[0]) == []
            assert three[1] in puzzle
            assert made(three[2]) == answer
            assert puzzle.rank(three[3]) == puzzle.rank(answer)


@pytest.mark.parametrize("puzzle", [KnightTours(5), KnightTours(5, 6, closed=True), Queens(6), Queens(5, queens=4)])
def test_faults_tell_what_membership_refuses(puzzle: Any) -> None:
    made: Callable[[Any], Any] = puzzle.tour if isinstance(puzzle, KnightTours) else puzzle.placement
    other: Any = type(puzzle)(4, 5, piece=puzzle.piece).solve()
    strange: Any = KnightTours(5, piece="king").solve() if isinstance(puzzle, KnightTours) else Queens(5).solve()
    first: Any = next(iter(puzzle))
    for claim in (other, strange, first.cells[:-1], [*first.cells, first.cells[0]], "a1 a2", []):
        faults = puzzle.faults(claim)
        assert faults
        assert claim not in puzzle
        for refused in (made, puzzle.rank):
            with pytest.raises(InvalidPuzzle, match=r"^not a (tour|placement) of this puzzle: ") as caught:
                refused(claim)
            assert str(faults[0]) in str(caught.value)
    assert [fault.kind for fault in puzzle.faults(other)] == [FaultKind.WRONG_SHAPE]
    for nothing in (5, None, b"a1", 2.5):
        assert nothing not in puzzle
        for verb in (puzzle.faults, made, puzzle.rank):
            with pytest.raises(InvalidPuzzle, match=r"^a (tour|placement) must be a list of squares, such as .*, not "):
                verb(nothing)
    for off in ("z9", [(0, 99)], "a1 ?"):
        assert off not in puzzle
        with pytest.raises(InvalidSquare):
            puzzle.faults(off)


def test_a_placement_of_queens_is_none_of_amazons() -> None:
    queens, amazons = Queens(10), Queens(10, piece="amazon")
    columns = next(iter(amazons)).columns
    assert columns in queens
    assert columns in amazons
    assert Placement(Board(10), queens.placement(columns).squares) not in amazons


@pytest.mark.parametrize("text", ["a1 c3", "a1,c3", "a1; c3", "5,0 3,2", "(5,0) (3,2)", ["a1", (3, 2)], [30, "c3"]])
def test_lists_of_squares_are_read_in_any_notation(text: Any) -> None:
    squares = {30, 20}
    for puzzle in (KnightTours(6, holes=text), Queens(6, holes=text)):
        assert puzzle.board.holes == squares
    assert Board.parse("6", holes=text).holes == squares
    assert Queens(6, queens=2, placed="a1 c2").placed == Queens(6, queens=2, placed=[(4, 2), 30]).placed == (26, 30)
    tours = KnightTours(6)
    assert tours.completions("a1 b3") == tours.completions("a1,b3") == tours.completions([30, (3, 1)]) > 0
    for wrong in (5, None, b"a1"):
        with pytest.raises(ValueError, match=r"^holes must be a list of squares, such as .* or 'a1 b3', not "):
            Queens(6, holes=wrong)  # type: ignore[arg-type]  # what is tested
        with pytest.raises(InvalidPuzzle, match=r"^placed must be a list of squares"):
            Queens(6, placed=wrong)  # type: ignore[arg-type]  # what is tested
        with pytest.raises(InvalidPuzzle, match=r"^a beginning must be a list of squares"):
            tours.completions(wrong)  # type: ignore[arg-type]  # what is tested


@pytest.mark.parametrize("puzzle", [KnightTours(6, closed=True), Queens(5)], ids=str)
def test_rotations_are_named_by_numbers_and_texts(puzzle: Puzzle) -> None:
    for turn in (90, 180):
        assert puzzle.count(symmetry=turn) == puzzle.count(symmetry=str(turn))
        assert puzzle.count_plan(symmetry=turn) == puzzle.count_plan(symmetry=str(turn))
    for wrong in (45, "270", 90.0, True, "", 10**5000):
        for verb in (puzzle.count, puzzle.count_plan):
            with pytest.raises(UnknownName, match=r"^unknown symmetry .*; known: 180, 90$"):
                verb(symmetry=wrong)  # type: ignore[arg-type]  # what is tested


def test_repr_makes_the_same_puzzle(puzzle: Puzzle) -> None:
    names = {"Board": Board, "KnightTours": KnightTours, "Queens": Queens}
    assert eval(repr(puzzle), names) == puzzle  # noqa: S307 - our own text


@st.composite
def puzzles(draw: st.DrawFn) -> Puzzle:
    rows, cols = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    holes = draw(st.sets(st.integers(0, rows * cols - 1), max_size=min(3, rows * cols - 1)))
    board = Board(rows, cols, holes=holes, wrap=draw(st.sampled_from(["none", "cylinder", "torus"])))
    if draw(st.booleans()):
        piece = draw(st.sampled_from(["knight", "king", "wazir"]))
        start = draw(st.sampled_from([None, *board]))
        return KnightTours(board, closed=draw(st.booleans()), start=start, piece=piece)
    queens = draw(st.integers(0, min(rows, cols)))
    return Queens(board, queens=queens, piece=draw(st.sampled_from(["queen", "amazon"])))


@given(puzzles(), st.integers(0, 10**4))
@settings(max_examples=150, deadline=None)
def test_numbers_go_one_to_one(puzzle: Any, number: int) -> None:
    listed = list(islice(puzzle, 3000))
    if listed:
        number %= len(listed)
        assert puzzle.rank(listed[number]) == number
        assert puzzle[number] == listed[number]
        assert list(islice(puzzle.iter_from(number), 5)) == listed[number : number + 5] or len(listed) == 3000
    else:
        with pytest.raises(NoSuchNumber, match="there are no such"):
            puzzle.unrank(number)


# --- names ------------------------------------------------------------------------------------------


def test_public_names_are_those_of_the_subpackages() -> None:
    for name in backrank.__all__:
        assert getattr(backrank, name) is not None
    for package in (backrank.tours, backrank.queens, backrank.search, backrank.formats):
        for name in set(package.__all__) & set(backrank.__all__):
            assert getattr(package, name) is getattr(backrank, name)
    assert sorted(backrank.__all__) == sorted(set(backrank.__all__))


@pytest.mark.parametrize("old", GONE)
def test_names_that_are_gone_tell_the_new_ones(old: str) -> None:
    owner, _, name = old.rpartition(".")
    puzzles: dict[str, Any] = {"Queens": Queens(8), "KnightTours": KnightTours(8)}
    with pytest.raises(AttributeError) as caught:
        getattr(puzzles.get(owner) or import_module(owner), name)
    assert str(caught.value) == f"{owner}.{name} is now {GONE[old]}"
    where, _, new = GONE[old].removesuffix("()").rpartition(".")
    place = puzzles.get(where) or import_module(where)
    assert hasattr(place, new) or import_module(f"{where}.{new}")


@pytest.mark.parametrize("puzzle", [KnightTours(8), Queens(8)], ids=str)
def test_unknown_names_are_attribute_errors(puzzle: Puzzle) -> None:
    assert not hasattr(puzzle, "colour")
    with pytest.raises(AttributeError, match=f"'{type(puzzle).__name__}' object has no attribute 'colour'"):
        puzzle.colour  # type: ignore[union-attr]  # noqa: B018 - what is tested
    with pytest.raises(AttributeError, match="has no attribute 'colour'"):
        backrank.colour  # noqa: B018 - what is tested


@pytest.mark.parametrize(
    ("command", "absent"),
    [
        (
            "solve tour 8x8",
            "tours.counting tours.ranking tours.estimation tours.randomize queens jobs",
        ),
        ("count tours 6x6", "tours.construct tours.randomize tours.ranking tours.solve queens render"),
        ("solve queens 8", "queens.ranking tours jobs"),
        ("count queens 8", "queens.ranking queens.solve tours render"),
    ],
)
def test_a_verb_loads_nothing_of_the_others(command: str, absent: str) -> None:
    process = [sys.executable, "-X", "importtime", "-m", "backrank", *command.split(), "-q"]
    done = subprocess.run(process, capture_output=True, text=True, check=True)
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines() if line.startswith("import time:")}
    assert "backrank.geometry.board" in loaded
    assert {f"backrank.{room}" for room in absent.split()} & loaded == set()
