"""`backrank serve`: the address it prints, how it ends, and what it says when it cannot begin."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import tomllib
from collections.abc import Callable
from contextlib import AbstractContextManager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import httpx
import pytest

from backrank._version import __version__
from backrank.cli.commands import serve

pytest_plugins = ["web_server"]

PROJECT = Path(__file__).parents[1] / "pyproject.toml"
HELP = """
import json, sys
from backrank.cli.main import main
try:
    main(["serve", "--help"])
except SystemExit:
    print("\\n" + json.dumps(sorted(sys.modules)), file=sys.stderr)
"""
Inside = Callable[..., subprocess.CompletedProcess[str]]


def test_it_prints_where_it_is_and_answers_there(server_url: str) -> None:
    assert server_url.startswith("http://127.0.0.1:")
    assert httpx.get(f"{server_url}/api/meta", timeout=30).json()["version"] == __version__
    assert httpx.get(server_url, timeout=30).headers["content-type"] == "text/html; charset=utf-8"


def test_beyond_this_machine_it_warns_and_asks_for_a_token(serving: Callable[..., AbstractContextManager[str]]) -> None:
    remarks: list[str] = []
    with serving("--host", "0.0.0.0", remarks=remarks) as url:  # noqa: S104 - that is what is tested
        assert url.startswith("http://127.0.0.1:")
        plain, _, token = url.partition("/?token=")
        assert len(token) >= 32
        assert httpx.get(f"{plain}/api/meta", timeout=30).status_code == 401
        with httpx.Client(timeout=30, follow_redirects=True) as client:
            assert client.get(url).status_code == 200
            assert client.get(f"{plain}/api/meta").status_code == 200
    assert remarks[0].startswith("warning: everybody who can reach 0.0.0.0 can use this server")


def test_a_port_that_is_taken(inside: Inside) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = inside("serve", "--port", str(port), "--no-open")
    assert done.returncode == 2
    assert done.stderr.startswith(f"backrank: cannot listen on 127.0.0.1 port {port}: ")
    assert done.stderr.endswith("; --port 0 takes a port that is free\n")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--port", "70000"), "a port is a number from 0 to 65535, not 70000; 0 takes one that is free"),
        (("--host", "no such name"), "cannot listen on no such name port 8642"),
    ],
)
def test_addresses_that_are_none(inside: Inside, words: tuple[str, ...], told: str) -> None:
    done = inside("serve", "--no-open", *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert told in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("named", ["option", "environment"])
def test_a_ledger_that_is_named_must_be_one(
    inside: Inside, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, named: str
) -> None:
    path = tmp_path / "ledger.sqlite"
    path.write_text("a letter")
    if named == "environment":
        monkeypatch.setenv("BACKRANK_LEDGER", str(path))
    done = inside("serve", "--no-open", "--port", "0", *(["--ledger", str(path)] if named == "option" else []))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == inside("jobs", "--ledger", str(path)).stderr
    assert done.stderr.startswith(f"backrank: {path} is not a ledger of backrank but another kind of file")
    assert path.read_text() == "a letter"


def test_a_ledger_or_none(inside: Inside, tmp_path: Path) -> None:
    done = inside("serve", "--no-open", "--ledger", str(tmp_path / "ledger.sqlite"), "--no-ledger")
    told = "--ledger says where to keep counts, and --no-ledger to keep none; choose one of the two"
    assert (done.returncode, done.stderr) == (2, f"backrank: {told}\n")


def test_without_a_ledger_no_file_is_made(
    serving: Callable[..., AbstractContextManager[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BACKRANK_LEDGER", str(tmp_path / "ledger.sqlite"))
    with serving("--no-ledger") as url:
        told = httpx.get(f"{url}/api/counts", timeout=30).json()
    assert told == {"jobs": [], "ledger": {"path": None, "kept": False, "problem": None}}
    assert list(tmp_path.iterdir()) == []


def test_without_its_extra_it_says_what_to_install(inside: Inside, monkeypatch: pytest.MonkeyPatch) -> None:
    def without(name: str) -> Any:
        return None if name == "uvicorn" else find_spec(name)

    monkeypatch.setattr(serve, "find_spec", without)
    done = inside("serve")
    assert done.returncode == 2
    assert done.stderr == "backrank: the web app needs uvicorn; install it with: pip install 'backrank[web]'\n"


def test_the_extra_names_its_parts() -> None:
    project = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]
    named = project["optional-dependencies"]["web"]
    assert {each.partition(">")[0].partition("[")[0] for each in named} == set(serve.PARTS)


def test_help_loads_nothing_of_it() -> None:
    done = subprocess.run([sys.executable, "-c", HELP], capture_output=True, text=True, timeout=60, check=True)
    loaded = json.loads(done.stderr.splitlines()[-1])
    assert "--port" in done.stdout
    roots = {name.partition(".")[0] for name in loaded}
    assert not roots & {"fastapi", "starlette", "uvicorn", "anyio", "asyncio", "numpy", "numba"}
    assert not [name for name in loaded if name.startswith("backrank.web")]
