"""Plots on logarithmic scales: dots for many values of a few groups, and lines for what grows with a size.

*Strip plot*: one line per group, a dot for every value. Dots that would lie on each other are moved a little up or
down, by a rule and not by chance, so the same numbers give the same picture. What has failed is told at the right edge,
as a number.

*Line plots*: panels side by side. Names stand in a column at the right in the order in which the lines end, so that no
legend has to be read; every line has a mark of its own besides its colour.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from html import escape
from typing import NamedTuple

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


# --- lines -----------------------------------------------------------------------------------------

# Hues that the colour-blind tell apart, dark enough on cream and light enough on black; each has its own mark as well.
_LINE_COLOURS = (
    ("#6d675b", "#a8a294"),
    ("#33302a", "#e8e3d8"),
    ("#2f6db3", "#7fb2ef"),
    ("#c4552d", "#ff9e6d"),
    ("#00795a", "#4fc9a0"),
    ("#8a4f9e", "#d59ae0"),
    ("#a87200", "#f0bf52"),
    ("#b3265e", "#ff8fb3"),
)
_MARKS = (
    "M-3.2 0a3.2 3.2 0 1 0 6.4 0a3.2 3.2 0 1 0-6.4 0Z",
    "M-3-3H3V3H-3Z",
    "M0-4L4 3H-4Z",
    "M0-4.2L4.2 0L0 4.2L-4.2 0Z",
    "M0 4L4-3H-4Z",
    "M-1.2-4H1.2V-1.2H4V1.2H1.2V4H-1.2V1.2H-4V-1.2H-1.2Z",
    "M-4 0L-2-3.6H2L4 0L2 3.6H-2Z",
    "M-3.6-2L0-4.2L3.6-2V2L0 4.2L-3.6 2Z",
)
STYLES = len(_MARKS)
_PANEL_WIDTH, _PANEL_HEIGHT, _GAP = 470, 330, 26
_AXIS, _ROOM, _HEAD, _FOOT = 58, 104, 46, 44
_LABEL_STEP = 14.0


class PlotLine(NamedTuple):
    """A line of a panel: its name, where it goes, and which colour and mark it has, from 0 to 7."""

    name: str
    points: Sequence[tuple[float, float]]
    style: int


class Panel(NamedTuple):
    """A plot: what grows along a logarithmic scale, against a size.

    `unit` says what sizes are, `scale` whether they stand `linear` or `log`; `amount` turns a power of ten of what
    grows into words, such as 1 ms.
    """

    title: str
    unit: str
    scale: str
    lines: Sequence[PlotLine]
    amount: Callable[[int], str]


def line_plots_svg(panels: Sequence[Panel], *, title: str, note: str = "") -> str:
    """Return a picture of panels side by side, two in a row, each line with its name where it ends.

    Parameters
    ----------
    panels : sequence of Panel
        Every line with at least one point, all numbers above 0.
    title, note : str
        The heading, and a line below it.

    Examples
    --------
    >>> line = PlotLine("bits", [(8, 0.001), (9, 0.004), (10, 0.02)], 2)
    >>> panel = Panel("Counting", "queens", "linear", [line], lambda power: f"10^{power} s")
    >>> picture = line_plots_svg([panel], title="Times")
    >>> picture.count('class="l s2"'), picture.count('class="m s2"'), ">bits<" in picture
    (1, 3, True)
    """
    columns = min(2, len(panels))
    width = _GAP + columns * (_PANEL_WIDTH + _GAP)
    head = 68 if note else 48
    height = head + -(-len(panels) // 2) * (_PANEL_HEIGHT + _GAP)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">',
        f"<title>{escape(title)}</title><style>{_STYLE}{_line_style()}</style>",
        f'<rect class="bg" width="{width}" height="{height}" rx="8"/>',
        f'<text class="title big" x="{_GAP}" y="32">{escape(title)}</text>',
    ]
    if note:
        parts.append(f'<text class="small" x="{_GAP}" y="52">{escape(note)}</text>')
    for number, panel in enumerate(panels):
        across = _GAP + number % 2 * (_PANEL_WIDTH + _GAP)
        down = head + number // 2 * (_PANEL_HEIGHT + _GAP)
        parts += [f'<g transform="translate({across} {down})">', *_DrawnPanel(panel).parts(), "</g>"]
    return "\n".join([*parts, "</svg>"])


def _line_style() -> str:
    rules = [".big{font-size:17px}.l{fill:none;stroke-width:2;stroke-linejoin:round;stroke-linecap:round}"]
    rules.append(".axis{stroke:#8d8676;stroke-width:1}.name{font-size:12px;paint-order:stroke;stroke:#fffdf8;")
    rules.append("stroke-width:4px;stroke-linejoin:round}.lead{stroke-width:1;stroke-dasharray:1 3}")
    dark = [".name{stroke:#1d1c1a}"]
    for number, (light, night) in enumerate(_LINE_COLOURS):
        for into, colour in ((rules, light), (dark, night)):
            into.append(f".l.s{number},.lead.s{number}{{stroke:{colour}}}.m.s{number},.name.s{number}{{fill:{colour}}}")
    return "".join(rules) + "@media(prefers-color-scheme:dark){" + "".join(dark) + "}"


class _DrawnPanel:
    """One panel, with its scales."""

    def __init__(self, panel: Panel) -> None:
        self.panel = panel
        self.sizes = sorted({x for line in panel.lines for x, _ in line.points})
        values = [y for line in panel.lines for _, y in line.points]
        self.low = math.floor(math.log10(min(values)) + 1e-9)
        self.high = max(self.low + 1, math.ceil(math.log10(max(values)) - 1e-9))
        self.right, self.foot = _PANEL_WIDTH - _ROOM, _PANEL_HEIGHT - _FOOT

    def x(self, size: float) -> float:
        """Return where a size stands."""
        least, most = self.sizes[0], self.sizes[-1]
        if least == most:
            return (_AXIS + self.right) / 2
        place = (size - least) / (most - least)
        if self.panel.scale == "log":
            place = math.log(size / least) / math.log(most / least)
        return round(_AXIS + 10 + place * (self.right - _AXIS - 20), 1)

    def y(self, value: float) -> float:
        """Return where a value stands."""
        place = (math.log10(value) - self.low) / (self.high - self.low)
        return round(self.foot - place * (self.foot - _HEAD), 1)

    def parts(self) -> list[str]:
        """Return everything: title, scales, lines, names."""
        panel = self.panel
        parts = [f'<text class="title" x="0" y="18">{escape(panel.title)}</text>']
        step = -(-(self.high - self.low) // 8)
        for power in range(self.low, self.high + 1):
            y = self.y(10.0**power)
            parts.append(f'<line class="grid" x1="{_AXIS}" y1="{y}" x2="{self.right}" y2="{y}"/>')
            if (power - self.low) % step == 0:
                told = escape(panel.amount(power))
                parts.append(f'<text class="small" x="{_AXIS - 8}" y="{y + 4}" text-anchor="end">{told}</text>')
        parts.append(f'<line class="axis" x1="{_AXIS}" y1="{self.foot}" x2="{self.right}" y2="{self.foot}"/>')
        parts += self._ticks()
        for line in panel.lines:
            parts += self._line(line)
        return [*parts, *self._names()]

    def _ticks(self) -> Iterator[str]:
        """Yield the sizes below the panel, as many as there is room for."""
        edge = -math.inf
        for size in self.sizes:
            x, told = self.x(size), _size_text(size)
            if x - 3.5 * len(told) < edge:
                continue
            edge = x + 3.5 * len(told) + 8
            yield f'<line class="axis" x1="{x}" y1="{self.foot}" x2="{x}" y2="{self.foot + 4}"/>'
            yield f'<text class="small" x="{x}" y="{self.foot + 18}" text-anchor="middle">{told}</text>'
        middle, unit = (_AXIS + self.right) / 2, escape(self.panel.unit)
        yield f'<text class="small" x="{middle}" y="{self.foot + 35}" text-anchor="middle">{unit}</text>'

    def _line(self, line: PlotLine) -> Iterator[str]:
        places = [(self.x(x), self.y(y)) for x, y in line.points]
        style = f"s{line.style % STYLES}"
        if len(places) > 1:
            path = " ".join(f"{x},{y}" for x, y in places)
            yield f'<polyline class="l {style}" points="{path}"/>'
        for x, y in places:
            yield f'<path class="m {style}" transform="translate({x} {y})" d="{_MARKS[line.style % STYLES]}"/>'

    def _names(self) -> Iterator[str]:
        """Yield the names, in a column at the right in the order of the lines' ends, none upon another."""
        ends = sorted((self.y(line.points[-1][1]), self.x(line.points[-1][0]), line) for line in self.panel.lines)
        places = _apart([end[0] for end in ends], _HEAD, self.foot, _LABEL_STEP)
        for (y, x, line), place in zip(ends, places, strict=True):
            style, down = f"s{line.style % STYLES}", round(place + 4, 1)
            lead = f"M{x + 6} {y}L{self.right - 6} {y}L{self.right + 6} {down - 4:.1f}"
            yield f'<path class="l lead {style}" d="{lead}"/>'
            yield f'<text class="name {style}" x="{self.right + 10}" y="{down}">{escape(line.name)}</text>'


def _size_text(size: float) -> str:
    """Return a size as short as it can be read: 1,000 and less in full, powers of ten beyond as such."""
    power = round(math.log10(size))
    superscript = str(power).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return f"10{superscript}" if size > 1_000 and size == 10**power else f"{size:,.0f}"


def _apart(wanted: Sequence[float], least: float, most: float, step: float) -> list[float]:
    """Return places near the wanted ones, which ascend, at least a step from each other, within limits if they fit.

    Examples
    --------
    >>> _apart([10, 11, 50], 0, 100, 10)
    [5.5, 15.5, 50.0]
    """
    groups: list[tuple[float, int]] = []  # where the middle of so many is
    for place in wanted:
        middle, number = float(place), 1
        while groups and middle - groups[-1][0] < step * (number + groups[-1][1]) / 2:
            other, more = groups.pop()
            middle, number = (middle * number + other * more) / (number + more), number + more
            half = step * (number - 1) / 2
            middle = max(least + half, min(most - half, middle))
        groups.append((middle, number))
    return [middle + step * (at - (number - 1) / 2) for middle, number in groups for at in range(number)]
