"""The store of blocks, by itself."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator

import numpy as np
import pytest

from backrank.tours.frontier.store import BLOCK, Chains, NoRoomError, Store


@pytest.fixture
def _impatient() -> Iterator[None]:
    """Have threads take turns as often as they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.mark.usefixtures("_impatient")
def test_no_block_is_given_to_two_threads() -> None:
    store = Store(2, 1 << 26)
    taken: list[list[int]] = [[] for _ in range(4)]

    def take(mine: list[int]) -> None:
        for _ in range(300):
            mine.extend(store.take(7).tolist())
            store.give(np.array([mine.pop() for _ in range(3)], np.uint64))

    threads = [threading.Thread(target=take, args=(mine,)) for mine in taken]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    everything = [block for mine in taken for block in mine]
    assert len(everything) == len(set(everything)) == 4 * 300 * 4
    assert min(everything) > 0
    assert store.free == store.blocks - 1 - len(everything)


@pytest.mark.parametrize("count", [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 5 * BLOCK + 3])
def test_what_is_put_in_comes_out(count: int) -> None:
    store = Store(3, 1 << 20)
    values = np.arange(3 * count, dtype=np.uint64)
    chain = store.put(values)
    assert chain.size == count
    assert sorted(store.copied(chain).tolist()) == values.tolist()
    assert store.written(np.array(chain.heads(), np.uint64)) == chain
    assert sum(part.size for part in Chains(store, [chain])) == 3 * count
    before = store.free
    store.let_go(chain)
    assert store.free == before + -(-count // BLOCK) == store.blocks - 1


def test_a_full_store_takes_nothing_and_can_grow() -> None:
    store = Store(2, 1)
    chains = [store.put(np.full(2 * BLOCK, number, np.uint64)) for number in range(store.blocks - 1)]
    assert store.free == 0
    with pytest.raises(NoRoomError):
        store.put(np.zeros(2, np.uint64))
    store.grow(3 * store.blocks * store.block_bytes)
    chains.append(store.put(np.full(2 * BLOCK, len(chains), np.uint64)))
    assert [set(store.copied(chain).tolist()) for chain in chains] == [{number} for number in range(len(chains))]
