"""`--time-limit` is wall time from the beginning of the command: imports, compilations and `--verify` included."""

from __future__ import annotations

import json
import logging
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from numba.core import config as untyped

from backrank.cli import command, main, progress
from backrank.cli.command import KERNELS
from backrank.cli.progress import ProgressLine
from backrank.errors import BudgetExceeded
from backrank.geometry.board import Board
from backrank.jobs.counts import Counted
from backrank.runtime import budget
from backrank.runtime._jit import jit, jit_inside
from backrank.runtime.context import Context
from backrank.tours.counting.spec import TourCountSpec
from backrank.tours.ranking.prefixes import beginnings_of
from backrank.tours.spec import TourSpec
from clocks import Clock

config: Any = untyped
LOGGER = logging.getLogger(KERNELS)
Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    own = Clock()
    for module in (budget, progress, command):
        monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=own.monotonic))
    return own


def compiling(stage: str) -> None:
    LOGGER.info("%s of a kernel", stage, extra={"stage": stage})


def run(work: Callable[[ProgressLine], object], **options: Any) -> None:
    with ProgressLine("counting", **options) as line:
        work(line)


def stopped(work: Callable[[ProgressLine], object], **options: Any) -> str:
    """What is said when a limit stops some work."""
    with pytest.raises(BudgetExceeded) as caught:
        run(work, **options)
    return str(caught.value)


# --- when the limit is looked at --------------------------------------------------------------------


def test_a_limit_that_runs_out_while_a_kernel_is_compiled(clock: Clock) -> None:
    def work(_: ProgressLine) -> None:
        compiling("begin")
        clock.now += 9.5
        compiling("end")

    told = stopped(work, seconds=2)
    assert told == (
        "the time limit of 2 s was reached while kernels were compiled, which took 9.5 s (once on this machine): "
        "nothing is proven; try again"
    )


def test_what_a_kernel_calls_is_compiled_with_it(clock: Clock) -> None:
    """Stopped in between, the time that went into the outer one would be lost at each try."""
    done = []

    def work(_: ProgressLine) -> None:
        compiling("begin")
        clock.now += 3
        compiling("begin")
        clock.now += 3
        compiling("end")
        done.append("inner")
        compiling("end")
        done.append("more")

    assert "which took 6.0 s" in stopped(work, seconds=2)
    assert done == ["inner"]


def test_no_kernel_is_compiled_after_the_limit(clock: Clock) -> None:
    def work(_: ProgressLine) -> None:
        clock.now += 2
        compiling("begin")

    assert "the time limit of 2 s was reached before a kernel was compiled" in stopped(work, seconds=2)


def test_between_two_kernels_the_limit_is_looked_at(clock: Clock) -> None:
    done = []

    def work(_: ProgressLine) -> None:
        for number in range(5):
            compiling("begin")
            clock.now += 1
            compiling("end")
            done.append(number)

    assert "which took 2.0 s" in stopped(work, seconds=2)
    assert done == [0]


def test_a_limit_that_work_has_used_up_says_so(clock: Clock) -> None:
    def work(line: ProgressLine) -> None:
        compiling("begin")
        clock.now += 3
        compiling("end")
        meter = line.budget.start()
        clock.now += 100
        meter.tick(7)

    assert (
        stopped(work, seconds=20) == "the time limit of 20 s was reached after 7 calls and 103.0 s: nothing is proven"
    )


def test_work_that_would_have_ended_without_compilations(clock: Clock) -> None:
    def work(line: ProgressLine) -> None:
        compiling("begin")
        clock.now += 6
        compiling("end")
        meter = line.budget.start()
        clock.now += 14
        meter.tick(7)

    assert "while kernels were compiled, which took 6.0 s" in stopped(work, seconds=20)


def test_a_limit_of_calls_is_told_as_such(clock: Clock) -> None:
    def work(line: ProgressLine) -> None:
        meter = line.budget.start()
        compiling("begin")
        clock.now += 1.5
        compiling("end")
        clock.now += 9
        meter.tick(7)

    assert stopped(work, seconds=2, calls=7).startswith("the limit of 7 calls was reached")


def test_other_threads_are_not_stopped_in_a_compilation(clock: Clock) -> None:
    """What waits for them keeps the limit; the work of a thread must not look as if it had failed."""
    failed: list[BaseException] = []

    def work() -> None:
        try:
            compiling("begin")
            clock.now += 5
            compiling("end")
        except BudgetExceeded as error:
            failed.append(error)

    with ProgressLine("counting", seconds=2):
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    assert not failed


def test_without_a_limit_compilations_take_as_long_as_they_take(clock: Clock) -> None:
    with ProgressLine("counting"):
        compiling("begin")
        clock.now += 1e6
        compiling("end")
    assert LOGGER.level == logging.NOTSET


def test_a_kernel_that_was_compiled_too_long_is_kept(
    clock: Clock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Numba's own compilation: it is stopped when the kernel is saved, with what it calls."""
    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path))

    @jit_inside
    def inner(number: int) -> int:
        return number + 3

    @jit
    def outer(number: int) -> int:
        return 2 * inner(number)

    def wait(record: logging.LogRecord) -> None:
        clock.now += 5 * (getattr(record, "stage", "") == "begin")

    slow = logging.Handler()
    slow.emit = wait  # type: ignore[method-assign] # all that it is for

    def work(_: ProgressLine) -> None:
        LOGGER.addHandler(slow)
        try:
            outer(4)
        finally:
            LOGGER.removeHandler(slow)

    assert "while kernels were compiled, which took 10.0 s" in stopped(work, seconds=2)
    assert len(list(tmp_path.rglob("*.kernel"))) == 2
    with ProgressLine("counting", seconds=2):
        assert outer(4) == 14


# --- from when it is counted ------------------------------------------------------------------------


def test_it_is_counted_from_the_beginning_of_the_command(clock: Clock) -> None:
    with command.command(began=990.0):
        clock.now += 3
        line = ProgressLine("counting", seconds=20)
        assert line.budget.seconds_left == 7
        assert ProgressLine("counting").budget.since is None
    assert ProgressLine("counting", seconds=20).budget.seconds_left == 20


@pytest.fixture
def late(inside: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run commands that began a thousand seconds ago."""
    monkeypatch.setattr(
        main, "time", SimpleNamespace(monotonic=lambda: time.monotonic() - 1000, process_time=lambda: 0)
    )
    return inside


WORK = (
    "solve tour 8x8 --start b8 --strategy fixed --order python",
    "solve tour 7x7 --closed --piece 1,4 --wrap torus",
    "solve tour 60x60 --piece 2,5 --seed 3",
    "solve queens 40 --strategy rows",
    "list tours 6x6 -o {file}",
    "list queens 16 -o {file}",
    "list queens 16 --format names -o {file}",
    "count tours 6x6",
    "count tours 6x6 --method frontier",
    "count tours 6x6 --method listing",
    "count tours 6x6 --up-to-symmetry",
    "count tours 8x8 --closed --symmetry 180",
    "count tours 6x6 --strictly-open",
    "count tours 6x6 --begin f1,d2",
    "count tours 7x7 --estimate",
    "count tours 6x8 --closed --ledger {file}",
    "count queens 17",
    "count queens 13 --method rows",
    "count queens 16 --method tails",
    "count queens 16 --up-to-symmetry",
    "count queens 20 --symmetry 180",
    "count queens 16 --ledger {file}",
    "count queens 16 --executor serial --ledger {file}",
    "sample tours 6x6",
    "sample queens 14",
    "sample queens 4 -n 100000 --format columns -o {file}",
    "sample queens 40 --not-uniform -o {file}",
)


@pytest.mark.parametrize("words", WORK)
def test_every_command_keeps_it(words: str, late: Run, tmp_path: Path) -> None:
    beginnings_of.cache_clear()  # what an earlier test has counted takes no time
    done = late(*words.format(file=tmp_path / "file").split(), "--time-limit", "900")
    assert (done.returncode, done.stdout) == (3, ""), done
    assert "the time limit of 900 s was reached" in done.stderr


def test_a_job_that_is_resumed_keeps_it(late: Run, inside: Run, tmp_path: Path) -> None:
    ledger = str(tmp_path / "ledger.sqlite")
    late("count", "queens", "16", "--ledger", ledger, "--units", "9", "--time-limit", "900")
    (job,) = [json.loads(line) for line in inside("jobs", "--ledger", ledger, "--json").stdout.splitlines()]
    done = late("jobs", "resume", job["id"], "--ledger", ledger, "--time-limit", "900")
    assert (done.returncode, done.stdout) == (3, "")
    assert "the time limit of 900 s was reached" in done.stderr


# --- verification -----------------------------------------------------------------------------------


@pytest.mark.parametrize("more", [(), ("--up-to-symmetry",), ("-q",)])
def test_a_count_that_is_not_verified_in_time(
    more: tuple[str, ...], late: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The count itself was done in time; its number stands nowhere without the words that it is not verified."""
    monkeypatch.setattr("backrank.jobs.counts.run_count", lambda *_, **__: Counted(9862))
    done = late("count", "tours", "6x6", "--closed", "--verify", "--time-limit", "900", *more)
    assert (done.returncode, done.stdout) == (3, "")
    kind = f"9862 undirected closed tours on 6x6{', up to symmetry' * ('--up-to-symmetry' in more)}"
    assert f"backrank: counted {kind}, but not verified: the time limit of 900 s was reached" in done.stderr


def test_programs_are_told_that_it_is_not_verified(late: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("backrank.jobs.counts.run_count", lambda *_, **__: Counted(9862))
    done = late("count", "tours", "6x6", "--closed", "--verify", "--time-limit", "900", "--json")
    answer = json.loads(done.stdout)
    assert (done.returncode, answer["count"], answer["verified"]) == (3, 9862, False)


def test_one_limit_holds_for_the_count_and_its_verification(inside: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """The verification is not given the whole time once more."""
    left: list[float] = []

    def verify(spec: TourSpec, wanted: TourCountSpec, answer: int, context: Context) -> None:
        assert (spec.board, wanted.directed, answer) == (Board(5, 6), False, 8)
        left.append(context.budget.seconds_left or 0.0)
        raise BudgetExceeded("stopped by the test", context.budget.start().now())

    monkeypatch.setattr(main, "time", SimpleNamespace(monotonic=lambda: time.monotonic() - 400, process_time=lambda: 0))
    monkeypatch.setattr("backrank.tours.counting.run.verify", verify)
    assert inside("count", "tours", "5x6", "--closed", "--verify", "--time-limit", "900").returncode == 3
    assert 0 < left[0] <= 500


def test_a_new_process_counts_from_before_its_imports(backrank: Run, tmp_path: Path) -> None:
    """Its limit is over when the first kernel is to be compiled."""
    done = backrank("count", "tours", "6x6", "--time-limit", "0.01", NUMBA_CACHE_DIR=str(tmp_path))
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.startswith("backrank: the time limit of 0.01 s was reached")
    assert done.stderr.count("\n") == 1
    assert not list(tmp_path.rglob("*.kernel"))
