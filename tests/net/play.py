"""Play a line of the net, and record what it did: exit codes, both streams, and the files that it left."""

from __future__ import annotations

import hashlib
import io
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from net.case import Case, Step
from net.rules import Places, plain

Record = dict[str, Any]
Runner = Callable[[dict[str, Any]], int]

SECONDS = 300
MOST_TEXT = 20_000  # characters; a longer file is recorded by its hash
KEPT = ("PATH", "HOME", "XDG_CACHE_HOME", "NUMBA_CACHE_DIR", "VIRTUAL_ENV", "LD_LIBRARY_PATH", "TMPDIR")
FIXED = {
    "LC_ALL": "C.UTF-8",
    "TZ": "UTC",
    "TERM": "xterm",
    "COLUMNS": "100",
    "LINES": "40",
    "NO_COLOR": "1",
    "PYTHONHASHSEED": "0",
}


def environment() -> dict[str, str]:
    """Return an environment in which lines print the same everywhere."""
    return {name: os.environ[name] for name in KEPT if name in os.environ} | FIXED


class Forks:
    """A process that runs lines in copies of itself; see `forks.py`."""

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("forks.py"))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment(),
        )
        return self

    def __call__(self, request: dict[str, Any]) -> int:
        """Run one line, and return its exit code."""
        sender, receiver = self._process.stdin, self._process.stdout
        if sender is None or receiver is None:
            raise RuntimeError("the process has no pipes")
        sender.write(json.dumps(request) + "\n")
        sender.flush()
        answer = receiver.readline()
        if not answer:
            raise RuntimeError("the process that runs the lines has ended; its error is above")
        return int(json.loads(answer)["exit"])

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._process as process:
            if process.stdin is not None:
                process.stdin.close()
            process.wait(SECONDS)


def run_process(request: dict[str, Any]) -> int:
    """Run one line as a user does: the installed command, in a process of its own."""
    command = str(Path(sys.executable).with_name("backrank"))
    with (
        Path(request["stdin"]).open("rb") as stdin,
        Path(request["stdout"]).open("wb") as stdout,
        Path(request["stderr"]).open("wb") as stderr,
    ):
        done = subprocess.run(
            [command, *request["words"]],
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
            cwd=request["folder"],
            env={**environment(), **request["environment"]},
            timeout=SECONDS,
            check=False,
        )
    return done.returncode


def play(case: Case, folder: Path, runner: Runner) -> Record:
    """Play a line in an empty folder, and return what is to be recorded of it."""
    places = Places(folder / "work", folder / "state")
    for place in places:
        place.mkdir(parents=True)
    for path in case.files:
        shutil.copy(path, places.work)
    given = {path: path.read_bytes() for path in _files(places.work)}
    commands, jobs = list[Record](), list[str]()
    for step in case.steps:
        if step.words[0].startswith(":"):
            _prepare(step, places.work)
            given = {path: path.read_bytes() for path in _files(places.work)}
        else:
            commands.append(_played(step, folder, places, jobs, runner))
    changed = {path: data for path in _files(places.work) if given.get(path) != (data := path.read_bytes())}
    gone = [f"removed: {path.relative_to(places.work)}" for path in given if not path.exists()]
    record: Record = {"commands": commands}
    files = {plain(str(path.relative_to(places.work)), places, jobs): data for path, data in changed.items()}
    if files or gone:
        record["files"] = {name: _content(files[name], places, jobs) for name in sorted(files)} | dict.fromkeys(gone)
    state = sorted({plain(str(path.relative_to(places.state)), places, jobs) for path in _files(places.state)})
    return {**record, "state": state} if state else record


def _played(step: Step, folder: Path, places: Places, jobs: list[str], runner: Runner) -> Record:
    words = [jobs[0] if word == "JOB" and jobs else word for word in step.words]
    request = {
        "words": words,
        "folder": str(places.work),
        "stdin": str(places.work / step.stdin) if step.stdin else os.devnull,
        "stdout": str(folder / "stdout"),
        "stderr": str(folder / "stderr"),
        "environment": {"XDG_DATA_HOME": str(places.state)},
    }
    code = runner(request)
    streams = {name: _content((folder / name).read_bytes(), places, jobs) for name in ("stdout", "stderr")}
    return {"exit": code, **streams}


def _prepare(step: Step, work: Path) -> None:
    what, name, *more = step.words
    path = work / name
    if what == ":write":
        path.write_text("".join(f"{line}\n" for line in more), encoding="utf-8")
    elif what == ":cut":
        path.write_bytes(path.read_bytes()[: int(more[0])])
    elif what == ":flip":
        data = bytearray(path.read_bytes())
        data[int(more[0])] ^= 255
        path.write_bytes(data)
    elif what == ":mkdir":
        path.mkdir()
    else:
        raise ValueError(f"{what} prepares nothing; see case.py")


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def _content(data: bytes, places: Places, jobs: list[str]) -> list[str] | str:
    """Return a text as its lines, anything else by what can be compared of it."""
    if data.startswith(b"SQLite format 3\0"):
        return "a ledger"  # times and names in it differ
    if data.startswith(b"\x89PNG"):
        return _picture(data)
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return _hashed(data)
    text = plain(text, places, jobs)
    if len(text) > MOST_TEXT:
        return f"a text of {text.count(chr(10))} lines, {_hashed(text.encode())}"
    lines = text.split("\n")
    if lines[-1]:
        return [*lines, "(no newline at the end)"]
    return lines[:-1]


def _picture(data: bytes) -> str:
    """Return the hash of the pixels: how they are packed depends on the library that packs."""
    from PIL import Image

    with Image.open(io.BytesIO(data)) as image:
        return f"a PNG of {image.width}x{image.height} pixels, {image.mode}, {_hashed(image.tobytes())}"


def _hashed(data: bytes) -> str:
    return f"{len(data)} bytes, sha256 {hashlib.sha256(data).hexdigest()}"
