"""The shapes of what is asked and answered. Requests are strict: no unknown fields, no numbers in quotes."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt, StringConstraints

MAX_SQUARES = 250_000

Name = Annotated[str, StringConstraints(max_length=200)]
SquareIn = Annotated[StrictInt, Field(ge=0, lt=2**31)] | Annotated[str, StringConstraints(max_length=40)]
Square = Annotated[StrictInt, Field(ge=0, lt=2**31)]
Squares = Annotated[list[SquareIn], Field(max_length=MAX_SQUARES)]
BoardText = Annotated[
    str,
    StringConstraints(max_length=40),
    # More is read than this: the pattern is for who reads the description, the words of an error for who does not.
    Field(description="rows x columns, or one number", json_schema_extra={"pattern": "^[1-9][0-9]?(x[1-9][0-9]?)?$"}),
]
Wrap = Annotated[str, StringConstraints(max_length=40), Field(description="none, cylinder or torus")]
EventNumber = Annotated[StrictInt, Field(ge=0, lt=2**53)]
EventInAddress = Annotated[int, Field(ge=0, lt=2**53)]  # a text, as everything in an address
Levels = Annotated[StrictInt, Field(ge=1, le=1000)]
Seconds = Annotated[float, Field(gt=0, allow_inf_nan=False, strict=True)]
Calls = Annotated[StrictInt, Field(ge=1, lt=2**53)]
CursorData = Annotated[dict[str, Any], Field(description="the cursor of a moment, as it was sent")]


class RequestModel(BaseModel):
    """A request, or a part of one."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class TourPuzzle(RequestModel):
    """A knight's tour, or one of another leaper."""

    kind: Literal["tour"]
    board: BoardText
    holes: Squares = []
    wrap: Wrap = "none"
    piece: Name = "knight"
    closed: StrictBool = False
    start: SquareIn | None = None
    end: SquareIn | None = None


class QueensPuzzle(RequestModel):
    """Queens, or amazons, that do not attack each other."""

    kind: Literal["queens"]
    board: BoardText
    holes: Squares = []
    wrap: Wrap = "none"
    queens: Annotated[StrictInt, Field(ge=0, lt=2**31)] | None = None
    piece: Name = "queen"


Puzzle = Annotated[TourPuzzle | QueensPuzzle, Field(discriminator="kind")]


class AnyPuzzle(RequestModel):
    """A request about a puzzle and nothing else."""

    puzzle: Puzzle


class RunRequest(RequestModel):
    """A search: of what, and by which strategy."""

    puzzle: Puzzle
    strategy: Name | None = None


class MomentAsked(RequestModel):
    """The board after so many events."""

    run: RunRequest
    event: EventNumber
    cursor: CursorData | None = None
    levels: Levels = 64


class WindowAsked(RequestModel):
    """Some events, and the moments at both ends of them."""

    run: RunRequest
    first: EventNumber
    count: Annotated[StrictInt, Field(ge=1, le=2000)]
    cursor: CursorData | None = None
    levels: Levels = 64


Target = Literal["next-solution", "previous-solution", "next-backtrack", "previous-backtrack", "end"]


class JumpAsked(RequestModel):
    """The moment just after the next event of some kind."""

    run: RunRequest
    event: EventNumber
    to: Target
    cursor: CursorData | None = None
    levels: Levels = 64


class TourPosition(RequestModel):
    """A path by hand."""

    puzzle: TourPuzzle
    path: Squares


class TourOutlookAsked(TourPosition):
    """Whether a path by hand can become a tour."""

    seconds: Seconds = 5.0
    ways: StrictBool = True
    moves: StrictBool = True


class QueensPosition(RequestModel):
    """Queens placed by hand."""

    puzzle: QueensPuzzle
    queens: Squares


class QueensOutlookAsked(QueensPosition):
    """Whether queens placed by hand can be completed."""

    seconds: Seconds = 5.0
    ways: StrictBool = True


class SolveAsked(RequestModel):
    """One answer, or the reason why there is none."""

    puzzle: Puzzle
    strategy: Name = "auto"
    order: Name = "row-major"
    seed: Annotated[StrictInt, Field(ge=0, lt=2**63)] | None = None
    seconds: Seconds = 10.0
    calls: Calls | None = None


class ExportAsked(RequestModel):
    """An answer as a file."""

    puzzle: Puzzle
    squares: Squares
    form: Name
    numbers: StrictBool | None = None
    language: Name = "en"
    size: Annotated[StrictInt, Field(ge=1, le=8000)] | None = None


class CheckAsked(RequestModel):
    """What somebody claims to be an answer."""

    kind: Literal["tour", "queens"]
    text: str
    board: BoardText | None = None
    holes: Squares = []
    wrap: Wrap = "none"
    piece: Name | None = None
    closed: StrictBool = False
    start: SquareIn | None = None
    end: SquareIn | None = None
    queens: Annotated[StrictInt, Field(ge=0, lt=2**31)] | None = None
    form: Name | None = None
    facts: StrictBool = False


class CountAsked(RequestModel):
    """An exact number, in the background."""

    puzzle: Puzzle
    directed: StrictBool | None = None
    up_to_symmetry: StrictBool = False
    symmetry: Literal["90", "180"] | None = None
    strictly_open: StrictBool = False
    method: Name = "auto"
    seconds: Seconds | None = None
