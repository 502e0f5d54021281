"""Compiled counts, layer by layer: published counts, the plain count on boards of all kinds, and their machinery."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import nullcontext
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from backrank import KnightTours
from backrank.errors import BoardTooLarge, BudgetExceeded, InvalidPuzzle, InvalidText
from backrank.geometry.board import Board
from backrank.geometry.pieces import KING, KNIGHT, Piece, leaper, move_graph
from backrank.runtime.budget import Budget
from backrank.runtime.context import Context
from backrank.runtime.progress import Progress
from backrank.runtime.quantities import size_of
from backrank.tours.counting import folder as layerfolder
from backrank.tours.counting import layers, spill, transit
from backrank.tours.counting import run as counting
from backrank.tours.counting.folder import LayerFolder, key_of
from backrank.tours.counting.frontier_plan import explain
from backrank.tours.counting.layers import Layer, Means, Sweep
from backrank.tours.counting.spec import TourCountSpec
from backrank.tours.frontier import blocks_jit as tables
from backrank.tours.frontier import forecast as outlook
from backrank.tours.frontier import reference as frontier
from backrank.tours.frontier import segments
from backrank.tours.frontier import states_jit as kernel
from backrank.tours.frontier import transitions as slots
from backrank.tours.frontier.forecast import Forecast
from backrank.tours.frontier.known_orders import ORDERS, known_order
from backrank.tours.frontier.store import BLOCK, Store
from backrank.tours.frontier.sweeps import images_of, net_of, route_of
from backrank.tours.frontier.transitions import Net, Route, ends_by_class
from backrank.tours.frontier.vertex_order import find_vertex_order, profile
from backrank.tours.spec import TourSpec
from counting import count_tours
from counts import counts
from strategies import boards, leapers

ONE = Means(threads=1)

# Active squares of the orders that are known.
ACTIVE = {"5x5": 7, "5x6": 8, "5x8": 10, "6x6": 10, "6x7": 11, "6x8": 12, "7x7": 14, "7x8": 14}
ACTIVE |= {"8x8": 16, "8x9": 16, "8x10": 16}

# The largest board of each width in the quick tests, and in the deep ones.
QUICK = {
    "tours.closed.undirected": {3: 30, 4: 20, 5: 12, 6: 8, 7: 6, 8: 6},
    "tours.open.undirected": {3: 18, 4: 12, 5: 10, 6: 6, 7: 5},
    "tours.open.directed.from": {3: 8, 4: 8, 5: 8, 6: 6},
    "tours.closed.undirected.torus": {3: 6, 4: 5, 5: 5},
}
DEEP = {
    "tours.closed.undirected": {5: 16, 6: 19, 7: 12, 8: 7},
    "tours.open.undirected": {4: 40, 5: 11, 6: 8, 7: 7},
    "tours.open.directed.from": {},
    "tours.closed.undirected.torus": {},
}


def spec_of(size: str, *, closed: bool, wrap: str = "none", piece: Piece = KNIGHT) -> TourSpec:
    return TourSpec(Board.parse(size, wrap=wrap), piece, closed, None, None)


def counted(spec: TourSpec, means: Means = ONE, *, seed: int = 0) -> int:
    """Undirected cycles or paths, by layers whatever the size."""
    return layers.count(net_of(spec), route_of(spec, seed=seed), meter=Budget().start(), means=means)


def plainly(spec: TourSpec) -> int:
    """The same by plain Python."""
    board = spec.board
    adjacency = move_graph(board, spec.piece).adjacency()
    if spec.closed and spec.end is None:
        return frontier.count_cycles(adjacency, board)
    return frontier.count_paths(adjacency, board, start=spec.start, end=spec.end)


def published() -> list[object]:
    found: list[object] = []
    for kind, longest in QUICK.items():
        for count in counts(kind):
            rows, cols = count.size.rows, count.size.cols
            deep = DEEP[kind].get(rows, 0)
            if cols <= max(longest.get(rows, 0), deep):
                marks = [] if cols <= longest.get(rows, 0) else [pytest.mark.deep]
                found.append(pytest.param(kind, count.size_text, count.value, marks=marks))
    return found


@pytest.mark.parametrize(("kind", "size", "value"), published())
def test_published(kind: str, size: str, value: int) -> None:
    size, _, cell = size.partition("@")
    board = Board.parse(size, wrap="torus" if kind.endswith("torus") else "none")
    start = board.square(cell) if cell else None
    assert counted(TourSpec(board, KNIGHT, "closed" in kind, start, None)) == value


def test_the_published_boards_are_there() -> None:
    assert len(published()) > 120


def test_far_beyond_64_bits() -> None:
    # The denominator of the generating function of A070030 (D. E. Knuth; N. D. Elkies, 1994), for 3 x 2n.
    coefficients = [1, -6, -64, 200, 1000, -3016, -3488, 24256, -23776, -104168, 203408, 184704, -443392, -14336]
    coefficients += [151296, -145920, 263424, -317440, -36864, 966656, -573440, -131072]
    found = [counted(spec_of(f"3x{2 * half}", closed=True)) for half in range(60, 60 - len(coefficients), -1)]
    assert min(found) > 2**100
    assert sum(coefficient * count for coefficient, count in zip(coefficients, found, strict=True)) == 0


@pytest.mark.deep
def test_six_rows_beyond_64_bits() -> None:
    assert counted(spec_of("6x16", closed=True), Means()) == 16378998506224697063588


# --- other ways to the same number -----------------------------------------------------------------


@given(boards(max_side=5), st.one_of(st.just(KNIGHT), leapers(3), st.just(KING)), st.data())
@settings(max_examples=60)
def test_boards_of_all_kinds_against_plain_python(board: Board, piece: Piece, data: st.DataObject) -> None:
    assume(len(board) <= (10 if board.wrap == "torus" or piece == KING else 20))
    ends = st.one_of(st.none(), st.sampled_from(list(board)))
    start, end, closed = data.draw(ends, label="start"), data.draw(ends, label="end"), data.draw(st.booleans())
    spec = TourSpec(board, piece, closed, start, end if not closed else None)
    if start is not None and start == spec.end:
        return
    assert counted(spec) == plainly(spec)
    assert counted(spec, seed=1) == plainly(spec)


@given(st.permutations(range(20)), st.sampled_from([(4, 5), (2, 10)]), st.integers(0, 2))
@settings(max_examples=40)
def test_no_order_changes_anything(order: list[int], sides: tuple[int, int], ends: int) -> None:
    board = Board(*sides)
    adjacency = move_graph(board).adjacency()
    given_ends = (0, 3)[:ends]
    net = Net(Net.of(adjacency, board).near, frozenset(given_ends), 2 - ends)
    start, end = (*given_ends, None, None)[:2]
    plain = frontier.count_paths(adjacency, board, start=start, end=end)
    assert layers.count(net, Route(tuple(order)), meter=Budget().start(), means=ONE) == plain


@pytest.mark.parametrize("size", ["4x6", "5x5", "5x6", "6x6"])
@pytest.mark.parametrize("closed", [False, True])
def test_every_image_gives_the_same(size: str, closed: bool) -> None:
    spec = spec_of(size, closed=closed)
    net, adjacency = net_of(spec), move_graph(spec.board).adjacency()
    expected = plainly(spec)
    seen = 0
    for image in images_of(spec):
        order = find_vertex_order(adjacency, mirror=image)
        assert layers.count(net, Route(tuple(order), image), meter=Budget().start(), means=ONE) == expected
        seen += 1
    assert seen == (5 if spec.board.rows == spec.board.cols else 3)


@pytest.fixture
def _wide(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have states of two words everywhere."""
    for module in (slots, layers, outlook):
        monkeypatch.setattr(module, "NARROW", 0)


@pytest.mark.usefixtures("_wide")
@pytest.mark.parametrize(
    ("size", "closed", "value"),
    [("5x6", True, 8), ("6x6", True, 9862), ("5x5", False, 864), ("5x6", False, 18784), ("3x80", True, None)],
)
def test_states_of_two_words(size: str, closed: bool, value: int | None) -> None:
    spec = spec_of(size, closed=closed)
    assert counted(spec) == counted(spec, seed=1) == (plainly(spec) if value is None else value)
    assert counted(spec, Means(1, None, 1009)) == counted(spec) % 1009


@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize(("factor", "active"), [(11, 20), (13, 17), (29, 22)])
def test_more_than_16_active_squares(factor: int, active: int, closed: bool) -> None:
    # Bad orders of a small board need many slots, and few of them hold anything.
    board = Board(5, 6)
    net = net_of(TourSpec(board, KNIGHT, closed, None, None))
    order = sorted(board, key=lambda square: square * factor % 31)
    assert slots.width_needed(net, order) == active
    expected = 8 if closed else 18784
    image = tuple(29 - square for square in board)
    assert layers.count(net, Route(tuple(order)), meter=Budget().start(), means=ONE) == expected
    paired = tuple(dict.fromkeys(each for square in order for each in (square, image[square])))
    assert layers.count(net, Route(paired, image), meter=Budget().start(), means=ONE) == expected


def test_both_ends_given_add_up() -> None:
    board = Board(4, 5)
    between = sum(
        counted(TourSpec(board, KNIGHT, False, start, end)) for start, end in product(board, board) if start < end
    )
    assert between == counted(spec_of("4x5", closed=False)) == 82


def test_a_mirror_image_may_swap_the_ends() -> None:
    spec = TourSpec(Board(5, 6), KNIGHT, False, 0, 5)
    assert len(list(images_of(spec))) == 1
    assert counted(spec) == plainly(spec)


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_threads_change_nothing(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    # Small enough that every layer goes through many rounds, partitions and growing stores.
    monkeypatch.setattr(transit, "SMALL", 100)
    monkeypatch.setattr(transit, "PARTITION", 200)
    monkeypatch.setattr(transit, "CHUNK", 64)
    monkeypatch.setattr(transit, "STORED", 50)
    monkeypatch.setattr(layers, "AMPLE", 0.3)
    monkeypatch.setattr(layers, "LEAST", 0)
    assert counted(spec_of("6x6", closed=False), Means(threads)) == 3318960
    assert counted(spec_of("6x7", closed=True), Means(threads)) == 1067638


def test_all_layers_are_the_same_whoever_makes_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transit, "SMALL", 100)
    spec = spec_of("5x6", closed=False)
    seen: list[list[dict[int, int]]] = []
    for threads in (1, 3):
        seen.append([])
        net, route = net_of(spec), route_of(spec)
        layers.count(
            net,
            route,
            meter=Budget().start(),
            means=Means(threads),
            watch=lambda layer: seen[-1].append(layer.entries()),
        )
    assert seen[0] == seen[1]
    assert max(map(len, seen[0])) > 300


def test_a_count_goes_on_from_any_layer() -> None:
    spec = spec_of("5x6", closed=False)
    net, route = net_of(spec), route_of(spec)
    kept: list[Layer] = []

    def keep(layer: Layer) -> None:
        kept.append(Layer(layer.depth, [part.copy() for part in layer.parts], layer.limbs, layer.total))

    assert layers.count(net, route, meter=Budget().start(), means=ONE, watch=keep) == 18784
    assert [layer.depth for layer in kept] == list(range(30))
    for layer in kept[::5]:
        assert layers.count(net, route, meter=Budget().start(), means=ONE, layer=layer) == 18784


def test_the_sum_of_a_layer_is_what_it_says() -> None:
    spec = spec_of("3x70", closed=True)
    sums: list[tuple[int, int, int]] = []

    def look(layer: Layer) -> None:
        entries = layer.entries()
        sums.append((layer.total, sum(entries.values()), layer.limbs))
        assert max(entries.values()) < 2 ** (64 * layer.limbs)

    layers.count(net_of(spec), route_of(spec), meter=Budget().start(), means=ONE, watch=look)
    assert all(told == summed for told, summed, _ in sums)
    assert {limbs for _, _, limbs in sums} == {1, 2}


@given(st.integers(0, 2**130), st.integers(0, 2**130))
def test_limbs_add_up_with_their_carries(one: int, other: int) -> None:
    def limbs(number: int) -> list[int]:
        return [number >> 64 * place & 2**64 - 1 for place in range(3)]

    entries = np.array([9, *limbs(one), 9, *limbs(other)], np.uint64)
    merged, total = merged_by_the_kernel(entries, 4)
    assert merged == {9 ^ 2**64 - 1: one + other}
    assert total == one + other


def merged_by_the_kernel(entries: np.ndarray[Any, Any], stride: int, ratio: float = 0.5) -> tuple[dict[int, int], int]:
    """What the kernel makes of the entries of one partition, in two chains, and the sum of the numbers."""
    store = Store(stride, 1 << 20)
    half = entries.size // stride // 2 * stride
    heads = np.zeros((3, 2, 1), np.uint64)
    for row, part in enumerate((entries[:half], entries[half:])):
        heads[:, row, 0] = store.put(part).heads()
    room = store.space(heads[:, 1], 32)
    places, states = np.ones(1 << 10, np.uint32), np.zeros(entries.size, np.uint64)
    sums = np.zeros((stride - 1, 2), np.uint64)
    desk = tables.MergeScratch(places, states, sums, np.array([ratio]))
    number = tables.merge(room, tables.Heads(*heads), (1, 0, 1), (stride, 1), desk, np.uint64(0))
    store.collect(room)
    assert not heads[:, 0].any()
    chain = store.written(heads[:, 1, 0])
    assert chain.size == number
    assert store.free == store.blocks - 1 - -(-chain.size // BLOCK)
    total = sum(int(low) + (int(high) << 32) << 64 * place for place, (low, high) in enumerate(sums))
    return Layer(0, [store.copied(chain)], stride - 1).entries(), total


# --- the kernel by itself --------------------------------------------------------------------------


def renumbered(fields: list[int]) -> list[int]:
    """Labels numbered by first appearance from 3, as a few lines of Python have it."""
    names: dict[int, int] = {}
    return [field if field < 3 else names.setdefault(field, 3 + len(names)) for field in fields]


@st.composite
def states(draw: st.DrawFn) -> list[int]:
    """What 16 slots hold: labels in pairs, in any numbering."""
    pairs = draw(st.integers(0, 8), label="pairs")
    labels = draw(st.permutations(range(3, 15)), label="labels")[:pairs]
    rest = draw(st.lists(st.integers(0, 2), min_size=16 - 2 * pairs, max_size=16 - 2 * pairs), label="rest")
    return draw(st.permutations([*labels, *labels, *rest]), label="slots")


def packed(fields: list[int]) -> int:
    return sum(field << 4 * slot for slot, field in enumerate(fields))


@given(states(), st.permutations(range(16)))
def test_words_against_lists(fields: list[int], image: list[int]) -> None:
    word = np.uint64(packed(fields))
    assert int(kernel._numbered(word)) == packed(renumbered(fields))
    shifts = np.array([4 * slot for slot in image], np.uint64)
    assert int(kernel._mirrored(word, shifts)) == packed([fields[slot] for slot in image])
    assert int(kernel.saturated(word)) == packed([int(field == 1) for field in fields])
    assert int(kernel.tails(word)) == packed([int(field == 2) for field in fields])
    assert int(kernel.path_end_marks(word)) == packed([int(field > 2) for field in fields])
    assert int(kernel.equal(word, np.uint64(3))) == packed([int(field == 3) for field in fields])
    assert int(kernel.popcount(word)) == int(word).bit_count()


WORD = np.uint64(5)
WORDS = np.zeros(16, np.uint64)
CHECKS = np.zeros((1, 6), np.uint64)


@pytest.mark.parametrize(
    ("function", "arguments", "result"),
    [
        (kernel.expand, None, "int64"),
        (tables.merge, None, "int64"),
        (tables.sizes, None, "int64"),
        (tables.scatter, None, "int64"),
        (tables.gather, None, "int64"),
        (tables.stirred, (WORD,), "uint64"),
        (kernel.popcount, (WORD,), "uint64"),
        (kernel.equal, (WORD, WORD), "uint64"),
        (kernel.saturated, (WORD,), "uint64"),
        (kernel.path_end_marks, (WORD,), "uint64"),
        (kernel.tails, (WORD,), "uint64"),
        (kernel._numbered, (WORD,), "uint64"),
        (kernel._mirrored, (WORD, WORDS), "uint64"),
        (kernel._ends_left, (WORDS, WORD, WORD), "UniTuple(uint64 x 2)"),
        (kernel._starves, (CHECKS, WORD, WORD, WORD), "bool"),
    ],
)
def test_return_types(function: Any, arguments: tuple[Any, ...] | None, result: str) -> None:
    if arguments is None:
        counted(spec_of("5x6", closed=False))
    else:
        function(*arguments)
    signatures = function.nopython_signatures
    assert signatures
    returned = {signature.return_type for signature in signatures}
    assert {str(getattr(each, "literal_type", each)) for each in returned} == {result}


@pytest.mark.parametrize("ratio", [0.001, 0.5, 1.0])
@pytest.mark.parametrize("different", [1, 3, 100, 255, 256, 257, 300])
def test_tables_grow_and_entries_are_merged(ratio: float, different: int) -> None:
    entries = np.array([(1 + number * 77 % different, number) for number in range(300)], np.uint64).reshape(-1)
    expected: dict[int, int] = {}
    for number in range(300):
        key = 1 + number * 77 % different ^ 2**64 - 1
        expected[key] = expected.get(key, 0) + number
    assert merged_by_the_kernel(entries, 2, ratio) == (expected, 299 * 150)


# --- modulo a prime --------------------------------------------------------------------------------


@pytest.mark.parametrize("modulus", [2, 1009, 2**61 - 1])
def test_modulo(modulus: int) -> None:
    assert counted(spec_of("6x6", closed=False), Means(1, None, modulus)) == 3318960 % modulus
    assert counted(spec_of("3x60", closed=True), Means(1, None, modulus)) == (
        counted(spec_of("3x60", closed=True)) % modulus
    )


@pytest.mark.parametrize(
    ("size", "closed", "directed"),
    [("5x6", True, True), ("5x6", True, False), ("5x5", False, True), ("5x6", False, False)],
)
def test_verifying(size: str, closed: bool, directed: bool) -> None:
    spec, request = spec_of(size, closed=closed), TourCountSpec(directed, False, "auto")
    answer = count_tours(spec, request, Budget())
    good = counting.verify(spec, request, answer, Context())
    assert good.agrees
    assert "the same" in str(good)
    assert good.plan.route.order != explain(spec, method="layers").route.order
    for wrong in (answer - 1, answer + 1, answer + 2, 0):
        bad = counting.verify(spec, request, wrong, Context())
        assert not bad.agrees
        assert "NOT" in str(bad)


# --- budgets and memory ----------------------------------------------------------------------------


@pytest.mark.parametrize("threads", [1, 2])
def test_calls_are_states_and_the_limit_is_exact(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transit, "SMALL", 100)
    spec = spec_of("5x6", closed=False)

    def limited(calls: int | None) -> int:
        meter = Budget(calls=calls).start()
        assert layers.count(net_of(spec), route_of(spec), meter=meter, means=Means(threads)) == 18784
        return meter.calls

    needed = limited(None)
    assert 1000 < needed < 10_000
    assert limited(needed) == needed
    for limit in (needed - 1, needed // 2, 1):
        with pytest.raises(BudgetExceeded, match="limit of") as stopped:
            limited(limit)
        assert stopped.value.reached.calls == limit


@pytest.mark.parametrize("threads", [1, 2])
def test_progress_only_grows_and_cancelling_stops(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transit, "SMALL", 1000)
    seen: list[Progress] = []
    spec = spec_of("6x7", closed=False)
    counted_to = Budget(progress=seen.append, interval=0).start()
    layers.count(net_of(spec), route_of(spec), meter=counted_to, means=Means(threads))
    shares = [each.depth / each.total for each in seen]
    assert shares == sorted(shares)
    assert 0.9 < shares[-1] <= 1
    assert {each.total for each in seen} == {1000}
    half = seen[len(seen) // 2].calls
    stopped = Budget(cancelled=lambda: seen[-1].calls >= half, progress=seen.append, interval=0)
    with pytest.raises(BudgetExceeded, match="cancelled"):
        layers.count(net_of(spec), route_of(spec), meter=stopped.start(), means=Means(threads))


def test_what_does_not_fit_is_refused_before_it_is_begun() -> None:
    meter = Budget().start()
    spec = spec_of("7x8", closed=True)
    with pytest.raises(
        BoardTooLarge,
        match=r"needs about .* of memory .* foreseen from their order, 14 squares .*; 1\.0 MB are allowed",
    ):
        layers.count(net_of(spec), route_of(spec), meter=meter, means=Means(1, 1_000_000))
    assert meter.calls == 0


def test_plain_counts_keep_to_the_memory_too() -> None:
    spec = spec_of("6x6", closed=False)
    with pytest.raises(BoardTooLarge, match=r"needs about .* of memory for .* states; 1\.0 MB are allowed"):
        count_tours(spec, TourCountSpec(True, False, "frontier"), memory=1_000_000)


@pytest.mark.parametrize("threads", [1, 2])
def test_what_turns_out_not_to_fit_is_stopped(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transit, "SMALL", 1000)
    monkeypatch.setattr(Sweep, "_foresee", lambda *_: None)
    spec = spec_of("6x7", closed=False)
    with pytest.raises(BoardTooLarge, match=r"more than the 1\.0 MB of memory that are allowed: \d+% of a layer"):
        layers.count(net_of(spec), route_of(spec), meter=Budget().start(), means=Means(threads, 1_000_000))


# A third of what the largest layers take in memory; so that they go to disk in several runs, and are joined again.
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(
    ("size", "closed", "memory", "value"),
    [("6x7", False, 600_000, 389969466), ("6x8", True, 1_500_000, 55488142)],
)
def test_what_does_not_fit_goes_to_disk(
    size: str, closed: bool, memory: int, value: int, threads: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transit, "SMALL", 1000)
    written: list[int] = []
    finish = spill.SpillFile.finish

    def watched(run: spill.SpillFile) -> None:
        finish(run)
        written.append(run.size)

    monkeypatch.setattr(spill.SpillFile, "finish", watched)
    spec = spec_of(size, closed=closed)
    for limited in (Means(threads, memory, 0, tmp_path), Means(threads, memory, 1009, tmp_path)):
        found = layers.count(net_of(spec), route_of(spec), meter=Budget().start(), means=limited)
        assert found == (value % 1009 if limited.modulus else value)
    assert len(written) > 10, written
    assert max(written) > memory // 50, written
    assert list(tmp_path.iterdir()) == []


def test_a_layer_on_disk_can_be_kept_and_gone_on_from(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transit, "SMALL", 1000)
    folder, spec = kept(tmp_path / "work", "6x7")
    means = Means(1, 1_000_000, 0, tmp_path / "work")
    seen: list[bool] = []
    layer = folder.load()

    class Killed(Exception):
        """Nobody has time to tidy up."""

    def keep(layer: Layer) -> None:
        seen.append(isinstance(layer.parts, spill.SpillFile))
        if sum(seen) == 3:
            folder.save(layer)
            (tmp_path / "work" / "spill" / "run-1000.npy").write_text("left behind")
            monkeypatch.setattr(Sweep, "close", lambda _: None)
            raise Killed

    with pytest.raises(Killed):
        layers.count(net_of(spec), route_of(spec), meter=Budget().start(), means=means, layer=layer, watch=keep)
    monkeypatch.undo()
    layer = folder.load()
    assert layer.depth == len(seen) - 1
    assert layers.count(net_of(spec), route_of(spec), meter=Budget().start(), means=means, layer=layer) == 389969466
    folder.clear()
    assert list(tmp_path.iterdir()) == []


def test_a_disk_that_cannot_be_written_to_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(
        segments.DiskError, match=r"layers cannot be kept in .*file.*: Not a directory; make room there"
    ):
        spill.SpillFolder(tmp_path / "file")
    folder = spill.SpillFolder(tmp_path)
    run = folder.run([np.arange(6, dtype=np.uint64), np.empty(0, np.uint64), np.arange(4, dtype=np.uint64)], 2)
    assert (run.size, run.read(1).size, run.read(2).tolist()) == (5, 0, [0, 1, 2, 3])
    assert np.fromfile(run.path, np.uint64).tolist() == [0, 1, 2, 3, 4, 5, 0, 1, 2, 3]
    assert [part.tolist() for part in run] == [[0, 1, 2, 3, 4, 5, 0, 1, 2, 3]]
    run.path.unlink()
    with pytest.raises(segments.DamagedFile, match="no such file"):
        run.read(0)


def test_a_disk_too_small_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spill.SpillFolder, "free", lambda _: 10_000_000)
    spec = spec_of("7x8", closed=True)
    with pytest.raises(BoardTooLarge, match=r"needs about .* of disk for up to .* states .* 10\.0 MB are free there"):
        layers.count(net_of(spec), route_of(spec), meter=Budget().start(), means=Means(1, 1_000_000, 0, tmp_path))


def test_layers_tell_what_the_order_does_not() -> None:
    spec = spec_of("7x8", closed=True)
    outlook = Forecast.of(net_of(spec), route_of(spec).order, mirrored=True)
    promised, _ = outlook.memory()
    middle = next(depth for depth, bound in enumerate(outlook.bounds) if outlook.states[depth] >= bound > 10_000)
    usual = int(outlook.states[middle])
    assert outlook.memory(middle, usual)[0] == pytest.approx(promised, rel=0.01)
    assert 2 * promised < outlook.memory(middle, 3 * usual)[0] < 4 * promised
    assert outlook.memory(middle, usual // 4)[0] < promised / 2
    assert outlook.memory(middle, 1000 * usual)[0] < 5 * promised
    assert outlook.memory(5, 1000 * usual)[0] == pytest.approx(promised)


@pytest.mark.parametrize(("size", "closed", "value"), [("6x8", True, 55488142), ("6x7", False, 389969466)])
def test_what_is_foreseen_is_enough(size: str, closed: bool, value: int) -> None:
    # The first layers are many times as large as foreseen; that must not make believe that the largest ones are too.
    spec = spec_of(size, closed=closed)
    net, route = net_of(spec), route_of(spec)
    foreseen = Forecast.of(net, route.order, mirrored=route.mirror is not None)
    promised, _ = foreseen.memory()
    early = next(depth for depth, states in enumerate(foreseen.states) if states >= outlook.TELLING)
    assert foreseen.states[early] < foreseen.bounds[early]
    assert foreseen.memory(early, int(20 * foreseen.states[early]))[0] <= 1.01 * promised
    assert layers.count(net, route, meter=Budget().start(), means=Means(1, promised)) == value


@pytest.mark.parametrize(("size", "closed"), [("6x8", True), ("6x7", False), ("5x10", True), ("5x10", False)])
def test_the_outlook_is_about_right(size: str, closed: bool) -> None:
    spec = spec_of(size, closed=closed)
    net, route = net_of(spec), route_of(spec)
    sweep = Sweep(net, route, Budget().start(), ONE)
    layer = Layer.first(sweep.words)
    while layer.depth < len(route.order):
        layer = sweep.advanced(layer)
    sweep.close()
    assert 0.3 < sweep.outlook.total / sum(sweep.sizes) < 5
    assert 0.3 < sweep.outlook.memory()[1] / max(sweep.sizes) < 5
    assert sweep.peak_bytes < 1.5 * sweep.outlook.memory()[0]


@pytest.mark.parametrize(
    ("count", "text"), [(999, "1 kB"), (5_400_000, "5.4 MB"), (12 * 10**9, "12.0 GB"), (10**13, "10,000.0 GB")]
)
def test_sizes_in_words(count: int, text: str) -> None:
    assert size_of(count) == text


# --- layers in a folder ----------------------------------------------------------------------------


def kept(path: Path, size: str = "5x6") -> tuple[LayerFolder, TourSpec]:
    spec = spec_of(size, closed=False)
    return LayerFolder(path, key_of(net_of(spec), route_of(spec)), f"open tours of {size}"), spec


def filled(path: Path, depth: int = 12) -> LayerFolder:
    """A folder in which a count was left after some steps."""
    folder, spec = kept(path)

    def keep(layer: Layer) -> None:
        if layer.depth == depth:
            folder.save(layer)

    layers.count(net_of(spec), route_of(spec), meter=Budget().start(), means=ONE, watch=keep)
    return folder


def test_a_killed_count_goes_on_from_its_folder(tmp_path: Path) -> None:
    folder = filled(tmp_path / "work")
    layer = folder.load()
    assert (layer.depth, len(layer) > 100) == (12, True)
    spec = kept(tmp_path)[1]
    meter = Budget().start()
    assert layers.count(net_of(spec), route_of(spec), meter=meter, means=ONE, layer=layer) == 18784
    whole = Budget().start()
    layers.count(net_of(spec), route_of(spec), meter=whole, means=ONE)
    assert meter.calls < whole.calls


def test_the_last_layer_takes_the_place_of_the_one_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layerfolder, "_RARELY", 0)
    folder, spec = kept(tmp_path)
    watch = folder.keeper(seconds=0)
    layers.count(net_of(spec), route_of(spec), meter=Budget().start(), means=ONE, watch=watch)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["layer-29.npy", "manifest.json"]
    folder.clear()
    assert not tmp_path.exists()


def test_counting_with_a_folder(tmp_path: Path) -> None:
    request, folder = TourCountSpec(False, False, "layers"), tmp_path / "deep" / "work"
    spec = spec_of("5x6", closed=False)
    for limit in (500, None):
        with pytest.raises(BudgetExceeded) if limit else nullcontext():
            assert count_tours(spec, request, Budget(calls=limit), folder=folder) == 18784
        assert {path.name for path in (tmp_path / "deep" / "work").iterdir()} == {"manifest.json"}
    # The answer is there until it is released; no state is expanded to find it again.
    assert count_tours(spec, request, Budget(calls=1), folder=folder) == 18784
    with pytest.raises(InvalidText, match="belongs to another count"):
        count_tours(spec_of("5x6", closed=True), request, folder=folder)
    counting.release(tmp_path / "deep" / "work")
    assert list((tmp_path / "deep").iterdir()) == []


def test_only_a_finished_count_is_released(tmp_path: Path) -> None:
    folder = filled(tmp_path / "work")
    counting.release(tmp_path / "work")
    assert folder.load().depth == 12
    (tmp_path / "thesis.txt").write_text("years of work")
    for path in (tmp_path, tmp_path / "thesis.txt", tmp_path / "nothing", None):
        counting.release(path)
    assert (tmp_path / "thesis.txt").read_text() == "years of work"


@pytest.mark.parametrize("keep_folder", [False, True])
def test_a_folder_is_kept_for_those_who_ask(tmp_path: Path, *, keep_folder: bool) -> None:
    tours = KnightTours(5, 6)
    assert tours.count(directed=False, method="layers", folder=tmp_path / "work", keep_folder=keep_folder) == 18784
    assert (tmp_path / "work").exists() == keep_folder


def _scribble(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[-5] ^= 1
    path.write_bytes(data)


@pytest.mark.parametrize(
    ("damage", "why"),
    [
        (lambda path: (path / "manifest.json").unlink(), "not empty, and has no manifest"),
        (lambda path: (path / "manifest.json").write_text("{"), "manifest cannot be read"),
        (lambda path: (path / "manifest.json").write_text("[1]"), "not that of a count"),
        (
            lambda path: (path / "manifest.json").write_text('{"format": "backrank layer 3"}'),
            "another version of backrank",
        ),
        (lambda path: (path / "manifest.json").write_text('{"format": "backrank layer 4"}'), "manifest is damaged"),
        (lambda path: _edit(path, depth=-1), "manifest is damaged"),
        (lambda path: _edit(path, file="../elsewhere"), "manifest is damaged"),
        (lambda path: _edit(path, total="many"), "manifest is damaged"),
        (lambda path: _edit(path, sign=True, key="0"), "belongs to another count \\(open tours of 5x6\\)"),
        (lambda path: _edit(path, answer="18785"), "manifest is damaged"),
        (lambda path: _edit(path, sign=True, total="9"), "entries with 9 ways were written, and .* were read"),
        (lambda path: _edit(path, sign=True, segments=[["1"]]), "manifest is damaged"),
        (lambda path: _edit(path, sign=True, segments=[[3, "0"]]), "manifest is damaged"),
        (lambda path: _edit(path, sign=True, size=True), "manifest is damaged"),
        (lambda path: (path / "layer-12.npy").unlink(), r"layer-12.npy is damaged: it cannot be read \(no such file"),
        (lambda path: (path / "layer-12.npy").write_text("no"), r"layer-12.npy is damaged: it ends .* bytes too early"),
        (lambda path: np.save(path / "layer-12.npy", np.zeros(3)), "ends .* bytes too early"),
        (lambda path: _scribble(path / "layer-12.npy"), "is damaged: the checksum of segment 0 differs"),
    ],
)
def test_a_folder_that_is_not_its_own_is_left_alone(tmp_path: Path, damage: Callable[[Path], object], why: str) -> None:
    folder = filled(tmp_path)
    damage(tmp_path)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    with pytest.raises(InvalidText, match=f"work folder .* is left alone: .*{why}"):
        folder.load()
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def _edit(path: Path, *, sign: bool = False, **changes: object) -> None:
    manifest = json.loads((path / "manifest.json").read_text()) | changes
    if sign:
        manifest["checksum"] = layerfolder._checksum(manifest)
    (path / "manifest.json").write_text(json.dumps(manifest))


def test_nothing_is_written_into_a_foreign_folder(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("years of work")
    request = TourCountSpec(False, False, "layers")
    for folder, why in ((tmp_path, "not empty"), (tmp_path / "thesis.txt", "a file, not a folder")):
        with pytest.raises(InvalidText, match=why):
            count_tours(spec_of("5x6", closed=False), request, folder=folder)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_keys_tell_counts_apart() -> None:
    specs = [spec_of("5x6", closed=closed) for closed in (True, False)]
    specs += [TourSpec(Board(5, 6), KNIGHT, False, 0, end) for end in (None, 1)]
    keys = {key_of(net_of(each), route_of(each), modulus) for each in specs for modulus in (0, 7)}
    assert len(keys) == 8


# --- plans -----------------------------------------------------------------------------------------


def test_small_counts_are_plain_and_large_ones_compiled() -> None:
    assert explain(spec_of("5x5", closed=False)).method == "frontier"
    assert explain(spec_of("6x8", closed=True)).method == "layers"
    assert explain(spec_of("6x8", closed=True), method="frontier").method == "frontier"
    assert explain(spec_of("3x4", closed=False), method="layers").method == "layers"


@pytest.mark.parametrize(("size", "active"), [("6x6", 10), ("6x8", 12), ("7x8", 14), ("8x8", 16), ("8x9", 16)])
def test_a_plan_tells_all(size: str, active: int) -> None:
    plan = explain(spec_of(size, closed=True), method="layers")
    assert max(plan.widths) == active
    assert list(plan.widths) == profile([plan.net.near[square] for square in sorted(plan.net.near)], plan.route.order)
    text = str(plan)
    for part in (f"closed tours of {size}", f"at most {active} active at once", "states", "of memory", "of one thread"):
        assert part in text


@pytest.mark.parametrize(("method", "size"), [("auto", "30x30"), ("layers", "30x30"), ("frontier", "10x10")])
def test_too_wide_a_board_is_refused_with_its_active_squares(method: str, size: str) -> None:
    with pytest.raises(BoardTooLarge, match=r"needs about .* states: .* \d+ squares are active at once"):
        explain(spec_of(size, closed=True), method=method)


@pytest.mark.parametrize("size", ["6x40", "40x6", "5x60", "4x99"])
def test_long_boards_are_swept_with_two_active_squares_a_row(size: str) -> None:
    spec = spec_of(size, closed=True)
    for seed in (0, 1):
        route = route_of(spec, seed=seed)
        assert sorted(route.order) == list(spec.board)
        active = Forecast.of(net_of(spec), route.order, mirrored=False).widths
        assert max(active) <= 2 * min(spec.board.rows, spec.board.cols)
        middle = active[len(active) // 3 : 2 * len(active) // 3]
        period = min(spec.board.rows, spec.board.cols)
        assert middle[period:] == middle[:-period]
    assert route_of(spec).mirror is not None


@pytest.mark.parametrize("size", ["5x5", "6x6", "6x8", "7x7", "8x8"])
def test_every_square_is_followed_by_its_image(size: str) -> None:
    spec = spec_of(size, closed=True)
    route = route_of(spec)
    if route.mirror is not None:
        done: set[int] = set()
        whole = 0
        for square in route.order:
            done.add(square)
            whole += {route.mirror[other] for other in done} == done
        assert whole >= len(route.order) // 2
    assert sorted(route.order) == list(spec.board)
    assert route == route_of(spec)


@pytest.mark.parametrize("size", sorted(ORDERS))
def test_orders_that_are_known(size: str) -> None:
    board = Board.parse(size)
    turned = Board(board.cols, board.rows)
    for each in (board, turned):
        spec = TourSpec(each, KNIGHT, True, None, None)
        route = known_order(spec)
        assert route is not None
        assert route == route_of(spec)
        assert sorted(route.order) == list(each)
        assert slots.width_needed(net_of(spec), route.order) == ACTIVE[size]
        if route.mirror is not None:
            assert route.mirror in set(images_of(spec))
            places = {square: place for place, square in enumerate(route.order)}
            assert all(abs(places[square] - places[route.mirror[square]]) <= 1 for square in each)


def test_orders_are_known_for_plain_questions_alone() -> None:
    assert known_order(TourSpec(Board(6, 8), KNIGHT, False, 0, 40)) is not None
    for spec in (
        TourSpec(Board(6, 8), KNIGHT, False, 0, None),
        TourSpec(Board(6, 8), KING, False, None, None),
        TourSpec(Board(6, 8, holes=[3]), KNIGHT, False, None, None),
        TourSpec(Board(6, 8, wrap="torus"), KNIGHT, False, None, None),
        TourSpec(Board(4, 8), KNIGHT, False, None, None),
    ):
        assert known_order(spec) is None


def test_ends_by_class() -> None:
    assert ends_by_class(net_of(spec_of("5x5", closed=False))) == (2, 0)
    assert ends_by_class(net_of(spec_of("5x6", closed=False))) == (1, 1)
    assert ends_by_class(net_of(spec_of("5x6", closed=True))) is None
    assert ends_by_class(net_of(spec_of("4x4", closed=False, piece=KING))) is None
    assert ends_by_class(net_of(TourSpec(Board(5), KNIGHT, False, 0, 1))) == (1, -1)


# --- by name ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "ask",
    [
        lambda method: KnightTours(5).count(method=method),
        lambda method: KnightTours(5, start="a5").count(method=method),
        lambda method: KnightTours(5, start="a5", end="e1").count(method=method),
        lambda method: KnightTours(5, 6, closed=True).count(method=method),
        lambda method: KnightTours(5, 6, closed=True).count(method=method, directed=True),
        lambda method: KnightTours(5, 6, closed=True, start="a1", end="b3").count(method=method),
        lambda method: KnightTours(4, 5).count(method=method, directed=False),
        lambda method: KnightTours(4, 4, wrap="torus", closed=True).count(method=method),
        lambda method: KnightTours(3, 4, holes=["a1"]).count(method=method),
        lambda method: KnightTours(3, piece="king").count(method=method),
        lambda method: KnightTours(1).count(method=method),
        lambda method: KnightTours(1, closed=True).count(method=method),
        lambda method: KnightTours(1, 2).count(method=method),
    ],
)
def test_methods_agree(ask: Callable[[str], int]) -> None:
    assert ask("layers") == ask("frontier") == ask("auto") == ask("listing")


def test_not_up_to_symmetry() -> None:
    with pytest.raises(InvalidPuzzle, match="the layers method cannot count up to symmetry"):
        KnightTours(5).count(method="layers", up_to_symmetry=True)


def test_next_to_nothing() -> None:
    none = Net({})
    assert layers.count(none, Route(()), meter=Budget().start()) == 0
    assert layers.count(Net({}, frozenset(), 2), Route(()), meter=Budget().start()) == 0
    assert layers.count(Net({5: frozenset()}, frozenset(), 2), Route((5,)), meter=Budget().start()) == 1
    apart = Net({1: frozenset(), 2: frozenset()}, frozenset(), 2)
    assert layers.count(apart, Route((1, 2)), meter=Budget().start()) == 0
    pair = {1: frozenset([2]), 2: frozenset([1])}
    assert layers.count(Net(pair), Route((1, 2)), meter=Budget().start()) == 0
    for ends, free in (((), 2), ((1,), 1), ((1, 2), 0)):
        assert layers.count(Net(pair, frozenset(ends), free), Route((1, 2)), meter=Budget().start()) == 1


def test_too_many_slots_are_refused() -> None:
    board = Board(8)
    net = Net.of(move_graph(board, leaper(1, 2)).adjacency(), board)
    scattered = tuple(sorted(board, key=lambda square: square * 37 % 64))
    with pytest.raises(BoardTooLarge, match="squares are active at once; the compiled count takes up to 24"):
        layers.count(net, Route(scattered), meter=Budget().start())
