"""Jobs on a Dask cluster on loopback: the same answers, workers that die, join late, or have another version."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from shutil import copytree

import pytest

import backrank
from backrank import InvalidPuzzle, InvalidText, Queens
from backrank.jobs import (
    Cluster,
    ExecutorLost,
    JobProgress,
    Ledger,
    MissingDask,
    NoScheduler,
    Serial,
    WorkerDied,
    WorkerMismatch,
    queens_job,
    run_job,
)
from backrank.jobs.executors import cluster as cluster_module
from backrank.queens.counting.spec import QueensCountSpec

SECONDS = 60.0
ANSWER = 14_772_512  # of 16 queens


class Machines:
    """A scheduler and workers, each a process, that can be killed."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "scheduler.json"
        self._folder = folder
        self._all: list[subprocess.Popen[bytes]] = []
        where = ("--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--no-show")
        self.scheduler = self._start("dask_scheduler", *where, "--scheduler-file", str(self._file))
        wait_until(lambda: self._file.exists() and self._file.read_text().rstrip().endswith("}"))
        self.address = str(json.loads(self._file.read_text())["address"])

    def worker(self, **environment: str) -> subprocess.Popen[bytes]:
        where = ("--no-nanny", "--nthreads", "1", "--no-dashboard", "--local-directory", str(self._folder))
        return self._start("dask_worker", self.address, *where, **environment)

    def _start(self, module: str, *words: str, **environment: str) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            [sys.executable, "-m", f"distributed.cli.{module}", *words],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=self._folder,
            env={**os.environ, **environment},
        )
        self._all.append(process)
        return process

    def end(self) -> None:
        for process in reversed(self._all):
            process.kill()
            process.wait()


def wait_until(is_so: Callable[[], bool]) -> None:
    """Wait for something that other processes do."""
    deadline = time.monotonic() + SECONDS
    while not is_so():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.02)


@pytest.fixture
def machines(tmp_path: Path) -> Iterator[Machines]:
    made = Machines(tmp_path)
    yield made
    made.end()


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with Ledger(tmp_path / "ledger.sqlite") as opened:
        yield opened


def connected(machines: Machines) -> Cluster:
    return Cluster.connect(machines.address, answer_seconds=SECONDS)


@pytest.fixture(scope="module")
def local() -> Iterator[Cluster]:
    with Cluster.local(2) as made:
        yield made


@pytest.mark.parametrize(
    ("puzzle", "request_"),
    [
        (Queens(13), QueensCountSpec()),
        (Queens(12), QueensCountSpec(method="columnsets", up_to_symmetry=True)),
        (Queens(11, holes=["a1"]), QueensCountSpec(method="tails")),
        (Queens(11, wrap="torus"), QueensCountSpec(method="rows")),
        (Queens(12), QueensCountSpec(symmetry="90")),
    ],
    ids=str,
)
def test_a_cluster_gives_the_same(ledger: Ledger, local: Cluster, puzzle: Queens, request_: QueensCountSpec) -> None:
    job = ledger.add(queens_job(puzzle.spec, request_, units=9))
    told: list[JobProgress] = []
    found = run_job(ledger, job.id, local, on_progress=told.append)
    assert found == puzzle.count(symmetry=request_.symmetry, up_to_symmetry=request_.up_to_symmetry)
    assert [each.done for each in told] == sorted(each.done for each in told)
    assert told[-1].workers == 2


def test_the_dashboard_shows_units_by_name(ledger: Ledger, local: Cluster) -> None:
    job = ledger.add(queens_job(Queens(16).spec, QueensCountSpec(), units=20))
    names: set[str] = set()
    run_job(ledger, job.id, local, on_progress=lambda _: names.update(map(str, local.client.futures)))
    assert names
    assert names <= {f"queens-unit-{unit}-of-20-job-{job.id}" for unit in range(20)}
    assert local.dashboard.startswith("http")


def test_it_is_an_executor_like_any_other(local: Cluster) -> None:
    assert list(local.map(abs, [-1, 2, -3])) == [1, 2, 3]
    with pytest.raises(ZeroDivisionError):
        local.submit(divmod, 1, 0).result(SECONDS)


def test_a_killed_worker_costs_its_unit_only_and_a_late_one_is_used(ledger: Ledger, machines: Machines) -> None:
    first, job = machines.worker(), ledger.add(queens_job(Queens(16).spec, QueensCountSpec(), units=60))
    late: list[subprocess.Popen[bytes]] = []
    with connected(machines) as cluster:

        def watch(progress: JobProgress) -> None:
            if progress.done >= 4 and not late:
                late.append(machines.worker())
                wait_until(lambda: len(cluster.client.nthreads()) == 2)
            elif progress.done >= 20 and first.poll() is None and progress.workers == 2:
                first.send_signal(signal.SIGKILL)
                first.wait()

        assert run_job(ledger, job.id, cluster, on_progress=watch) == ANSWER
    assert first.poll() is not None, "it was killed in the middle"
    workers = {outcome.worker.rpartition(":")[2] for outcome in ledger.outcomes(job.id)}
    assert workers == {str(first.pid), str(late[0].pid)}
    assert ledger.failures(job.id) == {}


def test_a_scheduler_that_goes_leaves_what_is_recorded(ledger: Ledger, machines: Machines) -> None:
    machines.worker()
    job = ledger.add(queens_job(Queens(16).spec, QueensCountSpec(), units=40))
    with connected(machines) as cluster:

        def watch(progress: JobProgress) -> None:
            if progress.done >= 5:
                machines.scheduler.kill()

        with pytest.raises(ExecutorLost, match="scheduler") as caught:
            run_job(ledger, job.id, cluster, on_progress=watch)
    assert "\n" not in str(caught.value)
    assert len(ledger.recorded(job.id)) >= 5
    assert run_job(ledger, job.id, Serial()) == ANSWER


def of_another_version(folder: Path) -> dict[str, str]:
    """Environment in which Python finds a copy of the package that says it is of another version."""
    copytree(Path(backrank.__file__).parent, folder / "other" / "backrank", ignore=lambda *_: {"__pycache__"})
    (folder / "other" / "backrank" / "_version.py").write_text('__version__ = "99.1"\n')
    return {"PYTHONPATH": str(folder / "other")}


def joined(machines: Machines) -> Cluster:
    """A cluster as soon as it has a good worker."""
    while True:
        try:
            return connected(machines)
        except WorkerMismatch:
            continue  # the good one has not joined yet


def test_workers_of_another_version_are_refused(ledger: Ledger, machines: Machines, tmp_path: Path) -> None:
    other = of_another_version(tmp_path)
    machines.worker(**other)
    with pytest.raises(WorkerMismatch, match=rf"has backrank 99\.1, .*needs backrank {backrank.__version__}") as caught:
        connected(machines)
    assert "\n" not in str(caught.value)
    good = machines.worker()
    job = ledger.add(queens_job(Queens(13).spec, QueensCountSpec(), units=20))

    with joined(machines) as cluster:
        wait_until(lambda: cluster.width == 1 and len(cluster.refused) == 1)
        assert run_job(ledger, job.id, cluster) == 73_712
    assert {outcome.worker.rpartition(":")[2] for outcome in ledger.outcomes(job.id)} == {str(good.pid)}


def test_units_that_no_worker_may_do_come_back(machines: Machines, tmp_path: Path) -> None:
    good = machines.worker()
    with connected(machines) as cluster:
        machines.worker(**of_another_version(tmp_path))
        wait_until(lambda: cluster.width == 1 and len(cluster.refused) == 1)
        future = cluster.submit(time.sleep, 600)
        good.kill()
        wait_until(lambda: cluster.width > 0 and future.done())
        with pytest.raises(WorkerDied, match="have left"):
            future.result(SECONDS)


def test_who_does_not_answer_is_told_in_one_line(machines: Machines) -> None:
    for address, words in (
        ("tcp://127.0.0.1:1", r"no scheduler answers at tcp://127\.0\.0\.1:1 \(connection refused\).*dask scheduler"),
        ("tls://127.0.0.1:1", "wants certificates"),
        (machines.address, "has no workers; start some with 'dask worker"),
    ):
        with pytest.raises(NoScheduler, match=words) as caught:
            Cluster.connect(address, answer_seconds=1.0)
        assert "\n" not in str(caught.value)
    with pytest.raises(InvalidPuzzle, match="1 to 1000"):
        Cluster.local(0)


def test_the_address_of_a_worker_names_that_of_its_scheduler(machines: Machines) -> None:
    machines.worker()
    with connected(machines) as cluster:
        [worker] = cluster.client.nthreads()
    with pytest.raises(NoScheduler, match="Dask worker, not of a scheduler; give that of its scheduler") as caught:
        Cluster.connect(worker)
    assert str(caught.value).startswith(worker)
    assert str(caught.value).endswith(machines.address)


def test_a_suspended_scheduler_is_told_and_so_is_one_that_is_suspended_meanwhile(
    ledger: Ledger, machines: Machines, monkeypatch: pytest.MonkeyPatch
) -> None:
    machines.worker()
    job = ledger.add(queens_job(Queens(16).spec, QueensCountSpec(), units=400))
    monkeypatch.setattr(cluster_module, "REPLY_SECONDS", 0.3)
    monkeypatch.setattr(cluster_module, "LOST_SECONDS", 1.0)
    with connected(machines) as cluster:

        def watch(progress: JobProgress) -> None:
            if progress.done >= 5:
                machines.scheduler.send_signal(signal.SIGSTOP)

        with pytest.raises(ExecutorLost, match="the scheduler has not answered for 1 s; what is recorded stays"):
            run_job(ledger, job.id, cluster, on_progress=watch)
    with pytest.raises(NoScheduler, match="accepts connections and sends nothing"):
        Cluster.connect(machines.address, answer_seconds=1.0)


@pytest.mark.parametrize(
    "address", ["pigeon://post", "", "tcp://", "host", "tcp://host", "host:0", "host:65536", "http://host:80", "a b:1"]
)
def test_what_can_be_no_address_is_not_waited_for(address: str) -> None:
    with pytest.raises(InvalidText, match=r"is not the address of a scheduler; write tcp://host:8786"):
        Cluster.connect(address)


@pytest.mark.parametrize("address", ["host:1", "tcp://10.0.0.1:65535", "tls://[::1]:8786", "ws://a-b.example:80"])
def test_addresses(address: str) -> None:
    cluster_module.require_address(address)


def test_the_command_counts_on_a_cluster(
    backrank: Callable[..., subprocess.CompletedProcess[str]], machines: Machines, tmp_path: Path
) -> None:
    worker = machines.worker()
    with connected(machines) as cluster:
        machines.worker(**of_another_version(tmp_path))
        wait_until(lambda: cluster.width == 1 and len(cluster.refused) == 1)
    words = ("count", "queens", "16", "--units", "12", "--scheduler", machines.address)
    done = backrank(*words, BACKRANK_LEDGER=str(tmp_path / "ledger.sqlite"))
    assert (done.returncode, done.stdout) == (0, f"{ANSWER} placements of 16 queens on 16x16\n")
    begun, dashboard, refused = done.stderr.splitlines()
    assert (begun.split()[0], dashboard.split()[0]) == ("job", "dashboard:")
    assert "has backrank 99.1" in refused
    assert refused.endswith("it is refused")
    with Ledger(tmp_path / "ledger.sqlite") as ledger:
        [job] = ledger.jobs()
        assert {outcome.worker.rpartition(":")[2] for outcome in ledger.outcomes(job.id)} == {str(worker.pid)}


def test_the_command_tells_in_one_line_that_the_scheduler_has_gone(
    command: str, environment: dict[str, str], machines: Machines, tmp_path: Path
) -> None:
    machines.worker()
    path = tmp_path / "ledger.sqlite"
    words = ("count", "queens", "16", "--units", "40", "--scheduler", machines.address, "--ledger", str(path), "--json")
    with subprocess.Popen([command, *words], env=environment, stderr=subprocess.PIPE, text=True) as process:
        wait_until(path.exists)
        with Ledger(path) as ledger:
            wait_until(lambda: any(job.done for job in ledger.jobs()))
        machines.scheduler.kill()
        _, told = process.communicate(timeout=SECONDS)
    *events, line = told.splitlines()
    assert (process.returncode, line.partition(" ")[0]) == (3, "backrank:")
    assert "what is recorded stays; 'backrank jobs resume" in line
    last = json.loads(events[-1])
    assert (last["event"], last["resume"].split()[:3]) == ("stopped", ["backrank", "jobs", "resume"])
    assert {json.loads(event)["event"] for event in events} >= {"job", "dashboard", "progress", "stopped"}


def test_without_dask_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MissingDask, match=r"pip install 'backrank\[cluster\]'"):
        Cluster.connect("tcp://127.0.0.1:8786")
    assert cluster_module.ANSWER_SECONDS >= 5
