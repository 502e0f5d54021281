"""Count tours, by listing or by frontier, and turn the one number into the one that was asked for.

What a search yields is called the natural count: open tours as directed sequences, closed tours as undirected
cycles. The others follow. Undirected open tours are half as many, unless an end is given: then every
tour has its own direction already. Directed closed tours are twice as many, unless the step that closes is given.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from backrank.errors import BoardTooLarge, InvalidPuzzle
from backrank.runtime.budget import Budget, Meter
from backrank.runtime.memory import available_bytes
from backrank.tours.counting import classes, plan, reentrant
from backrank.tours.counting import reference as frontier
from backrank.tours.counting.arguments import require_means
from backrank.tours.counting.plan import LISTING, METHODS, FrontierPlan, unknown_method
from backrank.tours.frontier.forecast import size_of
from backrank.tours.solve.stages import iter_exact
from backrank.tours.spec import TourSpec
from backrank.tours.theorems.existence import existence

if TYPE_CHECKING:
    from backrank.tours.counting.folder import LayerFolder
    from backrank.tours.counting.layers import Means

MAX_COUNT_SQUARES = 10_000
PRIME = 2**61 - 1  # counts are checked modulo this
_LITTLE = 10**8  # bytes that are there


@dataclass(frozen=True, slots=True)
class TourCountSpec:
    """Which number is wanted, and how.

    Attributes
    ----------
    directed, up_to_symmetry : bool
    method : str
        One of `METHODS`.
    memory : int, optional
        Bytes that a compiled count may take; nine tenths of what is free, if not given.
    threads : int, optional
        As many as the process may use, if not given; they do not change the number.
    folder : Path, optional
        Where a compiled count keeps a layer about every minute, and goes on from; and where layers go that do not fit
        into the memory. It holds the answer when the count is done.
    symmetry : {"180", "90"}, optional
        Only tours that this rotation of the board maps to themselves.
    strictly_open : bool
        Only open tours whose ends are not a move apart.
    """

    directed: bool
    up_to_symmetry: bool
    method: str
    memory: int | None = None
    threads: int | None = None
    folder: Path | None = None
    symmetry: str | None = None
    strictly_open: bool = False


@dataclass(frozen=True, slots=True)
class Verification:
    """What came of counting again: by another order, without symmetries, modulo a prime.

    Attributes
    ----------
    count : int
        What was to be checked: the count of undirected cycles, or of paths.
    residue : int
        The second count, modulo `modulus`.
    modulus : int
    plan : Plan
        How it was made.
    """

    count: int
    residue: int
    modulus: int
    plan: FrontierPlan

    @property
    def agrees(self) -> bool:
        """Whether the counts are the same modulo the prime."""
        return self.count % self.modulus == self.residue

    def __str__(self) -> str:
        verdict = "the same" if self.agrees else f"NOT the same: {self.count % self.modulus} and {self.residue}"
        return f"counted again in another order, modulo {self.modulus}: {verdict}"


def require_sane(question: TourSpec, request: TourCountSpec) -> None:
    """Refuse a request for a number that there is none of, or by a method that does not lead to it.

    Raises
    ------
    UnknownName, InvalidPuzzle
    """
    if request.method not in METHODS:
        raise unknown_method(request.method)
    require_means(request.memory, request.threads)
    if request.up_to_symmetry and request.symmetry is not None:
        raise InvalidPuzzle("symmetric tours are counted one by one, not up to symmetry; choose one of the two")
    if request.strictly_open:
        reentrant.require_open(question)
        if request.up_to_symmetry or request.symmetry is not None:
            raise InvalidPuzzle("strictly open tours are counted one by one; leave out the symmetry")
    if request.symmetry is not None:
        classes.rotation(question, request.symmetry)
    elif not request.up_to_symmetry:
        return
    if request.method in (plan.PLAIN, plan.LAYERS):
        what = "up to symmetry" if request.up_to_symmetry else "symmetric tours"
        raise InvalidPuzzle(f"the {request.method} method cannot count {what}; use auto or listing")


def count(question: TourSpec, request: TourCountSpec, budget: Budget) -> int:
    """Return the requested number of tours; the question must be about a board with at least one possible tour.

    A work folder holds the answer then; see :func:`release`.
    """
    require_sane(question, request)
    if request.up_to_symmetry:
        return _up_to_symmetry(question, request, budget)
    if request.symmetry is not None:
        return _symmetric(question, request, budget)
    if request.method == LISTING:
        natural = _by_listing(question, budget, strictly_open=request.strictly_open)
    else:
        # What is kept in a folder comes last: it must still be there if the work is killed at any moment.
        cycles = _closed_ones(question, request, budget) if request.strictly_open and request.folder else None
        natural = _without_listing(question, request, budget)
        if request.strictly_open:
            cycles = _closed_ones(question, request, budget) if cycles is None else cycles
            natural -= reentrant.number(question, natural, cycles)
    return _converted(question, natural, directed=request.directed)


def explain(question: TourSpec, request: TourCountSpec) -> FrontierPlan:
    """Return how a count without listing would be made, and what it would take; see :class:`FrontierPlan`."""
    question.board.require_at_most(MAX_COUNT_SQUARES, "counting")
    return plan.explain(question, method=request.method)


def verify(question: TourSpec, request: TourCountSpec, answer: int, budget: Budget) -> Verification:
    """Count the tours again, and compare; an answer that does not agree is wrong, or this is.

    Parameters
    ----------
    question, request : Question, Request
        What `answer` was the count of; up to symmetry see :func:`verify_classes`.
    answer : int
    budget : Budget

    Examples
    --------
    >>> from backrank.geometry.board import Board
    >>> from backrank.geometry.pieces import KNIGHT
    >>> question, request = TourSpec(Board(5), KNIGHT, False, None, None), TourCountSpec(True, False, "auto")
    >>> verify(question, request, 1728, Budget()).agrees, verify(question, request, 1730, Budget()).agrees
    (True, False)
    """
    if request.up_to_symmetry:
        return verify_classes(question, request, answer, budget)
    require_means(request.memory, request.threads)
    question.board.require_at_most(MAX_COUNT_SQUARES, "counting")
    again = plan.explain(question, method=plan.LAYERS, seed=1)
    if not reentrant.can_close(question):
        return Verification(answer, 0, PRIME, again)
    residue = _counted(again, request, budget.start(), modulus=PRIME, owner=question)
    factor = _converted(question, _factor(question), directed=request.directed)
    # The answer is to be divided by 1 or 2: what is odd then was wrong from the beginning.
    undirected, odd = divmod(answer, factor)
    return Verification(undirected if not odd else -1, residue, PRIME, again)


def _converted(question: TourSpec, natural: int, *, directed: bool) -> int:
    if len(question.board) == 1:
        return natural
    if question.closed:
        return natural * 2 if directed and question.end is None else natural
    return natural // 2 if not directed and question.start is None and question.end is None else natural


def _factor(question: TourSpec) -> int:
    """Return how many natural tours there are for every undirected cycle or path."""
    free = not question.closed and question.start is None and question.end is None
    return 2 if free and len(question.board) > 1 else 1


def _by_listing(question: TourSpec, budget: Budget, *, strictly_open: bool) -> int:
    tours = iter_exact(question, budget.start(len(question.board)))
    return sum(1 for squares in tours if not strictly_open or not reentrant.is_reentrant(question, squares))


def _closed_ones(question: TourSpec, request: TourCountSpec, budget: Budget) -> int:
    """Return how many closed tours must be known to leave out the open ones that have ends a move apart."""
    closed = reentrant.closed_ones(question)
    if closed is None or existence(closed.board, closed.piece, closed=True).answer == "no":
        return 0
    return _counted(explain(closed, request), request, budget.start(len(closed.board)), owner=question)


def _without_listing(question: TourSpec, request: TourCountSpec, budget: Budget) -> int:
    meter = budget.start(len(question.board))
    return _factor(question) * _counted(explain(question, request), request, meter)


def _counted(
    how: FrontierPlan, request: TourCountSpec, meter: Meter, *, modulus: int = 0, owner: TourSpec | None = None
) -> int:
    """Return the number of undirected cycles or paths, as planned.

    If the work folder has another `owner`, whose count is kept there, only what does not fit goes there for a while.
    """
    if how.method == plan.LAYERS:
        from backrank.tours.counting import layers  # noqa: PLC0415 - loads numpy

        means = layers.Means(request.threads, request.memory, modulus)
        if request.folder is None:
            return layers.count(how.net, how.route, meter=meter, means=means)
        if owner is None:
            return _kept(how, means, request.folder, meter)
        means = replace(means, spill=request.folder)
        with _folder_of(plan.explain(owner, method=plan.LAYERS), request.folder).held():
            return layers.count(how.net, how.route, meter=meter, means=means)
    if request.memory is not None or how.memory > _LITTLE:  # else there is no need to ask how much is free
        _require(how, available_bytes() if request.memory is None else request.memory)
    net, order = how.net, how.route.order
    adjacency = [net.near.get(square, ()) for square in range(how.question.board.size)]
    if not net.given and not net.free:
        return frontier.count_cycles(adjacency, net.near, order, meter=meter)
    start, end = (*net.given, None, None)[:2]
    return frontier.count_paths(adjacency, net.near, start=start, end=end, order=order, meter=meter)


def _require(how: FrontierPlan, allowed: int) -> None:
    """Refuse a count in plain Python that would not fit."""
    if how.memory > allowed:
        raise BoardTooLarge(
            f"counting these tours needs about {size_of(how.memory)} of memory for {how.states:.1e} states; "
            f"{size_of(allowed)} are allowed: give it more memory, or a smaller or "
            "narrower board; or have their number estimated"
        )


def _kept(how: FrontierPlan, means: Means, path: Path, meter: Meter) -> int:
    """Count by layers that are kept in a folder now and then; go on from one that is there.

    The answer stays in the folder: :func:`release` removes it when it has arrived where it was to go.
    """
    from backrank.tours.counting import layers  # noqa: PLC0415 - loads numpy

    folder, means = _folder_of(how, path), replace(means, spill=path)
    with folder.held():
        if (number := folder.answer()) is not None:
            return number
        layer = folder.load()
        number = layers.count(how.net, how.route, meter=meter, means=means, layer=layer, watch=folder.keeper())
        folder.finish(number)
    return number


def release(folder: Path | None) -> None:
    """Remove a work folder whose count is finished; leave any other as it is."""
    if folder is not None and folder.is_dir():
        from backrank.tours.counting import folder as layerfolder  # noqa: PLC0415 - loads numpy

        layerfolder.release(folder)


def _folder_of(how: FrontierPlan, path: Path) -> LayerFolder:
    from backrank.tours.counting import folder as layerfolder  # noqa: PLC0415 - loads numpy

    about = str(how).partition(",")[0]
    return layerfolder.LayerFolder(path, layerfolder.key_of(how.net, how.route), about, how.outlook.words)


# --- symmetry --------------------------------------------------------------------------------------


def _up_to_symmetry(question: TourSpec, request: TourCountSpec, budget: Budget) -> int:
    """Return the number of classes of tours, by Burnside's lemma or by listing."""
    if request.method == LISTING:
        return classes.list_classes(question, budget, directed=request.directed)
    how = explain(question, request)
    kept = classes.kept_by_group(question, directed=request.directed)
    kept.require(question, request.memory)
    meter = budget.start(len(question.board))
    others = kept.count(meter)
    everything = _converted(question, _factor(question) * _counted(how, request, meter), directed=request.directed)
    number, rest = divmod(everything + others, kept.group)
    assert not rest  # noqa: S101 - Burnside's lemma
    return number


def _symmetric(question: TourSpec, request: TourCountSpec, budget: Budget) -> int:
    """Return the number of tours that a rotation keeps."""
    image = classes.rotation(question, str(request.symmetry))
    if request.method == LISTING:
        return classes.list_kept(question, image, budget, directed=request.directed)
    question.board.require_at_most(MAX_COUNT_SQUARES, "counting")
    kept = classes.kept_by_one(question, image, directed=request.directed)
    if kept is None:
        return _converted(question, _without_listing(question, request, budget), directed=request.directed)
    kept.require(question, request.memory)
    return kept.count(budget.start(len(question.board)))


def verify_classes(question: TourSpec, request: TourCountSpec, answer: int, budget: Budget) -> Verification:
    """Count tours up to symmetry again, in other orders, and compare.

    What is compared is the sum of Burnside's lemma, the number of classes times that of the symmetries: the tours that
    the identity keeps modulo a prime, the others exactly.

    Examples
    --------
    >>> from backrank.geometry.board import Board
    >>> from backrank.geometry.pieces import KNIGHT
    >>> question, request = TourSpec(Board(5), KNIGHT, False, None, None), TourCountSpec(False, True, "auto")
    >>> verify_classes(question, request, 112, Budget()).agrees, verify_classes(question, request, 113, Budget()).agrees
    (True, False)
    """
    question.board.require_at_most(MAX_COUNT_SQUARES, "counting")
    again = plan.explain(question, method=plan.LAYERS, seed=1)
    if not reentrant.can_close(question):
        return Verification(answer, 0, PRIME, again)
    kept = classes.kept_by_group(question, directed=request.directed, seed=1)
    kept.require(question, request.memory)
    meter = budget.start()
    residue = kept.count(meter)
    factor = _converted(question, _factor(question), directed=request.directed)
    residue += factor * _counted(again, request, meter, modulus=PRIME, owner=question)
    return Verification(answer * kept.group, residue % PRIME, PRIME, again)
