"""Jobs of queens and the ledger: units add up to the count, and what is recorded stays as it is."""

from __future__ import annotations

import os
import pickle
import random
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backrank import Board, BoardTooLarge, Budget, BudgetExceeded, InvalidPuzzle, InvalidText, Queens, UnknownName
from backrank.jobs import (
    Conflict,
    JobSpec,
    JobStopped,
    Ledger,
    LedgerError,
    NoSuchJob,
    Outcome,
    UnitTask,
    WorkerMismatch,
    ledger_path,
    perform,
    queens_job,
    units,
)
from backrank.jobs.queens import QueensWork, fitting_units, outline, specs_of
from backrank.jobs.spec import ALGORITHMS
from backrank.queens.counting.plan import plan
from backrank.queens.counting.run import run
from backrank.queens.counting.spec import QueensCountSpec
from backrank.queens.spec import QueensSpec
from backrank.runtime.context import Context
from strategies import boards


def counted(spec: QueensSpec, wanted: QueensCountSpec) -> int:
    return run(plan(spec, wanted), Context())


SMALL = replace(outline(plan(Queens(9).spec, QueensCountSpec(method="columnsets"))), units=6, parts=400)


def added_up(spec: JobSpec, seed: int = 0) -> int:
    """The answer, from all units in some order."""
    work, numbers = QueensWork(spec), list(range(spec.units))
    random.Random(seed).shuffle(numbers)  # noqa: S311 - an order
    answer, rest = divmod(sum(work.run(unit, Budget().start()) for unit in numbers), spec.divisor)
    assert rest == 0
    return answer


# --- units ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cut", [1, 2, 7, 40])
@pytest.mark.parametrize(
    ("puzzle", "request_"),
    [
        (Queens(12), QueensCountSpec(method="columnsets")),
        (Queens(11), QueensCountSpec(method="columnsets", up_to_symmetry=True)),
        (Queens(10, holes=["a1", "d4"]), QueensCountSpec(method="tails")),
        (Queens(10), QueensCountSpec(method="tails", up_to_symmetry=True)),
        (Queens(11, wrap="torus"), QueensCountSpec(method="rows")),
        (Queens(7, wrap="torus"), QueensCountSpec(method="rows", up_to_symmetry=True)),
        (Queens(8, 9, queens=6, wrap="cylinder"), QueensCountSpec(method="rows")),
        (Queens(7, queens=5), QueensCountSpec(method="rows", up_to_symmetry=True)),
        (Queens(11, piece="amazon"), QueensCountSpec(method="rows")),
        (Queens(9, placed=["b4"]), QueensCountSpec(method="tails")),
        (Queens(9), QueensCountSpec(method="lines")),
        (Queens(12), QueensCountSpec(symmetry="90")),
        (Queens(3), QueensCountSpec()),
        (Queens(1), QueensCountSpec(up_to_symmetry=True)),
    ],
    ids=str,
)
def test_units_add_up_to_the_count(puzzle: Queens, request_: QueensCountSpec, cut: int) -> None:
    spec = queens_job(puzzle.spec, request_, units=cut)
    assert 1 <= spec.units <= cut + 1
    assert added_up(spec, cut) == counted(puzzle.spec, request_)


@settings(max_examples=40, deadline=None)
@given(data=st.data(), board=boards(max_side=6, wraps=("none", "cylinder", "torus")))
def test_units_of_any_board_add_up_to_the_textbooks_count(data: st.DataObject, board: Board) -> None:
    question = QueensSpec(
        board,
        data.draw(st.integers(0, min(board.rows, board.cols)), label="queens"),
        data.draw(st.sampled_from(["queen", "amazon"]), label="piece"),
    )
    classes = data.draw(st.booleans(), label="up to symmetry")
    spec = queens_job(
        question, QueensCountSpec(method="rows", up_to_symmetry=classes), units=data.draw(st.integers(1, 9))
    )
    assert added_up(spec) == counted(question, QueensCountSpec(method="reference", up_to_symmetry=classes))


def test_a_specification_is_a_line_that_is_read_back() -> None:
    for puzzle in (Queens(8, holes=["a1"], placed=["b4"]), Queens(5, 7, queens=4, wrap="torus", piece="amazon")):
        spec = queens_job(puzzle.spec, QueensCountSpec(method="rows"), units=4)
        assert JobSpec.from_json(spec.to_json()) == spec
        assert specs_of(dict(spec.asked))[0] == puzzle.spec
        assert "\n" not in spec.to_json()


@pytest.mark.parametrize(
    "text",
    [
        *("", "[]", "{}", "[" * 100_000, SMALL.to_json()[:-1]),
        SMALL.to_json().replace('"units":6', '"units":0'),
        SMALL.to_json().replace('"units":6', '"units":"6"'),
        SMALL.to_json().replace('"parts"', '"pieces"'),
    ],
    ids=range(8),
)
def test_anything_else_is_no_specification(text: str) -> None:
    with pytest.raises(InvalidText, match="specification"):
        JobSpec.from_json(text)


def test_the_key_says_what_is_counted_and_not_how_it_is_cut() -> None:
    puzzle = Queens(9).spec
    one, two = (queens_job(puzzle, QueensCountSpec(method="columnsets"), units=cut) for cut in (3, 5))
    assert one.key == two.key == outline(plan(puzzle, QueensCountSpec(method="columnsets"))).key
    others = [
        queens_job(Queens(10).spec, QueensCountSpec(method="columnsets"), units=3),
        queens_job(puzzle, QueensCountSpec(method="tails"), units=3),
        queens_job(puzzle, QueensCountSpec(method="columnsets", up_to_symmetry=True), units=3),
        queens_job(Queens(9, holes=["a1"]).spec, QueensCountSpec(method="tails"), units=3),
        replace(one, algorithm=one.algorithm + 1),
    ]
    assert len({spec.key for spec in (one, *others)}) == 1 + len(others)


def test_what_cannot_be_counted_cannot_be_a_job_either() -> None:
    with pytest.raises(UnknownName, match="columnsets"):
        queens_job(Queens(8).spec, QueensCountSpec(method="luck"))
    with pytest.raises(InvalidPuzzle, match="one of the two"):
        queens_job(Queens(8).spec, QueensCountSpec(symmetry="90", up_to_symmetry=True))
    with pytest.raises(InvalidPuzzle, match="1 to"):
        queens_job(Queens(8).spec, QueensCountSpec(), units=0)
    with pytest.raises(BoardTooLarge, match="years"):
        Queens(30).count_plan().require_affordable(Context())
    with pytest.raises(InvalidPuzzle, match="units 0 to 5"):
        QueensWork(SMALL).run(6, Budget().start())


def test_units_take_seconds_on_any_machine() -> None:
    for seconds in (0.1, 30, 500, 5_000, 50_000, 5e6):
        cut = fitting_units(seconds)
        assert 1 <= seconds / cut <= 15.1 or cut == 1
    spec = queens_job(Queens(16).spec, QueensCountSpec())
    assert 1 <= spec.units < 20  # a second of work or so, even where everything is ten times slower


def test_a_unit_can_be_cancelled() -> None:
    spec = queens_job(Queens(16).spec, QueensCountSpec(), units=1)
    with pytest.raises(BudgetExceeded, match="cancelled"):
        perform(UnitTask(spec.to_json(), 0, budget=Budget(cancelled=lambda: True, interval=0)))


def test_what_travels_is_small_and_comes_back_whole() -> None:
    task = UnitTask(SMALL.to_json(), 2, "unit-2")
    assert len(pickle.dumps(task)) < 1500
    outcome = perform(pickle.loads(pickle.dumps(task)))  # noqa: S301 - our own
    assert pickle.loads(pickle.dumps(outcome)) == outcome  # noqa: S301 - our own
    assert (outcome.unit, outcome.calls > 0, outcome.seconds > 0, ":" in outcome.worker) == (2, True, True, True)


def test_a_unit_of_another_version_is_refused() -> None:
    with pytest.raises(WorkerMismatch, match=r"has backrank .*needs backrank 99\.1"):
        perform(UnitTask(SMALL.to_json(), 0, version="99.1"))
    with pytest.raises(InvalidText, match="version 7"):
        perform(UnitTask(replace(SMALL, algorithm=7).to_json(), 0))
    assert units.installed() == UnitTask("", 0).version
    assert set(ALGORITHMS) >= {"columnsets", "tails", "rows"}


# --- where the ledger is ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("environment", "platform", "path"),
    [
        ({}, "linux", "/ada/.local/share/backrank/ledger.sqlite"),
        ({"XDG_DATA_HOME": ""}, "linux", "/ada/.local/share/backrank/ledger.sqlite"),
        ({"XDG_DATA_HOME": "here"}, "linux", "/ada/.local/share/backrank/ledger.sqlite"),
        ({"XDG_DATA_HOME": "/data"}, "linux", "/data/backrank/ledger.sqlite"),
        ({"XDG_DATA_HOME": "/data", "BACKRANK_LEDGER": "b.db"}, "linux", "b.db"),
        ({}, "darwin", "/ada/Library/Application Support/backrank/ledger.sqlite"),
        ({"LOCALAPPDATA": "/local"}, "win32", "/local/backrank/ledger.sqlite"),
        ({}, "win32", "/ada/AppData/Local/backrank/ledger.sqlite"),
    ],
)
def test_the_ledger_is_where_the_platform_keeps_data(environment: dict[str, str], platform: str, path: str) -> None:
    assert ledger_path(environment, platform, Path("/ada")).as_posix() == path


# --- recording --------------------------------------------------------------------------------------


def test_a_unit_is_recorded_once(tmp_path: Path) -> None:
    with Ledger(tmp_path / "a" / "b" / "ledger.sqlite") as one, Ledger(one.path) as two:
        job = one.add(SMALL).id
        assert one.record(job, [Outcome(0, "5"), Outcome(3, "7")]) == 2
        assert two.record(job, [Outcome(3, "7"), Outcome(1, "0")]) == 1
        assert one.recorded(job) == two.recorded(job) == {0, 1, 3}
        with pytest.raises(Conflict, match=r"unit 3 .*7 is recorded, and 8 came from there"):
            two.record(job, [Outcome(2, "1"), Outcome(3, "8", worker="there")])
        assert [(done.unit, done.result) for done in one.outcomes(job)] == [(0, "5"), (1, "0"), (3, "7")]


def test_the_answer_is_the_sum_of_all_units_or_nothing(tmp_path: Path) -> None:
    with Ledger(tmp_path / "ledger.sqlite") as ledger:
        job = ledger.add(replace(SMALL, divisor=4)).id
        ledger.record(job, [Outcome(unit, str(2**70 + 4 * unit)) for unit in range(5)])
        with pytest.raises(LedgerError, match="5 of 6 units"):
            ledger.total(job)
        ledger.record(job, [Outcome(5, "3")])
        with pytest.raises(LedgerError, match="multiple of 4"):
            ledger.finish(job)
        assert ledger.job(job).state == "open"
        assert ledger.remove(job)
        other = ledger.add(SMALL).id
        ledger.record(other, [Outcome(unit, str(2**70 + unit)) for unit in range(6)])
        assert ledger.finish(other) == ledger.total(other) == 6 * 2**70 + 15
        assert ledger.job(other).state == "done"


def test_the_same_count_is_the_same_job_until_it_is_counted_again(tmp_path: Path) -> None:
    with Ledger(tmp_path / "ledger.sqlite") as ledger:
        first = ledger.add(SMALL)
        assert ledger.find(SMALL) == ledger.add(replace(SMALL, units=9)) == first
        assert ledger.add(SMALL, again=True) == first, "an unfinished one is gone on with"
        ledger.record(first.id, [Outcome(unit, "1") for unit in range(6)])
        ledger.finish(first.id)
        assert ledger.add(SMALL).id == first.id
        second = ledger.add(replace(SMALL, units=2), again=True)
        assert second.id != first.id
        assert (ledger.find(SMALL), [job.id for job in ledger.jobs()]) == (second, [first.id, second.id])


def test_jobs_are_named_by_how_their_id_begins(tmp_path: Path) -> None:
    with Ledger(tmp_path / "ledger.sqlite") as ledger:
        job = ledger.add(SMALL)
        assert ledger.job(job.id[:3]) == ledger.job(job.id) == job
        for name in ("", "zz", job.id + "0", "%", "_" * 8):
            with pytest.raises(NoSuchJob, match="no job"):
                ledger.job(name)
        for units_ in range(40):  # more than there are hexadecimal digits: some begin alike
            ledger.add(replace(SMALL, asked={**SMALL.asked, "rows": 100 + units_}))
        counts = [job.id[0] for job in ledger.jobs()]
        twice = next(digit for digit in counts if counts.count(digit) > 1)
        with pytest.raises(NoSuchJob, match="jobs begin with"):
            ledger.job(twice)


def test_states_of_a_job(tmp_path: Path) -> None:
    with Ledger(tmp_path / "ledger.sqlite") as ledger:
        job = ledger.add(SMALL).id
        assert not ledger.job(job).is_running
        ledger.beat(job)
        assert ledger.job(job).is_running
        ledger.beat(job, alive=False)
        assert not ledger.job(job).is_running
        assert [ledger.failed(job, 2, "ouch"), ledger.failed(job, 2, "again")] == [1, 2]
        assert ledger.failures(job) == {2: (2, "again")}
        ledger.pause(job, "why")
        assert (ledger.job(job).state, ledger.job(job).problem) == ("paused", "why")
        ledger.begin(job)
        assert (ledger.job(job).state, ledger.job(job).problem, ledger.failures(job)) == ("open", "", {})
        ledger.cancel(job)
        assert ledger.state(job) == "cancelled"
        ledger.record(job, [Outcome(unit, "1") for unit in range(6)])
        ledger.finish(job)
        ledger.cancel(job)
        assert ledger.state(job) == "done", "what is done cannot be cancelled"
        assert ledger.remove(job)
        assert not ledger.remove(job)
        assert ledger.state(job) is None
        with pytest.raises(JobStopped, match="removed"):
            ledger.record(job, [Outcome(0, "1")])
        with pytest.raises(JobStopped, match="removed"):
            ledger.failed(job, 0, "ouch")
        assert ledger.recorded(job) == set()


def locks_on(path: Path) -> int:
    """How many locks this process has on a file, as the system tells."""
    number = path.stat().st_ino
    lines = Path("/proc/locks").read_text().splitlines()
    return sum(f":{number} " in line and f" {os.getpid()} " in line for line in lines)


def test_another_ledger_of_the_process_takes_no_locks_away(tmp_path: Path) -> None:
    path = tmp_path / "ledger.sqlite"
    with Ledger(path) as first:
        first.jobs()
        before = locks_on(path)
        Ledger(path).close()
        assert locks_on(path) == before
