"""Two trees beside each other: the same commands of both, as whole processes, in turns.

    python benchmarks/bench_paired.py OLD_TREE NEW_TREE [--only count] [--rounds 15] [--full]

A tree is a checkout with a `.venv` of its own. After one warm-up each, for the kernel caches, the commands are run in
pairs, in the order A B B A A B ..., so that whatever the machine does besides falls on both. Printed are the best and
the median wall time, the median of the ratios new/old of the pairs with their quartiles, and the peak memory. Both must
have the same exit code and, but for `--help`, the same answer. Ledgers, and what lies in the current folder, are kept
away from the commands. `--full` has the closed tours of 8x8 as well, which take a minute or two each time.
"""

from __future__ import annotations

import os
import statistics
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from harness import Namespace, Report, Script, Table, fail, option
from processes import Finished, run_process

HELP, IMPORT = "--help", "import backrank"
COMMANDS = (
    IMPORT,
    HELP,
    "solve tour 8x8",
    "list queens 8",
    "count queens 8",
    "count queens 16",
    "count queens 18 --no-ledger",
    "count tours 6x6 --closed",
)
LONG_COMMANDS = ("count tours 8x8 --closed --no-ledger",)
LEAST_ROUNDS = 3
SHARE_SECONDS = 30.0  # for one command of both trees
# What would lead a command to another package, another ledger, or the kernels of the other tree.
DISTURBING = ("PYTHONPATH", "PYTHONHOME", "BACKRANK_LEDGER", "NUMBA_CACHE_DIR")


@dataclass(frozen=True, slots=True)
class Tree:
    """A checkout, and the environment of its commands.

    Attributes
    ----------
    path : Path
    env : mapping of str
    """

    path: Path
    env: Mapping[str, str]

    def command(self, words: str) -> list[str]:
        """Return a command as this tree runs it."""
        programs = self.path / ".venv" / "bin"
        if words == IMPORT:
            return [str(programs / "python"), "-c", words]
        return [str(programs / "backrank"), *words.split()]

    def run(self, words: str) -> Finished:
        """Run a command to its end."""
        return run_process(self.command(words), env=self.env, cwd=self.env["XDG_DATA_HOME"])


def tree_of(name: str, folder: str) -> Tree:
    """Return the tree at a path, or fail with a line."""
    path = Path(name).absolute()
    for program in ("backrank", "python"):
        if not (path / ".venv" / "bin" / program).exists():
            fail(f"{name} has no .venv/bin/{program}; install the tree there, such as by make run")
    env = {key: value for key, value in os.environ.items() if key not in DISTURBING}
    return Tree(path, {**env, "XDG_DATA_HOME": folder})


def same(words: str, old: Finished, new: Finished) -> None:
    """Fail unless both trees have given the same answer."""
    for which, run in (("old", old), ("new", new)):
        if run.code != 0:
            fail(f"{words}: exit code {run.code} in the {which} tree: {run.err.strip()[-300:]}")
    if words != HELP and old.out != new.out:
        fail(f"{words}: the answers differ: {old.out.strip()[:200]!r} and {new.out.strip()[:200]!r}")


def pairs(words: str, trees: tuple[Tree, Tree], rounds: int | None) -> list[tuple[Finished, Finished]]:
    """Run a command of both trees in turns, after one warm-up each; return the pairs, the old tree first.

    Without a number of rounds, pairs are run for about half a minute, three at least.
    """
    old, new = trees
    warm = old.run(words), new.run(words)
    same(words, *warm)
    if rounds is None:
        rounds = max(LEAST_ROUNDS, min(15, int(SHARE_SECONDS / (warm[0].wall + warm[1].wall))))
    found = []
    for number in range(rounds):
        if number % 2:
            second, first = new.run(words), old.run(words)
        else:
            first, second = old.run(words), new.run(words)
        same(words, first, second)
        found.append((first, second))
    return found


def row(table: Table, words: str, found: list[tuple[Finished, Finished]]) -> None:
    """Print what both trees took for a command."""
    walls = [[run.wall for run in runs] for runs in zip(*found, strict=True)]
    peaks = [max(run.peak for run in runs) / 1e6 for runs in zip(*found, strict=True)]
    ratios = [new.wall / old.wall for old, new in found]
    low, middle, high = statistics.quantiles(ratios, n=4, method="inclusive") if len(ratios) > 1 else 3 * ratios
    (old_best, new_best), (old_median, new_median) = map(min, walls), map(statistics.median, walls)
    spread = f"{low:.3f}-{high:.3f}"
    table.row(words, len(found), old_best, new_best, old_median, new_median, middle, spread, *peaks)


def run(report: Report, options: Namespace) -> None:
    """Print a line for each command."""
    columns = ("old best:9.3f", "new best:9.3f", "old med.:9.3f", "new med.:9.3f", "new/old:7.3f", "quartiles:>12")
    with tempfile.TemporaryDirectory() as folder:
        trees = tree_of(options.old, folder), tree_of(options.new, folder)
        table = report.table("command:<38", "n:3d", *columns, "old MB:7.1f", "new MB:7.1f")
        commands = report.sized(COMMANDS[:2], COMMANDS, COMMANDS + LONG_COMMANDS)
        chosen = [words for words in commands if options.only is None or options.only in words]
        if not chosen:
            fail(f"--only {options.only} is in none of the commands: {', '.join(commands)}")
        for words in chosen:
            row(table, words, pairs(words, trees, options.rounds or report.sized(1, None)))


SCRIPT = Script(
    __doc__,
    run,
    (
        option("old", metavar="OLD_TREE", help="a checkout with .venv/bin/backrank"),
        option("new", metavar="NEW_TREE", help="another one"),
        option("--only", metavar="WORDS", help="only the commands with these words"),
        option("--rounds", type=int, help="pairs of each command"),
    ),
)

if __name__ == "__main__":
    SCRIPT.main()
