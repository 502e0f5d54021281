"""Run a planned count of tours, and verify one: the only way from the puzzle to the counting kernels.

What is counted by frontier are cycles or paths without direction; :func:`backrank.tours.counting.spec.multiplicity`
turns them into the tours that are wanted. Listing yields open tours as directed sequences and closed ones as
undirected cycles.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from backrank.errors import BoardTooLarge
from backrank.runtime.budget import Budget, Meter
from backrank.runtime.context import Context
from backrank.runtime.memory import available_bytes
from backrank.tours.counting import classes, frontier_plan, reentrant
from backrank.tours.counting import reference as frontier
from backrank.tours.counting.frontier_plan import LAYERS, LISTING, FrontierPlan
from backrank.tours.counting.plan import QUOTIENT, THEOREM, TourCountPlan, plan_frontier
from backrank.tours.counting.spec import TourCountSpec, multiplicity
from backrank.tours.frontier.forecast import size_of
from backrank.tours.listing.exact import iter_exact
from backrank.tours.spec import TourSpec

if TYPE_CHECKING:
    from backrank.tours.counting.folder import LayerFolder
    from backrank.tours.counting.layers import Means

PRIME = 2**61 - 1  # counts are checked modulo this
_LITTLE = 10**8  # bytes that are there


@dataclass(frozen=True, slots=True)
class Verification:
    """The result of counting again: in another vertex order, without symmetries, modulo a prime.

    Attributes
    ----------
    count : int
        What was to be checked: the count of undirected cycles, or of paths.
    residue : int
        The second count, modulo `modulus`.
    modulus : int
    plan : FrontierPlan
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


def run(plan: TourCountPlan, context: Context) -> int:
    """Return the number of tours that a plan counts.

    A work folder holds the answer then; see :func:`release`.

    Raises
    ------
    BudgetExceeded, BoardTooLarge
        If a limit is reached first, or it does not fit into the memory.

    Examples
    --------
    >>> from backrank.geometry.board import Board
    >>> from backrank.geometry.pieces import KNIGHT
    >>> from backrank.tours.counting.plan import plan
    >>> run(plan(TourSpec(Board(5), KNIGHT, False, None, None), TourCountSpec(directed=True)), Context())
    1728
    """
    spec, wanted, budget = plan.spec, plan.wanted, context.budget
    if plan.method == THEOREM:
        return 0
    if wanted.up_to_symmetry:
        return _up_to_symmetry(plan, context)
    if wanted.symmetry is not None:
        return _symmetric(plan, context)
    if plan.method == LISTING:
        return _directions(spec, _by_listing(plan, budget), directed=wanted.directed)
    # What is kept in a folder comes last: it must still be there if the work is killed at any moment.
    cycles = _closed_ones(plan, context) if wanted.strictly_open and context.folder else None
    directed = _counted(_frontier_of(plan), context, budget.start(len(spec.board))) * multiplicity(spec, directed=True)
    if not wanted.strictly_open:
        return _directions(spec, directed, directed=wanted.directed, of_directed=True)
    cycles = _closed_ones(plan, context) if cycles is None else cycles
    return _directions(
        spec, directed - reentrant.number(spec, directed, cycles), directed=wanted.directed, of_directed=True
    )


def _directions(spec: TourSpec, number: int, *, directed: bool, of_directed: bool | None = None) -> int:
    """Return a number of tours with or without direction; what listing yields is directed if the tours are open."""
    of_directed = not spec.closed if of_directed is None else of_directed
    return number * multiplicity(spec, directed=directed) // multiplicity(spec, directed=of_directed)


def _frontier_of(plan: TourCountPlan) -> FrontierPlan:
    return plan_frontier(plan.spec, method=plan.wanted.method) if plan.frontier is None else plan.frontier


def _by_listing(plan: TourCountPlan, budget: Budget) -> int:
    spec, strictly_open = plan.spec, plan.wanted.strictly_open
    tours = iter_exact(spec, budget.start(len(spec.board)))
    return sum(1 for squares in tours if not strictly_open or not reentrant.is_reentrant(spec, squares))


def _closed_ones(plan: TourCountPlan, context: Context) -> int:
    """Return how many closed tours must be known to leave out the open ones that have ends a move apart."""
    if plan.closing is None:
        return 0
    return _counted(plan.closing, context, context.budget.start(len(plan.spec.board)), owner=plan.spec)


def verify(spec: TourSpec, wanted: TourCountSpec, answer: int, context: Context) -> Verification:
    """Count the tours again, and compare; an answer that does not agree is wrong, or this is.

    Parameters
    ----------
    spec, wanted : TourSpec, TourCountSpec
        What `answer` was the count of; up to symmetry see :func:`verify_classes`.
    answer : int
    context : Context

    Examples
    --------
    >>> from backrank.geometry.board import Board
    >>> from backrank.geometry.pieces import KNIGHT
    >>> spec, wanted = TourSpec(Board(5), KNIGHT, False, None, None), TourCountSpec(directed=True)
    >>> verify(spec, wanted, 1728, Context()).agrees, verify(spec, wanted, 1730, Context()).agrees
    (True, False)
    """
    if wanted.up_to_symmetry:
        return verify_classes(spec, wanted, answer, context)
    again = plan_frontier(spec, method=LAYERS, seed=1)
    if not reentrant.can_close(spec):
        return Verification(answer, 0, PRIME, again)
    residue = _counted(again, context, context.budget.start(), modulus=PRIME, owner=spec)
    # The answer is to be divided by 1 or 2: what is odd then was wrong from the beginning.
    undirected, odd = divmod(answer, multiplicity(spec, directed=wanted.directed))
    return Verification(undirected if not odd else -1, residue, PRIME, again)


def _counted(
    how: FrontierPlan, context: Context, meter: Meter, *, modulus: int = 0, owner: TourSpec | None = None
) -> int:
    """Return the number of undirected cycles or paths, as planned.

    If the work folder has another `owner`, whose count is kept there, only what does not fit goes there for a while.
    """
    memory = context.memory
    if how.method == LAYERS:
        from backrank.tours.counting import layers  # noqa: PLC0415 - loads numpy

        means = layers.Means(context.threads, memory, modulus)
        if context.folder is None:
            return layers.count(how.net, how.route, meter=meter, means=means)
        if owner is None:
            return _kept(how, means, context.folder, meter)
        means = replace(means, spill=context.folder)
        with _folder_of(frontier_plan.explain(owner, method=LAYERS), context.folder).held():
            return layers.count(how.net, how.route, meter=meter, means=means)
    if memory is not None or how.memory > _LITTLE:  # else there is no need to ask how much is free
        _require(how, available_bytes() if memory is None else memory)
    net, order = how.net, how.route.order
    adjacency = [net.near.get(square, ()) for square in range(how.spec.board.size)]
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


def _up_to_symmetry(plan: TourCountPlan, context: Context) -> int:
    """Return the number of classes of tours, by Burnside's lemma or by listing."""
    spec, directed = plan.spec, plan.wanted.directed
    if plan.method == LISTING:
        return classes.list_classes(spec, context.budget, directed=directed)
    kept = classes.kept_by_group(spec, directed=directed)
    kept.require(spec, context.memory)
    meter = context.budget.start(len(spec.board))
    others = kept.count(meter)
    everything = _counted(_frontier_of(plan), context, meter) * multiplicity(spec, directed=directed)
    number, rest = divmod(everything + others, kept.group)
    assert not rest  # noqa: S101 - Burnside's lemma
    return number


def _symmetric(plan: TourCountPlan, context: Context) -> int:
    """Return the number of tours that a rotation keeps."""
    spec, directed, budget = plan.spec, plan.wanted.directed, context.budget
    image = classes.rotation(spec, str(plan.wanted.symmetry))
    if plan.method != QUOTIENT:
        return classes.list_kept(spec, image, budget, directed=directed)
    kept = classes.kept_by_one(spec, image, directed=directed)
    if kept is None:
        every = _counted(_frontier_of(plan), context, budget.start(len(spec.board)))
        return every * multiplicity(spec, directed=directed)
    kept.require(spec, context.memory)
    return kept.count(budget.start(len(spec.board)))


def verify_classes(spec: TourSpec, wanted: TourCountSpec, answer: int, context: Context) -> Verification:
    """Count tours up to symmetry again, in other orders, and compare.

    What is compared is the sum of Burnside's lemma, the number of classes times that of the symmetries: the tours that
    the identity keeps modulo a prime, the others exactly.

    Examples
    --------
    >>> from backrank.geometry.board import Board
    >>> from backrank.geometry.pieces import KNIGHT
    >>> spec, wanted = TourSpec(Board(5), KNIGHT, False, None, None), TourCountSpec(False, up_to_symmetry=True)
    >>> verify_classes(spec, wanted, 112, Context()).agrees, verify_classes(spec, wanted, 113, Context()).agrees
    (True, False)
    """
    again = plan_frontier(spec, method=LAYERS, seed=1)
    if not reentrant.can_close(spec):
        return Verification(answer, 0, PRIME, again)
    kept = classes.kept_by_group(spec, directed=wanted.directed, seed=1)
    kept.require(spec, context.memory)
    meter = context.budget.start()
    residue = kept.count(meter)
    residue += multiplicity(spec, directed=wanted.directed) * _counted(again, context, meter, modulus=PRIME, owner=spec)
    return Verification(answer * kept.group, residue % PRIME, PRIME, again)
