"""What the server knows and allows, and the geometry of a board."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response

from backrank._version import __version__
from backrank.formats import PLACEMENT_FORMS, TOUR_FORMS
from backrank.geometry.board import WRAPS
from backrank.geometry.pieces import KNIGHT, move_graph, piece_named, queen_lines
from backrank.geometry.verify import PLACED_PIECES
from backrank.queens import Queens
from backrank.search import ORDERS, QUEENS_STRATEGIES, TOUR_STRATEGIES
from backrank.search.strategies.queens import random_queens_strategy
from backrank.search.strategies.tours import random_tour_strategy
from backrank.tours import KnightTours
from backrank.web.answers import BoardTold, ExistenceAnswer, Meta
from backrank.web.models import AnyPuzzle
from backrank.web.puzzles import puzzle_of, told
from backrank.web.sayings import with_code
from backrank.web.state import of
from backrank.web.workers.tasks import LANGUAGES, QUEENS_PICTURES, TOUR_PICTURES

router = APIRouter(prefix="/api", tags=["boards"])

LEAPERS = ("knight", "camel", "zebra", "giraffe", "antelope", "wazir", "king")


@router.get("/meta", response_model=Meta)
def meta(request: Request) -> Response:
    """Return the strategies, orders, pieces, formats and limits of this server."""
    told_meta = {
        "version": __version__,
        "strategies": {"tour": _tour_strategies(), "queens": _queens_strategies()},
        "orders": {name: [list(step) for step in steps] for name, steps in ORDERS.items()},
        "pieces": {"tour": list(LEAPERS), "queens": list(PLACED_PIECES)},
        "steps": {name: [list(step) for step in piece_named(name).steps] for name in LEAPERS},
        "wraps": list(WRAPS),
        "formats": {"tour": list(TOUR_FORMS), "queens": list(PLACEMENT_FORMS)},
        "exports": {"tour": [*TOUR_PICTURES, *TOUR_FORMS], "queens": [*QUEENS_PICTURES, *PLACEMENT_FORMS]},
        "languages": list(LANGUAGES),
        "limits": asdict(of(request).limits),
    }
    return JSONResponse(told_meta)


def _tour_strategies() -> list[dict[str, Any]]:
    rules = [(name, rule.idea, False) for name, rule in TOUR_STRATEGIES.items()]
    rules.append(("random", random_tour_strategy(0).idea, True))
    return [
        {"name": name, "idea": idea, "takes_order": not seeded, "takes_prune": True, "takes_seed": seeded}
        for name, idea, seeded in rules
    ]


def _queens_strategies() -> list[dict[str, Any]]:
    rules = [(name, rule.idea, False) for name, rule in QUEENS_STRATEGIES.items()]
    rules.append(("random", random_queens_strategy(0).idea, True))
    return [
        {"name": name, "idea": idea, "takes_order": False, "takes_prune": False, "takes_seed": seeded}
        for name, idea, seeded in rules
    ]


@router.post("/board", response_model=BoardTold)
def board(asked: AnyPuzzle, request: Request) -> Response:
    """Return the moves on a board, or the lines that queens see along, to play without asking again."""
    puzzle = puzzle_of(asked.puzzle, of(request).limits.play_squares, "playing")
    where = puzzle.board
    piece = puzzle.piece if isinstance(puzzle, KnightTours) else KNIGHT if puzzle.piece == "amazon" else None
    neighbours = None if piece is None else [list(near) for near in move_graph(where, piece).adjacency()]
    lines = [list(queen_lines(where, where.cell(square))) for square in range(where.size)]
    return JSONResponse(
        {
            "puzzle": told(puzzle),
            "neighbours": neighbours,
            "lines": None if isinstance(puzzle, KnightTours) else lines,
            "existence": _existence(puzzle),
        }
    )


@router.post("/existence", response_model=ExistenceAnswer)
def existence(asked: AnyPuzzle, request: Request) -> Response:
    """Say whether there is an answer, as far as theorems tell, and why."""
    return JSONResponse(_existence(puzzle_of(asked.puzzle, of(request).limits.solve_squares, "solving")))


def _existence(puzzle: KnightTours | Queens) -> dict[str, Any]:
    known = puzzle.existence()
    return {"answer": known.answer, "reason": known.reason, **with_code(known.reason)}
