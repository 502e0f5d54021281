"""The page's texts in three languages, and its files as far as they can be judged without a browser."""

from __future__ import annotations

import json
import re
from pathlib import Path
from posixpath import dirname, join, normpath

import pytest

import backrank
from backrank.geometry.board import WRAPS
from backrank.geometry.verify import PLACED_PIECES, FaultKind
from backrank.render import look
from backrank.search import ORDERS, strategy_names
from backrank.search.events import Reason
from backrank.web.api.meta import LEAPERS

STATIC = Path(backrank.__file__).parent / "web" / "static"
# What draws boards, under /static/board/ on the page and in exported pages.
BOARD = Path(backrank.__file__).parent / "render" / "static" / "board"
LANGUAGES = ("en", "zh-Hans", "zh-Hant")
SCRIPTS = sorted(STATIC.rglob("*.js")) + sorted(BOARD.rglob("*.js"))
MAX_LINES = 300
VALUE = re.compile(r"\{(\w+)")
CHINESE = re.compile(r"[\u4e00-\u9fff]")
# The same in every language: code, and forms that are numbers and signs alone.
NEUTRAL = {"counter.of", "code.queens.0", "code.queens.5", "strategy.more"}


def catalogue(language: str) -> dict[str, str]:
    texts: dict[str, str] = json.loads((STATIC / "texts" / f"{language}.json").read_text(encoding="utf-8"))
    return texts


def source() -> str:
    return "\n".join(path.read_text(encoding="utf-8") for path in SCRIPTS)


def url_of(path: Path) -> str:
    """Where the server has a file, below /static/."""
    return (path.relative_to(BOARD.parent if path.is_relative_to(BOARD) else STATIC)).as_posix()


def file_at(url: str) -> Path:
    """The file that the server has below /static/."""
    return (BOARD.parent if url.startswith("board/") else STATIC) / url


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_languages_have_the_same_keys_and_values(language: str) -> None:
    english, other = catalogue("en"), catalogue(language)
    assert list(other) == list(english)
    assert all(text.strip() for text in other.values())
    for key, text in other.items():
        # What the server says has values that a translation may leave out; see test_web_sayings.
        if not key.startswith("told."):
            assert set(VALUE.findall(text)) == set(VALUE.findall(english[key])), key


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_what_is_said_in_chinese_is_chinese(language: str) -> None:
    texts = catalogue(language)
    assert {key for key, text in texts.items() if not CHINESE.search(text)} <= NEUTRAL | {
        key for key in texts if key.startswith("list.") or key == "watch.persecond"
    }


def test_simplified_and_traditional_are_not_mixed() -> None:
    simplified, traditional = (" ".join(catalogue(language).values()) for language in LANGUAGES[1:])
    assert not set("馬盤後條數計檢錯點種還從這裡開關請選擇對稱無與試騎") & set(simplified)
    assert not set("马盘后条数计检错点种还从这里开关请选择对称无与试骑") - set("后里") & set(traditional)


def test_every_text_that_the_page_asks_for_is_there() -> None:
    texts, code = catalogue("en"), source()
    asked = set(re.findall(r"""\bt\(\s*["']([\w.:+-]+)["']""", code))
    assert len(asked) > 100
    assert asked <= set(texts)
    # Keys that are put together: a text in backquotes holds their first part.
    heads = set(re.findall(r"`([a-z.]+)\$\{", code))
    for key in texts:
        assert f'"{key}"' in code or any(key.startswith(head) for head in heads), f"nobody asks for {key}"


def test_reasons_faults_and_strategies_have_names() -> None:
    texts = catalogue("en")
    assert {f"fault.{kind.value}" for kind in FaultKind} <= set(texts)
    reasons = {key.removeprefix("reason.") for key in texts if key.startswith("reason.")}
    assert len(reasons) == len(Reason)
    for kind in ("tour", "queens"):
        rules = {name.partition(":")[0] for name in strategy_names(kind) if " " not in name}
        assert {f"{head}.{rule}" for rule in rules for head in ("strategy", "about")} <= set(texts)
    assert {f"order.{order}" for order in ORDERS} <= set(texts)
    assert {f"wrap.{wrap}" for wrap in WRAPS} <= set(texts)
    assert {f"piece.{piece}" for piece in (*LEAPERS, *PLACED_PIECES)} <= set(texts)


def test_pieces_and_colours_are_those_of_the_drawings() -> None:
    code = (BOARD / "look.js").read_text(encoding="utf-8")
    for drawn in (look.HORSE, look.HORSE_EYE, look.QUEEN, look.PAWN, *look.TRAIL):
        assert f'"{drawn}"' in code


@pytest.mark.parametrize("path", SCRIPTS, ids=url_of)
def test_modules_are_small_and_strict(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count("\n") < MAX_LINES
    assert not re.search(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|window\.\w+ = ", text
    )
    assert not re.findall(r"https?://(?!www\.w3\.org/)", text)
    for imported in re.findall(r'from "(\.[^"]+)"', text):
        assert file_at(normpath(join(dirname(url_of(path)), imported))).is_file(), imported


def test_the_page_keeps_the_policy() -> None:
    page = (STATIC / "index.html").read_text(encoding="utf-8")
    assert not re.search(r"\sstyle=|\son\w+=|<style|<script>|https?:", page)
    for name in re.findall(r'(?:href|src)="/static/([^"]+)"', page):
        assert file_at(name).is_file(), name
