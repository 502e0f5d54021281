"""How tests ask a server for something."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import httpx

Answer = TypeVar("Answer")

TOUR: dict[str, Any] = {"kind": "tour", "board": "8x8"}
QUEENS: dict[str, Any] = {"kind": "queens", "board": "8x8"}


def ask(client: httpx.Client, path: str, body: dict[str, Any], status: int = 200) -> dict[str, Any]:
    """Ask for something, and see to it that the answer is of the status and type that it should be."""
    answer = client.post(f"/api/{path}", json=body)
    assert answer.status_code == status, answer.text
    kind = "application/json" if status < 400 else "application/problem+json"
    assert answer.headers["content-type"] == kind
    told: dict[str, Any] = answer.json()
    return told


def settled(client: httpx.Client, job: str, seconds: float = 60) -> dict[str, Any]:
    """Wait for a count to end."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        told: dict[str, Any] = client.get(f"/api/counts/{job}").json()
        if told["state"] not in ("waiting", "running"):
            return told
        time.sleep(0.05)
    raise AssertionError(f"{job} did not end")


def run_apart(work: Callable[[], Coroutine[Any, Any, Answer]]) -> Answer:
    """Return what a coroutine returns; in a thread of its own, since browser tests leave a loop running in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(lambda: asyncio.run(work())).result()
