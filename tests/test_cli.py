"""The command line as a user meets it: every verb on both puzzles, and what goes where."""

from __future__ import annotations

import csv
import json
import os
import pty
import re
import select
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest

from backrank import Board, KnightTours, Queens, parse_placements, parse_tours, queens_faults, tour_faults
from backrank.formats import PLACEMENT_FORMS, TOUR_FORMS

Run = Callable[..., CompletedProcess[str]]

TOUR = "1 4 7 10\n8 11 2 5\n3 6 9 12\n"  # of 3x4


def answers(done: CompletedProcess[str], code: int = 0) -> list[dict[str, Any]]:
    """The JSON objects on standard output, one a line."""
    assert done.returncode == code, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


# --- solve -----------------------------------------------------------------------------------------


def test_solve_tour(backrank: Run) -> None:
    done = backrank("solve", "tour", "8x8", "--start", "c3")
    assert done.returncode == 0
    [claim] = parse_tours(done.stdout)
    assert claim.board == Board(8)
    assert claim.faults(start=Board(8).square("c3")) == []
    assert {len(line) for line in done.stdout.splitlines()} == {8 * 3 - 1}
    [remark] = done.stderr.splitlines()
    assert "open tour of 8x8, c3 to" in remark
    assert "64 calls" in remark


def test_solve_queens(backrank: Run) -> None:
    done = backrank("solve", "queens", "8")
    assert done.returncode == 0
    assert done.stdout.count("♛") == 8
    [claim] = parse_placements(done.stdout)
    assert claim.faults() == []
    [remark] = done.stderr.splitlines()
    assert "8 queens on 8x8" in remark


def test_solve_with_every_condition(inside: Run) -> None:
    done = inside("solve", "tour", "6x6", "--start", "a1", "--end", "f1", "--format", "names")
    squares = done.stdout.split()
    assert (squares[0], squares[-1], len(squares)) == ("a1", "f1", 36)
    done = inside("solve", "tour", "6x6", "--closed", "--format", "names")
    [claim] = parse_tours(done.stdout, board=Board(6))
    assert claim.faults(closed=True) == []
    assert "closed tour" in done.stderr
    done = inside("solve", "tour", "5x5", "--holes", "a1, e5", "--start", "b5")
    [claim] = parse_tours(done.stdout)
    assert claim.board == Board(5, holes="a1 e5")
    assert claim.faults(start=1) == []
    done = inside("solve", "tour", "4x4", "--wrap", "torus", "--closed", "--json")
    [answer] = answers(done)
    board = Board(4, wrap="torus")
    assert tour_faults(board, [tuple(cell) for cell in answer["answer"]["cells"]], closed=True) == []
    done = inside("solve", "tour", "10x10", "--piece", "1,4", "--json")
    assert answers(done)[0]["answer"]["piece"] == "giraffe"
    done = inside("solve", "queens", "6x9", "-k", "4", "--holes", "a1", "--format", "names")
    assert len(done.stdout.split()) == 4


def test_solve_takes_a_map(inside: Run, tmp_path: Path) -> None:
    path = tmp_path / "board.txt"
    path.write_text("...\n.#.\n...\n")
    done = inside("solve", "tour", f"@{path}", "--closed", "--format", "names", "-q")
    assert (done.returncode, done.stderr) == (0, "")
    assert len(done.stdout.split()) == 8
    assert "b2" not in done.stdout
    done = inside("solve", "tour", f"@{path}", "--holes", "a1", "--closed")
    assert done.returncode == 1


def test_solve_json(inside: Run) -> None:
    [answer] = answers(inside("solve", "tour", "5x5", "--start", "a5", "--json"))
    assert {"solvable", "reason", "strategy", "calls", "backtracks", "answer"} <= set(answer)
    assert answer["solvable"] is True
    assert answer["answer"]["kind"] == "tour"
    assert answer["answer"]["board"] == {"rows": 5, "cols": 5, "holes": [], "wrap": "none"}
    assert answer["answer"]["start"] == answer["answer"]["squares"][0] == "a5"
    cells = [tuple(cell) for cell in answer["answer"]["cells"]]
    assert tour_faults(Board(5), cells, start=0) == []
    assert answer["calls"] - answer["backtracks"] == 25
    [answer] = answers(inside("solve", "queens", "5", "--json"))
    assert answer["answer"]["kind"] == "placement"
    assert queens_faults(Board(5), [tuple(cell) for cell in answer["answer"]["cells"]]) == []
    for words in ("solve tour 4x4 --json", "solve queens 3 --json"):
        done = inside(*words.split())
        [answer] = answers(done, code=1)
        assert answer["solvable"] is False
        assert answer["answer"] is None
        assert answer["strategy"] == "theorem"
        assert answer["reason"] in done.stderr


@pytest.mark.parametrize("form", TOUR_FORMS)
def test_every_format_of_a_tour_can_be_checked(inside: Run, tmp_path: Path, form: str) -> None:
    done = inside("solve", "tour", "5x6", "--format", form, "--quiet")
    assert (done.returncode, done.stderr) == (0, "")
    check = inside("check", "tour", "-", text=done.stdout)
    assert (check.returncode, check.stdout.split(":")[0]) == (0, "valid"), check.stdout
    path = tmp_path / "tour.txt"
    path.write_text(done.stdout)
    assert inside("check", "tour", str(path), "--board", "5x6", "--format", form).returncode == 0
    listed = inside("list", "tours", "5x6", "--start", "a1", "--limit", "3", "--format", form)
    assert listed.returncode == 0
    check = inside("check", "tour", "-", text=listed.stdout)
    assert check.returncode == 0, check.stdout
    assert "3 tours, 3 valid" in check.stdout


@pytest.mark.parametrize("form", PLACEMENT_FORMS)
def test_every_format_of_a_placement_can_be_checked(inside: Run, tmp_path: Path, form: str) -> None:
    done = inside("solve", "queens", "6", "--format", form, "--quiet")
    assert (done.returncode, done.stderr) == (0, "")
    check = inside("check", "queens", "-", text=done.stdout)
    assert (check.returncode, check.stdout.split(":")[0]) == (0, "valid"), check.stdout
    path = tmp_path / "queens.txt"
    path.write_text(done.stdout)
    assert inside("check", "queens", str(path), "--board", "6", "--format", form).returncode == 0
    listed = inside("list", "queens", "6", "--format", form)
    assert listed.returncode == 0
    check = inside("check", "queens", "-", text=listed.stdout)
    assert check.returncode == 0, check.stdout
    assert "4 placements, 4 valid" in check.stdout


def test_listed_csv_is_one_table(inside: Run) -> None:
    for words, columns, items, size in (
        ("list tours 5x6 --start a1 --limit 3", ["tour", "step", "row", "col", "name"], 3, 30),
        ("list queens 6", ["placement", "row", "col", "name"], 4, 6),
    ):
        done = inside(*words.split(), "--format", "csv")
        header, *rows = csv.reader(done.stdout.splitlines())
        assert header == columns
        assert [int(row[0]) for row in rows] == [number for number in range(1, items + 1) for _ in range(size)]


# --- list ------------------------------------------------------------------------------------------


def test_list_tours(inside: Run) -> None:
    done = inside("list", "tours", "3x4")
    assert done.returncode == 0
    assert done.stdout.splitlines() == [" ".join(tour.names) for tour in KnightTours(3, 4)]
    assert done.stderr == "all 16 open tours (directed) of 3x4\n"
    done = inside("list", "tours", "5x6", "--closed", "--json")
    listed = answers(done)
    assert len(listed) == 8
    assert {tour["closed"] for tour in listed} == {True}
    assert "all 8 closed tours (undirected)" in done.stderr
    done = inside("list", "tours", "3x4", "--start", "a3", "--end", "d1", "-q")
    assert (done.returncode, done.stderr) == (0, "")
    wanted = KnightTours(3, 4, start="a3", end="d1")
    assert done.stdout.splitlines() == [" ".join(tour.names) for tour in wanted]


def test_list_queens(inside: Run) -> None:
    done = inside("list", "queens", "6")
    assert done.stdout == "1 3 5 0 2 4\n2 5 1 4 0 3\n3 0 4 1 5 2\n4 2 0 5 3 1\n"
    assert done.stderr == "all 4 placements of 6 queens on 6x6\n"
    assert [line["kind"] for line in answers(inside("list", "queens", "6", "--json"))] == ["placement"] * 4
    done = inside("list", "queens", "6", "--format", "board", "--limit", "1")
    assert done.stdout.splitlines()[0] == ". Q . . . ."
    names = inside("list", "queens", "3x3", "-k", "2").stdout.splitlines()
    assert names == [" ".join(placement.names) for placement in Queens(3, queens=2)]


@pytest.mark.parametrize(
    ("limit", "lines", "remark"),
    [
        ("5", 5, "the first 5 placements of 8 queens on 8x8; --limit 0 prints all"),
        ("91", 91, "the first 91 placements of 8 queens on 8x8; --limit 0 prints all"),
        ("92", 92, "all 92 placements of 8 queens on 8x8"),
        ("93", 92, "all 92 placements of 8 queens on 8x8"),
        ("0", 92, "all 92 placements of 8 queens on 8x8"),
    ],
)
def test_limit(inside: Run, limit: str, lines: int, remark: str) -> None:
    done = inside("list", "queens", "8", "--limit", limit)
    assert done.returncode == 0
    assert len(done.stdout.splitlines()) == lines
    assert done.stderr.splitlines() == [remark]


def test_boards_are_listed_with_an_empty_line_between(inside: Run) -> None:
    done = inside("list", "tours", "3x4", "--limit", "2", "--format", "grid")
    first, second = done.stdout.rstrip("\n").split("\n\n")
    assert [len(block.splitlines()) for block in (first, second)] == [3, 3]


# --- count -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("tours 5x5", "1728 directed open tours on 5x5"),
        ("tour 5x5 --undirected", "864 undirected open tours on 5x5"),
        ("tours 5x5 --start 0,0", "304 directed open tours on 5x5 from a5"),
        ("tours 6x6 --closed", "9862 undirected closed tours on 6x6"),
        ("tours 5x6 --closed --directed", "16 directed closed tours on 5x6"),
        ("tours 3x4 --undirected --up-to-symmetry", "3 undirected open tours on 3x4, up to symmetry"),
        ("tours 4x4 --wrap torus --closed", "1344 undirected closed tours on 4x4 torus"),
        ("queens 8", "92 placements of 8 queens on 8x8"),
        ("queens 8 --up-to-symmetry", "12 placements of 8 queens on 8x8, up to symmetry"),
        ("queens 6 -k 5", "248 placements of 5 queens on 6x6"),
        ("queens 4x7", "140 placements of 4 queens on 4x7"),
        ("queens 7 --wrap torus", "28 placements of 7 queens on 7x7 torus"),
    ],
)
def test_count_says_which_number_it_is(inside: Run, words: str, line: str) -> None:
    done = inside("count", *words.split())
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{line}\n", "")
    quiet = inside("count", *words.split(), "-q")
    assert quiet.stdout == f"{line.split(maxsplit=1)[0]}\n"
    [answer] = answers(inside("count", *words.split(), "--json"))
    assert str(answer["count"]) == answer["text"] == line.split(maxsplit=1)[0]
    assert answer["up_to_symmetry"] is ("up to symmetry" in line)
    assert answer["kind"] == ("queens" if "queens" in words else "tours")
    if answer["kind"] == "tours":
        assert answer["directed"] is (" directed" in line)
        assert answer["closed"] is ("closed" in line)


def test_count_by_the_command(backrank: Run) -> None:
    done = backrank("count", "queens", "8")
    assert (done.returncode, done.stdout, done.stderr) == (0, "92 placements of 8 queens on 8x8\n", "")
    done = backrank("count", "tours", "6x6", "--undirected", "-q")
    assert (done.returncode, done.stdout, done.stderr) == (0, "3318960\n", "")


# --- check -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        " 1 4 7 10\n 8 11 2 5\n 3 6 9 12\n",
        "0 3 6 9\n7 10 1 4\n2 5 8 11\n",
        "| 1 | 4 | 7 | 10 |\n| 8 | 11 | 2 | 5 |\n| 3 | 6 | 9 | 12 |\n",
        "a3 c2 a1 b3 d2 b1 c3 a2 c1 d3 b2 d1\n",
        "(0,0) (1,2) (2,0) (0,1) (1,3) (2,1) (0,2) (1,0) (2,2) (0,3) (1,1) (2,3)\n",
        "[[1,4,7,10],[8,11,2,5],[3,6,9,12]]",
        "# a comment\r\n1 4 7 10\r\n8 11 2 5\r\n3 6 9 12\r\n",
        "\ufeff1 4 7 10\n8 11 2 5\n3 6 9 12\n",
    ],
)
def test_check_reads_what_people_write(inside: Run, text: str) -> None:
    done = inside("check", "tour", "-", text=text)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout == "valid: open tour of 3x4\n"


def test_check_by_the_command(backrank: Run, tmp_path: Path) -> None:
    solved = backrank("solve", "tour", "8x8", cwd=tmp_path)
    assert backrank("check", "tour", "-", text=solved.stdout).stdout == "valid: open tour of 8x8\n"
    (tmp_path / "q.txt").write_text("0 4 7 5 2 6 1 3\n")
    done = backrank("check", "queens", "q.txt", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "valid: placement of 8 queens on 8x8\n")


def test_check_prints_every_fault(inside: Run) -> None:
    # 7 twice, 12 left out, and moves that are none.
    done = inside(
        "check",
        "tour",
        "-",
        text="1 4 7 10\n8 11 2 5\n3 6 9 7\n",
    )
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    assert "number repeated: 7 is printed 2 times, on c3, d1" in lines
    assert "numbers skipped: 1 of 1 to 12 is not printed: 12" in lines
    assert lines[-1].startswith("not an open tour of 3x4: ")
    assert f"{len(lines) - 1} fault" in lines[-1]
    done = inside("check", "queens", "-", text="0 0 1 1\n")
    assert done.returncode == 1
    assert done.stdout.count("same column") == 2
    assert done.stdout.count("same diagonal") >= 1
    done = inside(
        "check", "tour", "-", "--start", "b3", "--end", "a3", "--closed", text=" 1 4 7 10\n8 11 2 5\n3 6 9 12\n"
    )
    kinds = [line.split(":")[0] for line in done.stdout.splitlines()[:-1]]
    assert kinds == ["wrong start", "wrong end", "not closed"]


def test_check_cuts_long_lists_unless_asked(inside: Run) -> None:
    text = "\n".join(" ".join(str(10 * row + col + 1) for col in range(10)) for row in range(10))
    done = inside("check", "tour", "-", text=text)
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    assert len(lines) == 52
    assert lines[50] == "... and 49 more faults; --all prints them"
    every = inside("check", "tour", "-", "--all", text=text)
    assert len(every.stdout.splitlines()) == 100
    assert "99 faults" in every.stdout


def test_check_many_at_once(inside: Run) -> None:
    done = inside("check", "queens", "-", text="1 3 0 2\n2 0 3 1\n0 1 2 3\n")
    assert done.returncode == 1
    assert done.stdout.splitlines()[-1] == "3 placements, 2 valid, 1 with faults"
    assert done.stdout.startswith("placement 3: ")


def test_check_json(inside: Run) -> None:
    done = inside("check", "queens", "-", "--json", text="1 3 0 2\n0 1 2 3\n")
    valid, wrong = answers(done, code=1)
    assert (valid["number"], valid["valid"], valid["faults"]) == (1, True, [])
    assert (wrong["number"], wrong["valid"]) == (2, False)
    assert {"kind", "message", "cells", "steps"} == set(wrong["faults"][0])
    assert wrong["faults"][0]["kind"] == "same diagonal"
    [tour] = answers(inside("check", "tour", "-", "--json", text="1 4 7 10\n8 11 2 5\n3 6 9 12\n"))
    assert tour["valid"] is True


def test_check_with_the_board_given(inside: Run) -> None:
    names = "a3 c2 a1 b3 d2 b1 c3 a2 c1 d3 b2 d1"
    assert inside("check", "tour", "-", "--board", "3x4", text=names).returncode == 0
    done = inside("check", "tour", "-", "--board", "4x4", text=names)
    assert done.returncode == 1
    assert "missing squares: 4 of 16" in done.stdout
    eight = "0 4 7 5 2 6 1 3"
    assert inside("check", "queens", "-", "--board", "8", "-k", "8", text=eight).returncode == 0
    assert "wrong number" in inside("check", "queens", "-", "-k", "7", text=eight).stdout
    assert inside("check", "queens", "-", "--board", "8", "--wrap", "torus", text=eight).returncode == 1
    assert "hole" in inside("check", "queens", "-", "--board", "8", "--holes", "a8", text=eight).stdout


# --- files -----------------------------------------------------------------------------------------

WRITERS = [
    "solve tour 5x5 --start a1",
    "solve queens 5",
    "list tours 5x4",
    "list queens 5 --json",
    "count tours 5x5",
    "count queens 5 --json",
]


@pytest.mark.parametrize("words", WRITERS)
def test_output_goes_to_a_file(inside: Run, tmp_path: Path, words: str) -> None:
    printed = inside(*words.split())
    path = tmp_path / "answer.txt"
    done = inside(*words.split(), "-o", str(path))
    assert (done.returncode, done.stdout) == (0, "")
    assert path.read_text(encoding="utf-8") == printed.stdout
    assert list(tmp_path.iterdir()) == [path]
    assert path.stat().st_mode & 0o777 == 0o666 & ~_umask()
    path.write_text("old")
    assert inside(*words.split(), "-o", str(path), "--force").returncode == 0
    assert path.read_text(encoding="utf-8") == printed.stdout
    assert list(tmp_path.iterdir()) == [path]
    assert inside(*words.split(), "-o", "-").stdout == printed.stdout


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def test_a_link_to_a_file_counts_as_that_file(inside: Run, tmp_path: Path) -> None:
    path = tmp_path / "answer.txt"
    path.write_text("old")
    link = tmp_path / "link.txt"
    link.symlink_to(path)
    assert inside("count", "queens", "5", "-q", "-o", str(link)).returncode == 2
    assert path.read_text() == "old"


# --- streams ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("words", ["list queens 10", "list tours 5x5 --format grid", "list queens 12"])
def test_a_reader_who_has_seen_enough_is_no_trouble(command: str, environment: dict[str, str], words: str) -> None:
    with subprocess.Popen(
        [command, *words.split()], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline()
        process.stdout.close()
        complaints = process.stderr.read()
        assert process.wait(60) in (0, -signal.SIGPIPE)
    assert "Broken" not in complaints
    assert "Traceback" not in complaints
    assert complaints == "" or complaints.startswith("all ")


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_a_terminal_without_chess_symbols_gets_something(backrank: Run, encoding: str) -> None:
    done = backrank("solve", "queens", "5", PYTHONIOENCODING=encoding)
    assert done.returncode == 0
    assert len(done.stdout.splitlines()) == 5


def test_nothing_moves_off_a_terminal(backrank: Run) -> None:
    done = backrank("count", "queens", "14", "--time-limit", "1.2", FORCE_COLOR="1")
    assert done.returncode in (0, 3)
    assert done.stdout == "" or done.returncode == 0
    assert "\x1b" not in done.stderr
    assert "\r" not in done.stderr
    assert len(done.stderr.splitlines()) == 1 - (done.returncode == 0)


@contextmanager
def on_a_terminal(
    command: str, environment: dict[str, str], *words: str
) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """The command with a pseudo-terminal for standard error and nothing else."""
    reader, terminal = pty.openpty()
    try:
        with subprocess.Popen(
            [command, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=terminal, env=environment
        ) as process:
            os.close(terminal)
            try:
                yield process, reader
            finally:
                if process.poll() is None:
                    process.kill()
    finally:
        os.close(reader)


def read_until(reader: int, pattern: str, seconds: float = 60) -> str:
    """What a terminal shows until a pattern appears in it, or the other side hangs up."""
    shown = b""
    deadline = time.monotonic() + seconds
    while not re.search(pattern.encode(), shown):
        ready, _, _ = select.select([reader], [], [], max(0.0, deadline - time.monotonic()))
        assert ready, f"{pattern!r} did not appear in {shown!r}"
        try:
            more = os.read(reader, 65536)
        except OSError:  # Linux says "input/output error" when the other side is closed
            break
        if not more:
            break
        shown += more
    return shown.decode(errors="replace")


def test_progress_appears_on_a_terminal_after_a_second(command: str, environment: dict[str, str]) -> None:
    words = ("solve", "tour", "8x8", "--start", "0,1", "--strategy", "fixed", "--order", "python")
    began = time.monotonic()
    with on_a_terminal(command, environment, *words) as (process, reader):
        shown = read_until(reader, r"solving: [\d.]+ s, [\d,]+ calls \([\d,]+/s\), depth \d+ of 64")
        assert "calls" in shown
        assert time.monotonic() - began > 1
        seconds = re.findall(r"solving: ([\d.]+) s", shown)
        assert float(seconds[0]) >= 1
        process.send_signal(signal.SIGINT)
        rest = read_until(reader, "nothing is proven")
        assert "backrank: stopped after" in rest
        assert process.wait(60) == 130
        assert process.stdout is not None
        assert process.stdout.read() == b""


def test_quick_work_shows_no_progress_and_quiet_never_does(command: str, environment: dict[str, str]) -> None:
    with on_a_terminal(command, environment, "count", "queens", "8") as (process, reader):
        assert read_until(reader, "never") == ""
        assert process.wait(60) == 0
    words = ("count", "queens", "20", "-q", "--time-limit", "1.2")
    with on_a_terminal(command, environment, *words) as (process, reader):
        assert "counting" not in read_until(reader, "never")
        assert process.wait(60) == 3


def test_a_terminal_is_not_flooded(command: str, environment: dict[str, str]) -> None:
    reader, terminal = pty.openpty()
    with subprocess.Popen(
        [command, "list", "queens", "9"], stdout=terminal, stderr=subprocess.PIPE, env=environment
    ) as process:
        os.close(terminal)
        shown = read_until(reader, "never")
        assert process.stderr is not None
        remark = process.stderr.read().decode()
        assert process.wait(60) == 0
    os.close(reader)
    assert len(shown.split("\r\n")) == 101
    assert remark == "the first 100 placements of 9 queens on 9x9; --limit 0 prints all\n"


# --- interrupting ----------------------------------------------------------------------------------


def test_ctrl_c_leaves_one_line(command: str, environment: dict[str, str]) -> None:
    """Without a terminal there is no progress to wait for: the list that comes first shows that work goes on."""
    with subprocess.Popen(
        [command, "list", "queens", "20"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline()
        process.send_signal(signal.SIGINT)
        process.stdout.read()
        [line] = process.stderr.read().splitlines()
        assert process.wait(60) == 130
    assert line.startswith("backrank: stopped")
    assert "were printed" in line


def test_ctrl_c_keeps_what_was_written_and_names_it(command: str, environment: dict[str, str], tmp_path: Path) -> None:
    path = tmp_path / "all.txt"
    with on_a_terminal(command, environment, "list", "queens", "20", "-o", str(path)) as (process, reader):
        read_until(reader, r"[\d,]+ found")
        process.send_signal(signal.SIGINT)
        shown = read_until(reader, "never")
        assert process.wait(60) == 130
    assert not path.exists()
    [part] = tmp_path.iterdir()
    assert part.name.startswith("all.txt.")
    assert part.suffix == ".part"
    assert str(part) in shown.replace("\r\n", "")
    lines = part.read_text().splitlines()
    told = re.search(r"([\d,]+) are in", shown)
    assert told is not None
    assert len(lines) == int(told[1].replace(",", "")) > 0
    assert all(len(set(line.split())) == 20 for line in lines)


@pytest.mark.parametrize("words", ["count tours 7x8 --no-ledger", "solve queens 40 --strategy rows"])
def test_ctrl_c_while_counting(command: str, environment: dict[str, str], words: str) -> None:
    with on_a_terminal(command, environment, *words.split()) as (process, reader):
        read_until(reader, r"calls|states")
        process.send_signal(signal.SIGINT)
        shown = read_until(reader, "never")
        assert process.wait(60) == 130
        assert process.stdout is not None
        assert process.stdout.read() == b""
    assert "stopped" in shown
    assert "nothing is proven" in shown
    assert "Traceback" not in shown
    # The cursor, hidden while something moves, is there again.
    assert shown.rfind("\x1b[?25h") > shown.rfind("\x1b[?25l")


# --- help ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words",
    ["", "solve", "list", "count", "check"]
    + [f"{verb} {noun}" for verb in ("solve", "list", "count", "check") for noun in ("tour", "queens")],
)
def test_help(inside: Run, words: str) -> None:
    done = inside(*words.split(), "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert "Usage:" in done.stdout
    if " " in words:
        assert ("BOARD" in done.stdout) or ("FILE" in done.stdout)
        assert "--json" in done.stdout
        assert "Examples:" in done.stdout


@pytest.mark.parametrize("verb", ["solve", "list", "count", "check"])
def test_tour_and_tours_are_one_word(inside: Run, verb: str) -> None:
    operand, text = ("-", TOUR) if verb == "check" else ("3x4", "")
    one = inside(verb, "tour", operand, text=text)
    two = inside(verb, "tours", operand, text=text)
    assert one.returncode == two.returncode
    assert one.stdout == two.stdout


def test_version(backrank: Run) -> None:
    from backrank import __version__

    done = backrank("--version")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"backrank {__version__}\n", "")
