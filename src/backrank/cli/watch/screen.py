"""One moment of a search, drawn for a terminal: board, counters, stack, and what happened last."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from backrank.geometry.pieces import move_graph, queen_lines
from backrank.search import EventKind, TourSpace

if TYPE_CHECKING:
    from backrank.geometry.board import Board
    from backrank.search import Event, Space, Stats

_SMALL = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
MAX_DRAWN_SIDE = 40
_GAP, _SIDE = 3, 34


@dataclass(frozen=True)
class ScreenMoment:
    """What stands on the board after so many events, and what the last of them was."""

    space: Space
    strategy: str
    path: tuple[int, ...]
    stats: Stats
    event: Event | None
    finished: bool


def view(moment: ScreenMoment, width: int, height: int) -> RenderableType:
    """Return a moment as something rich can print into so many columns and lines."""
    head = Text(f"{moment.strategy}: {moment.space}", style="bold", overflow="ellipsis", no_wrap=True)
    board = board_text(moment)
    wide = max(map(len, board.plain.split("\n")))
    if wide > width:
        board = Text(f"(the board needs {wide} columns, there are {width})", style="dim")
    event = event_text(moment)
    event.no_wrap, event.overflow = True, "ellipsis"
    if wide + _GAP + _SIDE > width:
        below = side_text(moment, height - moment.space.board.rows - 4)
        return Group(head, event, Text(), board, Text(), below)
    body = Table.grid(padding=(0, _GAP, 0, 0))
    for _ in range(2):
        body.add_column(no_wrap=True)
    body.add_row(board, side_text(moment, height - 3))
    return Group(head, event, Text(), body)


def plain(moment: ScreenMoment) -> str:
    """Return a moment as text without any control characters."""
    left, right = (text.plain.split("\n") for text in (board_text(moment), side_text(moment)))
    width = max(map(len, left))
    height = max(len(left), len(right))
    rows = zip(left + [""] * (height - len(left)), right + [""] * (height - len(right)), strict=True)
    body = "\n".join(f"{a:{width}}   {b}".rstrip() for a, b in rows)
    return f"event {moment.stats.events}: {event_text(moment).plain}\n{body}\n"


def board_text(moment: ScreenMoment) -> Text:
    """Return the board: numbers or queens, the piece, the square in question, and what is possible from here."""
    board = moment.space.board
    if max(board.rows, board.cols) > MAX_DRAWN_SIDE:
        return Text(f"(a {board} board is too large to draw in a terminal)", style="dim")
    is_tour = isinstance(moment.space, TourSpace)
    marks = _tour_marks(moment) if is_tour else _queen_marks(moment)
    width = max(2, len(str(len(board)))) if is_tour else 1
    event = moment.event
    asked = event.square if event is not None and event.kind is EventKind.REJECT else -1
    lines = []
    for row in range(board.rows):
        line = Text()
        for col in range(board.cols):
            square = row * board.cols + col
            mark, style = ("#", "dim") if square in board.holes else marks.get(square, ("·", "dim"))
            style = "bold white on red" if square == asked else style
            line.append(" " * (col > 0)).append(f"{mark:>{width}}", style=style)
        lines.append(line)
    return Text("\n").join(lines)


def _tour_marks(moment: ScreenMoment) -> dict[int, tuple[str, str]]:
    space, path = moment.space, moment.path
    marks = {square: (str(number), "green") for number, square in enumerate(path, 1)}
    if not path or not isinstance(space, TourSpace):
        return marks
    graph = move_graph(space.board, space.piece)
    for target in graph.neighbours(path[-1]):
        if target not in marks:
            onward = sum(square not in marks for square in graph.neighbours(target))
            marks[target] = (str(onward).translate(_SMALL), "cyan")
    number = marks[path[-1]][0]
    solved = len(path) == space.total
    marks[path[-1]] = (number if solved or space.piece.name != "knight" else "♞", "bold reverse green")
    return marks


def _queen_marks(moment: ScreenMoment) -> dict[int, tuple[str, str]]:
    board = moment.space.board
    taken = [set(lines) for lines in zip(*(queen_lines(board, board.cell(at)) for at in moment.path), strict=True)]
    attacked = [
        square
        for square in (board if taken else ())
        if any(line in busy for line, busy in zip(queen_lines(board, board.cell(square)), taken, strict=True))
    ]
    return dict.fromkeys(attacked, ("×", "dim")) | dict.fromkeys(moment.path, ("♛", "bold green"))


def side_text(moment: ScreenMoment, height: int = 14) -> Text:
    """Return the counters, and the stack with the newest call on top, in at most so many lines (7 at the least)."""
    stats = moment.stats
    lines = [
        f"calls      {stats.calls:,}",
        f"backtracks {stats.backtracks:,}",
        f"rejected   {stats.rejects:,}",
        f"solutions  {stats.solutions:,}",
        f"depth      {stats.depth} of {moment.space.total} (deepest {stats.deepest})",
        "stack",
    ]
    room = max(1, height - len(lines))
    levels = [_level(moment, level) for level in range(len(moment.path), 0, -1)]
    if len(levels) > room:
        hidden = len(levels) - room + 1
        levels = [*levels[: room - 1], f"  ... {hidden} more below"]
    return Text("\n".join(lines + levels), no_wrap=True, overflow="ellipsis")


def _level(moment: ScreenMoment, level: int) -> str:
    return f"  {level:>3}: {moment.space.board.name(moment.path[level - 1])}"


_STYLES = {
    EventKind.ENTER: "green",
    EventKind.LEAVE: "yellow",
    EventKind.REJECT: "red",
    EventKind.SOLUTION: "bold green",
}
_SENTENCES = {EventKind.ENTER: "place on", EventKind.LEAVE: "step back from", EventKind.REJECT: "not on"}


def event_text(moment: ScreenMoment) -> Text:
    """Return the last event as a sentence."""
    event, board = moment.event, moment.space.board
    if event is None:
        return Text("nothing has happened yet", style="dim")
    if event.kind is EventKind.SOLUTION:
        return Text(f"solution {moment.stats.solutions:,}: {_answer(moment, board)}", style=_STYLES[event.kind])
    why = event.why(board)
    tail = f": {why}" if why else ""
    end = "; the search is over" if moment.finished else ""
    return Text(f"{_SENTENCES[event.kind]} {board.name(event.square)}{tail}{end}", style=_STYLES[event.kind])


def _answer(moment: ScreenMoment, board: Board) -> str:
    if isinstance(moment.space, TourSpace):
        return f"{board.name(moment.path[0])} to {board.name(moment.path[-1])}"
    return " ".join(str(col) for _, col in map(board.cell, moment.path))
