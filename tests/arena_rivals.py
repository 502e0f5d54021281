"""Entrants that only the tests of the arena know: honest ones, and every kind of trouble."""

from __future__ import annotations

import os
from typing import Any


def honest(puzzle: Any) -> int:
    return int(puzzle.count())


def liar(puzzle: Any) -> int:
    return int(puzzle.count()) + int(puzzle.board.rows == 6)


def slow(puzzle: Any) -> int:
    while puzzle.board.rows > 5:
        pass
    return int(puzzle.count())


def broken(puzzle: Any) -> int:
    if puzzle.board.rows > 5:
        raise RuntimeError("out\nof luck")
    return int(puzzle.count())


def needy(_puzzle: Any) -> int:
    raise ImportError("no such engine")


def deadly(puzzle: Any) -> int:
    if puzzle.board.rows > 5:
        os._exit(7)
    return int(puzzle.count())


def chatty(puzzle: Any) -> int:
    print('{"answer": "0"}', flush=True)
    os.write(1, b'{"answer": "0"}\n')
    return int(puzzle.count())


def greedy(puzzle: Any) -> int:
    room = bytearray(40_000_000) if puzzle.board.rows == 6 else b""
    return int(puzzle.count()) + 0 * len(room)


def crooked(puzzle: Any) -> list[int]:
    return list(range(puzzle.board.rows))


def torn(_puzzle: Any) -> int:
    raise ImportError("cannot import name 'no_such_part'", name="backrank.kernels.no_such_part")


def filled(size: int) -> int:
    return len(bytearray(size))
