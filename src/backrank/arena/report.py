"""The results of the arena for people: a table in the terminal, Markdown and a picture for the documentation.

Times are medians of CPU time, all threads together: what other work on the machine disturbs least. Wall time stands
beside them for the largest case; the results kept as JSON have both for every case.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import cycle
from typing import NamedTuple

from backrank.arena.cases import Series
from backrank.arena.comparing import ResultsComparison
from backrank.arena.entrants.registry import entrant
from backrank.arena.growth import memory_growth, time_growth
from backrank.arena.timing import DONE, MISSING, OVER, SKIPPED, WRONG, Results, Timing
from backrank.errors import InvalidPuzzle
from backrank.render.plot import STYLES, Panel, PlotLine, line_plots_svg

_USUAL_STYLES = {"tutorial": 0, "reference": 1}
_NOTABLE_BYTES = 2_000_000
_UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"))


class ReportRow(NamedTuple):
    """One entrant in one series, in words."""

    entrant: str
    cells: tuple[str, ...]
    wall: str
    growth: str
    memory: str
    change: str

    def texts(self, beside: ResultsComparison | None) -> tuple[str, ...]:
        """Return the columns, the last one only if there was something to compare with."""
        return (self.entrant, *self.cells, self.wall, self.growth, self.memory, *([self.change] if beside else []))


def seconds_text(seconds: float) -> str:
    """Return a time with two digits at least.

    Examples
    --------
    >>> [seconds_text(seconds) for seconds in (12.345, 0.0123, 0.00000456)]
    ['12 s', '12 ms', '4.6 µs']
    """
    size, unit = next(((size, unit) for size, unit in _UNITS if seconds >= size), _UNITS[-1])
    number = seconds / size
    return f"{number:.1f} {unit}" if number < 9.95 else f"{number:,.0f} {unit}"


def bytes_text(number: float) -> str:
    """Return an amount of memory.

    Examples
    --------
    >>> bytes_text(21_600_000)
    '22 MB'
    """
    return f"{number / 1e9:.1f} GB" if number >= 999.5e6 else f"{number / 1e6:,.0f} MB"


def grouped(results: Results, series: Iterable[Series]) -> Iterator[tuple[Series, dict[str, list[Timing]]]]:
    """Yield each series that was measured, with the timings of every entrant in the order of the cases."""
    for one in series:
        entries: dict[str, list[Timing]] = {}
        for timing in results.timings:
            if timing.series == one.name:
                entries.setdefault(timing.entrant, []).append(timing)
        if entries:
            yield one, entries


def cell(timing: Timing) -> str:
    """Return what stands in a table for a timing."""
    texts = {WRONG: "WRONG", OVER: f"> {timing.note.removeprefix('more than ')}", SKIPPED: "–", MISSING: "missing"}
    return seconds_text(timing.cpu) if timing.status == DONE else texts.get(timing.status, "failed")


def rows(series: Series, entries: dict[str, list[Timing]], beside: ResultsComparison | None) -> list[ReportRow]:
    """Return the rows of the table of one series."""
    found = []
    for name, timings in entries.items():
        timed = [timing for timing in timings if timing.is_timed]
        growth, memory = time_growth(timed, series.scale), memory_growth(timed, series.scale)
        most = max((timing.peak for timing in timed), default=0)
        told = bytes_text(most) + (f", {memory}" if memory else "") if timed else ""
        cells = tuple(map(cell, timings))
        wall = seconds_text(timed[-1].seconds) if timed else ""
        found.append(ReportRow(name, cells, wall, str(growth or ""), told, _change(timed, beside)))
    return found


def _change(timings: Sequence[Timing], beside: ResultsComparison | None) -> str:
    """Return in a word what has changed most since the earlier run."""
    changes = [change for timing in timings if beside and (change := beside.of(timing))]
    told = [change for change in changes if change.verdict != "same"]
    if not told:
        return "as before" if changes else ""
    most = max(told, key=lambda change: max(change.ratio, 1 / change.ratio))
    return f"{most.now.case}: {max(most.ratio, 1 / most.ratio):.1f} x {most.verdict}"


def heads(series: Series, entries: dict[str, list[Timing]], beside: ResultsComparison | None) -> tuple[str, ...]:
    """Return the heads of the columns."""
    cases = [timing.case for timing in next(iter(entries.values()))]
    per = "growth" if series.scale == "log" else f"per {series.unit.removesuffix('s')}"
    return (series.unit, *cases, "wall", per, "memory", *(["since " + beside.version] if beside else []))


def table(results: Results, series: Sequence[Series], beside: ResultsComparison | None = None) -> str:
    """Return everything as text for a terminal."""
    parts = []
    for one, entries in grouped(results, series):
        lines = [heads(one, entries, beside), *(row.texts(beside) for row in rows(one, entries, beside))]
        parts.append(f"{one.title} ({one.name})\n{_aligned(lines)}")
    return "\n\n".join([*parts, *remarks(results, beside)])


def _aligned(lines: Sequence[Sequence[str]]) -> str:
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    texts = ([line[0].ljust(widths[0]), *map(str.rjust, line[1:], widths[1:])] for line in lines)
    return "\n".join("  ".join(text).rstrip() for text in texts)


def remarks(results: Results, beside: ResultsComparison | None) -> list[str]:
    """Return what is to be said besides: the machine, what is wrong, what is missing, the comparison."""
    machine = results.machine
    words = f"{machine.get('processor')}, {machine.get('cores')} cores, {machine.get('python')}"
    lines = [f"backrank {results.version} on {words}, numba {machine.get('numba')}, numpy {machine.get('numpy')}"]
    lines.append(
        "times: CPU, all threads together; wall: the same of the last case that was done; memory: of the process"
    )
    lines += [f"WRONG: {timing.series} {timing.case}, {timing.entrant}: {timing.note}" for timing in results.wrong]
    noted = [timing for timing in results.timings if timing.status not in (DONE, WRONG, OVER, SKIPPED)]
    lines += list(dict.fromkeys(f"{timing.entrant} in {timing.series}: {timing.note}" for timing in noted))
    if not results.complete:
        lines.append("interrupted: this is a part of what was to be measured")
    if beside is not None:
        mean = "" if beside.mean is None else f": on average {beside.mean:.2f} times as long as then"
        lines.append(f"beside {beside.name}{mean}, in yardsticks of plain Python measured in the same processes")
        if beside.differs:
            lines.append(f"not the same machine ({'; '.join(beside.differs)}): ratios compare machines as well")
    return ["\n".join(lines)]


_INTRODUCTION = """# Every way on the same cases

`backrank bench` runs all algorithms of this project, and a plain recursion as tutorials write it, on the same cases.

- Each algorithm has a process of its own. It warms up on a small case, so that everything is loaded and compiled, then
  it does each case several times. Whatever the package keeps from one call to the next is forgotten before each.
- Answers are compared with each other and with published values. A wrong one is shown as WRONG and has no time.
- Times are medians of CPU time, all threads together, since other work on the machine disturbs it least. *wall* is the
  wall time of the last case that was done. A case that takes too long is stopped, and larger ones are not tried: –.
- *per queen*, *per square* tell by how much time grows with each of them, fitted to the cases from a millisecond on;
  `size^2.0` says that it grows with the square of the size. Memory is the most that the process held, Python and all.
- Runs are compared in yardsticks: a fixed piece of plain Python, timed in the same process before and after each case.
  If the machine is slow for a while, both are.

```console
$ backrank bench                                     # a minute or two
$ backrank bench --quick --cases queens-count        # seconds
$ backrank bench --only tutorial,layers --time-limit 1m -o mine.json --svg mine.svg
$ backrank bench --against mine.json                 # what has become faster or slower since
```"""


def markdown(
    results: Results, series: Sequence[Series], beside: ResultsComparison | None = None, *, image: str | None = None
) -> str:
    """Return everything as a page in Markdown: a table for each series, and what its entrants are.

    Parameters
    ----------
    results, series, beside
        As for :func:`table`.
    image : str, optional
        The address of the picture, seen from the page.
    """
    parts = [_INTRODUCTION, *([f"![CPU time against size, a line for each algorithm]({image})"] if image else [])]
    for one, entries in grouped(results, series):
        head = heads(one, entries, beside)
        texts = [row._replace(entrant=f"`{row.entrant}`").texts(beside) for row in rows(one, entries, beside)]
        lines = [f"| {' | '.join(head)} |", f"|---|{'---:|' * (len(head) - 1)}"]
        lines += [f"| {' | '.join(text)} |" for text in texts]
        ideas = [f"- `{name}`: {entrant(name, one.discipline).idea}" for name in entries]
        parts.append("\n".join([f"## {one.title}", "", *lines, "", *ideas]))
    told = "\n".join(f"- {line}" for line in "\n".join(remarks(results, beside)).splitlines())
    return "\n\n".join([*parts, f"## Where it was measured\n\n{told}"])


def picture(results: Results, series: Sequence[Series]) -> str:
    """Return everything as a picture: CPU time against size for each series, and memory where it grows.

    Raises
    ------
    InvalidPuzzle
        If nothing has a time.
    """
    panels: list[Panel] = []
    memory: list[Panel] = []
    for one, entries in grouped(results, series):
        times = _lines(entries, lambda timing: timing.cpu)
        if times:
            panels.append(Panel(one.title, one.unit, one.scale, times, _power_of_seconds))
        taken = [line for line in _lines(entries, _grown) if len(line.points) > 1]
        if len(taken) > 1:
            memory.append(Panel(f"Memory: {one.name}", one.unit, one.scale, taken, _power_of_bytes))
    if not panels:
        raise InvalidPuzzle("nothing has been timed, so there is nothing to draw")
    machine = results.machine
    note = f"CPU seconds of all threads, the time of one answer; {machine.get('processor')}, {machine.get('python')}"
    return line_plots_svg(
        [*panels, *memory], title=f"backrank {results.version}: every way on the same cases", note=note
    )


def _grown(timing: Timing) -> float:
    grown = timing.peak - timing.held
    return float(grown) if grown >= _NOTABLE_BYTES else 0.0


def _lines(entries: dict[str, list[Timing]], value: Callable[[Timing], float]) -> list[PlotLine]:
    usual = {name: style for name, style in _USUAL_STYLES.items() if name in entries}
    ordered = [*range(len(_USUAL_STYLES), STYLES), *range(len(_USUAL_STYLES))]
    free = cycle(style for style in ordered if style not in usual.values())
    found = []
    for name, timings in entries.items():
        style = usual[name] if name in usual else next(free)
        points = [(float(timing.size), value(timing)) for timing in timings if timing.is_timed and value(timing) > 0]
        if points:
            found.append(PlotLine(name, points, style))
    return found


def _power_of_seconds(power: int) -> str:
    size, unit = next(((size, unit) for size, unit in ((0, "s"), (-3, "ms"), (-6, "µs")) if power >= size), (-9, "ns"))
    return f"{10 ** (power - size)} {unit}"


def _power_of_bytes(power: int) -> str:
    return f"{10 ** (power - 9)} GB" if power >= 9 else f"{10 ** max(power - 6, 0)} MB"
