"""What the tests of the page do in a real browser: open a part of the app, find squares, press arrows."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, expect

from backrank import Board

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
WAIT = 20_000
# A refused request is said on the console by the browser itself, whatever the page makes of it.
HARMLESS = "status of 422"
Opening = Callable[..., Page]
AXE = files("axe_playwright_python").joinpath("axe.min.js")
RULES = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"]


def chromium(own: str) -> str:
    """Where a Chromium is; without one these tests fail, since they would show nothing."""
    given = os.environ.get("BACKRANK_CHROMIUM")
    found = given or next((path for path in map(shutil.which, NAMES) if path), own)
    if not Path(found).is_file():
        pytest.fail("no Chromium: install the package chromium, or say in $BACKRANK_CHROMIUM where one is")
    return found


@contextmanager
def opened(browser: Browser, harmless: str = HARMLESS, **options: Any) -> Iterator[Page]:
    """A fresh window, in which nothing may be said on the console, nor anything be loaded from elsewhere."""
    context = browser.new_context(**{"locale": "en-GB", "viewport": {"width": 1440, "height": 900}, **options})
    page = context.new_page()
    page.set_default_timeout(WAIT)
    said: list[str] = []
    asked: list[str] = []

    def hear(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and harmless not in message.text:
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


def field(page: Page, name: str, what: str = "select") -> Locator:
    """A field by the words above it."""
    return page.locator("label", has=page.get_by_text(name, exact=True)).locator(what)


def focused(page: Page) -> str:
    return str(page.evaluate("document.activeElement.getAttribute('aria-label')"))


def walk_to(page: Page, here: int, there: int, cols: int) -> None:
    """Press arrows."""
    down, right = there // cols - here // cols, there % cols - here % cols
    for key, times in (("ArrowDown", down), ("ArrowUp", -down), ("ArrowRight", right), ("ArrowLeft", -right)):
        for _ in range(times):
            page.keyboard.press(key)


def axe_faults(page: Page) -> list[tuple[str, str, list[str]]]:
    """Where a page breaks the rules of accessibility: the theme, the rule and the elements."""
    page.add_script_tag(content=AXE.read_text(encoding="utf-8"))
    faults: list[tuple[str, str, list[str]]] = []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        found = page.evaluate(f"axe.run({{ runOnly: {RULES} }})")["violations"]
        faults += [(scheme, each["id"], [node["html"] for node in each["nodes"]]) for each in found]
    return faults
