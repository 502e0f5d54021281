"""Playing over HTTP: what the rules say of a position, and what can still become of it."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from backrank import KnightTours, Queens
from backrank.runtime.budget import Budget
from backrank.web.workers.outlooks import rest_of, ways_on
from web_asking import QUEENS, TOUR, ask

pytest_plugins = ["web_server"]


def test_a_game_is_followed_to_its_end(client: httpx.Client) -> None:
    tour = KnightTours(5, start="a5").solve()
    assert tour is not None
    puzzle = {**TOUR, "board": "5x5", "start": "a5"}
    for moves in (0, 1, 7, 24):
        told = ask(client, "play/tour", {"puzzle": puzzle, "path": list(tour.squares[:moves])})
        assert tour.squares[moves] in [each["square"] for each in told["legal"]]
        assert (told["visited"], told["complete"], told["faults"]) == (moves, False, [])
    told = ask(client, "play/tour", {"puzzle": puzzle, "path": list(tour.squares)})
    assert told["solved"]
    assert not ask(client, "play/tour", {"puzzle": {**puzzle, "closed": True}, "path": list(tour.squares)})["solved"]


def test_dead_ends_and_wrong_moves_are_told(client: httpx.Client) -> None:
    stuck = ask(client, "play/tour", {"puzzle": {**TOUR, "board": "3x3"}, "path": [4]})
    assert (stuck["stuck"], stuck["legal"]) == (True, [])
    wrong = ask(client, "play/tour", {"puzzle": {**TOUR, "start": 1}, "path": [0, 1, 0]})
    kinds = [fault["kind"] for fault in wrong["faults"]]
    assert kinds == ["repeated square", "not a move", "not a move", "wrong start"]


@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("end", [None, 24])
def test_ways_on_are_those_of_all_tours(client: httpx.Client, closed: bool, end: int | None) -> None:
    """Against listing: how many of all tours begin with this path, and with each move after it."""
    rows, cols = (5, 6) if closed else (5, 5)
    tours = KnightTours(rows, cols, start=0, closed=closed)
    walks = [list(tour.squares) for tour in tours]
    if closed:
        walks += [walk[:1] + walk[:0:-1] for walk in walks]
    if end is not None:
        walks = [walk for walk in walks if walk[-1] == end]
    puzzle = {**TOUR, "board": f"{rows}x{cols}", "closed": closed, "start": 0, "end": end}
    paths = [[], [0], *(walks[0][:length] for length in (2, 9, 20, rows * cols - 1, rows * cols) if walks)]
    for path in paths:
        told = ask(client, "play/tour/outlook", {"puzzle": puzzle, "path": path, "seconds": 10})
        ways = [walk for walk in walks if walk[: len(path)] == path]
        natural = len(ways) // 2 if closed and not path and end is None else len(ways)
        assert told["ways"] == str(natural)
        assert told["solvable"] == ("yes" if ways else "no")
        assert told["completion"] is None if not ways else told["completion"] in walks or told["method"] == "search"
        if ways:
            assert told["completion"][: len(path)] == path
        for move in told["moves"]:
            square = move["square"]
            assert move["ways"] == str(sum(walk[len(path)] == square for walk in ways))


def test_many_ways_on_are_counted_by_the_compiled_counter() -> None:
    """Too many squares are left for plain Python; the ways are those of the listed tours, walked either way round."""
    tours = KnightTours(6, 6, closed=True)
    walks = [tour.squares for tour in tours]
    both = [*walks, *(walk[:1] + walk[:0:-1] for walk in walks)]
    for steps in (0, 1, 2, 8):
        path = list(walks[0][:steps])
        number = sum(list(walk[:steps]) == path for walk in (both if steps else walks))
        assert ways_on(tours, path, rest_of(tours, path), Budget()) == number > 0


def test_what_cannot_be_counted_is_still_looked_for(client: httpx.Client) -> None:
    told = ask(client, "play/tour/outlook", {"puzzle": TOUR, "path": [0, 10], "seconds": 2})
    assert (told["solvable"], told["ways"]) == ("yes", None)
    assert KnightTours(8).faults(told["completion"]) == []
    assert {move["solvable"] for move in told["moves"]} <= {"yes", "no", "unknown"}
    quick = ask(client, "play/tour/outlook", {"puzzle": TOUR, "path": [0], "moves": False, "ways": False})
    assert (quick["solvable"], quick["moves"]) == ("yes", [])


def test_positions_beyond_rescue(client: httpx.Client) -> None:
    lost = ask(client, "play/tour/outlook", {"puzzle": {**TOUR, "board": "5x5"}, "path": [1]})
    assert (lost["solvable"], lost["ways"], lost["completion"]) == ("no", "0", None)
    wrong = ask(client, "play/tour/outlook", {"puzzle": {**TOUR, "start": 3}, "path": [0]})
    assert (wrong["solvable"], wrong["reason"]) == ("no", "the tour must start on d8")
    bad = ask(client, "play/tour/outlook", {"puzzle": TOUR, "path": [0, 1]}, 422)
    assert bad["detail"] == "a8 to b8 is not a knight move"


def test_queens_by_hand(client: httpx.Client) -> None:
    told = ask(client, "play/queens", {"puzzle": QUEENS, "queens": ["a8", "b7", "h1"]})
    assert [fault["kind"] for fault in told["conflicts"]] == ["same diagonal"]
    assert (told["placed"], told["wanted"], told["stuck"], told["complete"]) == (3, 8, False, False)
    single = ask(client, "play/queens", {"puzzle": QUEENS, "queens": [0]})
    assert sorted([*single["attacked"], *single["free"], 0]) == list(range(64))
    assert len(single["free"]) == 42
    amazon = ask(client, "play/queens", {"puzzle": {**QUEENS, "piece": "amazon"}, "queens": [0]})
    assert set(single["free"]) - set(amazon["free"]) == {10, 17}


@pytest.mark.parametrize(
    ("puzzle", "queens", "ways"),
    [
        (QUEENS, [], "92"),
        (QUEENS, ["b4", "d5"], "2"),
        ({**QUEENS, "board": "6x6"}, ["a1"], "0"),
        ({**QUEENS, "board": "6x6", "queens": 5}, [], "248"),
        ({**QUEENS, "board": "10x10", "piece": "amazon"}, [], "4"),
        ({**QUEENS, "board": "3x3"}, [], "0"),
        (QUEENS, ["a1", "b2"], "0"),
        ({**QUEENS, "board": "2x2", "queens": 1}, ["a1"], "1"),
    ],
)
def test_completions(client: httpx.Client, puzzle: dict[str, Any], queens: list[str], ways: str) -> None:
    told = ask(client, "play/queens/outlook", {"puzzle": puzzle, "queens": queens})
    assert (told["ways"], told["solvable"]) == (ways, "no" if ways == "0" else "yes")
    if ways != "0":
        options = {key: value for key, value in puzzle.items() if key not in ("kind", "board")}
        whole = Queens(puzzle["board"], **options)
        assert whole.faults(map(whole.board.name, told["completion"])) == []
        assert {whole.board.square(name) for name in queens} <= set(told["completion"])


def test_amazons_are_completed(client: httpx.Client) -> None:
    puzzle = {**QUEENS, "board": "10x10", "piece": "amazon"}
    answer = Queens(10, piece="amazon").solve()
    assert answer is not None
    body = {"puzzle": puzzle, "queens": list(answer.squares[:4])}
    told = ask(client, "play/queens/outlook", body)
    assert (told["completion"], told["ways"]) == (list(answer.squares), "1")
