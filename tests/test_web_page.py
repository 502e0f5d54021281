"""The page for everybody: languages, colours, phones, screen readers, keyboards, in a real browser."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from backrank import Board
from backrank.geometry.pieces import KNIGHT, move_graph
from backrank.render.lines import attack_lines
from web_pages import WAIT, Opening, axe_faults, focused, notice, opened, square, visit

pytest_plugins = ["web_server", "web_browser"]


TABS = ("watch", "play", "solve", "count")


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
                if language == "en":
                    page.locator("summary").click()
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
            page.locator("summary").press("Enter")
            page.keyboard.press("ArrowRight")
            expect(page.locator(".stack li .at")).to_have_count(1)
        assert axe_faults(page) == []


def test_the_page_plays_by_the_rules_of_the_library(go: Opening) -> None:
    page = go("play")
    board = Board(5, 7, holes=["c3", "g1"])
    moves = page.evaluate(
        """async ([rows, cols, holes]) => {
            const { makeBoard } = await import('/static/board/squares.js');
            const { movesFrom } = await import('/static/board/moves.js');
            const board = makeBoard(rows, cols, holes);
            return Array.from({ length: rows * cols }, (_, at) => board.holes.has(at) ? [] : movesFrom(board, at));
        }""",
        [board.rows, board.cols, sorted(board.holes)],
    )
    graph = move_graph(board, KNIGHT)
    assert [sorted(each) for each in moves] == [sorted(graph.neighbours(at)) for at in range(35)]
    queens = (0, 9, 12, 20, 30, 33)
    pairs = page.evaluate(
        """async (queens) => {
            const { makeBoard } = await import('/static/board/squares.js');
            const { conflicts } = await import('/static/board/queens.js');
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


def test_reasons_and_complaints_are_in_the_language_of_the_page(browser: Browser, server_url: str) -> None:
    for locale, impossible, colours, unread in (
        ("zh-CN", "无解：", "路线黑白交替，但一种颜色有 32 格，另一种只有 30 格", "“what”不是数字"),
        ("zh-TW", "無解：", "路線黑白交替，但一種顏色有 32 格，另一種只有 30 格", "「what」不是數字"),
    ):
        with opened(browser, locale=locale) as page:
            visit(page, server_url, "solve?board=8x8&holes=a1h8")
            expect(notice(page)).to_have_text(impossible + colours, timeout=WAIT)
            page.locator("#check-text").fill("what is this?")
            page.locator("#check-run").click()
            expect(notice(page)).to_contain_text(unread, timeout=WAIT)
            visit(page, server_url, "watch?board=6x6&strategy=fixed:123")
            expect(notice(page)).to_contain_text("12345678", timeout=WAIT)
            expect(notice(page)).not_to_contain_text("digit")
