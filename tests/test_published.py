"""Every published count, by every algorithm that reaches it; and the published pairs of ends.

`ALGORITHMS` says what each algorithm counts and how far it gets: up to `now` in well under a second a row,
up to `deep` within minutes (`make test-deep`), beyond that not at all. What the two limits limit is the
algorithm's own: the number of squares for one, of tours for another. Kinds that nothing here counts are in
`NOT_COVERED` with the reason; a new kind in the data must go into one of the two, or a test fails.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import product
from random import Random
from typing import NamedTuple

import pytest

from backrank import Board, Budget, KnightTours, Queens, move_graph, tour_faults
from backrank.geometry.symmetry import symmetries
from backrank.queens.backtracking import bits
from backrank.runtime.budget import Counters
from backrank.search import TourView, tour_strategy
from backrank.tours.counting import reference as frontier
from backrank.tours.listing import pruned, reference
from backrank.tours.listing.exact import iter_exact
from backrank.tours.spec import TourSpec
from backrank.tours.theorems.existence import existence
from counts import DATA, Count, all_counts, counts

NOT_COVERED = {
    "semiqueens.all": "pieces with rows, columns and one diagonal are not built yet",
    "regions.no-touch-rows-cols": "the puzzle of coloured regions is not built yet",
    "queens.domination": "the fewest queens that attack every square: not built yet",
    "tours.magic.classes": "magic tours are not built yet",
}


# --- the algorithms --------------------------------------------------------------------------------


def spec(count: Count) -> TourSpec:
    size = count.size
    board = Board(size.rows, size.cols, wrap="torus" if count.kind.endswith("torus") else "none")
    start = None if size.start is None else board.square(size.start)
    return TourSpec(board, KnightTours(1).piece, "closed" in count.kind, start, None)


def puzzle_of(count: Count) -> KnightTours:
    asked = spec(count)
    return KnightTours(asked.board, closed=asked.closed, start=asked.start)


def is_directed(count: Count) -> bool:
    return "directed" in count.kind.split(".")


def tours_listed(count: Count) -> int:
    return puzzle_of(count).count(method="listing", directed=is_directed(count))


def tours_by_frontier(count: Count) -> int:
    """The frontier method alone, without the theorems that spare it the impossible boards."""
    asked = spec(count)
    adjacency = move_graph(asked.board, asked.piece).adjacency()
    if asked.closed:
        return frontier.count_cycles(adjacency, asked.board)
    return frontier.count_paths(adjacency, asked.board, start=asked.start)


def tours_by_auto(count: Count) -> int:
    return puzzle_of(count).count(directed=is_directed(count))


def _natural(count: Count, number: int) -> int:
    """From what a search finds to what is published: open tours come in both directions, and so do 1x1 ones not."""
    return number if is_directed(count) or "closed" in count.kind else number // 2


def tours_pruned(count: Count) -> int:
    """The pruned search alone, without theorems."""
    asked = spec(count)
    return _natural(count, sum(1 for _ in iter_exact(asked, Budget().start())))


def tours_by_reference(count: Count) -> int:
    """The textbook's search alone: all paths, of which a third look closes the cycles."""
    asked = spec(count)
    view = TourView(asked.board, move_graph(asked.board, asked.piece).adjacency())
    starts = list(asked.board) if asked.start is None else [asked.start]
    found = 0
    for start in starts[:1] if asked.closed else starts:
        closing = view.adjacency[start]
        for path in reference.iter_paths(
            view, start, tour_strategy("fixed"), meter=Budget().start(), counters=Counters()
        ):
            found += not asked.closed or (len(path) > 2 and path[-1] in closing and path[1] < path[-1])
    return _natural(count, found)


def tour_classes(count: Count) -> int:
    return puzzle_of(count).count(up_to_symmetry=True)


def placements(count: Count) -> Queens:
    size = count.size
    wrap = "torus" if count.kind == "queens.toroidal" else "none"
    piece = "amazon" if count.kind.startswith("amazons") else "queen"
    return Queens(size.rows, size.cols, queens=size.queens, wrap=wrap, piece=piece)


def queens_by_auto(count: Count) -> int:
    return placements(count).count()


def queens_by_bits(count: Count) -> int:
    return bits.count(placements(count).board, meter=Budget().start())


def queens_by_reference(count: Count) -> int:
    puzzle = placements(count)
    return puzzle.count(method="reference")


def queens_listed(count: Count) -> int:
    return sum(1 for _ in placements(count))


def queen_classes(count: Count) -> int:
    return placements(count).count(up_to_symmetry=True)


def queens_symmetric(count: Count) -> int:
    return placements(count).count(symmetry="90" if count.kind.endswith("90") else "180")


def queens_fixed(count: Count) -> int:
    """Placements that a rotation leaves as they are."""
    puzzle = placements(count)
    name = "rotate 90° clockwise" if count.kind == "queens.symmetric90" else "rotate 180°"
    [turn] = [symmetry.permutation(puzzle.board) for symmetry in symmetries(puzzle.board) if symmetry.name == name]
    return sum(placement.squares == tuple(sorted(turn[square] for square in placement.squares)) for placement in puzzle)


# --- how far they get ------------------------------------------------------------------------------


def area(count: Count) -> int:
    return count.size.rows * count.size.cols


def side(count: Count) -> int:
    return count.size.rows


def value(count: Count) -> int:
    """How many answers there are: what listing costs. The impossible costs something too, by its size."""
    return max(count.value, 4 * max(0, area(count) - 12) ** 2)


def frontier_effort(count: Count) -> int:
    """Squares, those of wide boards counting for more: 1 for three rows, 4 more for each row beyond and for glue."""
    short = min(count.size.rows, count.size.cols)
    glue = 3 if count.kind.endswith("torus") else 0
    given = 0 if "closed" in count.kind else 2
    return area(count) * max(1, short + glue + given - 2)


class Reach(NamedTuple):
    """What an algorithm counts of one kind, how its cost is measured, and how far it gets."""

    algorithm: str
    kind: str
    run: Callable[[Count], int]
    cost: Callable[[Count], int]
    now: int
    deep: int


OPEN, CLOSED, START, TORUS = (
    "tours.open.undirected",
    "tours.closed.undirected",
    "tours.open.directed.from",
    "tours.closed.undirected.torus",
)

ALGORITHMS = (
    Reach("listing", OPEN, tours_listed, value, 600, 60_000),
    Reach("listing", CLOSED, tours_listed, value, 2_000, 50_000),
    Reach("listing", START, tours_listed, value, 1_000, 60_000),
    Reach("listing", TORUS, tours_listed, value, 2_000, 15_000),
    Reach("pruned", OPEN, tours_pruned, value, 600, 20_000),
    Reach("pruned", CLOSED, tours_pruned, value, 2_000, 50_000),
    Reach("pruned", START, tours_pruned, value, 1_000, 5_000),
    Reach("pruned", TORUS, tours_pruned, value, 2_000, 15_000),
    Reach("reference", OPEN, tours_by_reference, area, 18, 25),
    Reach("reference", CLOSED, tours_by_reference, area, 21, 28),
    Reach("reference", START, tours_by_reference, area, 21, 25),
    Reach("reference", TORUS, tours_by_reference, area, 12, 12),
    Reach("frontier", OPEN, tours_by_frontier, frontier_effort, 180, 252),
    Reach("frontier", CLOSED, tours_by_frontier, frontier_effort, 125, 252),
    Reach("frontier", START, tours_by_frontier, frontier_effort, 216, 252),
    Reach("frontier", TORUS, tours_by_frontier, frontier_effort, 60, 100),
    Reach("auto", OPEN, tours_by_auto, frontier_effort, 180, 252),
    Reach("auto", CLOSED, tours_by_auto, frontier_effort, 125, 252),
    Reach("auto", START, tours_by_auto, frontier_effort, 180, 252),
    Reach("auto", TORUS, tours_by_auto, frontier_effort, 60, 100),
    Reach("classes", "tours.closed.classes", tour_classes, area, 36, 36),
    Reach("auto", "queens.all", queens_by_auto, side, 11, 15),
    Reach("bits", "queens.all", queens_by_bits, side, 11, 15),
    Reach("listing", "queens.all", queens_listed, side, 10, 13),
    Reach("reference", "queens.all", queens_by_reference, side, 8, 11),
    Reach("auto", "queens.rectangle", queens_by_auto, area, 88, 96),
    Reach("bits", "queens.rectangle", queens_by_bits, area, 88, 96),
    Reach("reference", "queens.rectangle", queens_by_reference, area, 64, 96),
    Reach("auto", "queens.place-k", queens_by_auto, area, 36, 100),
    Reach("reference", "queens.place-k", queens_by_reference, area, 36, 64),
    Reach("auto", "queens.toroidal", queens_by_auto, side, 9, 13),
    Reach("reference", "queens.toroidal", queens_by_reference, side, 9, 11),
    Reach("auto", "amazons.all", queens_by_auto, side, 14, 17),
    Reach("reference", "amazons.all", queens_by_reference, side, 10, 11),
    Reach("classes", "queens.unique", queen_classes, side, 14, 18),
    Reach("symmetric", "queens.symmetric180", queens_symmetric, side, 16, 20),
    Reach("symmetric", "queens.symmetric90", queens_symmetric, side, 20, 24),
    Reach("listing", "queens.symmetric180", queens_fixed, side, 9, 13),
    Reach("listing", "queens.symmetric90", queens_fixed, side, 9, 13),
)


def rows_of(reach: Reach) -> Iterator[Count]:
    """The rows of a kind that an algorithm is asked for; an empty board is no board of ours."""
    return (count for count in counts(reach.kind) if count.size.rows > 0)


def tasks() -> Iterator[object]:
    for reach in ALGORITHMS:
        for count in rows_of(reach):
            cost = reach.cost(count)
            if cost <= reach.deep:
                marks = [] if cost <= reach.now else [pytest.mark.deep, pytest.mark.timeout(3600)]
                yield pytest.param(reach, count, id=f"{reach.algorithm}-{count.kind}-{count.size_text}", marks=marks)


@pytest.mark.parametrize(("reach", "count"), list(tasks()))
def test_published(reach: Reach, count: Count) -> None:
    number = reach.run(count)
    assert type(number) is int
    assert number == count.value


# --- nothing is left out ---------------------------------------------------------------------------


def test_every_kind_is_counted_or_listed_as_not() -> None:
    kinds = {count.kind for count in all_counts()}
    covered = {reach.kind for reach in ALGORITHMS}
    assert covered | set(NOT_COVERED) == kinds
    assert not covered & set(NOT_COVERED)
    assert all(len(reason) > 15 for reason in NOT_COVERED.values())
    print(*(f"{kind}: {reason}" for kind, reason in NOT_COVERED.items()), sep="\n")


def test_every_algorithm_counts_something_of_its_kinds_now() -> None:
    """What each algorithm reaches, for those who run this with -s."""
    print(f"{'algorithm':10} {'kind':32} {'now':>4} {'deep':>4} {'beyond':>6}")
    for reach in ALGORITHMS:
        reached = Counter(
            "now" if reach.cost(count) <= reach.now else "deep" if reach.cost(count) <= reach.deep else "beyond"
            for count in rows_of(reach)
        )
        print(f"{reach.algorithm:10} {reach.kind:32} {reached['now']:4} {reached['deep']:4} {reached['beyond']:6}")
        assert reached["now"] > 0 or reach.kind == "tours.closed.classes"
        assert reached["now"] + reached["deep"] > 0
        assert reach.now <= reach.deep


def test_kinds_have_two_algorithms_at_least() -> None:
    """An independent recount of every kind, except of those that are a filter of a list that has one."""
    filters = {"tours.closed.classes", "queens.unique"}
    number = Counter(reach.kind for reach in ALGORITHMS)
    assert all(number[kind] >= 2 for kind in number if kind not in filters)


def test_the_empty_board_is_refused_in_one_line() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        Queens(0)


# --- pairs of ends ---------------------------------------------------------------------------------

Pair = tuple[tuple[int, int], tuple[int, int]]


class Pairs(NamedTuple):
    """What the table says of one board."""

    board: Board
    allowed: int
    yes: int
    bad: tuple[Pair, ...]
    is_complete: bool
    starts: int
    missing: frozenset[tuple[int, int]]


_BOARD = re.compile(
    r"(\d+)x(\d+) colour-ok pairs=(\d+) yes=(\d+) no=(\d+) unknown=0 classes_bad=(\d+):(.*)\n"
    r" +possible start squares: (\d+) of \d+; colour allows \d+; missing:(.*)\n"
)
_CELL = re.compile(r"\((\d+),(\d+)\)")


def pair_table() -> list[Pairs]:
    text = (DATA / "start-end-pairs.txt").read_text(encoding="utf-8")
    table = []
    for match in _BOARD.finditer(text):
        rows, cols, allowed, yes, no, classes = map(int, match.groups()[:6])
        assert allowed == yes + no
        cells = [(int(row), int(col)) for row, col in _CELL.findall(match[7])]
        bad = tuple(zip(cells[::2], cells[1::2], strict=True))
        missing = frozenset((int(row), int(col)) for row, col in _CELL.findall(match[9]))
        # Long lists of classes are cut in the table after the first forty.
        table.append(Pairs(Board(rows, cols), allowed, yes, bad, len(bad) == classes, int(match[8]), missing))
    assert len(table) == text.count("colour-ok pairs=") == 24
    return table


TABLE = pair_table()


def unordered(board: Board, start: tuple[int, int], end: tuple[int, int]) -> frozenset[int]:
    return frozenset({board.square(start), board.square(end)})


def bad_pairs(pairs: Pairs) -> set[frozenset[int]]:
    """The pairs without a tour: all images of the listed ones."""
    board = pairs.board
    return {
        unordered(board, symmetry.cell(board, start), symmetry.cell(board, end))
        for start, end in pairs.bad
        for symmetry in symmetries(board)
    }


def colour_pairs(board: Board) -> list[tuple[int, int]]:
    odd = len(board) % 2
    return [
        (start, end)
        for start, end in product(board, board)
        if start < end
        and (board.colour(start) == board.colour(end) == 0 if odd else board.colour(start) != board.colour(end))
    ]


@pytest.mark.parametrize("pairs", TABLE, ids=lambda pairs: str(pairs.board))
def test_existence_never_contradicts_the_pairs(pairs: Pairs) -> None:
    board = pairs.board
    allowed = colour_pairs(board)
    assert len(allowed) == pairs.allowed
    bad = bad_pairs(pairs)
    if pairs.is_complete:
        assert len(bad) == pairs.allowed - pairs.yes
    answers: Counter[str] = Counter()
    for start, end in allowed:
        answer = existence(board, start=start, end=end).answer
        assert answer == existence(board, start=end, end=start).answer
        answers[answer] += 1
        if frozenset({start, end}) in bad:
            assert answer != "yes"
        elif pairs.is_complete:
            assert answer != "no"
    assert answers["yes"] <= pairs.yes
    assert answers["no"] <= pairs.allowed - pairs.yes
    odd = len(board) % 2
    for square in board:
        cell = board.cell(square)
        possible = cell not in pairs.missing and not (odd and board.colour(square))
        assert existence(board, start=square).answer in ("unknown", "yes" if possible else "no")
    starts = [square for square in board if existence(board, start=square).answer != "no"]
    assert len(starts) >= pairs.starts


def assert_decided(pairs: Pairs, start: int, end: int, calls: int) -> None:
    puzzle = KnightTours(pairs.board, start=start, end=end)
    tour = puzzle.solve(budget=Budget(calls=calls))
    possible = frozenset({start, end}) not in bad_pairs(pairs)
    assert (tour is not None) == possible, puzzle
    if tour is not None:
        assert tour_faults(pairs.board, tour.cells, start=start, end=end) == []


@pytest.mark.parametrize("size", ["4x5", "4x6", "5x5", "5x6"])
def test_solve_decides_all_pairs(size: str) -> None:
    [pairs] = [pairs for pairs in TABLE if pairs.board == Board.parse(size)]
    assert pairs.is_complete
    for start, end in colour_pairs(pairs.board):
        assert_decided(pairs, start, end, 100_000)


@pytest.mark.parametrize(
    "pairs",
    [pairs for pairs in TABLE if pairs.is_complete and min(pairs.board.rows, pairs.board.cols) >= 5],
    ids=lambda pairs: str(pairs.board),
)
def test_solve_decides_sampled_pairs(pairs: Pairs) -> None:
    """Pairs that have a tour; the others take an exhaustive search beyond 5x6, and are deep."""
    bad = bad_pairs(pairs)
    good = [pair for pair in colour_pairs(pairs.board) if frozenset(pair) not in bad]
    for start, end in Random(pairs.board.size).sample(good, 10):  # noqa: S311 - a sample that repeats
        assert_decided(pairs, start, end, 100_000)


@pytest.mark.deep
@pytest.mark.timeout(3600)
def test_solve_decides_the_bad_pairs_of_5x8() -> None:
    [pairs] = [pairs for pairs in TABLE if pairs.board == Board(5, 8)]
    for start, end in pairs.bad:
        assert_decided(pairs, pairs.board.square(start), pairs.board.square(end), 10**9)


@pytest.mark.parametrize(("rows", "cols"), [(4, 5), (5, 5)])
def test_the_pairs_are_those_of_the_list(rows: int, cols: int) -> None:
    """The table against our own list of all tours."""
    [pairs] = [pairs for pairs in TABLE if pairs.board == Board(rows, cols)]
    view = TourView(pairs.board, move_graph(pairs.board).adjacency())
    found = set()
    for start in pairs.board:
        for path in pruned.iter_paths(view, start, tour_strategy("fixed"), meter=Budget().start(), counters=Counters()):
            found.add(frozenset({path[0], path[-1]}))
    assert len(found) == pairs.yes
    assert not found & bad_pairs(pairs)
