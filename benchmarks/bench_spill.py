"""What checksums cost a count of tours whose layers do not fit into memory.

    python benchmarks/bench_spill.py [--board 7x8] [--memory 20] [--threads 2] [--rounds 5]

The closed tours of a board are counted with so little memory (megabytes) that layers go to disk. Printed are the CPU
seconds of all threads, and those of them that go into checksums and totals, for every round; the mark is 3 %. The
counts are made in turns with counts that compare nothing, whose number must be the same.
"""

from __future__ import annotations

import argparse
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


def counted(puzzle: KnightTours, memory: int, threads: int) -> tuple[int, float, float]:
    """Return the count, and what it took: CPU and wall seconds."""
    with tempfile.TemporaryDirectory() as folder:
        wall, cpu = time.perf_counter(), time.process_time()
        number = puzzle.count(method="layers", memory=memory, threads=threads, folder=Path(folder) / "work")
        return number, time.process_time() - cpu, time.perf_counter() - wall


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


def main() -> None:
    """Run what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--board", default="7x8")
    parser.add_argument("--memory", type=float, default=20, help="megabytes")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=5)
    chosen = parser.parse_args()
    puzzle, memory = KnightTours(*map(int, chosen.board.split("x")), closed=True), int(chosen.memory * 1e6)
    size = written(puzzle, memory, chosen.threads)  # compiles as well
    print(f"{chosen.board} closed, {chosen.memory:g} MB of memory: {size / 1e6:,.0f} MB are written and read back")
    shares = []
    for number in range(chosen.rounds):
        with unchecked():
            without = counted(puzzle, memory, chosen.threads)
        spent: list[float] = []
        with watched(spent):
            checked = counted(puzzle, memory, chosen.threads)
        if without[0] != checked[0]:
            raise SystemExit(f"{without[0]} were counted without checksums, {checked[0]} with them")
        shares.append(sum(spent) / checked[1])
        print(
            f"round {number + 1}: CPU {checked[1]:.3f} s ({without[1]:.3f} s unchecked), wall {checked[2]:.3f} s; "
            f"{sum(spent):.3f} s in {len(spent):,} checksums and totals, {shares[-1]:.1%}"
        )
    share = statistics.median(shares)
    print(f"median share of the CPU time: {share:.1%}: {'reached' if share <= MARK else 'MISSED'} ({MARK:.0%})")


if __name__ == "__main__":
    main()
