"""The engine in plain Python: what it does is checked against walks written down, brute force and published numbers."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backrank.errors import InvalidBoard, InvalidPuzzle, InvalidSquare
from backrank.geometry.board import Board
from backrank.geometry.pieces import KING, KNIGHT, QUEEN, Piece, leaper, move_graph
from backrank.runtime.budget import Budget, Counters
from backrank.search import (
    Cursor,
    Event,
    EventKind,
    QueensSpace,
    Reason,
    Space,
    TourSpace,
    TourView,
    advance,
    read_cursor,
    replay,
    rewind,
    start,
    tour_strategy,
)
from backrank.search.machine import machine_at
from backrank.tours.listing.reference import iter_paths
from strategies import boards, brute_force_queens, brute_force_tours

TOUR_STRATEGIES = ["fixed", "fixed:python", "degree", "warnsdorff:java-a", "warnsdorff-roth", "random:7"]
ALL_TOUR_STRATEGIES = TOUR_STRATEGIES + [f"{name}+prune" for name in TOUR_STRATEGIES]
QUEENS_STRATEGIES = ["rows", "centre-out", "fewest-first", "random:7"]
WHOLE = 10**6


@st.composite
def searches(draw: st.DrawFn, *, max_side: int = 5) -> Cursor:
    """Searches that have not begun, of all kinds and strategies."""
    board = draw(boards(max_side=max_side))
    if draw(st.booleans()):
        squares = list(board)
        first, end = draw(st.sampled_from(squares)), draw(st.none() | st.sampled_from(squares))
        closed = draw(st.booleans())
        piece = draw(st.sampled_from([KNIGHT, KING, leaper(1, 3), leaper(0, 1)]))
        space: Space = TourSpace(board, piece, first, None if end == first else end, closed=closed)
        names = [name for name in ALL_TOUR_STRATEGIES if piece != KING or ":" not in name or "random" in name]
        return start(space, draw(st.sampled_from(names)))
    space = QueensSpace(board, draw(st.integers(1, max_side + 1)))
    name = draw(st.sampled_from(QUEENS_STRATEGIES))
    return start(space, "rows" if name == "fewest-first" and space.total not in (board.rows, board.cols) else name)


def run_of(space: Space, strategy: str, limit: int = WHOLE) -> tuple[list[Event], Cursor]:
    return advance(start(space, strategy), limit)


def solutions_of(space: Space, strategy: str, limit: int = WHOLE) -> list[tuple[int, ...]]:
    events, cursor = run_of(space, strategy, limit)
    assert cursor.done, "the test wants whole runs"
    found: list[tuple[int, ...]] = []
    path: list[int] = []
    for event in events:
        path = replay([event], path)
        if event.kind is EventKind.SOLUTION:
            found.append(tuple(path))
    return found


# --- walks written down ----------------------------------------------------------------------------

FOUR_QUEENS = """
enter a4
reject a3: same column as queen on a4
reject b3: same diagonal as queen on a4
enter c3
reject a2: same column as queen on a4
reject b2: same diagonal as queen on c3
reject c2: same column as queen on c3
reject d2: same diagonal as queen on c3
leave c3
enter d3
reject a2: same column as queen on a4
enter b2
reject a1: same column as queen on a4
reject b1: same column as queen on b2
reject c1: same diagonal as queen on b2
reject d1: same column as queen on d3
leave b2
reject c2: same diagonal as queen on a4
reject d2: same column as queen on d3
leave d3
leave a4
enter b4
reject a3: same diagonal as queen on b4
reject b3: same column as queen on b4
reject c3: same diagonal as queen on b4
enter d3
enter a2
reject a1: same column as queen on a2
reject b1: same column as queen on b4
enter c1
solution c1
leave c1
"""


def test_the_classic_four_queens_walk() -> None:
    board = Board(4)
    events, cursor = advance(start(QueensSpace(board), "rows"), WHOLE)
    wanted = FOUR_QUEENS.strip().splitlines()
    assert [event.text(board) for event in events[: len(wanted)]] == wanted
    assert [[square % 4 for square in path] for path in solutions_of(QueensSpace(board), "rows")] == [
        [1, 3, 0, 2],
        [2, 0, 3, 1],
    ]
    assert (cursor.calls, cursor.backtracks, cursor.solutions, cursor.done) == (16, 16, 2, True)


def test_a_walk_over_the_smallest_board_with_a_tour() -> None:
    board = Board(3, 4)
    events, _ = advance(start(TourSpace(board), "warnsdorff"), 13)
    assert [event.kind for event in events] == [EventKind.ENTER] * 12 + [EventKind.SOLUTION]
    events, _ = advance(start(TourSpace(board), "fixed"), 6)
    assert [event.text(board) for event in events] == [
        "enter a3", "enter c2", "reject a3: visited", "enter a1", "enter b3", "enter d2",
    ]  # fmt: skip


def test_a_full_path_that_ends_wrongly_is_rejected_and_left() -> None:
    board = Board(1, 2)
    wazir = leaper(0, 1)
    assert [event.text(board) for event in run_of(TourSpace(board, wazir, closed=True), "fixed")[0]] == [
        "enter a1", "enter b1", "reject b1: no move back to a1", "leave b1", "leave a1",
    ]  # fmt: skip
    board = Board(2, 2)
    events, cursor = run_of(TourSpace(board, wazir, 2, 1), "degree")
    assert cursor.solutions == 0
    assert {event.why(board) for event in events if event.kind is EventKind.REJECT} == {"must end on b2"}


def test_dead_ends_are_named() -> None:
    board = Board(3)
    events, cursor = run_of(TourSpace(board), "fixed+prune")
    assert [event.text(board) for event in events] == ["reject a3: dead end at b2"]
    assert cursor.done
    assert cursor.calls == 0
    events, _ = run_of(TourSpace(Board(5), KNIGHT, 0, 24), "fixed+prune")
    early = [event for event in events if event.reason is Reason.DEAD_END and event.at == 24]
    assert any(event.square == 24 for event in early), "stepping on the end too early is a dead end there"


# --- published and brute-force numbers ---------------------------------------------------------------


@pytest.mark.parametrize("strategy", QUEENS_STRATEGIES)
def test_every_strategy_finds_the_92(strategy: str) -> None:
    found = solutions_of(QueensSpace(Board(8)), strategy)
    assert len(set(found)) == len(found) == 92
    if strategy == "rows":
        assert found == sorted(found)


@pytest.mark.parametrize("strategy", [name for name in ALL_TOUR_STRATEGIES if "prune" in name])
def test_pruned_strategies_find_the_304_tours_of_5x5_from_a_corner(strategy: str) -> None:
    found = solutions_of(TourSpace(Board(5)), strategy)
    assert len(set(found)) == len(found) == 304


@given(board=boards(max_side=4), data=st.data())
def test_tours_are_those_of_brute_force(board: Board, data: st.DataObject) -> None:
    first = data.draw(st.sampled_from(list(board)))
    strategy = data.draw(st.sampled_from(ALL_TOUR_STRATEGIES))
    limit = 20_000
    cursor = start(TourSpace(board, KNIGHT, first), strategy)
    events, cursor = advance(cursor, limit)
    if not cursor.done:
        return
    wanted = {
        tuple(row * board.cols + col for row, col in path) for path in brute_force_tours(board, board.cell(first))
    }
    assert set(solutions_of(TourSpace(board, KNIGHT, first), strategy)) == wanted
    assert sum(event.kind is EventKind.SOLUTION for event in events) == len(wanted)


@given(board=boards(max_side=5), data=st.data())
def test_queens_are_those_of_brute_force(board: Board, data: st.DataObject) -> None:
    strategy = data.draw(st.sampled_from(QUEENS_STRATEGIES))
    found = solutions_of(QueensSpace(board, board.rows), strategy)
    sides = [tuple(sorted(path)) for path in found]
    wanted = [tuple(row * board.cols + col for row, col in cells) for cells in brute_force_queens(board)]
    assert sorted(sides) == sorted(wanted)


def test_fewer_queens_than_rows_leave_rows_empty() -> None:
    # One queen anywhere; two on 3x3, four knight's moves apart from each other: 8 placements.
    assert len(solutions_of(QueensSpace(Board(3, 4), 1), "rows")) == 12
    assert len(solutions_of(QueensSpace(Board(3), 2), "centre-out")) == 8
    assert solutions_of(QueensSpace(Board(2), 3), "rows") == []
    assert len(solutions_of(QueensSpace(Board(5, 4)), "fewest-first")) == len(
        solutions_of(QueensSpace(Board(5, 4)), "rows")
    )


@pytest.mark.parametrize("name", ["fixed", "degree", "warnsdorff", "warnsdorff-roth"])
def test_calls_are_those_of_the_textbook_search(name: str) -> None:
    board = Board(5)
    view, counters = TourView(board, _adjacency(board)), Counters()
    paths = iter_paths(view, 0, tour_strategy(name), meter=Budget().start(), counters=counters)
    wanted = [(tuple(path), counters.calls, counters.backtracks) for path in islice(paths, 12)]
    machine = machine_at(start(TourSpace(board, KNIGHT, 0), name))
    found: list[tuple[tuple[int, ...], int, int]] = []
    while len(found) < len(wanted):
        event = machine.step()
        assert event is not None
        if event.kind is EventKind.SOLUTION:
            found.append((tuple(machine.path), machine.calls, machine.calls - len(machine.path)))
    assert found == wanted


def _adjacency(board: Board) -> list[tuple[int, ...]]:
    return move_graph(board, KNIGHT).adjacency()


def _dead_end(space: TourSpace, adjacency: list[tuple[int, ...]], path: list[int], square: int) -> bool:
    """The definition in `backrank.search.strategies.dead_ends`, from scratch."""
    after = [*path, square]
    bare = [other for other in space.board if other not in after]
    if square == space.end and bare:
        return True
    usable = {*bare, square} | ({space.start} if space.closed else set())
    ways = {other: sum(near in usable for near in adjacency[other]) for other in bare}
    short = [other for other in bare if ways[other] < (1 if other == space.end and not space.closed else 2)]
    allowed = 0 if space.closed or space.end is not None else 1
    return 0 in ways.values() or len(short) > allowed


@given(board=boards(min_side=2, max_side=5), data=st.data())
def test_dead_ends_are_those_of_the_definition(board: Board, data: st.DataObject) -> None:
    first = data.draw(st.sampled_from(list(board)))
    end = data.draw(st.none() | st.sampled_from(list(board)))
    end = None if end == first else end
    space = TourSpace(board, KNIGHT, first, end, closed=data.draw(st.booleans()))
    adjacency = _adjacency(board)
    path: list[int] = []
    for event in run_of(space, "fixed+prune", 600)[0]:
        judged = event.kind is EventKind.ENTER or event.reason is Reason.DEAD_END
        if judged:
            assert _dead_end(space, adjacency, path, event.square) == (event.reason is Reason.DEAD_END)
        path = replay([event], path)


# --- the run does not depend on how it is cut ----------------------------------------------------------


@given(cursor=searches(), sizes=st.lists(st.integers(0, 40), min_size=1, max_size=12))
def test_events_do_not_depend_on_chunk_sizes(cursor: Cursor, sizes: list[int]) -> None:
    whole, last = advance(cursor, sum(sizes))
    pieces: list[Event] = []
    for size in sizes:
        events, cursor = advance(cursor, size)
        pieces += events
    assert pieces == whole
    assert cursor == last
    assert [event.number for event in whole] == list(range(len(whole)))


@given(cursor=searches(), cut=st.integers(0, 200))
def test_replaying_rebuilds_the_board_and_rewinding_takes_it_down(cursor: Cursor, cut: int) -> None:
    events, last = advance(cursor, 300)
    _, middle = advance(cursor, min(cut, len(events)))
    assert tuple(replay(events)) == last.path
    assert tuple(replay(events[: middle.event])) == middle.path
    assert tuple(replay(events[middle.event :], middle.path)) == last.path
    assert tuple(rewind(events[middle.event :], last.path)) == middle.path
    assert rewind(events, last.path) == []


@given(cursor=searches())
def test_counters_count_events(cursor: Cursor) -> None:
    events, last = advance(cursor, 400)
    kinds = [event.kind for event in events]
    stats = last.stats
    assert stats.events == len(events) == last.event
    assert stats.calls == kinds.count(EventKind.ENTER)
    assert stats.backtracks == kinds.count(EventKind.LEAVE)
    assert stats.rejects == kinds.count(EventKind.REJECT)
    assert stats.solutions == kinds.count(EventKind.SOLUTION)
    assert stats.deepest == max((event.depth for event in events), default=0)
    assert last.done == (len(events) < 400 or advance(last, 1)[0] == [])


@given(cursor=searches(), count=st.integers(0, 300))
def test_a_cursor_survives_json(cursor: Cursor, count: int) -> None:
    _, cursor = advance(cursor, count)
    assert read_cursor(cursor.to_json()) == cursor
    assert read_cursor(json.loads(cursor.to_json()), space=cursor.space, strategy=cursor.strategy) == cursor


_GO_ON = """
import json, sys
from backrank.search import advance, read_cursor
events, cursor = advance(read_cursor(sys.stdin.read()), 500)
assert not {"numpy", "numba"} & sys.modules.keys()
print(json.dumps([[list(event) for event in events], cursor.to_json()]))
"""


@pytest.mark.parametrize("strategy", ["fixed:python", "random:5+prune", "warnsdorff-roth"])
def test_another_process_goes_on_from_a_cursor(strategy: str) -> None:
    _, cursor = advance(start(TourSpace(Board(6), closed=True), strategy), 1234)
    run = subprocess.run(
        [sys.executable, "-c", _GO_ON], input=cursor.to_json(), capture_output=True, text=True, check=True
    )
    events, after = json.loads(run.stdout)
    wanted, last = advance(cursor, 500)
    assert events == [list(event) for event in wanted]
    assert after == last.to_json()


# --- spaces refuse what cannot be -----------------------------------------------------------------------


def test_spaces_take_names_and_refuse_nonsense() -> None:
    assert TourSpace(Board(8), KNIGHT, "a8", "h1") == TourSpace(Board(8), KNIGHT, 0, 63)  # type: ignore[arg-type]
    with pytest.raises(InvalidPuzzle, match="not by a queen"):
        TourSpace(Board(8), QUEEN)
    with pytest.raises(InvalidPuzzle, match="cannot take back"):
        TourSpace(Board(8), Piece("pawn", ((-1, 0),)))
    with pytest.raises(InvalidPuzzle, match="start and end on a8"):
        TourSpace(Board(8), KNIGHT, 0, 0)
    with pytest.raises(InvalidSquare):
        TourSpace(Board(8), KNIGHT, 64)
    with pytest.raises(InvalidBoard, match="a search takes at most"):
        QueensSpace(Board(2000))
    for queens in (0, -1, True, 2.5):
        with pytest.raises(InvalidPuzzle, match="at least 1 queen"):
            QueensSpace(Board(8), queens)  # type: ignore[arg-type]
    assert str(TourSpace(Board(8), closed=True)) == "closed knight tour of 8x8 from a8"
    assert str(QueensSpace(Board(8))) == "8 queens on 8x8"


def test_a_puzzle_hands_its_space_over() -> None:
    class Puzzle:
        def search_space(self) -> Space:
            return QueensSpace(Board(4))

    assert start(Puzzle()) == start(QueensSpace(Board(4)), "rows")
