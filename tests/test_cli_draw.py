"""`draw` at every size and in every form, NumPy files in and out, and answers too long for a terminal."""

from __future__ import annotations

import io
import math
import os
import pty
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from PIL import Image

from backrank.cli.reading import SMALL_SQUARES, TourFile
from backrank.errors import BoardTooLarge
from backrank.formats import write_tour_npy
from backrank.geometry.board import Board
from backrank.geometry.verify import FaultKind
from backrank.render import look, tour_html, tour_svg
from backrank.render.overview import apart
from backrank.render.sheet import CELL
from backrank.tours import KnightTours, Tour

Run = Callable[..., subprocess.CompletedProcess[str]]
SVG = "{http://www.w3.org/2000/svg}"
PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture(scope="module")
def large() -> Tour:
    tour = KnightTours(200).solve()
    assert tour is not None
    return tour


@pytest.fixture(scope="module")
def larger() -> Tour:
    """More squares than are checked one by one."""
    tour = KnightTours(320).solve()
    assert tour is not None
    return tour


# --- SVG up to 200x200 ------------------------------------------------------------------------------


def groups(picture: str, *wanted: str, without: str = "") -> list[ET.Element]:
    """The groups of a picture that have some attributes, and not another."""
    found = ET.fromstring(picture).iter(f"{SVG}g")  # noqa: S314 - our own
    return [each for each in found if all(map(each.get, wanted)) and each.get(without) is None]


@pytest.mark.parametrize("path", [True, False])
def test_forty_thousand_numbers_can_be_read(large: Tour, path: bool) -> None:
    picture = large.svg(numbers=True, path=path)
    root = ET.fromstring(picture)  # noqa: S314 - our own
    [group] = groups(picture, "text-anchor", "transform")
    numbers = list(group)
    assert [each.text for each in numbers] == [str(step) for step in range(1, 40_001)]
    # At full size: 44 pixels a square and digits of at least 10, and no page shrinks it.
    assert float(root.get("width", "")) > 200 * CELL
    assert root.get("viewBox", "").split()[2] == root.get("width")
    assert "max-width" not in picture
    assert float(group.get("font-size", "")) >= 10
    for step in (0, 1, 20_000, 39_999):
        row, col = large.board.cell(large.squares[step])
        x, y = (float(numbers[step].get(axis, "")) for axis in "xy")
        first = numbers[large.squares.index(0)]
        assert x - float(first.get("x", "")) == pytest.approx(col * CELL)
        assert y - float(first.get("y", "")) == pytest.approx(row * CELL)
    assert len(picture) < 3_500_000
    assert len(list(root.iter())) < 41_000


def test_every_number_but_the_ends_stands_on_a_bead_of_its_colour(large: Tour) -> None:
    [beads] = groups(large.svg(numbers=True), "stroke-linecap", without="stroke-linejoin")
    ring, *coloured = list(beads)
    places = re.compile(r"M(\S+) (\S+?)h")
    halves = 6 / CELL  # a bead for five digits is 12 longer than it is high
    found = [(int(y), round(float(x) + halves, 2)) for x, y in places.findall(ring.get("d", ""))]
    assert sorted(found) == sorted(large.board.cell(square) for square in large.squares[1:-1])
    assert len(coloured) == 96
    assert {each.get("stroke") for each in coloured} == set(look.trail_colours(96))
    total = [place for each in coloured for place in places.findall(each.get("d", ""))]
    assert total == places.findall(ring.get("d", ""))


def test_the_marks_of_the_ends_hold_their_numbers(large: Tour) -> None:
    root = ET.fromstring(large.svg(numbers=True))  # noqa: S314 - our own
    *_, last = root.iter(f"{SVG}rect")
    assert 40 < float(last.get("width", "")) < CELL
    [first] = root.iter(f"{SVG}circle")
    assert 2 * float(first.get("r", "")) < CELL


def test_the_path_of_forty_thousand_squares_is_shown_as_wide_as_others(large: Tour) -> None:
    picture = large.svg()
    assert 'width="720"' in picture
    assert "max-width:100%" in picture
    assert len(picture) < 200_000


def test_what_would_be_too_many_numbers_is_refused() -> None:
    with pytest.raises(BoardTooLarge, match="an SVG with numbers takes at most 40,000"):
        tour_svg(Board(201), [0], numbers=True)


def test_a_page_of_forty_thousand_squares_is_small(large: Tour) -> None:
    assert len(tour_html(large.board, large.squares)) < 300_000


# --- the command ------------------------------------------------------------------------------------


def image(path: Path) -> Image.Image:
    with Image.open(path) as found:
        found.load()
        return found


def test_a_picture_for_every_ending(inside: Run, tmp_path: Path) -> None:
    tour = inside("solve", "tour", "5x6", "-q").stdout
    for name, sign in (("a.svg", b"<svg"), ("a.html", b"<!doctype"), ("a.txt", b" 1"), ("a.png", PNG), ("B.PNG", PNG)):
        assert inside("draw", "tour", "-", "-o", str(tmp_path / name), text=tour).returncode == 0
        assert (tmp_path / name).read_bytes().startswith(sign)
        again = inside("draw", "tour", "-", "-o", str(tmp_path / name), text=tour)
        assert (again.returncode, "--force" in again.stderr) == (2, True)
    queens = inside("solve", "queens", "6", "-q").stdout
    assert inside("draw", "queens", "-", "-o", str(tmp_path / "q.png"), text=queens).returncode == 0
    assert image(tmp_path / "q.png").format == "PNG"
    sized = ("draw", "tour", "-", "-o", str(tmp_path / "s.png"), "--size", "300")
    assert inside(*sized, text=tour).returncode == 0
    assert max(image(tmp_path / "s.png").size) == 300
    assert not [path for path in tmp_path.iterdir() if ".part" in path.name]


def test_a_png_through_a_pipe(command: str, environment: dict[str, str]) -> None:
    done = subprocess.run(
        [command, "draw", "tour", "-", "--format", "png", "--no-numbers"],
        input=b"1 4 7 10\n8 11 2 5\n3 6 9 12\n",
        capture_output=True,
        env=environment,
        timeout=60,
        check=True,
    )
    assert done.stderr == b""
    with Image.open(io.BytesIO(done.stdout)) as found:
        assert found.size[0] > found.size[1] > 200


def test_one_of_several_is_drawn(inside: Run) -> None:
    tours = inside("list", "tours", "5x5", "--start", "a1", "--limit", "3", "-q").stdout
    first = inside("draw", "tour", "-", text=tours)
    assert first.stderr == "drew the first of 3 tours; --number K chooses another\n"
    assert inside("draw", "tour", "-", "-q", text=tours).stderr == ""
    drawn = [
        inside("draw", "tour", "-", "--number", str(number), "--format", "text", text=tours) for number in (1, 2, 3)
    ]
    assert [each.stderr for each in drawn] == ["", "", ""]
    assert len({each.stdout for each in drawn}) == 3
    own = [inside("draw", "tour", "-", "--format", "text", text=line).stdout for line in tours.splitlines()]
    assert [each.stdout for each in drawn] == own
    for number in ("0", "4", "-1"):
        wrong = inside("draw", "tour", "-", "--number", number, text=tours)
        assert (wrong.returncode, wrong.stderr) == (
            2,
            f"backrank: --number {number} is not there: the file holds 3 tours, from 1\n",
        )
    placements = inside("draw", "queens", "-", "--number", "2", "--format", "text", text="1 3 0 2\n2 0 3 1\n")
    assert placements.stdout.splitlines()[0] == "· · ♛ ·"
    both = inside("draw", "queens", "-", "--format", "text", text="1 3 0 2\n2 0 3 1\n")
    assert "first of 2 placements" in both.stderr


def test_the_lines_can_be_left_out(inside: Run) -> None:
    tour = inside("solve", "tour", "5x6", "-q").stdout
    drawn = inside("draw", "tour", "-", "--no-path", text=tour).stdout
    assert "stroke-linejoin" not in drawn
    assert drawn.count("<text") > 30


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["-o", "x.gif"], "use .svg, .png, .html or .txt, or give --format"),
        (["--format", "gif"], "known: svg, png, html, text"),
        (["--size", "300"], "--size is for PNG"),
        (["--format", "png", "-o", "x.png", "--size", "5"], "from 100 to 10,000, not 5"),
        (["-o", "/nowhere/x.png"], "no folder"),
    ],
)
def test_wrong_words_are_one_line(inside: Run, words: list[str], says: str) -> None:
    done = inside("draw", "tour", "-", *words, text="1 4 7 10\n8 11 2 5\n3 6 9 12\n")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert says in done.stderr
    assert not Path("x.png").exists()


def test_boards_too_large_for_a_form_are_told_what_draws_them(inside: Run, tmp_path: Path) -> None:
    file = tmp_path / "tour.npy"
    assert inside("solve", "tour", "201x200", "-o", str(file)).returncode == 0
    done = inside("draw", "tour", str(file))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "backrank: the 201x200 board has 40,200 squares, an SVG is for up to 40,000; "
        "-o overview.png draws an overview (--format svg an SVG all the same)\n"
    )
    assert inside("draw", "tour", str(file), "-o", str(tmp_path / "x.svg")).returncode == 0
    assert inside("draw", "tour", str(file), "-o", str(tmp_path / "x.png")).returncode == 0
    assert max(image(tmp_path / "x.png").size) == 2000
    numbered = inside("draw", "tour", str(file), "-o", str(tmp_path / "n.png"), "--numbers")
    assert (numbered.returncode, "too small for numbers" in numbered.stderr) == (2, True)
    huge = tmp_path / "huge.npy"
    write_tour_npy(huge, Board(1, 4_000_001), range(4_000_001))
    for name, says in (("x.html", "a page is for up to 250,000"), ("y.txt", "text is for up to 4,000,000")):
        done = inside("draw", "tour", str(huge), "-o", str(tmp_path / name))
        assert (done.returncode, says in done.stderr, "-o overview.png" in done.stderr) == (2, True, True)
    write_tour_npy(huge, Board(1, 100), range(100))
    no_tour = inside("draw", "tour", str(huge), "-o", str(tmp_path / "no.png"))
    assert (no_tour.returncode, "not a tour" in no_tour.stderr) == (2, True)


# --- NumPy files ------------------------------------------------------------------------------------


def test_solving_into_a_numpy_file_and_drawing_it(inside: Run, tmp_path: Path) -> None:
    file = tmp_path / "tour.npy"
    done = inside("solve", "tour", "20x30", "-o", str(file))
    assert (done.returncode, done.stdout) == (0, "")
    assert "open tour of 20x30" in done.stderr
    grid = np.load(file, allow_pickle=False)
    assert (grid.shape, grid.dtype, sorted(grid.ravel())) == ((20, 30), np.int32, list(range(1, 601)))
    again = inside("solve", "tour", "20x30", "-o", str(file))
    assert (again.returncode, "--force" in again.stderr) == (2, True)
    assert inside("solve", "tour", "20x30", "-q", "-o", str(file), "--force").stderr == ""
    text = inside("draw", "tour", str(file), "--format", "text")
    assert [[int(word) for word in line.split()] for line in text.stdout.splitlines()] == grid.tolist()
    piped = inside("draw", "tour", "-", "--format", "text", text=file.read_bytes())
    assert piped.stdout == text.stdout
    assert inside("draw", "tour", str(file), "--board", "20x30", "--closed").returncode == 2


def test_a_numpy_file_with_holes(inside: Run, tmp_path: Path) -> None:
    file = tmp_path / "tour.npy"
    assert inside("solve", "tour", "5x5", "--holes", "b4", "--format", "npy", "-o", str(file)).returncode in {0, 1}
    board = Board(3, 4, holes=["a1"])
    write_tour_npy(file, board, [2, 4, 10, 3, 5, 11, 6, 0, 9, 7, 1])
    claim = TourFile(str(file)).claims()[0]
    assert claim.board == board
    assert claim.notes == (f"board taken as {board} from the array", "1 square with 0 is taken as a hole")
    assert [fault.kind for fault in claim.faults()] == [FaultKind.NOT_A_MOVE]


def test_the_numpy_format_by_its_name(command: str, environment: dict[str, str]) -> None:
    done = subprocess.run(
        [command, "solve", "tour", "6x5", "--format", "npy", "-q"],
        capture_output=True,
        env=environment,
        timeout=60,
        check=True,
    )
    assert np.load(io.BytesIO(done.stdout)).shape == (6, 5)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("tour 8x8 --format npy --json", "choose one"),
        ("tour 8x8 --format numpy", "csv, npy"),
        ("queens 8 -k 5 --format npy", "some rows have none"),
        ("queens 8 --format numpy", "csv, npy"),
        ("tour 8x8 --format csv -o z.npy", "z.npy would be a NumPy file, but --format csv"),
        ("queens 8 --json -o z.npy", "z.npy would be a NumPy file, but --json"),
        ("tour 2001x2001", "-o tour.npy writes a NumPy file"),
        ("tour 2001x2001 --format names", "at most 4,000,000"),
        ("tour 8x8 --format npy -o /nowhere/x.npy", "no folder"),
    ],
)
def test_what_cannot_be_written_is_refused_before_any_search(inside: Run, words: str, says: str) -> None:
    done = inside("solve", *words.split())
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert says in done.stderr


def test_a_board_too_large_for_text_still_gets_its_reason(inside: Run) -> None:
    done = inside("solve", "tour", "2001x2001", "--closed")
    assert (done.returncode, done.stderr.startswith("no answer: ")) == (1, True)


def test_files_that_are_no_tours_are_one_line(inside: Run, tmp_path: Path) -> None:
    file = tmp_path / "x.npy"
    np.save(file, np.ones((3, 4)))
    done = inside("draw", "tour", str(file))
    assert (done.returncode, done.stderr.count("\n"), "float64" in done.stderr) == (2, 1, True)
    np.save(file, np.full((3, 4), 7))
    done = inside("draw", "tour", str(file))
    assert (done.returncode, "number repeated" in done.stderr) == (2, True)
    file.write_bytes(file.read_bytes()[:-5])
    done = inside("draw", "tour", "-", text=file.read_bytes())
    assert (done.returncode, "cut short" in done.stderr) == (2, True)
    assert inside("draw", "tour", str(tmp_path)).returncode == 2
    assert inside("draw", "tour", str(tmp_path / "none.npy")).returncode == 2


def test_a_numpy_file_through_a_named_pipe(backrank: Run, tmp_path: Path) -> None:
    pipe, file = tmp_path / "pipe", tmp_path / "tour.npy"
    write_tour_npy(file, Board(3, 4), [0, 6, 8, 1, 7, 9, 2, 4, 10, 3, 5, 11])
    os.mkfifo(pipe)
    with subprocess.Popen(["cp", str(file), str(pipe)]) as writer:  # noqa: S607 - a pipe needs a writer
        done = backrank("draw", "tour", str(pipe), "-o", str(tmp_path / "x.png"))
        assert writer.wait(60) == 0
    assert (done.returncode, done.stderr) == (0, "")
    assert image(tmp_path / "x.png").format == "PNG"


def test_large_arrays_are_checked(larger: Tour, tmp_path: Path) -> None:
    assert larger.board.size > SMALL_SQUARES
    file = tmp_path / "tour.npy"
    write_tour_npy(file, larger.board, larger.squares)
    claim = TourFile(str(file)).claims()[0]
    assert claim.faults() == []
    assert claim.faults(start=larger.start, end=larger.end) == []
    assert tuple(claim.squares()) == larger.squares
    assert [fault.kind for fault in claim.faults(start=larger.end)] == [FaultKind.WRONG_START]
    assert [fault.kind for fault in claim.faults(closed=True)] == ([] if larger.is_closable else [FaultKind.NOT_CLOSED])
    swapped = list(larger.squares)
    swapped[500], swapped[90_000] = swapped[90_000], swapped[500]
    write_tour_npy(file, larger.board, swapped)
    faults = TourFile(str(file)).claims()[0].faults()
    assert {fault.kind for fault in faults} == {FaultKind.NOT_A_MOVE}
    assert {step for fault in faults for step in fault.steps} <= {500, 501, 502, 90_000, 90_001, 90_002}
    grid = np.load(file)
    grid[7, 7] = grid[0, 0]
    np.save(file, grid)
    [fault] = TourFile(str(file)).claims()[0].faults()
    assert (fault.kind, "each once" in fault.message) == (FaultKind.NUMBERS_SKIPPED, True)
    board = Board(320, holes=[0])
    [fault] = TourFile(str(file)).claims(board=board)[0].faults()
    assert fault.kind in {FaultKind.NUMBERS_SKIPPED, FaultKind.ON_HOLE}


# --- terminals --------------------------------------------------------------------------------------


def on_terminal(command: str, environment: dict[str, str], *words: str) -> tuple[int, str]:
    """What a command shows on a terminal, on standard output alone."""
    reader, terminal = pty.openpty()
    process = subprocess.Popen([command, *words], stdout=terminal, stderr=subprocess.DEVNULL, env=environment)
    os.close(terminal)
    shown = b""
    try:
        while chunk := os.read(reader, 65536):
            shown += chunk
    except OSError:
        pass  # the terminal is gone when the process is
    os.close(reader)
    return process.wait(60), shown.decode().replace("\r\n", "\n")


def test_a_long_answer_does_not_flood_a_terminal(command: str, environment: dict[str, str]) -> None:
    code, shown = on_terminal(command, environment, "solve", "tour", "70x70")
    assert code == 0
    assert shown == "found a tour of 4,900 squares, too long to show here; -o tour.txt writes it, --all prints it\n"
    code, shown = on_terminal(command, environment, "solve", "tour", "64x65", "--all", "-q")
    assert (code, len(shown.splitlines())) == (0, 64)
    code, shown = on_terminal(command, environment, "solve", "tour", "8x8")
    assert (code, len(shown.splitlines())) == (0, 8)
    code, shown = on_terminal(command, environment, "solve", "queens", "5000")
    assert (code, shown.startswith("found a placement of 5,000 queens, too long")) == (0, True)


def test_pipes_get_all_of_a_long_answer(inside: Run) -> None:
    assert len(inside("solve", "tour", "70x70").stdout.splitlines()) == 70
    assert len(inside("solve", "queens", "5000").stdout.split()) == 5000


@pytest.mark.parametrize(
    "words",
    [
        ["solve", "tour", "8x8", "--format", "npy"],
        ["draw", "tour", "x.txt", "--format", "png"],
        ["draw", "queens", "x.txt", "--format", "png"],
    ],
)
def test_bytes_are_not_for_a_terminal(command: str, environment: dict[str, str], words: list[str]) -> None:
    assert on_terminal(command, environment, *words) == (2, "")


# --- Arrays numbered from 0, holes, glued edges and other leapers -----------------------------------


THREE_BY_FOUR = np.array([[1, 4, 7, 10], [8, 11, 2, 5], [3, 6, 9, 12]])


def test_an_array_numbered_from_0_is_checked_and_drawn_from_its_first_step(inside: Run, tmp_path: Path) -> None:
    file = tmp_path / "zero.npy"
    np.save(file, THREE_BY_FOUR - 1)
    for words in ((), ("--board", "3x4")):
        checked = inside("check", "tour", str(file), *words)
        assert (checked.returncode, checked.stdout) == (0, "valid: open tour of 3x4\n")
        assert "note: steps taken as numbered from 0" in checked.stderr
        drawn = inside("draw", "tour", str(file), "--format", "text", *words)
        assert drawn.stdout.split() == [str(number) for number in THREE_BY_FOUR.flat]
        assert "note: steps taken as numbered from 0" in drawn.stderr
    starts = inside("check", "tour", str(file), "--start", "a3", "--end", "d1")
    assert starts.returncode == 0
    hole = inside("check", "tour", str(file), "--holes", "a3")
    assert hole.stdout == "valid: open tour of 3x4 with 1 hole\n"
    told = inside("check", "tour", str(file), "--json")
    assert "from 0" in told.stdout


def test_a_large_array_numbered_from_0(inside: Run, larger: Tour, tmp_path: Path) -> None:
    file = tmp_path / "zero.npy"
    np.save(file, np.array(larger.grid, np.int32) - 1)
    claim = TourFile(str(file)).claims()[0]
    assert claim.board.size > SMALL_SQUARES
    assert (claim.board, claim.faults()) == (larger.board, [])
    assert tuple(claim.squares()) == larger.squares
    swapped = np.array(larger.grid, np.int32) - 1
    swapped[0, 0], swapped[9, 9] = swapped[9, 9], swapped[0, 0]
    np.save(file, swapped)
    claim = TourFile(str(file)).claims(board=larger.board)[0]
    assert {fault.kind for fault in claim.faults()} == {FaultKind.NOT_A_MOVE}
    assert inside("draw", "tour", str(file), "-o", str(tmp_path / "x.png")).returncode == 2


def test_holes_that_are_read_off_zeros_are_told(inside: Run, tmp_path: Path) -> None:
    file = tmp_path / "holes.npy"
    board = Board(5, holes="a5 e1 c3 b5 a4 d4 e4")
    write_tour_npy(file, board, sorted(board))
    checked = inside("check", "tour", str(file))
    assert "note: 7 squares with 0 are taken as holes\n" in checked.stderr
    assert "not an open tour of 5x5 with 7 holes" in checked.stdout


def test_zip_archives_and_files_of_several_arrays_are_one_line(inside: Run, tmp_path: Path) -> None:
    np.savez(tmp_path / "x.npz", THREE_BY_FOUR)
    for words in (("check", "tour"), ("draw", "tour"), ("check", "queens"), ("draw", "queens")):
        refused = inside(*words, str(tmp_path / "x.npz"))
        assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)
        assert "NumPy archive (.npz)" in refused.stderr
        assert "numpy.save" in refused.stderr
    with (tmp_path / "two.npy").open("wb") as both:
        np.save(both, THREE_BY_FOUR)
        np.save(both, THREE_BY_FOUR)
    refused = inside("check", "tour", str(tmp_path / "two.npy"))
    assert (refused.returncode, "goes on after its array" in refused.stderr) == (2, True)


def test_glued_edges_and_other_leapers_are_drawn(inside: Run, tmp_path: Path) -> None:
    glued = inside("solve", "tour", "6x6", "--wrap", "torus", "--closed", "-q").stdout
    picture = tmp_path / "t.png"
    assert inside("draw", "tour", "-", "--wrap", "torus", "--closed", "-o", str(picture), text=glued).returncode == 0
    assert picture.read_bytes().startswith(PNG)
    glued = inside("solve", "tour", "4x4", "--wrap", "torus", "-q").stdout
    array = tmp_path / "t.npy"
    np.save(array, np.array([row.split() for row in glued.splitlines()], int))
    for file in ("-", str(array)):
        refused = inside("draw", "tour", file, text=glued)
        assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)
        wrap = refused.stderr.split("with --wrap ")[1].split()[0]
        assert inside("draw", "tour", file, "--wrap", wrap, text=glued).returncode == 0
    zebra = inside("solve", "tour", "10x10", "--piece", "zebra", "-q").stdout
    refused = inside("draw", "tour", "-", text=zebra)
    assert "; with --piece zebra it is one\n" in refused.stderr
    assert inside("draw", "tour", "-", "--piece", "zebra", text=zebra).stdout.startswith("<svg")
    # A knight is told, and so is what it must be on: no other leaper is proposed then.
    refused = inside("draw", "tour", "-", "--piece", "knight", text=zebra)
    assert "'backrank check tour' names every fault" in refused.stderr
    twice = inside("draw", "tour", "-", text="1 4 7 10\n8 11 2 5\n3 6 9 9\n")
    assert "'backrank check tour' names every fault" in twice.stderr


def test_holes_are_drawn(inside: Run) -> None:
    names = "a3 c2 a1 b3 d2 b1 c3 a2 c1 d3"
    refused = inside("draw", "tour", "-", "--board", "3x4", text=names)
    assert refused.returncode == 2
    drawn = inside("draw", "tour", "-", "--board", "3x4", "--holes", "b2,d1", "--format", "text", text=names)
    assert drawn.returncode == 0
    assert drawn.stdout.split()[:4] == ["1", "4", "7", "10"]


def test_a_picture_shows_something_of_the_tour(inside: Run) -> None:
    refused = inside("draw", "tour", "-", "--no-path", "--no-numbers", text="1 4 7 10\n8 11 2 5\n3 6 9 12\n")
    assert (refused.returncode, refused.stdout, refused.stderr.count("\n")) == (2, "", 1)
    assert "leave nothing of the tour" in refused.stderr


def test_a_number_that_is_not_there(inside: Run) -> None:
    refused = inside("draw", "tour", "-", "--number", "2", text="1 4 7 10\n8 11 2 5\n3 6 9 12\n")
    assert refused.stderr == "backrank: --number 2 is not there: the file holds one tour only\n"


@pytest.mark.parametrize("start", [(0.0, 0.0), (1000.0, 800.0), (0.0, 800.0), (500.0, 0.0), (300.0, 300.0)])
@pytest.mark.parametrize("step", [(0.0, 0.0), (1.0, 2.0), (-2.0, 1.0), (30.0, 0.0)])
def test_marks_that_are_near_are_moved_apart(start: tuple[float, float], step: tuple[float, float]) -> None:
    size = (1000, 800)
    end = (min(max(start[0] + step[0], 0.0), 1000.0), min(max(start[1] + step[1], 0.0), 800.0))
    found = apart(start, end, 40.0, size)
    assert math.dist(*found) == pytest.approx(40.0)
    for spot, wanted in zip(found, (start, end), strict=True):
        assert all(-1e-9 <= place <= side + 1e-9 for place, side in zip(spot, size, strict=True))
        assert math.dist(spot, wanted) <= 40.0
    assert apart(start, (500.0, 400.0), 40.0, size) == [start, (500.0, 400.0)]


def test_both_marks_of_a_closed_overview_can_be_seen(inside: Run, tmp_path: Path) -> None:
    tour = KnightTours(520, closed=True).solve()
    assert tour is not None
    file, picture = tmp_path / "tour.npy", tmp_path / "tour.png"
    write_tour_npy(file, tour.board, tour.array)
    assert inside("draw", "tour", str(file), "--closed", "-o", str(picture)).returncode == 0
    with Image.open(picture) as image:
        pixels = np.asarray(image.convert("RGB")).astype(int)
    ink = [int(look.INK[at : at + 2], 16) for at in (1, 3, 5)]
    # The dark rings around the two marks: one lies farther from the start than a single ring is wide.
    top = pixels[:120, :120]
    found = np.argwhere((np.abs(top - ink) <= 2).all(axis=2))
    assert np.ptp(found, axis=0).max() > 2 * 1.35 * (4 + 2000 / 180) + 5
