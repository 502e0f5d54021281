"""Where answers go: files of every kind, closed streams, and a terminal that only listens to standard error."""

from __future__ import annotations

import os
import pty
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from backrank.cli.output import Output, OutputError

Run = Callable[..., subprocess.CompletedProcess[str]]


def test_a_pipe_is_written_to_and_stays_a_pipe(backrank: Run, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE, text=True) as reader:  # noqa: S607
        assert backrank("solve", "queens", "4", "--format", "columns", "-o", str(pipe)).returncode == 0
        assert reader.communicate(timeout=60)[0] == "1 3 0 2\n"
    assert pipe.is_fifo()


def test_a_device_stays_a_device(inside: Run) -> None:
    before = Path(os.devnull).stat()
    assert inside("solve", "queens", "4", "-o", os.devnull).returncode == 0
    assert inside("solve", "queens", "4", "-o", os.devnull, "--force").returncode == 0
    after = Path(os.devnull).stat()
    assert (after.st_mode, after.st_rdev) == (before.st_mode, before.st_rdev)


def test_a_link_leads_to_its_file_which_keeps_its_mode(inside: Run, tmp_path: Path) -> None:
    target, link = tmp_path / "target.txt", tmp_path / "link.txt"
    target.write_text("mine")
    target.chmod(0o600)
    link.symlink_to(target)
    assert inside("solve", "queens", "4", "-q", "-o", str(link)).returncode == 2
    assert target.read_text() == "mine"
    assert inside("solve", "queens", "4", "-q", "--format", "columns", "-o", str(link), "--force").returncode == 0
    assert link.is_symlink()
    assert target.read_text() == "1 3 0 2\n"
    assert target.stat().st_mode & 0o777 == 0o600


def write_half(sink: Output) -> None:
    with sink:
        sink.write_bytes(b"half")
        raise KeyboardInterrupt


def test_bytes_appear_whole_or_not_at_all(tmp_path: Path) -> None:
    file = tmp_path / "x.bin"
    with Output(str(file), force=False) as sink:
        assert sink.as_file().write(b"\x00\xff") == 2
        sink.write_bytes(memoryview(b"\n\r\n"))
        assert not file.exists()
    assert file.read_bytes() == b"\x00\xff\n\r\n"
    with pytest.raises(OutputError, match="--force"):
        Output(str(file), force=False)
    interrupted = Output(str(file), force=True)
    with pytest.raises(KeyboardInterrupt):
        write_half(interrupted)
    assert file.read_bytes() == b"\x00\xff\n\r\n"
    assert interrupted.kept is not None
    assert interrupted.kept.read_bytes() == b"half"
    assert sorted(tmp_path.iterdir()) == sorted([file, interrupted.kept])


def test_text_and_bytes_keep_their_order(capfdbinary: pytest.CaptureFixture[bytes], tmp_path: Path) -> None:
    for name in (None, str(tmp_path / "x")):
        with Output(name, force=False) as sink:
            sink.write("♛")
            sink.write_bytes(b"\xff\n")
            sink.write("end")
    shown = capfdbinary.readouterr().out
    assert shown == (tmp_path / "x").read_bytes() == "♛\n".encode() + b"\xff\nend\n"


@pytest.mark.parametrize("name", ["", "  "])
def test_a_file_needs_a_name(inside: Run, name: str) -> None:
    done = inside("solve", "queens", "4", "-o", name)
    assert (done.returncode, "empty" in done.stderr) == (2, True)


@pytest.mark.parametrize("closing", [">&-", "2>&-", "<&-", ">&- 2>&- <&-"])
@pytest.mark.parametrize("words", ["solve queens 4", "check queens -", "--version"])
def test_closed_streams_are_no_traceback(command: str, environment: dict[str, str], closing: str, words: str) -> None:
    done = subprocess.run(
        ["bash", "-c", f"{command} {words} {closing}"],  # noqa: S607 - closing streams is the shell's
        input="1 3 0 2\n",
        capture_output=True,
        text=True,
        env=environment,
        timeout=60,
        check=False,
    )
    assert "Traceback" not in done.stderr
    reads_nothing = words.startswith("check") and "<" in closing
    assert done.returncode == (2 if reads_nothing else 0)


def test_a_remark_that_cannot_be_written_does_not_spoil_the_answer(command: str, environment: dict[str, str]) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [command, "solve", "queens", "4", "--format", "columns"],
            stdout=subprocess.PIPE,
            stderr=full,
            env=environment,
            timeout=60,
            check=False,
        )
    assert (done.returncode, done.stdout) == (0, b"1 3 0 2\n")


def test_the_progress_line_never_takes_the_answers(command: str, environment: dict[str, str], tmp_path: Path) -> None:
    """With standard error on a terminal and standard output in a file, every line goes into the file."""
    reader, terminal = pty.openpty()
    file = tmp_path / "tours.txt"
    with file.open("w") as output:
        words = [command, "list", "tours", "6x6", "--limit", "60000"]
        process = subprocess.Popen(words, stdout=output, stderr=terminal, env=environment)
    os.close(terminal)
    shown = b""
    try:
        while chunk := os.read(reader, 65536):
            shown += chunk
    except OSError:
        pass  # the terminal is gone when the process is
    assert process.wait(120) == 0
    os.close(reader)
    lines = file.read_text().splitlines()
    assert len(lines) == 60_000
    assert all(len(line.split()) == 36 for line in lines)
    assert b"a6 b4" not in shown
    assert b"listing:" in shown  # the line did appear: there was something to get wrong
