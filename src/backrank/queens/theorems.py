"""Whether there is a placement at all, as far as theorems and simple counts tell, with the reason.

Sources: E. Pauls, "Das Maximalproblem der Damen auf dem Schachbrete", Deutsche Schachzeitung 29 (1874), for n queens on
n x n; G. Pólya, "Über die 'doppelt-periodischen' Lösungen des n-Damen-Problems", in W. Ahrens, *Mathematische
Unterhaltungen und Spiele* II (1918), for glued edges: the queens on (r, 2r mod n) attack each other neither along
columns nor along diagonals if and only if n is divisible by neither 2 nor 3.
"""

from __future__ import annotations

from backrank.geometry.existence import UNKNOWN, Existence
from backrank.queens.spec import QueensSpec


def existence(spec: QueensSpec) -> Existence:
    """Return whether there is a placement, as far as theorems and counts tell.

    Cost: none on boards without placed queens; with them, a look at every square.

    Examples
    --------
    >>> from backrank.geometry.board import Board
    >>> existence(QueensSpec(Board(8), 8))
    Existence(answer='yes', reason='the board is large enough for 8 queens (Pauls 1874)')
    >>> existence(QueensSpec(Board(3), 3)).reason
    '3 queens cannot stand on 3x3 without attacking each other; the board is too small'
    >>> existence(QueensSpec(Board(8, holes=["a1"]), 8)).answer
    'unknown'
    """
    against = spec.why_impossible()
    if against is not None:
        return Existence("no", against)
    reason = _why(spec)
    return Existence("unknown", UNKNOWN) if reason is None else Existence("yes", reason)


def _why(spec: QueensSpec) -> str | None:
    """Return a reason why there is a placement, or None; of a spec that nothing speaks against."""
    board, left = spec.board, spec.queens - len(spec.placed)
    short, long = sorted((board.rows, board.cols))
    if not left:
        return "all pieces are placed" if spec.placed else "a board without pieces is a placement"
    if left == 1 and not spec.placed:
        return "one piece attacks no other"
    if spec.placed or board.holes or spec.piece != "queen":
        return None
    if board.wrap == "none":
        return f"the board is large enough for {left} queens (Pauls 1874)"
    is_free_of_both = short == long and short % 2 and short % 3
    return f"on a side divisible by neither 2 nor 3, up to {short} queens fit (Pólya 1918)" if is_free_of_both else None
