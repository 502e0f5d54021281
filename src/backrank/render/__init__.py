"""Drawing boards: pure functions from a board and squares to text, to SVG, and to animated HTML."""

from __future__ import annotations

from backrank.render.html import run_html, tour_html
from backrank.render.runs import InvalidRun
from backrank.render.svg import queens_svg, tour_svg
from backrank.render.text import numbered_board, queens_board

__all__ = ["InvalidRun", "numbered_board", "queens_board", "queens_svg", "run_html", "tour_html", "tour_svg"]
