"""Watch: moments, windows of events, jumps, and long runs as a stream."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Header, Query, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from pydantic import ValidationError

from backrank.errors import BudgetExceeded
from backrank.geometry.board import Board
from backrank.runtime.budget import Budget
from backrank.search import Cursor, EventKind, SearchPaused, advance, read_cursor
from backrank.search import run as run_on
from backrank.web.answers import Jump, MomentAnswer, Window
from backrank.web.models import EventInAddress, JumpAsked, MomentAsked, RunRequest, WindowAsked
from backrank.web.net.streams import Message, stream
from backrank.web.problems import problem_of, trouble
from backrank.web.puzzles import event_told, searched
from backrank.web.state import State, of, warm_engine
from backrank.web.watch.moments import moment_told
from backrank.web.watch.traces import KeptTrace

router = APIRouter(prefix="/api/watch", tags=["watch"])

SLICE = Budget(seconds=0.1)
_CHUNK = 512
_STEP_EVENTS, _STEP_SQUARES, _STEP_SECONDS = 64, 256, 0.5
_FRAMES = 4
_MAX_RUN = 60_000


@router.post("/moment", response_model=MomentAnswer)
async def moment(asked: MomentAsked, request: Request) -> Response:
    """Return the board, the candidates, the stack and the counters after so many events."""
    if asked.cursor is not None and _is_step(asked, asked.cursor):
        # Less than a millisecond of work: handing it to a thread, and the interpreter lock with it, takes longer.
        state = of(request)
        what = searched(asked.run, state.limits.watch_squares)
        given = read_cursor(asked.cursor, space=what.space, strategy=what.strategy)
        cursor = run_on(given, events=asked.event - given.event, budget=Budget(seconds=_STEP_SECONDS))
        return JSONResponse(_told(state.traces.of(what), cursor, asked.levels))
    return await run_in_threadpool(_sought, asked, request)


def _sought(asked: MomentAsked, request: Request) -> Response:
    with _opened(asked.run, asked.cursor, request) as (watched, given, budget):
        cursor = watched.at(asked.event, given, budget)
        return JSONResponse(_told(watched, cursor, asked.levels))


def _is_step(asked: MomentAsked, cursor: dict[str, Any]) -> bool:
    """Whether a moment is a few events from the cursor that came along, on a small board."""
    event = cursor.get("event")
    is_near = isinstance(event, int) and 0 <= asked.event - event <= _STEP_EVENTS
    return is_near and Board.parse(asked.run.puzzle.board).size <= _STEP_SQUARES


@router.post("/window", response_model=Window)
def window(asked: WindowAsked, request: Request) -> Response:
    """Return some events, and the moments at both ends of them."""
    with _opened(asked.run, asked.cursor, request) as (watched, given, budget):
        cursor = watched.at(asked.first, given, budget)
        events, after = advance(cursor, asked.count)
        told = {
            "moment": _told(watched, cursor, asked.levels),
            "events": list(map(event_told, events)),
            "end": _told(watched, after, asked.levels),
        }
        return JSONResponse(told)


@router.post("/jump", response_model=Jump)
def jump(asked: JumpAsked, request: Request) -> Response:
    """Return the moment just after the next, or the previous, event of some kind."""
    with _opened(asked.run, asked.cursor, request) as (watched, given, budget):
        found = _jump(watched, asked, given, budget)
        cursor = watched.at(asked.event, given, budget) if found is None else found
        return JSONResponse({"found": found is not None, "moment": _told(watched, cursor, asked.levels)})


def _jump(watched: KeptTrace, asked: JumpAsked, given: Cursor | None, budget: Budget) -> Cursor | None:
    """Return the cursor just after the event that was asked for, if there is one."""
    trace, here = watched.trace, asked.event
    if asked.to == "end":
        return trace.reached if trace.total is not None else trace.run(budget=budget)
    if asked.to == "next-backtrack":
        return _next_backtrack(watched.at(here, given, budget), budget)
    if asked.to == "next-solution":
        watched.visit(here, budget)
        event = trace.next_solution(min(here, watched.known), budget=budget)
    else:
        watched.visit(here, budget)
        known = min(here, watched.known)
        # The moment shown is the one after an event: the one before it is meant, not itself.
        before = max(0, known - 1)
        event = trace.previous_solution(before) if asked.to == "previous-solution" else trace.previous_backtrack(before)
    return None if event is None else watched.at(event + 1, None, budget)


def _next_backtrack(cursor: Cursor, budget: Budget) -> Cursor | None:
    meter = budget.start()
    while not cursor.done:
        events, after = advance(cursor, _CHUNK)
        for number, event in enumerate(events, 1):
            if event.kind is EventKind.LEAVE:
                return advance(cursor, number)[1]
        meter.tick(after.calls)
        cursor = after
    return None


def _told(watched: KeptTrace, cursor: Cursor, levels: int) -> dict[str, Any]:
    return moment_told(cursor, levels, total=watched.trace.total, known=watched.known)


@contextmanager
def _opened(
    asked: RunRequest, saved: dict[str, Any] | None, request: Request
) -> Iterator[tuple[KeptTrace, Cursor | None, Budget]]:
    """Open a run for one request, with the cursor it brought along and the time it may take."""
    state = of(request)
    what = searched(asked, state.limits.watch_squares)
    given = None if saved is None else read_cursor(saved, space=what.space, strategy=what.strategy)
    watched = state.traces.of(what)
    with watched.lock:
        try:
            yield watched, given, Budget(seconds=state.limits.watch_seconds)
        except BudgetExceeded as error:
            raise watched.too_far(error) from None


@router.get("/stream", responses={200: {"content": {"text/event-stream": {"schema": {"type": "string"}}}}})
async def follow(
    request: Request,
    run: Annotated[str, Query(max_length=_MAX_RUN, description="a run, as JSON")],
    until: Literal["solution", "end", "event"] = "solution",
    event: EventInAddress = 0,
    origin: Annotated[EventInAddress, Query(alias="from")] = 0,
    last_event_id: Annotated[str | None, Header(max_length=20, pattern="^[0-9]*$")] = None,
) -> Response:
    """Run at full speed to the next solution, the end, or a moment; tell how it goes ten times a second."""
    state = of(request)
    asked = _run_of(run)
    what = await run_in_threadpool(searched, asked, state.limits.watch_squares)
    goal = _Goal(until, event, origin)
    # What a broken connection had got to has been visited here too, unless it was forgotten: then it is run again.
    follower = _Follower(state, state.traces.of(what), goal, sent=int(last_event_id or 0))
    return stream(follower.messages(), state.searches)


def _run_of(text: str) -> RunRequest:
    try:
        return RunRequest.model_validate(json.loads(text))
    except ValidationError as error:
        errors = [{**each, "loc": ("run", *each["loc"])} for each in error.errors(include_url=False)]
        raise RequestValidationError(errors) from None
    except (ValueError, RecursionError):
        raise trouble("invalid-request", "run: this is not JSON", errors=[]) from None


class _Goal:
    """Where a stream ends: after a moment, at the next solution after one, or with the run."""

    def __init__(self, until: str, event: int, origin: int) -> None:
        self.until, self.event, self.origin = until, event, origin


class _Follower:
    """A run at full speed, in slices, so that others get at it in between."""

    def __init__(self, state: State, watched: KeptTrace, goal: _Goal, *, sent: int) -> None:
        self.state, self.watched, self.goal = state, watched, goal
        self.sent = sent
        self.began = time.monotonic()
        self.first_calls = -1

    async def messages(self) -> AsyncIterator[Message]:
        """Yield what to send: progress, and at last what was found."""
        try:
            await run_in_threadpool(warm_engine)
            while not await run_in_threadpool(self._slice):
                if self.state.closing:
                    return
                self._keep_limit()
                yield await run_in_threadpool(self._progress)
            yield await run_in_threadpool(self._progress)
            found = await run_in_threadpool(self._found)
            yield Message("end" if found is None else "found", self._end() if found is None else found)
        except Exception as error:  # the answer has begun: an error can only be a message
            yield Message("problem", problem_of(error))

    def _keep_limit(self) -> None:
        most = self.state.limits.stream_seconds
        if time.monotonic() - self.began > most:
            raise trouble("budget-exceeded", f"the time limit of {most:g} s was reached; what was reached is kept")

    def _slice(self) -> bool:
        """Run on for a tenth of a second; return whether there is nothing more to run."""
        trace, goal = self.watched.trace, self.goal
        with self.watched.lock:
            if self.first_calls < 0:
                self.first_calls = trace.reached.calls
            try:
                if trace.total is None and (missing := self._missing(trace.reached)):
                    trace.run(events=missing, budget=SLICE)
                if goal.until == "end" and trace.total is None:
                    trace.run(budget=SLICE)
                elif goal.until == "solution" and trace.total is None:
                    trace.next_solution(goal.origin, budget=SLICE)
            except SearchPaused:
                return False
        return True

    def _missing(self, reached: Cursor) -> int:
        """Return how many events there are to go before anything else counts."""
        target = self.goal.event if self.goal.until == "event" else self.goal.origin
        return max(0, target - reached.event)

    def _progress(self) -> Message:
        """Return how far it has come, with keyframes of the way since it was last told."""
        with self.watched.lock:
            cursor, frames = self.watched.trace.reached, self.watched.trace.keyframes
            fresh = [each for each in frames.cursors if each.event > self.sent]
            seconds = time.monotonic() - self.began
            self.sent = cursor.event
        told = {field: getattr(cursor.stats, field) for field in ("calls", "backtracks", "solutions", "depth")}
        content = {
            "event": cursor.event,
            **told,
            "deepest": cursor.deepest,
            "total": cursor.space.total,
            "seconds": round(seconds, 3),
            "rate": round((cursor.calls - self.first_calls) / seconds) if seconds > 0 else 0,
            "path": list(cursor.path),
            "cursors": [each.to_dict() for each in fresh[-_FRAMES:]],
        }
        return Message("progress", content, id=str(cursor.event))

    def _found(self) -> dict[str, Any] | None:
        """Return the moment that was asked for; None if the run is over before."""
        goal, trace = self.goal, self.watched.trace
        with self.watched.lock:
            if goal.until == "end":
                return None
            number: int | None = goal.event
            if goal.until == "solution":
                event = trace.next_solution(goal.origin) if goal.origin <= trace.reached.event else None
                number = None if event is None else event + 1
            if number is None or number > trace.reached.event:
                return None
            return _told(self.watched, self.watched.at(number, None, SLICE), 64)

    def _end(self) -> dict[str, Any]:
        with self.watched.lock:
            return _told(self.watched, self.watched.trace.reached, 64)
