"""How long a user waits: whole processes, from the command to the answer, beside an empty Python process.

Run: python benchmarks/bench_start.py. Times are the best of several runs; the ratio to the empty process is what
compares between machines.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

COMMAND = str(Path(sys.executable).with_name("backrank"))
ARTICLE = ["solve", "tour", "8x8", "--start", "0,0", "--strategy", "fixed", "--order", "python"]
CASES = (
    ("python -c pass", [sys.executable, "-c", "pass"], None),
    ("import backrank", [sys.executable, "-c", "import backrank"], None),
    ("backrank --help", [COMMAND, "--help"], 0.3),
    ("solve tour 8x8", [COMMAND, "solve", "tour", "8x8"], 0.3),
    ("solve tour 60x60", [COMMAND, "solve", "tour", "60x60"], 1.0),
    ("solve tour 60x60 --closed", [COMMAND, "solve", "tour", "60x60", "--closed"], None),
    ("list queens 8", [COMMAND, "list", "queens", "8"], 0.4),
    ("solve queens 1000", [COMMAND, "solve", "queens", "1000", "--format", "columns"], None),
    ("count tours 6x6 --closed", [COMMAND, "count", "tours", "6x6", "--closed"], None),
    (
        "the 3,242,065 calls",
        [COMMAND, *ARTICLE],
        None,
    ),
)
REPEATS = 5


def seconds(command: list[str]) -> float:
    """Return the best wall time of several runs."""
    best = float("inf")
    for _ in range(REPEATS):
        began = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        best = min(best, time.perf_counter() - began)
    return best


def main() -> None:
    """Print one line per case: seconds, ratio to an empty process, and the mark if there is one."""
    empty = seconds(CASES[0][1])
    for name, command, mark in CASES:
        best = seconds(command)
        verdict = "" if mark is None else f"   mark {mark:.1f} s: {'reached' if best < mark else 'MISSED'}"
        print(f"{name:28s} {best:7.3f} s {best / empty:7.1f} x empty{verdict}", flush=True)


if __name__ == "__main__":
    main()
