"""What is searched: a puzzle as the engine sees it, a frozen value that can be written down as plain data.

A *space* says which squares the pieces may stand on and when a full board counts as a solution; in which order
squares are tried is the strategy's affair. Puzzles hand their space over through :class:`Searchable`, so the
engine knows none of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeAlias, cast

from backrank.errors import InvalidPuzzle, shown
from backrank.geometry.board import Board
from backrank.geometry.pieces import KNIGHT, Piece

Kind = Literal["tour", "queens"]
MAX_SEARCH_SQUARES = 1_000_000


@dataclass(frozen=True, slots=True)
class TourSpace:
    """All walks of a leaper from one square that visit every square once.

    Parameters
    ----------
    board : Board
    piece : Piece
        A leaper. The order of its steps is the move order where a strategy names none.
    start : int
        The first square.
    end : int, optional
        The square that a solution must end on.
    closed : bool
        Whether the last square of a solution must be one move from the first.

    Examples
    --------
    >>> TourSpace(Board(5), KNIGHT, start=12).total
    25
    """

    board: Board
    piece: Piece = KNIGHT
    start: int = 0
    end: int | None = None
    closed: bool = False

    def __post_init__(self) -> None:
        """Refuse what contradicts itself; names and cells become squares."""
        self.board.require_at_most(MAX_SEARCH_SQUARES, "a search")
        if self.piece.slides:
            raise InvalidPuzzle(f"a tour is made by a leaper such as the knight, not by a {self.piece}")
        if set(self.piece.steps) != {(-down, -right) for down, right in self.piece.steps}:
            raise InvalidPuzzle(f"a search for tours steps back; the {self.piece} has steps that it cannot take back")
        object.__setattr__(self, "start", self.board.square(self.start))
        object.__setattr__(self, "end", None if self.end is None else self.board.square(self.end))
        if self.end == self.start and len(self.board) > 1:
            raise InvalidPuzzle(f"a tour cannot start and end on {self.board.name(self.start)}; for a cycle ask closed")

    @property
    def kind(self) -> Kind:
        """Which sort of space this is; strategies are for one sort."""
        return "tour"

    @property
    def total(self) -> int:
        """How many squares a full path has."""
        return len(self.board)

    def to_dict(self) -> dict[str, Any]:
        """Return the space as plain data, for JSON."""
        piece = {"name": self.piece.name, "steps": [list(step) for step in self.piece.steps]}
        return {
            "kind": self.kind,
            "board": _board_to_dict(self.board),
            "piece": piece,
            "start": self.start,
            "end": self.end,
            "closed": self.closed,
        }

    def __str__(self) -> str:
        board = self.board
        end = "" if self.end is None else f" to {board.name(self.end)}"
        return f"{'closed ' * self.closed}{self.piece} tour of {board} from {board.name(self.start)}{end}"


@dataclass(frozen=True, slots=True)
class QueensSpace:
    """All ways to put so many queens on a board, at most one on each row, so that none attacks another.

    Parameters
    ----------
    board : Board
    queens : int, optional
        How many; the shorter side of the board if not given. Where they are fewer than the rows, some rows stay empty.

    Examples
    --------
    >>> QueensSpace(Board(8)).total, QueensSpace(Board(3, 5)).total
    (8, 3)
    """

    board: Board
    queens: int | None = None

    def __post_init__(self) -> None:
        """Fill in the number of queens, and refuse none."""
        self.board.require_at_most(MAX_SEARCH_SQUARES, "a search")
        queens = min(self.board.rows, self.board.cols) if self.queens is None else self.queens
        if isinstance(queens, bool) or not isinstance(queens, int) or queens < 1:
            raise InvalidPuzzle(f"a search places at least 1 queen, not {shown(queens)}")
        object.__setattr__(self, "queens", queens)

    @property
    def kind(self) -> Kind:
        """Which sort of space this is; strategies are for one sort."""
        return "queens"

    @property
    def total(self) -> int:
        """How many queens a full board has."""
        return cast("int", self.queens)

    def to_dict(self) -> dict[str, Any]:
        """Return the space as plain data, for JSON."""
        return {"kind": self.kind, "board": _board_to_dict(self.board), "queens": self.queens}

    def __str__(self) -> str:
        return f"{self.queens} queen{'s'[: self.total > 1]} on {self.board}"


Space: TypeAlias = TourSpace | QueensSpace


class Searchable(Protocol):
    """A puzzle that can be searched by backtracking."""

    def search_space(self) -> Space:
        """Return what is to be searched."""
        ...


def as_space(problem: Space | Searchable) -> Space:
    """Return the space of a puzzle; a space is returned as it is.

    Examples
    --------
    >>> str(as_space(QueensSpace(Board(4))))
    '4 queens on 4x4'
    """
    if isinstance(problem, (TourSpace, QueensSpace)):
        return problem
    if not hasattr(problem, "search_space"):
        raise InvalidPuzzle(f"{shown(problem)} is no puzzle; give KnightTours(8, start='a8') or Queens(8), say")
    return problem.search_space()


def space_from_dict(data: Mapping[str, Any]) -> Space:
    """Return the space that :meth:`TourSpace.to_dict` or :meth:`QueensSpace.to_dict` wrote down.

    Raises
    ------
    KeyError, TypeError, BackrankError
        If the data is not of that form; the cursor makes one error of them.

    Examples
    --------
    >>> space = TourSpace(Board(3, 4, holes=["a1"]), KNIGHT, start=2, closed=True)
    >>> space_from_dict(space.to_dict()) == space
    True
    """
    board = _board_from_dict(data["board"])
    if data["kind"] == "queens":
        return QueensSpace(board, data["queens"])
    if data["kind"] != "tour":
        raise TypeError(f"unknown kind of search {shown(data['kind'])}")
    written = data["piece"]
    steps = tuple((whole(down), whole(right)) for down, right in written["steps"])
    if not isinstance(written["name"], str) or not isinstance(data["closed"], bool):
        raise TypeError("a piece has a name, and a tour is closed or not")
    piece = Piece(written["name"], steps)
    end = None if data["end"] is None else whole(data["end"])
    return TourSpace(board, piece, whole(data["start"]), end, closed=data["closed"])


def whole(value: object) -> int:
    """Return a whole number as it is; anything else, booleans too, is a TypeError."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"a whole number is needed, not {shown(value)}")
    return value


def _board_to_dict(board: Board) -> dict[str, Any]:
    return {"rows": board.rows, "cols": board.cols, "holes": sorted(board.holes), "wrap": board.wrap}


def _board_from_dict(data: Mapping[str, Any]) -> Board:
    holes = [whole(hole) for hole in data["holes"]]
    return Board(whole(data["rows"]), whole(data["cols"]), holes=holes, wrap=data["wrap"])
