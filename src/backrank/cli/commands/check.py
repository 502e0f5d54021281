"""`backrank check`: every fault of a claimed tour or placement, in any of the text formats."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from backrank.cli import options as opt
from backrank.cli.output import Output, remark
from backrank.cli.progress import ProgressLine
from backrank.cli.running import run

if TYPE_CHECKING:
    from backrank.cli.reading import ArrayClaim, Claim, ColumnsClaim
    from backrank.formats import PlacementClaim, TourClaim
    from backrank.geometry.pieces import Piece
    from backrank.geometry.verify import Fault
    from backrank.tours.analysis.facts import TourFacts

SHOWN, SHOWN_JSON = 50, 1_000

BoardOption = Annotated[
    str | None,
    typer.Option("--board", metavar="BOARD", help="The board it is on, such as 8x8; read off the text if not given."),
]
FormOption = Annotated[
    str | None, typer.Option("--format", metavar="FORMAT", help="The format of the text; recognised if not given.")
]
AllOption = Annotated[
    bool, typer.Option("--all", help=f"Print all faults, even more than {SHOWN} of one claim, {SHOWN_JSON:,} as JSON.")
]
FactsOption = Annotated[
    bool,
    typer.Option("--facts", help="Print what is to be said of a valid tour: turns, crossings, symmetry, sums, ..."),
]
RankOption = Annotated[
    bool, typer.Option("--rank", help="Print the number of a valid tour in the order of list tours, from 0.")
]
QueensRankOption = Annotated[
    bool, typer.Option("--rank", help="Print the number of a valid placement in the order of list queens, from 0.")
]


ClaimedQueenOption = Annotated[
    str | None, typer.Option("--piece", metavar="PIECE", help="queen, or amazon; what the text says if not given.")
]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimedTourOptions:
    """The options that say which tours a file claims to hold."""

    board: BoardOption = None
    closed: opt.ClosedOption = False
    start: opt.StartOption = None
    end: opt.EndOption = None
    holes: opt.HolesOption = ""
    wrap: opt.WrapOption = "none"
    piece: opt.ClaimedPieceOption = None
    form: FormOption = None

    def claims(self, file: str) -> Sequence[Claim]:
        """Return what a file claims."""
        from backrank.cli.reading import TourFile, on_board

        return on_board(TourFile(file).claims, board=self.board, holes=self.holes, wrap=self.wrap, form=self.form)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimedQueensOptions:
    """The options that say which placements a file claims to hold."""

    board: BoardOption = None
    count: opt.QueensOption = None
    holes: opt.HolesOption = ""
    wrap: opt.WrapOption = "none"
    piece: ClaimedQueenOption = None
    form: FormOption = None

    def claims(self, file: str) -> Sequence[PlacementClaim | ColumnsClaim]:
        """Return what a file claims."""
        from backrank.cli.reading import PlacementFile, on_board

        return on_board(PlacementFile(file).claims, board=self.board, holes=self.holes, wrap=self.wrap, form=self.form)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportOptions:
    """The options that say what is printed of the faults."""

    as_json: opt.JsonOption = False
    everything: AllOption = False
    quiet: opt.QuietOption = False

    @property
    def most(self) -> int | None:
        """How many faults of a claim are listed, None for all; the others are only counted."""
        if self.everything:
            return None
        return SHOWN_JSON if self.as_json else SHOWN


def tours(
    file: opt.TourFileArgument,
    claimed: ClaimedTourOptions,
    *,
    facts: FactsOption = False,
    rank: RankOption = False,
    report: ReportOptions,
) -> None:
    """Check a tour: a numbered board, a list of squares or coordinates, JSON or CSV.

    Exit code 0: a tour; 1: it has faults, all of which are printed; 2: the text cannot be read.

    Examples: backrank check tour my-tour.txt;  backrank solve tour 8x8 | backrank check tour - --facts;
    backrank solve tour 6x6 | backrank check tour - --rank
    """
    from backrank.geometry.pieces import KNIGHT, piece_named

    verdicts = []
    for claim in claimed.claims(file):
        mover = piece_named(claimed.piece) if claimed.piece else claim.piece or KNIGHT
        ends = opt.square_of(claim.board, claimed.start, "start"), opt.square_of(claim.board, claimed.end, "end")
        must_close = claimed.closed or bool(claim.closed)
        faults = claim.faults(closed=must_close, start=ends[0], end=ends[1], piece=mover)
        what = f"{'closed' if must_close else 'open'} tour of {claim.board}"
        verdict = _Verdict(what, faults, claim.notes, report.most)
        if facts and not faults:
            from backrank.tours.analysis.facts import tour_facts

            verdict.facts = tour_facts(claim.board, claim.squares(), closed=must_close, piece=mover)
        if rank and not faults:
            verdict.rank = _rank(claim, ends, mover, closed=must_close, quiet=report.quiet)
            verdict.ends = " with the given ends" if ends != (None, None) else ""
        verdicts.append(verdict)
    _report("tour", verdicts, report)


def queens(
    file: opt.TourFileArgument, claimed: ClaimedQueensOptions, *, rank: QueensRankOption = False, report: ReportOptions
) -> None:
    """Check placements of queens: lists of columns (one a line), boards of Q and ., JSON, CSV or NumPy files.

    Exit code 0: no two attack each other; 1: faults, all of which are printed; 2: the text cannot be read.

    Examples: backrank check queens solutions.txt;  echo 1 3 0 2 | backrank check queens -;
    backrank check queens queens.npy;  backrank solve queens 12 | backrank check queens - --rank
    """
    verdicts = []
    for claim in claimed.claims(file):
        mover = claimed.piece or claim.piece or "queen"
        what = f"placement of {claim.standing:,} {mover}s on {claim.board}"
        faults = claim.faults(queens=claimed.count, piece=mover)
        verdict = _Verdict(what, faults, claim.notes, report.most)
        if rank and not faults:
            verdict.rank, verdict.lister = _queens_rank(claim, mover, quiet=report.quiet), "list queens"
        verdicts.append(verdict)
    _report("placement", verdicts, report)


def _rank(
    claim: TourClaim | ArrayClaim,
    ends: tuple[int | None, int | None],
    piece: Piece,
    *,
    closed: bool,
    quiet: bool,
) -> int:
    """Return the number of a tour among those with the given ends."""
    from backrank.tours import KnightTours

    puzzle = KnightTours(claim.board, closed=closed, start=ends[0], end=ends[1], piece=piece)
    line = ProgressLine("counting the tours before it", quiet=quiet)
    return run(lambda: puzzle.rank(map(int, claim.squares()), budget=line.budget), line)


def _queens_rank(claim: PlacementClaim | ColumnsClaim, piece: str, *, quiet: bool) -> int:
    """Return the number of a placement among those of as many pieces."""
    from backrank.formats import PlacementClaim
    from backrank.queens import Queens

    puzzle = Queens(claim.board, queens=claim.standing, piece=piece)
    if isinstance(claim, PlacementClaim):
        answer = list(map(claim.board.cell, claim.squares()))
    else:
        answer = list(enumerate(claim.columns.tolist()))
    line = ProgressLine("counting the placements before it", quiet=quiet)
    return run(lambda: puzzle.rank(answer, budget=line.budget), line)


class _Verdict:
    """What is said about one claim: how many faults it has, and those that are listed."""

    def __init__(self, what: str, faults: Sequence[Fault], notes: Sequence[str], most: int | None) -> None:
        self.what = what
        self.total = len(faults)
        self.faults = faults[:most]
        self.notes = list(notes)
        self.facts: TourFacts | None = None
        self.rank: int | None = None
        self.ends = ""
        self.lister = "list tours"

    def as_json(self, number: int) -> dict[str, Any]:
        faults = [
            {
                "kind": str(f.kind),
                "message": f.message,
                "cells": [list(cell) for cell in f.cells],
                "steps": list(f.steps),
            }
            for f in self.faults
        ]
        told = {
            "number": number,
            "valid": not self.total,
            "what": self.what,
            "notes": self.notes,
            "faults": faults,
            "faults_total": self.total,
        }
        if self.rank is not None:
            told["rank"] = self.rank
        return told if self.facts is None else {**told, "facts": self.facts.as_dict()}


def _report(noun: str, verdicts: Sequence[_Verdict], options: ReportOptions) -> None:
    faulty = sum(bool(verdict.total) for verdict in verdicts)
    for note in dict.fromkeys(note for verdict in verdicts for note in verdict.notes):
        remark(f"note: {note}", quiet=options.quiet)
    with Output(None, force=False) as sink:
        _write(sink, verdicts, noun, faulty, as_json=options.as_json)
    if faulty:
        raise typer.Exit(1)


def _write(sink: Output, verdicts: Sequence[_Verdict], noun: str, faulty: int, *, as_json: bool) -> None:
    for number, verdict in enumerate(verdicts, 1):
        if as_json:
            sink.write(json.dumps(verdict.as_json(number), ensure_ascii=False))
            continue
        place = f"{noun} {number}: " if len(verdicts) > 1 else ""
        for fault in verdict.faults:
            sink.write(f"{place}{fault}")
        if more := verdict.total - len(verdict.faults):
            sink.write(f"{place}... and {more:,} more faults; --all prints them")
        if len(verdicts) > 1:
            _write_findings(sink, verdict, place)
    if not as_json and len(verdicts) == 1:
        what = verdicts[0].what
        sink.write(f"not {_a(what)}: {_faults(verdicts[0].total)}" if faulty else f"valid: {what}")
        _write_findings(sink, verdicts[0])
    elif not as_json:
        sink.write(f"{len(verdicts):,} {noun}s, {len(verdicts) - faulty:,} valid, {faulty:,} with faults")


def _write_findings(sink: Output, verdict: _Verdict, place: str = "") -> None:
    """Write what was asked of a valid tour; `place` tells which one of several it is."""
    if verdict.rank is not None:
        sink.write(f"{place}number {verdict.rank:,} of those that {verdict.lister} prints{verdict.ends}, from 0")
    if verdict.facts is not None:
        sink.write(f"{place}valid: {verdict.what}\n{verdict.facts}\n" if place else str(verdict.facts))


def _a(noun: str) -> str:
    return f"{'an' if noun.startswith('open') else 'a'} {noun}"


def _faults(number: int) -> str:
    return f"{number:,} fault{'s'[: number != 1]}"
