"""Server-sent events: how they are written, and how many streams there may be."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

from fastapi.responses import StreamingResponse

from backrank.web.problems import trouble

MEDIA_TYPE = "text/event-stream"
KEEP_ALIVE_SECONDS = 15.0


@dataclass(frozen=True, slots=True)
class Message:
    r"""One event of a stream; without a name it is a comment, which keeps the connection open.

    Examples
    --------
    >>> Message("job", {"id": "c1"}, id="7").text()
    'id: 7\nevent: job\ndata: {"id":"c1"}\n\n'
    >>> Message().text()
    ':\n\n'
    """

    name: str = ""
    data: Any = None
    id: str | None = None

    def text(self) -> str:
        """Return the message as it goes over the wire."""
        if not self.name:
            return ":\n\n"
        number = "" if self.id is None else f"id: {self.id}\n"
        data = json.dumps(self.data, ensure_ascii=False, separators=(",", ":"))
        return f"{number}event: {self.name}\ndata: {data}\n\n"


class Places:
    """How many streams of a kind may be open at once."""

    def __init__(self, most: int, what: str) -> None:
        self.free, self.what = most, what

    def take(self) -> None:
        """Take a place, or refuse."""
        if not self.free:
            raise trouble("busy", f"too many {self.what} are open; close one, or try again later", {"Retry-After": "5"})
        self.free -= 1

    def leave(self) -> None:
        """Give a place back."""
        self.free += 1


def stream(messages: AsyncIterator[Message], places: Places) -> StreamingResponse:
    """Return messages as a stream that holds a place as long as it is open."""
    places.take()
    return _Stream(messages, places)


class _Stream(StreamingResponse):
    """An event stream that gives its place back however it ends."""

    def __init__(self, messages: AsyncIterator[Message], places: Places) -> None:
        super().__init__(_texts(messages), media_type=MEDIA_TYPE, headers={"Cache-Control": "no-store"})
        self._places = places

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Send until the messages end or the reader leaves."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._places.leave()


async def _texts(messages: AsyncIterator[Message]) -> AsyncIterator[str]:
    async for message in messages:
        yield message.text()
