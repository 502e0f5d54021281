"""The paper that boards are drawn on as SVG: where the squares lie, the frame, the squares and the letters.

The dark squares are one dashed line per row, so that a board of any size is a few short elements.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from backrank.geometry.board import Board, file_name
from backrank.render.look import DARK, FRAME, LETTERS, LIGHT

CELL = 44
SHOWN_WIDTH = 720


@dataclass(frozen=True)
class Sheet:
    """The paper: where squares lie on it, and the board itself.

    A picture whose squares must be read one by one is shown at full size, however large; any other is shrunk to fit,
    and what is written on its frame is larger instead.
    """

    grid: Board
    coordinates: bool
    full_size: bool = False

    @property
    def font(self) -> float:
        """The size of the letters on the frame, larger where the whole picture will be shown smaller."""
        return 13.0 if self.full_size else max(13.0, CELL * max(self.grid.rows, self.grid.cols) / 55)

    @property
    def edge(self) -> float:
        """The width of the frame where nothing is written on it."""
        return round(self.font * 0.8, 1)

    @property
    def left(self) -> float:
        """The width of the frame at the left."""
        digits = len(str(self.grid.rows))
        return round(self.font * (0.62 * digits + 1.1), 1) if self.coordinates else self.edge

    @property
    def below(self) -> float:
        """The width of the frame at the bottom."""
        return round(self.font * 1.9, 1) if self.coordinates else self.edge

    @property
    def line(self) -> float:
        """The width of a line in squares: broader on large boards, where it would otherwise be a hair."""
        return round(min(max(0.14, max(self.grid.rows, self.grid.cols) / 500), 0.32), 2)

    @property
    def size(self) -> tuple[float, float]:
        """The width and the height of the paper."""
        return self.left + self.grid.cols * CELL + self.edge, self.edge + self.grid.rows * CELL + self.below

    @property
    def mark(self) -> float:
        """Half the side of the marks on the first and the last square: larger than a square where those are tiny."""
        return 14.5 if self.full_size else max(14.5, CELL * max(self.grid.rows, self.grid.cols) / 90)

    def x(self, col: float) -> float:
        """Return the middle of a column."""
        return self.left + (col + 0.5) * CELL

    def y(self, row: float) -> float:
        """Return the middle of a row."""
        return self.edge + (row + 0.5) * CELL

    def on_squares(self) -> str:
        """Return the transformation in which squares have side 1 and the middle of the first is the origin."""
        return f'transform="translate({short(self.x(0))} {short(self.y(0))}) scale({CELL})"'

    def opening(self, title: str, told: str, shown: float | None) -> Iterator[str]:
        """Yield the first tag, the title, the description, and the frame."""
        width, height = self.size
        wide = (width if self.full_size else min(width, SHOWN_WIDTH)) if shown is None else shown
        fitted = "" if self.full_size and shown is None else ' style="max-width:100%;height:auto"'
        yield (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {short(width)} {short(height)}" '
            f'width="{short(wide)}" height="{short(wide * height / width)}" role="img"{fitted}>'
        )
        yield f"<title>{escape(title)}</title>"
        yield f"<desc>{escape(told)}</desc>"
        yield f'<rect width="{short(width)}" height="{short(height)}" rx="{short(self.edge)}" fill="{FRAME}"/>'

    def squares(self) -> Iterator[str]:
        """Yield the squares, and over them the holes in the colour of the frame, then the letters."""
        board, left, top = self.grid, self.left, self.edge
        wide, high = board.cols * CELL, board.rows * CELL
        yield '<g shape-rendering="crispEdges">'
        yield f'<rect x="{short(left)}" y="{short(top)}" width="{wide}" height="{high}" fill="{LIGHT}"/>'
        # One dashed line per row; the dashes begin anew with every M.
        rows = "".join(
            f"M{short(left + CELL * (1 - row % 2))} {short(self.y(row))}H{short(left + wide)}"
            for row in range(board.rows)
        )
        yield f'<path d="{rows}" stroke="{DARK}" stroke-width="{CELL}" stroke-dasharray="{CELL}"/>'
        if board.holes:
            holes = "".join(
                f"M{short(left + col * CELL)} {short(top + row * CELL)}h{CELL}v{CELL}h-{CELL}z"
                for row, col in map(board.cell, sorted(board.holes))
            )
            yield f'<path d="{holes}" fill="{FRAME}"/>'
        yield "</g>"
        if self.coordinates:
            yield from self._lettering()

    def letters(self) -> Iterator[tuple[float, float, str]]:
        """Yield files and ranks and where their middles are: so many that they do not run into each other."""
        board, font = self.grid, self.font
        widest = max(len(file_name(board.cols - 1)), 1) * font * 0.62 + font * 0.4
        files, ranks = (_round_step(space / CELL) for space in (widest, font * 1.25))
        for col in range(0, board.cols, files):
            yield self.x(col), self.edge + board.rows * CELL + font * 0.95, file_name(col)
        # Rank 1 has its number, so it is every other one from 1, but otherwise 5, 10, 15 and so on.
        for rank in dict.fromkeys((1, *range(1 if ranks == 2 else ranks, board.rows + 1, ranks))):
            yield self.left / 2, self.y(board.rows - rank), str(rank)

    def _lettering(self) -> Iterator[str]:
        """Yield files and ranks."""
        style = f'font-family="system-ui,sans-serif" font-size="{short(self.font)}" text-anchor="middle"'
        yield f'<g fill="{LETTERS}" {style}>'
        for x, y, text in self.letters():
            yield f'<text x="{short(x)}" y="{short(y)}" dy=".35em">{text}</text>'
        yield "</g>"


def _round_step(least: float) -> int:
    """Return the smallest of 1, 2, 5, 10, 20, … that is at least so much."""
    step = 1
    while step < least:
        step = step * 5 // 2 if str(step).startswith("2") else step * 2
    return step


def escape(text: str) -> str:
    """Return text as it stands in an element (the standard library's way would load a table of all entities).

    Examples
    --------
    >>> escape("a < b & c")
    'a &lt; b &amp; c'
    """
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def short(value: float) -> str:
    """Write a number with at most three decimals and none in vain."""
    return f"{value:.3f}".rstrip("0").rstrip(".") if value % 1 else str(int(value))
