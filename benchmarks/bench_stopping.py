"""How soon a command ends: at an address that is no scheduler's, and after Ctrl-C.

    python benchmarks/bench_stopping.py [--without dask]

The first table has the seconds from the start of `backrank count queens 20 --scheduler ADDRESS` to its end, for things
that may listen at the address. The second has the seconds from a signal to the end of a command in the middle of its
work: for one Ctrl-C, and for the second of two that are 0.3 s apart. A unit of these counts takes about half a minute.
Signals go to the whole process group, as from a terminal.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
import listeners

COMMAND = str(Path(sys.executable).with_name("backrank"))
LONG = "count queens 20 --units 5"
WORK = (LONG, f"{LONG} --executor processes", f"{LONG} --cluster local:2", "count tours 8x8 --closed --no-ledger")
UNDER_WAY_SECONDS = 10.0  # loading, starting workers, compiling on the first run of a machine
ANSWER_MARK, SECOND_MARK = 10.0, 1.0


def started(words: str, folder: str) -> subprocess.Popen[str]:
    """Return the command, in a process group of its own."""
    return subprocess.Popen(
        [COMMAND, *words.split()],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "BACKRANK_LEDGER": f"{folder}/ledger.sqlite"},
        start_new_session=True,
    )


def listeners_measured() -> bool:
    """Print the first table; return whether every line is in time."""
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
    print(f"{'what listens':<24} {'seconds':>8}  code  line")
    good = True
    for name, kind in kinds.items():
        with kind as address, tempfile.TemporaryDirectory() as folder:
            began = time.perf_counter()
            process = started(f"{LONG} --scheduler {address}", folder)
            _, told = process.communicate()
            seconds = time.perf_counter() - began
        good &= seconds < ANSWER_MARK and process.returncode == 2 and told.count("\n") == 1
        print(f"{name:<24} {seconds:>8.2f}  {process.returncode:>4}  {told.strip()}")
    return good


def stopped(words: str, signals: int) -> tuple[float, int]:
    """Return the seconds from the last of so many signals to the end of a command, and its exit code."""
    with tempfile.TemporaryDirectory() as folder:
        process = started(words, folder)
        time.sleep(UNDER_WAY_SECONDS)
        for number in range(signals):
            time.sleep(0.3 * bool(number))
            began = time.perf_counter()
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGINT)
        process.wait()
        seconds = time.perf_counter() - began
        process.communicate()
    return seconds, process.returncode


def main() -> None:
    """Print both tables, and whether the marks are reached."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--without", choices=["dask"])
    without = parser.parse_args().without
    good = without is not None or listeners_measured()
    print(f"\n{'command':<44} {'first':>8} {'second':>8}")
    for words in WORK:
        if without and "--cluster" in words:
            continue
        (first, code), (second, other) = stopped(words, 1), stopped(words, 2)
        good &= second < SECOND_MARK and (code, other) == (130, 130)
        print(f"{words:<44} {first:>8.2f} {second:>8.2f}")
    print(f"\nunder {ANSWER_MARK:g} s and {SECOND_MARK:g} s: {'yes' if good else 'NO'}")


if __name__ == "__main__":
    main()
