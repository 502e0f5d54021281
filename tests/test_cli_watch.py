"""`watch`, `compare`, `draw` and `--save`, as a user runs them."""

from __future__ import annotations

import csv
import io
import json
import os
import pty
import re
import select
import signal
import subprocess
import termios
import time
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import pytest

from backrank import KnightTours, read_cursor

Run = Callable[..., subprocess.CompletedProcess[str]]


class Terminal:
    """A command on a pseudo-terminal of 100 by 40: what it has drawn, and keys for it."""

    def __init__(self, command: str, environment: dict[str, str], *words: str) -> None:
        self.reader, self.terminal = pty.openpty()
        termios.tcsetwinsize(self.terminal, (40, 100))
        self.before = termios.tcgetattr(self.terminal)
        self.process = subprocess.Popen(
            [command, *words],
            stdin=self.terminal,
            stdout=self.terminal,
            stderr=self.terminal,
            env={**environment, "LINES": "40"},
            start_new_session=True,
        )
        self.shown = ""

    def wait_for(self, pattern: str, seconds: float = 60) -> str:
        """Read until something matches what has been drawn since the last time."""
        deadline = time.monotonic() + seconds
        while not (found := re.search(pattern, self.shown)):
            assert time.monotonic() < deadline, f"{pattern!r} never came: {self.shown[-2000:]!r}"
            if select.select([self.reader], [], [], 0.2)[0]:
                try:
                    self.shown += os.read(self.reader, 65536).decode(errors="replace")
                except OSError:
                    break
        assert found is not None, f"{pattern!r} never came: {self.shown[-2000:]!r}"
        self.shown = self.shown[found.end() :]
        return found.group(0)

    def press(self, keys: str) -> None:
        os.write(self.reader, keys.encode())

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(30)
        os.close(self.reader)
        os.close(self.terminal)


def test_watching_with_keys_and_the_terminal_as_before(command: str, environment: dict[str, str]) -> None:
    terminal = Terminal(command, environment, "watch", "queens", "4", "--speed", "100")
    try:
        terminal.wait_for(r"rows: 4 queens on 4x4")
        terminal.press(" ")
        terminal.wait_for("paused")
        terminal.press("\x1b[H")
        terminal.wait_for("nothing has happened yet")
        terminal.press("s")
        terminal.wait_for("solution 1: 1 3 0 2")
        terminal.press("\x1b[D")
        terminal.wait_for("event 30 ")
        terminal.press("g12\r")
        terminal.wait_for("event 12 ")
        terminal.press("q")
        terminal.wait_for("left at event 12")
        assert terminal.process.wait(30) == 0
        assert termios.tcgetattr(terminal.terminal) == terminal.before
    finally:
        terminal.close()


def test_ctrl_c_gives_the_terminal_back(command: str, environment: dict[str, str]) -> None:
    terminal = Terminal(command, environment, "watch", "tour", "6x6", "--compare", "fixed:python", "warnsdorff")
    try:
        terminal.wait_for("warnsdorff")
        os.killpg(terminal.process.pid, signal.SIGINT)
        terminal.wait_for("stopped")
        assert terminal.process.wait(30) == 130
        assert termios.tcgetattr(terminal.terminal) == terminal.before
    finally:
        terminal.close()


def test_keys_beyond_the_end_of_the_shorter_run(command: str, environment: dict[str, str]) -> None:
    words = ("watch", "queens", "6", "--compare", "rows", "fewest-first", "--from", "500")
    terminal = Terminal(command, environment, *words)
    try:
        terminal.wait_for("fewest-first")
        for key in ("s", "S", "b", "B", "\x1b[F", "\x1b[D"):
            terminal.press(key)
            terminal.wait_for("event [0-9,]+  paused")
        terminal.press("q")
        terminal.wait_for("left at event")
        assert terminal.process.wait(30) == 0
    finally:
        terminal.close()


def test_being_ended_gives_the_terminal_back_too(command: str, environment: dict[str, str]) -> None:
    terminal = Terminal(command, environment, "watch", "queens", "8")
    try:
        terminal.wait_for("8 queens on 8x8")
        terminal.process.terminate()
        terminal.wait_for(r"\x1b\[\?1049l")
        assert terminal.process.wait(30) == 128 + signal.SIGTERM
        assert termios.tcgetattr(terminal.terminal) == terminal.before
    finally:
        terminal.close()


def test_a_narrow_window_keeps_the_help_and_tells_what_does_not_fit(command: str, environment: dict[str, str]) -> None:
    terminal = Terminal(command, {**environment, "COLUMNS": "60"}, "watch", "tour", "20x20", "--strategy", "fixed")
    try:
        terminal.wait_for("the board needs 79 columns, there are 60")
        terminal.press(" ")
        terminal.wait_for("paused")
        terminal.wait_for("space play/pause")
        terminal.press("q")
        assert terminal.process.wait(30) == 0
    finally:
        terminal.close()


def test_a_long_jump_shows_how_far_it_is_and_any_key_ends_it(command: str, environment: dict[str, str]) -> None:
    words = ("watch", "tour", "8x8", "--start", "0,1", "--strategy", "fixed:python", "--speed", "1")
    terminal = Terminal(command, environment, *words)
    try:
        terminal.wait_for("fixed:python")
        terminal.press("s")
        terminal.wait_for("on the way: .*any key stops")
        terminal.press("x")
        terminal.wait_for("event [0-9,]{7,}  paused")
        terminal.press("q")
        assert terminal.process.wait(30) == 0
    finally:
        terminal.close()


def test_frames_are_the_four_queens_walk(backrank: Run) -> None:
    done = backrank("watch", "queens", "4", "--frames", "100")
    assert done.returncode == 0
    said = re.findall(r"^event \d+: (.*)$", done.stdout, re.MULTILINE)
    assert said[:4] == [
        "nothing has happened yet",
        "place on a4",
        "not on a3: same column as queen on a4",
        "not on b3: same diagonal as queen on a4",
    ]
    assert [line for line in said if line.startswith("solution")] == ["solution 1: 1 3 0 2", "solution 2: 2 0 3 1"]
    assert said[-1] == "step back from d4; the search is over"
    assert "\x1b" not in done.stdout
    assert len(said) == 79


def test_frames_of_two_strategies_from_a_moment_on(backrank: Run) -> None:
    words = ("watch", "tour", "5x5", "--compare", "fixed:python", "warnsdorff+prune")
    done = backrank(*words, "--frames", "2", "--from", "10", "--every", "5")
    assert re.findall(r"^event (\d+)", done.stdout, re.MULTILINE) == ["10", "10", "15", "15"]
    assert done.stdout.count("warnsdorff+prune:") == 2


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["watch", "queens", "8"], "--frames"),
        (["watch", "queens", "8", "--frames", "0"], "at least 1"),
        (["watch", "queens", "8", "--frames", "1", "--from", "-1"], "at least 0"),
        (["watch", "queens", "8", "--frames", "1", "--every", "0"], "at least 1"),
        (["watch", "queens", "8", "--frames", "1", "--strategy", "luck"], "fewest-first"),
        (["watch", "tour", "8x8", "--frames", "1", "--strategy", "luck"], "warnsdorff-roth"),
        (["watch", "tour", "8x8", "--frames", "1", "--strategy", "fixed:perl"], "java-a"),
        (["watch", "tour", "8x8", "--speed", "0", "--frames", "1"], "speed"),
        (["watch", "queens", "8", "-o", "/nowhere/run.html"], "no folder"),
        (["watch", "queens", "8", "-o", "run.html", "--language", "fr"], "en, zh"),
        (["compare", "tour", "8x8", "--strategies", "luck"], "warnsdorff-roth"),
        (["compare", "tour", "8x8", "--strategies", ","], "at least one"),
        (["compare", "tour", "8x8", "--limit-calls", "0"], "at least 1"),
        (["compare", "tour", "8x8", "--starts", "z9"], "z9"),
        (["compare", "tour", "4x4"], "no start is left"),
        (["compare", "tour", "5x5", "--format", "xml"], "table, json, csv"),
        (["draw", "tour", "/nowhere.txt"], "no such file"),
        (["solve", "tour", "8x8", "--save", "x.json"], "--strategy"),
        (["solve", "tour", "8x8", "--strategy", "fixed", "--save", "x.json"], "start"),
        (["solve", "queens", "8", "--strategy", "formula", "--save", "x.json"], "not formula"),
        (["solve", "tour", "8x8", "--start", "a1", "--strategy", "fixed", "--save", ""], "empty"),
        (["watch", "queens", "6", "--compare", "rows", "fewest-first", "--strategy", "rows"], "leave out --strategy"),
        (["watch", "queens", "6", "--compare", "rows", "fewest-first", "-o", "x.html"], "two pages"),
        (["watch", "queens", "6", "--events", "9"], "-o FILE"),
        (["watch", "queens", "6", "--every", "9"], "--frames"),
        (["watch", "queens", "6", "-o", "x.html", "--events", "3000000"], "200,000"),
        (["compare", "tour", "5x5", "--plot", "calls.png"], ".svg"),
        (["compare", "tour", "5x5", "--plot", "same.svg", "-o", "same.svg"], "two files"),
        (["draw", "tour", "-", "-o", "tour.gif"], "--format"),
    ],
)
def test_wrong_input_is_one_line(inside: Run, tmp_path: Path, words: list[str], says: str) -> None:
    words = [str(tmp_path / word) if word.endswith((".json", ".html")) and "/" not in word else word for word in words]
    done = inside(*words)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert says in done.stderr
    assert not list(tmp_path.iterdir())


def test_comparing_every_start(inside: Run, tmp_path: Path) -> None:
    words = ("compare", "tour", "5x5", "--strategies", "fixed:python,warnsdorff,warnsdorff", "--limit-calls", "3000")
    table = inside(*words, "-q")
    assert table.returncode == 0
    lines = table.stdout.splitlines()
    assert lines[0].split() == ["calls", "fixed:python", "warnsdorff"]
    assert len(lines) == 1 + 13 + 1 + 3
    assert inside(*words).stderr == "left out, since no tour begins there: 12 of the starts\n"
    data = json.loads(inside(*words, "--json").stdout)
    assert [summary["strategy"] for summary in data["summaries"]] == ["fixed:python", "warnsdorff"]
    rows = list(csv.DictReader(io.StringIO(inside(*words, "--format", "csv").stdout)))
    assert len(rows) == 26
    assert {row["strategy"] for row in rows} == {"fixed:python", "warnsdorff"}
    medians = {summary["strategy"]: summary["median_calls"] for summary in data["summaries"]}
    for strategy, median in medians.items():
        calls = sorted(run["calls"] if run["solved"] else 10**9 for run in data["runs"] if run["strategy"] == strategy)
        assert median == (None if calls[6] == 10**9 else calls[6])
    for row, run in zip(rows, data["runs"], strict=True):
        own = KnightTours(5, start=row["case"]).search(strategy=row["strategy"]) if run["solved"] else None
        assert own is None or own.calls == int(row["calls"]) == run["calls"]
        assert own is not None or int(row["calls"]) == 3000 or run["exhausted"]
    picture = tmp_path / "calls.svg"
    assert inside(*words, "--plot", str(picture)).returncode == 0
    solved = sum(run["solved"] for run in data["runs"])
    assert len(list(ET.parse(picture).iter("{http://www.w3.org/2000/svg}circle"))) == solved  # noqa: S314 - our own


def test_comparing_chosen_starts_and_queens(inside: Run) -> None:
    done = inside("compare", "tour", "8x8", "--starts", "a1 0,0 (3,3)", "--strategies", "warnsdorff-roth", "-q")
    assert [line.split()[0] for line in done.stdout.splitlines()[:4]] == ["calls", "a1", "a8", "d5"]
    done = inside("compare", "queens", "8", "--strategies", "rows", "--format", "csv")
    calls = {row["case"]: int(row["calls"]) for row in csv.DictReader(io.StringIO(done.stdout))}
    assert calls["8x8"] == 113
    assert list(calls) == ["4x4", "5x5", "6x6", "7x7", "8x8"]


def test_drawing_what_solving_prints(inside: Run, tmp_path: Path) -> None:
    tour = inside("solve", "tour", "5x6", "-q").stdout
    for name, sign in (("tour.svg", "<svg"), ("tour.html", "<!doctype html>"), ("tour.txt", " 1")):
        file = tmp_path / name
        assert inside("draw", "tour", "-", "-o", str(file), text=tour).returncode == 0
        assert file.read_text().startswith(sign)
        again = inside("draw", "tour", "-", "-o", str(file), text=tour)
        assert (again.returncode, "--force" in again.stderr) == (2, True)
    assert (tmp_path / "tour.txt").read_text() == tour
    queens = inside("solve", "queens", "6", "-q").stdout
    assert inside("draw", "queens", "-", text=queens).stdout.startswith("<svg")
    broken = inside("draw", "tour", "-", text=tour.replace(" 30", " 29"))
    assert (broken.returncode, "backrank check tour" in broken.stderr) == (2, True)


def test_a_run_as_a_page(inside: Run, tmp_path: Path) -> None:
    page = tmp_path / "run.html"
    done = inside("watch", "queens", "6", "-o", str(page), "--language", "zh")
    assert (done.returncode, done.stderr) == (0, f"wrote {page}: open it in a browser\n")
    text = page.read_text(encoding="utf-8")
    assert 'lang="zh' in text
    assert "http://" not in text.replace("http://www.w3.org/2000/svg", "")
    assert inside("watch", "queens", "6", "-o", str(page)).returncode == 2


def test_a_killed_search_goes_on_where_it_was(command: str, environment: dict[str, str], tmp_path: Path) -> None:
    """However often it is killed, no call is lost or made twice: the number at the end is that of one run."""
    file = tmp_path / "search.json"
    words = [command, "solve", "tour", "8x8", "--start", "0,0", "--strategy", "fixed:java-a", "--save", str(file)]
    for calls in (30_000, 200_000):
        done = subprocess.run([*words, "--call-limit", str(calls)], capture_output=True, env=environment, check=False)
        assert done.returncode == 3
        assert b"goes on from" in done.stderr
    before = read_cursor(file.read_text())
    assert before.calls == 230_000
    slow = [*words[:-4], "--strategy", "fixed:python", "--start", "0,1", "--save", str(tmp_path / "long.json")]
    with subprocess.Popen(slow, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment) as process:
        while not (tmp_path / "long.json").exists():
            assert process.poll() is None
            time.sleep(0.01)
        process.kill()
    kept = read_cursor((tmp_path / "long.json").read_text())
    assert kept.calls > 0
    done = subprocess.run(words, capture_output=True, env=environment, check=False)
    assert done.returncode == 0
    assert b"5,787,981 calls" in done.stderr
    again = subprocess.run(words, capture_output=True, env=environment, check=False)
    assert (again.returncode, again.stdout) == (0, done.stdout)


def test_a_file_that_is_not_this_search_is_left_alone(inside: Run, tmp_path: Path) -> None:
    file = tmp_path / "search.json"
    words = ("solve", "tour", "6x6", "--start", "a1", "--strategy", "warnsdorff", "--save", str(file))
    assert inside(*words).returncode == 0
    kept = file.read_text()
    for changed, other in (
        (kept, [*words[:4], "b3", *words[5:]]),
        (kept, [*words[:6], "degree", *words[7:]]),
        (kept[:80], list(words)),
        (kept.replace('"calls":36', '"calls":37'), list(words)),
        ("my only copy of a poem", list(words)),
    ):
        file.write_text(changed)
        done = inside(*other)
        assert done.returncode == 2, done
        assert "Traceback" not in done.stderr
        assert file.read_text() == changed
