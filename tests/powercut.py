"""What a power cut may leave of a folder: every state that its files and names can be in when not all is synced.

The model is the weakest that POSIX allows. The content of a file is on the disk only after `fsync` of the file; a
change of a name (made, renamed, removed) only after `fsync` of its folder. Of the changes that are not synced, any may
have reached the disk and any may not, in any order; a rename reaches it as a whole. A file that is not synced is empty
or whole.

While :func:`recording` runs, every call that changes or syncs something is noted, with what the folder held before it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any

import pytest

State = dict[str, bytes]
Change = dict[str, int | None]  # names, and the number of the file that they then stand for


@dataclass
class Disk:
    """A folder without subfolders, as the disk has it.

    Attributes
    ----------
    names : dict
        The number of the file of each name that is synced.
    synced : dict
        The content of each file that is synced.
    seen : dict
        The content that each file had last.
    pending : list
        Changes of names that are not synced.
    states : list
        What a power cut may leave, for every moment.
    """

    path: Path
    names: dict[str, int] = field(default_factory=dict)
    synced: dict[int, bytes] = field(default_factory=dict)
    seen: dict[int, bytes] = field(default_factory=dict)
    pending: list[Change] = field(default_factory=list)
    states: list[list[State]] = field(default_factory=list)
    _volatile: dict[str, int] = field(default_factory=dict)

    def look(self) -> None:
        """Note files that have been made or written since, and what a power cut would leave now."""
        for each in self.path.iterdir() if self.path.is_dir() else ():
            if not each.is_file():
                continue
            number = each.stat().st_ino
            if self.seen.get(number) != (content := each.read_bytes()):
                self.seen[number] = content
            if self._volatile.get(each.name) != number:
                self._change({each.name: number})
        self.states.append([state for state in self._possible() if state is not None])

    def _change(self, change: Change) -> None:
        self.pending.append(change)
        _apply(self._volatile, change)

    def rename(self, old: str, new: str) -> None:
        self._change({old: None, new: self._volatile[old]})

    def remove(self, name: str) -> None:
        self._change({name: None})

    def sync_file(self, name: str) -> None:
        number = self._volatile[name]
        self.synced[number] = self.seen[number]

    def sync_names(self) -> None:
        self.names = dict(self._volatile)
        self.pending.clear()

    def _possible(self) -> Iterator[State]:
        for chosen in product((False, True), repeat=len(self.pending)):
            names = dict(self.names)
            for change, is_done in zip(self.pending, chosen, strict=True):
                if is_done:
                    _apply(names, change)
            lost = {name: self.synced.get(number, b"") for name, number in names.items()}
            yield lost
            if any(self.seen[number] != lost[name] for name, number in names.items()):
                yield {name: self.seen[number] for name, number in names.items()}


def _apply(names: dict[str, int], change: Change) -> None:
    for name, number in change.items():
        if number is None:
            names.pop(name, None)
        else:
            names[name] = number


@contextmanager
def recording(path: Path) -> Iterator[Disk]:
    """Note all changes of a folder, and yield what the disk has of it."""
    disk = Disk(path)
    disk.look()
    disk.sync_names()
    disk.synced = dict(disk.seen)
    disk.states.clear()

    def noted(name: str, note: Callable[..., None]) -> Callable[..., Any]:
        original: Callable[..., Any] = getattr(os, name)

        def call(*values: Any, **options: Any) -> Any:
            disk.look()
            is_sync = name == "fsync"
            told = [Path(f"/proc/self/fd/{values[0]}").readlink()] if is_sync else [Path(each) for each in values]
            result = original(*values, **options)
            if any(path in (each, each.parent) for each in told):
                note(*told)
                disk.look()
            return result

        return call

    def sync(target: Path) -> None:
        if target == path:
            disk.sync_names()
        else:
            disk.sync_file(target.name)

    def remove(target: Path) -> None:
        if target != path:
            disk.remove(target.name)

    notes: dict[str, Callable[..., None]] = {
        "fsync": sync,
        "replace": lambda old, new: disk.rename(old.name, new.name),
        "rename": lambda old, new: disk.rename(old.name, new.name),
        "unlink": remove,
    }
    with pytest.MonkeyPatch.context() as patch:
        for name, note in notes.items():
            patch.setattr(os, name, noted(name, note))
        yield disk
    disk.look()


def laid(state: State, path: Path) -> None:
    """Make a folder that holds what a power cut has left."""
    path.mkdir()
    for name, content in state.items():
        (path / name).write_bytes(content)
