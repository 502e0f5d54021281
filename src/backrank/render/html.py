"""Animated boards: one HTML file that plays a finished tour or a recorded search, offline and with nothing beside it.

The page itself, its style sheets, its scripts and its texts are files under `static/`; here they are put together
with the data. The look of boards and the modules that draw them, `static/board/`, are those of the web app. The data
stands in the page as JSON in which no `<` is left, so that no text in it can end the element it stands in; the
scripts then put texts on the page as text, never as markup.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from functools import cache
from pkgutil import get_data
from typing import Any

from backrank.errors import UnknownName
from backrank.geometry.board import Board
from backrank.geometry.pieces import KNIGHT, QUEEN, Piece, piece_named
from backrank.render.modules import joined
from backrank.render.runs import Row, encode_run, tour_rows
from backrank.render.sheet import escape

MAX_PAGE_SQUARES = 250_000
LANGUAGES = ("en", "zh")
RUN_KINDS = ("tour", "queens")
COUNTERS = ("events", "calls", "backtracks", "rejects", "solutions", "depth", "deepest")
ENTRY = "player.js"
STYLES = ("board/board.css", "player.css")


def tour_html(
    board: Board,
    squares: Iterable[int],
    *,
    closed: bool = False,
    title: str | None = None,
    piece: Piece = KNIGHT,
    language: str = "en",
) -> str:
    """Return a page that walks a tour, step by step.

    Parameters
    ----------
    board : Board
    squares : iterable of int
        The squares in the order of the steps; not all squares need be among them.
    closed : bool
        Whether the tour ends with a dashed line back to the first square.
    title : str, optional
        The heading of the page; what it shows if not given.
    piece : Piece
        The piece that walks.
    language : {"en", "zh"}
        The language in which the page opens; it can be changed there.

    Raises
    ------
    InvalidSquare
        If a square is off the board or a hole.
    BoardTooLarge
        On more than 250,000 squares.
    UnknownName
        If there is no such language.

    Examples
    --------
    >>> page = tour_html(Board(3, 4), [0, 6, 8, 1, 7, 9, 2, 4, 10, 3, 5, 11], title="Three by four")
    >>> page.startswith("<!doctype html>"), page.count("<title>Three by four</title>")
    (True, 1)
    """
    board.require_at_most(MAX_PAGE_SQUARES, "an animated page")
    walked = list(squares)
    data = {
        "mode": "walk",
        "kind": "tour",
        "closed": closed and len(walked) > 2,
        "whole": len(walked) == len(board),
        "run": encode_run(board, tour_rows(walked)).to_dict(),
    }
    return _page(board, piece, data, title, language)


def run_html(
    board: Board,
    events: Iterable[Row],
    *,
    kind: str = "tour",
    piece_name: str | None = None,
    strategy: str = "",
    totals: Mapping[str, int] | None = None,
    truncated: bool = False,
    closed: bool = False,
    title: str | None = None,
    language: str = "en",
) -> str:
    """Return a page that plays a recorded search, forwards and backwards.

    Parameters
    ----------
    board : Board
    events : iterable of (kind, square, depth, why)
        From the first event on. The kind is "enter", "leave", "reject" or "solution", the depth the number of
        pieces on the board after the event, and `why` a sentence such as "same column as queen on a4", or empty.
    kind : {"tour", "queens"}
        Whether the pieces on the board are the way of one piece, or each stands for itself.
    piece_name : str, optional
        The piece; knight for tours and queen for queens if not given.
    strategy : str
        The name of the strategy, to be shown.
    totals : mapping, optional
        The counters of the whole search: events, calls, backtracks, rejects, solutions, deepest. Those of the last
        event if not given and the recording is complete.
    truncated : bool
        Whether the search went on after the last event.
    closed : bool
        Whether the tours are closed, so that a solution gets a dashed line back to the first square.
    title : str, optional
        The heading of the page; what it shows if not given.
    language : {"en", "zh"}
        The language in which the page opens; it can be changed there.

    Raises
    ------
    InvalidRun
        If an event cannot follow those before it.
    InvalidSquare
        If a square is off the board or a hole.
    BoardTooLarge
        On more than 250,000 squares.
    UnknownName
        If there is no such kind or language.

    Examples
    --------
    >>> events = [("enter", 0, 1, ""), ("reject", 4, 1, "same column as queen on a4"), ("enter", 6, 2, "")]
    >>> page = run_html(Board(4), events, kind="queens", strategy="rows", truncated=True)
    >>> encode_run(Board(4), events).code in page
    True
    """
    board.require_at_most(MAX_PAGE_SQUARES, "an animated page")
    if kind not in RUN_KINDS:
        raise UnknownName("kind of run", kind, RUN_KINDS)
    name = piece_name or ("queen" if kind == "queens" else "knight")
    data = {
        "mode": "search",
        "kind": kind,
        "closed": closed,
        "strategy": strategy,
        "totals": {key: value for key, value in (totals or {}).items() if key in COUNTERS},
        "truncated": truncated,
        "run": encode_run(board, events).to_dict(),
    }
    return _page(board, _piece(name), data, title, language)


def _piece(name: str) -> Piece:
    """Return the piece of a name; a name that nobody has heard of gets a piece without moves, which is only drawn."""
    try:
        return piece_named(name)
    except UnknownName:
        return Piece(name, ())


def _page(board: Board, piece: Piece, data: dict[str, Any], title: str | None, language: str) -> str:
    """Put the page together."""
    if language not in LANGUAGES:
        raise UnknownName("language", language, LANGUAGES)
    texts = json.loads(_static("texts.json"))
    data |= {
        "title": title,
        "language": language,
        "board": {"rows": board.rows, "cols": board.cols, "holes": sorted(board.holes), "wrap": board.wrap},
        "piece": {"name": piece.name, "steps": piece.steps, "slides": piece.slides, "shape": _shape(piece)},
        "texts": texts,
    }
    named = texts[language]["title_" + data["mode" if data["mode"] == "walk" else "kind"]]
    spoken = texts[language].get(f"piece.{piece.name}", piece.name)
    parts = {
        "language": language,
        "title": escape(title if title is not None else named.format(size=f"{board.rows}×{board.cols}", piece=spoken)),
        "style": "".join(map(_static, STYLES)),
        "data": _json(data),
        "script": _script(),
    }
    # In one pass: what has been put in is not looked at again.
    return re.sub(r"\{\{(\w+)\}\}", lambda match: parts[match[1]], _static("player.html"))


def _shape(piece: Piece) -> str:
    """Return the name of the outline of a piece in `board/look.js`; leapers are drawn as knights."""
    if piece.name == QUEEN.name:
        return "queen"
    return "horse" if piece.steps and not piece.slides and piece.name != "king" else "pawn"


def _json(data: object) -> str:
    """Return JSON that can stand in an element: it holds no `<`, `>` or `&`, and is ASCII."""
    text = json.dumps(data, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


@cache
def _script() -> str:
    return joined(ENTRY, _static)


@cache
def _static(name: str) -> str:
    data = get_data("backrank.render", f"static/{name}")
    if data is None:  # pragma: no cover - only a loader that keeps no files has none
        raise FileNotFoundError(f"static/{name} is not installed with backrank.render")
    return data.decode()
