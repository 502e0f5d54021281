"""The server under pressure: few file descriptors, many connections that ask nothing, slow senders, slow readers."""

from __future__ import annotations

import http.client
import json
import resource
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlsplit

import httpx
import pytest

from backrank.web.net.descriptors import TooFewDescriptors, most_connections

pytest_plugins = ["web_server"]

Serving = Callable[..., AbstractContextManager[str]]
Killable = Callable[..., AbstractContextManager[tuple[str, subprocess.Popen[str]]]]
SECONDS = 20.0
TOKEN = "".join(("open", "sesame"))
GET = b"GET /api/meta HTTP/1.1\r\nHost: localhost\r\n\r\n"


def connected(url: str) -> socket.socket:
    parts = urlsplit(url)
    return socket.create_connection((parts.hostname or "", parts.port or 80), timeout=SECONDS)


def rest(connection: socket.socket) -> bytes:
    """Return all that comes until the server closes."""
    received = b""
    try:
        while chunk := connection.recv(65536):
            received += chunk
    except ConnectionResetError:
        pass
    return received


def answered(connection: socket.socket) -> int:
    """Ask for something, read the whole answer, and return its status."""
    connection.sendall(GET)
    answer = http.client.HTTPResponse(connection)
    answer.begin()
    answer.read()
    return answer.status


def until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + SECONDS
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


def is_closed(connection: socket.socket) -> bool:
    connection.setblocking(False)
    try:
        return connection.recv(1) == b""
    except BlockingIOError:
        return False
    except ConnectionResetError:
        return True


# --- few descriptors --------------------------------------------------------------------------------


class Crowd:
    """Connections that send nothing, and are made again when the server closes them."""

    def __init__(self, url: str, size: int) -> None:
        parts = urlsplit(url)
        self._where = (parts.hostname or "", parts.port or 80)
        self._all = [self._new() for _ in range(size)]

    def _new(self) -> socket.socket:
        one = socket.socket()
        one.setblocking(False)
        one.connect_ex(self._where)
        return one

    def come_back(self) -> None:
        for place, one in enumerate(self._all):
            if is_closed(one):
                one.close()
                self._all[place] = self._new()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for one in self._all:
            one.close()


def open_files(process: subprocess.Popen[str]) -> int:
    return len(list(Path(f"/proc/{process.pid}/fd").iterdir()))


def endure(killable: Killable, files: int, size: int, seconds: float) -> None:
    """Ask for something all the time while a crowd keeps more connections open than there are descriptors."""
    remarks: list[str] = []
    with killable("--no-ledger", files=files, remarks=remarks) as (url, process):
        assert httpx.get(f"{url}/api/meta", timeout=SECONDS).status_code == 200
        before = open_files(process)
        end = time.monotonic() + seconds
        with Crowd(url, size) as crowd:
            while time.monotonic() < end:
                assert httpx.get(f"{url}/api/meta", timeout=SECONDS).status_code == 200
                assert httpx.get(url, timeout=SECONDS).status_code == 200
                assert open_files(process) < files
                crowd.come_back()
                time.sleep(0.1)
        until(lambda: open_files(process) <= before + 16)  # and some for workers that have been started since
        solved = httpx.post(f"{url}/api/solve", json={"puzzle": {"kind": "tour", "board": "6x6"}}, timeout=SECONDS)
        assert solved.status_code == 200  # by a worker, which needs descriptors as well
    assert remarks == ["Ctrl-C stops", "stopped"]


def test_more_connections_than_descriptors(killable: Killable) -> None:
    endure(killable, files=128, size=200, seconds=3)


@pytest.mark.deep
def test_more_connections_than_descriptors_for_a_minute(killable: Killable) -> None:
    endure(killable, files=256, size=400, seconds=60)


def test_descriptors_that_run_out_all_the_same(killable: Killable) -> None:
    """As when something else in the process has taken them: one line, and answers."""
    remarks: list[str] = []
    with killable("--no-ledger", remarks=remarks) as (url, process):
        assert httpx.get(f"{url}/api/meta", timeout=SECONDS).status_code == 200
        before = resource.prlimit(process.pid, resource.RLIMIT_NOFILE)
        few = open_files(process) + 24
        resource.prlimit(process.pid, resource.RLIMIT_NOFILE, (few, before[1]))
        with Crowd(url, 60) as crowd:
            for _ in range(5):
                assert httpx.get(f"{url}/api/meta", timeout=SECONDS).status_code == 200
                crowd.come_back()
        resource.prlimit(process.pid, resource.RLIMIT_NOFILE, before)
        assert httpx.get(url, timeout=SECONDS).status_code == 200
    assert len(remarks) <= 4, remarks
    assert "backrank: out of file descriptors or memory; idle connections are closed" in remarks


def test_too_few_descriptors_are_an_error(command: str) -> None:
    told = subprocess.run(
        ["/bin/sh", "-c", 'ulimit -n 40; exec "$@"', "sh", command, "serve", "--port", "0", "--no-open", "--no-ledger"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (told.returncode, told.stdout) == (2, "")
    assert told.stderr == (
        "backrank: the server needs at least 64 file descriptors, and the limit is 40; raise it with: ulimit -n 1024\n"
    )


@pytest.mark.parametrize("limit", range(64, 1024, 50))
def test_some_descriptors_are_left_for_files_and_workers(limit: int) -> None:
    most = most_connections(512, limit, 20)
    assert 0 < most <= 512
    assert limit - 20 - most >= min(96, limit // 2)


def test_no_room_at_all() -> None:
    with pytest.raises(TooFewDescriptors, match="at least 202 file descriptors, and the limit is 110"):
        most_connections(512, 110, 100)


# --- who goes when there are too many ---------------------------------------------------------------


def test_connections_that_asked_something_stay(server_with: Serving) -> None:
    """Even if they are the oldest: those that have never asked for anything go first."""
    with server_with(connections=4) as url, connected(url) as first, ExitStack() as others:
        assert answered(first) == 200
        strangers = [others.enter_context(connected(url)) for _ in range(12)]
        until(lambda: sum(map(is_closed, strangers)) >= 9)
        assert answered(first) == 200


def test_connections_without_the_token_go_first(server_with: Serving) -> None:
    host = {"Host": "localhost"}
    with server_with(connections=4, token=TOKEN) as url, ExitStack() as others:
        parts = urlsplit(url)
        known = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=SECONDS)
        known.request("GET", "/api/meta", headers={**host, "Authorization": f"Bearer {TOKEN}"})
        answer = known.getresponse()
        assert answer.status == 200
        answer.read()
        own = known.sock
        for _ in range(8):
            stranger = others.enter_context(connected(url))
            assert answered(stranger) == 401  # and kept alive
        known.request("GET", "/api/meta", headers={**host, "Authorization": f"Bearer {TOKEN}"})
        answer = known.getresponse()
        assert answer.status == 200
        answer.read()
        assert known.sock is own is not None
        known.close()


def test_requests_that_never_arrive_make_room(server_with: Serving) -> None:
    """Bodies that stop half-way, and heads that do after a first request: none of them keeps others away."""
    begun = (
        b"POST /api/board HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        b"Content-Length: 1000\r\n\r\n{"
    )
    with server_with(connections=6) as url, ExitStack() as stack:
        for number in range(24):
            slow = stack.enter_context(connected(url))
            if number % 2:
                assert answered(slow) == 200
            slow.sendall(GET[:20] if number % 2 else begun)
        for _ in range(3):
            assert httpx.get(f"{url}/api/meta", timeout=5).status_code == 200


def test_when_all_are_busy_others_hear_so(server_with: Serving) -> None:
    with server_with(connections=2) as url:
        with ExitStack() as stack:
            for _ in range(2):
                stream = stack.enter_context(httpx.stream("GET", f"{url}/api/counts/events", timeout=SECONDS))
                assert stream.status_code == 200
            refused = httpx.get(f"{url}/api/meta", timeout=SECONDS)
            assert (refused.status_code, refused.json()["type"]) == (503, "/problems/busy")
            assert refused.headers["retry-after"] == "2"
        until(lambda: httpx.get(f"{url}/api/meta", timeout=SECONDS).status_code == 200)


# --- slow senders -----------------------------------------------------------------------------------


def test_connections_that_send_nothing_are_closed(server_with: Serving) -> None:
    with server_with(head_seconds=0.5) as url, connected(url) as connection:
        began = time.monotonic()
        assert rest(connection) == b""
        assert time.monotonic() - began >= 0.4


@pytest.mark.parametrize("earlier", [0, 2])
def test_heads_that_come_byte_by_byte(server_with: Serving, earlier: int) -> None:
    """The time is for the whole head, however often some of it comes; also after other requests."""
    with server_with(head_seconds=0.5) as url, connected(url) as connection:
        for _ in range(earlier):
            assert answered(connection) == 200
        connection.settimeout(0.05)
        end = time.monotonic() + SECONDS
        answer = b""
        while not answer:
            assert time.monotonic() < end
            connection.sendall(b"G")
            try:
                answer = connection.recv(65536)
            except TimeoutError:
                continue
        connection.settimeout(SECONDS)
        head, _, body = (answer + rest(connection)).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 408 ")
    assert json.loads(body)["detail"] == "the head of the request did not arrive within 0.5 s"


def test_half_a_head_behind_a_request(server_with: Serving) -> None:
    with server_with(head_seconds=0.5) as url, connected(url) as connection:
        connection.sendall(GET + GET[:20])
        received = rest(connection)
    assert received.startswith(b"HTTP/1.1 200 ")
    assert b"HTTP/1.1 408 " in received


def test_bodies_that_go_on_after_the_answer(server_with: Serving) -> None:
    head = b"POST /api/solve HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: 99999\r\n\r\n"
    with server_with(body_seconds=0.2) as url, connected(url) as connection:
        connection.sendall(head)
        assert connection.recv(65536).startswith(b"HTTP/1.1 415 ")
        end = time.monotonic() + SECONDS
        while not is_closed(connection):
            assert time.monotonic() < end
            connection.setblocking(True)
            try:
                connection.sendall(b".")
            except (BrokenPipeError, ConnectionResetError):
                break
            time.sleep(0.05)


def test_idle_connections_are_closed(server_with: Serving) -> None:
    with server_with(idle_seconds=1) as url, connected(url) as connection:
        connection.sendall(GET)
        assert rest(connection).startswith(b"HTTP/1.1 200 ")


# --- slow readers -----------------------------------------------------------------------------------


@contextmanager
def unread(url: str, size: int) -> Iterator[socket.socket]:
    """Ask for much, and read nothing of it."""
    parts = urlsplit(url)
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.settimeout(SECONDS)
        connection.connect((parts.hostname or "", parts.port or 80))
        asked = b"GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n"
        connection.sendall(asked * size)
        yield connection


def test_answers_that_are_not_read_are_dropped(server_with: Serving) -> None:
    servers: list[Any] = []
    with server_with(unread_seconds=0.5, into=servers) as url, unread(url, 500) as connection:
        length = len(httpx.get(f"{url}/openapi.json", timeout=SECONDS).content)
        connections = servers[0].connections
        until(lambda: len(connections) > 0)
        until(lambda: len(connections) == 0)
        assert len(rest(connection)) < 500 * length


def test_answers_that_are_read_slowly_are_not(server_with: Serving) -> None:
    with server_with(unread_seconds=1) as url, unread(url, 200) as connection:
        length = len(httpx.get(f"{url}/openapi.json", timeout=SECONDS).content)
        received, began = 0, time.monotonic()
        while received < 200 * length:
            chunk = connection.recv(65536)
            assert chunk
            received += len(chunk)
            if time.monotonic() - began < 2:
                time.sleep(0.02)
