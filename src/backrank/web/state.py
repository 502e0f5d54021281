"""What a server holds while it runs: limits, kept runs, workers, jobs. Nothing of it is a session."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from functools import cache
from typing import TypeVar, cast

from fastapi import Request
from fastapi.concurrency import run_in_threadpool

from backrank.geometry.board import Board
from backrank.search import QueensSpace, TourSpace, run, start
from backrank.web.counts.keeping import Place
from backrank.web.counts.running import PageCounts
from backrank.web.limits import Limits
from backrank.web.net.streams import Places
from backrank.web.problems import Trouble
from backrank.web.watch.traces import Traces
from backrank.web.workers.pool import Pool

Answer = TypeVar("Answer")


class State:
    """The parts of one server."""

    def __init__(self, limits: Limits, place: Place | None = None) -> None:
        self.limits = limits
        self.traces = Traces(limits.traces_bytes)
        self.pool = Pool(limits.workers, limits.waiting_seconds, limits.worker_bytes)
        self.jobs = PageCounts(limits, place)
        self.searches = Places(limits.searches, "searches")
        self.streams = Places(limits.streams, "event streams")
        self.closing = False

    async def warm(self) -> None:
        """Load what is compiled, here and in one worker; the other one is there for whoever comes first."""
        await run_in_threadpool(warm_engine)
        with suppress(Trouble):
            async with self.pool.lend() as worker:
                await worker.run("warm", None)

    def close_streams(self) -> None:
        """End the event streams: a server waits for them before it stops."""
        self.closing = True
        self.jobs.close()

    async def stop(self) -> None:
        """End all that is at work."""
        self.close_streams()
        await self.jobs.stop()
        await self.pool.close()


@cache
def warm_engine() -> None:
    """Load the kernels of the engine, which a search in short slices would never come to.

    Each run begins in plain Python as long as they are not loaded, and on a slow machine a slice is over before that.
    """
    run(start(TourSpace(Board(5)), "fixed"), events=10_000, gear="kernel")
    run(start(QueensSpace(Board(6)), "rows"), events=1_000, gear="kernel")


def of(request: Request) -> State:
    """Return the state of the server that a request came to."""
    return cast("State", request.app.state.backrank)


async def while_connected(request: Request, work: asyncio.Task[Answer]) -> Answer:
    """Wait for work as long as the client is connected; cancel it if it leaves."""
    work.add_done_callback(lambda done: done.cancelled() or done.exception())  # retrieved, should this be cancelled too
    try:
        while not work.done():
            await asyncio.wait({work}, timeout=0.25)
            if not work.done() and await request.is_disconnected():
                break
    finally:
        work.cancel()
    return await work
