"""How long a user waits: whole processes, from the command to the answer, beside an empty Python process.

    python benchmarks/bench_start.py [--rounds 5]

Seconds are the best of several runs; the ratio to the empty process is what compares between machines. Memory is the
peak of the process. `bench_paired.py` runs such commands of two trees in turns.
"""

from __future__ import annotations

import sys

from harness import BACKRANK, Namespace, Report, Script, fail, option
from processes import run_process

ARTICLE = "solve tour 8x8 --start 0,0 --strategy fixed --order python"
# A name, the command, and the mark in seconds.
CASES: tuple[tuple[str, list[str], float | None], ...] = (
    ("import backrank", [sys.executable, "-c", "import backrank"], None),
    ("backrank --help", [BACKRANK, "--help"], 0.3),
    ("solve tour 8x8", [BACKRANK, *["solve", "tour", "8x8"]], 0.3),
    ("solve tour 60x60", [BACKRANK, *["solve", "tour", "60x60"]], 1.0),
    ("solve tour 60x60 --closed", [BACKRANK, *["solve", "tour", "60x60", "--closed"]], None),
    ("list queens 8", [BACKRANK, *["list", "queens", "8"]], 0.4),
    ("solve queens 1000", [BACKRANK, *["solve", "queens", "1000", "--format", "columns"]], None),
    ("count tours 6x6 --closed", [BACKRANK, *["count", "tours", "6x6", "--closed"]], None),
    ("the 3,242,065 calls", [BACKRANK, *ARTICLE.split()], None),
)


def best_of(command: list[str], rounds: int) -> tuple[float, int]:
    """Return the least wall time and the least peak of several runs."""
    runs = [run_process(command) for _ in range(rounds)]
    if wrong := next((run for run in runs if run.code), None):
        fail(f"{' '.join(command[1:])}: exit code {wrong.code}: {wrong.err.strip()}")
    return min(run.wall for run in runs), min(run.peak for run in runs)


def run(report: Report, options: Namespace) -> None:
    """Print a line for each command: seconds, ratio to an empty process, memory, and the mark if there is one."""
    rounds = options.rounds or report.sized(quick=1, normal=5)
    table = report.table("command:<28", "seconds:8.3f", "x empty:8.1f", "MB:6.0f")
    empty, peak = best_of([sys.executable, "-c", "pass"], rounds)
    table.row("python -c pass", empty, 1.0, peak / 1e6)
    for name, command, limit in report.sized(CASES[:2], CASES):
        seconds, peak = best_of(command, rounds)
        after = "" if limit is None else report.mark(name, seconds, limit)
        table.row(name, seconds, seconds / empty, peak / 1e6, after=after)


SCRIPT = Script(__doc__, run, (option("--rounds", type=int, help="runs of each command; 5 if not given"),))

if __name__ == "__main__":
    SCRIPT.main()
