"""Count: exact numbers in the background, with progress."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Header, Path, Query, Request
from fastapi.responses import JSONResponse, Response

from backrank.errors import InvalidPuzzle
from backrank.queens import Queens
from backrank.web.answers import CountAnswer, CountsAnswer
from backrank.web.limits import Limits
from backrank.web.models import CountAsked
from backrank.web.net.streams import stream
from backrank.web.puzzles import puzzle_of, told
from backrank.web.state import of

router = APIRouter(prefix="/api/counts", tags=["count"])

JOB = "^[cm][0-9]+$|^j[0-9a-f]+$"
JobName = Annotated[str, Path(max_length=20, pattern=JOB)]


@router.post(
    "",
    response_model=CountAnswer,
    status_code=201,
    responses={200: {"model": CountAnswer, "description": "It goes on"}},
)
async def begin(asked: CountAsked, request: Request) -> Response:
    """Begin a count; it goes on when nobody looks. If the same is there and not done, that one goes on."""
    state = of(request)
    puzzle = puzzle_of(asked.puzzle, state.limits.count_squares, "counting")
    what, options = _described(asked, puzzle, state.limits)
    pieces = puzzle.queens if isinstance(puzzle, Queens) else len(puzzle.board)
    body = {**asked.model_dump(mode="json"), "seconds": options["seconds"]}
    job, is_new = await state.jobs.add(what, told(puzzle), options, body, pieces)
    return JSONResponse(job.told(), 201 if is_new else 200, headers={"Location": f"/api/counts/{job.id}"})


@router.get("", response_model=CountsAnswer)
async def listing(request: Request) -> Response:
    """Return all counts that are remembered, the newest first, those of the ledger among them."""
    jobs = of(request).jobs
    await jobs.refresh()
    return JSONResponse({"jobs": [job.told() for job in jobs.newest()], "ledger": jobs.ledger_told()})


@router.get("/events", responses={200: {"content": {"text/event-stream": {"schema": {"type": "string"}}}}})
async def events(
    request: Request,
    job: Annotated[str | None, Query(max_length=20, pattern=JOB)] = None,
    last_event_id: Annotated[str | None, Header(max_length=20, pattern="^[0-9]*$")] = None,
) -> Response:
    """Stream what happens to all counts, or to one; with Last-Event-ID, what is newer than that."""
    state = of(request)
    if job is not None:
        state.jobs.get(job)
    return stream(state.jobs.follow(int(last_event_id or 0), job), state.streams)


@router.get("/{job}", response_model=CountAnswer)
async def one(job: JobName, request: Request) -> Response:
    """Return one count."""
    jobs = of(request).jobs
    await jobs.refresh()
    return JSONResponse(jobs.get(job).told())


@router.post("/{job}/cancel", response_model=CountAnswer)
async def cancel(job: JobName, request: Request) -> Response:
    """Stop a count, whoever is working on it; it stays in the list, and can go on. One that is done stays as it is."""
    jobs = of(request).jobs
    found = jobs.get(job)
    await jobs.cancel(found)
    return JSONResponse(found.told())


@router.post("/{job}/resume", response_model=CountAnswer)
async def resume(job: JobName, request: Request) -> Response:
    """Go on with a count that was paused or cancelled, here; what is recorded of it is not counted again."""
    jobs = of(request).jobs
    found = jobs.get(job)
    jobs.resume(found)
    return JSONResponse(found.told())


@router.delete("/{job}", status_code=204)
async def forget(job: JobName, request: Request) -> Response:
    """Stop a count, and forget it, in the ledger too."""
    jobs = of(request).jobs
    await jobs.forget(jobs.get(job))
    return Response(status_code=204)


def _described(asked: CountAsked, puzzle: Any, limits: Limits) -> tuple[str, dict[str, Any]]:
    """Return a count in words, those of the command line, and its options."""
    seconds = None if asked.seconds is None else min(asked.seconds, limits.count_seconds)
    options = {
        "directed": asked.directed,
        "up_to_symmetry": asked.up_to_symmetry,
        "symmetry": asked.symmetry,
        "strictly_open": asked.strictly_open,
        "method": asked.method,
        "seconds": seconds,
    }
    turned = f", unchanged when the board is turned by {asked.symmetry}°" if asked.symmetry else ""
    tail = f"{turned}{', up to symmetry' if asked.up_to_symmetry else ''}"
    if isinstance(puzzle, Queens):
        if asked.directed is not None:
            raise InvalidPuzzle("placements have no direction; leave out directed")
        if asked.strictly_open:
            raise InvalidPuzzle("placements have no ends; leave out strictly_open")
        return f"placements of {puzzle.queens} {puzzle.piece}s on {puzzle.board}{tail}", options
    options["directed"] = not puzzle.closed if asked.directed is None else asked.directed
    ring = "closed" if puzzle.closed else "strictly open" if asked.strictly_open else "open"
    kind = f"{'directed' if options['directed'] else 'undirected'} {ring}"
    name = puzzle.board.name
    ends = "".join(f" {word} {name(at)}" for word, at in (("from", puzzle.start), ("to", puzzle.end)) if at is not None)
    movers = "" if puzzle.piece.name == "knight" else f" of the {puzzle.piece}"
    return f"{kind} tours{movers} on {puzzle.board}{ends}{tail}", options
