"""Ledgers with jobs in them for the tests of the server and the page."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx

from backrank.jobs import Ledger, UnitTask, perform, queens_job
from backrank.queens import Queens
from backrank.queens.counting.spec import QueensCountSpec
from backrank.runtime.cpu import available_threads

UNITS = 300
LASTS_SECONDS = 1.5  # long enough to be killed in the middle, with all cores
SECONDS = 90


def begun(path: Path, queens: int, units: int, done: int = 0) -> str:
    """Put a count of queens into a ledger, as the command line cuts it, some units of it done; return the job."""
    with Ledger(path) as ledger:
        job = ledger.add(queens_job(Queens(queens).spec, QueensCountSpec(), units=units))
        ledger.record(job.id, [perform(UnitTask(job.spec.to_json(), unit)) for unit in range(done)])
        ledger.beat(job.id, alive=False)
        return job.id


def lasting() -> int:
    """Return a number of queens whose count takes this machine a few seconds."""
    for queens in range(16, 30):
        seconds = Queens(queens).count_plan().seconds
        if seconds is not None and seconds / available_threads() >= LASTS_SECONDS:
            return queens
    raise AssertionError("this machine counts everything at once")


def until(client: httpx.Client, name: str, is_so: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """Wait until a count is as it should be."""
    last: Any = None
    limit = time.monotonic() + SECONDS
    while time.monotonic() < limit:
        last = client.get(f"/api/counts/{name}").json()
        if is_so(last):
            return dict(last)
        time.sleep(0.02)
    raise AssertionError(f"{name} is not as it should be: {last}")


def reached(state: str) -> Callable[[dict[str, Any]], bool]:
    """Whether a count has come to a state."""
    return lambda told: told.get("state") == state
