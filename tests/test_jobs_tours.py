"""Counts of tours as jobs: layer by layer, stopped anywhere and gone on with."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from backrank import Budget, BudgetExceeded, InvalidPuzzle, KnightTours
from backrank.jobs import (
    JobPaused,
    JobProgress,
    JobSpec,
    JobStopped,
    Ledger,
    Outcome,
    Processes,
    Serial,
    Threads,
    run_job,
    tours_job,
)
from backrank.jobs import tours as jobs_tours
from backrank.jobs.tours import facts_of, layers_path, run_tours_job, specs_of
from backrank.runtime.context import Context
from backrank.tours.counting.folder import LayerFolder
from backrank.tours.counting.spec import TourCountSpec
from backrank.tours.spec import TourSpec

Run = Callable[..., subprocess.CompletedProcess[str]]


def question_of(puzzle: KnightTours) -> TourSpec:
    return TourSpec(puzzle.board, puzzle.piece, puzzle.closed, puzzle.start, puzzle.end)


def job_of(puzzle: KnightTours, *, directed: bool = False) -> JobSpec:
    return tours_job(question_of(puzzle), directed=directed)


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with Ledger(tmp_path / "ledger.sqlite") as opened:
        yield opened


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize(
    "puzzle",
    [
        KnightTours(6, closed=True),
        KnightTours(6, closed=True, start="a1"),
        KnightTours(6, closed=True, start="a1", end="b3"),
        KnightTours(5),
        KnightTours(5, start="a1"),
        KnightTours(5, start="a1", end="e5"),
        KnightTours(3, 8),
        KnightTours(5, 6, closed=True, holes=["a1", "b1"]),
        KnightTours(4, 5, piece="camel"),
        KnightTours(4, 4, wrap="torus", closed=True),
        KnightTours(1),
        KnightTours(3, 4, closed=True),
        KnightTours(5, closed=True),
    ],
    ids=str,
)
def test_a_job_gives_the_count(ledger: Ledger, puzzle: KnightTours, directed: bool) -> None:
    spec = job_of(puzzle, directed=directed)
    job = ledger.add(JobSpec.from_json(spec.to_json()))
    assert specs_of(dict(job.spec.asked)) == (question_of(puzzle), TourCountSpec(directed, method="layers"))
    told: list[JobProgress] = []
    assert run_job(ledger, job.id, Serial(), None, told.append) == puzzle.count(directed=directed)
    assert ledger.job(job.id).state == "done"
    assert len(ledger.outcomes(job.id)) == spec.units == len(puzzle.board) + 1
    assert list(ledger.path.parent.glob("*layers*")) == [], "what was kept is not needed any more"


@pytest.mark.parametrize("always", [True, False])
def test_a_stopped_job_goes_on_from_the_layer_that_was_kept(
    ledger: Ledger, always: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if always:
        monkeypatch.setattr(LayerFolder, "keeper", lambda folder, **_: folder.save)
    job = ledger.add(job_of(KnightTours(6, 7, closed=True)))
    for layers in (5, 20, 21, 40):
        budget = Budget(cancelled=lambda layers=layers: len(ledger.recorded(job.id)) >= layers, interval=0)  # type: ignore[misc]
        with pytest.raises(BudgetExceeded, match="cancelled"):
            run_tours_job(ledger, ledger.job(job.id), context=Context(budget), keep_seconds=1e9)
        assert ledger.recorded(job.id).issuperset(range(layers))
        assert not ledger.job(job.id).is_running
        kept = [path.name for path in layers_path(ledger.path, job.id).glob("layer-*")]
        assert kept == [f"layer-{max(ledger.recorded(job.id))}.npy"] * always
    told: list[JobProgress] = []
    with Threads(2) as threads:
        assert run_job(ledger, job.id, threads, Budget(interval=0), told.append) == 1_067_638
    assert [each.done for each in told] == sorted(each.done for each in told)
    assert [each.percent for each in told] == sorted(each.percent for each in told)
    assert ledger.total(job.id) == 1_067_638
    states = [outcome.calls for outcome in ledger.outcomes(job.id)]
    assert states[0] == 1
    assert sum(states) > 10_000


def test_a_layer_that_comes_out_differently_pauses_the_job(ledger: Ledger) -> None:
    job = ledger.add(job_of(KnightTours(6, closed=True)))
    ledger.record(job.id, [Outcome(20, "12345")])
    ledger.beat(job.id, alive=False)
    with pytest.raises(JobPaused, match=r"unit 20 .*twice, with different results"):
        run_job(ledger, job.id, Serial())
    assert ledger.state(job.id) == "paused"


def test_a_ledger_put_back_to_an_older_one_is_filled_again(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LayerFolder, "keeper", lambda folder, **_: folder.save)
    job = ledger.add(job_of(KnightTours(6, closed=True)))
    enough = Budget(cancelled=lambda: len(ledger.recorded(job.id)) >= 20, interval=0)
    with pytest.raises(BudgetExceeded):
        run_tours_job(ledger, job, context=Context(enough))
    ledger._connection.execute("DELETE FROM unit WHERE number > 3")
    assert run_job(ledger, job.id, Serial()) == 9862


def test_only_one_at_a_time_and_only_threads(ledger: Ledger) -> None:
    job = ledger.add(job_of(KnightTours(6, closed=True)))
    with Processes(1) as processes, pytest.raises(InvalidPuzzle, match="threads of one machine"):
        run_job(ledger, job.id, processes)
    ledger.beat(job.id)
    with pytest.raises(JobStopped, match="another process"):
        run_job(ledger, job.id, Serial())
    ledger.beat(job.id, alive=False)
    assert run_job(ledger, job.id, Serial()) == 9862


def test_others_can_cancel_it(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs_tours, "BEAT_SECONDS", 0.0)
    job = ledger.add(job_of(KnightTours(6, closed=True)))

    def cancel(progress: JobProgress) -> None:
        if progress.done == 10:
            with Ledger(ledger.path) as other:
                other.cancel(job.id)

    with pytest.raises(JobStopped, match="cancelled"):
        run_job(ledger, job.id, Serial(), Budget(interval=0), cancel)
    assert ledger.state(job.id) == "cancelled"
    assert run_job(ledger, job.id, Serial()) == 9862


def test_another_order_of_the_squares_is_refused(ledger: Ledger) -> None:
    spec = job_of(KnightTours(6, closed=True))
    other = replace(spec, asked={**spec.asked, "order": spec.asked["order"][::-1]})
    job = ledger.add(other)
    assert job.spec.key != spec.key
    with pytest.raises(InvalidPuzzle, match="another order"):
        run_job(ledger, job.id, Serial())


def test_the_command_goes_on_after_any_kill(
    command: str, environment: dict[str, str], ledger: Ledger, inside: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BACKRANK_LEDGER", str(ledger.path))
    job = ledger.add(job_of(KnightTours(6, 8, closed=True)))
    environment = {**environment, "BACKRANK_LEDGER": str(ledger.path)}
    for layers in (10, 25):
        with subprocess.Popen([command, "jobs", "resume", job.id], env=environment, stderr=subprocess.PIPE) as process:
            deadline = time.monotonic() + 100
            while process.poll() is None and len(ledger.recorded(job.id)) < layers:
                assert time.monotonic() < deadline
            os.kill(process.pid, signal.SIGKILL)
    done = inside("jobs", "resume", job.id)
    assert (done.returncode, done.stdout) == (0, "55488142 undirected closed tours on 6x8\n")
    told = json.loads(inside("jobs", "resume", job.id, "--json").stdout)
    assert (told["count"], told["board"], told["closed"], told["recorded"]) == (55_488_142, "6x8", True, True)
    assert facts_of(dict(job.spec.asked)).items() <= told.items()
