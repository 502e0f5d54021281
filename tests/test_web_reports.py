"""What a server writes on its terminal about its errors, and what clients are told of them."""

from __future__ import annotations

import asyncio
import io
import logging
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractContextManager
from types import SimpleNamespace
from typing import Any

import httpx
import pytest

from backrank.web.api import meta
from backrank.web.counts.running import PageCounts
from backrank.web.net.reports import DEBUG, LOGGER, MOST_LINES, Reports, report, reporting
from backrank.web.net.security import POLICY
from backrank.web.net.streams import Message
from backrank.web.workers import process as worker
from backrank.web.workers.context import WorkContext
from backrank.web.workers.pool import Worker
from web_asking import run_apart

pytest_plugins = ["web_server"]

Serving = Callable[..., AbstractContextManager[str]]


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def out() -> io.StringIO:
    return io.StringIO()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def reports(out: io.StringIO, clock: Clock) -> Iterator[Reports]:
    handler = Reports(out, clock=clock)
    LOGGER.addHandler(handler)
    yield handler
    LOGGER.removeHandler(handler)


def fail(number: int) -> None:
    try:
        int(f"request {number}")
    except ValueError as error:
        report(error, f"GET /{number}")


def test_the_same_error_is_written_once_and_counted(reports: Reports, out: io.StringIO, clock: Clock) -> None:
    for number in range(1_235):
        fail(number)
    first = out.getvalue()
    assert first.count("\n") == 1
    assert first.startswith("backrank: internal error in GET /0: ValueError at test_web_reports.py:")
    assert first.endswith(" in fail: invalid literal for int() with base 10: 'request 0'\n")
    clock.now = 30.0
    reports.tick()
    assert out.getvalue() == first
    clock.now = 61.0
    reports.tick()
    assert out.getvalue().splitlines()[1].endswith("'request 0' (repeated 1,234 times)")
    fail(0)  # in the next minute it is written again
    assert out.getvalue().count("\n") == 3


def test_many_kinds_of_errors_are_limited_too(reports: Reports, out: io.StringIO) -> None:
    for number in range(500):
        LOGGER.error(f"error {number}")
    reports.close()
    lines = out.getvalue().splitlines()
    assert len(lines) == MOST_LINES + 1
    assert lines[-1] == f"backrank: {500 - MOST_LINES} other messages left out"


def test_what_clients_send_cannot_steer_the_terminal(reports: Reports, out: io.StringIO) -> None:
    report(ValueError("x\x1b[2J\ny" + "z" * 10_000), "GET /a\r\nb")
    assert reports.level == logging.ERROR
    assert out.getvalue().count("\n") == 1
    assert len(out.getvalue()) < 500
    assert "\x1b" not in out.getvalue()


@pytest.mark.parametrize(
    "error", [ConnectionResetError(), asyncio.CancelledError(), BaseExceptionGroup("", [BrokenPipeError()])]
)
def test_clients_that_leave_are_no_errors(reports: Reports, out: io.StringIO, error: BaseException) -> None:
    report(error, "GET /")
    assert reports.level == logging.ERROR
    assert out.getvalue() == ""


def test_a_traceback_if_asked_for(out: io.StringIO) -> None:
    with reporting(out, {DEBUG: "1"}):
        fail(1)
        fail(1)
    assert out.getvalue().count("Traceback (most recent call last):\n") == 1
    assert LOGGER.handlers == []
    assert LOGGER.propagate


def test_a_terminal_that_is_gone_is_no_error() -> None:
    closed = io.StringIO()
    closed.close()
    with reporting(closed, {}):
        fail(1)


# --- in a server ------------------------------------------------------------------------------------


def broken(*_: Any) -> Any:
    raise ZeroDivisionError("a mistake")


def test_mistakes_become_one_line_and_a_problem(
    server_with: Serving, monkeypatch: pytest.MonkeyPatch, out: io.StringIO
) -> None:
    monkeypatch.setattr(meta, "_tour_strategies", broken)
    with reporting(out, {}), server_with() as url:
        for _ in range(20):
            answer = httpx.get(f"{url}/api/meta", timeout=30)
            told = answer.json()
            assert (answer.status_code, told["type"]) == (500, "/problems/internal")
            assert answer.headers["content-type"] == "application/problem+json"
            assert answer.headers["content-security-policy"] == POLICY
            assert "mistake" not in answer.text
    lines = out.getvalue().splitlines()
    assert len(lines) == 2
    assert lines[0].startswith("backrank: internal error in GET /api/meta: ZeroDivisionError at ")
    assert lines[0].endswith(" in meta: a mistake")  # the place in this package
    assert lines[1].endswith(" (repeated 19 times)")


def test_mistakes_in_the_middle_of_an_answer(
    server_with: Serving, monkeypatch: pytest.MonkeyPatch, out: io.StringIO
) -> None:
    async def follow(*_: Any) -> AsyncIterator[Message]:
        yield Message("job", {})
        await asyncio.sleep(0)
        broken()

    monkeypatch.setattr(PageCounts, "follow", follow)
    with reporting(out, {}), server_with() as url, httpx.Client(base_url=url, timeout=30) as client:
        with pytest.raises(httpx.RemoteProtocolError):
            client.get("/api/counts/events")
        assert client.get("/api/meta").status_code == 200
    lines = out.getvalue().splitlines()
    assert len(lines) == 1
    assert "internal error in GET /api/counts/events: ZeroDivisionError at " in lines[0]


def test_mistakes_of_a_worker_are_reported_by_the_server(out: io.StringIO) -> None:
    lines = io.StringIO()
    worker._do(WorkContext(lines), {"task": "nonsense", "asked": None})

    async def read() -> dict[str, Any]:
        process: Any = SimpleNamespace(stdout=asyncio.StreamReader())
        process.stdout.feed_data(lines.getvalue().encode())
        return await Worker(0)._answer(process)

    with reporting(out, {}):
        answer = run_apart(read)
    assert answer["problem"]["type"] == "/problems/internal"
    assert out.getvalue().startswith("backrank: internal error in a worker: KeyError at web/workers/process.py:")
    assert out.getvalue().count("\n") == 1
