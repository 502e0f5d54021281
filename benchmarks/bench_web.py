"""Many people watching at once: 50 clients step through searches, forwards and back, for 30 seconds.

Each client has a run of its own, one of them the start with 621 million calls, in the middle of which it begins. It
steps, mostly forwards, sometimes back, sometimes to the next dead end, at the pace of a fast viewer, and brings its
cursor along as the page does. Told are failures and the time from asking to having the answer.

    python benchmarks/bench_web.py [--clients 50] [--seconds 30] [--pace 5] [--url http://127.0.0.1:8642]

With `--pace 0` the clients do not wait: then the times say how long the queue is, and the rate what the server can do.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import httpx
import psutil

from harness import BACKRANK, Namespace, Report, Script, fail, option, time_call

LONG = {"puzzle": {"kind": "tour", "board": "8x8", "start": "0,1"}, "strategy": "fixed:python"}
TARGET_MS = 50.0


@dataclass
class Tally:
    """What the clients have met."""

    seconds: list[float] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)


class Client:
    """A client that costs little: with a library that does all of HTTP, 50 of them need more than the server.

    It knows answers with a Content-Length only, which is all that it gets.
    """

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self.host, self.port = parts.hostname or "", parts.port or 80
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def post(self, path: str, content: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        """Return the status and the answer."""
        if self._streams is None:
            self._streams = await asyncio.open_connection(self.host, self.port)
        reader, writer = self._streams
        body = json.dumps(content, separators=(",", ":")).encode()
        head = f"POST {path} HTTP/1.1\r\nHost: {self.host}:{self.port}\r\nContent-Type: application/json\r\n"
        writer.write(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
        status, *lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        length = next(int(line.split(":")[1]) for line in lines if line.lower().startswith("content-length:"))
        return int(status.split()[1]), json.loads(await reader.readexactly(length))

    def close(self) -> None:
        """Hang up."""
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None


def run_of(number: int) -> dict[str, Any]:
    """Return the run of a client: tours and queens of several sizes, fixed orders and rules."""
    if number % 10 == 0:
        return LONG
    if number % 3 == 0:
        strategy = ("rows", "centre-out", f"random:{number}")[number % 2 + number % 2 * (number % 5 == 0)]
        return {"puzzle": {"kind": "queens", "board": f"{8 + number % 7}"}, "strategy": strategy}
    strategy = ("fixed:java-a", "warnsdorff", "fixed:python+prune", f"random:{number}")[number % 4]
    start = f"{number % 6},{number // 6 % 6}"
    return {
        "puzzle": {"kind": "tour", "board": f"{6 + number % 4}x{6 + number % 3}", "start": start},
        "strategy": strategy,
    }


async def watch(client: Client, number: int, until: float, pace: float, tally: Tally) -> None:
    """Step through one run until the time is over."""
    if pace:
        await asyncio.sleep(number % 50 / 50 / pace)  # spread over a second
    run, event, cursor = run_of(number), 1_000 * number if run_of(number) is LONG else number, None
    for turn in itertools.count(number):
        began = time.perf_counter()
        if began >= until:
            return
        path, body = "moment", {"run": run, "event": event, "cursor": cursor}
        if turn % 17 == 0:
            path, body = "jump", {**body, "to": "next-backtrack"}
        try:
            status, told = await client.post(f"/api/watch/{path}", body)
            if status != 200:
                tally.failures.append(f"{status} {told.get('detail')}")
                event, cursor = number, None
                continue
            moment = told.get("moment", told)
        except (OSError, EOFError) as error:
            tally.failures.append(repr(error))
            client.close()
            continue
        tally.seconds.append(time.perf_counter() - began)
        step = -1 if turn % 5 == 0 else 1
        cursor = moment["cursor"] if step > 0 else None
        event = 0 if moment["finished"] else max(0, moment["event"] + step)
        if not event:
            cursor = None
        if pace:
            await asyncio.sleep(max(0.0, 1 / pace - (time.perf_counter() - began)))


async def watched(url: str, clients: int, seconds: float, pace: float) -> Tally:
    """Let the clients step for so many seconds."""
    tally = Tally()
    people = [Client(url) for _ in range(clients)]
    for number, client in enumerate(people):  # all are connected before the time begins
        await client.post("/api/watch/moment", {"run": run_of(number), "event": 1})
    until = time.perf_counter() + seconds
    await asyncio.gather(*(watch(client, number, until, pace, tally) for number, client in enumerate(people)))
    for client in people:
        client.close()
    return tally


def show(report: Report, tally: Tally, seconds: float) -> None:
    """Print what the clients have met."""
    times = sorted(1000 * each for each in tally.seconds)
    if not times:
        fail("no answer at all: " + "; ".join(tally.failures[:5]))
    middle, p95, p99 = (times[min(len(times) - 1, int(len(times) * part))] for part in (0.5, 0.95, 0.99))
    table = report.table(
        "answers:8,d",
        "a second:8,.0f",
        "failures:8d",
        "median ms:9.1f",
        "p95 ms:7.1f",
        "p99 ms:7.1f",
        "longest ms:10.1f",
    )
    figures = (len(times), len(times) / seconds, len(tally.failures), middle, p95, p99, times[-1])
    table.row(*figures, after=report.mark("p95", p95, TARGET_MS, unit=" ms"))
    for failure in tally.failures[:10]:
        report.failure(failure)


def with_server(report: Report, work: Callable[[str], Tally], seconds: float) -> None:
    """Start a server, let the clients watch, and print what that cost both."""
    command = [BACKRANK, "serve", "--no-ledger", "--port", "0", "--no-open"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            url = server.stdout.readline().strip().rstrip("/") if server.stdout else ""
            if report.size != "quick":
                # The long run is run to its end first, as one who watches it would have done.
                with httpx.Client(base_url=url, timeout=600) as client:
                    told = client.get("/api/watch/stream", params={"run": json.dumps(LONG)}).text
                    report.note(f"long run: {'found' if 'event: found' in told else told[-200:]}")
            before = psutil.Process(server.pid).cpu_times()
            own, tally = time_call(lambda: work(url))
            after = psutil.Process(server.pid).cpu_times()
        finally:
            server.terminate()
    show(report, tally, seconds)
    spent = 1000 * (after.user + after.system - before.user - before.system) / len(tally.seconds)
    mine = 1000 * own.cpu / len(tally.seconds)
    report.note(f"CPU time an answer: {spent:.2f} ms of the server, {mine:.2f} ms of the clients")
    busy = ", ".join(f"{each:.1f}" for each in psutil.getloadavg())
    report.note(f"load of the machine {busy}, {psutil.cpu_count()} cores")


def run(report: Report, options: Namespace) -> None:
    """Measure a server that runs, or one started for it."""
    clients = options.clients or report.sized(quick=3, normal=50)
    seconds = options.seconds or report.sized(quick=0.5, normal=30.0)

    def work(url: str) -> Tally:
        return asyncio.run(watched(url, clients, seconds, options.pace))

    if options.url:
        show(report, work(options.url), seconds)
    else:
        with_server(report, work, seconds)


SCRIPT = Script(
    __doc__,
    run,
    (
        option("--clients", type=int),
        option("--seconds", type=float),
        option("--pace", type=float, default=5.0, help="steps a second of each client; 0: as fast as they can"),
        option("--url", help="a server that runs already"),
    ),
)

if __name__ == "__main__":
    SCRIPT.main()
