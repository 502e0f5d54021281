"""The verbs over HTTP: the answers are the library's, and the errors have the words of the command line."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import GenerationMode
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from backrank import KnightTours, Queens, parse_placements, parse_tours
from backrank.formats import PLACEMENT_FORMS, TOUR_FORMS
from backrank.geometry.pieces import move_graph
from backrank.web.app import create_app
from backrank.web.limits import Limits
from backrank.web.problems import Trouble
from backrank.web.workers.pool import GRACE_SECONDS, Worker
from web_asking import QUEENS, TOUR, ask, run_apart, settled

pytest_plugins = ["web_server"]

Inside = Callable[..., subprocess.CompletedProcess[str]]
Serving = Callable[..., AbstractContextManager[str]]

CHECKS = [content_type_conformance, response_schema_conformance, status_code_conformance]
EXAMPLES = 12


# --- meta -------------------------------------------------------------------------------------------


def test_meta_is_complete(client: httpx.Client) -> None:
    told = client.get("/api/meta").json()
    assert told["formats"] == {"tour": list(TOUR_FORMS), "queens": list(PLACEMENT_FORMS)}
    assert told["limits"]["window"] == Limits().window
    for kind in ("tour", "queens"):
        for each in told["strategies"][kind]:
            name = each["name"] + ":7" * each["takes_seed"] + "+prune" * each["takes_prune"]
            run = {"puzzle": {"kind": kind, "board": "5x5"}, "strategy": name}
            assert ask(client, "watch/moment", {"run": run, "event": 3})["event"] == 3
    for piece in told["pieces"]["tour"]:
        ask(client, "board", {"puzzle": {**TOUR, "piece": piece}})


def test_the_board_tells_moves_and_lines(client: httpx.Client) -> None:
    told = ask(client, "board", {"puzzle": {"kind": "tour", "board": "3x4", "holes": ["a1"], "piece": "1,2"}})
    board = KnightTours(3, 4, holes=["a1"]).board
    assert told["neighbours"] == [list(near) for near in move_graph(board).adjacency()]
    assert told["puzzle"] == {
        "kind": "tour",
        "board": "3x4",
        "rows": 3,
        "cols": 4,
        "holes": [8],
        "wrap": "none",
        "piece": "knight",
        "total": 11,
        "closed": False,
        "start": None,
        "end": None,
    }
    queens = ask(client, "board", {"puzzle": {"kind": "queens", "board": "3x3"}})
    assert (queens["neighbours"], queens["lines"][5]) == (None, [1, 2, -1, 3])
    assert (queens["existence"]["answer"], queens["existence"]["reason"]) == ("no", Queens(3).existence().reason)
    amazons = ask(client, "board", {"puzzle": {**QUEENS, "piece": "amazon"}})
    assert amazons["neighbours"][0] == [10, 17]


def test_existence_gives_the_reason(client: httpx.Client) -> None:
    told = ask(client, "existence", {"puzzle": {"kind": "tour", "board": "5x5", "closed": True}})
    reason = KnightTours(5, closed=True).existence().reason
    assert told == {"answer": "no", "reason": reason, "code": "closed-colours", "params": {"more": 13, "less": 12}}


# --- solve, export, check ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("puzzle", "more"),
    [
        (TOUR, {}),
        ({**TOUR, "board": "6x6", "closed": True, "start": "a1"}, {}),
        ({**TOUR, "board": "5x5", "start": 0, "end": 24}, {"strategy": "warnsdorff", "order": "python"}),
        ({**TOUR, "board": "7x9", "holes": [4, "b2"]}, {"seed": 3}),
        ({**TOUR, "board": "20x20"}, {"strategy": "blocks"}),
        (QUEENS, {"strategy": "rows"}),
        ({**QUEENS, "board": "30x20"}, {}),
        ({**QUEENS, "board": "10x10", "piece": "amazon"}, {}),
        ({**QUEENS, "board": "6x6", "queens": 4, "holes": ["a1"]}, {}),
    ],
)
def test_answers_are_answers(client: httpx.Client, puzzle: dict[str, Any], more: dict[str, Any]) -> None:
    told = ask(client, "solve", {"puzzle": puzzle, **more})
    assert told["solvable"] is True
    options = {key: value for key, value in puzzle.items() if key not in ("kind", "board")}
    if puzzle["kind"] == "tour":
        assert KnightTours(puzzle["board"], **options).faults(told["squares"]) == []
    else:
        queens = Queens(puzzle["board"], **options)
        assert queens.faults(map(queens.board.name, told["squares"])) == []
    checked = ask(client, "export", {"puzzle": puzzle, "squares": told["squares"], "form": "nonsense"}, 422)
    assert checked["type"] == "/problems/unknown-name"


def test_impossible_has_a_reason(client: httpx.Client) -> None:
    told = ask(client, "solve", {"puzzle": {"kind": "tour", "board": "4x4"}})
    assert (told["solvable"], told["squares"]) == (False, None)
    assert told["reason"] == KnightTours(4).search().reason


def test_limits_leave_it_open(client: httpx.Client) -> None:
    body = {"puzzle": {**TOUR, "start": "0,1"}, "strategy": "fixed:python", "calls": 1000}
    told = ask(client, "solve", body, 504)
    assert told["type"] == "/problems/budget-exceeded"
    assert told["reached"]["calls"] == 1000


@pytest.mark.parametrize(
    ("words", "path", "body"),
    [
        (("solve", "tour", "0x3"), "solve", {"puzzle": {**TOUR, "board": "0x3"}}),
        (("solve", "tour", "8x8", "--start", "z9"), "solve", {"puzzle": {**TOUR, "start": "z9"}}),
        (("solve", "tour", "8x8", "--piece", "rook"), "solve", {"puzzle": {**TOUR, "piece": "rook"}}),
        (("solve", "tour", "8x8", "--strategy", "luck"), "solve", {"puzzle": TOUR, "strategy": "luck"}),
        (("solve", "tour", "8x8", "--wrap", "round"), "existence", {"puzzle": {**TOUR, "wrap": "round"}}),
        (("solve", "queens", "8", "--strategy", "luck"), "solve", {"puzzle": QUEENS, "strategy": "luck"}),
        (("solve", "queens", "8", "-k", "-1"), "solve", {"puzzle": {**QUEENS, "queens": -1}}),
        (("check", "tour", "-"), "check", {"kind": "tour", "text": "hello"}),
        (("check", "queens", "-"), "check", {"kind": "queens", "text": ""}),
        (("count", "queens", "8", "--method", "luck"), "counts", {"puzzle": QUEENS, "method": "luck"}),
    ],
)
def test_the_words_are_those_of_the_command_line(
    client: httpx.Client, inside: Inside, words: tuple[str, ...], path: str, body: dict[str, Any]
) -> None:
    done = inside(*words, text=body.get("text", ""))
    assert done.returncode == 2
    answer = client.post(f"/api/{path}", json=body).json()
    if path == "counts":
        answer = settled(client, answer["id"])["problem"]
    if answer["type"] == "/problems/invalid-request":
        assert answer["detail"] == "puzzle.queens: Input should be greater than or equal to 0"
    else:
        assert done.stderr == f"backrank: {answer['detail']}\n"


@pytest.mark.parametrize("form", ["svg", "png", "html", *TOUR_FORMS])
def test_tours_become_files(client: httpx.Client, form: str) -> None:
    tour = KnightTours(5, 6, closed=True).solve()
    assert tour is not None
    puzzle = {**TOUR, "board": "5x6", "closed": True}
    answer = client.post("/api/export", json={"puzzle": puzzle, "squares": list(tour.squares), "form": form})
    assert answer.status_code == 200
    assert answer.headers["content-disposition"].startswith('attachment; filename="tour-5x6.')
    if form == "png":
        assert answer.content.startswith(b"\x89PNG")
    elif form in ("svg", "html"):
        assert answer.text.startswith(("<svg", "<!doctype html"))
    else:
        (claim,) = parse_tours(answer.text, form=form)
        assert claim.squares() == tour.squares


@pytest.mark.parametrize("form", ["svg", "png", *PLACEMENT_FORMS])
def test_placements_become_files(client: httpx.Client, form: str) -> None:
    placement = Queens(8).solve()
    assert placement is not None
    answer = client.post("/api/export", json={"puzzle": QUEENS, "squares": list(placement.squares), "form": form})
    assert answer.status_code == 200
    if form not in ("svg", "png"):
        (claim,) = parse_placements(answer.text, form=form)
        assert claim.squares() == placement.squares


def test_only_whole_tours_become_files(client: httpx.Client) -> None:
    told = ask(client, "export", {"puzzle": TOUR, "squares": [0, 1], "form": "svg"}, 422)
    assert told["detail"].startswith("not a tour of this puzzle: not a move: step 1 to 2, a8 to b8")


def test_every_fault_is_told_with_its_place(client: httpx.Client, inside: Inside) -> None:
    text = "1 4 7 10\n12 9 2 5\n3 6 11 11\n"
    told = ask(client, "check", {"kind": "tour", "text": text})
    done = inside("check", "tour", "-", text=text)
    (claim,) = told["claims"]
    assert [fault["message"] for fault in claim["faults"]] == done.stdout.splitlines()[:-1]
    assert claim["faults_total"] == len(claim["faults"]) > 1
    assert not claim["valid"]
    assert claim["grid"][2] == [3, 6, 11, 11]
    assert claim["squares"] is None
    assert [2, 3] in claim["faults"][0]["cells"]


def test_right_claims_are_valid_and_have_facts(client: httpx.Client) -> None:
    tour = KnightTours(6, closed=True).solve()
    assert tour is not None
    body = {"kind": "tour", "text": tour.text("names"), "board": "6x6", "closed": True, "facts": True}
    (claim,) = ask(client, "check", body)["claims"]
    assert (claim["valid"], claim["squares"]) == (True, list(tour.squares))
    assert claim["facts"]["crossings"] == tour.facts().crossings
    queens = ask(client, "check", {"kind": "queens", "text": "1 3 0 2\n0 1 2 3\n", "holes": ["a1"]})
    assert [each["valid"] for each in queens["claims"]] == [True, False]
    assert queens["claims"][0]["board"]["holes"] == [12]


# --- workers ----------------------------------------------------------------------------------------

ENDLESS = {"puzzle": {**TOUR, "board": "10x10", "start": "0,1"}, "strategy": "fixed:python", "seconds": 20}


def test_who_finds_no_worker_is_told_so(server_with: Serving) -> None:
    with server_with(workers=1, waiting_seconds=0.5) as url, httpx.Client(base_url=url, timeout=30) as client:
        body = {"puzzle": {**TOUR, "start": "0,1"}, "strategy": "fixed:python", "seconds": 3}
        assert client.post("/api/solve", json={"puzzle": TOUR}).status_code == 200  # the worker is there now
        first: list[int] = []
        thread = threading.Thread(target=lambda: first.append(httpx.post(f"{url}/api/solve", json=body).status_code))
        thread.start()
        time.sleep(0.3)
        until = time.monotonic() + 10
        while (answer := client.post("/api/solve", json={"puzzle": TOUR})).status_code == 200:
            assert time.monotonic() < until
            time.sleep(0.2)
        assert (answer.status_code, answer.json()["type"]) == (503, "/problems/busy")
        thread.join()
        assert first == [504]


def test_who_leaves_cancels(server_with: Serving) -> None:
    with server_with(workers=1, waiting_seconds=10) as url, httpx.Client(base_url=url, timeout=30) as client:
        with pytest.raises(httpx.ReadTimeout):
            httpx.post(f"{url}/api/solve", json=ENDLESS, timeout=0.5)
        # Were the other still at work, nobody would be free in time.
        assert client.post("/api/solve", json={"puzzle": TOUR}).status_code == 200


def test_a_worker_that_dies_is_replaced(server_with: Serving) -> None:
    """So little memory does not do for a large board and what is loaded for it; the next one works again."""
    with server_with(workers=1, worker_bytes=48 * 1024**2) as url, httpx.Client(base_url=url, timeout=60) as client:
        answer = client.post("/api/solve", json={"puzzle": {**TOUR, "board": "500x500"}})
        assert (answer.status_code, answer.json()["type"]) == (507, "/problems/out-of-memory")
        assert client.post("/api/solve", json={"puzzle": {**TOUR, "board": "5x5"}}).status_code == 200


class Scripted(Worker):
    """A worker that does what a script says, whatever it is asked."""

    def __init__(self, script: str) -> None:
        super().__init__(0)
        self.script = script

    async def start(self) -> asyncio.subprocess.Process:
        """Start the script."""
        words, pipe = (sys.executable, "-S", "-c", self.script), asyncio.subprocess.PIPE
        self._process = await asyncio.create_subprocess_exec(*words, stdin=pipe, stdout=pipe)
        return self._process


def had(script: str) -> dict[str, Any]:
    """What comes of asking a scripted worker that has a little time."""

    async def ask_it() -> dict[str, Any]:
        worker = Scripted(script)
        try:
            return await worker.run("anything", None, seconds=1.5 - GRACE_SECONDS)
        except Trouble as error:
            return error.problem
        finally:
            await worker.close()

    return run_apart(ask_it)


SLEEP = "import time; time.sleep(60)"


def test_work_that_does_not_keep_its_limit_is_ended() -> None:
    """What was known by then is the answer, if anything was."""
    assert had(SLEEP)["type"] == "/problems/budget-exceeded"
    assert had(f"""print('{{"partial": {{"ways": null}}}}', flush=True); {SLEEP}""") == {"ways": None}
    assert had("""print('{"partial": 1}\\n{"progress": 2}\\n{"result": {"ways": 3}}')""") == {"ways": 3}


def test_a_process_that_ends_is_no_answer() -> None:
    assert had("pass")["type"] == "/problems/out-of-memory"


# --- the description --------------------------------------------------------------------------------


def test_the_description_is_complete(client: httpx.Client) -> None:
    document = client.get("/openapi.json").json()
    assert document == create_app().openapi()
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            assert operation["description"], (method, path)
            assert "default" in operation["responses"]
            assert "422" not in operation["responses"]
    page = client.get("/docs").text
    for path in document["paths"]:
        assert path in page
    assert "http://" not in page
    assert "https://" not in page
    assert "<script" not in page
    assert "style=" not in page


@pytest.mark.parametrize("mode", list(GenerationMode), ids=str)
def test_whatever_is_sent_is_answered_as_described(live_server: str, mode: GenerationMode) -> None:
    """Schemathesis makes up requests, right and wrong; no answer is an internal error, and all have their shape."""
    schema = schemathesis.openapi.from_url(f"{live_server}/openapi.json")
    statuses: set[int] = set()
    for found in schema.include(method="POST").exclude(path_regex="/counts").get_all_operations():
        operation: schemathesis.APIOperation[Any, Any, Any, Any] = found.ok()  # type: ignore[union-attr]  # or it raises

        @settings(
            max_examples=EXAMPLES,
            deadline=None,
            derandomize=True,
            database=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(case=operation.as_strategy(mode))
        def probe(case: schemathesis.Case[Any]) -> None:
            answer = case.call()
            assert answer.status_code not in (500, 507)
            statuses.add(answer.status_code)
            case.validate_response(answer, checks=CHECKS)

        probe()
    assert 422 in statuses or mode is GenerationMode.POSITIVE
    assert 200 in statuses or mode is GenerationMode.NEGATIVE
