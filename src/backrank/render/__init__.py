"""Drawing boards: pure functions from a board and squares to text, to SVG and PNG, and to animated HTML."""

from typing import TYPE_CHECKING

from backrank.runtime.lazy import lazy_exports

if TYPE_CHECKING:
    from backrank.render.html import MAX_PAGE_SQUARES, run_html, tour_html
    from backrank.render.plot import strip_plot_svg
    from backrank.render.png import queens_png, tour_png
    from backrank.render.runs import InvalidRun
    from backrank.render.svg import MAX_SVG_SQUARES, queens_svg, tour_svg
    from backrank.render.text import numbered_board, queens_board

_HOMES = {
    "MAX_PAGE_SQUARES": "html",
    "MAX_SVG_SQUARES": "svg",
    "InvalidRun": "runs",
    "numbered_board": "text",
    "queens_board": "text",
    "queens_png": "png",
    "queens_svg": "svg",
    "run_html": "html",
    "strip_plot_svg": "plot",
    "tour_html": "html",
    "tour_png": "png",
    "tour_svg": "svg",
}

__getattr__ = lazy_exports(__name__, _HOMES, globals())

__all__ = [
    "MAX_PAGE_SQUARES",
    "MAX_SVG_SQUARES",
    "InvalidRun",
    "numbered_board",
    "queens_board",
    "queens_png",
    "queens_svg",
    "run_html",
    "strip_plot_svg",
    "tour_html",
    "tour_png",
    "tour_svg",
]
