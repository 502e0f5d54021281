"""Animated pages: what they carry is read back and compared, and they need nothing beside them."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from importlib.resources import files
from string import Formatter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backrank.errors import BoardTooLarge, InvalidSquare, UnknownName
from backrank.geometry.board import Board
from backrank.geometry.pieces import KING
from backrank.render import InvalidRun, look, run_html, tour_html
from backrank.render.html import ENTRY, LANGUAGES, STYLES
from backrank.render.modules import joined
from backrank.render.runs import EncodedRun, Row, encode_run
from backrank.search.cursor import Cursor
from backrank.search.engine import advance, start
from backrank.search.events import Reason
from backrank.search.spaces import QueensSpace, Space, TourSpace
from run_reading import decode_run, read_run

THREE_BY_FOUR = (0, 6, 8, 1, 7, 9, 2, 4, 10, 3, 5, 11)
STATIC = files("backrank.render") / "static"
SVG = "http://www.w3.org/2000/svg"
POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"


def recorded(space: Space, strategy: str | None = None, count: int = 10**6) -> tuple[list[Row], Cursor]:
    """The first events of a search, as rows, and the cursor after them."""
    board = space.board
    events, cursor = advance(start(space, strategy), count)
    return [(str(event.kind), event.square, event.depth, event.why(board)) for event in events], cursor


class Page(HTMLParser):
    """The elements of a page, and the text in each script."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self.open: list[str] = []
        self.headings: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in {"meta", "input", "path", "br"}:
            self.open.append(tag)
        if tag == "script":
            self.scripts.append("")

    def handle_endtag(self, tag: str) -> None:
        if tag in self.open:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "script":
            self.scripts[-1] += data
        if self.open and self.open[-1] in {"title", "h1"}:
            self.headings.append(data)

    def ids(self) -> list[str]:
        return [attrs["id"] or "" for _, attrs in self.tags if "id" in attrs]


def carried(page: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(Page(page).scripts[0])
    return data


def static(name: str) -> str:
    return (STATIC / name).read_text(encoding="utf-8")


# The run and how it is encoded.


@pytest.mark.parametrize(
    "space",
    [
        QueensSpace(Board(4)),
        QueensSpace(Board(6, 5, holes=["a1"], wrap="cylinder"), 3),
        TourSpace(Board(5, holes=["c3"])),
        TourSpace(Board(3, 4)),
    ],
    ids=str,
)
def test_a_page_carries_every_event(space: Space) -> None:
    rows, _ = recorded(space, count=5000)
    page = run_html(space.board, rows, kind=space.kind)
    assert list(decode_run(read_run(page))) == rows


@given(st.data())
def test_any_run_is_read_back(data: st.DataObject) -> None:
    board = Board(*data.draw(st.tuples(st.integers(1, 30), st.integers(1, 30))))
    squares = st.integers(0, board.size - 1)
    rows: list[Row] = []
    stack: list[int] = []
    for kind in data.draw(st.lists(st.sampled_from(["enter", "leave", "reject", "solution"]), max_size=60)):
        square, why = data.draw(squares), ""
        if kind == "enter":
            stack.append(square)
        elif kind == "reject":
            why = data.draw(st.sampled_from(["", "visited", "same row as queen on a1", "</script>", "因为"]))
        elif not stack:
            continue
        else:
            square = stack.pop() if kind == "leave" else stack[-1]
        rows.append((kind, square, len(stack), why))
    run = encode_run(board, rows)
    assert list(decode_run(run)) == rows
    assert run.count == len(rows)
    assert read_run(run_html(board, rows)) == run


def test_the_squares_that_reasons_name_are_known() -> None:
    rows, _ = recorded(QueensSpace(Board(5)))
    run = encode_run(Board(5), rows)
    for reason, cause in zip(run.reasons, run.causes, strict=True):
        assert (Board(5).name(cause) if cause >= 0 else "") == reason.rpartition(" ")[2]
    odd = encode_run(
        Board(2), [("enter", 0, 1, ""), *(("reject", 1, 1, why) for why in ("visited", "see z99", "try 3"))]
    )
    assert odd.causes == [-1] * 4


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([("place", 0, 1, "")], "'place', which is none of enter"),
        ([("leave", 0, 0, "")], "board is empty"),
        ([("solution", 3, 0, "")], "board is empty"),
        ([("enter", 0, 1, ""), ("leave", 1, 0, "")], "event 2, leave, is about square 1, but the last .* a4"),
        ([("enter", 0, 1, ""), ("enter", 1, 1, "")], "event 2, enter, says depth 1, but 2 pieces"),
    ],
)
def test_events_that_cannot_be_are_refused(rows: list[Row], message: str) -> None:
    with pytest.raises(InvalidRun, match=message):
        run_html(Board(4), rows)


def test_squares_that_are_not_there_are_refused() -> None:
    for square in (4, 9, -1):
        with pytest.raises(InvalidSquare):
            run_html(Board(3, holes=["b2"]), [("reject", square, 0, "")])
        with pytest.raises(InvalidSquare):
            tour_html(Board(3, holes=["b2"]), [square])


def test_an_empty_run_is_a_page_too() -> None:
    assert list(decode_run(read_run(run_html(Board(3), [])))) == []
    assert list(decode_run(read_run(tour_html(Board(3), [])))) == []
    assert read_run(run_html(Board(3), [("solution", -1, 0, "")])).count == 1


def test_pages_of_others_are_refused() -> None:
    with pytest.raises(ValueError, match="no page that backrank made"):
        read_run("<!doctype html><title>?</title>")


def test_200_000_events_are_a_small_page() -> None:
    rows, cursor = recorded(TourSpace(Board(8)), "fixed:python", 200_000)
    page = run_html(Board(8), rows, strategy="fixed:python", truncated=not cursor.done)
    assert len(page) < 1_000_000
    assert sum(1 for _ in decode_run(read_run(page))) == 200_000
    rows, _ = recorded(QueensSpace(Board(20)), "rows", 200_000)
    assert len(run_html(Board(20), rows, kind="queens")) < 1_200_000


# What the page says besides.


def test_a_walk_holds_the_squares_in_order() -> None:
    page = tour_html(Board(3, 4), THREE_BY_FOUR)
    assert [square for _, square, _, _ in decode_run(read_run(page))] == list(THREE_BY_FOUR)
    data = carried(page)
    assert (data["mode"], data["whole"], data["closed"]) == ("walk", True, False)
    assert (data["piece"]["name"], data["piece"]["shape"]) == ("knight", "horse")
    assert not carried(tour_html(Board(3, 4), THREE_BY_FOUR[:5]))["whole"]
    assert carried(tour_html(Board(3, 4), THREE_BY_FOUR, closed=True))["closed"]


def test_a_search_holds_what_it_was_told() -> None:
    board = Board(6, 4, holes=["b2"], wrap="cylinder")
    totals = {"calls": 10, "solutions": 2, "weather": 3}
    data = carried(run_html(board, [], kind="queens", strategy="rows", totals=totals, truncated=True))
    assert data["board"] == {"rows": 6, "cols": 4, "holes": [17], "wrap": "cylinder"}
    assert (data["strategy"], data["truncated"], data["totals"]) == ("rows", True, {"calls": 10, "solutions": 2})
    assert (data["piece"]["name"], data["piece"]["slides"]) == ("queen", True)
    assert data["piece"]["shape"] == "queen"


@pytest.mark.parametrize(
    ("name", "shape", "steps"),
    [("zebra", "horse", 8), ("1,5", "horse", 8), ("king", "pawn", 8), ("dragon", "pawn", 0)],
)
def test_other_pieces_are_drawn_too(name: str, shape: str, steps: int) -> None:
    piece = carried(run_html(Board(8), [], piece_name=name))["piece"]
    assert (piece["shape"], len(piece["steps"])) == (shape, steps)
    assert carried(tour_html(Board(2), [0, 1], piece=KING))["piece"]["name"] == "king"


def test_unknown_names_and_boards_too_large_are_refused() -> None:
    with pytest.raises(UnknownName, match="known: en, zh"):
        tour_html(Board(3), [], language="fr")
    with pytest.raises(UnknownName, match="known: tour, queens"):
        run_html(Board(3), [], kind="chess")
    with pytest.raises(BoardTooLarge, match="animated page"):
        tour_html(Board(501), [])


NASTY = "</title></script><script>alert(1)</script><!-- <script> {{data}} {{style}} & '\" \u2028 \\ \\g<0> 马"


@pytest.mark.parametrize("where", ["title", "strategy", "why", "piece_name"])
def test_texts_cannot_break_out(where: str) -> None:
    harmless = run_html(Board(3), [("reject", 0, 0, "x")], title="x", strategy="x", piece_name="x")
    given_texts = {"title": "x", "strategy": "x", "piece_name": "x"}
    why = NASTY if where == "why" else "x"
    if where != "why":
        given_texts[where] = NASTY
    page = run_html(Board(3), [("reject", 0, 0, why)], **given_texts)  # type: ignore[arg-type]
    parsed, expected = Page(page), Page(harmless)
    assert [tag for tag, _ in parsed.tags] == [tag for tag, _ in expected.tags]
    assert parsed.scripts[1:] == expected.scripts[1:]
    data = json.loads(parsed.scripts[0])
    assert NASTY in (data["title"], data["strategy"], data["piece"]["name"], *data["run"]["reasons"])
    assert not re.search(r"[<>&\u2028]", parsed.scripts[0])
    if where == "title":
        assert parsed.headings == [NASTY, NASTY]


def test_pages_have_a_title_in_their_language() -> None:
    assert Page(tour_html(Board(3, 4), THREE_BY_FOUR)).headings == ["A knight's tour of 3×4, step by step"] * 2
    assert Page(run_html(Board(8), [], kind="queens", language="zh")).headings == ["8×8 皇后问题：一步一步看搜索"] * 2
    assert '<html lang="zh">' in run_html(Board(8), [], language="zh")


def test_pages_are_the_same_every_time() -> None:
    rows, _ = recorded(QueensSpace(Board(5)))
    assert run_html(Board(5), rows, kind="queens") == run_html(Board(5), iter(rows), kind="queens")


# The page itself.


PAGES = {
    "walk": tour_html(Board(3, 4), THREE_BY_FOUR),
    "search": run_html(Board(4), recorded(QueensSpace(Board(4)))[0], kind="queens"),
}


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
def test_pages_need_nothing_else(page: str) -> None:
    assert page.count("Content-Security-Policy") == 1
    assert f'content="{POLICY}"' in page
    page = page.replace(f'"{SVG}"', "")  # a name, from which nothing is loaded
    assert not re.search(r"\w://|//\w+\.\w|@import|url\(|\bfetch\(|XMLHttp|import\(|\beval\(|new Function", page)
    for _, attrs in Page(page).tags:
        assert not {"src", "href", "srcset", "data", "action"} & set(attrs)
        assert not any(name.startswith("on") or name == "style" for name in attrs)
    assert "{{" not in page


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
def test_pages_are_well_formed(page: str) -> None:
    parsed = Page(page)
    assert parsed.open == []
    ids = parsed.ids()
    assert len(ids) == len(set(ids))
    assert len(parsed.scripts) == 2
    assert parsed.scripts[1].strip() == joined(ENTRY, static).strip()
    assert page.startswith('<!doctype html>\n<html lang="en">')


def test_scripts_find_every_element_they_look_for() -> None:
    ids = set(Page(PAGES["search"]).ids())
    wanted = set(re.findall(r"(?:find|getElementById)\(\"([\w-]+)\"\)", joined(ENTRY, static)))
    actions = re.search(r"const actions = \{(.*?)\n  \};", static("player.js"), re.DOTALL)
    assert actions is not None
    wanted |= {quoted or bare for quoted, bare in re.findall(r"^    (?:\"([\w-]+)\"|(\w+)):", actions[1], re.MULTILINE)}
    assert wanted >= {"play", "back", "forward", "next-solution", "previous-backtrack", "position", "said"}
    assert wanted <= ids
    targets = {attrs["for"] for _, attrs in Page(PAGES["search"]).tags if "for" in attrs}
    assert targets <= ids


def test_everything_that_can_be_pressed_has_a_name() -> None:
    parsed = Page(PAGES["search"])
    labelled = {attrs.get("id") for _, attrs in parsed.tags if "data-label" in attrs}
    pressed = {attrs.get("id") for tag, attrs in parsed.tags if tag in {"button", "input"}}
    in_labels = {attrs.get("id") for tag, attrs in parsed.tags if tag == "input" and attrs.get("type") == "checkbox"}
    # Those that change what they say, or say what they are in words, are named by the scripts.
    assert pressed - labelled - in_labels == {"language", "play", "position"}
    assert any(attrs.get("aria-live") == "polite" for _, attrs in parsed.tags)


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def test_both_languages_say_everything() -> None:
    texts = json.loads(static("texts.json"))
    assert tuple(texts) == LANGUAGES
    english, chinese = texts["en"], texts["zh"]
    # English names of pieces and reasons are those of the library.
    assert english.keys() == {key for key in chinese if not key.startswith(("piece.", "reason."))}
    for key, text in english.items():
        # A title may leave out the piece: 马踏棋盘 says it.
        assert fields(chinese[key]) == fields(text) or (
            key.startswith("title") and fields(chinese[key]) <= fields(text)
        )
        assert chinese[key]
    reasons = {key.removeprefix("reason.") for key in chinese if key.startswith("reason.")}
    assert reasons == {str(reason) for reason in Reason}
    for reason in Reason:
        assert fields(chinese[f"reason.{reason}"]) == (set() if reason is Reason.VISITED else {"square"})


def test_scripts_and_page_say_only_what_there_are_texts_for() -> None:
    keys = set(json.loads(static("texts.json"))["en"])
    said = set(re.findall(r'data-(?:text|label)="(\w+)"', static("player.html")))
    for name in ("page.js", "player.js"):
        said |= set(re.findall(r'\bsay\("(\w+)"', static(name)))
    assert said <= keys
    for stem in ("title", "hints", "stack", "help", "enter", "leave", "solution"):
        endings = {key.removeprefix(f"{stem}_") for key in keys if key.startswith(f"{stem}_")}
        assert endings & {"tour", "walk"}, stem
        assert endings & {"queens", "search"}, stem


def test_page_and_pictures_look_alike() -> None:
    style = static("board/board.css")
    for name, colour in {"frame": look.FRAME, "letters": look.LETTERS, "light": look.LIGHT, "dark": look.DARK}.items():
        assert f"--{name}: light-dark({colour}, " in style
        # What a browser takes that knows nothing of two colours in one value.
        assert f'@property --{name} {{ syntax: "<color>"; inherits: true; initial-value: {colour}; }}' in style
    for name, colour in {"ink": look.INK, "warning": look.WARNING}.items():
        assert f"--board-{name}: {colour};" in style
    assert style in PAGES["walk"]


def test_motion_and_colours_follow_the_wishes_of_the_reader() -> None:
    style, player = static("player.css"), static("player.js")
    assert "prefers-color-scheme: dark" in style
    for sheet in map(static, STYLES):
        assert not re.search("transition|animation", sheet[: sheet.index("prefers-reduced-motion: no-preference")])
    assert "prefers-reduced-motion: reduce" in player
    assert ":focus-visible" in style
    assert EncodedRun() == encode_run(Board(1), [])
