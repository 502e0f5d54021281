"""Many people watching at once: 50 clients step through searches, forwards and back, for 30 seconds.

Each client has a run of its own, one of them the start with 621 million calls, in the middle of which it begins. It
steps, mostly forwards, sometimes back, sometimes to the next dead end, at the pace of a fast viewer, and brings its
cursor along as the page does. Told are failures and the time from asking to having the answer.

    python benchmarks/bench_web.py [--clients 50] [--seconds 30] [--pace 5] [--url http://127.0.0.1:8642]

With `--pace 0` the clients do not wait: then the times say how long the queue is, and the rate what the server can do.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import psutil

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
        await asyncio.sleep(number % 50 / 50 / pace)  # people do not all press at once
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


async def measure(url: str, clients: int, seconds: float, pace: float) -> Tally:
    """Let the clients loose."""
    tally = Tally()
    people = [Client(url) for _ in range(clients)]
    for number, client in enumerate(people):  # everybody is there before the time begins
        await client.post("/api/watch/moment", {"run": run_of(number), "event": 1})
    until = time.perf_counter() + seconds
    await asyncio.gather(*(watch(client, number, until, pace, tally) for number, client in enumerate(people)))
    for client in people:
        client.close()
    return tally


def report(tally: Tally, seconds: float) -> None:
    """Print what came of it."""
    times = sorted(1000 * each for each in tally.seconds)
    if not times:
        sys.exit("no answer at all: " + "; ".join(tally.failures[:5]))
    middle, p95, p99 = (times[min(len(times) - 1, int(len(times) * part))] for part in (0.5, 0.95, 0.99))
    print(f"{len(times):,} answers, {len(times) / seconds:,.0f} a second; {len(tally.failures)} failures")
    print(f"median {middle:.1f} ms, p95 {p95:.1f} ms, p99 {p99:.1f} ms, longest {times[-1]:.1f} ms")
    print(f"p95 is {'below' if p95 < TARGET_MS else 'NOT below'} {TARGET_MS:g} ms")
    for failure in tally.failures[:10]:
        print(f"failure: {failure}")


def main() -> None:
    """Measure a server that runs, or one started for it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--pace", type=float, default=5.0, help="steps a second of each client; 0: as fast as they can")
    parser.add_argument("--url", help="a server that runs already")
    options = parser.parse_args()
    if options.url:
        report(asyncio.run(measure(options.url, options.clients, options.seconds, options.pace)), options.seconds)
        return
    command = [str(Path(sys.executable).with_name("backrank")), "serve", "--no-ledger", "--port", "0", "--no-open"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            url = server.stdout.readline().strip().rstrip("/") if server.stdout else ""
            # The long run is run to its end first, as somebody who watches it would have done.
            with httpx.Client(base_url=url, timeout=600) as client:
                told = client.get("/api/watch/stream", params={"run": json.dumps(LONG)}).text
                print("long run:", "found" if "event: found" in told else told[-200:])
            before, own = psutil.Process(server.pid).cpu_times(), time.process_time()
            tally = asyncio.run(measure(url, options.clients, options.seconds, options.pace))
            after = psutil.Process(server.pid).cpu_times()
            report(tally, options.seconds)
            spent = 1000 * (after.user + after.system - before.user - before.system) / len(tally.seconds)
            mine = 1000 * (time.process_time() - own) / len(tally.seconds)
            busy = ", ".join(f"{each:.1f}" for each in psutil.getloadavg())
            print(f"CPU time an answer: {spent:.2f} ms of the server, {mine:.2f} ms of the clients")
            print(f"load of the machine {busy}, {psutil.cpu_count()} cores")
        finally:
            server.terminate()


if __name__ == "__main__":
    main()
