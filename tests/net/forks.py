"""Run command lines in forked copies of one process that has the package and its kernels loaded.

A new process needs a second to start, a copy some milliseconds, and nothing that a line does reaches the next one. The
command is the console script as it is installed: no module of the package is named here but the public one.

Requests come as JSON on standard input, a line each, and the exit codes go back as JSON on standard output.
"""

from __future__ import annotations

import gc
import importlib
import io
import json
import os
import shutil
import signal
import sys
import tempfile
import threading
import traceback
from collections.abc import Callable, Sequence
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, NoReturn

COMMAND = "backrank"
SECONDS = 200  # after which a line that hangs is ended; some kernels may have to be compiled first
# What these lines load is loaded before the copies are made.
FIRST = (
    "solve tour 5x5",
    "solve tour 5x5 --strategy fixed --start a1 --end c3 --json",
    "list tours 5x5 --limit 1 --format json",
    "count tours 5x5 --closed",
    "sample tours 5x5 --seed 1",
    "watch tour 5x5 --frames 1",
    "compare queens 5 --limit-calls 100",
    "check tour none.txt --facts",
    "jobs show none",
    "solve --help",
    # A line stops at a limit of time, which compiling these kernels would change; the cache has them after this.
    "count queens 11 --units 4 --executor serial",
)


def entry() -> Callable[[], object]:
    """Return what the installed console script calls."""
    [script] = [each for each in entry_points(group="console_scripts") if each.name == COMMAND]
    function: Callable[[], object] = script.load()
    return function


COMMAND_ENTRY = entry()


def run_line(request: dict[str, Any], extra: Callable[[], None] | None = None) -> int:
    """Run one line in a copy of this process, and return its exit code."""
    sys.stdout.flush()
    child = os.fork()
    if not child:
        _become(request, extra)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status)


def _become(request: dict[str, Any], extra: Callable[[], None] | None) -> NoReturn:
    """Be the command: what a new process would find, and nothing else."""
    try:
        signal.alarm(SECONDS)
        os.chdir(request["folder"])
        for descriptor, name, flags in (
            (0, request["stdin"], os.O_RDONLY),
            (1, request["stdout"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC),
            (2, request["stderr"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC),
        ):
            opened = os.open(name, flags, 0o600)
            os.dup2(opened, descriptor)
            os.close(opened)
        sys.stdin, sys.stdout, sys.stderr = _stream(0, "r"), _stream(1, "w"), _stream(2, "w")
        os.environ.update(request["environment"])
        sys.argv = [COMMAND, *request["words"]]
        if extra is not None:
            extra()
        COMMAND_ENTRY()
    except SystemExit as end:
        sys.stdout.flush()
        os._exit(end.code if isinstance(end.code, int) else 1)
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
        os._exit(99)
    sys.stdout.flush()
    os._exit(0)


def _stream(descriptor: int, mode: str) -> io.TextIOWrapper:
    errors = "backslashreplace" if descriptor == 2 else "surrogateescape"
    binary = open(descriptor, f"{mode}b", closefd=False)  # noqa: SIM115 - a descriptor, open as long as the command runs
    return io.TextIOWrapper(binary, encoding="utf-8", errors=errors, line_buffering=descriptor == 2)


def load(folder: Path) -> None:
    """Load here what the first lines load in copies, and the kernels that most lines need."""
    from backrank import Board, KnightTours, Queens, trace

    names = folder / "modules"
    for words in FIRST:
        run_line(_plain_request(words.split(), folder), lambda: _tell_modules(names))
        for name in names.read_text(encoding="utf-8").split():
            importlib.import_module(name)
        names.unlink()
    tours = KnightTours(5, 5)  # all that follows is for the kernels
    tours.count(), tours.solve(), tours.unrank(3), tours.sampler()
    KnightTours(5, 6, closed=True).count(up_to_symmetry=True)
    KnightTours(6, 6, closed=True, start="a1").solve()
    list(KnightTours(5, 5, start="a1"))[:1]
    KnightTours(8).solve(rng=1)
    KnightTours(5, 5, start="a1").search(strategy="fixed")
    Queens(8).count(), Queens(8).solve(), Queens(8).sample(1), list(Queens(8)), Queens(8).solve(rng=1)
    Queens(Board(6, 6), queens=4).count()
    trace(Queens(4), "rows").window(0, 4)
    gc.freeze()  # a copy need not look through what it shares
    if threading.active_count() > 1:
        raise RuntimeError("a process with threads cannot be copied")


def _plain_request(words: Sequence[str], folder: Path) -> dict[str, Any]:
    out, err = folder / "out", folder / "err"
    return {
        "words": list(words),
        "folder": str(folder),
        "stdin": os.devnull,
        "stdout": str(out),
        "stderr": str(err),
        "environment": {"XDG_DATA_HOME": str(folder)},
    }


def _tell_modules(names: Path) -> None:
    """Have the names of all modules written when the command ends."""
    import atexit

    def write() -> None:
        loaded = [name for name in sys.modules if name != "__main__" and not name.startswith("_")]
        names.write_text("\n".join(loaded), encoding="utf-8")

    atexit.register(write)


def serve() -> None:
    """Answer one request after the other."""
    folder = tempfile.mkdtemp()  # a TemporaryDirectory would be removed at the end of the first copy
    try:
        load(Path(folder))
    finally:
        shutil.rmtree(folder)
    for line in sys.stdin:
        sys.stdout.write(json.dumps({"exit": run_line(json.loads(line))}) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    serve()
