"""Tours up to symmetry and symmetric tours: counted on quotients, against listing, brute force and published counts."""

from __future__ import annotations

from itertools import pairwise, product
from itertools import permutations as arrangements

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from backrank import Board, KnightTours, Piece, leaper
from backrank.errors import BoardTooLarge, BudgetExceeded, InvalidPuzzle, UnknownName
from backrank.geometry.pieces import KING, KNIGHT, move_graph
from backrank.geometry.symmetry import Symmetry, permutations, symmetries
from backrank.runtime.budget import Budget
from backrank.runtime.context import Context
from backrank.tours.counting import classes, quotient, voltages
from backrank.tours.counting import run as counting
from backrank.tours.counting.quotient import Quotient
from backrank.tours.counting.spec import TourCountSpec
from backrank.tours.counting.voltages import VoltageNet, count_by_voltage
from backrank.tours.spec import TourSpec
from counting import count_tours
from counts import counts
from strategies import boards, leapers

HALF_TURN = Symmetry(flip_rows=True, flip_cols=True)
LIMIT = Budget(calls=60_000)


def spec_of(puzzle: KnightTours) -> TourSpec:
    board = puzzle.board
    return TourSpec(board, puzzle.piece, puzzle.closed, puzzle.start, puzzle.end)


def counted(spec: TourSpec, *, directed: bool, method: str = "auto", symmetry: str | None = None) -> int:
    """The number of classes, or of the tours that a rotation keeps."""
    return count_tours(spec, TourCountSpec(directed, symmetry is None, method, symmetry=symmetry), Budget())


def kept(spec: TourSpec, image: tuple[int, ...], *, directed: bool) -> int:
    """The number of tours that a symmetry keeps."""
    parts = classes.parts_kept(spec, image, directed=directed)
    return sum(times * part.count(Budget().start()) for times, part in parts)


# --- cycles by voltage -----------------------------------------------------------------------------


def by_trying_everything(net: VoltageNet) -> list[int]:
    """All walks through all vertices and back, by all arcs."""
    found = [0] * net.period
    size = len(net.arcs)
    for rest in arrangements(range(1, size)):
        arcs = [net.arcs[here].get(there, ()) for here, there in pairwise((0, *rest, 0))]
        for chosen in product(*map(enumerate, arcs)):
            # Here both directions of an arc are listed in the same place; out and back by one arc is no cycle.
            if size > 2 or chosen[0][0] != chosen[1][0]:
                found[sum(voltage for _, voltage in chosen) % net.period] += 1
    return found if net.is_directed else [number // 2 for number in found]


@st.composite
def nets(draw: st.DrawFn) -> VoltageNet:
    size, period = draw(st.integers(2, 6)), draw(st.integers(1, 6))
    arcs: list[dict[int, tuple[int, ...]]] = [{} for _ in range(size)]
    for one in range(size):
        for two in range(one):
            powers = draw(st.lists(st.integers(0, period - 1), max_size=3 if size < 5 else 2))
            if powers:
                arcs[one][two] = tuple(powers)
                arcs[two][one] = tuple(-power % period for power in powers)
    return VoltageNet(arcs, period)


@given(nets(), st.randoms(use_true_random=False))
def test_cycles_by_voltage(net: VoltageNet, rng: object) -> None:
    order = list(range(len(net.arcs)))
    rng.shuffle(order)  # type: ignore[attr-defined]  # a random.Random
    assert count_by_voltage(net, order) == by_trying_everything(net)


def test_cycles_of_next_to_nothing() -> None:
    assert count_by_voltage(VoltageNet([], 2), []) == [0, 0]
    assert count_by_voltage(VoltageNet([{}], 2), [0]) == [0, 0]
    assert count_by_voltage(VoltageNet([{0: (1, 3)}], 2), [0]) == [0, 1]
    assert count_by_voltage(VoltageNet([{0: (1, 4, 2, 3)}], 5), [0]) == [0, 1, 1, 1, 1]
    assert count_by_voltage(VoltageNet([{1: (0, 1)}, {0: (0, 2)}], 3), [1, 0]) == [0, 1, 1]
    assert count_by_voltage(VoltageNet([{1: (0,)}, {0: (0,), 2: (0,)}, {1: (0,)}]), [0, 1, 2]) == [0]


def test_many_arcs_do_not_overflow() -> None:
    # 3 arcs between all of 7 vertices: 6! / 2 cycles, each by 3^7 choices of arcs.
    net = VoltageNet([{other: (0, 0, 0) for other in range(7) if other != vertex} for vertex in range(7)], 2)
    assert count_by_voltage(net, range(7)) == [360 * 3**7, 0]


@pytest.mark.parametrize("order", [[0, 1], [0, 1, 1], [1, 2, 3]])
def test_an_order_holds_every_vertex_once(order: list[int]) -> None:
    triangle = VoltageNet([{other: (0,) for other in range(3) if other != vertex} for vertex in range(3)])
    with pytest.raises(InvalidPuzzle, match="each of the 3 vertices once"):
        count_by_voltage(triangle, order)


def test_a_colouring_that_shows_that_there_is_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    board = Board(8)
    turn = Symmetry(transpose=True, flip_cols=True).permutation(board)
    quarter = Quotient.of(move_graph(board).adjacency(), board, turn)
    assert quarter.rotated() == []
    monkeypatch.setattr(quotient, "_is_even", lambda _: False)
    [part] = quarter.rotated()
    assert part.count(Budget().start()) == 0


# --- one symmetry ----------------------------------------------------------------------------------

# Every case of the proof, and what is no tour at all.
PUZZLES = [
    KnightTours(3, 4),
    KnightTours(4, 5),
    KnightTours(3, 7),
    KnightTours(5),
    KnightTours(5, start="c3"),
    KnightTours(5, start="a5"),
    KnightTours(5, start="a5", end="e1"),
    KnightTours(5, start="a5", end="e5"),
    KnightTours(4, 5, start="a4", end="e1"),
    KnightTours(4, 5, end="a4"),
    KnightTours(3, 10, closed=True),
    KnightTours(5, 6, closed=True),
    KnightTours(5, 6, closed=True, start="a1"),
    KnightTours(3, 3, holes="b2"),
    KnightTours(3, 3, holes="b2", closed=True),
    KnightTours(3, 4, holes="a1"),
    KnightTours(5, 5, holes="a1 e5 c3"),
    KnightTours(5, 5, holes="a1"),
    KnightTours(3, 3, closed=True, wrap="torus"),
    KnightTours(3, 3, wrap="cylinder"),
    KnightTours(3, 4, closed=True, wrap="torus", piece="0,1"),
    KnightTours(3, 5, closed=True, wrap="cylinder"),
    KnightTours(2, 7, closed=True, wrap="cylinder"),
    KnightTours(2, 9, closed=True, wrap="torus"),
    KnightTours(4, 4, piece="0,1", closed=True),
    KnightTours(4, 4, piece="0,1", closed=True, start=5, end=6),
    KnightTours(3, 4, piece="0,1", closed=True),
    KnightTours(1, 7, piece="0,1", closed=True, wrap="cylinder"),
    KnightTours(2, 2, piece=KING, closed=True),
    KnightTours(2, 3, piece=KING, closed=True),
    KnightTours(3, 3, piece=KING, closed=True),
    KnightTours(2, 4, piece=KING),
    KnightTours(1, 2, piece="0,1"),
    KnightTours(1, 5, piece="0,1"),
    KnightTours(3, 1, piece=KING, closed=True, wrap="torus"),
    KnightTours(3, 3, piece=KING, holes="a1 a2 a3 c1 c2 c3"),
    KnightTours(1),
]
DIRECTIONS = pytest.mark.parametrize("directed", [True, False])


@DIRECTIONS
@pytest.mark.parametrize("puzzle", PUZZLES, ids=repr)
def test_each_symmetry_keeps_what_listing_finds(puzzle: KnightTours, *, directed: bool) -> None:
    spec = spec_of(puzzle)
    for image in classes.symmetries_of(spec, directed=directed)[1:12]:
        listed = classes.list_kept(spec, image, Budget(), directed=directed)
        assert kept(spec, image, directed=directed) == listed


@DIRECTIONS
@pytest.mark.parametrize("puzzle", PUZZLES, ids=repr)
def test_classes_as_listing_finds(puzzle: KnightTours, *, directed: bool) -> None:
    spec = spec_of(puzzle)
    number = counted(spec, directed=directed)
    assert type(number) is int
    assert number == counted(spec, directed=directed, method="listing")


@given(
    boards(min_side=1, max_side=4),
    leapers(),
    st.booleans(),
    st.booleans(),
    st.data(),
)
@example(Board(4, 4, wrap="torus"), leaper(0, 1), True, False, None)
def test_classes_of_any_board(
    board: Board, piece: Piece, closed: bool, directed: bool, data: st.DataObject | None
) -> None:
    start = end = None
    if data is not None and len(board) > 1:
        squares = st.none() | st.sampled_from(list(board))
        start = data.draw(squares)
        end = data.draw(squares) if start is not None or not closed else None
    if (closed and len(board) < 3) or (start is not None and start == end):
        return
    if closed and end is not None and start is not None and end not in move_graph(board, piece).neighbours(start):
        return
    spec = TourSpec(board, piece, closed, start, end)
    try:
        listed = count_tours(spec, TourCountSpec(directed, True, "listing"), LIMIT)
    except BudgetExceeded:
        return
    assert counted(spec, directed=directed) == listed


@DIRECTIONS
@pytest.mark.parametrize("name", ["180", "90"])
@pytest.mark.parametrize("puzzle", [p for p in PUZZLES if p.start is p.end is None], ids=repr)
def test_symmetric_tours_as_listing_finds(puzzle: KnightTours, name: str, *, directed: bool) -> None:
    spec = spec_of(puzzle)
    if name == "90" and spec.board.rows != spec.board.cols:
        with pytest.raises(InvalidPuzzle, match="a quarter turn needs a square board"):
            counted(spec, directed=directed, symmetry=name)
        return
    number = counted(spec, directed=directed, symmetry=name)
    assert number == counted(spec, directed=directed, symmetry=name, method="listing")


def test_symmetric_tours_of_boards_that_do_not_turn() -> None:
    lopsided = spec_of(KnightTours(5, holes="a1"))
    assert counted(lopsided, directed=False, symmetry="180") == 0
    # A piece that moves up and down unlike left and right: a quarter turn keeps no tour, a half turn some.
    skew = Piece("skew", ((1, 2), (-1, -2), (1, -2), (-1, 2), (0, 1), (0, -1), (1, 0), (-1, 0)))
    spec = TourSpec(Board(4), skew, True, None, None)
    assert counted(spec, directed=False, symmetry="90") == 0
    assert counted(spec, directed=False, symmetry="180") > 0
    for name in ("90", "180"):
        assert counted(spec, directed=False, symmetry=name) == counted(
            spec, directed=False, symmetry=name, method="listing"
        )


@pytest.mark.parametrize("directed", [True, False])
def test_classes_under_a_piece_that_does_not_turn(*, directed: bool) -> None:
    straight = ((0, 1), (0, -1), (1, 0), (-1, 0))
    for steps in (((1, 2), (-1, -2), *straight), ((2, 1), (-2, -1), *straight)):
        spec = TourSpec(Board(4, 3, wrap="cylinder"), Piece("skew", steps), True, None, None)
        assert counted(spec, directed=directed) == counted(spec, directed=directed, method="listing") > 0


# --- the group -------------------------------------------------------------------------------------


def test_symmetries_that_differ_on_holes_only_are_one() -> None:
    column = TourSpec(Board(3, holes=["a1", "a2", "a3", "c1", "c2", "c3"]), KING, False, None, None)
    assert len(permutations(column.board)) == 4
    assert len(classes.symmetries_of(column, directed=False)) == 2
    assert counted(column, directed=False) == 1
    assert counted(column, directed=True) == 1


@pytest.mark.parametrize(
    "board", [Board(8), Board(3, 4), Board(5, wrap="torus"), Board(4, wrap="torus"), Board(2, 12, wrap="cylinder")]
)
def test_every_symmetry_is_of_one_kind(board: Board) -> None:
    group = classes.symmetries_of(TourSpec(board, KNIGHT, True, None, None), directed=False)
    kinds = list(classes._kinds(group))
    assert 1 + sum(number for _, number in kinds) == len(group)
    assert group[0] not in [image for image, _ in kinds]


def test_kinds_of_a_square_board() -> None:
    # The half turn, both quarter turns, both mirrors in the middle, both in a diagonal.
    group = classes.symmetries_of(TourSpec(Board(6), KNIGHT, True, None, None), directed=False)
    assert sorted(number for _, number in classes._kinds(group)) == [1, 2, 2, 2]


def test_symmetries_of_a_kind_keep_equally_many() -> None:
    spec = TourSpec(Board(3, wrap="torus"), KNIGHT, True, None, None)
    total = sum(
        classes.list_kept(spec, image, Budget(), directed=False)
        for image in classes.symmetries_of(spec, directed=False)[1:]
    )
    assert classes.kept_by_group(spec, directed=False).count(Budget().start()) == total > 0


# --- published counts ------------------------------------------------------------------------------


def closed_on(rows: int, cols: int) -> TourSpec:
    return TourSpec(Board(rows, cols), KNIGHT, True, None, None)


def published(kind: str, size: str) -> int:
    [value] = [count.value for count in counts(kind) if count.size_text == size]
    return value


def test_6x6() -> None:
    assert counted(closed_on(6, 6), directed=False) == published("tours.closed.classes", "6x6") == 1245
    # Jelliss: 5 classes with quarter turns have 2 tours each; 17 more with half turns have 4.
    assert counted(closed_on(6, 6), directed=False, symmetry="90") == 5 * 2
    assert counted(closed_on(6, 6), directed=False, symmetry="180") == 5 * 2 + 17 * 4
    assert counted(closed_on(6, 6), directed=True, symmetry="180") == 2 * (5 * 2 + 17 * 4)


def test_8x8() -> None:
    # 608,233 classes with half turns have 4 tours each; no tour has quarter turns.
    assert counted(closed_on(8, 8), directed=False, symmetry="180") == 4 * 608_233
    assert counted(closed_on(8, 8), directed=False, symmetry="90") == 0
    total, found = published("tours.closed.undirected", "8x8"), published("tours.closed.classes", "8x8")
    others = classes.kept_by_group(closed_on(8, 8), directed=False)
    assert (total + others.count(Budget().start())) == 8 * found


def test_quarter_turns_of_10x10() -> None:
    # 415,902 classes, of two tours each.
    assert counted(closed_on(10, 10), directed=False, symmetry="90") == 2 * 415_902


@pytest.mark.parametrize("size", [(6, 7), (6, 8), (3, 20), (5, 10)])
def test_more_squares_than_can_be_listed(size: tuple[int, int]) -> None:
    spec = closed_on(*size)
    number = counted(spec, directed=False)
    verified = counting.verify_classes(spec, TourCountSpec(False, True, "auto"), number, Context())
    assert verified.agrees
    assert 4 * number >= published("tours.closed.undirected", "{}x{}".format(*size))


@pytest.mark.deep
@pytest.mark.parametrize(("rows", "cols", "closed"), [(6, 6, True), (3, 12, False), (4, 7, False)])
def test_larger_boards_as_listing_finds(rows: int, cols: int, closed: bool) -> None:
    spec = TourSpec(Board(rows, cols), KNIGHT, closed, None, None)
    for directed in (False, True):
        assert counted(spec, directed=directed) == counted(spec, directed=directed, method="listing")
    for image in permutations(spec.board)[1:]:
        assert kept(spec, image, directed=False) == classes.list_kept(spec, image, Budget(), directed=False)


# --- counting again --------------------------------------------------------------------------------


@DIRECTIONS
@pytest.mark.parametrize("puzzle", [KnightTours(5), KnightTours(5, 6, closed=True), KnightTours(1)], ids=repr)
def test_verifying(puzzle: KnightTours, *, directed: bool) -> None:
    spec, request = spec_of(puzzle), TourCountSpec(directed, True, "auto")
    answer = count_tours(spec, request, Budget())
    good = counting.verify_classes(spec, request, answer, Context())
    assert good.agrees
    assert "the same" in str(good)
    for wrong in (answer - 1, answer + 1, 0):
        assert not counting.verify_classes(spec, request, wrong, Context()).agrees


def test_another_seed_is_another_order() -> None:
    orders = [
        [part.order for _, part in classes.kept_by_group(closed_on(6, 7), directed=False, seed=seed).parts]
        for seed in (0, 1)
    ]
    assert orders[0] != orders[1]


# --- limits and errors -----------------------------------------------------------------------------


def test_limits_hold_over_all_parts() -> None:
    spec = closed_on(6, 7)
    for calls in (1, 500, 1500, 3000):
        with pytest.raises(BudgetExceeded, match=f"the limit of {calls:,} calls") as caught:
            count_tours(spec, TourCountSpec(False, True, "auto"), Budget(calls=calls))
        assert caught.value.reached.calls == calls
    with pytest.raises(BudgetExceeded, match="cancelled"):
        count_tours(closed_on(8, 8), TourCountSpec(False, True, "auto"), Budget(cancelled=lambda: True, interval=0))


def test_what_is_too_large_is_refused_before_it_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    def must_not_run(*_: object, **__: object) -> int:
        raise AssertionError("counted")

    monkeypatch.setattr(voltages, "_sweep", must_not_run)
    with pytest.raises(BoardTooLarge, match=r"symmetric tours of 16x16 needs about .* states") as caught:
        counted(closed_on(16, 16), directed=False, symmetry="180")
    assert "\n" not in str(caught.value)
    with pytest.raises(BoardTooLarge, match="symmetric tours of 12x12"):
        counted(closed_on(12, 12), directed=False)
    with pytest.raises(BoardTooLarge, match="squares are active at once"):
        counted(closed_on(16, 16), directed=False)
    request = TourCountSpec(False, False, "auto", symmetry="180")
    with pytest.raises(BoardTooLarge, match="of memory; 1 kB are allowed"):
        count_tours(closed_on(8, 8), request, memory=1000)
    monkeypatch.setattr(classes, "available_bytes", lambda: 1000)
    with pytest.raises(BoardTooLarge, match=r"symmetric tours of 9x10 needs about .* of memory"):
        counted(closed_on(9, 10), directed=False, symmetry="180")


@pytest.mark.parametrize(
    ("puzzle", "request_", "error", "message"),
    [
        (KnightTours(5), TourCountSpec(True, False, "auto", symmetry="45"), UnknownName, "180, 90"),
        (
            KnightTours(5, 6),
            TourCountSpec(True, False, "auto", symmetry="90"),
            InvalidPuzzle,
            "needs a square board, not 5x6",
        ),
        (
            KnightTours(5, start="a1"),
            TourCountSpec(True, False, "auto", symmetry="180"),
            InvalidPuzzle,
            "leave those out",
        ),
        (KnightTours(5), TourCountSpec(True, True, "auto", symmetry="180"), InvalidPuzzle, "choose one of the two"),
        (
            KnightTours(5),
            TourCountSpec(True, False, "layers", symmetry="180"),
            InvalidPuzzle,
            "cannot count symmetric tours",
        ),
        (KnightTours(5), TourCountSpec(True, True, "frontier"), InvalidPuzzle, "cannot count up to symmetry"),
        (KnightTours(5), TourCountSpec(True, True, "luck"), UnknownName, "listing"),
    ],
)
def test_errors(puzzle: KnightTours, request_: TourCountSpec, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message) as caught:
        count_tours(spec_of(puzzle), request_, Budget())
    assert "\n" not in str(caught.value)


def test_a_half_turn_is_a_symmetry_of_every_rectangle() -> None:
    for board in (Board(3, 4), Board(5), Board(2, 7, wrap="cylinder")):
        spec = TourSpec(board, KNIGHT, False, None, None)
        assert classes.rotation(spec, "180") == HALF_TURN.permutation(board)
        assert HALF_TURN in symmetries(board)
