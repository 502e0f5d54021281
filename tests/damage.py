"""Damage to files, for tests of what reads them back: bytes flipped, cut off, zeroed, removed, inserted."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

MOST_BYTES = 3


def damage(path: Path, rng: Random) -> str:
    """Damage a file that is not empty, in place, and return what was done.

    The file keeps its inode, so a process that has it open or mapped sees the damage. The bytes always change.
    """
    before = path.read_bytes()
    if not before:
        raise ValueError(f"{path} is empty: nothing to damage")
    while True:
        after, what = rng.choice(_KINDS)(bytearray(before), rng)
        if after != before:
            break
    with path.open("r+b") as stream:
        stream.write(after)
        stream.truncate()
    return f"{path.name} ({len(before)} bytes): {what}"


def flip(data: bytearray, rng: Random) -> tuple[bytes, str]:
    """Return the data with one to three bytes changed, and what was done."""
    places = sorted(rng.randrange(len(data)) for _ in range(rng.randint(1, MOST_BYTES)))
    for place in places:
        data[place] ^= rng.randint(1, 255)
    return bytes(data), f"bytes {places} changed"


def cut(data: bytearray, rng: Random) -> tuple[bytes, str]:
    """Return the beginning of the data, which may be empty, and what was done."""
    length = rng.randrange(len(data))
    return bytes(data[:length]), f"cut to {length} bytes"


def zero(data: bytearray, rng: Random) -> tuple[bytes, str]:
    """Return the data with zeros from some place on, as a power cut leaves a file, and what was done."""
    first = rng.randrange(len(data))
    last = rng.choice((len(data), min(len(data), first + 512)))
    data[first:last] = bytes(last - first)
    return bytes(data), f"bytes {first} to {last} zeroed"


def remove(data: bytearray, rng: Random) -> tuple[bytes, str]:
    """Return the data without one to three bytes, and what was done."""
    first, number = rng.randrange(len(data)), rng.randint(1, MOST_BYTES)
    del data[first : first + number]
    return bytes(data), f"{number} bytes removed at {first}"


def insert(data: bytearray, rng: Random) -> tuple[bytes, str]:
    """Return the data with one to three bytes more, and what was done."""
    first, more = rng.randrange(len(data) + 1), rng.randbytes(rng.randint(1, MOST_BYTES))
    data[first:first] = more
    return bytes(data), f"{len(more)} bytes inserted at {first}"


_KINDS: tuple[Callable[[bytearray, Random], tuple[bytes, str]], ...] = (flip, flip, cut, zero, remove, insert)
