"""Counts of tours as jobs: their units are the layers of the count, one after the other.

A layer follows from the one before, so there is nothing to spread: the threads of one machine work on it together
(:mod:`backrank.tours.counting.layers`). What is recorded of unit d is the layer after d squares: the sum of all its
numbers of ways, and, as calls, how many states it has. The result of the last unit is the answer. The layer itself is
kept in a folder beside the ledger about once a minute; a run goes on from there, and the layers that are made again
must come out as they were recorded.
"""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from backrank.errors import InvalidPuzzle, InvalidText
from backrank.geometry.board import Board
from backrank.geometry.pieces import Piece
from backrank.jobs import sidecar
from backrank.jobs.errors import Conflict, JobPaused, JobStopped, LedgerError
from backrank.jobs.ledger import CANCELLED, PAUSED, Job, Ledger
from backrank.jobs.progress import JobProgress
from backrank.jobs.sidecar import layers_path
from backrank.jobs.spec import ALGORITHMS, JobSpec
from backrank.jobs.units import Outcome
from backrank.runtime.context import Context
from backrank.runtime.progress import Progress
from backrank.tours.counting.frontier_plan import LAYERS, FrontierPlan
from backrank.tours.counting.plan import TourCountPlan, plan_frontier
from backrank.tours.counting.spec import TourCountSpec, facts, multiplicity, sentence
from backrank.tours.spec import TourSpec

__all__ = ["cut", "facts_of", "layers_path", "outline", "run_tours_job", "specs_of", "tours_job"]

if TYPE_CHECKING:
    from backrank.tours.counting.folder import LayerFolder
    from backrank.tours.counting.layers import Layer

KEEP_SECONDS = 60.0
BEAT_SECONDS = 5.0


def tours_job(spec: TourSpec, *, directed: bool) -> JobSpec:
    """Return a count of tours as a job; its units are the layers, and a last one for the answer.

    Parameters
    ----------
    spec : TourSpec
        On a board that may have tours.
    directed : bool
        Whether a tour and its reverse are two.

    Raises
    ------
    BoardTooLarge
        If the frontier is too wide.

    Examples
    --------
    >>> from backrank.geometry.pieces import KNIGHT
    >>> tours_job(TourSpec(Board(6), KNIGHT, True, None, None), directed=False).units
    37
    """
    return _job(plan_frontier(spec, method=LAYERS), TourCountSpec(directed, method=LAYERS))


def outline(plan: TourCountPlan) -> JobSpec:
    """Return a planned count by layers as a job."""
    if plan.frontier is None:
        raise InvalidPuzzle(f"a count by the method {plan.method} is not kept as a job; count without a ledger")
    return _job(plan.frontier, plan.wanted)


def cut(plan: TourCountPlan, units: int | None = None) -> JobSpec:
    """Return a planned count by layers as a job: the number of layers is given by the board."""
    del units
    return outline(plan)


def specs_of(asked: dict[str, Any]) -> tuple[TourSpec, TourCountSpec]:
    """Return the puzzle and the number that is counted, from what :class:`JobSpec` has of it."""
    board = Board(asked["rows"], asked["cols"], holes=asked["holes"], wrap=asked["wrap"])
    piece = Piece(asked["piece"], tuple((down, right) for down, right in asked["steps"]))
    spec = TourSpec(board, piece, asked["closed"], asked["start"], asked["end"])
    return spec, TourCountSpec(asked["directed"], method=LAYERS)


def facts_of(asked: dict[str, Any]) -> dict[str, Any]:
    """Return which tours are counted, for programs: as `backrank count tours --json` prints it."""
    return facts(*specs_of(asked))


def _job(how: FrontierPlan, wanted: TourCountSpec) -> JobSpec:
    asked = _asked(how, directed=wanted.directed)
    return JobSpec("tours", sentence(how.spec, wanted), asked, LAYERS, ALGORITHMS[LAYERS], len(how.route.order) + 1)


def run_tours_job(
    ledger: Ledger,
    job: Job,
    *,
    context: Context,
    on_progress: Callable[[JobProgress], None] | None = None,
    keep_seconds: float = KEEP_SECONDS,
    how: FrontierPlan | None = None,
) -> int:
    """Do what is left of a job of tours, and return its answer; as :func:`backrank.jobs.run_job`.

    Parameters
    ----------
    ledger : Ledger
    job : Job
    context : Context
        Limits, progress, threads and memory.
    on_progress : callable, optional
    keep_seconds : float
        How often the layer is kept.
    how : FrontierPlan, optional
        The plan of the count, if it has been made.

    Raises
    ------
    JobStopped
        If another process is working on it: layers cannot be shared.
    LedgerError
        If the layers that are kept cannot be used.
    """
    with sidecar.at_work(ledger.path, job.id, alone=True) as is_alone:
        if not is_alone or job.is_running:
            raise JobStopped(
                f"another process is working on job {job.id}, and tours are counted by one at a time; wait for it, or "
                f"stop it with 'backrank jobs cancel {job.id}'"
            )
        return _Layers(ledger, job, context, on_progress, how).run(keep_seconds)


class _Layers:
    """One process at work on a job of tours."""

    def __init__(
        self,
        ledger: Ledger,
        job: Job,
        context: Context,
        on_progress: Callable[[JobProgress], None] | None,
        how: FrontierPlan | None,
    ) -> None:
        self.ledger, self.job, self.on_progress = ledger, job, on_progress
        self.spec, wanted = specs_of(dict(job.spec.asked))
        self.directed = wanted.directed
        self.how = plan_frontier(self.spec, method=LAYERS) if how is None else how
        if _asked(self.how, directed=self.directed) != dict(job.spec.asked):
            raise InvalidPuzzle(
                f"job {job.id} was begun with another order of the squares than this version takes: its layers do not "
                "fit; remove the job, and count anew"
            )
        self.recorded = {outcome.unit for outcome in ledger.outcomes(job.id)}
        self._first = len(self.recorded)
        self._begun: float | None = None
        self._last = self._beaten = time.monotonic()
        budget = context.budget
        self._threads, self._memory = context.threads, context.memory
        self._tell_others = budget.progress
        self.meter = replace(budget, calls=None, progress=self._progress).start(len(self.spec.board))
        self._here = f"{platform.node()}:{os.getpid()}"

    def run(self, keep_seconds: float) -> int:
        from backrank.tours.counting import layers  # noqa: PLC0415 - loads numpy

        how, path = self.how, layers_path(self.ledger.path, self.job.id)
        self.ledger.begin(self.job.id)
        self.ledger.beat(self.job.id)
        try:
            keep, layer = self._keeping(path, keep_seconds)
            if not self.recorded.issuperset(range(layer.depth)):
                layer = layers.Layer.first(how.outlook.words)  # the ledger has been put back to an older one
            number = layers.count(
                how.net,
                how.route,
                meter=self.meter,
                means=layers.Means(self._threads, self._memory, spill=path if self.ledger.is_kept else None),
                layer=layer,
                watch=lambda layer: self._watch(layer, keep),
            )
            answer = self._finish(number)
        except Conflict as error:
            self.ledger.pause(self.job.id, str(error))
            raise JobPaused(f"job {self.job.id} is paused: {error}") from None
        except OSError as error:
            raise _unkept(path, error) from None
        finally:
            self._leave()
        sidecar.forget_layers(self.ledger.path, self.job.id)
        return answer

    def _keeping(self, path: Path, seconds: float) -> tuple[Callable[[Layer], None], Layer]:
        """Return what keeps layers from time to time, and the layer that was kept last.

        Where the ledger was not named, a folder that cannot be used does not end the count: nothing is kept then.
        """
        from backrank.tours.counting.layers import Layer  # noqa: PLC0415 - loads numpy
        from backrank.tours.frontier.segments import DiskError  # noqa: PLC0415

        first = Layer.first(self.how.outlook.words)
        if not self.ledger.is_kept:
            return lambda _: None, first
        try:
            folder, layer = self._kept(path)
        except (LedgerError, DiskError, OSError) as error:
            if not self.ledger.gave_up(_unkept(path, error)):
                raise
            return lambda _: None, first
        save = folder.keeper(seconds=seconds)

        def keep(layer: Layer) -> None:
            if not self.ledger.is_kept:
                return
            try:
                save(layer)
            except (DiskError, OSError) as error:
                if not self.ledger.gave_up(_unkept(path, error)):
                    raise

        return keep, layer

    def _kept(self, path: Path) -> tuple[LayerFolder, Layer]:
        """Return the folder of the layers, and the layer that was kept last."""
        from backrank.tours.counting import folder as layerfolder  # noqa: PLC0415 - loads numpy

        if not (path / layerfolder.MANIFEST).exists():  # whoever made what is there was killed before it was whole
            sidecar.forget_layers(self.ledger.path, self.job.id)
        key = layerfolder.key_of(self.how.net, self.how.route)
        folder = layerfolder.LayerFolder(path, key, self.job.spec.what, self.how.outlook.words)
        try:
            return folder, folder.load()
        except InvalidText as error:
            why = str(error).rpartition(";")[0]
            raise LedgerError(f"{why}; remove that folder, and the job begins again with the first layer") from None

    def _leave(self) -> None:
        with suppress(LedgerError):  # what has ended the run is to be told
            self.ledger.beat(self.job.id, alive=False)
            if self.ledger.state(self.job.id) is None:  # whoever has removed the job has left the layers to us
                sidecar.forget_layers(self.ledger.path, self.job.id)

    def _watch(self, layer: Layer, keep: Callable[[Layer], None]) -> None:
        """Record a layer, and keep it if it is time."""
        self._look()
        self._record(Outcome(layer.depth, str(layer.total), len(layer), self._lap(), self._here))
        keep(layer)

    def _finish(self, number: int) -> int:
        # Where no state is left, there are no more layers: all others are empty.
        last = self.job.spec.units - 1
        rest = [Outcome(unit, "0", 0, 0.0, self._here) for unit in range(last) if unit not in self.recorded]
        answer = number * multiplicity(self.spec, directed=self.directed)
        self._record(*rest, Outcome(last, str(answer), 0, self._lap(), self._here))
        return self.ledger.finish(self.job.id)

    def _record(self, *outcomes: Outcome) -> None:
        self.ledger.record(self.job.id, outcomes)
        self._beaten = time.monotonic()
        self.recorded.update(outcome.unit for outcome in outcomes)

    def _lap(self) -> float:
        before, self._last = self._last, time.monotonic()
        return self._last - before

    def _progress(self, progress: Progress) -> None:
        """Tell how far it is; called by the meter in the midst of a layer."""
        now = time.monotonic()
        if now - self._beaten >= BEAT_SECONDS:
            self._beaten = now
            self._look()
            self.ledger.beat(self.job.id)
        if self.on_progress is not None:
            self.on_progress(self._told(progress))
        if self._tell_others is not None:
            self._tell_others(progress)

    def _look(self) -> None:
        state = self.ledger.state(self.job.id)
        if state in (CANCELLED, PAUSED, None):
            how = {CANCELLED: "cancelled", PAUSED: "paused", None: "removed from the ledger"}[state]
            raise JobStopped(
                f"the job {self.job.id} has been {how} meanwhile{'; what was recorded stays' * (state is not None)}"
            )

    def _told(self, progress: Progress) -> JobProgress:
        done = progress.depth / progress.total if progress.total else 0.0
        if self._begun is None:
            self._begun = done
        here = done - self._begun  # what is kept was done by runs before
        left = progress.seconds * (1 - done) / here if here > 0 else None
        return JobProgress(
            self.job.id,
            self.job.spec.units,
            len(self.recorded),
            len(self.recorded) - self._first,
            seconds=progress.seconds,
            calls=progress.calls,
            left=left,
            doubt=None if left is None else left / 2,  # an outlook on states may be as wrong as that
            fraction=done,
        )


def _unkept(path: Path, error: Exception) -> LedgerError:
    if not isinstance(error, OSError):
        return error if isinstance(error, LedgerError) else LedgerError(str(error))
    why = (error.strerror or str(error)).lower()
    return LedgerError(f"the layers in {path} cannot be kept: {why}; see to it, and resume the job")


def _asked(how: FrontierPlan, *, directed: bool) -> dict[str, Any]:
    spec = how.spec
    board, piece = spec.board, spec.piece
    return {
        "rows": board.rows,
        "cols": board.cols,
        "holes": sorted(board.holes),
        "wrap": board.wrap,
        "piece": piece.name,
        "steps": [list(step) for step in piece.steps],
        "closed": spec.closed,
        "start": spec.start,
        "end": spec.end,
        "directed": directed,
        "order": list(how.route.order),
        "mirror": list(how.route.mirror) if how.route.mirror else None,
    }
