"""Counts that are kept, in a real browser: the server is killed and started again, and the page goes on."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from backrank import KnightTours, Queens
from web_ledgers import UNITS, begun, lasting
from web_pages import WAIT, field, opened, visit

pytest_plugins = ["web_server", "web_browser"]

Killable = Callable[..., AbstractContextManager[tuple[str, subprocess.Popen[str]]]]
GONE = "net::ERR_"  # what the browser says of a server that has gone


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    return tmp_path / "ledger.sqlite"


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    with opened(browser, harmless=GONE) as page:
        yield page


def percent(job: Locator) -> int:
    return int(job.get_by_role("progressbar").get_attribute("aria-valuenow") or 0)


def test_the_server_is_killed_and_the_count_goes_on(page: Page, killable: Killable, ledger: Path) -> None:
    queens = lasting()
    begun(ledger, queens, UNITS)
    job, other = (page.locator(".job").filter(has_text=f"{side} queens on {side} × {side}") for side in (queens, 22))
    with killable("--ledger", str(ledger)) as (url, process):
        visit(page, url, "count")
        expect(job).to_contain_text("begun on the command line", timeout=WAIT)
        expect(job.locator(".count")).to_have_text("Paused")
        page.get_by_label("Number of queens").last.fill(str(queens))
        page.keyboard.press("Tab")
        page.locator("#count-run").click()
        expect(job).to_contain_text(re.compile(r"[1-9]\d* of 300 units · .* a minute"), timeout=WAIT)
        page.get_by_label("Number of queens").last.fill("22")
        page.keyboard.press("Tab")
        page.locator("#count-run").click()
        expect(other).to_have_attribute("data-state", "running", timeout=WAIT)
        process.kill()
        process.wait()
    before = percent(job)
    expect(page.locator(".notice").first).to_contain_text("again", timeout=WAIT)
    with killable("--ledger", str(ledger), "--port", url.rpartition(":")[2]):
        expect(job).to_have_attribute("data-state", "paused", timeout=WAIT)
        expect(job.locator(".count")).to_have_text("Paused")
        assert percent(job) >= before
        expect(other.locator(".count")).to_have_text("Paused")
        expect(other).not_to_contain_text("command line")
        other.get_by_role("button", name="Remove").click()
        expect(other).to_have_count(0)
        page.reload()
        expect(job.locator(".count")).to_have_text("Paused", timeout=WAIT)
        job.get_by_role("button", name="Go on").click()
        expect(job.locator(".count")).to_have_text(f"{Queens(queens).count():,}", timeout=3 * WAIT)
        page.reload()
        expect(job.locator(".count")).to_have_text(f"{Queens(queens).count():,}", timeout=WAIT)
        job.get_by_role("button", name="Remove").click()
        expect(page.locator(".job")).to_have_count(0)
        page.reload()
        expect(page.locator(".nojobs")).to_be_visible(timeout=WAIT)
        expect(page.locator(".job")).to_have_count(0)


def test_jobs_of_the_command_line_go_on_are_cancelled_and_removed(page: Page, killable: Killable, ledger: Path) -> None:
    half, long = begun(ledger, 12, 8, done=3), begun(ledger, 22, 500)
    with killable("--ledger", str(ledger)) as (url, _):
        visit(page, url, "count")
        short = page.locator(".job").filter(has_text=half)
        expect(short).to_contain_text("37.5%", timeout=WAIT)
        expect(short).to_contain_text("3 of 8 units")
        expect(short).to_contain_text("begun on the command line")
        short.get_by_role("button", name="Go on").click()
        expect(short.locator(".count")).to_have_text("14,200", timeout=WAIT)
        slow = page.locator(".job").filter(has_text=long)
        slow.get_by_role("button", name="Go on").focus()
        page.keyboard.press("Enter")
        expect(slow).to_have_attribute("data-state", "running", timeout=WAIT)
        expect(slow.get_by_role("button", name="Cancel")).to_be_focused()
        page.keyboard.press("Enter")
        expect(slow.locator(".count")).to_have_text("Cancelled", timeout=WAIT)
        expect(slow.get_by_role("button", name="Go on")).to_be_focused()
        slow.get_by_role("button", name="Remove").click()
        expect(slow).to_have_count(0)


def test_what_is_not_kept_is_said_once(
    browser: Browser, killable: Killable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("BACKRANK_LEDGER", raising=False)
    (tmp_path / "backrank").write_text("in the way")
    with killable(XDG_DATA_HOME=str(tmp_path)) as (url, _):
        for locale, words in (("en-GB", "Counts are not kept"), ("zh-CN", "任务记录有误"), ("zh-TW", "工作紀錄有誤")):
            with opened(browser, locale=locale) as page:
                visit(page, url, "count")
                expect(page.locator(".unkept")).to_contain_text(words, timeout=WAIT)
                page.locator("#count-run").click()
                expect(page.locator(".job .count").first).to_have_text("724", timeout=WAIT)


def test_which_tours_are_counted(page: Page, killable: Killable, ledger: Path) -> None:
    with killable("--ledger", str(ledger)) as (url, _):
        visit(page, url, "count")
        page.get_by_role("radio", name="Knight's tour").check()
        page.get_by_role("radio", name="Strictly open").check()
        expect(field(page, "Which")).to_have_count(0)
        page.locator("#count-run").click()
        first = page.locator(".job").first
        expect(first).to_contain_text("Strictly open tours of 5 × 5, directed", timeout=WAIT)
        expect(first.locator(".count")).to_have_text(f"{KnightTours(5).count(strictly_open=True):,}", timeout=WAIT)
        for side in ("Rows", "Columns"):
            page.get_by_label(side).fill("6")
            page.keyboard.press("Tab")
        page.get_by_role("radio", name="Closed tours").check()
        closed = KnightTours(6, closed=True)
        for which, words, number in (
            ("Up to symmetry", "up to symmetry", closed.count(up_to_symmetry=True)),
            ("Unchanged by a half turn", "unchanged when turned by 180°", closed.count(symmetry="180")),
            ("Unchanged by a quarter turn", "unchanged when turned by 90°", closed.count(symmetry="90")),
        ):
            field(page, "Which").select_option(label=which)
            page.locator("#count-run").click()
            expect(first).to_contain_text(words, timeout=WAIT)
            expect(first.locator(".count")).to_have_text(f"{number:,}", timeout=WAIT)
