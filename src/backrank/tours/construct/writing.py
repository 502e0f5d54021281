"""Writing a built tour down as an array: strokes handed to the kernel, on as many threads as there are cores.

The answer is written once, from front to back, and nothing else of its size is needed: the time is that of writing to
memory. Squares are 32-bit numbers, 64-bit ones on boards of 2^31 squares and more.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from backrank.runtime.budget import Meter
from backrank.runtime.memory import require_bytes
from backrank.tours.construct.blocks import Walk
from backrank.tours.construct.writing_jit import write_strokes

_PART = 1 << 20


class Written(Protocol):
    """What is written: a tour as strokes of copies of walks, on a board that is turned."""

    @property
    def view(self) -> Any:
        """How the board was turned before it was cut."""
        ...

    @property
    def from_end(self) -> bool:
        """Whether the strokes go from the end to the start."""
        ...

    def __len__(self) -> int: ...

    def strokes(self) -> Iterable[Any]:
        """Return the strokes, in order."""
        ...


def dtype_for(size: int) -> Any:
    """Return the type of the squares of a board of so many."""
    return np.int32 if size < 2**31 else np.int64


def written(tour: Written, *, workers: int | None = None, meter: Meter | None = None) -> NDArray[Any]:
    """Return the squares of a built tour, in order.

    Parameters
    ----------
    tour : Written
    workers : int, optional
        How many threads write; one for each core if not given. The result does not depend on it.
    meter : Meter, optional
        Ticks with the number of squares written.

    Raises
    ------
    BoardTooLarge
        If there is not enough memory for the answer.
    """
    size = len(tour)
    kind = np.dtype(dtype_for(size))
    require_bytes(size * kind.itemsize, f"a tour of {tour.view.board}")
    walks, strokes = _tables(tour, kind)
    squares = np.empty(size, kind)
    workers = workers or os.cpu_count() or 1
    done = 0
    with ThreadPoolExecutor(workers) as pool:
        parts = _parts(strokes, max(_PART, size // (64 * workers)))
        for count in pool.map(lambda part: _write(squares, walks, part), parts):
            done += count
            if meter is not None:
                meter.tick(done, done)
    if tour.from_end:
        _turn_round(squares)
    squares.flags.writeable = False
    return squares


def _turn_round(squares: NDArray[Any]) -> None:
    """Reverse an array where it is, a part at a time."""
    half = len(squares) // 2
    for first in range(0, half, _PART):
        last = min(first + _PART, half)
        mirror = slice(len(squares) - last, len(squares) - first)
        part = squares[first:last].copy()
        squares[first:last] = squares[mirror][::-1]
        squares[mirror] = part[::-1]


def _write(squares: NDArray[Any], walks: NDArray[Any], strokes: NDArray[np.int64]) -> int:
    write_strokes(squares, walks, strokes)
    return int((strokes[:, 1] * strokes[:, 4]).sum())


def _tables(tour: Written, kind: np.dtype[Any]) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Return all walks one after the other, and the strokes that copy them."""
    base, down, right = tour.view.linear()
    places: dict[int, int] = {}
    walks: list[Walk] = []
    length = 0
    rows = []
    for walk, first, last, corner, step, count, at in tour.strokes():
        # The same walk is the same object, and is kept here; comparing them would take longer than all the rest.
        place = places.setdefault(id(walk), length)
        if place == length:
            walks.append(walk)
            length += len(walk)
        origin = base + down * corner[0] + right * corner[1]
        rows.append((place + first, last - first, origin, down * step[0] + right * step[1], count, at))
    cells = np.array([cell for walk in walks for cell in walk], np.int64)
    return (down * cells[:, 0] + right * cells[:, 1]).astype(kind), np.array(rows, np.int64)


def _parts(strokes: NDArray[np.int64], most: int) -> Iterator[NDArray[np.int64]]:
    """Cut the strokes into parts of about so many squares; long strokes are cut as well."""
    if (strokes[:, 1] * strokes[:, 4]).max() > most:
        strokes = np.array([piece for stroke in strokes for piece in _cut(stroke, most)], np.int64)
    ends = np.cumsum(strokes[:, 1] * strokes[:, 4])
    first = 0
    while first < len(strokes):
        begun = int(ends[first - 1]) if first else 0
        last = max(int(np.searchsorted(ends, begun + most, side="right")), first + 1)
        yield strokes[first:last]
        first = last


def _cut(stroke: NDArray[np.int64], most: int) -> Iterator[tuple[int, ...]]:
    first, length, base, step, count, at = (int(number) for number in stroke)
    share = max(most // length, 1)
    for done in range(0, count, share):
        yield first, length, base + done * step, step, min(share, count - done), at + done * length


def as_array(squares: tuple[int, ...]) -> NDArray[Any]:
    """Return squares as a read-only array."""
    made = np.array(squares, dtype_for(max(squares, default=0) + 1))
    made.flags.writeable = False
    return made


def backwards(squares: NDArray[Any], *, keep_first: bool) -> NDArray[Any]:
    """Return the squares in the opposite order; those of a cycle from the same one on."""
    made = squares[::-1].copy()
    if keep_first:
        made = np.roll(made, 1)
    return made
