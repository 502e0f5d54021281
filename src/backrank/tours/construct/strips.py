"""Cutting the sides of a board into strips, so that it falls into blocks.

A side of 12 or more is cut into strips of 8, with a few of 6 or 10 in front to make the sum right, and one of 7, 9 or
11 if the side is odd. On boards that are 5 wide, where blocks need 10 columns, the long side is cut into strips
of 10, with some of up to 18. Either way few sizes occur and equal ones stand together: a side of 10^6 is four runs of
strips, so whatever is asked of it takes a few additions.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple


class StripRun(NamedTuple):
    """Strips of one size that stand together: `copies` of them, from strip `number` on, which begins at `offset`."""

    number: int
    offset: int
    size: int
    copies: int


class Strip(NamedTuple):
    """One strip: its number, where it begins, and how wide it is."""

    number: int
    offset: int
    size: int


class Sizes(NamedTuple):
    """How a side may be cut: strips of at least `least`; not at all up to `alone`; one on the way of up to `most`."""

    least: int
    alone: int
    most: int


WIDE = Sizes(6, 11, 11)
BESIDE_FIVE = Sizes(10, 19, 29)


@dataclass(frozen=True, slots=True)
class Strips:
    """A side cut into strips."""

    runs: tuple[StripRun, ...]

    @classmethod
    def of(cls, groups: list[tuple[int, int]]) -> Strips:
        """Return strips from (size, count), in order; groups of none are passed over."""
        runs: list[StripRun] = []
        number = offset = 0
        for size, count in groups:
            if not count:
                continue
            if runs and runs[-1].size == size:
                runs[-1] = runs[-1]._replace(copies=runs[-1].copies + count)
            else:
                runs.append(StripRun(number, offset, size, count))
            number, offset = number + count, offset + size * count
        return cls(tuple(runs))

    @property
    def count(self) -> int:
        """How many strips there are."""
        last = self.runs[-1]
        return last.number + last.copies

    @property
    def length(self) -> int:
        """The length of the side."""
        last = self.runs[-1]
        return last.offset + last.size * last.copies

    def strip(self, number: int) -> Strip:
        """Return a strip by its number."""
        run = next(run for run in reversed(self.runs) if run.number <= number)
        return Strip(number, run.offset + (number - run.number) * run.size, run.size)

    def at(self, coordinate: int) -> Strip:
        """Return the strip that a row or column lies in."""
        run = next(run for run in reversed(self.runs) if run.offset <= coordinate)
        return self.strip(run.number + (coordinate - run.offset) // run.size)


def ways_to_cut(length: int, at: int, sizes: Sizes = WIDE) -> Iterator[Strips]:
    """Yield ways to cut a side of at least 5, the plainest first; a strip of odd size holds the coordinate `at`.

    So on a board with two odd sides the only block of odd area is the one where the tour starts.

    Examples
    --------
    >>> [(run.size, run.copies) for run in next(ways_to_cut(45, 20)).runs]
    [(8, 1), (6, 1), (7, 1), (8, 3)]
    """
    if length <= sizes.alone:
        yield Strips.of([(length, 1)])
    elif length % 2 == 0:
        for groups in _even(length, sizes):
            yield Strips.of(groups)
    if length > sizes.alone and (length % 2 or sizes is BESIDE_FIVE):
        yield from _around(length, at, sizes)


def _around(length: int, at: int, sizes: Sizes) -> Iterator[Strips]:
    """Yield ways to cut a side that differ in the strip that holds a coordinate, and in those behind it."""
    for size in range(6 + length % 2, sizes.most + 1, 2):
        for offset in range(max((at - size + 2) // 2 * 2, 0), at + 1, 2):
            after = length - size - offset
            if _is_sum(offset, sizes) and _is_sum(after, sizes):
                for behind in _even(after, sizes):
                    yield Strips.of([*reversed(next(_even(offset, sizes))), (size, 1), *behind])


def _is_sum(length: int, sizes: Sizes) -> bool:
    return length == 0 or (length >= sizes.least and length % 2 == 0)


def _even(length: int, sizes: Sizes) -> Iterator[list[tuple[int, int]]]:
    """Yield ways to cut an even length: most strips of the base size, others at one or both ends."""
    if sizes is BESIDE_FIVE:
        yield from _even_tens(length)
        return
    for front, back in _ENDS[length % 8]:
        for one, other in ((front, back), (back, front))[: 1 + (front != back)]:
            rest = length - sum(one) - sum(other)
            if rest >= 0:
                yield [*((size, 1) for size in one), (8, rest // 8), *((size, 1) for size in other)]


# By what an even side leaves when divided by 8: the sizes of the strips at one end and at the other.
_ENDS: dict[int, list[tuple[tuple[int, ...], tuple[int, ...]]]] = {
    0: [((), ()), ((6,), (10,))],
    2: [((10,), ())],
    4: [((6, 6), ()), ((6,), (6,))],
    6: [((6,), ())],
}


def _even_tens(length: int) -> Iterator[list[tuple[int, int]]]:
    """Yield ways to cut an even length into tens; the strips at both ends shift those in between."""
    rest = length % 10
    if length == 0 or rest == 0:
        yield [(10, length // 10)]
    else:
        yield [(10 + rest, 1), (10, length // 10 - 1)]
    for shift in range(0, 10, 2):
        ends = 10 + shift, 10 + (rest - shift) % 10
        if shift != rest and sum(ends) <= length:
            yield [(ends[0], 1), (10, (length - sum(ends)) // 10), (ends[1], 1)]
