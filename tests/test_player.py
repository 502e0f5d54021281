"""Somebody watching: the player's keys and clock, the keyboard's bytes, and the moments as they are drawn."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backrank import Board, KnightTours, Queens, trace
from backrank.cli.watch.keys import split
from backrank.cli.watch.player import FASTEST, SLOWEST, Player
from backrank.cli.watch.screen import board_text, event_text, plain, side_text
from backrank.cli.watch.watch import PlayerTrace
from backrank.search import EventKind, QueensSpace


def four_queens() -> PlayerTrace:
    return PlayerTrace(trace(Queens(4), "rows"))


def pressed(player: Player, *keys: str) -> int:
    for key in keys:
        player.press(key)
    return player.position


def test_time_moves_by_speed_and_stops_at_the_end() -> None:
    player = Player([four_queens()], speed=10)
    player.pass_time(0.25)
    assert player.position == 2
    player.pass_time(0.05)  # the half event of before is owed
    assert player.position == 3
    player.pass_time(60)
    assert (player.position, player.playing, player.message) == (78, False, "the search is over")
    player.pass_time(60)
    assert player.position == 78


def test_keys_step_back_and_jump() -> None:
    player = Player([four_queens()], playing=True)
    assert pressed(player, "right", "right", "left") == 1
    assert not player.playing
    assert pressed(player, "left", "left") == 0
    assert pressed(player, "s") == 31  # just after the first solution, event 30
    assert pressed(player, "s") == 48
    assert pressed(player, "s") == 48
    assert player.message == "no further solution"
    assert pressed(player, "S") == 31
    assert pressed(player, "S") == 31
    assert player.message == "no solution before this moment"
    assert pressed(player, "home") == 0
    first = pressed(player, "b")
    assert player.runs[0].reach(10**9) == 78
    assert trace(Queens(4), "rows").at(first - 1).kind is EventKind.LEAVE
    second = pressed(player, "b")
    assert second > first
    assert pressed(player, "B") == first
    assert pressed(player, "space") == first
    assert player.playing
    assert pressed(player, "F5") == first
    pressed(player, "q")
    assert player.finished


def test_an_event_is_asked_for_by_number() -> None:
    player = Player([four_queens()])
    assert pressed(player, "g", "4", "2", "enter") == 42
    assert pressed(player, "g", "9", "9", "9", "enter") == 78
    assert pressed(player, "g", "1", "7", "backspace", "enter") == 1
    assert pressed(player, "g", "5", "escape") == 1
    assert not player.finished  # escape forgets the number first
    assert pressed(player, "g", "enter") == 1
    assert pressed(player, "g", "3", "right") == 2


@given(st.lists(st.sampled_from(["+", "-", "=", "up", "down"]), max_size=60))
def test_the_speed_stays_within_bounds(keys: list[str]) -> None:
    player = Player([four_queens()])
    pressed(player, *keys)
    assert SLOWEST <= player.speed <= FASTEST


def test_two_runs_go_in_lockstep_until_both_are_over() -> None:
    rows, fewest = four_queens(), PlayerTrace(trace(Queens(4), "fewest-first"))
    player = Player([rows, fewest])
    player.go(20)
    assert rows.moment(player.position).stats.events == fewest.moment(player.position).stats.events == 20
    player.go(10**6)
    lengths = [run.reach(10**6) for run in (rows, fewest)]
    assert player.position == max(lengths)
    assert min(lengths) < max(lengths)
    assert all(run.moment(player.position).finished for run in (rows, fewest))


@pytest.mark.parametrize(
    ("data", "keys"),
    [
        (b"", []),
        (b"q", ["q"]),
        (b"\x1b", ["escape"]),
        (b"\x1b[D\x1b[C", ["left", "right"]),
        (b"\x1bOD", ["left"]),
        (b"\x1b[1~\x1b[F", ["home", "end"]),
        (b"\x1b[15~ ", ["space"]),  # F5 means nothing and takes nothing with it
        (b"12\r", ["1", "2", "enter"]),
        ("马".encode(), []),
    ],
)
def test_keys_are_told_apart(data: bytes, keys: list[str]) -> None:
    assert split(data) == keys


@given(st.binary(max_size=30))
def test_no_bytes_upset_the_keyboard(data: bytes) -> None:
    assert all(isinstance(key, str) and key for key in split(data))


def test_a_moment_of_a_tour_shows_numbers_the_piece_and_onward_moves() -> None:
    run = PlayerTrace(trace(KnightTours(5, start="a5"), "fixed:python"))
    moment = run.moment(3)
    lines = board_text(moment).plain.split("\n")
    assert len(lines) == 5
    assert lines[0].split()[0] == "1"
    assert sum(line.count("♞") for line in lines) == 1
    assert any(mark in "".join(lines) for mark in "⁰¹²³⁴⁵⁶⁷")
    counters = side_text(moment).plain
    assert f"calls      {moment.stats.calls}" in counters
    assert f"{len(moment.path)}: {moment.space.board.name(moment.path[-1])}" in counters


def test_a_moment_of_queens_shows_what_is_attacked_and_why_a_square_is_refused() -> None:
    moment = four_queens().moment(2)
    assert board_text(moment).plain.split("\n")[0] == "♛ × × ×"
    assert event_text(moment).plain == "not on a3: same column as queen on a4"
    assert plain(four_queens().moment(0)).startswith("event 0: nothing has happened yet\n")
    assert event_text(four_queens().moment(31)).plain == "solution 1: 1 3 0 2"
    assert event_text(four_queens().moment(78)).plain.endswith("the search is over")


def test_large_boards_are_told_not_drawn() -> None:
    run = PlayerTrace(trace(QueensSpace(Board(50)), "rows"))
    assert "too large" in board_text(run.moment(5)).plain
