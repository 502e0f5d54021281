"""Play a line of the net, and record what it did: exit codes, both streams, and the files that it left."""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from net.case import Case, Step
from net.rules import Places, plain, words_of

Record = dict[str, Any]
Runner = Callable[[dict[str, Any]], int]

SECONDS = 300
_JOB = re.compile(rb'\bjob ([0-9a-f]{8})\b|"(?:job|id)": "([0-9a-f]{8})"|^([0-9a-f]{8})  ', re.MULTILINE)
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
    commands, job = list[Record](), ""
    for step in case.steps:
        if step.words[0].startswith(":"):
            _prepare(step, places.work)
            given = {path: path.read_bytes() for path in _files(places.work)}
            continue
        words = [job if word == "JOB" else word for word in step.words]
        code = runner(_request(words, step, folder, places))
        streams = {name: (folder / name).read_bytes() for name in ("stdout", "stderr")}
        job = job or _job_in(streams["stdout"] + streams["stderr"])
        commands.append({"exit": code, **{name: _content(data, places, case) for name, data in streams.items()}})
    record: Record = {"commands": commands, **_left(places, given, case)}
    state = sorted({plain(str(path.relative_to(places.state)), places) for path in _files(places.state)})
    return {**record, "state": state} if state else record


def _request(words: Sequence[str], step: Step, folder: Path, places: Places) -> dict[str, Any]:
    """Return what a runner is to do."""
    return {
        "words": words,
        "folder": str(places.work),
        "stdin": str(places.work / step.stdin) if step.stdin else os.devnull,
        "stdout": str(folder / "stdout"),
        "stderr": str(folder / "stderr"),
        "environment": {"XDG_DATA_HOME": str(places.state)},
    }


def _job_in(output: bytes) -> str:
    """Return the name of the first job in an output; empty if there is none."""
    match = _JOB.search(output)
    return next(filter(None, match.groups())).decode() if match else ""


def _left(places: Places, given: Mapping[Path, bytes], case: Case) -> Record:
    """Return the files that a line has written, changed or removed."""
    files: Record = {}
    for path in _files(places.work):
        data = path.read_bytes()
        if given.get(path) != data:
            name = plain(str(path.relative_to(places.work)), places)
            files[name] = "measurements" if "measured" in case.tags else _content(data, places, case)
    files |= {str(path.relative_to(places.work)): "removed" for path in given if not path.exists()}
    return {"files": dict(sorted(files.items()))} if files else {}


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


def _content(data: bytes, places: Places, case: Case) -> list[str] | str:
    """Return a text as its lines, anything else by what can be compared of it."""
    if data.startswith(b"SQLite format 3\0"):
        return "a ledger"  # times and names in it differ
    if data.startswith(b"\x89PNG"):
        return _picture(data)
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return _hashed(data)
    text = plain(text, places)
    if "measured" in case.tags:
        text = words_of(text)
    if len(text) > MOST_TEXT and "whole" not in case.tags:
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
