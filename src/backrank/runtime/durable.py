"""Files that survive a kill and a power cut: written whole, synced to the disk, and only then given their name.

A name changes in one step (`rename`), but a disk may carry out steps in another order than they were asked for. So
the content is synced before the name changes, and the folder, which holds the names, after it: at every moment the
name stands for the old content or for the new one, and what was done before a call returned stays done.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

SUFFIX = ".new"


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """Yield a stream; when the block ends without an error, what was written becomes the content of `path`.

    Until then it has the name of `path` with `.new` added, and goes again if there is an error.

    Raises
    ------
    OSError
        If it cannot be written. `path` is as it was then.
    """
    beside = path.with_name(path.name + SUFFIX)
    try:
        with beside.open("wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        beside.replace(path)
    except BaseException:
        with suppress(OSError):
            beside.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def remove(paths: Iterable[Path]) -> None:
    """Remove files of one folder, those that are there, and sync the folder if there were any."""
    folders = set()
    for path in paths:
        try:
            path.unlink()
        except FileNotFoundError:
            continue
        folders.add(path.parent)
    for folder in folders:
        sync_folder(folder)


def make_folder(path: Path) -> None:
    """Make a folder, and those above it that are missing, so that they stay after a power cut."""
    missing = [each for each in (path, *path.parents) if not each.exists()]
    path.mkdir(parents=True, exist_ok=True)
    for each in reversed(missing):
        sync_folder(each.parent)


def sync_folder(path: Path) -> None:
    """Write the names in a folder to the disk; do nothing where folders cannot be synced (Windows, some networks)."""
    if sys.platform == "win32":
        return
    descriptor = os.open(path, os.O_RDONLY)
    try:
        with suppress(OSError):
            os.fsync(descriptor)
    finally:
        os.close(descriptor)
