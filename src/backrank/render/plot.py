"""A strip plot: one line per group, a dot for every value, on a logarithmic scale.

Dots that would lie on each other are moved a little up or down, by a rule and not by chance, so the same
numbers give the same picture. What has failed is told at the right edge, as a number.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from html import escape

Row = tuple[str, Sequence[int], int]

_LEFT, _RIGHT, _TOP, _LINE, _WIDTH = 170, 90, 52, 44, 560
_STYLE = (
    ".bg{fill:#fffdf8}.grid{stroke:#d8d0c0;stroke-width:1}.dot{fill:#2f6db3;fill-opacity:.55}"
    ".mid{stroke:#c4552d;stroke-width:3;stroke-linecap:round}text{font:13px system-ui,sans-serif;fill:#33302a}"
    ".title{font-weight:bold}.small{font-size:11px;fill:#6d675b}.fail{fill:#b3261e}"
    "@media(prefers-color-scheme:dark){.bg{fill:#1d1c1a}.grid{stroke:#3f3c36}.dot{fill:#7fb2ef}"
    "text{fill:#e8e3d8}.small{fill:#a8a294}.fail{fill:#ff8a80}.mid{stroke:#ff9e6d}}"
)


def strip_plot_svg(rows: Sequence[Row], *, limit: int, title: str) -> str:
    """Return a picture of groups of numbers.

    Parameters
    ----------
    rows : sequence of (name, values, failures)
        For each group its values, at least 1 each, and how many of its cases have none: these count as larger
        than any value, so the bar at the median is missing where it falls among them.
    limit : int
        Where the scale ends at the least: nothing was tried beyond.
    title : str

    Examples
    --------
    >>> picture = strip_plot_svg([("warnsdorff", [64, 64, 70], 1)], limit=1000, title="Calls")
    >>> picture.count("<circle"), "1 failed" in picture
    (3, True)
    """
    most = max([limit, *(value for _, values, _ in rows for value in values)])
    least = min([most, *(value for _, values, _ in rows for value in values)])
    low, high = math.floor(math.log10(max(1, least))), max(1, math.ceil(math.log10(most)))
    low = min(low, high - 1)

    def across(value: float) -> float:
        return round(_LEFT + (math.log10(max(1, value)) - low) / (high - low) * _WIDTH, 1)

    height = _TOP + _LINE * len(rows) + 34
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_LEFT + _WIDTH + _RIGHT} {height}" role="img">',
        f"<title>{escape(title)}</title><style>{_STYLE}</style>",
        f'<rect class="bg" width="{_LEFT + _WIDTH + _RIGHT}" height="{height}" rx="8"/>',
        f'<text class="title" x="16" y="28">{escape(title)}</text>',
    ]
    for power in range(low, high + 1):
        x, foot = across(10**power), _TOP + _LINE * len(rows)
        parts.append(f'<line class="grid" x1="{x}" y1="{_TOP - 6}" x2="{x}" y2="{foot}"/>')
        parts.append(f'<text class="small" x="{x}" y="{foot + 18}" text-anchor="middle">{10**power:,}</text>')
    for at, (name, values, failures) in enumerate(rows):
        middle = _TOP + _LINE * at + _LINE / 2
        parts.append(f'<text x="16" y="{middle + 4}">{escape(name)}</text>')
        parts += [f'<circle class="dot" cx="{x}" cy="{y}" r="4"/>' for x, y in _dots(values, across, middle)]
        if (half := (len(values) + failures - 1) // 2) < len(values):
            x = across(sorted(values)[half])
            parts.append(f'<line class="mid" x1="{x}" y1="{middle - 13}" x2="{x}" y2="{middle + 13}"/>')
        if failures:
            told = f'<text class="small fail" x="{_LEFT + _WIDTH + 12}" y="{middle + 4}">{failures} failed</text>'
            parts.append(told)
    return "\n".join([*parts, "</svg>"])


def _dots(values: Sequence[int], across: Callable[[float], float], middle: float) -> Iterator[tuple[float, float]]:
    """Yield where the dots go: those of one place take turns above and below the middle."""
    standing: Counter[float] = Counter()
    for value in sorted(values):
        x = across(value)
        place = round(x / 3)
        turn = standing[place]
        standing[place] += 1
        shift = (turn + 1) // 2 * (1 if turn % 2 else -1)
        yield x, round(middle + max(-15, min(15, shift * 2.2)), 1)
