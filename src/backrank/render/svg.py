"""Boards as SVG: one picture in one string, with nothing outside it that it needs.

No element has an id and there is no style sheet, so that several boards can stand on one page without getting
into each other's way. A line cannot change its colour on the way in SVG; a tour is therefore cut into up to 96
pieces, each of one colour and, however long it is, one path.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from backrank.geometry.board import Board
from backrank.geometry.pieces import KNIGHT, Piece
from backrank.render.lines import MoveLine, Point, attack_lines, move_line
from backrank.render.look import INK, LIGHT, QUEEN, WARNING, trail_colours
from backrank.render.sheet import CELL, Sheet, short

MAX_SVG_SQUARES = 1_000_000
MAX_NUMBERED_SQUARES = 40_000
NUMBERED_SQUARES = 256
TOLD_SQUARES = 100
COLOURS = 96
BEAD = 26


def tour_svg(
    board: Board,
    squares: Iterable[int],
    *,
    closed: bool = False,
    numbers: bool | None = None,
    path: bool = True,
    coordinates: bool = True,
    title: str | None = None,
    width: float | None = None,
    piece: Piece = KNIGHT,
) -> str:
    """Return a picture of a tour, or of as much of one as there is.

    Parameters
    ----------
    board : Board
    squares : iterable of int
        The squares in the order of the steps; not all squares need be among them.
    closed : bool
        Whether a dashed line leads from the last square back to the first.
    numbers : bool, optional
        Whether every square shows the number of its step, on up to 40,000 squares; up to 256 squares if not given.
    path : bool
        Whether the moves are drawn as a line, which changes its colour from the start to the end.
    coordinates : bool
        Whether files and ranks are written on the frame.
    title : str, optional
        What the picture is called, for people who hear rather than see it.
    width : float, optional
        The width in pixels; a page may show it narrower. If not given at most 720, or so much that numbers can be read.
    piece : Piece
        Tells moves over a glued edge, which are drawn as dotted stubs, from moves across the board.

    Raises
    ------
    InvalidSquare
        If a square is off the board or a hole.
    BoardTooLarge
        On more than a million squares, or more than 40,000 that are to be numbered.

    Examples
    --------
    >>> picture = tour_svg(Board(3, 4), [0, 6, 8, 1, 7, 9, 2, 4, 10, 3, 5, 11])
    >>> picture[:36], picture.count("<circle"), picture.count("<text")
    ('<svg xmlns="http://www.w3.org/2000/s', 1, 19)
    """
    board.require_at_most(MAX_SVG_SQUARES, "a board drawn as SVG")
    if numbers:
        board.require_at_most(MAX_NUMBERED_SQUARES, "an SVG with numbers")
    tour = [board.square(square) for square in squares]
    numbered = board.size <= NUMBERED_SQUARES if numbers is None else numbers
    sheet = Sheet(board, coordinates, full_size=numbered)
    colours = trail_colours(min(max(len(tour) - 1, 1), COLOURS))
    is_closed = closed and len(tour) > 2
    return "\n".join(
        chain(
            sheet.opening(title or _tour_title(board, tour, piece, closed), _told(board, tour), width),
            sheet.squares(),
            _trail(sheet, piece, tour, colours, 0.075 if numbered else sheet.line) if path else (),
            _closing(sheet, piece, (tour[-1], tour[0]), colours[0]) if path and is_closed else (),
            _marks(sheet, tour, colours, beads=numbered and path, closed=is_closed),
            _numbers(sheet, tour, beads=path) if numbered else (),
            ("</svg>\n",),
        )
    )


def queens_svg(
    board: Board,
    squares: Iterable[int],
    *,
    coordinates: bool = True,
    attacks: bool = False,
    title: str | None = None,
    width: float | None = None,
) -> str:
    """Return a picture of queens on a board.

    Parameters
    ----------
    board : Board
    squares : iterable of int
        Where the queens stand.
    coordinates : bool
        Whether files and ranks are written on the frame.
    attacks : bool
        Whether queens that attack each other are shown in the colour of warnings, joined by lines.
    title : str, optional
        What the picture is called, for people who hear rather than see it.
    width : float, optional
        The width in pixels; at most 720 if not given. A page may show it narrower.

    Raises
    ------
    InvalidSquare
        If a square is off the board or a hole.
    BoardTooLarge
        On more than a million squares.

    Examples
    --------
    >>> picture = queens_svg(Board(4), [0, 6, 13], attacks=True)
    >>> "<title>3 queens on 4x4</title>" in picture, "None attacks another" in picture
    (True, True)
    """
    board.require_at_most(MAX_SVG_SQUARES, "a board drawn as SVG")
    queens = tuple(sorted({board.square(square) for square in squares}))
    sheet = Sheet(board, coordinates)
    pairs = attack_lines(board, queens) if attacks else ()
    attacked = {queen for first, second, _ in pairs for queen in (first, second)}
    named = f"{len(queens)} queen{'s'[: len(queens) != 1]} on {board}"
    told = f"Queens on {_listed(board, queens)}." if queens else "No queens."
    if attacks:
        told += f" {len(attacked)} of them attack each other." if attacked else " None attacks another."
    return "\n".join(
        chain(
            sheet.opening(title or named, told, width),
            sheet.squares(),
            _attacks(sheet, [line for _, _, line in pairs]),
            _queens(sheet, [queen for queen in queens if queen not in attacked], INK),
            _queens(sheet, sorted(attacked), WARNING),
            ("</svg>\n",),
        )
    )


def _trail(sheet: Sheet, piece: Piece, tour: Sequence[int], colours: Sequence[str], width: float) -> Iterator[str]:
    """Yield the moves: a piece of the tour in each colour, and its moves over edges dotted."""
    moves = len(tour) - 1
    if moves < 1:
        return
    yield f'<g fill="none" stroke-linecap="round" stroke-linejoin="round" stroke-width="{width}" {sheet.on_squares()}>'
    for number, colour in enumerate(colours):
        first, last = (moves * share // len(colours) for share in (number, number + 1))
        lines = [move_line(sheet.grid, piece, tour[move], tour[move + 1]) for move in range(first, last)]
        solid = _polyline(line for line in lines if not line.over_edge)
        if solid:
            yield f'<path d="{solid}" stroke="{colour}"/>'
        dotted = _polyline(line for line in lines if line.over_edge)
        if dotted:
            yield f'<path d="{dotted}" stroke="{colour}" stroke-dasharray="0 {short(width * 2)}"/>'
    yield "</g>"


def _closing(sheet: Sheet, piece: Piece, move: tuple[int, int], colour: str) -> Iterator[str]:
    """Yield the move that closes a tour."""
    line = _polyline([move_line(sheet.grid, piece, *move)])
    yield (
        f'<path d="{line}" fill="none" stroke="{colour}" stroke-width=".09" stroke-dasharray=".16 .16" '
        f'stroke-linecap="round" {sheet.on_squares()}/>'
    )


def _polyline(lines: Iterable[MoveLine]) -> str:
    """Return path data; what begins where the last segment ended goes on from there, in as few characters as can be."""
    parts: list[str] = []
    at: Point | None = None
    for start, end in chain.from_iterable(line.segments for line in lines):
        if start != at:
            parts.append(f"M{_pair(*start)}l")
        parts.append(_pair(end[0] - start[0], end[1] - start[1]))
        at = end
    return " ".join(parts).replace("l ", "l").replace(" -", "-").replace(" M", "M")


def _pair(x: float, y: float) -> str:
    return f"{short(x)} {short(y)}"


def _marks(sheet: Sheet, tour: Sequence[int], colours: Sequence[str], *, beads: bool, closed: bool) -> Iterator[str]:
    """Yield a bead for every step if wanted, and the start and the end: a ringed disc, and a ringed square."""
    if not tour:
        return
    board = sheet.grid
    last = len(tour) - 1
    if beads and last > 1:
        yield from _beads(sheet, tour, colours)
    yield '<g stroke="#fff">'
    size = sheet.mark
    ring = f'stroke-width="{short(size / 6)}"'
    if last > 0:
        row, col = board.cell(tour[-1])
        half = max(size, bead_width(len(tour)) / 2 + 1.5) if sheet.full_size else size
        x, y = sheet.x(col) - half, sheet.y(row) - size
        corner = size if closed else size * 0.3
        yield (
            f'<rect x="{short(x)}" y="{short(y)}" width="{short(2 * half)}" height="{short(2 * size)}" '
            f'rx="{short(corner)}" fill="{colours[-1]}" {ring}/>'
        )
    row, col = board.cell(tour[0])
    x, y = sheet.x(col), sheet.y(row)
    yield f'<circle cx="{short(x)}" cy="{short(y)}" r="{short(size)}" fill="{colours[0]}" {ring}/>'
    yield "</g>"


def _beads(sheet: Sheet, tour: Sequence[int], colours: Sequence[str]) -> Iterator[str]:
    """Yield the beads between the ends: short lines with round ends, all of one colour in one path."""
    wide = bead_width(len(tour)) - BEAD
    dash = short(max(wide / CELL, 0.001))
    groups: dict[str, list[str]] = defaultdict(list)
    for step in range(1, len(tour) - 1):
        row, col = sheet.grid.cell(tour[step])
        at = f"{short(col - wide / 2 / CELL)} {row}" if wide else f"{col} {row}"
        groups[colours[step * len(colours) // len(tour)]].append(f"M{at}h{dash}")
    everywhere = "".join(chain.from_iterable(groups.values()))
    yield f'<g fill="none" stroke-linecap="round" {sheet.on_squares()}>'
    yield f'<path d="{everywhere}" stroke="#fff" stroke-width="{short((BEAD + 1) / CELL)}"/>'
    for colour, parts in groups.items():
        yield f'<path d="{"".join(parts)}" stroke="{colour}" stroke-width="{short((BEAD - 1) / CELL)}"/>'
    yield "</g>"


def bead_width(steps: int) -> float:
    """Return how wide a bead is that holds the number of any of so many steps, in the unit of the sheet."""
    return BEAD + max(0, len(str(steps)) - 3) * 6


def number_size(steps: int, *, beads: bool) -> float:
    """Return the size of the letters in which the numbers of so many steps fit on beads, or on bare squares."""
    digits = len(str(steps))
    if beads:
        return {1: 15, 2: 15, 3: 12, 4: 11.5}.get(digits, 10.3)
    return {1: 18, 2: 18, 3: 17, 4: 15, 5: 13}.get(digits, 11)


def _numbers(sheet: Sheet, tour: Sequence[int], *, beads: bool) -> Iterator[str]:
    """Yield the numbers of the steps: white on beads, dark on bare squares."""
    size = number_size(len(tour), beads=beads)
    weight = ' font-weight="600"' if beads else ""
    # Moved down all at once, since the middle of a digit is about a third of its size above the line it stands on.
    yield (
        f'<g fill="{"#fff" if beads else INK}" font-family="system-ui,sans-serif" font-size="{size}" '
        f'text-anchor="middle"{weight} transform="translate(0 {short(size * 0.35)})">'
    )
    ends = {0, len(tour) - 1}
    for step, square in enumerate(tour):
        row, col = sheet.grid.cell(square)
        white = ' fill="#fff"' if step in ends and not beads else ""
        yield f'<text x="{short(sheet.x(col))}" y="{short(sheet.y(row))}"{white}>{step + 1}</text>'
    yield "</g>"


def _attacks(sheet: Sheet, lines: Sequence[MoveLine]) -> Iterator[str]:
    """Yield the lines between queens that attack each other."""
    drawn = _polyline(lines)
    if drawn:
        yield (
            f'<path d="{drawn}" fill="none" stroke="{WARNING}" stroke-width=".1" stroke-linecap="round" '
            f'stroke-opacity=".75" {sheet.on_squares()}/>'
        )


def _queens(sheet: Sheet, queens: Sequence[int], colour: str) -> Iterator[str]:
    """Yield the queens."""
    side = CELL * 0.86
    for row, col in map(sheet.grid.cell, queens):
        at = f"translate({short(sheet.x(col) - side / 2)} {short(sheet.y(row) - side / 2)}) scale({short(side / 100)})"
        yield (
            f'<path d="{QUEEN}" fill="{colour}" stroke="{LIGHT}" stroke-width="3" paint-order="stroke" '
            f'transform="{at}"/>'
        )


def _tour_title(board: Board, tour: Sequence[int], piece: Piece, closed: bool) -> str:
    kind = "Closed" if closed else "Open"
    ends = f", {board.name(tour[0])} to {board.name(tour[-1])}" if tour else ""
    return f"{kind} {piece}'s tour of {board}{ends}"


def _told(board: Board, tour: Sequence[int]) -> str:
    if not tour:
        return "An empty board."
    return f"{len(tour)} squares in the order of the tour: {_listed(board, tour)}."


def _listed(board: Board, squares: Sequence[int]) -> str:
    """Name the squares, of many only the first ones and the last."""
    names = [board.name(square) for square in squares[:TOLD_SQUARES]]
    if len(squares) > TOLD_SQUARES:
        names += ["…", board.name(squares[-1])]
    return ", ".join(names)
