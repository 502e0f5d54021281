"""Watching in a real browser: forwards, backwards, millions of calls, two at once, any board."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from contextlib import AbstractContextManager

import httpx
import pytest
from playwright.sync_api import Browser, Page, Route, expect

from backrank import Board, KnightTours
from backrank.geometry.pieces import move_graph, piece_named, queen_lines
from backrank.render.lines import move_line
from backrank.search import ORDERS, strategy_names
from backrank.search.spaces import Kind
from web_pages import WAIT, Opening, counter, field, notice, opened, square, visit

pytest_plugins = ["web_server", "web_browser"]


def test_watching_steps_back_seeks_and_jumps(go: Opening) -> None:
    page = go("watch?puzzle=queens&board=4x4")
    where = page.locator("#watch-where")
    for _ in range(2):
        page.keyboard.press("ArrowRight")
    expect(notice(page)).to_have_text("a3 is refused: same column as the queen on a4.")
    expect(page.locator(".code [aria-current]")).to_contain_text("if a queen attacks square")
    expect(counter(page, "refused")).to_have_text("1")
    page.keyboard.press("ArrowLeft")
    expect(notice(page)).to_have_text("A queen is put on a4.")
    expect(counter(page, "refused")).to_have_text("0")
    page.locator("#watch-position").fill("9")
    expect(notice(page)).to_have_text("Backtrack: the queen on c3 is taken off.")
    expect(counter(page, "backtracks")).to_have_text("1")
    page.keyboard.press("s")
    expect(notice(page)).to_have_text("Solution 1! 1 3 0 2")
    expect(where).to_contain_text("Event 31 of 78")
    expect(page.locator(".stack li .at")).to_have_text(["c1", "a2", "d3", "b4"])
    page.keyboard.press("s")
    expect(where).to_contain_text("Event 48 of 78")
    page.keyboard.press("s")
    expect(notice(page)).to_have_text("There is no further solution.")
    page.keyboard.press("S")
    expect(where).to_contain_text("Event 31 of 78")
    page.keyboard.press("B")
    expect(notice(page)).to_contain_text("Backtrack")
    page.keyboard.press("End")
    expect(notice(page)).to_contain_text("The search is over.")
    expect(counter(page, "calls")).to_have_text("16")
    page.keyboard.press("Home")
    expect(where).to_contain_text("Event 0 of 78")


def test_watching_plays_and_pauses(go: Opening) -> None:
    page = go("watch?board=5x5")
    page.get_by_label("Speed").fill("45")
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    expect(notice(page)).to_contain_text("Solution 1!")
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    expect(page.locator(".bead")).to_have_count(25)


def test_millions_of_calls_run_at_full_speed_and_any_moment_can_be_visited(go: Opening) -> None:
    page = go("watch?board=8x8&start=a8&strategy=fixed:python")
    page.keyboard.press("s")
    expect(notice(page)).to_contain_text("Solution 1!", timeout=60_000)
    expect(counter(page, "calls")).to_have_text("3,242,065")
    page.keyboard.press("ArrowLeft")
    expect(counter(page, "solutions")).to_have_text("0")
    page.locator("#watch-position").fill("1234567")
    expect(page.locator("#watch-where")).to_contain_text("Event 1,234,567 of ")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#watch-where")).to_contain_text("Event 1,234,566 of ")


def test_a_start_is_clicked_or_typed(go: Opening) -> None:
    page = go("watch?board=6x6")
    square(page, "b4", 6, 6).click()
    expect(page.get_by_label("Start square")).to_have_value("b4")
    page.keyboard.press(".")
    expect(notice(page)).to_have_text("The knight goes to b4.")
    page.get_by_label("Start square").fill("0,1")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Start square")).to_have_value("b6")
    page.get_by_label("Start square").fill("z9")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Start square")).to_have_attribute("aria-invalid", "true")


def test_two_strategies_side_by_side(go: Opening) -> None:
    page = go("watch?board=5x5&strategy=warnsdorff")
    page.get_by_label("Compare two").check()
    expect(page.locator(".lane")).to_have_count(2)
    page.get_by_role("button", name="One step forward").click()
    for _ in range(25):
        page.keyboard.press("ArrowRight")
    expect(page.locator(".notice").nth(0)).to_contain_text("Solution 1!")
    expect(counter(page, "calls", 0)).to_have_text("25")
    expect(page.locator(".notice").nth(1)).not_to_contain_text("Solution")
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".notice").nth(0)).to_contain_text("The knight goes to")
    page.keyboard.press("Home")
    page.keyboard.press("s")
    expect(page.locator("#watch-where")).to_contain_text("Event 26 of ")
    expect(page.locator(".notice").nth(0)).to_contain_text("Solution 1!")
    page.keyboard.press("S")
    expect(page.locator(".notice").nth(0)).to_contain_text("There is no solution before")
    page.get_by_label("Compare two").uncheck()
    expect(page.locator(".lane")).to_have_count(0)


# ---------------------------------------------------------------- everything that the engine knows


def unfold(page: Page) -> None:
    page.get_by_text("More …").click()
    expect(page.locator("details.more")).to_have_attribute("open", "")


def names(page: Page, label: str) -> list[str]:
    """The values of a choice."""
    found: list[str] = field(page, label).locator("option").evaluate_all("all => all.map((each) => each.value)")
    return found


def test_all_strategies_are_offered_and_the_list_is_short(go: Opening) -> None:
    page = go("watch?board=5x5")
    words: list[tuple[Kind, str]] = [("tour", "Knight's tour"), ("queens", "Queens")]
    for kind, word in words:
        page.get_by_role("radio", name=word).check()
        rules = {name.partition(":")[0] for name in strategy_names(kind) if " " not in name}
        assert set(names(page, "Strategy")) == rules
    page.get_by_role("radio", name="Knight's tour").check()
    expect(page.get_by_text("Avoid dead ends")).to_be_hidden()
    unfold(page)
    field(page, "Strategy").select_option("fixed")
    assert names(page, "Order of equal moves") == ["", *ORDERS, "own"]
    expect(field(page, "Order of equal moves")).to_have_value("python")


def test_how_a_strategy_goes_about_it_is_chosen(go: Opening) -> None:
    page = go("watch?board=5x5&start=a5")
    unfold(page)
    told: list[str] = []
    page.on("request", lambda request: told.append(request.post_data or "") if "/window" in request.url else None)

    def strategy() -> str:
        expect(page.locator("#watch-where")).to_contain_text("Event 0 of ")
        return str(json.loads(told[-1])["run"]["strategy"])

    field(page, "Strategy").select_option("fixed")
    field(page, "Order of equal moves").select_option("java-b")
    page.get_by_label("Avoid dead ends").check()
    expect(field(page, "Strategy").locator("option:checked")).to_have_text(
        "Fixed order (Java tutorial B, avoiding dead ends)"
    )
    assert strategy() == "fixed:java-b+prune"
    field(page, "Order of equal moves").select_option("own")
    own = field(page, "Own order: digits, or steps such as -2,1", "input")
    own.fill("13572468")
    own.press("Enter")
    page.keyboard.press("Escape")
    assert strategy() == "fixed:13572468+prune"
    own.fill("1357")
    own.press("Enter")
    expect(notice(page)).to_contain_text("must hold each digit from 1 to 8 once")
    field(page, "Strategy").select_option("random")
    field(page, "Seed of chance", "input").fill("2025")
    field(page, "Seed of chance", "input").press("Enter")
    expect(field(page, "Strategy").locator("option:checked")).to_have_text("Random order (seed 2025)")
    assert strategy() == "random:2025"
    field(page, "Seed of chance", "input").fill("luck")
    field(page, "Seed of chance", "input").press("Enter")
    expect(field(page, "Seed of chance", "input")).to_have_attribute("aria-invalid", "true")
    page.reload()
    expect(field(page, "Seed of chance", "input")).to_have_value("2025")


def test_holes_and_ends_are_clicked_and_typed(go: Opening) -> None:
    page = go("watch?board=5x5")
    square(page, "c3", 5, 5).click()
    expect(page.get_by_label("Start square")).to_have_value("c3")
    unfold(page)
    page.get_by_role("radio", name="Hole").check()
    square(page, "c3", 5, 5).click()
    expect(square(page, "c3", 5, 5)).to_have_attribute("aria-label", "c3, hole")
    expect(page.get_by_label("Start square")).to_have_value("a5")
    expect(counter(page, "depth")).to_have_text("0 of 24")
    holes = page.get_by_label("Holes")
    holes.fill("c3, (0,1) e1")
    holes.press("Enter")
    expect(holes).to_have_value("b5 c3 e1")
    holes.fill("c3 z9")
    holes.press("Enter")
    expect(holes).to_have_attribute("aria-invalid", "true")
    page.get_by_role("radio", name="End", exact=True).check()
    square(page, "d4", 5, 5).click()
    expect(page.get_by_label("End square")).to_have_value("d4")
    page.reload()
    expect(square(page, "e1", 5, 5)).to_have_attribute("aria-label", "e1, hole")
    page.get_by_role("radio", name="Queens").check()
    square(page, "a8", 8, 8).click()
    expect(square(page, "a8", 8, 8)).to_have_attribute("aria-label", "a8, hole")
    page.keyboard.press(".")
    expect(notice(page)).to_have_text("A queen is put on b8.")


def test_other_pieces_go_round_glued_edges(go: Opening) -> None:
    page = go("watch?board=6x6")
    unfold(page)
    field(page, "Edges").select_option("torus")
    field(page, "Piece").select_option("camel")
    field(page, "Strategy").select_option("fixed")
    page.locator("#watch-play").focus()
    for _ in range(2):
        page.keyboard.press(".")
    expect(notice(page)).to_have_text("The camel goes to b3.")
    near = move_graph(Board(6, wrap="torus"), piece_named("camel")).neighbours(Board(6).square("b3"))
    expect(page.locator(".mark-legal-text")).to_have_count(len(near) - 1)
    field(page, "Piece").select_option("own")
    expect(page.get_by_label("Steps of the piece")).to_have_value("2,5")
    page.get_by_label("Steps of the piece").fill("1,5")
    page.keyboard.press("Enter")
    page.locator("#watch-play").focus()
    for _ in range(2):
        page.keyboard.press(".")
    expect(notice(page)).to_contain_text("The (1,5) goes to ")


@pytest.mark.parametrize("wrap", ["none", "cylinder", "torus"])
def test_moves_and_lines_are_those_of_the_library(go: Opening, wrap: str) -> None:
    page = go("watch")
    tours = KnightTours(Board(4, 6, holes=["c3"], wrap=wrap), piece="camel")
    board, piece = tours.board, tours.piece
    told = page.evaluate(
        """async ([rows, cols, holes, wrap, steps]) => {
            const { makeBoard } = await import('/static/board/squares.js');
            const { movesFrom } = await import('/static/board/moves.js');
            const { moveLine } = await import('/static/board/lines.js');
            const { linesOf } = await import('/static/board/queens.js');
            const board = makeBoard(rows, cols, holes, { wrap, steps });
            const squares = Array.from({ length: rows * cols }, (_, at) => at);
            return squares.map((at) => ({
                moves: movesFrom(board, at).map((to) => [to, moveLine(board, at, to)]),
                lines: squares.filter((to) => linesOf(board, at).some((line) => linesOf(board, to).includes(line))),
            }));
        }""",
        [board.rows, board.cols, sorted(board.holes), wrap, [list(step) for step in piece.steps]],
    )
    graph = move_graph(board, piece)
    for at, each in enumerate(told):
        if at in board:
            assert sorted(to for to, _ in each["moves"]) == sorted(graph.neighbours(at))
        for to, segments in each["moves"]:
            drawn = [[list(start), list(end)] for start, end in move_line(board, piece, at, to).segments]
            assert segments == drawn
        own = queen_lines(board, board.cell(at))
        assert each["lines"] == [
            other
            for other in range(board.size)
            if any(one == two for one, two in zip(own, queen_lines(board, board.cell(other)), strict=True))
        ]


def test_a_link_says_all_of_it(go: Opening) -> None:
    page = go(
        "watch?board=5x6&holes=a1b1&wrap=torus&piece=zebra&start=c3&end=d4&strategy=fixed:java-a%2Bprune&rival=degree"
    )
    expect(page.locator(".lane h2")).to_have_text(
        ["Fixed order (Java tutorial A, avoiding dead ends)", "Edge squares first"]
    )
    expect(page.get_by_label("Start square")).to_have_value("c3")
    unfold(page)
    expect(page.get_by_label("End square")).to_have_value("d4")
    expect(page.get_by_label("Holes")).to_have_value("a1 b1")
    expect(field(page, "Piece")).to_have_value("zebra")
    expect(field(page, "Edges")).to_have_value("torus")


def test_the_fold_is_opened_by_keyboard_and_nothing_else_happens(go: Opening) -> None:
    page = go("watch?board=5x5")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_enabled()  # drawn anew until then
    page.locator("summary").press("Space")
    expect(page.locator("details.more")).to_have_attribute("open", "")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    page.reload()
    expect(page.locator("details.more")).to_have_attribute("open", "")


def test_a_search_without_a_solution_says_so(go: Opening) -> None:
    page = go("watch?board=3x3")
    page.keyboard.press("s")
    expect(notice(page)).to_have_text("There is no solution at all.")
    expect(page.locator("#said")).to_have_text("There is no solution at all.")


def test_what_a_jump_has_found_stays_when_the_first_events_come_late(browser: Browser, server_url: str) -> None:
    late: list[Route] = []

    def hold(route: Route) -> None:
        late.append(route)

    with opened(browser) as page:
        page.route("**/api/watch/window", hold)
        visit(page, server_url, "watch?board=3x3")
        page.keyboard.press("s")
        expect(notice(page)).to_have_text("There is no solution at all.")
        with page.expect_response("**/api/watch/window"):
            late[0].continue_()
        expect(page.locator("[data-square]").first).to_be_visible()
        expect(notice(page)).to_have_text("There is no solution at all.")
        for route in late[1:]:
            route.continue_()


# ---------------------------------------------------------------- a busy server


def test_who_finds_the_server_busy_tries_again(
    browser: Browser, server_with: Callable[..., AbstractContextManager[str]]
) -> None:
    """The only place is taken by somebody else; when they leave, the search that was asked for goes on by itself."""
    run = {"puzzle": {"kind": "tour", "board": "8x8", "start": "0,1"}, "strategy": "fixed:python"}
    busy = re.compile(r"The server is busy. Trying again in \d+ s")
    with server_with(searches=1) as url, httpx.Client(base_url=url, timeout=60) as client:
        query = {"run": json.dumps(run), "until": "end"}
        with opened(browser, harmless="status of 503") as page:
            with client.stream("GET", "/api/watch/stream", params=query) as taken:
                lines = taken.iter_lines()  # kept: who lets go of it closes the stream
                next(lines)
                visit(page, url, "watch?board=6x6")
                page.keyboard.press("s")
                expect(notice(page)).to_have_text(busy, timeout=WAIT)
                expect(page.locator("#watch-where")).to_have_text(re.compile(r"Trying again in \d+ s"))
            expect(notice(page)).to_contain_text("Solution 1!", timeout=WAIT)


def test_pauses_grow_and_a_stream_goes_on_where_it_stopped(go: Opening) -> None:
    page = go("watch")
    told = page.evaluate(
        """async () => {
            const { listen, pauseBefore } = await import('/static/core/stream.js');
            const pauses = [0, 1, 2, 3, 4, 5, 6].map((attempt) => pauseBefore(attempt, 0));
            const answers = [
                new Response('', { status: 429, headers: { 'Retry-After': '1' } }),
                new Response('id: 7\\nevent: job\\ndata: {"n":1}\\n\\n:\\n\\nid: 8\\nevent: job\\nda'),
                new Response('id: 8\\nevent: job\\ndata: {"n":2}\\n\\n'),
                new Response('{"type": "/problems/not-found", "status": 404}', { status: 404 }),
            ];
            const asked = [], heard = [], waited = [], before = window.fetch;
            window.fetch = async (path, options) => {
                if (path !== '/nowhere') return before(path, options);
                asked.push(options.headers['Last-Event-ID'] ?? '');
                return answers.shift();
            };
            await new Promise((done) => listen('/nowhere', { job: ({ n }) => heard.push(n) }, {
                waiting: (seconds) => waited.push(seconds), refused: (problem) => (heard.push(problem.kind), done()),
            }));
            window.fetch = before;
            return { pauses, asked, heard, waited, beforeIt: pauseBefore(0, 5) };
        }"""
    )
    assert told["pauses"] == [1, 2, 4, 8, 16, 30, 30]
    assert told["beforeIt"] == 5
    assert told["asked"] == ["", "", "7", "8"]
    assert told["heard"] == [1, 2, "not-found"]
    assert told["waited"] == [1, 1, 1]
