"""The state of somebody watching: where in the run, how fast, forwards or not. Knows neither keyboard nor screen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

SLOWEST, FASTEST = 0.5, 1_000_000.0


class RunView(Protocol):
    """What a player needs of a recorded run; :class:`backrank.cli.watch.watch.PlayerTrace` is one."""

    @property
    def end(self) -> int | None:
        """How many events the run has; None as long as nobody has been at its end."""
        ...

    @property
    def was_stopped(self) -> bool:
        """Whether somebody has stopped the work of the present key."""
        ...

    def reach(self, number: int) -> int:
        """Return the number of events that there are, up to that many."""
        ...

    def next_solution(self, number: int, within: int) -> int | None:
        """Return how many events there are up to and with the next solution; None if none is `within` so many more."""
        ...

    def previous_solution(self, number: int) -> int | None:
        """Return the same for the solution before."""
        ...

    def next_backtrack(self, number: int) -> int | None:
        """Return the same for the next step back."""
        ...

    def previous_backtrack(self, number: int) -> int | None:
        """Return the same for the step back before."""
        ...


@dataclass
class Player:
    """Somebody watching one run, or several in lockstep: all show the moment after the same number of events.

    Attributes
    ----------
    runs : sequence of Run
    position : int
        How many events have happened at the moment shown.
    speed : float
        Events a second while playing.
    playing, finished : bool
        Whether time runs by itself; whether the viewer has left.
    asked : str
        Digits typed after `g`, the number of an event to go to; empty if none is being typed.
    """

    runs: Sequence[RunView]
    position: int = 0
    speed: float = 5.0
    playing: bool = True
    finished: bool = False
    asked: str = ""
    message: str = ""
    _owed: float = field(default=0.0, repr=False)

    def pass_time(self, seconds: float) -> None:
        """Let time run: go on by as many events as are due."""
        if not self.playing:
            return
        self._owed += seconds * self.speed
        due = int(self._owed)
        self._owed -= due
        if due:
            self.go(self.position + due)

    def go(self, number: int) -> None:
        """Go to the moment after so many events, or to the last one there is."""
        number = max(0, number)
        reached = max(run.reach(number) for run in self.runs)
        if reached < number:
            self.playing = False
            over = all(run.end is not None for run in self.runs)
            self.message = "the search is over" if over else "stopped on the way"
        self.position = reached

    def press(self, key: str) -> None:
        """Do what a key stands for; unknown keys do nothing."""
        self.message = ""
        if self.asked and self._type(key):
            return
        action = self._actions().get(key)
        if action is not None:
            action()

    def _type(self, key: str) -> bool:
        """Take a digit of an event's number; say whether the key was part of it."""
        if key.isdigit() and len(self.asked) < 16:
            self.asked += key
        elif key == "backspace":
            self.asked = self.asked[:-1] or "g"
        elif key == "enter":
            number, self.asked = self.asked[1:], ""
            if number:
                self.playing = False
                self.go(int(number))
        elif key == "escape":
            self.asked = ""
        else:
            self.asked = ""
            return False
        return True

    def _actions(self) -> dict[str, Callable[[], None]]:
        return {
            "space": self._toggle,
            "right": lambda: self._step(1),
            "left": lambda: self._step(-1),
            "+": lambda: self._faster(2.0),
            "=": lambda: self._faster(2.0),
            "up": lambda: self._faster(2.0),
            "-": lambda: self._faster(0.5),
            "down": lambda: self._faster(0.5),
            "home": lambda: self._jump(0),
            "s": self._next_solution,
            "end": self._next_solution,
            "S": lambda: self._seek("previous_solution", "no solution before this moment"),
            "b": lambda: self._seek("next_backtrack", "no further step back"),
            "B": lambda: self._seek("previous_backtrack", "no step back before this moment"),
            "g": self._ask,
            "q": self._leave,
            "escape": self._leave,
        }

    def _toggle(self) -> None:
        self.playing = not self.playing

    def _step(self, by: int) -> None:
        self.playing = False
        self.go(self.position + by)

    def _faster(self, factor: float) -> None:
        self.speed = min(FASTEST, max(SLOWEST, self.speed * factor))

    def _jump(self, number: int) -> None:
        self.playing = False
        self.go(number)

    def _next_solution(self) -> None:
        """Go to the nearest solution of any of the runs, looking a little further in all of them each time."""
        self.playing = False
        within = 10_000
        while True:
            found = [n for run in self.runs if (n := run.next_solution(self.position, within)) is not None]
            if found:
                self.go(min(found))
                return
            if any(run.was_stopped for run in self.runs):
                self.position = max(self.position, *(run.reach(self.position + within) for run in self.runs))
                self.message = "stopped on the way"
                return
            if all(run.end is not None for run in self.runs):
                self.message = "no further solution"
                return
            within *= 10

    def _seek(self, what: str, otherwise: str) -> None:
        """Go to the nearest such moment of any of the runs."""
        self.playing = False
        found = [number for run in self.runs if (number := getattr(run, what)(self.position)) is not None]
        if not found:
            self.message = otherwise
            return
        self.go(max(found) if what.startswith("previous") else min(found))

    def _ask(self) -> None:
        self.playing = False
        self.asked = "g"

    def _leave(self) -> None:
        self.finished = True
