"""Watching over HTTP: every moment, window and jump is the engine's own, whatever the server remembers."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any

import httpx
import pytest

from backrank.runtime.budget import Budget
from backrank.search import Cursor, Trace, advance, replay, start, trace
from backrank.web.models import RunRequest
from backrank.web.puzzles import Searched, event_told, searched
from backrank.web.watch.moments import moment_told
from backrank.web.watch.traces import KeptTrace, Traces

pytest_plugins = ["web_server"]

TOUR = {"puzzle": {"kind": "tour", "board": "5x5", "start": "a5"}, "strategy": "fixed:python"}
QUEENS = {"puzzle": {"kind": "queens", "board": "6x6"}, "strategy": "rows"}
LONG = {"puzzle": {"kind": "tour", "board": "8x8", "start": "0,1"}, "strategy": "fixed:python"}
RUNS = [
    TOUR,
    {"puzzle": {"kind": "tour", "board": "5x6", "closed": True}, "strategy": "warnsdorff+prune"},
    {"puzzle": {"kind": "tour", "board": "3x4", "start": "a3", "end": "b1", "holes": []}, "strategy": "random:7"},
    {"puzzle": {"kind": "tour", "board": "4x4", "piece": "1,3", "wrap": "torus"}, "strategy": "fixed"},
    {"puzzle": {"kind": "tour", "board": "1x1"}, "strategy": None},
    QUEENS,
    {"puzzle": {"kind": "queens", "board": "5x7", "holes": ["a1", 8]}, "strategy": "fewest-first"},
    {"puzzle": {"kind": "queens", "board": "6x5", "queens": 3, "wrap": "cylinder"}, "strategy": "centre-out"},
]
NO_LIMIT = Budget()
Serving = Callable[..., AbstractContextManager[str]]


def what_of(run: dict[str, Any]) -> Searched:
    return searched(RunRequest.model_validate(run), 10_000)


def trace_of(run: dict[str, Any]) -> Trace:
    what = what_of(run)
    return trace(what.space, what.strategy)


def ends_of(run: dict[str, Any], most: int = 3000) -> list[Cursor]:
    """The cursors of the first moments of a run, one after the other."""
    what = what_of(run)
    cursors = [start(what.space, what.strategy)]
    while not cursors[-1].done and len(cursors) <= most:
        cursors.append(advance(cursors[-1], 1)[1])
    return cursors


@pytest.fixture(scope="module")
def client(live_server: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=live_server, timeout=30) as client:
        yield client


def ask(client: httpx.Client, verb: str, run: dict[str, Any], **more: Any) -> dict[str, Any]:
    answer = client.post(f"/api/watch/{verb}", json={"run": run, **more})
    assert answer.status_code == 200, answer.text
    told: dict[str, Any] = answer.json()
    return told


def messages(text: str) -> list[dict[str, Any]]:
    """The events of a stream."""
    found = []
    for block in text.strip().split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.split("\n") if ": " in line)
        found.append({**fields, "data": json.loads(fields["data"])})
    return found


# --- moments ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("run", RUNS, ids=str)
def test_a_moment_follows_from_its_cursor(run: dict[str, Any]) -> None:
    """What happened last, and what comes next, is read off the cursor: the same as the trace remembers."""
    known = trace_of(run)
    for number, cursor in enumerate(ends_of(run, 200)):
        told = moment_told(cursor, 1000)
        assert told["event"] == number
        assert told["path"] == known.path(number)
        assert told["stats"]["calls"] == known.stats(number).calls
        assert told["last"] == (event_told(known.at(number - 1)) if number else None)
        assert told["next"] == (None if cursor.done else event_told(known.at(number)))
        levels = [(level.square, list(level.candidates), level.tried) for level in known.stack(number)]
        assert [(each["square"], each["candidates"], each["tried"]) for each in told["stack"]] == levels
        assert [each["depth"] for each in told["stack"]] == list(range(len(levels)))
        assert told["finished"] == cursor.done


@pytest.mark.parametrize("run", RUNS, ids=str)
def test_candidates_foretell_what_happens_to_them(run: dict[str, Any]) -> None:
    known = trace_of(run)
    seen = 0
    for number, cursor in enumerate(ends_of(run, 120)):
        for candidate in moment_told(cursor, 1)["candidates"]:
            if candidate["state"] == "next":
                event = event_told(known.at(number))
                assert (event["square"], event["reason"], event["at"]) == (
                    candidate["square"],
                    candidate["reason"],
                    candidate["at"],
                )
                seen += 1
    assert seen > 0


def test_onward_moves_are_counted(client: httpx.Client) -> None:
    told = ask(client, "moment", TOUR, event=1)
    assert {each["square"]: each["onward"] for each in told["candidates"]} == {7: 5, 11: 5}
    assert all(each["onward"] is None for each in ask(client, "moment", QUEENS, event=1)["candidates"])


def test_the_innermost_levels_are_told() -> None:
    cursor = ends_of(TOUR)[400]
    stack = moment_told(cursor, 5)["stack"]
    assert stack == moment_told(cursor, 1000)["stack"][-5:]
    assert stack[-1]["depth"] == cursor.depth


def test_words_are_those_of_the_command_line(client: httpx.Client) -> None:
    told = ask(client, "moment", {"puzzle": {"kind": "queens", "board": "4x4"}}, event=3)
    assert told["text"] == "reject b3: same diagonal as queen on a4"


# --- reaching moments -------------------------------------------------------------------------------


def test_moments_are_reached_from_anywhere() -> None:
    """From a cursor brought along, from keyframes, from the beginning: the same moment."""
    cursors = ends_of(QUEENS)
    kept = KeptTrace(what_of(QUEENS))
    for turn in range(60):
        number = 389 * turn % len(cursors)
        given = (None, cursors[101 * turn % len(cursors)], cursors[max(0, number - turn)])[turn % 3]
        assert kept.at(number, given, NO_LIMIT) == cursors[number]
        assert KeptTrace(what_of(QUEENS)).at(number, given, NO_LIMIT) == cursors[number]


def test_a_cursor_from_outside_is_not_kept() -> None:
    watched = KeptTrace(what_of(QUEENS))
    there = ends_of(QUEENS)[500]
    assert watched.at(510, there, NO_LIMIT).event == 510
    assert watched.known == 0
    watched.visit(20, NO_LIMIT)
    assert watched.known == 20


def test_behind_the_end_is_the_end(client: httpx.Client) -> None:
    end = len(ends_of(QUEENS)) - 1
    told = ask(client, "moment", QUEENS, event=10**9)
    assert (told["event"], told["finished"], told["total"], told["next"]) == (end, True, end, None)
    again = ask(client, "moment", QUEENS, event=10**9, cursor=told["cursor"])
    assert again == told


def test_kept_runs_are_forgotten_and_nobody_notices() -> None:
    traces = Traces(most_bytes=1)
    first = traces.of(what_of(TOUR))
    assert traces.of(what_of(TOUR)) is first
    traces.of(what_of(QUEENS))
    assert len(traces) == 1
    assert traces.of(what_of(TOUR)).at(100, None, NO_LIMIT) == first.at(100, None, NO_LIMIT)


def test_cursors_that_do_not_belong_are_refused(client: httpx.Client) -> None:
    cursor = ask(client, "moment", TOUR, event=50)["cursor"]
    for bad in ({**cursor, "calls": 1}, {**cursor, "checksum": "0"}, {}, {"format": "backrank-cursor"}):
        answer = client.post("/api/watch/moment", json={"run": TOUR, "event": 60, "cursor": bad})
        assert (answer.status_code, answer.json()["type"]) == (422, "/problems/invalid-cursor")
    other = client.post("/api/watch/moment", json={"run": QUEENS, "event": 60, "cursor": cursor})
    assert "another problem" in other.json()["detail"]


# --- windows and jumps ------------------------------------------------------------------------------


@pytest.mark.parametrize("run", RUNS, ids=str)
def test_windows_replay(client: httpx.Client, run: dict[str, Any]) -> None:
    known = trace_of(run)
    first, cursor, events = 0, None, []
    while True:
        told = ask(client, "window", run, first=first, count=97, cursor=cursor)
        assert told["moment"]["event"] == first
        path = list(told["moment"]["path"])
        for event in told["events"]:
            if event["kind"] == "enter":
                path.append(event["square"])
            elif event["kind"] == "leave":
                assert path.pop() == event["square"]
        assert path == told["end"]["path"]
        events += told["events"]
        first, cursor = told["end"]["event"], told["end"]["cursor"]
        if told["end"]["finished"] or len(events) > 2000:
            break
    expected = known.window(0, len(events))
    assert events == [event_told(event) for event in expected]
    assert replay(expected) == path


@pytest.mark.parametrize("run", [TOUR, QUEENS], ids=str)
def test_jumps_lead_where_the_trace_says(client: httpx.Client, run: dict[str, Any]) -> None:
    known = trace_of(run)
    known.run()
    assert known.total
    for number in range(0, known.total, known.total // 5):
        for to, event in (
            ("next-solution", known.next_solution(number)),
            ("next-backtrack", known.next_backtrack(number)),
            ("previous-solution", known.previous_solution(max(0, number - 1))),
            ("previous-backtrack", known.previous_backtrack(max(0, number - 1))),
        ):
            told = ask(client, "jump", run, event=number, to=to)
            assert told["found"] == (event is not None)
            assert told["moment"]["event"] == (number if event is None else event + 1)
    assert ask(client, "jump", run, event=3, to="end")["moment"]["event"] == known.total


def test_stepping_between_solutions(client: httpx.Client) -> None:
    """There and back again: 4 solutions of 6 queens, each announced."""
    at, visited = 0, []
    while (told := ask(client, "jump", QUEENS, event=at, to="next-solution"))["found"]:
        assert told["moment"]["solved"]
        at = told["moment"]["event"]
        visited.append(at)
    assert len(visited) == 4
    back = []
    while (told := ask(client, "jump", QUEENS, event=at, to="previous-solution"))["found"]:
        at = told["moment"]["event"]
        back.append(at)
    assert back == visited[-2::-1]


# --- long runs --------------------------------------------------------------------------------------


def test_a_long_run_is_streamed_then_visited(client: httpx.Client) -> None:
    """Some 30 million events at the speed of the engine; then any moment of them, from what is kept or brought."""
    goal = 30_000_000
    query: dict[str, Any] = {"run": json.dumps(LONG), "until": "event", "event": goal}
    told = messages(client.get("/api/watch/stream", params=query).text)
    *progress, last = told
    assert (last["event"], last["data"]["event"]) == ("found", goal)
    numbers = [int(each["id"]) for each in progress]
    assert numbers == sorted(numbers)
    assert all(each["event"] == "progress" and each["data"]["event"] == int(each["id"]) for each in progress)
    middle = ask(client, "moment", LONG, event=goal // 2)
    assert middle["event"] == goal // 2
    frame = next(cursor for each in progress for cursor in each["data"]["cursors"])
    near = advance(KeptTrace(what_of(LONG)).at(frame["event"], None, NO_LIMIT), 5)[1]
    assert ask(client, "moment", LONG, event=frame["event"] + 5, cursor=frame)["path"] == list(near.path)


def test_streams_end_where_they_should(client: httpx.Client) -> None:
    known = trace_of(QUEENS)
    first = known.next_solution(0)
    second = known.next_solution((first or 0) + 1)
    known.run()
    cases: list[tuple[dict[str, Any], str, int | None]] = [
        ({"until": "solution"}, "found", (first or 0) + 1),
        ({"until": "solution", "from": (first or 0) + 1}, "found", (second or 0) + 1),
        ({"until": "solution", "from": 10**9}, "end", known.total),
        ({"until": "end"}, "end", known.total),
        ({"until": "event", "event": 77}, "found", 77),
        ({"until": "event", "event": 10**9}, "end", known.total),
    ]
    for query, kind, number in cases:
        answer = client.get("/api/watch/stream", params={**query, "run": json.dumps(QUEENS)})
        last = messages(answer.text)[-1]
        assert (last["event"], last["data"]["event"]) == (kind, number)


def test_a_stream_goes_on_after_a_break(client: httpx.Client) -> None:
    """Reconnecting with the number that came last: nothing before it comes again, and the end is the same."""
    query: dict[str, Any] = {
        "run": json.dumps({**LONG, "strategy": "fixed:java-a"}),
        "until": "event",
        "event": 200_000_000,
    }
    seen = 0
    with client.stream("GET", "/api/watch/stream", params=query) as answer:
        for line in answer.iter_lines():
            if line.startswith("id: "):
                seen = int(line[4:])
                break
    assert 0 < seen < 200_000_000
    again = messages(client.get("/api/watch/stream", params=query, headers={"Last-Event-ID": str(seen)}).text)
    assert all(int(each["id"]) >= seen for each in again[:-1])
    assert all(cursor["event"] > seen for each in again[:-1] for cursor in each["data"]["cursors"])
    assert again[-1]["data"]["event"] == 200_000_000


def test_too_far_says_to_use_the_stream(server_with: Serving) -> None:
    with server_with(watch_seconds=0.05) as url, httpx.Client(base_url=url, timeout=30) as client:
        goal = 60_000_000
        answer = client.post("/api/watch/moment", json={"run": LONG, "event": goal})
        told = answer.json()
        assert (answer.status_code, told["type"]) == (504, "/problems/budget-exceeded")
        assert 0 < told["known"] < goal
        query: dict[str, Any] = {"run": json.dumps(LONG), "until": "event", "event": goal}
        assert messages(client.get("/api/watch/stream", params=query).text)[-1]["event"] == "found"
        assert client.post("/api/watch/moment", json={"run": LONG, "event": goal}).status_code == 200


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ({"run": "{"}, "this is not JSON"),
        ({"run": "{}"}, "run.puzzle: Field required"),
        ({"run": json.dumps({**TOUR, "strategy": "cleverly"})}, "unknown tour strategy 'cleverly'"),
        ({"run": json.dumps(TOUR), "until": "dawn"}, "until: Input should be 'solution', 'end' or 'event'"),
        ({}, "run: Field required"),
    ],
)
def test_bad_streams_are_refused(client: httpx.Client, query: dict[str, str], words: str) -> None:
    answer = client.get("/api/watch/stream", params=query)
    assert answer.status_code == 422
    assert words in answer.json()["detail"]


def test_only_so_many_searches_at_once(server_with: Serving) -> None:
    with server_with(searches=1) as url, httpx.Client(base_url=url, timeout=30) as client:
        query: dict[str, Any] = {"run": json.dumps(LONG), "until": "end"}
        with client.stream("GET", "/api/watch/stream", params=query) as first:
            lines = first.iter_lines()  # kept: who lets go of it closes the stream
            next(lines)
            refused = client.get("/api/watch/stream", params=query)
            assert (refused.status_code, refused.json()["type"]) == (503, "/problems/busy")
            assert refused.headers["retry-after"]


@pytest.mark.parametrize(
    ("run", "name"),
    [
        ({"puzzle": {"kind": "tour", "board": "200x200"}}, "board-too-large"),
        ({"puzzle": {"kind": "queens", "board": "8x8", "piece": "amazon"}}, "invalid-puzzle"),
        ({"puzzle": {"kind": "tour", "board": "8x8", "start": "z9"}}, "invalid-square"),
        ({"puzzle": {"kind": "tour", "board": "8x8", "piece": "2,3"}, "strategy": "fixed:-2,1 -1,2"}, "invalid-puzzle"),
        ({"puzzle": {"kind": "queens", "board": "8x8"}, "strategy": "fixed"}, "unknown-name"),
    ],
)
def test_what_cannot_be_watched(client: httpx.Client, run: dict[str, Any], name: str) -> None:
    answer = client.post("/api/watch/moment", json={"run": run, "event": 0})
    assert (answer.status_code, answer.json()["type"]) == (422, f"/problems/{name}")
