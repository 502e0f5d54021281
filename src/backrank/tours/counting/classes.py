"""Tours up to symmetry: how many classes there are, without listing the tours.

The symmetries of a puzzle are those of its board that map moves to moves and keep the given ends; where a tour and
its reverse are one, those that swap two given ends as well. By Burnside's lemma the number of classes is the mean,
over all symmetries, of the number of tours that each keeps, that is, maps to themselves. The identity keeps all
tours, and they are counted as ever; how many the others keep is counted on smaller graphs by
:mod:`backrank.tours.counting.quotient`.

Symmetries that are conjugate in the group keep equally many tours, and so do powers of one that generate each other:
one of each kind is counted.

Listing is the slow way to the same numbers: of all tours those that are the least of their class, or their own image.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import gcd

from backrank.errors import BoardTooLarge, InvalidPuzzle, UnknownName
from backrank.geometry.pieces import move_graph
from backrank.geometry.symmetry import ROTATIONS, canonical_path, permutations
from backrank.runtime.budget import Budget, Meter
from backrank.runtime.memory import available_bytes
from backrank.runtime.quantities import size_of
from backrank.tours.counting.quotient import Part, Quotient
from backrank.tours.listing.exact import iter_exact
from backrank.tours.spec import TourSpec

MAX_STATES = 3e8  # that plain Python goes through
_LITTLE = 10**8  # bytes that are there
Permutation = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Kept:
    """A count of tours that symmetries keep: made ready, but not begun.

    Attributes
    ----------
    group : int
        How many symmetries there are, the identity included.
    parts : list of (int, Part)
        Tours that the others keep, all of them together, and how often each part counts.
    """

    group: int
    parts: list[tuple[int, Part]]

    def count(self, meter: Meter) -> int:
        """Return how many tours the symmetries other than the identity keep, summed over them."""
        return sum(times * part.count(meter) for times, part in self.parts)

    def require(self, spec: TourSpec, memory: int | None = None) -> None:
        """Refuse what is too large for plain Python.

        Raises
        ------
        BoardTooLarge
            If there are too many states, or not as much memory as they need.
        """
        states = max((part.states for _, part in self.parts), default=0)
        needed = max((part.memory for _, part in self.parts), default=0)
        if states > MAX_STATES:
            raise BoardTooLarge(
                f"counting the symmetric tours of {spec.board} needs about {states:.0e} states; "
                f"plain Python takes up to {MAX_STATES:.0e}: choose a smaller or narrower board"
            )
        if memory is None and needed <= _LITTLE:
            return
        allowed = available_bytes() if memory is None else memory
        if needed > allowed:
            raise BoardTooLarge(
                f"counting the symmetric tours of {spec.board} needs about {size_of(needed)} of memory; "
                f"{size_of(allowed)} are allowed: give it more memory, or a smaller or narrower board"
            )


def kept_by_group(spec: TourSpec, *, directed: bool, seed: int = 0) -> Kept:
    """Return what is to be counted of the tours that the symmetries of a puzzle keep.

    Parameters
    ----------
    spec : TourSpec
        About a board on which there may be a tour.
    directed : bool
        Whether a tour and its reverse are two.
    seed : int
        Another gives other orders of elimination, for a second count.

    Examples
    --------
    >>> from backrank.geometry.board import Board
    >>> from backrank.geometry.pieces import KNIGHT
    >>> kept = kept_by_group(TourSpec(Board(6), KNIGHT, True, None, None), directed=False)
    >>> kept.group, kept.count(Budget().start())
    (8, 98)
    """
    group = symmetries_of(spec, directed=directed)
    parts = [
        (times * number, part)
        for image, number in _kinds(group)
        for times, part in parts_kept(spec, image, directed=directed, seed=seed)
    ]
    return Kept(len(group), parts)


def parts_kept(spec: TourSpec, image: Sequence[int], *, directed: bool, seed: int = 0) -> Iterator[tuple[int, Part]]:
    """Yield where to find the tours that a symmetry keeps, and how often each counts; it must not be the identity."""
    board, start, end = spec.board, spec.start, spec.end
    if (not spec.closed or end is not None) and (directed or (start is None) != (end is None)):
        return
    adjacency = move_graph(board, spec.piece).adjacency()
    quotient = Quotient.of(adjacency, board, image, cols=board.cols, seed=seed)
    if spec.closed and end is None:
        yield from ((2 if directed else 1, part) for part in quotient.rotated())
        if not directed:
            yield from ((1, part) for part in quotient.reflected())
    elif start is None or image[start] == end:
        yield from ((1, part) for part in quotient.reversed(None if start is None else quotient.number(start)))


# --- groups ----------------------------------------------------------------------------------------


def symmetries_of(spec: TourSpec, *, directed: bool) -> list[Permutation]:
    """Return the symmetries of a puzzle, the identity first; holes stay where they are."""
    start, end = spec.start, spec.end
    found: dict[Permutation, None] = {}
    for image in permutations(spec.board):
        ends = [None if square is None else image[square] for square in (start, end)]
        swaps = not directed and start is not None and ends == [end, start]
        if (ends == [start, end] or swaps) and _keeps_moves(spec, image):
            # So two that differ on holes only are one.
            found[tuple(to if square in spec.board else square for square, to in enumerate(image))] = None
    return list(found)


def _keeps_moves(spec: TourSpec, image: Permutation) -> bool:
    """Whether a symmetry of the board maps moves to moves, as all do if the piece moves alike in all directions."""
    steps = set(spec.piece.steps)
    if all({(-down, right), (right, down)} <= steps for down, right in steps):
        return True
    near = [set(squares) for squares in move_graph(spec.board, spec.piece).adjacency()]
    return all({image[to] for to in near[square]} == near[image[square]] for square in spec.board)


def _kinds(group: list[Permutation]) -> Iterator[tuple[Permutation, int]]:
    """Yield one symmetry of each kind but the identity, and how many are of that kind."""
    generators = _generators(group)
    inverses = [_inverse(generator) for generator in generators]
    seen = {group[0]}
    for image in group:
        if image in seen:
            continue
        alike = list(dict.fromkeys(_generating_powers(image)))
        members = set(alike)
        for member in alike:
            for generator, inverse in zip(generators, inverses, strict=True):
                conjugate = _after(generator, _after(member, inverse))
                if conjugate not in members:
                    members.add(conjugate)
                    alike.append(conjugate)
        seen |= members
        yield image, len(alike)


def _generators(group: list[Permutation]) -> list[Permutation]:
    """Return some of the permutations of a group, of which all are products."""
    generators: list[Permutation] = []
    known = {group[0]}
    for image in group:
        if image in known:
            continue
        generators.append(image)
        products = list(known)
        for member in products:
            for generator in generators:
                after = _after(generator, member)
                if after not in known:
                    known.add(after)
                    products.append(after)
    return generators


def _generating_powers(image: Permutation) -> Iterator[Permutation]:
    """Yield the powers of a permutation that generate the same ones."""
    powers = [image]
    while (after := _after(image, powers[-1])) != image:
        powers.append(after)
    for power, reached in enumerate(powers, 1):
        if gcd(power, len(powers)) == 1:
            yield reached


def _after(second: Permutation, first: Permutation) -> Permutation:
    return tuple([second[square] for square in first])


def _inverse(image: Permutation) -> Permutation:
    return tuple(sorted(range(len(image)), key=image.__getitem__))


# --- one symmetry ----------------------------------------------------------------------------------


def rotation(spec: TourSpec, name: str) -> Permutation:
    """Return a rotation of the rectangle as a permutation of its squares, whatever its holes and edges.

    Raises
    ------
    UnknownName, InvalidPuzzle
        If there is no such rotation, the board is not square and it is a quarter turn, or a start or end is given.
    """
    if name not in ROTATIONS:
        raise UnknownName("symmetry", name, tuple(ROTATIONS))
    board = spec.board
    if name == "90" and board.rows != board.cols:
        raise InvalidPuzzle(f"a quarter turn needs a square board, not {board}; symmetry 180 is for every board")
    if spec.ends():
        raise InvalidPuzzle("symmetric tours are counted without a given start or end: leave those out")
    return ROTATIONS[name].permutation(board)


def kept_by_one(spec: TourSpec, image: Permutation, *, directed: bool, seed: int = 0) -> Kept | None:
    """Return what is to be counted of the tours that a rotation keeps; None if it keeps all squares, and so all tours.

    If it maps a square to a hole, or a move to what is none, it keeps no tour.
    """
    if all(image[square] == square for square in spec.board):
        return None
    if any(image[square] not in spec.board for square in spec.board) or not _keeps_moves(spec, image):
        return Kept(1, [])
    return Kept(1, list(parts_kept(spec, image, directed=directed, seed=seed)))


# --- by listing ------------------------------------------------------------------------------------


def list_classes(spec: TourSpec, budget: Budget, *, directed: bool) -> int:
    """Count the classes of tours by listing all tours: those that are the least of their class."""
    group = symmetries_of(spec, directed=directed)
    total = 0
    for squares in _readings(spec, budget, directed=directed):
        least = canonical_path(group, squares, closed=spec.closed, directed=directed)
        total += least == canonical_path(group[:1], squares, closed=spec.closed, directed=directed)
    return total


def list_kept(spec: TourSpec, image: Permutation, budget: Budget, *, directed: bool) -> int:
    """Count the tours that a permutation of the squares maps to themselves, by listing all tours."""
    same = tuple(range(spec.board.size))
    total = 0
    for squares in _readings(spec, budget, directed=directed):
        here, there = (canonical_path([each], squares, closed=spec.closed, directed=directed) for each in (same, image))
        total += here == there
    return total


def _readings(spec: TourSpec, budget: Budget, *, directed: bool) -> Iterator[Permutation]:
    """Yield each tour to be counted once: of an open undirected one the lesser reading, of a directed cycle both."""
    free = spec.start is None and spec.end is None
    for squares in iter_exact(spec, budget.start(len(spec.board))):
        if spec.closed or directed or not free or squares <= squares[::-1]:
            yield squares
        if spec.closed and directed and spec.end is None:
            yield squares[:1] + squares[:0:-1]
