"""Playing in a real browser, as people do: by keyboard and mouse, with hints, to the end."""

from __future__ import annotations

import re
from collections.abc import Sequence

from playwright.sync_api import Browser, Page, expect

from backrank import Board, KnightTours
from web_pages import WAIT, Opening, focused, notice, opened, square, visit, walk_to

pytest_plugins = ["web_server", "web_browser"]


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


def play(page: Page, squares: Sequence[int], cols: int) -> None:
    """Walk a tour by keyboard alone, from the square that has the focus."""
    here = int(page.evaluate("document.activeElement.dataset.square"))
    for there in squares:
        walk_to(page, here, there, cols)
        page.keyboard.press("Enter")
        here = there


def test_a_closed_tour_is_played_by_keyboard(go: Opening) -> None:
    """All squares are not enough: the last must lead back to the first."""
    closed, board = KnightTours(6, 6, closed=True).solve(), Board(6)
    assert closed is not None
    squares = list(closed.squares)
    others = (tour for seed in range(9) if (tour := KnightTours(6, 6, start=squares[0]).solve(rng=seed)))
    open_ended = next(tour for tour in others if not tour.is_closable)
    page = go("play?board=6x6")
    page.get_by_role("radio", name="Closed tour").focus()
    page.keyboard.press("Space")
    page.locator('[role=gridcell][tabindex="0"]').focus()
    play(page, squares[:2], 6)
    expect(page.locator(".mark-start")).to_have_count(1)
    play(page, squares[2:], 6)
    expect(notice(page)).to_have_text("Done: all 36 squares are visited!")
    expect(page.locator(".closing-move")).to_have_count(1)
    expect(page.locator("#said")).to_contain_text("Done")
    page.get_by_role("button", name="Start again").click()
    page.locator('[role=gridcell][tabindex="0"]').focus()
    play(page, open_ended.squares, 6)
    name = board.name(open_ended.squares[0])
    expect(notice(page)).to_have_text(f"All squares are visited, but no move leads back to {name}.")


def test_a_given_end_is_kept_to_the_last(go: Opening) -> None:
    tour = KnightTours(5, 5, start="a5", end="e5").solve()
    assert tour is not None
    squares = list(tour.squares)
    page = go("play?board=5x5")
    page.get_by_role("radio", name="Given ends").check()
    page.get_by_label("Start", exact=True).fill("a5")
    page.get_by_label("Start", exact=True).press("Enter")
    page.get_by_label("End", exact=True).fill("zz")
    page.get_by_label("End", exact=True).press("Enter")
    expect(page.get_by_label("End", exact=True)).to_have_attribute("aria-invalid", "true")
    page.get_by_label("End", exact=True).fill("0,4")
    page.get_by_label("End", exact=True).press("Enter")
    expect(page.get_by_label("End", exact=True)).to_have_value("e5")
    expect(page.locator(".mark-end")).to_have_count(1)
    expect(notice(page)).to_have_text("The tour begins on a5.")
    page.locator('[role=gridcell][tabindex="0"]').focus()
    play(page, squares[:12], 5)
    page.locator('[role=gridcell][tabindex="0"]').focus()
    play(page, squares[12:], 5)
    expect(notice(page)).to_contain_text("Done: all 25 squares are visited")


def test_the_end_may_only_be_entered_at_last(go: Opening) -> None:
    page = go("play?board=5x5&goal=ends&start=a5&end=e5&moves=a5c4")
    square(page, "e5", 5, 5).click()
    expect(notice(page)).to_have_text("e5 is the end: it comes last, and nothing else does.")
    page.get_by_role("radio", name="Solvable?").check()
    ways = KnightTours(5, 5, start="a5", end="e5")
    number = sum(tour.squares[1] == Board(5).square("c4") for tour in ways)
    expect(notice(page)).to_have_text(f"Still solvable, in {number} ways.", timeout=WAIT)


def test_a_closed_game_is_counted_exactly(go: Opening) -> None:
    tours = KnightTours(6, 6, closed=True)
    tour = tours.solve()
    assert tour is not None
    path = tour.squares[:9]
    page = go(f"play?board=6x6&goal=closed&moves={''.join(map(tours.board.name, path))}")
    page.get_by_role("radio", name="Solvable?").check()
    number = tours.completions(path)
    words = f"Still solvable, in {number:,} ways." if number > 1 else "Still solvable, in exactly one way."
    expect(notice(page)).to_have_text(words, timeout=WAIT)


def test_what_is_impossible_is_told_with_the_reason(go: Opening) -> None:
    page = go("play?puzzle=queens&board=3x3")
    page.get_by_role("radio", name="Solvable?").check()
    expect(notice(page)).to_contain_text("This cannot be solved: 3 queens cannot stand on 3x3", timeout=WAIT)
    page = go("play?board=5x5")
    page.get_by_role("radio", name="Solvable?").check()
    square(page, "b5", 5, 5).click()
    expect(notice(page)).to_contain_text("can no longer be solved: an open tour of 25 squares", timeout=WAIT)


def test_a_game_that_is_won_stays_won(go: Opening) -> None:
    """Whatever is asked for then."""
    page = go("play?puzzle=queens&board=4x4&moves=b4d3a2c1")
    for name in ("Hint", "Fill in"):
        page.get_by_role("button", name=name).click()
        expect(notice(page)).to_have_text("Done: 4 queens, and none attacks another!")
    page = go("play?board=1x1")
    square(page, "a1", 1, 1).click()
    page.keyboard.press("h")
    expect(notice(page)).to_have_text("Done: the only square is visited!")


def test_both_ends_cannot_be_one_square(go: Opening) -> None:
    page = go("play?board=6x6&goal=ends&start=a6&end=a6")
    end = page.get_by_label("End", exact=True)
    expect(end).to_have_value("")
    end.fill("a6")
    end.press("Enter")
    expect(end).to_have_attribute("aria-invalid", "true")


def test_huge_boards_are_played_with_all_hints(go: Opening) -> None:
    page = go("play?board=50x50")
    page.get_by_role("radio", name="Solvable?").check()
    page.locator(".cells").click(position={"x": 3, "y": 3})
    expect(notice(page)).to_have_text(re.compile("^(Still solvable.|Whether it can be solved.*)$"), timeout=WAIT)
