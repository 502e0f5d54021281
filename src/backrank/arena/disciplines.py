"""What can be competed in: for each discipline what an entrant is given, what is timed, and how the answer is checked.

Whoever takes part in a discipline has its signature, ours and a tutorial's alike:

| discipline | an entrant is | its answer |
|---|---|---|
| `count queens`, `count classes` | `Queens -> int` | the number |
| `count tours` | `KnightTours -> int` | the number, undirected |
| `first queens` | `Queens -> squares or None` | is checked by :mod:`backrank.geometry.verify` |
| `first tour` | `KnightTours -> squares or None` | the same |
| `list queens`, `list tours` | puzzle `-> blocks` | how many, and a digest of all |
| `run a search` | `Search -> (calls, path)` | where the search is after so many calls |

A block is a list of columns or squares, or a NumPy array of many; the time is that of going through all blocks. The
digest is made in a second round, which is not timed. Answers are short texts, so that they can be compared and kept.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from backrank.arena.cases import Case
from backrank.errors import UnknownName

if TYPE_CHECKING:
    from backrank.queens.puzzle import Queens
    from backrank.tours.puzzle import KnightTours

VALID, NONE = "valid", "none"


@dataclass(frozen=True, slots=True)
class SearchCase:
    """A search by the engine: how far it is to go.

    Attributes
    ----------
    tours : KnightTours
        With a start.
    strategy : str
    calls : int
    """

    tours: KnightTours
    strategy: str
    calls: int


@dataclass(frozen=True, slots=True)
class Discipline:
    """How an entrant is asked, timed and checked.

    Attributes
    ----------
    puzzle : callable
        Makes what the entrant is given.
    timed : callable
        Takes what the entrant returned, within the time that is measured: a list is gone through.
    told : callable
        Turns it into a text, afterwards. It gets the puzzle, and what asks the entrant once more.
    """

    puzzle: Callable[[Case], Any]
    timed: Callable[[Any], Any]
    told: Callable[[Any, Any, Callable[[], Any]], str]


def queens_of(case: Case) -> Queens:
    """Return the queens of a case."""
    from backrank.queens.puzzle import Queens  # noqa: PLC0415 - each discipline loads its own puzzle

    return Queens(case.board, wrap=case.wrap)


def tours_of(case: Case) -> KnightTours:
    """Return the tours of a case."""
    from backrank.tours.puzzle import KnightTours  # noqa: PLC0415 - each discipline loads its own puzzle

    return KnightTours(case.board, closed=case.closed, start=case.start or None, wrap=case.wrap)


def search_of(case: Case) -> SearchCase:
    """Return the search of a case."""
    return SearchCase(tours_of(case), case.strategy, case.calls)


def _as_it_is(answer: Any) -> Any:
    return answer


def _gone_through(blocks: Iterable[Any]) -> int:
    return sum(len(block) if getattr(block, "ndim", 1) == 2 else 1 for block in blocks)


def _number(_puzzle: Any, answer: Any, _again: Callable[[], Any]) -> str:
    return str(int(answer))


def _checked(puzzle: Any, answer: Sequence[int] | None, _again: Callable[[], Any]) -> str:
    if answer is None:
        return NONE
    cells = [divmod(int(square), puzzle.board.cols) for square in answer]
    faults = puzzle.faults(cells)
    return VALID if not faults else f"not valid: {faults[0]}"


def _digest(_puzzle: Any, answer: int, again: Callable[[], Any]) -> str:
    found: list[bytes] = []
    for block in again():
        if getattr(block, "ndim", 1) == 2:
            found += [bytes(row) for row in block.tolist()]
        else:
            found.append(bytes(block))
    digest = hashlib.sha256(b"".join(sorted(found))).hexdigest()[:16]
    return f"{answer}, {digest}" if answer == len(found) else f"{answer}, but {len(found)} when asked again"


def _moment(_puzzle: Any, answer: tuple[int, Sequence[int]], _again: Callable[[], Any]) -> str:
    calls, path = answer
    return f"{calls} calls, {len(path)} deep, {hashlib.sha256(bytes(path)).hexdigest()[:16]}"


_DISCIPLINES = {
    "count queens": Discipline(queens_of, _as_it_is, _number),
    "count classes": Discipline(queens_of, _as_it_is, _number),
    "count tours": Discipline(tours_of, _as_it_is, _number),
    "first queens": Discipline(queens_of, _as_it_is, _checked),
    "first tour": Discipline(tours_of, _as_it_is, _checked),
    "list queens": Discipline(queens_of, _gone_through, _digest),
    "list tours": Discipline(tours_of, _gone_through, _digest),
    "run a search": Discipline(search_of, _as_it_is, _moment),
}


def discipline(name: str) -> Discipline:
    """Return the discipline of this name.

    Examples
    --------
    >>> queens = discipline("count queens").puzzle(Case(8, "8x8"))
    >>> discipline("count queens").told(queens, queens.count(), queens.count)
    '92'
    """
    if name not in _DISCIPLINES:
        raise UnknownName("discipline", name, tuple(_DISCIPLINES))
    return _DISCIPLINES[name]
