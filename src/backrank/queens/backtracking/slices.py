"""Run compiled searches a slice at a time, on several threads, so that limits are kept and results do not depend on it.

A kernel goes on from its own state until it has made so many calls; a slice of some ten milliseconds is short enough to
be cancelled after, and long enough to cost nothing. The work is cut into tasks beforehand, whatever the number of
threads; what they find is weighted and added up as Python ints.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from backrank.queens.backtracking.rows_jit import BASE, CALLS, FOUND, LIMIT, ROW
from backrank.runtime.budget import Meter
from backrank.runtime.status import DONE

Int64s: TypeAlias = npt.NDArray[np.int64]
Kernel: TypeAlias = Callable[[Int64s, Int64s], int]

SLICE = 1 << 20  # calls
SHORT, LONG = 0.02, 0.08  # seconds


def new_counters(row: int = 0) -> Int64s:
    """Return the counters of a search that starts in a row, and does not go back above it."""
    counters = np.zeros(5, np.int64)
    counters[ROW] = counters[BASE] = row
    return counters


@dataclass(slots=True)
class SearchTask:
    """A part of a search: its kernel, its state, and how many times what it finds counts."""

    kernel: Kernel
    stack: Int64s
    counters: Int64s
    weight: int = 1
    is_done: bool = field(default=False, init=False)
    pace: int = field(default=SLICE, init=False)

    def advance(self, most: int | None = None) -> None:
        """Go on for some time, or for about so many calls at most."""
        began = time.perf_counter()
        self.counters[LIMIT] = int(self.counters[CALLS]) + (self.pace if most is None else min(self.pace, most))
        self.is_done = int(self.kernel(self.stack, self.counters)) == DONE
        spent = time.perf_counter() - began
        if spent < SHORT:
            self.pace *= 2
        elif spent > LONG:
            self.pace = max(1, self.pace // 2)

    @property
    def calls(self) -> int:
        """Calls so far."""
        return int(self.counters[CALLS])

    @property
    def found(self) -> int:
        """What it has found so far, weighted."""
        return int(self.counters[FOUND]) * self.weight


def calls_left(meter: Meter) -> int | None:
    """Return how many calls may still be made, at least 1; None if there is no limit of them."""
    limit = meter.budget.calls
    return None if limit is None else max(1, limit - meter.calls)


def total(tasks: Iterable[SearchTask], *, meter: Meter, threads: int) -> int:
    """Run all tasks, and return what they found.

    The meter's depth and total are tasks done and all tasks, as for counting by column sets; a limit of calls is kept
    by working on one thread.

    Raises
    ------
    BudgetExceeded
        If a limit was reached first.
    """
    waiting = list(reversed(list(tasks)))
    meter.total = len(waiting)
    already, done, found = meter.calls, 0, 0
    calls = 0  # of the tasks that are done
    if meter.budget.calls is not None:
        threads = 1
    running: dict[Future[None], SearchTask] = {}
    with ThreadPoolExecutor(threads) as pool:
        while waiting or running:
            while waiting and len(running) < threads:
                task = waiting.pop()
                running[pool.submit(task.advance, calls_left(meter))] = task
            finished, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in finished:
                task = running.pop(future)
                future.result()
                if task.is_done:
                    done, calls, found = done + 1, calls + task.calls, found + task.found
                else:
                    waiting.append(task)
            open_tasks = [*running.values(), *(task for task in waiting[-threads:] if task.calls)]
            meter.found = found + sum(task.found for task in open_tasks)
            meter.tick(already + calls + sum(task.calls for task in open_tasks), done)
    return found
