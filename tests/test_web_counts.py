"""Counting over HTTP: in the background, followed, cancelled, resumed."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import httpx

from backrank import KnightTours
from web_asking import QUEENS, settled

pytest_plugins = ["web_server"]


Inside = Callable[..., subprocess.CompletedProcess[str]]
Serving = Callable[..., AbstractContextManager[str]]


def test_counts_go_on_by_themselves(client: httpx.Client) -> None:
    for body, number in (
        ({"puzzle": {"kind": "tour", "board": "6x6", "closed": True}}, KnightTours(6, closed=True).count()),
        ({"puzzle": QUEENS, "up_to_symmetry": True}, 12),
        ({"puzzle": {**QUEENS, "board": "12x12"}, "symmetry": "90"}, 8),
    ):
        answer = client.post("/api/counts", json=body)
        job = answer.json()
        assert (answer.status_code, answer.headers["location"]) == (201, f"/api/counts/{job['id']}")
        told = settled(client, job["id"])
        assert (told["state"], told["count"], told["fraction"]) == ("done", str(number), 1.0)
        assert client.get("/api/counts").json()["jobs"][0] == told
        assert client.delete(f"/api/counts/{job['id']}").status_code == 204
        assert client.get(f"/api/counts/{job['id']}").status_code == 404


def test_counts_say_what_they_count(client: httpx.Client, inside: Inside) -> None:
    for words, body in (
        (("count", "tours", "5x5", "--start", "a5"), {"puzzle": {"kind": "tour", "board": "5x5", "start": "a5"}}),
        (("count", "queens", "6", "--up-to-symmetry"), {"puzzle": {**QUEENS, "board": "6"}, "up_to_symmetry": True}),
    ):
        told = settled(client, client.post("/api/counts", json=body).json()["id"])
        assert inside(*words).stdout == f"{told['count']} {told['what']}\n"


def is_state(message: dict[str, Any], job: str, state: str) -> bool:
    return (message["data"].get("id"), message["data"].get("state")) == (job, state)


def follow(client: httpx.Client, until: Callable[[dict[str, Any]], bool], **headers: str) -> list[dict[str, Any]]:
    """Read the events of the counts until one is as it should be."""
    seen: list[dict[str, Any]] = []
    current: dict[str, Any] = {}
    with client.stream("GET", "/api/counts/events", headers=headers) as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        for line in answer.iter_lines():
            name, colon, value = line.partition(": ")
            if colon:
                current[name] = json.loads(value) if name == "data" else value
            elif current:
                seen.append(current)
                if until(current):
                    return seen
                current = {}
    raise AssertionError("the stream ended")


def test_counts_are_followed_cancelled_and_resumed(client: httpx.Client) -> None:
    job = client.post("/api/counts", json={"puzzle": {**QUEENS, "board": "20x20"}}).json()["id"]
    running = follow(client, lambda each: is_state(each, job, "running"))
    last = running[-1]["id"]
    numbers = [int(each["id"]) for each in running if "id" in each]
    assert numbers == sorted(numbers)
    assert client.post(f"/api/counts/{job}/cancel").json()["state"] == "cancelled"
    resumed = follow(client, lambda each: each["data"].get("state") == "cancelled", **{"Last-Event-ID": last})
    assert all(int(each["id"]) > int(last) for each in resumed)
    assert client.post(f"/api/counts/{job}/cancel").json()["state"] == "cancelled"
    version = resumed[-1]["id"]
    assert client.delete(f"/api/counts/{job}").status_code == 204
    (gone,) = follow(client, lambda each: each["event"] == "gone", **{"Last-Event-ID": version})
    assert gone["data"] == {"id": job}


def test_only_so_many_counts(server_with: Serving) -> None:
    with server_with(count_workers=1, count_jobs=2) as url, httpx.Client(base_url=url, timeout=30) as client:
        body = {"puzzle": {**QUEENS, "board": "22x22"}}
        other = {"puzzle": {**QUEENS, "board": "21x21"}}
        first, second = (client.post("/api/counts", json=each).json() for each in (body, other))
        refused = client.post("/api/counts", json={"puzzle": QUEENS})
        assert (refused.status_code, refused.json()["type"]) == (429, "/problems/too-many")
        follow(client, lambda each: is_state(each, first["id"], "running"))
        assert client.get(f"/api/counts/{second['id']}").json()["state"] == "waiting"
        client.post(f"/api/counts/{first['id']}/cancel")
        follow(client, lambda each: is_state(each, second["id"], "running"))


def test_counts_that_fail_say_why(client: httpx.Client) -> None:
    job = client.post("/api/counts", json={"puzzle": {"kind": "tour", "board": "60x60"}}).json()["id"]
    told = settled(client, job)
    assert (told["state"], told["problem"]["type"]) == ("failed", "/problems/board-too-large")
    limited = client.post("/api/counts", json={"puzzle": {**QUEENS, "board": "20x20"}, "seconds": 0.3}).json()["id"]
    assert settled(client, limited)["problem"]["type"] == "/problems/budget-exceeded"
