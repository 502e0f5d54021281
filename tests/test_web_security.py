"""The door of the server: who may ask, how much, and what a browser may do with the answers."""

from __future__ import annotations

import http.client
import json
import re
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from backrank.web import files
from backrank.web.net.security import POLICY, Access, host_name

pytest_plugins = ["web_server"]

Serving = Callable[..., AbstractContextManager[str]]
TOKEN = "".join(("open", "sesame"))
BODY = {"puzzle": {"kind": "tour", "board": "5x5"}}


@pytest.fixture(scope="module")
def client(live_server: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=live_server, timeout=30) as client:
        yield client


def is_problem(answer: httpx.Response, status: int, name: str) -> bool:
    told = answer.json()
    is_typed = answer.headers["content-type"] == "application/problem+json"
    return is_typed and (answer.status_code, told["status"], told["type"]) == (status, status, f"/problems/{name}")


def raw(url: str, data: bytes, seconds: float = 10) -> bytes:
    """Send bytes as they are, and return all that comes back."""
    parts = urlsplit(url)
    with socket.create_connection((parts.hostname or "", parts.port or 80), timeout=seconds) as connection:
        connection.sendall(data)
        received = b""
        while chunk := connection.recv(65536):
            received += chunk
        return received


# --- who may ask ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example:80", "192.168.1.1", ""]
)
def test_other_names_are_refused(client: httpx.Client, host: str) -> None:
    """A page that has made its own name point here (DNS rebinding) still sends its own name."""
    for path in ("/", "/api/meta", "/static/index.html", "/openapi.json"):
        assert is_problem(client.get(path, headers={"Host": host}), 403, "forbidden")


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.1:1234", "localhost", "LocalHost:99", "[::1]:8"])
def test_names_of_this_machine_are_welcome(client: httpx.Client, host: str) -> None:
    assert client.get("/api/meta", headers={"Host": host}).status_code == 200


def test_two_hosts_are_none(live_server: str) -> None:
    lines = b"GET /api/meta HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nConnection: close\r\n\r\n"
    assert raw(live_server, lines).split()[1] in (b"400", b"403")


@pytest.mark.parametrize("name", ["[::1", "a:b:c", "[::1]x", "host:port"])
def test_names_that_are_none(name: str) -> None:
    assert not Access(token=TOKEN).allows_host(name)
    assert host_name(name) in ("", "a", "::1")


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://localhost:1", "https://127.0.0.1"])
def test_pages_from_elsewhere_are_refused(client: httpx.Client, origin: str) -> None:
    assert is_problem(client.post("/api/existence", json=BODY, headers={"Origin": origin}), 403, "forbidden")
    assert is_problem(client.get("/api/meta", headers={"Origin": origin}), 403, "forbidden")


def test_the_own_page_is_welcome(client: httpx.Client, live_server: str) -> None:
    headers = {"Origin": live_server, "Sec-Fetch-Site": "same-origin"}
    assert client.post("/api/existence", json=BODY, headers=headers).status_code == 200


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_requests_without_an_origin_are_told_by_their_site(client: httpx.Client, site: str) -> None:
    """As an image of another page would ask; a link from there is all right."""
    assert is_problem(client.get("/api/counts", headers={"Sec-Fetch-Site": site}), 403, "forbidden")
    link = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": "navigate"}
    assert client.get("/", headers=link).status_code == 200
    assert is_problem(client.get("/api/counts", headers=link), 403, "forbidden")


def test_no_answer_is_for_other_origins(client: httpx.Client) -> None:
    answer = client.options(
        "/api/existence", headers={"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "x"}
    )
    assert not [name for name in answer.headers if name.startswith("access-control-")]


def test_a_token_opens_the_door(server_with: Serving) -> None:
    with server_with(token=TOKEN) as url:
        for path in ("/", "/api/meta", "/docs", "/static/index.html"):
            with httpx.Client(base_url=url) as stranger:
                assert is_problem(stranger.get(path), 401, "unauthorized")
                assert is_problem(stranger.get(path, params={"token": "guess"}), 401, "unauthorized")
                assert is_problem(stranger.get(path, headers={"Cookie": "backrank_token=guess"}), 401, "unauthorized")
                assert is_problem(stranger.post(path, params={"token": TOKEN}), 401, "unauthorized")
        with httpx.Client(base_url=url) as friend:
            answer = friend.get(f"/?token={TOKEN}&lang=en")
            assert (answer.status_code, answer.headers["location"]) == (303, "/?lang=en")
            cookie = answer.headers["set-cookie"].lower()
            assert "httponly" in cookie
            assert "samesite=strict" in cookie
            assert friend.get("/api/meta").status_code == 200
            assert friend.get("/api/meta", headers={"Host": "192.168.7.7:80"}).status_code == 200
            assert is_problem(friend.get("/api/meta", headers={"Host": "evil.example"}), 403, "forbidden")
        assert httpx.get(f"{url}/api/meta", headers={"Authorization": f"Bearer {TOKEN}"}).status_code == 200


# --- how much ---------------------------------------------------------------------------------------


def test_large_requests_are_refused(client: httpx.Client) -> None:
    text = json.dumps({"kind": "tour", "text": "1 " * 1_200_000})
    headers = {"Content-Type": "application/json"}
    assert is_problem(client.post("/api/check", content=text, headers=headers), 413, "body-too-large")


def test_large_requests_in_pieces_are_refused(client: httpx.Client) -> None:
    def pieces() -> Iterator[bytes]:
        for _ in range(40):
            yield b" " * 65536

    answer = client.post("/api/check", content=pieces(), headers={"Content-Type": "application/json"})
    assert is_problem(answer, 413, "body-too-large")


def test_slow_requests_are_refused(server_with: Serving) -> None:
    with server_with(body_seconds=0.2) as url:
        begun = (
            b"POST /api/existence HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            b"Content-Length: 100\r\nConnection: close\r\n\r\n{"
        )
        assert raw(url, begun).startswith(b"HTTP/1.1 408 ")


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
def test_what_forms_can_send_is_refused(client: httpx.Client, kind: str) -> None:
    answer = client.post("/api/existence", content=json.dumps(BODY), headers={"Content-Type": kind})
    assert is_problem(answer, 415, "wrong-media-type")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        '"x"',
        "[" * 100_000,
        '{"puzzle": ' * 10_000,
        "1" * 5000,
        '{"puzzle": NaN}',
        "\ud800",
        "\x00",
    ],
)
def test_garbage_is_refused(client: httpx.Client, text: str) -> None:
    content = text.encode("utf-8", "surrogatepass")
    answer = client.post("/api/existence", content=content, headers={"Content-Type": "application/json"})
    assert answer.status_code in (400, 422)
    assert answer.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize(
    "puzzle",
    [
        {"kind": "tour", "board": "8x8", "surprise": 1},
        {"kind": "tour", "board": 8},
        {"kind": "tour", "board": "8x8", "closed": "yes"},
        {"kind": "tour", "board": "8x8", "start": 1.5},
        {"kind": "tour", "board": "8x8", "start": True},
        {"kind": "tour", "board": "8x8", "start": -1},
        {"kind": "tour", "board": "8" * 41},
        {"kind": "tour", "board": "8x8", "holes": list(range(250_001))},
        {"kind": "chess", "board": "8x8"},
        {"board": "8x8"},
    ],
    ids=lambda puzzle: str(puzzle)[:60],
)
def test_other_shapes_are_refused(client: httpx.Client, puzzle: dict[str, Any]) -> None:
    answer = client.post("/api/existence", json={"puzzle": puzzle})
    assert is_problem(answer, 422, "invalid-request")
    assert answer.json()["errors"][0]["where"].startswith("puzzle")
    assert len(answer.text) < 2000


@pytest.mark.parametrize("board", ["999999999x999999999", "100000", "9" * 40])
@pytest.mark.parametrize("path", ["board", "existence", "solve", "counts"])
def test_huge_boards_are_refused_at_once(client: httpx.Client, path: str, board: str) -> None:
    for kind in ("tour", "queens"):
        answer = client.post(f"/api/{path}", json={"puzzle": {"kind": kind, "board": board}})
        assert answer.status_code == 422
        assert answer.json()["type"] in ("/problems/board-too-large", "/problems/invalid-board")


def test_only_so_many_requests_at_once(server_with: Serving) -> None:
    with server_with(requests=1) as url, httpx.Client(base_url=url) as client:
        with client.stream("GET", "/api/counts/events") as answer:
            assert answer.status_code == 200
            assert is_problem(httpx.get(f"{url}/api/meta"), 503, "busy")
        until = time.monotonic() + 10
        while client.get("/api/meta").status_code != 200:
            assert time.monotonic() < until


# --- what a browser may do --------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/", "/docs", "/api/meta", "/static/index.html", "/nowhere", "/openapi.json"])
def test_every_answer_has_its_headers(client: httpx.Client, path: str) -> None:
    headers = client.get(path).headers
    assert headers["content-security-policy"] == POLICY
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert "server" not in headers
    assert "unsafe" not in POLICY
    if path.startswith("/api/"):
        assert headers["cache-control"] == "no-store"


def test_what_is_not_there_is_a_problem(client: httpx.Client) -> None:
    assert is_problem(client.get("/api/nothing"), 404, "not-found")
    assert is_problem(client.get("/api/solve"), 405, "method-not-allowed")
    assert is_problem(client.get("/api/counts/c999"), 404, "not-found")
    assert is_problem(client.get("/static/nothing.js"), 404, "not-found")


# --- files ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path",
    [
        "/static/../security.py",
        "/static/..%2fsecurity.py",
        "/static/%2e%2e/security.py",
        "/static/%2e%2e%2fapp.py",
        "/static//etc/passwd",
        "/static/%2fetc%2fpasswd",
        "/static/..\\security.py",
        "/static/core/../../app.py",
        "/static/index.html%00.js",
        "/static/.hidden.js",
        "/static/",
        "/static/core",
        "/static/" + "a/" * 50 + "b.js",
        "/static/" + "a" * 5000 + ".js",
    ],
)
def test_no_other_file_is_served(live_server: str, path: str) -> None:
    """Sent as they are: no client tidies these paths up."""
    parts = urlsplit(live_server)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port)
    connection.putrequest("GET", path, skip_accept_encoding=True)
    connection.endheaders()
    assert connection.getresponse().status == 404
    connection.close()


def test_files_have_tags(client: httpx.Client) -> None:
    first = client.get("/static/index.html")
    page = files.root("index.html").joinpath("index.html")
    assert first.text == client.get("/").text == page.read_text(encoding="utf-8")
    assert first.headers["content-type"] == "text/html; charset=utf-8"
    tag = first.headers["etag"]
    again = client.get("/static/index.html", headers={"If-None-Match": f'"old", W/{tag}'})
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
    head = client.head("/")
    assert (head.status_code, head.content, head.headers["etag"]) == (200, b"", tag)


def test_the_page_asks_for_nothing_from_elsewhere(client: httpx.Client) -> None:
    page = client.get("/").text
    links = re.findall(r"""(?:src|href)=["']([^"']+)""", page)
    assert links
    for link in links:
        assert not re.match(r"(?:https?:)?//", link)
        if link.startswith("/"):
            assert client.get(link).status_code == 200
