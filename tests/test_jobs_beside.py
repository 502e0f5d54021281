"""Who is at work on a job, told by locks; and what is removed beside a ledger."""

from __future__ import annotations

import errno
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from backrank import Budget, BudgetExceeded, KnightTours
from backrank.jobs import JobProgress, JobStopped, Ledger, LedgerError, Serial, run_job, tours_job
from backrank.jobs import sidecar as beside
from backrank.jobs.sidecar import at_work, is_at_work, layers_path, lock_path
from backrank.tours.counting.folder import MANIFEST, LayerFolder
from backrank.tours.spec import TourSpec

JOB = "3f2a91c0"
AT_WORK = """
import sys
from pathlib import Path
from backrank.jobs.sidecar import at_work
with at_work(Path(sys.argv[1]), sys.argv[2], alone=len(sys.argv) > 3) as mine:
    print(mine, flush=True)
    sys.stdin.read()
"""
Begin = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def begin(environment: dict[str, str]) -> Iterator[Begin]:
    """Start another process that is at work."""
    started: list[subprocess.Popen[str]] = []

    def start(path: Path, job: str = JOB, *words: str) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-c", AT_WORK, str(path), job, *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        )
        started.append(process)
        assert process.stdout is not None
        assert process.stdout.readline() == "True\n"
        return process

    yield start
    for process in started:
        process.kill()
        process.communicate()


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with Ledger(tmp_path / "ledger.sqlite") as opened:
        yield opened


@pytest.fixture
def job(ledger: Ledger) -> str:
    board = KnightTours(6, closed=True).board
    return ledger.add(tours_job(TourSpec(board, KnightTours(6).piece, True, None, None), directed=False)).id


def test_several_may_be_at_work_and_the_last_removes_the_file(tmp_path: Path) -> None:
    path = tmp_path / "ledger.sqlite"
    assert is_at_work(path, JOB) is None
    with at_work(path, JOB) as one:
        with at_work(path, JOB) as two:
            assert one
            assert two
        assert is_at_work(path, JOB)
        assert not is_at_work(path, "00000000")
    assert list(tmp_path.iterdir()) == []


def test_of_those_that_leave_at_the_same_moment_one_removes_the_file(tmp_path: Path) -> None:
    path, both = tmp_path / "ledger.sqlite", threading.Barrier(2)

    def come_and_go() -> None:
        with at_work(path, JOB):
            both.wait(100)

    for _ in range(100):
        threads = [threading.Thread(target=come_and_go) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not lock_path(path, JOB).exists()


def test_who_works_alone_keeps_others_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(beside, "PATIENCE_SECONDS", 0.05)
    path = tmp_path / "ledger.sqlite"
    with at_work(path, JOB, alone=True) as mine:
        assert mine
        with at_work(path, JOB, alone=True) as others:
            assert not others
        assert is_at_work(path, JOB)
    with at_work(path, JOB, alone=True) as mine:
        assert mine


def test_whoever_looks_keeps_nobody_away(tmp_path: Path) -> None:
    path, ended = tmp_path / "ledger.sqlite", threading.Event()

    def look() -> None:
        while not ended.is_set():
            is_at_work(path, JOB)

    looking = threading.Thread(target=look)
    looking.start()
    try:
        for _ in range(100):
            with at_work(path, JOB, alone=True) as mine:
                assert mine
    finally:
        ended.set()
        looking.join()


def test_a_killed_process_is_not_taken_for_one_that_works(ledger: Ledger, job: str, begin: Begin) -> None:
    other = begin(ledger.path, job, "alone")
    ledger.beat(job)
    assert ledger.job(job).is_running
    ledger._connection.execute("UPDATE job SET beat = 1")
    assert ledger.job(job).is_running, "however long it has given no sign of life"
    with pytest.raises(JobStopped, match="another process is working"):
        run_job(ledger, job, Serial())
    ledger.beat(job)
    other.kill()
    other.wait()
    assert not ledger.job(job).is_running
    assert run_job(ledger, job, Serial()) == 9862
    assert not lock_path(ledger.path, job).exists()


def test_who_has_cancelled_and_resumes_waits_for_the_other_to_leave(ledger: Ledger, job: str, begin: Begin) -> None:
    begin(ledger.path, job, "alone")
    ledger.cancel(job)
    with pytest.raises(JobStopped, match="another process is working"):
        run_job(ledger, job, Serial())
    assert ledger.state(job) == "cancelled"


def test_who_cannot_say_that_it_leaves_is_not_taken_for_alive(ledger: Ledger, job: str) -> None:
    ledger.beat(job)
    with pytest.raises(LedgerError), at_work(ledger.path, job):
        raise LedgerError("the disk is full")
    assert not ledger.job(job).is_running


def test_without_locks_signs_of_life_have_to_do(ledger: Ledger, job: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.ENOLCK, "no locks available")

    monkeypatch.setattr("fcntl.flock", refuse)
    with at_work(ledger.path, job, alone=True) as mine:
        assert mine
    assert is_at_work(ledger.path, job) is None
    ledger.beat(job)
    assert ledger.job(job).is_running
    ledger.beat(job, alive=False)
    assert run_job(ledger, job, Serial()) == 9862


# --- what lies beside -------------------------------------------------------------------------------


def stopped(ledger: Ledger, job: str) -> Path:
    """Stop a job of tours in the middle, and return the folder of its layers."""
    budget = Budget(cancelled=lambda: len(ledger.recorded(job)) > 8, interval=0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(LayerFolder, "keeper", lambda folder, **_: folder.save)
        with pytest.raises(BudgetExceeded):
            run_job(ledger, job, Serial(), budget)
    folder = layers_path(ledger.path, job)
    assert (folder / MANIFEST).exists()
    return folder


def test_a_job_that_is_removed_takes_its_layers_along(ledger: Ledger, job: str) -> None:
    folder = stopped(ledger, job)
    lock_path(ledger.path, job).touch()
    assert ledger.remove(job)
    assert not folder.parent.exists()
    assert not lock_path(ledger.path, job).exists()
    assert not ledger.remove(job)


def test_nothing_of_others_is_removed(ledger: Ledger, job: str) -> None:
    folder = stopped(ledger, job)
    (folder / "letter.txt").write_text("Dear Ada")
    ledger.remove(job)
    assert [path.name for path in folder.iterdir()] == ["letter.txt"]
    outside = ledger.path.with_name("outside")
    outside.mkdir()
    (outside / "layer-1.npy").touch()
    beside.forget(ledger.path, "../outside")
    assert (outside / "layer-1.npy").exists()


def test_a_job_that_is_removed_while_it_runs_leaves_nothing(ledger: Ledger, job: str) -> None:
    def remove(progress: JobProgress) -> None:
        if progress.done > 8:
            with Ledger(ledger.path) as other:
                other.remove(job)

    with pytest.raises(JobStopped, match=r"removed from the ledger meanwhile$"):
        run_job(ledger, job, Serial(), Budget(interval=0), remove)
    assert not layers_path(ledger.path, job).parent.exists()
    assert not lock_path(ledger.path, job).exists()


@pytest.mark.parametrize("left", ["layer-0.npy", "layer-0.npy.new", "manifest.json.new"])
def test_killed_before_the_first_layer_was_whole(ledger: Ledger, job: str, left: str) -> None:
    folder = layers_path(ledger.path, job)
    folder.mkdir(parents=True)
    (folder / left).write_bytes(b"half")
    assert run_job(ledger, job, Serial()) == 9862
    assert not folder.exists()


def test_killed_at_the_very_end(ledger: Ledger, job: str) -> None:
    assert run_job(ledger, job, Serial()) == 9862
    folder = layers_path(ledger.path, job)
    folder.mkdir(parents=True)
    (folder / "layer-30.npy").touch()
    assert run_job(ledger, job, Serial()) == 9862
    assert not folder.parent.exists()


def test_no_room_for_a_layer_is_told_and_loses_nothing(
    ledger: Ledger, job: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(LayerFolder, "keeper", lambda *_, **__: fail)
        with pytest.raises(LedgerError, match=r"cannot be kept: no space left on device; see to it, and resume"):
            run_job(ledger, job, Serial())
    before = ledger.outcomes(job)
    assert before
    assert not ledger.job(job).is_running
    assert run_job(ledger, job, Serial()) == 9862
    assert ledger.outcomes(job)[: len(before)] == before


def test_damaged_layers_are_told_and_can_be_made_again(ledger: Ledger, job: str) -> None:
    folder = stopped(ledger, job)
    [layer] = folder.glob("layer-*.npy")
    content = bytearray(layer.read_bytes())
    content[-1] ^= 1
    layer.write_bytes(content)
    with pytest.raises(LedgerError, match=r"damaged.*remove that folder, and the job begins again") as caught:
        run_job(ledger, job, Serial())
    assert str(folder) in str(caught.value)
    assert layer.read_bytes() == content
    assert not ledger.job(job).is_running
    beside.forget_layers(ledger.path, job)
    assert run_job(ledger, job, Serial()) == 9862
