"""`backrank bench`: every algorithm on the same cases, beside the last release, as a table, as data, as a picture."""

from __future__ import annotations

import json
import os
import re
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from backrank.cli import options as opt
from backrank.cli.output import Output, remark
from backrank.cli.progress import ClearedLine
from backrank.errors import InvalidPuzzle

if TYPE_CHECKING:
    from backrank.arena import ContestSpec, Results, ResultsComparison, Series

INTERRUPTED = 130

CasesOption = Annotated[
    list[str] | None,
    typer.Option("--cases", metavar="NAME", help="Which series, such as queens-count; all if not given."),
]
OnlyOption = Annotated[
    list[str] | None, typer.Option("--only", metavar="NAME", help="Which algorithms, such as tutorial,bits; all else.")
]
QuickOption = Annotated[bool, typer.Option("--quick", help="Only the smallest cases: a quarter of the time.")]
LimitOption = Annotated[
    str | None, typer.Option("--time-limit", metavar="TIME", help="Give up a case after so long; 1 s if not given.")
]
AgainstOption = Annotated[
    str | None,
    typer.Option("--against", metavar="FILE", help="Earlier results; the last release's if not given, none: neither."),
]
SavedOption = Annotated[
    str | None, typer.Option("--output", "-o", metavar="FILE", help="Keep the results in a file as JSON as well.")
]
SvgOption = Annotated[str | None, typer.Option("--svg", metavar="FILE", help="Draw time against size.")]
ForceOption = Annotated[bool, typer.Option("--force", help="Let files that exist be replaced.")]
MarkdownOption = Annotated[str | None, typer.Option("--markdown", metavar="FILE", help="Write the tables as Markdown.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class ContestOptions:
    """The options that say what is measured."""

    cases: CasesOption = None
    only: OnlyOption = None
    quick: QuickOption = False
    time_limit: LimitOption = None

    def spec(self) -> ContestSpec:
        """Return what is measured.

        Raises
        ------
        InvalidPuzzle
            If a list is empty, or the time limit is not a positive time.
        """
        from backrank.arena import ContestSpec

        return ContestSpec(_names(self.cases), _names(self.only), self.quick, _limit(self.time_limit))


@dataclass(frozen=True, slots=True, kw_only=True)
class FileOptions:
    """The options that say which files are written besides the table."""

    output: SavedOption = None
    svg: SvgOption = None
    markdown: MarkdownOption = None
    force: ForceOption = False

    def sinks(self) -> list[Output | None]:
        """Return where the results, the picture and the page are written; None for each that is not wanted."""
        files = [
            None if name is None else Output(name, force=self.force) for name in (self.output, self.svg, self.markdown)
        ]
        _require_apart([sink for sink in files if sink is not None])
        return files


def bench(
    contest: ContestOptions,
    *,
    against: AgainstOption = None,
    as_json: opt.JsonOption = False,
    files: FileOptions,
    quiet: opt.QuietOption = False,
) -> None:
    """Measure every algorithm on the same cases, each in a process of its own, and check that their answers agree.

    A wrong answer is shown as WRONG, without a time, and makes the exit code 1. Ctrl-C keeps what has been measured.

    Examples: backrank bench --quick;  backrank bench --cases queens-count,tours-closed --only tutorial,bits,layers;
    backrank bench --time-limit 10s -o mine.json --svg mine.svg;  backrank bench --against mine.json
    """
    from backrank.arena import compete, read_series

    wish = contest.spec()
    sinks = files.sinks()
    earlier = _earlier(against)
    with Output(None, force=False) as sink, _Watch(quiet=quiet) as watch:
        results = compete(wish, watch)
        watch.clear()
        beside = None if earlier is None else _beside(results, *earlier)
        series = read_series(wish.series)
        _write_files(sinks, results, series, beside)
        sink.write(_text(results, series, beside, as_json=as_json))
    if results.wrong:
        raise typer.Exit(1)
    if not results.complete:
        raise typer.Exit(INTERRUPTED)


def _limit(given: str | None) -> float | None:
    seconds = opt.seconds_of(given)
    if seconds == 0:
        raise InvalidPuzzle("no case can be measured in no time; give it some, such as --time-limit 1")
    return seconds


def _names(given: Sequence[str] | None) -> tuple[str, ...]:
    names = [name for words in given or () for name in re.split(r"[,\s]+", words) if name]
    if given and not names:
        raise InvalidPuzzle("the list of names is empty; leave the option out for all")
    return tuple(dict.fromkeys(names))


def _require_apart(sinks: Sequence[Output]) -> None:
    paths = [sink.path for sink in sinks]
    if None in paths:
        raise InvalidPuzzle(
            "-o, --svg and --markdown want the names of files; the table goes to standard output anyway"
        )
    if len(set(paths)) < len(paths):
        raise InvalidPuzzle("-o, --svg and --markdown name the same file; they are different files")


def _earlier(against: str | None) -> tuple[Results, str] | None:
    """Return the results to compare with, and what they are called."""
    from backrank.arena import newest_shipped, read_results
    from backrank.arena.machine import machine

    if against == "none":
        return None
    path = newest_shipped(machine()) if against is None else Path(against)
    return None if path is None else (read_results(path), path.stem if against is None else path.name)


def _beside(results: Results, earlier: Results, name: str) -> ResultsComparison:
    from backrank.arena import compared

    return compared(results, earlier, name)


def _text(results: Results, series: list[Series], beside: ResultsComparison | None, *, as_json: bool) -> str:
    from backrank.arena import table

    if not as_json:
        return table(results, series, beside)
    data = results.to_dict() | ({} if beside is None else {"comparison": beside.to_dict()})
    return json.dumps(data, ensure_ascii=False)


def _write_files(
    files: Sequence[Output | None], results: Results, series: list[Series], beside: ResultsComparison | None
) -> None:
    from backrank.arena import markdown, picture

    image = _image(files[1], files[2])
    texts: tuple[Callable[[], str], ...] = (
        lambda: json.dumps(results.to_dict(), ensure_ascii=False, indent=1),
        lambda: picture(results, series),
        lambda: markdown(results, series, beside, image=image),
    )
    for sink, text in zip(files, texts, strict=True):
        if sink is not None:
            with sink:
                sink.write(text())
            remark(f"wrote {sink.path}")


def _image(svg: Output | None, page: Output | None) -> str | None:
    """Return the address of the picture as seen from the page, if both are written."""
    if svg is None or page is None or svg.path is None or page.path is None:
        return None
    return Path(os.path.relpath(svg.path, page.path.parent)).as_posix()


class _Watch(ClearedLine):
    """Shows what is being measured: a line that changes on a terminal, else a line for each series."""

    def __init__(self, *, quiet: bool) -> None:
        super().__init__("measuring", quiet=quiet, words=lambda _: self.now)
        self.now, self._series, self._quiet = "", "", quiet
        self._began = time.monotonic()

    def __call__(self, words: str, done: int, total: int) -> None:
        from backrank.runtime.progress import Progress

        seconds = time.monotonic() - self._began
        self.now = f"{words}, {done} of {total} through, {seconds:.0f} s"
        self._report(Progress(seconds, done))
        series = words.partition(",")[0]
        if series != self._series and not sys.stderr.isatty():
            remark(f"{series} ...", quiet=self._quiet)
        self._series = series
