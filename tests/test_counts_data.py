"""The published counts agree with each other, with identities, and, where small, with brute force."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import permutations
from math import gcd

import pytest

from backrank.geometry.board import Board
from counts import DATA, Count, Size, all_counts, counts, parse_count, parse_size, published, read_counts, values
from strategies import brute_force_queens, brute_force_tours, closed_tours, leap_table

FILES = sorted(path.name for path in DATA.glob("*.counts"))

# Kind, and what its sizes look like: n, n with k queens, rows x columns, or those with a start.
SHAPES = {
    "queens.all": "n",
    "queens.unique": "n",
    "queens.symmetric180": "n",
    "queens.symmetric90": "n",
    "queens.toroidal": "n",
    "queens.place-k": "n,k",
    "queens.rectangle": "mxn",
    "queens.domination": "n",
    "amazons.all": "n",
    "semiqueens.all": "n",
    "regions.no-touch-rows-cols": "n",
    "tours.closed.undirected": "mxn",
    "tours.closed.undirected.torus": "mxn",
    "tours.closed.classes": "mxn",
    "tours.open.undirected": "mxn",
    "tours.open.directed.from": "mxn@",
    "tours.magic.classes": "mxn",
}


def test_both_files_are_there() -> None:
    assert FILES == ["queens.counts", "tours.counts"]


@pytest.mark.parametrize("name", FILES)
def test_every_line_parses(name: str) -> None:
    lines = (DATA / name).read_text(encoding="utf-8").splitlines()
    content = [line for line in lines if not line.startswith("#")]
    read = read_counts(name)
    assert len(read) == len(content) > 100
    for count, line in zip(read, content, strict=True):
        assert [count.kind, count.size_text, str(count.value), *count.source.split()] == line.split()


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("8", Size(8, 8)),
        ("0", Size(0, 0)),
        ("6,3", Size(6, 6, queens=3)),
        ("3x10", Size(3, 10)),
        ("5x5@0,2", Size(5, 5, start=(0, 2))),
    ],
)
def test_sizes_are_read(text: str, size: Size) -> None:
    assert parse_size(text) == size


@pytest.mark.parametrize("text", ["", "x", "8x", "x8", "8@0,0", "8,", "3x4@0", "3x4,2", "-3", "3X4", "8 8", "٣"])
def test_wrong_sizes_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not a size"):
        parse_size(text)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "queens.all 8",
        "queens.all 8 92",
        "queens 8 92 A000170",
        "queens.all 8 92.0 A",
        "queens.all 8x 92 A",
        "queens.all 8 092 A",
    ],
)
def test_wrong_lines_are_refused(line: str) -> None:
    with pytest.raises(ValueError, match=r"is not|has not"):
        parse_count(line)


def test_a_line_is_read_in_four_parts() -> None:
    line = "tours.closed.classes  6x6  1245   two words: and more "
    assert parse_count(line) == Count("tours.closed.classes", "6x6", 1245, "two words: and more")


def test_kinds_are_known_and_sizes_of_their_shape() -> None:
    assert {count.kind for count in all_counts()} == set(SHAPES)
    for count in all_counts():
        separators = "".join(mark for mark in count.size_text if not mark.isdigit())
        assert separators == {"n": "", "n,k": ",", "mxn": "x", "mxn@": "x@,"}[SHAPES[count.kind]], count


def test_an_unknown_kind_is_an_error() -> None:
    with pytest.raises(KeyError):
        counts("queens.al")


def test_no_count_is_given_twice() -> None:
    assert [key for key, times in Counter((c.kind, c.size_text) for c in all_counts()).items() if times > 1] == []


def test_starts_are_on_their_boards() -> None:
    for count in counts("tours.open.directed.from"):
        rows, cols, _, start = count.size
        assert start is not None
        assert start[0] < rows
        assert start[1] < cols


# --- queens ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", range(2, 28))
def test_unique_from_all_and_the_symmetric_ones(n: int) -> None:
    size = str(n)
    half, quarter = values("queens.symmetric180").get(size, 0), values("queens.symmetric90").get(size, 0)
    assert 8 * published("queens.unique", size) == published("queens.all", size) + half + 2 * quarter
    assert quarter <= half <= published("queens.all", size)
    assert quarter == 0 or n % 4 in (0, 1)


def test_symmetric_counts_are_listed_from_the_first_that_is_not_trivial() -> None:
    for kind in ("queens.symmetric180", "queens.symmetric90"):
        assert list(values(kind)) == [str(n) for n in range(4, 28)]


@pytest.mark.parametrize("n", range(8))
def test_queens_by_trying_all_permutations(n: int) -> None:
    diagonals_free = sum(
        len({row - col for row, col in enumerate(columns)}) == len({row + col for row, col in enumerate(columns)}) == n
        for columns in permutations(range(n))
    )
    assert diagonals_free == published("queens.all", str(n))
    one_kind_free = sum(len({row - col for row, col in enumerate(p)}) == n for p in permutations(range(n)))
    assert one_kind_free == published("semiqueens.all", str(n))


@pytest.mark.parametrize("n", [1, 3, 5, 7])
def test_toroidal_queens_by_trying_all_permutations(n: int) -> None:
    assert len(brute_force_queens(Board(n, wrap="torus"))) == published("queens.toroidal", str(n))


def test_toroidal_queens_exist_on_sides_prime_to_6() -> None:
    everywhere = values("queens.all")
    for size, value in values("queens.toroidal").items():
        n = int(size)
        assert (value > 0) == (gcd(n, 6) == 1)
        assert value % n == 0, "shifting the columns makes classes of n"
        assert size not in everywhere or value <= everywhere[size]


def test_k_queens_agree_with_formulas_and_with_full_placements() -> None:
    for count in counts("queens.place-k"):
        n, _, queens, _ = count.size
        # Pairs that do not attack (A036464) have a closed form.
        formula = {0: 1, 1: n * n, 2: n * (n - 1) * (n - 2) * (3 * n - 1) // 6, n: published("queens.all", str(n))}
        assert queens is not None
        assert count.value == formula.get(queens, count.value)
    listed = defaultdict(list)
    for count in counts("queens.place-k"):
        listed[count.size.rows].append(count.size.queens)
    assert dict(listed) == {n: list(range(n + 1)) for n in (6, 8, 10)}


def test_rectangles_hold_more_queens_placements_as_they_grow() -> None:
    rectangles = {count.size[:2]: count.value for count in counts("queens.rectangle")}
    for (rows, cols), value in rectangles.items():
        if rows == cols:
            assert value == published("queens.all", str(rows))
        else:
            assert value > rectangles[rows, cols - 1], "every placement fits on a wider board, at one end"


def test_rectangles_by_trying_all_permutations() -> None:
    for cols in range(4, 9):
        assert len(brute_force_queens(Board(4, cols))) == published("queens.rectangle", f"4x{cols}")


def test_amazons_are_stronger_and_semiqueens_weaker_than_queens() -> None:
    queens = values("queens.all")
    assert all(value <= queens[size] for size, value in values("amazons.all").items())
    assert all(value >= queens[size] for size, value in values("semiqueens.all").items())


def test_touching_rule_follows_its_recurrence() -> None:
    a = {int(size): value for size, value in values("regions.no-touch-rows-cols").items()}
    for n in range(5, 15):
        assert a[n] == (n + 1) * a[n - 1] - (n - 2) * a[n - 2] - (n - 5) * a[n - 3] + (n - 3) * a[n - 4]


def test_dominating_queens_keep_to_the_known_bounds() -> None:
    sizes = {int(size): value for size, value in values("queens.domination").items()}
    assert list(sizes) == list(range(1, 26))
    for n, value in sizes.items():
        assert n - 1 <= 2 * value <= n + 3


# --- tours -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["tours.closed.undirected", "tours.open.undirected", "tours.closed.undirected.torus"])
def test_turning_the_board_changes_nothing(kind: str) -> None:
    seen: dict[tuple[int, ...], int] = {}
    for count in counts(kind):
        board = tuple(sorted(count.size[:2]))
        assert seen.setdefault(board, count.value) == count.value, count


def test_turned_boards_are_really_listed_twice() -> None:
    closed, opened = values("tours.closed.undirected"), values("tours.open.undirected")
    assert closed["5x6"] == closed["6x5"]
    assert closed["7x8"] == closed["8x7"]
    assert opened["3x4"] == opened["4x3"]
    assert opened["6x7"] == opened["7x6"]


def test_closed_tours_exist_where_schwenk_says() -> None:
    for count in counts("tours.closed.undirected"):
        m, n = sorted(count.size[:2])
        impossible = (m % 2 and n % 2) or m in (1, 2, 4) or (m == 3 and n in (4, 6, 8))
        assert (count.value == 0) == bool(impossible), count


def test_open_tours_exist_where_the_theorem_says() -> None:
    for count in counts("tours.open.undirected"):
        m, n = sorted(count.size[:2])
        possible = (m, n) == (3, 4) or (m == 3 and n >= 7) or (m == 4 and n >= 5) or m >= 5
        assert (count.value > 0) == possible, count


def test_every_closed_tour_opens_at_each_of_its_squares() -> None:
    paths = values("tours.open.undirected")
    for count in counts("tours.closed.undirected"):
        if count.size_text in paths:
            assert paths[count.size_text] >= count.size.rows * count.size.cols * count.value
    assert paths["6x6"] - 36 * published("tours.closed.undirected", "6x6") == 2963928


def test_starts_sum_to_all_directed_tours() -> None:
    by_board: dict[tuple[int, int], dict[tuple[int, int], int]] = defaultdict(dict)
    for count in counts("tours.open.directed.from"):
        rows, cols, _, start = count.size
        assert start is not None
        for cell in _images(rows, cols, start):
            assert by_board[rows, cols].setdefault(cell, count.value) == count.value, count
    complete = {board for board, starts in by_board.items() if len(starts) == board[0] * board[1]}
    assert complete >= {(3, 4), (3, 7), (3, 8), (4, 5), (6, 6)}
    for rows, cols in complete:
        total = sum(by_board[rows, cols].values())
        assert total == 2 * published("tours.open.undirected", f"{rows}x{cols}")


def _images(rows: int, cols: int, cell: tuple[int, int]) -> set[tuple[int, int]]:
    """All cells that are the same up to turning and mirroring the board."""
    turned = {cell, cell[::-1]} if rows == cols else {cell}
    return {(r, c) for row, col in turned for r in (row, rows - 1 - row) for c in (col, cols - 1 - col)}


def test_starts_on_5x5() -> None:
    starts = {
        count.size.start: count.value for count in counts("tours.open.directed.from") if count.size_text[:3] == "5x5"
    }
    assert starts[0, 0] == 304
    everywhere = {cell: value for start, value in starts.items() if start for cell in _images(5, 5, start)}
    # On an odd board the minority colour starts no tour.
    assert sum(value for (row, col), value in everywhere.items() if (row + col) % 2 == 0) == 2 * 864
    assert all(value == 0 for (row, col), value in everywhere.items() if (row + col) % 2)


def test_classes_of_closed_tours() -> None:
    # 6x6: 5 classes keep under a quarter turn (2 tours each), 17 more under a half turn (4 each), the others have 8.
    assert published("tours.closed.classes", "6x6") == 5 + 17 + 1223
    assert published("tours.closed.undirected", "6x6") == 2 * 5 + 4 * 17 + 8 * 1223
    # 8x8: no quarter turn keeps a closed tour, and 608,233 classes keep under a half turn.
    classes, half = published("tours.closed.classes", "8x8"), 608233
    assert 8 * (classes - half) + 4 * half == published("tours.closed.undirected", "8x8")


def test_classes_name_their_symmetric_ones() -> None:
    sources = {count.size_text: count.source for count in counts("tours.closed.classes")}
    assert "5 (90deg) + 17 (180deg) + 1223 asymmetric" in sources["6x6"]
    assert "608233" in sources["8x8"]


@pytest.mark.parametrize("size", ["3x3", "3x4", "4x3", "4x4", "4x5", "5x5", "5x3", "6x2"])
def test_small_open_tours_by_trying_everything(size: str) -> None:
    rows, cols, _, _ = parse_size(size)
    assert len(brute_force_tours(Board(rows, cols))) == 2 * published("tours.open.undirected", size)


def test_small_starts_by_trying_everything() -> None:
    for count in counts("tours.open.directed.from"):
        rows, cols, _, start = count.size
        if rows * cols <= 20:
            assert start is not None
            assert len(brute_force_tours(Board(rows, cols), start=start)) == count.value


def test_small_closed_tours_by_trying_everything() -> None:
    assert len(closed_tours(Board(5, 6))) == 2 * published("tours.closed.undirected", "5x6")
    assert len(closed_tours(Board(3, wrap="torus"))) == 2 * published("tours.closed.undirected.torus", "3x3")
    assert len(closed_tours(Board(3, 6))) == 2 * published("tours.closed.undirected", "3x6") == 0


def test_the_4x4_torus_is_the_hypercube() -> None:
    """1,344 is the number of Hamiltonian cycles of the 4-cube, and the knight's graph of this torus is that cube."""
    moves = leap_table(Board(4, wrap="torus"))
    assert {len(onward) for onward in moves.values()} == {4}
    shared = Counter(len({*moves[a]} & {*moves[b]}) for a in moves for b in moves if a < b)
    assert shared == {0: 72, 2: 48}, "any two vertices of the 4-cube have 2 neighbours in common, or none"
    assert published("tours.closed.undirected.torus", "4x4") == 1344
