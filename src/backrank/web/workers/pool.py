"""The server's side of `web.workers.process`: a few processes, kept, lent to one piece of work at a time."""

from __future__ import annotations

import asyncio
import json
import signal
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import Any

from backrank.web.net.reports import LOGGER
from backrank.web.problems import Trouble, problem, trouble
from backrank.web.workers.process import HELD

GRACE_SECONDS = 3.0
_LINE_BYTES = 256 * 1024**2

Reporter = Callable[[dict[str, Any]], None]


class Worker:
    """One process, started when it is first needed, and again if it has died."""

    def __init__(self, most_bytes: int) -> None:
        self._most_bytes = most_bytes
        self._process: asyncio.subprocess.Process | None = None
        self._partial: dict[str, Any] | None = None
        self._leaving: set[asyncio.Task[None]] = set()

    async def start(self) -> asyncio.subprocess.Process:
        """Return the process, a new one if there is none."""
        if self._process is None or self._process.returncode is not None:
            with _held_signals():
                starting = asyncio.create_subprocess_exec(
                    *(sys.executable, "-m", "backrank.web.workers.process", str(self._most_bytes)),
                    stdin=asyncio.subprocess.PIPE,
                    stdout=asyncio.subprocess.PIPE,
                    stderr=asyncio.subprocess.DEVNULL,
                    limit=_LINE_BYTES,
                )
                self._process = await starting
        return self._process

    async def run(
        self, task: str, asked: Any, *, seconds: float | None = None, report: Reporter | None = None
    ) -> dict[str, Any]:
        """Have something done, and return what came of it.

        Parameters
        ----------
        task : str
            A name of :data:`backrank.web.workers.tasks.TASKS`.
        asked : JSON
        seconds : float, optional
            After this time and some grace the process is ended, and what it had by then is returned, if it had
            anything: work that keeps its own limit never gets there.
        report : callable, optional
            Handed the progress.

        Raises
        ------
        Trouble
            If it is a problem that came of it, or the process died.

        Notes
        -----
        If whoever waits is cancelled, the process is ended at once.
        """
        process = await self.start()
        finished, self._partial = False, None
        try:
            await self._write(process, {"task": task, "asked": asked})
            limit = None if seconds is None else seconds + GRACE_SECONDS
            async with asyncio.timeout(limit):
                answer = await self._answer(process, report)
            finished = True
        except TimeoutError:
            if self._partial is not None:
                return self._partial
            detail = f"the time limit of {seconds:g} s was reached: nothing is proven"
            raise trouble("budget-exceeded", detail) from None
        finally:
            if not finished:
                self.end()
        if "problem" in answer:
            raise Trouble(answer["problem"])
        result: dict[str, Any] = answer["result"]
        return result

    async def _answer(self, process: asyncio.subprocess.Process, report: Reporter | None = None) -> dict[str, Any]:
        if process.stdout is None:
            raise AssertionError("the worker was started with a pipe")
        while line := await process.stdout.readline():
            told: dict[str, Any] = json.loads(line)
            if "fault" in told:
                LOGGER.error("internal error in a worker: %s", told["fault"])
            elif "partial" in told:
                self._partial = told["partial"]
            elif "progress" not in told:
                return told
            elif report is not None:
                report(told["progress"])
        await process.wait()
        detail = "the process that worked on this has died, most likely for want of memory; choose a smaller board"
        return {"problem": problem("out-of-memory", detail)}

    async def _write(self, process: asyncio.subprocess.Process, content: dict[str, Any]) -> None:
        if process.stdin is None:
            raise AssertionError("the worker was started with a pipe")
        with suppress(ConnectionError):
            process.stdin.write(json.dumps(content, separators=(",", ":")).encode() + b"\n")
            await process.stdin.drain()

    def end(self) -> None:
        """End the process and whatever it is doing; the next piece of work gets a new one."""
        process, self._process = self._process, None
        if process is None:
            return
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
        if process.stdin is not None:
            process.stdin.close()
        leaving = asyncio.create_task(_gone(process))
        self._leaving.add(leaving)
        leaving.add_done_callback(self._leaving.discard)

    async def settle(self) -> None:
        """Wait until all processes that were ended have gone."""
        await asyncio.gather(*self._leaving)

    async def close(self) -> None:
        """End the process, and wait until it has gone, and all before it."""
        self.end()
        await self.settle()


@contextmanager
def _held_signals() -> Iterator[None]:
    """Start a process with the signals of Ctrl-C and of a stop held back, until it ignores them.

    They go to every process of a terminal or a service at once. A worker that dies of them looks like one that has
    failed; it is the server that ends its workers.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, HELD)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


async def _gone(process: asyncio.subprocess.Process) -> None:
    """Wait until a process has ended and its pipes are closed."""
    await process.wait()
    if process.stdout is not None:
        await process.stdout.read()
    if process.stdin is not None:
        with suppress(ConnectionError):
            await process.stdin.wait_closed()


class Pool:
    """So many workers; who finds none free waits (for ever if no time is given), and is then refused."""

    def __init__(self, size: int, waiting_seconds: float | None, most_bytes: int) -> None:
        self.workers = [Worker(most_bytes) for _ in range(size)]
        self._waiting = waiting_seconds
        self._free: asyncio.LifoQueue[Worker] = asyncio.LifoQueue()
        for worker in reversed(self.workers):
            self._free.put_nowait(worker)

    @asynccontextmanager
    async def lend(self) -> AsyncIterator[Worker]:
        """Lend a worker."""
        try:
            async with asyncio.timeout(self._waiting):
                worker = await self._free.get()
        except TimeoutError:
            raise trouble("busy", "all workers are at work; try again in a moment", {"Retry-After": "5"}) from None
        try:
            yield worker
        finally:
            self._free.put_nowait(worker)

    async def run(self, task: str, asked: Any, seconds: float) -> dict[str, Any]:
        """Have something done by the next worker that is free; see :meth:`Worker.run`."""
        async with self.lend() as worker:
            return await worker.run(task, asked, seconds=seconds)

    async def settle(self) -> None:
        """Wait until all processes that were ended have gone."""
        await asyncio.gather(*(worker.settle() for worker in self.workers))

    async def close(self) -> None:
        """End all processes."""
        await asyncio.gather(*(worker.close() for worker in self.workers))
