"""A real browser for the tests of the page, which say `pytest_plugins = ["web_server", "web_browser"]`.

A Chromium is needed: that of $BACKRANK_CHROMIUM, one on the PATH (Debian and Ubuntu: the package `chromium`), or the
one that Playwright installs.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from web_pages import Opening, chromium, opened, visit


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        program = chromium(playwright.chromium.executable_path)
        # The sandbox needs rights that containers do not give; nothing but this project's own page is opened.
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


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
