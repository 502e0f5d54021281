"""The shapes of answers: what OpenAPI tells of them. Big numbers are texts, since browsers round them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from backrank.web.models import Square

Verdict = Literal["yes", "no", "unknown"]
Code = Annotated[str, Field(description="which sentence it is, for other languages; `other` if it is not a known one")]
Params = Annotated[dict[str, Any], Field(description="the values in the sentence")]


class Problem(BaseModel):
    """What went wrong (RFC 9457); `detail` is the line that the command line would print."""

    type: str
    title: str
    status: int
    detail: str
    code: Code
    params: Params
    instance: str | None = None
    errors: list[dict[str, str]] | None = None
    known: Any = None
    reached: dict[str, float] | None = None


class PuzzleTold(BaseModel):
    """A puzzle, normalised."""

    kind: Literal["tour", "queens", "unknown"] = Field(description="`unknown`: the count is damaged in the ledger")
    board: str
    rows: int
    cols: int
    holes: list[Square]
    wrap: str
    piece: str
    total: int
    closed: bool | None = None
    start: Square | None = None
    end: Square | None = None
    queens: int | None = None


class StrategyTold(BaseModel):
    """A strategy of the engine."""

    name: str
    idea: str
    takes_order: bool
    takes_prune: bool
    takes_seed: bool


class Meta(BaseModel):
    """What the server knows and allows."""

    version: str
    strategies: dict[str, list[StrategyTold]]
    orders: dict[str, list[tuple[int, int]]]
    pieces: dict[str, list[str]]
    steps: dict[str, list[tuple[int, int]]]
    wraps: list[str]
    formats: dict[str, list[str]]
    exports: dict[str, list[str]]
    languages: list[str]
    limits: dict[str, float]


class ExistenceAnswer(BaseModel):
    """Whether there is an answer, as far as theorems tell."""

    answer: Verdict
    reason: str
    code: Code
    params: Params


class BoardTold(BaseModel):
    """The geometry of a board."""

    puzzle: PuzzleTold
    neighbours: list[list[Square]] | None
    lines: list[tuple[int, int, int, int]] | None
    existence: ExistenceAnswer


class EventAnswer(BaseModel):
    """One event of a search."""

    number: int
    kind: Literal["enter", "leave", "reject", "solution"]
    square: Square
    depth: int
    reason: str | None
    at: Square | None


class StatsAnswer(BaseModel):
    """The counters of a search."""

    events: int
    calls: int
    backtracks: int
    rejects: int
    solutions: int
    depth: int
    deepest: int


class Candidate(BaseModel):
    """A square to be tried."""

    square: Square
    state: Literal["tried", "next", "ahead"]
    onward: int | None
    reason: str | None
    at: Square | None


class LevelAnswer(BaseModel):
    """One level of the call stack."""

    depth: int
    square: Square | None
    candidates: list[Square]
    tried: int


class MomentAnswer(BaseModel):
    """A search after so many events."""

    event: int
    path: list[Square]
    stats: StatsAnswer
    last: EventAnswer | None
    text: str
    next: EventAnswer | None
    candidates: list[Candidate]
    stack: list[LevelAnswer]
    solved: bool
    finished: bool
    total: int | None
    known: int
    cursor: dict[str, Any]


class Window(BaseModel):
    """Some events, and the moments at both ends."""

    moment: MomentAnswer
    events: list[EventAnswer]
    end: MomentAnswer


class Jump(BaseModel):
    """Where a jump led."""

    found: bool
    moment: MomentAnswer


class FaultAnswer(BaseModel):
    """What is wrong with a claim."""

    kind: str
    message: str
    cells: list[tuple[int, int]]
    steps: list[int]


class Legal(BaseModel):
    """A square that may come next."""

    square: Square
    onward: int


class TourPositionTold(BaseModel):
    """What the rules say about a path by hand."""

    legal: list[Legal]
    visited: int
    total: int
    stuck: bool
    complete: bool
    solved: bool
    closable: bool
    faults: list[FaultAnswer]


class MoveOutlook(BaseModel):
    """What would become of a move."""

    square: Square
    solvable: Verdict
    ways: str | None


class OutlookAnswer(BaseModel):
    """What can become of a position."""

    solvable: Verdict
    ways: str | None
    reason: str
    code: Code
    params: Params
    method: Literal["rules", "theorem", "count", "search"]
    completion: list[Square] | None
    moves: list[MoveOutlook] = []
    seconds: float


class QueensPositionTold(BaseModel):
    """What the rules say about queens placed by hand."""

    conflicts: list[FaultAnswer]
    attacked: list[Square]
    free: list[Square]
    placed: int
    wanted: int
    complete: bool
    solved: bool
    stuck: bool


class Solved(BaseModel):
    """One answer, or the reason why there is none, and what it cost."""

    solvable: bool
    reason: str
    code: Code
    params: Params
    strategy: str
    calls: int
    backtracks: int
    seconds: float
    puzzle: PuzzleTold
    squares: list[Square] | None
    closable: bool


class ClaimedBoard(BaseModel):
    """The board of a claim."""

    rows: int
    cols: int
    holes: list[Square]
    wrap: str


class Note(BaseModel):
    """What had to be assumed to read a text."""

    text: str
    code: Code
    params: Params


class Claim(BaseModel):
    """One claim of a text, and all that is wrong with it."""

    number: int
    valid: bool
    what: str
    notes: list[Note]
    board: ClaimedBoard
    squares: list[Square] | None
    cells: list[tuple[int, int]]
    grid: list[list[int | None]] | None
    faults: list[FaultAnswer]
    faults_total: int
    facts: dict[str, Any] | None


class CheckAnswer(BaseModel):
    """The claims of a text."""

    claims: list[Claim]
    total: int


class UnitsTold(BaseModel):
    """The units that a long count is cut into."""

    total: int
    done: int
    failed: int
    retried: int
    rate: float = Field(description="units a minute")


class CountAnswer(BaseModel):
    """A count in the background."""

    id: str
    version: int
    what: str
    puzzle: PuzzleTold
    options: dict[str, Any]
    state: Literal["waiting", "running", "elsewhere", "paused", "done", "cancelled", "failed"] = Field(
        description="`elsewhere`: another process is at work on it; `paused` and `cancelled` counts can go on"
    )
    origin: Literal["page", "command"] = Field(description="where it was begun")
    job: str | None = Field(description="its id in the ledger, for `backrank jobs`")
    created: float
    seconds: float
    calls: int
    rate: float
    fraction: float | None = Field(description="how much is done; it only grows")
    units: UnitsTold | None
    found: str | None = Field(description="what the units so far have found: a part, not the answer")
    left: float | None
    doubt: float | None = Field(description="how far `left` may be off, in seconds: two standard deviations")
    recorded: bool = Field(description="whether the answer was in the ledger already")
    count: str | None = Field(description="the exact number, as text")
    problem: Problem | None


class LedgerTold(BaseModel):
    """Where counts are kept, so that they outlive the server; and why they are not, if they are not."""

    path: str | None
    kept: bool
    problem: Problem | None


class CountsAnswer(BaseModel):
    """All counts that are remembered, the newest first."""

    jobs: list[CountAnswer]
    ledger: LedgerTold
