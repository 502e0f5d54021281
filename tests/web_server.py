"""Real servers for tests, on free ports of 127.0.0.1: the installed command, and the same inside the tests' process.

Test modules that want one say `pytest_plugins = ["web_server"]` and take one of the fixtures.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx
import pytest

STOP_SECONDS = 20


@contextmanager
def running_server(*options: str, remarks: list[str] | None = None) -> Iterator[str]:
    """Start `backrank serve`, yield the address that it prints, and stop it in an orderly way.

    What it says besides goes into `remarks` when it has ended. Its ledger is one of its own, if none is named.
    """
    with TemporaryDirectory() as folder:
        named = [] if {"--ledger", "--no-ledger"} & set(options) else ["--ledger", f"{folder}/ledger.sqlite"]
        with started_server(*options, *named, remarks=remarks) as (url, _):
            yield url


@contextmanager
def started_server(
    *options: str, remarks: list[str] | None = None, files: int | None = None, group: bool = False, **environment: str
) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """The same with the ledger that the options say, and with the process, which may be killed.

    It may have so many `files` open, and is the first of a process group of its own if asked for.
    """
    command = [str(Path(sys.executable).with_name("backrank")), "serve", "--port", "0", "--no-open", *options]
    if files is not None:
        command = ["/bin/sh", "-c", f'ulimit -n {files}; exec "$@"', "sh", *command]
    given = {**os.environ, **environment}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=given, start_new_session=group
    ) as process:
        try:
            assert process.stdout is not None
            url = process.stdout.readline().strip()
            assert url.startswith("http://"), process.stderr.read() if process.stderr else ""
            yield url.rstrip("/"), process
        finally:
            process.terminate()
            try:
                _, errors = process.communicate(timeout=STOP_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                raise
    assert "Traceback" not in errors, errors
    if remarks is not None:
        remarks += errors.splitlines()


@contextmanager
def inner_server(
    *, token: str | None = None, ledger: Path | None = None, into: list[Any] | None = None, **limits: float
) -> Iterator[str]:
    """Run a server in a thread of this process, with a token, ledger or limits of its own; yield its address.

    The server itself is appended to `into`.
    """
    from backrank.web.app import create_app
    from backrank.web.counts.keeping import Place
    from backrank.web.limits import Limits
    from backrank.web.net.security import Access
    from backrank.web.server import Server, opened

    where = opened("127.0.0.1", 0)
    started = threading.Event()
    own = replace(Limits(), **limits)  # type: ignore[arg-type]  # ints and floats
    app = create_app(Access(token=token), own, place=None if ledger is None else Place(ledger, named=True))
    server = Server(app, started.set, limits=own)
    if into is not None:
        into.append(server)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [where.socket]}, daemon=True)
    thread.start()
    try:
        assert started.wait(STOP_SECONDS)
        yield where.url.rstrip("/")
    finally:
        server.should_exit = True
        thread.join(STOP_SECONDS)
    assert not thread.is_alive()


@pytest.fixture(scope="session")
def server_url() -> Iterator[str]:
    """The address of the installed command at work, without a slash at its end."""
    with running_server() as url:
        yield url


@pytest.fixture(scope="session")
def serving() -> Callable[..., AbstractContextManager[str]]:
    """A function that runs the installed command with some options for the time of a with-statement."""
    return running_server


@pytest.fixture(scope="session")
def killable() -> Callable[..., AbstractContextManager[tuple[str, subprocess.Popen[str]]]]:
    """A function that does the same, and gives the process too, which may be killed."""
    return started_server


@pytest.fixture(scope="session")
def server_with() -> Callable[..., AbstractContextManager[str]]:
    """A function that runs a server inside this process for the time of a with-statement."""
    return inner_server


@pytest.fixture(scope="session")
def live_server() -> Iterator[str]:
    """The address of a server inside this process, without a slash at its end."""
    with inner_server() as url:
        yield url


@pytest.fixture(scope="module")
def client(live_server: str) -> Iterator[httpx.Client]:
    """A client of the server inside this process."""
    with httpx.Client(base_url=live_server, timeout=60) as client:
        yield client
