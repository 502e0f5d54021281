"""The page of the web app, in a real browser, as people use it: keyboard, mouse, phone, three languages.

A Chromium is needed: that of $BACKRANK_CHROMIUM, one on the PATH (Debian and Ubuntu: the package `chromium`), or the
one that Playwright installs.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, expect, sync_playwright

from backrank import Board, KnightTours
from backrank.pieces import KNIGHT, move_graph
from backrank.render.lines import attack_lines

pytest_plugins = ["web_server"]

AXE = Path(__file__).parent / "assets" / "axe-core" / "axe.min.js"
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
RULES = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"]
TABS = ("watch", "play", "solve", "count")
WAIT = 20_000
# A refused request is said on the console by the browser itself, whatever the page makes of it.
HARMLESS = "status of 422"
Opening = Callable[..., Page]


def chromium(own: str) -> str:
    """Where a Chromium is; without one these tests fail, since they would show nothing."""
    given = os.environ.get("BACKRANK_CHROMIUM")
    found = given or next((path for path in map(shutil.which, NAMES) if path), own)
    if not Path(found).is_file():
        pytest.fail("no Chromium: install the package chromium, or say in $BACKRANK_CHROMIUM where one is")
    return found


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        program = chromium(playwright.chromium.executable_path)
        # The sandbox needs rights that containers do not give; nothing but this project's own page is opened.
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


@contextmanager
def opened(browser: Browser, **options: Any) -> Iterator[Page]:
    """A fresh window, in which nothing may be said on the console, nor anything be loaded from elsewhere."""
    context = browser.new_context(**{"locale": "en-GB", "viewport": {"width": 1440, "height": 900}, **options})
    page = context.new_page()
    page.set_default_timeout(WAIT)
    said: list[str] = []
    asked: list[str] = []

    def hear(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and HARMLESS not in message.text:
            said.append(message.text)

    page.on("console", hear)
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    yield page
    context.close()
    assert said == []
    assert {url.partition("//")[2].partition(":")[0] for url in asked if not url.startswith(("about:", "blob:"))} <= {
        "127.0.0.1"
    }


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    with opened(browser) as page:
        yield page


@pytest.fixture
def go(page: Page, server_url: str) -> Opening:
    """Open a part of the app."""

    def opening(where: str) -> Page:
        visit(page, server_url, where)
        return page

    return opening


def visit(page: Page, server_url: str, where: str) -> None:
    page.goto("about:blank")
    page.goto(f"{server_url}/#{where}")
    expect(page.locator("main .view")).to_be_visible(timeout=WAIT)


def notice(page: Page) -> Locator:
    return page.locator(".notice").first


def counter(page: Page, name: str, lane: int = 0) -> Locator:
    counters = page.locator(".counters").nth(lane)
    return counters.locator("div").filter(has=page.get_by_text(name, exact=True)).locator("dd")


def square(page: Page, name: str, rows: int, cols: int) -> Locator:
    return page.locator(f'[data-square="{Board(rows, cols).square(name)}"]').first


def focused(page: Page) -> str:
    return str(page.evaluate("document.activeElement.getAttribute('aria-label')"))


def walk_to(page: Page, here: int, there: int, cols: int) -> None:
    """Press arrows."""
    down, right = there // cols - here // cols, there % cols - here % cols
    for key, times in (("ArrowDown", down), ("ArrowUp", -down), ("ArrowRight", right), ("ArrowLeft", -right)):
        for _ in range(times):
            page.keyboard.press(key)


# ---------------------------------------------------------------- play


def test_a_whole_tour_is_played_by_keyboard(go: Opening) -> None:
    tour = KnightTours(5, 5, start="a5").solve()
    assert tour is not None
    page = go("play?board=5x5")
    page.locator('[role=gridcell][tabindex="0"]').focus()
    assert focused(page) == "a5, free"
    here = 0
    for there in tour.squares:
        walk_to(page, here, there, 5)
        page.keyboard.press("Enter")
        here = there
    expect(notice(page)).to_contain_text("Done: all 25 squares are visited")
    expect(page.locator(".figures")).to_contain_text("25 of 25")
    assert "visited 25" in focused(page)
    for _ in range(3):
        page.keyboard.press("u")
    expect(page.locator(".figures")).to_contain_text("22 of 25")
    page.keyboard.press("r")
    expect(page.locator(".figures")).to_contain_text("23 of 25")
    page.reload()
    expect(page.locator(".figures")).to_contain_text("23 of 25")
    for _ in range(2):
        page.keyboard.press("r")
    expect(notice(page)).to_have_attribute("data-kind", "good")
    expect(page.locator(".walker")).to_have_class(re.compile("solved"))


def test_what_happens_is_said(go: Opening) -> None:
    page = go("play?board=5x5")
    square(page, "a5", 5, 5).click()
    square(page, "c4", 5, 5).click()
    expect(page.locator("#said")).to_contain_text("c4, visited 2, 5 onward moves")
    expect(square(page, "c4", 5, 5)).to_have_attribute("aria-label", re.compile("visited 2.*the knight is here"))
    square(page, "c1", 5, 5).click()
    expect(notice(page)).to_have_text("From c4 to c1 is no knight's move.")
    square(page, "a5", 5, 5).click()
    expect(notice(page)).to_have_text("a5 has been visited: step 1.")


def test_hints_come_in_levels(go: Opening) -> None:
    page = go("play?board=3x4&moves=a3")
    expect(page.locator(".mark-legal")).to_have_count(2)
    expect(page.locator(".mark-legal-text")).to_have_count(0)
    page.get_by_role("radio", name="Onward").check()
    expect(page.locator(".mark-legal-text")).to_have_text(["1", "2"])
    page.get_by_role("radio", name="Off").check()
    expect(page.locator(".mark-legal")).to_have_count(0)
    page.get_by_role("radio", name="Solvable?").check()
    expect(notice(page)).to_have_text("Still solvable, in 2 ways.", timeout=WAIT)
    expect(page.locator(".mark-hint-text")).to_have_text(["2"])
    expect(page.locator(".mark-cross")).to_have_count(1)
    page.get_by_role("button", name="Hint").click()
    expect(notice(page)).to_have_text("Try c2.", timeout=WAIT)
    square(page, "b1", 3, 4).click()
    expect(notice(page)).to_contain_text("can no longer be solved", timeout=WAIT)


def test_a_dead_end_is_told(go: Opening) -> None:
    page = go("play?board=3x3&moves=a1b3c1a2c3b1a3c2")
    expect(notice(page)).to_contain_text("Dead end on c2: no move from here, 1 square left")
    page.get_by_role("button", name="Undo").click()
    expect(notice(page)).to_contain_text("On a3: 1 move from here.")


def test_goals_are_kept(go: Opening) -> None:
    page = go("play?board=3x4&goal=ends&start=a3&end=d3&moves=a3")
    square(page, "a1", 3, 4).click()
    expect(notice(page)).to_contain_text("no knight's move")
    page.get_by_role("button", name="Start again").click()
    square(page, "b3", 3, 4).click()
    expect(notice(page)).to_have_text("This tour must begin on a3.")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".figures")).to_contain_text("1 of 12")


def test_a_link_shares_board_and_moves(go: Opening, browser: Browser, server_url: str) -> None:
    page = go("play?board=4x5&holes=a1&moves=a4b2d1")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy a link").click()
    expect(page.locator(".bubble")).to_be_visible()
    link = page.evaluate("navigator.clipboard.readText()")
    assert link == f"{server_url}/#play?puzzle=tour&board=4x5&holes=a1&goal=open&moves=a4b2d1"
    with opened(browser) as other:
        visit(other, server_url, link.partition("#")[2])
        expect(other.locator(".figures")).to_contain_text("3 of 19")
        expect(square(other, "a1", 4, 5)).to_have_attribute("aria-label", "a1, hole")
        other.keyboard.press("u")
        expect(other.locator(".figures")).to_contain_text("2 of 19")
        other.reload()
        expect(other.locator(".figures")).to_contain_text("2 of 19")


def test_queens_by_hand(go: Opening) -> None:
    page = go("play?puzzle=queens&board=6x6")
    square(page, "a6", 6, 6).click()
    square(page, "c4", 6, 6).click()
    expect(notice(page)).to_have_text("The queens on a6 and c4 attack each other.")
    expect(page.locator(".queen.attacked")).to_have_count(2)
    page.keyboard.press("u")
    page.get_by_role("radio", name="Solvable?").check()
    expect(notice(page)).to_contain_text("can no longer be solved", timeout=WAIT)
    square(page, "a6", 6, 6).click()
    square(page, "b6", 6, 6).click()
    expect(notice(page)).to_contain_text("Still solvable, in exactly one way", timeout=WAIT)
    page.get_by_role("button", name="Fill in").click()
    expect(notice(page)).to_contain_text("Done: 6 queens", timeout=WAIT)
    expect(page.locator(".queen.solved")).to_have_count(6)


# ---------------------------------------------------------------- watch


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


# ---------------------------------------------------------------- solve and check


def test_a_board_with_holes_is_solved_and_saved(go: Opening) -> None:
    page = go("solve")
    square(page, "a8", 8, 8).click()
    expect(notice(page)).to_contain_text("Click squares to make holes")
    square(page, "b8", 8, 8).click()
    expect(square(page, "b8", 8, 8)).to_have_attribute("aria-label", "b8, hole")
    page.get_by_role("radio", name="Start").check()
    square(page, "d4", 8, 8).click()
    page.locator("#solve-run").click()
    expect(notice(page)).to_contain_text("Solved: 62 squares", timeout=WAIT)
    expect(page.locator(".bead")).to_have_count(62)
    expect(square(page, "d4", 8, 8)).to_have_attribute("aria-label", "d4, visited 1")
    for name, ending in (("SVG", "svg"), ("PNG", "png"), ("JSON", "json"), ("HTML", "html"), ("Text", "txt")):
        with page.expect_download() as download:
            page.get_by_role("button", name=name, exact=True).click()
        assert download.value.suggested_filename.endswith(f".{ending}")
    page.reload()
    expect(square(page, "b8", 8, 8)).to_have_attribute("aria-label", "b8, hole")


def test_an_impossible_board_gives_the_reason(go: Opening) -> None:
    page = go("solve?board=4x4")
    expect(notice(page)).to_contain_text("Impossible: ", timeout=WAIT)
    page.locator("#solve-run").click()
    expect(notice(page)).to_contain_text("Impossible: ", timeout=WAIT)
    page.get_by_role("radio", name="Queens").check()
    page.locator("#solve-run").click()
    expect(notice(page)).to_contain_text("Solved: 4 queens", timeout=WAIT)
    expect(page.locator(".queen")).to_have_count(4)


def test_every_fault_of_a_text_is_shown(go: Opening) -> None:
    page = go("solve")
    area = page.get_by_label("Paste a numbered grid")
    area.fill("1 4 7 10\n12 11 2 5\n3 6 9 8\n")
    page.locator("#check-run").click()
    expect(notice(page)).to_contain_text("2 faults", timeout=WAIT)
    expect(page.locator(".faults li")).to_have_text(
        [re.compile("Not a move.*step 8 to 9"), re.compile("Not a move.*step 11 to 12")]
    )
    expect(page.locator(".mark-fault")).to_have_count(4)
    area.fill("1 4 7 10\n12 9 2 5\n3 6 11 8\n")
    page.locator("#check-run").click()
    expect(notice(page)).to_have_text("Correct: no fault.", timeout=WAIT)
    area.fill("what is this?")
    page.locator("#check-run").click()
    expect(notice(page)).to_have_attribute("data-kind", "bad", timeout=WAIT)
    expect(notice(page)).not_to_contain_text("Correct")


# ---------------------------------------------------------------- count


def test_counts_run_side_by_side_are_cancelled_and_survive_a_reload(go: Opening) -> None:
    page = go("count")
    page.get_by_label("Number of queens").last.fill("22")
    page.keyboard.press("Tab")
    page.locator("#count-run").click()
    long = page.locator(".job").filter(has_text="22 queens on 22 × 22")
    expect(long.get_by_role("progressbar")).to_be_visible(timeout=WAIT)
    page.get_by_role("radio", name="Knight's tour").check()
    page.locator("#count-run").click()
    short = page.locator(".job").filter(has_text="Open tours of 5 × 5, directed")
    expect(short.locator(".count")).to_have_text("1,728", timeout=WAIT)
    page.reload()
    expect(short.locator(".count")).to_have_text("1,728", timeout=WAIT)
    expect(long).to_have_attribute("data-state", re.compile("running|waiting"))
    long.get_by_role("button", name="Cancel").click()
    expect(long.locator(".count")).to_have_text("Cancelled", timeout=WAIT)
    page.reload()
    expect(long.locator(".count")).to_have_text("Cancelled", timeout=WAIT)
    for job in (long, short):
        job.get_by_role("button", name="Remove").click()
        expect(job).to_have_count(0)


# ---------------------------------------------------------------- for everybody


@pytest.mark.parametrize(
    ("locale", "tag", "play"), [("zh-CN", "zh-Hans", "游戏"), ("zh-TW", "zh-Hant", "遊戲"), ("fr-FR", "en", "Play")]
)
def test_the_language_follows_the_browser(browser: Browser, server_url: str, locale: str, tag: str, play: str) -> None:
    with opened(browser, locale=locale) as page:
        visit(page, server_url, "play")
        expect(page.locator("html")).to_have_attribute("lang", tag)
        expect(page.get_by_role("navigation").get_by_role("link", name=play)).to_be_visible()


def test_the_language_is_switched_and_kept(go: Opening) -> None:
    page = go("play?board=5x5&moves=a5c4")
    page.get_by_label("Language").select_option("zh-Hans")
    expect(notice(page)).to_have_text("马在 c4，有 5 种走法。")
    page.reload()
    expect(notice(page)).to_have_text("马在 c4，有 5 种走法。")
    page.get_by_label("语言").select_option("zh-Hant")
    expect(notice(page)).to_have_text("騎士在 c4，有 5 種走法。")


def test_colours_are_switched_and_kept(go: Opening) -> None:
    page = go("watch")

    def background() -> str:
        return str(page.evaluate("getComputedStyle(document.body).backgroundColor"))

    light = background()
    for name in ("as the system", "light"):
        page.get_by_role("button", name=f"Colours: {name}").click()
    expect(page.get_by_role("button", name="Colours: dark")).to_be_focused()
    dark = background()
    assert dark != light
    page.reload()
    expect(page.locator("main .view")).to_be_visible()
    assert background() == dark


@pytest.mark.parametrize("tab", TABS)
def test_no_tab_is_wider_than_its_window(browser: Browser, server_url: str, tab: str) -> None:
    with opened(browser, has_touch=True, is_mobile=True, viewport={"width": 360, "height": 740}) as page:
        for language in ("en", "zh-Hant"):
            visit(page, server_url, tab)
            page.locator(".tools select").select_option(language)
            if tab == "watch":
                page.locator(".setup .checks input").first.check()
            for width in (360, 390, 768, 1024, 1440, 1920):
                page.set_viewport_size({"width": width, "height": 844})
                assert page.evaluate("document.documentElement.scrollWidth") <= width, (language, width)


@pytest.mark.parametrize(
    "where",
    [
        "watch?board=6x6",
        "watch?puzzle=queens&board=6x6",
        "play?board=5x5&moves=a5c4",
        "play?board=40x40&moves=a1b3",
        "play?puzzle=queens&board=6x6&moves=a1b1",
        "solve",
        "count",
    ],
)
def test_the_rules_of_accessibility_hold_in_both_themes(browser: Browser, server_url: str, where: str) -> None:
    # The script is handed to the page from outside, past the policy that lets it load nothing but its own.
    with opened(browser, bypass_csp=True, reduced_motion="reduce") as page:
        visit(page, server_url, where)
        if where.startswith("watch"):
            page.keyboard.press("ArrowRight")
            expect(page.locator(".stack li .at")).to_have_count(1)
        page.add_script_tag(path=AXE)
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            found = page.evaluate(f"axe.run({{ runOnly: {RULES} }})")
            faults = [(each["id"], [node["html"] for node in each["nodes"]]) for each in found["violations"]]
            assert faults == [], scheme


def test_the_page_plays_by_the_rules_of_the_library(go: Opening) -> None:
    page = go("play")
    board = Board(5, 7, holes=["c3", "g1"])
    moves = page.evaluate(
        """async ([rows, cols, holes]) => {
            const { makeBoard } = await import('/static/logic/squares.js');
            const { knightMoves } = await import('/static/logic/knight.js');
            const board = makeBoard(rows, cols, holes);
            return Array.from({ length: rows * cols }, (_, at) => board.holes.has(at) ? [] : knightMoves(board, at));
        }""",
        [board.rows, board.cols, sorted(board.holes)],
    )
    graph = move_graph(board, KNIGHT)
    assert [sorted(each) for each in moves] == [sorted(graph.neighbours(at)) for at in range(35)]
    queens = (0, 9, 12, 20, 30, 33)
    pairs = page.evaluate(
        """async (queens) => {
            const { makeBoard } = await import('/static/logic/squares.js');
            const { conflicts } = await import('/static/logic/queens.js');
            return conflicts(makeBoard(5, 7), queens);
        }""",
        list(queens),
    )
    lines = attack_lines(Board(5, 7), queens)
    assert sorted(map(tuple, pairs)) == sorted((first, second) for first, second, _ in lines)


def test_a_board_is_one_tab_stop_and_large_ones_name_their_cells_too(go: Opening) -> None:
    page = go("play?board=5x5")
    expect(page.locator('[role=gridcell][tabindex="0"]')).to_have_count(1)
    expect(page.locator("[role=grid] > [role=row] > [role=gridcell]")).to_have_count(25)
    page = go("play?board=40x40")
    page.locator("[role=gridcell]").focus()
    for key in ("End", "PageDown", "ArrowLeft", "ArrowUp"):
        page.keyboard.press(key)
    assert focused(page) == "am2, free"
    page.keyboard.press("Enter")
    expect(page.locator(".figures")).to_contain_text("1 of 1,600")
    page.locator(".cells").click(position={"x": 3, "y": 3})
    expect(notice(page)).to_contain_text("From am2 to a40 is no knight's move.")


def test_who_asks_for_less_motion_sees_none(browser: Browser, server_url: str) -> None:
    for motion, moves in (("reduce", False), ("no-preference", True)):
        with opened(browser, reduced_motion=motion) as page:
            visit(page, server_url, "play?board=5x5&moves=a5")
            square(page, "c4", 5, 5).click()
            glides = page.locator(".walker").evaluate("walker => getComputedStyle(walker).transitionProperty")
            assert (glides != "none") == moves
