"""The app: the routes, the door before them, and what starts and ends with the server."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI
from fastapi.routing import APIRoute

from backrank._version import __version__
from backrank.web import docs, files, problems
from backrank.web.answers import Problem
from backrank.web.api import count, meta, play, solve, watch
from backrank.web.counts.keeping import Place
from backrank.web.limits import Limits
from backrank.web.net.boundary import Boundary
from backrank.web.net.reports import report
from backrank.web.net.security import Access, Door
from backrank.web.state import State

_ABOUT = (
    "Knight's tours and n queens: watch the search, play, solve, count. Squares are numbers, row by row from 0 at the "
    "top left; requests take names such as c3 as well. Errors are problem details (RFC 9457)."
)
_PROBLEM = {"schema": {"$ref": "#/components/schemas/Problem"}}
ERRORS: dict[int | str, dict[str, Any]] = {
    "default": {"description": "What went wrong", "content": {problems.MEDIA_TYPE: _PROBLEM}}
}


class App(FastAPI):
    """The web app; its description includes the shape of errors."""

    def openapi(self) -> dict[str, Any]:
        """Return the OpenAPI document."""
        if not self.openapi_schema:
            document = super().openapi()
            shapes = document.setdefault("components", {}).setdefault("schemas", {})
            shapes.setdefault("Problem", Problem.model_json_schema())
            self.openapi_schema = document
        return self.openapi_schema


def create_app(
    access: Access | None = None, limits: Limits | None = None, *, warm: bool = False, place: Place | None = None
) -> App:
    """Return the app of a server.

    Parameters
    ----------
    access : Access, optional
        Who may ask; anybody who can reach it by a loopback name, if not given.
    limits : Limits, optional
    warm : bool
        Whether what is compiled is loaded right after the start, not when it is first needed.
    place : Place, optional
        Where counts are kept; if not given, they end with the server.

    Examples
    --------
    >>> app = create_app()
    >>> sorted(path for path in app.openapi()["paths"] if path.startswith("/api/watch"))
    ['/api/watch/jump', '/api/watch/moment', '/api/watch/stream', '/api/watch/window']
    """
    limits = limits or Limits()

    @asynccontextmanager
    async def living(app: FastAPI) -> AsyncIterator[None]:
        state = app.state.backrank = State(limits, place)
        await state.jobs.start()
        warming = asyncio.create_task(state.warm()) if warm else None
        if warming is not None:
            warming.add_done_callback(_report_warming)
        try:
            yield
        finally:
            if warming is not None:
                warming.cancel()
                await asyncio.wait({warming})
            await state.stop()

    app = App(
        title="backrank",
        version=__version__,
        description=_ABOUT,
        docs_url=None,
        redoc_url=None,
        lifespan=living,
        generate_unique_id_function=_operation_name,
    )
    problems.install(app)
    for verb in (meta, watch, play, solve, count):
        app.include_router(verb.router, responses=ERRORS)
    app.include_router(files.router)
    app.include_router(docs.router)
    app.add_middleware(Boundary)
    app.add_middleware(Door, access=access or Access(), limits=limits)
    return app


def _report_warming(task: asyncio.Task[None]) -> None:
    """Report why nothing could be loaded ahead; it is loaded when it is first needed."""
    if task.cancelled() or (error := task.exception()) is None:
        return
    if not (isinstance(error, OSError) and error.errno in problems.EXHAUSTED):  # which the listener reports
        report(error, "the start")


def _operation_name(route: APIRoute) -> str:
    return f"{route.tags[0]}-{route.name}" if route.tags else route.name
