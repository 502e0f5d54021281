"""Running jobs: the same answer from every executor, and nothing lost or counted twice whatever happens."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from backrank import Budget, BudgetExceeded, InvalidPuzzle, Progress, Queens, UnknownName
from backrank.jobs import (
    JobPaused,
    JobProgress,
    JobSpec,
    JobStopped,
    Ledger,
    LedgerError,
    Outcome,
    Processes,
    Serial,
    Threads,
    UnitTask,
    WorkerDied,
    executor_of,
    perform,
    queens_job,
    run_job,
    runner,
)
from backrank.jobs.executors.local import KINDS, width_of
from backrank.jobs.progress import Pace
from backrank.queens.counting.spec import QueensCountSpec

ANSWER = 73712  # of 13 queens
TYPES = [
    (Queens(13), QueensCountSpec(), ANSWER),
    (Queens(12), QueensCountSpec(method="columnsets", up_to_symmetry=True), 1787),
    (Queens(11, holes=["a1"]), QueensCountSpec(method="tails"), None),
    (Queens(11, wrap="torus"), QueensCountSpec(method="rows"), 88),
    (Queens(12), QueensCountSpec(symmetry="180"), 80),
]


def job_of(units: int = 30) -> JobSpec:
    return queens_job(Queens(13).spec, QueensCountSpec(), units=units)


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with Ledger(tmp_path / "ledger.sqlite") as opened:
        yield opened


@pytest.fixture(scope="module")
def processes() -> Iterator[Processes]:
    with Processes(2) as executor:
        yield executor


class Meddling(Serial):
    """Does something before or after every unit."""

    def __init__(self, meddle: Callable[[UnitTask], object] = repr) -> None:
        self.meddle = meddle
        self.done: Counter[int] = Counter()

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.done[args[0].unit] += 1

        def work() -> Any:
            self.meddle(args[0])
            return fn(*args, **kwargs)

        return super().submit(work)


# --- executors --------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [*KINDS, "standard"])
@pytest.mark.parametrize(("puzzle", "request_", "answer"), TYPES, ids=str)
def test_every_executor_gives_the_same(
    ledger: Ledger, processes: Processes, kind: str, puzzle: Queens, request_: QueensCountSpec, answer: int | None
) -> None:
    executors: dict[str, Executor] = {"processes": processes, "standard": ThreadPoolExecutor(3)}
    executor = executors.get(kind) or executor_of(kind, 2)
    job = ledger.add(queens_job(puzzle.spec, request_, units=9))
    told: list[JobProgress] = []
    found = run_job(ledger, job.id, executor, on_progress=told.append)
    assert found == puzzle.count(symmetry=request_.symmetry, up_to_symmetry=request_.up_to_symmetry)
    assert answer is None or found == answer
    assert (ledger.job(job.id).state, len(ledger.outcomes(job.id))) == ("done", job.spec.units)
    assert [each.done for each in told] == sorted(each.done for each in told)
    assert (told[-1].done, told[-1].percent, told[-1].here) == (job.spec.units, 100.0, job.spec.units)
    assert run_job(ledger, job.id, Meddling(lambda task: pytest.fail(task.name))) == found, (
        "what is done is not done again"
    )


def test_executors_by_name() -> None:
    with executor_of("threads", 3) as threads, executor_of("processes", 2) as processes:
        assert (width_of(threads), width_of(processes), width_of(executor_of("serial"))) == (3, 2, 1)
    with pytest.raises(UnknownName, match="serial, threads, processes"):
        executor_of("cloud")
    with pytest.raises(InvalidPuzzle, match="1 to 1000"):
        executor_of("threads", 0)


def test_a_process_that_dies_takes_only_its_own_task_along(processes: Processes) -> None:
    futures = [processes.submit(os._exit, 3) if i == 2 else processes.submit(abs, -i) for i in range(6)]
    for i, future in enumerate(futures):
        if i == 2:
            with pytest.raises(WorkerDied, match="code 3"):
                future.result(60)
        else:
            assert future.result(60) == i
    with pytest.raises(ZeroDivisionError):
        processes.submit(divmod, 1, 0).result(60)
    kill = processes.submit(time.sleep, 600)
    while not processes.pids():
        pass
    processes.abandon()
    with pytest.raises(WorkerDied, match=r"signal 9|given up"):
        kill.result(60)
    assert processes.submit(abs, -7).result(60) == 7


def test_a_killed_worker_costs_its_unit_only(ledger: Ledger, processes: Processes) -> None:
    job = ledger.add(queens_job(Queens(16).spec, QueensCountSpec(), units=40))
    killed: list[int] = []
    told: list[JobProgress] = []

    def watch(progress: JobProgress) -> None:
        told.append(progress)
        if progress.done > 3 * (len(killed) + 1) and len(killed) < 3:
            killed.append(processes.pids()[0])
            os.kill(killed[-1], signal.SIGKILL)

    assert run_job(ledger, job.id, processes, on_progress=watch) == 14_772_512
    assert len(killed) == 3
    assert told[-1].failed <= 3, "one that had nothing to do costs nothing"
    assert len(ledger.outcomes(job.id)) == 40
    assert ledger.failures(job.id) == {}


# --- stopping and going on --------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_a_cancelled_run_keeps_what_is_done_and_goes_on(ledger: Ledger, processes: Processes, kind: str) -> None:
    job = ledger.add(job_of())
    executor = processes if kind == "processes" else executor_of(kind, 2)
    done = 0
    for _ in range(3):
        enough = threading.Event()

        def watch(progress: JobProgress, enough: threading.Event = enough) -> None:
            if progress.here >= 5:
                enough.set()

        with pytest.raises(BudgetExceeded, match="cancelled"):
            run_job(ledger, job.id, executor, Budget(cancelled=enough.is_set, interval=0), watch)
        assert ledger.job(job.id).state == "open"
        assert not ledger.job(job.id).is_running
        assert len(ledger.recorded(job.id)) >= done + 5
        done = len(ledger.recorded(job.id))
    assert run_job(ledger, job.id, executor) == ANSWER


def test_ctrl_c_in_a_program_records_what_is_done(ledger: Ledger) -> None:
    job = ledger.add(job_of())

    def interrupt(_: UnitTask) -> None:
        if len(ledger.recorded(job.id)) == 7:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_job(ledger, job.id, Meddling(interrupt))
    assert len(ledger.recorded(job.id)) == 7
    rest = Meddling()
    assert run_job(ledger, job.id, rest) == ANSWER
    assert sum(rest.done.values()) == 23


class Deaf(Executor):
    """Begins whatever it is given and never ends it; and whoever wants to leave is interrupted once more."""

    width = 1

    def __init__(self) -> None:
        self.begun: list[Future[Any]] = []

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        del fn, args, kwargs
        future: Future[Any] = Future()
        self.begun.append(future)
        future.set_running_or_notify_cancel()
        return future

    def abandon(self) -> None:
        raise KeyboardInterrupt


def test_whoever_does_not_wait_for_the_end_is_not_taken_for_alive(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "GRACE_SECONDS", 0.0)
    job, deaf = ledger.add(job_of()), Deaf()
    with pytest.raises(KeyboardInterrupt):
        run_job(ledger, job.id, deaf, Budget(cancelled=lambda: bool(deaf.begun), interval=0))
    assert deaf.begun
    assert not ledger.job(job.id).is_running


def test_a_time_limit_is_kept(ledger: Ledger) -> None:
    job = ledger.add(queens_job(Queens(20).spec, QueensCountSpec(), units=50))
    with Threads(2) as threads, pytest.raises(BudgetExceeded, match="time limit"):
        run_job(ledger, job.id, threads, Budget(seconds=0.3))


def test_the_order_does_not_matter(ledger: Ledger) -> None:
    orders = set()
    for seed in range(3):
        order: list[int] = []
        job = ledger.add(job_of(), again=True)
        assert run_job(ledger, job.id, Meddling(lambda task: order.append(task.unit)), rng=seed) == ANSWER  # noqa: B023
        orders.add(tuple(order))
        assert sorted(order) == list(range(30))
    assert len(orders) == 3


# --- failures ---------------------------------------------------------------------------------------


def test_a_unit_that_fails_is_tried_again(ledger: Ledger) -> None:
    job = ledger.add(job_of())
    failing = Meddling(lambda task: 1 // (failing.done[task.unit] > 2 or task.unit % 10 > 0))
    told: list[JobProgress] = []
    assert run_job(ledger, job.id, failing, on_progress=told.append) == ANSWER
    assert [failing.done[unit] for unit in range(12)] == [3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 3, 1]
    assert (told[-1].failed, told[-1].retried) == (6, 3)


def test_a_unit_that_fails_three_times_pauses_the_job(ledger: Ledger) -> None:
    job = ledger.add(job_of())
    failing = Meddling(lambda task: 1 // (task.unit != 4))
    with pytest.raises(JobPaused, match=rf"unit 4 has failed 3 times.*division.*jobs resume {job.id}") as caught:
        run_job(ledger, job.id, failing, rng=1)
    assert "\n" not in str(caught.value)
    assert failing.done[4] == 3
    found = ledger.job(job.id)
    assert (found.state, "division" in found.problem) == ("paused", True)
    assert ledger.failures(job.id)[4][0] == 3
    done = len(ledger.recorded(job.id))
    rest = Meddling()
    assert run_job(ledger, job.id, rest) == ANSWER
    assert sum(rest.done.values()) == 30 - done


@pytest.mark.usefixtures("always_looking")
def test_two_different_results_pause_the_job(ledger: Ledger) -> None:
    job = ledger.add(job_of())

    def meddle(task: UnitTask) -> None:
        if task.unit == 8:
            with Ledger(ledger.path) as other:
                other.record(job.id, [Outcome(8, "1", worker="other")])

    with pytest.raises(JobPaused, match=r"unit 8 .*twice, with different results: 1 is recorded"):
        run_job(ledger, job.id, Meddling(meddle))
    assert ledger.job(job.id).state == "paused"
    assert "twice" in ledger.job(job.id).problem


@pytest.fixture
def always_looking(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a run look at what others do all the time."""
    monkeypatch.setattr(runner, "LOOK_SECONDS", 0.0)


@pytest.mark.usefixtures("always_looking")
@pytest.mark.parametrize(("verb", "word"), [("cancel", "cancelled"), ("pause", "paused"), ("remove", "removed")])
def test_others_can_stop_a_job(ledger: Ledger, verb: str, word: str) -> None:
    job = ledger.add(job_of())

    def meddle(_: UnitTask) -> None:
        if len(ledger.recorded(job.id)) == 5:
            with Ledger(ledger.path) as other:
                getattr(other, verb)(job.id, *["why"] * (verb == "pause"))

    with pytest.raises(JobStopped, match=word):
        run_job(ledger, job.id, Meddling(meddle))
    if verb == "remove":
        assert ledger.jobs() == []
        return
    assert ledger.state(job.id) == word
    assert run_job(ledger, job.id, Serial()) == ANSWER


@pytest.mark.usefixtures("always_looking")
def test_two_runs_at_once_share_the_units(ledger: Ledger) -> None:
    job = ledger.add(job_of(60))
    answers: list[int] = []
    both = threading.Barrier(2, timeout=60)

    def crew_of_one() -> Meddling:
        crew = Meddling(lambda _: both.wait() if sum(crew.done.values()) == 1 else 0)
        return crew

    crews = [crew_of_one() for _ in range(2)]

    def work(crew: Meddling) -> None:
        with Ledger(ledger.path) as own:
            answers.append(run_job(own, job.id, crew))

    threads = [threading.Thread(target=work, args=(crew,)) for crew in crews]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [ANSWER, ANSWER]
    assert len(ledger.outcomes(job.id)) == 60
    counts = [sum(crew.done.values()) for crew in crews]
    assert 60 <= sum(counts) < 120, counts


def test_a_full_disk_stops_the_run_and_loses_nothing(ledger: Ledger) -> None:
    job = ledger.add(job_of(400))
    raw = ledger._connection
    [(pages,)] = raw.execute("PRAGMA page_count")
    raw.execute(f"PRAGMA max_page_count = {pages + 2}")
    with pytest.raises(LedgerError, match="disk is full; make room"):
        run_job(ledger, job.id, Serial())
    done = len(ledger.outcomes(job.id))
    assert 0 < done < 400
    raw.execute("PRAGMA max_page_count = 1000000")
    rest = Meddling()
    assert run_job(ledger, job.id, rest) == ANSWER
    assert sum(rest.done.values()) == 400 - done


# --- progress ---------------------------------------------------------------------------------------


def test_the_time_left_is_told_with_its_doubt() -> None:
    pace = Pace()
    assert pace.left(10, 2) == (None, None)
    for seconds in (1.0, 3.0, 2.0, 2.0):
        pace.add(seconds)
    left, doubt = pace.left(100, 2)
    assert left == 100.0
    assert doubt is not None
    assert 20 < doubt < 100
    for seconds in (1.0, 3.0, 2.0, 2.0) * 50:
        pace.add(seconds)
    closer = pace.left(100, 2)[1]
    assert closer is not None
    assert closer < doubt / 2
    assert pace.left(0, 2) == (0.0, 0.0)


def test_others_at_work_make_it_sooner(ledger: Ledger) -> None:
    spec = queens_job(Queens(12).spec, QueensCountSpec(method="columnsets"), units=40)
    job = ledger.add(spec).id
    with Ledger(ledger.path) as other:
        other.record(job, [perform(UnitTask(spec.to_json(), unit)) for unit in range(30, 34)])
    run = runner._JobRun(ledger, job, Serial(), Budget(), None, 0)
    run._record([perform(UnitTask(spec.to_json(), unit)) for unit in range(4)])
    alone = run.progress()
    with Ledger(ledger.path) as other:
        other.record(job, [perform(UnitTask(spec.to_json(), unit)) for unit in range(4, 12)])
    run._see_others()
    both = run.progress()
    assert (alone.done, both.done, both.here) == (8, 16, 4)
    assert both.rate == pytest.approx(3 * alone.rate)
    assert alone.left is not None
    assert both.left == pytest.approx(alone.left * 24 / 32 / 3)


def test_progress_is_told_as_plain_data(ledger: Ledger) -> None:
    told: list[JobProgress] = []
    seen: list[Progress] = []
    job = ledger.add(job_of())
    run_job(ledger, job.id, Serial(), Budget(progress=seen.append, interval=0), told.append)
    assert seen[-1].total == 30
    facts = told[len(told) // 2].to_dict()
    assert 0 < facts["percent"] < 100
    assert facts["found"].isdecimal()
    assert facts["left"] >= 0
    assert facts["rate"] > 0
    assert perform(UnitTask(job.spec.to_json(), 0)).unit == 0
