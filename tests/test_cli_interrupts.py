"""Ctrl-C and SIGTERM: the first ends a command in good order, the second at once, whatever the process is doing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from backrank.cli.interrupts import Interrupts, interruptible
from backrank.jobs import Ledger, queens_job
from backrank.queens import Queens
from backrank.queens.counting.spec import QueensCountSpec

SECONDS = 20.0  # far less than what is interrupted takes, far more than leaving takes
LONG = "count queens 20 --units 5"  # each unit takes about half a minute

PRELUDE = """
import atexit, multiprocessing, signal, sys, threading, time
from backrank.cli.interrupts import Interrupts, leave
interrupts = Interrupts.installed()
interrupts.release()
def say(word):
    sys.stdout.write(word + "\\n"); sys.stdout.flush()
def swallow():
    word = "ready"
    while True:
        try:
            say(word)
            time.sleep(60)
        except KeyboardInterrupt:
            word = "first"
def first(then):
    try:
        say("ready")
        time.sleep(60)
    except KeyboardInterrupt:
        say("first")
        then()
def hold():
    thread = threading.Thread(target=time.sleep, args=(60,))
    thread.start()
    return thread
"""

STUCK = {
    "an exception that is swallowed": "swallow()",
    "a join": "first(hold().join)",
    "the end of the interpreter": "hold(); first(sys.exit)",
    "an exit function": "atexit.register(time.sleep, 60); first(lambda: leave(130, at_work=True))",
    "a registered exit function": "atexit.register(time.sleep, 60); first(sys.exit)",
    "a finally that waits": "first(lambda: threading.Event().wait())",
    "a lock of standard output": "first(lambda: sys.stdout.write('x' * 10_000_000))",
    "a pause that is noted": """
with interrupts.noted("'the same'") as is_stopped:
    say("ready")
    while not is_stopped():
        time.sleep(0.01)
    say("first")
    time.sleep(60)
""",
}


@pytest.mark.parametrize("where", STUCK)
def test_a_second_signal_leaves_from_anywhere(where: str) -> None:
    script = PRELUDE + STUCK[where]
    with subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, bufsize=1
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == "ready\n"
        process.send_signal(signal.SIGINT)
        assert process.stdout.readline() == "first\n"
        began = time.monotonic()
        process.send_signal(signal.SIGINT)
        assert process.wait(SECONDS) == 130
        assert time.monotonic() - began < SECONDS
        goes_on = "; 'the same' goes on" if "noted" in where else ""
        assert process.stderr.read() == f"backrank: stopped at once{goes_on}\n"


def test_children_end_with_a_second_signal(tmp_path: Path) -> None:
    (tmp_path / "sleeper.py").write_text(
        PRELUDE.replace("interrupts = Interrupts.installed()\ninterrupts.release()\n", "")
        + """
if __name__ == "__main__":
    interrupts = Interrupts.installed()
    interrupts.release()
    child = multiprocessing.get_context("spawn").Process(target=time.sleep, args=(60,))
    child.start()
    say(str(child.pid))
    swallow()
"""
    )
    with subprocess.Popen([sys.executable, tmp_path / "sleeper.py"], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        child = psutil.Process(int(process.stdout.readline()))
        assert process.stdout.readline() == "ready\n"
        process.send_signal(signal.SIGINT)
        assert process.stdout.readline() == "first\n"
        process.send_signal(signal.SIGINT)
        assert process.wait(SECONDS) == 130
        psutil.wait_procs([child], timeout=SECONDS)
        assert not is_alive(child)


def is_alive(process: psutil.Process) -> bool:
    try:
        return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def test_ignored_signals_stay_ignored() -> None:
    script = (
        "import signal\nsignal.signal(signal.SIGHUP, signal.SIG_IGN)\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\n"
        + PRELUDE
        + "signal.raise_signal(signal.SIGHUP); signal.raise_signal(signal.SIGINT); leave(0, at_work=False)"
    )
    assert subprocess.run([sys.executable, "-c", script], check=False, timeout=SECONDS).returncode == 0


def test_an_interruption_that_was_lost_is_raised_again() -> None:
    """In a finalizer nothing can be raised; Python would print a traceback and go on."""
    script = (
        PRELUDE
        + """
class Lost:
    def __del__(self):
        signal.raise_signal(signal.SIGINT)
        time.sleep(0)
try:
    lost = Lost()
    del lost
    time.sleep(60)
except KeyboardInterrupt:
    say("raised")
"""
    )
    done = subprocess.run([sys.executable, "-c", script], check=False, timeout=SECONDS, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("raised\n", "")


def test_inside_another_program_a_second_ctrl_c_is_an_exception() -> None:
    before = signal.getsignal(signal.SIGINT)
    with interruptible() as is_stopped:
        assert Interrupts.current() is not None
        assert not is_stopped()
        signal.raise_signal(signal.SIGINT)
        assert is_stopped()
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is before
    told: list[bool] = []

    def elsewhere() -> None:
        with interruptible() as is_stopped:
            told.append(is_stopped())

    thread = threading.Thread(target=elsewhere)
    thread.start()
    thread.join()
    assert told == [False]


# --- the command ------------------------------------------------------------------------------------


class Running:
    """The command in a process group of its own, as at a terminal."""

    def __init__(self, command: str, environment: dict[str, str], words: str, cwd: Path) -> None:
        self.book = cwd / "ledger.sqlite"
        self.process = subprocess.Popen(
            [command, *words.split()],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=cwd,
            env={**environment, "BACKRANK_LEDGER": str(self.book)},
            start_new_session=True,
        )

    def send(self, number: int = signal.SIGINT) -> None:
        os.killpg(self.process.pid, number)

    def wait_for_start(self) -> None:
        """Wait until signals are handled: Python itself leaves SIGTERM alone."""
        status = Path(f"/proc/{self.process.pid}/status")
        while not int(status.read_text().partition("SigCgt:")[2].split()[0], 16) >> (signal.SIGTERM - 1) & 1:
            assert self.process.poll() is None
            time.sleep(0.002)

    def wait_for_work(self) -> None:
        """Wait until a job is being worked on."""
        deadline = time.monotonic() + 100
        while not (self.book.exists() and self._is_running()):
            assert time.monotonic() < deadline
            assert self.process.poll() is None
            time.sleep(0.02)

    def _is_running(self) -> bool:
        with Ledger(self.book) as ledger:
            return any(job.is_running for job in ledger.jobs())

    def ended(self) -> tuple[int, str, str]:
        """The exit code and what was printed, within the limit; nothing of the group is left."""
        group = [one for one in psutil.process_iter() if session_of(one) == self.process.pid]
        out, err = self.process.communicate(timeout=SECONDS)
        psutil.wait_procs(group, timeout=SECONDS)
        assert not [one for one in group if is_alive(one)]
        return self.process.returncode, out, err


def session_of(process: psutil.Process) -> int:
    try:
        return os.getsid(process.pid)
    except OSError:
        return 0


@pytest.fixture
def start(command: str, environment: dict[str, str], tmp_path: Path) -> Iterator[Callable[[str], Running]]:
    started: list[Running] = []

    def begin(words: str) -> Running:
        started.append(Running(command, environment, words, tmp_path))
        return started[-1]

    yield begin
    for one in started:
        if one.process.poll() is None:
            os.killpg(one.process.pid, signal.SIGKILL)
        one.process.communicate()


def last_line(err: str) -> str:
    assert "Traceback" not in err
    lines = [line for line in err.splitlines() if line.startswith("backrank: ")]
    assert len(lines) == 1
    assert err.endswith(lines[0] + "\n")
    return lines[0]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=str)
def test_the_first_signal_does_not_wait_for_a_unit(start: Callable[[str], Running], number: int) -> None:
    running = start(LONG)
    running.wait_for_work()
    running.send(number)
    code, out, err = running.ended()
    assert (code, out) == (128 + number, "")
    assert last_line(err).startswith("backrank: stopped after 0.0 %")
    assert last_line(err).endswith("' goes on")


def test_a_second_ctrl_c_does_not_wait_for_anything(start: Callable[[str], Running]) -> None:
    running = start(LONG)
    running.wait_for_work()
    running.send()
    time.sleep(0.3)  # within the two seconds for units that are nearly done
    assert running.process.poll() is None
    running.send()
    code, out, err = running.ended()
    assert (code, out) == (130, "")
    assert last_line(err).startswith("backrank: stopped at once; 'backrank jobs resume ")


def test_a_scheduler_that_is_none_leaves_no_job(start: Callable[[str], Running]) -> None:
    running = start(f"{LONG} --scheduler tcp://127.0.0.1:1")
    code, out, err = running.ended()
    assert (code, out) == (2, "")
    assert last_line(err).startswith("backrank: no scheduler answers at tcp://127.0.0.1:1 (connection refused)")
    with Ledger(running.book) as ledger:
        assert ledger.jobs() == []
        job = ledger.add(queens_job(Queens(12).spec, QueensCountSpec(), units=5))
    code, out, err = start(f"jobs resume {job.id} --scheduler tcp://127.0.0.1:1").ended()
    assert (code, out) == (2, "")
    assert last_line(err).startswith("backrank: no scheduler answers at")
    with Ledger(running.book) as ledger:
        assert ledger.job(job.id).state == "open"


COMMANDS = (
    *(LONG + more for more in ("", " --executor processes", " --executor serial", " --cluster local:2")),
    "count queens 20 --no-ledger",
    "count tours 8x8 --closed",
    "count tours 8x8 --closed --no-ledger",
    "list queens 20 -o all.txt",
    "list tours 6x6 --limit 0 -o all.txt",
    "sample tours 6x6 -n 100000000 -o all.txt",
    "sample queens 14 -n 100000000 -o all.txt",
    "solve queens 40 --strategy rows",
    "solve tour 8x8 --start 0,1 --strategy fixed --order python",
    "watch tour 8x8 --start 0,1 --strategy fixed:python -o run.html",
    "compare tour 30x30",
    "bench",
    "selftest",
    "serve --port 0 --no-open",
)


@pytest.mark.deep
@pytest.mark.parametrize("delay", [0.0, 0.1, 0.4, 1.5, 4.0])
@pytest.mark.parametrize("words", COMMANDS)
def test_every_long_command_leaves(start: Callable[[str], Running], words: str, delay: float) -> None:
    """In good order after one signal, at once after two, at any moment."""
    for twice in (False, True):
        more = {"--units": " --again", "-o run.html": " --force"}
        running = start(words + "".join(more[each] for each in more if twice and each in words))
        running.wait_for_start()
        time.sleep(delay)
        if words.startswith("watch") and running.process.poll() == 0:
            continue  # a quick machine has drawn the page already
        assert running.process.poll() is None
        running.send()
        if twice:
            running.send()
        code, _, err = running.ended()
        # Ctrl-C is how a server ends that has started; and two signals may become one on their way.
        assert code in ((0, 130) if words.startswith("serve") else (130,))
        assert "Traceback" not in err
        assert "Error" not in err
        said = "stopped" if code == 0 else "backrank: stopped"
        assert [line for line in err.splitlines() if line.startswith(said)]
