"""The boundary of the app: whatever goes wrong inside becomes an answer and at most one line of the report."""

from __future__ import annotations

import asyncio

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from backrank.web import problems
from backrank.web.net.reports import CutShort, is_expected, report


class Boundary:
    """The layer behind the door: answers errors that nothing else has handled, and the end of the server."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Have a request answered."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        has_begun = False

        async def noticed(message: Message) -> None:
            nonlocal has_begun
            has_begun = True
            await send(message)

        try:
            await self._app(scope, receive, noticed)
        except asyncio.CancelledError:
            answer = problems.problem("busy", "the server is being stopped; try again when it runs again")
        except Exception as error:
            answer = problems.problem_of(error)
            if answer["type"] == "/problems/internal" and not is_expected(error):
                report(error, f"{scope['method']} {scope['path']}")
        else:
            return
        if has_begun:
            raise CutShort
        await problems.response(answer, scope["path"])(scope, receive, send)
