"""Every wrong input gives one line that says what is wrong and what would be right, and exit code 2.

A puzzle without an answer is no wrong input: that is exit code 1, with the reason. The inputs of which people complain
most go through the installed command; the long tables through the same entry point without a new process.
"""

from __future__ import annotations

import errno
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

Run = Callable[..., CompletedProcess[str]]


def complaint(done: CompletedProcess[str], code: int = 2) -> str:
    """The one line that was complained with."""
    assert done.returncode == code, done.stderr
    assert done.stdout == ""
    lines = done.stderr.splitlines()
    assert len(lines) == 1, done.stderr
    assert len(lines[0]) < 400
    if code == 2:
        assert lines[0].startswith("backrank: ")
        assert not lines[0].startswith("backrank: ;")
    return lines[0]


# --- the installed command -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "code", "right"),
    [
        ("solve tour 8x", 2, "8x8"),
        ("solve tour 0x5", 2, "at least 1"),
        ("solve tour -3x4", 2, "8x8"),
        ("solve tour 8x8 --start a9", 2, "a1 to h8"),
        ("solve tour 8x8 --start (9,9)", 2, "0,0 to 7,7"),
        ("solve tour 8x8 --start c3 --holes c3", 2, "hole"),
        ("solve tour 5x5 --start 0,1", 1, "colour"),
        ("solve queens 2", 1, "2 queens"),
        ("solve queens 3", 1, "3 queens"),
        ("solve tour 100000x10000", 2, "1,000,000,000 squares"),
        ("check tour empty.txt", 2, "empty"),
        ("check queens binary.dat", 2, "not text"),
        ("check tour words.txt", 2, "line 1"),
        ("check queens words.txt", 2, "line 1"),
        ("check tour ragged.txt", 2, "equally long"),
        ("check tour none.txt", 2, "no such file"),
        ("solve tour 8x8 -o words.txt", 2, "--force"),
    ],
)
def test_one_line_by_the_installed_command(backrank: Run, tmp_path: Path, words: str, code: int, right: str) -> None:
    (tmp_path / "empty.txt").write_text("")
    (tmp_path / "binary.dat").write_bytes(bytes(range(256)))
    (tmp_path / "words.txt").write_text("twelve monkeys\nrode by\n")
    (tmp_path / "ragged.txt").write_text("1 2 3\n4 5\n7 8 9\n")
    assert right in complaint(backrank(*words.split(), cwd=tmp_path), code)
    assert len(list(tmp_path.iterdir())) == 4
    assert (tmp_path / "words.txt").read_text() == "twelve monkeys\nrode by\n"


# --- boards and squares ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "wrong", "right"),
    [
        ("solve tour 8x", "'8x'", "8x8"),
        ("solve queens 8x", "'8x'", "8x8"),
        ("solve tour 0x5", "'0x5'", "at least 1"),
        ("count tours 5x0", "'5x0'", "at least 1"),
        ("solve tour -3x4", "'-3x4'", "8x8"),
        ("count queens -3x4", "'-3x4'", "8x8"),
        ("list tours -- -3x4", "'-3x4'", "8x8"),
        ("solve tour -5", "'-5'", "8x8"),
        ("solve tour eight", "'eight'", "8x8"),
        ("solve tour 8x8x8", "'8x8x8'", "8x8"),
        ("solve tour 3.5x4", "'3.5x4'", "8x8"),
        ("count tours 99999999999999999999999x3", "23 digits", "large"),
        ("solve tour 8x8 --start a9", "a9", "a1 to h8"),
        ("solve tour 8x8 --start i1", "i1", "a1 to h8"),
        ("solve tour 8x8 --start (9,9)", "9,9", "0,0 to 7,7"),
        ("solve tour 8x8 --start -1,0", "-1,0", "0,0 to 7,7"),
        ("list tours 5x5 --end 5,5", "5,5", "0,0 to 4,4"),
        ("solve tour 8x8 --start c", "'c'", "c3"),
        ("solve tour 8x8 --start 7", "'7'", "row,col"),
        ("solve tour 8x8 --start a1 --holes a1", "hole", "choose a square"),
        ("solve tour 8x8 --end b2 --holes b2,c3", "b2 is a hole", "choose a square"),
        ("solve tour 8x8 --holes z99", "z99", "a1 to h8"),
        ("solve queens 8 --holes (((", "'((('", "'a1 b3'"),
        ("solve queens 8 --placed (((", "'((('", "'a1 b3'"),
        ("count queens 8 --placed z9", "z9", "a1 to h8"),
        ("list queens 8 --placed a1,c3", "a1 and c3 attack each other (same diagonal)", "take one"),
        ("solve queens 10 --piece amazon --placed a1,b3", "a1 and b3 attack each other (a knight's move", "take one"),
        ("sample queens 8 --placed a1,a1", "a1 twice", "once"),
        ("solve queens 8 --placed a1 --holes a1", "a1 is a hole", "choose"),
        ("solve queens 8 -k 1 --placed a1,b3", "2 queens are placed", "want more"),
        ("count queens 8 --placed a1 --up-to-symmetry", "break the symmetry", "leave"),
        ("list queens 8 --placed a1 --fundamental", "break the symmetry", "leave"),
        ("count queens 8 --placed a1 --symmetry 180", "break the symmetry", "leave"),
        ("solve queens 8 --piece rook", "'rook'", "amazon"),
        ("solve queens 8 --seed 1 --strategy rows", "random placement", "leave out"),
        ("solve queens 8 -k 5 --format npy -o q.npy", "some rows have none", "text"),
        ("solve tour 1x2 --holes a1,b1", "every square", "leave at least one"),
        ("solve tour 6x6 --start a1 --end a1", "a1", "two ends"),
        ("solve tour 6x6 --closed --end a1", "closed", "give a start"),
        ("solve tour 8x8 --wrap klein", "'klein'", "none, cylinder, torus"),
        ("solve tour 8x8 --piece queen", "queen", "leaper"),
        ("solve tour 8x8 --piece gnu", "'gnu'", "knight"),
        ("solve queens 8 -k -1", "-1", "at least 0"),
        ("solve queens 8 -k many", "--queens", "whole number"),
        ("solve tour 100000x10000", "1,000,000,000 squares", "at most"),
        ("list tours 100000x10000", "1,000,000,000 squares", "at most"),
        ("count tours 100000x10000", "1,000,000,000 squares", "at most"),
        ("solve queens 100000x10000", "1,000,000,000 squares", "at most"),
        ("list queens 100000x10000", "1,000,000,000 squares", "at most"),
        ("count queens 100000x10000", "1,000,000,000 squares", "at most"),
        ("solve tour 9999999999x2", "9999999999", "at most"),
    ],
)
def test_boards_and_squares_that_cannot_be(inside: Run, words: str, wrong: str, right: str) -> None:
    line = complaint(inside(*words.split()))
    assert wrong in line
    assert right in line


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("solve queens 2", "2 queens"),
        ("solve queens 3", "3 queens"),
        ("list queens 3", "3 queens"),
        ("solve queens 4 -k 5", "do not fit"),
        ("solve queens 6x6 --wrap torus", "torus"),
        ("solve tour 5x5 --start 0,1", "colour"),
        ("solve tour 7x7 --start a1 --end b1", "colour"),
        ("solve tour 5x5 --closed", "13 squares are of one colour and 12 of the other"),
        ("solve tour 4x7 --closed", "Schwenk"),
        ("solve tour 3x8 --closed", "Schwenk"),
        ("solve tour 4x4", "4x4"),
        ("list tours 3x3", "3x3"),
        ("solve tour 1x2", "1xn"),
        ("solve tour 1x1 --closed", "at least 3 squares"),
        ("solve tour 6x6 --piece 1,1", "never leaves its colour"),
    ],
)
def test_no_answer_is_one_line_with_the_reason(inside: Run, words: str, reason: str) -> None:
    line = complaint(inside(*words.split()), code=1)
    assert line.startswith("no answer: ")
    assert reason in line


def test_a_start_of_the_wrong_colour_says_why_and_what_would_do(inside: Run) -> None:
    line = complaint(inside("solve", "tour", "5x5", "--start", "b5"), code=1)
    assert "alternates colours" in line
    assert "13 to 12" in line
    assert "a5" in line
    assert "b5" in line


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("count queens 2", ""),
        ("count queens 3", ""),
        ("count tours 4x4", "none: no 4x4 board has an open tour"),
        ("count tours 5x5 --closed", "none: a closed tour alternates colours"),
    ],
)
def test_a_count_of_none_is_an_answer(inside: Run, words: str, why: str) -> None:
    done = inside(*words.split())
    assert done.returncode == 0
    assert done.stdout.startswith("0 ")
    assert done.stderr.startswith(why)
    assert done.stderr.count("\n") == bool(why)
    done = inside(*words.split(), "-q")
    assert (done.returncode, done.stdout, done.stderr) == (0, "0\n", "")


def test_one_square(inside: Run) -> None:
    done = inside("solve", "tour", "1x1")
    assert (done.returncode, done.stdout) == (0, "1\n")
    assert "Infinity" not in done.stderr
    assert inside("list", "tours", "1", "--format", "names").stdout == "a1\n"
    assert inside("count", "tours", "1x1", "-q").stdout == "1\n"
    assert inside("solve", "queens", "1", "--format", "columns").stdout == "0\n"
    assert inside("check", "tour", "-", text="1\n").returncode == 0


# --- usage -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "wrong", "right"),
    [
        ("solve tour", "BOARD", "--help"),
        ("check queens", "FILE", "--help"),
        ("solve tour 8x8 9x9", "9x9", "--help"),
        ("solve tour 8x8 --bogus", "--bogus", "--help"),
        ("list tours 5x5 --limit ten", "--limit", "whole number"),
        ("list tours 5x5 --limit -1", "-1", "at least 0"),
        ("list queens 5 --format prose", "'prose'", "columns"),
        ("solve tour 5x5 --format prose", "'prose'", "grid"),
        ("solve tour 8x8 --strategy luck", "'luck'", "warnsdorff"),
        ("solve queens 8 --strategy luck", "'luck'", "fewest-first"),
        ("solve tour 8x8 --strategy fixed --order alphabetical", "'alphabetical'", "python"),
        ("solve tour 8x8 --strategy fixed --order 1234567", "'1234567'", "12345678"),
        ("solve tour 8x8 --strategy fixed --order 1,2", "8", "step"),
        ("count tours 5x5 --method guess", "'guess'", "frontier"),
        ("count queens 5 --method guess", "'guess'", "reference"),
        ("count tours 3x3 --method guess", "'guess'", "frontier"),
        ("count queens 7 --wrap torus --method bits", "bits", "reference"),
        ("solve tour 8x8 --time-limit soon", "'soon'", "5m"),
        ("solve tour 8x8 --time-limit 0", "0", "more than 0"),
        ("solve tour 8x8 --time-limit -5", "-5", "time"),
        ("solve tour 8x8 --call-limit 0", "0", "at least 1"),
        ("check tour - --board 8x", "'8x'", "8x8"),
        ("check tour - --format prose", "'prose'", "grid"),
        ("check queens - --format prose", "'prose'", "columns"),
    ],
)
def test_wrong_usage(inside: Run, words: str, wrong: str, right: str) -> None:
    line = complaint(inside(*words.split(), text="1\n"))
    assert wrong in line
    assert right in line


@pytest.mark.parametrize(
    ("words", "known"),
    [
        ("resolve", "solve, list, count, watch"),
        ("solve knights", "tour"),
        ("count queens8", "tour"),
    ],
)
def test_an_unknown_word_comes_with_the_known_ones(inside: Run, words: str, known: str) -> None:
    line = complaint(inside(*words.split()))
    assert words.split(" ", 1)[-1] in line
    assert known in line
    if known == "tour":
        assert "queens" in line.replace("queens8", "")
        assert "solve, list" not in line


@pytest.mark.parametrize("words", ["", "solve", "check"])
def test_a_verb_alone_shows_its_help_and_nothing_odd(inside: Run, words: str) -> None:
    done = inside(*words.split())
    assert done.returncode == 2
    assert f"Usage: backrank {words}".rstrip() in " ".join(done.stdout.split() + done.stderr.split())
    assert "backrank: ;" not in done.stderr


# --- what is read ----------------------------------------------------------------------------------


@pytest.mark.parametrize("puzzle", ["tour", "queens"])
@pytest.mark.parametrize(
    ("content", "wrong"),
    [
        (b"", "empty"),
        (b" \n\t\n", "empty"),
        (bytes(range(256)), "not text"),
        (b"\x7fELF\x02\x01\x01\x00\x00\x00\xff\xfe\xfd", "not text"),
        (b"\x00\x01\x02\x03", ""),
        (b"{", ""),
        (b"twelve monkeys\nrode by\n", "line 1"),
    ],
)
def test_files_that_say_nothing(inside: Run, tmp_path: Path, puzzle: str, content: bytes, wrong: str) -> None:
    path = tmp_path / "claim.txt"
    path.write_bytes(content)
    assert wrong in complaint(inside("check", puzzle, str(path)))


@pytest.mark.parametrize(
    ("text", "wrong", "right"),
    [
        ("1 2 3\n4 5\n7 8 9\n", "line 2", "equally long"),
        ("1 2 x3\n4 5 6\n", "line 1", "a1"),
        ("a1 b3 c\n", "'c'", "a1"),
    ],
)
def test_malformed_tours(inside: Run, text: str, wrong: str, right: str) -> None:
    line = complaint(inside("check", "tour", "-", text=text))
    assert wrong in line
    assert right in line


def test_a_grid_with_a_missing_row_is_told_with_all_its_faults(inside: Run, tmp_path: Path) -> None:
    path = tmp_path / "short.txt"
    path.write_text("1 4 7 10\n8 11 2 5\n")
    done = inside("check", "tour", str(path), "--board", "3x4")
    assert done.returncode in (1, 2)
    assert "2 rows" in done.stdout + done.stderr
    assert "3" in done.stdout + done.stderr
    # Without the board, two rows are a board of their own; then its numbers are wrong, and each is named.
    alone = inside("check", "tour", str(path))
    assert alone.returncode == 1
    assert "10" in alone.stdout
    assert "2x4" in alone.stdout


@pytest.mark.parametrize(
    ("name", "wrong"), [("missing.txt", "no such file"), (".", "directory"), ("sub/none.txt", "no such file")]
)
def test_files_that_cannot_be_read(
    inside: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str, wrong: str
) -> None:
    monkeypatch.chdir(tmp_path)
    for puzzle in ("tour", "queens"):
        line = complaint(inside("check", puzzle, name))
        assert wrong in line
        assert name in line


def test_a_map_that_cannot_be_read(inside: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    assert "no such file" in complaint(inside("solve", "tour", "@missing.txt"))
    (tmp_path / "ragged.txt").write_text("...\n..\n")
    assert "equally long" in complaint(inside("solve", "tour", "@ragged.txt"))
    (tmp_path / "strange.txt").write_text("..?\n...\n")
    assert "'?'" in complaint(inside("count", "queens", "@strange.txt"))
    (tmp_path / "empty.txt").write_text("")
    assert "empty" in complaint(inside("list", "tours", "@empty.txt"))


# --- what is written -------------------------------------------------------------------------------

WRITERS = ["solve tour 5x5", "solve queens 5", "list tours 5x4", "list queens 5", "count tours 5x5", "count queens 5"]


@pytest.mark.parametrize("words", WRITERS)
def test_an_existing_file_stays_as_it_is(inside: Run, tmp_path: Path, words: str) -> None:
    path = tmp_path / "answer.txt"
    path.write_text("mine\n")
    line = complaint(inside(*words.split(), "-o", str(path)))
    assert str(path) in line
    assert "--force" in line
    assert path.read_text() == "mine\n"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("words", ["solve tour 4x4", "solve queens 3", "list tours 4x4", "list queens 3"])
def test_no_answer_writes_no_file_and_keeps_the_one_there(inside: Run, tmp_path: Path, words: str) -> None:
    path = tmp_path / "answer.txt"
    complaint(inside(*words.split(), "-o", str(path)), code=1)
    assert list(tmp_path.iterdir()) == []
    path.write_text("mine\n")
    complaint(inside(*words.split(), "-o", str(path), "--force"), code=1)
    assert path.read_text() == "mine\n"


def test_places_that_cannot_be_written(inside: Run, tmp_path: Path) -> None:
    assert "no folder" in complaint(inside("solve", "tour", "5x5", "-o", str(tmp_path / "none" / "x.txt")))
    assert "is a folder" in complaint(inside("list", "queens", "5", "-o", str(tmp_path)))
    assert "is a folder" in complaint(inside("list", "queens", "5", "-o", str(tmp_path), "--force"))
    assert complaint(inside("count", "queens", "5", "-o", ""))
    (tmp_path / "file").write_text("")
    assert complaint(inside("solve", "queens", "5", "-o", str(tmp_path / "file" / "x.txt")))
    assert complaint(inside("solve", "queens", "5", "-o", str(tmp_path / ("x" * 300))))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file"]


def test_a_folder_that_is_read_only(inside: Run, tmp_path: Path) -> None:
    folder = tmp_path / "locked"
    folder.mkdir()
    folder.chmod(0o555)
    if os.access(folder, os.W_OK):  # root may write everywhere but in /proc
        folder = Path("/proc")
    line = complaint(inside("solve", "tour", "5x5", "-o", str(folder / "x.txt")))
    assert "cannot" in line
    assert str(folder) in line


@pytest.mark.parametrize("words", ["list tours 5x4", "count tours 5x4", "check tour -", "list queens 9 --format board"])
def test_a_full_disk_is_told_in_one_line(command: str, environment: dict[str, str], words: str) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [command, *words.split()],
            input="1\n",
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
            timeout=60,
            check=False,
        )
    assert done.returncode == 2
    last = done.stderr.splitlines()[-1]
    assert last.startswith("backrank: ")
    assert os.strerror(errno.ENOSPC).lower() in last
    assert "Traceback" not in done.stderr


# --- limits ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words",
    [
        "solve tour 8x8 --start b8 --strategy fixed --order python --call-limit 1000",
        "count tours 7x8 --call-limit 1000",
        "count tours 7x8 --method listing --call-limit 1000",
        "list tours 20x20 --call-limit 300",
        "solve queens 30 --strategy rows --call-limit 1000",
        "count queens 20 --call-limit 1000",
        "count queens 13 --wrap cylinder --call-limit 1000",
        "count queens 20 --up-to-symmetry --time-limit 0.2",
    ],
)
def test_a_limit_is_exit_code_3_and_one_line(inside: Run, words: str) -> None:
    done = inside(*words.split())
    assert done.returncode == 3
    [line] = done.stderr.splitlines()
    assert "limit" in line
    assert "nothing is proven" in line
    assert done.stdout == ""


def test_a_limit_keeps_what_was_listed(inside: Run, tmp_path: Path) -> None:
    done = inside("list", "queens", "12", "--call-limit", "5000")
    assert done.returncode == 3
    assert len(done.stdout.splitlines()) > 10
    path = tmp_path / "all.txt"
    done = inside("list", "queens", "12", "--call-limit", "5000", "-o", str(path))
    assert done.returncode == 3
    assert not path.exists()
    [part] = tmp_path.iterdir()
    assert part.name.startswith("all.txt.")
    assert part.name.endswith(".part")
    assert part.read_text().splitlines()[0] == "0 2 4 7 9 11 5 10 1 6 8 3"
    assert str(part) in done.stderr
