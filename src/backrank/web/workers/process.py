"""The other process: reads what to do as lines of JSON, and writes what came of it.

Work that keeps a core busy for seconds happens here, so that the server stays quick, a count can be ended at once, and
a board that eats all memory takes nobody along. One line in: `{"task": ..., "asked": ...}`. Lines out:
`{"progress": ...}` now and then, perhaps a `{"partial": ...}` result that stands if time runs out, and at last
`{"result": ...}` or `{"problem": ...}`. Who wants no more of it ends the process: there is nothing in it to lose. When
its input ends, so does it.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import sys
import threading
from contextlib import suppress
from typing import Any

from backrank.web.workers.context import WorkContext

HELD = (signal.SIGINT, signal.SIGTERM)


def limit_memory(most_bytes: int) -> None:
    """Let this process have so much memory of its own and no more, where the system can do that."""
    try:
        import resource  # noqa: PLC0415 - not on Windows
    except ImportError:
        return
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_DATA, (most_bytes, most_bytes))


def _ignore_signals() -> None:
    """Ignore Ctrl-C and the stop of a service: they are for the server, which ends this process in order."""
    with suppress(ValueError):
        for number in HELD:
            signal.signal(number, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, HELD)


def main(most_bytes: int) -> None:
    """Work until the input ends."""
    _ignore_signals()
    limit_memory(most_bytes)
    # Whatever a library prints must not get between the lines.
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    context = WorkContext(out)
    work: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(work,), daemon=True).start()
    while True:
        _do(context, work.get())


def _listen(work: queue.SimpleQueue[dict[str, Any]]) -> None:
    """Read lines as long as there are any."""
    for line in sys.stdin:
        work.put(json.loads(line))
    os._exit(0)  # the server is gone, and nobody waits for what is being done


def _do(context: WorkContext, asked: dict[str, Any]) -> None:
    from backrank.web import problems  # noqa: PLC0415 - counted as work: the server need not wait for it
    from backrank.web.net import reports  # noqa: PLC0415 - counted as work: the server need not wait for it
    from backrank.web.workers import tasks  # noqa: PLC0415 - counted as work: the server need not wait for it

    try:
        result = tasks.TASKS[asked["task"]](asked["asked"], context)
    except Exception as error:  # every error is an answer
        problem = problems.problem_of(error)
        if problem["type"] == "/problems/internal":
            context.tell("fault", reports.described(error))
        context.tell("problem", problem)
    else:
        context.tell("result", result)


if __name__ == "__main__":
    main(int(sys.argv[1]))
