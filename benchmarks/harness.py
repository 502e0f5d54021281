"""The harness of the benchmarks: options, sizes, tables, marks. What is measured is measured by the arena's functions.

A script declares what it measures::

    def run(report: Report, options: Namespace) -> None:
        table = report.table("n:3d", "seconds:9.3f", "x plain:8.1f")
        for side in report.sized(quick=(6,), normal=(10, 12)):
            measured, count = measure_call(lambda: Queens(side).count())
            ...
            table.row(side, measured.best, plain.best / measured.best, after=report.mark("queens", measured.best, 0.5))

    SCRIPT = Script(__doc__, run)

    if __name__ == "__main__":
        SCRIPT.main()

All scripts have the options `--quick` (seconds; the tests run it), `--full` (what takes minutes as well) and `--json`
(one object on standard output, with the machine, in place of the tables).
"""

from __future__ import annotations

import argparse
import json
import math
import os
import re
import statistics
import sys
from argparse import Namespace
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from backrank.arena.cases import Case, Series
from backrank.arena.entrants.registry import Entrant
from backrank.arena.machine import machine
from backrank.arena.measuring import Measured, RunTimes, measure_call, time_call, yardsticks
from backrank.arena.running import MeasuringLimits, measure
from backrank.arena.timing import Timing
from backrank.errors import BackrankError
from backrank.published.values import published_values

__all__ = [
    "BACKRANK",
    "Measured",
    "Namespace",
    "Report",
    "RunTimes",
    "Script",
    "Table",
    "fail",
    "measure_apart",
    "measure_call",
    "option",
    "published",
    "time_call",
]

T = TypeVar("T")
Value = str | int | float | None
INTERRUPTED = 130

BACKRANK = str(Path(sys.executable).with_name("backrank"))
"""The installed command, beside the Python that runs the script."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A figure and the limit that it is held against.

    Attributes
    ----------
    name : str
    value, limit : float
    reached : bool
    """

    name: str
    value: float
    limit: float
    reached: bool


class Table:
    """A table that prints each row as soon as it is known.

    Parameters
    ----------
    columns : sequence of str
        `name:format`, such as `seconds:9.3f`; the format begins with the width.
    show : callable
        Prints a line.
    """

    def __init__(self, columns: Sequence[str], show: Callable[[str], None]) -> None:
        self.names, self._formats = zip(*(column.rsplit(":", 1) for column in columns), strict=True)
        self.rows: list[dict[str, Value]] = []
        self._show = show
        show(" ".join(self._cell(format(name, ""), number) for number, name in enumerate(self.names)).rstrip())

    def row(self, *values: Value, after: str = "") -> None:
        """Print a row: a value for each column, None for one that is not known, and words after them."""
        values = (*values, *[None] * (len(self.names) - len(values)))
        known = [None if isinstance(value, float) and not math.isfinite(value) else value for value in values]
        self.rows.append({**dict(zip(self.names, known, strict=True)), **({"remark": after} if after else {})})
        cells = [self._cell(value, number) for number, value in enumerate(values)]
        self._show(" ".join([*cells, *([f"  {after}"] if after else [])]).rstrip())

    def _cell(self, value: Value, number: int) -> str:
        how = self._formats[number]
        if isinstance(value, str) or value is None:
            match = re.match(r"([<>]?)(\d+)", how)
            side, width = match.groups() if match else ("", "0")
            return f"{'-' if value is None else value:{side or '>'}{width}}"
        return format(value, how)


class Report:
    """What a script prints, and what it found.

    Parameters
    ----------
    size : str
        `quick`, `normal` or `full`.
    as_json : bool
        Keep everything for one object at the end.
    """

    def __init__(self, size: str, *, as_json: bool) -> None:
        self.size, self.as_json = size, as_json
        self.marks: list[Mark] = []
        self.notes: list[str] = []
        self.failures = 0
        self._tables: list[Table] = []

    def sized(self, quick: T, normal: T, full: T | None = None) -> T:
        """Return what the size of this run is for; what is normal if there is no more for the full one."""
        return quick if self.size == "quick" else full if self.size == "full" and full is not None else normal

    def table(self, *columns: str) -> Table:
        """Begin a table, with its head."""
        self._tables.append(Table(columns, self._show))
        return self._tables[-1]

    def note(self, text: str) -> None:
        """Print a line that belongs to no table."""
        self.notes.append(text)
        self._show(text)

    def failure(self, text: str) -> None:
        """Print a line about something wrong, and go on; the exit code of the script will be 1."""
        self.failures += 1
        self.note(f"FAILURE: {text}")

    def mark(self, name: str, value: float, limit: float, *, least: bool = False, unit: str = " s") -> str:
        """Hold a figure against its mark, and return the verdict in words; with `least` it must be that high."""
        reached = value >= limit if least else value < limit
        self.marks.append(Mark(name, value, limit, reached))
        return f"{'mark reached' if reached else 'MISSED'} ({'>= ' if least else '< '}{limit:g}{unit})"

    def end(self, script: str) -> None:
        """Print how many marks were reached and the yardstick of this run, or everything as JSON."""
        yardstick = statistics.median(yardsticks())
        if self.as_json:
            tables = [{"columns": table.names, "rows": table.rows} for table in self._tables]
            marks = [{name: getattr(mark, name) for name in Mark.__slots__} for mark in self.marks]
            head = {"script": script, "size": self.size, "machine": machine(), "yardstick_seconds": yardstick}
            found = {"tables": tables, "notes": self.notes, "marks": marks, "failures": self.failures}
            print(json.dumps({**head, **found}))
            return
        reached = sum(mark.reached for mark in self.marks)
        verdict = f"{reached} of {len(self.marks)} marks reached; " if self.marks else ""
        failures = f"{self.failures} failures; " if self.failures else ""
        print(f"{verdict}{failures}yardstick {1e3 * yardstick:.2f} ms")

    def _show(self, line: str) -> None:
        if not self.as_json:
            print(line, flush=True)


@dataclass(frozen=True, slots=True)
class Option:
    """An option of one script: what `ArgumentParser.add_argument` takes."""

    name: str
    details: dict[str, Any]


def option(name: str, **details: Any) -> Option:
    """Return an option of a script."""
    return Option(name, details)


@dataclass(frozen=True, slots=True)
class Script:
    """A benchmark.

    Attributes
    ----------
    doc : str
        The docstring of the module, shown by `--help`.
    run : callable
        Measures; it gets a report and the options.
    options : tuple of Option
        What this script has beyond `--quick`, `--full` and `--json`.
    """

    doc: str | None
    run: Callable[[Report, Namespace], None]
    options: tuple[Option, ...] = ()

    def main(self, words: Sequence[str] | None = None) -> None:
        """Read the options, measure, print."""
        parser = argparse.ArgumentParser(
            description=self.doc, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
        )
        for each in self.options:
            parser.add_argument(each.name, **each.details)
        sizes = parser.add_mutually_exclusive_group()
        for size, text in (("quick", "only what takes seconds"), ("full", "what takes minutes as well")):
            sizes.add_argument(f"--{size}", dest="size", action="store_const", const=size, default="normal", help=text)
        parser.add_argument("--json", action="store_true", help="print one JSON object in place of the tables")
        options = parser.parse_args(words)
        report = Report(options.size, as_json=options.json)
        try:
            self.run(report, options)
        except BackrankError as error:
            fail(str(error))
        except KeyboardInterrupt:
            raise SystemExit(INTERRUPTED) from None
        report.end(Path(self.run.__code__.co_filename).stem)
        if report.failures:
            raise SystemExit(1)


def fail(message: str) -> NoReturn:
    """End the script with a line: an answer was wrong, or there is none."""
    raise SystemExit(message)


def published(kind: str, size: str) -> int | None:
    """Return a published value, such as that of `tours.closed.undirected` and `6x6`; None if there is none."""
    return published_values(kind).get(size)


def measure_apart(where: str, sizes: Sequence[int], warm_up: int, effort: MeasuringLimits) -> list[Timing]:
    """Measure a function of one int in a process of its own, as the arena measures its entrants.

    Parameters
    ----------
    where : str
        `module:function`; the module may be a script of this folder.
    sizes : sequence of int
        Ascending.
    warm_up : int
        What it is called with before anything is measured.
    effort : Effort
        The limit of time, and how often it is called for each size.

    Returns
    -------
    list of Timing
        For each size; `peak - held` are the bytes that the first call took, `answer` is the text of what it returned.
    """
    cases = tuple(Case(size, "", str(size)) for size in sizes)
    series = Series("", "", "", "", "log", "", (), Case(warm_up, ""), cases)
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parent)}
    return list(measure(series, cases, Entrant(where, "", where), effort, lambda _: None, env=env))
