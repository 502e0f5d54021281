"""What the README shows is what comes: its commands are run, its Python is run."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
from pathlib import Path

import pytest

README = Path(__file__).parents[1] / "README.md"
# A command, its comment, and the lines shown below it.
_SHOWN = re.compile(r"^\$ (?P<command>[^\n]*?)(?: +# [^\n]*)?\n(?P<output>(?:(?!\$|```)[^\n]*\n)*)", re.MULTILINE)


def sessions() -> list[tuple[str, str]]:
    """The commands of the README's console blocks that show what they print."""
    blocks = re.findall(r"```console\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    shown = [(match["command"], match["output"]) for block in blocks for match in _SHOWN.finditer(block)]
    return [(command, output) for command, output in shown if output]


def test_there_is_something_to_try() -> None:
    assert len(sessions()) >= 6


@pytest.mark.parametrize(("command_line", "output"), sessions(), ids=[command for command, _ in sessions()])
def test_commands_print_what_is_shown(
    command: str, environment: dict[str, str], command_line: str, output: str, tmp_path: Path
) -> None:
    path = os.pathsep.join([str(Path(command).parent), environment.get("PATH", "")])
    done = subprocess.run(
        ["bash", "-c", command_line],  # noqa: S607 - pipes are part of what is shown
        capture_output=True,
        text=True,
        env={**environment, "PATH": path},
        cwd=tmp_path,
        timeout=120,
        check=False,
    )
    answer = done.stdout or done.stderr
    assert answer.strip("\n").split("\n") == output.strip("\n").split("\n")


def test_the_python_examples() -> None:
    failed, tried = doctest.testfile(str(README), module_relative=False)
    assert tried > 8
    assert failed == 0
