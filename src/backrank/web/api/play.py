"""Play: the rules of a position by hand, and what can still become of it."""

from __future__ import annotations

from itertools import pairwise

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response

from backrank.geometry.pieces import move_graph
from backrank.geometry.verify import FaultKind, queens_faults, tour_faults
from backrank.web.answers import OutlookAnswer, QueensPositionTold, TourPositionTold
from backrank.web.api.solve import working
from backrank.web.models import QueensOutlookAsked, QueensPosition, TourOutlookAsked, TourPosition
from backrank.web.puzzles import faults_told, queens_of, tours_of
from backrank.web.state import of
from backrank.web.workers.outlooks import attacked_squares, next_squares

router = APIRouter(prefix="/api/play", tags=["play"])

# What is wrong before the path is complete; what is not there yet is not wrong yet.
_AT_ONCE = (FaultKind.REPEATED_SQUARE, FaultKind.NOT_A_MOVE, FaultKind.WRONG_START)


@router.post("/tour", response_model=TourPositionTold)
def tour(asked: TourPosition, request: Request) -> Response:
    """Return the legal squares of a path by hand, what is wrong with it, and whether it is a tour."""
    tours = tours_of(asked.puzzle, of(request).limits.play_squares, "playing")
    board = tours.board
    path = [board.square(square) for square in asked.path]
    visited, cells = set(path), list(map(board.cell, path))
    complete = len(visited) == len(board)
    graph = move_graph(board, tours.piece)
    legal = [
        {"square": square, "onward": sum(near not in visited for near in graph.neighbours(square))}
        for square in next_squares(tours, path)
    ]
    faults = tour_faults(board, cells, closed=tours.closed, start=tours.start, end=tours.end, piece=tours.piece)
    if not complete:
        faults = [fault for fault in faults if path and fault.kind in _AT_ONCE]
    is_path = len(visited) == len(path) and all(b in graph.neighbours(a) for a, b in pairwise(path))
    return JSONResponse(
        {
            "legal": legal,
            "visited": len(visited),
            "total": len(board),
            "stuck": not complete and not legal,
            "complete": complete,
            "solved": complete and not faults,
            "closable": complete and is_path and len(path) > 2 and path[0] in graph.neighbours(path[-1]),
            "faults": faults_told(faults[: of(request).limits.faults]),
        }
    )


@router.post("/queens", response_model=QueensPositionTold)
def queens(asked: QueensPosition, request: Request) -> Response:
    """Return the conflicts of queens placed by hand, and the squares that are free."""
    puzzle = queens_of(asked.puzzle, of(request).limits.play_squares, "playing")
    board = puzzle.board
    squares = sorted({board.square(square) for square in asked.queens})
    faults = queens_faults(board, list(map(board.cell, squares)), queens=len(squares), piece=puzzle.piece)
    attacked = attacked_squares(puzzle, squares)
    taken = {*attacked, *squares}
    free = [square for square in board if square not in taken]
    complete = len(squares) == puzzle.queens
    return JSONResponse(
        {
            "conflicts": faults_told(faults[: of(request).limits.faults]),
            "attacked": attacked,
            "free": free,
            "placed": len(squares),
            "wanted": puzzle.queens,
            "complete": complete,
            "solved": complete and not faults,
            "stuck": len(squares) < puzzle.queens and not free,
        }
    )


@router.post("/tour/outlook", response_model=OutlookAnswer)
async def tour_outlook(asked: TourOutlookAsked, request: Request) -> Response:
    """Say whether a path can still become a tour, in how many ways, and the same for each legal move."""
    seconds = min(asked.seconds, of(request).limits.outlook_seconds)
    return JSONResponse(await working(request, "tour_outlook", asked, seconds))


@router.post("/queens/outlook", response_model=OutlookAnswer)
async def queens_outlook(asked: QueensOutlookAsked, request: Request) -> Response:
    """Say whether queens can be completed, in how many ways, and how: a hint, or all of it."""
    seconds = min(asked.seconds, of(request).limits.outlook_seconds)
    return JSONResponse(await working(request, "queens_outlook", asked, seconds))
