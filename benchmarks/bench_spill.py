"""What checksums cost a count of tours whose layers do not fit into memory.

    python benchmarks/bench_spill.py [--board 7x8] [--memory 20] [--threads 2] [--rounds 5]

The closed tours of a board are counted with so little memory (megabytes) that layers go to disk. Printed are the CPU
seconds of all threads, and those of them that go into checksums and totals, for every round; the mark is 3 %. The
counts are made in turns with counts that compare nothing, whose number must be the same.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar
from unittest import mock

from backrank import KnightTours
from backrank.tours.counting.spill import SpillFile
from backrank.tours.frontier import segments
from backrank.tours.frontier.segments import Recounted, Segment
from harness import Namespace, Report, RunTimes, Script, fail, option, time_call

MARK = 0.03
Answer = TypeVar("Answer")


@contextmanager
def unchecked() -> Iterator[None]:
    """Write and read segments without checksums, and do not add up what is read."""
    with (
        mock.patch.object(Segment, "of", classmethod(lambda cls, part: cls(part.size, ""))),
        mock.patch.object(segments, "total_of", return_value=0),
        mock.patch.object(Recounted, "require"),
    ):
        yield


@contextmanager
def watched(spent: list[float]) -> Iterator[None]:
    """Add the CPU seconds of every checksum and every total to a list."""

    def timed(work: Callable[..., Answer]) -> Callable[..., Answer]:
        def call(*values: object) -> Answer:
            began = time.thread_time()
            result = work(*values)
            spent.append(time.thread_time() - began)
            return result

        return call

    with (
        mock.patch.object(Segment, "of", staticmethod(timed(Segment.of))),
        mock.patch.object(segments, "total_of", timed(segments.total_of)),
    ):
        yield


def counted(puzzle: KnightTours, memory: int, threads: int) -> tuple[RunTimes, int]:
    """Return what a count took, and the count."""
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder) / "work"
        return time_call(lambda: puzzle.count(method="layers", memory=memory, threads=threads, folder=work))


def written(puzzle: KnightTours, memory: int, threads: int) -> int:
    """Return how many bytes go to disk."""
    sizes: list[int] = []
    finish = SpillFile.finish

    def noted(run: SpillFile) -> None:
        finish(run)
        sizes.append(run.offsets[-1] * segments.WORD)

    with mock.patch.object(SpillFile, "finish", noted):
        counted(puzzle, memory, threads)
    return sum(sizes)


def run(report: Report, options: Namespace) -> None:
    """Print a line for each round, then the median."""
    board = options.board or report.sized(quick="6x8", normal="7x8")
    memory = int(1e6 * (options.memory or report.sized(quick=1.0, normal=20.0)))
    puzzle = KnightTours(board, closed=True)
    size = written(puzzle, memory, options.threads)  # compiles as well
    if not size:
        fail(f"nothing of {board} goes to disk with {memory / 1e6:g} MB; --memory must be less")
    report.note(f"{board} closed, {memory / 1e6:g} MB of memory: {size / 1e6:,.1f} MB are written and read back")
    table = report.table(
        "round:5d", "CPU s:8.3f", "unchecked:9.3f", "wall s:8.3f", "checks s:8.3f", "checks:8,d", "share:6.1%"
    )
    shares = []
    for number in range(options.rounds or report.sized(1, 5)):
        with unchecked():
            without, plain = counted(puzzle, memory, options.threads)
        spent: list[float] = []
        with watched(spent):
            taken, checked = counted(puzzle, memory, options.threads)
        if plain != checked:
            fail(f"{plain} were counted without checksums, {checked} with them")
        shares.append(sum(spent) / taken.cpu)
        table.row(number + 1, taken.cpu, without.cpu, taken.wall, sum(spent), len(spent), shares[-1])
    share = statistics.median(shares)
    verdict = report.mark("share of checksums in the CPU time", share, MARK, unit="")
    report.note(f"median share of the CPU time: {share:.1%}   {verdict}")


SCRIPT = Script(
    __doc__,
    run,
    (
        option("--board", help="7x8 if not given"),
        option("--memory", type=float, help="megabytes; 20 if not given"),
        option("--threads", type=int, default=2),
        option("--rounds", type=int, help="5 if not given"),
    ),
)

if __name__ == "__main__":
    SCRIPT.main()
