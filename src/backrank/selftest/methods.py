"""By which algorithms each kind of published value is counted anew, and how far each of them gets.

Ways are independent where their ideas are: a search square by square shares neither code nor thought with dynamic
programming over states, and `tutorial` shares nothing with anything, boards included. `filter` lists ordinary
placements and throws away those that are attacked in other ways, where the others search under all rules at once. Every
way really counts; none looks anything up. What a way can do is limited by a size (rows, squares, or what there is to
list): up to `quick` in a second or so, up to `deep` in minutes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from backrank.published.values import Published
from backrank.runtime.budget import Budget
from backrank.selftest.queens_methods import (
    amazons_filtered,
    classes_by_burnside,
    classes_listed,
    classes_one_by_one,
    placements_by,
    symmetric_by_orbits,
    symmetric_filtered,
    symmetric_listed,
    torus_filtered,
    tutorial_queens,
)
from backrank.selftest.tours_methods import (
    cycle_classes_by_burnside,
    cycle_classes_by_edges,
    cycle_classes_listed,
    is_impossible,
    tours_by_frontier,
    tours_by_layers,
    tours_by_theorems,
    tours_listed,
    tutorial_tours,
)

Count = Callable[[Published, Budget], int]
Size = Callable[[Published], int]
NEVER = 1 << 62


@dataclass(frozen=True, slots=True)
class Way:
    """One algorithm for one kind of value.

    Attributes
    ----------
    name : str
    kind : str
        The kind of published value that it counts.
    count : callable
        Does it, within a budget.
    size : callable
        What it costs, as a number that is compared with the limits; 0 or less if the way is not for this value.
    quick, deep : int
        How far it gets in a quick test and in a deep one.
    """

    name: str
    kind: str
    count: Count
    size: Size
    quick: int
    deep: int

    def reaches(self, published: Published, *, deep: bool) -> bool:
        """Whether this way is asked for a value."""
        return published.kind == self.kind and 0 < self.size(published) <= (self.deep if deep else self.quick)


def side(published: Published) -> int:
    """Return the number of rows."""
    return published.rows


def side_from(least: int) -> Size:
    """Return the number of rows, if they are so many at least."""
    return lambda published: published.rows if published.rows >= least else 0


def area(published: Published) -> int:
    """Return the number of squares."""
    return published.rows * published.cols


def area_of_several(published: Published) -> int:
    """Return the number of squares, if there are two queens at least: what is compiled begins with two."""
    return 0 if published.queens in (0, 1) else area(published)


def listed(published: Published) -> int:
    """Return how many tours there are to be listed; looking for them takes time even if there are none."""
    return max(published.value, 40 * max(0, area(published) - 20) ** 2, 1)


def spread(published: Published) -> int:
    """Return squares times what is open at a time: the logarithm of the number of states grows with it."""
    loose = 0 if "closed" in published.kind else 2
    glued = 3 if published.kind.endswith("torus") else 0
    return area(published) * max(1, min(published.rows, published.cols) - 2 + loose + glued)


def spread_of_possible(published: Published) -> int:
    """Return the same, or 0 if a theorem answers before anything is counted."""
    return 0 if is_impossible(published) else spread(published)


def impossible(published: Published) -> int:
    """Return 1 if a theorem says that there is none."""
    return int(is_impossible(published))


OPEN, CLOSED = "tours.open.undirected", "tours.closed.undirected"
START, TORUS = "tours.open.directed.from", "tours.closed.undirected.torus"

WAYS = (
    Way("tutorial", "queens.all", tutorial_queens, side, 8, 10),
    Way("reference", "queens.all", placements_by("reference"), side, 7, 10),
    Way("bits", "queens.all", placements_by("bits"), side, 10, 13),
    Way("rows", "queens.all", placements_by("rows"), side_from(4), 13, 15),
    Way("tails", "queens.all", placements_by("tails"), side_from(6), 15, 17),
    Way("columnsets", "queens.all", placements_by("columnsets"), side_from(4), 15, 18),
    Way("classes", "queens.unique", classes_listed, side, 7, 10),
    Way("one by one", "queens.unique", classes_one_by_one, side_from(4), 12, 15),
    Way("burnside", "queens.unique", classes_by_burnside, side_from(4), 13, 17),
    Way("reference", "queens.symmetric180", symmetric_listed, side, 7, 10),
    Way("filter", "queens.symmetric180", symmetric_filtered, side, 12, 15),
    Way("orbits", "queens.symmetric180", symmetric_by_orbits, side, 16, 22),
    Way("reference", "queens.symmetric90", symmetric_listed, side, 7, 10),
    Way("filter", "queens.symmetric90", symmetric_filtered, side, 13, 15),
    Way("orbits", "queens.symmetric90", symmetric_by_orbits, side, 20, 24),
    Way("reference", "queens.toroidal", placements_by("reference"), side, 7, 11),
    Way("filter", "queens.toroidal", torus_filtered, side_from(5), 13, 15),
    Way("rows", "queens.toroidal", placements_by("rows"), side_from(5), 13, 19),
    Way("reference", "amazons.all", placements_by("reference"), side, 8, 11),
    Way("filter", "amazons.all", amazons_filtered, side_from(4), 13, 15),
    Way("rows", "amazons.all", placements_by("rows"), side_from(4), 13, 17),
    Way("reference", "queens.place-k", placements_by("reference"), area, 36, 64),
    Way("lines", "queens.place-k", placements_by("lines"), area, 64, 64),
    Way("rows", "queens.place-k", placements_by("rows"), area_of_several, 64, 100),
    Way("reference", "queens.rectangle", placements_by("reference"), area, 48, 72),
    Way("bits", "queens.rectangle", placements_by("bits"), area, 80, 96),
    Way("rows", "queens.rectangle", placements_by("rows"), area, 88, 96),
    Way("tutorial", CLOSED, tutorial_tours, area, 20, 25),
    Way("theorems", CLOSED, tours_by_theorems, impossible, 1, 1),
    Way("listing", CLOSED, tours_listed, listed, 8_000, 50_000),
    Way("frontier", CLOSED, tours_by_frontier, spread, 168, 270),
    Way("layers", CLOSED, tours_by_layers, spread_of_possible, 240, 336),
    Way("tutorial", OPEN, tutorial_tours, area, 15, 20),
    Way("theorems", OPEN, tours_by_theorems, impossible, 1, 1),
    Way("listing", OPEN, tours_listed, listed, 1_000, 60_000),
    Way("frontier", OPEN, tours_by_frontier, spread, 160, 252),
    Way("layers", OPEN, tours_by_layers, spread_of_possible, 216, 280),
    Way("tutorial", START, tutorial_tours, area, 16, 20),
    Way("listing", START, tours_listed, listed, 1_000, 60_000),
    Way("frontier", START, tours_by_frontier, spread, 150, 252),
    Way("layers", START, tours_by_layers, spread_of_possible, 150, 252),
    Way("listing", TORUS, tours_listed, listed, 1_400, 15_000),
    Way("frontier", TORUS, tours_by_frontier, spread, 70, 100),
    Way("layers", TORUS, tours_by_layers, spread_of_possible, 70, 100),
    Way("burnside", "tours.closed.classes", cycle_classes_by_burnside, area, 36, 36),
    Way("images", "tours.closed.classes", cycle_classes_listed, area, 0, 36),
    Way("edges", "tours.closed.classes", cycle_classes_by_edges, area, 36, 36),
)
"""Every way to count a published value."""
