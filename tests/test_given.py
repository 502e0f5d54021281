"""What callers hand to counts and numbers of tours by mistake: each gets one line that says what would be right."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from backrank import KnightTours
from backrank.errors import BackrankError, BoardTooLarge, InvalidPuzzle, UnknownName

TOURS: Any = KnightTours(5)  # Any: what is handed over here is wrong on purpose
TOUR = KnightTours(5).unrank(7)
SAMPLER: Any = KnightTours(5).sampler()

# Ready puzzles among them: what is kept of earlier calls must not let a mistake through.
BY_MEMORY: list[Callable[[Any], object]] = [
    lambda memory: TOURS.count(memory=memory),
    lambda memory: TOURS.count(memory=memory, method="layers"),
    lambda memory: TOURS.verify_count(1728, memory=memory),
    lambda memory: TOURS.sampler(memory=memory),
    lambda memory: TOURS.sample(1, memory=memory),
    lambda memory: TOURS.rank(TOUR, memory=memory),
    lambda memory: TOURS.unrank(7, memory=memory),
    lambda memory: TOURS.iter_from(7, memory=memory),
    lambda memory: TOURS.completions(["a1"], memory=memory),
]


@pytest.mark.parametrize("memory", ["1G", 0, -1, 1.5e9, True], ids=repr)
@pytest.mark.parametrize("ask", BY_MEMORY)
def test_memory_is_a_number_of_bytes(ask: Callable[[Any], object], memory: Any) -> None:
    with pytest.raises(InvalidPuzzle, match=r"the memory is a whole number of bytes, at least 1, such as .*, not "):
        ask(memory)


@pytest.mark.parametrize("threads", ["2", 0, -1, 1.5, True], ids=repr)
def test_threads_are_a_number(threads: Any) -> None:
    for method in ("auto", "layers"):
        with pytest.raises(InvalidPuzzle, match="the number of threads is a whole number, at least 1, not "):
            TOURS.count(threads=threads, method=method)
    with pytest.raises(InvalidPuzzle, match="the number of threads is a whole number, at least 1, not "):
        TOURS.verify_count(1728, threads=threads)


def test_a_folder_is_a_path_or_its_name(tmp_path: Path) -> None:
    for folder in (tmp_path / "work", str(tmp_path / "work")):
        assert TOURS.count(method="layers", folder=folder) == 1728
        assert TOURS.verify_count(1728, folder=folder).agrees
        assert list(tmp_path.iterdir()) == []
    for wrong in (3, "", b"work"):
        with pytest.raises(InvalidPuzzle, match="the work folder is a path"):
            TOURS.count(method="layers", folder=wrong)


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda: TOURS.verify_count("1728"), "a count is a whole number, not '1728'"),
        (lambda: TOURS.verify_count(1728.0), r"a count is a whole number, not 1728\.0"),
        (lambda: TOURS.verify_count(None), "a count is a whole number, not None"),
        (lambda: TOURS.rank(5), "a tour must be a list of squares, such as .*, not 5"),
        (lambda: TOURS.rank("a1 b3"), "not a tour of this puzzle: missing squares: "),
        (lambda: TOURS.completions(None), "a beginning must be a list of squares, such as .*, not None"),
        (lambda: TOURS.completions(b"a1"), "a beginning must be a list of squares, such as .*, not b'a1'"),
        (lambda: SAMPLER.tour(1.0), r"the number of a tour is a whole number, not 1\.0"),
        (lambda: SAMPLER.tour("x"), "the number of a tour is a whole number, not 'x'"),
        (lambda: SAMPLER.number(5), "a sampler numbers Tours, .*, not 5"),
        (lambda: SAMPLER.number(list(TOUR.squares)), "a sampler numbers Tours"),
        (lambda: TOURS.sample(1, budget=5), "a budget is a Budget"),
        (lambda: TOURS.sampler(budget=5), "a budget is a Budget"),
        (lambda: TOURS.count_plan(method="magic"), "unknown counting method 'magic'; known: auto, listing, "),
    ],
)
def test_each_mistake_is_one_line(ask: Callable[[], object], message: str) -> None:
    with pytest.raises((InvalidPuzzle, UnknownName), match=message) as refused:
        ask()
    assert isinstance(refused.value, BackrankError)
    assert "\n" not in str(refused.value)


def test_an_angle_may_be_a_number() -> None:
    tours: KnightTours = KnightTours(6, closed=True)
    assert [tours.count(symmetry=angle) for angle in (180, "180", 90, "90")] == [78, 78, 10, 10]
    with pytest.raises(UnknownName, match="unknown symmetry '45'; known: 180, 90"):
        tours.count(symmetry=45)


def test_numbers_do_not_advise_what_they_cannot_take() -> None:
    tours = KnightTours(10)
    for verb in (lambda: tours.unrank(5), lambda: tours.completions(["a1"])):
        with pytest.raises(BoardTooLarge, match=r"are allowed: give it more memory, or a smaller or narrower board$"):
            verb()
    with pytest.raises(BoardTooLarge, match=r"a work folder on a large disk, .* or have their number estimated$"):
        tours.count()


def test_plans_name_the_piece() -> None:
    assert str(KnightTours(5, piece="king").count_plan()).startswith("open tours of the king on 5x5, by ")
    assert str(KnightTours(5, start="a1").count_plan()).startswith("open tours of 5x5 start a1, by ")
