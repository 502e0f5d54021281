"""What many tests share: the installed command, run as a user runs it, and the same without a new process."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

SECONDS = 120
_DISTURBING = ("NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE", "COLUMNS", "LINES", "TERM", "PYTHONPATH")


def pytest_configure() -> None:
    """Let commands be interrupted even where the tests run in the background, whose children ignore Ctrl-C."""
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, signal.default_int_handler)


@pytest.fixture(scope="session")
def command() -> str:
    """The installed `backrank`, which stands beside the Python that runs the tests."""
    path = Path(sys.executable).with_name("backrank")
    assert path.exists(), f"{path} is missing: the package must be installed, not only importable"
    return str(path)


@pytest.fixture(scope="session", autouse=True)
def _ledger_of_the_tests(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Let no test write to the ledger of whoever runs them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("BACKRANK_LEDGER", raising=False)
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
        yield


@pytest.fixture(scope="session")
def environment(_ledger_of_the_tests: None) -> dict[str, str]:
    """An environment in which the command prints the same everywhere."""
    kept = {name: value for name, value in os.environ.items() if name not in _DISTURBING}
    return {**kept, "LC_ALL": "C.UTF-8", "TERM": "xterm", "COLUMNS": "100"}


@pytest.fixture(scope="session")
def backrank(command: str, environment: dict[str, str]) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run the command with some words, perhaps with a text on standard input, in a folder."""

    def run(
        *words: str, text: str | bytes = b"", cwd: Path | None = None, **more: str
    ) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            [command, *words],
            input=text.encode() if isinstance(text, str) else text,
            capture_output=True,
            cwd=cwd,
            env={**environment, **more},
            timeout=SECONDS,
            check=False,
        )
        assert b"Traceback" not in done.stderr, done.stderr.decode()
        return subprocess.CompletedProcess(
            done.args, done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode()
        )

    return run


@pytest.fixture
def inside(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Do what `backrank` does, but inside the process of the tests: a hundred times as quick, for long tables."""

    def run(*words: str, text: str | bytes = b"") -> subprocess.CompletedProcess[str]:
        from backrank.cli.main import main

        data = text.encode() if isinstance(text, str) else text
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))
        capfd.readouterr()
        with pytest.raises(SystemExit) as left:
            main(list(words))
        shown = capfd.readouterr()
        assert isinstance(left.value.code, int)
        return subprocess.CompletedProcess(["backrank", *words], left.value.code, shown.out, shown.err)

    return run
