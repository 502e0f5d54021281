"""The arena: cases, entrants in processes of their own, judging, and the tutorials' programs."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import pytest

from backrank.arena import contest, running
from backrank.arena.cases import Case, Series, folder, parse_series, read_series, series_names
from backrank.arena.contest import ContestSpec, compete, jobs
from backrank.arena.disciplines import discipline
from backrank.arena.entrants import tutorials
from backrank.arena.entrants.registry import ENTRANTS, Entrant, entrant
from backrank.arena.judging import judged
from backrank.arena.machine import machine
from backrank.arena.measuring import RunTimes, forget_caches, held_bytes, measure_call, peak_bytes
from backrank.arena.report import picture, table
from backrank.arena.running import MeasuringLimits, measure
from backrank.arena.timing import DONE, FAILED, MISSING, OVER, SKIPPED, WRONG, Results, Timing
from backrank.errors import InvalidPuzzle, InvalidText, UnknownName
from backrank.published.values import published_values
from backrank.tours import KnightTours

EFFORT = MeasuringLimits(60.0, 2, 0.01)
RIVALS = "arena_rivals"


# --- entrants in their processes ---------------------------------------------------------------------


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the processes of entrants find this module."""
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent))


def small(name: str = "count queens", sizes: tuple[int, ...] = (4, 5, 6, 7)) -> Series:
    cases = tuple(Case(size, f"{size}x{size}", str(size)) for size in sizes)
    return Series("small", "Small", name, "queens", "linear", "queens.all", ("a",), Case(0, "4x4"), cases)


def asked(function: str, effort: MeasuringLimits = EFFORT, series: Series | None = None) -> list[Timing]:
    series = series or small()
    who = Entrant(function, series.discipline, f"{RIVALS}:{function}")
    return list(measure(series, series.cases, who, effort, lambda _: None))


def states(timings: list[Timing]) -> list[str]:
    return [timing.status for timing in timings]


@pytest.mark.usefixtures("here")
def test_an_entrant_is_timed_and_its_answers_are_told() -> None:
    timings = asked("honest")
    assert states(timings) == [DONE] * 4
    assert [timing.answer for timing in timings] == ["2", "10", "4", "40"]
    assert all(timing.seconds > 0 and timing.yardstick > 0 and timing.peak > 0 for timing in timings)
    assert all(timing.least <= timing.seconds <= timing.most and timing.runs >= 1 for timing in timings)


@pytest.mark.usefixtures("here")
def test_who_takes_too_long_is_stopped_and_asked_no_more() -> None:
    timings = asked("slow", MeasuringLimits(0.2, 2, 0.01))
    assert states(timings) == [DONE, DONE, OVER, SKIPPED]
    assert timings[2].note == "more than 0.2 s"
    assert timings[3].note == "after 6"


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("function", "status", "note"),
    [
        ("broken", FAILED, "RuntimeError: out of luck"),
        ("deadly", FAILED, "the process ended with code 7"),
    ],
)
def test_who_breaks_is_told_with_the_reason(function: str, status: str, note: str) -> None:
    timings = asked(function)
    assert states(timings) == [DONE, DONE, status, SKIPPED]
    assert timings[2].note == note


@pytest.mark.usefixtures("here")
def test_what_is_not_installed_is_missing_everywhere() -> None:
    timings = asked("needy")
    assert states(timings) == [MISSING] * 4
    assert timings[0].note == "no such engine"


@pytest.mark.usefixtures("here")
def test_what_an_entrant_prints_is_no_answer() -> None:
    assert [timing.answer for timing in asked("chatty")] == ["2", "10", "4", "40"]


@pytest.mark.usefixtures("here")
def test_a_part_of_ours_that_is_missing_is_a_failure() -> None:
    timings = asked("torn")
    assert set(states(timings)) == {FAILED}
    assert "no_such_part" in timings[0].note


@pytest.mark.usefixtures("here")
def test_an_unknown_function_fails_without_a_hang() -> None:
    timings = asked("nobody")
    assert set(states(timings)) == {FAILED}
    assert "nobody" in timings[0].note


@pytest.mark.usefixtures("here")
def test_memory_is_that_of_the_case() -> None:
    by_case = {timing.case: timing.peak - timing.held for timing in asked("greedy")}
    assert by_case["6"] > 35_000_000
    assert by_case["5"] < 20_000_000


@pytest.mark.usefixtures("here")
def test_a_wrong_answer_is_marked_and_has_no_time() -> None:
    series = small()
    marked = judged([*asked("honest"), *asked("liar")], [series])
    wrong = [timing for timing in marked if timing.status == WRONG]
    assert [(timing.entrant, timing.case, timing.note) for timing in wrong] == [("liar", "6", "5, but 4 is published")]
    assert not wrong[0].is_timed
    results = Results("1", machine(), 1.0, True, marked)
    assert "WRONG" in table(results, [series])
    assert "WRONG: small 6, liar: 5, but 4 is published" in table(results, [series])
    assert 'class="m' in picture(results, [series])


@pytest.mark.usefixtures("here")
def test_a_placement_that_is_none_is_wrong() -> None:
    series = small("first queens", (4,))
    (marked,) = judged(asked("crooked", series=series), [series])
    assert marked.status == WRONG
    assert marked.note.startswith("not valid: ")


def test_without_a_published_value_most_decide() -> None:
    series = replace(small(), published="")
    given = [Timing("small", "4", 4, name, answer=answer) for name, answer in zip("abc", "223", strict=True)]
    assert states(list(judged(given, [series]))) == [DONE, DONE, WRONG]
    assert states(list(judged(given[1:], [series]))) == [WRONG, WRONG]
    assert judged(given[1:], [series])[0].note == "2; others disagree"


def test_lists_are_compared_by_all_they_hold() -> None:
    known = discipline("list queens")
    puzzle = known.puzzle(Case(6, "6x6"))
    every = [tuple(placement.columns) for placement in puzzle]
    told = {known.told(puzzle, len(every), lambda found=found: found) for found in (every, every[::-1])}  # type: ignore[misc]
    other = known.told(puzzle, 4, lambda: [*every[:3], every[0]])
    assert len(told) == 1
    assert other not in told
    assert "but 3" in known.told(puzzle, 4, lambda: every[:3])


# --- every entrant ---------------------------------------------------------------------------------


def pairs() -> Iterator[object]:
    for name in series_names():
        (series,) = read_series([name])
        yield pytest.param(series, id=name)


@pytest.mark.parametrize("series", list(pairs()))
def test_all_entrants_of_a_series_agree(series: Series) -> None:
    """In this process, on the warm-up and the smallest cases."""
    known = discipline(series.discipline)
    for case in (series.warm_up, *series.cases[: 1 if series.name == "tours-closed" else 2]):
        answers = {}
        for name in series.entrants:
            function = entrant(name, series.discipline).function()
            if name == "cp-sat" or (name in ("tutorial", "reference") and case.size > 29):
                continue  # what is not installed everywhere, or takes minutes
            puzzle = known.puzzle(case)
            answer = known.timed(function(puzzle))
            answers[name] = known.told(puzzle, answer, lambda f=function, p=puzzle: f(p))  # type: ignore[misc]
        assert len(set(answers.values())) == 1, answers
        value = published_values(series.published).get(case.name) if series.published else None
        if value is not None:
            assert {answer.partition(",")[0] for answer in answers.values()} == {str(value)}


def test_every_entrant_takes_part_somewhere_and_says_what_it_does() -> None:
    asked_for = {(series.discipline, name) for series in read_series() for name in series.entrants}
    assert asked_for == {(each.discipline, each.name) for each in ENTRANTS}
    assert all(each.idea.endswith(".") and len(each.idea) > 15 for each in ENTRANTS)
    with pytest.raises(UnknownName, match="nobody"):
        entrant("nobody", "count queens")


def test_series_are_wanted_by_name() -> None:
    (job,) = jobs(ContestSpec(("queens-count",), ("bits",), quick=True))
    assert [case.name for case in job[1]] == ["6", "7", "8", "9"]
    with pytest.raises(UnknownName, match="queens-count"):
        jobs(ContestSpec(("queens",)))
    with pytest.raises(UnknownName, match="entrant"):
        jobs(ContestSpec((), ("nobody",)))
    with pytest.raises(InvalidPuzzle, match="takes part in none"):
        jobs(ContestSpec(("queens-count",), ("layers",)))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"title": None}, "have no 'title'"),
        ({"cases": []}, "ascending order"),
        ({"cases": [{"size": 5, "board": "5x5"}, {"size": 5, "board": "6x6"}]}, "ascending order"),
        ({"cases": [{"size": 5, "bored": "5x5"}]}, "no 'bored'"),
        ({"cases": [5]}, "cannot be read"),
        ({"scale": "cubic"}, "it is linear or log"),
    ],
)
def test_wrong_cases_are_refused(change: dict[str, object], message: str) -> None:
    good = json.loads((folder("cases") / "queens-count.json").read_text(encoding="utf-8"))
    data = {key: value for key, value in {**good, **change}.items() if value is not None}
    with pytest.raises(InvalidText, match=message):
        parse_series("mine", json.dumps(data))
    with pytest.raises(InvalidText, match="cannot be read"):
        parse_series("mine", "{")


def test_cases_that_were_not_installed_are_said_to_be() -> None:
    with pytest.raises(InvalidText, match="install it anew"):
        folder("no such thing")


def test_ctrl_c_keeps_what_was_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(series: Series, *_: object) -> Iterator[Timing]:
        yield Timing(series.name, "6", 6, "bits", answer="4", runs=1)
        raise KeyboardInterrupt

    monkeypatch.setattr(contest, "measure", interrupted)
    results = compete(ContestSpec(("queens-count",), ("bits",)), lambda *_: None)
    assert not results.complete
    assert [timing.case for timing in results.timings] == ["6"]
    assert "interrupted" in table(results, read_series(["queens-count"]))


@pytest.mark.usefixtures("here")
def test_an_entrant_ends_when_nobody_listens() -> None:
    """The process of an entrant that is busy for ever ends with its standard input."""
    command = [sys.executable, "-P", "-m", "backrank.arena.child"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdin is not None
        where = {"discipline": "count queens", "where": f"{RIVALS}:slow", "warm_up": {"size": 9, "board": "9x9"}}
        child.stdin.write(json.dumps(where) + "\n")
        child.stdin.close()
        assert child.wait(timeout=60) == 0


def test_what_would_take_too_long_is_foreseen() -> None:
    done = [Timing("s", str(n), n, "e", cpu=cpu, runs=1) for n, cpu in ((8, 0.01), (9, 0.05))]
    assert running._expected(done, 10, "linear") == pytest.approx(0.25)
    assert running._expected(done, 11, "linear") == pytest.approx(1.25)
    assert running._expected([done[0], replace(done[1], size=16)], 32, "log") == pytest.approx(0.25)
    assert running._expected(done[:1], 10, "linear") == 0


def test_caches_are_forgotten_before_each_run() -> None:
    from backrank.geometry.symmetry import permutations as symmetric

    assert symmetric(KnightTours(5).board)
    assert symmetric.cache_info().currsize > 0
    forget_caches()
    assert symmetric.cache_info().currsize == 0


def test_a_call_is_measured_until_its_share_is_spent() -> None:
    told: list[tuple[RunTimes, int]] = []
    numbers = iter(range(100))
    measured, last = measure_call(
        lambda: next(numbers), most=3, share=1e9, told=lambda run, number: told.append((run, number))
    )
    assert last == 2
    assert [number for _, number in told] == [0, 1, 2]
    assert tuple(run for run, _ in told) == measured.runs
    assert measured.counted == measured.runs[1:]
    once, _ = measure_call(lambda: None, most=100, share=0.0)
    assert len(once.runs) == 1
    assert once.counted == once.runs


def test_the_peak_is_that_of_the_first_run() -> None:
    sizes = iter([50_000_000, 10])
    measured, last = measure_call(lambda: len(bytearray(next(sizes))), most=2, share=1e9)
    assert last == 10
    assert measured.taken > 35_000_000


def test_a_fresh_run_finds_no_caches() -> None:
    from backrank.geometry.symmetry import permutations as symmetric

    def misses() -> int:
        symmetric(KnightTours(5).board)
        return symmetric.cache_info().misses

    assert measure_call(misses, most=3, share=1e9, fresh=True)[1] == 1
    symmetric.cache_clear()
    symmetric(KnightTours(5).board)
    assert measure_call(misses, most=3, share=1e9)[1] == 1


@pytest.mark.usefixtures("here")
def test_a_function_of_the_size_needs_no_discipline() -> None:
    cases = tuple(Case(size, "", str(size)) for size in (3, 50_000_000))
    series = Series("", "", "", "", "log", "", (), Case(1, ""), cases)
    small, large = measure(series, cases, Entrant("filled", "", f"{RIVALS}:filled"), EFFORT, lambda _: None)
    assert (small.answer, large.answer) == ("3", "50000000")
    assert large.peak - large.held > 35_000_000 > small.peak - small.held


def test_memory_is_told_in_bytes() -> None:
    assert 5_000_000 < held_bytes() <= peak_bytes() * 1.01


# --- tutorials -------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", range(1, 7))
def test_the_tutorial_of_queens_against_permutations(size: int) -> None:
    good = [
        columns
        for columns in permutations(range(size))
        if len({row - col for row, col in enumerate(columns)})
        == len({row + col for row, col in enumerate(columns)})
        == size
    ]
    assert list(tutorials.place_queens(size, [])) == good
    assert tutorials.count_queens(size, []) == len(good)


@pytest.mark.parametrize(("rows", "cols"), [(3, 4), (3, 5), (4, 4), (3, 6), (1, 3)])
def test_the_tutorial_of_tours_against_the_library(rows: int, cols: int) -> None:
    walks = [
        tour
        for square in range(rows * cols)
        for tour in tutorials.TutorialWalk(rows, cols).every(*divmod(square, cols))
    ]
    assert {tuple(walk) for walk in walks} == {tuple(tour) for tour in KnightTours(rows, cols)}
    assert tutorials.count_tours(rows, cols, closed=False) == len(walks) // 2
    assert tutorials.count_tours(rows, cols, closed=True) == KnightTours(rows, cols, closed=True).count()


def test_a_walk_stops_before_one_call_too_many() -> None:
    walk = tutorials.TutorialWalk(5, 5, limit=10)
    assert walk.first(0, 0)
    assert walk.calls == 10
    assert tutorials.TutorialWalk(3, 3).first(0, 0) is False
