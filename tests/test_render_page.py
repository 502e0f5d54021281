"""Exported pages in a real browser, opened as files: what they draw, and what moves it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from backrank import Board, KnightTours, Queens, Tour, trace
from backrank.render import tour_html
from web_pages import axe_faults

pytest_plugins = ["web_browser"]

Shown = Callable[..., Page]


@pytest.fixture
def shown(browser: Browser, tmp_path: Path) -> Iterator[Shown]:
    """Opens a page from a file, at rest on its first position; it may load nothing, and report no error."""
    faults: list[str] = []
    asked: list[str] = []
    contexts: list[tuple[BrowserContext, str]] = []

    def show(html: str, **options: object) -> Page:
        file = tmp_path / f"page-{len(contexts)}.html"
        file.write_text(html, encoding="utf-8")
        settings = {"viewport": {"width": 1200, "height": 800}, "reduced_motion": "reduce", **options}
        context = browser.new_context(**settings)  # type: ignore[arg-type]
        contexts.append((context, file.as_uri()))
        page = context.new_page()
        page.on("console", lambda message: faults.append(message.text))
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("request", lambda request: asked.append(request.url))
        page.goto(file.as_uri())
        page.evaluate("backrank.go(0)")
        return page

    yield show
    for context, _ in contexts:
        context.close()
    assert faults == []
    assert asked == [uri for _, uri in contexts]


def tour_of(rows: int, cols: int, **options: object) -> Tour:
    tour = KnightTours(rows, cols, **options).solve()  # type: ignore[arg-type]
    assert tour is not None
    return tour


def drawn(page: Page, what: str) -> int:
    return page.locator(f"#board svg {what}").count()


def test_a_tour_is_walked_by_keys_and_drawn_as_on_the_page(shown: Shown) -> None:
    page = shown(tour_of(6, 6, closed=True).html())
    assert (drawn(page, ".bead"), drawn(page, ".walker")) == (0, 0)
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    assert page.locator("#board svg .layer-beads text").all_text_contents() == ["1", "2", "3"]
    assert (drawn(page, ".move"), drawn(page, ".mark-start"), drawn(page, ".closing-move")) == (2, 1, 0)
    expect(page.locator(".walker .badge text")).to_have_text("3")
    page.keyboard.press("End")
    assert (drawn(page, ".move"), drawn(page, ".closing-move"), drawn(page, ".walker.solved")) == (35, 1, 1)
    page.keyboard.press("ArrowLeft")
    assert (drawn(page, ".move"), drawn(page, ".closing-move"), drawn(page, ".walker.solved")) == (34, 0, 0)
    page.get_by_label("Numbers").uncheck()
    assert (drawn(page, ".layer-beads text"), drawn(page, ".layer-beads circle")) == (0, 35)
    expect(page.locator(".walker .badge")).to_be_hidden()
    page.keyboard.press("Home")
    assert drawn(page, ".bead") == 0


def test_a_page_plays_from_the_first_step_to_the_last(shown: Shown) -> None:
    page = shown(tour_of(5, 5).html(), reduced_motion="no-preference")
    page.locator("#speed").fill("60")
    page.get_by_role("button", name="Play").click()
    page.wait_for_function("backrank.state.n === backrank.count && !backrank.state.playing")
    expect(page.locator("#event")).to_have_text("All 25 squares are visited.")
    page.get_by_role("button", name="中文").click()
    expect(page.locator("#event")).to_have_text("25 个格子全部走到了。")
    expect(page.locator("h1")).to_have_text("5×5 棋盘上的马步巡游，一步一步看")


def test_a_search_shows_why_a_square_is_refused_and_what_is_attacked(shown: Shown) -> None:
    run = trace(Queens(4), "rows")
    page = shown(run.html())
    for _ in range(2):
        page.keyboard.press("ArrowRight")
    expect(page.locator("#event")).to_have_text("a3 is refused: same column as queen on a4.")
    assert (drawn(page, ".queen"), drawn(page, ".mark-cross"), drawn(page, ".warning-line")) == (1, 1, 1)
    assert (drawn(page, ".tint-reject"), drawn(page, ".tint-cause"), drawn(page, ".mark-attacked")) == (1, 1, 0)
    page.get_by_label("Attacked squares").check()
    # Nine squares are attacked by the queen on a4; the one that is refused has its cross.
    assert drawn(page, ".mark-attacked") == 8
    page.keyboard.press("s")
    assert (drawn(page, ".queen.solved"), drawn(page, ".tint-solved"), drawn(page, ".mark-cross")) == (4, 4, 0)
    found = page.evaluate("backrank.state")
    assert found["stack"] == list(run.path(found["n"]))


def test_moves_over_glued_edges_are_dotted_and_onward_moves_counted(shown: Shown) -> None:
    tours = KnightTours(Board(5, 6, wrap="torus"))
    tour = tours.solve()
    assert tour is not None
    page = shown(tour.html())
    page.keyboard.press("End")
    across = sum(
        abs(a // 6 - b // 6) > 2 or abs(a % 6 - b % 6) > 2 for a, b in zip(tour.squares, tour.squares[1:], strict=False)
    )
    assert across > 0
    assert (drawn(page, ".over-edge"), drawn(page, ".move"), drawn(page, ".glued-edge")) == (across, 29, 2)
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    page.get_by_label("Onward moves").check()
    assert sorted(page.locator("#board svg .mark-legal-text").all_text_contents()) == ["7"] * 8


@pytest.mark.parametrize(("scheme", "frame"), [("light", (57, 66, 78)), ("dark", (43, 51, 61))])
def test_large_boards_are_on_a_canvas_in_both_themes(shown: Shown, scheme: str, frame: tuple[int, int, int]) -> None:
    page = shown(tour_of(40, 40).html(), color_scheme=scheme)
    assert (page.locator("#board canvas").count(), page.locator("#board svg").count()) == (1, 0)
    pixels = """async () => {
        for (let i = 0; i < 2; i++) await new Promise(requestAnimationFrame);
        const canvas = document.querySelector('#board canvas'), copy = new OffscreenCanvas(canvas.width, canvas.height);
        const pen = copy.getContext('2d', { willReadFrequently: true });
        pen.drawImage(canvas, 0, 0);
        const data = pen.getImageData(0, 0, canvas.width, canvas.height).data, colours = new Set();
        for (let i = 0; i < data.length; i += 4) colours.add(data[i] * 65536 + data[i + 1] * 256 + data[i + 2]);
        return [[...data.slice(0, 3)], colours.size];
    }"""
    corner, empty = page.evaluate(pixels)
    assert tuple(corner) == frame
    page.keyboard.press("End")
    corner, full = page.evaluate(pixels)
    assert tuple(corner) == frame
    assert full > 2 * empty
    expect(page.locator("#numbers-choice")).to_be_hidden()
    page.keyboard.press("Home")
    assert page.evaluate(pixels) == [list(frame), empty]


def test_the_piece_glides_over_a_large_board_and_arrives(shown: Shown) -> None:
    page = shown(tour_of(40, 40).html(), reduced_motion="no-preference")
    page.evaluate("window.now = 0, performance.now = () => window.now, backrank.pause(), backrank.go(700)")

    def picture(now: int) -> str:
        page.evaluate("(now) => void (window.now = now)", now)
        page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        return str(page.evaluate("document.querySelector('#board canvas').toDataURL()"))

    before = picture(1000)
    page.keyboard.press("ArrowRight")
    leaving, between, arrived = picture(1000), picture(1110), picture(1220)
    assert len({before, leaving, between, arrived}) == 4
    assert picture(1300) == arrived
    page.evaluate("backrank.go(0), backrank.go(701)")
    assert picture(1300) == arrived


def test_the_board_takes_its_room_and_no_more(shown: Shown) -> None:
    for size, width, height in (((3, 4), 1200, 800), ((3, 10), 390, 800), ((8, 8), 1920, 1080), ((30, 5), 1200, 800)):
        page = shown(tour_html(Board(*size), [0]), viewport={"width": width, "height": height})
        box = page.locator("#board").bounding_box()
        assert box is not None
        assert 0 < box["width"] <= page.evaluate("document.getElementById('frame').clientWidth")
        assert box["height"] < height
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        expect(page.locator("#board")).to_have_attribute("aria-label", re.compile("^The board. 0 of 1. "))


@pytest.mark.parametrize("kind", ["tour", "queens"])
def test_the_rules_of_accessibility_hold_in_both_themes(shown: Shown, kind: str) -> None:
    page = shown(tour_of(6, 6).html() if kind == "tour" else trace(Queens(4), "rows").html())
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert axe_faults(page) == []
