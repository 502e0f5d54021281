"""Measure one whole process: wall time, CPU time and peak memory, from its start to its end."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

# The system counts the peak of a process as the peak of those that it starts. So a small process stands between this
# one, which may hold gigabytes, and the one that is measured.
_LAUNCHER = """
import os, sys, time
told, command = int(sys.argv[1]), sys.argv[2:]
os.set_inheritable(told, False)
began = time.perf_counter()
_, status, usage = os.wait4(os.posix_spawn(command[0], command, os.environ), 0)
wall = time.perf_counter() - began
values = wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss, os.waitstatus_to_exitcode(status)
os.write(told, repr(values).encode())
"""
_PEAK_UNIT = 1 if sys.platform == "darwin" else 1024


@dataclass(frozen=True, slots=True)
class Finished:
    """A process that has ended.

    Attributes
    ----------
    wall, cpu : float
        Seconds; CPU time is that of all threads.
    peak : int
        Bytes: the most memory that it held (`ru_maxrss` of `wait4`).
    code : int
        The exit code; negative if a signal ended it.
    out, err : str
        What it printed.
    """

    wall: float
    cpu: float
    peak: int
    code: int
    out: str
    err: str


def run_process(
    command: Sequence[str], *, env: Mapping[str, str] | None = None, cwd: str | Path | None = None
) -> Finished:
    """Run a command to its end, and return what it took; the first word is the path of a program."""
    told, tell = os.pipe()
    try:
        launcher = [sys.executable, "-I", "-S", "-c", _LAUNCHER, str(tell), *command]
        done = subprocess.run(launcher, capture_output=True, text=True, env=env, cwd=cwd, pass_fds=(tell,), check=False)
        os.close(tell)
        words = os.read(told, 1000).decode().strip("()").split(",")
    finally:
        os.close(told)
    if len(words) < 4:
        raise SystemExit(f"cannot run {command[0]}: {done.stderr.strip().splitlines()[-1]}")
    wall, cpu, peak, code = map(float, words)
    return Finished(wall, cpu, int(peak) * _PEAK_UNIT, int(code), done.stdout, done.stderr)
