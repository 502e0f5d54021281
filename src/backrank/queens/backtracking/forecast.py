"""How long a count will take, before it is begun.

A search tree is measured by random descents: at each row one of the free squares is taken at random, and the product of
how many there were is an unbiased estimate of the number of branches (D. E. Knuth, "Estimating the efficiency of
backtrack programs", 1975). A few hundred descents tell the order of magnitude, which is all that is needed to
choose a method, and to refuse what would outlast its owner. The cost of counting by column sets is known from its
growth instead.
"""

from __future__ import annotations

from math import exp, log
from random import Random
from typing import NamedTuple

from backrank.queens.rules import allowed_masks
from backrank.queens.spec import QueensSpec

PROBES = 300
MOST_SQUARES = 300_000  # looked at by all descents together
# Seconds a step on one thread of an ordinary machine.
PER_CALL = {"reference": 2e-5, "python": 1.5e-6, "rows": 2.5e-8, "tails": 3e-9}
DENSITY = 0.143
PER_FOUND_BY_LINES = 2.5e-5


class Size(NamedTuple):
    """The size of a search: queens placed that are not the last one, and placements found."""

    calls: float
    found: float


def estimated_size(spec: QueensSpec) -> Size:
    """Return about how large the search row by row is; the same every time.

    Examples
    --------
    >>> from backrank.geometry.board import Board
    >>> size = estimated_size(QueensSpec(Board(10), 10))
    >>> 20_000 < size.calls < 60_000, 500 < size.found < 1_000
    (True, True)
    """
    lying = spec.lying()
    if lying.queens < 1:
        return Size(0.0, 1.0)
    rules, random = lying.rules(), Random(0)  # noqa: S311 - a fixed seed, so that answers repeat; nothing secret
    probes = min(PROBES, 1 + MOST_SQUARES // lying.board.size)
    calls = found = 0.0
    for _ in range(probes):
        levels, branches, left = [rules.first()], 1.0, lying.queens
        while levels[-1].tries:
            level = levels[-1]
            choices = [bit for bit in range(rules.cols + 1) if level.tries >> bit & 1]
            queens = len(choices) - (choices[-1] == rules.cols)
            if left == 1:
                found += branches * queens if queens else 0.0  # branches may be infinite
                choices = choices[queens:]  # the last queen is counted; go on for the rows below
                if not choices:
                    break
            else:
                calls += branches * queens if queens else 0.0
            branches *= len(choices)
            chosen = random.choice(choices)
            queen = 1 << chosen if chosen < rules.cols else 0
            left -= queen != 0
            levels[-1] = level._replace(queen=queen)
            levels.append(rules.next_level(levels))
    return Size(calls / probes, found / probes)


def expected_found(spec: QueensSpec) -> float:
    """Return about how many placements there are where every row gets a queen; 0 if some rows stay empty.

    There are about (0.143 n)^n ways for n queens (M. Simkin, 2021): 0.143 times the free squares of each row. Random
    descents find none of the 10^60 on a board of side 64, and this does not see what is impossible: it is what goes
    with them.

    Examples
    --------
    >>> from backrank.geometry.board import Board
    >>> expected_found(QueensSpec(Board(64), 64)) > 1e60, expected_found(QueensSpec(Board(8), 3))
    (True, 0.0)
    """
    lying = spec.lying()
    if lying.queens != lying.board.rows:
        return 0.0
    free = [mask.bit_count() for mask in allowed_masks(lying.board)]
    return exp(min(700.0, sum(log(DENSITY * squares) for squares in free if squares > 1)))
