"""`backrank watch`: a search in the terminal, forwards and backwards, alone or two in lockstep."""

from __future__ import annotations

import os
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from backrank.cli import options as opt
from backrank.cli.answers import require_language
from backrank.cli.interrupts import undone
from backrank.cli.output import Output, remark
from backrank.cli.progress import described
from backrank.cli.watch.keys import Keys
from backrank.cli.watch.player import FASTEST, SLOWEST, Player
from backrank.errors import BudgetExceeded, InvalidPuzzle
from backrank.runtime.budget import Budget

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.live import Live

    from backrank.cli.watch.screen import ScreenMoment
    from backrank.queens import Queens
    from backrank.runtime.progress import Progress
    from backrank.search import Space, Trace
    from backrank.tours import KnightTours

FRAMES_A_SECOND = 20
HELP = (
    "space play/pause   ← → step   + - speed   home start   g go to event\n"
    "s S next/previous solution   b B next/previous step back   q leave"
)

StrategyOption = Annotated[
    str | None,
    typer.Option(
        "--strategy", metavar="NAME", help="fixed:python, warnsdorff+prune, random:7; rows, fewest-first, ..."
    ),
]
CompareOption = Annotated[
    tuple[str, str] | None,
    typer.Option("--compare", metavar="A B", help="Two strategies side by side, in lockstep.", show_default=False),
]
SpeedOption = Annotated[float, typer.Option("--speed", metavar="N", help="Events a second at the beginning.")]
FramesOption = Annotated[
    int | None, typer.Option("--frames", metavar="N", help="Print N moments as text instead of moving pictures.")
]
FromOption = Annotated[int, typer.Option("--from", metavar="EVENT", help="Begin after so many events.")]
RecordOption = Annotated[
    str | None, typer.Option("--output", "-o", metavar="FILE", help="Write the run as an animated HTML page instead.")
]
EventsOption = Annotated[
    int | None, typer.Option("--events", metavar="N", help="How many events the page holds; to the first solution.")
]
EveryOption = Annotated[int, typer.Option("--every", metavar="N", help="With --frames: one moment every N events.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownQueensOptions:
    """The options that say which placements of queens are searched."""

    board: opt.BoardArgument
    count: opt.QueensOption = None
    holes: opt.HolesOption = ""
    wrap: opt.WrapOption = "none"

    def puzzle(self) -> Queens:
        """Return the puzzle."""
        from backrank.queens import Queens

        return Queens(opt.board_of(self.board, self.holes, self.wrap), queens=self.count)


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchOptions:
    """The options that say how the search is watched: in the terminal, as frames of text, or as a page."""

    strategy: StrategyOption = None
    compare: CompareOption = None
    speed: SpeedOption = 5.0
    frames: FramesOption = None
    first: FromOption = 0
    every: EveryOption = 1
    output: RecordOption = None
    events: EventsOption = None
    language: opt.LanguageOption = "en"
    force: opt.ForceOption = False

    def require_valid(self) -> None:
        """Raise InvalidPuzzle if a number is out of its range, or an option would have no effect."""
        if not SLOWEST <= self.speed <= FASTEST:
            raise InvalidPuzzle(
                f"the speed must be from {SLOWEST:g} to {FASTEST:,.0f} events a second, not {self.speed:g}"
            )
        for name, value, least in (("--frames", self.frames, 1), ("--from", self.first, 0), ("--every", self.every, 1)):
            if value is not None and value < least:
                raise InvalidPuzzle(f"{name} must be at least {least}, not {value}")
        for together, words in (
            (self.strategy and self.compare, "--compare names both strategies; leave out --strategy"),
            (self.output and self.compare, "a page (-o) shows one strategy; leave out --compare, or make two pages"),
            (
                self.output and (self.frames or self.first),
                "a page (-o) begins at the beginning; leave out --frames and --from",
            ),
            (self.events is not None and not self.output, "--events is for a page; name it with -o FILE"),
            (self.every > 1 and not self.frames, "--every is for --frames N"),
        ):
            if together:
                raise InvalidPuzzle(words)

    def show(self, puzzle: KnightTours | Queens, usual: str) -> None:
        """Show the search by the strategy that was given, or the usual one; or write a page that plays it."""
        self.require_valid()
        strategy = self.strategy or usual
        if self.output is not None:
            self._record(puzzle.search_space(), strategy, Output(self.output, force=self.force))
        else:
            _watch(puzzle.search_space(), self.compare or (strategy,), self)

    def _record(self, space: Space, strategy: str, sink: Output) -> None:
        """Write a page that plays the run."""
        from backrank.search import trace

        require_language(self.language)
        with sink:
            sink.write(trace(space, strategy).html(events=self.events, language=self.language).rstrip("\n"))
        if sink.path is not None:
            remark(f"wrote {sink.path}: open it in a browser")


def tours(tour: opt.TourOptions, watched: WatchOptions) -> None:
    """Watch the search for a knight's tour: every placement, every dead end, every step back.

    Without --start it begins in the top left corner (or the first square that is no hole).

    Examples: backrank watch tour 6x6 --strategy fixed:python --speed 20;
    backrank watch tour 8x8 --compare fixed:python warnsdorff;  backrank watch tour 5x5 -o run.html
    """
    from backrank.tours import KnightTours

    puzzle = tour.puzzle()
    if puzzle.start is None:
        begin = next(iter(puzzle.board))
        puzzle = KnightTours(puzzle.board, start=begin, end=puzzle.end, closed=puzzle.closed, piece=puzzle.piece)
    watched.show(puzzle, "warnsdorff")


def queens(queens: ShownQueensOptions, watched: WatchOptions) -> None:
    """Watch the search for queens: place, conflict, return, and why each square was refused.

    Examples: backrank watch queens 4;  backrank watch queens 8 --compare rows fewest-first
    """
    watched.show(queens.puzzle(), "rows")


def _watch(space: Space, strategies: tuple[str, ...], options: WatchOptions) -> None:
    from backrank.search import trace

    watched = [PlayerTrace(trace(space, name)) for name in strategies]
    if options.frames is not None:
        _print_frames(watched, options, options.frames)
        return
    if not (sys.stdout.isatty() and sys.stdin.isatty()) or os.environ.get("TERM", "dumb") == "dumb":
        raise InvalidPuzzle("watch needs a terminal with a cursor; elsewhere, --frames N prints N moments as text")
    _Screen(watched, options).show()


class PlayerTrace:
    """A trace as the player wants it: moments instead of events, and jumps that show progress and can be stopped."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.screen: _Screen | None = None

    @property
    def end(self) -> int | None:
        """How many events the run has, if that is known."""
        return self.trace.total

    @property
    def was_stopped(self) -> bool:
        """Whether a key has ended the work of the present one."""
        return self.screen is not None and self.screen.stopped

    def reach(self, number: int) -> int:
        """Return the number of events that there are, up to that many."""
        trace = self.trace
        if number > trace.reached.event and trace.total is None and not self.was_stopped:
            budget = None if self.screen is None else self.screen.budget()
            with suppress(BudgetExceeded):  # the viewer pressed a key: what has been reached is shown
                trace.run(events=number - trace.reached.event, budget=budget)
        return min(number, trace.reached.event)

    def next_solution(self, number: int, within: int) -> int | None:
        """Return the moment just after the next solution, if it comes within so many events."""
        here, there = self.reach(number), self.reach(number + within)
        if there <= number or here < number:
            return None
        trace = self.trace
        if trace.reached.solutions <= trace.cursor(here).solutions:
            return None
        event = trace.next_solution(here)
        return None if event is None else event + 1

    def previous_solution(self, number: int) -> int | None:
        """Return the moment just after the solution before the one shown."""
        number = min(number, self.reach(number) + 1)
        event = self.trace.previous_solution(max(0, number - 1))
        return None if event is None else event + 1

    def next_backtrack(self, number: int) -> int | None:
        """Return the moment just after the next step back."""
        event = None if self.reach(number) < number else self.trace.next_backtrack(number)
        return None if event is None else event + 1

    def previous_backtrack(self, number: int) -> int | None:
        """Return the moment just after the step back before the one shown."""
        number = min(number, self.reach(number) + 1)
        event = self.trace.previous_backtrack(max(0, number - 1))
        return None if event is None else event + 1

    def moment(self, number: int) -> ScreenMoment:
        """Return what is to be seen after so many events, or at the end if there are fewer."""
        from backrank.cli.watch.screen import ScreenMoment

        trace = self.trace
        number = self.reach(number)
        event = trace.at(number - 1) if number else None
        finished = trace.total is not None and number >= trace.total
        path = tuple(trace.path(number))
        return ScreenMoment(trace.space, trace.strategy.name, path, trace.stats(number), event, finished)


def _print_frames(watched: list[PlayerTrace], options: WatchOptions, frames: int) -> None:
    from backrank.cli.watch.screen import plain

    with Output(None, force=False) as sink:
        position = options.first
        for _ in range(frames):
            moments = [run.moment(position) for run in watched]
            for moment in moments:
                if len(moments) > 1:
                    sink.write(f"{moment.strategy}:")
                sink.write(plain(moment))
            if all(moment.finished for moment in moments):
                break
            position += options.every


class _Screen:
    """The terminal while somebody watches: draws the player's moment, and hands it the keys."""

    def __init__(self, watched: list[PlayerTrace], options: WatchOptions) -> None:
        self.watched = watched
        self.player = Player(watched, speed=options.speed)
        self.first = options.first
        self.keys = Keys()
        self.stopped = False
        self._live: Live | None = None
        self._waiting = ""
        self._picture: RenderableType = ""

    def show(self) -> None:
        """Show until the viewer leaves; Ctrl-C and being ended leave as well, and the terminal is as it was."""
        from rich.console import Console
        from rich.live import Live

        for run in self.watched:
            run.screen = self
        self.console = Console()
        live = Live(console=self.console, screen=True, auto_refresh=False, redirect_stdout=False)
        with self.keys, undone(self._give_back), live as self._live:
            self.player.go(self.first)
            self._loop()
        moment = self.watched[0].moment(self.player.position)
        remark(f"left at event {self.player.position:,}: {moment.stats.calls:,} calls, depth {moment.stats.depth}")

    def _give_back(self) -> None:
        """Put the terminal back where there is no time to leave in order."""
        os.write(1, b"\x1b[?1049l\x1b[?25h")
        self.keys.give_back()

    def _loop(self) -> None:
        before = time.monotonic()
        while not self.player.finished:
            self._draw()
            for key in self.keys.wait(1 / FRAMES_A_SECOND if self.player.playing else 0.5):
                self.stopped = False
                self.player.press(key)
            now = time.monotonic()
            self.stopped = False
            # A moment that took long to make is not made up for: time goes on from where it is.
            self.player.pass_time(min(now - before, 2 / FRAMES_A_SECOND))
            before = now

    def budget(self) -> Budget:
        """Return the budget of a long jump: it shows how far it is, and any key ends it."""
        return Budget(progress=self._progress, cancelled=self._is_pressed, interval=0.1)

    def _is_pressed(self) -> bool:
        pressed = self.keys.wait(0)
        self.stopped = self.stopped or bool(pressed)
        self.player.finished = self.player.finished or "q" in pressed
        return self.stopped

    def _progress(self, progress: Progress) -> None:
        if progress.seconds > 0.3:
            self._waiting = f"on the way: {described(progress)}  (any key stops)"
            self._draw_line()

    def _draw(self) -> None:
        self._waiting = ""
        self._picture = self._moments()
        self._draw_line()

    def _draw_line(self) -> None:
        from rich.console import Group
        from rich.text import Text

        if self._live is not None:
            line = Text(self._waiting or self._status(), style="bold" if self._waiting else "")
            # What is needed to go on stands on top: whatever the window cuts off, it is not that.
            self._live.update(Group(line, Text(HELP, style="dim"), Text(), self._picture), refresh=True)

    def _status(self) -> str:
        player = self.player
        if player.asked:
            return f"go to event {player.asked[1:]}_  (enter goes, escape forgets it)"
        state = "playing" if player.playing else "paused"
        message = f"  {player.message}" if player.message else ""
        speed = f"{player.speed:,.1f}".removesuffix(".0")
        return f"event {player.position:,}  {state}, {speed} events/s{message}"

    def _moments(self) -> RenderableType:
        from rich.table import Table

        from backrank.cli.watch.screen import view

        gap, height = 4, self.console.height - HELP.count("\n") - 5
        width = (self.console.width - gap * (len(self.watched) - 1)) // len(self.watched)
        views = [view(run.moment(self.player.position), width, height) for run in self.watched]
        if len(views) == 1:
            return views[0]
        table = Table.grid(padding=(0, gap, 0, 0))
        for _ in views:
            table.add_column(width=width, no_wrap=True)
        table.add_row(*views)
        return table
