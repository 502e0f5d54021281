"""Count: exact numbers in the background, with progress."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Header, Path, Query, Request
from fastapi.responses import JSONResponse, Response

from backrank.errors import InvalidPuzzle
from backrank.queens import Queens
from backrank.web.answers import Job, Jobs
from backrank.web.limits import Limits
from backrank.web.models import CountAsked
from backrank.web.puzzles import puzzle_of, told
from backrank.web.state import of
from backrank.web.streams import stream

router = APIRouter(prefix="/api/counts", tags=["count"])

JobName = Annotated[str, Path(max_length=20, pattern="^c[0-9]+$")]


@router.post("", response_model=Job, status_code=201)
async def begin(asked: CountAsked, request: Request) -> Response:
    """Begin a count; it goes on when nobody looks."""
    state = of(request)
    puzzle = puzzle_of(asked.puzzle, state.limits.count_squares, "counting")
    what, options = _described(asked, puzzle, state.limits)
    pieces = puzzle.queens if isinstance(puzzle, Queens) else len(puzzle.board)
    body = {**asked.model_dump(mode="json"), "seconds": options["seconds"]}
    job = state.jobs.add(what, told(puzzle), options, body, pieces)
    return JSONResponse(job.told(), 201, headers={"Location": f"/api/counts/{job.id}"})


@router.get("", response_model=Jobs)
async def listing(request: Request) -> Response:
    """Return all counts that are remembered, the newest first."""
    return JSONResponse({"jobs": [job.told() for job in of(request).jobs.list()]})


@router.get("/events", responses={200: {"content": {"text/event-stream": {"schema": {"type": "string"}}}}})
async def events(
    request: Request,
    job: Annotated[str | None, Query(max_length=20, pattern="^c[0-9]+$")] = None,
    last_event_id: Annotated[str | None, Header(max_length=20, pattern="^[0-9]*$")] = None,
) -> Response:
    """Stream what happens to all counts, or to one; with Last-Event-ID, what is newer than that."""
    state = of(request)
    if job is not None:
        state.jobs.get(job)
    return stream(state.jobs.follow(int(last_event_id or 0), job), state.streams)


@router.get("/{job}", response_model=Job)
async def one(job: JobName, request: Request) -> Response:
    """Return one count."""
    return JSONResponse(of(request).jobs.get(job).told())


@router.post("/{job}/cancel", response_model=Job)
async def cancel(job: JobName, request: Request) -> Response:
    """End a count; it stays in the list. One that has ended stays as it is."""
    jobs = of(request).jobs
    found = jobs.get(job)
    jobs.cancel(found)
    return JSONResponse(found.told())


@router.delete("/{job}", status_code=204)
async def forget(job: JobName, request: Request) -> Response:
    """End a count, and forget it."""
    jobs = of(request).jobs
    jobs.forget(jobs.get(job))
    return Response(status_code=204)


def _described(asked: CountAsked, puzzle: Any, limits: Limits) -> tuple[str, dict[str, Any]]:
    """Return a count in words, those of the command line, and its options."""
    seconds = None if asked.seconds is None else min(asked.seconds, limits.count_seconds)
    options = {
        "directed": asked.directed,
        "up_to_symmetry": asked.up_to_symmetry,
        "symmetry": asked.symmetry,
        "method": asked.method,
        "seconds": seconds,
    }
    tail = ", up to symmetry" if asked.up_to_symmetry else ""
    if isinstance(puzzle, Queens):
        if asked.directed is not None:
            raise InvalidPuzzle("placements have no direction; leave out directed")
        turned = f", unchanged when the board is turned by {asked.symmetry}°" if asked.symmetry else ""
        return f"placements of {puzzle.queens} {puzzle.piece}s on {puzzle.board}{turned}{tail}", options
    if asked.symmetry is not None:
        raise InvalidPuzzle("a symmetry is for queens; leave it out for tours")
    options["directed"] = not puzzle.closed if asked.directed is None else asked.directed
    kind = f"{'directed' if options['directed'] else 'undirected'} {'closed' if puzzle.closed else 'open'}"
    name = puzzle.board.name
    ends = "".join(f" {word} {name(at)}" for word, at in (("from", puzzle.start), ("to", puzzle.end)) if at is not None)
    movers = "" if puzzle.piece.name == "knight" else f" of the {puzzle.piece}"
    return f"{kind} tours{movers} on {puzzle.board}{ends}{tail}", options
