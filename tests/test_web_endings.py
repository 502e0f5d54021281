"""Requests that break off, and servers that are stopped: no traceback, at most one line, and the counts are kept."""

from __future__ import annotations

import json
import os
import signal
import socket
import struct
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import quote, urlsplit

import httpx
import psutil
import pytest

pytest_plugins = ["web_server"]

Killable = Callable[..., AbstractContextManager[tuple[str, subprocess.Popen[str]]]]
SECONDS = 30.0
STOP_SECONDS = 20.0
TOUR = {"kind": "tour", "board": "8x8"}
# Each takes longer than the test, in a worker: as a short count, as a job of the ledger, and by layers.
COUNTS = (
    {"kind": "tour", "board": "7x8", "closed": True},
    {"kind": "queens", "board": "20x20"},
    {"kind": "tour", "board": "9x10", "closed": True},
)
SLOW = {
    "puzzle": {"kind": "tour", "board": "8x8", "start": "b8"},
    "strategy": "fixed",
    "order": "python",
    "seconds": 20,
}
HOST = b"Host: localhost\r\n"


def get(path: str) -> bytes:
    return f"GET {path} HTTP/1.1\r\n".encode() + HOST + b"\r\n"


def post(path: str, body: dict[str, Any], cut: int | None = None) -> bytes:
    data = json.dumps(body).encode()
    head = f"POST {path} HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: {len(data)}\r\n".encode()
    return (head + HOST + b"\r\n" + data)[:cut]


WATCH = get(f"/api/watch/stream?until=end&run={quote(json.dumps({'puzzle': TOUR, 'strategy': 'fixed'}))}")
# What is sent, and how much of the answer is read before the client leaves.
PIECES = (
    (b"", 0),
    (b"GET /api/me", 0),
    (post("/api/existence", {"puzzle": TOUR}, cut=-5), 0),
    (post("/api/solve", SLOW), 0),
    (get("/openapi.json"), 10),
    (get("/static/index.html"), 0),
    (get("/api/meta") * 50, 0),
    (get("/api/counts/events"), 10),
    (WATCH, 10),
    (b"\x16\x03\x01 not HTTP\r\n\r\n", 0),
    (b"GET / HTTP/1.1\r\n" + HOST + b"Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n", 0),
    (
        b"POST /api/board HTTP/1.1\r\n"
        + HOST
        + b"Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nZZ",
        0,
    ),
    (get("/api/counts/events") + b"\x00 not HTTP\r\n\r\n", 10),
)


def begun(url: str) -> list[socket.socket]:
    """Begin all kinds of requests, and leave them open."""
    parts = urlsplit(url)
    opened = []
    for data, read in PIECES:
        one = socket.create_connection((parts.hostname or "", parts.port or 80), timeout=SECONDS)
        one.sendall(data)
        if read:
            assert one.recv(read)
        opened.append(one)
    return opened


def reset(connections: list[socket.socket]) -> None:
    """Break connections off, so that the server gets an error when it reads or writes."""
    for one in connections:
        one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        one.close()


def settle(url: str) -> None:
    """Wait until the server has had time for what came before."""
    for _ in range(3):
        assert httpx.get(f"{url}/api/meta", timeout=SECONDS).status_code == 200


@contextmanager
def at_work(killable: Killable, ledger: Path) -> Iterator[tuple[subprocess.Popen[str], list[str]]]:
    """Run a server with counts, requests that broke off, and requests in progress; yield its process and remarks."""
    remarks: list[str] = []
    with killable("--ledger", str(ledger), remarks=remarks, group=True) as (url, process):
        for puzzle in COUNTS:
            answer = httpx.post(f"{url}/api/counts", json={"puzzle": puzzle}, timeout=SECONDS)
            assert answer.status_code == 201, answer.text
        for _ in range(3):
            reset(begun(url))
            settle(url)
        left = begun(url)
        settle(url)
        yield process, remarks
        reset(left)


def stop(killable: Killable, ledger: Path, signals: list[signal.Signals], *, group: bool) -> None:
    """Stop a server that is at work, and look at what it wrote and kept."""
    with at_work(killable, ledger) as (process, remarks):
        began = time.monotonic()
        for number in signals:
            (os.killpg if group else os.kill)(process.pid, number)
            time.sleep(0.02)  # the system may merge two that come at once
        code = process.wait(STOP_SECONDS)
        took = time.monotonic() - began
    # The first signal ends the server in good order, the second one at once.
    ends = (0, "stopped") if len(signals) == 1 else (128 + signals[0], "backrank: stopped at once")
    assert (code, remarks) == (ends[0], ["Ctrl-C stops", ends[1]])
    assert took < 15
    with killable("--ledger", str(ledger)) as (url, _):
        kept = httpx.get(f"{url}/api/counts", timeout=SECONDS).json()["jobs"]
        assert [job["state"] for job in kept] == ["paused"] * len(COUNTS), kept


def test_sigterm_while_all_is_at_work(killable: Killable, tmp_path: Path) -> None:
    stop(killable, tmp_path / "ledger.sqlite", [signal.SIGTERM], group=False)


def test_ctrl_c_twice_in_a_terminal(killable: Killable, tmp_path: Path) -> None:
    """A terminal sends it to all processes of a group."""
    stop(killable, tmp_path / "ledger.sqlite", [signal.SIGINT, signal.SIGINT], group=True)


@pytest.mark.deep
@pytest.mark.parametrize("group", [False, True])
@pytest.mark.parametrize(
    "signals",
    [
        [signal.SIGINT],
        [signal.SIGTERM],
        [signal.SIGTERM, signal.SIGTERM],
        [signal.SIGTERM, signal.SIGINT],
        [signal.SIGINT, signal.SIGTERM],
    ],
)
def test_all_ways_to_stop(killable: Killable, tmp_path: Path, signals: list[signal.Signals], group: bool) -> None:
    stop(killable, tmp_path / "ledger.sqlite", signals, group=group)


def test_workers_that_are_killed(killable: Killable) -> None:
    """The request is answered, nothing is written, and the next one gets a new worker."""
    remarks: list[str] = []
    with killable("--no-ledger", remarks=remarks) as (url, process):
        answers: list[httpx.Response] = []

        def solve() -> None:
            answers.append(httpx.post(f"{url}/api/solve", json=SLOW, timeout=SECONDS))

        threads = [Thread(target=solve) for _ in range(2)]
        for thread in threads:
            thread.start()
        end = time.monotonic() + SECONDS
        while any(thread.is_alive() for thread in threads):
            assert time.monotonic() < end
            for child in psutil.Process(process.pid).children():
                child.kill()
            time.sleep(0.1)
        assert [answer.json()["type"] for answer in answers] == ["/problems/out-of-memory"] * 2
        easy = {"puzzle": {"kind": "tour", "board": "5x5"}}
        assert httpx.post(f"{url}/api/solve", json=easy, timeout=SECONDS).status_code == 200
    assert remarks == ["Ctrl-C stops", "stopped"]
