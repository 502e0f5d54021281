"""How soon a command ends: at an address that is no scheduler's, and after Ctrl-C.

    python benchmarks/bench_stopping.py [--without dask]

The first table has the seconds from the start of `backrank count queens 20 --scheduler ADDRESS` to its end, for things
that may listen at the address. The second has the seconds from a signal to the end of a command in the middle of its
work: for one Ctrl-C, and for the second of two that are 0.3 s apart. A unit of these counts takes about half a minute.
Signals go to the whole process group, as from a terminal.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

from harness import BACKRANK, Namespace, Report, Script, option

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
import listeners

LONG = "count queens 20 --units 5"
WORK = (LONG, f"{LONG} --executor processes", f"{LONG} --cluster local:2", "count tours 8x8 --closed --no-ledger")
UNDER_WAY_SECONDS = 10.0  # loading, starting workers, compiling on the first run of a machine
ANSWER_MARK, SECOND_MARK = 10.0, 1.0


def started(words: str, folder: str) -> subprocess.Popen[str]:
    """Return the command, in a process group of its own."""
    return subprocess.Popen(
        [BACKRANK, *words.split()],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "BACKRANK_LEDGER": f"{folder}/ledger.sqlite"},
        start_new_session=True,
    )


def end_at(address: str) -> tuple[float, int, str]:
    """Return the seconds, the exit code and the remarks of a count whose scheduler is at an address."""
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        process = started(f"{LONG} --scheduler {address}", folder)
        _, told = process.communicate()
        return time.perf_counter() - began, process.returncode, told


def at_addresses(report: Report) -> None:
    """Print the first table."""
    kinds: dict[str, AbstractContextManager[str]] = {
        "nothing": nullcontext(listeners.unused()),
        "a host that is unknown": nullcontext("tcp://no-such-host.invalid:8786"),
        "silent": listeners.listening(listeners.SILENT),
        "never accepts": listeners.full(),
        "closes at once": listeners.listening(b"", closes=True),
        "a web server": listeners.listening(b"", answer=listeners.BAD_REQUEST),
        "SSH": listeners.listening(listeners.SSH),
        "random bytes": listeners.listening(listeners.RANDOM),
        "an enormous length": listeners.listening(listeners.HUGE),
        "TLS": listeners.listening(b"", answer=b"\x15\x03\x03\0\2\2\x32"),
    }
    table = report.table("what listens:<24", "seconds:8.2f", "code:4d", "line:<40")
    for name, kind in list(kinds.items())[: report.sized(1, len(kinds))]:
        with kind as address:
            seconds, code, told = end_at(address)
        after = report.mark(f"at an address: {name}", seconds, ANSWER_MARK)
        if code != 2 or told.count("\n") != 1:
            report.failure(f"{name}: exit code {code}, {told.count(chr(10))} lines")
        table.row(name, seconds, code, told.strip(), after=after)


def stopped(words: str, signals: int, under_way: float) -> tuple[float, int]:
    """Return the seconds from the last of so many signals to the end of a command, and its exit code."""
    with tempfile.TemporaryDirectory() as folder:
        process = started(words, folder)
        time.sleep(under_way)
        for number in range(signals):
            time.sleep(0.3 * bool(number))
            began = time.perf_counter()
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGINT)
        process.wait()
        seconds = time.perf_counter() - began
        process.communicate()
    return seconds, process.returncode


def after_signals(report: Report, *, without_dask: bool) -> None:
    """Print the second table."""
    table = report.table("command:<44", "first:8.2f", "second:8.2f")
    under_way = report.sized(quick=3.0, normal=UNDER_WAY_SECONDS)
    for words in report.sized(WORK[-1:], WORK):
        if without_dask and "--cluster" in words:
            continue
        (first, code), (second, other) = stopped(words, 1, under_way), stopped(words, 2, under_way)
        if (code, other) != (130, 130):
            report.failure(f"{words}: exit codes {code} and {other}")
        table.row(words, first, second, after=report.mark(f"second Ctrl-C: {words}", second, SECOND_MARK))


def run(report: Report, options: Namespace) -> None:
    """Print both tables."""
    without_dask = options.without is not None
    if not without_dask:
        at_addresses(report)
    after_signals(report, without_dask=without_dask)


SCRIPT = Script(__doc__, run, (option("--without", choices=["dask"]),))

if __name__ == "__main__":
    SCRIPT.main()
