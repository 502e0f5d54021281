"""What workers do: solve, look ahead, check, draw, count. Plain data in, plain data out."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from backrank.errors import BoardTooLarge, InvalidPuzzle, UnknownName
from backrank.geometry.board import Board
from backrank.queens import Queens
from backrank.queens.solve.completion import complete
from backrank.tours import KnightTours
from backrank.web.limits import Limits
from backrank.web.models import (
    CheckAsked,
    ExportAsked,
    QueensOutlookAsked,
    QueensPuzzle,
    SolveAsked,
    TourOutlookAsked,
    TourPuzzle,
)
from backrank.web.puzzles import faults_told, puzzle_of, queens_of, told, tours_of
from backrank.web.sayings import with_code
from backrank.web.workers import outlooks
from backrank.web.workers.counting import count

if TYPE_CHECKING:
    from backrank.formats import PlacementClaim, TourClaim
    from backrank.geometry.pieces import Piece
    from backrank.web.workers.context import WorkContext

LIMITS = Limits()
MAX_DRAWN = 40_000
TOUR_PICTURES, QUEENS_PICTURES = ("svg", "png", "html"), ("svg", "png")
LANGUAGES = ("en", "zh")
_TYPES = {
    "svg": ("image/svg+xml", "svg"),
    "png": ("image/png", "png"),
    "html": ("text/html; charset=utf-8", "html"),
    "json": ("application/json", "json"),
    "csv": ("text/csv; charset=utf-8", "csv"),
}
_TEXT = ("text/plain; charset=utf-8", "txt")


def solve(asked: Any, context: WorkContext) -> dict[str, Any]:
    """Look for one answer."""
    wish = SolveAsked.model_validate(asked)
    budget = context.budget(min(wish.seconds, LIMITS.solve_seconds), wish.calls)
    if isinstance(wish.puzzle, QueensPuzzle):
        queens = queens_of(wish.puzzle, LIMITS.solve_squares, "solving")
        if wish.seed is not None:
            raise InvalidPuzzle("queens have no seed of their own; choose the strategy random:SEED")
        if wish.order != "row-major":
            raise InvalidPuzzle("a move order is for tours; leave it out for queens")
        placed = queens.search(strategy=wish.strategy, budget=budget)
        found = None if placed.placement is None else list(placed.placement.squares)
        return {**_cost(placed), "puzzle": told(queens), "squares": found, "closable": False}
    tours = tours_of(wish.puzzle, LIMITS.solve_squares, "solving")
    result = tours.search(strategy=wish.strategy, order=wish.order, rng=wish.seed, budget=budget)
    squares = None if result.tour is None else list(result.tour.squares)
    closable = result.tour is not None and result.tour.is_closable
    return {**_cost(result), "puzzle": told(tours), "squares": squares, "closable": closable}


def _cost(result: Any) -> dict[str, Any]:
    found = result.placement if hasattr(result, "placement") else result.tour
    numbers = {field: getattr(result, field) for field in ("reason", "strategy", "calls", "backtracks")}
    return {"solvable": found is not None, **numbers, **with_code(result.reason), "seconds": round(result.seconds, 6)}


def tour_outlook(asked: Any, context: WorkContext) -> dict[str, Any]:
    """Tell whether a path by hand can become a tour."""
    wish = TourOutlookAsked.model_validate(asked)
    tours = tours_of(wish.puzzle, LIMITS.play_squares, "playing")
    seconds = min(wish.seconds, LIMITS.outlook_seconds)
    return outlooks.tour_outlook(tours, wish.path, seconds, ways=wish.ways, moves=wish.moves, context=context)


def queens_outlook(asked: Any, context: WorkContext) -> dict[str, Any]:
    """Tell whether queens placed by hand can be completed."""
    wish = QueensOutlookAsked.model_validate(asked)
    queens = queens_of(wish.puzzle, LIMITS.play_squares, "playing")
    seconds = min(wish.seconds, LIMITS.outlook_seconds)
    return outlooks.queens_outlook(queens, wish.queens, seconds, ways=wish.ways, context=context)


def check(asked: Any, context: WorkContext) -> dict[str, Any]:  # noqa: ARG001 - every task has a context
    """Name every fault of what somebody claims."""
    wish = CheckAsked.model_validate(asked)
    claims = _claims(wish)
    shown: list[dict[str, Any]] = []
    room = LIMITS.told_entries
    for number, claim in enumerate(claims[: LIMITS.claims], 1):
        verdict = _verdict(claim, wish, number)
        room -= _entries(verdict)
        if shown and room < 0:
            break
        shown.append(verdict)
    return {"claims": shown, "total": len(claims)}


def _entries(verdict: Mapping[str, Any]) -> int:
    """Return how many numbers a verdict holds, roughly: what makes an answer large."""
    faults = sum(8 + len(fault["cells"]) + len(fault["steps"]) for fault in verdict["faults"])
    numbers = len(verdict["board"]["holes"]) + len(verdict["cells"]) + len(verdict["squares"] or ())
    return faults + numbers + sum(map(len, verdict["grid"] or ()))


def _claims(wish: CheckAsked) -> Sequence[TourClaim | PlacementClaim]:
    from backrank.formats import parse_placements, parse_tours  # noqa: PLC0415 - most work needs no formats

    def read(board: Board | None) -> Sequence[TourClaim | PlacementClaim]:
        if wish.kind == "tour":
            return list(parse_tours(wish.text, board=board, form=wish.form))
        return list(parse_placements(wish.text, board=board, form=wish.form))

    if wish.board is not None:
        size = Board.parse(wish.board)
        size.require_at_most(LIMITS.solve_squares, "checking")
        return read(Board(size.rows, size.cols, holes=wish.holes, wrap=wish.wrap))
    claims = read(None)
    if wish.holes or wish.wrap != "none":
        own = claims[0].board
        more = Board(own.rows, own.cols, holes=wish.holes).holes
        claims = read(Board(own.rows, own.cols, holes=own.holes | more, wrap=wish.wrap))
    return claims


def _verdict(claim: TourClaim | PlacementClaim, wish: CheckAsked, number: int) -> dict[str, Any]:
    from backrank.formats import TourClaim  # noqa: PLC0415 - most work needs no formats

    if isinstance(claim, TourClaim):
        return _tour_verdict(claim, wish, number)
    if wish.piece is not None and wish.piece not in ("queen", "amazon"):
        raise UnknownName("piece", wish.piece, ("queen", "amazon"))
    faults = claim.faults(queens=wish.queens, piece=wish.piece)
    what = f"placement of {len(claim.cells)} queens on {claim.board}"
    return _told_verdict(claim, number, what, faults, None)


def _tour_verdict(claim: TourClaim, wish: CheckAsked, number: int) -> dict[str, Any]:
    from backrank.geometry.pieces import KNIGHT, piece_named  # noqa: PLC0415 - most work names no piece

    piece: Piece = piece_named(wish.piece) if wish.piece else claim.piece or KNIGHT
    start = None if wish.start is None else claim.board.square(wish.start)
    end = None if wish.end is None else claim.board.square(wish.end)
    closed = wish.closed or bool(claim.closed)
    faults = claim.faults(closed=closed, start=start, end=end, piece=piece)
    facts = None
    if wish.facts and not faults:
        from backrank.tours.analysis.facts import tour_facts  # noqa: PLC0415 - seldom wanted

        facts = tour_facts(claim.board, claim.squares(), closed=closed, piece=piece).as_dict()
    what = f"{'closed' if closed else 'open'} tour of {claim.board}"
    return _told_verdict(claim, number, what, faults, facts)


def _told_verdict(
    claim: TourClaim | PlacementClaim, number: int, what: str, faults: list[Any], facts: dict[str, Any] | None
) -> dict[str, Any]:
    board, grid = claim.board, getattr(claim, "grid", None)
    try:
        squares = list(claim.squares())
    except ValueError:
        squares = None  # the order of the squares cannot be read off; the faults say why
    return {
        "number": number,
        "valid": not faults,
        "what": what,
        "notes": [{"text": note, **with_code(note)} for note in claim.notes],
        "board": {"rows": board.rows, "cols": board.cols, "holes": sorted(board.holes), "wrap": board.wrap},
        "squares": squares,
        "cells": [list(cell) for cell in claim.cells],
        "grid": None if grid is None else [list(row) for row in grid],
        "faults": faults_told(faults[: LIMITS.faults]),
        "faults_total": len(faults),
        "facts": facts,
    }


def export(asked: Any, context: WorkContext) -> dict[str, Any]:  # noqa: ARG001 - every task has a context
    """Make a file of an answer."""
    wish = ExportAsked.model_validate(asked)
    puzzle = puzzle_of(wish.puzzle, LIMITS.solve_squares, "drawing")
    if wish.size is not None and wish.form != "png":
        raise InvalidPuzzle(f"a size is for PNG; a picture as {wish.form} has no number of pixels")
    if wish.form == "svg" and puzzle.board.size > MAX_DRAWN:
        raise BoardTooLarge(f"the {puzzle.board} board has {puzzle.board.size:,} squares, an SVG is for {MAX_DRAWN:,}")
    drawn = _drawn_tour(puzzle, wish) if isinstance(puzzle, KnightTours) else _drawn_queens(puzzle, wish)
    media, suffix = _TYPES.get(wish.form, _TEXT)
    board = puzzle.board
    name = f"{'tour' if wish.puzzle.kind == 'tour' else 'queens'}-{board.rows}x{board.cols}.{suffix}"
    data = drawn if isinstance(drawn, bytes) else (drawn.rstrip("\n") + "\n").encode()
    return {"media": media, "name": name, "data": base64.b64encode(data).decode("ascii")}


def _drawn_tour(tours: KnightTours, wish: ExportAsked) -> str | bytes:
    from backrank.formats import TOUR_FORMS  # noqa: PLC0415 - most work needs no formats

    if wish.form not in (*TOUR_PICTURES, *TOUR_FORMS):
        raise UnknownName("format", wish.form, (*TOUR_PICTURES, *TOUR_FORMS))
    if wish.language not in LANGUAGES:
        raise UnknownName("language", wish.language, LANGUAGES)
    tour = tours.tour(wish.squares)
    if wish.form == "svg":
        return tour.svg(numbers=wish.numbers)
    if wish.form == "png":
        return tour.png(numbers=wish.numbers, size=wish.size)
    return tour.html(language=wish.language) if wish.form == "html" else tour.text(wish.form)


def _drawn_queens(queens: Queens, wish: ExportAsked) -> str | bytes:
    from backrank import render  # noqa: PLC0415 - most work draws nothing
    from backrank.formats import PLACEMENT_FORMS, format_placement  # noqa: PLC0415

    if wish.form not in (*QUEENS_PICTURES, *PLACEMENT_FORMS):
        raise UnknownName("format", wish.form, (*QUEENS_PICTURES, *PLACEMENT_FORMS))
    board = queens.board
    squares = sorted({board.square(square) for square in wish.squares})
    if wish.form == "svg":
        return render.queens_svg(board, squares, attacks=True)
    if wish.form == "png":
        return render.queens_png(board, squares, attacks=True, size=wish.size)
    return format_placement(board, tuple(squares), wish.form, wanted=queens.queens, piece=queens.piece)


def warm(asked: Any, context: WorkContext) -> dict[str, Any]:  # noqa: ARG001 - every task has them
    """Load what is compiled, so that nobody waits for it later."""
    tours_of(TourPuzzle(kind="tour", board="12x12", holes=["f6", "g6"]), 144, "warming").solve()
    tours_of(TourPuzzle(kind="tour", board="6x8", start="a1"), 48, "warming").count()
    tours_of(TourPuzzle(kind="tour", board="6x6", closed=True), 36, "warming").completions(["a1", "b3"])
    complete(Board(10), ["a1"])
    return {}


TASKS: Mapping[str, Callable[[Any, WorkContext], dict[str, Any]]] = {
    "solve": solve,
    "tour_outlook": tour_outlook,
    "queens_outlook": queens_outlook,
    "count": count,
    "check": check,
    "export": export,
    "warm": warm,
}
