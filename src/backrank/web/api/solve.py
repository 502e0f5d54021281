"""Solve: one answer, files of it, and what is wrong with somebody else's."""

from __future__ import annotations

import asyncio
import base64
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response

from backrank.web.answers import CheckAnswer, Solved
from backrank.web.models import CheckAsked, ExportAsked, RequestModel, SolveAsked
from backrank.web.state import of, while_connected

router = APIRouter(prefix="/api", tags=["solve"])

_FILES = (
    "image/svg+xml",
    "image/png",
    "text/html",
    "application/json",
    "text/csv",
    "text/plain",
)
_FILE: dict[str, Any] = {"schema": {"type": "string", "format": "binary"}}


@router.post("/solve", response_model=Solved)
async def solve(asked: SolveAsked, request: Request) -> Response:
    """Find one answer, or say why there is none; whoever hangs up cancels it."""
    seconds = min(asked.seconds, of(request).limits.solve_seconds)
    return JSONResponse(await working(request, "solve", asked, seconds))


@router.post("/check", response_model=CheckAnswer)
async def check(asked: CheckAsked, request: Request) -> Response:
    """Check a text in any of the formats, and name every fault with its cells and steps."""
    return JSONResponse(await working(request, "check", asked, of(request).limits.task_seconds))


@router.post("/export", response_class=Response, responses={200: {"content": dict.fromkeys(_FILES, _FILE)}})
async def export(asked: ExportAsked, request: Request) -> Response:
    """Return an answer as a file: a picture, a page that moves, or text."""
    made = await working(request, "export", asked, of(request).limits.task_seconds)
    headers = {"Content-Disposition": f'attachment; filename="{made["name"]}"'}
    return Response(base64.b64decode(made["data"]), media_type=made["media"], headers=headers)


async def working(request: Request, task: str, asked: RequestModel, seconds: float) -> dict[str, Any]:
    """Have a worker do something, as long as somebody waits for it."""
    work = of(request).pool.run(task, asked.model_dump(mode="json"), seconds)
    return await while_connected(request, asyncio.create_task(work))
