"""Solving, checking and counting in a real browser."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from backrank import Board, KnightTours, parse_placements
from web_pages import WAIT, Opening, notice, square

pytest_plugins = ["web_server", "web_browser"]


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


def test_a_text_is_checked_on_the_board_that_is_edited(go: Opening) -> None:
    board = Board(5, 5, holes=["c3"])
    tour = KnightTours(board).solve()
    assert tour is not None
    other = board.name(tour.squares[2])
    page = go("solve?board=5x5&holes=c3")
    page.get_by_role("radio", name="Start").check()
    square(page, other, 5, 5).click()
    page.get_by_label("Paste a numbered grid").fill(tour.text("names"))
    page.locator("#check-run").click()
    expect(page.locator(".faults li")).to_have_text([re.compile("Missing squares")], timeout=WAIT)
    page.get_by_label("On the board above").check()
    page.locator("#check-run").click()
    expect(page.locator(".faults li")).to_have_text([re.compile(f"Wrong start.*not on {other}")], timeout=WAIT)


def test_placements_are_saved_as_text(go: Opening) -> None:
    page = go("solve?board=6x6")
    page.get_by_role("radio", name="Queens").check()
    page.locator("#solve-run").click()
    expect(notice(page)).to_contain_text("Solved: 6 queens", timeout=WAIT)
    with page.expect_download() as download:
        page.get_by_role("button", name="Text", exact=True).click()
    (claim,) = parse_placements(download.value.path().read_text(encoding="utf-8"))
    assert claim.faults() == []
    expect(page.get_by_role("button", name="HTML", exact=True)).to_be_hidden()


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
